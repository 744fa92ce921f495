// Several simulations of one model side by side: those of a program elsewhere, or copies that are simulated here. Only
// their states are kept; each thread has one mjData, which serves all of them, one after the other.
#include <sinew/batch.h>
#include <sinew/sinew.h>
#include <stdlib.h>

#include "view/app.h"

void viw_closeGrid(ViwApp* app) {
  for (int i = 1; app->grid.anchors && i < app->grid.n; i++) free(app->grid.anchors[i - 1].number);
  free(app->grid.anchors);
  free(app->grid.state);
  for (int i = 0; i < app->grid.nd; i++) mj_deleteData(app->grid.d[i]);
  free(app->grid.d);
  app->grid = (ViwGrid){.n = 1};
  app->renderer.spread = 0;
}

void viw_openGrid(ViwApp* app, int n) {
  ViwGrid* const grid = &app->grid;
  viw_closeGrid(app);
  if (n < 2) return;
  grid->n = n;
  grid->size = mj_stateSize(app->m, mjSTATE_INTEGRATION);
  grid->columns = (int)ceil(sqrt(n));
  grid->state = malloc((size_t)(n - 1) * (size_t)grid->size * sizeof(mjtNum));
  grid->anchors = calloc((size_t)(n - 1), sizeof(*grid->anchors));
  const int threads = 1 + (app->pool ? app->pool->nworker : 0);
  grid->d = calloc((size_t)threads, sizeof(*grid->d));
  for (int i = 0; grid->d && i < threads && i < n - 1; i++) {
    grid->d[i] = mj_makeData(app->m);
    if (grid->d[i]) grid->nd++;
  }
  if (!grid->state || !grid->anchors || !grid->nd) mju_error("view: no memory for %d simulations", n);

  // far enough from each other for one that lies on the ground
  mjtNum low[3] = {0}, high[3] = {0}, middle[2];
  const double radius = viw_findBox(app->m, app->d, low, high);
  const double wide = fmax(fmax(high[0] - low[0], high[1] - low[1]), 0.75 * (high[2] - low[2]));
  grid->apart = radius > 0 ? 1.2 * fmin(wide, 2 * radius) : app->m->stat.extent;
  app->renderer.spread = (float)(2 * viw_gridSize(app, middle));
  viw_resetGrid(app);
}

double viw_gridSize(const ViwApp* app, mjtNum centre[2]) {
  const ViwGrid* const grid = &app->grid;
  const int columns = grid->n > 1 ? grid->columns : 1, rows = grid->n > 1 ? (grid->n - 1) / columns + 1 : 1;
  centre[0] = 0.5 * grid->apart * (columns - 1);
  centre[1] = 0.5 * grid->apart * (rows - 1);
  return sqrt(centre[0] * centre[0] + centre[1] * centre[1]);
}

//---------------------------------- simulating ----------------------------------

static mjtNum* stateOf(const ViwGrid* grid, int i) {
  return grid->state + (size_t)(i - 1) * (size_t)grid->size;
}

void viw_resetGrid(ViwApp* app) {
  const ViwGrid* const grid = &app->grid;
  const double differ = 0.05;  // standard deviation of velocities
  for (int i = 1; i < grid->n; i++) {
    snRandom random = sn_makeRandom(0, (uint32_t)i, 0);
    mj_getState(app->m, app->d, stateOf(grid, i), mjSTATE_INTEGRATION);
    mj_setState(app->m, grid->d[0], stateOf(grid, i), mjSTATE_INTEGRATION);
    for (int k = 0; k < (int)app->m->nv && !app->live.on; k++) grid->d[0]->qvel[k] += differ * sn_randomNormal(&random);
    mj_getState(app->m, grid->d[0], stateOf(grid, i), mjSTATE_INTEGRATION);
    viw_keepAnchors(grid->anchors + i - 1, app->d);
  }
}

// What one thread does: every nd-th simulation, n steps each.
typedef struct {
  const ViwApp* app;
  int first, n;
  int failed;  // the simulation that cannot go on, 0: none
  char message[VIW_NAME_SIZE * 3];
} Share;

static void* stepShare(void* arg) {
  Share* const share = arg;
  const ViwApp* const app = share->app;
  const ViwGrid* const grid = &app->grid;
  mjData* const d = grid->d[share->first - 1];
  for (int i = share->first; i < grid->n && !share->failed; i += grid->nd) {
    mj_setState(app->m, d, stateOf(grid, i), mjSTATE_INTEGRATION);
    viw_giveAnchors(grid->anchors + i - 1, app->m, d);
    mju_copy(d->ctrl, app->d->ctrl, (int)app->m->nu);
    for (int k = 0; k < share->n && !share->failed; k++) {
      if (sn_step(app->m, d, share->message, sizeof(share->message)) == SN_ERROR) share->failed = i;
    }
    if (share->failed) continue;
    mj_getState(app->m, d, stateOf(grid, i), mjSTATE_INTEGRATION);
    viw_keepAnchors(grid->anchors + i - 1, d);
  }
  return NULL;
}

void viw_stepGrid(ViwApp* app, int n) {
  ViwGrid* const grid = &app->grid;
  if (grid->n < 2 || grid->nd < 1 || n < 1) return;
  Share* const share = calloc((size_t)grid->nd, sizeof(*share));
  mjTask* const task = calloc((size_t)grid->nd, sizeof(*task));
  if (!share || !task) mju_error("view: no memory for %d simulations", grid->n);
  for (int i = 0; i < grid->nd; i++) share[i] = (Share){.app = app, .first = 1 + i, .n = n};

  // the calling thread has a share too
  for (int i = 1; i < grid->nd; i++) {
    mju_defaultTask(task + i);
    task[i].func = stepShare;
    task[i].args = share + i;
    mju_threadPoolEnqueue(app->pool, task + i);
  }
  stepShare(share);
  for (int i = 1; i < grid->nd; i++) mju_taskJoin(task + i);
  for (int i = 0; i < grid->nd; i++) {
    if (!share[i].failed) continue;
    app->paused = 1;
    viw_say(app, 1, "simulation %d: %s", share[i].failed, share[i].message);
  }
  free(share);
  free(task);
}

//---------------------------------- drawing ----------------------------------

// the ground is everybody's; of flexes and skins a scene holds one of each
static int isDrawnOnce(const mjvGeom* geom) {
  return geom->type == mjGEOM_PLANE || geom->type == mjGEOM_HFIELD || geom->type == mjGEOM_FLEX ||
         geom->type == mjGEOM_SKIN;
}

// a floor that ends is too small for all: it gets no end
static void widenFloors(mjvScene* scene) {
  for (int i = 0; i < scene->ngeom; i++) {
    mjvGeom* const geom = scene->geoms + i;
    if (geom->type == mjGEOM_PLANE && geom->mat[8] > 0.9f) geom->size[0] = geom->size[1] = 0;
  }
}

void viw_addGrid(ViwApp* app) {
  const ViwGrid* const grid = &app->grid;
  const mjModel* const m = app->m;
  mjvScene* const scene = &app->scene;
  mjvPerturb none;
  mjv_defaultPerturb(&none);
  if (grid->n > 1) widenFloors(scene);
  for (int i = 1; i < grid->n; i++) {
    mj_setState(m, grid->d[0], viw_shownStates(app) + (size_t)i * (size_t)grid->size, mjSTATE_INTEGRATION);
    mj_kinematics(m, grid->d[0]);
    mj_comPos(m, grid->d[0]);
    mj_tendon(m, grid->d[0]);
    int kept = scene->ngeom;
    const int first = kept;
    mjv_addGeoms(m, grid->d[0], &app->option, &none, mjCAT_STATIC | mjCAT_DYNAMIC, scene);
    for (int k = first; k < scene->ngeom; k++) {
      if (isDrawnOnce(scene->geoms + k)) continue;
      mjvGeom* const geom = scene->geoms + kept++;
      if (geom != scene->geoms + k) *geom = scene->geoms[k];
      geom->pos[0] += (float)(grid->apart * (i % grid->columns));
      geom->pos[1] += (float)(grid->apart * (i / grid->columns));
    }
    scene->ngeom = kept;
  }
}
