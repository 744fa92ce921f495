// Jacobians of body points, dense (one column per dof) and sparse (one column per dof of a chain).
//
// Column of dof j, motion axis (w; v) about the tree's centre of mass c, for a point p:
//   rotation    w
//   translation v + w × (p − c)
// The dofs that move a body are a chain in increasing order: its own dofs and those of its ancestors.
#pragma once

#include <mujoco/mujoco.h>

// a point that moves with a body, in world coordinates
typedef struct {
  int body;
  const mjtNum* pos;
} KinPoint;

// the dofs that a sparse Jacobian has columns for, increasing
typedef struct {
  int n;
  const int* dof;
} KinChain;

// rows of contact-like constraints: the motion of point 2 relative to point 1, seen in a frame.
// Row k of translation is frame_k · (jacp2 − jacp1), row k of rotation frame_k · (jacr2 − jacr1).
typedef struct {
  const mjtNum* frame;  // rows are the axes
  int ntrans, nrot;     // how many axes are wanted: 0 to 3 each; rotation rows follow the translation rows
  mjtNum* J;            // first row
  int stride;           // distance between rows
  KinChain chain;       // columns; chain.dof = NULL: dense rows of nv columns
} KinRows;

// 1: constraint and tendon Jacobians of this model are stored sparse
static inline int kin_isSparse(const mjModel* m) {
  return m->opt.jacobian == mjJAC_SPARSE || (m->opt.jacobian == mjJAC_AUTO && m->nv >= 60);
}

// last dof that moves the body, -1 when nothing does
static inline int kin_lastDof(const mjModel* m, int body) {
  body = m->body_weldid[body];
  return m->body_dofadr[body] + m->body_dofnum[body] - 1;
}

// writes the dofs that move the body, increasing, and returns how many; chain has room for nv
int kin_bodyChain(const mjModel* m, int body, int* chain);

// the dofs that move either body; dofs that move both are in the chain once
int kin_mergeChain(const mjModel* m, int* chain, int body1, int body2);

// the dofs that move one of the bodies but not both: for two points at the same place only these have
// columns that are not zero
int kin_mergeChainApart(const mjModel* m, int* chain, int body1, int body2);

// 3 × chain.n Jacobians of one point; either output may be NULL. Every dof of the body must be in the chain.
void kin_jacSparse(const mjModel* m, const mjData* d, KinPoint point, KinChain chain, mjtNum* jacp, mjtNum* jacr);

// 3 × chain.n Jacobian differences, second point minus first; either output may be NULL
void kin_jacDifSparse(const mjModel* m, const mjData* d, const KinPoint point[2], KinChain chain, mjtNum* jacp,
                      mjtNum* jacr);

// 3 × nv Jacobian differences, second point minus first; either output may be NULL
void kin_jacDif(const mjModel* m, const mjData* d, const KinPoint point[2], mjtNum* jacp, mjtNum* jacr);

// sparse or dense as the model asks (kin_isSparse): returns the number of columns, fills chain when sparse;
// 0 columns means that neither body can move and nothing was written
int kin_jacDifPair(const mjModel* m, const mjData* d, const KinPoint point[2], int* chain, mjtNum* jacp, mjtNum* jacr);

// writes all rows of a contact in one pass over the two chains, without intermediate Jacobians
void kin_pairRows(const mjModel* m, const mjData* d, const KinPoint point[2], const KinRows* rows);

// weighted sum of the Jacobians of several bodies at one point: flex elements and nodes
typedef struct {
  int n;  // number of bodies, at least 1
  const int* body;
  const mjtNum* weight;
  const mjtNum* pos;  // the common point
} KinSum;

// jac holds 3 rows, or 6 with rotation; sparse or dense as the model asks. Returns the number of columns
// and fills chain when sparse. Uses the stack.
int kin_jacSum(const mjModel* m, mjData* d, const KinSum* sum, int* chain, mjtNum* jac, int flg_rot);

// 3 × chain.n time derivative of the Jacobian of a point; needs cvel and cdof_dot
void kin_jacDotSparse(const mjModel* m, const mjData* d, KinPoint point, KinChain chain, mjtNum* jacp, mjtNum* jacr);

// translation column of that derivative for one dof that moves the body
void kin_jacDotColumn(const mjModel* m, const mjData* d, KinPoint point, int dof, mjtNum col[3]);

// nv-vector: time derivative of a tendon's Jacobian; needs cvel and cdof_dot. Geoms in the path are an error.
void kin_tendonDot(const mjModel* m, const mjData* d, int id, mjtNum* Jdot);
