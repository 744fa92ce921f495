// Sparse matrices by rows. Row r holds rownnz[r] entries from position rowadr[r] of colind and of the values;
// columns ascend within a row. Rows need not be packed.
#pragma once

#include "math/simd/kernels.h"

// Structure of a sparse matrix, read only. Kept apart from the values, which change while the structure stays.
typedef struct {
  int nr;               // number of rows
  int nc;               // number of columns
  const int* rownnz;    // (nr) entries per row
  const int* rowadr;    // (nr) where each row starts
  const int* colind;    // column of each entry
  const int* rowsuper;  // (nr) how many of the following rows have the same columns; NULL: unknown
} MthPattern;

// Structure to be written.
typedef struct {
  int* rownnz;
  int* rowadr;
  int* colind;
} MthPatternOut;

// One sparse row.
typedef struct {
  int nnz;
  int* ind;
  mjtNum* val;
} MthRow;

//---------------------------------- products ----------------------------------

// dot product of two sparse rows
mjtNum mth_dotSparse2(const mjtNum* val1, const int* ind1, int nnz1, const mjtNum* val2, const int* ind2, int nnz2);

// res = mat * vec
void mth_mulMatVecSparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, const MthPattern* p);

// res = mat' * vec; rows whose vec entry is 0 are skipped
void mth_mulMatTVecSparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, const MthPattern* p);

// res = (S + S' - diag S) * vec for the lower triangle S of a symmetric matrix
void mth_mulSymVecSparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, const MthPattern* p);

//---------------------------------- rows ----------------------------------

// dst = a*dst + b*src with the union of both patterns, which dst must have room for
void mth_combineSparse(MthRow* dst, const MthRow* src, mjtNum a, mjtNum b);

// number of entries in the union of two patterns
int mth_combineSparseCount(int n1, int n2, const int* ind1, const int* ind2);

// dst += scl*src where the pattern of src is contained in that of dst
void mth_addToSclSparseInc(const MthRow* dst, const MthRow* src, mjtNum scl);

//---------------------------------- whole matrices ----------------------------------

// transpose; res and mat may both be NULL to transpose the structure alone. The rows of the result are packed.
// mat and colind begin with the first row, whatever its address: a block of rows of a matrix can be given.
void mth_transposeSparse(mjtNum* res, const MthPatternOut* out, const mjtNum* mat, const MthPattern* p);

// drops entries with magnitude at most minval (negative: none) and packs the rows; returns the number of entries kept
int mth_compressSparse(mjtNum* mat, int nr, const MthPatternOut* p, mjtNum minval);

// rowsuper[r]: how many rows after r have the same columns as r
void mth_superSparse(int* rowsuper, const MthPattern* p);

//---------------------------------- J' D J ----------------------------------

// structure of the lower triangle of J'*J from J and its transpose: packed rows, columns ascending, the diagonal always
// present and last. out->colind NULL: counts only. scratch: int[J->nc]. Returns the number of entries.
// Uses J->rowsuper when given.
int mth_sqrMatTDSymbolic(const MthPatternOut* out, const MthPattern* J, const MthPattern* JT, int* scratch);

// Structures that take part in the numeric product.
typedef struct {
  const MthPattern* H;   // lower triangle, contains the structure of J'*J
  const MthPattern* J;   // rowsuper is used when given
  const MthPattern* JT;  // transpose of J
} MthSqrPattern;

// res = lower triangle of J'*diag*J (diag NULL: ones); rows with diag 0 are skipped. JT are the values of the
// transpose. scratch: mjtNum[J->nc], zero on entry and on return. Each entry sums over the rows of J in sequence.
void mth_sqrMatTDNumeric(mjtNum* res, const mjtNum* J, const mjtNum* JT, const mjtNum* diag, const MthSqrPattern* p,
                         mjtNum* scratch);

//---------------------------------- Cholesky: A = L' L ----------------------------------
// L is lower triangular and elimination runs from the last row to the first, so that matrices of kinematic
// trees (parents before children) have no fill-in. The diagonal is the last entry of each row.

// structure of L from the lower triangle of A: packed rows, columns ascending. out->colind NULL: counts only.
// scratch: int[4*n + entries of A]. Returns the number of entries.
int mth_cholSymbolicSparse(const MthPatternOut* out, const MthPattern* A, int* scratch);

// values of L from those of the lower triangle of A, whose structure is contained in that of L. Pivots below mindiag
// are raised to it. Returns the rank: the number of pivots that were not raised.
int mth_cholNumericSparse(mjtNum* L, const MthPattern* p, const mjtNum* A, const MthPattern* Ap, mjtNum mindiag);

// res = A^-1 * vec; res may be vec
void mth_cholSolveSparse(mjtNum* res, const mjtNum* L, const mjtNum* vec, const MthPattern* p);

// L for A + x x' (flg_plus) or A - x x'. x is dense, its nonzeros lie in the structure of row `last` of L, the last of
// them in column `last`; on return x is zero. Returns the rank.
int mth_cholUpdateSparse(mjtNum* L, const MthPattern* p, mjtNum* x, int last, int flg_plus);
