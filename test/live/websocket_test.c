// WebSocket frames and messages of programs: written and read again, in pieces, out of order, cut, and as noise.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "live/message.h"
#include "live/websocket.h"

static uint32_t noise = 1;

static unsigned char next(void) {
  noise = noise * 1664525u + 1013904223u;
  return (unsigned char)(noise >> 24);
}

// the example of RFC 6455, and a key of the greatest length
static void keysAreAnswered(void** state) {
  (void)state;
  char accept[LIV_ACCEPT];
  liv_acceptKey("dGhlIHNhbXBsZSBub25jZQ==", accept);
  assert_string_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  char key[2000];
  memset(key, 'k', sizeof(key));
  key[sizeof(key) - 1] = 0;
  liv_acceptKey(key, accept);
  assert_int_equal(strlen(accept), LIV_ACCEPT - 1);
}

static size_t writeFrame(unsigned char* out, int kind, int last, const unsigned char* bytes, size_t n, int masked) {
  static const unsigned char MASK[4] = {0x12, 0x00, 0xff, 0x7e};
  const size_t head = liv_frameHead(out, kind, n, masked ? MASK : NULL);
  if (!last) out[0] &= 0x7f;
  if (n) memcpy(out + head, bytes, n);
  if (masked) liv_mask(out + head, n, MASK);
  return head + n;
}

// every length of head, masked or not, in pieces of any size
static void framesComeBack(void** state) {
  (void)state;
  static const size_t SIZES[] = {0, 1, 125, 126, 127, 65535, 65536, 70001};
  static unsigned char bytes[70001], stream[70100];
  for (size_t i = 0; i < sizeof(bytes); i++) bytes[i] = next();
  for (size_t s = 0; s < 2 * sizeof(SIZES) / sizeof(SIZES[0]); s++) {
    const size_t n = SIZES[s / 2], piece = s % 3 == 0 ? 1 : s % 3 == 1 ? 7 : sizeof(stream);
    LivReader reader = {.masked = (int)(s % 2), .most = sizeof(bytes)};
    LivFrame frame;
    const size_t all = writeFrame(stream, LIV_BINARY, 1, bytes, n, reader.masked);
    int found = 0;
    for (size_t at = 0; at < all; at += piece) {
      assert_int_equal(found, 0);
      assert_true(liv_feed(&reader, stream + at, all - at < piece ? all - at : piece));
      found = liv_nextFrame(&reader, &frame);
    }
    assert_int_equal(found, 1);
    assert_int_equal(frame.kind, LIV_BINARY);
    assert_int_equal(frame.n, n);
    assert_memory_equal(frame.bytes, bytes, n);
    assert_int_equal(liv_nextFrame(&reader, &frame), 0);
    liv_freeReader(&reader);
  }
}

// a message in three parts with a ping in between
static void partsAreJoined(void** state) {
  (void)state;
  unsigned char stream[200];
  size_t n = 0;
  n += writeFrame(stream + n, LIV_TEXT, 0, (const unsigned char*)"one ", 4, 1);
  n += writeFrame(stream + n, 0, 0, (const unsigned char*)"two ", 4, 1);
  n += writeFrame(stream + n, LIV_PING, 1, (const unsigned char*)"?", 1, 1);
  n += writeFrame(stream + n, 0, 1, (const unsigned char*)"three", 5, 1);
  LivReader reader = {.masked = 1, .most = 13};
  LivFrame frame;
  assert_true(liv_feed(&reader, stream, n));
  assert_int_equal(liv_nextFrame(&reader, &frame), 1);
  assert_int_equal(frame.kind, LIV_PING);
  assert_int_equal(liv_nextFrame(&reader, &frame), 1);
  assert_int_equal(frame.kind, LIV_TEXT);
  assert_int_equal(frame.n, 13);
  assert_memory_equal(frame.bytes, "one two three", 13);
  // one byte more is too many, also when it comes in parts
  reader.most = 12;
  assert_true(liv_feed(&reader, stream, n));
  assert_int_equal(liv_nextFrame(&reader, &frame), 1);
  assert_int_equal(liv_nextFrame(&reader, &frame), -1);
  assert_int_equal(reader.code, 1009);
  liv_freeReader(&reader);
}

static void wrongFramesAreRefused(void** state) {
  (void)state;
  static const struct {
    unsigned char head[10];
    int code;
  } bad[] = {
      {{0xc2, 0x80},                                           1002}, // a bit that nobody agreed on
      {{0x83, 0x80},                                           1002}, // kinds that do not exist
      {{0x8b, 0x80},                                           1002},
      {{0x82, 0x00},                                           1002}, // no mask
      {{0x09, 0x80},                                           1002}, // a ping in parts, a long one
      {{0x89, 0xfe},                                           1002},
      {{0x80, 0x80},                                           1002}, // the rest of nothing
      {{0x82, 0xff, 0xff, 0xff, 0xff, 0xff, 255, 255, 255, 1}, 1009}, // more than there is
      {{0x82, 0xff, 0, 0, 0, 0, 0, 1, 0, 0},                   1009},
      {{0x82, 0xfe, 0xff, 0xff},                               1009},
  };
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    LivReader reader = {.masked = 1, .most = 1000};
    LivFrame frame;
    unsigned char bytes[20] = {0};
    memcpy(bytes, bad[i].head, sizeof(bad[i].head));
    assert_true(liv_feed(&reader, bytes, sizeof(bytes)));
    if (liv_nextFrame(&reader, &frame) != -1) fail_msg("frame %zu is taken", i);
    if (reader.code != bad[i].code) fail_msg("frame %zu is refused with %d", i, reader.code);
    assert_non_null(reader.reason);
    liv_freeReader(&reader);
  }
}

// noise, and good frames with one byte changed: read to an end, within the room that is allowed
static void noiseIsHarmless(void** state) {
  (void)state;
  static const unsigned char FILLING[140] = {1, 2, 3};
  for (int round = 0; round < 4000; round++) {
    unsigned char stream[600];
    size_t n = 0;
    if (round % 2) {
      while (n < 400)
        n += writeFrame(stream + n, round % 3 ? LIV_BINARY : 0, next() % 4 != 0, FILLING, next() % 140, 1);
      stream[next() * n / 256] = next();
    } else {
      for (n = 0; n < 40; n++) stream[n] = next();
    }
    LivReader reader = {.masked = 1, .most = 256};
    LivFrame frame;
    int found = 1, frames = 0;
    for (size_t at = 0; at < n && found >= 0; at += 50) {
      assert_true(liv_feed(&reader, stream + at, n - at < 50 ? n - at : 50));
      while ((found = liv_nextFrame(&reader, &frame)) > 0) {
        assert_true(frame.n <= reader.most);
        frames++;
      }
    }
    assert_true(frames < 300);
    assert_true(reader.room <= 4096 && reader.partsRoom <= 4096);
    liv_freeReader(&reader);
  }
}

static void messagesAreChecked(void** state) {
  (void)state;
  unsigned char bytes[LIV_HEAD + 16] = {0};
  const LivMessage good = {.kind = LIV_STATE, .nsim = 3, .spec = 7, .signature = 0x0123456789abcdef, .bytes = 16};
  LivMessage message;
  liv_writeHead(bytes, &good);
  assert_null(liv_readMessage(bytes, sizeof(bytes), &message));
  assert_int_equal(message.kind, LIV_STATE);
  assert_int_equal(message.nsim, 3);
  assert_int_equal(message.spec, 7);
  assert_true(message.signature == 0x0123456789abcdef);
  assert_ptr_equal(message.body, bytes + LIV_HEAD);
  // cut anywhere, or longer
  for (size_t n = 0; n < sizeof(bytes); n++) assert_non_null(liv_readMessage(bytes, n, &message));
  unsigned char longer[sizeof(bytes) + 1] = {0};
  memcpy(longer, bytes, sizeof(bytes));
  assert_non_null(liv_readMessage(longer, sizeof(longer), &message));
  // other kinds, other numbers of simulations
  static const LivMessage BAD[] = {
      {.kind = 0,         .nsim = 1,                 .bytes = 16        },
      {.kind = 3,         .nsim = 1,                 .bytes = 16        },
      {.kind = LIV_STATE, .nsim = 0,                 .bytes = 16        },
      {.kind = LIV_STATE, .nsim = LIV_MOST_SIMS + 1, .bytes = 16        },
      {.kind = LIV_STATE, .nsim = 1,                 .bytes = UINT64_MAX}
  };
  for (size_t i = 0; i < sizeof(BAD) / sizeof(BAD[0]); i++) {
    liv_writeHead(bytes, BAD + i);
    assert_non_null(liv_readMessage(bytes, sizeof(bytes), &message));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keysAreAnswered),       cmocka_unit_test(framesComeBack),  cmocka_unit_test(partsAreJoined),
      cmocka_unit_test(wrongFramesAreRefused), cmocka_unit_test(noiseIsHarmless), cmocka_unit_test(messagesAreChecked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
