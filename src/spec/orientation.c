// Orientations as MJCF gives them: axis and angle, two axes, one axis, Euler angles.
#include <math.h>
#include <mujoco/mujoco.h>
#include <string.h>

#include "math/elem.h"

static const double SMALL = 1e-14;  // vectors with smaller squares have no direction

// turns a vector into a unit vector; returns its length before
static double normalize(double v[3]) {
  const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  if (square < SMALL) return 0;
  const double length = sqrt(square);
  for (int i = 0; i < 3; i++) v[i] /= length;
  return length;
}

static const char* fromAxes(double quat[4], const double xyaxes[6]) {
  double x[3], y[3], z[3];
  memcpy(x, xyaxes, sizeof(x));
  memcpy(y, xyaxes + 3, sizeof(y));
  if (normalize(x) == 0) return "xaxis too small";

  // the second axis is made orthogonal to the first
  const double along = mju_dot3(x, y);
  for (int i = 0; i < 3; i++) y[i] -= along * x[i];
  if (normalize(y) == 0) return "yaxis too small";
  mju_cross(z, x, y);
  if (normalize(z) == 0) return "cross(xaxis, yaxis) too small";
  const double mat[9] = {x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]};
  mju_mat2Quat(quat, mat);
  return NULL;
}

// rotations about the axes that the sequence names; capital letters are axes fixed in space
static const char* fromEuler(double quat[4], const double euler[3], int degree, const char* sequence) {
  double total[4] = {1, 0, 0, 0};
  for (int i = 0; i < 3; i++) {
    const char letter = sequence[i];
    const int axis = (letter | 0x20) - 'x';
    if (axis < 0 || axis > 2) return "euler sequence can only contain x, y, z, X, Y, Z";
    const double angle = degree ? euler[i] / 180.0 * mjPI : euler[i];
    double turn[4] = {mth_cos(angle / 2), 0, 0, 0}, product[4];
    turn[1 + axis] = mth_sin(angle / 2);
    if (letter >= 'x') {
      mju_mulQuat(product, total, turn);
    } else {
      mju_mulQuat(product, turn, total);
    }
    memcpy(total, product, sizeof(total));
  }
  memcpy(quat, total, sizeof(total));
  mju_normalize4(quat);
  return NULL;
}

const char* mjs_resolveOrientation(double quat[4], mjtByte degree, const char* sequence,
                                   const mjsOrientation* orientation) {
  double axis[3];
  switch (orientation->type) {
    case mjORIENTATION_AXISANGLE: {
      memcpy(axis, orientation->axisangle, sizeof(axis));
      if (normalize(axis) == 0) return "axisangle too small";
      double angle = orientation->axisangle[3];
      if (degree) angle = angle / 180.0 * mjPI;
      const double s = mth_sin(angle / 2);
      quat[0] = mth_cos(angle / 2);
      for (int i = 0; i < 3; i++) quat[1 + i] = s * axis[i];
      return NULL;
    }
    case mjORIENTATION_XYAXES:
      return fromAxes(quat, orientation->xyaxes);
    case mjORIENTATION_ZAXIS:
      memcpy(axis, orientation->zaxis, sizeof(axis));
      if (normalize(axis) == 0) return "zaxis too small";
      mju_quatZ2Vec(quat, axis);
      return NULL;
    case mjORIENTATION_EULER:
      return fromEuler(quat, orientation->euler, degree, sequence);
    default:
      return NULL;
  }
}
