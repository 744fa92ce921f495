// What the files that fill and empty an mjrContext share: each part of it is made by one function here and freed by
// another. The making functions expect the fields of their part to be zero.
#pragma once

#include "render/render.h"

// framebuffer.c: offscreen buffer of offWidth x offHeight with offSamples (lowered to what there is), shadow map of
// shadowSize; a size of 0 makes none
void ren_makeOffscreen(mjrContext* con);
void ren_makeShadowMap(mjrContext* con);
void ren_freeFramebuffers(mjrContext* con);

// texture.c: materials that have textures, and all textures
void ren_makeMaterials(const mjModel* m, mjrContext* con);
void ren_makeTextures(const mjModel* m, mjrContext* con);

// asset.c: lists of plane grids, meshes and height fields; buffers of skins
void ren_makePlanes(const mjModel* m, mjrContext* con);
void ren_makeMeshes(const mjModel* m, mjrContext* con);
void ren_makeHFields(const mjModel* m, mjrContext* con);
void ren_makeSkins(const mjModel* m, mjrContext* con);
void ren_freeSkins(mjrContext* con);

// new display lists: their first name
GLuint ren_newLists(int count);

// 1: con was made; 0 after an error that names the caller
int ren_hasContext(const mjrContext* con, const char* caller);

// One corner of a polygon of a built-in shape.
typedef struct {
  float pos[3];
  float normal[3];
} RenCorner;

// how fine the built-in shapes are: see mjVisual.quality
typedef struct {
  int numslices;  // round the z axis
  int numstacks;  // along it
  int numquads;   // along a side of a box
} RenQuality;

// gives every polygon of a shape (not REN_HAZE) to draw: 3 or 4 corners, counter-clockwise seen from outside
void ren_eachPolygon(RenShape shape, RenQuality quality, void (*draw)(void* user, const RenCorner* corners, int n),
                     void* user);
