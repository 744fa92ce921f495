// Pictures from PNG files.
#pragma once

#include "asset/resource.h"

typedef struct {
  int width, height;
  int srgb;             // 1: the file says that its values are sRGB
  unsigned char* data;  // width * height * nchannel, rows from the top
} AstImage;

// Decodes a PNG to 1, 3 or 4 channels of 8 bits, whatever the file has: one channel keeps the red of a colour picture,
// missing alpha is opaque. 0: error says why. Free data with free().
int ast_readPng(AstImage* image, const AstBytes* file, int nchannel, char* error, size_t nerror);
