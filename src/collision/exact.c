// Contacts of exact meshes.
//
// Two shapes touch where a point of one meets a face of the other, or edge meets edge. So the points of the other shape
// that may touch are looked up on the surface (corners of boxes and hulls, ends of capsules, lowest points of round
// shapes), and corners and edges of the mesh are asked for their distance to the other shape. A contact of a corner or
// an edge counts only where the surface around it lies behind it: so edges within a flat floor, and those of dents,
// give none, and what rolls over them feels only the floor.
#include "collision/exact.h"

#include <math.h>
#include <string.h>

#include "base/stack.h"
#include "collision/ccd.h"
#include "collision/narrow.h"
#include "collision/reduce.h"
#include "math/vec.h"

enum {
  FOUND = COL_TOUCHES,  // contacts that are found at most
  KEPT = 12,            // contacts that are kept of them
  FACES = 4096,         // faces that are looked at in a pair
  PAIRS = 8192,         // pairs of faces of two meshes
  NORMALS = 32          // different normals whose lowest points are tried
};

// cosine above which an edge is flat, and how far a neighbour may stand out as a part of its distance
#define FLAT     (1 - 1e-8)
#define STANDOUT 1e-4

typedef struct {
  const mjModel* m;
  mjData* d;
  ColExact x;
  int geom[2];  // of the mesh, and the other one
  int second;   // 1: the mesh is the second geom of the pair
  mjtNum margin, depth;
  ColTouch* found;  // normals: from the first geom to the second
  int n;
  int* face;  // faces near the other geom
  int nface;
} Search;

//---------------------------------- results ----------------------------------

// a contact at a point of the surface, with the direction out of the mesh, in the frame of the mesh
static void add(Search* s, const mjtNum point[3], const mjtNum out[3], mjtNum dist) {
  dist -= s->x.half;
  if (dist >= s->margin || dist < -s->depth || s->n == FOUND) return;
  ColTouch f;
  mjtNum middle[3];
  mth_addScl3(middle, point, out, s->x.half + dist / 2);
  col_exactWorld(f.pos, &s->x, middle);
  mth_mulMatVec3(f.normal, s->x.mat, out);
  if (s->second) mth_neg3(f.normal, f.normal);
  f.dist = dist;

  // one of several that are the same
  for (int i = 0; i < s->n; i++) {
    if (mth_dot3(s->found[i].normal, f.normal) < 1 - 1e-6) continue;
    if (mth_distSqr3(s->found[i].pos, f.pos) > 1e-12 * s->x.reach * s->x.reach) continue;
    if (dist < s->found[i].dist) s->found[i] = f;
    return;
  }
  s->found[s->n++] = f;
}

// contacts that are spread over the surface
static int keep(const Search* s, mjContact* con) {
  const mjtNum size = mth_min(s->m->geom_rbound[s->geom[0]],
                              s->m->geom_rbound[s->geom[1]] > 0 ? s->m->geom_rbound[s->geom[1]] : mjMAXVAL);
  int index[KEPT];
  const int n = col_spread(s->found, s->n, KEPT, size, index);
  for (int i = 0; i < n; i++) {
    const ColTouch* f = s->found + index[i];
    con[i].dist = f->dist;
    mth_copy3(con[i].pos, f->pos);
    mth_copy3(con[i].frame, f->normal);
    mth_zero3(con[i].frame + 3);
  }
  return n;
}

//---------------------------------- points on the surface ----------------------------------

// direction from a nearest point to p; outwards where they are the same
static mjtNum towards(mjtNum res[3], const ColExact* x, const ColNearest* n, const mjtNum p[3], int* inside) {
  mjtNum out[3];
  mth_sub3(res, p, n->point);
  col_exactOutwards(out, x, n);
  *inside = !x->shell && mth_dot3(res, out) < 0;
  const mjtNum length = mth_norm3(res);
  if (length < 1e-9 * x->reach) {
    mth_normalize3(out);
    mth_copy3(res, out);
    return length;
  }
  mth_scl3(res, res, (*inside ? -1 : 1) / length);
  return length;
}

// a point of the other shape with a ball around it, in the frame of the mesh; depth: how deep it may be
static void addPoint(Search* s, const mjtNum p[3], mjtNum radius, mjtNum depth) {
  const mjtNum reach = s->margin + s->x.half + radius;
  const ColNearest n = col_exactNearest(&s->x, p, s->x.shell ? reach : mth_max(reach, depth));
  if (n.face < 0) return;
  mjtNum out[3];
  int inside;
  const mjtNum length = towards(out, &s->x, &n, p, &inside);
  add(s, n.point, out, (inside ? -length : length) - radius);
}

// 1: the nearest point of a face is that of no other face around it, and no other face has brought it before
static int isOwn(const ColExact* x, int face, int feature, const mjtNum p[3], mjtNum square) {
  int fan[64], n = 0;
  if (feature == 6) return 1;
  if (feature >= 3) {
    const int code = x->other[3 * face + feature - 3];
    if (code >= 0) fan[n++] = code / 3;
  } else {
    n = col_exactFan(x, face, feature, fan);
  }
  for (int i = 0; i < n; i++) {
    if (fan[i] == face) continue;
    mjtNum near[3];
    col_nearestOnFace(x, fan[i], p, near);
    const mjtNum other = mth_distSqr3(near, p);
    if (other < square * (1 - 1e-9) || fan[i] < face) return 0;
  }
  return 1;
}

// a ball: it touches every face that it reaches from outside
static void addBall(Search* s, const mjtNum centre[3], mjtNum radius) {
  const mjtNum reach = radius + s->margin + s->x.half;
  const ColNearest n = col_exactNearest(&s->x, centre, reach);
  if (n.face < 0) return;
  mjtNum out[3], box[6];
  int inside;
  const mjtNum length = towards(out, &s->x, &n, centre, &inside);
  if (inside) {
    add(s, n.point, out, -length - radius);
    return;
  }
  for (int k = 0; k < 3; k++) {
    box[k] = centre[k] - reach;
    box[3 + k] = centre[k] + reach;
  }
  const int count = col_exactFaces(&s->x, box, s->face, FACES);
  for (int i = 0; i < count; i++) {
    const int face = s->face[i];
    ColNearest near = {.face = face};
    near.feature = col_nearestOnFace(&s->x, face, centre, near.point);
    near.square = mth_distSqr3(near.point, centre);
    mjtNum normal[3], arm[3];
    col_exactNormal(normal, &s->x, face);
    mth_sub3(arm, centre, near.point);
    if (near.square >= reach * reach || (!s->x.shell && mth_dot3(arm, normal) < 0)) continue;
    if (!isOwn(&s->x, face, near.feature, centre, near.square)) continue;
    add(s, near.point, out, towards(out, &s->x, &near, centre, &inside) - radius);
  }
}

//---------------------------------- corners and edges of the mesh ----------------------------------

// 1: a corner or an edge is in front of what is around it, seen along out
static int standsOut(const ColExact* x, const mjtNum point[3], const int* around, int n, const mjtNum out[3]) {
  for (int i = 0; i < n; i++) {
    for (int c = 0; c < 3; c++) {
      mjtNum v[3], arm[3];
      col_exactCorner(v, x, around[i], c);
      mth_sub3(arm, v, point);
      if (mth_dot3(arm, out) > STANDOUT * mth_norm3(arm) + 1e-9 * x->reach) return 0;
    }
  }
  return 1;
}

// 1: all faces lie in one plane
static int isFlat(const ColExact* x, const int* face, int n) {
  mjtNum first[3], normal[3];
  col_exactNormal(first, x, face[0]);
  for (int i = 1; i < n; i++) {
    col_exactNormal(normal, x, face[i]);
    if (mth_dot3(first, normal) <= FLAT) return 0;
  }
  return n > 1;
}

// distance of a corner or an edge of the mesh to the other geom
typedef struct {
  mjtNum point[3], out[3], dist;
} Gap;

static int gapOf(const Search* s, ColConvex* other, const mjtNum (*local)[3], int n, Gap* gap) {
  mjtNum world[2][3], centre[3];
  const mjtNum* point[2];
  for (int i = 0; i < n; i++) {
    col_exactWorld(world[i], &s->x, local[i]);
    point[i] = world[i];
  }
  mth_copy3(centre, world[0]);
  if (n == 2) {
    mth_addTo3(centre, world[1]);
    mth_scl3(centre, centre, 0.5);
  }
  ColConvex own;
  ColQuery q;
  col_convexPoints(&own, s->m, point, n, centre);
  col_queryInit(&q, s->m, 1, s->margin + s->x.half);
  other->vertid = other->hullid = -1;
  const mjtNum dist = col_ccd(s->d, &q, &own, other);
  if (dist >= s->margin + s->x.half || q.npoint < 1) return 0;

  // apart: from the mesh to the other; overlapping: the other way round
  mjtNum out[3];
  mth_sub3(out, q.x2, q.x1);
  if (dist < 0) mth_neg3(out, out);
  if (mth_normalize3(out) < mjMINVAL) return 0;
  mth_mulMatTVec3(gap->out, s->x.mat, out);
  col_exactLocal(gap->point, &s->x, q.x1);
  gap->dist = dist;
  return 1;
}

// smallest and largest coordinates of the other geom in the frame of the mesh, with the margin
static void boundsOf(const Search* s, ColConvex* other, mjtNum box[6]) {
  const mjtNum more = s->margin + s->x.half + 1e-9;
  for (int k = 0; k < 6; k++) {
    mjtNum dir[3] = {0}, world[3], point[3], local[3];
    dir[k % 3] = k < 3 ? -1 : 1;
    mth_mulMatVec3(world, s->x.mat, dir);
    other->support(point, other, world);
    mth_addToScl3(point, world, other->inflate);
    col_exactLocal(local, &s->x, point);
    box[k] = local[k % 3] + dir[k % 3] * more;
  }
}

static int boxesMeet(const mjtNum box[6], const mjtNum (*v)[3], int n) {
  for (int k = 0; k < 3; k++) {
    if (n == 1 ? v[0][k] > box[3 + k] : mth_min(v[0][k], v[1][k]) > box[3 + k]) return 0;
    if (n == 1 ? v[0][k] < box[k] : mth_max(v[0][k], v[1][k]) < box[k]) return 0;
  }
  return 1;
}

static void addCorner(Search* s, ColConvex* other, const mjtNum box[6], int face, int corner) {
  int fan[64];
  mjtNum v[1][3];
  Gap gap;
  col_exactCorner(v[0], &s->x, face, corner);
  if (!boxesMeet(box, v, 1)) return;
  const int n = col_exactFan(&s->x, face, corner, fan);
  for (int i = 0; i < n; i++) {
    if (fan[i] < face) return;
  }
  if (isFlat(&s->x, fan, n)) return;
  if (!gapOf(s, other, v, 1, &gap) || !standsOut(&s->x, v[0], fan, n, gap.out)) return;
  add(s, v[0], gap.out, gap.dist);
}

static void addEdge(Search* s, ColConvex* other, const mjtNum box[6], int face, int edge) {
  const int code = s->x.other[3 * face + edge], around[2] = {face, code < 0 ? face : code / 3};
  mjtNum v[2][3], normal[2][3];
  Gap gap;
  if (around[1] < face) return;
  for (int k = 0; k < 2; k++) {
    col_exactCorner(v[k], &s->x, face, (edge + k) % 3);
    col_exactNormal(normal[k], &s->x, around[k]);
  }
  if (!boxesMeet(box, v, 2) || (code >= 0 && mth_dot3(normal[0], normal[1]) > FLAT)) return;
  if (!gapOf(s, other, v, 2, &gap)) return;

  // its ends are corners
  mjtNum length = mth_dist3(v[0], v[1]), from = mth_dist3(gap.point, v[0]);
  if (from < 1e-6 * length || from > (1 - 1e-6) * length) return;
  if (standsOut(&s->x, gap.point, around, 2, gap.out)) add(s, gap.point, gap.out, gap.dist);
}

//---------------------------------- shapes ----------------------------------

// lowest points of a cylinder seen from a face: one of each rim, and two more of one that lies flat
static int cylinderPoints(const ColShape* shape, const mjtNum down[3], mjtNum (*p)[3]) {
  mjtNum axis[3], side[3], across[3];
  mth_col3(axis, shape->mat, 2);
  mth_addScl3(side, down, axis, -mth_dot3(down, axis));
  const int flat = mth_normalize3(side) < 0.02;
  if (flat) mth_col3(side, shape->mat, 0);
  mth_cross3(across, axis, side);
  int n = 0;
  for (int cap = -1; cap <= 1; cap += 2) {
    for (int k = 0; k < (flat ? 4 : 1); k++) {
      mth_addScl3(p[n], shape->pos, axis, cap * shape->size[1]);
      mth_addToScl3(p[n++], k % 2 ? across : side, (k < 2 ? 1 : -1) * shape->size[0]);
    }
  }
  return n;
}

// lowest points of a round shape above the faces near it
static void addRound(Search* s, ColConvex* other) {
  const ColShape shape = col_geomShape(s->m, s->d, s->geom[1]);
  mjtNum seen[NORMALS][3];
  int n = 0;
  for (int i = 0; i < s->nface && n < NORMALS; i++) {
    mjtNum normal[3], down[3], point[8][3];
    int known = 0, count = 1;
    col_exactNormal(normal, &s->x, s->face[i]);
    for (int k = 0; k < n && !known; k++) known = mth_dot3(seen[k], normal) > 1 - 1e-4;
    if (known) continue;
    mth_copy3(seen[n++], normal);
    for (int side = 0; side < 1 + s->x.shell; side++) {
      mth_mulMatVec3(down, s->x.mat, normal);
      if (!side) mth_neg3(down, down);
      if (s->m->geom_type[s->geom[1]] == mjGEOM_CYLINDER) {
        count = cylinderPoints(&shape, down, point);
      } else {
        other->support(point[0], other, down);
      }
      for (int k = 0; k < count; k++) {
        mjtNum local[3];
        col_exactLocal(local, &s->x, point[k]);
        addPoint(s, local, 0, s->depth);
      }
    }
  }
}

// points of the other shape that may be the first to touch
static void addPoints(Search* s, ColConvex* other) {
  const int g = s->geom[1], type = s->m->geom_type[g];
  const ColShape shape = col_geomShape(s->m, s->d, g);
  mjtNum world[3], local[3];
  if (type == mjGEOM_CAPSULE) {
    for (int k = -1; k <= 1; k += 2) {
      mth_col3(world, shape.mat, 2);
      mth_scl3(world, world, k * shape.size[1]);
      mth_addTo3(world, shape.pos);
      col_exactLocal(local, &s->x, world);
      addBall(s, local, shape.size[0]);
    }
  } else if (type == mjGEOM_BOX) {
    for (int i = 0; i < 8; i++) {
      mjtNum corner[3];
      for (int k = 0; k < 3; k++) corner[k] = (i >> k & 1 ? 1 : -1) * shape.size[k];
      mth_mulMatVec3(world, shape.mat, corner);
      mth_addTo3(world, shape.pos);
      col_exactLocal(local, &s->x, world);
      addPoint(s, local, 0, s->depth);
    }
  } else if (type == mjGEOM_MESH) {
    for (int i = 0; i < other->nhull || (!other->nhull && i < other->nvert); i++) {
      const float* v = other->vert + 3 * (other->nhull ? other->globalid[i] : i);
      const mjtNum corner[3] = {v[0], v[1], v[2]};
      mth_mulMatVec3(world, shape.mat, corner);
      mth_addTo3(world, shape.pos);
      col_exactLocal(local, &s->x, world);
      addPoint(s, local, 0, s->depth);
    }
  } else {
    addRound(s, other);
  }
}

// the mesh and a convex geom
static void addConvex(Search* s) {
  const mjtNum* centre = s->d->geom_xpos + 3 * s->geom[1];
  if (s->m->geom_type[s->geom[1]] == mjGEOM_SPHERE) {
    mjtNum local[3];
    col_exactLocal(local, &s->x, centre);
    addBall(s, local, s->m->geom_size[3 * s->geom[1]]);
    return;
  }
  ColConvex other;
  col_convexGeom(&other, s->m, s->d, s->geom[1], 0);
  mjtNum box[6];
  boundsOf(s, &other, box);
  s->nface = col_exactFaces(&s->x, box, s->face, FACES);
  if (!s->nface && s->x.shell) return;
  addPoints(s, &other);

  // the list has been used for balls
  s->nface = col_exactFaces(&s->x, box, s->face, FACES);
  for (int i = 0; i < s->nface; i++) {
    for (int k = 0; k < 3; k++) {
      addCorner(s, &other, box, s->face[i], k);
      addEdge(s, &other, box, s->face[i], k);
    }
  }
}

//---------------------------------- two exact meshes ----------------------------------

// corners of the faces of a mesh that are near the other, on the surface of that one
static void addCorners(Search* s, const ColExact* from, const int* pair, int n, int side) {
  const int nvert = s->m->mesh_vertnum[from->mesh];
  mj_markStack(s->d);
  mjtByte* const seen = mj_stackAllocByte(s->d, (size_t)nvert, 1);
  memset(seen, 0, (size_t)nvert);
  for (int i = 0; i < n; i++) {
    const int face = pair[2 * i + side];
    for (int c = 0; c < 3; c++) {
      const int vert = from->face[3 * face + c];
      mjtNum v[3], next[3], world[3], local[3];
      int fan[64];
      if (seen[vert]) continue;
      seen[vert] = 1;
      if (isFlat(from, fan, col_exactFan(from, face, c, fan))) continue;
      col_exactCorner(v, from, face, c);
      col_exactCorner(next, from, face, (c + 1) % 3);
      col_exactWorld(world, from, v);
      col_exactLocal(local, &s->x, world);
      addPoint(s, local, from->half, mth_dist3(v, next));
    }
  }
  mj_freeStack(s->d);
}

// nearest points of two segments: how far along each; 0: they are parallel, which their ends stand for
static int nearestSegments(const mjtNum (*a)[3], const mjtNum (*b)[3], mjtNum at[2]) {
  mjtNum u[3], v[3], w[3];
  mth_sub3(u, a[1], a[0]);
  mth_sub3(v, b[1], b[0]);
  mth_sub3(w, a[0], b[0]);
  const mjtNum uu = mth_dot3(u, u), uv = mth_dot3(u, v), vv = mth_dot3(v, v), uw = mth_dot3(u, w), vw = mth_dot3(v, w);
  const mjtNum det = uu * vv - uv * uv;
  if (det < 1e-9 * uu * vv) return 0;
  at[0] = (uv * vw - vv * uw) / det;
  at[1] = (uu * vw - uv * uw) / det;
  for (int k = 0; k < 2; k++) {
    if (at[k] <= 0 || at[k] >= 1) return 0;
  }
  return 1;
}

// 1: a point is within the mesh, at most this deep
static int isInside(const ColExact* x, const mjtNum p[3], mjtNum depth) {
  const ColNearest n = col_exactNearest(x, p, 2 * depth);
  mjtNum out[3];
  int inside = 0;
  if (n.face >= 0) towards(out, x, &n, p, &inside);
  return inside;
}

// an edge of this mesh and one of the other, both in the frame of this one
static void addEdges(Search* s, const ColExact* other, int code, const mjtNum (*b)[3], int theirs) {
  const int face = code / 3, edge = code % 3, beyond = s->x.other[code], next = other->other[theirs];
  const int around[2] = {face, beyond < 0 ? face : beyond / 3};
  const int there[2] = {theirs / 3, next < 0 ? theirs / 3 : next / 3};
  mjtNum a[2][3], at[2], p[3], q[3], gap[3], turned[3], world[3], place[3], from[3];
  for (int k = 0; k < 2; k++) col_exactCorner(a[k], &s->x, face, (edge + k) % 3);
  if (!nearestSegments((const mjtNum(*)[3])a, b, at)) return;
  for (int k = 0; k < 3; k++) {
    p[k] = a[0][k] + at[0] * (a[1][k] - a[0][k]);
    q[k] = b[0][k] + at[1] * (b[1][k] - b[0][k]);
  }
  mth_sub3(gap, q, p);
  const mjtNum length = mth_normalize3(gap);
  if (length < mjMINVAL || length > mth_max(s->margin + s->x.half + other->half, s->depth)) return;
  if (isFlat(&s->x, around, 2) || isFlat(other, there, 2)) return;

  // apart or overlapping, whichever way both edges stand out
  for (int sign = 1; sign >= -1; sign -= 2) {
    mjtNum out[3];
    mth_scl3(out, gap, sign);
    if (!standsOut(&s->x, p, around, 2, out)) continue;
    mth_mulMatVec3(world, s->x.mat, out);
    mth_mulMatTVec3(turned, other->mat, world);
    mth_neg3(turned, turned);
    col_exactWorld(world, &s->x, q);
    col_exactLocal(place, other, world);
    col_exactWorld(world, &s->x, p);
    col_exactLocal(from, other, world);
    if (!standsOut(other, place, there, 2, turned)) continue;

    // projections overlap also where shapes are apart
    if (sign < 0 && !(isInside(&s->x, q, length) && isInside(other, from, length))) continue;
    add(s, p, out, sign * length - other->half);
    return;
  }
}

// pairs of faces of two meshes that are near each other, by both trees
static int nearPairs(const Search* s, const ColExact* other, int* pair) {
  enum { STACK = 512 };
  const mjModel* m = s->m;
  const int adr[2] = {m->mesh_bvhadr[s->x.mesh], m->mesh_bvhadr[other->mesh]};
  const mjtNum more = s->margin + s->x.half + other->half;

  // the other mesh in the frame of this one
  mjtNum mat[9], pos[3], size[9];
  mth_mulMatTMat3(mat, s->x.mat, other->mat);
  col_exactLocal(pos, &s->x, other->pos);
  for (int k = 0; k < 9; k++) size[k] = fabs(mat[k]);
  int stack[STACK][2], n = 1, count = 0;
  stack[0][0] = stack[0][1] = 0;
  while (n && count < PAIRS) {
    const int a = adr[0] + stack[--n][0], b = adr[1] + stack[n][1];
    const mjtNum *boxa = m->bvh_aabb + 6 * a, *boxb = m->bvh_aabb + 6 * b;
    mjtNum centre[3], half[3];
    mth_mulMatVec3(centre, mat, boxb);
    mth_addTo3(centre, pos);
    mth_mulMatVec3(half, size, boxb + 3);
    int apart = 0;
    for (int k = 0; k < 3; k++) apart |= fabs(centre[k] - boxa[k]) > half[k] + boxa[3 + k] + more;
    if (apart) continue;
    const int fa = m->bvh_nodeid[a], fb = m->bvh_nodeid[b];
    if (fa >= 0 && fb >= 0) {
      pair[2 * count] = fa;
      pair[2 * count++ + 1] = fb;
      continue;
    }

    // the larger box is opened
    const int first = fb >= 0 || (fa < 0 && mth_norm3(boxa + 3) >= mth_norm3(boxb + 3));
    if (n + 2 > STACK) break;
    for (int k = 0; k < 2; k++, n++) {
      stack[n][0] = first ? m->bvh_child[2 * a + k] : a - adr[0];
      stack[n][1] = first ? b - adr[1] : m->bvh_child[2 * b + k];
    }
  }
  return count;
}

// 1: a face of this mesh and one of the other, whose corners are in the frame of this one, may be near each other
static int facesMeet(const Search* s, int face, const mjtNum (*b)[3], mjtNum more) {
  mjtNum a[3][3];
  for (int k = 0; k < 3; k++) col_exactCorner(a[k], &s->x, face, k);
  for (int k = 0; k < 3; k++) {
    const mjtNum low = mth_min(mth_min(a[0][k], a[1][k]), a[2][k]), high = mth_max(mth_max(a[0][k], a[1][k]), a[2][k]);
    if (mth_min(mth_min(b[0][k], b[1][k]), b[2][k]) > high + more) return 0;
    if (mth_max(mth_max(b[0][k], b[1][k]), b[2][k]) < low - more) return 0;
  }
  return 1;
}

// 1: this face, of the two at its edge, stands for it
static int ownsEdge(const ColExact* x, int code) {
  return x->other[code] < 0 || code < x->other[code];
}

static void addExact(Search* s, const ColExact* other) {
  int* const pair = mj_stackAllocInt(s->d, 2 * PAIRS);
  const mjtNum more = s->margin + s->x.half + other->half;
  const int near = nearPairs(s, other, pair);
  mjtNum mat[9], pos[3];
  mth_mulMatTMat3(mat, s->x.mat, other->mat);
  col_exactLocal(pos, &s->x, other->pos);
  int n = 0;
  for (int i = 0; i < near; i++) {
    const int fa = pair[2 * i], fb = pair[2 * i + 1];
    mjtNum b[4][3];
    for (int k = 0; k < 3; k++) {
      mjtNum v[3];
      col_exactCorner(v, other, fb, k);
      mth_mulMatVec3(b[k], mat, v);
      mth_addTo3(b[k], pos);
    }
    if (!facesMeet(s, fa, (const mjtNum(*)[3])b, more)) continue;
    mth_copy3(b[3], b[0]);
    for (int k = 0; k < 3; k++) {
      for (int e = 0; e < 3 && ownsEdge(other, 3 * fb + k); e++) {
        if (ownsEdge(&s->x, 3 * fa + e)) addEdges(s, other, 3 * fa + e, (const mjtNum(*)[3])(b + k), 3 * fb + k);
      }
    }
    pair[2 * n] = fa;
    pair[2 * n++ + 1] = fb;
  }
  addCorners(s, other, pair, n, 1);

  // the other way round
  const ColExact own = s->x;
  s->x = *other;
  s->second = !s->second;
  addCorners(s, &own, pair, n, 0);
  s->x = own;
  s->second = !s->second;
}

//---------------------------------- pair ----------------------------------

int col_exactPair(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  ColExact x1, x2;
  const int exact1 = col_openExact(m, d, g1, &x1), exact2 = col_openExact(m, d, g2, &x2);
  const int type = m->geom_type[g1];
  if (!exact1 && !exact2) return -1;

  // a plane touches a mesh where it touches its hull; height fields and distance fields see hulls
  if (type == mjGEOM_PLANE || type == mjGEOM_HFIELD || m->geom_type[g2] == mjGEOM_SDF) return -1;
  Search s = {.m = m, .d = (mjData*)d, .margin = margin, .second = exact2};
  s.x = exact2 ? x2 : x1;
  s.geom[0] = exact2 ? g2 : g1;
  s.geom[1] = exact2 ? g1 : g2;
  s.depth = 0.5 * mth_min(m->geom_rbound[g1], m->geom_rbound[g2]);
  mj_markStack(s.d);
  s.found = mj_stackAllocByte(s.d, FOUND * sizeof(ColTouch), _Alignof(ColTouch));
  s.face = mj_stackAllocInt(s.d, FACES);
  if (exact1 && exact2) {
    addExact(&s, &x1);
  } else {
    addConvex(&s);
  }
  const int n = keep(&s, con);
  mj_freeStack(s.d);
  return n;
}
