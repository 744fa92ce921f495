// Plain text: UTF-8 without anything that is interpreted.
#include "support/plain.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Bytes of the character that begins here and its number; one byte and -1 where it is not valid UTF-8.
static int decode(const unsigned char* c, int32_t* code) {
  *code = c[0] < 0x80 ? c[0] : -1;
  const int more = c[0] >= 0xf0 && c[0] < 0xf5 ? 3 : c[0] >= 0xe0 && c[0] < 0xf0 ? 2 : c[0] >= 0xc2 && c[0] < 0xe0;
  if (!more) return 1;
  int32_t value = c[0] & (0x3f >> more);
  for (int i = 1; i <= more; i++) {
    if ((c[i] & 0xc0) != 0x80) return 1;
    value = value << 6 | (c[i] & 0x3f);
  }
  // the longest forms also hold what shorter ones do, halves of pairs, and more than there is
  static const int32_t least[] = {0, 0x80, 0x800, 0x10000};
  if (value < least[more] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return 1;
  *code = value;
  return more + 1;
}

static int isPlain(int32_t code, int lines) {
  if (lines && (code == '\n' || code == '\t')) return 1;
  // control characters of ASCII and of ISO 8859, line and paragraph separators
  if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029) return 0;
  // direction of writing: marks, embeddings, overrides, isolates
  if (code == 0x061c || code == 0x200e || code == 0x200f) return 0;
  return !(code >= 0x202a && code <= 0x202e) && !(code >= 0x2066 && code <= 0x2069);
}

char* cli_plain(char* text, int lines) {
  for (unsigned char* c = (unsigned char*)text; *c;) {
    int32_t code = 0;
    const int n = decode(c, &code);
    if (!isPlain(code, lines)) memset(c, '?', (size_t)n);
    c += n;
  }
  return text;
}

void cli_putPlainV(FILE* out, const char* format, va_list args) {
  char* text = NULL;
  if (vasprintf(&text, format, args) < 0) return;
  fputs(cli_plain(text, 1), out);
  free(text);
}

void cli_putPlain(FILE* out, const char* format, ...) {
  va_list args;
  va_start(args, format);
  cli_putPlainV(out, format, args);
  va_end(args);
}
