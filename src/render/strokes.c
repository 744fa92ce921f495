// Reading the strokes of a character of glyphs.c.
#include "render/glyphs.h"

// a coordinate of the table: an integer, perhaps with a half
static double readNumber(const char** text) {
  const char* s = *text;
  const int negative = *s == '-';
  double v = 0;
  for (s += negative; *s >= '0' && *s <= '9'; s++) v = 10 * v + (*s - '0');
  if (s[0] == '.') {
    v += 0.5;
    s += 2;
  }
  *text = s;
  return negative ? -v : v;
}

int ren_readStroke(const char** text, RenPoint point[REN_MAX_POINT]) {
  const char* s = *text;
  int n = 0;
  while (*s && *s != ';' && n < REN_MAX_POINT) {
    point[n].corner = *s == '~';
    if (point[n].corner) s++;
    point[n].x = readNumber(&s);
    s++;
    point[n].y = readNumber(&s);
    if (*s == ' ') s++;
    n++;
  }
  *text = *s == ';' ? s + 1 : s;
  return n;
}
