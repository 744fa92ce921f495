// Surfaces of exact meshes: which faces meet at edges, nearest points by the tree of faces, and directions outwards.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collision/exact.h"
#include "math/elem.h"
#include "math/vec.h"

// tree of faces: deeper than any that is built
enum { DEPTH = 128 };

//---------------------------------- entry ----------------------------------

static int findEntry(const mjModel* m) {
  const int id = m->nmesh ? mj_name2id(m, mjOBJ_NUMERIC, COL_EXACT_ENTRY) : -1;
  return id >= 0 && m->numeric_size[id] == 2 * m->nmesh ? id : -1;
}

static const mjtNum* shapeOf(const mjModel* m, int entry, int mesh) {
  return m->numeric_data + m->numeric_adr[entry] + 2 * mesh;
}

const char* col_exactCheck(const mjModel* m, char* text) {
  const int id = mj_name2id(m, mjOBJ_NUMERIC, COL_EXACT_ENTRY);
  if (id < 0) return NULL;
  if (m->numeric_size[id] != 2 * m->nmesh) {
    snprintf(text, 200, "the custom numeric '%s' has %d values, the model has %d meshes", COL_EXACT_ENTRY,
             m->numeric_size[id], (int)m->nmesh);
    return text;
  }
  for (int i = 0; i < m->nmesh; i++) {
    const mjtNum* shape = shapeOf(m, id, i);
    const int known = shape[0] == COL_HULL || shape[0] == COL_SOLID || shape[0] == COL_SHELL;
    if (known && shape[1] >= 0 && shape[1] < mjMAXVAL) continue;
    snprintf(text, 200, "the custom numeric '%s': mesh %d has the shape %g %g", COL_EXACT_ENTRY, i, shape[0], shape[1]);
    return text;
  }
  return NULL;
}

//---------------------------------- neighbours ----------------------------------

typedef struct {
  float x[3];
  int id;
} Place;

static int comparePlaces(const void* a, const void* b) {
  const Place *p = a, *q = b;
  for (int k = 0; k < 3; k++) {
    if (p->x[k] != q->x[k]) return p->x[k] < q->x[k] ? -1 : 1;
  }
  return p->id - q->id;
}

typedef struct {
  int low, high, code;
} Side;

static int compareSides(const void* a, const void* b) {
  const Side *p = a, *q = b;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  if (p->high != q->high) return p->high < q->high ? -1 : 1;
  return p->code - q->code;
}

// vertices at one place are one: same[v] is the first of them
static void joinPlaces(const mjModel* m, int mesh, Place* place, int* same) {
  const int n = m->mesh_vertnum[mesh];
  const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  for (int i = 0; i < n; i++)
    place[i] = (Place){
        {vert[3 * i], vert[3 * i + 1], vert[3 * i + 2]},
        i
    };
  qsort(place, (size_t)n, sizeof(Place), comparePlaces);
  for (int i = 0, first = 0; i < n; i++) {
    if (memcmp(place[i].x, place[first].x, sizeof(place[i].x))) first = i;
    same[place[i].id] = place[first].id;
  }
}

// other: the edge beyond each edge. Edges of one face or of more than two have none.
static void findOthers(const mjModel* m, int mesh, int* other) {
  const int nface = m->mesh_facenum[mesh], *face = m->mesh_face + 3 * m->mesh_faceadr[mesh];
  for (int i = 0; i < 3 * nface; i++) other[i] = -1;
  Place* const place = malloc(sizeof(Place) * (size_t)m->mesh_vertnum[mesh]);
  int* const same = malloc(sizeof(int) * (size_t)m->mesh_vertnum[mesh]);
  Side* const side = malloc(sizeof(Side) * 3 * (size_t)nface);
  if (place && same && side) {
    joinPlaces(m, mesh, place, same);
    for (int i = 0; i < 3 * nface; i++) {
      const int a = same[face[i]], b = same[face[i - i % 3 + (i + 1) % 3]];
      side[i] = (Side){a < b ? a : b, a < b ? b : a, i};
    }
    qsort(side, 3 * (size_t)nface, sizeof(Side), compareSides);
    for (int i = 0, end; i < 3 * nface; i = end) {
      for (end = i + 1; end < 3 * nface && side[end].low == side[i].low && side[end].high == side[i].high;) end++;
      if (end != i + 2) continue;
      other[side[i].code] = side[i + 1].code;
      other[side[i + 1].code] = side[i].code;
    }
  }
  free(place);
  free(same);
  free(side);
}

//---------------------------------- section ----------------------------------

size_t col_exactSize(const mjModel* m) {
  const int entry = findEntry(m);
  size_t n = 0;
  for (int i = 0; i < m->nmesh && entry >= 0; i++) n += shapeOf(m, entry, i)[0] ? 3 * (size_t)m->mesh_facenum[i] : 0;
  return sizeof(ColExactHead) + n * sizeof(int);
}

void col_exactInit(const mjModel* m, void* memory) {
  ColExactHead* const s = memory;
  *s = (ColExactHead){(uintptr_t)m->buffer, m->nnumeric, findEntry(m), 0};
  int* other = (int*)(void*)(s + 1);
  for (int i = 0; i < m->nmesh && s->entry >= 0; i++) {
    if (!shapeOf(m, s->entry, i)[0]) continue;
    findOthers(m, i, other);
    other += 3 * m->mesh_facenum[i];
  }
}

const ColExactHead* col_exactRefresh(const mjModel* m, mjData* d) {
  ColExactHead* s = mdl_section(d, MDL_EXACT);
  if (findEntry(m) < 0) {
    *s = (ColExactHead){(uintptr_t)m->buffer, m->nnumeric, -1, 0};
    return s;
  }
  s = mdl_sectionRenew(d, MDL_EXACT, col_exactSize(m));
  if (!s) mju_error("could not allocate memory for the surfaces of meshes");
  col_exactInit(m, s);
  return s;
}

int col_openExact(const mjModel* m, const mjData* d, int geom, ColExact* x) {
  if (m->geom_type[geom] != mjGEOM_MESH) return 0;
  const ColExactHead* s = col_exactHead(m, d);
  const int mesh = m->geom_dataid[geom];
  const mjtNum* shape = s ? shapeOf(m, s->entry, mesh) : NULL;
  if (!shape || !shape[0]) return 0;
  const int* other = (const int*)(const void*)(s + 1);
  for (int i = 0; i < mesh; i++) other += shapeOf(m, s->entry, i)[0] ? 3 * m->mesh_facenum[i] : 0;
  *x = (ColExact){.m = m,
                  .mesh = mesh,
                  .shell = shape[0] == COL_SHELL,
                  .half = shape[1] / 2,
                  .nface = m->mesh_facenum[mesh],
                  .vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh],
                  .face = m->mesh_face + 3 * m->mesh_faceadr[mesh],
                  .other = other,
                  .pos = d->geom_xpos + 3 * geom,
                  .mat = d->geom_xmat + 9 * geom,
                  .reach = m->geom_rbound[geom]};
  return 1;
}

//---------------------------------- points ----------------------------------

void col_exactLocal(mjtNum res[3], const ColExact* x, const mjtNum world[3]) {
  mjtNum arm[3];
  mth_sub3(arm, world, x->pos);
  mth_mulMatTVec3(res, x->mat, arm);
}

void col_exactWorld(mjtNum res[3], const ColExact* x, const mjtNum local[3]) {
  mth_mulMatVec3(res, x->mat, local);
  mth_addTo3(res, x->pos);
}

void col_exactCorner(mjtNum res[3], const ColExact* x, int face, int corner) {
  const float* v = x->vert + 3 * x->face[3 * face + corner];
  mth_set3(res, v[0], v[1], v[2]);
}

void col_exactNormal(mjtNum res[3], const ColExact* x, int face) {
  mjtNum v[3][3], a[3], b[3];
  for (int k = 0; k < 3; k++) col_exactCorner(v[k], x, face, k);
  mth_sub3(a, v[1], v[0]);
  mth_sub3(b, v[2], v[0]);
  mth_cross3(res, a, b);
  mth_normalize3(res);
}

// part of an edge where the point of it nearest to p is, 0 to 1
static mjtNum alongEdge(const mjtNum a[3], const mjtNum b[3], const mjtNum p[3]) {
  mjtNum ab[3], ap[3];
  mth_sub3(ab, b, a);
  mth_sub3(ap, p, a);
  return mth_clip(mth_dot3(ab, ap) / mth_max(mjMINVAL * mjMINVAL, mth_dot3(ab, ab)), 0, 1);
}

int col_nearestOnFace(const ColExact* x, int face, const mjtNum p[3], mjtNum near[3]) {
  mjtNum v[3][3], n[3], toward[3];
  for (int k = 0; k < 3; k++) col_exactCorner(v[k], x, face, k);
  col_exactNormal(n, x, face);

  // above the face unless the point is outside of an edge
  int outside = mth_dot3(n, n) < 0.5;
  for (int k = 0; k < 3; k++) {
    mjtNum edge[3], out[3];
    mth_sub3(edge, v[(k + 1) % 3], v[k]);
    mth_cross3(out, edge, n);
    mth_sub3(toward, p, v[k]);
    outside |= mth_dot3(out, toward) > 0;
  }
  if (!outside) {
    mth_sub3(toward, p, v[0]);
    mth_addScl3(near, p, n, -mth_dot3(toward, n));
    return 6;
  }

  // the nearest edge, and its end where that is nearest
  mjtNum least = DBL_MAX;
  int feature = 0;
  for (int k = 0; k < 3; k++) {
    const mjtNum t = alongEdge(v[k], v[(k + 1) % 3], p);
    mjtNum point[3];
    for (int c = 0; c < 3; c++) point[c] = v[k][c] + t * (v[(k + 1) % 3][c] - v[k][c]);
    const mjtNum square = mth_distSqr3(point, p);
    if (square >= least) continue;
    least = square;
    mth_copy3(near, point);
    feature = t <= 0 ? k : t >= 1 ? (k + 1) % 3 : 3 + k;
  }
  return feature;
}

// square of the distance of a point to a box of the tree
static mjtNum boxSquare(const mjtNum* aabb, const mjtNum p[3]) {
  mjtNum sum = 0;
  for (int k = 0; k < 3; k++) {
    const mjtNum out = mth_max(0, fabs(p[k] - aabb[k]) - aabb[3 + k]);
    sum += out * out;
  }
  return sum;
}

ColNearest col_exactNearest(const ColExact* x, const mjtNum point[3], mjtNum bound) {
  const mjModel* m = x->m;
  const int adr = m->mesh_bvhadr[x->mesh];
  ColNearest best = {.face = -1, .square = bound * bound};
  int stack[DEPTH], n = 1;
  stack[0] = 0;
  while (n) {
    const int node = adr + stack[--n];
    if (boxSquare(m->bvh_aabb + 6 * node, point) > best.square) continue;
    const int face = m->bvh_nodeid[node];
    if (face >= 0) {
      mjtNum near[3];
      const int feature = col_nearestOnFace(x, face, point, near);
      const mjtNum square = mth_distSqr3(near, point);
      if (square < best.square || (square == best.square && (best.face < 0 || face < best.face))) {
        best = (ColNearest){.face = face, .feature = feature, .square = square};
        mth_copy3(best.point, near);
      }
      continue;
    }

    // the nearer child first
    const int* child = m->bvh_child + 2 * node;
    const int swap =
        boxSquare(m->bvh_aabb + 6 * (adr + child[0]), point) < boxSquare(m->bvh_aabb + 6 * (adr + child[1]), point);
    if (n + 2 > DEPTH) continue;
    stack[n++] = child[swap];
    stack[n++] = child[!swap];
  }
  return best;
}

int col_exactFaces(const ColExact* x, const mjtNum box[6], int* list, int most) {
  const mjModel* m = x->m;
  const int adr = m->mesh_bvhadr[x->mesh];
  int stack[DEPTH], n = 1, count = 0;
  stack[0] = 0;
  while (n) {
    const int node = adr + stack[--n];
    const mjtNum* aabb = m->bvh_aabb + 6 * node;
    int apart = 0;
    for (int k = 0; k < 3; k++) apart |= aabb[k] - aabb[3 + k] > box[3 + k] || aabb[k] + aabb[3 + k] < box[k];
    if (apart) continue;
    const int face = m->bvh_nodeid[node];
    if (face >= 0) {
      if (count < most) list[count++] = face;
      continue;
    }
    if (n + 2 > DEPTH) continue;
    stack[n++] = m->bvh_child[2 * node];
    stack[n++] = m->bvh_child[2 * node + 1];
  }
  return count;
}

//---------------------------------- around edges and corners ----------------------------------

int col_exactFan(const ColExact* x, int face, int corner, int fan[64]) {
  int n = 0, f = face, c = corner;

  // one way around, over the edge that ends at the corner; at a border the other way
  do {
    fan[n++] = f;
    const int code = x->other[3 * f + (c + 2) % 3];
    if (code < 0) break;
    f = code / 3;
    c = code % 3;
  } while (f != face && n < 64);
  if (n > 1 && f == face) return n;
  f = face;
  c = corner;
  while (n < 64) {
    const int code = x->other[3 * f + c];
    if (code < 0 || code / 3 == face) break;
    f = code / 3;
    c = (code % 3 + 1) % 3;
    fan[n++] = f;
  }
  return n;
}

void col_exactOutwards(mjtNum res[3], const ColExact* x, const ColNearest* n) {
  col_exactNormal(res, x, n->face);
  if (n->feature == 6) return;
  mjtNum more[3];
  if (n->feature >= 3) {
    const int code = x->other[3 * n->face + n->feature - 3];
    if (code < 0) return;
    col_exactNormal(more, x, code / 3);
    mth_addTo3(res, more);
    return;
  }

  // corners: normals weighted by the angles of their faces
  int fan[64];
  const int count = col_exactFan(x, n->face, n->feature, fan);
  mjtNum place[3];
  col_exactCorner(place, x, n->face, n->feature);
  mth_zero3(res);
  for (int i = 0; i < count; i++) {
    mjtNum v[3][3], arm[2][3];
    int k = 0, found = 0;
    for (int c = 0; c < 3; c++) {
      col_exactCorner(v[c], x, fan[i], c);
      if (mth_equal3(v[c], place)) found = c;
    }
    for (int c = 1; c < 3; c++) mth_sub3(arm[k++], v[(found + c) % 3], place);
    const mjtNum scale = mth_max(mjMINVAL, mth_norm3(arm[0]) * mth_norm3(arm[1]));
    col_exactNormal(more, x, fan[i]);
    mth_addToScl3(res, more, mth_acos(mth_clip(mth_dot3(arm[0], arm[1]) / scale, -1, 1)));
  }
}
