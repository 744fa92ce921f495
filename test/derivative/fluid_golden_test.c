// Fluid derivatives of the reference (golden data): bodies of both models, on free, hinge and ball joints, with geoms
// away from the centre of mass, in wind, and in a chain; the whole of qDeriv for both implicit integrators.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <math.h>
#include <cmocka.h>

#include "derivative/derivative.h"
#include "support/model.h"

// velocities of every dof in turn, repeated; the same table is in the script that made the data
static const mjtNum VELOCITIES[][6] = {
    {0,   0,    0,   0,   0,    0  },
    {0,   0,    -1,  0,   0,    0  },
    {1,   0.5,  -1,  0,   0,    0  },
    {0,   0,    0,   10,  5,    3  },
    {1.2, -0.7, 0.3, 0.5, -1.1, 0.8}
};

// the head of a row
typedef struct {
  int integrator, velocity, n;
  double density, viscosity, wind[3];
  char body[40];
} Row;

static int readRow(FILE* file, Row* r) {
  return fscanf(file, "%d %lf %lf %lf %lf %lf %d %39s %d", &r->integrator, &r->density, &r->viscosity, r->wind,
                r->wind + 1, r->wind + 2, &r->velocity, r->body, &r->n) == 9;
}

static void derive(mjModel* m, mjData* d, const Row* r) {
  m->opt.integrator = r->integrator;
  m->opt.density = r->density;
  m->opt.viscosity = r->viscosity;
  memcpy(m->opt.wind, r->wind, sizeof(r->wind));
  mj_resetData(m, d);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = VELOCITIES[r->velocity][i % 6];
  mj_forward(m, d);
  der_smoothVel(m, d, r->integrator == mjINT_IMPLICIT);
}

// every entry to 1e-10, and how many bodies have any
static void entriesAreTheReferences(void** state) {
  (void)state;
  mjModel* m = tst_model("fluid");
  mjData* d = mj_makeData(m);
  FILE* file = fopen("test/golden/fluid_derivative.txt", "r");
  assert_non_null(file);
  Row row;
  int rows = 0, filled = 0;
  while (readRow(file, &row)) {
    derive(m, d, &row);
    const int adr = m->D_rowadr[m->body_dofadr[mj_name2id(m, mjOBJ_BODY, row.body)]];
    double largest = 0;
    for (int i = 0; i < row.n; i++) {
      double theirs;
      assert_int_equal(fscanf(file, "%lf", &theirs), 1);
      largest = fmax(largest, fabs(theirs));
      if (!(fabs(d->qDeriv[adr + i] - theirs) <= 1e-10)) {
        fail_msg("%s, integrator %d, density %g, velocity %d: entry %d is %.15g, reference %.15g", row.body,
                 row.integrator, row.density, row.velocity, i, d->qDeriv[adr + i], theirs);
      }
    }
    rows++;
    filled += largest > 0;
  }
  fclose(file);
  assert_int_equal(rows, 2 * 3 * 2 * 11);
  assert_true(filled > rows * 3 / 4);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// entry of qDeriv, 0 where the dofs are not related
static mjtNum entry(const mjModel* m, const mjData* d, int row, int col) {
  for (int k = m->D_rowadr[row]; k < m->D_rowadr[row] + m->D_rownnz[row]; k++) {
    if (m->D_colind[k] == col) return d->qDeriv[k];
  }
  return 0;
}

static int dofOf(const mjModel* m, const char* body) {
  return m->body_dofadr[mj_name2id(m, mjOBJ_BODY, body)];
}

// bodies that move on their own do not meet in the matrix; a chain is full, and its tip acts on its root
static void structureFollowsTheTrees(void** state) {
  (void)state;
  mjModel* m = tst_model("fluid");
  mjData* d = mj_makeData(m);
  const Row row = {.integrator = mjINT_IMPLICITFAST, .density = 1000, .velocity = 4};
  derive(m, d, &row);
  const int hinge = dofOf(m, "hinge"), link[3] = {dofOf(m, "link1"), dofOf(m, "link2"), dofOf(m, "link3")};
  assert_int_equal(m->D_rownnz[hinge], 1);
  assert_true(entry(m, d, hinge, hinge) < 0);
  assert_int_equal(m->D_rownnz[dofOf(m, "ball")], 3);
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) assert_true(entry(m, d, link[i], link[j]) != 0);
  }
  assert_true(entry(m, d, link[2], link[2]) < 0);

  // without the tip's own medium the root feels less of it
  const mjtNum whole = entry(m, d, link[0], link[0]);
  m->body_mass[mj_name2id(m, mjOBJ_BODY, "link3")] = 0;
  der_smoothVel(m, d, 0);
  assert_true(entry(m, d, link[2], link[2]) == 0);
  assert_true(entry(m, d, link[0], link[0]) > whole);
  assert_true(entry(m, d, hinge, hinge) < 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(entriesAreTheReferences),
      cmocka_unit_test(structureFollowsTheTrees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
