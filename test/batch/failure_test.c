// Failure of one is failure of one; input that makes no sense is answered by a status and a message; nothing is lost.
#include <math.h>
#include "batch/worlds.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/catch.h"

static const char PENDULUM[] =
    "<mujoco><worldbody><body name='bob'><joint name='hinge' axis='0 1 0'/><geom size='.1' pos='0 0 -.5'/>"
    "</body></worldbody><actuator><motor joint='hinge'/></actuator></mujoco>";

static snBatch* make(const mjModel* m, int n, const snBatchOptions* options) {
  char message[300];
  snBatch* const b = sn_makeBatch(&m, 1, NULL, n, options, message, sizeof(message));
  if (!b) fail_msg("%s", message);
  return b;
}

//---------------------------------- making ----------------------------------

static void expectNoBatch(const mjModel* const* models, int nmodel, const int* which, int n, const snBatchOptions* o,
                          const char* expected) {
  char message[300] = "";
  assert_null(sn_makeBatch(models, nmodel, which, n, o, message, sizeof(message)));
  if (!strstr(message, expected)) fail_msg("'%s' does not speak of '%s'", message, expected);
}

static void wrongArguments(void** state) {
  (void)state;
  mjModel* const m = tst_string(PENDULUM);
  const mjModel *const one[] = {m}, *const two[] = {m, NULL};
  const int wrong[] = {0, 1};
  snBatchOptions o;
  sn_defaultBatchOptions(&o);
  expectNoBatch(one, 1, NULL, 0, NULL, "at least one simulation");
  expectNoBatch(one, 1, NULL, -5, NULL, "at least one simulation");
  expectNoBatch(NULL, 1, NULL, 3, NULL, "needs a model");
  expectNoBatch(one, 0, NULL, 3, NULL, "needs a model");
  expectNoBatch(two, 2, NULL, 3, NULL, "models[1] is NULL");
  expectNoBatch(one, 1, wrong, 2, NULL, "which[1] = 1 is none of 1 models");
  o.device = (snDevice)7;
  expectNoBatch(one, 1, NULL, 3, &o, "none of snDevice");
  sn_defaultBatchOptions(&o);
  o.nthread = -1;
  expectNoBatch(one, 1, NULL, 3, &o, "nthread");
  sn_defaultBatchOptions(&o);
  o.autoreset = SN_RESET_SAME;
  expectNoBatch(one, 1, NULL, 3, &o, "needs options.done");
  sn_defaultBatchOptions(&o);
  o.autoreset_key = 0;
  expectNoBatch(one, 1, NULL, 3, &o, "keyframes");
  sn_defaultBatchOptions(&o);
  o.reset_qpos = INFINITY;
  expectNoBatch(one, 1, NULL, 3, &o, "reset_qpos");
  sn_defaultBatchOptions(&o);
  o.reset_qvel = NAN;
  expectNoBatch(one, 1, NULL, 3, &o, "reset_qvel");

  // no buffer for the message, no batch: nothing happens
  assert_null(sn_makeBatch(one, 1, NULL, 0, NULL, NULL, 0));
  assert_int_equal(sn_batchStep(NULL, NULL, 1), SN_ERROR);
  assert_int_equal(sn_batchSize(NULL), 0);
  sn_defaultBatchOptions(NULL);
  sn_deleteBatch(NULL);
  mj_deleteModel(m);
}

// memory runs out after some allocations, each time a little later
static atomic_int allocations, limit;
static void* scarce(size_t size) {
  return atomic_fetch_add(&allocations, 1) < atomic_load(&limit) ? aligned_alloc(64, (size + 63) & ~(size_t)63) : NULL;
}

static void outOfMemory(void** state) {
  (void)state;
  mjModel* const m = tst_string(PENDULUM);
  mju_user_malloc = scarce;
  mju_user_free = free;
  int made = 0;
  for (int k = 0; !made && k < 1000; k++) {
    allocations = 0;
    limit = k;
    char message[300] = "";
    snBatch* const b = sn_makeBatch((const mjModel* const*)&m, 1, NULL, 10, NULL, message, sizeof(message));
    made = b != NULL;
    if (!made) assert_true(strlen(message) > 0);

    // a field without memory leaves the batch as it was, and nothing behind
    if (made) {
      snField field;
      const mjtNum pnt[3] = {0, 0, 1}, vec[3] = {0, 0, -1};
      const snRays rays = {.nray = 1, .pnt = pnt, .vec = vec, .bodyexclude = -1};
      for (int more = 0; more < 3; more++) {
        allocations = 0;
        limit = more;
        assert_int_equal(sn_batchRays(b, 0, &rays, &field), SN_ERROR);
        assert_string_equal(sn_batchMessage(b, -1), "Could not allocate memory");
      }
      limit = 0;
      assert_int_equal(sn_batchField(b, 0, "xpos", &field), SN_ERROR);
      assert_int_equal(sn_batchExpand(b, 0, "body_mass", &field), SN_ERROR);
      assert_int_equal(sn_batchSetConst(b, NULL), SN_ERROR);
      assert_int_equal(sn_batchStep(b, NULL, 3), SN_OK);
      limit = 100000;
      assert_int_equal(sn_batchField(b, 0, "xpos", &field), SN_OK);
      assert_int_equal(sn_batchStep(b, NULL, 3), SN_OK);
    }
    sn_deleteBatch(b);
  }
  assert_true(made);
  mju_user_malloc = NULL;
  mju_user_free = NULL;
  mj_deleteModel(m);
}

static void aMillion(void** state) {
  (void)state;
  mjModel* const m = tst_string(PENDULUM);
  snBatch* const b = make(m, 1000000, NULL);
  assert_int_equal(sn_batchStep(b, NULL, 1), SN_OK);
  const snField time = wld_field(b, 0, "time");
  assert_int_equal(time.shape[0], 1000000);
  assert_true(*wld_row(&time, 999999) == m->opt.timestep);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

// more than any machine has is refused at once, and nothing is written to memory that is only promised
static void moreThanThereIs(void** state) {
  (void)state;
  mjModel* const m = tst_string(PENDULUM);
  char message[300];
  assert_null(sn_makeBatch((const mjModel* const*)&m, 1, NULL, INT_MAX, NULL, message, sizeof(message)));
  assert_non_null(strstr(message, "a batch of 2147483647 simulations needs "));
  const snBatchOptions persistent = {.persistent = 1, .autoreset_key = -1};
  const long room = sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / (long)sizeof(mjData);
  assert_null(sn_makeBatch((const mjModel* const*)&m, 1, NULL, (int)room, &persistent, message, sizeof(message)));
  assert_non_null(strstr(message, "an mjData per simulation needs "));

  snBatch* const b = make(m, 1000, NULL);
  snField list;
  assert_int_equal(sn_batchList(b, 0, "contact", INT_MAX / 2, &list), SN_ERROR);
  assert_non_null(strstr(sn_batchMessage(b, -1), "contact needs "));
  assert_int_equal(sn_batchStep(b, NULL, 1), SN_OK);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

// state is what a simulation costs: less than a third of an mjData
static void memoryPerSimulation(void** state) {
  (void)state;
  static const char* const FILES[] = {"scenes/humanoid.xml", "scenes/quadruped.xml", "test/models/pendulum.xml",
                                      "scenes/hand.xml"};
  for (int i = 0; i < 4; i++) {
    mjModel* const m = wld_file(FILES[i]);
    mjData* const d = mj_makeData(m);
    mj_step(m, d);
    snBatch* const b = make(m, 100, NULL);
    assert_true(sn_batchMemory(b) / 100 <= ((int64_t)sizeof(mjData) + d->nbuffer + (int64_t)d->maxuse_arena) / 3);
    mj_deleteData(d);
    sn_deleteBatch(b);
    mj_deleteModel(m);
  }
}

//---------------------------------- calls ----------------------------------

static void expect(const snBatch* b, snStatus status, const char* text) {
  assert_int_equal(status, SN_ERROR);
  if (!strstr(sn_batchMessage(b, -1), text)) fail_msg("'%s' does not speak of '%s'", sn_batchMessage(b, -1), text);
}

static void wrongCalls(void** state) {
  (void)state;
  mjModel* const m = tst_string(PENDULUM);
  snBatch* const b = make(m, 4, NULL);
  const mjtByte mask[5] = {1, 1, 1, 1, 1};
  const int far[] = {0, 4}, twice[] = {2, 0, 2}, good[] = {3};
  mjtNum state4[400];
  snField field;
  const char* const names[] = {"qpos"};
  void* const out[] = {state4};
  expect(b, sn_batchStep(b, &(snSelection){.mask = mask, .n = 5}, 1), "the mask has 5 entries, the batch has 4");
  expect(b, sn_batchStep(b, &(snSelection){.index = far, .n = 2}, 1), "index[1] = 4 is none of 4");
  expect(b, sn_batchStep(b, &(snSelection){.index = twice, .n = 3}, 1), "selected twice");
  expect(b, sn_batchStep(b, &(snSelection){.index = good, .n = -1}, 1), "-1 simulations");
  expect(b, sn_batchStep(b, &(snSelection){.n = 1}, 1), "either a mask or an index");
  expect(b, sn_batchStep(b, NULL, 0), "substeps");
  expect(b, sn_batchReset(b, NULL, 0), "key 0 is none of the 0 keyframes");
  expect(b, sn_batchReset(b, NULL, -2), "key -2");
  expect(b, sn_batchResetState(b, NULL, state4, 1 << 30), "bits");
  expect(b, sn_batchGetState(b, NULL, NULL, 1), "NULL");
  expect(b, sn_batchRollout(b, NULL, NULL), "NULL");
  expect(b, sn_batchRollout(b, NULL, &(snRollout){5, 0, 0, NULL, 0, NULL, NULL}), "substeps >= 1");
  expect(b, sn_batchRollout(b, NULL, &(snRollout){5, 1, mjSTATE_QPOS, state4, 0, NULL, NULL}), "mjSTATE_USER");
  expect(b, sn_batchRollout(b, NULL, &(snRollout){5, 1, mjSTATE_CTRL, NULL, 0, NULL, NULL}), "come together");
  expect(b, sn_batchRollout(b, NULL, &(snRollout){5, 1, 0, NULL, 1, names, NULL}), "out is NULL");
  expect(b, sn_batchRollout(b, NULL, &(snRollout){5, 1, 0, NULL, 1, (const char* const[]){"nothing"}, out}), "nothing");
  expect(b, sn_batchField(b, 0, "qpoz", &field), "no field 'qpoz'");
  expect(b, sn_batchField(b, 0, "contact", &field), "sn_batchList");
  expect(b, sn_batchField(b, 1, "qpos", &field), "model 1 is none of 1");
  expect(b, sn_batchField(b, -1, "qpos", &field), "over all simulations");
  expect(b, sn_batchList(b, 0, "qpos", 3, &field), "no list");
  expect(b, sn_batchList(b, 0, "contact", 0, &field), "at least one row");
  expect(b, sn_batchExpand(b, 0, "body_parentid", &field), "cannot differ");
  expect(b, sn_batchExpand(b, 0, "mesh_vert", &field), "cannot differ");
  expect(b, sn_batchExpand(b, 0, "opt.enableflags", &field), "cannot differ");
  expect(b, sn_batchExpand(b, 0, "body_maß", &field), "no field");
  assert_null(sn_batchGetModel(b, 4));
  expect(b, sn_batchGetData(b, -1, NULL), "none of 4");

  // fields that no batch has filled
  snField strange = {0};
  expect(b, sn_batchRead(b, &strange, state4), "no data");
  assert_null(sn_fieldTensor(&strange));
  const snField qpos = wld_field(b, 0, "qpos");
  strange = qpos, strange.ndim = 5;
  assert_null(sn_fieldTensor(&strange));
  strange = qpos, strange.itemsize = 0;
  assert_null(sn_fieldTensor(&strange));
  strange = qpos, strange.type = (snType)77;
  assert_null(sn_fieldTensor(&strange));
  assert_int_equal(sn_batchRead(b, &qpos, state4), SN_OK);
  assert_string_equal(sn_batchMessage(b, -1), "");

  // rays that come from nowhere or lead nowhere
  const mjtNum down[3] = {0, 0, -1}, nowhere[3] = {NAN, 0, 0}, endless[3] = {0, INFINITY, 0};
  expect(b, sn_batchRays(b, 0, &(snRays){.nray = 1, .pnt = nowhere, .vec = down}, &field), "ray 0 starts nowhere");
  expect(b, sn_batchRays(b, 0, &(snRays){.nray = 1, .pnt = down, .vec = endless}, &field), "ray 0 has no direction");
  expect(b, sn_batchRays(b, 0, &(snRays){.nray = 1, .pnt = down, .vec = down, .cutoff = NAN}, &field), "cutoff");

  // data of another model
  mjModel* const other = wld_file("scenes/humanoid.xml");
  mjData* const d = mj_makeData(other);
  expect(b, sn_batchGetData(b, 0, d), "not made for the model");
  mj_deleteData(d);
  mj_deleteModel(other);

  // after all that it still works, and nothing has moved
  const snField time = wld_field(b, 0, "time");
  assert_true(*wld_row(&time, 0) == 0);
  assert_int_equal(sn_batchStep(b, &(snSelection){.index = good, .n = 1}, 2), SN_OK);
  assert_true(*wld_row(&time, 3) == 2 * m->opt.timestep);
  assert_string_equal(sn_batchMessage(b, -1), "");
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

// rollouts of models with different sizes need a selection
static void differentSizes(void** state) {
  (void)state;
  mjModel* const models[] = {tst_string(PENDULUM), wld_file("scenes/quadruped.xml")};
  const int which[] = {0, 1, 0}, pendulums[] = {0, 2};
  snBatch* const b = sn_makeBatch((const mjModel* const*)models, 2, which, 3, NULL, NULL, 0);
  mjtNum qpos[2 * 5];
  const char* const names[] = {"qpos"};
  void* const out[] = {qpos};
  const snRollout r = {5, 1, 0, NULL, 1, names, out};
  expect(b, sn_batchRollout(b, NULL, &r), "different sizes");
  assert_int_equal(sn_batchRollout(b, &(snSelection){.index = pendulums, .n = 2}, &r), SN_OK);
  sn_deleteBatch(b);
  for (int i = 0; i < 2; i++) mj_deleteModel(models[i]);
}

//---------------------------------- failing simulations ----------------------------------

static void nanControls(void** state) {
  (void)state;
  mjModel* const m = tst_string(PENDULUM);
  snBatch* const b = make(m, 3, NULL);
  const snField ctrl = wld_field(b, 0, "ctrl"), warning = wld_field(b, -1, "warning");
  wld_row(&ctrl, 1)[0] = NAN;
  void (*const before)(const char*) = mju_user_warning;
  mju_user_warning = catchCount;
  catchNwarning = 0;
  assert_int_equal(sn_batchStep(b, NULL, 2), SN_WARNING);

  // the message belongs to the simulation: nothing is printed or logged
  assert_int_equal(catchNwarning, 0);
  mju_user_warning = before;
  assert_int_equal(sn_batchStatus(b, 0), SN_OK);
  assert_int_equal(sn_batchStatus(b, 1), SN_WARNING);
  assert_non_null(strstr(sn_batchMessage(b, 1), "CTRL"));
  assert_non_null(strstr(sn_batchMessage(b, -1), "1 of 3 simulations warn; simulation 1"));
  const int* const counts = warning.data;
  assert_int_equal(counts[mjNWARNING + mjWARN_BADCTRL], 2);

  // as in a loop: the control counts as zero
  mjData* const d = mj_makeData(m);
  d->ctrl[0] = NAN;
  mju_user_warning = catchCount;
  mj_step(m, d);
  mj_step(m, d);
  mju_user_warning = before;
  const snField qpos = wld_field(b, 0, "qpos");
  assert_memory_equal(wld_row(&qpos, 1), d->qpos, sizeof(mjtNum));

  // a good control, and the status is good again; the count goes with a reset
  wld_row(&ctrl, 1)[0] = 0;
  assert_int_equal(sn_batchStep(b, NULL, 1), SN_OK);
  assert_string_equal(sn_batchMessage(b, 1), "");
  assert_int_equal(counts[mjNWARNING + mjWARN_BADCTRL], 2);
  assert_int_equal(sn_batchReset(b, NULL, -1), SN_OK);
  assert_int_equal(counts[mjNWARNING + mjWARN_BADCTRL], 0);
  mj_deleteData(d);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

// a simulation that explodes in the middle of a rollout
static void divergence(void** state) {
  (void)state;
  mjModel* const m = tst_string(PENDULUM);
  snBatch* const b = make(m, 3, NULL);
  const snField applied = wld_field(b, 0, "qfrc_applied"), qpos = wld_field(b, 0, "qpos");
  enum { T = 6 };
  mjtNum record[3 * T], control[3 * T * 2] = {0};
  for (int t = 0; t < T; t++) control[(1 * T + t) * 2 + 1] = t < 3 ? 1 : 1e13;
  const char* const names[] = {"qpos"};
  void* const out[] = {record};
  const snRollout r = {T, 1, mjSTATE_CTRL | mjSTATE_QFRC_APPLIED, control, 1, names, out};
  assert_int_equal(sn_batchRollout(b, NULL, &r), SN_ERROR);
  assert_non_null(strstr(sn_batchMessage(b, 1), "QACC at DOF 0"));
  assert_non_null(strstr(sn_batchMessage(b, 1), "joint 'hinge'"));
  assert_non_null(strstr(sn_batchMessage(b, -1), "1 of 3 simulations failed; simulation 1"));

  // it is where it was, with the inputs it had; the records are good up to there
  assert_true(*wld_row(&qpos, 1) == 0 && *wld_row(&applied, 1) == 0);
  assert_true(record[T] > 0 && record[T + 2] > record[T + 1]);
  for (int t = 3; t < T; t++) assert_true(record[T + t] == record[T + 2]);
  assert_int_equal(sn_batchStatus(b, 2), SN_OK);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

// by a jump, or where there is a context by saying so
static void raiseForTwo(const mjModel* m, mjData* d, void* context) {
  (void)m;
  if (sn_batchCurrent() == 2 && d->time > 0.01 && !context) mju_error("two is not %s", "wanted");
  d->ctrl[0] = sn_batchCurrent();
  if (sn_batchCurrent() != 2 || d->time <= 0.01 || !context) return;
  sn_batchFail("two is not wanted");
  sn_batchFail("this comes too late");
}

// errors in hooks, in every kind of batch; what other simulations computed in the same mjData does not show
static void errorsInHooks(void** state) {
  (void)state;
  mjModel* const m = tst_string(PENDULUM);
  for (int trial = 0; trial < 4; trial++) {
    const snHooks hooks = {.control = raiseForTwo, .context = trial & 2 ? m : NULL};
    snBatchOptions o;
    sn_defaultBatchOptions(&o);
    o.hooks = &hooks;
    o.persistent = trial & 1;
    o.nthread = 2;
    snBatch* const b = make(m, 8, &o);
    for (int step = 0; step < 10; step++) sn_batchStep(b, NULL, 1);
    assert_int_equal(sn_batchStatus(b, 2), SN_ERROR);
    assert_string_equal(sn_batchMessage(b, 2), "two is not wanted");
    const snField time = wld_field(b, 0, "time"), ctrl = wld_field(b, 0, "ctrl");
    for (int i = 0; i < 8; i++) {
      assert_int_equal(sn_batchStatus(b, i), i == 2 ? SN_ERROR : SN_OK);
      assert_true(*wld_row(&ctrl, i) == i);
      mjData* const d = mj_makeData(m);
      d->ctrl[0] = i;
      while (d->time < *wld_row(&time, i)) mj_step(m, d);
      d->ctrl[0] = i;
      wld_compareState(b, i, m, d, "hooks");
      mj_deleteData(d);
    }
    assert_true(*wld_row(&time, 2) < *wld_row(&time, 1));
    assert_int_equal(sn_batchCurrent(), -1);
    sn_deleteBatch(b);
  }
  mj_deleteModel(m);
}

static void failReset(const mjModel* m, mjData* d, int sim, snRandom* random, void* context) {
  (void)m, (void)d, (void)random, (void)context;
  if (sim == 1) sn_batchFail("no reset");
}

static int failDone(const mjModel* m, const mjData* d, int sim, void* context) {
  (void)m, (void)d, (void)context;
  if (sim == 2) sn_batchFail(NULL);
  return 1;
}

static void failForward(const mjModel* m, mjData* d, void* context) {
  (void)m, (void)context;
  if (sn_batchCurrent() == 0 && d->time == 0) sn_batchFail("no forward");
}

// sn_batchFail from the other functions of a batch and in mj_forward; outside of a batch it does nothing
static void givenUp(void** state) {
  (void)state;
  mjModel* const m = tst_string(PENDULUM);
  const snHooks hooks = {.passive = failForward};
  snBatchOptions o;
  sn_defaultBatchOptions(&o);
  o.reset = failReset;
  o.done = failDone;
  o.hooks = &hooks;
  snBatch* const b = make(m, 3, &o);
  sn_batchFail("nobody hears this");
  assert_int_equal(sn_batchForward(b, NULL), SN_ERROR);
  assert_string_equal(sn_batchMessage(b, 0), "no forward");
  assert_int_equal(sn_batchStatus(b, 1), SN_OK);
  assert_int_equal(sn_batchReset(b, NULL, -1), SN_ERROR);
  assert_string_equal(sn_batchMessage(b, 1), "no reset");
  assert_int_equal(sn_batchStatus(b, 0), SN_OK);
  assert_int_equal(sn_batchStep(b, NULL, 1), SN_ERROR);
  const snField done = wld_field(b, -1, "done"), time = wld_field(b, 0, "time");
  assert_int_equal(sn_batchStatus(b, 2), SN_ERROR);
  assert_true(((mjtByte*)done.data)[1] == 1 && ((mjtByte*)done.data)[2] == 0);
  assert_true(*wld_row(&time, 1) > 0 && *wld_row(&time, 2) == 0);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

static atomic_int called;
static void processWide(const mjModel* m, mjData* d) {
  (void)m;
  atomic_fetch_add(&called, 1);
  d->qfrc_applied[0] = 0.5;
}

static void globalCallbacks(void** state) {
  (void)state;
  mjModel* const m = tst_string(PENDULUM);
  snBatch* const b = make(m, 5, NULL);
  called = 0;
  mjcb_control = processWide;
  assert_int_equal(sn_batchStep(b, NULL, 2), SN_OK);
  mjcb_control = NULL;
  assert_int_equal(called, 10);
  const snField applied = wld_field(b, 0, "qfrc_applied");
  assert_true(*wld_row(&applied, 4) == 0.5);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

// a sleeping scene goes on sleeping after a failure
static int refuse;
static void refuseAll(const mjModel* m, mjData* d, void* context) {
  (void)m;
  (void)d;
  (void)context;
  if (refuse) mju_error("not now");
}

static void sleepersReturn(void** state) {
  (void)state;
  mjModel* const m = wld_file("test/models/sleepers.xml");
  const snHooks hooks = {.passive = refuseAll};
  snBatchOptions o;
  sn_defaultBatchOptions(&o);
  o.hooks = &hooks;
  snBatch* const b = make(m, 3, &o);
  const snField awake = wld_field(b, 0, "ntree_awake");
  mjData* const d = mj_makeData(m);
  for (int step = 0; step < 150; step++) {
    refuse = step % 50 == 20;
    const snStatus status = sn_batchStep(b, NULL, 3);
    assert_int_equal(status, refuse ? SN_ERROR : SN_OK);
    for (int i = 0; i < 3 && !refuse; i++) mj_step(m, d);
    wld_compareState(b, 1, m, d, "sleepers");
    assert_int_equal(((const int*)awake.data)[1], d->ntree_awake);
  }
  refuse = 0;
  assert_true(d->ntree_awake < m->ntree);
  mj_deleteData(d);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

// boxes that sleep, and a ball that falls on one of them later
static const char* const DISTURBED =
    "<mujoco><option timestep='.004'><flag sleep='enable'/></option><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body name='one' pos='0 0 .0998'><freejoint/><geom type='box' size='.1 .1 .1'/><site name='one'/></body>"
    "<body name='two' pos='1 0 .0998'><freejoint/><geom type='box' size='.1 .1 .1'/><site name='two'/></body>"
    "<body name='ball' pos='.05 .02 1.5' sleep='never'><freejoint/><geom size='.1'/></body></worldbody>"
    "<sensor><accelerometer site='one'/><framelinvel objtype='site' objname='two'/><touch "
    "site='one'/></sensor></mujoco>";

static int failNow(const mjModel* m, const mjData* d, int sim, void* context) {
  (void)m, (void)d, (void)sim;
  if (*(const int*)context) sn_batchFail("not now");
  return 0;
}

// a call that fails where it must
static void failOnce(snBatch* b, int* flag, const char* message) {
  *flag = 1;
  assert_int_equal(sn_batchStep(b, NULL, 10), SN_ERROR);
  *flag = 0;
  assert_true(strstr(sn_batchMessage(b, 1), message) != NULL);
}

// fields that a batch refreshes have what an mjData has
static const char* const OUTPUTS[] = {"xpos",       "xquat", "cinert",      "cvel",        "qfrc_constraint", "qacc",
                                      "sensordata", "M",     "tree_asleep", "ntree_awake", "geom_xpos"};
enum { NOUTPUT = sizeof(OUTPUTS) / sizeof(OUTPUTS[0]) };

static void compareOutputs(snBatch* b, int sim, const mjModel* m, const mjData* d) {
  for (int i = 0; i < NOUTPUT; i++) {
    const snField ours = wld_field(b, 0, OUTPUTS[i]);
    snField theirs;
    assert_int_equal(sn_dataField(m, d, OUTPUTS[i], &theirs), SN_OK);
    if (wld_same((char*)ours.data + sim * ours.stride[0], theirs.data, (size_t)ours.stride[0])) continue;
    fail_msg("%s differs at time %g", OUTPUTS[i], d->time);
  }
}

// Calls that fail after sleepers woke in them, or were moved, or everything was reset by a number that is no use, leave
// no trace: the simulation goes on as one for which they were never made.
static void disturbedSleepers(void** state) {
  (void)state;
  mjModel* const m = tst_string(DISTURBED);
  int flag = 0, asleep = 0, woken = 0;
  snBatchOptions o;
  sn_defaultBatchOptions(&o);
  o.done = failNow;
  o.context = &flag;
  snBatch* const b = make(m, 3, &o);
  mjData *const d = mj_makeData(m), *const copy = mj_makeData(m), *const other = mj_makeData(m);
  const snField qpos = wld_field(b, 0, "qpos"), qvel = wld_field(b, 0, "qvel");
  for (int i = 0; i < NOUTPUT; i++) wld_field(b, 0, OUTPUTS[i]);
  for (int round = 0; round < 40; round++) {
    // the box that nobody touches is lifted while it sleeps
    if (round == 4 || round == 30) *(wld_row(&qpos, 1) + 9) = d->qpos[9] += .01;
    const int before = d->ntree_awake;
    failOnce(b, &flag, "not now");
    if (round % 3 == 0) {
      const mjtNum kept = wld_row(&qvel, 1)[15];
      wld_row(&qvel, 1)[15] = NAN;
      failOnce(b, &flag, "QVEL");
      assert_true(isnan(wld_row(&qvel, 1)[15]));
      wld_row(&qvel, 1)[15] = kept;
    }
    wld_compareState(b, 1, m, d, "disturbed");
    assert_int_equal(sn_batchStep(b, NULL, 10), SN_OK);
    for (int i = 0; i < 10; i++) mj_step(m, d);
    wld_compareState(b, 1, m, d, "disturbed");
    compareOutputs(b, 1, m, d);

    // a copy goes on as the simulation does, whether something sleeps or not
    assert_int_equal(sn_batchGetData(b, 1, copy), SN_OK);
    mj_copyData(other, m, d);
    for (int i = 0; i < 5; i++) mj_step(m, copy), mj_step(m, other);
    assert_memory_equal(copy->qpos, other->qpos, sizeof(mjtNum) * (size_t)m->nq);
    assert_int_equal(copy->ntree_awake, other->ntree_awake);
    asleep += d->ntree_awake == 1;
    woken += d->ntree_awake > before;
  }
  assert_true(asleep >= 1 && woken >= 3);
  mj_deleteData(d);
  mj_deleteData(copy);
  mj_deleteData(other);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

// a box and a pendulum that sleep from the start, a box that falls asleep, and a ball that wakes them
static const char* const STARTING =
    "<mujoco><option timestep='.004'><flag sleep='enable'/></option><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .0998' sleep='init'><freejoint/><geom type='box' size='.1 .1 .1'/><site name='one'/></body>"
    "<body pos='1 0 .0998'><freejoint/><geom type='box' size='.1 .1 .1'/><site name='two'/></body>"
    "<body pos='-1 0 1' sleep='init'><joint axis='0 1 0' damping='.1'/><geom type='capsule' size='.05 .2' pos='0 0 "
    "-.2'/>"
    "<body pos='0 0 -.4'><joint axis='0 1 0'/><geom type='capsule' size='.05 .1' pos='0 0 -.1'/></body></body>"
    "<body pos='.05 .02 6' sleep='never'><freejoint/><geom size='.1'/></body></worldbody>"
    "<sensor><accelerometer site='one'/><framelinvel objtype='site' objname='two'/><touch site='one'/></sensor>"
    "<keyframe><key time='1' qpos='0 0 .0998 1 0 0 0 1 0 .0998 1 0 0 0 0 0 .05 .02 .4 1 0 0 0'/></keyframe></mujoco>";

static void resetNothing(const mjModel* m, mjData* d, int sim, snRandom* random, void* context) {
  (void)m, (void)d, (void)sim, (void)random, (void)context;
}

// what happens to a simulation and to a loop before some of the rounds
static void meddle(snBatch* b, const mjModel* m, mjData* d, int round) {
  const int index = 1;
  const snSelection one = {.index = &index, .n = 1};
  const snField qpos = wld_field(b, 0, "qpos"), xfrc = wld_field(b, 0, "xfrc_applied");
  if (round % 7 == 6 || round == 20) {
    const int key = m->nkey && round % 2 ? 0 : -1;
    assert_int_equal(sn_batchReset(b, &one, key), SN_OK);
    mj_resetDataKeyframe(m, d, key);
  }

  // the second box is lifted, the last tree but one moved, the first pushed, asleep or not
  if (round % 19 == 4) *(wld_row(&qpos, 1) + 9) = d->qpos[9] += .01;
  if (round % 23 == 3) *(wld_row(&qpos, 1) + 14) = d->qpos[14] += .1;
  wld_row(&xfrc, 1)[6] = d->xfrc_applied[6] = round % 29 == 2 ? 1 : 0;
}

// Resets of sleepers, disturbed or not, at any time, to the start or to a keyframe, are those of mj_resetData, and what
// is not looked at while it sleeps is where it was.
static void resetSleepers(const char* xml, void (*reset)(const mjModel*, mjData*, int, snRandom*, void*)) {
  mjModel* const m = tst_string(xml);
  snBatchOptions o;
  sn_defaultBatchOptions(&o);
  o.reset = reset;
  snBatch* const b = make(m, 3, &o);
  mjData* const d = mj_makeData(m);
  int asleep = 0, woken = 0;
  for (int i = 0; i < NOUTPUT; i++) wld_field(b, 0, OUTPUTS[i]);
  for (int round = 0; round < 60; round++) {
    meddle(b, m, d, round);
    wld_compareState(b, 1, m, d, "reset");
    const int before = d->ntree_awake, substeps = round % 4 ? 1 : 120;
    assert_int_equal(sn_batchStep(b, NULL, substeps), SN_OK);
    for (int i = 0; i < substeps; i++) mj_step(m, d);
    wld_compareState(b, 1, m, d, "reset");
    compareOutputs(b, 1, m, d);
    asleep += d->ntree_awake < m->ntree;
    woken += d->ntree_awake > before;
  }
  assert_true(asleep >= 10 && woken >= 2);
  mj_deleteData(d);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

static void sleepersReset(void** state) {
  (void)state;
  resetSleepers(STARTING, NULL);
  resetSleepers(STARTING, resetNothing);
  resetSleepers(DISTURBED, NULL);
}

//---------------------------------- plugins ----------------------------------

// an instance remembers how often it was asked, outside of plugin_state
static int rememberInit(const mjModel* m, mjData* d, int instance) {
  (void)m;
  d->plugin_data[instance] = (uintptr_t)calloc(1, sizeof(int));
  return 0;
}
static void rememberDestroy(mjData* d, int instance) {
  free((void*)d->plugin_data[instance]);
}
static void rememberCopy(mjData* dest, const mjModel* m, const mjData* src, int instance) {
  (void)m;
  *(int*)dest->plugin_data[instance] = *(const int*)src->plugin_data[instance];
}
static int rememberState(const mjModel* m, int instance) {
  (void)m;
  (void)instance;
  return 0;
}
static void rememberCompute(const mjModel* m, mjData* d, int instance, int capability) {
  (void)capability;
  const int count = ++*(int*)d->plugin_data[instance];
  for (int i = 0; i < m->nv; i++) d->qfrc_passive[i] += 0.01 * count;
}

// plugins work as in a loop: each simulation has its own instances
static void plugins(void** state) {
  (void)state;
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "sinew.test.remember";
  plugin.capabilityflags = mjPLUGIN_PASSIVE;
  plugin.nstate = rememberState;
  plugin.init = rememberInit;
  plugin.destroy = rememberDestroy;
  plugin.copy = rememberCopy;
  plugin.compute = rememberCompute;
  mjp_registerPlugin(&plugin);
  mjModel* const m = tst_string(
      "<mujoco><extension><plugin plugin='sinew.test.remember'/></extension><worldbody><body><joint axis='0 1 0'/>"
      "<geom size='.1' pos='0 0 -.5'/><plugin plugin='sinew.test.remember'/></body></worldbody></mujoco>");
  assert_int_equal(m->nplugin, 1);
  snBatch* const b = make(m, 6, NULL);
  const int some[] = {1, 4};
  mjData *all = mj_makeData(m), *more = mj_makeData(m);
  for (int i = 0; i < 10; i++) {
    assert_int_equal(sn_batchStep(b, NULL, 1), SN_OK);
    assert_int_equal(sn_batchStep(b, &(snSelection){.index = some, .n = 2}, 1), SN_OK);
    mj_step(m, all);
    mj_step(m, more);
    mj_step(m, more);
  }
  for (int i = 0; i < 6; i++) wld_compareState(b, i, m, i == 1 || i == 4 ? more : all, "plugins");
  mj_deleteData(all);
  mj_deleteData(more);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

// contacts beyond the capacity are not dropped in silence
static void shortLists(void** state) {
  (void)state;
  mjModel* const m = tst_string(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .09'><freejoint/>"
      "<geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>");
  snBatch* const b = make(m, 2, NULL);
  snField dist, whole, force;
  const snField ncon = wld_field(b, 0, "ncon");
  assert_int_equal(sn_batchList(b, 0, "contact.dist", 3, &dist), SN_OK);
  assert_int_equal(sn_batchList(b, 0, "contact", 9, &whole), SN_OK);
  assert_int_equal(sn_batchList(b, 0, "efc_force", 40, &force), SN_OK);
  expect(b, sn_batchList(b, 0, "contact", 8, &whole), "another capacity");
  assert_int_equal(whole.itemsize, sizeof(mjContact));
  assert_int_equal(dist.shape[1], 3);
  assert_int_equal(sn_batchForward(b, NULL), SN_WARNING);
  assert_non_null(strstr(sn_batchMessage(b, 1), "contact.dist has more than the 3 rows"));
  assert_int_equal(((int*)ncon.data)[1], 4);
  const mjContact* const contact = (mjContact*)((char*)whole.data + whole.stride[0]);
  assert_true(contact[2].dist == wld_row(&dist, 1)[2] && contact[3].dist < 0 && contact[4].dist == 0);
  assert_true(wld_row(&force, 1)[0] != 0);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

//---------------------------------- threads and processes ----------------------------------

static snBatch* shared;
static atomic_int inside, released;
static void waitInside(const mjModel* m, mjData* d, void* context) {
  (void)m;
  (void)d;
  (void)context;
  atomic_store(&inside, 1);
  while (!atomic_load(&released)) usleep(100);
}
static void* stepShared(void* arg) {
  (void)arg;
  assert_int_equal(sn_batchStep(shared, NULL, 1), SN_OK);
  return NULL;
}

// a second call while one is in progress is refused
static void twoCallers(void** state) {
  (void)state;
  mjModel* const m = tst_string(PENDULUM);
  const snHooks hooks = {.control = waitInside};
  snBatchOptions o;
  sn_defaultBatchOptions(&o);
  o.hooks = &hooks;
  shared = make(m, 1, &o);
  pthread_t thread;
  snField field;
  pthread_create(&thread, NULL, stepShared, NULL);
  while (!atomic_load(&inside)) usleep(100);
  assert_int_equal(sn_batchStep(shared, NULL, 1), SN_ERROR);
  assert_int_equal(sn_batchField(shared, 0, "xpos", &field), SN_ERROR);
  atomic_store(&released, 1);
  pthread_join(thread, NULL);
  assert_int_equal(sn_batchStep(shared, NULL, 1), SN_OK);
  sn_deleteBatch(shared);
  mj_deleteModel(m);
}

// a forked process has no threads: it gets an error instead of waiting for them
static void forked(void** state) {
  (void)state;
  mjModel* const m = tst_string(PENDULUM);
  snBatchOptions o;
  sn_defaultBatchOptions(&o);
  o.nthread = 2;
  snBatch* const b = make(m, 10, &o);
  const pid_t child = fork();
  if (child == 0) {
    const int good = sn_batchStep(b, NULL, 1) == SN_ERROR && strstr(sn_batchMessage(b, -1), "fork") != NULL;
    sn_deleteBatch(b);
    _exit(good ? 0 : 1);
  }
  int result = 1;
  waitpid(child, &result, 0);
  assert_int_equal(result, 0);
  assert_int_equal(sn_batchStep(b, NULL, 1), SN_OK);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

// numbers of the published test of Philox 4x32-10, and streams that differ
static void randomNumbers(void** state) {
  (void)state;
  snRandom r = sn_makeRandom(0, 0, 0);
  const uint32_t zero[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  for (int i = 0; i < 4; i++) assert_int_equal(sn_randomBits(&r), zero[i]);
  r = sn_makeRandom(UINT64_MAX, UINT32_MAX, UINT32_MAX);
  r.counter[0] = r.counter[1] = UINT32_MAX;
  const uint32_t ones[] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
  for (int i = 0; i < 4; i++) assert_int_equal(sn_randomBits(&r), ones[i]);

  double mean = 0, square = 0, low = 1, high = 0;
  r = sn_makeRandom(1, 2, 3);
  for (int i = 0; i < 100000; i++) {
    const double normal = sn_randomNormal(&r), uniform = sn_randomUniform(&r, 0, 1);
    mean += normal / 100000;
    square += normal * normal / 100000;
    low = uniform < low ? uniform : low;
    high = uniform > high ? uniform : high;
  }
  assert_true(mean > -.02 && mean < .02 && square > .98 && square < 1.02 && low < .001 && high > .999 && high < 1);
  snRandom other = sn_makeRandom(1, 3, 3);
  assert_true(sn_randomBits(&other) != sn_randomBits(&r));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrongArguments),    cmocka_unit_test(outOfMemory),
      cmocka_unit_test(aMillion),          cmocka_unit_test(memoryPerSimulation),
      cmocka_unit_test(moreThanThereIs),   cmocka_unit_test(wrongCalls),
      cmocka_unit_test(differentSizes),    cmocka_unit_test(nanControls),
      cmocka_unit_test(divergence),        cmocka_unit_test(errorsInHooks),
      cmocka_unit_test(givenUp),           cmocka_unit_test(globalCallbacks),
      cmocka_unit_test(sleepersReturn),    cmocka_unit_test(shortLists),
      cmocka_unit_test(twoCallers),        cmocka_unit_test(forked),
      cmocka_unit_test(randomNumbers),     cmocka_unit_test(plugins),
      cmocka_unit_test(disturbedSleepers), cmocka_unit_test(sleepersReset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
