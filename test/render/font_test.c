// The fonts: sizes of characters are the reference's in every scale, every character is drawn and stays in its box.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "render/glyphs.h"
#include "render/render.h"
#include "support/canvas.h"
#include "support/catch.h"
#include "support/oracle.h"

static const int SCALES[6] = {mjFONTSCALE_50,  mjFONTSCALE_100, mjFONTSCALE_150,
                              mjFONTSCALE_200, mjFONTSCALE_250, mjFONTSCALE_300};

// a context takes 30 kB and starts as zeros
static mjrContext con, reference;

static void sum(const int width[127], int* total, int* weighted) {
  *total = *weighted = 0;
  for (int i = 0; i < 127; i++) {
    *total += width[i];
    *weighted += i * width[i];
  }
}

// Heights, sums of all widths and sums of code times width, as the reference 3.5.0 gives them after mjr_changeFont.
static void test_sizesGolden(void** state) {
  (void)state;
  static const int GOLDEN[6][6] = {
  // height, big height, widths, weighted, big widths, weighted
      {11, 18,  533,  42979,  755,  59993 },
      {18, 37,  755,  59993,  1460, 115629},
      {28, 54,  1091, 86154,  2140, 169860},
      {37, 71,  1460, 115629, 2745, 217325},
      {45, 89,  1783, 141505, 3455, 273245},
      {54, 106, 2140, 169860, 4093, 323518},
  };
  if (!cnv_open()) skip();
  for (int i = 0; i < 6; i++) {
    int total, weighted, totalBig, weightedBig;
    ren_makeFonts(&con, SCALES[i]);
    sum(con.charWidth, &total, &weighted);
    sum(con.charWidthBig, &totalBig, &weightedBig);
    assert_int_equal(con.fontScale, SCALES[i]);
    assert_int_equal(con.rangeFont, 128);
    assert_int_equal(con.charHeight, GOLDEN[i][0]);
    assert_int_equal(con.charHeightBig, GOLDEN[i][1]);
    assert_int_equal(total, GOLDEN[i][2]);
    assert_int_equal(weighted, GOLDEN[i][3]);
    assert_int_equal(totalBig, GOLDEN[i][4]);
    assert_int_equal(weightedBig, GOLDEN[i][5]);
  }
}

static void test_sizesReference(void** state) {
  (void)state;
  if (!cnv_open() || !orc_available()) skip();
  ORC(mjr_defaultContext)(&reference);
  ORC(mjr_makeContext)(NULL, &reference, 100);
  for (int i = 0; i < 6; i++) {
    ORC(mjr_changeFont)(SCALES[i], &reference);
    ren_makeFonts(&con, SCALES[i]);
    assert_int_equal(con.charHeight, reference.charHeight);
    assert_int_equal(con.charHeightBig, reference.charHeightBig);
    assert_int_equal(con.rangeFont, reference.rangeFont);
    assert_memory_equal(con.charWidth, reference.charWidth, sizeof(con.charWidth));
    assert_memory_equal(con.charWidthBig, reference.charWidthBig, sizeof(con.charWidthBig));
  }
  ORC(mjr_freeContext)(&reference);
}

// the table is in the order of character codes and no stroke leaves the drawing area
static void test_table(void** state) {
  (void)state;
  for (int i = 0; i < REN_NGLYPH; i++) {
    assert_int_equal(REN_GLYPHS[i].code, REN_FIRST_GLYPH + i);
    for (int size = 0; size < REN_NSIZE; size++) {
      assert_in_range(REN_GLYPHS[i].width[size], 3, REN_MAX_WIDTH);
      assert_in_range(REN_SIZES[size].height, 11, REN_MAX_HEIGHT);
    }
  }
}

static void drawAt(const char* text, int font, int x, int y) {
  const float white[3] = {1, 1, 1};
  ren_begin2D((mjrRect){0, 0, CNV_WIDTH, CNV_HEIGHT});
  ren_drawText2D(ren_string(text, 100, font), x, y, white, &con);
  ren_end2D();
}

// each character alone: some pixels, all of them in the box that its width and the height of a line say
static void test_characters(void** state) {
  (void)state;
  static const int FONTS[2] = {mjFONT_NORMAL, mjFONT_BIG};
  if (!cnv_open()) skip();
  for (int scale = 0; scale < 6; scale++) {
    ren_makeFonts(&con, SCALES[scale]);
    for (int f = 0; f < 2; f++) {
      const int* width = FONTS[f] == mjFONT_BIG ? con.charWidthBig : con.charWidth;
      for (int code = 32; code < 127; code++) {
        const char text[2] = {(char)code, 0};
        cnv_clear(0, 0, 0);
        drawAt(text, FONTS[f], 20, 30);
        cnv_read();
        const CnvBox box = cnv_find(1, 1, 1);
        if (code == ' ') {
          assert_int_equal(box.x1, -1);
          continue;
        }
        assert_in_range(box.x0, 20, 20 + width[code] - 1);
        assert_in_range(box.x1, 20, 20 + width[code] - 1);
        assert_in_range(box.y0, 30, 30 + ren_lineHeight(FONTS[f], &con) - 1);
        assert_in_range(box.y1, 30, 30 + ren_lineHeight(FONTS[f], &con) - 1);
      }
    }
  }
}

// no two characters look the same
static void test_distinct(void** state) {
  (void)state;
  enum { HEIGHT = 18, WIDTH = 14 };
  static unsigned char shape[95][HEIGHT][WIDTH];
  if (!cnv_open()) skip();
  ren_makeFonts(&con, mjFONTSCALE_100);
  for (int i = 0; i < 95; i++) {
    const char text[2] = {(char)(32 + i), 0};
    cnv_clear(0, 0, 0);
    drawAt(text, mjFONT_NORMAL, 0, 0);
    cnv_read();
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) shape[i][y][x] = cnv_pixel(x, y)[0];
    }
  }
  for (int i = 0; i < 95; i++) {
    for (int k = 0; k < i; k++) assert_memory_not_equal(shape[i], shape[k], sizeof(shape[i]));
  }
}

// letters stand on one line: capitals and small letters have the same height each, straight stems the same width
static void test_alignment(void** state) {
  (void)state;
  if (!cnv_open()) skip();
  for (int scale = 0; scale < 6; scale++) {
    ren_makeFonts(&con, SCALES[scale]);
    int last[2] = {0, 0};
    for (const char* c = "HEILTxuz"; *c; c++) {
      const char text[2] = {*c, 0};
      cnv_clear(0, 0, 0);
      drawAt(text, mjFONT_NORMAL, 0, 0);
      cnv_read();
      const CnvBox box = cnv_find(1, 1, 1);
      const int small = *c >= 'a', top = box.y1;
      if (*c != 'H' && *c != 'x') assert_int_equal(top, last[small]);
      last[small] = top;
      if (*c == 'I') assert_in_range(box.x1 - box.x0 + 1, 1, 3);
    }
    assert_true(last[0] > last[1]);
  }
}

// a second call deletes the lists of the first; a shadow goes round its character
static void test_again(void** state) {
  (void)state;
  if (!cnv_open()) skip();
  memset(&con, 0, sizeof(con));
  ren_makeFonts(&con, mjFONTSCALE_100);
  const unsigned first[3] = {con.baseFontNormal, con.baseFontShadow, con.baseFontBig};
  ren_makeFonts(&con, mjFONTSCALE_150);
  const unsigned now[3] = {con.baseFontNormal, con.baseFontShadow, con.baseFontBig};
  for (int i = 0; i < 3; i++) {
    // unless the driver gave the same names out again
    const int reused = first[i] == now[0] || first[i] == now[1] || first[i] == now[2];
    assert_true(gl.IsList(now[i] + 'A'));
    if (!reused) assert_false(gl.IsList(first[i] + 'A'));
  }
  assert_int_equal(gl.GetError(), GL_NO_ERROR);

  // an I with its shadow: light in the middle, dark to both sides
  ren_makeFonts(&con, mjFONTSCALE_100);
  cnv_clear(0, 0, 1);
  drawAt("I", mjFONT_SHADOW, 100, 100);
  cnv_read();
  const CnvBox light = cnv_find(1, 1, 1), dark = cnv_find(0, 0, 0);
  assert_int_equal(dark.x0, light.x0 - 1);
  assert_int_equal(dark.x1, light.x1 + 1);
  assert_int_equal(dark.y0, light.y0 - 1);
  assert_int_equal(dark.y1, light.y1 + 1);
}

static void test_wrongScale(void** state) {
  (void)state;
  if (!cnv_open()) skip();
  static const int WRONG[] = {0, -50, 75, 350, 1000};
  for (int i = 0; i < 5; i++) assert_non_null(strstr(CATCH(ren_makeFonts(&con, WRONG[i])), "Invalid fontscale"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sizesGolden), cmocka_unit_test(test_sizesReference), cmocka_unit_test(test_table),
      cmocka_unit_test(test_characters),  cmocka_unit_test(test_distinct),       cmocka_unit_test(test_alignment),
      cmocka_unit_test(test_again),       cmocka_unit_test(test_wrongScale),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
