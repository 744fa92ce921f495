// Numbers in XML attributes. strtod follows the process's locale, so reading goes through strtod_l with the C locale,
// which rounds correctly; writing tries 1 to 17 digits until the text reads back as the same number.
#include "xml/number.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
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

int xml_readDoubles(const char* text, double* out, int most, const char** bad) {
  pthread_once(&once, makeLocale);
  int count = 0;
  for (const char* p = skipSpace(text); *p; p = skipSpace(p)) {
    char* end;
    const double value = strtod_l(p, &end, plain);
    if (end == p || !wordEnds(end)) {
      *bad = p;
      return -1;
    }
    if (count < most) out[count] = value;
    count++;
    p = end;
  }
  return count;
}

int xml_readInts(const char* text, int* out, int most, const char** bad) {
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

// with six digits small whole numbers stay plain: 10, not 1e+01
static int writeNumber(double value, int single, char* text) {
  pthread_once(&once, makeLocale);
  if (isnan(value)) return sprintf(text, "nan");
  if (isinf(value)) return sprintf(text, value > 0 ? "inf" : "-inf");
  const locale_t before = uselocale(plain);
  int length = 0;
  for (int digits = 6; digits <= 17; digits++) {
    length = snprintf(text, 32, "%.*g", digits, value);
    const double back = strtod(text, NULL);
    if (back == value || (single && (float)back == (float)value)) break;
  }
  uselocale(before);
  return length;
}

int xml_writeDouble(double value, char* text) {
  return writeNumber(value, 0, text);
}

int xml_writeFloat(float value, char* text) {
  return writeNumber(value, 1, text);
}
