// What the matrix printers write, character by character.
#include "math/compare.h"

#include <stdio.h>
#include <unistd.h>

static const double MAT[6] = {1, -2.5, 1e-9, 3e5, NAN, 0};

// runs one printer with standard output in a temporary file and reads that back
static void capture(char text[1000], void (*print)(void)) {
  fflush(stdout);
  FILE* file = tmpfile();
  const int saved = dup(1);
  dup2(fileno(file), 1);
  print();
  fflush(stdout);
  dup2(saved, 1);
  close(saved);
  rewind(file);
  text[fread(text, 1, 999, file)] = 0;
  fclose(file);
}

static void dense(void) {
  mju_printMat(MAT, 2, 3);
}

static void sparse(void) {
  const int rownnz[2] = {1, 2}, rowadr[2] = {0, 1}, colind[3] = {2, 0, 5};
  mju_printMatSparse(MAT, 2, rownnz, rowadr, colind);
}

static void printed(void** state) {
  (void)state;
  char text[1000];
  capture(text, dense);
  assert_string_equal(text, "1.00000000 -2.50000000 0.00000000 \n300000.00000000 nan 0.00000000 \n\n");
  capture(text, sparse);
  assert_string_equal(text, "(0 2):  1.000000  \n(1 0): -2.500000  (1 5):  0.000000  \n\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(printed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
