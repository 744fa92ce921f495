// OpenGL as this renderer uses it: what version 3.3 (core) and OpenGL ES 3.0, which is WebGL 2, have in common. Types,
// constants and the table of functions, which are found at run time by whoever made the current context, so that
// building needs no OpenGL.
#pragma once

#include <stddef.h>

typedef unsigned int GLenum, GLuint, GLbitfield;
typedef int GLint, GLsizei;
typedef float GLfloat;
typedef unsigned char GLubyte, GLboolean;
typedef char GLchar;
typedef ptrdiff_t GLsizeiptr, GLintptr;

// Every function used, as FN(result, name, parameters); called as vgl.Clear(...).
#define VIW_EACH_FUNCTION(FN)                                                                                          \
  /* buffers and vertices */                                                                                           \
  FN(void, GenBuffers, (GLsizei n, GLuint * buffers))                                                                  \
  FN(void, DeleteBuffers, (GLsizei n, const GLuint* buffers))                                                          \
  FN(void, BindBuffer, (GLenum target, GLuint buffer))                                                                 \
  FN(void, BufferData, (GLenum target, GLsizeiptr size, const void* data, GLenum usage))                               \
  FN(void, GenVertexArrays, (GLsizei n, GLuint * arrays))                                                              \
  FN(void, DeleteVertexArrays, (GLsizei n, const GLuint* arrays))                                                      \
  FN(void, BindVertexArray, (GLuint array))                                                                            \
  FN(void, EnableVertexAttribArray, (GLuint index))                                                                    \
  FN(void, VertexAttribPointer,                                                                                        \
     (GLuint index, GLint size, GLenum type, GLboolean normalized, GLsizei stride, const void* pointer))               \
  FN(void, VertexAttribDivisor, (GLuint index, GLuint divisor))                                                        \
  FN(void, DrawArrays, (GLenum mode, GLint first, GLsizei count))                                                      \
  FN(void, DrawArraysInstanced, (GLenum mode, GLint first, GLsizei count, GLsizei instances))                          \
  FN(void, DrawElementsInstanced, (GLenum mode, GLsizei count, GLenum type, const void* indices, GLsizei instances))   \
  /* programs */                                                                                                       \
  FN(GLuint, CreateShader, (GLenum type))                                                                              \
  FN(void, DeleteShader, (GLuint shader))                                                                              \
  FN(void, ShaderSource, (GLuint shader, GLsizei count, const GLchar* const* string, const GLint* length))             \
  FN(void, CompileShader, (GLuint shader))                                                                             \
  FN(void, GetShaderiv, (GLuint shader, GLenum name, GLint * params))                                                  \
  FN(void, GetShaderInfoLog, (GLuint shader, GLsizei size, GLsizei * length, GLchar * log))                            \
  FN(GLuint, CreateProgram, (void))                                                                                    \
  FN(void, DeleteProgram, (GLuint program))                                                                            \
  FN(void, AttachShader, (GLuint program, GLuint shader))                                                              \
  FN(void, BindAttribLocation, (GLuint program, GLuint index, const GLchar* name))                                     \
  FN(void, LinkProgram, (GLuint program))                                                                              \
  FN(void, GetProgramiv, (GLuint program, GLenum name, GLint * params))                                                \
  FN(void, GetProgramInfoLog, (GLuint program, GLsizei size, GLsizei * length, GLchar * log))                          \
  FN(void, UseProgram, (GLuint program))                                                                               \
  FN(GLint, GetUniformLocation, (GLuint program, const GLchar* name))                                                  \
  FN(void, Uniform1i, (GLint location, GLint v))                                                                       \
  FN(void, Uniform1f, (GLint location, GLfloat v))                                                                     \
  FN(void, Uniform2f, (GLint location, GLfloat x, GLfloat y))                                                          \
  FN(void, Uniform3fv, (GLint location, GLsizei count, const GLfloat* v))                                              \
  FN(void, Uniform4fv, (GLint location, GLsizei count, const GLfloat* v))                                              \
  FN(void, UniformMatrix4fv, (GLint location, GLsizei count, GLboolean transpose, const GLfloat* v))                   \
  /* textures and framebuffers */                                                                                      \
  FN(void, GenTextures, (GLsizei n, GLuint * textures))                                                                \
  FN(void, DeleteTextures, (GLsizei n, const GLuint* textures))                                                        \
  FN(void, BindTexture, (GLenum target, GLuint texture))                                                               \
  FN(void, ActiveTexture, (GLenum unit))                                                                               \
  FN(void, TexParameteri, (GLenum target, GLenum name, GLint value))                                                   \
  FN(void, TexImage2D,                                                                                                 \
     (GLenum target, GLint level, GLint stored, GLsizei width, GLsizei height, GLint border, GLenum format,            \
      GLenum type, const void* pixels))                                                                                \
  FN(void, GenerateMipmap, (GLenum target))                                                                            \
  FN(void, PixelStorei, (GLenum name, GLint value))                                                                    \
  FN(void, GenFramebuffers, (GLsizei n, GLuint * framebuffers))                                                        \
  FN(void, DeleteFramebuffers, (GLsizei n, const GLuint* framebuffers))                                                \
  FN(void, BindFramebuffer, (GLenum target, GLuint framebuffer))                                                       \
  FN(void, FramebufferTexture2D, (GLenum target, GLenum attachment, GLenum kind, GLuint texture, GLint level))         \
  FN(void, FramebufferRenderbuffer, (GLenum target, GLenum attachment, GLenum kind, GLuint renderbuffer))              \
  FN(GLenum, CheckFramebufferStatus, (GLenum target))                                                                  \
  FN(void, BlitFramebuffer,                                                                                            \
     (GLint x0, GLint y0, GLint x1, GLint y1, GLint u0, GLint v0, GLint u1, GLint v1, GLbitfield mask, GLenum filter)) \
  FN(void, GenRenderbuffers, (GLsizei n, GLuint * renderbuffers))                                                      \
  FN(void, DeleteRenderbuffers, (GLsizei n, const GLuint* renderbuffers))                                              \
  FN(void, BindRenderbuffer, (GLenum target, GLuint renderbuffer))                                                     \
  FN(void, RenderbufferStorageMultisample,                                                                             \
     (GLenum target, GLsizei samples, GLenum format, GLsizei width, GLsizei height))                                   \
  FN(void, ReadPixels, (GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, void* pixels))    \
  FN(void, DrawBuffers, (GLsizei n, const GLenum* buffers))                                                            \
  FN(void, ReadBuffer, (GLenum buffer))                                                                                \
  /* state */                                                                                                          \
  FN(void, Enable, (GLenum capability))                                                                                \
  FN(void, Disable, (GLenum capability))                                                                               \
  FN(void, Viewport, (GLint x, GLint y, GLsizei width, GLsizei height))                                                \
  FN(void, Scissor, (GLint x, GLint y, GLsizei width, GLsizei height))                                                 \
  FN(void, Clear, (GLbitfield mask))                                                                                   \
  FN(void, ClearColor, (GLfloat r, GLfloat g, GLfloat b, GLfloat a))                                                   \
  FN(void, BlendFuncSeparate, (GLenum source, GLenum target, GLenum sourceAlpha, GLenum targetAlpha))                  \
  FN(void, DepthFunc, (GLenum func))                                                                                   \
  FN(void, DepthMask, (GLboolean flag))                                                                                \
  FN(void, ColorMask, (GLboolean r, GLboolean g, GLboolean b, GLboolean a))                                            \
  FN(void, CullFace, (GLenum mode))                                                                                    \
  FN(void, FrontFace, (GLenum mode))                                                                                   \
  FN(void, PolygonOffset, (GLfloat factor, GLfloat units))                                                             \
  FN(void, GetIntegerv, (GLenum name, GLint * params))                                                                 \
  FN(const GLubyte*, GetString, (GLenum name))                                                                         \
  FN(GLenum, GetError, (void))

// Functions that only some contexts have.
#define VIW_EACH_OPTIONAL(FN)            FN(void, PolygonMode, (GLenum face, GLenum mode))

#define MEMBER(result, name, parameters) result(*name) parameters;
typedef struct {
  VIW_EACH_FUNCTION(MEMBER)
  VIW_EACH_OPTIONAL(MEMBER)
} ViwGl;
#undef MEMBER

// The functions, valid after viw_loadGl.
extern ViwGl vgl;

// Finds all functions of the current context. Returns NULL, or the name of one that is missing.
typedef void* (*ViwLookup)(const char* name);
const char* viw_loadGl(ViwLookup lookup);

// constants with the values of the specification
enum {
  GL_NONE = 0,
  GL_TRIANGLES = 0x0004,
  GL_TRIANGLE_STRIP = 0x0005,
  GL_DEPTH_BUFFER_BIT = 0x0100,
  GL_COLOR_BUFFER_BIT = 0x4000,
  GL_ONE = 1,
  GL_SRC_ALPHA = 0x0302,
  GL_ONE_MINUS_SRC_ALPHA = 0x0303,
  GL_LEQUAL = 0x0203,
  GL_FRONT_AND_BACK = 0x0408,
  GL_BACK = 0x0405,
  GL_CW = 0x0900,
  GL_CCW = 0x0901,
  GL_CULL_FACE = 0x0B44,
  GL_DEPTH_TEST = 0x0B71,
  GL_BLEND = 0x0BE2,
  GL_SCISSOR_TEST = 0x0C11,
  GL_UNPACK_ALIGNMENT = 0x0CF5,
  GL_PACK_ALIGNMENT = 0x0D05,
  GL_TEXTURE_2D = 0x0DE1,
  GL_UNSIGNED_BYTE = 0x1401,
  GL_UNSIGNED_INT = 0x1405,
  GL_FLOAT = 0x1406,
  GL_DEPTH_COMPONENT = 0x1902,
  GL_RED = 0x1903,
  GL_RGB = 0x1907,
  GL_RGBA = 0x1908,
  GL_LINE = 0x1B01,
  GL_FILL = 0x1B02,
  GL_RENDERER = 0x1F01,
  GL_VERSION = 0x1F02,
  GL_NEAREST = 0x2600,
  GL_LINEAR = 0x2601,
  GL_LINEAR_MIPMAP_LINEAR = 0x2703,
  GL_TEXTURE_MAG_FILTER = 0x2800,
  GL_TEXTURE_MIN_FILTER = 0x2801,
  GL_TEXTURE_WRAP_S = 0x2802,
  GL_TEXTURE_WRAP_T = 0x2803,
  GL_REPEAT = 0x2901,
  GL_POLYGON_OFFSET_FILL = 0x8037,
  GL_RGB8 = 0x8051,
  GL_RGBA8 = 0x8058,
  GL_CLAMP_TO_EDGE = 0x812F,
  GL_DEPTH_COMPONENT24 = 0x81A6,
  GL_R8 = 0x8229,
  GL_TEXTURE0 = 0x84C0,
  GL_MAX_TEXTURE_SIZE = 0x0D33,
  GL_TEXTURE_CUBE_MAP = 0x8513,
  GL_TEXTURE_CUBE_MAP_POSITIVE_X = 0x8515,
  GL_TEXTURE_COMPARE_MODE = 0x884C,
  GL_TEXTURE_COMPARE_FUNC = 0x884D,
  GL_COMPARE_REF_TO_TEXTURE = 0x884E,
  GL_ARRAY_BUFFER = 0x8892,
  GL_ELEMENT_ARRAY_BUFFER = 0x8893,
  GL_STREAM_DRAW = 0x88E0,
  GL_STATIC_DRAW = 0x88E4,
  GL_FRAGMENT_SHADER = 0x8B30,
  GL_VERTEX_SHADER = 0x8B31,
  GL_COMPILE_STATUS = 0x8B81,
  GL_LINK_STATUS = 0x8B82,
  GL_READ_FRAMEBUFFER = 0x8CA8,
  GL_DRAW_FRAMEBUFFER = 0x8CA9,
  GL_FRAMEBUFFER_COMPLETE = 0x8CD5,
  GL_COLOR_ATTACHMENT0 = 0x8CE0,
  GL_DEPTH_ATTACHMENT = 0x8D00,
  GL_FRAMEBUFFER = 0x8D40,
  GL_RENDERBUFFER = 0x8D41,
  GL_MAX_SAMPLES = 0x8D57,
  GL_FRAMEBUFFER_BINDING = 0x8CA6
};
