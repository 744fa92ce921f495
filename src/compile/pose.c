// Frames while they are being resolved. Quaternions are normalized where they are multiplied, except when they are
// already of unit length to CMP_EPS: values that a user wrote exactly stay exact.
#include <math.h>
#include <string.h>

#include "compile/compile.h"
#include "math/elem.h"
#include "math/quat.h"

double cmp_normalize(double* v, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += v[i] * v[i];
  if (sum < CMP_EPS) return 0;
  const double length = sqrt(sum);
  if (fabs(length - 1) > CMP_EPS) {
    for (int i = 0; i < n; i++) v[i] /= length;
  }
  return length;
}

void cmp_mulQuat(double res[4], const double a[4], const double b[4]) {
  double product[4];
  mth_mulQuat(product, a, b);
  cmp_normalize(product, 4);
  memcpy(res, product, sizeof(product));
}

void cmp_append(double pos[3], double quat[4], const double childpos[3], const double childquat[4]) {
  double mat[9], moved[3];
  mju_quat2Mat(mat, quat);
  mth_mulMatVec3(moved, mat, childpos);
  for (int i = 0; i < 3; i++) pos[i] += moved[i];
  cmp_mulQuat(quat, quat, childquat);
}

void cmp_prepend(const double pos[3], const double quat[4], double childpos[3], double childquat[4]) {
  double p[3], q[4];
  memcpy(p, pos, sizeof(p));
  memcpy(q, quat, sizeof(q));
  cmp_append(p, q, childpos, childquat);
  memcpy(childpos, p, sizeof(p));
  memcpy(childquat, q, sizeof(q));
}

void cmp_prependPoint(const double pos[3], const double quat[4], double point[3]) {
  double unit[4] = {1, 0, 0, 0};
  cmp_prepend(pos, quat, point, unit);
}

void cmp_invert(double pos[3], double quat[4], const double oldpos[3], const double oldquat[4]) {
  double mat[9];
  mth_negQuat(quat, oldquat);
  mju_quat2Mat(mat, quat);
  mth_mulMatVec3(pos, mat, oldpos);
  for (int i = 0; i < 3; i++) pos[i] = -pos[i];
}

void cmp_zToVec(double quat[4], const double vec[3]) {
  // axis z × vec; any axis will do when they are parallel
  const double z[3] = {0, 0, 1};
  double axis[3];
  mth_cross3(axis, z, vec);
  const double s = cmp_normalize(axis, 3);
  if (s < 1e-10) mth_set3(axis, 1, 0, 0);
  const double angle = mth_atan2(s, vec[2]);
  quat[0] = mth_cos(angle / 2);
  for (int i = 0; i < 3; i++) quat[1 + i] = axis[i] * mth_sin(angle / 2);
}

// -------------------------------------------------------------------------------------------- same frames

static const double FRAME_EPS = 1e-6;  // frames this close count as the same

int cmp_isNear(const double* a, const double* b, int n) {
  for (int i = 0; i < n; i++) {
    if (fabs(a[i] - b[i]) >= FRAME_EPS) return 0;
  }
  return 1;
}

// q and −q are the same rotation
static int sameQuat(const double a[4], const double b[4]) {
  const double minus[4] = {-b[0], -b[1], -b[2], -b[3]};
  return cmp_isNear(a, b, 4) || cmp_isNear(a, minus, 4);
}

mjtByte cmp_sameFrame(const double pos[3], const double quat[4], const CmpBody* body) {
  static const double zero[3] = {0}, unit[4] = {1, 0, 0, 0};
  if (sameQuat(quat, unit)) return cmp_isNear(pos, zero, 3) ? mjSAMEFRAME_BODY : mjSAMEFRAME_BODYROT;
  if (body && sameQuat(quat, body->s.iquat)) {
    return cmp_isNear(pos, body->s.ipos, 3) ? mjSAMEFRAME_INERTIA : mjSAMEFRAME_INERTIAROT;
  }
  return mjSAMEFRAME_NONE;
}

// -------------------------------------------------------------------------------------------- orientations

const char* cmp_orient(const SpcElement* e, double quat[4], const mjsOrientation* alt) {
  const mjsCompiler* const settings = spc_compiler(e);
  return mjs_resolveOrientation(quat, settings->degree, settings->eulerseq, alt);
}

const char* cmp_fromto(mjtGeom type, const double fromto[6], double pos[3], double quat[4], double size[3]) {
  if (type != mjGEOM_CAPSULE && type != mjGEOM_CYLINDER && type != mjGEOM_ELLIPSOID && type != mjGEOM_BOX) {
    return "fromto requires capsule, cylinder, box or ellipsoid in geom";
  }
  if (pos[0] != 0 || pos[1] != 0 || pos[2] != 0) return "both pos and fromto defined in geom";

  double axis[3];
  for (int i = 0; i < 3; i++) axis[i] = fromto[i] - fromto[3 + i];
  size[1] = cmp_normalize(axis, 3) / 2;
  if (size[1] < CMP_EPS) return "fromto points too close in geom";

  // boxes and ellipsoids have their length in z
  if (type == mjGEOM_ELLIPSOID || type == mjGEOM_BOX) {
    size[2] = size[1];
    size[1] = size[0];
  }
  for (int i = 0; i < 3; i++) pos[i] = (fromto[i] + fromto[3 + i]) / 2;
  cmp_zToVec(quat, axis);
  return NULL;
}
