// A query of two convex shapes on a GPU: the shapes, what is asked and what is found, and the support functions.
//
// The code is that of the CPU (collision/*_body.h), in double precision whatever the precision of the file.
#pragma once

#include "cuda/group.h"

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

#if defined(__CUDACC__) && !CU_DOUBLE

// Divisions and roots to the last bit or two, without branches, for numbers whose inverse is one. Lanes wait for them
// one after the other.
CU_FN double cu_quickDiv(double x, double y) {
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(y));
  const double e = fma(-y, r, 1.0);
  r = fma(r, fma(e, e, e), r);
  const double q = x * r;
  return fma(fma(-y, q, x), r, q);
}

CU_FN double cu_quickRoot(double x) {
  double r;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
  const double e = fma(-x * r, r, 1.0);
  r = fma(r * e, fma(0.375, e, 0.5), r);
  const double s = x * r;
  return fma(fma(-s, s, x), 0.5 * r, s);
}

#define COL_DIV(x, y) cu_quickDiv(x, y)
#define COL_SQRT(x)   cu_quickRoot(x)

#endif

#include "collision/ccd.h"

COL_API void supportOf(mjtNum res[3], ColConvex* s, const mjtNum dir[3]);

#include "collision/support_body.h"
#include "collision/gjk_body.h"
#include "collision/epa_body.h"
#include "collision/ccd_body.h"

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

// Boxes and ellipsoids: they differ in their own frame only, so that two lanes can have one each. 0: another shape
COL_FN int supportSolid(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  if (s->support != CU_SUPPORT_BOX && s->support != CU_SUPPORT_ELLIPSOID) return 0;
  mjtNum local[3];
  mth_mulMatTVec3(local, s->mat, dir);
  if (s->support == CU_SUPPORT_BOX) {
    boxCorner(local, s);
  } else {
    ellipsoidPoint(local, s->size);
  }
  toGlobal(res, s, local);
  return 1;
}

COL_API void supportOf(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  if (supportSolid(res, s, dir)) return;
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
    case CU_SUPPORT_CYLINDER:
      supportCylinder(res, s, dir);
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
  mjtNum weight[4], next[3];  // GJK: of the vertices of the simplex, and the point nearest to the origin
} CuQuery;

#ifdef __cplusplus
#define CU_ASSERT static_assert
#else
#define CU_ASSERT _Static_assert
#endif
CU_ASSERT(sizeof(CuQuery) <= CUD_QUERY, "the room for a query");
