// One stage of ours against the same stage of the reference: the reference runs everything, its results are copied
// into our mjData, then our stage runs alone and its outputs are compared.
#pragma once

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "support/model.h"
#include "support/oracle.h"
#include "support/random.h"

typedef struct {
  const char* name;  // for messages
  mjModel* m;        // ours or the reference's: the layout is the same
  mjData* ref;       // the reference's
  mjData* d;         // ours
  int errors;
} Stage;

// takes over the model
static inline Stage stg_open(const char* name, mjModel* m) {
  return (Stage){.name = name, .m = m, .ref = ORC(mj_makeData)(m), .d = mj_makeData(m)};
}

// keeps the model
static inline void stg_close(Stage* s) {
  ORC(mj_deleteData)(s->ref);
  mj_deleteData(s->d);
}

// the same when nothing was found; after cmocka.h
#define stg_finish(s)                 \
  do {                                \
    stg_close(s);                     \
    assert_int_equal((s)->errors, 0); \
  } while (0)

// Compares every model of the tests, or those with actuators.
#define stg_eachModel(compare, actuated)             \
  do {                                               \
    for (int i_ = 0; tst_models[i_]; i_++) {         \
      mjModel* const m_ = tst_model(tst_models[i_]); \
      if (!(actuated) || m_->nu) {                   \
        compare(tst_models[i_], m_);                 \
      }                                              \
      mj_deleteModel(m_);                            \
    }                                                \
  } while (0)

// Compares a scene that the reference compiles.
#define stg_oneScene(compare, name, xml)  \
  do {                                    \
    mjModel* const m_ = orc_compile(xml); \
    compare(name, m_);                    \
    ORC(mj_deleteModel)(m_);              \
  } while (0)

// random positions near the initial ones, velocities, controls, activations and applied forces
static inline void stg_randomize(Stage* s, Rnd* rnd, double spread) {
  const mjModel* m = s->m;
  mjData* d = s->ref;
  ORC(mj_resetData)(m, d);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = rnd_uniform(rnd, -spread, spread);
  ORC(mj_integratePos)(m, d->qpos, d->qvel, 1);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = rnd_uniform(rnd, -1, 1);
    d->qfrc_applied[i] = rnd_uniform(rnd, -0.1, 0.1);
  }
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = rnd_uniform(rnd, -1.2, 1.2);
  for (int i = 0; i < m->na; i++) d->act[i] = rnd_uniform(rnd, -0.5, 1);
}

// the reference's forward pass, copied to our data
static inline void stg_forward(Stage* s) {
  ORC(mj_forward)(s->m, s->ref);
  orc_mirror(s->m, s->d, s->ref);
}

// outputs are compared relative to the largest of them and to 1
static inline void stg_near(Stage* s, const char* field, const mjtNum* ref, const mjtNum* our, int n, double tol) {
  orc_result(ref, (size_t)n);
  double scale = 1;
  for (int i = 0; i < n; i++) scale = fmax(scale, fabs(ref[i]));
  for (int i = 0; i < n; i++) {
    if (fabs(ref[i] - our[i]) <= tol * scale) continue;
    if (s->errors++ < 10) {
      printf("%s: %s[%d of %d] reference %.17g ours %.17g\n", s->name, field, i, n, ref[i], our[i]);
    }
    return;
  }
}

static inline void stg_same(Stage* s, const char* field, const int* ref, const int* our, int n) {
  orc_bytes(ref, sizeof(int) * (size_t)n);
  for (int i = 0; i < n; i++) {
    if (ref[i] == our[i]) continue;
    if (s->errors++ < 10) printf("%s: %s[%d of %d] reference %d ours %d\n", s->name, field, i, n, ref[i], our[i]);
    return;
  }
}

// makes sure that an output is written: fills it with a number nobody computes
static inline void stg_spoil(mjtNum* field, int n) {
  for (int i = 0; i < n; i++) field[i] = -12345.678;
}
