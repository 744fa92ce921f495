// Sensor sizes, base64, histories, muscles, shapes, interpolation and rays. See compat.h.
#include <string.h>

#include "base/base64.h"
#include "collision/ray.h"
#include "compat/compat.h"
#include "force/fluid.h"
#include "kinematics/flex_position.h"
#include "math/numeric.h"
#include "math/vec.h"
#include "model/history.h"

//---------------------------------- contact sensors ----------------------------------

const int mjCONDATA_SIZE[mjNCONDATA] = {
    [mjCONDATA_FOUND] = 1, [mjCONDATA_FORCE] = 3,  [mjCONDATA_TORQUE] = 3, [mjCONDATA_DIST] = 1,
    [mjCONDATA_POS] = 3,   [mjCONDATA_NORMAL] = 3, [mjCONDATA_TANGENT] = 3};

int mju_condataSize(int dataSpec) {
  int size = 0;
  for (int i = 0; i < mjNCONDATA; i++) size += dataSpec & 1 << i ? mjCONDATA_SIZE[i] : 0;
  return size;
}

//---------------------------------- base64 ----------------------------------

size_t mju_encodeBase64(char* buf, const uint8_t* data, size_t ndata) {
  bas_encodeBase64(buf, data, ndata);
  return BAS_BASE64(ndata);
}

size_t mju_isValidBase64(const char* s) {
  const int n = bas_decodeBase64(NULL, 0, s);
  return n > 0 ? (size_t)n : 0;
}

size_t mju_decodeBase64(uint8_t* buf, const char* s) {
  const int n = bas_decodeBase64(buf, strlen(s), s);
  return n > 0 ? (size_t)n : 0;
}

//---------------------------------- histories and muscles ----------------------------------

void mju_historyInit(mjtNum* buf, int n, int dim, const mjtNum* times, const mjtNum* values, mjtNum user) {
  mdl_historyInit(buf, n, dim, times, values, user);
}

mjtNum* mju_historyInsert(mjtNum* buf, int n, int dim, mjtNum t) {
  return mdl_historyInsert(buf, n, dim, t);
}

const mjtNum* mju_historyRead(const mjtNum* buf, int n, int dim, mjtNum* res, mjtNum t, int interp) {
  return mdl_historyRead(buf, n, dim, res, t, interp);
}

mjtNum mju_muscleGainLength(mjtNum length, mjtNum lmin, mjtNum lmax) {
  return mth_muscleGainLength(length, lmin, lmax);
}

mjtNum mju_muscleDynamicsTimescale(mjtNum dctrl, mjtNum tau_act, mjtNum tau_deact, mjtNum smoothing_width) {
  return mth_muscleDynamicsTimescale(dctrl, tau_act, tau_deact, smoothing_width);
}

//---------------------------------- shapes ----------------------------------

void mju_geomSemiAxes(mjtNum semiaxes[3], const mjtNum size[3], mjtGeom type) {
  frc_semiAxes(semiaxes, size, type);
}

int mju_outsideBox(const mjtNum point[3], const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                   mjtNum inflate) {
  if (inflate < 1) mju_error("mju_outsideBox: inflation coefficient must be >= 1");
  mjtNum local[3];
  mth_sub3(local, point, pos);
  mth_mulMatTVec3(local, mat, local);

  int inside = 1;
  for (int i = 0; i < 3; i++) {
    if (fabs(local[i]) > (inflate > 1 ? size[i] * inflate : size[i])) return 1;
    inside &= inflate == 1 || fabs(local[i]) < size[i] / inflate;
  }
  return -inside;
}

//---------------------------------- interpolation ----------------------------------

mjtNum mju_evalBasis(const mjtNum x[3], int i, int order) {
  return order == 1 || order == 2 ? kin_flexBasis(x, i, order) : -1;
}

void mju_interpolate3D(mjtNum res[3], const mjtNum x[3], const mjtNum* coeff, int order) {
  const int n = (order + 1) * (order + 1) * (order + 1);
  for (int i = 0; i < n; i++) mth_addToScl3(res, coeff + 3 * i, mju_evalBasis(x, i, order));
}

void mju_defGradient(mjtNum res[9], const mjtNum p[3], const mjtNum* dof, int order) {
  if (order != 1 && order != 2) {
    mju_error("mju_defGradient: order must be 1 or 2");
    return;
  }
  memset(res, 0, 9 * sizeof(mjtNum));
  const int n = order + 1;
  for (int i = 0; i < n * n * n; i++) {
    mjtNum slope[3];
    kin_flexBasisGradient(slope, p, i, order);
    for (int r = 0; r < 3; r++) mth_addToScl3(res + 3 * r, slope, dof[3 * i + r]);
  }
}

//---------------------------------- rays and threads ----------------------------------

void mju_multiRayPrepare(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum* ray_xmat,
                         const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude, mjtNum cutoff, mjtNum* geom_ba,
                         int* geom_eliminate) {
  if (ray_xmat) mju_error("mju_multiRayPrepare: ray_xmat is currently unused, should be NULL");
  const ColRayFilter filter = {geomgroup, flg_static, bodyexclude, cutoff, col_exactHead(m, d)};
  for (int g = 0; g < m->ngeom; g++) geom_eliminate[g] = col_rayRange(geom_ba + 4 * g, m, d, g, pnt, &filter);
}

size_t mju_getDestructiveInterferenceSize(void) {
  return 128;
}
