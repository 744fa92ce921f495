// Vertex-based strain of two-dimensional flexes and its Jacobian, after Chen, Kry and Vouga, "Locking-free
// Simulation of Isometric Thin Plates", 2019, with rows scaled by the square root of the vertex's mass.
//
// Around a vertex the deformation gradient F is the best linear map from rest edges X (2D) to current edges x:
//   F = (Σ w x Xᵀ) B       B = (Σ w X Xᵀ)⁻¹, given by the model       C = FᵀF
// The invariants tr C − 2 and det C − 1 vanish when the sheet keeps its shape; their gradients with respect to an
// edge x are 2 w F B X and 2 w F adj(C) B X.
#include <math.h>
#include <string.h>

#include "kinematics/flex_position.h"
#include "kinematics/jacobian.h"
#include "math/vec.h"

// res (3 × 2) = a (3 × 2) · b (2 × 2)
static void mul322(mjtNum res[6], const mjtNum a[6], const mjtNum b[4]) {
  for (int r = 0; r < 3; r++) {
    res[2 * r] = a[2 * r] * b[0] + a[2 * r + 1] * b[2];
    res[2 * r + 1] = a[2 * r] * b[1] + a[2 * r + 1] * b[3];
  }
}

// one edge at a vertex
typedef struct {
  int vert[2];     // ends, among all flex vertices
  mjtNum rest[2];  // rest vector in the sheet
  mjtNum weight;   // mass of the vertex at the other end
} Edge;

static Edge makeEdge(const mjModel* m, int flex, int edge, int vertex) {
  Edge res;
  const int base = m->flex_vertadr[flex], *ends = m->flex_edge + 2 * (m->flex_edgeadr[flex] + edge);
  for (int k = 0; k < 2; k++) res.vert[k] = base + ends[k];

  // rest positions are in units of the flex's half sizes
  for (int k = 0; k < 2; k++) {
    const mjtNum dif = m->flex_vert0[3 * res.vert[1] + k] - m->flex_vert0[3 * res.vert[0] + k];
    res.rest[k] = dif * (2 * m->flex_size[3 * flex + k]);
  }
  const int body = m->flex_vertbodyid[res.vert[0] == vertex ? res.vert[1] : res.vert[0]];
  res.weight = body < 0 ? 1 : mth_max(m->body_mass[body], mjMINVAL);
  return res;
}

// the deformation around a vertex and what its gradients need
typedef struct {
  mjtNum trace, det;  // invariants, zero at rest
  mjtNum dTrace[6];   // F B
  mjtNum dDet[6];     // F adj(C) B
  mjtNum scale;       // of both rows, for conditioning
} Strain;

static Strain makeStrain(const mjModel* m, const mjData* d, int flex, int vertex) {
  const int* edges = m->flex_vertedge + m->flex_vertedgeadr[vertex];
  const mjtNum* B = m->flex_vertmetric + 4 * vertex;
  mjtNum A[6] = {0}, F[6];
  for (int k = 0; k < m->flex_vertedgenum[vertex]; k++) {
    const Edge edge = makeEdge(m, flex, edges[k], vertex);
    mjtNum x[3];
    mth_sub3(x, d->flexvert_xpos + 3 * edge.vert[1], d->flexvert_xpos + 3 * edge.vert[0]);
    for (int i = 0; i < 6; i++) A[i] += edge.weight * x[i / 2] * edge.rest[i % 2];
  }
  mul322(F, A, B);

  Strain s;
  const mjtNum c00 = F[0] * F[0] + F[2] * F[2] + F[4] * F[4];
  const mjtNum c01 = F[0] * F[1] + F[2] * F[3] + F[4] * F[5];
  const mjtNum c11 = F[1] * F[1] + F[3] * F[3] + F[5] * F[5];
  const mjtNum adj[4] = {c11, -c01, -c01, c00};
  mjtNum Fadj[6];
  s.trace = c00 + c11 - 2;
  s.det = c00 * c11 - c01 * c01 - 1;
  mul322(s.dTrace, F, B);
  mul322(Fadj, F, adj);
  mul322(s.dDet, Fadj, B);

  const int body = m->flex_vertbodyid[vertex];
  const mjtNum mass = body < 0 ? 1 : m->body_mass[body];
  s.scale = mass > mjMINVAL ? sqrt(mass) : 1;
  return s;
}

// where the columns of a vertex's two rows go
typedef struct {
  const int* column;  // of each dof
  mjtNum* row[2];
} Rows;

// adds gradient · J of one vertex to both rows
static void addVertex(const mjModel* m, const mjData* d, const Rows* rows, int vertex, mjtNum grad[2][3]) {
  const int body = m->flex_vertbodyid[vertex];
  mjtNum offset[3];
  mth_sub3(offset, d->flexvert_xpos + 3 * vertex, d->subtree_com + 3 * m->body_rootid[body]);
  for (int dof = kin_lastDof(m, body); dof >= 0; dof = m->dof_parentid[dof]) {
    const mjtNum* cdof = d->cdof + 6 * dof;
    mjtNum col[3];
    mth_cross3(col, cdof, offset);
    mth_addTo3(col, cdof + 3);
    for (int k = 0; k < 2; k++) rows->row[k][rows->column[dof]] += mth_dot3(grad[k], col);
  }
}

static void strainRows(const mjModel* m, const mjData* d, int flex, int vertex, const Strain* s, const Rows* rows) {
  const int* edges = m->flex_vertedge + m->flex_vertedgeadr[vertex];
  for (int k = 0; k < m->flex_vertedgenum[vertex]; k++) {
    const Edge edge = makeEdge(m, flex, edges[k], vertex);
    mjtNum grad[2][3];
    for (int i = 0; i < 3; i++) {
      const mjtNum t = s->dTrace[2 * i] * edge.rest[0] + s->dTrace[2 * i + 1] * edge.rest[1];
      const mjtNum e = s->dDet[2 * i] * edge.rest[0] + s->dDet[2 * i + 1] * edge.rest[1];
      grad[0][i] = t * (2 * edge.weight) * s->scale;
      grad[1][i] = e * (2 * edge.weight) * s->scale;
    }
    addVertex(m, d, rows, edge.vert[1], grad);
    for (int i = 0; i < 6; i++) grad[i / 3][i % 3] = -grad[i / 3][i % 3];
    addVertex(m, d, rows, edge.vert[0], grad);
  }
}

void kin_flexStrain(const mjModel* m, mjData* d, int flex) {
  mj_markStack(d);
  int* column = mj_stackAllocInt(d, m->nv);
  const int first = m->flex_vertadr[flex], end = first + m->flex_vertnum[flex];
  for (int v = first; v < end; v++) {
    const Strain s = makeStrain(m, d, flex, v);
    d->flexvert_length[2 * v] = s.trace * s.scale;
    d->flexvert_length[2 * v + 1] = s.det * s.scale;

    // both rows have the same columns
    const int adr = m->flexvert_J_rowadr[2 * v];
    for (int c = 0; c < m->flexvert_J_rownnz[2 * v]; c++) column[m->flexvert_J_colind[adr + c]] = c;
    const Rows rows = {
        column, {d->flexvert_J + adr, d->flexvert_J + m->flexvert_J_rowadr[2 * v + 1]}
    };
    strainRows(m, d, flex, v, &s, &rows);
  }
  mj_freeStack(d);
}
