// Rays and whole models: the nearest visible geom, for one ray or for many from one point.
//
// Many rays share their origin, so each geom first gets the range of directions in which its bounding box can be seen:
// azimuth and elevation, widened by the angle under which the box's half size appears because edges are curved in these
// coordinates. A ray outside the range of a geom does not look at it.
#include "collision/ray.h"

#include <math.h>

#include "math/elem.h"
#include "math/vec.h"

//---------------------------------- one geom ------------------------------------------------------

// geoms that are not looked at: those of one body, parts of a mesh, invisible, static or of another group
static int isExcluded(const mjModel* m, int g, const ColRayFilter* filter) {
  const int body = m->geom_bodyid[g];
  if (body == filter->bodyexclude) return 1;
  if (filter->shapes && col_isPart(m, filter->shapes, g)) return 1;
  const int mat = m->geom_matid[g];
  const float alpha = mat < 0 ? m->geom_rgba[4 * g + 3] : m->mat_rgba[4 * mat + 3];
  if (alpha == 0) return 1;
  if (!filter->withStatic && m->body_weldid[body] == 0) return 1;
  if (!filter->group) return 0;
  return filter->group[mth_maxInt(0, mth_minInt(mjNGROUP - 1, m->geom_group[g]))] == 0;
}

static mjtNum rayGeom(const mjModel* m, const mjData* d, int g, const mjtNum pnt[3], const mjtNum vec[3],
                      mjtNum normal[3]) {
  switch (m->geom_type[g]) {
    case mjGEOM_MESH:
      return mj_rayMesh(m, d, g, pnt, vec, normal);
    case mjGEOM_HFIELD:
      return mj_rayHfield(m, d, g, pnt, vec, normal);
    case mjGEOM_SDF:
      return col_raySdf(m, d, g, pnt, vec, normal);
    default:
      return mju_rayGeom(d->geom_xpos + 3 * g, d->geom_xmat + 9 * g, m->geom_size + 3 * g, pnt, vec, m->geom_type[g],
                         normal);
  }
}

// nearest hit so far
typedef struct {
  mjtNum dist;
  int geom;
  mjtNum normal[3];
} Nearest;

static void tryGeom(Nearest* best, const mjModel* m, const mjData* d, int g, const ColRay* ray, int withNormal) {
  mjtNum n[3];
  const mjtNum dist = rayGeom(m, d, g, ray->pnt, ray->vec, withNormal ? n : NULL);
  if (dist >= 0 && (dist < best->dist || best->dist < 0)) {
    best->dist = dist;
    best->geom = g;
    if (withNormal) mth_copy3(best->normal, n);
  }
}

static mjtNum giveNearest(const Nearest* best, int* geomid, mjtNum* normal) {
  if (geomid) *geomid = best->geom;
  if (normal) mth_copy3(normal, best->normal);
  return best->dist;
}

mjtNum mj_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3], const mjtByte* geomgroup,
              mjtByte flg_static, int bodyexclude, int geomid[1], mjtNum normal[3]) {
  if (mth_norm3(vec) < mjMINVAL) mju_error("mj_ray: vector length is too small");
  const ColRay ray = {
      {pnt[0], pnt[1], pnt[2]},
      {vec[0], vec[1], vec[2]}
  };
  Nearest best = {
      -1, -1, {0, 0, 0}
  };
  const ColRayFilter filter = {geomgroup, flg_static, bodyexclude, mjMAXVAL, col_exactHead(m, d)};
  for (int g = 0; g < m->ngeom; g++) {
    if (!isExcluded(m, g, &filter)) tryGeom(&best, m, d, g, &ray, normal != NULL);
  }
  return giveNearest(&best, geomid, normal);
}

//---------------------------------- many rays -----------------------------------------------------

// directions as angles: azimuth in [-pi, pi], elevation from the z axis in [0, pi]
static inline mjtNum azimuth(const mjtNum v[3]) {
  return mth_atan2(v[1], v[0]);
}
static inline mjtNum elevation(const mjtNum v[3]) {
  return mth_atan2(sqrt(v[0] * v[0] + v[1] * v[1]), v[2]);
}

// directions in which a geom can be seen: azimuth and elevation from, then to
typedef struct {
  int excluded;
  mjtNum range[4];
} Aperture;

static void openFully(mjtNum range[4]) {
  range[0] = -mjPI;
  range[1] = 0;
  range[2] = range[3] = mjPI;
}

static int isInsideBox(const mjtNum aabb[6], const ColRay* local) {
  for (int i = 0; i < 3; i++) {
    if (fabs(local->pnt[i] - aabb[i]) > aabb[3 + i]) return 0;
  }
  return 1;
}

// range over the corners of the bounding box
static void openToBox(mjtNum range[4], const mjtNum aabb[6], const mjtNum pos[3], const mjtNum mat[9],
                      const mjtNum pnt[3]) {
  mjtNum *const low = range, *const high = range + 2;
  for (int i = 0; i < 8; i++) {
    mjtNum corner[3];
    for (int j = 0; j < 3; j++) corner[j] = i >> j & 1 ? aabb[j] + aabb[3 + j] : aabb[j] - aabb[3 + j];
    mth_mulMatVec3(corner, mat, corner);
    mth_addTo3(corner, pos);
    mth_subFrom3(corner, pnt);
    const mjtNum angle[2] = {azimuth(corner), elevation(corner)};
    for (int j = 0; j < 2; j++) {
      low[j] = i ? mth_min(low[j], angle[j]) : angle[j];
      high[j] = i ? mth_max(high[j], angle[j]) : angle[j];
    }
  }

  // between the corners the box may bulge out
  const mjtNum dist = mth_dist3(pnt, pos);
  if (dist > mjMINVAL) {
    const mjtNum bulge = mth_atan2(mth_max(aabb[3], mth_max(aabb[4], aabb[5])), dist);
    for (int j = 0; j < 2; j++) {
      low[j] -= bulge;
      high[j] += bulge;
    }
  }
}

int col_rayRange(mjtNum range[4], const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3],
                 const ColRayFilter* filter) {
  if (isExcluded(m, geomid, filter)) return 1;
  if (m->body_bvhadr[m->geom_bodyid[geomid]] == -1) return 0;
  const mjtNum *pos = d->geom_xpos + 3 * geomid, *mat = d->geom_xmat + 9 * geomid, *aabb = m->geom_aabb + 6 * geomid;
  if (mth_dist3(pos, pnt) > filter->cutoff + m->geom_rbound[geomid]) return 1;
  const mjtNum none[3] = {0, 0, 0};
  const ColRay local = col_rayLocal(pos, mat, pnt, none);
  if (isInsideBox(aabb, &local)) {
    openFully(range);
    return 0;
  }

  // ranges around the pole or across the seam are not worth keeping
  openToBox(range, aabb, pos, mat, pnt);
  if (range[2] - range[0] > mjPI || range[3] - range[1] > mjPI) openFully(range);
  return 0;
}

// the direction (az, el) is outside
static int isOutside(const mjtNum range[4], mjtNum az, mjtNum el) {
  if (el < range[1] || el > range[3]) return 1;
  const mjtNum half = (range[2] - range[0]) * 0.5;
  mjtNum off = az - (range[0] + range[2]) * 0.5;
  if (off > mjPI) {
    off -= 2 * mjPI;
  } else if (off < -mjPI) {
    off += 2 * mjPI;
  }
  return fabs(off) > half;
}

// the ray misses the sphere around a body's bounding box
static int missesBody(const mjModel* m, const mjData* d, int b, const ColRay* ray) {
  const mjtNum* aabb = m->bvh_aabb + 6 * m->body_bvhadr[b];
  ColRay local = *ray;
  mjtNum center[3];
  mth_add3(center, aabb, d->xipos + 3 * b);
  mth_sub3(local.pnt, ray->pnt, center);
  return col_rayMissesSphere(&local, mth_dot3(aabb + 3, aabb + 3));
}

// what rays from one point share: where each geom can be seen from there
typedef struct {
  const mjModel* m;
  const mjData* d;
  const mjtNum* from;
  Aperture* aperture;
} Fan;

// on the stack of d
static Fan openFan(const mjModel* m, mjData* d, const mjtNum pnt[3], const ColRayFilter* filter) {
  const Fan fan = {m, d, pnt, mj_stackAllocByte(d, sizeof(Aperture) * (size_t)m->ngeom, _Alignof(Aperture))};
  for (int g = 0; g < m->ngeom; g++) {
    fan.aperture[g].excluded = col_rayRange(fan.aperture[g].range, m, d, g, pnt, filter);
  }
  return fan;
}

// geoms follow each other body by body: a body that is missed is found out with its first one
static Nearest castRay(const Fan* fan, const mjtNum vec[3], int withNormal) {
  const mjModel* m = fan->m;
  const ColRay ray = {
      {fan->from[0], fan->from[1], fan->from[2]},
      {vec[0],       vec[1],       vec[2]      }
  };
  Nearest best = {.geom = -1, .dist = -1};
  const mjtNum az = azimuth(vec), el = elevation(vec);
  for (int g = 0, body = -1, bounded = 0, missed = 0; g < m->ngeom; g++) {
    if (m->geom_bodyid[g] != body) {
      body = m->geom_bodyid[g];
      bounded = m->body_bvhadr[body] != -1;
      missed = bounded && missesBody(m, fan->d, body, &ray);
    }
    const Aperture* seen = fan->aperture + g;
    if (missed || seen->excluded || (bounded && isOutside(seen->range, az, el))) continue;
    tryGeom(&best, m, fan->d, g, &ray, withNormal);
  }
  return best;
}

void mj_multiRay(const mjModel* m, mjData* d, const mjtNum pnt[3], const mjtNum* vec, const mjtByte* geomgroup,
                 mjtByte flg_static, int bodyexclude, int* geomid, mjtNum* dist, mjtNum* normal, int nray,
                 mjtNum cutoff) {
  mj_markStack(d);
  const Fan fan = openFan(m, d, pnt, &(ColRayFilter){geomgroup, flg_static, bodyexclude, cutoff, col_exactHead(m, d)});
  for (int i = 0; i < nray; i++, vec += 3) {
    // without a direction nothing is hit
    dist[i] = -1;
    if (mth_dot3(vec, vec) < mjMINVAL) continue;
    const Nearest best = castRay(&fan, vec, normal != NULL);
    dist[i] = giveNearest(&best, geomid ? geomid + i : NULL, normal ? normal + 3 * i : NULL);
  }
  mj_freeStack(d);
}
