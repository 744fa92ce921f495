// One simulation of a call: take a slot, load, run, store, or keep what was there.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "batch/batch.h"
#include "batch/lanes.h"
#include "constraint/rows.h"
#include "model/arena.h"
#include "sleep/sleep.h"
#include "step/data.h"
#include "step/stages.h"

//---------------------------------- errors and warnings ----------------------------------

static _Thread_local BatThread* threadHere = NULL;

int sn_batchCurrent(void) {
  return threadHere ? threadHere->sim : -1;
}

void sn_batchFail(const char* message) {
  if (!threadHere || threadHere->sim < 0 || threadHere->failed) return;
  threadHere->failed = 1;
  snprintf(threadHere->failure, sizeof(threadHere->failure), "%s", message ? message : "");
}

// raises what a hook has announced, now that it has returned
static void checkFailed(const BatThread* t) {
  if (t->failed) mju_error("%s", t->failure);
}

// the first warning of a simulation is its message
static void hear(const char* message) {
  if (!threadHere || threadHere->spoke++) return;
  snprintf(threadHere->text, sizeof(threadHere->text), "%s", message);
}

int bat_guard(void (*work)(void*), void* argument, char text[BAT_NMESSAGE]) {
  BasCapture capture;
  BasCapture* const outer = bas_setCapture(&capture);
  if (setjmp(capture.back)) {
    bas_setCapture(outer);
    snprintf(text, BAT_NMESSAGE, "%.*s", BAT_NMESSAGE - 1, capture.message);
    return 0;
  }
  work(argument);
  bas_setCapture(outer);
  return 1;
}

// status and message; messages are kept on the heap, because most simulations never have one
static void setOutcome(snBatch* b, int sim, snStatus status, const char* text) {
  if (b->status[sim] != (int)status) b->status[sim] = status;
  if (b->message[sim]) {
    free(b->message[sim]);
    b->message[sim] = NULL;
  }
  if (status == SN_OK) return;
  const size_t length = strlen(text) + 1;
  b->message[sim] = malloc(length);
  if (b->message[sim]) memcpy(b->message[sim], text, length);
}

//---------------------------------- slots and rows ----------------------------------

// A slot is free for every thread: there are as many as simulations of the model or as threads, and a thread holds one
// at a time, which it gives back before it takes one of another model.
static BatSlot* takeSlot(const BatGroup* g, int thread) {
  for (int i = thread % g->nslot;; i = (i + 1) % g->nslot) {
    int expected = 0;
    if (atomic_compare_exchange_strong_explicit(&g->slot[i].taken, &expected, 1, memory_order_acquire,
                                                memory_order_relaxed)) {
      return g->slot + i;
    }
  }
}

static void giveSlot(BatThread* t) {
  if (t->slot) atomic_store_explicit(&t->slot->taken, 0, memory_order_release);
  t->slot = NULL;
}

// the slot that a thread keeps while its simulations are of one model
static BatSlot* slotFor(const snBatch* b, int thread, const BatGroup* g) {
  BatThread* const t = b->thread + thread;
  if (t->slot && t->of == g) return t->slot;
  giveSlot(t);
  t->of = g;
  return t->slot = takeSlot(g, thread);
}

void bat_see(const BatGroup* g, mjModel* m, int row, int deep) {
  for (int i = 0; i < g->nexpanded; i++) {
    const BatArray* const a = g->expanded + i;
    char* const values = a->data + (size_t)row * a->bytes;
    void* const place = (char*)m + a->offset;
    if (a->kind == BAT_MEMBER) {
      memcpy(place, values, a->bytes);
    } else if (!deep) {
      *(char**)place = values;
    } else if (a->bytes) {
      memcpy(*(char**)place, values, a->bytes);
    }
  }
}

// where a part of the state is in d
static char* placeOf(const BatArray* a, const mjData* d) {
  char* const place = (char*)d + a->offset;
  return a->kind == BAT_MEMBER ? place : *(char**)place;
}

static inline char* placeIn(const BatMove* a, const mjData* d) {
  char* const place = (char*)d + a->offset;
  return a->member ? place : *(char**)place;
}

void bat_load(const BatGroup* g, mjData* d, int row) {
  const BatMove* const end = g->move + g->nmove;
  for (const BatMove* a = g->move; a < end; a++) {
    memcpy(placeIn(a, d), a->data + (size_t)row * a->bytes, a->bytes);
  }
}

// what a step changes, or all
static void store(const BatGroup* g, const mjData* d, int row, int all) {
  const BatMove* const end = g->move + (all ? g->nmove : g->nchanged);
  for (const BatMove* a = g->move; a < end; a++) {
    memcpy(a->data + (size_t)row * a->bytes, placeIn(a, d), a->bytes);
  }
}

//---------------------------------- work ----------------------------------

// One simulation while a thread has it. What must not change when it fails is kept here until it has succeeded.
typedef struct {
  snBatch* b;
  BatThread* t;
  BatGroup* g;
  const mjModel* m;
  mjData* d;
  int sim, row, position;
  int episode;
  mjtByte done;
  int reset;                 // 1: the work included a reset, which begins the warnings anew
  int written;               // 1: inputs may have changed
  int recorded;              // records of the rollout that are complete
  BatSlot* saved;            // keeps what to return to after a failure, NULL: the row of the batch is enough
  int whole;                 // 1: all of mjData is kept there, by mj_copyData; 2: arrays, from before sleepers woke
  const BatLaneTask* ahead;  // lanes that have done all substeps but the last, NULL: none
  int lane;                  // of this simulation there
  int awake;                 // 1: something of it could sleep, but nothing does
  int still;                 // 1: the last step has looked at what sleeps in d, and nobody has changed it since
  int intact;                // 1: what sleeps at the start sleeps in d, as it has been since
} Work;

//---------------------------------- what to return to ----------------------------------
// Of a simulation with an mjData of its own. What is awake is computed anew from the state in every step; what sleeps
// stays as it is until it is disturbed. Hooks may read anything, and contacts that stick remember: then all is kept.

static _Thread_local Work* workHere = NULL;

static void keep(Work* w) {
  const mjModel* const m = w->m;
  w->whole = w->b->foreign || w->g->sticks;
  if (w->whole) {
    w->intact = 0;
    mj_copyData(w->saved->d, m, w->d);
    return;
  }
  if (m->ntree) memcpy(w->saved->asleep, w->d->tree_asleep, sizeof(int) * (size_t)m->ntree);
  if (m->nplugin) stp_copyPlugins(w->saved->d, m, w->d);
}

// sleeping trees are about to be disturbed
static void keepSleepers(mjData* d) {
  Work* const w = workHere;
  if (!w || w->d != d) return;
  w->intact = w->still = 0;
  if (!w->saved || w->whole || !slp_enabled(w->m)) return;
  stp_copyArrays(w->saved->d, w->m, d);
  w->whole = 2;
}

// which trees sleep, and nothing that a step has left
static void settle(const mjModel* m, mjData* d, const int* asleep) {
  d->ncon = 0;
  mdl_resetRows(d);
  if (m->ntree) memcpy(d->tree_asleep, asleep, sizeof(int) * (size_t)m->ntree);
  slp_update(m, d, 0);
}

static void goBack(const Work* w) {
  const mjModel* const m = w->m;
  mjData* const d = w->d;
  if (w->whole == 1) {
    mj_copyData(d, m, w->saved->d);
    return;
  }
  if (w->whole) stp_copyArrays(d, m, w->saved->d);
  settle(m, d, w->saved->asleep);
  if (m->nplugin) stp_copyPlugins(d, m, w->saved->d);
}

//---------------------------------- sleep ----------------------------------
// A simulation of which nothing sleeps is as good in a slot as in an mjData of its own, which would have to come from
// memory, unless hooks read what is left there or poses of what never moves are its own. When something falls asleep,
// the two mjData change places.

// how long the trees of a simulation have to stay awake
static int* awakeTrees(const Work* w) {
  return w->g->asleep + (size_t)w->g->m->ntree * (size_t)w->row;
}

static void loadAwake(const Work* w) {
  const size_t ntree = (size_t)w->m->ntree;
  if (ntree) memcpy(w->d->tree_asleep, awakeTrees(w), sizeof(int) * ntree);
  if (w->d->ntree_awake < w->m->ntree) slp_update(w->m, w->d, 0);
}

static void storeAwake(const Work* w, BatSlot* slot) {
  BatGroup* const g = w->g;
  const int resting = w->d->ntree_awake < w->m->ntree;
  if (resting && w->d == slot->d) {
    slot->d = g->persistent[w->row];
    g->persistent[w->row] = w->d;
  }
  if (!resting && w->m->ntree) memcpy(awakeTrees(w), w->d->tree_asleep, sizeof(int) * (size_t)w->m->ntree);
  if (g->resting[w->row] != resting) g->resting[w->row] = (mjtByte)resting;
  if (w->d != g->persistent[w->row]) return;
  g->still[w->row] = (mjtByte)w->still;
  if (g->start) g->intact[w->row] = (mjtByte)w->intact;
}

// 1: what sleeps is as the last step saw it: the same model, and no coordinate was changed
static int isStill(const Work* w) {
  const BatGroup* const g = w->g;
  const BatArray* const a = g->state + BAT_QPOS;
  return w->saved && g->still && g->still[w->row] && !w->b->foreign && !g->nexpanded &&
         !memcmp(a->data + (size_t)w->row * a->bytes, w->d->qpos, a->bytes);
}

// a step in which what sleeps is looked at only where that is needed
static void stepOnce(Work* w, StpReaders readers) {
  mjData* const d = w->d;
  const int nawake = d->ntree_awake, looks = w->saved && w->g->still && !w->b->foreign;
  if (w->still) slp_setStill(d, 1);
  w->still = looks;
  stp_step(w->m, d, readers);

  // who has fallen asleep will be looked at in the next step
  w->still &= d->ntree_awake == nawake;
}

// 1: resets copy what sleeps at the start
static int copiesStart(const snBatch* b, const BatGroup* g) {
  return g->start && !b->foreign && !g->nexpanded;
}

static int sleepsAtStart(const BatGroup* g) {
  return g->start->ntree_awake < g->m->ntree;
}

// What is awake follows from the state. So only sleepers are copied, and not where they have slept since.
static void returnToStart(Work* w) {
  const BatGroup* const g = w->g;

  // a function of the user's may write anything before it gives up
  if (w->b->options.reset) slp_tell(w->d);
  if (w->intact || !sleepsAtStart(g)) {
    settle(w->m, w->d, g->start->tree_asleep);
  } else {
    mj_copyData(w->d, w->m, g->start);
  }
  w->intact = 1;
}

//---------------------------------- steps ----------------------------------

// what the element of a warning is called: " (joint 'hip')"
static void nameCulprit(const mjModel* m, int warning, int index, char* text, size_t size) {
  int joint = -1;
  if (warning == mjWARN_BADQPOS) {
    for (int i = 0; i < m->njnt && m->jnt_qposadr[i] <= index; i++) joint = i;
  } else if (index >= 0 && index < m->nv) {
    joint = m->dof_jntid[index];
  }
  const char* const name = joint >= 0 ? mj_id2name(m, mjOBJ_JOINT, joint) : NULL;
  const char* const body = joint >= 0 ? mj_id2name(m, mjOBJ_BODY, m->jnt_bodyid[joint]) : NULL;
  const size_t used = strlen(text);
  if (name) {
    snprintf(text + used, size - used, " (joint '%.80s')", name);
  } else if (body) {
    snprintf(text + used, size - used, " (joint of body '%.80s')", body);
  }
}

// 1: a warning was raised in this call
static int hasWarned(const mjData* d) {
  int number = 0;
  for (int i = 0; i < mjNWARNING; i++) number |= d->warning[i].number;
  return number != 0;
}

// raises an error where a hook has given up, or where a state or an acceleration is no usable number
static void checkDiverged(const Work* w) {
  checkFailed(w->t);
  if (!hasWarned(w->d)) return;
  static const int BAD[] = {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC};
  for (int i = 0; i < 3; i++) {
    const mjWarningStat* const stat = w->d->warning + BAD[i];
    if (!stat->number) continue;
    char text[BAT_NMESSAGE];
    snprintf(text, sizeof(text), "%s", w->t->spoke ? w->t->text : mju_warningText(BAD[i], (size_t)stat->lastinfo));
    nameCulprit(w->m, BAD[i], stat->lastinfo, text, sizeof(text));
    mju_error("%s", text);
  }
}

// state after a reset to the initial state or a keyframe, in d
static void resetInto(Work* w, int key) {
  const BatGroup* const g = w->g;
  const mjModel* const m = w->m;
  mjData* const d = w->d;
  w->reset = w->written = 1;
  w->done = w->still = 0;
  const int copies = copiesStart(w->b, g);
  if (g->resets || (g->persistent && !copies)) {
    mj_resetDataKeyframe(m, d, key);
    return;
  }
  if (copies) returnToStart(w);
  for (int k = 0; k < g->nlive; k++) {
    const BatArray* const a = g->state + g->live[k];
    memcpy(placeOf(a, d), g->initial[g->live[k]], a->bytes);
  }
  memset(d->warning, 0, sizeof(d->warning));
  if (key >= 0) stp_setKeyframe(m, d, key);
}

// positions move along every dof, then velocities change
static void addNoise(const Work* w, snRandom* random) {
  const snBatchOptions* const o = &w->b->options;
  mjData* const d = w->d;
  mj_markStack(d);
  mjtNum* const move = mj_stackAllocNum(d, (size_t)w->m->nv);
  for (int i = 0; i < w->m->nv; i++) move[i] = sn_randomUniform(random, -o->reset_qpos, o->reset_qpos);
  if (o->reset_qpos > 0) mj_integratePos(w->m, d->qpos, move, 1);
  for (int i = 0; i < w->m->nv; i++) d->qvel[i] += sn_randomUniform(random, -o->reset_qvel, o->reset_qvel);
  mj_freeStack(d);
}

// a reset with the user's part in it
static void resetFully(Work* w, int key) {
  const snBatchOptions* const o = &w->b->options;
  resetInto(w, key);
  w->episode++;
  const int noisy = o->reset_qpos > 0 || o->reset_qvel > 0;
  if (!o->reset && !noisy) return;
  snRandom random = sn_makeRandom(o->seed, (uint32_t)w->sim, (uint32_t)w->episode);
  if (noisy) addNoise(w, &random);
  if (!o->reset) return;
  w->intact = w->still = 0;
  o->reset(w->m, w->d, w->sim, &random, o->context);
  checkFailed(w->t);
}

// what requested fields need beyond a step or mj_forward
static void computeLate(const Work* w) {
  const int late = w->g->late | (w->b->job.op == BAT_ROLLOUT ? w->g->recorded_late : 0);
  if (late & BAT_RNE) {
    mj_rnePostConstraint(w->m, w->d);
  } else if (late & BAT_EXTERNAL) {
    con_externalForces(w->m, w->d);
  }
  if (late & BAT_SUBTREE) mj_subtreeVel(w->m, w->d);
}

// steps, and what follows when the episode has ended
static void advance(Work* w, int substeps) {
  const snBatchOptions* const o = &w->b->options;
  if (o->autoreset == SN_RESET_NEXT && w->done) {
    resetFully(w, o->autoreset_key);
    return;
  }
  const int sensors = w->g->sensors;
  for (int i = 0; i < substeps; i++) {
    const int read = sensors == BAT_SENSORS_ALWAYS || (sensors == BAT_SENSORS_LAST && i == substeps - 1);
    stepOnce(w, read ? STP_ALL : STP_NOBODY);
    checkDiverged(w);
  }
  computeLate(w);
  if (!o->done) return;
  w->done = o->done(w->m, w->d, w->sim, o->context) != 0;
  checkFailed(w->t);
  if (w->done && o->autoreset == SN_RESET_SAME) {
    resetFully(w, o->autoreset_key);
    w->done = 1;
  }
}

static void record(const Work* w, const BatArray* a, char* where) {
  if (a->kind == BAT_DONE) {
    *where = (char)w->done;
  } else {
    bat_fetch(a, w->m, w->d, where);
  }
}

// controls are what most rollouts set
static void setInputs(const Work* w, const mjtNum* values, int spec) {
  if (spec == mjSTATE_CTRL && w->m->nu) {
    memcpy(w->d->ctrl, values, sizeof(mjtNum) * (size_t)w->m->nu);
  } else {
    mj_setState(w->m, w->d, values, spec);
  }
}

static void rollOut(Work* w) {
  const snRollout* const r = w->b->job.rollout;
  const int size = r->control_spec ? mj_stateSize(w->m, r->control_spec) : 0;
  const mjtNum* control = r->control ? r->control + (size_t)w->position * (size_t)r->nstep * (size_t)size : NULL;
  w->written |= size > 0;
  for (int t = 0; t < r->nstep; t++) {
    if (control) setInputs(w, control + (size_t)t * (size_t)size, r->control_spec);
    if (r->control_spec & mjSTATE_QPOS) w->still = 0;
    advance(w, r->substeps);
    for (int k = 0; k < r->nrecord; k++) {
      const BatArray* const a = w->g->record + k;
      const size_t at = (size_t)w->position * (size_t)r->nstep + (size_t)t;
      record(w, a, (char*)r->out[k] + at * a->bytes);
    }
    w->recorded = t + 1;
  }
}

// constants that follow from expanded fields, computed in a model of the thread's own
static void setConstants(Work* w) {
  const BatGroup* const g = w->g;
  mjModel* const m =
      w->b->job.models[(size_t)(w->t - w->b->thread) * (size_t)w->b->ngroup + (size_t)w->b->which[w->sim]];
  bat_see(g, m, w->row, 1);

  // poses of motion-capture bodies count too: those of the initial state
  mj_resetData(m, w->d);
  mj_setConst(m, w->d);
  for (int i = 0; i < g->nexpanded; i++) {
    const BatArray* const a = g->expanded + i;
    const char* const place = (const char*)m + a->offset;
    if (a->bytes) {
      memcpy(a->data + (size_t)w->row * a->bytes, a->kind == BAT_MEMBER ? place : *(const char* const*)place, a->bytes);
    }
  }
}

static void doJob(void* argument) {
  Work* const w = argument;
  const BatJob* const job = &w->b->job;
  workHere = w;
  if (w->saved) keep(w);
  memset(w->d->warning, 0, sizeof(w->d->warning));
  w->still = isStill(w);
  bat_load(w->g, w->d, w->row);
  if (w->awake) loadAwake(w);
  if (w->ahead) w->g->lanes->take(w->ahead, w->lane, w->d);
  switch (job->op) {
    case BAT_STEP:
      advance(w, w->ahead ? 1 : job->substeps);
      break;
    case BAT_FORWARD:
      mj_forward(w->m, w->d);
      checkFailed(w->t);
      computeLate(w);
      break;
    case BAT_RESET:
      resetFully(w, job->key);
      break;
    case BAT_RESETSTATE:
      resetInto(w, -1);
      w->episode++;
      mj_setState(w->m, w->d, job->state + (size_t)w->position * (size_t)job->stride, job->sig);
      break;
    case BAT_ROLLOUT:
      rollOut(w);
      break;
    case BAT_CONST:
      setConstants(w);
      break;
  }
}

//---------------------------------- outcome ----------------------------------

// warnings of this call are added to those before, or begin anew with a reset
static void countWarnings(const Work* w, int before[mjNWARNING]) {
  for (int i = 0; i < mjNWARNING; i++) before[i] = (w->reset ? 0 : before[i]) + w->d->warning[i].number;
}

// bound fields; 0: a list was too short, text says which
static int fetchBound(const Work* w, char text[BAT_NMESSAGE]) {
  const BatGroup* const g = w->g;
  int good = 1;
  for (int i = 0; i < g->nbound; i++) {
    const BatArray* const a = g->bound + i;
    if (bat_fetch(a, w->m, w->d, a->data + (size_t)w->row * a->bytes) || !good) continue;
    snprintf(text, BAT_NMESSAGE, "%s has more than the %d rows that were asked for", a->name, (int)a->shape[0]);
    good = 0;
  }
  return good;
}

// the simulation's new state and what is told about it
static void succeed(Work* w, BatThread* t) {
  snBatch* const b = w->b;
  const BatOp op = b->job.op;
  const int computes = op == BAT_STEP || op == BAT_FORWARD || op == BAT_ROLLOUT;
  char text[BAT_NMESSAGE];
  int warned = t->spoke > 0;
  if (op != BAT_CONST) store(w->g, w->d, w->row, w->written || b->foreign || b->options.done);
  if (computes && !fetchBound(w, text)) {
    if (!warned) snprintf(t->text, sizeof(t->text), "%s", text);
    warned = 1;
  }

  // neighbours are other threads' simulations: what has not changed is not written
  if (b->episode[w->sim] != w->episode) b->episode[w->sim] = w->episode;
  if (b->done[w->sim] != w->done) b->done[w->sim] = w->done;
  warned |= hasWarned(w->d);
  if (warned || w->reset) countWarnings(w, b->warning + (size_t)w->sim * mjNWARNING);
  t->nwarned += warned;
  setOutcome(b, w->sim, warned ? SN_WARNING : SN_OK, t->text);
}

// records that were not reached repeat the last ones, or the state before the call
static void repeatRecords(const Work* w) {
  const snRollout* const r = w->b->job.rollout;
  for (int k = 0; k < r->nrecord; k++) {
    const BatArray* const a = w->g->record + k;
    char* const out = (char*)r->out[k] + (size_t)w->position * (size_t)r->nstep * a->bytes;
    if (!a->bytes) continue;
    if (!w->recorded) record(w, a, out);
    for (int t = w->recorded ? w->recorded : 1; t < r->nstep; t++) {
      memcpy(out + (size_t)t * a->bytes, out + (size_t)(t - 1) * a->bytes, a->bytes);
    }
  }
}

static void comeBack(void* argument) {
  const Work* const w = argument;
  if (w->saved) {
    if (w->g->start) w->g->intact[w->row] = 0;
    if (w->g->still) w->g->still[w->row] = 0;
    slp_setStill(w->d, 0);
    goBack(w);
  } else {
    mj_resetData(w->g->m, w->d);
  }
  bat_load(w->g, w->d, w->row);
}

// the simulation stays as it was; d is made usable again
static void fail(Work* w, BatThread* t) {
  snBatch* const b = w->b;
  w->d->pstack = w->d->pbase = 0;
  char ignored[BAT_NMESSAGE];
  bat_guard(comeBack, w, ignored);
  if (b->job.op == BAT_ROLLOUT) repeatRecords(w);
  t->nfailed++;
  setOutcome(b, w->sim, SN_ERROR, t->failure);
}

//---------------------------------- one and all ----------------------------------

static int simulationAt(const snBatch* b, int position) {
  return b->list ? b->list[position] : position;
}

// resets without hooks or expanded fields are copies
static int copyReset(snBatch* b, const BatGroup* g, int sim) {
  if (b->job.op != BAT_RESET || b->job.key >= 0 || b->options.reset || g->resets || b->options.reset_qpos > 0 ||
      b->options.reset_qvel > 0 || (g->persistent && (!copiesStart(b, g) || sleepsAtStart(g)))) {
    return 0;
  }

  const size_t row = (size_t)b->row[sim], ntree = (size_t)g->m->ntree;
  if (g->persistent) {
    if (ntree) memcpy(g->asleep + ntree * row, g->start->tree_asleep, sizeof(int) * ntree);
    g->resting[row] = 0;
  }
  for (int k = 0; k < g->nlive; k++) {
    const BatArray* const a = g->state + g->live[k];
    memcpy(a->data + row * a->bytes, g->initial[g->live[k]], a->bytes);
  }
  b->episode[sim]++;
  b->done[sim] = 0;
  memset(b->warning + (size_t)sim * mjNWARNING, 0, mjNWARNING * sizeof(int));
  setOutcome(b, sim, SN_OK, NULL);
  return 1;
}

// a simulation in a slot, from the beginning or from where lanes have brought it
static void runIn(snBatch* b, BatThread* t, BatSlot* slot, int position, const BatLaneTask* ahead) {
  const int sim = simulationAt(b, position), row = b->row[sim];
  BatGroup* const g = b->group + b->which[sim];
  bat_see(g, slot->m, row, 0);
  const int could = g->asleep && b->job.op != BAT_CONST, awake = could && !g->resting[row];
  const int visits = awake && !b->foreign && !g->nexpanded;
  const int own = g->persistent && b->job.op != BAT_CONST && !visits;
  Work work = {.b = b,
               .t = t,
               .g = g,
               .awake = awake,
               .m = slot->m,
               .d = own ? g->persistent[row] : slot->d,
               .saved = own ? slot : NULL,
               .intact = own && g->start && g->intact[row],
               .sim = sim,
               .row = row,
               .position = position,
               .episode = b->episode[sim],
               .done = b->done[sim],
               .ahead = ahead};
  while (ahead && ahead->row[work.lane] != row) work.lane++;
  t->sim = sim;
  t->spoke = t->failed = 0;
  if (bat_guard(doJob, &work, t->failure)) {
    succeed(&work, t);
    if (could) storeAwake(&work, slot);
  } else {
    workHere = NULL;
    fail(&work, t);
  }
  workHere = NULL;
  t->sim = -1;
}

static void runOne(snBatch* b, int thread, int position) {
  const int sim = simulationAt(b, position);
  BatGroup* const g = b->group + b->which[sim];
  if (copyReset(b, g, sim)) return;
  runIn(b, b->thread + thread, slotFor(b, thread, g), position, NULL);
}

//---------------------------------- side by side ----------------------------------

// how many simulations a thread takes at once: of what is left this part of what would be its own, and never more than
// this
enum { SHARES = 4, MOST = 64 };

// fills the task with the simulations from a position on; 0: they are of several models, or one begins with a reset
static int gather(const snBatch* b, BatLaneTask* task, int position) {
  for (int i = 0; i < task->g->lanes->width; i++) {
    const int sim = simulationAt(b, position + i);
    if (b->group + b->which[sim] != task->g || (b->done[sim] && b->options.autoreset == SN_RESET_NEXT)) return 0;
    task->row[i] = b->row[sim];
    task->position[i] = position + i;
  }
  return 1;
}

// the simulations of a task: the rest of each after lanes, or all of it where lanes were not taken
static void finishLanes(snBatch* b, int thread, BatSlot* slot, const BatLaneTask* task, int good) {
  for (int i = 0; i < task->g->lanes->width; i++) {
    if (good && task->keep) {
      setOutcome(b, simulationAt(b, task->position[i]), SN_OK, NULL);
    } else {
      runIn(b, b->thread + thread, slot, task->position[i], good ? task : NULL);
    }
  }
}

// both ways, of which the first stores nothing: which is quicker?
static void compareLanes(snBatch* b, int thread, BatSlot* slot, const BatLaneTask* task) {
  const int times = task->rollout ? task->rollout->nstep : 1;
  const int substeps = task->rollout ? task->substeps : b->job.substeps;
  BatLaneTask trial = *task;
  trial.keep = 0;
  const double begin = bat_now();
  const int good = bat_stepLanes(&trial);
  const double middle = bat_now();
  finishLanes(b, thread, slot, task, 0);
  const double end = bat_now();
  if (!good || !times || !task->substeps) return;
  bat_laneCompare(slot,
                  (const double[2]){(middle - begin) / (times * task->substeps), (end - middle) / (times * substeps)});
}

// steps the simulations from a position on side by side, if they can be; returns how many
static int runLanes(snBatch* b, int thread, int position, int end) {
  const BatGroup* const g = b->group + b->which[simulationAt(b, position)];
  const BatLaneMode mode = bat_laneMode(b, g);
  if (mode == BAT_LANES_NONE || position + g->lanes->width > end) return 0;
  const BatJob* const job = &b->job;
  BatLaneTask task = {.g = g, .keep = mode == BAT_LANES_ALL};
  if (!gather(b, &task, position)) return 0;
  task.rollout = job->op == BAT_ROLLOUT ? job->rollout : NULL;
  task.substeps = task.rollout ? task.rollout->substeps : mode == BAT_LANES_AHEAD ? job->substeps - 1 : job->substeps;
  BatSlot* const slot = slotFor(b, thread, g);
  task.m = slot->m;
  task.d = slot->d;
  task.memory = slot->lanes;
  if (bat_laneCompared(b, slot)) {
    compareLanes(b, thread, slot, &task);
  } else {
    finishLanes(b, thread, slot, &task, !slot->alone && bat_stepLanes(&task));
  }
  return g->lanes->width;
}

// The next simulations that nobody has taken, up to *end; -1: there are none. Pieces get smaller towards the end, so
// that no thread waits long for another.
static int takePiece(snBatch* b, int* end) {
  int first = atomic_load_explicit(&b->next, memory_order_relaxed), n;
  do {
    const int left = b->count - first;
    if (left <= 0) return -1;
    n = left / (SHARES * b->nthread);
    n = n > MOST ? MOST : n - n % b->unit;
    if (n < b->unit) n = b->unit;
    *end = n < left ? first + n : b->count;
  } while (!atomic_compare_exchange_weak_explicit(&b->next, &first, *end, memory_order_relaxed, memory_order_relaxed));
  return first;
}

// what one thread does in a call
static void drain(void* argument, int thread) {
  snBatch* const b = argument;
  BatThread* const t = b->thread + thread;
  BatThread* const outer = threadHere;
  const BasHandler handler = _mjPRIVATE__get_tls_warning_fn();
  threadHere = t;
  _mjPRIVATE__set_tls_warning_fn(hear);
  const SlpListener listener = slp_setListener(keepSleepers);
  for (int i, end; (i = takePiece(b, &end)) >= 0;) {
    while (i < end) {
      const int n = runLanes(b, thread, i, end);
      if (!n) runOne(b, thread, i);
      i += n ? n : 1;
    }
  }
  giveSlot(t);
  slp_setListener(listener);
  _mjPRIVATE__set_tls_warning_fn(handler);
  threadHere = outer;
}

// sensors that nobody reads are not computed: where an mjData is the simulation's own, somebody may
static int sensorsFor(const snBatch* b, const BatGroup* g) {
  const BatJob* const job = &b->job;
  if (b->foreign || g->persistent || !g->n || g->m->nhistory || g->state[BAT_ENERGY].bytes) return BAT_SENSORS_ALWAYS;
  if (b->options.done || !bat_inLanes(g->bound, g->nbound)) return BAT_SENSORS_LAST;
  if (job->op == BAT_ROLLOUT && !bat_inLanes(g->record, job->rollout->nrecord)) return BAT_SENSORS_LAST;
  return BAT_SENSORS_NEVER;
}

void bat_runAll(snBatch* b) {
  // simulations that run side by side are dealt together
  b->unit = 1;
  for (int i = 0; i < b->ngroup; i++) {
    const int together = bat_laneMode(b, b->group + i) ? b->group[i].lanes->width : 1;
    if (b->unit < together && b->count >= together * b->nthread) b->unit = together;
  }
  for (int i = 0; i < b->ngroup; i++) b->group[i].sensors = sensorsFor(b, b->group + i);
  atomic_store(&b->next, 0);
  for (int i = 0; i < b->nthread; i++) {
    b->thread[i].sim = -1;
    b->thread[i].nfailed = b->thread[i].nwarned = 0;
  }

  // a piece is a thread that takes simulations until there are none; they fail one by one, not here
  char message[BAS_MESSAGE];
  const BasWork work = {.run = drain, .arg = b, .n = b->nthread};
  bas_runAll(b->pool, &work, message);
}
