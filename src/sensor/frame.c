// Frames of the objects that sensors look at.
#include <math.h>

#include "math/elem.h"
#include "math/quat.h"
#include "math/vec.h"
#include "sensor/sensor.h"

SenFrame sen_frame(const mjData* d, mjtObj type, int id) {
  switch (type) {
    case mjOBJ_XBODY:
      return (SenFrame){d->xpos + 3 * id, d->xmat + 9 * id};
    case mjOBJ_BODY:
      return (SenFrame){d->xipos + 3 * id, d->ximat + 9 * id};
    case mjOBJ_GEOM:
      return (SenFrame){d->geom_xpos + 3 * id, d->geom_xmat + 9 * id};
    case mjOBJ_SITE:
      return (SenFrame){d->site_xpos + 3 * id, d->site_xmat + 9 * id};
    case mjOBJ_CAMERA:
      return (SenFrame){d->cam_xpos + 3 * id, d->cam_xmat + 9 * id};
    default:
      mju_error("sensor of a frame: object type %d has none", (int)type);
      return (SenFrame){d->xpos, d->xmat};
  }
}

void sen_quat(const mjModel* m, const mjData* d, mjtObj type, int id, mjtNum quat[4]) {
  switch (type) {
    case mjOBJ_XBODY:
      mth_copy4(quat, d->xquat + 4 * id);
      break;
    case mjOBJ_BODY:
      mth_mulQuat(quat, d->xquat + 4 * id, m->body_iquat + 4 * id);
      break;
    case mjOBJ_GEOM:
      mth_mulQuat(quat, d->xquat + 4 * m->geom_bodyid[id], m->geom_quat + 4 * id);
      break;
    case mjOBJ_SITE:
      mth_mulQuat(quat, d->xquat + 4 * m->site_bodyid[id], m->site_quat + 4 * id);
      break;
    case mjOBJ_CAMERA:
      mth_mulQuat(quat, d->xquat + 4 * m->cam_bodyid[id], m->cam_quat + 4 * id);
      break;
    default:
      mju_error("sensor of a frame: object type %d has none", (int)type);
  }
}

int sen_insideSite(const mjModel* m, const mjData* d, int site, const mjtNum point[3]) {
  mjtNum offset[3], p[3];
  mth_sub3(offset, point, d->site_xpos + 3 * site);
  mth_mulMatTVec3(p, d->site_xmat + 9 * site, offset);
  const mjtNum* size = m->site_size + 3 * site;
  const mjtNum radial = p[0] * p[0] + p[1] * p[1];
  switch (m->site_type[site]) {
    case mjGEOM_SPHERE:
      return radial + p[2] * p[2] < size[0] * size[0];
    case mjGEOM_CAPSULE: {
      const mjtNum beyond = fmax(0, fabs(p[2]) - size[1]);
      return radial + beyond * beyond < size[0] * size[0];
    }
    case mjGEOM_ELLIPSOID: {
      const mjtNum scaled[3] = {p[0] / size[0], p[1] / size[1], p[2] / size[2]};
      return mth_dot3(scaled, scaled) < 1;
    }
    case mjGEOM_CYLINDER:
      return fabs(p[2]) < size[1] && radial < size[0] * size[0];
    case mjGEOM_BOX:
      return fabs(p[0]) < size[0] && fabs(p[1]) < size[1] && fabs(p[2]) < size[2];
    default:
      mju_error("site %d: type %d has no inside", site, m->site_type[site]);
      return 0;
  }
}

SenPinhole sen_pinhole(const mjModel* m, int camera) {
  const int* resolution = m->cam_resolution + 2 * camera;
  const float* intrinsic = m->cam_intrinsic + 4 * camera;
  const float* size = m->cam_sensorsize + 2 * camera;

  // a sensor of known size, else the vertical field of view with square pixels
  if (size[0] && size[1]) {
    return (SenPinhole){(mjtNum)(intrinsic[0] / size[0] * (float)resolution[0]),
                        (mjtNum)(intrinsic[1] / size[1] * (float)resolution[1]),
                        (mjtNum)(intrinsic[2] / size[0] * (float)resolution[0]),
                        (mjtNum)(intrinsic[3] / size[1] * (float)resolution[1])};
  }
  const mjtNum focal = 0.5 / mth_tan(m->cam_fovy[camera] * mjPI / 360) * resolution[1];
  return (SenPinhole){focal, focal, 0.5 * resolution[0], 0.5 * resolution[1]};
}
