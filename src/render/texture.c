// Textures of the model on the graphics card, and the table of materials that use them.
#include <inttypes.h>
#include <string.h>

#include "render/context.h"

void ren_makeMaterials(const mjModel* m, mjrContext* con) {
  // the first sky takes the last row of the table
  int sky = 0;
  while (sky < m->ntex && m->tex_type[sky] != mjTEXTURE_SKYBOX) sky++;
  if (sky < m->ntex && m->nmat >= mjMAXMATERIAL - 2) {
    mju_error("With skybox, maximum number of materials is %d, got %" PRId64, mjMAXMATERIAL - 1, (int64_t)m->nmat);
  }
  if (m->nmat >= mjMAXMATERIAL - 1) {
    mju_error("Maximum number of materials is %d, got %" PRId64, mjMAXMATERIAL, (int64_t)m->nmat);
    return;
  }
  memset(con->mat_texid, -1, sizeof(con->mat_texid));
  if (sky < m->ntex) con->mat_texid[mjNTEXROLE * (mjMAXMATERIAL - 1) + mjTEXROLE_RGB] = sky;

  // materials without a texture for the colour keep -1 everywhere
  for (int i = 0; i < m->nmat; i++) {
    const int* const texid = m->mat_texid + i * mjNTEXROLE;
    if (texid[mjTEXROLE_RGB] < 0) continue;
    memcpy(con->mat_texid + i * mjNTEXROLE, texid, mjNTEXROLE * sizeof(int));
    memcpy(con->mat_texrepeat + 2 * i, m->mat_texrepeat + 2 * i, 2 * sizeof(float));
    con->mat_texuniform[i] = m->mat_texuniform[i];
  }
}

// coordinates made from the object's own, axis by axis
static void mapObject(int naxis) {
  for (int k = 0; k < naxis; k++) {
    float plane[4] = {0};
    plane[k] = 1;
    gl.TexGeni(GL_S + (GLenum)k, GL_TEXTURE_GEN_MODE, GL_OBJECT_LINEAR);
    gl.TexGenfv(GL_S + (GLenum)k, GL_OBJECT_PLANE, plane);
  }
}

// smaller copies for seeing it from far away, blended
static void filterMipmaps(GLenum target, GLint wrap) {
  gl.TexParameteri(target, GL_TEXTURE_WRAP_S, wrap);
  gl.TexParameteri(target, GL_TEXTURE_WRAP_T, wrap);
  if (target == GL_TEXTURE_CUBE_MAP) gl.TexParameteri(target, GL_TEXTURE_WRAP_R, wrap);
  gl.TexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  gl.TexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
}

// a flat texture; its colour space decides how the card stores it
static void sendFlat(const mjModel* m, int id) {
  const int alpha = m->tex_nchannel[id] == 4, srgb = m->tex_colorspace[id] == mjCOLORSPACE_SRGB;
  const GLenum format = alpha ? GL_RGBA : GL_RGB;
  const GLenum stored = !srgb ? format : alpha ? GL_SRGB8_ALPHA8 : GL_SRGB8;
  mapObject(2);
  gl.TexImage2D(GL_TEXTURE_2D, 0, (GLint)stored, m->tex_width[id], m->tex_height[id], 0, format, GL_UNSIGNED_BYTE,
                m->tex_data + m->tex_adr[id]);
}

// a cube: six squares one after the other, or one for all sides
static void sendCube(const mjModel* m, int id) {
  const int side = m->tex_width[id], single = m->tex_height[id] == side;
  if (!single && m->tex_height[id] != 6 * side) {
    mju_error("Texture %d is neither a square nor six squares", id);
    return;
  }
  const int nchannel = m->tex_nchannel[id];
  const GLenum format = nchannel == 4 ? GL_RGBA : GL_RGB;
  mapObject(3);
  for (int i = 0; i < 6; i++) {
    const size_t offset = single ? 0 : (size_t)i * nchannel * side * side;
    gl.TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)i, 0, (GLint)format, side, side, 0, format, GL_UNSIGNED_BYTE,
                  m->tex_data + m->tex_adr[id] + offset);
  }
}

void mjr_uploadTexture(const mjModel* m, const mjrContext* con, int texid) {
  if (!ren_hasContext(con, "mjr_uploadTexture")) return;
  if (!m || texid < 0 || texid >= m->ntex || texid >= con->ntexture) {
    mju_error("Invalid texture index %d", texid);
    return;
  }
  if (m->tex_nchannel[texid] != 3 && m->tex_nchannel[texid] != 4) {
    mju_error("Number of channels not supported: %d", m->tex_nchannel[texid]);
    return;
  }
  const int flat = m->tex_type[texid] == mjTEXTURE_2D;
  const GLenum target = flat ? GL_TEXTURE_2D : GL_TEXTURE_CUBE_MAP;
  gl.ActiveTexture(GL_TEXTURE0);
  gl.Enable(target);
  gl.BindTexture(target, con->texture[texid]);
  filterMipmaps(target, flat ? GL_REPEAT : GL_CLAMP_TO_EDGE);
  if (flat) {
    sendFlat(m, texid);
  } else {
    sendCube(m, texid);
  }
  gl.GenerateMipmap(target);
  gl.Disable(target);
}

void ren_makeTextures(const mjModel* m, mjrContext* con) {
  if (m->ntex > mjMAXTEXTURE) {
    mju_error("Maximum number of textures is %d", mjMAXTEXTURE);
    return;
  }
  if (!m->ntex) return;
  con->ntexture = (int)m->ntex;
  gl.GenTextures(con->ntexture, con->texture);
  for (int i = 0; i < m->ntex; i++) {
    con->textureType[i] = m->tex_type[i];
    mjr_uploadTexture(m, con, i);
  }
}
