// Rows by direction, with their inertia.
#include "physics/contact/rows.h"

#include <math.h>
#include <string.h>

#include "math/simd/kernels.h"
#include "math/vec.h"

// a row of efc_J, all columns
static void denseRow(const mjModel* m, const mjData* d, int i, mjtNum* J) {
  const int nv = (int)m->nv;
  if (!mj_isSparse(m)) {
    mth_copy(J, d->efc_J + (size_t)i * (size_t)nv, nv);
    return;
  }
  memset(J, 0, (size_t)nv * sizeof(mjtNum));
  const int adr = d->efc_J_rowadr[i];
  for (int k = 0; k < d->efc_J_rownnz[i]; k++) J[d->efc_J_colind[adr + k]] = d->efc_J[adr + k];
}

// number of rows of the contact that starts at row i, and of its tangents
static int contactSize(const mjData* d, int i, int* ntangent) {
  const int dim = d->contact[d->efc_id[i]].dim;
  *ntangent = dim - 1;
  if (d->efc_type[i] == mjCNSTR_CONTACT_FRICTIONLESS) *ntangent = 0;
  return d->efc_type[i] == mjCNSTR_CONTACT_PYRAMIDAL ? 2 * (dim - 1) : *ntangent + 1;
}

// what a row says of its spring; edges of a pyramid act together
static ContactRow plainRow(const mjData* d, RowKind kind, int i, int edges) {
  const mjtNum* kbip = d->efc_KBIP + 4 * i;
  const mjtNum stiffness = kbip[0] * kbip[2];
  return (ContactRow){
      .kind = kind,
      .efc = i,
      .pos = d->efc_pos[i],
      .bound = d->efc_frictionloss[i],
      .compliance = stiffness > 0 ? d->efc_R[i] / (edges * stiffness) : 0,
      .dashpot = stiffness > 0 ? kbip[1] / stiffness : 0,
  };
}

// tangents of the contact whose normal is the last row
static void addTangents(const mjData* d, ContactRows* rows, int ntangent) {
  const int normal = rows->n - 1, i = rows->row[normal].efc;
  rows->row[normal].ntangent = ntangent;
  for (int k = 0; k < ntangent; k++) {
    rows->row[rows->n++] = (ContactRow){
        .kind = ROW_TANGENT, .efc = i, .normal = normal, .k = k, .mu = d->contact[d->efc_id[i]].friction[k]};
  }
}

static void listRows(const mjData* d, ContactRows* rows) {
  for (int i = 0; i < d->nefc;) {
    const int type = d->efc_type[i];
    const RowKind kind = type == mjCNSTR_EQUALITY                                          ? ROW_EQUALITY
                         : type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON ? ROW_FRICTION
                                                                                           : ROW_NORMAL;
    const int contact = type >= mjCNSTR_CONTACT_FRICTIONLESS;
    int ntangent = 0;
    const int size = contact ? contactSize(d, i, &ntangent) : 1;
    rows->row[rows->n++] = plainRow(d, kind, i, type == mjCNSTR_CONTACT_PYRAMIDAL ? size : 1);
    if (ntangent) addTangents(d, rows, ntangent);
    i += size;
  }
}

// the Jacobian of a row; that of a pyramid's directions from the two edges along them: J_n ± μ J_t
static void fillJacobian(const mjModel* m, const mjData* d, const ContactRow* row, mjtNum* J, mjtNum* scratch) {
  const int pyramid = d->efc_type[row->efc] == mjCNSTR_CONTACT_PYRAMIDAL, nv = (int)m->nv;
  if (!pyramid) {
    denseRow(m, d, row->efc + (row->kind == ROW_TANGENT ? row->k + 1 : 0), J);
    return;
  }
  const int edge = row->efc + (row->kind == ROW_TANGENT ? 2 * row->k : 0);
  const mjtNum sign = row->kind == ROW_TANGENT ? -1 : 1;
  const mjtNum scale = row->kind == ROW_TANGENT ? 1 / (2 * mth_max(mjMINMU, row->mu)) : 0.5;
  denseRow(m, d, edge, J);
  denseRow(m, d, edge + 1, scratch);
  for (int v = 0; v < nv; v++) J[v] = (J[v] + sign * scratch[v]) * scale;
}

// a row without the dofs that it does not have, in the same memory
static void pack(ContactRow* row, int nv, mjtNum* J, mjtNum* B, int* dof) {
  row->J = J;
  row->B = B;
  row->dof = dof;
  for (int v = 0; v < nv; v++) {
    if (J[v] == 0 && B[v] == 0) continue;
    J[row->nnz] = J[v];
    B[row->nnz] = B[v];
    dof[row->nnz++] = v;
  }
  row->w = mth_dot(J, B, row->nnz);
}

ContactRows phy_contactRows(const mjModel* m, mjData* d) {
  const size_t nv = (size_t)m->nv, most = (size_t)d->nefc;
  ContactRows rows = {0, mj_stackAllocByte(d, (most + 1) * sizeof(ContactRow), _Alignof(ContactRow))};
  listRows(d, &rows);
  mjtNum* J = mj_stackAllocNum(d, (size_t)rows.n * nv + 1);
  mjtNum* B = mj_stackAllocNum(d, (size_t)rows.n * nv + 1);
  mjtNum* scratch = mj_stackAllocNum(d, nv);
  for (int i = 0; i < rows.n; i++) fillJacobian(m, d, rows.row + i, J + (size_t)i * nv, scratch);
  if (rows.n) mj_solveM(m, d, B, J, rows.n);
  int* dof = mj_stackAllocInt(d, (size_t)rows.n * nv + 1);
  for (int i = 0; i < rows.n; i++) {
    const size_t at = (size_t)i * nv;
    pack(rows.row + i, (int)nv, J + at, B + at, dof + at);
  }
  return rows;
}

// forces of a contact's directions back to its rows
static void contactForce(mjData* d, const ContactRow* row) {
  const int i = row->efc, pyramid = d->efc_type[i] == mjCNSTR_CONTACT_PYRAMIDAL;
  if (!pyramid) {
    for (int k = 0; k <= row->ntangent; k++) d->efc_force[i + k] = row[k].force;
    return;
  }

  // each pair of edges carries its share of the normal force; their difference makes the tangential one
  for (int k = 0; k < row->ntangent; k++) {
    const ContactRow* tangent = row + 1 + k;
    const mjtNum share = row->force / (2 * row->ntangent), side = tangent->force / (2 * mth_max(mjMINMU, tangent->mu));
    d->efc_force[i + 2 * k] = share + side;
    d->efc_force[i + 2 * k + 1] = share - side;
  }
}

void phy_contactResult(const mjModel* m, mjData* d, const ContactRows* rows) {
  const int nv = (int)m->nv;
  mth_zero(d->qfrc_constraint, nv);
  mth_copy(d->qacc, d->qacc_smooth, nv);
  for (int i = 0; i < rows->n; i++) {
    const ContactRow* row = rows->row + i;
    mth_addToSclScatter(d->qfrc_constraint, row->J, row->force, row->nnz, row->dof);
    phy_rowPush(row, d->qacc, row->force);
    if (row->kind == ROW_NORMAL) {
      contactForce(d, row);
    } else if (row->kind != ROW_TANGENT) {
      d->efc_force[row->efc] = row->force;
    }
  }
  for (int i = 0; i < d->nefc; i++) {
    d->efc_state[i] = d->efc_force[i] != 0 ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_SATISFIED;
  }
}
