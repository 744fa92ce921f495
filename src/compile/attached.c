// Sites, cameras and lights.
#include <math.h>
#include <string.h>

#include "compile/compile.h"
#include "math/elem.h"
#include "math/quat.h"

void cmp_compileSite(Cmp* c, CmpSite* site) {
  mjsSite* const s = &site->s;
  SpcElement* const e = site->head.e;
  cmp_checkUser(c, e, s->userdata, c->s.nuser_site, "nuser_site in site");
  if ((int)s->type < 0 || s->type >= mjNGEOMTYPES) cmp_fail(c, e, "invalid type in site");
  if (s->type == mjGEOM_MESH || s->type == mjGEOM_HFIELD || s->type == mjGEOM_PLANE || s->type == mjGEOM_SDF) {
    cmp_fail(c, e, "meshes, hfields and planes not allowed in site");
  }

  if (cmp_given(s->fromto[0])) {
    const char* const error = spc_fromto(s->type, s->fromto, s->pos, s->quat, s->size);
    if (error) cmp_fail(c, e, "%s", error);
  } else {
    const char* const error = spc_orient(e, s->quat, &s->alt);
    if (error) cmp_fail(c, e, "orientation specification error '%s' in site %d", error, site->head.id);
  }
  const CmpFrame* const frame = cmp_frame(c, e);
  if (frame) spc_prepend(frame->s.pos, frame->s.quat, s->pos, s->quat);
  spc_normalize(s->quat, 4);
  cmp_checkSize(c, e, s->type, s->size);
}

// -------------------------------------------------------------------------------------------- cameras

// focal lengths and principal point in length units, pixels before lengths; the field of view follows from them
static void setIntrinsic(Cmp* c, CmpCamera* camera) {
  mjsCamera* const s = &camera->s;
  SpcElement* const e = camera->head.e;
  if (s->sensor_size[0] > 0 && s->sensor_size[1] > 0) {
    if (s->resolution[0] <= 0 || s->resolution[1] <= 0) {
      cmp_fail(c, e, "sensorsize requires positive resolution in camera '%s' (id = %d)", camera->head.name,
               camera->head.id);
    }
    for (int i = 0; i < 2; i++) {
      const float density = (float)s->resolution[i] / s->sensor_size[i];  // pixels per length
      s->intrinsic[i] = s->focal_pixel[i] != 0 ? s->focal_pixel[i] / density : s->focal_length[i];
      s->intrinsic[2 + i] = s->principal_pixel[i] != 0 ? s->principal_pixel[i] / density : s->principal_length[i];
    }
    // single precision by the format, in the last bit what the system's function says
    s->fovy = atan2f(s->sensor_size[1] / 2, s->intrinsic[1]) * 360.0 / mjPI;
    return;
  }
  for (int i = 0; i < 2; i++) {
    if (s->principal_length[i] != 0 || s->principal_pixel[i] != 0 || s->focal_length[i] != 0 ||
        s->focal_pixel[i] != 0) {
      cmp_fail(c, e, "focal/principal require sensorsize in camera '%s' (id = %d)", camera->head.name, camera->head.id);
    }
  }
  s->intrinsic[0] = s->intrinsic[1] = c->s.visual.map.znear;
}

void cmp_compileCamera(Cmp* c, CmpCamera* camera) {
  mjsCamera* const s = &camera->s;
  SpcElement* const e = camera->head.e;
  cmp_checkUser(c, e, s->userdata, c->s.nuser_cam, "nuser_cam in camera");
  const char* const error = spc_orient(e, s->quat, &s->alt);
  if (error) cmp_fail(c, e, "orientation specification error '%s' in camera %d", error, camera->head.id);
  const CmpFrame* const frame = cmp_frame(c, e);
  if (frame) spc_prepend(frame->s.pos, frame->s.quat, s->pos, s->quat);
  spc_normalize(s->quat, 4);
  cmp_resolveCamera(c, camera);
  if (s->fovy >= 180) {
    cmp_fail(c, e, "fovy too large in camera '%s' (id = %d, value = %d)", camera->head.name, camera->head.id,
             (int)s->fovy);
  }
  setIntrinsic(c, camera);
}

void cmp_resolveCamera(Cmp* c, CmpCamera* camera) {
  const char* const name = spc_text(camera->s.targetbody);
  camera->target = cmp_find(c, SPC_BODY, name);
  if (*name && !camera->target) cmp_fail(c, camera->head.e, "unknown target body in camera");
}

// -------------------------------------------------------------------------------------------- lights

void cmp_compileLight(Cmp* c, CmpLight* light) {
  mjsLight* const s = &light->s;
  const CmpFrame* const frame = cmp_frame(c, light->head.e);
  if (frame) {
    spc_prependPoint(frame->s.pos, frame->s.quat, s->pos);
    mth_rotVecQuat(s->dir, s->dir, frame->s.quat);
  }
  if (spc_normalize(s->dir, 3) < SPC_EPS) cmp_fail(c, light->head.e, "zero direction in light");
  cmp_resolveLight(c, light);
}

void cmp_resolveLight(Cmp* c, CmpLight* light) {
  const char* const name = spc_text(light->s.targetbody);
  light->target = cmp_find(c, SPC_BODY, name);
  if (*name && !light->target) cmp_fail(c, light->head.e, "unknown target body in light");
  const char* const texture = spc_text(light->s.texture);
  if (!*texture) return;
  const CmpTexture* const found = cmp_find(c, SPC_TEXTURE, texture);
  if (!found) cmp_fail(c, light->head.e, "unknown texture in light");
  light->texid = c->s.compiler.discardvisual ? -1 : found->head.id;
}
