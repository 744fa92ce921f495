// What the files that draw a scene share. One frame (scene.c): for each eye the mirrored scene, what is opaque in the
// light of the lights without shadows, then once more added for each light that casts shadows, the sky, what is
// transparent, labels; effects.c has mirrors, shadows and sky. geom.c draws one geom, material.c gives it its look,
// light.c and camera.c hold lights and eyes.
#pragma once

#include "render/render.h"

#define REN_MIN(a, b) ((a) < (b) ? (a) : (b))
#define REN_MAX(a, b) ((a) > (b) ? (a) : (b))

// What a geom is drawn for.
typedef enum {
  REN_PASS_LIT,      // picture: material, texture, the lights that are on
  REN_PASS_SHADED,   // the same without emitted light, to add one light more
  REN_PASS_SHAPE,    // shape alone, for depth and stencil
  REN_PASS_SEGMENT,  // segmentation: colours that are easy to tell apart
  REN_PASS_ID        // segmentation: the number itself as colour
} RenPass;

// Material properties as OpenGL has them now; setting only what changes saves it work.
typedef struct {
  float emission[4];
  float specular[4];
  float shininess;
} RenLook;

// A frame while it is drawn.
typedef struct {
  mjvScene* scn;
  const mjrContext* con;
  int ngeom;  // geoms and lights that can be drawn
  int nlight;
  int ntransparent;   // transparent geoms: the first entries of scn->geomorder, nearest first
  int shadows;        // 1: lights that cast shadows get their own pass
  mjvGLCamera cam;    // mean of both eyes
  float head[3];      // its position in the model
  mjrRect viewport;   // of the eye that is drawn
  GLenum drawbuffer;  // buffer of that eye
  float project[16];  // its projection
  float view[16];     // from the model to it
  RenLook look;
} RenFrame;

//---------------------------------- camera.c ----------------------------------

// sets projection and view of an eye (0, 1) or of the mean of both (-1) and keeps them in the frame
void ren_setEye(RenFrame* f, int eye);

// replaces the projection by one that maps near and far to 1 and 0, without the view volume yet
void ren_startProjection(void);

// multiplies the current matrix by the view from a point
void ren_lookAt(const float pos[3], const float forward[3], const float up[3]);

// a unit vector orthogonal to a direction
void ren_orthogonal(float res[3], const float direction[3]);

// 4x4 matrices, column by column: res = a * b
void ren_multiply(float res[16], const float a[16], const float b[16]);

// rotation and translation of a frame as OpenGL wants it; pos may be NULL
void ren_pose(float res[16], const float pos[3], const float mat[9]);

// 1: the head is on the negative side of a geom's xy plane
int ren_isBehind(const RenFrame* f, const mjvGeom* geom);

//---------------------------------- light.c ----------------------------------

// lights of a scene that OpenGL can show
int ren_lightCount(const mjvScene* scn);

// colours, cones and attenuation of all lights, which are off afterwards
void ren_describeLights(const RenFrame* f);

// positions and directions, by the current matrix
void ren_placeLights(const RenFrame* f);

typedef enum { REN_LIGHTS_OFF, REN_LIGHTS_ON, REN_LIGHTS_PLAIN } RenLightSet;  // plain: those without a shadow pass

void ren_switchLights(const RenFrame* f, RenLightSet set);

//---------------------------------- material.c ----------------------------------

// texture state at the beginning of a frame
void ren_initTextures(void);

// colour and material of a geom; its colour is multiplied by tint
void ren_setLook(RenFrame* f, const mjvGeom* geom, RenPass pass, float tint);

// How a geom is textured.
typedef enum { REN_TEX_NONE, REN_TEX_COORDS, REN_TEX_PLANAR, REN_TEX_CUBE } RenTexture;

// switches a geom's texture on and says how, for ren_endTexture
RenTexture ren_beginTexture(const RenFrame* f, const mjvGeom* geom);
void ren_endTexture(RenTexture kind);

// the same for the sky
void ren_beginSkyTexture(GLuint texture);

//---------------------------------- geom.c ----------------------------------

// draws a geom; tint below 1 darkens its colour
void ren_drawGeom(RenFrame* f, const mjvGeom* geom, RenPass pass, float tint);

// a built-in shape, and the three that make a closed cylinder
void ren_drawShape(const RenFrame* f, RenShape shape);
void ren_drawCylinder(const RenFrame* f);

// 1: drawn with a mirrored scene in it
int ren_isMirror(const mjvGeom* geom);

// positions and normals of all skins, to the graphics card
void ren_uploadSkins(const RenFrame* f);

//---------------------------------- scene.c ----------------------------------

// polygons filled, or as the scene's wireframe flag says
void ren_fill(const RenFrame* f, int always);

// transparent geoms in the light that is on: nearest first, then farthest first unless light adds up
void ren_drawTransparent(RenFrame* f, int except, float tint);

//---------------------------------- effects.c ----------------------------------

// the scene that a mirror shows, where it is seen
void ren_drawMirrored(RenFrame* f);

// adds the light of each light that casts shadows where it arrives
void ren_addShadowLights(RenFrame* f);

// sky and haze, behind everything
void ren_drawSky(const RenFrame* f);
