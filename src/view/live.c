// States of a running program: messages (live/message.h) that a hub or a page passes on. Everything in them is checked;
// what is wrong is said on the screen, and what was shown stays.
#include <sinew/batch.h>
#include <sinew/sinew.h>
#include <stdio.h>

#include "live/message.h"
#include "view/app.h"

int viw_refuseLive(ViwApp* app) {
  if (app->live.on) viw_say(app, 0, "live: what moves it is the running program");
  return app->live.on;
}

//---------------------------------- the model ----------------------------------

static char warning[VIW_ERROR_SIZE];

static void keepWarning(const char* text) {
  snprintf(warning, sizeof(warning), "%.500s", text);
}

// MJCF, or a binary model; NULL with a message
static mjModel* readModel(const LivMessage* message, char error[VIW_ERROR_SIZE]) {
  if (message->bytes > 0 && message->body[0] == '<') {
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    mj_addBufferVFS(&vfs, "live.xml", message->body, (int)message->bytes);
    mjModel* const m = mj_loadXML("live.xml", &vfs, error, VIW_ERROR_SIZE);
    mj_deleteVFS(&vfs);
    return m;
  }
  // the reason comes as a warning
  void (*const before)(const char*) = mju_user_warning;
  snprintf(warning, sizeof(warning), "it is no model");
  mju_user_warning = keepWarning;
  mjModel* const m = mj_loadModelBuffer(message->body, (int)message->bytes);
  mju_user_warning = before;
  if (!m) snprintf(error, VIW_ERROR_SIZE, "%s", warning);
  return m;
}

// 1: the engine can compute with it; a binary model of anybody may ask for more memory than there is
static int isUsable(const mjModel* m, int nsim, char error[VIW_ERROR_SIZE]) {
  if ((double)nsim * mj_stateSize(m, mjSTATE_INTEGRATION) * sizeof(mjtNum) > (double)LIV_MOST_BYTES) {
    snprintf(error, VIW_ERROR_SIZE, "%d simulations of such a model are too many", nsim);
    return 0;
  }
  snBatchOptions options;
  sn_defaultBatchOptions(&options);
  options.nthread = 1;
  options.lanes = -1;
  snBatch* const trial = sn_makeBatch(&m, 1, NULL, 1, &options, error, VIW_ERROR_SIZE);
  const int good = trial && sn_batchForward(trial, NULL) != SN_ERROR;
  if (trial && !good) snprintf(error, VIW_ERROR_SIZE, "%.500s", sn_batchMessage(trial, 0));
  sn_deleteBatch(trial);
  return good;
}

static const char* takeHello(ViwApp* app, const LivMessage* message, char error[VIW_ERROR_SIZE]) {
  if (message->bytes > LIV_MOST_BYTES) return "a model that is too large";
  if (message->spec >= 1 << mjNSTATE || (message->spec & ~(uint32_t)mjSTATE_INTEGRATION)) {
    return "states of parts that do not exist";
  }
  const int again = app->live.on && app->live.signature == message->signature;
  mjModel* const m = readModel(message, error);
  if (!m) return error;
  if (!isUsable(m, (int)message->nsim, error)) {
    mj_deleteModel(m);
    return error;
  }
  app->live.on = 1;
  app->live.signature = message->signature;
  app->live.spec = message->spec;
  app->live.time = 0;
  app->error[0] = app->path[0] = 0;
  snprintf(app->name, sizeof(app->name), "live");
  viw_adopt(app, m, (int)message->nsim, again);
  viw_say(app, 0, "live: a model of %d bodies, %u simulations", (int)m->nbody, message->nsim);
  return NULL;
}

//---------------------------------- states ----------------------------------

// the numbers of a simulation into data; 0: some are not finite
static int setRow(const ViwApp* app, mjData* d, const unsigned char* row, int size) {
  mjtNum* const numbers = mju_malloc((size_t)(size ? size : 1) * sizeof(mjtNum));
  int good = 1;
  memcpy(numbers, row, (size_t)size * sizeof(mjtNum));
  for (int i = 0; i < size; i++) good &= isfinite(numbers[i]) != 0;
  if (good) mj_setState(app->m, d, numbers, (int)app->live.spec);
  mju_free(numbers);
  return good;
}

static const char* takeState(ViwApp* app, const LivMessage* message) {
  if (app->live.refused && message->signature == app->live.refused) return NULL;
  if (!app->live.on) return "a state without its model";
  if (message->signature != app->live.signature) return "a state of another model";
  const int size = mj_stateSize(app->m, (int)app->live.spec);
  if (message->spec != app->live.spec || (int)message->nsim != app->grid.n ||
      message->bytes != (uint64_t)size * sizeof(mjtNum) * message->nsim) {
    return "a state of another size";
  }
  app->live.states++;
  // who looks at the past or has stopped does not follow
  if (app->paused) return NULL;
  if (!setRow(app, app->d, message->body, size)) return "a state with numbers that are not finite";
  const ViwGrid* const grid = &app->grid;
  for (int i = 1; i < grid->n; i++) {
    const unsigned char* const row = message->body + (size_t)i * (size_t)size * sizeof(mjtNum);
    if (!setRow(app, grid->d[0], row, size)) return "a state with numbers that are not finite";
    mj_getState(app->m, grid->d[0], grid->state + (size_t)(i - 1) * (size_t)grid->size, mjSTATE_INTEGRATION);
  }
  viw_forward(app);
  viw_remember(app);
  return NULL;
}

void viw_liveMessage(ViwApp* app, const unsigned char* bytes, size_t n) {
  LivMessage message;
  char error[VIW_ERROR_SIZE] = "";
  const char* wrong = liv_readMessage(bytes, n, &message);
  if (!wrong && message.kind == LIV_HELLO) {
    wrong = takeHello(app, &message, error);
    app->live.refused = wrong ? message.signature : 0;
  } else if (!wrong) {
    wrong = takeState(app, &message);
  }
  if (wrong) viw_say(app, 1, "live: %.300s: left out", wrong);
}

void viw_liveGone(ViwApp* app) {
  if (app->live.on) viw_say(app, 0, "live: the program has gone; this is its last state");
}
