// Pictures from PNG files (ISO/IEC 15948): all colour types, depths and the interlaced order. Gamma and colour profiles
// are left alone: values are what the file has.
//
// Rows and chunks are read here, and libdeflate unpacks them: libpng and libspng, which stand on zlib, load textures at
// 0.7 to 1.1 of the reference's speed.
#include "asset/image.h"

#include <libdeflate.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  AST_PIXELS = 1 << 28,  // larger pictures are refused: 16384 x 16384 is what graphics cards take
  MAXRATIO = 1032,       // of deflate: what a file cannot hold is not allocated
};

enum { GREY = 0, RGB = 2, PALETTE = 3, GREYALPHA = 4, RGBA = 6 };  // types in the file

typedef struct {
  uint32_t width, height;
  int depth, type, interlaced, srgb;
  unsigned char palette[256][4];
  int npalette;
  int haskey;               // one colour is transparent
  unsigned key[3];          // in the file's depth
  unsigned char* packed;    // the compressed pixels, all parts joined
  size_t npacked, cpacked;  // capacity
} Png;

// one of the interlaced pictures: first pixel and steps
typedef struct {
  uint32_t x, y, dx, dy;
} Pass;

static const Pass WHOLE = {0, 0, 1, 1};
static const Pass PASSES[7] = {
    {0, 0, 8, 8},
    {4, 0, 8, 8},
    {0, 4, 4, 8},
    {2, 0, 4, 4},
    {0, 2, 2, 4},
    {1, 0, 2, 2},
    {0, 1, 1, 2}
};

static uint32_t bigEndian(const unsigned char* at) {
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

// -------------------------------------------------------------------------------------------- chunks

static int channels(const Png* png) {
  static const int count[7] = {1, 0, 3, 1, 2, 0, 4};
  return count[png->type];
}

static const char* readHeader(Png* png, const unsigned char* data, size_t n) {
  static const unsigned char depths[7] = {1 | 2 | 4 | 8 | 16, 0, 8 | 16, 1 | 2 | 4 | 8, 8 | 16, 0, 8 | 16};
  if (n != 13) return "invalid header";
  png->width = bigEndian(data);
  png->height = bigEndian(data + 4);
  png->depth = data[8];
  png->type = data[9];
  png->interlaced = data[12];
  if (!png->width || !png->height || png->width > AST_PIXELS / png->height) return "picture is empty or too large";
  if (png->type > 6 || png->depth & (png->depth - 1) || !(png->depth & depths[png->type])) {
    return "invalid colour type or depth";
  }
  return data[10] || data[11] || png->interlaced > 1 ? "unknown compression, filter or interlace method" : NULL;
}

static const char* readPalette(Png* png, const unsigned char* data, size_t n) {
  if (n % 3 || n > 3 * 256 || !n) return "invalid palette";
  png->npalette = (int)(n / 3);
  for (size_t i = 0; i < n / 3; i++) {
    memcpy(png->palette[i], data + 3 * i, 3);
    png->palette[i][3] = 0xff;
  }
  return NULL;
}

static const char* readTransparency(Png* png, const unsigned char* data, size_t n) {
  if (png->type == PALETTE) {
    if (n > (size_t)png->npalette) return "more transparent entries than colours";
    for (size_t i = 0; i < n; i++) png->palette[i][3] = data[i];
    return NULL;
  }
  const int count = channels(png);
  if (png->type & 4 || n != 2 * (size_t)count) return "invalid transparency";
  png->haskey = 1;
  for (int k = 0; k < count; k++) png->key[k] = (unsigned)data[2 * k] << 8 | data[2 * k + 1];
  return NULL;
}

static const char* addPacked(Png* png, const unsigned char* data, size_t n) {
  if (!png->packed) {
    // most files have one part; more are at most as large as the file
    png->packed = malloc(png->cpacked + 1);
    if (!png->packed) return "out of memory";
  }
  memcpy(png->packed + png->npacked, data, n);
  png->npacked += n;
  return NULL;
}

static const char* readChunks(Png* png, const AstBytes* file) {
  static const unsigned char signature[8] = {137, 'P', 'N', 'G', '\r', '\n', 26, '\n'};
  if (file->size < 8 || memcmp(file->bytes, signature, 8)) return "not a PNG file";
  png->cpacked = file->size;
  for (size_t at = 8; file->size - at >= 12;) {
    const unsigned char* const type = file->bytes + at + 4;
    const unsigned char* const data = type + 4;
    const size_t n = bigEndian(file->bytes + at);
    if (n > file->size - at - 12) return "file ends too early";
    for (int k = 0; k < 4; k++) {
      if ((type[k] | 32) < 'a' || (type[k] | 32) > 'z') return "chunk types consist of letters";
    }
    const int first = at == 8, header = !memcmp(type, "IHDR", 4), critical = !(type[0] & 32);
    at += 12 + n;
    if (first != header) return "header is not first";
    if (libdeflate_crc32(0, type, n + 4) != bigEndian(data + n)) return "wrong check sum of a chunk";
    const char* wrong = NULL;
    if (header) {
      wrong = readHeader(png, data, n);
    } else if (!memcmp(type, "PLTE", 4)) {
      wrong = readPalette(png, data, n);
    } else if (!memcmp(type, "tRNS", 4)) {
      wrong = readTransparency(png, data, n);
    } else if (!memcmp(type, "IDAT", 4)) {
      wrong = addPacked(png, data, n);
    } else if (!memcmp(type, "IEND", 4)) {
      return NULL;
    } else if (critical) {
      wrong = "unknown critical chunk";
    }
    png->srgb |= !memcmp(type, "sRGB", 4);
    if (wrong) return wrong;
  }
  return "file ends too early";
}

// -------------------------------------------------------------------------------------------- rows

// The bytes of a pixel side by side: they depend on the pixel before, not on each other. Vectors of the compiler, which
// makes the best of them on any processor.
typedef int16_t Lanes __attribute__((vector_size(16)));
typedef unsigned char Bytes __attribute__((vector_size(8)));

// Pixels of three bytes are read with the one behind them, which is one load where three would be two; rows have room
// for it. What lanes beyond the pixel hold is never stored.
enum { BEHIND = 1 };

static inline Lanes loadPixel(const unsigned char* at, size_t step) {
  Bytes bytes = {0};
  memcpy(&bytes, at, step == 3 ? 3 + BEHIND : step);
  return __builtin_convertvector(bytes, Lanes);
}

static inline void storePixel(unsigned char* at, Lanes pixel, size_t step) {
  const Bytes bytes = __builtin_convertvector(pixel, Bytes);
  memcpy(at, &bytes, step);
}

static inline Lanes magnitude(Lanes x) {
  const Lanes sign = x >> 15;
  return (x ^ sign) - sign;
}

// the nearest of left, above and corner (above left) to left + above - corner
static inline Lanes paeth(Lanes left, Lanes above, Lanes corner) {
  const Lanes p = above - corner, q = left - corner;
  const Lanes toleft = magnitude(p), toabove = magnitude(q), tocorner = magnitude(p + q);
  const Lanes useCorner = tocorner < toabove, useOther = (toabove < toleft) | (tocorner < toleft);
  const Lanes other = (above & ~useCorner) | (corner & useCorner);
  return (left & ~useOther) | (other & useOther);
}

static inline void unpaeth(unsigned char* row, const unsigned char* before, size_t n, size_t step) {
  Lanes left = {0}, corner = {0};
  for (size_t i = 0; i < n; i += step) {
    const Lanes above = loadPixel(before + i, step);
    left = (loadPixel(row + i, step) + paeth(left, above, corner)) & 0xff;
    storePixel(row + i, left, step);
    corner = above;
  }
}

static inline void unaverage(unsigned char* row, const unsigned char* before, size_t n, size_t step) {
  Lanes left = {0};
  for (size_t i = 0; i < n; i += step) {
    left = (loadPixel(row + i, step) + ((left + loadPixel(before + i, step)) >> 1)) & 0xff;
    storePixel(row + i, left, step);
  }
}

static inline void unsubtract(unsigned char* row, size_t n, size_t step) {
  Lanes left = {0};
  for (size_t i = 0; i < n; i += step) {
    left = (loadPixel(row + i, step) + left) & 0xff;
    storePixel(row + i, left, step);
  }
}

// Undoes the filter of a row; step: bytes of a pixel, known to the compiler where it is called. before: the row above,
// zeros above the first.
static inline void unfilterBy(int filter, unsigned char* row, const unsigned char* before, size_t n, size_t step) {
  if (filter == 1) unsubtract(row, n, step);
  for (size_t i = 0; filter == 2 && i < n; i++) row[i] = (unsigned char)(row[i] + before[i]);
  if (filter == 3) unaverage(row, before, n, step);
  if (filter == 4) unpaeth(row, before, n, step);
}

static void unfilter(int filter, unsigned char* row, const unsigned char* before, size_t n, size_t step) {
  if (step == 3) {
    unfilterBy(filter, row, before, n, 3);
  } else if (step == 4) {
    unfilterBy(filter, row, before, n, 4);
  } else {
    unfilterBy(filter, row, before, n, step);
  }
}

// sample i of a row, in the file's depth
static unsigned sampleAt(const Png* png, const unsigned char* row, size_t i) {
  if (png->depth == 8) return row[i];
  if (png->depth == 16) return (unsigned)row[2 * i] << 8 | row[2 * i + 1];
  const size_t bit = i * (size_t)png->depth;
  return row[bit / 8] >> (8 - png->depth - (int)(bit % 8)) & ((1 << png->depth) - 1);
}

// pixel x of a row as red, green, blue and alpha of eight bits
static void pixelAt(const Png* png, const unsigned char* row, size_t x, unsigned char rgba[4]) {
  if (png->type == PALETTE) {
    // indices beyond the palette are black
    static const unsigned char black[4] = {0, 0, 0, 0xff};
    const unsigned index = sampleAt(png, row, x);
    memcpy(rgba, index < (unsigned)png->npalette ? png->palette[index] : black, 4);
    return;
  }
  const int n = channels(png), colour = png->type & 2;
  unsigned sample[4] = {0};
  int iskey = png->haskey;
  for (int k = 0; k < n; k++) {
    sample[k] = sampleAt(png, row, x * (size_t)n + (size_t)k);
    if (k < 3 && sample[k] != png->key[k]) iskey = 0;
    sample[k] = png->depth == 16 ? sample[k] >> 8 : sample[k] * 255 / ((1u << png->depth) - 1);
  }
  for (int k = 0; k < 3; k++) rgba[k] = (unsigned char)sample[colour ? k : 0];
  rgba[3] = png->type & 4 ? (unsigned char)sample[n - 1] : iskey ? 0 : 0xff;
}

// a row of pixels to its places in the picture
static void putRow(const Png* png, const Pass* pass, uint32_t y, const unsigned char* row, unsigned char* out,
                   int nchannel) {
  const size_t width = png->width, step = (size_t)nchannel;
  unsigned char* const line = out + (pass->y + (size_t)y * pass->dy) * width * step;

  // what textures usually are
  if (png->depth == 8 && !png->haskey && pass->dx == 1 && nchannel >= 3 && png->type & 2 && png->type != PALETTE) {
    const size_t n = png->type == RGB ? 3 : 4;
    if (n == step) {
      memcpy(line, row, width * step);
      return;
    }
    if (n == 4) {
      for (size_t x = 0; x < width; x++) memcpy(line + 3 * x, row + 4 * x, 3);
      return;
    }
  }
  for (size_t x = pass->x, i = 0; x < width; x += pass->dx, i++) {
    unsigned char rgba[4];
    pixelAt(png, row, i, rgba);
    memcpy(line + x * step, rgba, step);
  }
}

// -------------------------------------------------------------------------------------------- picture

static size_t passWidth(const Png* png, const Pass* pass) {
  return png->width > pass->x ? (png->width - pass->x + pass->dx - 1) / pass->dx : 0;
}

static size_t passHeight(const Png* png, const Pass* pass) {
  return png->height > pass->y ? (png->height - pass->y + pass->dy - 1) / pass->dy : 0;
}

static size_t rowBytes(const Png* png, const Pass* pass) {
  return (passWidth(png, pass) * (size_t)(png->depth * channels(png)) + 7) / 8;
}

// rows of one pass, each behind the byte of its filter; returns where the next pass begins, NULL: no such filter
static unsigned char* drawPass(const Png* png, const Pass* pass, unsigned char* raw, unsigned char* out, int nchannel) {
  const size_t n = rowBytes(png, pass), bits = (size_t)png->depth * (size_t)channels(png),
               step = bits < 8 ? 1 : bits / 8;
  if (!n) return raw;
  unsigned char* const zeros = calloc(n + BEHIND, 1);
  const unsigned char* before = zeros;
  for (uint32_t y = 0; y < passHeight(png, pass) && zeros; y++, raw += n + 1) {
    if (raw[0] > 4) before = NULL;
    if (!before) break;
    unfilter(raw[0], raw + 1, before, n, step);
    putRow(png, pass, y, raw + 1, out, nchannel);
    before = raw + 1;
  }
  free(zeros);
  return before ? raw : NULL;
}

// bytes of all rows with their filters
static size_t rawSize(const Png* png) {
  const Pass* const pass = png->interlaced ? PASSES : &WHOLE;
  size_t size = 0;
  for (int p = 0; p < (png->interlaced ? 7 : 1); p++) {
    if (rowBytes(png, &pass[p])) size += passHeight(png, &pass[p]) * (rowBytes(png, &pass[p]) + 1);
  }
  return size;
}

// a zlib stream of exactly n bytes, with nothing behind it
static const char* unpack(unsigned char* out, size_t n, const unsigned char* packed, size_t npacked) {
  struct libdeflate_decompressor* const unpacker = libdeflate_alloc_decompressor();
  if (!unpacker) return "out of memory";
  size_t used = 0;
  const enum libdeflate_result result = libdeflate_zlib_decompress_ex(unpacker, packed, npacked, out, n, &used, NULL);
  libdeflate_free_decompressor(unpacker);
  switch (result) {
    case LIBDEFLATE_SUCCESS:
      return used == npacked ? NULL : "data behind the compressed pixels";
    case LIBDEFLATE_SHORT_OUTPUT:
      return "less data than expected";
    case LIBDEFLATE_INSUFFICIENT_SPACE:
      return "more data than expected";
    default:
      return "invalid compressed data";
  }
}

static const char* decodeRows(const Png* png, unsigned char* out, int nchannel) {
  const Pass* const pass = png->interlaced ? PASSES : &WHOLE;
  const int npass = png->interlaced ? 7 : 1;
  const size_t size = rawSize(png);
  unsigned char* const raw = malloc(size + BEHIND);
  if (!raw) return "out of memory";
  raw[size] = 0;
  const char* wrong = unpack(raw, size, png->packed, png->npacked);
  unsigned char* next = raw;
  for (int p = 0; p < npass && !wrong; p++) {
    next = drawPass(png, &pass[p], next, out, nchannel);
    if (!next) wrong = "invalid filter";
  }
  free(raw);
  return wrong;
}

int ast_readPng(AstImage* image, const AstBytes* file, int nchannel, char* error, size_t nerror) {
  *image = (AstImage){0};
  Png png = {0};
  const char* wrong = readChunks(&png, file);
  if (!wrong && png.type == PALETTE && !png.npalette) wrong = "palette is missing";
  if (!wrong && rawSize(&png) / MAXRATIO > png.npacked) wrong = "less data than expected";
  if (!wrong) {
    image->width = (int)png.width;
    image->height = (int)png.height;
    image->srgb = png.srgb;
    image->data = malloc((size_t)nchannel * png.width * png.height);
    wrong = image->data ? decodeRows(&png, image->data, nchannel) : "out of memory";
  }
  free(png.packed);
  if (!wrong) return 1;
  snprintf(error, nerror, "%s", wrong);
  free(image->data);
  image->data = NULL;
  return 0;
}
