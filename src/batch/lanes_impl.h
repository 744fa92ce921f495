// A step of several simulations side by side. Included by one file per width, which says MTH_LANES.
#include "batch/lanes.h"
#include "collision/lane_bounds.h"
#include "collision/pairs.h"
#include "constraint/rows.h"
#include "dynamics/lane_dynamics.h"
#include "force/lane_force.h"
#include "kinematics/lane_poses.h"
#include "model/arena.h"
#include "solver/forces.h"
#include "step/lane_step.h"
#include "step/stages.h"

// pairs that are near in some lane, and in which
typedef struct {
  int pair;
  unsigned lanes;
} Near;

// a group while it is stepped
typedef struct {
  BatLaneTask* task;
  const MdlLanePlan* p;
  MdlLanes w;
  Near* near;
  int nnear;
  int* taken;  // per geom: for which simulation and evaluation its pose was last copied into mjData
  int taking;  // the present one
  int wanted;  // LATE_…: what is asked for beyond a step
  int late;    // of it, what this evaluation has to give: the last one of a call
} Group;

// what mjData has after an evaluation and only those read who ask for it
enum { LATE_EXTERNAL = 1, LATE_TENDONS = 2 };

//---------------------------------- in and out ----------------------------------

// number of a part of the state, from its bit in mjtState
static inline int partOf(int bit) {
  return __builtin_ctz((unsigned)bit);
}

// where the simulations of a task have a part of their state
static void rowsOf(const BatLaneTask* task, int part, mjtNum* row[MTH_LANES]) {
  const BatArray* const a = task->g->state + part;
  for (int i = 0; i < MTH_LANES; i++) row[i] = (mjtNum*)(void*)(a->data + (size_t)task->row[i] * a->bytes);
}

static void loadPart(const BatLaneTask* task, int bit, MthLane* to, mjtSize n) {
  if (!n) return;
  mjtNum* row[MTH_LANES];
  rowsOf(task, partOf(bit), row);
  for (int k = 0; k < n; k++) to[k] = mth_laneGather((const mjtNum* const*)row, k);
}

static void storePart(const BatLaneTask* task, int bit, const MthLane* from, mjtSize n) {
  if (!n) return;
  mjtNum* row[MTH_LANES];
  rowsOf(task, partOf(bit), row);
  for (int i = 0; i < MTH_LANES; i++) mth_laneTake(row[i], from, (int)n, i);
}

// forces on bodies are mostly zero: then they are not loaded
static void loadPushes(Group* g) {
  const mjtSize n = 6 * g->p->m->nbody;
  mjtNum* row[MTH_LANES];
  rowsOf(g->task, partOf(mjSTATE_XFRC_APPLIED), row);
  g->w.pushed = 0;
  for (int i = 0; i < MTH_LANES; i++) {
    int any = 0;
    for (int k = 0; k < n; k++) any |= row[i][k] != 0;
    g->w.pushed |= (unsigned)any << i;
  }
  if (g->w.pushed) loadPart(g->task, mjSTATE_XFRC_APPLIED, g->w.xfrc_applied, n);
}

// parameters of the simulations' own; 0: some of them have damping and some have none, or springs where lanes know none
static int loadParams(const Group* g) {
  const BatGroup* const group = g->task->g;
  MthLane* const array[] = {
#define X(name, count) g->w.name,
      MDL_LANE_PARAMS(X)
#undef X
  };
  for (int k = 0; k < group->nexpanded; k++) {
    const BatArray* const a = group->expanded + k;
    if (a->lane <= 0) continue;
    const mjtNum* row[MTH_LANES];
    for (int i = 0; i < MTH_LANES; i++) row[i] = (const mjtNum*)(void*)(a->data + (size_t)g->task->row[i] * a->bytes);
    for (size_t i = 0; i < a->bytes / sizeof(mjtNum); i++) array[a->lane - 1][i] = mth_laneGather(row, (int)i);
  }
  mdl_laneDerive(&g->w);
  const mjModel* const m = g->p->m;
  MthMask damped = {0}, turned = {0};
  for (int i = 0; i < m->nv; i++) damped |= (MthMask)(g->w.dof_damping[i] > 0);
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] < mjJNT_SLIDE) turned |= (MthMask)(g->w.jnt_stiffness[j] != 0);
  }
  if (mth_laneBits(turned)) return 0;
  return !g->p->dampable || mth_laneBits(damped) == (g->p->damped ? MTH_ALL_LANES : 0);
}

static void load(Group* g) {
  const mjModel* const m = g->p->m;
  const MdlLanes* const w = &g->w;
  loadPart(g->task, mjSTATE_TIME, w->time, 1);
  loadPart(g->task, mjSTATE_QPOS, w->qpos, m->nq);
  loadPart(g->task, mjSTATE_QVEL, w->qvel, m->nv);
  loadPart(g->task, mjSTATE_ACT, w->act, m->na);
  loadPart(g->task, mjSTATE_WARMSTART, w->qacc_warmstart, m->nv);
  loadPart(g->task, mjSTATE_CTRL, w->ctrl, m->nu);
  loadPart(g->task, mjSTATE_QFRC_APPLIED, w->qfrc_applied, m->nv);
  loadPart(g->task, mjSTATE_MOCAP_POS, w->mocap_pos, 3 * m->nmocap);
  loadPart(g->task, mjSTATE_MOCAP_QUAT, w->mocap_quat, 4 * m->nmocap);
  loadPushes(g);
}

static void store(const Group* g) {
  const mjModel* const m = g->p->m;
  const MdlLanes* const w = &g->w;
  storePart(g->task, mjSTATE_TIME, w->time, 1);
  storePart(g->task, mjSTATE_QPOS, w->qpos, m->nq);
  storePart(g->task, mjSTATE_QVEL, w->qvel, m->nv);
  storePart(g->task, mjSTATE_ACT, w->act, m->na);
  storePart(g->task, mjSTATE_WARMSTART, w->qacc_warmstart, m->nv);
}

//---------------------------------- constraints ----------------------------------

// lanes in which a coordinate is closer to an end of its range than the margin
static MTH_ALWAYS_INLINE MthMask beyond(const mjtNum range[2], MthLane value, mjtNum margin) {
  return (MthMask)(-1 * (range[0] - value) < margin) | (MthMask)(1 * (range[1] - value) < margin);
}

// lanes that have rows of limits
static unsigned limitedLanes(const MdlLanes* w) {
  const mjModel* const m = w->plan->m;
  MthMask any = {0};
  for (int j = 0; j < m->njnt; j++) {
    if (!m->jnt_limited[j] || m->jnt_type[j] == mjJNT_FREE) continue;
    any |= beyond(m->jnt_range + 2 * j, w->qpos[m->jnt_qposadr[j]], m->jnt_margin[j]);
  }
  for (int t = 0; t < m->ntendon; t++) {
    if (m->tendon_limited[t]) any |= beyond(m->tendon_range + 2 * t, w->ten_length[t], m->tendon_margin[t]);
  }
  return mth_laneBits(any);
}

// pairs whose bounding spheres meet in some lane; returns the lanes
static unsigned findNear(Group* g) {
  unsigned any = 0;
  g->nnear = 0;
  for (int k = 0; k < g->p->npair; k++) {
    const unsigned lanes = col_laneNear(&g->w, g->p->pair + k);
    if (!lanes) continue;
    g->near[g->nnear++] = (Near){k, lanes};
    any |= lanes;
  }
  return any;
}

// a geom may be in several pairs
static void takeGeom(const Group* g, int geom, int lane) {
  mjData* const d = g->task->d;
  if (g->taken[geom] == g->taking) return;
  g->taken[geom] = g->taking;
  mth_laneTake(d->geom_xpos + 3 * geom, g->w.geom_xpos + 3 * geom, 3, lane);
  mth_laneTake(d->geom_xmat + 9 * geom, g->w.geom_xmat + 9 * geom, 9, lane);
}

// contacts of one simulation
static void collide(Group* g, int lane) {
  mjData* const d = g->task->d;
  g->taking++;
  if (g->p->unbounded) {
    kin_laneOtherGeoms(&g->w);
    for (int k = 0; k < g->p->m->ngeom; k++) takeGeom(g, k, lane);
    mth_laneTake(d->xipos, g->w.xipos, 3 * (int)g->p->m->nbody, lane);
    mth_laneTake(d->ximat, g->w.ximat, 9 * (int)g->p->m->nbody, lane);
    mj_collision(g->task->m, d);
    return;
  }
  col_startPairs(d);
  for (int k = 0; k < g->nnear; k++) {
    if (!(g->near[k].lanes >> lane & 1)) continue;
    const MdlLanePair* const pair = g->p->pair + g->near[k].pair;
    takeGeom(g, pair->g1, lane);
    takeGeom(g, pair->g2, lane);
    col_collidePair(g->task->m, d, pair);
  }
}

// centres that spatial vectors refer to
static void takeRoots(const Group* g, int lane) {
  for (int k = 0; k < g->p->nroot; k++) {
    const int at = 3 * g->p->root[k];
    mth_laneTake(g->task->d->subtree_com + at, g->w.subtree_com + at, 3, lane);
  }
}

// what the rows and the solver of one simulation read
static void takeForRows(const Group* g, int lane) {
  const MdlLanePlan* const p = g->p;
  const mjModel* const m = p->m;
  const MdlLanes* const w = &g->w;
  mjData* const d = g->task->d;
  const int nv = (int)m->nv;
  mth_laneTake(d->qpos, w->qpos, (int)m->nq, lane);
  mth_laneTake(d->qvel, w->qvel, nv, lane);
  mth_laneTake(d->qacc_warmstart, w->qacc_warmstart, nv, lane);
  mth_laneTake(d->cdof, w->cdof, 6 * nv, lane);
  mth_laneTake(d->M, w->M, (int)m->nC, lane);
  mth_laneTake(d->qfrc_smooth, w->qfrc_smooth, nv, lane);
  mth_laneTake(d->qacc_smooth, w->qacc_smooth, nv, lane);
  takeRoots(g, lane);
  if (p->factor) {
    mth_laneTake(d->qLD, w->qLD, (int)m->nC, lane);
    mth_laneTake(d->qLDiagInv, w->qLDiagInv, nv, lane);
  }
  if (p->bodies) {
    mth_laneTake(d->xpos, w->xpos, 3 * (int)m->nbody, lane);
    mth_laneTake(d->xquat, w->xquat, 4 * (int)m->nbody, lane);
    mth_laneTake(d->xmat, w->xmat, 9 * (int)m->nbody, lane);
  }
  if (m->neq) {
    const BatArray* const a = g->task->g->state + partOf(mjSTATE_EQ_ACTIVE);
    memcpy(d->eq_active, a->data + (size_t)g->task->row[lane] * a->bytes, a->bytes);
  }
  if (m->ntendon) mj_tendon(m, d);
}

// rows and solver of one simulation, whose contacts have been found; 1: the acceleration is still to be computed
static int solve(const Group* g, int lane) {
  const mjModel* const m = g->task->m;
  mjData* const d = g->task->d;
  takeForRows(g, lane);
  mj_makeConstraint(m, d);
  con_islandSizes(m, d);
  mj_projectConstraint(m, d);
  mj_referenceConstraint(m, d);
  const int left = sol_forces(m, d);
  if (!left) {
    mj_fwdConstraint(m, d);
    mth_lanePut(g->w.qacc, d->qacc, (int)m->nv, lane);
  }
  mth_lanePut(g->w.qfrc_constraint, d->qfrc_constraint, (int)m->nv, lane);
  return left;
}

// accelerations of some lanes from the forces of their constraints, as sol_dualFinish
static void accelerate(const Group* g, unsigned lanes) {
  const MdlLanes* const w = &g->w;
  const int nv = (int)g->p->m->nv;
  MthLane* const x = w->solution;
  mth_laneCopy(x, w->qfrc_constraint, nv);
  dyn_laneSolve(w, (DynLaneFactor){w->qLD, w->qLDiagInv}, x);
  const MthMask chosen = mth_laneMask(lanes);
  for (int i = 0; i < nv; i++) w->qacc[i] = mth_laneSelect(chosen, x[i] + w->qacc_smooth[i], w->qacc[i]);
}

// 1: nothing was said that a step of its own would have to say
static int isQuiet(const mjData* d) {
  int said = 0;
  for (int i = 0; i < mjNWARNING; i++) said |= d->warning[i].number;
  return !said;
}

// forces from outside on the bodies of one simulation, whose contacts and rows are in mjData if it has any
static void takeExternal(const Group* g, int lane, int solved) {
  const BatArray* const a = g->task->g->state + partOf(mjSTATE_XFRC_APPLIED);
  const mjModel* const m = g->task->m;
  mjData* const d = g->task->d;
  if (!solved) {
    d->ncon = 0;
    mdl_resetRows(d);
    takeRoots(g, lane);
  }
  memcpy(d->xfrc_applied, a->data + (size_t)g->task->row[lane] * a->bytes, a->bytes);
  if (g->w.pushed >> lane & 1) mth_laneTake(d->xipos, g->w.xipos, 3 * (int)m->nbody, lane);
  con_externalForces(m, d);
  mth_lanePut(g->w.cfrc_ext, d->cfrc_ext, 6 * (int)m->nbody, lane);
}

static void takeTendons(const Group* g, int lane) {
  const mjModel* const m = g->task->m;
  mjData* const d = g->task->d;
  mth_laneTake(d->qpos, g->w.qpos, (int)m->nq, lane);
  mth_laneTake(d->qvel, g->w.qvel, (int)m->nv, lane);
  mj_tendon(m, d);
  stp_tendonVelocity(m, d);
  mth_lanePut(g->w.ten_velocity, d->ten_velocity, (int)m->ntendon, lane);
}

// what only the last evaluation has to give
static void takeLate(const Group* g, int lane, int solved) {
  const int external = g->late & LATE_EXTERNAL;
  if (external && (solved || g->w.pushed >> lane & 1)) takeExternal(g, lane, solved);
  if (g->late & LATE_TENDONS) takeTendons(g, lane);
}

// accelerations with constraints: those without, and the solver's where there are rows
static int constrain(Group* g) {
  const MdlLanePlan* const p = g->p;
  const int nv = (int)p->m->nv, nbody = (int)p->m->nbody;
  mth_laneCopy(g->w.qacc, g->w.qacc_smooth, nv);
  for (int i = 0; i < nv; i++) g->w.qfrc_constraint[i] = mth_laneOf(0);
  for (int i = 0; g->late & LATE_EXTERNAL && i < 6 * nbody; i++) g->w.cfrc_ext[i] = mth_laneOf(0);
  if (!p->constrained && !g->late) return 1;
  const unsigned rows = !p->constrained ? 0 : p->always ? MTH_ALL_LANES : p->limits ? limitedLanes(&g->w) : 0;
  const unsigned near = p->constrained ? findNear(g) : 0;
  unsigned left = 0;
  for (int lane = 0; lane < MTH_LANES; lane++) {
    int solved = 0;
    if ((rows | near) >> lane & 1) {
      bat_see(g->task->g, g->task->m, g->task->row[lane], 0);
      collide(g, lane);
      solved = g->task->d->ncon || rows >> lane & 1;
      if (solved) left |= (unsigned)solve(g, lane) << lane;
    }
    if (g->late) takeLate(g, lane, solved);
  }
  if (left) accelerate(g, left);
  return isQuiet(g->task->d);
}

//---------------------------------- stages ----------------------------------

// as mj_forward without sensors; 0: the simulations have to be stepped one by one
static int forward(Group* g) {
  const MdlLanePlan* const p = g->p;
  const MdlLanes* const w = &g->w;
  kin_lanePoses(w);
  kin_laneComPos(w);
  dyn_laneInertia(w);
  mth_laneCopy(w->qLD, w->M, (int)p->m->nC);
  dyn_laneFactor(w, (DynLaneFactor){w->qLD, w->qLDiagInv});
  frc_laneTendons(w);
  frc_laneTransmission(w);
  frc_laneActuatorVelocity(w);
  frc_lanePassive(w);
  dyn_laneBias(w);
  if (!frc_laneActuation(w)) return 0;
  stp_laneAcceleration(w);
  return constrain(g);
}

// as mj_RungeKutta
static int rungeKutta(Group* g, int last) {
  static const mjtNum STEP[4] = {0, 0.5, 0.5, 1}, WEIGHT[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
  const MdlLanes* const w = &g->w;
  const MthLane start = *w->time;
  stp_laneRungeStart(w);
  stp_laneAddRate(w, WEIGHT[0]);
  for (int i = 1; i < 4; i++) {
    stp_laneRungeMove(w, start, STEP[i]);
    g->late = last && i == 3 ? g->wanted : 0;
    if (!forward(g)) return 0;
    stp_laneAddRate(w, WEIGHT[i]);
  }
  stp_laneRungeEnd(w, start);
  return 1;
}

// as mj_step; last: what others read is read after it
static int step(Group* g, int last) {
  const mjModel* const m = g->p->m;
  const MdlLanes* const w = &g->w;
  const int runge = m->opt.integrator == mjINT_RK4;
  g->late = last && !runge ? g->wanted : 0;
  if (!stp_laneGood(w->qpos, m->nq) || !stp_laneGood(w->qvel, m->nv)) return 0;
  if (!forward(g) || !stp_laneGood(w->qacc, m->nv)) return 0;
  if (runge) return rungeKutta(g, last);
  if (m->opt.integrator == mjINT_EULER) {
    stp_laneEuler(w);
  } else {
    stp_laneImplicitFast(w);
  }
  return 1;
}

//---------------------------------- outputs ----------------------------------

// places of the arrays, counted from 1
enum {
  LANE_none,
#define X(name, count, whole) LANE_##name,
  MDL_LANE_ARRAYS(X)
#undef X
};

// one of the arrays that hold all of a field
static const MthLane* arrayAt(const MdlLanes* w, int lane) {
  int k = 0;
#define X(name, count, whole) \
  if (++k == lane) return w->name;
  MDL_LANE_ARRAYS(X)
#undef X
  return NULL;
}

static void fetch(const Group* g, const BatArray* a, int lane, char* where) {
  if (!a->bytes) return;
  const MthLane* const from = arrayAt(&g->w, a->lane);
  mth_laneTake((mjtNum*)(void*)where, from, (int)(a->bytes / sizeof(mjtNum)), lane);
}

// what is only computed for those who ask
static void complete(const Group* g, const BatArray* list, int n) {
  int geoms = 0, sites = 0, inertias = 0;
  for (int k = 0; k < n; k++) {
    geoms |= list[k].lane == LANE_geom_xpos || list[k].lane == LANE_geom_xmat;
    sites |= list[k].lane == LANE_site_xpos || list[k].lane == LANE_site_xmat;
    inertias |= list[k].lane == LANE_cinert;
  }
  if (geoms) kin_laneOtherGeoms(&g->w);
  if (sites) kin_laneSites(&g->w);
  if (inertias) kin_laneOtherInertias(&g->w);
}

// what the last evaluation has to give for some fields: LATE_…
static int lateFor(const BatArray* list, int n) {
  int late = 0;
  for (int k = 0; k < n; k++) {
    if (list[k].lane == LANE_cfrc_ext) late |= LATE_EXTERNAL;
    if (list[k].lane == LANE_ten_velocity && list[k].bytes) late |= LATE_TENDONS;
  }
  return late;
}

static void fetchBound(const Group* g) {
  const BatGroup* const group = g->task->g;
  complete(g, group->bound, group->nbound);
  for (int k = 0; k < group->nbound; k++) {
    const BatArray* const a = group->bound + k;
    for (int i = 0; i < MTH_LANES; i++) fetch(g, a, i, a->data + (size_t)g->task->row[i] * a->bytes);
  }
}

// records of one time of a rollout
static void record(const Group* g, int t) {
  const snRollout* const r = g->task->rollout;
  complete(g, g->task->g->record, r->nrecord);
  for (int k = 0; k < r->nrecord; k++) {
    const BatArray* const a = g->task->g->record + k;
    for (int i = 0; i < MTH_LANES; i++) {
      const size_t at = (size_t)g->task->position[i] * (size_t)r->nstep + (size_t)t;
      fetch(g, a, i, (char*)r->out[k] + at * a->bytes);
    }
  }
}

// controls of one time of a rollout
static void loadControls(const Group* g, int t) {
  const snRollout* const r = g->task->rollout;
  const int nu = (int)g->p->m->nu;
  const mjtNum* row[MTH_LANES];
  for (int i = 0; i < MTH_LANES; i++) {
    row[i] = r->control + ((size_t)g->task->position[i] * (size_t)r->nstep + (size_t)t) * (size_t)nu;
  }
  for (int k = 0; k < nu; k++) g->w.ctrl[k] = mth_laneGather(row, k);
}

//---------------------------------- table ----------------------------------

static Group open(BatLaneTask* task) {
  Group g = {.task = task, .p = task->g->plan, .w = mdl_layLanes(task->g->plan, task->memory)};
  g.near = (Near*)(void*)((char*)task->memory + mdl_laneBytes(g.p));
  g.taken = (int*)(void*)(g.near + g.p->npair);
  memset(g.taken, 0, sizeof(int) * (size_t)g.p->m->ngeom);
  return g;
}

static size_t bytes(const MdlLanePlan* plan) {
  return mdl_laneBytes(plan) + sizeof(Near) * (size_t)plan->npair + sizeof(int) * (size_t)plan->m->ngeom;
}

static void start(const MdlLanePlan* plan, void* memory) {
  memset(memory, 0, bytes(plan));
  const MdlLanes w = mdl_layLanes(plan, memory);
  kin_laneStart(&w);
}

static void stepTask(BatLaneTask* task) {
  Group g = open(task);
  const snRollout* const r = task->rollout;
  memset(task->d->warning, 0, sizeof(task->d->warning));
  load(&g);
  if (task->g->nexpanded && !loadParams(&g)) return;
  if (task->keep) g.wanted = lateFor(task->g->bound, task->g->nbound);
  if (r) g.wanted |= lateFor(task->g->record, r->nrecord);
  for (int t = 0; t < (r ? r->nstep : 1); t++) {
    if (r && r->control) loadControls(&g, t);
    for (int i = 0; i < task->substeps; i++) {
      if (!step(&g, i == task->substeps - 1)) return;
    }
    if (r) record(&g, t);
  }
  if (task->keep) {
    store(&g);
    fetchBound(&g);
    if (r && r->control) storePart(task, mjSTATE_CTRL, g.w.ctrl, g.p->m->nu);
  }
  task->done = 1;
}

static void take(const BatLaneTask* task, int lane, mjData* d) {
  const mjModel* const m = task->g->m;
  const MdlLanes w = mdl_layLanes(task->g->plan, task->memory);
  mth_laneTake(&d->time, w.time, 1, lane);
  mth_laneTake(d->qpos, w.qpos, (int)m->nq, lane);
  mth_laneTake(d->qvel, w.qvel, (int)m->nv, lane);
  mth_laneTake(d->act, w.act, (int)m->na, lane);
  mth_laneTake(d->qacc_warmstart, w.qacc_warmstart, (int)m->nv, lane);
}
