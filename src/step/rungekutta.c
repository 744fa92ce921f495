// Classical fourth-order Runge-Kutta: four evaluations at c = 0, ½, ½, 1 with weights 1/6, 1/3, 1/3, 1/6.
//
// A state is (qpos, qvel, act), its rate (qvel, qacc, act_dot); positions are advanced on their manifold. The tableau
// of the method has one coefficient per row, so each stage needs only the rate of the one before, and the weighted
// sum is built on the way.
#include <mujoco/mujoco.h>

#include "step/stages.h"
#include "math/simd/kernels.h"
#include "model/hooks.h"
#include "physics/physics.h"

enum { STAGES = 4 };
static const mjtNum STEP[STAGES] = {0, 0.5, 0.5, 1};
static const mjtNum WEIGHT[STAGES] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};

// the state at the start and the weighted rate so far
typedef struct {
  mjtNum time;
  mjtNum *qpos, *qvel, *act;
  mjtNum *dqpos, *dqvel, *dact;  // weighted sums
  mjtNum* vel;                   // velocity of the previous stage, for moving qpos
} Start;

static Start saveState(const mjModel* m, mjData* d) {
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, na = (size_t)m->na;
  mjtNum* memory = mj_stackAllocNum(d, nq + 4 * nv + 2 * na + 1);
  Start s = {.time = d->time, .qpos = memory, .qvel = memory + nq};
  s.vel = s.qvel + nv;
  s.dqpos = s.vel + nv;
  s.dqvel = s.dqpos + nv;
  s.act = s.dqvel + nv;
  s.dact = s.act + na;
  mth_copy(s.qpos, d->qpos, (int)nq);
  mth_copy(s.qvel, d->qvel, (int)nv);
  mth_copy(s.act, d->act, (int)na);
  mth_zero(s.dqpos, (int)nv);
  mth_zero(s.dqvel, (int)nv);
  mth_zero(s.dact, (int)na);
  return s;
}

static void restoreState(const mjModel* m, mjData* d, const Start* s) {
  d->time = s->time;
  mth_copy(d->qpos, s->qpos, (int)m->nq);
  mth_copy(d->qvel, s->qvel, (int)m->nv);
  mth_copy(d->act, s->act, (int)m->na);
}

// adds the present rate to the weighted sum
static void addRate(const mjModel* m, const mjData* d, Start* s, mjtNum weight) {
  mth_addToScl(s->dqpos, d->qvel, weight, (int)m->nv);
  mth_addToScl(s->dqvel, d->qacc, weight, (int)m->nv);
  mth_addToScl(s->dact, d->act_dot, weight, (int)m->na);
}

// moves from the start by a fraction of the step with the rate of the last evaluation, and evaluates there
static void evaluate(const mjModel* m, mjData* d, Start* s, mjtNum fraction, StpReaders readers) {
  const mjtNum h = m->opt.timestep;
  const int nv = (int)m->nv, na = (int)m->na;
  mth_scl(s->vel, d->qvel, fraction, nv);
  mth_copy(d->qpos, s->qpos, (int)m->nq);
  mj_integratePos(m, d->qpos, s->vel, h);
  for (int i = 0; i < nv; i++) d->qvel[i] = s->qvel[i] + h * (fraction * d->qacc[i]);
  for (int i = 0; i < na; i++) d->act[i] = s->act[i] + h * (fraction * d->act_dot[i]);
  d->time = s->time + fraction * h;

  // sensors that are stored with the step's result belong to its start: what they computed there stays
  const mjtByte rnepost = d->flg_rnepost;
  stp_forward(m, d, mjSTAGE_NONE, readers);
  d->flg_rnepost = rnepost;
}

void mj_RungeKutta(const mjModel* m, mjData* d, int N) {
  if (N != STAGES) {
    mju_error("mj_RungeKutta: supported RK orders: N=4");
    return;
  }
  mj_markStack(d);
  Start s = saveState(m, d);
  // nobody sees what another evaluation follows on
  const int seen = mdl_callsBack(m, d) || phy_open(m, d) || (m->opt.enableflags & mjENBL_SLEEP);
  const StpReaders between = seen ? STP_NOSENSORS : STP_NOBODY;

  // the first evaluation was done by the forward pass of this step
  addRate(m, d, &s, WEIGHT[0]);
  for (int i = 1; i < STAGES; i++) {
    evaluate(m, d, &s, STEP[i], i + 1 < STAGES ? between : STP_NOSENSORS);
    addRate(m, d, &s, WEIGHT[i]);
  }

  // one step with the weighted rate
  restoreState(m, d, &s);
  stp_advance(m, d, s.dact, s.dqvel, s.dqpos);
  mj_freeStack(d);
}
