// Length ranges by simulation: joints, spatial tendons and sites whose ends are known, what has no end, and which
// actuators are looked at; against the reference.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "support/catch.h"
#include "support/model.h"
#include "support/oracle.h"

// A pendulum of length .5 whose tip hangs on a tendon from a point 1 away: between .5 and 1.5. A carriage on a limited
// rail with a site; a wheel and a sledge that go on for ever.
static const char SCENE[] =
    "<mujoco><compiler autolimits='true'/><option timestep='.002'><flag contact='disable' gravity='disable'/></option>"
    "<default><joint damping='.1'/></default><worldbody><site name='nail' pos='1 0 0'/>"
    "<body><joint axis='0 1 0'/><geom size='.05' pos='0 0 .5'/><site name='tip' pos='0 0 .5'/></body>"
    "<body pos='0 1 0'><joint name='rail' type='slide' axis='1 0 0' range='-.2 .3'/><geom size='.05'/>"
    "<site name='carriage'/></body><site name='start' pos='0 1 0'/>"
    "<body pos='0 2 0'><joint name='wheel' axis='0 1 0'/><geom size='.05'/></body>"
    "<body pos='0 3 0'><joint name='sledge' type='slide' axis='1 0 0'/><geom size='.05'/></body>"
    "<body pos='0 4 0'><joint name='arm' axis='0 1 0' range='-30 60'/><geom size='.05' pos='.1 0 "
    "0'/></body></worldbody>"
    "<tendon><spatial name='rope'><site site='nail'/><site site='tip'/></spatial></tendon><actuator>"
    "<motor name='rope' tendon='rope'/>"
    "<motor name='site' site='carriage' refsite='start' gear='1 0 0 0 0 0'/>"
    "<motor name='rail' joint='rail'/>"
    "<motor name='wheel' joint='wheel'/>"
    "<motor name='sledge' joint='sledge'/>"
    "<motor name='alone' site='carriage' gear='1 0 0 0 0 0'/>"
    "<muscle name='muscle' joint='arm' lengthrange='.1 .2'/>"
    "</actuator></mujoco>";

enum { ROPE, SITE, RAIL, WHEEL, SLEDGE, ALONE, MUSCLE, NACTUATOR };

static mjLROpt options(void) {
  mjLROpt opt;
  mj_defaultLROpt(&opt);
  opt.mode = mjLRMODE_ALL;
  opt.uselimit = 0;
  opt.useexisting = 0;
  return opt;
}

static mjModel* m;
static mjData* d;

static int setUp(void** state) {
  (void)state;
  m = tst_string(SCENE);
  d = mj_makeData(m);
  return 0;
}

static int tearDown(void** state) {
  (void)state;
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}

static void assertRange(int id, double low, double high, double tol) {
  const mjLROpt opt = options();
  char error[300] = "";
  if (!mj_setLengthRange(m, d, id, &opt, error, sizeof(error))) fail_msg("%s", error);
  const mjtNum* range = m->actuator_lengthrange + 2 * id;
  if (!(fabs(range[0] - low) < tol && fabs(range[1] - high) < tol)) fail_msg("(%g, %g)", range[0], range[1]);
}

// the rope's ends are singular: near them it hardly changes; limits give way a little
static void endsAreFound(void** state) {
  (void)state;
  assertRange(ROPE, 0.5, 1.5, 1e-3);
  assertRange(SITE, -0.2, 0.3, 0.05);
  assertRange(RAIL, -0.2, 0.3, 0.05);
}

static void assertFails(int id, const char* why) {
  const mjLROpt opt = options();
  char error[300] = "", name[20];
  assert_int_equal(mj_setLengthRange(m, d, id, &opt, error, sizeof(error)), 0);
  snprintf(name, sizeof(name), "actuator %d", id);
  if (!strstr(error, why) || !strstr(error, name)) fail_msg("'%s'", error);
}

// what turns or slides for ever does not converge; a site without reference has no length
static void endlessIsAnError(void** state) {
  (void)state;
  assertFails(WHEEL, "did not converge");
  assertFails(SLEDGE, "did not converge");
  assertFails(ALONE, "Invalid lengthrange");

  // a message that does not fit is cut
  const mjLROpt opt = options();
  char little[10];
  memset(little, 'x', sizeof(little));
  assert_int_equal(mj_setLengthRange(m, d, WHEEL, &opt, little, sizeof(little)), 0);
  assert_int_equal(strlen(little), 9);
  assert_non_null(strstr(CATCH(mj_setLengthRange(m, d, NACTUATOR, &opt, little, sizeof(little))), "index"));
}

static void optionsChoose(void** state) {
  (void)state;
  mjLROpt opt = options();
  char error[300];
  mjtNum* range = m->actuator_lengthrange + 2 * RAIL;

  // the limits as they are
  opt.uselimit = 1;
  assert_int_equal(mj_setLengthRange(m, d, RAIL, &opt, error, sizeof(error)), 1);
  assert_true(range[0] == -0.2 && range[1] == 0.3);

  // a range that is there
  range[0] = 5;
  range[1] = 6;
  opt.useexisting = 1;
  assert_int_equal(mj_setLengthRange(m, d, RAIL, &opt, error, sizeof(error)), 1);
  assert_true(range[0] == 5 && range[1] == 6);

  // muscles only: nothing is done for others, not even what would fail
  opt.useexisting = 0;
  opt.mode = mjLRMODE_MUSCLE;
  assert_int_equal(mj_setLengthRange(m, d, WHEEL, &opt, error, sizeof(error)), 1);
  assert_int_equal(mj_setLengthRange(m, d, MUSCLE, &opt, error, sizeof(error)), 1);
  assert_true(fabs(m->actuator_lengthrange[2 * MUSCLE] + mjPI / 6) < 1e-12);
  opt.mode = mjLRMODE_MUSCLEUSER;
  m->actuator_gaintype[WHEEL] = mjGAIN_USER;
  opt.uselimit = 0;
  assert_int_equal(mj_setLengthRange(m, d, WHEEL, &opt, error, sizeof(error)), 0);
  opt.mode = mjLRMODE_NONE;
  assert_int_equal(mj_setLengthRange(m, d, WHEEL, &opt, error, sizeof(error)), 1);
}

// simulations that blow up are named
static void unstableIsAnError(void** state) {
  (void)state;
  m->opt.timestep = 0.5;
  m->opt.disableflags |= mjDSBL_EULERDAMP;
  for (int i = 0; i < m->nv; i++) m->dof_damping[i] = 1e6;
  mju_user_warning = catchCount;
  assertFails(WHEEL, "Unstable");
  mju_user_warning = NULL;
}

static void rangesMatchReference(void** state) {
  (void)state;
  mjModel* ref = orc_compile(SCENE);
  mjData* theirs = ORC(mj_makeData)(ref);
  const mjLROpt opt = options();
  for (int i = 0; i < NACTUATOR; i++) {
    char error[300] = "", their[300] = "";
    const int good = mj_setLengthRange(m, d, i, &opt, error, sizeof(error));
    assert_int_equal(good, ORC(mj_setLengthRange)(ref, theirs, i, &opt, their, sizeof(their)));
    if (!good) assert_string_equal(error, their);
    for (int k = 0; k < 2; k++) {
      const mjtNum ours = m->actuator_lengthrange[2 * i + k], reference = ref->actuator_lengthrange[2 * i + k];
      // seconds of simulation: rounding has grown
      if (!(fabs(ours - reference) <= 1e-8 * (1 + fabs(reference)))) fail_msg("%d: %.12g, %.12g", i, ours, reference);
    }
  }
  ORC(mj_deleteData)(theirs);
  ORC(mj_deleteModel)(ref);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setUp, tearDown)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(endsAreFound), TEST(endlessIsAnError), TEST(optionsChoose),
                                     TEST(unstableIsAnError), TEST(rangesMatchReference)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
