// PNG files of the program, read back by the library.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asset/image.h"
#include "support/random.h"
#include "support/png.h"

// what a value is made of
enum { FLAT, RAMP, WAVES, NOISE, NKIND };

static unsigned char valueAt(int kind, int x, int y, int c, Rnd* random) {
  switch (kind) {
    case FLAT:
      return (unsigned char)(40 + 50 * c);
    case RAMP:
      return (unsigned char)(x + 2 * y + c);
    case WAVES:
      return (unsigned char)(128 + 90 * sin(0.05 * x + c) * cos(0.03 * y));
    default:
      return (unsigned char)rnd_below(random, 256);
  }
}

static CliImage make(int kind, int width, int height, int nchannel) {
  Rnd random = {1};
  CliImage image = {width, height, nchannel, malloc((size_t)width * (size_t)height * (size_t)nchannel)};
  unsigned char* at = image.at;
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      for (int c = 0; c < nchannel; c++) *at++ = valueAt(kind, x, y, c, &random);
    }
  }
  return image;
}

// writes and reads; the size of the file
static size_t roundTrip(const CliImage* image) {
  size_t size = 0;
  unsigned char* const bytes = cli_encodePng(image, &size);
  const AstBytes file = {.bytes = bytes, .size = size};
  AstImage read = {0};
  char error[200] = "";
  assert_true(ast_readPng(&read, &file, image->nchannel, error, sizeof(error)));
  assert_int_equal(read.width, image->width);
  assert_int_equal(read.height, image->height);
  assert_memory_equal(read.data, image->at, (size_t)image->width * (size_t)image->height * (size_t)image->nchannel);
  free(read.data);
  free(bytes);
  return size;
}

static void allSizesComeBack(void** state) {
  (void)state;
  static const int sizes[][2] = {
      {1,   1  },
      {1,   7  },
      {300, 1  },
      {3,   2  },
      {64,  64 },
      {321, 123}
  };
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
    for (int kind = 0; kind < NKIND; kind++) {
      for (int nchannel = 1; nchannel <= 3; nchannel += 2) {
        const CliImage image = make(kind, sizes[i][0], sizes[i][1], nchannel);
        roundTrip(&image);
        free(image.at);
      }
    }
  }
}

static void manyBlocksComeBack(void** state) {
  (void)state;
  // noise does not shrink: a token per byte, far more than a block holds and farther than a repetition reaches
  const CliImage noise = make(NOISE, 500, 400, 3);
  const size_t size = roundTrip(&noise);
  assert_true(size > 600000 && size < 606000);
  free(noise.at);
}

static void regularPicturesAreSmall(void** state) {
  (void)state;
  const CliImage flat = make(FLAT, 640, 480, 3), ramp = make(RAMP, 640, 480, 3), waves = make(WAVES, 640, 480, 3);
  assert_true(roundTrip(&flat) < 640 * 480 * 3 / 200);
  assert_true(roundTrip(&ramp) < 640 * 480 * 3 / 50);
  assert_true(roundTrip(&waves) < 640 * 480 * 3 / 4);
  free(flat.at);
  free(ramp.at);
  free(waves.at);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(allSizesComeBack),
      cmocka_unit_test(manyBlocksComeBack),
      cmocka_unit_test(regularPicturesAreSmall),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
