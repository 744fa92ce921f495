// Inertia, factors, velocities, bias forces, energies: equivalences that hold for any right answer, and the reference
// on all models of test/models at random states.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "dynamics/ldl.h"
#include "kinematics/jacobian.h"
#include "math/simd/kernels.h"
#include "support/model.h"
#include "support/stage.h"

#define NV  128
#define TOL 1e-12

// ---------------------------------------------------------------- against the reference

#define NEAR(field, n) stg_near(s, #field, s->ref->field, s->d->field, (int)(n), TOL)

// products and solves that leave their result with the caller
static void compareProducts(Stage* s) {
  const mjModel* m = s->m;
  const int nv = (int)m->nv;
  mjtNum a[2 * NV], b[2 * NV], x[2 * NV], root[NV];
  for (int i = 0; i < 2 * nv; i++) x[i] = sin(i + 1.0);
  for (int i = 0; i < nv; i++) root[i] = sqrt(s->ref->qLDiagInv[i]);

  ORC(mj_mulM)(m, s->ref, a, x);
  mj_mulM(m, s->d, b, x);
  stg_near(s, "mj_mulM", a, b, nv, TOL);
  ORC(mj_mulM2)(m, s->ref, a, x);
  mj_mulM2(m, s->d, b, x);
  stg_near(s, "mj_mulM2", a, b, nv, TOL);
  ORC(mj_solveM)(m, s->ref, a, x, 2);
  mj_solveM(m, s->d, b, x, 2);
  stg_near(s, "mj_solveM", a, b, 2 * nv, 1e-11);
  ORC(mj_solveM2)(m, s->ref, a, x, root, 2);
  mj_solveM2(m, s->d, b, x, root, 2);
  stg_near(s, "mj_solveM2", a, b, 2 * nv, 1e-11);

  ORC(mj_rne)(m, s->ref, 1, a);
  mj_rne(m, s->d, 1, b);
  stg_near(s, "mj_rne", a, b, nv, 1e-11);

  const mjtNum force[3] = {1, 2, 3}, torque[3] = {-1, 0.5, 2}, point[3] = {0.1, 0.2, 0.3};
  for (int body = 0; body < m->nbody; body++) {
    memset(a, 0, nv * sizeof(mjtNum));
    memset(b, 0, nv * sizeof(mjtNum));
    ORC(mj_applyFT)(m, s->ref, force, torque, point, body, a);
    mj_applyFT(m, s->d, force, torque, point, body, b);
    stg_near(s, "mj_applyFT", a, b, nv, TOL);
  }
  static mjtNum A[NV * NV], B[NV * NV];
  memset(A, 0, sizeof(A));
  memset(B, 0, sizeof(B));
  ORC(mj_addM)(m, s->ref, A, NULL, NULL, NULL);
  mj_addM(m, s->d, B, NULL, NULL, NULL);
  stg_near(s, "mj_addM", A, B, nv * nv, TOL);
  ORC(mj_fullM)(m, A, s->ref->qM);
  mj_fullM(m, B, s->d->qM);
  stg_near(s, "mj_fullM", A, B, nv * nv, TOL);
}

static void likeTheReference(void** state) {
  (void)state;
  Rnd rnd = {21};
  for (int i = 0; tst_models[i]; i++) {
    mjModel* m = tst_model(tst_models[i]);
    if (m->nv > NV) {
      mj_deleteModel(m);
      continue;
    }
    m->opt.enableflags &= ~mjENBL_SLEEP;
    m->opt.enableflags |= mjENBL_ENERGY;
    for (int k = 0; k < 4; k++) {
      m->opt.jacobian = k % 2 ? mjJAC_SPARSE : mjJAC_DENSE;
      Stage stage = stg_open(tst_models[i], m), *s = &stage;
      stg_randomize(s, &rnd, 0.4);
      for (int c = 0; c < 6 * m->nbody; c++) s->ref->xfrc_applied[c] = c % 3 ? 0 : rnd_uniform(&rnd, -1, 1);
      stg_forward(s);
      stg_spoil(s->d->M, (int)m->nC);
      stg_spoil(s->d->qLD, (int)m->nC);
      stg_spoil(s->d->qLDiagInv, (int)m->nv);
      stg_spoil(s->d->cvel, 6 * (int)m->nbody);
      stg_spoil(s->d->cdof_dot, 6 * (int)m->nv);
      stg_spoil(s->d->qfrc_bias, (int)m->nv);
      stg_spoil(s->d->qacc_smooth, (int)m->nv);

      mj_makeM(m, s->d);
      mj_factorM(m, s->d);
      mj_comVel(m, s->d);
      mj_rne(m, s->d, 0, s->d->qfrc_bias);
      dyn_tendonBias(m, s->d, s->d->qfrc_bias);
      mj_energyPos(m, s->d);
      mj_energyVel(m, s->d);
      mj_fwdAcceleration(m, s->d);
      NEAR(crb, 10 * m->nbody);
      NEAR(M, m->nC);
      NEAR(qM, m->nM);
      NEAR(qLD, m->nC);
      NEAR(qLDiagInv, m->nv);
      NEAR(cvel, 6 * m->nbody);
      NEAR(cdof_dot, 6 * m->nv);
      NEAR(qfrc_bias, m->nv);
      NEAR(qfrc_smooth, m->nv);
      stg_near(s, "qacc_smooth", s->ref->qacc_smooth, s->d->qacc_smooth, (int)m->nv, 1e-10);
      NEAR(energy, 2);
      compareProducts(s);

      ORC(mj_subtreeVel)(m, s->ref);
      mj_subtreeVel(m, s->d);
      NEAR(subtree_linvel, 3 * m->nbody);
      NEAR(subtree_angmom, 3 * m->nbody);
      assert_int_equal(s->errors, 0);
      stg_close(s);
    }
    mj_deleteModel(m);
  }
}

// ---------------------------------------------------------------- equivalences

static mjModel* m;
static mjData* d;

static void openModel(const char* name) {
  m = tst_model(name);
  d = mj_makeData(m);
  Rnd rnd = {9};
  mjtNum vel[NV];
  for (int i = 0; i < m->nv; i++) vel[i] = rnd_uniform(&rnd, -0.5, 0.5);
  mj_integratePos(m, d->qpos, vel, 1);
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = rnd_uniform(&rnd, -1, 1);
    d->qacc[i] = rnd_uniform(&rnd, -1, 1);
  }
  mj_fwdKinematics(m, d);
  mj_makeM(m, d);
  mj_factorM(m, d);
  mj_comVel(m, d);
}

static void closeModel(void) {
  mj_deleteData(d);
  mj_deleteModel(m);
}

static const char* const NAMES[] = {"joints", "chain", "tendons", "boxes", "wraps"};
#define NNAMES ((int)(sizeof(NAMES) / sizeof(NAMES[0])))

// M from mj_fullM times a vector = mj_mulM; M⁻¹ M x = x; |M½ x|² = xᵀ M x; sparse sums = dense sums
static void inertiaProducts(void** state) {
  (void)state;
  for (int n = 0; n < NNAMES; n++) {
    openModel(NAMES[n]);
    const int nv = (int)m->nv;
    static mjtNum M[NV * NV], sum[NV * NV];
    mjtNum x[NV], Mx[NV], y[NV], half[NV], energy = 0, square = 0;
    mj_fullM(m, M, d->qM);
    for (int i = 0; i < nv; i++) x[i] = cos(3.0 * i);
    mj_mulM(m, d, Mx, x);
    for (int i = 0; i < nv; i++) {
      mjtNum row = 0, scale = 0;
      for (int j = 0; j < nv; j++) {
        assert_true(M[i * nv + j] == M[j * nv + i]);
        row += M[i * nv + j] * x[j];
        scale += fabs(M[i * nv + j]);
      }
      assert_true(fabs(row - Mx[i]) <= 1e-14 * scale);
    }
    mj_solveM(m, d, y, Mx, 1);
    for (int i = 0; i < nv; i++) assert_true(fabs(y[i] - x[i]) < 1e-12);
    mj_mulM2(m, d, half, x);
    for (int i = 0; i < nv; i++) {
      energy += x[i] * Mx[i];
      square += half[i] * half[i];
    }
    assert_true(fabs(energy - square) < 1e-12 * energy);

    // a sparse matrix with a full diagonal, plus M
    int rownnz[NV], rowadr[NV], colind[NV * NV];
    for (int i = 0; i < nv; i++) {
      rownnz[i] = 1;
      rowadr[i] = i * nv;
      colind[i * nv] = i;
      sum[i * nv] = 1;
    }
    mj_addM(m, d, sum, rownnz, rowadr, colind);
    for (int i = 0; i < nv; i++) {
      for (int k = 0; k < rownnz[i]; k++) {
        const int j = colind[i * nv + k];
        assert_true(fabs(sum[i * nv + k] - (M[i * nv + j] + (i == j))) < 1e-14 * (1 + fabs(M[i * nv + j])));
      }
    }
    closeModel();
  }
}

// L'DL = M, entry by entry
static void factorsMultiplyBack(void** state) {
  (void)state;
  for (int n = 0; n < NNAMES; n++) {
    openModel(NAMES[n]);
    const int nv = (int)m->nv;
    static mjtNum M[NV * NV], L[NV * NV];
    memset(L, 0, sizeof(L));
    mj_fullM(m, M, d->qM);
    for (int i = 0; i < nv; i++) {
      const int adr = m->M_rowadr[i], last = m->M_rownnz[i] - 1;
      for (int c = 0; c < last; c++) L[i * nv + m->M_colind[adr + c]] = d->qLD[adr + c];
      L[i * nv + i] = 1;
      assert_true(fabs(d->qLD[adr + last] * d->qLDiagInv[i] - 1) < 1e-15);
    }
    for (int i = 0; i < nv; i++) {
      for (int j = 0; j <= i; j++) {
        mjtNum entry = 0;
        for (int k = 0; k < nv; k++) entry += L[k * nv + i] * L[k * nv + j] / d->qLDiagInv[k];
        assert_true(fabs(entry - M[i * nv + j]) < 1e-13 * (1 + sqrt(M[i * nv + i] * M[j * nv + j])));
      }
    }
    closeModel();
  }
}

// RNE with accelerations = M q̈ + bias; at rest the bias is the gradient of the potential energy
static void newtonEuler(void** state) {
  (void)state;
  for (int n = 0; n < NNAMES; n++) {
    openModel(NAMES[n]);
    const int nv = (int)m->nv;
    mjtNum with[NV], without[NV], Ma[NV];
    mj_rne(m, d, 1, with);
    mj_rne(m, d, 0, without);
    memset(m->dof_armature, 0, nv * sizeof(mjtNum));
    memset(m->tendon_armature, 0, m->ntendon * sizeof(mjtNum));
    mj_makeM(m, d);
    mj_mulM(m, d, Ma, d->qacc);

    // simple bodies have their inertia, armature included, in the model
    for (int i = 0; i < nv; i++) {
      if (!m->dof_simplenum[i]) assert_true(fabs(with[i] - without[i] - Ma[i]) < 1e-11 * (1 + fabs(with[i])));
    }

    memset(d->qvel, 0, nv * sizeof(mjtNum));
    mj_comVel(m, d);
    mj_rne(m, d, 0, without);
    m->opt.disableflags |= mjDSBL_SPRING;
    mjData* near = mj_makeData(m);
    for (int i = 0; i < nv; i++) {
      const mjtNum eps = 1e-5;
      mjtNum vel[NV] = {0}, energy[2];
      vel[i] = 1;
      for (int side = 0; side < 2; side++) {
        memcpy(near->qpos, d->qpos, m->nq * sizeof(mjtNum));
        mj_integratePos(m, near->qpos, vel, side ? eps : -eps);
        mj_fwdKinematics(m, near);
        mj_energyPos(m, near);
        energy[side] = near->energy[0];
      }
      assert_true(fabs((energy[1] - energy[0]) / (2 * eps) - without[i]) < 1e-5 * (1 + fabs(without[i])));
    }
    mj_deleteData(near);
    closeModel();
  }
}

// kinetic energy from M = Σ over bodies of ½ m v² + ½ w I w
static void kineticEnergy(void** state) {
  (void)state;
  openModel("chain");
  memset(m->dof_armature, 0, m->nv * sizeof(mjtNum));
  mj_makeM(m, d);
  mj_energyVel(m, d);
  mjtNum sum = 0;
  for (int i = 1; i < m->nbody; i++) {
    mjtNum vel[6];
    mj_objectVelocity(m, d, mjOBJ_BODY, i, vel, 1);
    for (int k = 0; k < 3; k++) {
      sum += 0.5 * m->body_inertia[3 * i + k] * vel[k] * vel[k] + 0.5 * m->body_mass[i] * vel[3 + k] * vel[3 + k];
    }
  }
  assert_true(fabs(sum - d->energy[1]) < 1e-12 * sum);
  assert_true(d->flg_energyvel == 1);
  closeModel();
}

// the derivative of a tendon's Jacobian along the velocity
static void tendonDot(void** state) {
  (void)state;
  openModel("wraps");
  const int id = mj_name2id(m, mjOBJ_TENDON, "heavy"), nv = (int)m->nv;
  mjtNum Jdot[NV], J[2][NV];
  kin_tendonDot(m, d, id, Jdot);
  const mjtNum eps = 1e-6;
  mjData* near = mj_makeData(m);
  m->opt.jacobian = mjJAC_DENSE;
  for (int side = 0; side < 2; side++) {
    memcpy(near->qpos, d->qpos, m->nq * sizeof(mjtNum));
    mj_integratePos(m, near->qpos, d->qvel, side ? eps : -eps);
    mj_fwdKinematics(m, near);
    memcpy(J[side], near->ten_J + id * nv, nv * sizeof(mjtNum));
  }
  mjtNum largest = 0;
  for (int i = 0; i < nv; i++) {
    assert_true(fabs((J[1][i] - J[0][i]) / (2 * eps) - Jdot[i]) < 1e-7);
    largest = fmax(largest, fabs(Jdot[i]));
  }
  assert_true(largest > 1e-2);

  // armature adds a J'J to the inertia
  static mjtNum with[NV * NV], without[NV * NV];
  mj_fwdKinematics(m, d);
  mj_makeM(m, d);
  mj_fullM(m, with, d->qM);
  m->tendon_armature[id] = 0;
  mj_makeM(m, d);
  mj_fullM(m, without, d->qM);
  const mjtNum* row = d->ten_J + id * nv;
  for (int i = 0; i < nv; i++) {
    assert_true(fabs(with[i * nv + i] - without[i * nv + i] - 0.3 * row[i] * row[i]) < 1e-14);
  }
  mj_deleteData(near);
  closeModel();
}

// chains deeper than the local paths give the same numbers as shallow ones would: M⁻¹ M x = x
static void deepChain(void** state) {
  (void)state;
  static char xml[40000];
  int n = snprintf(xml, sizeof(xml), "<mujoco><worldbody>");
  for (int i = 0; i < 150; i++) {
    n += snprintf(xml + n, sizeof(xml) - n,
                  "<body pos='0 0 .1'><joint axis='%d %d 1' armature='.01'/><geom size='.05'/>", i % 2, i % 3);
  }
  for (int i = 0; i < 150; i++) n += snprintf(xml + n, sizeof(xml) - n, "</body>");
  snprintf(xml + n, sizeof(xml) - n, "</worldbody></mujoco>");
  mjModel* deep = orc_compile(xml);
  mjData* data = mj_makeData(deep);
  mj_fwdKinematics(deep, data);
  mj_makeM(deep, data);
  mj_factorM(deep, data);
  mjtNum x[150], y[150], z[150];
  for (int i = 0; i < 150; i++) x[i] = sin(0.1 * i);
  mj_mulM(deep, data, y, x);
  mj_solveM(deep, data, z, y, 1);
  for (int i = 0; i < 150; i++) assert_true(fabs(z[i] - x[i]) < 1e-6);
  mj_deleteData(data);
  ORC(mj_deleteModel)(deep);
}

// the passes compiled for other instruction sets give the same bits
static void sameBitsOnEveryMachine(void** state) {
  (void)state;
  static const char* const kernels[] = {"scalar", "v2", "v3", "v4", "neon"};
  const char* before = mth_kernelName();
  for (int n = 0; n < NNAMES; n++) {
    static mjtNum first[4000];
    for (int k = 0; k < 5; k++) {
      if (!mth_kernelSelect(kernels[k])) continue;
      openModel(NAMES[n]);
      mj_rne(m, d, 1, d->qfrc_bias);
      mj_solveM(m, d, d->qacc_smooth, d->qfrc_bias, 1);
      const mjtNum* const field[] = {d->geom_xmat, d->cinert, d->cdof,      d->qM,
                                     d->qLD,       d->cvel,   d->qfrc_bias, d->qacc_smooth};
      const int size[] = {9 * (int)m->ngeom, 10 * (int)m->nbody, 6 * (int)m->nv, (int)m->nM,
                          (int)m->nC,        6 * (int)m->nbody,  (int)m->nv,     (int)m->nv};
      int at = 0;
      for (int f = 0; f < 8; f++) {
        assert_true(at + size[f] <= 4000);
        if (k) assert_memory_equal(first + at, field[f], size[f] * sizeof(mjtNum));
        if (!k) memcpy(first + at, field[f], size[f] * sizeof(mjtNum));
        at += size[f];
      }
      closeModel();
    }
  }
  mth_kernelSelect(before);
}

// ---------------------------------------------------------------- mass, lazy flags, forces

static void totalMass(void** state) {
  (void)state;
  openModel("joints");
  const mjtNum mass = mj_getTotalmass(m), inertia = m->body_inertia[3];
  mjtNum sum = 0;
  for (int i = 1; i < m->nbody; i++) sum += m->body_mass[i];
  assert_true(fabs(mass - sum) < 1e-12);
  mj_setTotalmass(m, 2.5 * mass);
  assert_true(fabs(mj_getTotalmass(m) - 2.5 * mass) < 1e-10);
  assert_true(fabs(m->body_inertia[3] - 2.5 * inertia) < 1e-12);
  closeModel();
}

// a force at a point does the work J'f
static void forcesByJacobian(void** state) {
  (void)state;
  openModel("chain");
  const int nv = (int)m->nv;
  const mjtNum force[3] = {1, -2, 3}, torque[3] = {0.3, 0.2, -0.7}, point[3] = {0.4, 0.1, 1.2};
  for (int b = 0; b < m->nbody; b++) {
    mjtNum jacp[3 * NV], jacr[3 * NV], qfrc[NV];
    for (int i = 0; i < nv; i++) qfrc[i] = i;
    mj_jac(m, d, jacp, jacr, point, b);
    mj_applyFT(m, d, force, torque, point, b, qfrc);
    for (int i = 0; i < nv; i++) {
      mjtNum expected = i;
      for (int k = 0; k < 3; k++) expected += jacp[k * nv + i] * force[k] + jacr[k * nv + i] * torque[k];
      assert_true(fabs(expected - qfrc[i]) < 1e-13 * (1 + nv));
    }
  }
  closeModel();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(likeTheReference),    cmocka_unit_test(inertiaProducts),
                                     cmocka_unit_test(factorsMultiplyBack), cmocka_unit_test(newtonEuler),
                                     cmocka_unit_test(kineticEnergy),       cmocka_unit_test(tendonDot),
                                     cmocka_unit_test(deepChain),           cmocka_unit_test(sameBitsOnEveryMachine),
                                     cmocka_unit_test(totalMass),           cmocka_unit_test(forcesByJacobian)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
