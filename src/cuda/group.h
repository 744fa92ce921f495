// What the lanes of one simulation share while a kernel runs.
#pragma once

#include "cuda/algebra.h"
#include "cuda/model.h"

typedef struct {
  const CudTask* t;
  const CudModel* m;
#if defined(__CUDACC__) && !CU_FAR
  int part;  // where the workspace begins in the shared memory of the block
#else
  Real* w;  // workspace
#endif
#if CU_FAR
  const int* first;  // first column of each row of the matrix that is factored next: the others before it are 0
#endif
  Real* more;       // a piece of the pool, NULL: none taken
  int sim;          // which simulation
  int ncon;         // contacts found
  int nrow;         // constraint rows
  int ne, nf;       // of these, equality and friction loss, which come first
  int spills;       // 0: all rows are in the workspace
  int ncontactrow;  // the last rows, which are of contacts
  int step;         // steps of this call that are done
  int last;         // 1: this is the last one, whose results are handed out
  int watches;      // 1: what follows from the results is asked for, too
  int niter;        // iterations of the solver
  Real norm;        // conjugate gradients: square of the last gradient
  int status;       // CUD_BAD_QPOS ...
} Cu;

// Address of an intermediate result. Shared memory of a GPU is named directly, so that the compiler knows that the
// workspace is there.
#if defined(__CUDACC__) && !CU_FAR
extern __shared__ __align__(16) unsigned char cu_shared[];
#define CU_PART(c)    (c)->part
#define CU_W(c, name) ((Real*)cu_shared + CU_PART(c) + (c)->m->at.name)
#else
#define CU_W(c, name) ((c)->w + (c)->m->at.name)
#endif

// this simulation's row of an array over simulations
#define CU_ROW(c, array, n) ((c)->t->array + (int64_t)(c)->sim * (n))

// copies an intermediate result to the array that a caller has asked for
#define CU_OUT(c, name, from, count)                  \
  do {                                                \
    if (CU_HAS((c)->t->out.name) && (c)->last) {      \
      Real* const to = CU_ROW(c, out.name, count);    \
      CU_FOR(out_i, count) to[out_i] = (from)[out_i]; \
    }                                                 \
  } while (0)

// place of entry (row, column), column <= row, in a packed lower triangle
CU_FN int cu_at(int row, int col) {
  return row * (row + 1) / 2 + col;
}

// Runs a stage that few models have as a call of its own, on a copy: what it needs does not weigh on the registers of
// the others.
#define CU_RARE(c, stage) \
  do {                    \
    const Cu rare = *(c); \
    stage(&rare);         \
  } while (0)
