// The solver's linear algebra: right by dense algebra, and the same bits on every instruction set.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/problem.h"
#include "support/model.h"

#define assertNear(a, b, tol) assert_true(fabs((a) - (b)) <= (tol))

// everything that a problem of a model in motion needs
typedef struct {
  mjModel* m;
  mjData* d;
  SolProblem p;
} Fixture;

// rows of the model in a state with contacts, stored sparse or dense, as one problem
static void makeProblemOf(Fixture* f, mjModel* m, int sparse) {
  f->m = m;
  f->m->opt.jacobian = sparse ? mjJAC_SPARSE : mjJAC_DENSE;
  f->d = mj_makeData(f->m);
  for (int i = 0; i < 150; i++) mj_step(f->m, f->d);
  mj_forward(f->m, f->d);
  assert_true(f->d->nefc > 0);
  mj_markStack(f->d);
  sol_problem(&f->p, f->m, f->d, -1);
  sol_loadJacobian(&f->p);
}

static void makeProblem(Fixture* f, const char* name, int sparse) {
  makeProblemOf(f, tst_model(name), sparse);
}

static void freeProblem(Fixture* f) {
  mj_freeStack(f->d);
  mj_deleteData(f->d);
  mj_deleteModel(f->m);
}

static mjtNum jacobianAt(const Fixture* f, int r, int c) {
  const mjData* d = f->d;
  if (!f->p.sparse) return d->efc_J[(size_t)r * f->p.n + c];
  for (int k = d->efc_J_rowadr[r]; k < d->efc_J_rowadr[r] + d->efc_J_rownnz[r]; k++) {
    if (d->efc_J_colind[k] == c) return d->efc_J[k];
  }
  return 0;
}

// products, factor, solve and update against dense algebra
static void checkAlgebra(const char* name, int sparse, const SolKernels* k) {
  Fixture f;
  makeProblem(&f, name, sparse);
  const int n = f.p.n, nefc = f.p.rows.nefc;
  mjtNum *x = sol_vector(f.d, n), *y = sol_vector(f.d, nefc), *z = sol_vector(f.d, n), *D = sol_vector(f.d, nefc);
  for (int i = 0; i < n; i++) x[i] = sin(3. * i + 1);
  for (int i = 0; i < nefc; i++) D[i] = i % 3 ? 2 + cos(i) : 0;

  // J x and Jᵀ D
  k->mulJ(y, &f.p.J, x);
  k->mulJT(z, &f.p.J, D, f.p.np / 8);
  for (int r = 0; r < nefc; r++) {
    mjtNum sum = 0;
    for (int c = 0; c < n; c++) sum += jacobianAt(&f, r, c) * x[c];
    assertNear(y[r], sum, 1e-11);
  }
  for (int c = 0; c < n; c++) {
    mjtNum sum = 0;
    for (int r = 0; r < nefc; r++) sum += jacobianAt(&f, r, c) * D[r];
    assertNear(z[c], sum, 1e-11);
  }

  // (M + JᵀDJ) H⁻¹ x = x, by products alone
  SolFactor H = sol_pattern(&f.p);
  for (int pass = 0; pass < 2; pass++) {
    if (!pass) {
      sol_setInertia(&f.p, &H, (BasPart){0, f.p.n});
      k->addRows(&H, &f.p.J, D);
      assert_int_equal(k->factor(&H, mjMINVAL), n);
    } else {
      // one row less, one row more
      const int change[2] = {1, 0};
      for (int i = 0; i < 2 && change[i] < nefc; i++) {
        const int r = change[i];
        const mjtNum before = D[r], after = before ? 0 : 3;
        mjtNum* row = sol_vector(f.d, n);
        int last = -1;
        for (int c = 0; c < n; c++) {
          row[c] = jacobianAt(&f, r, c) * sqrt(fabs(after - before));
          if (row[c]) last = c;
        }
        assert_true(k->update(&H, row, last, after > before ? 1 : -1, mjMINVAL));
        for (int c = 0; c < n; c++) assert_true(row[c] == 0);
        D[r] = after;
      }
    }
    mjtNum *u = sol_vector(f.d, n), *Ju = sol_vector(f.d, nefc), *Mu = sol_vector(f.d, n);
    memcpy(u, x, sizeof(mjtNum) * (size_t)n);
    k->solve(&H, u);
    sol_mulM(&f.p, Mu, u);
    k->mulJ(Ju, &f.p.J, u);
    for (int r = 0; r < nefc; r++) Ju[r] *= D[r];
    k->mulJT(z, &f.p.J, Ju, f.p.np / 8);
    for (int i = 0; i < n; i++) assertNear(Mu[i] + z[i], x[i], 1e-9);
  }

  // inequality rows: cost, force and state
  int* state = calloc((size_t)nefc, sizeof(int));
  mjtNum *force = sol_vector(f.d, nefc), cost = 0;
  const mjtNum got = k->inequality(D, y, force, state, nefc);
  for (int i = 0; i < nefc; i++) {
    assert_int_equal(state[i], y[i] < 0);
    assertNear(force[i], y[i] < 0 ? -D[i] * y[i] : 0, 1e-14);
    cost += y[i] < 0 ? .5 * D[i] * y[i] * y[i] : 0;
  }
  assertNear(got, cost, 1e-11);
  free(state);
  freeProblem(&f);
}

static void algebraIsRight(void** state) {
  (void)state;
  const char* models[] = {"boxes", "touch", "chain", "sleepers"};
  const SolKernels* kernels[] = {sol_kernelsBase(), sol_kernels()};
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    for (int k = 0; k < 4; k++) checkAlgebra(models[i], k & 1, kernels[k >> 1]);
  }
}

// a large problem, and what each instruction set makes of it
static void sameBits(void** state) {
  (void)state;
  const SolKernels* best = sol_kernels();
  const SolKernels* all[] = {sol_kernelsBase(), best == sol_kernelsV4() ? sol_kernelsV3() : NULL, best};
  for (int sparse = 0; sparse < 2; sparse++) {
    Fixture f;
    makeProblem(&f, "boxes", sparse);
    const int n = f.p.n, nefc = f.p.rows.nefc;
    mjtNum *first = sol_space(f.d, (size_t)(n + nefc)), *now = sol_space(f.d, (size_t)(n + nefc));
    for (int k = 0; k < 3; k++) {
      if (!all[k]) continue;
      mjtNum *x = sol_vector(f.d, n), *y = sol_vector(f.d, nefc);
      for (int i = 0; i < n; i++) x[i] = sin(3. * i + 1);
      SolFactor H = sol_pattern(&f.p);
      sol_setInertia(&f.p, &H, (BasPart){0, f.p.n});
      all[k]->addRows(&H, &f.p.J, f.d->efc_D);
      all[k]->factor(&H, mjMINVAL);
      all[k]->solve(&H, x);
      all[k]->mulJ(y, &f.p.J, x);
      memcpy(now, x, sizeof(mjtNum) * (size_t)n);
      memcpy(now + n, y, sizeof(mjtNum) * (size_t)nefc);
      if (!k) memcpy(first, now, sizeof(mjtNum) * (size_t)(n + nefc));
      assert_memory_equal(first, now, sizeof(mjtNum) * (size_t)(n + nefc));
    }
    freeProblem(&f);
  }
}

// factor, update, solutions and product of one problem; x receives them one after the other
static void solveSmall(const Fixture* f, SolProblem* p, const SolKernels* k, mjtNum* x) {
  const int n = p->n, np = p->np;
  mjtNum *row = sol_vector(f->d, n), *v = sol_vector(f->d, n), *Mv = sol_vector(f->d, n);
  for (int i = 0; i < n; i++) v[i] = sin(3. * i + 1);
  SolFactor H = sol_pattern(p);
  sol_setInertia(p, &H, (BasPart){0, p->n});
  k->addRows(&H, &p->J, f->d->efc_D);
  assert_int_equal(k->factor(&H, mjMINVAL), n);
  for (int pass = 0; pass < 2; pass++, x += np) {
    memcpy(x, v, sizeof(mjtNum) * (size_t)np);
    k->solve(&H, x);

    // a row more
    int last = -1;
    for (int c = 0; c < n; c++) {
      row[c] = 3 * jacobianAt(f, 0, c);
      if (row[c]) last = c;
    }
    assert_true(k->update(&H, row, last, 1, mjMINVAL));
  }
  p->k = k;
  sol_mulM(p, Mv, v);
  memcpy(x, Mv, sizeof(mjtNum) * (size_t)np);
}

// small problems with all columns have the bits of those with lists of columns, in one group and in two
static void fullEqualsLists(void** state) {
  (void)state;
  const char* models[] = {"touch", "equality", "chain", "tendons"};
  const SolKernels* best = sol_kernels();
  const SolKernels* kernels[] = {sol_kernelsBase(), best == sol_kernelsV4() ? sol_kernelsV3() : best, best};
  int groups = 0;
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    Fixture f;
    makeProblem(&f, models[i], 0);
    SolProblem full = f.p;
    sol_loadInertia(&full);
    mjtNum *a = sol_vector(f.d, 3 * f.p.np), *b = sol_vector(f.d, 3 * f.p.np);
    for (int k = 0; k < (full.full.n ? 3 : 0); k++) {
      groups |= f.p.np / 8;
      solveSmall(&f, &f.p, kernels[k], a);
      solveSmall(&f, &full, kernels[k], b);
      for (int c = 0; c < 3 * f.p.np; c++) assert_true(a[c] == b[c]);
    }
    freeProblem(&f);
  }
  assert_int_equal(groups, 3);
}

// a pinned cloth, one whose vertices move along rays from a free body, and an oblique box, all on the floor
static const char* CLOTHS =
    "<mujoco><option solver='CG'/><worldbody><geom type='plane' size='2 2 .1'/>"
    "<flexcomp name='cloth' type='grid' dim='2' count='4 5 1' spacing='.1 .1 .1' pos='0 0 .02' radius='.01' mass='.2'>"
    "<edge equality='true'/><contact selfcollide='none'/><pin id='0 3'/></flexcomp>"
    "<body name='core' pos='1 0 .3'><freejoint/><geom type='sphere' size='.02' mass='.1' contype='0' conaffinity='0'/>"
    "<flexcomp name='ball' type='box' dim='2' count='3 3 3' spacing='.1 .1 .1' radius='.01' mass='.2' dof='radial'>"
    "<edge equality='true'/><contact selfcollide='none' internal='false'/></flexcomp></body>"
    "<body pos='-1 0 .09' euler='10 20 30'><freejoint/><geom type='box' size='.1 .2 .05' euler='20 10 0'/>"
    "<geom type='sphere' size='.05' pos='.1 .1 .1'/></body></worldbody></mujoco>";

// rows of edges and vertices of flexes, as conjugate gradients store them: products are right, and the same bits on
// every instruction set; so are the sums that these take
static void triplesAreRight(void** state) {
  (void)state;
  Fixture f;
  makeProblemOf(&f, tst_string(CLOTHS), 1);
  const int n = f.p.n, nefc = f.p.rows.nefc, np = f.p.np;
  assert_true(f.p.J.triples.nrow > 8);
  assert_true(f.p.J.triples.nrow < nefc);
  const SolKernels* best = sol_kernels();
  const SolKernels* all[] = {sol_kernelsBase(), best == sol_kernelsV4() ? sol_kernelsV3() : best, best};
  mjtNum *first = sol_vector(f.d, 3 * nefc + 2 * np + 8), *now = sol_vector(f.d, 3 * nefc + 2 * np + 8);
  mjtNum *x = sol_vector(f.d, np), *twice = sol_vector(f.d, np), *y = sol_vector(f.d, nefc);
  for (int i = 0; i < n; i++) {
    x[i] = sin(3. * i + 1);
    twice[i] = 2 * x[i];
  }
  for (int i = 0; i < nefc; i++) y[i] = cos(2. * i);
  const SolGauss at = {x, twice, twice, f.d->qacc_smooth, f.d->qfrc_smooth};
  for (int k = 0; k < 3; k++) {
    mjtNum *JTy = now, *grad = JTy + np, *sums = grad + np, *Jx = sums + 8, *J2x = Jx + nefc, *J4x = J2x + nefc;
    all[k]->mulJ(Jx, &f.p.J, x);
    all[k]->mulJ2((mjtNum* const[]){J2x, J4x}, &f.p.J, (const mjtNum* const[]){x, twice}, y);
    all[k]->mulJT(JTy, &f.p.J, y, np / 8);
    sums[0] = all[k]->curvature(f.d->efc_D, Jx, nefc);
    sums[1] = all[k]->gauss(grad, &at, n);
    sums[2] = all[k]->dotChange(x, JTy, twice, n);
    sums[3] = all[k]->equality(f.d->efc_D, Jx, f.d->efc_force, f.d->efc_state, nefc);
    if (!k) memcpy(first, now, sizeof(mjtNum) * (size_t)(3 * nefc + 2 * np + 8));
    assert_memory_equal(first, now, sizeof(mjtNum) * (size_t)(3 * nefc + 2 * np + 8));

    // by plain sums
    mjtNum curve = 0, gauss = 0, change = 0;
    for (int r = 0; r < nefc; r++) {
      mjtNum sum = 0;
      for (int c = 0; c < n; c++) sum += jacobianAt(&f, r, c) * x[c];
      assertNear(Jx[r], sum, 1e-12);
      assertNear(J2x[r], sum - y[r], 1e-12);
      assertNear(J4x[r], 2 * sum - y[r], 1e-12);
      curve += 0.5 * f.d->efc_D[r] * Jx[r] * Jx[r];
      assert_true(f.d->efc_force[r] == -f.d->efc_D[r] * Jx[r]);
      assert_int_equal(f.d->efc_state[r], mjCNSTRSTATE_QUADRATIC);
    }
    for (int c = 0; c < n; c++) {
      mjtNum sum = 0;
      for (int r = 0; r < nefc; r++) sum += jacobianAt(&f, r, c) * y[r];
      assertNear(JTy[c], sum, 1e-12);
      gauss += 0.5 * (twice[c] - f.d->qfrc_smooth[c]) * (x[c] - f.d->qacc_smooth[c]);
      change += x[c] * (JTy[c] - twice[c]);
      assertNear(grad[c], -f.d->qfrc_smooth[c], 1e-12);
    }
    assertNear(sums[0], curve, 1e-12 * fabs(curve));
    assertNear(sums[1], gauss, 1e-12 * fabs(gauss));
    assertNear(sums[2], change, 1e-11);
    assertNear(sums[3], curve, 1e-12 * fabs(curve));
  }
  freeProblem(&f);
}

// M⁻¹ M x = x where most rows have only a diagonal
static void diagonalInertia(void** state) {
  (void)state;
  Fixture f;
  makeProblemOf(&f, tst_string(CLOTHS), 1);
  mjtNum *x = sol_vector(f.d, f.p.np), *plain = sol_vector(f.d, f.p.np), *Mx = sol_vector(f.d, f.p.np);
  for (int i = 0; i < f.p.n; i++) x[i] = sin(3. * i + 1);
  sol_mulM(&f.p, plain, x);
  sol_loadInertia(&f.p);
  assert_true(f.p.ncoupled > 0 && f.p.ncoupled < f.p.n);
  sol_mulM(&f.p, Mx, x);
  assert_memory_equal(Mx, plain, sizeof(mjtNum) * (size_t)f.p.n);
  sol_solveM(&f.p, Mx);
  for (int i = 0; i < f.p.n; i++) assertNear(Mx[i], x[i], 1e-12);
  freeProblem(&f);
}

// A group of dense rows arrives whole, with zeros behind its columns; columns without any value have no bit, a zero
// with a sign is none, and what cannot be compared is one. Nothing is read behind the last row.
static void denseRows(void** state) {
  (void)state;
  const SolKernels* const all[] = {sol_kernelsBase(), sol_kernelsV3(), sol_kernelsV4(), sol_kernels()};
  enum { NROW = 3 };
  for (int width = 1; width <= 8; width++) {
    for (size_t which = 0; which < sizeof(all) / sizeof(all[0]); which++) {
      if (!all[which] || (which == 2 && all[which] != all[3])) continue;  // this machine may not run the widest
      mjtNum J[8 * 2 * NROW] __attribute__((aligned(64)));
      for (int i = 0; i < 8 * 2 * NROW; i++) J[i] = 7;
      mjtNum* const val = malloc(sizeof(mjtNum) * (size_t)(NROW * width));
      for (int i = 0; i < NROW * width; i++) val[i] = i % 2 ? -0.0 : 0.0;
      int bits = 0;
      for (int c = 0; c < width; c += 3) {
        val[c % NROW * width + c] = c == 6 ? NAN : c == 3 ? 5e-324 : -2;
        bits |= 1 << c;
      }
      const SolDense rows = {.val = val, .J = J, .stride = width, .step = 16, .nrow = NROW, .width = width};
      assert_int_equal(all[which]->dense(&rows), bits);
      for (int r = 0; r < NROW; r++) {
        assert_memory_equal(J + 16 * r, val + r * width, sizeof(mjtNum) * (size_t)width);
        for (int c = width; c < 16; c++) assert_true(J[16 * r + c] == (c < 8 ? 0 : 7));
      }
      free(val);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(denseRows),       cmocka_unit_test(triplesAreRight),
                                     cmocka_unit_test(diagonalInertia), cmocka_unit_test(algebraIsRight),
                                     cmocka_unit_test(sameBits),        cmocka_unit_test(fullEqualsLists)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
