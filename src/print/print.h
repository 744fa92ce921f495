// Writing arrays as text, in the layout of the reference's dumps, so that two dumps can be compared line by line.
#pragma once

#include <mujoco/mujoco.h>
#include <stdio.h>

// matrices with more columns or rows than this are left out: nobody reads them
#define PRN_WIDEST 300

// where and how numbers are written
typedef struct {
  FILE* file;
  const char* format;  // printf format of one floating-point number
} PrnPrinter;

// sparse matrix: pattern and, where numbers are printed, values
typedef struct {
  int nr, nc;
  const int *rownnz, *rowadr, *colind;
  const int* diag;      // place of the diagonal in each row, or NULL
  const int* rowsuper;  // supernodes, or NULL
  const mjtNum* values;
} PrnSparse;

// opens the file (NULL: standard output) and settles on a format; 0 after a warning
int prn_start(PrnPrinter* p, const char* filename, const char* format);

// closes what prn_start opened
void prn_end(PrnPrinter* p);

// one number in the printer's format
void prn_number(const PrnPrinter* p, mjtNum x);

// characters that a zero takes
int prn_width(const PrnPrinter* p);

// a label, then numbers in one line
void prn_vector(const PrnPrinter* p, const char* title, const mjtNum* data, mjtSize n);

// a title, then one line per row; nothing for an empty or missing array
void prn_matrix(const PrnPrinter* p, const char* title, mjtSize nr, mjtSize nc, const mjtNum* data);
void prn_ints(const PrnPrinter* p, const char* title, mjtSize nr, mjtSize nc, const int* data);

// a padded label, then ints in the same line and an empty line
void prn_intLine(const PrnPrinter* p, const char* title, mjtSize n, const int* data);

// column: value pairs, one line per row
void prn_sparse(const PrnPrinter* p, const char* title, const PrnSparse* s);

// pattern of a sparse matrix as a drawing
void prn_pattern(const PrnPrinter* p, const char* title, const PrnSparse* s);

// bytes or kilobytes
void prn_bytes(const PrnPrinter* p, const char* label, double bytes);
