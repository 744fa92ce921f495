// mjs_default*: the built-in values of every element, before any default class.
#include <math.h>
#include <mujoco/mujoco.h>
#include <string.h>

static const mjtNum SOLREF[mjNREF] = {0.02, 1};
static const mjtNum SOLIMP[mjNIMP] = {0.9, 0.95, 0.001, 0.5, 2};
static const double FRICTION[3] = {1, 0.005, 0.0001};  // slide, spin, roll
static const float GREY[4] = {0.5f, 0.5f, 0.5f, 1};

#define COPY(to, from)                                  \
  do {                                                  \
    _Static_assert(sizeof(to) == sizeof(from), "size"); \
    memcpy(to, from, sizeof(to));                       \
  } while (0)

static void setSolver(mjtNum solref[mjNREF], mjtNum solimp[mjNIMP]) {
  memcpy(solref, SOLREF, sizeof(SOLREF));
  memcpy(solimp, SOLIMP, sizeof(SOLIMP));
}

void mjs_defaultSpec(mjSpec* spec) {
  memset(spec, 0, sizeof(*spec));

  mjsCompiler* compiler = &spec->compiler;
  compiler->autolimits = 1;
  compiler->settotalmass = -1;
  compiler->degree = 1;
  memcpy(compiler->eulerseq, "xyz", 3);
  compiler->usethread = 1;
  compiler->inertiafromgeom = mjINERTIAFROMGEOM_AUTO;
  compiler->inertiagrouprange[1] = mjNGROUP - 1;
  mj_defaultLROpt(&compiler->LRopt);

  mj_defaultOption(&spec->option);
  mj_defaultVisual(&spec->visual);

  // a statistic that stays NaN is computed by the compiler
  mjStatistic* stat = &spec->stat;
  stat->meaninertia = stat->meanmass = stat->meansize = stat->extent = stat->center[0] = NAN;

  // sizes that stay negative are chosen by the compiler
  spec->memory = spec->nstack = -1;
  spec->njmax = spec->nconmax = -1;
  spec->nuser_body = spec->nuser_jnt = spec->nuser_geom = spec->nuser_site = -1;
  spec->nuser_cam = spec->nuser_tendon = spec->nuser_actuator = spec->nuser_sensor = -1;
}

void mjs_defaultOrientation(mjsOrientation* orient) {
  memset(orient, 0, sizeof(*orient));
}

void mjs_defaultBody(mjsBody* body) {
  memset(body, 0, sizeof(*body));
  body->quat[0] = 1;

  // NaN: not given
  body->ipos[0] = NAN;
  body->iquat[0] = 1;
  body->fullinertia[0] = NAN;
}

void mjs_defaultFrame(mjsFrame* frame) {
  memset(frame, 0, sizeof(*frame));
  frame->quat[0] = 1;
}

void mjs_defaultJoint(mjsJoint* joint) {
  memset(joint, 0, sizeof(*joint));
  joint->type = mjJNT_HINGE;
  joint->axis[2] = 1;
  joint->align = mjALIGNFREE_AUTO;
  joint->limited = mjLIMITED_AUTO;
  joint->actfrclimited = mjLIMITED_AUTO;
  setSolver(joint->solref_limit, joint->solimp_limit);
  setSolver(joint->solref_friction, joint->solimp_friction);
}

void mjs_defaultGeom(mjsGeom* geom) {
  memset(geom, 0, sizeof(*geom));
  geom->type = mjGEOM_SPHERE;
  geom->quat[0] = 1;
  geom->fromto[0] = NAN;

  geom->contype = geom->conaffinity = 1;
  geom->condim = 3;
  COPY(geom->friction, FRICTION);
  geom->solmix = 1;
  setSolver(geom->solref, geom->solimp);

  geom->mass = NAN;
  geom->density = 1000;
  geom->typeinertia = mjINERTIA_VOLUME;

  // blunt drag, slender drag, angular drag, Kutta lift, Magnus lift
  const mjtNum fluid[5] = {0.5, 0.25, 1.5, 1, 1};
  COPY(geom->fluid_coefs, fluid);

  COPY(geom->rgba, GREY);
  geom->fitscale = 1;
}

void mjs_defaultSite(mjsSite* site) {
  memset(site, 0, sizeof(*site));
  site->type = mjGEOM_SPHERE;
  site->quat[0] = 1;
  site->fromto[0] = NAN;
  site->size[0] = site->size[1] = site->size[2] = 0.005;
  COPY(site->rgba, GREY);
}

void mjs_defaultCamera(mjsCamera* camera) {
  memset(camera, 0, sizeof(*camera));
  camera->mode = mjCAMLIGHT_FIXED;
  camera->quat[0] = 1;
  camera->resolution[0] = camera->resolution[1] = 1;
  camera->output = mjCAMOUT_RGB;
  camera->fovy = 45;
  camera->ipd = 0.068;
}

void mjs_defaultLight(mjsLight* light) {
  memset(light, 0, sizeof(*light));
  light->mode = mjCAMLIGHT_FIXED;
  light->dir[2] = -1;
  light->active = 1;
  light->castshadow = 1;
  light->bulbradius = 0.02f;
  light->range = 10;
  light->attenuation[0] = 1;
  light->cutoff = 45;
  light->exponent = 10;
  for (int i = 0; i < 3; i++) {
    light->diffuse[i] = 0.7f;
    light->specular[i] = 0.3f;
  }
}

void mjs_defaultFlex(mjsFlex* flex) {
  memset(flex, 0, sizeof(*flex));
  flex->contype = flex->conaffinity = 1;
  flex->condim = 3;
  COPY(flex->friction, FRICTION);
  flex->solmix = 1;
  setSolver(flex->solref, flex->solimp);

  flex->dim = 2;
  flex->radius = 0.005;
  flex->selfcollide = mjFLEXSELF_AUTO;
  flex->activelayers = 1;
  COPY(flex->rgba, GREY);
  flex->thickness = -1;
}

void mjs_defaultMesh(mjsMesh* mesh) {
  memset(mesh, 0, sizeof(*mesh));
  mesh->refquat[0] = 1;
  mesh->scale[0] = mesh->scale[1] = mesh->scale[2] = 1;
  mesh->inertia = mjMESH_INERTIA_LEGACY;
  mesh->maxhullvert = -1;
}

void mjs_defaultHField(mjsHField* hfield) {
  memset(hfield, 0, sizeof(*hfield));
}

void mjs_defaultSkin(mjsSkin* skin) {
  memset(skin, 0, sizeof(*skin));
  COPY(skin->rgba, GREY);
}

void mjs_defaultTexture(mjsTexture* texture) {
  memset(texture, 0, sizeof(*texture));
  texture->type = mjTEXTURE_CUBE;
  for (int i = 0; i < 3; i++) {
    texture->rgb1[i] = 0.8;
    texture->rgb2[i] = 0.5;
  }
  texture->random = 0.01;
  texture->nchannel = 3;
  texture->gridsize[0] = texture->gridsize[1] = 1;
  memset(texture->gridlayout, '.', sizeof(texture->gridlayout));
}

void mjs_defaultMaterial(mjsMaterial* material) {
  memset(material, 0, sizeof(*material));
  material->texrepeat[0] = material->texrepeat[1] = 1;
  material->specular = 0.5f;
  material->shininess = 0.5f;
  material->metallic = -1;
  material->roughness = -1;
  for (int i = 0; i < 4; i++) material->rgba[i] = 1;
}

void mjs_defaultPair(mjsPair* pair) {
  memset(pair, 0, sizeof(*pair));
  pair->condim = 3;
  setSolver(pair->solref, pair->solimp);
  const double friction[5] = {1, 1, 0.005, 0.0001, 0.0001};
  COPY(pair->friction, friction);
}

void mjs_defaultEquality(mjsEquality* equality) {
  memset(equality, 0, sizeof(*equality));
  equality->type = mjEQ_CONNECT;
  equality->active = 1;
  setSolver(equality->solref, equality->solimp);

  // joint and tendon polynomials start as identity; the last entry is the torque scale of a weld
  equality->data[1] = 1;
  equality->data[10] = 1;
}

void mjs_defaultTendon(mjsTendon* tendon) {
  memset(tendon, 0, sizeof(*tendon));
  tendon->limited = mjLIMITED_AUTO;
  tendon->springlength[0] = tendon->springlength[1] = -1;
  setSolver(tendon->solref_limit, tendon->solimp_limit);
  setSolver(tendon->solref_friction, tendon->solimp_friction);
  tendon->width = 0.003;
  COPY(tendon->rgba, GREY);
}

void mjs_defaultActuator(mjsActuator* actuator) {
  memset(actuator, 0, sizeof(*actuator));
  actuator->gaintype = mjGAIN_FIXED;
  actuator->gainprm[0] = 1;
  actuator->biastype = mjBIAS_NONE;
  actuator->dyntype = mjDYN_NONE;
  actuator->dynprm[0] = 1;
  actuator->actdim = -1;
  actuator->trntype = mjTRN_UNDEFINED;
  actuator->gear[0] = 1;
  actuator->ctrllimited = mjLIMITED_AUTO;
  actuator->forcelimited = mjLIMITED_AUTO;
  actuator->actlimited = mjLIMITED_AUTO;
}

void mjs_defaultSensor(mjsSensor* sensor) {
  memset(sensor, 0, sizeof(*sensor));
  sensor->type = mjSENS_TOUCH;
  sensor->datatype = mjDATATYPE_REAL;
  sensor->needstage = mjSTAGE_ACC;
}

void mjs_defaultNumeric(mjsNumeric* numeric) {
  memset(numeric, 0, sizeof(*numeric));
}

void mjs_defaultText(mjsText* text) {
  memset(text, 0, sizeof(*text));
}

void mjs_defaultTuple(mjsTuple* tuple) {
  memset(tuple, 0, sizeof(*tuple));
}

void mjs_defaultKey(mjsKey* key) {
  memset(key, 0, sizeof(*key));
}

void mjs_defaultPlugin(mjsPlugin* plugin) {
  memset(plugin, 0, sizeof(*plugin));
}
