// The constraint-space inertia that dual solvers iterate on, and the reference acceleration.
//
// With M = LᵀDL and B = J L⁻¹ D^(−½), one row per constraint row:  A = J M⁻¹ Jᵀ = B Bᵀ, efc_AR = A + diag(R).
// Row i of B has the dofs of row i of J and their ancestors; rows of A couple where rows of B share a dof.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/share.h"
#include "base/stack.h"
#include "constraint/rows.h"
#include "constraint/stick.h"
#include "math/dense.h"
#include "math/simd/kernels.h"
#include "model/arena.h"

// rows of B, each with its dofs in increasing order
typedef struct {
  int* nnz;
  int* adr;
  int* dof;
  mjtNum* val;
} HalfRows;

//---------------------------------- B = J L⁻¹ D^(−½) ----------------------------------

// scratch for one row at a time
typedef struct {
  mjtNum* x;       // (nv) zeros between rows
  uint64_t* bits;  // (nv/64) dofs in the row, clear between rows
  mjtNum* scale;   // (nv) D^(−½)
} HalfScratch;

// 1: none of the row's dofs has ancestors, so that its values only have to be scaled
static int standsAlone(const mjModel* m, const mjData* d, int r) {
  const int* dof = d->efc_J_colind + d->efc_J_rowadr[r];
  for (int k = 0; k < d->efc_J_rownnz[r]; k++) {
    if (m->M_rownnz[dof[k]] != 1) return 0;
  }
  return 1;
}

// the row of B then; returns its number of dofs
static int scaleRow(const mjData* d, int r, const mjtNum* scale, int* dof, mjtNum* val) {
  const int adr = d->efc_J_rowadr[r], n = d->efc_J_rownnz[r];
  for (int k = 0; k < n; k++) {
    dof[k] = d->efc_J_colind[adr + k];
    val[k] = d->efc_J[adr + k] * scale[dof[k]];
  }
  return n;
}

// puts row r of J into the scratch
static void loadRow(const mjData* d, int r, HalfScratch* s) {
  for (int k = d->efc_J_rowadr[r]; k < d->efc_J_rowadr[r] + d->efc_J_rownnz[r]; k++) {
    const int j = d->efc_J_colind[k];
    s->x[j] = d->efc_J[k];
    s->bits[j >> 6] |= (uint64_t)1 << (j & 63);
  }
}

// x ← x L⁻¹, from the last dof down; every dof passes its share to its ancestors
static void eliminate(const mjModel* m, const mjData* d, HalfScratch* s) {
  for (int w = (m->nv - 1) >> 6; w >= 0; w--) {
    for (uint64_t left = s->bits[w]; left;) {
      const int bit = 63 - __builtin_clzll(left), j = 64 * w + bit;
      const int adr = m->M_rowadr[j], nnz = m->M_rownnz[j] - 1;
      for (int k = 0; k < nnz; k++) {
        const int c = m->M_colind[adr + k];
        s->bits[c >> 6] |= (uint64_t)1 << (c & 63);
        s->x[c] -= s->x[j] * d->qLD[adr + k];
      }
      left = s->bits[w] & (((uint64_t)1 << bit) - 1);
    }
  }
}

// writes the scaled row and clears the scratch; returns its number of dofs
static int emitRow(const mjModel* m, HalfScratch* s, int* dof, mjtNum* val) {
  int n = 0;
  for (int w = 0; w <= ((int)m->nv - 1) >> 6; w++) {
    for (uint64_t left = s->bits[w]; left; left &= left - 1) {
      const int j = 64 * w + __builtin_ctzll(left);
      dof[n] = j;
      val[n++] = s->x[j] * s->scale[j];
      s->x[j] = 0;
    }
    s->bits[w] = 0;
  }
  return n;
}

static HalfScratch scratchFor(const mjModel* m, mjData* d) {
  const int nv = (int)m->nv, words = (nv + 63) / 64;
  HalfScratch s = {mj_stackAllocNum(d, nv), mj_stackAllocByte(d, sizeof(uint64_t) * words, 8), mj_stackAllocNum(d, nv)};
  mth_zero(s.x, nv);
  memset(s.bits, 0, sizeof(uint64_t) * words);
  for (int i = 0; i < nv; i++) s.scale[i] = 1 / sqrt(d->qLD[m->M_rowadr[i] + m->M_rownnz[i] - 1]);
  return s;
}

//---------------------------------- dense A = B Bᵀ ----------------------------------

static int denseProduct(const mjModel* m, mjData* d) {
  const int n = d->nefc, nv = (int)m->nv;
  d->nA = n * n;
  d->efc_AR = mj_arenaAllocByte(d, sizeof(mjtNum) * (size_t)d->nA, _Alignof(mjtNum));
  if (!d->efc_AR) return 0;

  // columns of B as rows: all rows of J are eliminated together, dof by dof
  mjtNum* BT = mj_stackAllocNum(d, (size_t)n * nv);
  mju_transpose(BT, d->efc_J, n, nv);
  for (int j = nv - 1; j >= 0; j--) {
    const int adr = m->M_rowadr[j], nnz = m->M_rownnz[j] - 1;
    mjtNum* row = BT + (size_t)j * n;
    for (int k = adr; k < adr + nnz; k++) mth_addToScl(BT + (size_t)m->M_colind[k] * n, row, -d->qLD[k], n);
    mth_scl(row, row, 1 / sqrt(d->qLD[adr + nnz]), n);
  }
  mth_sqrMatTDLower(d->efc_AR, BT, NULL, nv, n);
  mth_mirrorLower(d->efc_AR, n);
  for (int i = 0; i < n; i++) d->efc_AR[i * (n + 1)] += d->efc_R[i];
  return 1;
}

//---------------------------------- sparse A = B Bᵀ ----------------------------------

// dofs of all trees that row r reaches: as many as a row of B can have
static int treeDofs(const mjModel* m, const mjData* d, int r) {
  int total = 0, previous = -1;
  for (int k = 0; k < d->efc_J_rownnz[r]; k++) {
    const int tree = m->dof_treeid[d->efc_J_colind[d->efc_J_rowadr[r] + k]];
    if (tree != previous) total += m->tree_dofnum[tree];
    previous = tree;
  }
  return total;
}

static HalfRows halfRows(const mjModel* m, mjData* d) {
  HalfScratch s = scratchFor(m, d);
  size_t bound = 0;
  for (int r = 0; r < d->nefc; r++) bound += (size_t)treeDofs(m, d, r);
  HalfRows B = {mj_stackAllocInt(d, d->nefc), mj_stackAllocInt(d, d->nefc), mj_stackAllocInt(d, bound),
                mj_stackAllocNum(d, bound)};
  int total = 0;
  for (int r = 0; r < d->nefc; r++) {
    B.adr[r] = total;
    if (standsAlone(m, d, r)) {
      B.nnz[r] = scaleRow(d, r, s.scale, B.dof + total, B.val + total);
    } else {
      loadRow(d, r, &s);
      eliminate(m, d, &s);
      B.nnz[r] = emitRow(m, &s, B.dof + total, B.val + total);
    }
    total += B.nnz[r];
  }
  return B;
}

// per dof, the rows of B that have it, as bits
static uint64_t* rowsOfDof(const mjModel* m, mjData* d, const HalfRows* B, int words) {
  uint64_t* rows = mj_stackAllocByte(d, sizeof(uint64_t) * (size_t)words * m->nv, 8);
  memset(rows, 0, sizeof(uint64_t) * (size_t)words * m->nv);
  for (int r = 0; r < d->nefc; r++) {
    for (int k = 0; k < B->nnz[r]; k++) {
      rows[(size_t)words * B->dof[B->adr[r] + k] + (r >> 6)] |= (uint64_t)1 << (r & 63);
    }
  }
  return rows;
}

// structure of A: row i couples to the rows that share a dof with it, as bits
static int couplings(const mjData* d, const HalfRows* B, const uint64_t* rows, int words, uint64_t* hit) {
  int total = 0;
  for (int i = 0; i < d->nefc; i++, hit += words) {
    d->efc_AR_rowadr[i] = total;
    for (int w = 0; w < words; w++) {
      const uint64_t* source = rows + w;
      const int* dof = B->dof + B->adr[i];
      uint64_t all = 0;
      for (int k = 0; k < B->nnz[i]; k++) all |= source[(size_t)words * dof[k]];
      hit[w] = all;
      total += __builtin_popcountll(all);
    }
    d->efc_AR_rownnz[i] = total - d->efc_AR_rowadr[i];
  }
  return total;
}

// the bits as columns
static void listCouplings(const mjData* d, const uint64_t* hit, int words) {
  int* colind = d->efc_AR_colind;
  for (int i = 0; i < d->nefc; i++) {
    for (int w = 0; w < words; w++) {
      for (uint64_t left = *hit++; left; left &= left - 1) *colind++ = 64 * w + __builtin_ctzll(left);
    }
  }
}

// values: the lower triangle, mirrored as it is found; next[] is where each row's next upper entry goes
static void fillProduct(const mjModel* m, mjData* d, const HalfRows* B) {
  int* next = mj_stackAllocInt(d, d->nefc);
  mjtNum* x = mj_stackAllocNum(d, m->nv);
  mth_zero(x, (int)m->nv);
  for (int i = 0; i < d->nefc; i++) next[i] = d->efc_AR_rowadr[i];
  for (int i = 0; i < d->nefc; i++) {
    const int adr = B->adr[i], nnz = B->nnz[i];
    mth_scatter(x, B->val + adr, B->dof + adr, nnz);
    for (int k = d->efc_AR_rowadr[i]; k < d->efc_AR_rowadr[i] + d->efc_AR_rownnz[i]; k++) {
      const int j = d->efc_AR_colind[k];
      if (j > i) break;
      const mjtNum value = mth_dotSparse(B->val + B->adr[j], x, B->nnz[j], B->dof + B->adr[j]);
      d->efc_AR[k] = j == i ? value + d->efc_R[i] : value;
      if (j < i) {
        d->efc_AR[next[j]++] = value;
      } else {
        next[i] = k + 1;
      }
    }
    for (int k = 0; k < nnz; k++) x[B->dof[adr + k]] = 0;
  }
}

static int sparseProduct(const mjModel* m, mjData* d) {
  const HalfRows B = halfRows(m, d);
  const int n = d->nefc, words = (n + 63) / 64;
  uint64_t* rows = rowsOfDof(m, d, &B, words);
  uint64_t* hit = mj_stackAllocByte(d, sizeof(uint64_t) * (size_t)words * (size_t)n, 8);

  // structure
  d->efc_AR_rownnz = mj_arenaAllocByte(d, sizeof(int) * (size_t)n, _Alignof(int));
  d->efc_AR_rowadr = mj_arenaAllocByte(d, sizeof(int) * (size_t)n, _Alignof(int));
  if (!d->efc_AR_rownnz || !d->efc_AR_rowadr) return 0;
  d->nA = couplings(d, &B, rows, words, hit);
  d->efc_AR = mj_arenaAllocByte(d, sizeof(mjtNum) * (size_t)d->nA, _Alignof(mjtNum));
  int* colind = mj_arenaAllocByte(d, sizeof(int) * (size_t)d->nA, _Alignof(int));
  if (!d->efc_AR || !colind) return 0;
  d->efc_AR_colind = colind;
  listCouplings(d, hit, words);
  fillProduct(m, d, &B);
  return 1;
}

void mj_projectConstraint(const mjModel* m, mjData* d) {
  if (d->nefc == 0 || !mj_isDual(m)) return;
  mj_markStack(d);
  const int done = mj_isSparse(m) ? sparseProduct(m, d) : denseProduct(m, d);
  mj_freeStack(d);

  // no room: no constraints in this step
  if (!done) {
    mj_warning(d, mjWARN_CNSTRFULL, (int)d->narena);
    mdl_resetRows(d);
  }
}

//---------------------------------- reference acceleration ----------------------------------

// rows in parts
typedef struct {
  const mjModel* m;
  mjData* d;
  int n;
} RowParts;

static BAS_DIRECT void referencePart(void* arg, int piece) {
  const RowParts* parts = arg;
  mjData* d = parts->d;
  const BasPart rows = con_rowPart(parts->m, d, parts->n, piece);
  con_mulJac(parts->m, d, d->efc_vel, d->qvel, rows);
  for (int i = rows.begin; i < rows.end; i++) {
    const mjtNum* KBIP = d->efc_KBIP + 4 * i;
    d->efc_aref[i] = -KBIP[1] * d->efc_vel[i] - KBIP[0] * KBIP[2] * (d->efc_pos[i] - d->efc_margin[i]);
  }
}

void mj_referenceConstraint(const mjModel* m, mjData* d) {
  if (!d->nefc) return;
  RowParts parts = {m, d, bas_parts(d, d->nefc, 2 * CON_PART)};
  bas_share(d, NULL, referencePart, &parts, parts.n);
  con_stickReference(m, d);
}
