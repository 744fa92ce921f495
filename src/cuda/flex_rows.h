// Rows that keep edges of flexes at their length or sheets in shape, and the side of a contact that is a flex.
#pragma once

#include "cuda/flex.h"
#include "cuda/impedance.h"

//---------------------------------- columns ----------------------------------

// adds to a row what moves a vertex along a direction
CU_FN void cu_addMotion(const Cu* c, Real* J, int vert, const Real dir[3]) {
  const CudModel* m = c->m;
  Real lin[3];
  CU_LOOP for (int i = m->body_lastdof[m->flex_vertbodyid[vert]]; i >= 0; i = m->dof_parentid[i]) {
    cu_pointMotion(c, i, CU_W(c, vert) + 3 * vert, lin);
    J[i] += cu_dot3(dir, lin);
  }
}

//---------------------------------- strain ----------------------------------

// one edge at a vertex of a sheet
typedef struct {
  int vert[2];
  Real rest[2];  // rest vector in the sheet
  Real weight;   // mass of the vertex at the other end
} CuSheetEdge;

CU_FN CuSheetEdge cu_sheetEdge(const CudModel* m, int vertex, int k) {
  const int f = m->vert_flex[vertex], e = m->flex_edgeadr[f] + m->flex_vertedge[m->flex_vertedgeadr[vertex] + k];
  CuSheetEdge r;
  for (int i = 0; i < 2; i++) r.vert[i] = m->flex_vertadr[f] + m->flex_edge[2 * e + i];
  for (int i = 0; i < 2; i++) {
    const Real between = m->flex_vert0[3 * r.vert[1] + i] - m->flex_vert0[3 * r.vert[0] + i];
    r.rest[i] = between * (2 * m->flex_size[3 * f + i]);
  }
  const int body = m->flex_vertbodyid[r.vert[0] == vertex ? r.vert[1] : r.vert[0]];
  r.weight = body < 0 ? R_(1) : cu_max(m->body_mass[body], CU_MINVAL);
  return r;
}

// invariant `which` of the strain around a vertex, and the matrix (3 x 2) that its gradients follow from: see
// kinematics/flex_strain.c
CU_FN Real cu_strain(const Cu* c, int vertex, int which, Real gradient[6]) {
  const CudModel* m = c->m;
  const Real* B = m->flex_vertmetric + 4 * vertex;
  Real A[6] = {0, 0, 0, 0, 0, 0}, F[6], x[3];
  for (int k = 0; k < m->flex_vertedgenum[vertex]; k++) {
    const CuSheetEdge edge = cu_sheetEdge(m, vertex, k);
    cu_sub3(x, CU_W(c, vert) + 3 * edge.vert[1], CU_W(c, vert) + 3 * edge.vert[0]);
    for (int i = 0; i < 6; i++) A[i] += edge.weight * x[i / 2] * edge.rest[i % 2];
  }
  for (int i = 0; i < 6; i++) F[i] = A[i / 2 * 2] * B[i % 2] + A[i / 2 * 2 + 1] * B[2 + i % 2];
  const Real c00 = F[0] * F[0] + F[2] * F[2] + F[4] * F[4], c01 = F[0] * F[1] + F[2] * F[3] + F[4] * F[5];
  const Real c11 = F[1] * F[1] + F[3] * F[3] + F[5] * F[5], adj[4] = {c11, -c01, -c01, c00};
  Real G[6];
  for (int i = 0; i < 6; i++) {
    G[i] = which ? F[i / 2 * 2] * adj[i % 2] + F[i / 2 * 2 + 1] * adj[2 + i % 2] : F[i];
  }
  for (int i = 0; i < 6; i++) gradient[i] = G[i / 2 * 2] * B[i % 2] + G[i / 2 * 2 + 1] * B[2 + i % 2];
  return which ? c00 * c11 - c01 * c01 - 1 : c00 + c11 - 2;
}

// columns of a row of strain, by one lane; returns its residual
CU_FN Real cu_strainRow(const Cu* c, int vertex, int which, Real* J) {
  const CudModel* m = c->m;
  const int body = m->flex_vertbodyid[vertex];
  const Real mass = body < 0 ? R_(1) : m->body_mass[body], scale = mass > CU_MINVAL ? cu_sqrt(mass) : R_(1);
  Real S[6], dir[3];
  const Real strain = cu_strain(c, vertex, which, S);
  for (int k = 0; k < m->flex_vertedgenum[vertex]; k++) {
    const CuSheetEdge edge = cu_sheetEdge(m, vertex, k);
    for (int i = 0; i < 3; i++) dir[i] = S[2 * i] * edge.rest[0] + S[2 * i + 1] * edge.rest[1];
    cu_scl3(dir, dir, 2 * edge.weight * scale);
    cu_addMotion(c, J, edge.vert[1], dir);
    cu_scl3(dir, dir, -1);
    cu_addMotion(c, J, edge.vert[0], dir);
  }
  return strain * scale;
}

//---------------------------------- equality ----------------------------------

// length of an edge beyond that at rest, and its columns, by one lane
CU_FN Real cu_edgeRow(const Cu* c, int e, Real* J) {
  int vert[2];
  Real u[3];
  const Real length = cu_edge(c, e, vert, u);
  cu_addMotion(c, J, vert[1], u);
  cu_scl3(u, u, -1);
  cu_addMotion(c, J, vert[0], u);
  return length - c->m->flexedge_length0[e];
}

// rows of one constraint from this one on: each has a residual of its own
CU_CALL void cu_flexRows(const Cu* c, int eq, int row) {
  const CudModel* m = c->m;
  const int first = m->eqrow_adr[eq], n = m->eqrow_adr[eq + 1] - first, edges = m->eq_type[eq] == mjEQ_FLEX;
  CU_LOOP for (int k = 0; k < n; k++) {
    CU_FOR(i, m->nvs) cu_J(c, row + k)[i] = 0;
  }
  cu_sync();
  CU_FOR(k, n) {
    const int id = m->eqrow[first + k];
    Real* const J = cu_J(c, row + k);
    const Real residual = edges ? cu_edgeRow(c, id, J) : cu_strainRow(c, id / 2, id % 2, J);
    const Real A = edges ? m->flexedge_invweight0[id] : m->body_invweight0[2 * m->flex_vertbodyid[id / 2]];
    const CuSoft soft = {m->eq_solref + 2 * eq, m->eq_solimp + 5 * eq, residual, 0};
    const CuStiff s = cu_stiff(m, &soft, 0);
    cu_setRow(c, row + k, CUD_EQUALITY, &s, cu_regular(s.imp, A), residual);
    *cu_row(c, CUD_OF, row + k) = (Real)eq;
  }
  cu_sync();
}

//---------------------------------- contacts ----------------------------------

// bodies on one side of a contact and how much each moves the point: vertices of an element by their inverse distances,
// or nodes by their shape functions
typedef struct {
  int n;
  int body[mjMAXFLEXNODES];
  Real weight[mjMAXFLEXNODES];
} CuSide;

// vertices of the flex on a side; returns how many
CU_FN int cu_sideVertices(const Cu* c, const Real* con, int part, int f, int vert[4], Real weight[4]) {
  const CudModel* m = c->m;
  const int n = m->flex_dim[f] + 1, *elem = m->flex_elem + m->flex_elemdataadr[f] + n * (part / 2);
  Real sum = 0, d[3];
  weight[0] = 1;
  vert[0] = m->flex_vertadr[f] + part / 2;
  if (part % 2) return 1;
  for (int i = 0; i < n; i++) {
    vert[i] = m->flex_vertadr[f] + elem[i];
    cu_sub3(d, con + CUD_POS, CU_W(c, vert) + 3 * vert[i]);
    weight[i] = 1 / cu_max(CU_MINVAL, cu_sqrt(cu_dot3(d, d)));
    sum += weight[i];
  }
  for (int i = 0; i < n; i++) weight[i] *= 1 / sum;
  return n;
}

// sign multiplies the weights; nodes see it through the coordinates of the point, as on the CPU
CU_CALL void cu_openSide(const Cu* c, const Real* con, int which, Real sign, CuSide* s) {
  const CudModel* m = c->m;
  const int body = (int)con[CUD_BODY + which];
  s->n = 1;
  s->body[0] = body;
  s->weight[0] = sign;
  if (body >= 0) return;

  // vertices
  const int f = m->pair_geom[2 * (int)con[CUD_PAIR] + which];
  int vert[4];
  Real weight[4], x[3] = {0, 0, 0};
  s->n = cu_sideVertices(c, con, -2 - body, f, vert, weight);
  for (int i = 0; i < s->n; i++) {
    s->body[i] = m->flex_vertbodyid[vert[i]];
    s->weight[i] = weight[i] *= sign;
  }
  if (!m->flex_interp[f]) return;

  // nodes whose shape functions reach the point
  for (int i = 0; i < s->n; i++) cu_addScl3(x, x, m->flex_vert0 + 3 * vert[i], weight[i]);
  s->n = 0;
  for (int i = 0; i < m->flex_nodenum[f]; i++) {
    const Real w = cu_flexBasis(x, i, m->flex_interp[f]);
    if (w < R_(1e-5)) continue;
    s->body[s->n] = m->flex_nodebodyid[m->flex_nodeadr[f] + i];
    s->weight[s->n++] = w;
  }
}

// how much a dof moves the side
CU_FN Real cu_sideMoves(const Cu* c, const CuSide* s, int dof) {
  Real sum = 0;
  for (int k = 0; k < s->n; k++) sum += cu_moves(c->m, s->body[k], dof) ? s->weight[k] : 0;
  return sum;
}

// inverse inertia of a side
CU_FN Real cu_weightOf(const Cu* c, const Real* con, int which) {
  CuSide s;
  Real sum = 0;
  cu_openSide(c, con, which, 1, &s);
  for (int k = 0; k < s.n; k++) sum += c->m->body_invweight0[2 * s.body[k]] * s.weight[k];
  return sum;
}
