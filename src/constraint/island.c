// Constraint islands: groups of kinematic trees that constraints tie together. No constraint reaches from one island to
// another, so each can be solved alone.
//
// Trees are merged along the constraints (union-find with the smallest tree as root), islands are numbered by their
// smallest tree, and dofs, rows and inertia are regrouped island by island. Trees without constraints are in none.
#include <mujoco/mjxmacro.h>
#include <string.h>

#include "base/share.h"
#include "base/stack.h"
#include "model/arena.h"
#include "constraint/rows.h"
#include "math/groups.h"
#include "math/simd/kernels.h"
#include "base/assert.h"

//---------------------------------- trees of a constraint ----------------------------------

// what the search works on
typedef struct {
  const mjModel* m;
  const mjData* d;
  int* root;  // (ntree) towards the smallest tree of the group; -1: no constraint yet
} Forest;

// puts two trees into one group; either may be -1, the world
static void join(int* root, int a, int b) {
  BAS_ASSERT(a >= 0 || b >= 0);
  mth_join(root, a < 0 ? b : a, b < 0 ? a : b);
}

// joins all trees that row i reaches; returns the first
static int joinScanned(const Forest* f, int i) {
  const mjModel* m = f->m;
  const mjData* d = f->d;
  int first = -1, previous = -1;

  // sparse: the trees of the columns
  if (mj_isSparse(m)) {
    const int* ind = d->efc_J_colind + d->efc_J_rowadr[i];
    for (int k = 0, end = 0; k < d->efc_J_rownnz[i]; k++) {
      if (ind[k] < end) continue;
      const int tree = m->dof_treeid[ind[k]];
      end = m->tree_dofadr[tree] + m->tree_dofnum[tree];
      join(f->root, tree, previous);
      previous = tree;
      if (first < 0) first = tree;
    }
    return first;
  }

  // dense: the trees of the nonzeros
  const mjtNum* J = d->efc_J + (size_t)i * m->nv;
  for (int j = 0; j < m->nv; j++) {
    if (!J[j]) continue;
    const int tree = m->dof_treeid[j];
    join(f->root, tree, previous);
    previous = tree;
    if (first < 0) first = tree;
    j = m->tree_dofadr[tree] + m->tree_dofnum[tree] - 1;
  }
  return first;
}

// joins two trees of which at most one is the world; returns the first that is not
static int joinPair(const Forest* f, int a, int b, const char* what, int id) {
  if (a < 0 && b < 0) mju_error("mj_island: %s %d is between two static bodies", what, id);
  join(f->root, a, b);
  return a >= 0 ? a : b;
}

// joins the trees of row i's constraint, which is no contact; returns one of them
static int joinRow(const Forest* f, int i) {
  const mjModel* m = f->m;
  const mjData* d = f->d;
  const int id = d->efc_id[i];
  switch (d->efc_type[i]) {
    case mjCNSTR_FRICTION_DOF:
      return joinPair(f, m->dof_treeid[id], -1, "dof", id);
    case mjCNSTR_LIMIT_JOINT:
      return joinPair(f, m->dof_treeid[m->jnt_dofadr[id]], -1, "joint", id);
    case mjCNSTR_EQUALITY: {
      if (m->eq_type[id] > mjEQ_WELD) break;
      int body[2] = {m->eq_obj1id[id], m->eq_obj2id[id]};
      for (int s = 0; s < 2 && m->eq_objtype[id] == mjOBJ_SITE; s++) body[s] = m->site_bodyid[body[s]];
      return joinPair(f, m->body_treeid[body[0]], m->body_treeid[body[1]], "equality", id);
    }
    default:
      break;
  }
  return joinScanned(f, i);
}

// joins the trees of the rows before those of contacts
static void joinOthers(const Forest* f, int n, int* efc_tree) {
  const mjModel* m = f->m;
  const mjData* d = f->d;
  for (int i = 0; i < n; i++) {
    const int type = d->efc_type[i], id = d->efc_id[i];

    // further rows of one constraint reach the same trees, except in a flex
    const int flex = type == mjCNSTR_EQUALITY && m->eq_type[id] >= mjEQ_FLEX;
    efc_tree[i] = i && type == d->efc_type[i - 1] && id == d->efc_id[i - 1] && !flex ? efc_tree[i - 1] : joinRow(f, i);
    if (efc_tree[i] < 0) mju_error("mj_island: no tree found for constraint %d", i);
  }
}

// what a contact joins
typedef struct {
  int row;      // its first row, -1: it has none
  int tree[2];  // -1: the world
} Link;

// Contacts are looked at in parts, which is what takes time; joined they are one after the other.
typedef struct {
  const mjModel* m;
  const mjData* d;
  int nparts;
  Link* link;     // (ncon)
  int* efc_tree;  // (nefc)
} Links;

enum { SCANNED = -2 };  // instead of a tree: the contact reaches those of its columns

static void linkPart(void* arg, int piece) {
  const Links* links = arg;
  const mjModel* m = links->m;
  const mjData* d = links->d;
  const BasPart part = bas_part(d->ncon, links->nparts, piece);
  for (int k = part.begin; k < part.end; k++) {
    const mjContact* con = d->contact + k;
    Link* link = links->link + k;
    link->row = con->exclude ? -1 : con->efc_address;
    if (link->row < 0) continue;
    const int pyramidal = d->efc_type[link->row] == mjCNSTR_CONTACT_PYRAMIDAL;
    const int nrow = pyramidal ? 2 * (con->dim - 1) : con->dim, bodies = con->geom[0] >= 0 && con->geom[1] >= 0;
    for (int s = 0; s < 2; s++) link->tree[s] = bodies ? m->body_treeid[m->geom_bodyid[con->geom[s]]] : SCANNED;
    const int tree = link->tree[0] >= 0 ? link->tree[0] : link->tree[1];
    for (int i = link->row; i < link->row + nrow; i++) links->efc_tree[i] = tree;
  }
}

// the same for a contact whose trees are those of its columns
static void joinColumns(const Forest* f, int id, int row, int* efc_tree) {
  const mjData* d = f->d;
  const int tree = joinScanned(f, row);
  if (tree < 0) mju_error("mj_island: no tree found for constraint %d", row);
  for (int i = row; i < d->nefc && d->efc_id[i] == id; i++) efc_tree[i] = tree;
}

// joins the trees of all constraints; efc_tree gets one tree per row
static void joinAll(const Forest* f, mjData* d, int* efc_tree) {
  joinOthers(f, d->ne + d->nf + d->nl, efc_tree);
  mj_markStack(d);
  Link* link = mj_stackAllocByte(d, sizeof(Link) * (size_t)d->ncon, _Alignof(Link));
  const Links links = {f->m, d, bas_parts(d, d->ncon, CON_PART), link, efc_tree};
  bas_share(d, NULL, linkPart, (void*)&links, links.nparts);
  for (int k = 0; k < d->ncon; k++) {
    if (link[k].row < 0) continue;
    if (link[k].tree[0] == SCANNED) {
      joinColumns(f, k, link[k].row, efc_tree);
    } else {
      joinPair(f, link[k].tree[0], link[k].tree[1], "contact", k);
    }
  }
  mj_freeStack(d);
}

//---------------------------------- memory ----------------------------------

// island arrays in the arena; 0 when they do not fit, and then there are no constraints at all
static int allocateIslands(const mjModel* m, mjData* d) {
#undef MJ_M
#define MJ_M(n) m->n
#undef MJ_D
#define MJ_D(n) d->n
  MdlPlaces places = mdl_places(d);
#define X(type, name, nr, nc) MDL_PLACE(&places, type, nr, nc);
  MJDATA_ARENA_POINTERS_ISLAND
#undef X
  if (!mdl_reserve(d, &places)) return 0;
#define X(type, name, nr, nc) d->name = MDL_PLACE(&places, type, nr, nc);
  MJDATA_ARENA_POINTERS_ISLAND
#undef X
#undef MJ_M
#define MJ_M(n) n
#undef MJ_D
#define MJ_D(n) n
  return 1;
}

//---------------------------------- regrouping ----------------------------------

// start of each group from their sizes; returns the total
static int startsOf(int* start, const int* size, int n) {
  int total = 0;
  for (int i = 0; i < n; i++) {
    start[i] = total;
    total += size[i];
  }
  return total;
}

// trees by island; those without constraints come last
static void groupTrees(const mjModel* m, mjData* d, const int* tree_island, int* fill) {
  memcpy(d->tree_island, tree_island, sizeof(int) * (size_t)m->ntree);
  memset(d->island_ntree, 0, sizeof(int) * (size_t)d->nisland);
  for (int i = 0; i < m->ntree; i++) {
    if (tree_island[i] >= 0) d->island_ntree[tree_island[i]]++;
  }
  int rest = startsOf(d->island_itreeadr, d->island_ntree, d->nisland);
  memcpy(fill, d->island_itreeadr, sizeof(int) * (size_t)d->nisland);
  for (int i = 0; i < m->ntree; i++) {
    const int island = tree_island[i];
    d->map_itree2tree[island >= 0 ? fill[island]++ : rest++] = i;
  }
}

// all dofs in island 0, in their order
static void keepDofs(const mjModel* m, mjData* d) {
  const int nv = (int)m->nv;
  memset(d->dof_island, 0, sizeof(int) * (size_t)nv);
  for (int i = 0; i < nv; i++) d->map_dof2idof[i] = i;
  memcpy(d->map_idof2dof, d->map_dof2idof, sizeof(int) * (size_t)nv);
}

// dofs by island; those without constraints come last
static void groupDofs(const mjModel* m, mjData* d, const int* tree_island, int* fill) {
  // one island of all dofs: they keep their places
  if (d->nisland == 1 && d->nidof == m->nv) {
    d->island_nv[0] = d->nidof;
    d->island_idofadr[0] = d->island_dofadr[0] = 0;
    keepDofs(m, d);
    return;
  }
  memset(d->island_nv, 0, sizeof(int) * (size_t)d->nisland);
  for (int i = 0; i < m->ntree; i++) {
    if (tree_island[i] >= 0) d->island_nv[tree_island[i]] += m->tree_dofnum[i];
  }
  int rest = startsOf(d->island_idofadr, d->island_nv, d->nisland);
  memcpy(fill, d->island_idofadr, sizeof(int) * (size_t)d->nisland);
  for (int i = 0; i < m->ntree; i++) {
    const int island = tree_island[i], dof = m->tree_dofadr[i], n = m->tree_dofnum[i];
    int* next = island >= 0 ? fill + island : &rest;
    for (int k = 0; k < n; k++) {
      d->dof_island[dof + k] = island;
      d->map_dof2idof[dof + k] = *next + k;
      d->map_idof2dof[*next + k] = dof + k;
    }
    *next += n;
  }
  for (int i = 0; i < d->nisland; i++) d->island_dofadr[i] = d->map_idof2dof[d->island_idofadr[i]];
}

// trees that make a part worth a thread
enum { TREE_PART = 16 };

// rows or trees in parts
typedef struct {
  const mjModel* m;
  mjData* d;
  int n, nparts;
} Parts;

// one part of the trees: the dofs of each are together here as there, so that all columns move by the same distance
static void inertiaPart(void* arg, int piece) {
  const Parts* parts = arg;
  const mjModel* m = parts->m;
  mjData* d = parts->d;
  const BasPart part = bas_part(parts->n, parts->nparts, piece);
  int adr = 0;
  for (int itree = 0; itree < part.end; itree++) {
    const int tree = d->map_itree2tree[itree], dof = m->tree_dofadr[tree], n = m->tree_dofnum[tree];
    const int source = m->M_rowadr[dof], last = dof + n - 1, num = m->M_rowadr[last] + m->M_rownnz[last] - source;
    const int idof = d->map_dof2idof[dof], shift = idof - d->island_idofadr[d->dof_island[dof]] - dof;
    for (int k = 0; k < (itree < part.begin ? 0 : n); k++) {
      d->iM_rownnz[idof + k] = m->M_rownnz[dof + k];
      d->iM_rowadr[idof + k] = m->M_rowadr[dof + k] - source + adr;
      d->iLDiagInv[idof + k] = d->qLDiagInv[dof + k];
    }
    if (itree >= part.begin) {
      for (int k = 0; k < num; k++) d->iM_colind[adr + k] = m->M_colind[source + k] + shift;
      memcpy(d->iM + adr, d->M + source, sizeof(mjtNum) * (size_t)num);
      memcpy(d->iLD + adr, d->qLD + source, sizeof(mjtNum) * (size_t)num);
    }
    adr += num;
  }
}

// inertia and its factor, rows and columns by island; columns count from the island's first dof
static void groupInertia(const mjModel* m, mjData* d) {
  // one island of all dofs: they keep their places
  if (d->nisland == 1 && d->nidof == m->nv) {
    const size_t nv = (size_t)m->nv, nC = (size_t)m->nC;
    const BasCopy copy[] = {
        {d->iM_rownnz, m->M_rownnz,  sizeof(int) * nv   },
        {d->iM_rowadr, m->M_rowadr,  sizeof(int) * nv   },
        {d->iM_colind, m->M_colind,  sizeof(int) * nC   },
        {d->iM,        d->M,         sizeof(mjtNum) * nC},
        {d->iLD,       d->qLD,       sizeof(mjtNum) * nC},
        {d->iLDiagInv, d->qLDiagInv, sizeof(mjtNum) * nv},
    };
    bas_copy(d, copy, 6);
    return;
  }
  Parts parts = {.m = m, .d = d};
  for (int k = 0; k < d->nisland; k++) parts.n += d->island_ntree[k];
  parts.nparts = bas_parts(d, parts.n, TREE_PART);
  bas_share(d, NULL, inertiaPart, &parts, parts.nparts);
}

// all rows in one island: they keep their order
static void singleIsland(mjData* d) {
  const size_t n = (size_t)d->nefc;
  d->island_ne[0] = d->ne;
  d->island_nf[0] = d->nf;
  d->island_nefc[0] = d->nefc;
  d->island_iefcadr[0] = 0;
  memset(d->efc_island, 0, sizeof(int) * n);
  for (int i = 0; i < d->nefc; i++) d->map_efc2iefc[i] = i;
  memcpy(d->map_iefc2efc, d->map_efc2iefc, sizeof(int) * n);
  const BasCopy copy[] = {
      {d->iefc_type,         d->efc_type,         sizeof(int) * n   },
      {d->iefc_id,           d->efc_id,           sizeof(int) * n   },
      {d->iefc_frictionloss, d->efc_frictionloss, sizeof(mjtNum) * n},
      {d->iefc_D,            d->efc_D,            sizeof(mjtNum) * n},
      {d->iefc_R,            d->efc_R,            sizeof(mjtNum) * n},
  };
  bas_copy(d, copy, 5);
}

// one part of the rows by island
static void rowPart(void* arg, int piece) {
  const Parts* parts = arg;
  mjData* d = parts->d;
  const BasPart part = bas_part(parts->n, parts->nparts, piece);
  for (int to = part.begin; to < part.end; to++) {
    const int i = d->map_iefc2efc[to];
    d->iefc_type[to] = d->efc_type[i];
    d->iefc_id[to] = d->efc_id[i];
    d->iefc_frictionloss[to] = d->efc_frictionloss[i];
    d->iefc_D[to] = d->efc_D[i];
    d->iefc_R[to] = d->efc_R[i];
  }
}

// rows by island
static void groupRows(mjData* d, const int* tree_island, const int* efc_tree, int* fill) {
  memset(d->island_ne, 0, sizeof(int) * (size_t)d->nisland);
  memset(d->island_nf, 0, sizeof(int) * (size_t)d->nisland);
  memset(d->island_nefc, 0, sizeof(int) * (size_t)d->nisland);
  if (d->nisland == 1) {
    singleIsland(d);
    return;
  }
  for (int i = 0; i < d->nefc; i++) {
    const int island = tree_island[efc_tree[i]];
    d->efc_island[i] = island;
    d->island_nefc[island]++;
    d->island_ne[island] += i < d->ne;
    d->island_nf[island] += i >= d->ne && i < d->ne + d->nf;
  }
  startsOf(d->island_iefcadr, d->island_nefc, d->nisland);
  memcpy(fill, d->island_iefcadr, sizeof(int) * (size_t)d->nisland);
  for (int i = 0; i < d->nefc; i++) {
    const int to = fill[d->efc_island[i]]++;
    d->map_efc2iefc[i] = to;
    d->map_iefc2efc[to] = i;
  }
  Parts parts = {NULL, d, d->nefc, bas_parts(d, d->nefc, 2 * CON_PART)};
  bas_share(d, NULL, rowPart, &parts, parts.nparts);
}

// Copies rows from row `to` on, before row `end`, that follow each other here as there and share their columns with no
// neighbour, as those of a flex's edges; adr is where their values go. Returns how many there are.
static int singleRows(mjData* d, int to, int end, int adr) {
  const int i = d->map_iefc2efc[to], island = d->efc_island[i], source = d->efc_J_rowadr[i];
  int n = 0;
  for (; to + n < end && d->map_iefc2efc[to + n] == i + n && !d->efc_J_rowsuper[i + n]; n++) {
    if (d->efc_island[i + n] != island) break;
    d->iefc_J_rownnz[to + n] = d->efc_J_rownnz[i + n];
    d->iefc_J_rowadr[to + n] = d->efc_J_rowadr[i + n] - source + adr;
  }
  const int num = n ? d->efc_J_rowadr[i + n - 1] + d->efc_J_rownnz[i + n - 1] - source : 0;
  const int base = d->island_idofadr[island], *from = d->efc_J_colind + source;
  int* ind = d->iefc_J_colind + adr;
  for (int k = 0; k < num; k++) ind[k] = d->map_dof2idof[from[k]] - base;
  if (num) memcpy(d->iefc_J + adr, d->efc_J + source, sizeof(mjtNum) * (size_t)num);
  return n;
}

// one part of the rows
static void sparsePart(void* arg, int piece) {
  const Parts* parts = arg;
  mjData* d = parts->d;
  const BasPart part = bas_part(parts->n, parts->nparts, piece);
  int adr = 0;
  for (int to = 0; to < part.begin; to++) adr += d->efc_J_rownnz[d->map_iefc2efc[to]];
  for (int to = part.begin, n; to < part.end; to += n) {
    const int i = d->map_iefc2efc[to], nnz = d->efc_J_rownnz[i], source = d->efc_J_rowadr[i];
    const int base = d->island_idofadr[d->efc_island[i]];

    n = singleRows(d, to, part.end, adr);
    if (n) {
      adr += d->efc_J_rowadr[i + n - 1] + d->efc_J_rownnz[i + n - 1] - source;
      continue;
    }

    // rows that follow each other here as there, with the same columns
    n = 1;
    while (to + n < part.end && n <= d->efc_J_rowsuper[i] && d->map_iefc2efc[to + n] == i + n) n++;
    BAS_ASSERT(d->efc_J_rowadr[i + n - 1] == source + (n - 1) * nnz);
    int* ind = d->iefc_J_colind + adr;
    for (int k = 0; k < nnz; k++) ind[k] = d->map_dof2idof[d->efc_J_colind[source + k]] - base;
    for (int r = 0; r < n; r++) {
      d->iefc_J_rownnz[to + r] = nnz;
      d->iefc_J_rowadr[to + r] = adr + r * nnz;
      if (r) memcpy(ind + r * nnz, ind, sizeof(int) * (size_t)nnz);
    }
    memcpy(d->iefc_J + adr, d->efc_J + source, sizeof(mjtNum) * (size_t)(n * nnz));
    adr += n * nnz;
  }
}

// marks the rows of one part that have the columns of the next row: known where they were neighbours before
static void samePart(void* arg, int piece) {
  const Parts* parts = arg;
  mjData* d = parts->d;
  const BasPart part = bas_part(parts->n, parts->nparts, piece);
  for (int to = part.begin; to < part.end; to++) {
    const int i = d->map_iefc2efc[to], next = d->map_iefc2efc[to + 1], nnz = d->iefc_J_rownnz[to];
    int same = 0;
    if (next == i + 1) {
      same = d->efc_J_rowsuper[i] && d->efc_island[i] == d->efc_island[next];
    } else if (d->efc_island[i] == d->efc_island[next] && nnz == d->iefc_J_rownnz[to + 1]) {
      same = !memcmp(d->iefc_J_colind + d->iefc_J_rowadr[to], d->iefc_J_colind + d->iefc_J_rowadr[to + 1],
                     sizeof(int) * (size_t)nnz);
    }
    d->iefc_J_rowsuper[to] = same;
  }
}

// Jacobian by island: sparse rows one after another, with columns that count from the island's first dof
static void groupSparse(const mjModel* m, mjData* d) {
  // one island of the first dofs: everything keeps its place
  if (d->nisland == 1 && d->map_idof2dof[d->nidof - 1] == d->nidof - 1) {
    const size_t n = (size_t)d->nefc, nJ = (size_t)d->nJ;
    const BasCopy copy[] = {
        {d->iefc_J_rownnz,   d->efc_J_rownnz,   sizeof(int) * n    },
        {d->iefc_J_rowadr,   d->efc_J_rowadr,   sizeof(int) * n    },
        {d->iefc_J_rowsuper, d->efc_J_rowsuper, sizeof(int) * n    },
        {d->iefc_J_colind,   d->efc_J_colind,   sizeof(int) * nJ   },
        {d->iefc_J,          d->efc_J,          sizeof(mjtNum) * nJ},
    };
    bas_copy(d, copy, 5);
    return;
  }
  Parts parts = {m, d, d->nefc, bas_parts(d, d->nefc, CON_PART)};
  bas_share(d, NULL, sparsePart, &parts, parts.nparts);

  parts.n = d->nefc - 1;
  bas_share(d, NULL, samePart, &parts, parts.nparts);
  con_countSame(d->iefc_J_rowsuper, d->nefc);
}

// Jacobian by island: dense blocks, each as wide as its island, behind nidof values per row of the earlier islands
static void groupDense(const mjModel* m, mjData* d) {
  if (d->nisland == 1 && d->nidof == m->nv) {
    memcpy(d->iefc_J, d->efc_J, sizeof(mjtNum) * (size_t)d->nefc * m->nv);
    return;
  }
  for (int island = 0; island < d->nisland; island++) {
    const int first = d->island_iefcadr[island], nv = d->island_nv[island];
    const int* dof = d->map_idof2dof + d->island_idofadr[island];
    mjtNum* to = d->iefc_J + (size_t)d->nidof * first;
    for (int r = 0; r < d->island_nefc[island]; r++) {
      const mjtNum* J = d->efc_J + (size_t)m->nv * d->map_iefc2efc[first + r];
      if (nv == m->nv) {
        memcpy(to, J, sizeof(mjtNum) * (size_t)nv);
      } else {
        mth_gather(to, J, dof, nv);
      }
      to += nv;
    }
  }
}

//---------------------------------- driver ----------------------------------

// Room of the arena, in bytes, beside which the arrays of the islands of a single tree, and what is allocated after
// them, are small. With less, rows for which there is no room are dropped as in a step.
#define AMPLE ((size_t)1 << 25)

void con_islandSizes(const mjModel* m, mjData* d) {
  const int pgs = m->opt.solver == mjSOL_PGS, ample = (size_t)d->narena - d->parena - d->pstack > AMPLE;
  if (!ample || (!pgs && m->ntree > 1)) {
    mj_island(m, d);
    return;
  }
  d->nisland = d->nidof = 0;
  if ((m->opt.disableflags & mjDSBL_ISLAND) || !d->nefc || pgs) return;
  d->nisland = 1;
  d->nidof = (int)m->nv;
}

// one tree is all there is: everything keeps its place
static void groupOneTree(const mjModel* m, mjData* d) {
  const int nv = (int)m->nv;
  d->nisland = 1;
  d->nidof = nv;
  if (!allocateIslands(m, d)) return;
  d->tree_island[0] = d->island_itreeadr[0] = d->map_itree2tree[0] = 0;
  d->island_idofadr[0] = d->island_dofadr[0] = 0;
  d->island_ntree[0] = 1;
  d->island_nv[0] = nv;
  keepDofs(m, d);
  groupInertia(m, d);
  singleIsland(d);
  if (mj_isSparse(m)) {
    groupSparse(m, d);
  } else {
    groupDense(m, d);
  }
}

void mj_island(const mjModel* m, mjData* d) {
  d->nisland = d->nidof = 0;
  if ((m->opt.disableflags & mjDSBL_ISLAND) || !d->nefc) return;
  if (m->ntree == 1) {
    groupOneTree(m, d);
    BAS_CHECK(con_assertIslands(m, d));
    return;
  }

  // which trees belong together
  mj_markStack(d);
  const Forest f = {m, d, mj_stackAllocInt(d, m->ntree)};
  for (int i = 0; i < m->ntree; i++) f.root[i] = -1;
  int* efc_tree = mj_stackAllocInt(d, d->nefc);
  joinAll(&f, d, efc_tree);
  int* tree_island = f.root;
  d->nisland = mth_numberGroups(tree_island, (int)m->ntree);
  for (int i = 0; i < m->ntree; i++) d->nidof += tree_island[i] >= 0 ? m->tree_dofnum[i] : 0;

  // regroup everything
  if (allocateIslands(m, d)) {
    int* fill = mj_stackAllocInt(d, d->nisland);
    groupTrees(m, d, tree_island, fill);
    groupDofs(m, d, tree_island, fill);
    groupInertia(m, d);
    groupRows(d, tree_island, efc_tree, fill);
    if (mj_isSparse(m)) {
      groupSparse(m, d);
    } else {
      groupDense(m, d);
    }
    BAS_CHECK(con_assertIslands(m, d));
  }
  mj_freeStack(d);
}
