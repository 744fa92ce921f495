// What the compiler takes out of the tree: static bodies merged into their parents, and geoms and meshes that are only
// there to be seen.
#include <math.h>
#include <string.h>

#include "compile/flex.h"
#include "math/quat.h"

// -------------------------------------------------------------------------------------------- who is referred to

// marks of bodies that must stay, by position in the body list at the start
static void keep(const Cmp* c, unsigned char* kept, const char* name) {
  const CmpBody* const body = cmp_find(c, SPC_BODY, name);
  if (body) kept[body->head.id] = 1;
}

static void keepSensed(const Cmp* c, unsigned char* kept) {
  for (int i = 0; i < cmp_count(c, SPC_SENSOR); i++) {
    const mjsSensor* const s = &CMP_AT(c, SPC_SENSOR, CmpSensor, i)->s;
    if (s->objtype == mjOBJ_BODY || s->objtype == mjOBJ_XBODY) keep(c, kept, spc_text(s->objname));
    if (s->reftype == mjOBJ_BODY || s->reftype == mjOBJ_XBODY) keep(c, kept, spc_text(s->refname));

    // force and torque are those between a body and its parent
    if (s->type == mjSENS_FORCE || s->type == mjSENS_TORQUE) {
      const CmpSite* const site = cmp_find(c, SPC_SITE, spc_text(s->objname));
      if (site) kept[site->body->head.id] = 1;
    }
  }
}

static unsigned char* referredTo(Cmp* c) {
  unsigned char* const kept = cmp_alloc(c, (size_t)cmp_count(c, SPC_BODY), 1);
  for (int i = 0; i < cmp_count(c, SPC_CAMERA); i++) {
    keep(c, kept, spc_text(CMP_AT(c, SPC_CAMERA, CmpCamera, i)->s.targetbody));
  }
  for (int i = 0; i < cmp_count(c, SPC_LIGHT); i++) {
    keep(c, kept, spc_text(CMP_AT(c, SPC_LIGHT, CmpLight, i)->s.targetbody));
  }
  for (int i = 0; i < cmp_count(c, SPC_SKIN); i++) {
    const SpcVec* const names = CMP_AT(c, SPC_SKIN, CmpSkin, i)->s.bodyname;
    for (size_t k = 0; k < spc_textsCount(names); k++) keep(c, kept, spc_text(spc_textsAt(names, k)));
  }
  for (int i = 0; i < cmp_count(c, SPC_FLEX); i++) {
    const mjsFlex* const s = &CMP_AT(c, SPC_FLEX, CmpFlex, i)->s;
    const SpcVec* const names[2] = {s->vertbody, s->nodebody};
    for (size_t k = 0; k < spc_textsCount(names[0]); k++) keep(c, kept, spc_text(spc_textsAt(names[0], k)));
    for (size_t k = 0; k < spc_textsCount(names[1]); k++) keep(c, kept, spc_text(spc_textsAt(names[1], k)));
  }
  for (int i = 0; i < cmp_count(c, SPC_EXCLUDE); i++) {
    const mjsExclude* const s = &CMP_AT(c, SPC_EXCLUDE, CmpExclude, i)->s;
    keep(c, kept, spc_text(s->bodyname1));
    keep(c, kept, spc_text(s->bodyname2));
  }
  for (int i = 0; i < cmp_count(c, SPC_EQUALITY); i++) {
    const mjsEquality* const s = &CMP_AT(c, SPC_EQUALITY, CmpEquality, i)->s;
    if ((s->type != mjEQ_CONNECT && s->type != mjEQ_WELD) || s->objtype != mjOBJ_BODY) continue;
    keep(c, kept, spc_text(s->name1));
    keep(c, kept, spc_text(s->name2));
  }
  for (int i = 0; i < cmp_count(c, SPC_ACTUATOR); i++) {
    const mjsActuator* const s = &CMP_AT(c, SPC_ACTUATOR, CmpActuator, i)->s;
    if (s->trntype == mjTRN_BODY) keep(c, kept, spc_text(s->target));
  }
  keepSensed(c, kept);
  for (int i = 0; i < cmp_count(c, SPC_TUPLE); i++) {
    const mjsTuple* const s = &CMP_AT(c, SPC_TUPLE, CmpTuple, i)->s;
    const int* const type = (const void*)((const SpcVec*)s->objtype)->begin;
    for (size_t k = 0; k < spc_textsCount(s->objname); k++) {
      if (type[k] == mjOBJ_BODY || type[k] == mjOBJ_XBODY) keep(c, kept, spc_text(spc_textsAt(s->objname, k)));
    }
  }
  return kept;
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
  cmp_bodyBvh(parent);
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

void cmp_fuseStatic(Cmp* c) {
  const unsigned char* const kept = referredTo(c);
  CmpList bodies = {0};
  for (int i = 0; i < cmp_count(c, SPC_BODY); i++) {
    CmpBody* const body = CMP_AT(c, SPC_BODY, CmpBody, i);
    if (i == 0 || kept[i] || body->joints.n || body->s.mocap) {
      cmp_add(c, &bodies, body);
      continue;
    }
    fuse(c, body);
  }
  c->list[SPC_BODY] = bodies;
  cmp_number(&c->list[SPC_BODY]);
  static const SpcKindId kinds[] = {SPC_JOINT, SPC_GEOM, SPC_SITE, SPC_CAMERA, SPC_LIGHT};
  for (int k = 0; k < 5; k++) c->list[kinds[k]] = (CmpList){0};
  relist(c, bodies.at[0]);
  for (int k = 0; k < 5; k++) cmp_number(&c->list[kinds[k]]);

  // what is welded to what
  for (int i = 0; i < bodies.n; i++) {
    CmpBody* const body = bodies.at[i];
    body->weldid = i == 0 ? 0 : body->joints.n ? i : body->parent->weldid;
  }
}

// -------------------------------------------------------------------------------------------- discard

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
}
