// Writing constraint rows in place.
//
// A stage of the row builder opens rows at the end of efc_J, writes columns and values where they stay, and closes
// them:
//   ConRows r = con_open(b, nrow, ncol);   r.dof[k], con_at(&r, row, k) = …   con_close(b, &r, &what);
// Sparse rows of one constraint share their columns; dense rows are nv wide and start as zeros. Everything has been
// counted before (con_count…), so there is always room.
#pragma once

#include <mujoco/mujoco.h>

#include "base/share.h"
#include "constraint/columns.h"
#include "sleep/sleep.h"

// constraints of one kind in parts for threads
typedef struct {
  int n;
  int *rows, *nJ;  // (n) how many of both each part adds
} ConParts;

// what the builder carries from one constraint to the next
typedef struct {
  const mjModel* m;
  mjData* d;
  int sparse;   // 1: rows hold only the dofs of their chain
  int filter;   // 1: some trees sleep, their constraints are left out
  int* depth;   // (nv) number of dofs in the chain that ends at each dof; sparse only
  int* column;  // (nv) columns of the open rows when they are dense
  int* list;    // (4·nv) scratch of contacts
  ConColumnsFn columns;
  int nefc, nJ;     // rows written so far, and the nonzeros of sparse ones
  SlpRange joints;  // those that may have limits
  ConParts limits, contacts;
} ConBuild;

// items of which a part of rows or islands should have this many to be worth a thread
enum { CON_PART = 64 };

// open rows: nrow of them, ncol columns each
typedef struct {
  int nrow, ncol;
  int sparse;
  int stride;  // from one row to the next
  int* dof;    // (ncol) dof of each column, increasing; to be filled by the caller
  mjtNum* J;   // first row
} ConRows;

// what the rows stand for
typedef struct {
  mjtConstraint type;
  int id;
  const mjtNum* pos;     // (nrow) NULL: zeros
  const mjtNum* margin;  // (nrow) NULL: zeros
  mjtNum frictionloss;
} ConWhat;

// place of column k of an open row; dof[k] must be set before
static inline mjtNum* con_at(const ConRows* r, int row, int k) {
  return r->J + (size_t)row * r->stride + (r->sparse ? k : r->dof[k]);
}

// rows at the end of efc_J
ConRows con_open(ConBuild* b, int nrow, int ncol);

// keeps the rows, unless they are empty and no contact; returns 1 when kept
int con_close(ConBuild* b, const ConRows* r, const ConWhat* what);

// gradient of a scalar: values for n increasing dofs
typedef struct {
  int n;
  const int* dof;  // NULL: dofs 0 to n - 1
  const mjtNum* value;
} ConGrad;

static inline int con_gradDof(const ConGrad* g, int k) {
  return g->dof ? g->dof[k] : k;
}

// gradient of a tendon's length, as sparse as the model's rows are
static inline ConGrad con_tendonGrad(const ConBuild* b, int tendon) {
  const mjData* d = b->d;
  if (!b->sparse) return (ConGrad){(int)b->m->nv, NULL, d->ten_J + (size_t)tendon * b->m->nv};
  const int adr = d->ten_J_rowadr[tendon];
  return (ConGrad){d->ten_J_rownnz[tendon], d->ten_J_colind + adr, d->ten_J + adr};
}

// a single row: a gradient times scale
int con_gradRow(ConBuild* b, ConGrad g, mjtNum scale, const ConWhat* what);

// one stage per kind of constraint, in the order of the rows
void con_equalityRows(ConBuild* b);
void con_frictionRows(ConBuild* b);
void con_limitRows(ConBuild* b);
void con_contactRows(ConBuild* b);

// numbers of rows that these stages will write at most; adds the nonzeros of sparse rows to nJ
int con_countEquality(const ConBuild* b, int* nJ);
int con_countFriction(const ConBuild* b, int* nJ);
int con_countLimit(ConBuild* b, int* nJ);
int con_countContact(ConBuild* b, int* nJ);

// parts of n constraints of which `least` make one, on the stack
ConParts con_parts(const ConBuild* b, int n, int least);

// distance to the rotation limit of a ball joint; axis is the unit direction that increases the angle
mjtNum con_ballLimit(const mjModel* m, const mjData* d, int jnt, mjtNum axis[3]);

// As mj_island, but only as much as the solver reads, whose results are all that anybody wants: PGS reads nothing, and
// a single tree needs no regrouped arrays. The rows must be new: those of islands are not there.
void con_islandSizes(const mjModel* m, mjData* d);

// invariants of rows and islands that have just been made (base/assert.h)
void con_assertRows(const mjModel* m, const mjData* d);
void con_assertIslands(const mjModel* m, const mjData* d);

// part `piece` of n of the rows, cut where neighbours have other columns; res = J·vec for some rows, cut like that
BasPart con_rowPart(const mjModel* m, const mjData* d, int n, int piece);
void con_mulJac(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec, BasPart rows);

// from 1 where a row has the columns of the next, to how many of the following rows have them
void con_countSame(int* same, int n);

// efc_diagApprox, efc_KBIP, efc_R, efc_D and the contacts' mu
void con_impedance(const mjModel* m, mjData* d);

// stiffness that the solver parameters of the contact with this row give its friction rows, if they are to have any
mjtNum con_frictionStiffness(const mjModel* m, const mjData* d, int row);

// forces on bodies from outside, cfrc_ext: the first part of mj_rnePostConstraint (force.c)
void con_externalForces(const mjModel* m, mjData* d);
