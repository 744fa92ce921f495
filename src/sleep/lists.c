// Lists of the actuators and joints that are not asleep, so that stages with thousands of them cost what is awake.
//
// They follow from tree_awake and from what the actuators act on, which change rarely. slp_update drops them; copies
// tell whether somebody else changed something since they were made.
#include <string.h>

#include "sleep/private.h"
#include "base/assert.h"

static int* typeCopy(const mjModel* m, SlpPrivate* own) {
  return own->data + m->ntree;
}

static int* targetCopy(const mjModel* m, SlpPrivate* own) {
  return typeCopy(m, own) + m->nu;
}

static int* actuatorList(const mjModel* m, SlpPrivate* own) {
  return targetCopy(m, own) + 2 * m->nu;
}

static int* jointList(const mjModel* m, SlpPrivate* own) {
  return actuatorList(m, own) + m->nu;
}

static size_t listInts(const mjModel* m) {
  return (size_t)(m->ntree + 4 * m->nu + m->njnt);
}

unsigned char* slp_marks(const mjModel* m, SlpPrivate* own) {
  return (unsigned char*)(own->data + listInts(m));
}

// where the copies of masses are: behind the marks
static size_t massPlace(const mjModel* m) {
  const size_t bytes = sizeof(SlpPrivate) + sizeof(int) * listInts(m) + (size_t)(m->nv / SLP_BLOCK + 1);
  return (bytes + sizeof(mjtNum) - 1) / sizeof(mjtNum) * sizeof(mjtNum);
}

size_t slp_sectionSize(const mjModel* m) {
  return massPlace(m) + sizeof(mjtNum) * ((size_t)m->nbody + 3);
}

void slp_sectionInit(const mjModel* m, void* memory) {
  (void)m;
  *(SlpPrivate*)memory = (SlpPrivate){0};
}

void slp_setStill(const mjData* d, int still) {
  slp_private(d)->still = still;
}

int slp_isStill(const mjData* d) {
  return slp_private(d)->still;
}

int slp_takeStill(const mjData* d) {
  SlpPrivate* const own = slp_private(d);
  const int still = own->still;
  own->still = 0;
  own->centred &= still;
  return still;
}

// masses of all subtrees, and the centre that follows from them
static mjtNum* masses(const mjModel* m, SlpPrivate* own) {
  return (mjtNum*)(void*)((char*)own + massPlace(m));
}

int slp_hasCentre(const mjModel* m, const mjData* d) {
  SlpPrivate* const own = slp_private(d);
  const mjtNum* const mass = masses(m, own);
  return own->centred && !memcmp(mass, m->body_subtreemass, sizeof(mjtNum) * (size_t)m->nbody) &&
         !memcmp(mass + m->nbody, d->subtree_com, 3 * sizeof(mjtNum));
}

void slp_keepCentre(const mjModel* m, const mjData* d) {
  SlpPrivate* const own = slp_private(d);
  mjtNum* const mass = masses(m, own);
  own->centred = d->nbody_awake == 1;
  if (!own->centred) return;
  memcpy(mass, m->body_subtreemass, sizeof(mjtNum) * (size_t)m->nbody);
  memcpy(mass + m->nbody, d->subtree_com, 3 * sizeof(mjtNum));
}

void slp_dropLists(const mjData* d) {
  SlpPrivate* const own = slp_private(d);
  own->valid = own->resting = own->settled = own->centred = 0;
}

// the objects of a type that are not asleep
static int collect(const mjModel* m, const mjData* d, int objtype, mjtSize total, int* list) {
  int n = 0;
  for (int i = 0; i < total; i++) {
    if (slp_state(m, d, objtype, i) != mjS_ASLEEP) list[n++] = i;
  }
  return n;
}

static SlpPrivate* upToDate(const mjModel* m, const mjData* d) {
  SlpPrivate* const own = slp_private(d);
  const size_t trees = sizeof(int) * (size_t)m->ntree;
  if (own->valid && !memcmp(own->data, d->tree_awake, trees)) return own;
  own->valid = 1;
  memcpy(own->data, d->tree_awake, trees);
  if (m->nu) {
    memcpy(typeCopy(m, own), m->actuator_trntype, sizeof(int) * (size_t)m->nu);
    memcpy(targetCopy(m, own), m->actuator_trnid, sizeof(int) * 2 * (size_t)m->nu);
  }
  own->nactuator = collect(m, d, mjOBJ_ACTUATOR, m->nu, actuatorList(m, own));
  own->njoint = collect(m, d, mjOBJ_JOINT, m->njnt, jointList(m, own));
  BAS_ASSERT(bas_isIncreasing(actuatorList(m, own), own->nactuator, 0, (int)m->nu));
  BAS_ASSERT(bas_isIncreasing(jointList(m, own), own->njoint, 0, (int)m->njnt));
  return own;
}

void slp_checkTransmission(const mjModel* m, const mjData* d) {
  SlpPrivate* const own = slp_private(d);
  if (!m->nu || !own->valid) return;
  own->valid = !memcmp(typeCopy(m, own), m->actuator_trntype, sizeof(int) * (size_t)m->nu) &&
               !memcmp(targetCopy(m, own), m->actuator_trnid, sizeof(int) * 2 * (size_t)m->nu);
}

SlpRange slp_actuators(const mjModel* m, const mjData* d) {
  if (!slp_enabled(m)) return (SlpRange){(int)m->nu, NULL, 0};
  SlpPrivate* const own = upToDate(m, d);
  return (SlpRange){own->nactuator, actuatorList(m, own), 0};
}

SlpRange slp_joints(const mjModel* m, const mjData* d) {
  if (!slp_enabled(m)) return (SlpRange){(int)m->njnt, NULL, 0};
  SlpPrivate* const own = upToDate(m, d);
  return (SlpRange){own->njoint, jointList(m, own), 0};
}
