// Text output shared by the dumps of mjModel and mjData, and matrices on standard output.
#include "print/print.h"

#include <stdio.h>
#include <string.h>

// layout of the default: sign, left-aligned, two digits
#define DEFAULT_FORMAT "% -9.2g"
#define LONGEST_FORMAT 20

//---------------------------------- format ------------------------------------------------------------------------

// NULL: the format takes one floating-point number and nothing else; otherwise what is wrong with it
static const char* formatFault(const char* format) {
  if (!format) return "is missing";
  if (strlen(format) > LONGEST_FORMAT) return "is too long";
  if (*format++ != '%') return "does not start with %";

  // flags, each at most once
  static const char FLAGS[] = "-+ #0";
  int seen[sizeof(FLAGS)] = {0};
  for (const char* flag; *format && (flag = strchr(FLAGS, *format)); format++) {
    if (seen[flag - FLAGS]++) return "repeats a flag";
  }

  // width and precision are digits; a star would need another argument
  format += strspn(format, "0123456789");
  if (*format == '.') format += 1 + strspn(format + 1, "0123456789");
  if (!*format || !strchr("fgGeE", *format)) return "does not end in one of fgGeE";
  return format[1] ? "has text behind the number" : NULL;
}

int prn_start(PrnPrinter* p, const char* filename, const char* format) {
  const char* const fault = formatFault(format);
  if (fault) mju_warning("float_format %s, using the default instead", fault);
  p->format = fault ? DEFAULT_FORMAT : format;
  p->file = filename ? fopen(filename, "wt") : stdout;
  if (p->file) return 1;
  mju_warning("Could not open file '%s' for writing", filename);
  return 0;
}

void prn_end(PrnPrinter* p) {
  if (p->file == stdout) {
    fflush(stdout);
  } else {
    fclose(p->file);
  }
}

//---------------------------------- numbers and arrays ------------------------------------------------------------

// formats have been checked by formatFault
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

void prn_number(const PrnPrinter* p, mjtNum x) {
  fprintf(p->file, p->format, x);
}

int prn_width(const PrnPrinter* p) {
  return snprintf(NULL, 0, p->format, 0.0);
}

#pragma GCC diagnostic pop

void prn_vector(const PrnPrinter* p, const char* title, const mjtNum* data, mjtSize n) {
  if (!data || !n) return;
  fputs(title, p->file);
  for (mjtSize i = 0; i < n; i++) {
    fputc(' ', p->file);
    prn_number(p, data[i]);
  }
  fputc('\n', p->file);
}

void prn_matrix(const PrnPrinter* p, const char* title, mjtSize nr, mjtSize nc, const mjtNum* data) {
  if (!data || !nr || !nc) return;
  fprintf(p->file, "%s\n", title);
  for (mjtSize r = 0; r < nr; r++) prn_vector(p, " ", data + r * nc, nc);
  fputc('\n', p->file);
}

void prn_ints(const PrnPrinter* p, const char* title, mjtSize nr, mjtSize nc, const int* data) {
  if (!data || !nr || !nc) return;
  fprintf(p->file, "%s\n", title);
  for (mjtSize r = 0; r < nr; r++) {
    fputc(' ', p->file);
    for (mjtSize c = 0; c < nc; c++) fprintf(p->file, " %d", data[r * nc + c]);
    fputc('\n', p->file);
  }
  fputc('\n', p->file);
}

void prn_intLine(const PrnPrinter* p, const char* title, mjtSize n, const int* data) {
  fprintf(p->file, "%-21s", title);
  for (mjtSize i = 0; data && i < n; i++) fprintf(p->file, " %d", data[i]);
  fputs("\n\n", p->file);
}

void prn_bytes(const PrnPrinter* p, const char* label, double bytes) {
  if (bytes < 1024) {
    fprintf(p->file, "  %s%5.0f bytes", label, bytes);
  } else {
    fprintf(p->file, "  %s%7.0f KB", label, bytes / 1024);
  }
}

//---------------------------------- sparse matrices ---------------------------------------------------------------

void prn_sparse(const PrnPrinter* p, const char* title, const PrnSparse* s) {
  if (!s->values || !s->nr || s->nr > PRN_WIDEST) return;
  fprintf(p->file, "%s\n", title);
  for (int r = 0; r < s->nr; r++) {
    fputs("  ", p->file);
    for (int k = s->rowadr[r]; k < s->rowadr[r] + s->rownnz[r]; k++) {
      fprintf(p->file, "  %2d: ", s->colind[k]);
      prn_number(p, s->values[k]);
    }
    fputc('\n', p->file);
  }
  fputc('\n', p->file);
}

// line above and below a drawing
static void printRule(const PrnPrinter* p, int nc) {
  for (int c = 0; c < nc + 2; c++) fputc('-', p->file);
  fputc('\n', p->file);
}

void prn_pattern(const PrnPrinter* p, const char* title, const PrnSparse* s) {
  if (!s->nr || !s->nc || s->nc > PRN_WIDEST) return;
  fprintf(p->file, "%s\n", title);
  printRule(p, s->nc);
  for (int r = 0; r < s->nr; r++) {
    // columns ascend, so one pass over the row's entries is enough
    const int* const column = s->colind + s->rowadr[r];
    fputc(' ', p->file);
    for (int c = 0, k = 0; c < s->nc; c++) {
      const int here = k < s->rownnz[r] && column[k] == c;
      fputc(!here ? ' ' : s->diag && s->diag[r] == k ? 'D' : 'x', p->file);
      k += here;
    }
    fputs(" |", p->file);
    if (s->rowsuper && s->rowsuper[r] > 0) fprintf(p->file, " %d", s->rowsuper[r]);
    fputc('\n', p->file);
  }
  printRule(p, s->nc);
  fputc('\n', p->file);
}

//---------------------------------- matrices ----------------------------------------------------------------------

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
