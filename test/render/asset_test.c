// Planes, meshes, height fields, skins, textures and built-in shapes on the graphics card: what their lists draw, read
// back by transform feedback, against the reference's lists and by facts of the model; uploading again after a change.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "render/render.h"
#include "support/catch.h"
#include "support/glcontext.h"
#include "support/model.h"
#include "support/oracle.h"

enum {
  VERTEX_SHADER = 0x8B31,
  LINK_STATUS = 0x8B82,
  INTERLEAVED_ATTRIBS = 0x8C8C,
  TRANSFORM_FEEDBACK_BUFFER = 0x8C8E,
  PRIMITIVES_WRITTEN = 0x8C88,
  RASTERIZER_DISCARD = 0x8C89,
  QUERY_RESULT = 0x8866,
  TEXTURE_WIDTH = 0x1000,
  TEXTURE_HEIGHT = 0x1001,
  TEXTURE_INTERNAL_FORMAT = 0x1003,
};

static const char* const XML =
    "<mujoco><visual><global offwidth='64' offheight='64'/>"
    "<quality numslices='9' numstacks='6' numquads='3' shadowsize='128'/><map haze='.4' zfar='5'/>"
    "<rgba haze='.1 .2 .3 1'/></visual><statistic extent='2'/>"
    "<asset>"
    "<texture name='flat' type='2d' builtin='checker' width='16' height='10' rgb1='1 0 0' rgb2='0 1 0'/>"
    "<texture name='cube' type='cube' builtin='gradient' width='8' height='48' rgb1='1 0 0' rgb2='0 0 1'/>"
    "<texture name='one' type='cube' builtin='flat' width='4' height='4' rgb1='.2 .4 .6'/>"
    "<texture name='sky' type='skybox' builtin='gradient' width='16' height='96' rgb1='.3 .5 .7' rgb2='0 0 0'/>"
    "<texture name='srgb' type='2d' builtin='flat' colorspace='sRGB' width='4' height='4' rgb1='.5 .5 .5'/>"
    "<texture name='alpha' type='2d' nchannel='4' builtin='flat' width='4' height='4' rgb1='.5 .5 .5'/>"
    "<texture name='salpha' type='2d' nchannel='4' builtin='flat' colorspace='sRGB' width='4' height='4'/>"
    "<material name='tiles' texture='flat' texuniform='true' texrepeat='3 4'/>"
    "<mesh name='wedge' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>"
    "<mesh name='ball' builtin='sphere' params='2'/>"
    "<mesh name='roof' inertia='shell' smoothnormal='true' face='0 2 3 0 3 1 0 1 5 0 5 4'"
    " vertex='0 -1 0 0 1 0 .766 -1 -.643 .766 1 -.643 -.766 -1 -.643 -.766 1 -.643'/>"
    "<mesh name='smooth' smoothnormal='true' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>"
    "<mesh name='open' inertia='shell' vertex='0 0 0 1 0 0 0 1 0 1 1 .5' face='0 1 2 1 3 2'/>"
    "<mesh name='mapped' vertex='0 0 0 1 0 0 0 1 0 0 0 1' texcoord='0 0 1 0 0 1 1 1' face='0 2 1 0 1 3 0 3 2 1 2 3'/>"
    "<hfield name='hills' nrow='3' ncol='4' size='1 1.5 .5 .1' elevation='0 1 2 0 3 1 0 2 1 1 0 0'/>"
    "<skin name='cloth' vertex='0 0 0 1 0 0 0 1 0' face='0 1 2' texcoord='0 0 1 0 0 1'>"
    "<bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin>"
    "</asset><worldbody>"
    "<geom type='plane' size='2 3 .5'/><geom type='plane' size='0 0 1'/><geom type='plane' size='0 1.3 .4' "
    "material='tiles'/>"
    "<geom type='plane' size='5 5 .001'/>"
    "<geom type='hfield' hfield='hills' pos='0 0 -2'/><body name='b'><freejoint/><geom type='mesh' mesh='wedge'/>"
    "<geom type='mesh' mesh='ball'/><geom type='mesh' mesh='roof' contype='0' conaffinity='0' mass='1'/><geom "
    "type='mesh' mesh='smooth'/><geom type='mesh' "
    "mesh='mapped'/>"
    "<geom type='mesh' mesh='open' contype='0' conaffinity='0' mass='1'/></body></worldbody></mujoco>";

typedef struct {
  mjModel* m;
  mjrContext our, ref;
} Pair;

// what the renderer itself does not use of OpenGL
#define EACH(FN)                                                                       \
  FN(void, GetTexImage, (GLenum, GLint, GLenum, GLenum, void*))                        \
  FN(void, GetTexLevelParameteriv, (GLenum, GLint, GLenum, GLint*))                    \
  FN(void, GetTexParameteriv, (GLenum, GLenum, GLint*))                                \
  FN(void, GetBufferSubData, (GLenum, GLintptr, GLsizeiptr, void*))                    \
  FN(GLuint, CreateShader, (GLenum))                                                   \
  FN(void, ShaderSource, (GLuint, GLsizei, const GLchar* const*, const GLint*))        \
  FN(void, CompileShader, (GLuint))                                                    \
  FN(GLuint, CreateProgram, (void))                                                    \
  FN(void, AttachShader, (GLuint, GLuint))                                             \
  FN(void, LinkProgram, (GLuint))                                                      \
  FN(void, UseProgram, (GLuint))                                                       \
  FN(void, GetProgramiv, (GLuint, GLenum, GLint*))                                     \
  FN(void, TransformFeedbackVaryings, (GLuint, GLsizei, const GLchar* const*, GLenum)) \
  FN(void, BindBufferBase, (GLenum, GLuint, GLuint))                                   \
  FN(void, BeginTransformFeedback, (GLenum))                                           \
  FN(void, EndTransformFeedback, (void))                                               \
  FN(void, GenQueries, (GLsizei, GLuint*))                                             \
  FN(void, BeginQuery, (GLenum, GLuint))                                               \
  FN(void, EndQuery, (GLenum))                                                         \
  FN(void, GetQueryObjectuiv, (GLuint, GLenum, GLuint*))
static struct {
#define FIELD(result, name, parameters) result(*name) parameters;
  EACH(FIELD)
} more;

// a corner as the list gives it
typedef struct {
  float place[3], normal[3], color[4], tex[2];
} Corner;

#define MAXTRIANGLE 200000

static GLuint recorder, recording, counter;

// a program that writes corners to a buffer instead of drawing them
static void makeRecorder(void) {
#define FIND(result, name, parameters) more.name = (result(*) parameters)glc_function("gl" #name);
  EACH(FIND)
  const GLchar* const source =
      "#version 120\n"
      "varying vec3 place; varying vec3 normal; varying vec4 color; varying vec2 tex;"
      "void main() { place = gl_Vertex.xyz; normal = gl_Normal; color = gl_Color; tex = gl_MultiTexCoord0.xy;"
      " gl_Position = gl_Vertex; }";
  const GLchar* const outputs[] = {"place", "normal", "color", "tex"};
  const GLuint shader = more.CreateShader(VERTEX_SHADER);
  more.ShaderSource(shader, 1, &source, NULL);
  more.CompileShader(shader);
  recorder = more.CreateProgram();
  more.AttachShader(recorder, shader);
  more.TransformFeedbackVaryings(recorder, 4, outputs, INTERLEAVED_ATTRIBS);
  more.LinkProgram(recorder);
  GLint linked = 0;
  more.GetProgramiv(recorder, LINK_STATUS, &linked);
  assert_true(linked);
  gl.GenBuffers(1, &recording);
  gl.BindBuffer(TRANSFORM_FEEDBACK_BUFFER, recording);
  gl.BufferData(TRANSFORM_FEEDBACK_BUFFER, MAXTRIANGLE * 3 * (GLsizeiptr)sizeof(Corner), NULL, GL_STREAM_DRAW);
  more.GenQueries(1, &counter);
}

static Pair open(void) {
  Pair p = {.m = tst_string(XML)};
  mjr_makeContext(p.m, &p.our, 100);
  if (orc_available()) ORC(mjr_makeContext)(p.m, &p.ref, 100);
  makeRecorder();
  return p;
}

static void shut(Pair* p) {
  mjr_freeContext(&p->our);
  if (orc_available()) ORC(mjr_freeContext)(&p->ref);
  assert_int_equal(mjr_getError(), 0);
  mj_deleteModel(p->m);
}

//---------------------------------- what a list draws ----------------------------------

typedef struct {
  int n;
  Corner corner[MAXTRIANGLE][3];
} Drawn;

static Drawn our, ref;

// the triangles of lists
static void draw(Drawn* d, const GLuint* lists, int nlist) {
  gl.Enable(RASTERIZER_DISCARD);
  more.UseProgram(recorder);
  more.BindBufferBase(TRANSFORM_FEEDBACK_BUFFER, 0, recording);
  gl.TexCoord2f(-7, -7);
  gl.Color4f(1, 1, 1, 1);
  gl.Normal3f(0, 0, 0);
  more.BeginQuery(PRIMITIVES_WRITTEN, counter);
  more.BeginTransformFeedback(GL_TRIANGLES);
  for (int i = 0; i < nlist; i++) gl.CallList(lists[i]);
  more.EndTransformFeedback();
  more.EndQuery(PRIMITIVES_WRITTEN);
  more.UseProgram(0);
  gl.Disable(RASTERIZER_DISCARD);
  GLuint count = 0;
  more.GetQueryObjectuiv(counter, QUERY_RESULT, &count);
  d->n = (int)count;
  more.GetBufferSubData(TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)(count * sizeof(d->corner[0])), d->corner);
  assert_int_equal(mjr_getError(), 0);
}

static int sameCorner(const Corner* a, const Corner* b) {
  // a few units in the last place of coordinates near 1
  const float *const x = (const float*)a, *const y = (const float*)b;
  for (size_t k = 0; k < sizeof(Corner) / sizeof(float); k++) {
    if (!(fabsf(x[k] - y[k]) <= 5e-7f * fmaxf(1, fabsf(y[k])))) return 0;
  }
  return 1;
}

static int sameTriangle(const Corner a[3], const Corner b[3], int shift) {
  for (int k = 0; k < 3; k++) {
    if (!sameCorner(a + k, b + (k + shift) % 3)) return 0;
  }
  return 1;
}

// every triangle of one set is one of the other, which may have them in another order and start at another corner
static void sameSet(const char* what) {
  int missing = 0;
  for (int i = 0; i < our.n; i++) {
    int found = 0;
    for (int j = 0; j < ref.n && !found; j++) {
      for (int shift = 0; shift < 3 && !found; shift++) found = sameTriangle(our.corner[i], ref.corner[j], shift);
    }
    if (!found && missing++ == 0) {
      const Corner* const c = our.corner[i];
      print_error("%s: triangle %d of %d at %g %g %g, normal %g %g %g, is not in the reference's\n", what, i, our.n,
                  c->place[0], c->place[1], c->place[2], c->normal[0], c->normal[1], c->normal[2]);
    }
  }
  if (our.n != ref.n) print_error("%s: %d triangles, expected %d\n", what, our.n, ref.n);
  assert_int_equal(missing, 0);
  assert_int_equal(our.n, ref.n);
}

// the same list of both, in the same order
static void sameList(const char* what, GLuint ourList, GLuint refList) {
  draw(&our, &ourList, 1);
  draw(&ref, &refList, 1);
  assert_int_equal(our.n, ref.n);
  for (int i = 0; i < our.n; i++) {
    if (!sameTriangle(our.corner[i], ref.corner[i], 0)) print_error("%s: triangle %d differs\n", what, i);
    assert_true(sameTriangle(our.corner[i], ref.corner[i], 0));
  }
}

// greatest and least coordinate along an axis of what was drawn
static void extent(const Drawn* d, int axis, float range[2]) {
  range[0] = 1e9f, range[1] = -1e9f;
  for (int i = 0; i < d->n; i++) {
    for (int k = 0; k < 3; k++) {
      range[0] = fminf(range[0], d->corner[i][k].place[axis]);
      range[1] = fmaxf(range[1], d->corner[i][k].place[axis]);
    }
  }
}

static void assertExtent(int axis, float low, float high) {
  float range[2];
  extent(&our, axis, range);
  assert_true(fabsf(range[0] - low) < 1e-4f);
  assert_true(fabsf(range[1] - high) < 1e-4f);
}

//---------------------------------- tests ----------------------------------

static void shapes(void** state) {
  (void)state;
  if (!glc_make()) skip();
  Pair p = open();
  // the reference's lists in its own order, and which of ours make the same
  static const struct {
    const char* name;
    int n;
    RenShape parts[3];
  } SAME[8] = {
      {"sphere",        1, {REN_SPHERE}                             },
      {"sphere top",    1, {REN_SPHERE_TOP}                         },
      {"sphere bottom", 1, {REN_SPHERE_BOTTOM}                      },
      {"cylinder",      3, {REN_DISK_BOTTOM, REN_TUBE, REN_DISK_TOP}},
      {"tube",          1, {REN_TUBE}                               },
      {"haze",          1, {REN_HAZE}                               },
      {"box",           1, {REN_BOX}                                },
      {"cone",          2, {REN_CONE, REN_CONE_BASE}                },
  };
  for (int i = 0; i < 8; i++) {
    GLuint lists[3];
    for (int k = 0; k < SAME[i].n; k++) lists[k] = p.our.baseBuiltin + SAME[i].parts[k];
    draw(&our, lists, SAME[i].n);
    assert_true(our.n > 0);
    if (!orc_available()) continue;
    const GLuint theirs = p.ref.baseBuiltin + (GLuint)i;
    draw(&ref, &theirs, 1);
    sameSet(SAME[i].name);
  }

  // haze: in its colour, transparent at the bottom and the top, opaque between
  const GLuint haze = p.our.baseBuiltin + REN_HAZE;
  draw(&our, &haze, 1);
  assertExtent(2, 0, 1);
  for (int i = 0; i < our.n; i++) {
    for (int k = 0; k < 3; k++) {
      const Corner* const c = &our.corner[i][k];
      const int end = fabsf(c->place[2]) < 1e-4f || fabsf(c->place[2] - 1) < 1e-4f;
      assert_true(c->color[0] == .1f && c->color[2] == .3f && c->color[3] == (end ? 0 : 1));
    }
  }
  shut(&p);
}

static void planes(void** state) {
  (void)state;
  if (!glc_make()) skip();
  Pair p = open();
  assert_int_equal(p.our.rangePlane, 5);
  for (GLuint i = 0; i < 5 && orc_available(); i++) sameList("plane", p.our.basePlane + i, p.ref.basePlane + i);

  // the square has numquads² cells; the first plane is 2 x 3 with lines every metre
  draw(&our, &p.our.basePlane, 1);
  assert_int_equal(our.n, 2 * 3 * 3);
  assertExtent(0, -1, 1);
  const GLuint first = p.our.basePlane + 1;
  draw(&our, &first, 1);
  assertExtent(0, -2, 2);
  assertExtent(1, -3, 3);
  assertExtent(2, 0, 0);
  for (int i = 0; i < our.n; i++) assert_true(our.corner[i][0].normal[2] == 1);
  shut(&p);
}

static void meshes(void** state) {
  (void)state;
  if (!glc_make()) skip();
  Pair p = open();
  assert_int_equal(p.our.rangeMesh, 12);
  for (GLuint i = 0; i < 12 && orc_available(); i++) sameList("mesh", p.our.baseMesh + i, p.ref.baseMesh + i);
  for (int i = 0; i < p.m->nmesh; i++) {
    const GLuint lists[2] = {p.our.baseMesh + 2 * (GLuint)i, p.our.baseMesh + 2 * (GLuint)i + 1};
    draw(&our, lists, 1);
    assert_int_equal(our.n, p.m->mesh_facenum[i]);
    draw(&our, lists + 1, 1);
    const int graph = p.m->mesh_graphadr[i];
    assert_int_equal(our.n, graph >= 0 ? p.m->mesh_graph[graph + 1] : 0);
  }

  // a tetrahedron has sharp edges: normals are those of its faces, unless it is said to be smooth
  const GLuint wedge = p.our.baseMesh, smooth = p.our.baseMesh + 6;
  draw(&our, &wedge, 1);
  for (int i = 0; i < our.n; i++)
    assert_memory_equal(our.corner[i][0].normal, our.corner[i][1].normal, 3 * sizeof(float));

  // moved vertices are seen after uploading
  float before[2], after[2];
  extent(&our, 0, before);
  for (int i = 0; i < p.m->mesh_vertnum[0]; i++) p.m->mesh_vert[3 * i] += 2;
  draw(&our, &wedge, 1);
  extent(&our, 0, after);
  assert_true(after[0] == before[0]);
  mjr_uploadMesh(p.m, &p.our, 0);
  draw(&our, &wedge, 1);
  extent(&our, 0, after);
  assert_true(fabsf(after[0] - before[0] - 2) < 1e-4f && fabsf(after[1] - before[1] - 2) < 1e-4f);
  draw(&our, &smooth, 1);
  assert_int_equal(our.n, 4);

  // a hull that is gone is not drawn any more
  const GLuint hull = p.our.baseMesh + 1;
  draw(&our, &hull, 1);
  assert_int_equal(our.n, 4);
  p.m->mesh_graphadr[0] = -1;
  mjr_uploadMesh(p.m, &p.our, 0);
  draw(&our, &hull, 1);
  assert_int_equal(our.n, 0);
  shut(&p);
}

static void heightFields(void** state) {
  (void)state;
  if (!glc_make()) skip();
  Pair p = open();
  if (orc_available()) sameList("height field", p.our.baseHField, p.ref.baseHField);
  draw(&our, &p.our.baseHField, 1);
  assertExtent(0, -1, 1);
  assertExtent(1, -1.5f, 1.5f);
  assertExtent(2, -.1f, .5f);
  // two triangles per cell, wall and piece of the base
  assert_int_equal(our.n, 2 * (2 * 3 + 2 * (2 + 3) + 3 * 3));

  // closed: area vectors sum to zero
  double area[3] = {0};
  for (int i = 0; i < our.n; i++) {
    const float *const a = our.corner[i][0].place, *const b = our.corner[i][1].place, *const c = our.corner[i][2].place;
    for (int k = 0; k < 3; k++) {
      const int u = (k + 1) % 3, v = (k + 2) % 3;
      area[k] += (double)(b[u] - a[u]) * (c[v] - a[v]) - (double)(b[v] - a[v]) * (c[u] - a[u]);
    }
  }
  for (int k = 0; k < 3; k++) assert_true(fabs(area[k]) < 1e-3);

  p.m->hfield_data[0] = 3;
  mjr_uploadHField(p.m, &p.our, 0);
  draw(&our, &p.our.baseHField, 1);
  assertExtent(2, -.1f, 1.5f);
  shut(&p);
}

// bytes and format of a texture's image on the card
typedef struct {
  GLint width, height, format;
  unsigned char rgba[4 * 16 * 16];
} Image;

static Image image(GLenum target, GLenum face, GLuint texture, int level) {
  Image im = {0};
  gl.BindTexture(target, texture);
  more.GetTexLevelParameteriv(face, level, TEXTURE_WIDTH, &im.width);
  more.GetTexLevelParameteriv(face, level, TEXTURE_HEIGHT, &im.height);
  more.GetTexLevelParameteriv(face, level, TEXTURE_INTERNAL_FORMAT, &im.format);
  assert_true(im.width * im.height <= 16 * 16);
  gl.PixelStorei(GL_PACK_ALIGNMENT, 1);
  more.GetTexImage(face, level, GL_RGBA, GL_UNSIGNED_BYTE, im.rgba);
  return im;
}

static void textures(void** state) {
  (void)state;
  if (!glc_make()) skip();
  Pair p = open();
  static const GLenum PARAMETERS[] = {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_MIN_FILTER,
                                      GL_TEXTURE_MAG_FILTER};
  for (int i = 0; i < p.m->ntex; i++) {
    const int flat = p.m->tex_type[i] == mjTEXTURE_2D, single = p.m->tex_width[i] == p.m->tex_height[i];
    const GLenum target = flat ? GL_TEXTURE_2D : GL_TEXTURE_CUBE_MAP;
    for (int face = 0; face < (flat ? 1 : 6); face++) {
      const GLenum side = flat ? GL_TEXTURE_2D : GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)face;

      // the first level is the model's image
      const Image im = image(target, side, p.our.texture[i], 0);
      const int w = p.m->tex_width[i], h = flat ? p.m->tex_height[i] : w, n = p.m->tex_nchannel[i];
      assert_true(im.width == w && im.height == h);
      const unsigned char* const data = p.m->tex_data + p.m->tex_adr[i] + (flat || single ? 0 : face * n * w * w);
      for (int k = 0; k < w * h; k++) assert_memory_equal(im.rgba + 4 * k, data + n * k, 3);

      // smaller ones follow, as the reference's
      for (int level = 0; level < 4; level++) {
        const Image a = image(target, side, p.our.texture[i], level);
        if (level < 3) assert_true(a.width > 0);
        if (!orc_available()) continue;
        const Image b = image(target, side, p.ref.texture[i], level);
        assert_memory_equal(&a, &b, sizeof(a));
      }
    }
    for (int k = 0; k < 4 && orc_available(); k++) {
      GLint a, b;
      gl.BindTexture(target, p.our.texture[i]);
      more.GetTexParameteriv(target, PARAMETERS[k], &a);
      gl.BindTexture(target, p.ref.texture[i]);
      more.GetTexParameteriv(target, PARAMETERS[k], &b);
      assert_int_equal(a, b);
    }
  }

  // a changed image is seen after uploading
  p.m->tex_data[p.m->tex_adr[0]] ^= 0x55;
  const Image old = image(GL_TEXTURE_2D, GL_TEXTURE_2D, p.our.texture[0], 0);
  assert_int_not_equal(old.rgba[0], p.m->tex_data[p.m->tex_adr[0]]);
  mjr_uploadTexture(p.m, &p.our, 0);
  const Image new = image(GL_TEXTURE_2D, GL_TEXTURE_2D, p.our.texture[0], 0);
  assert_int_equal(new.rgba[0], p.m->tex_data[p.m->tex_adr[0]]);
  shut(&p);
}

static void shadowMap(void** state) {
  (void)state;
  if (!glc_make()) skip();
  Pair p = open();
  static const GLenum PARAMETERS[] = {GL_TEXTURE_WRAP_S,     GL_TEXTURE_WRAP_T,       GL_TEXTURE_MIN_FILTER,
                                      GL_TEXTURE_MAG_FILTER, GL_TEXTURE_COMPARE_MODE, GL_TEXTURE_COMPARE_FUNC,
                                      GL_DEPTH_TEXTURE_MODE};
  GLint size = 0, a[8], b[8];
  gl.BindTexture(GL_TEXTURE_2D, p.our.shadowTex);
  more.GetTexLevelParameteriv(GL_TEXTURE_2D, 0, TEXTURE_WIDTH, &size);
  assert_int_equal(size, 128);
  more.GetTexLevelParameteriv(GL_TEXTURE_2D, 0, TEXTURE_INTERNAL_FORMAT, a);
  for (int k = 0; k < 7; k++) more.GetTexParameteriv(GL_TEXTURE_2D, PARAMETERS[k], a + 1 + k);
  assert_int_equal(a[5], GL_COMPARE_R_TO_TEXTURE);
  if (orc_available()) {
    gl.BindTexture(GL_TEXTURE_2D, p.ref.shadowTex);
    more.GetTexLevelParameteriv(GL_TEXTURE_2D, 0, TEXTURE_INTERNAL_FORMAT, b);
    for (int k = 0; k < 7; k++) more.GetTexParameteriv(GL_TEXTURE_2D, PARAMETERS[k], b + 1 + k);
    assert_memory_equal(a, b, sizeof(a));
  }
  shut(&p);
}

static void skins(void** state) {
  (void)state;
  if (!glc_make()) skip();
  Pair p = open();
  int face[3] = {-1, -1, -1};
  float texcoord[6] = {0};
  gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, p.our.skinfaceVBO[0]);
  more.GetBufferSubData(GL_ELEMENT_ARRAY_BUFFER, 0, sizeof(face), face);
  gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
  assert_memory_equal(face, p.m->skin_face, sizeof(face));
  gl.BindBuffer(GL_ARRAY_BUFFER, p.our.skintexcoordVBO[0]);
  more.GetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof(texcoord), texcoord);
  gl.BindBuffer(GL_ARRAY_BUFFER, 0);
  assert_memory_equal(texcoord, p.m->skin_texcoord, sizeof(texcoord));
  shut(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapes),   cmocka_unit_test(planes),    cmocka_unit_test(meshes), cmocka_unit_test(heightFields),
      cmocka_unit_test(textures), cmocka_unit_test(shadowMap), cmocka_unit_test(skins),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
