// Numbers of a constraint row beside its Jacobian.
//
// With A the approximate inverse inertia that a row sees and I(r) its impedance: R = (1 − I)/I · A, D = 1/R, and the
// reference acceleration is −B·v − K·I·(r − margin). See constraint/impedance.c.
#pragma once

#include "cuda/pool.h"

// what the constraint of a row is made of
typedef struct {
  const Real *solref, *solimp;
  Real pos;     // residual that the impedance depends on
  Real margin;  //
} CuSoft;

// what follows from it
typedef struct {
  Real K, B, imp;
} CuStiff;

CU_FN Real cu_power(Real x, Real p) {
  return p == 1 ? x : p == 2 ? x * x : cu_pow(x, p);
}

// an impedance strictly between 0 and 1
CU_FN Real cu_clipImp(Real x) {
  return cu_clip(x, R_(mjMINIMP), R_(mjMAXIMP));
}

// a sigmoid from imp[0] to imp[1] over the width imp[2], of power imp[4] with midpoint imp[3]
CU_CALL Real cu_impedance(const Real imp[5], Real pos) {
  const Real low = cu_clipImp(imp[0]), high = cu_clipImp(imp[1]), width = cu_max(0, imp[2]);
  if (low == high || width <= CU_MINVAL) return R_(0.5) * (low + high);
  const Real x = cu_abs(pos / width), p = cu_max(1, imp[4]), mid = cu_clipImp(imp[3]);
  if (x >= 1) return high;
  if (x <= 0) return low;
  Real y = x;
  if (p != 1) {
    y = x <= mid ? cu_power(x, p) / cu_power(mid, p - 1) : 1 - cu_power(1 - x, p) / cu_power(1 - mid, p - 1);
  }
  return low + y * (high - low);
}

// stiffness and damping of a reference; held: no stiffness
CU_FN void cu_stiffness(const CudModel* m, const Real solref[2], Real dmax, int held, CuStiff* s) {
  Real time = solref[0], ratio = solref[1];
  if ((time > 0) != (ratio > 0)) time = R_(0.02), ratio = 1;
  if (time > 0 && !(m->disableflags & mjDSBL_REFSAFE)) time = cu_max(time, 2 * m->timestep);
  if (held) {
    s->K = 0;
  } else if (time > 0) {
    s->K = 1 / cu_max(CU_MINVAL, dmax * dmax * time * time * ratio * ratio);
  } else {
    s->K = -time / cu_max(CU_MINVAL, dmax * dmax);
  }
  s->B = ratio > 0 ? 2 / cu_max(CU_MINVAL, dmax * time) : -ratio / cu_max(CU_MINVAL, dmax);
}

CU_FN CuStiff cu_stiff(const CudModel* m, const CuSoft* soft, int held) {
  CuStiff s;
  cu_stiffness(m, soft->solref, cu_clipImp(soft->solimp[1]), held, &s);
  s.imp = cu_impedance(soft->solimp, soft->pos - soft->margin);
  return s;
}

// regularisation of a row
CU_FN Real cu_regular(Real imp, Real A) {
  return cu_max(CU_MINVAL, (1 - imp) * A / imp);
}

// numbers of a row; its residual gives the first part of the reference, the velocity's part follows when J is complete
CU_FN void cu_setRow(const Cu* c, int r, int kind, const CuStiff* s, Real R, Real residual) {
  *cu_row(c, CUD_D, r) = 1 / R;
  *cu_row(c, CUD_AREF, r) = -s->K * s->imp * residual;
  *cu_row(c, CUD_JAR, r) = s->B;
  *cu_row(c, CUD_LOSS, r) = 0;
  *cu_row(c, CUD_KIND, r) = (Real)kind;
  *cu_row(c, CUD_OF, r) = 0;
}
