// A framebuffer that is drawn into where there is no window, and reading pictures.
#include <stdio.h>
#include <stdlib.h>

#include "view/renderer.h"

static void attach(GLenum format, GLenum point, GLuint* buffer, const ViwTarget* target) {
  vgl.GenRenderbuffers(1, buffer);
  vgl.BindRenderbuffer(GL_RENDERBUFFER, *buffer);
  vgl.RenderbufferStorageMultisample(GL_RENDERBUFFER, target->samples, format, target->width, target->height);
  vgl.FramebufferRenderbuffer(GL_FRAMEBUFFER, point, GL_RENDERBUFFER, *buffer);
}

int viw_openTarget(ViwTarget* target, int width, int height, int samples, char error[VIW_ERROR_SIZE]) {
  GLint most = 0;
  vgl.GetIntegerv(GL_MAX_SAMPLES, &most);
  *target = (ViwTarget){.width = width, .height = height, .samples = 0};
  vgl.GenFramebuffers(1, &target->resolved);
  vgl.BindFramebuffer(GL_FRAMEBUFFER, target->resolved);
  attach(GL_RGBA8, GL_COLOR_ATTACHMENT0, &target->resolvedColor, target);
  target->samples = samples < most ? samples : most;
  vgl.GenFramebuffers(1, &target->framebuffer);
  vgl.BindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
  attach(GL_RGBA8, GL_COLOR_ATTACHMENT0, &target->color, target);
  attach(GL_DEPTH_COMPONENT24, GL_DEPTH_ATTACHMENT, &target->depth, target);
  if (vgl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) return 1;
  snprintf(error, VIW_ERROR_SIZE, "OpenGL cannot make a picture of %d x %d", width, height);
  return 0;
}

void viw_closeTarget(ViwTarget* target) {
  if (!target->framebuffer) return;
  const GLuint framebuffers[] = {target->framebuffer, target->resolved};
  const GLuint buffers[] = {target->color, target->depth, target->resolvedColor};
  vgl.DeleteFramebuffers(2, framebuffers);
  vgl.DeleteRenderbuffers(3, buffers);
  *target = (ViwTarget){0};
}

void viw_readPixels(const ViwTarget* target, int width, int height, unsigned char* rgb) {
  if (target) {
    vgl.BindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
    vgl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, target->resolved);
    vgl.BlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    vgl.BindFramebuffer(GL_FRAMEBUFFER, target->resolved);
  }
  // four channels are what every context can read; OpenGL begins with the lowest row
  unsigned char* const rgba = malloc((size_t)width * (size_t)height * 4);
  if (!rgba) mju_error("view: no memory for a picture");
  vgl.PixelStorei(GL_PACK_ALIGNMENT, 1);
  vgl.ReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
  for (int y = 0; y < height; y++) {
    const unsigned char* from = rgba + 4 * (size_t)width * (size_t)(height - 1 - y);
    for (int x = 0; x < width; x++, from += 4, rgb += 3) memcpy(rgb, from, 3);
  }
  free(rgba);
  if (target) vgl.BindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
}
