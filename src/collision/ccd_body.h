// The first part of a convex query: GJK, with round shapes reduced to their cores.
#pragma once

#include "collision/ccd.h"
#include "math/vec.h"

COL_FN void runGjk(ColQuery* q, ColConvex* a, ColConvex* b) {
  col_convexCenter(q->x1, a);
  col_convexCenter(q->x2, b);
  q->iter = 0;
  col_gjk(q, a, b);
}

//---------------------------------- round shapes --------------------------------------------------

// what a sphere or capsule loses when it is reduced to its centre or segment
typedef struct {
  ColSupport support;
  mjtNum inflate;
  mjtNum margin;
  mjtNum radius;
} Core;

COL_FN Core reduceToCore(ColConvex* s) {
  Core core = {s->support, s->inflate, s->margin, 0};
  if (s->type == mjGEOM_SPHERE || s->type == mjGEOM_CAPSULE) {
    core.radius = s->size[0] + 0.5 * s->margin;
    s->support = s->type == mjGEOM_SPHERE ? COL_POINT : COL_SEGMENT;
    s->inflate = s->margin = 0;
  }
  return core;
}

COL_FN void restoreCore(ColConvex* s, const Core* core) {
  s->support = core->support;
  s->inflate = core->inflate;
  s->margin = core->margin;
}

// distance between the cores; they are apart whenever the overlap is no deeper than the radii, and then the answer is
// exact. 0 when the cores overlap.
COL_FN int shallow(ColQuery* q, ColConvex* a, ColConvex* b) {
  const Core core1 = reduceToCore(a);
  const Core core2 = reduceToCore(b);
  const mjtNum cutoff = q->cutoff;
  q->cutoff += core1.radius + core2.radius;
  runGjk(q, a, b);
  q->cutoff = cutoff;
  restoreCore(a, &core1);
  restoreCore(b, &core2);
  if (!(q->dist > q->tolerance)) return 0;

  // put the radii back
  mjtNum n[3];
  mth_sub3(n, q->x2, q->x1);
  mth_normalize3(n);
  if (core1.radius != 0) mth_addToScl3(q->x1, n, core1.radius);
  if (core2.radius != 0) mth_addToScl3(q->x2, n, -core2.radius);
  q->dist -= core1.radius + core2.radius;
  if (q->dist > q->cutoff) q->dist = COL_FAR;
  return 1;
}

COL_FN int isRound(const ColConvex* s) {
  return s->type == mjGEOM_SPHERE || s->type == mjGEOM_CAPSULE;
}
