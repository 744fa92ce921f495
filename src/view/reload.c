// Another model in the place of the one that is shown. What both have by the same name keeps its state: joints,
// controls, activations, equalities, mocap bodies.
#include <stdio.h>
#include <stdlib.h>

#include "view/app.h"

//---------------------------------- state by name ----------------------------------

// the object of the same name; those without one are the same by number where both models have as many
static int partner(const mjModel* from, const mjModel* to, int type, int id, int same) {
  const char* const name = mj_id2name(from, type, id);
  if (name && *name) return mj_name2id(to, type, name);
  return same ? id : -1;
}

static void copyNumbers(mjtNum* to, int at, const mjtNum* from, int start, int n) {
  memcpy(to + at, from + start, (size_t)n * sizeof(mjtNum));
}

static void carryJoints(const mjModel* from, const mjData* a, const mjModel* to, mjData* b) {
  static const int NPOS[] = {7, 4, 1, 1}, NVEL[] = {6, 3, 1, 1};
  for (int i = 0; i < (int)from->njnt; i++) {
    const int k = partner(from, to, mjOBJ_JOINT, i, from->njnt == to->njnt);
    const int type = from->jnt_type[i];
    if (k < 0 || to->jnt_type[k] != type) continue;
    copyNumbers(b->qpos, to->jnt_qposadr[k], a->qpos, from->jnt_qposadr[i], NPOS[type]);
    copyNumbers(b->qvel, to->jnt_dofadr[k], a->qvel, from->jnt_dofadr[i], NVEL[type]);
  }
}

void viw_carryOver(const mjModel* from, const mjData* a, const mjModel* to, mjData* b) {
  carryJoints(from, a, to, b);
  for (int i = 0; i < (int)from->nu; i++) {
    const int k = partner(from, to, mjOBJ_ACTUATOR, i, from->nu == to->nu);
    if (k < 0) continue;
    b->ctrl[k] = a->ctrl[i];
    const int n = from->actuator_actnum[i];
    if (n > 0 && to->actuator_actnum[k] == n) {
      copyNumbers(b->act, to->actuator_actadr[k], a->act, from->actuator_actadr[i], n);
    }
  }
  for (int i = 0; i < (int)from->neq; i++) {
    const int k = partner(from, to, mjOBJ_EQUALITY, i, from->neq == to->neq);
    if (k >= 0) b->eq_active[k] = a->eq_active[i];
  }
  for (int i = 0; i < (int)from->nbody; i++) {
    const int k = partner(from, to, mjOBJ_BODY, i, from->nbody == to->nbody);
    if (k < 0 || from->body_mocapid[i] < 0 || to->body_mocapid[k] < 0) continue;
    copyNumbers(b->mocap_pos, 3 * to->body_mocapid[k], a->mocap_pos, 3 * from->body_mocapid[i], 3);
    copyNumbers(b->mocap_quat, 4 * to->body_mocapid[k], a->mocap_quat, 4 * from->body_mocapid[i], 4);
  }
  b->time = a->time;
}

//---------------------------------- loading ----------------------------------

// the scene of a model, with the flags of the one before
static void makeScene(ViwApp* app) {
  enum { FIRST_GEOMS = 2000 };
  mjtByte flags[mjNRNDFLAG];
  memcpy(flags, app->scene.flags, sizeof(flags));
  const int before = app->scene.maxgeom;
  mjv_freeScene(&app->scene);
  mjv_makeScene(app->m, &app->scene, FIRST_GEOMS);
  if (before) memcpy(app->scene.flags, flags, sizeof(flags));
}

void viw_adopt(ViwApp* app, mjModel* m, int nsim, int keep) {
  mjData* const d = mj_makeData(m);
  mjData* const shown = mj_makeData(m);
  if (app->pool) mju_bindThreadPool(d, app->pool);
  if (keep && app->m) viw_carryOver(app->m, app->d, m, d);
  mj_deleteData(app->d);
  mj_deleteData(app->shown);
  viw_endRecords(app);
  viw_useModel(&app->renderer, NULL);
  mj_deleteModel(app->m);
  app->m = m;
  app->d = d;
  app->shown = shown;
  viw_closeTimeline(&app->timeline);
  viw_openTimeline(&app->timeline, m, nsim);
  makeScene(app);
  viw_useModel(&app->renderer, m);
  mjv_defaultPerturb(&app->perturb);
  app->ahead = 0;
  app->pushed = 0;
  app->keyframe = -1;
  app->renderer.lean = 0;
  app->drawTime = 0;
  app->paceFrame = app->frame;
  viw_forward(app);
  viw_openGrid(app, nsim);
  viw_remember(app);
  if (keep && app->cameraIndex < 2 + (int)m->ncam) {
    viw_chooseCamera(app, app->cameraIndex);
  } else {
    viw_frameModel(app);
  }
}

int viw_loadPath(ViwApp* app, const char* path) {
  char error[sizeof(app->error)] = "", full[VIW_PATH_SIZE];
  snprintf(full, sizeof(full), "%s", path);
  const int again = app->m && strcmp(full, app->path) == 0;
  mjModel* const m = app->host.load(app->host.context, full[0] ? full : NULL, error, sizeof(error));
  memcpy(app->path, full, sizeof(full));
  const char* const slash = strrchr(full, '/');
  snprintf(app->name, sizeof(app->name), "%.99s", !full[0] ? "humanoid" : slash ? slash + 1 : full);
  if (app->host.modified) app->modified = app->host.modified(app->host.context, app->path);
  if (!m) {
    // the model that was there goes on
    snprintf(app->error, sizeof(app->error), "%s", error[0] ? error : "the model cannot be loaded");
    return 0;
  }
  app->error[0] = 0;
  app->live.on = 0;
  viw_adopt(app, m, app->copies, again);
  return 1;
}

void viw_checkFile(ViwApp* app) {
  // a few times a second is enough
  if (!app->host.modified || !app->path[0] || app->now - app->checked < 0.3) return;
  app->checked = app->now;
  const double modified = app->host.modified(app->host.context, app->path);
  if (modified == app->modified || modified == 0) return;
  if (viw_loadPath(app, app->path)) viw_say(app, 0, "%s changed: loaded again", app->name);
}
