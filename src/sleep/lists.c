// Lists of the actuators and joints that are not asleep, so that stages with thousands of them cost what is awake.
//
// They follow from tree_awake and from what the actuators act on, which change rarely. slp_update drops them; copies
// tell whether somebody else changed something since they were made.
#include <string.h>

#include "model/private.h"
#include "sleep/sleep.h"
#include "base/assert.h"

// what lies behind the header: copies of tree_awake, actuator_trntype and actuator_trnid, then both lists
typedef struct {
  int valid;
  int nactuator, njoint;
  int data[];
} Lists;

static int* actuatorList(const mjModel* m, Lists* lists) {
  return lists->data + m->ntree + 3 * m->nu;
}

static int* jointList(const mjModel* m, Lists* lists) {
  return actuatorList(m, lists) + m->nu;
}

size_t slp_sectionSize(const mjModel* m) {
  return sizeof(Lists) + sizeof(int) * (size_t)(m->ntree + 4 * m->nu + m->njnt);
}

void slp_sectionInit(const mjModel* m, void* memory) {
  (void)m;
  ((Lists*)memory)->valid = 0;
}

void slp_dropLists(const mjData* d) {
  ((Lists*)mdl_section(d, MDL_SLEEP))->valid = 0;
}

// the objects of a type that are not asleep
static int collect(const mjModel* m, const mjData* d, int objtype, mjtSize total, int* list) {
  int n = 0;
  for (int i = 0; i < total; i++) {
    if (slp_state(m, d, objtype, i) != mjS_ASLEEP) list[n++] = i;
  }
  return n;
}

static Lists* upToDate(const mjModel* m, const mjData* d) {
  Lists* const lists = mdl_section(d, MDL_SLEEP);
  const size_t trees = sizeof(int) * (size_t)m->ntree, actuators = sizeof(int) * (size_t)m->nu;
  int *const awake = lists->data, *const type = awake + m->ntree, *const target = type + m->nu;
  if (lists->valid && !memcmp(awake, d->tree_awake, trees) &&
      (!m->nu ||
       (!memcmp(type, m->actuator_trntype, actuators) && !memcmp(target, m->actuator_trnid, 2 * actuators)))) {
    return lists;
  }
  lists->valid = 1;
  memcpy(awake, d->tree_awake, trees);
  if (m->nu) {
    memcpy(type, m->actuator_trntype, actuators);
    memcpy(target, m->actuator_trnid, 2 * actuators);
  }
  lists->nactuator = collect(m, d, mjOBJ_ACTUATOR, m->nu, actuatorList(m, lists));
  lists->njoint = collect(m, d, mjOBJ_JOINT, m->njnt, jointList(m, lists));
  BAS_ASSERT(bas_isIncreasing(actuatorList(m, lists), lists->nactuator, 0, (int)m->nu));
  BAS_ASSERT(bas_isIncreasing(jointList(m, lists), lists->njoint, 0, (int)m->njnt));
  return lists;
}

SlpRange slp_actuators(const mjModel* m, const mjData* d) {
  if (!slp_enabled(m)) return (SlpRange){(int)m->nu, NULL};
  Lists* const lists = upToDate(m, d);
  return (SlpRange){lists->nactuator, actuatorList(m, lists)};
}

SlpRange slp_joints(const mjModel* m, const mjData* d) {
  if (!slp_enabled(m)) return (SlpRange){(int)m->njnt, NULL};
  Lists* const lists = upToDate(m, d);
  return (SlpRange){lists->njoint, jointList(m, lists)};
}
