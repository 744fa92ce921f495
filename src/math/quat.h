// Unit quaternions (w, x, y, z) and poses (position, quaternion) as inline functions.
//
// A quaternion q rotates v to q v q*; mulQuat(a, b) applies b first. Angular velocities are in the rotating
// frame, so integration multiplies from the right: q <- q exp(v h / 2).
#pragma once

#include "math/elem.h"
#include "math/pair.h"
#include "math/vec.h"

#define MTH_PI 3.14159265358979323846

// 1: exactly the identity rotation
static inline int mth_isUnitQuat(const mjtNum q[4]) {
  // one comparison decides nearly always: the empty statement keeps compilers from doing all four at once
  if (q[0] != 1) return 0;
  __asm__("");
  return q[1] == 0 && q[2] == 0 && q[3] == 0;
}

// rotates a vector: v + 2 u x (w v + u x v) with u = (x, y, z)
static inline void mth_rotVecQuat(mjtNum res[3], const mjtNum vec[3], const mjtNum quat[4]) {
  // nothing to rotate, or the identity: exact
  if (vec[0] == 0 && vec[1] == 0 && vec[2] == 0) {
    mth_zero3(res);
    return;
  }
  if (mth_isUnitQuat(quat)) {
    mth_copy3(res, vec);
    return;
  }

  const mjtNum t[3] = {quat[0] * vec[0] + quat[2] * vec[2] - quat[3] * vec[1],
                       quat[0] * vec[1] + quat[3] * vec[0] - quat[1] * vec[2],
                       quat[0] * vec[2] + quat[1] * vec[1] - quat[2] * vec[0]};
  mth_set3(res, vec[0] + 2 * (quat[2] * t[2] - quat[3] * t[1]), vec[1] + 2 * (quat[3] * t[0] - quat[1] * t[2]),
           vec[2] + 2 * (quat[1] * t[1] - quat[2] * t[0]));
}

static inline void mth_negQuat(mjtNum res[4], const mjtNum q[4]) {
  mth_set4(res, q[0], -q[1], -q[2], -q[3]);
}

// a * b as the pairs (w, x) and (y, z), b given as such pairs
static inline void mth_mulQuatPairs(MthPair res[2], const mjtNum a[4], MthPair bwx, MthPair byz) {
  const MthPair bxw = {bwx[1], bwx[0]}, bzy = {byz[1], byz[0]};
  const MthPair ax = {-a[1], a[1]}, ay = {-a[2], a[2]};
  res[0] = mth_both(a[0]) * bwx + ax * bxw + ay * byz - mth_both(a[3]) * bzy;
  res[1] = mth_both(a[0]) * byz + ax * bzy - ay * bwx + mth_both(a[3]) * bxw;
}

// the operands are read one by one because single stores have often just left them there
static inline void mth_mulQuat(mjtNum res[4], const mjtNum a[4], const mjtNum b[4]) {
  MthPair product[2];
  mth_mulQuatPairs(product, a, (MthPair){b[0], b[1]}, (MthPair){b[2], b[3]});
  mth_storePair(res, product[0]);
  mth_storePair(res + 2, product[1]);
}

// q * (0, axis)
static inline void mth_mulQuatAxis(mjtNum res[4], const mjtNum q[4], const mjtNum axis[3]) {
  mth_set4(res, -q[1] * axis[0] - q[2] * axis[1] - q[3] * axis[2], q[0] * axis[0] + q[2] * axis[2] - q[3] * axis[1],
           q[0] * axis[1] + q[3] * axis[0] - q[1] * axis[2], q[0] * axis[2] + q[1] * axis[1] - q[2] * axis[0]);
}

// rotation about a unit axis
static inline void mth_axisAngle2Quat(mjtNum res[4], const mjtNum axis[3], mjtNum angle) {
  if (angle == 0) {
    mth_unit4(res);
    return;
  }
  mjtNum s, c;
  mth_sincos(angle * 0.5, &s, &c);
  mth_set4(res, c, axis[0] * s, axis[1] * s, axis[2] * s);
}

// angular velocity that turns the identity into quat in time dt
static inline void mth_quat2Vel(mjtNum res[3], const mjtNum quat[4], mjtNum dt) {
  mjtNum axis[3] = {quat[1], quat[2], quat[3]};
  const mjtNum sinhalf = mth_normalize3(axis);
  mjtNum angle = 2 * mth_atan2(sinhalf, quat[0]);

  // the shorter way round
  if (angle > MTH_PI) angle -= 2 * MTH_PI;
  mth_scl3(res, axis, dt == 1 ? angle : angle / dt);
}

// rotation vector d with qb * exp(d) = qa
static inline void mth_subQuat(mjtNum res[3], const mjtNum qa[4], const mjtNum qb[4]) {
  mjtNum inverse[4], difference[4];
  mth_negQuat(inverse, qb);
  mth_mulQuat(difference, inverse, qa);
  mth_quat2Vel(res, difference, 1);
}

// the rotation matrix of q, whose last two numbers are given once more as a pair
static inline void mth_quat2MatPair(mjtNum res[9], const mjtNum q[4], MthPair yz) {
  if (mth_isUnitQuat(q)) {
    mth_eye3(res);
    return;
  }

  // first row and column without the diagonal two at a time, then the other corner and the diagonal
  const MthPair zy = {-q[3], q[2]};
  const MthPair even = mth_both(q[1]) * yz, odd = mth_both(q[0]) * zy;
  const MthPair row = even + odd, col = even - odd, twice = col + col;
  const mjtNum corner = q[2] * q[3], wx = q[0] * q[1];
  const mjtNum ww = q[0] * q[0], xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
  const mjtNum plus = corner + wx, minus = corner - wx;
  mth_storePair(res + 1, row + row);
  res[0] = ww + xx - yy - zz;
  res[3] = twice[0];
  res[4] = ww - xx + yy - zz;
  res[5] = minus + minus;
  res[6] = twice[1];
  res[7] = plus + plus;
  res[8] = ww - xx - yy + zz;
}

static inline void mth_quat2Mat(mjtNum res[9], const mjtNum q[4]) {
  mth_quat2MatPair(res, q, (MthPair){q[2], q[3]});
}

// time derivative of a quaternion with angular velocity vel in the global frame
static inline void mth_derivQuat(mjtNum res[4], const mjtNum q[4], const mjtNum vel[3]) {
  mth_set4(res, 0.5 * (-vel[0] * q[1] - vel[1] * q[2] - vel[2] * q[3]),
           0.5 * (vel[0] * q[0] + vel[1] * q[3] - vel[2] * q[2]),
           0.5 * (-vel[0] * q[3] + vel[1] * q[0] + vel[2] * q[1]),
           0.5 * (vel[0] * q[2] - vel[1] * q[1] + vel[2] * q[0]));
}

// quat <- quat * exp(vel * scale), vel in the local frame
static inline void mth_quatIntegrate(mjtNum quat[4], const mjtNum vel[3], mjtNum scale) {
  mjtNum axis[3] = {vel[0], vel[1], vel[2]};
  mjtNum turn[4];
  const mjtNum angle = scale * mth_normalize3(axis);
  mth_axisAngle2Quat(turn, axis, angle);
  mth_normalize4(quat);
  mth_mulQuat(quat, quat, turn);
}

// rotation matrix to quaternion
void mth_mat2Quat(mjtNum quat[4], const mjtNum mat[9]);

// the shortest rotation that takes the z axis to the direction of vec
void mth_quatZ2Vec(mjtNum quat[4], const mjtNum vec[3]);

//---------------------------------- poses ----------------------------------

// res = pose1 * pose2; results may alias the arguments, position with position and quaternion with quaternion
static inline void mth_mulPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos1[3], const mjtNum quat1[4],
                               const mjtNum pos2[3], const mjtNum quat2[4]) {
  MthPair quat[2];
  mjtNum pos[3];
  mth_mulQuatPairs(quat, quat1, mth_load2(quat2), mth_load2(quat2 + 2));
  mth_rotVecQuat(pos, pos2, quat1);
  mth_add3(posres, pos1, pos);

  // normalized as by mth_normalize4
  const MthPair wx = quat[0] * quat[0], yz = quat[1] * quat[1];
  const mjtNum norm = sqrt(wx[0] + wx[1] + yz[0] + yz[1]);
  if (norm < mjMINVAL) {
    mth_unit4(quatres);
    return;
  }
  if (fabs(norm - 1) > mjMINVAL) {
    const mjtNum scale = 1 / norm;
    quat[0] *= scale;
    quat[1] *= scale;
  }
  mth_storePair(quatres, quat[0]);
  mth_storePair(quatres + 2, quat[1]);
}

// inverse pose; results may alias the arguments
static inline void mth_negPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos[3], const mjtNum quat[4]) {
  mth_negQuat(quatres, quat);
  mth_rotVecQuat(posres, pos, quatres);
  mth_neg3(posres, posres);
}

// point in the local frame of a pose to the frame the pose is given in
static inline void mth_trnVecPose(mjtNum res[3], const mjtNum pos[3], const mjtNum quat[4], const mjtNum vec[3]) {
  mjtNum turned[3];
  mth_rotVecQuat(turned, vec, quat);
  mth_add3(res, turned, pos);
}
