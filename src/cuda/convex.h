// Contacts of solid shapes, with the functions that the CPU has for them (collision/*_body.h), in double precision
// whatever the precision of the file: they decide by signs of differences that single precision loses.
//
// Pairs whose bounding boxes meet are listed and each lane takes one. Closed formulas run in all lanes at once. Convex
// queries go one after the other, in memory that other stages of the step need later: lanes that ran them at the same
// time would each need kilobytes of it, and wait for memory that is farther away. A polytope of EPA that outgrows this
// room is made again in the group's piece of the pool.
//
// In single precision, ellipsoids that do not touch a box, a capsule or a sphere are found out without a query
// (oval.h).
#pragma once

#include "cuda/oval.h"
#include "cuda/pool.h"
#include "cuda/shapes.h"

#define COL_GPU
typedef CudModel ColModel;

// support functions of shapes, as ColConvex.support
enum {
  COL_POINT,
  COL_SEGMENT,
  CU_SUPPORT_SPHERE,
  CU_SUPPORT_CAPSULE,
  CU_SUPPORT_ELLIPSOID,
  CU_SUPPORT_CYLINDER,
  CU_SUPPORT_BOX,
  CU_SUPPORT_SCAN,
  CU_SUPPORT_CLIMB,
  CU_SUPPORT_PRISM,
  CU_SUPPORT_CORNERS  // of an element of a flex
};

#include "collision/ccd.h"

COL_API void supportOf(mjtNum res[3], ColConvex* s, const mjtNum dir[3]);

#include "collision/support_body.h"
#include "collision/gjk_body.h"
#include "collision/epa_body.h"
#include "collision/ccd_body.h"
#include "collision/convex_body.h"
#include "collision/hfield_body.h"
#include "collision/plane_convex_body.h"
#include "collision/narrow/box_box_body.h"
#include "collision/narrow/sphere_box_body.h"
#include "collision/narrow/capsule_box_body.h"

//---------------------------------- shapes ----------------------------------

#if CU_FAR

// corner of an element: there are four, of which the last may be repeated
COL_FN void supportCorners(mjtNum res[3], const ColConvex* s, const mjtNum dir[3]) {
  int best = 0;
  mjtNum top = mth_dot3(s->prism[0], dir);
  for (int i = 1; i < 4; i++) {
    const mjtNum h = mth_dot3(s->prism[i], dir);
    if (h > top) {
      top = h;
      best = i;
    }
  }
  mth_copy3(res, s->prism[best]);
}

#endif

COL_API void supportOf(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  switch (s->support) {
    case COL_POINT:
      col_supportPoint(res, s, dir);
      return;
    case COL_SEGMENT:
      col_supportSegment(res, s, dir);
      return;
    case CU_SUPPORT_SPHERE:
      supportSphere(res, s, dir);
      return;
    case CU_SUPPORT_CAPSULE:
      supportCapsule(res, s, dir);
      return;
    case CU_SUPPORT_ELLIPSOID:
      supportEllipsoid(res, s, dir);
      return;
    case CU_SUPPORT_CYLINDER:
      supportCylinder(res, s, dir);
      return;
    case CU_SUPPORT_BOX:
      supportBox(res, s, dir);
      return;
    case CU_SUPPORT_SCAN:
      supportScan(res, s, dir);
      return;
    case CU_SUPPORT_PRISM:
      supportPrism(res, s, dir);
      return;
#if CU_FAR
    case CU_SUPPORT_CORNERS:
      supportCorners(res, s, dir);
      return;
#endif
    default: {
      mjtNum local[3];
      mth_mulMatTVec3(local, s->mat, dir);
      s->hullid = climbFromLast(s, local);
      s->vertid = s->globalid[s->hullid];
      meshVertex(res, s, s->vertid);
    }
  }
}

// pose and size of a geom
typedef struct {
  mjtNum pos[3], mat[9], size[3];
} CuPose;

COL_FN CuPose cu_poseOf(const Cu* c, int g) {
  CuPose p;
  for (int i = 0; i < 3; i++) {
    p.pos[i] = CU_W(c, geom_xpos)[3 * g + i];
    p.size[i] = c->m->geom_size[3 * g + i];
  }
  for (int i = 0; i < 9; i++) p.mat[i] = CU_W(c, geom_xmat)[9 * g + i];
  return p;
}

COL_FN void cu_openMesh(ColConvex* s, const CudModel* m, int mesh) {
  const int adr = m->mesh_graphadr[mesh];
  s->mesh = mesh;
  s->vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  s->nvert = m->mesh_vertnum[mesh];
  if (adr >= 0) {
    s->nhull = m->mesh_graph[adr];
    s->edgeadr = m->mesh_graph + adr + 2;
    s->globalid = s->edgeadr + s->nhull;
    s->edge = s->globalid + s->nhull;
  }
  s->support = adr < 0 || s->nvert < COL_CLIMB_MIN ? CU_SUPPORT_SCAN : CU_SUPPORT_CLIMB;
}

// a shape of this type at a pose
COL_FN void cu_openConvex(ColConvex* s, const CudModel* m, int type, const CuPose* p, mjtNum margin) {
  s->model = m;
  s->type = type;
  s->pos = p->pos;
  s->mat = p->mat;
  s->size = p->size;
  s->margin = margin;
  s->inflate = margin > 0 ? 0.5 * margin : 0;
  s->vertid = s->hullid = -1;
  s->edge = 0;
  s->support = type == mjGEOM_HFIELD ? CU_SUPPORT_PRISM : CU_SUPPORT_SPHERE + type - mjGEOM_SPHERE;
}

COL_FN void cu_openGeom(ColConvex* s, const CudModel* m, int g, const CuPose* p, mjtNum margin) {
  cu_openConvex(s, m, m->geom_type[g], p, margin);
  if (s->type == mjGEOM_MESH) cu_openMesh(s, m, m->geom_dataid[g]);
}

//---------------------------------- queries ----------------------------------

// a query with all that it points to
typedef struct {
  ColConvex a, b;
  ColQuery q;
  CuPose pose[2];
  mjtNum prism[6][3];
} CuQuery;

#ifdef __cplusplus
#define CU_ASSERT static_assert
#else
#define CU_ASSERT _Static_assert
#endif
CU_ASSERT(sizeof(CuQuery) <= CUD_QUERY, "the room for a query");
CU_ASSERT(sizeof(ColVertex) == CUD_VERTEX && sizeof(ColFace) == CUD_FACE, "the room for a polytope");
CU_ASSERT(CUD_LISTS == 5 * sizeof(ColIndex), "the room for its lists");

// Lists of faces: candidates; the rim, two numbers for each edge, which are two more than the faces removed; and edges
// to look across, of which each face removed leaves one more than it takes.
COL_FN ColPolytope cu_polytope(char* memory, int nvert, int nface) {
  ColPolytope pt;
  pt.nvert = pt.nface = pt.ncand = pt.nrim = 0;
  pt.maxface = nface;
  pt.vert = (ColVertex*)memory;
  pt.face = (ColFace*)(pt.vert + nvert);
  pt.cand = (ColIndex*)(pt.face + nface);
  pt.rim = pt.cand + nface;
  pt.todo = pt.rim + 2 * nface + 6;
  return pt;
}

// 1: the shapes overlap, and EPA must say how much
COL_API int cu_gjk(const CudModel* m, CuQuery* x) {
  ColQuery* q = &x->q;
  q->maxiter = m->ccd_iterations;
  q->tolerance = m->ccd_tolerance;
  q->maxcon = 1;
  q->cutoff = 0;
  if ((isRound(&x->a) || isRound(&x->b)) && shallow(q, &x->a, &x->b)) return 0;
  runGjk(q, &x->a, &x->b);
  return q->dist <= q->tolerance && q->nsimplex > 1;
}

// How deep they overlap; grow: how often the polytope may grow, in this memory. 0: it could not grow as much as it
// should
COL_API int cu_deepen(CuQuery* x, char* memory, int grow, int nface) {
  ColPolytope pt = cu_polytope(memory, grow + 5, nface);
  x->q.maxiter = grow;
  x->q.dist = 0;
  const int face = col_epa(&x->q, &pt, &x->a, &x->b);
  return face < 0 || (x->q.grown < grow && pt.nface + pt.nrim <= pt.maxface);
}

// Runs the query of one lane, in the memory that the group has for one. A polytope that outgrows this is made again
// from the same simplex, and from the same vertices of meshes.
CU_FN void cu_ask(Cu* c, CuQuery* x, int mine) {
  const CudModel* m = c->m;
  int from[4] = {0, 0, 0, 0}, more = 0;
  if (mine && cu_gjk(m, x)) {
    from[0] = x->a.vertid, from[1] = x->a.hullid, from[2] = x->b.vertid, from[3] = x->b.hullid;
    more = !m->fewgrow || !cu_deepen(x, (char*)x + CUD_QUERY, m->fewgrow, m->fewface);
  }
  if (!cu_any(more)) return;
  cu_takePiece(c);
  if (!more) return;
  x->a.vertid = from[0], x->a.hullid = from[1], x->b.vertid = from[2], x->b.hullid = from[3];
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

// 1: the shapes are still apart along the direction of the last query
COL_API int cu_stillApart(const CudModel* m, CuQuery* x, const float* axis) {
  if (!axis || (axis[0] == 0 && axis[1] == 0 && axis[2] == 0)) return 0;
  const int apart = stillSeparate(axis, &x->a, &x->b, m->ccd_tolerance);
  x->a.vertid = x->a.hullid = x->b.vertid = x->b.hullid = -1;
  return apart;
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

// contacts of the pairs of all lanes, -1: a lane has none; queries go one after the other
CU_FN int cu_solidPair(Cu* c, int p, CuHit* hit) {
  const CudModel* m = c->m;
  CuQuery* x = (CuQuery*)CU_W(c, solid);
  const int convex = p >= 0 && m->pair_shape[p] == CUD_CONVEX, g1 = p >= 0 ? m->pair_geom[2 * p] : 0;
  const int g2 = p >= 0 ? m->pair_geom[2 * p + 1] : 0;
  int n = 0, asks = convex;
  if (p >= 0 && !convex) {
    const CuPose pose[2] = {cu_poseOf(c, g1), cu_poseOf(c, g2)};
    n = cu_closedPair(m, p, pose, hit);
  }
#if !CU_DOUBLE
  asks = cu_ovalsTouch(c, p, asks);
#endif
  CU_LOOP for (unsigned left = cu_mask(asks); left; left &= left - 1) {
    int mine = cu_isFirst(left);
    const mjtNum margin = mine ? m->param_margin[m->pair_param[p]] : 0;
    float* axis = 0;
    if (mine) {
      x->pose[0] = cu_poseOf(c, g1);
      x->pose[1] = cu_poseOf(c, g2);
      cu_openGeom(&x->a, m, g1, x->pose, margin);
      cu_openGeom(&x->b, m, g2, x->pose + 1, margin);
      axis = cu_keepsAxis(x) ? cu_axisOf(c, p) : 0;
      mine = !cu_stillApart(m, x, axis);
    }
    cu_ask(c, x, mine);
    ColContact con;
    if (mine && cu_answer(x, margin, &con)) {
      cu_toHit(hit, &con);
      n = 1;
    }
    if (mine && axis) {
      for (int i = 0; i < 3; i++) axis[i] = !n && x->q.separate ? (float)x->q.axis[i] : 0;
    }
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
  const int mine = cu_lane() == 0 && cu_openPrism(c->m, o, x, p, k);
  if (!cu_any(mine)) return 0;
  cu_ask(c, x, mine);
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
