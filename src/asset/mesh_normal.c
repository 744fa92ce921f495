// Vertex normals, and the tree of boxes around the faces.
//
// A vertex normal is the mean of its faces' normals by area; unless the mesh is to look smooth, faces at a large angle
// to that mean are taken out again.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/mesh.h"
#include "math/vec.h"

static const double SHARP = 0.8;   // cosine of the angle beyond which a face does not count
static const double TINY = 1e-14;  // squared length of what is left as it is

// length before; short vectors stay as they are
static double normalize(double v[3]) {
  const double square = mth_dot3(v, v);
  if (square < TINY) return 0;
  const double length = sqrt(square);
  if (fabs(length - 1) > TINY) {
    for (int k = 0; k < 3; k++) v[k] /= length;
  }
  return length;
}

// unit normal of a face; returns twice its area
static double faceNormal(const AstSurface* s, const int* f, double normal[3]) {
  const double* const v = s->vert.at;
  double e1[3], e2[3];
  mth_sub3(e1, v + 3 * f[1], v + 3 * f[0]);
  mth_sub3(e2, v + 3 * f[2], v + 3 * f[0]);
  mth_cross3(normal, e1, e2);
  return normalize(normal);
}

// takes faces at a large angle to the mean out of their corners' sums; unit: face normals, with areas behind them
static int removeSharp(AstSurface* s, const double* unit, float* normal) {
  const int n = s->vert.n;
  float* const removed = ast_alloc(s, n, sizeof(float));
  double* const mean = ast_alloc(s, n, sizeof(double));
  const int good = removed && mean;
  if (good) {
    memset(removed, 0, (size_t)n * sizeof(float));
    for (int i = 0; i < n; i++) mean[i] = normal[i];
    for (int i = 0; i < n; i += 3) normalize(mean + i);
    for (int i = 0; i < s->face.n; i++) {
      const double* const face = unit + 4 * (size_t)(i / 3);
      if (mth_dot3(face, mean + 3 * (size_t)s->face.at[i]) >= SHARP) continue;
      float* const sum = removed + 3 * (size_t)s->face.at[i];
      for (int k = 0; k < 3; k++) sum[k] = (float)(sum[k] + face[k] * face[3]);
    }
    for (int i = 0; i < n; i++) normal[i] -= removed[i];
  }
  free(removed);
  free(mean);
  return good;
}

// sums over the faces around each vertex
static int sumNormals(AstSurface* s, float* normal) {
  const int nface = s->face.n / 3;
  double* const unit = ast_alloc(s, nface, 4 * sizeof(double));
  if (!unit) return 0;
  memset(normal, 0, (size_t)s->vert.n * sizeof(float));
  for (int i = 0; i < nface; i++) {
    double* const face = unit + 4 * (size_t)i;
    face[3] = faceNormal(s, s->face.at + 3 * i, face);
    for (int j = 0; j < 3; j++) {
      float* const sum = normal + 3 * (size_t)s->face.at[3 * i + j];
      for (int k = 0; k < 3; k++) sum[k] = (float)(sum[k] + face[k] * face[3]);
    }
  }
  const int good = s->source->smoothnormal || removeSharp(s, unit, normal);
  free(unit);
  return good;
}

int ast_makeNormals(AstSurface* s) {
  const int n = s->vert.n;
  float* const normal = ast_alloc(s, n, sizeof(float));
  int* const facenormal = ast_alloc(s, s->face.n, sizeof(int));
  if (!normal || !facenormal || !sumNormals(s, normal)) {
    free(normal);
    free(facenormal);
    return 0;
  }

  // to unit length
  for (int i = 0; i < n; i += 3) {
    float* const v = normal + i;
    const float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if ((double)length > mjMINVAL) {
      for (int k = 0; k < 3; k++) v[k] /= length;
    } else {
      v[0] = v[1] = 0;
      v[2] = 1;
    }
  }
  memcpy(facenormal, s->face.at, sizeof(int) * (size_t)s->face.n);
  free(s->normal.at);
  free(s->facenormal.at);
  s->normal = (AstFloats){normal, n};
  s->facenormal = (AstInts){facenormal, s->face.n};
  return 1;
}

// -------------------------------------------------------------------------------------------- tree of faces

// where the perpendicular bisectors of the sides meet
static void circumcenter(const double* v0, const double* v1, const double* v2, double center[3]) {
  double a[3], b[3], normal[3], mixed[3];
  mth_sub3(a, v0, v2);
  mth_sub3(b, v1, v2);
  mth_cross3(normal, a, b);
  const double aa = mth_dot3(a, a), bb = mth_dot3(b, b), area = sqrt(mth_dot3(normal, normal));
  for (int k = 0; k < 3; k++) mixed[k] = aa * b[k] - bb * a[k];
  mth_cross3(center, mixed, normal);
  for (int k = 0; k < 3; k++) center[k] = center[k] / (2 * area * area) + v2[k];
}

int ast_makeFaceTree(AstSurface* s, AstMesh* mesh) {
  static const double origin[3] = {0, 0, 0}, identity[4] = {1, 0, 0, 0};
  const int nface = s->face.n / 3;
  AstLeaf* const leaf = ast_alloc(s, nface, sizeof(AstLeaf));
  double* const box = ast_alloc(s, nface, 9 * sizeof(double));
  for (int i = 0; leaf && box && i < nface; i++) {
    const int* const f = s->face.at + 3 * i;
    const double* const v[3] = {s->vert.at + 3 * f[0], s->vert.at + 3 * f[1], s->vert.at + 3 * f[2]};
    double *const center = box + 9 * (size_t)i, *const aabb = center + 3;
    circumcenter(v[0], v[1], v[2], center);
    for (int k = 0; k < 3; k++) {
      const double low = mth_min(v[0][k], mth_min(v[1][k], v[2][k]));
      const double high = mth_max(v[0][k], mth_max(v[1][k], v[2][k]));
      aabb[k] = 0.5 * (low + high);
      aabb[3 + k] = 0.5 * (high - low);
    }
    leaf[i] = (AstLeaf){.id = i, .pos = center, .aabb = aabb};
  }
  int good = leaf && box;
  if (good && nface && !ast_makeBvh(&mesh->bvh, leaf, nface, origin, identity)) good = ast_fail(s, "out of memory");
  free(leaf);
  free(box);
  return good;
}
