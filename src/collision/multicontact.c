// Contact patch of two polytopes: from the face of the Minkowski difference that EPA found, the touching features.
//
// The three vertices of that face name a vertex, an edge or a face on each shape. If a face of one shape is parallel to
// a face of the other, the patch is one polygon clipped by the other; if a face is parallel to an edge, the clipped
// edge. All points of a patch share the depth of the first contact.
#include <math.h>
#include <string.h>

#include "collision/ccd.h"
#include "math/vec.h"

// cosine and sine of the angle below which two directions count as parallel (0.0016 rad)
static const mjtNum COL_FACE_COS = 0.99999872;
static const mjtNum COL_EDGE_SIN = 0.00159999931;

// polygons with more sides are cut off, and so are vertices with more faces
enum { COL_MAX_SIDES = 150 };

// up to three vertices of one shape: their numbers, positions, and how many differ
typedef struct {
  const ColConvex* s;
  int dim;
  int id[3];
  const mjtNum* pos[3];
} Feature;

// directions with what they belong to: the normal of a face and its number, or an edge and its far end
typedef struct {
  int n;
  int id[COL_MAX_SIDES];
  mjtNum dir[COL_MAX_SIDES][3];
  mjtNum end[COL_MAX_SIDES][3];
} Directions;

typedef struct {
  int n;
  mjtNum v[COL_MAX_SIDES][3];
} Polygon;

// mat * v
static inline void rotate(mjtNum res[3], const ColConvex* s, mjtNum x, mjtNum y, mjtNum z) {
  const mjtNum v[3] = {x, y, z};
  mth_mulMatVec3(res, s->mat, v);
}

// mat * v + pos
static inline void toWorld(mjtNum res[3], const ColConvex* s, mjtNum x, mjtNum y, mjtNum z) {
  rotate(res, s, x, y, z);
  mth_addTo3(res, s->pos);
}

//---------------------------------- faces at a feature --------------------------------------------

// side of a box nearest to a direction, if they are parallel
static void boxSideAlong(Directions* out, const ColConvex* s, const mjtNum dir[3]) {
  mjtNum local[3];
  mth_mulMatTVec3(local, s->mat, dir);
  mth_scl3(local, local, 1 / sqrt(mth_dot3(local, local)));
  out->n = 0;
  for (int i = 0; i < 6; i++) {
    const mjtNum sign = i % 2 ? -1 : 1;
    if (sign * local[i / 2] > COL_FACE_COS) {
      mjtNum unit[3] = {0, 0, 0};
      unit[i / 2] = sign;
      rotate(out->dir[0], s, unit[0], unit[1], unit[2]);
      out->id[0] = i;
      out->n = 1;
      return;
    }
  }
}

// sides of a box that contain all vertices of the feature; side 2i is +axis i, 2i+1 is -axis i. When the feature is a
// diagonal, the side along the contact direction.
static void boxFaces(Directions* out, const Feature* f, const mjtNum dir[3]) {
  out->n = 0;
  for (int axis = 0; axis < 3; axis++) {
    int all = 1, none = 1;
    for (int i = 0; i < f->dim; i++) {
      const int bit = (f->id[i] >> axis) & 1;
      all &= bit;
      none &= !bit;
    }
    if (!all && !none) continue;
    mjtNum unit[3] = {0, 0, 0};
    unit[axis] = all ? 1 : -1;
    rotate(out->dir[out->n], f->s, unit[0], unit[1], unit[2]);
    out->id[out->n++] = 2 * axis + none;
  }
  if (out->n != 4 - f->dim) boxSideAlong(out, f->s, dir);
}

// faces of a mesh around a vertex
static const int* vertexFaces(const ColConvex* s, int vert, int* n) {
  const int i = s->model->mesh_vertadr[s->mesh] + vert;
  *n = s->model->mesh_polymapnum[i];
  return s->model->mesh_polymap + s->model->mesh_polymapadr[i];
}

// numbers that two lists share, two at most
static int common(int res[2], const int* a, int na, const int* b, int nb) {
  int n = 0;
  for (int i = 0; i < na; i++) {
    for (int j = 0; j < nb; j++) {
      if (a[i] != b[j]) continue;
      res[n++] = a[i];
      if (n == 2) return n;
    }
  }
  return n;
}

// faces of a mesh that contain all vertices of the feature
static void meshFaces(Directions* out, const Feature* f) {
  const mjModel* m = f->s->model;
  int n;
  const int* face = vertexFaces(f->s, f->id[0], &n);

  // narrow down by the other vertices
  int shared[2][2] = {{0}};
  for (int i = 1; i < f->dim; i++) {
    int nother;
    const int* other = vertexFaces(f->s, f->id[i], &nother);
    n = common(shared[i - 1], face, n, other, nother);
    face = shared[i - 1];
  }
  if (f->dim == 3 && n > 1) n = 1;
  if (n > COL_MAX_SIDES) n = COL_MAX_SIDES;

  const mjtNum* normal = m->mesh_polynormal + 3 * m->mesh_polyadr[f->s->mesh];
  out->n = n;
  for (int i = 0; i < n; i++) {
    mth_mulMatVec3(out->dir[i], f->s->mat, normal + 3 * face[i]);
    out->id[i] = face[i];
  }
}

static void featureFaces(Directions* out, const Feature* f, const mjtNum dir[3]) {
  out->n = 0;
  if (f->s->type == mjGEOM_BOX) {
    boxFaces(out, f, dir);
  } else if (f->s->type == mjGEOM_MESH) {
    meshFaces(out, f);
  }
}

//---------------------------------- edges at a feature --------------------------------------------

// edge from the feature's first vertex to an end point
static void addEdge(Directions* out, const Feature* f, int i) {
  mth_sub3(out->dir[i], out->end[i], f->pos[0]);
  mth_normalize3(out->dir[i]);
}

// the three edges at a corner of a box
static void boxEdges(Directions* out, const Feature* f) {
  const ColConvex* s = f->s;
  mjtNum corner[3];
  for (int i = 0; i < 3; i++) corner[i] = (f->id[0] >> i) & 1 ? s->size[i] : -s->size[i];
  for (int i = 0; i < 3; i++) {
    mjtNum end[3] = {corner[0], corner[1], corner[2]};
    end[i] = -end[i];
    toWorld(out->end[i], s, end[0], end[1], end[2]);
    addEdge(out, f, i);
  }
  out->n = 3;
}

// for every face at a mesh vertex the edge that leads to the vertex
static void meshEdges(Directions* out, const Feature* f) {
  const ColConvex* s = f->s;
  const mjModel* m = s->model;
  const int polyadr = m->mesh_polyadr[s->mesh];
  int n;
  const int* face = vertexFaces(s, f->id[0], &n);
  if (n > COL_MAX_SIDES) n = COL_MAX_SIDES;

  for (int i = 0; i < n; i++) {
    const int* corner = m->mesh_polyvert + m->mesh_polyvertadr[polyadr + face[i]];
    const int ncorner = m->mesh_polyvertnum[polyadr + face[i]];
    for (int j = 0; j < ncorner; j++) {
      if (corner[j] != f->id[0]) continue;
      const float* v = s->vert + 3 * corner[(j + ncorner - 1) % ncorner];
      toWorld(out->end[i], s, v[0], v[1], v[2]);
      addEdge(out, f, i);
      break;
    }
  }
  out->n = n;
}

static void featureEdges(Directions* out, const Feature* f) {
  out->n = 0;
  if (f->dim == 2) {
    mth_copy3(out->end[0], f->pos[1]);
    addEdge(out, f, 0);
    out->n = 1;
  } else if (f->s->type == mjGEOM_BOX) {
    boxEdges(out, f);
  } else if (f->s->type == mjGEOM_MESH) {
    meshEdges(out, f);
  }
}

//---------------------------------- polygons ------------------------------------------------------

// corners of a side of a box, clockwise seen from outside
static void boxPolygon(Polygon* out, const ColConvex* s, int side) {
  // signs of the corners as bits: x 1, y 2, z 4
  static const int corner[6][4] = {
      {7, 3, 1, 5},
      {2, 6, 4, 0},
      {2, 3, 7, 6},
      {4, 5, 1, 0},
      {6, 7, 5, 4},
      {3, 2, 0, 1}
  };
  const mjtNum* size = s->size;
  out->n = 4;
  for (int i = 0; i < 4; i++) {
    const int c = corner[side][i];
    toWorld(out->v[i], s, c & 1 ? size[0] : -size[0], c & 2 ? size[1] : -size[1], c & 4 ? size[2] : -size[2]);
  }
}

// corners of a face of a mesh in the same sense
static void meshPolygon(Polygon* out, const ColConvex* s, int face) {
  const mjModel* m = s->model;
  const int i = m->mesh_polyadr[s->mesh] + face;
  const int* corner = m->mesh_polyvert + m->mesh_polyvertadr[i];
  out->n = m->mesh_polyvertnum[i];
  if (out->n > COL_MAX_SIDES) out->n = COL_MAX_SIDES;
  for (int j = 0; j < out->n; j++) {
    const float* v = s->vert + 3 * corner[out->n - 1 - j];
    toWorld(out->v[j], s, v[0], v[1], v[2]);
  }
}

static void facePolygon(Polygon* out, const ColConvex* s, int face) {
  out->n = 0;
  if (s->type == mjGEOM_BOX) {
    boxPolygon(out, s, face);
  } else if (s->type == mjGEOM_MESH) {
    meshPolygon(out, s, face);
  }
}

static void edgePolygon(Polygon* out, const mjtNum from[3], const mjtNum to[3]) {
  out->n = 2;
  mth_copy3(out->v[0], from);
  mth_copy3(out->v[1], to);
}

//---------------------------------- clipping ------------------------------------------------------

// a polygon that is being cut; every cut adds one corner at most
typedef struct {
  int n;
  mjtNum v[2 * COL_MAX_SIDES][3];
} Cut;

static inline int isInside(const mjtNum v[3], const mjtNum edge[3], const mjtNum normal[3]) {
  mjtNum to[3];
  mth_sub3(to, v, edge);
  return mth_dot3(to, normal) > -mjMINVAL;
}

// point where the segment pq crosses a plane; 0 if it does not
static int crossing(mjtNum res[3], const mjtNum normal[3], mjtNum offset, const mjtNum p[3], const mjtNum q[3]) {
  mjtNum pq[3];
  mth_sub3(pq, q, p);
  const mjtNum slope = mth_dot3(normal, pq);
  if (slope == 0) return 0;
  const mjtNum t = (offset - mth_dot3(normal, p)) / slope;
  if (!(t >= 0 && t <= 1)) return 0;
  mth_addScl3(res, p, pq, t);
  return 1;
}

// keeps the part of in on the inner side of the plane through an edge
static void cutBy(Cut* out, const Cut* in, const mjtNum edge[3], const mjtNum normal[3]) {
  const mjtNum offset = mth_dot3(normal, edge);
  out->n = 0;
  for (int i = 0; i < in->n && out->n + 2 <= 2 * COL_MAX_SIDES; i++) {
    const mjtNum* p = in->v[i];
    const mjtNum* q = in->v[i + 1 < in->n ? i + 1 : 0];
    const int pin = isInside(p, edge, normal);
    const int qin = isInside(q, edge, normal);
    if (pin != qin) out->n += crossing(out->v[out->n], normal, offset, p, q);
    if (qin) mth_copy3(out->v[out->n++], q);
  }
}

// part of a polygon inside the prism over a frame with the given normal
static const Cut* clip(Cut buffer[2], const Polygon* polygon, const Polygon* frame, const mjtNum normal[3]) {
  Cut *in = buffer, *out = buffer + 1;
  in->n = polygon->n;
  memcpy(in->v, polygon->v, sizeof(polygon->v[0]) * (size_t)polygon->n);
  for (int i = 0; i < frame->n; i++) {
    const mjtNum* v0 = frame->v[i];
    const mjtNum* v1 = frame->v[i + 1 < frame->n ? i + 1 : 0];
    mjtNum tip[3], e1[3], e2[3], plane[3];
    mth_add3(tip, v0, normal);
    mth_sub3(e1, v1, v0);
    mth_sub3(e2, tip, v0);
    mth_cross3(plane, e1, e2);
    cutBy(out, in, v0, plane);
    Cut* tmp = in;
    in = out;
    out = tmp;
  }
  return in;
}

//---------------------------------- four points of many -------------------------------------------

// area of a quadrilateral
static mjtNum quadArea(const Cut* c, const int q[4]) {
  const mjtNum *v0 = c->v[q[0]], *v1 = c->v[q[1]], *v2 = c->v[q[2]], *v3 = c->v[q[3]];
  mjtNum e03[3], e31[3], e12[3], e20[3], n1[3], n2[3];
  mth_sub3(e03, v3, v0);
  mth_sub3(e31, v1, v3);
  mth_sub3(e12, v2, v1);
  mth_sub3(e20, v0, v2);
  mth_cross3(n1, e03, e31);
  mth_cross3(n2, e12, e20);
  mth_addTo3(n1, n2);
  return 0.5 * mth_norm3(n1);
}

// moves one corner on to the next vertex if that gives more area
static int advance(const Cut* c, int q[4], int corner, mjtNum* area, int best[4]) {
  const int old = q[corner];
  q[corner] = old + 1 < c->n ? old + 1 : 0;
  const mjtNum larger = quadArea(c, q);
  if (larger <= *area) {
    q[corner] = old;
    return 0;
  }
  *area = larger;
  memcpy(best, q, 4 * sizeof(int));
  return 1;
}

// corners of a large quadrilateral: for each first corner the others are pushed along while the area grows
static void largestQuad(const Cut* c, int best[4]) {
  int q[4] = {0, 1, 2, 3};
  memcpy(best, q, sizeof(q));
  mjtNum area = quadArea(c, q);
  for (; q[0] < c->n; q[0]++) {
    while (advance(c, q, 3, &area, best)) {
      while (advance(c, q, 2, &area, best)) {
      }
      while (advance(c, q, 1, &area, best)) {
      }
    }

    // the first corner catches up: push the others ahead of it
    for (int i = 1; i < 4 && q[i] == q[i - 1]; i++) q[i] = q[i] + 1 < c->n ? q[i] + 1 : 0;
  }
}

//---------------------------------- result --------------------------------------------------------

static void addPoint(ColQuery* q, int i, const mjtNum v[3], const mjtNum dir[3]) {
  mth_copy3(q->x2 + 3 * i, v);
  mth_sub3(q->x1 + 3 * i, v, dir);
}

static int isKnown(const ColQuery* q, int n, const mjtNum v[3]) {
  for (int i = 0; i < n; i++) {
    const mjtNum* x = q->x2 + 3 * i;
    if (fabs(x[0] - v[0]) < mjMINVAL && fabs(x[1] - v[1]) < mjMINVAL && fabs(x[2] - v[2]) < mjMINVAL) return 1;
  }
  return 0;
}

// point pairs of a patch on the second shape; dir leads from the first shape to it
static void setPatch(ColQuery* q, const Cut* c, const mjtNum dir[3]) {
  if (c->n < 1) return;

  // a few contacts wanted: four far apart
  if (q->maxcon < 5 && c->n > 4) {
    int corner[4];
    largestQuad(c, corner);
    for (int i = 0; i < 4; i++) addPoint(q, i, c->v[corner[i]], dir);
    q->npoint = 4;
    return;
  }

  // more than fit
  if (c->n > mjMAXCONPAIR) {
    for (int i = 0; i < mjMAXCONPAIR; i++) addPoint(q, i, c->v[i], dir);
    q->npoint = mjMAXCONPAIR;
    return;
  }

  int n = 0;
  for (int i = 0; i < c->n; i++) {
    if (!isKnown(q, n, c->v[i])) addPoint(q, n++, c->v[i], dir);
  }
  q->npoint = n;
}

static void clipToPatch(ColQuery* q, const Polygon* polygon, const Polygon* frame, const mjtNum normal[3],
                        const mjtNum dir[3]) {
  if (frame->n < 3) return;
  Cut buffer[2];
  setPatch(q, clip(buffer, polygon, frame, normal), dir);
}

//---------------------------------- matching ------------------------------------------------------

static Feature featureOf(const ColPolytope* pt, const ColFace* f, const ColConvex* s, int second) {
  Feature r = {.s = s};
  for (int i = 0; i < 3; i++) {
    const ColVertex* v = pt->vert + f->vert[i];
    r.id[i] = second ? v->ib : v->ia;
    r.pos[i] = second ? v->b : v->a;
  }

  // vertices that differ come first
  if (r.id[0] != r.id[1]) {
    r.dim = r.id[2] == r.id[0] || r.id[2] == r.id[1] ? 2 : 3;
  } else if (r.id[0] != r.id[2]) {
    r.id[1] = r.id[2];
    r.pos[1] = r.pos[2];
    r.dim = 2;
  } else {
    r.dim = 1;
  }
  return r;
}

// first pair of opposite face normals
static int matchFaces(int match[2], const Directions* a, const Directions* b) {
  for (match[0] = 0; match[0] < a->n; match[0]++) {
    for (match[1] = 0; match[1] < b->n; match[1]++) {
      if (mth_dot3(a->dir[match[0]], b->dir[match[1]]) < -COL_FACE_COS) return 1;
    }
  }
  return 0;
}

// first face and edge that are parallel
static int matchEdge(int* edge, int* face, const Directions* edges, const Directions* faces) {
  for (*face = 0; *face < faces->n; (*face)++) {
    for (*edge = 0; *edge < edges->n; (*edge)++) {
      if (fabs(mth_dot3(edges->dir[*edge], faces->dir[*face])) < COL_EDGE_SIN) return 1;
    }
  }
  return 0;
}

// an edge of one shape on a face of the other; sign is 1 if the edge belongs to the first shape
static void edgeOnFace(ColQuery* q, const Feature* edge, const ColConvex* s, const Directions* faces, mjtNum sign) {
  Directions edges;
  int e, f;
  featureEdges(&edges, edge);
  if (!matchEdge(&e, &f, &edges, faces)) return;

  mjtNum gap[3], dir[3];
  mth_sub3(gap, q->x2, q->x1);
  mth_scl3(dir, faces->dir[f], sign * mth_norm3(gap));

  Polygon line, frame;
  edgePolygon(&line, edge->pos[0], edges.end[e]);
  facePolygon(&frame, s, faces->id[f]);
  clipToPatch(q, &line, &frame, faces->dir[f], dir);
}

void col_multicontact(ColQuery* q, const ColPolytope* pt, int face, const ColConvex* a, const ColConvex* b) {
  const Feature fa = featureOf(pt, pt->face + face, a, 0);
  const Feature fb = featureOf(pt, pt->face + face, b, 1);
  mjtNum towardB[3], towardA[3];
  mth_sub3(towardB, q->x2, q->x1);
  mth_sub3(towardA, q->x1, q->x2);

  Directions facesA, facesB;
  featureFaces(&facesA, &fa, towardA);
  featureFaces(&facesB, &fb, towardB);

  // face on face
  int match[2];
  if (matchFaces(match, &facesA, &facesB)) {
    mjtNum dir[3];
    Polygon pa, pb;
    mth_scl3(dir, facesB.dir[match[1]], mth_norm3(towardB));
    facePolygon(&pa, a, facesA.id[match[0]]);
    facePolygon(&pb, b, facesB.id[match[1]]);
    clipToPatch(q, &pb, &pa, facesA.dir[match[0]], dir);
    return;
  }

  // edge on face, the smaller feature giving the edge
  if (fa.dim < 3 && fa.dim <= fb.dim) {
    edgeOnFace(q, &fa, b, &facesB, 1);
  } else if (fb.dim < 3) {
    edgeOnFace(q, &fb, a, &facesA, -1);
  }
}
