// Parameters per simulation and resets on a GPU against the CPU.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/model.h"
#include "support/random.h"
#include "support/twin.h"

static const char* const FIELDS[] = {"xpos", "qfrc_bias", "actuator_force", "qfrc_smooth", "qfrc_passive", NULL};

static const char MODEL[] =
    "<mujoco><option %s/><default><geom contype='0' friction='.8 .01 .002'/></default><worldbody><geom name='floor' "
    "type='plane' size='5 5 .1' "
    "contype='1'/><body name='a' pos='0 0 .15'><freejoint/><geom type='sphere' size='.1' priority='1'/><geom "
    "type='capsule' fromto='0 0 0 .3 0 "
    "-.05' size='.06' solmix='2' margin='.01' gap='.005'/><body pos='.2 0 .1' gravcomp='.3'><joint name='h' axis='0 1 "
    "0' stiffness='1' range='-.5 .5' "
    "limited='true' frictionloss='.01'/><geom name='arm' type='capsule' fromto='0 0 0 .2 0 0' size='.04'/><site "
    "name='s'/></body></body>"
    "<body pos='1 0 .4'><joint name='sl' type='slide' axis='0 0 1' damping='.1'/><geom name='foot' type='box' size='.1 "
    ".1 .1'/></body></worldbody>"
    "<contact><pair geom1='floor' geom2='foot' friction='.5 .5 .01 .01 .01'/></contact>"
    "<tendon><fixed name='t' stiffness='.5' damping='.1'><joint joint='h' coef='1'/><joint joint='sl' "
    "coef='.5'/></fixed></tendon>"
    "<actuator><motor joint='h' gear='2'/><position tendon='t' kp='3' gear='.5'/></actuator></mujoco>";

// fields that differ, and by how much
static const struct {
  const char* name;
  mjtNum scale;
} PARAMS[] = {
    {"body_mass",        .3 },
    {"body_inertia",     .2 },
    {"body_ipos",        .1 },
    {"body_gravcomp",    .5 },
    {"geom_friction",    .4 },
    {"geom_solref",      .1 },
    {"geom_solimp",      .02},
    {"geom_margin",      .1 },
    {"geom_solmix",      .3 },
    {"geom_size",        .05},
    {"jnt_stiffness",    .5 },
    {"jnt_range",        .1 },
    {"dof_damping",      .5 },
    {"dof_armature",     .5 },
    {"dof_frictionloss", .3 },
    {"actuator_gainprm", .3 },
    {"actuator_biasprm", .3 },
    {"actuator_gear",    .3 },
    {"tendon_stiffness", .3 },
    {"qpos0",            .01},
    {"opt.timestep",     .3 },
    {"opt.gravity",      .2 },
    {"opt.impratio",     .3 },
};
enum { NPARAM = sizeof(PARAMS) / sizeof(PARAMS[0]) };

// the same random values for both
static void vary(Twin* t, Rnd* rnd) {
  for (int i = 0; i < NPARAM; i++) {
    snField cpu, gpu;
    if (sn_batchExpand(t->cpu, 0, PARAMS[i].name, &cpu) != SN_OK) fail_msg("%s", sn_batchMessage(t->cpu, -1));
    if (sn_batchExpand(t->gpu, 0, PARAMS[i].name, &gpu) != SN_OK) fail_msg("%s", sn_batchMessage(t->gpu, -1));
    int64_t n = 1;
    for (int k = 0; k < cpu.ndim; k++) n *= cpu.shape[k];
    assert_int_equal(n, gpu.shape[0] * gpu.shape[1]);
    assert_int_equal(gpu.device, SN_CUDA);
    double* const values = cpu.data;
    for (int64_t k = 0; k < n; k++) values[k] *= 1 + rnd_uniform(rnd, -PARAMS[i].scale, PARAMS[i].scale);
    assert_int_equal(sn_batchWrite(t->gpu, &gpu, values), SN_OK);
  }
}

static void parametersDiffer(void** state) {
  (void)state;
  static const char* const OPTIONS[] = {"cone='elliptic'", "integrator='implicitfast'",
                                        "integrator='RK4' cone='elliptic'"};
  for (int i = 0; i < 3; i++) {
    char text[5000];
    snprintf(text, sizeof(text), MODEL, OPTIONS[i]);
    mjModel* const m = tst_string(text);
    for (int backwards = 0; backwards < 2; backwards++) {
      Twin t = twin_open(m, SN_FLOAT64, backwards, NULL);
      Rnd rnd = {5};
      const TwinBounds bounds = {FIELDS, 1e-9, 1e-9};

      // constants follow from values, which change while the batch exists
      for (int k = 0; k < 2; k++) {
        vary(&t, &rnd);
        assert_int_equal(sn_batchSetConst(t.cpu, NULL), SN_OK);
        if (sn_batchSetConst(t.gpu, NULL) != SN_OK) fail_msg("%s", sn_batchMessage(t.gpu, -1));
        twin_follow(&t, &bounds, 20);
      }
      twin_close(&t);
    }
    mj_deleteModel(m);
  }
}

// contacts that slide, twist and roll from the first step: those of MODEL begin late and have friction of their pair
static void contactsOfParameters(void** state) {
  (void)state;
  static const char* const OPTIONS[] = {"cone='elliptic'", "cone='pyramidal'"};
  for (int i = 0; i < 2; i++) {
    char text[1000];
    snprintf(text, sizeof(text),
             "<mujoco><option %s/><default><geom condim='6' friction='.8 .05 .02'/></default><worldbody>"
             "<geom type='plane' size='5 5 .1'/><body pos='0 0 .095'><freejoint/><geom size='.1' solmix='2'/></body>"
             "<body pos='1 0 .095'><freejoint/><geom size='.1' priority='1'/></body></worldbody></mujoco>",
             OPTIONS[i]);
    mjModel* const m = tst_string(text);
    Twin t = twin_open(m, SN_FLOAT64, 0, NULL);
    snField cpu, gpu;
    assert_int_equal(sn_batchExpand(t.cpu, 0, "geom_friction", &cpu), SN_OK);
    assert_int_equal(sn_batchExpand(t.gpu, 0, "geom_friction", &gpu), SN_OK);
    double* const values = cpu.data;
    Rnd rnd = {7};
    for (int64_t k = 0; k < gpu.shape[0] * gpu.shape[1]; k++) values[k] *= 1 + rnd_uniform(&rnd, -.5, .5);
    assert_int_equal(sn_batchWrite(t.gpu, &gpu, values), SN_OK);
    twin_follow(&t, &(TwinBounds){FIELDS, 1e-9, 1e-9}, 10);
    twin_close(&t);
    mj_deleteModel(m);
  }
}

// one simulation takes another model; its model can be had back
static void modelsOfSimulations(void** state) {
  (void)state;
  char text[5000];
  snprintf(text, sizeof(text), MODEL, "");
  mjModel *const m = tst_string(text), *const other = tst_string(text);
  Twin t = twin_open(m, SN_FLOAT64, 0, NULL);
  other->body_mass[1] = 7;
  other->opt.gravity[2] = -3;
  other->geom_friction[3] = .1;
  assert_int_equal(sn_batchSetModel(t.cpu, 1, other), SN_OK);
  if (sn_batchSetModel(t.gpu, 1, other) != SN_OK) fail_msg("%s", sn_batchMessage(t.gpu, -1));
  const TwinBounds bounds = {FIELDS, 1e-9, 1e-9};
  twin_follow(&t, &bounds, 10);
  mjModel *const first = sn_batchGetModel(t.gpu, 0), *const second = sn_batchGetModel(t.gpu, 1);
  assert_true(first->body_mass[1] == m->body_mass[1] && second->body_mass[1] == 7 && second->opt.gravity[2] == -3);
  mj_deleteModel(first);
  mj_deleteModel(second);
  twin_close(&t);
  mj_deleteModel(other);
  mj_deleteModel(m);
}

// what cannot differ on a GPU is named
static void refusals(void** state) {
  (void)state;
  char text[5000];
  snprintf(text, sizeof(text), MODEL, "");
  mjModel* const m = tst_string(text);
  Twin t = twin_open(m, SN_FLOAT32, 0, NULL);
  static const char* const NAMES[] = {"geom_contype", "geom_rgba",       "wrap_prm",
                                      "opt.density",  "tendon_armature", "opt.iterations"};
  snField f;
  for (size_t i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++) {
    assert_int_equal(sn_batchExpand(t.gpu, 0, NAMES[i], &f), SN_ERROR);
    assert_non_null(strstr(sn_batchMessage(t.gpu, -1), "cannot differ between simulations on a GPU"));
  }
  assert_int_equal(sn_batchExpand(t.gpu, 0, "body_mass", &f), SN_OK);
  assert_int_equal(f.type, SN_FLOAT32);
  assert_int_equal(sn_batchStep(t.gpu, NULL, 1), SN_OK);
  twin_close(&t);
  mj_deleteModel(m);
}

//---------------------------------- resets ----------------------------------

static const char RESETS[] =
    "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body mocap='true' name='m' pos='0 0 3'/><body name='a' "
    "pos='0 0 1'><freejoint/><geom "
    "type='sphere' size='.1'/><body pos='.2 0 .1'><joint type='ball'/><geom type='sphere' size='.05' mass='.1'/><body "
    "pos='.2 0 0'><joint name='j' axis='0 1 0'/><geom type='sphere' size='.05' "
    "contype='0'/></body></body></body></worldbody><equality><connect body1='a' body2='m' anchor='0 0 0' "
    "active='false'/></equality><actuator><general dyntype='filter' joint='j'/></actuator>"
    "<keyframe><key qpos='0 0 2 1 0 0 0 1 0 0 0 .3' qvel='1 0 0 0 0 0 0 0 0 .5' time='3' act='.2' ctrl='.7' mpos='1 2 "
    "3'/></keyframe></mujoco>";

static const char* const PARTS[] = {"time",       "qpos",      "qvel",           "act",          "ctrl", "mocap_pos",
                                    "mocap_quat", "eq_active", "qacc_warmstart", "xfrc_applied", NULL};

static void compareStates(Twin* t, int step) {
  for (int i = 0; PARTS[i]; i++) twin_compare(t, PARTS[i], 1e-9, step);
}

// both batches do the same
static void both(Twin* t, snStatus cpu, snStatus gpu) {
  if (cpu != SN_OK) fail_msg("%s", sn_batchMessage(t->cpu, -1));
  if (gpu != SN_OK) fail_msg("%s", sn_batchMessage(t->gpu, -1));
}

// resets with noise, some of them of one simulation only; episodes that the caller ends
static void resets(void** state) {
  (void)state;
  mjModel* const m = tst_string(RESETS);
  snBatchOptions o;
  sn_defaultBatchOptions(&o);
  o.seed = 0x123456789abcdefu;
  o.reset_qpos = .1;
  o.reset_qvel = .5;
  o.autoreset = SN_RESET_NEXT;
  o.autoreset_key = 0;
  for (int backwards = 0; backwards < 2; backwards++) {
    Twin t = twin_open(m, SN_FLOAT64, backwards, &o);
    const snSelection second = {.index = (const int[]){1}, .n = 1};
    both(&t, sn_batchReset(t.cpu, NULL, -1), sn_batchReset(t.gpu, NULL, -1));
    compareStates(&t, 0);
    both(&t, sn_batchStep(t.cpu, NULL, 2), sn_batchStep(t.gpu, NULL, 2));
    both(&t, sn_batchReset(t.cpu, &second, 0), sn_batchReset(t.gpu, &second, 0));
    compareStates(&t, 1);

    // the caller ends an episode
    snField cpu, gpu, episode;
    both(&t, sn_batchField(t.cpu, -1, "done", &cpu), sn_batchField(t.gpu, 0, "done", &gpu));
    ((mjtByte*)cpu.data)[0] = 1;
    both(&t, SN_OK, sn_batchWrite(t.gpu, &gpu, (const int[]){1, 0}));
    both(&t, sn_batchStep(t.cpu, NULL, 1), sn_batchStep(t.gpu, NULL, 1));
    compareStates(&t, 2);
    int done[TWIN_N], episodes[TWIN_N];
    both(&t, SN_OK, sn_batchRead(t.gpu, &gpu, done));
    both(&t, SN_OK, sn_batchField(t.gpu, 0, "episode", &episode));
    both(&t, SN_OK, sn_batchRead(t.gpu, &episode, episodes));
    assert_true(!done[0] && !done[1] && episodes[0] == 2 && episodes[1] == 2);

    // a state that is given counts as an episode
    mjtNum given[TWIN_N] = {5, 6};
    both(&t, sn_batchResetState(t.cpu, NULL, given, mjSTATE_TIME),
         sn_batchResetState(t.gpu, NULL, given, mjSTATE_TIME));
    compareStates(&t, 3);
    both(&t, sn_batchReset(t.cpu, NULL, 0), sn_batchReset(t.gpu, NULL, 0));
    compareStates(&t, 4);
    both(&t, sn_batchStep(t.cpu, NULL, 3), sn_batchStep(t.gpu, NULL, 3));
    compareStates(&t, 5);
    twin_close(&t);
  }
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parametersDiffer),
      cmocka_unit_test(contactsOfParameters),
      cmocka_unit_test(modelsOfSimulations),
      cmocka_unit_test(refusals),
      cmocka_unit_test(resets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
