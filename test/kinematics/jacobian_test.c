// Jacobians: columns by hand for every joint type, wrappers, finite differences through mj_integratePos, sparse against
// dense, rows of contacts between two bodies.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "kinematics/jacobian.h"
#include "math/quat.h"
#include "support/model.h"
#include "support/random.h"

#define NV 64

static mjModel* m;
static mjData* d;

// every test starts from the same random configuration and velocity
static int setUp(void** state) {
  (void)state;
  m = tst_model("joints");
  assert_true(m->nv <= NV);
  d = mj_makeData(m);
  Rnd rnd = {7};
  mjtNum vel[NV];
  for (int i = 0; i < m->nv; i++) vel[i] = rnd_uniform(&rnd, -1, 1);
  mj_integratePos(m, d->qpos, vel, 0.7);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = rnd_uniform(&rnd, -1, 1);
  mj_fwdKinematics(m, d);
  mj_comVel(m, d);
  return 0;
}

static int tearDown(void** state) {
  (void)state;
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}

static int body(const char* name) {
  return mj_name2id(m, mjOBJ_BODY, name);
}

static void column(mjtNum col[3], const mjtNum* jac, int dof) {
  for (int k = 0; k < 3; k++) col[k] = jac[k * m->nv + dof];
}

static void assertNear(const mjtNum* a, const mjtNum* b, int n, double tol) {
  for (int i = 0; i < n; i++) assert_true(fabs(a[i] - b[i]) <= tol * fmax(1, fabs(b[i])));
}

// ---------------------------------------------------------------- by hand

// axis × r and axis for a rotation about an anchor
static void assertRotation(const mjtNum* jacp, const mjtNum* jacr, int dof, const mjtNum axis[3], const mjtNum r[3]) {
  mjtNum col[3], expected[3];
  mth_cross3(expected, axis, r);
  column(col, jacp, dof);
  assertNear(col, expected, 3, 1e-14);
  column(col, jacr, dof);
  assertNear(col, axis, 3, 1e-14);
}

static void eachJointType(void** state) {
  (void)state;
  mjtNum jacp[3 * NV], jacr[3 * NV], r[3], axis[3], col[3];
  const char* names[4] = {"hinge", "slide", "ball", "free1"};
  for (int i = 0; i < 4; i++) {
    const int b = body(names[i]), j = m->body_jntadr[b], dof = m->jnt_dofadr[j];
    const mjtNum point[3] = {d->xpos[3 * b] + 0.3, d->xpos[3 * b + 1] - 0.2, d->xpos[3 * b + 2] + 0.5};
    mj_jac(m, d, jacp, jacr, point, b);
    mth_sub3(r, point, d->xanchor + 3 * j);
    switch (m->jnt_type[j]) {
      case mjJNT_HINGE:
        assertRotation(jacp, jacr, dof, d->xaxis + 3 * j, r);
        break;
      case mjJNT_SLIDE:
        column(col, jacp, dof);
        assertNear(col, d->xaxis + 3 * j, 3, 1e-14);
        column(col, jacr, dof);
        assert_true(col[0] == 0 && col[1] == 0 && col[2] == 0);
        break;
      default:
        // the axes of quaternions are those of the body
        for (int k = 0; k < 3; k++) {
          mth_col3(axis, d->xmat + 9 * b, k);
          assertRotation(jacp, jacr, dof + (m->jnt_type[j] == mjJNT_FREE ? 3 : 0) + k, axis, r);
        }
    }
    if (m->jnt_type[j] != mjJNT_FREE) continue;
    for (int k = 0; k < 3; k++) {
      column(col, jacp, dof + k);
      for (int c = 0; c < 3; c++) assert_true(col[c] == (c == k));
      column(col, jacr, dof + k);
      assert_true(col[0] == 0 && col[1] == 0 && col[2] == 0);
    }
  }
}

static void worldDoesNotMove(void** state) {
  (void)state;
  mjtNum jacp[3 * NV], jacr[3 * NV];
  const mjtNum point[3] = {1, 2, 3};
  memset(jacp, 1, sizeof(jacp));
  memset(jacr, 1, sizeof(jacr));
  mj_jac(m, d, jacp, jacr, point, 0);
  for (int i = 0; i < 3 * m->nv; i++) assert_true(jacp[i] == 0 && jacr[i] == 0);
}

static void wrappersAgree(void** state) {
  (void)state;
  mjtNum a[6 * NV], b[6 * NV];
  const int size = 3 * (int)m->nv, bytes = 2 * size * (int)sizeof(mjtNum);
  for (int i = 0; i < m->nbody; i++) {
    mj_jac(m, d, a, a + size, d->xpos + 3 * i, i);
    mj_jacBody(m, d, b, b + size, i);
    assert_memory_equal(a, b, bytes);
    mj_jac(m, d, a, a + size, d->xipos + 3 * i, i);
    mj_jacBodyCom(m, d, b, b + size, i);
    assert_memory_equal(a, b, bytes);
  }
  for (int i = 0; i < m->ngeom; i++) {
    mj_jac(m, d, a, a + size, d->geom_xpos + 3 * i, m->geom_bodyid[i]);
    mj_jacGeom(m, d, b, b + size, i);
    assert_memory_equal(a, b, bytes);
  }
  for (int i = 0; i < m->nsite; i++) {
    mj_jac(m, d, a, a + size, d->site_xpos + 3 * i, m->site_bodyid[i]);
    mj_jacSite(m, d, b, b + size, i);
    assert_memory_equal(a, b, bytes);
  }
}

// ---------------------------------------------------------------- finite differences

// moves along one dof
static void nudge(mjData* to, int dof, mjtNum eps) {
  mjtNum vel[NV] = {0};
  vel[dof] = 1;
  memcpy(to->qpos, d->qpos, m->nq * sizeof(mjtNum));
  mj_integratePos(m, to->qpos, vel, eps);
  mj_fwdKinematics(m, to);
}

// all bodies, all dofs: the free → hinge → hinge chain and free + ball among them
static void finiteDifferences(void** state) {
  (void)state;
  const mjtNum eps = 1e-6;
  mjData *plus = mj_makeData(m), *minus = mj_makeData(m);
  for (int dof = 0; dof < m->nv; dof++) {
    nudge(plus, dof, eps);
    nudge(minus, dof, -eps);
    for (int b = 0; b < m->nbody; b++) {
      mjtNum jacp[3 * NV], jacr[3 * NV], com[3 * NV], slope[3], col[3], inverse[4], turn[4];
      mj_jacBodyCom(m, d, jacp, jacr, b);
      mth_sub3(slope, plus->xipos + 3 * b, minus->xipos + 3 * b);
      mth_scl3(slope, slope, 0.5 / eps);
      column(col, jacp, dof);
      assertNear(col, slope, 3, 1e-7);

      mth_negQuat(inverse, minus->xquat + 4 * b);
      mth_mulQuat(turn, plus->xquat + 4 * b, inverse);
      mth_scl3(slope, turn + 1, (turn[0] < 0 ? -2 : 2) * 0.5 / eps);
      column(col, jacr, dof);
      assertNear(col, slope, 3, 1e-7);

      if (m->body_subtreemass[b] == 0) continue;
      mj_jacSubtreeCom(m, d, com, b);
      mth_sub3(slope, plus->subtree_com + 3 * b, minus->subtree_com + 3 * b);
      mth_scl3(slope, slope, 0.5 / eps);
      column(col, com, dof);
      assertNear(col, slope, 3, 1e-7);
    }
  }
  mj_deleteData(minus);
  mj_deleteData(plus);
}

static void axisFiniteDifferences(void** state) {
  (void)state;
  const int site = mj_name2id(m, mjOBJ_SITE, "chain"), b = m->site_bodyid[site];
  const mjtNum eps = 1e-6;
  mjtNum axis[3], jacPoint[3 * NV], jacAxis[3 * NV], jacp[3 * NV], before[3], after[3], col[3];
  mth_col3(axis, d->site_xmat + 9 * site, 1);
  mj_jacPointAxis(m, d, jacPoint, jacAxis, d->site_xpos + 3 * site, axis, b);
  mj_jacSite(m, d, jacp, NULL, site);
  assert_memory_equal(jacPoint, jacp, 3 * m->nv * sizeof(mjtNum));

  mjData* near = mj_makeData(m);
  for (int dof = 0; dof < m->nv; dof++) {
    nudge(near, dof, -eps);
    mth_col3(before, near->site_xmat + 9 * site, 1);
    nudge(near, dof, eps);
    mth_col3(after, near->site_xmat + 9 * site, 1);
    mth_sub3(after, after, before);
    mth_scl3(after, after, 0.5 / eps);
    column(col, jacAxis, dof);
    assertNear(col, after, 3, 1e-7);
  }
  mj_deleteData(near);
}

// d/dt J along the current velocity
static void jacDotFiniteDifferences(void** state) {
  (void)state;
  const mjtNum eps = 1e-6;
  mjData* near[2] = {mj_makeData(m), mj_makeData(m)};
  for (int side = 0; side < 2; side++) {
    memcpy(near[side]->qpos, d->qpos, m->nq * sizeof(mjtNum));
    mj_integratePos(m, near[side]->qpos, d->qvel, side ? eps : -eps);
    mj_fwdKinematics(m, near[side]);
  }
  for (int b = 1; b < m->nbody; b++) {
    mjtNum dot[6 * NV], jac[2][6 * NV];
    const int size = 3 * (int)m->nv;
    mj_jacDot(m, d, dot, dot + size, d->xpos + 3 * b, b);
    for (int side = 0; side < 2; side++) mj_jacBody(m, near[side], jac[side], jac[side] + size, b);
    for (int i = 0; i < 2 * size; i++) {
      const mjtNum slope = (jac[1][i] - jac[0][i]) / (2 * eps);
      assert_true(fabs(dot[i] - slope) < 1e-6 * fmax(1, fabs(slope)));
    }

    // sparse form
    int chain[NV];
    mjtNum sparse[6 * NV];
    const int n = kin_bodyChain(m, b, chain);
    kin_jacDotSparse(m, d, (KinPoint){b, d->xpos + 3 * b}, (KinChain){n, chain}, sparse, sparse + 3 * n);
    for (int c = 0; c < n; c++) {
      for (int k = 0; k < 6; k++) assert_true(sparse[k * n + c] == dot[k * m->nv + chain[c]]);
    }
  }
  mj_deleteData(near[0]);
  mj_deleteData(near[1]);
}

// ---------------------------------------------------------------- velocities

static void timesVelocity(mjtNum res[3], const mjtNum* jac) {
  for (int k = 0; k < 3; k++) {
    res[k] = 0;
    for (int i = 0; i < m->nv; i++) res[k] += jac[k * m->nv + i] * d->qvel[i];
  }
}

// J q̇ is the velocity that mj_objectVelocity reports; the angular momentum matrix agrees with mj_subtreeVel
static void velocities(void** state) {
  (void)state;
  mj_subtreeVel(m, d);
  for (int b = 0; b < m->nbody; b++) {
    mjtNum jacp[3 * NV], jacr[3 * NV], vel[6], v[3];
    mj_jacBodyCom(m, d, jacp, jacr, b);
    mj_objectVelocity(m, d, mjOBJ_BODY, b, vel, 0);
    timesVelocity(v, jacr);
    assertNear(vel, v, 3, 1e-13);
    timesVelocity(v, jacp);
    assertNear(vel + 3, v, 3, 1e-13);

    mjtNum local[6], turned[3];
    mj_objectVelocity(m, d, mjOBJ_BODY, b, local, 1);
    mth_mulMatVec3(turned, d->ximat + 9 * b, local);
    assertNear(turned, vel, 3, 1e-13);

    mjtNum mat[3 * NV];
    mj_angmomMat(m, d, mat, b);
    timesVelocity(v, mat);
    assertNear(v, d->subtree_angmom + 3 * b, 3, 1e-12);
  }
}

// two hinges in a row: axes add up
static void hingeChainAxes(void** state) {
  (void)state;
  const int b = body("swing2"), j2 = m->body_jntadr[b], j1 = m->body_jntadr[body("swing1")];
  mjtNum jacr[3 * NV], col[3], omega[3], sum[3];
  mj_jacBody(m, d, NULL, jacr, b);
  column(col, jacr, m->jnt_dofadr[j1]);
  assertNear(col, d->xaxis + 3 * j1, 3, 1e-14);
  column(col, jacr, m->jnt_dofadr[j2]);
  assertNear(col, d->xaxis + 3 * j2, 3, 1e-14);
  timesVelocity(omega, jacr);
  mth_scl3(sum, d->xaxis + 3 * j1, d->qvel[m->jnt_dofadr[j1]]);
  mth_addToScl3(sum, d->xaxis + 3 * j2, d->qvel[m->jnt_dofadr[j2]]);
  assertNear(omega, sum, 3, 1e-14);
}

// ---------------------------------------------------------------- sparse forms

static void chains(void** state) {
  (void)state;
  int chain[NV], other[NV];
  assert_int_equal(kin_bodyChain(m, 0, chain), 0);
  assert_int_equal(kin_bodyChain(m, body("chain3"), chain), 8);
  for (int i = 1; i < 8; i++) assert_int_equal(chain[i], chain[i - 1] + 1);

  // a welded body moves with its parent
  assert_int_equal(kin_bodyChain(m, body("welded"), chain), 8);
  assert_int_equal(kin_bodyChain(m, body("mixed3"), other), 8);
  assert_memory_equal(chain, other, 8 * sizeof(int));

  // branches share the free joint: 6 + 3 + 2 dofs, of which 5 move one side only
  assert_int_equal(kin_mergeChain(m, chain, body("mixed2"), body("mixed3")), 11);
  for (int i = 1; i < 11; i++) assert_true(chain[i] > chain[i - 1]);
  assert_int_equal(kin_mergeChainApart(m, chain, body("mixed2"), body("mixed3")), 5);
  assert_int_equal(kin_mergeChain(m, chain, body("free1"), body("free2")), 12);
  assert_int_equal(kin_mergeChain(m, chain, 0, 0), 0);
}

// all pairs of bodies: dense differences, sparse differences and rows in a frame say the same
static void pairsSparseAndDense(void** state) {
  (void)state;
  Rnd rnd = {3};
  const int nv = (int)m->nv;
  for (int b1 = 0; b1 < m->nbody; b1++) {
    for (int b2 = 0; b2 < m->nbody; b2++) {
      mjtNum pos[2][3], frame[9], quat[4];
      for (int k = 0; k < 6; k++) pos[k / 3][k % 3] = rnd_uniform(&rnd, -1, 1);
      for (int k = 0; k < 4; k++) quat[k] = rnd_uniform(&rnd, -1, 1);
      mth_normalize4(quat);
      mth_quat2Mat(frame, quat);

      // reference: two full Jacobians
      mjtNum J1[6 * NV], J2[6 * NV], dif[6 * NV], dense[6 * NV];
      mj_jac(m, d, J1, J1 + 3 * nv, pos[0], b1);
      mj_jac(m, d, J2, J2 + 3 * nv, pos[1], b2);
      for (int i = 0; i < 6 * nv; i++) dif[i] = J2[i] - J1[i];
      const KinPoint point[2] = {
          {b1, pos[0]},
          {b2, pos[1]}
      };
      kin_jacDif(m, d, point, dense, dense + 3 * nv);
      assertNear(dense, dif, 6 * nv, 1e-15);

      int chain[NV];
      mjtNum sparse[6 * NV], rows[2][6 * NV];
      const int n = kin_mergeChain(m, chain, b1, b2);
      kin_jacDifSparse(m, d, point, (KinChain){n, chain}, sparse, sparse + 3 * n);
      kin_pairRows(m, d, point,
                   &(KinRows){
                       frame, 3, 2, rows[0], n, {n, chain}
      });
      kin_pairRows(m, d, point,
                   &(KinRows){
                       frame, 3, 2, rows[1], nv, {0, NULL}
      });
      for (int c = 0; c < n; c++) {
        for (int k = 0; k < 6; k++) assert_true(sparse[k * n + c] == dense[k * nv + chain[c]]);
        for (int k = 0; k < 5; k++) {
          assert_true(rows[0][k * n + c] == rows[1][k * nv + chain[c]]);
          mjtNum sum = 0;
          for (int x = 0; x < 3; x++) sum += frame[3 * (k % 3) + x] * dif[(3 * (k / 3) + x) * nv + chain[c]];
          assert_true(fabs(sum - rows[0][k * n + c]) < 1e-13);
        }
      }

      // nothing outside the chain
      int inside = 0;
      for (int i = 0; i < nv; i++) {
        if (inside < n && chain[inside] == i) {
          inside++;
          continue;
        }
        for (int k = 0; k < 5; k++) assert_true(rows[1][k * nv + i] == 0);
      }
    }
  }
}

// contact of two free bodies: [-axis, -(r × axis)] for the first, the opposite for the second, angular part in the
// frame of each body
static void contactRows(void** state) {
  (void)state;
  const int b[2] = {body("free1"), body("free2")}, nv = (int)m->nv;
  const mjtNum pos[3] = {4.1, 0.4, -0.2}, quat[4] = {0.5, 0.5, -0.5, 0.5};
  mjtNum frame[9], rows[3 * NV];
  mth_quat2Mat(frame, quat);
  const KinPoint point[2] = {
      {b[0], pos},
      {b[1], pos}
  };
  kin_pairRows(m, d, point,
               &(KinRows){
                   frame, 3, 0, rows, nv, {0, NULL}
  });
  for (int k = 0; k < 3; k++) {
    for (int side = 0; side < 2; side++) {
      const mjtNum sign = side ? 1 : -1, *axis = frame + 3 * k;
      const mjtNum* row = rows + k * nv + m->body_dofadr[b[side]];
      mjtNum r[3], torque[3], local[3];
      mth_sub3(r, pos, d->xpos + 3 * b[side]);
      mth_cross3(torque, r, axis);
      mth_mulMatTVec3(local, d->xmat + 9 * b[side], torque);
      for (int c = 0; c < 3; c++) {
        assert_true(fabs(row[c] - sign * axis[c]) < 1e-14);
        assert_true(fabs(row[3 + c] - sign * local[c]) < 1e-14);
      }
    }
  }
}

static void weightedSums(void** state) {
  (void)state;
  const int bodies[3] = {body("mixed2"), body("chain3"), body("mixed3")};
  const mjtNum weight[3] = {0.5, -0.2, 0.7}, pos[3] = {5, 0.3, 0.2};
  const KinSum sum = {3, bodies, weight, pos};
  const int nv = (int)m->nv;
  mjtNum expected[6 * NV] = {0}, jac[6 * NV], dense[6 * NV], sparse[6 * NV];
  for (int i = 0; i < 3; i++) {
    mj_jac(m, d, jac, jac + 3 * nv, pos, bodies[i]);
    for (int k = 0; k < 6 * nv; k++) expected[k] += weight[i] * jac[k];
  }
  int chain[NV];
  m->opt.jacobian = mjJAC_DENSE;
  assert_int_equal(kin_jacSum(m, d, &sum, chain, dense, 1), nv);
  assertNear(dense, expected, 6 * nv, 1e-14);
  m->opt.jacobian = mjJAC_SPARSE;
  const int n = kin_jacSum(m, d, &sum, chain, sparse, 1);
  assert_int_equal(n, 11 + 8);
  for (int c = 0; c < n; c++) {
    for (int k = 0; k < 6; k++) assert_true(sparse[k * n + c] == dense[k * nv + chain[c]]);
  }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setUp, tearDown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(eachJointType),       TEST(worldDoesNotMove),      TEST(wrappersAgree),
      TEST(finiteDifferences),   TEST(axisFiniteDifferences), TEST(jacDotFiniteDifferences),
      TEST(velocities),          TEST(hingeChainAxes),        TEST(chains),
      TEST(pairsSparseAndDense), TEST(contactRows),           TEST(weightedSums)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
