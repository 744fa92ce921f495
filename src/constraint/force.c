// Constraint forces where they act: on contacts and on bodies.
//
// mj_rnePostConstraint runs Newton-Euler with everything known. Spatial vectors are (rotation; translation) about the
// centre of mass of the tree. Down the tree: cacc = cacc(parent) + cdof_dot q̇ + cdof q̈, the world accelerating against
// gravity. Up the tree: cfrc_int = I cacc + cvel ×* I cvel − cfrc_ext, children added.
#include <string.h>

#include "constraint/rows.h"
#include "math/spatial.h"
#include "math/vec.h"

void mj_contactForce(const mjModel* m, const mjData* d, int id, mjtNum result[6]) {
  mth_zero6(result);
  if (id < 0 || id >= d->ncon || d->contact[id].efc_address < 0) return;
  const mjContact* con = d->contact + id;
  const mjtNum* force = d->efc_force + con->efc_address;
  if (mj_isPyramidal(m)) {
    mju_decodePyramid(result, force, con->friction, con->dim);
  } else {
    memcpy(result, force, sizeof(mjtNum) * (size_t)con->dim);
  }
}

//---------------------------------- external forces ----------------------------------

// adds a wrench (torque; force) at a point to a body, or takes it away
static void addWrench(const mjModel* m, mjData* d, int body, const mjtNum wrench[6], const mjtNum point[3], int sign) {
  if (!body) return;
  mjtNum moved[6];
  mth_transformSpatial(moved, wrench, 1, d->subtree_com + 3 * m->body_rootid[body], point, NULL);
  mth_addToScl6(d->cfrc_ext + 6 * body, moved, sign);
}

// forces that the user applies
static void addApplied(const mjModel* m, mjData* d) {
  for (int i = 1; i < m->nbody; i++) {
    const mjtNum* xfrc = d->xfrc_applied + 6 * i;
    if (!xfrc[0] && !xfrc[1] && !xfrc[2] && !xfrc[3] && !xfrc[4] && !xfrc[5]) continue;
    const mjtNum wrench[6] = {xfrc[3], xfrc[4], xfrc[5], xfrc[0], xfrc[1], xfrc[2]};
    addWrench(m, d, i, wrench, d->xipos + 3 * i, 1);
  }
}

// contacts between geoms push the first body away from the second
static void addContacts(const mjModel* m, mjData* d) {
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    if (con->efc_address < 0 || con->geom[0] < 0 || con->geom[1] < 0) continue;
    mjtNum local[6], wrench[6];
    mj_contactForce(m, d, i, local);
    mth_mulMatTVec3(wrench, con->frame, local + 3);
    mth_mulMatTVec3(wrench + 3, con->frame, local);
    addWrench(m, d, m->geom_bodyid[con->geom[0]], wrench, con->pos, -1);
    addWrench(m, d, m->geom_bodyid[con->geom[1]], wrench, con->pos, 1);
  }
}

// one side of a connect or weld constraint
static void addAnchor(const mjModel* m, mjData* d, int eq, int side, const mjtNum wrench[6]) {
  const int id = side ? m->eq_obj2id[eq] : m->eq_obj1id[eq], sign = side ? -1 : 1;
  if (m->eq_objtype[eq] == mjOBJ_SITE) {
    addWrench(m, d, m->site_bodyid[id], wrench, d->site_xpos + 3 * id, sign);
    return;
  }
  mjtNum point[3];
  const int weld = m->eq_type[eq] == mjEQ_WELD;
  mth_mulMatVec3(point, d->xmat + 9 * id, m->eq_data + mjNEQDATA * eq + 3 * (side ^ weld));
  mth_addTo3(point, d->xpos + 3 * id);
  addWrench(m, d, id, wrench, point, sign);
}

// connect and weld constraints; all others have no place of their own. New contacts take the rows away but leave ne
static void addEqualities(const mjModel* m, mjData* d) {
  for (int i = 0; i < d->ne && i < d->nefc;) {
    const int eq = d->efc_id[i], type = m->eq_type[eq];
    if (type != mjEQ_CONNECT && type != mjEQ_WELD) {
      i++;
      continue;
    }
    mjtNum wrench[6] = {0};
    mth_copy3(wrench + 3, d->efc_force + i);
    if (type == mjEQ_WELD) mth_copy3(wrench, d->efc_force + i + 3);
    addAnchor(m, d, eq, 0, wrench);
    addAnchor(m, d, eq, 1, wrench);
    i += type == mjEQ_WELD ? 6 : 3;
  }
}

//---------------------------------- Newton-Euler ----------------------------------

// acceleration of a body, and the force that it takes
static void bodyForces(const mjModel* m, mjData* d, int i) {
  mjtNum* cacc = d->cacc + 6 * i;
  mth_copy6(cacc, d->cacc + 6 * m->body_parentid[i]);
  mjtNum sum[6] = {0};
  for (int k = m->body_dofadr[i]; k < m->body_dofadr[i] + m->body_dofnum[i]; k++) {
    mth_addToScl6(sum, d->cdof_dot + 6 * k, d->qvel[k]);
  }
  for (int k = m->body_dofadr[i]; k < m->body_dofadr[i] + m->body_dofnum[i]; k++) {
    mth_addToScl6(sum, d->cdof + 6 * k, d->qacc[k]);
  }
  mth_addTo6(cacc, sum);

  // inertial and gyroscopic force, less what acts from outside
  mjtNum momentum[6], gyro[6], *frc = d->cfrc_int + 6 * i;
  mth_mulInertVec(frc, d->cinert + 10 * i, cacc);
  mth_mulInertVec(momentum, d->cinert + 10 * i, d->cvel + 6 * i);
  mth_crossForce(gyro, d->cvel + 6 * i, momentum);
  mth_addTo6(frc, gyro);
  mth_subFrom6(frc, d->cfrc_ext + 6 * i);
}

void con_externalForces(const mjModel* m, mjData* d) {
  memset(d->cfrc_ext, 0, sizeof(mjtNum) * 6 * (size_t)m->nbody);
  addApplied(m, d);
  addContacts(m, d);
  addEqualities(m, d);
}

void mj_rnePostConstraint(const mjModel* m, mjData* d) {
  con_externalForces(m, d);

  // down the tree
  mth_zero6(d->cacc);
  mth_zero6(d->cfrc_int);
  if (!(m->opt.disableflags & mjDSBL_GRAVITY)) mth_scl3(d->cacc + 3, m->opt.gravity, -1);
  for (int i = 1; i < m->nbody; i++) bodyForces(m, d, i);

  // and up
  for (int i = (int)m->nbody - 1; i > 0; i--) mth_addTo6(d->cfrc_int + 6 * m->body_parentid[i], d->cfrc_int + 6 * i);
  d->flg_rnepost = 1;
}
