// Sweep and prune: boxes are sorted along the axis on which their centres spread most; those that overlap on it are
// compared on the other two. Few boxes are compared all with all, without sorting.
//
// The private section holds the order of the last sweep: the next one is nearly sorted already. Keys are (value,
// index), so the sorted order, and with it the result, does not depend on where the sort started.
#include "collision/sweep.h"

#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "base/share.h"
#include "base/sort.h"
#include "base/stack.h"
#include "collision/broad.h"
#include "collision/section.h"
#include "math/vec.h"

// boxes that are compared at once; arrays of bounds are padded by as many that are never met
enum { LANES = 4 };
typedef float Lane4 __attribute__((vector_size(16), aligned(4)));
typedef int Mask4 __attribute__((vector_size(16)));

// up to this many boxes all are compared with all: sorting would take longer
enum { FEW_BOXES = 40 };

// sort key
typedef struct {
  float low;
  int index;
} Key;

//---------------------------------- boxes ----------------------------------

ColBoxes col_newBoxes(mjData* d, int max) {
  ColBoxes b = {.n = 0};
  b.entry = mj_stackAllocByte(d, (size_t)max * sizeof(ColEntry), _Alignof(ColEntry));
  const size_t stride = (size_t)max + LANES;
  float* bound = mj_stackAllocByte(d, 6 * stride * sizeof(float), _Alignof(float));
  for (size_t k = 0; k < 3; k++) {
    b.low[k] = bound + 2 * k * stride;
    b.high[k] = bound + (2 * k + 1) * stride;
  }
  return b;
}

ColBoxes col_boxesFrom(const ColBoxes* boxes, int first) {
  ColBoxes b = {.entry = boxes->entry + first};
  for (int k = 0; k < 3; k++) {
    b.low[k] = boxes->low[k] + first;
    b.high[k] = boxes->high[k] + first;
  }
  return b;
}

void col_moveBoxes(ColBoxes* boxes, int from, int n) {
  const int to = boxes->n;
  boxes->n += n;
  if (from == to) return;
  memmove(boxes->entry + to, boxes->entry + from, sizeof(ColEntry) * (size_t)n);
  for (int k = 0; k < 3; k++) {
    memmove(boxes->low[k] + to, boxes->low[k] + from, sizeof(float) * (size_t)n);
    memmove(boxes->high[k] + to, boxes->high[k] + from, sizeof(float) * (size_t)n);
  }
}

// float not above x
static inline float roundDown(mjtNum x) {
  const mjtNum most = 1e30;
  x = x < most ? x : most;
  x = x > -most ? x : -most;
  const float f = (float)x;
  return f - fabsf(f) * 2.5e-7f - 1e-30f;
}

void col_addBox(ColBoxes* boxes, const ColEntry* entry, const mjtNum low[3], const mjtNum high[3]) {
  const int n = boxes->n++;
  const bool ordered = low[0] <= high[0] && low[1] <= high[1] && low[2] <= high[2];
  boxes->entry[n] = *entry;
  for (int k = 0; k < 3; k++) {
    boxes->low[k][n] = ordered ? roundDown(low[k]) : -FLT_MAX;
    boxes->high[k][n] = ordered ? -roundDown(-high[k]) : FLT_MAX;
  }
}

// boxes behind the last one that meet nothing
static void padBoxes(ColBoxes* boxes) {
  for (int k = 0; k < 3; k++) {
    for (int i = boxes->n; i < boxes->n + LANES; i++) {
      boxes->low[k][i] = INFINITY;
      boxes->high[k][i] = -INFINITY;
    }
  }
}

//---------------------------------- pairs ----------------------------------

void col_tooManyPairs(const ColList* list) {
  mju_error("mj_collision: broad phase found more than %zu pairs", list->max);
}

void col_addPair(ColList* list, int a, int b) {
  if (list->n >= list->max) col_tooManyPairs(list);
  list->pair[list->n++] = col_signature(a, b);
}

static inline Lane4 splat(float x) {
  return (Lane4){x, x, x, x};
}

static inline Lane4 load(const float* x) {
  return *(const Lane4*)x;
}

// which of four boxes overlap a box on the second and third axis
static inline Mask4 meet(const ColBoxes* b, int j, const Lane4 low[3], const Lane4 high[3]) {
  return (load(b->low[1] + j) <= high[1]) & (load(b->high[1] + j) >= low[1]) & (load(b->low[2] + j) <= high[2]) &
         (load(b->high[2] + j) >= low[2]);
}

static inline bool anyOf(Mask4 mask) {
  long long word[2];
  memcpy(word, &mask, sizeof(word));
  return word[0] | word[1];
}

static void addHits(ColList* list, const ColEntry* a, const ColEntry* b, Mask4 hit, bool filterParent) {
  for (int k = 0; k < LANES; k++) {
    if (hit[k] && col_mayMeet(a, b + k, filterParent)) col_addPair(list, a->id, b[k].id);
  }
}

// bounds of one box in all lanes
static inline void spread(Lane4 low[3], Lane4 high[3], const ColBoxes* a, int i) {
  for (int k = 0; k < 3; k++) {
    low[k] = splat(a->low[k][i]);
    high[k] = splat(a->high[k][i]);
  }
}

// box i of a against all boxes of b from one on
static void compareAll(ColList* list, const ColBoxes* a, int i, const ColBoxes* b, int from, bool filterParent) {
  Lane4 low[3], high[3];
  spread(low, high, a, i);
  for (int j = from; j < b->n; j += LANES) {
    const Mask4 hit = meet(b, j, low, high) & (load(b->low[0] + j) <= high[0]) & (load(b->high[0] + j) >= low[0]);
    if (anyOf(hit)) addHits(list, a->entry + i, b->entry + j, hit, filterParent);
  }
}

// box i of a against those of b from one on that start before it ends
static void compareSorted(ColList* list, const ColBoxes* a, int i, const ColBoxes* b, int from, bool filterParent) {
  Lane4 low[3], high[3];
  spread(low, high, a, i);
  const float end = a->high[0][i];
  for (int j = from; j < b->n && b->low[0][j] <= end; j += LANES) {
    const Mask4 hit = meet(b, j, low, high) & (load(b->low[0] + j) <= high[0]);
    if (anyOf(hit)) addHits(list, a->entry + i, b->entry + j, hit, filterParent);
  }
}

//---------------------------------- sorting ----------------------------------

static inline bool before(Key a, Key b) {
  return a.low < b.low || (a.low == b.low && a.index < b.index);
}

BAS_SORT_NEARLY(sortNearly, Key, before)

static void sortKeys(mjData* d, Key* key, int n) {
  if (sortNearly(key, n)) return;
  mj_markStack(d);
  sortNearlyMerge(key, mj_stackAllocByte(d, (size_t)n * sizeof(Key), _Alignof(Key)), n);
  mj_freeStack(d);
}

// keys of the boxes in the order that the last sweep left
static Key* keysInOrder(mjData* d, const ColBoxes* boxes, int axis, const int* order, int nid) {
  Key* key = mj_stackAllocByte(d, ((size_t)boxes->n + 1) * sizeof(Key), _Alignof(Key));
  mj_markStack(d);
  int* index = mj_stackAllocInt(d, (size_t)nid);
  for (int i = 0; i < nid; i++) index[i] = -1;
  for (int i = 0; i < boxes->n; i++) index[boxes->entry[i].id] = i;
  for (int i = 0, n = 0; i < nid; i++) {
    const int from = index[order[i]];
    if (from >= 0) key[n++] = (Key){boxes->low[axis][from], from};
  }
  mj_freeStack(d);
  return key;
}

// boxes on their way into a new order
typedef struct {
  const ColBoxes* from;
  ColBoxes* to;
  const Key* key;
  int* ids;
  int axis, n;
} Sorting;

static void placePart(void* arg, int piece) {
  const Sorting* s = arg;
  const BasPart part = bas_part(s->to->n, s->n, piece);
  for (int i = part.begin; i < part.end; i++) {
    const int from = s->key[i].index;
    s->to->entry[i] = s->from->entry[from];
    s->ids[i] = s->to->entry[i].id;
    for (int k = 0; k < 3; k++) {
      const int a = s->axis + k < 3 ? s->axis + k : s->axis + k - 3;
      s->to->low[k][i] = s->from->low[a][from];
      s->to->high[k][i] = s->from->high[a][from];
    }
  }
}

// boxes sorted along an axis, which becomes their first; `ids` receives their ids in that order
static ColBoxes sortBoxes(mjData* d, const ColBoxes* boxes, int axis, const int* order, int nid, int* ids) {
  ColBoxes s = col_newBoxes(d, boxes->n);
  s.n = boxes->n;
  Key* key = keysInOrder(d, boxes, axis, order, nid);
  sortKeys(d, key, s.n);
  Sorting sorting = {boxes, &s, key, ids, axis, bas_parts(d, s.n, 2 * COL_PART)};
  bas_share(d, NULL, placePart, &sorting, sorting.n);
  padBoxes(&s);
  return s;
}

// the axis on which the centres of the boxes spread most
static int widestAxis(const ColBoxes* a, const ColBoxes* b) {
  const ColBoxes* list[2] = {a, b};
  const int n = a->n + b->n;
  mjtNum sum[3] = {0}, sumSqr[3] = {0};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < list[k]->n; i++) {
      for (int c = 0; c < 3; c++) {
        const mjtNum x = (mjtNum)list[k]->low[c][i] + list[k]->high[c][i];
        sum[c] += x;
        sumSqr[c] += x * x;
      }
    }
  }
  int widest = 0;
  mjtNum best = -1;
  for (int c = 0; c < 3; c++) {
    const mjtNum spreadSqr = sumSqr[c] - sum[c] * sum[c] / n;
    if (spreadSqr > best) {
      best = spreadSqr;
      widest = c;
    }
  }
  return widest;
}

//---------------------------------- sweep ----------------------------------

// each box against those of the other list that start inside it; a start in common counts once
static void sweepBetween(ColList* list, const ColBoxes* a, const ColBoxes* b, bool filterParent) {
  for (int i = 0, j = 0; i < a->n || j < b->n;) {
    if (j >= b->n || (i < a->n && a->low[0][i] <= b->low[0][j])) {
      compareSorted(list, a, i, b, j, filterParent);
      i++;
    } else {
      compareSorted(list, b, j, a, i, filterParent);
      j++;
    }
  }
}

// the sweep of one list in parts on threads, each with room of its own for pairs
typedef struct {
  const ColBoxes* boxes;
  bool filterParent;
  int n;
  ColList* list;  // (n)
} SweepParts;

static void sweepPart(void* arg, int piece) {
  const SweepParts* parts = arg;
  const BasPart part = bas_part(parts->boxes->n, parts->n, piece);
  for (int i = part.begin; i < part.end; i++) {
    compareSorted(parts->list + piece, parts->boxes, i, parts->boxes, i + 1, parts->filterParent);
  }
}

// each box against those that start inside it
static void sweepWithin(mjData* d, ColList* list, const ColBoxes* boxes, bool filterParent) {
  SweepParts parts = {boxes, filterParent, bas_parts(d, boxes->n, COL_PART), list};
  if (parts.n == 1) {
    sweepPart(&parts, 0);
    return;
  }
  mj_markStack(d);
  parts.list = mj_stackAllocByte(d, sizeof(ColList) * (size_t)parts.n, _Alignof(ColList));
  const size_t room = (list->max - list->n) / (size_t)parts.n;
  for (int k = 0; k < parts.n; k++) parts.list[k] = (ColList){list->pair + list->n + (size_t)k * room, 0, room};
  bas_share(d, NULL, sweepPart, &parts, parts.n);
  for (int k = 0; k < parts.n; k++) {
    memmove(list->pair + list->n, parts.list[k].pair, sizeof(*list->pair) * parts.list[k].n);
    list->n += parts.list[k].n;
  }
  mj_freeStack(d);
}

// keeps the order for the next time: what was swept first, the rest as it was
static void keepOrder(mjData* d, int* order, int* ids, int n, int nid) {
  bool* seen = mj_stackAllocByte(d, (size_t)nid, 1);
  memset(seen, 0, (size_t)nid);
  for (int i = 0; i < n; i++) seen[ids[i]] = true;
  for (int i = 0; i < nid; i++) {
    if (!seen[order[i]]) ids[n++] = order[i];
  }
  memcpy(order, ids, (size_t)nid * sizeof(int));
}

void col_sweep(const mjModel* m, mjData* d, ColList* list, ColBoxes* active, ColBoxes* passive) {
  const bool filterParent = !(m->opt.disableflags & mjDSBL_FILTERPARENT);
  if (active->n + passive->n <= FEW_BOXES) {
    padBoxes(active);
    padBoxes(passive);
    for (int i = 0; i < active->n; i++) {
      compareAll(list, active, i, active, i + 1, filterParent);
      compareAll(list, active, i, passive, 0, filterParent);
    }
    return;
  }

  const int nid = (int)(m->nbody + m->nflex);
  int* order = col_sweepOrder(d);
  const int axis = widestAxis(active, passive);
  mj_markStack(d);
  int* ids = mj_stackAllocInt(d, (size_t)nid);
  const ColBoxes a = sortBoxes(d, active, axis, order, nid, ids);
  const ColBoxes p = sortBoxes(d, passive, axis, order, nid, ids + a.n);
  sweepWithin(d, list, &a, filterParent);
  if (p.n) sweepBetween(list, &a, &p, filterParent);
  keepOrder(d, order, ids, a.n + p.n, nid);
  mj_freeStack(d);
}
