// Geoms: shape, frame, bounding volumes, mass.
#include <math.h>
#include <string.h>

#include "compile/compile.h"
#include "math/elem.h"
#include "math/quat.h"

// numbers of size parameters that each shape needs
static const int NSIZE[mjNGEOMTYPES] = {
    [mjGEOM_PLANE] = 3,     [mjGEOM_HFIELD] = 0,   [mjGEOM_SPHERE] = 1, [mjGEOM_CAPSULE] = 2,
    [mjGEOM_ELLIPSOID] = 3, [mjGEOM_CYLINDER] = 2, [mjGEOM_BOX] = 3,    [mjGEOM_MESH] = 0,
};

static const double HUGE_SIZE = 1e10;  // half size of an infinite plane's box

void cmp_checkSize(Cmp* c, const SpcElement* e, mjtGeom type, const double size[3]) {
  // the first two sizes of a plane are for drawing, 0: infinite
  if (type == mjGEOM_PLANE) {
    if (size[2] <= 0) cmp_fail(c, e, "plane size(3) must be positive");
    return;
  }
  for (int i = 0; i < NSIZE[type]; i++) {
    if (size[i] <= 0) cmp_fail(c, e, "size %d must be positive in geom", i);
  }
}

// -------------------------------------------------------------------------------------------- fitting to a mesh

// sizes of the box with the mesh's inertia
static int fitInertia(CmpGeom* geom, const AstMesh* mesh) {
  const double* const box = mesh->boxsize;
  double* const size = geom->s.size;
  switch (geom->s.type) {
    case mjGEOM_SPHERE:
      size[0] = (box[0] + box[1] + box[2]) / 3;
      return 1;
    case mjGEOM_CAPSULE:
      size[0] = (box[0] + box[1]) / 2;
      size[1] = fmax(0, box[2] - size[0] / 2);
      return 1;
    case mjGEOM_CYLINDER:
      size[0] = (box[0] + box[1]) / 2;
      size[1] = box[2];
      return 1;
    case mjGEOM_ELLIPSOID:
    case mjGEOM_BOX:
      mth_copy3(size, box);
      return 1;
    default:
      return 0;
  }
}

// sizes of the shape with the mesh's bounding box; moves meshpos to the box's centre
static int fitBox(CmpGeom* geom, const AstMesh* mesh, double meshpos[3]) {
  double center[3], moved[3], half[3];
  for (int i = 0; i < 3; i++) {
    center[i] = (mesh->aamm[i] + mesh->aamm[3 + i]) / 2;
    half[i] = mesh->aamm[3 + i] - center[i];
  }
  mth_rotVecQuat(moved, center, mesh->quat);
  for (int i = 0; i < 3; i++) meshpos[i] += moved[i];
  const double radius = fmax(half[0], half[1]);
  double* const size = geom->s.size;
  switch (geom->s.type) {
    case mjGEOM_SPHERE:
      size[0] = fmax(radius, half[2]);
      return 1;
    case mjGEOM_CYLINDER:
      size[0] = radius;
      size[1] = half[2];
      return 1;
    case mjGEOM_CAPSULE:
      size[0] = radius;
      size[1] = fmax(0, half[2] - radius);
      return 1;
    case mjGEOM_ELLIPSOID:
    case mjGEOM_BOX:
      mth_copy3(size, half);
      return 1;
    default:
      return 0;
  }
}

// A mesh geom takes the mesh's frame; a primitive with a mesh is fitted to it.
static void applyMesh(Cmp* c, CmpGeom* geom) {
  SpcElement* const e = geom->head.e;
  if (cmp_given(geom->s.fromto[0])) cmp_fail(c, e, "fromto cannot be used with mesh geom");
  const CmpMesh* const mesh = geom->mesh;
  double meshpos[3];
  mth_copy3(meshpos, mesh->asset.pos);
  if (geom->s.type != mjGEOM_MESH && geom->s.type != mjGEOM_SDF) {
    if (spc_compiler(e)->fitaabb) {
      if (!fitBox(geom, &mesh->asset, meshpos))
        cmp_fail(c, mesh->head.e, "invalid fittype in mesh %s", mesh->head.name);
    } else if (!fitInertia(geom, &mesh->asset)) {
      cmp_fail(c, mesh->head.e, "invalid geom type in fitting mesh %s", mesh->head.name);
    }
    for (int i = 0; i < 3; i++) geom->s.size[i] *= geom->s.fitscale;
  } else if (geom->s.typeinertia == mjINERTIA_SHELL) {
    cmp_fail(c, e, "for mesh geoms, inertia should be specified in the mesh asset");
  }
  spc_append(geom->s.pos, geom->s.quat, meshpos, mesh->asset.quat);
}

// -------------------------------------------------------------------------------------------- bounds

// largest coordinates of the shape, and the smallest
static void extremes(const CmpGeom* geom, double aamm[6]) {
  const double* const s = geom->s.size;
  const double sphere[3] = {s[0], s[0], s[0]}, capsule[3] = {s[0], s[0], s[0] + s[1]}, cylinder[3] = {s[0], s[0], s[1]};
  const double plane[3] = {HUGE_SIZE, HUGE_SIZE, 0};
  const double* high = s;
  switch (geom->s.type) {
    case mjGEOM_MESH:
    case mjGEOM_SDF:
      memcpy(aamm, geom->mesh->asset.aamm, 6 * sizeof(double));
      return;
    case mjGEOM_HFIELD: {
      // base below, elevation above
      const double* const h = geom->hfield->s.size;
      mth_set3(aamm, -h[0], -h[1], -h[3]);
      mth_set3(aamm + 3, h[0], h[1], h[2]);
      return;
    }
    case mjGEOM_SPHERE:
      high = sphere;
      break;
    case mjGEOM_CAPSULE:
      high = capsule;
      break;
    case mjGEOM_CYLINDER:
      high = cylinder;
      break;
    case mjGEOM_PLANE:
      high = plane;
      break;
    default:
      break;
  }
  mth_copy3(aamm + 3, high);
  mth_neg3(aamm, high);
  if (geom->s.type == mjGEOM_PLANE) aamm[2] = -HUGE_SIZE;
}

static void boundingBox(CmpGeom* geom) {
  double aamm[6];
  extremes(geom, aamm);
  for (int i = 0; i < 3; i++) {
    geom->aabb[i] = (aamm[3 + i] + aamm[i]) / 2;
    geom->aabb[3 + i] = (aamm[3 + i] - aamm[i]) / 2;
  }
}

double cmp_geomBound(const CmpGeom* geom) {
  const double* const s = geom->s.size;
  switch (geom->s.type) {
    case mjGEOM_HFIELD: {
      const double* const h = geom->hfield->s.size;
      return sqrt(h[0] * h[0] + h[1] * h[1] + fmax(h[2] * h[2], h[3] * h[3]));
    }
    case mjGEOM_SPHERE:
      return s[0];
    case mjGEOM_CAPSULE:
      return s[0] + s[1];
    case mjGEOM_CYLINDER:
      return sqrt(s[0] * s[0] + s[1] * s[1]);
    case mjGEOM_ELLIPSOID:
      return fmax(fmax(s[0], s[1]), s[2]);
    case mjGEOM_BOX:
    case mjGEOM_MESH:
    case mjGEOM_SDF:
      return sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    default:
      return 0;
  }
}

// -------------------------------------------------------------------------------------------- geom

static void checkShape(Cmp* c, const CmpGeom* geom) {
  SpcElement* const e = geom->head.e;
  const mjsGeom* const s = &geom->s;
  if ((int)s->type < 0 || s->type >= mjNGEOMTYPES) cmp_fail(c, e, "invalid type in geom");
  if (s->condim != 1 && s->condim != 3 && s->condim != 4 && s->condim != 6) cmp_fail(c, e, "invalid condim in geom");
  if ((s->type == mjGEOM_MESH || s->type == mjGEOM_SDF) && !geom->mesh) {
    cmp_fail(c, e, "mesh geom '%s' (id = %d) must have valid meshid", geom->head.name, geom->head.id);
  }
  if ((s->type == mjGEOM_HFIELD) != (geom->hfield != NULL)) {
    cmp_fail(c, e, "hfield geom '%s' (id = %d) must have valid hfieldid", geom->head.name, geom->head.id);
  }
  if (s->type == mjGEOM_PLANE && geom->body->weldid != 0) cmp_fail(c, e, "plane only allowed in static bodies");
}

// mass given, or from the density; inertia follows the shape
static void setMass(Cmp* c, CmpGeom* geom) {
  mjsGeom* const s = &geom->s;
  const int massless = cmp_given(s->mass) ? s->mass == 0 : s->density == 0;
  const int isMesh = s->type == mjGEOM_MESH || s->type == mjGEOM_SDF;
  if (isMesh && *geom->mesh->asset.inertiaError && !massless) {
    cmp_fail(c, geom->mesh->head.e, "%s", geom->mesh->asset.inertiaError);
  }
  if (massless) {
    geom->mass = 0;
  } else if (!cmp_given(s->mass)) {
    geom->mass = s->density * cmp_geomVolume(geom);
    cmp_geomInertia(geom);
  } else if (cmp_geomVolume(geom) > SPC_EPS) {
    geom->mass = s->mass;
    s->density = s->mass / cmp_geomVolume(geom);
    cmp_geomInertia(geom);
  }
  const double* const I = geom->inertia;
  if (geom->mass < 0 || I[0] < 0 || I[1] < 0 || I[2] < 0 || s->density < 0) {
    cmp_fail(c, geom->head.e, "mass, inertia or density are negative in geom");
  }
}

void cmp_compileGeom(Cmp* c, CmpGeom* geom) {
  mjsGeom* const s = &geom->s;
  SpcElement* const e = geom->head.e;
  cmp_checkUser(c, e, s->userdata, c->s.nuser_geom, "nuser_geom in geom");
  checkShape(c, geom);
  geom->visual = !s->contype && !s->conaffinity;

  // frame
  spc_normalize(s->quat, 4);
  if (cmp_given(s->fromto[0])) {
    const char* const error = spc_fromto(s->type, s->fromto, s->pos, s->quat, s->size);
    if (error) cmp_fail(c, e, "%s", error);
  } else {
    const char* const error = spc_orient(e, s->quat, &s->alt);
    if (error) cmp_fail(c, e, "orientation specification error '%s' in geom %d", error, geom->head.id);
  }
  if (geom->mesh) applyMesh(c, geom);

  // size
  cmp_checkSize(c, e, s->type, s->size);
  if (s->type == mjGEOM_HFIELD) {
    const double* const h = geom->hfield->s.size;
    mth_set3(s->size, h[0], h[1], 0.25 * h[2] + 0.5 * h[3]);
  } else if (s->type == mjGEOM_MESH || s->type == mjGEOM_SDF) {
    BAS_ASSERT(geom->mesh);
    const double* const aamm = geom->mesh->asset.aamm;
    for (int i = 0; i < 3; i++) s->size[i] = fmax(fabs(aamm[i]), fabs(aamm[3 + i]));
  }
  for (int i = 0; i < 3; i++) {
    if (!cmp_given(s->size[i])) cmp_fail(c, e, "nan size in geom");
  }
  boundingBox(geom);
  if (geom->infer) setMass(c, geom);
  if (s->fluid_ellipsoid > 0) cmp_fluid(geom);
  geom->plugin = cmp_plugin(c, e, &s->plugin, mjPLUGIN_SDF, "sign distance fields");

  const CmpFrame* const frame = cmp_frame(c, e);
  if (frame) spc_prepend(frame->s.pos, frame->s.quat, s->pos, s->quat);
}
