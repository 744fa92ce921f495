// Frames while they are being resolved. Quaternions are normalized where they are multiplied, except when they are
// already of unit length to SPC_EPS: values that a user wrote exactly stay exact.
#include "spec/pose.h"

#include <math.h>
#include <string.h>

#include "math/elem.h"
#include "math/quat.h"

double spc_normalize(double* v, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += v[i] * v[i];
  if (sum < SPC_EPS) return 0;
  const double length = sqrt(sum);
  if (fabs(length - 1) > SPC_EPS) {
    for (int i = 0; i < n; i++) v[i] /= length;
  }
  return length;
}

static void mulQuat(double res[4], const double a[4], const double b[4]) {
  double product[4];
  mth_mulQuat(product, a, b);
  spc_normalize(product, 4);
  memcpy(res, product, sizeof(product));
}

void spc_append(double pos[3], double quat[4], const double childpos[3], const double childquat[4]) {
  double mat[9], moved[3];
  mju_quat2Mat(mat, quat);
  mth_mulMatVec3(moved, mat, childpos);
  for (int i = 0; i < 3; i++) pos[i] += moved[i];
  mulQuat(quat, quat, childquat);
}

void spc_prepend(const double pos[3], const double quat[4], double childpos[3], double childquat[4]) {
  double p[3], q[4];
  memcpy(p, pos, sizeof(p));
  memcpy(q, quat, sizeof(q));
  spc_append(p, q, childpos, childquat);
  memcpy(childpos, p, sizeof(p));
  memcpy(childquat, q, sizeof(q));
}

void spc_prependPoint(const double pos[3], const double quat[4], double point[3]) {
  double unit[4] = {1, 0, 0, 0};
  spc_prepend(pos, quat, point, unit);
}

void spc_invert(double pos[3], double quat[4], const double oldpos[3], const double oldquat[4]) {
  double mat[9];
  mth_negQuat(quat, oldquat);
  mju_quat2Mat(mat, quat);
  mth_mulMatVec3(pos, mat, oldpos);
  for (int i = 0; i < 3; i++) pos[i] = -pos[i];
}

void spc_zToVec(double quat[4], const double vec[3]) {
  // axis z × vec; any axis will do when they are parallel
  const double z[3] = {0, 0, 1};
  double axis[3];
  mth_cross3(axis, z, vec);
  const double s = spc_normalize(axis, 3);
  if (s < 1e-10) mth_set3(axis, 1, 0, 0);
  const double angle = mth_atan2(s, vec[2]);
  quat[0] = mth_cos(angle / 2);
  for (int i = 0; i < 3; i++) quat[1 + i] = axis[i] * mth_sin(angle / 2);
}

// -------------------------------------------------------------------------------------------- orientations

const char* spc_orient(const SpcElement* e, double quat[4], const mjsOrientation* alt) {
  const mjsCompiler* const settings = spc_compiler(e);
  return mjs_resolveOrientation(quat, settings->degree, settings->eulerseq, alt);
}

const char* spc_fromto(mjtGeom type, const double fromto[6], double pos[3], double quat[4], double size[3]) {
  if (type != mjGEOM_CAPSULE && type != mjGEOM_CYLINDER && type != mjGEOM_ELLIPSOID && type != mjGEOM_BOX) {
    return "fromto requires capsule, cylinder, box or ellipsoid in geom";
  }
  if (pos[0] != 0 || pos[1] != 0 || pos[2] != 0) return "both pos and fromto defined in geom";

  double axis[3];
  for (int i = 0; i < 3; i++) axis[i] = fromto[i] - fromto[3 + i];
  size[1] = spc_normalize(axis, 3) / 2;
  if (size[1] < SPC_EPS) return "fromto points too close in geom";

  // boxes and ellipsoids have their length in z
  if (type == mjGEOM_ELLIPSOID || type == mjGEOM_BOX) {
    size[2] = size[1];
    size[1] = size[0];
  }
  for (int i = 0; i < 3; i++) pos[i] = (fromto[i] + fromto[3 + i]) / 2;
  spc_zToVec(quat, axis);
  return NULL;
}

void spc_framePose(const SpcFrame* frame, double pos[3], double quat[4]) {
  memcpy(pos, frame->spec.pos, 3 * sizeof(double));
  memcpy(quat, frame->spec.quat, 4 * sizeof(double));
  spc_orient(&frame->head, quat, &frame->spec.alt);
  if (frame->head.frame) {
    double outerpos[3], outerquat[4];
    spc_framePose(frame->head.frame, outerpos, outerquat);
    spc_prepend(outerpos, outerquat, pos, quat);
  }
  spc_normalize(quat, 4);
}
