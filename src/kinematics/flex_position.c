// Flexes: vertex positions, bounding boxes of elements and of the tree over them, lengths and Jacobians of edges.
#include "kinematics/flex_position.h"

#include <string.h>

#include "kinematics/jacobian.h"
#include "math/vec.h"

// ---------------------------------------------------------------- vertices

// Lagrange polynomials on [0, 1] with nodes at the ends (order 1) and in the middle as well (order 2)
static mjtNum lagrange(mjtNum s, int i, int order) {
  if (order == 1) return i == 0 ? 1 - s : s;
  if (i == 0) return 2 * s * s - 3 * s + 1;
  if (i == 1) return 4 * (s - s * s);
  return 2 * s * s - s;
}

mjtNum kin_flexBasis(const mjtNum x[3], int i, int order) {
  const int n = order + 1;
  return lagrange(x[0], i / (n * n), order) * lagrange(x[1], i / n % n, order) * lagrange(x[2], i % n, order);
}

// derivative of a Lagrange polynomial
static mjtNum lagrangeSlope(mjtNum s, int i, int order) {
  if (order == 1) return i == 0 ? -1 : 1;
  if (i == 0) return 4 * s - 3;
  if (i == 1) return 4 - 8 * s;
  return 4 * s - 1;
}

void kin_flexBasisGradient(mjtNum grad[3], const mjtNum x[3], int i, int order) {
  const int n = order + 1, node[3] = {i / (n * n), i / n % n, i % n};
  for (int k = 0; k < 3; k++) {
    grad[k] = 1;
    for (int j = 0; j < 3; j++)
      grad[k] *= j == k ? lagrangeSlope(x[j], node[j], order) : lagrange(x[j], node[j], order);
  }
}

// point fixed to a body; the centred ones are the body's origin
static inline void bodyPoint(const mjData* d, mjtNum res[3], const mjtNum pos[3], int body, int centered) {
  if (centered) {
    mth_copy3(res, d->xpos + 3 * body);
  } else {
    mth_mulMatVec3(res, d->xmat + 9 * body, pos);
    mth_addTo3(res, d->xpos + 3 * body);
  }
}

void kin_flexNodes(const mjModel* m, const mjData* d, int flex, mjtNum* xpos) {
  const int first = m->flex_nodeadr[flex], num = m->flex_nodenum[flex], centered = m->flex_centered[flex];
  for (int i = 0; i < num; i++) {
    bodyPoint(d, xpos + 3 * i, m->flex_node + 3 * (first + i), m->flex_nodebodyid[first + i], centered);
  }
}

static void vertices(const mjModel* m, mjData* d, int flex) {
  const int first = m->flex_vertadr[flex], end = first + m->flex_vertnum[flex], order = m->flex_interp[flex];
  mjtNum* xpos = d->flexvert_xpos;

  // every vertex has its own body
  if (!order) {
    const int centered = m->flex_centered[flex];
    for (int i = first; i < end; i++) {
      bodyPoint(d, xpos + 3 * i, m->flex_vert + 3 * i, m->flex_vertbodyid[i], centered);
    }
    return;
  }

  // vertices follow a grid of nodes
  const int num = m->flex_nodenum[flex], n = order + 1;
  if (num != n * n * n || num > mjMAXFLEXNODES) mju_error("flex %d: %d nodes do not fit order %d", flex, num, order);
  mjtNum node[3 * mjMAXFLEXNODES];
  kin_flexNodes(m, d, flex, node);
  for (int i = first; i < end; i++) {
    mth_zero3(xpos + 3 * i);
    for (int j = 0; j < num; j++) {
      mth_addToScl3(xpos + 3 * i, node + 3 * j, kin_flexBasis(m->flex_vert0 + 3 * i, j, order));
    }
  }
}

// ---------------------------------------------------------------- boxes: centre, then half sizes

static void elementBoxes(const mjModel* m, mjData* d, int flex) {
  const int n = m->flex_dim[flex] + 1;
  const int* elem = m->flex_elem + m->flex_elemdataadr[flex];
  const mjtNum *vert = d->flexvert_xpos + 3 * m->flex_vertadr[flex], radius = m->flex_radius[flex];
  mjtNum* box = d->flexelem_aabb + 6 * m->flex_elemadr[flex];
  for (int e = 0; e < m->flex_elemnum[flex]; e++, elem += n, box += 6) {
    mjtNum low[3], high[3];
    mth_copy3(low, vert + 3 * elem[0]);
    mth_copy3(high, low);
    for (int i = 1; i < n; i++) {
      const mjtNum* v = vert + 3 * elem[i];
      for (int k = 0; k < 3; k++) {
        low[k] = v[k] < low[k] ? v[k] : low[k];
        high[k] = v[k] > high[k] ? v[k] : high[k];
      }
    }
    for (int k = 0; k < 3; k++) {
      box[k] = 0.5 * (high[k] + low[k]);
      box[k + 3] = 0.5 * (high[k] - low[k]) + radius;
    }
  }
}

// smallest box around two boxes
static void joinBoxes(mjtNum box[6], const mjtNum a[6], const mjtNum b[6]) {
  for (int k = 0; k < 3; k++) {
    const mjtNum low = mth_min(a[k] - a[k + 3], b[k] - b[k + 3]);
    const mjtNum high = mth_max(a[k] + a[k + 3], b[k] + b[k + 3]);
    box[k] = 0.5 * (high + low);
    box[k + 3] = 0.5 * (high - low);
  }
}

// boxes of the bounding volume hierarchy: leaves from the elements, the others from their children, which come later
static void treeBoxes(const mjModel* m, mjData* d, int flex) {
  const int first = m->flex_bvhadr[flex];
  if (first < 0) return;
  mjtNum* box = d->bvh_aabb_dyn + 6 * (first - m->nbvhstatic);
  const mjtNum* leaf = d->flexelem_aabb + 6 * m->flex_elemadr[flex];
  for (int i = m->flex_bvhnum[flex] - 1; i >= 0; i--) {
    const int elem = m->bvh_nodeid[first + i], *child = m->bvh_child + 2 * (first + i);
    if (elem >= 0) {
      memcpy(box + 6 * i, leaf + 6 * elem, 6 * sizeof(mjtNum));
    } else {
      joinBoxes(box + 6 * i, box + 6 * child[0], box + 6 * child[1]);
    }
  }
}

// ---------------------------------------------------------------- edges

// Jacobian row of the distance between two points along u: u · (J1 − J0), columns in the order of the merged chain
static inline void edgeRow(const mjModel* m, const mjData* d, const KinPoint point[2], const mjtNum u[3], mjtNum* end) {
  int next[2];
  mjtNum offset[2][3];
  for (int s = 0; s < 2; s++) {
    next[s] = kin_lastDof(m, point[s].body);
    mth_sub3(offset[s], point[s].pos, d->subtree_com + 3 * m->body_rootid[point[s].body]);
  }
  while (next[0] >= 0 || next[1] >= 0) {
    const int dof = next[0] > next[1] ? next[0] : next[1];
    const mjtNum* cdof = d->cdof + 6 * dof;
    mjtNum sum = 0;
    for (int s = 1; s >= 0; s--) {
      if (next[s] != dof) continue;
      mjtNum col[3];
      mth_cross3(col, cdof, offset[s]);
      mth_addTo3(col, cdof + 3);
      const mjtNum along = mth_dot3(col, u);
      sum = s ? along : sum - along;
      next[s] = m->dof_parentid[dof];
    }
    *--end = sum;
  }
}

void kin_flexEdges(const mjModel* m, mjData* d, int flex) {
  const int vert = m->flex_vertadr[flex], first = m->flex_edgeadr[flex], last = first + m->flex_edgenum[flex];
  const int jacobian = m->flex_edgeequality[flex] == 1 || m->flex_edgedamping[flex] || m->flex_edgestiffness[flex] ||
                       m->flex_damping[flex];
  for (int e = first; e < last; e++) {
    const int v0 = vert + m->flex_edge[2 * e], v1 = vert + m->flex_edge[2 * e + 1];
    const KinPoint point[2] = {
        {m->flex_vertbodyid[v0], d->flexvert_xpos + 3 * v0},
        {m->flex_vertbodyid[v1], d->flexvert_xpos + 3 * v1}
    };
    mjtNum u[3];
    mth_sub3(u, point[1].pos, point[0].pos);
    d->flexedge_length[e] = mth_normalize3(u);
    if (jacobian) edgeRow(m, d, point, u, d->flexedge_J + m->flexedge_J_rowadr[e] + m->flexedge_J_rownnz[e]);
  }
}

// ---------------------------------------------------------------- all

void mj_flex(const mjModel* m, mjData* d) {
  if (!m->nflex) return;
  for (int f = 0; f < m->nflex; f++) {
    vertices(m, d, f);
    elementBoxes(m, d, f);
    if (!(m->opt.disableflags & mjDSBL_MIDPHASE)) treeBoxes(m, d, f);
  }

  // edges of rigid and interpolated flexes cannot carry forces
  if (m->nJfe) memset(d->flexedge_J, 0, sizeof(mjtNum) * m->nJfe);
  if (m->nJfv) memset(d->flexvert_J, 0, sizeof(mjtNum) * 2 * m->nJfv);
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_rigid[f] || m->flex_interp[f]) continue;
    kin_flexEdges(m, d, f);
    if (m->flex_dim[f] == 2 && m->flex_edgeequality[f] == 2) kin_flexStrain(m, d, f);
  }
}
