// Lists of contacts and constraint rows that a caller has asked for (sn_batchList), in the order of the CPU. Their
// places in the workspace are others: contacts come by kinds of pairs there, and their rows with them.
#pragma once

#include <mujoco/mjdata.h>

#include "cuda/late.h"

// a number of a list, where the list has room for it
CU_FN void cu_put(const Cu* c, const CudTable* t, int row, int column, Real x) {
  if (row >= t->capacity) return;
  const int64_t at = ((int64_t)c->sim * t->capacity + row) * t->columns + column;
  if (t->integer) {
    ((int*)t->data)[at] = (int)x;
  } else {
    ((Real*)t->data)[at] = x;
  }
}

//---------------------------------- contacts ----------------------------------

#if CU_FAR

// element or vertex of a side of a contact that is a flex, -1: none
CU_FN Real cu_partOf(int body, int vertex) {
  const int part = -2 - body;
  return body < 0 && part % 2 == vertex ? (Real)(part / 2) : R_(-1);
}

#endif

// a number of the contact at a place
CU_FN Real cu_contactValue(const Cu* c, const Real* con, int what, int k) {
  const CudModel* m = c->m;
  const int p = (int)con[CUD_PARAM], pair = (int)con[CUD_PAIR], acts = con[CUD_FIRSTROW] >= 0 && c->nrow;
  Real third[3];
  switch (what) {
    case CUD_LIST_dist:
      return con[CUD_DIST];
    case CUD_LIST_pos:
      return con[CUD_POS + k];
    case CUD_LIST_frame:
      cu_cross3(third, con + CUD_NORMAL, con + CUD_NORMAL + 3);
      return k < 6 ? con[CUD_NORMAL + k] : third[k - 6];
    case CUD_LIST_includemargin:
      return m->param_include[p];
    case CUD_LIST_friction:
      return m->param_friction[5 * p + k];
    case CUD_LIST_solref:
      return m->param_solref[2 * p + k];
    case CUD_LIST_solreffriction:
      return m->param_solreffriction[2 * p + k];
    case CUD_LIST_solimp:
      return m->param_solimp[5 * p + k];
    case CUD_LIST_mu:
      return acts && con[CUD_DIM] > 1 ? cu_mu(m, p) : R_(0);
    case CUD_LIST_dim:
      return con[CUD_DIM];
    case CUD_LIST_geom:
      return CU_FAR && con[CUD_BODY + k] < 0 ? R_(-1) : (Real)m->pair_geom[2 * pair + k];
#if CU_FAR
    case CUD_LIST_flex:
      return con[CUD_BODY + k] < 0 ? (Real)m->pair_geom[2 * pair + k] : R_(-1);
    case CUD_LIST_elem:
    case CUD_LIST_vert:
      return cu_partOf((int)con[CUD_BODY + k], what == CUD_LIST_vert);
#endif
    case CUD_LIST_exclude:
      return acts ? R_(0) : R_(1);
    case CUD_LIST_efc_address:
      return acts ? (Real)(c->nrow - c->ncontactrow) + con[CUD_CPUROW] : R_(-1);
    default:  // flex, elem, vert
      return -1;
  }
}

//---------------------------------- rows ----------------------------------

// what a row is: mjtConstraint, and the id of the joint, tendon, dof, equality constraint or contact
typedef struct {
  int type, id;
} CuOf;

CU_FN CuOf cu_of(int type, int id) {
  const CuOf of = {type, id};
  return of;
}

// of a row before those of contacts
CU_FN CuOf cu_rowOf(const Cu* c, int r) {
  const CudModel* m = c->m;
  const int of = (int)*cu_row(c, CUD_OF, r);
  if (r < c->ne) return cu_of(mjCNSTR_EQUALITY, of);
  if (r < c->ne + c->nf) {
    if (of < m->nv) return cu_of(mjCNSTR_FRICTION_DOF, of);
    return cu_of(mjCNSTR_FRICTION_TENDON, of - m->nv);
  }
  if (of < m->njnt) return cu_of(mjCNSTR_LIMIT_JOINT, of);
  return cu_of(mjCNSTR_LIMIT_TENDON, of - m->njnt);
}

// mjtConstraintState of a row; all rows of a cone have that of the cone
CU_FN int cu_stateOf(const Cu* c, int r) {
  const int kind = cu_kind(c, r);
  if (kind >= CUD_CONE) {
    while (cu_kind(c, r) == CUD_CONE_PART) r--;
    const int zone = cu_zoneOf(c, r);
    return zone == CU_TOP ? mjCNSTRSTATE_SATISFIED : zone == CU_BOTTOM ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_CONE;
  }
  if (*cu_row(c, CUD_ACTIVE, r) != 0) return mjCNSTRSTATE_QUADRATIC;
  if (kind != CUD_DRY) return mjCNSTRSTATE_SATISFIED;
  return *cu_row(c, CUD_FRC, r) > 0 ? mjCNSTRSTATE_LINEARNEG : mjCNSTRSTATE_LINEARPOS;
}

CU_FN Real cu_rowValue(const Cu* c, int r, CuOf of, int what) {
  switch (what) {
    case CUD_LIST_efc_type:
      return (Real)of.type;
    case CUD_LIST_efc_id:
      return (Real)of.id;
    case CUD_LIST_efc_state:
      return (Real)cu_stateOf(c, r);
    case CUD_LIST_efc_frictionloss:
      return *cu_row(c, CUD_LOSS, r);
    case CUD_LIST_efc_D:
      return *cu_row(c, CUD_D, r);
    case CUD_LIST_efc_R:
      return 1 / *cu_row(c, CUD_D, r);
    case CUD_LIST_efc_aref:
      return *cu_row(c, CUD_AREF, r);
    case CUD_LIST_efc_vel:
      return cu_mulRow(c, r, CU_W(c, qvel));
    case CUD_LIST_efc_b:
      return cu_mulRow(c, r, CU_W(c, qacc_smooth)) - *cu_row(c, CUD_AREF, r);
    default:
      return *cu_row(c, CUD_FRC, r);
  }
}

// row r of the workspace is row `to` of the CPU; a Jacobian is a list of its numbers
CU_FN void cu_putRow(const Cu* c, const CudTable* t, int to, int r, CuOf of) {
  const int nv = c->m->nv;
  if (t->what != CUD_LIST_efc_J) {
    cu_put(c, t, to, 0, cu_rowValue(c, r, of, t->what));
    return;
  }
  for (int i = 0; i < nv; i++) cu_put(c, t, to * nv + i, 0, cu_J(c, r)[i]);
}

CU_FN void cu_putContactRows(const Cu* c, const CudTable* t, int i) {
  const Real* con = cu_kept(c, i);
  if (con[CUD_FIRSTROW] < 0 || !c->nrow) return;
  const int dim = (int)con[CUD_DIM], first = c->nrow - c->ncontactrow, cone = c->m->cone == mjCONE_ELLIPTIC;
  const int type =
      dim == 1 ? mjCNSTR_CONTACT_FRICTIONLESS : (cone ? mjCNSTR_CONTACT_ELLIPTIC : mjCNSTR_CONTACT_PYRAMIDAL);
  for (int k = 0; k < cu_rowsOf(c->m, dim); k++) {
    cu_putRow(c, t, first + (int)con[CUD_CPUROW] + k, first + (int)con[CUD_FIRSTROW] + k, cu_of(type, i));
  }
}

//---------------------------------- all of them ----------------------------------

// after the solver, while rows are there; behind what a list has come zeros
CU_CALL void cu_writeLists(const Cu* c) {
  CU_LOOP for (int k = 0; k < c->t->ntable; k++) {
    const CudTable* t = c->t->table + k;
    CU_FOR(i, t->capacity * t->columns) cu_put(c, t, i / t->columns, i % t->columns, 0);
    cu_sync();
    if (t->what < CUD_LIST_efc_type) {
      CU_FOR(i, c->ncon * t->columns) {
        const int at = i / t->columns, column = i % t->columns;
        cu_put(c, t, at, column, cu_contactValue(c, cu_kept(c, at), t->what, column));
      }
    } else {
      CU_FOR(r, c->nrow - c->ncontactrow) cu_putRow(c, t, r, r, cu_rowOf(c, r));
      CU_FOR(i, c->ncon) cu_putContactRows(c, t, i);
    }
    cu_sync();
  }
}
