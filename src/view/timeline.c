// The past: states in a ring. Looking at one does not disturb the simulation, which is another mjData; going on from
// one gives the very steps that followed it before, unless something was changed.
#include <stdlib.h>

#include "view/app.h"

enum { MOST_STATES = 20000 };
static const size_t MOST_BYTES = (size_t)128 << 20;

void viw_openTimeline(ViwTimeline* line, const mjModel* m, int nsim) {
  *line = (ViwTimeline){.size = nsim * mj_stateSize(m, mjSTATE_INTEGRATION)};
  const size_t bytes = (size_t)(line->size + 1) * sizeof(mjtNum);
  const size_t room = MOST_BYTES / bytes;
  line->room = room < 2 ? 2 : room > MOST_STATES ? MOST_STATES : (int)room;
  line->state = malloc((size_t)line->room * (size_t)(line->size ? line->size : 1) * sizeof(mjtNum));
  line->time = malloc((size_t)line->room * sizeof(double));
  if (!line->state || !line->time) mju_error("view: no memory for the past");
}

void viw_closeTimeline(ViwTimeline* line) {
  free(line->state);
  free(line->time);
  *line = (ViwTimeline){0};
}

static int slotOf(const ViwTimeline* line, int i) {
  return line->room > 0 ? (line->first + i) % line->room : 0;
}

int viw_isPast(const ViwApp* app) {
  return app->m && app->timeline.at < app->timeline.n - 1;
}

mjData* viw_shownData(ViwApp* app) {
  return viw_isPast(app) ? app->shown : app->d;
}

void viw_remember(ViwApp* app) {
  ViwTimeline* const line = &app->timeline;
  const double time = app->d->time;
  // time that runs back, by a reset or by hand, begins anew
  if (line->n && time < line->time[slotOf(line, line->n - 1)]) line->n = 0;
  // a state of the same time replaces the last
  const int same = line->n && time == line->time[slotOf(line, line->n - 1)];
  if (!same && line->n == line->room) {
    line->first = slotOf(line, 1);
    line->n--;
  }
  if (!same) line->n++;
  const int at = slotOf(line, line->n - 1);
  mjtNum* const state = line->state + (size_t)at * (size_t)line->size;
  mj_getState(app->m, app->d, state, mjSTATE_INTEGRATION);
  if (app->grid.n > 1) {
    memcpy(state + app->grid.size, app->grid.state, (size_t)(line->size - app->grid.size) * sizeof(mjtNum));
  }
  line->time[at] = time;
  line->at = line->n - 1;
}

const mjtNum* viw_shownStates(const ViwApp* app) {
  const ViwTimeline* const line = &app->timeline;
  return line->state + (size_t)slotOf(line, line->at) * (size_t)line->size;
}

void viw_scrub(ViwApp* app, int at) {
  ViwTimeline* const line = &app->timeline;
  if (!app->m || !line->n) return;
  app->paused = 1;
  line->at = at < 0 ? 0 : at >= line->n ? line->n - 1 : at;
  if (!viw_isPast(app)) return;
  mj_setState(app->m, app->shown, viw_shownStates(app), mjSTATE_INTEGRATION);
  mj_forward(app->m, app->shown);
}

void viw_continue(ViwApp* app) {
  if (!viw_isPast(app)) return;
  const mjtNum* const state = viw_shownStates(app);
  mj_setState(app->m, app->d, state, mjSTATE_INTEGRATION);
  if (app->grid.n > 1) {
    memcpy(app->grid.state, state + app->grid.size, (size_t)(app->timeline.size - app->grid.size) * sizeof(mjtNum));
  }
  app->timeline.n = app->timeline.at + 1;
  app->ahead = 0;
}
