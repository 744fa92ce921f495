// Sensors, forces on bodies and rays on a GPU against the CPU.
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
#include "support/twin.h"

static const char* const FIELDS[] = {"xmat",           "ximat",  "site_xpos", "site_xmat",  "cam_xpos",
                                     "cam_xmat",       "cacc",   "cfrc_int",  "cfrc_ext",   "subtree_linvel",
                                     "subtree_angmom", "cinert", "cdof",      "sensordata", NULL};

// every sensor that the kernels have, on objects of every kind
static const char SENSORS[] =
    "<mujoco><option %s magnetic='.1 .2 .5'/><default><geom contype='0' friction='.8 .01 .002'/></default>"
    "<asset><mesh name='tet' vertex='0 0 0 .3 0 0 0 .3 0 0 0 .3'/><hfield name='hills' nrow='4' ncol='5' size='.5 .5 "
    ".2 .1' "
    "elevation='0 .1 .5 .2 0  .3 .2 .9 .1 0  0 .2 .4 .6 .3  .1 0 .2 .1 .5'/></asset>"
    "<worldbody><geom type='plane' size='5 5 .1' contype='1'/><geom type='mesh' mesh='tet' pos='.8 .1 .3' euler='10 20 "
    "30' "
    "conaffinity='0'/><geom type='hfield' hfield='hills' pos='-1 0 .1' conaffinity='0'/><geom type='box' size='.1 .2 "
    ".1' pos='0 1 "
    ".4' euler='0 20 10' conaffinity='0'/><geom type='cylinder' size='.1 .2' pos='0 -1 .4' euler='40 0 0' "
    "conaffinity='0'/>"
    "<geom type='ellipsoid' size='.1 .2 .3' pos='1 1 .5' conaffinity='0'/><geom type='capsule' size='.1 .2' pos='-1 -1 "
    ".5' "
    "euler='30 40 0' conaffinity='0'/>"
    "<camera name='eye' pos='0 -2 1' xyaxes='1 0 0 0 .4 1' resolution='5 4' fovy='60'/><site name='w' pos='0 0 1'/>"
    "<body name='a' pos='0 0 .28' euler='5 0 0'><freejoint/><geom name='ga' type='sphere' size='.1'/><geom "
    "type='capsule' "
    "fromto='0 0 0 .3 0 -.2' size='.06' condim='%d'/>"
    "<site name='s' pos='.1 0 -.1' euler='20 30 40' size='.3'/><site name='box' type='box' size='.4 .4 .4'/>"
    "<camera name='track' mode='track' pos='1 0 1'/><camera name='target' mode='targetbody' target='c' pos='.1 0 .4'/>"
    "<camera name='com' mode='trackcom' pos='0 1 1'/><camera name='flat' pos='0 0 .5' resolution='3 2' fovy='1' "
    "projection='orthographic'/>"
    "<body name='b' pos='.2 0 .1'><joint name='ball' type='ball' range='0 .3' limited='true'/><geom type='capsule' "
    "fromto='0 0 "
    "0 .2 0 0' size='.04' mass='.4'/><site name='t' pos='.1 0 0' type='capsule' size='.12 .2'/>"
    "<body name='c' pos='.2 0 0'><joint name='h' axis='0 1 0' range='-.02 .01' limited='true' margin='.005' "
    "stiffness='.3'/><geom name='gc' type='sphere' size='.06'/><site name='u' pos='.05 0 0' type='ellipsoid' size='.1 "
    ".2 "
    ".3'/></body></body></body>"
    "<body name='d' pos='.5 .5 .3'><joint name='sl' type='slide' axis='0 0 1'/><geom type='box' size='.1 .1 "
    ".1'/></body></worldbody>"
    "<tendon><spatial name='sp' range='0 .3' limited='true' stiffness='5'><site site='s'/><site site='u'/></spatial>"
    "<fixed name='f'><joint joint='h' coef='1'/></fixed></tendon>"
    "<equality><connect body1='c' body2='d' anchor='.1 0 0' solref='.1 1'/><weld site1='w' site2='box' "
    "active='false'/></equality>"
    "<actuator><motor joint='h'/><position name='p' tendon='sp' kp='2'/><motor tendon='sp'/></actuator><sensor>"
    "<touch site='s'/><touch site='box'/><accelerometer site='s'/><accelerometer site='w'/><velocimeter "
    "site='u'/><gyro site='t'/>"
    "<force site='u'/><torque site='t'/><magnetometer site='s'/><rangefinder site='s' data='dist dir origin point "
    "normal depth'/>"
    "<rangefinder site='w' cutoff='.8'/><rangefinder camera='eye' data='dist normal depth'/><rangefinder "
    "camera='flat'/>"
    "<camprojection site='u' camera='eye'/>"
    "<jointpos joint='h'/><jointvel joint='h'/><tendonpos tendon='sp'/><tendonvel tendon='sp'/><actuatorpos "
    "actuator='p'/><actuatorvel actuator='p'/><actuatorfrc actuator='p'/>"
    "<jointactuatorfrc joint='h'/><tendonactuatorfrc tendon='sp'/><ballquat joint='ball'/><ballangvel joint='ball'/>"
    "<jointlimitpos joint='h'/><jointlimitvel joint='h'/><jointlimitfrc joint='h'/><jointlimitfrc joint='ball'/>"
    "<jointlimitpos joint='ball'/><jointlimitvel joint='ball'/><tendonlimitpos tendon='sp'/><tendonlimitvel "
    "tendon='sp'/>"
    "<tendonlimitfrc tendon='sp'/><framepos objtype='geom' objname='gc'/><framepos objtype='site' objname='u' "
    "reftype='camera' refname='track'/><framequat objtype='xbody' objname='b' reftype='site' refname='s'/>"
    "<framequat objtype='body' objname='c'/><framequat objtype='camera' objname='target'/><framexaxis objtype='site' "
    "objname='t'/><frameyaxis objtype='geom' objname='ga' reftype='body' refname='c'/><framezaxis objtype='camera' "
    "objname='eye'/><framelinvel objtype='site' objname='u' reftype='xbody' refname='a'/><framelinvel objtype='body' "
    "objname='b'/><frameangvel objtype='geom' objname='gc' reftype='site' refname='s'/><framelinacc objtype='xbody' "
    "objname='c'/><frameangacc objtype='site' objname='u'/><subtreecom body='a'/><subtreelinvel "
    "body='a'/><subtreeangmom "
    "body='a'/><subtreeangmom body='world'/><insidesite site='box' objtype='site' objname='s'/><insidesite site='t' "
    "objtype='geom' "
    "objname='gc'/><insidesite site='u' objtype='xbody' objname='d'/><e_potential/><e_kinetic/><clock/>"
    "<contact subtree1='a' reduce='mindist' num='3' data='found force torque dist pos normal tangent'/>"
    "<contact body1='a' body2='world' reduce='maxforce' num='1' data='found force normal'/><contact geom1='gc' "
    "reduce='netforce' "
    "data='found force torque pos'/><contact site='box' reduce='netforce' data='force torque'/>"
    "</sensor><keyframe><key qpos='0 0 .14 1 0 0 0 1 0 0 0 0 .05' qvel='.3 0 .2 .5 1 .2 .1 .3 .2 .5 "
    ".3'/></keyframe></mujoco>";

// sensors that are zero at the end of a run, at most: limits that are not reached, sites that nothing is inside of
enum { SILENT = 12 };

static void follow(const char* options, int condim, snType real, int backwards, int nstep) {
  char text[9000];
  snprintf(text, sizeof(text), SENSORS, options, condim);
  mjModel* const m = tst_string(text);
  Twin t = twin_open(m, real, backwards, NULL);
  assert_int_equal(sn_batchReset(t.cpu, NULL, 0), SN_OK);
  const TwinBounds bounds = {FIELDS, 1e-9, 1e-9};
  twin_follow(&t, &bounds, nstep);

  // nearly all of them have something to tell
  int n, silent = 0;
  mjtNum* const data = twin_read(&t, 1, "sensordata", &n);
  for (int i = 0; i < m->nsensor; i++) {
    mjtNum size = 0;
    for (int k = 0; k < m->sensor_dim[i]; k++) size += fabs(data[m->sensor_adr[i] + k]);
    silent += size == 0;
  }
  if (silent > SILENT) fail_msg("%d of %d sensors are zero", silent, (int)m->nsensor);
  free(data);
  twin_close(&t);
  mj_deleteModel(m);
}

static void allSensors(void** state) {
  (void)state;
  follow("cone='pyramidal'", 3, SN_FLOAT64, 0, 30);
  follow("cone='elliptic' integrator='implicitfast'", 6, SN_FLOAT64, 1, 20);
  follow("cone='elliptic'", 4, SN_FLOAT64, 0, 20);
}

// after steps, sensors belong to the state before the last one, also of Runge-Kutta
static void sensorsAfterSteps(void** state) {
  (void)state;
  static const char* const OPTIONS[] = {"integrator='RK4'", "integrator='Euler'"};
  for (int i = 0; i < 2; i++) {
    char text[9000];
    snprintf(text, sizeof(text), SENSORS, OPTIONS[i], 3);
    mjModel* const m = tst_string(text);
    Twin t = twin_open(m, SN_FLOAT64, 0, NULL);
    snField f;
    assert_int_equal(sn_batchReset(t.cpu, NULL, 0), SN_OK);
    twin_copyState(&t);
    assert_int_equal(sn_batchField(t.cpu, 0, "sensordata", &f), SN_OK);
    assert_int_equal(sn_batchField(t.gpu, 0, "sensordata", &f), SN_OK);
    for (int k = 1; k < 4; k++) {
      assert_int_equal(sn_batchStep(t.cpu, NULL, k), SN_OK);
      assert_int_equal(sn_batchStep(t.gpu, NULL, k), SN_OK);
      twin_compare(&t, "sensordata", 1e-9, k);
    }
    twin_close(&t);
    mj_deleteModel(m);
  }
}

// sensors that the kernels do not have are named when somebody asks; the model runs
static void refusals(void** state) {
  (void)state;
  mjModel* const m = tst_string(
      "<mujoco><worldbody><body><freejoint/><geom name='a' size='.1'/></body><body pos='1 0 0'><freejoint/>"
      "<geom name='b' size='.1'/></body></worldbody><sensor><distance geom1='a' geom2='b'/><user "
      "dim='1'/></sensor></mujoco>");
  Twin t = twin_open(m, SN_FLOAT64, 0, NULL);
  snField f;
  assert_int_equal(sn_batchStep(t.gpu, NULL, 1), SN_OK);
  assert_int_equal(sn_batchField(t.gpu, 0, "sensordata", &f), SN_ERROR);
  assert_non_null(strstr(sn_batchMessage(t.gpu, -1), "distances of geoms, sensors of plugins or users"));
  assert_int_equal(sn_batchField(t.gpu, 0, "kept", &f), SN_ERROR);
  twin_close(&t);
  mj_deleteModel(m);
}

//---------------------------------- rays ----------------------------------

// a lidar on a body, a height scan that stands upright, and a grid from above, against all kinds of geoms
static void lidars(void** state) {
  (void)state;
  enum { NRAY = 40 };
  char text[9000];
  snprintf(text, sizeof(text), SENSORS, "", 3);
  mjModel* const m = tst_string(text);
  const mjtByte group[mjNGROUP] = {1, 0, 0, 0, 0, 0};
  mjtNum pnt[3 * NRAY] = {0}, fan[3 * NRAY], down[3 * NRAY];
  for (int i = 0; i < NRAY; i++) {
    pnt[3 * i] = .3 * (i % 8) - 1.2, pnt[3 * i + 1] = .4 * (i / 8) - 1;
    fan[3 * i] = cos(.3 * i), fan[3 * i + 1] = sin(.3 * i), fan[3 * i + 2] = .02 * i - .5;
    down[3 * i] = down[3 * i + 1] = 0, down[3 * i + 2] = -2;
  }
  const mjtNum origin[3 * NRAY] = {0};
  mjtNum high[3 * NRAY];
  for (int i = 0; i < 3 * NRAY; i++) high[i] = pnt[i] + (i % 3 == 2 ? 3 : 0);
  const snRays rays[] = {
      {.nray = NRAY,      .pnt = origin, .vec = fan, .objtype = mjOBJ_SITE, .objid = 1, .flg_static = 1,             .bodyexclude = 1                },
      {.nray = NRAY,
       .pnt = pnt,
       .vec = down,
       .objtype = mjOBJ_XBODY,
       .objid = 1,
       .upright = 1,
       .flg_static = 1,
       .cutoff = .3,
       .bodyexclude = -1},
      {.nray = NRAY,
       .pnt = high,
       .vec = down,
       .objtype = mjOBJ_UNKNOWN,
       .geomgroup = group,
       .flg_static = 1,
       .bodyexclude = -1                                                                                                                            },
      {.nray = NRAY, .pnt = high,              .vec = down,             .objtype = mjOBJ_CAMERA,                       .objid = 3,         .upright = 1, .bodyexclude = 0},
  };
  for (int backwards = 0; backwards < 2; backwards++) {
    Twin t = twin_open(m, SN_FLOAT64, backwards, NULL);
    snField cpu[4], gpu[4];
    assert_int_equal(sn_batchReset(t.cpu, NULL, 0), SN_OK);
    twin_copyState(&t);
    int hits = 0;
    for (int i = 0; i < 4; i++) {
      assert_int_equal(sn_batchRays(t.cpu, 0, rays + i, cpu + i), SN_OK);
      assert_int_equal(sn_batchRays(t.gpu, 0, rays + i, gpu + i), SN_OK);
      assert_int_equal(gpu[i].shape[1], NRAY);
    }
    for (int k = 0; k < 3; k++) {
      assert_int_equal(k ? sn_batchStep(t.cpu, NULL, 20) : sn_batchForward(t.cpu, NULL), SN_OK);
      assert_int_equal(k ? sn_batchStep(t.gpu, NULL, 20) : sn_batchForward(t.gpu, NULL), SN_OK);
      for (int i = 0; i < 4; i++) {
        mjtNum got[TWIN_N * NRAY];
        assert_int_equal(sn_batchRead(t.gpu, gpu + i, got), SN_OK);
        const mjtNum* const expected = cpu[i].data;
        for (int r = 0; r < TWIN_N * NRAY; r++) {
          if (!(fabs(got[r] - expected[r]) < 1e-9)) fail_msg("rays %d, %d: %g, not %g", i, r, got[r], expected[r]);
          hits += expected[r] >= 0;
        }
      }
    }
    assert_true(hits > 300 && hits < 3 * 4 * TWIN_N * NRAY);
    twin_close(&t);
  }
  mj_deleteModel(m);
}

// descriptions that make no sense are refused, on both
static void badRays(void** state) {
  (void)state;
  mjModel* const m = tst_string("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  Twin t = twin_open(m, SN_FLOAT64, 0, NULL);
  const mjtNum zero[3] = {0, 0, 0}, one[3] = {1, 0, 0};
  const struct {
    snRays rays;
    const char* message;
  } CASES[] = {
      {{.nray = 0, .pnt = zero, .vec = one},                          "nray"                       },
      {{.nray = 1, .pnt = zero, .vec = zero},                         "ray 0 has no direction"     },
      {{.nray = 1, .pnt = zero, .vec = one, .objtype = mjOBJ_SITE},   "rays.objid = 0 is none of 0"},
      {{.nray = 1, .pnt = zero, .vec = one, .objtype = mjOBJ_TENDON}, "rays start from"            },
  };
  for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
    for (int gpu = 0; gpu < 2; gpu++) {
      snBatch* const b = gpu ? t.gpu : t.cpu;
      snField f;
      assert_int_equal(sn_batchRays(b, 0, &CASES[i].rays, &f), SN_ERROR);
      assert_non_null(strstr(sn_batchMessage(b, -1), CASES[i].message));
      assert_int_equal(sn_batchRays(b, 3, &CASES[1].rays, &f), SN_ERROR);
    }
  }
  twin_close(&t);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(allSensors), cmocka_unit_test(sensorsAfterSteps), cmocka_unit_test(refusals),
      cmocka_unit_test(lidars),     cmocka_unit_test(badRays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
