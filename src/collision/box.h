// World-aligned boxes around bodies, and what a body that reaches everywhere looks like to them: for the broad phase.
#pragma once

#include <float.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdbool.h>

#include "collision/broad.h"
#include "math/pair.h"
#include "math/vec.h"

// margin, in metres, inside which a box near a plane is left to the later tests: the bounding boxes of planes, 1e10
// long, have an error of this size
#define COL_PLANE_SLACK 1e-5

typedef struct {
  mjtNum low[3], high[3];
} ColBox;

// a box that nothing is in
static const ColBox COL_NO_BOX = {
    {DBL_MAX,  DBL_MAX,  DBL_MAX },
    {-DBL_MAX, -DBL_MAX, -DBL_MAX}
};

//---------------------------------- numbers ----------------------------------

// one machine instruction each
static inline mjtNum col_lesser(mjtNum a, mjtNum b) {
  return a < b ? a : b;
}
static inline mjtNum col_greater(mjtNum a, mjtNum b) {
  return a > b ? a : b;
}

static inline MthPair col_size2(MthPair a) {
  typedef int64_t Bits __attribute__((vector_size(16)));
  return (MthPair)((Bits)a & INT64_MAX);
}

//---------------------------------- boxes ----------------------------------

static inline void col_growBox(ColBox* box, const mjtNum low[3], const mjtNum high[3]) {
  for (int i = 0; i < 3; i++) {
    box->low[i] = col_lesser(low[i], box->low[i]);
    box->high[i] = col_greater(high[i], box->high[i]);
  }
}

// what a geom's box is grown by: its part of the margin of a pair
static inline mjtNum col_ownMargin(const mjModel* m, mjtNum margin) {
  return m->opt.enableflags & mjENBL_OVERRIDE ? 0.5 * m->opt.o_margin : margin;
}

// a box under construction: x and y side by side, z
typedef struct {
  MthPair low, high;
  mjtNum lowz, highz;
} ColBoxSum;

// grows by the box of a geom: its oriented box, cut to its bounding sphere, grown by the margin
static inline void col_addGeom(ColBoxSum* box, const mjModel* m, const mjData* d, int g) {
  const mjtNum *centre = m->geom_aabb + 6 * g, *size = centre + 3;
  const mjtNum *pos = d->geom_xpos + 3 * g, *mat = d->geom_xmat + 9 * g;
  const mjtNum radius = m->geom_rbound[g], margin = col_ownMargin(m, m->geom_margin[g]);

  // centre and half sizes along the world's axes
  const MthPair axis0 = {mat[0], mat[3]}, axis1 = {mat[1], mat[4]}, axis2 = {mat[2], mat[5]};
  const MthPair xy = mth_load2(pos), mid = xy + axis0 * centre[0] + axis1 * centre[1] + axis2 * centre[2];
  const MthPair half = col_size2(axis0) * size[0] + col_size2(axis1) * size[1] + col_size2(axis2) * size[2];
  const mjtNum z = pos[2], midz = z + mth_dot3(mat + 6, centre);
  const mjtNum halfz = fabs(mat[6]) * size[0] + fabs(mat[7]) * size[1] + fabs(mat[8]) * size[2];

  // the smaller of both volumes
  box->low = mth_lesser2(mth_greater2(xy - radius, mid - half) - margin, box->low);
  box->high = mth_greater2(mth_lesser2(xy + radius, mid + half) + margin, box->high);
  box->lowz = col_lesser(col_greater(z - radius, midz - halfz) - margin, box->lowz);
  box->highz = col_greater(col_lesser(z + radius, midz + halfz) + margin, box->highz);
}

// box of the geoms [start, end)
static inline ColBoxSum col_sumBox(const mjModel* m, const mjData* d, int start, int end) {
  ColBoxSum sum = {mth_both(DBL_MAX), mth_both(-DBL_MAX), DBL_MAX, -DBL_MAX};
  for (int g = start; g < end; g++) col_addGeom(&sum, m, d, g);
  return sum;
}

static inline ColBox col_geomsBox(const mjModel* m, const mjData* d, int start, int end) {
  const ColBoxSum sum = col_sumBox(m, d, start, end);
  ColBox box;
  mth_storePair(box.low, sum.low);
  mth_storePair(box.high, sum.high);
  box.low[2] = sum.lowz;
  box.high[2] = sum.highz;
  return box;
}

static inline ColBox col_bodyBox(const mjModel* m, const mjData* d, int body) {
  return col_geomsBox(m, d, m->body_geomadr[body], m->body_geomadr[body] + m->body_geomnum[body]);
}

//---------------------------------- far-reaching bodies ----------------------------------

// the geoms of a body that reaches everywhere, unless they are too many: then everything may touch it
typedef struct {
  int n;
  struct {
    bool plane;
    mjtNum normal[3], height;  // plane: points up to this height along the normal are near
    ColBox box;                // else
  } geom[COL_GROUND_GEOMS];
} ColGround;

static inline bool col_hasPlane(const mjModel* m, int body) {
  const int start = m->body_geomadr[body], end = start + m->body_geomnum[body];
  for (int g = start; g < end; g++) {
    if (m->geom_type[g] == mjGEOM_PLANE) return true;
  }
  return false;
}

// the world when it has geoms, and world-welded bodies with a plane
static inline bool col_reachesEverywhere(const mjModel* m, int body) {
  if (!m->body_contype[body] && !m->body_conaffinity[body]) return false;
  return body == 0 ? m->body_geomnum[0] > 0 : m->body_weldid[body] == 0 && col_hasPlane(m, body);
}

static inline void col_makeGround(ColGround* ground, const mjModel* m, const mjData* d, int body) {
  const int start = m->body_geomadr[body];
  ground->n = m->body_geomnum[body] <= COL_GROUND_GEOMS ? m->body_geomnum[body] : 0;
  for (int i = 0; i < ground->n; i++) {
    const int g = start + i;
    ground->geom[i].plane = m->geom_type[g] == mjGEOM_PLANE;
    if (ground->geom[i].plane) {
      mjtNum* normal = ground->geom[i].normal;
      mth_col3(normal, d->geom_xmat + 9 * g, 2);
      ground->geom[i].height =
          mth_dot3(normal, d->geom_xpos + 3 * g) + col_ownMargin(m, m->geom_margin[g]) + COL_PLANE_SLACK;
    } else {
      ground->geom[i].box = col_geomsBox(m, d, g, g + 1);
    }
  }
}

// which of the ground's geoms a box may meet, as bits
static inline unsigned col_nearGround(const ColGround* ground, const mjtNum low[3], const mjtNum high[3]) {
  if (ground->n == 0) return ~0u;
  unsigned bits = 0;
  for (int k = 0; k < ground->n; k++) {
    if (ground->geom[k].plane) {
      // lowest corner of the box over the plane
      const mjtNum* n = ground->geom[k].normal;
      const mjtNum lowest = n[0] * (n[0] > 0 ? low[0] : high[0]) + n[1] * (n[1] > 0 ? low[1] : high[1]) +
                            n[2] * (n[2] > 0 ? low[2] : high[2]);
      bits |= (unsigned)!(lowest > ground->geom[k].height) << k;
    } else {
      const ColBox* box = &ground->geom[k].box;
      const bool apart = low[0] > box->high[0] || low[1] > box->high[1] || low[2] > box->high[2] ||
                         high[0] < box->low[0] || high[1] < box->low[1] || high[2] < box->low[2];
      bits |= (unsigned)!apart << k;
    }
  }
  return bits;
}
