// Signed distance of a mesh, sampled at the corners of an octree's leaves and interpolated linearly in each axis.
// Outside the root box: the value at the nearest point of the box plus the distance to it.
#include <math.h>
#include <stddef.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "collision/sdf.h"
#include "math/pair.h"
#include "math/vec.h"

// how far a projected point ends up inside the root box, and the step of differences outside it
static const mjtNum COL_OCT_INSET = 1e-6;
static const mjtNum COL_OCT_STEP = 1e-8;

// slack of the test whether a node contains a point
static const mjtNum COL_OCT_SLACK = 1e-8;

// A point at least this part of a leaf's size away from its faces is in this leaf and no other: where the way down from
// the root turns is known to a few units in the last place. Smaller: rounding could decide.
static const mjtNum COL_OCT_WITHIN = 1e-6;

typedef struct {
  const int* child;     // eight per node, -1: none
  const mjtNum* aabb;   // centre and half sizes
  const mjtNum* coeff;  // value at the eight corners
} Octree;

static Octree octreeOf(const mjModel* m, int mesh) {
  const int adr = m->mesh_octadr[mesh];
  if (adr == -1) mju_error("mesh %d has no octree", mesh);
  return (Octree){m->oct_child + 8 * adr, m->oct_aabb + 6 * adr, m->oct_coeff + 8 * adr};
}

// moves a point outside the box to just inside; the distance it was moved, negative or zero when it was inside
static mjtNum projectToBox(mjtNum point[3], const mjtNum box[6]) {
  mjtNum rel[3], out[3];
  mth_sub3(rel, point, box);
  for (int i = 0; i < 3; i++) out[i] = fabs(rel[i]) - box[3 + i];
  if (out[0] <= 0 && out[1] <= 0 && out[2] <= 0) return mth_max(out[0], mth_max(out[1], out[2]));

  mjtNum sqr = 0;
  for (int i = 0; i < 3; i++) {
    if (!(out[i] >= 0)) continue;
    sqr += out[i] * out[i];
    point[i] -= rel[i] > 0 ? out[i] + COL_OCT_INSET : -(out[i] + COL_OCT_INSET);
  }
  return sqrt(sqr);
}

static int isLeaf(const int child[8]) {
  for (int i = 0; i < 8; i++) {
    if (child[i] != -1) return 0;
  }
  return 1;
}

// Child of a node on the point's side of each axis: a bit per axis, set in the upper half. A quotient of two numbers is
// below one half exactly when the first is below half the second, so there is no division on the way down, and no
// branch; x and y go side by side.
static inline int childTowards(const mjtNum box[6], MthPair xy, mjtNum z) {
  const MthPair centre = mth_load2(box), half = mth_load2(box + 3), low = centre - half, high = centre + half;
  const mjtNum lowz = box[2] - box[5], highz = box[2] + box[5];
#if defined(__SSE2__)
  const int below = _mm_movemask_pd(_mm_cmplt_pd(xy - low, 0.5 * (high - low)));
#else
  const int below = (xy[0] - low[0] < 0.5 * (high[0] - low[0])) | (xy[1] - low[1] < 0.5 * (high[1] - low[1])) << 1;
#endif
  return (below ^ 3) | !(z - lowz < 0.5 * (highz - lowz)) << 2;
}

// coordinates of a point in a node, between 0 and 1; 0: it is outside
static int coordinates(mjtNum coord[3], const mjtNum box[6], const mjtNum point[3]) {
  for (int i = 0; i < 3; i++) {
    const mjtNum low = box[i] - box[3 + i], high = box[i] + box[3 + i];
    if (point[i] + COL_OCT_SLACK < low || point[i] - COL_OCT_SLACK > high) return 0;
    coord[i] = (point[i] - low) / (high - low);
  }
  return 1;
}

// leaf that contains a point, and the point's coordinates in it
static int findLeaf(mjtNum coord[3], const Octree* oct, const mjtNum point[3]) {
  int node = 0;
  const MthPair xy = mth_load2(point);

  // a tree is never this deep
  for (int depth = 0; depth < 100; depth++) {
    const int next = oct->child[8 * node + childTowards(oct->aabb + 6 * node, xy, point[2])];
    if (next < 0) break;
    node = next;
  }
  if (!isLeaf(oct->child + 8 * node)) {
    mju_error("octree: no leaf for a point");
    return -1;
  }
  if (!coordinates(coord, oct->aabb + 6 * node, point)) {
    mju_error("octree: point outside of its node");
    return -1;
  }
  return node;
}

// 1: the point is well within a leaf; its coordinates there
static int isWithin(mjtNum coord[3], const Octree* oct, int leaf, const mjtNum point[3]) {
  if (leaf < 0 || !coordinates(coord, oct->aabb + 6 * leaf, point)) return 0;
  for (int i = 0; i < 3; i++) {
    if (!(coord[i] > COL_OCT_WITHIN && coord[i] < 1 - COL_OCT_WITHIN)) return 0;
  }
  return 1;
}

void col_octPlace(ColOctPlace* place, const mjModel* m, int mesh, const mjtNum point[3]) {
  // compared as bits: zeros have signs
  if (place->mesh == mesh && !memcmp(place->point, point, sizeof(place->point))) return;
  const Octree oct = octreeOf(m, mesh);
  mjtNum p[3] = {point[0], point[1], point[2]}, value = 0;
  const int last = place->mesh == mesh ? place->leaf : -1;
  place->mesh = mesh;
  mth_copy3(place->point, point);
  place->outside = projectToBox(p, oct.aabb);
  place->leaf = isWithin(place->coord, &oct, last, p) ? last : findLeaf(place->coord, &oct, p);
  place->distance = 0;
  if (place->leaf < 0) return;
  const mjtNum *coord = place->coord, *coeff = oct.coeff + 8 * place->leaf;
  for (int i = 0; i < 8; i++) {
    const mjtNum w =
        (i & 1 ? coord[0] : 1 - coord[0]) * (i & 2 ? coord[1] : 1 - coord[1]) * (i & 4 ? coord[2] : 1 - coord[2]);
    value += w * coeff[i];
  }
  place->distance = place->outside > 0 ? value + place->outside : value;
}

// gradient of the interpolation; coordinates count in leaf sizes, so only its direction is meant
static void leafGradient(mjtNum grad[3], const mjtNum coord[3], const mjtNum coeff[8]) {
  mth_zero3(grad);
  for (int i = 0; i < 8; i++) {
    const mjtNum wx = i & 1 ? coord[0] : 1 - coord[0];
    const mjtNum wy = i & 2 ? coord[1] : 1 - coord[1];
    const mjtNum wz = i & 4 ? coord[2] : 1 - coord[2];
    grad[0] += (i & 1 ? 1 : -1) * wy * wz * coeff[i];
    grad[1] += wx * (i & 2 ? 1 : -1) * wz * coeff[i];
    grad[2] += wx * wy * (i & 4 ? 1 : -1) * coeff[i];
  }
}

void col_octGradient(mjtNum grad[3], const mjModel* m, const ColOctPlace* place) {
  // inside: of the interpolation
  if (place->outside <= 0) {
    mth_zero3(grad);
    if (place->leaf >= 0) leafGradient(grad, place->coord, octreeOf(m, place->mesh).coeff + 8 * place->leaf);
    return;
  }

  // outside: by differences
  for (int i = 0; i < 3; i++) {
    ColOctPlace moved = *place;
    mjtNum point[3] = {place->point[0], place->point[1], place->point[2]};
    point[i] += COL_OCT_STEP;
    col_octPlace(&moved, m, place->mesh, point);
    grad[i] = (moved.distance - place->distance) / COL_OCT_STEP;
  }
}
