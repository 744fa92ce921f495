// Round shapes of a convex query, which are reduced to their cores.
#pragma once

#include "collision/ccd.h"
#include "math/vec.h"

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

// makes the distance of the cores that of the shapes; 0 when the cores overlap
COL_FN int addRadii(ColQuery* q, const Core* core1, const Core* core2) {
  if (!(q->dist > q->tolerance)) return 0;
  mjtNum n[3];
  mth_sub3(n, q->x2, q->x1);
  mth_normalize3(n);
  if (core1->radius != 0) mth_addToScl3(q->x1, n, core1->radius);
  if (core2->radius != 0) mth_addToScl3(q->x2, n, -core2->radius);
  q->dist -= core1->radius + core2->radius;
  if (q->dist > q->cutoff) q->dist = COL_FAR;
  return 1;
}

COL_FN int isRound(const ColConvex* s) {
  return s->type == mjGEOM_SPHERE || s->type == mjGEOM_CAPSULE;
}
