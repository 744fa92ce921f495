// Rays and single shapes: plane, sphere, capsule, ellipsoid, cylinder, box, triangle. Round surfaces lead to the
// quadratic a x^2 + 2 b x + c = 0 in the shape's frame.
#include <math.h>
#include <stddef.h>

#include "collision/ray.h"
#include "math/vec.h"

ColRay col_rayLocal(const mjtNum pos[3], const mjtNum mat[9], const mjtNum pnt[3], const mjtNum vec[3]) {
  ColRay r;
  mjtNum rel[3];
  mth_sub3(rel, pnt, pos);
  mth_mulMatTVec3(r.pnt, mat, rel);
  mth_mulMatTVec3(r.vec, mat, vec);
  return r;
}

// both roots; the smaller non-negative one is returned, -1 without
static mjtNum solve(mjtNum x[2], mjtNum a, mjtNum b, mjtNum c) {
  const mjtNum det = b * b - a * c;
  if (det < 0 || a < mjMINVAL) {
    x[0] = x[1] = -1;
    return -1;
  }
  const mjtNum root = sqrt(det);
  x[0] = (-b - root) / a;
  x[1] = (-b + root) / a;
  return x[0] >= 0 ? x[0] : x[1] >= 0 ? x[1] : -1;
}

// sphere of squared radius around a point
static mjtNum raySphere(mjtNum x[2], const mjtNum center[3], mjtNum sqr, const mjtNum pnt[3], const mjtNum vec[3]) {
  mjtNum rel[3];
  mth_sub3(rel, pnt, center);
  return solve(x, mth_dot3(vec, vec), mth_dot3(vec, rel), mth_dot3(rel, rel) - sqr);
}

int col_rayMissesSphere(const ColRay* r, mjtNum sqr) {
  const mjtNum center[3] = {0, 0, 0};
  mjtNum x[2];
  return raySphere(x, center, sqr, r->pnt, r->vec) < 0;
}

// infinite cylinder about z
static mjtNum rayTube(const ColRay* r, mjtNum radius) {
  const mjtNum *p = r->pnt, *v = r->vec;
  mjtNum x[2];
  return solve(x, v[0] * v[0] + v[1] * v[1], v[0] * p[0] + v[1] * p[1], p[0] * p[0] + p[1] * p[1] - radius * radius);
}

// a solution replaces a larger or missing one
static inline int improves(mjtNum x, mjtNum best) {
  return x >= 0 && (best < 0 || x < best);
}

// unit normal from the local direction dir; zero without a hit
static mjtNum finish(mjtNum x, mjtNum normal[3], const mjtNum mat[9], const mjtNum dir[3]) {
  if (!normal) return x;
  mth_zero3(normal);
  if (x < 0) return x;
  mjtNum unit[3];
  mth_copy3(unit, dir);
  mth_normalize3(unit);
  mth_mulMatVec3(normal, mat, unit);
  return x;
}

//---------------------------------- shapes --------------------------------------------------------

// only the front counts, within the rendered rectangle
static mjtNum rayPlane(const ColRay* r, const mjtNum size[3]) {
  if (r->vec[2] > -mjMINVAL) return -1;
  const mjtNum x = -r->pnt[2] / r->vec[2];
  if (x < 0) return -1;
  for (int i = 0; i < 2; i++) {
    if (size[i] > 0 && !(fabs(r->pnt[i] + x * r->vec[i]) <= size[i])) return -1;
  }
  return x;
}

// the tube between the caps, or the outer half of a cap; end says which: -1, 0, 1
static mjtNum rayCapsule(const ColRay* r, const mjtNum size[3], int* end) {
  const mjtNum *p = r->pnt, *v = r->vec;
  mjtNum x = -1;
  const mjtNum tube = rayTube(r, size[0]);
  if (tube >= 0 && fabs(p[2] + tube * v[2]) <= size[1]) {
    x = tube;
    *end = 0;
  }
  for (int side = 1; side >= -1; side -= 2) {
    const mjtNum center[3] = {0, 0, side * size[1]};
    mjtNum root[2];
    raySphere(root, center, size[0] * size[0], p, v);
    for (int i = 0; i < 2; i++) {
      const mjtNum z = p[2] + root[i] * v[2];
      const int outer = side > 0 ? z >= size[1] : z <= -size[1];
      if (outer && improves(root[i], x)) {
        x = root[i];
        *end = side;
      }
    }
  }
  return x;
}

static mjtNum rayEllipsoid(const ColRay* r, const mjtNum inv[3]) {
  const mjtNum *p = r->pnt, *v = r->vec;
  mjtNum root[2];
  const mjtNum a = inv[0] * v[0] * v[0] + inv[1] * v[1] * v[1] + inv[2] * v[2] * v[2];
  const mjtNum b = inv[0] * v[0] * p[0] + inv[1] * v[1] * p[1] + inv[2] * v[2] * p[2];
  const mjtNum c = inv[0] * p[0] * p[0] + inv[1] * p[1] * p[1] + inv[2] * p[2] * p[2] - 1;
  return solve(root, a, b, c);
}

// one of the discs, or the tube between them; end says which
static mjtNum rayCylinder(const ColRay* r, const mjtNum size[3], int* end) {
  const mjtNum *p = r->pnt, *v = r->vec;
  mjtNum x = -1;
  if (fabs(v[2]) > mjMINVAL) {
    for (int side = -1; side <= 1; side += 2) {
      const mjtNum disc = (side * size[1] - p[2]) / v[2];
      if (!improves(disc, x)) continue;
      const mjtNum p0 = p[0] + disc * v[0], p1 = p[1] + disc * v[1];
      if (p0 * p0 + p1 * p1 <= size[0] * size[0]) {
        x = disc;
        *end = side;
      }
    }
  }
  const mjtNum tube = rayTube(r, size[0]);
  if (improves(tube, x) && fabs(p[2] + tube * v[2]) <= size[1]) {
    x = tube;
    *end = 0;
  }
  return x;
}

mjtNum col_rayBox(const ColRay* r, const mjtNum size[3], mjtNum all[6], mjtNum normal[3]) {
  mjtNum x = -1;
  if (normal) mth_zero3(normal);
  for (int i = 0; all && i < 6; i++) all[i] = -1;
  if (col_rayMissesSphere(r, mth_dot3(size, size))) return -1;

  int hit = 0;
  for (int i = 0; i < 6; i++) {
    // plane of the side
    const int axis = i / 2, a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    if (!(fabs(r->vec[axis]) > mjMINVAL)) continue;
    const mjtNum side = i % 2 ? size[axis] : -size[axis];
    const mjtNum s = (side - r->pnt[axis]) / r->vec[axis];
    if (!(s >= 0)) continue;

    // within its rectangle
    if (!(fabs(r->pnt[a] + s * r->vec[a]) <= size[a]) || !(fabs(r->pnt[b] + s * r->vec[b]) <= size[b])) continue;
    if (all) all[i] = s;
    if (x < 0 || s < x) {
      x = s;
      hit = i;
    }
  }
  if (normal && x >= 0) normal[hit / 2] = hit % 2 ? 1 : -1;
  return x;
}

//---------------------------------- triangle ------------------------------------------------------

ColRayPlane col_rayPlane(const ColRay* ray) {
  ColRayPlane r = {
      .ray = *ray, .u = {1, 1, 1}
  };
  const mjtNum* vec = ray->vec;

  // a vector away from the ray's main axis, made orthogonal to it
  const mjtNum size[3] = {fabs(vec[0]), fabs(vec[1]), fabs(vec[2])};
  const int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
  r.u[axis] = 0;
  mth_addScl3(r.v, r.u, vec, -mth_dot3(vec, r.u) / mth_dot3(vec, vec));
  mth_normalize3(r.v);
  mth_cross3(r.u, r.v, vec);
  mth_normalize3(r.u);
  return r;
}

static inline int oneSided(const mjtNum x[3]) {
  return (x[0] > 0 && x[1] > 0 && x[2] > 0) || (x[0] < 0 && x[1] < 0 && x[2] < 0);
}

mjtNum col_rayTriangle(const mjtNum vert[3][3], const ColRayPlane* r, mjtNum normal[3]) {
  if (normal) mth_zero3(normal);

  // the vertices seen along the ray; it must pass between them
  mjtNum u[3], v[3];
  for (int i = 0; i < 3; i++) {
    mjtNum rel[3];
    mth_sub3(rel, vert[i], r->ray.pnt);
    u[i] = mth_dot3(r->u, rel);
    v[i] = mth_dot3(r->v, rel);
  }
  if (oneSided(u) || oneSided(v)) return -1;

  // coordinates of the ray on the triangle
  const mjtNum u02 = u[0] - u[2], u12 = u[1] - u[2], v02 = v[0] - v[2], v12 = v[1] - v[2];
  const mjtNum det = u02 * v12 - u12 * v02;
  if (fabs(det) < mjMINVAL) return -1;
  const mjtNum t0 = (v12 * -u[2] - u12 * -v[2]) / det;
  const mjtNum t1 = (-v02 * -u[2] + u02 * -v[2]) / det;
  if (t0 < 0 || t1 < 0 || t0 + t1 > 1) return -1;

  // distance to its plane
  mjtNum e0[3], e1[3], rel[3], n[3];
  mth_sub3(e0, vert[0], vert[2]);
  mth_sub3(e1, vert[1], vert[2]);
  mth_sub3(rel, r->ray.pnt, vert[2]);
  mth_cross3(n, e0, e1);
  const mjtNum slope = mth_dot3(r->ray.vec, n);
  if (fabs(slope) < mjMINVAL) return -1;
  const mjtNum x = -mth_dot3(rel, n) / slope;
  if (normal) {
    mth_normalize3(n);
    mth_copy3(normal, n);
  }
  return x;
}

//---------------------------------- dispatch ------------------------------------------------------

// sphere, in the world's frame: mat is not needed and may be NULL
static mjtNum geomSphere(const mjtNum pos[3], mjtNum radius, const mjtNum pnt[3], const mjtNum vec[3],
                         mjtNum normal[3]) {
  mjtNum root[2];
  const mjtNum x = raySphere(root, pos, radius * radius, pnt, vec);
  if (normal) {
    mth_zero3(normal);
    if (x >= 0) {
      mth_addScl3(normal, pnt, vec, x);
      mth_subFrom3(normal, pos);
      mth_normalize3(normal);
    }
  }
  return x;
}

// shapes with a frame: x, and the local direction of the normal
static mjtNum rayShape(const ColRay* r, const mjtNum size[3], int type, mjtNum dir[3]) {
  mjtNum x;
  int end = 0;
  switch (type) {
    case mjGEOM_PLANE:
      mth_set3(dir, 0, 0, 1);
      return rayPlane(r, size);

    case mjGEOM_CAPSULE:
      if (col_rayMissesSphere(r, (size[0] + size[1]) * (size[0] + size[1]))) return -1;
      x = rayCapsule(r, size, &end);
      mth_addScl3(dir, r->pnt, r->vec, x);
      dir[2] = end ? dir[2] - size[1] * end : 0;
      return x;

    case mjGEOM_ELLIPSOID: {
      const mjtNum inv[3] = {1 / (size[0] * size[0]), 1 / (size[1] * size[1]), 1 / (size[2] * size[2])};
      x = rayEllipsoid(r, inv);
      mth_addScl3(dir, r->pnt, r->vec, x);
      for (int i = 0; i < 3; i++) dir[i] *= inv[i];
      return x;
    }

    case mjGEOM_CYLINDER:
      if (col_rayMissesSphere(r, size[0] * size[0] + size[1] * size[1])) return -1;
      x = rayCylinder(r, size, &end);
      mth_addScl3(dir, r->pnt, r->vec, x);
      dir[2] = 0;
      if (end) mth_set3(dir, 0, 0, end);
      return x;

    default:
      return col_rayBox(r, size, NULL, dir);
  }
}

mjtNum mju_rayGeom(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3], const mjtNum pnt[3],
                   const mjtNum vec[3], int geomtype, mjtNum normal[3]) {
  if (geomtype == mjGEOM_SPHERE) return geomSphere(pos, size[0], pnt, vec, normal);
  if (geomtype != mjGEOM_PLANE && geomtype != mjGEOM_CAPSULE && geomtype != mjGEOM_ELLIPSOID &&
      geomtype != mjGEOM_CYLINDER && geomtype != mjGEOM_BOX) {
    mju_error("mju_rayGeom: unexpected geom type %d", geomtype);
    return -1;
  }
  mjtNum dir[3] = {0, 0, 0};
  const ColRay r = col_rayLocal(pos, mat, pnt, vec);
  const mjtNum x = rayShape(&r, size, geomtype, dir);
  return finish(x, normal, mat, dir);
}
