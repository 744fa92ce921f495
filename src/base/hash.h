// A hash of bytes that tells contents of files apart: 128 bits, several bytes a cycle. Not against an adversary.
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint64_t word[2];
} BasHash;

// the hash of nothing
#define BAS_NO_HASH                              \
  {                                              \
    { 0x6a09e667f3bcc908u, 0xbb67ae8584caa73bu } \
  }

static inline uint64_t bas_hashMix(uint64_t h, uint64_t word) {
  h = (h ^ word) * 0x9e3779b97f4a7c15u;
  return h ^ (h >> 29);
}

// hash, gone on with n bytes: four words in turn, so that their multiplications overlap, then what is left
static inline BasHash bas_hashBytes(BasHash hash, const void* bytes, size_t n) {
  const unsigned char* at = bytes;
  uint64_t lane[4] = {hash.word[0], hash.word[1], ~hash.word[0], ~hash.word[1]}, word;
  size_t left = n;
  for (; left >= 32; left -= 32, at += 32) {
    for (int k = 0; k < 4; k++) {
      memcpy(&word, at + 8 * k, 8);
      lane[k] = bas_hashMix(lane[k], word);
    }
  }
  for (; left; left--, at++) lane[left & 3] = bas_hashMix(lane[left & 3], *at);

  // both halves of the result depend on all lanes and on the length
  const uint64_t a = bas_hashMix(bas_hashMix(lane[0], lane[1]), lane[2] + n);
  const uint64_t b = bas_hashMix(bas_hashMix(lane[3], lane[2]), lane[0] + n);
  return (BasHash){
      {bas_hashMix(a, lane[3]), bas_hashMix(b, lane[1])}
  };
}

static inline int bas_sameHash(BasHash a, BasHash b) {
  return a.word[0] == b.word[0] && a.word[1] == b.word[1];
}
