// Actuators of MJCF: the general one and its shortcuts.
#include <string.h>

#include "spec/read.h"

// what an actuator pulls on: at most one of these attributes
static void readTarget(SpcReader* r, const XmlNode* node, mjsActuator* actuator) {
  static const struct {
    const char* attribute;
    mjtTrn type;
  } targets[] = {
      {"joint",         mjTRN_JOINT        },
      {"jointinparent", mjTRN_JOINTINPARENT},
      {"tendon",        mjTRN_TENDON       },
      {"cranksite",     mjTRN_SLIDERCRANK  },
      {"site",          mjTRN_SITE         },
      {"body",          mjTRN_BODY         }
  };
  int found = 0;
  for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
    const char* name = xml_attribute(node, targets[i].attribute);
    if (!name) continue;
    spc_textSet(actuator->target, name);
    actuator->trntype = targets[i].type;
    found++;
  }
  if (found > 1) spc_readFail(r, node, "actuator can have at most one of transmission target");

  const char* slidersite = xml_attribute(node, "slidersite");
  if (slidersite || xml_attribute(node, "cranklength")) {
    if (actuator->trntype != mjTRN_SLIDERCRANK && actuator->trntype != mjTRN_UNDEFINED) {
      spc_readFail(r, node, "cranklength and slidersite can only be used in slidercrank transmission");
    }
    if (slidersite) spc_textSet(actuator->slidersite, slidersite);
    actuator->trntype = mjTRN_SLIDERCRANK;
  }
  const char* refsite = xml_attribute(node, "refsite");
  if (refsite) {
    if (actuator->trntype != mjTRN_SITE) spc_readFail(r, node, "refsite can only be used with site transmission");
    spc_textSet(actuator->refsite, refsite);
  }
}

// a scalar attribute as the optional argument of a shortcut: NULL when it is not there
static double* optional(SpcReader* r, const XmlNode* node, const char* name, double* value) {
  return spc_readDoubles(r, node, name, value, 1, 1) ? value : NULL;
}

static const char* readPosition(SpcReader* r, const XmlNode* node, mjsActuator* actuator) {
  double kp = actuator->gainprm[0], kv, dampratio, timeconst;
  spc_readDoubles(r, node, "kp", &kp, 1, 1);
  double* pkv = optional(r, node, "kv", &kv);
  double* pdampratio = optional(r, node, "dampratio", &dampratio);
  double* ptimeconst = optional(r, node, "timeconst", &timeconst);
  if (!strcmp(node->name, "position")) {
    return mjs_setToPosition(actuator, kp, pkv, pdampratio, ptimeconst, actuator->inheritrange);
  }
  return mjs_setToIntVelocity(actuator, kp, pkv, pdampratio, ptimeconst, actuator->inheritrange);
}

static const char* readMuscle(SpcReader* r, const XmlNode* node, mjsActuator* actuator) {
  double timeconst[2] = {-1, -1}, range[2] = {-1, -1}, tausmooth = actuator->dynprm[2];
  static const char* names[7] = {"force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"};
  double value[7];
  spc_readDoubles(r, node, "timeconst", timeconst, 1, 2);
  spc_readDoubles(r, node, "tausmooth", &tausmooth, 1, 1);
  spc_readDoubles(r, node, "range", range, 1, 2);
  for (int i = 0; i < 7; i++) {
    value[i] = -1;
    spc_readDoubles(r, node, names[i], &value[i], 1, 1);
  }
  return mjs_setToMuscle(actuator, timeconst, tausmooth, range, value[0], value[1], value[2], value[3], value[4],
                         value[5], value[6]);
}

static const char* readCylinder(SpcReader* r, const XmlNode* node, mjsActuator* actuator) {
  double timeconst = actuator->dynprm[0], bias[3] = {actuator->biasprm[0], actuator->biasprm[1], actuator->biasprm[2]};
  double area = actuator->gainprm[0], diameter = -1;
  spc_readDoubles(r, node, "timeconst", &timeconst, 1, 1);
  spc_readDoubles(r, node, "bias", bias, 3, 3);
  spc_readDoubles(r, node, "area", &area, 1, 1);
  spc_readDoubles(r, node, "diameter", &diameter, 1, 1);
  return mjs_setToCylinder(actuator, timeconst, bias[0], area, diameter);
}

static const char* readScalar(SpcReader* r, const XmlNode* node, mjsActuator* actuator) {
  double kv = actuator->gainprm[0];
  if (!strcmp(node->name, "velocity")) {
    spc_readDoubles(r, node, "kv", &kv, 1, 1);
    return mjs_setToVelocity(actuator, kv);
  }
  if (!strcmp(node->name, "damper")) {
    kv = 0;
    spc_readDoubles(r, node, "kv", &kv, 1, 1);
    return mjs_setToDamper(actuator, kv);
  }
  spc_readDoubles(r, node, "gain", &kv, 1, 1);
  return mjs_setToAdhesion(actuator, kv);
}

static const char* readMotor(SpcReader* r, const XmlNode* node, mjsActuator* actuator) {
  (void)r, (void)node;
  return mjs_setToMotor(actuator);
}

void spc_readActuator(SpcReader* r, const XmlNode* node, mjsActuator* actuator) {
  // a shortcut's rows and what it makes of its own attributes; NULL: nothing beyond the rows
  static const struct {
    const char* name;
    const SpcAttributeRow* rows;
    const char* (*apply)(SpcReader*, const XmlNode*, mjsActuator*);
  } shortcuts[] = {
      {"general",     spc_rowsGeneral,     NULL        },
      {"motor",       spc_rowsMotor,       readMotor   },
      {"position",    spc_rowsPosition,    readPosition},
      {"velocity",    spc_rowsVelocity,    readScalar  },
      {"intvelocity", spc_rowsIntvelocity, readPosition},
      {"damper",      spc_rowsDamper,      readScalar  },
      {"cylinder",    spc_rowsCylinder,    readCylinder},
      {"muscle",      spc_rowsMuscle,      readMuscle  },
      {"adhesion",    spc_rowsAdhesion,    readScalar  },
      {"plugin",      spc_rowsActPlugin,   NULL        },
  };
  size_t i = 0;
  while (strcmp(shortcuts[i].name, node->name)) i++;
  spc_readRows(r, node, shortcuts[i].rows, actuator, spc_head(actuator->element));
  readTarget(r, node, actuator);
  const char* error = shortcuts[i].apply ? shortcuts[i].apply(r, node, actuator) : "";
  if (*error) spc_readFail(r, node, "%s", error);
  if (!strcmp(node->name, "plugin")) {
    spc_readPlugin(r, node, &actuator->plugin);
  }
}
