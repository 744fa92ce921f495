// Contexts: every field against the reference after making, changing and freeing; errors; nothing left behind.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "render/render.h"
#include "support/catch.h"
#include "support/glcontext.h"
#include "support/model.h"
#include "support/oracle.h"

// everything that a context copies or makes: textures of each type, materials with and without, planes, meshes, a
// height field, a skin with texture coordinates and one without
static const char* const RICH =
    "<mujoco><statistic extent='3'/>"
    "<visual><global offwidth='120' offheight='90' linewidth='2.5'/>"
    "<quality shadowsize='256' offsamples='4' numslices='9' numstacks='6' numquads='3'/>"
    "<map shadowclip='2' shadowscale='.7' fogstart='4' fogend='8' haze='.4'/><rgba fog='.1 .2 .3 .4'/></visual>"
    "<asset>"
    "<texture name='flat' type='2d' builtin='checker' width='16' height='8' rgb1='1 0 0' rgb2='0 1 0'/>"
    "<texture name='cube' type='cube' builtin='gradient' width='8' height='48' rgb1='1 0 0' rgb2='0 0 1'/>"
    "<texture name='one' type='cube' builtin='flat' width='4' height='4' rgb1='.2 .4 .6'/>"
    "<texture name='sky' type='skybox' builtin='gradient' width='16' height='96' rgb1='.3 .5 .7' rgb2='0 0 0'/>"
    "<texture name='srgb' type='2d' builtin='flat' colorspace='sRGB' width='4' height='4' rgb1='.5 .5 .5'/>"
    "<material name='plain' rgba='1 0 0 1'/>"
    "<material name='tiles' texture='flat' texuniform='true' texrepeat='3 4'/>"
    "<material name='dice' texture='cube'/>"
    "<mesh name='wedge' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>"
    "<mesh name='open' inertia='shell' vertex='0 0 0 1 0 0 0 1 0 1 1 .5' face='0 1 2 1 3 2'/>"
    "<hfield name='hills' nrow='3' ncol='4' size='1 1 .5 .1' elevation='0 1 2 0 3 1 0 2 1 1 0 0'/>"
    "<skin name='cloth' vertex='0 0 0 1 0 0 0 1 0' face='0 1 2' texcoord='0 0 1 0 0 1'>"
    "<bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin>"
    "<skin name='bare' vertex='0 0 0 1 0 0 0 1 0 1 1 0' face='0 1 2 1 3 2'>"
    "<bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2 3' vertweight='1 1 1 1'/></skin>"
    "</asset><worldbody><geom type='plane' size='2 3 .5' material='tiles'/><geom type='plane' size='0 0 1'/>"
    "<geom type='hfield' hfield='hills' pos='0 0 -2'/>"
    "<body name='b'><freejoint/><geom type='mesh' mesh='wedge'/><geom type='mesh' mesh='open' contype='0' mass='1'/>"
    "</body></worldbody></mujoco>";
static const char* const EMPTY = "<mujoco/>";
static const char* const NO_SHADOW =
    "<mujoco><visual><quality shadowsize='0' offsamples='0'/></visual><worldbody><geom size='1'/></worldbody></mujoco>";
static const char* const MANY_SAMPLES = "<mujoco><visual><quality offsamples='1000'/></visual></mujoco>";

// a fresh context of ours
static mjrContext make(const mjModel* m) {
  mjrContext con;
  mjr_defaultContext(&con);
  mjr_makeContext(m, &con, mjFONTSCALE_150);
  return con;
}

//---------------------------------- comparison ----------------------------------

static int errors;

static void differ(const char* field, int i, double our, double expected) {
  if (errors++ < 10) print_error("%s[%d] is %g, expected %g\n", field, i, our, expected);
}

// OpenGL gives any names: only whether there is one is compared
static void sameFields(const mjrContext* our, const mjrContext* ref) {
#define COUNT(field) ((int)(sizeof(our->field) / sizeof(*(our->field))))
#define VALUE(field) \
  if (our->field != ref->field) differ(#field, 0, (double)our->field, (double)ref->field)
#define VALUES(field)                    \
  for (int i = 0; i < COUNT(field); i++) \
    if (our->field[i] != ref->field[i]) differ(#field, i, (double)our->field[i], (double)ref->field[i])
#define NAME(field) \
  if (!our->field != !ref->field) differ(#field, 0, (double)our->field, (double)ref->field)
#define NAMES(field)                     \
  for (int i = 0; i < COUNT(field); i++) \
    if (!our->field[i] != !ref->field[i]) differ(#field, i, (double)our->field[i], (double)ref->field[i])
  VALUE(lineWidth);
  VALUE(shadowClip);
  VALUE(shadowScale);
  VALUE(fogStart);
  VALUE(fogEnd);
  VALUES(fogRGBA);
  VALUE(shadowSize);
  VALUE(offWidth);
  VALUE(offHeight);
  VALUE(offSamples);
  VALUE(fontScale);
  VALUES(auxWidth);
  VALUES(auxHeight);
  VALUES(auxSamples);
  NAME(offFBO);
  NAME(offFBO_r);
  NAME(offColor);
  NAME(offColor_r);
  NAME(offDepthStencil);
  NAME(offDepthStencil_r);
  NAME(shadowFBO);
  NAME(shadowTex);
  NAMES(auxFBO);
  NAMES(auxFBO_r);
  NAMES(auxColor);
  NAMES(auxColor_r);
  VALUES(mat_texid);
  VALUES(mat_texuniform);
  VALUES(mat_texrepeat);
  VALUE(ntexture);
  VALUES(textureType);
  NAMES(texture);
  NAME(basePlane);
  NAME(baseMesh);
  NAME(baseHField);
  NAME(baseBuiltin);
  NAME(baseFontNormal);
  NAME(baseFontShadow);
  NAME(baseFontBig);
  VALUE(rangePlane);
  VALUE(rangeMesh);
  VALUE(rangeHField);
  VALUE(rangeFont);
  VALUE(nskin);
  for (int i = 0; i < our->nskin && i < ref->nskin; i++) {
    NAME(skinvertVBO[i]);
    NAME(skinnormalVBO[i]);
    NAME(skintexcoordVBO[i]);
    NAME(skinfaceVBO[i]);
  }
  VALUES(charWidth);
  VALUES(charWidthBig);
  VALUE(charHeight);
  VALUE(charHeightBig);
  VALUE(glInitialized);
  VALUE(windowAvailable);
  VALUE(windowSamples);
  VALUE(windowStereo);
  VALUE(windowDoublebuffer);
  VALUE(currentBuffer);
  VALUE(readDepthMap);
  assert_int_equal(errors, 0);
}

// formats, samples and sizes of the offscreen renderbuffers
static void sameBuffers(const mjrContext* our, const mjrContext* ref) {
  enum { BUFFER_WIDTH = 0x8D42, BUFFER_HEIGHT = 0x8D43, BUFFER_FORMAT = 0x8D44 };
  static const GLenum ASKED[] = {BUFFER_WIDTH, BUFFER_HEIGHT, BUFFER_FORMAT, GL_RENDERBUFFER_SAMPLES};
  const GLuint ours[] = {our->offColor, our->offColor_r, our->offDepthStencil, our->offDepthStencil_r};
  const GLuint theirs[] = {ref->offColor, ref->offColor_r, ref->offDepthStencil, ref->offDepthStencil_r};
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4 && ours[i]; k++) {
      GLint a = -1, b = -2;
      gl.BindRenderbuffer(GL_RENDERBUFFER, ours[i]);
      gl.GetRenderbufferParameteriv(GL_RENDERBUFFER, ASKED[k], &a);
      gl.BindRenderbuffer(GL_RENDERBUFFER, theirs[i]);
      gl.GetRenderbufferParameteriv(GL_RENDERBUFFER, ASKED[k], &b);
      assert_int_equal(a, b);
    }
  }
}

static int nerror;

static void countError(const char* message) {
  (void)message;
  nerror++;
}

//---------------------------------- tests ----------------------------------

// runs first: there is no OpenGL yet
static void withoutOpenGl(void** state) {
  (void)state;
  mjrContext con;
  mjr_defaultContext(&con);
  assert_non_null(strstr(CATCH(mjr_makeContext(NULL, &con, 100)), "OpenGL context"));
  assert_non_null(strstr(CATCH(mjr_finish()), "mjr_finish"));
  assert_non_null(strstr(CATCH(mjr_getError()), "mjr_getError"));
  assert_null(CATCH(mjr_freeContext(&con)));
}

static void fields(void** state) {
  (void)state;
  if (!glc_make()) skip();
  const char* const xml[] = {RICH, EMPTY, NO_SHADOW, MANY_SAMPLES};
  for (int i = 0; i < 4; i++) {
    mjModel* const m = tst_string(xml[i]);
    mjrContext our = make(m);
    assert_int_equal(mjr_getError(), 0);
    assert_int_equal(our.readPixelFormat, GL_RGB);
    if (orc_available()) {
      mjrContext ref;
      ORC(mjr_defaultContext)(&ref);
      ORC(mjr_makeContext)(m, &ref, mjFONTSCALE_150);
      sameFields(&our, &ref);
      assert_int_equal(our.readPixelFormat, ref.readPixelFormat);
      sameBuffers(&our, &ref);
      mjr_resizeOffscreen(33, 44, &our);
      ORC(mjr_resizeOffscreen)(33, 44, &ref);
      sameBuffers(&our, &ref);
      ORC(mjr_freeContext)(&ref);
    }
    mjr_freeContext(&our);
    mj_deleteModel(m);
  }
}

// what the model says, without the reference
static void copies(void** state) {
  (void)state;
  if (!glc_make()) skip();
  mjModel* const m = tst_string(RICH);
  mjrContext con = make(m);
  assert_true(con.lineWidth == 2.5f && con.shadowClip == 6 && con.shadowScale == .7f);
  assert_true(con.fogStart == 12 && con.fogEnd == 24 && con.fogRGBA[2] == .3f);
  assert_int_equal(con.offWidth, 120);
  assert_int_equal(con.offHeight, 90);
  assert_true(con.offSamples >= 4 && con.offFBO_r && con.offColor_r && con.offDepthStencil_r);
  assert_true(con.shadowSize == 256 && con.shadowFBO && con.shadowTex);
  assert_int_equal(con.ntexture, 5);
  assert_int_equal(con.textureType[3], mjTEXTURE_SKYBOX);
  assert_int_equal(con.mat_texid[0 + mjTEXROLE_RGB], -1);
  assert_int_equal(con.mat_texid[mjNTEXROLE + mjTEXROLE_RGB], 0);
  assert_int_equal(con.mat_texid[2 * mjNTEXROLE + mjTEXROLE_RGB], 1);
  assert_int_equal(con.mat_texid[(mjMAXMATERIAL - 1) * mjNTEXROLE + mjTEXROLE_RGB], 3);
  assert_true(con.mat_texuniform[1] == 1 && con.mat_texrepeat[2] == 3 && con.mat_texrepeat[3] == 4);
  assert_int_equal(con.rangePlane, 3);
  assert_int_equal(con.rangeMesh, 4);
  assert_int_equal(con.rangeHField, 1);
  assert_int_equal(con.rangeBuiltin, REN_NSHAPE);
  assert_int_equal(con.nskin, 2);
  assert_true(con.skintexcoordVBO[0] && !con.skintexcoordVBO[1] && con.skinfaceVBO[1]);

  // without a window the offscreen buffer is current whatever is asked for
  if (!con.windowAvailable) assert_int_equal(con.currentBuffer, mjFB_OFFSCREEN);
  mjr_setBuffer(mjFB_OFFSCREEN, &con);
  const mjrRect all = mjr_maxViewport(&con);
  assert_true(all.left == 0 && all.bottom == 0 && all.width == 120 && all.height == 90);
  mjr_finish();
  mjr_freeContext(&con);
  mj_deleteModel(m);
}

static void noModel(void** state) {
  (void)state;
  if (!glc_make()) skip();
  mjrContext our = make(NULL);
  assert_int_equal(our.offWidth, 800);
  assert_int_equal(our.offHeight, 600);
  assert_int_equal(our.offSamples, 0);
  assert_int_equal(our.rangeBuiltin, 0);
  assert_true(our.baseFontNormal && our.offFBO);
  if (orc_available()) {
    mjrContext ref;
    ORC(mjr_defaultContext)(&ref);
    ORC(mjr_makeContext)(NULL, &ref, mjFONTSCALE_150);
    sameFields(&our, &ref);
    ORC(mjr_freeContext)(&ref);
  }
  mjr_freeContext(&our);
  assert_int_equal(mjr_getError(), 0);
}

static void fontScales(void** state) {
  (void)state;
  if (!glc_make()) skip();
  mjrContext con;
  mjr_defaultContext(&con);
  const int asked[] = {0, 100, 137, 124, 126, 300, 900}, given[] = {100, 100, 150, 100, 150, 300, 300};
  for (int i = 0; i < 7; i++) {
    mjr_makeContext(NULL, &con, asked[i]);
    assert_int_equal(con.fontScale, given[i]);
  }
  mjr_changeFont(mjFONTSCALE_200, &con);
  assert_int_equal(con.fontScale, 200);
  assert_true(con.baseFontNormal && con.baseFontShadow && con.baseFontBig);
  assert_non_null(CATCH(mjr_changeFont(77, &con)));
  mjr_freeContext(&con);
}

// making over a context frees what it had; freeing keeps what is known of the window and can be repeated
static void again(void** state) {
  (void)state;
  if (!glc_make()) skip();
  mjModel* const m = tst_string(RICH);
  mjrContext con;
  mjr_defaultContext(&con);
  GLboolean (*isList)(GLuint) = (GLboolean(*)(GLuint))glc_function("glIsList");
  GLboolean (*isTexture)(GLuint) = (GLboolean(*)(GLuint))glc_function("glIsTexture");
  GLboolean (*isFramebuffer)(GLuint) = (GLboolean(*)(GLuint))glc_function("glIsFramebuffer");
  GLboolean (*isBuffer)(GLuint) = (GLboolean(*)(GLuint))glc_function("glIsBuffer");
  for (int i = 0; i < 5; i++) {
    mjr_makeContext(m, &con, 100);
    mjr_addAux(2, 30, 20, 4, &con);
    assert_int_equal(mjr_getError(), 0);
    assert_true(isList(con.baseMesh) && isList(con.baseBuiltin + REN_NSHAPE - 1) && isTexture(con.texture[4]));
    assert_true(isFramebuffer(con.auxFBO_r[2]) && isBuffer(con.skinfaceVBO[0]));
  }
  const mjrContext old = con;
  const GLuint buffer = con.skinfaceVBO[0];
  mjr_freeContext(&con);
  assert_false(isList(old.baseMesh) || isList(old.basePlane) || isList(old.baseBuiltin) || isList(old.baseHField));
  assert_false(isList(old.baseFontNormal) || isTexture(old.texture[4]) || isTexture(old.shadowTex));
  assert_false(isFramebuffer(old.offFBO) || isFramebuffer(old.auxFBO[2]) || isFramebuffer(old.shadowFBO));
  assert_false(isBuffer(buffer));
  assert_int_equal(con.glInitialized, 1);
  assert_int_equal(con.windowAvailable, old.windowAvailable);
  mjrContext cleared;
  mjr_defaultContext(&cleared);
  cleared.glInitialized = 1;
  cleared.windowAvailable = old.windowAvailable;
  cleared.windowDoublebuffer = old.windowDoublebuffer;
  assert_memory_equal(&con, &cleared, sizeof(con));
  mjr_freeContext(&con);
  assert_int_equal(mjr_getError(), 0);
  mj_deleteModel(m);
}

static void resize(void** state) {
  (void)state;
  if (!glc_make()) skip();
  mjModel* const m = tst_string(RICH);
  mjrContext con = make(m);
  mjr_setBuffer(mjFB_OFFSCREEN, &con);
  const GLuint fbo = con.offFBO;

  // larger than before: all pixels can be drawn and read
  mjr_resizeOffscreen(200, 150, &con);
  const mjrRect all = mjr_maxViewport(&con);
  assert_true(all.width == 200 && all.height == 150 && con.offFBO == fbo);
  gl.ClearColor(0, 1, 0, 1);
  gl.Clear(GL_COLOR_BUFFER_BIT);
  static unsigned char rgb[3 * 200 * 150];
  mjr_readPixels(rgb, NULL, all, &con);
  for (int i = 0; i < 200 * 150; i++) assert_true(rgb[3 * i] == 0 && rgb[3 * i + 1] == 255 && rgb[3 * i + 2] == 0);
  assert_int_equal(mjr_getError(), 0);

  // nothing: the size is remembered, buffers stay
  mjr_resizeOffscreen(0, 0, &con);
  assert_true(con.offWidth == 0 && con.offFBO == fbo);
  assert_non_null(CATCH(mjr_resizeOffscreen(-1, 5, &con)));
  assert_non_null(strstr(CATCH(mjr_resizeOffscreen(1 << 20, 5, &con)), "width exceeds"));
  mjr_freeContext(&con);

  // from none
  m->vis.global.offwidth = 0;
  con = (mjrContext){0};
  if (!CATCH(mjr_makeContext(m, &con, 100))) mjr_setBuffer(mjFB_WINDOW, &con);
  assert_int_equal(con.offFBO, 0);
  mjr_resizeOffscreen(10, 10, &con);
  assert_true(con.offFBO != 0);
  mjr_freeContext(&con);
  assert_int_equal(mjr_getError(), 0);
  mj_deleteModel(m);
}

// a handler that returns: nothing is done, nothing breaks
static void ignored(void** state) {
  (void)state;
  if (!glc_make()) skip();
  mjModel* const m = tst_string(RICH);
  mjrContext none = {0}, con = make(m);
  const mjrRect rect = {0, 0, 1, 1};
  unsigned char rgb[3] = {1, 2, 3};
  void (*const old)(const char*) = mju_user_error;
  mju_user_error = countError;
  mjr_makeContext(m, NULL, 100);
  mjr_readPixels(rgb, NULL, rect, &none);
  mjr_drawPixels(rgb, NULL, rect, &none);
  mjr_setBuffer(mjFB_WINDOW, &none);
  mjr_setAux(-1, &con);
  mjr_setAux(3, &con);
  mjr_blitAux(99, rect, 0, 0, &con);
  mjr_addAux(99, 1, 1, 0, &con);
  mjr_addAux(0, 1 << 20, 1, 0, &con);
  mjr_uploadMesh(NULL, &con, 0);
  mjr_uploadHField(m, &con, 7);
  mjr_uploadTexture(m, &con, -1);
  mjr_resizeOffscreen(-1, 1, &con);
  mjr_resizeOffscreen(1 << 20, 1, &con);
  mju_user_error = old;
  assert_int_equal(nerror, 14);
  assert_true(rgb[0] == 1 && con.offWidth == 120 && !con.auxFBO[0]);
  mjr_freeContext(&con);
  assert_int_equal(mjr_getError(), 0);
  mj_deleteModel(m);
}

static void wrong(void** state) {
  (void)state;
  if (!glc_make()) skip();
  mjModel* const m = tst_string(RICH);
  mjrContext none, con = make(m);
  mjr_defaultContext(&none);
  const mjrRect rect = {0, 0, 1, 1};
  unsigned char rgb[3];

  // a context that was not made
  assert_non_null(strstr(CATCH(mjr_setBuffer(0, &none)), "No OpenGL framebuffer"));
  assert_non_null(strstr(CATCH(mjr_restoreBuffer(&none)), "mjr_makeContext"));
  assert_non_null(strstr(CATCH(mjr_readPixels(rgb, NULL, rect, &none)), "mjr_readPixels"));
  assert_non_null(strstr(CATCH(mjr_drawPixels(rgb, NULL, rect, &none)), "mjr_drawPixels"));
  assert_non_null(strstr(CATCH(mjr_blitBuffer(rect, rect, 1, 0, &none)), "mjr_blitBuffer"));
  assert_non_null(strstr(CATCH(mjr_blitAux(0, rect, 0, 0, &none)), "mjr_blitAux"));
  assert_non_null(strstr(CATCH(mjr_setAux(0, &none)), "mjr_setAux"));
  assert_non_null(strstr(CATCH(mjr_maxViewport(&none)), "mjr_maxViewport"));
  assert_non_null(strstr(CATCH(mjr_addAux(0, 1, 1, 0, &none)), "mjr_addAux"));
  assert_non_null(strstr(CATCH(mjr_resizeOffscreen(1, 1, &none)), "mjr_resizeOffscreen"));
  assert_non_null(strstr(CATCH(mjr_changeFont(100, &none)), "mjr_changeFont"));
  assert_non_null(strstr(CATCH(mjr_uploadMesh(m, &none, 0)), "mjr_uploadMesh"));
  mjr_freeContext(&none);

  // none at all
  mjr_freeContext(NULL);
  assert_non_null(strstr(CATCH(mjr_defaultContext(NULL)), "mjr_defaultContext"));
  assert_non_null(strstr(CATCH(mjr_makeContext(m, NULL, 100)), "mjr_makeContext"));
  assert_non_null(strstr(CATCH(mjr_setBuffer(0, NULL)), "No OpenGL framebuffer"));
  assert_non_null(strstr(CATCH(mjr_readPixels(rgb, NULL, rect, NULL)), "mjr_readPixels"));
  assert_non_null(strstr(CATCH(mjr_uploadTexture(NULL, &con, 0)), "Invalid texture index"));
  assert_non_null(strstr(CATCH(mjr_uploadMesh(NULL, &con, 0)), "Invalid mesh index"));
  assert_non_null(strstr(CATCH(mjr_uploadHField(NULL, &con, 0)), "Invalid height field index"));

  // indices
  const int ids[] = {-1, 100};
  for (int i = 0; i < 2; i++) {
    assert_non_null(strstr(CATCH(mjr_uploadMesh(m, &con, ids[i])), "Invalid mesh index"));
    assert_non_null(strstr(CATCH(mjr_uploadHField(m, &con, ids[i])), "Invalid height field index"));
    assert_non_null(strstr(CATCH(mjr_uploadTexture(m, &con, ids[i])), "Invalid texture index"));
    assert_non_null(strstr(CATCH(mjr_addAux(ids[i], 1, 1, 0, &con)), "Invalid aux buffer index"));
    assert_non_null(strstr(CATCH(mjr_setAux(ids[i], &con)), "Invalid aux buffer index"));
    assert_non_null(strstr(CATCH(mjr_blitAux(ids[i], rect, 0, 0, &con)), "Invalid aux buffer index"));
  }
  assert_non_null(strstr(CATCH(mjr_setAux(3, &con)), "does not exist"));
  assert_non_null(strstr(CATCH(mjr_addAux(0, 1 << 20, 1, 0, &con)), "width exceeds"));
  assert_non_null(strstr(CATCH(mjr_addAux(0, 1, 1 << 20, 0, &con)), "height exceeds"));

  // sizes
  m->tex_nchannel[0] = 2;
  assert_non_null(strstr(CATCH(mjr_uploadTexture(m, &con, 0)), "channels not supported: 2"));
  m->tex_nchannel[0] = 3;
  m->tex_height[1]--;
  assert_non_null(strstr(CATCH(mjr_uploadTexture(m, &con, 1)), "squares"));
  m->tex_height[1]++;
  m->vis.global.offwidth = 1 << 20;
  assert_non_null(strstr(CATCH(mjr_makeContext(m, &con, 100)), "width exceeds"));
  mjr_freeContext(&con);
  assert_int_equal(mjr_getError(), 0);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(withoutOpenGl), cmocka_unit_test(fields),     cmocka_unit_test(copies),
      cmocka_unit_test(noModel),       cmocka_unit_test(fontScales), cmocka_unit_test(again),
      cmocka_unit_test(resize),        cmocka_unit_test(wrong),      cmocka_unit_test(ignored),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
