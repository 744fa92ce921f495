// Trees of elements: texts keep their lines.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "support/model.h"
#include "support/oracle.h"
#include "xml/tree.h"

// texts in a model keep their lines, also when saved
static void linesOfTexts(void** state) {
  (void)state;
  const char* xml = "<mujoco><custom><text name='poem' data='roses\nare\tred'/></custom></mujoco>";
  mjModel* m = tst_string(xml);
  assert_string_equal(m->text_data, "roses\nare\tred");
  mj_deleteModel(m);
  char text[1000], error[500] = "";
  mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof(error));
  mj_deleteModel(mj_compile(s, NULL));
  assert_int_equal(mj_saveXMLString(s, text, sizeof(text), error, sizeof(error)), 0);
  mj_deleteSpec(s);
  m = tst_string(text);
  assert_string_equal(m->text_data, "roses\nare\tred");
  mj_deleteModel(m);
  if (!orc_available()) return;
  m = orc_compile(xml);
  assert_string_equal(m->text_data, "roses\nare\tred");
  ORC(mj_deleteModel)(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(linesOfTexts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
