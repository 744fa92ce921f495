// Window, offscreen and auxiliary buffers: what is drawn into one is read from it, copied to another, resolved from
// several samples; depth in both directions. The same steps with the reference give the same bytes.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "render/render.h"
#include "support/catch.h"
#include "support/glcontext.h"
#include "support/model.h"
#include "support/oracle.h"

enum { WIDTH = 60, HEIGHT = 40, NPIXEL = WIDTH * HEIGHT };
static const mjrRect ALL = {0, 0, WIDTH, HEIGHT};

// the functions under test, ours or the reference's
typedef struct {
  __typeof__(&mjr_makeContext) makeContext;
  __typeof__(&mjr_freeContext) freeContext;
  __typeof__(&mjr_setBuffer) setBuffer;
  __typeof__(&mjr_restoreBuffer) restoreBuffer;
  __typeof__(&mjr_readPixels) readPixels;
  __typeof__(&mjr_drawPixels) drawPixels;
  __typeof__(&mjr_blitBuffer) blitBuffer;
  __typeof__(&mjr_addAux) addAux;
  __typeof__(&mjr_setAux) setAux;
  __typeof__(&mjr_blitAux) blitAux;
  __typeof__(&mjr_maxViewport) maxViewport;
} Library;

static const Library OUR = {mjr_makeContext, mjr_freeContext, mjr_setBuffer,  mjr_restoreBuffer,
                            mjr_readPixels,  mjr_drawPixels,  mjr_blitBuffer, mjr_addAux,
                            mjr_setAux,      mjr_blitAux,     mjr_maxViewport};

static Library reference(void) {
  return (Library){ORC(mjr_makeContext), ORC(mjr_freeContext), ORC(mjr_setBuffer),  ORC(mjr_restoreBuffer),
                   ORC(mjr_readPixels),  ORC(mjr_drawPixels),  ORC(mjr_blitBuffer), ORC(mjr_addAux),
                   ORC(mjr_setAux),      ORC(mjr_blitAux),     ORC(mjr_maxViewport)};
}

// a picture and its depth
typedef struct {
  unsigned char rgb[3 * NPIXEL];
  float depth[NPIXEL];
} Picture;

static mjrContext make(const Library* lib, int samples) {
  char xml[200];
  snprintf(xml, sizeof(xml),
           "<mujoco><visual><global offwidth='%d' offheight='%d'/><quality offsamples='%d'/></visual></mujoco>", WIDTH,
           HEIGHT, samples);
  mjModel* const m = tst_string(xml);
  mjrContext con = {0};
  lib->makeContext(m, &con, 100);
  mj_deleteModel(m);
  return con;
}

static void clear(float r, float g, float b, double depth) {
  gl.ClearColor(r, g, b, 1);
  gl.ClearDepth(depth);
  gl.DepthMask(1);
  gl.Disable(GL_SCISSOR_TEST);
  gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

// something with edges that are not along pixels
static void triangle(void) {
  gl.MatrixMode(GL_PROJECTION);
  gl.LoadIdentity();
  gl.MatrixMode(GL_MODELVIEW);
  gl.LoadIdentity();
  gl.Viewport(0, 0, WIDTH, HEIGHT);
  gl.Disable(GL_CULL_FACE);
  gl.Enable(GL_DEPTH_TEST);
  gl.DepthFunc(GL_ALWAYS);
  gl.Begin(GL_TRIANGLES);
  gl.Color3f(1, .5f, .25f);
  gl.Vertex3f(-.8f, -.9f, -.5f);
  gl.Vertex3f(.9f, -.3f, 0);
  gl.Vertex3f(-.1f, .95f, .5f);
  gl.End();
  gl.Disable(GL_DEPTH_TEST);
}

static int isColor(const unsigned char* rgb, int r, int g, int b) {
  return rgb[0] == r && rgb[1] == g && rgb[2] == b;
}

static void assertColor(const unsigned char* rgb, int n, int r, int g, int b) {
  for (int i = 0; i < n; i++) assert_true(isColor(rgb + 3 * i, r, g, b));
}

//---------------------------------- steps that both libraries take ----------------------------------

#define MAXPICTURE 16

typedef struct {
  int n;
  Picture picture[MAXPICTURE];
} Album;

static void take(Album* a, const Library* lib, const mjrContext* con) {
  assert_true(a->n < MAXPICTURE);
  Picture* const p = a->picture + a->n++;
  lib->readPixels(p->rgb, p->depth, ALL, con);
}

static void steps(Album* a, const Library* lib, int samples) {
  memset(a, 0, sizeof(*a));
  mjrContext con = make(lib, samples);
  assert_int_equal(con.windowAvailable, 1);

  // each buffer keeps its own picture
  lib->setBuffer(mjFB_WINDOW, &con);
  clear(1, 0, 0, .25);
  lib->setBuffer(mjFB_OFFSCREEN, &con);
  clear(0, 1, 0, .75);
  triangle();
  lib->setBuffer(mjFB_WINDOW, &con);
  take(a, lib, &con);
  lib->setBuffer(mjFB_OFFSCREEN, &con);
  take(a, lib, &con);
  con.readDepthMap = mjDEPTH_ZEROFAR;
  take(a, lib, &con);
  con.readDepthMap = mjDEPTH_ZERONEAR;

  // offscreen to window, whole and stretched
  const mjrRect left = {0, 0, WIDTH / 2, HEIGHT}, corner = {10, 5, 20, 30};
  lib->blitBuffer(ALL, ALL, 1, 0, &con);
  lib->setBuffer(mjFB_WINDOW, &con);
  take(a, lib, &con);
  lib->setBuffer(mjFB_OFFSCREEN, &con);
  lib->blitBuffer(left, corner, 1, 0, &con);
  lib->setBuffer(mjFB_WINDOW, &con);
  take(a, lib, &con);

  // window to offscreen
  clear(0, 0, 1, .5);
  lib->blitBuffer(corner, corner, 1, 0, &con);
  lib->setBuffer(mjFB_OFFSCREEN, &con);
  take(a, lib, &con);

  // auxiliary buffer to both
  lib->addAux(1, WIDTH, HEIGHT, samples, &con);
  lib->setAux(1, &con);
  clear(1, 1, 0, 0);
  triangle();
  lib->restoreBuffer(&con);
  take(a, lib, &con);
  lib->blitAux(1, left, 20, 10, &con);
  take(a, lib, &con);
  lib->setBuffer(mjFB_WINDOW, &con);
  lib->blitAux(1, corner, 0, 0, &con);
  take(a, lib, &con);

  // pixels from memory
  const mjrRect patch = {3, 4, 5, 6};
  unsigned char rgb[3 * 30];
  for (int i = 0; i < 90; i++) rgb[i] = (unsigned char)(2 * i);
  lib->setBuffer(mjFB_OFFSCREEN, &con);
  lib->drawPixels(rgb, NULL, patch, &con);
  take(a, lib, &con);
  assert_int_equal(gl.GetError(), 0);
  lib->freeContext(&con);
}

static void sameSteps(void** state) {
  (void)state;
  if (!orc_available() || !glc_makeWindow(WIDTH, HEIGHT)) skip();
  static Album our, ref;
  const Library theirs = reference();
  for (int samples = 0; samples <= 4; samples += 4) {
    steps(&our, &OUR, samples);
    steps(&ref, &theirs, samples);
    assert_int_equal(our.n, ref.n);
    for (int i = 0; i < our.n; i++) {
      assert_memory_equal(our.picture[i].rgb, ref.picture[i].rgb, sizeof(our.picture[i].rgb));
      assert_memory_equal(our.picture[i].depth, ref.picture[i].depth, sizeof(our.picture[i].depth));
    }
  }
}

//---------------------------------- facts ----------------------------------

static void buffersAreApart(void** state) {
  (void)state;
  if (!glc_makeWindow(WIDTH, HEIGHT)) skip();
  static Picture p;
  for (int samples = 0; samples <= 4; samples += 4) {
    mjrContext con = make(&OUR, samples);
    assert_int_equal(con.currentBuffer, mjFB_WINDOW);
    const mjrRect window = mjr_maxViewport(&con);
    assert_true(window.width == WIDTH && window.height == HEIGHT);
    clear(1, 0, 0, .25);
    mjr_setBuffer(mjFB_OFFSCREEN, &con);
    assert_int_equal(con.currentBuffer, mjFB_OFFSCREEN);
    clear(0, 1, 0, .75);

    // depth is stored in reverse: 1 is near
    mjr_readPixels(p.rgb, p.depth, ALL, &con);
    assertColor(p.rgb, NPIXEL, 0, 255, 0);
    for (int i = 0; i < NPIXEL; i++) assert_true(p.depth[i] == .25f);
    con.readDepthMap = mjDEPTH_ZEROFAR;
    mjr_readPixels(NULL, p.depth, ALL, &con);
    for (int i = 0; i < NPIXEL; i++) assert_true(p.depth[i] == .75f);
    con.readDepthMap = mjDEPTH_ZERONEAR;

    mjr_setBuffer(mjFB_WINDOW, &con);
    mjr_readPixels(p.rgb, p.depth, ALL, &con);
    assertColor(p.rgb, NPIXEL, 255, 0, 0);
    for (int i = 0; i < NPIXEL; i++) assert_true(fabsf(p.depth[i] - .75f) < 1e-6f);

    // nothing asked for, nothing read
    mjr_readPixels(NULL, NULL, ALL, &con);
    mjr_freeContext(&con);
    assert_int_equal(mjr_getError(), 0);
  }
}

// edges are mixed with what is behind them only where there are several samples
static void samplesAreResolved(void** state) {
  (void)state;
  if (!glc_makeWindow(WIDTH, HEIGHT)) skip();
  static Picture p;
  for (int samples = 0; samples <= 4; samples += 4) {
    mjrContext con = make(&OUR, samples);
    mjr_setBuffer(mjFB_OFFSCREEN, &con);
    clear(0, 0, 0, 0);
    triangle();
    mjr_readPixels(p.rgb, p.depth, ALL, &con);
    int black = 0, full = 0, mixed = 0;
    for (int i = 0; i < NPIXEL; i++) {
      const int isBlack = isColor(p.rgb + 3 * i, 0, 0, 0), isFull = p.rgb[3 * i] == 255;
      black += isBlack, full += isFull, mixed += !isBlack && !isFull;
    }
    assert_true(black > NPIXEL / 4 && full > NPIXEL / 8);
    assert_true(samples ? mixed > 20 : mixed == 0);
    assert_int_equal(con.offSamples != 0, samples != 0);
    mjr_freeContext(&con);
  }
}

static void pixelFormat(void** state) {
  (void)state;
  if (!glc_makeWindow(WIDTH, HEIGHT)) skip();
  mjrContext con = make(&OUR, 0);
  mjr_setBuffer(mjFB_OFFSCREEN, &con);
  gl.ClearColor(.2f, .4f, .6f, .8f);
  gl.Clear(GL_COLOR_BUFFER_BIT);
  const mjrRect one = {WIDTH - 1, HEIGHT - 1, 1, 1};
  unsigned char rgba[4] = {0};
  con.readPixelFormat = GL_RGBA;
  mjr_readPixels(rgba, NULL, one, &con);
  assert_true(rgba[0] == 51 && rgba[1] == 102 && rgba[2] == 153 && rgba[3] == 204);
  mjr_freeContext(&con);
}

// pixels drawn are pixels read, rows without padding
static void pixelsRoundTrip(void** state) {
  (void)state;
  if (!glc_makeWindow(WIDTH, HEIGHT)) skip();
  mjrContext con = make(&OUR, 0);
  const mjrRect patch = {7, 3, 5, 4};
  unsigned char rgb[60], back[60];
  float depth[20], backDepth[20];
  for (int i = 0; i < 60; i++) rgb[i] = (unsigned char)(4 * i + 1);
  for (int i = 0; i < 20; i++) depth[i] = (float)i / 32;
  for (int buffer = mjFB_WINDOW; buffer <= mjFB_OFFSCREEN; buffer++) {
    mjr_setBuffer(buffer, &con);
    clear(0, 0, 0, 0);
    mjr_drawPixels(rgb, NULL, patch, &con);
    mjr_readPixels(back, NULL, patch, &con);
    assert_memory_equal(rgb, back, sizeof(rgb));

    // depth is drawn as it is stored
    gl.Enable(GL_DEPTH_TEST);
    gl.DepthFunc(GL_ALWAYS);
    mjr_drawPixels(NULL, depth, patch, &con);
    gl.Disable(GL_DEPTH_TEST);
    mjr_readPixels(NULL, backDepth, patch, &con);
    for (int i = 0; i < 20; i++) assert_true(fabsf(backDepth[i] - (1 - depth[i])) < 1e-6f);

    // around the patch nothing changed
    const mjrRect row = {0, 2, WIDTH, 1};
    unsigned char line[3 * WIDTH];
    mjr_readPixels(line, NULL, row, &con);
    assertColor(line, WIDTH, 0, 0, 0);
  }
  mjr_freeContext(&con);
  assert_int_equal(mjr_getError(), 0);
}

static void blits(void** state) {
  (void)state;
  if (!glc_makeWindow(WIDTH, HEIGHT)) skip();
  static Picture p;
  const mjrRect small = {10, 5, 20, 30};
  for (int samples = 0; samples <= 4; samples += 4) {
    mjrContext con = make(&OUR, samples);
    mjr_setBuffer(mjFB_OFFSCREEN, &con);
    clear(0, 1, 0, .5);
    mjr_setBuffer(mjFB_WINDOW, &con);
    clear(1, 0, 0, .25);

    // window to offscreen, where only the rectangle changes; the window stays current
    mjr_blitBuffer(small, small, 1, 0, &con);
    assert_int_equal(con.currentBuffer, mjFB_WINDOW);
    clear(0, 0, 1, .25);
    mjr_setBuffer(mjFB_OFFSCREEN, &con);
    mjr_readPixels(p.rgb, p.depth, ALL, &con);
    for (int i = 0; i < NPIXEL; i++) {
      const int x = i % WIDTH, y = i / WIDTH, inside = x >= 10 && x < 30 && y >= 5 && y < 35;
      assert_true(isColor(p.rgb + 3 * i, inside ? 255 : 0, inside ? 0 : 255, 0));
    }

    // offscreen to window, stretched over all of it
    mjr_blitBuffer(small, ALL, 1, 0, &con);
    mjr_setBuffer(mjFB_WINDOW, &con);
    mjr_readPixels(p.rgb, NULL, ALL, &con);
    const int middle = HEIGHT / 2 * WIDTH + WIDTH / 2;
    assert_true(isColor(p.rgb + 3 * middle, 255, 0, 0));

    // nothing asked for, nothing copied
    clear(0, 0, 1, .25);
    mjr_setBuffer(mjFB_OFFSCREEN, &con);
    mjr_blitBuffer(ALL, ALL, 0, 0, &con);
    mjr_setBuffer(mjFB_WINDOW, &con);
    mjr_readPixels(p.rgb, NULL, ALL, &con);
    assertColor(p.rgb, NPIXEL, 0, 0, 255);
    mjr_freeContext(&con);
    assert_int_equal(mjr_getError(), 0);
  }
}

static void auxiliary(void** state) {
  (void)state;
  if (!glc_makeWindow(WIDTH, HEIGHT)) skip();
  static Picture p;
  mjrContext con = make(&OUR, 4);
  mjr_addAux(0, WIDTH, HEIGHT, 0, &con);
  mjr_addAux(9, WIDTH, HEIGHT, 1000, &con);
  GLint most = 0;
  gl.GetIntegerv(GL_MAX_SAMPLES, &most);
  assert_true(con.auxSamples[9] == most && con.auxFBO[9] && con.auxColor_r[9] && !con.auxFBO[1]);
  for (int index = 0; index < 10; index += 9) {
    for (int buffer = mjFB_WINDOW; buffer <= mjFB_OFFSCREEN; buffer++) {
      mjr_setBuffer(buffer, &con);
      clear(1, 0, 0, 0);
      mjr_setAux(index, &con);
      clear(0, 1, 1, 0);

      // not in the current buffer before it is copied there, and then at the place given
      mjr_restoreBuffer(&con);
      mjr_readPixels(p.rgb, NULL, ALL, &con);
      assertColor(p.rgb, NPIXEL, 255, 0, 0);
      mjr_blitAux(index, (mjrRect){0, 0, 4, 3}, 20, 10, &con);
      mjr_readPixels(p.rgb, NULL, ALL, &con);
      for (int i = 0; i < NPIXEL; i++) {
        const int x = i % WIDTH, y = i / WIDTH, inside = x >= 20 && x < 24 && y >= 10 && y < 13;
        assert_true(isColor(p.rgb + 3 * i, inside ? 0 : 255, inside ? 255 : 0, inside ? 255 : 0));
      }
    }
  }

  // one that is not there is not copied; a size of nothing takes it away
  mjr_blitAux(5, ALL, 0, 0, &con);
  mjr_addAux(9, 0, 0, 0, &con);
  assert_true(!con.auxFBO[9] && !con.auxColor[9] && !con.auxFBO_r[9]);
  mjr_freeContext(&con);
  assert_int_equal(mjr_getError(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sameSteps),   cmocka_unit_test(buffersAreApart), cmocka_unit_test(samplesAreResolved),
      cmocka_unit_test(pixelFormat), cmocka_unit_test(pixelsRoundTrip), cmocka_unit_test(blits),
      cmocka_unit_test(auxiliary),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
