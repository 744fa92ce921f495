// Comparing the contacts of two mjData, and random states. Shared by the tests of the collision driver.
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

#include "support/oracle.h"
#include "support/random.h"

// random joint positions around the model's own, quaternions normalised
static inline void scene_randomState(const mjModel* m, mjData* d, Rnd* r, mjtNum spread) {
  for (int i = 0; i < m->nq; i++) d->qpos[i] = m->qpos0[i] + rnd_uniform(r, -spread, spread);
  for (int j = 0; j < m->njnt; j++) {
    const int type = m->jnt_type[j];
    if (type != mjJNT_FREE && type != mjJNT_BALL) continue;
    mjtNum* quat = d->qpos + m->jnt_qposadr[j] + (type == mjJNT_FREE ? 3 : 0);
    mjtNum norm = 0;
    for (int i = 0; i < 4; i++) norm += quat[i] * quat[i];
    for (int i = 0; i < 4; i++) quat[i] /= sqrt(norm);
  }
}

// everything that comes before collision
static inline void scene_positions(const mjModel* m, mjData* d) {
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_flex(m, d);
}

static inline mjtNum scene_worst(const mjtNum* a, const mjtNum* b, int n) {
  mjtNum worst = 0;
  for (int i = 0; i < n; i++) worst = fmax(worst, fabs(a[i] - b[i]));
  return worst;
}

// all fields of all contacts, in order; values to tol
static inline void scene_expectSame(const mjData* a, const mjData* b, mjtNum tol) {
  assert_int_equal(a->ncon, b->ncon);
  for (int i = 0; i < a->ncon; i++) {
    const mjContact *x = a->contact + i, *y = b->contact + i;
    orc_result(&y->dist, 13);
    assert_memory_equal(x->geom, y->geom, sizeof(x->geom));
    assert_memory_equal(x->flex, y->flex, sizeof(x->flex));
    assert_memory_equal(x->elem, y->elem, sizeof(x->elem));
    assert_memory_equal(x->vert, y->vert, sizeof(x->vert));
    assert_true(scene_worst(&x->dist, &y->dist, 1) <= tol);
    assert_true(scene_worst(x->pos, y->pos, 3) <= tol);
    assert_true(scene_worst(x->frame, y->frame, 9) <= tol);
    assert_true(scene_worst(&x->includemargin, &y->includemargin, 1) <= 1e-15);
    assert_true(scene_worst(x->friction, y->friction, 5) <= 1e-15);
    assert_true(scene_worst(x->solref, y->solref, mjNREF) <= 1e-15);
    assert_true(scene_worst(x->solreffriction, y->solreffriction, mjNREF) <= 1e-15);
    assert_true(scene_worst(x->solimp, y->solimp, mjNIMP) <= 1e-15);
    assert_int_equal(x->dim, y->dim);
    assert_int_equal(x->exclude, y->exclude);
    assert_int_equal(x->efc_address, -1);
    assert_int_equal(x->geom1, y->geom1);
    assert_int_equal(x->geom2, y->geom2);
    assert_true(x->mu == 0 && x->H[0] == 0 && x->H[35] == 0);
  }
}

// The reference's poses and contacts, copied to d, where ours are found again and must be the same; returns their
// number.
static inline int scene_compareContacts(const mjModel* m, mjData* d, mjData* ref, mjtNum tol) {
  ORC(mj_kinematics)(m, ref);
  ORC(mj_comPos)(m, ref);
  ORC(mj_flex)(m, ref);
  ORC(mj_collision)(m, ref);
  orc_mirror(m, d, ref);
  mj_collision(m, d);
  scene_expectSame(d, ref, tol);
  return ref->ncon;
}
