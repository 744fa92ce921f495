// An OpenGL context without a display, for tests of the renderer.
#pragma once

// Makes one current on this thread, by EGL without a surface or by OSMesa; 0: this machine has neither, the test is
// skipped. Libraries are opened at run time.
int glc_make(void);

// its name, for messages
const char* glc_name(void);
