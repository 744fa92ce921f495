// Models that break one rule each: every one is refused, with the rule in the message and the place where it was
// broken. broken/EXPECTED.txt holds, per model, what the message must contain. The reference refuses all of them as
// well.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "support/oracle.h"

static const char* FOLDER = "test/compile/broken/";

// calls check for every line of the table; returns how many there are
static int eachModel(void (*check)(const char* path, const char* expected)) {
  char line[1000];
  snprintf(line, sizeof(line), "%sEXPECTED.txt", FOLDER);
  FILE* table = fopen(line, "r");
  assert_non_null(table);
  int count = 0;
  while (fgets(line, sizeof(line), table)) {
    char* tab = strchr(line, '\t');
    assert_non_null(tab);
    *tab = 0;
    tab[1 + strcspn(tab + 1, "\n")] = 0;
    char path[300];
    snprintf(path, sizeof(path), "%s%.200s.xml", FOLDER, line);
    check(path, tab + 1);
    count++;
  }
  fclose(table);
  return count;
}

static void checkOurs(const char* path, const char* expected) {
  char error[1000] = "";
  mjModel* m = mj_loadXML(path, NULL, error, sizeof(error));
  if (m) fail_msg("%s was accepted", path);
  if (!strstr(error, expected)) fail_msg("%s: '%s' expected, got '%s'", path, expected, error);

  // every message names the file
  if (!strstr(error, strrchr(path, '/') + 1) && !strstr(error, "Unrecognized")) {
    fail_msg("%s is not named in '%s'", path, error);
  }
}

static void everyModelIsRefused(void** state) {
  (void)state;
  assert_true(eachModel(checkOurs) >= 150);
}

static void checkTheirs(const char* path, const char* expected) {
  (void)expected;
  char error[1000] = "";
  if (ORC(mj_loadXML)(path, NULL, error, sizeof(error))) fail_msg("the reference accepts %s", path);
}

static void theReferenceRefusesThemToo(void** state) {
  (void)state;
  if (!orc_available()) skip();
  eachModel(checkTheirs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everyModelIsRefused),
      cmocka_unit_test(theReferenceRefusesThemToo),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
