// Small vectors and matrices, integer vectors, gathering and scattering, maps between sparse structures. See compat.h.
#include <math.h>
#include <string.h>

#include "compat/compat.h"
#include "math/simd/kernels.h"
#include "math/spatial.h"
#include "math/vec.h"

//---------------------------------- fixed size ----------------------------------

int mju_equal3(const mjtNum vec1[3], const mjtNum vec2[3]) {
  for (int i = 0; i < 3; i++) {
    if (!(fabs(vec1[i] - vec2[i]) < mjMINVAL)) return 0;
  }
  return 1;
}

void mju_mulMatMat3(mjtNum res[9], const mjtNum mat1[9], const mjtNum mat2[9]) {
  mth_mulMatMat3(res, mat1, mat2);
}

void mju_mulMatTMat3(mjtNum res[9], const mjtNum mat1[9], const mjtNum mat2[9]) {
  mth_mulMatTMat3(res, mat1, mat2);
}

void mju_mulMatMatT3(mjtNum res[9], const mjtNum mat1[9], const mjtNum mat2[9]) {
  mth_mulMatMatT3(res, mat1, mat2);
}

void mju_mulInertVec(mjtNum res[6], const mjtNum inert[10], const mjtNum vec[6]) {
  mth_mulInertVec(res, inert, vec);
}

//---------------------------------- any length ----------------------------------

void mju_zeroInt(int* res, int n) {
  mth_zeroInt(res, n);
}

void mju_copyInt(int* res, const int* vec, int n) {
  mth_copyInt(res, vec, n);
}

int mju_isZeroByte(const unsigned char* vec, int n) {
  // the first is 0 and each equals the one before
  return n == 0 || (vec[0] == 0 && memcmp(vec, vec + 1, (size_t)n - 1) == 0);
}

void mju_gather(mjtNum* res, const mjtNum* vec, const int* ind, int n) {
  mth_gather(res, vec, ind, n);
}

void mju_gatherMasked(mjtNum* res, const mjtNum* vec, const int* ind, int n) {
  for (int i = 0; i < n; i++) res[i] = ind[i] < 0 ? 0 : vec[ind[i]];
}

void mju_gatherInt(int* res, const int* vec, const int* ind, int n) {
  for (int i = 0; i < n; i++) res[i] = vec[ind[i]];
}

void mju_scatter(mjtNum* res, const mjtNum* vec, const int* ind, int n) {
  mth_scatter(res, vec, ind, n);
}

void mju_scatterInt(int* res, const int* vec, const int* ind, int n) {
  for (int i = 0; i < n; i++) res[ind[i]] = vec[i];
}

//---------------------------------- maps ----------------------------------

// first entry from `at` on whose column is not before col
static int seek(const int* colind, int at, int end, int col) {
  while (at < end && colind[at] < col) at++;
  return at;
}

void mju_sparseMap(int* map, int nr, const int* res_rowadr, const int* res_rownnz, const int* res_colind,
                   const int* src_rowadr, const int* src_rownnz, const int* src_colind) {
  for (int r = 0; r < nr; r++) {
    const int first = res_rowadr[r], end = src_rowadr[r] + src_rownnz[r];
    int from = src_rowadr[r];
    for (int k = first; k < first + res_rownnz[r]; k++) {
      from = seek(src_colind, from, end, res_colind[k]);
      map[k] = from++;
    }
  }
}

// entry k stands in column col of a row whose cursor has not passed it
static void enter(int* map, int* cursor, int end, const int* colind, int col, int k) {
  *cursor = seek(colind, *cursor, end, col);
  if (*cursor < end && colind[*cursor] == col) map[(*cursor)++] = k;
}

void mju_lower2SymMap(int* map, int nr, const int* res_rowadr, const int* res_rownnz, const int* res_colind,
                      const int* src_rowadr, const int* src_rownnz, const int* src_colind, int* cursor) {
  for (int r = 0; r < nr; r++) {
    cursor[r] = res_rowadr[r];
    for (int k = 0; k < res_rownnz[r]; k++) map[res_rowadr[r] + k] = -1;
  }

  // entry (r, c) stands in rows r and c of the result; a row fills from left to right, because its mirrored entries
  // come after its own
  for (int r = 0; r < nr; r++) {
    for (int k = src_rowadr[r]; k < src_rowadr[r] + src_rownnz[r]; k++) {
      const int c = src_colind[k];
      enter(map, cursor + r, res_rowadr[r] + res_rownnz[r], res_colind, c, k);
      if (c < r) enter(map, cursor + c, res_rowadr[c] + res_rownnz[c], res_colind, r, k);
    }
  }
}
