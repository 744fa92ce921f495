// Pictures by this library and by the reference: colour, depth and segmentation of scenes with every feature, and the
// state that a frame leaves behind.
//
// Both libraries draw in the same OpenGL context with the same driver. What may differ: vertices and matrices are
// rounded in another order, so that pixels at silhouettes and at the edges of shadows see one sample more or less, and
// letters of labels, whose fonts are our own. Hence a tolerance on the fraction of pixels, not on their values.
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
#include "support/oracle.h"
#include "support/picture.h"

enum { WIDTH = 320, HEIGHT = 240 };

static int available;  // 1: there is an OpenGL context

// beginning of all models: a small shadow map is quick to draw in software
#define HEAD \
  "<mujoco><visual><quality shadowsize='1024'/><map znear='.02' zfar='20' haze='.4' fogstart='1' fogend='3'/>"
#define DARK "<headlight ambient='0 0 0' diffuse='0 0 0' specular='0 0 0' active='0'/>"
#define LOOK "</visual><statistic center='0 0 0.3' extent='2'/>"

//---------------------------------- scenes ----------------------------------

static const char SHAPES[] = HEAD LOOK
    "<asset>"
    "  <mesh name='wedge' vertex='-.2 -.2 0  .2 -.2 0  .2 .2 0  -.2 .2 0  0 0 .4  .1 .1 .1'/>"
    "  <hfield name='hill' nrow='4' ncol='5' size='.4 .3 .2 .05' elevation='0 1 0 2 0 1 3 2 1 0 0 2 4 1 1 0 0 1 0 0'/>"
    "</asset>"
    "<worldbody>"
    "  <light pos='0 0 3' dir='0 0 -1' castshadow='false' type='directional'/>"
    "  <geom type='plane' size='2 2 .1' rgba='.5 .6 .5 1'/>"
    "  <geom type='sphere' size='.2' pos='-.8 -.5 .25' rgba='1 0 0 1'/>"
    "  <geom type='capsule' size='.12 .2' pos='-.3 -.5 .35' rgba='0 1 0 1'/>"
    "  <geom type='ellipsoid' size='.3 .15 .1' pos='.3 -.5 .2' euler='20 30 0' rgba='0 0 1 1'/>"
    "  <geom type='cylinder' size='.15 .2' pos='.8 -.5 .25' euler='30 20 0' rgba='1 1 0 1'/>"
    "  <geom type='box' size='.2 .15 .1' pos='-.8 .4 .3' euler='20 20 40' rgba='1 0 1 1'/>"
    "  <geom type='mesh' mesh='wedge' pos='0 .4 .1' rgba='0 1 1 1'/>"
    "  <geom type='hfield' hfield='hill' pos='.8 .5 .1' rgba='.9 .7 .4 1'/>"
    "</worldbody></mujoco>";

static const char MATERIALS[] = HEAD LOOK
    "<asset>"
    "  <texture name='check' type='2d' builtin='checker' rgb1='.9 .2 .2' rgb2='.2 .2 .9' width='64' height='64'/>"
    "  <texture name='cube' type='cube' builtin='gradient' rgb1='1 1 0' rgb2='0 .4 0' mark='cross' markrgb='1 1 1'"
    "    width='64' height='64'/>"
    "  <material name='floor' texture='check' texrepeat='3 3' texuniform='true'/>"
    "  <material name='tiles' texture='check' texrepeat='2 1'/>"
    "  <material name='wrapped' texture='cube'/>"
    "  <material name='uniform' texture='cube' texuniform='true'/>"
    "  <material name='glow' rgba='.2 .5 .2 1' emission='.6'/>"
    "  <material name='gloss' rgba='.4 .4 .8 1' specular='1' shininess='.9'/>"
    "  <mesh name='uv' vertex='-.2 0 0 .2 0 0 .2 0 .4 -.2 0 .4 0 .3 .2' texcoord='0 0 1 0 1 1 0 1 .5 .5'"
    "    face='0 1 2 0 2 3 1 4 2 2 4 3 3 4 0 0 4 1'/>"
    "</asset>"
    "<worldbody>"
    "  <light pos='0 -1 3' dir='0 .3 -1' castshadow='false'/>"
    "  <geom type='plane' size='0 0 .1' material='floor'/>"
    "  <geom type='sphere' size='.2' pos='-.8 -.5 .25' material='wrapped'/>"
    "  <geom type='capsule' size='.12 .2' pos='-.3 -.5 .35' material='wrapped'/>"
    "  <geom type='ellipsoid' size='.3 .15 .1' pos='.3 -.5 .2' material='uniform'/>"
    "  <geom type='cylinder' size='.15 .2' pos='.8 -.5 .25' material='glow'/>"
    "  <geom type='box' size='.2 .15 .1' pos='-.8 .4 .3' euler='20 20 40' material='tiles'/>"
    "  <geom type='sphere' size='.2' pos='0 .4 .3' material='gloss'/>"
    "  <geom type='mesh' mesh='uv' pos='.5 .4 .2' material='tiles'/>"
    "  <geom type='box' size='.2 .15 .1' pos='1 .4 .3' material='uniform'/>"
    "</worldbody></mujoco>";

static const char LIGHTS[] = HEAD DARK LOOK
    "<worldbody>"
    "  <light type='spot' pos='-1 0 2' dir='0 0 -1' cutoff='30' exponent='5' attenuation='1 .1 .05'"
    "    diffuse='1 .5 .5' specular='0 0 0' castshadow='false'/>"
    "  <light type='spot' pos='1 0 2' dir='0 0 -1' cutoff='60' exponent='20' ambient='.1 .1 .1' diffuse='.5 .5 1'"
    "    castshadow='false'/>"
    "  <light type='directional' pos='0 0 2' dir='1 1 -1' diffuse='.1 .3 .1' castshadow='false'/>"
    "  <geom type='plane' size='2 2 .05' rgba='.8 .8 .8 1'/>"
    "  <geom type='sphere' size='.3' pos='0 0 .3'/>"
    "</worldbody></mujoco>";

// a box above a floor, lit from straight above by one light: the shadow lies below
static const char SHADOWS[] = HEAD DARK LOOK
    "<worldbody>"
    "  <light name='lamp' type='directional' pos='0 0 2' dir='0 0 -1' diffuse='.8 .8 .8'/>"
    "  <geom type='plane' size='3 3 .05' rgba='.8 .8 .8 1'/>"
    "  <geom type='box' size='.3 .3 .05' pos='0 0 .8' rgba='.9 .3 .3 1'/>"
    "  <geom type='capsule' size='.1 .2' pos='.7 -.3 .5' euler='90 30 0' rgba='.3 .3 .9 1'/>"
    "</worldbody></mujoco>";

static const char SPOTS[] = HEAD LOOK
    "<worldbody>"
    "  <light type='spot' pos='-1 -1 2' dir='1 1 -2' cutoff='40' exponent='1' diffuse='.8 .4 .4'/>"
    "  <light type='spot' pos='1 -1 2' dir='-1 1 -2' cutoff='40' exponent='1' diffuse='.4 .4 .8'/>"
    "  <geom type='plane' size='3 3 .05' rgba='.8 .8 .8 1'/>"
    "  <geom type='sphere' size='.3' pos='0 0 .5'/>"
    "</worldbody></mujoco>";

#define MIRROR(kind)                                                                                       \
  HEAD LOOK                                                                                                \
      "<asset><material name='mirror' reflectance='.8' rgba='.2 .2 .2 1' specular='0'/>"                   \
      "  <texture type='skybox' builtin='gradient' rgb1='.3 .5 .8' rgb2='.1 .1 .3' width='8' height='8'/>" \
      "</asset>"                                                                                           \
      "<worldbody>"                                                                                        \
      "  <light pos='0 -1 3' dir='0 .3 -1'/>"                                                              \
      "  <geom type='" kind                                                                                \
      "' size='1.5 1.5 .1' material='mirror'/>"                                                            \
      "  <geom type='" kind                                                                                \
      "' size='.2 .2 .1' pos='0 .5 .3' material='mirror'/>"                                                \
      "  <geom type='sphere' size='.25' pos='-.4 0 .7' rgba='1 0 0 1'/>"                                   \
      "  <geom type='box' size='.2 .2 .2' pos='.5 0 .5' rgba='0 1 0 .5'/>"                                 \
      "  <geom type='box' size='.2 .2 .2' pos='.8 .6 .5' rgba='0 1 1 .5'/>"                                \
      "</worldbody></mujoco>"

static const char MIRROR_PLANE[] = MIRROR("plane");
static const char MIRROR_BOX[] = MIRROR("box");

static const char SKY[] =
    HEAD "<rgba haze='.9 .6 .3 1' fog='.2 .8 .8 1'/>" LOOK
         "<asset><texture type='skybox' builtin='gradient' rgb1='0 0 1' rgb2='1 0 0' width='64' height='64'/></asset>"
         "<worldbody>"
         "  <light pos='0 -1 3' dir='0 .3 -1' castshadow='false'/>"
         "  <geom type='plane' size='0 0 .1' rgba='.3 .5 .3 1'/>"
         "  <geom type='sphere' size='.4' pos='0 0 .6' rgba='.9 .9 .9 1'/>"
         "</worldbody></mujoco>";

static const char CLEAR[] = HEAD LOOK
    "<worldbody>"
    "  <light pos='0 -1 3' dir='0 .3 -1'/>"
    "  <geom type='plane' size='2 2 .1' rgba='.6 .6 .6 1'/>"
    "  <geom type='box' size='.2 .2 .4' pos='0 .5 .4' rgba='1 0 0 1'/>"
    "  <geom type='sphere' size='.3' pos='0 0 .4' rgba='0 1 0 .4'/>"
    "  <geom type='box' size='.3 .05 .3' pos='.2 -.5 .4' rgba='0 0 1 .3'/>"
    "  <geom type='cylinder' size='.2 .2' pos='-.5 -.2 .3' rgba='1 1 0 .5'/>"
    "</worldbody></mujoco>";

static const char FLEX[] = HEAD LOOK
    "<asset>"
    "  <texture name='check' type='2d' builtin='checker' rgb1='.9 .9 .2' rgb2='.2 .2 .9' width='64' height='64'/>"
    "  <material name='cloth' texture='check' texrepeat='2 2'/>"
    "</asset>"
    "<worldbody>"
    "  <light pos='0 -1 3' dir='0 .3 -1' castshadow='false'/>"
    "  <geom type='plane' size='2 2 .1' rgba='.5 .5 .5 1'/>"
    "  <flexcomp name='sheet' type='grid' dim='2' count='5 4 1' spacing='.15 .15 .1' pos='-.5 0 .5' radius='.02'"
    "    material='cloth' mass='1'><elasticity young='1e3' poisson='.1' thickness='.01'/></flexcomp>"
    "  <flexcomp name='block' type='grid' dim='3' count='3 3 3' spacing='.15 .15 .15' pos='.5 0 .5' radius='.03'"
    "    rgba='.9 .4 .2 1' mass='1'><elasticity young='1e3' poisson='.1'/></flexcomp>"
    "</worldbody></mujoco>";

static const char SKIN[] = HEAD LOOK
    "<asset>"
    "  <texture name='check' type='2d' builtin='checker' rgb1='.9 .9 .2' rgb2='.2 .2 .9' width='64' height='64'/>"
    "  <material name='cloth' texture='check'/>"
    "</asset>"
    "<worldbody>"
    "  <light pos='0 -1 3' dir='0 .3 -1' castshadow='false'/>"
    "  <geom type='plane' size='2 2 .1' rgba='.5 .5 .5 1'/>"
    "  <body name='left' pos='-.5 0 .5'><joint type='ball'/><geom size='.05'/></body>"
    "  <body name='right' pos='.5 0 .5'><geom size='.05'/></body>"
    "</worldbody>"
    "<deformable><skin name='coat' material='cloth' vertex='-.6 0 .2  .6 0 .2  .6 0 .9  -.6 0 .9  0 -.3 .5'"
    "    texcoord='0 0 1 0 1 1 0 1 .5 .5' face='0 1 4 1 2 4 2 3 4 3 0 4'>"
    "  <bone body='left' bindpos='-.5 0 .5' bindquat='1 0 0 0' vertid='0 3 4' vertweight='1 1 .5'/>"
    "  <bone body='right' bindpos='.5 0 .5' bindquat='1 0 0 0' vertid='1 2 4' vertweight='1 1 .5'/>"
    "</skin></deformable></mujoco>";

// for depth as colour, which the reference shows only without multisampling and after a geom with a texture
static const char SINGLE[] =
    "<mujoco><visual><quality offsamples='0'/><map znear='.5'/></visual>"
    "<asset><texture name='t' type='2d' builtin='flat' width='8' height='8'/><material name='m' texture='t'/></asset>"
    "<worldbody><light pos='0 0 3'/><geom type='sphere' size='.4' pos='0 0 .6'/>"
    "<geom type='plane' size='2 2 .1' material='m'/></worldbody></mujoco>";

//---------------------------------- what to change ----------------------------------

static void lookAcross(PicStage* s) {
  s->cam.azimuth = 90;
  s->cam.elevation = -10;
}

static void lookFromBelow(PicStage* s) {
  s->cam.elevation = 30;
}

static void orthographic(PicStage* s) {
  s->cam.orthographic = 1;
  s->m->vis.global.orthographic = 1;
  s->m->vis.global.fovy = 3;
}

static void transformed(PicStage* s) {
  s->scn.enabletransform = 1;
  s->scn.scale = 0.7f;
  s->scn.translate[0] = 0.2f;
  s->scn.rotate[0] = 0.9f;
  s->scn.rotate[2] = 0.3f;
  s->scn.rotate[3] = sqrtf(1 - 0.9f * 0.9f - 0.3f * 0.3f);
}

static void sideBySide(PicStage* s) {
  s->scn.stereo = mjSTEREO_SIDEBYSIDE;
}
static void quadBuffered(PicStage* s) {
  s->scn.stereo = mjSTEREO_QUADBUFFERED;
}
static void wireframe(PicStage* s) {
  s->scn.flags[mjRND_WIREFRAME] = 1;
}
static void additive(PicStage* s) {
  s->scn.flags[mjRND_ADDITIVE] = 1;
}
static void keepBack(PicStage* s) {
  s->scn.flags[mjRND_CULL_FACE] = 0;
}
static void noSky(PicStage* s) {
  s->scn.flags[mjRND_SKYBOX] = 0;
}
static void noShadow(PicStage* s) {
  s->scn.flags[mjRND_SHADOW] = 0;
}
static void noReflection(PicStage* s) {
  s->scn.flags[mjRND_REFLECTION] = 0;
}

static void foggy(PicStage* s) {
  s->scn.flags[mjRND_FOG] = 1;
  lookAcross(s);
}

static void hazy(PicStage* s) {
  s->scn.flags[mjRND_HAZE] = 1;
  lookAcross(s);
}

static void clearSky(PicStage* s) {
  s->scn.flags[mjRND_HAZE] = 0;
  lookAcross(s);
}

static void segments(PicStage* s) {
  s->scn.flags[mjRND_SEGMENT] = 1;
}

static void identifiers(PicStage* s) {
  s->scn.flags[mjRND_SEGMENT] = 1;
  s->scn.flags[mjRND_IDCOLOR] = 1;
}

static void depthPicture(PicStage* s) {
  s->scn.flags[mjRND_DEPTH] = 1;
  s->scn.flags[mjRND_SHADOW] = 0;
}

static void framed(PicStage* s) {
  s->scn.framewidth = 7;
  s->scn.framergb[1] = 0.5f;
}

static void vertices(PicStage* s) {
  s->opt.flags[mjVIS_FLEXVERT] = s->opt.flags[mjVIS_FLEXEDGE] = s->opt.flags[mjVIS_FLEXFACE] = 1;
  s->opt.flags[mjVIS_FLEXSKIN] = 0;
}

static void hulls(PicStage* s) {
  s->opt.flags[mjVIS_CONVEXHULL] = 1;
}

static void decorated(PicStage* s) {
  memset(s->opt.flags + mjVIS_JOINT, 1, mjVIS_SELECT - mjVIS_JOINT);
  s->opt.flags[mjVIS_TRANSPARENT] = 0;
  s->opt.frame = mjFRAME_BODY;
}

static void seeThrough(PicStage* s) {
  s->opt.flags[mjVIS_TRANSPARENT] = 1;
}

// one of each kind of decoration
static void addDecor(PicStage* s) {
  static const int KINDS[] = {mjGEOM_ARROW,   mjGEOM_ARROW1,   mjGEOM_ARROW2,  mjGEOM_LINE,
                              mjGEOM_LINEBOX, mjGEOM_TRIANGLE, mjGEOM_CAPSULE, mjGEOM_PLANE};
  for (int i = 0; i < (int)(sizeof(KINDS) / sizeof(KINDS[0])); i++) {
    const mjtNum size[3] = {KINDS[i] == mjGEOM_LINE ? 3 : 0.03, 0.03, KINDS[i] == mjGEOM_LINEBOX ? 0.1 : 0.4};
    const mjtNum pos[3] = {-1 + 0.3 * i, -0.2, 0.4};
    const mjtNum mat[9] = {1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8};
    const float rgba[4] = {0.2f + 0.1f * (float)i, 0.9f - 0.1f * (float)i, 0.5f, 1};
    mjvGeom* const geom = s->scn.geoms + s->scn.ngeom++;
    mjv_initGeom(geom, KINDS[i], size, pos, mat, rgba);
    geom->category = mjCAT_DECOR;
  }
}

static void addLabels(PicStage* s) {
  for (int i = 0; i < s->scn.ngeom; i++) snprintf(s->scn.geoms[i].label, 100, "geom %d", i);
}

// a window into the view: off centre, with a width of its own
static void offCentre(PicStage* s) {
  for (int eye = 0; eye < 2; eye++) {
    s->scn.camera[eye].frustum_center = 0.004f;
    s->scn.camera[eye].frustum_width = 0.01f;
  }
}

static void pointLights(PicStage* s) {
  for (int i = 0; i < s->scn.nlight; i++) s->scn.lights[i].type = i % 2 ? mjLIGHT_IMAGE : mjLIGHT_POINT;
}

// more than OpenGL has
static void addLights(PicStage* s) {
  for (int i = s->scn.nlight; i < 12; i++) {
    s->scn.lights[i] = s->scn.lights[i % 3];
    s->scn.lights[i].pos[1] += 0.1f * (float)i;
    s->scn.lights[i].castshadow = i % 2;
  }
  s->scn.nlight = 12;
}

static void dropLights(PicStage* s) {
  s->scn.nlight = 0;
}

//---------------------------------- against the reference ----------------------------------

typedef struct {
  const char* name;
  const char* xml;
  void (*before)(PicStage*);  // changes before mjv_updateScene, or NULL
  void (*after)(PicStage*);   // changes after it, or NULL
  double tolerance;           // fraction of pixels that may differ by more than 4/255
} Shot;

static const Shot SHOTS[] = {
    {"shapes",           SHAPES,                 NULL,          NULL,        0.002},
    {"shapes-below",     SHAPES,                 lookFromBelow, NULL,        0.002},
    {"shapes-hull",      SHAPES,                 hulls,         NULL,        0.002},
    {"shapes-wireframe", SHAPES,                 wireframe,     NULL,        0.002},
    {"shapes-allfaces",  SHAPES,                 keepBack,      NULL,        0.002},
    {"materials",        MATERIALS,              NULL,          NULL,        0.002},
    {"lights",           LIGHTS,                 NULL,          NULL,        0.002},
    {"lights-others",    LIGHTS,                 NULL,          pointLights, 0.002},
    {"shadows",          SHADOWS,                NULL,          NULL,        0.002},
    {"shadows-spots",    SPOTS,                  NULL,          NULL,        0.002},
    {"shadows-off",      SPOTS,                  noShadow,      NULL,        0.002},
    {"mirror-plane",     MIRROR_PLANE,           NULL,          NULL,        0.002},
    {"mirror-box",       MIRROR_BOX,             lookAcross,    NULL,        0.002},
    {"mirror-below",     MIRROR_BOX,             lookFromBelow, NULL,        0.002},
    {"mirror-additive",  MIRROR_PLANE,           additive,      NULL,        0.002},
    {"mirror-lines",     MIRROR_PLANE,           wireframe,     NULL,        0.002},
    {"mirror-off",       MIRROR_PLANE,           noReflection,  NULL,        0.002},
    {"many-lights",      LIGHTS,                 NULL,          addLights,   0.002},
    {"no-lights",        SHAPES,                 NULL,          dropLights,  0.002},
    {"depth",            SINGLE,                 depthPicture,  NULL,        0.002},
    {"sky",              SKY,                    clearSky,      NULL,        0.002},
    {"sky-haze",         SKY,                    hazy,          NULL,        0.002},
    {"sky-fog",          SKY,                    foggy,         NULL,        0.002},
    {"sky-off",          SKY,                    noSky,         NULL,        0.002},
    {"clear",            CLEAR,                  NULL,          NULL,        0.002},
    {"clear-additive",   CLEAR,                  additive,      NULL,        0.002},
    {"clear-below",      CLEAR,                  lookFromBelow, NULL,        0.002},
    {"flex",             FLEX,                   NULL,          NULL,        0.002},
    {"flex-vertices",    FLEX,                   vertices,      NULL,        0.002},
    {"skin",             SKIN,                   NULL,          NULL,        0.002},
    {"decor",            SHAPES,                 NULL,          addDecor,    0.002},
    {"decor-model",      "scenes/humanoid.xml",  decorated,     NULL,        0.002},
    {"labels",           SHAPES,                 NULL,          addLabels,   0.05 },
    {"orthographic",     SHAPES,                 orthographic,  NULL,        0.002},
    {"transform",        MATERIALS,              transformed,   NULL,        0.002},
    {"side-by-side",     SHAPES,                 sideBySide,    NULL,        0.002},
    {"quad-buffered",    SHAPES,                 quadBuffered,  NULL,        0.002},
    {"off-centre",       SHAPES,                 NULL,          offCentre,   0.002},
    {"frame",            SHAPES,                 framed,        NULL,        0.002},
    {"segments",         SHAPES,                 segments,      NULL,        0.002},
    {"identifiers",      FLEX,                   identifiers,   NULL,        0.002},
    {"humanoid",         "scenes/humanoid.xml",  NULL,          NULL,        0.002},
    {"humanoid-clear",   "scenes/humanoid.xml",  seeThrough,    NULL,        0.002},
    {"studio",           "scenes/studio.xml",    NULL,          NULL,        0.002},
    {"terrain",          "scenes/terrain.xml",   NULL,          NULL,        0.002},
    {"mesh-pile",        "scenes/mesh_pile.xml", NULL,          NULL,        0.002},
    {"workshop",         "scenes/workshop.xml",  NULL,          NULL,        0.002},
};

// draws a shot with one library; no error of OpenGL may be left
static PicStage* drawShot(const Shot* shot, int oracle) {
  PicStage* const s = pic_open(shot->xml, WIDTH, HEIGHT, oracle);
  if (shot->before) shot->before(s);
  pic_update(s);
  if (shot->after) shot->after(s);
  while (mjr_getError()) continue;
  pic_draw(s);
  if (!oracle) assert_int_equal(mjr_getError(), 0);
  while (mjr_getError()) continue;
  pic_save(s, shot->name);
  return s;
}

static void compareShot(const Shot* shot) {
  PicStage* const ours = drawShot(shot, 0);
  PicStage* const theirs = drawShot(shot, 1);
  const double colour = pic_difference(ours, theirs, 4), depth = pic_depthDifference(ours, theirs, 1e-4);
  printf("%-18s colour %.5f depth %.5f\n", shot->name, colour, depth);
  pic_close(ours);
  pic_close(theirs);
  assert_true(colour <= shot->tolerance);
  assert_true(depth <= 0.002);
}

static void picturesEqualTheReferences(void** state) {
  (void)state;
  if (!available || !orc_available()) skip();
  for (size_t i = 0; i < sizeof(SHOTS) / sizeof(SHOTS[0]); i++) compareShot(SHOTS + i);
}

//---------------------------------- state after a frame ----------------------------------

static const GLenum SWITCHES[] = {
    GL_LINE_SMOOTH,  GL_LINE_STIPPLE,     GL_CULL_FACE,           GL_LIGHTING,      GL_COLOR_MATERIAL, GL_FOG,
    GL_DEPTH_TEST,   GL_STENCIL_TEST,     GL_NORMALIZE,           GL_ALPHA_TEST,    GL_BLEND,          GL_SCISSOR_TEST,
    GL_TEXTURE_2D,   GL_MULTISAMPLE,      GL_TEXTURE_GEN_S,       GL_TEXTURE_GEN_T, GL_TEXTURE_GEN_R,  GL_TEXTURE_GEN_Q,
    GL_CLIP_PLANE0,  GL_TEXTURE_CUBE_MAP, GL_POLYGON_OFFSET_FILL, GL_LIGHT0,        GL_LIGHT0 + 1,     GL_LIGHT0 + 2,
    GL_VERTEX_ARRAY, GL_NORMAL_ARRAY,     GL_TEXTURE_COORD_ARRAY,
};

// names that OpenGL's query knows: matrix mode, cull face, front face, polygon mode, shade model, depth mask and
// function, blend functions, draw and read buffer, framebuffer, array buffer, viewport, scissor box, depth clear value,
// stencil function, alpha function
static const GLenum VALUES[] = {0x0BA0, 0x0B45, 0x0B46, 0x0B40, 0x0B54, 0x0B72, 0x0B74, 0x0BE0, 0x0BE1, 0x0C01,
                                0x0C02, 0x8894, 0x0BA2, 0x0C10, 0x0B73, 0x0B92, 0x0BC1, 0x0BA3, 0x0BA4};

enum { NSWITCH = sizeof(SWITCHES) / sizeof(SWITCHES[0]), NVALUE = sizeof(VALUES) / sizeof(VALUES[0]) };

typedef struct {
  int switches[2][NSWITCH];  // per texture unit
  int values[NVALUE][4];
} GlState;

static GlState readState(void) {
  GlState state;
  memset(&state, 0, sizeof(state));
  for (int unit = 0; unit < 2; unit++) {
    gl.ActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    for (int i = 0; i < NSWITCH; i++) state.switches[unit][i] = gl.IsEnabled(SWITCHES[i]);
  }
  gl.ActiveTexture(GL_TEXTURE0);
  for (int i = 0; i < NVALUE; i++) gl.GetIntegerv(VALUES[i], state.values[i]);
  return state;
}

static void frameLeavesTheReferencesState(void** state) {
  (void)state;
  if (!available || !orc_available()) skip();
  static const Shot STATES[] = {
      {"state",          MATERIALS,    NULL,        NULL, 0},
      {"state-shadows",  SHADOWS,      NULL,        NULL, 0},
      {"state-mirror",   MIRROR_PLANE, NULL,        NULL, 0},
      {"state-segments", SHAPES,       identifiers, NULL, 0},
      {"state-wire",     SKY,          wireframe,   NULL, 0},
      {"state-faces",    CLEAR,        keepBack,    NULL, 0},
  };
  for (size_t i = 0; i < sizeof(STATES) / sizeof(STATES[0]); i++) {
    GlState left[2];
    for (int oracle = 0; oracle < 2; oracle++) {
      PicStage* const s = drawShot(STATES + i, oracle);
      // the reference's buffers have other names
      left[oracle] = readState();
      pic_close(s);
    }
    for (int k = 0; k < NVALUE; k++) {
      for (int n = 0; n < 4; n++) {
        if (left[0].values[k][n] != left[1].values[k][n]) print_error("%s: value 0x%x\n", STATES[i].name, VALUES[k]);
      }
    }
    for (int k = 0; k < 2 * NSWITCH; k++) {
      const int unit = k / NSWITCH;
      if (left[0].switches[unit][k % NSWITCH] != left[1].switches[unit][k % NSWITCH]) {
        print_error("%s: switch 0x%x\n", STATES[i].name, SWITCHES[k % NSWITCH]);
      }
    }
    assert_memory_equal(left, left + 1, sizeof(GlState));
  }
}

//---------------------------------- main ----------------------------------

static int makeContext(void** state) {
  (void)state;
  available = glc_make();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(picturesEqualTheReferences),
      cmocka_unit_test(frameLeavesTheReferencesState),
  };
  return cmocka_run_group_tests(tests, makeContext, NULL);
}
