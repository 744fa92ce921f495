// An OpenGL that draws nothing, in a library that looks like OSMesa's: it can be loaded and unloaded at will, which
// drivers do not like. Its context is always current.
#include <mujoco/mjexport.h>
#include <string.h>

#include "render/gl.h"

typedef void (*Function)(void);

// every function exists and returns zero
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wpedantic"
#define FAKE(result, name, parameters, ...) \
  static result fake##name parameters {     \
    return (result)0;                       \
  }
REN_EACH_FUNCTION(FAKE)
REN_EACH_OPTIONAL(FAKE)

// those that must say something for a context to be made
static const GLubyte* getString(GLenum name) {
  return (const GLubyte*)(name == GL_EXTENSIONS ? "GL_ARB_framebuffer_object" : "2.1 none");
}
static void getIntegerv(GLenum name, GLint* params) {
  *params = 4096;
}
static GLenum checkFramebufferStatus(GLenum target) {
  return GL_FRAMEBUFFER_COMPLETE;
}
static int deleted;
static void deleteLists(GLuint list, GLsizei range) {
  deleted++;
}
static GLuint genLists(GLsizei range) {
  return 1;
}
static void genNames(GLsizei n, GLuint* names) {
  for (GLsizei i = 0; i < n; i++) names[i] = 1;
}

// how often lists were deleted since the library was loaded
MJAPI int fakeDeleted(void);
MJAPI int fakeDeleted(void) {
  return deleted;
}

MJAPI void* OSMesaGetCurrentContext(void);
MJAPI void* OSMesaGetCurrentContext(void) {
  return &deleted;
}

MJAPI Function OSMesaGetProcAddress(const char* wanted);
MJAPI Function OSMesaGetProcAddress(const char* wanted) {
  static const struct {
    const char* name;
    Function function;
  } special[] = {
      {"glGetString",              (Function)getString             },
      {"glGetIntegerv",            (Function)getIntegerv           },
      {"glCheckFramebufferStatus", (Function)checkFramebufferStatus},
      {"glDeleteLists",            (Function)deleteLists           },
      {"glGenLists",               (Function)genLists              },
      {"glGenTextures",            (Function)genNames              },
      {"glGenBuffers",             (Function)genNames              },
      {"glGenFramebuffers",        (Function)genNames              },
      {"glGenRenderbuffers",       (Function)genNames              },
  };
  for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++) {
    if (strcmp(special[i].name, wanted) == 0) return special[i].function;
  }
#define MATCH(result, name, parameters, ...) \
  if (strcmp("gl" #name, wanted) == 0) return (Function)fake##name;
  REN_EACH_FUNCTION(MATCH)
  REN_EACH_OPTIONAL(MATCH)
  return NULL;
}
