// What is under the mouse, and the places inside items that layout.c does not keep.
#include <math.h>

#include "ui/ui.h"

//---------------------------------- the mouse ----------------------------------

// (x, y) in pixels of the window, or of the interface
typedef struct {
  int x, y;
} Pixel;

// no window is larger; sums and squares of positions below it stay within int
#define UI_FARTHEST 16384.0

static Pixel mouseInWindow(const mjuiState* state) {
  return (Pixel){ui_round(mju_clip(trunc(state->x), -UI_FARTHEST, UI_FARTHEST)),
                 ui_round(mju_clip(trunc(state->y), -UI_FARTHEST, UI_FARTHEST))};
}

static Pixel mouseInInterface(const mjUI* ui, const mjuiState* state) {
  // the upper ends agree unless the interface is scrolled
  const mjrRect rect = state->rect[ui->rectid];
  const int scroll = ui->height > rect.height ? ui->scroll : 0;
  const Pixel mouse = mouseInWindow(state);
  return (Pixel){mouse.x - rect.left, mouse.y - rect.bottom - rect.height + ui->height - scroll};
}

UiPoint ui_mouseInRect(mjrRect rect, const mjUI* ui, const mjuiState* state) {
  const Pixel mouse = mouseInInterface(ui, state);
  return (UiPoint){(mouse.x - rect.left) / (double)rect.width, (mouse.y - rect.bottom) / (double)rect.height};
}

static int isInRect(Pixel p, mjrRect r) {
  return p.x >= r.left && p.x <= r.left + r.width && p.y >= r.bottom && p.y <= r.bottom + r.height;
}

// rectangle whose ends are half circles
static int isInPill(Pixel p, mjrRect r) {
  if (!isInRect(p, r)) return 0;

  // distance beyond the centres of the circles, 0 between them
  const int radius = r.height / 2;
  const int left = r.left + radius - p.x, right = p.x - (r.left + r.width - radius);
  if (left <= 0 && right <= 0) return 1;
  const int dy = p.y - r.bottom - radius;
  return (left > 0 && left * left + dy * dy < radius * radius) ||
         (right > 0 && right * right + dy * dy < radius * radius);
}

// item of an open section, -1: none
static int itemAt(Pixel p, const mjuiSection* s) {
  if (s->state == mjSECT_CLOSED || !isInRect(p, s->rcontent)) return -1;
  for (int i = 0; i < s->nitem; i++) {
    const mjuiItem* const it = s->item + i;
    if (it->type == mjITEM_BUTTON ? isInPill(p, it->rect) : isInRect(p, it->rect)) return i;
  }
  return -1;
}

UiPlace ui_placeOfMouse(const mjUI* ui, const mjuiState* state, const mjrContext* con) {
  // the scroll bar lies over the rest
  const mjrRect rect = state->rect[ui->rectid];
  if (ui->height > rect.height) {
    const Pixel p = mouseInWindow(state);
    const mjrRect thumb = ui_scrollThumb(rect, ui, con);
    const mjrRect bar = {thumb.left, rect.bottom, thumb.width, rect.height};
    if (isInRect(p, bar)) {
      if (isInRect(p, thumb)) return (UiPlace){UI_THUMB, UI_TITLE};
      return (UiPlace){p.y < thumb.bottom ? UI_BELOW_THUMB : UI_ABOVE_THUMB, UI_TITLE};
    }
  }

  // sections, first their title
  const Pixel p = mouseInInterface(ui, state);
  for (int n = 0; n < ui->nsect; n++) {
    const mjuiSection* const s = ui->sect + n;
    if (s->state < mjSECT_FIXED && isInRect(p, s->rtitle)) {
      mjrRect box = s->rtitle;
      box.width = mjMIN(box.width, box.height);
      return (UiPlace){n + 1, s->checkbox > 0 && isInRect(p, box) ? UI_CHECK : UI_TITLE};
    }
    const int item = itemAt(p, s);
    if (item >= 0) return (UiPlace){n + 1, item};
  }
  return (UiPlace){UI_NOWHERE, 0};
}

mjrRect ui_scrollThumb(mjrRect rect, const mjUI* ui, const mjrContext* con) {
  // the part of the interface that is shown, as a part of the bar
  const int width = ui_scale(ui->spacing.scroll, con);
  const double first = ui->scroll / (double)ui->height, last = (ui->scroll + rect.height) / (double)ui->height;
  return (mjrRect){
      .left = rect.left + rect.width - width,
      .bottom = rect.bottom + ui_round(rect.height * (1 - last)),
      .width = width,
      .height = ui_round(rect.height * (last - first)),
  };
}

//---------------------------------- choices ----------------------------------

int ui_radioColumns(const mjUI* ui) {
  return ui->radiocol ? ui->radiocol : UI_RADIO_COLUMNS;
}

int ui_radioRows(const mjuiItem* it, const mjUI* ui) {
  return (it->multi.nelem - 1) / ui_radioColumns(ui) + 1;
}

mjrRect ui_radioRect(const mjuiItem* it, int choice, const mjUI* ui, const mjrContext* con) {
  const UiSizes size = ui_sizes(ui, con);
  const int ncol = ui_radioColumns(ui), row = choice / ncol, col = choice % ncol;
  const int width = (it->rect.width - (ncol - 1) * size.itemmid) / ncol;
  mjrRect r = {
      .left = it->rect.left + col * (width + size.itemmid),
      .bottom = it->rect.bottom + (ui_radioRows(it, ui) - 1 - row) * size.line,
      .width = width,
      .height = size.line,
  };

  // the last column takes what division left
  if (col == ncol - 1) r.width = it->rect.left + it->rect.width - r.left;
  return r;
}

// a part in [0, 1] of n cells as the cell it is in; outside, the nearest
static int cellAt(double part, int n) {
  return mjMAX(0, mjMIN(ui_round(floor(part * n)), n - 1));
}

int ui_choiceOfRadio(const mjuiItem* it, const mjUI* ui, const mjuiState* state) {
  const UiPoint mouse = ui_mouseInRect(it->rect, ui, state);
  const int ncol = ui_radioColumns(ui);
  const int choice = cellAt(1 - mouse.y, ui_radioRows(it, ui)) * ncol + cellAt(mouse.x, ncol);
  return choice < it->multi.nelem ? choice : -1;
}

void ui_lineStops(const mjuiItem* it, const mjrContext* con, int* stop) {
  // width of the texts
  const int n = it->multi.nelem;
  int text = 0;
  for (int i = 0; i < n; i++) text += ui_textWidth(it->multi.name[i], mjMAXUINAME, con);

  // what is left goes to all alike, in whole pixels
  const double gap = (it->rect.width - text) / (double)mjMAX(1, n);
  stop[0] = 0;
  for (int i = 0; i < n; i++) {
    const int width = ui_textWidth(it->multi.name[i], mjMAXUINAME, con);
    stop[i + 1] = stop[i] + width + ui_round((i + 1) * gap) - ui_round(i * gap);
  }
  if (n > 0) stop[n] = it->rect.width;
}

int ui_choiceOfLine(const mjuiItem* it, const mjUI* ui, const mjuiState* state, const mjrContext* con) {
  int stop[mjMAXUIMULTI + 1];
  ui_lineStops(it, con, stop);
  const int x = ui_round(ui_mouseInRect(it->rect, ui, state).x * it->rect.width);
  for (int i = 0; i < it->multi.nelem; i++) {
    if (x >= stop[i] && x < stop[i + 1]) return i;
  }
  return -1;
}

int ui_choiceOfSelect(const mjuiItem* it, const mjUI* ui, const mjuiState* state, const mjrContext* con) {
  // its list opens below it while the mouse is held
  if (it->type != mjITEM_SELECT || ui->mousesect <= 0 || ui->mouseitem < 0) return -1;
  mjrRect list = it->rect;
  list.height = it->multi.nelem * ui_sizes(ui, con).line;
  list.bottom -= list.height;

  const UiPoint mouse = ui_mouseInRect(list, ui, state);
  if (!(mouse.x > 0 && mouse.x < 1 && mouse.y > 0 && mouse.y < 1)) return -1;
  return it->multi.nelem - 1 - cellAt(mouse.y, it->multi.nelem);
}
