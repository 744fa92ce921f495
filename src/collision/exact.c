// Contacts of exact meshes.
//
// Two shapes touch where a point of one meets a face of the other, or edge meets edge. So the points of the other shape
// that may touch are looked up on the surface (corners of boxes and hulls, ends of capsules, lowest points of round
// shapes), and corners and edges of the mesh are asked for their distance to the other shape. A contact of a corner or
// an edge counts only where the surface around it lies behind it: so edges within a flat floor, and those of dents,
// give none, and what rolls over them feels only the floor.
//
// Where sides of both are flush, as of boxes that are stacked, the nearest way out for a corner goes sideways, through
// all of its own shape. Then the nearest face counts that the shape lies in front of.
#include "collision/exact_search.h"

#include <math.h>
#include <string.h>

#include "base/stack.h"
#include "collision/ccd.h"
#include "collision/narrow.h"
#include "collision/reduce.h"
#include "collision/sdf.h"
#include "math/vec.h"

enum {
  KEPT = 12,    // contacts that are kept of those that are found
  NORMALS = 32  // different normals whose lowest points are tried
};

#define ACROSS  0.5   // a shape that goes on against a direction as much as this (cosine) is not in front
#define SHALLOW 0.01  // how deep what stands flush may be, as a part of the size

//---------------------------------- results ----------------------------------

static mjtNum sizeOf(const ColSearch* s) {
  const mjtNum other = s->m->geom_rbound[s->geom[1]];
  return mth_min(s->m->geom_rbound[s->geom[0]], other > 0 ? other : mjMAXVAL);
}

// there is no room for more: as many are left as are spread most
static void thin(ColSearch* s) {
  ColTouch left[4 * KEPT];
  int index[4 * KEPT];
  s->n = col_spread(s->found, s->n, 4 * KEPT, sizeOf(s), index);
  for (int i = 0; i < s->n; i++) left[i] = s->found[index[i]];
  memcpy(s->found, left, sizeof(ColTouch) * (size_t)s->n);
}

void col_addTouch(ColSearch* s, const mjtNum point[3], const mjtNum out[3], mjtNum dist) {
  dist -= s->x.half;
  if (!(dist < s->margin && dist >= -s->depth)) return;
  if (s->n == COL_TOUCHES) thin(s);
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
static int keep(const ColSearch* s, mjContact* con) {
  int index[KEPT];
  const int n = col_spread(s->found, s->n, KEPT, sizeOf(s), index);
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

// 1: beyond a nearest point the surface ends, and what is there is outside
static int isAtRim(const ColExact* x, const ColNearest* n) {
  if (n->feature == 6) return 0;
  const int code = 3 * n->face + n->feature % 3;
  return n->feature < 3 ? x->feature[code] & COL_RIM : x->other[code] == -2;
}

mjtNum col_towards(mjtNum res[3], const ColExact* x, const ColNearest* n, const mjtNum p[3], int* inside) {
  mjtNum out[3];
  mth_sub3(res, p, n->point);
  col_exactOutwards(out, x, n);
  *inside = !x->shell && mth_dot3(res, out) < 0 && !isAtRim(x, n);
  const mjtNum length = mth_norm3(res);
  if (length < 1e-9 * x->reach) {
    mth_normalize3(out);
    mth_copy3(res, out);
    return length;
  }
  mth_scl3(res, res, (*inside ? -1 : 1) / length);
  return length;
}

void col_addArm(ColArms* arms, const mjtNum from[3], const mjtNum to[3]) {
  if (arms->n == COL_ARMS) return;
  mjtNum* const way = arms->way[arms->n];
  mth_sub3(way, to, from);
  if (mth_normalize3(way) >= mjMINVAL) arms->n++;
}

// 1: the shape lies behind its point, seen along out
static int isAcross(const ColArms* arms, const mjtNum out[3]) {
  for (int i = 0; i < arms->n; i++) {
    if (mth_dot3(arms->way[i], out) < -ACROSS) return 1;
  }
  return 0;
}

// the nearest face above a point that the shape is in front of; 0: there is none
static int faceInFront(const ColSearch* s, const mjtNum p[3], mjtNum depth, const ColArms* arms, ColNearest* n) {
  const mjtNum slack = COL_FLUSH * s->x.reach;
  mjtNum box[6], least = depth;
  int found = 0;
  for (int k = 0; k < 3; k++) {
    box[k] = p[k] - depth;
    box[3 + k] = p[k] + depth;
  }
  mj_markStack(s->d);
  int* const list = mj_stackAllocInt(s->d, (size_t)s->x.nface);
  const int count = col_exactFaces(&s->x, box, list, s->x.nface);
  for (int i = 0; i < count; i++) {
    const mjtNum *plane = s->x.plane + 4 * list[i], deep = plane[3] - mth_dot3(plane, p);
    if (deep <= 0 || deep >= least || isAcross(arms, plane)) continue;
    ColNearest near = {.face = list[i]};
    near.feature = col_nearestOnFace(&s->x, near.face, p, near.point);
    near.square = mth_distSqr3(near.point, p);
    if (near.square > (deep + slack) * (deep + slack)) continue;
    least = deep;
    *n = near;
    found = 1;
  }
  mj_freeStack(s->d);
  return found;
}

void col_addPoint(ColSearch* s, const mjtNum p[3], mjtNum radius, mjtNum depth, int face, const ColArms* arms) {
  const mjtNum reach = s->margin + s->x.half + radius;
  ColNearest n = col_exactNearestFrom(&s->x, p, s->x.shell ? reach : mth_max(reach, depth), face);
  if (n.face < 0) return;
  mjtNum out[3];
  int inside;
  mjtNum length = col_towards(out, &s->x, &n, p, &inside);
  const int within = !s->x.shell && (inside || length < COL_FLUSH * s->x.reach);
  if (arms && within && isAcross(arms, out) && faceInFront(s, p, depth, arms, &n)) {
    mth_copy3(out, s->x.plane + 4 * n.face);
    length = s->x.plane[4 * n.face + 3] - mth_dot3(out, p);
    inside = 1;
  }
  col_addTouch(s, n.point, out, (inside ? -length : length) - radius);
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
static void addBall(ColSearch* s, const mjtNum centre[3], mjtNum radius) {
  const mjtNum reach = radius + s->margin + s->x.half;
  const ColNearest n = col_exactNearest(&s->x, centre, reach);
  if (n.face < 0) return;
  mjtNum out[3], box[6];
  int inside;
  const mjtNum length = col_towards(out, &s->x, &n, centre, &inside);
  if (inside) {
    col_addTouch(s, n.point, out, -length - radius);
    return;
  }
  for (int k = 0; k < 3; k++) {
    box[k] = centre[k] - reach;
    box[3 + k] = centre[k] + reach;
  }
  const int count = col_exactFaces(&s->x, box, s->face, s->x.nface);
  for (int i = 0; i < count; i++) {
    const int face = s->face[i];
    ColNearest near = {.face = face};
    near.feature = col_nearestOnFace(&s->x, face, centre, near.point);
    near.square = mth_distSqr3(near.point, centre);
    mjtNum arm[3];
    mth_sub3(arm, centre, near.point);
    if (near.square >= reach * reach || (!s->x.shell && mth_dot3(arm, s->x.plane + 4 * face) < 0)) continue;
    if (!isOwn(&s->x, face, near.feature, centre, near.square)) continue;
    col_addTouch(s, near.point, out, col_towards(out, &s->x, &near, centre, &inside) - radius);
  }
}

//---------------------------------- corners and edges of the mesh ----------------------------------

int col_standsOut(const ColExact* x, const mjtNum point[3], const int* around, int n, const mjtNum out[3]) {
  for (int i = 0; i < n; i++) {
    for (int c = 0; c < 3; c++) {
      mjtNum v[3], arm[3];
      col_exactCorner(v, x, around[i], c);
      mth_sub3(arm, v, point);
      if (mth_dot3(arm, out) > COL_STANDOUT * mth_norm3(arm) + 1e-9 * x->reach) return 0;
    }
  }
  return 1;
}

// distance of a corner or an edge of the mesh to the other geom; out is zero where that is not clear
typedef struct {
  mjtNum point[3], out[3], dist;
} Gap;

// 1: that much takes points out of the other geom against a direction. Expanding polytopes may go wrong with an edge
// that lies in a side.
static int isDepth(ColConvex* other, const mjtNum* const point[2], int n, const mjtNum out[3], mjtNum depth) {
  mjtNum down[3], low[3];
  mth_neg3(down, out);
  other->vertid = other->hullid = -1;
  other->support(low, other, down);
  mth_addToScl3(low, down, other->inflate);
  const mjtNum top = n == 2 ? mth_max(mth_dot3(point[0], out), mth_dot3(point[1], out)) : mth_dot3(point[0], out);
  return fabs(top - mth_dot3(low, out) - depth) < 0.01 * depth + mjMINVAL;
}

static int gapOf(const ColSearch* s, ColConvex* other, const mjtNum (*local)[3], int n, Gap* gap) {
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
  const mjtNum bound = mth_max(s->margin + s->x.half, COL_FLUSH * s->x.reach);
  col_queryInit(&q, s->m, 1, bound);
  other->vertid = other->hullid = -1;
  const mjtNum dist = col_ccd(s->d, &q, &own, other);
  if (dist >= bound || q.npoint < 1) return 0;

  // apart: from the mesh to the other; overlapping: the other way round
  mjtNum out[3];
  mth_sub3(out, q.x2, q.x1);
  if (dist < 0) mth_neg3(out, out);
  if (mth_normalize3(out) < mjMINVAL || (dist < 0 && !isDepth(other, point, n, out, -dist))) mth_zero3(out);
  mth_mulMatTVec3(gap->out, s->x.mat, out);
  col_exactLocal(gap->point, &s->x, q.x1);
  gap->dist = dist;
  return 1;
}

void col_exactBounds(const ColExact* x, ColConvex* other, mjtNum more, mjtNum box[6]) {
  for (int k = 0; k < 6; k++) {
    mjtNum dir[3] = {0}, world[3], point[3], local[3];
    dir[k % 3] = k < 3 ? -1 : 1;
    mth_mulMatVec3(world, x->mat, dir);
    other->support(point, other, world);
    mth_addToScl3(point, world, other->inflate);
    col_exactLocal(local, x, point);
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

// how far it is from a place within a hull to its surface, in the frame of the mesh; negative: it is not within
static mjtNum leaveHull(const ColConvex* hull, const mjtNum p[3], const mjtNum way[3]) {
  const int *graph = hull->edgeadr - 2, *face = graph + 2 + 3 * graph[0] + 3 * graph[1];
  mjtNum least = mjMAXVAL;
  for (int i = 0; i < graph[1]; i++) {
    mjtNum v[3][3], a[3], b[3], normal[3];
    for (int k = 0; k < 3; k++) {
      for (int j = 0; j < 3; j++) v[k][j] = hull->vert[3 * face[3 * i + k] + j];
    }
    mth_sub3(a, v[1], v[0]);
    mth_sub3(b, v[2], v[0]);
    mth_cross3(normal, a, b);
    const mjtNum offset = mth_dot3(normal, v[0]), sign = offset < 0 ? -1 : 1;
    const mjtNum gap = sign * (offset - mth_dot3(normal, p)), speed = sign * mth_dot3(normal, way);
    if (gap < 0) return -1;
    if (speed > mjMINVAL) least = mth_min(least, gap / speed);
  }
  return least;
}

// how deep a point of the mesh is in the other geom, against a direction; negative: it is not within
static mjtNum depthOf(const ColSearch* s, const ColConvex* other, const mjtNum point[3], const mjtNum out[3]) {
  const int g = s->geom[1];
  const mjtNum *pos = s->d->geom_xpos + 3 * g, *mat = s->d->geom_xmat + 9 * g, *size = s->m->geom_size + 3 * g;
  mjtNum p[3], up[3], down[3], arm[3];
  col_exactWorld(p, &s->x, point);
  mth_mulMatVec3(up, s->x.mat, out);
  mth_neg3(down, up);

  // a place on its side is within
  mth_sub3(arm, pos, p);
  mth_normalize3(arm);
  mth_addToScl3(p, arm, 2 * COL_FLUSH * s->x.reach);
  if (s->m->geom_type[g] != mjGEOM_MESH) {
    const mjtNum deep = mju_rayGeom(pos, mat, size, p, down, s->m->geom_type[g], NULL);
    return deep >= 0 && mju_rayGeom(pos, mat, size, p, up, s->m->geom_type[g], NULL) >= 0 ? deep : -1;
  }
  mjtNum local[3], way[3];
  if (!other->nhull) return -1;
  mth_sub3(arm, p, pos);
  mth_mulMatTVec3(local, mat, arm);
  mth_mulMatTVec3(way, mat, down);
  return leaveHull(other, local, way);
}

// A place on corners or edges of the mesh within the other geom, out of which these do not stand the nearest way: along
// one of the faces around it.
static void addFlush(ColSearch* s, const ColConvex* other, const mjtNum point[3], const int* around, int n) {
  const mjtNum* best = NULL;
  mjtNum least = SHALLOW * sizeOf(s);
  for (int i = 0; i < n; i++) {
    const mjtNum* plane = s->x.plane + 4 * around[i];
    if (!col_standsOut(&s->x, point, around, n, plane)) continue;
    const mjtNum deep = depthOf(s, other, point, plane);
    if (deep < 0 || deep >= least) continue;
    least = deep;
    best = plane;
  }
  if (best) col_addTouch(s, point, best, -least);
}

// the part of an edge in a box, and of that the ends which are no corners
static void addFlushEdge(ColSearch* s, const ColConvex* other, const mjtNum box[6], const mjtNum (*v)[3],
                         const int around[2]) {
  mjtNum part[2] = {0, 1}, way[3];
  mth_sub3(way, v[1], v[0]);
  for (int k = 0; k < 3; k++) {
    if (fabs(way[k]) < mjMINVAL) continue;
    const mjtNum a = (box[k] - v[0][k]) / way[k], b = (box[3 + k] - v[0][k]) / way[k];
    part[0] = mth_max(part[0], mth_min(a, b));
    part[1] = mth_min(part[1], mth_max(a, b));
  }
  for (int k = 0; k < 2 && part[0] < part[1]; k++) {
    mjtNum at[3];
    if (part[k] < 1e-6 || part[k] > 1 - 1e-6) continue;
    mth_addScl3(at, v[0], way, part[k]);
    addFlush(s, other, at, around, around[0] == around[1] ? 1 : 2);
  }
}

static void addCorner(ColSearch* s, ColConvex* other, const mjtNum box[6], int face, int corner) {
  int fan[64];
  mjtNum v[1][3];
  Gap gap;
  if (!(s->x.feature[3 * face + corner] & COL_OWN)) return;
  col_exactCorner(v[0], &s->x, face, corner);
  if (!boxesMeet(box, v, 1) || !gapOf(s, other, v, 1, &gap)) return;
  const int n = col_exactFan(&s->x, face, corner, fan), clear = mth_norm3(gap.out) > 0.5;
  if (clear && col_standsOut(&s->x, v[0], fan, n, gap.out)) {
    col_addTouch(s, v[0], gap.out, gap.dist);
  } else if (!s->x.shell) {
    addFlush(s, other, v[0], fan, n);
  }
}

static void addEdge(ColSearch* s, ColConvex* other, const mjtNum box[6], int face, int edge) {
  const int code = s->x.other[3 * face + edge], around[2] = {face, code < 0 ? face : code / 3};
  mjtNum v[2][3];
  Gap gap;
  if (!(s->x.feature[3 * face + edge] & COL_EDGE)) return;
  for (int k = 0; k < 2; k++) col_exactCorner(v[k], &s->x, face, (edge + k) % 3);
  if (!boxesMeet(box, v, 2) || !gapOf(s, other, v, 2, &gap)) return;
  if (mth_norm3(gap.out) < 0.5 || !col_standsOut(&s->x, gap.point, around, 2, gap.out)) {
    if (!s->x.shell) addFlushEdge(s, other, box, v, around);
    return;
  }

  // its ends are corners
  mjtNum length = mth_dist3(v[0], v[1]), from = mth_dist3(gap.point, v[0]);
  if (from < 1e-6 * length || from > (1 - 1e-6) * length) return;
  col_addTouch(s, gap.point, gap.out, gap.dist);
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

// from a point of a rim along the side and to the middle of the cap
static void cylinderArms(ColArms* arms, const ColExact* x, const ColShape* shape, const mjtNum p[3]) {
  mjtNum axis[3], arm[3], end[3], from[3], to[3];
  mth_col3(axis, shape->mat, 2);
  mth_sub3(arm, shape->pos, p);
  const mjtNum along = mth_dot3(arm, axis);
  col_exactLocal(from, x, p);
  arms->n = 0;
  mth_addScl3(end, p, axis, along);
  col_exactLocal(to, x, end);
  col_addArm(arms, from, to);
  mth_addScl3(end, shape->pos, axis, -along);
  col_exactLocal(to, x, end);
  col_addArm(arms, from, to);
}

// lowest points of a round shape above the faces near it
static void addRound(ColSearch* s, ColConvex* other) {
  const ColShape shape = col_geomShape(s->m, s->d, s->geom[1]);
  mjtNum seen[NORMALS][3];
  int n = 0;
  for (int i = 0; i < s->nface && n < NORMALS; i++) {
    const mjtNum* normal = s->x.plane + 4 * s->face[i];
    mjtNum down[3], point[8][3];
    int known = 0, count = 1;
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
        ColArms arms;
        col_exactLocal(local, &s->x, point[k]);
        if (count > 1) cylinderArms(&arms, &s->x, &shape, point[k]);
        col_addPoint(s, local, 0, s->depth, -1, count > 1 ? &arms : NULL);
      }
    }
  }
}

// a point in the frame of the other geom
static void toMesh(mjtNum res[3], const ColExact* x, const ColShape* shape, const mjtNum point[3]) {
  mjtNum world[3];
  mth_mulMatVec3(world, shape->mat, point);
  mth_addTo3(world, shape->pos);
  col_exactLocal(res, x, world);
}

static void hullVertex(mjtNum res[3], const ColExact* x, const ColShape* shape, const ColConvex* hull, int i) {
  const float* v = hull->vert + 3 * (hull->nhull ? hull->globalid[i] : i);
  toMesh(res, x, shape, (const mjtNum[3]){v[0], v[1], v[2]});
}

// edges from a vertex of a hull; to all others of a mesh that has no hull
static void hullArms(ColArms* arms, const ColExact* x, const ColShape* shape, const ColConvex* hull, int vertex) {
  mjtNum from[3], to[3];
  const int* const next = hull->nhull ? hull->edge + hull->edgeadr[vertex] : NULL;
  arms->n = 0;
  hullVertex(from, x, shape, hull, vertex);
  for (int k = 0; next ? next[k] >= 0 : k < hull->nvert; k++) {
    hullVertex(to, x, shape, hull, next ? next[k] : k);
    col_addArm(arms, from, to);
  }
}

// points of the other shape that may be the first to touch
static void addPoints(ColSearch* s, ColConvex* other) {
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
  } else if (type == mjGEOM_MESH) {
    for (int i = 0; i < other->nhull || (!other->nhull && i < other->nvert); i++) {
      ColArms arms;
      hullVertex(local, &s->x, &shape, other, i);
      hullArms(&arms, &s->x, &shape, other, i);
      col_addPoint(s, local, 0, s->depth, -1, &arms);
    }
  } else {
    addRound(s, other);
  }
}

// the mesh and a convex geom
static void addConvex(ColSearch* s) {
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
  col_exactBounds(&s->x, &other, s->margin + s->x.half + COL_FLUSH * s->x.reach, box);
  s->nface = col_exactFaces(&s->x, box, s->face, s->x.nface);
  if (!s->nface && s->x.shell) return;
  addPoints(s, &other);

  // the list has been used for balls
  s->nface = col_exactFaces(&s->x, box, s->face, s->x.nface);
  for (int i = 0; i < s->nface; i++) {
    for (int k = 0; k < 3; k++) {
      addCorner(s, &other, box, s->face[i], k);
      addEdge(s, &other, box, s->face[i], k);
    }
  }
}

//---------------------------------- distance fields ----------------------------------

// a distance field, and the frame of the mesh in its own
typedef struct {
  mjSDF sdf;
  const mjpPlugin* plugin;
  int id;
  mjtGeom type;
  mjtNum pos[3], mat[9];
} Field;

static void openDistance(const ColSearch* s, Field* f) {
  const int g = s->geom[1];
  mjtNum arm[3];
  f->plugin = col_sdfPlugin(s->m, g);
  f->id = col_sdfId(s->m, g);
  f->type = mjGEOM_SDF;
  f->sdf = (mjSDF){.plugin = &f->plugin, .id = &f->id, .type = mjSDFTYPE_SINGLE, .geomtype = &f->type};
  mth_sub3(arm, s->x.pos, s->d->geom_xpos + 3 * g);
  mth_mulMatTVec3(f->pos, s->d->geom_xmat + 9 * g, arm);
  mth_mulMatTMat3(f->mat, s->d->geom_xmat + 9 * g, s->x.mat);
}

// distance of a point of the mesh, and the direction in which it grows
static mjtNum distanceAt(const ColSearch* s, const Field* f, const mjtNum p[3], mjtNum grows[3]) {
  mjtNum there[3], gradient[3];
  mth_mulMatVec3(there, f->mat, p);
  mth_addTo3(there, f->pos);
  const mjtNum dist = mjc_distance(s->m, s->d, &f->sdf, there);
  if (grows) {
    mjc_gradient(s->m, s->d, &f->sdf, gradient, there);
    mth_mulMatTVec3(grows, f->mat, gradient);
    mth_normalize3(grows);
  }
  return dist;
}

static void addDistance(ColSearch* s, const mjtNum point[3], const mjtNum grows[3], mjtNum dist) {
  mjtNum out[3];
  mth_neg3(out, grows);
  if (isfinite(dist) && mth_norm3(out) > 0.5) col_addTouch(s, point, out, dist);
}

// the point of a face that is nearest to the field, or deepest in it, by descent; and its corners
static void addFaceDistance(ColSearch* s, const Field* f, int face) {
  mjtNum v[3][3], at[3], grows[3], size = 0;
  for (int k = 0; k < 3; k++) {
    col_exactCorner(v[k], &s->x, face, k);
    if (!(s->x.feature[3 * face + k] & COL_OWN)) continue;
    const mjtNum dist = distanceAt(s, f, v[k], grows);
    addDistance(s, v[k], grows, dist);
  }
  for (int k = 0; k < 3; k++) at[k] = (v[0][k] + v[1][k] + v[2][k]) / 3;
  for (int k = 0; k < 3; k++) size = mth_max(size, mth_dist3(at, v[k]));
  mjtNum dist = distanceAt(s, f, at, grows);
  if (!(dist - size < s->margin + s->x.half)) return;
  for (mjtNum step = size; step > 1e-3 * size;) {
    mjtNum next[3], near[3];
    mth_addScl3(next, at, grows, -step);
    col_nearestOnFace(&s->x, face, next, near);
    const mjtNum there = distanceAt(s, f, near, NULL);
    if (there < dist - 1e-3 * step) {
      mth_copy3(at, near);
      dist = distanceAt(s, f, at, grows);
    } else {
      step *= 0.5;
    }
  }
  addDistance(s, at, grows, dist);
}

static void addDistances(ColSearch* s) {
  const int g = s->geom[1];
  Field f;
  openDistance(s, &f);
  mjtNum box[6] = {mjMAXVAL, mjMAXVAL, mjMAXVAL, -mjMAXVAL, -mjMAXVAL, -mjMAXVAL};
  const mjtNum* aabb = s->m->geom_aabb + 6 * g;
  for (int i = 0; i < 8; i++) {
    mjtNum corner[3], world[3], local[3];
    for (int k = 0; k < 3; k++) corner[k] = aabb[k] + (i >> k & 1 ? 1 : -1) * (aabb[3 + k] + s->x.half + s->margin);
    mth_mulMatVec3(world, s->d->geom_xmat + 9 * g, corner);
    mth_addTo3(world, s->d->geom_xpos + 3 * g);
    col_exactLocal(local, &s->x, world);
    for (int k = 0; k < 3; k++) {
      box[k] = mth_min(box[k], local[k]);
      box[3 + k] = mth_max(box[3 + k], local[k]);
    }
  }
  s->nface = col_exactFaces(&s->x, box, s->face, s->x.nface);
  for (int i = 0; i < s->nface; i++) addFaceDistance(s, &f, s->face[i]);
}

//---------------------------------- pair ----------------------------------

// a plane touches a mesh where it touches its hull: at vertices of it, or of the mesh where there is none
static void addPlane(ColSearch* s) {
  const mjModel* m = s->m;
  const mjtNum *pos = s->d->geom_xpos + 3 * s->geom[1], *mat = s->d->geom_xmat + 9 * s->geom[1];
  mjtNum up[3], down[3], origin[3];
  mth_col3(up, mat, 2);
  mth_mulMatTVec3(down, s->x.mat, up);
  mth_neg3(down, down);
  col_exactLocal(origin, &s->x, pos);
  const mjtNum ground = mth_dot3(down, origin);
  const int adr = m->mesh_graphadr[m->geom_dataid[s->geom[0]]], hull = adr >= 0;
  const int *graph = hull ? m->mesh_graph + adr : NULL, n = hull ? graph[0] : s->x.nvert;
  for (int i = 0; i < n; i++) {
    const float* v = s->x.vert + 3 * (size_t)(hull ? graph[2 + n + i] : i);
    const mjtNum point[3] = {v[0], v[1], v[2]};
    col_addTouch(s, point, down, ground - mth_dot3(down, point));
  }
}

// the mesh and a height field
static void addField(ColSearch* s) {
  mjtNum corner[3], box[6] = {mjMAXVAL, mjMAXVAL, mjMAXVAL, -mjMAXVAL, -mjMAXVAL, -mjMAXVAL};
  const mjtNum *pos = s->d->geom_xpos + 3 * s->geom[1], *mat = s->d->geom_xmat + 9 * s->geom[1];
  for (int i = 0; i < 8; i++) {
    for (int k = 0; k < 3; k++) corner[k] = s->x.aabb[k] + (i >> k & 1 ? 1 : -1) * (s->x.aabb[3 + k] + s->x.half);
    mjtNum world[3], local[3];
    col_exactWorld(world, &s->x, corner);
    mth_subFrom3(world, pos);
    mth_mulMatTVec3(local, mat, world);
    for (int k = 0; k < 3; k++) {
      box[k] = mth_min(box[k], local[k] - s->margin);
      box[3 + k] = mth_max(box[3 + k], local[k] + s->margin);
    }
  }
  ColExact field;
  if (col_openField(s->m, s->d, s->geom[1], box, &field)) col_addSurface(s, &field);
}

int col_exactPair(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  return col_surfacePair(m, d, con, (const int[2]){g1, g2}, 0, margin);
}

int col_surfacePair(const mjModel* m, const mjData* d, mjContact* con, const int geom[2], int any, mjtNum margin) {
  ColExact x1, x2;
  const int g1 = geom[0], g2 = geom[1];
  const int exact1 = col_openExact(m, d, g1, any, &x1), exact2 = col_openExact(m, d, g2, any, &x2);
  if (!exact1 && !exact2) return -1;
  ColSearch s = {.m = m, .d = (mjData*)d, .margin = margin, .second = exact2};
  s.x = exact2 ? x2 : x1;
  s.geom[0] = exact2 ? g2 : g1;
  s.geom[1] = exact2 ? g1 : g2;
  s.depth = any ? m->geom_rbound[g1] + m->geom_rbound[g2] : 0.5 * mth_min(m->geom_rbound[g1], m->geom_rbound[g2]);
  mj_markStack(s.d);
  s.found = mj_stackAllocByte(s.d, COL_TOUCHES * sizeof(ColTouch), _Alignof(ColTouch));
  s.face = mj_stackAllocInt(s.d, (size_t)s.x.nface);
  if (m->geom_type[g1] == mjGEOM_PLANE) {
    s.depth = mjMAXVAL;
    addPlane(&s);
  } else if (m->geom_type[g1] == mjGEOM_HFIELD) {
    addField(&s);
  } else if (m->geom_type[g2] == mjGEOM_SDF) {
    addDistances(&s);
  } else if (exact1 && exact2) {
    col_addSurface(&s, &x1);
  } else if (m->geom_type[s.geom[1]] == mjGEOM_BOX) {
    ColExact box;
    col_openBox(m, s.d, s.geom[1], &box);
    col_addSurface(&s, &box);
  } else {
    addConvex(&s);
  }
  const int n = keep(&s, con);
  mj_freeStack(s.d);
  return n;
}
