// The end of a program whose invariants are broken.
#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

_Thread_local BasAssertHandler bas_assertHandler;

void bas_assertFailed(const char* condition, const char* file, int line) {
  if (bas_assertHandler) bas_assertHandler(condition, file, line);
  fprintf(stderr, "%s:%d: invariant broken: %s\n", file, line, condition);
  abort();
}
