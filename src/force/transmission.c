// Transmissions: how actuators act on the dofs. Each gives a length and its gradient with respect to the dofs, the
// moment; actuator_moment holds one sparse row per actuator, without the entries that are exactly zero.
//
// Moments are written straight into their rows from the chains of dofs that move the sites involved:
// the moment of dof i is  w · (v_i + ω_i × r)  for a force w at distance r from the tree's centre of mass.
#include <math.h>

#include <mujoco/mujoco.h>

#include "base/share.h"
#include "kinematics/jacobian.h"
#include "math/quat.h"
#include "math/simd/kernels.h"
#include "math/vec.h"
#include "sleep/sleep.h"
#include "base/assert.h"

// one row being written
typedef struct {
  int id;          // actuator
  int nnz;         // entries so far
  int* colind;     // first column of the row
  mjtNum* moment;  // first value of the row
  int* chain;      // scratch for nv dofs
} Row;

// adds an entry unless it is zero
static inline void pushEntry(Row* row, int dof, mjtNum value) {
  if (value == 0) return;
  row->colind[row->nnz] = dof;
  row->moment[row->nnz++] = value;
}

// velocity of a point per unit velocity of a dof
static inline void pointColumn(mjtNum res[3], const mjtNum cdof[6], const mjtNum arm[3]) {
  mth_cross3(res, cdof, arm);
  mth_add3(res, cdof + 3, res);
}

// point relative to the centre of mass about which the dofs of a body are expressed
static inline void armOf(const mjModel* m, const mjData* d, mjtNum arm[3], const mjtNum point[3], int body) {
  mth_sub3(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
}

// which of two bodies each dof of a merged chain moves; walks both chains upwards, so call with decreasing dofs
typedef struct {
  int dof[2];
} Walk;

static inline Walk startWalk(const mjModel* m, int body1, int body2) {
  return (Walk){
      {kin_lastDof(m, body1), kin_lastDof(m, body2)}
  };
}

// bit 0: moves the first body, bit 1: moves the second
static inline int stepWalk(const mjModel* m, Walk* walk, int dof) {
  int moves = 0;
  for (int k = 0; k < 2; k++) {
    if (walk->dof[k] != dof) continue;
    moves |= 1 << k;
    walk->dof[k] = m->dof_parentid[dof];
  }
  return moves;
}

//---------------------------------- joint ----------------------------------

// slide or hinge: the usual case
static inline mjtNum scalarRow(const mjModel* m, const mjData* d, Row* row, int joint) {
  const mjtNum gear = m->actuator_gear[6 * row->id];
  row->nnz = 1;
  row->colind[0] = m->jnt_dofadr[joint];
  row->moment[0] = gear;
  return d->qpos[m->jnt_qposadr[joint]] * gear;
}

static mjtNum jointRow(const mjModel* m, const mjData* d, Row* row, int joint) {
  const mjtNum* gear = m->actuator_gear + 6 * row->id;
  const mjtNum* qpos = d->qpos + m->jnt_qposadr[joint];
  const int inparent = m->actuator_trntype[row->id] == mjTRN_JOINTINPARENT;
  const int free = m->jnt_type[joint] == mjJNT_FREE;

  // in the parent frame scalar joints are the same
  if (m->jnt_type[joint] >= mjJNT_SLIDE) return scalarRow(m, d, row, joint);

  // orientation, and the rotational gear seen from the child
  mjtNum quat[4], inverse[4], axis[3];
  mth_copy4(quat, qpos + (free ? 3 : 0));
  mth_normalize4(quat);
  mth_copy3(axis, gear + (free ? 3 : 0));
  if (inparent) {
    mth_negQuat(inverse, quat);
    mth_rotVecQuat(axis, axis, inverse);
  }

  // all dofs of the joint, zero or not
  row->nnz = free ? 6 : 3;
  for (int k = 0; k < row->nnz; k++) row->colind[k] = m->jnt_dofadr[joint] + k;
  if (free) mth_copy3(row->moment, gear);
  mth_copy3(row->moment + row->nnz - 3, axis);

  // a free joint has no meaningful length
  if (free) return 0;
  mjtNum turn[3];
  mth_quat2Vel(turn, quat, 1);
  return mth_dot3(turn, axis);
}

//---------------------------------- slider-crank ----------------------------------

// length a'v - sqrt((a'v)² + r² - v'v) for slider axis a, rod r and v from slider to crank; gradients with respect to
// v and a. Without a solution the rod is taken as perpendicular.
static mjtNum crankLength(const mjtNum axis[3], const mjtNum vec[3], mjtNum rod, mjtNum dvec[3], mjtNum daxis[3]) {
  const mjtNum along = mth_dot3(vec, axis);
  const mjtNum det = along * along + rod * rod - mth_dot3(vec, vec);
  if (det <= 0) {
    mth_copy3(dvec, axis);
    mth_copy3(daxis, vec);
    return along;
  }
  const mjtNum root = sqrt(det);
  mjtNum part[3];
  mth_scl3(part, vec, 1 / root);
  mth_scl3(dvec, axis, 1 - along / root);
  mth_addTo3(dvec, part);
  mth_scl3(daxis, vec, 1 - along / root);
  return along - root;
}

static mjtNum sliderCrankRow(const mjModel* m, const mjData* d, Row* row, int crank) {
  const int slider = m->actuator_trnid[2 * row->id + 1];
  const int body[2] = {m->site_bodyid[slider], m->site_bodyid[crank]};
  const mjtNum gear = m->actuator_gear[6 * row->id];

  // geometry
  mjtNum axis[3], vec[3], dvec[3], daxis[3], arm[2][3];
  mth_col3(axis, d->site_xmat + 9 * slider, 2);
  mth_sub3(vec, d->site_xpos + 3 * crank, d->site_xpos + 3 * slider);
  const mjtNum length = crankLength(axis, vec, m->actuator_cranklength[row->id], dvec, daxis);
  armOf(m, d, arm[0], d->site_xpos + 3 * slider, body[0]);
  armOf(m, d, arm[1], d->site_xpos + 3 * crank, body[1]);

  // chain rule over the dofs that move either site; values in place of the chain, from the last dof
  const int n = kin_mergeChain(m, row->chain, body[0], body[1]);
  Walk walk = startWalk(m, body[0], body[1]);
  for (int k = n - 1; k >= 0; k--) {
    const mjtNum* cdof = d->cdof + 6 * row->chain[k];
    const int moves = stepWalk(m, &walk, row->chain[k]);
    mjtNum J[3] = {0, 0, 0}, Jaxis[3] = {0, 0, 0}, Jslider[3] = {0, 0, 0}, value = 0;
    if (moves & 2) pointColumn(J, cdof, arm[1]);
    if (moves & 1) {
      pointColumn(Jslider, cdof, arm[0]);
      mth_cross3(Jaxis, cdof, axis);
    }
    mth_subFrom3(J, Jslider);
    for (int x = 0; x < 3; x++) value += daxis[x] * Jaxis[x] + dvec[x] * J[x];
    row->moment[k] = value * gear;
  }

  // keep what is not zero
  for (int k = 0; k < n; k++) pushEntry(row, row->chain[k], row->moment[k]);
  return length * gear;
}

//---------------------------------- tendon ----------------------------------

static mjtNum tendonRow(const mjModel* m, const mjData* d, Row* row, int tendon) {
  const mjtNum gear = m->actuator_gear[6 * row->id];
  if (kin_isSparse(m)) {
    const int adr = d->ten_J_rowadr[tendon], nnz = d->ten_J_rownnz[tendon];
    for (int j = 0; j < nnz; j++) {
      row->colind[j] = d->ten_J_colind[adr + j];
      row->moment[j] = d->ten_J[adr + j] * gear;
    }
    row->nnz = nnz;
  } else {
    const mjtNum* J = d->ten_J + (size_t)tendon * (size_t)m->nv;
    for (int i = 0; i < m->nv; i++) pushEntry(row, i, J[i] * gear);
  }
  return d->ten_length[tendon] * gear;
}

//---------------------------------- site ----------------------------------

// wrench in the frame of the site
static mjtNum siteRow(const mjModel* m, const mjData* d, Row* row, int site) {
  const mjtNum* gear = m->actuator_gear + 6 * row->id;
  const int body = m->site_bodyid[site];
  mjtNum force[3], torque[3], arm[3];
  mth_mulMatVec3(force, d->site_xmat + 9 * site, gear);
  mth_mulMatVec3(torque, d->site_xmat + 9 * site, gear + 3);
  armOf(m, d, arm, d->site_xpos + 3 * site, body);

  const int n = kin_bodyChain(m, body, row->chain);
  for (int k = 0; k < n; k++) {
    const mjtNum* cdof = d->cdof + 6 * row->chain[k];
    mjtNum J[3];
    pointColumn(J, cdof, arm);
    pushEntry(row, row->chain[k], mth_dot3(J, force) + mth_dot3(cdof, torque));
  }
  return 0;
}

// orientation of a site in the world
static void siteQuat(const mjModel* m, const mjData* d, mjtNum quat[4], int site) {
  mth_mulQuat(quat, m->site_quat + 4 * site, d->xquat + 4 * m->site_bodyid[site]);
}

// pose of a site relative to another, along the axes of the latter; dofs that move both sites do not count
static mjtNum relativeSiteRow(const mjModel* m, const mjData* d, Row* row, int site, int refsite) {
  const mjtNum* gear = m->actuator_gear + 6 * row->id;
  const mjtNum* refmat = d->site_xmat + 9 * refsite;
  const int body[2] = {m->site_bodyid[site], m->site_bodyid[refsite]};
  const int translates = gear[0] != 0 || gear[1] != 0 || gear[2] != 0;
  const int rotates = gear[3] != 0 || gear[4] != 0 || gear[5] != 0;
  mjtNum length = 0, force[3] = {0, 0, 0}, torque[3] = {0, 0, 0}, arm[2][3];

  // length and direction of the translation
  if (translates) {
    mjtNum vec[3];
    mth_sub3(vec, d->site_xpos + 3 * site, d->site_xpos + 3 * refsite);
    mth_mulMatTVec3(vec, refmat, vec);
    length += mth_dot3(vec, gear);
    mth_mulMatVec3(force, refmat, gear);
  }

  // and of the rotation
  if (rotates) {
    mjtNum quat[4], refquat[4], vec[3];
    siteQuat(m, d, quat, site);
    siteQuat(m, d, refquat, refsite);
    mth_subQuat(vec, quat, refquat);
    length += mth_dot3(vec, gear + 3);
    mth_mulMatVec3(torque, refmat, gear + 3);
  }

  // each dof moves one of the two
  armOf(m, d, arm[0], d->site_xpos + 3 * site, body[0]);
  armOf(m, d, arm[1], d->site_xpos + 3 * refsite, body[1]);
  const int n = kin_mergeChainApart(m, row->chain, body[0], body[1]);
  Walk walk = startWalk(m, body[0], body[1]);
  for (int k = n - 1; k >= 0; k--) {
    const mjtNum* cdof = d->cdof + 6 * row->chain[k];
    const int second = stepWalk(m, &walk, row->chain[k]) == 2;
    mjtNum J[3];
    pointColumn(J, cdof, arm[second]);
    const mjtNum value = mth_dot3(J, force) + mth_dot3(cdof, torque);
    row->moment[k] = second ? -value : value;
  }
  for (int k = 0; k < n; k++) pushEntry(row, row->chain[k], row->moment[k]);
  return length;
}

//---------------------------------- body (adhesion) ----------------------------------

// adds weight times a constraint row
static void addConstraintRow(const mjModel* m, const mjData* d, mjtNum* res, int efc, mjtNum weight) {
  if (kin_isSparse(m)) {
    const int adr = d->efc_J_rowadr[efc];
    for (int j = adr; j < adr + d->efc_J_rownnz[efc]; j++) res[d->efc_J_colind[j]] += d->efc_J[j] * weight;
  } else {
    mth_addToScl(res, d->efc_J + (size_t)efc * (size_t)m->nv, weight, (int)m->nv);
  }
}

// adds the normal direction of a contact that has constraint rows; pyramids average their edges
static void addActiveNormal(const mjModel* m, const mjData* d, mjtNum* res, const mjContact* con) {
  if (con->dim == 1 || m->opt.cone == mjCONE_ELLIPTIC) {
    addConstraintRow(m, d, res, con->efc_address, 1);
    return;
  }
  const int nedge = 2 * (con->dim - 1);
  for (int k = 0; k < nedge; k++) addConstraintRow(m, d, res, con->efc_address + k, 0.5 / (con->dim - 1));
}

// adds the normal direction of a contact that has no rows
static void addGapNormal(const mjModel* m, const mjData* d, mjtNum* res, const mjContact* con, int* chain) {
  const int body[2] = {m->geom_bodyid[con->geom[0]], m->geom_bodyid[con->geom[1]]};
  mjtNum arm[2][3];
  for (int k = 0; k < 2; k++) armOf(m, d, arm[k], con->pos, body[k]);
  const int n = kin_mergeChainApart(m, chain, body[0], body[1]);
  Walk walk = startWalk(m, body[0], body[1]);
  for (int k = n - 1; k >= 0; k--) {
    const int second = stepWalk(m, &walk, chain[k]) == 2;
    mjtNum J[3];
    pointColumn(J, d->cdof + 6 * chain[k], arm[second]);
    const mjtNum value = mth_dot3(con->frame, J);
    res[chain[k]] += second ? value : -value;
  }
}

// average of the normals of all contacts of the body, pulling it towards them
static mjtNum bodyRow(const mjModel* m, mjData* d, Row* row, int body) {
  const int nv = (int)m->nv;
  mj_markStack(d);
  mjtNum* active = mj_stackAllocNum(d, (size_t)nv);
  mjtNum* gap = mj_stackAllocNum(d, (size_t)nv);
  mth_zero(active, nv);
  mth_zero(gap, nv);

  int count = 0;
  for (int j = 0; j < d->ncon; j++) {
    const mjContact* con = d->contact + j;
    if (con->geom[0] < 0 || con->geom[1] < 0) continue;
    if (m->geom_bodyid[con->geom[0]] != body && m->geom_bodyid[con->geom[1]] != body) continue;
    if (con->exclude > 1) continue;
    count++;

    // without rows: inside the gap, or there was no room for them, or there are no dofs
    if (con->efc_address >= 0) {
      addActiveNormal(m, d, active, con);
    } else {
      addGapNormal(m, d, gap, con, row->chain);
    }
  }
  if (count) {
    for (int i = 0; i < nv; i++) pushEntry(row, i, (active[i] + gap[i]) * (-1.0 / count));
  }
  mj_freeStack(d);
  return 0;
}

//---------------------------------- all ----------------------------------

static mjtNum makeRow(const mjModel* m, mjData* d, Row* row) {
  const int id = m->actuator_trnid[2 * row->id], second = m->actuator_trnid[2 * row->id + 1];
  switch (m->actuator_trntype[row->id]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return jointRow(m, d, row, id);
    case mjTRN_SLIDERCRANK:
      return sliderCrankRow(m, d, row, id);
    case mjTRN_TENDON:
      return tendonRow(m, d, row, id);
    case mjTRN_SITE:
      return second == -1 ? siteRow(m, d, row, id) : relativeSiteRow(m, d, row, id, second);
    case mjTRN_BODY:
      return bodyRow(m, d, row, id);
    default:
      mju_error("mj_transmission: unknown transmission type %d", m->actuator_trntype[row->id]);
      return 0;
  }
}

// rows [from, to) are empty
static void emptyRows(mjData* d, int from, int to, int adr) {
  for (int i = from; i < to; i++) {
    d->moment_rowadr[i] = adr;
    d->moment_rownnz[i] = 0;
  }
}

// actuators that make a part worth a thread
enum { ACTUATOR_PART = 128 };

// actuators of joints of one dof in parts: one number a row
typedef struct {
  const mjModel* m;
  mjData* d;
  int n;
  int* other;  // (n) 1: the part has an actuator of another kind
} Scalars;

static void scalarPart(void* arg, int piece) {
  const Scalars* s = arg;
  const mjModel* m = s->m;
  mjData* d = s->d;
  const BasPart part = bas_part((int)m->nu, s->n, piece);
  s->other[piece] = 0;
  for (int i = part.begin; i < part.end; i++) {
    const int joint = m->actuator_trntype[i] == mjTRN_JOINT ? m->actuator_trnid[2 * i] : -1;
    if (joint < 0 || m->jnt_type[joint] < mjJNT_SLIDE) {
      s->other[piece] = 1;
      return;
    }
    Row row = {.id = i, .colind = d->moment_colind + i, .moment = d->actuator_moment + i};
    d->actuator_length[i] = scalarRow(m, d, &row, joint);
    d->moment_rowadr[i] = i;
    d->moment_rownnz[i] = 1;
  }
}

// all rows on threads; 0: there are too few, or some are of another kind
static int shareScalars(const mjModel* m, mjData* d) {
  Scalars s = {m, d, bas_parts(d, (int)m->nu, ACTUATOR_PART), NULL};
  if (s.n == 1 || m->nJmom != m->nu) return 0;
  mj_markStack(d);
  s.other = mj_stackAllocInt(d, (size_t)s.n);
  bas_share(d, NULL, scalarPart, &s, s.n);
  int any = 0;
  for (int k = 0; k < s.n; k++) any |= s.other[k];
  mj_freeStack(d);
  return !any;
}

void mj_transmission(const mjModel* m, mjData* d) {
  if (!m->nu) return;
  const int filter = slp_dofs(m, d).list != NULL;
  if (!filter && shareScalars(m, d)) return;
  if (filter) slp_checkTransmission(m, d);
  const SlpRange actuators = filter ? slp_actuators(m, d) : (SlpRange){(int)m->nu, NULL, 0};
  int *chain = NULL, marked = 0;

  // rows follow each other without gaps; those of sleeping actuators are empty
  int adr = 0, next = 0;
  for (int k = 0; k < actuators.n; k++) {
    const int i = slp_at(actuators, k);
    emptyRows(d, next, i, adr);
    next = i + 1;
    const int joint = m->actuator_trntype[i] == mjTRN_JOINT ? m->actuator_trnid[2 * i] : -1;
    const int scalar = joint >= 0 && m->jnt_type[joint] >= mjJNT_SLIDE;

    // joints of one dof, which are most, need no scratch
    if (!scalar && !marked) {
      marked = 1;
      mj_markStack(d);
      chain = mj_stackAllocInt(d, (size_t)m->nv);
    }
    Row row = {.id = i, .colind = d->moment_colind + adr, .moment = d->actuator_moment + adr, .chain = chain};
    d->actuator_length[i] = scalar ? scalarRow(m, d, &row, joint) : makeRow(m, d, &row);
    BAS_ASSERT(bas_isIncreasing(row.colind, row.nnz, 0, (int)m->nv));
    d->moment_rowadr[i] = adr;
    d->moment_rownnz[i] = row.nnz;
    adr += row.nnz;
  }
  emptyRows(d, next, (int)m->nu, adr);
  BAS_ASSERT(adr <= m->nJmom);
  BAS_ASSERT(bas_arePacked(d->moment_rowadr, d->moment_rownnz, (int)m->nu, adr));
  if (marked) mj_freeStack(d);
}
