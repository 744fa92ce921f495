// Textures of a model on the graphics card.
#include <stdlib.h>

#include "view/renderer.h"

static void filter(GLenum target, GLint wrap) {
  vgl.TexParameteri(target, GL_TEXTURE_WRAP_S, wrap);
  vgl.TexParameteri(target, GL_TEXTURE_WRAP_T, wrap);
  vgl.TexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  vgl.TexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
}

// one square or picture of a texture; channels other than 3 and 4 are not drawn
static void send(GLenum target, const mjModel* m, int id, int height, size_t offset) {
  const int nchannel = m->tex_nchannel[id];
  vgl.TexImage2D(target, 0, nchannel == 4 ? GL_RGBA8 : GL_RGB8, m->tex_width[id], height, 0,
                 nchannel == 4 ? GL_RGBA : GL_RGB, GL_UNSIGNED_BYTE, m->tex_data + m->tex_adr[id] + offset);
}

static void sendCube(const mjModel* m, int id) {
  const int side = m->tex_width[id], single = m->tex_height[id] == side;
  for (int i = 0; i < 6; i++) {
    const size_t offset = single ? 0 : (size_t)i * (size_t)m->tex_nchannel[id] * (size_t)side * (size_t)side;
    send(GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)i, m, id, side, offset);
  }
}

static int usable(const mjModel* m, int id) {
  const int width = m->tex_width[id], height = m->tex_height[id];
  GLint most = 0;
  vgl.GetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  if (m->tex_nchannel[id] != 3 && m->tex_nchannel[id] != 4) return 0;
  if (m->tex_type[id] == mjTEXTURE_2D) return width <= most && height <= most;
  return width <= most && (height == width || height == 6 * width);
}

void viw_makeTextures(ViwRenderer* r, const mjModel* m) {
  r->ntexture = (int)m->ntex;
  r->texture = calloc((size_t)r->ntexture + 1, sizeof(*r->texture));
  if (!r->texture) mju_error("view: no memory for textures");
  vgl.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
  vgl.ActiveTexture(GL_TEXTURE0);
  for (int i = 0; i < r->ntexture; i++) {
    if (!usable(m, i)) continue;
    const int flat = m->tex_type[i] == mjTEXTURE_2D;
    const GLenum target = flat ? GL_TEXTURE_2D : GL_TEXTURE_CUBE_MAP;
    vgl.GenTextures(1, r->texture + i);
    vgl.BindTexture(target, r->texture[i]);
    if (flat) {
      send(GL_TEXTURE_2D, m, i, m->tex_height[i], 0);
    } else {
      sendCube(m, i);
    }
    filter(target, flat ? GL_REPEAT : GL_CLAMP_TO_EDGE);
    if (m->tex_type[i] == mjTEXTURE_SKYBOX) {
      // a sky is never far away
      vgl.TexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
      if (r->sky < 0) r->sky = i;
    } else {
      vgl.GenerateMipmap(target);
    }
  }
}

void viw_freeTextures(ViwRenderer* r) {
  for (int i = 0; i < r->ntexture; i++) {
    if (r->texture[i]) vgl.DeleteTextures(1, r->texture + i);
  }
  free(r->texture);
  r->texture = NULL;
  r->ntexture = 0;
  r->sky = -1;
}
