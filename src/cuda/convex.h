// Contacts of solid shapes, with the functions that the CPU has for them (collision/*_body.h), in double precision
// whatever the precision of the file: they decide by signs of differences that single precision loses.
//
// Pairs whose bounding spheres meet are listed and each lane takes one. GJK runs in all lanes at once; the few pairs
// that it finds overlapping go through EPA in turn, whose polytope is in the group's piece of the pool.
#pragma once

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
  CU_SUPPORT_PRISM
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

// a query of one lane
typedef struct {
  ColConvex a, b;
  ColQuery q;
} CuQuery;

// 1: the shapes overlap, and EPA must say how much
COL_API int cu_gjk(CuQuery* x) {
  ColQuery* q = &x->q;
  if ((isRound(&x->a) || isRound(&x->b)) && shallow(q, &x->a, &x->b)) return 0;
  runGjk(q, &x->a, &x->b);
  return q->dist <= q->tolerance && q->nsimplex > 1;
}

COL_API void cu_deepen(CuQuery* x, char* memory, int maxface) {
  ColPolytope pt = {0};
  pt.maxface = maxface;
  pt.vert = (ColVertex*)memory;
  pt.face = (ColFace*)(pt.vert + x->q.maxiter + 5);
  pt.cand = (int*)(pt.face + maxface);
  pt.rim = pt.cand + maxface;
  pt.todo = pt.rim + 4 * maxface + 6;
  x->q.dist = 0;
  col_epa(&x->q, &pt, &x->a, &x->b);
}

// runs the queries of the lanes that have one; every lane takes part
CU_FN void cu_runQueries(Cu* c, int asks, CuQuery* x) {
  const CudModel* m = c->m;
  int deep = 0;
  if (asks) {
    x->q.maxiter = m->ccd_iterations;
    x->q.tolerance = m->ccd_tolerance;
    x->q.maxcon = 1;
    x->q.cutoff = 0;
    deep = cu_gjk(x);
  }
  if (!cu_any(deep)) return;
  cu_takePiece(c);
  CU_LOOP for (int lane = 0; lane < CU_WIDTH; lane++) {
    if (cu_lane() == lane && deep) cu_deepen(x, (char*)(c->more + c->t->piece) - m->scratch, m->maxface);
    cu_sync();
  }
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

// contacts of the pairs of all lanes, -1: a lane has none
CU_FN int cu_solidPair(Cu* c, int p, CuHit* hit) {
  const CudModel* m = c->m;
  CuPose pose[2];
  CuQuery x;
  int n = 0, asks = 0;
  mjtNum margin = 0;
  if (p >= 0) {
    const int g1 = m->pair_geom[2 * p], g2 = m->pair_geom[2 * p + 1];
    margin = m->param_margin[m->pair_param[p]];
    pose[0] = cu_poseOf(c, g1);
    pose[1] = cu_poseOf(c, g2);
    asks = m->pair_shape[p] == CUD_CONVEX;
    if (asks) {
      cu_openGeom(&x.a, m, g1, pose, margin);
      cu_openGeom(&x.b, m, g2, pose + 1, margin);
    } else {
      n = cu_closedPair(m, p, pose, hit);
    }
  }
  cu_runQueries(c, asks, &x);
  if (asks && x.q.dist < 0 && x.q.npoint) {
    mjtNum normal[3], pos[3];
    ColContact con;
    pairToContact(normal, pos, &x.q, 0);
    setContact(&con, margin + x.q.dist, normal, pos);
    cu_toHit(hit, &con);
    n = 1;
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

// a prism as the first shape of a query; 0: the geom is above it
COL_API int cu_openPrism(const CuOver* o, ColConvex* s, int k, mjtNum margin) {
  const int each = 2 * (o->cell.cmax - o->cell.cmin), row = o->cell.rmin + k / each;
  const int i = 2 * (o->cell.cmin + 1) + k % each;
  for (int j = i - 2; j <= i; j++) addColumn(s, &o->f, row, j, margin);
  return !isBelow(s, o->bounds.min[2]);
}

// the contact of a lane's prism of a height field; k < 0: it has none
CU_FN int cu_prismPair(Cu* c, int p, const CuOver* o, int k, CuHit* hit) {
  const CudModel* m = c->m;
  const mjtNum margin = m->param_margin[m->pair_param[p]];
  CuQuery x;
  int asks = 0;
  if (k >= 0) {
    cu_openConvex(&x.a, m, mjGEOM_HFIELD, &o->field, 0);
    for (int i = 0; i < 6; i++) mth_zero3(x.a.prism[i]);
    asks = cu_openPrism(o, &x.a, k, margin);
    cu_openGeom(&x.b, m, m->pair_geom[2 * p + 1], &o->geom, margin);
  }
  cu_runQueries(c, asks, &x);
  if (!asks || !(x.q.dist < 0)) return 0;
  mjtNum normal[3], pos[3];
  ColContact con;
  pairToContact(normal, pos, &x.q, 0);
  con.dist = x.q.dist;
  mth_mulMatVec3(con.frame, o->f.mat, normal);
  mth_zero3(con.frame + 3);
  mth_mulMatVec3(con.pos, o->f.mat, pos);
  mth_addTo3(con.pos, o->f.pos);
  cu_toHit(hit, &con);
  return 1;
}
