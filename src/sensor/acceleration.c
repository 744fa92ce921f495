// Sensors of the acceleration stage: accelerations and forces.
#include "math/vec.h"
#include "sensor/sensor.h"

// body of a contact's side, -1 for a flex
static int contactBody(const mjModel* m, const mjContact* con, int side) {
  return con->geom[side] >= 0 ? m->geom_bodyid[con->geom[side]] : -1;
}

// sum of the normal forces whose line meets the site, over the contacts of the site's body
static mjtNum touch(const mjModel* m, const mjData* d, int site) {
  const int body = m->site_bodyid[site];
  mjtNum total = 0;
  for (int j = 0; j < d->ncon; j++) {
    const mjContact* con = d->contact + j;
    const int body1 = contactBody(m, con, 0), body2 = contactBody(m, con, 1);
    if (con->efc_address < 0 || (body != body1 && body != body2)) continue;
    mjtNum force[6];
    mj_contactForce(m, d, j, force);
    if (force[0] <= 0) continue;

    // from the contact into the body that carries the sensor
    mjtNum ray[3];
    mth_scl3(ray, con->frame, force[0]);
    mth_normalize3(ray);
    if (body == body2) mth_scl3(ray, ray, -1);
    const mjtNum hit = mju_rayGeom(d->site_xpos + 3 * site, d->site_xmat + 9 * site, m->site_size + 3 * site, con->pos,
                                   ray, m->site_type[site], NULL);
    if (hit >= 0) total += force[0];
  }
  return total;
}

// force and torque between a body and its parent, at a site and in its frame
static void interaction(const mjModel* m, const mjData* d, int site, mjtNum wrench[6]) {
  const int body = m->site_bodyid[site];
  mju_transformSpatial(wrench, d->cfrc_int + 6 * body, 1, d->site_xpos + 3 * site,
                       d->subtree_com + 3 * m->body_rootid[body], d->site_xmat + 9 * site);
}

static mjtNum tendonForce(const mjModel* m, const mjData* d, int tendon) {
  mjtNum total = 0;
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_trntype[i] == mjTRN_TENDON && m->actuator_trnid[2 * i] == tendon) total += d->actuator_force[i];
  }
  return total;
}

static mjtNum limitForce(const mjData* d, int type, int id) {
  for (int j = d->ne + d->nf; j < d->nefc; j++) {
    if (d->efc_type[j] == type && d->efc_id[j] == id) return d->efc_force[j];
  }
  return 0;
}

// accelerations and interaction forces of all bodies, once per step
static void needRnePost(const mjModel* m, mjData* d) {
  if (!d->flg_rnepost) mj_rnePostConstraint(m, d);
}

void sen_acceleration(const mjModel* m, mjData* d, const SenSensor* s, mjtNum* value) {
  const int id = s->objid;
  mjtNum vec[6];
  switch (s->type) {
    case mjSENS_TOUCH:
      value[0] = touch(m, d, id);
      break;
    case mjSENS_CONTACT:
      sen_contact(m, d, s, value);
      break;
    case mjSENS_TACTILE:
      sen_tactile(m, d, s, value);
      break;
    case mjSENS_ACCELEROMETER:
      needRnePost(m, d);
      mj_objectAcceleration(m, d, mjOBJ_SITE, id, vec, 1);
      mth_copy3(value, vec + 3);
      break;
    case mjSENS_FORCE:
    case mjSENS_TORQUE:
      needRnePost(m, d);
      interaction(m, d, id, vec);
      mth_copy3(value, s->type == mjSENS_FORCE ? vec + 3 : vec);
      break;
    case mjSENS_FRAMELINACC:
    case mjSENS_FRAMEANGACC:
      needRnePost(m, d);
      mj_objectAcceleration(m, d, s->objtype, id, vec, 0);
      mth_copy3(value, s->type == mjSENS_FRAMELINACC ? vec + 3 : vec);
      break;
    case mjSENS_ACTUATORFRC:
      value[0] = d->actuator_force[id];
      break;
    case mjSENS_JOINTACTFRC:
      value[0] = d->qfrc_actuator[m->jnt_dofadr[id]];
      break;
    case mjSENS_TENDONACTFRC:
      value[0] = tendonForce(m, d, id);
      break;
    case mjSENS_JOINTLIMITFRC:
      value[0] = limitForce(d, mjCNSTR_LIMIT_JOINT, id);
      break;
    case mjSENS_TENDONLIMITFRC:
      value[0] = limitForce(d, mjCNSTR_LIMIT_TENDON, id);
      break;
    default:
      mju_error("sensor %d: type %d does not belong to the acceleration stage", s->id, (int)s->type);
  }
}
