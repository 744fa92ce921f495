// Texts that are nearly XML load as what they mean; texts that are not have an error with its line.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "support/oracle.h"
#include "xml/tree.h"

typedef struct {
  const char* text;
  const char* model;  // what the root's attribute of that name says; NULL: the text has an error
} Case;

// A lone "&" stands before entities here: behind one, the reference leaves a character of the text before it instead.
static const Case cases[] = {
    {"<mujoco model =\n 'spaces'\t/>",                                                       "spaces"                         },
    {"<mujoco model= 'one'/>",                                                               "one"                            },
    {"<mujoco model ='other'/>",                                                             "other"                          },
    {"<mujoco model='a'/>",                                                                  "a"                              },
    {"<mujoco model='b'><!-- --- arms ---- and -- legs ---><option timestep='1'/></mujoco>", "b"                              },
    {"<mujoco model='c'><!--> --><option/></mujoco>",                                        "c"                              },
    {"<mujoco model=\"d\"><option timestep=\"1\"gravity='0 0 1'/></mujoco>",                 "d"                              },
    {"<mujoco model='a&b &nbsp; &amp; c&#65; <d>'/>",                                        "a&b &nbsp; & cA <d>"            },
    {"\n  <?xml version='1.0' encoding='utf-8'?>\n<mujoco model='e'/>",                      "e"                              },
    {"<?xml version='1.0' encoding='nonsense'?><mujoco model='f'/>",                         "f"                              },
    {"<mujoco model='g'>rocks & rolls</mujoco>",                                             "g"                              },
    {"<mujoco model='h'>\x01</mujoco>",                                                      "h"                              },
    {"<mujoco model='i'/><mujoco model='other'/>",                                           "i"                              },
    {"<mujoco model='j'><![CDATA[ <&> -- ]]><!-- -- --></mujoco>",                           "j"                              },
    {"<mujoco model='r'><!- half a comment -->\n<option/></mujoco>",                         "r"                              },
    {"<mujoco model='1'/></mujoco>",                                                         "1"                              },
    {"<mujoco model='2'/></other><never <looked at",                                         "2"                              },
    {"words <mujoco model='3'/>",                                                            "3"                              },
    {"<!DOCTYPE x [<!ENTITY y 'z'>]><mujoco model='4&y;'/>",                                 "4&y;"                           },
    {"< mujoco model='5'>< /mujoco>",                                                        "5"                              },
    {"<mujoco model='6'><option/></mujoco model='no'>",                                      "6"                              },
    {"<?one?><?xml version='1.0'?><mujoco model='7'/>",                                      "7"                              },
    {"<mujoco model='8'/><other></other> <!-- c --><more/>",                                 "8"                              },
    {"<mujoco model='a\n b\r\nc\rd\n\re\tf'/>",                                              "a\n b\nc\nd\ne\tf"              },
    {"<mujoco model='a&#;b'/>",                                                              "a"                              },
    {"<mujoco model='a&#x;b'/>",                                                             "a"                              },
    {"<mujoco model='a&#0;b'/>",                                                             "a"                              },
    {"<mujoco model='&#x41;&#66;&#xE9;&#x1F600;&#10;'/>",                                    "AB\xC3\xA9\xF0\x9F\x98\x80\n"   },
    {"<mujoco model='&#99999999;&#6z;&#X41;&#-5;&#65'/>",                                    "&#99999999;&#6z;&#X41;&#-5;&#65"},
    {"<mujoco model='a&#'/>",                                                                "a#"                             },
    {"<mujoco model='&amp&&quot;&apos;&lt;&gt;'/>",                                          "&amp&\"'<>"                     },
    {"\xEF\xBB\xBF<mujoco model='\xE9'/>",                                                   "\xE9"                           },
    {"<mujoco><?late?></mujoco>",                                                            NULL                             },
    {"<!-- c --><?xml version='1.0'?><mujoco/>",                                             NULL                             },
    {"<mujoco/><?late?>",                                                                    NULL                             },
    {"words <?xml version='1.0'?><mujoco/>",                                                 NULL                             },
    {"<mujoco/><other>",                                                                     NULL                             },
    {"<mujoco/><other></another>",                                                           NULL                             },
    {"<mujoco></ mujoco>",                                                                   NULL                             },
    {"<mujoco></mujoco model>",                                                              NULL                             },
    {"<mujoco model='k'/> behind",                                                           NULL                             },
    {"<mujoco model='l' model='m'/>",                                                        NULL                             },
    {"<mujoco model='n'><!-- -- --><option timestep=1/></mujoco>",                           NULL                             },
    {"<mujoco model='o'><!-- no end -- </mujoco>",                                           NULL                             },
    {"<mujoco model='p",                                                                     NULL                             },
    {"<mujoco model='q'>&",                                                                  NULL                             },
    {"<!--",                                                                                 NULL                             },
    {"<?xml",                                                                                NULL                             },
    {"",                                                                                     NULL                             },
};

static void oddTexts(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    const Case* c = cases + i;
    char error[500] = "";
    XmlDocument* document = xml_parse("odd.xml", c->text, strlen(c->text), error, sizeof(error));
    if (!document != !c->model) fail_msg("%s: %s", c->text, error);
    if (document) {
      assert_string_equal(xml_attribute(xml_root(document), "model"), c->model);
    } else {
      assert_non_null(strstr(error, "odd.xml"));
    }
    xml_free(document);

    // the reference reads the same ones, and the same in them
    if (!orc_available()) continue;
    mjSpec* s = ORC(mj_parseXMLString)(c->text, NULL, error, sizeof(error));
    if (!s != !c->model) fail_msg("%s: the reference says %s", c->text, error);
    if (s) assert_string_equal(ORC(mjs_getString)(s->modelname), c->model);
    ORC(mj_deleteSpec)(s);
  }
}

// a real error behind odd things is reported where it stands
static void linesStay(void** state) {
  (void)state;
  const char* text = "<mujoco>\n<!-- --\n-- -->\n<option timestep='1'gravity='0 0 1'/>\n<option &/>\n</mujoco>";
  char error[500] = "";
  assert_null(xml_parse("lines.xml", text, strlen(text), error, sizeof(error)));
  assert_non_null(strstr(error, "line 5"));

  // and an element keeps its line
  text = "<mujoco>\n<!-- --\n-- -->\n<option timestep='1'gravity='0 0 1'/></mujoco>";
  XmlDocument* document = xml_parse("lines.xml", text, strlen(text), error, sizeof(error));
  assert_non_null(document);
  const XmlNode* option = xml_child(xml_root(document), "option");
  assert_int_equal(option->line, 4);
  xml_free(document);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(oddTexts), cmocka_unit_test(linesStay)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
