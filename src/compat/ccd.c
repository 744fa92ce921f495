// Convex collision detection under the reference's internal names: its structs are translated to and from ours.
#include "compat/ccd.h"

#include <string.h>

#include "collision/ccd.h"
#include "collision/support.h"

//---------------------------------- shapes ----------------------------------

// our shape; where the last search in a mesh ended is taken over, and given back by keepIndex
static void makeShape(ColConvex* s, const mjCCDObj* obj) {
  const ColObject object = {obj->geom, obj->flex, obj->elem, obj->vert};
  col_convexObject(s, obj->model, obj->data, &object, obj->margin);
  s->vertid = obj->vertindex;
  s->hullid = obj->meshindex;
}

static void keepIndex(mjCCDObj* obj, const ColConvex* s) {
  obj->vertindex = s->vertid;
  obj->meshindex = s->hullid;
}

// farthest point in a direction; elements of flexes include their radius and half the margin
static void support(mjtNum res[3], mjCCDObj* obj, const mjtNum dir[3]) {
  ColConvex s;
  makeShape(&s, obj);
  s.support(res, &s, dir);
  if (obj->geom < 0) mju_addToScl3(res, dir, s.inflate);
  keepIndex(obj, &s);
}

void mjc_initCCDObj(mjCCDObj* obj, const mjModel* m, const mjData* d, int g, mjtNum margin) {
  obj->model = m;
  obj->data = d;
  obj->geom = g;
  obj->geom_type = g >= 0 ? m->geom_type[g] : mjGEOM_FLEX;
  obj->vertindex = obj->meshindex = -1;
  obj->flex = obj->elem = obj->vert = -1;
  obj->margin = margin;
  mju_unit4(obj->rotate);
  obj->center = mjc_center;
  obj->support = support;
  if (g >= 0 && (obj->geom_type < mjGEOM_SPHERE || obj->geom_type > mjGEOM_SDF)) {
    mju_error("mjc_initCCDObj: no support function for geom type %d", obj->geom_type);
  }
}

void mjc_center(mjtNum res[3], const mjCCDObj* obj) {
  ColConvex s;
  makeShape(&s, obj);
  col_convexCenter(res, &s);
}

//---------------------------------- query ----------------------------------

_Static_assert(sizeof(ColVertex) == sizeof(mjCCDVertex), "vertices are copied as they are");

mjtNum mjc_ccd(const mjCCDConfig* config, mjCCDStatus* status, mjCCDObj* obj1, mjCCDObj* obj2) {
  ColConvex a, b;
  makeShape(&a, obj1);
  makeShape(&b, obj2);
  ColQuery q;
  memset(&q, 0, sizeof(q));
  q.maxiter = config->max_iterations;
  q.tolerance = config->tolerance;
  q.maxcon = config->max_contacts;
  q.cutoff = config->dist_cutoff;
  col_ccd((mjData*)obj1->data, &q, &a, &b);
  keepIndex(obj1, &a);
  keepIndex(obj2, &b);

  // settings and results
  status->max_iterations = config->max_iterations;
  status->tolerance = config->tolerance;
  status->max_contacts = config->max_contacts;
  status->dist_cutoff = config->dist_cutoff;
  status->dist = q.dist;
  status->nx = q.npoint;
  memcpy(status->x1, q.x1, sizeof(q.x1));
  memcpy(status->x2, q.x2, sizeof(q.x2));
  status->gjk_iterations = q.iter;
  status->epa_iterations = q.grown;
  status->epa_status = q.outcome;
  memcpy(status->simplex, q.simplex, sizeof(q.simplex));
  status->nsimplex = q.nsimplex;
  return q.dist;
}

//---------------------------------- libccd ----------------------------------

void mjccd_center(const void* obj, ccd_vec3_t* center) {
  mjc_center(center->v, obj);
}

void mjccd_support(const void* obj, const ccd_vec3_t* dir, ccd_vec3_t* vec) {
  mjCCDObj* const object = (mjCCDObj*)obj;
  ColConvex s;
  makeShape(&s, object);
  col_supportCentred(vec->v, &s, dir->v);
  object->meshindex = s.hullid;
}
