// Checks of objects whose meaning depends on a type: geoms, pairs, equalities, tendon paths, actuators, sensors, tuples
// and plugin instances.
#include "model/check.h"
#include "model/checks.h"

//---------------------------------- helpers -----------------------------------------------------------------------

// 1: low <= id < number of objects of the type
static int checkId(MdlCheck* c, const char* array, mjtSize element, mjtSize id, const mjtSize range[2]) {
  if (id < range[0] || id > range[1]) return mdl_failRange(c, array, element, id, range);
  return 1;
}

//---------------------------------- geoms and pairs ---------------------------------------------------------------

int mdl_checkGeoms(MdlCheck* c) {
  const mjModel* m = c->m;
  for (int i = 0; i < m->ngeom; i++) {
    const int type = m->geom_type[i], field = type == mjGEOM_HFIELD;
    const int shaped = field || type == mjGEOM_MESH || type == mjGEOM_SDF;
    const mjtSize range[2] = {shaped ? 0 : -1, (field ? m->nhfield : m->nmesh) - 1};
    if (!checkId(c, "geom_dataid", i, m->geom_dataid[i], range)) return 0;
  }
  return 1;
}

// two bodies in one int; names are those of the lower and the upper half
static int checkSignature(MdlCheck* c, const char* const names[2], int i, int signature) {
  const mjtSize range[2] = {0, c->m->nbody - 1};
  if (!checkId(c, names[0], i, signature & 0xFFFF, range)) return 0;
  return checkId(c, names[1], i, (unsigned)signature >> 16, range);
}

int mdl_checkPairs(MdlCheck* c) {
  const mjModel* m = c->m;
  static const char* const pair[] = {"pair_body1", "pair_body2"};
  static const char* const exclude[] = {"exclude_body1", "exclude_body2"};
  for (int i = 0; i < m->npair; i++) {
    if (!checkSignature(c, pair, i, m->pair_signature[i])) return 0;
  }
  for (int i = 0; i < m->nexclude; i++) {
    if (!checkSignature(c, exclude, i, m->exclude_signature[i])) return 0;
  }
  return 1;
}

//---------------------------------- plugins -----------------------------------------------------------------------

int mdl_checkPlugins(MdlCheck* c) {
  const mjModel* m = c->m;
  for (int i = 0; i < m->nplugin; i++) {
    if (m->plugin[i] < 0 || m->plugin[i] >= mjp_pluginCount()) {
      return mdl_fail(c, "plugin", i, m->plugin[i], "the slot of a registered plugin");
    }
  }
  return 1;
}

//---------------------------------- equalities --------------------------------------------------------------------

int mdl_checkEqualities(MdlCheck* c) {
  const mjModel* m = c->m;
  for (int i = 0; i < m->neq; i++) {
    // the kind of both objects, and whether the second may be left out
    mjtSize n = 0, low2 = -1;
    switch ((mjtEq)m->eq_type[i]) {
      case mjEQ_JOINT:
        n = m->njnt;
        break;
      case mjEQ_TENDON:
        n = m->ntendon;
        break;
      case mjEQ_FLEX:
      case mjEQ_FLEXVERT:
        n = m->nflex;
        break;
      case mjEQ_CONNECT:
      case mjEQ_WELD:
        if (m->eq_objtype[i] != mjOBJ_BODY && m->eq_objtype[i] != mjOBJ_SITE) {
          return mdl_fail(c, "eq_objtype", i, m->eq_objtype[i], "body or site");
        }
        n = m->eq_objtype[i] == mjOBJ_BODY ? m->nbody : m->nsite;
        low2 = 0;
        break;
      default:
        return mdl_fail(c, "eq_type", i, m->eq_type[i], "a known type");
    }
    if (!checkId(c, "eq_obj1id", i, m->eq_obj1id[i], (mjtSize[]){0, n - 1}) ||
        !checkId(c, "eq_obj2id", i, m->eq_obj2id[i], (mjtSize[]){low2, n - 1})) {
      return 0;
    }
  }
  return 1;
}

//---------------------------------- tendons -----------------------------------------------------------------------

// what a point of the path refers to
static int checkWrapObject(MdlCheck* c, int i) {
  const mjModel* m = c->m;
  const int type = m->wrap_type[i];
  if (type == mjWRAP_JOINT) return checkId(c, "wrap_objid", i, m->wrap_objid[i], (mjtSize[]){0, m->njnt - 1});
  if (type == mjWRAP_SITE) return checkId(c, "wrap_objid", i, m->wrap_objid[i], (mjtSize[]){0, m->nsite - 1});
  if (type != mjWRAP_SPHERE && type != mjWRAP_CYLINDER) return 1;

  // the parameter of a wrapping geom is the id of its side site, or -1
  const mjtNum side = m->wrap_prm[i];
  if (!(side >= -1 && side < m->nsite)) return mdl_fail(c, "wrap_prm", i, -2, "a site or -1");
  return checkId(c, "wrap_objid", i, m->wrap_objid[i], (mjtSize[]){0, m->ngeom - 1});
}

static int isGeomWrap(int type) {
  return type == mjWRAP_SPHERE || type == mjWRAP_CYLINDER;
}

int mdl_checkWraps(MdlCheck* c) {
  const mjModel* m = c->m;
  for (int i = 0; i < m->nwrap; i++) {
    if (!checkWrapObject(c, i)) return 0;
  }
  for (int i = 0; i < m->ntendon; i++) {
    // joints alone, or a path of which no step leads out of the tendon
    const int *type = m->wrap_type + m->tendon_adr[i], n = m->tendon_num[i];
    if (n < 1) return mdl_fail(c, "tendon_num", i, n, "at least one element");
    for (int k = 0; k < n; k++) {
      const int at = m->tendon_adr[i] + k;
      if (type[k] == mjWRAP_NONE || (type[k] == mjWRAP_JOINT) != (type[0] == mjWRAP_JOINT)) {
        return mdl_fail(c, "wrap_type", at, type[k], "either joints or a path in one tendon");
      }
      if (isGeomWrap(type[k]) && (k == 0 || k == n - 1 || type[k - 1] != mjWRAP_SITE || type[k + 1] != mjWRAP_SITE)) {
        return mdl_fail(c, "wrap_type", at, type[k], "a site before and after a wrapping geom");
      }
    }
    if (m->tendon_treenum[i] < 0) return mdl_fail(c, "tendon_treenum", i, m->tendon_treenum[i], "a count");
  }
  return 1;
}

//---------------------------------- actuators ---------------------------------------------------------------------

// a buffer of past values: two leading numbers, then times and values of n samples; none unless n is positive
static int checkHistory(MdlCheck* c, const char* array, int i, const mjtSize span[3]) {
  const mjtSize n = span[0], width = span[1], start = span[2];
  const mjtSize need = n > 0 ? 2 + n * (1 + width) : 0;
  if (need && (start < 0 || start > c->m->nhistory - need)) {
    return mdl_failRange(c, array, i, start, (mjtSize[]){0, c->m->nhistory - need});
  }
  return 1;
}

static int checkTransmission(MdlCheck* c, int i) {
  const mjModel* m = c->m;
  mjtSize n = 0, n2 = 0, low2 = -1;
  switch ((mjtTrn)m->actuator_trntype[i]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      n = m->njnt;
      break;
    case mjTRN_TENDON:
      n = m->ntendon;
      break;
    case mjTRN_BODY:
      n = m->nbody;
      break;
    case mjTRN_SITE:
      n = n2 = m->nsite;
      break;
    case mjTRN_SLIDERCRANK:
      n = n2 = m->nsite;
      low2 = 0;
      break;
    case mjTRN_UNDEFINED:
      return 1;
    default:
      return mdl_fail(c, "actuator_trntype", i, m->actuator_trntype[i], "a known type");
  }
  if (!checkId(c, "actuator_trnid", 2 * i, m->actuator_trnid[2 * i], (mjtSize[]){0, n - 1})) return 0;
  return !n2 || checkId(c, "actuator_trnid", 2 * i + 1, m->actuator_trnid[2 * i + 1], (mjtSize[]){low2, n2 - 1});
}

int mdl_checkActuators(MdlCheck* c) {
  const mjModel* m = c->m;
  for (int i = 0; i < m->nu; i++) {
    const mjtSize history[3] = {m->actuator_history[2 * i], 1, m->actuator_historyadr[i]};
    if (!checkTransmission(c, i) || !checkHistory(c, "actuator_historyadr", i, history)) return 0;
    if (m->actuator_dyntype[i] != mjDYN_NONE && m->actuator_actnum[i] < 1) {
      return mdl_fail(c, "actuator_actnum", i, m->actuator_actnum[i], "an activation, because it has dynamics");
    }
  }
  return 1;
}

//---------------------------------- sensors -----------------------------------------------------------------------

// what a sensor may be attached to
enum { ON_NOTHING, ON_FRAME, ON_ANYTHING, ON_SURFACE };  // beyond the single types of mjtObj, which are negated below

// dimension and object of each sensor type, in the order of mjtSensor; dimension 0: depends on its parameters
static const struct {
  int dim;
  int object;  // -mjtObj for one type of object
} SENSORS[] = {
  // clang-format off
    [mjSENS_TOUCH]          = {1, -mjOBJ_SITE},
    [mjSENS_ACCELEROMETER]  = {3, -mjOBJ_SITE},
    [mjSENS_VELOCIMETER]    = {3, -mjOBJ_SITE},
    [mjSENS_GYRO]           = {3, -mjOBJ_SITE},
    [mjSENS_FORCE]          = {3, -mjOBJ_SITE},
    [mjSENS_TORQUE]         = {3, -mjOBJ_SITE},
    [mjSENS_MAGNETOMETER]   = {3, -mjOBJ_SITE},
    [mjSENS_RANGEFINDER]    = {0, ON_FRAME},
    [mjSENS_CAMPROJECTION]  = {2, -mjOBJ_SITE},
    [mjSENS_JOINTPOS]       = {1, -mjOBJ_JOINT},
    [mjSENS_JOINTVEL]       = {1, -mjOBJ_JOINT},
    [mjSENS_TENDONPOS]      = {1, -mjOBJ_TENDON},
    [mjSENS_TENDONVEL]      = {1, -mjOBJ_TENDON},
    [mjSENS_ACTUATORPOS]    = {1, -mjOBJ_ACTUATOR},
    [mjSENS_ACTUATORVEL]    = {1, -mjOBJ_ACTUATOR},
    [mjSENS_ACTUATORFRC]    = {1, -mjOBJ_ACTUATOR},
    [mjSENS_JOINTACTFRC]    = {1, -mjOBJ_JOINT},
    [mjSENS_TENDONACTFRC]   = {1, -mjOBJ_TENDON},
    [mjSENS_BALLQUAT]       = {4, -mjOBJ_JOINT},
    [mjSENS_BALLANGVEL]     = {3, -mjOBJ_JOINT},
    [mjSENS_JOINTLIMITPOS]  = {1, -mjOBJ_JOINT},
    [mjSENS_JOINTLIMITVEL]  = {1, -mjOBJ_JOINT},
    [mjSENS_JOINTLIMITFRC]  = {1, -mjOBJ_JOINT},
    [mjSENS_TENDONLIMITPOS] = {1, -mjOBJ_TENDON},
    [mjSENS_TENDONLIMITVEL] = {1, -mjOBJ_TENDON},
    [mjSENS_TENDONLIMITFRC] = {1, -mjOBJ_TENDON},
    [mjSENS_FRAMEPOS]       = {3, ON_FRAME},
    [mjSENS_FRAMEQUAT]      = {4, ON_FRAME},
    [mjSENS_FRAMEXAXIS]     = {3, ON_FRAME},
    [mjSENS_FRAMEYAXIS]     = {3, ON_FRAME},
    [mjSENS_FRAMEZAXIS]     = {3, ON_FRAME},
    [mjSENS_FRAMELINVEL]    = {3, ON_FRAME},
    [mjSENS_FRAMEANGVEL]    = {3, ON_FRAME},
    [mjSENS_FRAMELINACC]    = {3, ON_FRAME},
    [mjSENS_FRAMEANGACC]    = {3, ON_FRAME},
    [mjSENS_SUBTREECOM]     = {3, -mjOBJ_BODY},
    [mjSENS_SUBTREELINVEL]  = {3, -mjOBJ_BODY},
    [mjSENS_SUBTREEANGMOM]  = {3, -mjOBJ_BODY},
    [mjSENS_INSIDESITE]     = {1, ON_FRAME},
    [mjSENS_GEOMDIST]       = {1, ON_SURFACE},
    [mjSENS_GEOMNORMAL]     = {3, ON_SURFACE},
    [mjSENS_GEOMFROMTO]     = {6, ON_SURFACE},
    [mjSENS_CONTACT]        = {0, ON_ANYTHING},
    [mjSENS_E_POTENTIAL]    = {1, ON_NOTHING},
    [mjSENS_E_KINETIC]      = {1, ON_NOTHING},
    [mjSENS_CLOCK]          = {1, ON_NOTHING},
    [mjSENS_TACTILE]        = {0, ON_ANYTHING},
    [mjSENS_PLUGIN]         = {0, ON_ANYTHING},
    [mjSENS_USER]           = {0, ON_ANYTHING},
  // clang-format on
};

// sum of the widths of the fields that a bit set asks for
static mjtSize fieldWidth(int bits, const int* width, int n) {
  mjtSize sum = 0;
  for (int k = 0; k < n; k++) sum += bits & (1 << k) ? width[k] : 0;
  return sum;
}

// values the sensor writes; -1: as many as sensor_dim says
static mjtSize sensorWidth(const mjModel* m, int i) {
  static const int RAY[mjNRAYDATA] = {1, 3, 3, 3, 3, 1}, CONTACT[mjNCONDATA] = {1, 3, 3, 1, 3, 3, 3};
  const int type = m->sensor_type[i], *prm = m->sensor_intprm + mjNSENS * i, id = m->sensor_objid[i];
  switch (type) {
    case mjSENS_RANGEFINDER: {
      const int* resolution = m->sensor_objtype[i] == mjOBJ_CAMERA ? m->cam_resolution + 2 * id : NULL;
      return fieldWidth(prm[0], RAY, mjNRAYDATA) * (resolution ? (mjtSize)resolution[0] * resolution[1] : 1);
    }
    case mjSENS_CONTACT:
      return fieldWidth(prm[0], CONTACT, mjNCONDATA) * prm[2];
    case mjSENS_TACTILE:
      return 3 * (mjtSize)m->mesh_vertnum[id];
    default:
      return SENSORS[type].dim ? SENSORS[type].dim : -1;
  }
}

static int hasFrame(int objtype) {
  return objtype == mjOBJ_BODY || objtype == mjOBJ_XBODY || objtype == mjOBJ_GEOM || objtype == mjOBJ_SITE ||
         objtype == mjOBJ_CAMERA;
}

// object types that the sensor's stage can read
static int checkSensorTypes(MdlCheck* c, int i) {
  const mjModel* m = c->m;
  const int type = m->sensor_type[i], object = m->sensor_objtype[i], reference = m->sensor_reftype[i];
  const int wanted = SENSORS[type].object;
  if ((wanted < 0 && object != -wanted) || (wanted == ON_FRAME && !hasFrame(object)) ||
      (wanted == ON_SURFACE && object != mjOBJ_GEOM && object != mjOBJ_BODY)) {
    return mdl_fail(c, "sensor_objtype", i, object, "a type that this sensor can be attached to");
  }

  // second object
  int fits = 1;
  if (type == mjSENS_CAMPROJECTION) fits = reference == mjOBJ_CAMERA;
  if (type == mjSENS_INSIDESITE) fits = reference == mjOBJ_SITE;
  if (type == mjSENS_TACTILE) fits = reference == mjOBJ_GEOM && object == mjOBJ_MESH;
  if (wanted == ON_SURFACE) fits = reference == mjOBJ_GEOM || reference == mjOBJ_BODY;
  if (wanted == ON_FRAME && type != mjSENS_INSIDESITE && m->sensor_refid[i] >= 0) fits = hasFrame(reference);
  if (type == mjSENS_RANGEFINDER) fits = object == mjOBJ_SITE || object == mjOBJ_CAMERA;
  if (!fits) return mdl_fail(c, "sensor_reftype", i, reference, "a type that this sensor can refer to");
  return 1;
}

// ids of both objects; types without a list carry none
static int checkSensorIds(MdlCheck* c, int i) {
  const mjModel* m = c->m;
  const int type = m->sensor_type[i];
  const int both = type == mjSENS_CAMPROJECTION || type == mjSENS_INSIDESITE || type == mjSENS_TACTILE ||
                   SENSORS[type].object == ON_SURFACE;
  const struct {
    const char* typename, *idname;
    int type, id;
    mjtSize low;
  } objects[2] = {
      {"sensor_objtype", "sensor_objid", m->sensor_objtype[i], m->sensor_objid[i], 0            },
      {"sensor_reftype", "sensor_refid", m->sensor_reftype[i], m->sensor_refid[i], both ? 0 : -1},
  };
  for (int k = 0; k < 2; k++) {
    const mjtSize n = mdl_objectCount(m, objects[k].type);
    if (n < 0 && (objects[k].type < 0 || objects[k].type > mjOBJ_MODEL)) {
      return mdl_fail(c, objects[k].typename, i, objects[k].type, "a type of object");
    }
    if (n >= 0 && !checkId(c, objects[k].idname, i, objects[k].id, (mjtSize[]){objects[k].low, n - 1})) return 0;
  }
  return 1;
}

int mdl_checkSensors(MdlCheck* c) {
  const mjModel* m = c->m;
  for (int i = 0; i < m->nsensor; i++) {
    if (!checkSensorTypes(c, i) || !checkSensorIds(c, i)) return 0;
    if (m->sensor_type[i] == mjSENS_PLUGIN && m->sensor_plugin[i] < 0) {
      return mdl_fail(c, "sensor_plugin", i, m->sensor_plugin[i], "a plugin instance");
    }
    const mjtSize width = sensorWidth(m, i);
    if (width >= 0 && width != m->sensor_dim[i]) {
      return mdl_failRange(c, "sensor_dim", i, m->sensor_dim[i], (mjtSize[]){width, width});
    }
    const mjtSize history[3] = {m->sensor_history[2 * i], m->sensor_dim[i], m->sensor_historyadr[i]};
    if (!checkHistory(c, "sensor_historyadr", i, history)) return 0;
  }
  return 1;
}

//---------------------------------- tuples ------------------------------------------------------------------------

int mdl_checkTuples(MdlCheck* c) {
  const mjModel* m = c->m;
  for (int i = 0; i < m->ntuple; i++) {
    for (int k = m->tuple_adr[i]; k < m->tuple_adr[i] + m->tuple_size[i]; k++) {
      const mjtSize n = mdl_objectCount(m, m->tuple_objtype[k]);
      if (n < 0) return mdl_fail(c, "tuple_objtype", k, m->tuple_objtype[k], "a type of object");
      if (!checkId(c, "tuple_objid", k, m->tuple_objid[k], (mjtSize[]){0, n - 1})) return 0;
    }
  }
  return 1;
}

//---------------------------------- totals ------------------------------------------------------------------------

// entries of the actuator's row in the moment matrix: the dofs of its joint, or all of them
static mjtSize momentEntries(const mjModel* m, int i) {
  static const int NV[] = {6, 3, 1, 1};
  const int joint = m->actuator_trntype[i] == mjTRN_JOINT || m->actuator_trntype[i] == mjTRN_JOINTINPARENT;
  return joint ? NV[m->jnt_type[m->actuator_trnid[2 * i]]] : m->nv;
}

// numbers that a history buffer takes
static mjtSize historySize(mjtSize n, mjtSize width) {
  return n > 0 ? 2 + n * (1 + width) : 0;
}

int mdl_checkTotals(MdlCheck* c) {
  const mjModel* m = c->m;
  mjtSize nmocap = 0, na = 0, moment = 0, sensordata = 0, history = 0, pluginstate = 0;
  for (int i = 0; i < m->nbody; i++) nmocap += m->body_mocapid[i] >= 0;
  for (int i = 0; i < m->nu; i++) {
    na += m->actuator_actnum[i];
    moment += momentEntries(m, i);
    history += historySize(m->actuator_history[2 * i], 1);
  }
  for (int i = 0; i < m->nsensor; i++) {
    sensordata += m->sensor_dim[i];
    history += historySize(m->sensor_history[2 * i], m->sensor_dim[i]);
  }
  for (int i = 0; i < m->nplugin; i++) pluginstate += m->plugin_statenum[i];

  // sizes of arrays of mjData, which no array of the model vouches for
  const struct {
    const char* name;
    mjtSize value, expected;
  } totals[] = {
      {"nmocap",       m->nmocap,       nmocap     },
      {"na",           m->na,           na         },
      {"nJmom",        m->nJmom,        moment     },
      {"nsensordata",  m->nsensordata,  sensordata },
      {"nhistory",     m->nhistory,     history    },
      {"npluginstate", m->npluginstate, pluginstate},
  };
  for (size_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++) {
    if (totals[i].value != totals[i].expected) {
      return mdl_failRange(c, totals[i].name, 0, totals[i].value, (mjtSize[]){totals[i].expected, totals[i].expected});
    }
  }
  return 1;
}
