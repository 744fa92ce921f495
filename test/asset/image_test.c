// PNG pictures: compressed streams of every block type; pictures of every colour type, depth, filter and order that the
// test encodes itself; damaged and truncated files.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/image.h"
#include "asset/inflate.h"
#include "support/random.h"

// -------------------------------------------------------------------------------------------- streams

// made by zlib: compress(text(), 9) and compress(runs(), 9) of Python
// clang-format off
static const unsigned char DYNAMIC[306] = {
    120, 218, 93, 147, 75, 110, 5, 33, 12, 4, 175, 194, 17, 240, 15, 6, 205, 105, 34, 37, 139, 44, 147, 167,
    220, 63, 244, 172, 168, 183, 196, 178, 236, 234, 166, 221, 219, 235, 231, 239, 227, 247, 235, 179, 125, 191,
    90, 191, 155, 157, 111, 187, 155, 159, 239, 188, 91, 156, 239, 117, 183, 68, 255, 184, 91, 157, 5, 175, 187,
    141, 179, 16, 187, 99, 98, 228, 158, 113, 157, 133, 177, 151, 172, 179, 112, 109, 10, 235, 88, 211, 5, 74,
    82, 87, 23, 96, 45, 247, 36, 11, 242, 237, 109, 70, 228, 181, 137, 140, 208, 162, 182, 65, 29, 234, 2, 184,
    95, 154, 5, 244, 112, 109, 92, 212, 43, 15, 65, 159, 162, 119, 208, 103, 170, 139, 86, 95, 123, 150, 131,
    190, 124, 111, 116, 208, 215, 220, 92, 14, 250, 33, 122, 7, 253, 120, 186, 64, 63, 159, 89, 160, 159, 207,
    70, 90, 47, 174, 0, 253, 18, 125, 128, 126, 73, 99, 208, 251, 46, 43, 130, 230, 119, 57, 22, 116, 223, 100,
    108, 20, 191, 82, 10, 98, 176, 166, 111, 10, 72, 176, 208, 111, 198, 245, 246, 231, 218, 11, 17, 86, 202,
    70, 50, 65, 67, 50, 146, 17, 26, 74, 90, 82, 199, 84, 28, 147, 58, 46, 101, 54, 223, 82, 164, 96, 39, 99,
    212, 165, 35, 153, 35, 211, 137, 36, 131, 228, 93, 243, 160, 195, 163, 107, 47, 116, 120, 246, 205, 87, 157,
    185, 148, 142, 130, 14, 31, 79, 31, 116, 248, 212, 188, 10, 6, 88, 123, 11, 58, 124, 61, 39, 12, 29, 241,
    232, 40, 158, 177, 73, 111, 205, 183, 244, 107, 30, 47, 34, 228, 95, 241, 36, 82, 62, 255, 3, 178, 154, 78,
    85};
static const unsigned char FIXED[27] = {
    120, 218, 75, 76, 28, 5, 68, 131, 164, 228, 81, 68, 60, 74, 73, 77, 75, 31, 165, 6, 49, 5, 0, 135, 13, 136,
    164};
// clang-format on

// "0 squared is 0; 1 squared is 1; …"
static size_t text(char* out, size_t size) {
  size_t n = 0;
  for (int i = 0; i < 60; i++) n += (size_t)snprintf(out + n, size - n, "%d squared is %d; ", i, i * i);
  return n;
}

// repetitions of one, three and seven bytes
static size_t runs(char* out) {
  for (int i = 0; i < 300; i++) out[i] = 'a';
  for (int i = 0; i < 300; i++) out[300 + i] = (char)('a' + i % 3);
  for (int i = 0; i < 420; i++) out[600 + i] = (char)('a' + i % 7);
  return 1020;
}

static void checkStream(const unsigned char* packed, size_t npacked, const char* expected, size_t n) {
  unsigned char out[2000];
  memset(out, 77, sizeof(out));
  const char* const wrong = ast_inflate(out, n, packed, npacked);
  if (wrong) fail_msg("%s", wrong);
  assert_memory_equal(out, expected, n);
  assert_int_equal(out[n], 77);

  // another size than the stream's, and a stream that ends anywhere
  assert_non_null(ast_inflate(out, n - 1, packed, npacked));
  assert_non_null(ast_inflate(out, n + 1, packed, npacked));
  for (size_t cut = 0; cut < npacked; cut++) {
    unsigned char* const part = malloc(cut + 1);  // so that a sanitizer sees reads behind the end
    memcpy(part, packed, cut);
    assert_non_null(ast_inflate(out, n, part, cut));
    free(part);
  }

  // the check sum tells any other content
  Rnd r = {11};
  for (int i = 0; i < 2000; i++) {
    unsigned char damaged[500];
    memcpy(damaged, packed, npacked);
    const int at = rnd_below(&r, (int)npacked);
    damaged[at] = (unsigned char)(damaged[at] ^ (1 << rnd_below(&r, 8)));
    assert_true(ast_inflate(out, n, damaged, npacked) || !memcmp(out, expected, n));
  }
}

static void streamsAreDecompressed(void** state) {
  (void)state;
  char expected[2000];
  checkStream(DYNAMIC, sizeof(DYNAMIC), expected, text(expected, sizeof(expected)));
  checkStream(FIXED, sizeof(FIXED), expected, runs(expected));
}

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

// one stored block; in two parts, as files may have them
static void addPixels(File* f, const unsigned char* raw, size_t n) {
  unsigned char packed[20000] = {
      0x78, 0x01, 1, (unsigned char)n, (unsigned char)(n >> 8), (unsigned char)~n, (unsigned char)(~n >> 8)};
  memcpy(packed + 7, raw, n);
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < n; i++) {
    a = (a + raw[i]) % 65521;
    b = (b + a) % 65521;
  }
  put32(packed + 7 + n, b << 16 | a);
  addChunk(f, "IDAT", packed, 5);
  addChunk(f, "IDAT", packed + 5, n + 6);
}

enum { WIDTH = 13, HEIGHT = 9, MAXROW = WIDTH * 8 + 1 };

// a picture: samples in the file's depth
typedef struct {
  int type, depth, nchannel, interlaced;
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

static void encode(File* f, const Picture* p) {
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
  unsigned char raw[20000], *end = raw;
  int filter = 4;
  for (int k = 0; k < (p->interlaced ? 7 : 1); k++) end = addPass(p, p->interlaced ? passes[k] : whole, end, &filter);
  addPixels(f, raw, (size_t)(end - raw));
  addChunk(f, "IEND", NULL, 0);
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
    for (int nchannel = 1; nchannel <= 4; nchannel += nchannel == 1 ? 2 : 1) {
      AstImage image;
      assert_true(decode(f.bytes, f.n, nchannel, &image));
      assert_int_equal(image.width, WIDTH);
      assert_int_equal(image.height, HEIGHT);
      assert_int_equal(image.srgb, 1);
      for (int k = 0; k < WIDTH * HEIGHT; k++) {
        unsigned char rgba[4];
        expectedPixel(&p, p.sample[k / WIDTH][k % WIDTH], rgba);
        assert_memory_equal(image.data + nchannel * k, rgba, (size_t)nchannel);
      }
      free(image.data);
    }
  }
  assert_int_equal(tried, 30);
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

  // every byte is covered by the signature, a length, a type or a check sum; the optional chunk is not looked at
  for (size_t i = 0; i < f.n; i++) {
    if (i >= 33 && i < 46) continue;
    f.bytes[i] ^= 4;
    assert_false(decode(f.bytes, f.n, 3, &image));
    f.bytes[i] ^= 4;
  }
  assert_true(decode(f.bytes, f.n, 3, &image));
  free(image.data);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(streamsAreDecompressed), cmocka_unit_test(picturesAreDecoded),
                                     cmocka_unit_test(damagedFilesAreRejected),
                                     cmocka_unit_test(hugePicturesAreRejected)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
