// What steps of several simulations side by side work on: what is known of the model, and arrays like those of mjData
// with a vector where mjData has a number (math/lane.h). A file that is compiled for one width includes it.
//
// Arrays that nobody reads are not there: poses of geoms that cannot touch anything, of sites, cameras and lights.
#pragma once

#include <mujoco/mujoco.h>

#include "math/lane.h"
#include "model/lane_plan.h"

typedef struct {
  const MdlLanePlan* plan;
  unsigned pushed;  // lanes with forces in xfrc_applied
#define X(name, n, whole) MthLane* name;
  MDL_LANE_ARRAYS(X)
#undef X
#define X(name, n) MthLane* name;
  MDL_LANE_PARAMS(X)
#undef X
} MdlLanes;

// bytes that lay out needs at an address that is a multiple of 64
static inline size_t mdl_laneBytes(const MdlLanePlan* p) {
  const mjModel* const m = p->m;
  size_t n = 0;
#define X(name, count, ...) n += (size_t)(count);
  MDL_LANE_ARRAYS(X)
  MDL_LANE_PARAMS(X)
#undef X
  return n * sizeof(MthLane);
}

// the arrays in a block of memory
static inline MdlLanes mdl_layLanes(const MdlLanePlan* p, void* memory) {
  const mjModel* const m = p->m;
  MdlLanes lanes = {.plan = p};
  MthLane* at = memory;
#define X(name, count, ...) \
  lanes.name = at;          \
  at += (count);
  MDL_LANE_ARRAYS(X)
  MDL_LANE_PARAMS(X)
#undef X
  return lanes;
}

// what follows from the parameters
static inline void mdl_laneDerive(const MdlLanes* w) {
  for (int i = 0; i < w->plan->m->nbody; i++) w->subtree_inverse[i] = 1 / w->body_subtreemass[i];
}

// the parameters of the model in all lanes
static inline void mdl_laneParams(const MdlLanes* w) {
  const mjModel* const m = w->plan->m;
#define X(name, count) \
  for (int i = 0; i < (count); i++) w->name[i] = mth_laneOf(m->name[i]);
  MDL_LANE_PARAMS(X)
#undef X
  mdl_laneDerive(w);
}
