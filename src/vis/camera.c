// Cameras: between an mjvCamera that a mouse moves, the two OpenGL eyes of a scene, and the rays they stand for.
//
// A free camera looks along (cos e cos a, cos e sin a, sin e), a the azimuth, e the elevation, at a point some distance
// ahead. Eyes live in the room; a scene may place, turn and scale the model in it: room = scale (R model + t).
#include <math.h>
#include <string.h>

#include "math/elem.h"
#include "math/quat.h"
#include "math/vec.h"
#include "vis/vis.h"

// steepest view (degrees): further up or down the heading would be lost
#define STEEPEST 89
// a free camera stays within these distances, in extents of the model
#define NEAREST  0.01
#define FURTHEST 100
// scales of the model in the room
#define SMALLEST 0.01f
#define LARGEST  100.0f

//---------------------------------- room and model ----------------------------------------------------------------

// place of the model in the room, without scale
typedef struct {
  mjtNum pos[3], quat[4];
} Placement;

static Placement placement(const char* caller, const mjvScene* scn) {
  if (scn->scale < mjMINVAL) mju_error("%s: mjvScene scale too small", caller);
  Placement p = {
      {0,  0, 0},
      { 1, 0, 0, 0}
  };
  if (scn->enabletransform) {
    mju_f2n(p.pos, scn->translate, 3);
    mju_f2n(p.quat, scn->rotate, 4);
  }
  return p;
}

void mjv_room2model(mjtNum modelpos[3], mjtNum modelquat[4], const mjtNum roompos[3], const mjtNum roomquat[4],
                    const mjvScene* scn) {
  const Placement p = placement(__func__, scn);
  if (!scn->enabletransform) {
    mth_copy3(modelpos, roompos);
    mth_copy4(modelquat, roomquat);
    return;
  }
  mjtNum pos[3], quat[4];
  mth_negPose(pos, quat, p.pos, p.quat);
  mth_mulPose(modelpos, modelquat, pos, quat, roompos, roomquat);
  mth_scl3(modelpos, modelpos, 1 / (mjtNum)scn->scale);
}

void mjv_model2room(mjtNum roompos[3], mjtNum roomquat[4], const mjtNum modelpos[3], const mjtNum modelquat[4],
                    const mjvScene* scn) {
  const Placement p = placement(__func__, scn);
  if (!scn->enabletransform) {
    mth_copy3(roompos, modelpos);
    mth_copy4(roomquat, modelquat);
    return;
  }
  mth_mulPose(roompos, roomquat, p.pos, p.quat, modelpos, modelquat);
  mth_scl3(roompos, roompos, scn->scale);
}

//---------------------------------- the eyes of a scene -----------------------------------------------------------

// position, view and upward direction of an eye or of the mean of two
typedef struct {
  mjtNum pos[3], forward[3], up[3];
} Eye;

static Eye eyeOf(const mjvGLCamera* camera) {
  Eye eye;
  mju_f2n(eye.pos, camera->pos, 3);
  mju_f2n(eye.forward, camera->forward, 3);
  mju_f2n(eye.up, camera->up, 3);
  return eye;
}

// moves an eye from the room into the model; its axes pass as a rotation, so they come out orthogonal
static void enterModel(const mjvScene* scn, Eye* eye) {
  mjtNum left[3], quat[4], mat[9];
  mth_normalize3(eye->forward);
  mth_normalize3(eye->up);
  mth_cross3(left, eye->up, eye->forward);
  mth_normalize3(left);
  for (int i = 0; i < 3; i++) {
    mat[3 * i] = left[i];
    mat[3 * i + 1] = eye->up[i];
    mat[3 * i + 2] = eye->forward[i];
  }
  mju_mat2Quat(quat, mat);
  mjtNum pos[3], inside[4];
  mjv_room2model(pos, inside, eye->pos, quat, scn);
  mth_quat2Mat(mat, inside);
  mth_copy3(eye->pos, pos);
  mth_col3(eye->up, mat, 1);
  mth_col3(eye->forward, mat, 2);
}

// the mean of both eyes, in the model or in the room
static Eye meanEye(const char* caller, const mjvScene* scn, int inModel) {
  Eye mean = {{0}, {0}, {0}};
  for (int n = 0; n < 2; n++) {
    if (scn->camera[n].frustum_near < mjMINVAL) mju_error("%s: mjvScene frustum_near too small", caller);
  }
  for (int n = 0; n < 2; n++) {
    Eye eye = eyeOf(scn->camera + n);
    if (inModel) enterModel(scn, &eye);
    mth_addToScl3(mean.pos, eye.pos, 0.5);
    mth_addToScl3(mean.forward, eye.forward, 0.5);
    mth_addToScl3(mean.up, eye.up, 0.5);
  }
  mth_normalize3(mean.forward);
  mth_normalize3(mean.up);
  return mean;
}

static void giveEye(const Eye* eye, mjtNum* pos, mjtNum* forward, mjtNum* up) {
  if (pos) mth_copy3(pos, eye->pos);
  if (forward) mth_copy3(forward, eye->forward);
  if (up) mth_copy3(up, eye->up);
}

void mjv_cameraInModel(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], const mjvScene* scn) {
  const Eye eye = meanEye(__func__, scn, 1);
  giveEye(&eye, headpos, forward, up);
}

void mjv_cameraInRoom(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], const mjvScene* scn) {
  const Eye eye = meanEye(__func__, scn, 0);
  giveEye(&eye, headpos, forward, up);
}

mjtNum mjv_frustumHeight(const mjvScene* scn) {
  if (scn->camera[0].orthographic != scn->camera[1].orthographic) {
    mju_error("mjv_frustumHeight: cannot average frustums of perspective and orthographic cameras");
  }
  float sum = 0;
  for (int n = 0; n < 2; n++) {
    const mjvGLCamera* const camera = scn->camera + n;
    const float height = camera->frustum_top - camera->frustum_bottom;
    if (!camera->orthographic && camera->frustum_near < mjMINVAL) {
      mju_error("mjv_frustumHeight: mjvScene frustum_near too small");
    }
    sum += camera->orthographic ? height : height / camera->frustum_near;
  }
  return 0.5 * (mjtNum)sum;
}

mjvGLCamera mjv_averageCamera(const mjvGLCamera* cam1, const mjvGLCamera* cam2) {
  if (cam1->orthographic != cam2->orthographic) {
    mju_error("mjv_averageCamera: cannot average perspective and orthographic cameras");
  }
  const Eye one = eyeOf(cam1), two = eyeOf(cam2);
  Eye mean;
  mth_add3(mean.pos, one.pos, two.pos);
  mth_scl3(mean.pos, mean.pos, 0.5);
  mth_add3(mean.forward, one.forward, two.forward);
  mth_normalize3(mean.forward);

  // upwards is made orthogonal to the view again
  mth_add3(mean.up, one.up, two.up);
  mth_addToScl3(mean.up, mean.forward, -mth_dot3(mean.up, mean.forward));
  mth_normalize3(mean.up);

  mjvGLCamera cam = {.orthographic = cam1->orthographic};
  mju_n2f(cam.pos, mean.pos, 3);
  mju_n2f(cam.forward, mean.forward, 3);
  mju_n2f(cam.up, mean.up, 3);
#define MEAN(field) cam.field = 0.5f * (cam1->field + cam2->field)
  MEAN(frustum_bottom);
  MEAN(frustum_top);
  MEAN(frustum_center);
  MEAN(frustum_width);
  MEAN(frustum_near);
  MEAN(frustum_far);
#undef MEAN
  return cam;
}

//---------------------------------- frame and view volume of a camera ---------------------------------------------

// view directions of a free or tracking camera
static void headingFrame(const mjvCamera* cam, mjtNum forward[3], mjtNum up[3], mjtNum right[3]) {
  mjtNum sa, ca, se, ce;
  mth_sincos(cam->azimuth / 180.0 * mjPI, &sa, &ca);
  mth_sincos(cam->elevation / 180.0 * mjPI, &se, &ce);
  mth_set3(forward, ce * ca, ce * sa, se);
  mth_set3(up, -se * ca, -se * sa, ce);
  mth_set3(right, sa, -ca, 0);
}

void mjv_cameraFrame(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], mjtNum right[3], const mjData* d,
                     const mjvCamera* cam) {
  Eye eye = {{0}, {0}, {0}};
  mjtNum side[3] = {0};
  const int tracking = cam->type == mjCAMERA_TRACKING && cam->trackbodyid >= 0;
  if (!d && (cam->type == mjCAMERA_FIXED || (tracking && headpos))) {
    mju_error("mjv_cameraFrame: data pointer is NULL");
    return;
  }
  if (cam->type == mjCAMERA_FREE || cam->type == mjCAMERA_TRACKING) {
    headingFrame(cam, eye.forward, eye.up, side);
    const mjtNum* const target = tracking && d ? d->subtree_com + 3 * cam->trackbodyid : cam->lookat;
    mth_addScl3(eye.pos, target, eye.forward, -cam->distance);
  } else if (cam->type == mjCAMERA_FIXED) {
    // model cameras look along their negative z axis
    const mjtNum* const mat = d->cam_xmat + 9 * cam->fixedcamid;
    mth_copy3(eye.pos, d->cam_xpos + 3 * cam->fixedcamid);
    mth_col3(eye.forward, mat, 2);
    mth_neg3(eye.forward, eye.forward);
    mth_col3(eye.up, mat, 1);
    mth_col3(side, mat, 0);
  } else {
    mju_error("mjv_cameraFrame: unknown camera type");
  }
  giveEye(&eye, headpos, forward, up);
  if (right) mth_copy3(right, side);
}

// how a camera projects: the model's own lens, or the global one for free and tracking cameras
typedef struct {
  mjtNum fovy, ipd;
  int orthographic;
  const float *intrinsic, *sensorsize;  // NULL: symmetric view
} Lens;

static Lens lensOf(const char* caller, const mjModel* m, const mjvCamera* cam) {
  Lens lens = {m->vis.global.fovy, m->vis.global.ipd, m->vis.global.orthographic, NULL, NULL};
  if (cam->type != mjCAMERA_FIXED) {
    if (cam->type != mjCAMERA_FREE && cam->type != mjCAMERA_TRACKING) mju_error("%s: unknown camera type", caller);
    return lens;
  }
  const int id = cam->fixedcamid;
  if (id < 0 || id >= m->ncam) {
    mju_error("%s: fixed camera id is outside valid range", caller);
    return lens;
  }
  lens.fovy = m->cam_fovy[id];
  lens.ipd = m->cam_ipd[id];
  lens.orthographic = m->cam_projection[id] == mjPROJ_ORTHOGRAPHIC;
  if (m->cam_sensorsize[2 * id + 1] != 0) {
    lens.sensorsize = m->cam_sensorsize + 2 * id;
    lens.intrinsic = m->cam_intrinsic + 4 * id;
  }
  return lens;
}

void vis_intrinsicFrustum(float zver[2], float zhor[2], float znear, const float intrinsic[4],
                          const float sensorsize[2]) {
  float* const edges[2] = {zhor, zver};
  for (int axis = 0; axis < 2; axis++) {
    if (!edges[axis]) continue;
    const float slope = znear / intrinsic[axis], half = sensorsize[axis] / 2.f, offset = intrinsic[2 + axis];
    edges[axis][0] = slope * (half - offset);
    edges[axis][1] = slope * (half + offset);
  }
}

static void frustumOf(const Lens* lens, const mjModel* m, float* zver, float* zhor, float* zclip) {
  const float znear = (float)(m->vis.map.znear * m->stat.extent);
  if (lens->intrinsic && !lens->orthographic) {
    vis_intrinsicFrustum(zver, zhor, znear, lens->intrinsic, lens->sensorsize);
  } else {
    // symmetric; the renderer takes the width from the shape of the window
    const mjtNum half = lens->orthographic ? lens->fovy / 2 : znear * mth_tan(lens->fovy * mjPI / 360.0);
    if (zver) zver[0] = zver[1] = (float)half;
    if (zhor) zhor[0] = zhor[1] = 0;
  }
  if (zclip) {
    zclip[0] = znear;
    zclip[1] = (float)(m->vis.map.zfar * m->stat.extent);
  }
}

void mjv_cameraFrustum(float zver[2], float zhor[2], float zclip[2], const mjModel* m, const mjvCamera* cam) {
  const Lens lens = lensOf(__func__, m, cam);
  frustumOf(&lens, m, zver, zhor, zclip);
}

void mjv_updateCamera(const mjModel* m, const mjData* d, mjvCamera* cam, mjvScene* scn) {
  if (!m || !cam || cam->type == mjCAMERA_USER) return;

  // a tracking camera looks at what it follows
  if (cam->type == mjCAMERA_TRACKING) {
    const int body = cam->trackbodyid;
    if (body < 0 || body >= m->nbody) {
      mju_error("mjv_updateCamera: track body id is outside valid range");
      return;
    }
    mth_copy3(cam->lookat, d->subtree_com + 3 * body);
  }
  const Lens lens = lensOf(__func__, m, cam);
  float zver[2], zhor[2], zclip[2];
  frustumOf(&lens, m, zver, zhor, zclip);
  mjtNum head[3], forward[3], up[3], right[3];
  mjv_cameraFrame(head, forward, up, right, d, cam);

  // two eyes side by side
  for (int n = 0; n < 2; n++) {
    mjvGLCamera* const eye = scn->camera + n;
    for (int i = 0; i < 3; i++) eye->pos[i] = (float)(head[i] + (n ? lens.ipd : -lens.ipd) * 0.5 * right[i]);
    mju_n2f(eye->forward, forward, 3);
    mju_n2f(eye->up, up, 3);
    eye->orthographic = lens.orthographic;
    eye->frustum_top = zver[1];
    eye->frustum_bottom = -zver[0];
    eye->frustum_center = (zhor[1] - zhor[0]) / 2;
    eye->frustum_width = (zhor[1] + zhor[0]) / 2;
    eye->frustum_near = zclip[0];
    eye->frustum_far = zclip[1];
  }

  // these eyes are in the model already; the transform keeps its numbers for whoever turns it on again
  scn->enabletransform = 0;
}

//---------------------------------- mouse -------------------------------------------------------------------------

void mjv_alignToCamera(mjtNum res[3], const mjtNum vec[3], const mjtNum forward[3]) {
  mjtNum ahead[2] = {forward[0], forward[1]};
  mju_normalize(ahead, 2);
  const mjtNum x = vec[0], y = vec[1];
  res[0] = x * ahead[1] + y * ahead[0];
  res[1] = -x * ahead[0] + y * ahead[1];
  res[2] = vec[2];
}

VisAxes vis_mouse(int action, const mjtNum motion[2], const mjtNum forward[3], mjtNum res[3]) {
  // share of (dx, dy) in each component, and whose components they are
  static const struct {
    signed char x[2], y[2], z[2];
    VisAxes axes;
  } MOUSE[] = {
  // clang-format off
      [mjMOUSE_ROTATE_V]   = {{0, 1}, {0, 0}, {1, 0}, VIS_VIEW},
      [mjMOUSE_ROTATE_H]   = {{0, 1}, {1, 0}, {0, 0}, VIS_VIEW},
      [mjMOUSE_MOVE_V]     = {{1, 0}, {0, 0}, {0, -1}, VIS_VIEW},
      [mjMOUSE_MOVE_H]     = {{1, 0}, {0, -1}, {0, 0}, VIS_VIEW},
      [mjMOUSE_ZOOM]       = {{0, 0}, {0, 0}, {0, 0}, VIS_VIEW},
      [mjMOUSE_MOVE_V_REL] = {{0, 0}, {1, 0}, {0, 1}, VIS_OWN},
      [mjMOUSE_MOVE_H_REL] = {{0, 1}, {1, 0}, {0, 0}, VIS_OWN},
  // clang-format on
  };
  if (action <= mjMOUSE_NONE || action > mjMOUSE_MOVE_H_REL) {
    mju_error("convert2D: unexpected mouse action %d in convert2D", action);
    mth_zero3(res);
    return VIS_VIEW;
  }
  const mjtNum dx = motion[0], dy = motion[1];
  const mjtNum vec[3] = {MOUSE[action].x[0] * dx + MOUSE[action].x[1] * dy,
                         MOUSE[action].y[0] * dx + MOUSE[action].y[1] * dy,
                         MOUSE[action].z[0] * dx + MOUSE[action].z[1] * dy};
  if (MOUSE[action].axes == VIS_OWN) {
    mth_copy3(res, vec);
  } else {
    mjv_alignToCamera(res, vec, forward);
  }
  return MOUSE[action].axes;
}

mjtNum vis_screenScale(const mjvScene* scn, const mjtNum point[3], const mjtNum head[3], const mjtNum forward[3]) {
  mjtNum ahead[3];
  mth_sub3(ahead, point, head);
  return mjv_frustumHeight(scn) * mth_dot3(ahead, forward);
}

// moves the point a camera looks at
static void moveLookat(int action, const mjtNum motion[2], const mjvScene* scn, mjvCamera* cam) {
  const Eye eye = meanEye("mjv_cameraInModel", scn, 1);
  mjtNum vec[3];

  // along the camera's own axes: right, and up or ahead
  if (action == mjMOUSE_MOVE_V_REL || action == mjMOUSE_MOVE_H_REL) {
    mth_cross3(vec, eye.forward, eye.up);
    mth_addToScl3(cam->lookat, vec, motion[0]);
    mth_addToScl3(cam->lookat, action == mjMOUSE_MOVE_V_REL ? eye.up : eye.forward, motion[1]);
    return;
  }

  // the picture follows the mouse, so the point goes the other way
  vis_mouse(action, motion, eye.forward, vec);
  const mjtNum damping = cam->orthographic ? VIS_ORTHOGRAPHIC_DAMPING : 1;
  mth_addToScl3(cam->lookat, vec, -vis_screenScale(scn, cam->lookat, eye.pos, eye.forward) * damping);
}

void mjv_moveCamera(const mjModel* m, int action, mjtNum reldx, mjtNum reldy, const mjvScene* scn, mjvCamera* cam) {
  if (cam->type == mjCAMERA_FIXED) return;
  const mjtNum motion[2] = {reldx, reldy}, extent = m->stat.extent;
  switch (action) {
    case mjMOUSE_ROTATE_V:
    case mjMOUSE_ROTATE_H:
      cam->azimuth -= reldx * 180.0;
      cam->elevation -= reldy * 180.0;
      break;

    case mjMOUSE_ZOOM:
      cam->distance -= mth_log(1 + cam->distance / extent / 3) * reldy * 9 * extent;
      break;

    case mjMOUSE_MOVE_V:
    case mjMOUSE_MOVE_H:
    case mjMOUSE_MOVE_V_REL:
    case mjMOUSE_MOVE_H_REL:
      // a tracking camera's point belongs to the body
      if (cam->type == mjCAMERA_TRACKING) return;
      moveLookat(action, motion, scn, cam);
      break;

    default:
      mju_error("mjv_moveCamera: unexpected action %d", action);
  }

  // one turn at most, never over the top, near enough to see the model
  if (cam->azimuth > 180) cam->azimuth -= 360;
  if (cam->azimuth < -180) cam->azimuth += 360;
  cam->elevation = mth_clip(cam->elevation, -STEEPEST, STEEPEST);
  cam->distance = mth_clip(cam->distance, NEAREST * extent, FURTHEST * extent);
}

// turns the model in the room about the sum of two axes, each by its share of the motion
static void turnModel(const mjtNum axis1[3], const mjtNum axis2[3], const mjtNum motion[2], mjvScene* scn) {
  mjtNum vec[3], quat[4], rotate[4];
  mth_scl3(vec, axis1, motion[0]);
  mth_addToScl3(vec, axis2, motion[1]);
  const mjtNum length = mth_normalize3(vec);
  mth_axisAngle2Quat(quat, vec, length * mjPI);
  mju_f2n(rotate, scn->rotate, 4);
  mth_mulQuat(rotate, quat, rotate);
  mth_normalize4(rotate);
  mju_n2f(scn->rotate, rotate, 4);
}

void mjv_moveModel(const mjModel* m, int action, mjtNum reldx, mjtNum reldy, const mjtNum roomup[3], mjvScene* scn) {
  if (!scn->enabletransform) return;

  // horizontal axes of the room as the camera sees it
  const Eye eye = meanEye("mjv_cameraInRoom", scn, 0);
  mjtNum ahead[3], right[3];
  mth_addScl3(ahead, eye.forward, roomup, -mth_dot3(eye.forward, roomup));
  mth_normalize3(ahead);
  mth_cross3(right, ahead, roomup);
  mth_normalize3(right);

  const mjtNum motion[2] = {reldx, reldy};
  const int vertical = action == mjMOUSE_ROTATE_V || action == mjMOUSE_MOVE_V || action == mjMOUSE_MOVE_V_REL;
  const mjtNum* const second = vertical ? roomup : ahead;
  switch (action) {
    case mjMOUSE_ROTATE_V:
    case mjMOUSE_ROTATE_H:
      turnModel(second, right, motion, scn);
      break;

    case mjMOUSE_MOVE_V:
    case mjMOUSE_MOVE_H:
    case mjMOUSE_MOVE_V_REL:
    case mjMOUSE_MOVE_H_REL:
      for (int i = 0; i < 3; i++) {
        const float step = (float)(right[i] * reldx - second[i] * reldy);
        scn->translate[i] = (float)(scn->translate[i] + step * m->stat.extent);
      }
      break;

    case mjMOUSE_ZOOM:
      scn->scale += (float)(mth_log(1 + scn->scale / 3) * reldy * 3);
      scn->scale = fminf(fmaxf(scn->scale, SMALLEST), LARGEST);
      break;

    default:
      mju_error("mjv_moveModel: unexpected action %d", action);
  }
}
