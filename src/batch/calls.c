// The public calls: check what is asked, select, let all threads work, and say what it came to.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sinew/contact.h>

#include "batch/batch.h"
#include "batch/cuda.h"
#include "sleep/sleep.h"

//---------------------------------- selection ----------------------------------

__attribute__((format(printf, 2, 3))) static int complain(snBatch* b, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(b->complaint, sizeof(b->complaint), format, args);
  va_end(args);
  return 0;
}

static int selectMask(snBatch* b, const snSelection* which) {
  if (which->n != b->n) {
    return complain(b, "the mask has %d entries, the batch has %d simulations", which->n, b->n);
  }
  b->count = 0;
  for (int i = 0; i < b->n; i++) {
    if (which->mask[i]) b->index[b->count++] = i;
  }
  b->list = b->index;
  return 1;
}

// a simulation that was selected twice would be computed by two threads at once
static int selectIndex(snBatch* b, const snSelection* which) {
  if (which->n < 0 || which->n > b->n) {
    return complain(b, "%d simulations are selected of %d", which->n, b->n);
  }
  b->call++;
  for (int i = 0; i < which->n; i++) {
    const int sim = which->index[i];
    if (sim < 0 || sim >= b->n) return complain(b, "index[%d] = %d is none of %d simulations", i, sim, b->n);
    if (b->stamp[sim] == b->call) return complain(b, "index[%d] = %d: this simulation is selected twice", i, sim);
    b->stamp[sim] = b->call;
    b->index[i] = sim;
  }
  b->list = b->index;
  b->count = which->n;
  return 1;
}

// 1: b->list and b->count are what is selected
static int selectSimulations(snBatch* b, const snSelection* which) {
  b->list = NULL;
  b->count = b->n;
  if (!which) return 1;
  if (!which->mask == !which->index) return complain(b, "a selection has either a mask or an index");
  return which->mask ? selectMask(b, which) : selectIndex(b, which);
}

static int simulationAt(const snBatch* b, int position) {
  return b->list ? b->list[position] : position;
}

//---------------------------------- begin and end ----------------------------------

// 1: the batch is this caller's until finish
static int begin(snBatch* b, const snSelection* which) {
  if (!b || atomic_exchange(&b->busy, 1)) return 0;
  b->complaint[0] = 0;
  int good = 1;
  if (b->process != getpid()) {
    good = complain(b, "the batch was made by process %d: its threads did not follow the fork", (int)b->process);
  }
  if (good && selectSimulations(b, which)) return 1;
  atomic_store(&b->busy, 0);
  return 0;
}

static snStatus finish(snBatch* b, snStatus status) {
  atomic_store(&b->busy, 0);
  return status;
}

int bat_isForeign(const snBatch* b) {
  const snHooks* const h = &b->hooks;
  return mjcb_passive || mjcb_control || mjcb_sensor || mjcb_contactfilter || mjcb_act_dyn || mjcb_act_gain ||
         mjcb_act_bias || h->passive || h->control || h->sensor || h->contactfilter;
}

// what the simulations came to, with the first that has something to say
static snStatus summarize(snBatch* b) {
  int failed = 0, warned = 0;
  for (int i = 0; i < b->nthread; i++) {
    failed += b->thread[i].nfailed;
    warned += b->thread[i].nwarned;
  }
  if (!failed && !warned) return SN_OK;
  const snStatus worst = failed ? SN_ERROR : SN_WARNING;
  int first = 0;
  while (b->status[simulationAt(b, first)] != (int)worst) first++;
  const int sim = simulationAt(b, first);
  complain(b, "%d of %d simulations %s; simulation %d: %.200s", failed ? failed : warned, b->count,
           failed ? "failed" : "warn", sim, b->message[sim] ? b->message[sim] : "");
  return worst;
}

// what only the CPU does: on a GPU the state comes from there, and goes back
static snStatus runJob(snBatch* b, BatJob job) {
  if (b->cuda && (!bat_cudaState(b, 0) || !bat_cudaParams(b, 0) || !bat_cudaEpisodes(b, 0))) return finish(b, SN_ERROR);
  b->job = job;
  b->foreign = bat_isForeign(b);
  bat_runAll(b);
  const snStatus status = summarize(b);
  const int params = job.op == BAT_CONST;
  if (b->cuda && (!bat_cudaState(b, 1) || !bat_cudaEpisodes(b, 1) || (params && !bat_cudaParams(b, 1))))
    return finish(b, SN_ERROR);
  return finish(b, status);
}

// steps on a GPU; callbacks of the process cannot be called from there
static snStatus runCuda(snBatch* b, int substeps) {
  if (bat_isForeign(b)) complain(b, "callbacks (mjcb_...) cannot be called from a GPU");
  return finish(b, !bat_isForeign(b) && bat_cudaRun(b, substeps) ? SN_OK : SN_ERROR);
}

// 1: on a GPU there is no such call
static int notOnCuda(snBatch* b, const char* call) {
  return b->cuda && !complain(b, "%s is not for batches on a GPU", call);
}

//---------------------------------- steps ----------------------------------

snStatus sn_batchStep(snBatch* b, const snSelection* which, int substeps) {
  if (!begin(b, which)) return SN_ERROR;
  if (substeps < 1) {
    complain(b, "substeps must be at least 1, not %d", substeps);
    return finish(b, SN_ERROR);
  }
  if (b->cuda) return runCuda(b, substeps);
  return runJob(b, (BatJob){.op = BAT_STEP, .substeps = substeps});
}

snStatus sn_batchForward(snBatch* b, const snSelection* which) {
  if (!begin(b, which)) return SN_ERROR;
  if (b->cuda) return runCuda(b, 0);
  return runJob(b, (BatJob){.op = BAT_FORWARD});
}

//---------------------------------- resets and states ----------------------------------

snStatus sn_batchReset(snBatch* b, const snSelection* which, int key) {
  if (!begin(b, which)) return SN_ERROR;
  for (int i = 0; i < b->count && key != -1; i++) {
    const int sim = simulationAt(b, i), nkey = (int)b->group[b->which[sim]].m->nkey;
    if (key >= 0 && key < nkey) continue;
    complain(b, "key %d is none of the %d keyframes of simulation %d", key, nkey, sim);
    return finish(b, SN_ERROR);
  }

  // on a GPU the device does it, unless functions of the user or values of simulations take part
  int host = b->options.reset != NULL;
  for (int i = 0; i < b->ngroup; i++) host |= b->group[i].resets;
  if (b->cuda && !host) return finish(b, bat_cudaReset(b, key) ? SN_OK : SN_ERROR);
  return runJob(b, (BatJob){.op = BAT_RESET, .key = key});
}

// 1: sig has only bits that exist
static int validState(snBatch* b, const mjtNum* state, int sig) {
  if (!state) return complain(b, "state is NULL");
  if (sig < 0 || sig >= 1 << mjNSTATE) return complain(b, "sig %d has bits that mjtState does not have", sig);
  return 1;
}

snStatus sn_batchResetState(snBatch* b, const snSelection* which, const mjtNum* state, int sig) {
  if (!begin(b, which)) return SN_ERROR;
  if (!validState(b, state, sig)) return finish(b, SN_ERROR);
  return runJob(b, (BatJob){.op = BAT_RESETSTATE, .state = state, .sig = sig, .stride = sn_batchStateSize(b, sig)});
}

snStatus sn_batchGetState(snBatch* b, const snSelection* which, mjtNum* state, int sig) {
  if (!begin(b, which)) return SN_ERROR;
  if (!validState(b, state, sig) || !state) return finish(b, SN_ERROR);
  if (b->cuda && !bat_cudaState(b, 0)) return finish(b, SN_ERROR);
  const int stride = sn_batchStateSize(b, sig);
  for (int i = 0; i < b->count; i++) {
    const int sim = simulationAt(b, i);
    const BatGroup* const g = b->group + b->which[sim];
    mjtNum* to = state + (size_t)i * (size_t)stride;
    for (int part = 0; part < mjNSTATE; part++) {
      const BatArray* const a = g->state + part;
      if (!(sig & 1 << part) || !a->bytes) continue;
      const char* const from = a->data + (size_t)b->row[sim] * a->bytes;
      const size_t n = a->bytes / (size_t)a->itemsize;
      if (a->type == SN_UINT8) {
        for (size_t k = 0; k < n; k++) to[k] = ((const mjtByte*)from)[k];
      } else {
        memcpy(to, from, a->bytes);
      }
      to += n;
    }
  }
  return finish(b, SN_OK);
}

//---------------------------------- rollouts ----------------------------------

// 1: a model's records and controls can be taken; its records are described
static int describeRecords(snBatch* b, BatGroup* g, const snRollout* r) {
  g->recorded_late = 0;
  for (int k = 0; k < r->nrecord; k++) {
    char text[BAT_NMESSAGE];
    BatArray* const a = g->record + k;
    if (!strcmp(r->record[k], "done")) {
      *a = (BatArray){.name = "done", .kind = BAT_DONE, .type = SN_UINT8, .itemsize = 1, .bytes = 1};
    } else if (!bat_describe(g->m, r->record[k], 0, a, text)) {
      return complain(b, "%s", text);
    }
    g->recorded_late |= bat_late(r->record[k]);
  }
  return 1;
}

static int validRollout(snBatch* b, const snRollout* r) {
  if (!r) return complain(b, "rollout is NULL");
  if (r->nstep < 0 || r->substeps < 1) {
    return complain(b, "a rollout needs nstep >= 0 and substeps >= 1, not %d and %d", r->nstep, r->substeps);
  }
  if (r->control_spec & ~mjSTATE_USER) return complain(b, "control_spec has bits outside of mjSTATE_USER");
  if (!r->control != !r->control_spec) return complain(b, "control and control_spec come together");
  if (r->nrecord < 0 || r->nrecord > SN_MAXRECORD) {
    return complain(b, "nrecord must be 0 to %d, not %d", SN_MAXRECORD, r->nrecord);
  }
  if (r->nrecord && (!r->record || !r->out)) return complain(b, "%s is NULL", r->record ? "out" : "record");
  for (int k = 0; k < r->nrecord; k++) {
    if (!r->record[k] || !r->out[k]) return complain(b, "record %d has no %s", k, r->record[k] ? "out" : "name");
  }
  return 1;
}

// 1: all selected simulations have records and controls of the same sizes
static int agree(snBatch* b, const snRollout* r) {
  const BatGroup* first = NULL;
  for (int i = 0; i < b->count; i++) {
    BatGroup* const g = b->group + b->which[simulationAt(b, i)];
    if (g == first) continue;
    if (!describeRecords(b, g, r)) return 0;
    if (!first) first = g;
    if (mj_stateSize(g->m, r->control_spec) != mj_stateSize(first->m, r->control_spec)) {
      return complain(b, "the selected simulations have controls of different sizes: select those of one model");
    }
    for (int k = 0; k < r->nrecord; k++) {
      if (g->record[k].bytes == first->record[k].bytes) continue;
      return complain(b, "'%s' has different sizes in the selected simulations: select those of one model",
                      r->record[k]);
    }
  }
  return 1;
}

snStatus sn_batchRollout(snBatch* b, const snSelection* which, const snRollout* rollout) {
  if (!begin(b, which)) return SN_ERROR;
  if (notOnCuda(b, "sn_batchRollout")) return finish(b, SN_ERROR);
  if (!validRollout(b, rollout) || !agree(b, rollout)) return finish(b, SN_ERROR);
  return runJob(b, (BatJob){.op = BAT_ROLLOUT, .rollout = rollout});
}

//---------------------------------- constants ----------------------------------

typedef struct {
  snBatch* b;
  mjModel** models;
} Preparing;

// everything derived becomes a simulation's own, and each thread gets models to compute it in
static void prepareConstants(void* argument) {
  const Preparing* const p = argument;
  snBatch* const b = p->b;
  for (int i = 0; i < b->ngroup; i++) {
    if (!b->group[i].n) continue;
    bat_expandConstants(b->group + i);
    for (int t = 0; t < b->nthread; t++) p->models[t * b->ngroup + i] = bat_copyModel(b->group[i].m);
  }
}

snStatus sn_batchSetConst(snBatch* b, const snSelection* which) {
  if (!begin(b, which)) return SN_ERROR;
  const size_t n = (size_t)b->nthread * (size_t)b->ngroup;
  mjModel** const models = calloc(n, sizeof(mjModel*));
  Preparing preparing = {b, models};
  snStatus status = SN_ERROR;
  if (!models) {
    complain(b, "Could not allocate memory");
    finish(b, status);
  } else if (!bat_guard(prepareConstants, &preparing, b->complaint)) {
    finish(b, status);
  } else {
    status = runJob(b, (BatJob){.op = BAT_CONST, .models = models});
  }
  for (size_t i = 0; models && i < n; i++) {
    if (models[i]) mj_deleteModel(models[i]);
  }
  free(models);
  return status;
}

//---------------------------------- one simulation ----------------------------------

typedef struct {
  snBatch* b;
  int sim;
  mjModel* m;
  mjData* d;
  const mjtNum* anchor;
  int nanchor;
} One;

static void copyModel(void* argument) {
  One* const one = argument;
  const BatGroup* const g = one->b->group + one->b->which[one->sim];
  one->m = bat_copyModel(g->m);
  one->m->opt.enableflags |= g->dropped;
  bat_see(g, one->m, one->b->row[one->sim], 1);
}

static void copyData(void* argument) {
  const One* const one = argument;
  const BatGroup* const g = one->b->group + one->b->which[one->sim];
  const int row = one->b->row[one->sim];
  if (one->d->nbuffer != g->slot[0].d->nbuffer) mju_error("d was not made for the model of simulation %d", one->sim);
  const int awake = g->resting && !g->resting[row];
  if (g->persistent && !awake) {
    mj_copyData(one->d, g->m, g->persistent[row]);
  } else {
    mj_resetData(g->m, one->d);
  }
  if (awake) {
    const size_t ntree = (size_t)g->m->ntree;
    if (ntree) memcpy(one->d->tree_asleep, g->asleep + ntree * (size_t)row, sizeof(int) * ntree);
    slp_update(g->m, one->d, 0);
  }
  bat_load(g, one->d, row);
}

static void setAnchors(void* argument) {
  const One* const one = argument;
  const BatGroup* const g = one->b->group + one->b->which[one->sim];
  if (!g->sticks) mju_error("nothing sticks in the model of simulation %d", one->sim);
  const char* const wrong = sn_setAnchors(g->m, g->persistent[one->b->row[one->sim]], one->anchor, one->nanchor);
  if (wrong) mju_error("%s", wrong);
}

// 1: sim is one of b, which is now busy
static int beginOne(snBatch* b, int sim) {
  if (!begin(b, NULL)) return 0;
  if (sim >= 0 && sim < b->n) return 1;
  complain(b, "%d is none of %d simulations", sim, b->n);
  finish(b, SN_ERROR);
  return 0;
}

mjModel* sn_batchGetModel(snBatch* b, int sim) {
  One one = {b, sim, NULL, NULL, NULL, 0};
  if (!beginOne(b, sim)) return NULL;
  if (b->cuda && !bat_cudaParams(b, 0)) return finish(b, SN_ERROR), NULL;
  bat_guard(copyModel, &one, b->complaint);
  finish(b, SN_OK);
  return one.m;
}

snStatus sn_batchGetData(snBatch* b, int sim, mjData* d) {
  One one = {b, sim, NULL, d, NULL, 0};
  if (!beginOne(b, sim)) return SN_ERROR;
  if (!d) complain(b, "d is NULL");
  if (d && b->cuda && !bat_cudaState(b, 0)) return finish(b, SN_ERROR);
  return finish(b, d && bat_guard(copyData, &one, b->complaint) ? SN_OK : SN_ERROR);
}

snStatus sn_batchSetAnchors(snBatch* b, int sim, const mjtNum* anchors, int n) {
  One one = {b, sim, NULL, NULL, anchors, n};
  if (!beginOne(b, sim)) return SN_ERROR;
  return finish(b, bat_guard(setAnchors, &one, b->complaint) ? SN_OK : SN_ERROR);
}

//---------------------------------- status ----------------------------------

snStatus sn_batchWait(snBatch* b) {
  if (!begin(b, NULL)) return SN_ERROR;
  return finish(b, !b->cuda || bat_cudaWait(b) ? SN_OK : SN_ERROR);
}

snStatus sn_batchStatus(const snBatch* b, int sim) {
  const char* text;
  if (b && b->cuda && sim >= 0 && sim < b->n) return bat_cudaStatus((snBatch*)b, sim, &text);
  return b && sim >= 0 && sim < b->n ? (snStatus)b->status[sim] : SN_ERROR;
}

const char* sn_batchMessage(const snBatch* b, int sim) {
  if (!b) return "the batch is NULL";
  if (sim < 0) return b->complaint;
  if (sim >= b->n) return "there is no such simulation";
  const char* text;
  if (b->cuda) return bat_cudaStatus((snBatch*)b, sim, &text), text;
  if (b->message[sim]) return b->message[sim];
  return b->status[sim] == SN_OK ? "" : "there was no memory for the message";
}
