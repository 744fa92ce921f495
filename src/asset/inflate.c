// Inflate: Huffman codes by table, with a 64-bit window on the input.
//
// A table is indexed by the next bits of the input; codes longer than its index lead to a second table. Away from both
// ends of the buffers several symbols are decoded per refill and matches are copied eight bytes at a time, writing a
// little beyond their end; near the ends every byte is checked.
#include "asset/inflate.h"

#include <string.h>

enum {
  MAXBITS = 15,      // of a code
  NLITERAL = 288,    // symbols of literals and lengths
  NDISTANCE = 32,    // symbols of distances
  NLENGTHCODE = 19,  // symbols of code lengths
  LITERALBITS = 11,  // index of the first table
  DISTANCEBITS = 9,
  LENGTHBITS = 7,
  LITERALSIZE = 2400,  // entries with second tables: at most 2342 for 288 symbols of 15 bits behind 11
  DISTANCESIZE = 600,  // at most 592 for 32 symbols of 15 bits behind 9
  LONGEST = 258,       // match
  SLACK = 16,          // bytes that a copy may write beyond its end
};

// An entry: bits 0-7 length of the code, 8-15 number of extra bits (or of index bits of a second table), 16-31 value.
// The kinds that are neither literals nor matches share one flag, so that the common ones are told apart by one test.
typedef uint32_t Entry;
enum { LITERAL = 1 << 13, SPECIAL = 1 << 14, SECOND = 1 << 15 };  // SPECIAL: end of block or no such code
#define BITS(e)  ((e)&0xff)
#define EXTRA(e) ((e) >> 8 & 0x1f)
#define VALUE(e) ((e) >> 16)

// the input
typedef struct {
  const unsigned char *next, *end;
  uint64_t window;  // next bits, the first lowest
  unsigned count;   // of bits that are valid
} Input;

typedef struct {
  Input in;
  unsigned char *out, *outstart, *outend;
  Entry literal[LITERALSIZE], distance[DISTANCESIZE];
} Stream;

// -------------------------------------------------------------------------------------------- bits

// eight bytes of memory, the first lowest
static inline uint64_t inOrder(uint64_t x) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  x = __builtin_bswap64(x);
#endif
  return x;
}

// At least 56 bits, zeros beyond the end. The window's bits beyond count are those that follow in the input, so adding
// them again changes nothing.
static inline void refill(Input* in) {
  if (in->end - in->next >= 8) {
    uint64_t more;
    memcpy(&more, in->next, 8);
    in->window |= inOrder(more) << in->count;
    in->next += (63 - in->count) >> 3;
    in->count |= 56;
    return;
  }
  while (in->count <= 56 && in->next < in->end) {
    in->window |= (uint64_t)*in->next++ << in->count;
    in->count += 8;
  }
}

static inline unsigned peek(const Input* in, unsigned n) {
  return (unsigned)(in->window & ((1u << n) - 1));
}

// 0: the input has ended
static inline int drop(Input* in, unsigned n) {
  if (n > in->count) return 0;
  in->window >>= n;
  in->count -= n;
  return 1;
}

// -------------------------------------------------------------------------------------------- tables

static Entry literalEntry(int symbol) {
  static const unsigned char extra[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                          2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
  static const unsigned short base[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                          31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  if (symbol < 256) return (Entry)symbol << 16 | LITERAL;
  if (symbol == 256) return SPECIAL | 1u << 16;
  if (symbol > 285) return SPECIAL;
  return (Entry)base[symbol - 257] << 16 | (Entry)extra[symbol - 257] << 8;
}

static Entry distanceEntry(int symbol) {
  if (symbol > 29) return SPECIAL;
  if (symbol < 2) return (Entry)(symbol + 1) << 16;
  const int extra = symbol / 2 - 1;
  return (Entry)(((2 + symbol % 2) << extra) + 1) << 16 | (Entry)extra << 8;
}

static Entry lengthEntry(int symbol) {
  return (Entry)symbol << 16;
}

static unsigned reverse(unsigned code, int n) {
  unsigned result = 0;
  for (int i = 0; i < n; i++) result |= (code >> i & 1) << (n - 1 - i);
  return result;
}

// a table to make: index bits of the first part, entries in all, what a symbol means
typedef struct {
  Entry* entry;
  int index, size;
  Entry (*meaning)(int symbol);
} Table;

// One code per symbol with a length, in order of length, then of symbol. A single code of one bit may stand alone;
// other sets must be complete. 0: they are not.
static int makeTable(const Table* t, const unsigned char* length, int n) {
  int count[MAXBITS + 1] = {0}, used = 1 << t->index;
  unsigned next[MAXBITS + 2] = {0};
  for (int i = 0; i < n; i++) count[length[i]]++;
  const int ncode = n - count[0];
  int left = 1;
  for (int b = 1; b <= MAXBITS; b++) {
    left = 2 * left - count[b];
    if (left < 0) return 0;
    next[b + 1] = (next[b] + (unsigned)count[b]) << 1;
  }
  if (left && !(ncode <= 1 && count[1] == ncode)) return 0;
  for (int i = 0; i < used; i++) t->entry[i] = SPECIAL | 1;

  // second tables are as large as the longest code behind their first bits needs; codes are in order of length, so
  // walking the symbols from the longest to the shortest finds that first
  int longest = MAXBITS;
  while (longest > 0 && !count[longest]) longest--;
  for (int b = longest; b > 0; b--) {
    for (int i = 0; i < n; i++) {
      if (length[i] != b) continue;
      const unsigned code = reverse(next[b]++, b);
      Entry* at = t->entry;
      int room = t->index, size = b;
      if (b > t->index) {
        Entry* const link = at + (code & ((1u << t->index) - 1));
        if (!(*link & SECOND)) {
          if (used + (1 << (b - t->index)) > t->size) return 0;
          *link = (Entry)used << 16 | SECOND | (Entry)(b - t->index) << 8 | (Entry)t->index;
          for (int k = 0; k < 1 << (b - t->index); k++) at[used + k] = SPECIAL | 1;
          used += 1 << (b - t->index);
        }
        at += VALUE(*link);
        room = (int)EXTRA(*link);
        size = b - t->index;
      }
      const Entry entry = t->meaning(i) | (Entry)size;
      for (unsigned k = (b > t->index ? code >> t->index : code); k < 1u << room; k += 1u << size) at[k] = entry;
    }
  }
  return 1;
}

static int makeTables(Stream* s, const unsigned char* length, int nliteral, int ndistance) {
  const Table literal = {s->literal, LITERALBITS, LITERALSIZE, literalEntry};
  const Table distance = {s->distance, DISTANCEBITS, DISTANCESIZE, distanceEntry};
  return makeTable(&literal, length, nliteral) && makeTable(&distance, length + nliteral, ndistance);
}

// entry of the next code, whose bits are dropped; SPECIAL of no value: there is no such code, or the input has ended
static inline Entry decode(Input* in, const Entry* table, unsigned index) {
  Entry e = table[peek(in, index)];
  if (e & SECOND) {
    if (!drop(in, BITS(e))) return SPECIAL;
    e = table[VALUE(e) + peek(in, EXTRA(e))];
  }
  return drop(in, BITS(e)) ? e : SPECIAL;
}

// -------------------------------------------------------------------------------------------- blocks

// code lengths of a block, themselves compressed
static const char* readLengths(Stream* s) {
  static const unsigned char order[NLENGTHCODE] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  static const char broken[] = "invalid code lengths";
  unsigned char length[NLITERAL + NDISTANCE + LONGEST] = {0}, first[NLENGTHCODE] = {0};
  refill(&s->in);
  const unsigned nliteral = 257 + peek(&s->in, 5), ndistance = 1 + (peek(&s->in, 10) >> 5),
                 nfirst = 4 + (peek(&s->in, 14) >> 10);
  if (!drop(&s->in, 14) || nliteral > 286) return broken;
  for (unsigned i = 0; i < nfirst; i++) {
    refill(&s->in);
    first[order[i]] = (unsigned char)peek(&s->in, 3);
    if (!drop(&s->in, 3)) return broken;
  }
  Entry entry[1 << LENGTHBITS];
  if (!makeTable(&(Table){entry, LENGTHBITS, 1 << LENGTHBITS, lengthEntry}, first, NLENGTHCODE)) return broken;
  for (unsigned i = 0; i < nliteral + ndistance;) {
    refill(&s->in);
    const Entry e = decode(&s->in, entry, LENGTHBITS);
    if (e & SPECIAL) return broken;
    if (VALUE(e) < 16) {
      length[i++] = (unsigned char)VALUE(e);
      continue;
    }

    // repetitions: of the last length, or of zero
    static const unsigned char extra[3] = {2, 3, 7}, least[3] = {3, 3, 11};
    const unsigned kind = VALUE(e) - 16, repeat = least[kind] + peek(&s->in, extra[kind]);
    if (!drop(&s->in, extra[kind]) || (kind == 0 && i == 0) || i + repeat > nliteral + ndistance) return broken;
    memset(length + i, kind == 0 ? length[i - 1] : 0, repeat);
    i += repeat;
  }
  if (!length[256]) return broken;
  return makeTables(s, length, (int)nliteral, (int)ndistance) ? NULL : broken;
}

static int fixedTables(Stream* s) {
  unsigned char length[NLITERAL + NDISTANCE];
  for (int i = 0; i < NLITERAL; i++) length[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  memset(length + NLITERAL, 5, NDISTANCE);
  return makeTables(s, length, NLITERAL, NDISTANCE);
}

static const char* copyStored(Stream* s) {
  // whole bytes go back to the input
  Input* const in = &s->in;
  in->next -= in->count >> 3;
  in->window = 0;
  in->count = 0;
  if (in->end - in->next < 4) return "unexpected end of data";
  const unsigned n = in->next[0] | (unsigned)in->next[1] << 8, check = in->next[2] | (unsigned)in->next[3] << 8;
  in->next += 4;
  if (n != (check ^ 0xffff)) return "invalid stored block";
  if ((size_t)(in->end - in->next) < n) return "unexpected end of data";
  if ((size_t)(s->outend - s->out) < n) return "more data than expected";
  memcpy(s->out, in->next, n);
  s->out += n;
  in->next += n;
  return NULL;
}

// A match away from the end of the output: up to SLACK bytes beyond it are written too. What repeats within eight bytes
// is continued in a register, because loading what has just been stored in other portions stalls.
static inline void copyMatch(unsigned char* out, size_t distance, size_t length) {
  const unsigned char* from = out - distance;
  unsigned char* const end = out + length;
  uint64_t word;
  if (distance >= 8) {
    for (; out < end; out += 8, from += 8) {
      memcpy(&word, from, 8);
      memcpy(out, &word, 8);
    }
    return;
  }
  memcpy(&word, from, 8);
  word = inOrder(word) & (((uint64_t)1 << 8 * distance) - 1);
  for (size_t k = distance; k < 8; k *= 2) word |= word << 8 * k;
  const size_t rest = 8 % distance;
  for (; out < end; out += 8) {
    const uint64_t stored = inOrder(word);
    memcpy(out, &stored, 8);
    word = word >> 8 * rest | word << 8 * (distance - rest);
  }
}

// drops bits that are certain to be there
static inline void skip(Input* in, unsigned n) {
  in->window >>= n;
  in->count -= n;
}

// the same as decode where the bits are certain
static inline Entry decodeFast(Input* in, const Entry* table, unsigned index) {
  Entry e = table[peek(in, index)];
  if (e & SECOND) {
    skip(in, index);
    e = table[VALUE(e) + peek(in, EXTRA(e))];
  }
  skip(in, BITS(e));
  return e;
}

// Symbols while neither end of the buffers is near: a refill is 56 bits, enough for three literals or for a match (48
// with all extra bits). Returns 1 after the end of the block, 0 where it has to go on with care. The state is kept in
// locals: stores of bytes could otherwise change it for all that the compiler knows.
static int readFast(Stream* s, const char** wrong) {
  Input in = s->in;
  unsigned char* out = s->out;
  int ended = 0;
  while (!ended && in.end - in.next >= 8 && s->outend - out >= LONGEST + SLACK) {
    refill(&in);
    Entry e = decodeFast(&in, s->literal, LITERALBITS);
    if (e & LITERAL) {
      *out++ = (unsigned char)VALUE(e);
      e = decodeFast(&in, s->literal, LITERALBITS);
      if (e & LITERAL) {
        *out++ = (unsigned char)VALUE(e);
        e = decodeFast(&in, s->literal, LITERALBITS);
        if (e & LITERAL) {
          *out++ = (unsigned char)VALUE(e);
          continue;
        }
      }
      refill(&in);
    }
    if (e & SPECIAL) {
      if (VALUE(e) != 1) *wrong = "invalid code";
      ended = 1;
      break;
    }
    const size_t length = VALUE(e) + peek(&in, EXTRA(e));
    skip(&in, EXTRA(e));
    const Entry d = decodeFast(&in, s->distance, DISTANCEBITS);
    const size_t distance = VALUE(d) + peek(&in, EXTRA(d));
    skip(&in, EXTRA(d));
    if (d & SPECIAL || distance > (size_t)(out - s->outstart)) {
      *wrong = d & SPECIAL ? "invalid distance code" : "distance too far back";
      break;
    }
    copyMatch(out, distance, length);
    out += length;
  }
  s->in = in;
  s->out = out;
  return ended || *wrong;
}

// length and distance behind a first entry
static const char* readMatch(Stream* s, Entry e) {
  const size_t length = VALUE(e) + peek(&s->in, EXTRA(e));
  if (!drop(&s->in, EXTRA(e))) return "unexpected end of data";
  refill(&s->in);
  const Entry d = decode(&s->in, s->distance, DISTANCEBITS);
  if (d & SPECIAL) return "invalid distance code";
  refill(&s->in);
  const size_t distance = VALUE(d) + peek(&s->in, EXTRA(d));
  if (!drop(&s->in, EXTRA(d))) return "unexpected end of data";
  if (distance > (size_t)(s->out - s->outstart)) return "distance too far back";
  if (length > (size_t)(s->outend - s->out)) return "more data than expected";
  for (size_t i = 0; i < length; i++) s->out[i] = s->out[(ptrdiff_t)i - (ptrdiff_t)distance];
  s->out += length;
  return NULL;
}

// symbols until the end of the block
static const char* readBlock(Stream* s) {
  const char* wrong = NULL;
  while (!wrong) {
    if (readFast(s, &wrong)) return wrong;
    refill(&s->in);
    const Entry e = decode(&s->in, s->literal, LITERALBITS);
    if (e & SPECIAL) return VALUE(e) == 1 ? NULL : "invalid code";
    if (!(e & LITERAL)) {
      wrong = readMatch(s, e);
    } else if (s->out < s->outend) {
      *s->out++ = (unsigned char)VALUE(e);
    } else {
      wrong = "more data than expected";
    }
  }
  return wrong;
}

// -------------------------------------------------------------------------------------------- stream

// Adler's check sum: the sum a of the bytes from 1 on and the sum b of those sums, both modulo 65521. Rows of LANES
// bytes are summed by columns: s[j] bytes, t[j] what s[j] was before each row.
static uint32_t adler(const unsigned char* data, size_t n) {
  enum { PRIME = 65521, LANES = 16, ROWS = 256 /* t stays below 2^32 */ };
  uint64_t a = 1, b = 0;
  while (n >= LANES) {
    const size_t rows = n / LANES < ROWS ? n / LANES : ROWS;
    uint32_t s[LANES] = {0}, t[LANES] = {0};
    for (size_t r = 0; r < rows; r++, data += LANES) {
#pragma GCC unroll 1  // as a loop it becomes vector instructions
      for (int j = 0; j < LANES; j++) {
        t[j] += s[j];
        s[j] += data[j];
      }
    }
    n -= rows * LANES;
    b += rows * LANES * a;
    for (unsigned j = 0; j < LANES; j++) {
      a += s[j];
      b += LANES * (uint64_t)t[j] + (LANES - j) * (uint64_t)s[j];
    }
    a %= PRIME;
    b %= PRIME;
  }
  for (; n; n--) {
    a += *data++;
    b += a;
  }
  return (uint32_t)(b % PRIME << 16 | a % PRIME);
}

const char* ast_inflate(unsigned char* out, size_t nout, const unsigned char* in, size_t nin) {
  // header: method 8, windows to 32 kB, no dictionary
  if (nin < 2 || (in[0] * 256 + in[1]) % 31 || (in[0] & 15) != 8 || in[0] >> 4 > 7 || in[1] & 32) {
    return "invalid zlib header";
  }
  Stream s = {
      .in = {.next = in + 2, .end = in + nin},
        .out = out, .outstart = out, .outend = out + nout
  };
  for (int last = 0; !last;) {
    refill(&s.in);
    last = (int)peek(&s.in, 1);
    const unsigned kind = peek(&s.in, 3) >> 1;
    if (!drop(&s.in, 3)) return "unexpected end of data";
    const char* wrong = kind == 0 ? copyStored(&s) : kind == 2 ? readLengths(&s) : NULL;
    if (kind == 3 || (kind == 1 && !fixedTables(&s))) wrong = "invalid block type";
    if (!wrong && kind != 0) wrong = readBlock(&s);
    if (wrong) return wrong;
  }
  if (s.out != s.outend) return "less data than expected";

  // check sum, the highest byte first
  const unsigned char* const at = s.in.next - (s.in.count >> 3);
  if (s.in.end - at < 4) return "missing check sum";
  const uint32_t expected = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
  return adler(out, nout) == expected ? NULL : "wrong check sum";
}
