// The 64-bit Mersenne Twister: random marks of textures follow it, so they look the same everywhere.
// M. Matsumoto, T. Nishimura: Mersenne Twister, ACM TOMACS 8 (1998); 64-bit variant of 2004.
#pragma once

#include <stdint.h>

enum { AST_MT_SIZE = 312 };

typedef struct {
  uint64_t state[AST_MT_SIZE];
  int next;
} AstRandom;

void ast_randomSeed(AstRandom* r, uint64_t seed);
// 64 random bits
uint64_t ast_randomBits(AstRandom* r);

// uniform in [0, 1): the bits as a fraction
static inline double ast_randomUniform(AstRandom* r) {
  return (double)ast_randomBits(r) * 0x1p-64;
}
