// Support functions on the CPU: those of the shapes (support_body.h), short cuts for meshes whose hulls are convex
// (hull.h), and the set-up.
#include "collision/support.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "collision/float4.h"
#include "collision/section.h"
#include "collision/support_body.h"
#include "math/vec.h"

// hulls of up to this many vertices are scanned in single precision first
enum { COL_SMALL = 64 };

// How much higher than its neighbours, relative to the size of the mesh, a vertex must be for the walk to it not to
// matter: far above what is rounded, so that on a convex hull it is the highest of all by more than any tie.
static const mjtNum COL_CLEARLY = 1e-4;

// the same for small hulls that are scanned, whose vertices are all compared
static const float COL_CLEARLY_SMALL = 1e-5f;

// Cell of a unit direction: cells are squares on the faces of a cube around the mesh. -1 for what is no direction.
static int cellOf(const mjtNum dir[3]) {
  const mjtNum size[3] = {fabs(dir[0]), fabs(dir[1]), fabs(dir[2])};
  int axis = size[1] > size[0];
  axis = size[2] > size[axis] ? 2 : axis;
  const int face = 2 * axis + (dir[axis] < 0);

  // the two smaller coordinates are at most sqrt(1/2)
  const mjtNum scale = 0.7071 * COL_HINT_SIDE;
  const mjtNum u = dir[axis == 0] * scale + COL_HINT_SIDE / 2;
  const mjtNum v = dir[axis == 2 ? 1 : 2] * scale + COL_HINT_SIDE / 2;
  if (!(u >= 0 && u < COL_HINT_SIDE && v >= 0 && v < COL_HINT_SIDE)) return -1;
  return (face * COL_HINT_SIDE + (int)u) * COL_HINT_SIDE + (int)v;
}

// highest hull vertex in the direction at the middle of a cell
static int cellVertex(const ColConvex* s, int cell) {
  const int axis = cell / (2 * COL_HINT_SIDE * COL_HINT_SIDE);
  const int side = cell / (COL_HINT_SIDE * COL_HINT_SIDE) % 2;
  const mjtNum u = (cell / COL_HINT_SIDE % COL_HINT_SIDE + 0.5 - COL_HINT_SIDE / 2) / (0.7071 * COL_HINT_SIDE);
  const mjtNum v = (cell % COL_HINT_SIDE + 0.5 - COL_HINT_SIDE / 2) / (0.7071 * COL_HINT_SIDE);
  mjtNum dir[3];
  dir[axis == 0] = u;
  dir[axis == 2 ? 1 : 2] = v;
  dir[axis] = (side ? -1 : 1) * sqrt(mth_max(0, 1 - u * u - v * v));

  int best = 0;
  mjtNum top = -FLT_MAX;
  for (int i = 0; i < s->nhull; i++) {
    const mjtNum h = height(s->vert + 3 * s->globalid[i], dir);
    if (h > top) {
      top = h;
      best = i;
    }
  }
  return best;
}

// A vertex that is clearly higher than its neighbours is the only answer, wherever the walk began; then it may begin
// near the end, at the vertex of the direction's cell. Otherwise the walk from the last result decides. A cell's vertex
// is found when it is first needed and does not depend on what was asked before.
static int climbFromHint(const ColConvex* s, const mjtNum dir[3]) {
  const int cell = s->hint ? cellOf(dir) : -1;
  if (cell < 0) return climbFromLast(s, dir);
  int start = (int)atomic_load_explicit(s->hint + cell, memory_order_relaxed) - 1;
  if (start < 0 || start >= s->nhull) {
    start = cellVertex(s, cell);
    atomic_store_explicit(s->hint + cell, (uint16_t)(start + 1), memory_order_relaxed);
  }
  const Peak p = climb(s, dir, start);
  const int clear = p.top - p.next > COL_CLEARLY * (s->size[0] + s->size[1] + s->size[2]);
  return clear ? p.at : climbFromLast(s, dir);
}

// first step of climbFromLast where only the mesh vertex is known
static void findHullId(ColConvex* s) {
  if (s->hullid >= 0 || s->vertid < 0) return;
  s->hullid = 0;
  while (s->globalid[s->hullid] != s->vertid) s->hullid++;
}

//---------------------------------- small hulls ---------------------------------------------------

// heights of four vertices x0 y0 z0 x1 | y1 z1 x2 y2 | z2 x3 y3 z3, in single precision
static inline ColFloat4 height4(const float* v, const ColFloat4 dir[3]) {
  const ColFloat4 a = col_load4(v), b = col_load4(v + 4), c = col_load4(v + 8);
  const ColFloat4 yz01 = __builtin_shufflevector(a, b, 1, 2, 4, 5);
  const ColFloat4 xyzx = __builtin_shufflevector(b, c, 2, 3, 4, 5);
  const ColFloat4 yz23 = __builtin_shufflevector(xyzx, c, 1, 2, 6, 7);
  const ColFloat4 x = __builtin_shufflevector(a, xyzx, 0, 3, 4, 7);
  const ColFloat4 y = __builtin_shufflevector(yz01, yz23, 0, 2, 4, 6);
  const ColFloat4 z = __builtin_shufflevector(yz01, yz23, 1, 3, 5, 7);
  return dir[0] * x + dir[1] * y + dir[2] * z;
}

// the vertex that is clearly the highest of all; -1 if there is none
static inline int scanSmall(const ColConvex* s, const mjtNum dir[3]) {
  const ColFloat4 d[3] = {col_all4((float)dir[0]), col_all4((float)dir[1]), col_all4((float)dir[2])};

  // whole groups of four, and one that ends with the last vertex
  ColFloat4 h[COL_SMALL / 4];
  const int n = (s->nvert - 1) / 4, last = s->nvert - 4;
  const ColFloat4 end = height4(s->vert + 3 * last, d);
  ColFloat4 top = end;
  for (int i = 0; i < n; i++) {
    h[i] = height4(s->vert + 12 * i, d);
    top = col_max4(top, h[i]);
  }

  // one bit for each that is not clearly lower
  const ColFloat4 least = col_all4(col_highest4(top) - s->blur);
  uint64_t bits = (uint64_t)col_notLess4(end, least) << last;
  for (int i = 0; i < n; i++) bits |= (uint64_t)col_notLess4(h[i], least) << (4 * i);
  return bits && !(bits & (bits - 1)) ? __builtin_ctzll(bits) : -1;
}

static void supportSmall(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  mjtNum local[3];
  mth_mulMatTVec3(local, s->mat, dir);
  const int id = scanSmall(s, local);
  if (id >= 0) {
    s->hullid = -1;
    s->vertid = id;
  } else {
    findHullId(s);
    s->hullid = climbFromLast(s, local);
    s->vertid = s->globalid[s->hullid];
  }
  meshVertex(res, s, s->vertid);
}

// difference of heights that is clear, and far above the error of single precision
static float clearHeight(const float* vert, int nvert) {
  ColFloat4 reach = col_all4(0);
  for (int i = 0; i < 3 * nvert; i += 4) {
    const ColFloat4 v = col_load4(vert + (i + 4 <= 3 * nvert ? i : 3 * nvert - 4));
    reach = col_max4(reach, col_max4(v, -v));
  }
  return COL_CLEARLY_SMALL * col_highest4(reach);
}

//---------------------------------- large hulls ---------------------------------------------------

static void supportClimb(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  mjtNum local[3];
  mth_mulMatTVec3(local, s->mat, dir);
  s->hullid = climbFromHint(s, local);
  s->vertid = s->globalid[s->hullid];
  meshVertex(res, s, s->vertid);
}

// corner of a flex element (one for a vertex)
static void supportCorners(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  int best = 0;
  mjtNum top = mth_dot3(s->point[0], dir);
  for (int i = 1; i < s->npoint; i++) {
    const mjtNum h = mth_dot3(s->point[i], dir);
    if (h > top) {
      top = h;
      best = i;
    }
  }
  mth_copy3(res, s->point[best]);
}

//---------------------------------- set-up --------------------------------------------------------

static void initShape(ColConvex* s, const mjModel* m, int type, mjtNum margin) {
  s->model = m;
  s->type = type;
  s->margin = margin;
  s->inflate = margin > 0 ? 0.5 * margin : 0;
  s->pos = s->mat = s->size = s->center = NULL;
  s->support = NULL;
  s->mesh = -1;
  s->sure = 1;
  s->vertid = -1;
  s->hullid = -1;
  s->edge = NULL;
  s->hint = NULL;
  s->npoint = 0;
}

static void initMesh(ColConvex* s, const mjModel* m, const mjData* d, int mesh) {
  s->mesh = mesh;
  s->vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  s->nvert = m->mesh_vertnum[mesh];

  // hull graph: [number of vertices, number of faces, edgeadr, globalid, edges …]
  const int adr = m->mesh_graphadr[mesh];
  if (adr >= 0) {
    const int* graph = m->mesh_graph + adr;
    s->nhull = graph[0];
    s->edgeadr = graph + 2;
    s->globalid = graph + 2 + s->nhull;
    s->edge = graph + 2 + 2 * s->nhull;
  }
  const int scan = adr < 0 || s->nvert < COL_CLIMB_MIN;
  s->sure = scan || col_meshConvex(m, d, mesh);
  if (scan) {
    s->support = supportScan;
  } else if (s->sure && s->nhull == s->nvert && s->nvert <= COL_SMALL) {
    s->support = supportSmall;
    s->blur = clearHeight(s->vert, s->nvert);
  } else {
    s->support = supportClimb;
    if (s->sure && s->nhull < UINT16_MAX) s->hint = col_hints(m, d, mesh);
  }
}

void col_convexGeom(ColConvex* s, const mjModel* m, const mjData* d, int g, mjtNum margin) {
  initShape(s, m, m->geom_type[g], margin);
  s->pos = d->geom_xpos + 3 * g;
  s->mat = d->geom_xmat + 9 * g;
  s->size = m->geom_size + 3 * g;

  switch (s->type) {
    case mjGEOM_SPHERE:
      s->support = supportSphere;
      break;
    case mjGEOM_CAPSULE:
      s->support = supportCapsule;
      break;
    case mjGEOM_ELLIPSOID:
      s->support = supportEllipsoid;
      break;
    case mjGEOM_CYLINDER:
      s->support = supportCylinder;
      break;
    case mjGEOM_BOX:
      s->support = supportBox;
      break;
    case mjGEOM_MESH:
    case mjGEOM_SDF:
      initMesh(s, m, d, m->geom_dataid[g]);
      break;
    default:
      mju_error("convex collision: no support function for geom type %d", s->type);
  }
}

void col_convexObject(ColConvex* s, const mjModel* m, const mjData* d, const ColObject* o, mjtNum margin) {
  if (o->geom >= 0) {
    col_convexGeom(s, m, d, o->geom, margin);
    return;
  }

  // the radius of the flex and half the margin surround its elements and vertices
  initShape(s, m, mjGEOM_FLEX, margin);
  const int f = o->flex;
  const mjtNum* vert = d->flexvert_xpos + 3 * m->flex_vertadr[f];
  s->inflate = m->flex_radius[f] + 0.5 * margin;
  s->support = supportCorners;

  if (o->elem >= 0) {
    const int ncorner = m->flex_dim[f] + 1;
    const int* corner = m->flex_elem + m->flex_elemdataadr[f] + o->elem * ncorner;
    s->npoint = ncorner;
    for (int i = 0; i < ncorner; i++) s->point[i] = vert + 3 * corner[i];
    s->center = d->flexelem_aabb + 6 * (m->flex_elemadr[f] + o->elem);
  } else {
    s->npoint = 1;
    s->point[0] = s->center = vert + 3 * o->vert;
  }
}

void col_convexPoints(ColConvex* s, const mjModel* m, const mjtNum* const* point, int n, const mjtNum* center) {
  initShape(s, m, mjGEOM_FLEX, 0);
  s->support = supportCorners;
  s->npoint = n;
  s->center = center;
  for (int i = 0; i < n; i++) s->point[i] = point[i];
}

void col_convexPrism(ColConvex* s, const mjModel* m) {
  initShape(s, m, mjGEOM_HFIELD, 0);
  s->support = supportPrism;
}
