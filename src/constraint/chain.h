// Walking the dofs that move either of two bodies, from the last to the first, and the motion they cause.
//
// A dof with motion axis (w; v) about the centre of mass c of its tree moves a point p by v + w × (p − c). What one dof
// does to the difference of two points is the column of a pair constraint: + on the second side, − on the first.
#pragma once

#include <mujoco/mujoco.h>

#include "math/vec.h"

// two bodies with a point each; last[s] is the next dof to visit on each side, -1 at the end
typedef struct {
  int last[2];
  mjtNum arm[2][3];  // from the tree's centre of mass to the point
} ConPair;

// last dof that moves the body, -1 when none does
static inline int con_lastDof(const mjModel* m, int body) {
  const int moving = m->body_weldid[body];
  return m->body_dofadr[moving] + m->body_dofnum[moving] - 1;
}

static inline void con_pairSide(ConPair* p, int side, const mjModel* m, const mjData* d, int body,
                                const mjtNum point[3]) {
  const int moving = m->body_weldid[body];
  p->last[side] = moving ? m->body_dofadr[moving] + m->body_dofnum[moving] - 1 : -1;
  mth_sub3(p->arm[side], point, d->subtree_com + 3 * m->body_rootid[body]);
}

// number of dofs that the walk visits
static inline int con_pairCount(const mjModel* m, const int* depth, const ConPair* p) {
  int i = p->last[0], j = p->last[1];
  if (i < 0 || j < 0) return (i < 0 ? 0 : depth[i]) + (j < 0 ? 0 : depth[j]);
  if (m->dof_treeid[i] != m->dof_treeid[j]) return depth[i] + depth[j];

  // same tree: count until the chains meet
  int n = 0;
  while (i != j) {
    n++;
    if (i > j) {
      i = m->dof_parentid[i];
    } else {
      j = m->dof_parentid[j];
    }
  }
  return n + (i < 0 ? 0 : depth[i]);
}

// next dof of the walk, -1 at the end; *sides gets bit 0 for the first body and bit 1 for the second
static inline int con_pairNext(ConPair* p, const mjModel* m, int* sides) {
  const int i = p->last[0], j = p->last[1];
  if (i > j) {
    *sides = 1;
    p->last[0] = m->dof_parentid[i];
    return i;
  }
  if (j > i) {
    *sides = 2;
    p->last[1] = m->dof_parentid[j];
    return j;
  }
  if (i >= 0) p->last[0] = p->last[1] = m->dof_parentid[i];
  *sides = 3;
  return i;
}

// translation that a unit of the dof's velocity gives the point at the end of the arm
static inline void con_moves(mjtNum res[3], const mjtNum cdof[6], const mjtNum arm[3]) {
  mjtNum turn[3];
  mth_cross3(turn, cdof, arm);
  mth_add3(res, cdof + 3, turn);
}

// column of the difference, second point minus first: translation and rotation
static inline void con_pairColumn(const ConPair* p, const mjtNum cdof[6], int sides, mjtNum lin[3], mjtNum ang[3]) {
  if (sides == 3) {
    mjtNum first[3];
    con_moves(lin, cdof, p->arm[1]);
    con_moves(first, cdof, p->arm[0]);
    mth_subFrom3(lin, first);
    mth_zero3(ang);
    return;
  }
  con_moves(lin, cdof, p->arm[sides == 2]);
  mth_copy3(ang, cdof);
  if (sides == 1) {
    mth_neg3(lin, lin);
    mth_neg3(ang, ang);
  }
}
