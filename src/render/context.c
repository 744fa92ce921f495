// Making, changing and freeing an mjrContext: all that a model needs on the graphics card, and what the window offers.
#include "render/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//---------------------------------- OpenGL ----------------------------------

int ren_hasContext(const mjrContext* con, const char* caller) {
  const int made = con && con->glInitialized;
  if (!made) mju_error("%s: mjr_makeContext was not called", caller);
  return made;
}

// prints what the driver has to say
static void printMessage(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length, const GLchar* message,
                         const void* user) {
  (void)length, (void)user;
  printf("GL DEBUG: source = 0x%x, type = 0x%x, severity = 0x%x, id = 0x%x\nmessage = %s\n\n", source, type, severity,
         id, message);
}

// finds OpenGL's functions and checks what the current context can do; 1: it can be used
static int loadGl(void) {
  const char* const missing = ren_loadGl();
  if (missing) {
    mju_error("mjr_makeContext needs %s, which was not found: make an OpenGL context current first", missing);
    return 0;
  }
  int major = 0, minor = 0;
  const char* const version = (const char*)gl.GetString(GL_VERSION);
  if (!version || sscanf(version, "%d.%d", &major, &minor) != 2 || 10 * major + minor < 15) {
    mju_error("OpenGL version 1.5 or higher required, found '%s'", version ? version : "none");
    return 0;
  }
  if (!gl.GetString(GL_EXTENSIONS)) {
    mju_error("OpenGL %s: compatibility profile required", version);
    return 0;
  }
  const int framebuffers = ren_hasExtension("GL_ARB_framebuffer_object");
  if (!framebuffers) mju_error("OpenGL ARB_framebuffer_object required");
  return framebuffers;
}

// 1: there is a window (or what stands for it), 0: none, as in a context without a surface
static int findWindow(void) {
  gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
  const GLenum status = gl.CheckFramebufferStatus(GL_FRAMEBUFFER);
  if (status != GL_FRAMEBUFFER_COMPLETE && status != GL_FRAMEBUFFER_UNDEFINED) {
    mju_error("Default framebuffer is not complete, error 0x%x", status);
  }
  return status == GL_FRAMEBUFFER_COMPLETE;
}

static void readWindow(mjrContext* con) {
  GLboolean flag = 0;
  GLint count = 0;
  gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
  gl.GetBooleanv(GL_STEREO, &flag);
  con->windowStereo = flag;
  gl.GetBooleanv(GL_DOUBLEBUFFER, &flag);
  con->windowDoublebuffer = flag;
  gl.GetIntegerv(GL_SAMPLE_BUFFERS, &count);
  if (count) gl.GetIntegerv(GL_SAMPLES, &count);
  con->windowSamples = count;
}

// the first part of making a context: functions, window, transfer of pixels without padding; 1: done
static int startGl(mjrContext* con) {
  if (!con->glInitialized) {
    if (!loadGl()) return 0;
    con->windowAvailable = findWindow();
    con->glInitialized = 1;
  }
  const char* const debug = getenv("MUJOCO_GL_DEBUG");
  if (debug && strcmp(debug, "1") == 0 && gl.DebugMessageCallback) {
    gl.Enable(GL_DEBUG_OUTPUT);
    gl.DebugMessageCallback(printMessage, NULL);
  }
  if (con->windowAvailable) readWindow(con);
  gl.PixelStorei(GL_PACK_ALIGNMENT, 1);
  gl.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
  return 1;
}

//---------------------------------- making ----------------------------------

static void copyVisual(const mjModel* m, mjrContext* con) {
  const mjVisual* const vis = &m->vis;
  con->lineWidth = vis->global.linewidth;
  con->shadowClip = (float)(m->stat.extent * vis->map.shadowclip);
  con->shadowScale = vis->map.shadowscale;
  con->fogStart = (float)(m->stat.extent * vis->map.fogstart);
  con->fogEnd = (float)(m->stat.extent * vis->map.fogend);
  memcpy(con->fogRGBA, vis->rgba.fog, sizeof(con->fogRGBA));
  con->shadowSize = vis->quality.shadowsize;
  con->offWidth = vis->global.offwidth;
  con->offHeight = vis->global.offheight;
  con->offSamples = vis->quality.offsamples;
}

static void setFog(const mjrContext* con) {
  gl.Fogi(GL_FOG_MODE, GL_LINEAR);
  gl.Fogf(GL_FOG_START, con->fogStart);
  gl.Fogf(GL_FOG_END, con->fogEnd);
  gl.Fogfv(GL_FOG_COLOR, con->fogRGBA);
  gl.Fogi(GL_FOG_COORD_SRC, GL_FRAGMENT_DEPTH);
  gl.Hint(GL_FOG_HINT, GL_NICEST);
}

// everything of a model, fonts excepted
static void makeModel(const mjModel* m, mjrContext* con) {
  copyVisual(m, con);
  setFog(con);
  ren_makeOffscreen(con);
  ren_makeShadowMap(con);
  ren_makeMaterials(m, con);
  ren_makeTextures(m, con);
  ren_makePlanes(m, con);
  ren_makeMeshes(m, con);
  ren_makeHFields(m, con);
  ren_makeShapes(m, con);
  ren_makeSkins(m, con);
  if (ren_hasExtension("GL_ARB_seamless_cube_map")) gl.Enable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
}

void mjr_defaultContext(mjrContext* con) {
  if (!con) {
    mju_error("mjr_defaultContext: con is NULL");
    return;
  }
  memset(con, 0, sizeof(*con));
}

void mjr_makeContext(const mjModel* m, mjrContext* con, int fontscale) {
  if (!con) {
    mju_error("mjr_makeContext: con is NULL");
    return;
  }
  if (!startGl(con)) return;
  mjr_freeContext(con);
  if (m) {
    makeModel(m, con);
  } else {
    con->offWidth = 800;
    con->offHeight = 600;
    ren_makeOffscreen(con);
  }

  // fonts come in steps of a half
  const int scale = 50 * mju_round(fontscale / 50.0);
  ren_makeFonts(con, scale < mjFONTSCALE_100 ? mjFONTSCALE_100 : scale > mjFONTSCALE_300 ? mjFONTSCALE_300 : scale);
  con->readPixelFormat = GL_RGB;
  con->readDepthMap = mjDEPTH_ZERONEAR;
  mjr_setBuffer(mjFB_WINDOW, con);

  // a context that was lost reports errors for ever
  enum { MOST = 16 };
  for (GLenum error, i = 0; i < MOST && (error = gl.GetError()) != GL_NO_ERROR; i++) {
    mju_warning("OpenGL error 0x%x in or before mjr_makeContext", error);
  }
}

void mjr_changeFont(int fontscale, mjrContext* con) {
  if (!ren_hasContext(con, "mjr_changeFont")) return;
  ren_makeFonts(con, fontscale);
}

void mjr_freeContext(mjrContext* con) {
  if (!con) return;

  // objects of OpenGL
  const struct {
    GLuint base;
    int range;
  } lists[] = {
      {con->basePlane,      con->rangePlane  },
      {con->baseMesh,       con->rangeMesh   },
      {con->baseHField,     con->rangeHField },
      {con->baseBuiltin,    con->rangeBuiltin},
      {con->baseFontNormal, con->rangeFont   },
      {con->baseFontShadow, con->rangeFont   },
      {con->baseFontBig,    con->rangeFont   },
  };
  for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
    if (lists[i].base) gl.DeleteLists(lists[i].base, lists[i].range);
  }
  if (con->ntexture) gl.DeleteTextures(con->ntexture, con->texture);
  ren_freeFramebuffers(con);
  ren_freeSkins(con);

  // what is known of the window stays
  const mjrContext old = *con;
  mjr_defaultContext(con);
  con->glInitialized = old.glInitialized;
  con->windowAvailable = old.windowAvailable;
  con->windowSamples = old.windowSamples;
  con->windowStereo = old.windowStereo;
  con->windowDoublebuffer = old.windowDoublebuffer;
}

//---------------------------------- state of OpenGL ----------------------------------

static int hasGl(const char* caller) {
  if (!gl.GetError) mju_error("%s: mjr_makeContext was not called", caller);
  return gl.GetError != NULL;
}

void mjr_finish(void) {
  if (hasGl("mjr_finish")) gl.Finish();
}

int mjr_getError(void) {
  return hasGl("mjr_getError") ? (int)gl.GetError() : 0;
}
