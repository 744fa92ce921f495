// Dragging bodies: where the spring starts, how the mouse moves it, and what it does to the simulation.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "support/catch.h"
#include "support/model.h"
#include "support/stage.h"

// a floating body with a part, a mocap body, a hinge on the world, a body that stands still
static const char* const XML =
    "<mujoco><worldbody>"
    "<body pos='0 0 1'><freejoint/><geom size='0.2' pos='0.1 0 0'/>"
    "<body pos='0.3 0 0'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0.3 0.1 0' size='0.05'/></body></body>"
    "<body name='mocap' mocap='true' pos='1 0 0.5'><geom type='box' size='0.1 0.2 0.3'/></body>"
    "<body pos='-1 0 1'><joint axis='1 0 0'/><geom type='box' size='0.1 0.2 0.05' pos='0 0.2 0'/></body>"
    "<body pos='0 2 0'><geom size='0.1'/></body>"
    "</worldbody></mujoco>";

// eyes at a free camera
static mjvScene look(const mjModel* m, const mjData* d, mjtNum azimuth, int orthographic) {
  mjvScene scn;
  mjvCamera cam;
  memset(&scn, 0, sizeof(scn));
  scn.scale = 1;
  mjv_defaultFreeCamera(m, &cam);
  cam.azimuth = azimuth;
  mjv_updateCamera(m, d, &cam, &scn);
  scn.camera[0].orthographic = scn.camera[1].orthographic = orthographic;
  return scn;
}

static void springStartsAtRest(void** state) {
  (void)state;
  TstScene s = tst_openScene(XML);
  mj_forward(s.m, s.d);
  const mjvScene scn = look(s.m, s.d, 30, 0);
  mjvPerturb pert;
  mjv_defaultPerturb(&pert);
  pert.select = 4;
  pert.active = mjPERT_TRANSLATE | mjPERT_ROTATE;
  pert.localpos[1] = 0.1;
  mjv_initPerturb(s.m, s.d, &scn, &pert);
  mjv_applyPerturbForce(s.m, s.d, &pert);
  for (int i = 0; i < 6; i++) assert_true(fabs(s.d->xfrc_applied[6 * 4 + i]) < 1e-12);

  // pulling the point up lifts it, and nothing happens to a selection that is not there
  pert.refselpos[2] += 0.5;
  pert.active = mjPERT_TRANSLATE;
  mjv_applyPerturbForce(s.m, s.d, &pert);
  const mjtNum lift = s.d->xfrc_applied[6 * 4 + 2];
  assert_true(fabs(lift - 0.5 * (mjtNum)s.m->vis.map.stiffness * pert.localmass) < 1e-9 * lift);
  const mjvPerturb before = pert;
  pert.select = 99;
  mjv_initPerturb(s.m, s.d, &scn, &pert);
  pert.select = before.select;
  assert_memory_equal(&before, &pert, sizeof(pert));
  tst_closeScene(&s);
}

static void posesArrive(void** state) {
  (void)state;
  TstScene s = tst_openScene(XML);
  s.d->qpos[7] = 0.4;
  const mjvScene scn = look(s.m, s.d, 0, 0);
  for (int body = 1; body <= 3; body++) {
    mj_forward(s.m, s.d);
    mjvPerturb pert;
    mjv_defaultPerturb(&pert);
    pert.select = body;
    mjv_initPerturb(s.m, s.d, &scn, &pert);
    pert.active2 = mjPERT_TRANSLATE;
    pert.refpos[0] += 0.25;
    mjv_applyPerturbPose(s.m, s.d, &pert, 0);
    mj_forward(s.m, s.d);
    assert_true((fabs(s.d->xipos[3 * body] - pert.refpos[0]) < 1e-12) == (body == 3));
    mjv_applyPerturbPose(s.m, s.d, &pert, 1);
    mj_forward(s.m, s.d);
    for (int i = 0; i < 3; i++) assert_true(fabs(s.d->xipos[3 * body + i] - pert.refpos[i]) < 1e-12);
  }
  tst_closeScene(&s);
}

static void turnsAreLimited(void** state) {
  (void)state;
  TstScene s = tst_openScene(XML);
  mj_forward(s.m, s.d);
  const mjvScene scn = look(s.m, s.d, 0, 0);
  mjvPerturb pert;
  mjv_defaultPerturb(&pert);
  pert.select = 1;
  mjv_initPerturb(s.m, s.d, &scn, &pert);
  mjtNum quat[4], turn[3];
  for (int k = 0; k < 10; k++) mjv_movePerturb(s.m, s.d, mjMOUSE_ROTATE_V, 0.1, 0, &scn, &pert);
  mju_mulQuat(quat, s.d->xquat + 4, s.m->body_iquat + 4);
  mju_subQuat(turn, pert.refquat, quat);
  assert_true(fabs(mju_norm3(turn) - mjPI / 2) < 1e-9);

  // orientations have length 1 again after every turn
  for (int k = 0; k < 4; k++) pert.refquat[k] = 2 * quat[k];
  mjv_movePerturb(s.m, s.d, mjMOUSE_ROTATE_H, 0.02, 0.03, &scn, &pert);
  assert_true(fabs(mju_norm(pert.refquat, 4) - 1) < 1e-15);
  assert_non_null(CATCH(mjv_movePerturb(s.m, s.d, 0, 0, 0, &scn, &pert)));
  tst_closeScene(&s);
}

//---------------------------------- against the reference ---------------------------------------------------------

static void comparePerturb(Stage* s, const mjvPerturb* ref, const mjvPerturb* our) {
  stg_near(s, "refpos", ref->refpos, our->refpos, 3, 1e-12);
  stg_near(s, "refquat", ref->refquat, our->refquat, 4, 1e-12);
  stg_near(s, "refselpos", ref->refselpos, our->refselpos, 3, 1e-12);
  stg_near(s, "localmass", &ref->localmass, &our->localmass, 1, 1e-12);
  stg_near(s, "scale", &ref->scale, &our->scale, 1, 1e-12);
}

// every mouse action on one body, then its effect on the data
static void dragOne(Stage* s, Rnd* rnd, int body, int round) {
  const mjModel* const m = s->m;
  mjvScene scn = look(m, s->d, rnd_uniform(rnd, -180, 180), round & 1);
  mjvPerturb ref, our;
  mjv_defaultPerturb(&ref);
  ref.select = body;
  if (m->nflex) ref.flexselect = round % (m->nflex + 1) - 1;
  for (int i = 0; i < 3; i++) ref.localpos[i] = rnd_uniform(rnd, -0.1, 0.1);
  our = ref;
  ORC(mjv_initPerturb)(m, s->ref, &scn, &ref);
  mjv_initPerturb(m, s->d, &scn, &our);
  comparePerturb(s, &ref, &our);
  for (int action = mjMOUSE_ROTATE_V; action <= mjMOUSE_MOVE_H_REL; action++) {
    const mjtNum dx = rnd_uniform(rnd, -0.3, 0.3), dy = rnd_uniform(rnd, -0.3, 0.3);
    ORC(mjv_movePerturb)(m, s->ref, action, dx, dy, &scn, &ref);
    mjv_movePerturb(m, s->d, action, dx, dy, &scn, &our);
    comparePerturb(s, &ref, &our);
  }
  ref.active = our.active = round % 4;
  ref.active2 = our.active2 = round / 4 % 4;
  ORC(mjv_applyPerturbForce)(m, s->ref, &ref);
  mjv_applyPerturbForce(m, s->d, &our);
  stg_near(s, "xfrc_applied", s->ref->xfrc_applied, s->d->xfrc_applied, 6 * (int)m->nbody, 1e-11);
  for (int paused = 0; paused < 2; paused++) {
    ORC(mjv_applyPerturbPose)(m, s->ref, &ref, paused);
    mjv_applyPerturbPose(m, s->d, &our, paused);
  }
  stg_near(s, "qpos", s->ref->qpos, s->d->qpos, (int)m->nq, 1e-12);
  stg_near(s, "mocap_pos", s->ref->mocap_pos, s->d->mocap_pos, 3 * (int)m->nmocap, 1e-12);
  stg_near(s, "mocap_quat", s->ref->mocap_quat, s->d->mocap_quat, 4 * (int)m->nmocap, 1e-12);
}

static void draggingAgrees(void** state) {
  (void)state;
  mjModel* models[] = {tst_string(XML), tst_model("flex"), tst_model("joints")};
  Rnd rnd = {5};
  for (size_t k = 0; k < sizeof(models) / sizeof(models[0]); k++) {
    Stage s = stg_open("perturb", models[k]);
    for (int round = 0; round < 16; round++) {
      stg_randomize(&s, &rnd, 0.3);
      stg_forward(&s);
      dragOne(&s, &rnd, 1 + rnd_below(&rnd, (int)s.m->nbody - 1), round);
    }
    assert_int_equal(s.errors, 0);
    stg_close(&s);
    mj_deleteModel(models[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(springStartsAtRest),
      cmocka_unit_test(posesArrive),
      cmocka_unit_test(turnsAreLimited),
      cmocka_unit_test(draggingAgrees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
