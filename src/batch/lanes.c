// Which models can be stepped side by side, what is known of them beforehand, and whether it pays.
#include "batch/lanes.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/memory.h"
#include "collision/continuous.h"
#include "collision/pairs.h"
#include "dynamics/ldl.h"
#include "dynamics/plan.h"
#include "force/fluid.h"
#include "math/simd/kernels.h"
#include "physics/physics.h"
#include "sleep/sleep.h"

// pairs of geoms beyond which looking at all of them would take longer than the broad phase
enum { MOST_PAIRS = 4000 };

// rows of the integrators' matrices up to this length are solved in a single pass (ldl_rows.c)
enum { SHORT_ROW = 8 };

// rounding of the compiler's bounds, relative
#define BOUND_SLACK 1e-12

// terms of a sum that are added in sequence (math/simd/kernels.h)
enum { MOST_MOMENTS = MTH_INLINE - 1 };

//---------------------------------- which models ----------------------------------

static int isDisabled(const mjModel* m, int flags) {
  return (m->opt.disableflags & flags) != 0;
}

// joints: springs only where a coordinate is a number
static int jointsFit(const mjModel* m) {
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] < mjJNT_SLIDE && m->jnt_stiffness[j] != 0) return 0;
  }
  for (int b = 0; b < m->nbody; b++) {
    if (m->body_mocapid[b] >= 0 && m->body_parentid[b]) return 0;
  }
  return 1;
}

// tendons: sums of joint positions without forces of their own
static int tendonsFit(const mjModel* m) {
  for (int t = 0; t < m->ntendon; t++) {
    if (m->wrap_type[m->tendon_adr[t]] != mjWRAP_JOINT || m->tendon_actfrclimited[t]) return 0;
    if (m->tendon_stiffness[t] != 0 || m->tendon_damping[t] != 0 || m->tendon_armature[t] != 0) return 0;
  }
  return 1;
}

// what an actuator pulls: a joint with one coordinate, a free joint, a tendon
static int pullsFit(const mjModel* m, const mjData* d, int i) {
  const int id = m->actuator_trnid[2 * i], type = m->actuator_trntype[i], n = d->moment_rownnz[i];
  if (n < 1 || n > (m->opt.integrator == mjINT_EULER || m->opt.integrator == mjINT_RK4 ? MOST_MOMENTS : 1)) return 0;
  if (type == mjTRN_TENDON) return 1;
  if (type != mjTRN_JOINT && type != mjTRN_JOINTINPARENT) return 0;
  return m->jnt_type[id] >= mjJNT_SLIDE || (m->jnt_type[id] == mjJNT_FREE && type == mjTRN_JOINT);
}

// actuators: fixed and affine gains, filters and integrators, moments that do not change
static int actuatorsFit(const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nu; i++) {
    const int gain = m->actuator_gaintype[i], bias = m->actuator_biastype[i], dyn = m->actuator_dyntype[i];
    if (gain != mjGAIN_FIXED && gain != mjGAIN_AFFINE) return 0;
    if (bias != mjBIAS_NONE && bias != mjBIAS_AFFINE) return 0;
    if (dyn != mjDYN_NONE && dyn != mjDYN_INTEGRATOR && dyn != mjDYN_FILTER && dyn != mjDYN_FILTEREXACT) return 0;
    if (m->actuator_actnum[i] != (dyn != mjDYN_NONE) || m->actuator_delay[i] != 0) return 0;
    if (!pullsFit(m, d, i)) return 0;
  }
  return 1;
}

// constraints between bodies or coordinates; those of sites would need their poses
static int equalitiesFit(const mjModel* m) {
  for (int i = 0; i < m->neq; i++) {
    if (m->eq_objtype[i] == mjOBJ_SITE) return 0;
  }
  return 1;
}

// 1: the lane code covers all of the model's step
static int fits(const BatGroup* g) {
  const mjModel* const m = g->m;
  mjData* const d = g->slot[0].d;
  if (g->persistent || m->nplugin || m->nflex || m->nhistory || slp_enabled(m)) return 0;
  if (m->opt.integrator == mjINT_IMPLICIT || (m->opt.enableflags & mjENBL_FWDINV)) return 0;
  if (m->nu && isDisabled(m, mjDSBL_ACTUATION)) return 0;
  if (g->state[BAT_ENERGY].bytes || frc_hasFluid(m) || phy_open(m, d) || col_hasContinuous(m, d)) return 0;
  return jointsFit(m) && tendonsFit(m) && actuatorsFit(m, d) && equalitiesFit(m);
}

//---------------------------------- lists ----------------------------------

static int* listOf(mjtSize most) {
  return bat_zeroed(sizeof(int) * (size_t)(most + 1));
}

// bodies whose pose can change, those that dofs move, and the first ones of trees
static void listBodies(MdlLanePlan* p) {
  const mjModel* const m = p->m;
  p->posed = listOf(m->nbody);
  p->moving = listOf(m->nbody);
  p->root = listOf(m->nbody);
  p->support = listOf(m->nbody);
  p->varies = listOf(m->nbody);
  for (int b = 1; b < m->nbody; b++) {
    const int parent = m->body_parentid[b], moving = m->body_weldid[b] != 0;
    p->varies[b] = moving || m->body_mocapid[b] >= 0 || p->varies[parent];
    if (p->varies[b]) p->posed[p->nposed++] = b;
    if (moving) p->moving[p->nmoving++] = b;
    if (!parent) p->root[p->nroot++] = b;
    p->support[b] = m->body_weldid[parent] ? parent : 0;
  }
}

static void listHinges(MdlLanePlan* p) {
  const mjModel* const m = p->m;
  p->hinge = listOf(m->njnt);
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] == mjJNT_HINGE) p->hinge[p->nhinge++] = m->jnt_qposadr[j];
  }
}

// 1: the bounds of a geom contain it; meshes and other assets are believed
static int isBounded(const mjModel* m, int g) {
  const mjtNum *size = m->geom_size + 3 * g, *box = m->geom_aabb + 6 * g + 3, r = size[0];
  mjtNum need[3] = {r, r, r};
  switch (m->geom_type[g]) {
    case mjGEOM_SPHERE:
      break;
    case mjGEOM_CAPSULE:
      need[2] = r + size[1];
      break;
    case mjGEOM_CYLINDER:
      need[2] = size[1];
      break;
    case mjGEOM_ELLIPSOID:
    case mjGEOM_BOX:
      need[1] = size[1];
      need[2] = size[2];
      break;
    default:
      return 1;
  }
  mjtNum reach = need[2];
  if (m->geom_type[g] == mjGEOM_CYLINDER) reach = sqrt(need[0] * need[0] + need[2] * need[2]);
  if (m->geom_type[g] == mjGEOM_BOX) reach = sqrt(need[0] * need[0] + need[1] * need[1] + need[2] * need[2]);
  for (int k = 0; k < 3; k++) {
    if (need[k] > reach) reach = need[k];
    if (!(need[k] <= box[k] * (1 + BOUND_SLACK))) return 0;
  }
  return reach <= m->geom_rbound[g] * (1 + BOUND_SLACK);
}

// pairs of geoms, and those of their geoms that move; 0: too many
static int listPairs(MdlLanePlan* p) {
  const mjModel* const m = p->m;
  p->geom = listOf(m->ngeom);
  p->read = listOf(m->ngeom);
  if (isDisabled(m, mjDSBL_CONSTRAINT | mjDSBL_CONTACT) || m->nbody < 2) return 1;
  p->npair = col_listPairs(m, NULL, 0);
  if (p->npair > MOST_PAIRS) return 0;
  p->pair = bat_zeroed(sizeof(MdlLanePair) * (size_t)(p->npair + 1));
  col_listPairs(m, p->pair, p->npair);

  for (int k = 0; k < p->npair; k++) p->read[p->pair[k].g1] = p->read[p->pair[k].g2] = 1;
  for (int g = 0; g < m->ngeom; g++) {
    if (p->read[g] && p->varies[m->geom_bodyid[g]]) p->geom[p->ngeom++] = g;
    p->unbounded |= p->read[g] && !isBounded(m, g);
  }
  return 1;
}

// moments of actuators as a forward pass leaves them
static void copyMoments(MdlLanePlan* p) {
  const mjModel* const m = p->m;
  const mjData* const d = p->d;
  int n = 0;
  for (int i = 0; i < m->nu; i++) n += d->moment_rownnz[i];
  p->moment_rownnz = listOf(m->nu);
  p->moment_rowadr = listOf(m->nu);
  p->moment_colind = listOf(n);
  p->moment = bat_zeroed(sizeof(mjtNum) * (size_t)(n + 1));
  memcpy(p->moment_rownnz, d->moment_rownnz, sizeof(int) * (size_t)m->nu);
  memcpy(p->moment_rowadr, d->moment_rowadr, sizeof(int) * (size_t)m->nu);
  memcpy(p->moment_colind, d->moment_colind, sizeof(int) * (size_t)n);
  memcpy(p->moment, d->actuator_moment, sizeof(mjtNum) * (size_t)n);
}

//---------------------------------- flags ----------------------------------

static int hasFriction(const mjModel* m) {
  int any = 0;
  for (int i = 0; i < m->nv; i++) any |= m->dof_frictionloss[i] != 0;
  for (int i = 0; i < m->ntendon; i++) any |= m->tendon_frictionloss[i] > 0;
  return any && !isDisabled(m, mjDSBL_FRICTIONLOSS);
}

static void setConstraintFlags(MdlLanePlan* p) {
  const mjModel* const m = p->m;
  int balls = 0;
  for (int j = 0; j < m->njnt; j++) {
    if (!m->jnt_limited[j]) continue;
    p->limits |= m->jnt_type[j] >= mjJNT_SLIDE;
    balls |= m->jnt_type[j] == mjJNT_BALL;
  }
  for (int t = 0; t < m->ntendon; t++) p->limits |= m->tendon_limited[t];
  if (isDisabled(m, mjDSBL_LIMIT)) p->limits = balls = 0;
  p->always = balls || hasFriction(m) || (m->neq && !isDisabled(m, mjDSBL_EQUALITY));
  p->bodies = m->neq > 0;
  p->factor = m->opt.solver != mjSOL_NEWTON || m->opt.noslip_iterations > 0;
  p->constrained = !isDisabled(m, mjDSBL_CONSTRAINT) && (p->always || p->limits || p->npair);
}

static void setFlags(MdlLanePlan* p) {
  const mjModel* const m = p->m;
  const mjtNum* const g = m->opt.gravity;
  const int still = isDisabled(m, mjDSBL_SPRING) && isDisabled(m, mjDSBL_DAMPER);
  p->gravcomp = m->ngravcomp && !isDisabled(m, mjDSBL_GRAVITY) && !still && (g[0] != 0 || g[1] != 0 || g[2] != 0);
  int damping = 0, longest = 0;
  for (int i = 0; i < m->nv; i++) {
    damping |= m->dof_damping[i] > 0;
    if (m->M_rownnz[i] > longest) longest = m->M_rownnz[i];
  }
  p->dampable = m->opt.integrator == mjINT_EULER && !isDisabled(m, mjDSBL_EULERDAMP | mjDSBL_DAMPER);
  p->damped = damping && p->dampable;
  p->shortRows = longest <= SHORT_ROW;
  p->deepest = longest;
  setConstraintFlags(p);
}

//---------------------------------- plan ----------------------------------

static void freePlan(MdlLanePlan* p) {
  if (!p) return;
  void* const lists[] = {p->varies, p->read, p->posed,  p->moving,        p->root,          p->support,       p->hinge,
                         p->geom,   p->pair, p->moment, p->moment_rownnz, p->moment_rowadr, p->moment_colind, p};
  for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) mju_free(lists[i]);
}

// g->plan: NULL where a model cannot be stepped side by side
static void makePlan(BatGroup* g) {
  mjData* const d = g->slot[0].d;
  mj_fwdKinematics(g->m, d);
  mj_transmission(g->m, d);
  if (!fits(g)) return;
  MdlLanePlan* const p = g->plan = bat_zeroed(sizeof(MdlLanePlan));
  p->m = g->m;
  p->d = d;
  listBodies(p);
  listHinges(p);
  copyMoments(p);
  const int few = listPairs(p);
  setFlags(p);
  if (few && p->deepest <= DYN_DEPTH) return;
  freePlan(p);
  g->plan = NULL;
}

//---------------------------------- choice ----------------------------------

// the widths that this machine has, those of the chosen kernels first
static int widths(const BatLanes* list[3]) {
  int n = 0;
#if defined(__x86_64__)
  const char* const name = mth_kernelName();
  if (!strcmp(name, "v4")) list[n++] = &bat_lanesV4;
  if (mth_isV3()) list[n++] = &bat_lanesV3;
#endif
  list[n++] = &bat_lanesBase;
  return n;
}

static void runTask(void* argument) {
  BatLaneTask* const task = argument;
  task->g->lanes->step(task);
}

int bat_stepLanes(BatLaneTask* task) {
  char ignored[BAT_NMESSAGE];
  task->done = 0;
  if (bat_guard(runTask, task, ignored) && task->done) return 1;

  // what was left half-way in mjData is of no use
  task->d->pstack = task->d->pbase = 0;
  memset(task->d->warning, 0, sizeof(task->d->warning));
  return 0;
}

double bat_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// one way to step: a few steps from the initial state, without storing them
typedef struct {
  BatGroup* g;
  const BatLanes* lanes;  // NULL: one by one
  int failed;
  double best;  // seconds per simulation and step
} Attempt;

enum { STEPS = 4, TRIES = 5, WAYS = 4 };

// lanes are given up only where they are slower by more than the clock may be wrong
#define SLOWER 1.1

// time that the choice may take, in seconds
#define PATIENCE 0.1

static void attempt(void* argument) {
  Attempt* const a = argument;
  BatGroup* const g = a->g;
  BatSlot* const slot = g->slot;
  if (a->lanes) a->lanes->start(g->plan, slot->lanes);
  g->lanes = a->lanes;
  const double begin = bat_now();
  if (a->lanes) {
    BatLaneTask task = {.g = g, .m = slot->m, .d = slot->d, .memory = slot->lanes, .substeps = STEPS};
    a->failed = !bat_stepLanes(&task);
  } else {
    bat_load(g, slot->d, 0);
    for (int i = 0; i < STEPS; i++) mj_step(slot->m, slot->d);
  }
  const double spent = (bat_now() - begin) / (STEPS * (a->lanes ? a->lanes->width : 1));
  if (spent < a->best) a->best = spent;
}

// what a simulation says while it is measured, it will say again
static void beDeaf(const char* message) {
  (void)message;
}

// all ways take turns; the best of each counts
static void measure(Attempt* way, int n) {
  const BasHandler handler = _mjPRIVATE__get_tls_warning_fn();
  _mjPRIVATE__set_tls_warning_fn(beDeaf);
  const double begin = bat_now();
  for (int k = 0; k < TRIES && bat_now() - begin < PATIENCE; k++) {
    for (int i = 0; i < n; i++) {
      char ignored[BAT_NMESSAGE];
      if (!way[i].failed && !bat_guard(attempt, way + i, ignored)) way[i].failed = 1;
    }
  }
  _mjPRIVATE__set_tls_warning_fn(handler);
}

// the quickest of the widths, NULL: one by one
static const BatLanes* quickest(BatGroup* g, const BatLanes* const list[], int nwidth) {
  Attempt way[WAYS] = {
      {.g = g, .best = 1e9}
  };
  int n = 1, best = 0;
  for (int i = 0; i < nwidth; i++) {
    if (list[i]->width <= g->n) way[n++] = (Attempt){g, list[i], 0, 1e9};
  }
  measure(way, n);
  for (int i = 1; i < n; i++) {
    if (!way[i].failed && way[i].best < (best ? way[best].best : SLOWER * way[0].best)) best = i;
  }
  for (int i = 0; best && i < g->nslot; i++) {
    g->slot[i].spent[0] = way[best].best * way[best].lanes->width;
    g->slot[i].spent[1] = way[0].best * way[best].lanes->width;
  }
  return way[best].lanes;
}

void bat_makeLanes(BatGroup* g, int force) {
  if (force < 0 || !g->n) return;
  makePlan(g);
  if (!g->plan) return;
  const BatLanes* list[WAYS - 1];
  const int n = widths(list);
  for (int i = 0; i < g->nslot; i++) g->slot[i].lanes = bat_zeroed(list[0]->bytes(g->plan));
  g->lanes = force > 0 ? list[0] : quickest(g, list, n);
  if (!g->lanes) {
    bat_freeLanes(g);
    return;
  }
  for (int i = 0; i < g->nslot; i++) g->lanes->start(g->plan, g->slot[i].lanes);
}

void bat_freeLanes(BatGroup* g) {
  for (int i = 0; i < g->nslot; i++) {
    mju_free(g->slot[i].lanes);
    g->slot[i].lanes = NULL;
  }
  freePlan(g->plan);
  g->plan = NULL;
}

//---------------------------------- while it runs ----------------------------------
// What was measured when the batch was made is the time of initial states. As simulations touch things, lanes gain
// less. So now and then a group is stepped both ways, first side by side without storing it, and the quicker way stays.
// Both times are those of the same states: times of different groups would say which of them touch more.

// Groups after which the first one is compared, then after twice as many, and so on; and from then on between two of
// them, which costs less than one percent.
enum { FIRST = 16, COMPARED = 256 };

// the other way is taken where it is quicker by this, so that noise does not decide
#define QUICKER 0.95

int bat_laneCompared(const snBatch* b, BatSlot* slot) {
  if (b->options.lanes) return 0;
  const int count = slot->count = slot->count < 2 * COMPARED ? slot->count + 1 : COMPARED + 1;
  return count % COMPARED == 0 || (count >= FIRST && (count & (count - 1)) == 0);
}

void bat_laneCompare(BatSlot* slot, const double spent[2]) {
  // states change slowly: what is noise goes under in a mean
  for (int k = 0; k < 2; k++) slot->spent[k] += (spent[k] - slot->spent[k]) / 4;
  if (slot->spent[!slot->alone] < QUICKER * slot->spent[slot->alone]) slot->alone = !slot->alone;
}

//---------------------------------- which calls ----------------------------------

int bat_laneOf(const char* name) {
  int k = 0;
#define X(array, count, whole) \
  k++;                         \
  if (whole && !strcmp(name, #array)) return k;
  MDL_LANE_ARRAYS(X)
#undef X
  return 0;
}

int bat_laneParam(const char* name) {
  // what lanes do not read, or only through the narrow phase, rows and solver of one simulation; a star ends a prefix
  static const char* const OTHERS[] = {
      "geom_friction",
      "geom_sol*",
      "geom_priority",
      "geom_condim",

      "geom_gap",
      "pair_dim",
      "pair_sol*",
      "pair_friction",
      "pair_gap",
      "jnt_sol*",
      "dof_sol*",
      "body_invweight0",
      "dof_invweight0",
      "dof_length",
      "eq_data",
      "eq_sol*",
      "eq_active0",
      "tendon_length0",
      "tendon_invweight0",
      "tendon_sol*",
      "tendon_lengthspring",
      "actuator_length0",
      "actuator_acc0",
      "actuator_lengthrange",
      "tree_sleep_policy",
      "stat.*",
      "cam_*",
      "light_*",
      "key_*",
      "site_*",
      "opt.impratio",
      "opt.tolerance",
      "opt.ls_*",
      "opt.iterations",
  };
  int k = 0;
#define X(array, count) \
  k++;                  \
  if (!strcmp(name, #array)) return k;
  MDL_LANE_PARAMS(X)
#undef X
  for (size_t i = 0; i < sizeof(OTHERS) / sizeof(OTHERS[0]); i++) {
    const size_t n = strlen(OTHERS[i]) - 1;
    if (OTHERS[i][n] == '*' ? !strncmp(name, OTHERS[i], n) : !strcmp(name, OTHERS[i])) return 0;
  }
  return -1;
}

int bat_inLanes(const BatArray* list, int n) {
  for (int i = 0; i < n; i++) {
    if (!list[i].lane && list[i].bytes) return 0;
  }
  return 1;
}

BatLaneMode bat_laneMode(const snBatch* b, const BatGroup* g) {
  const BatJob* const job = &b->job;
  if (!g->lanes || b->foreign || g->narrow) return BAT_LANES_NONE;
  if (job->op == BAT_ROLLOUT) {
    const snRollout* const r = job->rollout;
    const int plain = !b->options.done && (r->control_spec == mjSTATE_CTRL || !r->control_spec);
    return plain && bat_inLanes(g->bound, g->nbound) && bat_inLanes(g->record, r->nrecord) ? BAT_LANES_ALL
                                                                                           : BAT_LANES_NONE;
  }
  if (job->op != BAT_STEP) return BAT_LANES_NONE;
  if (!b->options.done && bat_inLanes(g->bound, g->nbound)) return BAT_LANES_ALL;
  return job->substeps > 1 ? BAT_LANES_AHEAD : BAT_LANES_NONE;
}
