// Inverse weights at qpos0: diagonals of J M⁻¹ Jᵀ.
//
// With M = Lᵀ D L the diagonal entry of a row j of J is |D^-½ L^-ᵀ jᵀ|². L has only ancestors in its rows, so L^-ᵀ jᵀ
// stays on the dofs that move the row's body: the cost is the square of the chain's length, however large the model.
#include <math.h>
#include <string.h>

#include "compile/const.h"
#include "kinematics/jacobian.h"

// jᵀ M⁻¹ j of a vector over a chain of dofs; overwrites the vector
static mjtNum chainWeight(const mjModel* m, const mjData* d, mjtNum* x, KinChain chain) {
  mjtNum sum = 0;
  for (int t = chain.n - 1; t >= 0; t--) {
    const int dof = chain.dof[t], n = m->M_rownnz[dof] - 1;
    const mjtNum* const L = d->qLD + m->M_rowadr[dof];
    const mjtNum xt = x[t];
    for (int p = 0; p < n; p++) x[p] -= L[p] * xt;
    sum += xt * xt * d->qLDiagInv[dof];
  }
  return sum;
}

// the same for a vector over all dofs
static mjtNum denseWeight(const mjModel* m, const mjData* d, mjtNum* x) {
  mjtNum sum = 0;
  for (int i = (int)m->nv - 1; i >= 0; i--) {
    if (x[i] == 0) continue;
    const int adr = m->M_rowadr[i], n = m->M_rownnz[i] - 1;
    for (int p = 0; p < n; p++) x[m->M_colind[adr + p]] -= d->qLD[adr + p] * x[i];
    sum += x[i] * x[i] * d->qLDiagInv[i];
  }
  return sum;
}

// |M⁻¹ j| of a vector over all dofs, solved in the trees that it touches only; overwrites the vector with zeros
static mjtNum solvedNorm(const mjModel* m, const mjData* d, mjtNum* x, unsigned char* touched) {
  memset(touched, 0, (size_t)m->ntree);
  for (int i = (int)m->nv - 1; i >= 0; i--) {
    if (x[i] == 0) continue;
    touched[m->dof_treeid[i]] = 1;
    const int adr = m->M_rowadr[i], n = m->M_rownnz[i] - 1;
    for (int p = 0; p < n; p++) x[m->M_colind[adr + p]] -= d->qLD[adr + p] * x[i];
    x[i] *= d->qLDiagInv[i];
  }
  mjtNum sum = 0;
  for (int t = 0; t < m->ntree; t++) {
    if (!touched[t]) continue;
    const int first = m->tree_dofadr[t], end = first + m->tree_dofnum[t];
    for (int i = first; i < end; i++) {
      const int adr = m->M_rowadr[i], n = m->M_rownnz[i] - 1;
      for (int p = 0; p < n; p++) x[i] -= d->qLD[adr + p] * x[m->M_colind[adr + p]];
      sum += x[i] * x[i];
    }
    memset(x + first, 0, (size_t)(end - first) * sizeof(mjtNum));
  }
  return sqrt(sum);
}

// -------------------------------------------------------------------------------------------- bodies, dofs

static mjtNum inverseMass(const mjModel* m, int body) {
  return 1 / fmax(mjMINVAL, m->body_mass[body]);
}

static void setBodies(mjModel* m, mjData* d) {
  mj_markStack(d);
  int* const dof = mj_stackAllocInt(d, (size_t)m->nv + 1);
  mjtNum* const jac = mj_stackAllocNum(d, 6 * (size_t)m->nv + 1);
  for (int b = 0; b < m->nbody; b++) {
    mjtNum* const weight = m->body_invweight0 + 2 * b;
    weight[0] = weight[1] = 0;
    if (b == 0 || m->body_weldid[b] == 0) continue;
    if (m->body_simple[b] == 2) {
      weight[0] = inverseMass(m, b);
      continue;
    }

    // average over the axes, at the centre of mass
    const KinChain chain = {kin_bodyChain(m, b, dof), dof};
    const KinPoint point = {b, d->xipos + 3 * b};
    kin_jacSparse(m, d, point, chain, jac, jac + 3 * chain.n);
    mjtNum axis[6];
    for (int k = 0; k < 6; k++) axis[k] = chainWeight(m, d, jac + k * chain.n, chain);
    weight[0] = (axis[0] + axis[1] + axis[2]) / 3;
    weight[1] = (axis[3] + axis[4] + axis[5]) / 3;

    // a body that only moves or only turns uses the one weight for both
    if (weight[0] < mjMINVAL && weight[1] > mjMINVAL) {
      weight[0] = weight[1];
    } else if (weight[1] < mjMINVAL && weight[0] > mjMINVAL) {
      weight[1] = weight[0];
    }
  }
  mj_freeStack(d);
}

static void setDofs(mjModel* m, mjData* d) {
  mj_markStack(d);
  int* const path = mj_stackAllocInt(d, (size_t)m->nv + 1);
  mjtNum* const x = mj_stackAllocNum(d, (size_t)m->nv + 1);
  for (int j = 0; j < m->njnt; j++) {
    const int adr = m->jnt_dofadr[j], body = m->jnt_bodyid[j];
    mjtNum* const weight = m->dof_invweight0 + adr;
    if (m->body_simple[body] == 2) {
      weight[0] = inverseMass(m, body);
      continue;
    }
    const int num = m->jnt_type[j] == mjJNT_FREE ? 6 : m->jnt_type[j] == mjJNT_BALL ? 3 : 1;
    for (int k = 0; k < num; k++) {
      int n = 0;
      for (int i = adr + k; i >= 0; i = m->dof_parentid[i]) n++;
      for (int i = adr + k, t = n; i >= 0; i = m->dof_parentid[i]) path[--t] = i;
      memset(x, 0, (size_t)n * sizeof(mjtNum));
      x[n - 1] = 1;
      weight[k] = chainWeight(m, d, x, (KinChain){n, path});
    }

    // translations and rotations of a joint have one weight each
    for (int k = 0; k + 3 <= num; k += 3) {
      weight[k] = weight[k + 1] = weight[k + 2] = (weight[k] + weight[k + 1] + weight[k + 2]) / 3;
    }
  }
  mj_freeStack(d);
}

// -------------------------------------------------------------------------------------------- tendons, flexes,
// actuators

// adds a sparse row to a vector of zeros
static void scatter(mjtNum* x, const mjtNum* value, const int* col, int n) {
  for (int i = 0; i < n; i++) x[col[i]] = value[i];
}

static void setTendons(mjModel* m, const mjData* d, mjtNum* x) {
  const int nv = (int)m->nv, sparse = kin_isSparse(m);
  for (int i = 0; i < m->ntendon; i++) {
    memset(x, 0, (size_t)nv * sizeof(mjtNum));
    if (sparse) {
      scatter(x, d->ten_J + d->ten_J_rowadr[i], d->ten_J_colind + d->ten_J_rowadr[i], d->ten_J_rownnz[i]);
    } else {
      memcpy(x, d->ten_J + nv * i, (size_t)nv * sizeof(mjtNum));
    }
    m->tendon_invweight0[i] = denseWeight(m, d, x);
  }
}

static void setFlexEdges(mjModel* m, const mjData* d, mjtNum* x) {
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_interp[f]) continue;
    for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
      const int b1 = m->flex_vertbodyid[m->flex_vertadr[f] + m->flex_edge[2 * e]];
      const int b2 = m->flex_vertbodyid[m->flex_vertadr[f] + m->flex_edge[2 * e + 1]];
      if (m->flexedge_rigid[e]) {
        m->flexedge_invweight0[e] = 0;
      } else if (m->body_simple[b1] == 2 && m->body_simple[b2] == 2) {
        m->flexedge_invweight0[e] = (1 / m->body_mass[b1] + 1 / m->body_mass[b2]) / 2;
      } else {
        memset(x, 0, (size_t)m->nv * sizeof(mjtNum));
        const int adr = m->flexedge_J_rowadr[e];
        scatter(x, d->flexedge_J + adr, m->flexedge_J_colind + adr, m->flexedge_J_rownnz[e]);
        m->flexedge_invweight0[e] = denseWeight(m, d, x);
      }
    }
  }
}

void cmp_constWeights(mjModel* m, mjData* d) {
  setBodies(m, d);
  setDofs(m, d);
  mj_markStack(d);
  mjtNum* const x = mj_stackAllocNum(d, (size_t)m->nv + 1);
  unsigned char* const touched = mj_stackAllocByte(d, (size_t)m->ntree + 1, 1);
  setFlexEdges(m, d, x);
  setTendons(m, d, x);
  memset(x, 0, (size_t)m->nv * sizeof(mjtNum));
  for (int i = 0; i < m->nu; i++) {
    const int adr = d->moment_rowadr[i];
    scatter(x, d->actuator_moment + adr, d->moment_colind + adr, d->moment_rownnz[i]);
    m->actuator_acc0[i] = solvedNorm(m, d, x, touched);
  }
  mj_freeStack(d);
}
