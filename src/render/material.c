// Looks: colour, material and texture of a geom. Textures are projected onto the shape in its own coordinates (planar:
// along z; cube: from its centre) unless it has texture coordinates.
#include <limits.h>
#include <string.h>

#include "render/scene.h"

//---------------------------------- colour ----------------------------------

// the number a geom has in a segmentation, as colour
static void setSegmentColor(int segid, RenPass pass) {
  if (pass == REN_PASS_ID) {
    const unsigned number = (unsigned)segid + 1;
    const GLubyte rgba[4] = {number & 0xFF, (number >> 8) & 0xFF, (number >> 16) & 0xFF, 0xFF};
    gl.Color4ubv(rgba);
    return;
  }

  // a sequence that fills the cube of colours evenly, so that neighbours differ
  static const int BASES[3] = {2, 3, 5};
  float rgba[4] = {0, 0, 0, 1};
  const int place = REN_MIN(segid, INT_MAX - 10) + 10;
  for (int k = 0; k < 3; k++) rgba[k] = (float)(0.1f + 0.8f * mju_Halton(place, BASES[k]));
  gl.Color4fv(rgba);
}

// sets what differs from what OpenGL has
static void changeLook(RenLook* now, const RenLook* next) {
  if (memcmp(now->emission, next->emission, sizeof(now->emission))) {
    gl.Materialfv(GL_FRONT_AND_BACK, GL_EMISSION, next->emission);
  }
  if (memcmp(now->specular, next->specular, sizeof(now->specular))) {
    gl.Materialfv(GL_FRONT_AND_BACK, GL_SPECULAR, next->specular);
  }
  if (now->shininess != next->shininess) gl.Materialf(GL_FRONT_AND_BACK, GL_SHININESS, next->shininess);
  *now = *next;
}

// shininess as OpenGL counts it, within what it accepts
static float exponent(float shininess) {
  const float value = shininess * 128.0f;
  return value >= 0 ? REN_MIN(value, 128.0f) : 0;
}

void ren_setLook(RenFrame* f, const mjvGeom* geom, RenPass pass, float tint) {
  if (pass == REN_PASS_SHAPE) return;
  if (pass == REN_PASS_SEGMENT || pass == REN_PASS_ID) {
    setSegmentColor(geom->segid, pass);
    return;
  }

  // planes are almost clear from behind
  float rgba[4];
  for (int k = 0; k < 3; k++) rgba[k] = geom->rgba[k] * tint;
  const int fade = pass == REN_PASS_LIT && geom->type == mjGEOM_PLANE && ren_isBehind(f, geom);
  rgba[3] = fade ? (float)(geom->rgba[3] * 0.3) : geom->rgba[3];

  const float glow = pass == REN_PASS_LIT ? geom->emission : 0;
  const RenLook look = {
      .emission = {glow * rgba[0], glow * rgba[1], glow * rgba[2], 1},
      .specular = {geom->specular, geom->specular, geom->specular, 1},
      .shininess = exponent(geom->shininess)
  };
  changeLook(&f->look, &look);
  gl.Color4fv(rgba);
}

//---------------------------------- texture ----------------------------------

void ren_initTextures(void) {
  gl.ActiveTexture(GL_TEXTURE0);
  gl.TexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
  for (GLenum coord = GL_S; coord <= GL_R; coord++) gl.TexGeni(coord, GL_TEXTURE_GEN_MODE, GL_OBJECT_LINEAR);
}

// what is switched on for each kind
static const GLenum TARGETS[] = {
    [REN_TEX_COORDS] = GL_TEXTURE_2D, [REN_TEX_PLANAR] = GL_TEXTURE_2D, [REN_TEX_CUBE] = GL_TEXTURE_CUBE_MAP};
static const int GENERATED[] = {[REN_TEX_COORDS] = 0, [REN_TEX_PLANAR] = 2, [REN_TEX_CUBE] = 3};

static void enableTexture(RenTexture kind, GLuint texture) {
  gl.ActiveTexture(GL_TEXTURE0);
  gl.Enable(TARGETS[kind]);
  for (int k = 0; k < GENERATED[kind]; k++) gl.Enable(GL_TEXTURE_GEN_S + k);
  gl.BindTexture(TARGETS[kind], texture);
}

void ren_endTexture(RenTexture kind) {
  if (kind == REN_TEX_NONE) return;
  gl.ActiveTexture(GL_TEXTURE0);
  gl.Disable(TARGETS[kind]);
  for (int k = 0; k < GENERATED[kind]; k++) gl.Disable(GL_TEXTURE_GEN_S + k);
}

// Texture repetitions along x or y. Shapes of the model's own size have size in their coordinates, the built-in ones
// are scaled when drawn.
static float repetitions(const RenFrame* f, const mjvGeom* geom, int axis) {
  const float size = geom->size[axis];
  float repeat = f->con->mat_texrepeat[2 * geom->matid + axis];
  if (size <= 0) return repeat;
  if (geom->dataid >= 0) repeat = (float)(repeat / mju_max(mjMINVAL, size));
  return f->con->mat_texuniform[geom->matid] ? repeat * size : repeat;
}

static void mapPlanar(const RenFrame* f, const mjvGeom* geom) {
  const float s[4] = {0.5f * repetitions(f, geom, 0), 0, 0, -0.5f};
  const float t[4] = {0, -0.5f * repetitions(f, geom, 1), 0, -0.5f};
  gl.TexGenfv(GL_S, GL_OBJECT_PLANE, s);
  gl.TexGenfv(GL_T, GL_OBJECT_PLANE, t);
}

static void mapCube(const RenFrame* f, const mjvGeom* geom) {
  for (int k = 0; k < 3; k++) {
    float plane[4] = {0};
    plane[k] = f->con->mat_texuniform[geom->matid] ? geom->size[k] : 1;
    gl.TexGenfv(GL_S + k, GL_OBJECT_PLANE, plane);
  }
}

RenTexture ren_beginTexture(const RenFrame* f, const mjvGeom* geom) {
  const mjrContext* const con = f->con;
  if (geom->matid < 0 || geom->matid >= mjMAXMATERIAL) return REN_TEX_NONE;
  const int texid = con->mat_texid[mjNTEXROLE * geom->matid + mjTEXROLE_RGB];
  if (texid < 0 || texid >= REN_MIN(con->ntexture, mjMAXTEXTURE)) return REN_TEX_NONE;

  // texture coordinates have two components: they are of no use for a cube
  const int flat = con->textureType[texid] == mjTEXTURE_2D;
  if (geom->texcoord && !flat) return REN_TEX_NONE;
  const RenTexture kind = geom->texcoord ? REN_TEX_COORDS : flat ? REN_TEX_PLANAR : REN_TEX_CUBE;
  enableTexture(kind, con->texture[texid]);
  if (kind == REN_TEX_PLANAR) mapPlanar(f, geom);
  if (kind == REN_TEX_CUBE) mapCube(f, geom);
  return kind;
}

void ren_beginSkyTexture(GLuint texture) {
  // the sky's y axis is up, the world's z axis is
  static const float PLANES[3][4] = {
      {1, 0,  0, 0},
      {0, 0,  1, 0},
      {0, -1, 0, 0}
  };
  enableTexture(REN_TEX_CUBE, texture);
  for (int k = 0; k < 3; k++) gl.TexGenfv(GL_S + k, GL_OBJECT_PLANE, PLANES[k]);
}
