// Linear algebra of the primal solvers, on columns in groups of eight.
//
// Dofs of a problem are numbered 0 … n−1 and lie in groups of eight columns. A row, of the Jacobian or of the Hessian's
// factor, stores only the groups in which it has anything, eight values each, so that all arithmetic is on full
// vectors:
//
//     columns   0…7      8…15     16…23    24…31            exact columns are kept as bits
//     row k   |xx....xx|        |....xx..|x      |   →   groups 0, 2, 3
//
// The factor is H = LᵀL with L lower triangular, eliminated from the last dof to the first: parents come before
// children, so a kinematic tree has no fill-in. The diagonal is kept apart. All vectors have room for ng·8 values and
// are zero beyond n. The same source is compiled for several instruction sets; all give the same bits.
#pragma once

#include <mujoco/mujoco.h>
#include <stdint.h>

#include "base/assert.h"
#include "base/share.h"

// Consecutive rows of the Jacobian with the same columns: usually one constraint. Or any number of rows with a single
// entry each, as limits and friction of joints have: then ngroup is 0, J has one value per row, and the columns are in
// SolJacobian.column.
typedef struct {
  int row, nrow;  // rows [row, row + nrow)
  int ngroup;     // groups of columns
  int group;      // first entry in SolJacobian.group
  size_t J;       // first value in SolJacobian.J; row r, group i at J + 8·(r·ngroup + i)
} SolBlock;

// some rows of a block, in some of its groups
typedef struct {
  const SolBlock* block;
  int first, nrow;  // counted from the block's first row
  BasPart groups;   // counted from the block's first group
} SolSlice;

// The same by columns: for each group of columns what the blocks have in it, in the order of the rows. Threads that sum
// up over rows take different groups: they write to different places, in the order in which one thread would.
typedef struct {
  int block;
  int i;  // which of its groups; of a block of rows with a single entry each, −1 − row of the block
} SolItem;

typedef struct {
  int* first;  // (groups + 1) where the items of each group start
  SolItem* item;
} SolColumns;

// most rows in a block
#define SOL_MAXROWS 16

// one group of a block: its number and which of its columns occur
typedef struct {
  int g;
  int bits;
} SolGroup;

// Rows whose columns come by threes, as those of a flex's edges do: a vertex has three dofs. A triple is stored with a
// zero behind it, so that four numbers are loaded at once; a column alone is stored with three. The same by columns:
// sums over the rows that have a triple stay in a register.
typedef struct {
  int nrow;
  int* row;      // (nrow) number of the row among all, increasing
  int* first;    // (nrow + 1) where its triples start
  int* column;   // (triples) first column
  mjtNum* J;     // (triples × 4) values, aligned to 32 bytes
  int ntarget;   // columns at which triples start
  int* target;   // (ntarget) increasing
  int* itemadr;  // (ntarget + 1) where the items of a target start
  int* item;     // (triples) its triples, by rows
  int* itemrow;  // (triples) rows among all
} SolTriples;

typedef struct {
  int nblock;
  SolBlock* block;
  SolGroup* group;
  int* column;  // (nefc) column of rows with a single entry
  mjtNum* J;
  SolTriples triples;  // rows that are in no block
} SolJacobian;

// problems of up to so many dofs keep their inertia and Hessian as full matrices: four groups
#define SOL_FULL 32

// Hessian, then its factor in place
typedef struct {
  int n;           // dofs
  int ng;          // groups of columns
  int full;        // 1: all columns of all rows count; words, mask, parent, first and list are not there
  int words;       // words of a row's mask
  uint64_t* mask;  // (n × words) columns of each row up to its diagonal
  int* parent;     // (n) largest column below the diagonal, -1: none
  int* first;      // (n + 1) where each row's groups start in list
  int* list;       // groups of each row, increasing
  int* table;      // (n × ng) where a row's group lies in val; NULL: at 8·(row·ng + group), all groups stored
  int nval;
  mjtNum* val;
  mjtNum* diag;  // (n) diagonal of L
  mjtNum* inv;   // (n) its inverse
  mjtNum* y;     // (n) room for solve; a full factor has none
} SolFactor;

// a symmetric matrix with all its columns
typedef struct {
  int n, ng;
  mjtNum* val;   // (n × 8·ng) zero on the diagonal
  mjtNum* diag;  // (8·ng)
} SolFull;

// the rows that a line search passes through: one value per row each
typedef struct {
  int n;             // rows
  const mjtNum* D;   // (n)
  const mjtNum* x0;  // (n) residual at the start
  const mjtNum* dx;  // (n) its change along the search
} SolRay;

// a point, and the motion without constraints
typedef struct {
  const mjtNum *qacc, *Ma, *qfrc;  // acceleration, M·qacc, force of the constraints
  const mjtNum *qacc_smooth, *qfrc_smooth;
} SolGauss;

// some dense rows, stride numbers apart, and where their parts in one group of columns go, step numbers apart
typedef struct {
  const mjtNum* val;
  mjtNum* J;
  int stride, step;
  int nrow, width;  // width: columns of the group that there are
} SolDense;

typedef struct {
  // copies one group of dense rows, with zeros behind the columns that there are; returns the columns where any of the
  // rows is not zero, as bits
  int (*dense)(const SolDense* rows);

  // res[r] = J[r]·v for all rows
  void (*mulJ)(mjtNum* res, const SolJacobian* J, const mjtNum* v);

  // the same for two vectors: res0[r] = J[r]·v0 − sub[r], res1[r] = J[r]·v1 − sub[r]
  void (*mulJ2)(mjtNum* const res[2], const SolJacobian* J, const mjtNum* const v[2], const mjtNum* sub);

  // res = Σ f[r] J[r]; res is cleared first, ng groups
  void (*mulJT)(mjtNum* res, const SolJacobian* J, const mjtNum* f, int ng);

  // the same for some groups of columns
  void (*mulColumns)(mjtNum* res, const SolJacobian* J, const SolColumns* columns, const mjtNum* f, BasPart groups);

  // H += Σ D[r] J[r]ᵀJ[r]; rows with D = 0 are skipped
  void (*addRows)(SolFactor* H, const SolJacobian* J, const mjtNum* D);

  // the same for the rows of H in some groups
  void (*addColumns)(SolFactor* H, const SolJacobian* J, const SolColumns* columns, const mjtNum* D, BasPart groups);

  // H += Σ J[r]ᵀ W[r,s] J[s] over nrow rows of one block from its row first on, W symmetric (nrow × nrow);
  // the rows of H in the slice's groups
  void (*addCone)(SolFactor* H, const SolJacobian* J, SolSlice slice, const mjtNum* W);

  // H → L; pivots below mindiag are raised to it. Returns the number of pivots that were not.
  int (*factor)(SolFactor* H, mjtNum mindiag);

  // res = M v for a full matrix: the diagonal, which is apart, comes first
  void (*mulFull)(mjtNum* res, const SolFull* M, const mjtNum* v);

  // x ← H⁻¹ x
  void (*solve)(const SolFactor* L, mjtNum* x);

  // L for H + x xᵀ (sign 1) or H − x xᵀ (sign −1); x has its last nonzero at last and is destroyed. 0: accuracy lost.
  int (*update)(SolFactor* L, mjtNum* x, int last, mjtNum sign, mjtNum mindiag);

  // force and state of equalities with residuals jar; returns Σ ½ D jar²
  mjtNum (*equality)(const mjtNum* D, const mjtNum* jar, mjtNum* force, int* state, int n);

  // Σ ½ D v²
  mjtNum (*curvature)(const mjtNum* D, const mjtNum* v, int n);

  // res = a b, number by number
  void (*mulEach)(mjtNum* res, const mjtNum* a, const mjtNum* b, int n);

  // grad = Ma − smooth − qfrc; returns Σ ½ (Ma − smooth) (qacc − qacc_smooth)
  mjtNum (*gauss)(mjtNum* grad, const SolGauss* at, int n);

  // Σ a (b − c)
  mjtNum (*dotChange)(const mjtNum* a, const mjtNum* b, const mjtNum* c, int n);

  // force and state of limits and pyramid edges with residuals jar; returns Σ ½ D min(0, jar)²
  mjtNum (*inequality)(const mjtNum* D, const mjtNum* jar, mjtNum* force, int* state, int n);

  // what equality and inequality return, from the forces that they left: −Σ ½ force jar
  mjtNum (*cost)(const mjtNum* force, const mjtNum* jar, int n);

  // c(α) = Σ ½ D min(0, x0 + α dx)² near α, without what stays the same from 0 to α: res with
  // c(α) − c(0) = res[0] + α (res[1] + c'(0)) + α² res[2]
  void (*ray)(const SolRay* ray, mjtNum alpha, mjtNum res[3]);
} SolKernels;

// the kernels for this machine
const SolKernels* sol_kernels(void);

// every implementation, for tests; NULL when this build or machine does not have it
const SolKernels* sol_kernelsBase(void);
const SolKernels* sol_kernelsV3(void);
const SolKernels* sol_kernelsV4(void);

// where group g of row i lies; the row must have it
static inline mjtNum* sol_at(const SolFactor* F, int i, int g) {
  BAS_ASSERT(i >= 0 && i < F->n && g >= 0 && g <= i >> 3);
  return F->val + (F->table ? F->table[(size_t)i * F->ng + g] : 8 * (i * F->ng + g));
}
