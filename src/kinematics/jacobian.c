// Jacobians of body points: the chain of dofs that moves a body, dense and sparse columns, rows of contacts.
// See jacobian.h for the columns. One inline kernel writes the translation column; everything else decides
// which dofs it is called for and where its result goes.
#include "kinematics/jacobian.h"

#include <string.h>

#include "math/simd/kernels.h"
#include "math/vec.h"
#include "base/assert.h"

// ---------------------------------------------------------------- chains

// the chain was written from the last dof to the first
static void reverse(int* chain, int n) {
  for (int i = 0, j = n - 1; i < j; i++, j--) {
    const int dof = chain[i];
    chain[i] = chain[j];
    chain[j] = dof;
  }
}

int kin_bodyChain(const mjModel* m, int body, int* chain) {
  // a simple body hangs on the world: its own dofs are all
  if (m->body_simple[body]) {
    const int n = m->body_dofnum[body], first = m->body_dofadr[body];
    for (int i = 0; i < n; i++) chain[i] = first + i;
    return n;
  }

  int n = 0;
  for (int dof = kin_lastDof(m, body); dof >= 0; dof = m->dof_parentid[dof]) chain[n++] = dof;
  reverse(chain, n);
  return n;
}

// steps down both chains at once; the larger dof is always the next one of the union
static int mergeChains(const mjModel* m, int* chain, int dof1, int dof2, int apart) {
  int n = 0;
  while (dof1 >= 0 || dof2 >= 0) {
    // from the first common dof on the chains are the same
    if (dof1 == dof2 && apart) break;
    const int dof = dof1 > dof2 ? dof1 : dof2;
    chain[n++] = dof;
    if (dof1 == dof) dof1 = m->dof_parentid[dof1];
    if (dof2 == dof) dof2 = m->dof_parentid[dof2];
  }
  reverse(chain, n);
  return n;
}

int kin_mergeChain(const mjModel* m, int* chain, int body1, int body2) {
  return mergeChains(m, chain, kin_lastDof(m, body1), kin_lastDof(m, body2), 0);
}

int kin_mergeChainApart(const mjModel* m, int* chain, int body1, int body2) {
  return mergeChains(m, chain, kin_lastDof(m, body1), kin_lastDof(m, body2), 1);
}

// ---------------------------------------------------------------- columns

// translation column of a motion axis for a point at this offset from the tree's centre of mass
static inline void translationColumn(mjtNum col[3], const mjtNum* cdof, const mjtNum offset[3]) {
  col[0] = cdof[3] + (cdof[1] * offset[2] - cdof[2] * offset[1]);
  col[1] = cdof[4] + (cdof[2] * offset[0] - cdof[0] * offset[2]);
  col[2] = cdof[5] + (cdof[0] * offset[1] - cdof[1] * offset[0]);
}

static inline void storeColumn(mjtNum* jac, int column, int stride, const mjtNum col[3]) {
  jac[column] = col[0];
  jac[column + stride] = col[1];
  jac[column + 2 * stride] = col[2];
}

// where a point is, seen from the centre of mass that its tree's motion axes refer to
static inline void pointOffset(const mjModel* m, const mjData* d, KinPoint point, mjtNum offset[3]) {
  mth_sub3(offset, point.pos, d->subtree_com + 3 * m->body_rootid[point.body]);
}

// both Jacobians of a point, one column per dof
static void jacDense(const mjModel* m, const mjData* d, KinPoint point, mjtNum* jacp, mjtNum* jacr) {
  const int nv = m->nv;
  if (jacp) memset(jacp, 0, 3 * nv * sizeof(mjtNum));
  if (jacr) memset(jacr, 0, 3 * nv * sizeof(mjtNum));

  int dof = kin_lastDof(m, point.body);
  if (dof < 0) return;

  mjtNum offset[3] = {0, 0, 0}, col[3];
  if (jacp) pointOffset(m, d, point, offset);
  for (; dof >= 0; dof = m->dof_parentid[dof]) {
    const mjtNum* cdof = d->cdof + 6 * dof;
    if (jacr) storeColumn(jacr, dof, nv, cdof);
    if (jacp) {
      translationColumn(col, cdof, offset);
      storeColumn(jacp, dof, nv, col);
    }
  }
}

void kin_jacSparse(const mjModel* m, const mjData* d, KinPoint point, KinChain chain, mjtNum* jacp, mjtNum* jacr) {
  const int n = chain.n;
  mjtNum offset[3], col[3];
  pointOffset(m, d, point, offset);

  // the chain may hold dofs of other bodies: their columns are zero
  int dof = kin_lastDof(m, point.body);
  for (int c = n - 1; c >= 0; c--) {
    if (chain.dof[c] != dof) {
      const mjtNum zero[3] = {0, 0, 0};
      if (jacr) storeColumn(jacr, c, n, zero);
      if (jacp) storeColumn(jacp, c, n, zero);
      continue;
    }
    const mjtNum* cdof = d->cdof + 6 * dof;
    if (jacr) storeColumn(jacr, c, n, cdof);
    if (jacp) {
      translationColumn(col, cdof, offset);
      storeColumn(jacp, c, n, col);
    }
    dof = m->dof_parentid[dof];
  }
  BAS_ASSERT(dof < 0);
}

// ---------------------------------------------------------------- differences of two points

// walks down two chains together; which of the points does the next dof move?
typedef struct {
  const int* parent;
  int next[2];
  mjtNum offset[2][3];
} PairWalk;

static inline PairWalk startWalk(const mjModel* m, const mjData* d, const KinPoint point[2]) {
  PairWalk walk = {.parent = m->dof_parentid};
  for (int k = 0; k < 2; k++) {
    walk.next[k] = kin_lastDof(m, point[k].body);
    pointOffset(m, d, point[k], walk.offset[k]);
  }
  return walk;
}

// columns of second minus first for a dof at or below both chains' next; 0: it moves neither
static inline int walkColumn(PairWalk* walk, int dof, const mjtNum* cdof, mjtNum colp[3], mjtNum colr[3]) {
  const int in1 = walk->next[0] == dof, in2 = walk->next[1] == dof;
  if (in1) walk->next[0] = walk->parent[dof];
  if (in2) walk->next[1] = walk->parent[dof];

  if (in2) {
    translationColumn(colp, cdof, walk->offset[1]);
    mth_copy3(colr, cdof);
    if (in1) {
      mjtNum first[3];
      translationColumn(first, cdof, walk->offset[0]);
      mth_sub3(colp, colp, first);
      mth_zero3(colr);
    }
  } else if (in1) {
    translationColumn(colp, cdof, walk->offset[0]);
    mth_scl3(colp, colp, -1);
    mth_scl3(colr, cdof, -1);
  }
  return in1 || in2;
}

void kin_jacDifSparse(const mjModel* m, const mjData* d, const KinPoint point[2], KinChain chain, mjtNum* jacp,
                      mjtNum* jacr) {
  PairWalk walk = startWalk(m, d, point);
  for (int c = chain.n - 1; c >= 0; c--) {
    mjtNum colp[3] = {0, 0, 0}, colr[3] = {0, 0, 0};
    const int dof = chain.dof[c];
    walkColumn(&walk, dof, d->cdof + 6 * dof, colp, colr);
    if (jacp) storeColumn(jacp, c, chain.n, colp);
    if (jacr) storeColumn(jacr, c, chain.n, colr);
  }
}

void kin_jacDif(const mjModel* m, const mjData* d, const KinPoint point[2], mjtNum* jacp, mjtNum* jacr) {
  const int nv = m->nv;
  if (jacp) memset(jacp, 0, 3 * nv * sizeof(mjtNum));
  if (jacr) memset(jacr, 0, 3 * nv * sizeof(mjtNum));

  PairWalk walk = startWalk(m, d, point);
  while (walk.next[0] >= 0 || walk.next[1] >= 0) {
    mjtNum colp[3], colr[3];
    const int dof = walk.next[0] > walk.next[1] ? walk.next[0] : walk.next[1];
    walkColumn(&walk, dof, d->cdof + 6 * dof, colp, colr);
    if (jacp) storeColumn(jacp, dof, nv, colp);
    if (jacr) storeColumn(jacr, dof, nv, colr);
  }
}

int kin_jacDifPair(const mjModel* m, const mjData* d, const KinPoint point[2], int* chain, mjtNum* jacp, mjtNum* jacr) {
  if (!kin_isSparse(m)) {
    kin_jacDif(m, d, point, jacp, jacr);
    return m->nv;
  }
  const KinChain merged = {kin_mergeChain(m, chain, point[0].body, point[1].body), chain};
  if (merged.n) kin_jacDifSparse(m, d, point, merged, jacp, jacr);
  return merged.n;
}

// one column of every row: the relative motion along and about the axes of the frame
static inline void storeFrameColumn(const KinRows* rows, int column, const mjtNum colp[3], const mjtNum colr[3]) {
  mjtNum* J = rows->J + column;
  for (int k = 0; k < rows->ntrans; k++, J += rows->stride) *J = mth_dot3(rows->frame + 3 * k, colp);
  for (int k = 0; k < rows->nrot; k++, J += rows->stride) *J = mth_dot3(rows->frame + 3 * k, colr);
}

void kin_pairRows(const mjModel* m, const mjData* d, const KinPoint point[2], const KinRows* rows) {
  PairWalk walk = startWalk(m, d, point);

  // sparse: every column of the chain is written
  if (rows->chain.dof) {
    for (int c = rows->chain.n - 1; c >= 0; c--) {
      mjtNum colp[3] = {0, 0, 0}, colr[3] = {0, 0, 0};
      const int dof = rows->chain.dof[c];
      walkColumn(&walk, dof, d->cdof + 6 * dof, colp, colr);
      storeFrameColumn(rows, c, colp, colr);
    }
    return;
  }

  // dense: the columns of other dofs are zero
  for (int k = 0; k < rows->ntrans + rows->nrot; k++) {
    memset(rows->J + k * rows->stride, 0, m->nv * sizeof(mjtNum));
  }
  while (walk.next[0] >= 0 || walk.next[1] >= 0) {
    mjtNum colp[3], colr[3];
    const int dof = walk.next[0] > walk.next[1] ? walk.next[0] : walk.next[1];
    walkColumn(&walk, dof, d->cdof + 6 * dof, colp, colr);
    storeFrameColumn(rows, dof, colp, colr);
  }
}

// ---------------------------------------------------------------- weighted sums

// union of the chains of all bodies, increasing; mark has room for nv
static int sumChain(const mjModel* m, const KinSum* sum, int* chain, mjtByte* mark) {
  memset(mark, 0, m->nv);
  int low = m->nv, high = -1;
  for (int i = 0; i < sum->n; i++) {
    for (int dof = kin_lastDof(m, sum->body[i]); dof >= 0 && !mark[dof]; dof = m->dof_parentid[dof]) {
      mark[dof] = 1;
      if (dof < low) low = dof;
      if (dof > high) high = dof;
    }
  }

  int n = 0;
  for (int dof = low; dof <= high; dof++) {
    if (mark[dof]) chain[n++] = dof;
  }
  return n;
}

int kin_jacSum(const mjModel* m, mjData* d, const KinSum* sum, int* chain, mjtNum* jac, int flg_rot) {
  mj_markStack(d);
  const int sparse = kin_isSparse(m), nv = m->nv;
  int ncol = nv;

  // column of each dof
  int* column = NULL;
  if (sparse) {
    column = mj_stackAllocInt(d, nv);
    ncol = sumChain(m, sum, chain, mj_stackAllocByte(d, nv, 1));
    for (int c = 0; c < ncol; c++) column[chain[c]] = c;
  }
  memset(jac, 0, (flg_rot ? 6 : 3) * ncol * sizeof(mjtNum));

  for (int i = 0; i < sum->n; i++) {
    const mjtNum weight = sum->weight[i];
    mjtNum offset[3], col[3];
    pointOffset(m, d, (KinPoint){sum->body[i], sum->pos}, offset);
    for (int dof = kin_lastDof(m, sum->body[i]); dof >= 0; dof = m->dof_parentid[dof]) {
      const mjtNum* cdof = d->cdof + 6 * dof;
      mjtNum* J = jac + (sparse ? column[dof] : dof);
      translationColumn(col, cdof, offset);
      for (int k = 0; k < 3; k++) J[k * ncol] += col[k] * weight;
      if (flg_rot) {
        for (int k = 0; k < 3; k++) J[(3 + k) * ncol] += cdof[k] * weight;
      }
    }
  }

  mj_freeStack(d);
  return ncol;
}

// ---------------------------------------------------------------- public functions

void mj_jac(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3], int body) {
  jacDense(m, d, (KinPoint){body, point}, jacp, jacr);
}

void mj_jacBody(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body) {
  jacDense(m, d, (KinPoint){body, d->xpos + 3 * body}, jacp, jacr);
}

void mj_jacBodyCom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body) {
  jacDense(m, d, (KinPoint){body, d->xipos + 3 * body}, jacp, jacr);
}

void mj_jacGeom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int geom) {
  jacDense(m, d, (KinPoint){m->geom_bodyid[geom], d->geom_xpos + 3 * geom}, jacp, jacr);
}

void mj_jacSite(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int site) {
  jacDense(m, d, (KinPoint){m->site_bodyid[site], d->site_xpos + 3 * site}, jacp, jacr);
}

void mj_jacSubtreeCom(const mjModel* m, mjData* d, mjtNum* jacp, int body) {
  const int nv = m->nv;
  memset(jacp, 0, 3 * nv * sizeof(mjtNum));

  // mass-weighted columns of every body of the subtree, whose ids are consecutive
  for (int b = body; b < m->nbody && (b == body || m->body_parentid[b] >= body); b++) {
    mjtNum offset[3], col[3];
    pointOffset(m, d, (KinPoint){b, d->xipos + 3 * b}, offset);
    for (int dof = kin_lastDof(m, b); dof >= 0; dof = m->dof_parentid[dof]) {
      translationColumn(col, d->cdof + 6 * dof, offset);
      for (int k = 0; k < 3; k++) jacp[dof + k * nv] += col[k] * m->body_mass[b];
    }
  }
  mth_scl(jacp, jacp, 1 / m->body_subtreemass[body], 3 * nv);
}

void mj_jacPointAxis(const mjModel* m, mjData* d, mjtNum* jacPoint, mjtNum* jacAxis, const mjtNum point[3],
                     const mjtNum axis[3], int body) {
  const int nv = m->nv;
  if (jacPoint) jacDense(m, d, (KinPoint){body, point}, jacPoint, NULL);

  // an axis that turns with the body moves by w × axis
  if (jacAxis) {
    memset(jacAxis, 0, 3 * nv * sizeof(mjtNum));
    for (int dof = kin_lastDof(m, body); dof >= 0; dof = m->dof_parentid[dof]) {
      mjtNum col[3];
      mth_cross3(col, d->cdof + 6 * dof, axis);
      storeColumn(jacAxis, dof, nv, col);
    }
  }
}
