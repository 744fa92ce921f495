// The panel on the right: hands on the model. Controls with their ranges, joints, equalities that can be switched.
#include <stdio.h>

#include "view/app.h"

enum { MOST_ROWS = 400 };  // of a kind; nobody reads more

static void controlPart(ViwApp* app) {
  const mjModel* const m = app->m;
  ViwUi* const ui = &app->ui;
  if (viw_uiButton(ui, "All to zero")) {
    viw_continue(app);
    mju_zero(app->d->ctrl, (int)m->nu);
  }
  for (int i = 0; i < (int)m->nu && i < MOST_ROWS; i++) {
    char name[VIW_NAME_SIZE];
    const int limited = m->actuator_ctrllimited[i];
    const mjtNum* const range = m->actuator_ctrlrange + 2 * (size_t)i;
    double value = viw_shownData(app)->ctrl[i];
    ui->section += 1;
    if (!viw_uiSlider(ui, viw_nameOf(m, mjOBJ_ACTUATOR, i, name), &value, limited ? range[0] : -1,
                      limited ? range[1] : 1)) {
      continue;
    }
    viw_continue(app);
    app->d->ctrl[i] = value;
    if (app->paused) viw_remember(app);
  }
}

static void jointPart(ViwApp* app) {
  const mjModel* const m = app->m;
  ViwUi* const ui = &app->ui;
  int rows = 0;
  for (int i = 0; i < (int)m->njnt && rows < MOST_ROWS; i++) {
    const int type = m->jnt_type[i];
    if (type != mjJNT_HINGE && type != mjJNT_SLIDE) continue;
    rows++;
    char name[VIW_NAME_SIZE];
    const int adr = m->jnt_qposadr[i];
    const mjtNum* const range = m->jnt_range + 2 * (size_t)i;
    const double whole = type == mjJNT_HINGE ? mjPI : 1;
    double value = viw_shownData(app)->qpos[adr];
    ui->section += 1;
    if (!viw_uiSlider(ui, viw_nameOf(m, mjOBJ_JOINT, i, name), &value, m->jnt_limited[i] ? range[0] : -whole,
                      m->jnt_limited[i] ? range[1] : whole)) {
      continue;
    }
    // a joint that is moved by hand stands still
    viw_continue(app);
    app->d->qpos[adr] = value;
    app->d->qvel[m->jnt_dofadr[i]] = 0;
    viw_forward(app);
    viw_remember(app);
  }
  if (!rows) viw_uiLabel(ui, "no hinges or slides", VIW_DIM);
}

static void equalityPart(ViwApp* app) {
  const mjModel* const m = app->m;
  for (int i = 0; i < (int)m->neq && i < MOST_ROWS; i++) {
    char name[VIW_NAME_SIZE];
    int on = viw_shownData(app)->eq_active[i];
    app->ui.section += 1;
    if (!viw_uiCheck(&app->ui, viw_nameOf(m, mjOBJ_EQUALITY, i, name), &on)) continue;
    viw_continue(app);
    app->d->eq_active[i] = (mjtByte)on;
    if (app->paused) viw_forward(app);
  }
}

// what the selected body is
static void selectionPart(ViwApp* app) {
  const mjModel* const m = app->m;
  const mjData* const d = viw_shownData(app);
  const int body = app->perturb.select;
  char name[VIW_NAME_SIZE], text[VIW_NAME_SIZE + 40];
  snprintf(text, sizeof(text), "selected: %s", viw_nameOf(m, mjOBJ_BODY, body, name));
  viw_uiLabel(&app->ui, text, VIW_ACCENT);
  const mjtNum* const x = d->xpos + 3 * (size_t)body;
  snprintf(text, sizeof(text), "at %.4g %.4g %.4g", x[0], x[1], x[2]);
  viw_uiLabel(&app->ui, text, VIW_DIM);
  snprintf(text, sizeof(text), "mass %.4g", m->body_mass[body]);
  viw_uiLabel(&app->ui, text, VIW_DIM);
  snprintf(text, sizeof(text), "with what hangs on it %.4g", m->body_subtreemass[body]);
  viw_uiLabel(&app->ui, text, VIW_DIM);
}

void viw_drawHands(ViwApp* app) {
  if (!app->right || !app->m) return;
  const mjModel* const m = app->m;
  ViwUi* const ui = &app->ui;
  const float width = 250 * app->unit;
  const ViwRect rect = {(float)app->width - width, 0, width, (float)app->height - (app->bars ? 40 * app->unit : 0)};
  viw_uiOpenPanel(ui, rect, &app->rightScroll);
  if (app->perturb.select > 0) {
    selectionPart(app);
  } else {
    viw_uiLabel(ui, "double-click selects a body", VIW_DIM);
  }
  if (app->live.on) {
    viw_uiLabel(ui, "live: the running program", VIW_DIM);
    viw_uiLabel(ui, "has the controls", VIW_DIM);
    viw_uiClosePanel(ui);
    return;
  }
  if (m->nu && viw_uiSection(ui, "Controls", &app->open.control)) controlPart(app);
  if (m->njnt && viw_uiSection(ui, "Joints", &app->open.joint)) jointPart(app);
  if (m->neq && viw_uiSection(ui, "Equalities", &app->open.equality)) equalityPart(app);
  viw_uiClosePanel(ui);
}
