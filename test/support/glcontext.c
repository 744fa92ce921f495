// See glcontext.h.
#include "support/glcontext.h"

#include <dlfcn.h>
#include <stdlib.h>

static const char* name = "none";

// EGL on Mesa's surfaceless platform: needs no display and no device
static int makeEgl(void) {
  enum {
    PLATFORM_SURFACELESS_MESA = 0x31DD,
    OPENGL_API = 0x30A2,
    NONE = 0x3038,
    RENDERABLE_TYPE = 0x3040,
    OPENGL_BIT = 8
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
  if (!getDisplay || !initialize || !bind || !choose || !create || !current) return 0;

  void* display = getDisplay(PLATFORM_SURFACELESS_MESA, NULL, NULL);
  int count = 0;
  void* config = NULL;
  const int wanted[] = {RENDERABLE_TYPE, OPENGL_BIT, NONE};
  if (!display || !initialize(display, NULL, NULL) || !bind(OPENGL_API)) return 0;
  if (!choose(display, wanted, &config, 1, &count) || count < 1) config = NULL;
  void* context = create(display, config, NULL, NULL);
  return context && current(display, NULL, NULL, context);
}

static int makeOsmesa(void) {
  enum { RGBA = 0x1908, UNSIGNED_BYTE = 0x1401, SIDE = 64 };
  static unsigned char pixels[4 * SIDE * SIDE];
  void* lib = dlopen("libOSMesa.so.8", RTLD_NOW | RTLD_GLOBAL);
  if (!lib) return 0;
  void* (*create)(unsigned, int, int, int, void*) =
      (void* (*)(unsigned, int, int, int, void*))dlsym(lib, "OSMesaCreateContextExt");
  unsigned char (*current)(void*, void*, unsigned, int, int) =
      (unsigned char (*)(void*, void*, unsigned, int, int))dlsym(lib, "OSMesaMakeCurrent");
  if (!create || !current) return 0;
  void* context = create(RGBA, 24, 8, 0, NULL);
  return context && current(context, pixels, UNSIGNED_BYTE, SIDE, SIDE);
}

int glc_make(void) {
  // software rendering gives the same pixels everywhere
  setenv("LIBGL_ALWAYS_SOFTWARE", "1", 0);
  name = makeEgl() ? "EGL" : makeOsmesa() ? "OSMesa" : "none";
  return name[0] != 'n';
}

const char* glc_name(void) {
  return name;
}
