// Pictures: what is where, in what colour, in shadow, mirrored or seen through. Skipped where OpenGL cannot be had.
#include "view/stage.h"

static unsigned char picture[STAGE_WIDTH * STAGE_HEIGHT * 3];

static const unsigned char* at(int x, int y) {
  return picture + 3 * (y * STAGE_WIDTH + x);
}

static int brightness(int x, int y) {
  return at(x, y)[0] + at(x, y)[1] + at(x, y)[2];
}

// draws a model as its first camera sees it
static void draw(const char* xml) {
  ViwTarget target;
  ViwApp* const app = stageDraw(&xml, &target);
  if (app->m->ncam) viw_chooseCamera(app, 2);
  stageFrame(app, picture);
  assert_int_equal(vgl.GetError(), 0);
  stageEnd(app, &target);
}

#define NEEDS_OPENGL \
  (void)state;       \
  if (!glc_make()) skip()

// a camera 2 m above the ground that looks down; x is to the right, y is up in the picture
#define ABOVE "<camera pos='0 0 2' fovy='60'/>"

static void shapesAreWhereTheyBelong(void** state) {
  NEEDS_OPENGL;
  static const char* const SHAPES[] = {
      "type='sphere' size='0.3'",       "type='box' size='0.3 0.3 0.3'",
      "type='cylinder' size='0.3 0.2'", "type='ellipsoid' size='0.3 0.3 0.1'",
      "type='capsule' size='0.2 0.2'",
  };
  for (size_t i = 0; i < sizeof(SHAPES) / sizeof(SHAPES[0]); i++) {
    char xml[600];
    snprintf(xml, sizeof(xml),
             "<mujoco><worldbody>" ABOVE "<geom %s rgba='0.9 0.1 0.1 1' pos='0.5 0 0'/></worldbody></mujoco>",
             SHAPES[i]);
    draw(xml);
    // 0.5 m to the right, about 2 m away: 26 pixels
    const unsigned char* const p = at(80 + 26, 60);
    if (!(p[0] > 90 && p[0] > 2 * p[1] && p[0] > 2 * p[2])) fail_msg("%s: %d %d %d", SHAPES[i], p[0], p[1], p[2]);
    const unsigned char* const q = at(80 - 26, 60);
    assert_true(q[2] >= q[0]);  // the sky
  }
}

// What is inside a closed shape is not seen from any side, nor in a mirror: the triangles that are left out are those
// that look away.
static void shapesHideTheirInside(void** state) {
  NEEDS_OPENGL;
  static const char* const SHAPES[] = {"sphere' size='0.3'", "box' size='0.3 0.3 0.3'", "cylinder' size='0.3 0.3'",
                                       "ellipsoid' size='0.3 0.35 0.4'", "capsule' size='0.3 0.1'"};
  static const char* const CAMERAS[] = {"pos='0 0 2'", "pos='0 -2 0' xyaxes='1 0 0 0 0 1'",
                                        "pos='1 -1.4 1' xyaxes='1 .7 0 -.4 .57 1'",
                                        "pos='-1 1.4 -.35' xyaxes='-1 -.7 0 .1 -.14 1'"};
  for (size_t i = 0; i < sizeof(SHAPES) / sizeof(SHAPES[0]) * sizeof(CAMERAS) / sizeof(CAMERAS[0]); i++) {
    const char *const shape = SHAPES[i / 4], *const camera = CAMERAS[i % 4];
    char xml[1000];
    snprintf(xml, sizeof(xml),
             "<mujoco><asset><material name='m' reflectance='0.6' rgba='0.2 0.2 0.2 1'/></asset><worldbody><camera %s "
             "fovy='60'/><geom type='plane' size='5 5 1' pos='0 0 -.6' material='m'/><geom type='%s rgba='1 0 0 1'/>"
             "<geom size='0.2' rgba='0 1 0 1'/></worldbody></mujoco>",
             camera, shape);
    draw(xml);
    int red = 0;
    for (int k = 0; k < STAGE_WIDTH * STAGE_HEIGHT; k++) {
      const unsigned char* const p = picture + 3 * (size_t)k;
      if (p[1] > p[0] + 40 && p[1] > p[2] + 40) fail_msg("%s from %s: the inside is seen at %d", shape, camera, k);
      red += p[0] > p[1] + 40;
    }
    assert_true(red > 500);
  }
}

// things are left out only where nothing of them can be seen
static void whatReachesIntoThePictureIsDrawn(void** state) {
  NEEDS_OPENGL;
  static const char* const GEOMS[] = {"type='sphere' size='0.3' pos='%g 0 0'",
                                      "type='capsule' size='0.05 0.3' pos='%g 0 0' euler='0 90 0'",
                                      "type='box' size='0.3 0.05 0.05' pos='%g 0 0'"};
  // the picture ends 1.54 m to the right, two metres away
  for (size_t i = 0; i < sizeof(GEOMS) / sizeof(GEOMS[0]); i++) {
    for (int side = -1; side <= 1; side += 2) {
      char xml[600], geom[200];
      snprintf(geom, sizeof(geom), GEOMS[i], side * 1.75);
      snprintf(xml, sizeof(xml), "<mujoco><worldbody>" ABOVE "<geom %s rgba='1 0 0 1'/></worldbody></mujoco>", geom);
      draw(xml);
      const unsigned char* const p = at(side > 0 ? STAGE_WIDTH - 2 : 1, 60);
      if (p[0] < 2 * p[2]) fail_msg("%s: %d %d %d", geom, p[0], p[1], p[2]);
    }
  }
}

// processors take cheaper functions for highlights, the borders of lamps and shadows; the picture is the same but for
// a few steps of brightness
static void processorsDrawTheSamePicture(void** state) {
  NEEDS_OPENGL;
  const char* xml =
      "<mujoco><asset><material name='m' specular='1' shininess='0.4'/><texture name='t' type='2d' builtin='checker' "
      "rgb1='.3 .4 .5' rgb2='.5 .5 .4' width='64' height='64'/><material name='f' texture='t' reflectance='.2' "
      "texuniform='true'/></asset><worldbody><camera pos='0 -2 1.5' xyaxes='1 0 0 0 .6 .8' fovy='60'/>"
      "<light pos='-1 -1 2' dir='.4 .4 -1' cutoff='40' exponent='12' attenuation='1 0 .1'/>"
      "<light directional='true' dir='.3 .2 -1' diffuse='.3 .3 .3' castshadow='false'/>"
      "<geom type='plane' size='0 0 1' material='f'/><geom size='.4' pos='-.3 0 .5' material='m' rgba='.7 .3 .2 1'/>"
      "<geom type='box' size='.2 .3 .4' pos='.6 .3 .4' rgba='.3 .6 .3 1'/></worldbody></mujoco>";
  static unsigned char other[sizeof(picture)];
  for (int soft = 0; soft < 2; soft++) {
    ViwApp app = {0};
    ViwTarget target;
    char error[VIW_ERROR_SIZE] = "";
    const ViwHost host = {.context = &xml, .load = stageLoad};
    assert_true(viw_openApp(&app, &host, glc_function, &(ViwStart){.frameTime = 1, .bare = 1, .paused = 1}, error));
    assert_true(viw_openTarget(&target, STAGE_WIDTH, STAGE_HEIGHT, 4, error));
    app.target = &target;
    // what follows from it is made again
    viw_freePrograms(&app.renderer);
    app.renderer.soft = soft;
    assert_true(viw_makePrograms(&app.renderer, error));
    viw_loadPath(&app, "stage.xml");
    viw_chooseCamera(&app, 2);
    stageFrame(&app, soft ? other : picture);
    viw_closeTarget(&target);
    viw_closeApp(&app);
  }
  double sum = 0;
  int worst = 0;
  for (size_t i = 0; i < sizeof(picture); i++) {
    const int off = abs(picture[i] - other[i]);
    sum += off;
    worst += off > 24;
  }
  if (sum > 2.0 * sizeof(picture) || worst > 60)
    fail_msg("%g on the average, %d far off", sum / sizeof(picture), worst);
}

// caps stay round however long a capsule is: its end is one radius beyond the half length
static void capsulesHaveRoundEnds(void** state) {
  NEEDS_OPENGL;
  draw("<mujoco><worldbody>" ABOVE
       "<geom type='capsule' size='0.1 0.5' euler='0 90 0' rgba='1 0 0 1'/></worldbody></mujoco>");
  const double scale = 60 / tan(30 * mjPI / 180) / 2;
  const int end = 80 + (int)(0.6 * scale), beyond = end + 4;
  assert_true(at(end - 3, 60)[0] > 2 * at(end - 3, 60)[2]);
  assert_true(at(beyond, 60)[0] <= at(beyond, 60)[2]);
  // the corner of a cylinder would be there
  const unsigned char* const corner = at(end - 1, 60 - (int)(0.09 * scale));
  assert_true(corner[0] <= corner[2]);
}

// the ray of a rangefinder, half a metre long, is as thin as a line and ends where it hits
static void linesAreThin(void** state) {
  NEEDS_OPENGL;
  draw("<mujoco><worldbody>" ABOVE
       "<site name='s' size='0.001' pos='-0.25 0 0' zaxis='1 0 0'/><body><geom type='box' size='0.05 0.5 0.5' pos='0.3 "
       "0 0' "
       "rgba='0 0 1 1'/></body></worldbody><sensor><rangefinder site='s'/></sensor></mujoco>");
  int yellow = 0, beside = 0;
  for (int x = 80 - 11; x < 80 + 11; x++) {
    for (int y = 60 - 8; y <= 60 + 8; y++) {
      const int is = at(x, y)[0] > 100 && at(x, y)[1] > 100 && at(x, y)[2] < at(x, y)[0] - 40;
      yellow += is;
      beside += is && abs(y - 60) > 3;
    }
  }
  assert_true(yellow >= 20 && beside == 0);
}

static void shadowsAreCastAndSwitchedOff(void** state) {
  NEEDS_OPENGL;
  const char* xml =
      "<mujoco><visual><headlight ambient='0.2 0.2 0.2' diffuse='0 0 0'/></visual><worldbody>" ABOVE
      "<light directional='true' pos='0 0 4' dir='1 0 -1' diffuse='0.7 0.7 0.7'/>"
      "<geom type='plane' size='3 3 1' rgba='0.8 0.8 0.8 1'/><geom size='0.15' pos='0 0 0.5'/></worldbody></mujoco>";
  ViwTarget target;
  ViwApp* const app = stageDraw(&xml, &target);
  viw_chooseCamera(app, 2);
  stageFrame(app, picture);
  // light comes from the left: the shadow of the ball lies half a metre to the right
  const int shaded = brightness(80 + 26, 60), lit = brightness(80 - 40, 60);
  assert_true(shaded < lit * 0.6);
  app->scene.flags[mjRND_SHADOW] = 0;
  stageFrame(app, picture);
  assert_true(brightness(80 + 26, 60) > lit * 0.9);
  stageEnd(app, &target);
}

static void floorMirrorsWhatStandsOnIt(void** state) {
  NEEDS_OPENGL;
  const char* xml =
      "<mujoco><asset><material name='m' reflectance='0.6' rgba='0.2 0.2 0.2 1'/></asset><worldbody>"
      "<camera pos='0 -2 0.5' xyaxes='1 0 0 0 0 1' fovy='60'/>"
      "<geom type='plane' size='5 5 1' material='m'/><geom type='box' size='0.2 0.2 0.2' pos='0 0 0.4' rgba='1 0 0 1'/>"
      "</worldbody></mujoco>";
  ViwTarget target;
  ViwApp* const app = stageDraw(&xml, &target);
  viw_chooseCamera(app, 2);
  stageFrame(app, picture);
  // the image of the box is as far below the floor as the box is above: 0.9 m below the camera, 2 m away
  const int y = 60 + (int)(0.9 / 1.8 * 60 / tan(30 * mjPI / 180));
  const unsigned char* const image = at(80, y);
  assert_true(image[0] > image[1] + 30);
  app->scene.flags[mjRND_REFLECTION] = 0;
  stageFrame(app, picture);
  assert_true(at(80, y)[0] < at(80, y)[1] + 10);
  stageEnd(app, &target);
}

static void glassShowsWhatIsBehind(void** state) {
  NEEDS_OPENGL;
  draw("<mujoco><worldbody>" ABOVE
       "<geom type='box' size='0.5 0.5 0.1' rgba='0 0.9 0 1'/>"
       "<geom type='box' size='0.5 0.5 0.1' pos='0 0 0.5' rgba='0.9 0 0 0.5'/></worldbody></mujoco>");
  assert_true(at(80, 60)[0] > 60 && at(80, 60)[1] > 60);
}

// flat texture on a plane: checks of half a metre
static void texturesLieWhereTheyBelong(void** state) {
  NEEDS_OPENGL;
  draw(
      "<mujoco><asset><texture name='t' type='2d' builtin='checker' rgb1='1 0 0' rgb2='0 1 0' width='64' height='64'/>"
      "<material name='m' texture='t' texrepeat='1 1' texuniform='true'/></asset><worldbody>" ABOVE
      "<geom type='plane' size='0 0 1' material='m'/></worldbody></mujoco>");
  const unsigned char *const a = at(80 + 13, 60 - 13), *const b = at(80 - 13, 60 - 13);
  assert_true((a[0] > a[1]) != (b[0] > b[1]));
  const unsigned char* const c = at(80 - 13, 60 + 13);
  assert_true((a[0] > a[1]) == (c[0] > c[1]));
}

static void meshesFlexesSkinsAndFieldsAreDrawn(void** state) {
  NEEDS_OPENGL;
  static const char* const SCENES[] = {"scenes/mesh_pile.xml", "scenes/terrain.xml", "scenes/puppet.xml",
                                       "test/models/flex.xml"};
  for (size_t i = 0; i < sizeof(SCENES) / sizeof(SCENES[0]); i++) {
    char error[300] = "";
    mjModel* const m = mj_loadXML(SCENES[i], NULL, error, sizeof(error));
    if (!m) fail_msg("%s", error);
    ViwTarget target;
    const char* empty = "<mujoco/>";
    ViwApp* const app = stageDraw(&empty, &target);
    viw_useModel(&app->renderer, m);
    mjData* const d = mj_makeData(m);
    mj_forward(m, d);
    mjvScene scene;
    mjvCamera camera;
    mjv_defaultScene(&scene);
    mjv_makeScene(m, &scene, 5000);
    mjv_defaultFreeCamera(m, &camera);
    mjv_updateScene(m, d, &app->option, NULL, &camera, mjCAT_ALL, &scene);
    viw_drawScene(&app->renderer, &scene, (const int[4]){0, 0, STAGE_WIDTH, STAGE_HEIGHT});
    assert_int_equal(vgl.GetError(), 0);
    // all geoms, in far fewer calls
    assert_true(app->renderer.opaque.n + app->renderer.transparent.n >= scene.ngeom / 2);
    assert_true(app->renderer.calls > 2);
    mjv_freeScene(&scene);
    mj_deleteData(d);
    viw_useModel(&app->renderer, NULL);
    mj_deleteModel(m);
    stageEnd(app, &target);
  }
}

// a hundred spheres are one call
static void equalThingsAreDrawnTogether(void** state) {
  NEEDS_OPENGL;
  static char xml[20000];
  int n = snprintf(xml, sizeof(xml), "<mujoco><worldbody>" ABOVE);
  for (int i = 0; i < 100; i++)
    n += snprintf(xml + n, sizeof(xml) - (size_t)n, "<geom size='0.01' pos='%g 0 0'/>", 0.01 * i);
  snprintf(xml + n, sizeof(xml) - (size_t)n, "</worldbody></mujoco>");
  const char* text = xml;
  ViwTarget target;
  ViwApp* const app = stageDraw(&text, &target);
  stageFrame(app, NULL);
  assert_int_equal(app->renderer.opaque.n, 100);
  // once for the shadow, once for the picture
  assert_int_equal(app->renderer.calls, 2);
  stageEnd(app, &target);
}

// pulling a body with the mouse, through the picture
static void mouseSelectsAndPulls(void** state) {
  NEEDS_OPENGL;
  const char* xml =
      "<mujoco><option gravity='0 0 0'/><worldbody><camera pos='0 -2 0' xyaxes='1 0 0 0 0 1' fovy='60'/>"
      "<body name='ball'><freejoint/><geom size='0.3'/></body></worldbody></mujoco>";
  ViwTarget target;
  ViwApp* const app = stageDraw(&xml, &target);
  viw_chooseCamera(app, 2);
  stageFrame(app, NULL);
  char error[VIW_ERROR_SIZE];
  assert_true(viw_startScript(app, "key space\ndrag 80 60 110 60 ctrl right over 20\nwait 5", error));
  while (!viw_scriptDone(app)) stageFrame(app, NULL);
  assert_int_equal(app->perturb.select, 1);
  assert_int_equal(app->perturb.active, 0);
  assert_true(app->d->qpos[0] > 0.02);
  assert_true(fabs(app->d->qpos[2]) < 0.02);

  // while paused it follows the mouse at once
  viw_reset(app, -1);
  app->paused = 1;
  assert_true(viw_startScript(app, "drag 80 60 110 60 ctrl right over 5\nwait 1", error));
  while (!viw_scriptDone(app)) stageFrame(app, NULL);
  assert_true(app->d->time == 0);
  assert_true(app->d->qpos[0] > 0.3);
  stageEnd(app, &target);
}

// a broken file leaves the model that was there, and the message is in the window
static void brokenFileKeepsTheModel(void** state) {
  NEEDS_OPENGL;
  const char* xml = "<mujoco><worldbody><body><joint name='j'/><geom size='0.1'/></body></worldbody></mujoco>";
  ViwTarget target;
  ViwApp* const app = stageDraw(&xml, &target);
  app->d->qpos[0] = 0.25;
  xml = "!arm.xml:3: no such element";
  assert_int_equal(viw_loadPath(app, "stage.xml"), 0);
  assert_string_equal(app->error, "arm.xml:3: no such element");
  assert_non_null(app->m);
  stageFrame(app, picture);
  // a dark box with a red edge at the upper left
  const unsigned char* const edge = at(13, 20);
  assert_true(edge[0] > 150 && edge[1] < 130);
  xml =
      "<mujoco><worldbody><body><joint name='other'/><joint name='j' axis='1 0 0'/><geom "
      "size='0.1'/></body></worldbody></mujoco>";
  assert_int_equal(viw_loadPath(app, "stage.xml"), 1);
  assert_string_equal(app->error, "");
  assert_true(app->d->qpos[1] == 0.25 && app->d->qpos[0] == 0);
  stageEnd(app, &target);
}

// without any model there is a window all the same
static void nothingIsShownAsNothing(void** state) {
  NEEDS_OPENGL;
  const char* xml = "!cannot read 'x.xml'";
  ViwTarget target;
  ViwApp* const app = stageDraw(&xml, &target);
  assert_null(app->m);
  for (int key = 32; key < 300; key++) viw_event(app, &(ViwEvent){.kind = VIW_EVENT_KEY, .key = key, .down = 1});
  for (int i = 0; i < 3; i++) stageFrame(app, picture);
  assert_int_equal(vgl.GetError(), 0);
  stageEnd(app, &target);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapesAreWhereTheyBelong),
      cmocka_unit_test(shapesHideTheirInside),
      cmocka_unit_test(whatReachesIntoThePictureIsDrawn),
      cmocka_unit_test(processorsDrawTheSamePicture),
      cmocka_unit_test(capsulesHaveRoundEnds),
      cmocka_unit_test(linesAreThin),
      cmocka_unit_test(shadowsAreCastAndSwitchedOff),
      cmocka_unit_test(floorMirrorsWhatStandsOnIt),
      cmocka_unit_test(glassShowsWhatIsBehind),
      cmocka_unit_test(texturesLieWhereTheyBelong),
      cmocka_unit_test(meshesFlexesSkinsAndFieldsAreDrawn),
      cmocka_unit_test(equalThingsAreDrawnTogether),
      cmocka_unit_test(mouseSelectsAndPulls),
      cmocka_unit_test(brokenFileKeepsTheModel),
      cmocka_unit_test(nothingIsShownAsNothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
