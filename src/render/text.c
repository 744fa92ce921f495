// Text, labels and rectangles on top of a picture. Everything is drawn in the pixels of a viewport (ren_begin2D), the
// characters with the display lists of the context (font.c).
#include <limits.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "render/render.h"

enum {
  OVERLAY_PAD = 5,    // pixels round an overlay and between its lines
  OVERLAY_LEFT = 3,   // pixels left of its text
  OVERLAY_EXTRA = 8,  // pixels of its width beyond text and padding
};

//---- state ----------------------------------------------------------------------------------------------------------

void ren_begin2D(mjrRect viewport) {
  static const GLenum OFF[] = {GL_NORMALIZE,      GL_DEPTH_TEST,       GL_CULL_FACE, GL_LIGHTING,
                               GL_COLOR_MATERIAL, GL_STENCIL_TEST,     GL_FOG,       GL_LINE_STIPPLE,
                               GL_TEXTURE_2D,     GL_TEXTURE_CUBE_MAP, GL_BLEND};
  if (!gl.Begin) mju_error("OpenGL is not loaded: call mjr_makeContext before drawing");
  gl.PushAttrib(GL_ENABLE_BIT | GL_CURRENT_BIT | GL_LIGHTING_BIT | GL_POLYGON_BIT | GL_LINE_BIT | GL_COLOR_BUFFER_BIT |
                GL_LIST_BIT | GL_TRANSFORM_BIT);
  for (size_t i = 0; i < sizeof(OFF) / sizeof(OFF[0]); i++) gl.Disable(OFF[i]);
  gl.ShadeModel(GL_FLAT);
  gl.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  gl.BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);

  // one unit is one pixel
  gl.MatrixMode(GL_MODELVIEW);
  gl.PushMatrix();
  gl.LoadIdentity();
  gl.MatrixMode(GL_PROJECTION);
  gl.PushMatrix();
  gl.LoadIdentity();
  if (viewport.width > 0 && viewport.height > 0) {
    gl.Viewport(viewport.left, viewport.bottom, viewport.width, viewport.height);
    gl.Ortho(0, viewport.width, 0, viewport.height, -1, 1);
  }
}

void ren_end2D(void) {
  gl.MatrixMode(GL_PROJECTION);
  gl.PopMatrix();
  gl.MatrixMode(GL_MODELVIEW);
  gl.PopMatrix();
  gl.PopAttrib();
}

void ren_rectangle(float x0, float y0, float x1, float y1, const float rgba[4]) {
  gl.Enable(GL_BLEND);
  gl.Color4fv(rgba);
  gl.Begin(GL_QUADS);
  gl.Vertex2f(x0, y0);
  gl.Vertex2f(x1, y0);
  gl.Vertex2f(x1, y1);
  gl.Vertex2f(x0, y1);
  gl.End();
  gl.Disable(GL_BLEND);
}

//---- characters -----------------------------------------------------------------------------------------------------

RenText ren_string(const char* chars, int size, int font) {
  return (RenText){chars, chars ? (int)strnlen(chars, size) : 0, font};
}

int ren_lineHeight(int font, const mjrContext* con) {
  return font == mjFONT_BIG ? con->charHeightBig : con->charHeight;
}

int ren_spanWidth(RenText text, const mjrContext* con) {
  const int* width = text.font == mjFONT_BIG ? con->charWidthBig : con->charWidth;
  int sum = 0;
  for (int i = 0; i < text.count; i++) {
    const unsigned char code = text.chars[i];
    if (code < 127) sum += width[code];
  }
  return sum;
}

int ren_textWidth(const char* text, int font, const mjrContext* con) {
  return text ? ren_spanWidth((RenText){text, (int)strcspn(text, "\n"), font}, con) : 0;
}

// the lists of the characters, in runs without those that have none
static void callLists(GLuint base, RenText text) {
  gl.ListBase(base);
  for (int start = 0, i = 0; i <= text.count; i++) {
    if (i < text.count && (unsigned char)text.chars[i] < 127) continue;
    if (i > start) gl.CallLists(i - start, GL_UNSIGNED_BYTE, text.chars + start);
    start = i + 1;
  }
}

void ren_drawText(RenText text, const float pos[3], const float rgb[3], const mjrContext* con) {
  if (!con->rangeFont || !text.count) return;
  // a shadow is drawn whole before the text, which may overlap the next character's
  if (text.font == mjFONT_SHADOW) {
    gl.Color4f(0, 0, 0, 0.5f);
    gl.RasterPos3f(pos[0], pos[1], pos[2]);
    callLists(con->baseFontShadow, text);
  }
  // colour goes with the raster position
  gl.Color4f(rgb[0], rgb[1], rgb[2], 1);
  gl.RasterPos3f(pos[0], pos[1], pos[2]);
  callLists(text.font == mjFONT_BIG ? con->baseFontBig : con->baseFontNormal, text);
}

void ren_drawText2D(RenText text, int x, int y, const float rgb[3], const mjrContext* con) {
  // inside the pixel, not on its edge, where rounding would choose a neighbour
  const float pos[3] = {x + 0.25f, y + 0.25f, 0};
  ren_drawText(text, pos, rgb, con);
}

static void checkContext(const mjrContext* con, const char* function) {
  if (!con) mju_error("%s: context is NULL", function);
}

void mjr_text(int font, const char* txt, const mjrContext* con, float x, float y, float r, float g, float b) {
  checkContext(con, "mjr_text");
  if (!txt) return;
  // the last viewport, from 0 to 1
  ren_begin2D((mjrRect){0, 0, 0, 0});
  gl.Ortho(0, 1, 0, 1, -1, 1);
  const float pos[3] = {x, y, 0}, rgb[3] = {r, g, b};
  ren_drawText(ren_string(txt, INT_MAX, font), pos, rgb, con);
  ren_end2D();
}

//---- overlay --------------------------------------------------------------------------------------------------------

// a column of an overlay, with its size
typedef struct {
  RenText text;
  int width, height;
} Column;

// the line of text that starts at character start, without its line break
static RenText lineAt(RenText text, int start) {
  const char* from = text.chars + start;
  const char* end = memchr(from, '\n', text.count - start);
  return (RenText){from, end ? (int)(end - from) : text.count - start, text.font};
}

static Column measure(const char* chars, int font, const mjrContext* con) {
  Column col = {ren_string(chars, mjMAXOVERLAY, font), 0, ren_lineHeight(font, con)};
  for (int start = 0; start < col.text.count;) {
    const RenText line = lineAt(col.text, start);
    col.width = mjMAX(col.width, ren_spanWidth(line, con));
    start += line.count + 1;
    // a break at the end makes room for a line too
    if (start <= col.text.count) col.height += OVERLAY_PAD + ren_lineHeight(font, con);
  }
  col.width += OVERLAY_PAD + OVERLAY_EXTRA;
  col.height += OVERLAY_PAD;
  return col;
}

// where a column goes in the viewport, skip pixels from the place of the first column
static mjrRect columnRect(const Column* col, int gridpos, int skip, mjrRect viewport) {
  // -1: left or bottom, 0: middle, 1: right or top
  static const signed char SIDES[8][2] = {
  // clang-format off
      [mjGRID_TOPLEFT]     = {-1, 1},
      [mjGRID_TOPRIGHT]    = {1, 1},
      [mjGRID_BOTTOMLEFT]  = {-1, -1},
      [mjGRID_BOTTOMRIGHT] = {1, -1},
      [mjGRID_TOP]         = {0, 1},
      [mjGRID_BOTTOM]      = {0, -1},
      [mjGRID_LEFT]        = {-1, 0},
      [mjGRID_RIGHT]       = {1, 0},
  // clang-format on
  };
  const int roomx = viewport.width - col->width, roomy = viewport.height - col->height;
  const int across = SIDES[gridpos][0], up = SIDES[gridpos][1];
  const int x = across < 0   ? OVERLAY_PAD + skip
                : across > 0 ? roomx - skip - 1 - OVERLAY_PAD
                             : (roomx - skip) / 2 - 1 - OVERLAY_PAD;
  const int y = up < 0 ? OVERLAY_PAD : (up > 0 ? roomy : roomy / 2) - 1 - OVERLAY_PAD;
  return (mjrRect){viewport.left + x, viewport.bottom + y, col->width, col->height};
}

static void drawColumn(const Column* col, mjrRect box, float grey, const mjrContext* con) {
  const float rgb[3] = {grey, grey, grey}, shade[4] = {0, 0, 0, 0.5f};
  ren_begin2D(box);
  ren_rectangle(0, 0, box.width, box.height, shade);
  int y = box.height;
  for (int start = 0; start < col->text.count;) {
    const RenText line = lineAt(col->text, start);
    y -= ren_lineHeight(col->text.font, con);
    ren_drawText2D(line, OVERLAY_LEFT, y, rgb, con);
    y -= OVERLAY_PAD;
    start += line.count + 1;
  }
  ren_end2D();
}

void mjr_overlay(int font, int gridpos, mjrRect viewport, const char* overlay, const char* overlay2,
                 const mjrContext* con) {
  checkContext(con, "mjr_overlay");
  if (gridpos < mjGRID_TOPLEFT || gridpos > mjGRID_RIGHT) {
    mju_error("mjr_overlay: invalid grid position %d", gridpos);
    return;
  }
  if (viewport.width <= 0 || viewport.height <= 0) return;

  // with two columns the first is darker; the one nearer to its side of the viewport comes first
  const int two = overlay2 && overlay2[0], leftfirst = gridpos == mjGRID_TOPLEFT || gridpos == mjGRID_BOTTOMLEFT;
  const float grey = two ? 0.7f : 1;
  int skip = 0;
  for (int i = 0; i < 2; i++) {
    const int second = leftfirst ? i == 1 : i == 0;
    const char* chars = second ? overlay2 : overlay;
    if (!chars || (second && !two)) continue;
    const Column col = measure(chars, font, con);
    drawColumn(&col, columnRect(&col, gridpos, skip, viewport), second ? 1 : grey, con);
    skip = col.width - 2;
  }
}

//---- rectangles -----------------------------------------------------------------------------------------------------

void mjr_rectangle(mjrRect viewport, float r, float g, float b, float a) {
  if (viewport.width <= 0 || viewport.height <= 0) return;
  const float rgba[4] = {r, g, b, a};
  ren_begin2D(viewport);
  ren_rectangle(0, 0, viewport.width, viewport.height, rgba);
  ren_end2D();
}

void mjr_label(mjrRect viewport, int font, const char* txt, float r, float g, float b, float a, float rt, float gt,
               float bt, const mjrContext* con) {
  checkContext(con, "mjr_label");
  if (viewport.width <= 0 || viewport.height <= 0) return;
  const float rgba[4] = {r, g, b, a}, rgb[3] = {rt, gt, bt};
  ren_begin2D(viewport);
  ren_rectangle(0, 0, viewport.width, viewport.height, rgba);
  if (txt) {
    // in the middle, or from the left edge when it is too long; never with a shadow
    const RenText text = ren_string(txt, INT_MAX, font == mjFONT_BIG ? mjFONT_BIG : mjFONT_NORMAL);
    const int x = (viewport.width - ren_spanWidth(text, con)) / 2;
    const int y = (viewport.height - ren_lineHeight(font, con)) / 2;
    ren_drawText2D(text, mjMAX(0, x), y, rgb, con);
  }
  ren_end2D();
}

int mjr_findRect(int x, int y, int nrect, const mjrRect* rect) {
  for (int i = 0; i < nrect; i++) {
    const int right = rect[i].left + rect[i].width, top = rect[i].bottom + rect[i].height;
    if (x >= rect[i].left && x < right && y >= rect[i].bottom && y < top) return i;
  }
  return -1;
}
