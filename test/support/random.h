// Small deterministic random numbers for tests: the same sequence on every machine.
#pragma once

#include <stdint.h>

typedef struct {
  uint64_t state;
} Rnd;

// next 64 random bits (splitmix64)
static inline uint64_t rnd_bits(Rnd* r) {
  uint64_t z = (r->state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// uniform in [low, high)
static inline double rnd_uniform(Rnd* r, double low, double high) {
  return low + (high - low) * (double)(rnd_bits(r) >> 11) * 0x1p-53;
}

// uniform in {0, ..., n-1}
static inline int rnd_below(Rnd* r, int n) {
  return (int)(rnd_bits(r) % (uint64_t)n);
}
