// What was called, in few numbers: how often, a hash of the order of calls and of whole numbers, and two sums of the
// real ones, which other C libraries may change a little. Whoever includes this defines MEMORY_COUNT, the number of
// places.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  long calls;
  uint32_t hash;  // of the numbers of calls before each, and of whole numbers
  double sum, weighted, size;
  unsigned random;
} Memory;

static Memory memory[MEMORY_COUNT];
static int current;
static long total;

static inline void whole(long long value) {
  Memory* const m = memory + current;
  for (int i = 0; i < 8; i++) m->hash = (m->hash ^ (uint32_t)(value >> (8 * i) & 255)) * 16777619u;
}

// the next call, and where what follows belongs
static inline void remember(int place) {
  current = place;
  Memory* const m = memory + place;
  m->calls++;
  whole(total++);
}

// Large numbers count little more than others, so that none drowns the rest; the second sum has weights between one
// half and three halves, so that the order counts.
static inline void number(double real) {
  const double value = real / (1 + (real < 0 ? -real : real));
  Memory* const m = memory + current;
  m->random = m->random * 1664525u + 1013904223u;
  m->sum += value;
  m->weighted += value * (0.5 + (m->random >> 8) / 16777216.0);
  m->size += value < 0 ? -value : value;
}

static inline void floats(const float* v, int n) {
  for (int i = 0; i < n; i++) number(v[i]);
}
static inline void doubles(const double* v, int n) {
  for (int i = 0; i < n; i++) number(v[i]);
}
static inline void bytes(const void* data, size_t n) {
  for (size_t i = 0; i < n; i++) number(((const unsigned char*)data)[i]);
}

static inline void memoryClear(void) {
  memset(memory, 0, sizeof(memory));
  total = 0;
}

// one line for each place that was used: scene, place, calls, hash, sums, size
static inline void memoryWrite(FILE* file, const char* scene, const char* const* names) {
  for (int i = 0; i < MEMORY_COUNT; i++) {
    const Memory* const m = memory + i;
    if (m->calls) {
      fprintf(file, "%s %s %ld %08x %.10g %.10g %.4g\n", scene, names[i], m->calls, m->hash, m->sum, m->weighted,
              m->size);
    }
  }
}
