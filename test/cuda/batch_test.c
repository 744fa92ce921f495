// Batches with options.device = SN_CUDA: the calls, with the kernels compiled as C in the place of a GPU.
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

enum { N = 6 };

static const char ARM[] =
    "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body name='a' pos='0 0 .3'><joint name='j' axis='0 1 0' "
    "damping='.1'/>"
    "<geom type='capsule' fromto='0 0 0 .3 0 0' size='.04'/><body pos='.3 0 0'><joint axis='0 1 0' range='-1 1' "
    "limited='true'/>"
    "<geom type='capsule' fromto='0 0 0 .3 0 0' size='.04'/></body></body></worldbody>"
    "<equality><joint joint1='j' polycoef='.2 0 0 0 0' active='false'/></equality>"
    "<actuator><motor joint='j'/></actuator><keyframe><key qpos='.5 .2' qvel='1 0' time='2'/></keyframe></mujoco>";

static snBatch* makeBatch(const mjModel* const* m, int nmodel, const int* which, snType real) {
  snBatchOptions o;
  sn_defaultBatchOptions(&o);
  o.device = SN_CUDA;
  o.real = real;
  char message[300];
  snBatch* const b = sn_makeBatch(m, nmodel, which, N, &o, message, sizeof(message));
  if (!b) fail_msg("%s", message);
  return b;
}

static snField fieldOf(snBatch* b, int model, const char* name) {
  snField f;
  if (sn_batchField(b, model, name, &f) != SN_OK) fail_msg("%s", sn_batchMessage(b, -1));
  assert_int_equal(f.device, SN_CUDA);
  return f;
}

static void good(snBatch* b, snStatus status) {
  if (status != SN_OK) fail_msg("%s", sn_batchMessage(b, -1));
}

static void bad(snBatch* b, snStatus status, const char* message) {
  assert_int_equal(status, SN_ERROR);
  if (!strstr(sn_batchMessage(b, -1), message)) fail_msg("'%s' is not '%s'", sn_batchMessage(b, -1), message);
}

//---------------------------------- calls ----------------------------------

// steps, fields, states and resets give what the CPU gives
static void callsAreThoseOfTheCpu(void** state) {
  (void)state;
  bat_setCudaDevice(tst_cudaHost(0));
  mjModel* const m = tst_string(ARM);
  snBatch* const b = makeBatch((const mjModel* const*)&m, 1, NULL, SN_FLOAT64);
  mjData* d[N];
  double ctrl[N], qpos[N * 2];
  for (int i = 0; i < N; i++) {
    d[i] = mj_makeData(m);
    d[i]->ctrl[0] = ctrl[i] = .1 * i;
  }
  const snField u = fieldOf(b, 0, "ctrl"), q = fieldOf(b, 0, "qpos");
  assert_int_equal(u.shape[0], N);
  assert_int_equal(q.shape[1], 2);
  good(b, sn_batchWrite(b, &u, ctrl));
  good(b, sn_batchStep(b, NULL, 3));
  good(b, sn_batchStep(b,
                       &(snSelection){
                           .index = (const int[]){4, 2},
                              .n = 2
  },
                       2));
  good(b, sn_batchWait(b));
  good(b, sn_batchRead(b, &q, qpos));
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < (i == 2 || i == 4 ? 5 : 3); k++) mj_step(m, d[i]);
    for (int k = 0; k < 2; k++) assert_true(fabs(qpos[2 * i + k] - d[i]->qpos[k]) < 1e-12);
    assert_int_equal(sn_batchStatus(b, i), SN_OK);
  }

  // a keyframe for one of them, a whole state for another, and back
  good(b, sn_batchReset(b, &(snSelection){.index = (const int[]){1}, .n = 1}, 0));
  const double given[2] = {.3, -.4};
  good(b, sn_batchResetState(b, &(snSelection){.index = (const int[]){5}, .n = 1}, given, mjSTATE_QPOS));
  double states[N * 20];
  const int size = sn_batchStateSize(b, mjSTATE_FULLPHYSICS);
  assert_true(size <= 20);
  good(b, sn_batchGetState(b, NULL, states, mjSTATE_FULLPHYSICS));
  assert_true(states[size] == 2 && states[size + 1] == .5 && states[size + 3] == 1);
  assert_true(states[5 * size + 1] == .3 && states[5 * size + 2] == -.4 && states[5 * size] == 0);
  assert_true(fabs(states[1] - d[0]->qpos[0]) < 1e-12);

  // one simulation as mjData
  good(b, sn_batchGetData(b, 0, d[1]));
  assert_true(d[1]->qpos[0] == states[1]);
  assert_true(sn_batchMemory(b) > N * 50);
  for (int i = 0; i < N; i++) mj_deleteData(d[i]);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

// two models, single precision: each has arrays of its own
static void severalModels(void** state) {
  (void)state;
  bat_setCudaDevice(tst_cudaHost(0));
  mjModel* m[2] = {tst_string(ARM),
                   tst_string("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")};
  const int which[N] = {0, 1, 1, 0, 1, 0};
  snBatch* const b = makeBatch((const mjModel* const*)m, 2, which, SN_FLOAT32);
  const snField q = fieldOf(b, 1, "qpos"), acc = fieldOf(b, 1, "qacc");
  assert_int_equal(q.type, SN_FLOAT32);
  assert_int_equal(q.shape[0], 3);
  assert_int_equal(acc.writable, 0);
  good(b, sn_batchStep(b,
                       &(snSelection){
                           .index = (const int[]){2, 0},
                              .n = 2
  },
                       10));
  float qpos[21], qacc[18];
  good(b, sn_batchRead(b, &q, qpos));
  good(b, sn_batchRead(b, &acc, qacc));
  assert_true(qpos[2] == 0 && qpos[9] < -1e-4 && qpos[16] == 0);
  assert_true(fabsf(qacc[8] + 9.81f) < 1e-5f);
  bad(b, sn_batchWrite(b, &acc, qacc), "output");
  sn_deleteBatch(b);
  mj_deleteModel(m[0]);
  mj_deleteModel(m[1]);
}

// fields as DLPack has them, from both kinds of memory
static void tensors(void** state) {
  (void)state;
  bat_setCudaDevice(tst_cudaHost(0));
  mjModel* const m = tst_string(ARM);
  snBatch *const gpu = makeBatch((const mjModel*const*)&m, 1, NULL, SN_FLOAT32), *const cpu = sn_makeBatch(
                                                                                     (const mjModel*const*)&m, 1, NULL,
                                                                                     N, NULL, NULL, 0);
  snField f;
  good(cpu, sn_batchField(cpu, 0, "xpos", &f));
  snTensor* t = sn_fieldTensor(&f);
  assert_true(t->data == f.data && t->device_type == 1 && t->ndim == 3 && t->code == 2 && t->bits == 64 &&
              t->lanes == 1);
  assert_true(t->shape[0] == N && t->shape[1] == m->nbody && t->shape[2] == 3);
  assert_true(t->strides[0] == 3 * m->nbody && t->strides[1] == 3 && t->strides[2] == 1 && !t->byte_offset);
  t->deleter(t);
  good(cpu, sn_batchField(cpu, -1, "status", &f));
  t = sn_fieldTensor(&f);
  assert_true(t->ndim == 1 && t->code == 0 && t->bits == 32 && t->strides[0] == 1);
  t->deleter(t);
  f = fieldOf(gpu, 0, "qpos");
  t = sn_fieldTensor(&f);
  assert_true(t->data == f.data && t->device_type == 2 && t->bits == 32 && t->shape[1] == 2 && t->strides[0] == 2);
  t->deleter(t);
  good(cpu, sn_batchList(cpu, 0, "contact", 4, &f));
  assert_null(sn_fieldTensor(&f));
  assert_null(sn_fieldTensor(NULL));
  sn_deleteBatch(gpu);
  sn_deleteBatch(cpu);
  mj_deleteModel(m);
}

//---------------------------------- failures ----------------------------------

static void badStatesFailAlone(void** state) {
  (void)state;
  bat_setCudaDevice(tst_cudaHost(0));
  mjModel* const m = tst_string(ARM);
  snBatch* const b = makeBatch((const mjModel* const*)&m, 1, NULL, SN_FLOAT64);
  const snField q = fieldOf(b, 0, "qpos"), u = fieldOf(b, 0, "ctrl");
  double qpos[2 * N] = {0}, ctrl[N] = {0};
  qpos[2 * 3] = NAN;
  ctrl[4] = INFINITY;
  good(b, sn_batchWrite(b, &q, qpos));
  good(b, sn_batchWrite(b, &u, ctrl));
  good(b, sn_batchStep(b, NULL, 1));
  assert_int_equal(sn_batchStatus(b, 3), SN_ERROR);
  assert_non_null(strstr(sn_batchMessage(b, 3), "qpos"));
  assert_int_equal(sn_batchStatus(b, 4), SN_WARNING);
  assert_non_null(strstr(sn_batchMessage(b, 4), "ctrl"));
  assert_int_equal(sn_batchStatus(b, 0), SN_OK);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

// a simulation whose forces are too large for its numbers stays where it was, and says so; the others go on
static void divergingOnesFailAlone(void** state) {
  (void)state;
  bat_setCudaDevice(tst_cudaHost(0));
  mjModel* const m = tst_string(ARM);
  for (int type = 0; type < 2; type++) {
    snBatch* const b = makeBatch((const mjModel* const*)&m, 1, NULL, type ? SN_FLOAT32 : SN_FLOAT64);
    mjtNum before[2 * N], after[2 * N];
    float single[2 * N] = {0};
    double numbers[2 * N] = {0};
    single[2 * 3 + 1] = 1e14F;
    numbers[2 * 3 + 1] = 1e14;
    const snField f = fieldOf(b, 0, "qfrc_applied");
    good(b, sn_batchWrite(b, &f, type ? (void*)single : (void*)numbers));
    good(b, sn_batchGetState(b, NULL, before, mjSTATE_QPOS));
    good(b, sn_batchStep(b, NULL, 3));
    good(b, sn_batchGetState(b, NULL, after, mjSTATE_QPOS));
    for (int i = 0; i < N; i++) {
      assert_int_equal(sn_batchStatus(b, i), i == 3 ? SN_ERROR : SN_OK);
      const int same = after[2 * i] == before[2 * i] && after[2 * i + 1] == before[2 * i + 1];
      assert_int_equal(same, i == 3);
    }
    assert_non_null(strstr(sn_batchMessage(b, 3), "qacc"));
    sn_deleteBatch(b);
  }
  mj_deleteModel(m);
}

//---------------------------------- memory ----------------------------------

// a device with little memory: blocks that are taken, with their sizes
enum { LITTLE = 20 << 20, MOSTBLOCKS = 400 };
static struct {
  void* at;
  size_t bytes;
} taken[MOSTBLOCKS];

static size_t littleLeft(void) {
  size_t left = LITTLE;
  for (int i = 0; i < MOSTBLOCKS; i++) left -= taken[i].at ? taken[i].bytes : 0;
  return left;
}

static int takeLittle(void** memory, size_t bytes, char message[CUD_MESSAGE]) {
  if (bytes > littleLeft()) return snprintf(message, CUD_MESSAGE, "only %zu bytes are left", littleLeft()), 1;
  if (tst_cudaHost(0)->allocate(memory, bytes, message)) return 1;
  for (int i = 0; i < MOSTBLOCKS; i++) {
    if (taken[i].at) continue;
    taken[i].at = *memory;
    taken[i].bytes = bytes;
    return 0;
  }
  fail_msg("too many blocks");
  return 1;
}

static void giveLittle(void* memory) {
  for (int i = 0; i < MOSTBLOCKS; i++) {
    if (taken[i].at == memory) taken[i].at = NULL;
  }
  tst_cudaHost(0)->release(memory);
}

// too many simulations: how many would fit is said, and nearly so many do
static void tooManyDoNotFit(void** state) {
  (void)state;
  CudDevice little = *tst_cudaHost(0);
  little.allocate = takeLittle;
  little.release = giveLittle;
  little.available = littleLeft;
  bat_setCudaDevice(&little);
  mjModel* const m = tst_string(ARM);
  snBatchOptions o;
  sn_defaultBatchOptions(&o);
  o.device = SN_CUDA;
  o.real = SN_FLOAT32;
  char message[300];
  assert_null(sn_makeBatch((const mjModel* const*)&m, 1, NULL, 1 << 20, &o, message, sizeof(message)));
  const char* const about = strstr(message, "about ");
  if (!about || !strstr(message, "simulations of this model would fit")) fail_msg("%s", message);
  assert_int_equal(littleLeft(), LITTLE);
  const int fit = atoi(about + strlen("about "));
  assert_true(fit > 1000 && fit < 1 << 20);
  assert_null(sn_makeBatch((const mjModel* const*)&m, 1, NULL, fit + fit / 50, &o, message, sizeof(message)));
  snBatch* const b = sn_makeBatch((const mjModel* const*)&m, 1, NULL, fit - fit / 50, &o, message, sizeof(message));
  if (!b) fail_msg("%s", message);
  sn_deleteBatch(b);
  bat_setCudaDevice(NULL);
  mj_deleteModel(m);
}

// what a GPU does not do is said, at once
static void refusals(void** state) {
  (void)state;
  bat_setCudaDevice(tst_cudaHost(0));
  mjModel* const m = tst_string(ARM);
  snBatch* const b = makeBatch((const mjModel* const*)&m, 1, NULL, SN_FLOAT64);
  snField f;
  bad(b, sn_batchField(b, 0, "efc_force", &f), "'efc_force' is a list");
  bad(b, sn_batchField(b, 0, "xanchor", &f), "do not compute 'xanchor'");
  bad(b, sn_batchField(b, -1, "status", &f), "not on the GPU");
  bad(b, sn_batchField(b, 1, "qpos", &f), "model 1 is none of 1");
  bad(b, sn_batchList(b, 0, "contact", 4, &f), "contact.dist");
  bad(b, sn_batchList(b, 1, "contact.dist", 4, &f), "model 1 is none of 1");
  bad(b, sn_batchExpand(b, 0, "geom_condim", &f), "cannot differ between simulations on a GPU");
  bad(b, sn_batchRollout(b, NULL, &(snRollout){.nstep = 1, .substeps = 1}), "sn_batchRollout");
  sn_deleteBatch(b);

  snBatchOptions o;
  sn_defaultBatchOptions(&o);
  o.device = SN_CUDA;
  o.persistent = 1;
  char message[300];
  assert_null(sn_makeBatch((const mjModel* const*)&m, 1, NULL, 1, &o, message, sizeof(message)));
  assert_non_null(strstr(message, "options.persistent"));
  mjModel* const box = tst_string("<mujoco><option noslip_iterations='2'/></mujoco>");
  o.persistent = 0;
  assert_null(sn_makeBatch((const mjModel* const*)&box, 1, NULL, 1, &o, message, sizeof(message)));
  assert_non_null(strstr(message, "models[0] uses: noslip iterations"));
  o.real = SN_INT32;
  assert_null(sn_makeBatch((const mjModel* const*)&m, 1, NULL, 1, &o, message, sizeof(message)));
  assert_non_null(strstr(message, "options.real"));
  mj_deleteModel(box);
  mj_deleteModel(m);
}

// a model whose trees may sleep runs awake, as it does on the CPU without the flag, and says so
static void sleepersStayAwake(void** state) {
  (void)state;
  static const char BALLS[] =
      "<mujoco><option><flag sleep='enable'/></option><worldbody><geom type='plane' size='5 5 .1'/>"
      "<body pos='0 0 .1'%s><freejoint/><geom size='.1'/></body><body pos='1 0 .101'><freejoint/><geom "
      "size='.1'/></body>"
      "</worldbody></mujoco>";
  enum { STEPS = 60 };
  char text[500], message[300];
  bat_setCudaDevice(tst_cudaHost(0));
  snprintf(text, sizeof(text), BALLS, "");
  mjModel* const m = tst_string(text);
  snBatch* const b = makeBatch((const mjModel* const*)&m, 1, NULL, SN_FLOAT64);
  const snField q = fieldOf(b, 0, "qpos"), v = fieldOf(b, 0, "qvel");
  good(b, sn_batchStep(b, NULL, STEPS));
  assert_int_equal(sn_batchStatus(b, 1), SN_OK);
  assert_non_null(strstr(sn_batchMessage(b, 1), "awake"));

  // the model is still the caller's
  mjModel* const copy = sn_batchGetModel(b, 0);
  assert_int_equal(copy->opt.enableflags, m->opt.enableflags);
  good(b, sn_batchSetModel(b, 0, m));
  mj_deleteModel(copy);

  // what sleeping would have stopped goes on
  mjData* const d = mj_makeData(m);
  for (int k = 0; k < STEPS; k++) mj_step(m, d);
  assert_true(d->ntree_awake < 2);
  mj_deleteData(d);
  m->opt.enableflags &= ~mjENBL_SLEEP;
  mjData* const awake = mj_makeData(m);
  for (int k = 0; k < STEPS; k++) mj_step(m, awake);
  double qpos[14 * N], qvel[12 * N];
  good(b, sn_batchRead(b, &q, qpos));
  good(b, sn_batchRead(b, &v, qvel));
  for (int i = 0; i < 14 * N; i++) assert_true(fabs(qpos[i] - awake->qpos[i % 14]) < 1e-9);
  for (int i = 0; i < 12 * N; i++) assert_true(fabs(qvel[i] - awake->qvel[i % 12]) < 1e-9);
  mj_deleteData(awake);
  sn_deleteBatch(b);
  mj_deleteModel(m);

  // what is asleep from the start would fall
  snprintf(text, sizeof(text), BALLS, " sleep='init'");
  mjModel* const asleep = tst_string(text);
  snBatchOptions o;
  sn_defaultBatchOptions(&o);
  o.device = SN_CUDA;
  assert_null(sn_makeBatch((const mjModel* const*)&asleep, 1, NULL, 1, &o, message, sizeof(message)));
  assert_non_null(strstr(message, "asleep from the start"));
  mj_deleteModel(asleep);
}

// a library that is not there, or is none of ours
static void withoutTheLibrary(void** state) {
  (void)state;
  bat_setCudaDevice(NULL);
  mjModel* const m = tst_string(ARM);
  snBatchOptions o;
  sn_defaultBatchOptions(&o);
  o.device = SN_CUDA;
  char message[300];
  setenv("SINEW_CUDA", "/no/such/library.so", 1);
  assert_null(sn_makeBatch((const mjModel* const*)&m, 1, NULL, 1, &o, message, sizeof(message)));
  assert_non_null(strstr(message, "SINEW_CUDA"));
  setenv("SINEW_CUDA", "libm.so.6", 1);
  assert_null(sn_makeBatch((const mjModel* const*)&m, 1, NULL, 1, &o, message, sizeof(message)));
  assert_non_null(strstr(message, "not of this version"));
  unsetenv("SINEW_CUDA");
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tensors),
      cmocka_unit_test(callsAreThoseOfTheCpu),
      cmocka_unit_test(severalModels),
      cmocka_unit_test(badStatesFailAlone),
      cmocka_unit_test(refusals),
      cmocka_unit_test(sleepersStayAwake),
      cmocka_unit_test(withoutTheLibrary),
      cmocka_unit_test(tooManyDoNotFit),
      cmocka_unit_test(divergingOnesFailAlone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
