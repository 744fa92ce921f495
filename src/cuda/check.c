// What of a model the kernels can do: pairs of geoms, bounds of contacts and rows, and a list of what is missing.
#include "cuda/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cuda/shape.h"
#include "sleep/sleep.h"

//---------------------------------- pairs ----------------------------------

// kinds of pairs in the order of CudShape, with the contacts that each can have
static const struct {
  int type1, type2, most;
} SHAPE[] = {
    {mjGEOM_PLANE,   mjGEOM_SPHERE,    1},
    {mjGEOM_PLANE,   mjGEOM_CAPSULE,   2},
    {mjGEOM_PLANE,   mjGEOM_ELLIPSOID, 1},
    {mjGEOM_PLANE,   mjGEOM_CYLINDER,  4},
    {mjGEOM_PLANE,   mjGEOM_BOX,       4},
    {mjGEOM_SPHERE,  mjGEOM_SPHERE,    1},
    {mjGEOM_SPHERE,  mjGEOM_CAPSULE,   1},
    {mjGEOM_SPHERE,  mjGEOM_CYLINDER,  1},
    {mjGEOM_SPHERE,  mjGEOM_BOX,       1},
    {mjGEOM_CAPSULE, mjGEOM_CAPSULE,   2},
    {mjGEOM_PLANE,   mjGEOM_MESH,      3},
    {mjGEOM_CAPSULE, mjGEOM_BOX,       2},
    {mjGEOM_BOX,     mjGEOM_BOX,       8},
};
enum { NSHAPE = sizeof(SHAPE) / sizeof(SHAPE[0]) };

// contacts of a pair of this kind, at most
static int mostOf(int shape) {
  return shape < 0 ? 0 : shape < NSHAPE ? SHAPE[shape].most : shape == CUD_FIELD ? mjMAXCONPAIR : 1;
}

// -1: the kernels have nothing for it. An ellipsoid that was fitted to a mesh can touch a plane in more points.
static int shapeOf(const mjModel* m, const int geom[2]) {
  const int type1 = m->geom_type[geom[0]], type2 = m->geom_type[geom[1]];
  if (type1 == mjGEOM_PLANE && type2 == mjGEOM_ELLIPSOID && m->geom_dataid[geom[1]] >= 0) return CUD_PLANE_MESH;
  for (int i = 0; i < NSHAPE; i++) {
    if (SHAPE[i].type1 == type1 && SHAPE[i].type2 == type2) return i;
  }
  if (type1 < mjGEOM_HFIELD || type2 > mjGEOM_MESH) return -1;
  return type1 == mjGEOM_HFIELD ? CUD_FIELD : CUD_CONVEX;
}

// the same for a geom and a flex
static int flexShapeOf(const mjModel* m, int g, int f) {
  const int type = m->geom_type[g], dim = m->flex_dim[f];
  if (type == mjGEOM_PLANE) return CUD_FLEX_PLANE;
  if (type == mjGEOM_HFIELD || type > mjGEOM_MESH) return -1;
  if (dim == 3 || (type != mjGEOM_SPHERE && type != mjGEOM_CAPSULE && type != mjGEOM_BOX)) return CUD_FLEX_CONVEX;
  return dim == 1 ? CUD_FLEX_EDGE : CUD_FLEX_TRIANGLE;
}

// contacts of a pair, at most; elements of flexes meet many others only where they are entangled
static int mostContacts(const mjModel* m, const CudPair* p) {
  const int g = p->geom[0], f = p->geom[1], type = p->shape < CUD_FLEX_FLEX ? m->geom_type[g] : 0;
  switch (p->shape) {
    case CUD_FLEX_PLANE:
      return m->flex_vertnum[f];
    case CUD_FLEX_EDGE:
      return m->flex_elemnum[f] * (type == mjGEOM_SPHERE ? 1 : 2);
    case CUD_FLEX_TRIANGLE:
      return m->flex_elemnum[f] * (type == mjGEOM_SPHERE ? 1 : type == mjGEOM_CAPSULE ? 5 : 11);
    case CUD_FLEX_CONVEX:
      return m->flex_elemnum[f];
    case CUD_FLEX_FLEX:
    case CUD_FLEX_SELF:
      return 4 * (m->flex_elemnum[g] + m->flex_elemnum[f]);
    default:
      return mostOf(p->shape);
  }
}

// 1: the bodies are one rigid thing, or neighbours
static int related(const mjModel* m, int b1, int b2) {
  const int w1 = m->body_weldid[b1], w2 = m->body_weldid[b2];
  if (w1 == w2) return 1;
  if (!w1 || !w2 || (m->opt.disableflags & mjDSBL_FILTERPARENT)) return 0;
  return m->body_weldid[m->body_parentid[w1]] == w2 || m->body_weldid[m->body_parentid[w2]] == w1;
}

static int excluded(const mjModel* m, int b1, int b2) {
  const int signature = b1 < b2 ? (b1 << 16) + b2 : (b2 << 16) + b1;
  for (int i = 0; i < m->nexclude; i++) {
    if (m->exclude_signature[i] == signature) return 1;
  }
  return 0;
}

static int isListed(const mjModel* m, int g1, int g2) {
  for (int i = 0; i < m->npair; i++) {
    const int a = m->pair_geom1[i], b = m->pair_geom2[i];
    if ((a == g1 && b == g2) || (a == g2 && b == g1)) return 1;
  }
  return 0;
}

// two planes, or a plane and a height field, never touch
static int canTouch(const mjModel* m, int g1, int g2) {
  return (m->geom_type[g1] != mjGEOM_PLANE && m->geom_type[g1] != mjGEOM_HFIELD) ||
         (m->geom_type[g2] != mjGEOM_PLANE && m->geom_type[g2] != mjGEOM_HFIELD);
}

static int mayCollide(const mjModel* m, int g1, int g2) {
  const int match = (m->geom_contype[g1] & m->geom_conaffinity[g2]) || (m->geom_contype[g2] & m->geom_conaffinity[g1]);
  const int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2];
  return match && canTouch(m, g1, g2) && !related(m, b1, b2) && !excluded(m, b1, b2) && !isListed(m, g1, g2);
}

// What decides about the place of a pair in collision/driver.c: geoms of two bodies with hierarchies are sorted by what
// they are called with, else they come as the bodies have them.
static void setOrder(CudPair* p, const mjModel* m, int g1, int g2) {
  const int a = m->geom_bodyid[g1], b = m->geom_bodyid[g2], swap = a > b, low = swap ? b : a, high = swap ? a : b;
  const int trees = !(m->opt.disableflags & mjDSBL_MIDPHASE) && m->body_bvhadr[low] >= 0 && m->body_bvhadr[high] >= 0;
  p->bodies = p->listed >= 0 ? (unsigned)m->pair_signature[p->listed] : (unsigned)low << 16 | (unsigned)high;
  p->order[0] = p->listed >= 0 ? p->listed : (int)m->npair;
  p->order[1] = trees ? p->geom[0] : swap ? g2 : g1;
  p->order[2] = trees ? p->geom[1] : swap ? g1 : g2;
}

static void addPair(CudPairs* pairs, const mjModel* m, int g1, int g2, int listed) {
  const int swap = m->geom_type[g1] > m->geom_type[g2];
  CudPair* p = pairs->pair + pairs->n++;
  *p = (CudPair){
      .geom = {swap ? g2 : g1, swap ? g1 : g2},
        .listed = listed
  };
  p->shape = shapeOf(m, p->geom);
  setOrder(p, m, g1, g2);
}

// 1: the driver on the CPU would try a geom with a flex. Where both have hierarchies, planes come as their body does.
static int mayMeet(const mjModel* m, int g, int f) {
  const int b = m->geom_bodyid[g], type = m->flex_contype[f], affinity = m->flex_conaffinity[f];
  const int trees = !(m->opt.disableflags & mjDSBL_MIDPHASE) && m->body_bvhadr[b] >= 0 && m->flex_bvhadr[f] >= 0;
  const int body = (m->body_contype[b] & affinity) || (type & m->body_conaffinity[b]);
  const int geom = (m->geom_contype[g] & affinity) || (type & m->geom_conaffinity[g]);
  return body && (geom || (trees && m->geom_type[g] == mjGEOM_PLANE && !m->body_weldid[b]));
}

// a geom and a flex, which counts as a body behind the others
static void addFlexPair(CudPairs* pairs, const mjModel* m, int g, int f) {
  CudPair* p = pairs->pair + pairs->n++;
  *p = (CudPair){
      .geom = {g, f},
        .listed = -1, .shape = flexShapeOf(m, g, f)
  };
  if (p->shape < 0) p->shape = CUD_NSHAPE;
  p->bodies = (unsigned)m->geom_bodyid[g] << 16 | (unsigned)(m->nbody + f);
  p->order[0] = (int)m->npair;
  p->order[1] = g;
}

// 1: elements of a flex are compared with each other
static int meetsItself(const mjModel* m, int f) {
  const int match = m->flex_contype[f] & m->flex_conaffinity[f];
  return !m->flex_rigid[f] && match && m->flex_selfcollide[f] != mjFLEXSELF_NONE;
}

static int flexesMeet(const mjModel* m, int f1, int f2) {
  if (f1 == f2) return meetsItself(m, f1);
  return (m->flex_contype[f1] & m->flex_conaffinity[f2]) || (m->flex_contype[f2] & m->flex_conaffinity[f1]);
}

// two flexes, or a flex with itself, which comes last
static void addFlexes(CudPairs* pairs, const mjModel* m, int f1, int f2) {
  CudPair* p = pairs->pair + pairs->n++;
  *p = (CudPair){
      .geom = {f1, f2},
        .listed = -1, .shape = f1 == f2 ? CUD_FLEX_SELF : CUD_FLEX_FLEX
  };
  p->bodies = f1 == f2 ? 0xffffffffU : (unsigned)(m->nbody + f1) << 16 | (unsigned)(m->nbody + f2);
  p->order[0] = (int)m->npair;
  p->order[1] = f1;
}

static int byOrder(const void* a, const void* b) {
  const CudPair *p = a, *q = b;
  if (p->bodies != q->bodies) return p->bodies < q->bodies ? -1 : 1;
  for (int i = 0; i < 3; i++) {
    if (p->order[i] != q->order[i]) return p->order[i] < q->order[i] ? -1 : 1;
  }
  return 0;
}

static int byShape(const void* a, const void* b) {
  const CudPair *p = a, *q = b;
  if (p->shape != q->shape) return p->shape < q->shape ? -1 : 1;
  if (p->geom[0] != q->geom[0]) return p->geom[0] < q->geom[0] ? -1 : 1;
  if (p->geom[1] != q->geom[1]) return p->geom[1] < q->geom[1] ? -1 : 1;
  return (p->rank > q->rank) - (p->rank < q->rank);
}

CudPairs cud_pairs(const mjModel* m) {
  CudPairs pairs = {NULL, 0};
  if (m->opt.disableflags & (mjDSBL_CONSTRAINT | mjDSBL_CONTACT)) return pairs;
  size_t n = (size_t)m->npair + (size_t)(m->nflex * m->nflex);
  for (int i = 0; i < m->ngeom; i++) {
    for (int k = i + 1; k < m->ngeom; k++) n += mayCollide(m, i, k) != 0;
    for (int f = 0; f < m->nflex; f++) n += mayMeet(m, i, f) != 0;
  }
  pairs.pair = mju_malloc(sizeof(CudPair) * (n ? n : 1));
  if (!pairs.pair) mju_error("Could not allocate memory");
  for (int i = 0; i < m->npair; i++) addPair(&pairs, m, m->pair_geom1[i], m->pair_geom2[i], i);
  for (int i = 0; i < m->ngeom; i++) {
    for (int k = i + 1; k < m->ngeom; k++) {
      if (mayCollide(m, i, k)) addPair(&pairs, m, i, k, -1);
    }
    for (int f = 0; f < m->nflex; f++) {
      if (mayMeet(m, i, f)) addFlexPair(&pairs, m, i, f);
    }
  }
  for (int f = 0; f < m->nflex; f++) {
    for (int k = f; k < m->nflex; k++) {
      if (flexesMeet(m, f, k)) addFlexes(&pairs, m, f, k);
    }
  }
  qsort(pairs.pair, (size_t)pairs.n, sizeof(CudPair), byOrder);
  for (int i = 0; i < pairs.n; i++) pairs.pair[i].rank = i;
  qsort(pairs.pair, (size_t)pairs.n, sizeof(CudPair), byShape);
  return pairs;
}

CudBounds cud_bounds(const mjModel* m, const CudPairs* pairs) {
  CudBounds most = {0, 0};
  for (int i = 0; i < pairs->n; i++) {
    const CudPair* p = pairs->pair + i;
    const int con = mostContacts(m, p), flex = p->shape >= CUD_FLEX;
    const int d1 = p->shape >= CUD_FLEX_FLEX ? m->flex_condim[p->geom[0]] : m->geom_condim[p->geom[0]],
              d2 = flex ? m->flex_condim[p->geom[1]] : m->geom_condim[p->geom[1]];
    const int dim = p->listed >= 0 ? m->pair_dim[p->listed] : d1 > d2 ? d1 : d2;
    most.con += con;
    most.row += con * (dim == 1 ? 1 : m->opt.cone == mjCONE_ELLIPTIC ? dim : 2 * (dim - 1));
  }
  for (int i = 0; i < m->neq; i++) {
    const int type = m->eq_type[i], f = m->eq_obj1id[i];
    most.row += type == mjEQ_CONNECT    ? 3
                : type == mjEQ_WELD     ? 6
                : type == mjEQ_FLEX     ? m->flex_edgenum[f]
                : type == mjEQ_FLEXVERT ? 2 * m->flex_vertnum[f]
                                        : 1;
  }
  for (int i = 0; i < m->nv; i++) most.row += m->dof_frictionloss[i] != 0;
  for (int i = 0; i < m->njnt; i++) most.row += m->jnt_limited[i] ? 2 : 0;
  for (int i = 0; i < m->ntendon; i++) most.row += (m->tendon_limited[i] ? 2 : 0) + (m->tendon_frictionloss[i] > 0);
  return most;
}

//---------------------------------- what is missing ----------------------------------

// a growing list of names, each once
typedef struct {
  char* text;
  int size, n;
} Names;

static void name(Names* list, int missing, const char* what) {
  if (!missing || (list->n && strstr(list->text, what))) return;
  const int used = (int)strlen(list->text);
  snprintf(list->text + used, (size_t)(list->size - used), "%s%s", list->n++ ? ", " : "", what);
}

static void checkOptions(Names* list, const mjModel* m) {
  const mjOption* o = &m->opt;
  name(list, o->noslip_iterations > 0, "noslip iterations");
  for (int i = 0; i < (slp_enabled(m) ? m->ntree : 0); i++) {
    name(list, m->tree_sleep_policy[i] == mjSLEEP_INIT, "trees that are asleep from the start");
  }
  name(list, m->nplugin > 0, "plugins");
  name(list, m->nhistory > 0, "delays");
  static const char CHOICES[] = "physics of one's own (sinew: attributes)";
  for (int i = 0; i < m->ntext; i++) name(list, !strncmp(m->names + m->name_textadr[i], "sinew:", 6), CHOICES);

  // choices of contacts; user data of keyframes change no step
  for (int i = 0; i < m->nnumeric; i++) {
    const char* const entry = m->names + m->name_numericadr[i];
    name(list, !strncmp(entry, "sinew:", 6) && strncmp(entry, "sinew:userdata", 14) != 0, CHOICES);
  }
}

static void checkTendons(Names* list, const mjModel* m) {
  for (int t = 0; t < m->ntendon; t++) {
    for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; w++) {
      const int wraps = m->wrap_type[w] == mjWRAP_SPHERE || m->wrap_type[w] == mjWRAP_CYLINDER;
      name(list, wraps && m->tendon_armature[t] != 0, "armature of tendons around geoms");
    }
  }
}

// 1: two nodes of flexes are on one body that moves
static int nodesShare(const mjModel* m) {
  for (int i = 0; i < m->nflexnode; i++) {
    for (int k = 0; k < i; k++) {
      const int body = m->flex_nodebodyid[i];
      if (body == m->flex_nodebodyid[k] && m->body_dofnum[body]) return 1;
    }
  }
  return 0;
}

static void checkFlexes(Names* list, const mjModel* m) {
  const int fast = m->opt.integrator == mjINT_IMPLICITFAST;
  for (int f = 0; f < m->nflex; f++) {
    name(list, m->flex_interp[f] && m->opt.integrator == mjINT_IMPLICIT,
         "interpolated flexes with implicit integrator");
    name(list, m->flex_interp[f] && fast && nodesShare(m), "nodes of flexes that share a body");
    const int meets = (m->flex_contype[f] & m->flex_conaffinity[f]) && !m->flex_rigid[f];
    name(list, meets && m->flex_internal[f], "contacts inside flexes");
    name(list, meets && m->flex_selfcollide[f] && m->flex_dim[f] == 3, "contacts of solid flexes with themselves");
  }
  for (int i = 0; i < (m->nflex ? m->nu : 0); i++) {
    name(list, m->actuator_trntype[i] == mjTRN_BODY, "adhesion in models with flexes");
  }
}

static void checkActuators(Names* list, const mjModel* m) {
  for (int i = 0; i < m->nu; i++) {
    name(list, m->actuator_gaintype[i] > mjGAIN_MUSCLE, "gains of users");
    name(list, m->actuator_biastype[i] > mjBIAS_MUSCLE, "biases of users");
    name(list, m->actuator_dyntype[i] > mjDYN_MUSCLE, "dynamics of users");
    name(list, m->actuator_actnum[i] > 1, "several activations of an actuator");
  }
}

static const char* typeName(int type) {
  static const char* const TYPE[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                     "cylinder", "box",    "mesh",   "sdf"};
  return type >= 0 && type < (int)(sizeof(TYPE) / sizeof(TYPE[0])) ? TYPE[type] : "unknown geom";
}

static void checkPairs(Names* list, const mjModel* m) {
  const CudPairs pairs = cud_pairs(m);
  for (int i = 0; i < pairs.n; i++) {
    const int *g = pairs.pair[i].geom, shape = pairs.pair[i].shape, flex = shape >= CUD_FLEX;
    char text[60];
    const int type = flex && shape != CUD_NSHAPE ? mjGEOM_PLANE : m->geom_type[g[0]];
    snprintf(text, sizeof(text), "contacts of %s and %s", typeName(type),
             flex ? "flexes" : typeName(m->geom_type[g[1]]));
    name(list, shape < 0 || shape == CUD_NSHAPE, text);
    if (shape < CUD_CONVEX || (flex && shape < CUD_FLEX_CONVEX)) continue;
    name(list, !flex && (m->opt.enableflags & mjENBL_MULTICCD), "multiccd");
    name(list, m->opt.disableflags & mjDSBL_NATIVECCD, "libccd (nativeccd disabled)");
  }
  mju_free(pairs.pair);
}

int cud_supported(const mjModel* m, char* text, int size) {
  text[0] = 0;
  Names list = {text, size, 0};
  checkOptions(&list, m);
  checkTendons(&list, m);
  checkActuators(&list, m);
  checkFlexes(&list, m);
  checkPairs(&list, m);
  return list.n == 0;
}

// 1: the kernels can compute all sensors of the model
int cud_sensorsSupported(const mjModel* m, char* text, int size) {
  text[0] = 0;
  Names list = {text, size, 0};
  for (int i = 0; i < m->nsensor; i++) {
    const int type = m->sensor_type[i];
    const int distance = type == mjSENS_GEOMDIST || type == mjSENS_GEOMNORMAL || type == mjSENS_GEOMFROMTO;
    name(&list, distance, "distances of geoms");
    name(&list, type == mjSENS_CONTACT && m->nflex, "contact sensors in models with flexes");
    name(&list, type == mjSENS_TACTILE, "tactile sensors");
    name(&list, type >= mjSENS_PLUGIN, "sensors of plugins or users");
    name(&list, type == mjSENS_E_KINETIC && (m->opt.enableflags & mjENBL_ENERGY), "kinetic energy of the step before");
    for (int g = 0; g < m->ngeom && type == mjSENS_RANGEFINDER; g++) {
      name(&list, m->geom_type[g] == mjGEOM_SDF, "rays that meet signed distance fields");
    }
  }
  return list.n == 0;
}
