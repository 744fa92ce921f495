// Compiling the programs of the graphics card. One text serves both dialects: the first lines differ.
#include <stdio.h>
#include <string.h>

#include "view/renderer.h"

static const char* const ATTRIBUTES[] = {"vPos",  "vNormal",  "vTexcoord", "iRow0", "iRow1",
                                         "iRow2", "iInverse", "iColor",    "iLook", "iTexture"};

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

int viw_makePrograms(ViwProgram programs[VIW_NPROGRAM], int es, int soft, char error[VIW_ERROR_SIZE]) {
  char lead[400];
  snprintf(lead, sizeof(lead), "%s\n#define LIGHTS %d\n#define SOFT %d\n",
           es ? "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2DShadow;"
              : "#version 330 core",
           VIW_MAX_LIGHTS, soft);
  for (int i = 0; i < VIW_NPROGRAM; i++) {
    ViwProgram* const p = programs + i;
    if (!build(p, lead, viw_shaders[i], error)) return 0;
#define FIND(name) p->name = vgl.GetUniformLocation(p->id, #name);
    VIW_EACH_UNIFORM(FIND)
#undef FIND

    // each kind of texture has a place of its own
    vgl.UseProgram(p->id);
    vgl.Uniform1i(p->texture2d, 0);
    vgl.Uniform1i(p->textureCube, 1);
    vgl.Uniform1i(p->shadowMap, 2);
    vgl.Uniform1i(p->mirror, 3);
  }
  return 1;
}
