// Pictures as PNG files (ISO/IEC 15948).
#pragma once

#include <stddef.h>

typedef struct {
  int width, height;
  int nchannel;       // 1: grey, 3: red, green, blue
  unsigned char* at;  // width * height * nchannel, rows from the top
} CliImage;

// The bytes of the file, freed by the caller.
unsigned char* cli_encodePng(const CliImage* image, size_t* size);
