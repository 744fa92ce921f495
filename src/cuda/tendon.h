// Tendons: lengths and moments.
//
// The dofs that a tendon depends on are constants of the model (tenj_dof); its moments along them are so too where it
// is a sum of joints. Where it is a path between sites, a segment from p on body a to q on body b with direction u
// adds |q − p| / divisor to the length and u · (Jq − Jp) / divisor to the moments; a lane does a whole tendon.
#pragma once

#include "cuda/dynamics.h"
#include "cuda/kinematics.h"
#include "cuda/wrap.h"

//---------------------------------- moments ----------------------------------

// moments of all tendons
CU_FN const Real* cu_tendonMoments(const Cu* c) {
  return CU_HAS(c->m->spatial) ? CU_W(c, ten_J) : c->m->tenj_coef;
}

// moment of a tendon at a dof
CU_FN Real cu_tendonAt(const Cu* c, int t, int dof) {
  const CudModel* m = c->m;
  const Real* J = cu_tendonMoments(c);
  const int end = m->tenj_adr[t + 1];
  for (int k = m->tenj_adr[t]; k < end; k++) {
    if (m->tenj_dof[k] == dof) return J[k];
  }
  return 0;
}

CU_FN Real cu_tendonVelocity(const Cu* c, int t) {
  const CudModel* m = c->m;
  const Real *J = cu_tendonMoments(c), *qvel = CU_W(c, qvel);
  Real sum = 0;
  const int end = m->tenj_adr[t + 1];
  for (int k = m->tenj_adr[t]; k < end; k++) sum += J[k] * qvel[m->tenj_dof[k]];
  return sum;
}

//---------------------------------- paths ----------------------------------

// position of a site; its orientation where asked for
CU_FN void cu_sitePosition(const Cu* c, int site, Real pos[3]) {
  const CudModel* m = c->m;
  const int body = m->site_bodyid[site];
  cu_rotate(pos, CU_W(c, xquat) + 4 * body, m->site_pos + 3 * site);
  cu_add3(pos, pos, CU_W(c, xpos) + 3 * body);
}

CU_FN void cu_sitePose(const Cu* c, int site, Real pos[3], Real mat[9]) {
  const CudModel* m = c->m;
  cu_fixedPose(c, m->site_bodyid[site], m->site_pos + 3 * site, m->site_quat + 4 * site, pos, mat);
}

// a point of a path and the body that it is fixed to
typedef struct {
  Real pos[3];
  int body;
} CuPathPoint;

// adds a straight segment to the moments of a tendon; returns its length
CU_FN Real cu_addSegment(const Cu* c, int t, const CuPathPoint* p, const CuPathPoint* q, Real scale) {
  const CudModel* m = c->m;
  Real u[3], v[3];
  cu_sub3(u, q->pos, p->pos);
  const Real length = cu_unit3(u);
  if (p->body == q->body) return length;
  const int end = m->tenj_adr[t + 1];
  for (int k = m->tenj_adr[t]; k < end; k++) {
    const int dof = m->tenj_dof[k];
    Real value = 0;
    if (cu_moves(m, q->body, dof)) {
      cu_pointMotion(c, dof, q->pos, v);
      value += cu_dot3(v, u);
    }
    if (cu_moves(m, p->body, dof)) {
      cu_pointMotion(c, dof, p->pos, v);
      value -= cu_dot3(v, u);
    }
    CU_W(c, ten_J)[k] += scale * value;
  }
  return length;
}

// the geom of the wrap object w
CU_FN void cu_openWrap(const Cu* c, int w, CuWrap* wrap) {
  const CudModel* m = c->m;
  const int geom = m->wrap_objid[w], side = (int)cu_floor(m->wrap_prm[w] + R_(0.5));
  cu_fixedPose(c, m->geom_bodyid[geom], m->geom_pos + 3 * geom, m->geom_quat + 4 * geom, wrap->xpos, wrap->xmat);
  wrap->radius = m->geom_size[3 * geom];
  wrap->cylinder = m->wrap_type[w] == mjWRAP_CYLINDER;
  wrap->sided = side >= 0;
  if (wrap->sided) cu_sitePosition(c, side, wrap->side);
}

// the way from the site at wrap object w to the next one, round the geom in between if there is one; returns its length
CU_FN Real cu_addPiece(const Cu* c, int t, int w, int wraps, Real scale) {
  const CudModel* m = c->m;
  const int site0 = m->wrap_objid[w], site1 = m->wrap_objid[w + 1 + wraps];
  CuPathPoint from =
                  {
                      {0, 0, 0},
                      m->site_bodyid[site0]
  },
              to = {{0, 0, 0}, m->site_bodyid[site1]};
  cu_sitePosition(c, site0, from.pos);
  cu_sitePosition(c, site1, to.pos);
  Real touch[2][3], arc = -1;
  if (wraps) {
    CuWrap wrap;
    cu_openWrap(c, w + 1, &wrap);
    arc = cu_wrap(touch, &wrap, from.pos, to.pos);
  }
  if (arc < 0) return cu_addSegment(c, t, &from, &to, scale);
  CuPathPoint on = {
      {0, 0, 0},
      m->geom_bodyid[m->wrap_objid[w + 1]]
  };
  cu_copy3(on.pos, touch[0]);
  const Real before = cu_addSegment(c, t, &from, &on, scale);
  cu_copy3(on.pos, touch[1]);
  return before + arc + cu_addSegment(c, t, &on, &to, scale);
}

// length and moments of a path
CU_FN void cu_spatialTendon(const Cu* c, int t) {
  const CudModel* m = c->m;
  const int last = m->tendon_adr[t] + m->tendon_num[t] - 1;
  Real length = 0, divisor = 1;
  for (int k = m->tenj_adr[t]; k < m->tenj_adr[t + 1]; k++) CU_W(c, ten_J)[k] = 0;
  CU_LOOP for (int w = m->tendon_adr[t]; w < last;) {
    // a pulley starts a new branch
    const int type = m->wrap_type[w], next = m->wrap_type[w + 1];
    if (type == mjWRAP_PULLEY || next == mjWRAP_PULLEY) {
      if (type == mjWRAP_PULLEY) divisor = m->wrap_prm[w];
      w++;
      continue;
    }
    const int wraps = next != mjWRAP_SITE;
    length += cu_addPiece(c, t, w, wraps, 1 / divisor) / divisor;
    w += 1 + wraps;
  }
  CU_W(c, ten_length)[t] = length;
}

// Σ coefficient · position over the joints of a fixed tendon
CU_FN void cu_fixedTendon(const Cu* c, int t) {
  const CudModel* m = c->m;
  Real length = 0;
  const int first = m->tendon_adr[t], end = first + m->tendon_num[t];
  for (int k = first; k < end; k++) length += m->wrap_prm[k] * CU_W(c, qpos)[m->jnt_qposadr[m->wrap_objid[k]]];
  CU_W(c, ten_length)[t] = length;
}

CU_FN void cu_fixedTendons(const Cu* c) {
  const CudModel* m = c->m;
  CU_FOR(t, m->ntendon) cu_fixedTendon(c, t);
  cu_sync();
  CU_OUT(c, ten_length, CU_W(c, ten_length), m->ntendon);
}

// where a tendon is a path
CU_CALL void cu_allTendons(const Cu* c) {
  const CudModel* m = c->m;
  CU_FOR(t, m->ntendon) {
    if (m->wrap_type[m->tendon_adr[t]] != mjWRAP_JOINT) {
      cu_spatialTendon(c, t);
      continue;
    }
    cu_fixedTendon(c, t);
    for (int k = m->tenj_adr[t]; k < m->tenj_adr[t + 1]; k++) CU_W(c, ten_J)[k] = m->tenj_coef[k];
  }
  cu_sync();
  CU_OUT(c, ten_length, CU_W(c, ten_length), m->ntendon);
}

//---------------------------------- inertia of tendons ----------------------------------

// M + Σ armature JᵀJ over the entries that M has
CU_CALL void cu_addArmature(const Cu* c) {
  const CudModel* m = c->m;
  CU_FOR(e, m->nentry) {
    const int i = m->entry_row[e], j = m->entry_col[e];
    Real sum = 0;
    for (int t = 0; t < m->ntendon; t++) {
      const Real armature = m->tendon_armature[t];
      if (armature != 0) sum += armature * cu_tendonAt(c, t, i) * cu_tendonAt(c, t, j);
    }
    CU_W(c, M)[cu_at(i, j)] += sum;
  }
  cu_sync();
  CU_OUT(c, qM, CU_W(c, M), cu_at(m->nv, 0));
}

// velocity of a point that is fixed to a body, and the part of its acceleration that comes from velocities
CU_FN void cu_pointRates(const Cu* c, const CuPathPoint* p, Real velocity[3], Real rate[3]) {
  const CudModel* m = c->m;
  const Real sign = m->disableflags & mjDSBL_GRAVITY ? R_(0) : R_(1), none[3] = {0, 0, 0};
  Real arm[3], v[6], a[6], turn[3];
  cu_set3(velocity, 0, 0, 0);
  cu_set3(rate, 0, 0, 0);
  if (m->body_lastdof[p->body] < 0) return;
  cu_ofBody(c, p->body, CU_W(c, dofvel), none, v);
  cu_ofBody(c, p->body, CU_W(c, dofacc), none, a);
  cu_addScl3(a + 3, a + 3, m->gravity, sign);
  cu_sub3(arm, p->pos, CU_W(c, com) + 3 * m->body_rootid[p->body]);
  cu_cross3(velocity, v, arm);
  cu_add3(velocity, velocity, v + 3);
  cu_cross3(rate, a, arm);
  cu_add3(rate, rate, a + 3);
  cu_cross3(turn, v, velocity);
  cu_add3(rate, rate, turn);
}

// what the rate of a segment's direction and of its ends adds to J̇ q̇
CU_FN Real cu_segmentRate(const Cu* c, int site0, int site1) {
  const CudModel* m = c->m;
  CuPathPoint p =
                  {
                      {0, 0, 0},
                      m->site_bodyid[site0]
  },
              q = {{0, 0, 0}, m->site_bodyid[site1]};
  Real u[3], w[3], turn[3], v0[3], v1[3], a0[3], a1[3];
  if (p.body == q.body) return 0;
  cu_sitePosition(c, site0, p.pos);
  cu_sitePosition(c, site1, q.pos);
  cu_pointRates(c, &p, v0, a0);
  cu_pointRates(c, &q, v1, a1);
  cu_sub3(u, q.pos, p.pos);
  const Real length = cu_unit3(u);
  cu_sub3(w, v1, v0);
  cu_addScl3(turn, w, u, -cu_dot3(u, w));
  cu_sub3(a1, a1, a0);
  return cu_dot3(a1, u) + (length > CU_MINVAL ? cu_dot3(turn, w) / length : R_(0));
}

// adds armature · J̇ q̇ along the moments of tendons to qfrc_bias
CU_CALL void cu_tendonBias(const Cu* c) {
  const CudModel* m = c->m;
  Real *bias = CU_W(c, qfrc_bias), *coef = CU_W(c, ten_bias);
  CU_FOR(t, m->ntendon) {
    const int first = m->tendon_adr[t], last = first + m->tendon_num[t] - 1;
    Real rate = 0, divisor = 1;
    for (int w = first; m->tendon_armature[t] != 0 && w < last; w++) {
      if (m->wrap_type[w] == mjWRAP_PULLEY) divisor = m->wrap_prm[w];
      if (m->wrap_type[w] != mjWRAP_SITE || m->wrap_type[w + 1] != mjWRAP_SITE) continue;
      rate += cu_segmentRate(c, m->wrap_objid[w], m->wrap_objid[w + 1]) / divisor;
    }
    coef[t] = m->tendon_armature[t] * rate;
  }
  cu_sync();
  CU_FOR(i, m->nv) {
    for (int t = 0; t < m->ntendon; t++) {
      if (coef[t] != 0) bias[i] += coef[t] * cu_tendonAt(c, t, i);
    }
  }
  cu_sync();
  CU_OUT(c, qfrc_bias, bias, m->nv);
}
