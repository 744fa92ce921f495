// Contact rows against point Jacobians: relative motion of the second body in the contact frame, body-frame axes for
// free joints, and all contact dimensions.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "support/model.h"

#define assertNear(a, b, tol) assert_true(fabs((a) - (b)) <= (tol))

// geoms of test/models/touch.xml
enum { FLOOR, BALL, BOX, ARM, HAND };
enum { MAXNV = 14 };

static int setup(void** state) {
  tst_setUp(state, "touch");
  ((TstScene*)*state)->m->opt.cone = mjCONE_ELLIPTIC;
  return 0;
}

// turns a free body about an axis
static void turn(TstScene* f, int body, const mjtNum axis[3], mjtNum angle) {
  mju_axisAngle2Quat(f->d->qpos + f->m->jnt_qposadr[f->m->body_jntadr[body]] + 3, axis, angle);
}

// places one contact between two geoms and makes its rows; returns the contact
static const mjContact* place(TstScene* f, int geom1, int geom2, int dim) {
  mj_kinematics(f->m, f->d);
  mj_comPos(f->m, f->d);
  f->d->ncon = 0;
  mjContact con = {
      .dist = -.01, .pos = {.3, .2, .1},
           .frame = { 0, 0, 1, 1, 0, 0, 0, 1, 0},
           .dim = dim
  };
  mju_copy(con.friction, (mjtNum[]){.5, .5, .01, .005, .005}, 5);
  mju_copy(con.solref, (mjtNum[]){.02, 1}, mjNREF);
  mju_copy(con.solimp, (mjtNum[]){.9, .95, .001, .5, 2}, mjNIMP);
  con.geom[0] = con.geom1 = geom1;
  con.geom[1] = con.geom2 = geom2;
  for (int s = 0; s < 2; s++) con.flex[s] = con.elem[s] = con.vert[s] = -1;
  assert_int_equal(mj_addContact(f->m, f->d, &con), 0);
  mj_makeConstraint(f->m, f->d);
  return f->d->contact;
}

// the component that row k of an elliptic contact stands for, by point Jacobians
static mjtNum expected(TstScene* f, const mjContact* con, int k, int dof) {
  mjtNum jacp[2][3 * MAXNV], jacr[2][3 * MAXNV], sum = 0;
  for (int s = 0; s < 2; s++) mj_jac(f->m, f->d, jacp[s], jacr[s], con->pos, f->m->geom_bodyid[con->geom[s]]);
  mjtNum(*jac)[3 * MAXNV] = k < 3 ? jacp : jacr;
  for (int i = 0; i < 3; i++) {
    sum += con->frame[3 * (k % 3) + i] * (jac[1][i * f->m->nv + dof] - jac[0][i * f->m->nv + dof]);
  }
  return sum;
}

// value of a row at a dof, from either storage
static mjtNum valueAt(TstScene* f, int row, int dof) {
  const mjData* d = f->d;
  if (!mj_isSparse(f->m)) return d->efc_J[row * f->m->nv + dof];
  for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
    if (d->efc_J_colind[d->efc_J_rowadr[row] + k] == dof) return d->efc_J[d->efc_J_rowadr[row] + k];
  }
  return 0;
}

static void assertRows(TstScene* f, const mjContact* con) {
  assert_int_equal(f->d->nefc, con->dim);
  for (int k = 0; k < con->dim; k++) {
    for (int dof = 0; dof < f->m->nv; dof++) {
      assertNear(valueAt(f, k, dof), expected(f, con, k, dof), 1e-12);
    }
  }
}

static const mjtNum X[3] = {1, 0, 0}, Z[3] = {0, 0, 1};

// angular columns of a turned free body are n·((R eᵢ) × r), not n·(eᵢ × r)
static void bodyFrameAxes(void** state) {
  TstScene* f = *state;
  turn(f, 1, Z, mjPI / 4);
  const mjContact* con = place(f, FLOOR, BALL, 3);
  mjtNum r[3], worst = 0;
  mju_sub3(r, con->pos, f->d->xpos + 3);
  for (int i = 0; i < 3; i++) {
    const mjtNum* xmat = f->d->xmat + 9;
    mjtNum body[3] = {xmat[i], xmat[3 + i], xmat[6 + i]}, world[3] = {i == 0, i == 1, i == 2}, cross[3];
    mju_cross(cross, body, r);
    assertNear(f->d->efc_J[3 + i], mju_dot3(con->frame, cross), 1e-12);
    mju_cross(cross, world, r);
    worst = fmax(worst, fabs(f->d->efc_J[3 + i] - mju_dot3(con->frame, cross)));
  }
  assert_true(worst > .01);
}

// normal and tangents, all dofs
static void translationRows(void** state) {
  TstScene* f = *state;
  turn(f, 1, Z, mjPI / 4);
  assertRows(f, place(f, FLOOR, BALL, 3));
}

// torsion and rolling are rotations about the frame's axes
static void rotationRows(void** state) {
  TstScene* f = *state;
  turn(f, 1, Z, mjPI / 4);
  assertRows(f, place(f, FLOOR, BALL, 6));
  assertRows(f, place(f, FLOOR, BALL, 4));
}

// two free bodies, both turned, in both orders and both storages
static void twoFreeBodies(void** state) {
  TstScene* f = *state;
  turn(f, 1, Z, mjPI / 4);
  turn(f, 2, X, mjPI / 6);
  for (int jacobian = 0; jacobian < 2; jacobian++) {
    f->m->opt.jacobian = jacobian ? mjJAC_SPARSE : mjJAC_DENSE;
    assertRows(f, place(f, BALL, BOX, 6));
    assertRows(f, place(f, BOX, BALL, 6));
  }
}

// at identity body and world axes are the same
static void identityOrientation(void** state) {
  TstScene* f = *state;
  const mjContact* con = place(f, FLOOR, BALL, 6);
  assertRows(f, con);
  mjtNum r[3];
  mju_sub3(r, con->pos, f->d->xpos + 3);
  const mjtNum normal[6] = {0, 0, 1, r[1], -r[0], 0};
  for (int i = 0; i < 6; i++) assertNear(f->d->efc_J[i], normal[i], 1e-15);
}

static void frictionless(void** state) {
  TstScene* f = *state;
  turn(f, 1, Z, mjPI / 4);
  const mjContact* con = place(f, FLOOR, BALL, 1);
  assertRows(f, con);
  assert_int_equal(f->d->efc_type[0], mjCNSTR_CONTACT_FRICTIONLESS);
}

// a hinge chain against a free body: rotation rows are the change of angular velocity with the joint velocities
static void chainAgainstFreeBody(void** state) {
  TstScene* f = *state;
  f->d->qpos[14] = .4;
  f->d->qpos[15] = -.7;
  turn(f, 2, X, 1);
  const mjContact* con = place(f, BOX, HAND, 6);
  assertRows(f, con);

  // by velocities: J·qvel is the relative velocity of the two bodies at the point
  mjtNum vel[6], v[2][6];
  for (int i = 0; i < f->m->nv; i++) f->d->qvel[i] = sin(i + 1.);
  mj_comVel(f->m, f->d);
  mj_mulJacVec(f->m, f->d, vel, f->d->qvel);
  for (int s = 0; s < 2; s++) {
    const int body = f->m->geom_bodyid[con->geom[s]];
    const mjtNum* com = f->d->subtree_com + 3 * f->m->body_rootid[body];
    mju_transformSpatial(v[s], f->d->cvel + 6 * body, 0, con->pos, com, NULL);
  }
  for (int k = 0; k < 3; k++) {
    mjtNum lin = 0, ang = 0;
    for (int i = 0; i < 3; i++) {
      ang += con->frame[3 * k + i] * (v[1][i] - v[0][i]);
      lin += con->frame[3 * k + i] * (v[1][3 + i] - v[0][3 + i]);
    }
    assertNear(vel[k], lin, 1e-12);
    assertNear(vel[3 + k], ang, 1e-12);
  }
}

// pyramid edges are normal ± friction·component
static void pyramidEdges(void** state) {
  TstScene* f = *state;
  turn(f, 1, Z, 1);
  turn(f, 2, X, 2);
  f->m->opt.cone = mjCONE_PYRAMIDAL;
  for (int dim = 3; dim <= 6; dim += dim == 3 ? 1 : 2) {
    const mjContact* con = place(f, BALL, BOX, dim);
    assert_int_equal(f->d->nefc, 2 * (dim - 1));
    for (int k = 1; k < dim; k++) {
      for (int dof = 0; dof < f->m->nv; dof++) {
        const mjtNum n = expected(f, con, 0, dof), t = con->friction[k - 1] * expected(f, con, k, dof);
        assertNear(valueAt(f, 2 * k - 2, dof), n + t, 1e-12);
        assertNear(valueAt(f, 2 * k - 1, dof), n - t, 1e-12);
      }
    }
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, tst_tearDown)
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(bodyFrameAxes),       TEST(translationRows), TEST(rotationRows),         TEST(twoFreeBodies),
      TEST(identityOrientation), TEST(frictionless),    TEST(chainAgainstFreeBody), TEST(pyramidEdges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
