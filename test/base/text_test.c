// Names, warning texts and sizes: every value equals the reference's; callbacks reset.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/catch.h"
#include "support/oracle.h"
#include "support/random.h"

static void assert_same_text(const char* a, const char* b) {
  if (!a || !b) {
    assert_ptr_equal(a, b);
  } else {
    orc_sameText(a, b);
  }
}

// a table of n strings against the reference's variable of that name
static void sameTable(const char* const* ours, const char* name, int n) {
  const char* const* theirs = orc_orOurs(name, ours);
  for (int i = 0; i < n; i++) assert_same_text(ours[i], theirs[i]);
}

static void tables_equal_the_reference(void** state) {
  (void)state;
  assert_string_equal(mjDISABLESTRING[mjNDISABLE - 1], "Island");
  assert_string_equal(mjVISSTRING[mjNVISFLAG - 1][0], "SDF iters");
  sameTable(mjDISABLESTRING, "mjDISABLESTRING", mjNDISABLE);
  sameTable(mjENABLESTRING, "mjENABLESTRING", mjNENABLE);
  sameTable(mjTIMERSTRING, "mjTIMERSTRING", mjNTIMER);
  sameTable(mjLABELSTRING, "mjLABELSTRING", mjNLABEL);
  sameTable(mjFRAMESTRING, "mjFRAMESTRING", mjNFRAME);
  sameTable(&mjVISSTRING[0][0], "mjVISSTRING", 3 * mjNVISFLAG);
  sameTable(&mjRNDSTRING[0][0], "mjRNDSTRING", 3 * mjNRNDFLAG);
}

static void types_have_names(void** state) {
  (void)state;
  for (int type = 1; type < mjNOBJECT; type++) assert_int_equal(mju_str2Type(mju_type2Str(type)), type);
  assert_null(mju_type2Str(mjOBJ_UNKNOWN));
  assert_int_equal(mju_str2Type("nonsense"), mjOBJ_UNKNOWN);
  assert_int_equal(mju_str2Type(NULL), mjOBJ_UNKNOWN);
  for (int type = -3; type < 110; type++) {
    const char* const name = mju_type2Str(type);
    assert_same_text(name, ORC(mju_type2Str)(type));
    if (name) orc_sameInt(mju_str2Type(name), ORC(mju_str2Type)(name));
  }
}

static void sizes_are_written_in_the_largest_unit(void** state) {
  (void)state;
  assert_string_equal(mju_writeNumBytes(0), "0");
  assert_string_equal(mju_writeNumBytes(3 << 20), "3M");
  assert_string_equal(mju_writeNumBytes(SIZE_MAX), "18446744073709551615");
  Rnd rnd = {3};
  for (int i = 0; i < 500; i++) {
    const size_t number = (size_t)rnd_below(&rnd, 3000), n = number << rnd_below(&rnd, 51);
    orc_sameText(mju_writeNumBytes(n), ORC(mju_writeNumBytes)(n));
  }
}

static void copies_are_terminated(void** state) {
  (void)state;
  char text[8] = "zzzzzzz";
  assert_ptr_equal(mju_strncpy(text, "abcdef", 4), text);
  assert_string_equal(text, "abc");
  assert_int_equal(text[4], 'z');
  assert_string_equal(mju_strncpy(text, "ab", 8), "ab");
  assert_string_equal(mju_strncpy(text, "qq", 0), "ab");
  assert_string_equal(mju_strncpy(text, NULL, 5), "ab");
}

static void warnings_count_and_speak_once(void** state) {
  (void)state;
  mjData d;
  memset(&d, 0, sizeof(d));
  d.time = 1.25;
  mju_user_warning = catchCount;
  catchNwarning = 0;
  mj_warning(&d, mjWARN_INERTIA, 7);
  mj_warning(&d, mjWARN_INERTIA, 8);
  assert_int_equal(catchNwarning, 1);
  assert_string_equal(catchWarning, "Inertia matrix is too close to singular at DOF 7. Check model. Time = 1.2500.");
  assert_int_equal(d.warning[mjWARN_INERTIA].lastinfo, 8);
  assert_int_equal(d.warning[mjWARN_INERTIA].number, 2);
  assert_string_equal(CATCH(mj_warning(&d, mjNWARNING, 0)), "mj_warning: invalid warning type 8");
  assert_non_null(CATCH(mj_warning(&d, -1, 0)));
  mju_user_warning = NULL;

  // memory is counted in bytes, or in the largest unit that divides it
  assert_non_null(strstr(mju_warningText(mjWARN_CNSTRFULL, 3 << 20), "above 3M bytes"));
  assert_non_null(strstr(mju_warningText(mjWARN_CNSTRFULL, 3000), "above 3000 bytes"));
  for (int w = -2; w < 12; w++) {
    orc_sameText(mju_warningText(w, 5000000000u), ORC(mju_warningText)(w, 5000000000u));
    orc_sameText(mju_warningText(w, 7u << 30), ORC(mju_warningText)(w, 7u << 30));
  }
}

static mjtNum clock0(void) {
  return 0;
}

static void callbacks_reset(void** state) {
  (void)state;
  assert_true(mjcb_time == NULL);
  mjcb_time = clock0;
  mj_resetCallbacks();
  assert_true(!mjcb_time && !mjcb_passive && !mjcb_control && !mjcb_sensor && !mjcb_contactfilter);
  assert_true(!mjcb_act_dyn && !mjcb_act_gain && !mjcb_act_bias);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_equal_the_reference),
      cmocka_unit_test(types_have_names),
      cmocka_unit_test(sizes_are_written_in_the_largest_unit),
      cmocka_unit_test(copies_are_terminated),
      cmocka_unit_test(warnings_count_and_speak_once),
      cmocka_unit_test(callbacks_reset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
