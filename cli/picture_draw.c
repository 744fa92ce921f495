// Drawing for `sinew picture`: a state as colours, as depth, or as a colour per object.
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "picture.h"
#include "support/cli.h"
#include "support/model.h"

// -------------------------------------------------------------------------------------------- what is seen

enum { FIRST_GEOMS = 2000 };  // room in the scene; more is made when a model needs it

void pic_start(PicEasel* easel, const mjModel* m) {
  easel->m = m;
  easel->d = mj_makeData(m);
  mjv_defaultOption(&easel->option);
  mjv_defaultFreeCamera(m, &easel->camera);
  mjv_defaultScene(&easel->scene);
  mjv_makeScene(m, &easel->scene, FIRST_GEOMS);
  mjr_defaultContext(&easel->context);

  // a sky has no distance, and light does not change any
  mjtByte* const flags = easel->scene.flags;
  if (easel->kind == PIC_DEPTH) flags[mjRND_SKYBOX] = flags[mjRND_SHADOW] = flags[mjRND_REFLECTION] = 0;
}

int pic_setCamera(PicEasel* easel, const char* word) {
  const mjModel* const m = easel->m;
  int id = mj_name2id(m, mjOBJ_CAMERA, word);
  double number = -1;
  if (id < 0 && cli_number(word, &number) && number >= 0 && number < (double)m->ncam) id = (int)number;
  if (id < 0) return cli_unknownObject(m, mjOBJ_CAMERA, word);
  easel->camera.type = mjCAMERA_FIXED;
  easel->camera.fixedcamid = id;
  return CLI_OK;
}

// the switch that a name stands for; flags of the model's parts come before those of the drawing
static mjtByte* flagAt(PicEasel* easel, int i) {
  return i < mjNVISFLAG ? &easel->option.flags[i] : &easel->scene.flags[i - mjNVISFLAG];
}

// names as the library has them, in small letters and joined: contact-point
const char* pic_flag(int i) {
  static char name[mjNVISFLAG + mjNRNDFLAG][24];
  if (i >= mjNVISFLAG + mjNRNDFLAG) return NULL;
  const char* const text = i < mjNVISFLAG ? mjVISSTRING[i][0] : mjRNDSTRING[i - mjNVISFLAG][0];
  for (size_t k = 0; k < sizeof(name[i]) - 1 && text[k]; k++)
    name[i][k] = text[k] == ' ' ? '-' : (char)(text[k] | 0x20);
  return name[i];
}

int pic_show(PicEasel* easel, const char* text) {
  const char* known[mjNVISFLAG + mjNRNDFLAG + 1];
  for (int i = 0; i <= mjNVISFLAG + mjNRNDFLAG; i++) known[i] = pic_flag(i);
  const char* const sign = strchrnul(text, '=');
  char name[32];
  snprintf(name, sizeof(name), "%.*s", (int)(sign - text), text);
  for (int i = 0; known[i]; i++) {
    if (strcasecmp(name, known[i]) != 0) continue;
    const int on = !*sign || !strcasecmp(sign, "=on"), off = !strcasecmp(sign, "=off");
    if (!on && !off) return cli_fail(CLI_USAGE, "--show %s: write %s=on or %s=off", text, name, name);
    *flagAt(easel, i) = (mjtByte)on;
    return CLI_OK;
  }
  return cli_unknown("thing to show", name, known);
}

// -------------------------------------------------------------------------------------------- objects

// kinds of objects that a scene draws, and how many the model has
static int countOf(const mjModel* m, int type) {
  switch (type) {
    case mjOBJ_BODY:
    case mjOBJ_XBODY:
      return (int)m->nbody;
    case mjOBJ_JOINT:
      return (int)m->njnt;
    case mjOBJ_GEOM:
      return (int)m->ngeom;
    case mjOBJ_SITE:
      return (int)m->nsite;
    case mjOBJ_CAMERA:
      return (int)m->ncam;
    case mjOBJ_LIGHT:
      return (int)m->nlight;
    case mjOBJ_FLEX:
      return (int)m->nflex;
    case mjOBJ_SKIN:
      return (int)m->nskin;
    case mjOBJ_EQUALITY:
      return (int)m->neq;
    case mjOBJ_TENDON:
      return (int)m->ntendon;
    case mjOBJ_ACTUATOR:
      return (int)m->nu;
    case mjOBJ_SENSOR:
      return (int)m->nsensor;
    default:
      return 0;
  }
}

// A colour of its own for each number, none of them dark. Multiplying spreads neighbours over all 21 bits, which are
// dealt to the channels in turn, the highest first.
static void colourOf(int number, unsigned char rgb[3]) {
  const unsigned bits = ((unsigned)number + 1) * 1296099u & 0x1FFFFF;
  for (int c = 0; c < 3; c++) {
    unsigned level = 0;
    for (int k = 0; k < 7; k++) level = level << 1 | (bits >> (20 - 3 * k - c) & 1);
    rgb[c] = (unsigned char)(64 + level * 3 / 2);
  }
}

// colours depend on the model only: not on the camera, nor on what else is seen
static void listObjects(PicEasel* easel) {
  int n = 1;
  for (int type = 0; type < mjNOBJECT; type++) n += countOf(easel->m, type);
  easel->object = cli_zeroed((size_t)n, sizeof(*easel->object));
  // geoms first, so that kinds that are seldom drawn do not change theirs
  for (int k = -1; k < mjNOBJECT; k++) {
    const int type = k < 0 ? mjOBJ_GEOM : k;
    for (int id = 0; id < countOf(easel->m, type) && k != mjOBJ_GEOM; id++) {
      easel->object[easel->nobject++] = (PicObject){.type = type, .id = id};
    }
  }
  easel->object[easel->nobject++] = (PicObject){.type = mjOBJ_UNKNOWN, .id = -1};
  for (int i = 0; i < easel->nobject; i++) colourOf(i, easel->object[i].rgb);
}

// first object of each type, and the decoration for what is none
static void findObjects(const PicEasel* easel, int start[mjNOBJECT]) {
  for (int type = 0; type < mjNOBJECT; type++) start[type] = -1;
  for (int i = easel->nobject - 2; i >= 0; i--) start[easel->object[i].type] = i;
}

// -------------------------------------------------------------------------------------------- context

int pic_connect(PicEasel* easel) {
  // what the driver has to say beside its errors is not for users of this program
  setenv("EGL_LOG_LEVEL", "fatal", 0);
  if (!cli_openOffscreen(&easel->screen, 0, 0)) {
    cli_fail(CLI_OUTPUT, "cannot draw: there is no OpenGL that works without a display");
    cli_hint("pictures need EGL or OSMesa: sudo apt-get install libegl1 libgl1-mesa-dri (or libosmesa6)");
    return CLI_OUTPUT;
  }
  mjr_makeContext(easel->m, &easel->context, mjFONTSCALE_100);
  mjr_setBuffer(mjFB_OFFSCREEN, &easel->context);
  mjr_resizeOffscreen(easel->width, easel->height, &easel->context);
  const size_t npixel = (size_t)easel->width * (size_t)easel->height;
  const int nchannel = easel->kind == PIC_DEPTH ? 1 : 3;
  easel->rgb = cli_zeroed(npixel, 3);
  easel->depth = cli_zeroed(npixel, sizeof(float));
  easel->image = (CliImage){easel->width, easel->height, nchannel, cli_zeroed(npixel, (size_t)nchannel)};
  if (easel->kind == PIC_SEGMENT) {
    // whatever else is shown
    easel->scene.flags[mjRND_SEGMENT] = easel->scene.flags[mjRND_IDCOLOR] = 1;
    listObjects(easel);
  }
  return CLI_OK;
}

void pic_free(PicEasel* easel) {
  if (easel->screen.name) mjr_freeContext(&easel->context);
  mjv_freeScene(&easel->scene);
  cli_closeOffscreen(&easel->screen);
  mj_deleteData(easel->d);
  free(easel->rgb);
  free(easel->depth);
  free(easel->image.at);
  free(easel->object);
}

// -------------------------------------------------------------------------------------------- drawing

// the scene of the state, with as much room as it needs
static void updateScene(PicEasel* easel) {
  mjvScene* const scene = &easel->scene;
  mjv_updateScene(easel->m, easel->d, &easel->option, NULL, &easel->camera, mjCAT_ALL, scene);
  while (scene->status && scene->maxgeom < (1 << 24)) {
    mjtByte flags[mjNRNDFLAG];
    memcpy(flags, scene->flags, sizeof(flags));
    const int maxgeom = 2 * scene->maxgeom;
    mjv_freeScene(scene);
    mjv_makeScene(easel->m, scene, maxgeom);
    memcpy(scene->flags, flags, sizeof(flags));
    mjv_updateScene(easel->m, easel->d, &easel->option, NULL, &easel->camera, mjCAT_ALL, scene);
  }
}

// the row of OpenGL's picture that is row y of ours
static size_t rowOf(const PicEasel* easel, int y) {
  return (size_t)(easel->height - 1 - y) * (size_t)easel->width;
}

static void paintColours(PicEasel* easel) {
  const size_t stride = 3 * (size_t)easel->width;
  for (int y = 0; y < easel->height; y++) {
    memcpy(easel->image.at + (size_t)y * stride, easel->rgb + 3 * rowOf(easel, y), stride);
  }
}

// distance from the camera's plane (m)
static double distanceOf(const mjvGLCamera* camera, double depth) {
  const double near = camera->frustum_near, far = camera->frustum_far;
  return camera->orthographic ? near + depth * (far - near) : near * far / (far - depth * (far - near));
}

// Brightness is the nearest distance over the distance: half as bright is twice as far, also on planes that have no
// end.
static void paintDepth(PicEasel* easel) {
  const mjvGLCamera camera = mjv_averageCamera(&easel->scene.camera[0], &easel->scene.camera[1]);
  if (!(easel->nearest > 0)) {
    float least = 1;
    for (size_t i = 0; i < (size_t)easel->width * (size_t)easel->height; i++) least = fminf(least, easel->depth[i]);
    easel->nearest = least < 1 ? fmax(distanceOf(&camera, least), 1e-9) : 0;
  }
  unsigned char* at = easel->image.at;
  for (int y = 0; y < easel->height; y++) {
    const float* const depth = easel->depth + rowOf(easel, y);
    for (int x = 0; x < easel->width; x++) {
      // nothing is infinitely far
      const double ratio = depth[x] < 1 ? easel->nearest / fmax(distanceOf(&camera, depth[x]), 1e-9) : 0;
      *at++ = (unsigned char)lround(255 * fmin(ratio, 1));
    }
  }
}

// The library draws numbers, which differ from one state to the next; here they become the colours of objects.
static void paintObjects(PicEasel* easel) {
  const mjvScene* const scene = &easel->scene;
  int start[mjNOBJECT];
  findObjects(easel, start);
  PicObject* const decoration = easel->object + easel->nobject - 1;
  PicObject** const of = cli_zeroed((size_t)scene->ngeom + 1, sizeof(*of));
  for (int i = 0; i < scene->ngeom; i++) {
    const mjvGeom* const geom = scene->geoms + i;
    if (geom->segid < 0 || geom->segid >= scene->ngeom) continue;
    const int known = geom->objtype >= 0 && geom->objtype < mjNOBJECT && start[geom->objtype] >= 0 &&
                      geom->objid >= 0 && geom->objid < countOf(easel->m, geom->objtype);
    of[geom->segid + 1] = known ? easel->object + start[geom->objtype] + geom->objid : decoration;
  }
  for (int i = 0; i < easel->nobject; i++) easel->object[i].npixel = 0;

  unsigned char* at = easel->image.at;
  for (int y = 0; y < easel->height; y++) {
    const unsigned char* rgb = easel->rgb + 3 * rowOf(easel, y);
    for (int x = 0; x < easel->width; x++, rgb += 3, at += 3) {
      const int number = rgb[0] | rgb[1] << 8 | rgb[2] << 16;
      PicObject* const object = number <= scene->ngeom ? of[number] : NULL;
      memset(at, 0, 3);
      if (!object) continue;
      memcpy(at, object->rgb, 3);
      object->npixel++;
    }
  }
  free(of);
}

int pic_draw(PicEasel* easel, const mjData* d) {
  char message[512];
  mj_copyData(easel->d, easel->m, d);
  if (sn_forward(easel->m, easel->d, message, sizeof(message)) == SN_ERROR) return cli_fail(CLI_FAILED, "%s", message);
  updateScene(easel);
  const mjrRect view = {0, 0, easel->width, easel->height};
  mjr_render(view, &easel->scene, &easel->context);
  mjr_readPixels(easel->rgb, easel->depth, view, &easel->context);
  switch (easel->kind) {
    case PIC_DEPTH:
      paintDepth(easel);
      break;
    case PIC_SEGMENT:
      paintObjects(easel);
      break;
    default:
      paintColours(easel);
  }
  return CLI_OK;
}
