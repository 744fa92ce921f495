// From the program's table of mjuiDef to sections and items. Each kind of item reads its own text in `other`:
//     section, button, check box    "" or a modifier (blank, C, S, A) and a key: "CQ", or its number: " #256"
//     static, radio, line, select   one choice per line: "Euler\nRK4"
//     sliders                       "lower upper [divisions]"
//     edit fields of numbers        "count [lower upper …]", a pair per number
// Readers return NULL, or what is wrong, which mjui_add raises.
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "ui/ui.h"

// divisions of a slider of mjtNum that does not say
#define UI_DIVISIONS 200

//---------------------------------- texts ----------------------------------

// a modifier's letter as the bits that the state of the keyboard is compared with, -1: none of them
static int modifierOf(char letter) {
  switch (letter) {
    case ' ':
      return 0;
    case 'C':
      return 1;
    case 'S':
      return 2;
    case 'A':
      return 4;
    default:
      return -1;
  }
}

static const char* readShortcut(const char* text, int* modifier, int* shortcut) {
  *modifier = *shortcut = 0;
  const size_t length = strlen(text);
  if (length == 0) return NULL;
  if (length < 2 || length > 5) return "invalid shortcut specification";
  const int bits = modifierOf(text[0]);
  if (bits < 0) return "invalid shortcut modifier";
  *modifier = bits;

  // a number after #, or the character itself
  if (text[1] == '#') return sscanf(text + 2, "%d", shortcut) == 1 ? NULL : "invalid shortcut numeric code";
  if (length > 2) return "invalid shortcut";
  *shortcut = text[1];
  return NULL;
}

static const char* readChoices(const char* text, struct mjuiItemMulti_* multi) {
  while (*text) {
    if (multi->nelem >= mjMAXUIMULTI) return "too many multi elements";

    // up to the end of its line
    const size_t length = strcspn(text, "\n");
    if (length == 0 || length >= mjMAXUINAME - 1) return "invalid multi element name";
    char* const name = multi->name[multi->nelem++];
    memcpy(name, text, length);
    name[length] = 0;

    text += length;
    if (*text == '\n') text++;
  }
  return NULL;
}

static const char* readSlider(const char* text, mjuiItem* it) {
  double number[3];
  const int count = bas_readLeading(text, number, 3);
  if (count < 2) return "slider expects 'min max [div]'";
  it->slider.range[0] = number[0];
  it->slider.range[1] = number[1];

  // integers have a division each
  double divisions = it->type == mjITEM_SLIDERINT ? number[1] - number[0] : UI_DIVISIONS;
  if (count == 3) divisions = number[2];
  it->slider.divisions = mjMAX(1, divisions);
  return NULL;
}

static const char* readEdit(const char* text, struct mjuiItemEdit_* edit) {
  double number[1 + 2 * mjMAXUIEDIT];
  const int count = bas_readLeading(text, number, 1 + 2 * mjMAXUIEDIT);
  if (count < 1) return "edit length missing";
  edit->nelem = ui_round(number[0]);
  if (edit->nelem < 1 || edit->nelem > mjMAXUIEDIT) return "invalid edit length";

  // without ranges every number will do
  if (count == 1) return NULL;
  if (count != 1 + 2 * edit->nelem) return "incorrect number of edit ranges";
  memcpy(edit->range, number + 1, (size_t)edit->nelem * sizeof(edit->range[0]));
  return NULL;
}

// what depends on the kind of item
static const char* readOther(const char* text, mjuiItem* it) {
  switch (it->type) {
    case mjITEM_BUTTON:
    case mjITEM_CHECKINT:
    case mjITEM_CHECKBYTE:
      return readShortcut(text, &it->single.modifier, &it->single.shortcut);
    case mjITEM_STATIC:
    case mjITEM_RADIO:
    case mjITEM_RADIOLINE:
    case mjITEM_SELECT:
      return readChoices(text, &it->multi);
    case mjITEM_SLIDERINT:
    case mjITEM_SLIDERNUM:
      return readSlider(text, it);
    case mjITEM_EDITINT:
    case mjITEM_EDITNUM:
    case mjITEM_EDITFLOAT:
      return readEdit(text, &it->edit);
    default:
      return NULL;
  }
}

//---------------------------------- sections and items ----------------------------------

// 1: a text of fixed size ends within it
static int ends(const char* text, size_t size) {
  return memchr(text, 0, size) != NULL;
}

static const char* addSection(mjUI* ui, const mjuiDef* def) {
  if (ui->nsect >= mjMAXUISECT) return "too many sections";
  if (!ends(def->name, mjMAXUINAME - 1)) return "section name too long";
  const int keep = def->state == mjPRESERVE;
  if (!keep && (def->state < mjSECT_CLOSED || def->state > mjSECT_FIXED)) return "invalid section state";

  // clear it, except for the states of its items, which they may keep
  mjuiSection* const s = ui->sect + ui->nsect++;
  for (int i = 0; i < mjMAXUIITEM; i++) {
    const int state = s->item[i].state;
    memset(s->item + i, 0, sizeof(mjuiItem));
    s->item[i].state = state;
  }
  memset(&s->rtitle, 0, sizeof(mjrRect));
  memset(&s->rcontent, 0, sizeof(mjrRect));
  memset(s->name, 0, sizeof(s->name));
  s->nitem = s->lastclick = 0;

  // fill in
  if (!keep) s->state = def->state;
  memcpy(s->name, def->name, strlen(def->name));
  s->checkbox = def->otherint;
  return readShortcut(def->other, &s->modifier, &s->shortcut);
}

static const char* addItem(mjUI* ui, const mjuiDef* def) {
  if (ui->nsect <= 0) return "item defined outside section";
  mjuiSection* const s = ui->sect + ui->nsect - 1;
  if (s->nitem >= mjMAXUIITEM) return "too many items in section";
  if (!ends(def->name, mjMAXUINAME)) return "item name too long";
  if (def->state < 0) return "invalid item state";

  // clear; a separator that folds may keep its state
  mjuiItem* const it = s->item + s->nitem;
  int state = def->state;
  if (def->type == mjITEM_SEPARATOR && state == mjPRESERVE) state = mjMAX(mjSEPCLOSED, it->state);
  memset(it, 0, sizeof(mjuiItem));

  // what all kinds have
  it->type = def->type;
  it->state = state;
  it->pdata = def->pdata;
  it->sectionid = ui->nsect - 1;
  it->itemid = s->nitem++;
  it->userid = def->otherint;
  memcpy(it->name, def->name, strlen(def->name));

  // kinds after the button have a variable
  const int variable = it->type > mjITEM_BUTTON;
  if (variable && !it->pdata) return "no data pointer for item with data";
  if (!variable && it->pdata) return "data pointer for item without data";
  return readOther(def->other, it);
}

static const char* addOne(mjUI* ui, const mjuiDef* def) {
  if (!ends(def->other, mjMAXUITEXT)) return "text in definition has no end";
  if (def->type == mjITEM_SECTION) return addSection(ui, def);
  return def->type >= 0 && def->type < mjNITEM ? addItem(ui, def) : "invalid item type";
}

void mjui_add(mjUI* ui, const mjuiDef* def) {
  const char* wrong = NULL;
  if (!ui || !def) wrong = ui ? "def is NULL" : "ui is NULL";
  for (; !wrong && def->type != mjITEM_END; def++) wrong = addOne(ui, def);
  if (wrong) mju_error("mjui_add: %s", wrong);
}

void mjui_addToSection(mjUI* ui, int sect, const mjuiDef* def) {
  if (!ui || !def || sect < 0 || sect >= mjMAXUISECT) {
    mju_error("mjui_addToSection: invalid section %d, or ui or def is NULL", sect);
    return;
  }

  // as if it were the last
  const int nsect = ui->nsect;
  ui->nsect = sect + 1;
  mjui_add(ui, def);
  ui->nsect = nsect;
}
