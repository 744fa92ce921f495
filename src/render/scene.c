// mjr_render: one frame of a scene. See scene.h for the order of the passes.
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "render/context.h"
#include "render/scene.h"

//---------------------------------- order of geoms ----------------------------------

// radius around a geom's position that holds it; rough for decoration
static float boundRadius(const mjvGeom* geom) {
  const float* const s = geom->size;
  if (geom->objtype == mjOBJ_GEOM) return geom->modelrbound;
  switch (geom->type) {
    case mjGEOM_SPHERE:
      return s[0];
    case mjGEOM_CAPSULE:
      return s[0] + s[2];
    case mjGEOM_CYLINDER:
      return sqrtf(s[0] * s[0] + s[2] * s[2]);
    case mjGEOM_BOX:
      return sqrtf(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    default:
      return REN_MAX(s[0], REN_MAX(s[1], s[2]));
  }
}

// distance from the head to a geom's near side; planes lie behind everything
static float headDistance(const RenFrame* f, const mjvGeom* geom) {
  if (geom->type == mjGEOM_PLANE) return 1E+10f;
  float sum = 0;
  for (int k = 0; k < 3; k++) sum += (geom->pos[k] - f->head[k]) * (geom->pos[k] - f->head[k]);
  return sqrtf(sum) - boundRadius(geom);
}

// 1: geom a comes before geom b; equal ones keep the scene's order
static int isNearer(const mjvScene* scn, int a, int b) {
  const float da = scn->geoms[a].camdist, db = scn->geoms[b].camdist;
  return da < db || (da == db && a < b);
}

static void sortByDistance(const mjvScene* scn, int* order, int n) {
#define NEARER(a, b) isNearer(scn, a, b)
  BAS_SORT(int, order, n, NEARER);
#undef NEARER
}

// finds what is transparent and sorts it; leaves one mirror
static void arrangeGeoms(RenFrame* f) {
  mjvScene* const scn = f->scn;
  int mirrors = 0;
  f->ntransparent = 0;
  for (int i = 0; i < f->ngeom; i++) {
    mjvGeom* const geom = scn->geoms + i;
    geom->transparent = geom->rgba[3] < 0.995 || (geom->type == mjGEOM_PLANE && ren_isBehind(f, geom));
    if (geom->transparent) {
      geom->camdist = headDistance(f, geom);
      scn->geomorder[f->ntransparent++] = i;
    }
    if (mirrors) geom->reflectance = 0;
    mirrors += ren_isMirror(geom);
  }
  sortByDistance(scn, scn->geomorder, f->ntransparent);
}

//---------------------------------- state ----------------------------------

static void set(GLenum capability, int on) {
  if (on) {
    gl.Enable(capability);
  } else {
    gl.Disable(capability);
  }
}

void ren_fill(const RenFrame* f, int always) {
  gl.PolygonMode(GL_FRONT_AND_BACK, f->scn->flags[mjRND_WIREFRAME] && !always ? GL_LINE : GL_FILL);
}

// everything that drawing depends on, except lights
static void initState(RenFrame* f) {
  const mjvScene* const scn = f->scn;
  const mjrContext* const con = f->con;
  gl.Enable(GL_MULTISAMPLE);
  gl.Enable(GL_NORMALIZE);
  gl.Enable(GL_LIGHTING);
  gl.Enable(GL_DEPTH_TEST);
  gl.Disable(GL_BLEND);
  set(GL_FOG, scn->flags[mjRND_FOG]);
  set(GL_CULL_FACE, scn->flags[mjRND_CULL_FACE]);
  gl.CullFace(GL_BACK);
  gl.FrontFace(GL_CCW);
  gl.ShadeModel(GL_SMOOTH);
  ren_fill(f, 0);
  if (con->lineWidth > 0) gl.LineWidth(con->lineWidth);

  // depth is reversed: far is 0
  if (gl.ClipControl) gl.ClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
  gl.DepthMask(GL_TRUE);
  gl.DepthFunc(GL_GEQUAL);
  gl.DepthRange(0, 1);
  gl.ClearDepth(0);
  gl.ClearStencil(0);
  gl.ClearColor(0, 0, 0, 0);
  gl.AlphaFunc(GL_GEQUAL, 0.99f);

  // colours are the ambient and diffuse reflection
  gl.Enable(GL_COLOR_MATERIAL);
  gl.ColorMaterial(GL_FRONT_AND_BACK, GL_AMBIENT_AND_DIFFUSE);
  memset(&f->look, 0xFF, sizeof(f->look));
  ren_initTextures();

  gl.Fogi(GL_FOG_MODE, GL_LINEAR);
  gl.Fogf(GL_FOG_START, con->fogStart);
  gl.Fogf(GL_FOG_END, con->fogEnd);
  gl.Fogfv(GL_FOG_COLOR, con->fogRGBA);
}

//---------------------------------- passes ----------------------------------

// segmentation: flat colours without anything that mixes them
static void drawSegments(RenFrame* f) {
  const mjvScene* const scn = f->scn;
  gl.ShadeModel(GL_FLAT);
  gl.Disable(GL_LIGHTING);
  gl.Disable(GL_COLOR_MATERIAL);
  gl.Disable(GL_FOG);
  gl.Disable(GL_MULTISAMPLE);
  ren_fill(f, 1);
  const RenPass pass = scn->flags[mjRND_IDCOLOR] ? REN_PASS_ID : REN_PASS_SEGMENT;
  for (int i = 0; i < f->ngeom; i++) {
    if (scn->geoms[i].segid >= 0) ren_drawGeom(f, scn->geoms + i, pass, 1);
  }
}

// mirrors are added to what they show, the rest replaces what is behind
static void drawOpaque(RenFrame* f) {
  const mjvScene* const scn = f->scn;
  ren_placeLights(f);
  ren_switchLights(f, REN_LIGHTS_PLAIN);
  gl.Enable(GL_BLEND);
  gl.BlendFunc(GL_ONE, GL_ONE);
  for (int i = 0; i < f->ngeom; i++) {
    if (ren_isMirror(scn->geoms + i)) ren_drawGeom(f, scn->geoms + i, REN_PASS_LIT, 1);
  }
  gl.Disable(GL_BLEND);
  for (int i = 0; i < f->ngeom; i++) {
    const mjvGeom* const geom = scn->geoms + i;
    if (!geom->transparent && !ren_isMirror(geom)) ren_drawGeom(f, geom, REN_PASS_LIT, 1);
  }
  ren_switchLights(f, REN_LIGHTS_OFF);
}

void ren_drawTransparent(RenFrame* f, int except, float tint) {
  const mjvScene* const scn = f->scn;
  const int additive = scn->flags[mjRND_ADDITIVE];
  gl.DepthMask(GL_FALSE);
  gl.Enable(GL_BLEND);
  gl.BlendFunc(GL_SRC_ALPHA, additive ? GL_ONE : GL_ONE_MINUS_SRC_ALPHA);

  // twice: neither order is right for geoms that cut each other
  for (int n = 0; n < (additive ? 1 : 2) * f->ntransparent; n++) {
    const int i = scn->geomorder[n < f->ntransparent ? n : 2 * f->ntransparent - 1 - n];
    if (i != except) ren_drawGeom(f, scn->geoms + i, REN_PASS_LIT, tint);
  }
  gl.DepthMask(GL_TRUE);
  gl.Disable(GL_BLEND);
}

// characters of a label that the fonts have
static int readable(GLubyte text[100], const char* label, int range) {
  int n = 0;
  for (int i = 0; i < 100 && label[i]; i++) {
    if ((GLubyte)label[i] < range) text[n++] = (GLubyte)label[i];
  }
  return n;
}

// texts at the positions of geoms, in front of everything
static void drawLabels(const RenFrame* f) {
  const mjrContext* const con = f->con;
  gl.Disable(GL_DEPTH_TEST);
  gl.Disable(GL_LIGHTING);
  for (int i = 0; i < f->ngeom && con->rangeFont > 0; i++) {
    const mjvGeom* const geom = f->scn->geoms + i;
    if (!geom->label[0]) continue;
    GLubyte text[100];
    const int n = readable(text, geom->label, con->rangeFont);
    for (int front = 0; front < 2; front++) {
      gl.ListBase(front ? con->baseFontNormal : con->baseFontShadow);
      gl.Color4f((float)front, (float)front, (float)front, front ? 1 : 0.5f);
      gl.RasterPos3f(geom->pos[0], geom->pos[1], geom->pos[2]);
      gl.CallLists(n, GL_UNSIGNED_BYTE, text);
    }
  }
  gl.Enable(GL_DEPTH_TEST);
  gl.Enable(GL_LIGHTING);
}

static void drawEye(RenFrame* f) {
  const mjtByte* const flags = f->scn->flags;
  if (flags[mjRND_SEGMENT]) {
    drawSegments(f);
    return;
  }
  if (flags[mjRND_REFLECTION] && !flags[mjRND_DEPTH]) ren_drawMirrored(f);
  drawOpaque(f);
  if (f->shadows) ren_addShadowLights(f);
  if (flags[mjRND_SKYBOX]) ren_drawSky(f);
  ren_switchLights(f, REN_LIGHTS_ON);
  ren_drawTransparent(f, -1, 1);
  ren_switchLights(f, REN_LIGHTS_OFF);
  drawLabels(f);
}

//---------------------------------- eyes ----------------------------------

// buffer and viewport of an eye; -1: both in one
static void chooseTarget(RenFrame* f, int stereo, int eye) {
  const mjrContext* const con = f->con;
  if (stereo == mjSTEREO_QUADBUFFERED) {
    const GLenum left = con->windowDoublebuffer ? GL_BACK_LEFT : GL_FRONT_LEFT;
    f->drawbuffer = left + (GLenum)eye;
    gl.DrawBuffer(f->drawbuffer);

    // the eyes share one depth buffer
    if (eye) gl.Clear(GL_DEPTH_BUFFER_BIT);
  } else if (stereo == mjSTEREO_SIDEBYSIDE) {
    if (eye) f->viewport.left += f->viewport.width;
    gl.Viewport(f->viewport.left, f->viewport.bottom, f->viewport.width, f->viewport.height);
  }
}

// how eyes are drawn: left and right buffers need a window that has them
static int stereoMode(const RenFrame* f) {
  const int possible = f->con->currentBuffer == mjFB_WINDOW && f->con->windowStereo;
  if (f->scn->stereo == mjSTEREO_QUADBUFFERED && !possible) return mjSTEREO_SIDEBYSIDE;
  return f->scn->stereo;
}

// fills the four edges of a viewport
static void drawBorder(const mjvScene* scn, mjrRect view) {
  const int width = scn->framewidth;
  if (width <= 0) return;
  const mjrRect edges[4] = {
      {view.left,                      view.bottom,                       view.width, width      },
      {view.left,                      view.bottom + view.height - width, view.width, width      },
      {view.left,                      view.bottom,                       width,      view.height},
      {view.left + view.width - width, view.bottom,                       width,      view.height},
  };
  gl.ClearColor(scn->framergb[0], scn->framergb[1], scn->framergb[2], 0);
  gl.Enable(GL_SCISSOR_TEST);
  for (int k = 0; k < 4; k++) {
    gl.Scissor(edges[k].left, edges[k].bottom, edges[k].width, edges[k].height);
    gl.Clear(GL_COLOR_BUFFER_BIT);
  }
  gl.Disable(GL_SCISSOR_TEST);
}

//---------------------------------- depth as colour ----------------------------------

// depth of the picture into a new texture; buffers with several samples are resolved first
static GLuint depthTexture(const RenFrame* f, mjrRect view) {
  const mjrContext* const con = f->con;
  if (con->currentBuffer != mjFB_WINDOW && con->offSamples) {
    const int right = view.left + view.width, top = view.bottom + view.height;
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, con->offFBO);
    gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, con->offFBO_r);
    gl.BlitFramebuffer(view.left, view.bottom, right, top, view.left, view.bottom, right, top, GL_DEPTH_BUFFER_BIT,
                       GL_NEAREST);
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, con->offFBO_r);
    gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, con->offFBO);
  }

  GLuint texture;
  float* const depth = mju_malloc((size_t)view.width * (size_t)view.height * sizeof(float));
  gl.ReadPixels(view.left, view.bottom, view.width, view.height, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
  gl.GenTextures(1, &texture);
  gl.BindTexture(GL_TEXTURE_2D, texture);
  gl.TexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE, view.width, view.height, 0, GL_LUMINANCE, GL_FLOAT, depth);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  mju_free(depth);
  return texture;
}

// replaces the picture in a viewport by its depth
static void showDepth(const RenFrame* f, mjrRect view) {
  gl.PushAttrib(GL_ALL_ATTRIB_BITS);
  gl.MatrixMode(GL_PROJECTION);
  gl.PushMatrix();
  gl.LoadIdentity();
  gl.Ortho(0, 1, 0, 1, -1, 1);
  gl.MatrixMode(GL_MODELVIEW);
  gl.PushMatrix();
  gl.LoadIdentity();
  gl.Viewport(view.left, view.bottom, view.width, view.height);
  gl.Disable(GL_LIGHTING);
  gl.Disable(GL_FOG);
  gl.Disable(GL_DEPTH_TEST);
  gl.Disable(GL_CULL_FACE);
  gl.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  gl.ActiveTexture(GL_TEXTURE0);
  gl.Enable(GL_TEXTURE_2D);
  gl.TexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
  const GLuint texture = depthTexture(f, view);

  static const float CORNERS[4][2] = {
      {0, 0},
      {1, 0},
      {1, 1},
      {0, 1}
  };
  gl.Color4f(1, 1, 1, 1);
  gl.Begin(GL_QUADS);
  for (int k = 0; k < 4; k++) {
    gl.TexCoord2f(CORNERS[k][0], CORNERS[k][1]);
    gl.Vertex2f(CORNERS[k][0], CORNERS[k][1]);
  }
  gl.End();

  gl.DeleteTextures(1, &texture);
  gl.MatrixMode(GL_PROJECTION);
  gl.PopMatrix();
  gl.MatrixMode(GL_MODELVIEW);
  gl.PopMatrix();
  gl.PopAttrib();
}

//---------------------------------- frame ----------------------------------

// what does not depend on the eye
static RenFrame beginFrame(mjrRect viewport, mjvScene* scn, const mjrContext* con) {
  RenFrame f = {.scn = scn, .con = con, .viewport = viewport};
  f.ngeom = scn->geoms ? REN_MIN(scn->ngeom, scn->maxgeom) : 0;
  f.nlight = ren_lightCount(scn);
  f.shadows = scn->flags[mjRND_SHADOW] && con->shadowFBO;
  f.drawbuffer = con->currentBuffer != mjFB_WINDOW ? GL_COLOR_ATTACHMENT0
                 : con->windowDoublebuffer         ? GL_BACK
                                                   : GL_FRONT;
  f.cam = mjv_averageCamera(scn->camera, scn->camera + 1);
  mjtNum head[3];
  mjv_cameraInModel(head, NULL, NULL, scn);
  mju_n2f(f.head, head, 3);
  return f;
}

// empties the viewport
static void clearView(mjrRect view) {
  gl.Viewport(view.left, view.bottom, view.width, view.height);
  gl.Scissor(view.left, view.bottom, view.width, view.height);
  gl.Enable(GL_SCISSOR_TEST);
  gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  gl.Disable(GL_SCISSOR_TEST);
}

void mjr_render(mjrRect viewport, mjvScene* scn, const mjrContext* con) {
  if (viewport.width <= 0 || viewport.height <= 0) return;
  if (!scn || !con) mju_error("mjr_render: scene or context is NULL");
  if (!ren_hasContext(con, __func__)) return;
  if (0.5f * (scn->camera[0].frustum_near + scn->camera[1].frustum_near) < mjMINVAL) {
    // a scene that was never updated
    if (scn->ngeom) mju_error("mjvScene frustum_near too small in mjr_render");
    return;
  }

  RenFrame f = beginFrame(viewport, scn, con);
  ren_uploadSkins(&f);
  ren_describeLights(&f);
  arrangeGeoms(&f);
  initState(&f);
  clearView(viewport);

  const int stereo = stereoMode(&f);
  int neye = stereo == mjSTEREO_NONE ? 1 : 2;
  mjrRect views[2];
  if (stereo == mjSTEREO_SIDEBYSIDE) f.viewport.width /= 2;
  if (f.viewport.width == 0) neye = 0;
  for (int eye = 0; eye < neye; eye++) {
    chooseTarget(&f, stereo, eye);
    ren_setEye(&f, neye == 1 ? -1 : eye);
    drawEye(&f);
    views[eye] = f.viewport;
  }
  drawBorder(scn, f.viewport);
  for (int eye = 0; eye < neye && scn->flags[mjRND_DEPTH]; eye++) showDepth(&f, views[eye]);
  mjr_restoreBuffer(con);
}
