// An OpenGL context without a display, for tests of the renderer.
#pragma once

// Makes one current on this thread, by EGL without a surface or by OSMesa ($SINEW_GL, egl or osmesa, allows only one);
// 0: this machine has neither, the test is skipped. Libraries are opened at run time.
int glc_make(void);

// the same with a window of this size or what stands for one (a pixel buffer, memory of our own)
int glc_makeWindow(int width, int height);

// a function of OpenGL by its name, for what the renderer does not use itself; NULL without a context
void* glc_function(const char* function);

// its name, for messages
const char* glc_name(void);
