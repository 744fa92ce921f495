// Sensors of the position stage.
#include <math.h>

#include "math/elem.h"
#include "math/quat.h"
#include "math/simd/kernels.h"
#include "math/vec.h"
#include "sensor/sensor.h"

// pixel at which a camera sees a site
static void project(const mjModel* m, const mjData* d, const SenSensor* s, mjtNum value[2]) {
  const int camera = s->refid;
  const SenPinhole pinhole = sen_pinhole(m, camera);
  mjtNum offset[3], p[3];
  mth_sub3(offset, d->site_xpos + 3 * s->objid, d->cam_xpos + 3 * camera);
  mth_mulMatTVec3(p, d->cam_xmat + 9 * camera, offset);

  // the camera looks along -z; a point in its plane is pushed off it
  mjtNum depth = p[2];
  if (fabs(depth) < mjMINVAL) depth = depth < 0 ? -mjMINVAL : mjMINVAL;
  const int* resolution = m->cam_resolution + 2 * camera;
  value[0] = (-pinhole.fx * p[0] + 0.5 * resolution[0] * p[2]) / depth;
  value[1] = (pinhole.fy * p[1] + 0.5 * resolution[1] * p[2]) / depth;
}

// distance of an active limit from its margin, 0 without one
static mjtNum limitDistance(const mjData* d, int type, int id) {
  for (int j = d->ne + d->nf; j < d->nefc; j++) {
    if (d->efc_type[j] == type && d->efc_id[j] == id) return d->efc_pos[j] - d->efc_margin[j];
  }
  return 0;
}

// position or axis of a frame, in the world or in a reference frame
static void framePart(const mjData* d, const SenSensor* s, mjtNum value[3]) {
  const SenFrame object = sen_frame(d, s->objtype, s->objid);
  const int axis = s->type - mjSENS_FRAMEXAXIS;
  mjtNum vec[3];
  if (s->type == mjSENS_FRAMEPOS) {
    mth_copy3(vec, object.pos);
  } else {
    for (int k = 0; k < 3; k++) vec[k] = object.mat[3 * k + axis];
  }
  if (s->refid < 0) {
    mth_copy3(value, vec);
    return;
  }
  const SenFrame reference = sen_frame(d, s->reftype, s->refid);
  if (s->type == mjSENS_FRAMEPOS) mth_subFrom3(vec, reference.pos);
  mth_mulMatTVec3(value, reference.mat, vec);
}

static void frameQuat(const mjModel* m, const mjData* d, const SenSensor* s, mjtNum value[4]) {
  mjtNum quat[4], inverse[4], reference[4];
  sen_quat(m, d, s->objtype, s->objid, quat);
  if (s->refid < 0) {
    mth_copy4(value, quat);
    return;
  }
  sen_quat(m, d, s->reftype, s->refid, reference);
  mth_negQuat(inverse, reference);
  mth_mulQuat(value, inverse, quat);
}

// geoms of a side: a geom itself, or all geoms of a body
static void geomRange(const mjModel* m, mjtObj type, int id, int range[2]) {
  range[0] = type == mjOBJ_BODY ? m->body_geomadr[id] : id;
  range[1] = range[0] + (type == mjOBJ_BODY ? m->body_geomnum[id] : 1);
}

// nearest of all pairs; the cutoff bounds the search
static void geomDistance(const mjModel* m, mjData* d, const SenSensor* s, mjtNum* value) {
  int first[2], second[2];
  geomRange(m, s->objtype, s->objid, first);
  geomRange(m, s->reftype, s->refid, second);
  const mjtNum cutoff = m->sensor_cutoff[s->id];
  mjtNum nearest = cutoff, segment[6] = {0};
  for (int g1 = first[0]; g1 < first[1]; g1++) {
    for (int g2 = second[0]; g2 < second[1]; g2++) {
      mjtNum fromto[6] = {0};
      const mjtNum distance = mj_geomDistance(m, d, g1, g2, cutoff, fromto);
      if (distance >= nearest) continue;
      nearest = distance;
      mth_copy(segment, fromto, 6);
    }
  }
  if (s->type == mjSENS_GEOMDIST) {
    value[0] = nearest;
  } else if (s->type == mjSENS_GEOMFROMTO) {
    mth_copy(value, segment, 6);
  } else {
    mth_sub3(value, segment + 3, segment);
    if (value[0] || value[1] || value[2]) mth_normalize3(value);
  }
}

void sen_position(const mjModel* m, mjData* d, const SenSensor* s, mjtNum* value) {
  const int id = s->objid;
  switch (s->type) {
    case mjSENS_MAGNETOMETER:
      mth_mulMatTVec3(value, d->site_xmat + 9 * id, m->opt.magnetic);
      break;
    case mjSENS_CAMPROJECTION:
      project(m, d, s, value);
      break;
    case mjSENS_RANGEFINDER:
      sen_rangefinder(m, d, s, value);
      break;
    case mjSENS_JOINTPOS:
      value[0] = d->qpos[m->jnt_qposadr[id]];
      break;
    case mjSENS_TENDONPOS:
      value[0] = d->ten_length[id];
      break;
    case mjSENS_ACTUATORPOS:
      value[0] = d->actuator_length[id];
      break;
    case mjSENS_BALLQUAT:
      mth_copy4(value, d->qpos + m->jnt_qposadr[id]);
      mth_normalize4(value);
      break;
    case mjSENS_JOINTLIMITPOS:
      value[0] = limitDistance(d, mjCNSTR_LIMIT_JOINT, id);
      break;
    case mjSENS_TENDONLIMITPOS:
      value[0] = limitDistance(d, mjCNSTR_LIMIT_TENDON, id);
      break;
    case mjSENS_FRAMEPOS:
    case mjSENS_FRAMEXAXIS:
    case mjSENS_FRAMEYAXIS:
    case mjSENS_FRAMEZAXIS:
      framePart(d, s, value);
      break;
    case mjSENS_FRAMEQUAT:
      frameQuat(m, d, s, value);
      break;
    case mjSENS_SUBTREECOM:
      mth_copy3(value, d->subtree_com + 3 * id);
      break;
    case mjSENS_INSIDESITE:
      value[0] = sen_insideSite(m, d, s->refid, sen_frame(d, s->objtype, id).pos);
      break;
    case mjSENS_GEOMDIST:
    case mjSENS_GEOMNORMAL:
    case mjSENS_GEOMFROMTO:
      geomDistance(m, d, s, value);
      break;
    case mjSENS_E_POTENTIAL:
      if (!d->flg_energypos) mj_energyPos(m, d);
      value[0] = d->energy[0];
      break;
    case mjSENS_E_KINETIC:
      if (!d->flg_energyvel) mj_energyVel(m, d);
      value[0] = d->energy[1];
      break;
    case mjSENS_CLOCK:
      value[0] = d->time;
      break;
    default:
      mju_error("sensor %d: type %d does not belong to the position stage", s->id, (int)s->type);
  }
}
