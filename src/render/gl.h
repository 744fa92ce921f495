// OpenGL as the renderer uses it: version 1.5 with framebuffer objects. Types, constants and the table of functions,
// which are found at run time in whatever library made the current context, so that building needs no OpenGL and a
// program that never draws loads none. Written here because loaders in use are generated, many times as long, and link
// to one way of making contexts.
#pragma once

#include <stddef.h>

typedef unsigned int GLenum, GLuint, GLbitfield;
typedef int GLint, GLsizei;
typedef float GLfloat, GLclampf;
typedef double GLdouble, GLclampd;
typedef unsigned char GLubyte, GLboolean;
typedef char GLchar;
typedef ptrdiff_t GLsizeiptr, GLintptr;

// Every function used, as FN(result, name, parameters); called as gl.Begin(...).
#define REN_EACH_FUNCTION(FN)                                                                                        \
  /* vertices and display lists */                                                                                   \
  FN(void, Begin, (GLenum mode))                                                                                     \
  FN(void, End, (void))                                                                                              \
  FN(void, Vertex2f, (GLfloat x, GLfloat y))                                                                         \
  FN(void, Vertex3f, (GLfloat x, GLfloat y, GLfloat z))                                                              \
  FN(void, Vertex3fv, (const GLfloat* v))                                                                            \
  FN(void, Normal3f, (GLfloat x, GLfloat y, GLfloat z))                                                              \
  FN(void, Normal3fv, (const GLfloat* v))                                                                            \
  FN(void, TexCoord2f, (GLfloat s, GLfloat t))                                                                       \
  FN(void, TexCoord2fv, (const GLfloat* v))                                                                          \
  FN(void, TexCoord3f, (GLfloat s, GLfloat t, GLfloat r))                                                            \
  FN(void, Color3f, (GLfloat r, GLfloat g, GLfloat b))                                                               \
  FN(void, Color3fv, (const GLfloat* v))                                                                             \
  FN(void, Color4f, (GLfloat r, GLfloat g, GLfloat b, GLfloat a))                                                    \
  FN(void, Color4fv, (const GLfloat* v))                                                                             \
  FN(void, Color4ubv, (const GLubyte* v))                                                                            \
  FN(void, EnableClientState, (GLenum array))                                                                        \
  FN(void, DisableClientState, (GLenum array))                                                                       \
  FN(void, VertexPointer, (GLint size, GLenum type, GLsizei stride, const void* pointer))                            \
  FN(void, NormalPointer, (GLenum type, GLsizei stride, const void* pointer))                                        \
  FN(void, TexCoordPointer, (GLint size, GLenum type, GLsizei stride, const void* pointer))                          \
  FN(void, DrawArrays, (GLenum mode, GLint first, GLsizei count))                                                    \
  FN(void, DrawElements, (GLenum mode, GLsizei count, GLenum type, const void* indices))                             \
  FN(GLuint, GenLists, (GLsizei range))                                                                              \
  FN(void, DeleteLists, (GLuint list, GLsizei range))                                                                \
  FN(GLboolean, IsList, (GLuint list))                                                                               \
  FN(void, NewList, (GLuint list, GLenum mode))                                                                      \
  FN(void, EndList, (void))                                                                                          \
  FN(void, CallList, (GLuint list))                                                                                  \
  FN(void, CallLists, (GLsizei n, GLenum type, const void* lists))                                                   \
  FN(void, ListBase, (GLuint base))                                                                                  \
  FN(void, GenBuffers, (GLsizei n, GLuint * buffers))                                                                \
  FN(void, DeleteBuffers, (GLsizei n, const GLuint* buffers))                                                        \
  FN(void, BindBuffer, (GLenum target, GLuint buffer))                                                               \
  FN(void, BufferData, (GLenum target, GLsizeiptr size, const void* data, GLenum usage))                             \
  /* transformations */                                                                                              \
  FN(void, MatrixMode, (GLenum mode))                                                                                \
  FN(void, LoadIdentity, (void))                                                                                     \
  FN(void, LoadMatrixf, (const GLfloat* m))                                                                          \
  FN(void, MultMatrixf, (const GLfloat* m))                                                                          \
  FN(void, PushMatrix, (void))                                                                                       \
  FN(void, PopMatrix, (void))                                                                                        \
  FN(void, Translatef, (GLfloat x, GLfloat y, GLfloat z))                                                            \
  FN(void, Rotatef, (GLfloat angle, GLfloat x, GLfloat y, GLfloat z))                                                \
  FN(void, Scalef, (GLfloat x, GLfloat y, GLfloat z))                                                                \
  FN(void, Frustum, (GLdouble l, GLdouble r, GLdouble b, GLdouble t, GLdouble n, GLdouble f))                        \
  FN(void, Ortho, (GLdouble l, GLdouble r, GLdouble b, GLdouble t, GLdouble n, GLdouble f))                          \
  FN(void, Viewport, (GLint x, GLint y, GLsizei width, GLsizei height))                                              \
  FN(void, DepthRange, (GLclampd n, GLclampd f))                                                                     \
  FN(void, ClipPlane, (GLenum plane, const GLdouble* equation))                                                      \
  /* state */                                                                                                        \
  FN(void, Enable, (GLenum cap))                                                                                     \
  FN(void, Disable, (GLenum cap))                                                                                    \
  FN(GLboolean, IsEnabled, (GLenum cap))                                                                             \
  FN(void, PushAttrib, (GLbitfield mask))                                                                            \
  FN(void, PopAttrib, (void))                                                                                        \
  FN(void, GetIntegerv, (GLenum name, GLint * params))                                                               \
  FN(void, GetFloatv, (GLenum name, GLfloat * params))                                                               \
  FN(void, GetBooleanv, (GLenum name, GLboolean * params))                                                           \
  FN(const GLubyte*, GetString, (GLenum name))                                                                       \
  FN(GLenum, GetError, (void))                                                                                       \
  FN(void, Hint, (GLenum target, GLenum mode))                                                                       \
  FN(void, Finish, (void))                                                                                           \
  FN(void, Flush, (void))                                                                                            \
  FN(void, ShadeModel, (GLenum mode))                                                                                \
  FN(void, FrontFace, (GLenum mode))                                                                                 \
  FN(void, CullFace, (GLenum mode))                                                                                  \
  FN(void, PolygonMode, (GLenum face, GLenum mode))                                                                  \
  FN(void, PolygonOffset, (GLfloat factor, GLfloat units))                                                           \
  FN(void, LineWidth, (GLfloat width))                                                                               \
  FN(void, LineStipple, (GLint factor, unsigned short pattern))                                                      \
  FN(void, PointSize, (GLfloat size))                                                                                \
  FN(void, Scissor, (GLint x, GLint y, GLsizei width, GLsizei height))                                               \
  FN(void, BlendFunc, (GLenum sfactor, GLenum dfactor))                                                              \
  FN(void, BlendFuncSeparate, (GLenum srgb, GLenum drgb, GLenum sa, GLenum da))                                      \
  FN(void, AlphaFunc, (GLenum func, GLclampf ref))                                                                   \
  FN(void, DepthFunc, (GLenum func))                                                                                 \
  FN(void, DepthMask, (GLboolean flag))                                                                              \
  FN(void, ColorMask, (GLboolean r, GLboolean g, GLboolean b, GLboolean a))                                          \
  FN(void, StencilFunc, (GLenum func, GLint ref, GLuint mask))                                                       \
  FN(void, StencilOp, (GLenum fail, GLenum zfail, GLenum zpass))                                                     \
  FN(void, StencilMask, (GLuint mask))                                                                               \
  FN(void, Clear, (GLbitfield mask))                                                                                 \
  FN(void, ClearColor, (GLclampf r, GLclampf g, GLclampf b, GLclampf a))                                             \
  FN(void, ClearDepth, (GLclampd depth))                                                                             \
  FN(void, ClearStencil, (GLint s))                                                                                  \
  /* light, material, fog */                                                                                         \
  FN(void, Lightf, (GLenum light, GLenum name, GLfloat param))                                                       \
  FN(void, Lightfv, (GLenum light, GLenum name, const GLfloat* params))                                              \
  FN(void, LightModeli, (GLenum name, GLint param))                                                                  \
  FN(void, LightModelfv, (GLenum name, const GLfloat* params))                                                       \
  FN(void, Materialf, (GLenum face, GLenum name, GLfloat param))                                                     \
  FN(void, Materialfv, (GLenum face, GLenum name, const GLfloat* params))                                            \
  FN(void, ColorMaterial, (GLenum face, GLenum mode))                                                                \
  FN(void, Fogi, (GLenum name, GLint param))                                                                         \
  FN(void, Fogf, (GLenum name, GLfloat param))                                                                       \
  FN(void, Fogfv, (GLenum name, const GLfloat* params))                                                              \
  /* textures */                                                                                                     \
  FN(void, GenTextures, (GLsizei n, GLuint * textures))                                                              \
  FN(void, DeleteTextures, (GLsizei n, const GLuint* textures))                                                      \
  FN(void, BindTexture, (GLenum target, GLuint texture))                                                             \
  FN(void, ActiveTexture, (GLenum texture))                                                                          \
  FN(void, TexImage2D,                                                                                               \
     (GLenum target, GLint level, GLint internal, GLsizei width, GLsizei height, GLint border, GLenum format,        \
      GLenum type, const void* pixels))                                                                              \
  FN(void, TexParameteri, (GLenum target, GLenum name, GLint param))                                                 \
  FN(void, TexParameterf, (GLenum target, GLenum name, GLfloat param))                                               \
  FN(void, TexParameterfv, (GLenum target, GLenum name, const GLfloat* params))                                      \
  FN(void, TexEnvi, (GLenum target, GLenum name, GLint param))                                                       \
  FN(void, TexEnvfv, (GLenum target, GLenum name, const GLfloat* params))                                            \
  FN(void, TexGeni, (GLenum coord, GLenum name, GLint param))                                                        \
  FN(void, TexGenfv, (GLenum coord, GLenum name, const GLfloat* params))                                             \
  FN(void, GenerateMipmap, (GLenum target))                                                                          \
  /* pixels */                                                                                                       \
  FN(void, PixelStorei, (GLenum name, GLint param))                                                                  \
  FN(void, ReadPixels, (GLint x, GLint y, GLsizei w, GLsizei h, GLenum format, GLenum type, void* pixels))           \
  FN(void, DrawPixels, (GLsizei w, GLsizei h, GLenum format, GLenum type, const void* pixels))                       \
  FN(void, Bitmap, (GLsizei w, GLsizei h, GLfloat x0, GLfloat y0, GLfloat dx, GLfloat dy, const GLubyte* bits))      \
  FN(void, RasterPos3f, (GLfloat x, GLfloat y, GLfloat z))                                                           \
  FN(void, WindowPos2f, (GLfloat x, GLfloat y))                                                                      \
  FN(void, ReadBuffer, (GLenum mode))                                                                                \
  FN(void, DrawBuffer, (GLenum mode))                                                                                \
  /* framebuffers */                                                                                                 \
  FN(void, GenFramebuffers, (GLsizei n, GLuint * names))                                                             \
  FN(void, DeleteFramebuffers, (GLsizei n, const GLuint* names))                                                     \
  FN(void, BindFramebuffer, (GLenum target, GLuint name))                                                            \
  FN(GLenum, CheckFramebufferStatus, (GLenum target))                                                                \
  FN(void, FramebufferRenderbuffer, (GLenum target, GLenum attachment, GLenum rtarget, GLuint name))                 \
  FN(void, FramebufferTexture2D, (GLenum target, GLenum attachment, GLenum ttarget, GLuint name, GLint level))       \
  FN(void, GenRenderbuffers, (GLsizei n, GLuint * names))                                                            \
  FN(void, DeleteRenderbuffers, (GLsizei n, const GLuint* names))                                                    \
  FN(void, BindRenderbuffer, (GLenum target, GLuint name))                                                           \
  FN(void, RenderbufferStorage, (GLenum target, GLenum format, GLsizei width, GLsizei height))                       \
  FN(void, RenderbufferStorageMultisample, (GLenum target, GLsizei n, GLenum format, GLsizei width, GLsizei height)) \
  FN(void, GetRenderbufferParameteriv, (GLenum target, GLenum name, GLint * params))                                 \
  FN(void, BlitFramebuffer,                                                                                          \
     (GLint sx0, GLint sy0, GLint sx1, GLint sy1, GLint dx0, GLint dy0, GLint dx1, GLint dy1, GLbitfield mask,       \
      GLenum filter))

// Functions that not every context has, as FN(result, name, parameters, extension); NULL without it.
#define REN_EACH_OPTIONAL(FN)                                                 \
  FN(void, ClipControl, (GLenum origin, GLenum depth), "GL_ARB_clip_control") \
  FN(void, DebugMessageCallback, (RenDebug callback, const void* user), "GL_KHR_debug")

// receives messages of the driver
typedef void (*RenDebug)(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length, const GLchar* message,
                         const void* user);

typedef struct {
#define REN_FIELD(result, name, parameters, ...) result(*name) parameters;
  REN_EACH_FUNCTION(REN_FIELD)
  REN_EACH_OPTIONAL(REN_FIELD)
#undef REN_FIELD
} RenGl;

// the functions of the current context's library, after ren_loadGl
extern RenGl ren_gl;
#define gl ren_gl

// finds the functions in the library that made the current context; the name of what is missing, or NULL
const char* ren_loadGl(void);

// 1: the current context has this extension, such as "GL_ARB_seamless_cube_map"
int ren_hasExtension(const char* name);

//---------------------------------- constants ----------------------------------

enum {
  GL_FALSE = 0,
  GL_TRUE = 1,
  GL_NO_ERROR = 0,
  GL_NONE = 0,
  // primitives
  GL_POINTS = 0x0000,
  GL_LINES = 0x0001,
  GL_LINE_LOOP = 0x0002,
  GL_LINE_STRIP = 0x0003,
  GL_TRIANGLES = 0x0004,
  GL_TRIANGLE_STRIP = 0x0005,
  GL_TRIANGLE_FAN = 0x0006,
  GL_QUADS = 0x0007,
  GL_QUAD_STRIP = 0x0008,
  GL_POLYGON = 0x0009,
  // types
  GL_UNSIGNED_BYTE = 0x1401,
  GL_UNSIGNED_SHORT = 0x1403,
  GL_INT = 0x1404,
  GL_UNSIGNED_INT = 0x1405,
  GL_FLOAT = 0x1406,
  // comparisons
  GL_NEVER = 0x0200,
  GL_LESS = 0x0201,
  GL_EQUAL = 0x0202,
  GL_LEQUAL = 0x0203,
  GL_GREATER = 0x0204,
  GL_NOTEQUAL = 0x0205,
  GL_GEQUAL = 0x0206,
  GL_ALWAYS = 0x0207,
  // blending
  GL_ZERO = 0,
  GL_ONE = 1,
  GL_SRC_ALPHA = 0x0302,
  GL_ONE_MINUS_SRC_ALPHA = 0x0303,
  GL_DST_ALPHA = 0x0304,
  // buffers
  GL_FRONT_LEFT = 0x0400,
  GL_FRONT_RIGHT = 0x0401,
  GL_BACK_LEFT = 0x0402,
  GL_BACK_RIGHT = 0x0403,
  GL_FRONT = 0x0404,
  GL_BACK = 0x0405,
  GL_FRONT_AND_BACK = 0x0408,
  GL_DEPTH_BUFFER_BIT = 0x0100,
  GL_STENCIL_BUFFER_BIT = 0x0400,
  GL_COLOR_BUFFER_BIT = 0x4000,
  GL_ALL_ATTRIB_BITS = 0xFFFFF,
  // groups of state
  GL_CURRENT_BIT = 0x0001,
  GL_LINE_BIT = 0x0004,
  GL_POLYGON_BIT = 0x0008,
  GL_LIGHTING_BIT = 0x0040,
  GL_VIEWPORT_BIT = 0x0800,
  GL_TRANSFORM_BIT = 0x1000,
  GL_ENABLE_BIT = 0x2000,
  GL_LIST_BIT = 0x20000,
  // faces, hints, modes
  GL_CW = 0x0900,
  GL_CCW = 0x0901,
  GL_FLAT = 0x1D00,
  GL_SMOOTH = 0x1D01,
  GL_POINT = 0x1B00,
  GL_LINE = 0x1B01,
  GL_FILL = 0x1B02,
  GL_NICEST = 0x1102,
  GL_COMPILE = 0x1300,
  GL_MODELVIEW = 0x1700,
  GL_PROJECTION = 0x1701,
  GL_TEXTURE = 0x1702,
  GL_MODELVIEW_MATRIX = 0x0BA6,
  GL_PROJECTION_MATRIX = 0x0BA7,
  GL_VIEWPORT = 0x0BA2,
  // capabilities
  GL_LINE_SMOOTH = 0x0B20,
  GL_LINE_STIPPLE = 0x0B24,
  GL_CULL_FACE = 0x0B44,
  GL_LIGHTING = 0x0B50,
  GL_COLOR_MATERIAL = 0x0B57,
  GL_FOG = 0x0B60,
  GL_DEPTH_TEST = 0x0B71,
  GL_STENCIL_TEST = 0x0B90,
  GL_NORMALIZE = 0x0BA1,
  GL_ALPHA_TEST = 0x0BC0,
  GL_BLEND = 0x0BE2,
  GL_SCISSOR_TEST = 0x0C11,
  GL_TEXTURE_GEN_S = 0x0C60,
  GL_TEXTURE_GEN_T = 0x0C61,
  GL_TEXTURE_GEN_R = 0x0C62,
  GL_TEXTURE_GEN_Q = 0x0C63,
  GL_TEXTURE_2D = 0x0DE1,
  GL_POLYGON_OFFSET_FILL = 0x8037,
  GL_MULTISAMPLE = 0x809D,
  GL_CLIP_PLANE0 = 0x3000,
  // stencil
  GL_KEEP = 0x1E00,
  GL_REPLACE = 0x1E01,
  GL_INCR = 0x1E02,
  // light and material
  GL_LIGHT_MODEL_LOCAL_VIEWER = 0x0B51,
  GL_LIGHT_MODEL_TWO_SIDE = 0x0B52,
  GL_LIGHT_MODEL_AMBIENT = 0x0B53,
  GL_LIGHT_MODEL_COLOR_CONTROL = 0x81F8,
  GL_SINGLE_COLOR = 0x81F9,
  GL_SEPARATE_SPECULAR_COLOR = 0x81FA,
  GL_LIGHT0 = 0x4000,
  GL_MAX_LIGHTS = 0x0D31,
  GL_AMBIENT = 0x1200,
  GL_DIFFUSE = 0x1201,
  GL_SPECULAR = 0x1202,
  GL_POSITION = 0x1203,
  GL_SPOT_DIRECTION = 0x1204,
  GL_SPOT_EXPONENT = 0x1205,
  GL_SPOT_CUTOFF = 0x1206,
  GL_CONSTANT_ATTENUATION = 0x1207,
  GL_LINEAR_ATTENUATION = 0x1208,
  GL_QUADRATIC_ATTENUATION = 0x1209,
  GL_EMISSION = 0x1600,
  GL_SHININESS = 0x1601,
  GL_AMBIENT_AND_DIFFUSE = 0x1602,
  // fog
  GL_FOG_DENSITY = 0x0B62,
  GL_FOG_START = 0x0B63,
  GL_FOG_END = 0x0B64,
  GL_FOG_MODE = 0x0B65,
  GL_FOG_COLOR = 0x0B66,
  GL_FOG_HINT = 0x0C54,
  GL_FOG_COORD_SRC = 0x8450,
  GL_FRAGMENT_DEPTH = 0x8452,
  GL_LINEAR = 0x2601,
  // textures
  GL_S = 0x2000,
  GL_T = 0x2001,
  GL_R = 0x2002,
  GL_Q = 0x2003,
  GL_TEXTURE_ENV = 0x2300,
  GL_TEXTURE_ENV_MODE = 0x2200,
  GL_MODULATE = 0x2100,
  GL_DECAL = 0x2101,
  GL_TEXTURE_GEN_MODE = 0x2500,
  GL_OBJECT_PLANE = 0x2501,
  GL_EYE_PLANE = 0x2502,
  GL_EYE_LINEAR = 0x2400,
  GL_OBJECT_LINEAR = 0x2401,
  GL_NORMAL_MAP = 0x8511,
  GL_REFLECTION_MAP = 0x8512,
  GL_NEAREST = 0x2600,
  GL_LINEAR_MIPMAP_LINEAR = 0x2703,
  GL_TEXTURE_MAG_FILTER = 0x2800,
  GL_TEXTURE_MIN_FILTER = 0x2801,
  GL_TEXTURE_WRAP_S = 0x2802,
  GL_TEXTURE_WRAP_T = 0x2803,
  GL_TEXTURE_WRAP_R = 0x8072,
  GL_TEXTURE_BORDER_COLOR = 0x1004,
  GL_TEXTURE_COMPARE_MODE = 0x884C,
  GL_TEXTURE_COMPARE_FUNC = 0x884D,
  GL_COMPARE_R_TO_TEXTURE = 0x884E,
  GL_DEPTH_TEXTURE_MODE = 0x884B,
  GL_GENERATE_MIPMAP = 0x8191,
  GL_REPEAT = 0x2901,
  GL_CLAMP_TO_BORDER = 0x812D,
  GL_CLAMP_TO_EDGE = 0x812F,
  GL_TEXTURE0 = 0x84C0,
  GL_TEXTURE1 = 0x84C1,
  GL_TEXTURE_CUBE_MAP = 0x8513,
  GL_TEXTURE_CUBE_MAP_POSITIVE_X = 0x8515,
  GL_TEXTURE_CUBE_MAP_SEAMLESS = 0x884F,
  GL_TEXTURE_MAX_ANISOTROPY = 0x84FE,
  GL_MAX_TEXTURE_SIZE = 0x0D33,
  // pixels
  GL_UNPACK_ALIGNMENT = 0x0CF5,
  GL_PACK_ALIGNMENT = 0x0D05,
  GL_STENCIL_INDEX = 0x1901,
  GL_DEPTH_COMPONENT = 0x1902,
  GL_DEPTH_STENCIL = 0x84F9,
  GL_UNSIGNED_INT_24_8 = 0x84FA,
  GL_RED = 0x1903,
  GL_ALPHA = 0x1906,
  GL_RGB = 0x1907,
  GL_RGBA = 0x1908,
  GL_LUMINANCE = 0x1909,
  GL_INTENSITY = 0x8049,
  GL_RGB8 = 0x8051,
  GL_RGBA8 = 0x8058,
  GL_SRGB8 = 0x8C41,
  GL_SRGB8_ALPHA8 = 0x8C43,
  GL_DEPTH_COMPONENT24 = 0x81A6,
  GL_DEPTH_COMPONENT32F = 0x8CAC,
  GL_DEPTH24_STENCIL8 = 0x88F0,
  GL_DEPTH32F_STENCIL8 = 0x8CAD,
  // queries
  GL_DOUBLEBUFFER = 0x0C32,
  GL_STEREO = 0x0C33,
  GL_SCISSOR_BOX = 0x0C10,
  GL_SAMPLE_BUFFERS = 0x80A8,
  GL_SAMPLES = 0x80A9,
  GL_MAX_SAMPLES = 0x8D57,
  GL_MAX_RENDERBUFFER_SIZE = 0x84E8,
  GL_VENDOR = 0x1F00,
  GL_RENDERER = 0x1F01,
  GL_VERSION = 0x1F02,
  GL_EXTENSIONS = 0x1F03,
  GL_DEBUG_OUTPUT = 0x92E0,
  // arrays and buffers
  GL_VERTEX_ARRAY = 0x8074,
  GL_NORMAL_ARRAY = 0x8075,
  GL_TEXTURE_COORD_ARRAY = 0x8078,
  GL_ARRAY_BUFFER = 0x8892,
  GL_ELEMENT_ARRAY_BUFFER = 0x8893,
  GL_STREAM_DRAW = 0x88E0,
  GL_STATIC_DRAW = 0x88E4,
  // framebuffers
  GL_READ_FRAMEBUFFER = 0x8CA8,
  GL_DRAW_FRAMEBUFFER = 0x8CA9,
  GL_FRAMEBUFFER = 0x8D40,
  GL_RENDERBUFFER = 0x8D41,
  GL_FRAMEBUFFER_BINDING = 0x8CA6,
  GL_FRAMEBUFFER_COMPLETE = 0x8CD5,
  GL_FRAMEBUFFER_UNDEFINED = 0x8219,
  GL_RENDERBUFFER_SAMPLES = 0x8CAB,
  GL_COLOR_ATTACHMENT0 = 0x8CE0,
  GL_DEPTH_ATTACHMENT = 0x8D00,
  GL_DEPTH_STENCIL_ATTACHMENT = 0x821A,
  // depth from 0 to 1 instead of -1 to 1
  GL_LOWER_LEFT = 0x8CA1,
  GL_NEGATIVE_ONE_TO_ONE = 0x935E,
  GL_ZERO_TO_ONE = 0x935F,
};
