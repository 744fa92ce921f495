// What the benchmarks share: a library opened at run time, clocks, medians.
#pragma once

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// a library apart from the other one; ends the program when it does not load
static inline void* bch_open(const char* path) {
  void* const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    fprintf(stderr, "%s\n", dlerror());
    exit(2);
  }
  return handle;
}

// address of a function or variable; ends the program when there is none
static inline void* bch_symbol(void* handle, const char* name) {
  void* const address = dlsym(handle, name);
  if (!address) {
    fprintf(stderr, "no %s\n", name);
    exit(2);
  }
  return address;
}

// seconds of a clock: CLOCK_MONOTONIC is the wall's; CLOCK_THREAD_CPUTIME_ID and CLOCK_PROCESS_CPUTIME_ID are the
// processor's, in which other programs on the machine do not count
static inline double bch_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int bch_ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// sorts the values
static inline double bch_median(double* values, int n) {
  qsort(values, (size_t)n, sizeof(double), bch_ascending);
  return values[n / 2];
}
