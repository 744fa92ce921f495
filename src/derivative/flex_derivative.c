// Stiffness of interpolated flexes seen by the dofs: Jᵀ (Rᵀ K R) J with K the stiffness in the co-rotated frame, R its
// rotation and J the velocities of the nodes. The model stores -K. As in the reference, J belongs to the nodes' places
// in the co-rotated frame; where dofs turn the flex as a whole that is not where the nodes are.
#include "derivative/derivative.h"

#include <string.h>

#include "force/flex_passive.h"
#include "kinematics/jacobian.h"
#include "math/quat.h"
#include "math/simd/kernels.h"
#include "math/vec.h"

enum { STIFFNESS_STRIDE = 21 };

// one flex with its node Jacobian as sparse rows; memory on the stack of mjData
typedef struct {
  int size;      // rows: three per node
  int* nnz;      // (size) entries of each row
  int* ind;      // (size x nv) their dofs
  mjtNum* J;     // (size x nv) their values
  mjtNum* negK;  // (size x size) scaled stiffness in the global frame, negative
} NodeStiffness;

// -scale·RᵀKR, block by block
static void rotateStiffness(const mjModel* m, int flex, mjtNum scale, const mjtNum quat[4], mjtNum* negK) {
  const mjtNum* k = m->flex_stiffness + STIFFNESS_STRIDE * m->flex_elemadr[flex];
  const int nnode = m->flex_nodenum[flex], size = 3 * nnode;
  mjtNum R[9], block[9], half[9];
  mth_quat2Mat(R, quat);
  for (int i = 0; i < size; i += 3) {
    for (int j = 0; j < size; j += 3) {
      for (int r = 0; r < 3; r++) mth_copy3(block + 3 * r, k + (i + r) * size + j);
      mth_mulMatMat3(half, block, R);
      mth_mulMatTMat3(block, R, half);
      for (int r = 0; r < 3; r++) mth_scl3(negK + (i + r) * size + j, block + 3 * r, scale);
    }
  }
}

// rows of the Jacobian of one node without their zeros
static void nodeRows(const mjModel* m, mjData* d, int body, const mjtNum pos[3], NodeStiffness* s, int first) {
  const int nv = (int)m->nv;
  mj_markStack(d);
  int* chain = mj_stackAllocInt(d, (size_t)nv);
  mjtNum* jac = mj_stackAllocNum(d, 3 * (size_t)nv);
  const int n = kin_bodyChain(m, body, chain);
  kin_jacSparse(m, d, (KinPoint){body, pos}, (KinChain){n, chain}, jac, NULL);
  for (int r = 0; r < 3; r++) {
    int* ind = s->ind + (size_t)(first + r) * (size_t)nv;
    mjtNum* J = s->J + (size_t)(first + r) * (size_t)nv;
    int nnz = 0;
    for (int k = 0; k < n; k++) {
      if (jac[r * n + k] == 0) continue;
      ind[nnz] = chain[k];
      J[nnz++] = jac[r * n + k];
    }
    s->nnz[first + r] = nnz;
  }
  mj_freeStack(d);
}

// 0: this flex has no stiffness of this kind
static int openFlex(const mjModel* m, mjData* d, int flex, mjtNum h, NodeStiffness* s) {
  const mjtNum scale = h * h + h * m->flex_damping[flex];
  if (!m->flex_interp[flex] || m->flex_rigid[flex] || scale == 0) return 0;
  if (m->flex_stiffness[STIFFNESS_STRIDE * m->flex_elemadr[flex]] == 0) return 0;

  // memory
  const size_t nv = (size_t)m->nv, size = 3 * (size_t)m->flex_nodenum[flex];
  mjtNum* xpos = mj_stackAllocNum(d, size);
  s->size = (int)size;
  s->nnz = mj_stackAllocInt(d, size);
  s->ind = mj_stackAllocInt(d, size * nv);
  s->J = mj_stackAllocNum(d, size * nv);
  s->negK = mj_stackAllocNum(d, size * size);

  // contents
  mjtNum quat[4] = {1, 0, 0, 0};
  const int* body = m->flex_nodebodyid + m->flex_nodeadr[flex];
  frc_flexLocal(m, d, flex, xpos, NULL, quat);
  rotateStiffness(m, flex, scale, quat, s->negK);
  for (int i = 0; i < m->flex_nodenum[flex]; i++) nodeRows(m, d, body[i], xpos + 3 * i, s, 3 * i);
  return 1;
}

int der_flexDofs(const mjModel* m, int* ind) {
  int n = 0;
  for (int f = 0; f < m->nflex; f++) {
    if (!m->flex_interp[f]) continue;
    const int* body = m->flex_nodebodyid + m->flex_nodeadr[f];
    for (int i = 0; i < m->flex_nodenum[f]; i++) {
      for (int k = 0; k < m->body_dofnum[body[i]]; k++, n++) {
        if (ind) ind[n] = m->body_dofadr[body[i]] + k;
      }
    }
  }
  return n;
}

// dense target on some of the dofs
typedef struct {
  mjtNum* H;  // (n x n)
  int n;
  const int* place;  // (nv) row of a dof, -1: none
} DenseTarget;

// H -= J' negK J over one pair of rows
static void addPair(const DenseTarget* t, const NodeStiffness* s, size_t nv, int i, int j) {
  const mjtNum k = s->negK[i * s->size + j];
  const int *indi = s->ind + (size_t)i * nv, *indj = s->ind + (size_t)j * nv;
  const mjtNum *Ji = s->J + (size_t)i * nv, *Jj = s->J + (size_t)j * nv;
  for (int a = 0; a < s->nnz[i]; a++) {
    const int row = t->place[indi[a]];
    if (row < 0) continue;
    for (int b = 0; b < s->nnz[j]; b++) {
      const int col = t->place[indj[b]];
      if (col >= 0) t->H[row * t->n + col] -= Ji[a] * k * Jj[b];
    }
  }
}

void der_flexAddStiffness(const mjModel* m, mjData* d, mjtNum* H, const int* ind, int n, mjtNum h) {
  const int nv = (int)m->nv;
  mj_markStack(d);

  // dof → row of H
  int* place = mj_stackAllocInt(d, (size_t)nv);
  for (int i = 0; i < nv; i++) place[i] = -1;
  for (int i = 0; i < n; i++) place[ind[i]] = i;
  const DenseTarget target = {H, n, place};

  for (int f = 0; f < m->nflex; f++) {
    NodeStiffness s;
    mj_markStack(d);
    if (openFlex(m, d, f, h, &s)) {
      for (int i = 0; i < s.size; i++) {
        for (int j = 0; j < s.size; j++) addPair(&target, &s, (size_t)nv, i, j);
      }
    }
    mj_freeStack(d);
  }
  mj_freeStack(d);
}

void der_flexMulStiffness(const mjModel* m, mjData* d, mjtNum* res, const mjtNum* vec, mjtNum h) {
  const size_t nv = (size_t)m->nv;
  for (int f = 0; f < m->nflex; f++) {
    NodeStiffness s;
    mj_markStack(d);
    if (openFlex(m, d, f, h, &s)) {
      mjtNum* vel = mj_stackAllocNum(d, 2 * (size_t)s.size);
      mjtNum* force = vel + s.size;
      for (int i = 0; i < s.size; i++) {
        vel[i] = mth_dotSparse(s.J + (size_t)i * nv, vec, s.nnz[i], s.ind + (size_t)i * nv);
      }
      mth_mulMatVec(force, s.negK, vel, s.size, s.size);
      for (int i = 0; i < s.size; i++) {
        mth_addToSclScatter(res, s.J + (size_t)i * nv, force[i], s.nnz[i], s.ind + (size_t)i * nv);
      }
    }
    mj_freeStack(d);
  }
}
