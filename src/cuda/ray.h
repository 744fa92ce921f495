// Rays pnt + x·vec, x ≥ 0, as collision/ray*.c have them: the smallest x at which a ray meets a shape, −1 where it does
// not. A ray is a lane's; poses of geoms follow from those of bodies that the last forward pass left behind.
#pragma once

#include "cuda/frame.h"

// in some frame
typedef struct {
  Real pnt[3], vec[3];
} CuRay;

CU_FN void cu_rayLocal(CuRay* r, const CuFrame* frame, const CuRay* ray) {
  Real rel[3];
  cu_sub3(rel, ray->pnt, frame->pos);
  cu_mulMatT3(r->pnt, frame->mat, rel);
  cu_mulMatT3(r->vec, frame->mat, ray->vec);
}

//---------------------------------- shapes ----------------------------------

// roots of a x² + 2 b x + c; the smaller one that is not negative
CU_FN Real cu_roots(Real x[2], Real a, Real b, Real c) {
  const Real det = b * b - a * c;
  x[0] = x[1] = -1;
  if (det < 0 || a < CU_MINVAL) return -1;
  const Real root = cu_sqrt(det);
  x[0] = (-b - root) / a;
  x[1] = (-b + root) / a;
  return x[0] >= 0 ? x[0] : x[1] >= 0 ? x[1] : R_(-1);
}

// a sphere on the z axis
CU_FN Real cu_raySphere(Real x[2], const CuRay* r, Real z, Real square) {
  const Real p[3] = {r->pnt[0], r->pnt[1], r->pnt[2] - z};
  return cu_roots(x, cu_dot3(r->vec, r->vec), cu_dot3(r->vec, p), cu_dot3(p, p) - square);
}

CU_FN int cu_misses(const CuRay* r, Real square) {
  Real x[2];
  return cu_raySphere(x, r, 0, square) < 0;
}

CU_FN Real cu_rayTube(const CuRay* r, Real radius) {
  const Real *p = r->pnt, *v = r->vec;
  Real x[2];
  return cu_roots(x, v[0] * v[0] + v[1] * v[1], v[0] * p[0] + v[1] * p[1], p[0] * p[0] + p[1] * p[1] - radius * radius);
}

CU_FN int cu_improves(Real x, Real best) {
  return x >= 0 && (best < 0 || x < best);
}

// only the front counts, within the rectangle
CU_FN Real cu_rayPlane(const CuRay* r, const Real size[3]) {
  if (r->vec[2] > -CU_MINVAL) return -1;
  const Real x = -r->pnt[2] / r->vec[2];
  if (x < 0) return -1;
  for (int i = 0; i < 2; i++) {
    if (size[i] > 0 && !(cu_abs(r->pnt[i] + x * r->vec[i]) <= size[i])) return -1;
  }
  return x;
}

// end: −1 or 1 where a cap is hit
CU_FN Real cu_rayCapsule(const CuRay* r, const Real size[3], int* end) {
  const Real *p = r->pnt, *v = r->vec, tube = cu_rayTube(r, size[0]);
  Real x = -1, root[2];
  if (tube >= 0 && cu_abs(p[2] + tube * v[2]) <= size[1]) x = tube;
  for (int side = 1; side >= -1; side -= 2) {
    cu_raySphere(root, r, side * size[1], size[0] * size[0]);
    for (int i = 0; i < 2; i++) {
      if (side * (p[2] + root[i] * v[2]) < size[1] || !cu_improves(root[i], x)) continue;
      x = root[i];
      *end = side;
    }
  }
  return x;
}

CU_FN Real cu_rayCylinder(const CuRay* r, const Real size[3], int* end) {
  const Real *p = r->pnt, *v = r->vec, tube = cu_rayTube(r, size[0]);
  Real x = -1;
  for (int side = -1; side <= 1 && cu_abs(v[2]) > CU_MINVAL; side += 2) {
    const Real disc = (side * size[1] - p[2]) / v[2], p0 = p[0] + disc * v[0], p1 = p[1] + disc * v[1];
    if (!cu_improves(disc, x) || !(p0 * p0 + p1 * p1 <= size[0] * size[0])) continue;
    x = disc;
    *end = side;
  }
  if (cu_improves(tube, x) && cu_abs(p[2] + tube * v[2]) <= size[1]) {
    x = tube;
    *end = 0;
  }
  return x;
}

// all: x of each of the six sides
CU_CALL Real cu_rayBox(const CuRay* r, const Real size[3], Real all[6], Real normal[3]) {
  Real x = -1;
  int hit = 0;
  cu_set3(normal, 0, 0, 0);
  for (int i = 0; i < 6; i++) all[i] = -1;
  if (cu_misses(r, cu_dot3(size, size))) return -1;
  for (int i = 0; i < 6; i++) {
    const int axis = i / 2, a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    if (!(cu_abs(r->vec[axis]) > CU_MINVAL)) continue;
    const Real s = ((i % 2 ? size[axis] : -size[axis]) - r->pnt[axis]) / r->vec[axis];
    if (!(s >= 0) || !(cu_abs(r->pnt[a] + s * r->vec[a]) <= size[a]) ||
        !(cu_abs(r->pnt[b] + s * r->vec[b]) <= size[b])) {
      continue;
    }
    all[i] = s;
    if (x < 0 || s < x) x = s, hit = i;
  }
  if (x >= 0) normal[hit / 2] = hit % 2 ? R_(1) : R_(-1);
  return x;
}

// a shape in its own frame; normal: direction of the surface there
CU_CALL Real cu_rayShape(const CuRay* r, const Real size[3], int type, Real normal[3]) {
  const Real radius = size[0];
  Real x, root[2], all[6];
  int end = 0;
  cu_set3(normal, 0, 0, 1);
  switch (type) {
    case mjGEOM_PLANE:
      return cu_rayPlane(r, size);
    case mjGEOM_SPHERE:
      x = cu_raySphere(root, r, 0, radius * radius);
      cu_addScl3(normal, r->pnt, r->vec, x);
      return x;
    case mjGEOM_CAPSULE:
      if (cu_misses(r, cu_square(radius + size[1]))) return -1;
      x = cu_rayCapsule(r, size, &end);
      cu_addScl3(normal, r->pnt, r->vec, x);
      normal[2] = end ? normal[2] - size[1] * end : R_(0);
      return x;
    case mjGEOM_ELLIPSOID: {
      CuRay scaled;
      for (int i = 0; i < 3; i++) scaled.pnt[i] = r->pnt[i] / size[i], scaled.vec[i] = r->vec[i] / size[i];
      x = cu_raySphere(root, &scaled, 0, 1);
      cu_addScl3(normal, r->pnt, r->vec, x);
      for (int i = 0; i < 3; i++) normal[i] /= size[i] * size[i];
      return x;
    }
    case mjGEOM_CYLINDER:
      if (cu_misses(r, radius * radius + size[1] * size[1])) return -1;
      x = cu_rayCylinder(r, size, &end);
      cu_addScl3(normal, r->pnt, r->vec, x);
      normal[2] = 0;
      if (end) cu_set3(normal, 0, 0, (Real)end);
      return x;
    default:
      return cu_rayBox(r, size, all, normal);
  }
}

//---------------------------------- triangles ----------------------------------

// two directions across a ray, in whose plane triangles are tested
typedef struct {
  Real u[3], v[3];
} CuAcross;

CU_FN void cu_across(CuAcross* s, const CuRay* r) {
  const Real *vec = r->vec, x = cu_abs(vec[0]), y = cu_abs(vec[1]), z = cu_abs(vec[2]);
  const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  cu_set3(s->u, (Real)(axis != 0), (Real)(axis != 1), (Real)(axis != 2));
  cu_addScl3(s->v, s->u, vec, -cu_dot3(vec, s->u) / cu_dot3(vec, vec));
  cu_unit3(s->v);
  cu_cross3(s->u, s->v, vec);
  cu_unit3(s->u);
}

CU_FN int cu_oneSided(const Real x[3]) {
  return (x[0] > 0 && x[1] > 0 && x[2] > 0) || (x[0] < 0 && x[1] < 0 && x[2] < 0);
}

CU_CALL Real cu_rayTriangle(const Real vert[3][3], const CuRay* r, const CuAcross* s, Real normal[3]) {
  Real u[3], v[3], rel[3], e0[3], e1[3];
  cu_set3(normal, 0, 0, 0);
  for (int i = 0; i < 3; i++) {
    cu_sub3(rel, vert[i], r->pnt);
    u[i] = cu_dot3(s->u, rel);
    v[i] = cu_dot3(s->v, rel);
  }
  if (cu_oneSided(u) || cu_oneSided(v)) return -1;
  const Real u02 = u[0] - u[2], u12 = u[1] - u[2], v02 = v[0] - v[2], v12 = v[1] - v[2], det = u02 * v12 - u12 * v02;
  if (cu_abs(det) < CU_MINVAL) return -1;
  const Real t0 = (u12 * v[2] - v12 * u[2]) / det, t1 = (v02 * u[2] - u02 * v[2]) / det;
  if (t0 < 0 || t1 < 0 || t0 + t1 > 1) return -1;
  cu_sub3(e0, vert[0], vert[2]);
  cu_sub3(e1, vert[1], vert[2]);
  cu_sub3(rel, r->pnt, vert[2]);
  cu_cross3(normal, e0, e1);
  const Real slope = cu_dot3(r->vec, normal);
  if (cu_abs(slope) < CU_MINVAL) return -1;
  const Real x = -cu_dot3(rel, normal) / slope;
  cu_unit3(normal);
  return x;
}

// where the ray enters a box (centre, half sizes), −1: it misses
CU_FN Real cu_enterBox(const Real* box, const Real pnt[3], const Real inv[3]) {
  Real in = 0, out = R_(1e30);
  for (int i = 0; i < 3; i++) {
    const Real t1 = (box[i] - box[i + 3] - pnt[i]) * inv[i], t2 = (box[i] + box[i + 3] - pnt[i]) * inv[i];
    const Real low = t1 < t2 ? t1 : t2, high = t1 < t2 ? t2 : t1;
    in = in > low ? in : low;
    out = out < high ? out : high;
  }
  return in < out ? in : R_(-1);
}

// nearest triangle of a mesh, through its tree of boxes
CU_FN Real cu_rayMesh(const CudWatch* d, int mesh, const CuRay* r, Real normal[3]) {
  const Real inv[3] = {1 / r->vec[0], 1 / r->vec[1], 1 / r->vec[2]};
  const Real* vertices = d->mesh_vert + 3 * (int64_t)d->mesh_vertadr[mesh];
  CuAcross across;
  int stack[CUD_TREE_DEPTH], n = 1;
  Real x = -1, tri[3][3], own[3];
  cu_across(&across, r);
  stack[0] = 0;
  CU_LOOP while (n) {
    const int64_t node = d->mesh_bvhadr[mesh] + stack[--n];
    const Real in = cu_enterBox(d->bvh_aabb + 6 * node, r->pnt, inv);
    if (in < 0 || (x >= 0 && in > x + R_(1e-6) * x)) continue;
    const int face = d->bvh_nodeid[node], *child = d->bvh_child + 2 * node;
    if (face < 0) {
      for (int i = 0; i < 2; i++) {
        if (child[i] >= 0 && n < CUD_TREE_DEPTH) stack[n++] = child[i];
      }
      continue;
    }
    const int* corner = d->mesh_face + 3 * ((int64_t)d->mesh_faceadr[mesh] + face);
    for (int i = 0; i < 3; i++) cu_copy3(tri[i], vertices + 3 * corner[i]);
    const Real s = cu_rayTriangle((const Real(*)[3])tri, r, &across, own);
    if (!cu_improves(s, x)) continue;
    x = s;
    cu_copy3(normal, own);
  }
  return x;
}

//---------------------------------- height fields ----------------------------------

// a height field in its own frame
typedef struct {
  const Real *size, *data;  // half sizes, height, depth of the base
  int nrow, ncol;
  Real dx, dy;
} CuField;

CU_FN int cu_gridLine(Real line, int n) {
  if (!(line > 0)) return 0;
  return line < n - 1 ? (int)line : n - 1;
}

// triangles between the two places where the ray crosses the box of the surface
CU_FN Real cu_raySurface(const CuField* f, const CuRay* r, Real from, Real to, Real best, Real normal[3]) {
  CuAcross across;
  Real x = best, tri[2][3][3], corner[4][3], own[3];
  cu_across(&across, r);
  const Real x0 = (r->pnt[0] + from * r->vec[0] + f->size[0]) / f->dx,
             x1 = (r->pnt[0] + to * r->vec[0] + f->size[0]) / f->dx;
  const Real y0 = (r->pnt[1] + from * r->vec[1] + f->size[1]) / f->dy,
             y1 = (r->pnt[1] + to * r->vec[1] + f->size[1]) / f->dy;
  const int left = cu_gridLine(cu_floor(cu_min(x0, x1)) - 1, f->ncol),
            right = cu_gridLine(cu_ceil(cu_max(x0, x1)) + 1, f->ncol);
  const int low = cu_gridLine(cu_floor(cu_min(y0, y1)) - 1, f->nrow),
            high = cu_gridLine(cu_ceil(cu_max(y0, y1)) + 1, f->nrow);
  CU_LOOP for (int row = low; row < high; row++) {
    CU_LOOP for (int col = left; col < right; col++) {
      for (int i = 0; i < 4; i++) {
        const int a = row + i / 2, b = col + i % 2;
        cu_set3(corner[i], f->dx * b - f->size[0], f->dy * a - f->size[1], f->data[a * f->ncol + b] * f->size[2]);
      }
      for (int i = 0; i < 2; i++) {
        cu_copy3(tri[i][0], corner[0]);
        cu_copy3(tri[i][1], corner[i ? 3 : 1]);
        cu_copy3(tri[i][2], corner[i ? 2 : 3]);
        const Real s = cu_rayTriangle((const Real(*)[3])tri[i], r, &across, own);
        if (!cu_improves(s, x)) continue;
        x = s;
        cu_copy3(normal, own);
      }
    }
  }
  return x;
}

// a wall is solid below the line between two points of the grid
CU_FN int cu_hitsWall(const CuField* f, const CuRay* r, int side, Real x) {
  const int along = side < 2 ? 1 : 0, n = along ? f->nrow : f->ncol, stride = along ? f->ncol : 1;
  const int start = side == 1 ? f->ncol - 1 : side == 3 ? (f->nrow - 1) * f->ncol : 0;
  const Real z = (r->pnt[2] + x * r->vec[2]) / f->size[2];
  const Real y = (r->pnt[along] + x * r->vec[along] + f->size[along]) / (along ? f->dy : f->dx);
  const int cell = cu_gridLine(cu_floor(y), n - 1);
  return z < f->data[start + cell * stride] * (cell + 1 - y) + f->data[start + (cell + 1) * stride] * (y - cell);
}

// base, surface and walls
CU_FN Real cu_rayField(const CudWatch* d, int id, const CuRay* r, Real normal[3]) {
  CuField f = {
      d->hfield_size + 4 * id, d->hfield_data + d->hfield_adr[id], d->hfield_nrow[id], d->hfield_ncol[id], 0, 0};
  f.dx = 2 * f.size[0] / (f.ncol - 1);
  f.dy = 2 * f.size[1] / (f.nrow - 1);
  const Real base[3] = {f.size[0], f.size[1], f.size[3] / 2}, top[3] = {f.size[0], f.size[1], f.size[2] / 2};
  CuRay moved = *r;
  Real all[6], unused[3];
  moved.pnt[2] = r->pnt[2] + base[2];
  Real x = cu_rayBox(&moved, base, all, normal);
  moved.pnt[2] = r->pnt[2] - top[2];
  const Real enter = cu_rayBox(&moved, top, all, unused);
  if (enter < 0) return x;

  // part of the ray inside the box of the surface
  Real from = 0, to = enter;
  for (int i = 0; i < 6; i++) {
    if (all[i] > to) from = enter, to = all[i];
  }
  x = cu_raySurface(&f, r, from, to, x, normal);
  for (int i = 0; i < 4; i++) {
    if (!cu_improves(all[i], x) || !cu_hitsWall(&f, r, i, all[i])) continue;
    x = all[i];
    cu_set3(normal, 0, 0, 0);
    normal[i / 2] = i % 2 ? R_(1) : R_(-1);
  }
  return x;
}

//---------------------------------- all geoms ----------------------------------

// what a ray looks at
typedef struct {
  int groups;   // bits of groups
  int statics;  // 1: also what cannot move
  int except;   // body that is not looked at, −1: none
} CuLook;

CU_FN Real cu_rayGeom(const Cu* c, int g, const CuRay* ray, Real normal[3]) {
  const CudModel* m = c->m;
  const CudWatch* d = &c->t->watch;
  const int type = m->geom_type[g], data = d->geom_dataid[g];
  CuFrame frame;
  CuRay r;
  Real local[3], all[6], x;
  cu_copy3(frame.pos, CU_ROW(c, out.geom_xpos, 3 * m->ngeom) + 3 * g);
  cu_copyN(frame.mat, CU_ROW(c, out.geom_xmat, 9 * m->ngeom) + 9 * g, 9);
  cu_rayLocal(&r, &frame, ray);
  if (type == mjGEOM_HFIELD) {
    x = cu_rayField(d, data, &r, local);
  } else if (type == mjGEOM_MESH) {
    x = cu_rayBox(&r, m->geom_size + 3 * g, all, local) < 0 ? R_(-1) : cu_rayMesh(d, data, &r, local);
  } else {
    x = cu_rayShape(&r, m->geom_size + 3 * g, type, local);
    cu_unit3(local);
  }
  cu_mulMat3(normal, frame.mat, local);
  return x;
}

// nearest geom; normal is that of its surface
CU_CALL Real cu_castRay(const Cu* c, const CuRay* ray, const CuLook* look, Real normal[3]) {
  const CudModel* m = c->m;
  const CudWatch* w = &c->t->watch;
  Real x = -1, own[3];
  cu_set3(normal, 0, 0, 0);
  CU_LOOP for (int g = 0; g < m->ngeom; g++) {
    const int body = m->geom_bodyid[g];
    if (body == look->except || !w->geom_visible[g] || !(look->groups >> w->geom_group[g] & 1)) continue;
    if (!look->statics && !m->body_weldid[body]) continue;
    const Real s = cu_rayGeom(c, g, ray, own);
    if (!cu_improves(s, x)) continue;
    x = s;
    cu_copy3(normal, own);
  }
  return x;
}
