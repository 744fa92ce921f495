// Inertia-like matrices, tendons, Jacobian differences and constraint rows under the reference's internal names.
//
// Our stages factor M along a plan made for one model (dynamics/plan.h). These functions take any matrix whose row i
// has a column for each ancestor of i and the diagonal last, so the two small algorithms are written out here:
//   factor  for k = n … 1:  row(i) -= L(k,i) · row(k) for the ancestors i of k, then row(k) /= D(k)
//   solve   x ← L⁻ᵀ x,  x ← D⁻¹ x,  x ← L⁻¹ x
#include <string.h>

#include "compat/engine.h"
#include "constraint/update.h"
#include "dynamics/dynamics.h"
#include "force/actuator.h"
#include "kinematics/jacobian.h"
#include "kinematics/position.h"
#include "kinematics/tendon.h"
#include "math/groups.h"
#include "math/simd/kernels.h"

//---------------------------------- rows by address ----------------------------------

void mj_factorI(mjtNum* mat, mjtNum* diaginv, int nv, const int* rownnz, const int* rowadr, const int* colind,
                const int* index) {
  for (int j = nv - 1; j >= 0; j--) {
    const int k = index ? index[j] : j, n = rownnz[k] - 1;
    mjtNum* const row = mat + rowadr[k];
    const mjtNum inv = 1 / row[n];
    if (diaginv) diaginv[k] = inv;

    // the rows of ancestors have the first columns of this one
    for (int c = n - 1; c >= 0; c--) {
      const int i = colind[rowadr[k] + c];
      mth_addToScl(mat + rowadr[i], row, -row[c] * inv, rownnz[i]);
    }
    mth_scl(row, row, inv, n);
  }
}

// one vector
static void solveVector(mjtNum* x, const mjtNum* L, const int* rownnz, const int* rowadr, const int* colind, int i,
                        int down) {
  const int n = rownnz[i] - 1, adr = rowadr[i];
  if (down) {
    x[i] -= mth_dotSparse(L + adr, x, n, colind + adr);
  } else if (x[i]) {
    mth_addToSclScatter(x, L + adr, -x[i], n, colind + adr);
  }
}

void mj_solveLD(mjtNum* x, const mjtNum* qLD, const mjtNum* qLDiagInv, int nv, int n, const int* rownnz,
                const int* rowadr, const int* colind, const int* index) {
  for (int vec = 0; vec < n; vec++, x += nv) {
    for (int k = nv - 1; k >= 0; k--) solveVector(x, qLD, rownnz, rowadr, colind, index ? index[k] : k, 0);
    for (int k = 0; k < nv; k++) {
      const int i = index ? index[k] : k;
      x[i] *= qLDiagInv[i];
    }
    for (int k = 0; k < nv; k++) solveVector(x, qLD, rownnz, rowadr, colind, index ? index[k] : k, 1);
  }
}

//---------------------------------- rows from the diagonal to the root ----------------------------------

void mj_factorI_legacy(const mjModel* m, mjData* d, const mjtNum* M, mjtNum* qLD, mjtNum* qLDiagInv) {
  const int nv = (int)m->nv, *Madr = m->dof_Madr;
  mth_copy(qLD, M, (int)m->nM);
  for (int k = nv - 1; k >= 0; k--) {
    mjtNum* const row = qLD + Madr[k];

    // a pivot that is too small is replaced
    if (row[0] < mjMINVAL) {
      mj_warning(d, mjWARN_INERTIA, k);
      row[0] = mjMINVAL;
    }
    if (m->dof_simplenum[k]) continue;

    // the row of the ancestor c steps up continues like the rest of this one
    int c = 1;
    for (int i = m->dof_parentid[k]; i >= 0; i = m->dof_parentid[i], c++) {
      const mjtNum scale = row[c] / row[0];
      const int n = (i < nv - 1 ? Madr[i + 1] : (int)m->nM) - Madr[i];
      mth_addToScl(qLD + Madr[i], row + c, -scale, n);
      row[c] = scale;
    }
  }
  for (int i = 0; i < nv; i++) qLDiagInv[i] = 1 / qLD[Madr[i]];
}

void mj_solveLD_legacy(const mjModel* m, mjtNum* x, int n, const mjtNum* qLD, const mjtNum* qLDiagInv) {
  const int nv = (int)m->nv, *parent = m->dof_parentid;
  for (int vec = 0; vec < n; vec++, x += nv) {
    for (int i = nv - 1; i >= 0; i--) {
      if (m->dof_simplenum[i] || !x[i]) continue;
      const mjtNum* L = qLD + m->dof_Madr[i] + 1;
      for (int j = parent[i]; j >= 0; j = parent[j]) x[j] -= *L++ * x[i];
    }
    for (int i = 0; i < nv; i++) x[i] *= qLDiagInv[i];
    for (int i = 0; i < nv; i++) {
      if (m->dof_simplenum[i]) continue;
      const mjtNum* L = qLD + m->dof_Madr[i] + 1;
      for (int j = parent[i]; j >= 0; j = parent[j]) x[i] -= *L++ * x[j];
    }
  }
}

//---------------------------------- tendons ----------------------------------

void mj_tendonArmature(const mjModel* m, mjData* d) {
  dyn_tendonArmature(m, d);
}

void mj_tendonBias(const mjModel* m, mjData* d, mjtNum* qfrc) {
  dyn_tendonBias(m, d, qfrc);
}

void mj_tendonDot(const mjModel* m, mjData* d, int id, mjtNum* Jdot) {
  if (id >= 0 && id < m->ntendon) kin_tendonDot(m, d, id, Jdot);
}

//---------------------------------- Jacobians and positions ----------------------------------

// the rows of a Jacobian for the position and the rotation of a point; NULL: not wanted
typedef struct {
  mjtNum *pos, *rot;
} Rows;

int mj_jacDifPair(const mjModel* m, const mjData* d, int* chain, int b1, int b2, const mjtNum pos1[3],
                  const mjtNum pos2[3], mjtNum* jac1p, mjtNum* jac2p, mjtNum* jacdifp, mjtNum* jac1r, mjtNum* jac2r,
                  mjtNum* jacdifr, int issparse) {
  const KinPoint point[2] = {
      {b1, pos1},
      {b2, pos2}
  };
  const Rows part[2] = {
      {jac1p, jac1r},
      {jac2p, jac2r}
  };
  const int ncol = issparse && m->nv ? kin_mergeChain(m, chain, b1, b2) : (int)m->nv;
  if (!ncol) return 0;

  // simple bodies have no columns in common, so that the difference is written at once
  if (issparse && m->body_simple[b1] && m->body_simple[b2]) {
    kin_jacDifSparse(m, d, point, (KinChain){ncol, chain}, jacdifp, jacdifr);
    return ncol;
  }
  for (int k = 0; k < 2; k++) {
    if (issparse) {
      kin_jacSparse(m, d, point[k], (KinChain){ncol, chain}, part[k].pos, part[k].rot);
    } else {
      mj_jac(m, d, part[k].pos, part[k].rot, point[k].pos, point[k].body);
    }
  }
  if (jacdifp) mth_sub(jacdifp, jac2p, jac1p, 3 * ncol);
  if (jacdifr) mth_sub(jacdifr, jac2r, jac1r, 3 * ncol);
  return ncol;
}

void mj_integratePosInd(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt, const int* index, int nbody) {
  kin_integrateBodies(m, qpos, qvel, dt, (SlpRange){nbody, index});
}

//---------------------------------- actuators and constraints ----------------------------------

int mj_actuatorDisabled(const mjModel* m, int i) {
  return frc_actuatorDisabled(m, i) ? 1 : 0;
}

void mj_constraintUpdate_impl(int ne, int nf, int nefc, const mjtNum* D, const mjtNum* R, const mjtNum* floss,
                              const mjtNum* jar, const int* type, const int* id, mjContact* contact, int* state,
                              mjtNum* force, mjtNum cost[1], int flg_coneHessian) {
  const ConRowSet rows = {ne, nf, nefc, D, R, floss, type, id, contact, state, force};
  const mjtNum s = con_update(&rows, jar, flg_coneHessian);
  if (cost) *cost = s;
}

int mj_floodFill(int* island, int nr, const int* rownnz, const int* rowadr, const int* colind, int* stack) {
  (void)stack;
  for (int v = 0; v < nr; v++) island[v] = -1;
  for (int v = 0; v < nr; v++) {
    for (int k = rowadr[v]; k < rowadr[v] + rownnz[v]; k++) mth_join(island, v, colind[k]);
  }
  return mth_numberGroups(island, nr);
}
