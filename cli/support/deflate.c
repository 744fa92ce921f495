// Compression in blocks: bytes become tokens (a byte, or a repetition of what came before at some distance), and the
// tokens of a block are written with Huffman codes made for it.
#include "support/deflate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"

// sizes of the format
enum {
  NLITERAL = 286,   // bytes, the end of a block, lengths
  NDISTANCE = 30,   // distances
  NWIDTH = 19,      // widths of the codes of both, and their repetitions
  END = 256,        // of a block
  MIN_MATCH = 3,    // bytes of a repetition
  MAX_MATCH = 258,  // bytes of a repetition
  WINDOW = 32768,   // bytes that a repetition may reach back
  MAX_WIDTH = 15,   // bits of a code
  MAX_WIDTH2 = 7    // bits of a code for widths
};

// our own choices: more of each is smaller and slower
enum {
  NTOKEN = 32768,  // of a block
  NHASH = 32768,   // chains of places that may begin alike
  CHAIN = 48       // places that are tried
};

// first length or distance of each symbol, and the bits that follow it
static const short lengthBase[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                     31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const short distanceBase[NDISTANCE] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                              33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                              1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};

static int lengthExtra(int symbol) {
  return symbol < 8 || symbol == 28 ? 0 : symbol / 4 - 1;
}

static int distanceExtra(int symbol) {
  return symbol < 4 ? 0 : symbol / 2 - 1;
}

// the last symbol whose first value is not above
static int symbolOf(const short* base, int n, int value) {
  int low = 0;
  for (int high = n; high - low > 1;) {
    const int middle = (low + high) / 2;
    if (base[middle] <= value) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

// -------------------------------------------------------------------------------------------- bits

typedef struct {
  unsigned char* at;
  size_t n, room;
  uint64_t bits;  // not written yet, the first one lowest
  int nbit;
} Bits;

static void putByte(Bits* out, unsigned byte) {
  if (out->n == out->room) {
    out->room = out->room ? 2 * out->room : 4096;
    out->at = cli_resize(out->at, out->room, 1);
  }
  out->at[out->n++] = (unsigned char)byte;
}

static void put(Bits* out, unsigned value, int nbit) {
  out->bits |= (uint64_t)value << out->nbit;
  out->nbit += nbit;
  for (; out->nbit >= 8; out->nbit -= 8, out->bits >>= 8) putByte(out, out->bits & 0xFF);
}

// -------------------------------------------------------------------------------------------- codes

// A prefix code: symbols of width 0 do not occur.
typedef struct {
  int n;
  unsigned count[NLITERAL];
  unsigned char width[NLITERAL];
  unsigned short code[NLITERAL];  // the first bit lowest
} Code;

// widths by Huffman's tree; the deepest
static int growTree(Code* code) {
  unsigned weight[2 * NLITERAL];
  int parent[2 * NLITERAL], n = code->n;
  for (int i = 0; i < n; i++) weight[i] = code->count[i];
  for (;;) {
    // the two lightest that have no parent yet
    int a = -1, b = -1;
    for (int i = 0; i < n; i++) {
      if (!weight[i]) continue;
      if (a < 0 || weight[i] < weight[a]) {
        b = a;
        a = i;
      } else if (b < 0 || weight[i] < weight[b]) {
        b = i;
      }
    }
    if (b < 0) break;
    weight[n] = weight[a] + weight[b];
    weight[a] = weight[b] = 0;
    parent[a] = parent[b] = n++;
  }

  // the root is the last
  int deepest = 0;
  for (int i = 0; i < code->n; i++) {
    int depth = 0;
    for (int k = i; code->count[i] && k != n - 1; k = parent[k]) depth++;
    code->width[i] = (unsigned char)depth;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

// codes of the same width follow each other, shorter ones come first
static void numberCodes(Code* code) {
  unsigned next = 0;
  for (int width = 1; width <= MAX_WIDTH; width++, next <<= 1) {
    for (int i = 0; i < code->n; i++) {
      if (code->width[i] != width) continue;
      unsigned reversed = 0;
      for (int k = 0; k < width; k++) reversed |= (next >> k & 1) << (width - 1 - k);
      code->code[i] = (unsigned short)reversed;
      next++;
    }
  }
}

// from the counts of the symbols
static void makeCode(Code* code, int limit) {
  // readers want at least two symbols
  int used = 0;
  for (int i = 0; i < code->n; i++) used += code->count[i] > 0;
  for (int i = 0; used < 2; i++) {
    if (code->count[i]) continue;
    code->count[i] = 1;
    used++;
  }
  // counts that are nearer to each other make a lower tree
  while (growTree(code) > limit) {
    for (int i = 0; i < code->n; i++) code->count[i] = (code->count[i] + 1) / 2;
  }
  numberCodes(code);
}

static void putSymbol(Bits* out, const Code* code, int symbol) {
  put(out, code->code[symbol], code->width[symbol]);
}

// -------------------------------------------------------------------------------------------- blocks

// A byte, or length << 16 | distance.
typedef struct {
  uint32_t token[NTOKEN];
  int ntoken;
} Block;

// Widths of both codes, one after the other, where runs are one symbol: 16 repeats the last, 17 and 18 are zeros.
typedef struct {
  unsigned char symbol[NLITERAL + NDISTANCE], extra[NLITERAL + NDISTANCE];
  int n;
} Runs;

static Runs findRuns(const Code* literals, const Code* distances) {
  unsigned char width[NLITERAL + NDISTANCE];
  memcpy(width, literals->width, NLITERAL);
  memcpy(width + NLITERAL, distances->width, NDISTANCE);
  Runs runs = {.n = 0};
  for (int i = 0, length = 1; i < NLITERAL + NDISTANCE; i += length) {
    const int again = i && width[i] == width[i - 1], most = width[i] ? 6 : 138;
    length = 1;
    while (length < most && i + length < NLITERAL + NDISTANCE && width[i + length] == width[i]) length++;
    int symbol = width[i], extra = 0;
    if (length < 3 || (width[i] && !again)) {
      length = 1;
    } else if (width[i]) {
      symbol = 16;
      extra = length - 3;
    } else {
      symbol = length < 11 ? 17 : 18;
      extra = length - (length < 11 ? 3 : 11);
    }
    runs.symbol[runs.n] = (unsigned char)symbol;
    runs.extra[runs.n++] = (unsigned char)extra;
  }
  return runs;
}

static void putCodes(Bits* out, const Code* literals, const Code* distances) {
  static const unsigned char order[NWIDTH] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  static const unsigned char extra[3] = {2, 3, 7};
  const Runs runs = findRuns(literals, distances);
  Code widths = {.n = NWIDTH};
  for (int i = 0; i < runs.n; i++) widths.count[runs.symbol[i]]++;
  makeCode(&widths, MAX_WIDTH2);
  put(out, NLITERAL - 257, 5);
  put(out, NDISTANCE - 1, 5);
  put(out, NWIDTH - 4, 4);
  for (int i = 0; i < NWIDTH; i++) put(out, widths.width[order[i]], 3);
  for (int i = 0; i < runs.n; i++) {
    putSymbol(out, &widths, runs.symbol[i]);
    if (runs.symbol[i] >= 16) put(out, runs.extra[i], extra[runs.symbol[i] - 16]);
  }
}

static void putBlock(Bits* out, Block* block, int last) {
  Code literals = {.n = NLITERAL}, distances = {.n = NDISTANCE};
  for (int i = 0; i < block->ntoken; i++) {
    const int length = (int)(block->token[i] >> 16), value = (int)(block->token[i] & 0xFFFF);
    literals.count[length ? END + 1 + symbolOf(lengthBase, 29, length) : value]++;
    if (length) distances.count[symbolOf(distanceBase, NDISTANCE, value)]++;
  }
  literals.count[END] = 1;
  makeCode(&literals, MAX_WIDTH);
  makeCode(&distances, MAX_WIDTH);

  // whether it is the last, its kind, its codes
  put(out, (unsigned)last, 1);
  put(out, 2, 2);
  putCodes(out, &literals, &distances);
  for (int i = 0; i < block->ntoken; i++) {
    const int length = (int)(block->token[i] >> 16), value = (int)(block->token[i] & 0xFFFF);
    if (!length) {
      putSymbol(out, &literals, value);
      continue;
    }
    const int a = symbolOf(lengthBase, 29, length), b = symbolOf(distanceBase, NDISTANCE, value);
    putSymbol(out, &literals, END + 1 + a);
    put(out, (unsigned)(length - lengthBase[a]), lengthExtra(a));
    putSymbol(out, &distances, b);
    put(out, (unsigned)(value - distanceBase[b]), distanceExtra(b));
  }
  putSymbol(out, &literals, END);
  block->ntoken = 0;
}

// -------------------------------------------------------------------------------------------- repetitions

// Places that begin with the same three bytes, or with others of the same hash, the latest first.
typedef struct {
  const unsigned char* at;
  int n;
  int head[NHASH], before[WINDOW];
} Finder;

static int hashAt(const Finder* finder, int i) {
  const unsigned char* const c = finder->at + i;
  const uint32_t word = (uint32_t)c[0] | (uint32_t)c[1] << 8 | (uint32_t)c[2] << 16;
  return (int)(word * 2654435761u >> 17);
}

static void enter(Finder* finder, int i) {
  if (i + MIN_MATCH > finder->n) return;
  const int hash = hashAt(finder, i);
  finder->before[i % WINDOW] = finder->head[hash];
  finder->head[hash] = i;
}

// length of the longest repetition that begins here, and its distance; 0 without one
static int longest(const Finder* finder, int i, int* distance) {
  if (i + MIN_MATCH > finder->n) return 0;
  const int most = finder->n - i < MAX_MATCH ? finder->n - i : MAX_MATCH;
  int best = MIN_MATCH - 1;
  int place = finder->head[hashAt(finder, i)];
  for (int tries = CHAIN; place >= 0 && i - place < WINDOW && tries > 0 && best < most; tries--) {
    const unsigned char *const a = finder->at + place, *const b = finder->at + i;
    int length = 0;
    if (a[best] == b[best]) {
      while (length < most && a[length] == b[length]) length++;
    }
    if (length > best) {
      best = length;
      *distance = i - place;
    }
    place = finder->before[place % WINDOW];
  }
  return best >= MIN_MATCH ? best : 0;
}

static uint32_t adler(const unsigned char* bytes, size_t n) {
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < n; i++) {
    a = (a + bytes[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

unsigned char* cli_deflate(const unsigned char* bytes, size_t nbyte, size_t* size) {
  Bits out = {0};
  Block* const block = cli_zeroed(1, sizeof(*block));
  Finder* const finder = cli_zeroed(1, sizeof(*finder));
  finder->at = bytes;
  finder->n = (int)nbyte;
  for (int i = 0; i < NHASH; i++) finder->head[i] = -1;

  // method, window, and that no dictionary was agreed on
  putByte(&out, 0x78);
  putByte(&out, 0x9C);
  for (int i = 0; i < finder->n;) {
    int distance = 0;
    const int length = longest(finder, i, &distance);
    block->token[block->ntoken++] = length ? (uint32_t)length << 16 | (uint32_t)distance : bytes[i];
    for (int k = 0; k < (length ? length : 1); k++) enter(finder, i++);
    if (block->ntoken == NTOKEN) putBlock(&out, block, 0);
  }
  putBlock(&out, block, 1);
  put(&out, 0, (8 - out.nbit) % 8);
  const uint32_t sum = adler(bytes, nbyte);
  for (int shift = 24; shift >= 0; shift -= 8) putByte(&out, sum >> shift & 0xFF);
  free(block);
  free(finder);
  *size = out.n;
  return out.at;
}
