// What is known of a model before its simulations run side by side: lists of what a step has to compute.
#pragma once

#include <mujoco/mujoco.h>

// two geoms that may touch, in the order of the narrow phase
typedef struct {
  int g1, g2;     // the lower type first
  int listed;     // number of the pair in the model's list, -1: found by their bodies
  int boxes;      // 1: boxes may say that they are apart where spheres do not
  mjtNum margin;  //
} MdlLanePair;

typedef struct MdlLanePlan_ {
  const mjModel* m;
  const mjData* d;  // holds the plans of kinematics and dynamics

  int* varies;   // per body: 1: its pose can change
  int* read;     // per geom: 1: it is in a pair
  int nposed;    // bodies whose pose can change, and which
  int* posed;    //
  int nmoving;   // bodies that dofs move
  int* moving;   //
  int* support;  // per body: its parent, 0 where no dof moves that
  int nhinge;    // hinges in the order of joints, and where their angles are
  int* hinge;    //
  int ngeom;     // geoms whose poses are read
  int* geom;     //
  int npair;     // pairs of geoms
  MdlLanePair* pair;
  int deepest;  // longest path from a root to a dof

  int* moment_rownnz;  // rows of moments, which do not change
  int* moment_rowadr;  //
  int* moment_colind;  //
  mjtNum* moment;      //

  int nroot;  // first bodies of trees, whose centres the rows of constraints refer to
  int* root;  //

  // flags
  int gravcomp;     // weights are carried
  int damped;       // Euler solves with damping
  int dampable;     // it would if there were any
  int shortRows;    // integrators factor in a single pass
  int always;       // every simulation has constraint rows at every step
  int limits;       // joints or tendons have limits
  int bodies;       // the rows read poses of bodies
  int factor;       // the solver reads the factor of M
  int constrained;  // there may be rows at all
  int unbounded;    // geoms are larger than their bounds say: which contacts there are depends on the broad phase
} MdlLanePlan;

// Parameters of the model that may differ between simulations of a group, with their lengths
#define MDL_LANE_PARAMS(X)             \
  X(body_mass, m->nbody)               \
  X(body_subtreemass, m->nbody)        \
  X(body_inertia, 3 * m->nbody)        \
  X(dof_armature, m->nv)               \
  X(dof_M0, m->nv)                     \
  X(dof_damping, m->nv)                \
  X(jnt_stiffness, m->njnt)            \
  X(actuator_gainprm, mjNGAIN * m->nu) \
  X(actuator_biasprm, mjNBIAS * m->nu)

// Every array with its length for a plan p of the model m, and whether after a step it holds all of what mjData has
// under this name; poses of sites and of geoms that are in no pair, inertias of bodies that no dof moves, velocities of
// tendons and forces from outside are brought up to date when they are asked for
#define MDL_LANE_ARRAYS(X)                                                          \
  /* state and inputs */                                                            \
  X(time, 1, 1)                                                                     \
  X(qpos, m->nq, 1)                                                                 \
  X(qvel, m->nv, 1)                                                                 \
  X(act, m->na, 1)                                                                  \
  X(qacc_warmstart, m->nv, 1)                                                       \
  X(ctrl, m->nu, 1)                                                                 \
  X(qfrc_applied, m->nv, 1)                                                         \
  X(xfrc_applied, 6 * m->nbody, 0)                                                  \
  X(mocap_pos, 3 * m->nmocap, 1)                                                    \
  X(mocap_quat, 4 * m->nmocap, 1)                                                   \
  /* positions; sines and cosines of half the angles of hinges, 1 / subtreemass */  \
  X(sine, m->njnt, 0)                                                               \
  X(cosine, m->njnt, 0)                                                             \
  X(xpos, 3 * m->nbody, 1)                                                          \
  X(xquat, 4 * m->nbody, 1)                                                         \
  X(xmat, 9 * m->nbody, 1)                                                          \
  X(xipos, 3 * m->nbody, 1)                                                         \
  X(ximat, 9 * m->nbody, 1)                                                         \
  X(xanchor, 3 * m->njnt, 1)                                                        \
  X(xaxis, 3 * m->njnt, 1)                                                          \
  X(geom_xpos, 3 * m->ngeom, 1)                                                     \
  X(geom_xmat, 9 * m->ngeom, 1)                                                     \
  X(site_xpos, 3 * m->nsite, 1)                                                     \
  X(site_xmat, 9 * m->nsite, 1)                                                     \
  X(subtree_inverse, m->nbody, 0)                                                   \
  X(subtree_com, 3 * m->nbody, 1)                                                   \
  X(cinert, 10 * m->nbody, 1)                                                       \
  X(crb, 10 * m->nbody, 0)                                                          \
  X(cdof, 6 * m->nv, 1)                                                             \
  X(M, m->nC, 1)                                                                    \
  X(qLD, m->nC, 1)                                                                  \
  X(qLDiagInv, m->nv, 1)                                                            \
  X(ten_length, m->ntendon, 1)                                                      \
  /* velocities */                                                                  \
  X(cvel, 6 * m->nbody, 1)                                                          \
  X(ten_velocity, m->ntendon, 1)                                                    \
  X(cacc, 6 * m->nbody, 0)                                                          \
  X(cfrc, 6 * m->nbody, 0)                                                          \
  X(qfrc_bias, m->nv, 1)                                                            \
  /* forces */                                                                      \
  X(qfrc_passive, m->nv, 1)                                                         \
  X(qfrc_gravcomp, m->nv, 0)                                                        \
  X(actuator_length, m->nu, 1)                                                      \
  X(actuator_velocity, m->nu, 1)                                                    \
  X(actuator_force, m->nu, 1)                                                       \
  X(act_dot, m->na, 1)                                                              \
  X(qfrc_actuator, m->nv, 1)                                                        \
  X(qfrc_smooth, m->nv, 1)                                                          \
  X(qacc_smooth, m->nv, 1)                                                          \
  X(qfrc_constraint, m->nv, 1)                                                      \
  X(qacc, m->nv, 1)                                                                 \
  X(cfrc_ext, 6 * m->nbody, 1)                                                      \
  /* integration: matrix, its factor, what it is solved for, a path of the tree */  \
  X(qH, m->nC, 0)                                                                   \
  X(qHDiagInv, m->nv, 0)                                                            \
  X(solution, m->nv, 0)                                                             \
  X(path, p->deepest, 0)                                                            \
  /* Runge-Kutta: state at the start, weighted rates, velocity of the last stage */ \
  X(start_qpos, m->nq, 0)                                                           \
  X(start_qvel, m->nv, 0)                                                           \
  X(start_act, m->na, 0)                                                            \
  X(sum_qpos, m->nv, 0)                                                             \
  X(sum_qvel, m->nv, 0)                                                             \
  X(sum_act, m->na, 0)                                                              \
  X(stage_qvel, m->nv, 0)
