// Flexes: checks, bodies of vertices and nodes, positions at qpos0, orientation of elements, bounding volumes.
#include "compile/flex.h"

#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "math/vec.h"

//---------------------------------- checks ----------------------------------

static int count(const void* vec, size_t size) {
  return (int)spc_vecCount(vec, size);
}

static void checkSizes(Cmp* c, CmpFlex* flex) {
  const mjsFlex* const s = &flex->s;
  SpcElement* const e = flex->head.e;
  const int nelem = count(s->elem, sizeof(int)), nvert = count(s->vert, sizeof(double));
  flex->nvertbody = (int)spc_textsCount(s->vertbody);
  flex->nnode = (int)spc_textsCount(s->nodebody);
  if (s->dim < 1 || s->dim > 3) cmp_fail(c, e, "dim must be 1, 2 or 3");
  if (!nelem) cmp_fail(c, e, "elem is empty");
  if (nelem % (s->dim + 1)) cmp_fail(c, e, "elem size must be multiple of (dim+1)");
  if (!flex->nvertbody && !flex->nnode) cmp_fail(c, e, "vertbody and nodebody are both empty");
  if (nvert % 3) cmp_fail(c, e, "vert size must be a multiple of 3");
  if (s->edgestiffness > 0 && s->dim > 1) {
    cmp_fail(c, e, "edge stiffness only available for dim=1, please use elasticity plugins");
  }
  if (flex->nnode && s->selfcollide != mjFLEXSELF_NONE) {
    cmp_fail(c, e, "trilinear interpolation cannot do self-collision");
  }
  if (flex->nnode && s->internal) cmp_fail(c, e, "trilinear interpolation cannot do internal collisions");
  flex->nelem = nelem / (s->dim + 1);
  flex->centered = !nvert;
  flex->nvert = nvert ? nvert / 3 : flex->nvertbody;
  flex->rigid = nvert && flex->nvertbody == 1;
  if (nvert && flex->nvertbody != 1 && flex->nvertbody != flex->nvert) {
    cmp_fail(c, e, "vertbody size must be 1 or nvert");
  }
  if (flex->nvert < s->dim + 1) cmp_fail(c, e, "not enough vertices");
  if (flex->nnode && flex->nnode != 8 && flex->nnode != 27) {
    cmp_fail(c, e, "number of nodes must be 2^dim or 3^dim, it is %d", flex->nnode);
  }
  if (flex->nnode && count(s->node, sizeof(double)) && count(s->node, sizeof(double)) != 3 * flex->nnode) {
    cmp_fail(c, e, "node size must be a multiple of 3");
  }
  flex->interp = flex->nnode == 8 ? 1 : flex->nnode == 27 ? 2 : 0;
}

// vertices of elements: in range, none twice
static void copyElements(Cmp* c, CmpFlex* flex) {
  const mjsFlex* const s = &flex->s;
  SpcElement* const e = flex->head.e;
  const int per = s->dim + 1, n = per * flex->nelem;
  flex->elem = cmp_alloc(c, (size_t)n, sizeof(int));
  memcpy(flex->elem, ((const SpcVec*)s->elem)->begin, (size_t)n * sizeof(int));
  for (int i = 0; i < n; i++) {
    if (flex->elem[i] < 0 || flex->elem[i] >= flex->nvert) cmp_fail(c, e, "elem vertex id out of range");
    for (int k = i - i % per; k < i; k++) {
      if (flex->elem[k] == flex->elem[i]) cmp_fail(c, e, "repeated vertex in element");
    }
  }

  // without indices of their own, vertices have the texture coordinates of their number
  const int ntex = count(s->texcoord, sizeof(float)), nindex = count(s->elemtexcoord, sizeof(int));
  if (ntex && ntex != 2 * flex->nvert && !nindex) cmp_fail(c, e, "two texture coordinates per vertex expected");
  if (nindex && nindex != n) cmp_fail(c, e, "elemtexcoord size must be that of elem");
  flex->elemtexcoord = cmp_alloc(c, (size_t)n, sizeof(int));
  if (!ntex) return;
  memcpy(flex->elemtexcoord, nindex ? (const void*)((const SpcVec*)s->elemtexcoord)->begin : flex->elem,
         (size_t)n * sizeof(int));
  for (int i = 0; i < n; i++) {
    if (flex->elemtexcoord[i] < 0 || flex->elemtexcoord[i] >= ntex / 2) {
      cmp_fail(c, e, "elemtexcoord texture coordinate id out of range");
    }
  }
}

//---------------------------------- bodies ----------------------------------

static CmpBody** findBodies(Cmp* c, const CmpFlex* flex, const SpcVec* names) {
  const size_t n = spc_textsCount(names);
  CmpBody** const body = cmp_alloc(c, n + 1, sizeof(CmpBody*));
  for (size_t i = 0; i < n; i++) {
    const char* const name = spc_text(spc_textsAt(names, i));
    body[i] = cmp_find(c, SPC_BODY, name);
    if (!body[i]) cmp_fail(c, flex->head.e, "unknown body '%s' in flex", name);
  }
  return body;
}

static int allZero(const SpcVec* vec) {
  const double* const value = (const void*)vec->begin;
  const size_t n = spc_vecCount(vec, sizeof(double));
  for (size_t i = 0; i < n; i++) {
    if (value[i] != 0) return 0;
  }
  return 1;
}

static void setKind(CmpFlex* flex) {
  if (!flex->rigid && !flex->interp) {
    flex->rigid = 1;
    for (int i = 1; i < flex->nvertbody; i++) flex->rigid &= flex->vertbody[i] == flex->vertbody[0];
  }
  if (!flex->centered) flex->centered = allZero(flex->interp ? (const SpcVec*)flex->s.node : flex->s.vert);
}

//---------------------------------- positions ----------------------------------

// pose of every body in the world at qpos0
typedef struct {
  double pos[3], quat[4];
} Pose;

static Pose* worldPoses(Cmp* c) {
  const int n = cmp_count(c, SPC_BODY);
  Pose* const pose = cmp_alloc(c, (size_t)n, sizeof(Pose));
  pose[0].quat[0] = 1;
  for (int i = 1; i < n; i++) {
    const CmpBody* const body = CMP_AT(c, SPC_BODY, CmpBody, i);
    pose[i] = pose[body->parent->head.id];
    spc_append(pose[i].pos, pose[i].quat, body->s.pos, body->s.quat);
  }
  return pose;
}

// a point of a body in the world; local may be NULL
static void toWorld(double out[3], const Pose* pose, const double* local) {
  mth_copy3(out, pose->pos);
  if (!local) return;
  double moved[3];
  mth_rotVecQuat(moved, local, pose->quat);
  mth_addTo3(out, moved);
}

static void setPositions(Cmp* c, CmpFlex* flex, const Pose* pose) {
  const double* const vert = (const void*)((const SpcVec*)flex->s.vert)->begin;
  const double* const node = (const void*)((const SpcVec*)flex->s.node)->begin;
  const int offset = vert && (!flex->centered || flex->interp);
  flex->vertxpos = cmp_alloc(c, 3 * (size_t)flex->nvert, sizeof(double));
  flex->nodexpos = cmp_alloc(c, 3 * (size_t)flex->nnode + 1, sizeof(double));
  for (int i = 0; i < flex->nvert; i++) {
    const CmpBody* const body = flex->vertbody[flex->rigid || flex->nvertbody == 1 ? 0 : i];
    toWorld(flex->vertxpos + 3 * i, pose + body->head.id, offset ? vert + 3 * i : NULL);
  }
  for (int i = 0; i < flex->nnode; i++) {
    const int own = node && !flex->centered;
    toWorld(flex->nodexpos + 3 * i, pose + flex->nodebody[i]->head.id, own ? node + 3 * i : NULL);
  }
}

// tetrahedra: the faces (0 1 2), (0 2 3), (0 3 1), (1 3 2) look outside
static void orientElements(CmpFlex* flex) {
  for (int e = 0; e < flex->nelem && flex->s.dim == 3; e++) {
    int* const v = flex->elem + 4 * e;
    const double* const origin = flex->vertxpos + 3 * v[0];
    double a[3], b[3], h[3], normal[3];
    mth_sub3(a, flex->vertxpos + 3 * v[1], origin);
    mth_sub3(b, flex->vertxpos + 3 * v[2], origin);
    mth_sub3(h, flex->vertxpos + 3 * v[3], origin);
    mth_cross3(normal, a, b);
    if (mth_dot3(normal, h) <= 0) continue;
    const int swap = v[1];
    v[1] = v[2];
    v[2] = swap;
  }
}

//---------------------------------- bounding volumes ----------------------------------

static void makeTree(Cmp* c, CmpFlex* flex) {
  static const double origin[3] = {0}, unit[4] = {1, 0, 0, 0};
  const int dim = flex->s.dim;
  double* const box = cmp_alloc(c, 6 * (size_t)flex->nelem, sizeof(double));
  AstLeaf* const leaf = cmp_alloc(c, (size_t)flex->nelem, sizeof(AstLeaf));
  int n = 0;
  for (int e = 0; e < flex->nelem; e++) {
    // inner layers of a solid do not collide
    if (dim == 3 && flex->elemlayer[e] >= flex->s.activelayers) continue;
    double* const aabb = box + 6 * e;
    for (int k = 0; k < 3; k++) {
      double low = INFINITY, high = -INFINITY;
      for (int i = 0; i <= dim; i++) {
        const double x = flex->vertxpos[3 * flex->elem[(dim + 1) * e + i] + k];
        low = fmin(low, x);
        high = fmax(high, x);
      }
      aabb[k] = 0.5 * (high + low);
      aabb[3 + k] = 0.5 * (high - low) + flex->s.radius;
    }
    leaf[n++] = (AstLeaf){.id = e, .pos = aabb, .aabb = aabb};
  }
  if (n && !ast_makeBvh(&flex->bvh, leaf, n, origin, unit)) cmp_fail(c, flex->head.e, "out of memory");
}

// vertices relative to the root of the tree
static void setBox(Cmp* c, CmpFlex* flex) {
  flex->vert0 = cmp_alloc(c, 3 * (size_t)flex->nvert, sizeof(double));
  if (!flex->bvh.n) return;
  const double* const root = flex->bvh.aabb;
  for (int k = 0; k < 3; k++) {
    flex->size[k] = root[3 + k] - flex->s.radius;
    for (int i = 0; i < flex->nvert; i++) {
      const double x = flex->vertxpos[3 * i + k] - root[k];
      flex->vert0[3 * i + k] = flex->size[k] > mjMINVAL ? x / (2 * flex->size[k]) + 0.5 : 0.5;
    }
  }
}

//---------------------------------- all ----------------------------------

static void compileFlex(Cmp* c, CmpFlex* flex, const Pose* pose) {
  checkSizes(c, flex);
  copyElements(c, flex);
  flex->matid = cmp_material(c, flex->head.e, flex->s.material, "flex", flex->head.id);
  flex->vertbody = findBodies(c, flex, flex->s.vertbody);
  flex->nodebody = findBodies(c, flex, flex->s.nodebody);
  const int bends = flex->s.dim == 2 && (flex->s.elastic2d == 1 || flex->s.elastic2d == 3);
  for (int i = 0; i < flex->nvertbody && bends; i++) {
    if (flex->vertbody[i]->joints.n != 3) cmp_fail(c, flex->head.e, "pins are not supported for bending");
  }
  setKind(flex);
  setPositions(c, flex, pose);
  orientElements(flex);
  if (!count(flex->s.texcoord, sizeof(float))) {
    memcpy(flex->elemtexcoord, flex->elem, (size_t)((flex->s.dim + 1) * flex->nelem) * sizeof(int));
  }
  cmp_flexEdgesOf(c, flex);
  cmp_flexElastic(c, flex);
  cmp_flexShell(c, flex);
  makeTree(c, flex);
  setBox(c, flex);
}

void cmp_compileFlexes(Cmp* c) {
  BAS_ASSERT(c->stage == CMP_TREE);
  if (!cmp_count(c, SPC_FLEX)) return;
  const Pose* const pose = worldPoses(c);
  for (int i = 0; i < cmp_count(c, SPC_FLEX); i++) compileFlex(c, CMP_AT(c, SPC_FLEX, CmpFlex, i), pose);
}

void cmp_freeFlexes(Cmp* c) {
  for (int i = 0; i < cmp_count(c, SPC_FLEX); i++) ast_freeBvh(&CMP_AT(c, SPC_FLEX, CmpFlex, i)->bvh);
}
