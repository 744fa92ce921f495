// Surfaces of exact meshes: which faces meet at edges, nearest points by the tree of faces, and directions outwards.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collision/exact.h"
#include "collision/sides.h"
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

// 1: contacts or distances of a mesh are those of its surface
static int hasSurface(const mjModel* m, int entry, int mesh) {
  const mjtNum kind = shapeOf(m, entry, mesh)[0];
  return kind == COL_SOLID || kind == COL_SHELL || kind == COL_CUT;
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
    const int known = shape[0] >= 0 && shape[0] < COL_NSHAPE && shape[0] == floor(shape[0]);
    if (known && shape[1] >= 0 && shape[1] < mjMAXVAL) continue;
    snprintf(text, 200, "the custom numeric '%s': mesh %d has the shape %g %g", COL_EXACT_ENTRY, i, shape[0], shape[1]);
    return text;
  }
  return NULL;
}

//---------------------------------- neighbours ----------------------------------

// other: the edge beyond each edge. Edges of one face or of more than two have none, nor those of two that look to
// different sides.
static void findOthers(const mjModel* m, int mesh, int* other) {
  const int n = 3 * m->mesh_facenum[mesh];
  for (int i = 0; i < n; i++) other[i] = -1;
  ColSide* const side = col_meshSides(m, mesh);
  for (int i = 0, end; i < n && side; i = end) {
    end = col_sameSides(side, n, i);
    if (end != i + 2 || side[i].forward == side[i + 1].forward) continue;
    other[side[i].code] = side[i + 1].code;
    other[side[i + 1].code] = side[i].code;
  }
  free(side);
}

//---------------------------------- corners and edges ----------------------------------

// 1: all faces lie in one plane
static int isFlat(const ColExact* x, const int* face, int n) {
  for (int i = 1; i < n; i++) {
    if (mth_dot3(x->plane + 4 * face[0], x->plane + 4 * face[i]) <= COL_FLAT) return 0;
  }
  return n > 1;
}

// 1: some direction has all the faces around a corner behind it. Looked for from the normal, away from what is in
// front; a corner of convex shape has it at once.
static int canStandOut(const ColExact* x, int face, int corner, const int* fan, int n) {
  const ColNearest here = {.face = face, .feature = corner};
  mjtNum out[3], place[3];
  col_exactCorner(place, x, face, corner);
  col_exactOutwards(out, x, &here);
  for (int trial = 0; trial < 32 && mth_normalize3(out) > mjMINVAL; trial++) {
    mjtNum worst = COL_STANDOUT, arm[3], away[3] = {0};
    for (int i = 0; i < 3 * n; i++) {
      col_exactCorner(arm, x, fan[i / 3], i % 3);
      mth_subFrom3(arm, place);
      if (mth_normalize3(arm) < mjMINVAL || mth_dot3(arm, out) <= worst) continue;
      worst = mth_dot3(arm, out);
      mth_copy3(away, arm);
    }
    if (worst <= COL_STANDOUT) return 1;
    mth_addToScl3(out, away, -1.5 * worst);
  }
  return 0;
}

// it is not within a plane, nor a valley of a solid
int col_isSharp(const ColExact* x, int code) {
  const int beyond = x->other[code], face = code / 3;
  if (beyond < 0) return 1;
  if (code > beyond) return 0;
  if (mth_dot3(x->plane + 4 * face, x->plane + 4 * (beyond / 3)) > COL_FLAT) return 0;
  if (x->shell) return 1;
  mjtNum a[3], b[3];
  col_exactCorner(a, x, face, code % 3);
  col_exactCorner(b, x, beyond / 3, (beyond % 3 + 2) % 3);
  mth_subFrom3(b, a);
  return mth_dot3(b, x->plane + 4 * face) <= COL_STANDOUT * mth_norm3(b);
}

void col_exactFeatures(const ColExact* x, mjtByte* feature) {
  for (int i = 0; i < 3 * x->nface; i++) feature[i] = col_isSharp(x, i) ? COL_EDGE : 0;
  for (int i = 0; i < 3 * x->nface; i++) {
    int fan[64], own = 1;
    const int n = col_exactFan(x, i / 3, i % 3, fan);
    for (int k = 0; k < n; k++) own &= fan[k] >= i / 3;
    if (!own) continue;

    // the first of the faces decides for all of them
    const int tip = !isFlat(x, fan, n) && (x->shell || canStandOut(x, i / 3, i % 3, fan, n));
    if (!tip) continue;
    const float* place = x->vert + 3 * (size_t)x->face[i];
    for (int k = 0; k < 3 * n; k++) {
      const int at = 3 * fan[k / 3] + k % 3;
      if (!memcmp(x->vert + 3 * (size_t)x->face[at], place, 3 * sizeof(float))) feature[at] |= COL_TIP;
    }
    feature[i] |= COL_TIP | COL_OWN;
  }
}

//---------------------------------- section ----------------------------------

// what the section has of a mesh: planes, edges beyond edges, features; in bytes, a multiple of eight
static size_t bytesOf(int nface) {
  return ((4 * sizeof(mjtNum) + 3 * sizeof(int) + 3) * (size_t)nface + 7) & ~(size_t)7;
}

size_t col_exactSize(const mjModel* m) {
  const int entry = findEntry(m);
  size_t n = 0;
  for (int i = 0; i < m->nmesh && entry >= 0; i++) n += hasSurface(m, entry, i) ? bytesOf(m->mesh_facenum[i]) : 0;
  return sizeof(ColExactHead) + n;
}

// a mesh, with what the section has of it at some place
static ColExact meshAt(const mjModel* m, int entry, int mesh, const void* memory) {
  const mjtNum* shape = shapeOf(m, entry, mesh);
  const int n = m->mesh_facenum[mesh], adr = m->mesh_bvhadr[mesh];
  const mjtNum* plane = memory;
  const int* other = (const int*)(const void*)(plane + 4 * (size_t)n);
  return (ColExact){.m = m,
                    .shell = shape[0] == COL_SHELL,
                    .half = shape[1] / 2,
                    .nface = n,
                    .nvert = m->mesh_vertnum[mesh],
                    .vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh],
                    .face = m->mesh_face + 3 * m->mesh_faceadr[mesh],
                    .plane = plane,
                    .other = other,
                    .feature = (const mjtByte*)(other + 3 * (size_t)n),
                    .aabb = m->bvh_aabb + 6 * adr,
                    .child = m->bvh_child + 2 * adr,
                    .nodeid = m->bvh_nodeid + adr};
}

void col_exactInit(const mjModel* m, void* memory) {
  ColExactHead* const s = memory;
  *s = (ColExactHead){(uintptr_t)m->buffer, m->nnumeric, findEntry(m), 0};
  char* at = (char*)(s + 1);
  for (int i = 0; i < m->nmesh && s->entry >= 0; i++) {
    if (!hasSurface(m, s->entry, i)) continue;
    const ColExact x = meshAt(m, s->entry, i, at);
    findOthers(m, i, (int*)x.other);
    for (int f = 0; f < x.nface; f++) col_facePlane((mjtNum*)x.plane + 4 * f, &x, f);
    col_exactFeatures(&x, (mjtByte*)x.feature);
    at += bytesOf(x.nface);
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

int col_openExact(const mjModel* m, const mjData* d, int geom, int any, ColExact* x) {
  if (m->geom_type[geom] != mjGEOM_MESH) return 0;
  const ColExactHead* s = col_exactHead(m, d);
  const int mesh = m->geom_dataid[geom], kind = s ? (int)shapeOf(m, s->entry, mesh)[0] : COL_HULL;
  if (kind != COL_SOLID && kind != COL_SHELL && !(any && kind == COL_CUT)) return 0;
  const char* at = (const char*)(s + 1);
  for (int i = 0; i < mesh; i++) at += hasSurface(m, s->entry, i) ? bytesOf(m->mesh_facenum[i]) : 0;
  *x = meshAt(m, s->entry, mesh, at);
  x->pos = d->geom_xpos + 3 * geom;
  x->mat = d->geom_xmat + 9 * geom;
  x->reach = m->geom_rbound[geom];
  return 1;
}

int col_isPart(const mjModel* m, const ColExactHead* s, int geom) {
  return m->geom_type[geom] == mjGEOM_MESH && shapeOf(m, s->entry, m->geom_dataid[geom])[0] == COL_PART;
}

// parts stand behind their geom
int col_wholeGeom(const mjModel* m, const mjData* d, int geom) {
  const ColExactHead* s = col_exactHead(m, d);
  while (s && geom > 0 && col_isPart(m, s, geom)) geom--;
  return geom;
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

void col_facePlane(mjtNum plane[4], const ColExact* x, int face) {
  mjtNum v[3][3], a[3], b[3];
  for (int k = 0; k < 3; k++) col_exactCorner(v[k], x, face, k);
  mth_sub3(a, v[1], v[0]);
  mth_sub3(b, v[2], v[0]);
  mth_cross3(plane, a, b);
  mth_normalize3(plane);
  plane[3] = mth_dot3(plane, v[0]);
}

static int nearestOnEdge(mjtNum near[3], const mjtNum a[3], const mjtNum b[3], mjtNum part) {
  for (int k = 0; k < 3; k++) near[k] = a[k] + part * (b[k] - a[k]);
  return part <= 0 ? -1 : part >= 1 ? 1 : 0;
}

// Regions around a triangle, by products of its edges with the way to the point (Ericson 2005).
int col_nearestOnFace(const ColExact* x, int face, const mjtNum p[3], mjtNum near[3]) {
  mjtNum v[3][3], ab[3], ac[3], to[3];
  for (int k = 0; k < 3; k++) col_exactCorner(v[k], x, face, k);
  mth_sub3(ab, v[1], v[0]);
  mth_sub3(ac, v[2], v[0]);
  mth_sub3(to, p, v[0]);
  const mjtNum b0 = mth_dot3(ab, to), c0 = mth_dot3(ac, to);
  if (b0 <= 0 && c0 <= 0) {
    mth_copy3(near, v[0]);
    return 0;
  }
  mth_sub3(to, p, v[1]);
  const mjtNum b1 = mth_dot3(ab, to), c1 = mth_dot3(ac, to);
  if (b1 >= 0 && c1 <= b1) {
    mth_copy3(near, v[1]);
    return 1;
  }
  mth_sub3(to, p, v[2]);
  const mjtNum b2 = mth_dot3(ab, to), c2 = mth_dot3(ac, to);
  if (c2 >= 0 && b2 <= c2) {
    mth_copy3(near, v[2]);
    return 2;
  }
  if (b0 * c1 - b1 * c0 <= 0 && b0 >= 0 && b1 <= 0) {
    const int end = nearestOnEdge(near, v[0], v[1], b0 / mth_max(mjMINVAL * mjMINVAL, b0 - b1));
    return end < 0 ? 0 : end > 0 ? 1 : 3;
  }
  if (b2 * c0 - b0 * c2 <= 0 && c0 >= 0 && c2 <= 0) {
    const int end = nearestOnEdge(near, v[0], v[2], c0 / mth_max(mjMINVAL * mjMINVAL, c0 - c2));
    return end < 0 ? 0 : end > 0 ? 2 : 5;
  }
  if (b1 * c2 - b2 * c1 <= 0 && c1 >= b1 && b2 >= c2) {
    const int end = nearestOnEdge(near, v[1], v[2], (c1 - b1) / mth_max(mjMINVAL * mjMINVAL, c1 - b1 + b2 - c2));
    return end < 0 ? 1 : end > 0 ? 2 : 4;
  }
  const mjtNum* n = x->plane + 4 * face;
  mth_addScl3(near, p, n, -mth_dot3(to, n));
  return 6;
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

// of faces at the same distance the first one counts
static void considerFace(const ColExact* x, int face, const mjtNum point[3], ColNearest* best) {
  mjtNum near[3];
  const int feature = col_nearestOnFace(x, face, point, near);
  const mjtNum square = mth_distSqr3(near, point);
  if (square > best->square || (square == best->square && best->face >= 0 && face >= best->face)) return;
  *best = (ColNearest){.face = face, .feature = feature, .square = square};
  mth_copy3(best->point, near);
}

ColNearest col_exactNearestFrom(const ColExact* x, const mjtNum point[3], mjtNum bound, int face) {
  ColNearest best = {.face = -1, .square = bound * bound};
  struct {
    int node;
    mjtNum square;
  } stack[DEPTH];
  if (face >= 0) considerFace(x, face, point, &best);
  int n = 1;
  stack[0].node = 0;
  stack[0].square = boxSquare(x->aabb, point);
  while (n) {
    const int node = stack[--n].node;
    if (stack[n].square > best.square) continue;
    if (x->nodeid[node] >= 0) {
      considerFace(x, x->nodeid[node], point, &best);
      continue;
    }

    // the nearer child first
    const int* child = x->child + 2 * node;
    const mjtNum square[2] = {boxSquare(x->aabb + 6 * child[0], point), boxSquare(x->aabb + 6 * child[1], point)};
    const int near = square[1] <= square[0];
    if (n + 2 > DEPTH) continue;
    for (int k = 0; k < 2; k++) {
      const int which = k ? near : !near;
      if (square[which] > best.square) continue;
      stack[n].node = child[which];
      stack[n++].square = square[which];
    }
  }
  return best;
}

ColNearest col_exactNearest(const ColExact* x, const mjtNum point[3], mjtNum bound) {
  return col_exactNearestFrom(x, point, bound, -1);
}

int col_exactFaces(const ColExact* x, const mjtNum box[6], int* list, int most) {
  int stack[DEPTH], n = 1, count = 0;
  stack[0] = 0;
  while (n) {
    const int node = stack[--n];
    const mjtNum* aabb = x->aabb + 6 * node;
    int apart = 0;
    for (int k = 0; k < 3; k++) apart |= aabb[k] - aabb[3 + k] > box[3 + k] || aabb[k] + aabb[3 + k] < box[k];
    if (apart) continue;
    if (x->nodeid[node] >= 0) {
      if (count < most) list[count++] = x->nodeid[node];
      continue;
    }
    if (n + 2 > DEPTH) continue;
    stack[n++] = x->child[2 * node];
    stack[n++] = x->child[2 * node + 1];
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
  mth_copy3(res, x->plane + 4 * n->face);
  if (n->feature == 6) return;
  if (n->feature >= 3) {
    const int code = x->other[3 * n->face + n->feature - 3];
    if (code >= 0) mth_addTo3(res, x->plane + 4 * (code / 3));
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
    mth_addToScl3(res, x->plane + 4 * fan[i], mth_acos(mth_clip(mth_dot3(arm[0], arm[1]) / scale, -1, 1)));
  }
}
