// Text, overlays, labels and rectangles: where they lie and their colours, also on the reference's characters, and that
// the state of OpenGL survives them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "render/render.h"
#include "support/canvas.h"
#include "support/catch.h"
#include "support/oracle.h"

static const mjrRect ALL = {0, 0, CNV_WIDTH, CNV_HEIGHT};
static mjrContext con, reference;

// an open canvas and a font; 0: skip
static int open(int fontscale) {
  if (!cnv_open()) return 0;
  ren_makeFonts(&con, fontscale);
  return 1;
}

// Context of the reference in the same OpenGL context. Its lists are OpenGL's like ours, so our functions can draw its
// characters, and then pictures are equal to the last pixel.
static int openReference(int fontscale) {
  if (!cnv_open() || !orc_available()) return 0;
  ORC(mjr_defaultContext)(&reference);
  ORC(mjr_makeContext)(NULL, &reference, 100);
  ORC(mjr_changeFont)(fontscale, &reference);
  cnv_bind();
  cnv_clear(0.2f, 0.3f, 0.4f);
  return 1;
}

// pixels that differ between the picture taken last and what is drawn now
static int differing(void) {
  static unsigned char before[CNV_HEIGHT * CNV_WIDTH * 3];
  memcpy(before, cnv_pixel(0, 0), sizeof(before));
  cnv_read();
  const unsigned char* now = cnv_pixel(0, 0);
  int n = 0;
  for (int i = 0; i < CNV_HEIGHT * CNV_WIDTH; i++) n += memcmp(before + 3 * i, now + 3 * i, 3) != 0;
  return n;
}

//---- widths ---------------------------------------------------------------------------------------------------------

static void test_width(void** state) {
  (void)state;
  if (!open(mjFONTSCALE_150)) skip();
  const char* text = "Sinew 1.5 kg";
  int sum = 0, sumBig = 0;
  for (const char* c = text; *c; c++) {
    sum += con.charWidth[(int)*c];
    sumBig += con.charWidthBig[(int)*c];
  }
  assert_int_equal(ren_textWidth(text, mjFONT_NORMAL, &con), sum);
  assert_int_equal(ren_textWidth(text, mjFONT_SHADOW, &con), sum);
  assert_int_equal(ren_textWidth(text, mjFONT_BIG, &con), sumBig);
  assert_int_equal(ren_textWidth("ab\ncdef", mjFONT_NORMAL, &con), con.charWidth['a'] + con.charWidth['b']);
  // codes without a character have no width
  assert_int_equal(ren_textWidth("a\x01\x7f\xc3\xa9", mjFONT_NORMAL, &con), con.charWidth['a']);
  assert_int_equal(ren_textWidth("", mjFONT_NORMAL, &con), 0);
  assert_int_equal(ren_textWidth(NULL, mjFONT_NORMAL, &con), 0);
}

//---- text -----------------------------------------------------------------------------------------------------------

// at a fraction of the viewport, in its colour, as wide as said
static void test_text(void** state) {
  (void)state;
  if (!open(mjFONTSCALE_100)) skip();
  gl.Viewport(100, 50, 200, 100);
  mjr_text(mjFONT_NORMAL, "HH", &con, 0.5f, 0.25f, 1, 0.5f, 0);
  cnv_read();
  const CnvBox box = cnv_find(1, 0.5f, 0);
  assert_in_range(box.x0, 200, 200 + con.charWidth['H'] - 1);
  assert_in_range(box.x1, 200 + con.charWidth['H'], 200 + 2 * con.charWidth['H'] - 1);
  assert_in_range(box.y0, 75, 75 + con.charHeight - 1);
  assert_in_range(box.y1, 75, 75 + con.charHeight - 1);
}

// bytes above 127 draw nothing, in particular no character of another font, and what follows them is in its place
static void test_textBytes(void** state) {
  (void)state;
  if (!open(mjFONTSCALE_100)) skip();
  mjr_text(mjFONT_NORMAL, "a\xc3\xa9\x7f z", &con, 0, 0, 1, 1, 1);
  cnv_read();
  cnv_clear(0, 0, 0);
  mjr_text(mjFONT_NORMAL, "a z", &con, 0, 0, 1, 1, 1);
  assert_int_equal(differing(), 0);
  assert_true(cnv_count(1, 1, 1) > 10);
}

static void test_textReference(void** state) {
  (void)state;
  if (!openReference(mjFONTSCALE_100)) skip();
  const char* text = "The quick (brown) fox = 42%";
  for (int font = 0; font < 3; font++) {
    cnv_clear(0.2f, 0.3f, 0.4f);
    ORC(mjr_text)(font, text, &reference, 0.11f, 0.37f, 1, 0.5f, 0.25f);
    cnv_read();
    cnv_clear(0.2f, 0.3f, 0.4f);
    mjr_text(font, text, &reference, 0.11f, 0.37f, 1, 0.5f, 0.25f);
    assert_int_equal(differing(), 0);
  }
  ORC(mjr_freeContext)(&reference);
}

//---- overlay --------------------------------------------------------------------------------------------------------

// the background is half of what was there; it lies at the side of the viewport that the grid position says
static void test_overlayPlace(void** state) {
  (void)state;
  static const int SIDE[8][2] = {
      {-1, 1 },
      {1,  1 },
      {-1, -1},
      {1,  -1},
      {0,  1 },
      {0,  -1},
      {-1, 0 },
      {1,  0 }
  };
  const mjrRect view = {40, 30, 400, 250};
  if (!open(mjFONTSCALE_100)) skip();
  for (int pos = mjGRID_TOPLEFT; pos <= mjGRID_RIGHT; pos++) {
    cnv_clear(1, 1, 0);
    mjr_overlay(mjFONT_NORMAL, pos, view, "first line\n2", NULL, &con);
    cnv_read();
    const CnvBox box = cnv_find(0.5f, 0.5f, 0);
    const int width = ren_textWidth("first line", mjFONT_NORMAL, &con) + 13, height = 2 * con.charHeight + 10;
    assert_int_equal(box.x1 - box.x0 + 1, width);
    assert_int_equal(box.y1 - box.y0 + 1, height);
    const int left = box.x0 - view.left, right = view.left + view.width - 1 - box.x1;
    const int below = box.y0 - view.bottom, above = view.bottom + view.height - 1 - box.y1;
    if (SIDE[pos][0] < 0) assert_int_equal(left, 5);
    if (SIDE[pos][0] > 0) assert_int_equal(right, 6);
    if (SIDE[pos][0] == 0) assert_in_range(right - left, 0, 14);
    if (SIDE[pos][1] < 0) assert_int_equal(below, 5);
    if (SIDE[pos][1] > 0) assert_int_equal(above, 6);
    if (SIDE[pos][1] == 0) assert_in_range(above - below, 0, 14);
    // text in white, in the background
    const CnvBox ink = cnv_find(1, 1, 1);
    assert_true(ink.x0 > box.x0 && ink.x1 < box.x1 && ink.y0 > box.y0 && ink.y1 < box.y1);
  }
}

// the first column is grey and left of the second; at the left edge it is the other way round, as in the reference
static void test_overlayColumns(void** state) {
  (void)state;
  if (!open(mjFONTSCALE_100)) skip();
  for (int pos = mjGRID_TOPLEFT; pos <= mjGRID_RIGHT; pos++) {
    cnv_clear(1, 1, 0);
    mjr_overlay(mjFONT_BIG, pos, ALL, "Name\nTime", "x\n0.5", &con);
    cnv_read();
    const CnvBox grey = cnv_find(0.7f, 0.7f, 0.7f), white = cnv_find(1, 1, 1);
    assert_true(grey.x0 <= grey.x1);
    // in the middle the first column lies on the second
    if (pos == mjGRID_TOP || pos == mjGRID_BOTTOM) continue;
    assert_true(white.x0 <= white.x1);
    assert_true(pos == mjGRID_LEFT ? white.x1 < grey.x0 : grey.x1 < white.x0);
  }
}

static void test_overlayReference(void** state) {
  (void)state;
  static const char* const TEXT[][2] = {
      {"Simulation\nFrames per second\nSolver", "on\n60.0\nNewton (3)"},
      {"one",                                   ""                    },
      {"",                                      "only the second"     },
      {"ends with a break\n",                   "\n\nbegins with two" },
      {"x",                                     NULL                  },
      {"",                                      NULL                  },
  };
  const mjrRect view = {13, 7, 437, 301};
  if (!openReference(mjFONTSCALE_100)) skip();
  for (int scale = mjFONTSCALE_50; scale <= mjFONTSCALE_200; scale += 50) {
    ORC(mjr_changeFont)(scale, &reference);
    for (int i = 0; i < 6 * 8 * 3; i++) {
      const char* const* text = TEXT[i / 24];
      const int pos = i / 3 % 8, font = i % 3;
      cnv_clear(0.2f, 0.3f, 0.4f);
      ORC(mjr_overlay)(font, pos, view, text[0], text[1], &reference);
      cnv_read();
      cnv_clear(0.2f, 0.3f, 0.4f);
      mjr_overlay(font, pos, view, text[0], text[1], &reference);
      assert_int_equal(differing(), 0);
    }
  }
  ORC(mjr_freeContext)(&reference);
}

static void test_overlayOdd(void** state) {
  (void)state;
  char text[3 * mjMAXOVERLAY + 1];
  if (!open(mjFONTSCALE_100)) skip();
  // nothing to write, no room
  mjr_overlay(mjFONT_NORMAL, mjGRID_TOPLEFT, ALL, NULL, NULL, &con);
  mjr_overlay(mjFONT_NORMAL, mjGRID_TOPLEFT, (mjrRect){0, 0, 0, 100}, "x", "y", &con);
  mjr_overlay(mjFONT_NORMAL, mjGRID_TOPLEFT, (mjrRect){0, 0, 100, -1}, "x", "y", &con);
  cnv_read();
  assert_int_equal(cnv_count(0, 0, 0), CNV_WIDTH * CNV_HEIGHT);
  mjr_overlay(mjFONT_NORMAL, mjGRID_TOPLEFT, ALL, NULL, "second", &con);
  cnv_read();
  assert_true(cnv_count(1, 1, 1) > 0);

  // far too long: cut, no overflow
  memset(text, 'M', sizeof(text) - 1);
  text[sizeof(text) - 1] = 0;
  for (size_t i = 30; i < sizeof(text) - 1; i += 31) text[i] = '\n';
  for (int pos = 0; pos < 8; pos++) mjr_overlay(mjFONT_SHADOW, pos, ALL, text, text, &con);
  assert_int_equal(gl.GetError(), GL_NO_ERROR);

  // wrong arguments
  assert_non_null(CATCH(mjr_overlay(mjFONT_NORMAL, 8, ALL, "x", NULL, &con)));
  assert_non_null(CATCH(mjr_overlay(mjFONT_NORMAL, -1, ALL, "x", NULL, &con)));
  assert_non_null(CATCH(mjr_overlay(mjFONT_NORMAL, 0, ALL, "x", NULL, NULL)));
  assert_non_null(CATCH(mjr_text(mjFONT_NORMAL, "x", NULL, 0, 0, 1, 1, 1)));
  mjr_text(mjFONT_NORMAL, NULL, &con, 0, 0, 1, 1, 1);
}

//---- rectangles and labels ------------------------------------------------------------------------------------------

static void test_rectangle(void** state) {
  (void)state;
  if (!open(mjFONTSCALE_100)) skip();
  cnv_clear(0, 0, 1);
  mjr_rectangle((mjrRect){10, 20, 30, 40}, 1, 0.5f, 0, 1);
  mjr_rectangle((mjrRect){100, 20, 30, 40}, 1, 0, 0, 0.25f);
  mjr_rectangle((mjrRect){200, 20, 0, 40}, 1, 1, 1, 1);
  mjr_rectangle((mjrRect){200, 20, 40, -3}, 1, 1, 1, 1);
  cnv_read();
  const CnvBox solid = cnv_find(1, 0.5f, 0), blend = cnv_find(0.25f, 0, 0.75f);
  assert_true(solid.x0 == 10 && solid.y0 == 20 && solid.x1 == 39 && solid.y1 == 59);
  assert_true(blend.x0 == 100 && blend.y0 == 20 && blend.x1 == 129 && blend.y1 == 59);
  assert_int_equal(cnv_count(1, 0.5f, 0), 1200);
  assert_int_equal(cnv_count(0.25f, 0, 0.75f), 1200);
  assert_int_equal(cnv_count(1, 1, 1), 0);
}

// text in the middle to a pixel, from the left edge when it is too long
static void test_label(void** state) {
  (void)state;
  if (!open(mjFONTSCALE_100)) skip();
  const mjrRect box = {50, 60, 201, 81};
  for (int font = 0; font < 3; font++) {
    cnv_clear(0, 0, 0);
    mjr_label(box, font, "HIH", 0, 0, 1, 1, 1, 1, 0, &con);
    cnv_read();
    const int width = ren_textWidth("HIH", font, &con), height = ren_lineHeight(font, &con);
    const CnvBox ink = cnv_find(1, 1, 0), back = cnv_find(0, 0, 1);
    assert_true(back.x0 == 50 && back.y0 == 60 && back.x1 == 250 && back.y1 == 140);
    assert_in_range(ink.x0, 50 + (201 - width) / 2, 50 + (201 - width) / 2 + width);
    assert_in_range(ink.x1, 50 + (201 - width) / 2, 50 + (201 - width) / 2 + width);
    assert_in_range(ink.y0, 60 + (81 - height) / 2, 60 + (81 - height) / 2 + height);
    assert_in_range(ink.y1, 60 + (81 - height) / 2, 60 + (81 - height) / 2 + height);
    // never a shadow
    cnv_clear(1, 0, 1);
    mjr_label(box, font, "HIH", 0, 0, 1, 1, 1, 1, 0, &con);
    cnv_read();
    assert_int_equal(cnv_count(0, 0, 0), 0);
  }
  cnv_clear(0, 0, 0);
  mjr_label((mjrRect){50, 60, 20, 30}, mjFONT_NORMAL, "HHHH", 0, 0, 1, 1, 1, 1, 0, &con);
  mjr_label((mjrRect){50, 160, 20, 30}, mjFONT_NORMAL, NULL, 0, 0, 1, 1, 1, 1, 0, &con);
  mjr_label((mjrRect){50, 260, 0, 0}, mjFONT_NORMAL, "x", 0, 0, 1, 1, 1, 1, 0, &con);
  cnv_read();
  assert_in_range(cnv_find(1, 1, 0).x0, 50, 50 + con.charWidth['H']);
  assert_int_equal(cnv_find(0, 0, 1).y1, 189);
  assert_non_null(CATCH(mjr_label(box, mjFONT_NORMAL, "x", 0, 0, 1, 1, 1, 1, 0, NULL)));
  assert_int_equal(gl.GetError(), GL_NO_ERROR);
}

static void test_labelReference(void** state) {
  (void)state;
  static const char* const TEXT[] = {"Reset", "a somewhat longer text", "", NULL, "100 %"};
  if (!openReference(mjFONTSCALE_100)) skip();
  for (int i = 0; i < 5 * 3 * 20; i++) {
    const mjrRect box = {17 + i % 7, 23, 60 + i / 15 * 13, 10 + i / 15 * 3};
    const int font = i / 5 % 3;
    cnv_clear(0.2f, 0.3f, 0.4f);
    ORC(mjr_label)(box, font, TEXT[i % 5], 1, 0, 0, 0.3f, 1, 1, 0.5f, &reference);
    cnv_read();
    cnv_clear(0.2f, 0.3f, 0.4f);
    mjr_label(box, font, TEXT[i % 5], 1, 0, 0, 0.3f, 1, 1, 0.5f, &reference);
    assert_int_equal(differing(), 0);
  }
  ORC(mjr_freeContext)(&reference);
}

static void test_findRect(void** state) {
  (void)state;
  const mjrRect rect[3] = {
      {0,  0,  0,   10 },
      {10, 20, 30,  40 },
      {0,  0,  100, 100}
  };
  assert_int_equal(mjr_findRect(10, 20, 3, rect), 1);
  assert_int_equal(mjr_findRect(39, 59, 3, rect), 1);
  assert_int_equal(mjr_findRect(40, 59, 3, rect), 2);
  assert_int_equal(mjr_findRect(39, 60, 3, rect), 2);
  assert_int_equal(mjr_findRect(0, 0, 3, rect), 2);
  assert_int_equal(mjr_findRect(100, 0, 3, rect), -1);
  assert_int_equal(mjr_findRect(-1, 0, 3, rect), -1);
  assert_int_equal(mjr_findRect(10, 20, 1, rect), -1);
  assert_int_equal(mjr_findRect(10, 20, 0, NULL), -1);
}

//---- state ----------------------------------------------------------------------------------------------------------

// what 3D drawing has set is there after 2D drawing; the viewport is the last that was drawn in
static void test_state(void** state) {
  (void)state;
  static const GLenum CAPS[] = {GL_NORMALIZE,    GL_DEPTH_TEST, GL_CULL_FACE,    GL_LIGHTING,   GL_COLOR_MATERIAL,
                                GL_STENCIL_TEST, GL_FOG,        GL_LINE_STIPPLE, GL_TEXTURE_2D, GL_BLEND};
  enum { NCAP = sizeof(CAPS) / sizeof(CAPS[0]) };
  if (!open(mjFONTSCALE_100)) skip();
  for (int on = 0; on < 2; on++) {
    for (int i = 0; i < NCAP; i++) (on ? gl.Enable : gl.Disable)(CAPS[i]);
    GLfloat before[2][16], after[2][16];
    gl.MatrixMode(GL_PROJECTION);
    gl.LoadIdentity();
    gl.Frustum(-1, 2, -1, 1, 1, 10);
    gl.MatrixMode(GL_MODELVIEW);
    gl.LoadIdentity();
    gl.Translatef(1, 2, 3);
    gl.GetFloatv(GL_PROJECTION_MATRIX, before[0]);
    gl.GetFloatv(GL_MODELVIEW_MATRIX, before[1]);

    mjr_rectangle(ALL, 1, 1, 1, 0.5f);
    mjr_label((mjrRect){0, 0, 50, 50}, mjFONT_BIG, "x", 1, 1, 1, 1, 0, 0, 0, &con);
    mjr_overlay(mjFONT_SHADOW, mjGRID_TOP, ALL, "a", "b", &con);
    mjr_text(mjFONT_SHADOW, "c", &con, 0, 0, 1, 1, 1);
    mjr_rectangle((mjrRect){5, 6, 70, 80}, 1, 1, 1, 0.5f);

    for (int i = 0; i < NCAP; i++) assert_int_equal(gl.IsEnabled(CAPS[i]), on);
    gl.GetFloatv(GL_PROJECTION_MATRIX, after[0]);
    gl.GetFloatv(GL_MODELVIEW_MATRIX, after[1]);
    assert_memory_equal(before, after, sizeof(before));
    GLint view[4];
    gl.GetIntegerv(GL_VIEWPORT, view);
    assert_true(view[0] == 5 && view[1] == 6 && view[2] == 70 && view[3] == 80);
    assert_int_equal(gl.GetError(), GL_NO_ERROR);
  }
  for (int i = 0; i < NCAP; i++) gl.Disable(CAPS[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_width),
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_textBytes),
      cmocka_unit_test(test_textReference),
      cmocka_unit_test(test_overlayPlace),
      cmocka_unit_test(test_overlayColumns),
      cmocka_unit_test(test_overlayReference),
      cmocka_unit_test(test_overlayOdd),
      cmocka_unit_test(test_rectangle),
      cmocka_unit_test(test_label),
      cmocka_unit_test(test_labelReference),
      cmocka_unit_test(test_findRect),
      cmocka_unit_test(test_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
