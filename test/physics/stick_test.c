// Friction with memory: what is held stays, slips where it did before, and the memory is saved, copied and batched.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sinew/batch.h>
#include <sinew/contact.h>

#include "physics/flexes.h"
#include "support/catch.h"
#include "support/near.h"

// a block of 200 g between two fingers that press with 5 N each
#define HELD(option, stick)                                                                                            \
  "<mujoco xmlns:sinew=\"urn:sinew\"><option " option "/><default><geom friction=\"1\" " stick                         \
  "/></default>"                                                                                                       \
  "<worldbody><body name=\"block\" pos=\"0 0 .5\"><freejoint/><geom name=\"block\" type=\"box\" size=\".02 .02 .02\" " \
  "mass=\".2\"/></body><body pos=\"-.031 0 .5\"><joint type=\"slide\" axis=\"1 0 0\"/>"                                \
  "<geom name=\"left\" type=\"box\" size=\".01 .015 .015\" mass=\".1\"/></body><body pos=\".031 0 .5\">"               \
  "<joint type=\"slide\" axis=\"-1 0 0\"/><geom name=\"right\" type=\"box\" size=\".01 .015 .015\" mass=\".1\"/>"      \
  "</body></worldbody></mujoco>"

// a box of 1 kg on a floor that is tilted by turning gravity
#define SLOPE(option, box)                                                                                \
  "<mujoco xmlns:sinew=\"urn:sinew\"><option " option                                                     \
  "/><worldbody><geom type=\"plane\" size=\"5 5 .1\" friction=\".5\"/><body pos=\"0 0 .05\"><freejoint/>" \
  "<geom name=\"box\" type=\"box\" size=\".1 .1 .05\" mass=\"1\" friction=\".5\" " box                    \
  "/></body></worldbody></mujoco>"

// a ball of 10 cm with rolling friction 2 mm
#define BALL(option, ball)                                                                 \
  "<mujoco xmlns:sinew=\"urn:sinew\"><option " option                                      \
  "/><worldbody><geom type=\"plane\" size=\"50 50 .1\"/><body pos=\"0 0 .1\"><freejoint/>" \
  "<geom type=\"sphere\" size=\".1\" mass=\"1\" friction=\"1 .005 .002\" " ball "/></body></worldbody></mujoco>"

static const char* const CONES[] = {"pyramidal", "elliptic"};
static const char* const SOLVERS[] = {"PGS", "CG", "Newton"};
static const char* const INTEGRATORS[] = {"Euler", "RK4", "implicit", "implicitfast"};

static TstScene open(const char* format, ...) {
  char xml[4000];
  va_list args;
  va_start(args, format);
  vsnprintf(xml, sizeof(xml), format, args);
  va_end(args);
  return tst_openScene(xml);
}

static void step(TstScene* s, int n) {
  for (int i = 0; i < n; i++) mj_step(s->m, s->d);
}

// the held block, its fingers pressing by applied forces
static TstScene openHeld(const char* option, const char* stick) {
  char xml[4000];
  snprintf(xml, sizeof(xml), HELD("%s", "%s"), option, stick);
  TstScene s = tst_openScene(xml);
  s.d->qfrc_applied[6] = s.d->qfrc_applied[7] = 5;
  return s;
}

static mjtNum moved(const TstScene* s, const mjtNum start[7]) {
  mjtNum most = 0;
  for (int i = 0; i < 7; i++) most = fmax(most, fabs(s->d->qpos[i] - start[i]));
  return most;
}

static mjtNum creepOf(const char* option, const char* stick, int steps) {
  TstScene s = openHeld(option, stick);
  step(&s, 500);
  mjtNum start[7];
  memcpy(start, s.d->qpos, sizeof(start));
  step(&s, steps);
  const mjtNum creep = moved(&s, start);
  tst_closeScene(&s);
  return creep;
}

//---------------------------------- holding ----------------------------------

// a minute at the standard timestep
static void test_blockIsHeldForAMinute(void** state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    char option[100];
    snprintf(option, sizeof(option), "cone=\"%s\"", CONES[k]);
    assert_true(creepOf(option, "sinew:stick=\"1\"", 30000) < 1e-6);
  }
  assert_true(creepOf("cone=\"elliptic\"", "", 1000) > 5e-3);
}

static void test_blockIsHeldByEverySolverAndIntegrator(void** state) {
  (void)state;
  for (int k = 0; k < 24; k++) {
    char option[200];
    snprintf(option, sizeof(option), "cone=\"%s\" solver=\"%s\" integrator=\"%s\"", CONES[k % 2], SOLVERS[k / 2 % 3],
             INTEGRATORS[k / 6]);
    const mjtNum creep = creepOf(option, "sinew:stick=\"1\"", 1500);
    if (creep >= 1e-6) fail_msg("%s: %g", option, creep);
  }
}

static void test_blockIsHeldWithNoslipSparseAndStiff(void** state) {
  (void)state;
  assert_true(creepOf("cone=\"elliptic\" noslip_iterations=\"3\"", "sinew:stick=\"1\"", 1500) < 1e-6);
  assert_true(creepOf("jacobian=\"sparse\"", "sinew:stick=\"1\"", 1500) < 1e-6);
  assert_true(creepOf("cone=\"elliptic\" impratio=\"10\"", "sinew:stick=\"4\"", 1500) < 1e-6);
  assert_true(creepOf("cone=\"elliptic\" timestep=\".01\"", "sinew:stick=\"10\"", 1500) < 1e-6);
}

// what touches along a line or a face has several contacts where friction remembers, without the flag for it: one alone
// jumps along the line and the memory is lost
static void test_cylindersAndMeshesAreHeld(void** state) {
  (void)state;
  static const char* const SHAPES[] = {"type=\"cylinder\" size=\".02 .02\"", "type=\"mesh\" mesh=\"cube\""};
  for (int k = 0; k < 8; k++) {
    const int sticks = k % 2;
    TstScene s = open(
        "<mujoco xmlns:sinew=\"urn:sinew\"><option cone=\"%s\"/><default><geom friction=\"1\" %s/></default><asset>"
        "<mesh name=\"cube\" scale=\".02 .02 .02\" vertex=\"-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 "
        "1\"/>"
        "</asset><worldbody><body pos=\"0 0 .5\"><freejoint/><geom %s mass=\".2\"/></body><body pos=\"-.031 0 .5\">"
        "<joint type=\"slide\" axis=\"1 0 0\"/><geom type=\"box\" size=\".01 .015 .015\" mass=\".1\"/></body>"
        "<body pos=\".031 0 .5\"><joint type=\"slide\" axis=\"-1 0 0\"/><geom type=\"box\" size=\".01 .015 .015\" "
        "mass=\".1\"/></body></worldbody></mujoco>",
        CONES[k / 4], sticks ? "sinew:stick=\"1\"" : "", SHAPES[k / 2 % 2]);
    s.d->qfrc_applied[6] = s.d->qfrc_applied[7] = 5;
    step(&s, 500);
    const mjtNum start = s.d->qpos[2];
    step(&s, 1000);
    const mjtNum creep = start - s.d->qpos[2];
    if (sticks ? !(fabs(creep) < 1e-5) : !(creep > 1e-3)) fail_msg("%d: %g", k, creep);
    tst_closeScene(&s);
  }
}

// a stiffer hold gives way less to a pull
static void test_stickIsStiffness(void** state) {
  (void)state;
  mjtNum sag[2];
  for (int k = 0; k < 2; k++) {
    TstScene s = openHeld("cone=\"elliptic\"", k ? "sinew:stick=\"4\"" : "sinew:stick=\"1\"");
    step(&s, 1000);
    const mjtNum before = s.d->qpos[2];
    s.d->qfrc_applied[2] = -1;
    step(&s, 1000);
    sag[k] = before - s.d->qpos[2];
    tst_closeScene(&s);
  }
  assert_true(sag[1] > 0);
  assert_near(sag[0] / sag[1], 4, 0.1);
}

// the scene of the documentation: one of two hands remembers
static void test_sceneHold(void** state) {
  (void)state;
  char error[500] = "";
  mjModel* m = mj_loadXML("scenes/contact/hold.xml", NULL, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  TstScene s = {.m = m, .d = mj_makeData(m)};
  mj_resetDataKeyframe(m, s.d, 0);
  step(&s, 500);
  const mjtNum before[2] = {s.d->ten_length[0], s.d->ten_length[1]};
  step(&s, 2500);
  assert_near(s.d->ten_length[0], before[0], 1e-6);
  assert_true(s.d->ten_length[1] > before[1] + 1e-3);
  tst_closeScene(&s);
}

//---------------------------------- slipping ----------------------------------

// a horizontal pull below and above what friction gives
static void test_slipsAtTheSameForce(void** state) {
  (void)state;
  for (int k = 0; k < 6; k++) {
    for (int above = 0; above < 2; above++) {
      TstScene s = open(SLOPE("cone=\"%s\" solver=\"%s\"", "sinew:stick=\"1\""), CONES[k % 2], SOLVERS[k / 2]);
      step(&s, 300);
      s.d->qfrc_applied[0] = 0.5 * 9.81 * (above ? 1.01 : 0.99);
      step(&s, 500);
      const mjtNum before = s.d->qpos[0];
      step(&s, 1000);
      const mjtNum way = s.d->qpos[0] - before;
      if (above ? way < 0.05 : fabs(way) > 1e-6) fail_msg("%s %s %d: %g", CONES[k % 2], SOLVERS[k / 2], above, way);
      tst_closeScene(&s);
    }
  }
}

// at 0.99 of the critical slope a box stays, at 1.01 it slides
static void test_boxStaysOnASlope(void** state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    const mjtNum tangent = 0.5 * (k / 2 ? 1.01 : 0.99), scale = 9.81 / sqrt(1 + tangent * tangent);
    TstScene s = open(SLOPE("cone=\"%s\" gravity=\"%.17g 0 %.17g\"", "sinew:stick=\"1\""), CONES[k % 2],
                      scale * tangent, -scale);
    step(&s, 2000);
    const mjtNum before = s.d->qpos[0];
    step(&s, 5000);
    const mjtNum way = s.d->qpos[0] - before;
    if (k / 2 ? way < 0.05 : fabs(way) > 1e-6) fail_msg("%d: %g", k, way);
    tst_closeScene(&s);
  }
}

// a box that slides stops where kinetic friction says, as it does without memory
static void test_slidingIsFriction(void** state) {
  (void)state;
  mjtNum way[2];
  for (int k = 0; k < 2; k++) {
    TstScene s = open(SLOPE("cone=\"elliptic\"", "%s"), k ? "sinew:stick=\"1\"" : "");
    step(&s, 300);
    const mjtNum before = s.d->qpos[0];
    s.d->qvel[0] = 2;
    step(&s, 500);
    way[k] = s.d->qpos[0] - before;
    tst_closeScene(&s);
  }
  assert_near(way[1], way[0], 0.01 * way[0]);
  assert_near(way[1], 4 / (2 * 0.5 * 9.81), 0.02 * way[1]);
}

//---------------------------------- rolling ----------------------------------

// on a slope of half of what rolling friction holds, a ball that is pushed comes to rest; without memory it creeps
static void test_ballStopsRolling(void** state) {
  (void)state;
  mjtNum way[2];
  for (int k = 0; k < 2; k++) {
    TstScene s =
        open(BALL("cone=\"elliptic\" gravity=\".0981 0 -9.81\"", "condim=\"6\" %s"), k ? "sinew:stick=\"1\"" : "");
    s.d->qvel[0] = 0.2;
    s.d->qvel[4] = 2;
    step(&s, 4000);
    const mjtNum before = s.d->qpos[0];
    step(&s, 5000);
    way[k] = s.d->qpos[0] - before;
    tst_closeScene(&s);
  }
  assert_true(fabs(way[1]) < 1e-6);
  assert_true(way[0] > 1e-4);
}

// without rolling friction it rolls on as it does without memory
static void test_ballRollsOn(void** state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    TstScene s[2];
    for (int i = 0; i < 2; i++) {
      s[i] = open(BALL("cone=\"%s\"", "condim=\"3\" %s"), CONES[k], i ? "sinew:stick=\"1\"" : "");
      step(s + i, 200);
      s[i].d->qvel[0] = 1;
      s[i].d->qvel[4] = 10;
      step(s + i, 5000);
    }
    assert_near(s[1].d->qvel[0], s[0].d->qvel[0], 1e-4);
    assert_near(s[1].d->qvel[4], s[0].d->qvel[4], 1e-3);
    for (int i = 0; i < 2; i++) tst_closeScene(s + i);
  }
}

// rolling friction slows a ball down by μ N
static void test_rollingFrictionIsTheSame(void** state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    mjtNum speed[2];
    for (int i = 0; i < 2; i++) {
      TstScene s = open(BALL("cone=\"%s\"", "condim=\"6\" %s"), CONES[k], i ? "sinew:stick=\"1\"" : "");
      step(&s, 200);
      s.d->qvel[0] = 1;
      s.d->qvel[4] = 10;
      step(&s, 1000);
      speed[i] = s.d->qvel[0];
      tst_closeScene(&s);
    }

    // pyramids spend a part of their friction on other edges until memory asks for all of it
    const mjtNum loss = 1 - speed[1], least = 1 - speed[0], theory = 5.0 / 7 * 0.002 / 0.1 * 9.81 * 2;
    assert_true(loss > 0.98 * least && loss < 1.02 * theory);
    if (k) assert_near(loss, theory, 0.02 * theory);
  }
}

//---------------------------------- memory ----------------------------------

static void assertSame(const TstScene* a, const TstScene* b) {
  assert_memory_equal(a->d->qpos, b->d->qpos, sizeof(mjtNum) * (size_t)a->m->nq);
  assert_memory_equal(a->d->qvel, b->d->qvel, sizeof(mjtNum) * (size_t)a->m->nv);
}

// evaluating a state again changes nothing
static void test_forwardIsIdempotent(void** state) {
  (void)state;
  TstScene a = openHeld("", "sinew:stick=\"1\""), b = openHeld("", "sinew:stick=\"1\"");
  for (int i = 0; i < 200; i++) {
    step(&a, 1);
    mj_forward(b.m, b.d);
    mj_forward(b.m, b.d);
    step(&b, 1);
  }
  assertSame(&a, &b);
  tst_closeScene(&a);
  tst_closeScene(&b);
}

static void test_stateAndAnchorsAreEverything(void** state) {
  (void)state;
  TstScene a = openHeld("cone=\"elliptic\"", "sinew:stick=\"1\"");
  TstScene b = openHeld("cone=\"elliptic\"", "sinew:stick=\"1\"");
  step(&a, 300);
  const int size = mj_stateSize(a.m, mjSTATE_INTEGRATION), n = sn_anchorSize(a.d);
  assert_true(n == 8 * SN_NANCHOR);
  mjtNum* saved = malloc(sizeof(mjtNum) * (size_t)(size + n));
  mj_getState(a.m, a.d, saved, mjSTATE_INTEGRATION);
  sn_getAnchors(a.d, saved + size);

  // another simulation goes on in the same way
  step(&b, 77);
  mj_setState(b.m, b.d, saved, mjSTATE_INTEGRATION);
  assert_int_equal(sn_anchorSize(b.d), 0);
  assert_null(sn_setAnchors(b.m, b.d, saved + size, n));
  step(&a, 200);
  step(&b, 200);
  assertSame(&a, &b);

  // without them it does not
  mj_setState(b.m, b.d, saved, mjSTATE_INTEGRATION);
  step(&b, 200);
  assert_true(memcmp(a.d->qpos, b.d->qpos, sizeof(mjtNum) * 7));

  // copies of the data and of the state have them
  mj_copyData(b.d, b.m, a.d);
  step(&a, 50);
  step(&b, 50);
  assertSame(&a, &b);
  step(&b, 50);
  mj_copyState(a.m, a.d, b.d, mjSTATE_INTEGRATION);
  step(&a, 50);
  step(&b, 50);
  assertSame(&a, &b);

  // a reset forgets
  mj_resetData(a.m, a.d);
  assert_int_equal(sn_anchorSize(a.d), 0);
  free(saved);
  tst_closeScene(&a);
  tst_closeScene(&b);
}

// derivatives leave the memory as it was
static void test_derivativesKeepAnchors(void** state) {
  (void)state;
  TstScene a = openHeld("", "sinew:stick=\"1\""), b = openHeld("", "sinew:stick=\"1\"");
  step(&a, 300);
  step(&b, 300);
  mjtNum A[16 * 16];
  mjd_transitionFD(b.m, b.d, 1e-6, 1, A, NULL, NULL, NULL);
  assert_int_equal(sn_anchorSize(b.d), 8 * SN_NANCHOR);
  step(&a, 100);
  step(&b, 100);
  for (int i = 0; i < a.m->nq; i++) assert_near(a.d->qpos[i], b.d->qpos[i], 1e-10);

  // moved down by dz, the block is pushed back: memory is in the derivative
  assert_true(A[(8 + 2) * 16 + 2] < -1);
  tst_closeScene(&a);
  tst_closeScene(&b);
}

// two blocks sleep on a slope, and hold when they wake
static void test_sleepKeepsAnchors(void** state) {
  (void)state;
  static const char xml[] =
      "<mujoco xmlns:sinew=\"urn:sinew\"><option cone=\"elliptic\" gravity=\"4.4 0 -8.8\"><flag "
      "sleep=\"enable\"/></option>"
      "<default><geom friction=\"1\" sinew:stick=\"1\"/></default><worldbody><geom type=\"plane\" size=\"5 5 .1\"/>"
      "<body pos=\"0 0 .05\"><freejoint/><geom type=\"box\" size=\".1 .1 .05\" mass=\"1\"/></body>"
      "<body pos=\"1 0 .05\"><freejoint/><geom type=\"box\" size=\".1 .1 .05\" "
      "mass=\"1\"/></body></worldbody></mujoco>";
  TstScene s = tst_openScene(xml);
  step(&s, 3000);
  assert_int_equal(s.d->ntree_awake, 0);
  assert_int_equal(sn_anchorSize(s.d), 8 * SN_NANCHOR);
  const mjtNum before[2] = {s.d->qpos[0], s.d->qpos[7]};
  step(&s, 100);

  // a nudge wakes one of them
  s.d->qfrc_applied[1] = 0.5;
  step(&s, 20);
  assert_int_equal(s.d->ntree_awake, 1);
  s.d->qfrc_applied[1] = 0;
  step(&s, 1000);
  assert_near(s.d->qpos[0], before[0], 1e-6);
  assert_near(s.d->qpos[7], before[1], 0);
  tst_closeScene(&s);
}

// islands and threads give the same bits
static void test_threadsAndIslands(void** state) {
  (void)state;
  TstScene s[2];
  mjThreadPool* pool = mju_threadPoolCreate(2);
  for (int k = 0; k < 2; k++) {
    s[k] = openHeld("cone=\"elliptic\"", "sinew:stick=\"1\"");
    if (k) mju_bindThreadPool(s[k].d, pool);
    step(s + k, 500);
  }
  assertSame(s, s + 1);
  for (int k = 0; k < 2; k++) tst_closeScene(s + k);
  mju_threadPoolDestroy(pool);
  assert_true(creepOf("cone=\"elliptic\"><flag island=\"disable\"/></option><option", "sinew:stick=\"1\"", 500) < 1e-6);
}

// a batch of two threads has the bits of single simulations
static void test_batch(void** state) {
  (void)state;
  TstScene s = openHeld("", "sinew:stick=\"1\"");
  snBatchOptions options;
  sn_defaultBatchOptions(&options);
  options.nthread = 2;
  char message[300];
  snBatch* b = sn_makeBatch((const mjModel* const*)&s.m, 1, NULL, 6, &options, message, sizeof(message));
  assert_non_null(b);
  snField force, qpos;
  assert_int_equal(sn_batchField(b, 0, "qfrc_applied", &force), SN_OK);
  assert_int_equal(sn_batchField(b, 0, "qpos", &qpos), SN_OK);
  for (int i = 0; i < 6; i++) {
    mjtNum* f = (mjtNum*)(void*)((char*)force.data + i * force.stride[0]);
    f[6] = f[7] = 5 + i;
  }
  for (int t = 0; t < 20; t++) assert_int_equal(sn_batchStep(b, NULL, 10), SN_OK);
  for (int i = 0; i < 6; i++) {
    mj_resetData(s.m, s.d);
    s.d->qfrc_applied[6] = s.d->qfrc_applied[7] = 5 + i;
    step(&s, 200);
    assert_memory_equal(s.d->qpos, (char*)qpos.data + i * qpos.stride[0], sizeof(mjtNum) * (size_t)s.m->nq);
  }
  sn_deleteBatch(b);
  tst_closeScene(&s);
}

// a simulation of a batch is saved with what it remembers and goes on in another one; resets and states forget
static void test_batchSavesAnchors(void** state) {
  (void)state;
  TstScene s = openHeld("", "sinew:stick=\"1\"");
  mjModel* const loose = tst_string("<mujoco><worldbody><geom size=\"1\"/></worldbody></mujoco>");
  const mjModel* const models[] = {s.m, loose};
  const int which[] = {0, 0, 1};
  char message[300];
  snBatch* b = sn_makeBatch(models, 2, which, 3, NULL, message, sizeof(message));
  assert_non_null(b);
  snField force, qpos;
  assert_int_equal(sn_batchField(b, 0, "qfrc_applied", &force), SN_OK);
  assert_int_equal(sn_batchField(b, 0, "qpos", &qpos), SN_OK);
  mjtNum *f = force.data, *first = qpos.data, *second = (mjtNum*)(void*)((char*)qpos.data + qpos.stride[0]);
  f[6] = f[7] = 5;
  assert_int_equal(sn_batchStep(b, NULL, 200), SN_OK);

  // with the state and the anchors of the first the second has its bits
  const int ids[] = {1}, from[] = {0}, n = 8 * SN_NANCHOR, size = sn_batchStateSize(b, mjSTATE_INTEGRATION);
  const snSelection one = {.index = ids, .n = 1}, other = {.index = from, .n = 1};
  mjtNum anchors[8 * SN_NANCHOR], *row = malloc(sizeof(mjtNum) * (size_t)size);
  for (int k = 0; k < 2; k++) {
    assert_int_equal(sn_batchGetState(b, &other, row, mjSTATE_INTEGRATION), SN_OK);
    assert_int_equal(sn_batchGetData(b, 0, s.d), SN_OK);
    assert_int_equal(sn_anchorSize(s.d), n);
    sn_getAnchors(s.d, anchors);
    assert_int_equal(sn_batchResetState(b, &one, row, mjSTATE_INTEGRATION), SN_OK);
    assert_int_equal(sn_batchGetData(b, 1, s.d), SN_OK);
    assert_int_equal(sn_anchorSize(s.d), 0);
    if (k) assert_int_equal(sn_batchSetAnchors(b, 1, anchors, n), SN_OK);
    assert_int_equal(sn_batchStep(b, NULL, 100), SN_OK);
    assert_int_equal(memcmp(first, second, sizeof(mjtNum) * (size_t)s.m->nq) == 0, k);
  }

  // nonsense changes nothing
  assert_int_equal(sn_batchSetAnchors(b, 1, anchors, 26), SN_ERROR);
  assert_non_null(strstr(sn_batchMessage(b, -1), "multiple of 25"));
  assert_int_equal(sn_batchSetAnchors(b, 2, anchors, n), SN_ERROR);
  assert_non_null(strstr(sn_batchMessage(b, -1), "nothing sticks in the model of simulation 2"));
  assert_int_equal(sn_batchSetAnchors(b, 3, anchors, n), SN_ERROR);
  assert_int_equal(sn_batchSetAnchors(NULL, 0, anchors, n), SN_ERROR);
  assert_int_equal(sn_batchGetData(b, 1, s.d), SN_OK);
  assert_int_equal(sn_anchorSize(s.d), n);
  assert_int_equal(sn_batchReset(b, NULL, -1), SN_OK);
  assert_int_equal(sn_batchGetData(b, 1, s.d), SN_OK);
  assert_int_equal(sn_anchorSize(s.d), 0);
  free(row);
  sn_deleteBatch(b);
  mj_deleteModel(loose);
  tst_closeScene(&s);
}

//---------------------------------- choices ----------------------------------

// without a choice nothing is different: no entries, and the same bits with all numbers 0
static void test_nothingWithoutAChoice(void** state) {
  (void)state;
  TstScene a = openHeld("", ""), b = openHeld("", "sinew:stick=\"0\""), c = openHeld("", "");
  assert_int_equal(a.m->nnumeric, 0);
  assert_int_equal(b.m->nnumeric, 0);
  assert_null(sn_setStick(c.m, mjOBJ_GEOM, 0, 0));
  assert_int_equal(c.m->nnumeric, 1);
  step(&a, 300);
  step(&b, 300);
  step(&c, 300);
  assertSame(&a, &b);
  assertSame(&a, &c);
  tst_closeScene(&a);
  tst_closeScene(&b);
  tst_closeScene(&c);
}

static void test_chosenInC(void** state) {
  (void)state;
  TstScene s = openHeld("cone=\"elliptic\"", "");
  step(&s, 100);
  for (int i = 0; i < 3; i++) assert_null(sn_setStick(s.m, mjOBJ_GEOM, i, 1));
  assert_near(sn_getStick(s.m, mjOBJ_GEOM, 2), 1, 0);
  step(&s, 500);
  mjtNum start[7];
  memcpy(start, s.d->qpos, sizeof(start));
  step(&s, 500);
  assert_true(moved(&s, start) < 1e-6);

  // and taken back
  for (int i = 0; i < 3; i++) assert_null(sn_setStick(s.m, mjOBJ_GEOM, i, 0));
  step(&s, 500);
  assert_true(moved(&s, start) > 1e-4);
  assert_int_equal(sn_anchorSize(s.d), 0);
  tst_closeScene(&s);
}

// one geom is enough, unless the other has a higher priority; a pair has the last word
static void test_geomsPrioritiesAndPairs(void** state) {
  (void)state;
  static const struct {
    const char *floor, *box, *pair;
    int sticks;
  } cases[] = {
      {"",                                 "",                  "",                                                        0},
      {"",                                 "sinew:stick=\"1\"", "",                                                        1},
      {"sinew:stick=\"1\"",                "",                  "",                                                        1},
      {"priority=\"1\"",                   "sinew:stick=\"1\"", "",                                                        0},
      {"priority=\"1\" sinew:stick=\"1\"", "",                  "",                                                        1},
      {"sinew:stick=\"1\"",                "",                  "<pair geom1=\"floor\" geom2=\"box\"/>",                   1},
      {"sinew:stick=\"1\"",                "",                  "<pair geom1=\"floor\" geom2=\"box\" sinew:stick=\"0\"/>", 0},
      {"",                                 "",                  "<pair geom1=\"box\" geom2=\"floor\" sinew:stick=\"2\"/>", 1},
  };
  for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
    TstScene s = open(
        "<mujoco xmlns:sinew=\"urn:sinew\"><worldbody><geom name=\"floor\" type=\"plane\" size=\"5 5 .1\" "
        "%s/><body pos=\"0 0 .1\"><freejoint/><geom name=\"box\" type=\"box\" size=\".1 .1 .1\" %s/>"
        "</body></worldbody><contact>%s</contact></mujoco>",
        cases[k].floor, cases[k].box, cases[k].pair);
    step(&s, 100);
    if ((sn_anchorSize(s.d) > 0) != cases[k].sticks) fail_msg("case %d", (int)k);
    tst_closeScene(&s);
  }
}

// binary files, saved text and decompiled specs keep it
static void test_savedAndLoaded(void** state) {
  (void)state;
  char error[500];
  mjSpec* spec = mj_parseXMLString(
      "<mujoco xmlns:sinew=\"urn:sinew\"><default><geom sinew:stick=\"2\"/><default class=\"loose\">"
      "<geom sinew:stick=\"0\"/></default></default><worldbody><geom name=\"a\" size=\"1\"/>"
      "<geom name=\"b\" size=\"1\" sinew:stick=\"3\"/><body><freejoint/><geom name=\"c\" size=\"1\" class=\"loose\"/>"
      "</body></worldbody><contact><pair name=\"p\" geom1=\"a\" geom2=\"c\" sinew:stick=\"4\"/></contact></mujoco>",
      NULL, error, sizeof(error));
  assert_non_null(spec);
  mjModel* m = mj_compile(spec, NULL);
  assert_non_null(m);
  char text[4000];
  assert_int_equal(mj_saveXMLString(spec, text, sizeof(text), error, sizeof(error)), 0);
  mjModel* again = tst_string(text);
  for (int k = 0; k < 2; k++) {
    const mjModel* which = k ? again : m;
    static const mjtNum expected[] = {2, 3, 0};
    for (int i = 0; i < 3; i++) assert_near(sn_getStick(which, mjOBJ_GEOM, i), expected[i], 0);
    assert_near(sn_getStick(which, mjOBJ_PAIR, 0), 4, 0);
  }
  mj_deleteModel(again);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

static void test_badInput(void** state) {
  (void)state;
  static const char* const wrong[][2] = {
      {"sinew:stick=\"much\"", "attribute 'sinew:stick': 'much' is not a number"      },
      {"sinew:stick=\"1 2\"",  "attribute 'sinew:stick' has 2 values, must have 1"    },
      {"sinew:stick=\"-1\"",   "is -1, must be in [0, 10]"                            },
      {"sinew:stick=\"nan\"",  "must be in [0, 10]"                                   },
      {"sinew:stick=\"11\"",   "is 11, must be in [0, 10]"                            },
      {"sinew:stik=\"1\"",     "unknown attribute 'sinew:stik', did you mean 'stick'?"},
  };
  for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
    char xml[1000];
    snprintf(xml, sizeof(xml), SLOPE("", "%s"), wrong[k][0]);
    const char* message = whyNot(xml);
    if (!strstr(message, wrong[k][1])) fail_msg("'%s' instead of '%s'", message, wrong[k][1]);
    assert_non_null(strstr(message, "line 1"));
  }
  assert_non_null(
      strstr(whyNot(SLOPE("sinew:contact=\"xpbd\"", "sinew:stick=\"1\"")), "xpbd' has no friction with memory"));
  assert_non_null(
      strstr(whyNot("<mujoco xmlns:sinew=\"urn:sinew\"><worldbody><site sinew:stick=\"1\"/></worldbody></mujoco>"),
             "unrecognized attribute: 'sinew:stick'"));

  // in C
  TstScene s = openHeld("", "");
  assert_non_null(sn_setStick(NULL, mjOBJ_GEOM, 0, 1));
  assert_non_null(strstr(sn_setStick(s.m, mjOBJ_BODY, 0, 1), "geoms and pairs"));
  assert_non_null(strstr(sn_setStick(s.m, mjOBJ_GEOM, 3, 1), "no geom 3"));
  assert_non_null(strstr(sn_setStick(s.m, mjOBJ_PAIR, 0, 1), "no pair 0"));
  assert_non_null(strstr(sn_setStick(s.m, mjOBJ_GEOM, 0, NAN), "must be in"));
  assert_near(sn_getStick(s.m, mjOBJ_GEOM, 99), 0, 0);
  assert_null(sn_setStick(s.m, mjOBJ_GEOM, 0, 1));
  assert_non_null(strstr(sn_setContact(s.m, "xpbd", NULL), "friction with memory"));
  tst_closeScene(&s);

  // a custom entry that does not fit the model
  assert_non_null(strstr(whyNot("<mujoco><custom><numeric name=\"sinew:stick:geoms\" data=\"1 1\"/></custom><worldbody>"
                                "<geom size=\"1\"/></worldbody></mujoco>"),
                         "has 2 values, the model has 1 geoms"));
}

static void test_badAnchors(void** state) {
  (void)state;
  TstScene s = openHeld("", "sinew:stick=\"1\"");
  step(&s, 100);
  mjtNum a[8 * SN_NANCHOR];
  assert_int_equal(sn_anchorSize(s.d), 8 * SN_NANCHOR);
  sn_getAnchors(s.d, a);
  assert_non_null(strstr(sn_setAnchors(s.m, s.d, a, 26), "multiple of 25"));
  assert_non_null(strstr(sn_setAnchors(s.m, s.d, NULL, 25), "NULL"));
  static const int where[] = {0, 1, 5, SN_NANCHOR - 2};
  static const mjtNum what[] = {3, 0.5, NAN, 2};
  for (int k = 0; k < 4; k++) {
    mjtNum b[8 * SN_NANCHOR];
    memcpy(b, a, sizeof(a));
    b[SN_NANCHOR + where[k]] = what[k];
    assert_non_null(strstr(sn_setAnchors(s.m, s.d, b, 8 * SN_NANCHOR), "anchor 1"));
  }
  mjtNum kept[8 * SN_NANCHOR];
  sn_getAnchors(s.d, kept);
  assert_memory_equal(kept, a, sizeof(a));
  assert_null(sn_setAnchors(s.m, s.d, NULL, 0));
  assert_int_equal(sn_anchorSize(s.d), 0);
  tst_closeScene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_blockIsHeldForAMinute),
      cmocka_unit_test(test_blockIsHeldByEverySolverAndIntegrator),
      cmocka_unit_test(test_blockIsHeldWithNoslipSparseAndStiff),
      cmocka_unit_test(test_cylindersAndMeshesAreHeld),
      cmocka_unit_test(test_stickIsStiffness),
      cmocka_unit_test(test_sceneHold),
      cmocka_unit_test(test_slipsAtTheSameForce),
      cmocka_unit_test(test_boxStaysOnASlope),
      cmocka_unit_test(test_slidingIsFriction),
      cmocka_unit_test(test_ballStopsRolling),
      cmocka_unit_test(test_ballRollsOn),
      cmocka_unit_test(test_rollingFrictionIsTheSame),
      cmocka_unit_test(test_forwardIsIdempotent),
      cmocka_unit_test(test_stateAndAnchorsAreEverything),
      cmocka_unit_test(test_derivativesKeepAnchors),
      cmocka_unit_test(test_sleepKeepsAnchors),
      cmocka_unit_test(test_threadsAndIslands),
      cmocka_unit_test(test_batch),
      cmocka_unit_test(test_batchSavesAnchors),
      cmocka_unit_test(test_nothingWithoutAChoice),
      cmocka_unit_test(test_chosenInC),
      cmocka_unit_test(test_geomsPrioritiesAndPairs),
      cmocka_unit_test(test_savedAndLoaded),
      cmocka_unit_test(test_badInput),
      cmocka_unit_test(test_badAnchors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
