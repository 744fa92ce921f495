// The body of a kernel as a C function called CU_RUN.
#define CU_OWN 1
#include <string.h>

#include "cuda/step.h"
#include "support/cuda_run.h"

void CU_RUN(const void* task, int i, void* workspace) {
  const CudTask* const t = task;
  Cu c = {.t = t, .m = &t->m, .w = workspace, .sim = t->list ? t->list[i] : i};
#if CU_FAR
  // as the host fills workspaces of its own
  c.w = t->far;
  memset(c.w, 0xff, sizeof(Real) * (size_t)t->m.at.total);
#endif
  cu_simulate(&c);
}
