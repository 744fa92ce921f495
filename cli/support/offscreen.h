// An OpenGL context without a display, from libraries that are opened at run time.
#pragma once

typedef struct {
  const char* name;                   // of what made it, for messages
  void *display, *surface, *context;  // as its library calls them
  void* (*lookup)(const char* name);  // a function of OpenGL
  unsigned char* window;              // OSMesa draws into our memory
} CliOffscreen;

// Makes a context current on this thread: by EGL on Mesa's surfaceless platform ("egl"), by EGL on a graphics device,
// as NVIDIA's driver wants it ("device"), or by OSMesa ("osmesa"); $SINEW_GL names the only one that is tried. With a
// width there is something that stands for a window, else only framebuffer objects are for sure. 0: this machine has
// none.
int cli_openOffscreen(CliOffscreen* screen, int width, int height);

// Makes it not current and releases it; nothing happens to one that was not opened.
void cli_closeOffscreen(CliOffscreen* screen);
