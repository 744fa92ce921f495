// Stages that work in parts on the threads of a pool give the bits, the order and the memory of those on one thread.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <mujoco/mjxmacro.h>
#include <stdio.h>
#include <string.h>

#include "base/share.h"
#include "support/catch.h"
#include "support/model.h"

// stacks of two bodies each, of several geoms, on a plane, with rows of every kind; many islands, or few when the
// stacks are close to each other
static mjModel* stacks(double apart) {
  char xml[3000];
  snprintf(xml, sizeof(xml),
           "<mujoco><option timestep='.004'/><worldbody><geom type='plane' size='9 9 .1'/>"
           "<replicate count='8' offset='%g 0 0'><replicate count='8' offset='0 %g 0'>"
           "<body pos='0 0 .149'><freejoint/><geom type='box' size='.15 .15 .15'/>"
           " <geom type='sphere' size='.1' pos='0 0 .1' condim='4'/>"
           " <body pos='.15 0 .1'><joint axis='0 1 0' range='-20 20' limited='true' frictionloss='.1'/>"
           "  <geom type='capsule' size='.04 .1' pos='.05 0 0' condim='6'/></body></body>"
           "<body pos='.02 .01 .396'><freejoint/><geom type='cylinder' size='.14 .1' condim='1'/>"
           " <geom type='ellipsoid' size='.1 .12 .2' pos='0 0 .05'/></body>"
           "</replicate></replicate></worldbody></mujoco>",
           apart, apart);
  return tst_string(xml);
}

#define SAME(a, b, n) assert_memory_equal(a, b, sizeof(*(a)) * (size_t)(n))

// all that a step leaves in the arena and in mjData
static void assertSame(const mjModel* m, const mjData* a, const mjData* b) {
  const int sparse = mj_isSparse(m);
  assert_int_equal(a->ncon, b->ncon);
  assert_int_equal(a->nefc, b->nefc);
  assert_int_equal(a->nJ, b->nJ);
  assert_int_equal(a->nisland, b->nisland);
  assert_int_equal(a->parena, b->parena);
  // without the padding at its end, which nobody writes
  for (int k = 0; k < a->ncon; k++) {
    assert_memory_equal(a->contact + k, b->contact + k, offsetof(mjContact, efc_address) + sizeof(int));
  }
  SAME(a->bvh_active, b->bvh_active, m->nbvh);
  SAME(a->solver_niter, b->solver_niter, mjNISLAND);
#undef MJ_M
#define MJ_M(n) m->n
#undef MJ_D
#define MJ_D(n) a->n
#define X(type, name, nr, nc)                                \
  do {                                                       \
    const size_t n = (size_t)(nr) * (nc);                    \
    assert_int_equal(a->name == NULL, b->name == NULL);      \
    const int used = sparse || !strstr(#name, "_J_");        \
    if (a->name && n > 0 && used) SAME(a->name, b->name, n); \
  } while (0);
  MJDATA_ARENA_POINTERS_SOLVER
  if (a->nisland) {
    MJDATA_ARENA_POINTERS_ISLAND
  }
#undef X
#undef MJ_M
#define MJ_M(n) n
#undef MJ_D
#define MJ_D(n) n
  SAME(a->qpos, b->qpos, m->nq);
  SAME(a->qacc, b->qacc, m->nv);
  SAME(a->qfrc_constraint, b->qfrc_constraint, m->nv);
}

// steps with a pool of three workers and without
static void compareSteps(const mjModel* m, int steps, int parts) {
  mjData *alone = mj_makeData(m), *shared = mj_makeData(m);
  mjThreadPool* const pool = mju_threadPoolCreate(3);
  mju_bindThreadPool(shared, pool);
  int most = 0;
  for (int k = 0; k < steps; k++) {
    mj_step(m, alone);
    mj_step(m, shared);
    assertSame(m, alone, shared);
    if (bas_parts(shared, shared->ncon, 64) > most) most = bas_parts(shared, shared->ncon, 64);
  }
  assert_true(most >= parts);
  mj_deleteData(shared);
  mj_deleteData(alone);
  mju_threadPoolDestroy(pool);
}

static void manyIslandsAndFew(void** state) {
  (void)state;
  static const double APART[2] = {1, 0.33};
  for (int mode = 0; mode < 8; mode++) {
    mjModel* const m = stacks(APART[mode & 1]);
    m->opt.solver = mode & 2 ? mjSOL_CG : mjSOL_NEWTON;
    m->opt.cone = mode & 4 ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
    m->opt.jacobian = mode == 5 ? mjJAC_DENSE : mjJAC_SPARSE;
    compareSteps(m, 5, 2);
    mj_deleteModel(m);
  }
}

// the last step's acceleration is no good start: all islands begin at the unconstrained one, as if they knew no other
static void coldStart(void** state) {
  (void)state;
  mjModel* const m = stacks(1);
  mjData *alone = mj_makeData(m), *shared = mj_makeData(m), *cold = mj_makeData(m);
  mjThreadPool* const pool = mju_threadPoolCreate(3);
  mju_bindThreadPool(shared, pool);
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < m->nv; i++) alone->qacc_warmstart[i] = shared->qacc_warmstart[i] = 1e6 * i;
    mj_step(m, alone);
    mj_step(m, shared);
    assertSame(m, alone, shared);
    m->opt.disableflags |= mjDSBL_WARMSTART;
    mj_step(m, cold);
    m->opt.disableflags &= ~mjDSBL_WARMSTART;
    assertSame(m, alone, cold);
  }
  mj_deleteData(cold);
  mj_deleteData(shared);
  mj_deleteData(alone);
  mju_threadPoolDestroy(pool);
  mj_deleteModel(m);
}

// arms of one joint with a spring, a damper, a limit, a motor, a camera and a light each; the last motor pulls in the
// parent's frame where `other` is set
static mjModel* arms(int other) {
  enum { ARMS = 400 };
  static char xml[ARMS * 400];
  size_t n = (size_t)snprintf(xml, sizeof(xml), "<mujoco><option timestep='.01'/><worldbody>");
  for (int i = 0; i < ARMS; i++) {
    n += (size_t)snprintf(xml + n, sizeof(xml) - n,
                          "<body pos='%d 0 0'><joint name='j%d' axis='0 1 .%d' range='-.2 .3' limited='true' "
                          "stiffness='%d' damping='.%d'/><geom size='.1' pos='.3 0 .%d' contype='0' conaffinity='0'/>"
                          "<camera pos='0 0 1'/><light mode='trackcom' pos='0 1 1'/></body>",
                          i, i, i % 7, i % 5, 1 + i % 8, i % 9);
  }
  n += (size_t)snprintf(xml + n, sizeof(xml) - n, "</worldbody><actuator>");
  for (int i = 0; i < ARMS; i++) {
    const char* const joint = other && i == ARMS - 1 ? "jointinparent" : "joint";
    n += (size_t)snprintf(xml + n, sizeof(xml) - n, "<motor %s='j%d' gear='%d'/>", joint, i, 1 + i % 3);
  }
  snprintf(xml + n, sizeof(xml) - n, "</actuator></mujoco>");
  return tst_string(xml);
}

// actuators, limits, springs, cameras and lights
static void manyArms(void** state) {
  (void)state;
  for (int other = 0; other < 2; other++) {
    mjModel* const m = arms(other);
    assert_int_equal(m->nJmom, m->nu);
    mjData *alone = mj_makeData(m), *shared = mj_makeData(m);
    mjThreadPool* const pool = mju_threadPoolCreate(3);
    mju_bindThreadPool(shared, pool);
    int limits = 0;
    for (int k = 0; k < 20; k++) {
      for (int i = 0; i < m->nu; i++) alone->ctrl[i] = shared->ctrl[i] = k == 15 && i == 99 ? NAN : i % 11 - 5;
      mj_step(m, alone);
      mj_step(m, shared);
      assert_int_equal(alone->nefc, shared->nefc);
      SAME(alone->efc_id, shared->efc_id, alone->nefc);
      SAME(alone->efc_J_colind, shared->efc_J_colind, alone->nJ);
      SAME(alone->efc_J, shared->efc_J, alone->nJ);
      SAME(alone->efc_D, shared->efc_D, alone->nefc);
      SAME(alone->efc_aref, shared->efc_aref, alone->nefc);
      SAME(alone->efc_force, shared->efc_force, alone->nefc);
      SAME(alone->efc_island, shared->efc_island, alone->nisland ? alone->nefc : 0);
      SAME(alone->qpos, shared->qpos, m->nq);
      SAME(alone->qacc, shared->qacc, m->nv);
      SAME(alone->qfrc_passive, shared->qfrc_passive, m->nv);
      SAME(alone->qfrc_actuator, shared->qfrc_actuator, m->nv);
      SAME(alone->actuator_length, shared->actuator_length, m->nu);
      SAME(alone->actuator_velocity, shared->actuator_velocity, m->nu);
      SAME(alone->actuator_force, shared->actuator_force, m->nu);
      SAME(alone->actuator_moment, shared->actuator_moment, m->nJmom);
      SAME(alone->moment_colind, shared->moment_colind, m->nJmom);
      SAME(alone->cam_xpos, shared->cam_xpos, 3 * m->ncam);
      SAME(alone->cam_xmat, shared->cam_xmat, 9 * m->ncam);
      SAME(alone->light_xpos, shared->light_xpos, 3 * m->nlight);
      SAME(alone->light_xdir, shared->light_xdir, 3 * m->nlight);
      limits = shared->nl > limits ? shared->nl : limits;
    }
    assert_true(limits > 128 && bas_parts(shared, (int)m->nu, 128) > 1);
    assert_int_equal(alone->warning[mjWARN_BADCTRL].number, 1);
    assert_int_equal(shared->warning[mjWARN_BADCTRL].number, 1);
    mj_deleteData(shared);
    mj_deleteData(alone);
    mju_threadPoolDestroy(pool);
    mj_deleteModel(m);
  }
}

// pairs that the model excludes are left out by every part
static void excludes(void** state) {
  (void)state;
  mjModel* const m = tst_string(
      "<mujoco><worldbody><geom type='plane' size='9 9 .1'/>"
      "<replicate count='9' offset='.21 0 0'><replicate count='9' offset='0 .21 0'>"
      "<body name='b' pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' margin='.05'/></body>"
      "</replicate></replicate></worldbody>"
      "<contact><exclude body1='b01' body2='b02'/><exclude body1='b44' body2='b45'/></contact></mujoco>");
  assert_int_equal(m->nexclude, 2);
  compareSteps(m, 4, 3);
  mj_deleteModel(m);
}

// bodies of many geoms have more contacts than a part has room for: they are found again on one thread
static void littleRoom(void** state) {
  (void)state;
  mjModel* const m = tst_string(
      "<mujoco><option solver='CG' iterations='1'/><default><geom condim='1'/></default>"
      "<worldbody><geom type='plane' size='9 9 .1'/>"
      "<replicate count='9' offset='1 0 0'><replicate count='8' offset='0 1 0'><body pos='0 0 .05'><freejoint/>"
      "<replicate count='6' offset='0 .12 0'><geom type='box' size='.05 .05 .05'/></replicate></body>"
      "</replicate></replicate></worldbody></mujoco>");
  mjData* const d = mj_makeData(m);
  mj_forward(m, d);
  assert_true(d->ncon > 16 * 72);
  mj_deleteData(d);
  compareSteps(m, 2, 3);
  mj_deleteModel(m);
}

// an error in one part: all parts end, then the calling thread raises it, and the next step runs as if nothing had been
static void errorInAPart(void** state) {
  (void)state;
  mjModel* const m = stacks(1);
  mjData *alone = mj_makeData(m), *shared = mj_makeData(m);
  mjThreadPool* const pool = mju_threadPoolCreate(3);
  mju_bindThreadPool(shared, pool);
  const int last = (int)m->ngeom - 5, dim = m->geom_condim[last];  // the last box
  m->geom_condim[last] = 7;
  const char* const message = CATCH(mj_step(m, shared));
  assert_non_null(message);
  assert_string_equal(message, "mj_collision: Invalid condim value: 7");
  m->geom_condim[last] = dim;
  mj_resetData(m, shared);
  for (int k = 0; k < 4; k++) {
    mj_step(m, alone);
    mj_step(m, shared);
    assertSame(m, alone, shared);
  }
  mj_deleteData(shared);
  mj_deleteData(alone);
  mju_threadPoolDestroy(pool);
  mj_deleteModel(m);
}

// parts cover everything once, and there are none without a pool
static void partsCover(void** state) {
  (void)state;
  for (int n = 0; n < 40; n++) {
    for (int pieces = 1; pieces < 9; pieces++) {
      int next = 0;
      for (int k = 0; k < pieces; k++) {
        const BasPart part = bas_part(n, pieces, k);
        assert_int_equal(part.begin, next);
        assert_true(part.end >= part.begin && part.end - part.begin <= n / pieces + 1);
        next = part.end;
      }
      assert_int_equal(next, n);
    }
  }
  mjModel* const m = tst_string("<mujoco/>");
  mjData* const d = mj_makeData(m);
  assert_int_equal(bas_threads(d), 1);
  assert_int_equal(bas_parts(d, 1000000, 1), 1);
  mjThreadPool* const pool = mju_threadPoolCreate(3);
  mju_bindThreadPool(d, pool);
  assert_int_equal(bas_threads(d), 4);
  assert_int_equal(bas_parts(d, 99, 100), 1);
  assert_int_equal(bas_parts(d, 300, 100), 3);
  assert_int_equal(bas_parts(d, 1000000, 100), 16);
  mj_deleteData(d);
  mju_threadPoolDestroy(pool);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(manyIslandsAndFew), cmocka_unit_test(coldStart),
                                     cmocka_unit_test(manyArms),          cmocka_unit_test(excludes),
                                     cmocka_unit_test(littleRoom),        cmocka_unit_test(errorInAPart),
                                     cmocka_unit_test(partsCover)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
