// See glcontext.h.
#include "support/glcontext.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// what drivers keep until the end is not a leak of ours
__attribute__((visibility("default"))) const char* __lsan_default_suppressions(void);
const char* __lsan_default_suppressions(void) {
  return "leak:_dri.so\nleak:libgallium\nleak:libEGL\nleak:libGL\nleak:libOSMesa\nleak:libLLVM\n";
}

static const char* name = "none";
static void* (*lookup)(const char*);

// EGL on Mesa's surfaceless platform: needs no display and no device. With a size there is a pixel buffer as window.
static int makeEgl(int width, int height) {
  enum {
    PLATFORM_SURFACELESS_MESA = 0x31DD,
    OPENGL_API = 0x30A2,
    NONE = 0x3038,
    RENDERABLE_TYPE = 0x3040,
    OPENGL_BIT = 8,
    SURFACE_TYPE = 0x3033,
    PBUFFER_BIT = 1,
    RED_SIZE = 0x3024,
    GREEN_SIZE = 0x3023,
    BLUE_SIZE = 0x3022,
    DEPTH_SIZE = 0x3025,
    STENCIL_SIZE = 0x3026,
    WIDTH = 0x3057,
    HEIGHT = 0x3056
  };
  void* lib = dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (!lib) return 0;
  void* (*getDisplay)(unsigned, void*, const int*) =
      (void* (*)(unsigned, void*, const int*))dlsym(lib, "eglGetPlatformDisplay");
  unsigned (*initialize)(void*, int*, int*) = (unsigned (*)(void*, int*, int*))dlsym(lib, "eglInitialize");
  unsigned (*bind)(unsigned) = (unsigned (*)(unsigned))dlsym(lib, "eglBindAPI");
  unsigned (*choose)(void*, const int*, void**, int, int*) =
      (unsigned (*)(void*, const int*, void**, int, int*))dlsym(lib, "eglChooseConfig");
  void* (*create)(void*, void*, void*, const int*) =
      (void* (*)(void*, void*, void*, const int*))dlsym(lib, "eglCreateContext");
  unsigned (*current)(void*, void*, void*, void*) =
      (unsigned (*)(void*, void*, void*, void*))dlsym(lib, "eglMakeCurrent");
  void* (*buffer)(void*, void*, const int*) =
      (void* (*)(void*, void*, const int*))dlsym(lib, "eglCreatePbufferSurface");
  if (!getDisplay || !initialize || !bind || !choose || !create || !current || !buffer) return 0;

  void* display = getDisplay(PLATFORM_SURFACELESS_MESA, NULL, NULL);
  int count = 0;
  void* config = NULL;
  const int wanted[] = {RENDERABLE_TYPE, OPENGL_BIT, SURFACE_TYPE, PBUFFER_BIT, RED_SIZE,     8, GREEN_SIZE, 8,
                        BLUE_SIZE,       8,          DEPTH_SIZE,   24,          STENCIL_SIZE, 8, NONE};
  if (!display || !initialize(display, NULL, NULL) || !bind(OPENGL_API)) return 0;
  if (!choose(display, wanted, &config, 1, &count) || count < 1) config = NULL;
  void* context = create(display, config, NULL, NULL);
  const int size[] = {WIDTH, width, HEIGHT, height, NONE};
  void* surface = width && config ? buffer(display, config, size) : NULL;
  if (width && !surface) return 0;
  lookup = (void* (*)(const char*))dlsym(lib, "eglGetProcAddress");
  return context && current(display, surface, surface, context);
}

static int makeOsmesa(int width, int height) {
  enum { RGBA = 0x1908, UNSIGNED_BYTE = 0x1401 };
  static unsigned char* pixels;
  if (!width) width = height = 64;
  pixels = realloc(pixels, (size_t)(4 * width * height));
  void* lib = dlopen("libOSMesa.so.8", RTLD_NOW | RTLD_GLOBAL);
  if (!lib) return 0;
  void* (*create)(unsigned, int, int, int, void*) =
      (void* (*)(unsigned, int, int, int, void*))dlsym(lib, "OSMesaCreateContextExt");
  unsigned char (*current)(void*, void*, unsigned, int, int) =
      (unsigned char (*)(void*, void*, unsigned, int, int))dlsym(lib, "OSMesaMakeCurrent");
  if (!create || !current) return 0;
  void* context = create(RGBA, 24, 8, 0, NULL);
  lookup = (void* (*)(const char*))dlsym(lib, "OSMesaGetProcAddress");
  return context && current(context, pixels, UNSIGNED_BYTE, width, height);
}

static int make(int width, int height) {
  // software rendering gives the same pixels everywhere
  setenv("LIBGL_ALWAYS_SOFTWARE", "1", 0);
  const char* const wanted = getenv("SINEW_GL");
  const int egl = !wanted || strcmp(wanted, "egl") == 0, osmesa = !wanted || strcmp(wanted, "osmesa") == 0;
  name = egl && makeEgl(width, height) ? "EGL" : osmesa && makeOsmesa(width, height) ? "OSMesa" : "none";
  return name[0] != 'n';
}

int glc_make(void) {
  return make(0, 0);
}

int glc_makeWindow(int width, int height) {
  return make(width, height);
}

void* glc_function(const char* function) {
  return lookup ? lookup(function) : NULL;
}

const char* glc_name(void) {
  return name;
}
