// Lists of contacts and constraint rows of batches on a GPU: what the CPU gives, in its order.
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

enum { N = 2, CAPACITY = 80, STEPS = 30 };

// Bodies with several geoms of mixed types, so that the order by kinds of pairs is not that of the CPU; pairs that the
// model lists; every kind of row, with limits of balls between those of hinges.
static const char MODEL[] =
    "<mujoco><option %s/><default><geom condim='3' friction='.7 .02 .003' margin='.01'/></default><worldbody>"
    "<geom name='floor' type='plane' size='5 5 .1'/><geom name='step' type='box' size='.3 .3 .05' pos='.9 0 .02'/>"
    "<body name='a' pos='0 0 .11'><freejoint/><geom name='ab' type='box' size='.1 .08 .1'/>"
    "<geom name='as' type='sphere' size='.06' pos='.15 0 -.05'/><geom type='capsule' size='.03 .1' pos='-.15 0 0'/>"
    "<body pos='0 0 .1'><joint name='h1' axis='0 1 0' range='-.01 .3' limited='true' frictionloss='.05'/>"
    "<geom type='capsule' size='.02 .05' pos='0 0 .1'/>"
    "<body pos='0 0 .2'><joint name='ball' type='ball' range='0 .05' limited='true'/>"
    "<geom type='capsule' size='.02 .05' pos='.03 0 .1'/>"
    "<body pos='0 0 .2'><joint name='h2' axis='1 0 0' range='-.3 .01' limited='true' damping='.1'/>"
    "<geom type='sphere' size='.04' pos='.01 .02 0'/></body></body></body></body>"
    "<body name='b' pos='.8 .1 .16'><freejoint/><geom name='bs' type='sphere' size='.1'/>"
    "<geom name='bb' type='box' size='.05 .06 .1' pos='.12 0 0'/></body>"
    "<body name='c' pos='.62 .1 .2'><freejoint/><geom name='cs' type='ellipsoid' size='.1 .09 .1' condim='%d'/></body>"
    "<body name='d' pos='0 .6 .3'><joint name='s' type='slide' axis='0 0 1'/><geom size='.05' condim='1'/></body>"
    "</worldbody><tendon><fixed name='t' range='-.001 .1' limited='true' frictionloss='.01'>"
    "<joint joint='h1' coef='1'/><joint joint='h2' coef='-1'/></fixed></tendon>"
    "<equality><joint joint1='s' joint2='h1' polycoef='0 .1 0 0 0'/><connect body1='d' body2='a' anchor='0 0 .1'/>"
    "</equality><contact><pair geom1='bs' geom2='cs' condim='4' gap='.005'/><pair geom1='bs' geom2='step'/>"
    "<pair geom1='floor' geom2='as' condim='6' friction='1 .9 .01 .001 .002'/></contact></mujoco>";

static const char* const LISTS[] = {
    "contact.dist",
    "contact.pos",
    "contact.frame",
    "contact.includemargin",
    "contact.friction",
    "contact.solref",
    "contact.solimp",
    "contact.solreffriction",
    "contact.mu",
    "contact.dim",
    "contact.geom",
    "contact.flex",
    "contact.elem",
    "contact.vert",
    "contact.exclude",
    "efc_J",
    "efc_type",
    "contact.efc_address",
    "efc_id",
    "efc_state",
    "efc_D",
    "efc_R",
    "efc_frictionloss",
    "efc_aref",
    "efc_vel",
    "efc_b",
    "efc_force",
};
enum { NLIST = sizeof(LISTS) / sizeof(LISTS[0]) };

static mjModel* model(const char* option, int condim) {
  char text[6000];
  snprintf(text, sizeof(text), MODEL, option, condim);
  return tst_string(text);
}

static snBatch* batch(const mjModel* m, snDevice device, snType real) {
  snBatchOptions o;
  char message[300];
  bat_setCudaDevice(tst_cudaHost(0));
  sn_defaultBatchOptions(&o);
  o.device = device;
  if (device == SN_CUDA) o.real = real;
  snBatch* const b = sn_makeBatch(&m, 1, NULL, N, &o, message, sizeof(message));
  if (!b) fail_msg("%s", message);
  return b;
}

static int roomOf(const mjModel* m, const char* name) {
  return strcmp(name, "efc_J") != 0 ? CAPACITY : CAPACITY * (int)m->nv;
}

static snField list(snBatch* b, const char* name, int capacity) {
  snField f;
  if (sn_batchList(b, 0, name, capacity, &f) != SN_OK) fail_msg("%s", sn_batchMessage(b, -1));
  return f;
}

// number i of a list in the caller's memory
static double number(const snField* f, const void* data, size_t i) {
  if (f->type == SN_FLOAT64) return ((const double*)data)[i];
  return f->type == SN_FLOAT32 ? (double)((const float*)data)[i] : ((const int*)data)[i];
}

static void compareList(snBatch* cpu, snBatch* gpu, const char* name, double bound, int capacity) {
  const snField a = list(cpu, name, capacity), b = list(gpu, name, capacity);
  assert_int_equal(a.ndim, b.ndim);
  for (int k = 0; k < a.ndim; k++) assert_int_equal(a.shape[k], b.shape[k]);
  void* const x = malloc((size_t)(a.shape[0] * a.stride[0]));
  void* const y = malloc((size_t)(b.shape[0] * b.stride[0]));
  assert_int_equal(sn_batchRead(cpu, &a, x), SN_OK);
  assert_int_equal(sn_batchRead(gpu, &b, y), SN_OK);
  const size_t n = (size_t)(a.shape[0] * a.stride[0]) / (size_t)a.itemsize;
  double size = 1e-10;
  for (size_t i = 0; i < n; i++) size = fmax(size, fabs(number(&a, x, i)));
  for (size_t i = 0; i < n; i++) {
    const double expected = number(&a, x, i), got = number(&b, y, i);
    if (!(fabs(expected - got) <= bound * size)) fail_msg("%s[%zu] is %g, not %g", name, i, got, expected);
  }
  free(x);
  free(y);
}

// every step from the CPU's state: what the lists have, whatever the order in the workspace
static void follow(const char* option, int condim, snType real, double bound) {
  mjModel* const m = model(option, condim);
  snBatch *const cpu = batch(m, SN_CPU, SN_FLOAT64), *const gpu = batch(m, SN_CUDA, real);
  const int nstate = mj_stateSize(m, mjSTATE_INTEGRATION);
  double* const state = malloc(sizeof(double) * (size_t)nstate * N);
  for (int i = 0; i < NLIST; i++) {
    list(cpu, LISTS[i], roomOf(m, LISTS[i]));
    list(gpu, LISTS[i], roomOf(m, LISTS[i]));
  }
  for (int k = 0; k < STEPS; k++) {
    assert_int_equal(sn_batchGetState(cpu, NULL, state, mjSTATE_INTEGRATION), SN_OK);
    assert_int_equal(sn_batchResetState(gpu, NULL, state, mjSTATE_INTEGRATION), SN_OK);
    assert_int_equal(sn_batchForward(cpu, NULL), SN_OK);
    assert_int_equal(sn_batchForward(gpu, NULL), SN_OK);
    for (int i = 0; i < NLIST; i++) compareList(cpu, gpu, LISTS[i], bound, roomOf(m, LISTS[i]));
    assert_int_equal(sn_batchStatus(gpu, 1), SN_OK);
    assert_int_equal(sn_batchStep(cpu, NULL, 3), SN_OK);
  }
  free(state);
  sn_deleteBatch(cpu);
  sn_deleteBatch(gpu);
  mj_deleteModel(m);
}

static void pyramids(void** state) {
  (void)state;
  follow("tolerance='1e-14'", 3, SN_FLOAT64, 1e-8);
}

static void cones(void** state) {
  (void)state;
  follow("cone='elliptic' impratio='3' tolerance='1e-14'", 4, SN_FLOAT64, 1e-8);
}

// a list that is too short says so, and keeps what it has room for
static void tooShort(void** state) {
  (void)state;
  mjModel* const m = model("gravity='0 0 -9.81'", 3);
  snBatch *const cpu = batch(m, SN_CPU, SN_FLOAT64), *const gpu = batch(m, SN_CUDA, SN_FLOAT64);
  snField f;
  list(cpu, "contact.dist", 2);
  list(gpu, "contact.dist", 2);
  sn_batchStep(cpu, NULL, 1);
  assert_int_equal(sn_batchStep(gpu, NULL, 1), SN_OK);
  compareList(cpu, gpu, "contact.dist", 1e-9, 2);
  assert_int_equal(sn_batchStatus(cpu, 0), SN_WARNING);
  assert_int_equal(sn_batchStatus(gpu, 0), SN_WARNING);
  assert_non_null(strstr(sn_batchMessage(gpu, 0), "list"));

  // a Jacobian needs room for its numbers
  list(gpu, "efc_J", (int)m->nv);
  assert_int_equal(sn_batchStep(gpu, NULL, 1), SN_OK);
  assert_int_equal(sn_batchStatus(gpu, 0), SN_WARNING);

  // other capacities, and lists that are not there
  assert_int_equal(sn_batchList(gpu, 0, "contact.dist", 3, &f), SN_ERROR);
  assert_non_null(strstr(sn_batchMessage(gpu, -1), "another capacity"));
  assert_int_equal(sn_batchList(gpu, 0, "efc_KBIP", 3, &f), SN_ERROR);
  assert_non_null(strstr(sn_batchMessage(gpu, -1), "efc_KBIP"));
  assert_int_equal(sn_batchList(gpu, 0, "contact.dist", 0, &f), SN_ERROR);
  sn_deleteBatch(cpu);
  sn_deleteBatch(gpu);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pyramids),
      cmocka_unit_test(cones),
      cmocka_unit_test(tooShort),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
