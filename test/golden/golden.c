// golden [--write | --first] [CASE ...]: compares what the library gives with test/golden/data, case by case; --first
// ends at the first case that differs; --write makes the data, which is for the reference alone (`make golden`). Runs
// in the root of the repository.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "golden/cases.h"
#include "heap/heap.h"

static int chosen(const char* name, int argc, char** argv) {
  for (int i = 0; i < argc; i++) {
    if (strcmp(argv[i], name) == 0) return 1;
  }
  return argc == 0;
}

// blocks beside what the library keeps of what it has loaded
static long countBlocks(void) {
  mj_freeLastXML();
  mj_clearCache(mj_getCache());
  return heap_blocks();
}

int main(int argc, char** argv) {
  const int writing = argc > 1 && strcmp(argv[1], "--write") == 0;
  const int hasty = argc > 1 && strcmp(argv[1], "--first") == 0;
  const int first = writing || hasty ? 2 : 1;
  int n, failures = 0, ran = 0;
  // what the system allocates when it prints and dates a message for the first time is no case's
  static char buffer[BUFSIZ];
  setvbuf(stdout, buffer, _IOLBF, sizeof(buffer));
  tzset();
  const GoldenCase* const cases = gold_cases(&n);
  for (int i = 0; i < n && !(hasty && failures); i++) {
    if (!chosen(cases[i].name, argc - first, argv + first)) continue;
    char path[300];
    snprintf(path, sizeof(path), "test/golden/data/%s.bin", cases[i].name);
    const long blocks = countBlocks();
    const int errors =
        writing ? rec_write(path, cases[i].run, cases[i].arg) : rec_compare(path, cases[i].run, cases[i].arg);
    if (errors < 0) printf("%s: cannot be read; `make golden` makes it\n", path);
    if (errors > 0) printf("%s: %d differences\n", path, errors);
    const long lost = countBlocks() - blocks;
    if (!writing && !errors && lost) printf("%s: %ld blocks were not freed\n", path, lost);
    failures += errors != 0 || (!writing && lost);
    ran++;
  }
  if (!ran) printf("no such case\n");
  return failures || !ran;
}
