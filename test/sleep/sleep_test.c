// The awake lists, waking of groups that sleep together, and kinematics that leave sleeping bodies alone.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "sleep/sleep.h"
#include "support/model.h"

static mjModel* m;
static mjData* d;

static int setUp(void** state) {
  (void)state;
  m = tst_model("boxes");
  m->opt.enableflags |= mjENBL_SLEEP;
  for (int i = 0; i < m->ntree; i++) m->tree_sleep_policy[i] = mjSLEEP_ALLOWED;
  d = mj_makeData(m);
  mj_kinematics(m, d);
  assert_true(m->ntree >= 3);
  return 0;
}

static int tearDown(void** state) {
  (void)state;
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}

// the first two trees sleep as one group
static void sleepTwo(void) {
  d->tree_asleep[0] = 1;
  d->tree_asleep[1] = 0;
  slp_update(m, d, 0);
}

static void listsFollowTrees(void** state) {
  (void)state;
  sleepTwo();
  assert_int_equal(d->ntree_awake, m->ntree - 2);
  int nv = 0;
  for (int i = 0; i < m->nv; i++) nv += m->dof_treeid[i] > 1;
  assert_int_equal(d->nv_awake, nv);
  for (int i = 0; i < d->nv_awake; i++) assert_true(m->dof_treeid[d->dof_awake_ind[i]] > 1);
  for (int i = 0; i < m->nbody; i++) {
    const int tree = m->body_treeid[i];
    const int expected = tree < 0 ? mjS_STATIC : tree < 2 ? mjS_ASLEEP : mjS_AWAKE;
    assert_int_equal(slp_state(m, d, mjOBJ_BODY, i), expected);
  }
  for (int i = 0; i < d->nbody_awake; i++) assert_int_not_equal(d->body_awake[d->body_awake_ind[i]], mjS_ASLEEP);
  assert_int_equal(slp_bodies(m, d).n, d->nbody_awake);
  assert_int_equal(slp_dofs(m, d).n, d->nv_awake);
}

static void groupsWakeTogether(void** state) {
  (void)state;
  sleepTwo();
  assert_int_equal(slp_wakeTree(m, d, 1, -5), 2);
  assert_int_equal(d->tree_asleep[0], -5);
  assert_int_equal(d->tree_asleep[1], -5);

  // an awake tree only gets more time
  assert_int_equal(slp_wakeTree(m, d, 1, -3), 0);
  assert_int_equal(d->tree_asleep[1], -5);
  assert_int_equal(slp_wakeTree(m, d, 1, -9), 0);
  assert_int_equal(d->tree_asleep[1], -9);
}

static void userWakes(void** state) {
  (void)state;
  memset(d->qvel, 0, m->nv * sizeof(mjtNum));
  sleepTwo();
  assert_int_equal(slp_wake(m, d), 0);

  // a velocity, a force, a new position
  d->qvel[m->tree_dofadr[0]] = 1e-9;
  assert_int_equal(slp_wake(m, d), 2);
  d->qvel[m->tree_dofadr[0]] = 0;
  sleepTwo();
  d->xfrc_applied[6 * m->tree_bodyadr[1]] = 1;
  assert_int_equal(slp_wake(m, d), 2);
  d->xfrc_applied[6 * m->tree_bodyadr[1]] = 0;
  sleepTwo();
  mj_kinematics(m, d);
  assert_int_equal(d->ntree_awake, m->ntree - 2);
  d->qpos[m->jnt_qposadr[m->dof_jntid[m->tree_dofadr[0]]]] += 0.01;
  mj_kinematics(m, d);
  assert_int_equal(d->ntree_awake, m->ntree);

  // switched off: everybody wakes
  sleepTwo();
  m->opt.enableflags &= ~mjENBL_SLEEP;
  mj_kinematics(m, d);
  assert_int_equal(d->ntree_awake, m->ntree);
}

// an equality wakes the tree that sleeps, whichever side it is on, and both when they fell asleep apart
static void equalitiesWake(void** state) {
  (void)state;
  TstScene s = tst_openScene(
      "<mujoco><option><flag sleep='enable'/></option><worldbody><body name='a'><freejoint/><geom size='.1'/></body>"
      "<body name='b' pos='1 0 0'><freejoint/><geom size='.1'/></body><body name='c' pos='2 0 0'><freejoint/><geom "
      "size='.1'/>"
      "</body></worldbody><equality><weld body1='b' body2='c'/></equality></mujoco>");
  // who sleeps of b and c, each alone or as one group; how many wake
  static const struct {
    int asleep[3], woken;
  } cases[] = {
      {{-1, 1, -1},  1},
      {{-1, -1, 2},  1},
      {{-1, 1, 2},   2},
      {{-1, 2, 1},   0},
      {{-1, -1, -1}, 0},
      {{0, 1, -1},   1},
  };
  for (size_t k = 0; k < 2 * sizeof(cases) / sizeof(cases[0]); k++) {
    // and the other way round
    const size_t i = k / 2;
    s.m->eq_obj1id[0] = k % 2 ? 3 : 2;
    s.m->eq_obj2id[0] = k % 2 ? 2 : 3;
    mj_resetData(s.m, s.d);
    memcpy(s.d->tree_asleep, cases[i].asleep, sizeof(cases[i].asleep));
    slp_update(s.m, s.d, 0);
    assert_int_equal(slp_wakeEquality(s.m, s.d), cases[i].woken);
    for (int tree = 0; tree < 3; tree++) {
      const int woken = tree > 0 && cases[i].woken;
      assert_int_equal(s.d->tree_asleep[tree] >= 0, cases[i].asleep[tree] >= 0 && !woken);
    }
  }
  tst_closeScene(&s);
}

// what belongs to one sleeping tree sleeps, what reaches to one that is awake does not; nothing of the world does
// either
static void statesOfObjects(void** state) {
  (void)state;
#define SLEEPER(n)                                                                                                     \
  "<body name='" n "'><freejoint name='j" n "'/><geom name='g" n "' size='.1'/><site name='s" n "'/><camera name='c" n \
  "'/><light name='l" n "'/></body>"
  TstScene
      s = tst_openScene("<mujoco><option><flag sleep='enable'/></option><worldbody><site name='s0'/>" SLEEPER("1") SLEEPER(
          "2") SLEEPER("3") "</worldbody><tendon><spatial name='t12'><site site='s1'/><site "
                            "site='s2'/></spatial><spatial name='t13'><site site='s1'/>"
                            "<site site='s3'/></spatial><spatial name='t123'><site site='s1'/><site site='s2'/><site "
                            "site='s3'/></spatial></tendon>"
                            "<equality><connect name='e12' body1='1' body2='2' anchor='0 0 0'/><weld name='e13' "
                            "site1='s1' site2='s3'/>"
                            "<tendon name='et' tendon1='t12' tendon2='t13'/></equality>"
                            "<actuator><motor name='a1' site='s1'/><adhesion name='a2' body='2' ctrlrange='0 "
                            "1'/><motor name='a12' cranksite='s1' "
                            "slidersite='s2' cranklength='1'/><motor name='a13' cranksite='s1' slidersite='s3' "
                            "cranklength='1'/><motor name='at' "
                            "tendon='t12'/><motor name='aj' joint='j3'/></actuator><sensor><framepos name='m1' "
                            "objtype='site' objname='s1'/><framepos "
                            "name='m12' objtype='camera' objname='c1' reftype='geom' refname='g2'/><framepos "
                            "name='m31' objtype='body' objname='3' "
                            "reftype='xbody' refname='1'/><framepos name='m10' objtype='site' objname='s1' "
                            "reftype='site' refname='s0'/><clock name='mc'/>"
                            "<user name='mu' dim='1'/><rangefinder name='mr' site='s1'/><contact name='ms' "
                            "site='s1'/><contact name='mg' geom1='g1'/>"
                            "<contact name='mb' body2='2'/></sensor></mujoco>");
  memcpy(s.d->tree_asleep, ((int[]){1, 0, -1}), 3 * sizeof(int));
  slp_update(s.m, s.d, 0);
  static const struct {
    int type;
    const char* name;
    int expected;
  } cases[] = {
      {mjOBJ_BODY,     "1",     mjS_ASLEEP},
      {mjOBJ_XBODY,    "3",     mjS_AWAKE },
      {mjOBJ_BODY,     "world", mjS_STATIC},
      {mjOBJ_JOINT,    "j2",    mjS_ASLEEP},
      {mjOBJ_GEOM,     "g3",    mjS_AWAKE },
      {mjOBJ_SITE,     "s1",    mjS_ASLEEP},
      {mjOBJ_SITE,     "s0",    mjS_STATIC},
      {mjOBJ_CAMERA,   "c1",    mjS_ASLEEP},
      {mjOBJ_CAMERA,   "c3",    mjS_AWAKE },
      {mjOBJ_LIGHT,    "l2",    mjS_ASLEEP},
      {mjOBJ_LIGHT,    "l3",    mjS_AWAKE },
      {mjOBJ_TENDON,   "t12",   mjS_ASLEEP},
      {mjOBJ_TENDON,   "t13",   mjS_AWAKE },
      {mjOBJ_TENDON,   "t123",  mjS_AWAKE },
      {mjOBJ_EQUALITY, "e12",   mjS_ASLEEP},
      {mjOBJ_EQUALITY, "e13",   mjS_AWAKE },
      {mjOBJ_EQUALITY, "et",    mjS_AWAKE },
      {mjOBJ_ACTUATOR, "a1",    mjS_ASLEEP},
      {mjOBJ_ACTUATOR, "a2",    mjS_ASLEEP},
      {mjOBJ_ACTUATOR, "a12",   mjS_ASLEEP},
      {mjOBJ_ACTUATOR, "a13",   mjS_AWAKE },
      {mjOBJ_ACTUATOR, "at",    mjS_ASLEEP},
      {mjOBJ_ACTUATOR, "aj",    mjS_AWAKE },
      {mjOBJ_SENSOR,   "m1",    mjS_ASLEEP},
      {mjOBJ_SENSOR,   "m12",   mjS_ASLEEP},
      {mjOBJ_SENSOR,   "m31",   mjS_AWAKE },
      {mjOBJ_SENSOR,   "m10",   mjS_ASLEEP},
      {mjOBJ_SENSOR,   "mc",    mjS_AWAKE },
      {mjOBJ_SENSOR,   "mu",    mjS_AWAKE },
      {mjOBJ_SENSOR,   "mr",    mjS_AWAKE },
      {mjOBJ_SENSOR,   "ms",    mjS_AWAKE },
      {mjOBJ_SENSOR,   "mg",    mjS_ASLEEP},
      {mjOBJ_SENSOR,   "mb",    mjS_ASLEEP},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    const int id = mj_name2id(s.m, cases[i].type, cases[i].name);
    assert_true(id >= 0);
    const int found = slp_state(s.m, s.d, cases[i].type, id);
    if (found != cases[i].expected) fail_msg("%s: %d, not %d", cases[i].name, found, cases[i].expected);
  }
  for (int i = 0; i < s.m->nv; i++) {
    assert_int_equal(slp_state(s.m, s.d, mjOBJ_DOF, i), i < 12 ? mjS_ASLEEP : mjS_AWAKE);
  }
  tst_closeScene(&s);
}

// what sleeps is not computed again
static void sleepersStay(void** state) {
  (void)state;
  memset(d->qvel, 0, m->nv * sizeof(mjtNum));
  mj_comPos(m, d);
  sleepTwo();
  const int sleeper = m->tree_bodyadr[0], awake = m->tree_bodyadr[2];
  d->cinert[10 * sleeper] = d->cinert[10 * awake] = -7;
  mj_kinematics(m, d);
  mj_comPos(m, d);
  assert_true(d->cinert[10 * sleeper] == -7);
  assert_true(d->cinert[10 * awake] != -7);
}

// lists of joints and actuators follow the trees, whoever changes them
static void listsOfObjects(void** state) {
  (void)state;
  assert_int_equal(slp_joints(m, d).n, m->njnt);
  sleepTwo();
  SlpRange joints = slp_joints(m, d);
  int expected = 0;
  for (int i = 0; i < m->njnt; i++) {
    if (m->body_treeid[m->jnt_bodyid[i]] < 2) continue;
    assert_int_equal(joints.list[expected], i);
    expected++;
  }
  assert_int_equal(joints.n, expected);

  // a tree marked awake by hand, and data that was copied
  d->tree_awake[0] = 1;
  d->body_awake[m->tree_bodyadr[0]] = mjS_AWAKE;
  assert_true(slp_joints(m, d).n > expected);
  mjData* copy = mj_copyData(NULL, m, d);
  assert_int_equal(slp_joints(m, copy).n, slp_joints(m, d).n);
  mj_deleteData(copy);

  // without sleeping there is nothing to list
  m->opt.enableflags &= ~mjENBL_SLEEP;
  assert_null(slp_joints(m, d).list);
  assert_int_equal(slp_actuators(m, d).n, m->nu);
}

// a step with everything asleep moves nothing but time
static void nothingHappensAsleep(void** state) {
  (void)state;
  mjModel* model = tst_model("sleepers");
  for (int i = 0; i < model->ntree; i++) model->tree_sleep_policy[i] = mjSLEEP_ALLOWED;
  mjData* data = mj_makeData(model);
  int steps = 0;
  while (data->ntree_awake && steps++ < 20000) mj_step(model, data);
  assert_int_equal(data->ntree_awake, 0);
  mjtNum before[100];
  assert_true(model->nq < 100);
  memcpy(before, data->qpos, sizeof(mjtNum) * (size_t)model->nq);
  const mjtNum time = data->time;
  for (int i = 0; i < 10; i++) mj_step(model, data);
  assert_memory_equal(before, data->qpos, sizeof(mjtNum) * (size_t)model->nq);
  assert_true(data->time > time);
  assert_int_equal(data->ntree_awake, 0);
  assert_int_equal(data->nefc, 0);
  mj_deleteData(data);
  mj_deleteModel(model);
}

// many sleepers side by side, more than one row and block of what is looked at together; the last are left over
enum { MANY = 203 };

static mjData* manySleepers(mjModel** model) {
  static char text[80 * MANY + 300];
  size_t used = (size_t)snprintf(text, sizeof(text), "<mujoco><option><flag sleep='enable'/></option><worldbody>");
  for (int i = 0; i < MANY; i++) {
    used += (size_t)snprintf(text + used, sizeof(text) - used,
                             "<body pos='%d 0 0' sleep='init'><freejoint/><geom size='.1'/></body>", i);
  }
  snprintf(text + used, sizeof(text) - used, "</worldbody></mujoco>");
  char error[200] = "";
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  assert_non_null(spec);
  *model = mj_compile(spec, NULL);
  mj_deleteSpec(spec);
  assert_non_null(*model);
  mjData* data = mj_makeData(*model);
  mj_step(*model, data);
  assert_int_equal(data->ntree_awake, 0);
  return data;
}

// whatever a user changes of one among many wakes it and no other
static void oneOfManyWakes(void** state) {
  (void)state;
  mjModel* model;
  mjData* data = manySleepers(&model);
  static const int TREE[] = {0, 63, 64, 77, 191, 192, MANY - 1};
  for (size_t i = 0; i < sizeof(TREE) / sizeof(*TREE); i++) {
    for (int turn = 0; turn < 10; turn++) {
      const int tree = TREE[i], kind = turn / 2;
      mj_resetData(model, data);
      mj_step(model, data);
      assert_int_equal(data->ntree_awake, 0);
      if (kind == 0) data->qvel[6 * tree + 5] = -0.0;
      if (kind == 1) data->qfrc_applied[6 * tree] = 1;
      if (kind == 2) data->xfrc_applied[6 * (tree + 1) + 2] = 1;
      if (kind == 3) data->qpos[7 * tree + 1] += 1;
      if (kind == 4) model->tree_sleep_policy[tree] = mjSLEEP_NEVER;
      if (turn % 2) {
        mj_step(model, data);
      } else {
        mj_forward(model, data);
      }
      model->tree_sleep_policy[tree] = mjSLEEP_INIT;
      assert_int_equal(data->ntree_awake, 1);
      assert_int_equal(data->tree_awake[tree], 1);
      assert_int_equal(data->nv_awake, 6);
    }
  }
  mj_deleteData(data);
  mj_deleteModel(model);
}

// numbers that cannot be used are found among sleepers, too, even where the pose agrees with them
static void badSleepersAreFound(void** state) {
  (void)state;
  mjModel* model;
  mjData* data = manySleepers(&model);
  static const int TREE[] = {0, 64, 85, MANY - 1};
  static const int WARNING[] = {mjWARN_BADQPOS, mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC};
  for (size_t i = 0; i < sizeof(TREE) / sizeof(*TREE); i++) {
    for (int kind = 0; kind < 4; kind++) {
      const int tree = TREE[i];
      mj_resetData(model, data);
      mj_step(model, data);
      assert_int_equal(data->ntree_awake, 0);
      if (kind == 0) data->qpos[7 * tree + 2] = NAN;
      if (kind == 1) data->qpos[7 * tree] = data->xpos[3 * (tree + 1)] = 2 * mjMAXVAL;
      if (kind == 2) data->qvel[6 * tree + 5] = -2 * mjMAXVAL;
      if (kind == 3) data->qacc_smooth[6 * tree] = data->qacc[6 * tree] = data->qacc_warmstart[6 * tree] = INFINITY;
      mj_step(model, data);
      assert_int_equal(data->warning[WARNING[kind]].number, 1);
      assert_int_equal(data->warning[WARNING[kind]].lastinfo,
                       kind < 2 ? 7 * tree + 2 * !kind : 6 * tree + 5 * (kind == 2));
      assert_true(data->qpos[7 * tree] == model->qpos0[7 * tree]);
    }
  }
  mj_deleteData(data);
  mj_deleteModel(model);
}

// the world's centre of mass while all sleep: what is written over it is gone after the next step, and it follows
// masses and poses
static void centreOfSleepers(void** state) {
  (void)state;
  mjModel* model;
  mjData* data = manySleepers(&model);
  mj_step(model, data);
  const mjtNum before = data->subtree_com[0];
  assert_true(before > 0);
  data->subtree_com[0] = 7;
  mj_step(model, data);
  assert_true(data->subtree_com[0] == before);

  // a mass
  model->body_subtreemass[MANY] *= 3;
  model->body_subtreemass[0] += model->body_subtreemass[MANY] / 3 * 2;
  mj_step(model, data);
  assert_int_equal(data->ntree_awake, 0);
  const mjtNum heavy = data->subtree_com[0];
  assert_true(heavy > before + 0.5);
  mj_step(model, data);
  assert_true(data->subtree_com[0] == heavy);

  // a pose
  data->qpos[0] -= 5;
  mj_step(model, data);
  assert_true(data->subtree_com[0] < heavy - 0.01);
  mj_deleteData(data);
  mj_deleteModel(model);
}

// what a user writes over outputs of sleepers is gone after the next step, wherever it was
static void outputsComeBack(void** state) {
  (void)state;
  mjModel* model;
  mjData* data = manySleepers(&model);
  static const int DOF[] = {0, 511, 512, 700, 6 * MANY - 1};
  for (size_t i = 0; i < sizeof(DOF) / sizeof(*DOF); i++) {
    const int dof = DOF[i];
    data->qacc_smooth[dof] = 3;
    data->qacc[dof] = data->qacc_warmstart[dof] = data->qfrc_actuator[dof] = data->qfrc_constraint[dof] = 7;
  }
  mj_step(model, data);
  assert_int_equal(data->ntree_awake, 0);
  for (int dof = 0; dof < model->nv; dof++) {
    assert_true(data->qfrc_actuator[dof] == 0 && data->qfrc_constraint[dof] == 0);
    assert_true(data->qacc[dof] == data->qacc_smooth[dof] && data->qacc_warmstart[dof] == data->qacc_smooth[dof]);
  }
  assert_true(data->qacc[512] == 3 && data->qacc[513] == 0);

  // one tree is awake in a block of sleepers: what the next step's solver starts from follows in every dof
  data->qvel[6 * 90] = 0.1;
  mj_step(model, data);
  assert_int_equal(data->ntree_awake, 1);
  data->qacc_warmstart[6 * 89] = data->qacc_warmstart[6 * 90 + 1] = data->qacc_warmstart[6 * 91] = 7;
  mj_step(model, data);
  for (int dof = 0; dof < model->nv; dof++) assert_true(data->qacc_warmstart[dof] == data->qacc[dof]);

  // among settled sleepers that alone is changed, before a step and between its parts
  data->qacc_warmstart[0] = data->qacc_warmstart[6 * MANY - 1] = 7;
  mj_step(model, data);
  for (int dof = 0; dof < model->nv; dof++) assert_true(data->qacc_warmstart[dof] == data->qacc[dof]);
  mj_forward(model, data);
  data->qacc_warmstart[0] = data->qacc_warmstart[6 * MANY - 1] = 7;
  mj_Euler(model, data);
  for (int dof = 0; dof < model->nv; dof++) assert_true(data->qacc_warmstart[dof] == data->qacc[dof]);
  mj_deleteData(data);
  mj_deleteModel(model);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setUp, tearDown)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(listsFollowTrees),
                                     TEST(groupsWakeTogether),
                                     TEST(userWakes),
                                     TEST(sleepersStay),
                                     TEST(listsOfObjects),
                                     TEST(nothingHappensAsleep),
                                     cmocka_unit_test(equalitiesWake),
                                     cmocka_unit_test(statesOfObjects),
                                     cmocka_unit_test(oneOfManyWakes),
                                     cmocka_unit_test(badSleepersAreFound),
                                     cmocka_unit_test(centreOfSleepers),
                                     cmocka_unit_test(outputsComeBack)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
