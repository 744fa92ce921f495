// `sinew picture`: pictures that are what the library draws, in files that its own reader understands. Where no OpenGL
// context can be made, only what needs none is tested.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <mujoco/mujoco.h>

#include "cli/pictures.h"
#include "support/picture.h"

// A camera 2 m above a plane; the top of a box is 1.5 m away from it. The box falls when it is let go.
static const char BOX[] =
    "<mujoco>"
    "<asset><texture type='skybox' builtin='gradient' rgb1='1 1 1' rgb2='0 0 1' width='32' height='32'/></asset>"
    "<worldbody><light pos='1 0 3'/>"
    "<camera name='above' pos='0 0 2'/><camera name='aside' pos='0 -2 0.3' xyaxes='1 0 0 0 0 1'/>"
    "<geom name='floor' type='plane' size='5 5 1' rgba='0.5 0.6 0.4 1'/>"
    "<body pos='0 0 0.25'><freejoint/><geom name='box' type='box' size='0.25 0.25 0.25' rgba='0.8 0.2 0.1 1'/></body>"
    "</worldbody>"
    "<keyframe><key name='up' qpos='0 0 0.75 1 0 0 0'/></keyframe>"
    "</mujoco>";

static int setup(void** state) {
  const int bad = pictureSetup(state);
  writeText("box.xml", BOX);
  return bad;
}

// -------------------------------------------------------------------------------------------- files

static int samePicture(const char* a, const char* b) {
  const AstImage first = readPicture(a, 3), second = readPicture(b, 3);
  assert_true(first.width == second.width && first.height == second.height);
  const int same = !memcmp(first.data, second.data, (size_t)(3 * first.width * first.height));
  free(first.data);
  free(second.data);
  return same;
}

// -------------------------------------------------------------------------------------------- pictures

// the picture of the program is the one that this process draws, whose rows run from the bottom
static void compareWith(PicStage* stage, const char* path) {
  pic_update(stage);
  pic_draw(stage);
  const AstImage image = readPicture(path, 3);
  assert_int_equal(image.width, stage->view.width);
  assert_int_equal(image.height, stage->view.height);
  int colours = 0;
  for (int y = 0; y < image.height; y++) {
    assert_memory_equal(at(&image, 0, y), pic_at(stage, 0, image.height - 1 - y), (size_t)(3 * image.width));
    for (int x = 1; x < image.width; x++) colours += memcmp(at(&image, x, y), at(&image, x - 1, y), 3) != 0;
  }
  assert_true(colours > 1000);
  free(image.data);
}

static void picturesAreTheLibrarys(void** state) {
  NEEDS_OPENGL;
  PicStage* const stage = pic_open(source("scenes/humanoid.xml"), 200, 150, 0);
  assert_int_equal(RUN("picture", source("scenes/humanoid.xml"), "--size", "200x150"), 0);
  assert_out("humanoid.xml: 200 x 150 pixels");
  assert_out("camera 'free', at 0 s");
  assert_out("picture.png");
  compareWith(stage, "picture.png");

  // half a second later, by a camera of the model
  assert_int_equal(RUN("picture", source("scenes/humanoid.xml"), "-s200x150", "--camera", "side", "--time", "0.5",
                       "--ctrl", "0.1", "-o", "later.png", "-q"),
                   0);
  assert_string_equal(programOut, "");
  const int steps = (int)ceil(0.5 / stage->m->opt.timestep - 1e-9);
  for (int i = 0; i < steps; i++) {
    for (int k = 0; k < (int)stage->m->nu; k++) stage->d->ctrl[k] = 0.1;
    mj_step(stage->m, stage->d);
  }
  stage->cam.type = mjCAMERA_FIXED;
  stage->cam.fixedcamid = mj_name2id(stage->m, mjOBJ_CAMERA, "side");
  compareWith(stage, "later.png");
  pic_close(stage);

  // cameras also have numbers
  assert_int_equal(RUN("picture", "box.xml", "--camera", "aside", "-o", "a.png"), 0);
  assert_int_equal(RUN("picture", "box.xml", "--camera", "1", "-o", "b.png"), 0);
  assert_int_equal(RUN("picture", "box.xml", "--camera", "0", "-o", "c.png"), 0);
  assert_true(samePicture("a.png", "b.png"));
  assert_false(samePicture("a.png", "c.png"));
}

static void sizeAndSceneInside(void** state) {
  NEEDS_OPENGL;
  // without a model: the scene inside; sizes that no alignment likes
  assert_int_equal(RUN("picture", "--size", "33X17", "--out", "small.PNG", "--json"), 0);
  assert_true(jsonIsValid(programOut));
  assert_out("\"model\": \"humanoid.xml\"");
  assert_out("\"files\": [\n    \"small.PNG\"\n  ]");
  assert_true(jsonNumber(programOut, "width") == 33 && jsonNumber(programOut, "height") == 17);
  const AstImage image = readPicture("small.PNG", 3);
  assert_true(image.width == 33 && image.height == 17);
  free(image.data);
}

static void depthIsDistance(void** state) {
  NEEDS_OPENGL;
  assert_int_equal(RUN("picture", "box.xml", "--camera", "above", "--depth", "--size", "80x60", "--json"), 0);
  assert_out("\"kind\": \"depth\"");
  // 24 bits of depth between planes that are far apart
  assert_float_equal(jsonNumber(programOut, "white_distance"), 1.5, 1e-3);
  AstImage image = readPicture("picture.png", 1);
  assert_int_equal(image.data[30 * 80 + 40], 255);
  assert_in_range(image.data[5 * 80 + 5], 190, 192);  // 1.5 / 2
  free(image.data);

  // the sky is infinitely far
  assert_int_equal(RUN("picture", "box.xml", "--camera", "aside", "--depth", "--size", "80x60"), 0);
  assert_out("white");
  image = readPicture("picture.png", 1);
  assert_int_equal(image.data[40], 0);
  assert_true(image.data[59 * 80 + 40] > 100);
  free(image.data);
}

static void segmentsHaveAColourEach(void** state) {
  NEEDS_OPENGL;
  assert_int_equal(RUN("picture", "box.xml", "--camera", "above", "--segment", "--size", "80x60", "--json"), 0);
  assert_true(jsonIsValid(programOut));
  // the legend: two objects, in the order of the model
  const char* const floor = strstr(programOut, "\"name\": \"floor\"");
  const char* const box = strstr(programOut, "\"name\": \"box\"");
  assert_true(floor && box && floor < box);
  assert_null(strstr(box + 1, "\"name\""));
  const long nfloor = (long)jsonNumber(floor, "pixels"), nbox = (long)jsonNumber(box, "pixels");
  assert_int_equal(nfloor + nbox, 80 * 60);

  // half of the field of view (45 degrees) is 1.5 tan(22.5 deg) = 0.621 m high where the box is 0.25
  const double side = 0.25 / 0.6213 * 60;
  assert_true(fabs((double)nbox - side * side) < 4 * side);
  const AstImage image = readPicture("picture.png", 3);
  unsigned char colour[2][3];
  memcpy(colour[0], at(&image, 0, 0), 3);
  memcpy(colour[1], at(&image, 40, 30), 3);
  char text[32];
  snprintf(text, sizeof(text), "\"colour\": \"#%02x%02x%02x\"", colour[1][0], colour[1][1], colour[1][2]);
  assert_out(text);
  long count[2] = {0, 0};
  for (int i = 0; i < 80 * 60; i++) {
    for (int k = 0; k < 2; k++) count[k] += !memcmp(image.data + 3 * i, colour[k], 3);
  }
  assert_int_equal(count[0], nfloor);
  assert_int_equal(count[1], nbox);

  // colours belong to the object, not to the view
  assert_int_equal(
      RUN("picture", "box.xml", "--camera", "aside", "--segment", "--size", "80x60", "--json", "--show", "segment=off"),
      0);
  assert_out(text);
  free(image.data);
}

static void largeModelsAreDrawnWhole(void** state) {
  NEEDS_OPENGL;
  // 45 x 45 balls, more than a scene has room for at first; all are seen from above
  writeText("many.xml",
            "<mujoco><worldbody><camera name='above' pos='22 22 100' fovy='30'/><replicate count='45' offset='1 0 0'>"
            "<replicate count='45' offset='0 1 0'><geom size='0.4'/></replicate></replicate></worldbody></mujoco>");
  assert_int_equal(RUN("picture", "many.xml", "--camera", "above", "--segment", "--size", "250x250", "--json"), 0);
  int seen = 0;
  for (const char* c = programOut; (c = strstr(c, "\"colour\"")); c++) seen++;
  assert_int_equal(seen, 45 * 45);
}

static void thingsAreShownAndHidden(void** state) {
  NEEDS_OPENGL;
  const char* const model = source("scenes/humanoid.xml");
  static const char* const what[] = {"shadow=off", "joint", "wireframe=on", "Skybox=off"};
  assert_int_equal(RUN("picture", model, "--camera", "side", "-s", "160x120", "-o", "usual.png"), 0);
  for (size_t i = 0; i < sizeof(what) / sizeof(what[0]); i++) {
    assert_int_equal(RUN("picture", model, "--camera", "side", "-s", "160x120", "--show", what[i], "-o", "b.png"), 0);
    assert_false(samePicture("usual.png", "b.png"));
  }
  assert_int_equal(RUN("picture", model, "--camera", "side", "-s", "160x120", "--show", "shadow", "-o", "b.png"), 0);
  assert_true(samePicture("usual.png", "b.png"));
}

// -------------------------------------------------------------------------------------------- motion

static void framesAreMomentsOfOneMotion(void** state) {
  NEEDS_OPENGL;
  assert_int_equal(RUN("picture", "box.xml", "-C", "aside", "-k", "up", "-s", "80x60", "--time", "0.35", "--frames",
                       "3", "--every", "0.05", "-o", "fall.png"),
                   0);
  assert_out("fall-0001.png to fall-0003.png");
  assert_true(fileSize("fall.png") < 0 && fileSize("fall-0004.png") < 0);
  assert_false(samePicture("fall-0001.png", "fall-0002.png"));
  assert_false(samePicture("fall-0002.png", "fall-0003.png"));

  // drawing does not disturb: the last is the same as one alone
  assert_int_equal(RUN("picture", "box.xml", "-C", "aside", "-k", "0", "-s", "80x60", "-t", "0.45", "-o", "one.png"),
                   0);
  assert_true(samePicture("one.png", "fall-0003.png"));
}

static void pipesGetOneAfterTheOther(void** state) {
  NEEDS_OPENGL;
  assert_int_equal(RUN("picture", "box.xml", "-s", "40x30", "--frames", "2", "-o", "-"), 0);
  assert_err("box.xml: 40 x 30 pixels");
  static unsigned char bytes[1 << 18];
  FILE* const file = fopen(".stdout", "rb");
  const size_t n = fread(bytes, 1, sizeof(bytes), file);
  fclose(file);
  int heads = 0;
  for (size_t i = 0; i + 8 <= n; i++) heads += !memcmp(bytes + i, "\x89PNG\r\n\x1a\n", 8);
  assert_int_equal(heads, 2);
  assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
}

static void unstableModelsAreTold(void** state) {
  NEEDS_OPENGL;
  writeText("wild.xml",
            "<mujoco><worldbody><body name='rod'><joint name='hinge' stiffness='-1e9'/><geom size='0.1'/></body>"
            "</worldbody><keyframe><key name='off' qpos='0.1'/></keyframe></mujoco>");
  assert_int_equal(RUN("picture", "wild.xml", "--key", "off", "--time", "5", "-o", "wild.png"), 5);
  assert_err("unstable");
  assert_err("'hinge'");
  assert_true(fileSize("wild.png") < 0);
}

// -------------------------------------------------------------------------------------------- trouble

static void wordsAreSuggested(void** state) {
  (void)state;
  assert_int_equal(RUN("picture", "box.xml", "--camera", "abvoe"), 2);
  assert_err("unknown camera 'abvoe'");
  assert_err("did you mean 'above'?");
  assert_int_equal(RUN("picture", "box.xml", "--camera", "7"), 2);
  assert_err("above, aside");
  assert_int_equal(RUN("picture", source("test/models/pendulum.xml"), "--key", "horizntal"), 2);
  assert_err("did you mean 'horizontal'?");
  assert_int_equal(RUN("picture", "box.xml", "--show", "shadwo=off"), 2);
  assert_err("did you mean 'shadow'?");
  assert_int_equal(RUN("picture", "box.xml", "--show", "shadow=maybe"), 2);
  assert_err("write shadow=on or shadow=off");
  assert_int_equal(RUN("picture", "box.xml", "--dept"), 2);
  assert_err("did you mean '--depth'?");
}

static void optionsAreChecked(void** state) {
  (void)state;
  static const char* const sizes[] = {"640", "640x", "x480",  "640x480x3", "640*480",
                                      "big", "0x10", "-5x10", "99999x10",  ""};
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    assert_int_equal(RUN("picture", "box.xml", "--size", sizes[i]), 2);
    assert_err("--size");
  }
  static const char* const wrong[][5] = {
      {"--depth",  "--segment"},
      {"--quiet",  "--json"   },
      {"--time",   "-1"       },
      {"--frames", "0"        },
      {"--every",  "0.1"      },
      {"--frames", "2",         "--every", "0"},
      {"--out",       "a.jpg"                 },
      {"--out","-","--json"},
      {"box.xml"          },
      {"--time",  "1e12"                       },
      {"--ctrl",   "motor=1"  }
  };
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    const char* args[8] = {"picture", "box.xml"};
    for (int k = 0; k < 5 && wrong[i][k]; k++) args[2 + k] = wrong[i][k];
    assert_int_equal(programRun(args), 2);
    assert_string_not_equal(programErr, "");
  }
  assert_int_equal(RUN("picture", "none.xml"), 3);
  assert_true(fileSize("none.png") < 0);
}

static void filesThatCannotBeWritten(void** state) {
  (void)state;
  // told before anything is simulated, whether or not there is OpenGL
  assert_int_equal(RUN("picture", "box.xml", "--time", "1e5", "-o", "/nowhere/a.png"), 4);
  assert_err("cannot write '/nowhere/a.png': No such file or directory");
  assert_int_equal(mkdir("folder.png", 0700), 0);
  assert_int_equal(RUN("picture", "box.xml", "-o", "folder.png"), 4);
  assert_err("Is a directory");
}

static void fullDisksAreTold(void** state) {
  NEEDS_OPENGL;
  const int full = open("/dev/full", O_WRONLY);
  assert_true(full >= 0);
  const char* const args[] = {"picture", "box.xml", "-o", "-", NULL};
  assert_int_equal(programWait(programStart(args, full)), 4);
  assert_err("No space left on device");
  close(full);
}

static void withoutOpenGlPackagesAreNamed(void** state) {
  (void)state;
  const char* const before = getenv("SINEW_GL");
  char* const kept = before ? strdup(before) : NULL;
  setenv("SINEW_GL", "nothing", 1);
  assert_int_equal(RUN("picture", "box.xml", "-o", "never.png"), 4);
  assert_err("there is no OpenGL that works without a display");
  assert_err("apt-get install libegl1 libgl1-mesa-dri (or libosmesa6)");
  assert_true(fileSize("never.png") < 0);

  // each of the ways draws, or says that it is not there
  static const char* const ways[] = {"egl", "device", "osmesa"};
  for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
    setenv("SINEW_GL", ways[i], 1);
    const int code = RUN("picture", "box.xml", "--camera", "above", "--segment", "-s", "80x60", "--json");
    assert_true(code == 0 || code == 4);
    if (code) continue;
    assert_out(i == 2 ? "\"drawn_by\": \"OSMesa\"" : "\"drawn_by\": \"EGL\"");
    assert_out("\"name\": \"box\"");
  }
  if (kept) {
    setenv("SINEW_GL", kept, 1);
  } else {
    unsetenv("SINEW_GL");
  }
  free(kept);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(picturesAreTheLibrarys),
      cmocka_unit_test(sizeAndSceneInside),
      cmocka_unit_test(depthIsDistance),
      cmocka_unit_test(segmentsHaveAColourEach),
      cmocka_unit_test(largeModelsAreDrawnWhole),
      cmocka_unit_test(thingsAreShownAndHidden),
      cmocka_unit_test(framesAreMomentsOfOneMotion),
      cmocka_unit_test(pipesGetOneAfterTheOther),
      cmocka_unit_test(unstableModelsAreTold),
      cmocka_unit_test(wordsAreSuggested),
      cmocka_unit_test(optionsAreChecked),
      cmocka_unit_test(filesThatCannotBeWritten),
      cmocka_unit_test(fullDisksAreTold),
      cmocka_unit_test(withoutOpenGlPackagesAreNamed),
  };
  return cmocka_run_group_tests(tests, setup, programTeardown);
}
