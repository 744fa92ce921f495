// GJK and EPA as the kernels have them, by the lanes of a group, against the CPU's: the same bits, whatever the order
// of the lanes and the room that a polytope has.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "support/model.h"
#include "support/query.h"
#include "support/random.h"

static const char* const SHAPES[] = {
    "type='box' size='.2 .15 .1'",   "type='ellipsoid' size='.2 .25 .15'",
    "type='cylinder' size='.15 .2'", "type='capsule' size='.1 .2'",
    "type='sphere' size='.2'",       "type='mesh' mesh='few'",
    "type='mesh' mesh='many'",
};
enum { NSHAPE = sizeof(SHAPES) / sizeof(SHAPES[0]) };

static mjModel* pairOf(int first, int second) {
  char xml[2000];
  snprintf(xml, sizeof(xml),
           "<mujoco><asset><mesh name='few' scale='.2 .2 .2' vertex='1 0 0 -1 0 0 0 1 0 0 -1 0 0 0 .8 0 0 -.8'/>"
           "<mesh name='many' scale='.2 .2 .2' vertex='0 .5 .8 0 .5 -.8 0 -.5 .8 0 -.5 -.8 .5 .8 0 .5 -.8 0 -.5 .8 0 "
           "-.5 -.8 0 .8 0 .5 .8 0 -.5 -.8 0 .5 -.8 0 -.5'/></asset><worldbody><body mocap='true'><geom %s/></body>"
           "<body mocap='true'><geom %s/></body></worldbody></mujoco>",
           SHAPES[first], SHAPES[second]);
  return tst_string(xml);
}

// even places and turns by right angles too: there distances are equal, and the first of equals counts
static void place(const mjModel* m, mjData* d, Rnd* rnd, int even) {
  for (int i = 0; i < 8; i++) d->mocap_quat[i] = even ? rnd_below(rnd, 3) - 1 : rnd_uniform(rnd, -1, 1);
  for (int k = 0; k < 2; k++) mju_normalize4(d->mocap_quat + 4 * k);
  for (int i = 0; i < 3; i++) d->mocap_pos[i] = 0;
  for (int i = 3; i < 6; i++) d->mocap_pos[i] = even ? .1 * (rnd_below(rnd, 5) - 2) : rnd_uniform(rnd, -.25, .25);
  mj_kinematics(m, d);
}

static void compare(const TstQuery* got, const TstQuery* expected, const char* what, int trial) {
  int same = got->dist == expected->dist && got->npoint == expected->npoint && got->separate == expected->separate;
  for (int i = 0; i < 3 && expected->npoint; i++) {
    same &= got->x1[i] == expected->x1[i] && got->x2[i] == expected->x2[i];
  }
  for (int i = 0; i < 3 && expected->separate; i++) same &= got->axis[i] == expected->axis[i];
  if (!same) fail_msg("%s, trial %d: %.17g, not %.17g", what, trial, got->dist, expected->dist);
}

static void sameBits(void** state) {
  (void)state;
  int deep = 0, apart = 0, large = 0;
  for (int pair = 0; pair < NSHAPE * NSHAPE; pair++) {
    mjModel* const m = pairOf(pair / NSHAPE, pair % NSHAPE);
    mjData* const d = mj_makeData(m);
    Rnd rnd = {pair + 1};
    for (int trial = 0; trial < 120; trial++) {
      place(m, d, &rnd, trial % 3 == 0);
      const mjtNum margin = trial % 4 == 1 ? .01 : 0;
      const TstQuery expected = tst_query(m, d, margin);
      const TstQuery tight = tst_searchForward(m, d, margin, 4), backward = tst_searchBackward(m, d, margin, 20);
      const TstQuery forward = tst_searchForward(m, d, margin, trial % 2 ? 0 : 35);
      compare(&forward, &expected, "forwards", trial);
      compare(&backward, &expected, "backwards", trial);
      compare(&tight, &expected, "little room", trial);
      deep += expected.dist < 0;
      apart += expected.dist > 0;
      large += expected.grown > 14;
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  if (deep < 1000 || apart < 300 || large < 100) fail_msg("%d deep, %d apart, %d large", deep, apart, large);
}

// Room for g growths is twice as many faces and eight: it is what limits a polytope, so that no more is needed.
static void roomIsEnough(void** state) {
  (void)state;
  mjModel* const m = pairOf(1, 0);
  mjData* const d = mj_makeData(m);
  Rnd rnd = {5};
  m->opt.ccd_tolerance = 1e-10;
  for (int trial = 0; trial < 100; trial++) {
    place(m, d, &rnd, 0);
    const TstQuery expected = tst_query(m, d, 0);
    if (expected.grown >= m->opt.ccd_iterations) continue;
    const TstQuery got = tst_searchForward(m, d, 0, m->opt.ccd_iterations);
    compare(&got, &expected, "deep search", trial);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sameBits),
      cmocka_unit_test(roomIsEnough),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
