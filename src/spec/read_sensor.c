// Sensors of MJCF: one table row per sensor element says its type and what it refers to.
#include <string.h>

#include "spec/read.h"
#include "spec/write.h"

// where a sensor's object and reference come from
typedef enum {
  REF_NONE,
  REF_FIXED,     // the attribute names an object of one kind
  REF_FRAME,     // objtype and objname, optionally reftype and refname
  REF_FRAMEACC,  // the same without reference
  REF_PAIR,      // geom1 or body1 against geom2 or body2
  REF_OTHER,     // a reader of its own
} RefStyle;

typedef struct {
  const char* name;
  mjtSensor type;
  RefStyle style;
  const char* attribute;  // of REF_FIXED
  mjtObj object;
} SensorRow;

// clang-format off
static const SensorRow sensors[] = {
    {"touch", mjSENS_TOUCH, REF_FIXED, "site", mjOBJ_SITE},
    {"accelerometer", mjSENS_ACCELEROMETER, REF_FIXED, "site", mjOBJ_SITE},
    {"velocimeter", mjSENS_VELOCIMETER, REF_FIXED, "site", mjOBJ_SITE},
    {"gyro", mjSENS_GYRO, REF_FIXED, "site", mjOBJ_SITE},
    {"force", mjSENS_FORCE, REF_FIXED, "site", mjOBJ_SITE},
    {"torque", mjSENS_TORQUE, REF_FIXED, "site", mjOBJ_SITE},
    {"magnetometer", mjSENS_MAGNETOMETER, REF_FIXED, "site", mjOBJ_SITE},
    {"camprojection", mjSENS_CAMPROJECTION, REF_OTHER, NULL, 0},
    {"rangefinder", mjSENS_RANGEFINDER, REF_OTHER, NULL, 0},
    {"jointpos", mjSENS_JOINTPOS, REF_FIXED, "joint", mjOBJ_JOINT},
    {"jointvel", mjSENS_JOINTVEL, REF_FIXED, "joint", mjOBJ_JOINT},
    {"tendonpos", mjSENS_TENDONPOS, REF_FIXED, "tendon", mjOBJ_TENDON},
    {"tendonvel", mjSENS_TENDONVEL, REF_FIXED, "tendon", mjOBJ_TENDON},
    {"actuatorpos", mjSENS_ACTUATORPOS, REF_FIXED, "actuator", mjOBJ_ACTUATOR},
    {"actuatorvel", mjSENS_ACTUATORVEL, REF_FIXED, "actuator", mjOBJ_ACTUATOR},
    {"actuatorfrc", mjSENS_ACTUATORFRC, REF_FIXED, "actuator", mjOBJ_ACTUATOR},
    {"jointactuatorfrc", mjSENS_JOINTACTFRC, REF_FIXED, "joint", mjOBJ_JOINT},
    {"tendonactuatorfrc", mjSENS_TENDONACTFRC, REF_FIXED, "tendon", mjOBJ_TENDON},
    {"ballquat", mjSENS_BALLQUAT, REF_FIXED, "joint", mjOBJ_JOINT},
    {"ballangvel", mjSENS_BALLANGVEL, REF_FIXED, "joint", mjOBJ_JOINT},
    {"jointlimitpos", mjSENS_JOINTLIMITPOS, REF_FIXED, "joint", mjOBJ_JOINT},
    {"jointlimitvel", mjSENS_JOINTLIMITVEL, REF_FIXED, "joint", mjOBJ_JOINT},
    {"jointlimitfrc", mjSENS_JOINTLIMITFRC, REF_FIXED, "joint", mjOBJ_JOINT},
    {"tendonlimitpos", mjSENS_TENDONLIMITPOS, REF_FIXED, "tendon", mjOBJ_TENDON},
    {"tendonlimitvel", mjSENS_TENDONLIMITVEL, REF_FIXED, "tendon", mjOBJ_TENDON},
    {"tendonlimitfrc", mjSENS_TENDONLIMITFRC, REF_FIXED, "tendon", mjOBJ_TENDON},
    {"framepos", mjSENS_FRAMEPOS, REF_FRAME, NULL, 0},
    {"framequat", mjSENS_FRAMEQUAT, REF_FRAME, NULL, 0},
    {"framexaxis", mjSENS_FRAMEXAXIS, REF_FRAME, NULL, 0},
    {"frameyaxis", mjSENS_FRAMEYAXIS, REF_FRAME, NULL, 0},
    {"framezaxis", mjSENS_FRAMEZAXIS, REF_FRAME, NULL, 0},
    {"framelinvel", mjSENS_FRAMELINVEL, REF_FRAME, NULL, 0},
    {"frameangvel", mjSENS_FRAMEANGVEL, REF_FRAME, NULL, 0},
    {"framelinacc", mjSENS_FRAMELINACC, REF_FRAMEACC, NULL, 0},
    {"frameangacc", mjSENS_FRAMEANGACC, REF_FRAMEACC, NULL, 0},
    {"subtreecom", mjSENS_SUBTREECOM, REF_FIXED, "body", mjOBJ_BODY},
    {"subtreelinvel", mjSENS_SUBTREELINVEL, REF_FIXED, "body", mjOBJ_BODY},
    {"subtreeangmom", mjSENS_SUBTREEANGMOM, REF_FIXED, "body", mjOBJ_BODY},
    {"insidesite", mjSENS_INSIDESITE, REF_OTHER, NULL, 0},
    {"distance", mjSENS_GEOMDIST, REF_PAIR, NULL, 0},
    {"normal", mjSENS_GEOMNORMAL, REF_PAIR, NULL, 0},
    {"fromto", mjSENS_GEOMFROMTO, REF_PAIR, NULL, 0},
    {"contact", mjSENS_CONTACT, REF_OTHER, NULL, 0},
    {"e_potential", mjSENS_E_POTENTIAL, REF_NONE, NULL, 0},
    {"e_kinetic", mjSENS_E_KINETIC, REF_NONE, NULL, 0},
    {"clock", mjSENS_CLOCK, REF_NONE, NULL, 0},
    {"tactile", mjSENS_TACTILE, REF_OTHER, NULL, 0},
    {"user", mjSENS_USER, REF_OTHER, NULL, 0},
    {"plugin", mjSENS_PLUGIN, REF_OTHER, NULL, 0},
};
// clang-format on

// attributes that every sensor may have; the schema allows only those that its element knows
// clang-format off
static const SpcAttributeRow common[] = {
    {"name", SPC_A_NAME, 0, 0, 0, 0, NULL},
    {"nsample", SPC_A_INT, 1, 1, 0, offsetof(mjsSensor, nsample), NULL},
    {"interp", SPC_A_WORD, 1, 1, 0, offsetof(mjsSensor, interp), spc_wordsInterp},
    {"delay", SPC_A_DOUBLE, 1, 1, 0, offsetof(mjsSensor, delay), NULL},
    {"interval", SPC_A_DOUBLE, 1, 2, 0, offsetof(mjsSensor, interval), NULL},
    {"cutoff", SPC_A_DOUBLE, 1, 1, 0, offsetof(mjsSensor, cutoff), NULL},
    {"noise", SPC_A_DOUBLE, 1, 1, 0, offsetof(mjsSensor, noise), NULL},
    {"user", SPC_A_DOUBLES, 0, 0, 0, offsetof(mjsSensor, userdata), NULL},
    {NULL, SPC_A_END, 0, 0, 0, 0, NULL},
};
// clang-format on

// -------------------------------------------------------------------------------------------- references

static mjtObj readType(SpcReader* r, const XmlNode* node, const char* attribute) {
  const char* text = spc_readRequired(r, node, attribute);
  return mju_str2Type(text);
}

static void setObject(mjsSensor* sensor, mjtObj type, const char* name) {
  sensor->objtype = type;
  spc_textSet(sensor->objname, name);
}

static void setReference(mjsSensor* sensor, mjtObj type, const char* name) {
  sensor->reftype = type;
  spc_textSet(sensor->refname, name);
}

static void readFrame(SpcReader* r, const XmlNode* node, mjsSensor* sensor, int reference) {
  setObject(sensor, readType(r, node, "objtype"), spc_readRequired(r, node, "objname"));
  const char* refname = xml_attribute(node, "refname");
  const char* reftype = xml_attribute(node, "reftype");
  if (!reference) return;
  if (refname && !reftype) spc_readFail(r, node, "refname '%s' given but reftype is missing", refname);
  if (reftype) setReference(sensor, readType(r, node, "reftype"), spc_readRequired(r, node, "refname"));
}

// a geom or all geoms of a body, twice
static void readPairSides(SpcReader* r, const XmlNode* node, mjsSensor* sensor) {
  const char* body1 = xml_attribute(node, "body1");
  const char* geom1 = xml_attribute(node, "geom1");
  const char* body2 = xml_attribute(node, "body2");
  const char* geom2 = xml_attribute(node, "geom2");
  if (!body1 == !geom1) spc_readFail(r, node, "exactly one of (geom1, body1) must be specified");
  if (!body2 == !geom2) spc_readFail(r, node, "exactly one of (geom2, body2) must be specified");
  setObject(sensor, body1 ? mjOBJ_BODY : mjOBJ_GEOM, body1 ? body1 : geom1);
  setReference(sensor, body2 ? mjOBJ_BODY : mjOBJ_GEOM, body2 ? body2 : geom2);
}

// words of a "data" attribute as bits, in the order of the fields
static int readFields(SpcReader* r, const XmlNode* node, const SpcWord* words, int unset) {
  int field[32], bits = 0;
  const int count = spc_readWords(r, node, "data", words, field, 32);
  for (int i = 0; i < count; i++) {
    if (i > 0 && field[i] < field[i - 1]) {
      spc_readFail(r, node, "data attributes must be in order: %s",
                   words == spc_wordsConData ? "found, force, torque, dist, pos, normal, tangent"
                                             : "dist, dir, origin, point, normal, depth");
    }
    bits |= 1 << field[i];
  }
  return count ? bits : unset;
}

// -------------------------------------------------------------------------------------------- sensors of their own
// kind

// one side of a contact sensor: site, body, subtree or geom
static void readContact(SpcReader* r, const XmlNode* node, mjsSensor* sensor) {
  static const struct {
    const char *first, *second;
    mjtObj type;
  } sides[] = {
      {"body1",    "body2",    mjOBJ_BODY },
      {"subtree1", "subtree2", mjOBJ_XBODY},
      {"geom1",    "geom2",    mjOBJ_GEOM }
  };
  int count1 = 0, count2 = 0;
  const char* site = xml_attribute(node, "site");
  if (site) {
    setObject(sensor, mjOBJ_SITE, site);
    count1++;
  }
  for (int i = 0; i < 3; i++) {
    const char* first = xml_attribute(node, sides[i].first);
    const char* second = xml_attribute(node, sides[i].second);
    if (first) {
      setObject(sensor, sides[i].type, first);
      count1++;
    }
    if (second) {
      setReference(sensor, sides[i].type, second);
      count2++;
    }
  }
  if (count1 > 1) spc_readFail(r, node, "at most one of (geom1, body1, subtree1, site) can be specified");
  if (count2 > 1) spc_readFail(r, node, "at most one of (geom2, body2, subtree2) can be specified");

  sensor->intprm[0] = readFields(r, node, spc_wordsConData, 1 << mjCONDATA_FOUND);
  int reduce = 0;
  spc_readWord(r, node, "reduce", spc_wordsReduce, &reduce);
  sensor->intprm[1] = reduce;
  sensor->intprm[2] = 1;
  spc_readInts(r, node, "num", &sensor->intprm[2], 1, 1);
  if (sensor->intprm[2] <= 0) spc_readFail(r, node, "'num' must be positive in sensor");
}

static void readRangefinder(SpcReader* r, const XmlNode* node, mjsSensor* sensor) {
  const char* site = xml_attribute(node, "site");
  const char* camera = xml_attribute(node, "camera");
  if (!site == !camera) spc_readFail(r, node, "rangefinder requires exactly one of 'site' or 'camera'");
  setObject(sensor, site ? mjOBJ_SITE : mjOBJ_CAMERA, site ? site : camera);
  sensor->intprm[0] = readFields(r, node, spc_wordsRayData, 1 << mjRAYDATA_DIST);
}

static void readUser(SpcReader* r, const XmlNode* node, mjsSensor* sensor) {
  const char* objname = xml_attribute(node, "objname");
  const char* objtype = xml_attribute(node, "objtype");
  if (!objname != !objtype) {
    spc_readFail(r, node,
                 objname ? "objname '%s' given but objtype is missing" : "objtype '%s' given but objname is missing",
                 objname ? objname : objtype);
  }
  if (objname) setObject(sensor, readType(r, node, "objtype"), objname);
  sensor->needstage = mjSTAGE_ACC;
  sensor->datatype = mjDATATYPE_REAL;
  int word;
  spc_readRequired(r, node, "dim");
  spc_readInts(r, node, "dim", &sensor->dim, 1, 1);
  if (spc_readWord(r, node, "needstage", spc_wordsStage, &word)) sensor->needstage = word;
  if (spc_readWord(r, node, "datatype", spc_wordsDataType, &word)) sensor->datatype = word;
}

static void readSensorPlugin(SpcReader* r, const XmlNode* node, mjsSensor* sensor) {
  spc_readPlugin(r, node, &sensor->plugin);
  const char* objname = xml_attribute(node, "objname");
  const char* objtype = xml_attribute(node, "objtype");
  const char* refname = xml_attribute(node, "refname");
  const char* reftype = xml_attribute(node, "reftype");
  if (!objname != !objtype) {
    spc_readFail(r, node,
                 objname ? "objname is specified but objtype is not" : "objtype is specified but objname is not");
  }
  if (!refname != !reftype) {
    spc_readFail(r, node,
                 refname ? "refname is specified but reftype is not" : "reftype is specified but refname is not");
  }
  if (objname) setObject(sensor, readType(r, node, "objtype"), objname);
  if (refname) setReference(sensor, readType(r, node, "reftype"), refname);
}

static void readOther(SpcReader* r, const XmlNode* node, mjsSensor* sensor) {
  switch (sensor->type) {
    case mjSENS_CAMPROJECTION:
      setObject(sensor, mjOBJ_SITE, spc_readRequired(r, node, "site"));
      setReference(sensor, mjOBJ_CAMERA, spc_readRequired(r, node, "camera"));
      break;
    case mjSENS_INSIDESITE:
      spc_readRequired(r, node, "objtype");
      setObject(sensor, readType(r, node, "objtype"), spc_readRequired(r, node, "objname"));
      setReference(sensor, mjOBJ_SITE, spc_readRequired(r, node, "site"));
      break;
    case mjSENS_TACTILE:
      setReference(sensor, mjOBJ_GEOM, spc_readRequired(r, node, "geom"));
      setObject(sensor, mjOBJ_MESH, spc_readRequired(r, node, "mesh"));
      break;
    case mjSENS_RANGEFINDER:
      readRangefinder(r, node, sensor);
      break;
    case mjSENS_CONTACT:
      readContact(r, node, sensor);
      break;
    case mjSENS_USER:
      readUser(r, node, sensor);
      break;
    default:
      readSensorPlugin(r, node, sensor);
  }
}

void spc_readSensors(SpcReader* r, const XmlNode* section) {
  for (const XmlNode* node = section->first; node; node = node->next) {
    mjsSensor* sensor = mjs_addSensor(&r->model->spec);
    spc_readRows(r, node, common, sensor, spc_head(sensor->element));
    size_t i = 0;
    while (strcmp(sensors[i].name, node->name)) i++;
    sensor->type = sensors[i].type;
    switch (sensors[i].style) {
      case REF_NONE:
        break;
      case REF_FIXED:
        setObject(sensor, sensors[i].object, spc_readRequired(r, node, sensors[i].attribute));
        break;
      case REF_FRAME:
      case REF_FRAMEACC:
        readFrame(r, node, sensor, sensors[i].style == REF_FRAME);
        break;
      case REF_PAIR:
        readPairSides(r, node, sensor);
        break;
      case REF_OTHER:
        readOther(r, node, sensor);
        break;
    }
  }
}

const char* spc_sensorName(mjtSensor type) {
  for (size_t i = 0; i < sizeof(sensors) / sizeof(sensors[0]); i++) {
    if (sensors[i].type == type) return sensors[i].name;
  }
  return NULL;
}
