// Fewer contacts of a pair: as many as a geom allows, the deepest among them, spread as far as all of them were.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "collision/reduce.h"
#include "physics/flexes.h"
#include "support/near.h"

// a board on a height field of cells of 4 cm
#define FIELD(attributes)                                                                                           \
  "<mujoco xmlns:sinew=\"urn:sinew\"><option cone=\"elliptic\"/><asset><hfield name=\"h\" nrow=\"50\" ncol=\"50\" " \
  "size=\"1 1 .1 .1\"/></asset><worldbody><geom name=\"field\" type=\"hfield\" hfield=\"h\" " attributes            \
  "/><body pos=\".011 .017 .1\"><freejoint/><geom type=\"box\" size=\".1 .08 .03\" "                                \
  "mass=\"1\"/></body></worldbody></mujoco>"

// largest coordinates of the contacts, and the deepest one
static mjtNum extent(const mjData* d, mjtNum box[4]) {
  mjtNum deepest = 0;
  box[0] = box[1] = 9;
  box[2] = box[3] = -9;
  for (int i = 0; i < d->ncon; i++) {
    for (int k = 0; k < 2; k++) {
      box[k] = fmin(box[k], d->contact[i].pos[k]);
      box[2 + k] = fmax(box[2 + k], d->contact[i].pos[k]);
    }
    deepest = fmin(deepest, d->contact[i].dist);
  }
  return deepest;
}

static void test_fieldsHaveFewerContacts(void** state) {
  (void)state;
  TstScene all = tst_openScene(FIELD("")), few = tst_openScene(FIELD("sinew:contacts=\"8\""));
  for (int i = 0; i < 1000; i++) {
    mj_step(all.m, all.d);
    mj_step(few.m, few.d);
    assert_in_range(few.d->ncon, 0, 8);
  }
  assert_true(all.d->ncon > 16);
  assert_near(few.d->qpos[2], all.d->qpos[2], 1e-3);
  assert_true(mju_norm(few.d->qvel, 6) < 1e-3);

  // from the same pose: the deepest one, and corners of all
  mj_copyState(all.m, all.d, few.d, mjSTATE_QPOS);
  mj_forward(all.m, all.d);
  mj_forward(few.m, few.d);
  mjtNum a[4], b[4];
  assert_near(extent(few.d, b), extent(all.d, a), 0);
  for (int k = 0; k < 4; k++) assert_near(a[k], b[k], 0.01);
  tst_closeScene(&all);
  tst_closeScene(&few);
}

// the scene of the documentation: as many as eight on one field, many on the other, and the boards go alike
static void test_sceneField(void** state) {
  (void)state;
  char error[500] = "";
  mjModel* m = mj_loadXML("scenes/contact/field.xml", NULL, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  TstScene s = {.m = m, .d = mj_makeData(m)};
  mjtNum most[2] = {0, 0};
  for (int i = 0; i < 200; i++) {
    mj_step(s.m, s.d);
    for (int k = 0; k < 2; k++) most[k] = fmax(most[k], s.d->sensordata[k]);
  }
  assert_near(most[0], 8, 0);
  assert_true(most[1] > 20);
  assert_near(s.d->qpos[0], s.d->qpos[7], 0.01);
  tst_closeScene(&s);
}

// A box and a ball on flat ground of triangles, or a plane; after a second they are pushed. The least height of a
// normal.
#define PUSHED(ground)                                                                                                 \
  "<mujoco xmlns:sinew=\"urn:sinew\"><option cone=\"elliptic\"/><default><geom friction=\".1\" mass=\"1\"/></default>" \
  "<asset><hfield name=\"h\" nrow=\"50\" ncol=\"50\" size=\"1 1 .1 .1\"/></asset><worldbody>" ground                   \
  "<body pos=\".011 .017 .12\"><freejoint/><geom type=\"box\" size=\".1 .08 .03\"/></body>"                            \
  "<body pos=\".013 .517 .12\"><freejoint/><geom size=\".1\"/></body></worldbody></mujoco>"

static mjtNum push(TstScene* s) {
  mjtNum least = 1;
  for (int i = 0; i < 1000; i++) {
    if (i == 500) {
      for (int k = 0; k < 2; k++) {
        s->d->qvel[6 * k] = 0.6;
        s->d->qvel[6 * k + 1] = 0.13;
      }
    }
    mj_step(s->m, s->d);
    for (int k = 0; k < s->d->ncon && i >= 500; k++) least = fmin(least, fabs(s->d->contact[k].frame[2]));
  }
  return least;
}

// sides of prisms within the ground do not stop what slides, and rolling is as on a plane
static void test_nothingWithinTheGround(void** state) {
  (void)state;
  TstScene plane = tst_openScene(PUSHED("<geom type=\"plane\" size=\"2 2 1\"/>"));
  TstScene all = tst_openScene(PUSHED("<geom type=\"hfield\" hfield=\"h\"/>"));
  TstScene few = tst_openScene(PUSHED("<geom type=\"hfield\" hfield=\"h\" sinew:contacts=\"8\"/>"));
  push(&plane);
  assert_true(push(&all) < 0.1);
  assert_true(push(&few) > 0.9999);
  for (int i = 0; i < 3; i++) assert_near(few.d->qvel[6 + i], plane.d->qvel[6 + i], 1e-3);
  assert_near(few.d->qpos[0], plane.d->qpos[0], 2e-3);
  tst_closeScene(&plane);
  tst_closeScene(&all);
  tst_closeScene(&few);
}

// the smaller limit of two geoms counts, and none where nobody asks
static void test_limits(void** state) {
  (void)state;
  TstScene s = tst_openScene(FIELD("sinew:contacts=\"12\""));
  for (int i = 0; i < 200; i++) mj_step(s.m, s.d);
  assert_in_range(s.d->ncon, 5, 12);
  const int id = mj_name2id(s.m, mjOBJ_NUMERIC, COL_REDUCE_ENTRY);
  assert_true(id >= 0);
  s.m->numeric_data[s.m->numeric_adr[id] + 1] = 5;
  mj_forward(s.m, s.d);
  assert_in_range(s.d->ncon, 1, 5);
  tst_closeScene(&s);
}

static void test_spread(void** state) {
  (void)state;
  ColTouch touch[40];
  int index[40];
  for (int i = 0; i < 40; i++) {
    touch[i] = (ColTouch){
        {i % 20, 0, 0},
        {0,      0, 1},
        i == 7 ? -2 : -1
    };
  }

  // the deepest, the ends, then the middle of what is left; those that are there twice once
  assert_int_equal(col_spread(touch, 40, 3, 1, index), 3);
  assert_int_equal(index[0], 7);
  assert_int_equal(index[1], 19);
  assert_int_equal(index[2], 0);
  assert_int_equal(col_spread(touch, 40, 40, 1, index), 20);
}

static void test_badInput(void** state) {
  (void)state;
  assert_non_null(strstr(whyNot(FIELD("sinew:contacts=\"3\"")), "'sinew:contacts' is 3, must be in [4, 50]"));
  assert_non_null(strstr(whyNot(FIELD("sinew:contacts=\"4.5\"")), "must be a whole number"));
  assert_non_null(strstr(whyNot(FIELD("sinew:contact=\"8\"")), "did you mean 'contacts'?"));
  assert_non_null(
      strstr(whyNot("<mujoco><custom><numeric name=\"sinew:contacts:geoms\" data=\"8\"/></custom></mujoco>"),
             "has 1 values, the model has 0 geoms"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fieldsHaveFewerContacts),
      cmocka_unit_test(test_sceneField),
      cmocka_unit_test(test_nothingWithinTheGround),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_spread),
      cmocka_unit_test(test_badInput),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
