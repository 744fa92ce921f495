// mjs_setTo*: the actuator shortcuts as settings of the general actuator. Each returns "" or what is wrong.
#include <mujoco/mujoco.h>
#include <string.h>

static void setTypes(mjsActuator* actuator, mjtDyn dyn, mjtGain gain, mjtBias bias) {
  actuator->dyntype = dyn;
  actuator->gaintype = gain;
  actuator->biastype = bias;
}

const char* mjs_setToMotor(mjsActuator* actuator) {
  actuator->gainprm[0] = 1;
  setTypes(actuator, mjDYN_NONE, mjGAIN_FIXED, mjBIAS_NONE);
  return "";
}

const char* mjs_setToPosition(mjsActuator* actuator, double kp, double kv[1], double dampratio[1], double timeconst[1],
                              double inheritrange) {
  actuator->gainprm[0] = kp;
  actuator->biasprm[1] = -kp;

  // damping: negative is a coefficient, positive a ratio that the compiler resolves
  if (kv && dampratio) return "kv and dampratio cannot both be defined";
  if (kv) {
    if (*kv < 0) return "kv cannot be negative";
    actuator->biasprm[2] = -*kv;
  }
  if (dampratio) {
    if (*dampratio < 0) return "dampratio cannot be negative";
    actuator->biasprm[2] = *dampratio;
  }
  if (timeconst) {
    if (*timeconst < 0) return "timeconst cannot be negative";
    actuator->dynprm[0] = *timeconst;
    actuator->dyntype = *timeconst == 0 ? mjDYN_NONE : mjDYN_FILTEREXACT;
  }

  actuator->inheritrange = inheritrange;
  if (inheritrange > 0 && (actuator->ctrlrange[0] != 0 || actuator->ctrlrange[1] != 0)) {
    return "ctrlrange and inheritrange cannot both be defined";
  }
  actuator->gaintype = mjGAIN_FIXED;
  actuator->biastype = mjBIAS_AFFINE;
  return "";
}

const char* mjs_setToIntVelocity(mjsActuator* actuator, double kp, double kv[1], double dampratio[1],
                                 double timeconst[1], double inheritrange) {
  mjs_setToPosition(actuator, kp, kv, dampratio, timeconst, inheritrange);
  actuator->dyntype = mjDYN_INTEGRATOR;
  actuator->actlimited = 1;
  if (inheritrange > 0 && (actuator->actrange[0] != 0 || actuator->actrange[1] != 0)) {
    return "actrange and inheritrange cannot both be defined";
  }
  return "";
}

const char* mjs_setToVelocity(mjsActuator* actuator, double kv) {
  memset(actuator->biasprm, 0, sizeof(actuator->biasprm));
  actuator->gainprm[0] = kv;
  actuator->biasprm[2] = -kv;
  setTypes(actuator, mjDYN_NONE, mjGAIN_FIXED, mjBIAS_AFFINE);
  return "";
}

const char* mjs_setToDamper(mjsActuator* actuator, double kv) {
  memset(actuator->gainprm, 0, sizeof(actuator->gainprm));
  actuator->gainprm[2] = -kv;
  actuator->ctrllimited = 1;
  setTypes(actuator, mjDYN_NONE, mjGAIN_AFFINE, mjBIAS_NONE);
  if (kv < 0) return "damping coefficient cannot be negative";
  if (actuator->ctrlrange[0] < 0 || actuator->ctrlrange[1] < 0) return "damper control range cannot be negative";
  return "";
}

const char* mjs_setToCylinder(mjsActuator* actuator, double timeconst, double bias, double area, double diameter) {
  actuator->dynprm[0] = timeconst;
  actuator->biasprm[0] = bias;
  actuator->gainprm[0] = diameter >= 0 ? mjPI / 4 * diameter * diameter : area;
  setTypes(actuator, mjDYN_FILTER, mjGAIN_FIXED, mjBIAS_AFFINE);
  return "";
}

const char* mjs_setToMuscle(mjsActuator* actuator, double timeconst[2], double tausmooth, double range[2], double force,
                            double scale, double lmin, double lmax, double vmax, double fpmax, double fvmax) {
  // a parameter that still has the general actuator's value takes the muscle's
  if (actuator->dynprm[0] == 1) actuator->dynprm[0] = 0.01;
  if (actuator->dynprm[1] == 0) actuator->dynprm[1] = 0.04;
  const double muscle[9] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
  if (actuator->gainprm[0] == 1) actuator->gainprm[0] = muscle[0];
  for (int i = 1; i < 9; i++) {
    if (actuator->gainprm[i] == 0) actuator->gainprm[i] = muscle[i];
  }

  // negative arguments are not given
  if (tausmooth < 0) return "muscle tausmooth cannot be negative";
  actuator->dynprm[2] = tausmooth;
  for (int i = 0; i < 2; i++) {
    if (timeconst[i] >= 0) actuator->dynprm[i] = timeconst[i];
    if (range[i] >= 0) actuator->gainprm[i] = range[i];
  }
  const double given[7] = {force, scale, lmin, lmax, vmax, fpmax, fvmax};
  for (int i = 0; i < 7; i++) {
    if (given[i] >= 0) actuator->gainprm[2 + i] = given[i];
  }

  // the passive force follows the same curve
  memcpy(actuator->biasprm, actuator->gainprm, 9 * sizeof(double));
  setTypes(actuator, mjDYN_MUSCLE, mjGAIN_MUSCLE, mjBIAS_MUSCLE);
  return "";
}

const char* mjs_setToAdhesion(mjsActuator* actuator, double gain) {
  actuator->gainprm[0] = gain;
  actuator->ctrllimited = 1;
  actuator->gaintype = mjGAIN_FIXED;
  actuator->biastype = mjBIAS_NONE;
  if (gain < 0) return "adhesion gain cannot be negative";
  if (actuator->ctrlrange[0] < 0 || actuator->ctrlrange[1] < 0) return "adhesion control range cannot be negative";
  return "";
}
