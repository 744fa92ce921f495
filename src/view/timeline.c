// The past: states in a ring. Looking at one does not disturb the simulation, which is another mjData; going on from
// one gives the very steps that followed it before, unless something was changed.
#include <sinew/contact.h>
#include <stdlib.h>

#include "view/app.h"

enum { MOST_STATES = 20000 };
static const size_t MOST_BYTES = (size_t)128 << 20;  // of states, and as many of what their contacts remember

//---------------------------------- what contacts remember ----------------------------------

static void reserveAnchors(ViwAnchors* a, int n) {
  if (n > a->room) {
    mjtNum* const number = realloc(a->number, (size_t)n * sizeof(mjtNum));
    if (!number) mju_error("view: no memory for what contacts remember");
    a->number = number;
    a->room = n;
  }
  a->n = n;
}

void viw_keepAnchors(ViwAnchors* a, const mjData* d) {
  reserveAnchors(a, sn_anchorSize(d));
  if (a->n) sn_getAnchors(d, a->number);
}

void viw_giveAnchors(const ViwAnchors* a, const mjModel* m, mjData* d) {
  sn_setAnchors(m, d, a->number, a->n);
}

void viw_copyAnchors(ViwAnchors* to, const ViwAnchors* from) {
  reserveAnchors(to, from->n);
  if (to->number && from->n) memcpy(to->number, from->number, (size_t)from->n * sizeof(mjtNum));
}

static int remembersAnything(const ViwApp* app) {
  int n = sn_anchorSize(app->d);
  for (int i = 1; i < app->grid.n && !n; i++) n = app->grid.anchors[i - 1].n;
  return n > 0;
}

// those of a state in the ring, one for each simulation
static ViwAnchors* anchorsOf(const ViwTimeline* line, int slot) {
  return line->anchors + (size_t)slot * (size_t)line->nsim;
}

static int slotOf(const ViwTimeline* line, int i) {
  return line->room > 0 ? (line->first + i) % line->room : 0;
}

static void forgetOldest(ViwTimeline* line) {
  for (int i = 0; line->anchors && i < line->nsim; i++) {
    ViwAnchors* const a = anchorsOf(line, line->first) + i;
    line->nanchor -= (size_t)a->room;
    free(a->number);
    *a = (ViwAnchors){0};
  }
  line->first = slotOf(line, 1);
  line->n--;
}

void viw_forget(ViwTimeline* line) {
  while (line->n) forgetOldest(line);
}

// beside the newest state
static void rememberAnchors(ViwApp* app) {
  ViwTimeline* const line = &app->timeline;
  if (!line->anchors && remembersAnything(app)) {
    line->anchors = calloc((size_t)line->room * (size_t)line->nsim, sizeof(ViwAnchors));
    if (!line->anchors) mju_error("view: no memory for the past");
  }
  if (!line->anchors) return;
  ViwAnchors* const a = anchorsOf(line, slotOf(line, line->n - 1));
  for (int i = 0; i < line->nsim; i++) {
    line->nanchor -= (size_t)a[i].room;
    if (i == 0) {
      viw_keepAnchors(a, app->d);
    } else {
      viw_copyAnchors(a + i, app->grid.anchors + i - 1);
    }
    line->nanchor += (size_t)a[i].room;
  }
  while (line->nanchor * sizeof(mjtNum) > MOST_BYTES && line->n > 2) forgetOldest(line);
}

//---------------------------------- states ----------------------------------

void viw_openTimeline(ViwTimeline* line, const mjModel* m, int nsim) {
  *line = (ViwTimeline){.size = nsim * mj_stateSize(m, mjSTATE_INTEGRATION), .nsim = nsim};
  const size_t bytes = (size_t)(line->size + 1) * sizeof(mjtNum);
  const size_t room = MOST_BYTES / bytes;
  line->room = room < 2 ? 2 : room > MOST_STATES ? MOST_STATES : (int)room;
  line->state = malloc((size_t)line->room * (size_t)(line->size ? line->size : 1) * sizeof(mjtNum));
  line->time = malloc((size_t)line->room * sizeof(double));
  if (!line->state || !line->time) mju_error("view: no memory for the past");
}

void viw_closeTimeline(ViwTimeline* line) {
  for (int i = 0; line->anchors && i < line->room * line->nsim; i++) free(line->anchors[i].number);
  free(line->anchors);
  free(line->state);
  free(line->time);
  *line = (ViwTimeline){0};
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
  if (line->n && time < line->time[slotOf(line, line->n - 1)]) viw_forget(line);
  // a state of the same time replaces the last
  const int same = line->n && time == line->time[slotOf(line, line->n - 1)];
  if (!same && line->n == line->room) forgetOldest(line);
  if (!same) line->n++;
  const int at = slotOf(line, line->n - 1);
  mjtNum* const state = line->state + (size_t)at * (size_t)line->size;
  mj_getState(app->m, app->d, state, mjSTATE_INTEGRATION);
  if (app->grid.n > 1) {
    memcpy(state + app->grid.size, app->grid.state, (size_t)(line->size - app->grid.size) * sizeof(mjtNum));
  }
  line->time[at] = time;
  rememberAnchors(app);
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
  if (line->anchors) viw_giveAnchors(anchorsOf(line, slotOf(line, line->at)), app->m, app->shown);
  mj_forward(app->m, app->shown);
}

void viw_continue(ViwApp* app) {
  if (!viw_isPast(app)) return;
  ViwTimeline* const line = &app->timeline;
  const mjtNum* const state = viw_shownStates(app);
  mj_setState(app->m, app->d, state, mjSTATE_INTEGRATION);
  if (app->grid.n > 1) {
    memcpy(app->grid.state, state + app->grid.size, (size_t)(line->size - app->grid.size) * sizeof(mjtNum));
  }
  if (line->anchors) {
    const ViwAnchors* const anchors = anchorsOf(line, slotOf(line, line->at));
    viw_giveAnchors(anchors, app->m, app->d);
    for (int i = 1; i < app->grid.n; i++) viw_copyAnchors(app->grid.anchors + i - 1, anchors + i);
  }
  line->n = line->at + 1;
  app->ahead = 0;
}
