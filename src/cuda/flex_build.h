// What the kernels read of flexes besides the arrays of mjModel: lists of what pulls at what. For build.h.

//---------------------------------- sizes ----------------------------------

// 1: a sheet that bends at this edge
static int bendsAt(const mjModel* m, int f, int e) {
  return m->flex_dim[f] == 2 && !m->flex_interp[f] && !m->flex_rigid[f] && m->flex_edgeflap[2 * e + 1] >= 0;
}

// rows of an equality constraint of a flex: edges, or twice the vertices and which of the two invariants. Sparse
// Jacobians have no rows without columns.
static int flexRowsOf(const mjModel* m, int eq, int* row) {
  const int f = m->eq_obj1id[eq], sparse = kin_isSparse(m);
  int n = 0;
  if (m->eq_type[eq] == mjEQ_FLEX) {
    for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
      if (m->flexedge_rigid[e] || (sparse && !m->flexedge_J_rownnz[e])) continue;
      if (row) row[n] = e;
      n++;
    }
  } else if (m->eq_type[eq] == mjEQ_FLEXVERT) {
    for (int r = 2 * m->flex_vertadr[f]; r < 2 * (m->flex_vertadr[f] + m->flex_vertnum[f]); r++) {
      if (sparse && !m->flexvert_J_rownnz[r]) continue;
      if (row) row[n] = r;
      n++;
    }
  }
  return n;
}

// 1: the length of an edge has a damper
static int isDamped(const mjModel* m, int f, int e) {
  return m->flex_edgedamping[f] != 0 && !m->flex_rigid[f] && !m->flex_interp[f] && !m->flexedge_rigid[e];
}

// dofs that move nodes, in their order; no two nodes share a body that moves
static int blockDofs(const mjModel* m, int* dof) {
  int n = 0;
  for (int i = 0; i < m->nflexnode; i++) {
    const int body = m->flex_nodebodyid[i];
    for (int k = 0; k < m->body_dofnum[body]; k++, n++) {
      if (dof) dof[n] = m->body_dofadr[body] + k;
    }
  }
  return n;
}

// what implicit integrators read
static void implicitSizes(CudModel* c, const mjModel* m) {
  const int fast = m->opt.integrator == mjINT_IMPLICITFAST, implicit = fast || m->opt.integrator == mjINT_IMPLICIT;
  c->nflexdof = m->nflex ? (int)m->nv : 0;
  c->nflexdof1 = c->nflexdof + 1;
  c->ndofedge = c->nblock = c->nblockstiff = c->edgedamped = 0;
  for (int f = 0; f < (implicit ? m->nflex : 0); f++) {
    for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
      if (isDamped(m, f, e)) c->ndofedge += m->flexedge_J_rownnz[e];
    }
    if (fast && m->flex_interp[f]) c->nblockstiff += 9 * m->flex_nodenum[f] * m->flex_nodenum[f];
  }
  c->edgedamped = c->ndofedge > 0;
  if (c->nblockstiff) c->nblock = blockDofs(m, NULL);
}

static void flexSizes(CudModel* c, const mjModel* m) {
  implicitSizes(c, m);
  c->nflexbody = m->nflex ? (int)m->nbody : 0;
  c->nvertpart = c->neqrow = 0;
  for (int f = 0; f < m->nflex; f++) {
    for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
      c->nvertpart += bendsAt(m, f, e) ? 4 : 2;
    }
  }
  for (int i = 0; i < m->neq; i++) c->neqrow += flexRowsOf(m, i, NULL);
  c->nflexvert1 = c->nflexvert + 1;
  c->nflexedge1 = c->nflexedge + 1;
  c->nflexbody1 = c->nflexbody + 1;
  c->neq1 = c->neq + 1;
  c->sparse = kin_isSparse(m);
}

//---------------------------------- lists ----------------------------------

// entries 0 .. n - 1 by their owners: adr has the first of each owner, and the end; an owner of -1 has none
static void listByOwner(const int* adr, int nowner, const int* owner, int n, int* entry) {
  int* const at = (int*)adr;
  memset(at, 0, sizeof(int) * (size_t)(nowner + 1));
  for (int i = 0; i < n; i++) at[owner[i] + 1] += owner[i] >= 0;
  at[0] = 0;
  for (int k = 0; k < nowner; k++) at[k + 1] += at[k];

  // each place moves on to the first of the next owner
  for (int i = 0; i < n; i++) {
    if (owner[i] >= 0) entry[at[owner[i]]++] = i;
  }
  memmove(at + 1, at, sizeof(int) * (size_t)nowner);
  at[0] = 0;
}

// of every vertex the edges around it
static void vertexParts(CudModel* c, const mjModel* m) {
  int* const owner = mju_malloc(sizeof(int) * (size_t)(3 * c->nvertpart + 1));
  if (!owner) mju_error("Could not allocate memory");
  int *const part = owner + c->nvertpart, *const sorted = (int*)c->vertpart, n = 0;
  for (int f = 0; f < m->nflex; f++) {
    for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
      for (int role = 0; role < (bendsAt(m, f, e) ? 4 : 2); role++) {
        const int local = role < 2 ? m->flex_edge[2 * e + role] : m->flex_edgeflap[2 * e + role - 2];
        owner[n] = m->flex_vertadr[f] + local;
        part[2 * n] = e;
        part[2 * n++ + 1] = role;
      }
    }
  }
  int* const order = mju_malloc(sizeof(int) * (size_t)(n + 1));
  if (!order) mju_error("Could not allocate memory");
  listByOwner(c->vertpart_adr, c->nflexvert, owner, n, order);
  for (int i = 0; i < n; i++) memcpy(sorted + 2 * i, part + 2 * order[i], 2 * sizeof(int));
  mju_free(order);
  mju_free(owner);
}

// of every edge the elements around it
static void edgeParts(CudModel* c, const mjModel* m) {
  int* const owner = mju_malloc(sizeof(int) * (size_t)(c->nflexelemedge + 1));
  if (!owner) mju_error("Could not allocate memory");
  for (int f = 0; f < m->nflex; f++) {
    static const int EDGES[3] = {1, 3, 6};
    const int n = m->flex_elemnum[f] * EDGES[m->flex_dim[f] - 1], adr = m->flex_elemedgeadr[f];
    for (int k = adr; k < adr + n; k++) owner[k] = m->flex_edgeadr[f] + m->flex_elemedge[k];
  }
  listByOwner(c->edgepart_adr, c->nflexedge, owner, c->nflexelemedge, (int*)c->edgepart);
  mju_free(owner);
}

// edges by the dofs that change their lengths; dofs of nodes
static void implicitArrays(CudModel* c, const mjModel* m) {
  int* const owner = mju_malloc(sizeof(int) * (size_t)(2 * c->ndofedge + 1));
  if (!owner) mju_error("Could not allocate memory");
  int *const edge = owner + c->ndofedge, *const sorted = (int*)c->dofedge, n = 0, stiff = 0;
  for (int f = 0; f < m->nflex; f++) {
    ((int*)c->flex_blockadr)[f] = stiff;
    stiff += c->nblock && m->flex_interp[f] ? 9 * m->flex_nodenum[f] * m->flex_nodenum[f] : 0;
    for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
      for (int k = 0; k < (c->ndofedge && isDamped(m, f, e) ? m->flexedge_J_rownnz[e] : 0); k++) {
        owner[n] = m->flexedge_J_colind[m->flexedge_J_rowadr[e] + k];
        edge[n++] = e;
      }
    }
  }
  listByOwner(c->dofedge_adr, c->nflexdof, owner, n, sorted);
  for (int i = 0; i < n; i++) sorted[i] = edge[sorted[i]];
  mju_free(owner);
  for (int i = 0; i < c->nflexdof; i++) ((int*)c->dof_block)[i] = -1;
  if (c->nblock) blockDofs(m, (int*)c->block_dof);
  for (int k = 0; k < c->nblock; k++) ((int*)c->dof_block)[c->block_dof[k]] = k;
}

// elements that meet other things: all of them, or those of the hierarchy of boxes
static void outerElements(CudModel* c, const mjModel* m, int f) {
  int* const outer = (int*)c->elem_outer + m->flex_elemadr[f];
  const int all = m->flex_bvhadr[f] < 0 || (m->opt.disableflags & mjDSBL_MIDPHASE);
  for (int e = 0; e < m->flex_elemnum[f]; e++) outer[e] = all;
  for (int i = 0; i < (all ? 0 : m->flex_bvhnum[f]); i++) {
    const int e = m->bvh_nodeid[m->flex_bvhadr[f] + i];
    if (e >= 0) outer[e] = 1;
  }
}

static void flexArrays(CudModel* c, const mjModel* m) {
  int n = 0;
  for (int i = 0; i < m->neq; i++) {
    ((int*)c->eqrow_adr)[i] = n;
    n += flexRowsOf(m, i, (int*)c->eqrow + n);
  }
  ((int*)c->eqrow_adr)[m->neq] = n;
  if (!m->nflex) return;
  for (int f = 0; f < m->nflex; f++) {
    outerElements(c, m, f);
    for (int i = 0; i < m->flex_vertnum[f]; i++) ((int*)c->vert_flex)[m->flex_vertadr[f] + i] = f;
    for (int i = 0; i < m->flex_nodenum[f]; i++) ((int*)c->node_flex)[m->flex_nodeadr[f] + i] = f;
    for (int i = 0; i < m->flex_edgenum[f]; i++) ((int*)c->edge_flex)[m->flex_edgeadr[f] + i] = f;
  }
  vertexParts(c, m);
  edgeParts(c, m);
  implicitArrays(c, m);
  listByOwner(c->bodyvert_adr, c->nflexbody, m->flex_vertbodyid, c->nflexvert, (int*)c->bodyvert);
  listByOwner(c->bodynode_adr, c->nflexbody, m->flex_nodebodyid, c->nflexnode, (int*)c->bodynode);
}
