// Batches on the CPU and on a GPU, side by side.
#include "support/twin.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "batch/cuda.h"
#include "support/cuda_host.h"
#include "support/random.h"

static const char* const STATE[] = {"time",         "qpos",         "qvel",      "act",        "qacc_warmstart", "ctrl",
                                    "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat", "eq_active"};

static snBatch* make(const mjModel* m, snBatchOptions o) {
  char message[500];
  snBatch* const b = sn_makeBatch(&m, 1, NULL, TWIN_N, &o, message, sizeof(message));
  if (!b) fail_msg("%s", message);
  return b;
}

Twin twin_open(const mjModel* m, snType real, int backwards, const snBatchOptions* options) {
  snBatchOptions o;
  sn_defaultBatchOptions(&o);
  if (options) o = *options;
  o.nthread = 1;
  Twin t = {.m = m, .cpu = make(m, o)};
  bat_setCudaDevice(tst_cudaHost(backwards));
  o.device = SN_CUDA;
  o.real = real;
  t.gpu = make(m, o);
  return t;
}

void twin_close(Twin* t) {
  sn_deleteBatch(t->cpu);
  sn_deleteBatch(t->gpu);
}

static snField fieldOf(snBatch* b, const char* name) {
  snField f;
  if (sn_batchField(b, 0, name, &f) != SN_OK) fail_msg("%s", sn_batchMessage(b, -1));
  return f;
}

static int countOf(const snField* f) {
  int64_t n = 1;
  for (int i = 0; i < f->ndim; i++) n *= f->shape[i];
  return (int)n;
}

static mjtNum elementOf(const void* values, snType type, int i) {
  switch (type) {
    case SN_FLOAT64:
      return ((const double*)values)[i];
    case SN_FLOAT32:
      return (mjtNum)((const float*)values)[i];
    case SN_INT32:
      return ((const int*)values)[i];
    default:
      return ((const mjtByte*)values)[i];
  }
}

mjtNum* twin_read(Twin* t, int gpu, const char* name, int* n) {
  snBatch* const b = gpu ? t->gpu : t->cpu;
  const snField f = fieldOf(b, name);
  *n = countOf(&f);
  mjtNum* const numbers = malloc(sizeof(mjtNum) * (size_t)(*n + 1));
  void* const raw = malloc((size_t)f.itemsize * (size_t)(*n + 1));
  assert_true(numbers && raw);
  if (*n && sn_batchRead(b, &f, raw) != SN_OK) fail_msg("%s", sn_batchMessage(b, -1));
  for (int i = 0; i < *n; i++) numbers[i] = elementOf(raw, f.type, i);
  free(raw);
  return numbers;
}

void twin_compare(Twin* t, const char* name, mjtNum bound, int step) {
  int n, other;
  mjtNum *const expected = twin_read(t, 0, name, &n), *const got = twin_read(t, 1, name, &other);
  assert_int_equal(n, other);
  mjtNum size = 1e-10;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(expected[i]));
  for (int i = 0; i < n; i++) {
    if (!(fabs(got[i] - expected[i]) <= bound * size)) {
      fail_msg("step %d: %s[%d] is %.17g, not %.17g", step, name, i, got[i], expected[i]);
    }
  }
  free(expected);
  free(got);
}

void twin_copyState(Twin* t) {
  for (size_t k = 0; k < sizeof(STATE) / sizeof(STATE[0]); k++) {
    const snField from = fieldOf(t->cpu, STATE[k]), to = fieldOf(t->gpu, STATE[k]);
    const int n = countOf(&from);
    if (!n) continue;
    void* const raw = malloc((size_t)to.itemsize * (size_t)n);
    assert_non_null(raw);
    for (int i = 0; i < n; i++) {
      const mjtNum value = elementOf(from.data, from.type, i);
      if (to.type == SN_FLOAT64) ((double*)raw)[i] = value;
      if (to.type == SN_FLOAT32) ((float*)raw)[i] = (float)value;
      if (to.type == SN_INT32) ((int*)raw)[i] = (int)value;
    }
    if (sn_batchWrite(t->gpu, &to, raw) != SN_OK) fail_msg("%s", sn_batchMessage(t->gpu, -1));
    free(raw);
  }
}

// other controls and forces for each simulation
static void randomInputs(Twin* t, Rnd* rnd) {
  static const struct {
    const char* name;
    int rare;  // one of so many is not zero
    mjtNum size;
  } INPUT[] = {
      {"ctrl",         1,  1 },
      {"qfrc_applied", 4,  .1},
      {"xfrc_applied", 20, .1}
  };
  for (int k = 0; k < 3; k++) {
    const snField f = fieldOf(t->cpu, INPUT[k].name);
    for (int i = 0; i < countOf(&f); i++) {
      const mjtNum value = rnd_uniform(rnd, -INPUT[k].size, INPUT[k].size);
      ((double*)f.data)[i] = rnd_below(rnd, INPUT[k].rare) ? 0 : value;
    }
  }
}

static void good(snBatch* b, snStatus status) {
  if (status != SN_OK) fail_msg("%s", sn_batchMessage(b, -1));
}

void twin_follow(Twin* t, const TwinBounds* bounds, int nstep) {
  static const char* const SOLVED[] = {"qacc", "qfrc_constraint", "ncon", "nefc", NULL};
  static const char* const AFTER[] = {"qpos", "qvel", "act", "time", NULL};
  Rnd rnd = {7};

  // what is compared is bound before the first computation
  for (int i = 0; bounds->fields[i]; i++) fieldOf(t->cpu, bounds->fields[i]), fieldOf(t->gpu, bounds->fields[i]);
  for (int i = 0; SOLVED[i]; i++) fieldOf(t->cpu, SOLVED[i]), fieldOf(t->gpu, SOLVED[i]);
  for (int k = 0; k < tst_steps(nstep); k++) {
    randomInputs(t, &rnd);
    twin_copyState(t);
    good(t->cpu, sn_batchForward(t->cpu, NULL));
    good(t->gpu, sn_batchForward(t->gpu, NULL));
    for (int i = 0; bounds->fields[i]; i++) twin_compare(t, bounds->fields[i], bounds->smooth, k);
    for (int i = 0; SOLVED[i]; i++) twin_compare(t, SOLVED[i], bounds->solved, k);
    good(t->cpu, sn_batchStep(t->cpu, NULL, 1));
    good(t->gpu, sn_batchStep(t->gpu, NULL, 1));
    for (int i = 0; AFTER[i]; i++) twin_compare(t, AFTER[i], bounds->solved, k);
    for (int i = 0; i < TWIN_N; i++) assert_int_equal(sn_batchStatus(t->gpu, i), SN_OK);
  }
}
