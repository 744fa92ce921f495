// What holds for every scene: it loads without a warning, runs with finite numbers and without gaining energy, survives
// saving and loading, and does what the reference does. What each is about is tested in behaviour_test.c.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "compile/same.h"
#include "scenes/scene.h"
#include "support/oracle.h"

static int warnings;

static void countWarning(const char* text) {
  print_error("%s\n", text);
  warnings++;
}

// the list in scene.h and the folder hold the same scenes
static void allAreListed(void** state) {
  (void)state;
  glob_t found;
  assert_int_equal(glob("scenes/*.xml", 0, NULL, &found), 0);
  assert_int_equal(found.gl_pathc, SCENES);
  for (int i = 0; i < SCENES; i++) {
    char path[100];
    snprintf(path, sizeof(path), "scenes/%s.xml", sceneNames[i]);
    assert_string_equal(found.gl_pathv[i], path);  // both are in alphabetical order
  }
  globfree(&found);
}

static mjtNum energyOf(const mjModel* m, mjData* d) {
  mj_energyPos(m, d);
  mj_energyVel(m, d);
  return d->energy[0] + d->energy[1];
}

// Without control nothing may gain energy but what springs, servos and penetrating contacts of the first state hold,
// which is little: 2 % of the initial energy and 0.2 J are allowed for it.
static void theyRun(void** state) {
  (void)state;
  mju_user_warning = countWarning;
  for (int i = 0; i < SCENES; i++) {
    mjModel* const m = loadScene(sceneNames[i]);
    mjData* const d = mj_makeData(m);
    mj_forward(m, d);
    const mjtNum start = energyOf(m, d);
    mjtNum most = start;
    for (int step = 0; step < 600; step++) {
      mj_step(m, d);
      if (step % 20 == 0) most = fmax(most, energyOf(m, d));
    }
    for (int k = 0; k < m->nq; k++) assert_true(isfinite(d->qpos[k]));
    for (int k = 0; k < m->nv; k++) assert_true(isfinite(d->qvel[k]) && fabs(d->qvel[k]) < 500);
    for (int k = 0; k < m->nsensordata; k++) assert_true(isfinite(d->sensordata[k]));
    for (int k = 0; k < mjNWARNING; k++) assert_int_equal(d->warning[k].number, 0);
    if (most > start + 0.02 * fabs(start) + 0.2) fail_msg("%s: energy %g, at the start %g", sceneNames[i], most, start);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  mju_user_warning = NULL;
  assert_int_equal(warnings, 0);
}

// the binary form holds every byte
static void binariesAreTheSame(void** state) {
  (void)state;
  for (int i = 0; i < SCENES; i++) {
    mjModel* const m = loadScene(sceneNames[i]);
    const int size = (int)mj_sizeModel(m);
    void *const saved = malloc((size_t)size), *const again = malloc((size_t)size);
    mj_saveModel(m, NULL, saved, size);
    mjModel* const loaded = mj_loadModelBuffer(saved, size);
    assert_non_null(loaded);
    mj_saveModel(loaded, NULL, again, size);
    assert_memory_equal(saved, again, (size_t)size);
    free(saved);
    free(again);
    mj_deleteModel(loaded);
    mj_deleteModel(m);
  }
}

// The saved MJCF, loaded again, gives the same model. It is written to a folder from which the assets can be reached.
static void textsAreTheSame(void** state) {
  (void)state;
  char folder[] = "/tmp/sinew_scenes_XXXXXX", link[100], path[100], error[1000] = "";
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof(path), "%s/saved.xml", folder);
  snprintf(link, sizeof(link), "%s/assets", folder);
  char* const real = realpath("scenes/assets", NULL);
  assert_int_equal(symlink(real, link), 0);
  free(real);
  for (int i = 0; i < SCENES; i++) {
    mjModel* const m = loadScene(sceneNames[i]);
    if (!mj_saveLastXML(path, m, error, sizeof(error))) fail_msg("%s: %s", sceneNames[i], error);
    mjModel* const again = mj_loadXML(path, NULL, error, sizeof(error));
    if (!again) fail_msg("%s, saved: %s", sceneNames[i], error);
    if (differences(again, m)) fail_msg("%s changes when it is saved and loaded", sceneNames[i]);
    mj_deleteModel(again);
    mj_deleteModel(m);
  }
  unlink(path);
  unlink(link);
  rmdir(folder);
}

// -------------------------------------------------------------------------------------------- against the reference

static mjModel* loadReference(const char* name) {
  char path[100], error[1000] = "";
  snprintf(path, sizeof(path), "scenes/%s.xml", name);
  mjModel* const m = ORC(mj_loadXML)(path, NULL, error, sizeof(error));
  if (!m) fail_msg("%s: %s", path, error);
  return m;
}

static void modelsEqualTheReferences(void** state) {
  (void)state;
  if (!orc_available()) skip();
  for (int i = 0; i < SCENES; i++) {
    mjModel *const m = loadScene(sceneNames[i]), *const ref = loadReference(sceneNames[i]);
    if (differences(m, ref)) fail_msg("%s is compiled otherwise", sceneNames[i]);
    ORC(mj_deleteModel)(ref);
    mj_deleteModel(m);
  }
}

// largest difference, relative to the largest entry and to 1
static double distanceOf(const mjtNum* a, const mjtNum* b, int n) {
  double largest = 1, dif = 0;
  for (int i = 0; i < n; i++) {
    largest = fmax(largest, fabs(a[i]));
    dif = fmax(dif, fabs(a[i] - b[i]));
  }
  return dif / largest;
}

enum { STEPS = 20 };

static void drive(const mjModel* m, mjData* d, int step) {
  for (int k = 0; k < m->nu; k++) d->ctrl[k] = 0.3 * sin(k + 0.7 * step);
}

// 1: the reference parts from itself when its start is moved by 1e-12. Then rounding decides, and runs cannot be
// compared.
static int isChaotic(const mjModel* ref, double most) {
  mjData* d[2];
  for (int i = 0; i < 2; i++) {
    d[i] = ORC(mj_makeData)(ref);
    if (i && ref->nq) d[i]->qpos[0] += 1e-12;
    for (int step = 0; step < STEPS; step++) {
      drive(ref, d[i], step);
      ORC(mj_step)(ref, d[i]);
    }
  }
  const double pos = distanceOf(d[0]->qpos, d[1]->qpos, (int)ref->nq);
  const double vel = distanceOf(d[0]->qvel, d[1]->qvel, (int)ref->nv);
  for (int i = 0; i < 2; i++) ORC(mj_deleteData)(d[i]);
  return !(pos < 1e-2 * most && vel < most);
}

static void compareStates(const char* name, const mjModel* m, const mjData* d, const mjData* dref, double most) {
  const double pos = distanceOf(dref->qpos, d->qpos, (int)m->nq), vel = distanceOf(dref->qvel, d->qvel, (int)m->nv);
  const double act = distanceOf(dref->act, d->act, (int)m->na);
  const double sensor = distanceOf(dref->sensordata, d->sensordata, (int)m->nsensordata);
  if (!(pos < 1e-2 * most && vel < most && act < 1e-10 && sensor < most)) {
    fail_msg("%s: qpos %.1e, qvel %.1e, act %.1e, sensordata %.1e", name, pos, vel, act, sensor);
  }
}

// Twenty steps with varied controls. The solvers stop at a tolerance of 1e-8, hence 1e-6; CG stops on the way. A
// chaotic scene is compared after each step, which starts from the reference's state.
static void stepsEqualTheReferences(void** state) {
  (void)state;
  if (!orc_available()) skip();
  int nchaotic = 0;
  for (int i = 0; i < SCENES; i++) {
    mjModel *const m = loadScene(sceneNames[i]), *const ref = loadReference(sceneNames[i]);
    mjData *const d = mj_makeData(m), *const dref = ORC(mj_makeData)(ref);
    const double most = m->opt.solver == mjSOL_CG ? 1e-4 : 1e-6;
    const int chaotic = isChaotic(ref, most);
    mjtNum* const saved = malloc(sizeof(mjtNum) * (size_t)mj_stateSize(m, mjSTATE_INTEGRATION));
    nchaotic += chaotic;
    for (int step = 0; step < STEPS; step++) {
      ORC(mj_getState)(ref, dref, saved, mjSTATE_INTEGRATION);
      if (chaotic) mj_setState(m, d, saved, mjSTATE_INTEGRATION);
      drive(m, d, step);
      drive(ref, dref, step);
      mj_step(m, d);
      ORC(mj_step)(ref, dref);
      if (chaotic) compareStates(sceneNames[i], m, d, dref, most);
    }
    compareStates(sceneNames[i], m, d, dref, most);
    free(saved);
    mj_deleteData(d);
    ORC(mj_deleteData)(dref);
    ORC(mj_deleteModel)(ref);
    mj_deleteModel(m);
  }

  // they are the exception
  assert_in_range(nchaotic, 0, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(allAreListed),
      cmocka_unit_test(theyRun),
      cmocka_unit_test(binariesAreTheSame),
      cmocka_unit_test(textsAreTheSame),
      cmocka_unit_test(modelsEqualTheReferences),
      cmocka_unit_test(stepsEqualTheReferences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
