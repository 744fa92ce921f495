// With few bodies it takes longer to ask whether two of them may collide, by their bits, welds and parents, than to see
// that their boxes are apart. The answers depend on the model alone: they are kept in the section as a list of pairs,
// in the order of their signatures, together with the numbers that they were found from. These are compared in every
// step, because users edit models.
#include "collision/few.h"

#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/stack.h"
#include "collision/box.h"
#include "collision/filter.h"
#include "collision/float4.h"
#include "collision/section.h"
#include "collision/sweep.h"
#include "model/hooks.h"
#include "sleep/sleep.h"

// most bodies; with more the sweep of sweep.c compares fewer boxes
enum { FEW_BODIES = 40 };

// arrays of the model that decide: (nbody) numbers each
enum { NSOURCE = 5 };

// a body with a box
typedef struct {
  uint16_t id;
  uint16_t world;  // 1: it may touch the world
} Member;

// two members
typedef struct {
  uint16_t a, b;
} Pair;

// the plan; behind it NSOURCE·nbody numbers of the model, nbody members, then the pairs
typedef struct {
  int made;          // 0: nothing is known yet
  int filterParent;  // whether a parent and its child may not collide
  int nmember, npair;
} Plan;

//---------------------------------- plan ----------------------------------

static size_t mostPairs(const mjModel* m) {
  return (size_t)m->nbody * (size_t)(m->nbody - 1) / 2;
}

size_t col_fewSize(const mjModel* m) {
  if (m->nbody > FEW_BODIES || m->nflex) return 0;
  const size_t n = (size_t)m->nbody;
  return (sizeof(Plan) + NSOURCE * n * sizeof(int) + n * sizeof(Member) + mostPairs(m) * sizeof(Pair) + 63) &
         ~(size_t)63;
}

static int* sourceOf(Plan* plan) {
  return (int*)(plan + 1);
}

static Member* membersOf(const mjModel* m, Plan* plan) {
  return (Member*)(sourceOf(plan) + NSOURCE * m->nbody);
}

static Pair* pairsOf(const mjModel* m, Plan* plan) {
  return (Pair*)(membersOf(m, plan) + m->nbody);
}

// 1: the plan's numbers are those of the model
static int isCurrent(const mjModel* m, Plan* plan, int filterParent) {
  const int* const array[NSOURCE] = {m->body_weldid, m->body_parentid, m->body_geomnum, m->body_contype,
                                     m->body_conaffinity};
  const int n = (int)m->nbody, *source = sourceOf(plan);
  int differs = !plan->made | (plan->filterParent != filterParent);
  for (int k = 0; k < NSOURCE; k++, source += n) {
    for (int i = 0; i < n; i++) differs |= source[i] ^ array[k][i];
  }
  return !differs;
}

// 1: the body has something that may collide
static int hasBox(const mjModel* m, int body) {
  return (m->body_contype[body] || m->body_conaffinity[body]) && m->body_geomnum[body] > 0;
}

static void makePlan(const mjModel* m, Plan* plan, int filterParent) {
  const int* const array[NSOURCE] = {m->body_weldid, m->body_parentid, m->body_geomnum, m->body_contype,
                                     m->body_conaffinity};
  const size_t n = (size_t)m->nbody;
  for (size_t k = 0; k < NSOURCE; k++) memcpy(sourceOf(plan) + k * n, array[k], n * sizeof(int));
  *plan = (Plan){.made = 1, .filterParent = filterParent};

  // who has a box; the static ones never touch the world
  Member* member = membersOf(m, plan);
  for (int b = 1; b < m->nbody; b++) {
    if (!hasBox(m, b)) continue;
    const int world = m->body_weldid[b] && hasBox(m, 0) && col_bitsMatch(col_bits(m, 0), col_bits(m, b));
    member[plan->nmember++] = (Member){(uint16_t)b, (uint16_t)world};
  }

  // who may touch whom: two static ones may not
  Pair* pair = pairsOf(m, plan);
  for (int i = 0; i < plan->nmember; i++) {
    const ColEntry a = col_entryOf(m, member[i].id);
    for (int j = i + 1; j < plan->nmember; j++) {
      const ColEntry b = col_entryOf(m, member[j].id);
      if ((a.weld == 0 && b.weld == 0) || !col_mayMeet(&a, &b, filterParent)) continue;
      pair[plan->npair++] = (Pair){(uint16_t)i, (uint16_t)j};
    }
  }
  BAS_ASSERT((size_t)plan->npair <= mostPairs(m));
}

//---------------------------------- boxes ----------------------------------

// a box as floats, rounded outwards; what is no number meets everything
typedef struct {
  ColFloat4 low, high;
} Box4;

static inline ColFloat4 sizeOf(ColFloat4 x) {
  return (ColFloat4)((ColInt4)x & INT32_MAX);
}

static inline Box4 memberBox(const mjModel* m, const mjData* d, int body) {
  const int start = m->body_geomadr[body];
  const ColBoxSum sum = col_sumBox(m, d, start, start + m->body_geomnum[body]);
  const ColFloat4 low = {(float)sum.low[0], (float)sum.low[1], (float)sum.lowz, 0};
  const ColFloat4 high = {(float)sum.high[0], (float)sum.high[1], (float)sum.highz, 0};
  return (Box4){low - (sizeOf(low) * 2.5e-7f + 1e-30f), high + (sizeOf(high) * 2.5e-7f + 1e-30f)};
}

static inline bool meet(const Box4* a, const Box4* b) {
  return !col_any4((a->low > b->high) | (b->low > a->high));
}

//---------------------------------- pairs ----------------------------------

// a static body with a plane reaches everywhere, which boxes do not show
static bool planeBesidesWorld(const mjModel* m, const Plan* plan, const Member* member) {
  for (int i = 0; i < plan->nmember; i++) {
    if (!m->body_weldid[member[i].id] && col_hasPlane(m, member[i].id)) return true;
  }
  return false;
}

static void pairWithWorld(const mjModel* m, const mjData* d, ColPairs* pairs, const Member* member, const Box4* box,
                          int n) {
  ColGround ground;
  col_makeGround(&ground, m, d, 0);
  for (int i = 0; i < n; i++) {
    if (!member[i].world) continue;
    const mjtNum low[3] = {box[i].low[0], box[i].low[1], box[i].low[2]};
    const mjtNum high[3] = {box[i].high[0], box[i].high[1], box[i].high[2]};
    const unsigned geoms = col_nearGround(&ground, low, high);
    if (!geoms) continue;
    if (pairs->ground) pairs->ground[pairs->n] = (uint16_t)geoms;
    pairs->pair[pairs->n++] = col_signature(0, member[i].id);
  }
  if (pairs->ground) pairs->nworld = pairs->n;
}

bool col_fewBodies(const mjModel* m, mjData* d, ColPairs* pairs) {
  Plan* plan = col_fewPlan(m, d);
  if (!plan || mdl_filtersContacts(d) || (slp_enabled(m) && d->nbody_awake < m->nbody)) return false;
  const int filterParent = !(m->opt.disableflags & mjDSBL_FILTERPARENT);
  if (!isCurrent(m, plan, filterParent)) makePlan(m, plan, filterParent);
  const Member* member = membersOf(m, plan);
  if (planeBesidesWorld(m, plan, member)) return false;

  // room for all, numbers of four bytes before those of two
  const size_t n = (size_t)plan->nmember, most = n + (size_t)plan->npair;
  *pairs = (ColPairs){0};
  pairs->pair = mj_stackAllocByte(d, most * sizeof(unsigned) + n * sizeof(uint16_t), _Alignof(unsigned));
  if (m->body_geomnum[0] <= COL_GROUND_GEOMS) pairs->ground = (uint16_t*)(pairs->pair + most);

  // boxes, then what meets: the world's pairs have the lowest signatures
  Box4 box[FEW_BODIES];
  for (size_t i = 0; i < n; i++) box[i] = memberBox(m, d, member[i].id);
  if (hasBox(m, 0)) pairWithWorld(m, d, pairs, member, box, plan->nmember);
  const Pair* pair = pairsOf(m, plan);
  for (int k = 0; k < plan->npair; k++) {
    if (!meet(box + pair[k].a, box + pair[k].b)) continue;
    pairs->pair[pairs->n++] = col_signature(member[pair[k].a].id, member[pair[k].b].id);
  }
  BAS_CHECK(col_assertPairs(m, pairs));
  return true;
}
