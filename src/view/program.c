// Compiling the programs of the graphics card. One text serves both dialects: the first lines differ.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/renderer.h"

static const char* const ATTRIBUTES[] = {"vPos",  "vNormal",  "vTexcoord", "iRow0", "iRow1",
                                         "iRow2", "iInverse", "iColor",    "iLook", "iTexture"};

static void freeLit(ViwRenderer* r) {
  for (int i = 0; i < r->nlit; i++) vgl.DeleteProgram(r->lit[i].program.id);
  r->nlit = 0;
}

static GLuint compile(GLenum kind, const char* lead, const char* text, char error[VIW_ERROR_SIZE]) {
  const char* const parts[2] = {lead, text};
  const GLuint shader = vgl.CreateShader(kind);
  GLint good = 0;
  vgl.ShaderSource(shader, 2, parts, NULL);
  vgl.CompileShader(shader);
  vgl.GetShaderiv(shader, GL_COMPILE_STATUS, &good);
  if (good) return shader;
  vgl.GetShaderInfoLog(shader, VIW_ERROR_SIZE, NULL, error);
  vgl.DeleteShader(shader);
  return 0;
}

static int build(ViwProgram* p, const char* lead, const char* const text[2], char error[VIW_ERROR_SIZE]) {
  const GLuint vertex = compile(GL_VERTEX_SHADER, lead, text[0], error);
  const GLuint fragment = vertex ? compile(GL_FRAGMENT_SHADER, lead, text[1], error) : 0;
  GLint good = 0;
  if (fragment) {
    p->id = vgl.CreateProgram();
    vgl.AttachShader(p->id, vertex);
    vgl.AttachShader(p->id, fragment);
    for (GLuint i = 0; i < sizeof(ATTRIBUTES) / sizeof(ATTRIBUTES[0]); i++) {
      vgl.BindAttribLocation(p->id, i, ATTRIBUTES[i]);
    }
    vgl.LinkProgram(p->id);
    vgl.GetProgramiv(p->id, GL_LINK_STATUS, &good);
    if (!good) vgl.GetProgramInfoLog(p->id, VIW_ERROR_SIZE, NULL, error);
    vgl.DeleteShader(fragment);
  }
  if (vertex) vgl.DeleteShader(vertex);
  return good;
}

// the lines of the light's program that differ from one kind to the other
static void writeKind(char* lead, size_t size, unsigned kind) {
  static const struct {
    unsigned bit;
    const char* name;
  } SWITCHES[] = {
      {VIW_KIND_ENDLESS,  "ENDLESS" },
      {VIW_KIND_MIRRORED, "MIRRORED"},
      {VIW_KIND_CLIPPED,  "CLIPPED" },
      {VIW_KIND_FOG,      "FOG"     }
  };
  size_t n = (size_t)snprintf(lead, size, "#define TEXTURING %u\n", kind & VIW_KIND_TEXTURING);
  for (size_t i = 0; i < sizeof(SWITCHES) / sizeof(SWITCHES[0]); i++) {
    if (kind & SWITCHES[i].bit) n += (size_t)snprintf(lead + n, size - n, "#define %s\n", SWITCHES[i].name);
  }
  const int caster = (int)(kind / VIW_KIND_CASTER % 16) - 1;
  if (caster >= 0) n += (size_t)snprintf(lead + n, size - n, "#define SHADOWS\n");
  n += (size_t)snprintf(lead + n, size - n, "#define EACH_LIGHT");
  for (int i = 0; i < VIW_MAX_LIGHTS; i++) {
    const unsigned which = kind / VIW_KIND_LIGHT >> 2 * i & 3;
    char toward[40];
    snprintf(toward, sizeof(toward), which == 1 ? "-lightDir[%d]" : "toLamp(%d)", i);
    if (which == 1) n += (size_t)snprintf(lead + n, size - n, " add(%d, %s, 1.0", i, toward);
    if (which == 2) n += (size_t)snprintf(lead + n, size - n, " add(%d, %s, strength(%d, %s)", i, toward, i, toward);
    if (which && i == caster) n += (size_t)snprintf(lead + n, size - n, " * lit(%s)", toward);
    if (which) n += (size_t)snprintf(lead + n, size - n, ");");
  }
  snprintf(lead + n, size - n, "\n");
}

static int make(const ViwRenderer* r, ViwProgram* p, ViwProgramId id, unsigned kind, char error[VIW_ERROR_SIZE]) {
  char lead[2000];
  const size_t n = (size_t)snprintf(
      lead, sizeof(lead), "%s\n#define LIGHTS %d\n#define SOFT %d\n",
      r->es ? "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2DShadow;"
            : "#version 330 core",
      VIW_MAX_LIGHTS, r->soft);
  if (id == VIW_PROGRAM_LIT) writeKind(lead + n, sizeof(lead) - n, kind);
  if (!build(p, lead, viw_shaders[id], error)) return 0;
#define FIND(name) p->name = vgl.GetUniformLocation(p->id, #name);
  VIW_EACH_UNIFORM(FIND)
#undef FIND

  // each kind of texture has a place of its own
  vgl.UseProgram(p->id);
  vgl.Uniform1i(p->texture2d, 0);
  vgl.Uniform1i(p->textureCube, 1);
  vgl.Uniform1i(p->shadowMap, 2);
  vgl.Uniform1i(p->mirror, 3);
  return 1;
}

static ViwLit* addLit(ViwRenderer* r, unsigned kind, char error[VIW_ERROR_SIZE]) {
  // who switches lights and effects on and off all day does not keep all programs
  enum { MOST = 64 };
  if (r->nlit == MOST) freeLit(r);
  ViwLit* const more = realloc(r->lit, ((size_t)r->nlit + 1) * sizeof(*more));
  if (!more) mju_error("view: no memory for programs");
  r->lit = more;
  ViwLit* const lit = r->lit + r->nlit;
  *lit = (ViwLit){.kind = kind, .pass = -1};
  if (!make(r, &lit->program, VIW_PROGRAM_LIT, kind, error)) return NULL;
  r->nlit++;
  return lit;
}

ViwLit* viw_findLit(ViwRenderer* r, unsigned kind) {
  char error[VIW_ERROR_SIZE] = "";
  for (int i = 0; i < r->nlit; i++) {
    if (r->lit[i].kind == kind) return r->lit + i;
  }
  return addLit(r, kind, error);
}

// the programs of things in the light are made when they are needed; one tells here whether they can be
int viw_makePrograms(ViwRenderer* r, char error[VIW_ERROR_SIZE]) {
  for (int i = 0; i < VIW_NPROGRAM; i++) {
    if (!make(r, r->program + i, (ViwProgramId)i, 0, error)) return 0;
  }
  // the light on the camera and a sun, as for models without lights
  return addLit(r, 5 * VIW_KIND_LIGHT + 2 * VIW_KIND_CASTER, error) != NULL;
}

void viw_freePrograms(ViwRenderer* r) {
  for (int i = 0; i < VIW_NPROGRAM; i++) {
    if (r->program[i].id) vgl.DeleteProgram(r->program[i].id);
  }
  freeLit(r);
  free(r->lit);
  r->lit = NULL;
}
