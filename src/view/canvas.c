// What is drawn in pixels: triangles that take their coverage from the atlas of the font, whose first pixel is full.
#include <stdio.h>
#include <stdlib.h>

#include "view/renderer.h"

//---------------------------------- making ----------------------------------

static void makeAtlas(ViwCanvas* canvas) {
  unsigned char* const ink = viw_drawFont(canvas->fontScale, canvas->glyph, &canvas->atlasWidth, &canvas->atlasHeight);
  vgl.ActiveTexture(GL_TEXTURE0);
  vgl.BindTexture(GL_TEXTURE_2D, canvas->atlas);
  vgl.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
  vgl.TexImage2D(GL_TEXTURE_2D, 0, GL_R8, canvas->atlasWidth, canvas->atlasHeight, 0, GL_RED, GL_UNSIGNED_BYTE, ink);
  vgl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  vgl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  vgl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  vgl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  free(ink);
}

void viw_openCanvas(ViwCanvas* canvas, float fontScale) {
  *canvas = (ViwCanvas){.fontScale = fontScale};
  vgl.GenTextures(1, &canvas->atlas);
  makeAtlas(canvas);
  vgl.GenVertexArrays(1, &canvas->array);
  vgl.GenBuffers(1, &canvas->buffer);
  vgl.BindVertexArray(canvas->array);
  vgl.BindBuffer(GL_ARRAY_BUFFER, canvas->buffer);
  vgl.EnableVertexAttribArray(0);
  vgl.EnableVertexAttribArray(1);
  vgl.VertexAttribPointer(0, 4, GL_FLOAT, 0, sizeof(ViwDot), NULL);
  vgl.VertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, 1, sizeof(ViwDot), (const void*)offsetof(ViwDot, color));
  vgl.BindVertexArray(0);
}

void viw_setFontScale(ViwCanvas* canvas, float fontScale) {
  if (canvas->fontScale == fontScale) return;
  canvas->fontScale = fontScale;
  makeAtlas(canvas);
}

void viw_closeCanvas(ViwCanvas* canvas) {
  if (canvas->array) {
    vgl.DeleteVertexArrays(1, &canvas->array);
    vgl.DeleteBuffers(1, &canvas->buffer);
    vgl.DeleteTextures(1, &canvas->atlas);
  }
  free(canvas->dot);
  free(canvas->patch);
  *canvas = (ViwCanvas){0};
}

//---------------------------------- shapes ----------------------------------

void viw_clip(ViwCanvas* canvas, ViwRect rect) {
  if (canvas->npatch == canvas->patchRoom) {
    canvas->patchRoom = canvas->patchRoom ? 2 * canvas->patchRoom : 16;
    canvas->patch = realloc(canvas->patch, (size_t)canvas->patchRoom * sizeof(*canvas->patch));
    if (!canvas->patch) mju_error("view: no memory for drawing");
  }
  canvas->patch[canvas->npatch++] = (ViwPatch){rect, canvas->ndot, 0};
}

// room for six more dots
static ViwDot* addDots(ViwCanvas* canvas) {
  enum { MORE = 6 };
  if (!canvas->npatch) viw_clip(canvas, (ViwRect){0, 0, 1e6f, 1e6f});
  if (canvas->ndot + MORE > canvas->room) {
    canvas->room = 2 * (canvas->ndot + MORE);
    canvas->dot = realloc(canvas->dot, (size_t)canvas->room * sizeof(*canvas->dot));
    if (!canvas->dot) mju_error("view: no memory for drawing");
  }
  canvas->ndot += MORE;
  canvas->patch[canvas->npatch - 1].n += MORE;
  return canvas->dot + canvas->ndot - MORE;
}

// a quadrilateral: corners in order round it, the texture's rectangle
static void quad(ViwCanvas* canvas, const float corner[4][2], const ViwRect* texture, ViwColor color) {
  static const int ORDER[6] = {0, 1, 2, 0, 2, 3};
  ViwDot* const dot = addDots(canvas);
  for (int i = 0; i < 6; i++) {
    const int k = ORDER[i];
    dot[i] = (ViwDot){corner[k][0], corner[k][1], texture->x + (k == 1 || k == 2 ? texture->w : 0),
                      texture->y + (k >= 2 ? texture->h : 0), color};
  }
}

static const ViwRect FULL = {1, 1, 0, 0};

void viw_rect(ViwCanvas* canvas, ViwRect r, ViwColor color) {
  const float corner[4][2] = {
      {r.x,       r.y      },
      {r.x + r.w, r.y      },
      {r.x + r.w, r.y + r.h},
      {r.x,       r.y + r.h}
  };
  quad(canvas, corner, &FULL, color);
}

void viw_frame(ViwCanvas* canvas, ViwRect r, float width, ViwColor color) {
  viw_rect(canvas, (ViwRect){r.x, r.y, r.w, width}, color);
  viw_rect(canvas, (ViwRect){r.x, r.y + r.h - width, r.w, width}, color);
  viw_rect(canvas, (ViwRect){r.x, r.y, width, r.h}, color);
  viw_rect(canvas, (ViwRect){r.x + r.w - width, r.y, width, r.h}, color);
}

void viw_stroke(ViwCanvas* canvas, const float from[2], const float to[2], float width, ViwColor color) {
  const float dx = to[0] - from[0], dy = to[1] - from[1], length = sqrtf(dx * dx + dy * dy);
  if (!(length > 0)) return;
  const float nx = -dy / length * 0.5f * width, ny = dx / length * 0.5f * width;
  const float corner[4][2] = {
      {from[0] + nx, from[1] + ny},
      {to[0] + nx,   to[1] + ny  },
      {to[0] - nx,   to[1] - ny  },
      {from[0] - nx, from[1] - ny}
  };
  quad(canvas, corner, &FULL, color);
}

//---------------------------------- text ----------------------------------

// characters that the font does not have are a question mark, once for each of several bytes
static const ViwGlyph* glyphOf(const ViwCanvas* canvas, const char** text) {
  const unsigned char c = (unsigned char)*(*text)++;
  while ((**text & 0xC0) == 0x80) (*text)++;
  return canvas->glyph + (c >= 32 && c < 127 ? c - 32 : '?' - 32);
}

void viw_text(ViwCanvas* canvas, float x, float y, const char* text, ViwColor color) {
  x = floorf(x + 0.5f);
  y = floorf(y + 0.5f);
  while (*text) {
    const ViwGlyph* const g = glyphOf(canvas, &text);
    const float left = floorf(x + 0.5f);
    const float corner[4][2] = {
        {left,        y       },
        {left + g->w, y       },
        {left + g->w, y + g->h},
        {left,        y + g->h}
    };
    quad(canvas, corner, &(ViwRect){g->u, g->v, g->w, g->h}, color);
    x += g->advance;
  }
}

float viw_textWidth(const ViwCanvas* canvas, const char* text) {
  float width = 0;
  while (*text) width += glyphOf(canvas, &text)->advance;
  return width;
}

void viw_fitText(const ViwCanvas* canvas, const char* text, float width, char* part, size_t size) {
  const float dots = viw_textWidth(canvas, "..");
  // whole characters as long as there is room, and how many of them leave room for the dots
  size_t most = 0, dotted = 0;
  float used = 0;
  for (const char* at = text; *at;) {
    used += glyphOf(canvas, &at)->advance;
    const size_t n = (size_t)(at - text);
    if (n + sizeof("..") > size || (used > width && most)) break;
    most = n;
    if (used + dots <= width) dotted = n;
    if (used > width) break;
  }
  const int whole = !text[most] && used <= width;
  snprintf(part, size, "%.*s%s", (int)(whole || !dotted ? most : dotted), text, whole || !dotted ? "" : "..");
}

float viw_lineHeight(const ViwCanvas* canvas) {
  return ceilf(17 * canvas->fontScale);
}

//---------------------------------- drawing ----------------------------------

void viw_drawCanvas(ViwCanvas* canvas, const ViwProgram* program, int width, int height) {
  if (canvas->ndot) {
    vgl.Viewport(0, 0, width, height);
    vgl.Disable(GL_DEPTH_TEST);
    vgl.Enable(GL_BLEND);
    vgl.BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    vgl.Enable(GL_SCISSOR_TEST);
    vgl.UseProgram(program->id);
    vgl.Uniform4fv(program->size, 1,
                   (const float[4]){2.0f / (float)width, 2.0f / (float)height, 1.0f / (float)canvas->atlasWidth,
                                    1.0f / (float)canvas->atlasHeight});
    vgl.ActiveTexture(GL_TEXTURE0);
    vgl.BindTexture(GL_TEXTURE_2D, canvas->atlas);
    vgl.BindVertexArray(canvas->array);
    vgl.BindBuffer(GL_ARRAY_BUFFER, canvas->buffer);
    vgl.BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)canvas->ndot * sizeof(ViwDot)), canvas->dot, GL_STREAM_DRAW);
    for (int i = 0; i < canvas->npatch; i++) {
      const ViwPatch* const patch = canvas->patch + i;
      const ViwRect c = patch->clip;
      const float x0 = fmaxf(c.x, 0), y0 = fmaxf(c.y, 0), x1 = fminf(c.x + c.w, (float)width),
                  y1 = fminf(c.y + c.h, (float)height);
      if (!patch->n || x1 <= x0 || y1 <= y0) continue;
      vgl.Scissor((GLint)x0, height - (GLint)y1, (GLint)(x1 - x0), (GLint)(y1 - y0));
      vgl.DrawArrays(GL_TRIANGLES, patch->first, patch->n);
    }
    vgl.BindVertexArray(0);
    vgl.Disable(GL_SCISSOR_TEST);
    vgl.Disable(GL_BLEND);
  }
  canvas->ndot = canvas->npatch = 0;
}
