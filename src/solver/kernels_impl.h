// Body of the kernels of kernels.h, included once per instruction set. See there for what each does.
#include <math.h>
#include <string.h>

#include "solver/eight.h"
#include "solver/kernels.h"

#define INLINE EIGHT_INLINE

#include "solver/triples_impl.h"

INLINE mjtNum* at8(const SolFactor* F, int i, int g, int dense) {
  return F->val + (dense ? 8 * (i * F->ng + g) : F->table[(size_t)i * F->ng + g]);
}

//---------------------------------- Jacobian ----------------------------------

// the width is known for whole groups, whose rows are read without a mask
INLINE int denseGroup(const SolDense* rows, int width) {
  M8 any = {0};
  const mjtNum* val = rows->val;
  mjtNum* J = rows->J;
  for (int r = 0; r < rows->nrow; r++, val += rows->stride, J += rows->step) {
    const V8 row = width == 8 ? v8_getAny(val) : v8_getSome(val, width);
    v8_put(J, row);
    any = m8_with(any, row);
  }
  return m8_nonzero(any);
}

static int dense(const SolDense* rows) {
  return rows->width == 8 ? denseGroup(rows, 8) : denseGroup(rows, rows->width);
}

// a row of ng groups times the vector's
INLINE V8 mulRow(const mjtNum* J, const SolGroup* group, int ng, const mjtNum* v) {
  V8 sum = v8_mul(v8_get(J), v8_get(v + 8 * group[0].g));
  for (int i = 1; i < ng; i++) sum = v8_add(sum, v8_mul(v8_get(J + 8 * i), v8_get(v + 8 * group[i].g)));
  return sum;
}

static void mulJ(mjtNum* res, const SolJacobian* jac, const mjtNum* v) {
  if (jac->triples.nrow) mulTriples(res, &jac->triples, v, NULL);
  for (int b = 0; b < jac->nblock; b++) {
    const SolBlock* block = jac->block + b;
    const SolGroup* group = jac->group + block->group;
    const mjtNum* J = jac->J + block->J;
    const int ng = block->ngroup;
    if (!ng) {
      for (int r = 0; r < block->nrow; r++) res[block->row + r] = J[r] * v[jac->column[block->row + r]];
      continue;
    }
    for (int r = 0; r < block->nrow; r++, J += 8 * ng) res[block->row + r] = v8_sum(mulRow(J, group, ng, v));
  }
}

static void mulJ2(mjtNum* const res[2], const SolJacobian* jac, const mjtNum* const v[2], const mjtNum* sub) {
  for (int i = 0; i < (jac->triples.nrow ? 2 : 0); i++) mulTriples(res[i], &jac->triples, v[i], sub);
  for (int b = 0; b < jac->nblock; b++) {
    const SolBlock* block = jac->block + b;
    const SolGroup* group = jac->group + block->group;
    const mjtNum* J = jac->J + block->J;
    const int ng = block->ngroup;
    for (int r = 0; r < (ng ? 0 : block->nrow); r++) {
      const int row = block->row + r, col = jac->column[row];
      res[0][row] = J[r] * v[0][col] - sub[row];
      res[1][row] = J[r] * v[1][col] - sub[row];
    }
    for (int r = 0; r < (ng ? block->nrow : 0); r++, J += 8 * ng) {
      const int row = block->row + r;
      res[0][row] = v8_sum(mulRow(J, group, ng, v[0])) - sub[row];
      res[1][row] = v8_sum(mulRow(J, group, ng, v[1])) - sub[row];
    }
  }
}

// adds what the rows of a block have in ng groups from its group i on; the compiler knows ng, and the sums stay in
// registers
INLINE void mulGroups(mjtNum* res, const SolJacobian* jac, const SolBlock* block, int i, const mjtNum* f, int ng) {
  const SolGroup* group = jac->group + block->group + i;
  const mjtNum *J = jac->J + block->J + 8 * i, *force = f + block->row, *end = force + block->nrow;
  V8 sum[2];
  EIGHT_UNROLL for (int k = 0; k < ng; k++) sum[k] = v8_get(res + 8 * group[k].g);
  for (; force < end; force++, J += 8 * block->ngroup) {
    if (!*force) continue;
    EIGHT_UNROLL for (int k = 0; k < ng; k++) sum[k] = v8_addScl(sum[k], *force, v8_get(J + 8 * k));
  }
  EIGHT_UNROLL for (int k = 0; k < ng; k++) v8_put(res + 8 * group[k].g, sum[k]);
}

static void mulJT(mjtNum* res, const SolJacobian* jac, const mjtNum* f, int ng) {
  for (int g = 0; g < ng; g++) v8_put(res + 8 * g, v8_zero());
  if (jac->triples.nrow) mulTriplesT(res, &jac->triples, f);
  for (int b = 0; b < jac->nblock; b++) {
    const SolBlock* block = jac->block + b;
    const mjtNum* J = jac->J + block->J;
    for (int r = 0; r < (block->ngroup ? 0 : block->nrow); r++) {
      const mjtNum force = f[block->row + r];
      if (force) res[jac->column[block->row + r]] += force * J[r];
    }
    int i = 0;
    for (; i + 2 <= block->ngroup; i += 2) mulGroups(res, jac, block, i, f, 2);
    if (i < block->ngroup) mulGroups(res, jac, block, i, f, 1);
  }
}

static void mulColumns(mjtNum* res, const SolJacobian* jac, const SolColumns* columns, const mjtNum* f,
                       BasPart groups) {
  for (int g = groups.begin; g < groups.end; g++) {
    V8 sum = v8_zero();
    const SolItem *item = columns->item + columns->first[g], *end = columns->item + columns->first[g + 1];
    for (; item < end; item++) {
      const SolBlock* block = jac->block + item->block;
      const mjtNum *J = jac->J + block->J, *force = f + block->row;
      if (item->i < 0) {
        // one number
        const int r = -1 - item->i;
        if (!force[r]) continue;
        mjtNum lane[8] __attribute__((aligned(64)));
        v8_put(lane, sum);
        lane[jac->column[block->row + r] & 7] += force[r] * J[r];
        sum = v8_get(lane);
        continue;
      }
      J += 8 * item->i;
      for (int r = 0; r < block->nrow; r++, J += 8 * block->ngroup) {
        if (force[r]) sum = v8_addScl(sum, force[r], v8_get(J));
      }
    }
    v8_put(res + 8 * g, sum);
  }
}

//---------------------------------- inertia ----------------------------------

// ng is known to the compiler, so that the sums stay in registers
INLINE void mulFullOf(mjtNum* res, const SolFull* M, const mjtNum* v, int ng) {
  V8 sum[4];
  EIGHT_UNROLL for (int g = 0; g < ng; g++) sum[g] = v8_mul(v8_get(M->diag + 8 * g), v8_get(v + 8 * g));
  const mjtNum* row = M->val;
  for (int j = 0; j < M->n; j++, row += 8 * ng) {
    const mjtNum x = v[j];
    EIGHT_UNROLL for (int g = 0; g < ng; g++) sum[g] = v8_addScl(sum[g], x, v8_get(row + 8 * g));
  }
  EIGHT_UNROLL for (int g = 0; g < ng; g++) v8_put(res + 8 * g, sum[g]);
}

static void mulFull(mjtNum* res, const SolFull* M, const mjtNum* v) {
  switch (M->ng) {
    case 1:
      mulFullOf(res, M, v, 1);
      break;
    case 2:
      mulFullOf(res, M, v, 2);
      break;
    case 3:
      mulFullOf(res, M, v, 3);
      break;
    default:
      mulFullOf(res, M, v, 4);
  }
}

//---------------------------------- Hessian ----------------------------------

// rows of a block side by side, and what each is multiplied by in the columns of the group in hand
typedef struct {
  int n;
  const mjtNum* J[SOL_MAXROWS];
  mjtNum coef[8 * SOL_MAXROWS] __attribute__((aligned(64)));
} Weighted;

// adds to ng groups from group j on of one row of H, whose factors are coef; the compiler knows ng
INLINE void addGroups(mjtNum* const h[2], const mjtNum* coef, int j, const Weighted* w, int ng) {
  V8 sum[2];
  EIGHT_UNROLL for (int k = 0; k < ng; k++) sum[k] = v8_get(h[k]);
  for (int r = 0; r < w->n; r++) {
    const mjtNum *J = w->J[r] + 8 * j, c = coef[8 * r];
    EIGHT_UNROLL for (int k = 0; k < ng; k++) sum[k] = v8_addScl(sum[k], c, v8_get(J + 8 * k));
  }
  EIGHT_UNROLL for (int k = 0; k < ng; k++) v8_put(h[k], sum[k]);
}

// H[col, :] += Σ coef[r][col] J[r] for the columns of one group
INLINE void addGroup(SolFactor* H, const SolGroup* group, int i, const Weighted* w, int dense) {
  for (int bits = group[i].bits; bits; bits &= bits - 1) {
    const int lane = __builtin_ctz(bits), col = 8 * group[i].g + lane;
    int j = 0;
    for (; j < i; j += 2) {
      mjtNum* const h[2] = {at8(H, col, group[j].g, dense), at8(H, col, group[j + 1].g, dense)};
      addGroups(h, w->coef + lane, j, w, 2);
    }
    mjtNum* const h[2] = {at8(H, col, group[i].g, dense), NULL};
    if (j == i) addGroups(h, w->coef + lane, j, w, 1);
  }
}

// the rows of a block that count
INLINE void weighRows(Weighted* w, mjtNum* weight, const SolJacobian* jac, const SolBlock* block, const mjtNum* D) {
  const mjtNum* J = jac->J + block->J;
  w->n = 0;
  for (int r = 0; r < block->nrow; r++) {
    if (!D[block->row + r]) continue;
    weight[w->n] = D[block->row + r];
    w->J[w->n++] = J + 8 * r * block->ngroup;
  }
}

INLINE void addRowsOf(SolFactor* H, const SolJacobian* jac, const SolBlock* block, const mjtNum* D, int dense) {
  const mjtNum* J = jac->J + block->J;
  for (int r = 0; r < (block->ngroup ? 0 : block->nrow); r++) {
    const int row = block->row + r, col = jac->column[row];
    at8(H, col, col >> 3, dense)[col & 7] += D[row] * J[r] * J[r];
  }
  if (!block->ngroup) return;
  const SolGroup* group = jac->group + block->group;
  Weighted w;
  mjtNum weight[SOL_MAXROWS];
  weighRows(&w, weight, jac, block, D);
  for (int i = 0; i < (w.n ? block->ngroup : 0); i++) {
    for (int r = 0; r < w.n; r++) v8_put(w.coef + 8 * r, v8_scl(weight[r], v8_get(w.J[r] + 8 * i)));
    addGroup(H, group, i, &w, dense);
  }
}

static void addRows(SolFactor* H, const SolJacobian* jac, const mjtNum* D) {
  if (H->table) {
    for (int b = 0; b < jac->nblock; b++) addRowsOf(H, jac, jac->block + b, D, 0);
  } else {
    for (int b = 0; b < jac->nblock; b++) addRowsOf(H, jac, jac->block + b, D, 1);
  }
}

INLINE void addItem(SolFactor* H, const SolJacobian* jac, const SolItem* item, const mjtNum* D, int dense) {
  const SolBlock* block = jac->block + item->block;
  if (item->i < 0) {
    const int r = -1 - item->i, row = block->row + r, col = jac->column[row];
    const mjtNum* J = jac->J + block->J;
    at8(H, col, col >> 3, dense)[col & 7] += D[row] * J[r] * J[r];
    return;
  }
  Weighted w;
  mjtNum weight[SOL_MAXROWS];
  weighRows(&w, weight, jac, block, D);
  if (!w.n) return;
  for (int r = 0; r < w.n; r++) v8_put(w.coef + 8 * r, v8_scl(weight[r], v8_get(w.J[r] + 8 * item->i)));
  addGroup(H, jac->group + block->group, item->i, &w, dense);
}

static void addColumns(SolFactor* H, const SolJacobian* jac, const SolColumns* columns, const mjtNum* D,
                       BasPart groups) {
  const SolItem *item = columns->item + columns->first[groups.begin], *end = columns->item + columns->first[groups.end];
  for (; item < end; item++) {
    if (H->table) {
      addItem(H, jac, item, D, 0);
    } else {
      addItem(H, jac, item, D, 1);
    }
  }
}

INLINE void addConeOf(SolFactor* H, const SolJacobian* jac, SolSlice slice, const mjtNum* W, int dense) {
  const SolBlock* block = slice.block;
  const SolGroup* group = jac->group + block->group;
  const int nrow = slice.nrow, ng = block->ngroup;
  const mjtNum* J = jac->J + block->J + 8 * slice.first * ng;
  Weighted w;
  w.n = nrow;
  for (int r = 0; r < nrow; r++) w.J[r] = J + 8 * r * ng;
  for (int i = slice.groups.begin; i < slice.groups.end; i++) {
    for (int r = 0; r < nrow; r++) {
      V8 coef = v8_scl(W[r * nrow], v8_get(w.J[0] + 8 * i));
      for (int s = 1; s < nrow; s++) coef = v8_addScl(coef, W[r * nrow + s], v8_get(w.J[s] + 8 * i));
      v8_put(w.coef + 8 * r, coef);
    }
    addGroup(H, group, i, &w, dense);
  }
}

static void addCone(SolFactor* H, const SolJacobian* jac, SolSlice slice, const mjtNum* W) {
  if (H->table) {
    addConeOf(H, jac, slice, W, 0);
  } else {
    addConeOf(H, jac, slice, W, 1);
  }
}

//---------------------------------- factor ----------------------------------

// takes the pivot of row k, whose diagonal is square; returns its inverse
INLINE mjtNum pivot(SolFactor* F, int k, mjtNum square, mjtNum mindiag, int* rank) {
  const int fine = square >= mindiag;
  const mjtNum diag = sqrt(fine ? square : mindiag), inv = 1 / diag;
  F->diag[k] = diag;
  F->inv[k] = inv;
  *rank += fine;
  return inv;
}

// scales the group of row k that has its diagonal: nothing on and above it
INLINE V8 scaleLast(V8 last, int k, mjtNum inv) {
  return v8_scl(inv, v8_keep(last, m8_below(k & 7)));
}

// Rows that follow each other in elimination and have the same groups, from last down to first: what they take from the
// rows before them is computed at once and stays in registers. Every number meets the same operations in the same order
// as row by row.
enum { PANEL = 4 };
typedef struct {
  int first, last;
  const int* list;             // groups of the row first, which all have
  int ngroup;                  // how many
  const mjtNum* start[PANEL];  // values of each row, last first
} Panel;

// value group i of row r of a panel
INLINE const mjtNum* panelAt(const Panel* p, int r, int i, int dense) {
  return p->start[r] + 8 * (dense ? p->list[i] : i);
}

// the longest panel that ends at row k
INLINE Panel panelOf(const SolFactor* F, int k, int dense) {
  Panel p = {.first = k, .last = k, .ngroup = F->first[k + 1] - F->first[k]};
  while (p.last - p.first < PANEL - 1 && F->parent[p.first] == p.first - 1 && p.first > 0) {
    // the row before has all of its columns; a row whose diagonal starts a group has that group for itself
    const int i = p.first - 1, n = F->first[i + 1] - F->first[i];
    if (n != p.ngroup - (i >> 3 != p.first >> 3)) break;
    p.first = i;
    p.ngroup = n;
  }
  p.list = F->list + F->first[p.first];
  for (int r = 0; r <= p.last - p.first; r++) p.start[r] = at8(F, p.last - r, dense ? 0 : p.list[0], dense);
  return p;
}

// finishes the rows of a panel: each takes its share from those above and is scaled
INLINE int finishPanel(SolFactor* F, const Panel* p, mjtNum mindiag, int dense) {
  int rank = 0;
  for (int k = p->last; k >= p->first; k--) {
    const int *list = F->list + F->first[k], n = F->first[k + 1] - F->first[k];
    for (int above = p->last; above > k; above--) {
      const mjtNum c = at8(F, above, k >> 3, dense)[k & 7];
      for (int i = 0; i < n; i++) {
        mjtNum* to = at8(F, k, list[i], dense);
        v8_put(to, v8_subScl(v8_get(to), c, v8_get(at8(F, above, list[i], dense))));
      }
    }
    mjtNum* last = at8(F, k, k >> 3, dense);
    const mjtNum inv = pivot(F, k, last[k & 7], mindiag, &rank);
    for (int i = 0; i < n - 1; i++) {
      mjtNum* val = at8(F, k, list[i], dense);
      v8_put(val, v8_scl(inv, v8_get(val)));
    }
    v8_put(last, scaleLast(v8_get(last), k, inv));
  }
  return rank;
}

// takes from ncol rows of group i, whose numbers in it are lane, what a panel of nrow rows has; the compiler knows ncol
// and nrow
INLINE void passOn(SolFactor* F, const Panel* p, int i, const int* lane, int ncol, int nrow, int dense) {
  mjtNum c[2][PANEL];
  EIGHT_UNROLL for (int k = 0; k < ncol; k++) {
    EIGHT_UNROLL for (int r = 0; r < nrow; r++) c[k][r] = panelAt(p, r, i, dense)[lane[k]];
  }
  for (int j = 0; j <= i; j++) {
    mjtNum* to[2];
    V8 sum[2];
    EIGHT_UNROLL for (int k = 0; k < ncol; k++) {
      to[k] = at8(F, 8 * p->list[i] + lane[k], p->list[j], dense);
      sum[k] = v8_get(to[k]);
    }
    EIGHT_UNROLL for (int r = 0; r < nrow; r++) {
      const V8 row = v8_get(panelAt(p, r, j, dense));
      EIGHT_UNROLL for (int k = 0; k < ncol; k++) sum[k] = v8_subScl(sum[k], c[k][r], row);
    }
    EIGHT_UNROLL for (int k = 0; k < ncol; k++) v8_put(to[k], sum[k]);
  }
}

// every column of the panel passes its share on
INLINE void passPanel(SolFactor* F, const Panel* p, int nrow, int dense) {
  const uint64_t* mask = F->mask + (size_t)p->first * F->words;
  for (int i = 0; i < p->ngroup; i++) {
    const int g = p->list[i];
    int bits = (int)(mask[g >> 3] >> (8 * (g & 7))) & 255, lane[8], n = 0, k = 0;
    if (g == p->first >> 3) bits &= (1 << (p->first & 7)) - 1;
    for (; bits; bits &= bits - 1) lane[n++] = __builtin_ctz(bits);
    for (; k + 2 <= n; k += 2) passOn(F, p, i, lane + k, 2, nrow, dense);
    if (k < n) passOn(F, p, i, lane + k, 1, nrow, dense);
  }
}

INLINE int factorOf(SolFactor* F, mjtNum mindiag, int dense) {
  int rank = 0;
  for (int k = F->n - 1; k >= 0;) {
    const Panel p = panelOf(F, k, dense);
    rank += finishPanel(F, &p, mindiag, dense);
    switch (p.last - p.first) {
      case 0:
        passPanel(F, &p, 1, dense);
        break;
      case 1:
        passPanel(F, &p, 2, dense);
        break;
      case 2:
        passPanel(F, &p, 3, dense);
        break;
      default:
        passPanel(F, &p, 4, dense);
    }
    k = p.first - 1;
  }
  return rank;
}

// A full matrix row by row, last first: a row stays in registers while all finished ones are subtracted from it. Every
// number meets the same operations in the same order as above. Here the rows of one group of columns; ng is its number
// from one on, and known to the compiler.
INLINE void factorRows(SolFactor* F, mjtNum mindiag, int ng, int* rank) {
  const int stride = 8 * F->ng, first = 8 * (ng - 1);
  for (int k = (F->n < first + 8 ? F->n : first + 8) - 1; k >= first; k--) {
    mjtNum* const row = F->val + k * stride;
    const mjtNum* done = F->val + (F->n - 1) * stride;
    V8 sum[4];
    EIGHT_UNROLL for (int g = 0; g < ng; g++) sum[g] = v8_get(row + 8 * g);

    // the diagonal is kept once more as a number: the root does not wait for the group to go through memory
    mjtNum square = row[k];
    for (; done > row; done -= stride) {
      const mjtNum c = done[k];
      square -= c * c;
      EIGHT_UNROLL for (int g = 0; g < ng; g++) sum[g] = v8_subScl(sum[g], c, v8_get(done + 8 * g));
    }
    const mjtNum inv = pivot(F, k, square, mindiag, rank);
    EIGHT_UNROLL for (int g = 0; g < ng - 1; g++) v8_put(row + 8 * g, v8_scl(inv, sum[g]));
    v8_put(row + first, scaleLast(sum[ng - 1], k, inv));
  }
}

static int factorFull(SolFactor* F, mjtNum mindiag) {
  int rank = 0;
  if (F->ng > 3) factorRows(F, mindiag, 4, &rank);
  if (F->ng > 2) factorRows(F, mindiag, 3, &rank);
  if (F->ng > 1) factorRows(F, mindiag, 2, &rank);
  factorRows(F, mindiag, 1, &rank);
  return rank;
}

static int factor(SolFactor* F, mjtNum mindiag) {
  if (F->full) return factorFull(F, mindiag);
  return F->table ? factorOf(F, mindiag, 0) : factorOf(F, mindiag, 1);
}

//---------------------------------- solve ----------------------------------

// the triangle of one group: n ≤ 8 rows of L, stride apart, and what is left for them; x receives the solution
INLINE void triangle(mjtNum* x, const mjtNum* L, int stride, const mjtNum* inv, const mjtNum* left, int n) {
  mjtNum own[8];
  EIGHT_UNROLL_EARLY for (int k = 0; k < 8; k++) {
    if (k >= n) return;
    own[k] = left[k];
    EIGHT_UNROLL_EARLY for (int i = 0; i < k; i++) own[k] -= L[k * stride + i] * own[i];
    x[k] = own[k] *= inv[k];
  }
}

// Lᵀ y = x, from the last row to the first; the last group of a row is that of its diagonal. Results are left apart: of
// x only whole groups are written, since eight values read after one was written would wait for it.
INLINE void solveDown(const SolFactor* F, mjtNum* x, mjtNum* y, int dense) {
  for (int k = F->n - 1; k >= 0; k--) {
    y[k] = x[k] * F->inv[k];
    if (!y[k]) continue;
    for (int i = F->first[k]; i < F->first[k + 1]; i++) {
      const int g = F->list[i];
      v8_put(x + 8 * g, v8_subScl(v8_get(x + 8 * g), y[k], v8_get(at8(F, k, g, dense))));
    }
  }
}

// L x = y, from the first row to the last; groups of eight rows, whose own triangle is solved by numbers
INLINE void solveUp(const SolFactor* F, mjtNum* x, mjtNum* y, int dense) {
  for (int base = 0; base < F->n; base += 8) {
    const int n = base + 8 < F->n ? 8 : F->n - base;
    for (int k = base; k < base + n; k++) {
      V8 sum = v8_zero();
      const int last = F->first[k + 1] - 1;
      for (int i = F->first[k]; i < last; i++) {
        const int g = F->list[i];
        sum = v8_add(sum, v8_mul(v8_get(at8(F, k, g, dense)), v8_get(x + 8 * g)));
      }
      if (F->first[k] < last) y[k] -= v8_sum(sum);
    }
    if (dense) {
      triangle(x + base, at8(F, base, base >> 3, 1), 8 * F->ng, F->inv + base, y + base, n);
      continue;
    }
    for (int k = base; k < base + n; k++) {
      const mjtNum* L = at8(F, k, base >> 3, 0);
      for (int i = base; i < k; i++) y[k] -= L[i - base] * y[i];
      x[k] = y[k] *= F->inv[k];
    }
  }
}

// both with a full factor; down: the rows of one group, as in factorRows
INLINE void downRows(const SolFactor* F, mjtNum* x, mjtNum* y, int ng) {
  const int stride = 8 * F->ng, first = 8 * (ng - 1);
  for (int k = (F->n < first + 8 ? F->n : first + 8) - 1; k >= first; k--) {
    const mjtNum *L = F->val + k * stride, value = x[k] * F->inv[k];
    y[k] = value;
    EIGHT_UNROLL for (int g = 0; g < ng; g++) v8_put(x + 8 * g, v8_subScl(v8_get(x + 8 * g), value, v8_get(L + 8 * g)));
  }
}

INLINE void solveFull(const SolFactor* F, mjtNum* x) {
  mjtNum y[SOL_FULL];
  if (F->ng > 3) downRows(F, x, y, 4);
  if (F->ng > 2) downRows(F, x, y, 3);
  if (F->ng > 1) downRows(F, x, y, 2);
  downRows(F, x, y, 1);

  const int stride = 8 * F->ng;
  for (int base = 0; base < F->n; base += 8) {
    const int n = base + 8 < F->n ? 8 : F->n - base;
    const mjtNum* L = F->val + base * stride;
    for (int k = base; base && k < base + n; k++, L += stride) {
      V8 sum = v8_mul(v8_get(L), v8_get(x));
      for (int c = 8; c < base; c += 8) sum = v8_add(sum, v8_mul(v8_get(L + c), v8_get(x + c)));
      y[k] -= v8_sum(sum);
    }
    triangle(x + base, F->val + base * stride + base, stride, F->inv + base, y + base, n);
  }
}

static void solve(const SolFactor* F, mjtNum* x) {
  if (F->full) {
    solveFull(F, x);
  } else if (F->table) {
    solveDown(F, x, F->y, 0);
    solveUp(F, x, F->y, 0);
  } else {
    solveDown(F, x, F->y, 1);
    solveUp(F, x, F->y, 1);
  }
}

//---------------------------------- update ----------------------------------

// what turns a row of the factor and the vector into each other
typedef struct {
  mjtNum c, cinv, s, t;
} Turn;

// turns the pivot of row k; 0 when accuracy is lost
INLINE int turnPivot(SolFactor* F, int k, mjtNum xk, mjtNum sign, mjtNum mindiag, Turn* turn) {
  const mjtNum diag = F->diag[k], square = diag * diag + sign * (xk * xk);
  if (square < mindiag) return 0;
  const mjtNum r = sqrt(square), rinv = 1 / r, s = xk * F->inv[k];
  *turn = (Turn){.c = r * F->inv[k], .cinv = diag * rinv, .s = s, .t = sign * s};
  F->diag[k] = r;
  F->inv[k] = rinv;
  return 1;
}

// turns one group of a row; the first n columns are kept
INLINE void turnGroup(mjtNum* row, mjtNum* rest, const Turn* turn, int n) {
  const M8 keep = m8_below(n);
  const V8 x = v8_get(rest), turned = v8_keep(v8_scl(turn->cinv, v8_addScl(v8_get(row), turn->t, x)), keep);
  v8_put(rest, v8_keep(v8_subScl(v8_scl(turn->c, x), turn->s, turned), keep));
  v8_put(row, turned);
}

INLINE int updateOf(SolFactor* F, mjtNum* x, int last, mjtNum sign, mjtNum mindiag, int dense) {
  for (int k = last; k >= 0; k = F->parent[k]) {
    Turn turn;
    if (!x[k]) continue;
    if (!turnPivot(F, k, x[k], sign, mindiag, &turn)) return 0;

    // the rest of the row
    const int end = F->first[k + 1];
    for (int i = F->first[k]; i < end; i++) {
      turnGroup(at8(F, k, F->list[i], dense), x + 8 * F->list[i], &turn, i == end - 1 ? k & 7 : 8);
    }
  }
  return 1;
}

INLINE int updateFull(SolFactor* F, mjtNum* x, int last, mjtNum sign, mjtNum mindiag) {
  for (int k = last; k >= 0; k--) {
    Turn turn;
    if (!x[k]) continue;
    if (!turnPivot(F, k, x[k], sign, mindiag, &turn)) return 0;
    mjtNum* row = F->val + 8 * k * F->ng;
    for (int c = 0; c < (k & ~7); c += 8) turnGroup(row + c, x + c, &turn, 8);
    turnGroup(row + (k & ~7), x + (k & ~7), &turn, k & 7);
  }
  return 1;
}

static int update(SolFactor* F, mjtNum* x, int last, mjtNum sign, mjtNum mindiag) {
  if (F->full) return updateFull(F, x, last, sign, mindiag);
  return F->table ? updateOf(F, x, last, sign, mindiag, 0) : updateOf(F, x, last, sign, mindiag, 1);
}

//---------------------------------- equalities and sums ----------------------------------

static mjtNum equality(const mjtNum* D, const mjtNum* jar, mjtNum* force, int* state, int n) {
  V8 cost = v8_zero();
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    const V8 x = v8_getAny(jar + i), f = v8_mul(v8_getAny(D + i), x);
    v8_putAny(force + i, v8_sub(v8_zero(), f));
    cost = v8_add(cost, v8_mul(f, x));
  }
  const V8 x = v8_getSome(jar + i, n - i), f = v8_mul(v8_getSome(D + i, n - i), x);
  v8_putSome(force + i, v8_sub(v8_zero(), f), n - i);
  for (i = 0; i < n; i++) state[i] = mjCNSTRSTATE_QUADRATIC;
  return 0.5 * v8_sum(v8_add(cost, v8_mul(f, x)));
}

static mjtNum curvature(const mjtNum* D, const mjtNum* v, int n) {
  V8 sum = v8_zero();
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    const V8 x = v8_getAny(v + i);
    sum = v8_add(sum, v8_mul(v8_mul(v8_getAny(D + i), x), x));
  }
  const V8 x = v8_getSome(v + i, n - i);
  return 0.5 * v8_sum(v8_add(sum, v8_mul(v8_mul(v8_getSome(D + i, n - i), x), x)));
}

static void mulEach(mjtNum* res, const mjtNum* a, const mjtNum* b, int n) {
  int i = 0;
  for (; i + 8 <= n; i += 8) v8_putAny(res + i, v8_mul(v8_getAny(a + i), v8_getAny(b + i)));
  for (; i < n; i++) res[i] = a[i] * b[i];
}

static mjtNum gauss(mjtNum* grad, const SolGauss* at, int n) {
  V8 sum = v8_zero();
  for (int i = 0; i < n; i += 8) {
    // what lies behind the last number is zero in all of them
    const int left = n - i;
    const V8 smooth = left < 8 ? v8_getSome(at->qfrc_smooth + i, left) : v8_getAny(at->qfrc_smooth + i);
    const V8 free = left < 8 ? v8_getSome(at->qacc_smooth + i, left) : v8_getAny(at->qacc_smooth + i);
    const V8 force = v8_sub(v8_get(at->Ma + i), smooth);
    sum = v8_add(sum, v8_mul(force, v8_sub(v8_get(at->qacc + i), free)));
    v8_put(grad + i, v8_sub(force, v8_get(at->qfrc + i)));
  }
  return 0.5 * v8_sum(sum);
}

static mjtNum dotChange(const mjtNum* a, const mjtNum* b, const mjtNum* c, int n) {
  V8 sum = v8_zero();
  for (int i = 0; i < n; i += 8) sum = v8_add(sum, v8_mul(v8_get(a + i), v8_sub(v8_get(b + i), v8_get(c + i))));
  return v8_sum(sum);
}

//---------------------------------- inequalities ----------------------------------

static mjtNum inequality(const mjtNum* D, const mjtNum* jar, mjtNum* force, int* state, int n) {
  V8 cost = v8_zero();
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    const V8 x = v8_getAny(jar + i);
    const M8 on = v8_notPositive(x);
    const V8 f = v8_keep(v8_mul(v8_getAny(D + i), x), on);
    v8_putAny(force + i, v8_sub(v8_zero(), f));
    m8_putOnes(state + i, on);
    cost = v8_add(cost, v8_mul(f, x));
  }
  if (i == n) return 0.5 * v8_sum(cost);

  // the rest
  const V8 x = v8_getSome(jar + i, n - i);
  const M8 on = v8_notPositive(x);
  const V8 f = v8_keep(v8_mul(v8_getSome(D + i, n - i), x), on);
  v8_putSome(force + i, v8_sub(v8_zero(), f), n - i);
  for (; i < n; i++) state[i] = !(jar[i] >= 0);
  return 0.5 * v8_sum(v8_add(cost, v8_mul(f, x)));
}

static mjtNum cost(const mjtNum* force, const mjtNum* jar, int n) {
  V8 sum = v8_zero();
  int i = 0;
  for (; i + 8 <= n; i += 8) sum = v8_sub(sum, v8_mul(v8_getAny(force + i), v8_getAny(jar + i)));
  if (i == n) return 0.5 * v8_sum(sum);
  return 0.5 * v8_sum(v8_sub(sum, v8_mul(v8_getSome(force + i, n - i), v8_getSome(jar + i, n - i))));
}

//---------------------------------- line search ----------------------------------

// A row that is violated at both ends changes by α D dx² only. One that is violated at one end only brings or takes
// away its polynomial ½ D x0² + α D x0 dx: brings where x0 ≥ 0, takes where x0 < 0, which the sign of x0 says by
// itself.
INLINE void passRows(V8 sum[3], V8 D, V8 x0, V8 dx, mjtNum alpha) {
  const M8 on = v8_negative(v8_addScl(x0, alpha, dx)), turned = m8_xor(on, v8_negative(x0));
  const V8 Dx = v8_mul(D, v8_abs(x0));
  sum[0] = v8_add(sum[0], v8_keep(v8_mul(Dx, x0), turned));
  sum[1] = v8_add(sum[1], v8_keep(v8_mul(Dx, dx), turned));
  sum[2] = v8_add(sum[2], v8_keep(v8_mul(v8_mul(D, dx), dx), on));
}

static void ray(const SolRay* rows, mjtNum alpha, mjtNum res[3]) {
  V8 sum[3] = {v8_zero(), v8_zero(), v8_zero()};
  int i = 0;
  for (; i + 8 <= rows->n; i += 8) {
    passRows(sum, v8_getAny(rows->D + i), v8_getAny(rows->x0 + i), v8_getAny(rows->dx + i), alpha);
  }
  const int left = rows->n - i;
  if (left) {
    passRows(sum, v8_getSome(rows->D + i, left), v8_getSome(rows->x0 + i, left), v8_getSome(rows->dx + i, left), alpha);
  }
  res[0] = 0.5 * v8_sum(sum[0]);
  res[1] = v8_sum(sum[1]);
  res[2] = 0.5 * v8_sum(sum[2]);
}

static const SolKernels KERNELS = {dense,   mulJ,   mulJ2,     mulJT,      mulColumns, addRows,  addColumns,
                                   addCone, factor, mulFull,   solve,      update,     equality, curvature,
                                   mulEach, gauss,  dotChange, inequality, cost,       ray};
