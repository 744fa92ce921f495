// What keys do: one table that keys, buttons and the help share. Letters of drawing flags come from the library's own
// tables, so that hands that know the reference's viewer find them.
#include "view/keys.h"

#include <ctype.h>
#include <stdio.h>
#include <strings.h>

#include "view/app.h"

//---------------------------------- simulation ----------------------------------

static void togglePause(ViwApp* app, int argument) {
  (void)argument;
  if (app->paused) viw_continue(app);
  app->paused = !app->paused;
}

// steps forward, or through the past
static void stepBy(ViwApp* app, int argument) {
  app->paused = 1;
  if (argument > 0 && !viw_isPast(app)) {
    viw_step(app, argument);
  } else {
    viw_scrub(app, app->timeline.at + argument);
  }
}

static void changeSpeed(ViwApp* app, int argument) {
  static const double SPEEDS[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20};
  enum { N = sizeof(SPEEDS) / sizeof(SPEEDS[0]) };
  int nearest = 0;
  for (int i = 0; i < N; i++) {
    if (fabs(log(app->speed / SPEEDS[i])) < fabs(log(app->speed / SPEEDS[nearest]))) nearest = i;
  }
  const int next = nearest + argument;
  app->speed = SPEEDS[next < 0 ? 0 : next >= N ? N - 1 : next];
  viw_say(app, 0, "speed %g", app->speed);
}

static void reset(ViwApp* app, int argument) {
  viw_reset(app, argument);
}

static void nextKeyframe(ViwApp* app, int argument) {
  (void)argument;
  if (!app->m || !app->m->nkey) {
    viw_say(app, 0, "the model has no keyframes");
    return;
  }
  app->keyframe = (app->keyframe + 1) % (int)app->m->nkey;
  viw_reset(app, app->keyframe);
  char name[VIW_NAME_SIZE];
  viw_say(app, 0, "keyframe %s", viw_nameOf(app->m, mjOBJ_KEY, app->keyframe, name));
}

static void reload(ViwApp* app, int argument) {
  (void)argument;
  if (viw_loadPath(app, app->path)) viw_say(app, 0, "loaded %s", app->name);
}

static void leave(ViwApp* app, int argument) {
  (void)argument;
  app->quit = 1;
}

//---------------------------------- cameras ----------------------------------

// the free camera where the one of the model is
static void leaveFixed(ViwApp* app) {
  const mjvGLCamera* const c = app->scene.camera;
  mjvCamera* const free = &app->camera;
  free->distance = app->m->stat.extent;
  for (int k = 0; k < 3; k++) {
    free->lookat[k] = 0.5 * (c[0].pos[k] + c[1].pos[k]) + free->distance * c[0].forward[k];
  }
  free->azimuth = atan2(c[0].forward[1], c[0].forward[0]) * 180 / mjPI;
  free->elevation = asin(fmax(-1, fmin(1, c[0].forward[2]))) * 180 / mjPI;
}

void viw_chooseCamera(ViwApp* app, int index) {
  if (!app->m) return;
  const int n = 2 + (int)app->m->ncam;
  app->cameraIndex = ((index % n) + n) % n;
  if (app->cameraIndex == 0) {
    if (app->camera.type == mjCAMERA_FIXED) leaveFixed(app);
    app->camera.type = mjCAMERA_FREE;
  } else if (app->cameraIndex == 1) {
    app->camera.type = mjCAMERA_TRACKING;
    app->camera.trackbodyid = app->perturb.select > 0 ? app->perturb.select : app->m->nbody > 1;
  } else {
    app->camera.type = mjCAMERA_FIXED;
    app->camera.fixedcamid = app->cameraIndex - 2;
  }
}

double viw_findBox(const mjModel* m, const mjData* d, mjtNum low[3], mjtNum high[3]) {
  mjtNum size[3];
  int n = 0;
  for (int i = 0; i < (int)m->ngeom; i++) {
    const mjtNum radius = m->geom_rbound[i];
    if (m->geom_type[i] == mjGEOM_PLANE || radius <= 0 || m->geom_rgba[4 * (size_t)i + 3] == 0) continue;
    for (int k = 0; k < 3; k++) {
      const mjtNum x = d->geom_xpos[3 * (size_t)i + k];
      low[k] = n ? mju_min(low[k], x - radius) : x - radius;
      high[k] = n ? mju_max(high[k], x + radius) : x + radius;
    }
    n++;
  }
  if (!n) return 0;
  mju_sub3(size, high, low);
  return mju_min(0.5 * mju_norm3(size), 4 * m->stat.extent);
}

// the sphere around everything that has an end and is shown, seen from where the camera looks
void viw_frameModel(ViwApp* app) {
  if (!app->m) return;
  const mjModel* const m = app->m;
  mjtNum low[3] = {0}, high[3] = {0}, middle[2];
  mjv_defaultFreeCamera(m, &app->camera);
  app->cameraIndex = 0;
  const double around = viw_gridSize(app, middle);
  const mjtNum radius = viw_findBox(m, viw_shownData(app), low, high) + 0.7 * around;
  if (!(radius > 0.7 * around)) return;
  for (int k = 0; k < 3; k++) app->camera.lookat[k] = 0.5 * (low[k] + high[k]) + (k < 2 ? middle[k] : 0);
  // as far away as the angle of view needs
  const mjtNum half = 0.5 * m->vis.global.fovy * mjPI / 180;
  app->camera.distance = mju_max(0.75 * radius / mju_max(sin(half), 0.05), 1e-3);
}

static void frameAll(ViwApp* app, int argument) {
  (void)argument;
  viw_frameModel(app);
}

static void freeCamera(ViwApp* app, int argument) {
  (void)argument;
  app->help = 0;
  viw_chooseCamera(app, 0);
}

static void moveCamera(ViwApp* app, int argument) {
  viw_chooseCamera(app, app->cameraIndex + argument);
  char name[VIW_NAME_SIZE];
  viw_say(app, 0, "camera: %s",
          app->cameraIndex == 0   ? "free"
          : app->cameraIndex == 1 ? "tracking"
                                  : viw_nameOf(app->m, mjOBJ_CAMERA, app->cameraIndex - 2, name));
}

//---------------------------------- window ----------------------------------

static void toggleLeft(ViwApp* app, int argument) {
  (void)argument;
  app->left = !app->left;
}

static void toggleRight(ViwApp* app, int argument) {
  (void)argument;
  app->right = !app->right;
}

static void toggleHelp(ViwApp* app, int argument) {
  (void)argument;
  app->help = !app->help;
}

static void cycleFrames(ViwApp* app, int argument) {
  (void)argument;
  app->option.frame = (app->option.frame + 1) % mjNFRAME;
}

static void cycleLabels(ViwApp* app, int argument) {
  (void)argument;
  app->option.label = (app->option.label + 1) % mjNLABEL;
}

static void toggleGroup(ViwApp* app, int argument) {
  app->option.geomgroup[argument] = !app->option.geomgroup[argument];
}

static void takePicture(ViwApp* app, int argument) {
  (void)argument;
  snprintf(app->shot, sizeof(app->shot), "view-%04d.png", ++app->pictures);
}

static void film(ViwApp* app, int argument) {
  (void)argument;
  viw_toggleFilm(app);
}

static void states(ViwApp* app, int argument) {
  (void)argument;
  viw_toggleStates(app);
}

// one line each
// clang-format off
const ViwCommand viw_commands[] = {
    {VIW_KEY_SPACE, 0, 0, "Space", "pause, go on", togglePause, 0},
    {VIW_KEY_RIGHT, 0, 0, "Right", "one step; in the past, one state forward", stepBy, 1},
    {VIW_KEY_LEFT, 0, 0, "Left", "one state back", stepBy, -1},
    {VIW_KEY_RIGHT, 1, 0, "Shift Right", "fifty steps or states", stepBy, 50},
    {VIW_KEY_LEFT, 1, 0, "Shift Left", "fifty states back", stepBy, -50},
    {'=', 0, 0, "=", "faster", changeSpeed, 1},
    {'-', 0, 0, "-", "slower", changeSpeed, -1},
    {VIW_KEY_BACKSPACE, 0, 0, "Backspace", "reset", reset, -1},
    {'K', 0, 1, "Ctrl K", "next keyframe", nextKeyframe, 0},
    {'L', 0, 1, "Ctrl L", "load the file again", reload, 0},
    {'A', 0, 1, "Ctrl A", "see the whole model", frameAll, 0},
    {'[', 0, 0, "[", "camera before", moveCamera, -1},
    {']', 0, 0, "]", "next camera", moveCamera, 1},
    {VIW_KEY_ESCAPE, 0, 0, "Esc", "free camera", freeCamera, 0},
    {VIW_KEY_TAB, 0, 0, "Tab", "left panel", toggleLeft, 0},
    {VIW_KEY_TAB, 1, 0, "Shift Tab", "right panel", toggleRight, 0},
    {VIW_KEY_F1, 0, 0, "F1", "this help", toggleHelp, 0},
    {VIW_KEY_F1 + 5, 0, 0, "F6", "axes of bodies, geoms, sites, ...", cycleFrames, 0},
    {VIW_KEY_F1 + 6, 0, 0, "F7", "labels of bodies, joints, geoms, ...", cycleLabels, 0},
    {VIW_KEY_F1 + 7, 0, 0, "F8", "picture", takePicture, 0},
    {VIW_KEY_F1 + 8, 0, 0, "F9", "film: begin, end", film, 0},
    {VIW_KEY_F1 + 9, 0, 0, "F10", "states file: begin, end", states, 0},
    {'0', 0, 0, "0 ... 5", "groups of geoms", toggleGroup, 0},
    {'1', 0, 0, NULL, "", toggleGroup, 1},
    {'2', 0, 0, NULL, "", toggleGroup, 2},
    {'3', 0, 0, NULL, "", toggleGroup, 3},
    {'4', 0, 0, NULL, "", toggleGroup, 4},
    {'5', 0, 0, NULL, "", toggleGroup, 5},
    {'Q', 0, 1, "Ctrl Q", "leave", leave, 0},
    {0, 0, 0, NULL, NULL, NULL, 0},
};
// clang-format on

// a flag of drawing by its letter
static int toggleFlag(ViwApp* app, int key) {
  for (int i = 0; i < mjNVISFLAG; i++) {
    if (mjVISSTRING[i][2][0] != key) continue;
    app->option.flags[i] = !app->option.flags[i];
    viw_say(app, 0, "%s: %s", mjVISSTRING[i][0], app->option.flags[i] ? "on" : "off");
    return 1;
  }
  for (int i = 0; i < mjNRNDFLAG; i++) {
    if (mjRNDSTRING[i][2][0] != key) continue;
    app->scene.flags[i] = !app->scene.flags[i];
    viw_say(app, 0, "%s: %s", mjRNDSTRING[i][0], app->scene.flags[i] ? "on" : "off");
    return 1;
  }
  return 0;
}

int viw_runKey(ViwApp* app, int key, int shift, int control) {
  for (const ViwCommand* c = viw_commands; c->text; c++) {
    if (c->key != key || c->shift != shift || c->control != control) continue;
    c->run(app, c->argument);
    return 1;
  }
  return !control && key > 32 && key < 127 ? toggleFlag(app, key) : 0;
}

int viw_keyNamed(const char* name) {
  static const struct {
    const char* name;
    int key;
  } names[] = {
      {"space",     VIW_KEY_SPACE    },
      {"escape",    VIW_KEY_ESCAPE   },
      {"enter",     VIW_KEY_ENTER    },
      {"tab",       VIW_KEY_TAB      },
      {"backspace", VIW_KEY_BACKSPACE},
      {"left",      VIW_KEY_LEFT     },
      {"right",     VIW_KEY_RIGHT    },
      {"up",        VIW_KEY_UP       },
      {"down",      VIW_KEY_DOWN     },
  };
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (strcasecmp(name, names[i].name) == 0) return names[i].key;
  }
  int number = 0, end = 0;
  if ((name[0] == 'f' || name[0] == 'F') && sscanf(name + 1, "%2d%n", &number, &end) == 1 && !name[1 + end]) {
    return number >= 1 && number <= 12 ? VIW_KEY_F1 + number - 1 : 0;
  }
  return name[0] && !name[1] ? toupper((unsigned char)name[0]) : 0;
}
