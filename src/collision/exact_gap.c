// Distances of surfaces: the tree of faces is searched from the nearest box on, and leaves are left out that are
// farther than the best pair so far. A pair of leaves is asked by GJK.
#include <math.h>
#include <stddef.h>

#include "collision/ccd.h"
#include "collision/exact.h"
#include "math/vec.h"

enum { DEPTH = 256 };

// a face of the surface in space, as a convex shape
typedef struct {
  ColConvex convex;
  mjtNum point[3][3], centre[3];
  const mjtNum* at[3];
} Face;

static void openFace(Face* f, const ColExact* x, int face) {
  mth_zero3(f->centre);
  for (int k = 0; k < 3; k++) {
    mjtNum local[3];
    col_exactCorner(local, x, face, k);
    col_exactWorld(f->point[k], x, local);
    mth_addToScl3(f->centre, f->point[k], 1.0 / 3);
    f->at[k] = f->point[k];
  }
  col_convexPoints(&f->convex, x->m, f->at, 3, f->centre);
}

// the gap of two convex shapes, where it is smaller
static void consider(mjData* d, const ColExact* x, ColConvex* a, ColConvex* b, ColGap* gap) {
  ColQuery q;
  col_queryInit(&q, x->m, 1, gap->dist);
  const mjtNum dist = mth_max(0, col_ccd(d, &q, a, b));
  if (!(dist < gap->dist) || q.npoint < 1) return;
  gap->dist = dist;
  mth_copy3(gap->point[0], q.x1);
  mth_copy3(gap->point[1], q.x2);
  mth_sub3(gap->normal, q.x2, q.x1);
  mth_normalize3(gap->normal);
}

// the thickness of both sides, and whether what was found is within the bound
static int finish(ColGap* gap, mjtNum half, mjtNum theirs, mjtNum bound) {
  if (!(gap->dist < bound + half + theirs)) return 0;
  gap->dist = mth_max(0, gap->dist - half - theirs);
  mth_addToScl3(gap->point[0], gap->normal, half);
  mth_addToScl3(gap->point[1], gap->normal, -theirs);
  return 1;
}

// distance of two boxes, by middle and half sizes
static mjtNum boxGap(const mjtNum a[6], const mjtNum middle[3], const mjtNum half[3]) {
  mjtNum sum = 0;
  for (int k = 0; k < 3; k++) {
    const mjtNum out = mth_max(0, fabs(a[k] - middle[k]) - a[3 + k] - half[k]);
    sum += out * out;
  }
  return sqrt(sum);
}

int col_exactGap(mjData* d, const ColExact* x, ColConvex* other, mjtNum bound, ColGap* gap) {
  mjtNum box[6], middle[3], half[3];
  col_exactBounds(x, other, 0, box);
  for (int k = 0; k < 3; k++) {
    middle[k] = (box[k] + box[3 + k]) / 2;
    half[k] = (box[3 + k] - box[k]) / 2;
  }
  int stack[DEPTH], n = 1;
  stack[0] = 0;
  gap->dist = bound + x->half;
  while (n) {
    const int node = stack[--n];
    if (!(boxGap(x->aabb + 6 * node, middle, half) < gap->dist)) continue;
    if (x->nodeid[node] >= 0) {
      Face f;
      openFace(&f, x, x->nodeid[node]);
      other->vertid = other->hullid = -1;
      consider(d, x, &f.convex, other, gap);
      continue;
    }
    const int* child = x->child + 2 * node;
    const int swap = boxGap(x->aabb + 6 * child[0], middle, half) < boxGap(x->aabb + 6 * child[1], middle, half);
    if (n + 2 > DEPTH) break;
    stack[n++] = child[swap];
    stack[n++] = child[!swap];
  }
  return finish(gap, x->half, 0, bound);
}

// the other surface seen from this one: its boxes become larger by the turn
typedef struct {
  const ColExact *x, *other;
  mjtNum pos[3], mat[9], size[9];
} Turn;

static mjtNum nodeGap(const Turn* t, int a, int b) {
  mjtNum middle[3], half[3];
  const mjtNum* box = t->other->aabb + 6 * b;
  mth_mulMatVec3(middle, t->mat, box);
  mth_addTo3(middle, t->pos);
  mth_mulMatVec3(half, t->size, box + 3);
  return boxGap(t->x->aabb + 6 * a, middle, half);
}

int col_exactGaps(mjData* d, const ColExact* x, const ColExact* other, mjtNum bound, ColGap* gap) {
  Turn t = {.x = x, .other = other};
  mth_mulMatTMat3(t.mat, x->mat, other->mat);
  col_exactLocal(t.pos, x, other->pos);
  for (int k = 0; k < 9; k++) t.size[k] = fabs(t.mat[k]);
  int stack[DEPTH][2], n = 1;
  stack[0][0] = stack[0][1] = 0;
  gap->dist = bound + x->half + other->half;
  while (n) {
    const int a = stack[--n][0], b = stack[n][1];
    if (!(nodeGap(&t, a, b) < gap->dist)) continue;
    const int fa = x->nodeid[a], fb = other->nodeid[b];
    if (fa >= 0 && fb >= 0) {
      Face f, g;
      openFace(&f, x, fa);
      openFace(&g, other, fb);
      consider(d, x, &f.convex, &g.convex, gap);
      continue;
    }

    // the larger box is opened, its nearer child comes first
    const int first = fb >= 0 || (fa < 0 && mth_norm3(x->aabb + 6 * a + 3) >= mth_norm3(other->aabb + 6 * b + 3));
    const int* child = first ? x->child + 2 * a : other->child + 2 * b;
    mjtNum far[2];
    for (int k = 0; k < 2; k++) far[k] = first ? nodeGap(&t, child[k], b) : nodeGap(&t, a, child[k]);
    if (n + 2 > DEPTH) break;
    for (int k = 0; k < 2; k++, n++) {
      const int which = (far[0] < far[1]) != k;
      stack[n][0] = first ? child[which] : a;
      stack[n][1] = first ? b : child[which];
    }
  }
  return finish(gap, x->half, other->half, bound);
}

int col_exactContains(const ColExact* x, const mjtNum point[3]) {
  mjtNum local[3], arm[3], out[3];
  if (x->shell) return 0;
  col_exactLocal(local, x, point);
  const ColNearest n = col_exactNearest(x, local, 4 * x->reach);
  if (n.face < 0) return 0;
  col_exactOutwards(out, x, &n);
  mth_sub3(arm, local, n.point);
  return mth_dot3(arm, out) < 0;
}
