// Bounding volume hierarchy: a binary tree of boxes, nodes in depth-first order, the root first.
#pragma once

// what one leaf bounds
typedef struct {
  int id;              // stored in the leaf's node
  const double* pos;   // of the box's frame; also what the median split orders by
  const double* quat;  // of the box's frame, NULL: the box is already in the tree's frame
  const double* aabb;  // center, half sizes
} AstLeaf;

// all arrays have n nodes; freed together
typedef struct {
  int n;
  double* aabb;  // 6 per node: center, half sizes
  int* child;    // 2 per node, -1 in leaves
  int* depth;
  int* nodeid;  // id of a leaf, -1 elsewhere
} AstBvh;

// Builds the tree of nleaf > 0 leaves in the frame (pos, quat). Nodes split at the median along their longest axis;
// ties follow the order of the leaves. 0: there is no memory, and the tree is empty.
int ast_makeBvh(AstBvh* bvh, const AstLeaf* leaf, int nleaf, const double pos[3], const double quat[4]);
// invariants of a tree of nleaf leaves (base/assert.h)
void ast_assertBvh(const AstBvh* bvh, int nleaf);
void ast_freeBvh(AstBvh* bvh);
