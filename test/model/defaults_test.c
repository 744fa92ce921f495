// Default settings equal the reference's, byte for byte.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "support/oracle.h"

#define COMPARE(type, function)                  \
  do {                                           \
    type ours, theirs;                           \
    memset(&ours, 0, sizeof(ours));              \
    memset(&theirs, 0, sizeof(theirs));          \
    function(&ours);                             \
    ORC(function)(&theirs);                      \
    orc_sameBytes(&ours, &theirs, sizeof(type)); \
  } while (0)

static void structsEqualReference(void** state) {
  (void)state;
  COMPARE(mjOption, mj_defaultOption);
  COMPARE(mjVisual, mj_defaultVisual);
  COMPARE(mjLROpt, mj_defaultLROpt);
}

static void solverParameters(void** state) {
  (void)state;
  mjtNum ref[mjNREF] = {0}, imp[mjNIMP] = {0};
  mj_defaultSolRefImp(ref, NULL);
  mj_defaultSolRefImp(NULL, imp);
  assert_true(ref[0] == 0.02 && ref[1] == 1);
  assert_true(imp[0] == 0.9 && imp[1] == 0.95 && imp[2] == 0.001 && imp[3] == 0.5 && imp[4] == 2);
}

static void aFewValues(void** state) {
  (void)state;
  mjOption option;
  mj_defaultOption(&option);
  assert_true(option.timestep == 0.002 && option.gravity[2] == -9.81 && option.solver == mjSOL_NEWTON);
  mjVisual visual;
  mj_defaultVisual(&visual);
  assert_int_equal(visual.global.offwidth, 640);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(structsEqualReference),
      cmocka_unit_test(solverParameters),
      cmocka_unit_test(aFewValues),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
