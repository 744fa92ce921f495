// Texts in the room that they have.
#include "view/stage.h"

static ViwCanvas canvas;

// a font whose characters are ten wide, the dot four
static int makeFont(void** state) {
  (void)state;
  for (int i = 0; i < 96; i++) canvas.glyph[i].advance = 10;
  canvas.glyph['.' - 32].advance = 4;
  return 0;
}

static void expect(const char* text, float width, const char* expected) {
  char part[16];
  viw_fitText(&canvas, text, width, part, sizeof(part));
  if (strcmp(part, expected) != 0) fail_msg("'%s' in %g: '%s' instead of '%s'", text, (double)width, part, expected);
  // longer than the room is only a first character
  if (strlen(expected) > 1) assert_true(viw_textWidth(&canvas, part) <= width);
}

static void textsAreCutWithDots(void** state) {
  (void)state;
  expect("", 0, "");
  expect("", 50, "");
  expect("abcde", 50, "abcde");
  expect("abcde", 1000, "abcde");
  expect("abcde", 49, "abcd..");
  expect("abcde", 48, "abcd..");
  expect("abcde", 47, "abc..");
  expect("abcde", 18, "a..");
}

// where dots would leave no character, characters are worth more
static void narrowRoomHasCharacters(void** state) {
  (void)state;
  expect("abcde", 17, "a");
  expect("abc", 17, "a");
  expect("ab", 19, "a..");
  expect("ab", 17, "a");
  expect("ab", 20, "ab");
  expect("ab", 0, "a");
  expect("a", 10, "a");
  expect("a", 3, "a");
  expect("-", 0, "-");
}

static void charactersOfSeveralBytesStayWhole(void** state) {
  (void)state;
  expect("gel\xc3\xa4nder", 48, "gel\xc3\xa4..");
  expect("gel\xc3\xa4nder", 47, "gel..");
  expect("\xe2\x82\xac\xe2\x82\xac", 12, "\xe2\x82\xac");
}

static void longTextsEndWhereTheRoomDoes(void** state) {
  (void)state;
  expect("abcdefghijklmnopqrstuvwxyz", 1000, "abcdefghijklm..");
  expect("abcdefghijkl\xc3\xa4nopq", 1000, "abcdefghijkl..");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(textsAreCutWithDots),
      cmocka_unit_test(narrowRoomHasCharacters),
      cmocka_unit_test(charactersOfSeveralBytesStayWhole),
      cmocka_unit_test(longTextsEndWhereTheRoomDoes),
  };
  return cmocka_run_group_tests(tests, makeFont, NULL);
}
