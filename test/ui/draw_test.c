// Pictures of interfaces: colours where they belong, scrolling, lists; equal to the reference pixel by pixel when both
// write with the same glyphs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "support/catch.h"
#include "support/glcontext.h"
#include "support/interface.h"
#include "support/model.h"
#include "support/oracle.h"
#include "ui/ui.h"

enum { WIDTH = 960, HEIGHT = 700 };

static const mjrRect WHOLE = {0, 0, WIDTH, HEIGHT};
static mjModel* model;
static unsigned char picture[3 * WIDTH * HEIGHT], expected[3 * WIDTH * HEIGHT];

static int setup(void** state) {
  (void)state;
  if (!glc_make()) return 0;
  model =
      tst_string("<mujoco><visual><global offwidth='960' offheight='700'/><quality offsamples='0'/></visual></mujoco>");
  return 0;
}

static int teardown(void** state) {
  (void)state;
  if (model) mj_deleteModel(model);
  return 0;
}

//---------------------------------- ours alone ----------------------------------

static void begin(mjrContext* con, int fontscale) {
  mjr_defaultContext(con);
  mjr_makeContext(model, con, fontscale);
  mjr_setBuffer(mjFB_OFFSCREEN, con);
}

static void draw(Itf* itf, const mjrContext* con) {
  mjr_rectangle(WHOLE, 0, 0, 1, 1);
  mjui_render(&itf->ui, &itf->state, con);
  mjr_readPixels(picture, NULL, WHOLE, con);
}

// 1: a pixel of the picture has a colour, up to rounding
static int isColor(int x, int y, const float* rgb) {
  const unsigned char* const p = picture + 3 * (WIDTH * y + x);
  for (int k = 0; k < 3; k++) {
    if (abs(p[k] - (int)(255 * rgb[k] + 0.5f)) > 1) return 0;
  }
  return 1;
}

// the same at a point of a rectangle of the interface, counted from its lower left corner
static int hasColor(const Itf* itf, mjrRect r, int dx, int dy, const float* rgb) {
  const mjrRect window = itf->state.rect[1];
  return isColor(window.left + r.left + dx,
                 window.bottom + window.height - itf->ui.height + itf->ui.scroll + r.bottom + dy, rgb);
}

static int on = 1, off, choice = 1;
static mjtNum half = 0.5;
static const mjuiDef TABLE[] = {
    {mjITEM_SECTION,   "", mjSECT_OPEN,   NULL,    "",           0},
    {mjITEM_CHECKINT,  "", 1,             &on,     "",           0},
    {mjITEM_CHECKINT,  "", 1,             &off,    "",           0},
    {mjITEM_BUTTON,    "", 1,             NULL,    "",           0},
    {mjITEM_BUTTON,    "", 0,             NULL,    "",           0},
    {mjITEM_SLIDERNUM, "", 1,             &half,   "0 1",        0},
    {mjITEM_RADIO,     "", 1,             &choice, "a\nb",       0},
    {mjITEM_SELECT,    "", 1,             &choice, "a\nb\nc",    0},
    {mjITEM_SECTION,   "", mjSECT_CLOSED, NULL,    "",           0},
    {mjITEM_SECTION,   "", mjSECT_OPEN,   NULL,    "",           1},
    {mjITEM_STATIC,    "", 1,             NULL,    "\1\n\1\n\1", 0},
    {mjITEM_END,       "", 0,             NULL,    "",           0},
};
enum { ON, OFF, BUTTON, GREY, SLIDER, RADIO, SELECT };

static Itf* example(mjrContext* con) {
  Itf* const itf = itf_make(0, 0);
  begin(con, mjFONTSCALE_100);
  itf->state.rect[1] = (mjrRect){20, 10, itf->ui.spacing.total, HEIGHT - 20};
  mjui_add(&itf->ui, TABLE);
  mjui_resize(&itf->ui, con);
  mjr_addAux(0, itf->ui.width, itf->ui.maxheight, 0, con);
  mjr_restoreBuffer(con);
  return itf;
}

static void test_colors(void** state) {
  (void)state;
  if (!model) skip();
  mjrContext con;
  Itf* const itf = example(&con);
  const mjuiThemeColor* const color = &itf->ui.color;
  const mjuiItem* const it = itf->ui.sect[0].item;
  mjui_update(-1, -1, &itf->ui, &itf->state, &con);
  draw(itf, &con);

  // outside, background, gradient of a title from its lower to its upper end
  const float blue[3] = {0, 0, 1};
  assert_true(isColor(10, 10, blue) && isColor(WIDTH - 1, HEIGHT - 1, blue) && isColor(30, HEIGHT - 5, blue));
  assert_true(isColor(21, 11, color->master));
  const mjrRect title = itf->ui.sect[0].rtitle;
  float middle[3];
  for (int k = 0; k < 3; k++) {
    middle[k] = color->secttitle2[k] + (color->secttitle[k] - color->secttitle2[k]) * 8.5f / title.height;
  }
  assert_true(hasColor(itf, title, 100, 8, middle));

  // boxes: full and empty with a border of two pixels
  assert_true(hasColor(itf, it[ON].rect, 40, 10, color->check));
  assert_true(hasColor(itf, it[OFF].rect, 1, 10, color->check));
  assert_true(hasColor(itf, it[OFF].rect, 2, 10, color->sectpane));
  assert_true(hasColor(itf, it[BUTTON].rect, 50, 1, color->button));
  assert_true(hasColor(itf, it[BUTTON].rect, 0, 0, color->sectpane));
  assert_true(hasColor(itf, it[GREY].rect, 50, 1, color->decorinactive));

  // slider in the middle, second choice
  assert_true(hasColor(itf, it[SLIDER].rect, it[SLIDER].rect.width / 2 - 2, 1, color->slider2));
  assert_true(hasColor(itf, it[SLIDER].rect, it[SLIDER].rect.width / 2 + 2, 1, color->slider));
  assert_true(hasColor(itf, it[RADIO].rect, it[RADIO].rect.width - 4, 4, color->radio));
  assert_true(hasColor(itf, it[RADIO].rect, 4, 4, color->sectpane));
  assert_true(hasColor(itf, it[SELECT].rect, it[SELECT].rect.width - 4, 4, color->select));
  assert_int_equal(mjr_getError(), 0);
  mjr_freeContext(&con);
  free(itf);
}

// one item is drawn, nothing else
static void test_one_item(void** state) {
  (void)state;
  if (!model) skip();
  mjrContext con;
  Itf* const itf = example(&con);
  const mjuiThemeColor* const color = &itf->ui.color;
  const mjuiItem* const it = itf->ui.sect[0].item;
  mjui_update(-1, -1, &itf->ui, &itf->state, &con);
  on = 0;
  off = 1;
  mjui_update(0, OFF, &itf->ui, &itf->state, &con);
  draw(itf, &con);
  assert_true(hasColor(itf, it[ON].rect, 40, 10, color->check));
  assert_true(hasColor(itf, it[OFF].rect, 40, 10, color->check));

  // its section
  mjui_update(0, -1, &itf->ui, &itf->state, &con);
  draw(itf, &con);
  assert_true(hasColor(itf, it[ON].rect, 40, 10, color->sectpane));
  on = 1;
  off = 0;

  // a button held down is full; events draw it
  const mjrRect r = it[BUTTON].rect;
  itf->state.x = 20 + r.left + r.width / 2;
  itf->state.y = 10 + itf->state.rect[1].height - itf->ui.height + r.bottom + 10;
  itf->state.type = mjEVENT_PRESS;
  itf->state.button = mjBUTTON_LEFT;
  mjui_event(&itf->ui, &itf->state, &con);
  draw(itf, &con);
  assert_true(hasColor(itf, r, 90, 10, color->button));
  itf->state.type = mjEVENT_RELEASE;
  mjui_event(&itf->ui, &itf->state, &con);
  draw(itf, &con);
  assert_true(hasColor(itf, r, 90, 10, color->sectpane));
  mjr_freeContext(&con);
  free(itf);
}

static void test_list(void** state) {
  (void)state;
  if (!model) skip();
  mjrContext con;
  Itf* const itf = example(&con);
  const mjuiThemeColor* const color = &itf->ui.color;
  const mjrRect r = itf->ui.sect[0].item[SELECT].rect;
  mjui_update(-1, -1, &itf->ui, &itf->state, &con);
  itf->ui.mousesect = 1;
  itf->ui.mouseitem = SELECT;
  itf->state.x = 20 + r.left + 30;
  itf->state.y = 10 + itf->state.rect[1].height - itf->ui.height + r.bottom - r.height * 1.5;
  draw(itf, &con);
  const int x = r.width - 4;
  assert_true(hasColor(itf, r, x, -r.height / 2, color->select2));
  assert_true(hasColor(itf, r, x, -r.height * 3 / 2, color->select));
  assert_true(hasColor(itf, r, x, -r.height * 5 / 2, color->select2));
  assert_true(hasColor(itf, r, -2, -r.height / 2, color->sectpane));
  mjr_freeContext(&con);
  free(itf);
}

// a window lower than the interface shows the part it is scrolled to, and a thumb
static void test_scrolled(void** state) {
  (void)state;
  if (!model) skip();
  mjrContext con;
  Itf* const itf = example(&con);
  const mjuiThemeColor* const color = &itf->ui.color;
  mjrRect* const window = itf->state.rect + 1;
  window->height = itf->ui.height / 2;
  mjui_update(-1, -1, &itf->ui, &itf->state, &con);
  itf->ui.scroll = 30;
  draw(itf, &con);
  const mjrRect r = itf->ui.sect[0].item[ON].rect, thumb = ui_scrollThumb(*window, &itf->ui, &con);
  assert_true(hasColor(itf, r, 40, 10, color->check));
  assert_true(isColor(thumb.left + 2, thumb.bottom + 2, color->thumb));
  assert_true(isColor(thumb.left + 2, thumb.bottom - 2, color->master));

  // scrolled too far
  itf->ui.scroll = 10000;
  draw(itf, &con);
  assert_int_equal(itf->ui.scroll, itf->ui.height - window->height);
  mjr_freeContext(&con);
  free(itf);
}

static void test_errors(void** state) {
  (void)state;
  mjrContext con;
  itf_font(&con, 100);
  Itf* const itf = itf_make(0, 0);
  assert_non_null(CATCH(mjui_update(-1, -1, &itf->ui, &itf->state, &con)));
  assert_non_null(CATCH(mjui_render(&itf->ui, &itf->state, &con)));
  assert_non_null(CATCH(mjui_update(-1, -1, NULL, &itf->state, &con)));
  assert_non_null(CATCH(mjui_update(-1, -1, &itf->ui, NULL, &con)));
  assert_non_null(CATCH(mjui_render(&itf->ui, &itf->state, NULL)));
  free(itf);
  if (!model) return;

  // no such section, no such kind, choices out of range
  Itf* const drawn = example(&con);
  assert_non_null(CATCH(mjui_update(mjMAXUISECT, 0, &drawn->ui, &drawn->state, &con)));
  assert_non_null(CATCH(mjui_update(0, mjMAXUIITEM, &drawn->ui, &drawn->state, &con)));
  choice = 1000;
  mjui_update(-1, -1, &drawn->ui, &drawn->state, &con);
  choice = -1000;
  mjui_update(-1, -1, &drawn->ui, &drawn->state, &con);
  choice = 1;
  drawn->ui.sect[0].item[0].type = mjNITEM;
  assert_non_null(CATCH(mjui_update(-1, -1, &drawn->ui, &drawn->state, &con)));
  mjr_freeContext(&con);
  free(drawn);
}

//---------------------------------- reference ----------------------------------

// pixels that differ at all
static int countDifferent(void) {
  int n = 0;
  for (int i = 0; i < WIDTH * HEIGHT; i++) n += memcmp(picture + 3 * i, expected + 3 * i, 3) != 0;
  return n;
}

// both libraries draw in one OpenGL context. The reference's glyphs are used by both, so that no pixel may differ: the
// shapes are the same, and so is the rasterizer.
static void test_reference(void** state) {
  (void)state;
  if (!model || !orc_available()) skip();
  Rnd rnd = {17};
  for (int round = 0; round < 12; round++) {
    mjrContext con, reference;
    const int fontscale = 50 + 50 * (round % 6);
    begin(&con, fontscale);
    ORC(mjr_defaultContext)(&reference);
    ORC(mjr_makeContext)(model, &reference, fontscale);
    ORC(mjr_setBuffer)(mjFB_OFFSCREEN, &reference);
    const unsigned int glyphs = con.baseFontNormal;
    con.baseFontNormal = reference.baseFontNormal;
    memcpy(con.charWidth, reference.charWidth, sizeof(con.charWidth));
    con.charHeight = reference.charHeight;

    Itf* const ours = itf_make(round % 2, round % 4);
    Itf* const theirs = itf_make(round % 2, round % 4);
    Rnd same = rnd;
    itf_define(ours, &rnd, 1 + round % 4, 10);
    itf_define(theirs, &same, 1 + round % 4, 10);
    mjui_add(&ours->ui, ours->def);
    ORC(mjui_add)(&theirs->ui, theirs->def);
    mjui_resize(&ours->ui, &con);
    ORC(mjui_resize)(&theirs->ui, &reference);
    ours->state.rect[1] = (mjrRect){10, 0, ours->ui.width, HEIGHT - 20};
    const int samples = round % 3 ? 4 : 0;
    mjr_addAux(0, ours->ui.width, ours->ui.maxheight, samples, &con);
    ORC(mjr_addAux)(0, ours->ui.width, ours->ui.maxheight, samples, &reference);

    // whole picture, then what events redraw of it
    mjui_update(-1, -1, &ours->ui, &ours->state, &con);
    ORC(mjui_update)(-1, -1, &theirs->ui, &theirs->state, &reference);
    for (int i = 0; i < 40; i++) {
      itf_event(ours, &rnd);
      ours->state.rect[1].height = mjMIN(HEIGHT, ours->state.rect[1].height);
      theirs->state = ours->state;
      mjr_restoreBuffer(&con);
      mjui_event(&ours->ui, &ours->state, &con);
      draw(ours, &con);
      ORC(mjr_restoreBuffer)(&reference);
      ORC(mjui_event)(&theirs->ui, &theirs->state, &reference);
      ORC(mjr_rectangle)(WHOLE, 0, 0, 1, 1);
      ORC(mjui_render)(&theirs->ui, &theirs->state, &reference);
      ORC(mjr_readPixels)(expected, NULL, WHOLE, &reference);
      const int different = countDifferent();
      if (different) fail_msg("round %d, event %d: %d pixels differ", round, i, different);
      assert_null(itf_differ(ours, theirs));
    }
    assert_int_equal(mjr_getError(), 0);
    free(ours);
    free(theirs);
    con.baseFontNormal = glyphs;
    mjr_freeContext(&con);
    ORC(mjr_freeContext)(&reference);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_colors),   cmocka_unit_test(test_one_item), cmocka_unit_test(test_list),
      cmocka_unit_test(test_scrolled), cmocka_unit_test(test_errors),   cmocka_unit_test(test_reference),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
