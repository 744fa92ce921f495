// Writing arrays as text, in the layout of the reference's dumps, so that two dumps can be compared line by line.
#pragma once

#include <mujoco/mujoco.h>
#include <stdio.h>

// matrices with more columns or rows than this are left out: nobody reads them
#define TOO_WIDEST 300

// where and how numbers are written
typedef struct {
  FILE* file;
  const char* format;  // printf format of one floating-point number
} TooPrinter;

// sparse matrix: pattern and, where numbers are printed, values
typedef struct {
  int nr, nc;
  const int *rownnz, *rowadr, *colind;
  const int* diag;      // place of the diagonal in each row, or NULL
  const int* rowsuper;  // supernodes, or NULL
  const mjtNum* values;
} TooSparse;

// opens the file (NULL: standard output) and settles on a format; 0 after a warning
int too_printStart(TooPrinter* p, const char* filename, const char* format);

// closes what too_printStart opened
void too_printEnd(TooPrinter* p);

// one number in the printer's format
void too_printNumber(const TooPrinter* p, mjtNum x);

// characters that a zero takes
int too_printWidth(const TooPrinter* p);

// a label, then numbers in one line
void too_printVector(const TooPrinter* p, const char* title, const mjtNum* data, mjtSize n);

// a title, then one line per row; nothing for an empty or missing array
void too_printMatrix(const TooPrinter* p, const char* title, mjtSize nr, mjtSize nc, const mjtNum* data);
void too_printInts(const TooPrinter* p, const char* title, mjtSize nr, mjtSize nc, const int* data);

// a padded label, then ints in the same line and an empty line
void too_printIntLine(const TooPrinter* p, const char* title, mjtSize n, const int* data);

// column: value pairs, one line per row
void too_printSparse(const TooPrinter* p, const char* title, const TooSparse* s);

// pattern of a sparse matrix as a drawing
void too_printPattern(const TooPrinter* p, const char* title, const TooSparse* s);

// bytes or kilobytes
void too_printBytes(const TooPrinter* p, const char* label, double bytes);
