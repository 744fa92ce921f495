// The variants of L'DL solve the same systems: along the plan, short rows, rows by address, the older order. Each is
// held against the matrix itself: A (A⁻¹ b) = b. Tolerance: condition numbers of the models' M reach 1e8.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <math.h>

#include "dynamics/ldl.h"
#include "support/model.h"
#include "support/random.h"

enum { DEEP = DYN_DEPTH + 20 };

// a chain that is too deep for a path
static mjModel* deepChain(void) {
  static char xml[100 * DEEP + 100];
  int n = snprintf(xml, sizeof(xml), "<mujoco><worldbody>");
  for (int i = 0; i < DEEP; i++) {
    n += snprintf(xml + n, sizeof(xml) - n,
                  "<body pos='.02 0 0'><joint axis='0 %d %d' armature='.1'/><geom size='.01'/>", i % 2, 1 - i % 2);
  }
  for (int i = 0; i < DEEP; i++) n += snprintf(xml + n, sizeof(xml) - n, "</body>");
  snprintf(xml + n, sizeof(xml) - n, "</worldbody></mujoco>");
  return tst_string(xml);
}

// everything that a comparison needs
typedef struct {
  mjModel* m;
  mjData* d;
  MthPattern rows;
  mjtNum *b, *x, *product, *L, *inv;
} Setup;

static mjtNum* numbers(mjtSize n) {
  return calloc((size_t)n + 1, sizeof(mjtNum));
}

static Setup openSetup(mjModel* m, uint64_t seed) {
  Setup s = {.m = m, .d = mj_makeData(m)};
  s.rows = (MthPattern){(int)m->nv, (int)m->nv, m->M_rownnz, m->M_rowadr, m->M_colind, NULL};
  s.b = numbers(m->nv);
  s.x = numbers(m->nv);
  s.product = numbers(m->nv);
  s.L = numbers(m->nM);
  s.inv = numbers(m->nv);
  Rnd rnd = {seed};
  for (int i = 0; i < m->nv; i++) s.b[i] = i % 4 ? rnd_uniform(&rnd, -1, 1) : 0;
  mj_forward(m, s.d);
  return s;
}

static void closeSetup(Setup* s) {
  mjtNum* const all[] = {s->b, s->x, s->product, s->L, s->inv};
  for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) free(all[i]);
  mj_deleteData(s->d);
  mj_deleteModel(s->m);
}

static void start(Setup* s, const mjtNum* matrix, mjtSize n) {
  memcpy(s->L, matrix, (size_t)n * sizeof(mjtNum));
  memcpy(s->x, s->b, (size_t)s->m->nv * sizeof(mjtNum));
}

// M x is the right-hand side
static void assertSolved(Setup* s) {
  mj_mulM(s->m, s->d, s->product, s->x);
  for (int i = 0; i < s->m->nv; i++) assert_true(fabs(s->product[i] - s->b[i]) < 1e-9);
}

static void compareVariants(mjModel* m, uint64_t seed) {
  Setup s = openSetup(m, seed);
  const DynFactor factor = {s.L, s.inv};
  const SlpRange all = {0, (int)m->nv, NULL};

  // along the plan
  start(&s, s.d->M, m->nC);
  dyn_factorLDL(m, s.d, s.L, factor, &all);
  dyn_solveLDL(m, s.d, factor, s.x, 1, &all);
  assertSolved(&s);

  // factor and solution at once, then the solution alone: the same bits
  start(&s, s.d->M, m->nC);
  dyn_factorSolveLDL(m, s.d, factor, s.x, all, 0);
  assertSolved(&s);
  mjtNum* again = numbers(m->nv);
  memcpy(again, s.b, (size_t)m->nv * sizeof(mjtNum));
  dyn_factorSolveLDL(m, s.d, factor, again, all, 1);
  for (int i = 0; i < m->nv; i++) assert_true(again[i] == s.x[i]);
  free(again);

  // rows by address, without and with a list
  int* index = calloc((size_t)m->nv + 1, sizeof(int));
  for (int i = 0; i < m->nv; i++) index[i] = i;
  for (int list = 0; list < 2; list++) {
    start(&s, s.d->M, m->nC);
    dyn_factorRows(s.L, s.inv, &s.rows, list ? index : NULL);
    dyn_solveRows(s.x, s.L, s.inv, &s.rows, list ? index : NULL);
    assertSolved(&s);
  }
  free(index);

  // older order
  start(&s, s.d->qM, m->nM);
  dyn_factorUpward(m, s.d, factor);
  dyn_solveUpward(m, s.x, s.L, s.inv);
  assertSolved(&s);
  closeSetup(&s);
}

static void variantsSolve(void** state) {
  (void)state;
  for (int i = 0; tst_models[i]; i++) compareVariants(tst_model(tst_models[i]), (uint64_t)i);
  compareVariants(deepChain(), 77);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(variantsSolve)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
