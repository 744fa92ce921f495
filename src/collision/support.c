// Support functions: the point of a convex shape that is farthest in a direction.
//
// For a polytope this is a vertex. On the graph of a convex hull a vertex whose neighbours are not farther is the
// farthest of all, so walking uphill from any vertex finds it in about sqrt(n) steps. Which of several equally far
// vertices is returned depends on the start and on the order of the walk; both are part of the behaviour.
#include "collision/support.h"

#include <float.h>
#include <math.h>

#include "math/vec.h"

// meshes with fewer vertices are scanned: cheaper than walking, and ties resolve by vertex number
static const int COL_CLIMB_MIN = 10;

// res = mat * local + pos
static inline void toGlobal(mjtNum res[3], const ColConvex* s, const mjtNum local[3]) {
  const mjtNum* mat = s->mat;
  res[0] = mat[0] * local[0] + mat[1] * local[1] + mat[2] * local[2] + s->pos[0];
  res[1] = mat[3] * local[0] + mat[4] * local[1] + mat[5] * local[2] + s->pos[1];
  res[2] = mat[6] * local[0] + mat[7] * local[1] + mat[8] * local[2] + s->pos[2];
}

// height of a mesh vertex along a direction
static inline mjtNum height(const float v[3], const mjtNum dir[3]) {
  return dir[0] * (mjtNum)v[0] + dir[1] * (mjtNum)v[1] + dir[2] * (mjtNum)v[2];
}

// position of a mesh vertex
static inline void meshVertex(mjtNum res[3], const ColConvex* s, int id) {
  const float* v = s->vert + 3 * id;
  const mjtNum local[3] = {v[0], v[1], v[2]};
  toGlobal(res, s, local);
}

//---------------------------------- smooth shapes -------------------------------------------------

void col_supportPoint(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  (void)dir;
  mth_copy3(res, s->pos);
}

void col_supportSegment(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  const mjtNum* mat = s->mat;
  const mjtNum along = mat[2] * dir[0] + mat[5] * dir[1] + mat[8] * dir[2];
  const mjtNum half = along >= 0 ? s->size[1] : -s->size[1];
  res[0] = mat[2] * half + s->pos[0];
  res[1] = mat[5] * half + s->pos[1];
  res[2] = mat[8] * half + s->pos[2];
}

static void supportSphere(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  mth_addScl3(res, s->pos, dir, s->size[0]);
}

static void supportCapsule(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  mjtNum local[3];
  mth_mulMatTVec3(local, s->mat, dir);

  // sphere at the end that is nearer to the direction
  const mjtNum end = local[2] >= 0 ? s->size[1] : -s->size[1];
  mth_scl3(local, local, s->size[0]);
  local[2] += end;
  toGlobal(res, s, local);
}

static void supportEllipsoid(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  const mjtNum* size = s->size;
  mjtNum local[3];
  mth_mulMatTVec3(local, s->mat, dir);

  // the direction seen by the unit sphere
  for (int i = 0; i < 3; i++) local[i] *= size[i];
  const mjtNum sqr = mth_dot3(local, local);

  // no direction left: a point on the first axis
  if (sqr < mjMINVAL * mjMINVAL) {
    const mjtNum pole[3] = {size[0], 0, 0};
    toGlobal(res, s, pole);
    return;
  }

  // point on the unit sphere, mapped to the ellipsoid
  const mjtNum inv = 1 / sqrt(sqr);
  for (int i = 0; i < 3; i++) local[i] *= inv * size[i];
  toGlobal(res, s, local);
}

static void supportCylinder(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  mjtNum local[3];
  mth_mulMatTVec3(local, s->mat, dir);

  // rim in the plane, one of the two discs along the axis
  const mjtNum sqr = local[0] * local[0] + local[1] * local[1];
  const mjtNum scale = sqr >= mjMINVAL * mjMINVAL ? s->size[0] / sqrt(sqr) : 0;
  local[0] *= scale;
  local[1] *= scale;
  local[2] = local[2] >= 0 ? s->size[1] : -s->size[1];
  toGlobal(res, s, local);
}

//---------------------------------- polytopes -----------------------------------------------------

static void supportBox(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  mjtNum local[3];
  mth_mulMatTVec3(local, s->mat, dir);

  // corner in the octant of the direction; its number has one bit per axis
  int corner = 0;
  for (int i = 0; i < 3; i++) {
    local[i] = local[i] >= 0 ? s->size[i] : -s->size[i];
    corner |= (local[i] > 0) << i;
  }
  s->vertid = corner;
  toGlobal(res, s, local);
}

// all vertices, beginning with the last result so that it wins ties
static void supportScan(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  mjtNum local[3];
  mth_mulMatTVec3(local, s->mat, dir);

  int best = 0;
  mjtNum top = -FLT_MAX;
  if (s->vertid >= 0) {
    best = s->vertid;
    top = height(s->vert + 3 * best, local);
  }
  const float* v = s->vert;
  for (int i = 0; i < s->nvert; i++, v += 3) {
    const mjtNum h = height(v, local);
    if (h > top) {
      top = h;
      best = i;
    }
  }

  s->vertid = best;
  meshVertex(res, s, best);
}

// uphill on the hull graph, beginning at the last result. The start itself is not measured: the first step goes to its
// highest neighbour even when that is lower, and the walk comes back if need be.
static void supportClimb(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  mjtNum local[3];
  mth_mulMatTVec3(local, s->mat, dir);

  mjtNum top = -FLT_MAX;
  int at = s->hullid >= 0 ? s->hullid : 0;
  int from;
  do {
    from = at;
    for (const int* e = s->edge + s->edgeadr[at]; *e >= 0; e++) {
      const mjtNum h = height(s->vert + 3 * s->globalid[*e], local);
      if (h > top) {
        top = h;
        at = *e;
      }
    }
  } while (at != from);

  s->hullid = at;
  s->vertid = s->globalid[at];
  meshVertex(res, s, s->vertid);
}

// prism: the top or bottom triangle, whichever the direction points to
static void supportPrism(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  const mjtNum(*corner)[3] = (const mjtNum(*)[3])(dir[2] < 0 ? s->prism : s->prism + 3);
  int best = 0;
  mjtNum top = mth_dot3(corner[0], dir);
  for (int i = 1; i < 3; i++) {
    const mjtNum h = mth_dot3(corner[i], dir);
    if (h > top) {
      top = h;
      best = i;
    }
  }
  mth_copy3(res, corner[best]);
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

//---------------------------------- libccd rules --------------------------------------------------

// uphill from the last result, which is measured first
static int climbMeasured(ColConvex* s, const mjtNum local[3]) {
  int at = s->hullid >= 0 ? s->hullid : 0;
  mjtNum top = height(s->vert + 3 * s->globalid[at], local);
  int from;
  do {
    from = at;
    for (const int* e = s->edge + s->edgeadr[at]; *e >= 0; e++) {
      const mjtNum h = height(s->vert + 3 * s->globalid[*e], local);
      if (h > top) {
        top = h;
        at = *e;
      }
    }
  } while (at != from);
  s->hullid = at;
  return s->globalid[at];
}

// highest vertex, the first one of equals
static int scanMesh(ColConvex* s, const mjtNum local[3]) {
  mjtNum top = -mjMAXVAL;
  int best = -1;
  for (int i = 0; i < s->nvert; i++) {
    const mjtNum h = height(s->vert + 3 * i, local);
    if (h > top) {
      top = h;
      best = i;
    }
  }
  s->hullid = best;
  return best;
}

// farthest point in the geom's frame
static void supportLocal(mjtNum res[3], ColConvex* s, const mjtNum local[3]) {
  const mjtNum* size = s->size;
  switch (s->type) {
    case mjGEOM_SPHERE:
      mth_scl3(res, local, size[0]);
      return;

    case mjGEOM_CAPSULE:
      mth_scl3(res, local, size[0]);
      res[2] += mth_sign(local[2]) * size[1];
      return;

    case mjGEOM_ELLIPSOID:
      for (int i = 0; i < 3; i++) res[i] = local[i] * size[i];
      mth_normalize3(res);
      for (int i = 0; i < 3; i++) res[i] *= size[i];
      return;

    case mjGEOM_CYLINDER: {
      const mjtNum len = sqrt(local[0] * local[0] + local[1] * local[1]);
      res[0] = len > mjMINVAL ? local[0] / len * size[0] : 0;
      res[1] = len > mjMINVAL ? local[1] / len * size[0] : 0;
      res[2] = mth_sign(local[2]) * size[1];
      return;
    }

    case mjGEOM_BOX:
      for (int i = 0; i < 3; i++) res[i] = mth_sign(local[i]) * size[i];
      return;

    case mjGEOM_MESH:
    case mjGEOM_SDF: {
      const int id = s->edge ? climbMeasured(s, local) : scanMesh(s, local);
      if (id < 0) {
        mju_warning("mesh has no vertex in the search direction");
        mth_zero3(res);
        return;
      }
      for (int i = 0; i < 3; i++) res[i] = s->vert[3 * id + i];
      return;
    }

    default:
      mju_error("convex collision: no support function for geom type %d", s->type);
  }
}

void col_supportCentred(mjtNum res[3], ColConvex* s, const mjtNum dir[3]) {
  // shapes without a frame of their own
  if (s->type == mjGEOM_FLEX || s->type == mjGEOM_HFIELD) {
    s->support(res, s, dir);
    if (s->inflate != 0) mth_addToScl3(res, dir, s->inflate);
    return;
  }

  mjtNum local[3], point[3];
  mth_mulMatTVec3(local, s->mat, dir);
  supportLocal(point, s, local);
  for (int i = 0; i < 3; i++) point[i] += local[i] * s->margin / 2;
  toGlobal(res, s, point);
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
  s->vertid = -1;
  s->hullid = -1;
  s->edge = NULL;
  s->npoint = 0;
}

static void initMesh(ColConvex* s, const mjModel* m, int mesh) {
  s->mesh = mesh;
  s->vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  s->nvert = m->mesh_vertnum[mesh];

  // hull graph: [number of vertices, number of faces, edgeadr, globalid, edges …]
  const int adr = m->mesh_graphadr[mesh];
  if (adr >= 0) {
    const int* graph = m->mesh_graph + adr;
    const int nhull = graph[0];
    s->edgeadr = graph + 2;
    s->globalid = graph + 2 + nhull;
    s->edge = graph + 2 + 2 * nhull;
  }
  s->support = adr < 0 || s->nvert < COL_CLIMB_MIN ? supportScan : supportClimb;
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
      initMesh(s, m, m->geom_dataid[g]);
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

void col_convexPrism(ColConvex* s, const mjModel* m) {
  initShape(s, m, mjGEOM_HFIELD, 0);
  s->support = supportPrism;
}

void col_convexCenter(mjtNum res[3], const ColConvex* s) {
  if (s->type == mjGEOM_FLEX) {
    mth_copy3(res, s->center);
  } else if (s->type == mjGEOM_HFIELD) {
    mth_zero3(res);
    for (int i = 0; i < 6; i++) mth_addTo3(res, s->prism[i]);
    mth_scl3(res, res, 1.0 / 6.0);
  } else {
    mth_copy3(res, s->pos);
  }
}
