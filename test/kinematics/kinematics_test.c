// Poses, centres of mass, cameras and lights, flexes, configurations: by hand, and against the reference on all models
// of test/models at random states.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "kinematics/flex_position.h"
#include "kinematics/position.h"
#include "math/quat.h"
#include "support/catch.h"
#include "support/model.h"
#include "support/stage.h"

// agreement with the reference, relative to the largest entry: rounding along the longest chain
#define TOL 1e-12

// ---------------------------------------------------------------- against the reference

#define NEAR(field, n) stg_near(s, #field, s->ref->field, s->d->field, (int)(n), TOL)

static void comparePoses(Stage* s) {
  const mjModel* m = s->m;
  NEAR(xpos, 3 * m->nbody);
  NEAR(xquat, 4 * m->nbody);
  NEAR(xmat, 9 * m->nbody);
  NEAR(xipos, 3 * m->nbody);
  NEAR(ximat, 9 * m->nbody);
  NEAR(xanchor, 3 * m->njnt);
  NEAR(xaxis, 3 * m->njnt);
  NEAR(geom_xpos, 3 * m->ngeom);
  NEAR(geom_xmat, 9 * m->ngeom);
  NEAR(site_xpos, 3 * m->nsite);
  NEAR(site_xmat, 9 * m->nsite);
  NEAR(cam_xpos, 3 * m->ncam);
  NEAR(cam_xmat, 9 * m->ncam);
  NEAR(light_xpos, 3 * m->nlight);
  NEAR(light_xdir, 3 * m->nlight);
  NEAR(subtree_com, 3 * m->nbody);
  NEAR(cinert, 10 * m->nbody);
  NEAR(cdof, 6 * m->nv);
}

static void compareFlexesAndTendons(Stage* s) {
  const mjModel* m = s->m;
  NEAR(flexvert_xpos, 3 * m->nflexvert);
  NEAR(flexelem_aabb, 6 * m->nflexelem);
  NEAR(bvh_aabb_dyn, 6 * m->nbvhdynamic);
  NEAR(flexedge_length, m->nflexedge);
  NEAR(flexedge_J, m->nJfe);
  NEAR(flexvert_length, 2 * m->nflexvert);
  NEAR(flexvert_J, 2 * m->nJfv);
  NEAR(ten_length, m->ntendon);
  stg_same(s, "ten_wrapadr", s->ref->ten_wrapadr, s->d->ten_wrapadr, (int)m->ntendon);
  stg_same(s, "ten_wrapnum", s->ref->ten_wrapnum, s->d->ten_wrapnum, (int)m->ntendon);
  for (int t = 0; t < m->ntendon; t++) {
    const int adr = s->ref->ten_wrapadr[t], n = s->ref->ten_wrapnum[t];
    stg_same(s, "wrap_obj", s->ref->wrap_obj + adr, s->d->wrap_obj + adr, n);
    stg_near(s, "wrap_xpos", s->ref->wrap_xpos + 3 * adr, s->d->wrap_xpos + 3 * adr, 3 * n, 1e-9);
    if (mj_isSparse(m)) {
      const int row = s->ref->ten_J_rowadr[t], nnz = s->ref->ten_J_rownnz[t];
      stg_same(s, "ten_J_rowadr", &row, s->d->ten_J_rowadr + t, 1);
      stg_same(s, "ten_J_rownnz", &nnz, s->d->ten_J_rownnz + t, 1);
      stg_same(s, "ten_J_colind", s->ref->ten_J_colind + row, s->d->ten_J_colind + row, nnz);
      stg_near(s, "ten_J", s->ref->ten_J + row, s->d->ten_J + row, nnz, 1e-9);
    } else {
      stg_near(s, "ten_J", s->ref->ten_J + t * m->nv, s->d->ten_J + t * m->nv, (int)m->nv, 1e-9);
    }
  }
}

static void likeTheReference(void** state) {
  (void)state;
  Rnd rnd = {11};
  for (int i = 0; tst_models[i]; i++) {
    mjModel* m = tst_model(tst_models[i]);
    for (int k = 0; k < 4; k++) {
      m->opt.jacobian = k % 2 ? mjJAC_SPARSE : mjJAC_DENSE;
      m->opt.enableflags &= ~mjENBL_SLEEP;
      Stage s = stg_open(tst_models[i], m);
      stg_randomize(&s, &rnd, 0.5);
      memcpy(s.d->qpos, s.ref->qpos, m->nq * sizeof(mjtNum));
      for (int c = 0; c < 4 * m->nmocap; c++) s.d->mocap_quat[c] = s.ref->mocap_quat[c] = rnd_uniform(&rnd, -1, 1);
      ORC(mj_fwdKinematics)(m, s.ref);
      mj_fwdKinematics(m, s.d);
      comparePoses(&s);
      compareFlexesAndTendons(&s);
      assert_int_equal(s.errors, 0);
      stg_close(&s);
    }
    mj_deleteModel(m);
  }
}

// cameras and lights in every mode, and a flex of every kind that the models do not have
static const char* CAMERAS =
    "<mujoco><worldbody>"
    "<camera mode='targetbody' target='b' pos='1 2 3'/><camera mode='targetbodycom' target='a' pos='1 2 3'/>"
    "<light mode='targetbody' target='b' pos='1 2 3'/><light mode='targetbodycom' target='a' pos='1 2 3'/>"
    "<body name='a'><freejoint/><geom size='.1'/>"
    "<camera mode='track' pos='1 0 0'/><camera mode='trackcom' pos='1 0 0'/><camera pos='0 1 0' quat='.5 .5 .1 .2'/>"
    "<light mode='track' pos='1 0 0' dir='1 2 3'/><light mode='trackcom' pos='1 0 0'/><light pos='1 0 0' dir='1 2 3'/>"
    "<body name='b' pos='.3 0 0'><joint type='ball'/><geom size='.1' pos='.2 0 0'/></body></body>"
    "</worldbody></mujoco>";
static const char* FLEXES =
    "<mujoco><option><flag contact='disable'/></option><worldbody>"
    "<flexcomp name='sheet' type='grid' dim='2' count='4 4 1' spacing='.1 .1 .1' mass='1'>"
    "<edge equality='vert'/></flexcomp>"
    "<flexcomp name='soft' type='grid' dim='3' count='4 4 4' spacing='.1 .1 .1' mass='1' dof='trilinear' pos='1 0 0'>"
    "<contact selfcollide='none'/></flexcomp>"
    "<flexcomp name='soft2' type='grid' dim='3' count='4 4 4' spacing='.1 .1 .1' mass='1' dof='quadratic' pos='2 0 0'>"
    "<contact selfcollide='none'/></flexcomp>"
    "<flexcomp name='line' type='grid' dim='1' count='5 1 1' spacing='.1 .1 .1' mass='1' pos='3 0 0'>"
    "<edge stiffness='10' damping='1'/></flexcomp>"
    "</worldbody></mujoco>";

static void everyModeLikeTheReference(void** state) {
  (void)state;
  const char* xml[2] = {CAMERAS, FLEXES};
  Rnd rnd = {5};
  for (int i = 0; i < 2; i++) {
    mjModel* m = orc_compile(xml[i]);
    Stage s = stg_open(i ? "flexes" : "cameras", m);
    for (int k = 0; k < 3; k++) {
      stg_randomize(&s, &rnd, i ? 0.02 : 1);
      memcpy(s.d->qpos, s.ref->qpos, m->nq * sizeof(mjtNum));
      ORC(mj_fwdKinematics)(m, s.ref);
      mj_fwdKinematics(m, s.d);
      comparePoses(&s);
      compareFlexesAndTendons(&s);
    }
    assert_int_equal(s.errors, 0);
    stg_close(&s);
    ORC(mj_deleteModel)(m);
  }
}

// ---------------------------------------------------------------- by hand

// a double pendulum in the plane
static void twoHinges(void** state) {
  (void)state;
  mjModel* m = tst_model("joints");
  mjData* d = mj_makeData(m);
  const int b1 = mj_name2id(m, mjOBJ_BODY, "swing1"), b2 = mj_name2id(m, mjOBJ_BODY, "swing2");
  const mjtNum a = 0.7, b = -0.4;
  d->qpos[m->jnt_qposadr[m->body_jntadr[b1]]] = a;
  d->qpos[m->jnt_qposadr[m->body_jntadr[b2]]] = b;
  mj_kinematics(m, d);

  // swing1 turns about y, swing2 hangs half a metre below and then turns about its own x
  const mjtNum pos[3] = {7 - 0.5 * sin(a), 0, -0.5 * cos(a)};
  const mjtNum quat[4] = {cos(a / 2) * cos(b / 2), cos(a / 2) * sin(b / 2), sin(a / 2) * cos(b / 2),
                          -sin(a / 2) * sin(b / 2)};
  for (int k = 0; k < 3; k++) assert_true(fabs(d->xpos[3 * b2 + k] - pos[k]) < 1e-15);
  for (int k = 0; k < 4; k++) assert_true(fabs(d->xquat[4 * b2 + k] - quat[k]) < 1e-15);
  const mjtNum axis[3] = {cos(a), 0, -sin(a)};
  for (int k = 0; k < 3; k++) assert_true(fabs(d->xaxis[3 * m->body_jntadr[b2] + k] - axis[k]) < 1e-15);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// q ⊞ v then the difference gives v back; integration leaves unit quaternions
static void integrateAndDifferentiate(void** state) {
  (void)state;
  mjModel* m = tst_model("joints");
  mjData* d = mj_makeData(m);
  Rnd rnd = {2};
  mjtNum q1[128], q2[128], q3[128], v[64], back[64];
  memcpy(q1, d->qpos, m->nq * sizeof(mjtNum));
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < m->nv; i++) v[i] = rnd_uniform(&rnd, -1, 1);
    memcpy(q2, q1, m->nq * sizeof(mjtNum));
    mj_integratePos(m, q2, v, 0.9);
    mj_differentiatePos(m, back, 0.9, q1, q2);
    for (int i = 0; i < m->nv; i++) assert_true(fabs(v[i] - back[i]) < 1e-13);

    // body by body
    memcpy(q3, q1, m->nq * sizeof(mjtNum));
    kin_integrateBodies(m, q3, v, 0.9, &(SlpRange){1, (int)m->nbody, NULL});
    assert_memory_equal(q3, q2, m->nq * sizeof(mjtNum));
    memcpy(q1, q2, m->nq * sizeof(mjtNum));
  }

  for (int i = 0; i < m->nq; i++) q2[i] = 3 * q1[i];
  mj_normalizeQuat(m, q2);
  for (int j = 0; j < m->njnt; j++) {
    const int adr = m->jnt_qposadr[j] + (m->jnt_type[j] == mjJNT_FREE ? 3 : 0);
    if (m->jnt_type[j] > mjJNT_BALL) {
      assert_true(q2[adr] == 3 * q1[adr]);
      continue;
    }
    for (int k = 0; k < 4; k++) assert_true(fabs(q2[adr + k] - q1[adr + k]) < 1e-15);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// unnormalised quaternions of the user are read as rotations and left alone
static void userQuaternions(void** state) {
  (void)state;
  mjModel* m = tst_model("joints");
  mjData *d = mj_makeData(m), *twice = mj_makeData(m);
  memcpy(twice->qpos, d->qpos, m->nq * sizeof(mjtNum));
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] > mjJNT_BALL) continue;
    const int adr = m->jnt_qposadr[j] + (m->jnt_type[j] == mjJNT_FREE ? 3 : 0);
    for (int k = 0; k < 4; k++) twice->qpos[adr + k] *= 2;
  }
  mjtNum before[128];
  memcpy(before, twice->qpos, m->nq * sizeof(mjtNum));
  mj_kinematics(m, d);
  mj_kinematics(m, twice);
  assert_memory_equal(before, twice->qpos, m->nq * sizeof(mjtNum));
  for (int i = 0; i < 9 * m->nbody; i++) assert_true(fabs(d->xmat[i] - twice->xmat[i]) < 1e-15);
  mj_deleteData(twice);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// shape functions: 1 at their own node, 0 at the others, sum 1 everywhere
static void shapeFunctions(void** state) {
  (void)state;
  for (int order = 1; order <= 2; order++) {
    const int n = order + 1, num = n * n * n;
    for (int a = 0; a < num; a++) {
      const mjtNum node[3] = {(mjtNum)(a / (n * n)) / order, (mjtNum)(a / n % n) / order, (mjtNum)(a % n) / order};
      for (int b = 0; b < num; b++) assert_true(fabs(kin_flexBasis(node, b, order) - (a == b)) < 1e-15);
    }
    const mjtNum x[3] = {0.3, 0.85, 0.1};
    mjtNum sum = 0;
    for (int b = 0; b < num; b++) sum += kin_flexBasis(x, b, order);
    assert_true(fabs(sum - 1) < 1e-14);
  }
}

// joints that become slides or hinges after mjData was made move as if they had always been
static void changedTypes(void** state) {
  (void)state;
  for (int i = 0; tst_models[i]; i++) {
    mjModel* m = tst_model(tst_models[i]);
    mjData* d = mj_makeData(m);
    for (int j = 0; j < m->njnt; j++) {
      if (m->jnt_type[j] != mjJNT_SLIDE && m->jnt_type[j] != mjJNT_HINGE) continue;
      m->jnt_type[j] = m->jnt_type[j] == mjJNT_SLIDE ? mjJNT_HINGE : mjJNT_SLIDE;
      mjData* fresh = mj_makeData(m);
      for (int q = 0; q < m->nq; q++) d->qpos[q] = fresh->qpos[q] = m->qpos0[q] + 0.1 * (q % 7 - 3);
      mj_kinematics(m, d);
      mj_kinematics(m, fresh);
      assert_memory_equal(d->xpos, fresh->xpos, 3 * (size_t)m->nbody * sizeof(mjtNum));
      assert_memory_equal(d->xquat, fresh->xquat, 4 * (size_t)m->nbody * sizeof(mjtNum));
      mj_deleteData(fresh);
      if (j % 3) m->jnt_type[j] = m->jnt_type[j] == mjJNT_SLIDE ? mjJNT_HINGE : mjJNT_SLIDE;
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

static void unknownType(void** state) {
  (void)state;
  mjModel* m = tst_string("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  m->jnt_type[0] = 7;
  assert_string_equal(CATCH(mj_kinematics(m, d)), "mj_kinematics: joint 0 has unknown type 7");
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(likeTheReference), cmocka_unit_test(everyModeLikeTheReference),
                                     cmocka_unit_test(twoHinges),        cmocka_unit_test(integrateAndDifferentiate),
                                     cmocka_unit_test(userQuaternions),  cmocka_unit_test(shapeFunctions),
                                     cmocka_unit_test(changedTypes),     cmocka_unit_test(unknownType)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
