// The viewer on a page: a canvas with WebGL 2, its events, and files that the page's script put into memory.
#include <emscripten.h>
#include <emscripten/html5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/app.h"
#include "view/keys.h"
#include "zip.h"

static const char CANVAS[] = "#canvas";

static ViwApp app;
static int touches, held, pulling;  // fingers on the screen, the button that they are; 1: one finger pulls

//---------------------------------- files ----------------------------------

// the last warning of the library says why a binary model could not be read
static char warning[500];

static void keepWarning(const char* text) {
  snprintf(warning, sizeof(warning), "%s", text);
}

static mjModel* load(void* context, const char* path, char* error, int size) {
  (void)context;
  const size_t length = path ? strlen(path) : 0;
  if (!length) {
    snprintf(error, (size_t)size, "no model: choose a scene or drop files");
    return NULL;
  }
  if (length > 4 && strcmp(path + length - 4, ".mjb") == 0) {
    mjModel* const m = mj_loadModel(path, NULL);
    if (!m) snprintf(error, (size_t)size, "%s", warning);
    return m;
  }
  return mj_loadXML(path, NULL, error, size);
}

// a picture is offered as a download
EM_JS(void, downloadPicture, (const char* name, int width, int height, const unsigned char* rgb), {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const image = new ImageData(width, height);
  for (let i = 0; i < width * height; i++) {
    for (let k = 0; k < 3; k++) image.data[4 * i + k] = HEAPU8[rgb + 3 * i + k];
    image.data[4 * i + 3] = 255;
  }
  canvas.getContext("2d").putImageData(image, 0, 0);
  Module.savedPicture(UTF8ToString(name), canvas);
});

static int savePicture(void* context, const char* path, int width, int height, const unsigned char* rgb, char* error) {
  (void)context, (void)error;
  const char* const slash = strrchr(path, '/');
  downloadPicture(slash ? slash + 1 : path, width, height, rgb);
  return 1;
}

// films are what the browser records of the canvas
EM_JS(int, startFilm, (void), { return Module.startFilm() ? 1 : 0; });
EM_JS(void, stopFilm, (void), { Module.stopFilm(); });

static int filmed;

static int filmFrame(void* context, int width, int height, const unsigned char* rgb, char* error) {
  (void)context, (void)width, (void)height, (void)rgb;
  if (!filmed++ && !startFilm()) {
    snprintf(error, VIW_ERROR_SIZE, "this browser does not record films");
    return 0;
  }
  return 1;
}

static void endFilm(void* context, char* message) {
  (void)context;
  if (!message[0]) snprintf(message, VIW_ERROR_SIZE, "film: %d pictures", filmed);
  if (filmed) stopFilm();
  filmed = 0;
}

//---------------------------------- events ----------------------------------

static float ratio(void) {
  return (float)emscripten_get_device_pixel_ratio();
}

static EM_BOOL onMouse(int type, const EmscriptenMouseEvent* e, void* user) {
  (void)user;
  static const int BUTTONS[] = {0, 2, 1};
  viw_event(&app, &(ViwEvent){.kind = type == EMSCRIPTEN_EVENT_MOUSEMOVE ? VIW_EVENT_MOVE : VIW_EVENT_BUTTON,
                              .key = BUTTONS[e->button < 3 ? e->button : 0],
                              .down = type == EMSCRIPTEN_EVENT_MOUSEDOWN,
                              .x = (float)e->targetX * ratio(),
                              .y = (float)e->targetY * ratio(),
                              .control = e->ctrlKey || e->metaKey,
                              .shift = e->shiftKey,
                              .alt = e->altKey});
  return type == EMSCRIPTEN_EVENT_MOUSEDOWN;
}

static EM_BOOL onWheel(int type, const EmscriptenWheelEvent* e, void* user) {
  (void)type, (void)user;
  viw_event(&app, &(ViwEvent){.kind = VIW_EVENT_WHEEL, .y = e->deltaY < 0 ? 1 : -1});
  return 1;
}

// keys by the browser's names
static int keyOf(const EmscriptenKeyboardEvent* e) {
  static const struct {
    const char* name;
    int key;
  } names[] = {
      {"Escape",     VIW_KEY_ESCAPE   },
      {"Enter",      VIW_KEY_ENTER    },
      {"Tab",        VIW_KEY_TAB      },
      {"Backspace",  VIW_KEY_BACKSPACE},
      {"ArrowRight", VIW_KEY_RIGHT    },
      {"ArrowLeft",  VIW_KEY_LEFT     },
      {"ArrowUp",    VIW_KEY_UP       },
      {"ArrowDown",  VIW_KEY_DOWN     }
  };
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (strcmp(e->key, names[i].name) == 0) return names[i].key;
  }
  return viw_keyNamed(e->key);
}

static EM_BOOL onKey(int type, const EmscriptenKeyboardEvent* e, void* user) {
  (void)type, (void)user;
  const int key = keyOf(e), control = e->ctrlKey || e->metaKey;
  viw_event(&app, &(ViwEvent){.kind = VIW_EVENT_KEY, .key = key, .down = 1, .control = control, .shift = e->shiftKey});
  if (e->key[0] && !e->key[1] && !control) viw_event(&app, &(ViwEvent){.kind = VIW_EVENT_TEXT, .key = e->key[0]});
  // what the browser would do with keys of ours; its own stay
  return key != 0 && !(control && key != 'A' && key != 'K' && key != 'L');
}

// what n fingers hold: one is the left button, two are the right one; pulling, one on the model is Ctrl and the right
// one
static void touchDown(int n, float x, float y) {
  app.input.x = x;
  app.input.y = y;
  const int pull = pulling && n == 1 && !viw_uiHasMouse(&app.ui);
  // the body under the finger, not the one that was pulled before
  if (pull) app.perturb.select = 0;
  held = n > 1 || pull;
  viw_event(&app, &(ViwEvent){.kind = VIW_EVENT_BUTTON, .key = held, .down = 1, .x = x, .y = y, .control = pull});
}

// fingers; the distance of two is the wheel
static EM_BOOL onTouch(int type, const EmscriptenTouchEvent* e, void* user) {
  (void)user;
  static float apart;
  const int n = type == EMSCRIPTEN_EVENT_TOUCHEND || type == EMSCRIPTEN_EVENT_TOUCHCANCEL ? 0 : e->numTouches;
  float x = 0, y = 0;
  for (int i = 0; i < n; i++) {
    x += (float)e->touches[i].targetX * ratio() / (float)n;
    y += (float)e->touches[i].targetY * ratio() / (float)n;
  }
  if (n != touches) {
    if (touches)
      viw_event(&app, &(ViwEvent){.kind = VIW_EVENT_BUTTON, .key = held, .x = app.input.x, .y = app.input.y});
    if (n) touchDown(n, x, y);
    touches = n;
    apart = 0;
  } else if (n) {
    viw_event(&app, &(ViwEvent){.kind = VIW_EVENT_MOVE, .x = x, .y = y, .control = pulling && n == 1});
  }
  if (n == 2) {
    const float dx = (float)(e->touches[0].targetX - e->touches[1].targetX);
    const float dy = (float)(e->touches[0].targetY - e->touches[1].targetY), distance = sqrtf(dx * dx + dy * dy);
    if (apart > 0) viw_event(&app, &(ViwEvent){.kind = VIW_EVENT_WHEEL, .y = (distance - apart) / 20});
    apart = distance;
  }
  return 1;
}

static EM_BOOL onLost(int type, const void* reserved, void* user) {
  (void)type, (void)reserved, (void)user;
  EM_ASM({ Module.say("The graphics card was lost: load the page again."); });
  emscripten_cancel_main_loop();
  return 1;
}

// 1: the processor draws, which a page knows better than OpenGL
EM_JS(int, isSoftware, (void), { return Module.isSoftware() ? 1 : 0; });

// threads that a simulation may have beside this one: workers that were started with the page, less one for loading
EM_JS(int, helpers, (void), { return Module.threads ? Module.threads - 1 : 0; });

EMSCRIPTEN_KEEPALIVE int webThreads(void) {
  return app.pool ? app.pool->nworker : 0;
}

static void listen(void) {
  emscripten_set_mousedown_callback(CANVAS, NULL, 1, onMouse);
  emscripten_set_mouseup_callback(EMSCRIPTEN_EVENT_TARGET_WINDOW, NULL, 1, onMouse);
  emscripten_set_mousemove_callback(CANVAS, NULL, 1, onMouse);
  emscripten_set_wheel_callback(CANVAS, NULL, 1, onWheel);
  emscripten_set_keydown_callback(EMSCRIPTEN_EVENT_TARGET_WINDOW, NULL, 1, onKey);
  emscripten_set_touchstart_callback(CANVAS, NULL, 1, onTouch);
  emscripten_set_touchend_callback(CANVAS, NULL, 1, onTouch);
  emscripten_set_touchmove_callback(CANVAS, NULL, 1, onTouch);
  emscripten_set_touchcancel_callback(CANVAS, NULL, 1, onTouch);
  emscripten_set_webglcontextlost_callback(CANVAS, NULL, 1, onLost);
}

//---------------------------------- frames ----------------------------------

static void frame(void) {
  double width = 0, height = 0;
  emscripten_get_element_css_size(CANVAS, &width, &height);
  const int pixels[2] = {(int)(width * ratio()), (int)(height * ratio())};
  int now[2] = {0, 0};
  emscripten_get_canvas_element_size(CANVAS, now, now + 1);
  if (now[0] != pixels[0] || now[1] != pixels[1]) emscripten_set_canvas_element_size(CANVAS, pixels[0], pixels[1]);
  if (pixels[0] <= 0 || pixels[1] <= 0) return;
  viw_drawFrame(&app, pixels[0], pixels[1], ratio(), 1e-3 * emscripten_get_now());
  static int shown;
  if (app.m && !shown++) EM_ASM({ Module.firstFrame = performance.now(); });
  if (app.script && viw_scriptDone(&app)) {
    viw_freeScript(&app);
    EM_ASM({ Module.scriptDone(); });
  }
}

//---------------------------------- what the page calls ----------------------------------

// 1: loaded; else the error is on the screen
EMSCRIPTEN_KEEPALIVE int webLoad(const char* path) {
  return viw_loadPath(&app, path);
}

EMSCRIPTEN_KEEPALIVE const char* webError(void) {
  return app.error;
}

// files of a zip into a folder; how many, -1: it is damaged
EMSCRIPTEN_KEEPALIVE int webUnzip(const unsigned char* bytes, int size, const char* folder) {
  return zip_extract(bytes, (size_t)size, folder);
}

// a message of a running program, as the hub passed it on
EMSCRIPTEN_KEEPALIVE void webLive(const unsigned char* bytes, int size) {
  viw_liveMessage(&app, bytes, (size_t)size);
}

EMSCRIPTEN_KEEPALIVE void webLiveGone(void) {
  viw_liveGone(&app);
}

EMSCRIPTEN_KEEPALIVE int webScript(const char* text) {
  static char error[VIW_ERROR_SIZE];
  app.frameTime = 1.0 / 60;
  if (viw_startScript(&app, text, error)) return 1;
  printf("script: %s\n", error);
  return 0;
}

// how the model that is there begins: "key" and "camera" by name, "speed" as a number; 0: there is none of that name
EMSCRIPTEN_KEEPALIVE int webBegin(const char* what, const char* value) {
  const int camera = strcmp(what, "camera") == 0, key = strcmp(what, "key") == 0;
  if (!app.m) return 1;
  if (camera || key) {
    const int id = mj_name2id(app.m, camera ? mjOBJ_CAMERA : mjOBJ_KEY, value);
    if (id < 0) return 0;
    if (camera) viw_chooseCamera(&app, 2 + id);
    if (key) viw_reset(&app, id);
    return 1;
  }
  const double speed = atof(value);
  if (strcmp(what, "speed") != 0 || !(speed > 0 && speed <= 100)) return 0;
  app.speed = speed;
  return 1;
}

EMSCRIPTEN_KEEPALIVE void webPause(int paused) {
  app.paused = paused;
}

// narrow screens begin without panels
EMSCRIPTEN_KEEPALIVE void webBare(void) {
  app.left = app.right = 0;
}

// the next of: no panels, both; on a narrow screen: none, the left one, the right one
EMSCRIPTEN_KEEPALIVE void webPanels(void) {
  const int narrow = (float)app.width < 600 * app.unit, left = app.left, right = app.right;
  app.left = !left && !right;
  app.right = narrow ? left : app.left;
}

// fingers pull bodies instead of turning the camera
EMSCRIPTEN_KEEPALIVE void webPull(int on) {
  pulling = on;
}

int main(void) {
  mju_user_warning = keepWarning;
  EmscriptenWebGLContextAttributes attributes;
  emscripten_webgl_init_context_attributes(&attributes);
  attributes.majorVersion = 2;
  const int soft = isSoftware();
  attributes.antialias = !soft;
  attributes.alpha = 0;
  attributes.preserveDrawingBuffer = 1;
  const EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = emscripten_webgl_create_context(CANVAS, &attributes);
  if (context <= 0) {
    EM_ASM({ Module.say("This browser has no WebGL 2."); });
    return 1;
  }
  emscripten_webgl_make_context_current(context);
  const ViwHost host = {.load = load, .savePicture = savePicture, .filmFrame = filmFrame, .endFilm = endFilm};
  char error[VIW_ERROR_SIZE] = "";
  const ViwStart start = {.speed = 1, .soft = soft, .threads = helpers()};
  if (!viw_openApp(&app, &host, emscripten_webgl_get_proc_address, &start, error)) {
    EM_ASM({ Module.say(UTF8ToString($0)); }, error);
    return 1;
  }
  listen();
  EM_ASM({ Module.ready(); });
  emscripten_set_main_loop(frame, 0, 0);
  return 0;
}
