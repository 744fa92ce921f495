// Constraint rows: the driver that counts, allocates and fills them, and the writer of single constraints.
//
// Rows come as equality, friction loss, limit, contact: ne, nf and nl in mjData say how many of each. A row is the
// gradient of a scalar residual r(q) with respect to the velocities: efc_J, with the residual itself in efc_pos.
#include "constraint/rows.h"

#include <limits.h>
#include <mujoco/mjxmacro.h>
#include <string.h>

#include "base/share.h"
#include "base/stack.h"
#include "model/arena.h"
#include "math/simd/kernels.h"
#include "math/vec.h"
#include "base/assert.h"
#include "constraint/stick.h"
#include "physics/stick.h"

//---------------------------------- row writer ----------------------------------

ConRows con_open(ConBuild* b, int nrow, int ncol) {
  const mjData* d = b->d;
  BAS_ASSERT(nrow > 0 && ncol >= 0);
  ConRows r = {.nrow = nrow, .ncol = ncol, .sparse = b->sparse};
  if (b->sparse) {
    r.stride = ncol;
    r.dof = d->efc_J_colind + b->nJ;
    r.J = d->efc_J + b->nJ;
  } else {
    const int nv = b->m->nv;
    r.stride = nv;
    r.dof = b->column;
    BAS_ASSERT((b->nefc + nrow) * nv <= d->nJ);
    r.J = d->efc_J + (size_t)b->nefc * nv;
    memset(r.J, 0, sizeof(mjtNum) * (size_t)nrow * nv);
  }
  return r;
}

// 1: all values of dense rows are zero
static int isEmpty(const ConRows* r) {
  const size_t n = (size_t)r->nrow * r->stride;
  for (size_t i = 0; i < n; i++) {
    if (r->J[i]) return 0;
  }
  return 1;
}

// structure of sparse rows: the first row's columns serve all
static void closeSparse(const ConBuild* b, const ConRows* r) {
  mjData* d = b->d;
  const int adr = (int)(r->J - d->efc_J);
  for (int i = 0; i < r->nrow; i++) {
    const int row = b->nefc + i;
    d->efc_J_rownnz[row] = r->ncol;
    d->efc_J_rowadr[row] = adr + i * r->ncol;
    if (i) memcpy(r->dof + (size_t)i * r->ncol, r->dof, sizeof(int) * (size_t)r->ncol);
  }
}

int con_close(ConBuild* b, const ConRows* r, const ConWhat* what) {
  mjData* d = b->d;
  const int contact = what->type >= mjCNSTR_CONTACT_FRICTIONLESS;
  BAS_ASSERT(!b->sparse || bas_isIncreasing(r->dof, r->ncol, 0, (int)b->m->nv));
  BAS_ASSERT(!b->sparse || b->nJ + r->nrow * r->ncol <= d->nJ);
  BAS_ASSERT(what->id >= 0);

  // a constraint that no dof can change is left out
  if (!contact && (b->sparse ? r->ncol == 0 : isEmpty(r))) return 0;
  if (b->sparse) closeSparse(b, r);

  // residual and identity
  for (int i = 0; i < r->nrow; i++) {
    const int row = b->nefc + i;
    d->efc_pos[row] = what->pos ? what->pos[i] : 0;
    d->efc_margin[row] = what->margin ? what->margin[i] : 0;
    d->efc_frictionloss[row] = what->frictionloss;
    d->efc_type[row] = what->type;
    d->efc_id[row] = what->id;
  }

  // totals
  b->nefc += r->nrow;
  if (b->sparse) b->nJ += r->nrow * r->ncol;
  return 1;
}

ConParts con_parts(const ConBuild* b, int n, int least) {
  ConParts parts = {.n = bas_parts(b->d, n, least)};
  parts.rows = mj_stackAllocInt(b->d, 2 * (size_t)parts.n);
  parts.nJ = parts.rows + parts.n;
  return parts;
}

int con_gradRow(ConBuild* b, ConGrad g, mjtNum scale, const ConWhat* what) {
  const ConRows r = con_open(b, 1, g.n);
  for (int k = 0; k < g.n; k++) {
    r.dof[k] = con_gradDof(&g, k);
    *con_at(&r, 0, k) = scale * g.value[k];
  }
  return con_close(b, &r, what);
}

//---------------------------------- memory ----------------------------------

// row arrays in the arena behind the contacts; 0 when they do not fit, and then there are no rows
static int allocateRows(const mjModel* m, mjData* d) {
#undef MJ_M
#define MJ_M(n) m->n
#undef MJ_D
#define MJ_D(n) d->n
  MdlPlaces places = mdl_places(d);
#define X(type, name, nr, nc) MDL_PLACE(&places, type, nr, nc);
  MJDATA_ARENA_POINTERS_SOLVER
#undef X
  if (!mdl_reserve(d, &places)) return 0;
#define X(type, name, nr, nc) d->name = MDL_PLACE(&places, type, nr, nc);
  MJDATA_ARENA_POINTERS_SOLVER
#undef X
#undef MJ_M
#define MJ_M(n) n
#undef MJ_D
#define MJ_D(n) n
  return 1;
}

//---------------------------------- driver ----------------------------------

// length of the chain that ends at each dof
static void chainDepths(const mjModel* m, int* depth) {
  for (int i = 0; i < m->nv; i++) {
    const int parent = m->dof_parentid[i];
    depth[i] = parent < 0 ? 1 : depth[parent] + 1;
  }
}

// 1: sparse rows r and r + 1 have the same columns
static int sameColumns(const mjData* d, int r) {
  const int n = d->efc_J_rownnz[r];
  if (n != d->efc_J_rownnz[r + 1]) return 0;
  const int *a = d->efc_J_colind + d->efc_J_rowadr[r], *b = d->efc_J_colind + d->efc_J_rowadr[r + 1];
  return !n || (a[0] == b[0] && a[n - 1] == b[n - 1] && !memcmp(a, b, sizeof(int) * (size_t)n));
}

// rows in parts
typedef struct {
  const mjModel* m;
  mjData* d;
  int n;
} RowParts;

// marks the rows of one part that have the columns of the next row
static void samePart(void* arg, int piece) {
  const RowParts* parts = arg;
  const mjModel* m = parts->m;
  mjData* d = parts->d;
  const BasPart part = bas_part(d->nefc - 1, parts->n, piece);
  for (int r = part.begin; r < part.end; r++) {
    // rows of one constraint share their columns, except in a flex
    const int type = d->efc_type[r], id = d->efc_id[r];
    const int one = type == d->efc_type[r + 1] && id == d->efc_id[r + 1] &&
                    !(type == mjCNSTR_EQUALITY && m->eq_type[id] >= mjEQ_FLEX);
    d->efc_J_rowsuper[r] = one || sameColumns(d, r);
  }
}

void con_countSame(int* same, int n) {
  same[n - 1] = 0;
  for (int r = n - 2; r >= 0; r--) same[r] = same[r] ? same[r + 1] + 1 : 0;
}

// efc_J_rowsuper[r]: how many of the following rows have the columns of row r
static void superRows(const mjModel* m, mjData* d) {
  RowParts parts = {m, d, bas_parts(d, d->nefc, CON_PART)};
  bas_share(d, NULL, samePart, &parts, parts.n);
  con_countSame(d->efc_J_rowsuper, d->nefc);
}

// counts, allocates and fills; 0 when there was no room
static int buildRows(ConBuild* b) {
  const mjModel* m = b->m;
  mjData* d = b->d;
  if (b->sparse && (d->ncon || m->neq)) chainDepths(m, b->depth);

  // upper bound on the rows; exact when they are sparse
  int nJ = 0;
  int nefc = con_countEquality(b, &nJ);
  nefc += con_countFriction(b, &nJ);
  nefc += con_countLimit(b, &nJ);
  nefc += con_countContact(b, &nJ);
  d->nJ = b->sparse ? nJ : nefc * m->nv;
  d->nefc = nefc;
  if (!nefc && !d->ncon && !m->ntendon) return 1;
  if (!allocateRows(m, d)) return 0;
  for (int i = 0; i < m->ntendon; i++) d->tendon_efcadr[i] = -1;

  // rows of every kind
  con_equalityRows(b);
  d->ne = b->nefc;
  con_frictionRows(b);
  d->nf = b->nefc - d->ne;
  con_limitRows(b);
  d->nl = b->nefc - d->ne - d->nf;
  con_contactRows(b);
  d->nefc = b->nefc;
  if (d->nefc > nefc || (b->sparse && (d->nefc != nefc || b->nJ != nJ))) {
    mju_error("mj_makeConstraint: counted %d rows and %d nonzeros, wrote %d rows", nefc, nJ, d->nefc);
  }
  return 1;
}

void mj_makeConstraint(const mjModel* m, mjData* d) {
  d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nA = 0;
  MdlAnchors* const stick = phy_stick(m, d);
  if (stick) stick->npending = 0;
  if (m->opt.disableflags & mjDSBL_CONSTRAINT) return;

  // rows, in the place of the last ones
  d->parena = (size_t)d->ncon * sizeof(mjContact);
  mj_markStack(d);
  ConBuild b = {.m = m, .d = d, .sparse = mj_isSparse(m)};
  b.filter = (m->opt.enableflags & mjENBL_SLEEP) && d->ntree_awake < m->ntree;
  b.column = mj_stackAllocInt(d, 6 * (size_t)m->nv + 1);
  b.list = b.column + m->nv;
  b.depth = b.list + 4 * (size_t)m->nv;
  b.columns = con_columns();
  const int done = buildRows(&b);
  mj_freeStack(d);
  if (!done) return;

  // statistics of memory use
  d->maxuse_con = mth_maxInt(d->maxuse_con, d->ncon);
  d->maxuse_efc = mth_maxInt(d->maxuse_efc, d->nefc);
  if (!d->nefc) return;

  // structure and parameters
  if (b.sparse) superRows(m, d);
  BAS_CHECK(con_assertRows(m, d));
  con_impedance(m, d);
  if (stick) con_stickRows(m, d);
}

//---------------------------------- queries and products ----------------------------------

int mj_isPyramidal(const mjModel* m) {
  return m->opt.cone == mjCONE_PYRAMIDAL;
}

int mj_isSparse(const mjModel* m) {
  return m->opt.jacobian == mjJAC_SPARSE || (m->opt.jacobian == mjJAC_AUTO && m->nv >= 60);
}

int mj_isDual(const mjModel* m) {
  return m->opt.solver == mjSOL_PGS || m->opt.noslip_iterations > 0;
}

void con_mulJac(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec, BasPart rows) {
  if (!mj_isSparse(m)) {
    const int n = rows.end - rows.begin;
    mth_mulMatVec(res + rows.begin, d->efc_J + (size_t)rows.begin * m->nv, vec, n, m->nv);
    return;
  }

  // rows with the same columns see the same part of the vector
  mjtNum part[64];
  for (int r = rows.begin; r < rows.end;) {
    const int adr = d->efc_J_rowadr[r], nnz = d->efc_J_rownnz[r], n = d->efc_J_rowsuper[r] + 1;
    const int* ind = d->efc_J_colind + adr;
    if (n < 3 || nnz > 64) {
      res[r++] = mth_dotSparse(d->efc_J + adr, vec, nnz, ind);
      continue;
    }
    mth_gather(part, vec, ind, nnz);
    for (int i = 0; i < n; i++, r++) res[r] = mth_dot(d->efc_J + d->efc_J_rowadr[r], part, nnz);
  }
}

BasPart con_rowPart(const mjModel* m, const mjData* d, int n, int piece) {
  BasPart part = bas_part(d->nefc, n, piece);
  if (!mj_isSparse(m)) return part;
  while (part.begin > 0 && part.begin < d->nefc && d->efc_J_rowsuper[part.begin - 1]) part.begin++;
  while (part.end < d->nefc && d->efc_J_rowsuper[part.end - 1]) part.end++;
  return part;
}

void mj_mulJacVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  if (d->nefc) con_mulJac(m, d, res, vec, (BasPart){0, d->nefc});
}

void mj_mulJacTVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  if (!d->nefc) return;
  if (!mj_isSparse(m)) {
    mth_mulMatTVec(res, d->efc_J, vec, d->nefc, m->nv);
    return;
  }
  mth_zero(res, m->nv);
  for (int r = 0; r < d->nefc; r++) {
    const int adr = d->efc_J_rowadr[r];
    if (vec[r]) mth_addToSclScatter(res, d->efc_J + adr, vec[r], d->efc_J_rownnz[r], d->efc_J_colind + adr);
  }
}
