// Recording of results under names, in order: written once with the reference, compared ever after with ours. The
// program that records calls nothing but the public interface, so that it links to either library.
//
// A number of every array stands for all of it: two weighted sums and the largest magnitude. A single wrong element
// changes them by more than the tolerance, which is stored with them: how far the reference itself moves when its
// input moves in the fourteenth digit, times a thousand.
//
// test/golden/data/<case>.bin: "SNGOLD1\n", then one record after the other, little-endian:
//   uint32 hash of the name, uint32 count of elements, uint8 kind, uint8 digits of the tolerance, then by kind
//   0 all zero: nothing · 1 few: the elements (double each) · 2 many: three doubles · 3 exact: uint64 hash · 4 nothing
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct Rec Rec;

// A case records what a library does; it must do the same at every call but for rec_nudge.
typedef void (*RecCase)(Rec* rec, const void* arg);

// runs a case and compares with the file; the number of records that differ, or -1 when there is no file
int rec_compare(const char* path, RecCase run, const void* arg);

// runs a case once and again with nudged inputs, writes the file; 0 on success
int rec_write(const char* path, RecCase run, const void* arg);

// names of what follows begin with this
void rec_scope(Rec* rec, const char* format, ...) __attribute__((format(printf, 2, 3)));

// numbers: equal up to the tolerance; NULL is allowed when there are none
void rec_num(Rec* rec, const char* name, const double* x, size_t n);
void rec_float(Rec* rec, const char* name, const float* x, size_t n);

// equal in every bit
void rec_bytes(Rec* rec, const char* name, const void* x, size_t size);
void rec_int(Rec* rec, const char* name, const int* x, size_t n);
void rec_text(Rec* rec, const char* name, const char* text);

// an input that may be nudged: x itself when comparing and in the first run, x moved by about 1e-14 in the others
double rec_nudge(Rec* rec, double x);
