// Spatial algebra on four bodies or dofs at a time, one per lane, with the terms in the order of math/spatial.h.
#pragma once

#include "math/quad.h"

// f = inertia times motion
static MTH_ALWAYS_INLINE void dyn_mulInertLanes(MthQuad f[6], const MthQuad i[10], const MthQuad v[6]) {
  f[0] = i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5];
  f[1] = i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5];
  f[2] = i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4];
  f[3] = i[8] * v[1] - i[7] * v[2] + i[9] * v[3];
  f[4] = i[6] * v[2] - i[8] * v[0] + i[9] * v[4];
  f[5] = i[7] * v[0] - i[6] * v[1] + i[9] * v[5];
}

// f += velocity ×* momentum
static MTH_ALWAYS_INLINE void dyn_addCrossForceLanes(MthQuad f[6], const MthQuad v[6], const MthQuad p[6]) {
  f[0] += v[1] * p[2] - v[2] * p[1] + v[4] * p[5] - v[5] * p[4];
  f[1] += v[2] * p[0] - v[0] * p[2] + v[5] * p[3] - v[3] * p[5];
  f[2] += v[0] * p[1] - v[1] * p[0] + v[3] * p[4] - v[4] * p[3];
  f[3] += v[1] * p[5] - v[2] * p[4];
  f[4] += v[2] * p[3] - v[0] * p[5];
  f[5] += v[0] * p[4] - v[1] * p[3];
}
