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

void sen_velocity(const mjModel* m, mjData* d, const SenSensor* s, mjtNum* value) {
  const int id = s->objid;
  mjtNum local[6];
  switch (s->type) {
    case mjSENS_VELOCIMETER:
      mj_objectVelocity(m, d, mjOBJ_SITE, id, local, 1);
      mth_copy3(value, local + 3);
      break;
    case mjSENS_GYRO:
      mj_objectVelocity(m, d, mjOBJ_SITE, id, local, 1);
      mth_copy3(value, local);
      break;
    case mjSENS_JOINTVEL:
      value[0] = d->qvel[m->jnt_dofadr[id]];
      break;
    case mjSENS_TENDONVEL:
      value[0] = d->ten_velocity[id];
      break;
    case mjSENS_ACTUATORVEL:
      value[0] = d->actuator_velocity[id];
      break;
    case mjSENS_BALLANGVEL:
      mth_copy3(value, d->qvel + m->jnt_dofadr[id]);
      break;
    case mjSENS_JOINTLIMITVEL:
      value[0] = limitVelocity(d, mjCNSTR_LIMIT_JOINT, id);
      break;
    case mjSENS_TENDONLIMITVEL:
      value[0] = limitVelocity(d, mjCNSTR_LIMIT_TENDON, id);
      break;
    case mjSENS_FRAMELINVEL:
    case mjSENS_FRAMEANGVEL:
      frameVelocity(m, d, s, value);
      break;
    case mjSENS_SUBTREELINVEL:
      if (!d->flg_subtreevel) mj_subtreeVel(m, d);
      mth_copy3(value, d->subtree_linvel + 3 * id);
      break;
    case mjSENS_SUBTREEANGMOM:
      if (!d->flg_subtreevel) mj_subtreeVel(m, d);
      mth_copy3(value, d->subtree_angmom + 3 * id);
      break;
    default:
      mju_error("sensor %d: type %d does not belong to the velocity stage", s->id, (int)s->type);
  }
}
