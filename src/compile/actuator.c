// Actuators: transmission targets, ranges inherited from them, limits, activation states.
#include "compile/compile.h"

enum { MAX_SAMPLES = 1 << 24 };  // of a history buffer

static CmpHead* findTarget(Cmp* c, const CmpActuator* actuator, SpcKindId kind) {
  const char* const name = spc_text(actuator->s.target);
  CmpHead* const target = cmp_find(c, kind, name);
  if (!target) {
    const int joint = kind == SPC_JOINT;
    cmp_fail(c, actuator->head.e,
             joint ? "unknown transmission target '%s' for actuator id = %d"
                   : "transmission target '%s' not found in actuator %d",
             name, actuator->head.id);
  }
  return target;
}

static void resolveTransmission(Cmp* c, CmpActuator* actuator) {
  const mjsActuator* const s = &actuator->s;
  SpcElement* const e = actuator->head.e;
  const int id = actuator->head.id;
  actuator->trnid[1] = -1;
  switch (s->trntype) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      actuator->target = findTarget(c, actuator, SPC_JOINT);
      break;
    case mjTRN_TENDON:
      actuator->target = findTarget(c, actuator, SPC_TENDON);
      break;
    case mjTRN_BODY:
      actuator->target = findTarget(c, actuator, SPC_BODY);
      break;
    case mjTRN_SLIDERCRANK: {
      const char* const slider = spc_text(s->slidersite);
      if (!*slider) cmp_fail(c, e, "missing base site for slider-crank '%s' (id = %d)", actuator->head.name, id);
      const CmpHead* const base = cmp_find(c, SPC_SITE, slider);
      if (!base) cmp_fail(c, e, "base site '%s' not found for actuator %d", slider, id);
      if (s->cranklength <= 0) {
        cmp_fail(c, e, "crank length must be positive in actuator '%s' (id = %d)", actuator->head.name, id);
      }
      actuator->trnid[1] = base->id;
      actuator->target = findTarget(c, actuator, SPC_SITE);
      break;
    }
    case mjTRN_SITE: {
      const char* const refsite = spc_text(s->refsite);
      const CmpHead* const reference = cmp_find(c, SPC_SITE, refsite);
      if (*refsite && !reference) cmp_fail(c, e, "reference site '%s' not found for actuator %d", refsite, id);
      if (reference) actuator->trnid[1] = reference->id;
      actuator->target = findTarget(c, actuator, SPC_SITE);
      break;
    }
    default:
      cmp_fail(c, e, "invalid transmission type in actuator");
  }
  actuator->trnid[0] = actuator->target->id;
}

// the control or activation range of a servo as a multiple of the range of what it moves
static void inheritRange(Cmp* c, CmpActuator* actuator) {
  mjsActuator* const s = &actuator->s;
  SpcElement* const e = actuator->head.e;
  if (s->gaintype != mjGAIN_FIXED || s->biastype != mjBIAS_AFFINE || s->gainprm[0] != -s->biasprm[1] ||
      s->inheritrange <= 0) {
    return;
  }
  double* range = s->ctrlrange;
  if (s->dyntype == mjDYN_INTEGRATOR) {
    range = s->actrange;
  } else if (s->dyntype != mjDYN_NONE && s->dyntype != mjDYN_FILTEREXACT) {
    cmp_fail(c, e, "inheritrange only available for position and intvelocity actuators");
  }

  const double* target = NULL;
  if (s->trntype == mjTRN_JOINT) {
    const CmpJoint* const joint = (const CmpJoint*)actuator->target;
    if (joint->s.type != mjJNT_HINGE && joint->s.type != mjJNT_SLIDE) {
      cmp_fail(c, e, "inheritrange can only be used with hinge and slide joints, actuator");
    }
    target = joint->s.range;
  } else if (s->trntype == mjTRN_TENDON) {
    target = ((const CmpTendon*)actuator->target)->s.range;
  } else {
    cmp_fail(c, e, "inheritrange can only be used with joint and tendon transmission, actuator");
  }
  if (target[0] == target[1]) {
    cmp_fail(c, e, "inheritrange used but target '%s' has no range defined in actuator %d", spc_text(s->target),
             actuator->head.id);
  }
  const double mean = 0.5 * (target[1] + target[0]);
  const double radius = 0.5 * (target[1] - target[0]) * s->inheritrange;
  range[0] = mean - radius;
  range[1] = mean + radius;
}

static void checkRanges(Cmp* c, const CmpActuator* actuator) {
  const mjsActuator* const s = &actuator->s;
  SpcElement* const e = actuator->head.e;
  cmp_checkLimited(c, e, "actuator", "force", s->forcelimited, s->forcerange);
  cmp_checkLimited(c, e, "actuator", "ctrl", s->ctrllimited, s->ctrlrange);
  cmp_checkLimited(c, e, "actuator", "act", s->actlimited, s->actrange);
  if (s->forcerange[0] >= s->forcerange[1] && cmp_isLimited(s->forcelimited, s->forcerange)) {
    cmp_fail(c, e, "invalid force range for actuator");
  }
  if (s->ctrlrange[0] >= s->ctrlrange[1] && cmp_isLimited(s->ctrllimited, s->ctrlrange)) {
    cmp_fail(c, e, "invalid control range for actuator");
  }
  const int actlimited = cmp_isLimited(s->actlimited, s->actrange);
  if (s->actrange[0] >= s->actrange[1] && actlimited) cmp_fail(c, e, "invalid actrange for actuator");
  if (actlimited && s->dyntype == mjDYN_NONE) cmp_fail(c, e, "actrange specified but dyntype is 'none' in actuator");
}

static void setActdim(Cmp* c, CmpActuator* actuator) {
  mjsActuator* const s = &actuator->s;
  SpcElement* const e = actuator->head.e;
  if (!s->plugin.active) {
    if (s->actdim > 1 && s->dyntype != mjDYN_USER) {
      cmp_fail(c, e, "actdim > 1 is only allowed for dyntype 'user' in actuator");
    }
    if (s->actdim == 1 && s->dyntype == mjDYN_NONE) cmp_fail(c, e, "invalid actdim 1 in stateless actuator");
    if (s->actdim == 0 && s->dyntype != mjDYN_NONE) cmp_fail(c, e, "invalid actdim 0 in stateful actuator");
  }
  if (s->actdim < 0) s->actdim = s->dyntype != mjDYN_NONE;
}

static void checkMuscle(Cmp* c, const CmpActuator* actuator, const double* prm) {
  SpcElement* const e = actuator->head.e;
  if (prm[0] >= prm[1]) cmp_fail(c, e, "range[0]<range[1] required in muscle");
  if (prm[4] >= 1 || prm[5] <= 1) cmp_fail(c, e, "lmin<1<lmax required in muscle");
  if (prm[3] <= 0 || prm[6] <= 0 || prm[7] <= 0 || prm[8] <= 0) {
    cmp_fail(c, e, "positive scale, vmax, fpmax, fvmax required in muscle '%s' (id = %d)", actuator->head.name,
             actuator->head.id);
  }
}

static void compileActuator(Cmp* c, CmpActuator* actuator) {
  mjsActuator* const s = &actuator->s;
  SpcElement* const e = actuator->head.e;
  cmp_checkUser(c, e, s->userdata, c->s.nuser_actuator, "nuser_actuator in actuator");
  if (s->nsample > MAX_SAMPLES) cmp_fail(c, e, "at most 2^24 samples in history buffer, got %d", s->nsample);
  if (s->delay > 0 && s->nsample <= 0) cmp_fail(c, e, "setting delay > 0 without a history buffer");
  if (spc_textEmpty(s->target)) cmp_fail(c, e, "missing transmission target for actuator");
  resolveTransmission(c, actuator);
  inheritRange(c, actuator);
  checkRanges(c, actuator);
  cmp_actuatorStates(c, actuator);
  setActdim(c, actuator);
  if (s->gaintype == mjGAIN_MUSCLE) checkMuscle(c, actuator, s->gainprm);
  if (s->biastype == mjBIAS_MUSCLE) checkMuscle(c, actuator, s->biasprm);
  actuator->plugin = cmp_plugin(c, e, &s->plugin, mjPLUGIN_ACTUATOR, "actuators");
}

void cmp_compileActuators(Cmp* c) {
  BAS_ASSERT(c->stage == CMP_TREE);
  for (int i = 0; i < cmp_count(c, SPC_ACTUATOR); i++) compileActuator(c, CMP_AT(c, SPC_ACTUATOR, CmpActuator, i));
}
