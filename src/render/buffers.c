// Which framebuffer is drawn into and read from, and copies between framebuffers and the program's memory.
#include "render/context.h"

// a framebuffer and the colour buffer of it
typedef struct {
  GLuint fbo;
  GLenum plane;
} Surface;

static Surface window(const mjrContext* con) {
  return (Surface){0, con->windowDoublebuffer ? GL_BACK : GL_FRONT};
}

static Surface attached(GLuint fbo) {
  return (Surface){fbo, GL_COLOR_ATTACHMENT0};
}

// what mjr_setBuffer chose last
static Surface current(const mjrContext* con) {
  return con->currentBuffer == mjFB_WINDOW ? window(con) : attached(con->offFBO);
}

static void readFrom(Surface s) {
  gl.BindFramebuffer(GL_READ_FRAMEBUFFER, s.fbo);
  gl.ReadBuffer(s.plane);
}

static void drawTo(Surface s) {
  gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, s.fbo);
  gl.DrawBuffer(s.plane);
}

static void copy(Surface from, mjrRect src, Surface to, mjrRect dst, GLbitfield mask) {
  // depth cannot be interpolated
  const int stretch = src.width != dst.width || src.height != dst.height;
  const GLenum filter = stretch && !(mask & GL_DEPTH_BUFFER_BIT) ? GL_LINEAR : GL_NEAREST;
  readFrom(from);
  drawTo(to);
  gl.BlitFramebuffer(src.left, src.bottom, src.left + src.width, src.bottom + src.height, dst.left, dst.bottom,
                     dst.left + dst.width, dst.bottom + dst.height, mask, filter);
}

static GLbitfield maskOf(int color, int depth) {
  return (color ? (GLbitfield)GL_COLOR_BUFFER_BIT : 0) | (depth ? (GLbitfield)GL_DEPTH_BUFFER_BIT : 0);
}

// the offscreen buffer with one sample per pixel, resolved inside a rectangle where it has several
static Surface resolvedOffscreen(const mjrContext* con, mjrRect rect, GLbitfield mask) {
  if (!con->offSamples) return attached(con->offFBO);
  copy(attached(con->offFBO), rect, attached(con->offFBO_r), rect, mask);
  return attached(con->offFBO_r);
}

//---------------------------------- choice ----------------------------------

void mjr_setBuffer(int framebuffer, mjrContext* con) {
  if (!con || (!con->windowAvailable && !con->offFBO)) {
    mju_error("No OpenGL framebuffer available");
    return;
  }

  // the only one there is, or as asked for
  if (!con->offFBO) framebuffer = mjFB_WINDOW;
  if (!con->windowAvailable) framebuffer = mjFB_OFFSCREEN;
  con->currentBuffer = framebuffer == mjFB_WINDOW ? mjFB_WINDOW : mjFB_OFFSCREEN;
  mjr_restoreBuffer(con);
}

void mjr_restoreBuffer(const mjrContext* con) {
  if (!ren_hasContext(con, "mjr_restoreBuffer")) return;
  readFrom(current(con));
  drawTo(current(con));
}

void mjr_setAux(int index, const mjrContext* con) {
  if (!ren_hasContext(con, "mjr_setAux")) return;
  if (index < 0 || index >= mjNAUX) {
    mju_error("Invalid aux buffer index");
    return;
  }
  if (!con->auxFBO[index]) {
    mju_error("auxFBO %d does not exist", index);
    return;
  }
  readFrom(attached(con->auxFBO[index]));
  drawTo(attached(con->auxFBO[index]));
}

mjrRect mjr_maxViewport(const mjrContext* con) {
  if (!ren_hasContext(con, "mjr_maxViewport")) return (mjrRect){0};
  if (con->currentBuffer != mjFB_WINDOW) return (mjrRect){0, 0, con->offWidth, con->offHeight};

  // a window's size is not kept by OpenGL; its scissor box starts as the whole of it
  GLint box[4] = {0};
  gl.GetIntegerv(GL_SCISSOR_BOX, box);
  return (mjrRect){0, 0, box[2], box[3]};
}

//---------------------------------- pixels ----------------------------------

// depth as the program asked for it, from 1 at the near plane as it is stored
static void mapDepth(float* depth, mjrRect viewport, const mjrContext* con) {
  if (con->readDepthMap == mjDEPTH_ZERONEAR) {
    for (int row = 0; row < viewport.height; row++) {
      for (int i = 0; i < viewport.width; i++) depth[i] = (float)(1.0 - depth[i]);
      depth += viewport.width;
    }
    return;
  }

  // reversed depth is only finer with both of these
  static int warned = 0;
  const char* const missing = !gl.ClipControl                                  ? "ARB_clip_control"
                              : !ren_hasExtension("GL_ARB_depth_buffer_float") ? "ARB_depth_buffer_float"
                                                                               : NULL;
  if (missing && !warned) {
    warned = 1;
    mju_warning("%s unavailable while mjDEPTH_ZEROFAR requested, depth accuracy will be limited", missing);
  }
}

void mjr_readPixels(unsigned char* rgb, float* depth, mjrRect viewport, const mjrContext* con) {
  if (!ren_hasContext(con, "mjr_readPixels")) return;
  if (!rgb && !depth) return;
  const int offscreen = con->currentBuffer != mjFB_WINDOW;
  if (offscreen) readFrom(resolvedOffscreen(con, viewport, maskOf(rgb != NULL, depth != NULL)));
  if (rgb) {
    gl.ReadPixels(viewport.left, viewport.bottom, viewport.width, viewport.height,
                  offscreen ? (GLenum)con->readPixelFormat : GL_RGB, GL_UNSIGNED_BYTE, rgb);
  }
  if (depth) {
    gl.ReadPixels(viewport.left, viewport.bottom, viewport.width, viewport.height, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
    mapDepth(depth, viewport, con);
  }
  if (offscreen) mjr_restoreBuffer(con);
}

void mjr_drawPixels(const unsigned char* rgb, const float* depth, mjrRect viewport, const mjrContext* con) {
  if (!ren_hasContext(con, "mjr_drawPixels")) return;
  gl.WindowPos2f((float)viewport.left, (float)viewport.bottom);
  if (rgb) gl.DrawPixels(viewport.width, viewport.height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
  if (depth) gl.DrawPixels(viewport.width, viewport.height, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
}

//---------------------------------- copies between framebuffers ----------------------------------

void mjr_blitBuffer(mjrRect src, mjrRect dst, int flg_color, int flg_depth, const mjrContext* con) {
  if (!ren_hasContext(con, "mjr_blitBuffer")) return;
  const GLbitfield mask = maskOf(flg_color, flg_depth);
  if (!con->windowAvailable || !con->offFBO || !mask) return;
  if (con->currentBuffer != mjFB_WINDOW) {
    copy(resolvedOffscreen(con, src, mask), src, window(con), dst, mask);
  } else if (con->offSamples) {
    // sizes may differ only between buffers with one sample
    copy(window(con), src, attached(con->offFBO_r), dst, mask);
    copy(attached(con->offFBO_r), dst, attached(con->offFBO), dst, mask);
  } else {
    copy(window(con), src, attached(con->offFBO), dst, mask);
  }
  mjr_restoreBuffer(con);
}

void mjr_blitAux(int index, mjrRect src, int left, int bottom, const mjrContext* con) {
  if (!ren_hasContext(con, "mjr_blitAux")) return;
  if (index < 0 || index >= mjNAUX) {
    mju_error("Invalid aux buffer index");
    return;
  }
  if (!con->auxFBO[index]) return;
  const mjrRect dst = {left, bottom, src.width, src.height};
  copy(attached(con->auxFBO[index]), src, attached(con->auxFBO_r[index]), src, GL_COLOR_BUFFER_BIT);
  copy(attached(con->auxFBO_r[index]), src, current(con), dst, GL_COLOR_BUFFER_BIT);
  mjr_restoreBuffer(con);
}
