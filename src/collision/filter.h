// The cheap questions of selection: may two things collide at all, and are their bounding volumes apart?
#pragma once

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stddef.h>

#include "math/vec.h"

// a "bodyflex" is a body (index below nbody) or a flex (nbody + its index)
static inline bool col_isBody(const mjModel* m, int bf) {
  return bf < m->nbody;
}

// collision bits of a body, flex or geom
typedef struct {
  int contype;
  int conaffinity;
} ColBits;

static inline ColBits col_bits(const mjModel* m, int bf) {
  if (bf < m->nbody) return (ColBits){m->body_contype[bf], m->body_conaffinity[bf]};
  return (ColBits){m->flex_contype[bf - m->nbody], m->flex_conaffinity[bf - m->nbody]};
}

static inline ColBits col_geomBits(const mjModel* m, int g) {
  return (ColBits){m->geom_contype[g], m->geom_conaffinity[g]};
}

static inline bool col_bitsMatch(ColBits a, ColBits b) {
  return (a.contype & b.conaffinity) || (b.contype & a.conaffinity);
}

// centre of a geom farther from a plane than its bounding sphere and the margin reach
static inline bool col_abovePlane(const mjModel* m, const mjData* d, int plane, int g, mjtNum margin) {
  const mjtNum* mat = d->geom_xmat + 9 * plane;
  const mjtNum normal[3] = {mat[2], mat[5], mat[8]};
  mjtNum offset[3];
  mth_sub3(offset, d->geom_xpos + 3 * g, d->geom_xpos + 3 * plane);
  return mth_dot3(offset, normal) > margin + m->geom_rbound[g];
}

// bounding spheres apart by more than the margin; a plane has no sphere (rbound 0) but a side
static inline bool col_spheresApart(const mjModel* m, const mjData* d, int g1, int g2, mjtNum margin) {
  const mjtNum r1 = m->geom_rbound[g1], r2 = m->geom_rbound[g2];
  if (r1 > 0 && r2 > 0) {
    const mjtNum reach = r1 + r2 + margin;
    return mth_distSqr3(d->geom_xpos + 3 * g1, d->geom_xpos + 3 * g2) > reach * reach;
  }
  if (m->geom_type[g1] == mjGEOM_PLANE && r2 > 0 && col_abovePlane(m, d, g1, g2, margin)) return true;
  if (m->geom_type[g2] == mjGEOM_PLANE && r1 > 0 && col_abovePlane(m, d, g2, g1, margin)) return true;
  return false;
}

// axis-aligned boxes (centre, half-size) apart by more than the margin
static inline bool col_boxesApart(const mjtNum a[6], const mjtNum b[6], mjtNum margin) {
  for (int i = 0; i < 3; i++) {
    if (a[i] + a[i + 3] + margin < b[i] - b[i + 3]) return true;
    if (b[i] + b[i + 3] + margin < a[i] - a[i + 3]) return true;
  }
  return false;
}

// a cube around a point and an axis-aligned box apart
static inline bool col_pointBoxApart(const mjtNum point[3], mjtNum reach, const mjtNum box[6]) {
  for (int i = 0; i < 3; i++) {
    if (point[i] + reach < box[i] - box[i + 3] || point[i] - reach > box[i] + box[i + 3]) return true;
  }
  return false;
}
