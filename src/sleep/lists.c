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

static int* typeCopy(const mjModel* m, Lists* lists) {
  return lists->data + m->ntree;
}

static int* targetCopy(const mjModel* m, Lists* lists) {
  return typeCopy(m, lists) + m->nu;
}

static int* actuatorList(const mjModel* m, Lists* lists) {
  return targetCopy(m, lists) + 2 * m->nu;
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
  const size_t trees = sizeof(int) * (size_t)m->ntree;
  if (lists->valid && !memcmp(lists->data, d->tree_awake, trees)) return lists;
  lists->valid = 1;
  memcpy(lists->data, d->tree_awake, trees);
  if (m->nu) {
    memcpy(typeCopy(m, lists), m->actuator_trntype, sizeof(int) * (size_t)m->nu);
    memcpy(targetCopy(m, lists), m->actuator_trnid, sizeof(int) * 2 * (size_t)m->nu);
  }
  lists->nactuator = collect(m, d, mjOBJ_ACTUATOR, m->nu, actuatorList(m, lists));
  lists->njoint = collect(m, d, mjOBJ_JOINT, m->njnt, jointList(m, lists));
  BAS_ASSERT(bas_isIncreasing(actuatorList(m, lists), lists->nactuator, 0, (int)m->nu));
  BAS_ASSERT(bas_isIncreasing(jointList(m, lists), lists->njoint, 0, (int)m->njnt));
  return lists;
}

void slp_checkTransmission(const mjModel* m, const mjData* d) {
  Lists* const lists = mdl_section(d, MDL_SLEEP);
  if (!m->nu || !lists->valid) return;
  lists->valid = !memcmp(typeCopy(m, lists), m->actuator_trntype, sizeof(int) * (size_t)m->nu) &&
                 !memcmp(targetCopy(m, lists), m->actuator_trnid, sizeof(int) * 2 * (size_t)m->nu);
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
