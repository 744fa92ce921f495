// Poses of cameras and lights: fixed to a body, following a body or its subtree's centre of mass at a constant
// orientation, or looking at a body.
#include "base/share.h"
#include "kinematics/frame.h"
#include "sleep/sleep.h"

// what a camera or light follows in one of the tracking modes, or looks at in one of the targeting modes
static const mjtNum* point(const mjData* d, int mode, int body) {
  const int com = mode == mjCAMLIGHT_TRACKCOM || mode == mjCAMLIGHT_TARGETBODYCOM;
  return (com ? d->subtree_com : d->xpos) + 3 * body;
}

static int tracks(int mode) {
  return mode == mjCAMLIGHT_TRACK || mode == mjCAMLIGHT_TRACKCOM;
}

static int targets(int mode, int target) {
  return target >= 0 && (mode == mjCAMLIGHT_TARGETBODY || mode == mjCAMLIGHT_TARGETBODYCOM);
}

// camera axes: z away from the target, x horizontal, y completes the frame
static void lookAt(mjtNum mat[9], const mjtNum pos[3], const mjtNum target[3]) {
  const mjtNum up[3] = {0, 0, 1};
  mjtNum x[3], y[3], z[3];
  mth_sub3(z, pos, target);
  mth_normalize3(z);
  mth_cross3(x, up, z);
  mth_normalize3(x);
  mth_cross3(y, z, x);
  mth_normalize3(y);
  for (int k = 0; k < 3; k++) mth_set3(mat + 3 * k, x[k], y[k], z[k]);
}

static void camera(const mjModel* m, mjData* d, int id) {
  const int body = m->cam_bodyid[id], target = m->cam_targetbodyid[id], mode = m->cam_mode[id];
  mjtNum *xpos = d->cam_xpos + 3 * id, *xmat = d->cam_xmat + 9 * id;

  if (tracks(mode)) {
    const mjtNum* offset = (mode == mjCAMLIGHT_TRACK ? m->cam_pos0 : m->cam_poscom0) + 3 * id;
    mth_add3(xpos, point(d, mode, body), offset);
    mth_copy9(xmat, m->cam_mat0 + 9 * id);
    return;
  }
  kin_framePos(d, xpos, m->cam_pos + 3 * id, body, mjSAMEFRAME_NONE);
  if (targets(mode, target)) {
    lookAt(xmat, xpos, point(d, mode, target));
  } else {
    kin_frameMat(d, xmat, m->cam_quat + 4 * id, body, mjSAMEFRAME_NONE);
  }
}

static void light(const mjModel* m, mjData* d, int id) {
  const int body = m->light_bodyid[id], target = m->light_targetbodyid[id], mode = m->light_mode[id];
  mjtNum *xpos = d->light_xpos + 3 * id, *xdir = d->light_xdir + 3 * id;

  if (tracks(mode)) {
    const mjtNum* offset = (mode == mjCAMLIGHT_TRACK ? m->light_pos0 : m->light_poscom0) + 3 * id;
    mth_add3(xpos, point(d, mode, body), offset);
    mth_copy3(xdir, m->light_dir0 + 3 * id);
  } else {
    kin_framePos(d, xpos, m->light_pos + 3 * id, body, mjSAMEFRAME_NONE);
    if (targets(mode, target)) {
      mth_sub3(xdir, point(d, mode, target), xpos);
    } else {
      mth_rotVecQuat(xdir, m->light_dir + 3 * id, d->xquat + 4 * body);
    }
  }
  mth_normalize3(xdir);
}

// neither the body nor what it looks at can have moved
static int still(const mjData* d, int body, int target) {
  return d->body_awake[body] != mjS_AWAKE && (target < 0 || d->body_awake[target] != mjS_AWAKE);
}

// cameras and lights that make a part worth a thread
enum { VIEW_PART = 32 };

// cameras, then lights, in parts
typedef struct {
  const mjModel* m;
  mjData* d;
  int filter, nparts;
} Views;

static void viewPart(void* arg, int piece) {
  const Views* views = arg;
  const mjModel* m = views->m;
  mjData* d = views->d;
  const int ncam = (int)m->ncam;
  const BasPart part = bas_part(ncam + (int)m->nlight, views->nparts, piece);
  for (int i = part.begin; i < part.end && i < ncam; i++) {
    if (views->filter && still(d, m->cam_bodyid[i], m->cam_targetbodyid[i])) continue;
    camera(m, d, i);
  }
  for (int i = part.begin > ncam ? part.begin - ncam : 0; i < part.end - ncam; i++) {
    if (views->filter && still(d, m->light_bodyid[i], m->light_targetbodyid[i])) continue;
    light(m, d, i);
  }
}

void mj_camlight(const mjModel* m, mjData* d) {
  const int n = (int)(m->ncam + m->nlight);
  Views views = {m, d, slp_bodies(m, d).list != NULL, bas_parts(d, n, VIEW_PART)};
  bas_share(d, NULL, viewPart, &views, views.nparts);
}
