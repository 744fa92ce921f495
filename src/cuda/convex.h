// Contacts of solid shapes, with the functions that the CPU has for them (collision/*_body.h), in double precision
// whatever the precision of the file: they decide by signs of differences that single precision loses.
//
// Pairs whose bounding boxes meet are listed and each lane takes one. Closed formulas run in all lanes at once. Convex
// queries go one after the other, all lanes at each (gjk.h, epa.h), in memory that other stages of the step need later.
// A polytope of EPA that outgrows this room is made again in the group's piece of the pool.
//
// In single precision, ellipsoids that do not touch a box, a capsule or a sphere are found out without a query
// (oval.h).
#pragma once

#include "cuda/epa.h"
#include "cuda/oval.h"
#include "cuda/pool.h"
#include "cuda/shapes.h"

#include "collision/convex_body.h"
#include "collision/hfield_body.h"
#include "collision/plane_convex_body.h"
#include "collision/narrow/box_box_body.h"
#include "collision/narrow/sphere_box_body.h"
#include "collision/narrow/capsule_box_body.h"

//---------------------------------- queries ----------------------------------

// Runs a query, in the memory that the group has for one. A polytope that outgrows this is made again from the same
// simplex, and from the same vertices of meshes.
CU_FN void cu_ask(Cu* c, CuQuery* x) {
  const CudModel* m = c->m;
  cu_sync();
  if (!cu_gjk(m, x)) return;
  const int from[4] = {x->a.vertid, x->a.hullid, x->b.vertid, x->b.hullid};
  if (m->fewgrow && cu_deepen(x, (char*)x + CUD_QUERY, m->fewgrow, m->fewface)) return;
  cu_takePiece(c);
  cu_sync();
  CU_FOR(i, 1) {
    x->a.vertid = from[0], x->a.hullid = from[1], x->b.vertid = from[2], x->b.hullid = from[3];
  }
  cu_deepen(x, (char*)(c->more + c->t->piece) - m->scratch, m->ccd_iterations, m->maxface);
}

//---------------------------------- pairs ----------------------------------

CU_FN void cu_toHit(CuHit* hit, const ColContact* con) {
  hit->dist = (Real)con->dist;
  for (int i = 0; i < 3; i++) {
    hit->pos[i] = (Real)con->pos[i];
    hit->normal[i] = (Real)con->frame[i];
    hit->tangent[i] = (Real)con->frame[3 + i];
  }
}

// pairs with formulas of their own
COL_API int cu_closedPair(const CudModel* m, int p, const CuPose pose[2], CuHit* hit) {
  const int g2 = m->pair_geom[2 * p + 1];
  const mjtNum margin = m->param_margin[m->pair_param[p]];
  const ColShape s[2] = {
      {pose[0].pos, pose[0].mat, pose[0].size},
      {pose[1].pos, pose[1].mat, pose[1].size},
  };
  ColContact con[CU_MAXSOLID];
  int n = 0;
  if (m->pair_shape[p] == CUD_BOX_BOX) {
    n = col_rawBoxBox(con, margin, s, s + 1);
    n = col_cleanBoxes(con, n, margin, s, s + 1);
  } else if (m->pair_shape[p] == CUD_CAPSULE_BOX) {
    n = col_rawCapsuleBox(con, margin, s, s + 1);
  } else {
    ColConvex shape;
    cu_openGeom(&shape, m, g2, pose + 1, 0);
    n = planeContacts(con, s, &shape, m->geom_dataid[g2], m->geom_rbound[g2], margin);
  }
  for (int i = 0; i < n; i++) cu_toHit(hit + i, con + i);
  return n;
}

// the contact that a query has found, if any
COL_FN int cu_answer(const CuQuery* x, mjtNum margin, ColContact* con) {
  if (!(x->q.dist < 0) || !x->q.npoint) return 0;
  mjtNum normal[3], pos[3];
  pairToContact(normal, pos, &x->q, 0);
  setContact(con, margin + x->q.dist, normal, pos);
  return 1;
}

// where the direction is kept along which a pair was apart
COL_FN float* cu_axisOf(const Cu* c, int p) {
  const CudModel* m = c->m;
  return c->t->axes ? c->t->axes + 3 * ((int64_t)c->sim * (m->nsolid - m->nclosed) + p - m->nclosed) : 0;
}

// the vertices of a mesh that is searched along its graph may not be the farthest: for it no direction is kept
COL_FN int cu_keepsAxis(const CuQuery* x) {
  return x->a.support != CU_SUPPORT_CLIMB && x->b.support != CU_SUPPORT_CLIMB;
}

// 1: the shapes are still apart along the direction of the last query (stillSeparate of the CPU)
CU_FN int cu_stillApart(const CudModel* m, CuQuery* x, const float* axis) {
  if (!axis || (axis[0] == 0 && axis[1] == 0 && axis[2] == 0)) return 0;
  CuVec along;
  mth_set3(along.x, -(mjtNum)axis[0], -(mjtNum)axis[1], -(mjtNum)axis[2]);
  const CuVec p = cu_supportPair(x, cu_closing(x)->vert, along);
  cu_sync();
  CU_FOR(i, 1) x->a.vertid = x->a.hullid = x->b.vertid = x->b.hullid = -1;
  return -mth_dot3(along.x, p.x) > 10 * m->ccd_tolerance + COL_APART;
}

#if !CU_DOUBLE

// which of a pair's geoms is an ellipsoid that oval.h knows, -1: none
CU_FN int cu_ovalOf(const CudModel* m, int p) {
  const int type1 = m->geom_type[m->pair_geom[2 * p]], type2 = m->geom_type[m->pair_geom[2 * p + 1]];
  if (type1 == mjGEOM_ELLIPSOID) return type2 == mjGEOM_BOX ? 0 : -1;
  return type2 == mjGEOM_ELLIPSOID && (type1 == mjGEOM_CAPSULE || type1 == mjGEOM_SPHERE) ? 1 : -1;
}

CU_FN CuShape cu_shapeOf(const Cu* c, int g) {
  const CuShape s = {CU_W(c, geom_xpos) + 3 * g, CU_W(c, geom_xmat) + 9 * g, c->m->geom_size + 3 * g};
  return s;
}

// a pair with an ellipsoid
typedef struct {
  CuShape oval, box;
  Real margin, way;  // farther apart than this a query finds nothing; -1: the ellipsoid is the second shape
  int type;          // of the other one
} CuOvalPair;

CU_FN CuOvalPair cu_ovalPair(const Cu* c, int p) {
  const CudModel* m = c->m;
  const int second = cu_ovalOf(m, p), other = m->pair_geom[2 * p + !second];
  CuOvalPair o;
  o.oval = cu_shapeOf(c, m->pair_geom[2 * p + second]);
  o.box = cu_shapeOf(c, other);
  o.type = m->geom_type[other];
  o.margin = m->param_margin[m->pair_param[p]] + (Real)(10 * m->ccd_tolerance + COL_APART);
  o.way = second ? R_(-1) : R_(1);
  return o;
}

// 1: the lane's pair may touch. Along the last direction all lanes look at once; a new one they seek together, for one
// pair after the other.
CU_FN int cu_ovalsTouch(const Cu* c, int p, int asks) {
  const int mine = asks && cu_ovalOf(c->m, p) >= 0;
  float* const axis = mine ? cu_axisOf(c, p) : 0;
  if (axis && (axis[0] != 0 || axis[1] != 0 || axis[2] != 0)) {
    const CuOvalPair o = cu_ovalPair(c, p);
    const Real along[3] = {o.way * axis[0], o.way * axis[1], o.way * axis[2]};
    asks = !cu_ovalApartAlong(&o.oval, o.type, &o.box, along, o.margin);
  }
  CU_LOOP for (unsigned left = cu_mask(mine && asks); left; left &= left - 1) {
    const CuOvalPair o = cu_ovalPair(c, (int)cu_from((Real)p, cu_first(left)));
    Real along[3];
    const int apart = cu_ovalApart(&o.oval, o.type, &o.box, o.margin, along);
    if (!cu_isFirst(left)) continue;
    asks = !apart;
    for (int i = 0; axis && i < 3; i++) axis[i] = apart ? (float)(o.way * along[i]) : 0;
  }
  return asks;
}

#endif

// the geoms of a pair as the shapes of a query, a lane for each
CU_FN void cu_openPair(const Cu* c, int p, CuQuery* x) {
  const CudModel* m = c->m;
  const mjtNum margin = m->param_margin[m->pair_param[p]];
  CU_FOR(k, 2) {
    const int g = m->pair_geom[2 * p + k];
    x->pose[k] = cu_poseOf(c, g);
    cu_openGeom(k ? &x->b : &x->a, m, g, x->pose + k, margin);
  }
  cu_sync();
}

// the query of a pair; 1: there is a contact, which the lane that asked takes
CU_FN int cu_askPair(Cu* c, int p, int mine, CuHit* hit) {
  const CudModel* m = c->m;
  CuQuery* x = (CuQuery*)CU_W(c, solid);
  cu_openPair(c, p, x);
  float* const axis = cu_keepsAxis(x) ? cu_axisOf(c, p) : 0;
  if (cu_stillApart(m, x, axis)) return 0;
  cu_ask(c, x);
  cu_sync();
  ColContact con;
  const int n = cu_answer(x, m->param_margin[m->pair_param[p]], &con);
  if (n && mine) cu_toHit(hit, &con);
  if (axis) {
    CU_FOR(i, 3) axis[i] = !n && x->q.separate ? (float)x->q.axis[i] : 0;
  }
  return n;
}

// contacts of the pairs of all lanes, -1: a lane has none; queries go one after the other
CU_FN int cu_solidPair(Cu* c, int p, CuHit* hit) {
  const CudModel* m = c->m;
  int n = 0, asks = p >= 0 && m->pair_shape[p] == CUD_CONVEX;
  if (p >= 0 && !asks) {
    const CuPose pose[2] = {cu_poseOf(c, m->pair_geom[2 * p]), cu_poseOf(c, m->pair_geom[2 * p + 1])};
    n = cu_closedPair(m, p, pose, hit);
  }
#if !CU_DOUBLE
  asks = cu_ovalsTouch(c, p, asks);
#endif
  CU_LOOP for (unsigned left = cu_mask(asks); left; left &= left - 1) {
    const int mine = cu_isFirst(left), found = cu_askPair(c, cu_fromInt(p, cu_first(left)), mine, hit);
    if (mine) n = found;
    cu_sync();
  }
  return n;
}

//---------------------------------- height fields ----------------------------------

// a geom over a height field: the geom in the frame of the field, and the cells under it
typedef struct {
  Field f;
  CuPose field, geom;
  Bounds bounds;
  Cells cell;
  int n;  // prisms
} CuOver;

COL_API void cu_openField(const Cu* c, int p, CuOver* o) {
  const CudModel* m = c->m;
  const int g1 = m->pair_geom[2 * p], g2 = m->pair_geom[2 * p + 1], id = m->geom_dataid[g1];
  const mjtNum margin = m->param_margin[m->pair_param[p]];
  o->n = 0;
  o->field = cu_poseOf(c, g1);
  o->geom = cu_poseOf(c, g2);
  o->f.pos = o->field.pos;
  o->f.mat = o->field.mat;
  o->f.size = m->hfield_size + 4 * id;
  o->f.data = m->hfield_data + m->hfield_adr[id];
  o->f.nrow = m->hfield_nrow[id];
  o->f.ncol = m->hfield_ncol[id];
  mjtNum pos[3], mat[9];
  toField(pos, &o->f, o->geom.pos);
  if (sphereApart(&o->f, pos, m->geom_rbound[g2] + margin)) return;
  mth_mulMatTMat3(mat, o->field.mat, o->geom.mat);
  mth_copy3(o->geom.pos, pos);
  mth_copy9(o->geom.mat, mat);
  ColConvex s;
  cu_openGeom(&s, m, g2, &o->geom, margin);
  o->bounds = boundsOf(&s);
  if (isApart(&o->f, &o->bounds, margin)) return;
  o->cell = cellsUnder(&o->f, &o->bounds);
  o->n = (o->cell.rmax - o->cell.rmin) * 2 * (o->cell.cmax - o->cell.cmin);
}

// a prism as the first shape of a query, the geom as the second; 0: the geom is above it
COL_API int cu_openPrism(const CudModel* m, const CuOver* o, CuQuery* x, int p, int k) {
  const mjtNum margin = m->param_margin[m->pair_param[p]];
  const int each = 2 * (o->cell.cmax - o->cell.cmin), row = o->cell.rmin + k / each;
  const int i = 2 * (o->cell.cmin + 1) + k % each;
  x->pose[0] = o->field;
  x->pose[1] = o->geom;
  cu_openConvex(&x->a, m, mjGEOM_HFIELD, x->pose, 0);
  cu_openGeom(&x->b, m, m->pair_geom[2 * p + 1], x->pose + 1, margin);
  x->a.prism = x->prism;
  for (int j = 0; j < 6; j++) mth_zero3(x->prism[j]);
  for (int j = i - 2; j <= i; j++) addColumn(&x->a, &o->f, row, j, margin);
  return !isBelow(&x->a, o->bounds.min[2]);
}

// the contact of a prism of a height field, by the first lane; the other lanes have none
CU_FN int cu_prismPair(Cu* c, int p, const CuOver* o, int k, CuHit* hit) {
  CuQuery* x = (CuQuery*)CU_W(c, solid);
  const int mine = cu_lane() == 0;
  if (!cu_any(mine && cu_openPrism(c->m, o, x, p, k))) return 0;
  cu_ask(c, x);
  cu_sync();
  ColContact con, world;
  int n = 0;
  if (mine && cu_answer(x, 0, &con)) {
    world.dist = con.dist;
    mth_mulMatVec3(world.frame, o->f.mat, con.frame);
    mth_zero3(world.frame + 3);
    mth_mulMatVec3(world.pos, o->f.mat, con.pos);
    mth_addTo3(world.pos, o->f.pos);
    cu_toHit(hit, &world);
    n = 1;
  }
  cu_sync();
  return n;
}
