// Nearest word by edit distance (optimal string alignment: a swap of neighbours counts as one edit).
#include "support/suggest.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

enum { LONGEST = 63 };  // longer words are cut: nobody needs help with the end of those

static int least(int a, int b) {
  return a < b ? a : b;
}

static int sameLetter(char a, char b) {
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

int cli_distance(const char* a, const char* b) {
  const int na = (int)strnlen(a, LONGEST);
  const int nb = (int)strnlen(b, LONGEST);

  // rows of the table: two before, one before, this one
  int row[3][LONGEST + 1];
  for (int j = 0; j <= nb; j++) row[1][j] = j;
  for (int i = 1; i <= na; i++) {
    int* const now = row[2];
    now[0] = i;
    for (int j = 1; j <= nb; j++) {
      const int replaced = row[1][j - 1] + !sameLetter(a[i - 1], b[j - 1]);
      now[j] = least(replaced, least(row[1][j], now[j - 1]) + 1);
      const int swapped = i > 1 && j > 1 && sameLetter(a[i - 1], b[j - 2]) && sameLetter(a[i - 2], b[j - 1]);
      if (swapped) now[j] = least(now[j], row[0][j - 2] + 1);
    }
    memcpy(row[0], row[1], sizeof(row[0]));
    memcpy(row[1], row[2], sizeof(row[1]));
  }
  return row[1][nb];
}

const char* cli_nearest(const char* word, const char* const* list) {
  const char* best = NULL;
  int bestDistance = INT_MAX;
  for (; *list; list++) {
    // the beginning of a word is as good as one slip
    const size_t length = strlen(word);
    const int prefix = length >= 2 && strncasecmp(word, *list, length) == 0;
    const int distance = prefix ? 1 : cli_distance(word, *list);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = *list;
    }
  }
  // a third of the letters may be wrong, at least two
  const int allowed = least((int)strlen(word), 24) / 3;
  return bestDistance <= (allowed < 2 ? 2 : allowed) ? best : NULL;
}
