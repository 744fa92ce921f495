// mjs_setTo*: actuators that are settings of the general one. A table says for each of them where its values go, which
// of them may not be negative, and what kind of actuator it becomes; the functions hand over the values and add what a
// row cannot say. Each returns "" or what is wrong.
#include <mujoco/mujoco.h>
#include <stddef.h>
#include <string.h>

enum { KEEP = -1, MOST = 5 };
#define DYN(i)  offsetof(mjsActuator, dynprm) + (i) * sizeof(double)
#define GAIN(i) offsetof(mjsActuator, gainprm) + (i) * sizeof(double)
#define BIAS(i) offsetof(mjsActuator, biasprm) + (i) * sizeof(double)

// where a value goes
typedef struct {
  size_t offset;
  double factor;         // it is multiplied by
  const char* negative;  // what is said of a negative one, NULL: it may be
} Slot;

typedef struct {
  int dyn, gain, bias;  // types of the three parts, KEEP: as they are
  size_t cleared;       // the array of ten parameters that starts from zero, 0: none
  const char* range;    // controls are limited, and this is said of a negative limit; NULL: as they are
  Slot slot[MOST];      // in the order of the values
} Shortcut;

typedef enum { MOTOR, POSITION, VELOCITY, DAMPER, CYLINDER, MUSCLE, ADHESION } Name;

// clang-format off
static const Shortcut shortcuts[] = {
    [MOTOR]    = {mjDYN_NONE,   mjGAIN_FIXED,  mjBIAS_NONE,   0,       NULL, {{GAIN(0), 1, NULL}}},
    [POSITION] = {KEEP,         mjGAIN_FIXED,  mjBIAS_AFFINE, 0,       NULL,
                  {{GAIN(0), 1, NULL}, {BIAS(1), -1, NULL},
                   {BIAS(2), -1, "kv cannot be negative"},        // a coefficient is kept as a negative number,
                   {BIAS(2), 1, "dampratio cannot be negative"},  // a ratio, which the compiler resolves, as a positive
                   {DYN(0), 1, "timeconst cannot be negative"}}},
    [VELOCITY] = {mjDYN_NONE,   mjGAIN_FIXED,  mjBIAS_AFFINE, BIAS(0), NULL, {{GAIN(0), 1, NULL}, {BIAS(2), -1, NULL}}},
    [DAMPER]   = {mjDYN_NONE,   mjGAIN_AFFINE, mjBIAS_NONE,   GAIN(0), "damper control range cannot be negative",
                  {{GAIN(2), -1, "damping coefficient cannot be negative"}}},
    [CYLINDER] = {mjDYN_FILTER, mjGAIN_FIXED,  mjBIAS_AFFINE, 0,       NULL,
                  {{DYN(0), 1, NULL}, {BIAS(0), 1, NULL}, {GAIN(0), 1, NULL}}},
    [MUSCLE]   = {mjDYN_MUSCLE, mjGAIN_MUSCLE, mjBIAS_MUSCLE, 0,       NULL,
                  {{DYN(2), 1, "muscle tausmooth cannot be negative"}}},
    [ADHESION] = {KEEP,         mjGAIN_FIXED,  mjBIAS_NONE,   0,       "adhesion control range cannot be negative",
                  {{GAIN(0), 1, "adhesion gain cannot be negative"}}},
};
// clang-format on

static double* at(mjsActuator* actuator, size_t offset) {
  return (double*)(void*)((char*)actuator + offset);
}

// the first n values, NULL for those that are not given, up to one that may not be negative and is
static const char* setValues(mjsActuator* actuator, Name name, const double* const value[], int n) {
  const Shortcut* s = &shortcuts[name];
  if (s->cleared) memset(at(actuator, s->cleared), 0, mjNGAIN * sizeof(double));
  for (int i = 0; i < n; i++) {
    if (!value[i]) continue;
    if (*value[i] < 0 && s->slot[i].negative) return s->slot[i].negative;
    *at(actuator, s->slot[i].offset) = s->slot[i].factor * *value[i];
  }
  return "";
}

static const char* setKind(mjsActuator* actuator, Name name) {
  const Shortcut* s = &shortcuts[name];
  if (s->dyn != KEEP) actuator->dyntype = (mjtDyn)s->dyn;
  actuator->gaintype = (mjtGain)s->gain;
  actuator->biastype = (mjtBias)s->bias;
  if (!s->range) return "";
  actuator->ctrllimited = 1;
  return actuator->ctrlrange[0] < 0 || actuator->ctrlrange[1] < 0 ? s->range : "";
}

// both, for shortcuts that are nothing but their row
static const char* become(mjsActuator* actuator, Name name, const double* const value[], int n) {
  const char* error = setValues(actuator, name, value, n);
  return *error ? error : setKind(actuator, name);
}

static int isSet(const double range[2]) {
  return range[0] != 0 || range[1] != 0;
}

// -------------------------------------------------------------------------------------------- public

_Static_assert(mjNGAIN == mjNBIAS, "one length for parameters of gain and bias");

const char* mjs_setToMotor(mjsActuator* actuator) {
  const double one = 1;
  return become(actuator, MOTOR, (const double*[]){&one}, 1);
}

const char* mjs_setToPosition(mjsActuator* actuator, double kp, double kv[1], double dampratio[1], double timeconst[1],
                              double inheritrange) {
  const int both = kv && dampratio;
  const double* const value[] = {&kp, &kp, kv, dampratio, timeconst};
  const char* error = setValues(actuator, POSITION, value, both ? 2 : 5);
  if (both) return "kv and dampratio cannot both be defined";
  if (*error) return error;
  if (timeconst) actuator->dyntype = *timeconst == 0 ? mjDYN_NONE : mjDYN_FILTEREXACT;
  actuator->inheritrange = inheritrange;
  if (inheritrange > 0 && isSet(actuator->ctrlrange)) return "ctrlrange and inheritrange cannot both be defined";
  return setKind(actuator, POSITION);
}

const char* mjs_setToIntVelocity(mjsActuator* actuator, double kp, double kv[1], double dampratio[1],
                                 double timeconst[1], double inheritrange) {
  // a position that is integrated from the control; what is wrong with it is not said
  mjs_setToPosition(actuator, kp, kv, dampratio, timeconst, inheritrange);
  actuator->dyntype = mjDYN_INTEGRATOR;
  actuator->actlimited = 1;
  const int twice = inheritrange > 0 && isSet(actuator->actrange);
  return twice ? "actrange and inheritrange cannot both be defined" : "";
}

const char* mjs_setToVelocity(mjsActuator* actuator, double kv) {
  return become(actuator, VELOCITY, (const double*[]){&kv, &kv}, 2);
}

const char* mjs_setToDamper(mjsActuator* actuator, double kv) {
  return become(actuator, DAMPER, (const double*[]){&kv}, 1);
}

const char* mjs_setToCylinder(mjsActuator* actuator, double timeconst, double bias, double area, double diameter) {
  if (diameter >= 0) area = mjPI / 4 * diameter * diameter;
  return become(actuator, CYLINDER, (const double*[]){&timeconst, &bias, &area}, 3);
}

const char* mjs_setToMuscle(mjsActuator* actuator, double timeconst[2], double tausmooth, double range[2], double force,
                            double scale, double lmin, double lmax, double vmax, double fpmax, double fvmax) {
  // What the general actuator has untouched and what a muscle has instead; the value given, negative: none.
  const struct {
    size_t offset;
    double untouched, muscle, given;
  } parameters[] = {
      {DYN(0),  1, 0.01, timeconst[0]},
      {DYN(1),  0, 0.04, timeconst[1]},
      {GAIN(0), 1, 0.75, range[0]    },
      {GAIN(1), 0, 1.05, range[1]    },
      {GAIN(2), 0, -1,   force       },
      {GAIN(3), 0, 200,  scale       },
      {GAIN(4), 0, 0.5,  lmin        },
      {GAIN(5), 0, 1.6,  lmax        },
      {GAIN(6), 0, 1.5,  vmax        },
      {GAIN(7), 0, 1.3,  fpmax       },
      {GAIN(8), 0, 1.2,  fvmax       }
  };
  enum { PARAMETERS = sizeof(parameters) / sizeof(parameters[0]), SHARED = 9 };
  const char* error = become(actuator, MUSCLE, (const double*[]){&tausmooth}, 1);
  for (int i = 0; i < PARAMETERS; i++) {
    double* const value = at(actuator, parameters[i].offset);
    if (*value == parameters[i].untouched) *value = parameters[i].muscle;
    if (!*error && parameters[i].given >= 0) *value = parameters[i].given;
  }

  // the passive force follows the same curve
  if (!*error) memcpy(actuator->biasprm, actuator->gainprm, SHARED * sizeof(double));
  return error;
}

const char* mjs_setToAdhesion(mjsActuator* actuator, double gain) {
  return become(actuator, ADHESION, (const double*[]){&gain}, 1);
}
