// Velocity and acceleration of objects that are fixed to bodies, from the spatial velocity of the body about its
// tree's centre of mass.
#include "math/spatial.h"
#include "math/vec.h"

#include <mujoco/mujoco.h>

// where an object is and how it is oriented
typedef struct {
  int body;
  const mjtNum* pos;
  const mjtNum* rot;
} Object;

static Object findObject(const mjModel* m, const mjData* d, int objtype, int id, const char* caller) {
  switch (objtype) {
    case mjOBJ_BODY:
      return (Object){id, d->xipos + 3 * id, d->ximat + 9 * id};
    case mjOBJ_XBODY:
      return (Object){id, d->xpos + 3 * id, d->xmat + 9 * id};
    case mjOBJ_GEOM:
      return (Object){m->geom_bodyid[id], d->geom_xpos + 3 * id, d->geom_xmat + 9 * id};
    case mjOBJ_SITE:
      return (Object){m->site_bodyid[id], d->site_xpos + 3 * id, d->site_xmat + 9 * id};
    case mjOBJ_CAMERA:
      return (Object){m->cam_bodyid[id], d->cam_xpos + 3 * id, d->cam_xmat + 9 * id};
    default:
      mju_error("%s: invalid object type %d", caller, objtype);
      return (Object){0, d->xpos, d->xmat};
  }
}

// spatial motion vector of the object's body, moved to the object
static void transform(const mjModel* m, const mjData* d, const Object* object, const mjtNum* motion, int flg_local,
                      mjtNum res[6]) {
  mth_transformSpatial(res, motion + 6 * object->body, 0, object->pos,
                       d->subtree_com + 3 * m->body_rootid[object->body], flg_local ? object->rot : NULL);
}

void mj_objectVelocity(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6], int flg_local) {
  const Object object = findObject(m, d, objtype, objid, "mj_objectVelocity");
  if (m->body_weldid[object.body] == 0) {
    mth_zero6(res);
    return;
  }
  transform(m, d, &object, d->cvel, flg_local, res);
}

void mj_objectAcceleration(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6], int flg_local) {
  const Object object = findObject(m, d, objtype, objid, "mj_objectAcceleration");
  if (m->body_weldid[object.body] == 0) {
    mth_zero6(res);
    return;
  }

  // the acceleration of the point is that of the frame plus w × v
  mjtNum vel[6], turn[3];
  transform(m, d, &object, d->cacc, flg_local, res);
  transform(m, d, &object, d->cvel, flg_local, vel);
  mth_cross3(turn, vel, vel + 3);
  mth_addTo3(res + 3, turn);
}
