// Text in edit fields: numbers and their ranges, keys, the cursor, scrolling.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/interface.h"
#include "ui/ui.h"

// a field of some kind with n numbers without ranges
static mjuiItem field(int type, void* pdata, int n) {
  mjuiItem it = {
      .type = type, .pdata = pdata, .rect = {10, 10, 100, 20}
  };
  it.edit.nelem = n;
  return it;
}

//---------------------------------- numbers ----------------------------------

static void test_valid(void** state) {
  (void)state;
  int value[mjMAXUIEDIT] = {0};
  mjuiItem it = field(mjITEM_EDITINT, value, 2);
  assert_true(ui_editValid("1 2", &it));
  assert_true(ui_editValid("  +1   -2  ", &it));
  assert_true(ui_editValid("1e2 3.0", &it));
  assert_true(ui_editValid("1 2 x", &it));
  assert_false(ui_editValid("1", &it));
  assert_false(ui_editValid("1 2 3", &it));
  assert_false(ui_editValid("1 2.5", &it));
  assert_false(ui_editValid("", &it));
  assert_false(ui_editValid("1 2147483648", &it));
  assert_true(ui_editValid("1 -2147483648", &it));
  assert_false(ui_editValid("nan 1", &it));

  // ranges, where there are any
  it.edit.range[1][0] = -1;
  it.edit.range[1][1] = 1;
  assert_true(ui_editValid("100 1", &it));
  assert_false(ui_editValid("100 2", &it));
  assert_false(ui_editValid("100 -2", &it));

  // any text is a text
  char text[mjMAXUINAME];
  it = field(mjITEM_EDITTXT, text, 0);
  assert_true(ui_editValid("whatever", &it));
}

// a field of no numbers shows nothing
static void test_empty(void** state) {
  (void)state;
  int value = 3;
  char text[mjMAXUITEXT] = "before";
  const mjuiItem it = field(mjITEM_EDITINT, &value, 0);
  ui_editPrint(text, &it);
  assert_string_equal(text, "");
}

static void test_store(void** state) {
  (void)state;
  int i[2] = {7, 7};
  mjtNum n[2] = {7, 7};
  float f[2] = {7, 7};
  mjuiItem it = field(mjITEM_EDITINT, i, 2);
  assert_true(ui_editStore("3 -4", &it));
  assert_int_equal(i[1], -4);
  assert_false(ui_editStore("5", &it));
  assert_int_equal(i[0], 3);
  it = field(mjITEM_EDITNUM, n, 2);
  assert_true(ui_editStore("0.1 1e300", &it));
  assert_true(n[0] == 0.1 && n[1] == 1e300);
  it = field(mjITEM_EDITFLOAT, f, 1);
  assert_true(ui_editStore("0.1", &it));
  assert_true(f[0] == 0.1f && f[1] == 7);

  // texts are cut to the room they have
  char text[mjMAXUINAME + 1], longer[100];
  memset(text, 1, sizeof(text));
  memset(longer, 'x', sizeof(longer));
  longer[99] = 0;
  it = field(mjITEM_EDITTXT, text, 0);
  assert_true(ui_editStore(longer, &it));
  assert_int_equal(strlen(text), mjMAXUINAME - 1);
  assert_int_equal(text[mjMAXUINAME], 1);
}

static void test_print(void** state) {
  (void)state;
  char text[mjMAXUITEXT];
  int i[3] = {1, -2, 2147483647};
  mjtNum n[mjMAXUIEDIT] = {0.123456, -1e-300, 1e300, INFINITY, 5, 6, 7};
  float f[1] = {0.5f};
  mjuiItem it = field(mjITEM_EDITINT, i, 3);
  ui_editPrint(text, &it);
  assert_string_equal(text, "1  -2  2147483647");
  it = field(mjITEM_EDITNUM, n, mjMAXUIEDIT);
  ui_editPrint(text, &it);
  assert_string_equal(text, "0.1235  -1e-300  1e+300  inf  5  6  7");
  assert_true(ui_editValid(text, &it));
  it = field(mjITEM_EDITFLOAT, f, 1);
  ui_editPrint(text, &it);
  assert_string_equal(text, "0.5");

  // a text without end in its room
  char endless[mjMAXUINAME];
  memset(endless, 'y', sizeof(endless));
  it = field(mjITEM_EDITTXT, endless, 0);
  ui_editPrint(text, &it);
  assert_int_equal(strlen(text), mjMAXUINAME - 1);
}

//---------------------------------- keys ----------------------------------

static Itf* itf;
static mjrContext con;

// types a sequence of keys into a field with a text
static const char* type(const mjuiItem* it, const char* text, int cursor, const int* key, int nkey) {
  strcpy(itf->ui.edittext, text);
  itf->ui.editcursor = cursor;
  itf->ui.editscroll = 0;
  for (int i = 0; i < nkey; i++) ui_editKey(key[i], it, &itf->ui, &itf->state, &con);
  return itf->ui.edittext;
}

#define TYPE(it, text, cursor, ...) \
  type(it, text, cursor, (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

static int setup(void** state) {
  (void)state;
  itf = itf_make(0, 0);
  itf_font(&con, 100);
  return 0;
}

static int teardown(void** state) {
  (void)state;
  free(itf);
  return 0;
}

static void test_keys(void** state) {
  (void)state;
  mjuiItem it = field(mjITEM_EDITNUM, NULL, 1);
  assert_string_equal(TYPE(&it, "12", 1, '5'), "152");
  assert_int_equal(itf->ui.editcursor, 2);
  assert_string_equal(TYPE(&it, "", 0, '=', '1', '.', 'E', '-', mjKEY_NUMPAD_0 + 7), "+1.e-7");
  assert_string_equal(TYPE(&it, "12", 1, mjKEY_BACKSPACE, mjKEY_BACKSPACE), "2");
  assert_string_equal(TYPE(&it, "12", 1, mjKEY_DELETE, mjKEY_DELETE), "1");
  assert_string_equal(TYPE(&it, "12", 2, mjKEY_HOME, '0', mjKEY_END, '3'), "0123");
  assert_string_equal(TYPE(&it, "12", 2, mjKEY_LEFT, '0', mjKEY_RIGHT, mjKEY_RIGHT, '3'), "1023");
  assert_string_equal(TYPE(&it, "12", 1, 'X', '/', mjKEY_TAB, mjKEY_F1, 0, -5, 300), "12");

  // control takes the arrows to the ends
  itf->state.control = 1;
  assert_string_equal(TYPE(&it, "123", 2, mjKEY_LEFT, '0', mjKEY_RIGHT, '4'), "01234");
  itf->state.control = 0;

  // whole numbers have no fractions
  it.type = mjITEM_EDITINT;
  assert_string_equal(TYPE(&it, "", 0, '1', '.', 'E', '2'), "12");
}

static void test_text_keys(void** state) {
  (void)state;
  const mjuiItem it = field(mjITEM_EDITTXT, NULL, 0);
  assert_string_equal(TYPE(&it, "", 0, 'A', '1', '-', '\\', ' '), "a1-\\ ");
  itf->state.shift = 1;
  assert_string_equal(TYPE(&it, "", 0, 'A', '1', '`', '-', '=', '[', ']', '\\', ';', '\'', ',', '.', '/'),
                      "A1~_+{}|:\"<>?");
  itf->state.shift = 0;

  // full
  char text[mjMAXUITEXT];
  memset(text, 'a', sizeof(text));
  text[mjMAXUINAME - 1] = 0;
  TYPE(&it, text, 3, 'B');
  assert_int_equal(strlen(itf->ui.edittext), mjMAXUINAME - 1);
  const mjuiItem number = field(mjITEM_EDITNUM, NULL, 1);
  memset(text, '1', sizeof(text));
  text[mjMAXUITEXT - 2] = 0;
  TYPE(&number, text, 3, '2', '3', '4');
  assert_int_equal(strlen(itf->ui.edittext), mjMAXUITEXT - 1);
}

//---------------------------------- cursor ----------------------------------

// the cursor is always in the part of the text that fits the field
static void test_reveal(void** state) {
  (void)state;
  const mjuiItem it = field(mjITEM_EDITNUM, NULL, 1);
  const int room = it.rect.width - 2 * itf->ui.spacing.texthor;
  Rnd rnd = {2};
  itf->ui.edittext[0] = 0;
  itf->ui.editcursor = itf->ui.editscroll = 0;
  for (int i = 0; i < 2000; i++) {
    static const int KEYS[] = {mjKEY_LEFT, mjKEY_RIGHT, mjKEY_HOME, mjKEY_END, mjKEY_BACKSPACE};
    const int key = rnd_below(&rnd, 3) ? '0' + rnd_below(&rnd, 10) : KEYS[rnd_below(&rnd, 5)];
    ui_editKey(key, &it, &itf->ui, &itf->state, &con);
    const int before = itf->ui.editcursor - itf->ui.editscroll;
    assert_true(before >= 0);
    assert_true(ui_textWidth(itf->ui.edittext + itf->ui.editscroll, before, &con) <= room);
  }
}

static void test_point(void** state) {
  (void)state;
  mjuiItem it = field(mjITEM_EDITNUM, NULL, 1);
  const int left = it.rect.left + itf->ui.spacing.texthor;
  strcpy(itf->ui.edittext, "0123456789");
  itf->ui.editscroll = 2;
  itf->ui.height = itf->state.rect[1].height;
  itf->state.y = 15;

  // nearest gap
  for (int i = 2; i < 10; i++) {
    const int gap = left + ui_textWidth(itf->ui.edittext + 2, i - 2, &con);
    for (int off = -1; off <= 1; off++) {
      if (i == 2 && off < 0) continue;
      itf->state.x = gap + off;
      ui_editPoint(it.rect, &itf->ui, &itf->state, &con);
      assert_int_equal(itf->ui.editcursor, i);
    }
  }
  itf->state.x = 1000;
  ui_editPoint(it.rect, &itf->ui, &itf->state, &con);
  assert_int_equal(itf->ui.editcursor, 10);
  itf->state.x = 0;
  ui_editPoint(it.rect, &itf->ui, &itf->state, &con);
  assert_int_equal(itf->ui.editcursor, 0);
  assert_int_equal(itf->ui.editscroll, 0);

  // a field without room, and what a program may have left in the interface
  it.rect.width = 2 * itf->ui.spacing.texthor;
  itf->state.x = left;
  itf->ui.editcursor = 1000;
  itf->ui.editscroll = -1000;
  ui_editPoint(it.rect, &itf->ui, &itf->state, &con);
  assert_in_range(itf->ui.editcursor, 0, 10);
  assert_in_range(itf->ui.editscroll, 0, 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_valid),
      cmocka_unit_test(test_store),
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_print),
      cmocka_unit_test_setup_teardown(test_keys, setup, teardown),
      cmocka_unit_test_setup_teardown(test_text_keys, setup, teardown),
      cmocka_unit_test_setup_teardown(test_reveal, setup, teardown),
      cmocka_unit_test_setup_teardown(test_point, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
