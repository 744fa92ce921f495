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
  int ncon = known ? col_exactPair(m, d, con, g1, g2, distmax) : -1;
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
