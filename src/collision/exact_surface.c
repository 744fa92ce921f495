// Contacts of two surfaces: exact meshes, and height fields.
//
// The faces of the smaller one are put into the frame of the larger one and looked up in its tree. Of two faces that
// are near each other, neither of which is all in front of the other, edges are compared with edges; corners that are
// behind the other face are looked up on the surface.
#include <math.h>
#include <string.h>

#include "base/stack.h"
#include "collision/exact_search.h"
#include "math/vec.h"

// depth of trees; faces that are looked up together, and with how many nodes of the tree they begin
enum { DEPTH = 128, GROUP = 8, NODES = 64 };

// how far beyond the end of an edge two lines may be nearest, as a part of its length, where the corner there is a
// saddle
#define BEYOND 0.1

//---------------------------------- corners ----------------------------------

// corners of a surface that may have met the other: a face and its corner, and a face of the other that is near
typedef struct {
  int *code, *near;
  int n;
  mjtByte* seen;  // (nvert)
} Corners;

static Corners openCorners(mjData* d, const ColExact* x) {
  const size_t n = (size_t)x->nvert;
  const Corners c = {mj_stackAllocInt(d, n), mj_stackAllocInt(d, n), 0, mj_stackAllocByte(d, n, 1)};
  memset(c.seen, 0, n);
  return c;
}

static void mark(Corners* c, const ColExact* x, int code, int near) {
  const int vert = x->face[code];
  if (c->seen[vert] || !(x->feature[code] & COL_TIP)) return;
  c->seen[vert] = 1;
  c->code[c->n] = code;
  c->near[c->n++] = near;
}

// edges from a corner, in the frame of the search
static void openArms(ColArms* arms, const ColSearch* s, const ColExact* from, int face, int corner) {
  int fan[64];
  const int n = col_exactFan(from, face, corner, fan), vert = from->face[3 * face + corner];
  arms->n = 0;
  for (int i = 0; i < n && arms->n < COL_ARMS; i++) {
    const int* v = from->face + 3 * fan[i];
    const int next = v[0] == vert ? 1 : v[1] == vert ? 2 : 0;
    mjtNum a[3], b[3], world[3];
    col_exactCorner(a, from, face, corner);
    col_exactCorner(b, from, fan[i], next);
    mth_subFrom3(b, a);
    mth_mulMatVec3(world, from->mat, b);
    mth_mulMatTVec3(arms->way[arms->n], s->x.mat, world);
    arms->n += mth_normalize3(arms->way[arms->n]) >= mjMINVAL;
  }
}

// corners of a surface on the other one, which is that of the search
static void addCorners(ColSearch* s, const ColExact* from, const Corners* c) {
  for (int i = 0; i < c->n; i++) {
    const int face = c->code[i] / 3, corner = c->code[i] % 3;
    mjtNum v[3], next[3], world[3], local[3];
    ColArms arms;
    col_exactCorner(v, from, face, corner);
    col_exactCorner(next, from, face, (corner + 1) % 3);
    col_exactWorld(world, from, v);
    col_exactLocal(local, &s->x, world);
    openArms(&arms, s, from, face, corner);
    col_addPoint(s, local, from->half, mth_dist3(v, next), c->near[i], &arms);
  }
}

//---------------------------------- edges ----------------------------------

// a face of the other surface in the frame of this one
typedef struct {
  int face;
  mjtNum point[4][3];              // corners, and the first one again
  mjtNum normal[3], offset;        // of its plane
  mjtNum beyond[3][3], way[3][3];  // normals beyond its edges, and where these go
  mjtNum middle[3], half[3];       // box, with what is near
} Near;

// the frame of the other surface in that of this one
typedef struct {
  const ColExact* other;
  mjtNum pos[3], mat[9], more;
} Turn;

static void openNear(Near* f, const Turn* t, int face) {
  const ColExact* other = t->other;
  f->face = face;
  for (int k = 0; k < 3; k++) {
    mjtNum v[3];
    col_exactCorner(v, other, face, k);
    mth_mulMatVec3(f->point[k], t->mat, v);
    mth_addTo3(f->point[k], t->pos);
  }
  mth_copy3(f->point[3], f->point[0]);
  mth_mulMatVec3(f->normal, t->mat, other->plane + 4 * face);
  f->offset = mth_dot3(f->normal, f->point[0]);
  for (int k = 0; k < 3; k++) {
    const mjtNum low = mth_min(mth_min(f->point[0][k], f->point[1][k]), f->point[2][k]);
    const mjtNum high = mth_max(mth_max(f->point[0][k], f->point[1][k]), f->point[2][k]);
    f->middle[k] = (low + high) / 2;
    f->half[k] = (high - low) / 2 + t->more;
    const int next = other->other[3 * face + k];
    mth_sub3(f->way[k], f->point[k + 1], f->point[k]);
    if (!(other->feature[3 * face + k] & COL_EDGE)) continue;
    mth_mulMatVec3(f->beyond[k], t->mat, other->plane + 4 * (next < 0 ? face : next / 3));
  }
}

// nearest points of two segments: how far along each; 0: they are parallel, which their ends stand for, or not near
static int nearestSegments(const mjtNum a[3], const mjtNum u[3], const mjtNum b[3], const mjtNum v[3], mjtNum at[2]) {
  mjtNum w[3];
  mth_sub3(w, a, b);
  const mjtNum uu = mth_dot3(u, u), uv = mth_dot3(u, v), vv = mth_dot3(v, v), uw = mth_dot3(u, w), vw = mth_dot3(v, w);
  const mjtNum det = uu * vv - uv * uv;
  if (!(det > 1e-9 * uu * vv)) return 0;
  at[0] = (uv * vw - vv * uw) / det;
  at[1] = (uu * vw - uv * uw) / det;
  return at[0] > -BEYOND && at[0] < 1 + BEYOND && at[1] > -BEYOND && at[1] < 1 + BEYOND;
}

// 1: the place is on an edge, 0: it is left to the corner at its end. The corner of a saddle, as within a ring, never
// stands out and is no contact itself; rings that press on each other there meet beyond the ends of all their edges.
static int isOnEdge(const ColExact* x, int code, mjtNum at) {
  if (at > 0 && at < 1) return 1;
  return !(x->feature[at > 0.5 ? 3 * (code / 3) + (code % 3 + 1) % 3 : code] & COL_TIP);
}

// 1: a point is within the mesh, at most this deep, or on its surface, as edges of flush sides are
static int isInside(const ColExact* x, const mjtNum p[3], mjtNum depth) {
  const mjtNum slack = COL_FLUSH * x->reach;
  const ColNearest n = col_exactNearest(x, p, mth_max(2 * depth, slack));
  mjtNum out[3];
  int inside = 0;
  return n.face >= 0 && (col_towards(out, x, &n, p, &inside) < slack || inside);
}

// 1: an edge of a solid cannot be met by one that goes along way: both faces at it look to one side of that
static int isBeside(const mjtNum first[3], const mjtNum second[3], const mjtNum way[3]) {
  const mjtNum a = mth_dot3(first, way), b = mth_dot3(second, way), least = mth_min(fabs(a), fabs(b));
  return a * b > 0 && least * least > COL_STANDOUT * COL_STANDOUT * mth_dot3(way, way);
}

// two edges with their nearest points, in the frame of this surface
typedef struct {
  int own, theirs;
  mjtNum p[3], q[3];
} Crossing;

static void addCrossing(ColSearch* s, const ColExact* other, const Crossing* c) {
  const int beyond = s->x.other[c->own], next = other->other[c->theirs];
  const int around[2] = {c->own / 3, beyond < 0 ? c->own / 3 : beyond / 3};
  const int there[2] = {c->theirs / 3, next < 0 ? c->theirs / 3 : next / 3};
  mjtNum gap[3], turned[3], world[3], place[3], from[3];
  mth_sub3(gap, c->q, c->p);
  const mjtNum length = mth_normalize3(gap);
  if (length < mjMINVAL || length > mth_max(s->margin + s->x.half + other->half, s->depth)) return;

  // apart or overlapping, whichever way both edges stand out
  for (int sign = 1; sign >= -1; sign -= 2) {
    mjtNum out[3];
    mth_scl3(out, gap, sign);
    if (!col_standsOut(&s->x, c->p, around, 2, out)) continue;
    mth_mulMatVec3(world, s->x.mat, out);
    mth_mulMatTVec3(turned, other->mat, world);
    mth_neg3(turned, turned);
    col_exactWorld(world, &s->x, c->q);
    col_exactLocal(place, other, world);
    if (!col_standsOut(other, place, there, 2, turned)) continue;

    // projections overlap also where shapes are apart
    col_exactWorld(world, &s->x, c->p);
    col_exactLocal(from, other, world);
    if (sign < 0 && !(isInside(&s->x, c->q, length) && isInside(other, from, length))) continue;
    col_addTouch(s, c->p, out, sign * length - other->half);
    return;
  }
}

// the edges of a face of this surface, whose corners are a, and those of the other one
static void addEdges(ColSearch* s, const ColExact* other, int face, const mjtNum (*a)[3], const Near* f) {
  for (int i = 0; i < 3; i++) {
    const int code = 3 * face + i, beyond = s->x.other[code];
    if (!(s->x.feature[code] & COL_EDGE)) continue;
    const mjtNum *first = s->x.plane + 4 * face, *second = beyond < 0 ? NULL : s->x.plane + 4 * (beyond / 3);
    mjtNum way[3];
    mth_sub3(way, a[i + 1], a[i]);
    for (int k = 0; k < 3; k++) {
      const int theirs = 3 * f->face + k;
      if (!(other->feature[theirs] & COL_EDGE)) continue;
      if (!s->x.shell && second && isBeside(first, second, f->way[k])) continue;
      if (!other->shell && other->other[theirs] >= 0 && isBeside(f->normal, f->beyond[k], way)) continue;
      mjtNum at[2];
      if (!nearestSegments(a[i], way, f->point[k], f->way[k], at)) continue;
      if (!isOnEdge(&s->x, code, at[0]) || !isOnEdge(other, theirs, at[1])) continue;
      Crossing c = {.own = code, .theirs = theirs};
      mth_addScl3(c.p, a[i], way, at[0]);
      mth_addScl3(c.q, f->point[k], f->way[k], at[1]);
      addCrossing(s, other, &c);
    }
  }
}

//---------------------------------- faces ----------------------------------

// a face of this surface that is near one of the other
static void addFaces(ColSearch* s, const Turn* t, int face, const Near* f, Corners corners[2]) {
  mjtNum a[4][3], above[3], below[3];
  const mjtNum* plane = s->x.plane + 4 * face;

  // all of one is in front of the other
  for (int k = 0; k < 3; k++) above[k] = mth_dot3(plane, f->point[k]) - plane[3];
  if (mth_min(mth_min(above[0], above[1]), above[2]) > t->more) return;
  for (int k = 0; k < 3; k++) {
    col_exactCorner(a[k], &s->x, face, k);
    below[k] = mth_dot3(f->normal, a[k]) - f->offset;
  }
  if (mth_min(mth_min(below[0], below[1]), below[2]) > t->more) return;
  for (int k = 0; k < 3; k++) {
    if (below[k] <= t->more) mark(corners, &s->x, 3 * face + k, f->face);
    if (above[k] <= t->more) mark(corners + 1, t->other, 3 * f->face + k, face);
  }
  mth_copy3(a[3], a[0]);
  addEdges(s, t->other, face, (const mjtNum(*)[3])a, f);
}

static inline int isNear(const mjtNum box[6], const mjtNum middle[3], const mjtNum half[3]) {
  return (fabs(box[0] - middle[0]) <= box[3] + half[0]) & (fabs(box[1] - middle[1]) <= box[4] + half[1]) &
         (fabs(box[2] - middle[2]) <= box[5] + half[2]);
}

// nodes of the tree, as small as the box of some faces, that are near these; returns how many
static int openTree(const ColExact* x, const Near* f, int count, int* node) {
  mjtNum low[3], high[3], middle[3], half[3], size = 0;
  for (int k = 0; k < 3; k++) {
    low[k] = mjMAXVAL;
    high[k] = -mjMAXVAL;
    for (int i = 0; i < count; i++) {
      low[k] = mth_min(low[k], f[i].middle[k] - f[i].half[k]);
      high[k] = mth_max(high[k], f[i].middle[k] + f[i].half[k]);
    }
    middle[k] = (low[k] + high[k]) / 2;
    half[k] = (high[k] - low[k]) / 2;
    size = mth_max(size, half[k]);
  }
  int stack[DEPTH], n = 1, found = 0;
  stack[0] = 0;
  while (n) {
    const int at = stack[--n];
    const mjtNum* box = x->aabb + 6 * at;
    if (!isNear(box, middle, half)) continue;
    const int small = box[3] <= size && box[4] <= size && box[5] <= size;
    if (x->nodeid[at] >= 0 || small || n + 2 > DEPTH || found + n + 2 > NODES) {
      node[found++] = at;
      continue;
    }
    stack[n++] = x->child[2 * at];
    stack[n++] = x->child[2 * at + 1];
  }
  return found;
}

// faces of the other surface that lie together, and those of this one that are near them
static void addGroup(ColSearch* s, const Turn* t, const int* face, int count, Corners corners[2]) {
  Near f[GROUP];
  int node[NODES], stack[DEPTH];
  for (int i = 0; i < count; i++) openNear(f + i, t, face[i]);
  const int found = openTree(&s->x, f, count, node);
  for (int i = 0; i < found * count; i++) {
    const Near* near = f + i / found;
    int n = 0;
    if (isNear(s->x.aabb + 6 * node[i % found], near->middle, near->half)) stack[n++] = node[i % found];
    while (n) {
      const int at = stack[--n];
      if (s->x.nodeid[at] >= 0) {
        addFaces(s, t, s->x.nodeid[at], near, corners);
        continue;
      }
      for (int k = 0; k < 2; k++) {
        const int child = s->x.child[2 * at + k];
        if (n < DEPTH && isNear(s->x.aabb + 6 * child, near->middle, near->half)) stack[n++] = child;
      }
    }
  }
}

// box of a surface in the frame of another
static void boundsIn(const ColExact* x, const ColExact* other, mjtNum more, mjtNum box[6]) {
  mjtNum mat[9], middle[3], world[3];
  mth_mulMatTMat3(mat, other->mat, x->mat);
  col_exactWorld(world, x, x->aabb);
  col_exactLocal(middle, other, world);
  for (int k = 0; k < 3; k++) {
    const mjtNum half =
        fabs(mat[3 * k]) * x->aabb[3] + fabs(mat[3 * k + 1]) * x->aabb[4] + fabs(mat[3 * k + 2]) * x->aabb[5] + more;
    box[k] = middle[k] - half;
    box[3 + k] = middle[k] + half;
  }
}

// changes which of two surfaces is that of the search
static void turnAround(ColSearch* s, ColExact* other) {
  const ColExact own = s->x;
  s->x = *other;
  *other = own;
  s->second = !s->second;
}

void col_addSurface(ColSearch* s, const ColExact* with) {
  ColExact other = *with;
  const int turned = s->x.nface < other.nface;
  if (turned) turnAround(s, &other);
  Turn t = {.other = &other, .more = s->margin + s->x.half + other.half};
  mth_mulMatTMat3(t.mat, s->x.mat, other.mat);
  col_exactLocal(t.pos, &s->x, other.pos);

  // all pairs of faces, then the corners of both
  mj_markStack(s->d);
  mjtNum box[6];
  boundsIn(&s->x, &other, t.more, box);
  int* const list = mj_stackAllocInt(s->d, (size_t)other.nface);
  Corners corners[2] = {openCorners(s->d, &s->x), openCorners(s->d, &other)};
  const int n = col_exactFaces(&other, box, list, other.nface);
  for (int i = 0; i < n; i += GROUP) addGroup(s, &t, list + i, n - i < GROUP ? n - i : GROUP, corners);
  addCorners(s, &other, corners + 1);
  turnAround(s, &other);
  addCorners(s, &other, corners);
  if (!turned) turnAround(s, &other);
  mj_freeStack(s->d);
}
