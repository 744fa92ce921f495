// Quaternions, poses, spatial vectors and their derivatives: against the reference and against their definitions.
#include "math/compare.h"

#include "math/quat.h"
#include "math/spatial.h"

static const double TOL = 1e-14;

#define BOTH(n, name, ...)          \
  do {                              \
    memcpy(x, start, sizeof(x));    \
    memcpy(y, start, sizeof(y));    \
    CMP_BOTH(n, name, __VA_ARGS__); \
  } while (0)

// everything on random rotations, identities and edge values
static void againstReference(void** state) {
  (void)state;
  Rnd r = {1};
  for (int k = 0; k < 3000; k++) {
    double qa[4], qb[4], v[3], w[6], mat[9], angle, x[12], y[12], start[12];
    cmp_unitQuat(&r, qa);
    cmp_unitQuat(&r, qb);
    (k % 3 == 2 ? cmp_fillEdge : cmp_fill)(&r, v, 3);
    cmp_fill(&r, w, 6);
    cmp_fill(&r, start, 12);
    angle = rnd_uniform(&r, -7, 7);
    if (k % 7 == 0) mju_unit4(qa);
    if (k % 11 == 0) angle = 0;
    ORC(mju_quat2Mat)(mat, qb);
    BOTH(3, mju_rotVecQuat, res, v, qa);
    BOTH(4, mju_negQuat, res, qa);
    BOTH(4, mju_mulQuat, res, qa, qb);
    BOTH(4, mju_mulQuat, res, res, qb);
    BOTH(4, mju_mulQuatAxis, res, qa, v);
    BOTH(4, mju_axisAngle2Quat, res, v, angle);
    BOTH(3, mju_quat2Vel, res, qa, 0.01);
    BOTH(3, mju_subQuat, res, qa, qb);
    BOTH(9, mju_quat2Mat, res, qa);
    BOTH(4, mju_mat2Quat, res, mat);
    BOTH(4, mju_derivQuat, res, qa, v);
    BOTH(4, mju_quatIntegrate, res, v, 0.3);
    BOTH(4, mju_quatZ2Vec, res, v);
    BOTH(7, mju_mulPose, res, res + 3, w, qa, w + 3, qb);
    BOTH(7, mju_negPose, res, res + 3, w, qa);
    BOTH(3, mju_trnVecPose, res, w, qa, v);
    BOTH(6, mju_transformSpatial, res, w, 0, v, start, mat);
    BOTH(6, mju_transformSpatial, res, w, 1, v, start, mat);
    BOTH(6, mju_transformSpatial, res, w, 1, v, start, NULL);
    double euler[3] = {angle, v[0], w[1]};
    static const char* const seq[] = {"xyz", "XYZ", "zyx", "xYz", "zXz", "yyX"};
    if (k % 3 != 2) BOTH(4, mju_euler2Quat, res, euler, seq[k % 6]);
  }
}

// directions along z and degenerate ones
static void zToVector(void** state) {
  (void)state;
  double q[4], v[3], z[3] = {0, 0, 1};
  Rnd r = {2};
  for (int k = 0; k < 100; k++) {
    double target[3], turned[3];
    cmp_fill(&r, target, 3);
    mju_quatZ2Vec(q, target);
    mju_normalize3(target);
    mju_rotVecQuat(turned, z, q);
    cmp_arrays("turned", turned, target, 3, 1e-14);
  }
  const double down[3] = {0, 0, -2}, none[3] = {0, 0, 0};
  mju_quatZ2Vec(q, down);
  mju_rotVecQuat(v, z, q);
  assert_true(v[2] == -1);
  mju_quatZ2Vec(q, none);
  assert_true(q[0] == 1);
}

// the rotation nearest to a matrix, by iteration count and value
static void matrixToRotation(void** state) {
  (void)state;
  Rnd r = {3};
  for (int k = 0; k < 200; k++) {
    double mat[9], x[4], y[4];
    cmp_unitQuat(&r, x);
    memcpy(y, x, sizeof(x));
    cmp_fill(&r, mat, 9);
    for (int i = 0; i < 3; i++) mat[4 * i] += 1.5;
    const int ours = mju_mat2Rot(x, mat), theirs = ORC(mju_mat2Rot)(y, mat);
    assert_in_range(ours, theirs - 1 < 0 ? 0 : theirs - 1, theirs + 1);
    // both stop within 1e-9 of the fixed point
    for (int i = 0; i < 4; i++) assert_true(fabs(x[i] - y[i]) < 1e-8);
  }
}

// derivatives against the reference and against central differences
static void derivatives(void** state) {
  (void)state;
  Rnd r = {4};
  for (int k = 0; k < 300; k++) {
    double qa[4], qb[4], vel[3], Da[9], Db[9], Dq[9], Dv[9], Ds[3];
    cmp_unitQuat(&r, qa);
    cmp_unitQuat(&r, qb);
    cmp_fill(&r, vel, 3);
    const double scale = k % 4 == 0 ? 1e-9 : k % 4 == 1 ? 1e-3 : rnd_uniform(&r, -2, 2);
    mjd_subQuat(qa, qb, Da, Db);
    mjd_quatIntegrate(vel, scale, Dq, Dv, Ds);

    // perturb in the tangent space
    const double eps = 1e-6;
    for (int c = 0; c < 3; c++) {
      double e[3] = {0, 0, 0}, plus[4], minus[4], dp[3], dm[3];
      e[c] = 1;
      memcpy(plus, qa, sizeof(plus));
      memcpy(minus, qa, sizeof(minus));
      mju_quatIntegrate(plus, e, eps);
      mju_quatIntegrate(minus, e, -eps);
      mju_subQuat(dp, plus, qb);
      mju_subQuat(dm, minus, qb);
      // near half a turn the difference vector is discontinuous
      if (mju_norm3(dp) > 3) continue;
      for (int i = 0; i < 3; i++) assert_true(fabs((dp[i] - dm[i]) / (2 * eps) - Da[3 * i + c]) < 1e-6);
    }
    double Ra[9], Rb[9];
    ORC(mjd_subQuat)(qa, qb, Ra, Rb);
    cmp_arrays("Da", Da, Ra, 9, 1e-11);
    cmp_arrays("Db", Db, Rb, 9, 1e-11);
    ORC(mjd_quatIntegrate)(vel, scale, Ra, Rb, qa);
    cmp_arrays("Dquat", Dq, Ra, 9, 1e-12);
    // the reference loses digits in (1 - cos t) / t^2 at small angles; ours uses the series
    cmp_arrays("Dvel", Dv, Rb, 9, 1e-7);
    cmp_arrays("Dscale", Ds, qa, 3, TOL);
  }
  mjd_subQuat((double[4]){1}, (double[4]){1}, NULL, NULL);
}

// eigenvectors reproduce the matrix; equal to the reference's choice of order and sign
static void eigen(void** state) {
  (void)state;
  Rnd r = {5};
  for (int k = 0; k < 1000; k++) {
    double mat[9], val[3], vec[9], quat[4], rval[3], rvec[9], rquat[4];
    cmp_fill(&r, mat, 9);
    if (k % 5 == 0) mat[1] = mat[2] = mat[5] = 0;
    if (k % 25 == 0) mat[4] = mat[0];
    mat[3] = mat[1];
    mat[6] = mat[2];
    mat[7] = mat[5];
    const int iter = mju_eig3(val, vec, quat, mat);
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        double sum = 0;
        for (int c = 0; c < 3; c++) sum += vec[3 * i + c] * val[c] * vec[3 * j + c];
        // the iteration stops when the next rotation is below 1.5e-6: that much is left off the diagonal
        assert_true(fabs(sum - mat[3 * i + j]) < 1e-5);
      }
    }
    orc_sameInt(iter, ORC(mju_eig3)(rval, rvec, rquat, mat));
    cmp_arrays("eigval", val, rval, 3, 1e-12);
    cmp_arrays("eigvec", vec, rvec, 9, 1e-11);
    cmp_arrays("quat", quat, rquat, 4, 1e-11);
  }
}

// spatial algebra against 6x6 matrices: inertia times motion, and the transformation keeps power
static void spatial(void** state) {
  (void)state;
  Rnd r = {6};
  double quat[4], mat[9], dif[3], inert[3], I[10], v[6], f[6];
  cmp_unitQuat(&r, quat);
  mju_quat2Mat(mat, quat);
  cmp_fill(&r, dif, 3);
  cmp_fill(&r, v, 6);
  for (int i = 0; i < 3; i++) inert[i] = rnd_uniform(&r, 1, 2);
  const double mass = 3;
  mth_inertCom(I, inert, mat, dif, mass);
  mth_mulInertVec(f, I, v);

  // force = m (v + w x c), torque = I_com w + c x force
  double lin[3], force[3], torque[3], local[3], moment[3];
  mth_cross3(lin, v, dif);
  mth_add3(lin, lin, v + 3);
  mth_scl3(force, lin, mass);
  mth_mulMatTVec3(local, mat, v);
  for (int i = 0; i < 3; i++) local[i] *= inert[i];
  mth_mulMatVec3(torque, mat, local);
  mth_cross3(moment, dif, force);
  mth_addTo3(torque, moment);
  cmp_arrays("torque", f, torque, 3, 1e-14);
  cmp_arrays("force", f + 3, force, 3, 1e-14);

  // power of a force on a motion does not depend on the frame
  double newpos[3], oldpos[3], vnew[6], fnew[6];
  cmp_fill(&r, newpos, 3);
  cmp_fill(&r, oldpos, 3);
  mju_transformSpatial(vnew, v, 0, newpos, oldpos, mat);
  mju_transformSpatial(fnew, f, 1, newpos, oldpos, mat);
  assert_true(fabs(mth_dot6(vnew, fnew) - mth_dot6(v, f)) < 1e-13);

  // the two cross products are each other's negative transpose
  double a[6], b[6], ca[6], cb[6];
  cmp_fill(&r, a, 6);
  cmp_fill(&r, b, 6);
  mth_crossMotion(ca, v, a);
  mth_crossForce(cb, v, b);
  assert_true(fabs(mth_dot6(ca, b) + mth_dot6(a, cb)) < 1e-14);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(againstReference), cmocka_unit_test(zToVector), cmocka_unit_test(matrixToRotation),
      cmocka_unit_test(derivatives),      cmocka_unit_test(eigen),     cmocka_unit_test(spatial)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
