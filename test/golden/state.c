// Random states; see state.h.
#include "golden/state.h"

#include "support/random.h"

void st_tighten(mjModel* m) {
  if (m->opt.solver != mjSOL_NEWTON) return;
  m->opt.tolerance = 0;
  m->opt.ls_tolerance = 1e-6;
  m->opt.iterations = 100;
}

static void forces(const mjModel* m, mjData* d, Rnd* rnd) {
  for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = rnd_uniform(rnd, -0.1, 0.1);
  for (int i = 6; i < 6 * m->nbody; i++) d->xfrc_applied[i] = rnd_uniform(rnd, -0.05, 0.05);
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = rnd_uniform(rnd, -1.2, 1.2);
  for (int i = 0; i < m->na; i++) d->act[i] = rnd_uniform(rnd, -0.2, 1);
  for (int i = 0; i < m->nuserdata; i++) d->userdata[i] = rnd_uniform(rnd, -1, 1);
  for (int i = 0; i < m->neq; i++) {
    if (rnd_below(rnd, 5) == 0) d->eq_active[i] = !d->eq_active[i];
  }
}

void st_set(Rec* rec, const mjModel* m, mjData* d, int state) {
  if (m->nkey) {
    mj_resetDataKeyframe(m, d, 0);
  } else {
    mj_resetData(m, d);
  }
  if (state > 0) {
    Rnd rnd = {(uint64_t)state * 1000};
    // vertices of flexes are close to each other
    const double spread = (state == 1 ? 0.02 : 0.3) * (m->nflex ? 0.05 : 1);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = rnd_uniform(&rnd, -spread, spread);
    mj_integratePos(m, d->qpos, d->qvel, 1);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = rnd_uniform(&rnd, -1, 1);
    forces(m, d, &rnd);
    for (int i = 0; i < 3 * m->nmocap; i++) d->mocap_pos[i] += rnd_uniform(&rnd, -0.05, 0.05);
    for (int i = 0; i < 4 * m->nmocap; i++) d->mocap_quat[i] += rnd_uniform(&rnd, -0.2, 0.2);
    d->time = 0.125 * state;
  }
  for (int i = 0; i < m->nq; i++) d->qpos[i] = rec_nudge(rec, d->qpos[i]);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = rec_nudge(rec, d->qvel[i]);
}
