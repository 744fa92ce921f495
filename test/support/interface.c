// See interface.h.
#include "support/interface.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// category c is enabled unless its bit is set in the program's data
static int enabled(int category, void* data) {
  return category >= mjSEPCLOSED || !((*(const int*)data >> category) & 1);
}

Itf* itf_make(int spacing, int color) {
  static int disabled = 1 << 3;
  Itf* const itf = calloc(1, sizeof(Itf));
  itf->ui.spacing = mjui_themeSpacing(spacing);
  itf->ui.color = mjui_themeColor(color);
  itf->ui.predicate = enabled;
  itf->ui.userdata = &disabled;
  itf->ui.rectid = 1;
  itf->state.nrect = 2;
  itf->state.rect[0] = (mjrRect){0, 0, 800, 600};
  itf->state.rect[1] = (mjrRect){0, 0, itf->ui.spacing.total, 600};
  itf->def[0].type = mjITEM_END;
  return itf;
}

//---------------------------------- definitions ----------------------------------

static void writeName(char name[mjMAXUINAME], Rnd* rnd, int longest) {
  const int length = rnd_below(rnd, longest + 1);
  for (int i = 0; i < length; i++) name[i] = (char)(' ' + 1 + rnd_below(rnd, 94));
  name[length] = 0;
}

static void writeShortcut(char* other, Rnd* rnd) {
  const char modifier = " CSA"[rnd_below(rnd, 4)];
  switch (rnd_below(rnd, 3)) {
    case 0:
      sprintf(other, "%c%c", modifier, 'A' + rnd_below(rnd, 26));
      break;
    case 1:
      sprintf(other, "%c#%d", modifier, mjKEY_ESCAPE + rnd_below(rnd, 46));
      break;
    default:
      other[0] = 0;
  }
}

// `least` to eight choices
static int writeChoices(char* other, Rnd* rnd, int least) {
  const int n = least + rnd_below(rnd, 9 - least);
  other[0] = 0;
  for (int i = 0; i < n; i++) {
    char name[mjMAXUINAME];
    do writeName(name, rnd, 12);
    while (!name[0]);
    sprintf(other + strlen(other), "%s%s", i ? "\n" : "", name);
  }
  return n;
}

static int writeEdit(char* other, Rnd* rnd) {
  const int n = 1 + rnd_below(rnd, mjMAXUIEDIT);
  sprintf(other, "%d", n);
  const int ranges = rnd_below(rnd, 2);
  for (int i = 0; i < n && ranges; i++) {
    // one after the other: the same on every machine
    const int high = rnd_below(rnd, 200), low = -rnd_below(rnd, 20);
    sprintf(other + strlen(other), " %d %d", low, high);
  }
  return n;
}

static void defineItem(mjuiDef* def, ItfVariable* v, Rnd* rnd) {
  def->type = rnd_below(rnd, mjNITEM);
  def->state = rnd_below(rnd, 5);
  def->otherint = rnd_below(rnd, 100);
  writeName(def->name, rnd, rnd_below(rnd, 3) ? 12 : mjMAXUINAME - 1);
  for (int i = 0; i < mjMAXUIEDIT; i++) {
    v->i[i] = rnd_below(rnd, 2);
    v->n[i] = rnd_uniform(rnd, -10, 100);
    v->f[i] = (float)rnd_uniform(rnd, -10, 100);
  }
  writeName(v->text, rnd, 20);

  // variable and text by kind
  static const int BYTES[] = {[mjITEM_CHECKBYTE] = 3,
                              [mjITEM_SLIDERNUM] = 1,
                              [mjITEM_EDITNUM] = 1,
                              [mjITEM_EDITFLOAT] = 2,
                              [mjITEM_EDITTXT] = 4};
  void* const pointer[] = {v->i, v->n, v->f, &v->b, v->text};
  if (def->type > mjITEM_BUTTON) def->pdata = pointer[BYTES[def->type]];
  switch (def->type) {
    case mjITEM_SEPARATOR:
      def->state = rnd_below(rnd, 2) ? 1 : mjSEPCLOSED + rnd_below(rnd, 2);
      break;
    case mjITEM_BUTTON:
    case mjITEM_CHECKINT:
    case mjITEM_CHECKBYTE:
      writeShortcut(def->other, rnd);
      break;
    case mjITEM_STATIC:
      writeChoices(def->other, rnd, 0);
      break;
    case mjITEM_RADIO:
    case mjITEM_RADIOLINE:
    case mjITEM_SELECT:
      v->i[0] = rnd_below(rnd, writeChoices(def->other, rnd, 1));
      break;
    case mjITEM_SLIDERINT:
    case mjITEM_SLIDERNUM: {
      const int third = rnd_below(rnd, 40), high = rnd_below(rnd, 50), low = -rnd_below(rnd, 10);
      sprintf(def->other, rnd_below(rnd, 2) ? "%d %d" : "%d %d %d", low, high, third);
      break;
    }
    case mjITEM_EDITTXT:
      break;
    default:
      writeEdit(def->other, rnd);
  }
}

void itf_define(Itf* itf, Rnd* rnd, int nsect, int nitem) {
  mjuiDef* def = itf->def;
  ItfVariable* v = itf->variable;
  for (int n = 0; n < nsect; n++, def++) {
    memset(def, 0, sizeof(*def));
    def->type = mjITEM_SECTION;
    def->state = rnd_below(rnd, 4) ? mjSECT_OPEN : rnd_below(rnd, 3);
    def->otherint = rnd_below(rnd, 3);
    writeName(def->name, rnd, 20);
    writeShortcut(def->other, rnd);
    const int n1 = rnd_below(rnd, nitem + 1);
    for (int i = 0; i < n1 && v < itf->variable + ITF_ITEM; i++, v++) {
      def++;
      memset(def, 0, sizeof(*def));

      // neighbours of one kind are placed side by side
      defineItem(def, v, rnd);
      if (def[-1].type == mjITEM_BUTTON && rnd_below(rnd, 2)) {
        def->type = mjITEM_BUTTON;
        def->pdata = NULL;
        def->other[0] = 0;
      }
    }
  }
  memset(def, 0, sizeof(*def));
  def->type = mjITEM_END;
}

//---------------------------------- events ----------------------------------

// a point of the window on a random item or title
static void aim(Itf* itf, Rnd* rnd) {
  const mjUI* const ui = &itf->ui;
  const mjuiSection* const s = ui->sect + rnd_below(rnd, ui->nsect);
  mjrRect r = s->rtitle;
  const int item = rnd_below(rnd, mjMAXUIITEM) % mjMAX(1, s->nitem);
  if (s->state && s->nitem && !s->item[item].skip && rnd_below(rnd, 12)) r = s->item[item].rect;
  const mjrRect window = itf->state.rect[ui->rectid];
  const int scroll = ui->height > window.height ? ui->scroll : 0;
  itf->state.x = window.left + r.left + rnd_uniform(rnd, -3, r.width + 3);
  itf->state.y = window.bottom + window.height - ui->height + scroll + r.bottom + rnd_uniform(rnd, -3, r.height + 3);
}

static int randomKey(Rnd* rnd) {
  static const int KEYS[] = {mjKEY_ESCAPE, mjKEY_ENTER, mjKEY_LEFT, mjKEY_RIGHT, mjKEY_HOME, mjKEY_END, mjKEY_BACKSPACE,
                             mjKEY_DELETE, mjKEY_TAB,   '-',        '.',         'E',        '=',       ' ',
                             '\\',         '\''};
  switch (rnd_below(rnd, 6)) {
    case 0:
      return KEYS[rnd_below(rnd, sizeof(KEYS) / sizeof(KEYS[0]))];
    case 1:
      return 'A' + rnd_below(rnd, 26);
    case 2:
      return mjKEY_ESCAPE + rnd_below(rnd, 80);
    case 3:
      return ' ' + rnd_below(rnd, 94);
    default:
      return '0' + rnd_below(rnd, 10);
  }
}

void itf_event(Itf* itf, Rnd* rnd) {
  mjuiState* const state = &itf->state;
  const mjrRect window = state->rect[itf->ui.rectid];
  static const int TYPES[] = {mjEVENT_MOVE,    mjEVENT_PRESS,  mjEVENT_PRESS, mjEVENT_RELEASE,
                              mjEVENT_RELEASE, mjEVENT_KEY,    mjEVENT_KEY,   mjEVENT_KEY,
                              mjEVENT_SCROLL,  mjEVENT_RESIZE, mjEVENT_REDRAW};
  state->type = TYPES[rnd_below(rnd, sizeof(TYPES) / sizeof(TYPES[0]))];

  if (itf->ui.editsect && rnd_below(rnd, 4)) state->type = mjEVENT_KEY;

  // mouse
  const double x = state->x, y = state->y;
  if (itf->ui.nsect && rnd_below(rnd, 3)) {
    aim(itf, rnd);
  } else {
    state->x = window.left + rnd_uniform(rnd, -10, window.width + 10);
    state->y = window.bottom + rnd_uniform(rnd, -10, window.height + 10);
  }
  state->dx = state->x - x;
  state->dy = state->y - y;
  state->sx = 0;
  state->sy = rnd_uniform(rnd, -3, 3);
  state->button = rnd_below(rnd, 10) ? mjBUTTON_LEFT : rnd_below(rnd, 4);
  state->doubleclick = rnd_below(rnd, 10) == 0;

  // keyboard
  state->key = randomKey(rnd);
  state->control = rnd_below(rnd, 5) == 0;
  state->shift = rnd_below(rnd, 4) == 0;
  state->alt = rnd_below(rnd, 8) == 0;

  // window of another height
  if (state->type == mjEVENT_RESIZE) state->rect[itf->ui.rectid].height = 100 + rnd_below(rnd, 900);
}

//---------------------------------- comparison ----------------------------------

int itf_index(const Itf* itf, const mjuiItem* it) {
  if (!it) return -1;
  const ptrdiff_t bytes = (const char*)it - (const char*)&itf->ui;
  return (int)(bytes / (ptrdiff_t)sizeof(mjuiItem));
}

// pointer of b at the place where it would be in a
static void* moved(void* pointer, const Itf* a, const Itf* b) {
  const char* const p = pointer;
  const int inside = p >= (const char*)b && p < (const char*)(b + 1);
  return inside ? (char*)(uintptr_t)a + (p - (const char*)b) : pointer;
}

static char message[300];

static const char* differItem(const Itf* a, const Itf* b, int n, int i) {
  const mjuiItem* const x = a->ui.sect[n].item + i;
  mjuiItem y = b->ui.sect[n].item[i];
  y.pdata = moved(y.pdata, a, b);
  if (!memcmp(x, &y, sizeof(y))) return NULL;
  snprintf(message, sizeof(message),
           "item %d of section %d: type %d %d, state %d %d, rect %d %d %d %d and %d %d %d %d, skip %d %d", i, n,
           x->type, y.type, x->state, y.state, x->rect.left, x->rect.bottom, x->rect.width, x->rect.height, y.rect.left,
           y.rect.bottom, y.rect.width, y.rect.height, x->skip, y.skip);
  return message;
}

// everything of a section but its items
static const char* differSection(const Itf* a, const Itf* b, int n) {
  const mjuiSection* const x = a->ui.sect + n;
  const mjuiSection* const y = b->ui.sect + n;
  const size_t before = offsetof(mjuiSection, item), after = offsetof(mjuiSection, rtitle);
  const int same = !memcmp(x, y, before) && !memcmp(&x->rtitle, &y->rtitle, sizeof(*x) - after);
  if (same) return NULL;
  snprintf(message, sizeof(message), "section %d: state %d %d, items %d %d, title at %d %d, contents at %d %d", n,
           x->state, y->state, x->nitem, y->nitem, x->rtitle.bottom, y->rtitle.bottom, x->rcontent.bottom,
           y->rcontent.bottom);
  return message;
}

// everything of an interface but its sections; what stands behind the end of the text does not count
static const char* differHead(const Itf* a, const Itf* b) {
  const size_t size = offsetof(mjUI, sect), text = offsetof(mjUI, edittext), after = offsetof(mjUI, nsect);
  const mjUI* const x = &a->ui;
  const mjUI* const y = &b->ui;
  const int same = !memcmp(x, y, text) && !strcmp(x->edittext, y->edittext) &&
                   x->editchanged == moved(y->editchanged, a, b) && !memcmp(&x->nsect, &y->nsect, size - after);
  if (same) return NULL;
  snprintf(message, sizeof(message),
           "size %d %d %d and %d %d %d, scroll %d %d, mouse %d/%d %d/%d, edit %d/%d %d/%d, cursor %d+%d %d+%d, "
           "%.30s|%.30s",
           x->width, x->height, x->maxheight, y->width, y->height, y->maxheight, x->scroll, y->scroll, x->mousesect,
           x->mouseitem, y->mousesect, y->mouseitem, x->editsect, x->edititem, y->editsect, y->edititem, x->editscroll,
           x->editcursor, y->editscroll, y->editcursor, x->edittext, y->edittext);
  return message;
}

const char* itf_differ(const Itf* a, const Itf* b) {
  const char* wrong = differHead(a, b);
  for (int n = 0; n < a->ui.nsect && !wrong; n++) {
    wrong = differSection(a, b, n);
    for (int i = 0; i < a->ui.sect[n].nitem && !wrong; i++) wrong = differItem(a, b, n, i);
  }
  if (!wrong && memcmp(&a->state, &b->state, sizeof(mjuiState))) wrong = "state";
  if (!wrong && memcmp(a->variable, b->variable, sizeof(a->variable))) wrong = "variables";
  return wrong;
}

void itf_font(mjrContext* con, int fontscale) {
  memset(con, 0, sizeof(*con));
  con->fontScale = fontscale;
  con->charHeight = 14 * fontscale / 100;
  con->charHeightBig = 20 * fontscale / 100;
  for (int i = ' '; i < 127; i++) {
    con->charWidth[i] = (4 + i * 7 % 6) * fontscale / 100;
    con->charWidthBig[i] = (6 + i * 7 % 8) * fontscale / 100;
  }
}
