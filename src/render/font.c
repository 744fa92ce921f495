// The fonts of a context: draws the strokes of glyphs.c with a round pen into bitmaps and makes a display list of each
// character, drawn at the raster position, which it moves on by the character's width.
//
// Strokes are fitted to the pixels before they are drawn (hinting): every corner of a stroke moves to the nearest place
// where the edges of the pen lie between pixels, so that stems have the same width and sharp edges in every size.
#include <math.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "render/glyphs.h"
#include "render/render.h"

enum {
  RANGE = 128,     // lists of a font; the reference's number, programs may rely on it
  ARC_STEPS = 24,  // lines that a quarter of an ellipse is drawn with
  MARGIN = 4,      // most pixels by which a shadow is larger than its character
  MAX_BYTES = (REN_MAX_WIDTH + 2 * MARGIN + 7) / 8 * REN_MAX_HEIGHT,
};

// A character being drawn. The pen's last pixel is kept for pens of one pixel, to leave no gaps.
typedef struct {
  int width, height, pen;
  int started, lastx, lasty;
  unsigned char ink[REN_MAX_HEIGHT][REN_MAX_WIDTH];
} Canvas;

// The map from the grid of glyphs.c to the pixels of a size.
typedef struct {
  const RenFontSize* size;
  int width;       // of the character in this size
  double stretch;  // horizontally
} Fit;

typedef RenPoint Point;  // on the grid, then in pixels

//---- fitting --------------------------------------------------------------------------------------------------------

// the nearest place for the middle of the pen that puts its edges between pixels, inside 0 … limit
static double snap(double v, int pen, int limit) {
  v = fmin(fmax(v, 0.5 * pen), limit - 0.5 * pen);
  return pen % 2 ? floor(v) + 0.5 : floor(v + 0.5);
}

// the middle of a column, or its left edge where columns are narrower than the pen: that leaves space on the right
static double fitX(const Fit* fit, double x) {
  const double middle = fit->stretch < 1 ? x * fit->stretch + 0.5 : (x + 0.5) * fit->stretch;
  return snap(middle, fit->size->pen, fit->width);
}

// piecewise linear between the lines that all characters share
static double fitY(const Fit* fit, double y) {
  const RenFontSize* size = fit->size;
  const double half = 0.5 * size->pen;
  const double grid[4] = {-3, 0, 6, 9};
  const double pixel[4] = {size->baseline - size->below + half, size->baseline + half,
                           size->baseline + size->small - half, size->baseline + size->capital - half};
  const int k = y < grid[1] ? 0 : y < grid[2] ? 1 : 2;
  const double along = (y - grid[k]) / (grid[k + 1] - grid[k]);
  return snap(pixel[k] + along * (pixel[k + 1] - pixel[k]), size->pen, size->height);
}

// Points in pixels. Where two arcs meet, the point stays in proportion between their corners: fitting it too would
// make round shapes lopsided.
static void fitStroke(const Fit* fit, Point* point, int n) {
  Point grid[REN_MAX_POINT];
  memcpy(grid, point, n * sizeof(Point));
  for (int i = 0; i < n; i++) {
    point[i].x = fitX(fit, grid[i].x);
    point[i].y = fitY(fit, grid[i].y);
  }
  for (int i = 1; i < n - 1; i++) {
    const Point *a = grid + i - 1, *b = grid + i + 1;
    const double span = fabs(b->x - a->x) > fabs(b->y - a->y) ? b->x - a->x : b->y - a->y;
    if (!a->corner || !b->corner || span == 0) continue;
    const double along = (fabs(b->x - a->x) > fabs(b->y - a->y) ? grid[i].x - a->x : grid[i].y - a->y) / span;
    point[i].x = point[i - 1].x + along * (point[i + 1].x - point[i - 1].x);
    point[i].y = point[i - 1].y + along * (point[i + 1].y - point[i - 1].y);
  }
}

//---- pen ------------------------------------------------------------------------------------------------------------

static void setPixel(Canvas* canvas, int x, int y) {
  if (x >= 0 && x < canvas->width && y >= 0 && y < canvas->height) canvas->ink[y][x] = 1;
}

// thin pen: one pixel after the other, with those between when it jumps
static void movePen(Canvas* canvas, double x, double y) {
  const int px = (int)floor(x), py = (int)floor(y);
  if (!canvas->started) {
    canvas->started = 1;
    canvas->lastx = px;
    canvas->lasty = py;
  }
  do {
    canvas->lastx += (px > canvas->lastx) - (px < canvas->lastx);
    canvas->lasty += (py > canvas->lasty) - (py < canvas->lasty);
    setPixel(canvas, canvas->lastx, canvas->lasty);
  } while (canvas->lastx != px || canvas->lasty != py);
}

// thin pen: a pixel per row or column, whichever a line crosses more of
static void thinLine(Canvas* canvas, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const int alongx = fabs(dx) >= fabs(dy);
  const double from = alongx ? a.x : a.y, length = alongx ? dx : dy;
  const int first = (int)floor(from), last = (int)floor(from + length), step = length < 0 ? -1 : 1;
  for (int k = first; k != last + step; k += step) {
    const double t = (k + 0.5 - from) / length;
    if (t >= 0 && t <= 1) movePen(canvas, a.x + t * dx, a.y + t * dy);
  }
}

// thick pen: every pixel whose centre is within radius of the line
static void thickLine(Canvas* canvas, Point a, Point b, double radius) {
  const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  const int top = (int)ceil(fmax(a.y, b.y) + radius), right = (int)ceil(fmax(a.x, b.x) + radius);
  for (int y = (int)floor(fmin(a.y, b.y) - radius); y <= top; y++) {
    for (int x = (int)floor(fmin(a.x, b.x) - radius); x <= right; x++) {
      const double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
      const double t = square > 0 ? fmin(1, fmax(0, (px * dx + py * dy) / square)) : 0;
      const double ex = px - t * dx, ey = py - t * dy;
      if (ex * ex + ey * ey <= radius * radius) setPixel(canvas, x, y);
    }
  }
}

static void drawLine(Canvas* canvas, Point a, Point b) {
  if (canvas->pen > 1) {
    thickLine(canvas, a, b, 0.5 * canvas->pen);
  } else {
    thinLine(canvas, a, b);
  }
}

// quarter of an ellipse from a to b; its centre lies opposite the corner
static void drawArc(Canvas* canvas, Point a, Point corner, Point b) {
  const double cx = a.x + b.x - corner.x, cy = a.y + b.y - corner.y;
  Point last = a;
  for (int i = 1; i <= ARC_STEPS; i++) {
    const double angle = mjPI / 2 * i / ARC_STEPS, c = cos(angle), s = sin(angle);
    const Point next = {cx + c * (a.x - cx) + s * (b.x - cx), cy + c * (a.y - cy) + s * (b.y - cy), 0};
    drawLine(canvas, last, next);
    last = next;
  }
}

//---- strokes --------------------------------------------------------------------------------------------------------

static void drawStroke(Canvas* canvas, const Point* point, int n) {
  const double dot = canvas->pen > 1 ? 0.65 * canvas->pen : 0.5;
  canvas->started = 0;
  if (n == 1) thickLine(canvas, point[0], point[0], dot);
  for (int i = 1; i < n; i++) {
    if (canvas->pen == 1 && !point[i - 1].corner) movePen(canvas, point[i - 1].x, point[i - 1].y);
    if (point[i].corner) {
      drawArc(canvas, point[i - 1], point[i], point[i + 1]);
      i++;
    } else {
      drawLine(canvas, point[i - 1], point[i]);
    }
  }
  if (canvas->pen == 1 && n > 1) movePen(canvas, point[n - 1].x, point[n - 1].y);
}

// the ellipse in the box of two points, as four arcs from its left side round
static void drawEllipse(Canvas* canvas, const Point box[2]) {
  const double x0 = box[0].x, y0 = box[0].y, x1 = box[1].x, y1 = box[1].y, mx = (x0 + x1) / 2, my = (y0 + y1) / 2;
  const Point round[9] = {
      {x0, my, 0},
      {x0, y1, 1},
      {mx, y1, 0},
      {x1, y1, 1},
      {x1, my, 0},
      {x1, y0, 1},
      {mx, y0, 0},
      {x0, y0, 1},
      {x0, my, 0},
  };
  drawStroke(canvas, round, 9);
}

static void drawGlyph(Canvas* canvas, const RenGlyph* glyph, int size) {
  const Fit fit = {REN_SIZES + size, glyph->width[size], (double)glyph->width[size] / glyph->width[REN_DESIGN_SIZE]};
  memset(canvas, 0, sizeof(*canvas));
  canvas->width = fit.width;
  canvas->height = fit.size->height;
  canvas->pen = fit.size->pen;
  const char* s = glyph->strokes;
  while (*s) {
    Point point[REN_MAX_POINT] = {{0}};
    const int ellipse = *s == '@';
    if (ellipse) s++;
    const int n = ren_readStroke(&s, point);
    fitStroke(&fit, point, n);
    if (ellipse) {
      drawEllipse(canvas, point);
    } else {
      drawStroke(canvas, point, n);
    }
  }
}

//---- display lists --------------------------------------------------------------------------------------------------

// one bit per pixel, rows from the bottom in whole bytes; grow widens the ink by so many pixels to every side
static void packBits(const Canvas* canvas, int grow, unsigned char* bits) {
  const int width = canvas->width + 2 * grow, bytes = (width + 7) / 8;
  memset(bits, 0, (size_t)bytes * canvas->height);
  for (int y = 0; y < canvas->height; y++) {
    for (int x = 0; x < canvas->width; x++) {
      if (!canvas->ink[y][x]) continue;
      for (int v = mjMAX(0, y - grow); v <= mjMIN(canvas->height - 1, y + grow); v++) {
        for (int u = x; u <= x + 2 * grow; u++) bits[v * bytes + u / 8] |= 0x80 >> (u % 8);
      }
    }
  }
}

static void makeList(GLuint list, const Canvas* canvas, int grow) {
  unsigned char bits[MAX_BYTES];
  packBits(canvas, grow, bits);
  gl.NewList(list, GL_COMPILE);
  gl.Bitmap(canvas->width + 2 * grow, canvas->height, grow, 0, canvas->width, 0, bits);
  gl.EndList();
}

// the lists of a font in a size, its shadow's where asked for, and the widths of its characters
static void makeFont(GLuint base, GLuint shadow, int size, int width[127]) {
  const int grow = (REN_SIZES[size].pen + 1) / 2;
  Canvas canvas;
  for (int i = 0; i < REN_NGLYPH; i++) {
    const GLuint code = REN_FIRST_GLYPH + i;
    drawGlyph(&canvas, REN_GLYPHS + i, size);
    makeList(base + code, &canvas, 0);
    if (shadow) makeList(shadow + code, &canvas, grow);
    width[code] = canvas.width;
  }
}

void ren_makeFonts(mjrContext* con, int fontscale) {
  // sizes of the normal and the big font for 50, 100 … 300
  static const int SIZES[6][2] = {
      {0, 1},
      {1, 3},
      {2, 5},
      {3, 6},
      {4, 7},
      {5, 8},
  };
  if (fontscale < mjFONTSCALE_50 || fontscale > mjFONTSCALE_300 || fontscale % 50) {
    mju_error("Invalid fontscale %d: expected 50, 100, 150, 200, 250 or 300", fontscale);
    return;
  }
  const int normal = SIZES[fontscale / 50 - 1][0], big = SIZES[fontscale / 50 - 1][1];

  // lists there were
  if (con->baseFontNormal) gl.DeleteLists(con->baseFontNormal, con->rangeFont);
  if (con->baseFontShadow) gl.DeleteLists(con->baseFontShadow, con->rangeFont);
  if (con->baseFontBig) gl.DeleteLists(con->baseFontBig, con->rangeFont);

  // new ones
  con->fontScale = fontscale;
  con->rangeFont = RANGE;
  con->baseFontNormal = gl.GenLists(RANGE);
  con->baseFontShadow = gl.GenLists(RANGE);
  con->baseFontBig = gl.GenLists(RANGE);
  if (!con->baseFontNormal || !con->baseFontShadow || !con->baseFontBig) mju_error("Could not allocate font lists");

  // sizes
  memset(con->charWidth, 0, sizeof(con->charWidth));
  memset(con->charWidthBig, 0, sizeof(con->charWidthBig));
  con->charHeight = REN_SIZES[normal].height;
  con->charHeightBig = REN_SIZES[big].height;

  // characters; rows of bitmaps are whole bytes
  GLint alignment;
  gl.GetIntegerv(GL_UNPACK_ALIGNMENT, &alignment);
  gl.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
  makeFont(con->baseFontNormal, con->baseFontShadow, normal, con->charWidth);
  makeFont(con->baseFontBig, 0, big, con->charWidthBig);
  gl.PixelStorei(GL_UNPACK_ALIGNMENT, alignment);
}
