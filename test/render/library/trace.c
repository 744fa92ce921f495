// An OpenGL that draws nothing and remembers what it was asked: for each function how often it was called, a hash of
// the order of calls and of whole numbers, and two sums of the real ones, which other C libraries may change a little.
// It looks like OSMesa's library; its context is always current.
#include <mujoco/mjexport.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "render/gl.h"

typedef void (*Function)(void);
#include "gl_names.inc"

#define MEMORY_COUNT N_COUNT
#include "support/call_memory.h"

static GLuint last;

static void pixelsOf(const void* pixels, int width, int height, GLenum format, GLenum type) {
  if (!pixels) return;
  const int channels = format == GL_RGB ? 3 : format == GL_RGBA ? 4 : 1;
  if (type == GL_FLOAT) {
    floats(pixels, width * height * channels);
  } else {
    bytes(pixels, (size_t)width * (size_t)height * (size_t)channels);
  }
}

// arrays of the client are read when they are drawn
static struct {
  const float* at;
  int size;
} arrays[3];

static void array(int which, const void* pointer, int size) {
  arrays[which].at = pointer;
  arrays[which].size = size;
}
static void drawn(int first, int count) {
  for (int k = 0; k < 2; k++) {
    if (arrays[k].at) floats(arrays[k].at + first * arrays[k].size, count * arrays[k].size);
  }
}

// -------------------------------------------------------------------------------------------- answers

static float matrices[16];

static void matrix(const float* m, int multiplied) {
  if (!multiplied) memcpy(matrices, m, sizeof(matrices));
}
static void answerFloats(GLenum name, GLfloat* params) {
  (void)name;
  memcpy(params, matrices, sizeof(matrices));
}
static void answerInts(GLenum name, GLint* params) {
  const int box[4] = {1, 2, 30, 40};
  if (name == GL_SCISSOR_BOX) {
    memcpy(params, box, sizeof(box));
  } else {
    *params = name == GL_MAX_LIGHTS ? 8 : name == GL_UNPACK_ALIGNMENT ? 4 : name == GL_MAX_SAMPLES ? 16 : 4096;
  }
}
static const GLubyte* answerString(GLenum name) {
  return (const GLubyte*)(name == GL_EXTENSIONS ? "GL_ARB_framebuffer_object GL_ARB_clip_control GL_EXT_texture_sRGB "
                                                  "GL_ARB_depth_buffer_float GL_ARB_seamless_cube_map"
                                                : "2.1 none");
}
static void answerPixels(int w, int h, GLenum format, GLenum type, void* pixels) {
  const int n = w * h * (format == GL_RGB ? 3 : 1);
  for (int i = 0; i < n; i++) {
    if (type == GL_FLOAT) {
      ((float*)pixels)[i] = (float)(i % 97) / 97;
    } else {
      ((unsigned char*)pixels)[i] = (unsigned char)(i % 251);
    }
  }
}
static void names_(GLsizei n, GLuint* given) {
  for (GLsizei i = 0; i < n; i++) given[i] = ++last;
}
static GLuint newLists(GLsizei range) {
  last += (GLuint)range;
  return last - (GLuint)range + 1;
}

static void note(int function) {
  remember(function);
}

#include "gl_calls.inc"

// -------------------------------------------------------------------------------------------- interface

// forgets everything
MJAPI void recordClear(void);
MJAPI void recordClear(void) {
  memoryClear();
}

MJAPI void recordWrite(FILE* file, const char* scene);
MJAPI void recordWrite(FILE* file, const char* scene) {
  memoryWrite(file, scene, NAMES);
}

MJAPI void* OSMesaGetCurrentContext(void);
MJAPI void* OSMesaGetCurrentContext(void) {
  return &last;
}

MJAPI Function OSMesaGetProcAddress(const char* wanted);
MJAPI Function OSMesaGetProcAddress(const char* wanted) {
  for (int i = 0; i < N_COUNT; i++) {
    if (!strncmp(wanted, "gl", 2) && !strcmp(wanted + 2, NAMES[i])) return FUNCTIONS[i];
  }
  return NULL;
}
