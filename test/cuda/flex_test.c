// Flexes on a GPU: cables, sheets, solids and interpolated ones against the CPU, after every step.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <sinew/batch.h>

#include "batch/cuda.h"
#include "support/cuda_host.h"
#include "support/model.h"
#include "support/random.h"

enum { N = 2, STEPS = 8, CAPACITY = 200 };

//---------------------------------- scenes ----------------------------------

// what flexes fall on: planes, closed formulas and convex queries
#define FLOOR "<geom type='plane' size='5 5 .1' euler='1 2 0' contype='3' conaffinity='3'/>"
#define GROUND                                                                       \
  "<geom type='plane' size='5 5 .1' euler='1 2 0' contype='3' conaffinity='3'/>"     \
  "<geom type='sphere' size='.15' pos='.1 .02 .15' contype='3' conaffinity='3'/>"    \
  "<body pos='-.2 .02 .25'><joint axis='1 0 0'/><geom type='capsule' size='.05 .2' " \
  "euler='80 20 0' contype='3' conaffinity='3'/></body>"                             \
  "<geom type='box' size='.05 .1 .1' pos='.32 .02 .2' euler='10 20 0' contype='3' conaffinity='3'/>"
#define ROUND                                                                                          \
  "<body pos='-.38 0 .36'><geom type='sphere' size='.04' contype='3' conaffinity='3'/></body>"         \
  "<geom type='cylinder' size='.05 .3' pos='.05 .1 .28' euler='80 10 0' contype='3' conaffinity='3'/>" \
  "<geom type='ellipsoid' size='.1 .08 .05' pos='-.2 0 .27' euler='10 10 0' contype='3' conaffinity='3'/>"
#define ALONE "<contact selfcollide='none' internal='false' contype='1' conaffinity='0'/>"

// a cable of springs, whose first edge does not move, and one that keeps its length and hangs on a body, which its
// first edge does not touch
#define CABLES                                                                                                \
  "<flexcomp name='cable' type='grid' count='9 1 1' spacing='.1 .1 .1' pos='0 0 .33' radius='.02' dim='1' "   \
  "mass='.5' euler='3 2 0'><edge stiffness='300' damping='.5'/>" ALONE                                        \
  "<pin id='0 1'/></flexcomp>"                                                                                \
  "<body name='reel' pos='0 .3 .4'><joint axis='0 1 0'/><joint type='slide' axis='1 0 .2'/><geom size='.03' " \
  "mass='.2' "                                                                                                \
  "contype='0' conaffinity='1'/><flexcomp name='rope' type='grid' count='6 1 1' spacing='.08 .1 .1' "         \
  "radius='.02' dim='1' mass='.5'><edge equality='true' damping='.2'/>" ALONE "<pin id='0'/></flexcomp></body>"

// a pinned sheet that keeps its edges, one that keeps its strain, and elastic ones that bend, flat and curved at rest
#define SHEETS                                                                                                 \
  "<flexcomp name='cloth' type='grid' count='6 4 1' spacing='.14 .1 .1' pos='0 0 .33' radius='.02' dim='2' "   \
  "mass='.5' euler='3 4 0'><edge equality='true' damping='.1'/>" ALONE                                         \
  "<pin id='0 5'/></flexcomp>"                                                                                 \
  "<flexcomp name='strained' type='grid' count='3 3 1' spacing='.1 .1 .1' pos='1 0 .05' radius='.02' dim='2' " \
  "mass='1'><edge equality='vert'/>" ALONE                                                                     \
  "</flexcomp>"                                                                                                \
  "<flexcomp name='elastic' type='grid' count='4 3 1' spacing='.1 .1 .1' pos='.1 1 .06' radius='.02' dim='2' " \
  "mass='.5' euler='3 4 0'><elasticity young='2e3' poisson='.2' damping='.004' thickness='2e-2' "              \
  "elastic2d='both'/>" ALONE                                                                                   \
  "</flexcomp><flexcomp name='arch' type='direct' dim='2' radius='.01' mass='.3' pos='1 1 .3' "                \
  "point='0 0 0 .1 0 .03 .2 0 0 0 .1 0 .1 .1 .03 .2 .1 0' element='0 1 3 1 4 3 1 2 4 2 5 4'>"                  \
  "<elasticity young='2e3' poisson='.2' damping='.004' thickness='2e-2' elastic2d='both'/>" ALONE "</flexcomp>"

#define SOLIDS                                                                                                \
  "<flexcomp name='solid' type='grid' count='3 3 3' spacing='.1 .1 .1' pos='.05 0 .35' radius='.01' dim='3' " \
  "mass='.5' euler='3 4 0'><elasticity young='3e3' poisson='.2' damping='.002'/>" ALONE "</flexcomp>"

// vertices between eight nodes, of which the hand holds one, and between 27
#define SOFT                                                                                                          \
  "<body name='hand' pos='-.1 0 .35'><joint axis='0 1 .3' pos='.3 0 0'/><geom size='.02' contype='0' "                \
  "conaffinity='0'/><flexcomp name='linear' type='grid' count='4 4 4' spacing='.07 .1 .1' radius='.01' dim='3' "      \
  "mass='2' euler='10 20 0' dof='trilinear'><elasticity young='4e3' poisson='.1' damping='.01'/>" ALONE               \
  "<pin id='0'/></flexcomp></body><flexcomp name='quadratic' type='grid' count='5 5 5' spacing='.05 .05 .05' "        \
  "pos='1 0 .115' radius='.01' dim='3' mass='2' euler='10 20 0' dof='quadratic'><elasticity young='20' poisson='.1' " \
  "damping='.001'/>" ALONE "</flexcomp>"

// sheets and a cable that meet each other and themselves
#define TANGLE                                                                                                         \
  "<flexcomp name='lower' type='grid' count='4 4 1' spacing='.1 .1 .1' pos='0 0 .325' radius='.01' dim='2' mass='.5' " \
  "euler='3 4 0'><edge equality='true'/><contact selfcollide='auto' internal='false'/></flexcomp>"                     \
  "<flexcomp name='upper' type='grid' count='3 3 1' spacing='.1 .1 .1' pos='.01 .02 .342' radius='.01' dim='2' "       \
  "mass='.5' euler='3 4 30'><edge equality='true'/><contact selfcollide='auto' internal='false'/></flexcomp>"          \
  "<flexcomp name='cable' type='direct' dim='1' radius='.02' mass='.3' pos='0 0 .4' point='-.2 0 0 -.1 0 0 0 0 0 "     \
  ".1 0 0 .1 .1 .01 0 .03 .02 -.1 -.05 .02' element='0 1 1 2 2 3 3 4 4 5 5 6'><edge equality='true'/>"                 \
  "<contact selfcollide='auto' internal='false'/></flexcomp>"

static mjModel* scene(const char* option, const char* ground, const char* flexes) {
  char text[9000];
  snprintf(text, sizeof(text),
           "<mujoco><option solver='Newton' tolerance='1e-14' iterations='200' %s><flag energy='enable'/></option>"
           "<worldbody>%s%s</worldbody></mujoco>",
           option, ground, flexes);
  return tst_string(text);
}

//---------------------------------- comparison ----------------------------------

static const char* const FIELDS[] = {"qpos",        "qvel", "flexvert_xpos",   "flexedge_length", "qfrc_passive",
                                     "qacc_smooth", "qacc", "qfrc_constraint", "energy"};
enum { NFIELD = sizeof(FIELDS) / sizeof(FIELDS[0]) };

static const mjtNum* expected(const mjModel* m, const mjData* d, int field, int* n) {
  const int counts[NFIELD] = {(int)m->nq,        (int)m->nv, 3 * (int)m->nflexvert,
                              (int)m->nflexedge, (int)m->nv, (int)m->nv,
                              (int)m->nv,        (int)m->nv, 2};
  const mjtNum* values[NFIELD] = {d->qpos,        d->qvel, d->flexvert_xpos,   d->flexedge_length, d->qfrc_passive,
                                  d->qacc_smooth, d->qacc, d->qfrc_constraint, d->energy};
  *n = counts[field];
  return values[field];
}

// one batch beside one simulation of the CPU
typedef struct {
  snBatch* b;
  mjModel* m;
  mjData* d;
  snField field[NFIELD], warmstart, ncon, nefc, loads, dist, elem, flex;
} World;

static void bind(snBatch* b, const char* name, snField* f) {
  if (sn_batchField(b, 0, name, f) != SN_OK) fail_msg("%s: %s", name, sn_batchMessage(b, 0));
}

static World open(mjModel* m, snType real) {
  World w = {.m = m, .d = mj_makeData(m)};
  snBatchOptions o;
  char message[300];
  bat_setCudaDevice(tst_cudaHost(0));
  sn_defaultBatchOptions(&o);
  o.device = SN_CUDA;
  o.real = real;
  w.b = sn_makeBatch((const mjModel* const*)&m, 1, NULL, N, &o, message, sizeof(message));
  if (!w.b) fail_msg("%s", message);
  for (int i = 0; i < NFIELD; i++) bind(w.b, FIELDS[i], w.field + i);
  bind(w.b, "qacc_warmstart", &w.warmstart);
  bind(w.b, "cfrc_ext", &w.loads);
  bind(w.b, "ncon", &w.ncon);
  bind(w.b, "nefc", &w.nefc);
  assert_int_equal(sn_batchList(w.b, 0, "contact.dist", CAPACITY, &w.dist), SN_OK);
  assert_int_equal(sn_batchList(w.b, 0, "contact.elem", CAPACITY, &w.elem), SN_OK);
  assert_int_equal(sn_batchList(w.b, 0, "contact.flex", CAPACITY, &w.flex), SN_OK);

  // it moves from the start on
  Rnd rnd = {3};
  for (int i = 0; i < m->nv; i++) w.d->qvel[i] = rnd_uniform(&rnd, -.2, .2);
  return w;
}

// numbers of the CPU for all simulations
static void writeAll(const World* w, const snField* f, const mjtNum* values, int n) {
  const int wide = f->type == SN_FLOAT64;
  char* const copy = malloc(sizeof(double) * (size_t)(N * n));
  for (int i = 0; i < N * n; i++) {
    if (wide) ((double*)copy)[i] = values[i % n];
    if (!wide) ((float*)copy)[i] = (float)values[i % n];
  }
  assert_int_equal(sn_batchWrite(w->b, f, copy), SN_OK);
  free(copy);
}

// The simulations get the state of the CPU: queries of round shapes end within a tolerance, so that another last bit of
// a pose would give another contact.
static void follow(const World* w) {
  writeAll(w, w->field, w->d->qpos, (int)w->m->nq);
  writeAll(w, w->field + 1, w->d->qvel, (int)w->m->nv);
  writeAll(w, &w->warmstart, w->d->qacc_warmstart, (int)w->m->nv);
}

static void close(World* w) {
  sn_deleteBatch(w->b);
  mj_deleteData(w->d);
  mj_deleteModel(w->m);
}

// largest difference of the last simulation from the CPU, relative to the largest number. Passive forces at rest are
// differences of large ones.
static double difference(const World* w, int field, double* values) {
  int n;
  const mjtNum* ref = expected(w->m, w->d, field, &n);
  double most = 0, size = field == 4 ? 1e-3 : 1e-10;
  assert_int_equal(sn_batchRead(w->b, w->field + field, values), SN_OK);
  for (int i = 0; i < n; i++) {
    const double x = w->field[field].type == SN_FLOAT64 ? values[(N - 1) * n + i] : ((float*)values)[(N - 1) * n + i];
    const double error = fabs(x - ref[i]);
    if (!(error <= most)) most = error;
    size = fmax(size, fabs(ref[i]));
  }
  return most / size;
}

// Contacts of a flex with itself come in another order, and with their sides exchanged: each contact of the CPU must be
// there.
static void compareContacts(const World* w) {
  static double dist[N * CAPACITY];
  static int ncon[N], nefc[N], elem[N * CAPACITY * 2], flex[N * CAPACITY * 2];
  assert_int_equal(sn_batchRead(w->b, &w->ncon, ncon), SN_OK);
  assert_int_equal(sn_batchRead(w->b, &w->nefc, nefc), SN_OK);
  assert_int_equal(ncon[N - 1], w->d->ncon);
  assert_int_equal(nefc[N - 1], w->d->nefc);
  assert_true(w->d->ncon <= CAPACITY);
  assert_int_equal(sn_batchRead(w->b, &w->dist, dist), SN_OK);
  assert_int_equal(sn_batchRead(w->b, &w->elem, elem), SN_OK);
  assert_int_equal(sn_batchRead(w->b, &w->flex, flex), SN_OK);
  for (int i = 0; i < w->d->ncon; i++) {
    const mjContact* con = w->d->contact + i;
    int found = 0;
    for (int k = (N - 1) * CAPACITY; k < (N - 1) * CAPACITY + ncon[N - 1]; k++) {
      const int swap = con->flex[0] == con->flex[1] && elem[2 * k] != con->elem[0];
      const int same = elem[2 * k + swap] == con->elem[0] && elem[2 * k + !swap] == con->elem[1] &&
                       flex[2 * k] == con->flex[0] && flex[2 * k + 1] == con->flex[1];
      found |= same && fabs(dist[k] - con->dist) < 1e-9;
    }
    if (!found) fail_msg("contact %d of elements %d and %d is missing", i, con->elem[0], con->elem[1]);
  }
}

// forces on bodies, where contacts with flexes do not count
static void compareLoads(const World* w) {
  const int n = 6 * (int)w->m->nbody;
  double* const loads = malloc(sizeof(double) * (size_t)(N * n));
  follow(w);
  assert_int_equal(sn_batchForward(w->b, NULL), SN_OK);
  mj_forward(w->m, w->d);
  mj_rnePostConstraint(w->m, w->d);
  assert_int_equal(sn_batchRead(w->b, &w->loads, loads), SN_OK);
  for (int i = 0; i < n; i++) {
    const double expect = w->d->cfrc_ext[i], got = loads[(N - 1) * n + i];
    if (!(fabs(got - expect) < 1e-6)) fail_msg("cfrc_ext[%d] is %g, not %g", i, got, expect);
  }
  free(loads);
}

// every step stays with the CPU; there are contacts where there should be
static void staysWithTheCpu(mjModel* m, int steps, int contacts) {
  World w = open(m, SN_FLOAT64);
  int most = 0;
  double* const values = malloc(sizeof(double) * N * (size_t)(m->nv + m->nq + 3 * m->nflexvert + m->nflexedge));
  for (int step = 0; step < steps; step++) {
    follow(&w);
    assert_int_equal(sn_batchStep(w.b, NULL, 1), SN_OK);
    mj_step(w.m, w.d);
    // energy is that of the last evaluation on the CPU
    for (int i = 0; i < NFIELD - (m->opt.integrator == mjINT_RK4); i++) {
      const double error = difference(&w, i, values);
      if (!(error <= 1e-9)) fail_msg("step %d: %s differs by %g", step, FIELDS[i], error);
    }
    compareContacts(&w);
    if (w.d->ncon > most) most = w.d->ncon;
    assert_int_equal(sn_batchStatus(w.b, N - 1), SN_OK);
  }
  compareLoads(&w);
  if (most < contacts) fail_msg("%d contacts, not %d", most, contacts);
  free(values);
  close(&w);
}

//---------------------------------- tests ----------------------------------

static void cables(void** state) {
  (void)state;
  staysWithTheCpu(scene("integrator='Euler'", GROUND, CABLES), STEPS, 3);
  staysWithTheCpu(scene("integrator='implicitfast' cone='elliptic' jacobian='sparse'", ROUND, CABLES), STEPS, 1);
  staysWithTheCpu(scene("integrator='implicit'", "", CABLES), STEPS, 0);
}

static void sheets(void** state) {
  (void)state;
  staysWithTheCpu(scene("integrator='Euler'", GROUND, SHEETS), STEPS, 10);
  staysWithTheCpu(scene("integrator='implicitfast' cone='elliptic'", ROUND, SHEETS), STEPS, 1);
}

static void solids(void** state) {
  (void)state;
  staysWithTheCpu(scene("integrator='Euler'", GROUND, SOLIDS), STEPS, 3);
  staysWithTheCpu(scene("integrator='RK4'", "", SOLIDS), STEPS, 0);
}

static void interpolated(void** state) {
  (void)state;
  staysWithTheCpu(scene("integrator='Euler' timestep='.0002'", FLOOR, SOFT), STEPS, 1);
  staysWithTheCpu(scene("integrator='implicitfast'", FLOOR, SOFT), STEPS, 1);

  // vertices between nodes are not where the CPU has them to the last bit: later steps would have other contacts
  staysWithTheCpu(scene("integrator='implicitfast'", GROUND, SOFT), 1, 10);
}

static void tangle(void** state) {
  (void)state;
  staysWithTheCpu(scene("integrator='Euler'", "", TANGLE), STEPS, 20);
}

static void singlePrecision(void** state) {
  (void)state;
  World w = open(scene("integrator='Euler'", GROUND, SHEETS), SN_FLOAT32);
  double* const values = malloc(sizeof(double) * N * (size_t)(w.m->nq + 3 * w.m->nflexvert));
  follow(&w);
  assert_int_equal(sn_batchStep(w.b, NULL, STEPS), SN_OK);
  for (int step = 0; step < STEPS; step++) mj_step(w.m, w.d);
  for (int i = 0; i < 3; i++) {
    const double error = difference(&w, i, values);
    if (!(error <= 1e-3)) fail_msg("%s differs by %g", FIELDS[i], error);
  }
  free(values);
  close(&w);
}

// a number of a flex that each simulation has for itself; those of contacts cannot differ
static void parameters(void** state) {
  (void)state;
  World w = open(scene("integrator='Euler'", "", CABLES), SN_FLOAT64);
  const double stiffness[N * 2] = {300, 0, 700, 0};
  double values[500];
  snField f;
  assert_int_equal(w.m->nflex, 2);
  assert_int_equal(sn_batchExpand(w.b, 0, "flex_edgestiffness", &f), SN_OK);
  assert_int_equal(sn_batchWrite(w.b, &f, stiffness), SN_OK);
  w.m->flex_edgestiffness[0] = stiffness[2];
  follow(&w);
  assert_int_equal(sn_batchStep(w.b, NULL, STEPS), SN_OK);
  for (int step = 0; step < STEPS; step++) mj_step(w.m, w.d);
  assert_true(difference(&w, 1, values) < 1e-9);
  assert_int_equal(sn_batchExpand(w.b, 0, "geom_friction", &f), SN_ERROR);
  close(&w);
}

// what is missing is named
static void refusals(void** state) {
  (void)state;
  static const struct {
    const char *option, *flexes, *name;
  } MISSING[] = {
      {"integrator='implicit'", SOFT,                               "interpolated flexes with implicit integrator"},
      {"",
       "<flexcomp name='a' type='grid' count='3 3 3' spacing='.1 .1 .1' dim='3' mass='1' radius='.01'>"
       "<contact selfcollide='auto' internal='false'/></flexcomp>", "contacts of solid flexes with themselves"    },
      {"",
       "<flexcomp name='a' type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' mass='1' radius='.01'>"
       "<contact selfcollide='none' internal='true'/></flexcomp>",  "contacts inside flexes"                      },
  };
  for (size_t i = 0; i < sizeof(MISSING) / sizeof(MISSING[0]); i++) {
    mjModel* const m = scene(MISSING[i].option, GROUND, MISSING[i].flexes);
    snBatchOptions o;
    char message[300];
    bat_setCudaDevice(tst_cudaHost(0));
    sn_defaultBatchOptions(&o);
    o.device = SN_CUDA;
    assert_null(sn_makeBatch((const mjModel* const*)&m, 1, NULL, N, &o, message, sizeof(message)));
    assert_non_null(strstr(message, MISSING[i].name));
    mj_deleteModel(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cables),       cmocka_unit_test(sheets),   cmocka_unit_test(solids),
      cmocka_unit_test(interpolated), cmocka_unit_test(tangle),   cmocka_unit_test(singlePrecision),
      cmocka_unit_test(parameters),   cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
