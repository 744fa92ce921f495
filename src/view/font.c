// The font of labels and panels: the strokes of render/glyphs.c drawn with a round pen, smooth at any size. A pixel is
// covered by as much as its distance from the nearest stroke says.
#include <mujoco/mujoco.h>
#include <stdlib.h>

#include "render/glyphs.h"
#include "view/renderer.h"

enum { ATLAS_WIDTH = 512, ARC_STEPS = 8, PAD = 1 };

// A character while it is drawn: its place in the atlas.
typedef struct {
  unsigned char* ink;
  int left, top, width, height;
  float scale, pen;
} Cell;

// from the grid of the glyphs, where y counts upwards from the baseline, to pixels
static void toPixels(const Cell* cell, const RenPoint* p, float out[2]) {
  out[0] = (float)(p->x + 0.5) * cell->scale;
  out[1] = (float)(12.5 - p->y) * cell->scale;
}

static void drawLine(Cell* cell, const float a[2], const float b[2]) {
  const float dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy, reach = 0.5f * cell->pen + 1;
  const int top = (int)floorf(fminf(a[1], b[1]) - reach), bottom = (int)ceilf(fmaxf(a[1], b[1]) + reach);
  const int left = (int)floorf(fminf(a[0], b[0]) - reach), right = (int)ceilf(fmaxf(a[0], b[0]) + reach);
  for (int y = top < 0 ? 0 : top; y < bottom && y < cell->height; y++) {
    for (int x = left < 0 ? 0 : left; x < right && x < cell->width; x++) {
      const float px = (float)x + 0.5f - a[0], py = (float)y + 0.5f - a[1];
      const float t = square > 0 ? fminf(1, fmaxf(0, (px * dx + py * dy) / square)) : 0;
      const float ex = px - t * dx, ey = py - t * dy;
      const float cover = fminf(1, fmaxf(0, 0.5f * cell->pen + 0.5f - sqrtf(ex * ex + ey * ey)));
      unsigned char* const at = cell->ink + (size_t)(cell->top + y) * ATLAS_WIDTH + cell->left + x;
      const unsigned char level = (unsigned char)(255 * cover + 0.5f);
      if (level > *at) *at = level;
    }
  }
}

// quarter of an ellipse from a to b; its centre lies opposite the corner
static void drawArc(Cell* cell, const float a[2], const float corner[2], const float b[2]) {
  const float centre[2] = {a[0] + b[0] - corner[0], a[1] + b[1] - corner[1]};
  float last[2] = {a[0], a[1]};
  for (int i = 1; i <= ARC_STEPS; i++) {
    const float angle = (float)mjPI / 2 * (float)i / ARC_STEPS, c = cosf(angle), s = sinf(angle);
    float next[2];
    for (int k = 0; k < 2; k++) next[k] = centre[k] + c * (a[k] - centre[k]) + s * (b[k] - centre[k]);
    drawLine(cell, last, next);
    memcpy(last, next, sizeof(last));
  }
}

static void drawEllipse(Cell* cell, const float a[2], const float b[2]) {
  const float middle[2] = {0.5f * (a[0] + b[0]), 0.5f * (a[1] + b[1])};
  for (int i = 0; i < 4; i++) {
    const float x = i & 1 ? b[0] : a[0], y = i & 2 ? b[1] : a[1];
    drawArc(cell, (float[2]){x, middle[1]}, (float[2]){x, y}, (float[2]){middle[0], y});
  }
}

static void drawGlyph(Cell* cell, const char* strokes) {
  while (*strokes) {
    const int ellipse = *strokes == '@';
    strokes += ellipse;
    RenPoint point[REN_MAX_POINT];
    float at[REN_MAX_POINT][2];
    const int n = ren_readStroke(&strokes, point);
    for (int i = 0; i < n; i++) toPixels(cell, point + i, at[i]);
    if (ellipse && n == 2) {
      drawEllipse(cell, at[0], at[1]);
      continue;
    }
    if (n == 1) drawLine(cell, at[0], at[0]);
    for (int i = 1; i < n; i++) {
      if (point[i].corner && i + 1 < n) {
        drawArc(cell, at[i - 1], at[i], at[i + 1]);
        i++;
      } else {
        drawLine(cell, at[i - 1], at[i]);
      }
    }
  }
}

unsigned char* viw_drawFont(float scale, ViwGlyph glyph[96], int* width, int* height) {
  // characters one after the other, in rows; the first pixels are full, for what is no character
  const int line = (int)ceilf(17 * scale) + PAD;
  int x = 4, y = 0;
  for (int i = 0; i < REN_NGLYPH; i++) {
    const int w = (int)ceilf((float)(REN_GLYPHS[i].width[REN_DESIGN_SIZE] + 1) * scale) + PAD;
    if (x + w > ATLAS_WIDTH) {
      x = 0;
      y += line;
    }
    glyph[i] = (ViwGlyph){(float)x, (float)y, (float)(w - PAD), (float)(line - PAD),
                          (float)REN_GLYPHS[i].width[REN_DESIGN_SIZE] * scale};
    x += w;
  }
  *width = ATLAS_WIDTH;
  *height = y + line;
  unsigned char* const ink = calloc((size_t)*width, (size_t)*height);
  if (!ink) mju_error("view: no memory for a font");
  for (int i = 0; i < 4; i++) ink[(i >> 1) * ATLAS_WIDTH + (i & 1)] = 255;
  for (int i = 0; i < REN_NGLYPH; i++) {
    Cell cell = {ink, (int)glyph[i].u, (int)glyph[i].v, (int)glyph[i].w, (int)glyph[i].h, scale, 1.12f * scale};
    drawGlyph(&cell, REN_GLYPHS[i].strokes);
  }
  return ink;
}
