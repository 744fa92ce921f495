// Trees of elements: texts keep their lines.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
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
  m = orc_compile(xml);
  assert_string_equal(m->text_data, "roses\nare\tred");
  ORC(mj_deleteModel)(m);
}

// attributes appended to a parsed element do not touch what lies behind its own
static void attributesAreAppended(void** state) {
  (void)state;
  for (int given = 0; given < 10; given++) {
    char text[400] = "<r><a", error[200] = "";
    for (int i = 0; i < given; i++) sprintf(text + strlen(text), " given%d='value %d'", i, i);
    strcat(text, "/><b c='d'/></r>");
    XmlDocument* const document = xml_parse("t", text, strlen(text), error, sizeof(error));
    assert_non_null(document);
    XmlNode* const node = xml_root(document)->first;
    for (int i = 0; i < 20; i++) {
      char name[20];
      sprintf(name, "new%d", i);
      xml_setAttribute(document, node, name, name);
    }
    assert_int_equal(node->nattribute, given + 20);
    for (int i = 0; i < given; i++) {
      char name[20], value[20];
      sprintf(name, "given%d", i);
      sprintf(value, "value %d", i);
      assert_string_equal(xml_attribute(node, name), value);
    }
    for (int i = 0; i < 20; i++) assert_string_equal(node->attribute[given + i].name, node->attribute[given + i].value);
    assert_string_equal(xml_attribute(node->next, "c"), "d");
    xml_free(document);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(attributesAreAppended), cmocka_unit_test(linesOfTexts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
