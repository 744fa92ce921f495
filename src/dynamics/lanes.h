// Spatial algebra on four bodies or dofs at a time, one per lane, with the terms in the order of math/spatial.h.
#pragma once

#include "math/quad.h"
#include "math/spatial_body.h"

// f = inertia times motion
static MTH_ALWAYS_INLINE void dyn_mulInertLanes(MthQuad f[6], const MthQuad i[10], const MthQuad v[6]) {
  MTH_MUL_INERT(f, i, v);
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
