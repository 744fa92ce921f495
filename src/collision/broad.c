// Broad phase. Two kinds of pairs:
//
// - The world and world-welded bodies with a plane reach everywhere: each is paired with every body that moves, less
//   those that are clearly above its planes and away from its other geoms.
// - All else by sweep and prune over world-aligned boxes: sorted along the axis on which the centres spread most, boxes
//   that overlap on it are compared on the other two. Bodies that move ("active") are swept against each other and
//   against those that are static or asleep ("passive"); two passive ones never collide. So what sleeps costs one box
//   each.
//
// Boxes are a little larger than necessary (they are floats, rounded outwards), so that no touching pair is lost. The
// private section holds the order of the last sweep: the next one is nearly sorted already. Keys are (value, index), so
// the sorted order, and with it the result, does not depend on where the sort started.
#include "collision/broad.h"

#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "base/stack.h"
#include "collision/filter.h"
#include "collision/section.h"
#include "math/vec.h"
#include "sleep/sleep.h"

// lanes of the sweep's comparisons
enum { LANES = 4 };
typedef float Lane4 __attribute__((vector_size(16), aligned(4)));
typedef int Mask4 __attribute__((vector_size(16)));

// margin, in metres, inside which a box near a plane is left to the later tests: the reference's bounding boxes of
// planes, 1e10 long, have an error of this size
#define COL_PLANE_SLACK 1e-5

// geoms of a far-reaching body that are looked at one by one; with more the mid phase is quicker
enum { MAX_GROUND_GEOMS = 16 };

// world-aligned box
typedef struct {
  mjtNum low[3], high[3];
} Box;

// what the pair tests read of a bodyflex
typedef struct {
  int id;
  int weld;        // body that it is welded to, -1 for a flex
  int weldParent;  // the same of that body's parent, -2 for a flex
  ColBits bits;
} Entry;

// the boxes of one sweep, sorted: one array per bound, padded by LANES boxes that are never reached
typedef struct {
  int n;
  Entry* entry;
  float* low[3];
  float* high[3];
} Sorted;

// sort key
typedef struct {
  float low;
  int index;
} Key;

// boxes in the order of their ids, before sorting
typedef struct {
  int n;
  Entry* entry;
  Box* box;
} Boxes;

// growing list of pairs
typedef struct {
  unsigned* pair;
  size_t n, max;
} List;

//---------------------------------- boxes ----------------------------------

static inline void growBox(Box* box, const mjtNum low[3], const mjtNum high[3]) {
  for (int i = 0; i < 3; i++) {
    box->low[i] = mth_min(box->low[i], low[i]);
    box->high[i] = mth_max(box->high[i], high[i]);
  }
}

static const Box NO_BOX = {
    {DBL_MAX,  DBL_MAX,  DBL_MAX },
    {-DBL_MAX, -DBL_MAX, -DBL_MAX}
};

// box of a geom: its oriented box, cut to its bounding sphere, grown by the margin
static inline void addGeom(Box* box, const mjModel* m, const mjData* d, int g, mjtNum margin) {
  const mjtNum *centre = m->geom_aabb + 6 * g, *size = centre + 3;
  const mjtNum *pos = d->geom_xpos + 3 * g, *mat = d->geom_xmat + 9 * g;
  const mjtNum radius = m->geom_rbound[g];
  mjtNum low[3], high[3];
  for (int i = 0; i < 3; i++) {
    const mjtNum* row = mat + 3 * i;
    const mjtNum mid = pos[i] + mth_dot3(row, centre);
    const mjtNum half = fabs(row[0]) * size[0] + fabs(row[1]) * size[1] + fabs(row[2]) * size[2];
    low[i] = mth_max(pos[i] - radius, mid - half) - margin;
    high[i] = mth_min(pos[i] + radius, mid + half) + margin;
  }
  growBox(box, low, high);
}

static Box bodyBox(const mjModel* m, const mjData* d, int body) {
  const bool override = m->opt.enableflags & mjENBL_OVERRIDE;
  const int start = m->body_geomadr[body], end = start + m->body_geomnum[body];
  Box box = NO_BOX;
  for (int g = start; g < end; g++) addGeom(&box, m, d, g, override ? 0.5 * m->opt.o_margin : m->geom_margin[g]);
  return box;
}

static Box flexBox(const mjModel* m, const mjData* d, int f) {
  const mjtNum* vert = d->flexvert_xpos + 3 * m->flex_vertadr[f];
  Box box = NO_BOX;
  for (int i = 0; i < m->flex_vertnum[f]; i++) growBox(&box, vert + 3 * i, vert + 3 * i);
  const bool override = m->opt.enableflags & mjENBL_OVERRIDE;
  const mjtNum reach = m->flex_radius[f] + (override ? 0.5 * m->opt.o_margin : m->flex_margin[f]);
  for (int i = 0; i < 3; i++) {
    box.low[i] -= reach;
    box.high[i] += reach;
  }
  return box;
}

static void addBox(Boxes* boxes, const Entry* entry, const Box* box) {
  boxes->entry[boxes->n] = *entry;
  boxes->box[boxes->n++] = *box;
}

//---------------------------------- far-reaching bodies ----------------------------------

// the geoms of a body that reaches everywhere
typedef struct {
  int nplane;
  bool all;  // too many geoms to look at: everything may touch it
  mjtNum normal[MAX_GROUND_GEOMS][3];
  mjtNum height[MAX_GROUND_GEOMS];  // along the normal, margin and slack included
  Box box;                          // of the geoms that are not planes
} Ground;

static bool hasPlane(const mjModel* m, int body) {
  const int start = m->body_geomadr[body], end = start + m->body_geomnum[body];
  for (int g = start; g < end; g++) {
    if (m->geom_type[g] == mjGEOM_PLANE) return true;
  }
  return false;
}

// the world when it has geoms, and world-welded bodies with a plane
static bool reachesEverywhere(const mjModel* m, int body) {
  if (!m->body_contype[body] && !m->body_conaffinity[body]) return false;
  return body == 0 ? m->body_geomnum[0] > 0 : m->body_weldid[body] == 0 && hasPlane(m, body);
}

static void makeGround(Ground* ground, const mjModel* m, const mjData* d, int body) {
  const bool override = m->opt.enableflags & mjENBL_OVERRIDE;
  const int start = m->body_geomadr[body], num = m->body_geomnum[body];
  ground->nplane = 0;
  ground->all = num > MAX_GROUND_GEOMS;
  ground->box = NO_BOX;
  if (ground->all) return;

  for (int g = start; g < start + num; g++) {
    const mjtNum margin = override ? 0.5 * m->opt.o_margin : m->geom_margin[g];
    if (m->geom_type[g] != mjGEOM_PLANE) {
      addGeom(&ground->box, m, d, g, margin);
      continue;
    }
    mth_col3(ground->normal[ground->nplane], d->geom_xmat + 9 * g, 2);
    ground->height[ground->nplane] =
        mth_dot3(ground->normal[ground->nplane], d->geom_xpos + 3 * g) + margin + COL_PLANE_SLACK;
    ground->nplane++;
  }
}

static bool nearGround(const Ground* ground, const Box* box) {
  if (ground->all) return true;

  // lowest corner of the box over each plane; written so that a box of NaN is near
  for (int p = 0; p < ground->nplane; p++) {
    const mjtNum* n = ground->normal[p];
    mjtNum lowest = 0;
    for (int i = 0; i < 3; i++) lowest += n[i] * (n[i] > 0 ? box->low[i] : box->high[i]);
    if (!(lowest > ground->height[p])) return true;
  }

  // the other geoms' common box
  for (int i = 0; i < 3; i++) {
    if (box->low[i] > ground->box.high[i] + COL_PLANE_SLACK) return false;
    if (box->high[i] < ground->box.low[i] - COL_PLANE_SLACK) return false;
  }
  return true;
}

//---------------------------------- pairs ----------------------------------

static void addPair(List* list, int a, int b) {
  if (list->n >= list->max) mju_error("mj_collision: broad phase found more than %zu pairs", list->max);
  list->pair[list->n++] = col_signature(a, b);
}

// filters that need no geometry: the same rigid body, parent and child, collision bits
static inline bool mayCollide(const Entry* a, const Entry* b, bool filterParent) {
  if (!col_bitsMatch(a->bits, b->bits)) return false;
  if (a->weld == b->weld && a->weld >= 0) return false;
  const bool parent = a->weld == b->weldParent || b->weld == a->weldParent;
  return !(filterParent && a->weld > 0 && b->weld > 0 && parent);
}

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

static void filterByGeoms(const mjModel* m, List* list, size_t start) {
  size_t kept = start;
  for (size_t i = start; i < list->n; i++) {
    const unsigned pair = list->pair[i];
    if (col_bitsMatch(geomsBits(m, (int)(pair >> 16)), geomsBits(m, (int)(pair & 0xFFFF)))) list->pair[kept++] = pair;
  }
  list->n = kept;
}

static int compareUnsigned(unsigned a, unsigned b) {
  return a < b ? -1 : a > b;
}

// stable counting sort of the pairs by one of their two ids
static void countingSort(unsigned* dest, const unsigned* src, size_t n, int* count, int nid, int shift) {
  memset(count, 0, ((size_t)nid + 1) * sizeof(int));
  for (size_t i = 0; i < n; i++) count[((src[i] >> shift) & 0xFFFF) + 1]++;
  for (int i = 0; i < nid; i++) count[i + 1] += count[i];
  for (size_t i = 0; i < n; i++) dest[count[(src[i] >> shift) & 0xFFFF]++] = src[i];
}

static void sortPairs(mjData* d, unsigned* pair, size_t n, int nid) {
  if (n < 2) return;

  // few: by insertion
  if (n <= 24) {
    for (size_t i = 1; i < n; i++) {
      const unsigned p = pair[i];
      size_t j = i;
      for (; j > 0 && compareUnsigned(pair[j - 1], p) > 0; j--) pair[j] = pair[j - 1];
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

//---------------------------------- sweep ----------------------------------

// float bounds that contain the double; a box that is not ordered (NaN) becomes one that meets everything
static inline float roundDown(mjtNum x) {
  const float f = x > -FLT_MAX / 2 ? (float)mth_min(x, FLT_MAX / 2) : -FLT_MAX / 2;
  return f - fabsf(f) * 2.5e-7f - 1e-30f;
}

static inline float roundUp(mjtNum x) {
  return -roundDown(-x);
}

static inline bool before(Key a, Key b) {
  return a.low < b.low || (a.low == b.low && a.index < b.index);
}

// bottom-up merge sort, for an order that has changed much
static void mergeSort(Key* key, Key* buffer, int n) {
  Key *from = key, *to = buffer;
  for (int width = 1; width < n; width *= 2) {
    for (int start = 0; start < n; start += 2 * width) {
      const int mid = mth_minInt(start + width, n), end = mth_minInt(start + 2 * width, n);
      for (int i = start, j = mid, k = start; k < end; k++) {
        to[k] = i < mid && (j >= end || !before(from[j], from[i])) ? from[i++] : from[j++];
      }
    }
    Key* swap = from;
    from = to;
    to = swap;
  }
  if (from != key) memcpy(key, from, (size_t)n * sizeof(Key));
}

// insertion sort while the order is nearly right, else merge sort
static void sortKeys(mjData* d, Key* key, int n) {
  int budget = 16 * n + 64;
  for (int i = 1; i < n; i++) {
    const Key k = key[i];
    int j = i;
    for (; j > 0 && before(k, key[j - 1]); j--) key[j] = key[j - 1];
    key[j] = k;
    budget -= i - j;
    if (budget < 0) {
      mj_markStack(d);
      mergeSort(key, mj_stackAllocByte(d, (size_t)n * sizeof(Key), _Alignof(Key)), n);
      mj_freeStack(d);
      return;
    }
  }
}

// sorts boxes along an axis, starting from the order of the last sweep, and spreads them into arrays
static Sorted sortBoxes(mjData* d, const Boxes* boxes, int axis, const int* where, int* order) {
  const int n = boxes->n;
  Key* key = mj_stackAllocByte(d, (size_t)(n + 1) * sizeof(Key), _Alignof(Key));
  for (int i = 0; i < n; i++) key[where[i]] = (Key){roundDown(boxes->box[i].low[axis]), i};
  sortKeys(d, key, n);

  Sorted s = {.n = n};
  s.entry = mj_stackAllocByte(d, (size_t)(n + 1) * sizeof(Entry), _Alignof(Entry));
  float* bound = mj_stackAllocByte(d, 6 * ((size_t)n + LANES) * sizeof(float), _Alignof(float));
  for (int k = 0; k < 3; k++) {
    s.low[k] = bound + (2 * k) * (n + LANES);
    s.high[k] = bound + (2 * k + 1) * (n + LANES);
  }
  for (int i = 0; i < n + LANES; i++) {
    const int from = i < n ? key[i].index : -1;
    for (int k = 0; k < 3; k++) {
      const int a = (axis + k) % 3;
      const bool ordered = from >= 0 && boxes->box[from].low[a] <= boxes->box[from].high[a];
      s.low[k][i] = from < 0 ? FLT_MAX : ordered ? roundDown(boxes->box[from].low[a]) : -FLT_MAX;
      s.high[k][i] = from < 0 ? -FLT_MAX : ordered ? roundUp(boxes->box[from].high[a]) : FLT_MAX;
    }
    if (from < 0) continue;
    s.entry[i] = boxes->entry[from];
    order[i] = boxes->entry[from].id;
  }
  return s;
}

// box i of a against boxes from..end of b that start before it ends
static void sweepOne(List* list, const Sorted* a, int i, const Sorted* b, int from, bool filterParent) {
  const float end = a->high[0][i];
  const Lane4 low1 = {a->low[1][i], a->low[1][i], a->low[1][i], a->low[1][i]};
  const Lane4 low2 = {a->low[2][i], a->low[2][i], a->low[2][i], a->low[2][i]};
  const Lane4 high1 = {a->high[1][i], a->high[1][i], a->high[1][i], a->high[1][i]};
  const Lane4 high2 = {a->high[2][i], a->high[2][i], a->high[2][i], a->high[2][i]};

  for (int j = from; j < b->n && b->low[0][j] <= end; j += LANES) {
    const Mask4 hit = (*(const Lane4*)(b->low[1] + j) <= high1) & (*(const Lane4*)(b->high[1] + j) >= low1) &
                      (*(const Lane4*)(b->low[2] + j) <= high2) & (*(const Lane4*)(b->high[2] + j) >= low2);
    const long long any[2] = {((const union {
                                Mask4 m;
                                long long w[2];
                              }){hit})
                                  .w[0],
                              ((const union {
                                Mask4 m;
                                long long w[2];
                              }){hit})
                                  .w[1]};
    if (!(any[0] | any[1])) continue;
    for (int k = 0; k < LANES; k++) {
      if (hit[k] && j + k < b->n && b->low[0][j + k] <= end &&
          mayCollide(a->entry + i, b->entry + j + k, filterParent)) {
        addPair(list, a->entry[i].id, b->entry[j + k].id);
      }
    }
  }
}

static void sweepWithin(List* list, const Sorted* a, bool filterParent) {
  for (int i = 0; i < a->n; i++) sweepOne(list, a, i, a, i + 1, filterParent);
}

// each box against those of the other list that start inside it; a start in common counts once
static void sweepBetween(List* list, const Sorted* a, const Sorted* b, bool filterParent) {
  for (int i = 0, j = 0; i < a->n || j < b->n;) {
    if (j >= b->n || (i < a->n && a->low[0][i] <= b->low[0][j])) {
      sweepOne(list, a, i, b, j, filterParent);
      i++;
    } else {
      sweepOne(list, b, j, a, i, filterParent);
      j++;
    }
  }
}

// the axis on which the centres of the boxes spread most
static int widestAxis(const Boxes* a, const Boxes* b) {
  mjtNum sum[3] = {0, 0, 0}, sumSqr[3] = {0, 0, 0};
  const Boxes* list[2] = {a, b};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < list[k]->n; i++) {
      for (int c = 0; c < 3; c++) {
        const mjtNum x = list[k]->box[i].low[c] + list[k]->box[i].high[c];
        sum[c] += x;
        sumSqr[c] += x * x;
      }
    }
  }
  const int n = mth_maxInt(1, a->n + b->n);
  int widest = 0;
  mjtNum best = -1;
  for (int c = 0; c < 3; c++) {
    const mjtNum spread = sumSqr[c] - sum[c] * sum[c] / n;
    if (spread > best) {
      best = spread;
      widest = c;
    }
  }
  return widest;
}

// places in the list of each of its entries, in the order in which `order` has them
static int* placesFrom(mjData* d, const Boxes* boxes, const int* order, int nid) {
  int* where = mj_stackAllocInt(d, (size_t)boxes->n + 1);
  int* index = mj_stackAllocInt(d, (size_t)nid);
  for (int i = 0; i < nid; i++) index[i] = -1;
  for (int i = 0; i < boxes->n; i++) index[boxes->entry[i].id] = i;
  for (int i = 0, k = 0; i < nid; i++) {
    if (index[order[i]] >= 0) where[index[order[i]]] = k++;
  }
  return where;
}

static void sweep(const mjModel* m, mjData* d, List* list, const Boxes* active, const Boxes* passive) {
  const bool filterParent = !(m->opt.disableflags & mjDSBL_FILTERPARENT);
  const int nid = (int)(m->nbody + m->nflex);
  int* order = col_sweepOrder(d);
  const int axis = widestAxis(active, passive);

  mj_markStack(d);
  int* next = mj_stackAllocInt(d, (size_t)nid);
  const Sorted a = sortBoxes(d, active, axis, placesFrom(d, active, order, nid), next);
  const Sorted p = sortBoxes(d, passive, axis, placesFrom(d, passive, order, nid), next + a.n);
  sweepWithin(list, &a, filterParent);
  if (p.n) sweepBetween(list, &a, &p, filterParent);

  // keep the order: what was swept first, the rest as it was
  bool* seen = mj_stackAllocByte(d, (size_t)nid, 1);
  memset(seen, 0, (size_t)nid);
  int n = a.n + p.n;
  for (int i = 0; i < n; i++) seen[next[i]] = true;
  for (int i = 0; i < nid; i++) {
    if (!seen[order[i]]) next[n++] = order[i];
  }
  memcpy(order, next, (size_t)nid * sizeof(int));
  mj_freeStack(d);
}

//---------------------------------- the phase ----------------------------------

// sorts bodies and flexes that can collide into active and passive ones; far-reaching bodies are neither
static void collectBoxes(const mjModel* m, const mjData* d, Boxes* active, Boxes* passive, const bool* everywhere) {
  const bool sleeping = slp_enabled(m) && d->nbody_awake < m->nbody;
  for (int b = 1; b < m->nbody; b++) {
    const ColBits bits = col_bits(m, b);
    if ((!bits.contype && !bits.conaffinity) || m->body_geomnum[b] == 0) continue;
    if (everywhere && everywhere[b]) continue;
    const int weld = m->body_weldid[b];
    const Entry entry = {b, weld, m->body_weldid[m->body_parentid[weld]], bits};
    const bool still = weld == 0 || (sleeping && d->body_awake[b] == mjS_ASLEEP);
    const Box box = bodyBox(m, d, b);
    addBox(still ? passive : active, &entry, &box);
  }
  for (int f = 0; f < m->nflex; f++) {
    const ColBits bits = col_bits(m, (int)m->nbody + f);
    if (!bits.contype && !bits.conaffinity) continue;
    const Entry entry = {(int)m->nbody + f, -1, -2, bits};
    const Box box = flexBox(m, d, f);
    addBox(active, &entry, &box);
  }
}

// pairs of a far-reaching body with what moves
static void pairWithGround(const mjModel* m, const mjData* d, List* list, int body, const Boxes* active) {
  Ground ground;
  makeGround(&ground, m, d, body);
  const ColBits bits = col_bits(m, body);
  for (int i = 0; i < active->n; i++) {
    if (col_bitsMatch(bits, active->entry[i].bits) && nearGround(&ground, active->box + i)) {
      addPair(list, body, active->entry[i].id);
    }
  }
}

static Boxes newBoxes(mjData* d, int max) {
  return (Boxes){.n = 0,
                 .entry = mj_stackAllocByte(d, (size_t)max * sizeof(Entry), _Alignof(Entry)),
                 .box = mj_stackAllocByte(d, (size_t)max * sizeof(Box), _Alignof(Box))};
}

ColPairs col_broad(const mjModel* m, mjData* d) {
  const int nid = (int)(m->nbody + m->nflex);

  // as many pairs as there can be, unless memory is short
  const size_t most = (size_t)nid * ((size_t)nid - 1) / 2 + 1;
  const size_t fits = mj_stackBytesAvailable(d) / (4 * sizeof(unsigned));
  List list = {.n = 0, .max = most < fits ? most : fits};
  list.pair = mj_stackAllocByte(d, list.max * sizeof(unsigned), _Alignof(unsigned));

  mj_markStack(d);
  Boxes active = newBoxes(d, nid), passive = newBoxes(d, nid);

  // far-reaching bodies besides the world
  bool* everywhere = NULL;
  for (int b = 1; b < m->nbody; b++) {
    if (m->body_weldid[b] != 0 || !reachesEverywhere(m, b)) continue;
    if (!everywhere) {
      everywhere = mj_stackAllocByte(d, (size_t)nid, 1);
      memset(everywhere, 0, (size_t)nid);
    }
    everywhere[b] = true;
  }
  collectBoxes(m, d, &active, &passive, everywhere);

  // the world's pairs come in order; the others are sorted
  if (reachesEverywhere(m, 0)) pairWithGround(m, d, &list, 0, &active);
  const size_t start = list.n;
  for (int b = 1; everywhere && b < m->nbody; b++) {
    if (everywhere[b]) pairWithGround(m, d, &list, b, &active);
  }
  if (active.n + passive.n > 1 && active.n > 0) sweep(m, d, &list, &active, &passive);
  sortPairs(d, list.pair + start, list.n - start, nid);
  mj_freeStack(d);

  if (mjcb_contactfilter) filterByGeoms(m, &list, 0);
  return (ColPairs){(int)list.n, list.pair};
}
