// Contexts by EGL and OSMesa; neither needs to be there when the program is built. Libraries stay open: drivers do not
// like to be unloaded.
#include "support/offscreen.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// -------------------------------------------------------------------------------------------- EGL

// names and values of its specification
enum {
  EGL_NONE = 0x3038,
  EGL_OPENGL_API = 0x30A2,
  EGL_OPENGL_BIT = 8,
  EGL_PBUFFER_BIT = 1,
  EGL_RENDERABLE_TYPE = 0x3040,
  EGL_SURFACE_TYPE = 0x3033,
  EGL_RED_SIZE = 0x3024,
  EGL_GREEN_SIZE = 0x3023,
  EGL_BLUE_SIZE = 0x3022,
  EGL_DEPTH_SIZE = 0x3025,
  EGL_STENCIL_SIZE = 0x3026,
  EGL_WIDTH = 0x3057,
  EGL_HEIGHT = 0x3056,
  EGL_PLATFORM_SURFACELESS_MESA = 0x31DD,
  EGL_PLATFORM_DEVICE = 0x313F
};

// functions that are used: result, name, parameters
#define EACH_FUNCTION(_)                                            \
  _(void*, GetProcAddress, (const char*))                           \
  _(void*, GetPlatformDisplay, (unsigned, void*, const intptr_t*))  \
  _(unsigned, Initialize, (void*, int*, int*))                      \
  _(unsigned, BindAPI, (unsigned))                                  \
  _(unsigned, ChooseConfig, (void*, const int*, void**, int, int*)) \
  _(void*, CreateContext, (void*, void*, void*, const int*))        \
  _(unsigned, DestroyContext, (void*, void*))                       \
  _(void*, CreatePbufferSurface, (void*, void*, const int*))        \
  _(unsigned, DestroySurface, (void*, void*))                       \
  _(unsigned, MakeCurrent, (void*, void*, void*, void*))

#define MEMBER(result, name, parameters) result(*name) parameters;
typedef struct {
  EACH_FUNCTION(MEMBER)
} Egl;
#undef MEMBER

static Egl egl;

// 1: the library is there and has all functions
static int loadEgl(void) {
  void* const lib = dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (!lib) return 0;
  int all = 1;
#define FIND(result, name, parameters)                      \
  egl.name = (result(*) parameters)dlsym(lib, "egl" #name); \
  all &= egl.name != NULL;
  EACH_FUNCTION(FIND)
#undef FIND
  return all;
}

// the display stays open: it is the same for every context
static void releaseEgl(CliOffscreen* screen) {
  egl.MakeCurrent(screen->display, NULL, NULL, NULL);
  if (screen->surface) egl.DestroySurface(screen->display, screen->surface);
  if (screen->context) egl.DestroyContext(screen->display, screen->context);
}

// a current context of a display; 0: it has none
static int openDisplay(CliOffscreen* screen, void* display, int width, int height) {
  if (!display || !egl.Initialize(display, NULL, NULL)) return 0;
  const int wanted[] = {EGL_RENDERABLE_TYPE,
                        EGL_OPENGL_BIT,
                        EGL_SURFACE_TYPE,
                        EGL_PBUFFER_BIT,
                        EGL_RED_SIZE,
                        8,
                        EGL_GREEN_SIZE,
                        8,
                        EGL_BLUE_SIZE,
                        8,
                        EGL_DEPTH_SIZE,
                        24,
                        EGL_STENCIL_SIZE,
                        8,
                        EGL_NONE};
  const int size[] = {EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE};
  void* config = NULL;
  int count = 0;
  screen->display = display;
  if (egl.BindAPI(EGL_OPENGL_API)) {
    // without a window, a context without a configuration will do
    if (!egl.ChooseConfig(display, wanted, &config, 1, &count) || count < 1) config = NULL;
    if (width && config) screen->surface = egl.CreatePbufferSurface(display, config, size);
    if (!width || screen->surface) screen->context = egl.CreateContext(display, config, NULL, NULL);
  }
  if (screen->context && egl.MakeCurrent(display, screen->surface, screen->surface, screen->context)) {
    screen->name = "EGL";
    screen->lookup = egl.GetProcAddress;
    return 1;
  }
  releaseEgl(screen);
  *screen = (CliOffscreen){0};
  return 0;
}

static int openSurfaceless(CliOffscreen* screen, int width, int height) {
  return loadEgl() &&
         openDisplay(screen, egl.GetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL), width, height);
}

// the first device that can
static int openDevice(CliOffscreen* screen, int width, int height) {
  enum { MAX_DEVICES = 32 };
  if (!loadEgl()) return 0;
  void* devices[MAX_DEVICES];
  int n = 0;
  unsigned (*const query)(int, void**, int*) =
      (unsigned (*)(int, void**, int*))egl.GetProcAddress("eglQueryDevicesEXT");
  if (!query || !query(MAX_DEVICES, devices, &n)) return 0;
  for (int i = 0; i < n; i++) {
    if (openDisplay(screen, egl.GetPlatformDisplay(EGL_PLATFORM_DEVICE, devices[i], NULL), width, height)) return 1;
  }
  return 0;
}

// -------------------------------------------------------------------------------------------- OSMesa

static void (*destroyOsmesa)(void*);

static int openOsmesa(CliOffscreen* screen, int width, int height) {
  enum { RGBA = 0x1908, UNSIGNED_BYTE = 0x1401, SMALL = 64 };
  void* const lib = dlopen("libOSMesa.so.8", RTLD_NOW | RTLD_GLOBAL);
  if (!lib) return 0;
  void* (*const create)(unsigned, int, int, int, void*) =
      (void* (*)(unsigned, int, int, int, void*))dlsym(lib, "OSMesaCreateContextExt");
  unsigned char (*const current)(void*, void*, unsigned, int, int) =
      (unsigned char (*)(void*, void*, unsigned, int, int))dlsym(lib, "OSMesaMakeCurrent");
  destroyOsmesa = (void (*)(void*))dlsym(lib, "OSMesaDestroyContext");
  screen->lookup = (void* (*)(const char*))dlsym(lib, "OSMesaGetProcAddress");
  if (!create || !current || !destroyOsmesa || !screen->lookup) return 0;

  // there is always a window
  if (!width) width = height = SMALL;
  screen->window = calloc((size_t)width * (size_t)height, 4);
  screen->context = screen->window ? create(RGBA, 24, 8, 0, NULL) : NULL;
  if (screen->context && current(screen->context, screen->window, UNSIGNED_BYTE, width, height)) {
    screen->name = "OSMesa";
    return 1;
  }
  if (screen->context) destroyOsmesa(screen->context);
  free(screen->window);
  *screen = (CliOffscreen){0};
  return 0;
}

// -------------------------------------------------------------------------------------------- all

int cli_openOffscreen(CliOffscreen* screen, int width, int height) {
  static const struct {
    const char* word;
    int (*open)(CliOffscreen* screen, int width, int height);
  } ways[] = {
      {"egl",    openSurfaceless},
      {"device", openDevice     },
      {"osmesa", openOsmesa     }
  };
  *screen = (CliOffscreen){0};
  const char* const only = getenv("SINEW_GL");
  for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
    if (only && *only && strcmp(only, ways[i].word) != 0) continue;
    if (ways[i].open(screen, width, height)) return 1;
  }
  return 0;
}

void cli_closeOffscreen(CliOffscreen* screen) {
  if (screen->display) {
    releaseEgl(screen);
  } else if (screen->context) {
    destroyOsmesa(screen->context);
    free(screen->window);
  }
  *screen = (CliOffscreen){0};
}
