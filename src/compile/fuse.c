// What the compiler takes out of the tree: static bodies merged into their parents, and geoms and meshes that are only
// there to be seen.
#include <math.h>
#include <string.h>

#include "compile/flex.h"
#include "math/quat.h"
#include "spec/graft.h"

// -------------------------------------------------------------------------------------------- who is referred to

// why a body with a name stays: something refers to it; the force on it is measured
enum { NAMED = 1, SENSED = 2 };

static void mark(const Cmp* c, unsigned char* flags, const char* name) {
  const CmpBody* const body = cmp_find(c, SPC_BODY, name);
  if (body) flags[body->head.id] |= NAMED;
}

static void markSensed(const Cmp* c, unsigned char* flags) {
  for (int i = 0; i < cmp_count(c, SPC_SENSOR); i++) {
    const mjsSensor* const s = &CMP_AT(c, SPC_SENSOR, CmpSensor, i)->s;
    if (s->objtype == mjOBJ_BODY) mark(c, flags, spc_text(s->objname));
    if (s->reftype == mjOBJ_BODY) mark(c, flags, spc_text(s->refname));

    // force and torque are those between a body and its parent
    if (s->type == mjSENS_FORCE || s->type == mjSENS_TORQUE) {
      const CmpSite* const site = cmp_find(c, SPC_SITE, spc_text(s->objname));
      if (site) flags[site->body->head.id] |= SENSED;
    }
  }
}

static unsigned char* referredTo(Cmp* c) {
  unsigned char* const flags = cmp_alloc(c, (size_t)cmp_count(c, SPC_BODY), 1);
  for (int i = 0; i < cmp_count(c, SPC_CAMERA); i++) {
    mark(c, flags, spc_text(CMP_AT(c, SPC_CAMERA, CmpCamera, i)->s.targetbody));
  }
  for (int i = 0; i < cmp_count(c, SPC_LIGHT); i++) {
    mark(c, flags, spc_text(CMP_AT(c, SPC_LIGHT, CmpLight, i)->s.targetbody));
  }
  for (int i = 0; i < cmp_count(c, SPC_SKIN); i++) {
    const SpcVec* const names = CMP_AT(c, SPC_SKIN, CmpSkin, i)->s.bodyname;
    for (size_t k = 0; k < spc_textsCount(names); k++) mark(c, flags, spc_text(spc_textsAt(names, k)));
  }
  for (int i = 0; i < cmp_count(c, SPC_EXCLUDE); i++) {
    const mjsExclude* const s = &CMP_AT(c, SPC_EXCLUDE, CmpExclude, i)->s;
    mark(c, flags, spc_text(s->bodyname1));
    mark(c, flags, spc_text(s->bodyname2));
  }
  for (int i = 0; i < cmp_count(c, SPC_EQUALITY); i++) {
    const mjsEquality* const s = &CMP_AT(c, SPC_EQUALITY, CmpEquality, i)->s;
    if ((s->type != mjEQ_CONNECT && s->type != mjEQ_WELD) || s->objtype != mjOBJ_BODY) continue;
    mark(c, flags, spc_text(s->name1));
    mark(c, flags, spc_text(s->name2));
  }
  for (int i = 0; i < cmp_count(c, SPC_ACTUATOR); i++) {
    const mjsActuator* const s = &CMP_AT(c, SPC_ACTUATOR, CmpActuator, i)->s;
    if (s->trntype == mjTRN_BODY) mark(c, flags, spc_text(s->target));
  }
  markSensed(c, flags);
  for (int i = 0; i < cmp_count(c, SPC_TUPLE); i++) {
    const mjsTuple* const s = &CMP_AT(c, SPC_TUPLE, CmpTuple, i)->s;
    const int* const type = (const void*)((const SpcVec*)s->objtype)->begin;
    for (size_t k = 0; k < spc_textsCount(s->objname); k++) {
      if (type[k] == mjOBJ_BODY || type[k] == mjOBJ_XBODY) mark(c, flags, spc_text(spc_textsAt(s->objname, k)));
    }
  }
  return flags;
}

// -------------------------------------------------------------------------------------------- fuse

// replaces body by its children in its parent's list
static void replaceByChildren(Cmp* c, CmpBody* body) {
  CmpBody* const parent = body->parent;
  CmpList merged = {0};
  for (int i = 0; i < parent->bodies.n; i++) {
    if (parent->bodies.at[i] != body) {
      cmp_add(c, &merged, parent->bodies.at[i]);
      continue;
    }
    for (int k = 0; k < body->bodies.n; k++) cmp_add(c, &merged, body->bodies.at[k]);
  }
  parent->bodies = merged;
}

// nodes of the tree over a body's geoms
static int treeSize(const CmpBody* body) {
  int n = 0;
  for (int i = 0; i < body->geoms.n; i++) {
    const mjsGeom* const s = &((const CmpGeom*)body->geoms.at[i])->s;
    n += s->contype || s->conaffinity;
  }
  return n ? 2 * n - 1 : 0;
}

// moves everything that body has to its parent, seen from there
static void fuse(Cmp* c, CmpBody* body) {
  CmpBody* const parent = body->parent;
  const double *const pos = body->s.pos, *const quat = body->s.quat;
  if (parent->parent && body->s.mass >= mjMINVAL) cmp_mergeInertia(c, parent, body);
  for (int i = 0; i < body->bodies.n; i++) {
    CmpBody* const child = body->bodies.at[i];
    spc_prepend(pos, quat, child->s.pos, child->s.quat);
    child->parent = parent;
  }
  replaceByChildren(c, body);
  c->nsparebvh -= treeSize(parent) + treeSize(body);
  for (int i = 0; i < body->geoms.n; i++) {
    CmpGeom* const geom = body->geoms.at[i];
    spc_prepend(pos, quat, geom->s.pos, geom->s.quat);
    geom->body = parent;
    cmp_add(c, &parent->geoms, geom);
  }
  c->nsparebvh += treeSize(parent);
  cmp_bodyBvh(c, parent);
  for (int i = 0; i < body->sites.n; i++) {
    CmpSite* const site = body->sites.at[i];
    spc_prepend(pos, quat, site->s.pos, site->s.quat);
    site->body = parent;
    cmp_add(c, &parent->sites, site);
  }
  for (int i = 0; i < body->cameras.n; i++) {
    CmpCamera* const camera = body->cameras.at[i];
    spc_prepend(pos, quat, camera->s.pos, camera->s.quat);
    camera->body = parent;
    cmp_add(c, &parent->cameras, camera);
  }
  for (int i = 0; i < body->lights.n; i++) {
    CmpLight* const light = body->lights.at[i];
    spc_prependPoint(pos, quat, light->s.pos);
    mth_rotVecQuat(light->s.dir, light->s.dir, quat);
    light->body = parent;
    cmp_add(c, &parent->lights, light);
  }

  // the parent collides as what it has become
  parent->contype |= body->contype;
  parent->conaffinity |= body->conaffinity;
  parent->margin = fmax(parent->margin, body->margin);
  ast_freeBvh(&body->bvh);
  memset(&body->bvh, 0, sizeof(body->bvh));
  cmp_unbind(c, &body->head, SPC_BODY);
  body->head.id = -1;
}

// lists of the tree in model order again
static void relist(Cmp* c, CmpBody* body) {
  for (int i = 0; i < body->joints.n; i++) cmp_add(c, &c->list[SPC_JOINT], body->joints.at[i]);
  for (int i = 0; i < body->geoms.n; i++) cmp_add(c, &c->list[SPC_GEOM], body->geoms.at[i]);
  for (int i = 0; i < body->sites.n; i++) cmp_add(c, &c->list[SPC_SITE], body->sites.at[i]);
  for (int i = 0; i < body->cameras.n; i++) cmp_add(c, &c->list[SPC_CAMERA], body->cameras.at[i]);
  for (int i = 0; i < body->lights.n; i++) cmp_add(c, &c->list[SPC_LIGHT], body->lights.at[i]);
  for (int i = 0; i < body->bodies.n; i++) relist(c, body->bodies.at[i]);
}

// Bodies after this one that are referred to are looked up by their numbers at the start, so the last of them is not
// found once enough bodies have gone; a body with a name stays then, as if it was the one that is missing.
static int staysNamed(const CmpBody* body, const unsigned char* flags, int last, int left) {
  if (!*body->head.name) return 0;
  return flags[body->head.id] || (last > body->head.id && last >= left);
}

void cmp_fuseStatic(Cmp* c) {
  BAS_ASSERT(c->stage == CMP_ASSETS);
  const unsigned char* const flags = referredTo(c);
  const int nbody = cmp_count(c, SPC_BODY);
  int last = nbody - 1, left = nbody;
  while (last > 0 && !(flags[last] & NAMED)) last--;
  CmpList bodies = {0};
  for (int i = 0; i < nbody; i++) {
    CmpBody* const body = CMP_AT(c, SPC_BODY, CmpBody, i);
    if (i == 0 || staysNamed(body, flags, last, left) || body->joints.n || body->s.mocap) {
      cmp_add(c, &bodies, body);
      continue;
    }
    fuse(c, body);
    left--;
  }
  c->list[SPC_BODY] = bodies;
  cmp_number(&c->list[SPC_BODY]);
  static const SpcKindId kinds[] = {SPC_JOINT, SPC_GEOM, SPC_SITE, SPC_CAMERA, SPC_LIGHT};
  const CmpList geoms = c->list[SPC_GEOM], sites = c->list[SPC_SITE];
  for (int k = 0; k < 5; k++) c->list[kinds[k]] = (CmpList){0};
  relist(c, bodies.at[0]);
  for (int k = 0; k < 5; k++) cmp_number(&c->list[kinds[k]]);

  // names stand for numbers, and those of geoms and sites have changed
  cmp_rebind(c, SPC_GEOM, &geoms);
  cmp_rebind(c, SPC_SITE, &sites);

  // what is welded to what
  for (int i = 0; i < bodies.n; i++) {
    CmpBody* const body = bodies.at[i];
    body->weldid = i == 0 ? 0 : body->joints.n ? i : body->parent->weldid;
  }
}

// -------------------------------------------------------------------------------------------- discard

static void refuseLook(const SpcReference* reference, void* context) {
  if (reference->kind == SPC_MATERIAL || reference->kind == SPC_TEXTURE) cmp_fail(context, NULL, "object not found");
}

// geoms do without their materials; anything else that is left and has a look cannot be compiled
static void checkLooks(Cmp* c) {
  static const SpcKindId kinds[] = {SPC_SITE, SPC_LIGHT, SPC_MESH, SPC_SKIN, SPC_FLEX, SPC_TENDON, SPC_TUPLE};
  for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
    const CmpList* const list = &c->list[kinds[k]];
    for (int i = 0; i < list->n; i++) spc_references(((CmpHead*)list->at[i])->e, refuseLook, c);
  }
}

void cmp_discardVisual(Cmp* c) {
  // meshes of geoms that collide stay
  for (int i = 0; i < cmp_count(c, SPC_GEOM); i++) {
    const CmpGeom* const geom = CMP_AT(c, SPC_GEOM, CmpGeom, i);
    if (geom->mesh && !geom->visual) geom->mesh->visual = 0;
  }
  CmpList meshes = {0}, geoms = {0};
  for (int i = 0; i < cmp_count(c, SPC_MESH); i++) {
    CmpMesh* const mesh = CMP_AT(c, SPC_MESH, CmpMesh, i);
    if (mesh->visual) {
      mesh->head.id = -1;
      ast_freeMesh(&mesh->asset);
      mesh->ready = 0;
    } else {
      cmp_add(c, &meshes, mesh);
    }
  }
  for (int i = 0; i < cmp_count(c, SPC_GEOM); i++) {
    CmpGeom* const geom = CMP_AT(c, SPC_GEOM, CmpGeom, i);
    if (geom->visual) {
      geom->head.id = -1;
    } else {
      cmp_add(c, &geoms, geom);
    }
  }
  for (int i = 0; i < cmp_count(c, SPC_BODY); i++) {
    CmpList* const list = &CMP_AT(c, SPC_BODY, CmpBody, i)->geoms;
    int n = 0;
    for (int k = 0; k < list->n; k++) {
      if (((CmpGeom*)list->at[k])->head.id >= 0) list->at[n++] = list->at[k];
    }
    list->n = n;
  }
  c->list[SPC_MESH] = meshes;
  c->list[SPC_GEOM] = geoms;
  cmp_number(&c->list[SPC_MESH]);
  cmp_number(&c->list[SPC_GEOM]);
  c->list[SPC_MATERIAL].n = 0;
  c->list[SPC_TEXTURE].n = 0;
  checkLooks(c);
}
