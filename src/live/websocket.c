// WebSocket (RFC 6455): see websocket.h. The handshake asks for SHA-1 (FIPS 180-4), which guards nothing there.
#include "live/websocket.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"

//---------------------------------- handshake ----------------------------------

static uint32_t rotate(uint32_t x, int n) {
  return x << n | x >> (32 - n);
}

// one block of 64 bytes into the five words of the digest
static void digestBlock(uint32_t digest[5], const unsigned char block[64]) {
  uint32_t w[80], a = digest[0], b = digest[1], c = digest[2], d = digest[3], e = digest[4];
  for (int i = 0; i < 16; i++) {
    const unsigned char* const p = block + 4 * (size_t)i;
    w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
  }
  for (int i = 16; i < 80; i++) w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  for (int i = 0; i < 80; i++) {
    // choice, parity, majority, parity: twenty rounds each
    static const uint32_t ROUND[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    const uint32_t mixed[4] = {(b & c) | (~b & d), b ^ c ^ d, (b & c) | (b & d) | (c & d), b ^ c ^ d};
    const uint32_t next = rotate(a, 5) + mixed[i / 20] + e + ROUND[i / 20] + w[i];
    e = d;
    d = c;
    c = rotate(b, 30);
    b = a;
    a = next;
  }
  const uint32_t sum[5] = {a, b, c, d, e};
  for (int i = 0; i < 5; i++) digest[i] += sum[i];
}

void liv_acceptKey(const char* key, char accept[LIV_ACCEPT]) {
  enum { BLOCK = 64, MOST = 119 };  // two blocks hold that many characters, the bit behind them and their number
  char text[MOST + 1];
  snprintf(text, sizeof(text), "%.60s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
  const size_t n = strlen(text), blocks = n < BLOCK - 8 ? 1 : 2;
  unsigned char padded[2 * BLOCK] = {0};
  memcpy(padded, text, n);
  padded[n] = 0x80;
  for (size_t i = 0; i < 2; i++) padded[BLOCK * blocks - 1 - i] = (unsigned char)(8 * n >> (8 * i));
  uint32_t digest[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  for (size_t i = 0; i < blocks; i++) digestBlock(digest, padded + BLOCK * i);
  uint8_t bytes[20];
  for (int i = 0; i < 20; i++) bytes[i] = (uint8_t)(digest[i / 4] >> (24 - 8 * (i % 4)));
  bas_encodeBase64(accept, bytes, sizeof(bytes));
}

//---------------------------------- writing ----------------------------------

size_t liv_frameHead(unsigned char head[LIV_FRAME_HEAD], int kind, uint64_t size, const unsigned char* mask) {
  const unsigned char masked = mask ? 0x80 : 0;
  const size_t wide = size < 126 ? 0 : size < 65536 ? 2 : 8;
  head[0] = (unsigned char)(0x80 | kind);
  head[1] = (unsigned char)(masked | (wide == 0 ? (unsigned char)size : wide == 2 ? 126 : 127));
  for (size_t i = 0; i < wide; i++) head[2 + i] = (unsigned char)(size >> (8 * (wide - 1 - i)));
  if (mask) memcpy(head + 2 + wide, mask, 4);
  return 2 + wide + (mask ? 4 : 0);
}

void liv_mask(unsigned char* bytes, size_t n, const unsigned char mask[4]) {
  for (size_t i = 0; i < n; i++) bytes[i] ^= mask[i % 4];
}

//---------------------------------- reading ----------------------------------

void liv_freeReader(LivReader* reader) {
  free(reader->bytes);
  free(reader->parts);
  *reader = (LivReader){0};
}

// makes room for n bytes more
static int grow(unsigned char** at, size_t used, size_t n, size_t* room) {
  if (used + n <= *room) return 1;
  size_t wanted = *room ? *room : 4096;
  while (wanted < used + n) wanted *= 2;
  unsigned char* const larger = realloc(*at, wanted);
  if (!larger) return 0;
  *at = larger;
  *room = wanted;
  return 1;
}

int liv_feed(LivReader* reader, const unsigned char* bytes, size_t n) {
  // what was read already makes room first
  if (reader->taken) {
    memmove(reader->bytes, reader->bytes + reader->taken, reader->n - reader->taken);
    reader->n -= reader->taken;
    reader->taken = 0;
  }
  if (!grow(&reader->bytes, reader->n, n, &reader->room)) return 0;
  if (n) memcpy(reader->bytes + reader->n, bytes, n);
  reader->n += n;
  return 1;
}

static int wrong(LivReader* reader, int code, const char* reason) {
  reader->code = code;
  reader->reason = reason;
  return -1;
}

// The head of a frame: how long it is and how long what follows. 1, 0 or -1 as liv_nextFrame.
static int readHead(LivReader* reader, size_t* head, uint64_t* size) {
  enum { PROTOCOL = 1002, TOO_BIG = 1009 };
  const unsigned char* const p = reader->bytes + reader->taken;
  const size_t left = reader->n - reader->taken;
  if (left < 2) return 0;
  const int kind = p[0] & 15, last = p[0] >> 7, masked = p[1] >> 7;
  if (p[0] & 0x70) return wrong(reader, PROTOCOL, "a frame with bits that nobody agreed on");
  if (kind > LIV_PONG || (kind > LIV_BINARY && kind < LIV_CLOSE)) {
    return wrong(reader, PROTOCOL, "a frame of an unknown kind");
  }
  if (masked != reader->masked) return wrong(reader, PROTOCOL, masked ? "a masked frame" : "a frame without a mask");
  if (kind >= LIV_CLOSE && (!last || (p[1] & 127) > 125)) return wrong(reader, PROTOCOL, "a control frame too long");
  if (kind < LIV_CLOSE && (kind == 0) != (reader->kind != 0)) {
    return wrong(reader, PROTOCOL, "parts of messages in disorder");
  }
  const size_t wide = (p[1] & 127) < 126 ? 0 : (p[1] & 127) == 126 ? 2 : 8;
  *head = 2 + wide + (masked ? 4 : 0);
  *size = p[1] & 127;
  if (left < *head) return 0;
  if (wide) *size = 0;
  for (size_t i = 0; i < wide; i++) *size = *size << 8 | p[2 + i];
  const size_t before = kind < LIV_CLOSE ? reader->nparts : 0;
  if (*size > reader->most || before > reader->most - *size) return wrong(reader, TOO_BIG, "a message too long");
  return 1;
}

int liv_nextFrame(LivReader* reader, LivFrame* frame) {
  for (;;) {
    size_t head = 0;
    uint64_t size = 0;
    const int found = readHead(reader, &head, &size);
    if (found <= 0) return found;
    if (reader->n - reader->taken < head + size) return 0;
    unsigned char* const p = reader->bytes + reader->taken;
    unsigned char* const body = p + head;
    const int kind = p[0] & 15, last = p[0] >> 7;
    if (reader->masked) liv_mask(body, (size_t)size, body - 4);
    reader->taken += head + (size_t)size;
    *frame = (LivFrame){kind, body, (size_t)size};
    if (kind >= LIV_CLOSE || (kind && last)) return 1;

    // one part of several
    if (kind) {
      reader->kind = kind;
      reader->nparts = 0;
    }
    if (!grow(&reader->parts, reader->nparts, (size_t)size, &reader->partsRoom)) {
      return wrong(reader, 1011, "no memory for a message");
    }
    if (size) memcpy(reader->parts + reader->nparts, body, (size_t)size);
    reader->nparts += (size_t)size;
    if (!last) continue;
    *frame = (LivFrame){reader->kind, reader->parts, reader->nparts};
    reader->kind = 0;
    reader->nparts = 0;
    return 1;
  }
}
