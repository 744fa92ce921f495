// The search of the kernels (cuda/gjk.h, cuda/epa.h) compiled as C, as a function called TST_SEARCH.
#define CU_DOUBLE 1
#include <math.h>
#include <string.h>

#include "cuda/convex.h"
#include "support/query.h"

TstQuery TST_SEARCH(const mjModel* m, const mjData* d, mjtNum margin, int room) {
  static double memory[40000];
  CudModel model = {.ccd_iterations = m->opt.ccd_iterations, .ccd_tolerance = m->opt.ccd_tolerance};
  model.mesh_vertadr = m->mesh_vertadr, model.mesh_vertnum = m->mesh_vertnum, model.mesh_vert = m->mesh_vert;
  model.mesh_graphadr = m->mesh_graphadr, model.mesh_graph = m->mesh_graph;
  model.geom_type = m->geom_type, model.geom_dataid = m->geom_dataid;

  // what lies there must not matter
  memset(memory, 0x7b, sizeof(memory));
  CuQuery* const x = (CuQuery*)memory;
  for (int k = 0; k < 2; k++) {
    memcpy(x->pose[k].pos, d->geom_xpos + 3 * k, sizeof(x->pose[k].pos));
    memcpy(x->pose[k].mat, d->geom_xmat + 9 * k, sizeof(x->pose[k].mat));
    memcpy(x->pose[k].size, m->geom_size + 3 * k, sizeof(x->pose[k].size));
    cu_openGeom(k ? &x->b : &x->a, &model, k, x->pose + k, margin);
  }
  int more = cu_gjk(&model, x);
  const int from[4] = {x->a.vertid, x->a.hullid, x->b.vertid, x->b.hullid};
  if (more && room) more = !cu_deepen(x, (char*)x + CUD_QUERY, room, 2 * room + 8);
  if (more) {
    x->a.vertid = from[0], x->a.hullid = from[1], x->b.vertid = from[2], x->b.hullid = from[3];
    cu_deepen(x, (char*)(memory + 5000), model.ccd_iterations, 4 * model.ccd_iterations);
  }
  TstQuery r = {.dist = x->q.dist, .npoint = x->q.npoint, .separate = x->q.separate};
  memcpy(r.x1, x->q.x1, sizeof(r.x1));
  memcpy(r.x2, x->q.x2, sizeof(r.x2));
  memcpy(r.axis, x->q.axis, sizeof(r.axis));
  return r;
}
