// The constraint-space inertia that dual solvers iterate on, and the reference acceleration.
//
// With M = LᵀDL and B = J L⁻¹ D^(−½), one row per constraint row:  A = J M⁻¹ Jᵀ = B Bᵀ, efc_AR = A + diag(R).
// Row i of B has the dofs of row i of J and their ancestors; rows of A couple where rows of B share a dof.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/stack.h"
#include "constraint/rows.h"
#include "math/simd/kernels.h"

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

// puts row r of J into the scratch
static void loadRow(const mjModel* m, const mjData* d, int r, HalfScratch* s) {
  const int sparse = mj_isSparse(m);
  const int n = sparse ? d->efc_J_rownnz[r] : m->nv;
  const mjtNum* J = d->efc_J + (sparse ? (size_t)d->efc_J_rowadr[r] : (size_t)r * m->nv);
  const int* ind = sparse ? d->efc_J_colind + d->efc_J_rowadr[r] : NULL;
  for (int k = 0; k < n; k++) {
    const int j = ind ? ind[k] : k;
    if (!ind && !J[k]) continue;
    s->x[j] = J[k];
    s->bits[j >> 6] |= (uint64_t)1 << (j & 63);
  }
}

// x ← x L⁻¹, from the last dof down; every dof passes its share to its ancestors
static int eliminate(const mjModel* m, const mjData* d, HalfScratch* s) {
  int n = 0;
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
      n++;
    }
  }
  return n;
}

// writes the scaled row and clears the scratch
static void emitRow(const mjModel* m, HalfScratch* s, int* dof, mjtNum* val) {
  for (int w = 0; w <= (m->nv - 1) >> 6; w++) {
    for (uint64_t left = s->bits[w]; left; left &= left - 1) {
      const int j = 64 * w + __builtin_ctzll(left);
      *dof++ = j;
      *val++ = s->x[j] * s->scale[j];
      s->x[j] = 0;
    }
    s->bits[w] = 0;
  }
}

// all rows; the dof and value arrays have room for nefc·nv at most, and are cut from the stack as they grow
static HalfRows halfRows(const mjModel* m, mjData* d) {
  const int nv = m->nv, words = (nv + 63) / 64;
  HalfScratch s = {mj_stackAllocNum(d, nv), mj_stackAllocByte(d, sizeof(uint64_t) * words, 8), mj_stackAllocNum(d, nv)};
  mth_zero(s.x, nv);
  memset(s.bits, 0, sizeof(uint64_t) * words);
  for (int i = 0; i < nv; i++) s.scale[i] = 1 / sqrt(d->qLD[m->M_rowadr[i] + m->M_rownnz[i] - 1]);

  // sizes first
  HalfRows B = {mj_stackAllocInt(d, d->nefc), mj_stackAllocInt(d, d->nefc), NULL, NULL};
  int total = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int r = 0; r < d->nefc; r++) {
      loadRow(m, d, r, &s);
      const int n = eliminate(m, d, &s);
      if (pass) {
        emitRow(m, &s, B.dof + B.adr[r], B.val + B.adr[r]);
        continue;
      }
      B.nnz[r] = n;
      B.adr[r] = total;
      total += n;
      mth_zero(s.x, nv);
      memset(s.bits, 0, sizeof(uint64_t) * words);
    }
    if (!pass) {
      B.dof = mj_stackAllocInt(d, total);
      B.val = mj_stackAllocNum(d, total);
    }
  }
  return B;
}

//---------------------------------- A = B Bᵀ ----------------------------------

// dot product of two rows of B
static mjtNum dotRows(const HalfRows* B, int i, int j) {
  const int *di = B->dof + B->adr[i], *dj = B->dof + B->adr[j];
  const mjtNum *vi = B->val + B->adr[i], *vj = B->val + B->adr[j];
  const int ni = B->nnz[i], nj = B->nnz[j];
  if (ni == nj && !memcmp(di, dj, sizeof(int) * (size_t)ni)) return mth_dot(vi, vj, ni);
  mjtNum sum = 0;
  for (int a = 0, b = 0; a < ni && b < nj;) {
    if (di[a] == dj[b]) sum += vi[a] * vj[b];
    const int step = di[a] <= dj[b];
    b += dj[b] <= di[a];
    a += step;
  }
  return sum;
}

static int denseProduct(mjData* d, const HalfRows* B) {
  const int n = d->nefc;
  d->nA = n * n;
  d->efc_AR = mj_arenaAllocByte(d, sizeof(mjtNum) * (size_t)d->nA, _Alignof(mjtNum));
  if (!d->efc_AR) return 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) d->efc_AR[i * n + j] = d->efc_AR[j * n + i] = dotRows(B, i, j);
    d->efc_AR[i * (n + 1)] += d->efc_R[i];
  }
  return 1;
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

// structure of A: row i couples to the rows that share a dof with it. colind NULL: only count.
static int couplings(const mjData* d, const HalfRows* B, const uint64_t* rows, int words, uint64_t* hit) {
  int total = 0;
  for (int i = 0; i < d->nefc; i++) {
    memset(hit, 0, sizeof(uint64_t) * (size_t)words);
    for (int k = 0; k < B->nnz[i]; k++) {
      const uint64_t* source = rows + (size_t)words * B->dof[B->adr[i] + k];
      for (int w = 0; w < words; w++) hit[w] |= source[w];
    }
    d->efc_AR_rowadr[i] = total;
    for (int w = 0; w < words; w++) {
      for (uint64_t left = hit[w]; left; left &= left - 1) {
        if (d->efc_AR_colind) d->efc_AR_colind[total] = 64 * w + __builtin_ctzll(left);
        total++;
      }
    }
    d->efc_AR_rownnz[i] = total - d->efc_AR_rowadr[i];
  }
  return total;
}

static int sparseProduct(const mjModel* m, mjData* d, const HalfRows* B) {
  const int n = d->nefc, words = (n + 63) / 64;
  uint64_t* rows = rowsOfDof(m, d, B, words);
  uint64_t* hit = mj_stackAllocByte(d, sizeof(uint64_t) * (size_t)words, 8);

  // structure
  d->efc_AR_rownnz = mj_arenaAllocByte(d, sizeof(int) * (size_t)n, _Alignof(int));
  d->efc_AR_rowadr = mj_arenaAllocByte(d, sizeof(int) * (size_t)n, _Alignof(int));
  if (!d->efc_AR_rownnz || !d->efc_AR_rowadr) return 0;
  d->efc_AR_colind = NULL;
  d->nA = couplings(d, B, rows, words, hit);
  d->efc_AR = mj_arenaAllocByte(d, sizeof(mjtNum) * (size_t)d->nA, _Alignof(mjtNum));
  int* colind = mj_arenaAllocByte(d, sizeof(int) * (size_t)d->nA, _Alignof(int));
  if (!d->efc_AR || !colind) return 0;
  d->efc_AR_colind = colind;
  couplings(d, B, rows, words, hit);

  // values: the lower triangle, mirrored as it is found; next[] is where each row's next upper entry goes
  int* next = mj_stackAllocInt(d, n);
  for (int i = 0; i < n; i++) next[i] = d->efc_AR_rowadr[i];
  for (int i = 0; i < n; i++) {
    for (int k = d->efc_AR_rowadr[i]; k < d->efc_AR_rowadr[i] + d->efc_AR_rownnz[i]; k++) {
      const int j = d->efc_AR_colind[k];
      if (j > i) break;
      const mjtNum value = dotRows(B, i, j);
      d->efc_AR[k] = j == i ? value + d->efc_R[i] : value;
      if (j < i) {
        d->efc_AR[next[j]++] = value;
      } else {
        next[i] = k + 1;
      }
    }
  }
  return 1;
}

void mj_projectConstraint(const mjModel* m, mjData* d) {
  if (d->nefc == 0 || !mj_isDual(m)) return;
  mj_markStack(d);
  const HalfRows B = halfRows(m, d);
  const int done = mj_isSparse(m) ? sparseProduct(m, d, &B) : denseProduct(d, &B);
  mj_freeStack(d);

  // no room: no constraints in this step
  if (!done) {
    mj_warning(d, mjWARN_CNSTRFULL, (int)d->narena);
    con_clear(d);
  }
}

//---------------------------------- reference acceleration ----------------------------------

void mj_referenceConstraint(const mjModel* m, mjData* d) {
  mj_mulJacVec(m, d, d->efc_vel, d->qvel);
  for (int i = 0; i < d->nefc; i++) {
    const mjtNum* KBIP = d->efc_KBIP + 4 * i;
    d->efc_aref[i] = -KBIP[1] * d->efc_vel[i] - KBIP[0] * KBIP[2] * (d->efc_pos[i] - d->efc_margin[i]);
  }
}
