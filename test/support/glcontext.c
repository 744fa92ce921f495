// See glcontext.h.
#include "support/glcontext.h"

#include <stdlib.h>

#include "support/offscreen.h"

// what drivers keep until the end is not a leak of ours
__attribute__((visibility("default"))) const char* __lsan_default_suppressions(void);
const char* __lsan_default_suppressions(void) {
  return "leak:_dri.so\nleak:libgallium\nleak:libEGL\nleak:libGL\nleak:libOSMesa\nleak:libLLVM\n";
}

// all of them, because objects of earlier ones may still be in use
static CliOffscreen* screens;
static int nscreen;

int glc_makeWindow(int width, int height) {
  // software rendering gives the same pixels everywhere
  setenv("LIBGL_ALWAYS_SOFTWARE", "1", 0);
  screens = realloc(screens, ((size_t)nscreen + 1) * sizeof(*screens));
  if (!screens || !cli_openOffscreen(&screens[nscreen], width, height)) return 0;
  nscreen++;
  return 1;
}

int glc_make(void) {
  return glc_makeWindow(0, 0);
}

void* glc_function(const char* function) {
  return nscreen ? screens[nscreen - 1].lookup(function) : NULL;
}

const char* glc_name(void) {
  return nscreen ? screens[nscreen - 1].name : "none";
}
