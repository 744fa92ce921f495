// Velocity derivatives of forces on bodies, by composite matrices as in the composite rigid body algorithm.
//
// Everything is about the centre of mass of the tree. Body b with velocity v = Σ S_k q̇_k feels the force
//   f = fluid(v) - (I a + v ×* I v),   a = Σ Ṡ_k q̇_k,   Ṡ_k = (velocity before the joint) × S_k.
// Differentiating a gives  ∂a/∂q̇_k = g_k - v × S_k  with  g_k = 2 Ṡ_k + w × S_k,  where w is the rotation of the
// joint itself for ball and free joints (whose three axes share one Ṡ) and zero otherwise. Hence
//   ∂f/∂q̇_k = P S_k - I g_k,   P = ∂fluid/∂v + N + Nᵀ - H,   N = I [v×],   H x = x ×* I v,
// and with P and I summed over the subtree of the deeper of two dofs i, k:
//   ∂τ_i/∂q̇_k = S_i · (P S_k - I g_k).
#include "derivative/derivative.h"

#include <string.h>

#include "math/simd/kernels.h"
#include "math/spatial.h"
#include "math/vec.h"
#include "sleep/sleep.h"

// address of column dof in the row of one of its ancestors; dofs of a subtree are numbered without gaps
static inline int descendantAdr(const mjModel* m, int row, int dof) {
  int adr = m->D_rowadr[row] + m->D_diag[row] + dof - row;
  const int end = m->D_rowadr[row] + m->D_rownnz[row];
  if (adr >= end) adr = end - 1;
  while (m->D_colind[adr] > dof) adr--;
  return adr;
}

// matrix of x ↦ a × x, scaled
static inline void crossMatrix(mjtNum mat[9], const mjtNum a[3], mjtNum scale) {
  mth_set3(mat, 0, -a[2] * scale, a[1] * scale);
  mth_set3(mat + 3, a[2] * scale, 0, -a[0] * scale);
  mth_set3(mat + 6, -a[1] * scale, a[0] * scale, 0);
}

// adds N + N' - H of one body
static void addCoriolis(mjtNum P[36], const mjtNum inert[10], const mjtNum vel[6]) {
  const mjtNum J[9] = {inert[0], inert[3], inert[4], inert[3], inert[1], inert[5], inert[4], inert[5], inert[2]};
  mjtNum W[9], U[9], K[9], JW[9], KU[9], KW[9];
  crossMatrix(W, vel, 1);
  crossMatrix(U, vel + 3, 1);
  crossMatrix(K, inert + 6, 1);
  mth_mulMatMat3(JW, J, W);
  mth_mulMatMat3(KU, K, U);
  mth_mulMatMat3(KW, K, W);

  // N = [J W + K U, K W; m U - K W, m W]
  mjtNum N[36];
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      const int i = 3 * r + c;
      N[6 * r + c] = JW[i] + KU[i];
      N[6 * r + 3 + c] = KW[i];
      N[6 * (3 + r) + c] = inert[9] * U[i] - KW[i];
      N[6 * (3 + r) + 3 + c] = inert[9] * W[i];
    }
  }

  // H = -[n×, f×; f×, 0] for the momentum (n, f)
  mjtNum momentum[6], nx[9], fx[9];
  mth_mulInertVec(momentum, inert, vel);
  crossMatrix(nx, momentum, 1);
  crossMatrix(fx, momentum + 3, 1);
  for (int r = 0; r < 6; r++) {
    for (int c = 0; c < 6; c++) {
      mjtNum value = N[6 * r + c] + N[6 * c + r];
      if (r < 3 && c < 3) {
        value += nx[3 * r + c];
      } else if (r < 3 || c < 3) {
        value += fx[3 * (r % 3) + c % 3];
      }
      P[6 * r + c] += value;
    }
  }
}

// matrices of all bodies, summed over subtrees
static void compositeMatrices(const mjModel* m, const mjData* d, mjtNum* P, int fluid, int bias) {
  const SlpRange bodies = slp_bodies(m, d);
  for (int b = 0; b < bodies.n; b++) {
    const int body = slp_at(bodies, b);
    if (!m->body_weldid[body]) continue;
    mjtNum* mat = P + 36 * body;
    memset(mat, 0, 36 * sizeof(mjtNum));
    if (fluid && m->body_mass[body] >= mjMINVAL) der_fluidBody(m, d, body, mat);
    if (bias) addCoriolis(mat, d->cinert + 10 * body, d->cvel + 6 * body);
  }
  for (int b = bodies.n - 1; b >= 0; b--) {
    const int body = slp_at(bodies, b), parent = m->body_parentid[body];
    if (m->body_weldid[body] && m->body_weldid[parent]) mth_addTo(P + 36 * parent, P + 36 * body, 36);
  }
}

// g of all dofs
static void accelerationTerms(const mjModel* m, const mjData* d, mjtNum* g) {
  const SlpRange dofs = slp_dofs(m, d);
  for (int v = 0; v < dofs.n; v++) {
    const int dof = slp_at(dofs, v), joint = m->dof_jntid[dof];
    mth_scl6(g + 6 * dof, d->cdof_dot + 6 * dof, 2);

    // rotations of ball and free joints
    const int type = m->jnt_type[joint];
    const int first = m->jnt_dofadr[joint] + (type == mjJNT_FREE ? 3 : 0);
    if ((type == mjJNT_BALL || type == mjJNT_FREE) && dof >= first) {
      mjtNum turn[6], part[6];
      mth_mulDofVec(turn, d->cdof + 6 * first, d->qvel + first, 3);
      mth_crossMotion(part, turn, d->cdof + 6 * dof);
      mth_addTo6(g + 6 * dof, part);
    }
  }
}

// adds the entries of dof i with its ancestors and itself, from a symmetric composite matrix
static void fillSymmetric(const mjModel* m, mjData* d, int i, const mjtNum P[36]) {
  const mjtNum* S = d->cdof + 6 * i;
  mjtNum column[6];
  for (int r = 0; r < 6; r++) column[r] = mth_dot6(P + 6 * r, S);
  int adr = m->D_rowadr[i] + m->D_diag[i];
  d->qDeriv[adr] += mth_dot6(S, column);
  for (int k = m->dof_parentid[i]; k >= 0; k = m->dof_parentid[k]) {
    const mjtNum value = mth_dot6(d->cdof + 6 * k, column);
    d->qDeriv[--adr] += value;
    d->qDeriv[descendantAdr(m, k, i)] += value;
  }
}

// the same from a general matrix, with the acceleration terms g unless that is NULL
static void fillGeneral(const mjModel* m, mjData* d, int i, const mjtNum P[36], const mjtNum* g) {
  const mjtNum* S = d->cdof + 6 * i;
  const mjtNum* inert = d->crb + 10 * m->dof_bodyid[i];

  // column = P S - I g, row = P' S, weight = I S
  mjtNum column[6], row[6], weight[6], part[6];
  mth_zero6(row);
  for (int r = 0; r < 6; r++) {
    column[r] = mth_dot6(P + 6 * r, S);
    mth_addToScl6(row, P + 6 * r, S[r]);
  }
  if (g) {
    mth_mulInertVec(part, inert, g + 6 * i);
    mth_subFrom6(column, part);
    mth_mulInertVec(weight, inert, S);
  }

  // ancestors stand right before the diagonal, in order
  int adr = m->D_rowadr[i] + m->D_diag[i];
  d->qDeriv[adr] += mth_dot6(S, column);
  for (int k = m->dof_parentid[i]; k >= 0; k = m->dof_parentid[k]) {
    const mjtNum* Sk = d->cdof + 6 * k;
    mjtNum value = mth_dot6(row, Sk);
    if (g) value -= mth_dot6(weight, g + 6 * k);
    d->qDeriv[--adr] += value;
    d->qDeriv[descendantAdr(m, k, i)] += mth_dot6(Sk, column);
  }
}

void der_bodyVel(const mjModel* m, mjData* d, int fluid, int bias) {
  if (!fluid && !bias) return;
  mj_markStack(d);
  mjtNum* P = mj_stackAllocNum(d, 36 * (size_t)m->nbody);
  mjtNum* g = bias ? mj_stackAllocNum(d, 6 * (size_t)m->nv) : NULL;
  compositeMatrices(m, d, P, fluid, bias);
  if (g) accelerationTerms(m, d, g);

  // the medium's matrices were made symmetric for this integrator
  const int symmetric = !bias && m->opt.integrator == mjINT_IMPLICITFAST;
  const SlpRange dofs = slp_dofs(m, d);
  for (int v = 0; v < dofs.n; v++) {
    const int i = slp_at(dofs, v);
    if (symmetric) {
      fillSymmetric(m, d, i, P + 36 * m->dof_bodyid[i]);
    } else {
      fillGeneral(m, d, i, P + 36 * m->dof_bodyid[i], g);
    }
  }
  mj_freeStack(d);
}
