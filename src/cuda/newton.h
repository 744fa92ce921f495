// The constraint solver: Newton's method or conjugate gradients on the convex cost of qacc, with an exact line search.
//
//   cost = ½ (qacc − qacc_smooth)ᵀ M (qacc − qacc_smooth) + s(J qacc − aref),   gradient = M qacc − qfrc_smooth − Jᵀ
//   force
//
// H = M + Jᵀ s″ J is built in tiles of 4 x 4 entries, one per lane, and factored anew in each iteration.
#pragma once

#include "cuda/pgs.h"

// a change of a number below this part of it is rounding
#if CU_DOUBLE
#define CU_ROUNDING 1e-15
#else
#define CU_ROUNDING 1e-6f
#endif

//---------------------------------- Hessian ----------------------------------

typedef struct {
  Real h[4][4];
} CuTile;

// adds scale · a bᵀ
CU_FN void cu_addOuter(CuTile* t, const Real a[4], const Real b[4], Real scale) {
  for (int j = 0; j < 4; j++) {
    const Real x = scale * a[j];
    for (int k = 0; k < 4; k++) t->h[j][k] += x * b[k];
  }
}

// a contact on the surface of its cone couples its rows
CU_FN void cu_addConeTile(const Cu* c, CuTile* t, int r, int i0, int j0) {
  const CuCone s = cu_coneAt(c, r, 0);
  if (s.zone == CU_TOP) return;
  for (int k = 0; k < s.dim; k++) {
    Real a[4], b[4], sum[4] = {0, 0, 0, 0};
    cu_load4(a, cu_J(c, r + k) + i0);
    if (s.zone == CU_BOTTOM) {
      cu_load4(b, cu_J(c, r + k) + j0);
      cu_addOuter(t, a, b, *cu_row(c, CUD_D, r + k));
      continue;
    }
    for (int l = 0; l < s.dim; l++) {
      const Real h = cu_coneHessian(&s, k, l);
      cu_load4(b, cu_J(c, r + l) + j0);
      for (int x = 0; x < 4; x++) sum[x] += h * b[x];
    }
    cu_addOuter(t, a, sum, 1);
  }
}

// rows of all constraints in one tile
CU_FN void cu_fillTile(const Cu* c, CuTile* t, int i0, int j0) {
  const int cones = c->m->cone == mjCONE_ELLIPTIC;
  CU_LOOP for (int r = 0; r < c->nrow; r++) {
    if (CU_FAR && (i0 >= cu_end(c, r) || j0 < cu_begin(c, r))) continue;
    const Real D = *cu_row(c, CUD_ACTIVE, r);
    if (D != 0) {
      Real a[4], b[4];
      cu_load4(a, cu_J(c, r) + i0);
      cu_load4(b, cu_J(c, r) + j0);
      cu_addOuter(t, a, b, D);
    } else if (cones && cu_kind(c, r) == CUD_CONE) {
      cu_addConeTile(c, t, r, i0, j0);
    }
  }
}

#if CU_FAR

// 1: no row of H begins at this tile or before it
CU_FN int cu_isEmpty(const Cu* c, int i0, int j0) {
  for (int i = i0; i < i0 + 4 && i < c->m->nv; i++) {
    if (c->first[i] < j0 + 4) return 0;
  }
  return 1;
}

#endif

// H at CUD_JAR
CU_FN void cu_hessian(const Cu* c) {
  const CudModel* m = c->m;
  const int side = (m->nv + 3) / 4;
  const Real* M = CU_W(c, M);
  Real* H = CU_W(c, H);
  CU_FOR(tile, side * (side + 1) / 2) {
    // row and column of the tile in the lower triangle
    int i = (int)((cu_sqrt((Real)(8 * tile + 1)) - 1) / 2);
    while (cu_at(i + 1, 0) <= tile) i++;
    while (cu_at(i, 0) > tile) i--;
    const int i0 = 4 * i, j0 = 4 * (tile - cu_at(i, 0));
#if CU_FAR
    if (cu_isEmpty(c, i0, j0)) continue;
#endif
    CuTile t;
    for (int j = 0; j < 4; j++) {
      for (int k = 0; k < 4; k++) {
        t.h[j][k] = i0 + j < m->nv && j0 + k <= i0 + j ? M[cu_at(i0 + j, j0 + k)] : 0;
      }
    }
    cu_fillTile(c, &t, i0, j0);
    for (int j = 0; j < 4; j++) {
      for (int k = 0; k < 4; k++) {
        if (i0 + j < m->nv && j0 + k <= i0 + j) H[cu_at(i0 + j, j0 + k)] = t.h[j][k];
      }
    }
  }
  cu_sync();
}

//---------------------------------- line search ----------------------------------

// Step along search where the slope of the cost vanishes: Newton on the slope, which grows, from a whole step on, kept
// between the ends of the interval that is known to hold the zero. linear and gauss are slope and curvature of the part
// of the cost that has no rows.
CU_FN Real cu_lineSearch(const Cu* c, Real linear, Real gauss, Real gtol) {
  Real low = 0, high = -1, alpha = 1;
  for (int k = 0; k < c->m->ls_iterations; k++) {
    Real d1 = linear + alpha * gauss, d2 = gauss;
    cu_rowsLine(c, alpha, &d1, &d2);
    if (cu_abs(d1) < gtol) break;
    if (d1 < 0) {
      low = alpha;
    } else {
      high = alpha;
    }

    // a step that leaves the interval is halved
    Real next = d2 > 0 ? alpha - d1 / d2 : 2 * alpha;
    if (next <= low || (high > 0 && next >= high)) next = high > 0 ? R_(0.5) * (low + high) : 2 * alpha;
    if (cu_abs(next - alpha) <= CU_ROUNDING * alpha) break;
    alpha = next;
  }
  return alpha;
}

//---------------------------------- iteration ----------------------------------

// cost and gradient at qacc, for which Ma and CUD_JAR are up to date
CU_FN Real cu_evaluate(const Cu* c) {
  const CudModel* m = c->m;
  const Real *Ma = CU_W(c, Ma), *smooth = CU_W(c, qfrc_smooth), *qacc = CU_W(c, qacc);
  Real *grad = CU_W(c, grad), *qfrc = CU_W(c, qfrc_constraint), gauss = 0;
  const Real s = cu_rowForces(c);
  CU_FOR(i, m->nv) {
    Real force = 0;
    for (int r = 0; r < c->nrow; r++) {
      if (CU_FAR && (i < cu_begin(c, r) || i >= cu_end(c, r))) continue;
      force += cu_J(c, r)[i] * *cu_row(c, CUD_FRC, r);
    }
    qfrc[i] = force;
    grad[i] = Ma[i] - smooth[i] - force;
    gauss += R_(0.5) * (Ma[i] - smooth[i]) * (qacc[i] - CU_W(c, qacc_smooth)[i]);
  }
  cu_sync();
  return s + cu_sum(gauss);
}

// CUD_JAR at an acceleration
CU_FN void cu_residuals(const Cu* c, const Real* qacc) {
  CU_FOR(r, c->nrow) * cu_row(c, CUD_JAR, r) = cu_mulRow(c, r, qacc) - *cu_row(c, CUD_AREF, r);
  cu_sync();
}

// goes to an acceleration: qacc, Ma and CUD_JAR
CU_FN void cu_goTo(const Cu* c, const Real* acceleration) {
  const CudModel* m = c->m;
  Real* qacc = CU_W(c, qacc);
  CU_FOR(i, m->nvs) qacc[i] = i < m->nv ? acceleration[i] : 0;
  cu_sync();
  cu_mulM(c, CU_W(c, Ma), qacc);
  CU_FOR(r, c->nrow) * cu_row(c, CUD_JAR, r) = cu_mulRow(c, r, qacc) - *cu_row(c, CUD_AREF, r);
  cu_sync();
}

// Newton's direction
CU_FN void cu_newtonDirection(const Cu* c) {
  const CudModel* m = c->m;
  Real* search = CU_W(c, search);
  cu_hessian(c);
  CU_FOR(i, m->nvs) search[i] = i < m->nv ? -CU_W(c, grad)[i] : 0;
  cu_sync();
  cu_factorSolve(c, m->at.H, search);
}

// Polak and Ribière's direction, preconditioned by M, whose factor stays in H
CU_FN void cu_conjugateDirection(Cu* c) {
  const CudModel* m = c->m;
  const Real* grad = CU_W(c, grad);
  Real *search = CU_W(c, search), *Mgrad = CU_W(c, Mgrad), *H = CU_W(c, H), before = 0;
  if (c->niter) {
    before = cu_dotN(grad, Mgrad, m->nv);
  } else {
    CU_FOR(k, cu_at(m->nv, 0)) H[k] = CU_W(c, M)[k];
    cu_sync();
    cu_factorOf(c, H);
  }
  CU_FOR(i, m->nv) Mgrad[i] = grad[i];
  cu_sync();
  cu_solveWith(c, H, Mgrad);
  const Real now = cu_dotN(grad, Mgrad, m->nv);
  const Real beta = c->niter ? cu_max(0, (now - before) / cu_max(CU_MINVAL, c->norm)) : 0;
  CU_FOR(i, m->nvs) search[i] = i < m->nv ? (beta > 0 ? beta * search[i] : 0) - Mgrad[i] : 0;
  c->norm = now;
  cu_sync();
}

// direction of descent, and products with it; returns its length
CU_FN Real cu_direction(Cu* c) {
  const CudModel* m = c->m;
  Real* search = CU_W(c, search);
  if (CU_HAS(m->solver == mjSOL_CG)) {
    cu_conjugateDirection(c);
  } else {
    cu_newtonDirection(c);
  }
  cu_mulM(c, CU_W(c, Mv), search);
  CU_FOR(r, c->nrow) * cu_row(c, CUD_JV, r) = cu_mulRow(c, r, search);
  cu_sync();
  return cu_sqrt(cu_dotN(search, search, m->nv));
}

// 1 over what makes improvements and gradients comparable between models
CU_FN Real cu_scale(const CudModel* m) {
  return 1 / (m->meaninertia * (m->nv > 1 ? m->nv : 1));
}

// one step downhill; 0: there is none
CU_FN int cu_descend(Cu* c) {
  const CudModel* m = c->m;
  const Real *search = CU_W(c, search), *Ma = CU_W(c, Ma), *smooth = CU_W(c, qfrc_smooth), length = cu_direction(c);
  if (length < CU_MINVAL) return 0;
  Real linear = 0;
  CU_FOR(i, m->nv) linear += search[i] * (Ma[i] - smooth[i]);
  const Real gauss = cu_dotN(search, CU_W(c, Mv), m->nv);
  const Real alpha = cu_lineSearch(c, cu_sum(linear), gauss, m->tolerance * m->ls_tolerance * length / cu_scale(m));
  if (!(alpha > 0)) return 0;
  CU_FOR(i, m->nv) {
    CU_W(c, qacc)[i] += alpha * search[i];
    CU_W(c, Ma)[i] += alpha * CU_W(c, Mv)[i];
  }
  CU_FOR(r, c->nrow) * cu_row(c, CUD_JAR, r) += alpha * *cu_row(c, CUD_JV, r);
  cu_sync();
  return 1;
}

// 1: neither the cost nor the gradient has anything left to give
CU_FN int cu_converged(const Cu* c, Real improvement) {
  const CudModel* m = c->m;
  const Real scale = cu_scale(m), gradient = cu_sqrt(cu_dotN(CU_W(c, grad), CU_W(c, grad), m->nv));
  return !(scale * improvement >= m->tolerance) || !(scale * gradient >= m->tolerance);
}

// Starts from the last step's acceleration where that is better than the unconstrained one, then descends. Points are
// evaluated in one place, which keeps the kernel small.
CU_FN void cu_solveRows(Cu* c) {
  const CudModel* m = c->m;
  enum { WARM, FREE, DESCENT };
  int at = FREE;
  Real cost = 0;
  if (!(m->disableflags & mjDSBL_WARMSTART)) {
    cu_residuals(c, CU_W(c, qacc_smooth));
    cost = cu_rowForces(c);
    at = WARM;
  }
  for (;;) {
    if (at != DESCENT) cu_goTo(c, at == WARM ? CU_W(c, warmstart) : CU_W(c, qacc_smooth));
    const Real old = cost;
    cost = cu_evaluate(c);
    if (at == WARM && cost > old) {
      at = FREE;
      continue;
    }
    if (at == DESCENT && cu_converged(c, old - cost)) break;
    at = DESCENT;
    if (c->niter == m->iterations || !cu_descend(c)) break;
    c->niter++;
  }
}

// qacc and qfrc_constraint
CU_FN void cu_newton(Cu* c) {
  const CudModel* m = c->m;
  c->niter = 0;
#if CU_ALL
  if (c->nrow && m->solver == mjSOL_PGS) {
    cu_pgs(c);
    return;
  }
#endif
#if CU_FAR
  cu_profile(c);
#endif

  // two copies of the solver: the first knows that all rows are in shared memory
  if (c->nrow && !c->spills) {
    c->spills = 0;
    cu_solveRows(c);
    return;
  }
  if (c->nrow) {
    cu_solveRows(c);
    return;
  }
  CU_FOR(i, m->nvs) CU_W(c, qacc)[i] = i < m->nv ? CU_W(c, qacc_smooth)[i] : 0;
  CU_FOR(i, m->nv) CU_W(c, qfrc_constraint)[i] = 0;
  cu_sync();
}
