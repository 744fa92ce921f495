// What the files of the renderer share. One picture: the context (context.c) holds what a model needs on the graphics
// card as OpenGL objects whose names stand in mjrContext; the scene (scene.c) is drawn from an mjvScene with them;
// text, figures and rectangles (text.c, figure.c) go on top.
//
// mjrContext's lists: list baseMesh+2*i is mesh i and the next one its convex hull; baseHField+i a height field;
// basePlane a square of half side 1 for planes that are not of the model, basePlane+1+i the grid of the model's i-th
// plane geom; baseBuiltin+shape a shape below; the fonts have rangeFont lists each, one per character code.
#pragma once

#include <mujoco/mujoco.h>

#include "render/gl.h"

// Built-in shapes, with outward normals and counter-clockwise front faces; scaled when drawn. None has texture
// coordinates.
typedef enum {
  REN_BOX,            // half sides 1
  REN_SPHERE,         // radius 1
  REN_SPHERE_TOP,     // its upper half, moved up by 1: it closes a tube
  REN_SPHERE_BOTTOM,  // its lower half, moved down by 1
  REN_TUBE,           // radius 1, z from -1 to 1, open
  REN_DISK_TOP,       // radius 1 at z = 1, seen from above
  REN_DISK_BOTTOM,    // radius 1 at z = -1, seen from below
  REN_CONE,           // base radius 1 at z = 0, tip at z = 1, open below
  REN_CONE_BASE,      // its base at z = 0, seen from below
  REN_HAZE,           // haze in front of the sky above an infinite plane at z = 0, with colours of its own, no normals
  REN_NSHAPE
} RenShape;

// lists of the built-in shapes, as fine as numslices, numstacks and numquads of the model's visual settings
void ren_makeShapes(const mjModel* m, mjrContext* con);

// fonts for a scale (mjtFontScale): lists and character sizes of con; those there were are deleted
void ren_makeFonts(mjrContext* con, int fontscale);

// 2D drawing in pixels of the viewport with (0, 0) at its lower left corner, until ren_end2D: no depth, light, texture
// or blending (its function is set). Every other state is as before afterwards; the viewport stays, because mjr_text
// draws in the last one. The projection matrix is the current one.
void ren_begin2D(mjrRect viewport);
void ren_end2D(void);

// rectangle between two corners, blended, between ren_begin2D and ren_end2D
void ren_rectangle(float x0, float y0, float x1, float y1, const float rgba[4]);

// Some characters in a font (mjtFont). Codes outside 32 … 126 have no width and draw nothing.
typedef struct {
  const char* chars;  // need not end with a zero
  int count;          // how many
  int font;           // mjtFont
} RenText;

// characters up to the end of a string, at most size of them; NULL: none
RenText ren_string(const char* chars, int size, int font);

// draws text at a place in space or, between ren_begin2D and ren_end2D, on the screen; nothing where the place is not
// visible
void ren_drawText(RenText text, const float pos[3], const float rgb[3], const mjrContext* con);

// the same at pixel (x, y), between ren_begin2D and ren_end2D
void ren_drawText2D(RenText text, int x, int y, const float rgb[3], const mjrContext* con);

// width in pixels of a text up to its end or a line break
int ren_textWidth(const char* text, int font, const mjrContext* con);

// width in pixels of all characters, height of a line
int ren_spanWidth(RenText text, const mjrContext* con);
int ren_lineHeight(int font, const mjrContext* con);
