// Quaternions and rotations: what is too long to inline, and the public functions. See quat.h.
#include "math/quat.h"

#include <mujoco/mujoco.h>

void mth_mat2Quat(mjtNum quat[4], const mjtNum mat[9]) {
  // 4 q_k^2 for the component of largest magnitude is positive: divide by that one
  const mjtNum xx = mat[0], yy = mat[4], zz = mat[8];
  if (xx + yy + zz > 0) {
    quat[0] = 0.5 * sqrt(1 + xx + yy + zz);
    quat[1] = 0.25 * (mat[7] - mat[5]) / quat[0];
    quat[2] = 0.25 * (mat[2] - mat[6]) / quat[0];
    quat[3] = 0.25 * (mat[3] - mat[1]) / quat[0];
  } else if (xx > yy && xx > zz) {
    quat[1] = 0.5 * sqrt(1 + xx - yy - zz);
    quat[0] = 0.25 * (mat[7] - mat[5]) / quat[1];
    quat[2] = 0.25 * (mat[1] + mat[3]) / quat[1];
    quat[3] = 0.25 * (mat[2] + mat[6]) / quat[1];
  } else if (yy > zz) {
    quat[2] = 0.5 * sqrt(1 - xx + yy - zz);
    quat[0] = 0.25 * (mat[2] - mat[6]) / quat[2];
    quat[1] = 0.25 * (mat[1] + mat[3]) / quat[2];
    quat[3] = 0.25 * (mat[5] + mat[7]) / quat[2];
  } else {
    quat[3] = 0.5 * sqrt(1 - xx - yy + zz);
    quat[0] = 0.25 * (mat[3] - mat[1]) / quat[3];
    quat[1] = 0.25 * (mat[2] + mat[6]) / quat[3];
    quat[2] = 0.25 * (mat[5] + mat[7]) / quat[3];
  }
  mth_normalize4(quat);
}

void mth_quatZ2Vec(mjtNum quat[4], const mjtNum vec[3]) {
  mth_unit4(quat);

  // no direction: no rotation
  mjtNum dir[3] = {vec[0], vec[1], vec[2]};
  if (mth_normalize3(dir) < mjMINVAL) return;

  // axis z x dir; parallel directions leave or flip z
  const mjtNum z[3] = {0, 0, 1};
  mjtNum axis[3];
  mth_cross3(axis, z, dir);
  const mjtNum sine = mth_normalize3(axis);
  if (fabs(sine) < mjMINVAL) {
    if (dir[2] < 0) mth_set4(quat, 0, 1, 0, 0);
    return;
  }

  // half the angle from its sine and cosine, dividing by the larger of the two halves; 0 * sine carries NaN on
  const mjtNum cosine = dir[2];
  const mjtNum larger = sqrt(0.5 * (1 + fabs(cosine)) + 0 * sine), smaller = 0.5 * sine / larger;
  const mjtNum c = cosine < 0 ? smaller : larger, s = cosine < 0 ? larger : smaller;
  mth_set4(quat, c, axis[0] * s, axis[1] * s, axis[2] * s);
}

// Müller, Bender, Chentanez, Macklin: A robust method to extract the rotational part of deformations (2016).
// Turns quat by the torque that pulls the axes of its frame towards the columns of mat until that torque is small.
int mju_mat2Rot(mjtNum quat[4], const mjtNum mat[9]) {
  enum { MAXITER = 500 };
  const mjtNum tolerance = 1e-9;

  for (int iter = 0; iter < MAXITER; iter++) {
    mjtNum frame[9];
    mth_quat2Mat(frame, quat);

    // torque and alignment over the three axes
    mjtNum torque[3] = {0, 0, 0};
    mjtNum align = 0;
    for (int c = 0; c < 3; c++) {
      mjtNum axis[3], target[3], pull[3];
      mth_col3(axis, frame, c);
      mth_col3(target, mat, c);
      mth_cross3(pull, axis, target);
      mth_addTo3(torque, pull);
      align += mth_dot3(axis, target);
    }
    mth_scl3(torque, torque, 1 / (fabs(align) + mjMINVAL));

    // turn about the torque
    const mjtNum angle = mth_normalize3(torque);
    if (angle < tolerance) return iter;
    mjtNum turn[4];
    mth_axisAngle2Quat(turn, torque, angle);
    mth_mulQuat(quat, turn, quat);
    mth_normalize4(quat);
  }
  return MAXITER;
}

//---------------------------------- derivatives ----------------------------------

// res = 1 + a K + b K^2 with K the cross-product matrix of a unit axis
static void axisSeries(mjtNum res[9], const mjtNum axis[3], mjtNum a, mjtNum b) {
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) res[3 * r + c] = b * axis[r] * axis[c];
    res[4 * r] += 1 - b;
  }
  const mjtNum k[3] = {a * axis[0], a * axis[1], a * axis[2]};
  res[1] -= k[2];
  res[2] += k[1];
  res[3] += k[2];
  res[5] -= k[0];
  res[6] -= k[1];
  res[7] += k[0];
}

// Inverse right Jacobian of the rotation vector d with qb exp(d) = qa: 1 + h K + (1 - h cot h) K^2, h half the angle.
void mjd_subQuat(const mjtNum qa[4], const mjtNum qb[4], mjtNum Da[9], mjtNum Db[9]) {
  if (!Da && !Db) return;

  mjtNum axis[3], jac[9];
  mth_subQuat(axis, qa, qb);
  const mjtNum half = 0.5 * mth_normalize3(axis);

  // below this half angle h cot h is 1 in double precision
  const mjtNum hcot = half < 6e-8 ? 1 : half / mth_tan(half);
  axisSeries(jac, axis, half, 1 - hcot);

  if (Da) mth_copy9(Da, jac);
  if (Db) {
    mth_transpose3(Db, jac);
    for (int i = 0; i < 9; i++) Db[i] = -Db[i];
  }
}

// With v = scale * vel, angle t and axis matrix K: Dquat = exp(-v) = 1 - sin t K + (1 - cos t) K^2, Dvel (for the
// scaled velocity) = the right Jacobian 1 - (1 - cos t)/t K + (1 - sin t / t) K^2, Dscale = vel.
void mjd_quatIntegrate(const mjtNum vel[3], mjtNum scale, mjtNum Dquat[9], mjtNum Dvel[9], mjtNum Dscale[3]) {
  mjtNum axis[3] = {scale * vel[0], scale * vel[1], scale * vel[2]};
  const mjtNum angle = mth_normalize3(axis);
  mjtNum s, c;
  mth_sincos(angle, &s, &c);

  if (Dquat) axisSeries(Dquat, axis, -s, 1 - c);
  if (Dvel) {
    // small angles by their series
    const int small = angle < 0.03125;
    const mjtNum t2 = angle * angle;
    const mjtNum a = small ? angle * (0.5 - t2 * (1.0 / 24 - t2 * (1.0 / 720))) : (1 - c) / angle;
    const mjtNum b = small ? t2 * (1.0 / 6 - t2 * (1.0 / 120 - t2 * (1.0 / 5040))) : 1 - s / angle;
    axisSeries(Dvel, axis, -a, b);
  }
  if (Dscale) mth_copy3(Dscale, vel);
}

//---------------------------------- public names ----------------------------------

void mju_negQuat(mjtNum res[4], const mjtNum quat[4]) {
  mth_negQuat(res, quat);
}

void mju_mulQuatAxis(mjtNum res[4], const mjtNum quat[4], const mjtNum axis[3]) {
  mth_mulQuatAxis(res, quat, axis);
}

void mju_axisAngle2Quat(mjtNum res[4], const mjtNum axis[3], mjtNum angle) {
  mth_axisAngle2Quat(res, axis, angle);
}

void mju_quat2Vel(mjtNum res[3], const mjtNum quat[4], mjtNum dt) {
  mth_quat2Vel(res, quat, dt);
}

void mju_mat2Quat(mjtNum quat[4], const mjtNum mat[9]) {
  mth_mat2Quat(quat, mat);
}

void mju_derivQuat(mjtNum res[4], const mjtNum quat[4], const mjtNum vel[3]) {
  mth_derivQuat(res, quat, vel);
}

void mju_quatIntegrate(mjtNum quat[4], const mjtNum vel[3], mjtNum scale) {
  mth_quatIntegrate(quat, vel, scale);
}

void mju_quatZ2Vec(mjtNum quat[4], const mjtNum vec[3]) {
  mth_quatZ2Vec(quat, vec);
}

void mju_negPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos[3], const mjtNum quat[4]) {
  mth_negPose(posres, quatres, pos, quat);
}

void mju_trnVecPose(mjtNum res[3], const mjtNum pos[3], const mjtNum quat[4], const mjtNum vec[3]) {
  mth_trnVecPose(res, pos, quat, vec);
}

//---------------------------------- Euler angles ----------------------------------

// Lower-case axes turn with the body (multiply from the right), upper-case ones stay in space (from the left).
static const char AXES[] = "xyzXYZ";

void mju_euler2Quat(mjtNum quat[4], const mjtNum euler[3], const char* seq) {
  if (strnlen(seq, 4) != 3) {
    mju_error("mju_euler2Quat: seq must contain exactly 3 characters");
    return;
  }

  mjtNum res[4] = {1, 0, 0, 0};
  for (int i = 0; i < 3; i++) {
    const char* axis = strchr(AXES, seq[i]);
    if (!axis) {
      mju_error("mju_euler2Quat: seq[%d] is '%c', should be one of x, y, z, X, Y, Z", i, seq[i]);
      return;
    }
    const int k = (int)(axis - AXES);
    mjtNum turn[4] = {0, 0, 0, 0};
    mth_sincos(euler[i] / 2, &turn[1 + k % 3], &turn[0]);
    if (k < 3) {
      mth_mulQuat(res, res, turn);
    } else {
      mth_mulQuat(res, turn, res);
    }
  }
  mth_copy4(quat, res);
}
