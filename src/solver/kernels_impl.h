// Body of the kernels of kernels.h, included once per instruction set. See there for what each does.
#include <math.h>
#include <string.h>

#include "solver/kernels.h"

// eight columns; element-wise operations are the same on every instruction set
typedef mjtNum V8 __attribute__((vector_size(64), aligned(64), may_alias));
typedef int64_t M8 __attribute__((vector_size(64), aligned(64), may_alias));

// the same anywhere in memory, and eight states
typedef mjtNum U8 __attribute__((vector_size(64), aligned(8), may_alias));
typedef int I8 __attribute__((vector_size(32), aligned(4), may_alias));

#define INLINE static inline __attribute__((always_inline))

// all bits of one lane, and of the lanes below it. Lanes are changed by masks: writing one in memory and then reading
// all eight would wait for the write.
static const M8 LANE[8] = {
    {-1, 0,  0,  0,  0,  0,  0,  0 },
    {0,  -1, 0,  0,  0,  0,  0,  0 },
    {0,  0,  -1, 0,  0,  0,  0,  0 },
    {0,  0,  0,  -1, 0,  0,  0,  0 },
    {0,  0,  0,  0,  -1, 0,  0,  0 },
    {0,  0,  0,  0,  0,  -1, 0,  0 },
    {0,  0,  0,  0,  0,  0,  -1, 0 },
    {0,  0,  0,  0,  0,  0,  0,  -1},
};
static const M8 BELOW[8] = {
    {0,  0,  0,  0,  0,  0,  0,  0},
    {-1, 0,  0,  0,  0,  0,  0,  0},
    {-1, -1, 0,  0,  0,  0,  0,  0},
    {-1, -1, -1, 0,  0,  0,  0,  0},
    {-1, -1, -1, -1, 0,  0,  0,  0},
    {-1, -1, -1, -1, -1, 0,  0,  0},
    {-1, -1, -1, -1, -1, -1, 0,  0},
    {-1, -1, -1, -1, -1, -1, -1, 0},
};

// sum of eight lanes in the library's fixed order
INLINE mjtNum sum8(const mjtNum* a) {
  return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

INLINE V8* at8(const SolFactor* F, int i, int g, int dense) {
  return (V8*)(F->val + (dense ? 8 * (i * F->ng + g) : F->table[(size_t)i * F->ng + g]));
}

//---------------------------------- Jacobian ----------------------------------

static void mulJ(mjtNum* res, const SolJacobian* jac, const mjtNum* v) {
  for (int b = 0; b < jac->nblock; b++) {
    const SolBlock* block = jac->block + b;
    const SolGroup* group = jac->group + block->group;
    const V8* J = (const V8*)(jac->J + block->J);
    const int ng = block->ngroup;
    if (!ng) {
      for (int r = 0; r < block->nrow; r++) {
        res[block->row + r] = jac->J[block->J + r] * v[jac->column[block->row + r]];
      }
      continue;
    }
    for (int r = 0; r < block->nrow; r++, J += ng) {
      V8 sum = J[0] * *(const V8*)(v + 8 * group[0].g);
      for (int i = 1; i < ng; i++) sum += J[i] * *(const V8*)(v + 8 * group[i].g);
      res[block->row + r] = sum8((const mjtNum*)&sum);
    }
  }
}

static void mulJ2(mjtNum* const res[2], const SolJacobian* jac, const mjtNum* const v[2], const mjtNum* sub) {
  for (int b = 0; b < jac->nblock; b++) {
    const SolBlock* block = jac->block + b;
    const SolGroup* group = jac->group + block->group;
    const V8* J = (const V8*)(jac->J + block->J);
    const int ng = block->ngroup;
    for (int r = 0; r < (ng ? 0 : block->nrow); r++) {
      const int row = block->row + r, col = jac->column[row];
      res[0][row] = jac->J[block->J + r] * v[0][col] - sub[row];
      res[1][row] = jac->J[block->J + r] * v[1][col] - sub[row];
    }
    for (int r = 0; r < (ng ? block->nrow : 0); r++, J += ng) {
      V8 sum0 = J[0] * *(const V8*)(v[0] + 8 * group[0].g), sum1 = J[0] * *(const V8*)(v[1] + 8 * group[0].g);
      for (int i = 1; i < ng; i++) {
        sum0 += J[i] * *(const V8*)(v[0] + 8 * group[i].g);
        sum1 += J[i] * *(const V8*)(v[1] + 8 * group[i].g);
      }
      const int row = block->row + r;
      res[0][row] = sum8((const mjtNum*)&sum0) - sub[row];
      res[1][row] = sum8((const mjtNum*)&sum1) - sub[row];
    }
  }
}

static void mulJT(mjtNum* res, const SolJacobian* jac, const mjtNum* f, int ng) {
  memset(res, 0, sizeof(V8) * (size_t)ng);
  for (int b = 0; b < jac->nblock; b++) {
    const SolBlock* block = jac->block + b;
    const SolGroup* group = jac->group + block->group;
    const V8* J = (const V8*)(jac->J + block->J);
    for (int r = 0; r < block->nrow; r++, J += block->ngroup) {
      const mjtNum force = f[block->row + r];
      if (!force) continue;
      if (!block->ngroup) {
        res[jac->column[block->row + r]] += force * jac->J[block->J + r];
        continue;
      }
      for (int i = 0; i < block->ngroup; i++) *(V8*)(res + 8 * group[i].g) += force * J[i];
    }
  }
}

//---------------------------------- Hessian ----------------------------------

// rows of a block side by side, and what each is multiplied by in the columns of the group in hand
typedef struct {
  int n;
  const V8* J[SOL_MAXROWS];
  V8 coef[SOL_MAXROWS];
} Weighted;

// H[col, :] += Σ coef[r][col] J[r] for the columns of one group
INLINE void addColumns(SolFactor* H, const SolGroup* group, int i, const Weighted* w, int dense) {
  for (int bits = group[i].bits; bits; bits &= bits - 1) {
    const int lane = __builtin_ctz(bits), col = 8 * group[i].g + lane;
    const mjtNum* coef = (const mjtNum*)w->coef + lane;
    for (int j = 0; j <= i; j++) {
      V8* h = at8(H, col, group[j].g, dense);
      V8 sum = *h;
      for (int r = 0; r < w->n; r++) sum += coef[8 * r] * w->J[r][j];
      *h = sum;
    }
  }
}

INLINE void addRowsOf(SolFactor* H, const SolJacobian* jac, const SolBlock* block, const mjtNum* D, int dense) {
  for (int r = 0; r < (block->ngroup ? 0 : block->nrow); r++) {
    const int row = block->row + r, col = jac->column[row];
    const mjtNum J = jac->J[block->J + r];
    ((mjtNum*)at8(H, col, col >> 3, dense))[col & 7] += D[row] * J * J;
  }
  if (!block->ngroup) return;
  const SolGroup* group = jac->group + block->group;
  const V8* J = (const V8*)(jac->J + block->J);
  Weighted w;
  mjtNum weight[SOL_MAXROWS];
  w.n = 0;
  for (int r = 0; r < block->nrow; r++) {
    if (!D[block->row + r]) continue;
    weight[w.n] = D[block->row + r];
    w.J[w.n++] = J + r * block->ngroup;
  }
  for (int i = 0; i < (w.n ? block->ngroup : 0); i++) {
    for (int r = 0; r < w.n; r++) w.coef[r] = weight[r] * w.J[r][i];
    addColumns(H, group, i, &w, dense);
  }
}

static void addRows(SolFactor* H, const SolJacobian* jac, const mjtNum* D) {
  if (H->table) {
    for (int b = 0; b < jac->nblock; b++) addRowsOf(H, jac, jac->block + b, D, 0);
  } else {
    for (int b = 0; b < jac->nblock; b++) addRowsOf(H, jac, jac->block + b, D, 1);
  }
}

INLINE void addConeOf(SolFactor* H, const SolJacobian* jac, SolSlice slice, const mjtNum* W, int dense) {
  const SolBlock* block = slice.block;
  const SolGroup* group = jac->group + block->group;
  const int nrow = slice.nrow, ng = block->ngroup;
  const V8* J = (const V8*)(jac->J + block->J) + slice.first * ng;
  Weighted w;
  w.n = nrow;
  for (int r = 0; r < nrow; r++) w.J[r] = J + r * ng;
  for (int i = 0; i < ng; i++) {
    for (int r = 0; r < nrow; r++) {
      w.coef[r] = W[r * nrow] * w.J[0][i];
      for (int s = 1; s < nrow; s++) w.coef[r] += W[r * nrow + s] * w.J[s][i];
    }
    addColumns(H, group, i, &w, dense);
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

// takes the pivot out of row k and scales the rest; 0 when the pivot had to be raised
INLINE int pivot(SolFactor* F, int k, const int* list, int n, mjtNum mindiag, int dense) {
  V8* last = at8(F, k, k >> 3, dense);
  const mjtNum square = ((mjtNum*)last)[k & 7];
  const int fine = square >= mindiag;
  const mjtNum diag = sqrt(fine ? square : mindiag), inv = 1 / diag;
  F->diag[k] = diag;
  F->inv[k] = inv;

  // nothing on and above the diagonal
  for (int i = 0; i < n - 1; i++) *at8(F, k, list[i], dense) *= inv;
  *last = (V8)((M8)*last & BELOW[k & 7]) * inv;
  return fine;
}

INLINE int factorOf(SolFactor* F, mjtNum mindiag, int dense) {
  int rank = 0;
  for (int k = F->n - 1; k >= 0; k--) {
    const int* list = F->list + F->first[k];
    const int n = F->first[k + 1] - F->first[k];
    rank += pivot(F, k, list, n, mindiag, dense);

    // every column of the row passes its share on
    const uint64_t* mask = F->mask + (size_t)k * F->words;
    for (int i = 0; i < n; i++) {
      const int g = list[i];
      const mjtNum* coef = (const mjtNum*)at8(F, k, g, dense);
      int bits = (int)(mask[g >> 3] >> (8 * (g & 7))) & 255;
      if (g == k >> 3) bits &= (1 << (k & 7)) - 1;
      for (; bits; bits &= bits - 1) {
        const int lane = __builtin_ctz(bits), col = 8 * g + lane;
        const mjtNum c = coef[lane];
        for (int j = 0; j <= i; j++) *at8(F, col, list[j], dense) -= c * *at8(F, k, list[j], dense);
      }
    }
  }
  return rank;
}

static int factor(SolFactor* F, mjtNum mindiag) {
  return F->table ? factorOf(F, mindiag, 0) : factorOf(F, mindiag, 1);
}

//---------------------------------- solve ----------------------------------

// Lᵀ y = x, from the last row to the first; the last group of a row is that of its diagonal
INLINE void solveDown(const SolFactor* F, mjtNum* x, int dense) {
  for (int k = F->n - 1; k >= 0; k--) {
    const mjtNum y = x[k] * F->inv[k];
    if (!y) continue;
    const int last = F->first[k + 1] - 1;
    for (int i = F->first[k]; i < last; i++) *(V8*)(x + 8 * F->list[i]) -= y * *at8(F, k, F->list[i], dense);
    V8* own = (V8*)(x + (k & ~7));
    const V8 rest = *own - y * *at8(F, k, k >> 3, dense), all = y - (V8){0};
    *own = (V8)(((M8)rest & ~LANE[k & 7]) | ((M8)all & LANE[k & 7]));
  }
}

// L x = y, from the first row to the last; groups of eight rows, whose own triangle is solved by numbers
INLINE void solveUp(const SolFactor* F, mjtNum* x, int dense) {
  for (int base = 0; base < F->n; base += 8) {
    const int end = base + 8 < F->n ? base + 8 : F->n;
    mjtNum own[8];
    for (int k = base; k < end; k++) {
      V8 sum = {0};
      const int last = F->first[k + 1] - 1;
      for (int i = F->first[k]; i < last; i++) {
        sum += *at8(F, k, F->list[i], dense) * *(const V8*)(x + 8 * F->list[i]);
      }
      own[k - base] = x[k] - sum8((const mjtNum*)&sum);
    }
    for (int k = base; k < end; k++) {
      const mjtNum* L = (const mjtNum*)at8(F, k, base >> 3, dense);
      for (int i = 0; i < k - base; i++) own[k - base] -= L[i] * own[i];
      own[k - base] *= F->inv[k];
    }
    for (int k = base; k < end; k++) x[k] = own[k - base];
  }
}

static void solve(const SolFactor* F, mjtNum* x) {
  if (F->table) {
    solveDown(F, x, 0);
    solveUp(F, x, 0);
  } else {
    solveDown(F, x, 1);
    solveUp(F, x, 1);
  }
}

//---------------------------------- update ----------------------------------

INLINE int updateOf(SolFactor* F, mjtNum* x, int last, mjtNum sign, mjtNum mindiag, int dense) {
  for (int k = last; k >= 0; k = F->parent[k]) {
    const mjtNum xk = x[k];
    if (!xk) continue;

    // rotate the pivot
    const mjtNum diag = F->diag[k], square = diag * diag + sign * (xk * xk);
    if (square < mindiag) return 0;
    const mjtNum r = sqrt(square), rinv = 1 / r, c = r * F->inv[k], cinv = diag * rinv, s = xk * F->inv[k];
    F->diag[k] = r;
    F->inv[k] = rinv;

    // rotate the rest of the row
    const mjtNum t = sign * s;
    const int end = F->first[k + 1];
    for (int i = F->first[k]; i < end; i++) {
      V8* row = at8(F, k, F->list[i], dense);
      V8* rest = (V8*)(x + 8 * F->list[i]);

      // nothing on the diagonal; beyond it there was nothing before
      const M8 keep = i == end - 1 ? BELOW[k & 7] : ~(M8){0};
      const V8 turned = (V8)((M8)((*row + t * *rest) * cinv) & keep);
      *rest = (V8)((M8)(c * *rest - s * turned) & keep);
      *row = turned;
    }
  }
  return 1;
}

static int update(SolFactor* F, mjtNum* x, int last, mjtNum sign, mjtNum mindiag) {
  return F->table ? updateOf(F, x, last, sign, mindiag, 0) : updateOf(F, x, last, sign, mindiag, 1);
}

//---------------------------------- inequalities ----------------------------------

static mjtNum inequality(const mjtNum* D, const mjtNum* jar, mjtNum* force, int* state, int n) {
  V8 cost = {0};
  const V8 zero = {0};
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    const V8 x = *(const U8*)(jar + i);
    const M8 on = ~(x >= zero);
    const V8 f = (V8)((M8)(*(const U8*)(D + i) * x) & on);
    *(U8*)(force + i) = zero - f;
    *(I8*)(state + i) = __builtin_convertvector(on, I8) & 1;
    cost += f * x;
  }

  // the rest goes to the first lanes
  for (int lane = 0; i < n; i++, lane++) {
    const int on = !(jar[i] >= 0);
    const mjtNum f = on ? D[i] * jar[i] : 0;
    force[i] = 0 - f;
    state[i] = on;
    ((mjtNum*)&cost)[lane] += f * jar[i];
  }
  return 0.5 * sum8((const mjtNum*)&cost);
}

//---------------------------------- line search ----------------------------------

// A row that is violated at both ends changes by α D dx² only. One that is violated at one end only brings or takes
// away its polynomial ½ D x0² + α D x0 dx: brings where x0 ≥ 0, takes where x0 < 0, which the sign of x0 says by
// itself.
static void ray(const SolRay* rows, mjtNum alpha, mjtNum res[3]) {
  V8 cost = {0}, slope = {0}, curve = {0};
  const V8 zero = {0};
  const M8 size = ~(M8){0} ^ (M8)(-zero);
  int i = 0;
  for (; i + 8 <= rows->n; i += 8) {
    const V8 D = *(const U8*)(rows->D + i), dx = *(const U8*)(rows->dx + i), x0 = *(const U8*)(rows->x0 + i);
    const M8 on = x0 + alpha * dx < zero, turned = on ^ (x0 < zero);
    const V8 Dx = D * (V8)((M8)x0 & size);
    cost += (V8)((M8)(Dx * x0) & turned);
    slope += (V8)((M8)(Dx * dx) & turned);
    curve += (V8)((M8)(D * dx * dx) & on);
  }

  // the rest goes to the first lanes
  for (int lane = 0; i < rows->n; i++, lane++) {
    const mjtNum D = rows->D[i], dx = rows->dx[i], x0 = rows->x0[i], Dx = D * fabs(x0);
    const int on = x0 + alpha * dx < 0;
    if (on) ((mjtNum*)&curve)[lane] += D * dx * dx;
    if (on == (x0 < 0)) continue;
    ((mjtNum*)&cost)[lane] += Dx * x0;
    ((mjtNum*)&slope)[lane] += Dx * dx;
  }
  res[0] = 0.5 * sum8((const mjtNum*)&cost);
  res[1] = sum8((const mjtNum*)&slope);
  res[2] = 0.5 * sum8((const mjtNum*)&curve);
}

static const SolKernels KERNELS = {mulJ, mulJ2, mulJT, addRows, addCone, factor, solve, update, inequality, ray};
