// Smallest signed distance between two geoms.
#include <stddef.h>

#include "collision/ccd.h"
#include "collision/exact.h"
#include "collision/narrow.h"
#include "math/vec.h"

// by the convex query itself, which gives both points exactly
static mjtNum convexDistance(const mjModel* m, const mjData* d, int g1, int g2, mjtNum distmax, mjtNum fromto[6]) {
  ColConvex a, b;
  ColQuery q;
  col_convexGeom(&a, m, d, g1, 0);
  col_convexGeom(&b, m, d, g2, 0);
  col_queryInit(&q, m, 1, distmax);
  const mjtNum dist = col_ccd((mjData*)d, &q, &a, &b);
  if (fromto && q.npoint > 0) {
    mth_copy3(fromto, q.x1);
    mth_copy3(fromto + 3, q.x2);
  }
  return dist < distmax ? dist : distmax;
}

// two geoms that are apart, one of which has a surface: 1, with the distance and the points; 0: they are not apart, or
// there is no surface
static int surfaceGap(const mjModel* m, mjData* d, const int geom[2], mjtNum distmax, ColGap* gap) {
  ColExact x[2];
  const int has[2] = {col_openExact(m, d, geom[0], 1, x), col_openExact(m, d, geom[1], 1, x + 1)}, own = has[1];
  const int other = geom[!own], type = m->geom_type[other];
  if ((!has[0] && !has[1]) || type == mjGEOM_PLANE || type == mjGEOM_SDF) return 0;
  *gap = (ColGap){.dist = distmax};
  if (type == mjGEOM_HFIELD) {
    mjtNum box[6];
    ColConvex hull;
    const ColExact frame = {.pos = d->geom_xpos + 3 * other, .mat = d->geom_xmat + 9 * other};
    col_convexGeom(&hull, m, d, geom[own], 0);
    col_exactBounds(&frame, &hull, mth_min(distmax, mjMAXVAL) + x[own].half, box);
    mj_markStack(d);
    const int met = col_openField(m, d, other, box, x + !own) && col_exactGaps(d, x + own, x + !own, distmax, gap);
    mj_freeStack(d);
    if (!met) return 1;
  } else if (has[0] && has[1]) {
    if (!col_exactGaps(d, x + own, x + !own, distmax, gap)) return 1;
    if (col_exactContains(x, gap->point[own]) || col_exactContains(x + 1, gap->point[!own])) return 0;
  } else {
    ColConvex convex;
    col_convexGeom(&convex, m, d, other, 0);
    if (!col_exactGap(d, x + own, &convex, distmax, gap)) return 1;
    if (col_exactContains(x + own, gap->point[1])) return 0;
  }
  if (gap->dist <= 0) return 0;

  // points in the order of the geoms
  if (own) {
    const ColGap back = *gap;
    mth_copy3(gap->point[0], back.point[1]);
    mth_copy3(gap->point[1], back.point[0]);
  }
  return 1;
}

mjtNum mj_geomDistance(const mjModel* m, const mjData* d, int geom1, int geom2, mjtNum distmax, mjtNum fromto[6]) {
  if (fromto) mth_zero6(fromto);
  if (geom1 < 0 || geom1 >= m->ngeom || geom2 < 0 || geom2 >= m->ngeom) {
    mju_error("mj_geomDistance: invalid geom %d", geom1 < 0 || geom1 >= m->ngeom ? geom1 : geom2);
    return distmax;
  }

  // geoms in the order of the table
  const int flip = m->geom_type[geom1] > m->geom_type[geom2];
  const int g1 = flip ? geom2 : geom1, g2 = flip ? geom1 : geom2;
  const mjfCollision collide = mjCOLLISIONFUNC[m->geom_type[g1]][m->geom_type[g2]];
  if (!collide) return distmax;
  const int native = !(m->opt.disableflags & mjDSBL_NATIVECCD), known = col_exactHead(m, d) != NULL;
  mjContact con[mjMAXCONPAIR];
  ColGap gap;
  if (known && surfaceGap(m, (mjData*)d, (const int[2]){geom1, geom2}, distmax, &gap)) {
    if (fromto && gap.dist < distmax) {
      mth_copy3(fromto, gap.point[0]);
      mth_copy3(fromto + 3, gap.point[1]);
    }
    return gap.dist;
  }
  int ncon = known ? col_surfacePair(m, d, con, (const int[2]){g1, g2}, 1, distmax) : -1;
  if (ncon < 0 && native && (collide == col_convex || collide == col_boxBox)) {
    return convexDistance(m, d, geom1, geom2, distmax, fromto);
  }

  // deepest or nearest contact with the whole range as margin
  if (ncon < 0) ncon = collide(m, d, con, g1, g2, distmax);
  mjtNum dist = distmax;
  const mjContact* best = NULL;
  for (int i = 0; i < ncon; i++) {
    if (con[i].dist < dist) {
      dist = con[i].dist;
      best = con + i;
    }
  }

  // its two ends along the normal
  if (fromto && best) {
    const mjtNum half = flip ? -0.5 * dist : 0.5 * dist;
    mth_addScl3(fromto, best->pos, best->frame, -half);
    mth_addScl3(fromto + 3, best->pos, best->frame, half);
  }
  return dist;
}
