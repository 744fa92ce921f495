// Contacts between two shapes, as collision/narrow/ finds them on the CPU: same features, same order, same tangents.
//
// A function gets the shapes in the order of their types and writes up to CU_MAXHIT contacts: distance, position,
// normal from the first to the second, and a tangent or zero.
#pragma once

#include "cuda/algebra.h"
#include "cuda/model.h"

enum { CU_MAXHIT = 4, CU_MAXSOLID = 24 };

// two segments are parallel where the determinant of their system, relative to its diagonal, is below this: rounding
#if CU_DOUBLE
#define CU_PARALLEL 0
#else
#define CU_PARALLEL 1e-6f
#endif

typedef struct {
  Real dist, pos[3], normal[3], tangent[3];
} CuHit;

// a shape in space: centre, orientation, size as in geom_size
typedef struct {
  const Real *pos, *mat, *size;
} CuShape;

CU_FN void cu_setHit(CuHit* hit, Real dist, const Real pos[3], const Real normal[3]) {
  hit->dist = dist;
  cu_copy3(hit->pos, pos);
  cu_copy3(hit->normal, normal);
  cu_set3(hit->tangent, 0, 0, 0);
}

//---------------------------------- spheres ----------------------------------

// two spheres; other round pairs end here with the nearest points of their skeletons. axis: normal where the centres
// are one point
CU_FN int cu_balls(CuHit* hit, Real margin, const Real p1[3], Real r1, const Real p2[3], Real r2, const CuShape s[2]) {
  Real normal[3], pos[3];
  cu_sub3(normal, p2, p1);
  const Real reach = margin + r1 + r2;
  if (cu_dot3(normal, normal) > reach * reach) return 0;
  const Real length = cu_unit3(normal), dist = length - r1 - r2;
  if (length < CU_MINVAL) {
    Real z1[3], z2[3];
    cu_col3(z1, s[0].mat, 2);
    cu_col3(z2, s[1].mat, 2);
    cu_cross3(normal, z1, z2);
    cu_unit3(normal);
  }
  cu_addScl3(pos, p1, normal, r1 + dist / 2);
  cu_setHit(hit, dist, pos, normal);
  return 1;
}

CU_FN int cu_sphereCapsule(CuHit* hit, Real margin, const CuShape s[2]) {
  Real axis[3], from[3], nearest[3];
  const Real half = s[1].size[1];
  cu_col3(axis, s[1].mat, 2);
  cu_sub3(from, s[0].pos, s[1].pos);
  cu_addScl3(nearest, s[1].pos, axis, cu_clip(cu_dot3(axis, from), -half, half));
  return cu_balls(hit, margin, s[0].pos, s[0].size[0], nearest, s[1].size[0], s);
}

// the nearest point of the box, or out through the nearest face when the centre is inside
CU_FN int cu_ballBox(CuHit* hit, Real margin, const Real point[3], Real radius, const CuShape* box) {
  Real offset[3], centre[3], nearest[3], normal[3], pos[3];
  const Real* size = box->size;
  cu_sub3(offset, point, box->pos);
  cu_mulMatT3(centre, box->mat, offset);
  for (int i = 0; i < 3; i++) nearest[i] = size[i] > 0 ? cu_clip(centre[i], -size[i], size[i]) : centre[i];
  cu_sub3(normal, nearest, centre);
  Real dist = cu_unit3(normal);
  if (dist - radius > margin) return 0;
  if (dist <= CU_MINVAL) {
    Real depth = 2 * (size[0] + size[1] + size[2]);
    int face = 0;
    for (int i = 0; i < 6; i++) {
      const Real gap = cu_abs((i % 2 ? 1 : -1) * size[i / 2] - centre[i / 2]);
      if (depth > gap) depth = gap, face = i;
    }
    cu_set3(normal, 0, 0, 0);
    normal[face / 2] = face % 2 ? R_(-1) : R_(1);
    cu_addScl3(pos, centre, normal, (radius - depth) / 2);
    dist = -depth;
  } else {
    cu_addScl3(pos, centre, normal, radius);
    cu_add3(pos, pos, nearest);
    cu_scl3(pos, pos, R_(0.5));
  }
  Real out[3], along[3];
  cu_mulMat3(out, box->mat, pos);
  cu_add3(out, out, box->pos);
  cu_mulMat3(along, box->mat, normal);
  cu_setHit(hit, dist - radius, out, along);
  return 1;
}

//---------------------------------- planes ----------------------------------

// a sphere over a plane given by a point and a normal
CU_FN int cu_planeBall(CuHit* hit, Real margin, const CuShape* plane, const Real point[3], Real radius) {
  Real normal[3], to[3], pos[3];
  cu_col3(normal, plane->mat, 2);
  cu_sub3(to, point, plane->pos);
  const Real height = cu_dot3(to, normal);
  if (height > margin + radius) return 0;
  cu_addScl3(pos, point, normal, -(height - radius) / 2 - radius);
  cu_setHit(hit, height - radius, pos, normal);
  return 1;
}

// both end spheres; the tangent follows the capsule
CU_FN int cu_planeCapsule(CuHit* hit, Real margin, const CuShape s[2]) {
  Real axis[3], end[3];
  int n = 0;
  cu_col3(axis, s[1].mat, 2);
  CU_LOOP for (int side = 1; side >= -1; side -= 2) {
    cu_addScl3(end, s[1].pos, axis, side * s[1].size[1]);
    if (!cu_planeBall(hit + n, margin, s, end, s[1].size[0])) continue;
    cu_copy3(hit[n++].tangent, axis);
  }
  return n;
}

// the support point of the ellipsoid against the normal
CU_FN int cu_planeEllipsoid(CuHit* hit, Real margin, const CuShape s[2]) {
  Real normal[3], down[3], local[3], deepest[3], to[3];
  cu_col3(normal, s[0].mat, 2);
  cu_scl3(down, normal, -1);
  cu_mulMatT3(local, s[1].mat, down);
  for (int i = 0; i < 3; i++) local[i] *= s[1].size[i];
  cu_unit3(local);
  for (int i = 0; i < 3; i++) local[i] *= s[1].size[i];
  cu_mulMat3(deepest, s[1].mat, local);
  cu_add3(deepest, deepest, s[1].pos);
  cu_sub3(to, deepest, s[0].pos);
  const Real height = cu_dot3(normal, to);
  if (height > margin) return 0;
  cu_addScl3(deepest, deepest, normal, -height / 2);
  cu_setHit(hit, height, deepest, normal);
  return 1;
}

// the first four corners, x fastest, that are below the centre and the margin
CU_FN int cu_planeBox(CuHit* hit, Real margin, const CuShape s[2]) {
  Real normal[3], to[3];
  const Real* size = s[1].size;
  cu_col3(normal, s[0].mat, 2);
  cu_sub3(to, s[1].pos, s[0].pos);
  const Real centre = cu_dot3(to, normal);
  int n = 0;
  CU_LOOP for (int bits = 0; bits < 8 && n < 4; bits++) {
    const Real local[3] = {bits & 1 ? size[0] : -size[0], bits & 2 ? size[1] : -size[1], bits & 4 ? size[2] : -size[2]};
    Real corner[3];
    cu_mulMat3(corner, s[1].mat, local);
    const Real height = cu_dot3(normal, corner);
    if (centre + height > margin || height > 0) continue;
    cu_add3(corner, corner, s[1].pos);
    cu_addScl3(corner, corner, normal, -(centre + height) / 2);
    cu_setHit(hit + n++, centre + height, corner, normal);
  }
  return n;
}

// contact of a point of a cylinder at a height over a plane
CU_FN void cu_cylinderHit(CuHit* hit, Real height, const Real point[3], const Real normal[3]) {
  Real pos[3];
  cu_addScl3(pos, point, normal, -height / 2);
  cu_setHit(hit, height, pos, normal);
}

// the lowest point, its counterpart on the far cap, and two more corners of a triangle on the near cap
CU_FN int cu_planeCylinder(CuHit* hit, Real margin, const CuShape s[2]) {
  const Real radius = s[1].size[0], half = s[1].size[1];
  Real normal[3], axis[3], down[3], to[3], point[3], across[3];
  cu_col3(normal, s[0].mat, 2);
  cu_col3(axis, s[1].mat, 2);
  if (cu_dot3(normal, axis) > 0) cu_scl3(axis, axis, -1);
  const Real slope = cu_dot3(normal, axis);

  // across the axis, most steeply towards the plane
  cu_scl3(down, axis, slope);
  cu_sub3(down, down, normal);
  const Real square = cu_dot3(down, down);
  if (square >= CU_MINVAL * CU_MINVAL) {
    cu_scl3(down, down, radius / cu_sqrt(square));
  } else {
    cu_col3(down, s[1].mat, 0);
    cu_scl3(down, down, radius);
  }
  cu_sub3(to, s[1].pos, s[0].pos);
  const Real centre = cu_dot3(to, normal), steep = cu_dot3(down, normal), along = slope * half;
  cu_scl3(axis, axis, half);
  if (centre + along + steep > margin) return 0;

  int n = 0;
  cu_add3(to, s[1].pos, down);
  cu_add3(point, to, axis);
  cu_cylinderHit(hit + n++, centre + along + steep, point, normal);
  if (centre - along + steep <= margin) {
    cu_sub3(point, to, axis);
    cu_cylinderHit(hit + n++, centre - along + steep, point, normal);
  }
  const Real corner = centre + along - steep / 2;
  if (corner > margin) return n;
  cu_cross3(across, down, axis);
  cu_unit3(across);
  cu_add3(to, s[1].pos, axis);
  cu_addScl3(to, to, down, R_(-0.5));
  CU_LOOP for (int side = 1; side >= -1; side -= 2) {
    cu_addScl3(point, to, across, side * radius * cu_sqrt(R_(3)) / 2);
    cu_cylinderHit(hit + n++, corner, point, normal);
  }
  return n;
}

// the side, a cap or the rim, whichever is nearest to the sphere's centre
CU_FN int cu_sphereCylinder(CuHit* hit, Real margin, const CuShape s[2]) {
  const Real radius = s[1].size[0], half = s[1].size[1], ball = s[0].size[0];
  Real axis[3], from[3], across[3], near[3];
  cu_col3(axis, s[1].mat, 2);
  cu_sub3(from, s[0].pos, s[1].pos);
  const Real x = cu_dot3(axis, from);
  cu_addScl3(across, from, axis, -x);
  const Real square = cu_dot3(across, across);
  int side = cu_abs(x) < half, cap = square < radius * radius;
  if (side && cap) {
    side = !(half - cu_abs(x) < radius - cu_sqrt(square));
    cap = !side;
  }
  if (side) {
    cu_addScl3(near, s[1].pos, axis, x);
    return cu_balls(hit, margin, s[0].pos, ball, near, radius, s);
  }

  // a cap is a plane that faces the sphere; the normal points from the sphere to it
  const Real way = x > 0 ? R_(1) : R_(-1);
  if (cap) {
    const Real height = way * x - half;
    if (height > margin + ball) return 0;
    cu_scl3(axis, axis, way);
    cu_addScl3(near, s[0].pos, axis, -(height - ball) / 2 - ball);
    cu_scl3(axis, axis, -1);
    cu_setHit(hit, height - ball, near, axis);
    return 1;
  }
  cu_addScl3(near, s[1].pos, axis, way * half);
  cu_addScl3(near, near, across, radius / cu_sqrt(square));
  return cu_balls(hit, margin, s[0].pos, ball, near, 0, s);
}

//---------------------------------- capsules ----------------------------------

// spheres at x1 and x2 (-1 to 1) of the two segments, whose half-axes are a1 and a2
CU_FN int cu_capsulesAt(CuHit* hit, Real margin, const CuShape s[2], const Real axis[2][3], Real x1, Real x2) {
  Real p1[3], p2[3];
  cu_addScl3(p1, s[0].pos, axis[0], x1);
  cu_addScl3(p2, s[1].pos, axis[1], x2);
  return cu_balls(hit, margin, p1, s[0].size[0], p2, s[1].size[0], s);
}

CU_FN Real cu_onSegment(Real num, Real den) {
  return den > 0 ? cu_clip(num / den, -1, 1) : 0;
}

// Candidates of two capsules: the nearest points of their lines, clipped one after the other; where they are parallel
// the ends of the first, then of the second, until there are two contacts.
CU_FN int cu_capsuleCapsule(CuHit* hit, Real margin, const CuShape s[2]) {
  Real axis[2][3], offset[3];
  for (int i = 0; i < 2; i++) {
    cu_col3(axis[i], s[i].mat, 2);
    cu_scl3(axis[i], axis[i], s[i].size[1]);
  }
  cu_sub3(offset, s[0].pos, s[1].pos);
  const Real m11 = cu_dot3(axis[0], axis[0]), m12 = -cu_dot3(axis[0], axis[1]), m22 = cu_dot3(axis[1], axis[1]);
  const Real v1 = -cu_dot3(axis[0], offset), v2 = cu_dot3(axis[1], offset), det = m11 * m22 - m12 * m12;
  const int parallel = cu_abs(det) < CU_PARALLEL * m11 * m22 || cu_abs(det) < CU_MINVAL;
  int n = 0;
  CU_LOOP for (int k = 0; k < (parallel ? 4 : 1) && n < 2; k++) {
    const Real side = k & 1 ? R_(-1) : R_(1);
    Real x1 = side, x2 = side;
    if (!parallel) {
      x1 = (m22 * v1 - m12 * v2) / det;
      x2 = (m11 * v2 - m12 * v1) / det;
      if (x1 > 1 || x1 < -1) {
        x1 = x1 > 1 ? R_(1) : R_(-1);
        x2 = (v2 - x1 * m12) / m22;
      }
      if (x2 > 1 || x2 < -1) {
        x2 = x2 > 1 ? R_(1) : R_(-1);
        x1 = cu_clip((v1 - x2 * m12) / m11, -1, 1);
      }
    } else if (k < 2) {
      x2 = cu_onSegment(v2 - side * m12, m22);
    } else {
      x1 = cu_onSegment(v1 - side * m12, m11);
    }
    n += cu_capsulesAt(hit + n, margin, s, axis, x1, x2);
  }
  return n;
}

//---------------------------------- all pairs ----------------------------------

CU_FN int cu_collideShapes(CuHit* hit, Real margin, int shape, const CuShape s[2]) {
  switch (shape) {
    case CUD_PLANE_SPHERE:
      return cu_planeBall(hit, margin, s, s[1].pos, s[1].size[0]);
    case CUD_PLANE_CAPSULE:
      return cu_planeCapsule(hit, margin, s);
    case CUD_PLANE_ELLIPSOID:
      return cu_planeEllipsoid(hit, margin, s);
    case CUD_PLANE_CYLINDER:
      return cu_planeCylinder(hit, margin, s);
    case CUD_PLANE_BOX:
      return cu_planeBox(hit, margin, s);
    case CUD_SPHERE_SPHERE:
      return cu_balls(hit, margin, s[0].pos, s[0].size[0], s[1].pos, s[1].size[0], s);
    case CUD_SPHERE_CAPSULE:
      return cu_sphereCapsule(hit, margin, s);
    case CUD_SPHERE_CYLINDER:
      return cu_sphereCylinder(hit, margin, s);
    case CUD_SPHERE_BOX:
      return cu_ballBox(hit, margin, s[0].pos, s[0].size[0], s + 1);
    default:
      return cu_capsuleCapsule(hit, margin, s);
  }
}
