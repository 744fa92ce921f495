// Checks of a model's structure that are no rows of a table: the kinematic tree and the sparse patterns that follow
// from it, bounding volumes, meshes, flexes, images and strings.
#include "model/checks.h"

#include <string.h>

#include "model/names.h"

//---------------------------------- kinematic tree ----------------------------------------------------------------

// coordinates and dofs of each joint type
static const int NQ[] = {7, 4, 1, 1};
static const int NV[] = {6, 3, 1, 1};

static int checkBodies(MdlCheck* c) {
  const mjModel* m = c->m;
  for (int i = 0; i < m->nbody; i++) {
    // parents come first, so that one pass visits them before their children
    const int parent = m->body_parentid[i], weld = m->body_weldid[i];
    if (i ? parent >= i : parent != 0) return mdl_fail(c, "body_parentid", i, parent, "an earlier body");
    const int root = i && parent ? m->body_rootid[parent] : i;
    if (m->body_rootid[i] != root) return mdl_fail(c, "body_rootid", i, m->body_rootid[i], "the top of its tree");
    if (weld > i || m->body_weldid[weld] != weld) {
      return mdl_fail(c, "body_weldid", i, weld, "the first of the bodies welded together");
    }
  }
  if (m->body_jntnum[0] || m->body_dofnum[0]) {
    return mdl_fail(c, "body_dofnum", 0, m->body_dofnum[0], "0: the world does not move");
  }
  return 1;
}

// joints fill qpos and the dofs in order
static int checkJoints(MdlCheck* c) {
  const mjModel* m = c->m;
  int nq = 0, nv = 0;
  for (int i = 0; i < m->njnt; i++) {
    const int type = m->jnt_type[i];
    if (m->jnt_qposadr[i] != nq) return mdl_fail(c, "jnt_qposadr", i, m->jnt_qposadr[i], "the end of the joint before");
    if (m->jnt_dofadr[i] != nv) return mdl_fail(c, "jnt_dofadr", i, m->jnt_dofadr[i], "the end of the joint before");
    nq += NQ[type];
    nv += NV[type];
    if (nq > m->nq || nv > m->nv) return mdl_fail(c, "jnt_type", i, type, "a joint that fits into nq and nv");
    for (int k = nv - NV[type]; k < nv; k++) {
      if (m->dof_jntid[k] != i) return mdl_fail(c, "dof_jntid", k, m->dof_jntid[k], "the joint that owns the dof");
      if (m->dof_bodyid[k] != m->jnt_bodyid[i]) {
        return mdl_fail(c, "dof_bodyid", k, m->dof_bodyid[k], "the body of its joint");
      }
    }
  }
  if (nq != m->nq || nv != m->nv) return mdl_fail(c, "jnt_type", m->njnt, nq, "joints that add up to nq and nv");
  return 1;
}

// last dof of the nearest ancestor that has any; -1 for none
static int ancestorDof(const mjModel* m, int body) {
  do body = m->body_parentid[body];
  while (body && !m->body_dofnum[body]);
  return body ? m->body_dofadr[body] + m->body_dofnum[body] - 1 : -1;
}

// dofs form chains towards the world; the lower triangle of M stores one entry per ancestor
static int checkDofs(MdlCheck* c) {
  const mjModel* m = c->m;
  mjtSize nM = 0;
  for (int i = 0; i < m->nv; i++) {
    const int body = m->dof_bodyid[i];
    const int parent = i > m->body_dofadr[body] ? i - 1 : ancestorDof(m, body);
    if (m->dof_parentid[i] != parent) {
      return mdl_fail(c, "dof_parentid", i, m->dof_parentid[i], "the dof before it in its chain");
    }
    if (m->dof_treeid[i] != m->body_treeid[body]) {
      return mdl_fail(c, "dof_treeid", i, m->dof_treeid[i], "the tree of its body");
    }
    if (m->dof_simplenum[i] < 0 || m->dof_simplenum[i] > m->nv - i) {
      return mdl_failRange(c, "dof_simplenum", i, m->dof_simplenum[i], (mjtSize[]){0, m->nv - i});
    }
    if (m->dof_Madr[i] != nM) return mdl_fail(c, "dof_Madr", i, m->dof_Madr[i], "the end of the row before");
    for (int j = i; j >= 0; j = m->dof_parentid[j]) nM++;
  }
  if (nM != m->nM) return mdl_fail(c, "dof_Madr", m->nv, nM, "rows that add up to nM");
  return 1;
}

//---------------------------------- sparse patterns ---------------------------------------------------------------

// columns of a row ascend
static int checkAscending(MdlCheck* c, const char* array, const int* colind, mjtSize adr, int n) {
  for (int k = 1; k < n; k++) {
    if (colind[adr + k] <= colind[adr + k - 1]) {
      return mdl_fail(c, array, adr + k, colind[adr + k], "a column after the one before");
    }
  }
  return 1;
}

// row i of M holds i and its ancestors, or i alone for a dof with constant diagonal inertia
static int checkInertia(MdlCheck* c) {
  const mjModel* m = c->m;
  for (int i = 0; i < m->nv; i++) {
    int j = i, k = m->M_rownnz[i] - 1;
    for (; k >= 0 && j >= 0; k--, j = m->dof_parentid[j]) {
      const int adr = m->M_rowadr[i] + k;
      if (m->M_colind[adr] != j) return mdl_fail(c, "M_colind", adr, m->M_colind[adr], "the chain of ancestors");
    }
    if (k >= 0 || (j >= 0 && !m->dof_simplenum[i]) || m->M_rownnz[i] < 1) {
      return mdl_fail(c, "M_rownnz", i, m->M_rownnz[i], "the number of ancestors");
    }
  }
  return 1;
}

// rows of D are those of B for the dof's body, and hold their diagonal
static int checkDerivative(MdlCheck* c) {
  const mjModel* m = c->m;
  for (int i = 0; i < m->nbody; i++) {
    if (!checkAscending(c, "B_colind", m->B_colind, m->B_rowadr[i], m->B_rownnz[i])) return 0;
  }
  for (int i = 0; i < m->nv; i++) {
    const int body = m->dof_bodyid[i], n = m->D_rownnz[i], *columns = m->D_colind + m->D_rowadr[i];
    if (n != m->B_rownnz[body] || memcmp(columns, m->B_colind + m->B_rowadr[body], sizeof(int) * (size_t)n) != 0) {
      return mdl_fail(c, "D_rownnz", i, n, "the row of its body in B");
    }
    if (m->D_diag[i] < 0 || m->D_diag[i] >= n || columns[m->D_diag[i]] != i) {
      return mdl_fail(c, "D_diag", i, m->D_diag[i], "the place of the diagonal");
    }
  }
  return 1;
}

//---------------------------------- bounding volumes --------------------------------------------------------------

// a tree of nodes numbered within their owner: children come after their parent, leaves name an element
static int checkVolumes(MdlCheck* c, int start, int n, const mjtSize leaf[2]) {
  const mjModel* m = c->m;
  for (int i = start; i < start + n; i++) {
    if (m->bvh_depth[i] < 0 || m->bvh_depth[i] >= mjMAXTREEDEPTH) {
      return mdl_failRange(c, "bvh_depth", i, m->bvh_depth[i], (mjtSize[]){0, mjMAXTREEDEPTH - 1});
    }
    for (int k = 0; k < 2; k++) {
      const int child = m->bvh_child[2 * i + k];
      if (child != -1 && (child <= i - start || child >= n)) {
        return mdl_fail(c, "bvh_child", 2 * i + k, child, "-1 or a later node of the same tree");
      }
    }

    // inner nodes may name no element, and must then have both children
    const int node = m->bvh_nodeid[i];
    if (node != -1 && (node < leaf[0] || node > leaf[1])) return mdl_failRange(c, "bvh_nodeid", i, node, leaf);
    if (node == -1 && (m->bvh_child[2 * i] < 0 || m->bvh_child[2 * i + 1] < 0)) {
      return mdl_fail(c, "bvh_nodeid", i, node, "an element, because the node has no children");
    }
  }
  return 1;
}

static int checkTrees(MdlCheck* c) {
  const mjModel* m = c->m;
  if (m->nbvh != m->nbvhstatic + m->nbvhdynamic) {
    return mdl_fail(c, "nbvh", 0, m->nbvh, "nbvhstatic + nbvhdynamic");
  }
  for (int i = 0; i < m->nbody; i++) {
    const mjtSize geoms[2] = {m->body_geomadr[i], (mjtSize)m->body_geomadr[i] + m->body_geomnum[i] - 1};
    if (m->body_bvhnum[i] && !checkVolumes(c, m->body_bvhadr[i], m->body_bvhnum[i], geoms)) return 0;
  }
  for (int i = 0; i < m->nmesh; i++) {
    const mjtSize faces[2] = {0, m->mesh_facenum[i] - 1};
    if (m->mesh_bvhnum[i] && !checkVolumes(c, m->mesh_bvhadr[i], m->mesh_bvhnum[i], faces)) return 0;

    // octrees: eight children or none
    for (int k = 0; k < 8 * m->mesh_octnum[i]; k++) {
      const mjtSize at = 8 * (mjtSize)m->mesh_octadr[i] + k;
      const int child = m->oct_child[at];
      if (child != -1 && (child <= k / 8 || child >= m->mesh_octnum[i])) {
        return mdl_fail(c, "oct_child", at, child, "-1 or a later node of the same octree");
      }
    }
  }

  // volumes of flexes move with them and are kept in mjData
  for (int i = 0; i < m->nflex; i++) {
    const mjtSize elements[2] = {0, m->flex_elemnum[i] - 1};
    if (!m->flex_bvhnum[i]) continue;
    if (m->flex_bvhadr[i] < m->nbvhstatic) {
      return mdl_fail(c, "flex_bvhadr", i, m->flex_bvhadr[i], "an address behind the static nodes");
    }
    if (!checkVolumes(c, m->flex_bvhadr[i], m->flex_bvhnum[i], elements)) return 0;
  }
  return 1;
}

//---------------------------------- meshes ------------------------------------------------------------------------

// hull graph: numvert, numface, then edge addresses, vertices, edge lists ended by -1, faces
static int checkGraph(MdlCheck* c, int mesh) {
  const mjModel* m = c->m;
  const mjtSize start = m->mesh_graphadr[mesh], room = m->nmeshgraph - start;
  const int* const graph = m->mesh_graph + start;
  if (room < 2) return mdl_fail(c, "mesh_graphadr", mesh, start, "room for a graph");
  const mjtSize nvert = graph[0], nface = graph[1];
  if (nvert < 1 || nface < 0 || nvert > m->mesh_vertnum[mesh] || 2 + 3 * nvert + 6 * nface > room) {
    return mdl_fail(c, "mesh_graph", start, nvert, "the size of a hull of this mesh");
  }
  const int *edgeadr = graph + 2, *vertex = edgeadr + nvert, *edge = vertex + nvert;
  const int* const face = edge + nvert + 3 * nface;
  const mjtSize nedge = nvert + 3 * nface, vertices[2] = {0, m->mesh_vertnum[mesh] - 1};

  // vertices of the hull, and where the list of each one's neighbours starts
  for (mjtSize i = 0; i < nvert; i++) {
    if (edgeadr[i] < 0 || edgeadr[i] >= nedge) {
      return mdl_failRange(c, "mesh_graph", start + 2 + i, edgeadr[i], (mjtSize[]){0, nedge - 1});
    }
    if (vertex[i] < 0 || vertex[i] > vertices[1]) {
      return mdl_failRange(c, "mesh_graph", vertex + i - m->mesh_graph, vertex[i], vertices);
    }
  }

  // neighbours are numbered within the hull; the last list ends
  for (mjtSize i = 0; i < nedge; i++) {
    const int last = i == nedge - 1;
    if (edge[i] < -1 || edge[i] >= nvert || (last && edge[i] != -1)) {
      return mdl_failRange(c, "mesh_graph", edge + i - m->mesh_graph, edge[i], (mjtSize[]){-1, last ? -1 : nvert - 1});
    }
  }
  for (mjtSize i = 0; i < 3 * nface; i++) {
    if (face[i] < 0 || face[i] > vertices[1]) {
      return mdl_failRange(c, "mesh_graph", face + i - m->mesh_graph, face[i], vertices);
    }
  }
  return 1;
}

// polygons of the hull: their vertices, and for each vertex the polygons around it
static int checkPolygons(MdlCheck* c, int mesh) {
  const mjModel* m = c->m;
  const int first = m->mesh_polyadr[mesh], vert0 = m->mesh_vertadr[mesh];
  for (int i = first; i < first + m->mesh_polynum[mesh]; i++) {
    for (int k = 0; k < m->mesh_polyvertnum[i]; k++) {
      const int at = m->mesh_polyvertadr[i] + k, vertex = m->mesh_polyvert[at];
      if (vertex < 0 || vertex >= m->mesh_vertnum[mesh]) {
        return mdl_failRange(c, "mesh_polyvert", at, vertex, (mjtSize[]){0, m->mesh_vertnum[mesh] - 1});
      }
    }
  }
  for (int i = vert0; i < vert0 + m->mesh_vertnum[mesh]; i++) {
    for (int k = 0; k < m->mesh_polymapnum[i]; k++) {
      const int at = m->mesh_polymapadr[i] + k, polygon = m->mesh_polymap[at];
      if (polygon < 0 || polygon >= m->mesh_polynum[mesh]) {
        return mdl_failRange(c, "mesh_polymap", at, polygon, (mjtSize[]){0, m->mesh_polynum[mesh] - 1});
      }
    }
  }
  return 1;
}

static int checkMeshes(MdlCheck* c) {
  const mjModel* m = c->m;
  for (int i = 0; i < m->nmesh; i++) {
    if (m->mesh_vertnum[i] < 1) return mdl_fail(c, "mesh_vertnum", i, m->mesh_vertnum[i], "at least one vertex");

    // texture coordinates are optional, also for single corners
    const int n = m->mesh_texcoordnum[i];
    for (mjtSize k = 3 * (mjtSize)m->mesh_faceadr[i]; n && k < 3 * ((mjtSize)m->mesh_faceadr[i] + m->mesh_facenum[i]);
         k++) {
      if (m->mesh_facetexcoord[k] < -1 || m->mesh_facetexcoord[k] >= n) {
        return mdl_failRange(c, "mesh_facetexcoord", k, m->mesh_facetexcoord[k], (mjtSize[]){-1, n - 1});
      }
    }
    if (m->mesh_graphadr[i] >= 0 && !checkGraph(c, i)) return 0;
    if (!checkPolygons(c, i)) return 0;
  }
  return 1;
}

static int checkSkins(MdlCheck* c) {
  const mjModel* m = c->m;
  for (int i = 0; i < m->nskin; i++) {
    if (m->skin_texcoordadr[i] >= 0 && m->skin_texcoordadr[i] > m->nskintexvert - m->skin_vertnum[i]) {
      return mdl_fail(c, "skin_texcoordadr", i, m->skin_texcoordadr[i], "room for one coordinate per vertex");
    }
    for (int b = m->skin_boneadr[i]; b < m->skin_boneadr[i] + m->skin_bonenum[i]; b++) {
      for (int k = m->skin_bonevertadr[b]; k < m->skin_bonevertadr[b] + m->skin_bonevertnum[b]; k++) {
        if (m->skin_bonevertid[k] < 0 || m->skin_bonevertid[k] >= m->skin_vertnum[i]) {
          return mdl_failRange(c, "skin_bonevertid", k, m->skin_bonevertid[k], (mjtSize[]){0, m->skin_vertnum[i] - 1});
        }
      }
    }
  }
  return 1;
}

//---------------------------------- flexes ------------------------------------------------------------------------

// part of an array that belongs to one flex, and the range of its values
typedef struct {
  const char* name;  // of the array of values
  const int* values;
  const char* adrname;  // of the array that holds the start
  mjtSize start, count, size;
  mjtSize low, limit;
} FlexPart;

static int checkPart(MdlCheck* c, const FlexPart* p, int flex) {
  if (!p->count) return 1;
  if (p->start < 0 || p->start > p->size - p->count) {
    return mdl_failRange(c, p->adrname, flex, p->start, (mjtSize[]){0, p->size - p->count});
  }
  for (mjtSize k = p->start; k < p->start + p->count; k++) {
    if (p->values[k] < p->low || p->values[k] >= p->limit) {
      return mdl_failRange(c, p->name, k, p->values[k], (mjtSize[]){p->low, p->limit - 1});
    }
  }
  return 1;
}

static int checkFlexParts(MdlCheck* c, int f) {
  const mjModel* m = c->m;
  static const int NEDGE[] = {0, 1, 3, 6};
  const mjtSize dim = m->flex_dim[f], nelem = m->flex_elemnum[f], nvert = m->flex_vertnum[f];
  const int textured = m->flex_texcoordadr[f] >= 0;
  if (m->flex_texcoordadr[f] < -1 || m->flex_texcoordadr[f] > m->nflextexcoord) {
    return mdl_failRange(c, "flex_texcoordadr", f, m->flex_texcoordadr[f], (mjtSize[]){-1, m->nflextexcoord});
  }
  // clang-format off
  const FlexPart parts[] = {
      {"flex_elem", m->flex_elem, "flex_elemdataadr", m->flex_elemdataadr[f], nelem * (dim + 1), m->nflexelemdata, 0,
       nvert},
      {"flex_elemtexcoord", m->flex_elemtexcoord, "flex_elemdataadr", m->flex_elemdataadr[f],
       textured ? nelem * (dim + 1) : 0, m->nflexelemdata, 0, m->nflextexcoord - m->flex_texcoordadr[f]},
      {"flex_elemedge", m->flex_elemedge, "flex_elemedgeadr", m->flex_elemedgeadr[f], nelem * NEDGE[dim],
       m->nflexelemedge, 0, m->flex_edgenum[f]},
      {"flex_shell", m->flex_shell, "flex_shelldataadr", m->flex_shelldataadr[f], m->flex_shellnum[f] * dim,
       m->nflexshelldata, 0, nvert},
  };
  // clang-format on
  if (m->flex_shellnum[f] < 0) return mdl_fail(c, "flex_shellnum", f, m->flex_shellnum[f], "a count");
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
    if (!checkPart(c, parts + i, f)) return 0;
  }

  // element and vertex that may touch
  for (mjtSize k = m->flex_evpairadr[f]; k < m->flex_evpairadr[f] + m->flex_evpairnum[f]; k++) {
    const int element = m->flex_evpair[2 * k], vertex = m->flex_evpair[2 * k + 1];
    if (element < 0 || element >= nelem)
      return mdl_failRange(c, "flex_evpair", 2 * k, element, (mjtSize[]){0, nelem - 1});
    if (vertex < 0 || vertex >= nvert)
      return mdl_failRange(c, "flex_evpair", 2 * k + 1, vertex, (mjtSize[]){0, nvert - 1});
  }
  return 1;
}

// vertices are bodies, or are interpolated between nodes: 8 corners of a box, or 27 points
static int checkFlexBodies(MdlCheck* c, int f) {
  const mjModel* m = c->m;
  const int order = m->flex_interp[f] + 1, nodes = order * order * order;
  if (m->flex_interp[f] && m->flex_nodenum[f] != nodes) {
    return mdl_fail(c, "flex_nodenum", f, m->flex_nodenum[f], "the nodes of its interpolation");
  }
  for (int i = m->flex_vertadr[f]; i < m->flex_vertadr[f] + m->flex_vertnum[f]; i++) {
    if (m->flex_vertbodyid[i] < 0 && !m->flex_interp[f]) {
      return mdl_fail(c, "flex_vertbodyid", i, m->flex_vertbodyid[i], "a body");
    }
  }
  return 1;
}

// edges around each vertex, one list for all flexes that need it: numbers of edges in the vertex's flex
static int checkVertexEdges(MdlCheck* c, int f) {
  const mjModel* m = c->m;
  const int nedge = m->flex_edgenum[f];
  for (int i = m->flex_vertadr[f]; i < m->flex_vertadr[f] + m->flex_vertnum[f]; i++) {
    const int start = m->flex_vertedgeadr[i], n = m->flex_vertedgenum[i];
    if (n < 0 || (n && (start < 0 || n > 2 * m->nflexedge || start > 2 * m->nflexedge - n))) {
      return mdl_fail(c, "flex_vertedgeadr", i, start, "a place in flex_vertedge");
    }
    for (int k = start; k < start + n; k++) {
      const int edge = m->flex_vertedge[k];
      if (edge < 0 || edge >= nedge) return mdl_failRange(c, "flex_vertedge", k, edge, (mjtSize[]){0, nedge - 1});
    }
  }
  return 1;
}

static int checkFlexes(MdlCheck* c) {
  const mjModel* m = c->m;
  for (int f = 0; f < m->nflex; f++) {
    if (!checkFlexParts(c, f) || !checkFlexBodies(c, f) || !checkVertexEdges(c, f)) return 0;
  }

  // Jacobians of vertex constraints: two rows per vertex; those of flexes without such constraints are empty
  for (mjtSize i = 0; i < 2 * m->nflexvert; i++) {
    const int start = m->flexvert_J_rowadr[i], n = m->flexvert_J_rownnz[i];
    if (n < 0 || n > 2 * m->nJfv) return mdl_failRange(c, "flexvert_J_rownnz", i, n, (mjtSize[]){0, 2 * m->nJfv});
    if (n && (start < 0 || start > 2 * m->nJfv - n)) {
      return mdl_failRange(c, "flexvert_J_rowadr", i, start, (mjtSize[]){0, 2 * m->nJfv - n});
    }
  }
  return 1;
}

//---------------------------------- images, strings ---------------------------------------------------------------

static int checkImages(MdlCheck* c) {
  const mjModel* m = c->m;
  for (int i = 0; i < m->nhfield; i++) {
    // at least one cell
    const mjtSize nrow = m->hfield_nrow[i], ncol = m->hfield_ncol[i], start = m->hfield_adr[i];
    if (nrow < 2 || ncol < 2)
      return mdl_fail(c, nrow < 2 ? "hfield_nrow" : "hfield_ncol", i, nrow < 2 ? nrow : ncol, "2 or more");
    if (start < 0 || nrow * ncol > m->nhfielddata || start > m->nhfielddata - nrow * ncol) {
      return mdl_fail(c, "hfield_adr", i, start, "room for nrow x ncol values");
    }
  }
  for (int i = 0; i < m->ntex; i++) {
    const mjtSize width = m->tex_width[i], height = m->tex_height[i], channels = m->tex_nchannel[i];
    if (width < 0 || height < 0 || channels < 1) {
      return mdl_fail(c, "tex_nchannel", i, channels, "channels and a size");
    }
    mjtSize bytes;
    if (__builtin_mul_overflow(width * height, channels, &bytes) || bytes > m->ntexdata || m->tex_adr[i] < 0 ||
        m->tex_adr[i] > m->ntexdata - bytes) {
      return mdl_fail(c, "tex_adr", i, m->tex_adr[i], "room for width x height x channels bytes");
    }
  }
  return 1;
}

// strings end inside their array
static int checkStrings(MdlCheck* c) {
  const mjModel* m = c->m;
  const struct {
    const char* name;
    const char* text;
    mjtSize n;
  } arrays[] = {
      {"names",       m->names,       m->nnames     },
      {"paths",       m->paths,       m->npaths     },
      {"plugin_attr", m->plugin_attr, m->npluginattr},
  };
  for (int i = 0; i < 3; i++) {
    const mjtSize n = arrays[i].n;
    if (n && arrays[i].text[n - 1])
      return mdl_fail(c, arrays[i].name, n - 1, arrays[i].text[n - 1], "the end of a string");
  }
  if (m->nnames < 1) return mdl_fail(c, "nnames", 0, m->nnames, "room for the name of the model");
  for (int i = 0; i < m->ntext; i++) {
    const mjtSize end = (mjtSize)m->text_adr[i] + m->text_size[i];
    if (m->text_size[i] < 1 || m->text_data[end - 1]) {
      return mdl_fail(c, "text_size", i, m->text_size[i], "a string with its end");
    }
  }

  // hash table: ids of the objects that have names, or -1
  const int* map = m->names_map;
  for (int i = 0; i < mdl_ntables; i++) {
    const mjtSize n = mdl_tableCount(m, i);
    for (mjtSize k = 0; k < MDL_NAME_SLOTS * n; k++) {
      if (map[k] < -1 || map[k] >= n) {
        return mdl_failRange(c, "names_map", map + k - m->names_map, map[k], (mjtSize[]){-1, n - 1});
      }
    }
    map += MDL_NAME_SLOTS * n;
  }
  return 1;
}

static int checkOptions(MdlCheck* c) {
  const mjOption* o = &c->m->opt;
  const struct {
    const char* name;
    int value, last;
  } choices[] = {
      {"opt.integrator", o->integrator, mjINT_IMPLICITFAST},
      {"opt.cone",       o->cone,       mjCONE_ELLIPTIC   },
      {"opt.jacobian",   o->jacobian,   mjJAC_AUTO        },
      {"opt.solver",     o->solver,     mjSOL_NEWTON      },
  };
  for (int i = 0; i < 4; i++) {
    if (choices[i].value < 0 || choices[i].value > choices[i].last) {
      return mdl_failRange(c, choices[i].name, 0, choices[i].value, (mjtSize[]){0, choices[i].last});
    }
  }
  return 1;
}

int (*const mdl_checks[])(MdlCheck*) = {
    checkOptions,     checkStrings,
    checkBodies,      checkJoints,
    checkDofs,        checkInertia,
    checkDerivative,  checkTrees,
    checkMeshes,      checkSkins,
    checkFlexes,      checkImages,
    mdl_checkGeoms,   mdl_checkPairs,
    mdl_checkPlugins, mdl_checkEqualities,
    mdl_checkWraps,   mdl_checkActuators,
    mdl_checkSensors, mdl_checkTuples,
    mdl_checkTotals,  NULL,
};
