// Structure of the sparse matrices over dofs under the reference's internal names: the compiler's functions
// (compile/sparse.h), with a check of the sizes that the caller has made room for.
#include "compat/engine.h"
#include "compile/sparse.h"

void mj_makeDofDofSparse(int nv, int nC, int nD, int nM, const int* dof_parentid, const int* dof_simplenum, int* rownnz,
                         int* rowadr, int* diag, int* colind, int reduced, int upper, int* remaining) {
  const CmpDofRows rows = {nv, dof_parentid, reduced && !upper ? dof_simplenum : NULL, upper};
  const MthPatternOut out = {rownnz, rowadr, colind};
  if (cmp_countDofRows(&rows, &out, remaining) != (upper ? nD : reduced ? nC : nM)) {
    mju_error("mj_makeDofDofSparse: sum of rownnz different from expected");
    return;
  }
  cmp_fillDofRows(&rows, &out, remaining, diag);
}

void mj_makeBSparse(int nv, int nbody, int nB, const int* body_dofnum, const int* body_parentid, const int* body_dofadr,
                    int* B_rownnz, int* B_rowadr, int* B_colind, int* count) {
  (void)body_dofadr;
  const CmpBodyRows rows = {nbody, body_parentid, body_dofnum};
  const MthPatternOut out = {B_rownnz, B_rowadr, B_colind};
  const int total = cmp_countBodyRows(&rows, &out, count);
  if (B_rownnz[0] != nv || total != nB) {
    mju_error("mj_makeBSparse: %s",
              B_rownnz[0] != nv ? "rownnz[0] different from nv" : "sum of rownnz different from nB");
    return;
  }
  cmp_fillBodyRows(&rows, &out, count);
}

void mj_makeDofDofMaps(int nv, int nM, int nC, int nD, const int* dof_Madr, const int* dof_simplenum,
                       const int* dof_parentid, const int* D_rownnz, const int* D_rowadr, const int* D_colind,
                       const int* M_rownnz, const int* M_rowadr, const int* M_colind, int* mapM2D, int* mapD2M,
                       int* mapM2M, int* M, int* scratch) {
  (void)nC, (void)nD, (void)dof_simplenum;

  // how deep each dof is
  for (int i = 0; i < nv; i++) scratch[i] = dof_parentid[i] < 0 ? 0 : scratch[dof_parentid[i]] + 1;
  cmp_mapDofRows(&(CmpDofMaps){
      .D = {nv, nv, D_rownnz, D_rowadr, D_colind, NULL},
      .M = {nv, nv, M_rownnz, M_rowadr, M_colind, NULL},
      .diag = scratch,
      .Madr = dof_Madr,
      .M2D = mapM2D,
      .D2M = mapD2M,
      .M2M = mapM2M
  });
  for (int i = 0; i < nM; i++) M[i] = i;
}
