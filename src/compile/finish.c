// From the copied model to the finished one: arena, constants, spring-dampers, length ranges, statistics, a test step.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/thread.h"
#include "compile/compile.h"
#include "spec/signature.h"
#include "model/check.h"

// -------------------------------------------------------------------------------------------- memory

// the size that the user asked for, or one that is generous for the model
static void setArena(const Cmp* c, mjModel* m) {
  if (c->s.memory != -1) {
    m->narena = c->s.memory;
    return;
  }
  const mjtSize nconmax = m->nconmax == -1 ? 100 : m->nconmax;
  const mjtSize njmax = m->njmax == -1 ? 500 : m->njmax;
  if (c->s.nstack != -1) {
    m->narena = (mjtSize)sizeof(mjtNum) * c->s.nstack;
  } else {
    const mjtSize rows = njmax + m->neq + m->nv;
    const mjtSize objects =
        m->nq + m->nv + m->nu + m->na + m->nbody + m->njnt + m->ngeom + m->nsite + m->neq + m->ntendon + m->nwrap;
    const mjtSize numbers = 5 * rows * rows + 20 * objects;
    m->narena = (mjtSize)sizeof(mjtNum) * (numbers > 1000 ? numbers : 1000);
  }
  const mjtSize i = sizeof(int), n = sizeof(mjtNum);
  m->narena += nconmax * (mjtSize)sizeof(mjContact) + njmax * (8 * i + 14 * n) + m->nv * 3 * i +
               njmax * m->nv * (2 * i + 2 * n) + njmax * njmax * (i + n);
  const mjtSize megabyte = 1 << 20;
  m->narena = megabyte * (m->narena / megabyte + (m->narena % megabyte != 0));
}

// -------------------------------------------------------------------------------------------- springs, lengths

// stiffness and damping of joints that gave a time constant and a damping ratio instead
static void setSpringDampers(const Cmp* c, mjModel* m) {
  for (int j = 0; j < m->njnt; j++) {
    const CmpJoint* const joint = CMP_AT(c, SPC_JOINT, CmpJoint, j);
    const double timeconst = joint->s.springdamper[0], ratio = joint->s.springdamper[1];
    if (timeconst <= 0 || ratio <= 0) continue;
    const int adr = m->jnt_dofadr[j], num = cmp_nv(joint);
    mjtNum weight = 0;
    for (int i = 0; i < num; i++) weight += m->dof_invweight0[adr + i];
    const mjtNum inertia = num / fmax(mjMINVAL, weight);
    m->jnt_stiffness[j] = inertia / fmax(mjMINVAL, timeconst * timeconst * ratio * ratio);
    for (int i = 0; i < num; i++) m->dof_damping[adr + i] = 2 * inertia / fmax(mjMINVAL, timeconst);
  }
}

// some of the actuators, on one thread with data of its own
typedef struct {
  mjModel* m;
  mjData* d;
  const mjLROpt* opt;
  int first, end;
  int failed;  // actuator, -1: none
  char error[200];
} Ranges;

static void runRanges(void* parts, int which) {
  Ranges* const r = (Ranges*)parts + which;
  r->failed = -1;
  for (int i = r->first; i < r->end && r->failed < 0; i++) {
    if (!mj_setLengthRange(r->m, r->d, i, r->opt, r->error, sizeof(r->error))) r->failed = i;
  }
}

// 1: the actuator's range must be found by simulation
static int needsSimulation(const mjModel* m, const mjLROpt* opt, int i) {
  const int muscle = m->actuator_gaintype[i] == mjGAIN_MUSCLE || m->actuator_biastype[i] == mjBIAS_MUSCLE;
  const int user = m->actuator_gaintype[i] == mjGAIN_USER || m->actuator_biastype[i] == mjBIAS_USER;
  if (opt->mode == mjLRMODE_NONE || (opt->mode == mjLRMODE_MUSCLE && !muscle) ||
      (opt->mode == mjLRMODE_MUSCLEUSER && !muscle && !user)) {
    return 0;
  }
  return !opt->useexisting || m->actuator_lengthrange[2 * i] >= m->actuator_lengthrange[2 * i + 1];
}

// the simulations of different actuators do not depend on each other: two threads take one half each
static int simulateRanges(Cmp* c, mjModel* m, mjData* d, char* error, size_t nerror) {
  int count = 0;
  for (int i = 0; i < m->nu; i++) count += needsSimulation(m, &c->s.compiler.LRopt, i);
  const int split = c->s.compiler.usethread && count > 1 ? (int)m->nu / 2 : 0;
  Ranges part[2] = {
      {.m = m,                       .opt = &c->s.compiler.LRopt, .end = split,      .failed = -1},
      { .m = m, .d = d,              .opt = &c->s.compiler.LRopt, .first = split, .end = (int)m->nu, .failed = -1}
  };
  BasWork work = {.run = runRanges, .arg = part, .n = 2};
  mjThreadPool* pool = NULL;
  if (split) {
    part[0].d = mj_makeData(m);
    pool = bas_poolUpTo(1);
  }
  char message[BAS_MESSAGE];
  const int raised = bas_runAll(pool, &work, message) >= 0;

  // nobody is at work any more
  mju_threadPoolDestroy(pool);
  mj_deleteData(part[0].d);
  if (raised) mju_error_raw(message);
  const Ranges* const bad = part[0].failed >= 0 ? &part[0] : &part[1];
  if (bad->failed >= 0) snprintf(error, nerror, "%s", bad->error);
  return bad->failed;
}

static void setLengthRanges(Cmp* c, mjModel* m, mjData* d) {
  const mjOption saved = m->opt;
  const mjLROpt* const opt = &c->s.compiler.LRopt;
  m->opt.disableflags =
      mjDSBL_FRICTIONLOSS | mjDSBL_CONTACT | mjDSBL_SPRING | mjDSBL_DAMPER | mjDSBL_GRAVITY | mjDSBL_ACTUATION;
  if (opt->timestep > 0) m->opt.timestep = opt->timestep;
  char error[200] = "";
  const int failed = simulateRanges(c, m, d, error, sizeof(error));
  m->opt = saved;
  if (failed >= 0) cmp_fail(c, CMP_AT(c, SPC_ACTUATOR, CmpActuator, failed)->head.e, "%s", error);
}

// -------------------------------------------------------------------------------------------- statistics

// the user's values stand in for computed ones
static void overrideStatistics(Cmp* c, mjModel* m) {
  const mjStatistic* const user = &c->s.stat;
  c->computed = m->stat;
  if (cmp_given(user->extent)) m->stat.extent = user->extent;
  if (cmp_given(user->meaninertia)) m->stat.meaninertia = user->meaninertia;
  if (cmp_given(user->meanmass)) m->stat.meanmass = user->meanmass;
  if (cmp_given(user->meansize)) m->stat.meansize = user->meansize;
  if (cmp_given(user->center[0])) memcpy(m->stat.center, user->center, sizeof(user->center));
}

// -------------------------------------------------------------------------------------------- signature

static int listed(const void* c, SpcKindId kind) {
  return cmp_count(c, kind);
}

static int sensorType(const void* c, int i) {
  return ((const mjsSensor*)CMP_AT((const Cmp*)c, SPC_SENSOR, CmpSensor, i)->head.e->spec)->type;
}

static int countOf(const void* body, SpcKindId kind) {
  const CmpBody* const b = body;
  switch (kind) {
    case SPC_JOINT:
      return b->joints.n;
    case SPC_GEOM:
      return b->geoms.n;
    case SPC_SITE:
      return b->sites.n;
    case SPC_CAMERA:
      return b->cameras.n;
    case SPC_LIGHT:
      return b->lights.n;
    default:
      return b->bodies.n;
  }
}

static int jointSize(const void* body, int i) {
  return cmp_nq(((const CmpBody*)body)->joints.at[i]);
}

static const void* childOf(const void* body, int i) {
  return ((const CmpBody*)body)->bodies.at[i];
}

static uint64_t signature(Cmp* c) {
  const SpcView view = {c, listed, sensorType, CMP_AT(c, SPC_BODY, CmpBody, 0), countOf, jointSize, childOf};
  const uint64_t hash = spc_signatureOf(&view);
  if (!hash) cmp_fail(c, NULL, "depth limit exceeded in signature computation");
  return hash;
}

// -------------------------------------------------------------------------------------------- finish

// constants with data that has no plugin instances: they may look at what is still being computed
static void setConstants(Cmp* c, mjModel* m) {
  const mjtSize nplugin = m->nplugin;
  m->nplugin = 0;
  c->d = mj_makeData(m);
  if (!c->d) cmp_fail(c, NULL, "could not create mjData");
  for (int i = 0; i < m->nkey; i++) mj_normalizeQuat(m, m->key_qpos + i * m->nq);
  mj_setConst(m, c->d);
  setSpringDampers(c, m);
  setLengthRanges(c, m, c->d);
  m->nplugin = nplugin;
  mj_deleteData(c->d);
  c->d = NULL;
}

// one step with everything in place; trees that start asleep have their own checks in mj_makeData
static void testStep(Cmp* c, mjModel* m, int asleep) {
  c->d = mj_makeData(m);
  if (!c->d) cmp_fail(c, NULL, "could not create mjData");
  if (!asleep) mj_step(m, c->d);
  mj_deleteData(c->d);
  c->d = NULL;
}

void cmp_finish(Cmp* c) {
  BAS_ASSERT(c->stage == CMP_BUILT);
  mjModel* const m = c->m;
  if (c->s.compiler.settotalmass > 0) mj_setTotalmass(m, c->s.compiler.settotalmass);
  setArena(c, m);
  cmp_sparse(m);

  // without contacts, and with every tree awake
  const int disableflags = m->opt.disableflags, enableflags = m->opt.enableflags;
  m->opt.disableflags |= mjDSBL_CONTACT;
  m->opt.enableflags &= ~mjENBL_SLEEP;
  setConstants(c, m);
  overrideStatistics(c, m);
  char error[400];
  if (!mdl_check(m, error, sizeof(error))) cmp_fail(c, NULL, "%s", error);

  int asleep = 0;
  for (int i = 0; i < m->ntree; i++) asleep |= m->tree_sleep_policy[i] == mjSLEEP_INIT;
  asleep = asleep && (enableflags & mjENBL_SLEEP);
  if (asleep) {
    m->opt.disableflags = disableflags;
    m->opt.enableflags = enableflags;
  }
  testStep(c, m, asleep);
  m->opt.disableflags = disableflags;
  m->opt.enableflags = enableflags;
  m->signature = signature(c);
}
