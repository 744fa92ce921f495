// Lists, ids and names: walks the spec once, makes a resolved struct for every element and finds elements by name.
#include <string.h>

#include "base/path.h"
#include "compile/flex.h"

// one slot of the hash table
struct CmpName {
  const char* name;  // NULL: free
  SpcKindId kind;
  CmpHead* head;
};

// -------------------------------------------------------------------------------------------- names

static size_t hashName(SpcKindId kind, const char* name) {
  uint64_t h = 14695981039346656037u ^ (uint64_t)kind;
  for (; *name; name++) h = (h ^ (unsigned char)*name) * 1099511628211u;
  return (size_t)(h ^ (h >> 29));
}

static CmpName* slotOf(const Cmp* c, SpcKindId kind, const char* name) {
  size_t i = hashName(kind, name) & (c->nslots - 1);
  while (c->names[i].name && (c->names[i].kind != kind || strcmp(c->names[i].name, name)))
    i = (i + 1) & (c->nslots - 1);
  return &c->names[i];
}

void* cmp_find(const Cmp* c, SpcKindId kind, const char* name) {
  if (!*name || kind >= SPC_KINDS) return NULL;
  return slotOf(c, kind, name)->head;
}

void* cmp_findType(const Cmp* c, mjtObj type, const char* name) {
  return cmp_find(c, spc_kindOf(type), name);
}

void cmp_rebind(Cmp* c, SpcKindId kind, const CmpList* before) {
  for (int i = 0; i < before->n; i++) {
    const CmpHead* const head = before->at[i];
    CmpName* const slot = *head->name ? slotOf(c, kind, head->name) : NULL;
    if (slot && slot->name) slot->head = c->list[kind].at[i];
  }
}

void cmp_unbind(Cmp* c, const CmpHead* head, SpcKindId kind) {
  if (*head->name) slotOf(c, kind, head->name)->head = NULL;
}

static void indexNames(Cmp* c) {
  size_t total = 0;
  for (int kind = 0; kind < SPC_KINDS; kind++) total += (size_t)c->list[kind].n;
  c->nslots = 64;
  while (c->nslots < 2 * total) c->nslots *= 2;
  c->names = cmp_alloc(c, c->nslots, sizeof(CmpName));
  for (int kind = 0; kind < SPC_KINDS; kind++) {
    for (int i = 0; i < c->list[kind].n; i++) {
      CmpHead* const head = c->list[kind].at[i];
      if (!*head->name) continue;
      CmpName* const slot = slotOf(c, kind, head->name);
      if (slot->name) cmp_fail(c, NULL, "repeated name '%s' in %s", head->name, spc_kinds[kind].name);
      *slot = (CmpName){head->name, kind, head};
    }
  }
}

// -------------------------------------------------------------------------------------------- lists

// bytes of the resolved struct of a kind, 0: the kind has none
static size_t sizeOf(SpcKindId kind) {
  static const size_t sizes[SPC_KINDS] = {
      [SPC_BODY] = sizeof(CmpBody),         [SPC_FRAME] = sizeof(CmpFrame),
      [SPC_JOINT] = sizeof(CmpJoint),       [SPC_GEOM] = sizeof(CmpGeom),
      [SPC_SITE] = sizeof(CmpSite),         [SPC_CAMERA] = sizeof(CmpCamera),
      [SPC_LIGHT] = sizeof(CmpLight),       [SPC_FLEX] = sizeof(CmpFlex),
      [SPC_MESH] = sizeof(CmpMesh),         [SPC_SKIN] = sizeof(CmpSkin),
      [SPC_HFIELD] = sizeof(CmpHfield),     [SPC_TEXTURE] = sizeof(CmpTexture),
      [SPC_MATERIAL] = sizeof(CmpMaterial), [SPC_PAIR] = sizeof(CmpPair),
      [SPC_EXCLUDE] = sizeof(CmpExclude),   [SPC_EQUALITY] = sizeof(CmpEquality),
      [SPC_TENDON] = sizeof(CmpTendon),     [SPC_ACTUATOR] = sizeof(CmpActuator),
      [SPC_SENSOR] = sizeof(CmpSensor),     [SPC_NUMERIC] = sizeof(CmpNumeric),
      [SPC_TEXT] = sizeof(CmpText),         [SPC_TUPLE] = sizeof(CmpTuple),
      [SPC_KEY] = sizeof(CmpKey),           [SPC_PLUGIN] = sizeof(CmpPluginInstance),
  };
  return sizes[kind];
}

// a resolved struct: head, then a copy of the mjs struct
static CmpHead* resolve(Cmp* c, SpcElement* e) {
  CmpHead* const head = cmp_alloc(c, 1, sizeOf(e->kind));
  head->e = e;
  head->name = spc_text(&e->name);
  head->id = e->id = c->list[e->kind].n;
  memcpy(head + 1, e->spec, spc_kinds[e->kind].size);
  cmp_add(c, &c->list[e->kind], head);
  return head;
}

// name of an asset that has none: its file without folder and extension
static void nameByFile(Cmp* c, CmpHead* head, const SpcString* file) {
  if (*head->name) return;
  const char* const base = bas_pathFile(spc_text(file));
  const char* const extension = bas_pathExtension(base);
  head->name = cmp_text(c, base, *extension ? (size_t)(extension - base) : strlen(base));
}

// A body, what is attached to it, then its child bodies: the order of the compiled model.
static void collectBody(Cmp* c, SpcBody* source, CmpBody* parent) {
  CmpBody* const body = (CmpBody*)resolve(c, &source->head);
  body->parent = parent;
  body->plugin = -1;
  if (parent) cmp_add(c, &parent->bodies, body);
  for (int i = 0; i < source->child[SPC_FRAME].count; i++) resolve(c, source->child[SPC_FRAME].at[i]);
  for (int i = 0; i < source->child[SPC_JOINT].count; i++) {
    CmpJoint* const joint = (CmpJoint*)resolve(c, source->child[SPC_JOINT].at[i]);
    joint->body = body;
    cmp_add(c, &body->joints, joint);
  }
  for (int i = 0; i < source->child[SPC_GEOM].count; i++) {
    CmpGeom* const geom = (CmpGeom*)resolve(c, source->child[SPC_GEOM].at[i]);
    geom->body = body;
    geom->matid = geom->plugin = -1;
    cmp_add(c, &body->geoms, geom);
  }
  for (int i = 0; i < source->child[SPC_SITE].count; i++) {
    CmpSite* const site = (CmpSite*)resolve(c, source->child[SPC_SITE].at[i]);
    site->body = body;
    site->matid = -1;
    cmp_add(c, &body->sites, site);
  }
  for (int i = 0; i < source->child[SPC_CAMERA].count; i++) {
    CmpCamera* const camera = (CmpCamera*)resolve(c, source->child[SPC_CAMERA].at[i]);
    camera->body = body;
    cmp_add(c, &body->cameras, camera);
  }
  for (int i = 0; i < source->child[SPC_LIGHT].count; i++) {
    CmpLight* const light = (CmpLight*)resolve(c, source->child[SPC_LIGHT].at[i]);
    light->body = body;
    light->texid = -1;
    cmp_add(c, &body->lights, light);
  }
  for (int i = 0; i < source->child[SPC_BODY].count; i++) {
    collectBody(c, (SpcBody*)source->child[SPC_BODY].at[i], body);
  }
}

// assets are found by name, so they must have one; a skybox is not referred to
static void checkAssetNames(Cmp* c) {
  static const struct {
    SpcKindId kind;
    const char* what;
  } assets[] = {
      {SPC_MESH,     "mesh"        },
      {SPC_HFIELD,   "height field"},
      {SPC_TEXTURE,  "texture"     },
      {SPC_MATERIAL, "material"    }
  };
  for (int a = 0; a < 4; a++) {
    for (int i = 0; i < cmp_count(c, assets[a].kind); i++) {
      const CmpHead* const head = c->list[assets[a].kind].at[i];
      if (*head->name) continue;
      if (assets[a].kind == SPC_TEXTURE && ((const CmpTexture*)head)->s.type == mjTEXTURE_SKYBOX) continue;
      cmp_fail(c, head->e, "empty name in %s", assets[a].what);
    }
  }
}

// the model may ask for more keyframes than are defined; they stand before those that had to be put together again
static void addBlankKeys(Cmp* c, int defined) {
  enum { MOST = 1 << 22 };  // a line of text can ask for more than any memory holds
  if (c->s.nkey > MOST) cmp_fail(c, NULL, "nkey = %d: more than %d keyframes", c->s.nkey, MOST);
  if (defined >= c->s.nkey) return;

  // they share what is blank about them
  SpcElement* const blank = cmp_alloc(c, 1, sizeof(SpcElement));
  mjsKey* const key = cmp_alloc(c, 1, sizeof(mjsKey));
  SpcVec* const none = cmp_alloc(c, 1, sizeof(SpcVec));
  *key = (mjsKey){.qpos = none, .qvel = none, .act = none, .mpos = none, .mquat = none, .ctrl = none};
  *blank = (SpcElement){.kind = SPC_KEY, .model = c->spec, .spec = key};
  for (int i = defined; i < c->s.nkey; i++) resolve(c, blank);
}

void cmp_collect(Cmp* c, int keys) {
  SpcModel* const spec = c->spec;
  collectBody(c, spec->world, NULL);
  for (int kind = SPC_LIGHT + 1; kind < SPC_KINDS; kind++) {
    if (!sizeOf(kind)) continue;
    for (int i = 0; i < spec->list[kind].count; i++) {
      if (kind == SPC_KEY && i == keys) addBlankKeys(c, keys);
      resolve(c, spec->list[kind].at[i]);
    }
  }
  if (keys == spec->list[SPC_KEY].count) addBlankKeys(c, keys);

  for (int i = 0; i < cmp_count(c, SPC_MESH); i++) {
    CmpMesh* const mesh = CMP_AT(c, SPC_MESH, CmpMesh, i);
    nameByFile(c, &mesh->head, mesh->s.file);
    mesh->plugin = -1;
  }
  for (int i = 0; i < cmp_count(c, SPC_HFIELD); i++) {
    CmpHfield* const hfield = CMP_AT(c, SPC_HFIELD, CmpHfield, i);
    nameByFile(c, &hfield->head, hfield->s.file);
  }
  for (int i = 0; i < cmp_count(c, SPC_TEXTURE); i++) {
    CmpTexture* const texture = CMP_AT(c, SPC_TEXTURE, CmpTexture, i);
    nameByFile(c, &texture->head, texture->s.file);
  }
  for (int i = 0; i < cmp_count(c, SPC_SKIN); i++) {
    CmpSkin* const skin = CMP_AT(c, SPC_SKIN, CmpSkin, i);
    nameByFile(c, &skin->head, skin->s.file);
  }
  checkAssetNames(c);
  cmp_expandJoints(c);
  indexNames(c);
  c->allgeom = (CmpGeom**)c->list[SPC_GEOM].at;
  c->nallgeom = cmp_count(c, SPC_GEOM);
}

void cmp_assertLists(const Cmp* c) {
  for (int kind = 0; kind < SPC_KINDS; kind++) {
    const CmpList* list = &c->list[kind];
    BAS_ASSERT(list->n >= 0 && list->n <= list->room);
    for (int i = 0; i < list->n; i++) {
      const CmpHead* head = list->at[i];
      BAS_ASSERT(head != NULL && head->name != NULL && head->e != NULL);
      BAS_ASSERT(head->id == i);
      BAS_ASSERT((int)head->e->kind == kind);
    }
  }
  BAS_ASSERT((c->nslots & (c->nslots - 1)) == 0);
}

void cmp_number(CmpList* list) {
  for (int i = 0; i < list->n; i++) ((CmpHead*)list->at[i])->id = i;
}

int cmp_checkUser(Cmp* c, const SpcElement* e, const SpcVec* user, int size, const char* where) {
  const int count = (int)spc_vecCount(user, sizeof(double));
  if (count > size) cmp_fail(c, e, "user has more values than %s", where);
  return count;
}
