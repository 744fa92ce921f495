// Tendons, transmissions, muscles and media on a GPU against the CPU.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "support/model.h"
#include "support/twin.h"

static const char* const FIELDS[] = {"xpos",        "subtree_com",    "ten_length",      "ten_velocity",
                                     "qfrc_bias",   "actuator_force", "actuator_length", "actuator_velocity",
                                     "qfrc_smooth", "qfrc_passive",   "qfrc_actuator",   NULL};

static const TwinBounds BOUNDS = {FIELDS, 1e-9, 1e-9}, SINGLE = {FIELDS, 2e-4, 2e-2};

// in both directions of all loops in double precision, then in single
static void followAll(const char* xml, const char* const* options, int noption, int nstep) {
  for (int i = 0; i < noption; i++) {
    char text[9000];
    snprintf(text, sizeof(text), xml, options[i]);
    mjModel* const m = tst_string(text);
    for (int backwards = 0; backwards < 2; backwards++) {
      Twin t = twin_open(m, SN_FLOAT64, backwards, NULL);
      twin_follow(&t, &BOUNDS, backwards ? nstep / 3 : nstep);
      twin_close(&t);
    }
    Twin t = twin_open(m, SN_FLOAT32, 0, NULL);
    twin_follow(&t, &SINGLE, nstep / 3);
    twin_close(&t);
    mj_deleteModel(m);
  }
}

//---------------------------------- tendons ----------------------------------

// paths of every kind, with all that a tendon can have, and muscles that pull them
static const char TENDONS[] =
    "<mujoco><option %s/><worldbody><site name='w' pos='0 0 1.2'/><site name='x' pos='.3 .1 1.1'/>"
    "<body name='upper' pos='0 0 1'><joint name='s' type='ball' damping='.2'/><geom type='capsule' fromto='0 0 0 .3 0 "
    "0' "
    "size='.03'/>"
    "<site name='u1' pos='.1 0 .05'/><site name='u2' pos='.25 0 .06'/>"
    "<geom name='pipe' type='cylinder' size='.06 .1' pos='.3 0 0' euler='90 0 0' contype='0' conaffinity='0'/>"
    "<site name='over' pos='.3 0 .1'/>"
    "<body name='lower' pos='.3 0 0'><joint name='e' axis='0 1 0' range='-2 .2' limited='true' damping='.1'/>"
    "<geom type='capsule' fromto='0 0 0 .25 0 0' size='.03'/><site name='l1' pos='.1 0 .05'/><site name='l2' pos='.2 "
    ".02 "
    "-.04'/>"
    "<geom name='ball' type='sphere' size='.04' pos='.12 0 0' contype='0' conaffinity='0'/><site name='in' pos='.12 0 "
    ".01'/>"
    "<body name='hand' pos='.25 0 0'><joint name='w' axis='0 1 .3' damping='.05'/><geom type='sphere' size='.05'/>"
    "<site name='h1' pos='.05 0 .02'/><site name='h2' pos='.02 .03 0'/></body></body></body>"
    "<body name='free' pos='.5 .3 .9'><freejoint/><geom type='box' size='.05 .05 .05' contype='0' "
    "conaffinity='0'/><site name='f' pos='.04 0 "
    "0'/></body></worldbody>"
    "<tendon><spatial name='a' range='.1 .36' limited='true' stiffness='20' damping='.5' springlength='.2 .3' "
    "frictionloss='.05'>"
    "<site site='u1'/><geom geom='pipe' sidesite='over'/><site site='l1'/></spatial>"
    "<spatial name='b' damping='.3' stiffness='3'><site site='u2'/><geom geom='ball' sidesite='in'/><site site='h1'/>"
    "<pulley divisor='2'/><site site='u2'/><site site='l2'/><pulley divisor='3'/><site site='w'/><site site='h2'/>"
    "</spatial>"
    "<spatial name='c' armature='.05'><site site='x'/><site site='l1'/><site site='h2'/><pulley divisor='2'/><site "
    "site='w'/><site site='f'/></spatial>"
    "<spatial name='d' actuatorfrcrange='-1 .5' actuatorfrclimited='true'><site site='u1'/><geom geom='ball'/><site "
    "site='h2'/></spatial>"
    "<fixed name='g' armature='.02'><joint joint='e' coef='1'/><joint joint='w' coef='-.5'/></fixed></tendon>"
    "<equality><tendon tendon1='d' tendon2='g' polycoef='0 .1 0 0 0'/></equality>"
    "<actuator><muscle tendon='a' lengthrange='.2 .4' force='30' ctrllimited='true' ctrlrange='0 1'/>"
    "<muscle tendon='b' lengthrange='.1 .5' scale='20' tausmooth='.3'/><position tendon='d' kp='30' kv='1'/>"
    "<motor tendon='d' gear='2'/><general tendon='c' biastype='affine' biasprm='.1 -2 -.3'/>"
    "<general joint='e' gaintype='muscle' biastype='muscle' gainprm='.75 1.05 -1 200 .5 1.6 1.5 1.3 1.2' "
    "biasprm='.75 1.05 -1 200 .5 1.6 1.5 1.3 1.2' lengthrange='-1 .5'/>"
    "<motor tendon='g'/></actuator></mujoco>";

static void tendons(void** state) {
  (void)state;
  static const char* const OPTIONS[] = {"integrator='Euler'", "integrator='implicitfast' jacobian='sparse'",
                                        "integrator='RK4' timestep='.004'", "integrator='implicit'"};
  followAll(TENDONS, OPTIONS, sizeof(OPTIONS) / sizeof(OPTIONS[0]), 60);
}

//---------------------------------- transmissions ----------------------------------

static const char TRANSMISSIONS[] =
    "<mujoco><option %s/><worldbody><geom type='plane' size='3 3 .1'/><site name='base' pos='0 0 .5' euler='10 20 30'/>"
    "<body name='drone' pos='0 0 .5'><joint name='free' type='free' damping='.1'/><geom type='sphere' size='.1'/>"
    "<site name='rotor' pos='.1 0 .05' euler='0 10 0'/><body name='arm' pos='.15 0 0'><joint name='ball' type='ball' "
    "damping='.05'/>"
    "<geom type='capsule' fromto='0 0 0 .2 0 0' size='.03'/><site name='tip' pos='.2 0 0' euler='0 30 "
    "0'/></body></body>"
    "<body name='crank' pos='1 0 .5'><joint name='turn' axis='0 1 0' damping='.1'/><geom type='capsule' fromto='0 0 0 "
    ".1 0 "
    "0' size='.02'/>"
    "<site name='pin' pos='.1 0 0'/></body><body name='slider' pos='1.3 0 .5'><joint name='way' type='slide' axis='1 0 "
    "0' damping='.1'/><joint name='tilt' axis='0 0 1' stiffness='3' damping='.2'/><geom type='sphere' size='.05'/>"
    "<site name='block' euler='0 90 0'/></body>"
    "<body name='foot' pos='-1 0 .09'><freejoint/><geom type='sphere' size='.1' gap='.05' margin='.02'/><geom "
    "type='sphere' size='.1' pos='.2 0 .01' condim='%d' margin='.01'/><body pos='0 0 .15'><joint "
    "axis='1 0 0' damping='.1'/><geom type='capsule' size='.03 .05'/></body></body></worldbody>"
    "<actuator><general site='rotor' gear='1 2 3 .1 .2 .3'/><position site='tip' refsite='base' kp='2' gear='1 .5 0 0 "
    ".2 "
    ".1'/>"
    "<general site='tip' refsite='rotor' gear='0 0 0 1 0 .5' biastype='affine' biasprm='0 -.1 -.02'/>"
    "<general jointinparent='ball' gear='.1 .2 .3' biastype='affine' biasprm='0 -.3 -.1'/>"
    "<general jointinparent='free' gear='0 0 1 .1 .1 0'/>"
    "<general cranksite='pin' slidersite='block' cranklength='.25' gear='2' biastype='affine' biasprm='.1 -1 -.5'/>"
    "<general cranksite='pin' slidersite='block' cranklength='.01'/>"
    "<adhesion body='foot' gain='3' ctrlrange='0 1'/></actuator></mujoco>";

static void transmissions(void** state) {
  (void)state;
  static const char* const OPTIONS[] = {"integrator='Euler'", "integrator='implicitfast' cone='elliptic'",
                                        "integrator='RK4'", "integrator='implicit' density='.5'"};
  for (int condim = 1; condim <= 3; condim += 2) {
    char xml[9000];
    snprintf(xml, sizeof(xml), TRANSMISSIONS, "%s", condim);
    followAll(xml, OPTIONS, condim == 1 ? 1 : sizeof(OPTIONS) / sizeof(OPTIONS[0]), 60);
  }
}

//---------------------------------- media ----------------------------------

static const char MEDIUM[] =
    "<mujoco><option %s/><default><geom contype='0'/></default><worldbody><geom type='plane' size='3 3 .1' "
    "contype='1'/><body name='fish' pos='0 0 "
    ".5'><freejoint/>"
    "<geom type='ellipsoid' size='.2 .1 .05' fluidshape='ellipsoid' fluidcoef='.6 .3 1.4 .8 .9'/><geom type='capsule' "
    "size='.03 .1' pos='.2 0 0' fluidshape='ellipsoid'/><body pos='-.2 0 0'><joint type='ball' stiffness='1'/><geom "
    "type='cylinder' size='.04 .1' pos='-.1 0 0'/><body pos='-.2 0 0'><joint axis='0 1 0'/><joint type='slide' axis='1 "
    "0 0' "
    "stiffness='20'/>"
    "<geom type='box' size='.1 .05 .02' pos='-.1 0 0' fluidshape='ellipsoid'/><geom type='sphere' "
    "size='.03'/></body></body>"
    "</body><body pos='1 0 .1'><freejoint/><geom type='sphere' size='.1'/></body></worldbody>"
    "<keyframe><key qvel='1 .5 -.3 2 1 -1 .5 .3 .2 1 .1 .3 -.2 0 .5 .5 1'/></keyframe></mujoco>";

static void media(void** state) {
  (void)state;
  static const char* const FLUID[] = {"qfrc_fluid", "qfrc_passive", "qfrc_smooth", NULL};
  static const char* const OPTIONS[] = {"density='1000' viscosity='.01' wind='.5 0 .1'",
                                        "density='1.2' viscosity='2' integrator='implicitfast' wind='3 1 0'",
                                        "density='500' viscosity='.5' integrator='implicit'",
                                        "viscosity='.5' integrator='RK4'",
                                        "integrator='implicit'",
                                        "density='3' integrator='implicit'"};
  for (size_t i = 0; i < sizeof(OPTIONS) / sizeof(OPTIONS[0]); i++) {
    char text[5000];
    snprintf(text, sizeof(text), MEDIUM, OPTIONS[i]);
    mjModel* const m = tst_string(text);
    for (int backwards = 0; backwards < 2; backwards++) {
      Twin t = twin_open(m, SN_FLOAT64, backwards, NULL);
      assert_int_equal(sn_batchReset(t.cpu, NULL, 0), SN_OK);
      const TwinBounds bounds = {FLUID, 1e-9, 1e-9};
      twin_follow(&t, &bounds, 30);
      twin_close(&t);
    }
    mj_deleteModel(m);
  }
}

// the tests whose names match the argument, if any
int main(int argc, char** argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tendons),
      cmocka_unit_test(transmissions),
      cmocka_unit_test(media),
  };
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
