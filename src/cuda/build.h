// Makes a CudModel from an mjModel, in the precision of the file that includes this.
#include <mujoco/mujoco.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "collision/contact.h"
#include "cuda/check.h"
#include "cuda/model.h"
#include "kinematics/jacobian.h"

#include "cuda/flex_build.h"

//---------------------------------- sizes ----------------------------------

// entries of M; a dof with an inertia of its own has none with its ancestors
static int countEntries(const mjModel* m) {
  int n = 0;
  for (int i = 0; i < m->nv; i++) n += m->M_rownnz[i];
  return n;
}

// 1: a dof moves a body
static int movesBody(const mjModel* m, int body, int dof) {
  while (body && !m->body_dofnum[body]) body = m->body_parentid[body];
  int i = body ? m->body_dofadr[body] + m->body_dofnum[body] - 1 : -1;
  while (i > dof) i = m->dof_parentid[i];
  return i == dof;
}

// dofs that move one of two bodies alone: those that move both change no distance between them
static int dofsBetween(const mjModel* m, int body1, int body2, int* dof) {
  int n = 0;
  for (int i = 0; i < m->nv; i++) {
    if (movesBody(m, body1, i) == movesBody(m, body2, i)) continue;
    if (dof) dof[n] = i;
    n++;
  }
  return n;
}

// body of a site or geom of a path, -1: a pulley
static int wrapBody(const mjModel* m, int w) {
  if (m->wrap_type[w] == mjWRAP_PULLEY) return -1;
  return m->wrap_type[w] == mjWRAP_SITE ? m->site_bodyid[m->wrap_objid[w]] : m->geom_bodyid[m->wrap_objid[w]];
}

// 1: the dof changes the length of a tendon
static int movesTendon(const mjModel* m, int t, int dof) {
  const int first = m->tendon_adr[t], end = first + m->tendon_num[t];
  int some = 0, all = 1;
  for (int w = first; w < end; w++) {
    if (m->wrap_type[w] == mjWRAP_JOINT) {
      if (m->jnt_dofadr[m->wrap_objid[w]] == dof) return 1;
      all = 0;
      continue;
    }
    const int body = wrapBody(m, w), moves = body >= 0 && movesBody(m, body, dof);
    some |= moves;
    all &= moves || body < 0;
  }
  return some && !all;
}

// dofs of a tendon, with the coefficients of a fixed one where asked for
static int tendonDofs(const mjModel* m, int t, int* dof, Real* coef) {
  int n = 0;
  for (int i = 0; i < m->nv; i++) {
    if (!movesTendon(m, t, i)) continue;
    if (dof) {
      dof[n] = i;
      coef[n] = 0;
      for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; w++) {
        if (m->wrap_type[w] != mjWRAP_JOINT || m->jnt_dofadr[m->wrap_objid[w]] != i) continue;

        // a joint that is named twice counts once in a dense row
        coef[n] = (Real)(kin_isSparse(m) ? (mjtNum)coef[n] + m->wrap_prm[w] : m->wrap_prm[w]);
      }
    }
    n++;
  }
  return n;
}

// dofs of the moment of an actuator, with their coefficients, where asked for; those of a tendon follow from it
static int momentOf(const mjModel* m, int u, int* dof, Real* coef) {
  const int type = m->actuator_trntype[u], id = m->actuator_trnid[2 * u], second = m->actuator_trnid[2 * u + 1];
  const mjtNum* gear = m->actuator_gear + 6 * u;
  int n;
  switch (type) {
    case mjTRN_TENDON:
      n = tendonDofs(m, id, dof, coef);
      for (int k = 0; dof && k < n; k++) coef[k] *= (Real)gear[0];
      return n;
    case mjTRN_SITE:
      return dofsBetween(m, m->site_bodyid[id], second < 0 ? 0 : m->site_bodyid[second], dof);
    case mjTRN_SLIDERCRANK:
      return dofsBetween(m, m->site_bodyid[id], m->site_bodyid[second], dof);
    case mjTRN_BODY:
      for (int i = 0; dof && i < m->nv; i++) dof[i] = i;
      return (int)m->nv;
    default:
      break;
  }
  static const int DOFNUM[4] = {6, 3, 1, 1};
  n = DOFNUM[m->jnt_type[id]];
  for (int k = 0; dof && k < n; k++) {
    dof[k] = m->jnt_dofadr[id] + k;
    coef[k] = (Real)gear[k];
  }
  return n;
}

// 1: the moment of an actuator changes
static int hasMovingMoment(const mjModel* m, int u) {
  const int type = m->actuator_trntype[u], id = m->actuator_trnid[2 * u];
  if (type == mjTRN_TENDON) return m->wrap_type[m->tendon_adr[id]] != mjWRAP_JOINT;
  if (type == mjTRN_JOINTINPARENT) return m->jnt_type[id] < mjJNT_SLIDE;
  return type != mjTRN_JOINT;
}

static void sizes(CudModel* c, const mjModel* m, const CudPairs* pairs) {
#define X(name) c->name = (int)m->name;
  CUD_SIZES(X)
#undef X
  c->nlevel = 0;
  for (int b = 1; b < m->nbody; b++) {
    int depth = 0;
    for (int p = b; p; p = m->body_parentid[p]) depth++;
    if (depth > c->nlevel) c->nlevel = depth;
  }
  c->nentry = countEntries(m);
  c->nallpair = c->nparam = pairs->n;
  c->npair = 0;
  while (c->npair < pairs->n && pairs->pair[c->npair].shape < CUD_FLEX) c->npair++;
  c->nword = (c->nv + 31) / 32;
  c->ntenj = c->nmoment = 0;
  for (int t = 0; t < m->ntendon; t++) c->ntenj += tendonDofs(m, t, NULL, NULL);
  for (int u = 0; u < m->nu; u++) c->nmoment += momentOf(m, u, NULL, NULL);
  c->nlevel1 = c->nlevel + 1;
  c->nu1 = c->nu + 1;
  c->nv1 = c->nv + 1;
  c->ntendon1 = c->ntendon + 1;
  flexSizes(c, m);
  c->nrownum = c->far ? CUD_FAR_ROW : CUD_ROW;
  c->nrk = m->opt.integrator == mjINT_RK4;
  c->ncg = m->opt.solver == mjSOL_CG;

  // rows of a Jacobian begin in different banks of shared memory
  c->nvs = (c->nv + 3) / 4 * 4;
  if (c->nvs % 8 == 0) c->nvs += 4;
  c->nrowvec = m->opt.solver == mjSOL_PGS ? 2 * c->nvs : c->nvs;
}

//---------------------------------- arrays ----------------------------------

// every array gets its place in the block; with base 0 only the bytes are counted
static size_t place(CudModel* c, char* base) {
  size_t at = 0;
#define X(name, rows, cols)                                          \
  c->name = (void*)(base + at);                                      \
  at += sizeof(*c->name) * (size_t)c->rows * (size_t)CUD_COLS(cols); \
  at = (at + 15) / 16 * 16;
#define CUD_COLS(cols) (cols)
#define nword          c->nword
  CUD_DOUBLES(X)
  CUD_REALS(X)
  CUD_RARE_REALS(X)
  CUD_DERIVED_REALS(X)
  CUD_FLEX_REALS(X)
  CUD_FLOATS(X)
  CUD_INTS(X)
  CUD_RARE_INTS(X)
  CUD_DERIVED_INTS(X)
  CUD_RARE_DERIVED_INTS(X)
  CUD_FLEX_INTS(X)
  CUD_FLEX_DERIVED_INTS(X)
#undef nword
#undef X
  return at;
}

// what mjModel has
static void copyArrays(CudModel* c, const mjModel* m) {
#define X(name, rows, cols) \
  for (int i = 0; i < c->rows * (cols); i++) ((Real*)c->name)[i] = (Real)m->name[i];
  CUD_REALS(X)
  CUD_RARE_REALS(X)
  CUD_FLEX_REALS(X)
#undef X
#define X(name, rows, cols) \
  for (int i = 0; i < c->rows * (cols); i++) ((int*)c->name)[i] = (int)m->name[i];
  CUD_INTS(X)
  CUD_RARE_INTS(X)
  CUD_FLEX_INTS(X)
#undef X
#define X(name, rows, cols) memcpy((void*)c->name, m->name, sizeof(*c->name) * (size_t)c->rows * (cols));
  CUD_DOUBLES(X)
  CUD_FLOATS(X)
#undef X
}

static void levels(CudModel* c, const mjModel* m) {
  int *adr = (int*)c->level_adr, *body = (int*)c->level_body, n = 0;
  for (int level = 0; level < c->nlevel; level++) {
    adr[level] = n;
    for (int b = 1; b < m->nbody; b++) {
      int depth = 0;
      for (int p = m->body_parentid[b]; p; p = m->body_parentid[p]) depth++;
      if (depth == level) body[n++] = b;
    }
  }
  adr[c->nlevel] = n;
}

// which dofs move what, and with which velocity axes turn
static void chains(CudModel* c, const mjModel* m) {
  for (int b = 0; b < m->nbody; b++) {
    int p = b;
    while (p && !m->body_dofnum[p]) p = m->body_parentid[p];
    const int last = p ? m->body_dofadr[p] + m->body_dofnum[p] - 1 : -1;
    ((int*)c->body_lastdof)[b] = last;
    unsigned* const bits = (unsigned*)c->body_dofs + (size_t)b * (size_t)c->nword;
    memset(bits, 0, sizeof(*bits) * (size_t)c->nword);
    for (int i = last; i >= 0; i = m->dof_parentid[i]) bits[i >> 5] |= 1u << (i & 31);
  }
  int n = 0;
  for (int i = 0; i < m->nv; i++) {
    const int j = m->dof_jntid[i], adr = m->jnt_dofadr[j], free = m->jnt_type[j] == mjJNT_FREE;
    const int tree = m->dof_treeid[i];
    ((int*)c->dof_rootid)[i] = m->body_rootid[m->dof_bodyid[i]];
    ((int*)c->dof_first)[i] = m->tree_dofadr[tree];
    ((int*)c->dof_end)[i] = m->tree_dofadr[tree] + m->tree_dofnum[tree];
    ((int*)c->dof_before)[i] = !free ? m->dof_parentid[adr] : i < adr + 3 ? -2 : adr + 2;
    for (int k = 0; k < m->M_rownnz[i]; k++) {
      ((int*)c->entry_row)[n] = i;
      ((int*)c->entry_col)[n++] = m->M_colind[m->M_rowadr[i] + k];
    }
  }
}

// dofs of tendons
static void tendons(CudModel* c, const mjModel* m) {
  int n = 0;
  for (int t = 0; t < m->ntendon; t++) {
    ((int*)c->tenj_adr)[t] = n;
    n += tendonDofs(m, t, (int*)c->tenj_dof + n, (Real*)c->tenj_coef + n);
  }
  ((int*)c->tenj_adr)[m->ntendon] = n;
}

// moments by actuator and by dof
static void moments(CudModel* c, const mjModel* m) {
  int *adr = (int*)c->mom_adr, *dof = (int*)c->mom_dof, *dofadr = (int*)c->dofmom_adr, n = 0;
  Real* coef = (Real*)c->mom_coef;
  for (int u = 0; u < m->nu; u++) {
    adr[u] = n;
    n += momentOf(m, u, dof + n, coef + n);
    const int group = m->actuator_group[u];
    ((int*)c->actuator_off)[u] = group >= 0 && group < 31 && (m->opt.disableactuator >> group & 1);
  }
  adr[m->nu] = n;
  int k = 0;
  for (int i = 0; i < m->nv; i++) {
    dofadr[i] = k;
    for (int u = 0; u < m->nu; u++) {
      for (int e = adr[u]; e < adr[u + 1]; e++) {
        if (dof[e] != i) continue;
        ((int*)c->dofmom_act)[k] = u;
        ((int*)c->dofmom_at)[k] = e;
        ((Real*)c->dofmom_coef)[k++] = coef[e];
      }
    }
  }
  dofadr[m->nv] = k;
}

static void reals(const Real* to, const mjtNum* from, int n) {
  for (int i = 0; i < n; i++) ((Real*)to)[i] = (Real)from[i];
}

// parameters of a pair of geoms, or of a geom and a flex
static ColParam paramOf(const mjModel* m, const CudPair* p, mjtNum* margin) {
  ColParam param;
  memset(&param, 0, sizeof(param));
  if (p->shape >= CUD_FLEX_FLEX) {
    const int self = p->shape == CUD_FLEX_SELF;
    *margin = self ? 0 : col_margin(m, m->flex_margin[p->geom[0]] + m->flex_margin[p->geom[1]]);
    col_mixParam(m, &param, (ColSide){-1, p->geom[0]}, (ColSide){-1, p->geom[1]}, *margin);
    if (self) param.includemargin = 0;
    return param;
  }
  if (p->shape >= CUD_FLEX) {
    *margin = col_margin(m, m->geom_margin[p->geom[0]] + m->flex_margin[p->geom[1]]);
    col_mixParam(m, &param, (ColSide){p->geom[0], -1}, (ColSide){-1, p->geom[1]}, *margin);
    return param;
  }
  *margin = col_geomMargin(m, p->geom[0], p->geom[1], p->listed);
  if (p->listed >= 0) {
    col_pairParam(m, &param, p->listed, *margin);
  } else {
    col_mixParam(m, &param, (ColSide){p->geom[0], -1}, (ColSide){p->geom[1], -1}, *margin);
  }
  return param;
}

// number n of the parameters, unless an earlier one is the same; returns its number
static int addParam(CudModel* c, int n, const ColParam* param, mjtNum margin) {
  ((int*)c->param_dim)[n] = param->dim;
  reals(c->param_margin + n, &margin, 1);
  reals(c->param_include + n, &param->includemargin, 1);
  reals(c->param_friction + 5 * n, param->friction, 5);
  reals(c->param_solref + 2 * n, param->solref, 2);
  reals(c->param_solreffriction + 2 * n, param->solreffriction, 2);
  reals(c->param_solimp + 5 * n, param->solimp, 5);
  for (int i = 0; i < n; i++) {
#define SAME(name, k) !memcmp(c->name + (k)*i, c->name + (k)*n, sizeof(*c->name) * (k))
    if (SAME(param_dim, 1) && SAME(param_margin, 1) && SAME(param_include, 1) && SAME(param_friction, 5) &&
        SAME(param_solref, 2) && SAME(param_solreffriction, 2) && SAME(param_solimp, 5)) {
      return i;
    }
#undef SAME
  }
  return n;
}

static void pairArrays(CudModel* c, const mjModel* m, const CudPairs* pairs) {
  int n = 0;
  for (int i = 0; i < pairs->n; i++) {
    const CudPair* p = pairs->pair + i;
    mjtNum margin;
    const ColParam param = paramOf(m, p, &margin);
    const int id = addParam(c, n, &param, margin);
    if (id == n) n++;
    memcpy((int*)c->pair_geom + 2 * i, p->geom, sizeof(p->geom));
    ((int*)c->pair_shape)[i] = p->shape;
    ((int*)c->pair_param)[i] = id;
    ((int*)c->pair_rank)[i] = p->rank;
    if (p->shape < CUD_SOLID) c->nplain = i + 1;
    if (p->shape < CUD_CONVEX) c->nclosed = i + 1;
    if (p->shape < CUD_FIELD) c->nsolid = i + 1;
  }
}

// 1: only the kernels with everything have what the model uses
static int usesRare(const CudModel* c, const mjModel* m) {
  int rare = c->spatial || c->moving || c->adheres || c->armed || c->pulllimits || c->medium || c->derives || c->ncg ||
             c->solver == mjSOL_PGS;
  for (int i = 0; i < m->nu; i++) {
    rare |= m->actuator_gaintype[i] == mjGAIN_MUSCLE || m->actuator_biastype[i] == mjBIAS_MUSCLE ||
            m->actuator_dyntype[i] == mjDYN_MUSCLE;
  }
  return rare;
}

// bytes of a polytope of EPA with so many vertices and faces, as cu_polytope lays it out
static int polytopeBytes(int nvert, int nface) {
  return nvert * CUD_VERTEX + nface * (CUD_FACE + CUD_LISTS) + 24;
}

// memory of convex queries: one at a time in the workspace, and a larger polytope in the pool
static void querySizes(CudModel* c) {
  enum { LANES = 32, EACH = 4, LEAST = 70 };
  if (c->nplain == c->npair && !c->nflex) return;
  c->nnear = 2 * LANES;
  c->nroom = (CUD_QUERY + CUD_CLOSING) / (int)sizeof(Real);
  c->maxface = EACH * (c->ccd_iterations > LEAST ? c->ccd_iterations : LEAST);
  c->scratch = (polytopeBytes(c->ccd_iterations + 5, c->maxface) + 15) / 16 * 16;
}

// what few models use
static void rareOptions(CudModel* c, const mjModel* m) {
  const mjOption* o = &m->opt;
  for (int t = 0; t < m->ntendon; t++) {
    c->spatial |= m->wrap_type[m->tendon_adr[t]] != mjWRAP_JOINT;
    c->armed |= m->tendon_armature[t] != 0;
  }
  for (int u = 0; u < m->nu; u++) {
    c->moving |= hasMovingMoment(m, u);
    c->adheres |= m->actuator_trntype[u] == mjTRN_BODY;
    if (m->actuator_trntype[u] == mjTRN_TENDON) c->pulllimits |= m->tendon_actfrclimited[m->actuator_trnid[2 * u]];
  }
  c->density = (Real)o->density;
  c->viscosity = (Real)o->viscosity;
  reals(c->wind, o->wind, 3);
  c->medium = (o->density > 0 || o->viscosity > 0) && (~o->disableflags & (mjDSBL_SPRING | mjDSBL_DAMPER)) != 0;
  c->derives = o->integrator == mjINT_IMPLICIT || (o->integrator == mjINT_IMPLICITFAST && c->medium);
}

static void options(CudModel* c, const mjModel* m) {
  const mjOption* o = &m->opt;
  c->timestep = (Real)o->timestep;
  reals(c->gravity, o->gravity, 3);
  c->impratio = (Real)o->impratio;
  c->tolerance = (Real)o->tolerance;
  c->ls_tolerance = (Real)o->ls_tolerance;
  c->meaninertia = (Real)m->stat.meaninertia;
  c->integrator = o->integrator;
  c->solver = o->solver;
  c->cone = o->cone;
  c->iterations = o->iterations;
  c->ls_iterations = o->ls_iterations;
  c->ccd_iterations = o->ccd_iterations;
  c->ccd_tolerance = o->ccd_tolerance;
  c->disableflags = o->disableflags;

  // single precision cannot tell smaller improvements from rounding
  if (!CU_DOUBLE && c->tolerance < R_(1e-6)) c->tolerance = R_(1e-6);
  c->damped = c->gravcomp = c->springy = c->balls = 0;
  if (!(o->disableflags & (mjDSBL_EULERDAMP | mjDSBL_DAMPER))) {
    for (int i = 0; i < m->nv; i++) c->damped |= m->dof_damping[i] > 0;
  }
  for (int t = 0; t < m->ntendon; t++) c->springy |= m->tendon_stiffness[t] != 0 || m->tendon_damping[t] != 0;
  for (int j = 0; j < m->njnt; j++) c->balls |= m->jnt_limited[j] && m->jnt_type[j] == mjJNT_BALL;
  if (m->ngravcomp && !(o->disableflags & mjDSBL_GRAVITY)) {
    c->gravcomp = o->gravity[0] != 0 || o->gravity[1] != 0 || o->gravity[2] != 0;
  }
  rareOptions(c, m);
}

//---------------------------------- workspace ----------------------------------

// one result of the workspace while places are sought
typedef struct {
  int *place, count, first, last;
} Item;

enum { MAXITEM = 160, ALIGN = 4 };

static int overlap(const Item* a, const Item* b) {
  const int apart = a->last < b->first || b->last < a->first;
  return !apart && *a->place < *b->place + b->count && *b->place < *a->place + a->count;
}

// largest first, each at the lowest place where it meets nothing that is needed at the same time; returns the end
static int assignPlaces(Item* item, int n) {
  int end = 0;
  for (int i = 0; i < n; i++) {
    int best = i;
    for (int k = i + 1; k < n; k++) {
      if (item[k].count > item[best].count) best = k;
    }
    const Item now = item[best];
    item[best] = item[i];
    item[i] = now;
    *now.place = 0;
    for (int k = 0; k < i; k++) {
      if (!overlap(&now, item + k)) continue;
      *now.place = *item[k].place + item[k].count;
      k = -1;
    }
    if (*now.place + now.count > end) end = *now.place + now.count;
  }
  return end;
}

// a result is needed from an earlier stage on, or until a later one
static void live(Item* item, int n, const int* place, int first, int last) {
  for (int i = 0; i < n; i++) {
    if (item[i].place != place) continue;
    if (first < item[i].first) item[i].first = first;
    if (last > item[i].last) item[i].last = last;
  }
}

// what some models need for longer than others
static void rareLives(const CudModel* c, Item* item, int n) {
  const CudPlaces* at = &c->at;

  // contacts come before forces
  const int* const early[] = {&at->geom_xpos, &at->geom_xmat, &at->contact, &at->near, &at->solid};
  for (int i = 0; c->adheres && i < 5; i++) live(item, n, early[i], CUD_FORCE, CUD_COLLIDE);

  // forces of a medium and derivatives follow velocities
  if (c->medium) live(item, n, &at->ximat, CUD_COM, CUD_VEL);
  if (c->derives) live(item, n, &at->crb, CUD_CRB, CUD_VEL);

  // the integrator takes dampers and actuators implicitly
  const int* const kept[] = {&at->ten_J, &at->moment};
  const int implicit = c->integrator == mjINT_IMPLICIT || c->integrator == mjINT_IMPLICITFAST;
  for (int i = 0; implicit && i < 2; i++) live(item, n, kept[i], CUD_FORCE, CUD_ADVANCE);

  // and dampers and stiffness of flexes
  const int* const moved[] = {&at->vert, &at->node, &at->com, &at->cdof};
  for (int i = 0; implicit && c->nflex && i < 4; i++) live(item, n, moved[i], CUD_COM, CUD_ADVANCE);
}

// total numbers for given maxcon and maxrow
static int workspace(CudModel* c) {
  Item item[MAXITEM];
  int n = 0;
  const int nq = c->nq, nv = c->nv, na = c->na, nu = c->nu, nbody = c->nbody, njnt = c->njnt, ngeom = c->ngeom;
  const int ntendon = c->ntendon, nvs = c->nvs, nrk = c->nrk, maxcon = c->maxcon, maxrow = c->maxrow, nnear = c->nnear,
            ncg = c->ncg;
  const int nroom = c->nroom, nrownum = c->nrownum, nrowvec = c->nrowvec, far = c->far;
  const int spatial = c->spatial ? c->ntenj : 0, moving = c->moving ? c->nmoment : 0;
  const int nflex = c->nflex, nflexvert = c->nflexvert, nflexnode = c->nflexnode, nflexedge = c->nflexedge;
  const int nflexelem = c->nflexelem, nflexelemedge = c->nflexelemedge, nflexbody = c->nflexbody;
  const int nblock = c->nblock, nblockstiff = c->nblockstiff;
  const int armed = c->armed, pull = c->pulllimits, medium = c->medium, derives = c->derives;
#define X(name, count, first, last) item[n++] = (Item){&c->at.name, ((count) + ALIGN - 1) / ALIGN * ALIGN, first, last};
  CUD_WORK(X)
  CUD_RARE_WORK(X)
  CUD_FLEX_WORK(X)
#undef X
  rareLives(c, item, n);
  return c->at.total = assignPlaces(item, n);
}

// a polytope of EPA that grows as often as memory allows which other stages need anyway
static void fillRoom(CudModel* c, int total) {
  if (!c->nroom) return;
  const int query = CUD_QUERY / (int)sizeof(Real);
  for (int n = 1; n <= c->ccd_iterations; n++) {
    const int before = c->nroom, faces = 2 * n + 8;
    c->nroom = query + (polytopeBytes(n + 5, faces) + (int)sizeof(Real) - 1) / (int)sizeof(Real);
    if (workspace(c) > total) {
      c->nroom = before;
      break;
    }
    c->fewgrow = n;
    c->fewface = faces;
  }
  workspace(c);
}

// As many contacts and rows as a workspace of about this many bytes holds; the rest goes to the pool. A workspace in
// the memory of the device has room for what large models come to: two for each dof, and what few dofs can have.
static void capacities(CudModel* c, const mjModel* m, const CudPairs* pairs, int bytes) {
  const CudBounds most = cud_bounds(m, pairs);
  const int room = c->far ? 0x7fffffff : bytes / (int)sizeof(Real), least = most.row < 8 ? most.row : 8;
  const int large = 2 * c->nv + 1024 + c->neqrow;
  c->maxcon = c->far ? large : c->nv > 16 ? 16 : 8;
  if (c->maxcon > most.con) c->maxcon = most.con;
  c->maxrow = c->far && most.row > large ? large : most.row;
  while (workspace(c) > room && c->maxrow > least) c->maxrow -= 4;
  if (c->maxrow < least) c->maxrow = least;
  fillRoom(c, workspace(c));
  c->morecon = most.con - c->maxcon < CUD_MORECON ? most.con - c->maxcon : CUD_MORECON;
  c->morerow = most.row - c->maxrow < CUD_MOREROW ? most.row - c->maxrow : CUD_MOREROW;
}

//---------------------------------- make ----------------------------------

// The model without its block's address: arrays are placed from 0 on, and the caller moves them to where the block
// goes. bytes: how large its workspace should be, 0: it lies in the memory of the device.
static char* makeModel(CudModel* c, const mjModel* m, int bytes, size_t* size) {
  memset(c, 0, sizeof(*c));
  c->far = !bytes;
  CudPairs pairs = cud_pairs(m);
  sizes(c, m, &pairs);
  *size = place(c, NULL);
  char* const block = calloc(1, *size ? *size : 1);
  if (block) {
    place(c, block);
    copyArrays(c, m);
    levels(c, m);
    chains(c, m);
    tendons(c, m);
    moments(c, m);
    pairArrays(c, m, &pairs);
    flexArrays(c, m);
    options(c, m);
    c->rare = usesRare(c, m);
    querySizes(c);
    capacities(c, m, &pairs, bytes);
  }
  mju_free(pairs.pair);
  return block;
}
