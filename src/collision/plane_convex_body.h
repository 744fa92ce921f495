// Contacts of a plane with an ellipsoid or a mesh: the lowest point, and for a mesh up to two more vertices below the
// margin that are not too close to it: neighbours of the lowest one on the hull, or any when there is no hull. An
// ellipsoid fitted to a mesh remembers the mesh, and if that has no hull its vertices count too, although they are not
// on the surface: so does version 3.5.0 of the reference.
#pragma once

#include "collision/support.h"
#include "math/vec.h"

// contacts at most, and the least distance from the first one relative to the mesh's bounding radius
enum { COL_PLANEMESH_MAX = 3 };
#define COL_PLANEMESH_APART 0.3

typedef struct {
  const mjtNum* pos;
  mjtNum normal[3];
  mjtNum apart;      // distance from the first contact that a further one needs
  mjtNum threshold;  // height along -normal in the mesh's frame above which a vertex counts
  mjtNum down[3];    // -normal in the mesh's frame
} Ground;

COL_FN void setLowest(ColContact* con, const Ground* p, const mjtNum point[3]) {
  mjtNum rel[3];
  mth_sub3(rel, point, p->pos);
  con->dist = mth_dot3(p->normal, rel);
  mth_addScl3(con->pos, point, p->normal, -0.5 * con->dist);
  mth_copy3(con->frame, p->normal);
  mth_zero3(con->frame + 3);
}

// adds a vertex if it is low enough and far enough from the first contact
COL_FN int addLow(ColContact* con, int n, const Ground* p, const ColConvex* s, const float v[3]) {
  const mjtNum local[3] = {v[0], v[1], v[2]};
  if (!(mth_dot3(p->down, local) > p->threshold)) return 0;
  mjtNum point[3];
  mth_mulMatVec3(point, s->mat, local);
  mth_addTo3(point, s->pos);
  if (mth_dist3(point, con[0].pos) < p->apart) return 0;
  setLowest(con + n, p, point);
  return 1;
}

COL_FN int meshContacts(ColContact* con, const Ground* p, const ColConvex* s) {
  int n = 1;
  if (s->edge) {
    for (const int* e = s->edge + s->edgeadr[s->hullid]; *e >= 0 && n < COL_PLANEMESH_MAX; e++) {
      n += addLow(con, n, p, s, s->vert + 3 * s->globalid[*e]);
    }
  } else {
    for (int i = 0; i < s->nvert && n < COL_PLANEMESH_MAX; i++) {
      if (i != s->hullid) n += addLow(con, n, p, s, s->vert + 3 * i);
    }
  }
  return n;
}

// contacts of a plane with a convex shape; mesh: of the geom, -1: none; radius: of its bounding sphere
COL_FN int planeContacts(ColContact* con, const ColShape* plane, ColConvex* s, int mesh, mjtNum radius, mjtNum margin) {
  const ColModel* m = s->model;
  Ground p = {.pos = plane->pos};
  mth_col3(p.normal, plane->mat, 2);

  // lowest point
  mjtNum down[3], point[3], rel[3];
  mth_neg3(down, p.normal);
  col_supportCentred(point, s, down);
  mth_sub3(rel, point, p.pos);
  if (mth_dot3(p.normal, rel) > margin) return 0;
  setLowest(con, &p, point);

  // more of a mesh
  if (mesh == -1) return 1;
  if (s->type == mjGEOM_ELLIPSOID) {
    if (m->mesh_graphadr[mesh] >= 0) return 1;
    s->vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
    s->nvert = m->mesh_vertnum[mesh];
    s->hullid = -1;
  }
  mth_mulMatTVec3(p.down, s->mat, down);
  mth_sub3(rel, s->pos, p.pos);
  p.threshold = mth_dot3(p.normal, rel) - margin;
  p.apart = COL_PLANEMESH_APART * radius;
  return meshContacts(con, &p, s);
}
