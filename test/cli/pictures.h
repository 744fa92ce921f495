// Pictures that the program draws, for its tests.
#pragma once

#include "asset/image.h"
#include "cli/program.h"
#include "support/glcontext.h"

#define NEEDS_OPENGL \
  (void)state;       \
  if (!glc_make()) skip()

// what drivers keep until the end is not a leak of the program
static int pictureSetup(void** state) {
  char options[700];
  const int bad = programSetup(state);
  snprintf(options, sizeof(options), "suppressions=%s/driver.txt:print_suppressions=0", programFolder);
  setenv("LSAN_OPTIONS", options, 1);
  writeText("driver.txt",
            "leak:_dri.so\nleak:libgallium\nleak:libEGL\nleak:libGL\nleak:libOSMesa\nleak:libLLVM\nleak:libglfw\n"
            "leak:libX11\nleak:libxcb\n");
  return bad;
}

static AstImage readPicture(const char* path, int nchannel) {
  static unsigned char bytes[1 << 20];
  FILE* const file = fopen(path, "rb");
  assert_non_null(file);
  const AstBytes all = {.bytes = bytes, .size = fread(bytes, 1, sizeof(bytes), file)};
  fclose(file);
  AstImage image = {0};
  char error[200] = "";
  assert_true(ast_readPng(&image, &all, nchannel, error, sizeof(error)));
  // kind of picture: grey or colours
  assert_int_equal(bytes[25], nchannel == 1 ? 0 : 2);
  return image;
}

static const unsigned char* at(const AstImage* image, int x, int y) {
  return image->data + 3 * (y * image->width + x);
}
