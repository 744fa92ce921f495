// Pictures of a model, drawn by this library or by the reference in the same OpenGL context, for tests of the renderer.
#pragma once

#include <mujoco/mujoco.h>

// A model with all that one library needs to draw it. Tests change opt, cam and the scene's flags before pic_update,
// geoms and lights after it.
typedef struct {
  int oracle;  // 1: everything below belongs to the reference
  mjModel* m;
  mjData* d;
  mjvOption opt;
  mjvCamera cam;
  mjvScene scn;
  mjrContext con;
  mjrRect view;        // what is drawn and read
  unsigned char* rgb;  // the picture, from the lower left corner
  float* depth;        // 0: near, 1: far
} PicStage;

// compiles an MJCF text, or the file it names when it does not begin with '<'; an OpenGL context must be current
PicStage* pic_open(const char* xml, int width, int height, int oracle);
void pic_close(PicStage* stage);

// mj_forward and mjv_updateScene
void pic_update(PicStage* stage);

// mjr_render and mjr_readPixels
void pic_draw(PicStage* stage);

// colour of a pixel: x and y from the lower left corner
const unsigned char* pic_at(const PicStage* stage, int x, int y);
int pic_brightness(const PicStage* stage, int x, int y);

// fraction of pixels in which a channel differs by more than k, or in which the depth differs by more than epsilon
double pic_difference(const PicStage* a, const PicStage* b, int k);
double pic_depthDifference(const PicStage* a, const PicStage* b, double epsilon);

// writes <name>-<ours or reference>.ppm into the folder that SINEW_PICTURES names; without it does nothing
void pic_save(const PicStage* stage, const char* name);
