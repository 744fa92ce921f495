// Which frames coincide: the engine takes shortcuts for them.
#include <math.h>

#include "compile/compile.h"

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
