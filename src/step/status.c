// Steps that return a status: errors are captured, the scratch stacks of all threads are put back.
#include <sinew/sinew.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/stack.h"

typedef void (*Work)(const mjModel* m, mjData* d);

typedef struct {
  Work work;
  const mjModel* m;
  mjData* d;
} Call;

static void makeCall(void* arg) {
  const Call* const call = arg;
  call->work(call->m, call->d);
}

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
  char raised[BAS_MESSAGE];
  if (!bas_attempt(makeCall, &(Call){work, m, d}, raised)) {
    bas_stackPutBack(d, &mark);
    if (message && size > 0) snprintf(message, (size_t)size, "%s", raised);
    return SN_ERROR;
  }
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
