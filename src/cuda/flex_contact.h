// Contacts of geoms with flexes: vertices with planes, edges and triangles with spheres, capsules and boxes, as
// collision/flex_pairs.c finds them. A pair is a geom and a whole flex: lanes share its elements.
#pragma once

#include "cuda/convex.h"
#include "collision/narrow/sphere_triangle_body.h"
#include "collision/narrow/capsule_triangle_body.h"
#include "collision/narrow/box_triangle_body.h"
#include "collision/round_body.h"

enum { CU_MAXFLEX = 11 };

// vertices of an element, and how many
CU_FN int cu_elemVerts(const CudModel* m, int f, int e, const int** vert) {
  const int n = m->flex_dim[f] + 1;
  *vert = m->flex_elem + m->flex_elemdataadr[f] + n * e;
  return n;
}

// box around an element: centre, half sizes
CU_FN void cu_elemBox(const Cu* c, int f, int e) {
  const CudModel* m = c->m;
  const int *vert, n = cu_elemVerts(m, f, e, &vert);
  const Real* x = CU_W(c, vert) + 3 * m->flex_vertadr[f];
  Real* box = CU_W(c, elem_box) + 6 * (m->flex_elemadr[f] + e);
  for (int k = 0; k < 3; k++) {
    Real low = x[3 * vert[0] + k], high = low;
    for (int i = 1; i < n; i++) {
      low = cu_min(low, x[3 * vert[i] + k]);
      high = cu_max(high, x[3 * vert[i] + k]);
    }
    box[k] = R_(0.5) * (high + low);
    box[3 + k] = R_(0.5) * (high - low) + m->flex_radius[f];
  }
}

CU_FN const Real* cu_boxOf(const Cu* c, int f, int e) {
  return CU_W(c, elem_box) + 6 * (c->m->flex_elemadr[f] + e);
}

// 1: a cube around a point is apart from a box
CU_FN int cu_pointApart(const Real point[3], Real reach, const Real box[6]) {
  for (int k = 0; k < 3; k++) {
    if (cu_abs(point[k] - box[k]) > reach + box[3 + k]) return 1;
  }
  return 0;
}

CU_FN int cu_elemsApart(const Real a[6], const Real b[6], Real margin) {
  for (int k = 0; k < 3; k++) {
    if (cu_abs(a[k] - b[k]) > a[3 + k] + b[3 + k] + margin) return 1;
  }
  return 0;
}

// 1: an element hangs on a body
CU_FN int cu_hangsOn(const CudModel* m, int f, int e, int body) {
  const int *vert, n = cu_elemVerts(m, f, e, &vert);
  if (m->flex_interp[f]) return 0;
  for (int i = 0; i < n; i++) {
    if (m->flex_vertbodyid[m->flex_vertadr[f] + vert[i]] == body) return 1;
  }
  return 0;
}

// the capsule around an edge; of its orientation only the axis counts
typedef struct {
  Real pos[3], mat[9], size[3];
} CuCapsule;

CU_FN void cu_openEdge(const Cu* c, int f, int e, CuCapsule* s) {
  const CudModel* m = c->m;
  const int* vert;
  const Real* x = CU_W(c, vert) + 3 * m->flex_vertadr[f];
  Real axis[3];
  cu_elemVerts(m, f, e, &vert);
  cu_sub3(axis, x + 3 * vert[0], x + 3 * vert[1]);
  cu_add3(s->pos, x + 3 * vert[0], x + 3 * vert[1]);
  cu_scl3(s->pos, s->pos, R_(0.5));
  cu_set3(s->size, m->flex_radius[f], R_(0.5) * cu_unit3(axis), 0);
  for (int k = 0; k < 9; k++) s->mat[k] = k % 3 == 2 ? axis[k / 3] : 0;
}

CU_FN CuShape cu_edgeShape(const CuCapsule* s) {
  const CuShape shape = {s->pos, s->mat, s->size};
  return shape;
}

// contacts of one geom and an edge
CU_FN int cu_edgeHits(const Cu* c, int p, int e, CuHit* hit) {
  const CudModel* m = c->m;
  const int g = m->pair_geom[2 * p], f = m->pair_geom[2 * p + 1], type = m->geom_type[g];
  const Real margin = m->param_margin[m->pair_param[p]];
  CuCapsule edge;
  cu_openEdge(c, f, e, &edge);
  if (type != mjGEOM_BOX) {
    const CuShape geom = {CU_W(c, geom_xpos) + 3 * g, CU_W(c, geom_xmat) + 9 * g, m->geom_size + 3 * g};
    const CuShape s[2] = {geom, cu_edgeShape(&edge)};
    return type == mjGEOM_SPHERE ? cu_sphereCapsule(hit, margin, s) : cu_capsuleCapsule(hit, margin, s);
  }

  // the box is the second one there
  const CuPose box = cu_poseOf(c, g);
  CuPose pose;
  for (int k = 0; k < 9; k++) {
    pose.mat[k] = edge.mat[k];
    pose.pos[k % 3] = edge.pos[k % 3];
    pose.size[k % 3] = edge.size[k % 3];
  }
  const ColShape capsule = {pose.pos, pose.mat, pose.size}, geom = {box.pos, box.mat, box.size};
  ColContact con[2];
  const int n = col_rawCapsuleBox(con, margin, &capsule, &geom);
  for (int i = 0; i < n; i++) {
    mth_neg3(con[i].frame, con[i].frame);
    cu_toHit(hit + i, con + i);
  }
  return n;
}

// contacts of one geom and one triangle
CU_FN int cu_triangleHits(const Cu* c, int p, int e, CuHit* hit) {
  const CudModel* m = c->m;
  const int g = m->pair_geom[2 * p], f = m->pair_geom[2 * p + 1], type = m->geom_type[g], *vert;
  const mjtNum margin = m->param_margin[m->pair_param[p]], radius = m->flex_radius[f];
  const CuPose pose = cu_poseOf(c, g);
  const ColShape geom = {pose.pos, pose.mat, pose.size};
  ColContact con[CU_MAXFLEX];
  mjtNum x[3][3];
  cu_elemVerts(m, f, e, &vert);
  for (int i = 0; i < 9; i++) x[i / 3][i % 3] = CU_W(c, vert)[3 * (m->flex_vertadr[f] + vert[i / 3]) + i % 3];
  const mjtNum* const at[3] = {x[0], x[1], x[2]};
  const int n = type == mjGEOM_SPHERE    ? col_sphereTriangle(con, margin, &geom, at, radius)
                : type == mjGEOM_CAPSULE ? col_capsuleTriangle(con, margin, &geom, at, radius)
                                         : col_boxTriangle(con, margin, &geom, at, radius);
  for (int i = 0; i < n; i++) cu_toHit(hit + i, con + i);
  return n;
}

//---------------------------------- convex queries ----------------------------------

// An element as the hull of its corners, surrounded by its radius: the corners lie where a geom has its pose, behind
// them the centre, from which a query starts.
COL_FN void cu_openElem(ColConvex* s, const Cu* c, int f, int e, CuPose* place, mjtNum margin) {
  CU_ASSERT(sizeof(CuPose) >= 15 * sizeof(mjtNum), "the room for the corners");
  const CudModel* m = c->m;
  const int *vert, n = cu_elemVerts(m, f, e, &vert);
  const Real* box = cu_boxOf(c, f, e);
  s->prism = (mjtNum(*)[3])place;
  for (int i = 0; i < 12; i++) {
    const int v = m->flex_vertadr[f] + vert[i / 3 < n ? i / 3 : n - 1];
    s->prism[i / 3][i % 3] = CU_W(c, vert)[3 * v + i % 3];
  }
  for (int k = 0; k < 3; k++) s->prism[4][k] = box[k];
  s->model = m;
  s->type = mjGEOM_FLEX;
  s->pos = s->mat = s->size = s->prism[4];
  s->margin = margin;
  s->inflate = m->flex_radius[f] + 0.5 * margin;
  s->vertid = s->hullid = -1;
  s->edge = 0;
  s->support = CU_SUPPORT_CORNERS;
}

// the contact of a geom and an element, or of two elements, for the lanes that ask; one after the other
CU_FN int cu_convexHits(Cu* c, int p, const int elem[2], int asks, CuHit* hit) {
  const CudModel* m = c->m;
  const int a = m->pair_geom[2 * p], f = m->pair_geom[2 * p + 1], geom = m->pair_shape[p] == CUD_FLEX_CONVEX;
  const mjtNum margin = m->param_margin[m->pair_param[p]];
  CuQuery* x = (CuQuery*)CU_W(c, solid);
  int n = 0;
  CU_LOOP for (unsigned left = cu_mask(asks); left; left &= left - 1) {
    const int mine = cu_isFirst(left);
    if (mine && geom) {
      x->pose[0] = cu_poseOf(c, a);
      cu_openGeom(&x->a, m, a, x->pose, margin);
    } else if (mine) {
      cu_openElem(&x->a, c, a, elem[0], x->pose, margin);
    }
    if (mine) cu_openElem(&x->b, c, f, elem[1], x->pose + 1, margin);
    cu_ask(c, x);
    cu_sync();
    ColContact con;
    if (mine && cu_answer(x, margin, &con)) {
      // against a triangle a round geom's own normal is taken
      mjtNum normal[3];
      mth_copy3(normal, con.frame);
      if (geom && m->flex_dim[f] == 2 && roundNormal(normal, &x->a, con.pos)) mth_copy3(con.frame, normal);
      cu_toHit(hit, &con);
      n = 1;
    }
    cu_sync();
  }
  return n;
}

//---------------------------------- geoms ----------------------------------

// contacts of a geom and a vertex (planes) or an element by closed formulas; *asks: there must be a query
CU_FN int cu_flexHits(const Cu* c, int p, int i, CuHit* hit, int* asks) {
  const CudModel* m = c->m;
  const int g = m->pair_geom[2 * p], f = m->pair_geom[2 * p + 1], shape = m->pair_shape[p];
  const Real margin = m->param_margin[m->pair_param[p]], *xpos = CU_W(c, geom_xpos) + 3 * g;
  if (shape == CUD_FLEX_PLANE) {
    const CuShape plane = {xpos, CU_W(c, geom_xmat) + 9 * g, m->geom_size + 3 * g};
    return cu_planeBall(hit, margin, &plane, CU_W(c, vert) + 3 * (m->flex_vertadr[f] + i), m->flex_radius[f]);
  }
  if (!m->elem_outer[m->flex_elemadr[f] + i]) return 0;
  if (cu_pointApart(xpos, m->geom_rbound[g] + margin, cu_boxOf(c, f, i))) return 0;
  if (cu_hangsOn(m, f, i, m->geom_bodyid[g])) return 0;
  if (shape == CUD_FLEX_EDGE) return cu_edgeHits(c, p, i, hit);
  if (shape == CUD_FLEX_TRIANGLE) return cu_triangleHits(c, p, i, hit);
  *asks = 1;
  return 0;
}

// 1: no dof moves a side of a contact
CU_FN int cu_isFixed(const CudModel* m, int f, int body) {
  if (body >= 0) return m->body_lastdof[body] < 0;
  if (m->flex_interp[f]) return 0;
  const int part = -2 - body, one = part % 2, *vert;
  const int size = cu_elemVerts(m, f, one ? 0 : part / 2, &vert), n = one ? 1 : size;
  for (int i = 0; i < n; i++) {
    const int v = m->flex_vertadr[f] + (one ? part / 2 : vert[i]);
    if (m->body_lastdof[m->flex_vertbodyid[v]] >= 0) return 0;
  }
  return 1;
}

// What a lane has found between these two. They have no rows where a flex asks for none, or, where Jacobians are
// sparse, no dof moves what touches. 0: no room
CU_FN int cu_addFlex(Cu* c, CuFound* found, int p, int body1, int body2, int n, const CuHit* hit) {
  const CudModel* m = c->m;
  const int f1 = m->pair_geom[2 * p], f2 = m->pair_geom[2 * p + 1];
  found->body[0] = body1;
  found->body[1] = body2;
  found->still = n && ((body1 < 0 && m->flex_passive[f1]) || m->flex_passive[f2] ||
                       (m->sparse && cu_isFixed(m, f1, body1) && cu_isFixed(m, f2, body2)));
  return !cu_any(n) || cu_addContacts(c, found, p, n, hit);
}

// lanes share the elements of the flex
CU_FN int cu_collideGeomFlex(Cu* c, CuFound* found, int p) {
  const CudModel* m = c->m;
  const int f = m->pair_geom[2 * p + 1], planes = m->pair_shape[p] == CUD_FLEX_PLANE;
  CU_FOR_ALL(i, valid, planes ? m->flex_vertnum[f] : m->flex_elemnum[f]) {
    CuHit hit[CU_MAXFLEX];
    const int elem[2] = {0, i};
    int asks = 0, n = valid ? cu_flexHits(c, p, i, hit, &asks) : 0;
    if (cu_any(asks)) n += cu_convexHits(c, p, elem, asks, hit);
    if (!cu_addFlex(c, found, p, m->geom_bodyid[m->pair_geom[2 * p]], -2 - 2 * i - planes, n, hit)) return 0;
  }
  return 1;
}

//---------------------------------- elements ----------------------------------

// 1: two elements hang on one body
CU_FN int cu_shareBody(const CudModel* m, int f1, int e1, int f2, int e2) {
  const int *v1, *v2, n1 = cu_elemVerts(m, f1, e1, &v1), n2 = cu_elemVerts(m, f2, e2, &v2);
  for (int i = 0; i < n1; i++) {
    const int body = m->flex_vertbodyid[m->flex_vertadr[f1] + v1[i]];
    for (int k = 0; k < n2 && body >= 0; k++) {
      if (body == m->flex_vertbodyid[m->flex_vertadr[f2] + v2[k]]) return 1;
    }
  }
  return 0;
}

// contacts of an element with those of a flex from the first on: lanes share these
CU_FN int cu_collideElems(Cu* c, CuFound* found, int p, int e, int first) {
  const CudModel* m = c->m;
  const int f1 = m->pair_geom[2 * p], f2 = m->pair_geom[2 * p + 1];
  const int edges = m->flex_dim[f1] == 1 && m->flex_dim[f2] == 1;
  const Real margin = m->param_margin[m->pair_param[p]];
  CU_FOR_ALL(k, valid, m->flex_elemnum[f2] - first) {
    CuHit hit[CU_MAXHIT];
    const int elem[2] = {e, valid ? first + k : first}, outer = m->elem_outer[m->flex_elemadr[f2] + elem[1]];
    int n = 0;
    const int asks = valid && outer && !cu_elemsApart(cu_boxOf(c, f1, e), cu_boxOf(c, f2, elem[1]), margin) &&
                     !cu_shareBody(m, f1, e, f2, elem[1]);
    if (edges && asks) {
      CuCapsule a, b;
      cu_openEdge(c, f1, e, &a);
      cu_openEdge(c, f2, elem[1], &b);
      const CuShape s[2] = {cu_edgeShape(&a), cu_edgeShape(&b)};
      n = cu_capsuleCapsule(hit, margin, s);
    }
    if (!edges && cu_any(asks)) n = cu_convexHits(c, p, elem, asks, hit);
    if (!cu_addFlex(c, found, p, -2 - 2 * e, -2 - 2 * elem[1], n, hit)) return 0;
  }
  return 1;
}

//---------------------------------- all of them ----------------------------------

CU_CALL int cu_collideFlexes(Cu* c, CuFound* found) {
  const CudModel* m = c->m;
  CU_LOOP for (int f = 0; f < m->nflex; f++) {
    CU_FOR(e, m->flex_elemnum[f]) cu_elemBox(c, f, e);
  }
  cu_sync();
  CU_LOOP for (int p = m->npair; p < m->nallpair; p++) {
    const int f = m->pair_geom[2 * p], self = m->pair_shape[p] == CUD_FLEX_SELF;
    if (m->pair_shape[p] < CUD_FLEX_FLEX) {
      if (!cu_collideGeomFlex(c, found, p)) return 0;
      continue;
    }
    CU_LOOP for (int e = 0; e < m->flex_elemnum[f]; e++) {
      if (!m->elem_outer[m->flex_elemadr[f] + e]) continue;
      if (!cu_collideElems(c, found, p, e, self ? e + 1 : 0)) return 0;
    }
  }
  return 1;
}
