// Mass and inertia: of the geom shapes (solid or shell), of bodies made of geoms, and of bodies fused together.
//
// Tensors are stored as (xx, yy, zz, xy, xz, yz). Parallel axes: I' = R diag(I) Rᵀ + m (|d|² E − d dᵀ).
#include <math.h>
#include <string.h>

#include "compile/compile.h"
#include "math/elem.h"
#include "math/quat.h"

// -------------------------------------------------------------------------------------------- shapes

static double shellVolume(mjtGeom type, const double s[3]) {
  switch (type) {
    case mjGEOM_SPHERE:
      return 4 * mjPI * s[0] * s[0];
    case mjGEOM_CAPSULE:
      return 4 * mjPI * s[0] * s[0] + 2 * mjPI * s[0] * (2 * s[1]);
    case mjGEOM_CYLINDER:
      return 2 * mjPI * s[0] * s[0] + 2 * mjPI * s[0] * (2 * s[1]);
    case mjGEOM_ELLIPSOID: {
      // Thomsen's approximation of the area, relative error below 1.1 %
      const double p = 1.6075;
      const double sum = mth_pow(s[0] * s[1], p) + mth_pow(s[1] * s[2], p) + mth_pow(s[2] * s[0], p);
      return 4 * mjPI * mth_pow(sum / 3, 1 / p);
    }
    case mjGEOM_HFIELD:
    case mjGEOM_BOX:
      return 8 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
    default:
      return 0;
  }
}

static double solidVolume(mjtGeom type, const double s[3]) {
  switch (type) {
    case mjGEOM_SPHERE:
      return 4 * mjPI * s[0] * s[0] * s[0] / 3;
    case mjGEOM_CAPSULE:
      return mjPI * (s[0] * s[0] * (2 * s[1]) + 4 * s[0] * s[0] * s[0] / 3);
    case mjGEOM_CYLINDER:
      return mjPI * s[0] * s[0] * (2 * s[1]);
    case mjGEOM_ELLIPSOID:
      return 4 * mjPI * s[0] * s[1] * s[2] / 3;
    case mjGEOM_HFIELD:
    case mjGEOM_BOX:
      return s[0] * s[1] * s[2] * 8;
    default:
      return 0;
  }
}

double cmp_geomVolume(const CmpGeom* geom) {
  if (geom->s.type == mjGEOM_MESH || geom->s.type == mjGEOM_SDF) return geom->mesh->asset.volume;
  return geom->s.typeinertia == mjINERTIA_SHELL ? shellVolume(geom->s.type, geom->s.size)
                                                : solidVolume(geom->s.type, geom->s.size);
}

// inertia of m (b² + c²), … for a shape whose diagonal inertia is m (b² + c²) / divisor
static void fromSquares(double inertia[3], double mass, const double s[3], double divisor) {
  const double xx = s[0] * s[0], yy = s[1] * s[1], zz = s[2] * s[2];
  inertia[0] = mass * (yy + zz) / divisor;
  inertia[1] = mass * (xx + zz) / divisor;
  inertia[2] = mass * (xx + yy) / divisor;
}

// cylinder between two hemispheres, which share the mass by volume
static void solidCapsule(double inertia[3], double mass, double radius, double height) {
  const double caps = mass * 4 * radius / (4 * radius + 3 * height);
  const double tube = mass - caps;
  const double ball = 2 * caps * radius * radius / 5;
  inertia[0] = tube * (3 * radius * radius + height * height) / 12;
  inertia[0] += ball + caps * height * (3 * radius + 2 * height) / 8;
  inertia[1] = inertia[0];
  inertia[2] = tube * radius * radius / 2 + ball;
}

static void shellCapsule(double inertia[3], double mass, double radius, double height) {
  const double area = 4 * mjPI * radius * radius;
  const double caps = mass * area / (area + 2 * mjPI * radius * height);
  const double tube = mass - caps;

  // a hemispherical shell has its centre of mass half a radius above its rim
  const double ball = 2 * caps * radius * radius / 3;
  const double own = radius / 2, pos = height / 2 + own;
  inertia[0] = tube * (6 * radius * radius + height * height) / 12;
  inertia[0] += ball + caps * (pos * pos - own * own);
  inertia[1] = inertia[0];
  inertia[2] = tube * radius * radius + ball;
}

static void shellCylinder(double inertia[3], double mass, double radius, double height) {
  const double disk = mjPI * radius * radius;
  const double total = 2 * disk + 2 * mjPI * radius * height;
  const double end = mass * disk / total;  // mass of one end
  const double tube = mass - 2 * end;
  const double half = height / 2;
  inertia[0] = tube * (6 * radius * radius + height * height) / 12;
  inertia[0] += 2 * (end * radius * radius / 4 + end * half * half);
  inertia[1] = inertia[0];
  inertia[2] = tube * radius * radius + 2 * (end * radius * radius / 2);
}

// difference of two solid ellipsoids, one slightly larger
static void shellEllipsoid(double inertia[3], double mass, const double s[3]) {
  const double eps = 1e-6;
  const double larger[3] = {s[0] + eps, s[1] + eps, s[2] + eps};
  const double inner = solidVolume(mjGEOM_ELLIPSOID, s), outer = solidVolume(mjGEOM_ELLIPSOID, larger);
  const double density = mass / (outer - inner);
  double inside[3];
  fromSquares(inside, inner * density, s, 5);
  fromSquares(inertia, outer * density, larger, 5);
  for (int i = 0; i < 3; i++) inertia[i] -= inside[i];
}

// three pairs of plates; the mass of a plate follows its area
static void shellBox(double inertia[3], double mass, const double s[3]) {
  const double l[3] = {2 * s[0], 2 * s[1], 2 * s[2]};
  const double area[3] = {l[1] * l[2], l[2] * l[0], l[0] * l[1]};  // by the axis that the plate is normal to
  const double total = 2 * (area[0] + area[1] + area[2]);
  mth_zero3(inertia);
  for (int n = 0; n < 3; n++) {
    const int a = (n + 1) % 3, b = (n + 2) % 3;
    const double plate = mass * area[n] / total, off = plate * s[n] * s[n];
    inertia[n] += 2 * plate * (l[a] * l[a] + l[b] * l[b]) / 12;
    inertia[a] += 2 * (plate * l[b] * l[b] / 12 + off);
    inertia[b] += 2 * (plate * l[a] * l[a] / 12 + off);
  }
}

void cmp_geomInertia(CmpGeom* geom) {
  const double* const s = geom->s.size;
  const double m = geom->mass;
  const int shell = geom->s.typeinertia == mjINERTIA_SHELL;
  switch (geom->s.type) {
    case mjGEOM_MESH:
    case mjGEOM_SDF:
      fromSquares(geom->inertia, m, geom->mesh->asset.boxsize, 3);
      break;
    case mjGEOM_SPHERE:
      geom->inertia[0] = geom->inertia[1] = geom->inertia[2] = 2 * m * s[0] * s[0] / (shell ? 3 : 5);
      break;
    case mjGEOM_CAPSULE:
      (shell ? shellCapsule : solidCapsule)(geom->inertia, m, s[0], 2 * s[1]);
      break;
    case mjGEOM_CYLINDER:
      if (shell) {
        shellCylinder(geom->inertia, m, s[0], 2 * s[1]);
      } else {
        geom->inertia[0] = geom->inertia[1] = m * (3 * s[0] * s[0] + 4 * s[1] * s[1]) / 12;
        geom->inertia[2] = m * s[0] * s[0] / 2;
      }
      break;
    case mjGEOM_ELLIPSOID:
      if (shell) {
        shellEllipsoid(geom->inertia, m, s);
      } else {
        fromSquares(geom->inertia, m, s, 5);
      }
      break;
    case mjGEOM_HFIELD:
    case mjGEOM_BOX:
      if (shell) {
        shellBox(geom->inertia, m, s);
      } else {
        fromSquares(geom->inertia, m, s, 3);
      }
      break;
    default:
      mth_zero3(geom->inertia);
  }
}

// -------------------------------------------------------------------------------------------- bodies

// one rigid part of a body
typedef struct {
  double mass;
  const double *pos, *quat, *inertia;
} Part;

// adds the part's inertia about a point
static void addPart(double full[6], const Part* part, const double about[3]) {
  double R[9], d[3];
  mju_quat2Mat(R, part->quat);
  mth_sub3(d, part->pos, about);
  static const int row[6] = {0, 1, 2, 0, 0, 1}, col[6] = {0, 1, 2, 1, 2, 2};
  const double square[3] = {d[1] * d[1] + d[2] * d[2], d[0] * d[0] + d[2] * d[2], d[0] * d[0] + d[1] * d[1]};
  for (int k = 0; k < 6; k++) {
    const double *a = R + 3 * row[k], *b = R + 3 * col[k];
    const double turned =
        a[0] * (b[0] * part->inertia[0]) + a[1] * (b[1] * part->inertia[1]) + a[2] * (b[2] * part->inertia[2]);
    const double moved = k < 3 ? part->mass * square[k] : -part->mass * d[row[k]] * d[col[k]];
    full[k] = full[k] + turned + moved;
  }
}

const char* cmp_principal(double quat[4], double inertia[3], const double full[6]) {
  const double mat[9] = {full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]};
  double eigval[3], eigvec[9];
  mju_eig3(eigval, eigvec, quat, mat);
  mth_copy3(inertia, eigval);
  return eigval[2] < SPC_EPS ? "inertia must have positive eigenvalues" : NULL;
}

void cmp_bodyFromGeoms(Cmp* c, CmpBody* body) {
  // geoms that count: by group, and with mass
  const mjsCompiler* const settings = spc_compiler(body->head.e);
  int n = 0;
  Part* const part = cmp_alloc(c, (size_t)body->geoms.n, sizeof(Part));
  for (int i = 0; i < body->geoms.n; i++) {
    const CmpGeom* const geom = body->geoms.at[i];
    if (geom->s.group < settings->inertiagrouprange[0] || geom->s.group > settings->inertiagrouprange[1]) continue;
    if (geom->mass < SPC_EPS) continue;
    part[n++] = (Part){geom->mass, geom->s.pos, geom->s.quat, geom->inertia};
  }
  if (n == 0) return;

  // one geom: its frame is the inertial frame
  mjsBody* const s = &body->s;
  if (n == 1) {
    s->mass = part->mass;
    mth_copy3(s->ipos, part->pos);
    memcpy(s->iquat, part->quat, 4 * sizeof(double));
    mth_copy3(s->inertia, part->inertia);
    return;
  }

  // centre of mass
  double moment[3] = {0};
  s->mass = 0;
  for (int i = 0; i < n; i++) {
    s->mass += part[i].mass;
    for (int k = 0; k < 3; k++) moment[k] += part[i].mass * part[i].pos[k];
  }
  for (int k = 0; k < 3; k++) s->ipos[k] = moment[k] / s->mass;

  // principal axes of the sum
  memset(s->fullinertia, 0, sizeof(s->fullinertia));
  for (int i = 0; i < n; i++) addPart(s->fullinertia, &part[i], s->ipos);
  const char* const error = cmp_principal(s->iquat, s->inertia, s->fullinertia);
  if (error) cmp_fail(c, body->head.e, "error '%s' in alternative for principal axes", error);
}

void cmp_mergeInertia(Cmp* c, CmpBody* body, const CmpBody* child) {
  // The format's rule: the child's position is taken along its own inertial axes, which also stay as they are. It is
  // the pose of the mass in the body's frame only for children without rotations, but it is what models are compiled
  // with.
  double pos[3], quat[4];
  mth_copy3(pos, child->s.ipos);
  memcpy(quat, child->s.iquat, sizeof(quat));
  spc_append(pos, quat, child->s.pos, child->s.quat);

  mjsBody* const s = &body->s;
  const mjsBody before = *s;
  const Part part[2] = {
      {before.mass,   before.ipos, before.iquat,   before.inertia  },
      {child->s.mass, pos,         child->s.iquat, child->s.inertia}
  };
  s->mass = part[0].mass + part[1].mass;
  if (s->mass < mjMINVAL) {
    s->mass = 0;
    mth_zero3(s->inertia);
    mth_zero3(s->ipos);
    mth_unit4(s->iquat);
    return;
  }
  for (int k = 0; k < 3; k++) s->ipos[k] = (part[0].mass * part[0].pos[k] + part[1].mass * part[1].pos[k]) / s->mass;
  memset(s->fullinertia, 0, sizeof(s->fullinertia));
  for (int i = 0; i < 2; i++) addPart(s->fullinertia, &part[i], s->ipos);
  const char* const error = cmp_principal(s->iquat, s->inertia, s->fullinertia);
  if (error) cmp_fail(c, NULL, "error '%s' in fusing static body inertias", error);
}

void cmp_checkInertia(Cmp* c, CmpBody* body) {
  const mjsCompiler* const settings = spc_compiler(body->head.e);
  double* const I = body->s.inertia;
  body->s.mass = fmax(body->s.mass, settings->boundmass);
  for (int i = 0; i < 3; i++) I[i] = fmax(I[i], settings->boundinertia);
  if (body->s.mass < 0 || I[0] < 0 || I[1] < 0 || I[2] < 0) {
    cmp_fail(c, body->head.e, "mass and inertia cannot be negative");
  }

  // no mass distribution has one moment larger than the sum of the other two
  if (I[0] + I[1] < I[2] || I[0] + I[2] < I[1] || I[1] + I[2] < I[0]) {
    if (!settings->balanceinertia) {
      cmp_fail(c, body->head.e, "inertia must satisfy A + B >= C; use 'balanceinertia' to fix");
    }
    I[0] = I[1] = I[2] = (I[0] + I[1] + I[2]) / 3.0;
  }
}
