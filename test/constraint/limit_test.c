// Joint limits, above all the rotation cone of ball joints: one row, distance max(range) − |θ|, J = −sign(θ)·axis.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "constraint/rows.h"
#include "support/model.h"

#define assertNear(a, b, tol) assert_true(fabs((a) - (b)) <= (tol))

#define RAD(deg)              ((deg) * (mjPI / 180))

// joints of test/models/balls.xml
enum { A, B, C, H, D, F };

static int setup(void** state) {
  return tst_setUp(state, "balls");
}

// turns a joint by an angle in degrees about an axis
static void turn(TstScene* f, int joint, mjtNum x, mjtNum y, mjtNum z, mjtNum degrees) {
  const mjtNum half = RAD(degrees) / 2, s = sin(half) / sqrt(x * x + y * y + z * z);
  mjtNum* quat = f->d->qpos + f->m->jnt_qposadr[joint] + (f->m->jnt_type[joint] == mjJNT_FREE ? 3 : 0);
  quat[0] = cos(half);
  quat[1] = x * s;
  quat[2] = y * s;
  quat[3] = z * s;
}

static void setRange(TstScene* f, int joint, mjtNum low, mjtNum high) {
  f->m->jnt_range[2 * joint] = RAD(low);
  f->m->jnt_range[2 * joint + 1] = RAD(high);
}

// makes the rows; returns how many limits there are
static int limits(TstScene* f) {
  mj_fwdPosition(f->m, f->d);
  mj_fwdVelocity(f->m, f->d);
  assert_int_equal(f->d->nl, f->d->nefc);
  return f->d->nl;
}

// value of a row at a dof of a joint
static mjtNum jacobian(TstScene* f, int row, int joint, int k) {
  return f->d->efc_J[row * f->m->nv + f->m->jnt_dofadr[joint] + k];
}

static void assertRow(TstScene* f, int row, int joint, mjtNum dist, const mjtNum J[3]) {
  assert_int_equal(f->d->efc_type[row], mjCNSTR_LIMIT_JOINT);
  assert_int_equal(f->d->efc_id[row], joint);
  assertNear(f->d->efc_pos[row], dist, 1e-12);
  for (int k = 0; k < 3; k++) assertNear(jacobian(f, row, joint, k), J[k], 1e-12);
}

// angle of a ball joint in degrees
static mjtNum angleOf(TstScene* f, int joint) {
  mjtNum quat[4], axis[3];
  mju_copy4(quat, f->d->qpos + f->m->jnt_qposadr[joint]);
  mju_normalize4(quat);
  mju_quat2Vel(axis, quat, 1);
  return mju_norm3(axis) * 180 / mjPI;
}

//---------------------------------- angle and axis ----------------------------------

static void axisAndAngle(void** state) {
  TstScene* f = *state;
  const struct {
    mjtNum axis[3], degrees, angle, dir[3];
  } cases[] = {
      {{0, 0, 1},   90,  90,  {0, 0, 1}               },
      {{.6, .8, 0}, 50,  50,  {.6, .8, 0}             },
      {{0, 0, 1},   200, 160, {0, 0, -1}              },
      {{0, 1, 0},   180, 180, {0, 1, 0}               },
      {{1, 0, 0},   45,  45,  {1, 0, 0}               },
      {{1, 0, 0},   -60, 60,  {-1, 0, 0}              },
      {{1, 2, 2},   170, 170, {1. / 3, 2. / 3, 2. / 3}},
  };
  setRange(f, A, 0, 0);
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    mjtNum axis[3];
    turn(f, A, cases[i].axis[0], cases[i].axis[1], cases[i].axis[2], cases[i].degrees);
    assertNear(con_ballLimit(f->m, f->d, A, axis), -RAD(cases[i].angle), 1e-12);
    for (int k = 0; k < 3; k++) assertNear(axis[k], cases[i].dir[k], 1e-10);

    // q and −q are the same rotation; at half a turn both directions are
    if (cases[i].degrees == 180) continue;
    mju_scl(f->d->qpos, f->d->qpos, -1, 4);
    assertNear(con_ballLimit(f->m, f->d, A, axis), -RAD(cases[i].angle), 1e-12);
    for (int k = 0; k < 3; k++) assertNear(axis[k], cases[i].dir[k], 1e-10);
  }
}

// at rest nothing is violated, whatever the range
static void identityHasNoRow(void** state) {
  TstScene* f = *state;
  assert_int_equal(limits(f), 0);
  setRange(f, A, 0, 1e-6);
  assert_int_equal(limits(f), 0);
}

//---------------------------------- rows ----------------------------------

// 50° about (0.6, 0.8, 0) with a limit of 45°: distance −π/36, and the speed along the row
static void rowOfOneBall(void** state) {
  TstScene* f = *state;
  turn(f, A, .6, .8, 0, 50);
  mju_copy3(f->d->qvel, (mjtNum[]){1, 2, .5});
  assert_int_equal(limits(f), 1);
  assertRow(f, 0, A, -mjPI / 36, (mjtNum[]){-.6, -.8, 0});
  assertNear(f->d->efc_vel[0], -2.2, 1e-12);
}

// into the limit is negative, out of it positive
static void signOfVelocity(void** state) {
  TstScene* f = *state;
  turn(f, A, 1, 0, 0, 60);
  for (int sign = -1; sign <= 1; sign += 2) {
    f->d->qvel[0] = 2 * sign;
    assert_int_equal(limits(f), 1);
    assertNear(f->d->efc_vel[0], -2 * sign, 1e-12);
  }
}

// more than half a turn: 200° is −160°
static void wrappedRotation(void** state) {
  TstScene* f = *state;
  setRange(f, A, 0, 150);
  turn(f, A, 0, 0, 1, 200);
  assert_int_equal(limits(f), 1);
  assertRow(f, 0, A, RAD(-10), (mjtNum[]){0, 0, 1});
}

// small violations, and a sharp boundary without margin; with margin the row comes earlier
static void boundaryAndMargin(void** state) {
  TstScene* f = *state;
  turn(f, A, 0, 0, 1, 45.5);
  assert_int_equal(limits(f), 1);
  assertRow(f, 0, A, RAD(-.5), (mjtNum[]){0, 0, -1});
  turn(f, A, 0, 0, 1, 44.5);
  assert_int_equal(limits(f), 0);
  f->m->jnt_margin[A] = RAD(1);
  assert_int_equal(limits(f), 1);
  assertNear(f->d->efc_pos[0], RAD(.5), 1e-12);
  assertNear(f->d->efc_margin[0], RAD(1), 1e-15);

  // exactly at the limit there is no violation: a distance of zero is not below a margin of zero
  f->m->jnt_margin[A] = 0;
  turn(f, A, 1, 0, 0, 45);
  mjtNum axis[3];
  f->m->jnt_range[1] += con_ballLimit(f->m, f->d, A, axis) < 0 ? 1e-15 : 0;
  assert_int_equal(limits(f), 0);
}

// the larger number of the range counts, whatever its place
static void reversedRange(void** state) {
  TstScene* f = *state;
  turn(f, A, 1, 0, 0, 60);
  setRange(f, A, 45, 0);
  assert_int_equal(limits(f), 1);
  assertRow(f, 0, A, RAD(-15), (mjtNum[]){-1, 0, 0});
}

// quaternions that are not unit, or negated, give the same rows
static void unnormalisedQuaternion(void** state) {
  TstScene* f = *state;
  for (int i = 0; i < 3; i++) {
    turn(f, A, 1, 0, 0, 60);
    mju_scl(f->d->qpos, f->d->qpos, i == 0 ? 1.05 : i == 1 ? -1 : .3, 4);
    mj_kinematics(f->m, f->d);
    assert_int_equal(limits(f), 1);
    assertRow(f, 0, A, RAD(-15), (mjtNum[]){-1, 0, 0});
  }
}

static void unlimitedAndFreeHaveNone(void** state) {
  TstScene* f = *state;
  turn(f, C, 1, 0, 0, 170);
  f->m->jnt_limited[F] = 1;
  setRange(f, F, 0, 20);
  turn(f, F, 1, 0, 0, 120);
  assert_int_equal(limits(f), 0);
}

// several joints at once: those that are violated, each with its own row, in order
static void severalJoints(void** state) {
  TstScene* f = *state;
  setRange(f, A, 0, 30);
  turn(f, A, 1, 0, 0, 50);
  turn(f, B, 0, 1, 0, 45);
  assert_int_equal(limits(f), 1);
  setRange(f, B, 0, 45);
  turn(f, B, 0, 1, 0, 60);
  f->d->qpos[f->m->jnt_qposadr[H]] = RAD(40);
  turn(f, D, 0, 1, 0, 60);
  assert_int_equal(limits(f), 4);
  assertRow(f, 0, A, RAD(-20), (mjtNum[]){-1, 0, 0});
  assertRow(f, 1, B, RAD(-15), (mjtNum[]){0, -1, 0});
  assert_int_equal(f->d->efc_id[2], H);
  assertNear(jacobian(f, 2, H, 0), -1, 0);
  assertNear(f->d->efc_pos[2], RAD(-10), 1e-12);
  assertRow(f, 3, D, RAD(-15), (mjtNum[]){0, -1, 0});
}

// sparse rows hold the same numbers
static void sparseEqualsDense(void** state) {
  TstScene* f = *state;
  turn(f, A, .6, .8, 0, 50);
  turn(f, D, 0, 1, 0, 60);
  assert_int_equal(limits(f), 2);
  mjtNum dense[2 * 19];
  memcpy(dense, f->d->efc_J, sizeof(dense));
  f->m->opt.jacobian = mjJAC_SPARSE;
  assert_int_equal(limits(f), 2);
  assert_int_equal(f->d->nJ, 6);
  for (int r = 0; r < 2; r++) {
    for (int k = 0; k < 3; k++) {
      const int at = f->d->efc_J_rowadr[r] + k;
      assertNear(f->d->efc_J[at], dense[r * f->m->nv + f->d->efc_J_colind[at]], 0);
    }
  }
}

//---------------------------------- motion ----------------------------------

// the limit holds a joint that is pushed, pulls a joint back, and its force is the row's
static void limitHolds(void** state) {
  TstScene* f = *state;
  setRange(f, A, 0, 30);
  turn(f, A, 1, 0, 0, 35);
  f->d->qvel[0] = 2;
  mj_forward(f->m, f->d);
  assert_int_equal(f->d->nefc, 1);
  assert_true(f->d->efc_force[0] > .01);
  for (int k = 0; k < 3; k++) {
    assertNear(f->d->qfrc_constraint[k], jacobian(f, 0, A, k) * f->d->efc_force[0], 1e-10);
  }
  for (int i = 0; i < 500; i++) mj_step(f->m, f->d);
  assert_true(angleOf(f, A) < 32);
}

static void zeroRangeLocks(void** state) {
  TstScene* f = *state;
  setRange(f, A, 0, 0);
  turn(f, A, 0, 1, 0, 20);
  assert_int_equal(limits(f), 1);
  assertNear(f->d->efc_pos[0], RAD(-20), 1e-12);
  for (int i = 0; i < 200; i++) mj_step(f->m, f->d);
  assert_true(angleOf(f, A) < 5);
}

static void nearHalfTurn(void** state) {
  TstScene* f = *state;
  setRange(f, A, 0, 170);
  turn(f, A, 1, 0, 0, 175);
  assert_int_equal(limits(f), 1);
  assertRow(f, 0, A, RAD(-5), (mjtNum[]){-1, 0, 0});
  for (int i = 0; i < 200; i++) mj_step(f->m, f->d);
  assert_true(angleOf(f, A) < 173);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, tst_tearDown)
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(axisAndAngle),   TEST(identityHasNoRow),       TEST(rowOfOneBall),
      TEST(signOfVelocity), TEST(wrappedRotation),        TEST(boundaryAndMargin),
      TEST(reversedRange),  TEST(unnormalisedQuaternion), TEST(unlimitedAndFreeHaveNone),
      TEST(severalJoints),  TEST(sparseEqualsDense),      TEST(limitHolds),
      TEST(zeroRangeLocks), TEST(nearHalfTurn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
