// What the tests of batches share: random models, random inputs, and a loop over mj_step to compare with.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <sinew/batch.h>

#include "support/model.h"
#include "support/random.h"

// text that grows
typedef struct {
  char xml[20000];
  int n;
} Text;

__attribute__((format(printf, 2, 3))) static inline void wld_add(Text* t, const char* format, ...) {
  va_list args;
  va_start(args, format);
  t->n += vsnprintf(t->xml + t->n, sizeof(t->xml) - (size_t)t->n, format, args);
  va_end(args);
  assert_true(t->n < (int)sizeof(t->xml));
}

// a body with a joint, a geom, and children
static inline void wld_body(Text* t, Rnd* rnd, int* left, int depth) {
  static const char* const JOINTS[] = {"hinge", "slide", "ball", "free"};
  static const char* const GEOMS[] = {"sphere", "capsule", "box", "ellipsoid", "cylinder"};
  const int id = --*left, kind = depth ? rnd_below(rnd, 3) : rnd_below(rnd, 4);
  wld_add(t, "<body name='b%d' pos='%g %g %g'>", id, rnd_uniform(rnd, -.3, .3), rnd_uniform(rnd, -.3, .3),
          depth ? -.2 : rnd_uniform(rnd, .3, .8));
  if (kind == 3) {
    wld_add(t, "<joint name='j%d' type='free'/>", id);
  } else {
    wld_add(t, "<joint name='j%d' type='%s' damping='%g' %s/>", id, JOINTS[kind], rnd_uniform(rnd, 0, .5),
            kind == 2 ? "" : "axis='1 .3 .2' range='-1 1' limited='true' frictionloss='.01'");
  }
  wld_add(t, "<geom name='g%d' type='%s' size='%g .07 .06' pos='.05 0 -.05'/><site name='s%d' pos='0 0 -.1'/>", id,
          GEOMS[rnd_below(rnd, 5)], rnd_uniform(rnd, .04, .1), id);
  while (*left > 0 && rnd_below(rnd, 2)) wld_body(t, rnd, left, depth + 1);
  wld_add(t, "</body>");
}

// a random model with contacts, limits, motors, servos, muscles with activation, sensors and a mocap body
static inline mjModel* wld_random(uint64_t seed) {
  Rnd rnd = {seed};
  static Text t;
  static const char* const INTEGRATORS[] = {"Euler", "RK4", "implicit", "implicitfast"};
  static const char* const SOLVERS[] = {"PGS", "CG", "Newton", "Newton"};
  t.n = 0;
  wld_add(&t, "<mujoco><option integrator='%s' solver='%s' cone='%s'><flag energy='enable'/></option>",
          INTEGRATORS[rnd_below(&rnd, 4)], SOLVERS[rnd_below(&rnd, 4)], rnd_below(&rnd, 2) ? "elliptic" : "pyramidal");
  wld_add(&t,
          "<size nuserdata='3'/><worldbody><geom name='floor' type='plane' size='5 5 .1'/>"
          "<body name='hand' mocap='true' pos='1 0 .1'><geom size='.1'/></body>");
  const int n = 1 + rnd_below(&rnd, 7);
  for (int left = n; left > 0;) wld_body(&t, &rnd, &left, 0);
  wld_add(&t, "</worldbody>");
  if (n > 1) wld_add(&t, "<equality><connect body1='b0' body2='b%d' anchor='0 0 0' active='false'/></equality>", n - 1);
  wld_add(&t, "<actuator>");
  for (int i = 0; i < n; i++) {
    static const char* const ACTUATORS[] = {"<motor name='a%d' %s gear='2 1 1 1 1 1'/>",
                                            "<position name='a%d' %s kp='5' dampratio='1'/>",
                                            "<general name='a%d' %s dyntype='filterexact' dynprm='.05' gainprm='3'/>",
                                            "<velocity name='a%d' %s kv='.3' delay='.004' nsample='3'/>"};
    char where[40];
    snprintf(where, sizeof(where), "joint='j%d'", i);
    wld_add(&t, ACTUATORS[rnd_below(&rnd, 4)], i, where);
  }
  wld_add(&t,
          "</actuator><sensor><framepos objtype='site' objname='s0'/><accelerometer site='s0'/><touch site='s0'/>"
          "<subtreecom body='b0'/></sensor><keyframe><key name='k' time='1.5'/></keyframe></mujoco>");
  return tst_string(t.xml);
}

// a model of test/models or of scenes/, NULL when the name is empty
static inline mjModel* wld_file(const char* path) {
  char error[500] = "";
  mjModel* const m = mj_loadXML(path, NULL, error, sizeof(error));
  if (!m) fail_msg("%s: %s", path, error);
  return m;
}

// random inputs of one simulation for its next step, the same for the same numbers
static inline void wld_inputs(const mjModel* m, uint64_t sim, uint64_t step, mjtNum* ctrl, mjtNum* xfrc) {
  Rnd rnd = {sim * 1000003 + step * 7919};
  for (int i = 0; i < m->nu; i++) ctrl[i] = rnd_uniform(&rnd, -1, 1);
  for (int i = 0; i < 6 * m->nbody; i++) xfrc[i] = rnd_below(&rnd, 20) ? 0 : rnd_uniform(&rnd, -.1, .1);
}

// 1: same bits
static inline int wld_same(const void* a, const void* b, size_t bytes) {
  return bytes == 0 || memcmp(a, b, bytes) == 0;
}

// a field that must exist
static inline snField wld_field(snBatch* b, int model, const char* name) {
  snField field;
  if (sn_batchField(b, model, name, &field) != SN_OK) fail_msg("%s: %s", name, sn_batchMessage(b, -1));
  return field;
}

// row of a field as numbers
static inline mjtNum* wld_row(const snField* field, int row) {
  return (mjtNum*)((char*)field->data + row * field->stride[0]);
}

// fails unless the state in the batch is that of d, bit for bit
static inline void wld_compareState(snBatch* b, int sim, const mjModel* m, const mjData* d, const char* what) {
  const int size = mj_stateSize(m, mjSTATE_INTEGRATION), stride = sn_batchStateSize(b, mjSTATE_INTEGRATION);
  mjtNum* const expected = malloc(sizeof(mjtNum) * (size_t)(size + 1));
  mjtNum* const got = malloc(sizeof(mjtNum) * (size_t)(stride + 1));
  mj_getState(m, d, expected, mjSTATE_INTEGRATION);
  assert_int_equal(sn_batchGetState(b, &(snSelection){.index = &sim, .n = 1}, got, mjSTATE_INTEGRATION), SN_OK);
  for (int i = 0; i < size; i++) {
    if (memcmp(expected + i, got + i, sizeof(mjtNum))) {
      fail_msg("%s, simulation %d: number %d of the state is %.17g, not %.17g", what, sim, i, got[i], expected[i]);
    }
  }
  free(expected);
  free(got);
}
