// Collisions of flexes. An element is the hull of its vertices (1: edge, 2: triangle, 3: tetrahedron) grown by the
// flex's radius; a plane meets vertices. Round geoms and edges are capsules in closed form, triangles have their own
// functions, the rest goes through the general convex algorithm.
//
// Contacts found through hierarchies of two different things are sorted by (geom or element or vertex) of both sides;
// those inside one flex stay in the order in which they are found.
#include "collision/flex_pairs.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/sort.h"
#include "base/stack.h"
#include "collision/contact.h"
#include "collision/filter.h"
#include "collision/mid.h"
#include "collision/narrow.h"
#include "collision/sap.h"
#include "math/quat.h"
#include "math/vec.h"

// no more element pairs than this in one sweep over a flex, to bound memory
#define COL_MAX_SELF_PAIRS 1000000

static const mjtNum NO_TURN[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

// one element, or one vertex, of a flex
typedef struct {
  int flex, elem;
  int dim;
  const int* vert;    // its vertices in the flex
  const mjtNum* pos;  // positions of the flex's vertices
  const int* body;    // bodies of the flex's vertices
  mjtNum radius;
  const mjtNum* box;  // bounding box
} Elem;

// a capsule around an edge
typedef struct {
  mjtNum pos[3], mat[9], size[3];
  ColShape shape;
} Capsule;

static Elem elemOf(const mjModel* m, const mjData* d, int f, int e) {
  const int dim = m->flex_dim[f];
  return (Elem){
      .flex = f,
      .elem = e,
      .dim = dim,
      .vert = m->flex_elem + m->flex_elemdataadr[f] + e * (dim + 1),
      .pos = d->flexvert_xpos + 3 * m->flex_vertadr[f],
      .body = m->flex_vertbodyid + m->flex_vertadr[f],
      .radius = m->flex_radius[f],
      .box = d->flexelem_aabb + 6 * (m->flex_elemadr[f] + e),
  };
}

bool col_elemActive(const mjModel* m, int f, int e) {
  return m->flex_dim[f] < 3 || m->flex_elemlayer[m->flex_elemadr[f] + e] < m->flex_activelayers[f];
}

static void edgeCapsule(Capsule* c, const Elem* e) {
  const mjtNum *a = e->pos + 3 * e->vert[0], *b = e->pos + 3 * e->vert[1];
  mjtNum axis[3], quat[4];
  mth_sub3(axis, a, b);
  c->size[0] = e->radius;
  c->size[1] = 0.5 * mth_normalize3(axis);
  c->size[2] = 0;
  mth_add3(c->pos, a, b);
  mth_scl3(c->pos, c->pos, 0.5);
  mju_quatZ2Vec(quat, axis);
  mth_quat2Mat(c->mat, quat);
  c->shape = (ColShape){c->pos, c->mat, c->size};
}

// room in the arena, or the spare array when it is nearly full
static mjContact* openRoom(mjData* d, mjContact spare[mjMAXCONPAIR]) {
  mjContact* room = col_openRoom(d);
  return room ? room : spare;
}

// completes and keeps what the narrow phase wrote
static void keep(const mjModel* m, mjData* d, mjContact* room, int n, const ColIds* ids, mjtNum margin) {
  if (n) {
    ColParam param;
    const ColSide side1 = {ids->geom[0], ids->flex[0]}, side2 = {ids->geom[1], ids->flex[1]};
    col_mixParam(m, &param, side1, side2, margin);

    // contacts inside a flex know no margin
    if (ids->flex[0] == ids->flex[1]) param.includemargin = 0;
    col_completeContacts(room, n, &param, ids);
  }
  col_closeRoom(d, room, n);
}

//---------------------------------- geoms and elements ----------------------------------

// every vertex against the plane
static void planeFlex(const mjModel* m, mjData* d, int g, int f) {
  const ColShape plane = col_geomShape(m, d, g);
  const mjtNum margin = col_margin(m, m->geom_margin[g] + m->flex_margin[f]);
  ColParam param;
  col_mixParam(m, &param, (ColSide){g, -1}, (ColSide){-1, f}, margin);

  for (int v = 0; v < m->flex_vertnum[f]; v++) {
    const mjtNum size[1] = {m->flex_radius[f]};
    const ColShape ball = {d->flexvert_xpos + 3 * (m->flex_vertadr[f] + v), NO_TURN, size};
    mjContact con;
    if (!col_rawPlaneSphere(&con, margin, &plane, &ball)) continue;
    const ColIds ids = {
        {g,  -1},
        {-1, f },
        {-1, -1},
        {-1, v }
    };
    col_completeContacts(&con, 1, &param, &ids);
    if (!col_closeRoom(d, &con, 1)) return;
  }
}

// closed forms for an edge
static int geomEdge(mjContact* con, mjtNum margin, int type, const ColShape* geom, const Elem* e) {
  Capsule capsule;
  edgeCapsule(&capsule, e);
  if (type == mjGEOM_SPHERE) return col_rawSphereCapsule(con, margin, geom, &capsule.shape);
  if (type == mjGEOM_CAPSULE) return col_rawCapsuleCapsule(con, margin, geom, &capsule.shape);

  // the box is the second one there
  const int n = col_rawCapsuleBox(con, margin, &capsule.shape, geom);
  for (int i = 0; i < n; i++) mth_neg3(con[i].frame, con[i].frame);
  return n;
}

static int geomElemNarrow(const mjModel* m, const mjData* d, mjContact* con, int g, const Elem* e, mjtNum margin) {
  const int type = m->geom_type[g];
  const ColShape shape = col_geomShape(m, d, g);
  const bool simple = type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE || type == mjGEOM_BOX;
  if (e->dim == 1 && simple) return geomEdge(con, margin, type, &shape, e);

  const ColObject geom = {g, -1, -1, -1}, elem = {-1, e->flex, e->elem, -1};
  if (type == mjGEOM_HFIELD) return col_hfieldElem(m, d, con, &geom, &elem, margin);
  if (e->dim == 2 && simple) {
    const mjtNum* vert[3] = {e->pos + 3 * e->vert[0], e->pos + 3 * e->vert[1], e->pos + 3 * e->vert[2]};
    if (type == mjGEOM_SPHERE) return col_sphereTriangle(con, margin, &shape, vert, e->radius);
    if (type == mjGEOM_CAPSULE) return col_capsuleTriangle(con, margin, &shape, vert, e->radius);
    return col_boxTriangle(con, margin, &shape, vert, e->radius);
  }
  return col_convexElem(m, d, con, &geom, &elem, margin);
}

static void geomElem(const mjModel* m, mjData* d, int g, int f, int e) {
  const Elem elem = elemOf(m, d, f, e);
  const mjtNum margin = col_margin(m, m->geom_margin[g] + m->flex_margin[f]);

  // the mid phase has compared boxes already
  if ((m->opt.disableflags & mjDSBL_MIDPHASE) &&
      col_pointBoxApart(d->geom_xpos + 3 * g, m->geom_rbound[g] + margin, elem.box)) {
    return;
  }

  // an element hangs on the geom's body
  for (int i = 0; i <= elem.dim; i++) {
    if (elem.body[elem.vert[i]] == m->geom_bodyid[g]) return;
  }

  mjContact spare[mjMAXCONPAIR];
  mjContact* con = openRoom(d, spare);
  const int n = geomElemNarrow(m, d, con, g, &elem, margin);
  const ColIds ids = {
      {g,  -1},
      {-1, f },
      {-1, e },
      {-1, -1}
  };
  keep(m, d, con, n, &ids, margin);
}

//---------------------------------- elements of flexes ----------------------------------

// two elements that hang on one body never touch each other
static bool shareBody(const Elem* a, const Elem* b) {
  for (int i = 0; i <= a->dim; i++) {
    const int body = a->body[a->vert[i]];
    for (int j = 0; j <= b->dim && body >= 0; j++) {
      if (body == b->body[b->vert[j]]) return true;
    }
  }
  return false;
}

// true when the line between their centres shows that two elements are apart by more than the margin: a lower bound on
// their distance, with room for rounding
static bool hullsApart(const Elem* a, const Elem* b, mjtNum margin) {
  mjtNum axis[3] = {0, 0, 0}, high = -mjMAXVAL, low = mjMAXVAL;
  for (int i = 0; i <= a->dim; i++) mth_addToScl3(axis, a->pos + 3 * a->vert[i], -1.0 / (a->dim + 1));
  for (int i = 0; i <= b->dim; i++) mth_addToScl3(axis, b->pos + 3 * b->vert[i], 1.0 / (b->dim + 1));
  for (int i = 0; i <= a->dim; i++) high = mth_max(high, mth_dot3(axis, a->pos + 3 * a->vert[i]));
  for (int i = 0; i <= b->dim; i++) low = mth_min(low, mth_dot3(axis, b->pos + 3 * b->vert[i]));
  const mjtNum gap = low - high, room = a->radius + b->radius + margin, slack = 1e-9 * (fabs(high) + fabs(low));
  return gap > slack && (gap - slack) * (gap - slack) > 1.0000001 * room * room * mth_dot3(axis, axis);
}

static void elemElem(const mjModel* m, mjData* d, int f1, int e1, int f2, int e2) {
  const Elem a = elemOf(m, d, f1, e1), b = elemOf(m, d, f2, e2);
  const mjtNum margin = f1 == f2 ? 0 : col_margin(m, m->flex_margin[f1] + m->flex_margin[f2]);
  if (col_boxesApart(a.box, b.box, margin) || shareBody(&a, &b) || hullsApart(&a, &b, margin)) return;

  mjContact spare[mjMAXCONPAIR];
  mjContact* con = openRoom(d, spare);
  int n;
  if (a.dim == 1 && b.dim == 1) {
    Capsule c1, c2;
    edgeCapsule(&c1, &a);
    edgeCapsule(&c2, &b);
    n = col_rawCapsuleCapsule(con, margin, &c1.shape, &c2.shape);
  } else {
    const ColObject o1 = {-1, f1, e1, -1}, o2 = {-1, f2, e2, -1};
    n = col_convexElem(m, d, con, &o1, &o2, margin);
  }
  const ColIds ids = {
      {-1, -1},
      {f1, f2},
      {e1, e2},
      {-1, -1}
  };
  keep(m, d, con, n, &ids, margin);
}

// a vertex and an element of the same flex
static void elemVert(const mjModel* m, mjData* d, int f, int e, int v) {
  const Elem elem = elemOf(m, d, f, e);
  const mjtNum* pos = elem.pos + 3 * v;
  if (col_pointBoxApart(pos, col_margin(m, m->flex_margin[f]) + elem.radius, elem.box)) return;

  const mjtNum size[1] = {elem.radius};
  const ColShape ball = {pos, NO_TURN, size};
  mjContact spare[mjMAXCONPAIR];
  mjContact* con = openRoom(d, spare);
  int n;
  if (elem.dim == 1) {
    Capsule capsule;
    edgeCapsule(&capsule, &elem);
    n = col_rawSphereCapsule(con, 0, &ball, &capsule.shape);
  } else if (elem.dim == 2) {
    const mjtNum* vert[3] = {elem.pos + 3 * elem.vert[0], elem.pos + 3 * elem.vert[1], elem.pos + 3 * elem.vert[2]};
    n = col_sphereTriangle(con, 0, &ball, vert, elem.radius);
  } else {
    const ColObject o1 = {-1, f, -1, v}, o2 = {-1, f, e, -1};
    n = col_convexElem(m, d, con, &o1, &o2, 0);
  }
  const ColIds ids = {
      {-1, -1},
      {f,  f },
      {-1, e },
      {v,  -1}
  };
  keep(m, d, con, n, &ids, 0);
}

// a tetrahedron that is turned inside out: a vertex against the plane of the opposite face
static bool insideOut(mjContact* con, const Elem* e, const int face[3], int v) {
  mjtNum edge1[3], edge2[3], normal[3], toVert[3];
  const mjtNum* origin = e->pos + 3 * face[0];
  const mjtNum* vert = e->pos + 3 * v;
  mth_sub3(edge1, e->pos + 3 * face[1], origin);
  mth_sub3(edge2, e->pos + 3 * face[2], origin);
  mth_sub3(toVert, vert, origin);
  mth_cross3(normal, edge1, edge2);
  mth_normalize3(normal);

  const mjtNum height = mth_dot3(toVert, normal);
  if (height <= -2 * e->radius) return false;
  con->dist = -height - 2 * e->radius;
  mth_neg3(con->frame, normal);
  mth_zero3(con->frame + 3);
  mth_addScl3(con->pos, vert, normal, -0.5 * height);
  return true;
}

// vertices against nearby elements, and tetrahedra against themselves
static void internalContacts(const mjModel* m, mjData* d, int f) {
  const int* pair = m->flex_evpair + 2 * m->flex_evpairadr[f];
  for (int i = 0; i < m->flex_evpairnum[f]; i++) elemVert(m, d, f, pair[2 * i], pair[2 * i + 1]);
  if (m->flex_dim[f] != 3) return;

  ColParam param;
  col_mixParam(m, &param, (ColSide){-1, f}, (ColSide){-1, f}, 0);
  param.dim = 1;
  param.includemargin = 0;

  // faces, each with the vertex opposite to it last
  static const int FACE[4][4] = {
      {0, 1, 2, 3},
      {0, 2, 3, 1},
      {0, 3, 1, 2},
      {1, 3, 2, 0}
  };
  for (int e = 0; e < m->flex_elemnum[f]; e++) {
    const Elem elem = elemOf(m, d, f, e);
    for (int k = 0; k < 4; k++) {
      const int face[3] = {elem.vert[FACE[k][0]], elem.vert[FACE[k][1]], elem.vert[FACE[k][2]]};
      const int v = elem.vert[FACE[k][3]];
      mjContact con;
      if (!insideOut(&con, &elem, face, v)) continue;
      const ColIds ids = {
          {-1, -1},
          {f,  f },
          {e,  -1},
          {-1, v }
      };
      col_completeContacts(&con, 1, &param, &ids);
      if (!col_closeRoom(d, &con, 1)) return;
    }
  }
}

//---------------------------------- order ----------------------------------

// what a contact is sorted by: the geom, element or vertex of each side
typedef struct {
  int id[2];
  int index;
} Key;

static Key keyOf(const mjContact* c, int index) {
  Key key = {.index = index};
  for (int k = 0; k < 2; k++) key.id[k] = c->geom[k] >= 0 ? c->geom[k] : c->elem[k] >= 0 ? c->elem[k] : c->vert[k];
  return key;
}

// the index makes the order total
static bool keyBefore(Key a, Key b) {
  if (a.id[0] != b.id[0]) return a.id[0] < b.id[0];
  if (a.id[1] != b.id[1]) return a.id[1] < b.id[1];
  return a.index < b.index;
}

static void sortContacts(mjData* d, int start) {
  const int n = d->ncon - start;
  bool inOrder = true;
  for (int i = start + 1; i < d->ncon && inOrder; i++) {
    inOrder = keyBefore(keyOf(d->contact + i - 1, 0), keyOf(d->contact + i, 1));
  }
  if (inOrder) return;

  mj_markStack(d);
  Key* key = mj_stackAllocByte(d, (size_t)n * sizeof(Key), _Alignof(Key));
  mjContact* copy = mj_stackAllocByte(d, (size_t)n * sizeof(mjContact), _Alignof(mjContact));
  memcpy(copy, d->contact + start, (size_t)n * sizeof(mjContact));
  for (int i = 0; i < n; i++) key[i] = keyOf(copy + i, i);
  BAS_SORT(Key, key, n, keyBefore);
  for (int i = 0; i < n; i++) d->contact[start + i] = copy[key[i].index];
  mj_freeStack(d);
}

//---------------------------------- pairs ----------------------------------

static bool useTrees(const mjModel* m, int bf1, int bf2) {
  const bool allowed = !(m->opt.disableflags & mjDSBL_MIDPHASE);
  return allowed && col_bvhAddress(m, bf1) >= 0 && col_bvhAddress(m, bf2) >= 0;
}

static void leafGeomElem(const mjModel* m, mjData* d, int g, int e, void* context) {
  const int f = *(const int*)context;
  if (m->geom_type[g] != mjGEOM_PLANE) geomElem(m, d, g, f, e);
}

static void leafElems(const mjModel* m, mjData* d, int e1, int e2, void* context) {
  const int* f = context;
  elemElem(m, d, f[0], e1, f[1], e2);
}

void col_bodyFlex(const mjModel* m, mjData* d, int body, int f) {
  const int start = m->body_geomadr[body], end = start + m->body_geomnum[body];
  const int first = d->ncon;
  const ColBits flexBits = {m->flex_contype[f], m->flex_conaffinity[f]};

  // planes first, then the hierarchies
  if (useTrees(m, body, (int)m->nbody + f)) {
    for (int g = start; g < end && m->body_weldid[body] == 0; g++) {
      if (m->geom_type[g] == mjGEOM_PLANE) planeFlex(m, d, g, f);
    }
    col_mid(m, d, body, (int)m->nbody + f, leafGeomElem, &f);
    sortContacts(d, first);
    return;
  }

  // every geom with every element
  for (int g = start; g < end; g++) {
    if (!col_bitsMatch(col_geomBits(m, g), flexBits)) continue;
    if (m->geom_type[g] == mjGEOM_PLANE) {
      planeFlex(m, d, g, f);
    } else {
      for (int e = 0; e < m->flex_elemnum[f]; e++) geomElem(m, d, g, f, e);
    }
  }
}

void col_flexFlex(const mjModel* m, mjData* d, int f1, int f2) {
  const int first = d->ncon;
  if (useTrees(m, (int)m->nbody + f1, (int)m->nbody + f2)) {
    int f[2] = {f1, f2};
    col_mid(m, d, (int)m->nbody + f1, (int)m->nbody + f2, leafElems, f);
    sortContacts(d, first);
    return;
  }
  for (int e1 = 0; e1 < m->flex_elemnum[f1]; e1++) {
    for (int e2 = 0; e2 < m->flex_elemnum[f2]; e2++) elemElem(m, d, f1, e1, f2, e2);
  }
}

//---------------------------------- one flex with itself ----------------------------------

// bodies of the vertices of all elements, four each: what is missing is -1
static int (*elemBodies(const mjModel* m, mjData* d, int f))[4] {
  const int num = m->flex_elemnum[f], n = m->flex_dim[f] + 1, *vert = m->flex_elem + m->flex_elemdataadr[f];
  const int* body = m->flex_vertbodyid + m->flex_vertadr[f];
  int(*res)[4] = mj_stackAllocByte(d, (size_t)num * sizeof(*res), 16);
  for (int e = 0; e < num; e++, vert += n) {
    for (int i = 0; i < 4; i++) res[e][i] = i < n ? body[vert[i]] : -1;
  }
  return res;
}

// 1: a body of a is one of b
static int shareAny(const int a[4], const int b[4], int n) {
  typedef int Four __attribute__((vector_size(16), may_alias));
  const Four all = *(const Four*)b;
  Four hit = {0, 0, 0, 0};
  for (int i = 0; i < n; i++) hit |= a[i] >= 0 ? (Four)(all == a[i]) : hit;
  return (hit[0] | hit[1] | hit[2] | hit[3]) != 0;
}

// sweep over the boxes of active elements along the flex's longest side
static void selfBySweep(const mjModel* m, mjData* d, int f) {
  mj_markStack(d);
  const int num = m->flex_elemnum[f];
  int(*body)[4] = elemBodies(m, d, f);
  int* active = mj_stackAllocInt(d, (size_t)num);
  mjtNum* box = mj_stackAllocNum(d, 6 * (size_t)num);
  int n = 0;
  for (int e = 0; e < num; e++) {
    if (!col_elemActive(m, f, e)) continue;
    const mjtNum* elem = d->flexelem_aabb + 6 * (m->flex_elemadr[f] + e);
    for (int k = 0; k < 3; k++) {
      box[6 * n + k] = elem[k] - elem[3 + k];
      box[6 * n + 3 + k] = elem[k] + elem[3 + k];
    }
    active[n++] = e;
  }

  if (n > 1) {
    const mjtNum* side = d->bvh_aabb_dyn + 6 * (m->flex_bvhadr[f] - m->nbvhstatic) + 3;
    const int axis = side[0] > side[1] && side[0] > side[2] ? 0 : side[1] > side[2] ? 1 : 2;
    const size_t most = (size_t)n * ((size_t)n - 1) / 2;
    const ColSapPairs pairs = col_sap(d, box, n, axis, most < COL_MAX_SELF_PAIRS ? most : COL_MAX_SELF_PAIRS);
    for (size_t i = 0; i < pairs.n; i++) {
      const int e1 = active[pairs.pair[2 * i]], e2 = active[pairs.pair[2 * i + 1]];
      if (!shareAny(body[e1], body[e2], m->flex_dim[f] + 1)) elemElem(m, d, f, e1, f, e2);
    }
  }
  mj_freeStack(d);
}

static void selfByAll(const mjModel* m, mjData* d, int f) {
  const int num = m->flex_elemnum[f];
  for (int e1 = 0; e1 < num; e1++) {
    if (!col_elemActive(m, f, e1)) continue;
    for (int e2 = e1 + 1; e2 < num; e2++) {
      if (col_elemActive(m, f, e2)) elemElem(m, d, f, e1, f, e2);
    }
  }
}

void col_flexSelf(const mjModel* m, mjData* d, int f) {
  if (m->flex_rigid[f] || !(m->flex_contype[f] & m->flex_conaffinity[f])) return;
  if (m->flex_internal[f]) internalContacts(m, d, f);

  const int mode = m->flex_selfcollide[f];
  const int bf = (int)m->nbody + f;
  if (mode == mjFLEXSELF_NONE) return;
  if (mode == mjFLEXSELF_NARROW || !useTrees(m, bf, bf)) {
    selfByAll(m, d, f);
  } else if (mode == mjFLEXSELF_BVH || (mode == mjFLEXSELF_AUTO && m->flex_dim[f] == 3)) {
    int pair[2] = {f, f};
    col_mid(m, d, bf, bf, leafElems, pair);
  } else {
    selfBySweep(m, d, f);
  }
}
