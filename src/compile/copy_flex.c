// Flexes into mjModel: sizes and arrays.
#include <string.h>

#include "compile/copy.h"
#include "compile/flex.h"

//---------------------------------- nonzeros ----------------------------------

// marks the dofs that move a body; returns how many were not marked before
static int markChain(const CmpBody* body, unsigned* mark, unsigned now) {
  int n = 0;
  for (; body->parent; body = body->parent) {
    if (mark[body->head.id] == now) break;
    mark[body->head.id] = now;
    n += body->dofnum;
  }
  return n;
}

// room for the Jacobians, whether or not the flex has forces that need them
static void countNonzeros(Cmp* c, CmpFlex* flex, unsigned* mark, unsigned* now) {
  flex->nJfe = flex->nJfv = 0;
  if (flex->rigid || flex->interp) return;
  for (int e = 0; e < flex->nedge; e++) {
    ++*now;
    for (int k = 0; k < 2; k++) flex->nJfe += markChain(flex->vertbody[flex->edge[2 * e + k]], mark, *now);
  }

  // a vertex feels itself and its neighbours
  int* const start = cmp_alloc(c, (size_t)flex->nvert + 2, sizeof(int));
  int* const other = cmp_alloc(c, 2 * (size_t)flex->nedge + 1, sizeof(int));
  for (int i = 0; i < 2 * flex->nedge; i++) start[flex->edge[i] + 2]++;
  for (int v = 0; v < flex->nvert; v++) start[v + 2] += start[v + 1];
  for (int i = 0; i < 2 * flex->nedge; i++) other[start[flex->edge[i] + 1]++] = flex->edge[i ^ 1];
  for (int v = 0; v < flex->nvert; v++) {
    if (start[v] == start[v + 1]) continue;
    ++*now;
    flex->nJfv += markChain(flex->vertbody[v], mark, *now);
    for (int k = start[v]; k < start[v + 1]; k++) flex->nJfv += markChain(flex->vertbody[other[k]], mark, *now);
  }
}

void cmp_flexSizes(Cmp* c, mjModel* m) {
  m->nflex = cmp_count(c, SPC_FLEX);
  if (!m->nflex) return;
  for (int i = 0; i < cmp_count(c, SPC_EQUALITY); i++) {
    const CmpEquality* const equality = CMP_AT(c, SPC_EQUALITY, CmpEquality, i);
    if (equality->s.type != mjEQ_FLEX && equality->s.type != mjEQ_FLEXVERT) continue;

    // the first one counts
    CmpFlex* const flex = CMP_AT(c, SPC_FLEX, CmpFlex, equality->obj1id);
    if (!flex->edgeequality) flex->edgeequality = equality->s.type == mjEQ_FLEX ? 1 : 2;
  }
  unsigned* const mark = cmp_alloc(c, (size_t)cmp_count(c, SPC_BODY), sizeof(unsigned));
  unsigned now = 0;
  for (int i = 0; i < m->nflex; i++) {
    CmpFlex* const flex = CMP_AT(c, SPC_FLEX, CmpFlex, i);
    countNonzeros(c, flex, mark, &now);
    m->nflexnode += flex->nnode;
    m->nflexvert += flex->nvert;
    m->nflexedge += flex->nedge;
    m->nflexelem += flex->nelem;
    m->nflexelemdata += (flex->s.dim + 1) * flex->nelem;
    m->nflexelemedge += cmp_flexEdges(flex->s.dim) * flex->nelem;
    m->nflexshelldata += flex->nshell;
    m->nflexevpair += flex->nevpair;
    m->nflextexcoord += (mjtSize)spc_vecCount(flex->s.texcoord, sizeof(float)) / 2;
    m->nJfe += flex->nJfe;
    m->nJfv += flex->nJfv;
    m->nbvhdynamic += flex->bvh.n;
  }
}

//---------------------------------- arrays ----------------------------------

// where the next flex goes
typedef struct {
  int node, vert, edge, elem, elemdata, elemedge, shell, evpair, texcoord, bvh;
} Cursor;

static void copyContact(mjModel* m, int i, const mjsFlex* s) {
  m->flex_contype[i] = s->contype;
  m->flex_conaffinity[i] = s->conaffinity;
  m->flex_condim[i] = s->condim;
  m->flex_priority[i] = s->priority;
  m->flex_solmix[i] = s->solmix;
  CMP_COPY(m->flex_solref + mjNREF * i, s->solref, mjNREF);
  CMP_COPY(m->flex_solimp + mjNIMP * i, s->solimp, mjNIMP);
  CMP_COPY(m->flex_friction + 3 * i, s->friction, 3);
  m->flex_margin[i] = s->margin;
  m->flex_gap[i] = s->gap;
  m->flex_internal[i] = s->internal;
  m->flex_selfcollide[i] = s->selfcollide;
  m->flex_activelayers[i] = s->activelayers;
  m->flex_passive[i] = s->passive;
  m->flex_group[i] = s->group;
  m->flex_radius[i] = s->radius;
  m->flex_damping[i] = s->damping;
  m->flex_edgestiffness[i] = s->edgestiffness;
  m->flex_edgedamping[i] = s->edgedamping;
  m->flex_flatskin[i] = s->flatskin;
  m->flex_dim[i] = s->dim;
  CMP_COPY(m->flex_rgba + 4 * i, s->rgba, 4);
}

static void copyAddresses(mjModel* m, int i, const CmpFlex* flex, const Cursor* at) {
  m->flex_matid[i] = flex->matid;
  m->flex_interp[i] = flex->interp;
  m->flex_nodeadr[i] = at->node;
  m->flex_nodenum[i] = flex->nnode;
  m->flex_vertadr[i] = at->vert;
  m->flex_vertnum[i] = flex->nvert;
  m->flex_edgeadr[i] = at->edge;
  m->flex_edgenum[i] = flex->nedge;
  m->flex_elemadr[i] = at->elem;
  m->flex_elemnum[i] = flex->nelem;
  m->flex_elemdataadr[i] = at->elemdata;
  m->flex_elemedgeadr[i] = at->elemedge;
  m->flex_shellnum[i] = flex->nshell / flex->s.dim;
  m->flex_shelldataadr[i] = flex->nshell ? at->shell : -1;
  m->flex_evpairadr[i] = flex->nevpair ? at->evpair : -1;
  m->flex_evpairnum[i] = flex->nevpair;
  m->flex_texcoordadr[i] = spc_vecCount(flex->s.texcoord, sizeof(float)) ? at->texcoord : -1;
  m->flex_bvhadr[i] = flex->bvh.n ? at->bvh : -1;
  m->flex_bvhnum[i] = flex->bvh.n;
  m->flex_edgeequality[i] = flex->edgeequality;
  m->flex_rigid[i] = (mjtByte)flex->rigid;
  m->flex_centered[i] = (mjtByte)flex->centered;
  CMP_COPY(m->flex_size + 3 * i, flex->size, 3);
}

static void copyVertices(mjModel* m, const CmpFlex* flex, const Cursor* at) {
  const mjsFlex* const s = &flex->s;
  const double* const vert = (const void*)((const SpcVec*)s->vert)->begin;
  const double* const node = (const void*)((const SpcVec*)s->node)->begin;
  if (vert && (!flex->centered || flex->interp)) CMP_COPY(m->flex_vert + 3 * at->vert, vert, 3 * flex->nvert);
  if (node && !flex->centered) CMP_COPY(m->flex_node + 3 * at->node, node, 3 * flex->nnode);
  CMP_COPY(m->flex_vert0 + 3 * at->vert, flex->vert0, 3 * flex->nvert);
  CMP_COPY(m->flex_node0 + 3 * at->node, flex->nodexpos, 3 * flex->nnode);
  for (int k = 0; k < flex->nvert; k++) {
    const CmpBody* const body = flex->vertbody[flex->rigid || flex->nvertbody == 1 ? 0 : k];
    m->flex_vertbodyid[at->vert + k] = flex->interp ? -1 : body->head.id;
  }
  for (int k = 0; k < flex->nnode; k++) m->flex_nodebodyid[at->node + k] = flex->nodebody[k]->head.id;
}

static void copyEdges(mjModel* m, const CmpFlex* flex, const Cursor* at) {
  const mjsFlex* const s = &flex->s;
  const int flaps = s->dim == 2 && (s->elastic2d == 1 || s->elastic2d == 3);
  CMP_COPY(m->flex_edge + 2 * at->edge, flex->edge, 2 * flex->nedge);
  CMP_COPY(m->flex_bending + 17 * at->edge, flex->bending, 17 * flex->nedge);
  for (int k = 0; k < flex->nedge; k++) {
    for (int i = 0; i < 2; i++) m->flex_edgeflap[2 * (at->edge + k) + i] = flaps ? flex->flap[4 * k + 2 + i] : -1;
    if (flex->rigid) {
      m->flexedge_rigid[at->edge + k] = 1;
    } else if (!flex->interp) {
      const int* const v = flex->edge + 2 * k;
      m->flexedge_rigid[at->edge + k] = flex->vertbody[v[0]]->weldid == flex->vertbody[v[1]]->weldid;
    }
  }
}

static void copyElements(mjModel* m, const CmpFlex* flex, const Cursor* at) {
  const mjsFlex* const s = &flex->s;
  const int n = (s->dim + 1) * flex->nelem;
  CMP_COPY(m->flex_elem + at->elemdata, flex->elem, n);
  CMP_COPY(m->flex_elemtexcoord + at->elemdata, flex->elemtexcoord, n);
  CMP_COPY(m->flex_elemedge + at->elemedge, flex->elemedge, cmp_flexEdges(s->dim) * flex->nelem);
  CMP_COPY(m->flex_elemlayer + at->elem, flex->elemlayer, flex->nelem);
  CMP_COPY(m->flex_stiffness + 21 * at->elem, flex->stiffness, 21 * flex->nelem);
  CMP_COPY(m->flex_shell + at->shell, flex->shell, flex->nshell);
  CMP_COPY(m->flex_evpair + 2 * at->evpair, flex->evpair, 2 * flex->nevpair);
  const SpcVec* const texcoord = s->texcoord;
  CMP_COPY(m->flex_texcoord + 2 * at->texcoord, (const float*)(const void*)texcoord->begin,
           spc_vecCount(texcoord, sizeof(float)));
  CMP_COPY(m->bvh_child + 2 * at->bvh, flex->bvh.child, 2 * flex->bvh.n);
  CMP_COPY(m->bvh_depth + at->bvh, flex->bvh.depth, flex->bvh.n);
  CMP_COPY(m->bvh_nodeid + at->bvh, flex->bvh.nodeid, flex->bvh.n);
}

void cmp_copyFlexes(const Cmp* c, mjModel* m) {
  BAS_ASSERT(c->stage == CMP_RESOLVED);
  // boxes of flexes are made at every step: their nodes follow those with boxes
  Cursor at = {.bvh = (int)m->nbvhstatic};
  for (int i = 0; i < m->nflex; i++) {
    const CmpFlex* const flex = CMP_AT(c, SPC_FLEX, CmpFlex, i);
    copyContact(m, i, &flex->s);
    copyAddresses(m, i, flex, &at);
    copyVertices(m, flex, &at);
    copyEdges(m, flex, &at);
    copyElements(m, flex, &at);
    at.node += flex->nnode;
    at.vert += flex->nvert;
    at.edge += flex->nedge;
    at.elem += flex->nelem;
    at.elemdata += (flex->s.dim + 1) * flex->nelem;
    at.elemedge += cmp_flexEdges(flex->s.dim) * flex->nelem;
    at.shell += flex->nshell;
    at.evpair += flex->nevpair;
    at.texcoord += (int)spc_vecCount(flex->s.texcoord, sizeof(float)) / 2;
    at.bvh += flex->bvh.n;
  }
}
