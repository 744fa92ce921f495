// The text being typed into an edit field: its meaning as numbers, the cursor, the keys. The text stands in
// ui->edittext until it is stored in the field's variable; ui->editscroll is the first character shown.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "ui/ui.h"

//---------------------------------- text and variable ----------------------------------

int ui_isEdit(const mjuiItem* it) {
  return it->type >= mjITEM_EDITINT && it->type <= mjITEM_EDITTXT;
}

static int isInt(double x) {
  return x >= INT_MIN && x <= INT_MAX && x == (int)x;
}

// the numbers of a text; 0: not as many as the field has, out of range, or of the wrong kind
static int readValues(const char* text, const mjuiItem* it, double value[mjMAXUIEDIT]) {
  // what comes after the largest number of numbers is not looked at
  const int n = bas_readLeading(text, value, mjMAXUIEDIT);
  if (n != it->edit.nelem) return 0;

  for (int i = 0; i < n; i++) {
    const double lower = it->edit.range[i][0], upper = it->edit.range[i][1];
    if (lower < upper && (value[i] < lower || value[i] > upper)) return 0;
    if (it->type == mjITEM_EDITINT && !isInt(value[i])) return 0;
  }
  return 1;
}

int ui_editValid(const char* text, const mjuiItem* it) {
  double value[mjMAXUIEDIT];
  return it->type == mjITEM_EDITTXT || readValues(text, it, value);
}

int ui_editStore(const char* text, const mjuiItem* it) {
  // texts have room for a name
  if (it->type == mjITEM_EDITTXT) {
    char* const target = it->pdata;
    memset(target, 0, mjMAXUINAME);
    memcpy(target, text, strnlen(text, mjMAXUINAME - 1));
    return 1;
  }

  double value[mjMAXUIEDIT];
  if (!readValues(text, it, value)) return 0;
  for (int i = 0; i < it->edit.nelem; i++) {
    if (it->type == mjITEM_EDITINT) ((int*)it->pdata)[i] = (int)value[i];
    if (it->type == mjITEM_EDITNUM) ((mjtNum*)it->pdata)[i] = value[i];
    if (it->type == mjITEM_EDITFLOAT) ((float*)it->pdata)[i] = (float)value[i];
  }
  return 1;
}

void ui_editPrint(char* text, const mjuiItem* it) {
  if (it->type == mjITEM_EDITTXT) {
    const size_t length = strnlen(it->pdata, mjMAXUINAME - 1);
    memcpy(text, it->pdata, length);
    memset(text + length, 0, mjMAXUINAME - length);
    return;
  }

  // numbers with two blanks between
  size_t at = 0;
  text[0] = 0;
  for (int i = 0; i < it->edit.nelem; i++) {
    char number[BAS_NUMBER];
    if (it->type == mjITEM_EDITINT) {
      snprintf(number, sizeof(number), "%d", ((const int*)it->pdata)[i]);
    } else {
      const int wide = it->type == mjITEM_EDITNUM;
      bas_writeShort(wide ? ((const mjtNum*)it->pdata)[i] : ((const float*)it->pdata)[i], 4, number);
    }
    at += (size_t)snprintf(text + at, mjMAXUITEXT - at, "%s%s", i > 0 ? "  " : "", number);
  }
}

//---------------------------------- cursor ----------------------------------

// scrolls the text so that the cursor is shown in a field
static void reveal(mjrRect rect, mjUI* ui, const mjrContext* con) {
  if (ui->editcursor <= ui->editscroll) {
    ui->editscroll = ui->editcursor;
    return;
  }

  // the first character, not before one left of what is shown, from which the text up to the cursor is too wide
  int room = rect.width - 2 * ui_scale(ui->spacing.texthor, con), first = ui->editcursor;
  while (room >= 0 && first > 0 && first >= ui->editscroll) room -= ui_textWidth(ui->edittext + --first, 1, con);
  if (room < 0) ui->editscroll = first + 1;
}

// keeps what a program may have written into the interface within the text
static void clampCursor(mjUI* ui) {
  ui->edittext[mjMAXUITEXT - 1] = 0;
  const int length = (int)strlen(ui->edittext);
  ui->editcursor = mjMAX(0, mjMIN(length, ui->editcursor));
  ui->editscroll = mjMAX(0, mjMIN(length, ui->editscroll));
}

void ui_editPoint(mjrRect rect, mjUI* ui, const mjuiState* state, const mjrContext* con) {
  clampCursor(ui);
  const int margin = ui_scale(ui->spacing.texthor, con);
  rect.left += margin;
  rect.width -= 2 * margin;
  const double x = ui_mouseInRect(rect, ui, state).x;

  // beyond the field: start or end of the text
  if (x < 0) {
    ui->editcursor = ui->editscroll = 0;
    return;
  }
  if (x > 1) {
    rect.width += 2 * margin;
    ui->editcursor = (int)strlen(ui->edittext);
    reveal(rect, ui, con);
    return;
  }

  // nearest gap between two characters, of equals the first
  const int target = ui_round(rect.width * x);
  int nearest = target, width = 0;
  ui->editcursor = ui->editscroll;
  for (int i = ui->editscroll; ui->edittext[i]; i++) {
    width += ui_textWidth(ui->edittext + i, 1, con);
    const int distance = abs(width - target);
    if (distance < nearest) {
      nearest = distance;
      ui->editcursor = i + 1;
    }
  }
}

//---------------------------------- keys ----------------------------------

// what shift makes of the keys that are neither letters nor digits: each character of PLAIN its partner of SHIFTED
static const char PLAIN[] = "`-=[]\\;',./";
static const char SHIFTED[] = "~_+{}|:\"<>?";

// character that a key types into a text, 0: none
static int textCharacter(int key, int shift) {
  if (key < ' ' || key > 127) return 0;
  if (!shift) return key >= 'A' && key <= 'Z' ? key - 'A' + 'a' : key;
  const char* const plain = memchr(PLAIN, key, sizeof(PLAIN) - 1);
  return plain ? SHIFTED[plain - PLAIN] : key;
}

// character that a key types into numbers, 0: none
static int numberCharacter(int key, int fraction) {
  if (key >= '0' && key <= '9') return key;
  if (key >= mjKEY_NUMPAD_0 && key <= mjKEY_NUMPAD_9) return '0' + key - mjKEY_NUMPAD_0;
  switch (key) {
    case ' ':
    case '-':
      return key;
    case '+':
    case '=':
      return '+';
    case 'e':
    case 'E':
      return fraction ? 'e' : 0;
    case '.':
      return fraction ? '.' : 0;
    default:
      return 0;
  }
}

// character that a key adds to a field's text of some length, 0: none, or it is full
static int typed(int key, int length, const mjuiItem* it, const mjuiState* state) {
  if (it->type == mjITEM_EDITTXT) return length < mjMAXUINAME - 1 ? textCharacter(key, state->shift) : 0;
  if (!ui_isEdit(it) || length >= mjMAXUITEXT - 1) return 0;
  return numberCharacter(key, it->type != mjITEM_EDITINT);
}

void ui_editKey(int key, const mjuiItem* it, mjUI* ui, const mjuiState* state, const mjrContext* con) {
  clampCursor(ui);
  const int length = (int)strlen(ui->edittext), cursor = ui->editcursor;
  char* const here = ui->edittext + cursor;
  const size_t rest = (size_t)(length - cursor);
  switch (key) {
    // control makes the arrows go all the way
    case mjKEY_LEFT:
      ui->editcursor = state->control ? 0 : mjMAX(0, cursor - 1);
      break;
    case mjKEY_RIGHT:
      ui->editcursor = state->control ? length : mjMIN(length, cursor + 1);
      break;
    case mjKEY_HOME:
      ui->editcursor = 0;
      break;
    case mjKEY_END:
      ui->editcursor = length;
      break;

    // the end of the text moves with what is behind the cursor
    case mjKEY_BACKSPACE:
      if (cursor > 0) {
        memmove(here - 1, here, rest + 1);
        ui->editcursor--;
      }
      break;
    case mjKEY_DELETE:
      if (rest > 0) memmove(here, here + 1, rest);
      break;
    default: {
      const int character = typed(key, length, it, state);
      if (character) {
        memmove(here + 1, here, rest + 1);
        *here = (char)character;
        ui->editcursor++;
      }
    }
  }
  reveal(it->rect, ui, con);
}
