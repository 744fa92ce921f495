// Framebuffers of a context: the offscreen buffer, the auxiliary buffers and the shadow map. A buffer with several
// samples per pixel has a second one with a single sample, into which it is resolved for reading.
#include "render/context.h"

// what to make and where its names go
typedef struct {
  const char* name;             // for messages
  GLuint *fbo, *color, *depth;  // no depth: NULL
  int width, height, samples;
} Target;

// depth of the offscreen buffer: floating point where there is, as depth is stored in reverse
static GLenum depthFormat(void) {
  return ren_hasExtension("GL_ARB_depth_buffer_float") ? GL_DEPTH32F_STENCIL8 : GL_DEPTH24_STENCIL8;
}

// gives a renderbuffer its memory
static void setStorage(GLuint buffer, GLenum format, const Target* t) {
  gl.BindRenderbuffer(GL_RENDERBUFFER, buffer);
  if (t->samples) {
    gl.RenderbufferStorageMultisample(GL_RENDERBUFFER, t->samples, format, t->width, t->height);
  } else {
    gl.RenderbufferStorage(GL_RENDERBUFFER, format, t->width, t->height);
  }
}

static void resizeTarget(const Target* t) {
  setStorage(*t->color, GL_RGBA8, t);
  if (t->depth) setStorage(*t->depth, depthFormat(), t);
}

static void needComplete(const char* name) {
  const GLenum status = gl.CheckFramebufferStatus(GL_FRAMEBUFFER);
  if (status != GL_FRAMEBUFFER_COMPLETE) mju_error("%s framebuffer is not complete, error 0x%x", name, status);
}

// makes a framebuffer and leaves it bound, with its last renderbuffer
static void makeTarget(const Target* t) {
  gl.GenFramebuffers(1, t->fbo);
  gl.GenRenderbuffers(1, t->color);
  if (t->depth) gl.GenRenderbuffers(1, t->depth);
  if (!*t->fbo || !*t->color || (t->depth && !*t->depth)) mju_error("Could not allocate %s framebuffer", t->name);
  resizeTarget(t);
  gl.BindFramebuffer(GL_FRAMEBUFFER, *t->fbo);
  gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, *t->color);
  if (t->depth) {
    gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, *t->depth);
  }
  needComplete(t->name);
}

// 1: OpenGL can give this size, 0 after an error
static int hasSize(const char* name, int width, int height) {
  int most = 0;
  gl.GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
  if (width > most) {
    mju_error("%s buffer width exceeds maximum allowed by OpenGL implementation: %d > %d", name, width, most);
  } else if (height > most) {
    mju_error("%s buffer height exceeds maximum allowed by OpenGL implementation: %d > %d", name, height, most);
  }
  return width <= most && height <= most;
}

// samples per pixel that can be had
static int clampSamples(int samples) {
  int most = 0;
  gl.GetIntegerv(GL_MAX_SAMPLES, &most);
  return samples < 0 ? 0 : samples > most ? most : samples;
}

//---------------------------------- offscreen buffer ----------------------------------

static Target offscreen(mjrContext* con) {
  return (Target){"Offscreen",   &con->offFBO,   &con->offColor, &con->offDepthStencil,
                  con->offWidth, con->offHeight, con->offSamples};
}

static Target offscreenResolved(mjrContext* con) {
  return (Target){"Resolved offscreen", &con->offFBO_r, &con->offColor_r, &con->offDepthStencil_r,
                  con->offWidth,        con->offHeight, .samples = 0};
}

void ren_makeOffscreen(mjrContext* con) {
  if (con->offWidth <= 0 || con->offHeight <= 0) return;
  if (!hasSize("Offscreen", con->offWidth, con->offHeight)) return;
  con->offSamples = clampSamples(con->offSamples);
  const Target full = offscreen(con), resolved = offscreenResolved(con);
  makeTarget(&full);

  // the driver may give more samples than asked for
  gl.GetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_SAMPLES, &con->offSamples);
  if (con->offSamples) makeTarget(&resolved);
}

void mjr_resizeOffscreen(int width, int height, mjrContext* con) {
  if (!ren_hasContext(con, "mjr_resizeOffscreen")) return;
  if (con->offWidth == width && con->offHeight == height) return;
  if (width < 0 || height < 0) {
    mju_error("mjr_resizeOffscreen: negative size %d x %d", width, height);
    return;
  }
  if (!hasSize("Offscreen", width, height)) return;
  con->offWidth = width;
  con->offHeight = height;
  if (!width || !height) return;

  if (!con->offFBO) {
    ren_makeOffscreen(con);
    mjr_restoreBuffer(con);
    return;
  }
  const Target full = offscreen(con), resolved = offscreenResolved(con);
  resizeTarget(&full);
  if (con->offSamples) resizeTarget(&resolved);
}

//---------------------------------- auxiliary buffers ----------------------------------

static void freeAux(mjrContext* con, int index) {
  GLuint* const colors[2] = {con->auxColor + index, con->auxColor_r + index};
  GLuint* const fbos[2] = {con->auxFBO + index, con->auxFBO_r + index};
  for (int k = 0; k < 2; k++) {
    if (*colors[k]) gl.DeleteRenderbuffers(1, colors[k]);
    if (*fbos[k]) gl.DeleteFramebuffers(1, fbos[k]);
    *colors[k] = *fbos[k] = 0;
  }
}

void mjr_addAux(int index, int width, int height, int samples, mjrContext* con) {
  if (!ren_hasContext(con, "mjr_addAux")) return;
  if (index < 0 || index >= mjNAUX) {
    mju_error("Invalid aux buffer index");
    return;
  }
  freeAux(con, index);
  if (width < 1 || height < 1) return;
  if (!hasSize("Auxiliary", width, height)) return;
  con->auxWidth[index] = width;
  con->auxHeight[index] = height;
  con->auxSamples[index] = clampSamples(samples);
  const Target full = {.name = "Auxiliary",
                       .fbo = con->auxFBO + index,
                       .color = con->auxColor + index,
                       .width = width,
                       .height = height,
                       .samples = con->auxSamples[index]};
  const Target resolved = {.name = "Resolved auxiliary",
                           .fbo = con->auxFBO_r + index,
                           .color = con->auxColor_r + index,
                           .width = width,
                           .height = height};
  makeTarget(&full);
  makeTarget(&resolved);
  mjr_restoreBuffer(con);
}

//---------------------------------- shadow map ----------------------------------

// depth seen from a light, on texture unit 1, read as 1 where it is not above the third texture coordinate
void ren_makeShadowMap(mjrContext* con) {
  if (con->shadowSize <= 0) return;
  static const GLint SETTINGS[][2] = {
      {GL_TEXTURE_MIN_FILTER,   GL_NEAREST             },
      {GL_TEXTURE_MAG_FILTER,   GL_NEAREST             },
      {GL_TEXTURE_WRAP_S,       GL_CLAMP_TO_EDGE       },
      {GL_TEXTURE_WRAP_T,       GL_CLAMP_TO_EDGE       },
      {GL_TEXTURE_COMPARE_MODE, GL_COMPARE_R_TO_TEXTURE},
      {GL_TEXTURE_COMPARE_FUNC, GL_GEQUAL              },
      {GL_DEPTH_TEXTURE_MODE,   GL_INTENSITY           },
  };
  gl.GenFramebuffers(1, &con->shadowFBO);
  gl.GenTextures(1, &con->shadowTex);
  if (!con->shadowFBO || !con->shadowTex) mju_error("Could not allocate shadow framebuffer");
  gl.ActiveTexture(GL_TEXTURE1);
  gl.BindTexture(GL_TEXTURE_2D, con->shadowTex);
  gl.TexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH24_STENCIL8, con->shadowSize, con->shadowSize, 0, GL_DEPTH_STENCIL,
                GL_UNSIGNED_INT_24_8, NULL);
  for (size_t i = 0; i < sizeof(SETTINGS) / sizeof(SETTINGS[0]); i++) {
    gl.TexParameteri(GL_TEXTURE_2D, (GLenum)SETTINGS[i][0], SETTINGS[i][1]);
  }
  for (int k = 0; k < 4; k++) gl.TexGeni(GL_S + (GLenum)k, GL_TEXTURE_GEN_MODE, GL_EYE_LINEAR);
  gl.ActiveTexture(GL_TEXTURE0);

  gl.BindFramebuffer(GL_FRAMEBUFFER, con->shadowFBO);
  gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, con->shadowTex, 0);
  gl.DrawBuffer(GL_NONE);
  gl.ReadBuffer(GL_NONE);
  needComplete("Shadow");
}

void ren_freeFramebuffers(mjrContext* con) {
  GLuint* const buffers[] = {&con->offColor, &con->offColor_r, &con->offDepthStencil, &con->offDepthStencil_r};
  GLuint* const fbos[] = {&con->offFBO, &con->offFBO_r, &con->shadowFBO};
  for (int i = 0; i < 4; i++) {
    if (*buffers[i]) gl.DeleteRenderbuffers(1, buffers[i]);
  }
  for (int i = 0; i < 3; i++) {
    if (*fbos[i]) gl.DeleteFramebuffers(1, fbos[i]);
  }
  for (int i = 0; i < mjNAUX; i++) freeAux(con, i);
  if (con->shadowTex) gl.DeleteTextures(1, &con->shadowTex);
}
