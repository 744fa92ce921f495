// Sensors: what they are attached to, and the size, type and stage of their data, by one table.
#include <limits.h>

#include "compile/compile.h"

enum { MAX_SAMPLES = 1 << 24 };  // of a history buffer

// what a sensor may be attached to
typedef enum {
  ON_NOTHING,
  ON_SITE,
  ON_SITE_CAMERA,
  ON_SCALAR,  // hinge or slide
  ON_BALL,
  ON_LIMITED_JOINT,
  ON_TENDON,
  ON_LIMITED_TENDON,
  ON_ACTUATOR,
  ON_FRAME,  // body, geom, site or camera
  ON_BODY,
  ON_PAIR,  // two bodies or geoms
  ON_ANY,   // rules of its own
} Attachment;

typedef struct {
  Attachment on;
  int dim;  // -1: depends on the sensor
  mjtDataType data;
  mjtStage stage;
} Row;

#define POSITIVE   mjDATATYPE_POSITIVE
#define QUATERNION mjDATATYPE_QUATERNION
#define AXIS       mjDATATYPE_AXIS
#define REAL       mjDATATYPE_REAL
#define POS        mjSTAGE_POS
#define VEL        mjSTAGE_VEL
#define ACC        mjSTAGE_ACC

static const Row rows[] = {
  // clang-format off
    [mjSENS_TOUCH]          = {ON_SITE,           1,  POSITIVE,   ACC},
    [mjSENS_ACCELEROMETER]  = {ON_SITE,           3,  REAL,       ACC},
    [mjSENS_VELOCIMETER]    = {ON_SITE,           3,  REAL,       VEL},
    [mjSENS_GYRO]           = {ON_SITE,           3,  REAL,       VEL},
    [mjSENS_FORCE]          = {ON_SITE,           3,  REAL,       ACC},
    [mjSENS_TORQUE]         = {ON_SITE,           3,  REAL,       ACC},
    [mjSENS_MAGNETOMETER]   = {ON_SITE,           3,  REAL,       POS},
    [mjSENS_RANGEFINDER]    = {ON_SITE_CAMERA,    -1, REAL,       POS},
    [mjSENS_CAMPROJECTION]  = {ON_SITE,           2,  REAL,       POS},
    [mjSENS_JOINTPOS]       = {ON_SCALAR,         1,  REAL,       POS},
    [mjSENS_JOINTVEL]       = {ON_SCALAR,         1,  REAL,       VEL},
    [mjSENS_TENDONPOS]      = {ON_TENDON,         1,  REAL,       POS},
    [mjSENS_TENDONVEL]      = {ON_TENDON,         1,  REAL,       VEL},
    [mjSENS_ACTUATORPOS]    = {ON_ACTUATOR,       1,  REAL,       POS},
    [mjSENS_ACTUATORVEL]    = {ON_ACTUATOR,       1,  REAL,       VEL},
    [mjSENS_ACTUATORFRC]    = {ON_ACTUATOR,       1,  REAL,       ACC},
    [mjSENS_JOINTACTFRC]    = {ON_SCALAR,         1,  REAL,       ACC},
    [mjSENS_TENDONACTFRC]   = {ON_TENDON,         1,  REAL,       ACC},
    [mjSENS_BALLQUAT]       = {ON_BALL,           4,  QUATERNION, POS},
    [mjSENS_BALLANGVEL]     = {ON_BALL,           3,  REAL,       VEL},
    [mjSENS_JOINTLIMITPOS]  = {ON_LIMITED_JOINT,  1,  REAL,       POS},
    [mjSENS_JOINTLIMITVEL]  = {ON_LIMITED_JOINT,  1,  REAL,       VEL},
    [mjSENS_JOINTLIMITFRC]  = {ON_LIMITED_JOINT,  1,  REAL,       ACC},
    [mjSENS_TENDONLIMITPOS] = {ON_LIMITED_TENDON, 1,  REAL,       POS},
    [mjSENS_TENDONLIMITVEL] = {ON_LIMITED_TENDON, 1,  REAL,       VEL},
    [mjSENS_TENDONLIMITFRC] = {ON_LIMITED_TENDON, 1,  REAL,       ACC},
    [mjSENS_FRAMEPOS]       = {ON_FRAME,          3,  REAL,       POS},
    [mjSENS_FRAMEQUAT]      = {ON_FRAME,          4,  QUATERNION, POS},
    [mjSENS_FRAMEXAXIS]     = {ON_FRAME,          3,  AXIS,       POS},
    [mjSENS_FRAMEYAXIS]     = {ON_FRAME,          3,  AXIS,       POS},
    [mjSENS_FRAMEZAXIS]     = {ON_FRAME,          3,  AXIS,       POS},
    [mjSENS_FRAMELINVEL]    = {ON_FRAME,          3,  REAL,       VEL},
    [mjSENS_FRAMEANGVEL]    = {ON_FRAME,          3,  REAL,       VEL},
    [mjSENS_FRAMELINACC]    = {ON_FRAME,          3,  REAL,       ACC},
    [mjSENS_FRAMEANGACC]    = {ON_FRAME,          3,  REAL,       ACC},
    [mjSENS_SUBTREECOM]     = {ON_BODY,           3,  REAL,       POS},
    [mjSENS_SUBTREELINVEL]  = {ON_BODY,           3,  REAL,       VEL},
    [mjSENS_SUBTREEANGMOM]  = {ON_BODY,           3,  REAL,       VEL},
    [mjSENS_INSIDESITE]     = {ON_FRAME,          1,  POSITIVE,   POS},
    [mjSENS_GEOMDIST]       = {ON_PAIR,           1,  REAL,       POS},
    [mjSENS_GEOMNORMAL]     = {ON_PAIR,           3,  AXIS,       POS},
    [mjSENS_GEOMFROMTO]     = {ON_PAIR,           6,  REAL,       POS},
    [mjSENS_CONTACT]        = {ON_ANY,            -1, REAL,       ACC},
    [mjSENS_E_POTENTIAL]    = {ON_NOTHING,        1,  REAL,       POS},
    [mjSENS_E_KINETIC]      = {ON_NOTHING,        1,  REAL,       POS},
    [mjSENS_CLOCK]          = {ON_NOTHING,        1,  REAL,       POS},
    [mjSENS_TACTILE]        = {ON_ANY,            -1, REAL,       ACC},
    [mjSENS_PLUGIN]         = {ON_ANY,            0,  REAL,       ACC},
    [mjSENS_USER]           = {ON_ANY,            -1, REAL,       ACC},
  // clang-format on
};

// -------------------------------------------------------------------------------------------- attachment

static int hasFrame(mjtObj type) {
  return type == mjOBJ_BODY || type == mjOBJ_XBODY || type == mjOBJ_GEOM || type == mjOBJ_SITE || type == mjOBJ_CAMERA;
}

// finds the object and the reference; geoms that are sensed are not only there to be seen
static void resolve(Cmp* c, CmpSensor* sensor) {
  const mjsSensor* const s = &sensor->s;
  SpcElement* const e = sensor->head.e;
  if (s->objtype != mjOBJ_UNKNOWN) {
    const char* const name = spc_text(s->objname);
    if (!*name) cmp_fail(c, e, "missing name of sensorized object in sensor");
    sensor->object = cmp_findType(c, s->objtype, name);
    if (!sensor->object) cmp_fail(c, e, "unrecognized name '%s' of sensorized object", name);
    if (s->objtype == mjOBJ_GEOM) ((CmpGeom*)sensor->object)->visual = 0;
  } else if (rows[s->type].on != ON_NOTHING && rows[s->type].on != ON_ANY) {
    cmp_fail(c, e, "invalid type in sensor");
  }
  if (s->reftype != mjOBJ_UNKNOWN) {
    const char* const name = spc_text(s->refname);
    if (!*name) cmp_fail(c, e, "missing name of reference frame object in sensor");
    sensor->reference = cmp_findType(c, s->reftype, name);
    if (!sensor->reference) cmp_fail(c, e, "unrecognized name '%s' of object", name);
    if (!hasFrame(s->reftype)) {
      cmp_fail(c, e, "reference frame object must be (x)body, geom, site or camera in sensor");
    }
    if (s->reftype == mjOBJ_GEOM) ((CmpGeom*)sensor->reference)->visual = 0;
  }
}

static const char* checkJoint(const CmpSensor* sensor, Attachment on) {
  if (sensor->s.objtype != mjOBJ_JOINT) return "sensor must be attached to joint";
  const mjsJoint* const joint = &((const CmpJoint*)sensor->object)->s;
  if (on == ON_BALL) return joint->type == mjJNT_BALL ? NULL : "joint must be ball in sensor";
  if (on == ON_LIMITED_JOINT) {
    return cmp_isLimited(joint->limited, joint->range) ? NULL : "joint must be limited in sensor";
  }
  return joint->type == mjJNT_HINGE || joint->type == mjJNT_SLIDE ? NULL : "joint must be slide or hinge in sensor";
}

static const char* checkTendon(const CmpSensor* sensor, Attachment on) {
  if (sensor->s.objtype != mjOBJ_TENDON) return "sensor must be attached to tendon";
  const mjsTendon* const tendon = &((const CmpTendon*)sensor->object)->s;
  if (on == ON_LIMITED_TENDON && !cmp_isLimited(tendon->limited, tendon->range))
    return "tendon must be limited in sensor";
  return NULL;
}

static int isHfield(mjtObj type, const CmpHead* head) {
  return type == mjOBJ_GEOM && ((const CmpGeom*)head)->s.type == mjGEOM_HFIELD;
}

static const char* checkPair(const CmpSensor* sensor) {
  const mjsSensor* const s = &sensor->s;
  if ((s->objtype != mjOBJ_BODY && s->objtype != mjOBJ_GEOM) ||
      (s->reftype != mjOBJ_BODY && s->reftype != mjOBJ_GEOM)) {
    return "sensor must be attached to body or geom";
  }
  if (sensor->object == sensor->reference) return "1st body/geom must be different from 2nd body/geom";
  if (isHfield(s->objtype, sensor->object) || isHfield(s->reftype, sensor->reference)) {
    return "height fields are not supported in geom distance sensors";
  }
  return NULL;
}

// NULL, or why the sensor cannot be attached there
static const char* checkAttachment(const CmpSensor* sensor) {
  const mjtObj type = sensor->s.objtype;
  const Attachment on = rows[sensor->s.type].on;
  switch (on) {
    case ON_SITE:
      return type == mjOBJ_SITE ? NULL : "sensor must be attached to site";
    case ON_SITE_CAMERA:
      return type == mjOBJ_SITE || type == mjOBJ_CAMERA ? NULL : "sensor must be attached to site or camera";
    case ON_SCALAR:
    case ON_BALL:
    case ON_LIMITED_JOINT:
      return checkJoint(sensor, on);
    case ON_TENDON:
    case ON_LIMITED_TENDON:
      return checkTendon(sensor, on);
    case ON_ACTUATOR:
      return type == mjOBJ_ACTUATOR ? NULL : "sensor must be attached to actuator";
    case ON_FRAME:
      return hasFrame(type) ? NULL : "sensor must be attached to (x)body, geom, site or camera";
    case ON_BODY:
      return type == mjOBJ_BODY ? NULL : "sensor must be attached to body";
    case ON_PAIR:
      return checkPair(sensor);
    default:
      return NULL;
  }
}

// -------------------------------------------------------------------------------------------- sensors with rules of
// their own

// sum of the widths of the fields whose bits are set
static int fieldWidth(int bits, const int* width, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += bits & (1 << i) ? width[i] : 0;
  return sum;
}

static const int rayWidth[mjNRAYDATA] = {1, 3, 3, 3, 3, 1};
static const int contactWidth[mjNCONDATA] = {1, 3, 3, 1, 3, 3, 3};

// the bits that choose fields: some of the first n and no others
static void checkFields(Cmp* c, const CmpSensor* sensor, int n, const char* title) {
  const int bits = sensor->s.intprm[0], known = (1 << n) - 1;
  SpcElement* const e = sensor->head.e;
  if (bits <= 0) cmp_fail(c, e, "data spec (intprm[0]) must be positive, got %d", bits);
  if (!(bits & known)) {
    cmp_fail(c, e, "data spec intprm[0]=%d must have at least one bit set of the first %s bits", bits, title);
  }
  if (bits & ~known) cmp_fail(c, e, "data spec intprm[0]=%d has bits set beyond the first %s bits", bits, title);
}

// values of a sensor that has so many for each pixel; INT_MAX: more than there can be
static int cameraDim(int width, const int resolution[2]) {
  int pixels = 0, dim = 0;
  const int over =
      __builtin_mul_overflow(resolution[0], resolution[1], &pixels) || __builtin_mul_overflow(width, pixels, &dim);
  return over ? INT_MAX : dim;
}

static void compileRangefinder(Cmp* c, CmpSensor* sensor) {
  mjsSensor* const s = &sensor->s;
  checkFields(c, sensor, mjNRAYDATA, "mjNRAYDATA");
  s->dim = fieldWidth(s->intprm[0], rayWidth, mjNRAYDATA);
  if (s->objtype == mjOBJ_CAMERA) {
    const int* const resolution = ((const CmpCamera*)sensor->object)->s.resolution;
    const int pixels = cameraDim(s->dim, resolution);
    if (pixels == INT_MAX) {
      cmp_fail(c, sensor->head.e, "%d x %d pixels are too many for a sensor", resolution[0], resolution[1]);
    }
    s->dim = pixels;
  }
}

static void compileContact(Cmp* c, CmpSensor* sensor) {
  mjsSensor* const s = &sensor->s;
  SpcElement* const e = sensor->head.e;
  if (s->objtype != mjOBJ_UNKNOWN && (!hasFrame(s->objtype) || s->objtype == mjOBJ_CAMERA)) {
    cmp_fail(c, e, "first matching criterion: if set, must be (x)body, geom or site");
  }
  if (s->reftype != mjOBJ_UNKNOWN && s->reftype != mjOBJ_BODY && s->reftype != mjOBJ_XBODY &&
      s->reftype != mjOBJ_GEOM) {
    cmp_fail(c, e, "second matching criterion: if set, must be (x)body or geom");
  }
  checkFields(c, sensor, mjNCONDATA, "mjNCONDATA");
  if (s->intprm[1] < 0 || s->intprm[1] > 3) {
    cmp_fail(c, e, "unknown reduction criterion. got %d, expected one of {0, 1, 2, 3}", s->intprm[1]);
  }
  if (s->intprm[2] <= 0) cmp_fail(c, e, "num (intprm[2]) must be positive in sensor, got %d", s->intprm[2]);
  s->dim = s->intprm[2] * fieldWidth(s->intprm[0], contactWidth, mjNCONDATA);
}

static void compileUser(Cmp* c, const CmpSensor* sensor) {
  const mjsSensor* const s = &sensor->s;
  SpcElement* const e = sensor->head.e;
  if (s->dim < 0) cmp_fail(c, e, "sensor dim must be non-negative in sensor");
  if (s->datatype == mjDATATYPE_AXIS && s->dim != 3) cmp_fail(c, e, "datatype AXIS requires dim=3 in sensor");
  if (s->datatype == mjDATATYPE_QUATERNION && s->dim != 4)
    cmp_fail(c, e, "datatype QUATERNION requires dim=4 in sensor");
}

static void compileTactile(Cmp* c, CmpSensor* sensor) {
  if (sensor->s.objtype != mjOBJ_MESH) cmp_fail(c, sensor->head.e, "sensor must be associated with a mesh");
  if (sensor->s.reftype != mjOBJ_GEOM) cmp_fail(c, sensor->head.e, "sensor must be associated with a geom");
  sensor->s.dim = 3 * ((const CmpMesh*)sensor->object)->asset.nvert;
}

static void compileSpecial(Cmp* c, CmpSensor* sensor) {
  switch (sensor->s.type) {
    case mjSENS_RANGEFINDER:
      compileRangefinder(c, sensor);
      break;
    case mjSENS_CONTACT:
      compileContact(c, sensor);
      break;
    case mjSENS_USER:
      compileUser(c, sensor);
      break;
    case mjSENS_TACTILE:
      compileTactile(c, sensor);
      break;
    case mjSENS_PLUGIN: {
      mjsPlugin plugin = sensor->s.plugin;
      plugin.active = 1;
      sensor->plugin = cmp_plugin(c, sensor->head.e, &plugin, mjPLUGIN_SENSOR, "sensors");
      const CmpPluginInstance* const instance = CMP_AT(c, SPC_PLUGIN, CmpPluginInstance, sensor->plugin);
      sensor->s.needstage = (mjtStage)mjp_getPluginAtSlot(instance->slot)->needstage;
      break;
    }
    case mjSENS_CAMPROJECTION: {
      const CmpCamera* const camera = (const CmpCamera*)sensor->reference;
      if (!camera || sensor->s.reftype != mjOBJ_CAMERA) {
        cmp_fail(c, sensor->head.e, "camera projection sensor requires a camera reference");
      }
      if (!camera->s.resolution[0] || !camera->s.resolution[1]) {
        cmp_fail(c, sensor->head.e, "camera projection sensor requires camera resolution");
      }
      break;
    }
    case mjSENS_INSIDESITE:
      if (sensor->s.reftype != mjOBJ_SITE) cmp_fail(c, sensor->head.e, "sensor must be associated with a site");
      break;
    default:
      break;
  }
}

// -------------------------------------------------------------------------------------------- sensor

static void checkNumbers(Cmp* c, const CmpSensor* sensor) {
  const mjsSensor* const s = &sensor->s;
  SpcElement* const e = sensor->head.e;
  cmp_checkUser(c, e, s->userdata, c->s.nuser_sensor, "nuser_sensor in sensor");
  if (s->noise < 0) cmp_fail(c, e, "negative noise in sensor");
  if (s->cutoff < 0) cmp_fail(c, e, "negative cutoff in sensor");
  if (s->nsample > MAX_SAMPLES) cmp_fail(c, e, "at most 2^24 samples in sensor history buffer, got %d", s->nsample);
  if (s->delay > 0 && s->nsample <= 0) cmp_fail(c, e, "setting delay > 0 without a history buffer");
  if (s->interval[0] < 0) cmp_fail(c, e, "negative interval in sensor");
  if (s->interval[1] > 0) cmp_fail(c, e, "positive phase in sensor");
  if (s->interval[0] > 0 && s->interval[1] <= -s->interval[0]) {
    cmp_fail(c, e, "phase must be greater than -period in sensor");
  }
}

void cmp_compileSensors(Cmp* c) {
  BAS_ASSERT(c->stage == CMP_TREE);
  for (int i = 0; i < cmp_count(c, SPC_SENSOR); i++) {
    CmpSensor* const sensor = CMP_AT(c, SPC_SENSOR, CmpSensor, i);
    mjsSensor* const s = &sensor->s;
    SpcElement* const e = sensor->head.e;
    sensor->plugin = -1;
    if ((int)s->type < 0 || s->type > mjSENS_USER) {
      cmp_fail(c, e, "invalid type in sensor '%s' (id = %d)", sensor->head.name, i);
    }
    checkNumbers(c, sensor);
    resolve(c, sensor);
    const char* const error = checkAttachment(sensor);
    if (error) cmp_fail(c, e, "%s", error);

    // a user sensor says what its data are
    if (s->type != mjSENS_USER) {
      const Row* const row = &rows[s->type];
      if (row->dim >= 0) s->dim = row->dim;
      s->datatype = row->data;
      s->needstage = row->stage;
    }
    compileSpecial(c, sensor);
    if (s->cutoff > 0 &&
        (s->datatype == mjDATATYPE_QUATERNION || (s->datatype == mjDATATYPE_AXIS && s->type != mjSENS_GEOMNORMAL))) {
      cmp_fail(c, e, "cutoff applied to axis or quaternion datatype in sensor");
    }
  }
}

// -------------------------------------------------------------------------------------------- public

// the object that a sensor is attached to, in its spec
static const void* objectOf(const mjsSensor* sensor) {
  const SpcElement* const e = spc_head(sensor->element);
  const SpcElement* const found = spc_find(e->model, spc_kindOf(sensor->objtype), spc_text(sensor->objname));
  return found ? found->spec : NULL;
}

int mjs_sensorDim(const mjsSensor* sensor) {
  if ((int)sensor->type < 0 || sensor->type > mjSENS_USER) return -1;
  const int dim = rows[sensor->type].dim;
  if (dim >= 0) return dim;
  switch (sensor->type) {
    case mjSENS_RANGEFINDER: {
      const mjsCamera* const camera = sensor->objtype == mjOBJ_CAMERA ? objectOf(sensor) : NULL;
      const int width = fieldWidth(sensor->intprm[0], rayWidth, mjNRAYDATA);
      return camera ? cameraDim(width, camera->resolution) : width;
    }
    case mjSENS_CONTACT:
      return sensor->intprm[2] * fieldWidth(sensor->intprm[0], contactWidth, mjNCONDATA);
    case mjSENS_TACTILE: {
      // three values for every vertex; those of a file are known once it is compiled
      const mjsMesh* const mesh = sensor->objtype == mjOBJ_MESH ? objectOf(sensor) : NULL;
      return mesh ? (int)spc_vecCount(mesh->uservert, sizeof(float)) : 0;
    }
    default:
      return sensor->dim;
  }
}
