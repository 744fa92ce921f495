// Events on every kind of item, on titles, the scroll bar and by shortcuts; equal to the reference over random
// sequences.
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
#include "support/oracle.h"

static int check, radio, line, choice, whole;
static mjtByte byte;
static mjtNum real;
static int integers[2];

static const mjuiDef TABLE[] = {
    {mjITEM_SECTION,   "First",  mjSECT_OPEN,   NULL,     "CF",         0},
    {mjITEM_BUTTON,    "button", 1,             NULL,     " B",         0},
    {mjITEM_CHECKINT,  "check",  1,             &check,   "C#256",      0},
    {mjITEM_CHECKBYTE, "byte",   1,             &byte,    "SX",         0},
    {mjITEM_RADIO,     "radio",  1,             &radio,   "a\nb\nc",    0},
    {mjITEM_RADIOLINE, "line",   1,             &line,    "xx\nyy\nzz", 0},
    {mjITEM_SELECT,    "select", 1,             &choice,  "p\nq\nr",    0},
    {mjITEM_SLIDERINT, "whole",  1,             &whole,   "0 10",       0},
    {mjITEM_SLIDERNUM, "real",   1,             &real,    "-1 1 4",     0},
    {mjITEM_EDITINT,   "edit",   1,             integers, "2 0 9 0 9",  0},
    {mjITEM_BUTTON,    "grey",   3,             NULL,     " G",         0},
    {mjITEM_SEPARATOR, "fold",   mjSEPCLOSED,   NULL,     "",           0},
    {mjITEM_STATIC,    "",       1,             NULL,     "text",       0},
    {mjITEM_SECTION,   "Second", mjSECT_CLOSED, NULL,     "AS",         1},
    {mjITEM_BUTTON,    "other",  1,             NULL,     "",           0},
    {mjITEM_END,       "",       0,             NULL,     "",           0},
};
enum { BUTTON, CHECK, BYTE, RADIO, LINE, SELECT, WHOLE, REAL, EDIT, GREY, FOLD, TEXT };

static mjrContext con;

static Itf* example(void) {
  Itf* const itf = itf_make(0, 0);
  itf_font(&con, 100);
  check = radio = line = choice = whole = byte = 0;
  real = 0;
  integers[0] = integers[1] = 5;
  mjui_add(&itf->ui, TABLE);
  mjui_resize(&itf->ui, &con);
  return itf;
}

// mouse at a part of a rectangle of the interface
static void point(Itf* itf, mjrRect r, double x, double y) {
  const mjrRect window = itf->state.rect[1];
  itf->state.x = window.left + r.left + x * r.width;
  itf->state.y = window.bottom + window.height - itf->ui.height + r.bottom + y * r.height;
}

static mjuiItem* send(Itf* itf, int type) {
  itf->state.type = type;
  itf->state.button = mjBUTTON_LEFT;
  return mjui_event(&itf->ui, &itf->state, &con);
}

static mjuiItem* click(Itf* itf, int item, double x, double y) {
  point(itf, itf->ui.sect[0].item[item].rect, x, y);
  mjuiItem* const changed = send(itf, mjEVENT_PRESS);
  send(itf, mjEVENT_RELEASE);
  return changed;
}

static mjuiItem* strike(Itf* itf, int key) {
  itf->state.key = key;
  return send(itf, mjEVENT_KEY);
}

//---------------------------------- one by one ----------------------------------

static void test_items(void** state) {
  (void)state;
  Itf* const itf = example();
  mjuiItem* const it = itf->ui.sect[0].item;
  assert_ptr_equal(click(itf, BUTTON, 0.5, 0.5), it + BUTTON);
  assert_int_equal(itf->ui.mousesect, 0);
  assert_null(click(itf, BUTTON, 0.01, 0.99));
  assert_ptr_equal(click(itf, CHECK, 0.5, 0.5), it + CHECK);
  assert_int_equal(check, 1);
  click(itf, CHECK, 0.5, 0.5);
  assert_int_equal(check, 0);
  click(itf, BYTE, 0.5, 0.5);
  assert_int_equal(byte, 1);

  // choices: second row and first column, not the empty place beside it
  assert_ptr_equal(click(itf, RADIO, 0.2, 0.2), it + RADIO);
  assert_int_equal(radio, 2);
  assert_null(click(itf, RADIO, 0.8, 0.2));
  assert_int_equal(radio, 2);
  click(itf, LINE, 0.5, 0.5);
  assert_int_equal(line, 1);

  // disabled by the predicate
  assert_null(click(itf, GREY, 0.5, 0.5));
  assert_null(click(itf, TEXT, 0.5, 0.5));
  free(itf);
}

static void test_slider(void** state) {
  (void)state;
  Itf* const itf = example();
  mjuiItem* const it = itf->ui.sect[0].item + WHOLE;
  point(itf, it->rect, 0.32, 0.5);
  assert_ptr_equal(send(itf, mjEVENT_PRESS), it);
  assert_int_equal(whole, 3);

  // it keeps the mouse until the button is up, even far away
  point(itf, it->rect, 7, -20);
  assert_ptr_equal(send(itf, mjEVENT_MOVE), it);
  assert_int_equal(whole, 10);
  point(itf, it->rect, -7, 3);
  send(itf, mjEVENT_MOVE);
  assert_int_equal(whole, 0);
  send(itf, mjEVENT_RELEASE);
  point(itf, it->rect, 0.5, 0.5);
  assert_null(send(itf, mjEVENT_MOVE));
  assert_int_equal(whole, 0);

  // four divisions
  click(itf, REAL, 0.8, 0.5);
  assert_float_equal(real, 0.5, 0);
  free(itf);
}

static void test_select(void** state) {
  (void)state;
  Itf* const itf = example();
  mjuiItem* const it = itf->ui.sect[0].item + SELECT;
  point(itf, it->rect, 0.5, 0.5);
  assert_null(send(itf, mjEVENT_PRESS));
  assert_int_equal(itf->ui.mousesect, 1);
  assert_int_equal(itf->ui.mouseitem, SELECT);

  // third line of the list below
  point(itf, it->rect, 0.5, -2.5);
  assert_ptr_equal(send(itf, mjEVENT_RELEASE), it);
  assert_int_equal(choice, 2);

  // released elsewhere: nothing chosen
  point(itf, it->rect, 0.5, 0.5);
  send(itf, mjEVENT_PRESS);
  point(itf, it->rect, 0.5, 4);
  assert_null(send(itf, mjEVENT_RELEASE));
  assert_int_equal(choice, 2);
  assert_int_equal(itf->ui.mousesect, 0);
  free(itf);
}

static void test_edit(void** state) {
  (void)state;
  Itf* const itf = example();
  mjuiItem* const it = itf->ui.sect[0].item + EDIT;
  click(itf, EDIT, 0.99, 0.5);
  assert_int_equal(itf->ui.editsect, 1);
  assert_string_equal(itf->ui.edittext, "5  5");
  assert_int_equal(itf->ui.editcursor, 4);

  // out of range: not taken
  strike(itf, '7');
  assert_int_equal(itf->state.key, 0);
  assert_null(strike(itf, mjKEY_ENTER));
  assert_int_equal(itf->ui.editsect, 1);
  strike(itf, mjKEY_BACKSPACE);
  strike(itf, mjKEY_BACKSPACE);
  strike(itf, '8');
  assert_ptr_equal(strike(itf, mjKEY_ENTER), it);
  assert_ptr_equal(itf->ui.editchanged, it);
  assert_int_equal(integers[1], 8);
  assert_int_equal(itf->ui.editsect, 0);

  // a click elsewhere takes it too, and tells
  click(itf, EDIT, 0.01, 0.5);
  strike(itf, mjKEY_DELETE);
  strike(itf, '1');
  point(itf, itf->ui.sect[0].item[GREY].rect, 0.5, 0.5);
  assert_ptr_equal(send(itf, mjEVENT_PRESS), it);
  assert_int_equal(integers[0], 1);

  // escape does not
  click(itf, EDIT, 0.01, 0.5);
  strike(itf, '9');
  assert_null(strike(itf, mjKEY_ESCAPE));
  assert_int_equal(itf->ui.editsect, 0);
  assert_int_equal(integers[0], 1);
  free(itf);
}

static void test_titles(void** state) {
  (void)state;
  Itf* const itf = example();
  mjUI* const ui = &itf->ui;
  const int height = ui->height;
  point(itf, ui->sect[0].rtitle, 0.5, 0.5);
  send(itf, mjEVENT_PRESS);
  assert_int_equal(ui->sect[0].state, mjSECT_CLOSED);
  assert_true(ui->height < height);
  point(itf, ui->sect[0].rtitle, 0.5, 0.5);
  send(itf, mjEVENT_PRESS);
  assert_int_equal(ui->sect[0].state, mjSECT_OPEN);

  // the second click of a double click: all like this one
  itf->state.doubleclick = 1;
  point(itf, ui->sect[0].rtitle, 0.5, 0.5);
  send(itf, mjEVENT_PRESS);
  assert_int_equal(ui->sect[1].state, mjSECT_OPEN);
  itf->state.doubleclick = 0;

  // check box of a title is left to the program
  point(itf, ui->sect[1].rtitle, 0.02, 0.5);
  assert_null(send(itf, mjEVENT_PRESS));
  assert_int_equal(ui->mousesectcheck, 2);
  assert_int_equal(ui->sect[1].state, mjSECT_OPEN);
  assert_int_equal(ui->sect[1].lastclick, ui->mouseclicks);

  // separator
  const int before = ui->height;
  click(itf, FOLD, 0.5, 0.5);
  assert_int_equal(ui->sect[0].item[FOLD].state, mjSEPCLOSED + 1);
  assert_int_equal(ui->sect[0].item[TEXT].skip, 0);
  assert_true(ui->height > before);
  free(itf);
}

static void test_shortcuts(void** state) {
  (void)state;
  Itf* const itf = example();
  mjuiItem* const it = itf->ui.sect[0].item;
  assert_ptr_equal(strike(itf, 'B'), it + BUTTON);
  assert_int_equal(itf->state.key, 0);
  assert_null(strike(itf, mjKEY_ESCAPE));
  itf->state.control = 1;
  assert_ptr_equal(strike(itf, mjKEY_ESCAPE), it + CHECK);
  assert_int_equal(check, 1);
  itf->state.shift = 1;
  assert_null(strike(itf, 'X'));
  itf->state.control = 0;
  assert_ptr_equal(strike(itf, 'X'), it + BYTE);
  itf->state.shift = 0;

  // disabled: the key is taken all the same; unknown: it is left
  assert_null(strike(itf, 'G'));
  assert_int_equal(itf->state.key, 0);
  assert_null(strike(itf, 'Q'));
  assert_int_equal(itf->state.key, 'Q');

  // section: the only one open
  itf->state.alt = 1;
  assert_null(strike(itf, 'S'));
  assert_int_equal(itf->ui.sect[0].state, mjSECT_CLOSED);
  assert_int_equal(itf->ui.sect[1].state, mjSECT_OPEN);
  free(itf);
}

static void test_scroll(void** state) {
  (void)state;
  Itf* const itf = example();
  mjUI* const ui = &itf->ui;
  mjrRect* const window = itf->state.rect + 1;
  window->height = ui->height / 2;
  const int most = ui->height - window->height;

  // wheel
  itf->state.sy = -1;
  send(itf, mjEVENT_SCROLL);
  assert_int_equal(ui->scroll, 30);
  itf->state.sy = -1000;
  send(itf, mjEVENT_SCROLL);
  assert_int_equal(ui->scroll, most);
  itf->state.sy = 1000;
  send(itf, mjEVENT_SCROLL);
  assert_int_equal(ui->scroll, 0);

  // bar: below the thumb, above it, dragging it by a tenth of the window
  itf->state.x = window->width - 2;
  itf->state.y = 2;
  send(itf, mjEVENT_PRESS);
  assert_int_equal(ui->scroll, most);
  itf->state.y = window->height - 2;
  send(itf, mjEVENT_PRESS);
  assert_int_equal(ui->scroll, 0);
  send(itf, mjEVENT_PRESS);
  assert_int_equal(ui->mousesect, -1);
  itf->state.dy = -0.1 * window->height;
  send(itf, mjEVENT_MOVE);
  assert_in_range(ui->scroll, ui->height / 10, ui->height / 10 + 1);
  send(itf, mjEVENT_RELEASE);
  assert_int_equal(ui->mousesect, 0);

  // a larger window
  window->height = 10000;
  send(itf, mjEVENT_RESIZE);
  assert_int_equal(ui->scroll, 0);
  free(itf);
}

static void test_buttons(void** state) {
  (void)state;
  Itf* const itf = example();
  itf->state.button = mjBUTTON_RIGHT;
  itf->state.type = mjEVENT_PRESS;
  point(itf, itf->ui.sect[0].item[CHECK].rect, 0.5, 0.5);
  assert_null(mjui_event(&itf->ui, &itf->state, &con));
  assert_int_equal(itf->ui.mousehelp, 1);
  itf->state.type = mjEVENT_RELEASE;
  mjui_event(&itf->ui, &itf->state, &con);
  assert_int_equal(itf->ui.mousehelp, 0);
  assert_int_equal(check, 0);

  // what is missing
  assert_non_null(CATCH(mjui_event(NULL, &itf->state, &con)));
  assert_non_null(CATCH(mjui_event(&itf->ui, NULL, &con)));
  assert_non_null(CATCH(mjui_event(&itf->ui, &itf->state, NULL)));
  itf->ui.rectid = mjMAXUIRECT;
  assert_non_null(CATCH(mjui_event(&itf->ui, &itf->state, &con)));
  free(itf);
}

//---------------------------------- random ----------------------------------

// any sequence leaves the interface in order
static void test_random(void** state) {
  (void)state;
  Rnd rnd = {11};
  for (int round = 0; round < 40; round++) {
    itf_font(&con, 50 + 50 * (round % 6));
    Itf* const itf = itf_make(round % 2, 0);
    itf_define(itf, &rnd, 1 + round % mjMAXUISECT, 12);
    mjui_add(&itf->ui, itf->def);
    mjui_resize(&itf->ui, &con);
    for (int i = 0; i < 500; i++) {
      itf_event(itf, &rnd);
      if (rnd_below(&rnd, 100) == 0) itf->state.x = 1e300;
      if (rnd_below(&rnd, 100) == 0) itf->state.y = itf->state.dy = itf->state.sy = 0.0 / 0.0;
      const mjuiItem* const it = mjui_event(&itf->ui, &itf->state, &con);
      assert_true(!it || (it->sectionid < itf->ui.nsect && it->itemid < itf->ui.sect[it->sectionid].nitem));
      assert_true(itf->ui.scroll >= 0 && itf->ui.height > 0);
      assert_true(itf->ui.editcursor >= 0 && itf->ui.editcursor <= (int)strlen(itf->ui.edittext));
      assert_true(itf->ui.editscroll >= 0 && itf->ui.editscroll <= (int)strlen(itf->ui.edittext));
    }
    free(itf);
  }
}

// distances of no theme, wide enough for the text of edit fields, and another rectangle of the window
static void respace(Itf* ours, Itf* theirs, Rnd* rnd) {
  int* const distance = (int*)&ours->ui.spacing;
  for (size_t i = 0; i < sizeof(mjuiThemeSpacing) / sizeof(int); i++) distance[i] = rnd_below(rnd, 40);
  ours->ui.spacing.total = 400;
  theirs->ui.spacing = ours->ui.spacing;
  ours->state.rect[1] = (mjrRect){rnd_below(rnd, 50), rnd_below(rnd, 50), rnd_below(rnd, 400), rnd_below(rnd, 600)};
}

// both libraries get the same events; only the reference draws, which changes nothing
static void test_reference(void** state) {
  (void)state;
  if (!orc_available() || !glc_make()) skip();
  mjModel* const m = orc_compile("<mujoco/>");
  Rnd rnd = {13};
  int changes = 0, edits = 0;
  for (int round = 0; round < 24; round++) {
    mjrContext reference;
    ORC(mjr_defaultContext)(&reference);
    ORC(mjr_makeContext)(m, &reference, 50 + 50 * (round % 6));
    con = reference;
    con.glInitialized = 0;
    Itf* const ours = itf_make(round % 2, 0);
    Itf* const theirs = itf_make(round % 2, 0);
    Rnd same = rnd;
    itf_define(ours, &rnd, 1 + round % 4, 12);
    itf_define(theirs, &same, 1 + round % 4, 12);
    ours->ui.radiocol = theirs->ui.radiocol = round % 4;
    if (round % 3 == 0) respace(ours, theirs, &rnd);
    mjui_add(&ours->ui, ours->def);
    ORC(mjui_add)(&theirs->ui, theirs->def);
    mjui_resize(&ours->ui, &con);
    ORC(mjui_resize)(&theirs->ui, &reference);
    ORC(mjr_addAux)(0, theirs->ui.width, theirs->ui.maxheight, 0, &reference);
    for (int i = 0; i < 800; i++) {
      itf_event(ours, &rnd);
      theirs->state = ours->state;
      const int got = itf_index(ours, mjui_event(&ours->ui, &ours->state, &con));
      const int wanted = itf_index(theirs, ORC(mjui_event)(&theirs->ui, &theirs->state, &reference));
      const char* const wrong = itf_differ(ours, theirs);
      if (wrong || got != wanted) {
        fail_msg("round %d, event %d of type %d: returned %d %d; %s", round, i, theirs->state.type, got, wanted,
                 wrong ? wrong : "equal");
      }
      changes += got >= 0;
      edits += ours->ui.editsect > 0;
    }
    free(ours);
    free(theirs);
    ORC(mjr_freeContext)(&reference);
  }

  // the sequences do something
  assert_true(changes > 300 && edits > 1000);
  ORC(mj_deleteModel)(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_items),     cmocka_unit_test(test_slider),  cmocka_unit_test(test_select),
      cmocka_unit_test(test_edit),      cmocka_unit_test(test_titles),  cmocka_unit_test(test_shortcuts),
      cmocka_unit_test(test_scroll),    cmocka_unit_test(test_buttons), cmocka_unit_test(test_random),
      cmocka_unit_test(test_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
