// Frames of objects and their motion, from what the last forward pass left in the memory of the device: sensors and
// rays come after the solver, when nothing of the first stages is in the workspace any more.
#pragma once

#include "cuda/medium.h"
#include "cuda/tendon.h"

typedef struct {
  Real pos[3], mat[9];
} CuFrame;

//---------------------------------- cameras ----------------------------------

// axes of a camera: z away from the target, x horizontal
CU_FN void cu_lookAt(CuFrame* f, const Real target[3]) {
  const Real up[3] = {0, 0, 1};
  Real x[3], y[3], z[3];
  cu_sub3(z, f->pos, target);
  cu_unit3(z);
  cu_cross3(x, up, z);
  cu_unit3(x);
  cu_cross3(y, z, x);
  cu_unit3(y);
  for (int k = 0; k < 3; k++) cu_set3(f->mat + 3 * k, x[k], y[k], z[k]);
}

CU_FN void cu_cameraFrame(const Cu* c, int id, CuFrame* f) {
  const CudWatch* w = &c->t->watch;
  const int mode = w->cam_mode[id], target = w->cam_targetbodyid[id], body = w->cam_bodyid[id], n = 3 * c->m->nbody;
  const int com = mode == mjCAMLIGHT_TRACKCOM || mode == mjCAMLIGHT_TARGETBODYCOM;
  const Real* points = com ? CU_ROW(c, out.subtree_com, n) : CU_ROW(c, out.xpos, n);
  if (mode != mjCAMLIGHT_TRACK && mode != mjCAMLIGHT_TRACKCOM) {
    const Real* quat = CU_ROW(c, out.xquat, 4 * c->m->nbody) + 4 * body;
    Real q[4], turned[3];
    cu_rotate(turned, quat, w->cam_pos + 3 * id);
    cu_add3(f->pos, CU_ROW(c, out.xpos, n) + 3 * body, turned);
    cu_mulQuat(q, quat, w->cam_quat + 4 * id);
    cu_quat2Mat(f->mat, q);
    if (mode != mjCAMLIGHT_FIXED && target >= 0) cu_lookAt(f, points + 3 * target);
    return;
  }
  cu_add3(f->pos, points + 3 * body, (mode == mjCAMLIGHT_TRACK ? w->cam_pos0 : w->cam_poscom0) + 3 * id);
  cu_copyN(f->mat, w->cam_mat0 + 9 * id, 9);
}

//---------------------------------- frames ----------------------------------

CU_FN int cu_bodyOf(const Cu* c, int type, int id) {
  const CudModel* m = c->m;
  return type == mjOBJ_GEOM     ? m->geom_bodyid[id]
         : type == mjOBJ_SITE   ? m->site_bodyid[id]
         : type == mjOBJ_CAMERA ? c->t->watch.cam_bodyid[id]
                                : id;
}

// orientation as a quaternion; a camera's is that of its frame on the body
CU_FN void cu_quatOf(const Cu* c, int type, int id, Real q[4]) {
  const CudModel* m = c->m;
  const Real* quat = CU_ROW(c, out.xquat, 4 * m->nbody) + 4 * cu_bodyOf(c, type, id);
  const Real* local = type == mjOBJ_BODY     ? m->body_iquat
                      : type == mjOBJ_GEOM   ? m->geom_quat
                      : type == mjOBJ_SITE   ? m->site_quat
                      : type == mjOBJ_CAMERA ? c->t->watch.cam_quat
                                             : 0;
  if (local) {
    cu_mulQuat(q, quat, local + 4 * id);
  } else {
    cu_copy4(q, quat);
  }
}

CU_FN void cu_frameOf(const Cu* c, int type, int id, CuFrame* f) {
  const CudModel* m = c->m;
  const int body = cu_bodyOf(c, type, id);
  Real q[4], turned[3];
  if (type == mjOBJ_CAMERA) {
    cu_cameraFrame(c, id, f);
    return;
  }
  const Real* local = type == mjOBJ_BODY   ? m->body_ipos
                      : type == mjOBJ_GEOM ? m->geom_pos
                      : type == mjOBJ_SITE ? m->site_pos
                                           : 0;
  cu_quatOf(c, type, id, q);
  cu_quat2Mat(f->mat, q);
  cu_copy3(f->pos, CU_ROW(c, out.xpos, 3 * m->nbody) + 3 * body);
  if (local) {
    cu_rotate(turned, CU_ROW(c, out.xquat, 4 * m->nbody) + 4 * body, local + 3 * id);
    cu_add3(f->pos, f->pos, turned);
  }
}

//---------------------------------- motion ----------------------------------

// a spatial motion of a body (about the centre of mass of its tree) at a point of it, in the world or a local frame
CU_FN void cu_motionAt(const Cu* c, int body, const Real* motion, const CuFrame* f, int local, Real r[6]) {
  Real arm[3], lin[3];
  cu_sub3(arm, f->pos, CU_ROW(c, out.subtree_com, 3 * c->m->nbody) + 3 * c->m->body_rootid[body]);
  cu_cross3(lin, motion, arm);
  cu_add3(lin, lin, motion + 3);
  if (local) {
    cu_mulMatT3(r, f->mat, motion);
    cu_mulMatT3(r + 3, f->mat, lin);
  } else {
    cu_copy3(r, motion);
    cu_copy3(r + 3, lin);
  }
}

CU_FN void cu_velocityOf(const Cu* c, int type, int id, const CuFrame* f, int local, Real r[6]) {
  const CudModel* m = c->m;
  const int body = cu_bodyOf(c, type, id);
  for (int k = 0; k < 6; k++) r[k] = 0;
  if (!m->body_weldid[body]) return;
  cu_motionAt(c, body, CU_ROW(c, out.cvel, 6 * m->nbody) + 6 * body, f, local, r);
}

CU_FN void cu_accelerationOf(const Cu* c, int type, int id, const CuFrame* f, int local, Real r[6]) {
  const CudModel* m = c->m;
  const int body = cu_bodyOf(c, type, id);
  Real v[6], turn[3];
  for (int k = 0; k < 6; k++) r[k] = 0;
  if (!m->body_weldid[body]) return;
  cu_motionAt(c, body, CU_ROW(c, out.cacc, 6 * m->nbody) + 6 * body, f, local, r);
  cu_motionAt(c, body, CU_ROW(c, out.cvel, 6 * m->nbody) + 6 * body, f, local, v);
  cu_cross3(turn, v, v + 3);
  cu_add3(r + 3, r + 3, turn);
}
