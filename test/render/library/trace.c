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

typedef struct {
  long calls;
  uint32_t hash;  // of the numbers of calls before each, and of whole numbers
  double sum, weighted, size;
  unsigned random;
} Memory;

static Memory memory[N_COUNT];
static int current;
static long total;
static GLuint last;

static void whole(long long value) {
  Memory* const m = memory + current;
  for (int i = 0; i < 8; i++) m->hash = (m->hash ^ (uint32_t)(value >> (8 * i) & 255)) * 16777619u;
}

static void note(int function) {
  current = function;
  Memory* const m = memory + function;
  m->calls++;
  whole(total++);
}

// Large numbers count little more than others, so that none drowns the rest; the second sum has weights between one
// half and three halves, so that the order counts.
static void number(double real) {
  const double value = real / (1 + (real < 0 ? -real : real));
  Memory* const m = memory + current;
  m->random = m->random * 1664525u + 1013904223u;
  m->sum += value;
  m->weighted += value * (0.5 + (m->random >> 8) / 16777216.0);
  m->size += value < 0 ? -value : value;
}

static void floats(const float* v, int n) {
  for (int i = 0; i < n; i++) number(v[i]);
}
static void doubles(const double* v, int n) {
  for (int i = 0; i < n; i++) number(v[i]);
}
static void bytes(const void* data, size_t n) {
  for (size_t i = 0; i < n; i++) number(((const unsigned char*)data)[i]);
}

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

#include "gl_calls.inc"

// -------------------------------------------------------------------------------------------- interface

// forgets everything
MJAPI void recordClear(void);
MJAPI void recordClear(void) {
  memset(memory, 0, sizeof(memory));
  total = 0;
}

// one line for each function that was called: scene, function, calls, hash, sums, size
MJAPI void recordWrite(FILE* file, const char* scene);
MJAPI void recordWrite(FILE* file, const char* scene) {
  for (int i = 0; i < N_COUNT; i++) {
    const Memory* const m = memory + i;
    if (m->calls) {
      fprintf(file, "%s %s %ld %08x %.10g %.10g %.4g\n", scene, NAMES[i], m->calls, m->hash, m->sum, m->weighted,
              m->size);
    }
  }
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
