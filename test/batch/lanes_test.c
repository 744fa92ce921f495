// Simulations that run side by side in vector registers have the bits of a loop over mj_step: random models of every
// kind that can, every width, any number of threads, also where some of them leave the common way.
#include "batch/worlds.h"

#include <math.h>

#include "batch/lanes.h"
#include "math/simd/kernels.h"

// sanitizers take many times as long, and look for what shows in the first steps
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { NSIM = 19, NSTEP = 3, NMODEL = 9 };
#else
enum { NSIM = 19, NSTEP = 12, NMODEL = 60 };
#endif

//---------------------------------- models ----------------------------------

static const char* pick(Rnd* rnd, const char* const* list, int n) {
  return list[rnd_below(rnd, n)];
}

// a body with up to two joints, geoms, and children
static void addBody(Text* t, Rnd* rnd, int* left, int depth) {
  static const char* const GEOMS[] = {"sphere", "capsule", "box", "ellipsoid", "cylinder", "capsule"};
  static const char* const QUATS[] = {"", "quat='.8 .1 .5 -.2'", "euler='90 0 0'"};
  const int id = --*left, kind = depth ? rnd_below(rnd, 4) : rnd_below(rnd, 6);
  wld_add(t, "<body name='b%d' pos='%g %g %g' %s gravcomp='%d'>", id, rnd_uniform(rnd, -.3, .3),
          rnd_uniform(rnd, -.3, .3), depth ? -.2 : rnd_uniform(rnd, .1, .5), pick(rnd, QUATS, 3), !rnd_below(rnd, 4));
  if (kind == 5) {
    wld_add(t, "<freejoint name='j%d'/>", id);
  } else if (kind == 4) {
    wld_add(t, "<joint name='j%d' type='ball' damping='.1' pos='0 %g 0'/>", id, rnd_below(rnd, 2) * .1);
  } else {
    wld_add(t, "<joint name='j%d' type='%s' axis='%g .3 .2' pos='0 0 %g' damping='%g' stiffness='%g' armature='.01' ",
            id, kind == 3 ? "slide" : "hinge", rnd_uniform(rnd, -1, 1), rnd_below(rnd, 2) * .1,
            rnd_below(rnd, 2) * rnd_uniform(rnd, 0, .5), rnd_below(rnd, 2) * 2.);
    wld_add(t, "%s/>", rnd_below(rnd, 2) ? "range='-.2 .2' limited='true'" : "");
    if (!rnd_below(rnd, 3)) wld_add(t, "<joint name='k%d' axis='-0 1 0' ref='%d'/>", id, 20 * rnd_below(rnd, 2));
  }
  const int ngeom = 1 + rnd_below(rnd, 2);
  for (int g = 0; g < ngeom; g++) {
    wld_add(t, "<geom type='%s' size='%g .07 .06' pos='.05 0 %g' margin='%g' contype='%d'/><site pos='%g 0 0'/>",
            pick(rnd, GEOMS, 6), rnd_uniform(rnd, .04, .1), -.05 * (g + 1), rnd_below(rnd, 2) * .01,
            rnd_below(rnd, 5) > 0, .1 * g);
  }
  while (*left > 0 && rnd_below(rnd, 3)) addBody(t, rnd, left, depth + 1);
  wld_add(t, "</body>");
}

static void addActuators(Text* t, Rnd* rnd, int n, int tendon, int fast) {
  static const char* const KINDS[] = {
      "<motor joint='j%d' gear='2 1 0 1 0 1' ctrlrange='-.7 .7'/>",
      "<position joint='j%d' kp='5' kv='.2' forcerange='-.5 .5'/>",
      "<general joint='j%d' dyntype='filterexact' dynprm='.05' gainprm='3' actrange='-.3 .3'/>",
      ("<general joint='j%d' dyntype='filter' dynprm='.05' gaintype='affine' gainprm='1 .2 .3' biastype='affine' "
       "biasprm='.1 -1 -.2' actearly='true'/>"),
      "<general joint='j%d' dyntype='integrator' gainprm='2' group='2'/>",
      "<general joint='j%d' gaintype='affine' gainprm='1 .2 .3' forcerange='-1 1'/>",
  };
  wld_add(t, "<actuator>");
  for (int i = 0; i < n; i++) {
    char joint[40], kind[300];
    snprintf(joint, sizeof(joint), "name='j%d'", i);
    const char* const at = strstr(t->xml, joint);
    const int wide = at[-7] == 'e' || !strncmp(at + strlen(joint), " type='ball'", 12);  // free or ball
    if (wide && (fast || !strncmp(at + strlen(joint), " type='ball'", 12))) continue;
    snprintf(kind, sizeof(kind), "%s", KINDS[wide ? 0 : rnd_below(rnd, 6)]);
    wld_add(t, kind, i);
  }
  if (tendon && !fast) wld_add(t, "<motor tendon='t' gear='.5'/><position tendon='t' kp='.3'/>");
  wld_add(t, "</actuator>");
}

static mjModel* makeModel(uint64_t seed) {
  static Text t;
  static const char* const INTEGRATORS[] = {"Euler", "RK4", "implicitfast"};
  static const char* const SOLVERS[] = {"Newton", "Newton", "CG", "PGS"};
  static const char* const FLAGS[] = {"",
                                      "<flag contact='disable'/>",
                                      "<flag constraint='disable'/>",
                                      "<flag spring='disable' filterparent='disable'/>",
                                      "<flag damper='disable'/>",
                                      "<flag gravity='disable' eulerdamp='disable' clampctrl='disable'/>"};
  Rnd rnd = {seed};
  t.n = 0;
  const int integrator = rnd_below(&rnd, 3);
  wld_add(&t, "<mujoco><option integrator='%s' solver='%s' cone='%s' actuatorgroupdisable='%s'>%s</option>",
          INTEGRATORS[integrator], pick(&rnd, SOLVERS, 4), rnd_below(&rnd, 2) ? "elliptic" : "pyramidal",
          rnd_below(&rnd, 2) ? "2" : "", rnd_below(&rnd, 2) ? "" : pick(&rnd, FLAGS, 6));
  wld_add(&t,
          "<worldbody><geom type='plane' size='5 5 .1'/><body mocap='true' pos='.3 0 .1'><geom size='.1'/>"
          "<body pos='0 0 .2'><geom size='.05'/></body></body>");
  const int n = 1 + rnd_below(&rnd, 8);
  for (int left = n; left > 0;) addBody(&t, &rnd, &left, 0);
  wld_add(&t, "</worldbody>");
  if (n > 2 && !rnd_below(&rnd, 3)) {
    wld_add(&t, "<contact><exclude body1='b0' body2='b1'/></contact>");
    wld_add(&t, "<equality><connect body1='b0' body2='b%d' anchor='0 0 0' active='false'/></equality>", n - 1);
  }
  int tendon = 0;
  if (!rnd_below(&rnd, 2)) {
    wld_add(&t, "<tendon><fixed name='t' range='-.1 .1' limited='true'>");
    for (int i = 0; i < n; i++) {
      char joint[40];
      snprintf(joint, sizeof(joint), "name='k%d'", i);
      if (strstr(t.xml, joint)) tendon++, wld_add(&t, "<joint joint='k%d' coef='%g'/>", i, .5 + i);
    }
    wld_add(&t, "</fixed></tendon>");
    if (!tendon) t.n -= (int)strlen("<tendon><fixed name='t' range='-.1 .1' limited='true'></fixed></tendon>");
  }
  addActuators(&t, &rnd, n, tendon, integrator == 2);
  wld_add(&t, "</mujoco>");
  return tst_string(t.xml);
}

//---------------------------------- comparison ----------------------------------

static snBatch* makeBatch(const mjModel* m, int n, int nthread, int lanes) {
  snBatchOptions options;
  sn_defaultBatchOptions(&options);
  options.nthread = nthread;
  options.lanes = lanes;
  char message[500];
  snBatch* const b = sn_makeBatch(&m, 1, NULL, n, &options, message, sizeof(message));
  if (!b) fail_msg("%s", message);
  return b;
}

// random inputs and, now and then, another state
static void randomise(const mjModel* m, uint64_t sim, uint64_t step, mjData* d) {
  Rnd rnd = {sim * 1000003 + step * 7919 + 5};
  wld_inputs(m, sim, step, d->ctrl, d->xfrc_applied);
  if (sim % 3) memset(d->xfrc_applied, 0, sizeof(mjtNum) * 6 * (size_t)m->nbody);
  for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = sim % 2 ? rnd_uniform(&rnd, -.1, .1) : 0;
  for (int i = 0; i < 3 * m->nmocap; i++) d->mocap_pos[i] += rnd_uniform(&rnd, -.05, .05);
  for (int i = 0; i < 4 * m->nmocap; i++) d->mocap_quat[i] += rnd_uniform(&rnd, -.1, .1);
  for (int i = 0; i < m->neq; i++) d->eq_active[i] = (mjtByte)((sim + step) % 2);
  if (step == NSTEP / 2) {
    // far round, at rest, still, or with zeros of both signs
    for (int i = 0; i < m->nv; i++) d->qvel[i] = sim % 4 == 3 ? -0.0 : rnd_uniform(&rnd, -2, 2);
    for (int j = 0; j < m->njnt; j++) {
      if (m->jnt_type[j] == mjJNT_HINGE && sim % 5 == 0) d->qpos[m->jnt_qposadr[j]] = rnd_uniform(&rnd, -9, 9);
      if (m->jnt_type[j] == mjJNT_HINGE && sim % 5 == 1) d->qpos[m->jnt_qposadr[j]] = -0.0;
      int free = !m->jnt_limited[j] && m->jnt_stiffness[j] == 0 && !m->ntendon && !m->neq;
      for (int i = 0; i < m->nu; i++) free &= m->actuator_biastype[i] == mjBIAS_NONE && !m->actuator_gaintype[i];
      if (m->jnt_type[j] == mjJNT_HINGE && sim == 7 && free) d->qpos[m->jnt_qposadr[j]] = 3e6;
    }
  }
}

// the inputs and the state of d into the batch
static void copyIn(snBatch* b, int sim, const mjModel* m, const mjData* d) {
  static const char* const PARTS[] = {"ctrl",       "xfrc_applied", "qfrc_applied", "mocap_pos",
                                      "mocap_quat", "qvel",         "qpos"};
  const mjtNum* const from[] = {d->ctrl,       d->xfrc_applied, d->qfrc_applied, d->mocap_pos,
                                d->mocap_quat, d->qvel,         d->qpos};
  for (size_t k = 0; k < sizeof(PARTS) / sizeof(PARTS[0]); k++) {
    const snField field = wld_field(b, 0, PARTS[k]);
    if (field.stride[0]) memcpy(wld_row(&field, sim), from[k], (size_t)field.stride[0]);
  }
  const snField active = wld_field(b, 0, "eq_active");
  if (m->neq) memcpy(wld_row(&active, sim), d->eq_active, (size_t)m->neq);
}

// fields of mjData that are bound and compared: lanes hold all of the first ones; cdof_dot needs a step of its own
static const char* const BOUND[] = {
    "xpos",      "xquat",           "ximat",           "cdof",           "M",
    "qfrc_bias", "qfrc_passive",    "actuator_length", "actuator_force", "qfrc_actuator",
    "qacc",      "qfrc_constraint", "ten_length",      "geom_xpos",      "geom_xmat",
    "site_xpos", "subtree_com",     "xanchor",         "xaxis",          "cvel",
    "cinert",    "ten_velocity",    "cfrc_ext",        "cdof_dot"};
enum { NBOUND = sizeof(BOUND) / sizeof(BOUND[0]), NONE = 0, WHOLE = NBOUND - 1 };

static const mjtNum* boundIn(const mjData* d, int k) {
  const mjtNum* const fields[NBOUND] = {
      d->xpos,      d->xquat,           d->ximat,           d->cdof,           d->M,
      d->qfrc_bias, d->qfrc_passive,    d->actuator_length, d->actuator_force, d->qfrc_actuator,
      d->qacc,      d->qfrc_constraint, d->ten_length,      d->geom_xpos,      d->geom_xmat,
      d->site_xpos, d->subtree_com,     d->xanchor,         d->xaxis,          d->cvel,
      d->cinert,    d->ten_velocity,    d->cfrc_ext,        d->cdof_dot};
  return fields[k];
}

static void compareBound(const snField* field, int nbound, int sim, const mjData* d, const char* what) {
  for (int k = 0; k < nbound; k++) {
    const mjtNum* const expected = boundIn(d, k);
    if (!wld_same(wld_row(field + k, sim), expected, (size_t)field[k].stride[0])) {
      fail_msg("%s: %s of simulation %d", what, BOUND[k], sim);
    }
  }
}

static void compare(const mjModel* m, const char* what, int nthread, int nbound) {
  snBatch* const b = makeBatch(m, NSIM, nthread, 1);
  mjData* d[NSIM];
  snField bound[NBOUND];
  for (int k = 0; k < nbound; k++) bound[k] = wld_field(b, 0, BOUND[k]);
  for (int i = 0; i < NSIM; i++) d[i] = mj_makeData(m);
  for (int step = 0; step < NSTEP; step++) {
    const int substeps = 1 + step % 3;
    for (int i = 0; i < NSIM; i++) {
      randomise(m, (uint64_t)i, (uint64_t)step, d[i]);
      copyIn(b, i, m, d[i]);
      for (int k = 0; k < substeps; k++) mj_step(m, d[i]);
      mj_rnePostConstraint(m, d[i]);
    }
    const snStatus status = sn_batchStep(b, NULL, substeps);
    if (status == SN_ERROR) fail_msg("%s: %s", what, sn_batchMessage(b, -1));
    for (int i = 0; i < NSIM; i++) {
      wld_compareState(b, i, m, d[i], what);
      compareBound(bound, nbound, i, d[i], what);
    }
  }
  for (int i = 0; i < NSIM; i++) mj_deleteData(d[i]);
  sn_deleteBatch(b);
}

static int lanesOf(const mjModel* m) {
  snBatch* const b = makeBatch(m, NSIM, 1, 1);
  const int lanes = sn_batchLanes(b, 0);
  sn_deleteBatch(b);
  return lanes;
}

//---------------------------------- tests ----------------------------------

static const struct {
  const char* kernels;
  int width;
} SETS[] = {
    {"scalar", 2},
    {"v2",     2},
    {"v3",     4},
    {"v4",     8},
    {"neon",   2},
};
enum { NSET = sizeof(SETS) / sizeof(SETS[0]) };

// every model in one way, every way many times
static void randomModels(void** state) {
  (void)state;
  static const int NBOUNDS[] = {NONE, WHOLE, NBOUND};
  const char* const before = mth_kernelName();
  for (int seed = 1; seed <= NMODEL; seed++) {
    mjModel* const m = makeModel((uint64_t)seed);
    if (!mth_kernelSelect(SETS[seed % NSET].kernels)) mth_kernelSelect(before);
    char what[60];
    snprintf(what, sizeof(what), "model %d, %s", seed, mth_kernelName());
    for (int k = 0; k < NSET; k++) {
      if (!strcmp(mth_kernelName(), SETS[k].kernels)) assert_int_equal(lanesOf(m), SETS[k].width);
    }
    compare(m, what, 1 << seed / 3 % 3, NBOUNDS[seed / 9 % 3]);
    mth_kernelSelect(before);
    mj_deleteModel(m);
  }
}

// one model in every way
static void everyWidth(void** state) {
  (void)state;
  const char* const before = mth_kernelName();
  mjModel* const m = wld_file("scenes/quadruped.xml");
  m->opt.integrator = mjINT_RK4;
  for (int k = 0; k < NSET; k++) {
    if (!mth_kernelSelect(SETS[k].kernels)) continue;
    assert_int_equal(lanesOf(m), SETS[k].width);
    for (int nthread = 1; nthread <= 4; nthread *= 2) compare(m, SETS[k].kernels, nthread, NONE);
  }
  mth_kernelSelect(before);
  mj_deleteModel(m);
}

// controls that change at each time, records of what lanes hold, a selection out of order
// joints on bodies that stand as the world does before they move
static void uprightJoints(void** state) {
  (void)state;
  const char* const before = mth_kernelName();
  mjModel* const m = tst_string(
      "<mujoco><worldbody><body pos='0 0 1'><joint axis='0 .6 .8' pos='.1 0 0'/><geom size='.1' pos='.2 0 0'/>"
      "<body pos='.3 0 0'><joint axis='1 0 0'/><joint type='slide' axis='.6 .8 0'/><geom size='.1' pos='0 .1 "
      ".1'/></body>"
      "</body><body pos='0 2 1'><joint type='slide' axis='0 .8 .6'/><joint axis='.48 .6 .64'/><geom size='.1' pos='.1 "
      ".1 0'/>"
      "</body></worldbody></mujoco>");
  for (int k = 0; k < NSET; k++) {
    if (!mth_kernelSelect(SETS[k].kernels)) continue;
    assert_int_equal(lanesOf(m), SETS[k].width);
    compare(m, SETS[k].kernels, 1, NBOUND);
  }
  mth_kernelSelect(before);
  mj_deleteModel(m);
}

static void rollouts(void** state) {
  (void)state;
  enum { T = 15, K = 18 };
  for (int seed = 70; seed < 76; seed++) {
    mjModel* const m = makeModel((uint64_t)seed);
    const int nu = (int)m->nu, nq = (int)m->nq, nv = (int)m->nv;
    int selected[K];
    for (int k = 0; k < K; k++) selected[k] = k * 7 % NSIM;
    mjtNum* const control = malloc(sizeof(mjtNum) * (size_t)(K * T * nu + 1));
    Rnd rnd = {5};
    for (int i = 0; i < K * T * nu; i++) control[i] = rnd_uniform(&rnd, -1, 1);
    mjtNum* const qpos = malloc(sizeof(mjtNum) * (size_t)(K * T * nq));
    mjtNum* const qacc = malloc(sizeof(mjtNum) * (size_t)(K * T * nv));
    const char* const record[] = {"qpos", "qacc"};
    void* const out[] = {qpos, qacc};
    const snRollout rollout = {T, 2, nu ? mjSTATE_CTRL : 0, nu ? control : NULL, 2, record, out};
    snBatch* const b = makeBatch(m, NSIM, 2, 1);
    assert_true(sn_batchLanes(b, 0) > 1);
    assert_int_equal(sn_batchRollout(b, &(snSelection){.index = selected, .n = K}, &rollout), SN_OK);
    mjData* const d = mj_makeData(m);
    for (int k = 0; k < K; k++) {
      mj_resetData(m, d);
      for (int t = 0; t < T; t++) {
        mju_copy(d->ctrl, control + (k * T + t) * nu, nu);
        mj_step(m, d);
        mj_step(m, d);
        assert_memory_equal(qpos + (k * T + t) * nq, d->qpos, sizeof(mjtNum) * (size_t)nq);
        assert_memory_equal(qacc + (k * T + t) * nv, d->qacc, sizeof(mjtNum) * (size_t)nv);
      }
      wld_compareState(b, selected[k], m, d, "rollout");
    }
    mj_deleteData(d);
    sn_deleteBatch(b);
    free(control);
    free(qpos);
    free(qacc);
    mj_deleteModel(m);
  }
}

//---------------------------------- parameters ----------------------------------

static const char* const VARIED[] = {"body_mass",     "body_inertia",     "dof_damping",      "dof_armature",
                                     "jnt_stiffness", "actuator_gainprm", "actuator_biasprm", "geom_friction",
                                     "jnt_solref",    "geom_size",        "opt.timestep"};
enum { NVARIED = sizeof(VARIED) / sizeof(VARIED[0]), IN_LANES = NVARIED - 2 };

static void vary(mjtNum* value, int64_t n, uint64_t seed) {
  Rnd rnd = {seed};
  for (int64_t i = 0; i < n; i++) value[i] *= rnd_uniform(&rnd, .8, 1.25);
}

// a model of a simulation's own, and the same values in the batch; the fourth has no damping at all
static mjModel* ownModel(const mjModel* m, snBatch* b, int sim, int nvaried) {
  mjModel* const own = mj_copyModel(NULL, m);
  mjtNum* const values[NVARIED] = {own->body_mass,     own->body_inertia,     own->dof_damping,      own->dof_armature,
                                   own->jnt_stiffness, own->actuator_gainprm, own->actuator_biasprm, own->geom_friction,
                                   own->jnt_solref,    own->geom_size,        &own->opt.timestep};
  for (int k = 0; k < nvaried; k++) {
    snField field;
    assert_int_equal(sn_batchExpand(b, 0, VARIED[k], &field), SN_OK);
    const int64_t n = field.stride[0] / (int64_t)sizeof(mjtNum);
    vary(values[k], n, (uint64_t)(sim * NVARIED + k));
    for (int i = 0; k == 2 && sim == 4 && i < n; i++) values[k][i] = 0;
    if (n) memcpy(wld_row(&field, sim), values[k], (size_t)field.stride[0]);
  }
  return own;
}

// masses, dampers, gains, friction per simulation, constants brought up to date; with a timestep of its own each runs
// alone
static void parameters(void** state) {
  (void)state;
  for (int seed = 80; seed < 92; seed++) {
    char what[40];
    snprintf(what, sizeof(what), "parameters of model %d", seed);
    mjModel* const m = makeModel((uint64_t)seed);
    snBatch* const b = makeBatch(m, NSIM, 2, 1);
    mjModel* own[NSIM];
    mjData* d[NSIM];
    for (int i = 0; i < NSIM; i++) {
      own[i] = ownModel(m, b, i, seed % 4 ? IN_LANES : NVARIED);
      d[i] = mj_makeData(own[i]);
      mj_setConst(own[i], d[i]);
      mj_resetData(own[i], d[i]);
    }
    assert_int_equal(sn_batchSetConst(b, NULL), SN_OK);
    for (int step = 0; step < NSTEP; step++) {
      for (int i = 0; i < NSIM; i++) {
        randomise(m, (uint64_t)i, (uint64_t)step, d[i]);
        copyIn(b, i, m, d[i]);
        mj_step(own[i], d[i]);
      }
      const snStatus status = sn_batchStep(b, NULL, 1);
      if (status == SN_ERROR) fail_msg("model %d: %s", seed, sn_batchMessage(b, -1));
      for (int i = 0; i < NSIM; i++) wld_compareState(b, i, own[i], d[i], what);
    }
    for (int i = 0; i < NSIM; i++) {
      mj_deleteData(d[i]);
      mj_deleteModel(own[i]);
    }
    sn_deleteBatch(b);
    mj_deleteModel(m);
  }
}

//---------------------------------- out of the ordinary ----------------------------------

// simulations whose state or control is no number fail or warn alone, their neighbours go on
static void oneFails(void** state) {
  (void)state;
  mjModel* const m = wld_file("scenes/quadruped.xml");
  snBatch* const b = makeBatch(m, 16, 1, 1);
  mjData* const d = mj_makeData(m);
  assert_true(sn_batchLanes(b, 0) > 1);
  const snField qvel = wld_field(b, 0, "qvel"), ctrl = wld_field(b, 0, "ctrl");
  wld_row(&qvel, 3)[0] = 1e12;
  wld_row(&ctrl, 5)[0] = NAN;
  assert_int_equal(sn_batchStep(b, NULL, 4), SN_ERROR);
  for (int i = 0; i < 4; i++) mj_step(m, d);
  for (int i = 0; i < 16; i++) {
    assert_int_equal(sn_batchStatus(b, i), i == 3 ? SN_ERROR : i == 5 ? SN_WARNING : SN_OK);
    if (i != 3 && i != 5) wld_compareState(b, i, m, d, "neighbour");
  }
  assert_non_null(strstr(sn_batchMessage(b, 3), "QVEL"));
  assert_true(wld_row(&qvel, 3)[0] == 1e12);

  // the reason gone, all are well again
  wld_row(&qvel, 3)[0] = wld_row(&ctrl, 5)[0] = 0;
  assert_int_equal(sn_batchStep(b, NULL, 4), SN_OK);
  for (int i = 0; i < 16; i++) assert_int_equal(sn_batchStatus(b, i), SN_OK);
  mj_deleteData(d);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

// a model whose sizes were changed without its bounds: contacts are those that mj_collision finds
static void outOfBounds(void** state) {
  (void)state;
  for (int seed = 100; seed < 112; seed++) {
    mjModel* const m = makeModel((uint64_t)seed);
    vary(m->geom_size, 3 * m->ngeom, (uint64_t)seed);
    for (int g = 0; g < m->ngeom; g++) m->geom_size[3 * g] *= 1.2;
    compare(m, "sizes without bounds", 1, NONE);
    mj_deleteModel(m);
  }
}

// particles fall on each other: at first lanes pay, then less, and groups that are stepped both ways decide; each of
// them is stepped once for whoever looks. A world in which only the clock moves
static void anyWay(void** state) {
  (void)state;
  static Text t;
  t.n = 0;
  wld_add(&t, "<mujoco><worldbody><geom type='plane' size='5 5 .1'/>");
  for (int i = 0; i < 6; i++) {
    wld_add(&t, "<body pos='%g 0 %g'><freejoint/><geom size='.1'/></body>", .03 * i, .15 + .21 * i);
  }
  wld_add(&t, "</worldbody></mujoco>");
  mjModel* const m = tst_string(t.xml);
  snBatch* const b = makeBatch(m, 64, 2, 0);
  mjData* const d = mj_makeData(m);
  for (int step = 0; step < 40; step++) {
    assert_int_equal(sn_batchStep(b, NULL, 5), SN_OK);
    for (int i = 0; i < 5; i++) mj_step(m, d);
    for (int i = 0; i < 64; i++) wld_compareState(b, i, m, d, "any way");
  }
  assert_true(d->ncon > 0);
  mj_deleteData(d);
  sn_deleteBatch(b);
  mj_deleteModel(m);
  mjModel* const still = tst_string("<mujoco><worldbody><geom size='.1'/><site/></worldbody></mujoco>");
  assert_true(lanesOf(still) > 1);
  compare(still, "nothing moves", 2, NBOUND);
  mj_deleteModel(still);
}

// what both ways take decides, once it is more than noise, and says so
static void theQuicker(void** state) {
  (void)state;
  mjModel* const m = wld_file("scenes/quadruped.xml");
  snBatch* const b = makeBatch(m, 16, 1, 1);
  BatSlot* const slot = b->group[0].slot;
  const int lanes = sn_batchLanes(b, 0);
  assert_true(lanes > 1);
  slot->spent[0] = slot->spent[1] = 1;
  bat_laneCompare(slot, (const double[2]){1, .9});
  assert_int_equal(slot->alone, 0);
  for (int i = 0; i < 10; i++) bat_laneCompare(slot, (const double[2]){1, .5});
  assert_int_equal(slot->alone, 1);
  assert_int_equal(sn_batchLanes(b, 0), 1);
  for (int i = 0; i < 10; i++) bat_laneCompare(slot, (const double[2]){1, 2});
  assert_int_equal(slot->alone, 0);
  assert_int_equal(sn_batchLanes(b, 0), lanes);

  // who has forced lanes is not asked again; else groups 16, 32, 64, 128 and 256 are compared, then one in 256
  assert_int_equal(bat_laneCompared(b, slot), 0);
  b->options.lanes = 0;
  int n = 0;
  for (int i = 0; i < 2048; i++) n += bat_laneCompared(b, slot);
  assert_int_equal(n, 4 + 2048 / 256);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

// what lanes cannot do runs one by one, whatever is asked for
static void notAllModels(void** state) {
  (void)state;
  static const char* const WITHOUT[] = {
      "<mujoco><option density='1.2'/><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
      "<mujoco><option integrator='implicit'/><worldbody><body><freejoint/><geom "
      "size='.1'/></body></worldbody></mujoco>",
      "<mujoco><option><flag sleep='enable'/></option><worldbody><body><freejoint/><geom size='.1'/></body></worldbody>"
      "</mujoco>",
      "<mujoco><worldbody><body><joint type='ball' stiffness='1'/><geom size='.1'/></body></worldbody></mujoco>",
  };
  for (size_t k = 0; k < sizeof(WITHOUT) / sizeof(WITHOUT[0]); k++) {
    mjModel* const m = tst_string(WITHOUT[k]);
    assert_int_equal(lanesOf(m), 1);
    mj_deleteModel(m);
  }
  mjModel* const m = wld_file("scenes/quadruped.xml");
  snBatch* const b = makeBatch(m, 16, 1, -1);
  assert_int_equal(sn_batchLanes(b, 0), 1);
  assert_int_equal(sn_batchLanes(b, 1), 0);
  assert_int_equal(sn_batchLanes(NULL, 0), 0);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

// the episodes of a predicate end as they do one by one
static int low(const mjModel* m, const mjData* d, int sim, void* context) {
  (void)m;
  (void)context;
  return d->qpos[2] < .3 - .001 * sim;
}

static void episodes(void** state) {
  (void)state;
  enum { N = 24 };
  mjModel* const m = wld_file("scenes/quadruped.xml");
  for (snAutoReset mode = SN_RESET_NEVER; mode <= SN_RESET_NEXT; mode++) {
    snBatch* b[2];
    for (int k = 0; k < 2; k++) {
      snBatchOptions o;
      sn_defaultBatchOptions(&o);
      o.done = low;
      o.autoreset = mode;
      o.lanes = k ? 1 : -1;
      b[k] = sn_makeBatch((const mjModel* const*)&m, 1, NULL, N, &o, NULL, 0);
      const snField qvel = wld_field(b[k], 0, "qvel");
      for (int i = 0; i < N; i++) wld_row(&qvel, i)[2] = -.2 * i;
      for (int step = 0; step < 20; step++) assert_int_equal(sn_batchStep(b[k], NULL, 3), SN_OK);
    }
    int ended = 0;
    const mjtByte *done = wld_field(b[0], -1, "done").data, *other = wld_field(b[1], -1, "done").data;
    for (int i = 0; i < N; i++) {
      mjData* const d = mj_makeData(m);
      assert_int_equal(sn_batchGetData(b[0], i, d), SN_OK);
      wld_compareState(b[1], i, m, d, "episode");
      assert_int_equal(done[i], other[i]);
      ended += ((const int*)wld_field(b[1], -1, "episode").data)[i] > 0 || done[i];
      mj_deleteData(d);
    }
    assert_true(ended > 0);
    for (int k = 0; k < 2; k++) sn_deleteBatch(b[k]);
  }
  mj_deleteModel(m);
}

// how many numbers of which kind every simulation has, and who may write them
static void forms(void** state) {
  (void)state;
  mjModel* const m = wld_file("scenes/quadruped.xml");
  const int nq = (int)m->nq, nv = (int)m->nv, nbody = (int)m->nbody;
  const struct {
    int model;
    const char* name;
    snType type;
    int ndim, columns, writable;
  } expected[] = {
      {-1, "status",         SN_INT32,   1, 0,                   0},
      {-1, "done",           SN_UINT8,   1, 0,                   1},
      {-1, "episode",        SN_INT32,   1, 0,                   0},
      {-1, "warning",        SN_INT32,   2, mjNWARNING,          0},
      {-1, "model",          SN_INT32,   1, 0,                   0},
      {-1, "row",            SN_INT32,   1, 0,                   0},
      {0,  "time",           SN_FLOAT64, 1, 0,                   1},
      {0,  "qpos",           SN_FLOAT64, 2, nq,                  1},
      {0,  "qvel",           SN_FLOAT64, 2, nv,                  1},
      {0,  "qacc_warmstart", SN_FLOAT64, 2, nv,                  1},
      {0,  "ctrl",           SN_FLOAT64, 2, (int)m->nu,          1},
      {0,  "xfrc_applied",   SN_FLOAT64, 3, nbody,               1},
      {0,  "xpos",           SN_FLOAT64, 3, nbody,               0},
      {0,  "sensordata",     SN_FLOAT64, 2, (int)m->nsensordata, 0},
      {0,  "energy",         SN_FLOAT64, 2, 2,                   0},
      {0,  "ncon",           SN_INT32,   1, 0,                   0},
      {0,  "solver_niter",   SN_INT32,   2, mjNISLAND,           0},
  };
  snBatch* const b = sn_makeBatch((const mjModel* const*)&m, 1, NULL, 3, NULL, NULL, 0);
  for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
    const snField f = wld_field(b, expected[i].model, expected[i].name);
    const int size = f.type == SN_FLOAT64 ? 8 : f.type == SN_INT32 ? 4 : 1;
    const int good = f.type == expected[i].type && f.ndim == expected[i].ndim && f.itemsize == size &&
                     f.shape[0] == 3 && (f.ndim < 2 || f.shape[1] == expected[i].columns) &&
                     f.writable == expected[i].writable;
    if (!good)
      fail_msg("%s: %d dimensions of %ld, writable %d", expected[i].name, f.ndim, (long)f.shape[1], f.writable);
  }
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forms),         cmocka_unit_test(randomModels), cmocka_unit_test(everyWidth),
      cmocka_unit_test(uprightJoints), cmocka_unit_test(rollouts),     cmocka_unit_test(oneFails),
      cmocka_unit_test(anyWay),        cmocka_unit_test(theQuicker),   cmocka_unit_test(notAllModels),
      cmocka_unit_test(episodes),      cmocka_unit_test(parameters),   cmocka_unit_test(outOfBounds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
