// Compiling again: state kept, the spec untouched, numbers copied back, the last XML saved.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile/same.h"

static const char* const MODEL =
    "<mujoco><compiler angle='degree'/><worldbody><frame euler='0 0 90' pos='1 0 0'>"
    "<body name='a' pos='0 1 0'><joint name='h' axis='1 0 0' range='-10 20' ref='30'/><geom size='.1' fromto='0 0 0 1 "
    "0 0'"
    " type='capsule'/><site name='s' pos='.1 .2 .3' euler='10 20 30'/></body></frame>"
    "<body name='b' pos='0 0 3'><freejoint/><geom size='.2'/></body>"
    "<body name='c' mocap='true' pos='0 0 5'><geom size='.3' contype='0' conaffinity='0'/></body></worldbody>"
    "<actuator><general name='u' joint='h' dyntype='filter'/></actuator></mujoco>";

static mjSpec* parse(const char* xml) {
  char error[500] = "";
  mjSpec* const spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s", error);
  return spec;
}

// the spec compiles to the same model again and again
static void specIsUntouched(void** state) {
  (void)state;
  mjSpec* const spec = parse(MODEL);
  mjModel* const first = mj_compile(spec, NULL);
  mjModel* const second = mj_compile(spec, NULL);
  assert_non_null(first);
  assert_non_null(second);
  assert_int_equal(differences(second, first), 0);
  mj_deleteModel(first);
  mj_deleteModel(second);
  mj_deleteSpec(spec);
}

static void stateIsKept(void** state) {
  (void)state;
  mjSpec* const spec = parse(MODEL);
  mjModel* const m = mj_compile(spec, NULL);
  assert_non_null(m);
  mjData* const d = mj_makeData(m);
  d->time = 3;
  d->qpos[0] = 0.25;
  d->qvel[0] = 0.5;
  for (int i = 0; i < 3; i++) d->qpos[1 + i] = 10 + i;
  d->act[0] = 0.75;
  d->ctrl[0] = -1;
  d->mocap_pos[2] = 7;

  // a new first body moves every address
  mjsBody* const world = mjs_findBody(spec, "world");
  mjsBody* const body = mjs_addBody(world, NULL);
  mjs_addFreeJoint(body);
  mjsGeom* const geom = mjs_addGeom(body, NULL);
  geom->size[0] = 0.1;
  mjsActuator* const actuator = mjs_addActuator(spec, NULL);
  actuator->trntype = mjTRN_JOINT;
  mjs_setString(actuator->target, "h");
  assert_int_equal(mj_recompile(spec, NULL, m, d), 0);
  assert_int_equal(m->nq, 15);
  assert_int_equal(m->nu, 2);
  const int hinge = m->jnt_qposadr[mj_name2id(m, mjOBJ_JOINT, "h")];
  const int other = m->jnt_qposadr[m->body_jntadr[mj_name2id(m, mjOBJ_BODY, "b")]];
  assert_true(d->time == 3 && d->qpos[hinge] == 0.25 && d->act[0] == 0.75 && d->ctrl[0] == -1 && d->ctrl[1] == 0);
  assert_true(d->qpos[other] == 10 && d->qpos[other + 2] == 12 && d->mocap_pos[2] == 7);
  mj_step(m, d);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

// copied back without a change, the spec gives the same model; copied back with one, the changed model
static void copiedBack(void** state) {
  (void)state;
  mjSpec* const spec = parse(MODEL);
  mjModel* const m = mj_compile(spec, NULL);
  assert_non_null(m);
  mjtNum* const fields[] = {m->jnt_solimp + 1,   m->jnt_solref,      m->dof_solimp + 1,    m->dof_solref,
                            m->jnt_margin,       m->dof_armature,    m->dof_damping,       m->dof_frictionloss,
                            m->jnt_stiffness,    m->geom_solimp + 1, m->geom_solref,       m->geom_solmix,
                            m->geom_friction,    m->geom_margin,     m->geom_gap,          m->actuator_gainprm,
                            m->actuator_biasprm, m->actuator_dynprm, m->actuator_ctrlrange};
  for (int edited = 0; edited < 2; edited++) {
    if (edited) {
      m->geom_size[0] = 0.15;
      m->site_pos[1] = 0.7;
      m->jnt_range[1] = 1.5;
      m->qpos0[0] = 0.3;
      m->actuator_gear[0] = 4;
      for (size_t k = 0; k < sizeof(fields) / sizeof(fields[0]); k++) fields[k][0] += 0.01 * (double)(k + 1);
    }
    mjtNum expected[sizeof(fields) / sizeof(fields[0])];
    for (size_t k = 0; k < sizeof(fields) / sizeof(fields[0]); k++) expected[k] = fields[k][0];
    assert_int_equal(mj_copyBack(spec, m), 1);
    mjModel* const again = mj_compile(spec, NULL);
    assert_non_null(again);
    assert_true(fabs(again->geom_size[0] - m->geom_size[0]) < 1e-14);
    assert_true(fabs(again->jnt_range[1] - m->jnt_range[1]) < 1e-14);
    assert_true(fabs(again->qpos0[0] - m->qpos0[0]) < 1e-14);
    assert_true(again->actuator_gear[0] == m->actuator_gear[0]);
    const mjtNum* const copied[] = {
        again->jnt_solimp + 1,   again->jnt_solref,      again->dof_solimp + 1,    again->dof_solref,
        again->jnt_margin,       again->dof_armature,    again->dof_damping,       again->dof_frictionloss,
        again->jnt_stiffness,    again->geom_solimp + 1, again->geom_solref,       again->geom_solmix,
        again->geom_friction,    again->geom_margin,     again->geom_gap,          again->actuator_gainprm,
        again->actuator_biasprm, again->actuator_dynprm, again->actuator_ctrlrange};
    for (size_t k = 0; k < sizeof(fields) / sizeof(fields[0]); k++) {
      if (copied[k][0] != expected[k]) fail_msg("field %zu: %g, not %g", k, copied[k][0], expected[k]);
    }
    for (int i = 0; i < 3; i++) {
      assert_true(fabs(again->site_pos[i] - m->site_pos[i]) < 1e-14);
      assert_true(fabs(again->geom_pos[i] - m->geom_pos[i]) < 1e-14);
      assert_true(fabs(again->jnt_axis[i] - m->jnt_axis[i]) < 1e-14);
      assert_true(fabs(again->body_pos[3 + i] - m->body_pos[3 + i]) < 1e-14);
    }
    mj_deleteModel(again);
  }

  // a model of another structure is refused
  mjModel* const other = compileText("<mujoco/>");
  assert_int_equal(mj_copyBack(spec, other), 0);
  assert_non_null(strstr(mjs_getError(spec), "CopyBack"));
  mj_deleteModel(other);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

// an error leaves nothing behind and says what is wrong; after a correction the spec compiles
static void errorAndAgain(void** state) {
  (void)state;
  mjSpec* const spec = parse(MODEL);
  mjsGeom* const geom = mjs_asGeom(mjs_firstElement(spec, mjOBJ_GEOM));
  geom->size[0] = 0;
  assert_null(mj_compile(spec, NULL));
  assert_non_null(strstr(mjs_getError(spec), "Error: size 0 must be positive in geom\nElement name '', id 0, line 1"));
  assert_int_equal(mjs_isWarning(spec), 0);
  geom->size[0] = 0.1;
  mjModel* const m = mj_compile(spec, NULL);
  assert_non_null(m);
  assert_string_equal(mjs_getError(spec), "");
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

static void lastXml(void** state) {
  (void)state;
  mjVFS vfs;
  char error[500] = "";
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "model.xml", MODEL, (int)strlen(MODEL)), 0);
  mj_freeLastXML();
  assert_int_equal(mj_saveLastXML("last_test.xml", NULL, error, sizeof(error)), 0);
  assert_string_equal(error, "No XML model loaded");
  mjModel* const m = mj_loadXML("model.xml", &vfs, error, sizeof(error));
  assert_non_null(m);
  m->geom_size[0] = 0.33;
  assert_int_equal(mj_saveLastXML("last_test.xml", m, error, sizeof(error)), 1);
  mjModel* const again = mj_loadXML("last_test.xml", NULL, error, sizeof(error));
  assert_non_null(again);
  assert_true(again->geom_size[0] == 0.33);
  remove("last_test.xml");
  mj_deleteModel(again);
  mj_deleteModel(m);
  mj_freeLastXML();
  mj_deleteVFS(&vfs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(specIsUntouched), cmocka_unit_test(stateIsKept), cmocka_unit_test(copiedBack),
      cmocka_unit_test(errorAndAgain),   cmocka_unit_test(lastXml),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
