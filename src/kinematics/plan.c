// Makes the plan of plan.h.
#include "kinematics/plan.h"
#include "base/assert.h"

#include <limits.h>

static KinPlan layOut(const mjModel* m) {
  KinPlan plan = {0};
  for (int j = 0; j < m->njnt; j++) plan.nhinge += m->jnt_type[j] == mjJNT_HINGE;
  const size_t line = 64;  // of the cache
  plan.scratch = (sizeof(KinPlan) + (plan.nhinge + 1) * sizeof(int) + line - 1) / line * line;
  return plan;
}

size_t kin_sectionSize(const mjModel* m) {
  const KinPlan plan = layOut(m);
  return plan.scratch + 3 * plan.nhinge * sizeof(mjtNum);
}

void kin_sectionInit(const mjModel* m, void* memory) {
  KinPlan* plan = memory;
  *plan = layOut(m);
  int *hinge = (int*)(plan + 1), n = 0;
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] == mjJNT_HINGE) hinge[n++] = m->jnt_qposadr[j];
  }
  hinge[n] = INT_MAX;
  BAS_ASSERT(n == plan->nhinge);
}

void kin_assertPlan(const mjModel* m, const mjData* d) {
  const KinPlan* plan = kin_plan(d);
  const int* hinge = kin_hinges(plan);
  BAS_ASSERT(plan->nhinge >= 0 && plan->nhinge <= m->njnt);
  BAS_ASSERT(plan->scratch % 64 == 0);
  BAS_ASSERT(plan->scratch >= sizeof(KinPlan) + ((size_t)plan->nhinge + 1) * sizeof(int));
  BAS_ASSERT(bas_isIncreasing(hinge, plan->nhinge, 0, (int)m->nq));
  BAS_ASSERT(hinge[plan->nhinge] == INT_MAX);
}
