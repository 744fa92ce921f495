// State, force and cost of constraint rows at a given residual acceleration.
#pragma once

#include <mujoco/mujoco.h>

// the rows of a whole problem or of one island
typedef struct {
  int ne, nf, nefc;
  const mjtNum* D;
  const mjtNum* R;
  const mjtNum* frictionloss;
  const int* type;
  const int* id;
  mjContact* contact;
  int* state;
  mjtNum* force;
} ConRowSet;

// Sets state and force from jar = J·qacc − aref and returns the cost s(jar), of which force is the negative gradient.
// With cones, contacts between stick and slip get the Hessian of their cost in contact.H.
mjtNum con_update(const ConRowSet* rows, const mjtNum* jar, int cones);

// the same for equality and friction loss rows alone, from row first on with the cost of those before; for one of them;
// and for the rows of one elliptic contact that starts at row i
mjtNum con_updateHead(const ConRowSet* rows, const mjtNum* jar, int first, mjtNum cost);
mjtNum con_updateRow(const ConRowSet* rows, const mjtNum* jar, int i);
mjtNum con_updateCone(const ConRowSet* rows, const mjtNum* jar, int i, int cones);

// the rows of mjData
ConRowSet con_allRows(mjData* d);
