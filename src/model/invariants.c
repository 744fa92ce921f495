// What holds in every compiled model and in every mjData; see invariants.h.
#include "model/invariants.h"

#include <mujoco/mjxmacro.h>
#include <stdio.h>

#include "base/assert.h"
#include "model/check.h"
#include "model/private.h"

//---------------------------------- tree ----------------------------------

// bodies depth first: a body hangs on the one before it or on one of that one's ancestors
static void assertBodies(const mjModel* m) {
  BAS_ASSERT(m->nbody > 0);
  BAS_ASSERT(m->body_parentid[0] == 0 && m->body_weldid[0] == 0 && m->body_rootid[0] == 0);
  BAS_ASSERT(m->body_treeid[0] == -1);
  for (int b = 1; b < m->nbody; b++) {
    const int parent = m->body_parentid[b];
    BAS_ASSERT(parent >= 0 && parent < b);
    int above = b - 1;
    while (above > parent) above = m->body_parentid[above];
    BAS_ASSERT(above == parent);
    BAS_ASSERT(m->body_rootid[b] == (parent ? m->body_rootid[parent] : b));
    BAS_ASSERT(m->body_weldid[b] == b || m->body_weldid[b] == m->body_weldid[parent]);
    BAS_ASSERT((m->body_weldid[b] == b) == (m->body_jntnum[b] > 0));
    BAS_ASSERT(m->body_treeid[b] >= 0 || m->body_dofnum[b] == 0);
    BAS_ASSERT(m->body_treeid[parent] < 0 || m->body_treeid[b] == m->body_treeid[parent]);
    BAS_ASSERT((m->body_dofnum[b] > 0) == (m->body_jntnum[b] > 0));
    BAS_ASSERT(m->body_mocapid[b] < 0 || parent == 0);
  }
}

// joints and dofs follow their bodies
static void assertDofs(const mjModel* m) {
  for (int j = 1; j < m->njnt; j++) {
    BAS_ASSERT(m->jnt_bodyid[j] >= m->jnt_bodyid[j - 1]);
    BAS_ASSERT(m->jnt_dofadr[j] > m->jnt_dofadr[j - 1]);
    BAS_ASSERT(m->jnt_qposadr[j] > m->jnt_qposadr[j - 1]);
  }
  for (int i = 0; i < m->nv; i++) {
    const int parent = m->dof_parentid[i], body = m->dof_bodyid[i];
    BAS_ASSERT(parent < i);
    BAS_ASSERT(i >= m->body_dofadr[body] && i < m->body_dofadr[body] + m->body_dofnum[body]);
    BAS_ASSERT(i == m->body_dofadr[body] || parent == i - 1);
    BAS_ASSERT(m->dof_jntid[i] >= 0 && m->jnt_dofadr[m->dof_jntid[i]] <= i);
    BAS_ASSERT(m->dof_treeid[i] == m->body_treeid[body]);
    BAS_ASSERT(parent < 0 || m->dof_treeid[parent] == m->dof_treeid[i]);
    BAS_ASSERT(i == 0 || m->dof_treeid[i] >= m->dof_treeid[i - 1]);
    BAS_ASSERT(m->dof_simplenum[i] >= 0 && m->dof_simplenum[i] <= m->nv - i);
    BAS_ASSERT(m->dof_simplenum[i] < 2 || m->dof_simplenum[i + 1] == m->dof_simplenum[i] - 1);
  }
  BAS_ASSERT(bas_arePacked(m->tree_dofadr, m->tree_dofnum, (int)m->ntree, (int)m->nv));
}

// what hangs on bodies comes in their order
static void assertAttached(const mjModel* m) {
  for (int i = 1; i < m->ngeom; i++) BAS_ASSERT(m->geom_bodyid[i] >= m->geom_bodyid[i - 1]);
  for (int i = 1; i < m->nsite; i++) BAS_ASSERT(m->site_bodyid[i] >= m->site_bodyid[i - 1]);
  for (int i = 1; i < m->ncam; i++) BAS_ASSERT(m->cam_bodyid[i] >= m->cam_bodyid[i - 1]);
  for (int i = 1; i < m->nlight; i++) BAS_ASSERT(m->light_bodyid[i] >= m->light_bodyid[i - 1]);
}

//---------------------------------- sparse patterns ----------------------------------

static void assertRowsOfDofs(const mjModel* m) {
  const int nv = (int)m->nv;
  BAS_ASSERT(bas_arePacked(m->D_rowadr, m->D_rownnz, nv, (int)m->nD));
  BAS_ASSERT(bas_arePacked(m->M_rowadr, m->M_rownnz, nv, (int)m->nC));
  BAS_ASSERT(bas_arePacked(m->B_rowadr, m->B_rownnz, (int)m->nbody, (int)m->nB));
  for (int i = 0; i < nv; i++) {
    const int *D = m->D_colind + m->D_rowadr[i], *M = m->M_colind + m->M_rowadr[i], nM = m->M_rownnz[i];
    BAS_ASSERT(bas_isIncreasing(D, m->D_rownnz[i], 0, nv));
    BAS_ASSERT(m->D_diag[i] >= 0 && m->D_diag[i] < m->D_rownnz[i] && D[m->D_diag[i]] == i);
    BAS_ASSERT(bas_isIncreasing(M, nM, 0, i + 1));
    BAS_ASSERT(nM > 0 && M[nM - 1] == i);
    BAS_ASSERT(nM == 1 || M[nM - 2] == m->dof_parentid[i]);
    BAS_ASSERT(!m->dof_simplenum[i] || nM == 1);
    BAS_ASSERT(m->dof_Madr[i] >= 0 && m->dof_Madr[i] + m->D_diag[i] < m->nM);
  }
  for (int b = 0; b < m->nbody; b++) {
    BAS_ASSERT(bas_isIncreasing(m->B_colind + m->B_rowadr[b], m->B_rownnz[b], 0, nv));
    BAS_ASSERT(m->B_rownnz[b] >= m->body_dofnum[b]);
  }
  BAS_ASSERT(m->B_rownnz[0] == nv);
}

// the maps lead to the same entries
static void assertMaps(const mjModel* m) {
  for (int i = 0; i < m->nv; i++) {
    for (int k = m->M_rowadr[i]; k < m->M_rowadr[i] + m->M_rownnz[i]; k++) {
      BAS_ASSERT(m->D_colind[m->mapD2M[k]] == m->M_colind[k]);
      BAS_ASSERT(m->mapD2M[k] >= m->D_rowadr[i] && m->mapD2M[k] <= m->D_rowadr[i] + m->D_diag[i]);
      BAS_ASSERT(m->mapM2D[m->mapD2M[k]] == k);
      BAS_ASSERT(m->mapM2M[k] >= m->dof_Madr[i] && m->mapM2M[k] <= m->dof_Madr[i] + m->D_diag[i]);
    }
  }
}

//---------------------------------- lists ----------------------------------

static void assertLists(const mjModel* m) {
  for (int i = 1; i < m->npair; i++) BAS_ASSERT((unsigned)m->pair_signature[i] >= (unsigned)m->pair_signature[i - 1]);
  for (int i = 1; i < m->nexclude; i++) {
    BAS_ASSERT((unsigned)m->exclude_signature[i] >= (unsigned)m->exclude_signature[i - 1]);
  }
  BAS_ASSERT(bas_arePacked(m->sensor_adr, m->sensor_dim, (int)m->nsensor, (int)m->nsensordata));
  BAS_ASSERT(bas_arePacked(m->tendon_adr, m->tendon_num, (int)m->ntendon, (int)m->nwrap));
  BAS_ASSERT(bas_arePacked(m->flex_vertadr, m->flex_vertnum, (int)m->nflex, (int)m->nflexvert));
  BAS_ASSERT(bas_arePacked(m->flex_elemadr, m->flex_elemnum, (int)m->nflex, (int)m->nflexelem));
  BAS_ASSERT(bas_arePacked(m->flex_edgeadr, m->flex_edgenum, (int)m->nflex, (int)m->nflexedge));
  BAS_ASSERT(bas_arePacked(m->mesh_vertadr, m->mesh_vertnum, (int)m->nmesh, (int)m->nmeshvert));
  BAS_ASSERT(bas_arePacked(m->mesh_faceadr, m->mesh_facenum, (int)m->nmesh, (int)m->nmeshface));
  BAS_ASSERT(bas_arePacked(m->skin_vertadr, m->skin_vertnum, (int)m->nskin, (int)m->nskinvert));
  BAS_ASSERT(bas_arePacked(m->skin_boneadr, m->skin_bonenum, (int)m->nskin, (int)m->nskinbone));
  BAS_ASSERT(bas_arePacked(m->skin_bonevertadr, m->skin_bonevertnum, (int)m->nskinbone, (int)m->nskinbonevert));
  BAS_ASSERT(bas_arePacked(m->numeric_adr, m->numeric_size, (int)m->nnumeric, (int)m->nnumericdata));
  BAS_ASSERT(bas_arePacked(m->text_adr, m->text_size, (int)m->ntext, (int)m->ntextdata));
  BAS_ASSERT(bas_arePacked(m->tuple_adr, m->tuple_size, (int)m->ntuple, (int)m->ntupledata));
  BAS_ASSERT(m->nnames > 0 && m->names[m->nnames - 1] == 0);
  for (int b = 0; b < m->nbody; b++) BAS_ASSERT(m->name_bodyadr[b] < m->name_jntadr[0] || !m->njnt);
}

// boxes of a body: children behind their parents, two or none
static void assertBoxes(const mjModel* m) {
  for (int b = 0; b < m->nbody; b++) {
    const int first = m->body_bvhadr[b], n = m->body_bvhnum[b];
    for (int i = first; i < first + n; i++) {
      const int* child = m->bvh_child + 2 * i;
      BAS_ASSERT((child[0] < 0) == (child[1] < 0));
      BAS_ASSERT(child[0] < 0 || (child[0] > i - first && child[0] < n));
      BAS_ASSERT(child[1] < 0 || (child[1] > child[0] && child[1] < n));
      BAS_ASSERT(m->bvh_depth[i] >= 0 && m->bvh_depth[i] < n);
      BAS_ASSERT(child[0] >= 0 || (m->bvh_nodeid[i] >= 0 && m->bvh_nodeid[i] < m->ngeom));
    }
  }
}

void mdl_assertModel(const mjModel* m) {
  char error[500] = "";
  const int right = mdl_check(m, error, sizeof(error));
  if (!right) fprintf(stderr, "%s\n", error);
  BAS_ASSERT(right);
  assertBodies(m);
  assertDofs(m);
  assertAttached(m);
  assertRowsOfDofs(m);
  assertMaps(m);
  assertLists(m);
  assertBoxes(m);
}

//---------------------------------- mjData ----------------------------------

void mdl_assertBlock(const mjData* d) {
  const MdlBlock* const block = mdl_tail(d)->block;
  BAS_ASSERT(block != NULL);
  BAS_ASSERT(block->bytes % 64 == 0 && block->bytes >= sizeof(MdlBlock));
  size_t end = sizeof(MdlBlock);
  for (int i = 0; i < MDL_NSECTION; i++) {
    BAS_ASSERT((block->section[i] == 0) == (block->size[i] == 0));
    if (!block->size[i]) continue;
    BAS_ASSERT(block->section[i] % 64 == 0);
    BAS_ASSERT(block->section[i] >= end);
    end = block->section[i] + block->size[i];
    BAS_ASSERT(end <= block->bytes);
  }
}

// an array of the arena that is in use lies in it
static void assertInside(const mjData* d, const void* array, size_t bytes, size_t alignment) {
  if (!array) return;
  const size_t at = (size_t)((const char*)array - (const char*)d->arena);
  BAS_ASSERT(at >= (size_t)d->ncon * sizeof(mjContact));
  BAS_ASSERT(at % alignment == 0);
  BAS_ASSERT(at + bytes <= d->parena);
}

void mdl_assertArena(const mjModel* m, const mjData* d, int islands) {
  BAS_ASSERT(d->parena <= (size_t)d->narena);
  BAS_ASSERT(d->threadpool || d->pstack <= (size_t)d->narena - d->parena);
  BAS_ASSERT(d->ncon >= 0 && d->nefc >= 0 && d->nisland >= 0);
  BAS_ASSERT((size_t)d->ncon * sizeof(mjContact) <= d->parena);
#undef MJ_M
#define MJ_M(n) m->n
#undef MJ_D
#define MJ_D(n)               d->n
#define X(type, name, nr, nc) assertInside(d, d->name, sizeof(type) * (size_t)(nr) * (size_t)(nc), _Alignof(type));
  if (d->nefc) {
    MJDATA_ARENA_POINTERS_SOLVER
  }
  if (islands && d->nisland) {
    MJDATA_ARENA_POINTERS_ISLAND
  }
#undef X
#undef MJ_M
#define MJ_M(n) n
#undef MJ_D
#define MJ_D(n) n
}
