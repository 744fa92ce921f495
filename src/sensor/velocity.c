// Sensors of the velocity stage.
#include "math/simd/kernels.h"
#include "math/vec.h"
#include "sensor/sensor.h"

static mjtNum limitVelocity(const mjData* d, int type, int id) {
  for (int j = d->ne + d->nf; j < d->nefc; j++) {
    if (d->efc_type[j] == type && d->efc_id[j] == id) return d->efc_vel[j];
  }
  return 0;
}

// velocity of a frame: in the world, or as seen from a moving reference frame
static void frameVelocity(const mjModel* m, const mjData* d, const SenSensor* s, mjtNum value[3]) {
  mjtNum velocity[6];
  mj_objectVelocity(m, d, s->objtype, s->objid, velocity, 0);
  if (s->refid >= 0) {
    const SenFrame object = sen_frame(d, s->objtype, s->objid);
    const SenFrame reference = sen_frame(d, s->reftype, s->refid);
    mjtNum moving[6], relative[6], arm[3], drag[3];
    mj_objectVelocity(m, d, s->reftype, s->refid, moving, 0);
    mth_sub(relative, velocity, moving, 6);

    // a turning reference carries the object along
    mth_sub3(arm, object.pos, reference.pos);
    mth_cross3(drag, arm, moving);
    mth_addTo3(relative + 3, drag);
    mth_mulMatTVec3(velocity, reference.mat, relative);
    mth_mulMatTVec3(velocity + 3, reference.mat, relative + 3);
  }
  mth_copy3(value, s->type == mjSENS_FRAMELINVEL ? velocity + 3 : velocity);
}

// sensors whose value stands in an array: one or three numbers of it
static const mjtNum* storedVelocity(const mjModel* m, const mjData* d, mjtSensor type, int id, int* n) {
  *n = type == mjSENS_BALLANGVEL || type == mjSENS_SUBTREELINVEL || type == mjSENS_SUBTREEANGMOM ? 3 : 1;
  switch (type) {
    case mjSENS_JOINTVEL:
    case mjSENS_BALLANGVEL:
      return d->qvel + m->jnt_dofadr[id];
    case mjSENS_TENDONVEL:
      return d->ten_velocity + id;
    case mjSENS_ACTUATORVEL:
      return d->actuator_velocity + id;
    case mjSENS_SUBTREELINVEL:
      return d->subtree_linvel + 3 * id;
    case mjSENS_SUBTREEANGMOM:
      return d->subtree_angmom + 3 * id;
    default:
      return NULL;
  }
}

// what a site with an instrument on it feels, in its own frame
static void siteVelocity(const mjModel* m, const mjData* d, const SenSensor* s, mjtNum value[3]) {
  mjtNum local[6];
  mj_objectVelocity(m, d, mjOBJ_SITE, s->objid, local, 1);
  mth_copy3(value, s->type == mjSENS_VELOCIMETER ? local + 3 : local);
}

void sen_velocity(const mjModel* m, mjData* d, const SenSensor* s, mjtNum* value) {
  // momenta of subtrees are computed for the first who asks
  const int subtree = s->type == mjSENS_SUBTREELINVEL || s->type == mjSENS_SUBTREEANGMOM;
  if (subtree && !d->flg_subtreevel) mj_subtreeVel(m, d);

  int n;
  const mjtNum* stored = storedVelocity(m, d, s->type, s->objid, &n);
  if (stored) {
    for (int i = 0; i < n; i++) value[i] = stored[i];
  } else if (s->type == mjSENS_VELOCIMETER || s->type == mjSENS_GYRO) {
    siteVelocity(m, d, s, value);
  } else if (s->type == mjSENS_FRAMELINVEL || s->type == mjSENS_FRAMEANGVEL) {
    frameVelocity(m, d, s, value);
  } else if (s->type == mjSENS_JOINTLIMITVEL || s->type == mjSENS_TENDONLIMITVEL) {
    value[0] = limitVelocity(d, s->type == mjSENS_JOINTLIMITVEL ? mjCNSTR_LIMIT_JOINT : mjCNSTR_LIMIT_TENDON, s->objid);
  } else {
    mju_error("sensor %d: type %d does not belong to the velocity stage", s->id, (int)s->type);
  }
}
