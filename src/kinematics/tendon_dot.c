// Time derivative of a tendon's Jacobian, for the bias force of tendon armature.
//
// For a segment with ends p and q, direction u and length l, J = u · (Jq − Jp), so
//   J' = u · (Jq' − Jp') + u' · (Jq − Jp)        u' = (w − u (u · w)) / l   with w = q' − p'
#include <string.h>

#include "kinematics/jacobian.h"
#include "math/spatial.h"
#include "math/vec.h"

// one end of a segment
typedef struct {
  int body;
  const mjtNum* pos;
  mjtNum offset[3];    // from the tree's centre of mass
  mjtNum velocity[3];  // of the point
} End;

static End makeEnd(const mjModel* m, const mjData* d, int site) {
  End end = {m->site_bodyid[site], d->site_xpos + 3 * site, {0}, {0}};
  mjtNum vel[6];
  mj_objectVelocity(m, d, mjOBJ_SITE, site, vel, 0);
  mth_copy3(end.velocity, vel + 3);
  mth_sub3(end.offset, end.pos, d->subtree_com + 3 * m->body_rootid[end.body]);
  return end;
}

// direction of a segment and its derivative
typedef struct {
  mjtNum u[3];
  mjtNum udot[3];
} Direction;

// adds scale · (u · J' + u' · J) of one end to the row
static void addEnd(const mjModel* m, const mjData* d, const End* end, const Direction* dir, mjtNum scale,
                   mjtNum* Jdot) {
  for (int dof = kin_lastDof(m, end->body); dof >= 0; dof = m->dof_parentid[dof]) {
    const KinPoint point = {end->body, end->pos};
    mjtNum dot[3], col[3];
    kin_jacDotColumn(m, d, point, dof, dot);
    mth_cross3(col, d->cdof + 6 * dof, end->offset);
    mth_addTo3(col, d->cdof + 6 * dof + 3);
    Jdot[dof] += scale * (mth_dot3(dot, dir->u) + mth_dot3(col, dir->udot));
  }
}

static void addSegment(const mjModel* m, const mjData* d, const int site[2], mjtNum scale, mjtNum* Jdot) {
  if (m->site_bodyid[site[0]] == m->site_bodyid[site[1]]) return;
  const End end0 = makeEnd(m, d, site[0]), end1 = makeEnd(m, d, site[1]);
  Direction dir;
  mth_sub3(dir.u, end1.pos, end0.pos);
  const mjtNum length = mth_normalize3(dir.u);
  mth_sub3(dir.udot, end1.velocity, end0.velocity);
  mth_addToScl3(dir.udot, dir.u, -mth_dot3(dir.u, dir.udot));
  mth_scl3(dir.udot, dir.udot, length > mjMINVAL ? 1 / length : 0);
  addEnd(m, d, &end1, &dir, scale, Jdot);
  addEnd(m, d, &end0, &dir, -scale, Jdot);
}

void kin_tendonDot(const mjModel* m, const mjData* d, int id, mjtNum* Jdot) {
  memset(Jdot, 0, m->nv * sizeof(mjtNum));
  const int first = m->tendon_adr[id], last = first + m->tendon_num[id] - 1;

  // the Jacobian of a fixed tendon is constant
  if (m->wrap_type[first] == mjWRAP_JOINT) return;

  mjtNum divisor = 1;
  for (int w = first; w < last; w++) {
    const int type = m->wrap_type[w], next = m->wrap_type[w + 1];
    if (type == mjWRAP_PULLEY) divisor = m->wrap_prm[w];
    if (next == mjWRAP_SPHERE || next == mjWRAP_CYLINDER) mju_error("mj_tendonDot: geom wrapping not supported");
    if (type == mjWRAP_SITE && next == mjWRAP_SITE) {
      addSegment(m, d, m->wrap_objid + w, 1 / divisor, Jdot);
    }
  }
}
