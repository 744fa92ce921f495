// Contacts of exact meshes.
//
// Two shapes touch where a point of one meets a face of the other, or edge meets edge. So the points of the other shape
// that may touch are looked up on the surface (corners of boxes and hulls, ends of capsules, lowest points of round
// shapes), and corners and edges of the mesh are asked for their distance to the other shape. A contact of a corner or
// an edge counts only where the surface around it lies behind it: so edges within a flat floor, and those of dents,
// give none, and what rolls over them feels only the floor.
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

void col_addPoint(ColSearch* s, const mjtNum p[3], mjtNum radius, mjtNum depth, int face) {
  const mjtNum reach = s->margin + s->x.half + radius;
  const ColNearest n = col_exactNearestFrom(&s->x, p, s->x.shell ? reach : mth_max(reach, depth), face);
  if (n.face < 0) return;
  mjtNum out[3];
  int inside;
  const mjtNum length = col_towards(out, &s->x, &n, p, &inside);
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

// distance of a corner or an edge of the mesh to the other geom
typedef struct {
  mjtNum point[3], out[3], dist;
} Gap;

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

static void addCorner(ColSearch* s, ColConvex* other, const mjtNum box[6], int face, int corner) {
  int fan[64];
  mjtNum v[1][3];
  Gap gap;
  if (!(s->x.feature[3 * face + corner] & COL_OWN)) return;
  col_exactCorner(v[0], &s->x, face, corner);
  if (!boxesMeet(box, v, 1) || !gapOf(s, other, v, 1, &gap)) return;
  const int n = col_exactFan(&s->x, face, corner, fan);
  if (col_standsOut(&s->x, v[0], fan, n, gap.out)) col_addTouch(s, v[0], gap.out, gap.dist);
}

static void addEdge(ColSearch* s, ColConvex* other, const mjtNum box[6], int face, int edge) {
  const int code = s->x.other[3 * face + edge], around[2] = {face, code < 0 ? face : code / 3};
  mjtNum v[2][3];
  Gap gap;
  if (!(s->x.feature[3 * face + edge] & COL_EDGE)) return;
  for (int k = 0; k < 2; k++) col_exactCorner(v[k], &s->x, face, (edge + k) % 3);
  if (!boxesMeet(box, v, 2) || !gapOf(s, other, v, 2, &gap)) return;

  // its ends are corners
  mjtNum length = mth_dist3(v[0], v[1]), from = mth_dist3(gap.point, v[0]);
  if (from < 1e-6 * length || from > (1 - 1e-6) * length) return;
  if (col_standsOut(&s->x, gap.point, around, 2, gap.out)) col_addTouch(s, gap.point, gap.out, gap.dist);
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
        col_exactLocal(local, &s->x, point[k]);
        col_addPoint(s, local, 0, s->depth, -1);
      }
    }
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
  } else if (type == mjGEOM_BOX) {
    for (int i = 0; i < 8; i++) {
      mjtNum corner[3];
      for (int k = 0; k < 3; k++) corner[k] = (i >> k & 1 ? 1 : -1) * shape.size[k];
      mth_mulMatVec3(world, shape.mat, corner);
      mth_addTo3(world, shape.pos);
      col_exactLocal(local, &s->x, world);
      col_addPoint(s, local, 0, s->depth, -1);
    }
  } else if (type == mjGEOM_MESH) {
    for (int i = 0; i < other->nhull || (!other->nhull && i < other->nvert); i++) {
      const float* v = other->vert + 3 * (other->nhull ? other->globalid[i] : i);
      const mjtNum corner[3] = {v[0], v[1], v[2]};
      mth_mulMatVec3(world, shape.mat, corner);
      mth_addTo3(world, shape.pos);
      col_exactLocal(local, &s->x, world);
      col_addPoint(s, local, 0, s->depth, -1);
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
  col_exactBounds(&s->x, &other, s->margin + s->x.half + 1e-9, box);
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
  } else {
    addConvex(&s);
  }
  const int n = keep(&s, con);
  mj_freeStack(s.d);
  return n;
}
