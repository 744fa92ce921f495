// Rectangles of sections and items: stacking, folding, pairs, labels, the limit of OpenGL; equal to the reference.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "render/gl.h"
#include "support/catch.h"
#include "support/glcontext.h"
#include "support/interface.h"
#include "support/oracle.h"
#include "ui/ui.h"

static int number;

static const mjuiDef TABLE[] = {
    {mjITEM_SECTION,   "Open",   mjSECT_OPEN,     NULL,    "",              0},
    {mjITEM_BUTTON,    "one",    1,               NULL,    "",              0},
    {mjITEM_BUTTON,    "two",    1,               NULL,    "",              0},
    {mjITEM_SEPARATOR, "fold",   mjSEPCLOSED,     NULL,    "",              0},
    {mjITEM_CHECKINT,  "check",  1,               &number, "",              0},
    {mjITEM_SEPARATOR, "open",   mjSEPCLOSED + 1, NULL,    "",              0},
    {mjITEM_RADIO,     "",       1,               &number, "a\nb\nc",       0},
    {mjITEM_RADIO,     "radio",  1,               &number, "a\nb\nc\nd\ne", 0},
    {mjITEM_STATIC,    "",       1,               NULL,    "x\ny\nz",       0},
    {mjITEM_SECTION,   "Closed", mjSECT_CLOSED,   NULL,    "",              0},
    {mjITEM_SLIDERINT, "slider", 1,               &number, "0 1",           0},
    {mjITEM_SECTION,   "Fixed",  mjSECT_FIXED,    NULL,    "",              0},
    {mjITEM_BUTTON,    "alone",  1,               NULL,    "",              0},
    {mjITEM_END,       "",       0,               NULL,    "",              0},
};

static Itf* example(mjrContext* con) {
  Itf* const itf = itf_make(0, 0);
  itf_font(con, 100);
  mjui_add(&itf->ui, TABLE);
  mjui_resize(&itf->ui, con);
  return itf;
}

// distances of theme 0: section 8, between items 4, line 14 + 2·4
static void test_stack(void** state) {
  (void)state;
  mjrContext con;
  Itf* const itf = example(&con);
  const mjUI* const ui = &itf->ui;
  const mjuiItem* const it = ui->sect[0].item;

  // from the top: gap, title, gap, buttons
  assert_int_equal(ui->width, 270);
  assert_int_equal(ui->sect[0].rtitle.bottom + ui->sect[0].rtitle.height, ui->height - 8);
  assert_int_equal(ui->sect[0].rtitle.height, 22);
  assert_int_equal(it[0].rect.bottom, ui->height - 8 - 22 - 4 - 22);

  // pair: as wide as each other, with a gap between, within the contents
  assert_int_equal(it[1].rect.bottom, it[0].rect.bottom);
  assert_int_equal(it[1].rect.width, it[0].rect.width);
  assert_int_equal(it[1].rect.left, it[0].rect.left + it[0].rect.width + 4);
  assert_true(it[1].rect.left + it[1].rect.width <= ui->sect[0].rcontent.left + ui->sect[0].rcontent.width - 4);

  // folded item has no place, the separator after it follows at once
  assert_int_equal(it[3].skip, 1);
  assert_int_equal(it[3].rect.height, 0);
  assert_int_equal(it[4].rect.bottom, it[2].rect.bottom - 8 - 22);

  // rows of radio buttons, label, lines of text
  assert_int_equal(it[5].rect.height, 2 * 22);
  assert_int_equal(it[6].rect.height, 3 * 22);
  assert_int_equal(it[6].rect.left, it[5].rect.left + 120);
  assert_int_equal(it[6].rect.width, it[5].rect.width - 120);
  assert_int_equal(it[7].rect.height, 3 * (14 + 4));

  // the last section has no title and ends a gap above the lower end
  assert_int_equal(ui->sect[2].rtitle.height, 0);
  assert_int_equal(ui->sect[2].rcontent.bottom, 8);
  free(itf);
}

// nothing in view overlaps and everything is inside its section
static void test_inside(void** state) {
  (void)state;
  Rnd rnd = {7};
  for (int round = 0; round < 30; round++) {
    mjrContext con;
    itf_font(&con, 50 + 50 * (round % 6));
    Itf* const itf = itf_make(round % 2, 0);
    itf_define(itf, &rnd, 1 + round % mjMAXUISECT, 20);
    mjui_add(&itf->ui, itf->def);
    mjui_resize(&itf->ui, &con);
    int above = itf->ui.height;
    for (int n = 0; n < itf->ui.nsect; n++) {
      const mjuiSection* const s = itf->ui.sect + n;
      assert_true(s->rtitle.bottom + s->rtitle.height < above);
      above = s->rtitle.bottom;
      assert_int_equal(s->rcontent.bottom + s->rcontent.height, s->rtitle.bottom);
      for (int i = 0; i < s->nitem; i++) {
        const mjrRect r = s->item[i].rect;
        if (s->item[i].skip) continue;
        assert_true(r.bottom >= s->rcontent.bottom && r.bottom + r.height <= s->rtitle.bottom);
        assert_true(r.left >= s->rcontent.left && r.left + r.width <= s->rcontent.left + s->rcontent.width);
        const mjrRect before = i ? s->item[i - 1].rect : (mjrRect){0};
        if (i && !s->item[i - 1].skip) assert_true(r.bottom + r.height <= before.bottom || r.left > before.left);
      }
      if (s->state) above = s->rcontent.bottom;
    }
    assert_true(above > 0 && itf->ui.maxheight >= itf->ui.height);
    free(itf);
  }
}

static void test_maximum(void** state) {
  (void)state;
  mjrContext con;
  Itf* const itf = example(&con);

  // with everything open and unfolded it is as high as promised before
  const int promised = itf->ui.maxheight;
  assert_true(itf->ui.height < promised);
  itf->ui.sect[1].state = mjSECT_OPEN;
  itf->ui.sect[0].item[2].state = mjSEPCLOSED + 1;
  mjui_resize(&itf->ui, &con);
  assert_int_equal(itf->ui.height, promised);
  assert_int_equal(itf->ui.maxheight, promised);
  assert_non_null(CATCH(mjui_resize(NULL, &con)));
  assert_non_null(CATCH(mjui_resize(&itf->ui, NULL)));
  free(itf);
}

static void test_round(void** state) {
  (void)state;
  assert_int_equal(ui_round(0.5), 1);
  assert_int_equal(ui_round(-0.5), 0);
  assert_int_equal(ui_round(1e300), INT32_MAX);
  assert_int_equal(ui_round(-1e300), INT32_MIN);
  assert_int_equal(ui_round(0.0 / 0.0), 0);
}

//---------------------------------- reference ----------------------------------

static mjModel* model;
static mjrContext reference;
static int hasGl;

// OpenGL, with its limits for us and a context of the reference
static int setup(void** state) {
  (void)state;
  hasGl = glc_make();
  if (hasGl) assert_null(ren_loadGl());
  if (!hasGl || !orc_available()) return 0;
  model = orc_compile("<mujoco/>");
  ORC(mjr_defaultContext)(&reference);
  ORC(mjr_makeContext)(model, &reference, mjFONTSCALE_100);
  return 0;
}

static int teardown(void** state) {
  (void)state;
  if (!model) return 0;
  ORC(mjr_freeContext)(&reference);
  ORC(mj_deleteModel)(model);
  return 0;
}

static void test_reference(void** state) {
  (void)state;
  if (!model) skip();
  Rnd rnd = {3};
  int nrefused = 0;
  for (int round = 0; round < 120; round++) {
    Itf* const ours = itf_make(round % 2, 0);
    Itf* const theirs = itf_make(round % 2, 0);
    Rnd same = rnd;
    itf_define(ours, &rnd, 1 + round % mjMAXUISECT, 20);
    itf_define(theirs, &same, 1 + round % mjMAXUISECT, 20);
    ours->ui.radiocol = theirs->ui.radiocol = round % 5;
    mjui_add(&ours->ui, ours->def);
    ORC(mjui_add)(&theirs->ui, theirs->def);

    // spacings and fonts of all sizes
    int* const distance = (int*)&ours->ui.spacing;
    for (size_t i = 0; i < sizeof(mjuiThemeSpacing) / sizeof(int) && round % 3 == 2; i++)
      distance[i] = rnd_below(&rnd, 300);
    theirs->ui.spacing = ours->ui.spacing;
    mjrContext con = reference;
    con.fontScale = 50 + rnd_below(&rnd, 250);
    con.charHeight = 1 + rnd_below(&rnd, 40);
    const int refused = CATCH(mjui_resize(&ours->ui, &con)) != NULL;
    assert_int_equal(refused, CATCH_REFERENCE(ORC(mjui_resize)(&theirs->ui, &con)) != NULL);
    const char* const wrong = refused ? NULL : itf_differ(ours, theirs);
    if (wrong) fail_msg("round %d: %s", round, wrong);
    nrefused += refused;
    free(ours);
    free(theirs);
  }

  // most fit into what OpenGL can draw
  assert_in_range(nrefused, 1, 40);
}

// more than OpenGL can draw: sections that were not clicked for long are closed
static void test_limit(void** state) {
  (void)state;
  if (!hasGl) skip();
  GLint limit = 0;
  gl.GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limit);
  assert_true(limit > 0);
  const mjuiDef section[] = {
      {mjITEM_SECTION, "section", mjSECT_OPEN, NULL, "", 0},
      {mjITEM_END,     "",        0,           NULL, "", 0},
  };
  const mjuiDef item[] = {
      {mjITEM_SEPARATOR, "item", 1, NULL, "", 0},
      {mjITEM_END,       "",     0, NULL, "", 0},
  };
  mjrContext con;
  itf_font(&con, 300);
  Rnd rnd = {5};
  for (int round = 0; round < 20; round++) {
    Itf* const ours = itf_make(0, 0);
    Itf* const theirs = itf_make(0, 0);
    for (int n = 0; n < mjMAXUISECT; n++) {
      const int count = 20 + rnd_below(&rnd, 100);
      mjui_add(&ours->ui, section);
      for (int i = 0; i < count; i++) mjui_add(&ours->ui, item);
      ours->ui.sect[n].lastclick = rnd_below(&rnd, 6);
    }
    theirs->ui = ours->ui;
    mjui_resize(&ours->ui, &con);
    assert_true(ours->ui.height <= limit);
    assert_int_equal(ours->ui.maxheight, limit);
    if (model) {
      ORC(mjui_resize)(&theirs->ui, &con);
      const char* const wrong = itf_differ(ours, theirs);
      if (wrong) fail_msg("round %d: %s", round, wrong);
    }

    // sections that cannot be closed
    for (int n = 0; n < mjMAXUISECT; n++) ours->ui.sect[n].state = mjSECT_FIXED;
    assert_non_null(CATCH(mjui_resize(&ours->ui, &con)));
    free(ours);
    free(theirs);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stack), cmocka_unit_test(test_inside),    cmocka_unit_test(test_maximum),
      cmocka_unit_test(test_round), cmocka_unit_test(test_reference), cmocka_unit_test(test_limit),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
