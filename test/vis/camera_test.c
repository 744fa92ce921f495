// Defaults and cameras of the visualiser: frames, view volumes, eyes, and what the mouse does to them.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/catch.h"
#include "support/model.h"
#include "support/oracle.h"
#include "support/random.h"

// cameras of every kind over a body that moves
static const char* const XML =
    "<mujoco><visual><global fovy='50' ipd='0.1' azimuth='30' elevation='-20'/></visual>"
    "<statistic extent='3' center='1 2 3'/>"
    "<worldbody><camera name='plain' pos='1 -2 1' xyaxes='1 0.5 0 0 0 1' fovy='60'/>"
    "<camera name='flat' pos='0 -1 1' projection='orthographic' fovy='4'/>"
    "<camera name='lens' pos='0 1 2' resolution='640 480' sensorsize='0.0064 0.0048' focal='0.005 0.004'"
    " principal='0.0003 -0.0002'/>"
    "<body pos='0.5 0.2 1'><freejoint/><geom size='0.2'/><body pos='0.3 0 0'><joint/><geom size='0.1'/></body></body>"
    "</worldbody></mujoco>";

//---------------------------------- helpers -----------------------------------------------------------------------

static mjvScene twoEyes(const mjModel* m, mjData* d) {
  mjvScene scn;
  mjvCamera cam;
  memset(&scn, 0, sizeof(scn));
  scn.scale = 1;
  scn.rotate[0] = 1;
  mjv_defaultFreeCamera(m, &cam);
  mjv_updateCamera(m, d, &cam, &scn);
  return scn;
}

// a model placed anywhere in the room
static void placeModel(mjvScene* scn, Rnd* rnd) {
  mjtNum quat[4];
  scn->enabletransform = 1;
  scn->scale = (float)rnd_uniform(rnd, 0.5, 2);
  for (int i = 0; i < 3; i++) scn->translate[i] = (float)rnd_uniform(rnd, -1, 1);
  for (int i = 0; i < 4; i++) quat[i] = rnd_uniform(rnd, -1, 1);
  mju_normalize4(quat);
  mju_n2f(scn->rotate, quat, 4);
}

static void assertNear(const mjtNum* a, const mjtNum* b, int n) {
  for (int i = 0; i < n; i++) assert_true(fabs(a[i] - b[i]) < 1e-12);
}

static void assertNearFloat(const float* a, const float* b, int n) {
  for (int i = 0; i < n; i++) assert_true(fabsf(a[i] - b[i]) <= 1e-6f * fmaxf(1, fabsf(b[i])));
}

static void assertSameCamera(const mjvCamera* a, const mjvCamera* b) {
  assert_int_equal(a->type, b->type);
  assertNear(a->lookat, b->lookat, 3);
  const mjtNum view[2][3] = {
      {a->distance, a->azimuth, a->elevation},
      {b->distance, b->azimuth, b->elevation}
  };
  assertNear(view[0], view[1], 3);
}

static void assertSameEyes(const mjvScene* a, const mjvScene* b) {
  for (int n = 0; n < 2; n++) {
    assertNearFloat((const float*)(a->camera + n), (const float*)(b->camera + n), 15);
    assert_int_equal(a->camera[n].orthographic, b->camera[n].orthographic);
  }
  assert_int_equal(a->enabletransform, b->enabletransform);
}

//---------------------------------- facts -------------------------------------------------------------------------

static void defaultsAreBlank(void** state) {
  (void)state;
  mjvCamera cam;
  mjvPerturb pert;
  mjvOption opt;
  mjv_defaultCamera(&cam);
  mjv_defaultPerturb(&pert);
  mjv_defaultOption(&opt);
  assert_true(cam.type == mjCAMERA_FREE && cam.trackbodyid == -1 && cam.distance == 2);
  assert_true(pert.refquat[0] == 1 && pert.select == 0 && pert.skinselect == -1);
  assert_true(opt.geomgroup[2] && !opt.geomgroup[3] && opt.skingroup[0] && opt.flags[mjVIS_TEXTURE]);
  assert_true(!opt.flags[mjVIS_JOINT] && opt.bvh_depth == 1);
}

static void roomAndModelAreInverse(void** state) {
  (void)state;
  TstScene s = tst_openScene(XML);
  mj_forward(s.m, s.d);
  mjvScene scn = twoEyes(s.m, s.d);
  Rnd rnd = {7};
  const mjtNum pos[3] = {0.3, -0.4, 2}, quat[4] = {0.5, 0.5, -0.5, 0.5};
  for (int k = 0; k < 5; k++) {
    mjtNum room[3], roomquat[4], back[3], backquat[4];
    placeModel(&scn, &rnd);
    scn.scale = 1;  // scale is applied behind the translation one way and before it the other
    mjv_model2room(room, roomquat, pos, quat, &scn);
    mjv_room2model(back, backquat, room, roomquat, &scn);
    for (int i = 0; i < 3; i++) assert_true(fabs(back[i] - pos[i]) < 1e-6);
    for (int i = 0; i < 4; i++) assert_true(fabs(backquat[i] - quat[i]) < 1e-6);
  }
  scn.scale = 0;
  mjtNum p[3], q[4];
  assert_string_equal(CATCH(mjv_model2room(p, q, pos, quat, &scn)), "mjv_model2room: mjvScene scale too small");
  tst_closeScene(&s);
}

static void freeCameraLooksAtItsPoint(void** state) {
  (void)state;
  TstScene s = tst_openScene(XML);
  mj_forward(s.m, s.d);
  mjvScene scn = twoEyes(s.m, s.d);
  mjtNum head[3], forward[3], up[3];
  mjv_cameraInModel(head, forward, up, &scn);
  assert_true(fabs(mju_dot3(forward, up)) < 1e-6);
  for (int i = 0; i < 3; i++) assert_true(fabs(head[i] + 4.5 * forward[i] - s.m->stat.center[i]) < 1e-5);
  assert_true(fabs(mjv_frustumHeight(&scn) - 2 * tan(25 * mjPI / 180)) < 1e-6);

  // the eyes lie ipd apart and their mean is the camera itself
  mjtNum apart = 0;
  for (int i = 0; i < 3; i++) apart += pow(scn.camera[1].pos[i] - scn.camera[0].pos[i], 2);
  assert_true(fabs(sqrt(apart) - 0.1) < 1e-6);
  const mjvGLCamera mean = mjv_averageCamera(scn.camera, scn.camera + 1);
  for (int i = 0; i < 3; i++) assert_true(fabs(mean.pos[i] - head[i]) < 1e-6);
  scn.camera[0].orthographic = 1;
  assert_non_null(CATCH(mjv_averageCamera(scn.camera, scn.camera + 1)));
  assert_non_null(CATCH(mjv_frustumHeight(&scn)));
  tst_closeScene(&s);
}

static void mouseStaysInBounds(void** state) {
  (void)state;
  TstScene s = tst_openScene(XML);
  mj_forward(s.m, s.d);
  mjvScene scn = twoEyes(s.m, s.d);
  mjvCamera cam;
  mjv_defaultFreeCamera(s.m, &cam);
  mjv_moveCamera(s.m, mjMOUSE_ROTATE_V, 2, 5, &scn, &cam);
  assert_true(cam.elevation == -89 && fabs(cam.azimuth) <= 360);
  for (int k = 0; k < 100; k++) mjv_moveCamera(s.m, mjMOUSE_ZOOM, 0, -1, &scn, &cam);
  assert_true(cam.distance == 300);
  assert_string_equal(CATCH(mjv_moveCamera(s.m, 77, 0, 0, &scn, &cam)), "mjv_moveCamera: unexpected action 77");
  cam.type = mjCAMERA_FIXED;
  mjv_moveCamera(s.m, mjMOUSE_ROTATE_V, 1, 1, &scn, &cam);
  assert_true(cam.elevation == -89);
  cam.fixedcamid = 9;
  assert_string_equal(CATCH(mjv_cameraFrustum(NULL, NULL, NULL, s.m, &cam)),
                      "mjv_cameraFrustum: fixed camera id is outside valid range");
  tst_closeScene(&s);
}

//---------------------------------- against the reference ---------------------------------------------------------

static void defaultsAgree(void** state) {
  (void)state;
  mjModel* const m = tst_string(XML);
#define AGREE(type, call, refcall)                   \
  {                                                  \
    type* const ours = malloc(sizeof(type));         \
    type* const theirs = malloc(sizeof(type));       \
    memset(ours, 1, sizeof(type));                   \
    memset(theirs, 1, sizeof(type));                 \
    call;                                            \
    refcall;                                         \
    assert_memory_equal(ours, theirs, sizeof(type)); \
    free(ours);                                      \
    free(theirs);                                    \
  }
  AGREE(mjvPerturb, mjv_defaultPerturb(ours), ORC(mjv_defaultPerturb)(theirs))
  AGREE(mjvFigure, mjv_defaultFigure(ours), ORC(mjv_defaultFigure)(theirs))
#undef AGREE
  mjvCamera cam[2];
  mjvOption opt[2];
  mjv_defaultFreeCamera(m, cam);
  ORC(mjv_defaultFreeCamera)(m, cam + 1);
  assertSameCamera(cam, cam + 1);
  assert_int_equal(cam[0].orthographic, cam[1].orthographic);
  mjv_defaultOption(opt);
  ORC(mjv_defaultOption)(opt + 1);
  assert_memory_equal(opt, opt + 1, offsetof(mjvOption, flags) + mjNVISFLAG);
  assert_int_equal(opt[0].bvh_depth, opt[1].bvh_depth);
  mj_deleteModel(m);
}

static void eyesAgree(void** state) {
  (void)state;
  TstScene s = tst_openScene(XML);
  mj_forward(s.m, s.d);
  Rnd rnd = {3};
  for (int k = 0; k < 24; k++) {
    mjvCamera cam;
    mjv_defaultFreeCamera(s.m, &cam);
    s.m->vis.global.orthographic = k & 1;
    cam.orthographic = k >> 1 & 1;
    cam.azimuth = rnd_uniform(&rnd, -180, 180);
    cam.elevation = rnd_uniform(&rnd, -90, 90);
    if (k % 3 == 1) cam.type = mjCAMERA_FIXED, cam.fixedcamid = k / 3 % 3;
    if (k % 3 == 2) cam.type = mjCAMERA_TRACKING, cam.trackbodyid = k / 3 % 3;
    mjvScene ours = twoEyes(s.m, s.d), theirs = ours;
    mjvCamera cam2 = cam;
    mjv_updateCamera(s.m, s.d, &cam, &ours);
    ORC(mjv_updateCamera)(s.m, s.d, &cam2, &theirs);
    assertSameCamera(&cam, &cam2);
    assertSameEyes(&ours, &theirs);

    // frames in the room and in the model
    mjtNum frame[2][4][3];
    mjv_cameraFrame(frame[0][0], frame[0][1], frame[0][2], frame[0][3], s.d, &cam);
    ORC(mjv_cameraFrame)(frame[1][0], frame[1][1], frame[1][2], frame[1][3], s.d, &cam);
    assertNear(frame[0][0], frame[1][0], 12);
    float volume[2][3][2];
    mjv_cameraFrustum(volume[0][0], volume[0][1], volume[0][2], s.m, &cam);
    ORC(mjv_cameraFrustum)(volume[1][0], volume[1][1], volume[1][2], s.m, &cam);
    assertNearFloat(volume[0][0], volume[1][0], 6);
    placeModel(&ours, &rnd);
    mjv_cameraInModel(frame[0][0], frame[0][1], frame[0][2], &ours);
    ORC(mjv_cameraInModel)(frame[1][0], frame[1][1], frame[1][2], &ours);
    assertNear(frame[0][0], frame[1][0], 9);
    mjv_cameraInRoom(frame[0][0], frame[0][1], frame[0][2], &ours);
    ORC(mjv_cameraInRoom)(frame[1][0], frame[1][1], frame[1][2], &ours);
    assertNear(frame[0][0], frame[1][0], 9);
    const mjtNum height[2] = {mjv_frustumHeight(&ours), ORC(mjv_frustumHeight)(&ours)};
    assertNear(height, height + 1, 1);
    const mjvGLCamera mean[2] = {mjv_averageCamera(ours.camera, ours.camera + 1),
                                 ORC(mjv_averageCamera)(ours.camera, ours.camera + 1)};
    assertNearFloat((const float*)mean, (const float*)(mean + 1), 15);

    // a pose there and back
    mjtNum pose[2][7];
    const mjtNum pos[3] = {1, 2, 3}, quat[4] = {0.5, -0.5, 0.5, 0.5};
    mjv_room2model(pose[0], pose[0] + 3, pos, quat, &ours);
    ORC(mjv_room2model)(pose[1], pose[1] + 3, pos, quat, &ours);
    assertNear(pose[0], pose[1], 7);
    mjv_model2room(pose[0], pose[0] + 3, pos, quat, &ours);
    ORC(mjv_model2room)(pose[1], pose[1] + 3, pos, quat, &ours);
    assertNear(pose[0], pose[1], 7);
  }
  tst_closeScene(&s);
}

static void mouseAgrees(void** state) {
  (void)state;
  TstScene s = tst_openScene(XML);
  mj_forward(s.m, s.d);
  Rnd rnd = {11};
  const mjtNum roomup[3] = {0.1, 0.2, 0.97};
  for (int action = mjMOUSE_ROTATE_V; action <= mjMOUSE_MOVE_H_REL; action++) {
    for (int k = 0; k < 8; k++) {
      mjvScene scn = twoEyes(s.m, s.d);
      const mjtNum dx = rnd_uniform(&rnd, -1, 1), dy = rnd_uniform(&rnd, -1, 1);
      mjvCamera cam[2];
      mjv_defaultFreeCamera(s.m, cam);
      cam->orthographic = k & 1;
      cam->type = k & 2 ? mjCAMERA_TRACKING : mjCAMERA_FREE;
      cam[1] = cam[0];
      mjv_moveCamera(s.m, action, dx, dy, &scn, cam);
      ORC(mjv_moveCamera)(s.m, action, dx, dy, &scn, cam + 1);
      assertSameCamera(cam, cam + 1);

      // the model in the room
      placeModel(&scn, &rnd);
      mjvScene theirs = scn;
      mjv_moveModel(s.m, action, dx, dy, roomup, &scn);
      ORC(mjv_moveModel)(s.m, action, dx, dy, roomup, &theirs);
      assertNearFloat(scn.translate, theirs.translate, 3);
      assertNearFloat(scn.rotate, theirs.rotate, 4);
      assertNearFloat(&scn.scale, &theirs.scale, 1);
      const mjtNum vec[3] = {dx, dy, 0.3}, forward[3] = {dy, 0.4, dx};
      mjtNum aligned[2][3];
      mjv_alignToCamera(aligned[0], vec, forward);
      ORC(mjv_alignToCamera)(aligned[1], vec, forward);
      assertNear(aligned[0], aligned[1], 3);
    }
  }
  tst_closeScene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaultsAreBlank),
      cmocka_unit_test(roomAndModelAreInverse),
      cmocka_unit_test(freeCameraLooksAtItsPoint),
      cmocka_unit_test(mouseStaysInBounds),
      cmocka_unit_test(defaultsAgree),
      cmocka_unit_test(eyesAgree),
      cmocka_unit_test(mouseAgrees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
