// Trees that start asleep and what wakes them: neighbours that move, forces, controls, mocap bodies; and how they fall
// asleep again.
#include <math.h>

#include "golden/cases.h"
#include "golden/fields.h"
#include "golden/state.h"
#include "support/random.h"

#define NPHASE 6
#define NSTEP  30

// moves what is awake, so that it meets what is not: all one way, then all the other way, then anyhow
static void push(const mjModel* m, mjData* d, int phase, Rnd* rnd) {
  for (int i = 0; i < m->nv; i++) {
    const double any = rnd_uniform(rnd, -0.6, 0.6), speed = phase == 0 ? fabs(any) : phase == 2 ? -fabs(any) : any;
    if (d->tree_asleep[m->dof_treeid[i]] < 0) d->qvel[i] = speed;
  }
}

// one thing that reaches a sleeping tree from outside, by phase
static void disturb(const mjModel* m, mjData* d, int phase) {
  const int body = 1 + phase * 3 % (int)(m->nbody - 1);
  mju_zero(d->xfrc_applied, 6 * (int)m->nbody);
  mju_zero(d->qfrc_applied, (int)m->nv);
  if (phase == 2) d->xfrc_applied[6 * body + 2] = 3;
  if (phase == 3) d->qfrc_applied[m->nv - 1] = 0.4;
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = phase == 4 ? 0.8 : 0;
  for (int i = 0; i < m->neq; i++) d->eq_active[i] = phase != 1;
  for (int i = 0; i < m->nmocap && phase == 5; i++) d->mocap_pos[3 * i] += 0.05;
}

static void record(Rec* rec, const mjModel* m, const mjData* d) {
  fld_state(rec, m, d);
  rec_int(rec, "tree_awake", d->tree_awake, (size_t)m->ntree);
  rec_int(rec, "body_awake", d->body_awake, (size_t)m->nbody);
  rec_int(rec, "counts", (const int[]){d->ntree_awake, d->nbody_awake, d->nv_awake, d->nparent_awake}, 4);
  rec_num(rec, "xpos", d->xpos, 3 * (size_t)m->nbody);
  rec_num(rec, "cvel", d->cvel, 6 * (size_t)m->nbody);
  rec_num(rec, "energy", d->energy, 2);
}

void gold_sleeping(Rec* rec, const void* arg) {
  mjModel* const m = gold_load(arg);
  st_tighten(m);
  m->opt.enableflags |= mjENBL_SLEEP | mjENBL_ENERGY;
  mjData* const d = mj_makeData(m);
  Rnd rnd = {9};
  for (int phase = 0; phase < NPHASE; phase++) {
    // from the initial state each time, but with time to come to rest in the last
    mj_resetData(m, d);
    if (phase % 2 == 0) push(m, d, phase, &rnd);
    for (int i = 0; i < m->nv; i++) {
      if (d->tree_asleep[m->dof_treeid[i]] < 0) d->qvel[i] = rec_nudge(rec, d->qvel[i]);
    }
    disturb(m, d, phase);
    for (int k = 0; k < (phase == NPHASE - 1 ? 8 : 1) * NSTEP; k++) {
      mj_step(m, d);
      if (k % 6 && k != 1) continue;
      rec_scope(rec, "phase %d step %d ", phase, k);
      record(rec, m, d);
    }
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}
