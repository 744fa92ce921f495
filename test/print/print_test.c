// Dumps of mjModel and mjData have the reference's text.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/model.h"
#include "support/oracle.h"

// a file that is removed at the end
static char ours[] = "/tmp/sinew_print_ours_XXXXXX", theirs[] = "/tmp/sinew_print_theirs_XXXXXX";

static int makeFiles(void** state) {
  (void)state;
  return mkstemp(ours) < 0 || mkstemp(theirs) < 0;
}

static int removeFiles(void** state) {
  (void)state;
  remove(ours);
  remove(theirs);
  return 0;
}

// fails with the first line that differs
static void assertSameText(const char* what) {
  FILE *a = fopen(ours, "r"), *b = fopen(theirs, "r");
  static char x[200000], y[200000];
  int line = 0;
  for (;;) {
    const char *p = fgets(x, sizeof(x), a), *q = fgets(y, sizeof(y), b);
    line++;
    if (!p && !q) break;
    if (q) orc_bytes(q, strlen(q));
    if (!p || !q || strcmp(x, y)) {
      fail_msg("%s, line %d:\n  ours:   %.300s  theirs: %.300s", what, line, p ? x : "end\n", q ? y : "end\n");
    }
  }
  fclose(a);
  fclose(b);
  assert_true(line > 20);
}

static void modelsPrintTheSame(void** state) {
  (void)state;
  for (int i = 0; tst_models[i]; i++) {
    mjModel* m = tst_model(tst_models[i]);
    m->signature = 12345678901234567890u;
    mj_printModel(m, ours);
    ORC(mj_printModel)(m, theirs);
    assertSameText(tst_models[i]);
    mj_printFormattedModel(m, ours, "%+.12f");
    ORC(mj_printFormattedModel)(m, theirs, "%+.12f");
    assertSameText(tst_models[i]);
    mj_deleteModel(m);
  }
}

// data after a few steps of the reference; memory figures are the reference's too, because ours are our own
static void printBoth(mjModel* m, const char* what, const char* format) {
  // ours starts awake: it only takes over the reference's results
  const int flags = m->opt.enableflags;
  m->opt.enableflags &= ~mjENBL_SLEEP;
  mjData* d = mj_makeData(m);
  m->opt.enableflags = flags;
  mjData* ref = ORC(mj_makeData)(m);
  for (int i = 0; i < m->nu; i++) ref->ctrl[i] = 0.3;
  for (int i = 0; i < 8; i++) ORC(mj_step)(m, ref);
  ORC(mj_forward)(m, ref);
  orc_mirror(m, d, ref);
  const mjtSize narena = d->narena;
  d->narena = ref->narena;
  memcpy(&d->maxuse_stack, &ref->maxuse_stack, offsetof(mjData, ncon) - offsetof(mjData, maxuse_stack));
  d->warning[2].number = ref->warning[2].number = 4;
  mj_printFormattedData(m, d, ours, format);
  ORC(mj_printFormattedData)(m, ref, theirs, format);
  d->narena = narena;
  assertSameText(what);
  mj_deleteData(d);
  ORC(mj_deleteData)(ref);
}

static void dataPrintTheSame(void** state) {
  (void)state;
  if (!orc_available()) skip();
  for (int i = 0; tst_models[i]; i++) {
    mjModel* m = tst_model(tst_models[i]);
    for (int k = 0; k < 6; k++) {
      // dense and sparse, primal and dual, with and without islands
      m->opt.jacobian = k % 2;
      m->opt.solver = k < 4 ? mjSOL_NEWTON : mjSOL_PGS;
      m->opt.disableflags = k >= 2 && k < 4 ? mjDSBL_ISLAND : 0;
      if (m->opt.disableflags) m->opt.enableflags &= ~mjENBL_SLEEP;  // needs islands
      m->opt.integrator = k == 3 ? mjINT_IMPLICIT : mjINT_EULER;
      printBoth(m, tst_models[i], k == 5 ? "%-13.5g" : "% -9.2g");
    }
    mj_deleteModel(m);
  }
}

// without the reference: a few lines that must be there
static void knownLines(void** state) {
  (void)state;
  mjModel* m = tst_model("pendulum");
  mjData* d = mj_makeData(m);
  d->qpos[0] = 0.125;
  int size;
  mj_printModel(m, ours);
  char* text = (char*)tst_readFile(ours, &size);
  text = realloc(text, (size_t)size + 1);
  text[size] = 0;
  assert_non_null(strstr(text, "model name     pendulum\n"));
  assert_non_null(strstr(text, "\nJOINT 0:\n  name                  hinge\n"));
  assert_non_null(strstr(text, "\nkey_name0    horizontal\n"));
  free(text);
  mj_printData(m, d, ours);
  text = (char*)tst_readFile(ours, &size);
  text = realloc(text, (size_t)size + 1);
  text[size] = 0;
  assert_non_null(strstr(text, "QPOS\n   0.12"));
  free(text);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// each field of a scene has its line, each element and each list a blank one behind it
static void sceneIsLaidOut(void** state) {
  (void)state;
  mjModel* m = tst_string("<mujoco><worldbody><geom size='.5'/></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  mjvScene scene;
  mjvOption option;
  mjvCamera camera;
  mjv_defaultScene(&scene);
  mjv_makeScene(m, &scene, 10);
  mjv_defaultOption(&option);
  mjv_defaultCamera(&camera);
  mjv_updateScene(m, d, &option, NULL, &camera, mjCAT_ALL, &scene);
  mj_printScene(&scene, ours);
  int size;
  char* text = (char*)tst_readFile(ours, &size);
  text = realloc(text, (size_t)size + 1);
  text[size] = 0;
  char expected[200];
  snprintf(expected, sizeof(expected), "GEOMS 1\n  GEOM 0\n%-21s %d\n%-21s %d\n%-21s", "    type", mjGEOM_SPHERE,
           "    category", mjCAT_STATIC, "    label");
  assert_non_null(strstr(text, expected));
  assert_non_null(strstr(text, "\n\n\nLIGHTS 1\n  LIGHT 0\n"));
  assert_non_null(strstr(text, "\n\n\nCAMERAS 2\n  CAMERA 0\n"));
  assert_non_null(strstr(text, "\n\nFLEX DATA 0\n\nSKIN DATA 0\n\nFLAGS\n"));
  free(text);
  mjv_freeScene(&scene);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// formats that would read other arguments are refused
static char warning[500];
static void keepWarning(const char* text) {
  snprintf(warning, sizeof(warning), "%s", text);
}

static void wrongFormatsAreRefused(void** state) {
  (void)state;
  static const char* const WRONG[] = {"%d",   "%s",  "%*f", "%.*f", "%f%f", "x%f",
                                      "%--f", "%lf", "",    "%",    "%f ",  "%0123456789012345678901234567890f",
                                      NULL};
  mjModel* m = tst_model("pendulum");
  mju_user_warning = keepWarning;
  int good, size;
  mj_printFormattedModel(m, ours, "% -9.2g");
  unsigned char* expected = tst_readFile(ours, &good);
  for (int i = 0; WRONG[i]; i++) {
    warning[0] = 0;
    mj_printFormattedModel(m, ours, WRONG[i]);
    assert_non_null(strstr(warning, "float_format"));
    unsigned char* text = tst_readFile(ours, &size);
    assert_int_equal(size, good);
    assert_memory_equal(text, expected, (size_t)size);
    free(text);
  }
  free(expected);

  // a file that cannot be written
  mj_printModel(m, "/nowhere/at/all.txt");
  assert_non_null(strstr(warning, "/nowhere/at/all.txt"));
  mju_user_warning = NULL;
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modelsPrintTheSame), cmocka_unit_test(dataPrintTheSame),       cmocka_unit_test(knownLines),
      cmocka_unit_test(sceneIsLaidOut),     cmocka_unit_test(wrongFormatsAreRefused),
  };
  return cmocka_run_group_tests(tests, makeFiles, removeFiles);
}
