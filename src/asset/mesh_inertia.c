// Where a mesh is and how its mass is spread: user transforms, volume (or area), centre of mass and principal axes.
//
// A solid is the signed sum of the tetrahedra between a point and every face; with corners D, E, F relative to that
// point, its second moments are the sum of v/20 (2 DD' + 2 EE' + 2 FF' + DE' + ED' + DF' + FD' + EF' + FE'). A shell
// spreads the same over the faces' areas with 1/12. Legacy inertia takes every tetrahedron as positive.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "asset/mesh.h"
#include "math/quat.h"
#include "math/vec.h"

static const double BOUND = 1e10;  // beyond every coordinate

// faces that carry the mass: those of the hull when it is to be convex
typedef struct {
  const int* at;
  int n;
} Faces;

static Faces massFaces(const AstSurface* s) {
  if (s->source->inertia != mjMESH_INERTIA_CONVEX) return (Faces){s->face.at, s->face.n / 3};
  const int nvert = s->graph.at[0], nface = s->graph.at[1];
  return (Faces){s->graph.at + 2 + 3 * nvert + 3 * nface, nface};
}

// twice the area, center and the cross product of two sides
static double spanFace(const double* a, const double* b, const double* c, double normal[3], double center[3]) {
  double ab[3], ac[3];
  for (int i = 0; i < 3; i++) {
    center[i] = (a[i] + b[i] + c[i]) / 3;
    ab[i] = b[i] - a[i];
    ac[i] = c[i] - a[i];
  }
  mth_cross3(normal, ab, ac);
  return sqrt(mth_dot3(normal, normal));
}

// area; normal is of unit length unless that is 0
static double measureFace(const double* a, const double* b, const double* c, double normal[3], double center[3]) {
  const double length = spanFace(a, b, c, normal, center);
  if (length < mjMINVAL) return 0;
  for (int i = 0; i < 3; i++) normal[i] /= length;
  return 0.5 * length;
}

// -------------------------------------------------------------------------------------------- transforms

static void normalizeNormals(AstSurface* s) {
  for (int i = 0; i + 2 < s->normal.n; i += 3) {
    float* const n = s->normal.at + i;
    const float square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if ((double)square > mjMINVAL) {
      const float scale = 1 / sqrtf(square);
      for (int k = 0; k < 3; k++) n[k] *= scale;
    } else {
      n[0] = n[1] = 0;
      n[2] = 1;
    }
  }
}

// the user's reference frame and scale
static void transform(AstSurface* s) {
  const double *refpos = s->source->refpos, *scale = s->source->scale;
  double refquat[4], mat[9];
  mth_copy4(refquat, s->source->refquat);
  const int moved = refpos[0] != 0 || refpos[1] != 0 || refpos[2] != 0;
  const int turned = refquat[0] != 1 || refquat[1] != 0 || refquat[2] != 0 || refquat[3] != 0;
  const int scaled = scale[0] != 1 || scale[1] != 1 || scale[2] != 1;
  ast_normalize4(refquat);
  mth_quat2Mat(mat, refquat);
  for (int i = 0; (moved || turned || scaled) && i < s->vert.n; i += 3) {
    double* const v = s->vert.at + i;
    if (moved) mth_subFrom3(v, refpos);
    if (turned) mth_mulMatTVec3(v, mat, v);
    for (int k = 0; scaled && k < 3; k++) v[k] *= scale[k];
  }
  for (int i = 0; (turned || scaled) && i + 2 < s->normal.n; i += 3) {
    float* const n = s->normal.at + i;
    if (turned) {
      const double old[3] = {n[0], n[1], n[2]};
      double res[3];
      mth_mulMatTVec3(res, mat, old);
      for (int k = 0; k < 3; k++) n[k] = (float)res[k];
    }
    for (int k = 0; scaled && k < 3; k++) n[k] = (float)(n[k] * scale[k]);
  }
  normalizeNormals(s);
}

// to the frame of inertia; also finds the bounds
static void moveToFrame(AstSurface* s, AstMesh* mesh) {
  double inverse[4], mat[9];
  mth_negQuat(inverse, mesh->quat);
  mth_quat2Mat(mat, inverse);
  for (int k = 0; k < 3; k++) {
    mesh->aamm[k] = BOUND;
    mesh->aamm[3 + k] = -BOUND;
  }
  for (int i = 0; i < s->vert.n; i += 3) {
    double* const v = s->vert.at + i;
    mth_subFrom3(v, mesh->pos);
    mth_mulMatVec3(v, mat, v);
    for (int k = 0; k < 3; k++) {
      mesh->aamm[k] = v[k] < mesh->aamm[k] ? v[k] : mesh->aamm[k];
      mesh->aamm[3 + k] = v[k] > mesh->aamm[3 + k] ? v[k] : mesh->aamm[3 + k];
    }
  }
  for (int i = 0; i + 2 < s->normal.n; i += 3) {
    float* const n = s->normal.at + i;
    const double old[3] = {n[0], n[1], n[2]};
    double res[3];
    mth_mulMatVec3(res, mat, old);
    for (int k = 0; k < 3; k++) n[k] = (float)res[k];
  }
}

// -------------------------------------------------------------------------------------------- mass

// mean of the faces' centers by area; returns the area
static double centroid(const AstSurface* s, double center[3]) {
  double total = 0;
  mth_zero3(center);
  for (int i = 0; i < s->face.n; i += 3) {
    const int* const f = s->face.at + i;
    double normal[3], middle[3];
    const double length = spanFace(s->vert.at + 3 * f[0], s->vert.at + 3 * f[1], s->vert.at + 3 * f[2], normal, middle);
    const double area = length < mjMINVAL ? 0 : 0.5 * length;
    mth_addToScl3(center, middle, area);
    total += area;
  }
  if (total >= mjMINVAL) {
    for (int k = 0; k < 3; k++) center[k] /= total;
  }
  return total;
}

// centre of mass of the pyramids between the faces and a point; returns the volume (or area of a shell)
static double centerOfMass(const AstSurface* s, const double point[3], double com[3]) {
  const mjtMeshInertia mode = s->source->inertia;
  const Faces faces = massFaces(s);
  double total = 0;
  mth_zero3(com);
  for (int i = 0; i < faces.n; i++) {
    const int* const f = faces.at + 3 * i;
    double normal[3], middle[3], from[3];
    const double area =
        measureFace(s->vert.at + 3 * f[0], s->vert.at + 3 * f[1], s->vert.at + 3 * f[2], normal, middle);
    mth_sub3(from, middle, point);
    double volume = mode == mjMESH_INERTIA_SHELL ? area : mth_dot3(from, normal) * area / 3;
    if (mode == mjMESH_INERTIA_LEGACY) volume = fabs(volume);
    total += volume;
    for (int k = 0; k < 3; k++) com[k] += volume * (middle[k] * 3.0 / 4.0 + point[k] / 4.0);
  }
  if (total >= mjMINVAL) {
    for (int k = 0; k < 3; k++) com[k] /= total;
  }
  return total;
}

// second moments about com (xx, yy, zz, xy, xz, yz); returns the volume (or area) again
static double secondMoments(const AstSurface* s, const double com[3], double moment[6]) {
  static const int pair[6][2] = {
      {0, 0},
      {1, 1},
      {2, 2},
      {0, 1},
      {0, 2},
      {1, 2}
  };
  const mjtMeshInertia mode = s->source->inertia;
  const int parts = mode == mjMESH_INERTIA_SHELL ? 12 : 20;
  const Faces faces = massFaces(s);
  double total = 0;
  mth_zero6(moment);
  for (int i = 0; i < faces.n; i++) {
    const int* const f = faces.at + 3 * i;
    double D[3], E[3], F[3], normal[3], middle[3];
    mth_sub3(D, s->vert.at + 3 * f[0], com);
    mth_sub3(E, s->vert.at + 3 * f[1], com);
    mth_sub3(F, s->vert.at + 3 * f[2], com);
    const double area = measureFace(D, E, F, normal, middle);
    double volume = mode == mjMESH_INERTIA_SHELL ? area : mth_dot3(middle, normal) * area / 3;
    if (mode == mjMESH_INERTIA_LEGACY) volume = fabs(volume);
    total += volume;
    for (int k = 0; k < 6; k++) {
      const int a = pair[k][0], b = pair[k][1];
      moment[k] += volume / parts *
                   (2 * (D[a] * D[b] + E[a] * E[b] + F[a] * F[b]) + D[a] * E[b] + D[b] * E[a] + D[a] * F[b] +
                    D[b] * F[a] + E[a] * F[b] + E[b] * F[a]);
    }
  }
  return total;
}

// the sum of any two principal moments is at least the third
static int isPossible(const double eigval[3]) {
  const double relative = 1e-6, absolute = 1e-9;
  for (int k = 0; k < 3; k++) {
    const double others = eigval[(k + 1) % 3] + eigval[(k + 2) % 3];
    if (others < eigval[k] * (1 - relative) - absolute) return 0;
  }
  return 1;
}

int ast_makeFrame(AstSurface* s, AstMesh* mesh) {
  const char* const name = s->source->name;
  const int shell = s->source->inertia == mjMESH_INERTIA_SHELL;
  transform(s);

  // volume and centre of mass
  double middle[3];
  if (centroid(s, middle) < mjMINVAL) return ast_fail(s, "mesh surface area is too small: %s", name);
  const double volume = centerOfMass(s, middle, mesh->pos);
  if (volume < mjMINVAL) {
    if (shell) return ast_fail(s, "mesh surface area is too small: %s", name);
    if (volume < 0) return ast_fail(s, "mesh volume is negative (misoriented triangles): %s", name);
    return ast_fail(s, "mesh volume is too small: %s . Try setting inertia to shell", name);
  }

  // principal axes
  double p[6], eigval[3];
  mesh->volume = secondMoments(s, mesh->pos, p);
  const double inertia[9] = {p[1] + p[2], -p[3], -p[4], -p[3], p[0] + p[2], -p[5], -p[4], -p[5], p[0] + p[1]};
  ast_principalAxes(inertia, eigval, mesh->quat);
  if (!(eigval[2] > 0)) return ast_fail(s, "eigenvalue of mesh inertia must be positive: %s", name);
  if (!isPossible(eigval)) return ast_fail(s, "eigenvalues of mesh inertia violate A + B >= C: %s", name);
  for (int k = 0; k < 3; k++) {
    const double others = eigval[(k + 1) % 3] + eigval[(k + 2) % 3];
    mesh->boxsize[k] = 0.5 * sqrt(6 * (others - eigval[k]) / mesh->volume);
  }

  // what came from a distance field stays where the field is
  if (s->isfield) {
    mth_zero3(mesh->pos);
    mth_unit4(mesh->quat);
  }
  moveToFrame(s, mesh);
  return 1;
}
