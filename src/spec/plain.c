// Elements in plain terms: angles in radians, orientations as quaternions, poses in the body. This is what files are
// written in: it does not depend on compiler settings or on the frames around an element, and compiles to the same bits
// because the arithmetic is that of the compiler.
#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "spec/pose.h"
#include "spec/write.h"

static const double RADIANS = mjPI / 180.0;

// poses of class templates have no frame, and their alternatives are resolved as an element's would be
static void settlePose(const SpcElement* e, double pos[3], double quat[4], mjsOrientation* alt) {
  spc_orient(e, quat, alt);
  mjs_defaultOrientation(alt);
  if (!e->frame) return;
  double framepos[3], framequat[4];
  spc_framePose(e->frame, framepos, framequat);
  spc_prepend(framepos, framequat, pos, quat);
}

static void plainJoint(const SpcElement* e, mjsJoint* s) {
  // only limits that hold are angles
  const int limited = s->limited == mjLIMITED_TRUE || (s->limited == mjLIMITED_AUTO && s->range[0] < s->range[1]);
  if (spc_compiler(e)->degree && limited && (s->type == mjJNT_HINGE || s->type == mjJNT_BALL)) {
    for (int i = 0; i < 2; i++) s->range[i] *= RADIANS;
  }
  if (spc_compiler(e)->degree && s->type == mjJNT_HINGE) {
    s->ref *= RADIANS;
    s->springref *= RADIANS;
  }
  if (!e->frame || s->type == mjJNT_FREE) return;
  double pos[3], quat[4];
  spc_framePose(e->frame, pos, quat);
  spc_prependPoint(pos, quat, s->pos);
  if (s->type != mjJNT_BALL) mth_rotVecQuat(s->axis, s->axis, quat);
}

static void plainGeom(const SpcElement* e, mjsGeom* s) {
  spc_normalize(s->quat, 4);
  if (!isnan(s->fromto[0])) {
    if (!spc_fromto(s->type, s->fromto, s->pos, s->quat, s->size)) mjs_defaultOrientation(&s->alt);
    s->fromto[0] = NAN;
  }
  settlePose(e, s->pos, s->quat, &s->alt);
}

static void plainSite(const SpcElement* e, mjsSite* s) {
  if (!isnan(s->fromto[0])) {
    if (!spc_fromto(s->type, s->fromto, s->pos, s->quat, s->size)) mjs_defaultOrientation(&s->alt);
    s->fromto[0] = NAN;
  }
  settlePose(e, s->pos, s->quat, &s->alt);
  spc_normalize(s->quat, 4);
}

static void plainBody(const SpcElement* e, mjsBody* s) {
  spc_normalize(s->quat, 4);
  settlePose(e, s->pos, s->quat, &s->alt);
  spc_orient(e, s->iquat, &s->ialt);
  mjs_defaultOrientation(&s->ialt);
}

static void plainLight(const SpcElement* e, mjsLight* s) {
  if (!e->frame) return;
  double pos[3], quat[4];
  spc_framePose(e->frame, pos, quat);
  spc_prependPoint(pos, quat, s->pos);
  mth_rotVecQuat(s->dir, s->dir, quat);
}

const void* spc_plain(const SpcElement* e, const void* spec, SpcAny* scratch) {
  if (spec != scratch) memcpy(scratch, spec, spc_kinds[e->kind].size);
  switch (e->kind) {
    case SPC_BODY:
      plainBody(e, &scratch->body);
      break;
    case SPC_JOINT:
      plainJoint(e, &scratch->joint);
      break;
    case SPC_GEOM:
      plainGeom(e, &scratch->geom);
      break;
    case SPC_SITE:
      plainSite(e, &scratch->site);
      break;
    case SPC_CAMERA:
      settlePose(e, scratch->camera.pos, scratch->camera.quat, &scratch->camera.alt);
      spc_normalize(scratch->camera.quat, 4);
      break;
    case SPC_LIGHT:
      plainLight(e, &scratch->light);
      break;
    default:
      break;
  }
  return scratch;
}
