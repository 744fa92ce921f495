// Heads of messages: see message.h.
#include "live/message.h"

#include <string.h>

static const char MAGIC[4] = {'S', 'N', 'V', '1'};

static void put(unsigned char* at, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get(const unsigned char* at, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++) value |= (uint64_t)at[i] << (8 * i);
  return value;
}

void liv_writeHead(unsigned char head[LIV_HEAD], const LivMessage* message) {
  memcpy(head, MAGIC, sizeof(MAGIC));
  put(head + 4, message->kind, 4);
  put(head + 8, message->signature, 8);
  put(head + 16, message->nsim, 4);
  put(head + 20, message->spec, 4);
  put(head + 24, message->bytes, 8);
}

const char* liv_readMessage(const unsigned char* bytes, size_t n, LivMessage* message) {
  *message = (LivMessage){0};
  if (n < LIV_HEAD || memcmp(bytes, MAGIC, sizeof(MAGIC)) != 0) return "not a message of a program to a viewer";
  *message = (LivMessage){.kind = (uint32_t)get(bytes + 4, 4),
                          .signature = get(bytes + 8, 8),
                          .nsim = (uint32_t)get(bytes + 16, 4),
                          .spec = (uint32_t)get(bytes + 20, 4),
                          .bytes = get(bytes + 24, 8),
                          .body = bytes + LIV_HEAD};
  if (message->kind != LIV_HELLO && message->kind != LIV_STATE) return "a message of an unknown kind";
  if (message->bytes != n - LIV_HEAD) return "a message that is not as long as it says";
  if (message->nsim < 1 || message->nsim > LIV_MOST_SIMS) return "a message of too many simulations or of none";
  return NULL;
}
