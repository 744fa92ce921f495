// Pictures from PNG files, through libpng. Its errors come back by longjmp to readPixels alone.
#include "asset/image.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AST_PIXELS = 1 << 28 };  // larger pictures are refused: 16384 x 16384 is what graphics cards take

// what libpng's callbacks need
typedef struct {
  const unsigned char* next;
  size_t left;
  char* error;
  size_t nerror;
} Source;

static void onRead(png_structp png, png_bytep out, png_size_t count) {
  Source* source = png_get_io_ptr(png);
  if (count > source->left) png_error(png, "file ends too early");
  memcpy(out, source->next, count);
  source->next += count;
  source->left -= count;
}

static void onError(png_structp png, png_const_charp message) {
  Source* source = png_get_error_ptr(png);
  snprintf(source->error, source->nerror, "%s", message);
  longjmp(png_jmpbuf(png), 1);
}

static void onWarning(png_structp png, png_const_charp message) {
  (void)png, (void)message;
}

// asks for 8 bits and three or four channels, whatever the file has
static void setTransforms(png_structp png, png_infop info, int nchannel) {
  png_set_expand(png);
  png_set_strip_16(png);
  png_set_gray_to_rgb(png);
  if (nchannel == 3) {
    png_set_strip_alpha(png);
  } else {
    png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
  }
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
}

// decodes to RGB or RGBA; data and rows are given back even after a failure, so that the caller can free them
static int readPixels(png_structp png, png_infop info, AstImage* image, int nchannel, png_bytep** rows) {
  if (setjmp(png_jmpbuf(png))) return 0;
  png_read_info(png, info);
  const png_uint_32 width = png_get_image_width(png, info), height = png_get_image_height(png, info);
  if (!width || !height || width > AST_PIXELS / height) png_error(png, "picture is empty or too large");
  image->width = (int)width;
  image->height = (int)height;
  int intent;
  image->srgb = png_get_sRGB(png, info, &intent) == PNG_INFO_sRGB;
  setTransforms(png, info, nchannel);
  const size_t bytes = (size_t)nchannel * width;
  if (png_get_rowbytes(png, info) != bytes) png_error(png, "unknown pixel format");
  image->data = malloc(bytes * height);
  *rows = malloc(sizeof(png_bytep) * height);
  if (!image->data || !*rows) png_error(png, "out of memory");
  for (png_uint_32 r = 0; r < height; r++) (*rows)[r] = image->data + bytes * r;
  png_read_image(png, *rows);
  png_read_end(png, NULL);
  return 1;
}

// keeps red, or red and alpha, of every pixel
static void pack(unsigned char* rgba, size_t count, int nchannel) {
  for (size_t i = 0; i < count; i++) {
    rgba[(size_t)nchannel * i] = rgba[4 * i];
    if (nchannel == 2) rgba[2 * i + 1] = rgba[4 * i + 3];
  }
}

int ast_readPng(AstImage* image, const AstBytes* file, int nchannel, char* error, size_t nerror) {
  *image = (AstImage){0};
  Source source = {file->bytes, file->size, error, nerror};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, onError, onWarning);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  png_bytep* rows = NULL;
  int good = 0;
  if (info) {
    png_set_read_fn(png, &source, onRead);
    good = readPixels(png, info, image, nchannel == 3 ? 3 : 4, &rows);
  } else {
    snprintf(error, nerror, "out of memory");
  }
  png_destroy_read_struct(&png, &info, NULL);
  free(rows);
  if (!good) {
    free(image->data);
    image->data = NULL;
  } else if (nchannel < 3) {
    pack(image->data, (size_t)image->width * (size_t)image->height, nchannel);
  }
  return good;
}
