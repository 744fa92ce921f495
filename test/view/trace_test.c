// Everything that the viewer draws and does, as calls of OpenGL: models with every flag, label and frame, panels, keys,
// the mouse, on an OpenGL that only remembers, so on any machine. trace.txt has what was called when the pictures were
// last seen to be right (renderer_test.c looks at them); `test_view_trace --record` writes it again.
#include <time.h>

#include "support/random.h"
#include "view/keys.h"
#include "view/stage.h"

typedef void (*Function)(void);
#include "view_names.inc"

// what goes to the device, what programs are told, the rest, and what the viewer knows
enum { DATA, UNIFORMS, CALLS, STATE, MEMORY_COUNT };
static const char* const PLACES[] = {"data", "uniforms", "calls", "state"};
#include "support/call_memory.h"

static GLuint last, arrayBuffer, dotBuffer;
static int dotSize, es;
static FILE* out;

// -------------------------------------------------------------------------------------------- OpenGL

static void text(const char* at) {
  for (; *at; at++) whole(*at);
}

// corners of letters and lines end in a colour, all others are reals
static void bound(GLenum target, GLuint buffer) {
  if (target == GL_ARRAY_BUFFER) arrayBuffer = buffer;
}
static void described(GLenum type, GLsizei stride) {
  if (type != GL_UNSIGNED_BYTE) return;
  dotBuffer = arrayBuffer;
  dotSize = (int)(stride / (GLsizei)sizeof(float));
}
static void buffer(GLenum target, const void* data, size_t size) {
  const size_t n = data ? size / sizeof(float) : 0;
  for (size_t i = 0; i < n; i++) {
    uint32_t bits;
    float real;
    memcpy(&bits, (const char*)data + i * sizeof(bits), sizeof(bits));
    memcpy(&real, &bits, sizeof(real));
    if (target != GL_ARRAY_BUFFER || (arrayBuffer == dotBuffer && i % (size_t)dotSize == (size_t)dotSize - 1)) {
      whole(bits);
    } else {
      number(real);
    }
  }
}
static void pixelsOf(const void* pixels, int width, int height, GLenum format, GLenum type) {
  if (!pixels || type != GL_UNSIGNED_BYTE) return;
  const int channels = format == GL_RGBA ? 4 : format == GL_RGB ? 3 : 1;
  bytes(pixels, (size_t)width * (size_t)height * (size_t)channels);
}
static void names_(GLsizei n, GLuint* given) {
  for (GLsizei i = 0; i < n; i++) given[i] = ++last;
}
static GLint placeOf(const char* name) {
  unsigned hash = 0;
  for (; *name; name++) hash = 31 * hash + (unsigned char)*name;
  return (GLint)(hash % 100003);
}
static void answerInts(GLenum name, GLint* params) {
  *params = name == GL_MAX_SAMPLES ? 8 : name == GL_MAX_TEXTURE_SIZE ? 256 : 0;
}
static const GLubyte* answerString(GLenum name) {
  return (const GLubyte*)(name == GL_VERSION ? es ? "OpenGL ES 3.0 none" : "3.3 none" : "none");
}

#include "view_calls.inc"

static void note(int function) {
  const int data = function == N_BufferData || function == N_TexImage2D;
  const int place = data ? DATA : strncmp(NAMES[function], "Uniform", 7) == 0 ? UNIFORMS : CALLS;
  remember(place);
  whole(function);
}

static void* lookup(const char* name) {
  for (int i = 0; i < N_COUNT; i++) {
    if (strcmp(name + 2, NAMES[i]) == 0) {
      void* found;
      memcpy(&found, &FUNCTIONS[i], sizeof(found));
      return found;
    }
  }
  return NULL;
}

// a clock that goes on by itself: what is written about speed is the same on every machine
int clock_gettime(clockid_t id, struct timespec* now) {
  static long ticks;
  (void)id;
  ticks++;
  *now = (struct timespec){.tv_sec = ticks / 10000, .tv_nsec = ticks % 10000 * 100000};
  return 0;
}

// -------------------------------------------------------------------------------------------- the viewer

enum { WIDTH = 900, HEIGHT = 640 };

static mjModel* load(void* context, const char* path, char* error, int size) {
  (void)context;
  if (strcmp(path, "none") != 0) return tst_model(path);
  snprintf(error, (size_t)size, "there is no such model");
  return NULL;
}

static int takePicture(void* context, const char* path, int width, int height, const unsigned char* rgb, char* error) {
  (void)context, (void)rgb, (void)error;
  text(path);
  whole(width * 10000LL + height);
  return 1;
}
static int takeFrame(void* context, int width, int height, const unsigned char* rgb, char* error) {
  return takePicture(context, "film", width, height, rgb, error);
}
static void end(void* context, char* message) {
  (void)context;
  snprintf(message, 20, "ended");
}
static int startStates(void* context, const mjModel* m, char* error) {
  (void)context, (void)error;
  whole(m->nq);
  return 1;
}
static int addState(void* context, const mjModel* m, const mjData* d) {
  (void)context, (void)m;
  number(d->time);
  return 1;
}

static const ViwHost HOST = {NULL, load, NULL, takePicture, takeFrame, end, startStates, addState, end};

static ViwApp* open(const char* model, const ViwStart* start) {
  ViwApp* const app = calloc(1, sizeof(*app));
  char error[VIW_ERROR_SIZE] = "";
  memoryClear();
  last = 0;
  if (!viw_openApp(app, &HOST, lookup, start, error)) fail_msg("%s", error);
  viw_loadPath(app, model);
  return app;
}

static void frame(ViwApp* app) {
  viw_drawFrame(app, WIDTH, HEIGHT, app->frame % 2 ? 1 : 1.25f, app->frame / 60.0);
}

// what hands have changed
static void rememberState(const ViwApp* app) {
  remember(STATE);
  const int wholes[] = {app->paused,
                        app->steps,
                        app->keyframe,
                        app->cameraIndex,
                        app->left,
                        app->right,
                        app->help,
                        app->camera.type,
                        app->camera.trackbodyid,
                        app->camera.fixedcamid,
                        app->perturb.select,
                        app->perturb.active,
                        app->perturb.flexselect,
                        app->perturb.skinselect,
                        app->dragging,
                        app->clickButton,
                        app->timeline.n,
                        app->timeline.at,
                        app->nwatch,
                        app->filming,
                        app->recording,
                        app->quit,
                        app->option.label,
                        app->option.frame,
                        app->messageBad,
                        app->grid.n};
  for (size_t i = 0; i < sizeof(wholes) / sizeof(wholes[0]); i++) whole(wholes[i]);
  const double reals[] = {app->speed,
                          app->ahead,
                          app->lastClick,
                          app->clickX,
                          app->clickY,
                          app->camera.distance,
                          app->camera.azimuth,
                          app->camera.elevation,
                          app->camera.lookat[0],
                          app->camera.lookat[1],
                          app->camera.lookat[2],
                          app->perturb.refpos[0],
                          app->perturb.refquat[1],
                          app->leftScroll,
                          app->rightScroll,
                          app->helpScroll,
                          app->rate,
                          app->stepTime,
                          app->messageEnd};
  doubles(reals, (int)(sizeof(reals) / sizeof(reals[0])));
  text(app->message);
  bytes(app->option.flags, sizeof(app->option.flags));
  bytes(app->scene.flags, sizeof(app->scene.flags));
  bytes(app->option.geomgroup, sizeof(app->option.geomgroup));
  if (!app->m) return;
  doubles(app->d->qpos, (int)app->m->nq);
  doubles(app->d->ctrl, (int)app->m->nu);
  whole(app->m->opt.disableflags);
  whole(app->m->opt.enableflags);
}

static void chapter(ViwApp* app, const char* format, ...) {
  char title[64];
  va_list args;
  va_start(args, format);
  vsnprintf(title, sizeof(title), format, args);
  va_end(args);
  for (char* at = title; *at; at++) *at = *at == ' ' ? '_' : *at;
  if (app) rememberState(app);
  memoryWrite(out, title, PLACES);
  memoryClear();
}

static void finish(ViwApp* app, const char* title) {
  viw_closeApp(app);
  free(app);
  chapter(NULL, "%s/closed", title);
}

// -------------------------------------------------------------------------------------------- pictures

static void drawModel(const char* model) {
  ViwApp* const app = open(model, &(ViwStart){.frameTime = 1.0 / 60, .bare = 1, .paused = 1});
  chapter(app, "%s/loaded", model);
  frame(app);
  chapter(app, "%s/plain", model);
  for (int i = 0; i < mjNRNDFLAG; i++) {
    app->scene.flags[i] ^= 1;
    frame(app);
    app->scene.flags[i] ^= 1;
    chapter(app, "%s/%s", model, mjRNDSTRING[i][0]);
  }
  for (int i = 0; i < mjNVISFLAG; i++) {
    app->option.flags[i] ^= 1;
    frame(app);
    app->option.flags[i] ^= 1;
    chapter(app, "%s/%s", model, mjVISSTRING[i][0]);
  }
  for (int i = 0; i < mjNLABEL; i++) {
    app->option.label = i;
    app->option.frame = i % mjNFRAME;
    frame(app);
    chapter(app, "%s/%s", model, mjLABELSTRING[i]);
  }
  app->option.label = app->option.frame = 0;
  for (int i = 0; i < 2 + (int)app->m->ncam; i++) {
    viw_chooseCamera(app, i);
    frame(app);
    chapter(app, "%s/camera%d", model, i);
  }
  app->paused = 0;
  for (int i = 0; i < 5; i++) frame(app);
  chapter(app, "%s/moving", model);
  finish(app, model);
}

static void drawOtherwise(void) {
  ViwApp* app = open("assets", &(ViwStart){.frameTime = 1.0 / 60, .soft = 1});
  frame(app);
  for (int i = 0; i < 200; i++) viw_keepPace(app, 0.2);
  frame(app);
  chapter(app, "soft");
  finish(app, "soft");
  es = 1;
  app = open("assets", &(ViwStart){.frameTime = 1.0 / 60, .copies = 5});
  for (int i = 0; i < 4; i++) frame(app);
  chapter(app, "copies");
  viw_loadPath(app, "none");
  frame(app);
  chapter(app, "none");
  finish(app, "copies");
  es = 0;
}

// -------------------------------------------------------------------------------------------- hands

static void openAll(ViwApp* app) {
  app->left = app->right = 1;
  app->open = (ViwOpen){1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
}

static void button(ViwApp* app, int which, int down, float x, float y, int control, int shift) {
  viw_event(app, &(ViwEvent){VIW_EVENT_BUTTON, which, down, x, y, control, shift, 0, NULL});
  frame(app);
}

static void click(ViwApp* app, int which, float x, float y, int control) {
  button(app, which, 1, x, y, control, 0);
  button(app, which, 0, x, y, control, 0);
}

static void pressKeys(const char* model) {
  ViwApp* const app = open(model, &(ViwStart){.frameTime = 1.0 / 60});
  openAll(app);
  frame(app);
  chapter(app, "%s/panels", model);
  for (const ViwCommand* c = viw_commands; c->text; c++) {
    viw_event(app, &(ViwEvent){VIW_EVENT_KEY, c->key, 1, 0, 0, c->control, c->shift, 0, NULL});
    frame(app);
    frame(app);
    chapter(app, "%s/key_%d_%d", model, c->key, c->shift + 2 * c->control);
  }
  for (int key = 'A'; key <= 'Z'; key++) {
    viw_event(app, &(ViwEvent){VIW_EVENT_KEY, key, 1, 0, 0, 0, 0, 0, NULL});
    frame(app);
    chapter(app, "%s/key_%c", model, key);
  }
  finish(app, model);
}

static void moveMouse(const char* model) {
  ViwApp* const app = open(model, &(ViwStart){.frameTime = 1.0 / 60, .bare = 1, .paused = 1});
  viw_frameModel(app);
  frame(app);
  for (int how = 0; how < 12; how++) {
    const int which = how % 3, control = how / 3 % 2, shift = how / 6;
    app->paused = how % 2;
    button(app, which, 1, 450, 320, control, shift);
    for (int i = 1; i < 4; i++) {
      viw_event(app, &(ViwEvent){VIW_EVENT_MOVE, 0, 0, 450 + 17.0f * (float)i, 320 - 9.0f * (float)i, control, shift, 0,
                                 NULL});
      frame(app);
    }
    button(app, which, 0, 501, 293, control, shift);
    chapter(app, "%s/drag%d", model, how);
  }
  // one click after the other: two are one, of three the last begins anew
  for (int how = 0; how < 6; how++) {
    const int clicks = 1 + how % 3;
    app->frame += 40;
    for (int i = 0; i < clicks; i++) click(app, how % 2, 450 + (float)how, 330, how / 3);
    viw_event(app, &(ViwEvent){VIW_EVENT_WHEEL, 0, 0, 0, (float)how - 2.5f, 0, 0, 0, NULL});
    frame(app);
    chapter(app, "%s/clicks%d", model, how);
  }
  finish(app, model);
}

// a click on every place of the panels, and hands that do anything
static void useAnything(const char* model, int seed) {
  ViwApp* const app = open(model, &(ViwStart){.frameTime = 1.0 / 60, .paused = 1});
  Rnd rnd = {(uint64_t)seed};
  openAll(app);
  frame(app);
  for (int i = 0; i < 120; i++) {
    const int side = rnd_below(&rnd, 4);
    const float x = (float)(side == 0   ? rnd_below(&rnd, 240)
                            : side == 1 ? WIDTH - rnd_below(&rnd, 240)
                                        : rnd_below(&rnd, WIDTH));
    const float y = (float)(side == 2 ? HEIGHT - rnd_below(&rnd, 60) : rnd_below(&rnd, HEIGHT));
    switch (rnd_below(&rnd, 8)) {
      case 0:
        viw_event(app, &(ViwEvent){VIW_EVENT_MOVE, 0, 0, x, y, 0, 0, 0, NULL});
        viw_event(app, &(ViwEvent){VIW_EVENT_WHEEL, 0, 0, 0, (float)(rnd_below(&rnd, 9) - 6), 0, 0, 0, NULL});
        break;
      case 1:
        for (const char* at = "qpos[0]"; *at; at++)
          viw_event(app, &(ViwEvent){VIW_EVENT_TEXT, *at, 1, 0, 0, 0, 0, 0, NULL});
        break;
      case 2:
        viw_event(app, &(ViwEvent){VIW_EVENT_KEY, rnd_below(&rnd, 2) ? VIW_KEY_ENTER : VIW_KEY_BACKSPACE, 1, 0, 0, 0, 0,
                                   0, NULL});
        break;
      case 3:
        button(app, 0, 1, x, y, 0, 0);
        viw_event(app, &(ViwEvent){VIW_EVENT_MOVE, 0, 0, x + 30, y + 4, 0, 0, 0, NULL});
        frame(app);
        button(app, 0, 0, x + 30, y + 4, 0, 0);
        break;
      default:
        click(app, 0, x, y, 0);
    }
    frame(app);
    if (i % 8 == 7) chapter(app, "%s/hands%d.%d", model, seed, i);
  }
  finish(app, model);
}

static void doEverything(void) {
  static const char* const MODELS[] = {"assets", "flex", "golden/mixed", "golden/muscles", "golden/textures"};
  for (size_t i = 0; i < sizeof(MODELS) / sizeof(MODELS[0]); i++) drawModel(MODELS[i]);
  drawOtherwise();
  pressKeys("golden/mixed");
  pressKeys("assets");
  moveMouse("boxes");
  moveMouse("golden/muscles");
  for (int seed = 1; seed <= 4; seed++) useAnything(seed % 2 ? "golden/mixed" : "golden/muscles", seed);
}

// -------------------------------------------------------------------------------------------- tests

typedef struct {
  char scene[64], place[40];
  long calls;
  unsigned hash;
  double sum, weighted, size;
} Line;

static int readLine(FILE* file, Line* line) {
  return fscanf(file, "%63s %39s %ld %x %lf %lf %lf", line->scene, line->place, &line->calls, &line->hash, &line->sum,
                &line->weighted, &line->size) == 7;
}

static void callsAreAsTheyWere(void** state) {
  (void)state;
  FILE* const expected = fopen("test/view/trace.txt", "r");
  assert_non_null(expected);
  out = tmpfile();
  doEverything();
  rewind(out);
  Line a, b;
  int bad = 0, n = 0;
  while (readLine(expected, &b)) {
    if (!readLine(out, &a)) fail_msg("nothing after %s", b.scene);
    if (strcmp(a.scene, b.scene) != 0 || strcmp(a.place, b.place) != 0) {
      fail_msg("%s %s instead of %s %s", a.scene, a.place, b.scene, b.place);
    }
    // roundings of another C library are some units of the last place of a few numbers
    const double tolerance = 1e-7 + 2e-8 * b.size;
    const int off = fabs(a.sum - b.sum) > tolerance || fabs(a.weighted - b.weighted) > tolerance;
    if ((a.calls != b.calls || a.hash != b.hash || off) && ++bad < 10) {
      print_error("%s %s: %ld %08x %.9g %.9g, expected %ld %08x %.9g %.9g\n", a.scene, a.place, a.calls, a.hash, a.sum,
                  a.weighted, b.calls, b.hash, b.sum, b.weighted);
    }
    n++;
  }
  assert_false(readLine(out, &a));
  fclose(out);
  fclose(expected);
  assert_true(n > 500);
  assert_int_equal(bad, 0);
}

// a model that is loaded again keeps its camera; where that is gone, or with another file, the model is framed
static void camerasStayOverLoads(void** state) {
  (void)state;
#define CAMERAS(more) \
  "<mujoco><worldbody><geom size='.1' pos='2 0 0'/><camera name='a' pos='1 0 0'/>" more "</worldbody></mujoco>"
  const char *xml = CAMERAS("<camera name='b' pos='0 5 0'/>"), *const fewer = CAMERAS("");
  const ViwHost host = {.context = &xml, .load = stageLoad};
  ViwApp* const app = calloc(1, sizeof(*app));
  char error[VIW_ERROR_SIZE] = "";
  out = tmpfile();
  memoryClear();
  last = 0;
  if (!viw_openApp(app, &host, lookup, &(ViwStart){.frameTime = 1.0 / 60, .paused = 1}, error)) fail_msg("%s", error);
  assert_int_equal(viw_loadPath(app, "a.xml"), 1);
  for (int i = 0; i < 4; i++) {
    viw_chooseCamera(app, i);
    assert_int_equal(viw_loadPath(app, "a.xml"), 1);
    assert_int_equal(app->cameraIndex, i);
    assert_int_equal(app->camera.type, i == 0 ? mjCAMERA_FREE : i == 1 ? mjCAMERA_TRACKING : mjCAMERA_FIXED);
    if (i > 1) assert_int_equal(app->camera.fixedcamid, i - 2);
  }
  for (int k = 0; k < 2; k++) {
    // the camera is gone; then another file
    viw_chooseCamera(app, k ? 2 : 3);
    if (!k) xml = fewer;
    assert_int_equal(viw_loadPath(app, k ? "b.xml" : "a.xml"), 1);
    const mjvCamera shown = app->camera;
    viw_frameModel(app);
    assert_int_equal(app->cameraIndex, 0);
    assert_int_equal(shown.type, mjCAMERA_FREE);
    assert_memory_equal(shown.lookat, app->camera.lookat, sizeof(shown.lookat));
    assert_true(shown.distance == app->camera.distance && fabs(shown.lookat[0] - 2) < 1e-6);
  }
  viw_closeApp(app);
  free(app);
  fclose(out);
}

int main(int argc, char** argv) {
  if (argc > 1 && !strcmp(argv[1], "--record")) {
    out = fopen("test/view/trace.txt", "w");
    if (!out) return 1;
    doEverything();
    return fclose(out) != 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(callsAreAsTheyWere), cmocka_unit_test(camerasStayOverLoads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
