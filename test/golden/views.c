// Scenes under every flag, label and frame, cameras that are moved, bodies that are dragged and things that are picked.
#include <string.h>

#include "golden/cases.h"
#include "golden/fields.h"
#include "golden/state.h"
#include "support/random.h"

typedef struct {
  mjModel* m;
  mjData* d;
  mjvScene scn;
  mjvOption opt;
  mjvCamera cam;
  mjvPerturb pert;
} View;

static void update(View* v) {
  mjv_updateScene(v->m, v->d, &v->opt, &v->pert, &v->cam, mjCAT_ALL, &v->scn);
}

// each flag turned over, each label, each frame, bounding volumes of every depth
static void options(Rec* rec, View* v) {
  for (int i = 0; i < mjNVISFLAG + mjNLABEL + mjNFRAME; i++) {
    rec_scope(rec, "option %d ", i);
    mjv_defaultOption(&v->opt);
    if (i < mjNVISFLAG) {
      // which volumes took part in the search is a library's own business
      if (i == mjVIS_BODYBVH || i == mjVIS_MESHBVH) v->m->vis.global.bvactive = 0;
      v->opt.flags[i] = !v->opt.flags[i];
      v->opt.bvh_depth = 2;
    } else if (i < mjNVISFLAG + mjNLABEL) {
      v->opt.label = i - mjNVISFLAG;
      memset(v->opt.sitegroup, 1, mjNGROUP);
      memset(v->opt.flags, v->opt.label % 2, mjVIS_CONTACTPOINT);
    } else {
      v->opt.frame = i - mjNVISFLAG - mjNLABEL;
    }
    update(v);
    fld_scene(rec, &v->scn);
  }
  mjv_defaultOption(&v->opt);
}

static void recordCamera(Rec* rec, const View* v) {
  double where[24] = {v->cam.lookat[0],    v->cam.lookat[1],    v->cam.lookat[2],    v->cam.distance,
                      v->cam.azimuth,      v->cam.elevation,    v->scn.scale,        0,
                      v->scn.translate[0], v->scn.translate[1], v->scn.translate[2], v->scn.rotate[0]};
  mjv_cameraInModel(where + 12, where + 15, where + 18, &v->scn);
  rec_num(rec, "camera", where, 24);
  mjv_cameraInRoom(where, where + 3, where + 6, &v->scn);
  where[9] = mjv_frustumHeight(&v->scn);
  rec_num(rec, "room", where, 10);
}

// every action on free, tracking and fixed cameras
static void cameras(Rec* rec, View* v) {
  for (int i = 0; i < 3 * mjMOUSE_MOVE_H_REL; i++) {
    rec_scope(rec, "camera %d ", i);
    mjv_defaultFreeCamera(v->m, &v->cam);
    v->cam.type = i % 3;
    v->cam.trackbodyid = (int)v->m->nbody - 1;
    v->cam.fixedcamid = v->m->ncam ? i % (int)v->m->ncam : -1;
    if (v->cam.type == mjCAMERA_FIXED && !v->m->ncam) v->cam.type = mjCAMERA_FREE;
    update(v);
    mjv_moveCamera(v->m, 1 + i / 3, 0.13, -0.21, &v->scn, &v->cam);
    update(v);
    recordCamera(rec, v);
    double frame[12];
    float clip[6];
    mjv_cameraFrame(frame, frame + 3, frame + 6, frame + 9, v->d, &v->cam);
    mjv_cameraFrustum(clip, clip + 2, clip + 4, v->m, &v->cam);
    rec_num(rec, "frame", frame, 12);
    rec_float(rec, "frustum", clip, 6);
  }
  // a model that is moved and scaled in its room
  mjv_defaultFreeCamera(v->m, &v->cam);
  v->scn.enabletransform = 1;
  v->scn.scale = 1.3F;
  for (int action = 1; action <= mjMOUSE_MOVE_H_REL; action++) {
    rec_scope(rec, "room %d ", action);
    const double up[3] = {0.1, 0.2, 0.97};
    update(v);
    mjv_moveModel(v->m, action, 0.11, 0.07, up, &v->scn);
    update(v);
    recordCamera(rec, v);
    double pose[14];
    const double pos[3] = {0.3, -0.4, 0.5}, quat[4] = {0.5, 0.5, -0.5, 0.5};
    mjv_room2model(pose, pose + 3, pos, quat, &v->scn);
    mjv_model2room(pose + 7, pose + 10, pos, quat, &v->scn);
    rec_num(rec, "poses", pose, 14);
  }
  v->scn.enabletransform = 0;
  const mjvGLCamera average = mjv_averageCamera(v->scn.camera, v->scn.camera + 1);
  rec_float(rec, "average", average.pos, 15);
}

static void recordPerturb(Rec* rec, const mjvPerturb* pert) {
  rec_num(rec, "refpos", pert->refpos, 3);
  rec_num(rec, "refquat", pert->refquat, 4);
  rec_num(rec, "refselpos", pert->refselpos, 3);
  rec_num(rec, "local", pert->localpos, 5);
}

// every body is dragged by every action, as a force and as a pose
static void drags(Rec* rec, View* v) {
  for (int i = 0; i < 4 * mjMOUSE_MOVE_H_REL && v->m->nbody > 1; i++) {
    rec_scope(rec, "drag %d ", i);
    mjv_defaultPerturb(&v->pert);
    v->pert.select = 1 + i % (int)(v->m->nbody - 1);
    for (int k = 0; k < 3; k++) v->pert.localpos[k] = 0.02 * (k + 1);
    mjv_initPerturb(v->m, v->d, &v->scn, &v->pert);
    v->pert.active = 1 + i % 3;
    mjv_movePerturb(v->m, v->d, 1 + i % mjMOUSE_MOVE_H_REL, 0.05, 0.08, &v->scn, &v->pert);
    recordPerturb(rec, &v->pert);
    mju_zero(v->d->xfrc_applied, 6 * (int)v->m->nbody);
    mjv_applyPerturbForce(v->m, v->d, &v->pert);
    rec_num(rec, "xfrc", v->d->xfrc_applied, 6 * (size_t)v->m->nbody);
    st_set(rec, v->m, v->d, 1);
    mj_forward(v->m, v->d);
    mjv_applyPerturbPose(v->m, v->d, &v->pert, i % 2);
    rec_num(rec, "qpos", v->d->qpos, (size_t)v->m->nq);
    rec_num(rec, "mocap", v->d->mocap_pos, 3 * (size_t)v->m->nmocap);
    st_set(rec, v->m, v->d, 1);
    mj_forward(v->m, v->d);
  }
  mjv_defaultPerturb(&v->pert);
}

// what lies under points of the picture
static void picks(Rec* rec, View* v) {
  rec_scope(rec, "pick ");
  mjv_defaultFreeCamera(v->m, &v->cam);
  update(v);
  Rnd rnd = {3};
  int found[4 * 40];
  double points[3 * 40];
  for (int i = 0; i < 40; i++) {
    double point[3] = {0, 0, 0};
    int geom = -1, flex = -1, skin = -1;
    const double x = rnd_uniform(&rnd, 0.2, 0.8), y = rnd_uniform(&rnd, 0.2, 0.8);
    const int body = mjv_select(v->m, v->d, &v->opt, 1.3, x, y, &v->scn, point, &geom, &flex, &skin);
    const int all[4] = {body, geom, flex, skin};
    memcpy(found + 4 * i, all, sizeof(all));
    memcpy(points + 3 * i, point, sizeof(point));
  }
  rec_int(rec, "found", found, 4 * 40);
  rec_num(rec, "points", points, 3 * 40);
}

// geoms that programs add
static void decorations(Rec* rec) {
  rec_scope(rec, "decoration ");
  static const int TYPES[] = {mjGEOM_CAPSULE, mjGEOM_CYLINDER, mjGEOM_ARROW, mjGEOM_ARROW1,
                              mjGEOM_ARROW2,  mjGEOM_LINE,     mjGEOM_BOX,   mjGEOM_ELLIPSOID};
  const double from[3] = {0.1, 0.2, 0.3}, to[3] = {-0.4, 0.1, 0.9}, size[3] = {0.1, 0.2, 0.3};
  for (int i = 0; i < 8; i++) {
    mjvGeom geom;
    memset(&geom, 0, sizeof(geom));
    mjv_initGeom(&geom, TYPES[i], i % 2 ? size : NULL, i % 3 ? from : NULL, NULL, NULL);
    rec_float(rec, "init", geom.size, 19);
    if (TYPES[i] != mjGEOM_BOX && TYPES[i] != mjGEOM_ELLIPSOID) mjv_connector(&geom, TYPES[i], 0.05, from, to);
    rec_float(rec, "connector", geom.size, 19);
  }
}

void gold_views(Rec* rec, const void* arg) {
  View v = {.m = gold_load(arg)};
  st_tighten(v.m);
  v.d = mj_makeData(v.m);
  mjv_defaultScene(&v.scn);
  mjv_makeScene(v.m, &v.scn, 5000);
  mjv_defaultOption(&v.opt);
  mjv_defaultPerturb(&v.pert);
  mjv_defaultFreeCamera(v.m, &v.cam);
  st_set(rec, v.m, v.d, 1);
  mj_forward(v.m, v.d);
  options(rec, &v);
  cameras(rec, &v);
  drags(rec, &v);
  picks(rec, &v);
  decorations(rec);
  mjv_freeScene(&v.scn);
  mj_deleteData(v.d);
  mj_deleteModel(v.m);
}
