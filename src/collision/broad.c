// Broad phase. Two kinds of pairs:
//
// - The world and world-welded bodies with a plane reach everywhere: each is paired with every body that moves, less
// those
//   that are clearly above its planes and away from its other geoms.
// - All else by sweep and prune over world-aligned boxes. Bodies that move ("active") are swept against each other and
//   against those that are static or asleep ("passive"); two passive ones never collide, so what sleeps costs almost
//   nothing while nothing moves near it.
#include "collision/broad.h"

#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "base/share.h"
#include "base/stack.h"
#include "collision/box.h"
#include "collision/few.h"
#include "collision/filter.h"
#include "collision/sweep.h"
#include "math/vec.h"
#include "model/hooks.h"
#include "sleep/sleep.h"
#include "base/assert.h"

// up to this many pairs insertion sort is quicker than counting
enum { FEW_PAIRS = 24 };

// what the phase carries along
typedef struct {
  ColBoxes active, passive;
  ColBox reach;      // of all active boxes
  bool sleeping;     // some bodies are asleep
  bool* everywhere;  // far-reaching bodies besides the world, NULL when there are none
} Broad;

//---------------------------------- boxes ----------------------------------

static ColBox flexBox(const mjModel* m, const mjData* d, int f) {
  const mjtNum* vert = d->flexvert_xpos + 3 * m->flex_vertadr[f];
  const mjtNum reach = m->flex_radius[f] + col_ownMargin(m, m->flex_margin[f]);
  ColBox box = COL_NO_BOX;
  for (int i = 0; i < m->flex_vertnum[f]; i++) col_growBox(&box, vert + 3 * i, vert + 3 * i);
  for (int i = 0; i < 3; i++) {
    box.low[i] -= reach;
    box.high[i] += reach;
  }
  return box;
}

// true when the bounding sphere of one of the body's geoms may meet the box
static bool meetsBox(const mjModel* m, const mjData* d, int body, const ColBox* box) {
  const int start = m->body_geomadr[body], end = start + m->body_geomnum[body];
  for (int g = start; g < end; g++) {
    const mjtNum* pos = d->geom_xpos + 3 * g;
    const mjtNum reach = m->geom_rbound[g] + col_ownMargin(m, m->geom_margin[g]) + COL_PLANE_SLACK;
    const bool apart = pos[0] + reach < box->low[0] || pos[0] - reach > box->high[0] || pos[1] + reach < box->low[1] ||
                       pos[1] - reach > box->high[1] || pos[2] + reach < box->low[2] || pos[2] - reach > box->high[2];
    if (!apart) return true;
  }
  return false;
}

// bodies that take part in the sweep: 1 active, -1 passive, 0 neither
static inline int roleOf(const mjModel* m, const mjData* d, const Broad* broad, int b) {
  if ((!m->body_contype[b] && !m->body_conaffinity[b]) || m->body_geomnum[b] == 0) return 0;
  if (m->body_weldid[b] == 0) return broad->everywhere && broad->everywhere[b] ? 0 : -1;
  return broad->sleeping && d->body_awake[b] == mjS_ASLEEP ? -1 : 1;
}

// bodies or boxes in parts on threads; what each part finds moves together afterwards
typedef struct {
  const mjModel* m;
  mjData* d;
  Broad* broad;
  int n;        // parts
  int* found;   // (n) what each has found
  ColBox* box;  // (n) how far what it has found reaches
} BodyParts;

// what moves of one part of the bodies
static void activePart(void* arg, int piece) {
  const BodyParts* parts = arg;
  const mjModel* m = parts->m;
  const mjData* d = parts->d;
  const SlpRange bodies = slp_bodies(m, d);
  const BasPart part = bas_part(bodies.n - 1, parts->n, piece);
  ColBox* reach = parts->box + piece;
  ColBoxes own = col_boxesFrom(&parts->broad->active, part.begin);
  *reach = COL_NO_BOX;
  for (int k = part.begin + 1; k <= part.end; k++) {
    const int b = slp_at(bodies, k);
    if (roleOf(m, d, parts->broad, b) != 1) continue;
    const ColEntry entry = col_entryOf(m, b);
    const ColBox box = col_bodyBox(m, d, b);
    col_growBox(reach, box.low, box.high);
    col_addBox(&own, &entry, box.low, box.high);
  }
  parts->found[piece] = own.n;
}

// boxes of what moves, which is never asleep, and how far they reach together
static void collectActive(const mjModel* m, mjData* d, Broad* broad) {
  broad->reach = COL_NO_BOX;
  const int n = slp_bodies(m, d).n - 1;
  BodyParts parts = {.m = m, .d = d, .broad = broad, .n = bas_parts(d, n, COL_PART)};
  mj_markStack(d);
  parts.found = mj_stackAllocInt(d, (size_t)parts.n);
  parts.box = mj_stackAllocByte(d, sizeof(ColBox) * (size_t)parts.n, _Alignof(ColBox));
  bas_share(d, NULL, activePart, &parts, parts.n);
  for (int k = 0; k < parts.n; k++) {
    col_growBox(&broad->reach, parts.box[k].low, parts.box[k].high);
    col_moveBoxes(&broad->active, bas_part(n, parts.n, k).begin, parts.found[k]);
  }
  mj_freeStack(d);
  for (int f = 0; f < m->nflex; f++) {
    const ColEntry entry = {(int)m->nbody + f, -1, -2, col_bits(m, (int)m->nbody + f)};
    if (!entry.bits.contype && !entry.bits.conaffinity) continue;
    const ColBox box = flexBox(m, d, f);
    col_growBox(&broad->reach, box.low, box.high);
    col_addBox(&broad->active, &entry, box.low, box.high);
  }
}

// boxes of what does not move but may be reached
static void collectPassive(const mjModel* m, const mjData* d, Broad* broad) {
  for (int b = 1; b < m->nbody; b++) {
    if (roleOf(m, d, broad, b) != -1 || !meetsBox(m, d, b, &broad->reach)) continue;
    const ColEntry entry = col_entryOf(m, b);
    const ColBox box = col_bodyBox(m, d, b);
    col_addBox(&broad->passive, &entry, box.low, box.high);
  }
}

//---------------------------------- far-reaching bodies ----------------------------------

// a far-reaching body, and the boxes in parts: each writes its pairs where they would be if every box had one
typedef struct {
  int body;
  ColBits bits;
  ColGround ground;
  const ColBoxes* active;
  ColList* list;
  uint16_t* near;
  int n;
  int* found;
} GroundParts;

static void groundPart(void* arg, int piece) {
  const GroundParts* parts = arg;
  const ColBoxes* active = parts->active;
  const BasPart part = bas_part(active->n, parts->n, piece);
  const size_t first = parts->list->n + (size_t)part.begin;
  int n = 0;
  for (int i = part.begin; i < part.end; i++) {
    if (!col_bitsMatch(parts->bits, active->entry[i].bits)) continue;
    const mjtNum low[3] = {active->low[0][i], active->low[1][i], active->low[2][i]};
    const mjtNum high[3] = {active->high[0][i], active->high[1][i], active->high[2][i]};
    const unsigned geoms = col_nearGround(&parts->ground, low, high);
    if (!geoms) continue;
    if (first + (size_t)n >= parts->list->max) col_tooManyPairs(parts->list);
    if (parts->near) parts->near[first + (size_t)n] = (uint16_t)geoms;
    parts->list->pair[first + (size_t)n] = col_signature(parts->body, active->entry[i].id);
    n++;
  }
  parts->found[piece] = n;
}

// pairs of a far-reaching body with what moves; `near` receives the geoms that each may meet
static void pairWithGround(const mjModel* m, mjData* d, ColList* list, int body, const ColBoxes* active,
                           uint16_t* near) {
  GroundParts parts = {.body = body, .bits = col_bits(m, body), .active = active, .list = list, .near = near};
  parts.n = bas_parts(d, active->n, COL_PART);
  col_makeGround(&parts.ground, m, d, body);
  mj_markStack(d);
  parts.found = mj_stackAllocInt(d, (size_t)parts.n);
  bas_share(d, NULL, groundPart, &parts, parts.n);

  // together
  const size_t first = list->n;
  for (int k = 0; k < parts.n; k++) {
    const size_t from = first + (size_t)bas_part(active->n, parts.n, k).begin, n = (size_t)parts.found[k];
    if (from != list->n) {
      memmove(list->pair + list->n, list->pair + from, n * sizeof(*list->pair));
      if (near) memmove(near + list->n, near + from, n * sizeof(*near));
    }
    list->n += n;
  }
  mj_freeStack(d);
}

// marks the far-reaching bodies besides the world, which are static; NULL when there are none
static bool* findEverywhere(const mjModel* m, mjData* d) {
  bool* everywhere = NULL;
  const SlpRange bodies = slp_bodies(m, d);
  for (int k = 1; k < bodies.n; k++) {
    const int b = slp_at(bodies, k);
    if (m->body_weldid[b] != 0 || !col_reachesEverywhere(m, b)) continue;
    if (!everywhere) {
      everywhere = mj_stackAllocByte(d, (size_t)m->nbody, 1);
      memset(everywhere, 0, (size_t)m->nbody);
    }
    everywhere[b] = true;
  }
  return everywhere;
}

//---------------------------------- the list of pairs ----------------------------------

// with a user's contact filter the geoms' bits are not looked at later, so look at all of a body's here
static ColBits geomsBits(const mjModel* m, int bf) {
  if (!col_isBody(m, bf)) return col_bits(m, bf);
  ColBits bits = {0, 0};
  for (int g = m->body_geomadr[bf]; g < m->body_geomadr[bf] + m->body_geomnum[bf]; g++) {
    bits.contype |= m->geom_contype[g];
    bits.conaffinity |= m->geom_conaffinity[g];
  }
  return bits;
}

static void filterByGeoms(const mjModel* m, ColList* list) {
  size_t kept = 0;
  for (size_t i = 0; i < list->n; i++) {
    const unsigned pair = list->pair[i];
    if (col_bitsMatch(geomsBits(m, (int)(pair >> 16)), geomsBits(m, (int)(pair & 0xFFFF)))) list->pair[kept++] = pair;
  }
  list->n = kept;
}

// stable counting sort of the pairs by one of their two ids
static void countingSort(unsigned* dest, const unsigned* src, size_t n, int* count, int nid, int shift) {
  memset(count, 0, ((size_t)nid + 1) * sizeof(int));
  for (size_t i = 0; i < n; i++) count[((src[i] >> shift) & 0xFFFF) + 1]++;
  for (int i = 0; i < nid; i++) count[i + 1] += count[i];
  for (size_t i = 0; i < n; i++) dest[count[(src[i] >> shift) & 0xFFFF]++] = src[i];
}

static void sortPairs(mjData* d, unsigned* pair, size_t n, int nid) {
  // few: by insertion
  if (n <= FEW_PAIRS) {
    for (size_t i = 1; i < n; i++) {
      const unsigned p = pair[i];
      size_t j = i;
      for (; j > 0 && pair[j - 1] > p; j--) pair[j] = pair[j - 1];
      pair[j] = p;
    }
    return;
  }

  // many: by the second id, then by the first
  mj_markStack(d);
  unsigned* buffer = mj_stackAllocByte(d, n * sizeof(unsigned), _Alignof(unsigned));
  int* count = mj_stackAllocInt(d, (size_t)nid + 1);
  countingSort(buffer, pair, n, count, nid, 0);
  countingSort(pair, buffer, n, count, nid, 16);
  mj_freeStack(d);
}

ColPairs col_broad(const mjModel* m, mjData* d) {
  const int nid = (int)(m->nbody + m->nflex);
  if (nid > COL_MAX_IDS) mju_error("mj_collision: %d bodies and flexes, at most %d can collide", nid, COL_MAX_IDS);

  ColPairs few;
  if (col_fewBodies(m, d, &few)) return few;

  // as many pairs as there can be, unless memory is short
  const size_t most = (size_t)nid * ((size_t)nid - 1) / 2 + 1;
  const size_t fits = mj_stackBytesAvailable(d) / (4 * sizeof(unsigned));
  ColList list = {.n = 0, .max = most < fits ? most : fits};
  list.pair = mj_stackAllocByte(d, list.max * sizeof(unsigned), _Alignof(unsigned));

  uint16_t* near = NULL;
  if (m->body_geomnum[0] <= COL_GROUND_GEOMS) near = mj_stackAllocByte(d, (size_t)nid * 2, 2);

  mj_markStack(d);
  Broad broad = {.sleeping = slp_enabled(m) && d->nbody_awake < m->nbody};
  broad.everywhere = findEverywhere(m, d);
  broad.active = col_newBoxes(d, nid);
  collectActive(m, d, &broad);

  size_t start = 0;
  if (broad.active.n > 0) {
    // the world's pairs come in order; the others are sorted
    if (col_reachesEverywhere(m, 0)) pairWithGround(m, d, &list, 0, &broad.active, near);
    start = list.n;
    for (int b = 1; broad.everywhere && b < m->nbody; b++) {
      if (broad.everywhere[b]) pairWithGround(m, d, &list, b, &broad.active, NULL);
    }
    broad.passive = col_newBoxes(d, nid);
    collectPassive(m, d, &broad);
    col_sweep(m, d, &list, &broad.active, &broad.passive);
    sortPairs(d, list.pair + start, list.n - start, nid);
  }
  mj_freeStack(d);

  // a filtered list has lost the order of the world's pairs
  if (mdl_filtersContacts(d)) {
    filterByGeoms(m, &list);
    start = 0;
  }
  const ColPairs pairs = {(int)list.n, list.pair, near ? (int)start : 0, near};
  BAS_CHECK(col_assertPairs(m, &pairs));
  return pairs;
}

void col_assertPairs(const mjModel* m, const ColPairs* pairs) {
  const int nid = (int)(m->nbody + m->nflex);
  BAS_ASSERT(pairs->n >= 0 && pairs->nworld >= 0 && pairs->nworld <= pairs->n);
  BAS_ASSERT(pairs->nworld == 0 || pairs->ground != NULL);
  for (int i = 0; i < pairs->n; i++) {
    const int first = (int)(pairs->pair[i] >> 16), second = (int)(pairs->pair[i] & 0xFFFF);
    BAS_ASSERT(first < second && second < nid);
    BAS_ASSERT(i == 0 || pairs->pair[i] >= pairs->pair[i - 1]);
    BAS_ASSERT(i >= pairs->nworld || (first == 0 && pairs->ground[i]));
  }
}
