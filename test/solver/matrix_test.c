// Every solver, cone, storage and island mode against the reference on contact-rich scenes.
//
// Newton converges to the one solution, so only rounding separates the two. PGS and CG may stop before: they follow the
// reference's path. Along CG's path rounding grows exponentially with the number of iterations, so that it is followed
// for some iterations only, to a looser tolerance.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "constraint/compare.h"
#include "constraint/scenes.h"
#include "support/oracle.h"

static const mjtSolver SOLVERS[] = {mjSOL_NEWTON, mjSOL_CG, mjSOL_PGS};
static const char* const SOLVER_NAMES[] = {"Newton", "CG", "PGS"};
static const double TOLERANCE[] = {1e-8, 1e-6, 1e-8};
enum { CG_ITERATIONS = 6 };

typedef struct {
  int solver, sparse, elliptic, noisland, noslip;
} Mode;

static void setMode(mjModel* m, Mode mode) {
  m->opt.solver = SOLVERS[mode.solver];
  m->opt.jacobian = mode.sparse ? mjJAC_SPARSE : mjJAC_DENSE;
  m->opt.cone = mode.elliptic ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
  m->opt.noslip_iterations = mode.noslip;
  if (SOLVERS[mode.solver] == mjSOL_CG) m->opt.iterations = CG_ITERATIONS;
  m->opt.disableflags = mode.noisland ? mjDSBL_ISLAND : 0;
}

// total cost of an acceleration: what the primal solvers minimise
static mjtNum costOf(const mjModel* m, const mjData* d, const mjtNum* qacc) {
  mjData* copy = mj_makeData(m);
  orc_mirror(m, copy, d);
  mjtNum* jar = malloc(sizeof(mjtNum) * (size_t)(d->nefc + m->nv));
  mjtNum *Ma = jar + d->nefc, cost = 0;
  mj_mulJacVec(m, copy, jar, qacc);
  for (int i = 0; i < d->nefc; i++) jar[i] -= d->efc_aref[i];
  mj_constraintUpdate(m, copy, jar, &cost, 0);
  mj_mulM(m, copy, Ma, qacc);
  for (int i = 0; i < m->nv; i++) cost += 0.5 * (Ma[i] - d->qfrc_smooth[i]) * (qacc[i] - d->qacc_smooth[i]);
  free(jar);
  mj_deleteData(copy);
  return cost;
}

// one state: our solver starts where the reference started
static int stateDiffers(const char* name, const mjModel* m, mjData* d, mjData* ref, Mode mode) {
  Cmp c = {name, 0, 0};
  mjtNum* warm = malloc(sizeof(mjtNum) * (size_t)m->nv);
  memcpy(warm, ref->qacc_warmstart, sizeof(mjtNum) * (size_t)m->nv);
  ORC(mj_forward)(m, ref);
  orc_mirror(m, d, ref);
  memcpy(d->qacc_warmstart, warm, sizeof(mjtNum) * (size_t)m->nv);
  free(warm);
  for (int i = 0; i < m->nv; i++) d->qacc[i] = d->qfrc_constraint[i] = NAN;
  for (int i = 0; i < d->nefc; i++) d->efc_force[i] = d->efc_b[i] = NAN;
  mj_fwdConstraint(m, d);

  const double tol = TOLERANCE[mode.solver];
  cmpNum(&c, "qacc", ref->qacc, d->qacc, (size_t)m->nv, tol);
  cmpNum(&c, "qfrc_constraint", ref->qfrc_constraint, d->qfrc_constraint, (size_t)m->nv, tol);
  if (!ref->nefc) return c.errors;
  cmpNum(&c, "efc_force", ref->efc_force, d->efc_force, (size_t)ref->nefc, tol);
  cmpNum(&c, "efc_b", ref->efc_b, d->efc_b, (size_t)ref->nefc, 1e-11);
  if (SOLVERS[mode.solver] == mjSOL_PGS) cmpInt(&c, "solver_niter", ref->solver_niter, d->solver_niter, 1);

  // never a worse solution
  if (SOLVERS[mode.solver] == mjSOL_NEWTON && !mode.noslip) {
    const mjtNum theirs = costOf(m, ref, ref->qacc), ours = costOf(m, ref, d->qacc);
    const mjtNum slack = m->opt.tolerance * m->stat.meaninertia * m->nv;
    if (!(ours <= theirs + slack)) {
      printf("%s: cost %.17g, reference %.17g\n", name, ours, theirs);
      c.errors++;
    }
  }
  return c.errors;
}

static int sceneDiffers(int scene, Mode mode) {
  mjModel* m = orc_compile(SCENES[scene]);
  setMode(m, mode);
  mjData* ref = ORC(mj_makeData)(m);
  mjData* d = mj_makeData(m);
  int errors = 0;
  for (int step = 0; step < 6; step++) {
    for (int i = 0; i < 9; i++) ORC(mj_step)(m, ref);
    char name[100];
    snprintf(name, sizeof(name), "%s %s%s%s%s%s step %d", SCENE_NAMES[scene], SOLVER_NAMES[mode.solver],
             mode.sparse ? " sparse" : " dense", mode.elliptic ? " elliptic" : " pyramidal",
             mode.noisland ? "" : " islands", mode.noslip ? " noslip" : "", step);
    errors += stateDiffers(name, m, d, ref, mode);
  }
  mj_deleteData(d);
  ORC(mj_deleteData)(ref);
  ORC(mj_deleteModel)(m);
  return errors;
}

static void solversEqualReference(void** state) {
  (void)state;
  int errors = 0;
  for (int scene = 0; scene < NSCENE; scene++) {
    for (int k = 0; k < 24; k++) {
      const Mode mode = {k / 8, k & 1, k >> 1 & 1, k >> 2 & 1, 0};
      errors += sceneDiffers(scene, mode);
    }
  }
  assert_int_equal(errors, 0);
}

static void noslipEqualsReference(void** state) {
  (void)state;
  int errors = 0;
  for (int scene = 0; scene < NSCENE; scene++) {
    for (int k = 0; k < 8; k++) {
      const Mode mode = {k & 4 ? 2 : 0, k & 1, k >> 1 & 1, 0, 5};
      errors += sceneDiffers(scene, mode);
    }
  }
  assert_int_equal(errors, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(solversEqualReference), cmocka_unit_test(noslipEqualsReference)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
