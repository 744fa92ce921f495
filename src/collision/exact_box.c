// Boxes as surfaces: twelve triangles, with the tree and the neighbours that exact meshes have. Corner i is on the
// positive side of axis k where bit k of i is set; a side has two faces.
#include "base/stack.h"
#include "collision/exact.h"
#include "math/vec.h"

enum { SIDES = 6, FACES = 12, NODES = 23, QUADS = 5, LEAVES = 11 };

static const int FACE[3 * FACES] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                    2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
static const int OTHER[3 * FACES] = {17, 35, 3,  2,  18, 24, 28, 22, 9,  8,  31, 13, 29, 11, 15, 14, 30, 0,
                                     4,  34, 21, 20, 7,  25, 5,  23, 27, 26, 6,  12, 16, 10, 33, 32, 19, 1};

// all corners are tips; the first face that has a corner, or an edge of the box, stands for it
enum { T = COL_TIP, E = COL_TIP | COL_EDGE, O = COL_TIP | COL_OWN, A = COL_TIP | COL_EDGE | COL_OWN };
static const mjtByte FEATURE[3 * FACES] = {A, A, O, T, E, A, A, A, O, T, E, A, E, T, T, T, E, T,
                                           T, E, T, T, T, E, T, T, T, T, T, T, T, T, T, T, T, T};

// the tree: nodes above, which are as large as the box, one for each side, and its two faces
static const int CHILD[2 * QUADS] = {1, 2, 3, 4, 9, 10, 5, 6, 7, 8};

// planes, boxes of the tree, its nodes and corners: all that depends on the size
typedef struct {
  mjtNum plane[4 * FACES], aabb[6 * NODES];
  int child[2 * NODES], nodeid[NODES];
  float vert[3 * 8];
} Surface;

static void setNode(Surface* s, int node, const mjtNum size[3], int side) {
  mjtNum* const box = s->aabb + 6 * node;
  mth_zero3(box);
  mth_copy3(box + 3, size);
  if (side < 0) return;
  box[side / 2] = side % 2 ? size[side / 2] : -size[side / 2];
  box[3 + side / 2] = 0;
}

void col_openBox(const mjModel* m, mjData* d, int geom, ColExact* x) {
  const mjtNum* size = m->geom_size + 3 * geom;
  Surface* const s = mj_stackAllocByte(d, sizeof(Surface), _Alignof(Surface));
  for (int i = 0; i < 3 * 8; i++) s->vert[i] = (float)(i / 3 >> i % 3 & 1 ? size[i % 3] : -size[i % 3]);
  for (int i = 0; i < NODES; i++) {
    const int leaf = i >= LEAVES, quad = i >= QUADS && !leaf;
    setNode(s, i, size, leaf ? (i - LEAVES) / 2 : quad ? i - QUADS : -1);
    s->nodeid[i] = leaf ? i - LEAVES : -1;
    for (int k = 0; k < 2; k++)
      s->child[2 * i + k] = leaf ? -1 : quad ? LEAVES + 2 * (i - QUADS) + k : CHILD[2 * i + k];
  }
  mju_zero(s->plane, 4 * FACES);
  for (int i = 0; i < FACES; i++) {
    const int axis = i / 4;
    s->plane[4 * i + axis] = i / 2 % 2 ? 1 : -1;
    s->plane[4 * i + 3] = size[axis];
  }
  *x = (ColExact){.m = m,
                  .nface = FACES,
                  .nvert = 8,
                  .vert = s->vert,
                  .face = FACE,
                  .other = OTHER,
                  .plane = s->plane,
                  .feature = FEATURE,
                  .aabb = s->aabb,
                  .child = s->child,
                  .nodeid = s->nodeid,
                  .pos = d->geom_xpos + 3 * geom,
                  .mat = d->geom_xmat + 9 * geom,
                  .reach = m->geom_rbound[geom]};
}
