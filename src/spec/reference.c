// By which names elements refer to each other.
#include "spec/graft.h"

typedef struct {
  void (*visit)(const SpcReference* reference, void* context);
  void* context;
} Visitor;

static void refer(const Visitor* v, SpcReference reference) {
  const SpcKindId kind = reference.kind;
  if (kind == SPC_KINDS || !reference.name || spc_textEmpty(reference.name)) return;
  reference.asset = kind == SPC_MESH || kind == SPC_MATERIAL || kind == SPC_TEXTURE || kind == SPC_HFIELD;
  v->visit(&reference, v->context);
}

static void one(const Visitor* v, SpcKindId kind, void* name) {
  refer(v, (SpcReference){.kind = kind, .name = name});
}

static void oneStrict(const Visitor* v, SpcKindId kind, void* name) {
  refer(v, (SpcReference){.kind = kind, .name = name, .strict = 1});
}

static void all(const Visitor* v, SpcKindId kind, const SpcVec* names) {
  for (size_t i = 0; i < spc_textsCount(names); i++) one(v, kind, spc_textsAt(names, i));
}

static void allStrict(const Visitor* v, SpcKindId kind, const SpcVec* names) {
  for (size_t i = 0; i < spc_textsCount(names); i++) oneStrict(v, kind, spc_textsAt(names, i));
}

// a plugin instance by name
static void plugin(const Visitor* v, const mjsPlugin* p) {
  if (p->active) one(v, SPC_PLUGIN, p->name);
}

static SpcKindId equalityKind(const mjsEquality* equality) {
  switch (equality->type) {
    case mjEQ_CONNECT:
    case mjEQ_WELD:
      return equality->objtype == mjOBJ_SITE ? SPC_SITE : SPC_BODY;
    case mjEQ_JOINT:
      return SPC_JOINT;
    case mjEQ_TENDON:
      return SPC_TENDON;
    default:
      return SPC_FLEX;
  }
}

static SpcKindId targetKind(mjtTrn type) {
  switch (type) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return SPC_JOINT;
    case mjTRN_TENDON:
      return SPC_TENDON;
    case mjTRN_SLIDERCRANK:
    case mjTRN_SITE:
      return SPC_SITE;
    case mjTRN_BODY:
      return SPC_BODY;
    default:
      return SPC_KINDS;
  }
}

static SpcKindId wrapKind(mjtWrap type) {
  switch (type) {
    case mjWRAP_JOINT:
      return SPC_JOINT;
    case mjWRAP_SITE:
      return SPC_SITE;
    case mjWRAP_SPHERE:
    case mjWRAP_CYLINDER:
      return SPC_GEOM;
    default:
      return SPC_KINDS;
  }
}

// elements of the tree and assets
static void treeReferences(const Visitor* v, SpcElement* e) {
  switch (e->kind) {
    case SPC_BODY:
      plugin(v, &((mjsBody*)e->spec)->plugin);
      break;
    case SPC_GEOM: {
      mjsGeom* geom = e->spec;
      one(v, SPC_MATERIAL, geom->material);
      one(v, SPC_HFIELD, geom->hfieldname);
      one(v, SPC_MESH, geom->meshname);
      plugin(v, &geom->plugin);
      break;
    }
    case SPC_SITE:
      one(v, SPC_MATERIAL, ((mjsSite*)e->spec)->material);
      break;
    case SPC_CAMERA:
      oneStrict(v, SPC_BODY, ((mjsCamera*)e->spec)->targetbody);
      break;
    case SPC_LIGHT:
      oneStrict(v, SPC_BODY, ((mjsLight*)e->spec)->targetbody);
      oneStrict(v, SPC_TEXTURE, ((mjsLight*)e->spec)->texture);
      break;
    case SPC_MESH:
      one(v, SPC_MATERIAL, ((mjsMesh*)e->spec)->material);
      plugin(v, &((mjsMesh*)e->spec)->plugin);
      break;
    case SPC_MATERIAL:
      all(v, SPC_TEXTURE, ((mjsMaterial*)e->spec)->textures);
      break;
    case SPC_SKIN:
      one(v, SPC_MATERIAL, ((mjsSkin*)e->spec)->material);
      all(v, SPC_BODY, ((mjsSkin*)e->spec)->bodyname);
      break;
    case SPC_FLEX:
      one(v, SPC_MATERIAL, ((mjsFlex*)e->spec)->material);
      allStrict(v, SPC_BODY, ((mjsFlex*)e->spec)->nodebody);
      allStrict(v, SPC_BODY, ((mjsFlex*)e->spec)->vertbody);
      break;
    default:
      break;
  }
}

static void tendonReferences(const Visitor* v, SpcTendon* tendon) {
  one(v, SPC_MATERIAL, tendon->spec.material);
  for (int i = 0; i < tendon->path.count; i++) {
    SpcWrap* wrap = (SpcWrap*)tendon->path.at[i];
    const SpcKindId kind = wrapKind(wrap->spec.type);
    refer(v, (SpcReference){.kind = kind, .name = &wrap->target, .with = kind == SPC_GEOM ? &wrap->sidesite : NULL});
    one(v, SPC_SITE, &wrap->sidesite);
  }
}

static void sensorReferences(const Visitor* v, mjsSensor* sensor) {
  one(v, spc_kindOf(sensor->objtype), sensor->objname);
  one(v, spc_kindOf(sensor->reftype), sensor->refname);
  plugin(v, &sensor->plugin);
}

// what stands outside the tree
static void listReferences(const Visitor* v, SpcElement* e) {
  switch (e->kind) {
    case SPC_PAIR:
      one(v, SPC_GEOM, ((mjsPair*)e->spec)->geomname1);
      one(v, SPC_GEOM, ((mjsPair*)e->spec)->geomname2);
      break;
    case SPC_EXCLUDE:
      one(v, SPC_BODY, ((mjsExclude*)e->spec)->bodyname1);
      one(v, SPC_BODY, ((mjsExclude*)e->spec)->bodyname2);
      break;
    case SPC_EQUALITY:
      oneStrict(v, equalityKind(e->spec), ((mjsEquality*)e->spec)->name1);
      oneStrict(v, equalityKind(e->spec), ((mjsEquality*)e->spec)->name2);
      break;
    case SPC_TENDON:
      tendonReferences(v, (SpcTendon*)e);
      break;
    case SPC_ACTUATOR: {
      mjsActuator* actuator = e->spec;
      oneStrict(v, targetKind(actuator->trntype), actuator->target);
      oneStrict(v, SPC_SITE, actuator->refsite);
      oneStrict(v, SPC_SITE, actuator->slidersite);
      plugin(v, &actuator->plugin);
      break;
    }
    case SPC_SENSOR:
      sensorReferences(v, e->spec);
      break;
    case SPC_TUPLE: {
      const mjsTuple* tuple = e->spec;
      const int* type = (const int*)(const void*)((const SpcVec*)tuple->objtype)->begin;
      const size_t ntype = spc_vecCount(tuple->objtype, sizeof(int)), nname = spc_textsCount(tuple->objname);
      for (size_t i = 0; i < ntype && i < nname; i++) {
        oneStrict(v, spc_kindOf(type[i]), spc_textsAt(tuple->objname, i));
      }
      break;
    }
    default:
      break;
  }
}

void spc_references(SpcElement* e, void (*visit)(const SpcReference* reference, void* context), void* context) {
  const Visitor v = {visit, context};
  treeReferences(&v, e);
  listReferences(&v, e);
}

// -------------------------------------------------------------------------------------------- check

typedef struct {
  const SpcModel* model;
  int missing;
} Check;

static void findTarget(const SpcReference* reference, void* context) {
  Check* check = context;
  check->missing |= !spc_find(check->model, reference->kind, spc_text(reference->name));
}

int spc_resolves(SpcElement* e) {
  Check check = {e->model, 0};
  spc_references(e, findTarget, &check);
  return !check.missing;
}
