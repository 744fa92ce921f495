// The broad phase: order of its pairs, the world's geoms, what sleeps, what is far away.
#include "collision/broad.h"

#include "collision/scene.h"
#include "support/model.h"

static int hasPair(ColPairs pairs, int a, int b) {
  for (int i = 0; i < pairs.n; i++) {
    if (pairs.pair[i] == col_signature(a, b)) return 1;
  }
  return 0;
}

static void pairs_are_ascending(void** state) {
  (void)state;
  mjModel* m = tst_model("boxes");
  mjData* d = mj_makeData(m);
  Rnd r = {.state = 41};
  int total = 0;
  for (int i = 0; i < 50; i++) {
    scene_randomState(m, d, &r, 0.3);
    scene_positions(m, d);
    mj_markStack(d);
    const ColPairs pairs = col_broad(m, d);
    for (int k = 1; k < pairs.n; k++) assert_true(pairs.pair[k - 1] <= pairs.pair[k]);
    for (int k = 0; k < pairs.n; k++) assert_int_equal(pairs.pair[k] >> 16 == 0, k < pairs.nworld);
    total += pairs.n;
    mj_freeStack(d);
  }
  assert_true(total > 200);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// the world of this model has two geoms: the floor and a wall at x = 1
static void world_geoms_are_told_apart(void** state) {
  (void)state;
  mjModel* m = tst_model("boxes");
  mjData* d = mj_makeData(m);
  const int body = mj_name2id(m, mjOBJ_BODY, "ball");
  mjtNum* pos = d->qpos + m->jnt_qposadr[m->body_jntadr[body]];

  // on the floor far from the wall, at the wall high up, in the air
  const mjtNum place[3][3] = {
      {-2, 0, 0.1},
      {1,  0, 0.9},
      {-2, 0, 3  }
  };
  const unsigned want[3] = {1, 2, 0};
  for (int i = 0; i < 3; i++) {
    memcpy(pos, place[i], sizeof(place[i]));
    scene_positions(m, d);
    mj_markStack(d);
    const ColPairs pairs = col_broad(m, d);
    unsigned geoms = 0;
    for (int k = 0; k < pairs.nworld; k++) {
      if ((int)(pairs.pair[k] & 0xFFFF) == body) geoms = pairs.ground[k];
    }
    assert_int_equal(geoms, want[i]);
    mj_freeStack(d);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void sleepers_are_left_alone(void** state) {
  (void)state;
  mjModel* m = tst_model("sleepers");
  mjData* d = mj_makeData(m);
  const int low = mj_name2id(m, mjOBJ_BODY, "low"), high = mj_name2id(m, mjOBJ_BODY, "high");
  scene_positions(m, d);
  for (int b = 0; b < m->nbody; b++) d->body_awake[b] = b ? mjS_AWAKE : mjS_STATIC;
  d->nbody_awake = (int)m->nbody;

  // awake: with the floor and with each other; one asleep: with the other only; both asleep: not at all
  const int asleep[3][2] = {
      {0, 0},
      {1, 0},
      {1, 1}
  };
  for (int i = 0; i < 3; i++) {
    d->body_awake[low] = asleep[i][0] ? mjS_ASLEEP : mjS_AWAKE;
    d->body_awake[high] = asleep[i][1] ? mjS_ASLEEP : mjS_AWAKE;
    d->nbody_awake = (int)m->nbody - asleep[i][0] - asleep[i][1];
    mj_markStack(d);
    const ColPairs pairs = col_broad(m, d);
    assert_int_equal(hasPair(pairs, 0, low), !asleep[i][0]);
    assert_int_equal(hasPair(pairs, low, high), !(asleep[i][0] && asleep[i][1]));
    mj_freeStack(d);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// spheres that just touch are a contact whichever comes first, along every axis
static void touching_is_symmetric(void** state) {
  (void)state;
  for (int i = 0; i < 6; i++) {
    char xml[500];
    const char* pos[] = {"0 0 0", ".2 0 0", "0 .2 0", "0 0 .2"};
    const char *first = pos[i < 3 ? 0 : i - 2], *second = pos[i < 3 ? i + 1 : 0];
    snprintf(xml, sizeof(xml),
             "<mujoco><worldbody><body pos='%s'><freejoint/><geom size='.1'/></body>"
             "<body pos='%s'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
             first, second);
    TstScene scene = tst_openScene(xml);
    mj_fwdPosition(scene.m, scene.d);
    assert_int_equal(scene.d->ncon, 1);
    tst_closeScene(&scene);
  }
}

// keeps every pair; that there is a filter sends few bodies through the sweep as well
static int keepAll(const mjModel* m, mjData* d, int g1, int g2) {
  (void)m;
  (void)d;
  (void)g1;
  (void)g2;
  return 0;
}

// the list made once for few bodies gives the pairs of the sweep
static void few_bodies_meet_as_many_do(void** state) {
  (void)state;
  mjModel* m = tst_model("boxes");
  mjData* d = mj_makeData(m);
  Rnd r = {.state = 43};
  int world = 0, others = 0;
  for (int i = 0; i < 50; i++) {
    scene_randomState(m, d, &r, 0.3);
    scene_positions(m, d);
    mj_markStack(d);
    const ColPairs few = col_broad(m, d);
    mjcb_contactfilter = keepAll;
    const ColPairs many = col_broad(m, d);
    mjcb_contactfilter = NULL;
    assert_int_equal(few.n, many.n);
    for (int k = 0; k < few.n; k++) assert_int_equal(few.pair[k], many.pair[k]);
    world += few.nworld;
    others += few.n - few.nworld;
    mj_freeStack(d);
  }
  assert_true(world > 20 && others > 20);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// what the list was made from may be edited between steps
static void edits_of_the_model_are_noticed(void** state) {
  (void)state;
  mjModel* m = tst_model("boxes");
  mjData* d = mj_makeData(m);
  const int a = (int)m->nbody - 2, b = (int)m->nbody - 1;
  for (int i = 0; i < 3; i++) d->qpos[m->jnt_qposadr[m->body_jntadr[a]] + i] = 0.3;
  for (int i = 0; i < 3; i++) d->qpos[m->jnt_qposadr[m->body_jntadr[b]] + i] = 0.3;
  scene_positions(m, d);
  const int contype = m->body_contype[b], conaffinity = m->body_conaffinity[b], weld = m->body_weldid[b];
  for (int edit = 0; edit < 4; edit++) {
    m->body_contype[b] = edit == 1 ? 0 : contype;
    m->body_conaffinity[b] = edit == 1 ? 0 : conaffinity;
    m->body_weldid[b] = edit == 2 ? a : weld;
    mj_markStack(d);
    const ColPairs pairs = col_broad(m, d);
    assert_int_equal(hasPair(pairs, a, b), edit == 0 || edit == 3);
    mj_freeStack(d);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_are_ascending),        cmocka_unit_test(world_geoms_are_told_apart),
      cmocka_unit_test(sleepers_are_left_alone),    cmocka_unit_test(touching_is_symmetric),
      cmocka_unit_test(few_bodies_meet_as_many_do), cmocka_unit_test(edits_of_the_model_are_noticed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
