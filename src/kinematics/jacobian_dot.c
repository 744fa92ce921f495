// Time derivatives of Jacobians, and the matrix that maps velocities to a subtree's angular momentum.
//
// For a point p with velocity u, a motion axis (w; v) and its derivative (w'; v'):
//   d/dt w = w'        d/dt (v + w × (p − c)) = v' + w' × (p − c) + w × u
// where p − c is taken with c at rest, since cdof_dot already refers to it.
#include <string.h>

#include "kinematics/jacobian.h"
#include "math/spatial.h"
#include "math/vec.h"

// what the columns of one point need
typedef struct {
  mjtNum offset[3];    // point from the tree's centre of mass
  mjtNum velocity[3];  // linear velocity of the point
} DotPoint;

static DotPoint makeDotPoint(const mjModel* m, const mjData* d, KinPoint point) {
  DotPoint p;
  mjtNum turn[3];
  const mjtNum* cvel = d->cvel + 6 * point.body;
  mth_sub3(p.offset, point.pos, d->subtree_com + 3 * m->body_rootid[point.body]);
  mth_cross3(turn, p.offset, cvel);
  mth_sub3(p.velocity, cvel + 3, turn);
  return p;
}

// derivatives of the rotation and translation columns of one dof
static void dotColumns(const mjModel* m, const mjData* d, const DotPoint* p, int dof, mjtNum colp[3], mjtNum colr[3]) {
  const mjtNum* cdof = d->cdof + 6 * dof;
  mjtNum axisDot[6];
  mth_copy6(axisDot, d->cdof_dot + 6 * dof);

  // axes of quaternion joints turn with their own body, which cdof_dot leaves out
  const int joint = m->dof_jntid[dof], type = m->jnt_type[joint];
  if (type == mjJNT_BALL || (type == mjJNT_FREE && dof >= m->jnt_dofadr[joint] + 3)) {
    mth_crossMotion(axisDot, d->cvel + 6 * m->dof_bodyid[dof], cdof);
  }

  mjtNum fromAxis[3], fromPoint[3];
  mth_cross3(fromAxis, axisDot, p->offset);
  mth_cross3(fromPoint, cdof, p->velocity);
  for (int k = 0; k < 3; k++) {
    colr[k] = axisDot[k];
    colp[k] = axisDot[3 + k] + fromAxis[k] + fromPoint[k];
  }
}

void kin_jacDotColumn(const mjModel* m, const mjData* d, KinPoint point, int dof, mjtNum col[3]) {
  const DotPoint p = makeDotPoint(m, d, point);
  mjtNum rotation[3];
  dotColumns(m, d, &p, dof, col, rotation);
}

static void storeColumn(mjtNum* jac, int column, int stride, const mjtNum col[3]) {
  if (!jac) return;
  for (int k = 0; k < 3; k++) jac[column + k * stride] = col[k];
}

void kin_jacDotSparse(const mjModel* m, const mjData* d, KinPoint point, KinChain chain, mjtNum* jacp, mjtNum* jacr) {
  const DotPoint p = makeDotPoint(m, d, point);
  int dof = kin_lastDof(m, point.body);
  for (int c = chain.n - 1; c >= 0; c--) {
    mjtNum colp[3] = {0, 0, 0}, colr[3] = {0, 0, 0};
    if (chain.dof[c] == dof) {
      dotColumns(m, d, &p, dof, colp, colr);
      dof = m->dof_parentid[dof];
    }
    storeColumn(jacp, c, chain.n, colp);
    storeColumn(jacr, c, chain.n, colr);
  }
}

void mj_jacDot(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3], int body) {
  const int nv = m->nv;
  if (jacp) memset(jacp, 0, 3 * nv * sizeof(mjtNum));
  if (jacr) memset(jacr, 0, 3 * nv * sizeof(mjtNum));
  int dof = kin_lastDof(m, body);
  if (dof < 0) return;

  // without jacp the point is not needed and may be missing
  const DotPoint p = jacp ? makeDotPoint(m, d, (KinPoint){body, point}) : (DotPoint){0};
  for (; dof >= 0; dof = m->dof_parentid[dof]) {
    mjtNum colp[3], colr[3];
    dotColumns(m, d, &p, dof, colp, colr);
    storeColumn(jacp, dof, nv, colp);
    storeColumn(jacr, dof, nv, colr);
  }
}

void mj_angmomMat(const mjModel* m, mjData* d, mjtNum* mat, int body) {
  const int nv = m->nv;
  memset(mat, 0, 3 * nv * sizeof(mjtNum));

  // L = Σ R I Rᵀ w + m r × u over the subtree, r and u of the body's centre from the subtree's centre
  for (int b = body; b < m->nbody && (b == body || m->body_parentid[b] >= body); b++) {
    mjtNum scaled[9], inertia[9], r[3], offset[3];
    const mjtNum *R = d->ximat + 9 * b, mass = m->body_mass[b];
    for (int k = 0; k < 9; k++) scaled[k] = R[k] * m->body_inertia[3 * b + k % 3];
    mth_mulMatMatT3(inertia, scaled, R);
    mth_sub3(r, d->xipos + 3 * b, d->subtree_com + 3 * body);
    mth_sub3(offset, d->xipos + 3 * b, d->subtree_com + 3 * m->body_rootid[b]);

    for (int dof = kin_lastDof(m, b); dof >= 0; dof = m->dof_parentid[dof]) {
      const mjtNum* cdof = d->cdof + 6 * dof;
      mjtNum spin[3], u[3], orbit[3];
      mth_mulMatVec3(spin, inertia, cdof);
      mth_cross3(u, cdof, offset);
      mth_add3(u, cdof + 3, u);
      mth_cross3(orbit, r, u);
      for (int k = 0; k < 3; k++) mat[dof + k * nv] += spin[k] + mass * orbit[k];
    }
  }
}
