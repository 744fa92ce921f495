// Structure of the Jacobians of flexes: edges of each vertex, columns of each row, and the metric of the vertex strain.
#include <math.h>
#include <string.h>

#include "compile/const.h"
#include "kinematics/jacobian.h"
#include "math/quat.h"
#include "math/vec.h"

//---------------------------------- edges ----------------------------------

static int needsEdges(const mjModel* m, int f) {
  return m->flex_edgeequality[f] || m->flex_edgedamping[f] != 0 || m->flex_edgestiffness[f] != 0 ||
         m->flex_damping[f] != 0;
}

static void edgeRows(mjModel* m, int f, int* chain, int* next) {
  const int first = m->flex_edgeadr[f];
  const int* const body = m->flex_vertbodyid + m->flex_vertadr[f];
  for (int e = first; e < first + m->flex_edgenum[f]; e++) {
    m->flexedge_J_rowadr[e] = *next;
    const int n = kin_mergeChain(m, chain, body[m->flex_edge[2 * e]], body[m->flex_edge[2 * e + 1]]);
    m->flexedge_J_rownnz[e] = n;
    *next += n;
    for (int k = 0; k < n; k++) m->flexedge_J_colind[m->flexedge_J_rowadr[e] + k] = chain[k];
  }
}

//---------------------------------- vertices ----------------------------------

// edges at each vertex, from *next on
static void vertexEdges(mjModel* m, int f, int* next) {
  const int first = m->flex_edgeadr[f], nedge = m->flex_edgenum[f], nvert = m->flex_vertnum[f];
  int *const num = m->flex_vertedgenum + m->flex_vertadr[f], *const adr = m->flex_vertedgeadr + m->flex_vertadr[f];
  for (int i = 0; i < 2 * nedge; i++) num[m->flex_edge[2 * first + i]]++;
  for (int v = 0; v < nvert; v++) {
    adr[v] = *next;
    *next += num[v];
    num[v] = 0;
  }
  for (int i = 0; i < 2 * nedge; i++) {
    const int v = m->flex_edge[2 * first + i];
    m->flex_vertedge[adr[v] + num[v]++] = i / 2;
  }
}

// inverse of Σ w dx dxᵀ over the edges at a vertex, in the plane; w: mass of the neighbour
static void vertexMetric(mjModel* m, int f, int v) {
  const int base = m->flex_vertadr[f], *const edge = m->flex_edge + 2 * m->flex_edgeadr[f];
  mjtNum B[4] = {0};
  for (int k = 0; k < m->flex_vertedgenum[base + v]; k++) {
    const int* const pair = edge + 2 * m->flex_vertedge[m->flex_vertedgeadr[base + v] + k];
    mjtNum dx[3];
    mth_sub3(dx, m->flex_vert0 + 3 * (base + pair[1]), m->flex_vert0 + 3 * (base + pair[0]));
    for (int i = 0; i < 3; i++) dx[i] *= 2 * m->flex_size[3 * f + i];
    if (fabs(dx[2]) > mjMINVAL) mju_error("flex vertices are not in the same plane");
    const int body = m->flex_vertbodyid[base + (v == pair[0] ? pair[1] : pair[0])];
    const mjtNum weight = body >= 0 ? fmax(mjMINVAL, m->body_mass[body]) : 1;
    for (int i = 0; i < 4; i++) B[i] += weight * dx[i / 2] * dx[i % 2];
  }
  const mjtNum det = B[0] * B[3] - B[1] * B[2];
  if (fabs(det) < mjMINVAL) return;
  mjtNum* const metric = m->flex_vertmetric + 4 * (base + v);
  const mjtNum inverse = 1.0 / det;
  metric[0] = B[3] * inverse;
  metric[1] = -B[1] * inverse;
  metric[2] = -B[2] * inverse;
  metric[3] = B[0] * inverse;
}

// both rows of a vertex have the dofs of the vertex and its neighbours, increasing
static void vertexRow(mjModel* m, int f, int v, int* chain, mjtByte* used, int* next) {
  const int base = m->flex_vertadr[f], *const edge = m->flex_edge + 2 * m->flex_edgeadr[f], row = 2 * (base + v);
  const int* const body = m->flex_vertbodyid + base;
  memset(used, 0, (size_t)m->nv);
  for (int k = 0; k < m->flex_vertedgenum[base + v]; k++) {
    const int* const pair = edge + 2 * m->flex_vertedge[m->flex_vertedgeadr[base + v] + k];
    const int n = kin_mergeChain(m, chain, body[pair[0]], body[pair[1]]);
    for (int i = 0; i < n; i++) used[chain[i]] = 1;
  }
  int* const adr = m->flexvert_J_rowadr + row;
  adr[0] = *next;
  int n = 0;
  for (int i = 0; i < m->nv; i++) {
    if (used[i]) m->flexvert_J_colind[adr[0] + n++] = i;
  }
  adr[1] = adr[0] + n;
  for (int k = 0; k < n; k++) m->flexvert_J_colind[adr[1] + k] = m->flexvert_J_colind[adr[0] + k];
  m->flexvert_J_rownnz[row] = m->flexvert_J_rownnz[row + 1] = n;
  *next += 2 * n;
}

// turns the rest shape of a surface into the xy plane
static void alignPlane(mjModel* m, int f) {
  mjtNum* const vert = m->flex_vert0 + 3 * m->flex_vertadr[f];
  const int* const v = m->flex_elem + m->flex_elemdataadr[f];
  mjtNum a[3], b[3], normal[3], quat[4], mat[9];
  mth_sub3(a, vert + 3 * v[1], vert + 3 * v[0]);
  mth_sub3(b, vert + 3 * v[2], vert + 3 * v[0]);
  mth_cross3(normal, a, b);
  mju_normalize3(normal);
  mju_quatZ2Vec(quat, normal);
  mju_quat2Mat(mat, quat);
  for (int i = 0; i < m->flex_vertnum[f]; i++) {
    mjtNum turned[3];
    mju_mulMatTVec3(turned, mat, vert + 3 * i);
    mth_copy3(vert + 3 * i, turned);
    if (fabs(turned[2] - vert[3 * v[0] + 2]) > 100 * mjMINVAL) {
      mju_warning("flex %d is not planar", f);
      return;
    }
  }
}

//---------------------------------- all ----------------------------------

void cmp_constFlex(mjModel* m, mjData* d) {
  if (!m->nflex) return;
  mj_markStack(d);
  int* const chain = mj_stackAllocInt(d, (size_t)m->nv + 1);
  mjtByte* const used = mj_stackAllocByte(d, (size_t)m->nv + 1, 1);
  memset(m->flexedge_J_rowadr, 0, (size_t)m->nflexedge * sizeof(int));
  memset(m->flexedge_J_rownnz, 0, (size_t)m->nflexedge * sizeof(int));
  memset(m->flexvert_J_rowadr, 0, 2 * (size_t)m->nflexvert * sizeof(int));
  memset(m->flexvert_J_rownnz, 0, 2 * (size_t)m->nflexvert * sizeof(int));
  memset(m->flex_vertedgeadr, 0, (size_t)m->nflexvert * sizeof(int));
  memset(m->flex_vertedgenum, 0, (size_t)m->nflexvert * sizeof(int));
  memset(m->flex_vertedge, 0, 2 * (size_t)m->nflexedge * sizeof(int));
  mju_zero(m->flex_vertmetric, 4 * (int)m->nflexvert);
  int edges = 0, edgevalues = 0, vertvalues = 0;
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_rigid[f] || m->flex_interp[f]) continue;
    if (needsEdges(m, f)) edgeRows(m, f, chain, &edgevalues);
    if (m->flex_dim[f] != 2 || m->flex_edgeequality[f] != 2) continue;
    vertexEdges(m, f, &edges);
    for (int v = 0; v < m->flex_vertnum[f]; v++) vertexMetric(m, f, v);
    for (int v = 0; v < m->flex_vertnum[f]; v++) vertexRow(m, f, v, chain, used, &vertvalues);

    // rows end where the next one begins, also when that belongs to another flex and has no values
    const int next = m->flex_vertadr[f] + m->flex_vertnum[f];
    if (next < m->nflexvert) m->flexvert_J_rowadr[2 * next] = vertvalues;
  }
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_dim[f] == 2 && m->flex_edgeequality[f] == 2) alignPlane(m, f);
  }
  mj_freeStack(d);
}
