// See canvas.h.
#include "support/canvas.h"

#include <stdio.h>
#include <stdlib.h>

#include "render/gl.h"
#include "support/glcontext.h"

static unsigned char picture[CNV_HEIGHT][CNV_WIDTH][3];
static GLuint framebuffer;

int cnv_open(void) {
  if (!framebuffer) {
    GLuint colour;
    if (!glc_make() || ren_loadGl()) return 0;
    gl.GenFramebuffers(1, &framebuffer);
    gl.GenRenderbuffers(1, &colour);
    gl.BindRenderbuffer(GL_RENDERBUFFER, colour);
    gl.RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, CNV_WIDTH, CNV_HEIGHT);
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
  }
  cnv_bind();
  if (gl.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) return 0;
  cnv_clear(0, 0, 0);
  return 1;
}

void cnv_bind(void) {
  gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  gl.DrawBuffer(GL_COLOR_ATTACHMENT0);
  gl.ReadBuffer(GL_COLOR_ATTACHMENT0);
}

void cnv_clear(float r, float g, float b) {
  gl.Viewport(0, 0, CNV_WIDTH, CNV_HEIGHT);
  gl.ClearColor(r, g, b, 1);
  gl.Clear(GL_COLOR_BUFFER_BIT);
}

void cnv_read(void) {
  gl.PixelStorei(GL_PACK_ALIGNMENT, 1);
  gl.ReadPixels(0, 0, CNV_WIDTH, CNV_HEIGHT, GL_RGB, GL_UNSIGNED_BYTE, picture);
}

const unsigned char* cnv_pixel(int x, int y) {
  return picture[y][x];
}

int cnv_is(int x, int y, float r, float g, float b) {
  const float rgb[3] = {r, g, b};
  for (int k = 0; k < 3; k++) {
    if (abs(picture[y][x][k] - (int)(255 * rgb[k] + 0.5f)) > 2) return 0;
  }
  return 1;
}

CnvBox cnv_find(float r, float g, float b) {
  CnvBox box = {CNV_WIDTH, CNV_HEIGHT, -1, -1};
  for (int y = 0; y < CNV_HEIGHT; y++) {
    for (int x = 0; x < CNV_WIDTH; x++) {
      if (!cnv_is(x, y, r, g, b)) continue;
      box.x0 = mjMIN(box.x0, x);
      box.y0 = mjMIN(box.y0, y);
      box.x1 = mjMAX(box.x1, x);
      box.y1 = mjMAX(box.y1, y);
    }
  }
  return box;
}

int cnv_count(float r, float g, float b) {
  int n = 0;
  for (int y = 0; y < CNV_HEIGHT; y++) {
    for (int x = 0; x < CNV_WIDTH; x++) n += cnv_is(x, y, r, g, b);
  }
  return n;
}

void cnv_save(const char* path) {
  FILE* file = fopen(path, "wb");
  if (!file) return;
  fprintf(file, "P6 %d %d 255\n", CNV_WIDTH, CNV_HEIGHT);
  for (int y = CNV_HEIGHT - 1; y >= 0; y--) fwrite(picture[y], 3, CNV_WIDTH, file);
  fclose(file);
}
