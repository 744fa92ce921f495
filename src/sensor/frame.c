// Frames of the objects that sensors look at.
#include <math.h>
#include <stddef.h>

#include "math/elem.h"
#include "math/quat.h"
#include "math/vec.h"
#include "sensor/sensor.h"

// Where the frames of one kind of object are kept: offsets of the arrays in mjData and mjModel. The orientation as a
// quaternion follows from the body's: bodyid and quat are those of an object fixed to a body; 0: the frame is a body's
// own.
typedef struct {
  mjtObj type;
  size_t pos, mat;      // mjData
  size_t bodyid, quat;  // mjModel
} FrameKind;

static const FrameKind KINDS[] = {
    {mjOBJ_XBODY,      offsetof(mjData, xpos),       offsetof(mjData, xmat),            0,           0},
    {          mjOBJ_BODY,       offsetof(mjData,          xipos),      offsetof(mjData,               ximat), 0, offsetof(mjModel,  body_iquat)},
    { mjOBJ_GEOM, offsetof(mjData,      geom_xpos), offsetof(mjData,    geom_xmat),                                                                  offsetof(mjModel,                                                                   geom_bodyid),
     offsetof(mjModel, geom_quat)},
    {                                                                    mjOBJ_SITE, offsetof(mjData,      site_xpos), offsetof(mjData,    site_xmat),                                                                  offsetof(mjModel,                                                                   site_bodyid),
     offsetof(mjModel, site_quat)},
    {                                                                  mjOBJ_CAMERA, offsetof(mjData,       cam_xpos),  offsetof(mjData,     cam_xmat),                                                                  offsetof(mjModel,                                                                    cam_bodyid),
     offsetof(mjModel, cam_quat)},
};

// NULL: objects of this type have no frame
static const FrameKind* kindOf(mjtObj type) {
  for (size_t i = 0; i < sizeof(KINDS) / sizeof(KINDS[0]); i++) {
    if (KINDS[i].type == type) return KINDS + i;
  }
  mju_error("sensor of a frame: object type %d has none", (int)type);
  return NULL;
}

// the array that a member points to
static const mjtNum* numbers(const void* object, size_t member) {
  return *(mjtNum* const*)((const char*)object + member);
}

SenFrame sen_frame(const mjData* d, mjtObj type, int id) {
  const FrameKind* kind = kindOf(type);
  if (!kind) return (SenFrame){d->xpos, d->xmat};
  return (SenFrame){numbers(d, kind->pos) + 3 * id, numbers(d, kind->mat) + 9 * id};
}

void sen_quat(const mjModel* m, const mjData* d, mjtObj type, int id, mjtNum quat[4]) {
  const FrameKind* kind = kindOf(type);
  if (!kind) return;
  const int body = kind->bodyid ? (*(int* const*)((const char*)m + kind->bodyid))[id] : id;
  if (kind->quat) {
    mth_mulQuat(quat, d->xquat + 4 * body, numbers(m, kind->quat) + 4 * id);
  } else {
    mth_copy4(quat, d->xquat + 4 * body);
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
