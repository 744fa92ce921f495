// The cost of constraint rows as a function of jar = J·qacc − aref, as in constraint/update.c: value, force, and what
// the Hessian needs.
#pragma once

#include "cuda/rows.h"

// zones of an elliptic cone: no force, on the surface, all rows quadratic
typedef enum { CU_TOP, CU_MIDDLE, CU_BOTTOM } CuZone;

// an elliptic contact at some jar: scaled components U, N = U[0], T the size of the others
typedef struct {
  int dim;
  Real mu, Dm, N, T, U[6];
  const Real* friction;
  CuZone zone;
} CuCone;

CU_FN CuZone cu_zone(Real mu, Real N, Real T) {
  if (T > 0 ? N >= mu * T : N >= 0) return CU_TOP;
  return (T > 0 ? mu * N + T <= 0 : N < 0) ? CU_BOTTOM : CU_MIDDLE;
}

// the contact whose first row is r, a step alpha along Jv
CU_FN CuCone cu_coneAt(const Cu* c, int r, Real alpha) {
  const CudModel* m = c->m;
  const int p = (int)*cu_row(c, CUD_OF, r);
  CuCone cone;
  cone.dim = m->param_dim[p];
  cone.mu = cu_mu(m, p);
  cone.friction = m->param_friction + 5 * p;
  cone.Dm = *cu_row(c, CUD_D, r) / (cone.mu * cone.mu * (1 + cone.mu * cone.mu));
  Real sum = 0;
  for (int k = 0; k < 6; k++) {
    cone.U[k] = 0;
    if (k >= cone.dim) continue;
    Real x = *cu_row(c, CUD_JAR, r + k);
    if (alpha != 0) x += alpha * *cu_row(c, CUD_JV, r + k);
    cone.U[k] = x * (k ? cone.friction[k - 1] : cone.mu);
    if (k) sum += cone.U[k] * cone.U[k];
  }
  cone.N = cone.U[0];
  cone.T = cu_sqrt(sum);
  cone.zone = cu_zone(cone.mu, cone.N, cone.T);
  return cone;
}

// Hessian of the middle zone with respect to jar, entry (j, k)
CU_FN Real cu_coneHessian(const CuCone* s, int j, int k) {
  const Real scale = s->Dm * (j ? s->friction[j - 1] : s->mu) * (k ? s->friction[k - 1] : s->mu);
  if (!j && !k) return scale;
  if (!j || !k) return -scale * s->mu / s->T * s->U[j + k];
  const Real ratio = s->mu * s->N / s->T;
  return scale * (ratio / (s->T * s->T) * s->U[j] * s->U[k] + (j == k ? s->mu * s->mu - ratio : R_(0)));
}

// force and cost of an elliptic contact
CU_FN Real cu_coneForce(const Cu* c, int r) {
  const CuCone s = cu_coneAt(c, r, 0);
  const Real gap = s.N - s.mu * s.T, normal = -s.Dm * gap * s.mu;
  Real cost = s.zone == CU_MIDDLE ? R_(0.5) * s.Dm * gap * gap : 0;
  for (int k = 0; k < s.dim; k++) {
    const Real D = *cu_row(c, CUD_D, r + k), x = *cu_row(c, CUD_JAR, r + k);
    Real force = 0;
    if (s.zone == CU_BOTTOM) {
      force = -D * x;
      cost += R_(0.5) * D * x * x;
    } else if (s.zone == CU_MIDDLE) {
      force = k ? -normal / s.T * s.U[k] * s.friction[k - 1] : normal;
    }
    *cu_row(c, CUD_FRC, r + k) = force;
  }
  return cost;
}

// zone of the contact whose first row is r: by its residuals or, with a dual solver, by its forces
CU_FN int cu_zoneOf(const Cu* c, int r) {
  const CuCone s = cu_coneAt(c, r, 0);
  if (c->m->solver != mjSOL_PGS) return s.zone;
  const Real N = *cu_row(c, CUD_FRC, r) / s.mu;
  Real sum = 0;
  for (int k = 1; k < s.dim; k++) sum += cu_square(*cu_row(c, CUD_FRC, r + k) / s.friction[k - 1]);
  const Real T = cu_sqrt(sum);
  return s.mu * N >= T ? CU_TOP : N + s.mu * T <= 0 ? CU_BOTTOM : CU_MIDDLE;
}

// what a row is: by its place, and for contacts of elliptic cones by what it says
CU_FN int cu_kind(const Cu* c, int r) {
  if (r < c->ne) return CUD_EQUALITY;
  if (r < c->ne + c->nf) return CUD_DRY;
  return c->m->cone == mjCONE_ELLIPTIC ? (int)*cu_row(c, CUD_KIND, r) : CUD_ONESIDED;
}

// 1: a row is quadratic at the residual x
CU_FN int cu_isQuadratic(const Cu* c, int r, int kind, Real D, Real x) {
  if (kind == CUD_EQUALITY) return 1;
  return kind == CUD_ONESIDED ? x < 0 : cu_abs(D * x) < *cu_row(c, CUD_LOSS, r);
}

// forces of all rows at CUD_JAR, and CUD_ACTIVE: D where a row is quadratic, 0 elsewhere; returns the cost
CU_FN Real cu_rowForces(const Cu* c) {
  Real cost = 0;
  CU_FOR(r, c->nrow) {
    const int kind = cu_kind(c, r);
    if (kind >= CUD_CONE) {
      *cu_row(c, CUD_ACTIVE, r) = 0;
      if (kind == CUD_CONE) cost += cu_coneForce(c, r);
      continue;
    }
    const Real D = *cu_row(c, CUD_D, r), x = *cu_row(c, CUD_JAR, r);
    const int quadratic = cu_isQuadratic(c, r, kind, D, x);
    Real force = quadratic ? -D * x : R_(0);
    cost -= R_(0.5) * force * x;
    if (kind == CUD_DRY && !quadratic) {
      const Real loss = *cu_row(c, CUD_LOSS, r);
      force = x < 0 ? loss : -loss;
      cost += loss * (cu_abs(x) - R_(0.5) * loss / D);
    }
    *cu_row(c, CUD_FRC, r) = force;
    *cu_row(c, CUD_ACTIVE, r) = quadratic ? D : R_(0);
  }
  cu_sync();
  return cu_sum(cost);
}

//---------------------------------- along a line ----------------------------------

// slope and curvature of a cone's cost a step alpha along the line
CU_FN void cu_coneLine(const Cu* c, int r, Real alpha, Real* slope, Real* curve) {
  const CuCone s = cu_coneAt(c, r, alpha);
  if (s.zone == CU_TOP) return;
  if (s.zone == CU_BOTTOM) {
    for (int k = 0; k < s.dim; k++) {
      const Real D = *cu_row(c, CUD_D, r + k), v = *cu_row(c, CUD_JV, r + k);
      *slope += D * v * (*cu_row(c, CUD_JAR, r + k) + alpha * v);
      *curve += D * v * v;
    }
    return;
  }

  // ½ Dm (N − µT)²: derivatives of N and T along the line
  const Real N1 = *cu_row(c, CUD_JV, r) * s.mu;
  Real UV = 0, VV = 0;
  for (int k = 1; k < s.dim; k++) {
    const Real V = *cu_row(c, CUD_JV, r + k) * s.friction[k - 1];
    UV += s.U[k] * V;
    VV += V * V;
  }
  const Real T1 = UV / s.T, T2 = VV / s.T - T1 * T1 / s.T, gap = s.N - s.mu * s.T, gap1 = N1 - s.mu * T1;
  *slope += s.Dm * gap * gap1;
  *curve += s.Dm * (gap1 * gap1 - gap * s.mu * T2);
}

// slope and curvature of the cost of all rows a step alpha along the line
CU_FN void cu_rowsLine(const Cu* c, Real alpha, Real* slope, Real* curve) {
  Real d1 = 0, d2 = 0;
  CU_FOR(r, c->nrow) {
    const int kind = cu_kind(c, r);
    if (kind >= CUD_CONE) {
      if (kind == CUD_CONE) cu_coneLine(c, r, alpha, &d1, &d2);
      continue;
    }
    const Real D = *cu_row(c, CUD_D, r), v = *cu_row(c, CUD_JV, r), x = *cu_row(c, CUD_JAR, r) + alpha * v;
    if (cu_isQuadratic(c, r, kind, D, x)) {
      d1 += D * x * v;
      d2 += D * v * v;
    } else if (kind == CUD_DRY) {
      d1 += (x < 0 ? -v : v) * *cu_row(c, CUD_LOSS, r);
    }
  }
  *slope += cu_sum(d1);
  *curve += cu_sum(d2);
}
