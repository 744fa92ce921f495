// Mid phase. A body's hierarchy is static, in the frame of its inertia; a flex's is refitted every step, in world axes.
// Boxes are centre and half-size. Two boxes are apart when one of their six face normals separates them (the nine edge
// products are not tried); the rotation between the two frames is computed once per walk.
//
// Planes have boxes of half-size 1e10 ("infinite"): against one only the plane box's own normals are tried.
#include "collision/mid.h"

#include <string.h>

#include "base/stack.h"
#include "collision/contact.h"
#include "collision/filter.h"
#include "math/vec.h"

// node pairs that are kept outside mjData's stack: enough for all but large hierarchies
enum { SHORT_STACK = 64 };

// one hierarchy
typedef struct {
  bool body;
  int id;             // body or flex
  int start, num;     // nodes in the model's arrays
  const int* child;   // two per node, -1 for none
  const int* leaf;    // id in a leaf
  const mjtNum* box;  // six per node
} Tree;

// two frames with respect to each other
typedef struct {
  mjtNum cross[9];         // cross[3k + l]: axis l of frame 2 on axis k of frame 1
  mjtNum offset[2][2][3];  // offset[i][j][k]: origin of frame i on axis k of frame j
} Frames;

typedef struct {
  int node1, node2;
} NodePair;

static Tree treeOf(const mjModel* m, const mjData* d, int bf) {
  const int start = col_bvhAddress(m, bf);
  const bool body = col_isBody(m, bf);
  const int f = body ? -1 : bf - (int)m->nbody;
  return (Tree){
      .body = body,
      .id = body ? bf : f,
      .start = start,
      .num = body ? m->body_bvhnum[bf] : m->flex_bvhnum[f],
      .child = m->bvh_child + 2 * start,
      .leaf = m->bvh_nodeid + start,
      .box = body ? m->bvh_aabb + 6 * start : d->bvh_aabb_dyn + 6 * (start - m->nbvhstatic),
  };
}

//---------------------------------- oriented boxes ----------------------------------

// world axes at the origin
static const mjtNum WORLD_MAT[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const mjtNum WORLD_POS[3] = {0, 0, 0};

static void makeFrames(Frames* f, const mjtNum* pos1, const mjtNum* mat1, const mjtNum* pos2, const mjtNum* mat2) {
  const mjtNum* pos[2] = {pos1, pos2};
  const mjtNum* mat[2] = {mat1, mat2};
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) mth_mulMatTVec3(f->offset[i][j], mat[j], pos[i]);
  }
  mth_mulMatTMat3(f->cross, mat1, mat2);
}

static inline int infiniteAxes(const mjtNum box[6]) {
  return (box[3] >= mjMAXVAL) + (box[4] >= mjMAXVAL) + (box[5] >= mjMAXVAL);
}

// on axis k of frame 1; its own box is aligned with it
static inline bool apartOnFirst(const mjtNum a[6], const mjtNum b[6], const Frames* f, mjtNum margin, int k) {
  const mjtNum* row = f->cross + 3 * k;
  const mjtNum pos1 = a[k] + f->offset[0][0][k];
  const mjtNum pos2 = b[0] * row[0] + b[1] * row[1] + b[2] * row[2] + f->offset[1][0][k];
  const mjtNum radius2 = fabs(b[3] * row[0]) + fabs(b[4] * row[1]) + fabs(b[5] * row[2]);
  return a[3 + k] + radius2 + margin < fabs(pos2 - pos1);
}

// on axis k of frame 2
static inline bool apartOnSecond(const mjtNum a[6], const mjtNum b[6], const Frames* f, mjtNum margin, int k) {
  const mjtNum* col = f->cross + k;
  const mjtNum pos1 = a[0] * col[0] + a[1] * col[3] + a[2] * col[6] + f->offset[0][1][k];
  const mjtNum pos2 = b[k] + f->offset[1][1][k];
  const mjtNum radius1 = fabs(a[3] * col[0]) + fabs(a[4] * col[3]) + fabs(a[5] * col[6]);
  return radius1 + b[3 + k] + margin < fabs(pos2 - pos1);
}

// boxes in their frames apart by more than the margin
static bool orientedApart(const mjtNum a[6], const mjtNum b[6], const Frames* f, mjtNum margin) {
  const int inf1 = infiniteAxes(a), inf2 = infiniteAxes(b);
  if (inf1 == 3 || inf2 == 3) return false;
  for (int k = 0; k < 3 && !inf2; k++) {
    if (apartOnFirst(a, b, f, margin, k)) return true;
  }
  for (int k = 0; k < 3 && !inf1; k++) {
    if (apartOnSecond(a, b, f, margin, k)) return true;
  }
  return false;
}

// A box in its frame as world axes see it: what many boxes along these are compared with.
typedef struct {
  int id;  // node or geom, -1: none yet
  Frames frames;
  mjtNum pos[3], radius[3];
  bool infinite;  // a plane's: the world's axes say nothing
} Seen;

static void see(Seen* s, const mjtNum box[6]) {
  s->infinite = infiniteAxes(box) > 0;
  for (int k = 0; k < 3; k++) {
    const mjtNum* col = s->frames.cross + k;
    s->pos[k] = box[0] * col[0] + box[1] * col[3] + box[2] * col[6] + s->frames.offset[0][1][k];
    s->radius[k] = fabs(box[3] * col[0]) + fabs(box[4] * col[3]) + fabs(box[5] * col[6]);
  }
}

// orientedApart for a box b along the world's axes; these are tried first
static inline bool seenApart(const Seen* s, const mjtNum a[6], const mjtNum b[6], mjtNum margin) {
  const int inf2 = infiniteAxes(b);
  if (inf2 == 3 || (s->infinite && infiniteAxes(a) == 3)) return false;
  for (int k = 0; k < 3 && !s->infinite; k++) {
    if (s->radius[k] + b[3 + k] + margin < fabs(b[k] - s->pos[k])) return true;
  }
  for (int k = 0; k < 3 && !inf2; k++) {
    if (apartOnFirst(a, b, &s->frames, margin, k)) return true;
  }
  return false;
}

bool col_geomsApart(const mjModel* m, const mjData* d, int g1, int g2) {
  const mjtNum margin = col_geomMargin(m, g1, g2, -1);
  if (col_spheresApart(m, d, g1, g2, margin)) return true;
  Frames f;
  makeFrames(&f, d->geom_xpos + 3 * g1, d->geom_xmat + 9 * g1, d->geom_xpos + 3 * g2, d->geom_xmat + 9 * g2);
  return orientedApart(m->geom_aabb + 6 * g1, m->geom_aabb + 6 * g2, &f, margin);
}

// a geom's box and an axis-aligned one
static bool geomElemApart(const mjModel* m, const mjData* d, int g, const mjtNum box[6], mjtNum margin, Seen* seen) {
  if (col_pointBoxApart(d->geom_xpos + 3 * g, m->geom_rbound[g] + margin, box)) return true;
  if (seen->id != g) {
    seen->id = g;
    makeFrames(&seen->frames, d->geom_xpos + 3 * g, d->geom_xmat + 9 * g, WORLD_POS, WORLD_MAT);
    see(seen, m->geom_aabb + 6 * g);
  }
  return seenApart(seen, m->geom_aabb + 6 * g, box, margin);
}

//---------------------------------- the walk ----------------------------------

// what one walk carries along
typedef struct {
  Tree tree[2];
  mjtNum margin;  // of inner nodes
  Seen inner;     // the last node of a body and, against a flex, how the world sees it
  Seen leaf;      // the last geom against a flex
} Walk;

static void startWalk(Walk* w, const mjModel* m, const mjData* d, int bf1, int bf2) {
  mjtNum margin = 0;
  const mjtNum *pos[2] = {WORLD_POS, WORLD_POS}, *mat[2] = {WORLD_MAT, WORLD_MAT};
  const int bf[2] = {bf1, bf2};
  for (int i = 0; i < 2; i++) {
    w->tree[i] = treeOf(m, d, bf[i]);
    const int id = w->tree[i].id;
    margin += w->tree[i].body ? m->body_margin[id] : m->flex_margin[id];
    if (w->tree[i].body) {
      pos[i] = d->xipos + 3 * id;
      mat[i] = d->ximat + 9 * id;
    }
  }
  w->margin = col_margin(m, margin);
  w->inner.id = w->leaf.id = -1;
  if (w->tree[0].body) makeFrames(&w->inner.frames, pos[0], mat[0], pos[1], mat[1]);
}

// true when the two leaves were handed on
static bool visitLeaves(Walk* w, const mjModel* m, const mjData* d, NodePair p) {
  const Tree *t1 = w->tree, *t2 = w->tree + 1;
  const int id1 = t1->leaf[p.node1], id2 = t2->leaf[p.node2];
  if (!t1->body) return true;  // elements: tested by the narrow phase
  if (t2->body) return !col_geomsApart(m, d, id1, id2);

  const ColBits flex = {m->flex_contype[t2->id], m->flex_conaffinity[t2->id]};
  const mjtNum margin = col_margin(m, m->geom_margin[id1] + m->flex_margin[t2->id]);
  return col_bitsMatch(col_geomBits(m, id1), flex) &&
         !geomElemApart(m, d, id1, t2->box + 6 * p.node2, margin, &w->leaf);
}

static bool innerApart(Walk* w, NodePair p) {
  const mjtNum *box1 = w->tree[0].box + 6 * p.node1, *box2 = w->tree[1].box + 6 * p.node2;
  if (!w->tree[0].body) return col_boxesApart(box1, box2, w->margin);
  if (w->tree[1].body) return orientedApart(box1, box2, &w->inner.frames, w->margin);
  if (w->inner.id != p.node1) {
    w->inner.id = p.node1;
    see(&w->inner, box1);
  }
  return seenApart(&w->inner, box1, box2, w->margin);
}

// The measure that decides which of two inner nodes is opened. It is meant as a surface, but takes differences of
// half-size and centre; the order of contacts between flex elements follows from it.
static mjtNum openingMeasure(const mjtNum box[6]) {
  const mjtNum x = box[3] - box[0], y = box[4] - box[1], z = box[5] - box[2];
  return x * y + y * z + z * x;
}

static inline bool isLeaf(const Tree* t, int node) {
  return t->child[2 * node] < 0 && t->child[2 * node + 1] < 0;
}

// replaces a pair of nodes by the pairs with the children of one of them
static int openNodes(const Walk* w, NodePair p, NodePair* stack, int n) {
  const Tree *t1 = w->tree, *t2 = w->tree + 1;
  const bool leaf1 = isLeaf(t1, p.node1), leaf2 = isLeaf(t2, p.node2);
  const bool first =
      leaf1 != leaf2 ? leaf2 : openingMeasure(t1->box + 6 * p.node1) > openingMeasure(t2->box + 6 * p.node2);
  const int* child = first ? t1->child + 2 * p.node1 : t2->child + 2 * p.node2;
  for (int i = 0; i < 2; i++) {
    if (child[i] == -1) continue;
    stack[n++] = first ? (NodePair){child[i], p.node2} : (NodePair){p.node1, child[i]};
  }
  return n;
}

// marks a node as visited; several threads may mark the same
static void markNode(mjData* d, int node) {
  __atomic_store_n(d->bvh_active + node, 1, __ATOMIC_RELAXED);
}

// marks the nodes from `node` down to the leaf of a geom; false when it is not there
static bool markPath(const mjModel* m, mjData* d, int start, int node, int g) {
  const int* child = m->bvh_child + 2 * (start + node);
  const bool found = (child[0] < 0 && child[1] < 0) ? m->bvh_nodeid[start + node] == g
                                                    : (child[0] >= 0 && markPath(m, d, start, child[0], g)) ||
                                                          (child[1] >= 0 && markPath(m, d, start, child[1], g));
  if (found) markNode(d, start + node);
  return found;
}

void col_markGeom(const mjModel* m, mjData* d, int g) {
  const int start = m->body_bvhadr[m->geom_bodyid[g]];
  if (m->vis.global.bvactive && start >= 0) markPath(m, d, start, 0, g);
}

void col_mid(const mjModel* m, mjData* d, int bf1, int bf2, ColLeaf leaf, void* context) {
  Walk w;
  startWalk(&w, m, d, bf1, bf2);
  const Tree *t1 = w.tree, *t2 = w.tree + 1;

  // a walk holds at most one pair more than both hierarchies have nodes
  NodePair shortStack[SHORT_STACK];
  const int most = t1->num + t2->num + 1;
  mj_markStack(d);
  NodePair* stack =
      most <= SHORT_STACK ? shortStack : mj_stackAllocByte(d, (size_t)most * sizeof(NodePair), _Alignof(NodePair));

  const bool mark = m->vis.global.bvactive;
  int n = 0;
  stack[n++] = (NodePair){0, 0};
  while (n) {
    const NodePair p = stack[--n];
    if (bf1 == bf2 && p.node1 > p.node2) continue;

    // leaves are handed on, inner nodes opened, when they meet
    const bool leaves = isLeaf(t1, p.node1) && isLeaf(t2, p.node2);
    if (leaves ? !visitLeaves(&w, m, d, p) : innerApart(&w, p)) continue;
    if (mark) {
      markNode(d, t1->start + p.node1);
      markNode(d, t2->start + p.node2);
    }
    if (leaves) {
      leaf(m, d, t1->leaf[p.node1], t2->leaf[p.node2], context);
    } else {
      n = openNodes(&w, p, stack, n);
    }
  }
  mj_freeStack(d);
}
