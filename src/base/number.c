// Numbers as text, in any locale. strtod, sscanf and printf follow the process's, so reading goes through strtod_l with
// the C locale, which rounds correctly, and writing through uselocale. Models are written with a number of digits that
// a thread may set: 17 are enough to read back every double, and then the shortest text that does is taken.
#include "base/number.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static locale_t plain;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void makeLocale(void) {
  plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static const char* skipSpace(const char* p) {
  return p + strspn(p, " \t\r\n\v\f");
}

// 1: p stands at the end of a word
static int wordEnds(const char* p) {
  return !*p || strchr(" \t\r\n\v\f", *p);
}

double bas_readDouble(const char* text, const char** end) {
  pthread_once(&once, makeLocale);
  char* behind;
  errno = 0;
  const double value = strtod_l(text, &behind, plain);
  *end = behind;
  return value;
}

float bas_readFloat(const char* text, const char** end) {
  pthread_once(&once, makeLocale);
  char* behind;
  errno = 0;
  const float value = strtof_l(text, &behind, plain);
  *end = behind;
  return value;
}

double sn_readNumber(const char* text, const char** end) {
  const char* behind;
  const double value = bas_readDouble(text, &behind);
  if (end) *end = behind;
  return value;
}

// numbers of double or single precision
static int readNumbers(const char* text, int single, void* out, int most, const char** bad) {
  int count = 0;
  for (const char* p = skipSpace(text); *p; p = skipSpace(p)) {
    const char* end;
    double value = 0;
    float narrow = 0;
    if (single) {
      narrow = bas_readFloat(p, &end);
    } else {
      value = bas_readDouble(p, &end);
    }
    const int range = errno == ERANGE;
    *bad = p;
    if (end == p || !wordEnds(end)) return BAS_NO_NUMBER;
    if (range) return BAS_RANGE;
    if (count < most && single) ((float*)out)[count] = narrow;
    if (count < most && !single) ((double*)out)[count] = value;
    count++;
    p = end;
  }
  return count;
}

int bas_readDoubles(const char* text, double* out, int most, const char** bad) {
  return readNumbers(text, 0, out, most, bad);
}

int bas_readFloats(const char* text, float* out, int most, const char** bad) {
  return readNumbers(text, 1, out, most, bad);
}

int bas_readLeading(const char* text, double* out, int most) {
  int count = 0;
  while (count < most) {
    const char* end;
    const double value = bas_readDouble(text, &end);
    if (end == text) break;
    out[count++] = value;
    // an exponent that somebody has begun to write belongs to the number: "1e", "1e-"
    if (strcspn(text, "eE") == (size_t)(end - text) && *end) end += 1 + (end[1] == '+' || end[1] == '-');
    text = end;
  }
  return count;
}

int bas_readInts(const char* text, int* out, int most, const char** bad) {
  int count = 0;
  for (const char* p = skipSpace(text); *p; p = skipSpace(p)) {
    char* end;
    errno = 0;
    const long value = strtol(p, &end, 10);
    if (end == p || !wordEnds(end) || errno || value > INT_MAX || value < INT_MIN) {
      *bad = p;
      return -1;
    }
    if (count < most) out[count] = (int)value;
    count++;
    p = end;
  }
  return count;
}

// significant digits of the numbers that this thread writes; the reference's are six
enum { BAS_DIGITS = 6, BAS_EXACT = 17 };
static _Thread_local int digitsWritten = BAS_EXACT;

int _mjPRIVATE__get_xml_precision(void) {
  return digitsWritten;
}

void _mjPRIVATE__set_xml_precision(int digits) {
  digitsWritten = digits < 1 ? 1 : digits;
}

int sn_saveDigits(int digits) {
  const int before = digitsWritten;
  _mjPRIVATE__set_xml_precision(digits);
  return before;
}

// the fewest digits, six or more so that small whole numbers stay plain, that read back as the same number
static int writeExact(double value, int single, char* text) {
  int length = 0;
  for (int digits = BAS_DIGITS; digits <= BAS_EXACT; digits++) {
    length = snprintf(text, BAS_NUMBER, "%.*g", digits, value);
    const double back = strtod(text, NULL);
    if (back == value || (single && (float)back == (float)value)) break;
  }
  return length;
}

// numbers within 1e-12 of a whole one are taken for it and written in full; -0 is 0
static int writeRounded(double value, char* text) {
  const double whole = round(value);
  const int isWhole = fabs(value) < INT_MAX && fabs(value - whole) < 1e-12;
  if (isWhole) return snprintf(text, BAS_NUMBER, "%d", (int)whole);
  return snprintf(text, BAS_NUMBER, "%.*g", digitsWritten, value);
}

static int writeNumber(double value, int single, char* text) {
  pthread_once(&once, makeLocale);
  if (isnan(value)) return sprintf(text, "nan");
  if (isinf(value)) return sprintf(text, value > 0 ? "inf" : "-inf");
  const locale_t before = uselocale(plain);
  const int length = digitsWritten < BAS_EXACT ? writeRounded(value, text) : writeExact(value, single, text);
  uselocale(before);
  return length;
}

int bas_writeDouble(double value, char text[BAS_NUMBER]) {
  return writeNumber(value, 0, text);
}

int bas_writeFloat(float value, char text[BAS_NUMBER]) {
  return writeNumber(value, 1, text);
}

int bas_writeShort(double value, int digits, char text[BAS_NUMBER]) {
  pthread_once(&once, makeLocale);
  const locale_t before = uselocale(plain);
  const int length = snprintf(text, BAS_NUMBER, "%.*g", digits, value);
  uselocale(before);
  return length;
}
