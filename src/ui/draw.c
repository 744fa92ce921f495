// Drawing: shapes and text with OpenGL, sections, and the interface's picture on the window. Everything is drawn once
// into an auxiliary buffer and again only when it changes; each frame copies the part that is in view.
#include <math.h>
#include <stdio.h>

#include "render/render.h"
#include "ui/ui.h"

// chords of a round corner, and of the half circle at the end of a pill
#define UI_CORNER_CHORDS 10
#define UI_PILL_CHORDS   15

//---------------------------------- shapes ----------------------------------

static void corner(int x, int y) {
  gl.Vertex2f((float)x, (float)y);
}

// corners of a rectangle that is smaller by a margin on all sides
static void quad(mjrRect r, int margin) {
  const int left = r.left + margin, right = r.left + r.width - margin;
  const int bottom = r.bottom + margin, top = r.bottom + r.height - margin;
  gl.Begin(GL_QUADS);
  corner(left, bottom);
  corner(right, bottom);
  corner(right, top);
  corner(left, top);
  gl.End();
}

void ui_drawRect(const UiCanvas* canvas, mjrRect rect, const float* rgb, const float* inside) {
  gl.Color3fv(rgb);
  quad(rect, 0);
  if (!inside) return;
  gl.Color3fv(inside);
  quad(rect, ui_scale(UI_BORDER, canvas->con));
}

void ui_drawGradient(mjrRect rect, const float* below, const float* above) {
  const int right = rect.left + rect.width, top = rect.bottom + rect.height;
  gl.Begin(GL_QUADS);
  gl.Color3fv(below);
  corner(rect.left, rect.bottom);
  corner(right, rect.bottom);
  gl.Color3fv(above);
  corner(right, top);
  corner(rect.left, top);
  gl.End();
}

// points of a circle from one angle over a number of chords to another
static void arc(double x, double y, double radius, double from, double to, int chords) {
  for (int i = 0; i <= chords; i++) {
    const double angle = from + (to - from) * i / chords;
    gl.Vertex2f((float)(x + radius * cos(angle)), (float)(y + radius * sin(angle)));
  }
}

void ui_drawPill(const UiCanvas* canvas, mjrRect rect, const float* rgb, const float* inside) {
  if (rect.height > rect.width) return;
  const double half = 0.5 * rect.height, y = rect.bottom + half;
  const double left = rect.left + half, right = rect.left + rect.width - half;

  // twice where there is another colour inside
  for (int layer = 0; layer < (inside ? 2 : 1); layer++) {
    const double radius = half - layer * ui_scale(UI_BORDER, canvas->con);
    gl.Color3fv(layer ? inside : rgb);
    gl.Begin(GL_POLYGON);
    arc(left, y, radius, 0.5 * mjPI, 1.5 * mjPI, UI_PILL_CHORDS);
    arc(right, y, radius, 1.5 * mjPI, 2.5 * mjPI, UI_PILL_CHORDS);
    gl.End();
  }
}

void ui_drawCorners(const UiCanvas* canvas, mjrRect rect, double radius, const float* background, int first) {
  if (radius == 0) return;
  radius *= 0.01 * canvas->con->fontScale;
  gl.Color3fv(background);

  // from lower left counter-clockwise; each fan lies between its corner and the quarter of a circle inside
  for (int i = first; i < 4; i++) {
    const int right = i == 1 || i == 2, upper = i >= 2;
    const double x = rect.left + right * rect.width, y = rect.bottom + upper * rect.height;
    const double start = mjPI + 0.5 * mjPI * i;
    gl.Begin(GL_TRIANGLE_FAN);
    gl.Vertex2f((float)x, (float)y);
    arc(x + (right ? -radius : radius), y + (upper ? -radius : radius), radius, start, start + 0.5 * mjPI,
        UI_CORNER_CHORDS);
    gl.End();
  }
}

void ui_drawFold(const UiCanvas* canvas, mjrRect rect, double size, int open, const float* background) {
  const int x = rect.left + rect.width - canvas->size.texthor, y = rect.bottom + rect.height / 2;
  const int d = ui_round(canvas->con->charHeight * size);

  // full triangle
  gl.Color3fv(canvas->ui->color.sectsymbol);
  gl.Begin(GL_TRIANGLES);
  corner(x, open ? y + d : y - d);
  corner(open ? x - 2 * d : x, y + d);
  corner(open ? x - d : x - 2 * d, open ? y - d : y);
  gl.End();
  if (open) return;

  // hole with sides at the same distance all round
  const double border = 0.015 * canvas->con->fontScale, slant = 0.5 * sqrt(5.0) * border;
  const double half = d - slant - 0.5 * border;
  gl.Color3fv(background);
  gl.Begin(GL_TRIANGLES);
  gl.Vertex2f((float)(x - border), (float)(y - half));
  gl.Vertex2f((float)(x - border), (float)(y + half));
  gl.Vertex2f((float)(x - 2 * d + 2 * slant), (float)y);
  gl.End();
}

//---------------------------------- text ----------------------------------

void ui_drawText(const UiCanvas* canvas, const char* text, int left, int bottom, int width, const float* rgb) {
  int n = 0;
  while (text[n] && ui_textWidth(text, n + 1, canvas->con) < width) n++;
  ren_drawText2D((RenText){text, n, mjFONT_NORMAL}, left, bottom, rgb, canvas->con);
}

// names of keys without a character of their own
static const struct {
  int key;
  const char* name;
} KEYS[] = {
    {' ',             "Space"    },
    {mjKEY_ESCAPE,    "Esc"      },
    {mjKEY_ENTER,     "Enter"    },
    {mjKEY_TAB,       "Tab"      },
    {mjKEY_BACKSPACE, "BackSpace"},
    {mjKEY_INSERT,    "Ins"      },
    {mjKEY_DELETE,    "Del"      },
    {mjKEY_RIGHT,     "Right"    },
    {mjKEY_LEFT,      "Left"     },
    {mjKEY_DOWN,      "Down"     },
    {mjKEY_UP,        "Up"       },
    {mjKEY_PAGE_UP,   "PgUp"     },
    {mjKEY_PAGE_DOWN, "PgDn"     },
    {mjKEY_HOME,      "Home"     },
    {mjKEY_END,       "End"      },
};

// key and modifier in words
static void nameShortcut(char text[32], int modifier, int shortcut) {
  static const char* const MODIFIER[] = {"", "Ctrl ", "Shift ", "", "Alt "};
  const char* const prefix = modifier >= 0 && modifier <= 4 ? MODIFIER[modifier] : "";
  if (shortcut > ' ' && shortcut < 127) {
    snprintf(text, 32, "%s%c", prefix, shortcut);
    return;
  }
  if (shortcut >= mjKEY_F1 && shortcut <= mjKEY_F12) {
    snprintf(text, 32, "%sF%d", prefix, shortcut - mjKEY_F1 + 1);
    return;
  }
  const char* name = "";
  for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++) {
    if (KEYS[i].key == shortcut) name = KEYS[i].name;
  }
  snprintf(text, 32, "%s%s", prefix, name);
}

void ui_drawShortcut(const UiCanvas* canvas, mjrRect rect, int modifier, int shortcut) {
  char text[32];
  nameShortcut(text, modifier, shortcut);

  // box at the right, with a margin of the text's space on all sides
  const int margin = canvas->size.textver, width = ui_textWidth(text, sizeof(text), canvas->con) + 2 * margin;
  const mjrRect box = {rect.left + rect.width - width, rect.bottom + margin, width, rect.height - 2 * margin};
  ui_drawRect(canvas, box, canvas->ui->color.shortcut, NULL);
  ui_drawText(canvas, text, box.left + margin, box.bottom, box.width, canvas->ui->color.fontactive);
}

//---------------------------------- sections ----------------------------------

static void drawTitle(const UiCanvas* canvas, const mjuiSection* s) {
  const mjuiThemeColor* const color = &canvas->ui->color;
  const UiSizes* const size = &canvas->size;
  const mjrRect r = s->rtitle;

  // colours of titles without check box, with an empty one, with a ticked one
  const float* const above[] = {color->secttitle, color->secttitleuncheck, color->secttitlecheck};
  const float* const below[] = {color->secttitle2, color->secttitleuncheck2, color->secttitlecheck2};
  const int kind = s->checkbox == 0 || s->checkbox == 1 ? s->checkbox : 2;
  float middle[3];
  for (int i = 0; i < 3; i++) middle[i] = 0.5f * (above[kind][i] + below[kind][i]);

  // bar, symbol, name
  ui_drawGradient(r, below[kind], above[kind]);
  ui_drawFold(canvas, r, 0.33, s->state != mjSECT_CLOSED, middle);
  const int indent = kind ? r.height : 0;
  const int width = 2 * ((r.width - 2 * size->itemside - size->itemmid) / 2 - 2 * size->texthor) - indent;
  ui_drawText(canvas, s->name, r.left + (kind ? indent : size->texthor), r.bottom + size->textver, width,
              color->sectfont);

  // check box
  if (kind) {
    const int gap = r.height / 4, side = r.height - 2 * gap;
    const mjrRect box = {r.left + gap, r.bottom + gap, side, side};
    ui_drawRect(canvas, box, color->sectsymbol, kind == 1 ? middle : NULL);
  }
  if (canvas->ui->mousehelp && s->shortcut) ui_drawShortcut(canvas, r, s->modifier, s->shortcut);
}

// a section without its items
static void drawFrame(const UiCanvas* canvas, const mjuiSection* s) {
  if (s->state != mjSECT_FIXED) drawTitle(canvas, s);
  if (s->state != mjSECT_CLOSED) ui_drawRect(canvas, s->rcontent, canvas->ui->color.sectpane, NULL);

  // corners of title and contents together
  mjrRect whole = s->state == mjSECT_FIXED ? s->rcontent : s->rtitle;
  if (s->state == mjSECT_OPEN) {
    whole.bottom = s->rcontent.bottom;
    whole.height += s->rcontent.height;
  }
  ui_drawCorners(canvas, whole, canvas->ui->spacing.cornersect, canvas->ui->color.master, 0);
}

// first and last but one of those that a number means: itself, or all when negative
static void span(int number, int count, int* first, int* end) {
  *first = number < 0 ? 0 : number;
  *end = number < 0 ? count : number + 1;
}

static void drawSections(const UiCanvas* canvas, int section, int item) {
  int first, end;
  span(section, canvas->ui->nsect, &first, &end);
  for (int n = first; n < end; n++) {
    const mjuiSection* const s = canvas->ui->sect + n;
    const int whole = section < 0 || item < 0;
    if (whole) drawFrame(canvas, s);
    if (s->state == mjSECT_CLOSED) continue;

    int firstItem, endItem;
    span(whole ? -1 : item, s->nitem, &firstItem, &endItem);
    for (int i = firstItem; i < endItem; i++) {
      if (s->item[i].rect.height) ui_drawItem(canvas, n, i);
    }
  }
}

//---------------------------------- buffer and window ----------------------------------

void ui_redraw(int section, int item, const mjUI* ui, const mjuiState* state, const mjrContext* con) {
  if (!con->glInitialized) return;
  const UiCanvas canvas = {ui, con, ui_sizes(ui, con), ui_placeOfMouse(ui, state, con)};

  mjr_setAux(ui->auxid, con);
  ren_begin2D((mjrRect){0, 0, ui->width, ui->height});
  gl.ShadeModel(GL_SMOOTH);
  if (section < 0) {
    gl.ClearColor(ui->color.master[0], ui->color.master[1], ui->color.master[2], 1);
    gl.Clear(GL_COLOR_BUFFER_BIT);
  }
  drawSections(&canvas, section, item);
  ren_end2D();
  mjr_restoreBuffer(con);
}

// 1: there is something to draw with
static int isDrawable(const mjUI* ui, const mjuiState* state, const mjrContext* con, const char* caller) {
  if (!ui_usable(ui, state, con, caller)) return 0;
  if (!con->glInitialized) mju_error("%s: the context was not made", caller);
  return con->glInitialized;
}

void mjui_update(int section, int item, const mjUI* ui, const mjuiState* state, const mjrContext* con) {
  if (!isDrawable(ui, state, con, "mjui_update")) return;
  if (section >= mjMAXUISECT || item >= mjMAXUIITEM) {
    mju_error("mjui_update: invalid section %d or item %d", section, item);
    return;
  }
  ui_redraw(section, item, ui, state, con);
}

static void fill(mjrRect rect, const float* rgb) {
  mjr_rectangle(rect, rgb[0], rgb[1], rgb[2], 1);
}

// list of a drop-down that has the mouse; `rise` is how much higher its item is in the window's rectangle
static void renderList(const UiCanvas* canvas, const mjuiItem* it, int rise, const mjuiState* state) {
  const mjUI* const ui = canvas->ui;
  const UiSizes* const size = &canvas->size;
  const mjrRect window = state->rect[ui->rectid];
  const int n = it->multi.nelem;

  // box below the item, with a margin beside and below it
  mjrRect box = it->rect;
  box.height = n * size->line;
  box.left += window.left;
  box.bottom += window.bottom + rise - box.height;
  const mjrRect margin = {box.left - size->itemside, box.bottom - size->itemside, box.width + 2 * size->itemside,
                          box.height + size->itemside};
  fill(margin, ui->color.sectpane);
  fill(box, ui->color.select2);

  // choice under the mouse
  const int choice = ui_choiceOfSelect(it, ui, state, canvas->con);
  if (choice >= 0) {
    const mjrRect row = {box.left, box.bottom + (n - 1 - choice) * size->line, box.width, size->line};
    fill(row, ui->color.select);
  }

  // names, from the top
  ren_begin2D(window);
  for (int k = 0; k < n; k++) {
    ui_drawText(canvas, it->multi.name[k], box.left - window.left + size->texthor,
                box.bottom - window.bottom + (n - 1 - k) * size->line + size->textver, box.width - 2 * size->texthor,
                ui->color.fontactive);
  }
  ren_end2D();
}

void mjui_render(mjUI* ui, const mjuiState* state, const mjrContext* con) {
  if (!isDrawable(ui, state, con, "mjui_render")) return;
  const mjrRect rect = state->rect[ui->rectid];
  fill(rect, ui->color.master);

  // no empty space at the bottom while something is hidden at the top
  if (ui->scroll > 0 && ui->height - ui->scroll < rect.height) ui->scroll = mjMAX(0, ui->height - rect.height);

  // what is in view, at the top of the rectangle
  const int below = ui->height - ui->scroll - rect.height;
  const mjrRect view = {0, mjMAX(0, below), ui->width, mjMIN(rect.height, ui->height - ui->scroll)};
  mjr_blitAux(ui->auxid, view, rect.left, rect.bottom + mjMAX(0, -below), con);

  // on top: scroll bar, open list
  if (ui->height > rect.height) fill(ui_scrollThumb(rect, ui, con), ui->color.thumb);
  if (ui->mousesect > 0 && ui->mouseitem >= 0) {
    const mjuiItem* const it = ui->sect[ui->mousesect - 1].item + ui->mouseitem;
    const UiCanvas canvas = {
        ui, con, ui_sizes(ui, con), {UI_NOWHERE, 0}
    };
    if (it->type == mjITEM_SELECT) renderList(&canvas, it, -below, state);
  }
}
