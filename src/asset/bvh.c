// Building bounding volume trees top down: a node bounds its leaves and splits them at the median of their positions
// along the longest side of its box.
#include "asset/bvh.h"

#include <float.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "base/assert.h"

static const double EPS = 1e-14;  // boxes thinner than this are inflated, positions closer than this are equal

// a leaf's place while the leaves are being sorted
typedef struct {
  double pos[3];  // in the tree's frame
  int order;      // position among the leaves: breaks ties
} Item;

// what a node needs to know of a leaf, in one cache line: nodes at the bottom take leaves from all over
typedef struct {
  double low[3], high[3];
  int id, unused[3];
} Bounds;

static const Bounds NOTHING = {
    {DBL_MAX,  DBL_MAX, DBL_MAX},
    {-DBL_MAX, -DBL_MAX, -DBL_MAX},
    -1, {0}
};

typedef struct {
  AstBvh* bvh;
  const Bounds* bounds;  // by order
} Builder;

// bounds of a leaf in the tree's frame
static void boundLeaf(Item* item, Bounds* bounds, const AstLeaf* leaf, const double pos[3], const double inverse[4]) {
  double from[3];
  mth_sub3(from, leaf->pos, pos);
  mth_rotVecQuat(item->pos, from, inverse);
  *bounds = NOTHING;
  bounds->id = leaf->id;

  // a box in the tree's frame needs no corners
  if (!leaf->quat) {
    for (int i = 0; i < 3; i++) {
      bounds->low[i] = leaf->aabb[i] - leaf->aabb[3 + i];
      bounds->high[i] = leaf->aabb[i] + leaf->aabb[3 + i];
    }
    return;
  }
  for (int v = 0; v < 8; v++) {
    double corner[3];
    for (int i = 0; i < 3; i++) {
      corner[i] = leaf->aabb[i] + (v & (1 << i) ? leaf->aabb[3 + i] : -leaf->aabb[3 + i]);
    }
    double turned[3];
    mth_rotVecQuat(turned, corner, leaf->quat);
    for (int i = 0; i < 3; i++) turned[i] += leaf->pos[i] - pos[i];
    mth_rotVecQuat(corner, turned, inverse);
    for (int i = 0; i < 3; i++) {
      bounds->low[i] = fmin(bounds->low[i], corner[i]);
      bounds->high[i] = fmax(bounds->high[i], corner[i]);
    }
  }
}

static int before(const Item* a, const Item* b, int axis) {
  if (fabs(a->pos[axis] - b->pos[axis]) > EPS) return a->pos[axis] < b->pos[axis];
  return a->order < b->order;
}

// -------------------------------------------------------------------------------------------- selection
// Positions closer than EPS are equal, which is not transitive, so which items count as smallest depends on the order
// of comparisons. It is that of the reference's standard library: median of three, partition around it, go on in the
// part that holds the k-th; short ranges are sorted. Guards: an item never comes before itself, and a partition starts
// with an item that comes before the pivot.

static void swapItems(Item* a, Item* b) {
  const Item kept = *a;
  *a = *b;
  *b = kept;
}

// sorts three items; 1: something moved
static int sortThree(Item* x, Item* y, Item* z, int axis) {
  if (!before(y, x, axis)) {
    if (!before(z, y, axis)) return 0;
    swapItems(y, z);
    if (before(y, x, axis)) swapItems(x, y);
    return 1;
  }
  if (before(z, y, axis)) {
    swapItems(x, z);
    return 1;
  }
  swapItems(x, y);
  if (before(z, y, axis)) swapItems(y, z);
  return 1;
}

static void sortFew(Item* item, int n, int axis) {
  if (n == 2 && before(&item[1], &item[0], axis)) swapItems(&item[0], &item[1]);
  if (n == 3) sortThree(&item[0], &item[1], &item[2], axis);
  for (int first = 0; n > 3 && first < n - 1; first++) {
    int smallest = first;
    for (int i = first + 1; i < n; i++) {
      if (before(&item[i], &item[smallest], axis)) smallest = i;
    }
    if (smallest != first) swapItems(&item[first], &item[smallest]);
  }
}

static int isSorted(const Item* item, int n, int axis) {
  for (int i = 1; i < n; i++) {
    if (before(&item[i], &item[i - 1], axis)) return 0;
  }
  return 1;
}

// Nothing comes before the first item: moves what equals it to the front. Returns the end of that part, n: all equal.
static int gatherEqual(Item* item, int n, int axis) {
  int i = 1, j = n - 1;
  if (!before(&item[0], &item[j], axis)) {
    while (i < j && !before(&item[0], &item[i], axis)) i++;
    if (i == j) return n;
    swapItems(&item[i++], &item[j]);
  }
  if (i == j) return n;
  for (;; i++) {
    while (!before(&item[0], &item[i], axis)) i++;
    do j--;
    while (before(&item[0], &item[j], axis));
    if (i >= j) return i;
    swapItems(&item[i], &item[j]);
  }
}

// Items before the one in the middle go to the front, it follows; returns its place, moved tells whether any did.
// Returns -1 - end where nothing comes before the pivot, after gathering what equals it.
static int partition(Item* item, int n, int axis, int* moved) {
  int m = n / 2, i = 0, j = n - 1;
  *moved = sortThree(&item[0], &item[m], &item[n - 1], axis);
  if (!before(&item[0], &item[m], axis)) {
    do j--;
    while (j > 0 && !before(&item[j], &item[m], axis));
    if (j == 0) return -1 - gatherEqual(item, n, axis);
    swapItems(&item[0], &item[j]);
    *moved = 1;
  }
  for (i++; i < j; i++) {
    while (before(&item[i], &item[m], axis)) i++;
    do j--;
    while (!before(&item[j], &item[m], axis));
    if (i >= j) break;
    swapItems(&item[i], &item[j]);
    *moved = 1;
    if (m == i) m = j;
  }
  if (i != m && before(&item[m], &item[i], axis)) {
    swapItems(&item[i], &item[m]);
    *moved = 1;
  }
  return i;
}

// moves the k smallest items to the front, 0 < k < n
static void selectSmallest(Item* item, int n, int k, int axis) {
  enum { FEW = 7 };
  while (n > FEW) {
    int moved = 0;
    const int pivot = partition(item, n, axis, &moved);
    if (pivot < 0) {
      const int equal = -1 - pivot;
      if (k < equal) return;
      item += equal;
      n -= equal;
      k -= equal;
      if (!n) return;
      continue;
    }
    if (k == pivot) return;
    if (!moved && (k < pivot ? isSorted(item, pivot, axis) : isSorted(item + pivot, n - pivot, axis))) return;
    if (k < pivot) {
      n = pivot;
    } else {
      item += pivot + 1;
      n -= pivot + 1;
      k -= pivot + 1;
    }
  }
  if (k < n) sortFew(item, n, axis);
}

// -------------------------------------------------------------------------------------------- tree

// adds one leaf to the bounds of others
static inline void widen(Bounds* all, const Bounds* one) {
  for (int i = 0; i < 3; i++) {
    all->low[i] = one->low[i] < all->low[i] ? one->low[i] : all->low[i];
    all->high[i] = one->high[i] > all->high[i] ? one->high[i] : all->high[i];
  }
}

// a node without children, with a little thickness where it is flat; returns the axis of its longest side
static int addNode(AstBvh* bvh, const Bounds* bounds, int depth, int id) {
  const int node = bvh->n++;
  double side[3];
  for (int i = 0; i < 3; i++) {
    const double low = bounds->low[i], high = bounds->high[i], room = fabs(low - high) < EPS ? EPS : 0;
    side[i] = (high + room) - (low - room);
    bvh->aabb[6 * node + i] = ((high + room) + (low - room)) / 2;
    bvh->aabb[6 * node + 3 + i] = side[i] / 2;
  }
  bvh->child[2 * node] = bvh->child[2 * node + 1] = -1;
  bvh->depth[node] = depth;
  bvh->nodeid[node] = id;

  // the first of equal sides
  int axis = 0;
  if (side[1] >= side[0] + EPS) axis = 1;
  if (side[2] >= side[axis] + EPS) axis = 2;
  return axis;
}

// a node over n items; returns its index
static int makeNode(Builder* b, Item* item, int n, int depth) {
  BAS_ASSERT(n > 0);
  AstBvh* const bvh = b->bvh;
  Bounds bounds = NOTHING;
  for (int i = 0; i < n; i++) widen(&bounds, &b->bounds[item[i].order]);
  const int node = bvh->n, axis = addNode(bvh, &bounds, depth, n == 1 ? b->bounds[item->order].id : -1);
  if (n == 1) return node;
  selectSmallest(item, n, n / 2, axis);
  bvh->child[2 * node] = makeNode(b, item, n / 2, depth + 1);
  bvh->child[2 * node + 1] = makeNode(b, item + n / 2, n - n / 2, depth + 1);
  return node;
}

int ast_makeBvh(AstBvh* bvh, const AstLeaf* leaf, int nleaf, const double pos[3], const double quat[4]) {
  memset(bvh, 0, sizeof(*bvh));
  const size_t n = 2 * (size_t)nleaf - 1;
  bvh->aabb = malloc(6 * n * sizeof(double));
  bvh->child = malloc(2 * n * sizeof(int));
  bvh->depth = malloc(n * sizeof(int));
  bvh->nodeid = malloc(n * sizeof(int));
  Item* const item = malloc((size_t)nleaf * sizeof(Item));
  Bounds* const bounds = aligned_alloc(sizeof(Bounds), (size_t)nleaf * sizeof(Bounds));
  if (!bvh->aabb || !bvh->child || !bvh->depth || !bvh->nodeid || !item || !bounds) {
    free(item);
    free(bounds);
    ast_freeBvh(bvh);
    return 0;
  }
  double inverse[4];
  mth_negQuat(inverse, quat);
  for (int i = 0; i < nleaf; i++) {
    item[i].order = i;
    boundLeaf(&item[i], &bounds[i], &leaf[i], pos, inverse);
  }
  Builder builder = {bvh, bounds};
  makeNode(&builder, item, nleaf, 0);
  BAS_CHECK(ast_assertBvh(bvh, nleaf));
  free(item);
  free(bounds);
  return 1;
}

void ast_assertBvh(const AstBvh* bvh, int nleaf) {
  BAS_ASSERT(nleaf > 0 && bvh->n == 2 * nleaf - 1);
  BAS_ASSERT(bvh->depth[0] == 0);
  for (int i = 0; i < bvh->n; i++) {
    const int* child = bvh->child + 2 * i;
    BAS_ASSERT((child[0] < 0) == (child[1] < 0));
    if (child[0] < 0) continue;
    BAS_ASSERT(child[0] == i + 1 && child[1] > child[0] && child[1] < bvh->n);
    BAS_ASSERT(bvh->nodeid[i] == -1);
    BAS_ASSERT(bvh->depth[child[0]] == bvh->depth[i] + 1 && bvh->depth[child[1]] == bvh->depth[i] + 1);
  }
}

void ast_freeBvh(AstBvh* bvh) {
  free(bvh->aabb);
  free(bvh->child);
  free(bvh->depth);
  free(bvh->nodeid);
  memset(bvh, 0, sizeof(*bvh));
}
