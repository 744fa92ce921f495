// What holds of the rows that mj_makeConstraint has written and of the islands that mj_island has made from them.
#include "base/assert.h"
#include "constraint/rows.h"
#include "model/invariants.h"

//---------------------------------- rows ----------------------------------

// equality, friction of dofs, friction of tendons, limits of joints, limits of tendons, contacts
static void assertOrder(const mjData* d) {
  BAS_ASSERT(d->ne >= 0 && d->nf >= 0 && d->nl >= 0);
  BAS_ASSERT(d->ne + d->nf + d->nl <= d->nefc);
  for (int i = 0; i < d->nefc; i++) {
    const int type = d->efc_type[i];
    if (i < d->ne) {
      BAS_ASSERT(type == mjCNSTR_EQUALITY);
    } else if (i < d->ne + d->nf) {
      BAS_ASSERT(type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON);
    } else if (i < d->ne + d->nf + d->nl) {
      BAS_ASSERT(type == mjCNSTR_LIMIT_JOINT || type == mjCNSTR_LIMIT_TENDON);
    } else {
      BAS_ASSERT(type >= mjCNSTR_CONTACT_FRICTIONLESS && type <= mjCNSTR_CONTACT_ELLIPTIC);
    }
  }
}

// things that the rows stand for
static void assertIds(const mjModel* m, const mjData* d) {
  for (int i = 0; i < d->nefc; i++) {
    const int id = d->efc_id[i];
    BAS_ASSERT(id >= 0);
    switch (d->efc_type[i]) {
      case mjCNSTR_EQUALITY:
        BAS_ASSERT(id < m->neq);
        break;
      case mjCNSTR_FRICTION_DOF:
        BAS_ASSERT(id < m->nv);
        break;
      case mjCNSTR_LIMIT_JOINT:
        BAS_ASSERT(id < m->njnt);
        break;
      case mjCNSTR_FRICTION_TENDON:
      case mjCNSTR_LIMIT_TENDON:
        BAS_ASSERT(id < m->ntendon);
        break;
      default:
        BAS_ASSERT(id < d->ncon);
        BAS_ASSERT(d->contact[id].efc_address >= d->ne + d->nf + d->nl && d->contact[id].efc_address <= i);
        BAS_ASSERT(i - d->contact[id].efc_address < 10);
        BAS_ASSERT(d->efc_id[d->contact[id].efc_address] == id);
        break;
    }
  }
}

static void assertPattern(const mjModel* m, const mjData* d) {
  int end = 0;
  for (int i = 0; i < d->nefc; i++) {
    const int nnz = d->efc_J_rownnz[i], super = d->efc_J_rowsuper[i];
    BAS_ASSERT(nnz >= 0 && nnz <= m->nv);
    BAS_ASSERT(d->efc_J_rowadr[i] == end);
    end += nnz;
    BAS_ASSERT(end <= d->nJ);
    BAS_ASSERT(bas_isIncreasing(d->efc_J_colind + d->efc_J_rowadr[i], nnz, 0, (int)m->nv));
    BAS_ASSERT(super >= 0 && i + super < d->nefc);
    BAS_ASSERT(!super || d->efc_J_rowsuper[i + 1] == super - 1);
    BAS_ASSERT(!super || d->efc_J_rownnz[i + 1] == nnz);
  }
}

void con_assertRows(const mjModel* m, const mjData* d) {
  mdl_assertArena(m, d, 0);
  assertOrder(d);
  assertIds(m, d);
  if (d->nefc && mj_isSparse(m)) assertPattern(m, d);
}

//---------------------------------- islands ----------------------------------

static void assertDofs(const mjModel* m, const mjData* d) {
  BAS_ASSERT(bas_arePacked(d->island_idofadr, d->island_nv, d->nisland, d->nidof));
  for (int dof = 0; dof < m->nv; dof++) {
    const int island = d->dof_island[dof], idof = d->map_dof2idof[dof];
    BAS_ASSERT(island >= -1 && island < d->nisland);
    BAS_ASSERT(island == d->tree_island[m->dof_treeid[dof]]);
    BAS_ASSERT(idof >= 0 && idof < m->nv && d->map_idof2dof[idof] == dof);
    BAS_ASSERT((island < 0) == (idof >= d->nidof));
    if (island < 0) continue;
    BAS_ASSERT(idof >= d->island_idofadr[island] && idof < d->island_idofadr[island] + d->island_nv[island]);
    BAS_ASSERT(dof == 0 || d->dof_island[dof - 1] != island || idof == d->map_dof2idof[dof - 1] + 1);
  }
}

static void assertTrees(const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->ntree; i++) {
    const int tree = d->map_itree2tree[i];
    BAS_ASSERT(tree >= 0 && tree < m->ntree);
    BAS_ASSERT(d->tree_island[i] >= -1 && d->tree_island[i] < d->nisland);
  }
  for (int k = 0; k < d->nisland; k++) {
    BAS_ASSERT(d->island_ntree[k] > 0);
    BAS_ASSERT(bas_isIncreasing(d->map_itree2tree + d->island_itreeadr[k], d->island_ntree[k], 0, (int)m->ntree));
    BAS_ASSERT(d->tree_island[d->map_itree2tree[d->island_itreeadr[k]]] == k);
  }
}

static void assertRowsOfIslands(const mjData* d) {
  BAS_ASSERT(bas_arePacked(d->island_iefcadr, d->island_nefc, d->nisland, d->nefc));
  for (int k = 0; k < d->nisland; k++) {
    BAS_ASSERT(d->island_ne[k] >= 0 && d->island_nf[k] >= 0);
    BAS_ASSERT(d->island_ne[k] + d->island_nf[k] <= d->island_nefc[k]);
    BAS_ASSERT(bas_isIncreasing(d->map_iefc2efc + d->island_iefcadr[k], d->island_nefc[k], 0, d->nefc));
  }
  for (int i = 0; i < d->nefc; i++) {
    const int island = d->efc_island[i], to = d->map_efc2iefc[i];
    BAS_ASSERT(island >= 0 && island < d->nisland);
    BAS_ASSERT(to >= d->island_iefcadr[island] && to < d->island_iefcadr[island] + d->island_nefc[island]);
    BAS_ASSERT(d->map_iefc2efc[to] == i);
    BAS_ASSERT(d->iefc_type[to] == d->efc_type[i] && d->iefc_id[to] == d->efc_id[i]);
  }
}

static void assertInertia(const mjData* d) {
  for (int k = 0; k < d->nisland; k++) {
    const int first = d->island_idofadr[k];
    for (int i = 0; i < d->island_nv[k]; i++) {
      const int nnz = d->iM_rownnz[first + i], *col = d->iM_colind + d->iM_rowadr[first + i];
      BAS_ASSERT(nnz > 0 && col[nnz - 1] == i);
      BAS_ASSERT(bas_isIncreasing(col, nnz, 0, d->island_nv[k]));
    }
  }
}

void con_assertIslands(const mjModel* m, const mjData* d) {
  BAS_ASSERT(d->nisland >= 0 && d->nisland <= m->ntree);
  BAS_ASSERT((d->nisland == 0) == (d->nidof == 0));
  if (!d->nisland) return;
  BAS_ASSERT(d->nidof <= m->nv);
  mdl_assertArena(m, d, 1);
  assertTrees(m, d);
  assertDofs(m, d);
  assertRowsOfIslands(d);
  assertInertia(d);
  for (int i = 0; mj_isSparse(m) && i < d->nefc; i++) {
    const int nv = d->island_nv[d->efc_island[d->map_iefc2efc[i]]];
    BAS_ASSERT(bas_isIncreasing(d->iefc_J_colind + d->iefc_J_rowadr[i], d->iefc_J_rownnz[i], 0, nv));
  }
}
