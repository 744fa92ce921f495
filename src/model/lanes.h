// What steps of several simulations side by side work on: what is known of the model, and arrays like those of mjData
// with a vector where mjData has a number (math/lane.h). A file that is compiled for one width includes it.
//
// Arrays that nobody reads are not there: poses of geoms that cannot touch anything, of sites, cameras and lights.
#pragma once

#include <mujoco/mujoco.h>

#include "math/lane.h"
#include "model/lane_plan.h"

// every array with its length, for a plan p of the model m
#define MDL_LANE_ARRAYS(X)                                                          \
  /* state and inputs */                                                            \
  X(time, 1)                                                                        \
  X(qpos, m->nq)                                                                    \
  X(qvel, m->nv)                                                                    \
  X(act, m->na)                                                                     \
  X(qacc_warmstart, m->nv)                                                          \
  X(ctrl, m->nu)                                                                    \
  X(qfrc_applied, m->nv)                                                            \
  X(xfrc_applied, 6 * m->nbody)                                                     \
  X(mocap_pos, 3 * m->nmocap)                                                       \
  X(mocap_quat, 4 * m->nmocap)                                                      \
  /* positions; sines and cosines of half the angles of hinges */                   \
  X(sine, m->njnt)                                                                  \
  X(cosine, m->njnt)                                                                \
  X(xpos, 3 * m->nbody)                                                             \
  X(xquat, 4 * m->nbody)                                                            \
  X(xmat, 9 * m->nbody)                                                             \
  X(xipos, 3 * m->nbody)                                                            \
  X(ximat, 9 * m->nbody)                                                            \
  X(xanchor, 3 * m->njnt)                                                           \
  X(xaxis, 3 * m->njnt)                                                             \
  X(geom_xpos, 3 * m->ngeom)                                                        \
  X(geom_xmat, 9 * m->ngeom)                                                        \
  X(subtree_com, 3 * m->nbody)                                                      \
  X(cinert, 10 * m->nbody)                                                          \
  X(crb, 10 * m->nbody)                                                             \
  X(cdof, 6 * m->nv)                                                                \
  X(M, m->nC)                                                                       \
  X(qLD, m->nC)                                                                     \
  X(qLDiagInv, m->nv)                                                               \
  X(ten_length, m->ntendon)                                                         \
  /* velocities */                                                                  \
  X(cvel, 6 * m->nbody)                                                             \
  X(cacc, 6 * m->nbody)                                                             \
  X(cfrc, 6 * m->nbody)                                                             \
  X(qfrc_bias, m->nv)                                                               \
  /* forces */                                                                      \
  X(qfrc_passive, m->nv)                                                            \
  X(qfrc_gravcomp, m->nv)                                                           \
  X(actuator_length, m->nu)                                                         \
  X(actuator_velocity, m->nu)                                                       \
  X(actuator_force, m->nu)                                                          \
  X(act_dot, m->na)                                                                 \
  X(qfrc_actuator, m->nv)                                                           \
  X(qfrc_smooth, m->nv)                                                             \
  X(qacc_smooth, m->nv)                                                             \
  X(qfrc_constraint, m->nv)                                                         \
  X(qacc, m->nv)                                                                    \
  /* integration: matrix, its factor, what it is solved for, a path of the tree */  \
  X(qH, m->nC)                                                                      \
  X(qHDiagInv, m->nv)                                                               \
  X(solution, m->nv)                                                                \
  X(path, p->deepest)                                                               \
  /* Runge-Kutta: state at the start, weighted rates, velocity of the last stage */ \
  X(start_qpos, m->nq)                                                              \
  X(start_qvel, m->nv)                                                              \
  X(start_act, m->na)                                                               \
  X(sum_qpos, m->nv)                                                                \
  X(sum_qvel, m->nv)                                                                \
  X(sum_act, m->na)                                                                 \
  X(stage_qvel, m->nv)

typedef struct {
  const MdlLanePlan* plan;
  unsigned pushed;  // lanes with forces in xfrc_applied
#define X(name, n) MthLane* name;
  MDL_LANE_ARRAYS(X)
#undef X
} MdlLanes;

// bytes that lay out needs at an address that is a multiple of 64
static inline size_t mdl_laneBytes(const MdlLanePlan* p) {
  const mjModel* const m = p->m;
  size_t n = 0;
#define X(name, count) n += (size_t)(count);
  MDL_LANE_ARRAYS(X)
#undef X
  return n * sizeof(MthLane);
}

// the arrays in a block of memory
static inline MdlLanes mdl_layLanes(const MdlLanePlan* p, void* memory) {
  const mjModel* const m = p->m;
  MdlLanes lanes = {.plan = p};
  MthLane* at = memory;
#define X(name, count) \
  lanes.name = at;     \
  at += (count);
  MDL_LANE_ARRAYS(X)
#undef X
  return lanes;
}
