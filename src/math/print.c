// Matrices on standard output, for debugging by eye.
#include <stdio.h>

#include <mujoco/mujoco.h>

void mju_printMat(const mjtNum* mat, int nr, int nc) {
  for (int r = 0; r < nr; r++, mat += nc) {
    for (int c = 0; c < nc; c++) printf("%.8f ", mat[c]);
    printf("\n");
  }
  printf("\n");
}

void mju_printMatSparse(const mjtNum* mat, int nr, const int* rownnz, const int* rowadr, const int* colind) {
  for (int r = 0; r < nr; r++) {
    // row and column before each number
    for (int k = 0; k < rownnz[r]; k++) printf("(%d %d): %9.6f  ", r, colind[rowadr[r] + k], mat[rowadr[r] + k]);
    printf("\n");
  }
  printf("\n");
}
