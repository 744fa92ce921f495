// The actuators that are settings of the general one: what they become, and what they refuse. With the reference at
// hand, a few thousand random calls say and set the same on both.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <mujoco/mujoco.h>

#include "support/oracle.h"
#include "support/random.h"

#define FUNCTIONS(X)      \
  X(mjs_setToMotor)       \
  X(mjs_setToPosition)    \
  X(mjs_setToIntVelocity) \
  X(mjs_setToVelocity)    \
  X(mjs_setToDamper)      \
  X(mjs_setToCylinder)    \
  X(mjs_setToMuscle)      \
  X(mjs_setToAdhesion)

typedef struct {
#define X(name) __typeof__(&(name)) name;
  FUNCTIONS(X)
#undef X
} Library;

// zero, one, negative or anything
static double value(Rnd* r) {
  static const double special[] = {0, 1, -1.5};
  const int k = rnd_below(r, 6);
  return k < 3 ? special[k] : rnd_uniform(r, 0, 3);
}

static double* given(Rnd* r, double* v) {
  *v = value(r);
  return rnd_below(r, 2) ? v : NULL;
}

// an actuator, untouched or not, and one shortcut
static const char* play(const Library* lib, Rnd* r, mjsActuator* a) {
  mjs_defaultActuator(a);
  for (int i = 0; i < 10 && !rnd_below(r, 4); i++) a->gainprm[i] = a->biasprm[i] = a->dynprm[i] = value(r);
  for (int i = 0; i < 2 && !rnd_below(r, 3); i++) {
    a->ctrlrange[i] = value(r);
    a->actrange[i] = value(r);
  }
  double v[11], kv, dampratio, timeconst;
  for (int i = 0; i < 11; i++) v[i] = value(r);
  double *pkv = given(r, &kv), *pdampratio = given(r, &dampratio), *ptimeconst = given(r, &timeconst);
  switch (rnd_below(r, 8)) {
    case 0:
      return lib->mjs_setToMotor(a);
    case 1:
      return lib->mjs_setToPosition(a, v[0], pkv, pdampratio, ptimeconst, v[1]);
    case 2:
      return lib->mjs_setToIntVelocity(a, v[0], pkv, pdampratio, ptimeconst, v[1]);
    case 3:
      return lib->mjs_setToVelocity(a, v[0]);
    case 4:
      return lib->mjs_setToDamper(a, v[0]);
    case 5:
      return lib->mjs_setToCylinder(a, v[0], v[1], v[2], v[3]);
    case 6:
      return lib->mjs_setToMuscle(a, v, v[2], v + 3, v[4], v[5], v[6], v[7], v[8], v[9], v[10]);
    default:
      return lib->mjs_setToAdhesion(a, v[0]);
  }
}

static void randomCallsEqualTheReferences(void** state) {
  (void)state;
#define X(name) &(name),
  const Library ours = {FUNCTIONS(X)};
#undef X
#define X(name) ORC(name),
  const Library theirs = {FUNCTIONS(X)};
#undef X
  int refused = 0;
  for (int i = 0; i < 5000; i++) {
    Rnd r = {(uint64_t)i}, same = r;
    mjsActuator a, b;
    const char *text = play(&ours, &r, &a), *expected = play(&theirs, &same, &b);
    orc_sameText(text, expected);
    refused += *text != 0;
    if (!*text) orc_sameBytes(&a, &b, sizeof(a));
  }
  assert_true(refused > 100);
}

// types, the first three parameters of each part, and whether controls are limited
static void shortcutsBecomeGeneral(void** state) {
  (void)state;
  double two = 2, half = 0.5, tau[2] = {-1, 0.2}, range[2] = {-1, 2};
  static const struct {
    int dyn, gain, bias, limited;
    double prm[3][3];
  } expected[] = {
      {mjDYN_NONE,        mjGAIN_FIXED,  mjBIAS_NONE,   2, {{1, 0, 0}, {1, 0, 0}, {0, 0, 0}}             },
      {mjDYN_FILTEREXACT, mjGAIN_FIXED,  mjBIAS_AFFINE, 2, {{0.5, 0, 0}, {3, 0, 0}, {0, -3, -2}}         },
      {mjDYN_NONE,        mjGAIN_FIXED,  mjBIAS_AFFINE, 2, {{1, 0, 0}, {3, 0, 0}, {0, -3, 2}}            },
      {mjDYN_INTEGRATOR,  mjGAIN_FIXED,  mjBIAS_AFFINE, 2, {{1, 0, 0}, {3, 0, 0}, {0, -3, 0}}            },
      {mjDYN_NONE,        mjGAIN_FIXED,  mjBIAS_AFFINE, 2, {{1, 0, 0}, {4, 0, 0}, {0, 0, -4}}            },
      {mjDYN_NONE,        mjGAIN_AFFINE, mjBIAS_NONE,   1, {{1, 0, 0}, {0, 0, -4}, {0, 0, 0}}            },
      {mjDYN_FILTER,      mjGAIN_FIXED,  mjBIAS_AFFINE, 2, {{2, 0, 0}, {mjPI, 0, 0}, {7, 0, 0}}          },
      {mjDYN_MUSCLE,      mjGAIN_MUSCLE, mjBIAS_MUSCLE, 2, {{0.01, 0.2, 0.3}, {0.75, 2, 9}, {0.75, 2, 9}}},
      {mjDYN_NONE,        mjGAIN_FIXED,  mjBIAS_NONE,   1, {{1, 0, 0}, {5, 0, 0}, {0, 0, 0}}             },
  };
  for (int i = 0; i < 9; i++) {
    mjsActuator a;
    mjs_defaultActuator(&a);
    const char* error = i == 0   ? mjs_setToMotor(&a)
                        : i == 1 ? mjs_setToPosition(&a, 3, &two, NULL, &half, 0)
                        : i == 2 ? mjs_setToPosition(&a, 3, NULL, &two, NULL, 0)
                        : i == 3 ? mjs_setToIntVelocity(&a, 3, NULL, NULL, NULL, 0)
                        : i == 4 ? mjs_setToVelocity(&a, 4)
                        : i == 5 ? mjs_setToDamper(&a, 4)
                        : i == 6 ? mjs_setToCylinder(&a, 2, 7, 9, 2)
                        : i == 7 ? mjs_setToMuscle(&a, tau, 0.3, range, 9, -1, -1, -1, -1, -1, -1)
                                 : mjs_setToAdhesion(&a, 5);
    assert_string_equal(error, "");
    assert_int_equal(a.dyntype, expected[i].dyn);
    assert_int_equal(a.gaintype, expected[i].gain);
    assert_int_equal(a.biastype, expected[i].bias);
    assert_int_equal(a.ctrllimited, expected[i].limited);
    for (int k = 0; k < 3; k++) {
      assert_true(a.dynprm[k] == expected[i].prm[0][k]);
      assert_true(a.gainprm[k] == expected[i].prm[1][k]);
      assert_true(a.biasprm[k] == expected[i].prm[2][k]);
    }
  }
}

static void whatIsRefused(void** state) {
  (void)state;
  double one = 1, minus = -1, pair[2] = {-1, -1};
  mjsActuator a;
#define REFUSES(call, text) \
  mjs_defaultActuator(&a);  \
  assert_string_equal(call, text)
  REFUSES(mjs_setToPosition(&a, 1, &one, &one, NULL, 0), "kv and dampratio cannot both be defined");
  REFUSES(mjs_setToPosition(&a, 1, &minus, NULL, NULL, 0), "kv cannot be negative");
  REFUSES(mjs_setToPosition(&a, 1, NULL, &minus, NULL, 0), "dampratio cannot be negative");
  REFUSES(mjs_setToPosition(&a, 1, NULL, NULL, &minus, 0), "timeconst cannot be negative");
  REFUSES(mjs_setToDamper(&a, -1), "damping coefficient cannot be negative");
  REFUSES(mjs_setToAdhesion(&a, -1), "adhesion gain cannot be negative");
  REFUSES(mjs_setToMuscle(&a, pair, -1, pair, 1, 1, 1, 1, 1, 1, 1), "muscle tausmooth cannot be negative");
  REFUSES(mjs_setToIntVelocity(&a, 1, &minus, NULL, NULL, 0), "");
  mjs_defaultActuator(&a);
  a.ctrlrange[0] = a.actrange[0] = -1;
  assert_string_equal(mjs_setToDamper(&a, 1), "damper control range cannot be negative");
  assert_string_equal(mjs_setToAdhesion(&a, 1), "adhesion control range cannot be negative");
  assert_string_equal(mjs_setToPosition(&a, 1, NULL, NULL, NULL, 1),
                      "ctrlrange and inheritrange cannot both be defined");
  assert_string_equal(mjs_setToIntVelocity(&a, 1, NULL, NULL, NULL, 1),
                      "actrange and inheritrange cannot both be defined");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(randomCallsEqualTheReferences),
      cmocka_unit_test(shortcutsBecomeGeneral),
      cmocka_unit_test(whatIsRefused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
