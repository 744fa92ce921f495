// What fuzz targets of models share: which of them are small enough to work on, and running one.
#pragma once

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <sinew/physics.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 22 };  // pixels, cells and bytes that one element may ask for here: more is slow, not wrong

__attribute__((unused)) static void fuzzIgnore(const char* message) {
  (void)message;
}

// errors of the engine are fine, faults are not
static jmp_buf fuzzBack;
__attribute__((unused)) static void fuzzLeave(const char* message) {
  (void)message;
  longjmp(fuzzBack, 1);
}

// 1: no element asks for more work than a few bytes of text should be given
__attribute__((unused)) static int fuzzIsSmall(mjSpec* s) {
  if (s->memory > MOST || s->nuserdata > MOST || s->nkey > 1000 || s->nconmax > 10000 || s->njmax > 10000) return 0;
  long long total = 0;
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_TEXTURE); e; e = mjs_nextElement(s, e)) {
    const mjsTexture* t = mjs_asTexture(e);
    if (t->width > MOST || t->height > MOST || t->width < 0 || t->height < 0) return 0;
    total += 6LL * t->width * t->height;
  }
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_HFIELD); e; e = mjs_nextElement(s, e)) {
    const mjsHField* h = mjs_asHField(e);
    if (h->nrow > MOST || h->ncol > MOST || h->nrow < 0 || h->ncol < 0) return 0;
    total += (long long)h->nrow * h->ncol;
  }
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_SENSOR); e; e = mjs_nextElement(s, e)) {
    const mjsSensor* sensor = mjs_asSensor(e);
    if (sensor->nsample > 1000 || sensor->dim > 1000 || sensor->intprm[2] > 1000) return 0;
  }
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_ACTUATOR); e; e = mjs_nextElement(s, e)) {
    const mjsActuator* actuator = mjs_asActuator(e);
    if (actuator->nsample > 1000 || actuator->actdim > 1000) return 0;
  }
  for (mjsElement* e = mjs_firstElement(s, mjOBJ_CAMERA); e; e = mjs_nextElement(s, e)) {
    const mjsCamera* camera = mjs_asCamera(e);
    if ((long long)camera->resolution[0] * camera->resolution[1] > 1000) return 0;
  }

  // counted no further than needed: each next one takes a walk through all
  enum { ENOUGH = 300 };
  static const mjtObj kinds[] = {mjOBJ_BODY, mjOBJ_GEOM};
  int elements = 0;
  for (int k = 0; k < 2; k++) {
    mjsElement* e = mjs_firstElement(s, kinds[k]);
    for (; e && elements < ENOUGH; e = mjs_nextElement(s, e)) elements++;
  }
  return total <= MOST && elements < ENOUGH;
}

// 1: the choice of contacts does not ask for more rounds than a step should have here
__attribute__((unused)) static int fuzzHasFewRounds(const mjModel* m) {
  mjtNum param[SN_MAXPARAM];
  const snInfo* const info = sn_getModel(m, SN_CONTACT, 0, param);
  return !info || strcmp(info->name, "xpbd") != 0 || !(param[0] * param[1] > 1000);
}

// 1: data of the model are small enough to be stepped many times a second
__attribute__((unused)) static int fuzzIsQuick(const mjModel* m) {
  return m->nv < 300 && m->ngeom < 300 && m->nflexvert < 300 && m->nsensordata < 10000 && m->nuserdata < 10000 &&
         m->nhfielddata < 10000 && m->nmeshvert < 10000 && m->opt.iterations < 1000 &&
         m->opt.noslip_iterations < 1000 && m->opt.sdf_iterations < 100 && m->opt.sdf_initpoints < 1000 &&
         m->narena < (mjtSize)1 << 26 && fuzzHasFewRounds(m);
}

// makes data and steps; the results may be anything, what they are written to may not
__attribute__((unused)) static void fuzzStep(const mjModel* m, int nstep) {
  if (!fuzzIsQuick(m)) return;
  mjData* volatile d = NULL;
  mju_user_error = fuzzLeave;
  if (!setjmp(fuzzBack)) {
    d = mj_makeData(m);
    for (int i = 0; d && i < nstep; i++) mj_step(m, d);
    if (d) mj_inverse(m, d);
  }
  mju_user_error = NULL;
  mj_deleteData(d);
}
