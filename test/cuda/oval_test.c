// Contacts of ellipsoids with boxes, capsules and spheres as the kernels in single precision find them: against the
// CPU, and against what they claim to be.
#define CU_DOUBLE 0
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cuda/oval.h"
#include "cuda/sims.h"
#include "support/cuda_host.h"
#include "support/model.h"
#include "support/random.h"

// two geoms in poses that the test sets
static mjModel* pairOf(const char* other) {
  char xml[1000];
  snprintf(
      xml, sizeof(xml),
      "<mujoco><worldbody>"
      "<body mocap='true'><geom name='other' %s contype='1' conaffinity='1'/></body>"
      "<body><freejoint/><geom name='oval' type='ellipsoid' size='.03 .04 .02' contype='1' conaffinity='1'/></body>"
      "</worldbody></mujoco>",
      other);
  return tst_string(xml);
}

typedef struct {
  Real pos[3], mat[9], size[3];
  CuShape shape;
} Single;

static void toSingle(Single* s, const mjModel* m, const mjData* d, int g) {
  for (int i = 0; i < 3; i++) {
    s->pos[i] = (Real)d->geom_xpos[3 * g + i];
    s->size[i] = (Real)m->geom_size[3 * g + i];
  }
  for (int i = 0; i < 9; i++) s->mat[i] = (Real)d->geom_xmat[9 * g + i];
  s->shape = (CuShape){s->pos, s->mat, s->size};
}

static void place(const mjModel* m, mjData* d, Rnd* rnd, mjtNum far) {
  mjtNum dir[3] = {rnd_uniform(rnd, -1, 1), rnd_uniform(rnd, -1, 1), rnd_uniform(rnd, -1, 1)};
  mju_normalize3(dir);
  for (int i = 0; i < 4; i++) {
    d->qpos[3 + i] = rnd_uniform(rnd, -1, 1);
    d->mocap_quat[i] = rnd_uniform(rnd, -1, 1);
  }
  mju_normalize4(d->qpos + 3);
  mju_normalize4(d->mocap_quat);
  for (int i = 0; i < 3; i++) d->qpos[i] = far * dir[i];
  mj_kinematics(m, d);
}

// What is said to be apart is apart for the CPU, along the direction given too; and what is apart by more than a
// thousandth of the ellipsoid is found to be.
static void apartIsApart(void** state) {
  (void)state;
  static const char* const OTHERS[] = {"type='box' size='.01 .02 .03'", "type='box' size='.3 .2 .1'",
                                       "type='capsule' size='.012 .02'", "type='sphere' size='.02'"};
  int near = 0;
  for (int k = 0; k < 4; k++) {
    mjModel* const m = pairOf(OTHERS[k]);
    mjData* const d = mj_makeData(m);
    Rnd rnd = {11 + (unsigned)k};
    for (int trial = 0; trial < 400; trial++) {
      place(m, d, &rnd, k == 1 ? rnd_uniform(&rnd, .1, .4) : rnd_uniform(&rnd, .03, .1));
      Single oval, other;
      toSingle(&oval, m, d, 1);
      toSingle(&other, m, d, 0);
      const mjtNum dist = mj_geomDistance(m, d, 0, 1, 1, NULL);
      Real axis[3];
      near += dist > 0 && dist < .02;
      if (cu_ovalApart(&oval.shape, m->geom_type[0], &other.shape, 0, axis)) {
        assert_true(dist > 0);
        assert_true(cu_ovalApartAlong(&oval.shape, m->geom_type[0], &other.shape, axis, (Real)(.9 * dist - 1e-5)));
      } else {
        assert_true(dist < .001 * .04);
      }
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  assert_true(near > 200);
}

// no direction keeps the shapes farther apart than the one found, and along it they are as far apart as it says
static void nothingIsFartherApart(void** state) {
  (void)state;
  mjModel* const m = pairOf("type='box' size='.01 .02 .03'");
  mjData* const d = mj_makeData(m);
  Rnd rnd = {5};
  int answered = 0;
  for (int trial = 0; trial < 200; trial++) {
    place(m, d, &rnd, rnd_uniform(&rnd, .03, .1));
    Single oval, other;
    toSingle(&oval, m, d, 1);
    toSingle(&other, m, d, 0);
    CuOval o;
    CuAlong best;
    cu_openOval(&o, &oval.shape, m->geom_type[0], &other.shape);
    cu_askOval(&o, &best);
    if (best.gap < 0) continue;
    answered++;
    assert_true(fabs(cu_dot3(best.u, best.u) - 1) < 1e-5);
    for (int k = 0; k < 300; k++) {
      Real u[3];
      for (int i = 0; i < 3; i++) u[i] = best.u[i] + (Real)(rnd_uniform(&rnd, -1, 1) * (k % 3 ? .05 : 2));
      if (k % 5 == 0) u[k % 3] = 0;
      cu_unit3(u);
      assert_true(cu_gapAlong(&o, u) < best.gap + 1e-4);
    }
  }
  assert_true(answered > 50);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// an axis tells shapes apart only if it does so clearly
static void axesTellApart(void** state) {
  (void)state;
  const Real unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, size[3] = {.1f, .2f, .3f}, zero[3] = {0, 0, 0};
  const Real above[3] = {0, 0, .33f}, up[3] = {0, 0, 1}, round[3] = {.02f, .03f, .02f};
  const CuShape other = {zero, unit, size}, oval = {above, unit, round};
  assert_true(cu_ovalApartAlong(&oval, mjGEOM_BOX, &other, up, .009f));
  assert_false(cu_ovalApartAlong(&oval, mjGEOM_BOX, &other, up, .01f));
  assert_true(cu_ovalApartAlong(&oval, mjGEOM_CAPSULE, &other, up, .009f));
  assert_false(cu_ovalApartAlong(&oval, mjGEOM_CAPSULE, &other, up, .011f));
  assert_true(cu_ovalApartAlong(&oval, mjGEOM_SPHERE, &other, up, .2f));
  assert_false(cu_ovalApartAlong(&oval, mjGEOM_SPHERE, &other, up, .22f));
}

//---------------------------------- simulations ----------------------------------

// stones that lie on boxes, capsules and a ball, one flat and one deep inside: they end where the CPU has them
static void stonesLieWhereTheyDo(void** state) {
  (void)state;
  mjModel* const m = tst_string(
      "<mujoco><option timestep='.004'/><default><geom friction='.8 .02 .003' condim='4'/></default><worldbody>"
      "<geom type='box' size='.3 .3 .1' pos='0 0 -.1' euler='3 2 0'/><geom type='capsule' size='.1 .3' pos='1 0 0' "
      "euler='90 0 0'/><geom size='.2' pos='2 0 0'/>"
      "<body pos='.02 .03 .06' euler='20 30 40'><freejoint/><geom type='ellipsoid' size='.06 .08 .05'/></body>"
      "<body pos='.03 .04 .2' euler='10 30 0'><freejoint/><geom type='ellipsoid' size='.06 .05 .08'/></body>"
      "<body pos='1 .03 .16' euler='20 30 40'><joint type='ball' damping='.01'/><joint type='slide' axis='0 0 "
      "1'/><geom "
      "type='ellipsoid' size='.06 .08 .05'/></body>"
      "<body pos='2 .01 .25' euler='20 30 40'><joint type='slide' axis='0 0 1'/><joint axis='1 0 0' "
      "damping='.01'/><geom "
      "type='ellipsoid' size='.06 .08 .05'/></body>"
      "<body pos='-.2 .1 .02' euler='2 3 0'><freejoint/><geom type='ellipsoid' size='.08 .08 .007'/></body>"
      "</worldbody></mujoco>");
  CudSims* sims;
  char message[CUD_MESSAGE];
  sims = cud_single.make(tst_cudaHost(0), m, 1, message);
  if (!sims) fail_msg("%s", message);
  mjData* const d = mj_makeData(m);
  int contacts = 0;
  for (int k = 0; k < 150; k++) {
    mjtNum qvel[60], state1[120];
    static const int PARTS[] = {mjSTATE_QPOS, mjSTATE_QVEL, mjSTATE_WARMSTART};
    for (int i = 0; i < 3; i++) {
      mj_getState(m, d, state1, PARTS[i]);
      assert_true(cud_single.part(sims, PARTS[i], state1, 1, NULL, message));
    }
    mj_step(m, d);
    contacts += d->ncon;
    assert_true(cud_single.run(sims, 1, NULL, 0, NULL, message));
    assert_true(cud_single.part(sims, mjSTATE_QVEL, qvel, 0, NULL, message));
    for (int i = 0; i < m->nv; i++) {
      if (!(fabs(qvel[i] - d->qvel[i]) < 1e-4)) fail_msg("step %d: qvel[%d] is %g, not %g", k, i, qvel[i], d->qvel[i]);
    }
  }
  assert_true(contacts > 300);
  mj_deleteData(d);
  cud_single.del(sims);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(apartIsApart),
      cmocka_unit_test(nothingIsFartherApart),
      cmocka_unit_test(axesTellApart),
      cmocka_unit_test(stonesLieWhereTheyDo),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
