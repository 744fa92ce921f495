// Every kind of element: what we compile equals what the reference compiles, field by field.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile/same.h"

// a small model with one of everything to refer to; the two holes are for more tree and more sections
static const char* const SCENE =
    "<mujoco model='scene'><compiler angle='radian'/><option timestep='.003' density='1.2' viscosity='.1'/>"
    "<asset><texture name='sky' type='skybox' builtin='gradient' width='8' height='8'/>"
    "<texture name='tex' type='2d' builtin='checker' width='4' height='4'/>"
    "<material name='mat' texture='tex' specular='.3' rgba='1 0 0 1'/>"
    "<hfield name='hf' nrow='2' ncol='3' size='1 2 .5 .1' elevation='0 1 2 3 4 5'/></asset>"
    "<worldbody><geom name='floor' type='plane' size='1 1 .1' material='mat'/><light name='lamp' pos='0 0 3'/>"
    "<camera name='eye' pos='0 -3 1' xyaxes='1 0 0 0 0 1' resolution='4 3'/><site name='w' pos='0 0 1'/>"
    "<body name='a' pos='0 0 1'><joint name='ah' type='hinge' axis='0 1 0' range='-1 1' damping='.1'/>"
    "<geom name='ag' type='capsule' size='.05' fromto='0 0 0 .5 0 0'/><site name='as' pos='.5 0 0'/>"
    "<body name='b' pos='.5 0 0'><joint name='bs' type='slide' axis='1 0 0' range='-.2 .3' stiffness='3'/>"
    "<joint name='bh' axis='0 0 1' pos='0 .1 0'/><geom name='bg' type='box' size='.1 .05 .02' euler='.1 .2 .3'/>"
    "<site name='bsite' pos='.1 0 0' size='.01'/></body></body>"
    "<body name='c' pos='2 0 1'><joint name='cb' type='ball' range='0 1' damping='.2'/><geom name='cg' size='.1'/>"
    "<site name='cs'/></body><body name='d' pos='4 0 1'><freejoint name='df'/><geom name='dg' type='cylinder' size='.1 "
    ".2'/>"
    "<site name='ds' pos='0 0 .2'/></body>%s</worldbody>%s</mujoco>";

static void same(const char* tree, const char* sections) {
  char xml[6000];
  snprintf(xml, sizeof(xml), SCENE, tree, sections);
  assert_int_equal(differencesOf(xml), 0);
}

static void bodies(void** state) {
  (void)state;
  same("", "");
  same("<body mocap='true' pos='1 2 3' quat='1 1 0 0'><geom size='.1'/><body><geom size='.1'/></body></body>", "");
  same(
      "<frame pos='1 2 3' euler='.1 .2 .3'><frame axisangle='0 0 1 .5'><body name='e' pos='1 0 0'><joint pos='.1 0 0'/>"
      "<frame zaxis='1 1 1'><geom size='.1' pos='0 .1 0'/><site pos='0 0 1'/><camera name='f' zaxis='1 0 0'/>"
      "<light dir='1 2 3' pos='1 0 0'/></frame></body></frame></frame>",
      "");
  same(
      "<body name='e' gravcomp='.5' sleep='never'><joint type='slide'/><joint type='slide' axis='1 0 0'/>"
      "<geom size='.1'/></body>",
      "");
  same(
      "<body name='e' xyaxes='0 1 0 -1 0 0'><joint springdamper='.1 1.5' armature='.3' frictionloss='.2'/>"
      "<geom size='.1' gap='.01' margin='.02' priority='2' condim='4' solmix='.3' solref='.1 .2' friction='.1 .2 "
      ".3'/></body>",
      "");
  same(
      "<body name='e' user='1 2'><joint user='3'/><geom size='.1' user='4 5 6'/><site user='7'/><camera "
      "user='8'/></body>",
      "");
  same("<body><joint type='slide'/><joint type='slide' axis='1 0 0'/><joint type='hinge'/><geom size='.1'/></body>",
       "");
}

static void geoms(void** state) {
  (void)state;
  same("<geom type='hfield' hfield='hf' pos='5 0 0'/>", "");
  same("<body><joint/><geom type='ellipsoid' size='.1 .2 .3' fluidshape='ellipsoid'/></body>", "");
  same("<body><joint/><geom type='capsule' size='.1 .3' fluidshape='ellipsoid' fluidcoef='.1 .2 .3 .4 .5'/></body>",
       "");
  same("<body><joint/><geom type='cylinder' size='.1 .3' fluidshape='ellipsoid'/></body>", "");
  same(
      "<body><joint/><geom type='box' size='.1' fromto='0 0 0 1 2 3' material='mat' group='2' rgba='.1 .2 .3 "
      ".4'/></body>",
      "");
  same(
      "<body><joint/><geom size='.1'/><geom size='.1' pos='1 0 0'/><geom size='.1' pos='2 0 0'/><geom size='.2' pos='3 "
      "1 0'/>"
      "<geom size='.1' contype='0' conaffinity='0' pos='9 0 0'/><geom size='.1' pos='1 0 0'/></body>",
      "");
  same("<site type='box' size='.1 .2 .3' fromto='0 0 0 1 0 1' group='3' material='mat'/>", "");
  same("<camera sensorsize='.1 .2' focal='.05 .1' principal='.01 .02' resolution='30 40'/>", "");
  same(
      "<camera sensorsize='.1 .2' focalpixel='5 6' principalpixel='1 2' resolution='30 40' mode='targetbody' "
      "target='a'/>",
      "");
  same("<light type='point' mode='trackcom' bulbradius='.1' intensity='3' range='5' attenuation='1 2 3' cutoff='30'/>",
       "");
}

static void contacts(void** state) {
  (void)state;
  same("",
       "<contact><pair geom1='cg' geom2='ag' condim='4' friction='.1 .2 .3 .4 .5' margin='.01' gap='.002'/>"
       "<pair name='p' geom1='floor' geom2='dg' solref='.1 1' solreffriction='.2 1'/>"
       "<exclude body1='d' body2='a'/><exclude name='x' body1='a' body2='b'/></contact>");
}

static void equalities(void** state) {
  (void)state;
  same("",
       "<equality><connect name='q' body1='a' body2='d' anchor='.1 .2 .3'/><connect body1='c' anchor='0 0 0'/>"
       "<weld body1='b' body2='c' solref='.1 1'/><weld body1='d' relpose='1 2 3 1 1 0 0' torquescale='.5' "
       "active='false'/>"
       "<connect site1='as' site2='cs'/><weld site1='ds' site2='bsite'/>"
       "<joint joint1='ah' joint2='bs' polycoef='.1 .2 .3 .4 .5'/><joint joint1='bh'/></equality>");
}

static const char* const TENDONS =
    "<tendon><spatial name='s1' width='.01' range='0 2' stiffness='3' damping='.4' material='mat'><site site='w'/>"
    "<geom geom='cg' sidesite='cs'/><site site='bsite'/><pulley divisor='2'/><site site='bsite'/><site "
    "site='ds'/></spatial>"
    "<spatial name='s2' springlength='.1 .2' armature='.3' user='1 2 3'><site site='as'/><site site='ds'/></spatial>"
    "<fixed name='f1' limited='true' range='-1 1' frictionloss='.1' actuatorfrcrange='-2 3'><joint joint='ah' "
    "coef='.5'/>"
    "<joint joint='bs' coef='-2'/></fixed></tendon>%s";

static void tendons(void** state) {
  (void)state;
  char sections[3000];
  snprintf(sections, sizeof(sections), TENDONS, "<equality><tendon tendon1='s1' tendon2='f1'/></equality>");
  same("", sections);
  same("<body><joint type='slide'/><geom size='.1'/><site name='xs'/></body>",
       "<tendon><spatial armature='.1'><site site='xs'/><site site='w'/></spatial></tendon>");
}

static void actuators(void** state) {
  (void)state;
  // numbers of samples below one: no history
  same("", "<actuator><motor joint='ah' nsample='-3'/></actuator><sensor><jointpos joint='ah' nsample='-2'/></sensor>");
  char sections[4000];
  snprintf(
      sections, sizeof(sections), TENDONS,
      "<actuator><motor name='m' joint='ah' gear='3' ctrlrange='-1 1'/><motor joint='cb' gear='1 2 3'/>"
      "<motor joint='df' gear='1 2 3 4 5 6'/><motor jointinparent='cb' gear='0 1 0'/>"
      "<position joint='ah' kp='10' dampratio='1' inheritrange='1'/><position joint='bs' kp='5' kv='2' timeconst='.1'/>"
      "<velocity joint='bh' kv='3' forcerange='-2 2'/><intvelocity joint='ah' kp='4' inheritrange='.5'/>"
      "<damper joint='ah' kv='2' ctrlrange='0 1'/><cylinder joint='bs' timeconst='.2' area='.1' bias='1 2 3'/>"
      "<muscle joint='ah' force='10' lengthrange='.1 .9'/><muscle tendon='f1' lengthrange='0 1'/><adhesion body='d' "
      "gain='2' ctrlrange='0 1'/>"
      "<general tendon='s1' dyntype='integrator' actlimited='true' actrange='-1 1' actearly='true' user='1 2'/>"
      "<general site='as' refsite='ds' gear='1 0 0 0 1 0'/><general site='cs' dyntype='user' actdim='3'/>"
      "<general cranksite='as' slidersite='w' cranklength='.6' group='3'/>"
      "<motor joint='bh' delay='.01' nsample='4' interp='linear'/></actuator>");
  same("", sections);
}

static void sensors(void** state) {
  (void)state;
  char sections[6000];
  snprintf(
      sections, sizeof(sections), TENDONS,
      "<actuator><motor name='m' joint='ah'/></actuator><sensor><touch site='as'/><accelerometer site='as' noise='.1'/>"
      "<velocimeter site='as'/><gyro site='cs' cutoff='3'/><force site='cs'/><torque site='cs'/><magnetometer "
      "site='as'/>"
      "<camprojection site='as' camera='eye'/><rangefinder site='as' data='dist normal'/><rangefinder camera='eye'/>"
      "<jointpos joint='ah'/><jointvel joint='bs'/><tendonpos tendon='s1'/><tendonvel tendon='f1'/><actuatorpos "
      "actuator='m'/>"
      "<actuatorvel actuator='m'/><actuatorfrc actuator='m'/><jointactuatorfrc joint='ah'/><tendonactuatorfrc "
      "tendon='s2'/>"
      "<ballquat joint='cb'/><ballangvel joint='cb'/><jointlimitpos joint='ah'/><jointlimitvel joint='bs'/>"
      "<jointlimitfrc joint='cb'/><tendonlimitpos tendon='s1'/><tendonlimitvel tendon='f1'/><tendonlimitfrc "
      "tendon='f1'/>"
      "<framepos objtype='site' objname='as' reftype='body' refname='d'/><framequat objtype='geom' objname='bg'/>"
      "<framexaxis objtype='xbody' objname='a'/><framelinvel objtype='camera' objname='eye'/>"
      "<frameangacc objtype='body' objname='b'/><subtreecom body='a'/><subtreeangmom body='world'/>"
      "<insidesite objtype='geom' objname='bg' site='bsite'/><distance geom1='ag' body2='d'/><normal geom1='ag' "
      "geom2='dg'/>"
      "<fromto body1='a' body2='d'/><contact geom1='ag' data='found force pos' num='3' reduce='mindist'/>"
      "<contact subtree1='a' body2='d'/><e_potential/><e_kinetic/><clock nsample='3' interval='.1 -.05' delay='.02'/>"
      "<user name='u' dim='4' datatype='quaternion' needstage='vel' user='1 2 3'/></sensor>");
  same("", sections);

  // blank is as good as absent
  same("", "<sensor><contact geom1='ag' data=''/><rangefinder site='as' data=' '/></sensor>");
  same("", "<asset><hfield name='flat' nrow='2' ncol='2' size='1 1 1 1' elevation=''/></asset>");
}

static void custom(void** state) {
  (void)state;
  same("",
       "<custom><numeric name='n' data='1 2 3' size='5'/><numeric name='k' data='1'/><text name='t' data='hello'/>"
       "<tuple name='tu'><element objtype='body' objname='a' prm='2'/><element objtype='geom' "
       "objname='cg'/></tuple></custom>");
  same("<body mocap='true'/>",
       "<actuator><general joint='ah' dyntype='filter'/></actuator><keyframe><key/><key name='k' time='2' "
       "qpos='1 2 3 2 0 0 0 1 2 3 0 3 4 0' qvel='1 2 3 4 5 6 7 8 9 10 11 12' act='5' ctrl='6' mpos='1 2 3' mquat='2 0 "
       "0 0'/></keyframe>");
  same("", "<size nkey='3' nuser_body='2' nuserdata='7' memory='1M'/>");
  same("", "<size njmax='100' nconmax='50'/><statistic extent='3' center='1 2 3' meansize='.1'/>");
}

// free joints that a keyframe is too short for stand at the origin; all else is as it is in the beginning
static void shortKeyframes(void** state) {
  (void)state;
  static const char xml[] =
      "<mujoco><worldbody><body pos='1 2 3' quat='0 1 0 0'><freejoint/><geom size='1'/></body>"
      "<body><joint ref='.3' type='slide'/><geom size='1'/></body>"
      "<body pos='9 9 9'><freejoint/><geom size='1'/></body></worldbody><keyframe><key/><key qpos='4'/>"
      "<key qpos='1 2 3 0'/><key qpos='1 2 3 0 2'/><key qpos='1 2 3 0 1 0 0 5'/></keyframe></mujoco>";
  static const mjtNum expected[5][15] = {
      {1, 2, 3, 0, 1, 0, 0, 0.3, 9, 9, 9, 1},
      {4, 0, 0, 1, 0, 0, 0, 0.3, 0, 0, 0, 1},
      {1, 2, 3, 1, 0, 0, 0, 0.3, 0, 0, 0, 1},
      {1, 2, 3, 0, 1, 0, 0, 0.3, 0, 0, 0, 1},
      {1, 2, 3, 0, 1, 0, 0, 5,   0, 0, 0, 1},
  };
  mjModel* const m = compileText(xml);
  assert_non_null(m);
  assert_int_equal(m->nq * m->nkey, 75);
  for (int i = 0; i < 75; i++) assert_true(m->key_qpos[i] == expected[i / 15][i % 15]);
  mj_deleteModel(m);
  assert_int_equal(differencesOf(xml), 0);
}

static void settings(void** state) {
  (void)state;
  static const char* const options[] = {
      "<compiler discardvisual='true'/>", "<compiler fusestatic='true' angle='radian'/>",
      "<compiler settotalmass='5'/>",     "<compiler autolimits='false'/>",
      "<compiler eulerseq='ZYX'/>",       "<option integrator='implicit'/>",
  };
  for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
    char xml[3000];
    snprintf(xml, sizeof(xml),
             "<mujoco>%s<asset><texture name='t' type='2d' builtin='flat' width='2' height='2'/><material name='m' "
             "texture='t'/>"
             "</asset><worldbody><body name='a' euler='10 20 30'><joint name='j' limited='true' range='-1 1'/>"
             "<geom size='.1' material='m'/><geom size='.1' contype='0' conaffinity='0' pos='1 0 0'/>"
             "<geom name='seen' size='.1' contype='0' conaffinity='0' pos='1 0 0'/><site name='s' pos='1 0 0'/>"
             "<body><joint/><geom size='.1' pos='0 1 0'/></body></body></worldbody>"
             "<sensor><framepos objtype='geom' objname='seen'/></sensor></mujoco>",
             options[i]);
    assert_int_equal(differencesOf(xml), 0);
  }
}

static void defaults(void** state) {
  (void)state;
  same(
      "<body childclass='big'><joint/><geom/><geom class='main' size='.3'/><body><joint "
      "class='small'/><geom/></body></body>",
      "<default><geom size='.2'/><joint damping='1'/><default class='big'><geom size='.5' rgba='1 0 0 1'/><joint "
      "armature='2'/>"
      "<default class='small'><joint damping='0' armature='3'/></default></default></default>");
}

// A tree that fusing builds again keeps the geoms of its earlier leaves at what are inner nodes now.
static void fusedTrees(void** state) {
  (void)state;
  static const char* const xml =
      "<mujoco><compiler fusestatic='true'/><worldbody><body><geom size='.1'/><body pos='1 0 0'><geom size='.1'/>"
      "<body pos='1 0 0'><geom size='.1'/></body></body></body><body><joint/><geom size='.1'/></body>"
      "</worldbody></mujoco>";
  assert_int_equal(differencesOf(xml), 0);
  mjModel* const m = compileText(xml);
  assert_non_null(m);
  assert_int_equal(m->nbody, 2);
  static const int nodes[] = {0, 0, 1, 1, 2, 3};
  assert_int_equal(m->body_bvhnum[0], 5);
  assert_memory_equal(m->bvh_nodeid, nodes, sizeof(nodes));
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies),     cmocka_unit_test(geoms),      cmocka_unit_test(contacts),
      cmocka_unit_test(equalities), cmocka_unit_test(tendons),    cmocka_unit_test(actuators),
      cmocka_unit_test(sensors),    cmocka_unit_test(custom),     cmocka_unit_test(shortKeyframes),
      cmocka_unit_test(settings),   cmocka_unit_test(fusedTrees), cmocka_unit_test(defaults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
