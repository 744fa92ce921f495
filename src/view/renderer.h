// A renderer for abstract scenes (mjvScene) on OpenGL 3.3 or OpenGL ES 3. One frame is
//
//   list    the scene's geoms become instances of meshes, sorted so that equal ones are drawn by one call   list.c
//   shadow  depth as seen from the light that casts shadows                                                 light.c
//   mirror  the scene reflected at the first plane that reflects                                            frame.c
//   picture sky, planes, opaque things, transparent ones from back to front, lines                          frame.c
//   labels  and whatever else is drawn on top, in pixels                                                    canvas.c
//
// It draws into the framebuffer that is bound: a window's, or one of target.c.
#pragma once

#include <mujoco/mujoco.h>

#include "view/gl.h"
#include "view/matrix.h"

enum {
  VIW_MAX_LIGHTS = 8,  // that shine at the same time; the shaders have room for as many
  VIW_ERROR_SIZE = 600
};

//---------------------------------- meshes ----------------------------------

// shapes that every model has, of size 1; further meshes are those of the model
typedef enum {
  VIW_SPHERE,
  VIW_CAPSULE,
  VIW_CYLINDER,
  VIW_TUBE,
  VIW_CONE,
  VIW_BOX,
  VIW_SQUARE,                       // of a plane: -1 ... 1 in x and y
  VIW_TRIANGLE,                     // of the x and the y axis
  VIW_COARSE,                       // sphere to cone once more, of fewer triangles
  VIW_TINY = VIW_COARSE + VIW_BOX,  // and of as few as possible
  VIW_NSHAPE = VIW_TINY + VIW_BOX
} ViwShape;

// A vertex. cap says to which end of a capsule it belongs, which moves it along z however the shape is scaled.
typedef struct {
  float pos[3], cap, normal[3], texcoord[2];
} ViwVertex;

typedef struct {
  GLuint array, vertices, indices;
  int nindex;  // 0: nothing to draw
} ViwMesh;

// One thing to draw: place, colour and texture of a mesh. In step with the attributes of the shaders.
typedef struct {
  float row[3][4];   // from the mesh to the world
  float inverse[4];  // 1 over the scale, for normals; then how far caps are from the middle in units of the mesh
  float rgba[4];     // colour
  float look[4];     // emission, specular, shininess, reflectance
  float texture[4];  // scale and offset of texture coordinates; of a cube, the scale in x, y, z
} ViwInstance;

typedef enum { VIW_PLAIN, VIW_FLAT, VIW_COORDS, VIW_CUBE } ViwTexturing;

typedef struct {
  int mesh;          // index into the renderer's meshes
  int texture;       // of the model, -1: none
  ViwTexturing how;  // what texture coordinates are made of
  int endless;       // 1: a plane without end, which fades at the horizon
  int shadow;        // 1: casts shadows
  int mirror;        // 1: the surface that reflects
  float distance;    // from the camera
  float radius;      // of a sphere around it; of what has no end that is known, very large
  ViwInstance instance;
} ViwItem;

typedef struct {
  ViwItem* at;
  int n, room;
} ViwItems;

typedef struct {
  float from[3], width;  // pixels
  float to[3], unused;
  float rgba[4];
} ViwLine;

//---------------------------------- programs ----------------------------------

typedef enum {
  VIW_PROGRAM_DEPTH,
  VIW_PROGRAM_SKY,
  VIW_PROGRAM_LINE,
  VIW_PROGRAM_CANVAS,
  VIW_NPROGRAM,
  VIW_PROGRAM_LIT = VIW_NPROGRAM  // of which there is one for each kind of thing to draw
} ViwProgramId;

// What is compiled into a program that draws things in the light, as bits. A processor that draws goes through both
// sides of every branch, so that what is not needed must not be there.
typedef enum {
  VIW_KIND_TEXTURING = 3,  // ViwTexturing
  VIW_KIND_ENDLESS = 4,
  VIW_KIND_MIRRORED = 8,  // shows what the mirror sees
  VIW_KIND_CLIPPED = 16,  // what is behind the mirror is not drawn
  VIW_KIND_FOG = 32,
  VIW_KIND_CASTER = 64,   // times 1 + the light that casts shadows, up to 8
  VIW_KIND_LIGHT = 1024,  // times 4^i times 1, a sun, or 2, a lamp
} ViwKind;

// uniforms of all programs; those that a program does not have are -1
// clang-format off
#define VIW_EACH_UNIFORM(U)                                                                                   \
  U(clip) U(eye) U(clipPlane) U(lightPos) U(lightDir) U(lightDiffuse) U(lightSpecular) U(lightShape)          \
  U(ambient) U(shadowMatrix) U(shadowTexel) U(shadowMap) U(texture2d) U(textureCube) U(mirror) U(mirrorSize)  \
  U(fade) U(fog) U(fogColor) U(skyKind) U(skyTop) U(skyLow) U(size) U(axisX) U(axisY) U(axisZ)
// clang-format on

#define MEMBER(name) GLint name;
typedef struct {
  GLuint id;
  VIW_EACH_UNIFORM(MEMBER)
} ViwProgram;
#undef MEMBER

extern const char* const viw_shaders[VIW_NPROGRAM + 1][2];  // vertex, fragment

// A program of a kind, and the pass of drawing for which its numbers were set.
typedef struct {
  unsigned kind;
  int pass;
  ViwProgram program;
} ViwLit;

//---------------------------------- canvas ----------------------------------

typedef struct {
  float x, y, w, h;  // pixels, from the upper left corner
} ViwRect;

typedef struct {
  unsigned char r, g, b, a;
} ViwColor;

typedef struct {
  float x, y, u, v;
  ViwColor color;
} ViwDot;

typedef struct {
  ViwRect clip;
  int first, n;  // dots
} ViwPatch;

// A character in the atlas.
typedef struct {
  float u, v, w, h;  // in pixels of the atlas
  float advance;
} ViwGlyph;

// Everything that is drawn in pixels on top of the picture: rectangles, lines and text.
typedef struct {
  ViwDot* dot;
  int ndot, room;
  ViwPatch* patch;
  int npatch, patchRoom;
  GLuint array, buffer, atlas;
  float fontScale;  // pixels of the atlas per unit of the font
  ViwGlyph glyph[96];
  int atlasWidth, atlasHeight;
} ViwCanvas;

void viw_openCanvas(ViwCanvas* canvas, float fontScale);
void viw_closeCanvas(ViwCanvas* canvas);
void viw_setFontScale(ViwCanvas* canvas, float fontScale);  // nothing happens where it is that already

void viw_clip(ViwCanvas* canvas, ViwRect rect);
void viw_rect(ViwCanvas* canvas, ViwRect rect, ViwColor color);
void viw_frame(ViwCanvas* canvas, ViwRect rect, float width, ViwColor color);
void viw_stroke(ViwCanvas* canvas, const float from[2], const float to[2], float width, ViwColor color);
void viw_text(ViwCanvas* canvas, float x, float y, const char* text, ViwColor color);  // y: the upper edge of the line
float viw_textWidth(const ViwCanvas* canvas, const char* text);
// As much of a text as has room in a width, whole characters and at least one; two dots say that it was cut where they
// have room after a character. part has room for size bytes, eight at least.
void viw_fitText(const ViwCanvas* canvas, const char* text, float width, char* part, size_t size);
float viw_lineHeight(const ViwCanvas* canvas);

// Draws what was put on it since the last time into the bound framebuffer and empties it.
void viw_drawCanvas(ViwCanvas* canvas, const ViwProgram* program, int width, int height);

// The characters 32 ... 126 as coverage, 0 ... 255: the atlas is allocated, its first pixel is full.
unsigned char* viw_drawFont(float scale, ViwGlyph glyph[96], int* width, int* height);

//---------------------------------- renderer ----------------------------------

typedef struct {
  int n;
  unsigned kind;  // as bits of ViwKind
  float pos[VIW_MAX_LIGHTS][3], dir[VIW_MAX_LIGHTS][3];
  float diffuse[VIW_MAX_LIGHTS][3], specular[VIW_MAX_LIGHTS][3];
  int lamp[VIW_MAX_LIGHTS];  // 0: a sun
  float shape[VIW_MAX_LIGHTS]
             [4];  // of a lamp: 1 over the width of its border, cosine of the cutoff, exponent, attenuation
  float ambient[3];
  int shadow;              // the light that casts shadows, -1: none
  int wide;                // 1: lamps shine into all directions
  ViwMatrix shadowMatrix;  // from the world to the shadow map
  float texel;             // a pixel of the map in metres
} ViwLights;

// One way through the scene, with what all programs are told in it.
typedef struct {
  int number;
  int coarse;     // 1: round shapes are drawn of fewer triangles
  unsigned kind;  // bits of ViwKind that all things have
  ViwMatrix clip;
  float eye[3], clipPlane[4], mirrorSize[4], fade[2], fog[2], fogColor[4];
} ViwPass;

typedef struct {
  const mjModel* m;  // whose meshes and textures are loaded
  int es;            // 1: OpenGL ES
  int soft;          // 1: drawn by the processor, so that cheaper effects are used
  int lean;          // 1: no mirror, 2: no shadows either, because pictures take too long
  ViwProgram program[VIW_NPROGRAM];
  ViwLit* lit;  // made when they are needed
  int nlit;
  ViwPass pass;
  ViwCanvas canvas;

  // of the model: shapes, meshes with their hulls, height fields, flexes, skins
  ViwMesh* mesh;
  int nmesh, firstHfield, firstFlex, firstSkin;
  GLuint* texture;
  int ntexture, sky;  // sky: texture, -1: none
  GLuint whiteCube;

  // of the frame
  ViwItems opaque, transparent;
  ViwLine* line;
  int nline, lineRoom;
  ViwInstance* instance;  // of a call
  int instanceRoom;
  GLuint instances, lines, lineArray;
  ViwLights lights;
  ViwMatrix view, project, clip;
  float eye[3], forward[3], up[3], right[3];
  float near, far;
  int width, height;  // of the picture
  int endless;        // 1: a plane reaches the horizon
  int mirror;         // 1: there is a surface that reflects; its plane is
  float mirrorPlane[4];
  GLuint shadowFramebuffer, shadowMap;
  int shadowSize;
  GLuint mirrorFramebuffer, mirrorColor, mirrorDepth;
  int mirrorWidth, mirrorHeight;
  int calls;     // drawing calls of the last frame
  float spread;  // metres by which the scene is larger than the model
} ViwRenderer;

// 1: the processor draws in the current context, by what the driver calls itself.
int viw_isSoftware(ViwLookup lookup);

// A renderer for the current context. 1, or 0 with a message. soft: 1 where it is known that the processor draws, as
// pages cannot see by OpenGL.
int viw_openRenderer(ViwRenderer* r, ViwLookup lookup, int soft, char error[VIW_ERROR_SIZE]);
void viw_closeRenderer(ViwRenderer* r);

// Loads the meshes and textures of a model, which stays the caller's; NULL: none.
void viw_useModel(ViwRenderer* r, const mjModel* m);

// Draws a scene into a part of the bound framebuffer: x and y from its lower left corner.
void viw_drawScene(ViwRenderer* r, const mjvScene* scene, const int rect[4]);

// Draws the texts of geoms onto the canvas; after viw_drawScene, with its rectangle and the height of the window.
void viw_drawLabels(ViwRenderer* r, const mjvScene* scene, const int rect[4], int windowHeight);

//---------------------------------- a framebuffer without a window ----------------------------------

typedef struct {
  GLuint framebuffer, color, depth;  // with several samples a pixel
  GLuint resolved, resolvedColor;    // the picture that can be read
  int width, height, samples;
} ViwTarget;

int viw_openTarget(ViwTarget* target, int width, int height, int samples, char error[VIW_ERROR_SIZE]);
void viw_closeTarget(ViwTarget* target);

// The picture as rows of red, green, blue from the top. Of the window where target is NULL.
void viw_readPixels(const ViwTarget* target, int width, int height, unsigned char* rgb);

//---------------------------------- parts of it ----------------------------------

// mesh.c
ViwMesh viw_makeMesh(const ViwVertex* vertex, int nvertex, const unsigned* index, int nindex);
void viw_fillMesh(ViwMesh* mesh, const ViwVertex* vertex, int nvertex, const unsigned* index, int nindex);
void viw_freeMesh(ViwMesh* mesh);
void viw_makeShape(ViwMesh* mesh, ViwShape shape, int soft);
void viw_makeModelMesh(ViwMesh* mesh, const mjModel* m, int id, int hull);
void viw_makeHfield(ViwMesh* mesh, const mjModel* m, int id);

// texture.c
void viw_makeTextures(ViwRenderer* r, const mjModel* m);
void viw_freeTextures(ViwRenderer* r);

// surface.c: flexes and skins of this frame into their meshes
void viw_fillSurfaces(ViwRenderer* r, const mjvScene* scene);

// list.c
void viw_listScene(ViwRenderer* r, const mjvScene* scene);
void viw_addLine(ViwRenderer* r, const float from[3], const float to[3], float width, const float rgba[4]);

// light.c
void viw_arrangeLights(ViwRenderer* r, const mjvScene* scene);
void viw_setLights(const ViwRenderer* r, const ViwProgram* p);

// program.c: compiles what every picture needs. 1, or 0 with the compiler's message.
int viw_makePrograms(ViwRenderer* r, char error[VIW_ERROR_SIZE]);
void viw_freePrograms(ViwRenderer* r);
ViwLit* viw_findLit(ViwRenderer* r, unsigned kind);  // NULL: it cannot be compiled

// frame.c: draws items with a program, or with those for things in the light where it is NULL; equal ones by one call
void viw_drawItems(ViwRenderer* r, const ViwItems* items, const ViwProgram* p, int (*wanted)(const ViwItem* item));
