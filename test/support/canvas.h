// A picture of the test's own to draw into, for tests of what goes on top of a scene.
#pragma once

#include <mujoco/mujoco.h>

enum { CNV_WIDTH = 480, CNV_HEIGHT = 320 };

// box of pixels, empty when x1 < x0; both ends belong to it
typedef struct {
  int x0, y0, x1, y1;
} CnvBox;

// makes an OpenGL context, loads its functions and binds a black picture; 0: this machine has none, skip the test
int cnv_open(void);

// binds the picture again, after something else was bound
void cnv_bind(void);

// fills it and sets the viewport to all of it
void cnv_clear(float r, float g, float b);

// takes a copy of what was drawn, which the functions below look at
void cnv_read(void);

// red, green and blue of a pixel of the copy; (0, 0) is at the lower left
const unsigned char* cnv_pixel(int x, int y);

// does it have this colour, within 2/255 for rounding
int cnv_is(int x, int y, float r, float g, float b);

// box around the pixels of this colour, and how many there are
CnvBox cnv_find(float r, float g, float b);
int cnv_count(float r, float g, float b);

// writes the copy as a PPM file, to look at
void cnv_save(const char* path);
