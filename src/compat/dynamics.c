// Inertia-like matrices, tendons, Jacobian differences and constraint rows under the reference's internal names.
#include <string.h>

#include "compat/engine.h"
#include "constraint/update.h"
#include "dynamics/dynamics.h"
#include "dynamics/ldl.h"
#include "force/actuator.h"
#include "kinematics/jacobian.h"
#include "kinematics/position.h"
#include "math/groups.h"
#include "math/simd/kernels.h"

//---------------------------------- factors of M ----------------------------------

void mj_factorI(mjtNum* mat, mjtNum* diaginv, int nv, const int* rownnz, const int* rowadr, const int* colind,
                const int* index) {
  dyn_factorRows(mat, diaginv, &(MthPattern){nv, nv, rownnz, rowadr, colind, NULL}, index);
}

void mj_solveLD(mjtNum* x, const mjtNum* qLD, const mjtNum* qLDiagInv, int nv, int n, const int* rownnz,
                const int* rowadr, const int* colind, const int* index) {
  const MthPattern rows = {nv, nv, rownnz, rowadr, colind, NULL};
  for (int k = 0; k < n; k++) dyn_solveRows(x + k * nv, qLD, qLDiagInv, &rows, index);
}

void mj_factorI_legacy(const mjModel* m, mjData* d, const mjtNum* M, mjtNum* qLD, mjtNum* qLDiagInv) {
  mth_copy(qLD, M, (int)m->nM);
  dyn_factorUpward(m, d, (DynFactor){qLD, qLDiagInv});
}

void mj_solveLD_legacy(const mjModel* m, mjtNum* x, int n, const mjtNum* qLD, const mjtNum* qLDiagInv) {
  for (int k = 0; k < n; k++) dyn_solveUpward(m, x + k * m->nv, qLD, qLDiagInv);
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
  kin_integrateBodies(m, qpos, qvel, dt, &(SlpRange){1, nbody, index});
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
