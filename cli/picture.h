// Parts of `sinew picture`: what is drawn, and drawing it.
#pragma once

#include <mujoco/mujoco.h>

#include "support/offscreen.h"
#include "support/options.h"
#include "support/png.h"

typedef enum { PIC_COLOUR, PIC_DEPTH, PIC_SEGMENT } PicKind;

// An object of the model in a segmentation.
typedef struct {
  int type, id;  // mjtObj and number; -1: decoration that stands for none
  unsigned char rgb[3];
  long npixel;  // in the last picture
} PicObject;

// All that drawing needs. What is seen can be set up without OpenGL, so that wrong options are told on every machine.
typedef struct {
  PicKind kind;
  int width, height;
  const mjModel* m;
  mjData* d;  // the state that is drawn: a copy, so that drawing does not disturb the simulation
  mjvOption option;
  mjvCamera camera;
  mjvScene scene;
  CliOffscreen screen;
  mjrContext context;
  unsigned char* rgb;  // as OpenGL gives them: rows from the bottom
  float* depth;
  CliImage image;     // the finished picture
  double nearest;     // depth: the distance that is white (m), of the first picture
  PicObject* object;  // segmentation: all that can be seen, the decoration last
  int nobject;
} PicEasel;

// The free camera and the usual flags. kind, width and height are given.
void pic_start(PicEasel* easel, const mjModel* m);

// A camera by name or number; "NAME" or "NAME=on|off" of something that is shown. CLI_OK, or CLI_USAGE after a message.
int pic_setCamera(PicEasel* easel, const char* word);
int pic_show(PicEasel* easel, const char* text);

// What pic_show knows by name, NULL after the last.
const char* pic_flag(int i);

// Makes the OpenGL context. CLI_OK, or CLI_OUTPUT after a message that says what to install.
int pic_connect(PicEasel* easel);

// Draws a state into image. CLI_OK, or CLI_FAILED after a message.
int pic_draw(PicEasel* easel, const mjData* d);

void pic_free(PicEasel* easel);
