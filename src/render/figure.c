// 2D figures: curves over a grid, with title, axis numbers and legend. A figure is laid out from the outside in: title
// on top, label of the x axis below, numbers along both axes, and what is left is the pane with the curves. Sizes
// follow from the height of a line of text; half of it is the space between parts.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "render/render.h"

enum {
  MAX_TICK = 20,     // lines of the grid, numbers on an axis
  NUMBER_SIZE = 100  // characters of a number
};

// the smallest range of an axis, and how far the pane reaches beyond the range as a fraction of it, so that curves at
// the limits are not cut
static const float MIN_RANGE = 1e-5f, BEYOND = 0.001f;

// A figure being drawn.
typedef struct {
  mjvFigure* fig;
  const mjrContext* con;
  mjrRect view;       // what is left of the viewport
  int pad;            // space between parts
  float range[2][2];  // of x and y
} Plot;

//---- ranges ---------------------------------------------------------------------------------------------------------

static int points(const mjvFigure* fig, int line) {
  return mjMAX(0, mjMIN(fig->linepnt[line], mjMAXLINEPNT));
}

// widens a range by the finite data of all lines; an unknown range starts with the first
static void dataRange(const mjvFigure* fig, int axis, int known, float range[2]) {
  for (int line = 0; line < mjMAXLINE; line++) {
    for (int i = 0; i < points(fig, line); i++) {
      const float v = fig->linedata[line][2 * i + axis];
      if (!isfinite(v)) continue;
      range[0] = known ? fminf(range[0], v) : v;
      range[1] = known ? fmaxf(range[1], v) : v;
      known = 1;
    }
  }
}

// ends of the y axis at multiples of the power of ten below its length
static void roundRange(float range[2]) {
  const float length = range[1] - range[0];
  if (!(length > 0) || !isfinite(length)) return;
  const float unit = powf(10, floorf(log10f(length)));
  if (!(unit > 0)) return;
  range[0] = floorf(range[0] / unit) * unit;
  range[1] = ceilf(range[1] / unit) * unit;
}

static void findRange(const mjvFigure* fig, int axis, float range[2]) {
  const int known = fig->range[axis][0] < fig->range[axis][1];
  memcpy(range, fig->range[axis], 2 * sizeof(float));
  if (!known || fig->flg_extend) dataRange(fig, axis, known, range);
  const float lack = MIN_RANGE - (range[1] - range[0]);
  if (lack > 0) {
    range[0] -= 0.5f * lack;
    range[1] += 0.5f * lack;
  }
  if (axis == 0) return;
  roundRange(range);
  if (fig->flg_symmetric) {
    range[1] = fmaxf(fabsf(range[0]), fabsf(range[1]));
    range[0] = -range[1];
  }
}

//---- places ---------------------------------------------------------------------------------------------------------

static void project(double left, double right, double bottom, double top) {
  gl.LoadIdentity();
  gl.Ortho(left, right, bottom, top, -1, 1);
}

// pixels of the view, counted so that the last one is at the edge; 0: too small to draw in
static int pixelView(const Plot* plot) {
  if (plot->view.width <= 1 || plot->view.height <= 1) return 0;
  gl.Viewport(plot->view.left, plot->view.bottom, plot->view.width, plot->view.height);
  project(0, plot->view.width - 1, 0, plot->view.height - 1);
  return 1;
}

// coordinates of the data; 0: the range is degenerate or not finite
static int dataView(const Plot* plot) {
  double end[2][2];
  for (int axis = 0; axis < 2; axis++) {
    const float low = plot->range[axis][0], high = plot->range[axis][1], more = (high - low) * BEYOND;
    end[axis][0] = low - more;
    end[axis][1] = high + more;
    if (!isfinite(low - more) || !isfinite(high + more) || !(end[axis][0] < end[axis][1])) return 0;
  }
  project(end[0][0], end[0][1], end[1][0], end[1][1]);
  return 1;
}

static void textAt(const Plot* plot, RenText text, float x, float y, const float rgb[3]) {
  const float pos[3] = {x, y, 0};
  ren_drawText(text, pos, rgb, plot->con);
}

// zero or less is an error of OpenGL
static void lineWidth(float width) {
  gl.LineWidth(width > 0 ? width : 1);
}

//---- title and label ------------------------------------------------------------------------------------------------

// the part of the title for a subplot: parts are separated by two spaces or more
static RenText titlePart(const mjvFigure* fig, int subplot) {
  const char *part = fig->title, *end = part + strnlen(part, sizeof(fig->title));
  while (subplot > 0 && part < end) {
    while (part < end && *part != ' ') part++;
    const char* word = part;
    while (word < end && *word == ' ') word++;
    subplot -= word - part > 1;
    part = word;
  }
  int count = 0;
  while (part + count < end && (part[count] != ' ' || (part + count + 1 < end && part[count + 1] != ' '))) count++;
  return (RenText){part, count, mjFONT_NORMAL};
}

// as much of the whole title as fits when a part of it starts at left; returns where it starts
static int widen(const Plot* plot, RenText part, int left, RenText* whole) {
  const char *title = plot->fig->title, *end = title + strnlen(title, sizeof(plot->fig->title));
  const char* first = part.chars;
  for (int w; first > title; first--, left -= w) {
    w = ren_spanWidth((RenText){first - 1, 1, mjFONT_NORMAL}, plot->con);
    if (left < w) break;
  }
  const char* last = first;
  for (int right = left; last < end; last++) {
    right += ren_spanWidth((RenText){last, 1, mjFONT_NORMAL}, plot->con);
    if (right >= plot->view.width) break;
  }
  *whole = (RenText){first, (int)(last - first), mjFONT_NORMAL};
  return left;
}

// the subplot's part in the middle, its neighbours pale on both sides; returns the height taken
static int drawTitle(const Plot* plot) {
  const mjvFigure* fig = plot->fig;
  const RenText part = titlePart(fig, fig->subplot);
  if (!part.count) return 0;
  const int left = mjMAX(0, plot->view.width / 2 - ren_spanWidth(part, plot->con) / 2);
  const int y = plot->view.height - plot->pad - plot->con->charHeight;
  float pale[3];
  for (int k = 0; k < 3; k++) pale[k] = 0.4f * fig->textrgb[k] + 0.6f * fig->figurergba[k];
  RenText whole;
  const int wholeLeft = widen(plot, part, left, &whole);
  textAt(plot, whole, wholeLeft, y, pale);
  textAt(plot, part, left, y, fig->textrgb);
  return plot->con->charHeight + plot->pad;
}

static int drawLabel(const Plot* plot) {
  const mjvFigure* fig = plot->fig;
  const RenText label = ren_string(fig->xlabel, sizeof(fig->xlabel), mjFONT_NORMAL);
  if (!label.count) return 0;
  const int left = plot->view.width / 2 - ren_spanWidth(label, plot->con) / 2;
  textAt(plot, label, mjMAX(0, left), plot->pad, fig->textrgb);
  return plot->con->charHeight + plot->pad / 2;
}

//---- numbers --------------------------------------------------------------------------------------------------------

// a format may have one floating-point conversion and no arguments besides
static int isNumberFormat(const char* format) {
  int found = 0;
  for (const char* s = strchr(format, '%'); s; s = strchr(s, '%')) {
    s++;
    if (*s == '%') {
      s++;
      continue;
    }
    s += strspn(s, "-+ #0123456789.");
    if (!*s || !strchr("aAeEfFgG", *s) || found) return 0;
    found = 1;
  }
  return 1;
}

// a number by the user's format, without zeros at the end of a fraction
static RenText writeNumber(const char format[20], float v, char text[NUMBER_SIZE]) {
  char own[24];
  snprintf(own, sizeof(own), "%.20s", format);
  snprintf(text, NUMBER_SIZE, isNumberFormat(own) ? own : "%g", v);
  int count = (int)strlen(text), digits = count;
  while (digits > 0 && text[digits - 1] >= '0' && text[digits - 1] <= '9') digits--;
  if (digits > 1 && digits < count && text[digits - 1] == '.') {
    while (count > digits && text[count - 1] == '0') count--;
    if (count == digits) count--;
    text[count] = 0;
  }
  return (RenText){text, count, mjFONT_NORMAL};
}

// numbers on an axis, one per line of the grid
static int ticks(const mjvFigure* fig, int axis) {
  return mjMIN(MAX_TICK, fig->gridsize[axis]);
}

static RenText tick(const Plot* plot, int axis, int i, char text[NUMBER_SIZE]) {
  const float low = plot->range[axis][0], high = plot->range[axis][1];
  const float v = low + (high - low) * i / (float)(ticks(plot->fig, axis) - 1);
  return writeNumber(axis == 0 ? plot->fig->xformat : plot->fig->yformat, v, text);
}

// width of the widest number on the y axis
static int tickWidth(const Plot* plot) {
  const mjvFigure* fig = plot->fig;
  int width = ren_spanWidth(ren_string(fig->minwidth, sizeof(fig->minwidth), mjFONT_NORMAL), plot->con);
  for (int i = 0; i < ticks(fig, 1); i++) {
    char text[NUMBER_SIZE];
    width = mjMAX(width, ren_spanWidth(tick(plot, 1, i, text), plot->con));
  }
  return width + plot->pad;
}

// numbers along both axes; the view loses what they take
static void drawTicks(Plot* plot) {
  const mjvFigure* fig = plot->fig;
  const int pad = plot->pad, height = plot->con->charHeight;
  const int left = fig->flg_ticklabel[1] ? tickWidth(plot) : 0, bottom = fig->flg_ticklabel[0] ? height + pad : 0;
  // grey, as bright as the red of the text
  const float grey[3] = {fig->textrgb[0], fig->textrgb[0], fig->textrgb[0]};
  char text[NUMBER_SIZE];

  // under their lines, the first and the last inside the pane
  for (int i = 0, n = ticks(fig, 0); i < n && fig->flg_ticklabel[0]; i++) {
    const RenText number = tick(plot, 0, i, text);
    const int width = ren_spanWidth(number, plot->con), shift = i == 0 ? 0 : i == n - 1 ? width : width / 2;
    const float along = (plot->view.width - 2 * pad - left) * i / (float)(n - 1);
    textAt(plot, number, pad + left - shift + along, pad, grey);
  }

  // left of their lines
  for (int i = 0, n = ticks(fig, 1); i < n && fig->flg_ticklabel[1]; i++) {
    const RenText number = tick(plot, 1, i, text);
    const float along = (plot->view.height - 2 * pad - bottom) * i / (float)(n - 1);
    textAt(plot, number, left - ren_spanWidth(number, plot->con), pad + bottom - height / 2 + along, grey);
  }
  plot->view.left += left;
  plot->view.width -= left;
  plot->view.bottom += bottom;
  plot->view.height -= bottom;
}

//---- pane -----------------------------------------------------------------------------------------------------------

static void drawGrid(const mjvFigure* fig) {
  gl.Color3fv(fig->gridrgb);
  lineWidth(fig->gridwidth);
  gl.Begin(GL_LINES);
  for (int axis = 0; axis < 2; axis++) {
    for (int i = 0, n = ticks(fig, axis); i < n; i++) {
      const float at = i / (float)(n - 1);
      gl.Vertex2f(axis == 0 ? at : 0, axis == 0 ? 0 : at);
      gl.Vertex2f(axis == 0 ? at : 1, axis == 0 ? 1 : at);
    }
  }
  gl.End();
}

static int isDrawable(const float* point) {
  return isfinite(point[0]) && isfinite(point[1]);
}

// Points joined in sequence, or in pairs for bars; data that is not finite leaves a gap.
static void drawLine(const mjvFigure* fig, int line, float width) {
  const float* data = fig->linedata[line];
  gl.Color3fv(fig->linergb[line]);
  lineWidth(width);
  gl.Begin(fig->flg_barplot ? GL_LINES : GL_LINE_STRIP);
  for (int i = 0, n = points(fig, line); i < n; i++) {
    if (fig->flg_barplot) {
      const int other = i ^ 1;
      if (other < n && isDrawable(data + 2 * i) && isDrawable(data + 2 * other))
        gl.Vertex2f(data[2 * i], data[2 * i + 1]);
    } else if (isDrawable(data + 2 * i)) {
      gl.Vertex2f(data[2 * i], data[2 * i + 1]);
    } else {
      gl.End();
      gl.Begin(GL_LINE_STRIP);
    }
  }
  gl.End();
}

// the first lines on top
static void drawLines(const Plot* plot) {
  const mjvFigure* fig = plot->fig;
  if (!dataView(plot)) return;
  for (int line = mjMAXLINE - 1; line >= 0; line--) {
    if (points(fig, line)) drawLine(fig, line, fig->linewidth);
  }
  if (fig->flg_selection && isfinite(fig->selection)) {
    gl.Color3f(1, 1, 1);
    lineWidth(3);
    gl.Begin(GL_LINES);
    gl.Vertex2f(fig->selection, plot->range[1][0]);
    gl.Vertex2f(fig->selection, plot->range[1][1]);
    gl.End();
  }
}

//---- legend ---------------------------------------------------------------------------------------------------------

static RenText lineName(const mjvFigure* fig, int line) {
  return ren_string(fig->linename[line], sizeof(fig->linename[line]), mjFONT_SHADOW);
}

// The lines in the legend and the width of the longest name.
typedef struct {
  int line[mjMAXLINE];
  int count, width;
  int fit;  // how many have room; the first is written even if it has none
} Legend;

static Legend findLegend(const Plot* plot) {
  Legend legend = {.count = 0};
  for (int line = mjMAX(0, plot->fig->legendoffset); line < mjMAXLINE; line++) {
    const RenText name = lineName(plot->fig, line);
    if (!name.count) continue;
    // the first that has no room still counts for the width
    legend.width = mjMAX(legend.width, ren_spanWidth(name, plot->con));
    const int fits = (legend.fit + 1) * plot->con->charHeight + 2 * plot->pad < plot->view.height;
    if (fits || !legend.count) legend.line[legend.count++] = line;
    if (!fits) break;
    legend.fit++;
  }
  return legend;
}

// the entry under the mouse, -1 if none
static int entryAt(const Plot* plot, const Legend* legend) {
  const int height = plot->con->charHeight;
  const long fromRight = (long)plot->view.left + plot->view.width - plot->pad - plot->fig->highlight[0];
  const long fromTop = (long)plot->view.bottom + plot->view.height - plot->pad - plot->fig->highlight[1];
  if (fromRight < 0 || fromRight > legend->width || fromTop < 0 || fromTop > legend->fit * height) return -1;
  const int entry = height > 0 ? (int)(fromTop / height) : -1;
  return entry < legend->count ? entry : -1;
}

// names in the upper right corner of the pane; returns the line whose name is under the mouse, -1 if none
static int drawLegend(const Plot* plot) {
  const mjvFigure* fig = plot->fig;
  const int pad = plot->pad, height = plot->con->charHeight, right = plot->view.width, top = plot->view.height;
  const Legend legend = findLegend(plot);
  const int bottom = top - 2 * pad - legend.fit * height;
  if (legend.fit) ren_rectangle(right - 2 * pad - legend.width, bottom, right, top, fig->legendrgba);
  for (int i = 0; i < legend.count; i++) {
    const RenText name = lineName(fig, legend.line[i]);
    const int x = right - pad - ren_spanWidth(name, plot->con), y = top - pad - (i + 1) * height;
    textAt(plot, name, x, y, fig->linergb[legend.line[i]]);
  }
  const int entry = entryAt(plot, &legend);
  return entry < 0 ? -1 : legend.line[entry];
}

// a line that stands out: thick, with the values at the selection
static void drawHighlight(const Plot* plot, int line) {
  const mjvFigure* fig = plot->fig;
  const float* data = fig->linedata[line];
  if (!dataView(plot)) return;
  drawLine(fig, line, 5 * fig->linewidth);
  if (!fig->flg_selection || !points(fig, line)) return;
  int nearest = 0;
  for (int i = 1; i < points(fig, line); i++) {
    if (fabsf(fig->selection - data[2 * i]) < fabsf(fig->selection - data[2 * nearest])) nearest = i;
  }
  char text[NUMBER_SIZE];
  snprintf(text, sizeof(text), "( %.4g : %.4g )", data[2 * nearest], data[2 * nearest + 1]);
  textAt(plot, ren_string(text, sizeof(text), mjFONT_SHADOW), 0.9f * plot->range[0][0] + 0.1f * plot->range[0][1],
         0.9f * plot->range[1][0] + 0.1f * plot->range[1][1], fig->textrgb);
}

//---- figure ---------------------------------------------------------------------------------------------------------

// the pane in what is left of the view, and the curves in it
static void drawPane(Plot* plot, int grid) {
  mjvFigure* fig = plot->fig;
  mjrRect* view = &plot->view;
  view->left += plot->pad;
  view->width -= 2 * plot->pad;
  view->bottom += plot->pad;
  view->height -= 2 * plot->pad;
  if (view->width <= 0 || view->height <= 0) return;
  gl.Viewport(view->left, view->bottom, view->width, view->height);

  // programs find data under the mouse by these
  fig->xaxispixel[0] = view->left;
  fig->xaxispixel[1] = view->left + view->width - 1;
  fig->yaxispixel[0] = view->bottom;
  fig->yaxispixel[1] = view->bottom + view->height - 1;

  project(-BEYOND, 1 + BEYOND, -BEYOND, 1 + BEYOND);
  ren_rectangle(0, 0, 1, 1, fig->panergba);
  if (grid) drawGrid(fig);
  drawLines(plot);
  int highlight = fig->highlightid;
  if (fig->flg_legend) {
    if (!pixelView(plot)) return;
    const int named = drawLegend(plot);
    if (named >= 0) highlight = named;
  }
  if (highlight >= 0 && highlight < mjMAXLINE) drawHighlight(plot, highlight);
}

static void drawFigure(Plot* plot) {
  mjvFigure* fig = plot->fig;
  ren_rectangle(0, 0, plot->view.width, plot->view.height, fig->figurergba);
  for (int axis = 0; axis < 2; axis++) findRange(fig, axis, plot->range[axis]);
  memcpy(fig->xaxisdata, plot->range[0], sizeof(fig->xaxisdata));
  memcpy(fig->yaxisdata, plot->range[1], sizeof(fig->yaxisdata));

  // title and label, with the numbers in what they leave
  if (!pixelView(plot)) return;
  const int above = drawTitle(plot), below = drawLabel(plot);
  plot->view.bottom += below;
  plot->view.height -= above + below;
  if (!pixelView(plot)) return;
  const int grid = fig->gridsize[0] > 1 && fig->gridsize[1] > 1;
  if (grid) drawTicks(plot);
  drawPane(plot, grid);
}

void mjr_figure(mjrRect viewport, mjvFigure* fig, const mjrContext* con) {
  if (!fig || !con) mju_error("mjr_figure: %s is NULL", fig ? "context" : "figure");
  if (viewport.width <= 0 || viewport.height <= 0) return;
  Plot plot = {.fig = fig, .con = con, .view = viewport, .pad = con->charHeight / 2};
  ren_begin2D(viewport);
  drawFigure(&plot);
  ren_end2D();
}
