// One frame: see renderer.h for its parts.
#include <stdio.h>
#include <stdlib.h>

#include "view/renderer.h"

//---------------------------------- drawing calls ----------------------------------

// attributes 3 ... 9 come from the instances: seven times four numbers
static void sendInstances(ViwRenderer* r, int n) {
  vgl.BindBuffer(GL_ARRAY_BUFFER, r->instances);
  vgl.BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)n * sizeof(ViwInstance)), r->instance, GL_STREAM_DRAW);
  for (GLuint i = 0; i < sizeof(ViwInstance) / 16; i++) {
    vgl.EnableVertexAttribArray(3 + i);
    vgl.VertexAttribPointer(3 + i, 4, GL_FLOAT, 0, sizeof(ViwInstance), (const void*)((size_t)i * 16));
    vgl.VertexAttribDivisor(3 + i, 1);
  }
}

// what all programs of a pass are told
static void setPass(ViwRenderer* r, const ViwProgram* p) {
  const ViwPass* const pass = &r->pass;
  vgl.UniformMatrix4fv(p->clip, 1, 0, pass->clip.at);
  vgl.Uniform3fv(p->eye, 1, pass->eye);
  vgl.Uniform4fv(p->clipPlane, 1, pass->clipPlane);
  vgl.Uniform4fv(p->mirrorSize, 1, pass->mirrorSize);
  vgl.Uniform2f(p->fade, pass->fade[0], pass->fade[1]);
  vgl.Uniform2f(p->fog, pass->fog[0], pass->fog[1]);
  vgl.Uniform4fv(p->fogColor, 1, pass->fogColor);
  viw_setLights(r, p);
}

// the program and the texture of an item in the light; 0: the program cannot be compiled
static int useLit(ViwRenderer* r, const ViwItem* item) {
  unsigned kind = r->pass.kind | r->lights.kind;
  if (item->texture >= 0) kind |= item->how;
  if (item->endless) kind |= VIW_KIND_ENDLESS;
  if (item->mirror) kind |= VIW_KIND_MIRRORED;
  ViwLit* const lit = viw_findLit(r, kind);
  if (!lit) return 0;
  vgl.UseProgram(lit->program.id);
  if (lit->pass != r->pass.number) setPass(r, &lit->program);
  lit->pass = r->pass.number;
  if (item->texture < 0) return 1;
  vgl.ActiveTexture(GL_TEXTURE0 + (item->how == VIW_CUBE));
  vgl.BindTexture(item->how == VIW_CUBE ? GL_TEXTURE_CUBE_MAP : GL_TEXTURE_2D, r->texture[item->texture]);
  return 1;
}

static int sameCall(const ViwItem* a, const ViwItem* b) {
  return a->mesh == b->mesh && a->texture == b->texture && a->how == b->how && a->endless == b->endless &&
         a->mirror == b->mirror;
}

// the four sides of what a pass sees, of unit normals
static void findSides(float side[4][4], const ViwMatrix* clip) {
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++) side[i][k] = clip->at[3 + 4 * k] + (i % 2 ? -1.0f : 1.0f) * clip->at[i / 2 + 4 * k];
    const float length = sqrtf(viw_dot(side[i], side[i]));
    for (int k = 0; k < 4; k++) side[i][k] /= length;
  }
}

static int isInside(const float side[4][4], const ViwItem* item) {
  const float pos[3] = {item->instance.row[0][3], item->instance.row[1][3], item->instance.row[2][3]};
  for (int i = 0; i < 4; i++) {
    if (viw_dot(side[i], pos) + side[i][3] < -item->radius) return 0;
  }
  return 1;
}

// shapes that have an inside show only their outside
static void cull(const ViwItem* item) {
  if (item->mesh < VIW_NSHAPE && item->mesh != VIW_SQUARE && item->mesh != VIW_TRIANGLE) {
    vgl.Enable(GL_CULL_FACE);
  } else {
    vgl.Disable(GL_CULL_FACE);
  }
}

// the mesh of an item, or one of fewer triangles
static const ViwMesh* meshOf(const ViwRenderer* r, const ViwItem* item) {
  int mesh = item->mesh;
  if (r->pass.coarse && mesh >= VIW_COARSE && mesh < VIW_TINY) mesh += VIW_TINY - VIW_COARSE;
  if (r->pass.coarse && mesh < VIW_BOX) mesh += VIW_COARSE;
  return r->mesh + mesh;
}

void viw_drawItems(ViwRenderer* r, const ViwItems* items, const ViwProgram* p, int (*wanted)(const ViwItem* item)) {
  if (!items->n) return;
  if (items->n > r->instanceRoom || !r->instance) {
    r->instanceRoom = 2 * items->n;
    r->instance = realloc(r->instance, (size_t)r->instanceRoom * sizeof(*r->instance));
    if (!r->instance) mju_error("view: no memory for a scene");
  }
  float side[4][4];
  findSides(side, &r->pass.clip);
  for (int first = 0; first < items->n;) {
    // as many as one call can draw
    int n = 0, last = first;
    for (; last < items->n && sameCall(items->at + first, items->at + last); last++) {
      if (wanted(items->at + last) && isInside(side, items->at + last)) r->instance[n++] = items->at[last].instance;
    }
    const ViwItem* const item = items->at + first;
    const ViwMesh* const mesh = meshOf(r, item);
    first = last;
    if (!n || !mesh->nindex) continue;
    if (!p && !useLit(r, item)) continue;
    cull(item);
    vgl.BindVertexArray(mesh->array);
    sendInstances(r, n);
    vgl.DrawElementsInstanced(GL_TRIANGLES, mesh->nindex, GL_UNSIGNED_INT, NULL, n);
    r->calls++;
  }
}

static void drawLines(ViwRenderer* r, const ViwMatrix* clip) {
  if (!r->nline) return;
  const ViwProgram* const p = r->program + VIW_PROGRAM_LINE;
  vgl.Disable(GL_CULL_FACE);
  vgl.UseProgram(p->id);
  vgl.UniformMatrix4fv(p->clip, 1, 0, clip->at);
  vgl.Uniform4fv(p->size, 1, (float[4]){(float)r->width, (float)r->height, 0, 0});
  vgl.BindVertexArray(r->mesh[VIW_SQUARE].array);
  vgl.BindBuffer(GL_ARRAY_BUFFER, r->instances);
  vgl.BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)r->nline * sizeof(ViwLine)), r->line, GL_STREAM_DRAW);
  for (GLuint i = 0; i < 3; i++) {
    vgl.EnableVertexAttribArray(3 + i);
    vgl.VertexAttribPointer(3 + i, 4, GL_FLOAT, 0, sizeof(ViwLine), (const void*)((size_t)i * 16));
    vgl.VertexAttribDivisor(3 + i, 1);
  }
  vgl.DrawElementsInstanced(GL_TRIANGLES, r->mesh[VIW_SQUARE].nindex, GL_UNSIGNED_INT, NULL, r->nline);
  r->calls++;
}

//---------------------------------- camera ----------------------------------

static void setCamera(ViwRenderer* r, const mjvScene* scene) {
  const mjvGLCamera c = mjv_averageCamera(scene->camera, scene->camera + 1);
  memcpy(r->eye, c.pos, sizeof(r->eye));
  memcpy(r->forward, c.forward, sizeof(r->forward));
  memcpy(r->up, c.up, sizeof(r->up));
  viw_cross(r->right, c.forward, c.up);
  float half = c.frustum_width;
  if (half == 0) half = 0.5f * (float)r->width / (float)r->height * (c.frustum_top - c.frustum_bottom);
  const float box[4] = {c.frustum_center - half, c.frustum_center + half, c.frustum_bottom, c.frustum_top};
  r->near = fmaxf(c.frustum_near, 1e-6f);
  r->far = fmaxf(c.frustum_far, 2 * r->near);
  r->view = viw_lookAlong(c.pos, c.forward, c.up);
  r->project = c.orthographic ? viw_orthographic(box, r->near, r->far) : viw_perspective(box, r->near, r->far);
  r->clip = viw_multiply(&r->project, &r->view);
}

//---------------------------------- passes ----------------------------------

static void drawSky(ViwRenderer* r, const mjvScene* scene) {
  const ViwProgram* const p = r->program + VIW_PROGRAM_SKY;
  vgl.Disable(GL_CULL_FACE);
  const int textured = r->sky >= 0 && scene->flags[mjRND_SKYBOX];
  const float* const haze = r->m->vis.rgba.haze;
  vgl.UseProgram(p->id);
  vgl.Uniform1i(p->skyKind, textured);
  vgl.Uniform4fv(p->skyTop, 1, (const float[4]){0.33f, 0.45f, 0.60f, 1});
  const float low[4] = {textured ? haze[0] : 0.78f, textured ? haze[1] : 0.83f, textured ? haze[2] : 0.88f,
                        textured && scene->flags[mjRND_HAZE] && r->endless ? 0.5f : 0};
  vgl.Uniform4fv(p->skyLow, 1, low);
  // directions through the edges of the picture
  float x[3], y[3];
  for (int k = 0; k < 3; k++) {
    x[k] = r->right[k] / r->project.at[0];
    y[k] = r->up[k] / r->project.at[5];
  }
  vgl.Uniform3fv(p->axisX, 1, x);
  vgl.Uniform3fv(p->axisY, 1, y);
  vgl.Uniform3fv(p->axisZ, 1, r->forward);
  vgl.ActiveTexture(GL_TEXTURE0 + 1);
  vgl.BindTexture(GL_TEXTURE_CUBE_MAP, textured ? r->texture[r->sky] : r->whiteCube);
  vgl.DepthMask(0);
  vgl.BindVertexArray(r->mesh[VIW_SQUARE].array);
  vgl.DrawElementsInstanced(GL_TRIANGLES, r->mesh[VIW_SQUARE].nindex, GL_UNSIGNED_INT, NULL, 1);
  vgl.DepthMask(1);
}

static void beginPass(ViwRenderer* r, const mjvScene* scene, const ViwMatrix* clip) {
  const mjVisual* const vis = &r->m->vis;
  const float extent = (float)r->m->stat.extent;
  const int fog = scene->flags[mjRND_FOG] && extent * vis->map.fogend > 0;
  r->pass = (ViwPass){
      .number = r->pass.number + 1,
      .kind = fog ? VIW_KIND_FOG : 0,
      .clip = *clip,
      .fade = {0.25f * r->far,             0.95f * r->far          },
      .fog = {extent * vis->map.fogstart, extent * vis->map.fogend}
  };
  memcpy(r->pass.eye, r->eye, sizeof(r->eye));
  memcpy(r->pass.fogColor, vis->rgba.fog, sizeof(r->pass.fogColor));
  vgl.ActiveTexture(GL_TEXTURE0 + 2);
  vgl.BindTexture(GL_TEXTURE_2D, r->shadowMap);
}

static int isSolid(const ViwItem* item) {
  return !item->mirror && !item->endless;
}

static int isMirror(const ViwItem* item) {
  return item->mirror && !item->endless;
}

static int isEndless(const ViwItem* item) {
  return item->endless;
}

static int isAny(const ViwItem* item) {
  (void)item;
  return 1;
}

static void blend(int on, int additive) {
  if (on) {
    vgl.Enable(GL_BLEND);
  } else {
    vgl.Disable(GL_BLEND);
  }
  vgl.BlendFuncSeparate(GL_SRC_ALPHA, additive ? GL_ONE : GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

// makes the mirror's picture as large as it has to be
static void sizeMirror(ViwRenderer* r) {
  const int width = r->soft ? (r->width + 1) / 2 : r->width, height = r->soft ? (r->height + 1) / 2 : r->height;
  if (r->mirrorWidth == width && r->mirrorHeight == height) return;
  r->mirrorWidth = width;
  r->mirrorHeight = height;
  vgl.ActiveTexture(GL_TEXTURE0 + 3);
  vgl.BindTexture(GL_TEXTURE_2D, r->mirrorColor);
  vgl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
  vgl.BindRenderbuffer(GL_RENDERBUFFER, r->mirrorDepth);
  vgl.RenderbufferStorageMultisample(GL_RENDERBUFFER, 0, GL_DEPTH_COMPONENT24, width, height);
}

// What the mirror shows: the scene reflected at its plane, where something is seen. Positions are those of the scene,
// only the eye's matrix is reflected, so that lights and shadows stay right.
static void drawMirror(ViwRenderer* r, const mjvScene* scene) {
  GLint before = 0;
  vgl.GetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
  sizeMirror(r);
  vgl.BindFramebuffer(GL_FRAMEBUFFER, r->mirrorFramebuffer);
  vgl.Viewport(0, 0, r->mirrorWidth, r->mirrorHeight);
  vgl.ClearColor(0, 0, 0, 0);
  vgl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  const ViwMatrix reflection = viw_reflection(r->mirrorPlane, -r->mirrorPlane[3]);
  const ViwMatrix clip = viw_multiply(&r->clip, &reflection);
  beginPass(r, scene, &clip);
  float eye[4];
  viw_transform(eye, &reflection, r->eye);
  memcpy(r->pass.eye, eye, sizeof(r->pass.eye));
  memcpy(r->pass.clipPlane, r->mirrorPlane, sizeof(r->mirrorPlane));
  r->pass.kind |= VIW_KIND_CLIPPED;
  r->pass.coarse = r->soft;
  blend(0, 0);
  vgl.FrontFace(GL_CW);
  viw_drawItems(r, &r->opaque, NULL, isSolid);
  vgl.FrontFace(GL_CCW);
  vgl.BindFramebuffer(GL_FRAMEBUFFER, (GLuint)before);
}

static void drawPicture(ViwRenderer* r, const mjvScene* scene, const int rect[4]) {
  const int lines = scene->flags[mjRND_WIREFRAME] && vgl.PolygonMode;
  const float width = (float)r->width, height = (float)r->height;
  const float size[4] = {1 / width, 1 / height, -(float)rect[0] / width, -(float)rect[1] / height};
  beginPass(r, scene, &r->clip);
  memcpy(r->pass.mirrorSize, size, sizeof(size));
  vgl.ActiveTexture(GL_TEXTURE0 + 3);
  vgl.BindTexture(GL_TEXTURE_2D, r->mirrorColor);
  if (lines) vgl.PolygonMode(GL_FRONT_AND_BACK, GL_LINE);

  // solid things first: what they hide of floors and the sky is not shaded. Floors without an end fade into the sky
  blend(0, 0);
  viw_drawItems(r, &r->opaque, NULL, isSolid);
  viw_drawItems(r, &r->opaque, NULL, isMirror);
  if (lines) vgl.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  drawSky(r, scene);
  if (lines) vgl.PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  blend(1, 0);
  viw_drawItems(r, &r->opaque, NULL, isEndless);
  drawLines(r, &r->clip);

  // what is behind is drawn first; depth is kept as it is, so that they show through each other
  vgl.DepthMask(0);
  blend(1, scene->flags[mjRND_ADDITIVE]);
  viw_drawItems(r, &r->transparent, NULL, isAny);
  vgl.DepthMask(1);
  blend(0, 0);
  if (lines) vgl.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

static void clear(const int rect[4]) {
  vgl.Viewport(rect[0], rect[1], rect[2], rect[3]);
  vgl.Scissor(rect[0], rect[1], rect[2], rect[3]);
  vgl.Enable(GL_SCISSOR_TEST);
  vgl.ClearColor(0.12f, 0.13f, 0.15f, 1);
  vgl.DepthMask(1);
  vgl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  vgl.Disable(GL_SCISSOR_TEST);
}

void viw_drawScene(ViwRenderer* r, const mjvScene* scene, const int rect[4]) {
  if (rect[2] <= 0 || rect[3] <= 0) return;
  r->width = rect[2];
  r->height = rect[3];
  r->calls = 0;
  clear(rect);
  if (!r->m) return;
  setCamera(r, scene);
  viw_fillSurfaces(r, scene);
  viw_listScene(r, scene);
  vgl.Enable(GL_DEPTH_TEST);
  vgl.DepthFunc(GL_LEQUAL);
  vgl.Disable(GL_CULL_FACE);
  viw_arrangeLights(r, scene);
  if (r->mirror) drawMirror(r, scene);
  vgl.Viewport(rect[0], rect[1], rect[2], rect[3]);
  drawPicture(r, scene, rect);
  vgl.Disable(GL_CULL_FACE);
  vgl.BindVertexArray(0);
}

void viw_drawLabels(ViwRenderer* r, const mjvScene* scene, const int rect[4], int windowHeight) {
  const ViwColor front = {255, 255, 255, 255}, back = {0, 0, 0, 150};
  for (int i = 0; i < scene->ngeom && r->m; i++) {
    const mjvGeom* const geom = scene->geoms + i;
    if (!geom->label[0]) continue;
    float p[4];
    viw_transform(p, &r->clip, geom->pos);
    if (p[3] <= 0) continue;
    const float x = floorf((float)rect[0] + (0.5f + 0.5f * p[0] / p[3]) * (float)rect[2]);
    const float y = floorf((float)(windowHeight - rect[1]) - (0.5f + 0.5f * p[1] / p[3]) * (float)rect[3]);
    viw_text(&r->canvas, x + 1, y + 1, geom->label, back);
    viw_text(&r->canvas, x, y, geom->label, front);
  }
}

//---------------------------------- making ----------------------------------

static int makeShadowMap(ViwRenderer* r) {
  GLint most = 0;
  vgl.GetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  r->shadowSize = r->soft ? 1024 : most < 4096 ? most : 4096;
  vgl.GenTextures(1, &r->shadowMap);
  vgl.BindTexture(GL_TEXTURE_2D, r->shadowMap);
  vgl.TexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, r->shadowSize, r->shadowSize, 0, GL_DEPTH_COMPONENT,
                 GL_UNSIGNED_INT, NULL);
  vgl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  vgl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  vgl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  vgl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  vgl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  vgl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  vgl.GenFramebuffers(1, &r->shadowFramebuffer);
  vgl.BindFramebuffer(GL_FRAMEBUFFER, r->shadowFramebuffer);
  vgl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, r->shadowMap, 0);
  vgl.DrawBuffers(1, (const GLenum[1]){GL_NONE});
  vgl.ReadBuffer(GL_NONE);
  return vgl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static int makeMirror(ViwRenderer* r) {
  r->width = r->height = 16;
  vgl.GenTextures(1, &r->mirrorColor);
  vgl.GenRenderbuffers(1, &r->mirrorDepth);
  sizeMirror(r);
  vgl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  vgl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  vgl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  vgl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  vgl.GenFramebuffers(1, &r->mirrorFramebuffer);
  vgl.BindFramebuffer(GL_FRAMEBUFFER, r->mirrorFramebuffer);
  vgl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, r->mirrorColor, 0);
  vgl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, r->mirrorDepth);
  return vgl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

// one white pixel on each side stands where the sky's program has a place for a texture that is not used
static void makeWhite(ViwRenderer* r) {
  static const unsigned char WHITE[4] = {255, 255, 255, 255};
  vgl.ActiveTexture(GL_TEXTURE0);
  vgl.GenTextures(1, &r->whiteCube);
  vgl.BindTexture(GL_TEXTURE_CUBE_MAP, r->whiteCube);
  for (GLenum i = 0; i < 6; i++) {
    vgl.TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, WHITE);
  }
  vgl.TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
}

int viw_isSoftware(ViwLookup lookup) {
  static const char* const NAMES[] = {"llvmpipe", "softpipe", "SwiftShader", "Software"};
  if (viw_loadGl(lookup)) return 0;
  const char* const name = (const char*)vgl.GetString(GL_RENDERER);
  for (size_t i = 0; name && i < sizeof(NAMES) / sizeof(NAMES[0]); i++) {
    if (strstr(name, NAMES[i])) return 1;
  }
  return 0;
}

int viw_openRenderer(ViwRenderer* r, ViwLookup lookup, int soft, char error[VIW_ERROR_SIZE]) {
  *r = (ViwRenderer){.sky = -1};
  const char* const missing = viw_loadGl(lookup);
  const char* const version = missing ? NULL : (const char*)vgl.GetString(GL_VERSION);
  if (missing || !version) {
    snprintf(error, VIW_ERROR_SIZE, "OpenGL 3.3 or OpenGL ES 3 is needed: %s is missing", missing ? missing : "it");
    return 0;
  }
  r->es = strncmp(version, "OpenGL ES", 9) == 0;
  r->soft = soft || viw_isSoftware(lookup);
  GLint before = 0;
  vgl.GetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
  char reason[VIW_ERROR_SIZE] = "";
  if (!viw_makePrograms(r, reason)) {
    snprintf(error, VIW_ERROR_SIZE, "OpenGL '%s' cannot compile: %.400s", version, reason);
    return 0;
  }
  makeWhite(r);
  vgl.GenBuffers(1, &r->instances);
  const int good = makeShadowMap(r) && makeMirror(r);
  vgl.BindFramebuffer(GL_FRAMEBUFFER, (GLuint)before);
  if (!good) {
    snprintf(error, VIW_ERROR_SIZE, "OpenGL '%s' cannot draw into textures", version);
    return 0;
  }
  viw_openCanvas(&r->canvas, 1);
  return 1;
}

static void freeModel(ViwRenderer* r) {
  for (int i = 0; i < r->nmesh; i++) viw_freeMesh(r->mesh + i);
  free(r->mesh);
  r->mesh = NULL;
  r->nmesh = 0;
  viw_freeTextures(r);
}

void viw_useModel(ViwRenderer* r, const mjModel* m) {
  freeModel(r);
  r->m = m;
  if (!m) return;
  r->firstHfield = VIW_NSHAPE + 2 * (int)m->nmesh;
  r->firstFlex = r->firstHfield + (int)m->nhfield;
  r->firstSkin = r->firstFlex + (int)m->nflex;
  r->nmesh = r->firstSkin + (int)m->nskin;
  r->mesh = calloc((size_t)r->nmesh, sizeof(*r->mesh));
  if (!r->mesh) mju_error("view: no memory for a model");
  for (int i = 0; i < VIW_NSHAPE; i++) viw_makeShape(r->mesh + i, (ViwShape)i, r->soft);
  for (int i = 0; i < 2 * (int)m->nmesh; i++) viw_makeModelMesh(r->mesh + VIW_NSHAPE + i, m, i / 2, i % 2);
  for (int i = 0; i < (int)m->nhfield; i++) viw_makeHfield(r->mesh + r->firstHfield + i, m, i);
  viw_makeTextures(r, m);
}

void viw_closeRenderer(ViwRenderer* r) {
  freeModel(r);
  viw_closeCanvas(&r->canvas);
  viw_freePrograms(r);
  const GLuint textures[] = {r->whiteCube, r->shadowMap, r->mirrorColor};
  const GLuint framebuffers[] = {r->shadowFramebuffer, r->mirrorFramebuffer};
  vgl.DeleteTextures(3, textures);
  vgl.DeleteFramebuffers(2, framebuffers);
  vgl.DeleteRenderbuffers(1, &r->mirrorDepth);
  vgl.DeleteBuffers(1, &r->instances);
  free(r->opaque.at);
  free(r->transparent.at);
  free(r->line);
  free(r->instance);
  *r = (ViwRenderer){.sky = -1};
}
