// PNG files: a row is written as differences to its neighbours, which compress better than the values; libdeflate packs
// them, as it unpacks those that the library reads.
#include "support/png.h"

#include <libdeflate.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"

// -------------------------------------------------------------------------------------------- rows

// which neighbours a value is the difference to, as the format numbers them
enum { NOTHING, LEFT, ABOVE, MEAN, PAETH, NFILTER };

// the neighbour that is nearest to their plane
static int paeth(int left, int above, int corner) {
  const int plane = left + above - corner;
  const int a = abs(plane - left), b = abs(plane - above), c = abs(plane - corner);
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

static int predicted(int filter, int left, int above, int corner) {
  switch (filter) {
    case LEFT:
      return left;
    case ABOVE:
      return above;
    case MEAN:
      return (left + above) / 2;
    case PAETH:
      return paeth(left, above, corner);
    default:
      return 0;
  }
}

// writes the differences of a row and returns the sum of their sizes
static long filterRow(int filter, const unsigned char* row, const unsigned char* above, int n, int nchannel,
                      unsigned char* out) {
  long sum = 0;
  for (int i = 0; i < n; i++) {
    const int hasLeft = i >= nchannel;
    const int guess = predicted(filter, hasLeft ? row[i - nchannel] : 0, above ? above[i] : 0,
                                hasLeft && above ? above[i - nchannel] : 0);
    out[i] = (unsigned char)(row[i] - guess);
    sum += out[i] < 128 ? out[i] : 256 - out[i];
  }
  return sum;
}

// rows with the number of their filter before them: of each the one with the least differences
static unsigned char* filterRows(const CliImage* image, size_t* size) {
  const int n = image->width * image->nchannel;
  const size_t stride = (size_t)n + 1;
  unsigned char* const rows = cli_zeroed((size_t)image->height, stride);
  unsigned char* const trial = cli_zeroed((size_t)n, 1);
  for (int y = 0; y < image->height; y++) {
    const unsigned char* const row = image->at + (size_t)y * (size_t)n;
    unsigned char* const out = rows + (size_t)y * stride;
    long least = -1;
    for (int filter = NOTHING; filter < NFILTER; filter++) {
      const long sum = filterRow(filter, row, y ? row - n : NULL, n, image->nchannel, trial);
      if (least >= 0 && sum >= least) continue;
      least = sum;
      out[0] = (unsigned char)filter;
      memcpy(out + 1, trial, (size_t)n);
    }
  }
  free(trial);
  *size = stride * (size_t)image->height;
  return rows;
}

// -------------------------------------------------------------------------------------------- chunks

typedef struct {
  unsigned char* at;
  size_t n;
} Bytes;

static void append(Bytes* file, const void* bytes, size_t n) {
  memcpy(file->at + file->n, bytes, n);
  file->n += n;
}

static void appendWord(Bytes* file, uint32_t word) {
  const unsigned char bytes[4] = {word >> 24 & 0xFF, word >> 16 & 0xFF, word >> 8 & 0xFF, word & 0xFF};
  append(file, bytes, 4);
}

static void appendChunk(Bytes* file, const char* type, const void* bytes, size_t n) {
  appendWord(file, (uint32_t)n);
  const size_t start = file->n;
  append(file, type, 4);
  append(file, bytes, n);
  appendWord(file, libdeflate_crc32(0, file->at + start, file->n - start));
}

// rows as a zlib stream
static unsigned char* pack(const unsigned char* rows, size_t n, size_t* npacked) {
  enum { LEVEL = 6 };  // of 12: beyond it files hardly shrink
  struct libdeflate_compressor* const packer = libdeflate_alloc_compressor(LEVEL);
  if (!packer) exit(cli_fail(CLI_FAILED, "out of memory"));
  const size_t room = libdeflate_zlib_compress_bound(packer, n);
  unsigned char* const packed = cli_zeroed(room, 1);
  *npacked = libdeflate_zlib_compress(packer, rows, n, packed, room);
  libdeflate_free_compressor(packer);
  return packed;
}

unsigned char* cli_encodePng(const CliImage* image, size_t* size) {
  size_t nrow = 0, npacked = 0;
  unsigned char* const rows = filterRows(image, &nrow);
  unsigned char* const packed = pack(rows, nrow, &npacked);

  // size, bits of a channel, kind of picture; the rest is as always
  unsigned char head[13] = {0};
  for (int k = 0; k < 4; k++) {
    head[k] = (unsigned char)(image->width >> (24 - 8 * k));
    head[4 + k] = (unsigned char)(image->height >> (24 - 8 * k));
  }
  head[8] = 8;
  head[9] = image->nchannel == 1 ? 0 : 2;
  enum { AROUND = 8 + 3 * 12 + 13 };
  Bytes file = {cli_zeroed(npacked + AROUND, 1), 0};
  append(&file, "\x89PNG\r\n\x1a\n", 8);
  appendChunk(&file, "IHDR", head, sizeof(head));
  appendChunk(&file, "IDAT", packed, npacked);
  appendChunk(&file, "IEND", "", 0);
  free(rows);
  free(packed);
  *size = file.n;
  return file.at;
}
