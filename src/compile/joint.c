// Joints: limits, units, and their place in the body's frame.
#include <string.h>

#include "compile/compile.h"
#include "math/quat.h"

void cmp_checkLimited(Cmp* c, const SpcElement* e, const char* entity, const char* attribute, int limited,
                      const double range[2]) {
  const int hasrange = range[0] != 0 || range[1] != 0;
  if (limited != mjLIMITED_AUTO || !hasrange || spc_compiler(e)->autolimits) return;
  cmp_fail(c, e,
           "%s has `%srange` but not `%slimited`. set the autolimits=\"true\" compiler option, specify `%slimited` "
           "explicitly (\"true\" or \"false\"), or remove the `%srange` attribute.",
           entity, attribute, attribute, attribute, attribute);
}

static void resolveLimits(Cmp* c, CmpJoint* joint) {
  mjsJoint* const s = &joint->s;
  SpcElement* const e = joint->head.e;
  if (s->type == mjJNT_FREE) {
    s->limited = mjLIMITED_FALSE;
  } else {
    cmp_checkLimited(c, e, "joint", "", s->limited, s->range);
  }
  if (cmp_isLimited(s->limited, s->range)) {
    if (s->range[0] >= s->range[1] && s->type != mjJNT_BALL) {
      cmp_fail(c, e, "range[0] should be smaller than range[1] in joint");
    }
    if (s->range[0] != 0 && s->type == mjJNT_BALL) cmp_fail(c, e, "range[0] should be 0 in ball joint");
    if (spc_compiler(e)->degree && (s->type == mjJNT_HINGE || s->type == mjJNT_BALL)) {
      for (int i = 0; i < 2; i++) s->range[i] *= mjPI / 180.0;
    }
  }

  // the force of actuators is limited for scalar joints only
  if (s->type == mjJNT_FREE || s->type == mjJNT_BALL) {
    s->actfrclimited = mjLIMITED_FALSE;
  } else {
    cmp_checkLimited(c, e, "joint", "", s->actfrclimited, s->actfrcrange);
  }
  if (cmp_isLimited(s->actfrclimited, s->actfrcrange) && s->actfrcrange[0] >= s->actfrcrange[1]) {
    cmp_fail(c, e, "actfrcrange[0] should be smaller than actfrcrange[1] in joint");
  }
}

void cmp_compileJoint(Cmp* c, CmpJoint* joint) {
  mjsJoint* const s = &joint->s;
  SpcElement* const e = joint->head.e;
  cmp_checkUser(c, e, s->userdata, c->s.nuser_jnt, "nuser_jnt in joint");
  if ((s->springdamper[0] != 0 || s->springdamper[1] != 0) && (s->springdamper[0] <= 0 || s->springdamper[1] <= 0)) {
    cmp_fail(c, e, "when defined, springdamper values must be positive in joint");
  }
  if ((int)s->type < mjJNT_FREE || s->type > mjJNT_HINGE) cmp_fail(c, e, "unknown joint type");
  resolveLimits(c, joint);

  // the axis of free and ball joints has no meaning
  const CmpFrame* const frame = cmp_frame(c, e);
  if (s->type == mjJNT_FREE || s->type == mjJNT_BALL) {
    mth_set3(s->axis, 0, 0, 1);
  } else if (frame) {
    mth_rotVecQuat(s->axis, s->axis, frame->s.quat);
  }
  if (spc_normalize(s->axis, 3) < SPC_EPS) cmp_fail(c, e, "axis too small in joint");

  if (s->type == mjJNT_FREE) {
    mth_zero3(s->pos);
  } else if (frame) {
    spc_prependPoint(frame->s.pos, frame->s.quat, s->pos);
  }
  if (s->type == mjJNT_HINGE && spc_compiler(e)->degree) {
    s->ref *= mjPI / 180.0;
    s->springref *= mjPI / 180.0;
  }
}
