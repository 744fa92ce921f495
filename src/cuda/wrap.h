// Tendons around spheres and cylinders, by the function that the CPU has for them (kinematics/wrap_body.h), in double
// precision whatever the precision of the file.
#pragma once

#include "cuda/algebra.h"

#define KIN_GPU
#include "kinematics/wrap_body.h"

// a geom between two points
typedef struct {
  Real xpos[3], xmat[9], radius;
  int cylinder;
  int sided;     // 1: there is a side
  Real side[3];  // which way round, or inside the geom: through it
} CuWrap;

CU_FN void cu_widen(mjtNum* to, const Real* from, int n) {
  for (int i = 0; i < n; i++) to[i] = (mjtNum)from[i];
}

// length on the surface, and where the tendon touches and leaves it; -1: it does not touch
CU_CALL Real cu_wrap(Real touch[2][3], const CuWrap* w, const Real from[3], const Real to[3]) {
  mjtNum site[2][3], xpos[3], xmat[9], side[3] = {0, 0, 0}, point[6];
  cu_widen(site[0], from, 3);
  cu_widen(site[1], to, 3);
  cu_widen(xpos, w->xpos, 3);
  cu_widen(xmat, w->xmat, 9);
  if (w->sided) cu_widen(side, w->side, 3);
  KinWrap wrap;
  wrap.site[0] = site[0];
  wrap.site[1] = site[1];
  wrap.xpos = xpos;
  wrap.xmat = xmat;
  wrap.radius = (mjtNum)w->radius;
  wrap.type = w->cylinder ? mjWRAP_CYLINDER : mjWRAP_SPHERE;
  wrap.side = w->sided ? side : 0;
  const mjtNum length = kin_wrap(point, &wrap);
  for (int k = 0; k < 6 && length >= 0; k++) touch[k / 3][k % 3] = (Real)point[k];
  return (Real)length;
}
