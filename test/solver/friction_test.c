// Friction as physics sees it: cones, sticking and sliding, spinning and rolling, stacks, impacts, mocap, memory.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "constraint/scenes.h"
#include "support/model.h"
#include "support/oracle.h"

#define assertNear(a, b, tol) assert_true(fabs((a) - (b)) <= (tol))

// geoms and bodies of test/models/touch.xml
enum { FLOOR, BALL, BOX };
static const mjtSolver SOLVERS[] = {mjSOL_NEWTON, mjSOL_CG, mjSOL_PGS};

static int setup(void** state) {
  return tst_setUp(state, "touch");
}

static void stepFor(const TstScene* f, mjtNum seconds) {
  const int n = (int)round(seconds / f->m->opt.timestep);
  for (int i = 0; i < n; i++) mj_step(f->m, f->d);
}

// first contact of a geom; NULL: none
static const mjContact* contactOf(const TstScene* f, int geom, int* id) {
  for (int i = 0; i < f->d->ncon; i++) {
    if (f->d->contact[i].geom[0] == geom || f->d->contact[i].geom[1] == geom) {
      *id = i;
      return f->d->contact + i;
    }
  }
  return NULL;
}

// lets everything settle on the floor
static void settle(const TstScene* f) {
  mj_resetData(f->m, f->d);
  stepFor(f, .5);
}

//---------------------------------- cones ----------------------------------

// without friction only normal forces, one row per contact
static void frictionless(void** state) {
  TstScene* f = *state;
  for (int g = 0; g < f->m->ngeom; g++) f->m->geom_condim[g] = 1;
  settle(f);
  f->d->qvel[0] = 1;
  f->d->qvel[4] = 3;
  mj_forward(f->m, f->d);
  assert_true(f->d->ncon > 1);
  assert_int_equal(f->d->nefc, f->d->ncon);
  for (int i = 0; i < f->d->ncon; i++) {
    mjtNum force[6];
    mj_contactForce(f->m, f->d, i, force);
    assert_true(force[0] >= 0);
    for (int k = 1; k < 6; k++) assert_true(force[k] == 0);
  }
  assertNear(f->d->qfrc_constraint[0], 0, 1e-12);
  assertNear(f->d->qfrc_constraint[4], 0, 1e-12);
}

// the larger dimension of the two geoms counts, and contacts of several kinds live together
static void mixedDimensions(void** state) {
  TstScene* f = *state;
  const int dims[][3] = {
      {1, 3, 6},
      {3, 1, 4},
      {1, 1, 6},
      {4, 6, 1}
  };
  for (int s = 0; s < 3; s++) {
    f->m->opt.solver = SOLVERS[s];
    for (size_t i = 0; i < 4; i++) {
      f->m->opt.cone = i & 1;
      memcpy(f->m->geom_condim, dims[i], sizeof(dims[i]));
      settle(f);
      mjtNum up = 0;
      for (int c = 0; c < f->d->ncon; c++) {
        const mjContact* con = f->d->contact + c;
        const int *dim = f->m->geom_condim, a = dim[con->geom[0]], b = dim[con->geom[1]];
        mjtNum force[6];
        mj_contactForce(f->m, f->d, c, force);
        up += force[0];
        assert_int_equal(con->dim, a > b ? a : b);
      }

      // the floor carries both bodies
      assertNear(up, 2 * 9.81, .05);
    }
  }
}

// forces stay within the ellipsoid, and on it when the body slides; all solvers agree
static void ellipticBoundary(void** state) {
  TstScene* f = *state;
  const mjtNum mu[2] = {1, .5};
  mjtNum reference[3] = {0};
  for (int s = 0; s < 3; s++) {
    f->m->opt.solver = SOLVERS[s];
    f->m->opt.cone = mjCONE_ELLIPTIC;
    f->m->opt.iterations = 2000;
    f->m->opt.tolerance = 0;
    settle(f);
    mj_fwdPosition(f->m, f->d);
    for (int c = 0; c < f->d->ncon; c++) {
      f->d->contact[c].friction[0] = mu[0];
      f->d->contact[c].friction[1] = mu[1];
    }
    mj_makeConstraint(f->m, f->d);
    mj_island(f->m, f->d);
    mj_projectConstraint(f->m, f->d);
    mj_fwdVelocity(f->m, f->d);
    f->d->qfrc_applied[0] = 20;
    f->d->qfrc_applied[1] = 15;
    mj_fwdActuation(f->m, f->d);
    mj_fwdAcceleration(f->m, f->d);
    mj_fwdConstraint(f->m, f->d);
    int id = 0;
    const mjContact* con = contactOf(f, BALL, &id);
    assert_non_null(con);
    mjtNum force[6];
    mj_contactForce(f->m, f->d, id, force);
    const mjtNum radius = sqrt(force[1] * force[1] / (mu[0] * mu[0]) + force[2] * force[2] / (mu[1] * mu[1]));
    assert_true(force[0] > 1);
    assertNear(radius, force[0], 1e-3 * force[0]);
    if (!s) memcpy(reference, force, sizeof(reference));
    for (int k = 0; k < 3; k++) assertNear(force[k], reference[k], 1e-3 * force[0]);
    f->d->qfrc_applied[0] = f->d->qfrc_applied[1] = 0;
  }
}

// torsional and rolling moments are bounded by the normal force
static void momentsBounded(void** state) {
  TstScene* f = *state;
  for (int cone = 0; cone < 2; cone++) {
    f->m->opt.cone = cone;
    f->m->geom_condim[BALL] = 6;
    settle(f);
    f->d->qvel[3] = 4;
    f->d->qvel[4] = 2;
    f->d->qvel[5] = 20;
    mj_forward(f->m, f->d);
    int id = 0;
    const mjContact* con = contactOf(f, BALL, &id);
    assert_non_null(con);
    mjtNum force[6];
    mj_contactForce(f->m, f->d, id, force);
    assert_true(fabs(force[3]) > 0);
    for (int k = 3; k < 6; k++) assert_true(fabs(force[k]) <= con->friction[k - 1] * force[0] * (1 + 1e-9));
  }
}

//---------------------------------- motion ----------------------------------

// a spinning ball stops only with torsional friction, a rolling one only with rolling friction
static void spinAndRoll(void** state) {
  TstScene* f = *state;
  f->m->geom_friction[3 * FLOOR + 1] = .05;
  f->m->geom_friction[3 * FLOOR + 2] = .01;
  for (int cone = 0; cone < 2; cone++) {
    f->m->opt.cone = cone;
    for (int dim = 3; dim <= 6; dim += dim == 3 ? 1 : 2) {
      f->m->geom_condim[BALL] = dim;
      settle(f);
      f->d->qvel[5] = 5;
      stepFor(f, .3);
      if (dim == 3) {
        assertNear(f->d->qvel[5], 5, .02);
      } else {
        assert_true(fabs(f->d->qvel[5]) < 4.5);
      }

      // rolling without slip: 1 m/s is 10 rad/s
      settle(f);
      f->d->qvel[0] = 1;
      f->d->qvel[4] = 10;
      stepFor(f, .3);
      if (dim < 6) {
        assertNear(f->d->qvel[0], 1, .02);
      } else {
        assert_true(f->d->qvel[0] < .95);
      }
    }
  }
}

// on a slope (tilted gravity) a box sticks below the friction angle and slides above it as it should
static void slope(void** state) {
  TstScene* f = *state;
  const mjtNum mu = .5, g = 9.81;
  f->m->geom_friction[3 * FLOOR] = f->m->geom_friction[3 * BOX] = mu;
  for (int cone = 0; cone < 2; cone++) {
    f->m->opt.cone = cone;
    f->m->opt.impratio = 10;
    for (int steep = 0; steep < 2; steep++) {
      const mjtNum angle = atan(mu) + (steep ? .2 : -.1);
      mju_copy3(f->m->opt.gravity, (mjtNum[]){0, 0, -g});
      settle(f);
      const mjtNum before = f->d->qpos[8];
      mju_copy3(f->m->opt.gravity, (mjtNum[]){0, g * sin(angle), -g * cos(angle)});
      stepFor(f, .5);
      if (steep) {
        const mjtNum expected = g * (sin(angle) - mu * cos(angle));
        assertNear(f->d->qvel[7] / .5, expected, .1 * expected);
      } else {
        assert_true(fabs(f->d->qpos[8] - before) < .005);
      }
    }
  }
}

// a bouncing ball never gains energy
static void impactsLoseEnergy(void** state) {
  TstScene* f = *state;
  f->m->opt.enableflags |= mjENBL_ENERGY;
  for (int cone = 0; cone < 2; cone++) {
    f->m->opt.cone = cone;
    mju_copy(f->m->geom_solref + mjNREF * BALL, (mjtNum[]){.01, .2}, mjNREF);
    mj_resetData(f->m, f->d);
    f->d->qpos[2] = 1;
    f->d->qvel[0] = 2;
    f->d->qvel[4] = -20;
    mj_forward(f->m, f->d);
    const mjtNum start = f->d->energy[0] + f->d->energy[1];
    mjtNum highest = -1e9;
    int touched = 0;
    for (int i = 0; i < 1000; i++) {
      mj_step(f->m, f->d);
      int id;
      touched += contactOf(f, BALL, &id) != NULL;
      highest = fmax(highest, f->d->energy[0] + f->d->energy[1]);
    }
    assert_true(touched > 3);
    assert_true(highest <= start + 1e-2 * fabs(start));
  }
}

// a model by our own loader
static mjModel* compileOurs(const char* xml) {
  char error[500] = "";
  mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s", error);
  mjModel* m = mj_compile(spec, NULL);
  if (!m) fail_msg("%s", mjs_getError(spec));
  mj_deleteSpec(spec);
  return m;
}

// twenty boxes on top of each other stay for ten seconds, once creep is removed; with creep they fall in the reference
// too
static void stackStays(void** state) {
  (void)state;
  mjModel* m = compileOurs(
      "<mujoco><option timestep='.004' noslip_iterations='3'/><default><geom solref='.01 1'/></default><worldbody>"
      "<geom type='plane' size='5 5 .1'/><replicate count='20' offset='0 0 .2'><body pos='0 0 .1'><freejoint/>"
      "<geom type='box' size='.1 .1 .1'/></body></replicate></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 2500; i++) mj_step(m, d);
  for (int i = 0; i < 20; i++) {
    assertNear(d->qpos[7 * i], 0, .03);
    assertNear(d->qpos[7 * i + 1], 0, .03);
    assertNear(d->qpos[7 * i + 2], .1 + .2 * i, .03);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// a body welded to a mocap body follows it
static void mocapIsFollowed(void** state) {
  (void)state;
  mjModel* m = compileOurs(SCENE_TIES);
  mjData* d = mj_makeData(m);
  const int body = mj_name2id(m, mjOBJ_BODY, "a");
  for (int i = 0; i < 500; i++) mj_step(m, d);
  mjtNum before[3];
  mju_copy3(before, d->xpos + 3 * body);
  for (int i = 0; i < 1000; i++) {
    d->mocap_pos[0] = .0005 * i;
    mj_step(m, d);
  }
  assertNear(d->xpos[3 * body] - before[0], .5, .05);
  mj_deleteData(d);
  mj_deleteModel(m);
}

//---------------------------------- machinery ----------------------------------

// the last acceleration is a good start
static void warmStartHelps(void** state) {
  TstScene* f = *state;
  f->m->opt.solver = mjSOL_PGS;
  f->m->opt.tolerance = 1e-12;
  settle(f);
  mj_forward(f->m, f->d);
  const int warm = f->d->solver_niter[0];
  f->m->opt.disableflags |= mjDSBL_WARMSTART;
  mj_forward(f->m, f->d);
  assert_true(warm < f->d->solver_niter[0]);
}

// only Newton's factor is updated by rows
static void updatesAreCounted(void** state) {
  TstScene* f = *state;
  settle(f);
  f->m->opt.disableflags |= mjDSBL_WARMSTART;
  for (int i = 0; i < f->m->nv; i++) f->d->qvel[i] = 0.3 * (i % 4) - 0.5;
  for (int s = 0; s < 3; s++) {
    f->m->opt.solver = SOLVERS[s];
    mj_forward(f->m, f->d);
    assert_true(f->d->solver_niter[0] > 0);
    int updates = 0;
    for (int i = 0; i < f->d->solver_niter[0]; i++) updates += f->d->solver[i].nupdate;
    assert_int_equal(updates > 0, SOLVERS[s] == mjSOL_NEWTON);
  }
}

// no constraints: nothing to solve
static void nothingToSolve(void** state) {
  TstScene* f = *state;
  f->d->qpos[2] = f->d->qpos[9] = 5;
  mj_forward(f->m, f->d);
  assert_int_equal(f->d->nefc, 0);
  for (int i = 0; i < f->m->nv; i++) {
    assert_true(f->d->qacc[i] == f->d->qacc_smooth[i]);
    assert_true(f->d->qfrc_constraint[i] == 0);
  }
}

static int allocations;
static void* countingMalloc(size_t size) {
  allocations++;
  return aligned_alloc(64, (size + 63) & ~(size_t)63);
}

// solvers live on the stack of mjData
static void noHeap(void** state) {
  TstScene* f = *state;
  settle(f);
  void* (*before)(size_t) = mju_user_malloc;
  mju_user_malloc = countingMalloc;
  allocations = 0;
  for (int s = 0; s < 3; s++) {
    f->m->opt.solver = SOLVERS[s];
    mj_forward(f->m, f->d);
  }
  mju_user_malloc = before;
  assert_int_equal(allocations, 0);
}

static char lastWarning[1000];
static void catchWarning(const char* text) {
  strncpy(lastWarning, text, sizeof(lastWarning) - 1);
}

// too small an arena: a warning that says how much is needed, no rows, and the state stays valid
static void exhaustion(void** state) {
  TstScene* f = *state;
  settle(f);
  mj_forward(f->m, f->d);
  const int nefc = f->d->nefc, ncon = f->d->ncon;
  const mjtSize narena = f->d->narena;
  assert_true(nefc > 0);
  void (*before)(const char*) = mju_user_warning;
  mju_user_warning = catchWarning;
  int failures = 0;
  for (size_t bytes = (size_t)ncon * sizeof(mjContact) + 4096; bytes < 100000; bytes += 1024) {
    // only the rows: the stages before have their own needs
    mj_forward(f->m, f->d);
    f->d->narena = (mjtSize)bytes;
    const int number = f->d->warning[mjWARN_CNSTRFULL].number;
    lastWarning[0] = 0;
    mj_makeConstraint(f->m, f->d);
    if (f->d->nefc) mj_island(f->m, f->d);
    f->d->narena = narena;
    if (f->d->nefc == nefc) {
      mju_user_warning = before;
      assert_true(failures > 0);
      return;
    }

    // failed: said so once, with a size, and nothing is half done
    failures++;
    assert_int_equal(f->d->warning[mjWARN_CNSTRFULL].number, number + 1);
    assert_true(f->d->warning[mjWARN_CNSTRFULL].lastinfo > (int)bytes);
    assert_int_equal(f->d->nefc, 0);
    assert_int_equal(f->d->nisland, 0);
    assert_int_equal(f->d->ncon, ncon);
    assert_null(f->d->efc_J);
    mj_fwdConstraint(f->m, f->d);
    for (int i = 0; i < f->m->nv; i++) assert_true(isfinite(f->d->qacc[i]));
  }
  mju_user_warning = before;
  fail_msg("never enough");
}

// rows that inverse dynamics made are solved as those of a forward pass
static void rowsOfInverseAreSolved(void** state) {
  (void)state;
  mjModel* m = tst_string(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .098' euler='0 3 0'><freejoint/>"
      "<geom type='box' size='.1 .2 .1'/></body></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  for (int trial = 0; trial < 6; trial++) {
    m->opt.jacobian = trial % 2 ? mjJAC_SPARSE : mjJAC_DENSE;
    m->opt.solver = trial / 2;
    m->opt.noslip_iterations = 3;
    mjtNum qacc[6];
    mj_forward(m, d);
    assert_true(d->nefc > 0);
    mju_copy(qacc, d->qacc, 6);
    mj_inverse(m, d);
    mj_fwdConstraint(m, d);
    for (int i = 0; i < 6; i++) assert_true(fabs(qacc[i] - d->qacc[i]) < 1e-10 * (1 + fabs(qacc[i])));
    mj_resetData(m, d);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, tst_tearDown)
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(frictionless),
      TEST(mixedDimensions),
      TEST(ellipticBoundary),
      TEST(momentsBounded),
      TEST(spinAndRoll),
      TEST(slope),
      TEST(impactsLoseEnergy),
      cmocka_unit_test(stackStays),
      cmocka_unit_test(mocapIsFollowed),
      cmocka_unit_test(rowsOfInverseAreSolved),
      TEST(warmStartHelps),
      TEST(updatesAreCounted),
      TEST(nothingToSolve),
      TEST(noHeap),
      TEST(exhaustion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
