// Signed distance to a mesh: the nearest point by branch and bound in the tree of faces; the sign by the normal of the
// feature it lies on, where edges take the sum of their faces' normals and vertices the sum weighted by angle
// (Baerentzen and Aanaes, Signed distance computation using the angle weighted pseudonormal, 2005).
#include "asset/distance.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/elem.h"
#include "math/vec.h"

// nine numbers per face: unit normal; normals of its edges are found through the faces of their ends
struct AstDistance {
  const AstSurface* surface;
  const AstBvh* bvh;
  double* facenormal;    // 3 per face
  double* edgenormal;    // 9 per face: edges 01, 12, 20
  double* vertexnormal;  // 3 per vertex
};

// corners 0..2, edges 3..5 (01, 12, 20), inside 6
typedef struct {
  double square, point[3];
  int face, feature;
} Nearest;

static void corners(const AstSurface* s, int face, const double* v[3]) {
  for (int k = 0; k < 3; k++) v[k] = s->vert.at + 3 * (size_t)s->face.at[3 * face + k];
}

// -------------------------------------------------------------------------------------------- pseudonormals

typedef struct {
  int low, high, face, edge;
} Side;

static int compareSides(const void* a, const void* b) {
  const Side *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  return x->high < y->high ? -1 : x->high > y->high;
}

// every edge gets the sum of the normals of all faces at it
static int sumEdges(AstDistance* f) {
  const int nside = f->surface->face.n;
  Side* const side = malloc(sizeof(Side) * ((size_t)nside + 1));
  if (!side) return 0;
  for (int i = 0; i < nside; i++) {
    const int face = i / 3, a = f->surface->face.at[i], b = f->surface->face.at[3 * face + (i + 1) % 3];
    side[i] = (Side){a < b ? a : b, a < b ? b : a, face, i % 3};
  }
  qsort(side, (size_t)nside, sizeof(Side), compareSides);
  for (int first = 0, end = 0; first < nside; first = end) {
    double sum[3] = {0, 0, 0};
    for (end = first; end < nside && !compareSides(&side[first], &side[end]); end++) {
      mth_addTo3(sum, f->facenormal + 3 * (size_t)side[end].face);
    }
    for (int i = first; i < end; i++) mth_copy3(f->edgenormal + 9 * (size_t)side[i].face + 3 * side[i].edge, sum);
  }
  free(side);
  return 1;
}

static void addFaceNormals(AstDistance* f, int face) {
  const double* v[3];
  corners(f->surface, face, v);
  double e1[3], e2[3];
  double* const normal = f->facenormal + 3 * (size_t)face;
  mth_sub3(e1, v[1], v[0]);
  mth_sub3(e2, v[2], v[0]);
  mth_cross3(normal, e1, e2);
  mth_normalize3(normal);
  for (int k = 0; k < 3; k++) {
    mth_sub3(e1, v[(k + 1) % 3], v[k]);
    mth_sub3(e2, v[(k + 2) % 3], v[k]);
    const double cosine = mth_dot3(e1, e2) / mth_max(mjMINVAL, mth_norm3(e1) * mth_norm3(e2));
    const double angle = mth_acos(mth_clip(cosine, -1, 1));
    mth_addToScl3(f->vertexnormal + 3 * (size_t)f->surface->face.at[3 * face + k], normal, angle);
  }
}

AstDistance* ast_makeDistance(AstSurface* surface, const AstBvh* bvh) {
  const size_t nface = (size_t)surface->face.n / 3, nvert = (size_t)surface->vert.n / 3;
  AstDistance* const f = calloc(1, sizeof(AstDistance));
  if (f) {
    *f = (AstDistance){.surface = surface, .bvh = bvh};
    f->facenormal = calloc(3 * nface + 1, sizeof(double));
    f->edgenormal = calloc(9 * nface + 1, sizeof(double));
    f->vertexnormal = calloc(3 * nvert + 1, sizeof(double));
  }
  int good = f && f->facenormal && f->edgenormal && f->vertexnormal;
  for (int i = 0; good && i < (int)nface; i++) addFaceNormals(f, i);
  if (good && sumEdges(f)) return f;
  ast_freeDistance(f);
  ast_fail(surface, "out of memory");
  return NULL;
}

void ast_freeDistance(AstDistance* f) {
  if (!f) return;
  free(f->facenormal);
  free(f->edgenormal);
  free(f->vertexnormal);
  free(f);
}

// -------------------------------------------------------------------------------------------- nearest point

// point of a triangle nearest to p (Ericson, Real-time collision detection, 5.1.5); returns the feature
static int nearestOnFace(const double* const v[3], const double p[3], double near[3]) {
  double ab[3], ac[3], ap[3], bp[3], cp[3];
  mth_sub3(ab, v[1], v[0]);
  mth_sub3(ac, v[2], v[0]);
  mth_sub3(ap, p, v[0]);
  mth_sub3(bp, p, v[1]);
  mth_sub3(cp, p, v[2]);
  const double d1 = mth_dot3(ab, ap), d2 = mth_dot3(ac, ap);
  mth_copy3(near, v[0]);
  if (d1 <= 0 && d2 <= 0) return 0;
  const double d3 = mth_dot3(ab, bp), d4 = mth_dot3(ac, bp);
  if (d3 >= 0 && d4 <= d3) {
    mth_copy3(near, v[1]);
    return 1;
  }
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    mth_addToScl3(near, ab, d1 / mth_max(mjMINVAL, d1 - d3));
    return 3;
  }
  const double d5 = mth_dot3(ab, cp), d6 = mth_dot3(ac, cp);
  if (d6 >= 0 && d5 <= d6) {
    mth_copy3(near, v[2]);
    return 2;
  }
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    mth_addToScl3(near, ac, d2 / mth_max(mjMINVAL, d2 - d6));
    return 5;
  }
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    double bc[3];
    mth_sub3(bc, v[2], v[1]);
    mth_addScl3(near, v[1], bc, (d4 - d3) / mth_max(mjMINVAL, d4 - d3 + (d5 - d6)));
    return 4;
  }
  const double scale = 1 / (va + vb + vc);
  mth_addToScl3(near, ab, vb * scale);
  mth_addToScl3(near, ac, vc * scale);
  return 6;
}

static double boxDistance(const double* aabb, const double p[3]) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    const double out = fabs(p[k] - aabb[k]) - aabb[3 + k];
    if (out > 0) square += out * out;
  }
  return square;
}

// depth first, nearer child first
static void search(const AstDistance* f, int node, const double p[3], Nearest* best) {
  const AstBvh* const bvh = f->bvh;
  if (bvh->nodeid[node] >= 0) {
    const double* v[3];
    double near[3];
    corners(f->surface, bvh->nodeid[node], v);
    const int feature = nearestOnFace(v, p, near);
    const double square = mth_distSqr3(near, p);
    if (square < best->square) {
      *best = (Nearest){.square = square, .face = bvh->nodeid[node], .feature = feature};
      mth_copy3(best->point, near);
    }
    return;
  }
  const int* const child = bvh->child + 2 * (size_t)node;
  const double d[2] = {boxDistance(bvh->aabb + 6 * (size_t)child[0], p),
                       boxDistance(bvh->aabb + 6 * (size_t)child[1], p)};
  const int first = d[1] < d[0];
  if (d[first] < best->square) search(f, child[first], p, best);
  if (d[!first] < best->square) search(f, child[!first], p, best);
}

double ast_signedDistance(const AstDistance* f, const double point[3]) {
  Nearest best = {.square = DBL_MAX};
  if (!f->bvh->n) return 0;
  search(f, 0, point, &best);
  const double* normal = f->facenormal + 3 * (size_t)best.face;
  if (best.feature < 3) {
    normal = f->vertexnormal + 3 * (size_t)f->surface->face.at[3 * best.face + best.feature];
  } else if (best.feature < 6) {
    normal = f->edgenormal + 9 * (size_t)best.face + 3 * (best.feature - 3);
  }
  double from[3];
  mth_sub3(from, point, best.point);
  return mth_dot3(from, normal) < 0 ? -sqrt(best.square) : sqrt(best.square);
}
