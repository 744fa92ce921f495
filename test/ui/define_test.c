// Definitions become sections and items: every kind, limits, errors; equal to the reference.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "support/catch.h"
#include "support/interface.h"
#include "support/oracle.h"

static int number;

//---------------------------------- kinds ----------------------------------

static void test_kinds(void** state) {
  (void)state;
  Itf* const itf = itf_make(0, 0);
  const mjuiDef def[] = {
      {mjITEM_SECTION,   "First",  mjSECT_OPEN,  NULL,    "AF",              2},
      {mjITEM_BUTTON,    "Go",     1,            NULL,    " #257",           7},
      {mjITEM_RADIO,     "Which",  2,            &number, "one\ntwo\nthree", 0},
      {mjITEM_SLIDERINT, "Count",  1,            &number, "0 5",             0},
      {mjITEM_SLIDERNUM, "Size",   1,            &number, "-1 1",            0},
      {mjITEM_SLIDERNUM, "Size",   1,            &number, "-1 1 8",          0},
      {mjITEM_EDITNUM,   "Values", 1,            &number, "2 0 1 -3.5 4e1",  0},
      {mjITEM_SECTION,   "Second", mjSECT_FIXED, NULL,    "",                0},
      {mjITEM_SEPARATOR, "More",   mjSEPCLOSED,  NULL,    "",                0},
      {mjITEM_END,       "",       0,            NULL,    "",                0},
  };
  mjui_add(&itf->ui, def);
  assert_int_equal(itf->ui.nsect, 2);
  const mjuiSection* const s = itf->ui.sect;
  assert_string_equal(s->name, "First");
  assert_int_equal(s->modifier, 4);
  assert_int_equal(s->shortcut, 'F');
  assert_int_equal(s->checkbox, 2);
  assert_int_equal(s->nitem, 6);
  assert_int_equal(s->item[0].single.modifier, 0);
  assert_int_equal(s->item[0].single.shortcut, mjKEY_ENTER);
  assert_int_equal(s->item[0].userid, 7);
  assert_int_equal(s->item[1].multi.nelem, 3);
  assert_string_equal(s->item[1].multi.name[2], "three");
  assert_int_equal((int)s->item[2].slider.divisions, 5);
  assert_int_equal((int)s->item[3].slider.divisions, 200);
  assert_int_equal((int)s->item[4].slider.divisions, 8);
  assert_int_equal(s->item[5].edit.nelem, 2);
  assert_float_equal(s->item[5].edit.range[1][0], -3.5, 0);
  assert_float_equal(s->item[5].edit.range[1][1], 40, 0);
  assert_int_equal(s[1].state, mjSECT_FIXED);
  assert_int_equal(s[1].item[0].sectionid, 1);
  assert_int_equal(s[1].item[0].state, mjSEPCLOSED);
  free(itf);
}

// states survive when the same table is added again
static void test_preserve(void** state) {
  (void)state;
  Itf* const itf = itf_make(0, 0);
  const mjuiDef def[] = {
      {mjITEM_SECTION,   "Section", mjPRESERVE, NULL, "", 0},
      {mjITEM_SEPARATOR, "Fold",    mjPRESERVE, NULL, "", 0},
      {mjITEM_END,       "",        0,          NULL, "", 0},
  };
  mjui_add(&itf->ui, def);
  assert_int_equal(itf->ui.sect[0].state, mjSECT_CLOSED);
  assert_int_equal(itf->ui.sect[0].item[0].state, mjSEPCLOSED);
  itf->ui.sect[0].state = mjSECT_OPEN;
  itf->ui.sect[0].item[0].state = mjSEPCLOSED + 1;
  itf->ui.nsect = 0;
  mjui_add(&itf->ui, def);
  assert_int_equal(itf->ui.nsect, 1);
  assert_int_equal(itf->ui.sect[0].nitem, 1);
  assert_int_equal(itf->ui.sect[0].state, mjSECT_OPEN);
  assert_int_equal(itf->ui.sect[0].item[0].state, mjSEPCLOSED + 1);
  free(itf);
}

static void test_to_section(void** state) {
  (void)state;
  Itf* const itf = itf_make(0, 0);
  const mjuiDef sections[] = {
      {mjITEM_SECTION, "0", mjSECT_OPEN, NULL, "", 0},
      {mjITEM_SECTION, "1", mjSECT_OPEN, NULL, "", 0},
      {mjITEM_END,     "",  0,           NULL, "", 0},
  };
  const mjuiDef items[] = {
      {mjITEM_BUTTON, "button", 1, NULL, "", 0},
      {mjITEM_END,    "",       0, NULL, "", 0},
  };
  mjui_add(&itf->ui, sections);
  mjui_addToSection(&itf->ui, 0, items);
  mjui_addToSection(&itf->ui, 0, items);
  assert_int_equal(itf->ui.nsect, 2);
  assert_int_equal(itf->ui.sect[0].nitem, 2);
  assert_int_equal(itf->ui.sect[0].item[1].sectionid, 0);
  assert_int_equal(itf->ui.sect[1].nitem, 0);
  assert_non_null(CATCH(mjui_addToSection(&itf->ui, mjMAXUISECT, items)));
  assert_non_null(CATCH(mjui_addToSection(&itf->ui, -1, items)));
  assert_non_null(CATCH(mjui_add(NULL, items)));
  assert_non_null(CATCH(mjui_add(&itf->ui, NULL)));
  assert_int_equal(itf->ui.nsect, 2);
  free(itf);
}

//---------------------------------- errors ----------------------------------

// a section's or item's definition, and a part of the message it gives
static const struct {
  mjuiDef def;
  const char* message;
} WRONG[] = {
    {{mjITEM_SECTION, "S", 3, NULL, "", 0},                                         "invalid section state"             },
    {{mjITEM_SECTION, "S", -1, NULL, "", 0},                                        "invalid section state"             },
    {{mjITEM_SECTION, "A name of thirty-nine characters or so.", 0, NULL, "", 0},   "section name too long"             },
    {{mjITEM_SECTION, "S", 0, NULL, "X", 0},                                        "invalid shortcut specification"    },
    {{mjITEM_SECTION, "S", 0, NULL, "C#1234", 0},                                   "invalid shortcut specification"    },
    {{mjITEM_SECTION, "S", 0, NULL, "XA", 0},                                       "invalid shortcut modifier"         },
    {{mjITEM_SECTION, "S", 0, NULL, "CAB", 0},                                      "invalid shortcut"                  },
    {{mjITEM_BUTTON, "B", 1, NULL, "C#x", 0},                                       "invalid shortcut numeric code"     },
    {{mjITEM_BUTTON, "B", 1, NULL, "C#", 0},                                        "invalid shortcut numeric code"     },
    {{mjITEM_BUTTON, "B", 1, &number, "", 0},                                       "data pointer for item without data"},
    {{mjITEM_BUTTON, "B", -1, NULL, "", 0},                                         "invalid item state"                },
    {{mjITEM_CHECKINT, "C", 1, NULL, "", 0},                                        "no data pointer for item with data"},
    {{mjITEM_EDITTXT, "T", 1, NULL, "", 0},                                         "no data pointer for item with data"},
    {{mjITEM_SELECT, "S", 1, &number, "a\n\nb", 0},                                 "invalid multi element name"        },
    {{mjITEM_SELECT, "S", 1, &number, "\na", 0},                                    "invalid multi element name"        },
    {{mjITEM_RADIO, "S", 1, &number, "A name of thirty-nine characters or so.", 0}, "invalid multi element name"        },
    {{mjITEM_RADIO, "R", 1, &number,
      "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23"
      "\n24\n25\n26\n27\n28\n29\n30\n31\n32\n33\n34\n35\n36",
      0},
     "too many multi elements"                                                                                          },
    {{mjITEM_SLIDERINT, "S", 1, &number, "1", 0},                                   "slider expects 'min max [div]'"    },
    {{mjITEM_SLIDERNUM, "S", 1, &number, "", 0},                                    "slider expects 'min max [div]'"    },
    {{mjITEM_EDITINT, "E", 1, &number, "", 0},                                      "edit length missing"               },
    {{mjITEM_EDITINT, "E", 1, &number, "x", 0},                                     "edit length missing"               },
    {{mjITEM_EDITINT, "E", 1, &number, "0", 0},                                     "invalid edit length"               },
    {{mjITEM_EDITINT, "E", 1, &number, "8", 0},                                     "invalid edit length"               },
    {{mjITEM_EDITNUM, "E", 1, &number, "2 0 1", 0},                                 "number of edit ranges"             },
    {{mjITEM_EDITNUM, "E", 1, &number, "1 0 1 0 1", 0},                             "number of edit ranges"             },
    {{mjNITEM, "N", 1, NULL, "", 0},                                                "invalid item type"                 },
    {{-3, "N", 1, NULL, "", 0},                                                     "invalid item type"                 },
};

static void test_wrong(void** state) {
  (void)state;
  Itf* const itf = itf_make(0, 0);
  for (size_t i = 0; i < sizeof(WRONG) / sizeof(WRONG[0]); i++) {
    const mjuiDef def[] = {
        {mjITEM_SECTION, "S", mjSECT_OPEN, NULL, "", 0},
        WRONG[i].def, {mjITEM_END,     "",  0,           NULL, "", 0}
    };
    itf->ui.nsect = 0;
    const char* message = CATCH(mjui_add(&itf->ui, def));
    assert_non_null(message);
    if (!strstr(message, WRONG[i].message)) fail_msg("row %zu: %s", i, message);

    // the reference's message has the same words
    if (!orc_available()) continue;
    itf->ui.nsect = 0;
    message = CATCH_REFERENCE(ORC(mjui_add)(&itf->ui, def));
    assert_non_null(message);
    if (!strstr(message, WRONG[i].message)) fail_msg("reference, row %zu: %s", i, message);
  }
  free(itf);
}

static void test_too_many(void** state) {
  (void)state;
  Itf* const itf = itf_make(0, 0);
  mjuiDef item[] = {
      {mjITEM_STATIC, "text", 1, NULL, "", 0},
      {mjITEM_END,    "",     0, NULL, "", 0},
  };
  mjuiDef section[] = {
      {mjITEM_SECTION, "section", mjSECT_OPEN, NULL, "", 0},
      {mjITEM_END,     "",        0,           NULL, "", 0},
  };
  assert_string_equal(CATCH(mjui_add(&itf->ui, item)), "mjui_add: item defined outside section");
  for (int i = 0; i < mjMAXUISECT; i++) mjui_add(&itf->ui, section);
  assert_string_equal(CATCH(mjui_add(&itf->ui, section)), "mjui_add: too many sections");
  for (int i = 0; i < mjMAXUIITEM; i++) mjui_add(&itf->ui, item);
  assert_string_equal(CATCH(mjui_add(&itf->ui, item)), "mjui_add: too many items in section");
  assert_int_equal(itf->ui.sect[mjMAXUISECT - 1].nitem, mjMAXUIITEM);

  // texts that do not end
  itf->ui.nsect = 1;
  memset(item[0].name, 'x', mjMAXUINAME);
  assert_string_equal(CATCH(mjui_add(&itf->ui, item)), "mjui_add: item name too long");
  item[0].name[0] = 0;
  memset(item[0].other, 'x', mjMAXUITEXT);
  assert_non_null(CATCH(mjui_add(&itf->ui, item)));
  free(itf);
}

//---------------------------------- reference ----------------------------------

// random tables, added twice so that states are kept
static void test_reference(void** state) {
  (void)state;
  if (!orc_available()) skip();
  Rnd rnd = {1};
  for (int round = 0; round < 50; round++) {
    Itf* const ours = itf_make(round % 2, round % 4);
    Itf* const theirs = itf_make(round % 2, round % 4);
    Rnd same = rnd;
    itf_define(ours, &rnd, 1 + round % mjMAXUISECT, 30);
    itf_define(theirs, &same, 1 + round % mjMAXUISECT, 30);
    for (int again = 0; again < 2; again++) {
      ours->ui.nsect = theirs->ui.nsect = 0;
      mjui_add(&ours->ui, ours->def);
      ORC(mjui_add)(&theirs->ui, theirs->def);
      const char* const wrong = itf_differ(ours, theirs);
      if (wrong) fail_msg("round %d: %s", round, wrong);
      for (mjuiDef *a = ours->def, *b = theirs->def; a->type != mjITEM_END; a++, b++) {
        if (a->type == mjITEM_SECTION || (a->type == mjITEM_SEPARATOR && round % 3 == 0))
          a->state = b->state = mjPRESERVE;
      }
    }
    free(ours);
    free(theirs);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kinds), cmocka_unit_test(test_preserve), cmocka_unit_test(test_to_section),
      cmocka_unit_test(test_wrong), cmocka_unit_test(test_too_many), cmocka_unit_test(test_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
