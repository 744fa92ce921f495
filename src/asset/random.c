// The 64-bit Mersenne Twister; see random.h.
#include "asset/random.h"

enum { MT_MIDDLE = 156 };

static const uint64_t MT_MATRIX = 0xB5026F5AA96619E9u;
static const uint64_t MT_UPPER = 0xFFFFFFFF80000000u;  // upper 33 bits
static const uint64_t MT_LOWER = 0x7FFFFFFFu;          // lower 31 bits

void ast_randomSeed(AstRandom* r, uint64_t seed) {
  r->state[0] = seed;
  for (int i = 1; i < AST_MT_SIZE; i++) {
    const uint64_t last = r->state[i - 1];
    r->state[i] = 6364136223846793005u * (last ^ (last >> 62)) + (uint64_t)i;
  }
  r->next = AST_MT_SIZE;
}

// renews the whole state
static void twist(AstRandom* r) {
  for (int i = 0; i < AST_MT_SIZE; i++) {
    const uint64_t joined = (r->state[i] & MT_UPPER) | (r->state[(i + 1) % AST_MT_SIZE] & MT_LOWER);
    const uint64_t mixed = (joined >> 1) ^ (joined & 1 ? MT_MATRIX : 0);
    r->state[i] = r->state[(i + MT_MIDDLE) % AST_MT_SIZE] ^ mixed;
  }
  r->next = 0;
}

uint64_t ast_randomBits(AstRandom* r) {
  if (r->next >= AST_MT_SIZE) twist(r);
  uint64_t x = r->state[r->next++];
  x ^= (x >> 29) & 0x5555555555555555u;
  x ^= (x << 17) & 0x71D67FFFEDA60000u;
  x ^= (x << 37) & 0xFFF7EEE000000000u;
  return x ^ (x >> 43);
}
