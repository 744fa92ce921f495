// Sleeping under the reference's names; integers only, so everything is exact.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "compat/engine.h"
#include "support/catch.h"
#include "support/model.h"
#include "support/stage.h"

static void wakingCycles(void** state) {
  (void)state;

  // 0 → 2 → 3 → 0 sleep together, 4 alone, 1 is awake
  const int start[] = {2, -3, 3, 0, 4};
  for (int i = 0; i < 5; i++) {
    for (int wakeval = -12; wakeval < 0; wakeval++) {
      int ours[5], ref[5];
      memcpy(ours, start, sizeof(ours));
      memcpy(ref, start, sizeof(ref));
      const int expected = i == 1 ? 0 : i == 4 ? 1 : 3;
      assert_int_equal(mj_wakeTree(ours, 5, i, wakeval), expected);
      assert_int_equal(ours[i], i == 1 && wakeval > -3 ? -3 : wakeval);
      orc_sameInt(ORC(mj_wakeTree)(ref, 5, i, wakeval), expected);
      orc_sameBytes(ref, ours, sizeof(ref));
    }
  }

  // not a tree, not a cycle
  int broken[] = {1, 7, 1};
  assert_non_null(CATCH(mj_wakeTree(broken, 3, 3, -1)));
  assert_non_null(CATCH(mj_wakeTree(broken, 3, 0, -1)));
}

static int nreturned;
static void returning(const char* message) {
  (void)message;
  nreturned++;
}

// a handler that returns hears of one error, and no tree beyond the ends is read or written
static void wakingErrorsReturn(void** state) {
  (void)state;
  const struct {
    int chain[3], tree;
    const char* message;
  } broken[] = {
      {{-1, 0, 2}, 1,  "invalid sleep state index -1 when waking tree 1"},
      {{-1, 3, 2}, 1,  "invalid sleep state index 3 when waking tree 1" },
      {{1, 2, 1},  0,  "tree 0 is not in a cycle"                       },
      {{0, 1, 2},  3,  "invalid tree 3"                                 },
      {{0, 1, 2},  -1, "invalid tree -1"                                },
  };
  for (int k = 0; k < 5; k++) {
    // guarded on both sides
    int chain[5] = {7, broken[k].chain[0], broken[k].chain[1], broken[k].chain[2], 7};
    mju_user_error = returning;
    nreturned = 0;
    mj_wakeTree(chain + 1, 3, broken[k].tree, -11);
    mju_user_error = NULL;
    assert_int_equal(nreturned, 1);
    assert_int_equal(chain[0], 7);
    assert_int_equal(chain[4], 7);

    memcpy(chain + 1, broken[k].chain, sizeof(broken[k].chain));
    const char* message = CATCH(mj_wakeTree(chain + 1, 3, broken[k].tree, -11));
    assert_non_null(message);
    assert_non_null(strstr(message, broken[k].message));
  }
}

static void compareAwake(Stage* s) {
  const mjModel* m = s->m;
  mjData *r = s->ref, *d = s->d;
  stg_same(s, "ntree_awake", &r->ntree_awake, &d->ntree_awake, 1);
  stg_same(s, "nbody_awake", &r->nbody_awake, &d->nbody_awake, 1);
  stg_same(s, "nparent_awake", &r->nparent_awake, &d->nparent_awake, 1);
  stg_same(s, "nv_awake", &r->nv_awake, &d->nv_awake, 1);
  stg_same(s, "tree_awake", r->tree_awake, d->tree_awake, (int)m->ntree);
  stg_same(s, "body_awake", r->body_awake, d->body_awake, (int)m->nbody);
  stg_same(s, "body_awake_ind", r->body_awake_ind, d->body_awake_ind, r->nbody_awake);
  stg_same(s, "parent_awake_ind", r->parent_awake_ind, d->parent_awake_ind, r->nparent_awake);
  stg_same(s, "dof_awake_ind", r->dof_awake_ind, d->dof_awake_ind, r->nv_awake);

  // objects
  const int objects[][2] = {
      {mjOBJ_BODY,     (int)m->nbody  },
      {mjOBJ_XBODY,    (int)m->nbody  },
      {mjOBJ_GEOM,     (int)m->ngeom  },
      {mjOBJ_SITE,     (int)m->nsite  },
      {mjOBJ_JOINT,    (int)m->njnt   },
      {mjOBJ_DOF,      (int)m->nv     },
      {mjOBJ_CAMERA,   (int)m->ncam   },
      {mjOBJ_LIGHT,    (int)m->nlight },
      {mjOBJ_TENDON,   (int)m->ntendon},
      {mjOBJ_ACTUATOR, (int)m->nu     },
      {mjOBJ_SENSOR,   (int)m->nsensor}
  };
  for (size_t k = 0; k < sizeof(objects) / sizeof(objects[0]); k++) {
    for (int i = 0; i < objects[k][1]; i++) {
      const int a = (int)ORC(mj_sleepState)(m, r, (mjtObj)objects[k][0], i);
      const int b = (int)mj_sleepState(m, d, (mjtObj)objects[k][0], i);
      stg_same(s, mju_type2Str(objects[k][0]), &a, &b, 1);
    }
  }
}

static void statesMatchReference(void** state) {
  (void)state;
  for (int k = 0; tst_models[k]; k++) {
    mjModel* m = tst_model(tst_models[k]);
    m->opt.enableflags |= mjENBL_SLEEP;
    Stage s = stg_open(tst_models[k], m);
    Rnd rnd = {(uint64_t)k};
    for (int trial = 0; trial < 4; trial++) {
      for (int i = 0; i < m->ntree; i++) s.ref->tree_asleep[i] = s.d->tree_asleep[i] = rnd_below(&rnd, 2) ? i : -4;
      ORC(mj_updateSleep)(m, s.ref);
      mj_updateSleep(m, s.d);
      compareAwake(&s);
    }
    assert_int_equal(s.errors, 0);
    stg_close(&s);
    mj_deleteModel(m);
  }
}

static void knownStates(void** state) {
  (void)state;
  TstScene t = tst_openScene(
      "<mujoco><option><flag sleep='enable'/></option><worldbody><geom name='floor' size='1 1 1' type='plane'/>"
      "<body><joint name='a'/><geom size='.1'/></body><body><joint name='b'/><geom "
      "size='.1'/></body></worldbody></mujoco>");
  t.d->tree_asleep[1] = 1;
  mj_updateSleep(t.m, t.d);
  assert_int_equal(t.d->ntree_awake, 1);
  assert_int_equal(t.d->nv_awake, 1);
  assert_int_equal(mj_sleepState(t.m, t.d, mjOBJ_JOINT, 0), mjS_AWAKE);
  assert_int_equal(mj_sleepState(t.m, t.d, mjOBJ_JOINT, 1), mjS_ASLEEP);
  assert_int_equal(mj_sleepState(t.m, t.d, mjOBJ_GEOM, 0), mjS_STATIC);
  assert_int_equal(mj_wakeTree(t.d->tree_asleep, 2, 1, -2), 1);
  mj_updateSleep(t.m, t.d);
  assert_int_equal(t.d->ntree_awake, 2);
  tst_closeScene(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wakingCycles),
      cmocka_unit_test(wakingErrorsReturn),
      cmocka_unit_test(statesMatchReference),
      cmocka_unit_test(knownStates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
