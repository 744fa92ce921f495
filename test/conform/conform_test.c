// The comparison sees what differs, names it, and does not pass when its parts are missing.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "conform/conform.h"
#include "support/model.h"
#include "support/oracle.h"

// -------------------------------------------------------------------------------------------- fields

static void models(void** state) {
  (void)state;
  mjModel *const a = tst_model("assets"), *const b = mj_copyModel(NULL, a);
  CfmResult same = {0};
  cfm_compareModel(&same, a, b);
  assert_true(same.modelFields > 500);
  assert_int_equal(same.modelBad, 0);

  // a number beyond the tolerance, an integer, a setting
  b->body_pos[4] += 1e-6;
  b->geom_group[0] ^= 1;
  b->opt.timestep += 1;
  CfmResult other = {0};
  cfm_compareModel(&other, a, b);
  assert_int_equal(other.modelBad, 3);
  assert_non_null(strstr(other.modelWorst, "opt.timestep:1.0e+00"));
  assert_non_null(strstr(other.modelWorst, "body_pos"));
  assert_non_null(strstr(other.modelWorst, "geom_group:inf"));

  // arrays of other lengths are not looked at
  b->ngeom++;
  CfmResult longer = {0};
  cfm_compareModel(&longer, a, b);
  assert_int_equal(longer.modelBad, 2);
  b->ngeom--;
  mj_deleteModel(a);
  mj_deleteModel(b);
}

static CfmResult compare(const mjModel* m, const mjData* a, const mjData* b) {
  CfmResult result = {0};
  cfm_compareData(&result, m, a, b);
  return result;
}

static int stagesOff(const CfmResult* r) {
  int off = 0;
  for (int s = 0; s < CFM_STAGES; s++) off |= (r->stage[s].error > cfm_tolerance[s]) << s;
  return off;
}

static void data(void** state) {
  (void)state;
  mjModel* const m = tst_model("boxes");
  mjData *const a = mj_makeData(m), *const b = mj_makeData(m);
  for (int i = 0; i < 200; i++) mj_step(m, a);
  mj_forward(m, a);
  mj_copyData(b, m, a);
  assert_true(a->ncon > 1 && a->nefc > 0);
  CfmResult r = compare(m, a, b);
  assert_int_equal(stagesOff(&r), 0);
  assert_int_equal(r.exactStates, 1);

  // one field of each stage
  mjtNum* const field[] = {b->xpos, b->contact[0].pos, b->qfrc_bias, b->efc_aref, b->qacc};
  for (int s = 0; s < 5; s++) {
    const mjtNum before = field[s][0];
    field[s][0] += 1000 * (1 + fabs(before));
    r = compare(m, a, b);
    assert_true(stagesOff(&r) & 1 << s);
    if (s != CFM_CONTACT) assert_int_equal(stagesOff(&r), 1 << s);
    field[s][0] = NAN;
    r = compare(m, a, b);
    assert_true(stagesOff(&r) & 1 << s);
    field[s][0] = before;
  }

  // contacts in another order, and one that is missing
  const mjContact first = b->contact[0];
  b->contact[0] = b->contact[1];
  b->contact[1] = first;
  r = compare(m, a, b);
  assert_int_equal(stagesOff(&r), 0);
  assert_int_equal(r.reordered, 1);
  assert_int_equal(r.exactStates, 0);
  b->ncon--;
  r = compare(m, a, b);
  assert_true(isinf(r.stage[CFM_CONTACT].error));
  b->ncon++;
  mj_deleteData(a);
  mj_deleteData(b);
  mj_deleteModel(m);
}

// -------------------------------------------------------------------------------------------- program

// runs a command of the shell; its output with errors; returns the exit status
static int run(const char* command, char output[8000]) {
  FILE* const pipe = popen(command, "r");
  assert_non_null(pipe);
  const size_t n = fread(output, 1, 7999, pipe);
  output[n] = 0;
  const int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define CONFORM CONFORM_PROGRAM " " SINEW_LIBRARY " " SINEW_LIBRARY " "

static void program(void** state) {
  (void)state;
  char out[8000];
  assert_int_equal(run(CONFORM "test/models/pendulum.xml test/models/boxes.xml 2>&1", out), 0);
  assert_non_null(strstr(out, "models/boxes.xml"));
  assert_non_null(strstr(out, "model   2/2\nforward 2/2"));
  assert_non_null(strstr(out, "steps   2/2"));

  // parts, files that both reject
  assert_int_equal(run(CONFORM "--only=model test/models/pendulum.xml CMakeLists.txt 2>&1", out), 0);
  assert_non_null(strstr(out, "both reject 1"));
  assert_non_null(strstr(out, "forward 0/1"));

  // a model that takes too long is a failure
  assert_int_equal(run(CONFORM "--timeout=1 --speed=5 test/models/pendulum.xml 2>&1", out), 1);
  assert_non_null(strstr(out, "TIMEOUT in speed"));
}

// a file that one mesh collides with and another does not: each is compared as its own attributes make it, not as the
// cache of the reference gives it back
static void meshesOfOneFile(void** state) {
  (void)state;
  if (!orc_available()) return;
  Dl_info reference;
  assert_true(dladdr(orc_symbol("mj_step"), &reference) != 0);
  char folder[] = "/tmp/conformXXXXXX", path[100], command[600], out[8000];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof(path), "%s/block.obj", folder);
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs(
      "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 0 1 1\n"
      "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n",
      file);
  fclose(file);
  snprintf(path, sizeof(path), "%s/two.xml", folder);
  file = fopen(path, "w");
  assert_non_null(file);
  fputs(
      "<mujoco><asset><mesh name='a' file='block.obj'/><mesh name='b' file='block.obj'/></asset><worldbody>"
      "<geom type='mesh' mesh='a'/><geom type='mesh' mesh='b' contype='0' conaffinity='0'/></worldbody></mujoco>",
      file);
  fclose(file);
  snprintf(command, sizeof(command), "%s %s %s --only=model %s 2>&1; status=$?; rm -r %s; exit $status",
           CONFORM_PROGRAM, reference.dli_fname, SINEW_LIBRARY, path, folder);
  if (run(command, out)) fail_msg("%s", out);
}

static void whatIsMissing(void** state) {
  (void)state;
  char out[8000];
  assert_int_equal(run(CONFORM "2>&1", out), 2);
  assert_non_null(strstr(out, "a model are needed"));
  assert_int_equal(run(CONFORM "no.xml 2>&1", out), 2);
  assert_non_null(strstr(out, "no file no.xml"));
  assert_int_equal(run(CONFORM_PROGRAM " " SINEW_LIBRARY " CMakeLists.txt test/models/boxes.xml 2>&1", out), 2);
  assert_int_equal(run(CONFORM "--fast test/models/boxes.xml 2>&1", out), 2);
  assert_non_null(strstr(out, "unknown option --fast"));

  // the script that `make conform` runs: without the reference, our library or a list
  assert_int_equal(run("scripts/conform.sh /nowhere 2>&1", out), 2);
  assert_non_null(strstr(out, "no reference"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models),          cmocka_unit_test(data),          cmocka_unit_test(program),
      cmocka_unit_test(meshesOfOneFile), cmocka_unit_test(whatIsMissing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
