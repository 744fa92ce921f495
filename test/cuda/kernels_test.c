// The kernels for GPUs, compiled as C, against the CPU: every stage in double precision, loops in both directions,
// single precision within its bounds, and what happens when a simulation needs more than its share.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cuda/check.h"
#include "cuda/sims.h"
#include "support/cuda_host.h"
#include "support/model.h"
#include "support/random.h"

//---------------------------------- models ----------------------------------

// all joints, springs, dampers, friction loss, limits, fixed tendons, equality constraints, actuators and shapes; the
// options vary
static const char ALL[] =
    "<mujoco><option %s/><default><geom condim='%d' friction='.7 .02 .003'/></default>"
    "<worldbody><geom type='plane' size='5 5 .1' contype='7' conaffinity='0'/><geom name='step' type='box' size='.3 .2 "
    ".05' pos='1 0 .05' euler='5 0 0' contype='2' conaffinity='0'/>"
    "<geom type='cylinder' size='.1 .1' pos='1.2 .1 .1' contype='2' conaffinity='0'/>"
    "<body name='hand' mocap='true' pos='1 0 .4'><geom type='sphere' size='.08' conaffinity='3'/></body>"
    "<body name='torso' pos='0 0 .32' euler='10 20 0'><freejoint/><geom type='capsule' size='.08 .12' euler='0 80 0'/>"
    "<body name='arm' pos='.2 0 0'><joint name='shoulder' type='ball' range='0 1' limited='true' stiffness='2' "
    "damping='.1'/>"
    "<geom type='capsule' fromto='0 0 0 .2 0 -.1' size='.04'/>"
    "<body name='fore' pos='.2 0 -.1'><joint name='elbow' axis='0 1 .2' range='-1 .5' limited='true' "
    "frictionloss='.05'/>"
    "<joint name='wrist' axis='1 0 0' pos='.02 0 0' armature='.01' damping='.2'/>"
    "<geom type='ellipsoid' size='.1 .05 .04' pos='.1 0 0' contype='0' conaffinity='4'/><site name='tip' pos='.2 0 "
    "0'/></body></body>"
    "<body name='leg' pos='-.2 0 0' gravcomp='.5'><joint name='slide' type='slide' axis='0 .1 1' range='-.1 .1' "
    "limited='true'"
    " stiffness='50' springref='.02' damping='1'/><geom type='cylinder' size='.05 .08' pos='0 0 -.1' contype='0' "
    "conaffinity='4'/>"
    "<body pos='0 0 -.2'><joint name='ankle' axis='0 1 0' actuatorfrcrange='-1 1' actuatorfrclimited='true'/>"
    "<geom type='box' size='.08 .05 .02' contype='0' conaffinity='4'/></body></body></body>"
    "<body name='ball' pos='1 0 .25'><freejoint/><geom name='sphere' type='sphere' size='.1' conaffinity='3'/></body>"
    "<body name='stick' pos='1.05 .1 .2'><joint name='a' axis='0 1 0'/><joint name='b' axis='1 0 0'/>"
    "<geom type='capsule' size='.05 .1'/></body></worldbody>"
    "<tendon><fixed name='t' range='-.2 .2' limited='true' frictionloss='.02' stiffness='3' springlength='0 .1' "
    "damping='.1'>"
    "<joint joint='elbow' coef='1'/><joint joint='ankle' coef='-.5'/></fixed>"
    "<fixed name='u'><joint joint='a' coef='1'/></fixed></tendon>"
    "<equality><connect body1='fore' body2='hand' anchor='.2 0 0' active='%s'/>"
    "<weld body1='ball' body2='stick' torquescale='.5' active='%s'/><joint joint1='wrist' joint2='ankle' polycoef='.1 "
    ".5 .2 0 0'/>"
    "<tendon tendon1='u' tendon2='t' polycoef='0 1 0 0 0'/></equality>"
    "<actuator><motor joint='elbow' gear='2' ctrlrange='-.5 .5' ctrllimited='true'/><position joint='wrist' kp='5' "
    "kv='.2'/>"
    "<velocity tendon='t' kv='.3' forcerange='-.1 .1' forcelimited='true'/>"
    "<general joint='shoulder' gear='.1 .2 .3' dyntype='filterexact' dynprm='.05' gaintype='affine' gainprm='1 .2 .1'/>"
    "<general joint='slide' dyntype='integrator' gainprm='3' actrange='-1 1' actlimited='true' actearly='true'/>"
    "<general joint='ankle' dyntype='filter' dynprm='.03' biastype='affine' biasprm='0 -1 -.1'/></actuator>"
    "<contact><exclude body1='torso' body2='fore'/><pair geom1='step' geom2='sphere' friction='1 .5 .01 .002 .001' "
    "condim='6'"
    " solreffriction='.05 1'/></contact></mujoco>";

// Solids on a base and on each other, in pairs of shapes: %s is the shape of the base. The mesh with twelve corners is
// searched along its graph, the other one is scanned. What is curved does not turn: EPA ends within a tolerance there,
// and another last bit of a pose gives another point within it.
#define SLIDES "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/>"
static const char SOLIDS[] =
    "<mujoco><option %s/><default><geom friction='.7 .02 .003'/></default><asset>"
    "<mesh name='many' scale='.1 .08 .06' vertex='0 .5 .8 0 .5 -.8 0 -.5 .8 0 -.5 -.8 .5 .8 0 .5 -.8 0 -.5 .8 0 -.5 "
    "-.8 0 .8 0 .5 .8 0 -.5 -.8 0 .5 -.8 0 -.5'/>"
    "<mesh name='few' scale='.1 .1 .1' vertex='1 0 0 -1 0 0 0 1 0 0 -1 0 0 0 .8 0 0 -.8'/>"
    "<mesh name='base' vertex='-1 -1 0 1 -1 0 -1 1 0 1 1 0 -1 -1 -.1 1 -1 -.1 -1 1 -.1 1 1 -.1'/>"
    "<hfield name='base' nrow='5' ncol='6' size='1 1 .1 .1' elevation='0 1 0 2 1 0 1 2 0 3 1 0 2 0 1 0 2 1 0 1 1 0 3 2 "
    "1 0 2 1 0 1'/></asset>"
    "<worldbody><geom %s contype='1' conaffinity='3'/>"
    "<body pos='-.6 -.5 .13'>" SLIDES
    "<geom euler='10 20 0' type='ellipsoid' size='.1 .08 .06'/></body>"
    "<body pos='-.6 .4 .13'>" SLIDES
    "<geom euler='80 15 0' type='cylinder' size='.08 .1' conaffinity='3'/></body>"
    "<body pos='-.62 .37 .28'>" SLIDES
    "<geom euler='10 5 70' type='capsule' size='.05 .08' contype='2'/></body>"
    "<body pos='0 -.5 .12' euler='3 2 20'><freejoint/><geom type='box' size='.15 .12 .08' conaffinity='3'/></body>"
    "<body pos='.03 -.45 .27' euler='3 %d 50'><freejoint/><geom type='box' size='.08 .1 .07' contype='2'/></body>"
    "<body pos='.55 -.5 .12' euler='5 2 20'><freejoint/><geom type='mesh' mesh='many' conaffinity='3'/></body>"
    "<body pos='.56 -.5 .21' euler='30 10 20'><freejoint/><geom type='mesh' mesh='few' contype='2'/></body>"
    "<body pos='.5 .4 .12'>" SLIDES
    "<geom euler='5 2 20' type='%s' size='.1 .1 .1' conaffinity='3'/></body>"
    "<body pos='.52 .42 .25'>" SLIDES
    "<geom euler='80 40 20' type='%s' size='.06 .05 .07' contype='2'/></body>"
    "</worldbody></mujoco>";

typedef struct {
  const char *options, *base;
  int tilt;
  const char *lower, *upper;
} Solid;

static const Solid BASES[] = {
    {"integrator='Euler'",                 "type='plane' size='5 5 .1'",                  30, "cylinder", "box"      },
    {"integrator='Euler'",                 "type='hfield' hfield='base'",                 1,  "sphere",   "ellipsoid"},
    {"cone='elliptic' iterations='200'",   "type='box' size='1 1 .1' pos='0 0 -.1'",      40, "box",      "capsule"  },
    {"integrator='implicitfast'",          "type='mesh' mesh='base'",                     2,  "capsule",  "ellipsoid"},
    {"integrator='Euler' timestep='.001'", "type='ellipsoid' size='2 2 .05' pos='0 0 0'", 20, "box",      "cylinder" },
};
enum { NBASE = sizeof(BASES) / sizeof(BASES[0]) };

static mjModel* solids(const Solid* s) {
  char xml[8000];
  snprintf(xml, sizeof(xml), SOLIDS, s->options, s->base, s->tilt, s->lower, s->upper);
  return tst_string(xml);
}

typedef struct {
  const char* options;
  int condim;
  const char *connect, *weld;
} Variant;

static const Variant VARIANTS[] = {
    {"integrator='Euler'",                                                3, "false", "false"},
    {"integrator='Euler' cone='elliptic' impratio='4'",                   3, "true",  "false"},
    {"integrator='implicitfast' cone='elliptic'",                         6, "false", "true" },
    {"integrator='implicitfast'",                                         4, "true",  "true" },
    {"integrator='RK4'",                                                  1, "false", "false"},
    {"integrator='RK4' cone='elliptic' timestep='.004' gravity='1 0 -9'", 4, "true",  "true" },
};
enum { NVARIANT = sizeof(VARIANTS) / sizeof(VARIANTS[0]) };

static mjModel* variant(const Variant* v) {
  char xml[8000];
  snprintf(xml, sizeof(xml), ALL, v->options, v->condim, v->connect, v->weld);
  return tst_string(xml);
}

//---------------------------------- simulations ----------------------------------

typedef struct {
  const CudApi* api;
  CudSims* sims;
  mjModel* m;
  int n, isdouble;
  char message[CUD_MESSAGE];
} World;

static World open(mjModel* m, int n, int isdouble, int backwards) {
  World w = {.api = isdouble ? &cud_double : &cud_single, .m = m, .n = n, .isdouble = isdouble};
  char text[500];
  if (!cud_supported(m, text, sizeof(text))) fail_msg("not supported: %s", text);
  w.sims = w.api->make(tst_cudaHost(backwards), m, n, w.message);
  if (!w.sims) fail_msg("%s", w.message);
  return w;
}

static void close(World* w) {
  w->api->del(w->sims);
}

// part of the state of all simulations, to or from the device
static void move(World* w, int part, mjtNum* values, int write) {
  if (!w->api->part(w->sims, part, values, write, NULL, w->message)) fail_msg("%s", w->message);
}

static void run(World* w, int substeps, const int* list, int n) {
  if (!w->api->run(w->sims, substeps, list, n, NULL, w->message)) fail_msg("%s", w->message);
}

static CudField field(World* w, const char* name) {
  CudField f;
  if (!w->api->field(w->sims, name, &f, w->message)) fail_msg("%s", w->message);
  return f;
}

// a field of all simulations, in memory of ours
static void* fetch(World* w, const CudField* f) {
  const CudDevice* const device = tst_cudaHost(0);
  const size_t bytes = (size_t)f->itemsize * (size_t)f->count * (size_t)w->n;
  void* const copy = malloc(bytes + 1);
  assert_non_null(copy);
  if (device->read(copy, f->data, bytes, NULL, w->message) || device->wait(NULL, w->message))
    fail_msg("%s", w->message);
  return copy;
}

static int integer(World* w, const char* name) {
  const CudField f = field(w, name);
  int* const values = fetch(w, &f);
  const int first = values[0];
  free(values);
  return first;
}

// the state and inputs of d become those of the only simulation
static void load(World* w, const mjData* d) {
  static const int PARTS[] = {mjSTATE_QPOS,         mjSTATE_QVEL,      mjSTATE_ACT,       mjSTATE_WARMSTART,
                              mjSTATE_CTRL,         mjSTATE_TIME,      mjSTATE_EQ_ACTIVE, mjSTATE_QFRC_APPLIED,
                              mjSTATE_XFRC_APPLIED, mjSTATE_MOCAP_POS, mjSTATE_MOCAP_QUAT};
  for (size_t i = 0; i < sizeof(PARTS) / sizeof(PARTS[0]); i++) {
    mjtNum values[400];
    assert_true(mj_stateSize(w->m, PARTS[i]) <= 400);
    mj_getState(w->m, d, values, PARTS[i]);
    move(w, PARTS[i], values, 1);
  }
}

// largest difference of two lists, relative to the largest number of the second
static mjtNum difference(World* w, const CudField* f, const mjtNum* expected) {
  mjtNum most = 0, size = 1e-10;
  void* const values = fetch(w, f);
  for (int i = 0; i < f->count; i++) {
    const mjtNum got = w->isdouble ? ((const double*)values)[i] : ((const float*)values)[i];
    const mjtNum error = fabs(got - expected[i]);
    if (!(error <= most)) most = error;
    size = fmax(size, fabs(expected[i]));
  }
  free(values);
  return most / size;
}

static void compare(World* w, const char* name, const mjtNum* expected, mjtNum tolerance, int step) {
  const CudField f = field(w, name);
  const mjtNum error = difference(w, &f, expected);
  if (!(error <= tolerance)) fail_msg("step %d: %s differs by %g", step, name, error);
}

// lower triangle of M
static void packed(const mjModel* m, const mjData* d, mjtNum* M) {
  mjtNum full[100 * 100];
  assert_true(m->nv <= 100);
  mj_fullM(m, full, d->qM);
  for (int i = 0; i < m->nv; i++) {
    for (int k = 0; k <= i; k++) *M++ = full[i * m->nv + k];
  }
}

static void randomInputs(const mjModel* m, mjData* d, Rnd* rnd) {
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = rnd_uniform(rnd, -1, 1);
  for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = rnd_below(rnd, 4) ? 0 : rnd_uniform(rnd, -.1, .1);
  for (int i = 6; i < 6 * m->nbody; i++) d->xfrc_applied[i] = rnd_below(rnd, 20) ? 0 : rnd_uniform(rnd, -.1, .1);
}

//---------------------------------- stages ----------------------------------

// bounds: smooth stages, and what the solver gives
typedef struct {
  mjtNum smooth, solved;
} Bounds;

static void compareStages(World* w, const mjData* d, Bounds bound, int step) {
  const mjModel* m = w->m;
  mjtNum M[100 * 101 / 2];
  packed(m, d, M);
  compare(w, "xpos", d->xpos, bound.smooth, step);
  compare(w, "xquat", d->xquat, bound.smooth, step);
  compare(w, "xipos", d->xipos, bound.smooth, step);
  compare(w, "geom_xpos", d->geom_xpos, bound.smooth, step);
  compare(w, "geom_xmat", d->geom_xmat, bound.smooth, step);
  compare(w, "subtree_com", d->subtree_com, bound.smooth, step);
  compare(w, "cvel", d->cvel, bound.smooth, step);
  compare(w, "qM", M, bound.smooth, step);
  compare(w, "qfrc_bias", d->qfrc_bias, bound.smooth, step);
  compare(w, "qfrc_smooth", d->qfrc_smooth, bound.smooth, step);
  compare(w, "qacc_smooth", d->qacc_smooth, 10 * bound.smooth, step);
  compare(w, "qacc", d->qacc, bound.solved, step);
  compare(w, "qfrc_constraint", d->qfrc_constraint, bound.solved, step);
  const int ncon = integer(w, "ncon"), nefc = integer(w, "nefc");
  if (ncon != d->ncon || nefc != d->nefc) {
    fail_msg("step %d: %d contacts and %d rows, not %d and %d", step, ncon, nefc, d->ncon, d->nefc);
  }
}

// bind all fields that are compared before the first step, which zeroes nothing later
static void bindFields(World* w) {
  static const char* const NAMES[] = {"xpos",        "xquat",       "xipos", "geom_xpos", "geom_xmat",
                                      "subtree_com", "cvel",        "qM",    "qfrc_bias", "qfrc_smooth",
                                      "qacc",        "qacc_smooth", "ncon",  "nefc",      "qfrc_constraint"};
  for (size_t i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++) field(w, NAMES[i]);
}

// along the CPU's trajectory, each step from the CPU's state: stages, then the state one step later
static void follow(mjModel* m, int isdouble, int backwards, Bounds bound, int most) {
  const int nstep = tst_steps(most);
  World w = open(m, 1, isdouble, backwards);
  bindFields(&w);
  mjData* d = mj_makeData(m);
  Rnd rnd = {7};
  int contacts = 0, rows = 0;
  for (int k = 0; k < nstep; k++) {
    randomInputs(m, d, &rnd);
    load(&w, d);
    run(&w, 0, NULL, 0);
    mj_forward(m, d);
    compareStages(&w, d, bound, k);
    contacts += d->ncon;
    rows += d->nefc;

    run(&w, 1, NULL, 0);
    mj_step(m, d);
    compare(&w, "qpos", d->qpos, bound.solved, k);
    compare(&w, "qvel", d->qvel, bound.solved, k);
    compare(&w, "act", d->act, bound.smooth, k);
    compare(&w, "time", &d->time, bound.smooth, k);
    int bits;
    assert_true(w.api->status(w.sims, &bits, NULL, w.message));
    assert_int_equal(bits & ~CUD_SPILLED, 0);
  }
  assert_true(nstep < most || (contacts > nstep && rows > 4 * nstep));
  mj_deleteData(d);
  close(&w);
}

static void doubleIsTheCpu(void** state) {
  (void)state;
  for (int i = 0; i < NVARIANT; i++) {
    mjModel* m = variant(VARIANTS + i);
    follow(m, 1, 0, (Bounds){1e-9, 1e-9}, 60);
    mj_deleteModel(m);
  }
}

// kernels for which only the state is read: nothing is asked for here
static void plainKernelsAreTheCpu(void** state) {
  (void)state;
  for (int i = 0; i < NVARIANT; i++) {
    mjModel* m = variant(VARIANTS + i);
    World w = open(m, 1, 1, 0);
    mjData* d = mj_makeData(m);
    Rnd rnd = {3};
    for (int k = 0; k < tst_steps(20); k++) {
      randomInputs(m, d, &rnd);
      load(&w, d);
      run(&w, 1, NULL, 0);
      mj_step(m, d);
      compare(&w, "qpos", d->qpos, 1e-9, k);
      compare(&w, "qvel", d->qvel, 1e-9, k);
      compare(&w, "act", d->act, 1e-9, k);
    }
    mj_deleteData(d);
    close(&w);
    mj_deleteModel(m);
  }
}

// shapes that are not closed formulas: boxes, ellipsoids, cylinders, meshes, height fields
static void solidsAreTheCpu(void** state) {
  (void)state;
  for (int i = 0; i < NBASE; i++) {
    mjModel* m = solids(BASES + i);
    m->opt.tolerance = 0;
    follow(m, 1, i % 2, (Bounds){1e-9, 1e-8}, 12);
    mj_deleteModel(m);
  }
}

// Conjugate gradients end where the cost no longer tells two points apart: the square root of its rounding.
static void conjugateGradients(void** state) {
  (void)state;
  static const Variant CASES[] = {
      {"solver='CG' tolerance='0' iterations='2000'",                 3, "false", "false"},
      {"solver='CG' tolerance='0' iterations='2000' cone='elliptic'", 4, "false", "true" },
  };
  for (int i = 0; i < 2; i++) {
    mjModel* m = variant(CASES + i);
    follow(m, 1, i, (Bounds){1e-9, 1e-7}, 6);
    mj_deleteModel(m);
  }
}

// Gauss-Seidel depends on the order of rows, which is that of the CPU, and ends long before it has converged.
static void gaussSeidel(void** state) {
  (void)state;
  static const Variant CASES[] = {
      {"solver='PGS' iterations='20'",                                            3, "true",  "true" },
      {"solver='PGS' iterations='20' cone='elliptic' impratio='2'",               3, "false", "true" },
      {"solver='PGS' iterations='7' cone='elliptic'",                             6, "true",  "false"},
      {"solver='PGS' iterations='30' integrator='RK4'",                           4, "false", "false"},
      {"solver='PGS' iterations='12' tolerance='1e-4' integrator='implicitfast'", 1, "true",  "true" },
  };
  for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
    mjModel* m = variant(CASES + i);
    follow(m, 1, i % 2, (Bounds){1e-9, 1e-9}, 25);
    if (i % 2) m->opt.disableflags |= mjDSBL_WARMSTART;
    follow(m, 1, 0, (Bounds){1e-9, 1e-9}, 8);
    follow(m, 0, 0, (Bounds){2e-5, 2e-2}, 8);
    mj_deleteModel(m);
  }
}

// no result depends on the order in which lanes do their shares
static void orderOfLanesDoesNotMatter(void** state) {
  (void)state;
  for (int i = 0; i < NVARIANT; i++) {
    mjModel* m = variant(VARIANTS + i);
    follow(m, 1, 1, (Bounds){1e-9, 1e-9}, 20);
    mj_deleteModel(m);
  }
}

static void singleStaysClose(void** state) {
  (void)state;
  for (int i = 0; i < NVARIANT; i++) {
    mjModel* m = variant(VARIANTS + i);
    follow(m, 0, 0, (Bounds){2e-5, 2e-2}, 30);
    mj_deleteModel(m);
  }
}

// a model of contacts and motors that people know
static void hopper(void** state) {
  (void)state;
  char text[500];
  mjModel* m = mj_loadXML("scenes/hopper.xml", NULL, text, sizeof(text));
  if (!m) fail_msg("%s", text);
  follow(m, 1, 0, (Bounds){1e-9, 1e-9}, 40);
  mj_deleteModel(m);
}

//---------------------------------- many ----------------------------------

// simulations do not know of each other, substeps are steps, and a list runs what it names
static void manyAreOneByOne(void** state) {
  (void)state;
  enum { N = 5 };
  mjModel* m = variant(VARIANTS);
  World w = open(m, N, 1, 0);
  mjtNum ctrl[N * 20];
  assert_true(m->nu <= 20);
  for (int i = 0; i < N * m->nu; i++) ctrl[i] = .1 * i;
  move(&w, mjSTATE_CTRL, ctrl, 1);
  run(&w, 3, NULL, 0);
  run(&w, 2, (const int[]){3, 1}, 2);
  mjtNum got[N * 100];
  move(&w, mjSTATE_QPOS, got, 0);
  for (int i = 0; i < N; i++) {
    World one = open(m, 1, 1, 0);
    move(&one, mjSTATE_CTRL, ctrl + i * m->nu, 1);
    for (int k = 0; k < (i == 1 || i == 3 ? 5 : 3); k++) run(&one, 1, NULL, 0);
    mjtNum expected[100];
    move(&one, mjSTATE_QPOS, expected, 0);
    assert_memory_equal(expected, got + i * m->nq, sizeof(mjtNum) * (size_t)m->nq);
    close(&one);
  }
  close(&w);
  mj_deleteModel(m);
}

// a state that is no number stays what it was and is reported; the others go on
static void badStatesAreReported(void** state) {
  (void)state;
  mjModel* m = variant(VARIANTS);
  World w = open(m, 3, 1, 0);
  mjtNum qpos[300], qvel[300], after[300];
  move(&w, mjSTATE_QPOS, qpos, 0);
  move(&w, mjSTATE_QVEL, qvel, 0);
  qpos[1] = NAN;
  qvel[2 * m->nv + 3] = 1e30;
  move(&w, mjSTATE_QPOS, qpos, 1);
  move(&w, mjSTATE_QVEL, qvel, 1);
  run(&w, 1, NULL, 0);
  int bits[3];
  assert_true(w.api->status(w.sims, bits, NULL, w.message));
  assert_int_equal(bits[0], CUD_BAD_QPOS);
  assert_int_equal(bits[1], 0);
  assert_int_equal(bits[2], CUD_BAD_QVEL);
  move(&w, mjSTATE_QPOS, after, 0);
  assert_true(isnan(after[1]) && after[0] == qpos[0]);
  assert_true(after[m->nq + 2] != qpos[m->nq + 2]);
  assert_memory_equal(after + 2 * m->nq, qpos + 2 * m->nq, sizeof(mjtNum) * (size_t)m->nq);
  close(&w);
  mj_deleteModel(m);
}

// spheres of one body on a plane: more contacts than the workspace holds go to the pool, more than that is said
static mjModel* spheres(int n) {
  static char xml[20000];
  int used = snprintf(xml, sizeof(xml),
                      "<mujoco><worldbody><geom type='plane' size='9 9 1'/><body pos='0 0 .099'>"
                      "<joint type='slide' axis='0 0 1'/><joint axis='1 0 0'/>");
  for (int i = 0; i < n; i++) {
    used += snprintf(xml + used, sizeof(xml) - (size_t)used, "<geom size='.1' pos='%g 0 0' contype='0'/>", .3 * i);
  }
  snprintf(xml + used, sizeof(xml) - (size_t)used, "</body></worldbody></mujoco>");
  return tst_string(xml);
}

static void manyContactsSpill(void** state) {
  (void)state;
  static const struct {
    int n, bits;
  } CASES[] = {
      {10,  0          },
      {40,  CUD_SPILLED},
      {200, CUD_FULL   }
  };
  for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
    mjModel* m = spheres(CASES[i].n);
    World w = open(m, 1, 1, 0);
    mjData* d = mj_makeData(m);
    load(&w, d);
    run(&w, 1, NULL, 0);
    mj_step(m, d);
    int bits;
    assert_true(w.api->status(w.sims, &bits, NULL, w.message));
    assert_int_equal(bits & CASES[i].bits, CASES[i].bits);
    if (CASES[i].bits != CUD_FULL) compare(&w, "qvel", d->qvel, 1e-9, 0);
    mj_deleteData(d);
    close(&w);
    mj_deleteModel(m);
  }
}

//---------------------------------- what is missing ----------------------------------

static void missingFeaturesAreNamed(void** state) {
  (void)state;
  static const char* const CASES[][2] = {
      {"<mujoco><option solver='PGS' noslip_iterations='3'/></mujoco>",                                  "noslip iterations"                                 },
      {"<mujoco><option><flag multiccd='enable'/></option><worldbody><body><freejoint/><geom type='box' size='1 1 1'/>"
       "</body><body><freejoint/><geom type='cylinder' size='1 1'/></body></worldbody></mujoco>", "multiccd"                                          },
      {"<mujoco><worldbody><geom type='plane' size='1 1 1'/><body><freejoint/><geom size='1' sinew:stick='1'/></body>"
       "</worldbody></mujoco>",                                                                   "physics of one's own (sinew: attributes)"          },
      {"<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><actuator>"
       "<general joint='j' gaintype='user' biastype='user' dyntype='user'/></actuator></mujoco>", "gains of users, biases of users, dynamics of users"},
  };
  for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
    mjModel* m = tst_string(CASES[i][0]);
    char text[500];
    assert_false(cud_supported(m, text, sizeof(text)));
    assert_string_equal(text, CASES[i][1]);
    mj_deleteModel(m);
  }
}

// the tests whose names match the argument, if any
int main(int argc, char** argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(doubleIsTheCpu),    cmocka_unit_test(plainKernelsAreTheCpu),
      cmocka_unit_test(solidsAreTheCpu),   cmocka_unit_test(conjugateGradients),
      cmocka_unit_test(gaussSeidel),       cmocka_unit_test(orderOfLanesDoesNotMatter),
      cmocka_unit_test(singleStaysClose),  cmocka_unit_test(hopper),
      cmocka_unit_test(manyAreOneByOne),   cmocka_unit_test(badStatesAreReported),
      cmocka_unit_test(manyContactsSpill), cmocka_unit_test(missingFeaturesAreNamed),
  };
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
