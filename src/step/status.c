// Steps that return a status: errors are captured, the scratch stacks of all threads are put back.
#include <sinew/sinew.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/stack.h"

typedef void (*Work)(const mjModel* m, mjData* d);

static int countWarnings(const mjData* d) {
  int total = 0;
  for (int i = 0; i < mjNWARNING; i++) total += d->warning[i].number;
  return total;
}

static snStatus guard(Work work, const mjModel* m, mjData* d, char* message, int size) {
  if (message && size > 0) message[0] = 0;
  if (!m || !d) {
    if (message && size > 0) snprintf(message, (size_t)size, "%s is NULL", m ? "mjData" : "mjModel");
    return SN_ERROR;
  }

  // what an error would leave open
  BasStackMark mark;
  bas_stackRemember(d, &mark);
  const int warnings = countWarnings(d);
  BasCapture capture;
  BasCapture* const outer = bas_setCapture(&capture);
  if (setjmp(capture.back)) {
    bas_setCapture(outer);
    bas_stackPutBack(d, &mark);
    if (message && size > 0) snprintf(message, (size_t)size, "%s", capture.message);
    return SN_ERROR;
  }
  work(m, d);
  bas_setCapture(outer);
  return countWarnings(d) != warnings ? SN_WARNING : SN_OK;
}

snStatus sn_step(const mjModel* m, mjData* d, char* message, int size) {
  return guard(mj_step, m, d, message, size);
}

snStatus sn_forward(const mjModel* m, mjData* d, char* message, int size) {
  return guard(mj_forward, m, d, message, size);
}

snStatus sn_inverse(const mjModel* m, mjData* d, char* message, int size) {
  return guard(mj_inverse, m, d, message, size);
}
