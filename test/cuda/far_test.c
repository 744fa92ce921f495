// Models whose workspace is larger than the memory of a processor: it lies in the memory of the device, and kernels
// skip the zeros of their matrices.
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

enum { N = 2, STEPS = 25 };

// piles of balls in two layers and trees that a tendon and a weld couple across the others; no distance is zero
static mjModel* piles(const char* option) {
  char text[3000];
  snprintf(
      text, sizeof(text),
      "<mujoco><option %s/><worldbody><geom type='plane' size='5 5 .1'/>"
      "<body name='a' pos='0 -1 .3'><freejoint/><geom type='capsule' size='.05 .1'/><site name='a'/></body>"
      "<replicate count='9' offset='.19 0 .003'><replicate count='2' offset='0 .187 .001'>"
      "<body pos='0 0 .097'><freejoint/><geom size='.1' mass='1'/></body>"
      "<body pos='.013 .011 .281'><freejoint/><geom type='box' size='.09 .085 .08' mass='1'/></body>"
      "</replicate></replicate>"
      "<body name='b' pos='.5 -1 .301'><freejoint/><geom type='capsule' size='.05 .1'/><site name='b'/></body>"
      "<body name='c' pos='.9 -1 .302'><joint axis='0 1 0'/><geom type='capsule' size='.05 .1'/></body>"
      "</worldbody><tendon><spatial range='0 .3' limited='true'><site site='a'/><site site='b'/></spatial></tendon>"
      "<equality><weld body1='a' body2='c'/></equality></mujoco>",
      option);
  return tst_string(text);
}

static void staysWithTheCpu(const char* option, snType real, double bound) {
  bat_setCudaDevice(tst_cudaHost(0));
  mjModel* const m = piles(option);
  assert_true(m->nv > 200);
  snBatchOptions o;
  sn_defaultBatchOptions(&o);
  o.device = SN_CUDA;
  o.real = real;
  char message[300];
  snBatch* const b = sn_makeBatch((const mjModel* const*)&m, 1, NULL, N, &o, message, sizeof(message));
  if (!b) fail_msg("%s", message);
  mjData* const d = mj_makeData(m);
  snField f, ncon;
  assert_int_equal(sn_batchField(b, 0, "qpos", &f), SN_OK);
  assert_int_equal(sn_batchField(b, 0, "ncon", &ncon), SN_OK);
  assert_int_equal(sn_batchStep(b, NULL, STEPS), SN_OK);
  for (int k = 0; k < STEPS; k++) mj_step(m, d);
  assert_true(d->ncon > 16 && d->nefc > 60);

  // each simulation alone in the workspace, with all its contacts
  double* const qpos = malloc(sizeof(double) * (size_t)(N * m->nq));
  int contacts[N];
  assert_int_equal(sn_batchRead(b, &f, qpos), SN_OK);
  assert_int_equal(sn_batchRead(b, &ncon, contacts), SN_OK);
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < m->nq; k++) {
      const int at = i * (int)m->nq + k;
      const double x = real == SN_FLOAT64 ? qpos[at] : (double)((float*)qpos)[at];
      if (!(fabs(x - d->qpos[k]) <= bound)) fail_msg("%s: qpos[%d] is %g, not %g", option, k, x, d->qpos[k]);
    }
    assert_int_equal(contacts[i], d->ncon);
    assert_int_equal(sn_batchStatus(b, i), SN_OK);
    assert_non_null(strstr(sn_batchMessage(b, i), "too large for a processor"));
  }
  free(qpos);
  mj_deleteData(d);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

// solvers that end at 1e-14 agree in the last digits whatever their path
static void pyramids(void** state) {
  (void)state;
  staysWithTheCpu("solver='Newton' tolerance='1e-14'", SN_FLOAT64, 1e-9);
}

static void cones(void** state) {
  (void)state;
  staysWithTheCpu("solver='Newton' cone='elliptic' tolerance='1e-14'", SN_FLOAT64, 1e-9);
}

static void conjugateGradients(void** state) {
  (void)state;
  staysWithTheCpu("solver='CG' iterations='300' tolerance='1e-14'", SN_FLOAT64, 1e-6);
}

static void implicitFast(void** state) {
  (void)state;
  staysWithTheCpu("integrator='implicitfast' tolerance='1e-14'", SN_FLOAT64, 1e-9);
}

static void singlePrecision(void** state) {
  (void)state;
  staysWithTheCpu("solver='Newton'", SN_FLOAT32, 1e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pyramids),     cmocka_unit_test(cones),           cmocka_unit_test(conjugateGradients),
      cmocka_unit_test(implicitFast), cmocka_unit_test(singlePrecision),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
