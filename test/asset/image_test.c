// PNG pictures: every colour type, depth, filter and order, encoded by the test itself; damaged and truncated files.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/image.h"
#include "support/random.h"

// -------------------------------------------------------------------------------------------- encoder

// bit by bit, unlike what is tested
static uint32_t crcOf(const unsigned char* data, size_t n) {
  uint32_t c = ~0u;
  for (size_t i = 0; i < n; i++) {
    c ^= data[i];
    for (int k = 0; k < 8; k++) c = c >> 1 ^ (c & 1 ? 0xEDB88320u : 0);
  }
  return ~c;
}

typedef struct {
  unsigned char bytes[40000];
  size_t n;
} File;

static void put32(unsigned char* at, uint32_t x) {
  for (int k = 0; k < 4; k++) at[k] = (unsigned char)(x >> (24 - 8 * k));
}

static void addChunk(File* f, const char* type, const void* data, size_t n) {
  unsigned char* const at = f->bytes + f->n;
  put32(at, (uint32_t)n);
  memcpy(at + 4, type, 4);
  if (n) memcpy(at + 8, data, n);
  put32(at + 8 + n, crcOf(at + 4, n + 4));
  f->n += n + 12;
}

// what is wrong with the compressed pixels
enum { SOUND, WRONG_SUM, TOO_LONG, TOO_SHORT, BROKEN_BLOCK, BEHIND };

// one stored block; in two parts, as files may have them
static void addPixels(File* f, const unsigned char* raw, size_t n, int damage) {
  n = damage == TOO_LONG ? n + 1 : damage == TOO_SHORT ? n - 1 : n;
  unsigned char packed[20000] = {
      0x78, 0x01, 1, (unsigned char)n, (unsigned char)(n >> 8), (unsigned char)~n, (unsigned char)(~n >> 8)};
  memcpy(packed + 7, raw, n);
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < n; i++) {
    a = (a + raw[i]) % 65521;
    b = (b + a) % 65521;
  }
  put32(packed + 7 + n, (b << 16 | a) ^ (damage == WRONG_SUM));
  if (damage == BROKEN_BLOCK) packed[5] ^= 1;
  addChunk(f, "IDAT", packed, 5);
  addChunk(f, "IDAT", packed + 5, n + 6 + (damage == BEHIND));
}

enum { WIDTH = 13, HEIGHT = 9, MAXROW = WIDTH * 8 + 1 };

// a picture: samples in the file's depth
typedef struct {
  int type, depth, nchannel, interlaced;
  const unsigned* clear;  // samples of the colour that is transparent, where one is
  unsigned sample[HEIGHT][WIDTH][4];
} Picture;

static int predict(int filter, int left, int above, int corner) {
  const int p = left + above - corner, a = abs(p - left), b = abs(p - above), c = abs(p - corner);
  switch (filter) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) / 2;
    case 4:
      return a <= b && a <= c ? left : b <= c ? above : corner;
    default:
      return 0;
  }
}

// the rows of the pixels from (x, y) on in steps, each with the next filter; returns the end
static unsigned char* addPass(const Picture* p, const int pass[4], unsigned char* out, int* filter) {
  unsigned char last[MAXROW] = {0};
  const int step = p->depth * p->nchannel < 8 ? 1 : p->depth * p->nchannel / 8;
  if (pass[0] >= WIDTH) return out;
  for (int y = pass[1]; y < HEIGHT; y += pass[3]) {
    unsigned char row[MAXROW] = {0};
    int bit = 0;
    for (int x = pass[0]; x < WIDTH; x += pass[2]) {
      for (int k = 0; k < p->nchannel; k++) {
        for (int i = p->depth - 1; i >= 0; i--, bit++) {
          row[bit / 8] = (unsigned char)(row[bit / 8] | (p->sample[y][x][k] >> i & 1) << (7 - bit % 8));
        }
      }
    }
    const int n = (bit + 7) / 8;
    *out++ = (unsigned char)*filter;
    for (int i = 0; i < n; i++) {
      const int left = i < step ? 0 : row[i - step], corner = i < step ? 0 : last[i - step];
      *out++ = (unsigned char)(row[i] - predict(*filter, left, last[i], corner));
    }
    memcpy(last, row, sizeof(last));
    *filter = (*filter + 1) % 5;
  }
  return out;
}

static void encodeDamaged(File* f, const Picture* p, int damage) {
  static const int passes[7][4] = {
      {0, 0, 8, 8},
      {4, 0, 8, 8},
      {0, 4, 4, 8},
      {2, 0, 4, 4},
      {0, 2, 2, 4},
      {1, 0, 2, 2},
      {0, 1, 1, 2}
  };
  static const int whole[4] = {0, 0, 1, 1};
  unsigned char header[13] = {0,
                              0,
                              0,
                              WIDTH,
                              0,
                              0,
                              0,
                              HEIGHT,
                              (unsigned char)p->depth,
                              (unsigned char)p->type,
                              0,
                              0,
                              (unsigned char)p->interlaced};
  f->n = 8;
  memcpy(f->bytes, "\x89PNG\r\n\x1a\n", 8);
  addChunk(f, "IHDR", header, 13);
  addChunk(f, "sRGB", "", 1);
  if (p->type == 3) {
    unsigned char palette[3 * 256], alpha[2] = {10, 20};
    for (int i = 0; i < 3 * 256; i++) palette[i] = (unsigned char)(7 * i);
    addChunk(f, "PLTE", palette, 3 * (size_t)(1 << p->depth));
    addChunk(f, "tRNS", alpha, 2);
  }
  if (p->clear) {
    unsigned char key[6];
    for (int k = 0; k < p->nchannel; k++) {
      key[2 * k] = (unsigned char)(p->clear[k] >> 8);
      key[2 * k + 1] = (unsigned char)p->clear[k];
    }
    addChunk(f, "tRNS", key, 2 * (size_t)p->nchannel);
  }
  unsigned char raw[20000], *end = raw;
  int filter = 4;
  for (int k = 0; k < (p->interlaced ? 7 : 1); k++) end = addPass(p, p->interlaced ? passes[k] : whole, end, &filter);
  *end = 0;
  addPixels(f, raw, (size_t)(end - raw), damage);
  addChunk(f, "IEND", NULL, 0);
}

static void encode(File* f, const Picture* p) {
  encodeDamaged(f, p, SOUND);
}

static void expectedPixel(const Picture* p, const unsigned sample[4], unsigned char rgba[4]) {
  if (p->type == 3) {
    for (unsigned k = 0; k < 3; k++) rgba[k] = (unsigned char)(7 * (3 * sample[0] + k));
    rgba[3] = sample[0] == 0 ? 10 : sample[0] == 1 ? 20 : 255;
    return;
  }
  unsigned char value[4];
  for (int k = 0; k < p->nchannel; k++) {
    value[k] = (unsigned char)(p->depth == 16 ? sample[k] / 256 : sample[k] * 255 / ((1u << p->depth) - 1));
  }
  for (int k = 0; k < 3; k++) rgba[k] = value[p->nchannel > 2 ? k : 0];
  rgba[3] = p->nchannel % 2 ? 255 : value[p->nchannel - 1];
  if (p->clear && !memcmp(sample, p->clear, sizeof(unsigned) * (size_t)p->nchannel)) rgba[3] = 0;
}

static Picture randomPicture(Rnd* r, int type, int depth, int interlaced) {
  static const int nchannel[7] = {1, 0, 3, 1, 2, 0, 4};
  Picture p = {.type = type, .depth = depth, .nchannel = nchannel[type], .interlaced = interlaced};
  for (int i = 0; i < HEIGHT * WIDTH * 4; i++)
    p.sample[i / 4 / WIDTH][i / 4 % WIDTH][i % 4] = (unsigned)rnd_below(r, 1 << depth);
  return p;
}

static int decode(const unsigned char* bytes, size_t n, int nchannel, AstImage* image) {
  char error[200] = "";
  const int good = ast_readPng(image, &(AstBytes){.bytes = bytes, .size = n}, nchannel, error, sizeof(error));
  assert_int_equal(good, !*error);
  return good;
}

// whatever numbers of channels are asked for
static void checkDecoded(const File* f, const Picture* p) {
  for (int nchannel = 1; nchannel <= 4; nchannel += nchannel == 1 ? 2 : 1) {
    AstImage image;
    assert_true(decode(f->bytes, f->n, nchannel, &image));
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    assert_int_equal(image.srgb, 1);
    for (int k = 0; k < WIDTH * HEIGHT; k++) {
      unsigned char rgba[4];
      expectedPixel(p, p->sample[k / WIDTH][k % WIDTH], rgba);
      assert_memory_equal(image.data + nchannel * k, rgba, (size_t)nchannel);
    }
    free(image.data);
  }
}

static void picturesAreDecoded(void** state) {
  (void)state;
  static const int types[5] = {0, 2, 3, 4, 6}, depths[5] = {1, 2, 4, 8, 16};
  Rnd r = {5};
  int tried = 0;
  for (int i = 0; i < 50; i++) {
    const int type = types[i / 10], depth = depths[i % 10 / 2];
    if ((type == 2 || type > 3) && depth < 8) continue;
    if (type == 3 && depth > 8) continue;
    const Picture p = randomPicture(&r, type, depth, i % 2);
    File f;
    encode(&f, &p);
    tried++;
    checkDecoded(&f, &p);
  }
  assert_int_equal(tried, 30);
}

// one colour is transparent; grey and colours of every depth, the colour that others almost have too
static void colourThatIsTransparent(void** state) {
  (void)state;
  Rnd r = {7};
  for (int i = 0; i < 14; i++) {
    const int type = i < 10 ? 0 : 2, depth = type ? 8 << i % 2 : 1 << i % 5;
    Picture p = randomPicture(&r, type, depth, i / 2 % 2);
    memcpy(p.sample[2], p.sample[1], sizeof(p.sample[1]));
    for (int x = 0; x < WIDTH; x++) p.sample[2][x][x % p.nchannel] ^= 1u << x % depth;
    p.clear = p.sample[1][3];
    File f;
    encode(&f, &p);
    checkDecoded(&f, &p);
  }
}

// -------------------------------------------------------------------------------------------- damage

static void damagedFilesAreRejected(void** state) {
  (void)state;
  Rnd r = {6};
  const Picture p = randomPicture(&r, 6, 8, 0);
  File f;
  encode(&f, &p);
  AstImage image;
  for (size_t cut = 0; cut < f.n; cut++) {
    unsigned char* const part = malloc(cut + 1);
    memcpy(part, f.bytes, cut);
    assert_false(decode(part, cut, 3, &image));
    free(part);
  }

  // every byte is covered by the signature, a length, a type or a check sum, those of optional chunks too
  for (size_t i = 0; i < f.n; i++) {
    f.bytes[i] ^= 4;
    assert_false(decode(f.bytes, f.n, 3, &image));
    f.bytes[i] ^= 4;
  }
  assert_true(decode(f.bytes, f.n, 3, &image));
  free(image.data);
}

// chunks are sound, but what they hold is not: the same files that the reference refuses
static void damagedPixelsAreRejected(void** state) {
  (void)state;
  Rnd r = {6};
  for (int interlaced = 0; interlaced < 2; interlaced++) {
    const Picture p = randomPicture(&r, 2, 8, interlaced);
    for (int damage = WRONG_SUM; damage <= BEHIND; damage++) {
      File f;
      encodeDamaged(&f, &p, damage);
      AstImage image;
      assert_false(decode(f.bytes, f.n, 3, &image));
      assert_null(image.data);
    }
  }
}

// a header that promises more than the file can hold is refused before memory is asked for
static void hugePicturesAreRejected(void** state) {
  (void)state;
  Rnd r = {6};
  const Picture p = randomPicture(&r, 0, 1, 0);
  File f;
  encode(&f, &p);
  f.bytes[16] = f.bytes[20] = 0;
  f.bytes[18] = f.bytes[22] = 0x3f;
  put32(f.bytes + 29, crcOf(f.bytes + 12, 17));
  AstImage image;
  assert_false(decode(f.bytes, f.n, 4, &image));
  f.bytes[16] = f.bytes[20] = 0x7f;
  put32(f.bytes + 29, crcOf(f.bytes + 12, 17));
  assert_false(decode(f.bytes, f.n, 4, &image));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(picturesAreDecoded), cmocka_unit_test(damagedFilesAreRejected),
                                     cmocka_unit_test(colourThatIsTransparent),
                                     cmocka_unit_test(damagedPixelsAreRejected),
                                     cmocka_unit_test(hugePicturesAreRejected)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
