// What a running program tells a viewer, each a binary message of a WebSocket. A head of 32 bytes with numbers in
// little-endian order,
//
//   0   "SNV1"
//   4   kind         1: hello, 2: state
//   8   signature    of the model
//   16  nsim         how many simulations
//   20  spec         bits of mjtState that a state has
//   24  bytes        of what follows
//
// then, in a hello, the model: MJB, or MJCF where it begins with '<'; in a state, for each simulation the numbers that
// mj_getState gives for spec.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { LIV_HELLO = 1, LIV_STATE = 2, LIV_HEAD = 32, LIV_MOST_SIMS = 1024, LIV_PORT = 7700 };

// bytes of a message
#define LIV_MOST_BYTES ((size_t)1 << 29)

typedef struct {
  uint32_t kind, nsim, spec;
  uint64_t signature, bytes;
  const unsigned char* body;
} LivMessage;

void liv_writeHead(unsigned char head[LIV_HEAD], const LivMessage* message);

// NULL: read; else what is wrong with it.
const char* liv_readMessage(const unsigned char* bytes, size_t n, LivMessage* message);
