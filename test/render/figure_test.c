// Figures: layout, ranges, curves, legend. With the reference's characters (its lists are OpenGL's like ours) pictures
// equal the reference's to the last pixel.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "render/render.h"
#include "support/canvas.h"
#include "support/catch.h"
#include "support/oracle.h"
#include "support/random.h"

static const mjrRect ALL = {0, 0, CNV_WIDTH, CNV_HEIGHT};
static mjrContext con, reference;

// a figure takes a megabyte
static mjvFigure fig, other;

static int open(void) {
  if (!cnv_open()) return 0;
  ren_makeFonts(&con, mjFONTSCALE_100);
  mjv_defaultFigure(&fig);
  return 1;
}

static void addPoint(int line, float x, float y) {
  const int i = fig.linepnt[line]++;
  fig.linedata[line][2 * i] = x;
  fig.linedata[line][2 * i + 1] = y;
}

static void draw(mjrRect view) {
  cnv_clear(0, 0, 0);
  mjr_figure(view, &fig, &con);
  cnv_read();
  assert_int_equal(gl.GetError(), GL_NO_ERROR);
}

// pixel of a place in the data
static int pixelX(float x) {
  const float t = (x - fig.xaxisdata[0]) / (fig.xaxisdata[1] - fig.xaxisdata[0]);
  return fig.xaxispixel[0] + (int)(t * (fig.xaxispixel[1] - fig.xaxispixel[0]) + 0.5f);
}

static int pixelY(float y) {
  const float t = (y - fig.yaxisdata[0]) / (fig.yaxisdata[1] - fig.yaxisdata[0]);
  return fig.yaxispixel[0] + (int)(t * (fig.yaxispixel[1] - fig.yaxispixel[0]) + 0.5f);
}

// is there a pixel of this colour within a pixel of a place in the data
static int near(float x, float y, const float rgb[3]) {
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      const int px = pixelX(x) + dx, py = pixelY(y) + dy;
      if (px < 0 || px >= CNV_WIDTH || py < 0 || py >= CNV_HEIGHT) continue;
      if (cnv_is(px, py, rgb[0], rgb[1], rgb[2])) return 1;
    }
  }
  return 0;
}

//---- layout ---------------------------------------------------------------------------------------------------------

// the pane lies in the figure, with room for what is around it
static void test_layout(void** state) {
  (void)state;
  const mjrRect view = {40, 20, 400, 280};
  if (!open()) skip();
  const int h = con.charHeight, pad = h / 2;

  // nothing around it
  fig.flg_ticklabel[0] = fig.flg_ticklabel[1] = 0;
  const float blue[4] = {0, 0, 1, 1}, green[4] = {0, 0.5f, 0, 1};
  memcpy(fig.figurergba, blue, sizeof(blue));
  memcpy(fig.panergba, green, sizeof(green));
  draw(view);
  assert_int_equal(fig.xaxispixel[0], 40 + pad);
  assert_int_equal(fig.xaxispixel[1], 40 + 400 - pad - 1);
  assert_int_equal(fig.yaxispixel[0], 20 + pad);
  assert_int_equal(fig.yaxispixel[1], 20 + 280 - pad - 1);
  const CnvBox figure = cnv_find(0, 0, 1), pane = cnv_find(0, 0.5f, 0);
  assert_true(figure.x0 == 40 && figure.y0 == 20 && figure.x1 == 439 && figure.y1 == 299);
  assert_in_range(pane.x0, fig.xaxispixel[0], fig.xaxispixel[0] + 2);
  assert_in_range(pane.x1, fig.xaxispixel[1] - 2, fig.xaxispixel[1]);
  assert_in_range(pane.y0, fig.yaxispixel[0], fig.yaxispixel[0] + 2);
  assert_in_range(pane.y1, fig.yaxispixel[1] - 2, fig.yaxispixel[1]);

  // a title above, a label below, numbers below and on the left
  strcpy(fig.title, "Title");
  draw(view);
  assert_int_equal(fig.yaxispixel[1], 20 + 280 - pad - 1 - h - pad);
  strcpy(fig.xlabel, "time");
  draw(view);
  assert_int_equal(fig.yaxispixel[0], 20 + pad + h + pad / 2);
  fig.flg_ticklabel[0] = 1;
  draw(view);
  assert_int_equal(fig.yaxispixel[0], 20 + pad + h + pad / 2 + h + pad);
  fig.flg_ticklabel[1] = 1;
  draw(view);
  assert_int_equal(fig.xaxispixel[0], 40 + pad + ren_textWidth("XXX", mjFONT_NORMAL, &con) + pad);
  strcpy(fig.minwidth, "");
  strcpy(fig.yformat, "%.3f");
  fig.range[1][1] = 2000;
  fig.linepnt[0] = 0;
  draw(view);
  assert_int_equal(fig.xaxispixel[0], 40 + pad + ren_textWidth("2000", mjFONT_NORMAL, &con) + pad);

  // text is there, and none where a grid of one line has no numbers
  assert_true(cnv_count(1, 1, 1) > 50);
  fig.gridsize[0] = 1;
  draw(view);
  assert_int_equal(fig.xaxispixel[0], 40 + pad);
}

// lines of the grid at equal distances
static void test_grid(void** state) {
  (void)state;
  if (!open()) skip();
  fig.gridsize[0] = 5;
  fig.gridsize[1] = 3;
  fig.gridrgb[0] = 1;
  fig.flg_ticklabel[0] = fig.flg_ticklabel[1] = 0;
  draw(ALL);
  const float rgb[3] = {1, 0.4f, 0.4f};
  for (int i = 0; i < 5; i++) {
    assert_true(near(0.25f * i, 0.3f, rgb));
    assert_false(near(0.25f * i + 0.1f, 0.3f, rgb));
  }
  for (int i = 0; i < 3; i++) {
    assert_true(near(0.1f, 0.5f * i, rgb));
    assert_false(near(0.1f, 0.5f * i + 0.2f, rgb));
  }
}

// numbers lose zeros at the end of a fraction: a label as wide as its text
static void test_numbers(void** state) {
  (void)state;
  static const struct {
    const char* format;
    float high;
    const char* widest;
  } CASES[] = {
      {"%.2f",  0.5f, "0.5"    },
      {"%.2f",  100,  "100"    },
      {"%.0f",  200,  "200"    },
      {"%.3g",  0.5f, "0.5"    },
      {"%.1e",  50,   "5.0e+01"},
      {"%s",    500,  "500"    },
      {"%d%n",  500,  "500"    },
      {"%*f",   500,  "500"    },
      {"%g %g", 500,  "500"    },
      {"%%%g",  500,  "%500"   },
      {"%",     500,  "500"    },
      {"kg",    500,  "kg"     },
      {"",      500,  ""       },
  };
  if (!open()) skip();
  const int pad = con.charHeight / 2;
  fig.minwidth[0] = 0;
  for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
    strcpy(fig.yformat, CASES[i].format);
    strcpy(fig.xformat, CASES[i].format);
    fig.range[1][1] = CASES[i].high;
    draw(ALL);
    assert_int_equal(fig.xaxispixel[0], 2 * pad + ren_textWidth(CASES[i].widest, mjFONT_NORMAL, &con));
  }
  // a format that fills its array
  memset(fig.yformat, 'x', sizeof(fig.yformat));
  memset(fig.xformat, '%', sizeof(fig.xformat));
  draw(ALL);
}

//---- ranges ---------------------------------------------------------------------------------------------------------

static void checkRange(float x0, float x1, float y0, float y1) {
  draw(ALL);
  assert_float_equal(fig.xaxisdata[0], x0, 1e-5f * fabsf(x0));
  assert_float_equal(fig.xaxisdata[1], x1, 1e-5f * fabsf(x1));
  assert_float_equal(fig.yaxisdata[0], y0, 1e-5f * fabsf(y0));
  assert_float_equal(fig.yaxisdata[1], y1, 1e-5f * fabsf(y1));
}

static void test_range(void** state) {
  (void)state;
  if (!open()) skip();
  checkRange(0, 1, 0, 1);
  addPoint(0, 2, 3.2f);
  addPoint(0, -1, 0.5f);
  addPoint(0, NAN, 70);
  addPoint(0, 90, INFINITY);
  // fixed, extended, from the data alone
  fig.flg_extend = 0;
  checkRange(0, 1, 0, 1);
  fig.flg_extend = 1;
  checkRange(-1, 90, 0, 70);
  fig.range[0][0] = fig.range[1][0] = 1;
  fig.flg_extend = 0;
  checkRange(-1, 90, 0, 70);
  fig.linepnt[0] = 2;
  checkRange(-1, 2, 0, 4);
  // same size on both sides of zero
  fig.flg_symmetric = 1;
  checkRange(-1, 2, -4, 4);
  fig.flg_symmetric = 0;
  // one value: a little room
  fig.linepnt[0] = 1;
  draw(ALL);
  assert_float_equal(fig.xaxisdata[1] - fig.xaxisdata[0], 1e-5f, 1e-6f);
  assert_true(fig.yaxisdata[0] < fig.yaxisdata[1]);
}

//---- curves ---------------------------------------------------------------------------------------------------------

static void test_curves(void** state) {
  (void)state;
  if (!open()) skip();
  fig.range[0][1] = 10;
  for (int i = 0; i <= 10; i++) {
    addPoint(0, i, 0.1f * i);
    addPoint(3, i, 1 - 0.1f * i);
  }
  draw(ALL);
  for (int i = 0; i <= 10; i++) {
    const float x = i + (i < 10 ? 0.3f : 0);
    assert_true(near(x, 0.1f * x, fig.linergb[0]));
    if (i != 4 && i != 5) assert_true(near(x, 1 - 0.1f * x, fig.linergb[3]));
    if (i != 4 && i != 5) assert_false(near(x, 1 - 0.1f * x, fig.linergb[0]));
  }
  // the first lines on top
  assert_true(cnv_is(pixelX(5), pixelY(0.5f), fig.linergb[0][0], fig.linergb[0][1], fig.linergb[0][2]));

  // wide lines have more pixels
  const int narrow = cnv_count(fig.linergb[3][0], fig.linergb[3][1], fig.linergb[3][2]);
  fig.linewidth = 6;
  draw(ALL);
  assert_true(cnv_count(fig.linergb[3][0], fig.linergb[3][1], fig.linergb[3][2]) > 1.5 * narrow);
  fig.linewidth = 0;
  draw(ALL);
  fig.linewidth = 3;

  // a line that stands out
  fig.highlightid = 3;
  draw(ALL);
  assert_true(cnv_count(fig.linergb[3][0], fig.linergb[3][1], fig.linergb[3][2]) > 1.5 * narrow);
  assert_true(cnv_is(pixelX(5), pixelY(0.5f), fig.linergb[3][0], fig.linergb[3][1], fig.linergb[3][2]));
}

// bars: points in pairs, a point alone at the end is not drawn
static void test_bars(void** state) {
  (void)state;
  if (!open()) skip();
  fig.flg_barplot = 1;
  fig.range[0][1] = 4;
  for (int i = 1; i < 4; i++) {
    addPoint(0, i, 0);
    addPoint(0, i, 0.2f * i);
  }
  addPoint(0, 3.5f, 0.9f);
  draw(ALL);
  for (int i = 1; i < 4; i++) {
    assert_true(near(i, 0.1f * i, fig.linergb[0]));
    assert_false(near(i, 0.2f * i + 0.1f, fig.linergb[0]));
    assert_false(near(i + 0.5f, 0.1f * i, fig.linergb[0]));
  }
}

// the value at the selection is written only with a highlighted line
static void test_selection(void** state) {
  (void)state;
  if (!open()) skip();
  const float white[3] = {1, 1, 1};
  fig.flg_selection = 1;
  fig.selection = 0.5f;
  fig.textrgb[2] = 0;
  for (int i = 0; i < 10; i++) addPoint(0, 0.1f * i, 0.02f * i);
  draw(ALL);
  assert_true(near(0.5f, 0.7f, white));
  assert_false(near(0.4f, 0.7f, white));
  const int before = cnv_count(1, 1, 0);
  fig.highlightid = 0;
  draw(ALL);
  assert_true(cnv_count(1, 1, 0) > before + 20);
  // nothing to read off
  fig.linepnt[0] = 0;
  draw(ALL);
  fig.selection = NAN;
  draw(ALL);
}

//---- legend and title -----------------------------------------------------------------------------------------------

static void test_legend(void** state) {
  (void)state;
  if (!open()) skip();
  const int h = con.charHeight, pad = h / 2;
  fig.legendrgba[0] = 1;
  fig.legendrgba[3] = 1;
  fig.linewidth = 1;
  for (int line = 0; line < 3; line++) {
    snprintf(fig.linename[line], sizeof(fig.linename[line]), "line %d", line);
    const float rgb[3] = {0, line == 0, 0.2f + 0.3f * line};
    memcpy(fig.linergb[line], rgb, sizeof(rgb));
    addPoint(line, 0, 0.1f * line);
    addPoint(line, 1, 0.1f * line);
  }
  // background and names, one below the other, in the upper right corner
  draw(ALL);
  CnvBox back = cnv_find(1, 0, 0);
  const int width = ren_textWidth("line 0", mjFONT_NORMAL, &con);
  // a pixel less: the last one is at the edge
  assert_in_range(back.x1 - back.x0 + 1, width + 2 * pad - 1, width + 2 * pad + 1);
  assert_in_range(back.y1 - back.y0 + 1, 3 * h + 2 * pad - 1, 3 * h + 2 * pad + 1);
  assert_int_equal(back.x1, fig.xaxispixel[1]);
  assert_int_equal(back.y1, fig.yaxispixel[1]);
  CnvBox first = cnv_find(fig.linergb[0][0], fig.linergb[0][1], fig.linergb[0][2]);
  assert_true(first.x1 <= back.x1 && first.y1 < back.y1 && first.y1 > back.y1 - pad - h);

  // the name under the mouse makes its line stand out
  const int thin = cnv_count(fig.linergb[1][0], fig.linergb[1][1], fig.linergb[1][2]);
  fig.highlight[0] = fig.xaxispixel[1] - pad - 5;
  fig.highlight[1] = fig.yaxispixel[1] - pad - h - h / 2;
  draw(ALL);
  assert_true(cnv_count(fig.linergb[1][0], fig.linergb[1][1], fig.linergb[1][2]) > 2 * thin);
  fig.highlight[0] = fig.highlight[1] = -1;

  // from the second line on, no room, no legend
  fig.legendoffset = 1;
  draw(ALL);
  back = cnv_find(1, 0, 0);
  assert_in_range(back.y1 - back.y0 + 1, 2 * h + 2 * pad - 1, 2 * h + 2 * pad + 1);
  fig.legendoffset = -5;
  draw(ALL);
  fig.legendoffset = mjMAXLINE + 5;
  draw(ALL);
  assert_int_equal(cnv_count(1, 0, 0), 0);
  fig.legendoffset = 0;
  draw((mjrRect){0, 0, 300, 2 * h + 5 * pad + h});
  back = cnv_find(1, 0, 0);
  assert_in_range(back.y1 - back.y0 + 1, h + 2 * pad - 1, h + 2 * pad + 1);
  fig.flg_legend = 0;
  draw(ALL);
  assert_int_equal(cnv_count(1, 0, 0), 0);
}

// the title of the subplot is in the middle, its neighbours are pale
static void test_subplots(void** state) {
  (void)state;
  if (!open()) skip();
  fig.flg_ticklabel[0] = fig.flg_ticklabel[1] = 0;
  strcpy(fig.title, "first one   second  third");
  static const char* const PARTS[4] = {"first one", "second", "third", ""};
  for (int i = 0; i < 4; i++) {
    fig.subplot = i;
    draw(ALL);
    const CnvBox ink = cnv_find(1, 1, 1), pale = cnv_find(0.4f, 0.4f, 0.4f);
    if (i == 3) {
      assert_int_equal(ink.x1, -1);
      continue;
    }
    const int width = ren_textWidth(PARTS[i], mjFONT_NORMAL, &con);
    assert_in_range(ink.x0, CNV_WIDTH / 2 - width / 2 - 1, CNV_WIDTH / 2 - width / 2 + 4);
    assert_in_range(ink.x1, CNV_WIDTH / 2 + width / 2 - 4, CNV_WIDTH / 2 + width / 2 + 1);
    if (i > 0) assert_true(pale.x0 < ink.x0 - 10);
  }
  // a title without an end
  memset(fig.title, 'x', sizeof(fig.title));
  fig.subplot = 0;
  draw(ALL);
  fig.subplot = 100;
  draw(ALL);
}

//---- odd figures ----------------------------------------------------------------------------------------------------

static void test_odd(void** state) {
  (void)state;
  if (!open()) skip();
  // sizes from nothing to small: no error, nothing outside
  strcpy(fig.title, "title");
  strcpy(fig.xlabel, "label");
  strcpy(fig.linename[0], "name");
  addPoint(0, 0, 0);
  addPoint(0, 1, 1);
  fig.flg_selection = 1;
  fig.highlightid = 0;
  for (int size = -1; size < 120; size += size < 60 ? 1 : 7) draw((mjrRect){10, 10, size, size});
  draw((mjrRect){10, 10, 1, 200});
  draw((mjrRect){10, 10, 200, 1});
  draw((mjrRect){-50, -50, 200, 200});

  // data that is not finite, only or in between; degenerate ranges
  static const float BAD[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e-45f};
  for (int i = 0; i < 36; i++) {
    for (int extend = 0; extend < 2; extend++) {
      fig.linepnt[0] = 0;
      fig.flg_extend = extend;
      fig.flg_barplot = i % 2;
      addPoint(0, 0, 0);
      addPoint(0, BAD[i / 6], BAD[i % 6]);
      addPoint(0, BAD[i % 6], 1);
      addPoint(0, 1, BAD[i / 6]);
      fig.range[0][0] = 0;
      fig.range[0][1] = 1;
      draw(ALL);
      fig.range[0][0] = BAD[i / 6];
      fig.range[0][1] = BAD[i % 6];
      draw(ALL);
      fig.range[1][0] = BAD[i % 6];
      fig.range[1][1] = BAD[i / 6];
      draw(ALL);
    }
  }

  // equal data too large for the smallest range to show in a float
  mjv_defaultFigure(&fig);
  fig.range[0][0] = fig.range[1][0] = 1;
  for (int i = 0; i < 3; i++) addPoint(0, 1e10f, -1e10f);
  draw(ALL);

  // counts out of range, an empty figure, no font
  fig.linepnt[0] = 1000000;
  fig.linepnt[1] = -7;
  fig.gridsize[0] = fig.gridsize[1] = 1000;
  fig.highlight[0] = fig.highlight[1] = -2147483647 - 1;
  draw(ALL);
  memset(&fig, 0, sizeof(fig));
  draw(ALL);
  static mjrContext empty;
  mjv_defaultFigure(&fig);
  strcpy(fig.linename[0], "name");
  mjr_figure(ALL, &fig, &empty);
  assert_int_equal(gl.GetError(), GL_NO_ERROR);
  assert_non_null(CATCH(mjr_figure(ALL, NULL, &con)));
  assert_non_null(CATCH(mjr_figure(ALL, &fig, NULL)));
}

//---- the reference --------------------------------------------------------------------------------------------------

// a figure with something of everything
static void randomFigure(Rnd* r) {
  mjv_defaultFigure(&fig);
  fig.flg_extend = rnd_below(r, 2);
  fig.flg_barplot = !rnd_below(r, 4);
  fig.flg_selection = rnd_below(r, 2);
  fig.flg_symmetric = rnd_below(r, 2);
  fig.flg_legend = rnd_below(r, 4) > 0;
  fig.linewidth = rnd_uniform(r, 0.5, 5);
  fig.gridwidth = rnd_uniform(r, 0.5, 3);
  fig.selection = rnd_uniform(r, -1, 2);
  fig.highlightid = (int)rnd_below(r, 5) - 1;
  fig.subplot = rnd_below(r, 3);
  for (int axis = 0; axis < 2; axis++) {
    fig.flg_ticklabel[axis] = rnd_below(r, 4) > 0;
    fig.gridsize[axis] = 1 + rnd_below(r, 8);
    fig.range[axis][0] = rnd_uniform(r, -2, 2);
    fig.range[axis][1] = rnd_uniform(r, -2, 4);
    fig.highlight[axis] = rnd_below(r, axis ? CNV_HEIGHT : CNV_WIDTH);
  }
  for (int k = 0; k < 4; k++) {
    fig.figurergba[k] = rnd_uniform(r, 0, 1);
    fig.panergba[k] = rnd_uniform(r, 0, 1);
    fig.legendrgba[k] = rnd_uniform(r, 0, 1);
    if (k < 3) fig.textrgb[k] = rnd_uniform(r, 0, 1);
  }
  if (rnd_below(r, 2)) strcpy(fig.title, "Position  Velocity and more   Force");
  if (rnd_below(r, 2)) strcpy(fig.xlabel, "Video frame");
  strcpy(fig.xformat, rnd_below(r, 2) ? "%.2f" : "%.0f");
  strcpy(fig.yformat, rnd_below(r, 2) ? "%.4g" : "%.1f");
  const double size = pow(10, rnd_uniform(r, -3, 5));
  for (int line = 0; line < 4; line++) {
    if (rnd_below(r, 4)) snprintf(fig.linename[line], 100, "line number %d", line * 100);
    const int n = 1 + rnd_below(r, 60);
    for (int i = 0; i < n; i++) addPoint(line, i / 30.0, size * rnd_uniform(r, -1, 2));
  }
}

static void test_reference(void** state) {
  (void)state;
  static unsigned char expected[CNV_HEIGHT * CNV_WIDTH * 3];
  if (!open() || !orc_available()) skip();
  ORC(mjr_defaultContext)(&reference);
  ORC(mjr_makeContext)(NULL, &reference, 100);
  cnv_bind();
  Rnd r = {7};
  int differing = 0;
  for (int k = 0; k < 150; k++) {
    randomFigure(&r);
    if (k % 25 == 0) ORC(mjr_changeFont)(50 + 50 * (k / 25), &reference);
    const mjrRect view = {rnd_below(&r, 60), rnd_below(&r, 60), 150 + rnd_below(&r, 260), 100 + rnd_below(&r, 150)};
    memcpy(&other, &fig, sizeof(fig));
    cnv_clear(0.3f, 0.5f, 0.1f);
    ORC(mjr_figure)(view, &other, &reference);
    cnv_read();
    memcpy(expected, cnv_pixel(0, 0), sizeof(expected));
    cnv_clear(0.3f, 0.5f, 0.1f);
    mjr_figure(view, &fig, &reference);
    cnv_read();
    // what the figure says about itself
    assert_memory_equal(fig.xaxispixel, other.xaxispixel, sizeof(fig.xaxispixel));
    assert_memory_equal(fig.yaxispixel, other.yaxispixel, sizeof(fig.yaxispixel));
    assert_memory_equal(fig.xaxisdata, other.xaxisdata, sizeof(fig.xaxisdata));
    assert_memory_equal(fig.yaxisdata, other.yaxisdata, sizeof(fig.yaxisdata));
    int n = 0;
    for (int i = 0; i < CNV_HEIGHT * CNV_WIDTH; i++) n += memcmp(expected + 3 * i, cnv_pixel(0, 0) + 3 * i, 3) != 0;
    if (n) print_message("figure %d: %d pixels\n", k, n);
    differing += n;
  }
  ORC(mjr_freeContext)(&reference);
  assert_int_equal(differing, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layout),    cmocka_unit_test(test_grid),      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_range),     cmocka_unit_test(test_curves),    cmocka_unit_test(test_bars),
      cmocka_unit_test(test_selection), cmocka_unit_test(test_legend),    cmocka_unit_test(test_subplots),
      cmocka_unit_test(test_odd),       cmocka_unit_test(test_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
