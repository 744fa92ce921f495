// The bodies on one side of a contact, with the share of the contact point's motion that each contributes.
#pragma once

#include <mujoco/mujoco.h>

// most bodies on one side: nodes of a quadratic interpolated flex
#define CON_MAXSIDE 64

typedef struct {
  int n;
  int body[CON_MAXSIDE];
  mjtNum weight[CON_MAXSIDE];  // positive, sum 1
} ConSide;

// 1: the side is one body: a geom, or a vertex of a flex that is not interpolated
static inline int con_isSingle(const mjModel* m, const mjContact* con, int side) {
  return con->geom[side] >= 0 || (con->vert[side] >= 0 && m->flex_interp[con->flex[side]] == 0);
}

// the body of a single side
static inline int con_singleBody(const mjModel* m, const mjContact* con, int side) {
  return con->geom[side] >= 0 ? m->geom_bodyid[con->geom[side]]
                              : m->flex_vertbodyid[m->flex_vertadr[con->flex[side]] + con->vert[side]];
}

// bodies and weights of any side; sign (+1 or -1) multiplies the vertex weights as in the reference, where nodes of an
// interpolated flex see it through their coordinates
void con_side(ConSide* res, const mjModel* m, const mjData* d, const mjContact* con, int side, int sign);
