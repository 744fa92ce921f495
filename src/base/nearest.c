// Nearest names by edit distance.
#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

// edit distance of two short words; two neighbours that changed places count as one edit
static int distance(const char* a, const char* b) {
  enum { MOST = 40 };
  const int n = (int)strlen(a), m = (int)strlen(b);
  if (n >= MOST || m >= MOST) return MOST;
  int rows[3][MOST + 1];  // of this letter of a and the two before
  for (int j = 0; j <= m; j++) rows[0][j] = j;
  for (int i = 1; i <= n; i++) {
    int* row = rows[i % 3];
    const int *above = rows[(i + 2) % 3], *higher = rows[(i + 1) % 3];
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      const int replace = above[j - 1] + (a[i - 1] != b[j - 1]), insert = row[j - 1] + 1, delete = above[j] + 1;
      row[j] = replace < insert ? replace : insert;
      if (delete < row[j]) row[j] = delete;
      const int swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped && higher[j - 2] + 1 < row[j]) row[j] = higher[j - 2] + 1;
    }
  }
  return rows[n % 3][m];
}

void bas_consider(BasNearest* nearest, const char* candidate) {
  const int d = distance(nearest->word, candidate);
  if (d < nearest->least) {
    nearest->least = d;
    nearest->best = candidate;
  }
}

const char* bas_suggestion(const BasNearest* nearest, char* text, size_t size) {
  text[0] = 0;
  if (nearest->best && nearest->least <= 2 && nearest->least < (int)strlen(nearest->word)) {
    snprintf(text, size, ", did you mean '%s'?", nearest->best);
  }
  return text;
}
