// Solves with qH. Dofs whose row has only a diagonal (free bodies with aligned inertia, particles) are divided one by
// one; trees with coupled dofs are factored as L'DL.
#include "integrate/symmetric.h"

#include "dynamics/ldl.h"

void itg_solveSymmetric(const mjModel* m, mjData* d, mjtNum* x, SlpRange dofs, int skipfactor) {
  mj_markStack(d);
  int* list = mj_stackAllocInt(d, (size_t)dofs.n);

  // diagonal rows at once, the others into a list
  int n = 0;
  for (int v = 0; v < dofs.n; v++) {
    const int i = slp_at(dofs, v);
    if (!m->dof_simplenum[i]) {
      list[n++] = i;
      continue;
    }
    if (!skipfactor) d->qHDiagInv[i] = 1 / d->qH[m->M_rowadr[i]];
    x[i] *= d->qHDiagInv[i];
  }

  const SlpRange coupled = n == dofs.n ? dofs : (SlpRange){n, list};
  if (!skipfactor) dyn_factorLDL(m, d->qH, d->qHDiagInv, coupled);
  dyn_solveLDL(m, (DynFactor){d->qH, d->qHDiagInv}, x, 1, coupled);
  mj_freeStack(d);
}
