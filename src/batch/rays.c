// Rays as a field: lidars and height scans. Described once, cast after each computation for every simulation.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "batch/batch.h"
#include "batch/cuda.h"
#include "math/vec.h"
#include "sensor/sensor.h"

//---------------------------------- one simulation ----------------------------------

// where the rays of a simulation start from: a frame of an object, or the world's
static void openFrame(const snRays* r, const mjData* d, mjtNum pos[3], mjtNum mat[9]) {
  static const mjtNum EYE[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  mth_zero3(pos);
  mth_copy9(mat, EYE);
  if (r->objtype != mjOBJ_UNKNOWN) {
    const SenFrame frame = sen_frame(d, r->objtype, r->objid);
    mth_copy3(pos, frame.pos);
    mth_copy9(mat, frame.mat);
  }
  if (!r->upright) return;

  // heading of the x axis only
  mjtNum x[3] = {mat[0], mat[3], 0};
  mth_normalize3(x);
  mth_set3(mat, x[0], -x[1], 0);
  mth_set3(mat + 3, x[1], x[0], 0);
  mth_set3(mat + 6, 0, 0, 1);
}

void bat_castRays(const snRays* r, const mjModel* m, const mjData* d, mjtNum* dist) {
  mjtNum pos[3], mat[9];
  openFrame(r, d, pos, mat);
  for (int k = 0; k < r->nray; k++) {
    mjtNum pnt[3], vec[3];
    int geom;
    mth_mulMatVec3(pnt, mat, r->pnt + 3 * k);
    mth_addTo3(pnt, pos);
    mth_mulMatVec3(vec, mat, r->vec + 3 * k);
    dist[k] = mj_ray(m, d, pnt, vec, r->geomgroup, r->flg_static, r->bodyexclude, &geom, NULL);
    if (r->cutoff > 0 && dist[k] > r->cutoff) dist[k] = -1;
  }
}

//---------------------------------- binding ----------------------------------

// what is wrong with the rays, NULL: nothing
static const char* wrongRays(const mjModel* m, const snRays* r, char text[BAT_NMESSAGE]) {
  const struct {
    mjtObj type;
    mjtSize n;
  } kinds[] = {
      {mjOBJ_UNKNOWN, 1       },
      {mjOBJ_BODY,    m->nbody},
      {mjOBJ_XBODY,   m->nbody},
      {mjOBJ_GEOM,    m->ngeom},
      {mjOBJ_SITE,    m->nsite},
      {mjOBJ_CAMERA,  m->ncam }
  };
  if (!r || r->nray < 1 || !r->pnt || !r->vec) return "rays need nray >= 1, pnt and vec";
  size_t k = 0;
  while (k < sizeof(kinds) / sizeof(kinds[0]) && kinds[k].type != r->objtype) k++;
  if (k == sizeof(kinds) / sizeof(kinds[0])) return "rays start from a body, geom, site or camera, or the world";
  snprintf(text, BAT_NMESSAGE, "rays.objid = %d is none of %d", r->objid, (int)kinds[k].n);
  if (k && (r->objid < 0 || r->objid >= kinds[k].n)) return text;
  for (int i = 0; i < r->nray; i++) {
    const mjtNum length = mth_norm3(r->vec + 3 * i);
    snprintf(text, BAT_NMESSAGE, "ray %d has no direction", i);
    if (!(length >= mjMINVAL) || mju_isBad(length)) return text;
    snprintf(text, BAT_NMESSAGE, "ray %d starts nowhere", i);
    if (mju_isBad(mth_norm3(r->pnt + 3 * i))) return text;
  }
  if (!(r->cutoff >= 0)) return "rays.cutoff must not be negative";
  return NULL;
}

// the caller's description, with its arrays behind it in one block
static snRays* copyRays(const snRays* r) {
  const size_t bytes = 3 * sizeof(mjtNum) * (size_t)r->nray;
  snRays* const copy = mju_malloc(sizeof(snRays) + 2 * bytes + mjNGROUP);
  mjtNum* const numbers = (mjtNum*)(copy + 1);
  *copy = *r;
  copy->pnt = memcpy(numbers, r->pnt, bytes);
  copy->vec = memcpy(numbers + 3 * r->nray, r->vec, bytes);
  if (r->geomgroup) copy->geomgroup = memcpy(numbers + 6 * r->nray, r->geomgroup, mjNGROUP);
  return copy;
}

typedef struct {
  snBatch* b;
  int model;
  const snRays* rays;
  snField* field;
  snRays* copy;  // belongs to the field once that is bound
} Request;

static void bindRays(void* argument) {
  Request* const q = argument;
  snBatch* const b = q->b;
  if (q->model < 0 || q->model >= b->ngroup) mju_error("model %d is none of %d", q->model, b->ngroup);
  BatGroup* const g = b->group + q->model;
  char text[BAT_NMESSAGE];
  const char* const wrong = q->field ? wrongRays(g->m, q->rays, text) : "field is NULL";
  if (wrong) mju_error("%s", wrong);
  if (b->cuda) {
    if (!bat_cudaRays(b, q->model, q->rays, q->field)) mju_error("%s", b->complaint);
    return;
  }
  q->copy = copyRays(q->rays);
  BatArray a = {.name = "(rays)",
                .kind = BAT_RAYS,
                .type = SN_FLOAT64,
                .itemsize = sizeof(mjtNum),
                .ndim = 1,
                .shape = {q->rays->nray},
                .bytes = sizeof(mjtNum) * (size_t)q->rays->nray,
                .rays = q->copy};
  bat_show(bat_append(&g->bound, &g->nbound, &a, g->n), g->n, q->field);
}

snStatus sn_batchRays(snBatch* b, int model, const snRays* rays, snField* field) {
  if (!b || atomic_exchange(&b->busy, 1)) return SN_ERROR;
  b->complaint[0] = 0;
  Request q = {b, model, rays, field, NULL};
  const int good = bat_guard(bindRays, &q, b->complaint);
  if (!good) mju_free(q.copy);
  atomic_store(&b->busy, 0);
  return good ? SN_OK : SN_ERROR;
}
