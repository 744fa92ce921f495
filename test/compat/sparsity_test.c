// Structure of matrices over dofs from bare arrays: the reference's, and that of compiled models. Integers: exact.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "compat/engine.h"
#include "support/catch.h"
#include "support/model.h"
#include "support/oracle.h"

static int* ints(mjtSize n) {
  int* res = malloc(((size_t)n + 1) * sizeof(int));
  for (int i = 0; i <= n; i++) res[i] = -77;
  return res;
}

static void same(const int* a, const int* b, mjtSize n) {
  if (n) orc_sameBytes(a, b, (size_t)n * sizeof(int));
}

// rows of a matrix, with the room its makers need
typedef struct {
  int *nnz, *adr, *diag, *col, *room;
} Rows;

static Rows openRows(mjtSize nrow, mjtSize n) {
  return (Rows){ints(nrow), ints(nrow), ints(nrow), ints(n), ints(nrow)};
}

static void closeRows(Rows* r) {
  free(r->nnz);
  free(r->adr);
  free(r->diag);
  free(r->col);
  free(r->room);
}

#define DOFDOF(call, r, reduced, upper)                                                                               \
  call((int)m->nv, (int)m->nC, (int)m->nD, (int)m->nM, m->dof_parentid, m->dof_simplenum, (r).nnz, (r).adr, (r).diag, \
       (r).col, reduced, upper, (r).room)
#define BODYDOF(call, r)                                                                                          \
  call((int)m->nv, (int)m->nbody, (int)m->nB, m->body_dofnum, m->body_parentid, m->body_dofadr, (r).nnz, (r).adr, \
       (r).col, (r).room)
#define MAPS(call, a, b, c, M, room)                                                                                \
  call((int)m->nv, (int)m->nM, (int)m->nC, (int)m->nD, m->dof_Madr, m->dof_simplenum, m->dof_parentid, m->D_rownnz, \
       m->D_rowadr, m->D_colind, m->M_rownnz, m->M_rowadr, m->M_colind, a, b, c, M, room)

static void checkDofs(const mjModel* m) {
  const mjtSize nv = m->nv, size = m->nD + m->nM;
  for (int kind = 0; kind < 3; kind++) {
    // M, D, and the lower triangle with all ancestors
    const int reduced = kind == 0, upper = kind == 1;
    const mjtSize n = upper ? m->nD : reduced ? m->nC : m->nM;
    Rows our = openRows(nv, size), ref = openRows(nv, size);
    DOFDOF(mj_makeDofDofSparse, our, reduced, upper);
    if (kind < 2) {
      same(our.nnz, upper ? m->D_rownnz : m->M_rownnz, nv);
      same(our.adr, upper ? m->D_rowadr : m->M_rowadr, nv);
      same(our.col, upper ? m->D_colind : m->M_colind, n);
      if (upper) same(our.diag, m->D_diag, nv);
    }
    DOFDOF(ORC(mj_makeDofDofSparse), ref, reduced, upper);
    same(our.nnz, ref.nnz, nv);
    same(our.adr, ref.adr, nv);
    same(our.diag, ref.diag, nv);
    same(our.col, ref.col, n);
    closeRows(&our);
    closeRows(&ref);
  }
}

static void checkBodies(const mjModel* m) {
  Rows our = openRows(m->nbody, m->nB), ref = openRows(m->nbody, m->nB);
  BODYDOF(mj_makeBSparse, our);
  same(our.nnz, m->B_rownnz, m->nbody);
  same(our.adr, m->B_rowadr, m->nbody);
  same(our.col, m->B_colind, m->nB);
  BODYDOF(ORC(mj_makeBSparse), ref);
  same(our.nnz, ref.nnz, m->nbody);
  same(our.adr, ref.adr, m->nbody);
  same(our.col, ref.col, m->nB);
  closeRows(&our);
  closeRows(&ref);
}

static void checkMaps(const mjModel* m) {
  int *M2D = ints(m->nD), *D2M = ints(m->nC), *M2M = ints(m->nC), *M = ints(m->nM), *room = ints(m->nv);
  MAPS(mj_makeDofDofMaps, M2D, D2M, M2M, M, room);
  same(M2D, m->mapM2D, m->nD);
  same(D2M, m->mapD2M, m->nC);
  same(M2M, m->mapM2M, m->nC);
  int *a = ints(m->nD), *b = ints(m->nC), *c = ints(m->nC), *N = ints(m->nM);
  MAPS(ORC(mj_makeDofDofMaps), a, b, c, N, room);
  same(M2D, a, m->nD);
  same(D2M, b, m->nC);
  same(M2M, c, m->nC);
  same(M, N, m->nM);
  free(a);
  free(b);
  free(c);
  free(N);
  free(M2D);
  free(D2M);
  free(M2M);
  free(M);
  free(room);
}

static void structuresAreThoseOfModels(void** state) {
  (void)state;
  for (int i = 0; tst_models[i]; i++) {
    mjModel* m = tst_model(tst_models[i]);
    checkDofs(m);
    checkBodies(m);
    checkMaps(m);
    mj_deleteModel(m);
  }
}

static void wrongSizesAreErrors(void** state) {
  (void)state;
  mjModel* m = tst_model("chain");
  Rows r = openRows(m->nv + m->nbody, m->nD + m->nB);
  m->nC++;
  assert_non_null(CATCH(DOFDOF(mj_makeDofDofSparse, r, 1, 0)));
  m->nC--;
  m->nB++;
  assert_non_null(CATCH(BODYDOF(mj_makeBSparse, r)));
  m->nB--;
  r.nnz[0] = 5;
  mj_makeDofDofSparse(0, 0, 0, 0, NULL, NULL, r.nnz, r.adr, r.diag, r.col, 0, 0, r.room);
  assert_int_equal(r.nnz[0], 5);
  closeRows(&r);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(structuresAreThoseOfModels),
      cmocka_unit_test(wrongSizesAreErrors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
