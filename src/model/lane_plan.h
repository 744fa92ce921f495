// What is known of a model before its simulations run side by side: lists of what a step has to compute.
#pragma once

#include <mujoco/mujoco.h>

// two geoms that may touch, in the order of the narrow phase
typedef struct {
  int g1, g2;     // the lower type first
  int listed;     // number of the pair in the model's list, -1: found by their bodies
  mjtNum margin;  //
} MdlLanePair;

typedef struct MdlLanePlan_ {
  const mjModel* m;
  const mjData* d;  // holds the plans of kinematics and dynamics

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
  int shortRows;    // integrators factor in a single pass
  int always;       // every simulation has constraint rows at every step
  int limits;       // joints or tendons have limits
  int bodies;       // the rows read poses of bodies
  int factor;       // the solver reads the factor of M
  int constrained;  // there may be rows at all
} MdlLanePlan;
