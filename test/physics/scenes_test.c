// The scenes of scenes/physics: they load and run without warnings, survive saving and loading, show what their headers
// promise, and move as they did when the golden numbers were written (SINEW_WRITE_GOLDEN=1 writes them anew).
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "physics/flexes.h"
#include "support/catch.h"

static const char* const NAMES[] = {"flag", "grasp", "jelly", "shell", "spring_leg", "two_cloths"};
enum { SCENES = sizeof(NAMES) / sizeof(NAMES[0]) };
static const char GOLDEN[] = "test/golden/physics.txt";

static TstScene load(const char* name) {
  char path[100], error[500] = "";
  snprintf(path, sizeof(path), "scenes/physics/%s.xml", name);
  mjModel* m = mj_loadXML(path, NULL, error, sizeof(error));
  if (!m) fail_msg("%s: %s", path, error);
  return (TstScene){.m = m, .d = mj_makeData(m)};
}

static void run(TstScene* s, double seconds) {
  const int steps = (int)lround(seconds / s->m->opt.timestep);
  for (int i = 0; i < steps; i++) mj_step(s->m, s->d);
  mj_forward(s->m, s->d);
}

// lowest or highest vertex of a flex
static mjtNum extreme(const TstScene* s, const char* flex, int highest) {
  const int f = mj_name2id(s->m, mjOBJ_FLEX, flex), first = s->m->flex_vertadr[f];
  mjtNum best = s->d->flexvert_xpos[3 * first + 2];
  for (int v = first; v < first + s->m->flex_vertnum[f]; v++) {
    const mjtNum z = s->d->flexvert_xpos[3 * v + 2];
    best = highest ? fmax(best, z) : fmin(best, z);
  }
  return best;
}

//---------------------------------- all ----------------------------------

// every tenth of a second for half a second: a few positions of each scene
static void movesAsItDid(void** state) {
  (void)state;
  const int writes = getenv("SINEW_WRITE_GOLDEN") != NULL;
  FILE* file = fopen(GOLDEN, writes ? "w" : "r");
  assert_non_null(file);
  catchNwarning = 0;
  mju_user_warning = catchCount;
  for (int i = 0; i < SCENES; i++) {
    TstScene s = load(NAMES[i]);
    for (int k = 0; k < s.m->nu; k++) s.d->ctrl[k] = 0.2;
    for (int t = 1; t <= 3; t++) {
      run(&s, 0.05);
      const int samples[3] = {0, (int)s.m->nq / 2, (int)s.m->nq - 1};
      for (int k = 0; k < 3; k++) {
        const mjtNum value = s.d->qpos[samples[k]];
        char name[50];
        double expected;
        if (writes) {
          fprintf(file, "%s %d %d %.17g\n", NAMES[i], t, samples[k], value);
        } else {
          int time, at;
          assert_int_equal(fscanf(file, "%49s %d %d %lf", name, &time, &at, &expected), 4);
          assert_string_equal(name, NAMES[i]);
          assert_int_equal(at, samples[k]);
          if (value != expected) fail_msg("%s at step %d, qpos %d: %.17g, was %.17g", name, t, at, value, expected);
        }
      }
    }
    tst_closeScene(&s);
  }
  mju_user_warning = NULL;
  fclose(file);
  assert_int_equal(catchNwarning, 0);
}

// saved and loaded again they are the same model
static void surviveSaving(void** state) {
  (void)state;
  static char saved[2][400000];
  for (int i = 0; i < SCENES; i++) {
    char path[100], error[500];
    snprintf(path, sizeof(path), "scenes/physics/%s.xml", NAMES[i]);
    mjSpec* spec = mj_parseXML(path, NULL, error, sizeof(error));
    mjModel* m = mj_compile(spec, NULL);
    assert_int_equal(mj_saveXMLString(spec, saved[0], sizeof(saved[0]), error, sizeof(error)), 0);
    mjSpec* again = mj_parseXMLString(saved[0], NULL, error, sizeof(error));
    assert_non_null(again);
    mjModel* n = mj_compile(again, NULL);
    assert_non_null(n);
    assert_int_equal(mj_saveXMLString(again, saved[1], sizeof(saved[1]), error, sizeof(error)), 0);
    assert_string_equal(saved[0], saved[1]);
    assert_int_equal(m->ntext, n->ntext);
    assert_memory_equal(m->text_data, n->text_data, (size_t)m->ntextdata);
    assert_memory_equal(m->numeric_data, n->numeric_data, (size_t)m->nnumericdata * sizeof(mjtNum));
    mj_deleteModel(m);
    mj_deleteModel(n);
    mj_deleteSpec(spec);
    mj_deleteSpec(again);
  }
}

//---------------------------------- each ----------------------------------

// the free end flies down the wind, above where it would hang
static void flag(void** state) {
  (void)state;
  TstScene s = load("flag");
  run(&s, 1);
  mjtNum least = INFINITY, most = -INFINITY;
  for (int i = 0; i < 25; i++) {
    run(&s, 0.04);
    const mjtNum* corner = s.d->flexvert_xpos + 3 * (s.m->nflexvert - 1);
    assert_true(corner[0] > 0.7 && corner[2] > 1.4);
    least = fmin(least, corner[1]);
    most = fmax(most, corner[1]);
  }
  assert_true(most - least > 1e-4);
  tst_closeScene(&s);
}

// both strips sag, and alike
static void twoCloths(void** state) {
  (void)state;
  TstScene s = load("two_cloths");
  run(&s, 0.5);
  const mjtNum soft = 1 - extreme(&s, "soft", 0), stiff = 1 - extreme(&s, "stiff", 0);
  assert_true(soft > 0.05);
  assert_near(soft, stiff, 0.02 * soft);
  assert_string_equal(sn_getModel(s.m, SN_BENDING, 0, NULL)->name, "cotangent");
  assert_string_equal(sn_getModel(s.m, SN_BENDING, 1, NULL)->name, "bridson");
  tst_closeScene(&s);
}

// all three land, flatten and stand as cubes
static void jelly(void** state) {
  (void)state;
  TstScene s = load("jelly");
  static const char* const cubes[] = {"linear", "neo_hookean", "corotational"};
  mjtNum flattest[3] = {1, 1, 1};
  for (int t = 0; t < 18; t++) {
    run(&s, 0.03);
    for (int k = 0; k < 3; k++) flattest[k] = fmin(flattest[k], extreme(&s, cubes[k], 1) - extreme(&s, cubes[k], 0));
  }
  for (int k = 0; k < 3; k++) {
    const mjtNum height = extreme(&s, cubes[k], 1) - extreme(&s, cubes[k], 0);
    assert_true(flattest[k] < 0.285);
    assert_true(height > 0.27 && height < 0.31);
    assert_true(extreme(&s, cubes[k], 0) > -0.01);
  }
  tst_closeScene(&s);
}

// the arch carries the ball and keeps its shape
static void shell(void** state) {
  (void)state;
  TstScene s = load("shell");
  run(&s, 0.01);
  assert_true(extreme(&s, "arch", 1) > 0.295);
  run(&s, 1);
  assert_true(extreme(&s, "arch", 1) > 0.28 && s.d->xpos[3 * mj_name2id(s.m, mjOBJ_BODY, "weight") + 2] > 0.25);

  // without stiffness against bending it does not
  mj_resetData(s.m, s.d);
  assert_null(sn_setBending(s.m, 0, "bridson", (mjtNum[]){0, 0}));
  run(&s, 1);
  assert_true(extreme(&s, "arch", 1) < 0.28 || s.d->xpos[3 * mj_name2id(s.m, mjOBJ_BODY, "weight") + 2] < 0.25);
  tst_closeScene(&s);
}

// the spring gives back: pressed down by a push the trunk comes up again; a stretched command makes it jump
static void springLeg(void** state) {
  (void)state;
  TstScene s = load("spring_leg");
  run(&s, 1);
  const mjtNum rest = s.d->qpos[0];
  s.d->ctrl[0] = 0.8;
  run(&s, 0.3);
  assert_true(s.d->qpos[0] < rest - 0.01);
  s.d->ctrl[0] = -0.8;
  mjtNum top = -1;
  for (int i = 0; i < 40; i++) {
    run(&s, 0.01);
    top = fmax(top, s.d->qpos[0]);
  }
  assert_true(top > rest + 0.05);
  assert_int_equal(s.m->na, 2);
  tst_closeScene(&s);
}

// every contact model lifts the box by its friction; without squeezing it stays
static void grasp(void** state) {
  (void)state;
  static const char* const models[] = {"xpbd", "lcp", "compliant"};
  for (int k = 0; k < 4; k++) {
    TstScene s = load("grasp");
    s.m->opt.timestep = k == 2 ? 2e-4 : 1e-3;
    assert_null(sn_setContact(s.m, models[k % 3], k == 2 ? (mjtNum[]){1e6, 1.5, 5, 0.05} : NULL));
    const mjtNum squeeze = k == 3 ? 0 : 5;
    s.d->ctrl[1] = s.d->ctrl[2] = squeeze;
    run(&s, 0.4);
    s.d->ctrl[0] = 0.2;
    run(&s, 1);
    const mjtNum height = s.d->sensordata[2];
    assert_true(k == 3 ? height < 0.05 : height > 0.15 && height < 0.3);
    tst_closeScene(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(movesAsItDid), cmocka_unit_test(surviveSaving), cmocka_unit_test(flag),
      cmocka_unit_test(twoCloths),    cmocka_unit_test(jelly),         cmocka_unit_test(shell),
      cmocka_unit_test(springLeg),    cmocka_unit_test(grasp),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
