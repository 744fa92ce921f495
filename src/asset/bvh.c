// Building bounding volume trees top down: a node bounds its leaves and splits them at the median of their positions
// along the longest side of its box.
#include "asset/bvh.h"

#include <float.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"

static const double EPS = 1e-14;  // boxes thinner than this are inflated, positions closer than this are equal

// one leaf while the tree is being built
typedef struct {
  int order;      // position among the leaves: breaks ties
  double pos[3];  // in the tree's frame
  double low[3], high[3];
} Item;

typedef struct {
  AstBvh* bvh;
  Item* item;
  const AstLeaf* leaf;
} Builder;

// bounds of a leaf in the tree's frame
static void boundLeaf(Item* item, const AstLeaf* leaf, const double pos[3], const double inverse[4]) {
  double from[3];
  mth_sub3(from, leaf->pos, pos);
  mth_rotVecQuat(item->pos, from, inverse);
  for (int i = 0; i < 3; i++) {
    item->low[i] = DBL_MAX;
    item->high[i] = -DBL_MAX;
  }
  for (int v = 0; v < 8; v++) {
    double corner[3];
    for (int i = 0; i < 3; i++) {
      corner[i] = leaf->aabb[i] + (v & (1 << i) ? leaf->aabb[3 + i] : -leaf->aabb[3 + i]);
    }
    if (leaf->quat) {
      double turned[3];
      mth_rotVecQuat(turned, corner, leaf->quat);
      for (int i = 0; i < 3; i++) turned[i] += leaf->pos[i] - pos[i];
      mth_rotVecQuat(corner, turned, inverse);
    }
    for (int i = 0; i < 3; i++) {
      item->low[i] = fmin(item->low[i], corner[i]);
      item->high[i] = fmax(item->high[i], corner[i]);
    }
  }
}

static int before(const Item* a, const Item* b, int axis) {
  if (fabs(a->pos[axis] - b->pos[axis]) > EPS) return a->pos[axis] < b->pos[axis];
  return a->order < b->order;
}

// moves the k smallest items to the front
static void selectSmallest(Item* item, int n, int k, int axis) {
  int low = 0, high = n - 1;
  while (low < high) {
    const Item pivot = item[low + (high - low) / 2];
    int i = low, j = high;
    while (i <= j) {
      while (before(&item[i], &pivot, axis)) i++;
      while (before(&pivot, &item[j], axis)) j--;
      if (i > j) break;
      const Item kept = item[i];
      item[i++] = item[j];
      item[j--] = kept;
    }
    if (k <= j) {
      high = j;
    } else if (k >= i) {
      low = i;
    } else {
      return;
    }
  }
}

// bounds of several items; flat ones get a little thickness
static void bound(const Item* item, int n, double low[3], double high[3]) {
  mth_copy3(low, item[0].low);
  mth_copy3(high, item[0].high);
  for (int k = 1; k < n; k++) {
    for (int i = 0; i < 3; i++) {
      low[i] = fmin(low[i], item[k].low[i]);
      high[i] = fmax(high[i], item[k].high[i]);
    }
  }
  for (int i = 0; i < 3; i++) {
    if (fabs(low[i] - high[i]) < EPS) {
      low[i] -= EPS;
      high[i] += EPS;
    }
  }
}

// a node over n items; returns its index
static int makeNode(Builder* b, Item* item, int n, int depth) {
  AstBvh* const bvh = b->bvh;
  double low[3], high[3];
  bound(item, n, low, high);
  const int node = bvh->n++;
  for (int i = 0; i < 3; i++) {
    bvh->aabb[6 * node + i] = (high[i] + low[i]) / 2;
    bvh->aabb[6 * node + 3 + i] = (high[i] - low[i]) / 2;
  }
  bvh->child[2 * node] = bvh->child[2 * node + 1] = -1;
  bvh->depth[node] = depth;
  bvh->nodeid[node] = n == 1 ? b->leaf[item->order].id : -1;
  if (n == 1) return node;

  // longest side, the first of equal ones
  int axis = 0;
  const double side[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
  if (side[1] >= side[0] + EPS) axis = 1;
  if (side[2] >= side[axis] + EPS) axis = 2;
  selectSmallest(item, n, n / 2, axis);
  bvh->child[2 * node] = makeNode(b, item, n / 2, depth + 1);
  bvh->child[2 * node + 1] = makeNode(b, item + n / 2, n - n / 2, depth + 1);
  return node;
}

void ast_makeBvh(AstBvh* bvh, const AstLeaf* leaf, int nleaf, const double pos[3], const double quat[4]) {
  memset(bvh, 0, sizeof(*bvh));
  const size_t n = 2 * (size_t)nleaf - 1;
  bvh->aabb = malloc(6 * n * sizeof(double));
  bvh->child = malloc(2 * n * sizeof(int));
  bvh->depth = malloc(n * sizeof(int));
  bvh->nodeid = malloc(n * sizeof(int));
  Item* const item = malloc((size_t)nleaf * sizeof(Item));
  if (!bvh->aabb || !bvh->child || !bvh->depth || !bvh->nodeid || !item) {
    free(item);
    ast_freeBvh(bvh);
    mju_error("out of memory: bounding volumes");
    return;
  }
  double inverse[4];
  mth_negQuat(inverse, quat);
  for (int i = 0; i < nleaf; i++) {
    item[i].order = i;
    boundLeaf(&item[i], &leaf[i], pos, inverse);
  }
  Builder builder = {bvh, item, leaf};
  makeNode(&builder, item, nleaf, 0);
  free(item);
}

void ast_freeBvh(AstBvh* bvh) {
  free(bvh->aabb);
  free(bvh->child);
  free(bvh->depth);
  free(bvh->nodeid);
  memset(bvh, 0, sizeof(*bvh));
}
