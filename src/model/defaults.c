// Default values of the settings structs.
#include "model/make.h"

// braces that the formatter does not mistake for rows of a table
#define ARRAY(...) \
  { __VA_ARGS__ }

// defaults of a constraint: critically damped within 20 ms, impedance from 0.9 to 0.95 over 1 mm
#define SOLREF \
  { 0.02, 1 }
#define SOLIMP \
  { 0.9, 0.95, 0.001, 0.5, 2 }

static const mjOption OPTION = {
    .timestep = 0.002,
    .impratio = 1,
    .tolerance = 1e-8,
    .ls_tolerance = 0.01,
    .noslip_tolerance = 1e-6,
    .ccd_tolerance = 1e-6,
    .sleep_tolerance = 1e-4,
    .gravity = ARRAY(0, 0, -9.81),
    .magnetic = ARRAY(0, -0.5, 0),
    .o_solref = SOLREF,
    .o_solimp = SOLIMP,
    .o_friction = ARRAY(1, 1, 0.005, 0.0001, 0.0001),
    .integrator = mjINT_EULER,
    .cone = mjCONE_PYRAMIDAL,
    .jacobian = mjJAC_AUTO,
    .solver = mjSOL_NEWTON,
    .iterations = 100,
    .ls_iterations = 50,
    .noslip_iterations = 0,
    .ccd_iterations = 35,
    .sdf_initpoints = 40,
    .sdf_iterations = 10,
};

static const mjVisual VISUAL = {
    .global.cameraid = -1,
    .global.orthographic = 0,
    .global.fovy = 45,
    .global.ipd = 0.068f,
    .global.azimuth = 90,
    .global.elevation = -45,
    .global.linewidth = 1,
    .global.glow = 0.3f,
    .global.realtime = 1,
    .global.offwidth = 640,
    .global.offheight = 480,
    .global.ellipsoidinertia = 0,
    .global.bvactive = 1,

    .quality.shadowsize = 4096,
    .quality.offsamples = 4,
    .quality.numslices = 28,
    .quality.numstacks = 16,
    .quality.numquads = 4,

    .headlight.ambient = ARRAY(0.1f, 0.1f, 0.1f),
    .headlight.diffuse = ARRAY(0.4f, 0.4f, 0.4f),
    .headlight.specular = ARRAY(0.5f, 0.5f, 0.5f),
    .headlight.active = 1,

    .map.stiffness = 100,
    .map.stiffnessrot = 500,
    .map.force = 0.005f,
    .map.torque = 0.1f,
    .map.alpha = 0.3f,
    .map.fogstart = 3,
    .map.fogend = 10,
    .map.znear = 0.01f,
    .map.zfar = 50,
    .map.haze = 0.3f,
    .map.shadowclip = 1,
    .map.shadowscale = 0.6f,
    .map.actuatortendon = 2,

    .scale.forcewidth = 0.1f,
    .scale.contactwidth = 0.3f,
    .scale.contactheight = 0.1f,
    .scale.connect = 0.2f,
    .scale.com = 0.4f,
    .scale.camera = 0.3f,
    .scale.light = 0.3f,
    .scale.selectpoint = 0.2f,
    .scale.jointlength = 1,
    .scale.jointwidth = 0.1f,
    .scale.actuatorlength = 0.7f,
    .scale.actuatorwidth = 0.2f,
    .scale.framelength = 1,
    .scale.framewidth = 0.1f,
    .scale.constraint = 0.1f,
    .scale.slidercrank = 0.2f,
    .scale.frustum = 10,

    .rgba.fog = ARRAY(0, 0, 0, 1),
    .rgba.haze = ARRAY(1, 1, 1, 1),
    .rgba.force = ARRAY(1, 0.5f, 0.5f, 1),
    .rgba.inertia = ARRAY(0.8f, 0.2f, 0.2f, 0.6f),
    .rgba.joint = ARRAY(0.2f, 0.6f, 0.8f, 1),
    .rgba.actuator = ARRAY(0.2f, 0.25f, 0.2f, 1),
    .rgba.actuatornegative = ARRAY(0.2f, 0.6f, 0.9f, 1),
    .rgba.actuatorpositive = ARRAY(0.9f, 0.4f, 0.2f, 1),
    .rgba.com = ARRAY(0.9f, 0.9f, 0.9f, 1),
    .rgba.camera = ARRAY(0.6f, 0.9f, 0.6f, 1),
    .rgba.light = ARRAY(0.6f, 0.6f, 0.9f, 1),
    .rgba.selectpoint = ARRAY(0.9f, 0.9f, 0.1f, 1),
    .rgba.connect = ARRAY(0.2f, 0.2f, 0.8f, 1),
    .rgba.contactpoint = ARRAY(0.9f, 0.6f, 0.2f, 1),
    .rgba.contactforce = ARRAY(0.7f, 0.9f, 0.9f, 1),
    .rgba.contactfriction = ARRAY(0.9f, 0.8f, 0.4f, 1),
    .rgba.contacttorque = ARRAY(0.9f, 0.7f, 0.9f, 1),
    .rgba.contactgap = ARRAY(0.5f, 0.8f, 0.9f, 1),
    .rgba.rangefinder = ARRAY(1, 1, 0.1f, 1),
    .rgba.constraint = ARRAY(0.9f, 0, 0, 1),
    .rgba.slidercrank = ARRAY(0.5f, 0.3f, 0.8f, 1),
    .rgba.crankbroken = ARRAY(0.9f, 0, 0, 1),
    .rgba.frustum = ARRAY(1, 1, 0, 0.2f),
    .rgba.bv = ARRAY(0, 1, 0, 0.5f),
    .rgba.bvactive = ARRAY(1, 0, 0, 0.5),
};

static const mjLROpt LENGTH_RANGE = {
    .mode = mjLRMODE_MUSCLE,
    .useexisting = 1,
    .uselimit = 0,
    .accel = 20,
    .maxforce = 0,
    .timeconst = 1,
    .timestep = 0.01,
    .inttotal = 10,
    .interval = 2,
    .tolrange = 0.05,
};

void mj_defaultOption(mjOption* opt) {
  if (opt) {
    *opt = OPTION;
  } else {
    mju_error("mj_defaultOption: opt is NULL");
  }
}

void mj_defaultVisual(mjVisual* vis) {
  if (vis) {
    *vis = VISUAL;
  } else {
    mju_error("mj_defaultVisual: vis is NULL");
  }
}

void mj_defaultLROpt(mjLROpt* opt) {
  if (opt) {
    *opt = LENGTH_RANGE;
  } else {
    mju_error("mj_defaultLROpt: opt is NULL");
  }
}

void mj_defaultSolRefImp(mjtNum* solref, mjtNum* solimp) {
  // either may be left out
  static const mjtNum ref[mjNREF] = SOLREF, imp[mjNIMP] = SOLIMP;
  for (int i = 0; solref && i < mjNREF; i++) solref[i] = ref[i];
  for (int i = 0; solimp && i < mjNIMP; i++) solimp[i] = imp[i];
}

void mdl_defaultStatistic(mjStatistic* stat) {
  *stat = (mjStatistic){.meaninertia = 1, .meanmass = 1, .meansize = 0.2, .extent = 2};
}
