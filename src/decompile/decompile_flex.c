// From a compiled model to a spec: flexes.
//
// Of their elasticity the model has only what the steps use: stiffness K of elements, bending B of edges. With Lame's
// parameters K = t (mu S + lambda T) and B = t^3 mu U, where S, T and U follow from the shape, and t is the thickness
// of a surface (1 for solids). The compiler gives S, T and U when it is asked for unit parameters; mu and lambda follow
// by least squares. A surface that only stretches or only bends leaves one parameter open: it is as thick as its radius
// says, and Poisson's ratio is 0 where nothing stretches.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decompile/decompile.h"

// -------------------------------------------------------------------------------------------- shape

// Vertices of an interpolated flex hang on nodes, and the body in whose frame they were given is not kept: nodes are
// children of it, or pinned to it, so that it is the parent of the last one.
static int parentOfNodes(const mjModel* m, int i) {
  const int* const node = m->flex_nodebodyid + m->flex_nodeadr[i];
  int last = node[0], pinned = 1;
  for (int k = 1; k < m->flex_nodenum[i]; k++) {
    pinned &= node[k] == node[0];
    if (node[k] > last) last = node[k];
  }
  return pinned ? last : m->body_parentid[last];
}

static void setVertices(Decompiler* c, mjsFlex* flex, int i) {
  const mjModel* const m = c->m;
  const int vert = m->flex_vertadr[i], nvert = m->flex_vertnum[i], interpolated = m->flex_interp[i] != 0;
  const int same = interpolated ? parentOfNodes(m, i) : -1;
  const int nbody = m->flex_rigid[i] && !m->flex_centered[i] ? 1 : nvert;
  for (int k = 0; k < nbody; k++) {
    mjs_appendString(flex->vertbody, dec_name(c, mjOBJ_BODY, same >= 0 ? same : m->flex_vertbodyid[vert + k]));
  }
  if (interpolated || !m->flex_centered[i]) mjs_setDouble(flex->vert, m->flex_vert + 3 * vert, 3 * nvert);

  const int node = m->flex_nodeadr[i], nnode = m->flex_nodenum[i];
  for (int k = node; k < node + nnode; k++) {
    mjs_appendString(flex->nodebody, dec_name(c, mjOBJ_BODY, m->flex_nodebodyid[k]));
  }
  if (nnode && !m->flex_centered[i]) mjs_setDouble(flex->node, m->flex_node + 3 * node, 3 * nnode);
}

// texture coordinates of a flex reach to those of the next one
static int texcoordCount(const mjModel* m, int i) {
  for (int k = i + 1; k < (int)m->nflex; k++) {
    if (m->flex_texcoordadr[k] >= 0) return m->flex_texcoordadr[k] - m->flex_texcoordadr[i];
  }
  return (int)m->nflextexcoord - m->flex_texcoordadr[i];
}

static void setElements(const mjModel* m, mjsFlex* flex, int i) {
  const int n = (m->flex_dim[i] + 1) * m->flex_elemnum[i], start = m->flex_elemdataadr[i];
  mjs_setInt(flex->elem, m->flex_elem + start, n);
  if (m->flex_texcoordadr[i] < 0) return;
  mjs_setFloat(flex->texcoord, m->flex_texcoord + 2 * m->flex_texcoordadr[i], 2 * texcoordCount(m, i));
  mjs_setInt(flex->elemtexcoord, m->flex_elemtexcoord + start, n);
}

static void setProperties(Decompiler* c, mjsFlex* flex, int i) {
  const mjModel* const m = c->m;
  flex->contype = m->flex_contype[i];
  flex->conaffinity = m->flex_conaffinity[i];
  flex->condim = m->flex_condim[i];
  flex->priority = m->flex_priority[i];
  DEC_TAKE(flex->friction, m->flex_friction);
  flex->solmix = m->flex_solmix[i];
  DEC_TAKE(flex->solref, m->flex_solref);
  DEC_TAKE(flex->solimp, m->flex_solimp);
  flex->margin = m->flex_margin[i];
  flex->gap = m->flex_gap[i];
  flex->dim = m->flex_dim[i];
  flex->radius = m->flex_radius[i];
  flex->internal = m->flex_internal[i];
  flex->flatskin = m->flex_flatskin[i];
  flex->selfcollide = m->flex_selfcollide[i];
  flex->passive = m->flex_passive[i];
  flex->activelayers = m->flex_activelayers[i];
  flex->group = m->flex_group[i];
  flex->edgestiffness = m->flex_edgestiffness[i];
  flex->edgedamping = m->flex_edgedamping[i];
  flex->damping = m->flex_damping[i];
  DEC_TAKE(flex->rgba, m->flex_rgba);
  mjs_setString(flex->material, dec_name(c, mjOBJ_MATERIAL, m->flex_matid[i]));
}

void dec_flexes(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->nflex; i++) {
    mjsFlex* const flex = c->flex[i] = mjs_addFlex(c->spec);
    dec_keep(c, mjOBJ_FLEX, i, flex->element);
    setProperties(c, flex, i);
    setVertices(c, flex, i);
    setElements(m, flex, i);
  }
}

// -------------------------------------------------------------------------------------------- elasticity

// what is known of a flex's elasticity: BENDS and STRETCHES are bits of elastic2d
enum { BENDS = 1, STRETCHES = 2, ELASTIC = 4 };

static int anyNonzero(const mjtNum* value, long n) {
  for (long i = 0; i < n; i++) {
    if (value[i] != 0) return 1;
  }
  return 0;
}

static long stiffnessCount(const mjModel* m, int i) {
  return 21L * m->flex_elemnum[i];
}

static long bendingCount(const mjModel* m, int i) {
  return 17L * m->flex_edgenum[i];
}

static int elasticity(const mjModel* m, int i) {
  const int stiff = anyNonzero(m->flex_stiffness + 21L * m->flex_elemadr[i], stiffnessCount(m, i));
  const int bent = anyNonzero(m->flex_bending + 17L * m->flex_edgeadr[i], bendingCount(m, i));
  // a flap knows the vertices beside its edge only where bending was asked for
  const int flaps = m->flex_dim[i] == 2 && m->flex_edgeflap[2 * m->flex_edgeadr[i]] >= 0;
  const int surface = m->flex_dim[i] == 2 ? (flaps ? BENDS : 0) | (stiff ? STRETCHES : 0) : 0;
  return surface | (stiff || bent ? ELASTIC : 0);
}

// x and y of least squares |value - x a - y b|
static void fitTwo(const mjtNum* value, const mjtNum* a, const mjtNum* b, long n, double* x, double* y) {
  double aa = 0, ab = 0, bb = 0, av = 0, bv = 0;
  for (long i = 0; i < n; i++) {
    aa += a[i] * a[i];
    ab += a[i] * b[i];
    bb += b[i] * b[i];
    av += a[i] * value[i];
    bv += b[i] * value[i];
  }
  const double determinant = aa * bb - ab * ab;
  const int independent = determinant > 1e-12 * aa * bb;
  *y = independent ? (aa * bv - ab * av) / determinant : 0;
  *x = aa > 0 ? (av - *y * ab) / aa : 0;
}

// the compiled model with the same moduli for every flex that is elastic
static mjModel* compileWith(Decompiler* c, double young, double poisson) {
  for (int i = 0; i < (int)c->m->nflex; i++) {
    if (!(elasticity(c->m, i) & ELASTIC)) continue;
    c->flex[i]->young = young;
    c->flex[i]->poisson = poisson;
    c->flex[i]->thickness = 1;
  }
  return mj_compile(c->spec, NULL);
}

// moduli of one flex from those of two compilations: mu = 1 with lambda = 0, and both 1
static void setModuli(Decompiler* c, int i, const mjModel* first, const mjModel* second) {
  const mjModel* const m = c->m;
  mjsFlex* const flex = c->flex[i];
  const int kind = elasticity(m, i), surface = m->flex_dim[i] == 2 && !m->flex_interp[i];
  const long start = 21L * m->flex_elemadr[i], edge = 17L * m->flex_edgeadr[i];

  // the second has S + T: with x (S) and y (S + T), mu is x + y and lambda is y
  double x = 0, y = 0, bend = 0, none = 0;
  fitTwo(m->flex_stiffness + start, first->flex_stiffness + start, second->flex_stiffness + start, stiffnessCount(m, i),
         &x, &y);
  fitTwo(m->flex_bending + edge, first->flex_bending + edge, first->flex_bending + edge, bendingCount(m, i), &bend,
         &none);
  double mu = x + y;
  const double lambda = fmax(y, 0);
  const double poisson = mu > 0 ? lambda / (2 * (lambda + mu)) : 0;
  double thickness = m->flex_radius[i] > 0 ? 2 * m->flex_radius[i] : 1;
  if (surface && kind & STRETCHES && bend > 0) thickness = sqrt(bend / mu);
  if (surface) mu = kind & STRETCHES ? mu / thickness : bend / (thickness * thickness * thickness);
  flex->young = 2 * mu * (1 + poisson);
  flex->poisson = poisson;
  flex->thickness = surface ? thickness : -1;
}

int dec_findModuli(Decompiler* c) {
  int any = 0;
  for (int i = 0; i < (int)c->m->nflex; i++) {
    const int kind = elasticity(c->m, i);
    c->flex[i]->elastic2d = kind & (BENDS | STRETCHES);
    any |= kind & ELASTIC;
  }
  if (!any) return 1;
  mjModel* const first = compileWith(c, 2, 0);
  mjModel* const second = first ? compileWith(c, 2.5, 0.25) : NULL;
  for (int i = 0; i < (int)c->m->nflex && second; i++) {
    if (elasticity(c->m, i) & ELASTIC) setModuli(c, i, first, second);
  }
  const int good = second != NULL;
  mj_deleteModel(first);
  mj_deleteModel(second);
  return good;
}
