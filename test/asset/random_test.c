// The Mersenne Twister against the published check value of its 64-bit variant.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "asset/random.h"

// the C++ standard prescribes the 10000th number of the default seed
static void tenThousandthNumber(void** state) {
  (void)state;
  AstRandom random;
  ast_randomSeed(&random, 5489);
  uint64_t last = 0;
  for (int i = 0; i < 10000; i++) last = ast_randomBits(&random);
  assert_true(last == 9981545732273789042u);
}

static void uniformIsInRange(void** state) {
  (void)state;
  AstRandom random;
  ast_randomSeed(&random, 42);
  double sum = 0;
  for (int i = 0; i < 100000; i++) {
    const double u = ast_randomUniform(&random);
    assert_true(u >= 0 && u < 1);
    sum += u;
  }
  assert_true(sum > 49500 && sum < 50500);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tenThousandthNumber), cmocka_unit_test(uniformIsInRange)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
