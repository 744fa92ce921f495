// An OpenGL context without a display, for tests of the renderer.
#pragma once

// Makes one current on this thread, as the program does (cli/support/offscreen.h: EGL or OSMesa, opened at run time;
// $SINEW_GL allows only one of them), drawn by software. 0: this machine has neither, the test is skipped.
int glc_make(void);

// the same with a window of this size or what stands for one (a pixel buffer, memory of our own)
int glc_makeWindow(int width, int height);

// a function of OpenGL by its name, for what the renderer does not use itself; NULL without a context
void* glc_function(const char* function);

// its name, for messages
const char* glc_name(void);
