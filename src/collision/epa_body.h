// EPA: depth of two overlapping convex shapes.
//
// A polytope inside the Minkowski difference that contains the origin is grown, always at the face nearest to the
// origin, until that face lies on the boundary: its distance is the depth, its foot point the direction. The distance
// of the face is a lower bound, that of the supporting plane in its direction an upper one; faces outside the two are
// never candidates. (van den Bergen: Proximity Queries and Penetration Depth Computation on 3D Game Objects, GDC 2001.)
//
// Here are the parts; the loops are in epa.c and, by all lanes of a group, in cuda/epa.h.
#pragma once

#include "collision/ccd.h"
#include "math/vec.h"

//---------------------------------- building blocks -----------------------------------------------

COL_FN int addVertex(ColPolytope* pt, const ColVertex* v) {
  pt->vert[pt->nvert] = *v;
  return pt->nvert++;
}

// farthest vertex along dir, which has length len
COL_FN int addSupport(ColPolytope* pt, ColConvex* a, ColConvex* b, const mjtNum dir[3], mjtNum len) {
  mjtNum unit[3] = {1, 0, 0};
  if (len > mjMINVAL) {
    for (int i = 0; i < 3; i++) unit[i] = dir[i] / len;
  }
  mjtNum opposite[3];
  mth_neg3(opposite, unit);
  col_supportPair(pt->vert + pt->nvert, a, b, unit, opposite);
  return pt->nvert++;
}

// writes a face; its squared distance to the origin, 0 when it is degenerate
COL_FN mjtNum setFace(const ColPolytope* pt, ColFace* f, int v0, int v1, int v2, const int adj[3]) {
  f->vert[0] = (ColIndex)v0;
  f->vert[1] = (ColIndex)v1;
  f->vert[2] = (ColIndex)v2;
  for (int i = 0; i < 3; i++) f->adj[i] = (ColIndex)adj[i];
  f->slot = COL_FACE_KEPT;
  f->sqr = 0;
  if (col_projectOrigin(f->foot, pt->vert[v2].p, pt->vert[v1].p, pt->vert[v0].p)) f->sqr = mth_dot3(f->foot, f->foot);
  return f->sqr;
}

COL_FN mjtNum addFace(ColPolytope* pt, int v0, int v1, int v2, const int adj[3]) {
  return setFace(pt, pt->face + pt->nface++, v0, v1, v2, adj);
}

COL_FN void addCandidate(ColPolytope* pt, int face) {
  pt->face[face].slot = (ColIndex)pt->ncand;
  pt->cand[pt->ncand++] = (ColIndex)face;
}

// the last candidate takes the place of the removed face
COL_FN void removeFace(ColPolytope* pt, int face) {
  const int slot = pt->face[face].slot;
  if (slot >= 0) {
    const int last = pt->cand[--pt->ncand];
    pt->cand[slot] = (ColIndex)last;
    pt->face[last].slot = (ColIndex)slot;
  }
  pt->face[face].slot = COL_FACE_GONE;
}

// starts again from three vertices
COL_FN void restart(ColPolytope* pt, ColQuery* q, const int vert[3]) {
  for (int i = 0; i < 3; i++) q->simplex[i] = pt->vert[vert[i]];
  q->nsimplex = 3;
  pt->nvert = pt->nface = pt->ncand = 0;
}

// faces of a bipyramid: two apexes over a ring of three; stops at a face through the origin and returns its vertices
COL_FN const ColIndex* addBipyramid(ColPolytope* pt, int apex0, int apex1, const int ring[3]) {
  // {apex, ring vertices} and neighbours of each face
  static const int shape[6][3] = {
      {0, 0, 1},
      {0, 2, 0},
      {0, 1, 2},
      {1, 1, 0},
      {1, 0, 2},
      {1, 2, 1}
  };
  static const int adj[6][3] = {
      {1, 3, 2},
      {2, 4, 0},
      {0, 5, 1},
      {5, 0, 4},
      {3, 1, 5},
      {4, 2, 3}
  };
  for (int i = 0; i < 6; i++) {
    const int apex = shape[i][0] ? apex1 : apex0;
    if (addFace(pt, apex, ring[shape[i][1]], ring[shape[i][2]], adj[i]) < COL_MINSQR) return pt->face[i].vert;
  }
  for (int i = 0; i < 6; i++) addCandidate(pt, i);
  return NULL;
}

//---------------------------------- first polytope ------------------------------------------------

// barycentric coordinates on a triangle of a point in its plane
COL_FN void triangleCoordinates(mjtNum w[3], const mjtNum* const v[3], const mjtNum p[3]) {
  const mjtNum whole = col_subareas(w, v, p);
  for (int i = 0; i < 3; i++) w[i] /= whole;
}

// weighted sum of three points
COL_FN void combine3(mjtNum res[3], const mjtNum w[3], const mjtNum* const v[3]) {
  mth_scl3(res, v[0], w[0]);
  mth_addToScl3(res, v[1], w[1]);
  mth_addToScl3(res, v[2], w[2]);
}

// p is a point of the triangle, up to rounding
COL_FN int onTriangle(const mjtNum* const v[3], const mjtNum p[3]) {
  mjtNum w[3], foot[3];
  triangleCoordinates(w, v, p);
  if (w[0] < 0 || w[1] < 0 || w[2] < 0) return 0;
  combine3(foot, w, v);
  return mth_dist3(foot, p) < mjMINVAL;
}

// from a triangle: a vertex farthest on either side
COL_FN ColOutcome fromTriangle(ColPolytope* pt, ColQuery* q, ColConvex* a, ColConvex* b) {
  const mjtNum* const v[3] = {q->simplex[0].p, q->simplex[1].p, q->simplex[2].p};
  mjtNum e10[3], e20[3], up[3], down[3];
  mth_sub3(e10, v[1], v[0]);
  mth_sub3(e20, v[2], v[0]);
  mth_cross3(up, e10, e20);
  const mjtNum len = mth_norm3(up);
  if (len < mjMINVAL) return COL_EPA_TRIANGLE_FLAT;
  mth_neg3(down, up);

  int ring[3];
  for (int i = 0; i < 3; i++) ring[i] = addVertex(pt, q->simplex + i);
  const int bottom = addSupport(pt, a, b, down, len);
  const int top = addSupport(pt, a, b, up, len);

  // the shapes only touch
  if (onTriangle(v, pt->vert[top].p)) return COL_EPA_TRIANGLE_TOUCHES_1;
  if (onTriangle(v, pt->vert[bottom].p)) return COL_EPA_TRIANGLE_TOUCHES_2;
  return addBipyramid(pt, top, bottom, ring) ? COL_EPA_ORIGIN_ON_FACE : COL_EPA_DONE;
}

// rotation by 120 degrees about an axis
COL_FN void rotation120(mjtNum mat[9], const mjtNum axis[3]) {
  const mjtNum s = 0.86602540378;  // ten digits: the vertices found with them are part of the result
  const mjtNum c = -0.5;
  const mjtNum len = mth_norm3(axis);
  const mjtNum u[3] = {axis[0] / len, axis[1] / len, axis[2] / len};
  const mjtNum us[3] = {u[0] * s, u[1] * s, u[2] * s};
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    mat[4 * i] = c + u[i] * u[i] * (1 - c);
    mat[3 * i + j] = u[i] * u[j] * (1 - c) - us[k];
    mat[3 * i + k] = u[i] * u[k] * (1 - c) + us[j];
  }
}

// the line through v0 and v1 crosses the triangle
COL_FN int crossesTriangle(const mjtNum v0[3], const mjtNum v1[3], const mjtNum* const tri[3]) {
  mjtNum line[3], to[3][3], vol[3];
  mth_sub3(line, v1, v0);
  for (int i = 0; i < 3; i++) mth_sub3(to[i], tri[i], v0);
  for (int i = 0; i < 3; i++) {
    mjtNum n[3];
    mth_cross3(n, to[(i + 1) % 3], line);
    vol[i] = mth_dot3(to[i], n);
  }
  return (vol[0] >= 0 && vol[1] >= 0 && vol[2] >= 0) || (vol[0] <= 0 && vol[1] <= 0 && vol[2] <= 0);
}

// from a segment: three vertices around it
COL_FN ColOutcome fromSegment(ColPolytope* pt, ColQuery* q, ColConvex* a, ColConvex* b) {
  mjtNum along[3], dir[3][3], rot[9];
  mth_sub3(along, q->simplex[1].p, q->simplex[0].p);

  // a direction across: product with the coordinate axis least along the segment
  int axis = 0;
  for (int i = 1; i < 3; i++) {
    if (fabs(along[i]) < fabs(along[axis])) axis = i;
  }
  mjtNum unit[3] = {0, 0, 0};
  unit[axis] = 1;
  mth_cross3(dir[0], unit, along);

  // and turned twice by 120 degrees
  rotation120(rot, along);
  mth_mulMatVec3(dir[1], rot, dir[0]);
  mth_mulMatVec3(dir[2], rot, dir[1]);

  const int apex0 = addVertex(pt, q->simplex);
  const int apex1 = addVertex(pt, q->simplex + 1);
  int ring[3];
  for (int i = 0; i < 3; i++) ring[i] = addSupport(pt, a, b, dir[i], mth_norm3(dir[i]));

  // a face through the origin is a better start
  const ColIndex* flat = addBipyramid(pt, apex0, apex1, ring);
  if (flat) {
    const int vert[3] = {flat[0], flat[1], flat[2]};
    restart(pt, q, vert);
    return fromTriangle(pt, q, a, b);
  }

  // convex only if the segment passes through the ring
  const mjtNum* const tri[3] = {pt->vert[ring[0]].p, pt->vert[ring[1]].p, pt->vert[ring[2]].p};
  return crossesTriangle(q->simplex[0].p, q->simplex[1].p, tri) ? COL_EPA_DONE : COL_EPA_SEGMENT_CONCAVE;
}

// the origin and v3 are strictly on the same side of the plane through the other three
COL_FN int sameSide(const mjtNum v0[3], const mjtNum v1[3], const mjtNum v2[3], const mjtNum v3[3]) {
  mjtNum e1[3], e2[3], e3[3], to[3], n[3];
  mth_sub3(e1, v1, v0);
  mth_sub3(e2, v2, v0);
  mth_cross3(n, e1, e2);
  mth_sub3(e3, v3, v0);
  mth_neg3(to, v0);
  const mjtNum side = mth_dot3(n, e3);
  const mjtNum origin = mth_dot3(n, to);
  return (side > 0 && origin > 0) || (side < 0 && origin < 0);
}

//---------------------------------- growth --------------------------------------------------------

// the edge after one, and the one after that, around a face; a remainder would be a multiplication
COL_FN int edgeAfter(int edge, int by) {
  const int to = edge + by;
  return to < 3 ? to : to - 3;
}

// edge of a face that starts at a vertex
COL_FN int edgeAt(const ColFace* f, int vert) {
  return f->vert[0] == vert ? 0 : f->vert[1] == vert ? 1 : 2;
}

// nearest points on the two shapes from a face
COL_FN void setWitness(ColQuery* q, const ColPolytope* pt, int face) {
  const ColFace* f = pt->face + face;
  const ColVertex* v[3] = {pt->vert + f->vert[0], pt->vert + f->vert[1], pt->vert + f->vert[2]};
  const mjtNum* const p[3] = {v[0]->p, v[1]->p, v[2]->p};
  const mjtNum* const pa[3] = {v[0]->a, v[1]->a, v[2]->a};
  const mjtNum* const pb[3] = {v[0]->b, v[1]->b, v[2]->b};
  mjtNum w[3];
  triangleCoordinates(w, p, f->foot);
  combine3(q->x1, w, pa);
  combine3(q->x2, w, pb);
  q->npoint = 1;
  q->dist = -sqrt(f->sqr);
}
