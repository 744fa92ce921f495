// Counter-based random numbers: Philox 4x32 with ten rounds. A number is a function of key and counter alone, so that
// any simulation's numbers can be computed by any thread in any order.
// J. Salmon, M. Moraes, R. Dror, D. Shaw: Parallel random numbers: as easy as 1, 2, 3 (SC 2011).
#include <math.h>

#include "batch/batch.h"
#include "math/elem.h"

// multipliers of the rounds, and what is added to the key between them
#define MULTIPLY0 0xD2511F53u
#define MULTIPLY1 0xCD9E8D57u
#define WEYL0     0x9E3779B9u
#define WEYL1     0xBB67AE85u

snRandom sn_makeRandom(uint64_t seed, uint32_t stream, uint32_t substream) {
  return (snRandom){
      .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
        .counter = { 0, 0,                     stream, substream}
  };
}

// numbers of the next block
static void refill(snRandom* r) {
  uint32_t c[4] = {r->counter[0], r->counter[1], r->counter[2], r->counter[3]};
  uint32_t k0 = r->key[0], k1 = r->key[1];
  for (int round = 0; round < 10; round++) {
    const uint64_t p0 = (uint64_t)MULTIPLY0 * c[0], p1 = (uint64_t)MULTIPLY1 * c[2];
    const uint32_t next[4] = {(uint32_t)(p1 >> 32) ^ c[1] ^ k0, (uint32_t)p1, (uint32_t)(p0 >> 32) ^ c[3] ^ k1,
                              (uint32_t)p0};
    for (int i = 0; i < 4; i++) c[i] = next[i];
    k0 += WEYL0;
    k1 += WEYL1;
  }
  for (int i = 0; i < 4; i++) r->block[i] = c[i];
  r->left = 4;
  if (++r->counter[0] == 0) r->counter[1]++;
}

uint32_t sn_randomBits(snRandom* random) {
  if (!random->left) refill(random);
  return random->block[4 - random->left--];
}

// uniform in [0, 1), 53 bits
static mjtNum unit(snRandom* r) {
  const uint64_t high = sn_randomBits(r), low = sn_randomBits(r);
  return (mjtNum)((high << 32 | low) >> 11) * 0x1p-53;
}

mjtNum sn_randomUniform(snRandom* random, mjtNum low, mjtNum high) {
  return low + (high - low) * unit(random);
}

// Box and Muller; the second number of the pair is not kept, so that a stream's state stays its count of draws
mjtNum sn_randomNormal(snRandom* random) {
  const mjtNum radius = sqrt(-2 * mth_log(1 - unit(random)));
  return radius * mth_cos(2 * mjPI * unit(random));
}
