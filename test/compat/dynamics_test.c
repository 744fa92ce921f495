// Inertia-like matrices, tendons, Jacobian differences and constraint rows under the reference's names.
// Tolerances: sums of products in another order, relative to the largest entry.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "compat/engine.h"
#include "support/catch.h"
#include "support/model.h"
#include "support/near.h"
#include "support/stage.h"

// a free body, a branching arm with a ball joint, and tendons with armature
static const char TENDONS[] =
    "<mujoco><worldbody>"
    "<body pos='0 0 2'><freejoint/><geom size='.1'/><site name='f' pos='.1 0 0'/></body>"
    "<body pos='1 0 1'><joint name='a' axis='0 1 0'/><geom type='capsule' size='.05 .2'/><site name='s0' pos='.2 .1 "
    "0'/>"
    " <body pos='.4 0 0'><joint name='b' axis='1 0 0'/><geom size='.1'/><site name='s1' pos='0 0 .3'/>"
    "  <body pos='.1 .1 .3'><joint type='ball'/><geom size='.1 .2 .1' type='box'/><site name='s2'/></body></body>"
    " <body pos='-.3 0 0'><joint name='e' type='slide' axis='0 0 1'/><geom size='.1'/><site name='s3'/></body></body>"
    "</worldbody><tendon>"
    "<spatial armature='.3'><site site='s0'/><site site='s1'/><site site='s2'/></spatial>"
    "<spatial armature='.2'><site site='f'/><site site='s3'/></spatial>"
    "<fixed armature='.1'><joint joint='a' coef='2'/><joint joint='e' coef='-1'/></fixed>"
    "<spatial><site site='s3'/><site site='s2'/></spatial></tendon>"
    "<actuator><motor joint='a' group='1'/><motor joint='b' group='31'/><motor joint='e' "
    "group='-1'/></actuator></mujoco>";

static mjtNum* numbers(mjtSize n) {
  return calloc((size_t)n + 1, sizeof(mjtNum));
}

static mjtNum* copyOf(const mjtNum* from, mjtSize n) {
  mjtNum* res = numbers(n);
  memcpy(res, from, (size_t)n * sizeof(mjtNum));
  return res;
}

// dofs of every other tree
static int someDofs(const mjModel* m, int* index) {
  int n = 0;
  for (int i = 0; i < m->nv; i++) {
    if (m->dof_treeid[i] % 2 == 0) index[n++] = i;
  }
  return n;
}

//---------------------------------- factor and solve ----------------------------------

static void factorsAreThoseOfM(void** state) {
  (void)state;
  for (int i = 0; tst_models[i]; i++) {
    mjModel* m = tst_model(tst_models[i]);
    mjData* d = mj_makeData(m);
    mj_forward(m, d);
    Stage s = {.name = tst_models[i], .m = m};
    const int nv = (int)m->nv;
    mjtNum *L = copyOf(d->M, m->nC), *inv = numbers(nv), *x = numbers(3 * nv), *y = numbers(3 * nv);
    mjtNum *old = numbers(m->nM), *oldInv = numbers(nv), *oldL = numbers(m->nC);
    mj_factorM(m, d);
    mj_factorI(L, inv, nv, m->M_rownnz, m->M_rowadr, m->M_colind, NULL);
    stg_near(&s, "L", d->qLD, L, (int)m->nC, 1e-12);
    stg_near(&s, "1/D", d->qLDiagInv, inv, nv, 1e-12);

    // the older order holds the same
    mj_factorI_legacy(m, d, d->qM, old, oldInv);
    for (int k = 0; k < m->nC; k++) oldL[k] = old[m->mapM2M[k]];
    stg_near(&s, "legacy L", L, oldL, (int)m->nC, 1e-12);
    stg_near(&s, "legacy 1/D", inv, oldInv, nv, 1e-12);

    // solutions
    for (int k = 0; k < 3 * nv; k++) x[k] = k % 5 - 1.5;
    mj_solveM(m, d, y, x, 3);
    mjtNum* z = copyOf(x, 3 * nv);
    mj_solveLD(z, L, inv, nv, 3, m->M_rownnz, m->M_rowadr, m->M_colind, NULL);
    stg_near(&s, "x", y, z, 3 * nv, 1e-11);
    mj_solveLD_legacy(m, x, 3, old, oldInv);
    stg_near(&s, "legacy x", y, x, 3 * nv, 1e-11);
    assert_int_equal(s.errors, 0);

    mjtNum* all[] = {L, inv, x, y, z, old, oldInv, oldL};
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) free(all[k]);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

static void compareFactors(Stage* s, const int* index, int n) {
  const mjModel* m = s->m;
  const int nv = (int)m->nv, nC = (int)m->nC, nM = (int)m->nM;
  mjtNum *L[2], *inv[2], *x[2], *old[2];
  Rnd rnd = {5};
  for (int k = 0; k < 2; k++) {
    L[k] = copyOf(s->ref->M, nC);
    inv[k] = numbers(nv);
    old[k] = numbers(nM);
    x[k] = numbers(3 * nv);
  }
  for (int k = 0; k < 3 * nv; k++) x[0][k] = x[1][k] = k % 4 ? rnd_uniform(&rnd, -1, 1) : 0;
  ORC(mj_factorI)(L[0], inv[0], n, m->M_rownnz, m->M_rowadr, m->M_colind, index);
  mj_factorI(L[1], inv[1], n, m->M_rownnz, m->M_rowadr, m->M_colind, index);
  stg_near(s, "L", L[0], L[1], nC, 1e-13);
  stg_near(s, "1/D", inv[0], inv[1], nv, 1e-13);
  int nvec = index ? 1 : 3;
  ORC(mj_solveLD)(x[0], L[0], inv[0], n, nvec, m->M_rownnz, m->M_rowadr, m->M_colind, index);
  mj_solveLD(x[1], L[1], inv[1], n, nvec, m->M_rownnz, m->M_rowadr, m->M_colind, index);
  stg_near(s, "x", x[0], x[1], 3 * nv, 1e-11);

  // diagonals are optional
  memcpy(L[1], s->ref->M, (size_t)nC * sizeof(mjtNum));
  mj_factorI(L[1], NULL, n, m->M_rownnz, m->M_rowadr, m->M_colind, index);
  stg_near(s, "L alone", L[0], L[1], nC, 1e-13);

  // the older order
  ORC(mj_factorI_legacy)(m, s->ref, s->ref->qM, old[0], inv[0]);
  mj_factorI_legacy(m, s->d, s->ref->qM, old[1], inv[1]);
  stg_near(s, "legacy L", old[0], old[1], nM, 1e-13);
  stg_near(s, "legacy 1/D", inv[0], inv[1], nv, 1e-13);
  for (nvec = 1; nvec < 4; nvec += 2) {
    ORC(mj_solveLD_legacy)(m, x[0], nvec, old[0], inv[0]);
    mj_solveLD_legacy(m, x[1], nvec, old[1], inv[1]);
    stg_near(s, "legacy x", x[0], x[1], 3 * nv, 1e-11);
  }
  for (int k = 0; k < 2; k++) {
    free(L[k]);
    free(inv[k]);
    free(old[k]);
    free(x[k]);
  }
}

static void factorsMatchReference(void** state) {
  (void)state;
  for (int i = 0; tst_models[i]; i++) {
    mjModel* m = tst_model(tst_models[i]);
    Stage s = stg_open(tst_models[i], m);
    Rnd rnd = {(uint64_t)i};
    stg_randomize(&s, &rnd, m->nflex ? 0.01 : 0.5);
    stg_forward(&s);
    int* index = calloc((size_t)m->nv + 1, sizeof(int));
    compareFactors(&s, NULL, (int)m->nv);
    const int n = someDofs(m, index);
    compareFactors(&s, index, n);
    free(index);
    assert_int_equal(s.errors, 0);
    stg_close(&s);
    mj_deleteModel(m);
  }
}

// a pivot that is not positive: warned about and replaced
static void badPivot(void** state) {
  (void)state;
  TstScene t =
      tst_openScene("<mujoco><worldbody><body><joint/><geom size='.1' pos='.2 0 0'/></body></worldbody></mujoco>");
  mjtNum qLD[1], inv[1], M[1] = {-1};
  void (*const old)(const char*) = mju_user_warning;
  mju_user_warning = catchCount;
  mj_factorI_legacy(t.m, t.d, M, qLD, inv);
  mju_user_warning = old;
  assert_int_equal(t.d->warning[mjWARN_INERTIA].number, 1);
  assert_true(qLD[0] == mjMINVAL);
  tst_closeScene(&t);
}

//---------------------------------- tendons ----------------------------------

static void tendonsMatchReference(void** state) {
  (void)state;
  mjModel* m = tst_string(TENDONS);
  mjData* d = mj_makeData(m);
  const int nv = (int)m->nv, nC = (int)m->nC;

  // M is what bodies and tendons give
  for (int i = 0; i < nv; i++) d->qvel[i] = 0.1 * (i + 1);
  mj_forward(m, d);
  mjtNum *M = copyOf(d->M, nC), *Jdot = numbers(nv);
  mj_crb(m, d);
  mj_tendonArmature(m, d);
  for (int i = 0; i < nC; i++) assert_near(M[i], d->M[i], 1e-14);

  // fixed tendons have a constant Jacobian, and without velocity there is no bias
  stg_spoil(Jdot, nv);
  mj_tendonDot(m, d, 2, Jdot);
  for (int i = 0; i < nv; i++) assert_true(Jdot[i] == 0);
  memset(d->qvel, 0, (size_t)nv * sizeof(mjtNum));
  mj_forward(m, d);
  mj_tendonBias(m, d, Jdot);
  for (int i = 0; i < nv; i++) assert_near(Jdot[i], 0, 1e-15);
  mj_deleteData(d);

  Stage s = stg_open("tendons", m);
  mjtNum *ref = numbers(nv), *our = numbers(nv);
  Rnd rnd = {3};
  for (int trial = 0; trial < 6; trial++) {
    m->opt.jacobian = trial % 2 ? mjJAC_SPARSE : mjJAC_DENSE;
    stg_randomize(&s, &rnd, 0.3);
    stg_forward(&s);
    ORC(mj_tendonArmature)(m, s.ref);
    mj_tendonArmature(m, s.d);
    stg_near(&s, "M", s.ref->M, s.d->M, nC, 1e-14);
    memset(ref, 0, (size_t)nv * sizeof(mjtNum));
    memset(our, 0, (size_t)nv * sizeof(mjtNum));
    ORC(mj_tendonBias)(m, s.ref, ref);
    mj_tendonBias(m, s.d, our);
    stg_near(&s, "bias", ref, our, nv, 1e-12);
    for (int t = -1; t <= m->ntendon; t++) {
      stg_spoil(our, nv);
      stg_spoil(ref, nv);
      ORC(mj_tendonDot)(m, s.ref, t, ref);
      mj_tendonDot(m, s.d, t, our);
      stg_near(&s, "Jdot", ref, our, nv, 1e-12);
    }
  }
  assert_int_equal(s.errors, 0);
  stg_close(&s);
  free(ref);
  free(our);
  free(M);
  free(Jdot);
  mj_deleteModel(m);
}

// a path around a geom has no derivative here: an error that says who could not give it
static void wrappedTendon(void** state) {
  (void)state;
  mjModel* m = tst_string(
      "<mujoco><worldbody><site name='s0' pos='0 0 1'/><geom name='g' size='.1' pos='0 0 .5'/>"
      "<body><freejoint/><geom size='.1'/><site name='s1'/></body></worldbody>"
      "<tendon><spatial><site site='s0'/><geom geom='g'/><site site='s1'/></spatial></tendon></mujoco>");
  mjData* d = mj_makeData(m);
  mjtNum* Jdot = numbers(m->nv);
  mj_forward(m, d);
  assert_string_equal(CATCH(mj_tendonDot(m, d, 0, Jdot)), "mj_tendonDot: geom wrapping not supported");
  free(Jdot);
  mj_deleteData(d);
  mj_deleteModel(m);
}

//---------------------------------- Jacobians and positions ----------------------------------

// room for what mj_jacDifPair writes
typedef struct {
  int n;
  int* chain;
  mjtNum *jac1p, *jac2p, *difp, *jac1r, *jac2r, *difr;
} Dif;

static Dif openDif(int nv) {
  Dif r = {0, calloc((size_t)(2 * nv) + 1, sizeof(int)), NULL, NULL, NULL, NULL, NULL, NULL};
  mjtNum** all[] = {&r.jac1p, &r.jac2p, &r.difp, &r.jac1r, &r.jac2r, &r.difr};
  for (int i = 0; i < 6; i++) {
    *all[i] = numbers(6 * nv);
    stg_spoil(*all[i], 6 * nv);
  }
  return r;
}

static void closeDif(Dif* r) {
  mjtNum* all[] = {r->jac1p, r->jac2p, r->difp, r->jac1r, r->jac2r, r->difr};
  for (int i = 0; i < 6; i++) free(all[i]);
  free(r->chain);
}

#define JACDIF(call, d, r, b1, b2, sparse)                                                                           \
  (r).n = call(m, d, (r).chain, b1, b2, (d)->xipos + 3 * (b1), (d)->xpos + 3 * (b2), (r).jac1p, (r).jac2p, (r).difp, \
               (r).jac1r, (r).jac2r, (r).difr, sparse)

static void compareDif(Stage* s, const mjModel* m, int b1, int b2) {
  const int nv = (int)m->nv;
  for (int sparse = 0; sparse < 2; sparse++) {
    Dif ref = openDif(nv), our = openDif(nv);
    JACDIF(ORC(mj_jacDifPair), s->ref, ref, b1, b2, sparse);
    JACDIF(mj_jacDifPair, s->d, our, b1, b2, sparse);
    stg_same(s, "columns", &ref.n, &our.n, 1);
    if (sparse) stg_same(s, "chain", ref.chain, our.chain, ref.n);
    const mjtNum* refs[] = {ref.jac1p, ref.jac2p, ref.difp, ref.jac1r, ref.jac2r, ref.difr};
    const mjtNum* ours[] = {our.jac1p, our.jac2p, our.difp, our.jac1r, our.jac2r, our.difr};
    for (int k = 0; k < 6; k++) stg_near(s, sparse ? "sparse" : "dense", refs[k], ours[k], 3 * ref.n, 1e-13);
    closeDif(&ref);
    closeDif(&our);
  }
}

// sparse = dense, column by column
static void checkDif(const mjModel* m, const mjData* d, int b1, int b2) {
  const int nv = (int)m->nv;
  Dif dense = openDif(nv), sparse = openDif(nv);
  JACDIF(mj_jacDifPair, d, dense, b1, b2, 0);
  JACDIF(mj_jacDifPair, d, sparse, b1, b2, 1);
  assert_int_equal(dense.n, nv);
  int c = 0;
  for (int i = 0; i < nv; i++) {
    const int here = c < sparse.n && sparse.chain[c] == i;
    for (int r = 0; r < 3; r++) {
      assert_near(dense.difp[r * nv + i], here ? sparse.difp[r * sparse.n + c] : 0, 1e-14);
      assert_near(dense.difr[r * nv + i], here ? sparse.difr[r * sparse.n + c] : 0, 1e-14);
    }
    c += here;
  }
  assert_int_equal(c, sparse.n);
  closeDif(&dense);
  closeDif(&sparse);
}

static void jacobianDifferences(void** state) {
  (void)state;
  mjModel* m = tst_string(TENDONS);
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  Stage s = stg_open("tendons", m);
  Rnd rnd = {8};
  stg_randomize(&s, &rnd, 0.5);
  stg_forward(&s);
  for (int b1 = 0; b1 < m->nbody; b1++) {
    for (int b2 = 0; b2 < m->nbody; b2++) {
      if (b1 == b2) continue;
      checkDif(m, d, b1, b2);
      compareDif(&s, m, b1, b2);
    }
  }
  assert_int_equal(s.errors, 0);
  stg_close(&s);

  // only the chain is wanted
  int chain[32];
  assert_int_equal(mj_jacDifPair(m, d, chain, 1, 2, d->xpos, d->xpos, NULL, NULL, NULL, NULL, NULL, NULL, 1), 7);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void positionsOfSomeBodies(void** state) {
  (void)state;
  mjModel* m = tst_string(TENDONS);
  const int nq = (int)m->nq, nv = (int)m->nv, index[] = {0, 1, 3, 5};
  mjtNum *vel = numbers(nv), *all = copyOf(m->qpos0, nq), *one = copyOf(m->qpos0, nq), *two = copyOf(m->qpos0, nq);
  for (int i = 0; i < nv; i++) vel[i] = 0.3 * i - 1;

  // without an index: all of them
  mj_integratePos(m, all, vel, 0.7);
  mj_integratePosInd(m, one, vel, 0.7, NULL, (int)m->nbody);
  orc_sameBytes(all, one, (size_t)nq * sizeof(mjtNum));

  // with one: the joints of others stay
  memcpy(one, m->qpos0, (size_t)nq * sizeof(mjtNum));
  mj_integratePosInd(m, one, vel, 0.7, index, 4);
  for (int j = 0; j < m->njnt; j++) {
    const int q = m->jnt_qposadr[j], body = m->jnt_bodyid[j];
    assert_true(one[q] == (body == 1 || body == 3 || body == 5 ? all[q] : m->qpos0[q]));
  }
  ORC(mj_integratePosInd)(m, two, vel, 0.7, index, 4);
  for (int i = 0; i < nq; i++) assert_near(two[i], one[i], 1e-15);
  free(vel);
  free(all);
  free(one);
  free(two);
  mj_deleteModel(m);
}

//---------------------------------- actuators, rows, graphs ----------------------------------

static void disabledActuators(void** state) {
  (void)state;
  mjModel* m = tst_string(TENDONS);
  const int masks[] = {0, 1, 2, 3, -1};
  for (int k = 0; k < 5; k++) {
    m->opt.disableactuator = masks[k];
    assert_int_equal(mj_actuatorDisabled(m, 0), (masks[k] >> 1) & 1);
    for (int i = 0; i < m->nu; i++) {
      if (i) assert_int_equal(mj_actuatorDisabled(m, i), 0);
      orc_sameInt(mj_actuatorDisabled(m, i), ORC(mj_actuatorDisabled)(m, i));
    }
  }
  mj_deleteModel(m);
}

#define UPDATE(call, s_, f_, cost, cones)                                                                           \
  call(d->ne, d->nf, d->nefc, d->efc_D, d->efc_R, d->efc_frictionloss, jar, d->efc_type, d->efc_id, d->contact, s_, \
       f_, cost, cones)

static void compareRows(Stage* s, Rnd* rnd) {
  mjData *d = s->d, *ref = s->ref;
  const int n = d->nefc;
  mjtNum *jar = numbers(n), *force = numbers(n), *other = numbers(n), cost[2];
  int *st = calloc((size_t)n + 1, sizeof(int)), *other_st = calloc((size_t)n + 1, sizeof(int));
  for (int i = 0; i < n; i++) jar[i] = rnd_uniform(rnd, -30, 30);

  // the rows of mjData
  mj_constraintUpdate(s->m, d, jar, cost, 1);
  UPDATE(mj_constraintUpdate_impl, st, force, cost + 1, 1);
  stg_same(s, "state", d->efc_state, st, n);
  stg_near(s, "force", d->efc_force, force, n, 1e-14);
  stg_near(s, "cost", cost, cost + 1, 1, 1e-14);

  mjData* const ours = d;
  d = ref;
  UPDATE(ORC(mj_constraintUpdate_impl), other_st, other, cost, 1);
  d = ours;
  stg_same(s, "state", other_st, st, n);
  stg_near(s, "force", other, force, n, 1e-12);
  stg_near(s, "cost", cost, cost + 1, 1, 1e-12);
  for (int i = 0; i < d->ncon; i++) stg_near(s, "H", ref->contact[i].H, d->contact[i].H, 36, 1e-12);

  // the cost is optional, no rows cost nothing
  UPDATE(mj_constraintUpdate_impl, st, force, NULL, 0);
  mj_constraintUpdate_impl(0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, cost, 0);
  assert_true(cost[0] == 0);
  free(jar);
  free(force);
  free(other);
  free(st);
  free(other_st);
}

static void constraintRows(void** state) {
  (void)state;
  Rnd rnd = {11};
  for (int i = 0; tst_models[i]; i++) {
    mjModel* m = tst_model(tst_models[i]);
    for (int cone = 0; cone < 2; cone++) {
      m->opt.cone = cone ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
      Stage s = stg_open(tst_models[i], m);
      stg_forward(&s);
      for (int trial = 0; trial < 3; trial++) compareRows(&s, &rnd);
      stg_finish(&s);
    }
    mj_deleteModel(m);
  }
}

enum { VERTICES = 40, ENTRIES = 400 };

static void floodFill(void** state) {
  (void)state;

  // two parts, a vertex that only points to itself, one alone
  const int nnz[] = {1, 2, 1, 0, 1, 1, 1}, adr[] = {0, 1, 3, 4, 4, 5, 6}, col[] = {1, 0, 2, 1, 5, 4, 6};
  int island[VERTICES], stack[ENTRIES];
  const int expected[] = {0, 0, 0, -1, 1, 1, 2};
  assert_int_equal(mj_floodFill(island, 7, nnz, adr, col, stack), 3);
  orc_sameBytes(island, expected, sizeof(expected));

  // random symmetric graphs
  Rnd rnd = {2};
  for (int trial = 0; trial < 50; trial++) {
    int edge[VERTICES][VERTICES] = {{0}}, rownnz[VERTICES] = {0}, rowadr[VERTICES], colind[ENTRIES], other[VERTICES];
    for (int e = 0; e < trial; e++) {
      const int a = rnd_below(&rnd, VERTICES), b = rnd_below(&rnd, VERTICES);
      edge[a][b] = edge[b][a] = 1;
    }
    int n = 0;
    for (int a = 0; a < VERTICES; a++) {
      rowadr[a] = n;
      for (int b = 0; b < VERTICES; b++) {
        if (edge[a][b]) colind[n++] = b;
      }
      rownnz[a] = n - rowadr[a];
    }
    const int count = ORC(mj_floodFill)(other, VERTICES, rownnz, rowadr, colind, stack);
    assert_int_equal(mj_floodFill(island, VERTICES, rownnz, rowadr, colind, stack), count);
    orc_sameBytes(island, other, sizeof(other));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(factorsAreThoseOfM),
      cmocka_unit_test(factorsMatchReference),
      cmocka_unit_test(badPivot),
      cmocka_unit_test(tendonsMatchReference),
      cmocka_unit_test(wrappedTendon),
      cmocka_unit_test(jacobianDifferences),
      cmocka_unit_test(positionsOfSomeBodies),
      cmocka_unit_test(disabledActuators),
      cmocka_unit_test(constraintRows),
      cmocka_unit_test(floodFill),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
