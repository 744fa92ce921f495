// Widgets: see ui.h.
#include "view/ui.h"

#include <mujoco/mujoco.h>
#include <stdio.h>

#include "view/keys.h"

const ViwColor VIW_TEXT = {226, 229, 234, 255}, VIW_DIM = {150, 156, 166, 255}, VIW_ACCENT = {72, 148, 240, 255},
               VIW_PANEL = {24, 27, 32, 226}, VIW_WIDGET = {52, 57, 66, 255}, VIW_HOVER = {70, 77, 90, 255},
               VIW_BAD = {240, 92, 84, 255}, VIW_GOOD = {96, 200, 120, 255};

enum { ROW = 22, PAD = 8, GAP = 3 };

//---------------------------------- the mouse ----------------------------------

static int inside(const ViwUi* ui, ViwRect r) {
  const float x = ui->in->x, y = ui->in->y;
  return x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
}

// inside a widget, and inside the part of its panel that is seen
static int over(const ViwUi* ui, ViwRect r) {
  return inside(ui, r) && (ui->panel.w <= 0 || inside(ui, ui->panel));
}

void viw_uiCovers(ViwUi* ui, ViwRect rect) {
  if (ui->ncover < (int)(sizeof(ui->cover) / sizeof(ui->cover[0]))) ui->cover[ui->ncover++] = rect;
}

int viw_uiHasMouse(const ViwUi* ui) {
  for (int i = 0; i < ui->ncover && ui->in; i++) {
    if (inside(ui, ui->cover[i])) return 1;
  }
  return 0;
}

unsigned viw_uiId(const ViwUi* ui, const char* text) {
  unsigned hash = 2166136261u ^ ui->section;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 16777619u;
  return hash | 1;
}

int viw_uiPress(ViwUi* ui, unsigned id, ViwRect rect) {
  const int here = over(ui, rect);
  if (here && !ui->held) ui->hot = id;
  if (here && ui->in->pressed[0] && !ui->held) ui->held = id;
  return ui->held == id && ui->in->released[0] && here;
}

int viw_uiDrag(ViwUi* ui, unsigned id, ViwRect rect) {
  const int here = over(ui, rect);
  if (here && !ui->held) ui->hot = id;
  if (here && ui->in->pressed[0] && !ui->held) ui->held = id;
  return ui->held == id && (ui->in->down[0] || ui->in->released[0]);
}

void viw_uiBegin(ViwUi* ui, ViwCanvas* canvas, const ViwInput* in, float unit) {
  ui->canvas = canvas;
  ui->in = in;
  ui->unit = unit;
  ui->hot = 0;
  ui->ncover = 0;
  ui->section = 0;
  ui->panel = (ViwRect){0};
  if (in->pressed[0]) ui->edited = 0;
}

void viw_uiEnd(ViwUi* ui) {
  if (!ui->in->down[0]) ui->held = 0;
  viw_clip(ui->canvas, (ViwRect){0, 0, 1e6f, 1e6f});
}

//---------------------------------- panels ----------------------------------

void viw_uiOpenPanel(ViwUi* ui, ViwRect rect, float* scroll) {
  const float pad = PAD * ui->unit;
  viw_clip(ui->canvas, rect);
  viw_rect(ui->canvas, rect, VIW_PANEL);
  viw_uiCovers(ui, rect);
  ui->panel = rect;
  if (inside(ui, rect)) *scroll -= 3 * ROW * ui->unit * ui->in->wheel;
  if (*scroll < 0) *scroll = 0;
  ui->scroll = scroll;
  ui->x = rect.x + pad;
  ui->contentTop = rect.y + pad - *scroll;
  ui->y = ui->contentTop;
  ui->width = rect.w - 2 * pad;
}

void viw_uiClosePanel(ViwUi* ui) {
  // not further than the last row; a bar shows where it is
  const float height = ui->y - ui->contentTop + 2 * PAD * ui->unit, most = height - ui->panel.h;
  if (most > 0) {
    const float bar = ui->panel.h * ui->panel.h / height, at = (ui->panel.h - bar) * (*ui->scroll / most);
    viw_rect(ui->canvas, (ViwRect){ui->panel.x + ui->panel.w - 3 * ui->unit, ui->panel.y + at, 3 * ui->unit, bar},
             VIW_HOVER);
  }
  if (*ui->scroll > most) *ui->scroll = most > 0 ? most : 0;
  ui->panel = (ViwRect){0};
  ui->section = 0;
  viw_clip(ui->canvas, (ViwRect){0, 0, 1e6f, 1e6f});
}

static ViwRect nextRow(ViwUi* ui, float height) {
  const ViwRect row = {ui->x, ui->y, ui->width, height};
  ui->y += height + GAP * ui->unit;
  return row;
}

ViwRect viw_uiSpace(ViwUi* ui, float height) {
  return nextRow(ui, height * ui->unit);
}

// 1: a row lies outside of what is seen, so that nothing needs to be drawn
static int hidden(const ViwUi* ui, ViwRect r) {
  return r.y + r.h < ui->panel.y || r.y > ui->panel.y + ui->panel.h;
}

// text in the middle of a row's height
static void textIn(ViwUi* ui, ViwRect r, const char* text, ViwColor color, float width) {
  char part[160];
  viw_fitText(ui->canvas, text, width, part, sizeof(part));
  viw_text(ui->canvas, r.x, r.y + 0.5f * (r.h - viw_lineHeight(ui->canvas)), part, color);
}

static void button(ViwUi* ui, ViwRect r, unsigned id, const char* text) {
  const ViwColor color = ui->held == id ? VIW_ACCENT : ui->hot == id ? VIW_HOVER : VIW_WIDGET;
  viw_rect(ui->canvas, r, color);
  const float width = viw_textWidth(ui->canvas, text), room = r.w - 4 * ui->unit;
  const ViwRect at = {r.x + 0.5f * (r.w - fminf(width, room)), r.y, r.w, r.h};
  textIn(ui, at, text, VIW_TEXT, room);
}

//---------------------------------- widgets ----------------------------------

int viw_uiSection(ViwUi* ui, const char* title, int* open) {
  ui->y += 4 * ui->unit;
  const ViwRect r = nextRow(ui, (ROW + 2) * ui->unit);
  ui->section = 0;
  const unsigned id = viw_uiId(ui, title);
  if (viw_uiPress(ui, id, r)) *open = !*open;
  viw_rect(ui->canvas, r, ui->hot == id ? VIW_HOVER : (ViwColor){40, 45, 54, 255});
  viw_rect(ui->canvas, (ViwRect){r.x, r.y, 2 * ui->unit, r.h}, *open ? VIW_ACCENT : VIW_DIM);
  textIn(ui, (ViwRect){r.x + 9 * ui->unit, r.y, r.w, r.h}, title, VIW_TEXT, r.w - 30 * ui->unit);
  textIn(ui, (ViwRect){r.x + r.w - 16 * ui->unit, r.y, r.w, r.h}, *open ? "-" : "+", VIW_DIM, 30 * ui->unit);
  ui->section = id;
  return *open;
}

void viw_uiLabel(ViwUi* ui, const char* text, ViwColor color) {
  const ViwRect r = nextRow(ui, (ROW - 4) * ui->unit);
  if (!hidden(ui, r)) textIn(ui, r, text, color, r.w);
}

int viw_uiButtons(ViwUi* ui, const char* const* text, int n) {
  const ViwRect r = nextRow(ui, ROW * ui->unit);
  const float gap = GAP * ui->unit, width = (r.w - gap * (float)(n - 1)) / (float)n;
  int pressed = -1;
  for (int i = 0; i < n; i++) {
    const ViwRect one = {r.x + (float)i * (width + gap), r.y, width, r.h};
    const unsigned id = viw_uiId(ui, text[i]);
    if (viw_uiPress(ui, id, one)) pressed = i;
    if (!hidden(ui, r)) button(ui, one, id, text[i]);
  }
  return pressed;
}

int viw_uiButton(ViwUi* ui, const char* text) {
  return viw_uiButtons(ui, &text, 1) == 0;
}

int viw_uiCheck(ViwUi* ui, const char* text, int* on) {
  const ViwRect r = nextRow(ui, (ROW - 3) * ui->unit);
  const unsigned id = viw_uiId(ui, text);
  const int used = viw_uiPress(ui, id, r);
  if (used) *on = !*on;
  if (hidden(ui, r)) return used;
  const float side = 13 * ui->unit;
  const ViwRect box = {r.x, r.y + 0.5f * (r.h - side), side, side};
  viw_rect(ui->canvas, box, ui->hot == id ? VIW_HOVER : VIW_WIDGET);
  if (*on) {
    const float in = 3 * ui->unit;
    viw_rect(ui->canvas, (ViwRect){box.x + in, box.y + in, side - 2 * in, side - 2 * in}, VIW_ACCENT);
  }
  const float left = side + 7 * ui->unit;
  textIn(ui, (ViwRect){r.x + left, r.y, r.w, r.h}, text, VIW_TEXT, r.w - left);
  return used;
}

int viw_uiSlider(ViwUi* ui, const char* text, double* value, double low, double high) {
  const ViwRect r = nextRow(ui, (ROW - 2) * ui->unit);
  const unsigned id = viw_uiId(ui, text);
  const double before = *value;
  if (viw_uiDrag(ui, id, r)) {
    const double t = (double)((ui->in->x - r.x) / r.w);
    *value = low + (high - low) * (t < 0 ? 0 : t > 1 ? 1 : t);
  }
  // the right button sets what is nearest to nothing
  if (over(ui, r) && ui->in->pressed[1]) *value = low > 0 ? low : high < 0 ? high : 0;
  if (!hidden(ui, r)) {
    const float t = high > low ? (float)((*value - low) / (high - low)) : 0;
    viw_rect(ui->canvas, r, ui->hot == id || ui->held == id ? VIW_HOVER : VIW_WIDGET);
    const ViwColor fill = {44, 92, 152, 255};
    viw_rect(ui->canvas, (ViwRect){r.x, r.y, r.w * (t < 0 ? 0 : t > 1 ? 1 : t), r.h}, fill);
    char number[32];
    snprintf(number, sizeof(number), "%.4g", *value);
    const float pad = 5 * ui->unit, width = viw_textWidth(ui->canvas, number);
    textIn(ui, (ViwRect){r.x + pad, r.y, r.w, r.h}, text, VIW_TEXT, r.w - width - 3 * pad);
    textIn(ui, (ViwRect){r.x + r.w - width - pad, r.y, r.w, r.h}, number, VIW_TEXT, 2 * width);
  }
  return *value != before;
}

int viw_uiChoice(ViwUi* ui, const char* text, int* choice, const char* const* names, int n) {
  const ViwRect r = nextRow(ui, ROW * ui->unit);
  const unsigned id = viw_uiId(ui, text);
  const float pad = 5 * ui->unit, label = 0.42f * r.w;
  const ViwRect value = {r.x + label, r.y, r.w - label, r.h};
  const int used = viw_uiPress(ui, id, value);
  // the left half goes back, the right half goes on
  if (used && n > 0) *choice = (*choice + (ui->in->x < value.x + 0.3f * value.w ? n - 1 : 1)) % n;
  if (hidden(ui, r)) return used;
  textIn(ui, r, text, VIW_TEXT, label - pad);
  viw_rect(ui->canvas, value, ui->hot == id ? VIW_HOVER : VIW_WIDGET);
  textIn(ui, (ViwRect){value.x + pad, r.y, r.w, r.h}, "<", VIW_DIM, value.w);
  textIn(ui, (ViwRect){value.x + value.w - 2.6f * pad, r.y, r.w, r.h}, ">", VIW_DIM, value.w);
  const char* const name = *choice >= 0 && *choice < n ? names[*choice] : "?";
  const float room = value.w - 7 * pad, width = fminf(viw_textWidth(ui->canvas, name), room);
  textIn(ui, (ViwRect){value.x + 0.5f * (value.w - width), r.y, r.w, r.h}, name, VIW_TEXT, room);
  return used;
}

//---------------------------------- text ----------------------------------

// what was typed into a field; 1: Enter
static int typeInto(const ViwInput* in, char* value, int size) {
  size_t n = strlen(value);
  for (const char* c = in->text; *c && (int)n + 1 < size; c++) value[n++] = *c;
  value[n] = 0;
  int done = 0;
  for (int i = 0; i < in->nkey; i++) {
    if (in->key[i] == VIW_KEY_BACKSPACE && n) value[--n] = 0;
    if (in->key[i] == VIW_KEY_ENTER) done = 1;
  }
  return done;
}

int viw_uiText(ViwUi* ui, const char* text, char* value, int size) {
  const ViwRect r = nextRow(ui, ROW * ui->unit);
  const unsigned id = viw_uiId(ui, text);
  const float pad = 5 * ui->unit, label = 0.3f * r.w;
  const ViwRect field = {r.x + label, r.y, r.w - label, r.h};
  if (viw_uiPress(ui, id, field)) ui->edited = id;
  int done = 0;
  if (ui->edited == id) done = typeInto(ui->in, value, size);
  if (done) ui->edited = 0;
  if (hidden(ui, r)) return done;
  textIn(ui, r, text, VIW_TEXT, label - pad);
  viw_rect(ui->canvas, field, VIW_WIDGET);
  if (ui->edited == id) viw_frame(ui->canvas, field, ui->unit, VIW_ACCENT);
  char shown[160];
  snprintf(shown, sizeof(shown), "%.128s%s", value, ui->edited == id ? "|" : "");
  const float width = viw_textWidth(ui->canvas, shown), room = field.w - 2 * pad;
  // the end is what is typed at
  const char* from = shown;
  while (*from && viw_textWidth(ui->canvas, from) > room) from++;
  textIn(ui, (ViwRect){field.x + pad, r.y, r.w, r.h}, width > room ? from : shown, VIW_TEXT, room + pad);
  return done;
}
