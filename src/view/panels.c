// The panel on the left: simulation, physics and drawing options as in MJCF, cameras, watches, records.
#include <stdio.h>
#include <strings.h>

#include "view/app.h"

//---------------------------------- simulation ----------------------------------

static void simulationPart(ViwApp* app) {
  ViwUi* const ui = &app->ui;
  static const char* const RUN[] = {"Pause", "Step", "Reset"};
  static const char* const STAY[] = {"Play", "Step", "Reset"};
  const int pressed = viw_uiButtons(ui, app->paused ? STAY : RUN, 3);
  if (pressed == 0) viw_runKey(app, ' ', 0, 0);
  if (pressed == 1) {
    app->paused = 1;
    viw_step(app, 1);
  }
  if (pressed == 2) viw_reset(app, -1);
  static const char* const SPEED[] = {"Slower  (-)", "Faster  (=)"};
  char text[64];
  snprintf(text, sizeof(text), "speed x %.3g", app->speed);
  viw_uiLabel(ui, text, VIW_DIM);
  const int change = viw_uiButtons(ui, SPEED, 2);
  if (change >= 0) viw_runKey(app, change ? '=' : '-', 0, 0);
  for (int i = 0; i < (int)app->m->nkey; i++) {
    char name[VIW_NAME_SIZE], label[VIW_NAME_SIZE + 16];
    snprintf(label, sizeof(label), "keyframe %s", viw_nameOf(app->m, mjOBJ_KEY, i, name));
    if (viw_uiButton(ui, label)) viw_reset(app, app->keyframe = i);
  }
  if (viw_uiButton(ui, "Load again")) {
    if (viw_loadPath(app, app->path)) viw_say(app, 0, "loaded %s", app->name);
  }
}

//---------------------------------- physics ----------------------------------

static void flagRows(ViwUi* ui, int* word, const char* const* names, int n, int inverted) {
  for (int i = 0; i < n; i++) {
    int on = ((*word >> i) & 1) != inverted;
    if (viw_uiCheck(ui, names[i], &on)) *word ^= 1 << i;
  }
}

static void physicsPart(ViwApp* app) {
  static const char* const INTEGRATORS[] = {"Euler", "RK4", "implicit", "implicitfast"};
  static const char* const SOLVERS[] = {"PGS", "CG", "Newton"};
  static const char* const CONES[] = {"pyramidal", "elliptic"};
  static const char* const JACOBIANS[] = {"dense", "sparse", "auto"};
  ViwUi* const ui = &app->ui;
  mjOption* const opt = &app->m->opt;
  viw_uiChoice(ui, "integrator", &opt->integrator, INTEGRATORS, 4);
  viw_uiChoice(ui, "solver", &opt->solver, SOLVERS, 3);
  viw_uiChoice(ui, "cone", &opt->cone, CONES, 2);
  viw_uiChoice(ui, "jacobian", &opt->jacobian, JACOBIANS, 3);
  double iterations = opt->iterations;
  if (viw_uiSlider(ui, "iterations", &iterations, 1, 200)) opt->iterations = (int)iterations;
  viw_uiSlider(ui, "timestep", &opt->timestep, 1e-4, 0.02);
  viw_uiSlider(ui, "impratio", &opt->impratio, 0.1, 20);
  viw_uiSlider(ui, "gravity x", opt->gravity, -20, 20);
  viw_uiSlider(ui, "gravity y", opt->gravity + 1, -20, 20);
  viw_uiSlider(ui, "gravity z", opt->gravity + 2, -20, 20);
  viw_uiSlider(ui, "wind x", opt->wind, -20, 20);
  viw_uiSlider(ui, "wind y", opt->wind + 1, -20, 20);
  viw_uiSlider(ui, "density", &opt->density, 0, 2000);
  viw_uiSlider(ui, "viscosity", &opt->viscosity, 0, 1);
  viw_uiLabel(ui, "on unless disabled", VIW_DIM);
  flagRows(ui, &opt->disableflags, mjDISABLESTRING, mjNDISABLE, 1);
  viw_uiLabel(ui, "off unless enabled", VIW_DIM);
  flagRows(ui, &opt->enableflags, mjENABLESTRING, mjNENABLE, 0);
}

//---------------------------------- drawing ----------------------------------

static void byteRow(ViwUi* ui, const char* const* name, mjtByte* flag) {
  char label[64];
  snprintf(label, sizeof(label), name[2][0] ? "%s  (%s)" : "%s", name[0], name[2]);
  int on = *flag;
  if (viw_uiCheck(ui, label, &on)) *flag = (mjtByte)on;
}

static void drawingPart(ViwApp* app) {
  ViwUi* const ui = &app->ui;
  viw_uiChoice(ui, "labels", &app->option.label, mjLABELSTRING, mjNLABEL);
  viw_uiChoice(ui, "axes", &app->option.frame, mjFRAMESTRING, mjNFRAME);
  for (int i = 0; i < mjNRNDFLAG; i++) {
    // what this renderer has no use for
    if (i == mjRND_DEPTH || i == mjRND_SEGMENT || i == mjRND_IDCOLOR || i == mjRND_CULL_FACE) continue;
    if (i == mjRND_WIREFRAME && !vgl.PolygonMode) continue;
    byteRow(ui, mjRNDSTRING[i], app->scene.flags + i);
  }
  for (int i = 0; i < mjNVISFLAG; i++) byteRow(ui, mjVISSTRING[i], app->option.flags + i);
  double depth = app->option.bvh_depth;
  if (viw_uiSlider(ui, "bounding volumes: depth", &depth, 0, 20)) app->option.bvh_depth = (int)depth;
}

static void groupsPart(ViwApp* app) {
  const struct {
    const char* name;
    mjtByte* group;
  } kinds[] = {
      {"geoms",     app->option.geomgroup    },
      {"sites",     app->option.sitegroup    },
      {"joints",    app->option.jointgroup   },
      {"tendons",   app->option.tendongroup  },
      {"actuators", app->option.actuatorgroup},
      {"flexes",    app->option.flexgroup    },
      {"skins",     app->option.skingroup    }
  };
  for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
    char text[mjNGROUP][24];
    const char* label[mjNGROUP];
    viw_uiLabel(&app->ui, kinds[k].name, VIW_DIM);
    app->ui.section += (unsigned)k + 1;
    for (int i = 0; i < mjNGROUP; i++) {
      snprintf(text[i], sizeof(text[i]), kinds[k].group[i] ? "[%d]" : "%d", i);
      label[i] = text[i];
    }
    const int pressed = viw_uiButtons(&app->ui, label, mjNGROUP);
    if (pressed >= 0) kinds[k].group[pressed] = !kinds[k].group[pressed];
  }
}

//---------------------------------- the rest ----------------------------------

static void cameraPart(ViwApp* app) {
  ViwUi* const ui = &app->ui;
  int changed = -1;
  for (int i = 0; i < 2 + (int)app->m->ncam; i++) {
    char name[VIW_NAME_SIZE];
    int on = app->cameraIndex == i;
    const char* const label = i == 0 ? "free" : i == 1 ? "tracking" : viw_nameOf(app->m, mjOBJ_CAMERA, i - 2, name);
    if (viw_uiCheck(ui, label, &on)) changed = i;
  }
  if (changed >= 0) viw_chooseCamera(app, changed);
  if (viw_uiButton(ui, "See the whole model")) viw_frameModel(app);
  viw_uiCheck(ui, "orthographic", &app->camera.orthographic);
  char text[128];
  const mjvCamera* const c = &app->camera;
  snprintf(text, sizeof(text), "at %.3g %.3g %.3g", c->lookat[0], c->lookat[1], c->lookat[2]);
  viw_uiLabel(ui, text, VIW_DIM);
  snprintf(text, sizeof(text), "distance %.3g", c->distance);
  viw_uiLabel(ui, text, VIW_DIM);
}

static void recordPart(ViwApp* app) {
  ViwUi* const ui = &app->ui;
  if (app->host.savePicture && viw_uiButton(ui, "Picture  (F8)")) {
    snprintf(app->shot, sizeof(app->shot), "view-%04d.png", ++app->pictures);
  }
  if (app->host.filmFrame && viw_uiButton(ui, app->filming ? "End the film  (F9)" : "Film  (F9)")) viw_toggleFilm(app);
  if (app->host.startStates && viw_uiButton(ui, app->recording ? "End the states file  (F10)" : "States file  (F10)")) {
    viw_toggleStates(app);
  }
}

void viw_drawPanels(ViwApp* app) {
  if (!app->left || !app->m) return;
  ViwUi* const ui = &app->ui;
  const ViwRect rect = {0, 0, 270 * app->unit, (float)app->height - (app->bars ? 40 * app->unit : 0)};
  const struct {
    const char* title;
    int* open;
    void (*draw)(ViwApp* app);
  } parts[] = {
      {"Simulation", &app->open.simulation, simulationPart},
      {"Camera",     &app->open.camera,     cameraPart    },
      {"Watch",      &app->open.watch,      viw_watchPanel},
      {"Drawing",    &app->open.drawing,    drawingPart   },
      {"Groups",     &app->open.groups,     groupsPart    },
      {"Physics",    &app->open.physics,    physicsPart   },
      {"Record",     &app->open.record,     recordPart    }
  };
  viw_uiOpenPanel(ui, rect, &app->leftScroll);
  viw_uiLabel(ui, app->name, VIW_ACCENT);
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
    if (viw_uiSection(ui, parts[i].title, parts[i].open)) parts[i].draw(app);
  }
  viw_uiClosePanel(ui);
}
