// Flexes: vertex positions, bounding boxes of elements and of the tree over them, lengths and Jacobians of edges.
#include "kinematics/flex_position.h"

#include <string.h>

#include "base/assert.h"
#include "kinematics/jacobian.h"
#include "math/pair.h"
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

// place of the point with coordinates x in a grid of nodes: each node times kin_flexBasis; inlined, so that the order
// is a constant and the loops are none
__attribute__((always_inline)) static inline void interpolate(mjtNum res[3], const mjtNum x[3], const mjtNum* node,
                                                              int order) {
  const int n = order + 1;
  mjtNum along[3][3], z = 0;
  MthPair xy = {0, 0};
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < n; i++) along[k][i] = lagrange(x[k], i, order);
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      const mjtNum both = along[0][i] * along[1][j];
      for (int k = 0; k < n; k++, node += 3) {
        const mjtNum weight = both * along[2][k];
        xy += mth_load2(node) * weight;
        z += node[2] * weight;
      }
    }
  }
  mth_storePair(res, xy);
  res[2] = z;
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
  if (order == 1) {
    for (int i = first; i < end; i++) interpolate(xpos + 3 * i, m->flex_vert0 + 3 * i, node, 1);
  } else {
    for (int i = first; i < end; i++) interpolate(xpos + 3 * i, m->flex_vert0 + 3 * i, node, 2);
  }
}

// ---------------------------------------------------------------- boxes: centre, then half sizes; x and y side by side

// z in a pair of its own: what pairs compare has no branches, whatever a profile says about it
static inline MthPair alone(mjtNum z) {
  return (MthPair){z, 0};
}

static void elementBoxes(const mjModel* m, mjData* d, int flex) {
  const int n = m->flex_dim[flex] + 1;
  const int* elem = m->flex_elem + m->flex_elemdataadr[flex];
  const mjtNum *vert = d->flexvert_xpos + 3 * m->flex_vertadr[flex], radius = m->flex_radius[flex];
  mjtNum* box = d->flexelem_aabb + 6 * m->flex_elemadr[flex];
  for (int e = 0; e < m->flex_elemnum[flex]; e++, elem += n, box += 6) {
    const mjtNum* v = vert + 3 * elem[0];
    MthPair low = mth_load2(v), high = low, lowz = alone(v[2]), highz = lowz;
    for (int i = 1; i < n; i++) {
      v = vert + 3 * elem[i];
      const MthPair xy = mth_load2(v), z = alone(v[2]);
      low = mth_lesser2(xy, low);
      high = mth_greater2(xy, high);
      lowz = mth_lesser2(z, lowz);
      highz = mth_greater2(z, highz);
    }
    mth_storePair(box, 0.5 * (high + low));
    mth_storePair(box + 3, 0.5 * (high - low) + radius);
    box[2] = 0.5 * (highz[0] + lowz[0]);
    box[5] = 0.5 * (highz[0] - lowz[0]) + radius;
  }
}

// smallest box around two boxes
static void joinBoxes(mjtNum box[6], const mjtNum a[6], const mjtNum b[6]) {
  const MthPair ca = mth_load2(a), cb = mth_load2(b), ha = mth_load2(a + 3), hb = mth_load2(b + 3);
  const MthPair low = mth_lesser2(ca - ha, cb - hb), high = mth_greater2(ca + ha, cb + hb);
  const mjtNum lowz = mth_lesser2(alone(b[2] - b[5]), alone(a[2] - a[5]))[0];
  const mjtNum highz = mth_greater2(alone(b[2] + b[5]), alone(a[2] + a[5]))[0];
  mth_storePair(box, 0.5 * (high + low));
  mth_storePair(box + 3, 0.5 * (high - low));
  box[2] = 0.5 * (highz + lowz);
  box[5] = 0.5 * (highz - lowz);
}

static void copyBox(mjtNum box[6], const mjtNum from[6]) {
  for (int k = 0; k < 6; k += 3) {
    mth_storePair(box + k, mth_load2(from + k));
    box[k + 2] = from[k + 2];
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
      // in the pieces in which the parent will read it: a load over two stores waits for both
      copyBox(box + 6 * i, leaf + 6 * elem);
    } else {
      joinBoxes(box + 6 * i, box + 6 * child[0], box + 6 * child[1]);
    }
  }
}

// ---------------------------------------------------------------- edges

// how the dofs of a vertex move it, from the last dof up
typedef struct {
  int n;
  const int* dof;
  const mjtNum* column;  // (n x 3)
} Motion;

// motions of all vertices of a flex, on the stack
static Motion* motions(const mjModel* m, mjData* d, int flex) {
  const int num = m->flex_vertnum[flex], first = m->flex_vertadr[flex];
  Motion* motion = mj_stackAllocByte(d, sizeof(Motion) * (size_t)num, _Alignof(Motion));
  size_t total = 0;
  for (int v = 0; v < num; v++) {
    motion[v].n = 0;
    for (int i = kin_lastDof(m, m->flex_vertbodyid[first + v]); i >= 0; i = m->dof_parentid[i]) motion[v].n++;
    total += (size_t)motion[v].n;
  }
  int* dof = mj_stackAllocInt(d, total);
  mjtNum* column = mj_stackAllocNum(d, 3 * total);
  for (int v = 0; v < num; v++) {
    const int body = m->flex_vertbodyid[first + v];
    mjtNum offset[3];
    mth_sub3(offset, d->flexvert_xpos + 3 * (first + v), d->subtree_com + 3 * m->body_rootid[body]);
    motion[v].dof = dof;
    motion[v].column = column;
    for (int i = kin_lastDof(m, body); i >= 0; i = m->dof_parentid[i], column += 3) {
      *dof++ = i;
      mth_cross3(column, d->cdof + 6 * i, offset);
      mth_addTo3(column, d->cdof + 6 * i + 3);
    }
  }
  return motion;
}

// Jacobian row of the distance between two points along u: u · (J1 − J0), columns in the order of the merged chain
static inline void edgeRow(const Motion* a, const Motion* b, const mjtNum u[3], mjtNum* end) {
  for (int i = 0, j = 0; i < a->n || j < b->n;) {
    const int dof0 = i < a->n ? a->dof[i] : -1, dof1 = j < b->n ? b->dof[j] : -1;
    mjtNum sum = 0;
    if (dof1 >= dof0) sum = mth_dot3(b->column + 3 * j++, u);
    if (dof0 >= dof1) sum -= mth_dot3(a->column + 3 * i++, u);
    *--end = sum;
  }
}

// how a vertex moves
typedef struct {
  int dof;      // first of three sliding dofs of its own, -1: it moves in another way
  int aligned;  // 1: they slide along the axes of the world
} Slider;

static Slider sliderOf(const mjModel* m, const mjData* d, int body) {
  static const mjtNum AXES[3][3] = {
      {1, 0, 0},
      {0, 1, 0},
      {0, 0, 1}
  };
  const int dof = m->body_dofadr[body];
  if (m->body_simple[body] != 2 || m->body_dofnum[body] != 3 || m->dof_parentid[dof] >= 0) return (Slider){-1, 0};
  Slider s = {dof, 1};
  for (int k = 0; k < 3; k++) {
    const mjtNum* axis = d->cdof + 6 * (dof + k) + 3;
    s.aligned &= axis[0] == AXES[k][0] && axis[1] == AXES[k][1] && axis[2] == AXES[k][2];
  }
  return s;
}

// the same row where both vertices slide: a dof moves its vertex along its axis, and nothing else
static inline void slidingRow(const mjData* d, const Slider* s0, const Slider* s1, const mjtNum u[3], mjtNum* end) {
  const int last = s1->dof > s0->dof;
  mjtNum *row1 = end - (last ? 3 : 6), *row0 = end - (last ? 6 : 3);
  for (int k = 0; k < 3; k++) {
    row0[k] = 0 - (s0->aligned ? u[k] : mth_dot3(d->cdof + 6 * (s0->dof + k) + 3, u));
    row1[k] = s1->aligned ? u[k] : mth_dot3(d->cdof + 6 * (s1->dof + k) + 3, u);
  }
}

void kin_flexEdges(const mjModel* m, mjData* d, int flex) {
  const int vert = m->flex_vertadr[flex], first = m->flex_edgeadr[flex], last = first + m->flex_edgenum[flex];
  const int jacobian = m->flex_edgeequality[flex] == 1 || m->flex_edgedamping[flex] || m->flex_edgestiffness[flex] ||
                       m->flex_damping[flex];
  mj_markStack(d);
  Slider* slider = mj_stackAllocByte(d, sizeof(Slider) * (size_t)m->flex_vertnum[flex], _Alignof(Slider));
  int sliders = 1;
  for (int v = 0; v < (jacobian ? m->flex_vertnum[flex] : 0); v++) {
    slider[v] = sliderOf(m, d, m->flex_vertbodyid[vert + v]);
    sliders &= slider[v].dof >= 0;
  }
  const Motion* motion = sliders ? NULL : motions(m, d, flex);
  for (int e = first; e < last; e++) {
    const int end0 = m->flex_edge[2 * e], end1 = m->flex_edge[2 * e + 1], v0 = vert + end0, v1 = vert + end1;
    mjtNum u[3];
    mth_sub3(u, d->flexvert_xpos + 3 * v1, d->flexvert_xpos + 3 * v0);
    d->flexedge_length[e] = mth_normalize3(u);
    if (!jacobian) continue;
    mjtNum* end = d->flexedge_J + m->flexedge_J_rowadr[e] + m->flexedge_J_rownnz[e];
    if (slider[end0].dof >= 0 && slider[end0].dof == slider[end1].dof) {
      // two vertices of one body
      mth_zero3(end - 3);
    } else if (slider[end0].dof >= 0 && slider[end1].dof >= 0) {
      slidingRow(d, slider + end0, slider + end1, u, end);
    } else {
      BAS_ASSERT(motion);  // some vertex does not slide
      edgeRow(motion + end0, motion + end1, u, end);
    }
  }
  mj_freeStack(d);
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
