// Textures: built-in patterns by their definition and equal to the reference's; KTX files, content types and messages.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "asset/asset.h"
#include "support/oracle.h"

static AstTextureSource source(mjtTexture type, int builtin, int width) {
  return (AstTextureSource){
      .name = "t",
      .directory = "",
      .file = "",
      .cubefile = {"",   "",   "", "", "", ""},
      .content_type = "",
      .type = type,
      .builtin = builtin,
      .rgb1 = {0.3,  0.5,    0.7},
      .rgb2 = {0.1,    0,      0.9},
      .markrgb = {1, 1,  1},
      .width = width,
      .height = width,
      .nchannel = 3,
      .gridsize = {1,1},
  };
}

// -------------------------------------------------------------------------------------------- patterns

static const unsigned char* pixel(const AstTexture* t, int row, int column) {
  return t->data + 3 * ((size_t)row * (size_t)t->width + (size_t)column);
}

static void skiesFollowElevation(void** state) {
  (void)state;
  enum { N = 301 };
  const AstTextureSource s = source(mjTEXTURE_SKYBOX, mjBUILTIN_GRADIENT, N);
  AstTexture t;
  assert_true(ast_compileTexture(&t, &s));
  assert_int_equal(t.height, 6 * N);
  for (int i = 0; i < N * N; i += 7) {
    const int r = i / N, c = i % N;
    const double x = 2.0 * c / (N - 1) - 1, y = 1 - 2.0 * r / (N - 1), far = sqrt(1 + x * x + y * y);
    for (int side = 0; side < 6; side++) {
      // the sigmoid of the elevation, up and down being the third and fourth side
      const double sine = side == 2 ? 1 / far : side == 3 ? -1 / far : y / far, e = asin(sine) / asin(1);
      const double weight = 0.5 * (1 + e / sqrt(1 + e * e) * sqrt(2));
      for (int k = 0; k < 3; k++) {
        const double value = 255 * (weight * s.rgb1[k] + (1 - weight) * s.rgb2[k]);
        assert_true(fabs(pixel(&t, side * N + r, c)[k] + 0.5 - value) < 0.5 + 1e-9);
      }
    }
  }
  ast_freeTexture(&t);
}

static void checkersHaveFourSquares(void** state) {
  (void)state;
  for (int n = 1; n < 6; n++) {
    const AstTextureSource s = source(mjTEXTURE_2D, mjBUILTIN_CHECKER, n);
    AstTexture t;
    assert_true(ast_compileTexture(&t, &s));
    for (int i = 0; i < n * n; i++) {
      const int diagonal = (i / n < n / 2) == (i % n < n / 2);
      assert_int_equal(pixel(&t, i / n, i % n)[2], (int)(255 * (diagonal ? s.rgb1 : s.rgb2)[2]));
    }
    ast_freeTexture(&t);
  }
}

// a single pixel is in the middle, where a sky has the mean of its colours
static void singlePixels(void** state) {
  (void)state;
  const AstTextureSource s = source(mjTEXTURE_CUBE, mjBUILTIN_GRADIENT, 1);
  AstTexture t;
  assert_true(ast_compileTexture(&t, &s));
  for (int k = 0; k < 3; k++) assert_int_equal(t.data[k], (int)(255 * (s.rgb1[k] + s.rgb2[k]) / 2));
  ast_freeTexture(&t);
}

// patterns of more channels than three have their colours packed at the front
static void channelsAreRoom(void** state) {
  (void)state;
  AstTextureSource s = source(mjTEXTURE_2D, mjBUILTIN_FLAT, 2);
  s.height = 3;
  for (int n = 1; n < 8; n++) {
    s.nchannel = n;
    AstTexture t;
    assert_true(ast_compileTexture(&t, &s));
    assert_int_equal(t.nchannel, n < 3 ? 3 : n);
    for (int k = 0; k < 6 * t.nchannel; k++) {
      assert_int_equal(t.data[k], k < 18 ? (unsigned char)(255 * s.rgb1[k % 3]) : 0);
    }
    ast_freeTexture(&t);
  }
}

// more bytes than an int counts; only the pixels at the front are written
static void largeTextures(void** state) {
  (void)state;
  AstTextureSource s = source(mjTEXTURE_2D, mjBUILTIN_FLAT, 1500);
  s.nchannel = 1000;
  AstTexture t;
  assert_true(ast_compileTexture(&t, &s));
  assert_int_equal(t.data[3 * 1500 * 1500 - 1], (unsigned char)(255 * s.rgb1[2]));
  ast_freeTexture(&t);
  static const int tooLarge[][3] = {
      {mjTEXTURE_2D,   1 << 20, 1 << 20},
      {mjTEXTURE_CUBE, 1 << 29, 3      },
      {mjTEXTURE_2D,   1 << 16, 1 << 30}
  };
  for (size_t i = 0; i < sizeof(tooLarge) / sizeof(tooLarge[0]); i++) {
    s = source((mjtTexture)tooLarge[i][0], mjBUILTIN_FLAT, tooLarge[i][1]);
    s.nchannel = tooLarge[i][2];
    assert_false(ast_compileTexture(&t, &s));
    assert_non_null(strstr(t.error, "texture is too large"));
  }
}

// pixels that a program gives are turned over as those of files are
static void buffersAreFlipped(void** state) {
  (void)state;
  static const unsigned char given[2 * 3 * 2] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  static const unsigned char expected[4][sizeof(given)] = {
      {0,  1,  2,  3,  4, 5, 6, 7, 8,  9,  10, 11},
      {2,  3,  0,  1,  6, 7, 4, 5, 10, 11, 8,  9 },
      {8,  9,  10, 11, 4, 5, 6, 7, 0,  1,  2,  3 },
      {10, 11, 8,  9,  6, 7, 4, 5, 2,  3,  0,  1 }
  };
  for (int k = 0; k < 4; k++) {
    AstTextureSource s = source(mjTEXTURE_2D, mjBUILTIN_NONE, 2);
    s.height = 3;
    s.nchannel = 2;
    s.data = given;
    s.ndata = sizeof(given);
    s.hflip = k & 1;
    s.vflip = k >> 1;
    AstTexture t;
    assert_true(ast_compileTexture(&t, &s));
    assert_memory_equal(t.data, expected[k], sizeof(given));
    ast_freeTexture(&t);
  }
}

// Channels that do not change stay away from multiples of 1/255, where the last bit of an arc sine decides.
static const char MODEL[] =
    "<mujoco><asset>"
    "<texture name='a' type='skybox' builtin='gradient' rgb1='.3 .5 .7' rgb2='0 0 0' width='512' height='3072'/>"
    "<texture name='b' type='skybox' builtin='gradient' rgb1='.25 .45 .6' rgb2='.25 .45 .8' width='64' height='64'/>"
    "<texture name='c' type='cube' builtin='gradient' rgb1='1 0 .25' rgb2='0 1 .25' width='33' mark='edge'/>"
    "<texture name='d' type='skybox' builtin='gradient' rgb1='.65 .65 .65' rgb2='.65 .65 .65' width='100' "
    "mark='random' "
    "random='.02' markrgb='1 1 1'/>"
    "<texture name='e' type='2d' builtin='gradient' rgb1='.1 .2 .3' rgb2='.9 .8 .7' width='50' height='70'/>"
    "<texture name='f' type='2d' builtin='checker' rgb1='.1 .2 .3' rgb2='.9 .8 .7' width='51' height='31' "
    "mark='cross'/>"
    "<texture name='g' type='cube' builtin='flat' rgb1='.1 .2 .3' rgb2='.9 .8 .7' width='17'/>"
    "<texture name='h' type='cube' builtin='checker' rgb1='.1 .2 .3' rgb2='.9 .8 .7' width='16' mark='edge'/>"
    "<texture name='i' type='2d' builtin='checker' width='1' height='1'/></asset></mujoco>";

static void patternsEqualTheReferences(void** state) {
  (void)state;
  char error[1000] = "";
  mjSpec* const spec = mj_parseXMLString(MODEL, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s", error);
  mjModel* const m = mj_compile(spec, NULL);
  mjModel* const ref = orc_compile(MODEL);
  assert_non_null(m);
  assert_int_equal(m->ntexdata, ref->ntexdata);
  assert_memory_equal(m->tex_data, ref->tex_data, (size_t)m->ntexdata);
  ORC(mj_deleteModel)(ref);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

// -------------------------------------------------------------------------------------------- files

// compiles with a file of these bytes
static int compileFile(AstTexture* t, AstTextureSource s, const void* bytes, int n) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "file", bytes, n), 0);
  s.vfs = &vfs;
  s.file = "file";
  const int good = ast_compileTexture(t, &s);
  mj_deleteVFS(&vfs);
  return good;
}

static void ktxIsKeptAsItIs(void** state) {
  (void)state;
  const unsigned char bytes[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, zero[20] = {0};
  AstTextureSource s = source(mjTEXTURE_2D, mjBUILTIN_NONE, 0);
  s.content_type = "image/ktx";
  AstTexture t;
  assert_true(compileFile(&t, s, bytes, sizeof(bytes)));
  assert_int_equal(t.width, 10);
  assert_int_equal(t.height, 1);
  assert_int_equal(t.colorspace, mjCOLORSPACE_LINEAR);
  assert_memory_equal(t.data, bytes, sizeof(bytes));
  assert_memory_equal(t.data + 10, zero, sizeof(zero));  // three channels of room
  ast_freeTexture(&t);
  s.vflip = 1;
  assert_false(compileFile(&t, s, bytes, sizeof(bytes)));
  assert_non_null(strstr(t.error, "cannot flip KTX textures"));
}

// three colours in the file, room for the channels that are asked for
static void customFilesHaveRoomForChannels(void** state) {
  (void)state;
  enum { SIDE = 24, PIXELS = SIDE * SIDE };
  unsigned char bytes[8 + 3 * PIXELS];
  const int size[2] = {SIDE, SIDE};
  memcpy(bytes, size, sizeof(size));
  for (int i = 0; i < 3 * PIXELS; i++) bytes[8 + i] = (unsigned char)(1 + i % 255);
  AstTextureSource s = source(mjTEXTURE_2D, mjBUILTIN_NONE, 0);
  s.nchannel = 4;

  // what was there before is not part of the picture
  unsigned char* const dirty = malloc(4 * PIXELS);
  memset(dirty, 0xff, 4 * PIXELS);
  free(dirty);
  AstTexture t;
  assert_true(compileFile(&t, s, bytes, sizeof(bytes)));
  assert_memory_equal(t.data, bytes + 8, 3 * PIXELS);
  for (int i = 3 * PIXELS; i < 4 * PIXELS; i++) assert_int_equal(t.data[i], 0);
  ast_freeTexture(&t);
}

static void wrongFilesAreRejected(void** state) {
  (void)state;
  static const struct {
    const char *type, *bytes, *message;
    int n, nchannel;
  } wrong[] = {
      {"image/jpeg",               "12345678",         "unsupported content type: 'image/jpeg'", 8, 3},
      {"image/PNG; q=1",           "12345678",         "unsupported content type: 'image/PNG'",  8, 3},
      {"image/png",                "12345678",         "error decoding PNG file",                8, 3},
      {"image/png",                "12345678",         "Unsupported number of channels: 2",      8, 2},
      {"image/vnd.mujoco.texture", "\0\0\0\0",         "non-positive texture dimensions",        4, 3},
      {"none",                     "\1\0\0\0\1\0\0\0", "unexpected file size in file",           8, 3},
      {"",                         "",                 "texture file is empty",                  0, 3},
  };
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    AstTextureSource s = source(mjTEXTURE_2D, mjBUILTIN_NONE, 0);
    s.content_type = wrong[i].type;
    s.nchannel = wrong[i].nchannel;
    AstTexture t;
    assert_false(compileFile(&t, s, wrong[i].bytes, wrong[i].n));
    if (!strstr(t.error, wrong[i].message)) fail_msg("%s instead of %s", t.error, wrong[i].message);
    ast_freeTexture(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(skiesFollowElevation),
      cmocka_unit_test(checkersHaveFourSquares),
      cmocka_unit_test(patternsEqualTheReferences),
      cmocka_unit_test(ktxIsKeptAsItIs),
      cmocka_unit_test(customFilesHaveRoomForChannels),
      cmocka_unit_test(wrongFilesAreRejected),
      cmocka_unit_test(singlePixels),
      cmocka_unit_test(channelsAreRoom),
      cmocka_unit_test(largeTextures),
      cmocka_unit_test(buffersAreFlipped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
