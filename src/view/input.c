// The mouse on the model: turning and moving the camera, selecting and pulling bodies. Keys go to the commands.
#include "view/app.h"
#include "view/keys.h"

void viw_event(ViwApp* app, const ViwEvent* event) {
  ViwInput* const in = &app->input;
  in->control = event->control;
  in->shift = event->shift;
  in->alt = event->alt;
  switch (event->kind) {
    case VIW_EVENT_KEY:
      if (event->down && in->nkey < (int)(sizeof(in->key) / sizeof(in->key[0]))) in->key[in->nkey++] = event->key;
      break;
    case VIW_EVENT_TEXT: {
      const size_t n = strlen(in->text);
      if (event->key >= 32 && event->key < 127 && n + 1 < sizeof(in->text)) in->text[n] = (char)event->key;
      break;
    }
    case VIW_EVENT_MOVE:
      in->x = event->x;
      in->y = event->y;
      break;
    case VIW_EVENT_BUTTON:
      if (event->key < 0 || event->key > 2) break;
      in->x = event->x;
      in->y = event->y;
      in->down[event->key] = event->down;
      if (event->down) {
        in->pressed[event->key] = 1;
      } else {
        in->released[event->key] = 1;
      }
      break;
    case VIW_EVENT_WHEEL:
      in->wheel += event->y;
      break;
    default:
      if (viw_loadPath(app, event->path)) viw_say(app, 0, "loaded %s", app->name);
  }
}

void viw_endInput(ViwApp* app) {
  ViwInput* const in = &app->input;
  memset(in->pressed, 0, sizeof(in->pressed));
  memset(in->released, 0, sizeof(in->released));
  memset(in->text, 0, sizeof(in->text));
  in->wheel = 0;
  in->nkey = 0;
  app->lastX = in->x;
  app->lastY = in->y;
}

//---------------------------------- selecting ----------------------------------

// what is under the mouse becomes the selection; 1: it is a body that moves or can be looked at
static int selectUnder(ViwApp* app, int keepEmpty) {
  mjtNum point[3];
  int geom = -1, flex = -1, skin = -1;
  mjData* const d = viw_shownData(app);
  const int body = mjv_select(app->m, d, &app->option, (mjtNum)app->width / app->height, app->input.x / app->width,
                              1 - app->input.y / app->height, &app->scene, point, &geom, &flex, &skin);
  if (body < 0 && keepEmpty) return 0;
  mjvPerturb* const p = &app->perturb;
  p->select = body > 0 ? body : 0;
  p->flexselect = flex;
  p->skinselect = skin;
  p->active = 0;
  if (body < 0) return 0;
  mjtNum offset[3];
  mju_sub3(offset, point, d->xpos + 3 * (size_t)body);
  mju_mulMatTVec3(p->localpos, d->xmat + 9 * (size_t)body, offset);
  return 1;
}

// two clicks: select; with the right button, look at the point; with Ctrl too, follow the body
static void doubleClick(ViwApp* app, int button) {
  mjvPerturb before = app->perturb;
  const int found = selectUnder(app, 0);
  if (button == 0) return;
  const mjvPerturb hit = app->perturb;
  app->perturb = before;
  if (!found) return;
  const mjData* const d = viw_shownData(app);
  if (app->input.control) {
    app->perturb.select = hit.select;
    viw_chooseCamera(app, 1);
  } else {
    mjtNum point[3];
    mju_mulMatVec3(point, d->xmat + 9 * (size_t)hit.select, hit.localpos);
    mju_add3(app->camera.lookat, point, d->xpos + 3 * (size_t)hit.select);
    if (app->camera.type == mjCAMERA_FIXED) viw_chooseCamera(app, 0);
  }
}

//---------------------------------- dragging ----------------------------------

// with Ctrl the body under the mouse is taken: the left button turns it, the right one pulls it
static void beginDrag(ViwApp* app, int button) {
  ViwInput* const in = &app->input;
  const double apart = fabs(in->x - app->clickX) + fabs(in->y - app->clickY);
  if (app->now - app->lastClick < 0.35 && apart < 6 * app->unit && button == app->clickButton) {
    doubleClick(app, button);
    app->lastClick = -1;
    return;
  }
  app->lastClick = app->now;
  app->clickX = in->x;
  app->clickY = in->y;
  app->clickButton = button;
  app->dragging = 1 + button;
  app->lastX = in->x;
  app->lastY = in->y;
  if (!in->control || button == 2) return;
  if (app->perturb.select <= 0 || app->perturb.flexselect >= 0) selectUnder(app, 1);
  if (app->perturb.select <= 0) {
    // Ctrl is for bodies: without one nothing happens
    app->dragging = 0;
    return;
  }
  if (viw_refuseLive(app)) {
    app->dragging = 0;
    return;
  }
  viw_continue(app);
  mjv_initPerturb(app->m, app->d, &app->scene, &app->perturb);
  app->perturb.active = button == 0 ? mjPERT_ROTATE : mjPERT_TRANSLATE;
}

static int actionOf(const ViwApp* app) {
  const int shift = app->input.shift;
  if (app->dragging == 1) return shift ? mjMOUSE_ROTATE_H : mjMOUSE_ROTATE_V;
  if (app->dragging == 2) return shift ? mjMOUSE_MOVE_H : mjMOUSE_MOVE_V;
  return mjMOUSE_ZOOM;
}

static void drag(ViwApp* app) {
  const double dx = app->input.x - app->lastX, dy = app->input.y - app->lastY;
  if (dx == 0 && dy == 0) return;
  const double height = app->height;
  if (app->perturb.active) {
    mjv_movePerturb(app->m, app->d, actionOf(app), dx / height, dy / height, &app->scene, &app->perturb);
    return;
  }
  // a camera of the model cannot be moved: the free one takes its place where it is
  if (app->camera.type == mjCAMERA_FIXED) viw_chooseCamera(app, 0);
  mjv_moveCamera(app->m, actionOf(app), dx / height, dy / height, &app->scene, &app->camera);
}

void viw_handleInput(ViwApp* app) {
  ViwInput* const in = &app->input;

  // what is typed into a field is no command
  if (!app->ui.edited) {
    for (int i = 0; i < in->nkey; i++) viw_runKey(app, in->key[i], in->shift, in->control);
  }
  if (!app->m || app->width <= 0 || app->height <= 0) return;
  for (int button = 0; button < 3; button++) {
    if (in->pressed[button] && !viw_uiHasMouse(&app->ui) && !app->dragging) beginDrag(app, button);
  }
  if (app->dragging) {
    drag(app);
    if (!in->down[app->dragging - 1]) {
      app->dragging = 0;
      app->perturb.active = 0;
    }
  }
  if (in->wheel != 0 && !viw_uiHasMouse(&app->ui)) {
    if (app->camera.type == mjCAMERA_FIXED) viw_chooseCamera(app, 0);
    mjv_moveCamera(app->m, mjMOUSE_ZOOM, 0, -0.05 * in->wheel, &app->scene, &app->camera);
  }
}
