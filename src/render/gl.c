// Finds OpenGL's functions at run time; see gl.h.
#include "render/gl.h"

#include <dlfcn.h>
#include <string.h>

RenGl ren_gl;

typedef void (*Function)(void);
typedef Function (*Lookup)(const char* name);
typedef void* (*CurrentContext)(void);

// The libraries that make contexts: which one has a current context, and how it hands out functions.
static const struct {
  const char* file;
  const char* current;  // function that returns the current context, NULL without one
  const char* lookup;   // function that returns a function's address
} MAKERS[] = {
    {"libOSMesa.so.8", "OSMesaGetCurrentContext", "OSMesaGetProcAddress"},
    {"libEGL.so.1",    "eglGetCurrentContext",    "eglGetProcAddress"   },
    {"libGLX.so.0",    "glXGetCurrentContext",    "glXGetProcAddressARB"},
    {"libGL.so.1",     "glXGetCurrentContext",    "glXGetProcAddressARB"},
};

// libraries that hold the functions themselves, for those a lookup does not know
static const char* const HOLDERS[] = {"libOpenGL.so.0", "libGL.so.1"};

// Keeps the library that an address lies in, to the end of the process: a client may close the library of its window
// before it frees what we made with it.
static void keep(Function function) {
  Dl_info info;
  if (!dladdr((void*)function, &info) || !info.dli_fname) return;
  void* const lib = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  if (lib) dlclose(lib);
}

// a symbol of the program or of a library that is loaded already
static void* loaded(const char* file, const char* symbol) {
  void* address = dlsym(RTLD_DEFAULT, symbol);
  if (address) return address;
  void* lib = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
  if (!lib) return NULL;
  address = dlsym(lib, symbol);
  dlclose(lib);
  return address;
}

// how the library of the current context hands out functions, NULL without a current context
static Lookup currentLookup(void) {
  for (size_t i = 0; i < sizeof(MAKERS) / sizeof(MAKERS[0]); i++) {
    const CurrentContext current = (CurrentContext)loaded(MAKERS[i].file, MAKERS[i].current);
    if (!current || !current()) continue;
    keep((Function)current);
    return (Lookup)loaded(MAKERS[i].file, MAKERS[i].lookup);
  }
  return NULL;
}

static Function find(Lookup lookup, const char* name) {
  Function found = lookup(name);
  for (size_t i = 0; i < sizeof(HOLDERS) / sizeof(HOLDERS[0]) && !found; i++) {
    found = (Function)loaded(HOLDERS[i], name);
  }
  if (found) keep(found);
  return found;
}

// whether a list of words separated by spaces has this one
static int hasWord(const char* list, const char* word) {
  const size_t length = strlen(word);
  while (list && (list = strstr(list, word)) != NULL) {
    list += length;
    if (*list == ' ' || *list == '\0') return 1;
  }
  return 0;
}

int ren_hasExtension(const char* name) {
  return hasWord((const char*)gl.GetString(GL_EXTENSIONS), name);
}

const char* ren_loadGl(void) {
  const Lookup lookup = currentLookup();
  if (!lookup) return "a current OpenGL context";
  const char* missing = NULL;
  RenGl found = {0};
#define FIND(result, name, parameters, ...) found.name = (result(*) parameters)find(lookup, "gl" #name);
#define NEED(result, name, parameters) \
  if (!found.name) missing = "gl" #name;
#define DROP(result, name, parameters, extension) \
  if (!hasWord(extensions, extension)) found.name = NULL;
  REN_EACH_FUNCTION(FIND)
  REN_EACH_OPTIONAL(FIND)
  REN_EACH_FUNCTION(NEED)
  if (missing) return missing;

  // drivers also hand out functions that they do not have
  const char* const extensions = (const char*)found.GetString(GL_EXTENSIONS);
  REN_EACH_OPTIONAL(DROP)
#undef FIND
#undef NEED
#undef DROP
  // other threads that draw with the same library see no change
  if (memcmp(&gl, &found, sizeof(gl)) != 0) gl = found;
  return NULL;
}
