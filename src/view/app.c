// The viewer's frame: input, simulation, picture, panels, records.
#include "view/app.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void viw_say(ViwApp* app, int bad, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(app->message, sizeof(app->message), format, args);
  va_end(args);
  app->messageBad = bad;
  app->messageEnd = app->now + (bad ? 12 : 3);
}

const char* viw_nameOf(const mjModel* m, int type, int id, char text[VIW_NAME_SIZE]) {
  const char* const name = id >= 0 ? mj_id2name(m, type, id) : NULL;
  if (name && *name) {
    snprintf(text, VIW_NAME_SIZE, "%s", name);
  } else {
    snprintf(text, VIW_NAME_SIZE, "%s %d", mju_type2Str(type), id);
  }
  return text;
}

//---------------------------------- beginning ----------------------------------

int viw_openApp(ViwApp* app, const ViwHost* host, ViwLookup lookup, const ViwStart* start, char error[VIW_ERROR_SIZE]) {
  *app = (ViwApp){.host = *host, .unit = 1, .lastClick = -1};
  if (!viw_openRenderer(&app->renderer, lookup, start->soft, error)) return 0;
  app->paused = start->paused;
  app->speed = start->speed > 0 ? start->speed : 1;
  app->frameTime = start->frameTime;
  app->copies = start->copies > 1 ? start->copies : 1;
  if (start->threads > 0) app->pool = mju_threadPoolCreate((size_t)start->threads);
  app->left = app->right = app->bars = !start->bare;
  app->open = (ViwOpen){.simulation = 1, .camera = 1, .watch = 1, .control = 1};
  mjv_defaultOption(&app->option);
  mjv_defaultScene(&app->scene);
  mjv_defaultCamera(&app->camera);
  mjv_defaultPerturb(&app->perturb);
  return 1;
}

void viw_closeApp(ViwApp* app) {
  viw_endRecords(app);
  viw_freeScript(app);
  viw_closeTimeline(&app->timeline);
  viw_closeGrid(app);
  viw_closeRenderer(&app->renderer);
  mjv_freeScene(&app->scene);
  mj_deleteData(app->d);
  mj_deleteData(app->shown);
  mj_deleteModel(app->m);
  mju_threadPoolDestroy(app->pool);
  *app = (ViwApp){0};
}

//---------------------------------- picture ----------------------------------

static void fillScene(ViwApp* app) {
  mjv_updateScene(app->m, viw_shownData(app), &app->option, &app->perturb, &app->camera, mjCAT_ALL, &app->scene);
  viw_addGrid(app);
}

// the scene of the state that is shown, with as much room as it needs
static void updateScene(ViwApp* app) {
  enum { MOST_GEOMS = 1 << 20 };
  mjvScene* const scene = &app->scene;
  fillScene(app);
  while (scene->status && scene->maxgeom < MOST_GEOMS) {
    mjtByte flags[mjNRNDFLAG];
    memcpy(flags, scene->flags, sizeof(flags));
    const int room = 2 * scene->maxgeom;
    mjv_freeScene(scene);
    mjv_makeScene(app->m, scene, room);
    memcpy(scene->flags, flags, sizeof(flags));
    fillScene(app);
  }
}

static void drawPicture(ViwApp* app) {
  const int rect[4] = {0, 0, app->width, app->height};
  if (app->m) updateScene(app);
  viw_drawScene(&app->renderer, &app->scene, rect);
  viw_drawLabels(&app->renderer, &app->scene, rect, app->height);
}

static void drawPanels(ViwApp* app) {
  // two panels need a window of their width; in a smaller one the panel that was opened last is shown
  if (app->left && app->right && (float)app->width < 600 * app->unit) {
    if (app->leftBefore) {
      app->left = 0;
    } else {
      app->right = 0;
    }
  }
  app->leftBefore = app->left;
  viw_uiBegin(&app->ui, &app->renderer.canvas, &app->input, app->unit);
  viw_drawCharts(app);
  viw_drawPanels(app);
  viw_drawHands(app);
  viw_drawOverlay(app);
  viw_uiEnd(&app->ui);
  viw_drawCanvas(&app->renderer.canvas, app->renderer.program + VIW_PROGRAM_CANVAS, app->width, app->height);
}

void viw_keepPace(ViwApp* app, double seconds) {
  const double slowest = 1.0 / 20, share = 0.1;
  const int frames = 20;  // that a change is given to show
  static const char* const GONE[] = {"the reflection", "shadows"};
  ViwRenderer* const r = &app->renderer;
  // pictures of a script or a film take the time they take
  if (!r->soft || app->frameTime > 0 || !app->m || seconds <= 0) return;
  app->drawTime = app->drawTime > 0 ? app->drawTime + share * (fmin(seconds, 1) - app->drawTime) : seconds;
  if (app->frame < app->paceFrame + frames || app->drawTime <= slowest || r->lean >= 2) return;
  viw_say(app, 0, "the processor draws: %s left out to keep pace", GONE[r->lean++]);
  app->paceFrame = app->frame;
}

void viw_drawFrame(ViwApp* app, int width, int height, float unit, double now) {
  app->width = width;
  app->height = height;
  app->unit = unit;
  app->wall = app->frame ? fmax(now - app->now, 0) : 0;
  app->now = now;
  viw_keepPace(app, app->wall);
  viw_setFontScale(&app->renderer.canvas, unit);
  viw_playScript(app);
  viw_checkFile(app);
  viw_handleInput(app);
  viw_simulate(app);
  viw_sampleWatches(app);
  drawPicture(app);
  drawPanels(app);
  viw_captureFrame(app);
  viw_endInput(app);
  app->frame++;
}
