// One model in both libraries: load, compare, step.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "conform/conform.h"

enum { MOST_KEYS = 4, WALK = 25 };  // keyframes that are compared; steps between states

int cfm_wants(const CfmOptions* options, const char* part) {
  return !options->only || strstr(options->only, part);
}

static void setPhase(CfmResult* r, const char* name) {
  snprintf(r->phase, sizeof(r->phase), "%s", name);
}

// ---- states

// the same numbers for both libraries in [0, 1)
static double uniform(uint64_t* seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) * 0x1p-53;
}

static void randomControl(const mjModel* m, mjtNum* ctrl, uint64_t* seed) {
  for (int i = 0; i < m->nu; i++) {
    const int limited = m->actuator_ctrllimited[i];
    const double low = limited ? m->actuator_ctrlrange[2 * i] : -1,
                 high = limited ? m->actuator_ctrlrange[2 * i + 1] : 1;
    ctrl[i] = low + (high - low) * uniform(seed);
  }
}

static void copyNums(mjtNum* to, const mjtNum* from, mjtSize n) {
  if (n > 0) memcpy(to, from, (size_t)n * sizeof(mjtNum));
}

static void copyState(const mjModel* m, mjData* to, const mjData* from) {
  to->time = from->time;
  copyNums(to->qpos, from->qpos, m->nq);
  copyNums(to->qvel, from->qvel, m->nv);
  copyNums(to->act, from->act, m->na);
  copyNums(to->history, from->history, m->nhistory);
  copyNums(to->qacc_warmstart, from->qacc_warmstart, m->nv);
  copyNums(to->ctrl, from->ctrl, m->nu);
  copyNums(to->qfrc_applied, from->qfrc_applied, m->nv);
  copyNums(to->xfrc_applied, from->xfrc_applied, 6 * m->nbody);
  copyNums(to->mocap_pos, from->mocap_pos, 3 * m->nmocap);
  copyNums(to->mocap_quat, from->mocap_quat, 4 * m->nmocap);
  copyNums(to->userdata, from->userdata, m->nuserdata);
  copyNums(to->plugin_state, from->plugin_state, m->npluginstate);
  if (m->neq) memcpy(to->eq_active, from->eq_active, (size_t)m->neq);
}

static void setKey(const CfmLibrary* library, const mjModel* m, mjData* d, int key) {
  library->mj_resetData(m, d);
  copyNums(d->qpos, m->key_qpos + key * m->nq, m->nq);
  copyNums(d->qvel, m->key_qvel + key * m->nv, m->nv);
  copyNums(d->act, m->key_act + key * m->na, m->na);
  copyNums(d->ctrl, m->key_ctrl + key * m->nu, m->nu);
}

// ---- parts

// both engines on the model of the reference
typedef struct {
  const CfmPair* pair;
  const mjModel* m;
  mjData *reference, *candidate;
  uint64_t seed;
} Engines;

// Brings the reference to state s: the first, some steps on, or a keyframe. How long trees have been still is no part
// of a state, so that in models that sleep the candidate walks along by itself (walks = 1).
static void moveTo(Engines* e, int s, const CfmOptions* options, int walks) {
  if (s >= options->states) {
    setKey(&e->pair->reference, e->m, e->reference, s - options->states);
    if (walks) setKey(&e->pair->candidate, e->m, e->candidate, s - options->states);
    return;
  }
  for (int k = 0; s && k < WALK; k++) {
    randomControl(e->m, e->reference->ctrl, &e->seed);
    if (walks) {
      copyNums(e->candidate->ctrl, e->reference->ctrl, e->m->nu);
      e->pair->candidate.mj_step(e->m, e->candidate);
    }
    e->pair->reference.mj_step(e->m, e->reference);
  }
}

static void runForward(const CfmPair* pair, const mjModel* m, const CfmOptions* options, CfmResult* r) {
  Engines e = {pair, m, pair->reference.mj_makeData(m), pair->candidate.mj_makeData(m), 1};
  if (!e.reference || !e.candidate) return;
  const int walks = (m->opt.enableflags & mjENBL_SLEEP) != 0;
  const int keys = m->nkey < MOST_KEYS ? (int)m->nkey : MOST_KEYS;
  for (int s = 0; s < options->states + keys; s++) {
    moveTo(&e, s, options, walks);
    if (!walks) copyState(m, e.candidate, e.reference);
    pair->reference.mj_forward(m, e.reference);
    pair->candidate.mj_forward(m, e.candidate);
    cfm_compareData(r, m, e.reference, e.candidate);
    r->states++;
  }
}

// two models with their data
typedef struct {
  const mjModel *a, *b;
  mjData *da, *db;
} Runs;

static void runSteps(const CfmPair* pair, const Runs* runs, const CfmOptions* options, CfmResult* r) {
  uint64_t seed = 7;
  for (int k = 0; k < options->steps; k++) {
    randomControl(runs->a, runs->da->ctrl, &seed);
    copyNums(runs->db->ctrl, runs->da->ctrl, runs->a->nu);
    pair->reference.mj_step(runs->a, runs->da);
    pair->candidate.mj_step(runs->b, runs->db);
  }
  r->steps = options->steps;
  r->stepsError = cfm_errorNum(runs->da->qpos, runs->db->qpos, (size_t)runs->a->nq);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void runSpeed(const CfmPair* pair, const Runs* runs, const CfmOptions* options, CfmResult* r) {
  enum { BATCH = 5, WARM = 10 };  // steps in a turn; turns before the clock runs
  pair->reference.mj_resetData(runs->a, runs->da);
  pair->candidate.mj_resetData(runs->b, runs->db);
  uint64_t seed = 7;
  double reference = 0, candidate = 0;
  long n = 0;
  for (const double begin = now(); now() - begin < options->speed; n++) {
    randomControl(runs->a, runs->da->ctrl, &seed);
    copyNums(runs->db->ctrl, runs->da->ctrl, runs->a->nu);
    const double first = now();
    for (int k = 0; k < BATCH; k++) pair->reference.mj_step(runs->a, runs->da);
    const double second = now();
    for (int k = 0; k < BATCH; k++) pair->candidate.mj_step(runs->b, runs->db);
    if (n < WARM) continue;
    reference += second - first;
    candidate += now() - second;
  }
  if (n <= WARM) return;
  r->timeReference = reference / (double)(BATCH * (n - WARM));
  r->timeCandidate = candidate / (double)(BATCH * (n - WARM));
}

void cfm_runModel(const CfmPair* pair, const char* path, const CfmOptions* options, CfmResult* r) {
  setPhase(r, "load (reference)");
  mjModel* const a = pair->reference.mj_loadXML(path, NULL, r->errorReference, CFM_TEXT);
  setPhase(r, "load");
  mjModel* const b = pair->candidate.mj_loadXML(path, NULL, r->errorCandidate, CFM_TEXT);
  r->loadReference = a != NULL;
  r->loadCandidate = b != NULL;
  if (a && b && cfm_wants(options, "model")) {
    setPhase(r, "model");
    cfm_compareModel(r, a, b);
  }
  if (a && cfm_wants(options, "forward")) {
    setPhase(r, "forward");
    runForward(pair, a, options, r);
  }
  if (!a || !b || a->nq != b->nq || a->nu != b->nu) return;
  const Runs runs = {a, b, pair->reference.mj_makeData(a), pair->candidate.mj_makeData(b)};
  if (!runs.da || !runs.db) return;
  if (cfm_wants(options, "steps")) {
    setPhase(r, "steps");
    runSteps(pair, &runs, options, r);
  }
  if (options->speed > 0) {
    setPhase(r, "speed");
    runSpeed(pair, &runs, options, r);
  }
}
