// What must be seen in the pictures of mjr_render, without a reference: silhouettes, colours of lit faces, shadows,
// reflections, sky, fog, segmentation, depth; and that wrong numbers in a scene do no harm.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/gl.h"
#include "support/catch.h"
#include "support/glcontext.h"
#include "support/picture.h"

enum { WIDTH = 200, HEIGHT = 160, MIDX = WIDTH / 2, MIDY = HEIGHT / 2 };

static int available;  // 1: there is an OpenGL context

// a model without a headlight, seen from the south with a field of view of 45 degrees
#define MODEL(visual, asset, world)                \
  "<mujoco><visual><headlight active='0'/>" visual \
  "</visual>"                                      \
  "<statistic center='0 0 0' extent='1'/><asset>" asset "</asset><worldbody>" world "</worldbody></mujoco>"
#define SUN \
  "<light type='directional' dir='0 0 -1' pos='0 0 3' diffuse='.8 .8 .8' specular='0 0 0' castshadow='false'/>"

// a stage that looks at the origin from a distance
static PicStage* openStage(const char* xml, double elevation, double distance) {
  PicStage* const s = pic_open(xml, WIDTH, HEIGHT, 0);
  s->cam.azimuth = 90;
  s->cam.elevation = elevation;
  s->cam.distance = distance;
  return s;
}

static void drawStage(PicStage* s) {
  pic_update(s);
  pic_draw(s);
  assert_int_equal(mjr_getError(), 0);
}

static void assertColor(const PicStage* s, int x, int y, const int rgb[3], int tolerance) {
  const unsigned char* const pixel = pic_at(s, x, y);
  for (int c = 0; c < 3; c++) assert_in_range(pixel[c] + 256, rgb[c] + 256 - tolerance, rgb[c] + 256 + tolerance);
}

// pixels that are not black
static int litPixels(const PicStage* s) {
  int n = 0;
  for (int i = 0; i < WIDTH * HEIGHT; i++) n += s->rgb[3 * i] || s->rgb[3 * i + 1] || s->rgb[3 * i + 2];
  return n;
}

//---------------------------------- shape, colour, depth ----------------------------------

static void sphereHasItsSilhouetteAndDepth(void** state) {
  (void)state;
  if (!available) skip();
  PicStage* const s = openStage(MODEL("<map znear='.1' zfar='10'/>", "", SUN "<geom size='.3'/>"), 0, 2);
  s->scn.flags[mjRND_SEGMENT] = 1;
  drawStage(s);

  // the cone that touches the sphere: tangent of its half-angle over that of the view's
  const double tangent = 0.3 / sqrt(2 * 2 - 0.3 * 0.3), view = tan(22.5 / 180 * mjPI);
  const double radius = 0.5 * HEIGHT * tangent / view;
  assert_true(fabs(litPixels(s) / (mjPI * radius * radius) - 1) < 0.02);

  // the near side is 1.7 away
  const double near = 0.1, far = 10, d = s->depth[MIDY * WIDTH + MIDX];
  assert_true(fabs(near * far / (far - d * (far - near)) - 1.7) < 2e-3);
  assert_true(s->depth[0] == 1);

  // the other depth map counts from the far plane
  s->con.readDepthMap = mjDEPTH_ZEROFAR;
  pic_draw(s);
  assert_true(fabs(s->depth[MIDY * WIDTH + MIDX] - (1 - d)) < 1e-6);
  assert_true(s->depth[0] == 0);
  pic_close(s);
}

static void orthographicSizeDoesNotDependOnDistance(void** state) {
  (void)state;
  if (!available) skip();
  PicStage* const s = openStage(MODEL("<global orthographic='true' fovy='2'/>", "", "<geom size='.3'/>"), 0, 2);
  s->scn.flags[mjRND_SEGMENT] = 1;
  s->cam.orthographic = 1;
  drawStage(s);
  const double radius = 0.3 / 2 * HEIGHT;
  assert_true(fabs(litPixels(s) / (mjPI * radius * radius) - 1) < 0.02);
  s->cam.distance = 4;
  const int near = litPixels(s);
  drawStage(s);
  assert_in_range(litPixels(s), near - 20, near + 20);
  pic_close(s);
}

static void facesHaveTheColourOfTheirLight(void** state) {
  (void)state;
  if (!available) skip();
  PicStage* const s = openStage(MODEL("", "", SUN "<geom type='box' size='.3 .3 .3' rgba='1 .5 0 1'/>"), -89.9, 2);
  drawStage(s);
  assertColor(s, MIDX, MIDY, (const int[3]){204, 102, 0}, 1);

  // without any light a little is left
  pic_update(s);
  s->scn.nlight = 0;
  pic_draw(s);
  assertColor(s, MIDX, MIDY, (const int[3]){77, 38, 0}, 1);

  // emitted light is the colour's own
  pic_update(s);
  for (int i = 0; i < s->scn.ngeom; i++) s->scn.geoms[i].emission = 0.5f;
  s->scn.lights[0].diffuse[0] = s->scn.lights[0].diffuse[1] = 0;
  pic_draw(s);
  assertColor(s, MIDX, MIDY, (const int[3]){128, 64, 0}, 1);
  pic_close(s);
}

static void spotsEndAtTheirCone(void** state) {
  (void)state;
  if (!available) skip();
  static const char XML[] =
      MODEL("", "",
            "<light type='spot' pos='0 0 1' dir='0 0 -1' cutoff='20' exponent='0' castshadow='false' specular='0 0 0'/>"
            "<geom type='plane' size='2 2 .02'/>");
  PicStage* const s = openStage(XML, -89.9, 2);
  drawStage(s);
  const int pixel = (int)(0.5 * HEIGHT / (2 * tan(22.5 / 180 * mjPI)));  // per unit of length at the floor
  assert_true(pic_brightness(s, MIDX, MIDY) > 60);
  assert_true(pic_brightness(s, MIDX + pixel / 4, MIDY) > 60);
  assert_int_equal(pic_brightness(s, MIDX + pixel / 2, MIDY), 0);
  pic_close(s);
}

//---------------------------------- textures ----------------------------------

static void texturesCoverTheirGeoms(void** state) {
  (void)state;
  if (!available) skip();
  static const char XML[] =
      MODEL("",
            "<texture name='t' type='2d' builtin='checker' rgb1='1 0 0' rgb2='0 0 1' width='64' height='64'/>"
            "<material name='m' texture='t' texrepeat='1 1' rgba='1 1 1 1'/>",
            SUN "<geom type='plane' size='.5 .5 .1' material='m'/>");
  PicStage* const s = openStage(XML, -89.9, 2);
  drawStage(s);
  const int quarter = (int)(0.25 * 0.5 * HEIGHT / (2 * tan(22.5 / 180 * mjPI)));
  const unsigned char* const a = pic_at(s, MIDX - quarter, MIDY - quarter);
  const unsigned char* const b = pic_at(s, MIDX + quarter, MIDY - quarter);
  const unsigned char* const c = pic_at(s, MIDX + quarter, MIDY + quarter);
  assert_true((a[0] > 150 && a[2] < 20 && b[2] > 150 && b[0] < 20) ||
              (a[2] > 150 && a[0] < 20 && b[0] > 150 && b[2] < 20));
  for (int k = 0; k < 3; k++) assert_in_range(c[k], a[k] < 2 ? 0 : a[k] - 2, a[k] + 2);
  pic_close(s);
}

//---------------------------------- shadows and mirrors ----------------------------------

static void shadowsAreDarkAndCanBeSwitchedOff(void** state) {
  (void)state;
  if (!available) skip();
  static const char XML[] =
      MODEL("<quality shadowsize='512'/>", "",
            "<light type='directional' dir='-1 0 -1' pos='1 0 1' diffuse='.8 .8 .8' specular='0 0 0'/>"
            "<geom type='plane' size='2 2 .05' rgba='1 1 1 1'/>"
            "<geom type='box' size='.1 .1 .01' pos='0 0 .5' rgba='1 0 0 1'/>");
  PicStage* const s = openStage(XML, -89.9, 2);
  drawStage(s);
  const int half = (int)(0.5 * 0.5 * HEIGHT / (2 * tan(22.5 / 180 * mjPI)));
  assert_int_equal(pic_brightness(s, MIDX - half, MIDY), 0);
  assert_in_range(pic_brightness(s, MIDX + half, MIDY), 140, 148);

  s->scn.flags[mjRND_SHADOW] = 0;
  drawStage(s);
  assert_in_range(pic_brightness(s, MIDX - half, MIDY), 140, 148);
  pic_close(s);
}

static void mirrorsShowTheScene(void** state) {
  (void)state;
  if (!available) skip();
  static const char XML[] = MODEL(
      "", "<material name='m' reflectance='.5' rgba='0 0 0 1' specular='0'/>",
      SUN
      "<geom type='plane' size='2 2 .05' pos='0 0 -.1' material='m'/><geom type='plane' size='1 1 .05' pos='0 0 -1' "
      "material='m'/><geom size='.2' pos='0 0 .3' rgba='1 0 0 1'/>");
  PicStage* const s = openStage(XML, -45, 2);
  pic_update(s);
  for (int i = 0; i < s->scn.ngeom; i++) {
    if (s->scn.geoms[i].type == mjGEOM_SPHERE) s->scn.geoms[i].emission = 1;
  }
  pic_draw(s);

  // the image lies as deep below the plane as the ball is above it
  const double focal = 0.5 * HEIGHT / tan(22.5 / 180 * mjPI), shift = 0.5 * sqrt(0.5);
  const int y = MIDY - (int)(focal * shift / (2 + shift));
  const unsigned char* const image = pic_at(s, MIDX, y);
  assert_in_range(image[0], 120, 200);
  assert_int_equal(image[1], 0);

  // the scene keeps one mirror
  int mirrors = 0;
  for (int i = 0; i < s->scn.ngeom; i++) mirrors += s->scn.geoms[i].reflectance > 0;
  assert_int_equal(mirrors, 1);

  s->scn.flags[mjRND_REFLECTION] = 0;
  drawStage(s);
  assertColor(s, MIDX, y, (const int[3]){0, 0, 0}, 0);
  pic_close(s);
}

//---------------------------------- sky, haze, fog ----------------------------------

static void skyHazeAndFogHaveTheirColours(void** state) {
  (void)state;
  if (!available) skip();
  static const char XML[] =
      MODEL("<rgba haze='0 1 0 1' fog='1 1 0 1'/><map zfar='20' haze='.5' fogstart='0' fogend='.5'/>",
            "<texture type='skybox' builtin='flat' rgb1='0 0 1' rgb2='1 0 0' width='8' height='8'/>",
            "<geom type='plane' size='0 0 .05' rgba='0 0 0 1'/>");
  PicStage* const s = openStage(XML, -1, 1);
  s->cam.lookat[2] = 0.3;
  s->scn.flags[mjRND_HAZE] = 0;
  drawStage(s);
  assertColor(s, MIDX, HEIGHT - 2, (const int[3]){0, 0, 255}, 1);
  assertColor(s, MIDX, MIDY + 10, (const int[3]){0, 0, 255}, 1);
  assertColor(s, MIDX, 2, (const int[3]){0, 0, 0}, 1);

  // haze hides the horizon
  s->scn.flags[mjRND_HAZE] = 1;
  drawStage(s);
  int green = 0;
  for (int y = 0; y < HEIGHT; y++) green = pic_at(s, MIDX, y)[1] > green ? pic_at(s, MIDX, y)[1] : green;
  assert_true(green > 100);
  assertColor(s, MIDX, HEIGHT - 2, (const int[3]){0, 0, 255}, 1);

  // all is farther than the end of the fog
  s->scn.flags[mjRND_HAZE] = 0;
  s->scn.flags[mjRND_FOG] = 1;
  drawStage(s);
  assertColor(s, MIDX, HEIGHT - 2, (const int[3]){255, 255, 0}, 1);
  assertColor(s, MIDX, 2, (const int[3]){255, 255, 0}, 1);

  s->scn.flags[mjRND_FOG] = s->scn.flags[mjRND_SKYBOX] = 0;
  drawStage(s);
  assertColor(s, MIDX, HEIGHT - 2, (const int[3]){0, 0, 0}, 0);
  pic_close(s);
}

static void skyIsTheRightWayUp(void** state) {
  (void)state;
  if (!available) skip();
  static const char XML[] =
      MODEL("", "<texture type='skybox' builtin='gradient' rgb1='0 0 1' rgb2='1 0 0' width='64' height='64'/>", "");
  PicStage* const s = openStage(XML, 85, 1);
  drawStage(s);
  const unsigned char* const above = pic_at(s, MIDX, MIDY);
  assert_true(above[2] > 200 && above[0] < 60);
  s->cam.elevation = -85;
  drawStage(s);
  const unsigned char* const below = pic_at(s, MIDX, MIDY);
  assert_true(below[0] > 200 && below[2] < 60);
  pic_close(s);
}

//---------------------------------- transparency ----------------------------------

static void transparentGeomsMixAndAreSorted(void** state) {
  (void)state;
  if (!available) skip();
  static const char XML[] = MODEL("", "",
                                  "<geom type='box' size='.5 .01 .5' pos='0 .5 0' rgba='1 0 0 1'/>"
                                  "<geom type='box' size='.5 .01 .5' pos='0 0 0' rgba='0 1 0 .5'/>"
                                  "<geom type='box' size='.5 .01 .5' pos='0 -.5 0' rgba='0 0 1 .5'/>");
  PicStage* const s = openStage(XML, 0, 3);
  s->scn.flags[mjRND_CULL_FACE] = 1;
  drawStage(s);

  // the nearest colour counts most, and all are there
  const unsigned char* const pixel = pic_at(s, MIDX, MIDY);
  assert_true(pixel[2] > pixel[1] && pixel[1] > pixel[0] && pixel[0] > 0);
  assert_int_equal(s->scn.geoms[s->scn.geomorder[0]].rgba[2], 1);
  assert_int_equal(s->scn.geoms[s->scn.geomorder[1]].rgba[1], 1);
  assert_true(s->scn.geoms[s->scn.geomorder[0]].camdist < s->scn.geoms[s->scn.geomorder[1]].camdist);

  // what adds up leaves what is behind as it is
  s->scn.flags[mjRND_ADDITIVE] = 1;
  drawStage(s);
  assertColor(s, MIDX, MIDY, (const int[3]){77, 38, 38}, 1);
  pic_close(s);
}

// many at the same place: the order is by distance, then by index
static void sortKeepsTheOrderOfEquals(void** state) {
  (void)state;
  if (!available) skip();
  PicStage* const s = openStage(MODEL("", "", "<geom size='.1'/>"), 0, 2);
  pic_update(s);
  for (int i = 0; i < 500; i++) {
    const mjtNum size[3] = {0.01, 0.01, 0.01}, pos[3] = {0, 0.1 * ((i * 37) % 11), 0};
    const float rgba[4] = {1, 1, 1, 0.1f};
    mjv_initGeom(s->scn.geoms + s->scn.ngeom++, mjGEOM_SPHERE, size, pos, NULL, rgba);
  }
  pic_draw(s);
  const mjvGeom* const geoms = s->scn.geoms;
  for (int i = 1; i < 500; i++) {
    const int a = s->scn.geomorder[i - 1], b = s->scn.geomorder[i];
    assert_true(geoms[a].camdist < geoms[b].camdist || (geoms[a].camdist == geoms[b].camdist && a < b));
  }
  pic_close(s);
}

//---------------------------------- segmentation ----------------------------------

static void identifiersAreExact(void** state) {
  (void)state;
  if (!available) skip();
  PicStage* const s = openStage(MODEL("<quality offsamples='4'/>", "",
                                      SUN "<geom size='.2' pos='-.3 0 0'/>"
                                          "<geom type='box' size='.2 .1 .2' pos='.3 0 0' euler='10 20 30'/>"
                                          "<geom type='capsule' size='.02' fromto='-.5 -.3 -.3 .5 -.3 .4'/>"),
                                0, 2);
  s->scn.flags[mjRND_SEGMENT] = s->scn.flags[mjRND_IDCOLOR] = 1;
  pic_update(s);

  // numbers that need all three bytes
  for (int i = 0; i < s->scn.ngeom; i++) s->scn.geoms[i].segid = 0x10203 * (i + 1);
  pic_draw(s);
  int seen[4] = {0};
  for (int i = 0; i < WIDTH * HEIGHT; i++) {
    const int id = s->rgb[3 * i] + 256 * s->rgb[3 * i + 1] + 65536 * s->rgb[3 * i + 2];
    assert_true(id == 0 || ((id - 1) % 0x10203 == 0 && (id - 1) / 0x10203 <= 3));
    seen[id ? (id - 1) / 0x10203 : 0]++;
  }
  for (int k = 0; k < 4; k++) assert_true(seen[k] > 50);

  // a negative number is not drawn
  pic_update(s);
  for (int i = 0; i < s->scn.ngeom; i++) s->scn.geoms[i].segid = -1;
  pic_draw(s);
  assert_int_equal(litPixels(s), 0);
  pic_close(s);
}

//---------------------------------- flags ----------------------------------

static void wireframeLeavesHoles(void** state) {
  (void)state;
  if (!available) skip();
  PicStage* const s = openStage(MODEL("", "", SUN "<geom type='box' size='.4 .4 .4'/>"), -30, 3);
  drawStage(s);
  const int filled = litPixels(s);
  s->scn.flags[mjRND_WIREFRAME] = 1;
  drawStage(s);
  assert_true(litPixels(s) > 50 && litPixels(s) < filled / 2);

  // seen from inside, a box has no faces when back faces are left out
  s->scn.flags[mjRND_WIREFRAME] = 0;
  s->cam.distance = 0.05;
  drawStage(s);
  assert_int_equal(litPixels(s), 0);
  s->scn.flags[mjRND_CULL_FACE] = 0;
  s->m->vis.headlight.active = 1;
  drawStage(s);
  assert_true(litPixels(s) > WIDTH * HEIGHT / 2);
  pic_close(s);
}

// the depth picture is the depth buffer, nearest brightest, with one and with several samples
static void depthPictureShowsDepth(void** state) {
  (void)state;
  if (!available) skip();
  static const char* const MODELS[2] = {
      MODEL("<map znear='1' zfar='4'/><quality offsamples='0'/>", "", SUN "<geom type='box' size='.3 .3 .3'/>"),
      MODEL("<map znear='1' zfar='4'/><quality offsamples='4'/>", "", SUN "<geom type='box' size='.3 .3 .3'/>")};
  for (int n = 0; n < 2; n++) {
    PicStage* const s = openStage(MODELS[n], 0, 2);
    s->scn.flags[mjRND_DEPTH] = 1;
    drawStage(s);
    const int bright = pic_brightness(s, MIDX, MIDY);
    assert_in_range(bright, 100, 200);
    assert_in_range(bright, (int)(255 * (1 - s->depth[MIDY * WIDTH + MIDX])) - 2,
                    (int)(255 * (1 - s->depth[MIDY * WIDTH + MIDX])) + 2);
    assert_int_equal(pic_brightness(s, 2, 2), 0);

    // the same in a part of the buffer
    s->view = (mjrRect){WIDTH / 2, HEIGHT / 2, WIDTH / 2, HEIGHT / 2};
    drawStage(s);
    assert_in_range(pic_brightness(s, WIDTH / 4, HEIGHT / 4), bright - 2, bright + 2);
    pic_close(s);
  }
}

static void eyesStandSideBySide(void** state) {
  (void)state;
  if (!available) skip();
  PicStage* const s = openStage(MODEL("<global ipd='.1'/>", "", SUN "<geom size='.2'/>"), -20, 2);
  s->scn.stereo = mjSTEREO_SIDEBYSIDE;
  s->scn.flags[mjRND_SEGMENT] = 1;
  drawStage(s);

  // the left eye sees the ball farther to the right
  double middle[2] = {0, 0};
  int count[2] = {0, 0};
  for (int y = 0; y < HEIGHT; y++) {
    for (int x = 0; x < WIDTH; x++) {
      if (!pic_brightness(s, x, y)) continue;
      count[x >= MIDX]++;
      middle[x >= MIDX] += x % MIDX;
    }
  }
  assert_true(count[0] > 100 && count[1] > 100);
  assert_true(middle[0] / count[0] > middle[1] / count[1] + 1);
  pic_close(s);
}

static void pictureStaysInItsViewportAndHasABorder(void** state) {
  (void)state;
  if (!available) skip();
  PicStage* const s = openStage(MODEL("", "", SUN "<geom type='plane' size='9 9 1'/>"), -80, 2);
  drawStage(s);
  const int before = pic_brightness(s, 5, 5);
  assert_true(before > 0);

  // red edges of a picture in the upper right quarter
  const mjrRect all = s->view;
  s->view = (mjrRect){MIDX, MIDY, MIDX, MIDY};
  s->scn.framewidth = 3;
  s->scn.framergb[0] = 1;
  s->scn.framergb[1] = s->scn.framergb[2] = 0;
  pic_update(s);
  for (int i = 0; i < s->scn.ngeom; i++) s->scn.geoms[i].rgba[0] = 0;
  mjr_render(s->view, &s->scn, &s->con);
  s->view = all;
  mjr_readPixels(s->rgb, s->depth, all, &s->con);
  assert_int_equal(pic_brightness(s, 5, 5), before);
  assertColor(s, MIDX + 1, MIDY + 20, (const int[3]){255, 0, 0}, 0);
  assertColor(s, WIDTH - 2, MIDY + 20, (const int[3]){255, 0, 0}, 0);
  assertColor(s, MIDX + 20, HEIGHT - 2, (const int[3]){255, 0, 0}, 0);
  assert_int_equal(pic_at(s, MIDX + 5, MIDY + 5)[0], 0);
  assert_true(pic_at(s, MIDX + 5, MIDY + 5)[1] > 0);
  pic_close(s);
}

static void transformMovesTheModel(void** state) {
  (void)state;
  if (!available) skip();
  PicStage* const s = openStage(MODEL("", "", SUN "<geom size='.2'/>"), 0, 2);
  s->scn.flags[mjRND_SEGMENT] = 1;
  drawStage(s);
  const int plain = litPixels(s);
  s->scn.enabletransform = 1;
  s->scn.scale = 0.5f;
  s->scn.rotate[0] = 1;
  pic_draw(s);
  assert_true(fabs(litPixels(s) / (0.25 * plain) - 1) < 0.05);
  pic_close(s);
}

static void labelsAreWritten(void** state) {
  (void)state;
  if (!available) skip();
  PicStage* const s = openStage(MODEL("", "", "<geom size='.2'/>"), 0, 2);
  pic_update(s);
  s->scn.ngeom = 0;
  pic_draw(s);
  assert_int_equal(litPixels(s), 0);
  pic_update(s);
  s->scn.geoms[0].size[0] = s->scn.geoms[0].size[1] = s->scn.geoms[0].size[2] = 0;

  // not ended, with characters that the font does not have
  memset(s->scn.geoms[0].label, 'M', 100);
  s->scn.geoms[0].label[1] = (char)200;
  pic_draw(s);
  assert_int_equal(mjr_getError(), 0);
  assert_true(litPixels(s) > 20);
  pic_close(s);
}

//---------------------------------- wrong input ----------------------------------

// a scene whose geoms have numbers that lead nowhere
static void spoilGeoms(PicStage* s, int number) {
  static const int TYPES[] = {mjGEOM_PLANE,
                              mjGEOM_HFIELD,
                              mjGEOM_SPHERE,
                              mjGEOM_CAPSULE,
                              mjGEOM_ELLIPSOID,
                              mjGEOM_CYLINDER,
                              mjGEOM_BOX,
                              mjGEOM_MESH,
                              mjGEOM_SDF,
                              mjGEOM_ARROW,
                              mjGEOM_ARROW1,
                              mjGEOM_ARROW2,
                              mjGEOM_LINE,
                              mjGEOM_LINEBOX,
                              mjGEOM_FLEX,
                              mjGEOM_SKIN,
                              mjGEOM_LABEL,
                              mjGEOM_TRIANGLE,
                              mjGEOM_NONE,
                              -1,
                              12345};
  s->scn.ngeom = 0;
  for (size_t i = 0; i < sizeof(TYPES) / sizeof(TYPES[0]); i++) {
    const mjtNum size[3] = {0.1, 0, 0.1};
    const float rgba[4] = {1, 1, 1, i % 2 ? 1 : 0.5f};
    mjvGeom* const geom = s->scn.geoms + s->scn.ngeom++;
    mjv_initGeom(geom, mjGEOM_SPHERE, size, NULL, NULL, rgba);
    geom->type = TYPES[i];
    geom->dataid = geom->objid = geom->matid = geom->objtype = number;
    geom->segid = number;
    geom->texcoord = number & 1;
    geom->reflectance = 0.5f;
  }
}

static void wrongNumbersAreLeftOut(void** state) {
  (void)state;
  if (!available) skip();
  static const int NUMBERS[] = {0, 1, 5, 1000, -1, -5, INT32_MAX, INT32_MIN};
  PicStage* const s = openStage(MODEL("", "", SUN "<geom size='.2'/>"), -20, 2);
  for (size_t i = 0; i < sizeof(NUMBERS) / sizeof(NUMBERS[0]); i++) {
    pic_update(s);
    spoilGeoms(s, NUMBERS[i]);
    for (int segment = 0; segment < 3; segment++) {
      s->scn.flags[mjRND_SEGMENT] = segment > 0;
      s->scn.flags[mjRND_IDCOLOR] = segment > 1;
      pic_draw(s);
      assert_int_equal(mjr_getError(), 0);
    }
    s->scn.flags[mjRND_SEGMENT] = s->scn.flags[mjRND_IDCOLOR] = 0;
  }

  // textures and materials that lead nowhere
  pic_update(s);
  s->scn.geoms[0].matid = 3;
  s->con.mat_texid[mjNTEXROLE * 3 + mjTEXROLE_RGB] = 77;
  pic_draw(s);
  assert_int_equal(mjr_getError(), 0);
  pic_close(s);
}

static void wrongCountsAreLimited(void** state) {
  (void)state;
  if (!available) skip();
  PicStage* const s = openStage(MODEL("", "", SUN "<geom size='.2'/>"), -20, 2);
  pic_update(s);
  for (int i = 0; i < mjMAXLIGHT; i++) s->scn.lights[i] = s->scn.lights[0];

  // lights with values that OpenGL does not take
  s->scn.lights[1].type = mjLIGHT_SPOT;
  s->scn.lights[1].cutoff = 120;
  s->scn.lights[1].exponent = 1000;
  s->scn.lights[1].attenuation[1] = -1;
  s->scn.lights[2].castshadow = 1;
  s->scn.lights[3].type = 99;
  s->scn.nlight = 100000;
  s->scn.geoms[0].shininess = 7;
  for (int i = s->scn.ngeom; i < s->scn.maxgeom; i++) s->scn.geoms[i] = s->scn.geoms[0];
  s->scn.ngeom = 100000;
  pic_draw(s);
  assert_int_equal(mjr_getError(), 0);
  assert_true(litPixels(s) > 0);
  s->scn.nlight = s->scn.ngeom = -3;
  pic_draw(s);
  assert_int_equal(mjr_getError(), 0);
  assert_int_equal(litPixels(s), 0);
  pic_close(s);
}

static void wrongArgumentsAreErrors(void** state) {
  (void)state;
  if (!available) skip();
  PicStage* const s = openStage(MODEL("", "", SUN "<geom size='.2'/>"), -20, 2);
  static mjrContext unmade;
  pic_update(s);
  assert_non_null(CATCH(mjr_render(s->view, &s->scn, &unmade)));
  assert_non_null(CATCH(mjr_render(s->view, NULL, &s->con)));
  assert_non_null(CATCH(mjr_render(s->view, &s->scn, NULL)));

  // nothing to draw on is no error
  const mjrRect empty = {0, 0, 0, 10};
  assert_null(CATCH(mjr_render(empty, &s->scn, &unmade)));

  // a camera that was never set is one, unless there is nothing to draw
  s->scn.camera[0].frustum_near = s->scn.camera[1].frustum_near = 0;
  assert_string_equal(CATCH(mjr_render(s->view, &s->scn, &s->con)), "mjvScene frustum_near too small in mjr_render");
  s->scn.ngeom = 0;
  assert_null(CATCH(mjr_render(s->view, &s->scn, &s->con)));
  pic_close(s);
}

//---------------------------------- main ----------------------------------

static int makeContext(void** state) {
  (void)state;
  available = glc_make();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sphereHasItsSilhouetteAndDepth),
      cmocka_unit_test(orthographicSizeDoesNotDependOnDistance),
      cmocka_unit_test(facesHaveTheColourOfTheirLight),
      cmocka_unit_test(spotsEndAtTheirCone),
      cmocka_unit_test(texturesCoverTheirGeoms),
      cmocka_unit_test(shadowsAreDarkAndCanBeSwitchedOff),
      cmocka_unit_test(mirrorsShowTheScene),
      cmocka_unit_test(skyHazeAndFogHaveTheirColours),
      cmocka_unit_test(skyIsTheRightWayUp),
      cmocka_unit_test(transparentGeomsMixAndAreSorted),
      cmocka_unit_test(sortKeepsTheOrderOfEquals),
      cmocka_unit_test(identifiersAreExact),
      cmocka_unit_test(wireframeLeavesHoles),
      cmocka_unit_test(depthPictureShowsDepth),
      cmocka_unit_test(eyesStandSideBySide),
      cmocka_unit_test(pictureStaysInItsViewportAndHasABorder),
      cmocka_unit_test(transformMovesTheModel),
      cmocka_unit_test(labelsAreWritten),
      cmocka_unit_test(wrongNumbersAreLeftOut),
      cmocka_unit_test(wrongCountsAreLimited),
      cmocka_unit_test(wrongArgumentsAreErrors),
  };
  return cmocka_run_group_tests(tests, makeContext, NULL);
}
