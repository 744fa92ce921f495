// What is under the mouse, and where choices are: each point belongs to the thing whose rectangle holds it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "support/interface.h"
#include "ui/ui.h"

static int number;
static mjrContext con;

static Itf* make(const mjuiDef* def) {
  Itf* const itf = itf_make(0, 0);
  itf_font(&con, 100);
  mjui_add(&itf->ui, def);
  mjui_resize(&itf->ui, &con);
  return itf;
}

// mouse at a point of the interface
static void point(Itf* itf, int x, int y) {
  const mjrRect window = itf->state.rect[1];
  itf->state.x = window.left + x;
  itf->state.y = window.bottom + window.height - itf->ui.height + itf->ui.scroll + y;
}

static void test_places(void** state) {
  (void)state;
  const mjuiDef def[] = {
      {mjITEM_SECTION,  "Checked", mjSECT_OPEN,   NULL,    "", 1},
      {mjITEM_BUTTON,   "button",  1,             NULL,    "", 0},
      {mjITEM_CHECKINT, "check",   1,             &number, "", 0},
      {mjITEM_SECTION,  "Closed",  mjSECT_CLOSED, NULL,    "", 0},
      {mjITEM_CHECKINT, "hidden",  1,             &number, "", 0},
      {mjITEM_END,      "",        0,             NULL,    "", 0},
  };
  Itf* const itf = make(def);
  const mjuiSection* const s = itf->ui.sect;
  const struct {
    mjrRect rect;
    int dx, dy;
    UiPlace place;
  } CASES[] = {
      {s[0].rtitle,       100, 5,  {1, UI_TITLE}  },
      {s[0].rtitle,       5,   5,  {1, UI_CHECK}  },
      {s[0].item[0].rect, 50,  10, {1, 0}         },
      {s[0].item[0].rect, 0,   0,  {UI_NOWHERE, 0}},
      {s[0].item[0].rect, 0,   11, {UI_NOWHERE, 0}},
      {s[0].item[0].rect, 1,   11, {1, 0}         },
      {s[0].item[1].rect, 0,   0,  {1, 1}         },
      {s[0].item[1].rect, -1,  0,  {UI_NOWHERE, 0}},
      {s[1].rtitle,       5,   5,  {2, UI_TITLE}  },
      {s[1].item[0].rect, 50,  10, {UI_NOWHERE, 0}},
  };
  for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
    point(itf, CASES[i].rect.left + CASES[i].dx, CASES[i].rect.bottom + CASES[i].dy);
    const UiPlace place = ui_placeOfMouse(&itf->ui, &itf->state, &con);
    if (place.sect != CASES[i].place.sect || place.item != CASES[i].place.item) {
      fail_msg("case %zu: section %d, item %d", i, place.sect, place.item);
    }
  }
  free(itf);
}

static void test_scroll_bar(void** state) {
  (void)state;
  const mjuiDef def[] = {
      {mjITEM_SECTION, "Section", mjSECT_OPEN, NULL, "",              0},
      {mjITEM_STATIC,  "",        1,           NULL, "1\n2\n3\n4\n5", 0},
      {mjITEM_END,     "",        0,           NULL, "",              0},
  };
  Itf* const itf = make(def);
  mjrRect* const window = itf->state.rect + 1;
  window->left = 30;
  window->bottom = 40;
  window->height = itf->ui.height / 2;
  itf->ui.scroll = itf->ui.height / 4;

  // the thumb is half the bar, in its middle
  const mjrRect thumb = ui_scrollThumb(*window, &itf->ui, &con);
  assert_int_equal(thumb.left + thumb.width, window->left + window->width);
  assert_in_range(thumb.height, window->height / 2 - 1, window->height / 2 + 1);
  assert_in_range(thumb.bottom, 40 + window->height / 4 - 1, 40 + window->height / 4 + 1);
  itf->state.x = thumb.left + 1;
  const struct {
    int y, sect;
  } CASES[] = {
      {thumb.bottom - 1,                UI_BELOW_THUMB},
      {thumb.bottom,                    UI_THUMB      },
      {thumb.bottom + thumb.height,     UI_THUMB      },
      {thumb.bottom + thumb.height + 1, UI_ABOVE_THUMB},
  };
  for (int i = 0; i < 4; i++) {
    itf->state.y = CASES[i].y;
    assert_int_equal(ui_placeOfMouse(&itf->ui, &itf->state, &con).sect, CASES[i].sect);
  }

  // scrolled contents, seen through the window
  const mjrRect r = itf->ui.sect[0].item[0].rect;
  point(itf, r.left + 3, r.bottom + r.height / 2);
  assert_int_equal(ui_placeOfMouse(&itf->ui, &itf->state, &con).sect, 1);
  free(itf);
}

// the rectangle of a choice holds the points that choose it
static void test_choices(void** state) {
  (void)state;
  const mjuiDef def[] = {
      {mjITEM_SECTION,   "Section", mjSECT_OPEN, NULL,    "",                    0},
      {mjITEM_RADIO,     "radio",   1,           &number, "a\nb\nc\nd\ne\nf\ng", 0},
      {mjITEM_RADIOLINE, "line",    1,           &number, "a\nlonger\nx\nyy",    0},
      {mjITEM_SELECT,    "select",  1,           &number, "a\nb\nc",             0},
      {mjITEM_RADIOLINE, "none",    1,           &number, "",                    0},
      {mjITEM_END,       "",        0,           NULL,    "",                    0},
  };
  Itf* const itf = make(def);
  const mjuiItem* const it = itf->ui.sect[0].item;
  for (int ncol = 0; ncol < 5; ncol++) {
    itf->ui.radiocol = ncol;
    mjui_resize(&itf->ui, &con);
    for (int k = 0; k < it[0].multi.nelem; k++) {
      const mjrRect r = ui_radioRect(it, k, &itf->ui, &con);
      point(itf, r.left + r.width / 2, r.bottom + r.height / 2);
      assert_int_equal(ui_choiceOfRadio(it, &itf->ui, &itf->state), k);
    }
  }

  // parts of a line fill it
  int stop[mjMAXUIMULTI + 1];
  ui_lineStops(it + 1, &con, stop);
  assert_int_equal(stop[0], 0);
  assert_int_equal(stop[4], it[1].rect.width);
  for (int k = 0; k < 4; k++) {
    assert_true(stop[k + 1] - stop[k] >= ui_textWidth(it[1].multi.name[k], mjMAXUINAME, &con));
    point(itf, it[1].rect.left + stop[k], it[1].rect.bottom + 1);
    assert_int_equal(ui_choiceOfLine(it + 1, &itf->ui, &itf->state, &con), k);
  }
  assert_int_equal(ui_choiceOfLine(it + 3, &itf->ui, &itf->state, &con), -1);

  // a list below its item, only while it has the mouse
  const mjrRect r = it[2].rect;
  for (int held = 0; held < 2; held++) {
    itf->ui.mousesect = held;
    itf->ui.mouseitem = 2;
    for (int k = 0; k < 3; k++) {
      point(itf, r.left + r.width / 2, r.bottom - k * r.height - r.height / 2);
      assert_int_equal(ui_choiceOfSelect(it + 2, &itf->ui, &itf->state, &con), held ? k : -1);
    }
  }
  point(itf, r.left + r.width / 2, r.bottom + 1);
  assert_int_equal(ui_choiceOfSelect(it + 2, &itf->ui, &itf->state, &con), -1);
  free(itf);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_scroll_bar),
      cmocka_unit_test(test_choices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
