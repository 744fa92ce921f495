// The simulations of a chunk of samples: one batch, whose rows become sample after sample.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "sweep.h"

struct SwpEngine {
  const SwpStudy* study;
  snBatch* b;
  snField* field;   // of each parameter
  SwpTally* tally;  // SWP_CHUNK x nmeasure
  int* step;        // steps left of each simulation
  double* result;   // where the measures of each simulation go
  int constants;    // 1: the model has constants that follow
};

// -------------------------------------------------------------------------------------------- callbacks

// after every step of a simulation, on its thread
static int observe(const mjModel* m, const mjData* d, int sim, void* context) {
  SwpEngine* const e = context;
  const int n = e->study->nmeasure;
  SwpTally* const tally = e->tally + (size_t)sim * (size_t)n;
  for (int k = 0; k < n; k++) swp_tally(e->study->measure + k, m, d, tally + k);
  if (--e->step[sim] > 0) return 0;
  for (int k = 0; k < n; k++) {
    e->result[(size_t)sim * (size_t)n + (size_t)k] = swp_result(e->study->measure + k, m, d, tally + k);
  }
  return 1;
}

// controls are looked up by time, with a place in the file of the thread's own
static void control(const mjModel* m, mjData* d, void* context) {
  RunControl mine = ((const SwpStudy*)context)->control;
  mine.row = 0;
  run_applyControl(&mine, m, d, (int)lround(d->time / m->opt.timestep));
}

// -------------------------------------------------------------------------------------------- make

static int bindParameters(SwpEngine* e) {
  const SwpStudy* const s = e->study;
  e->field = cli_zeroed((size_t)s->nvary + 1, sizeof(snField));
  for (int i = 0; i < s->nvary; i++) {
    const SwpPlace* const place = &s->vary[i].place;
    const snStatus status = place->inModel ? sn_batchExpand(e->b, 0, place->field, e->field + i)
                                           : sn_batchField(e->b, 0, place->field, e->field + i);
    if (status != SN_OK) return cli_fail(CLI_USAGE, "--vary %s: %s", s->vary[i].text, sn_batchMessage(e->b, -1));
    e->constants |= place->inModel && strncmp(place->field, "opt.", 4) != 0;
  }
  return CLI_OK;
}

SwpEngine* swp_makeEngine(const SwpStudy* study) {
  SwpEngine* const e = cli_zeroed(1, sizeof(*e));
  e->study = study;
  const snHooks hooks = {.context = (void*)study, .control = control};
  snBatchOptions o;
  sn_defaultBatchOptions(&o);
  o.nthread = study->threads;
  o.done = observe;
  o.context = e;
  if (study->control.wave) o.hooks = &hooks;
  char message[500];
  const mjModel* const m = study->model.m;
  e->b = sn_makeBatch(&m, 1, NULL, SWP_CHUNK, &o, message, sizeof(message));
  if (!e->b) cli_fail(CLI_FAILED, "%s", message);
  e->tally = cli_zeroed(SWP_CHUNK * (size_t)study->nmeasure, sizeof(SwpTally));
  e->step = cli_zeroed(SWP_CHUNK, sizeof(int));
  if (e->b && bindParameters(e) == CLI_OK) return e;
  swp_freeEngine(e);
  return NULL;
}

void swp_freeEngine(SwpEngine* e) {
  if (!e) return;
  sn_deleteBatch(e->b);
  free(e->field);
  free(e->tally);
  free(e->step);
  free(e);
}

// -------------------------------------------------------------------------------------------- run

static void store(void* row, char type, int i, double value) {
  switch (type) {
    case 'd':
      ((double*)row)[i] = value;
      break;
    case 'f':
      ((float*)row)[i] = (float)value;
      break;
    case 'i':
      ((int*)row)[i] = (int)lround(value);
      break;
    default:
      ((unsigned char*)row)[i] = (unsigned char)lround(value);
  }
}

// the elements that are varied get the model's values back, then those of the sample; base: the initial state
static void setParameters(const SwpEngine* e, const SwpChunk* chunk, int inModel, const mjData* base) {
  const SwpStudy* const s = e->study;
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < s->nvary; k++) {
      const SwpVary* const v = s->vary + k;
      const void* const owner = inModel ? (const void*)s->model.m : (const void*)base;
      if (v->place.inModel != inModel) continue;
      for (int sim = 0; sim < chunk->n; sim++) {
        char* const row = (char*)e->field[k].data + sim * e->field[k].stride[0];
        const double x = s->value[(size_t)chunk->sample[sim] * (size_t)s->nvary + (size_t)k];
        for (int i = 0; i < v->place.count; i++) {
          SwpPlace here = v->place;
          here.offset = 0;
          here.member = 1;
          const double now = pass ? swp_read(&here, row, i) : swp_read(&v->place, owner, i);
          const double value = !pass ? now : v->how == '*' ? now * x : v->how == '+' ? now + x : x;
          store(row, v->place.type, v->place.first + i, value);
        }
      }
    }
  }
}

// how many steps each simulation has: its timestep may be its own
static int planSteps(const SwpEngine* e, const SwpChunk* chunk) {
  int most = 0;
  for (int sim = 0; sim < chunk->n; sim++) {
    double timestep = e->study->model.m->opt.timestep;
    for (int k = 0; k < e->study->nvary; k++) {
      if (!strcmp(e->study->vary[k].place.field, "opt.timestep")) timestep = ((const double*)e->field[k].data)[sim];
    }
    const double steps = timestep > 0 ? ceil(e->study->time / timestep - 1e-9) : 1;
    e->step[sim] = steps < 1 ? 1 : steps > 2e9 ? 2000000000 : (int)steps;
    most = e->step[sim] > most ? e->step[sim] : most;
  }
  return most;
}

static void fail(SwpChunk* chunk, int sim, const char* message) {
  chunk->state[sim] = SWP_FAILED;
  memset(chunk->message[sim], 0, SWP_TEXT);
  snprintf(chunk->message[sim], SWP_TEXT, "%s", message);
}

// parameters and initial states; simulations that cannot begin fail
static void begin(SwpEngine* e, SwpChunk* chunk, mjtByte mask[SWP_CHUNK]) {
  const SwpStudy* const s = e->study;
  const snSelection which = {.mask = mask, .n = SWP_CHUNK};
  setParameters(e, chunk, 1, NULL);
  if (e->constants && sn_batchSetConst(e->b, &which) == SN_ERROR) {
    for (int i = 0; i < chunk->n; i++) {
      if (sn_batchStatus(e->b, i) == SN_ERROR) fail(chunk, i, sn_batchMessage(e->b, i));
    }
  }
  sn_batchReset(e->b, &which, s->key);
  mjData* const base = mj_makeData(s->model.m);
  if (s->key >= 0) mj_resetDataKeyframe(s->model.m, base, s->key);
  setParameters(e, chunk, 0, base);
  mj_deleteData(base);
}

int swp_compute(SwpEngine* e, SwpChunk* chunk, double* measured) {
  const int nmeasure = e->study->nmeasure;
  mjtByte mask[SWP_CHUNK] = {0};
  memset(chunk->state, 0, sizeof(chunk->state));
  memset(chunk->message, 0, sizeof(chunk->message));
  memset(measured, 0, (size_t)chunk->n * (size_t)nmeasure * sizeof(double));
  memset(e->tally, 0, SWP_CHUNK * (size_t)nmeasure * sizeof(SwpTally));
  memset(mask, 1, (size_t)chunk->n);
  e->result = measured;
  begin(e, chunk, mask);
  const snField done = {0};
  snField field = done;
  sn_batchField(e->b, -1, "done", &field);
  const int most = planSteps(e, chunk);
  int left = chunk->n;
  for (int step = 0; step < most && left && !cli_interrupted(); step++) {
    for (int i = 0; i < chunk->n; i++) {
      if (mask[i] && chunk->state[i]) mask[i] = 0;
    }
    sn_batchStep(e->b, &(snSelection){.mask = mask, .n = SWP_CHUNK}, 1);
    left = 0;
    for (int i = 0; i < chunk->n; i++) {
      if (!mask[i] || chunk->state[i]) continue;
      if (sn_batchStatus(e->b, i) == SN_ERROR) {
        fail(chunk, i, sn_batchMessage(e->b, i));
      } else if (((const mjtByte*)field.data)[i]) {
        chunk->state[i] = SWP_DONE;
      } else {
        left++;
      }
    }
  }
  for (int i = 0; i < chunk->n; i++) {
    for (int k = 0; k < nmeasure && chunk->state[i] == SWP_FAILED; k++) measured[i * nmeasure + k] = NAN;
  }
  return !left;
}
