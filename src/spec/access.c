// mjs_get*, mjs_find*, mjs_set*: reading and writing elements through the public interface.
#include <string.h>

#include "base/path.h"
#include "spec/element.h"
#include "spec/names.h"

// -------------------------------------------------------------------------------------------- typed views

// clang-format off
#define AS(Name, kindId)                                                    \
  mjs##Name* mjs_as##Name(mjsElement* element) {                            \
    return element && spc_head(element)->kind == (kindId) ? spc_head(element)->spec : NULL; \
  }
AS(Body, SPC_BODY) AS(Geom, SPC_GEOM) AS(Joint, SPC_JOINT) AS(Site, SPC_SITE) AS(Camera, SPC_CAMERA)
AS(Light, SPC_LIGHT) AS(Frame, SPC_FRAME) AS(Actuator, SPC_ACTUATOR) AS(Sensor, SPC_SENSOR) AS(Flex, SPC_FLEX)
AS(Pair, SPC_PAIR) AS(Equality, SPC_EQUALITY) AS(Exclude, SPC_EXCLUDE) AS(Tendon, SPC_TENDON)
AS(Numeric, SPC_NUMERIC) AS(Text, SPC_TEXT) AS(Tuple, SPC_TUPLE) AS(Key, SPC_KEY) AS(Mesh, SPC_MESH)
AS(HField, SPC_HFIELD) AS(Skin, SPC_SKIN) AS(Texture, SPC_TEXTURE) AS(Material, SPC_MATERIAL) AS(Plugin, SPC_PLUGIN)
#undef AS
    // clang-format on

    // -------------------------------------------------------------------------------------------- find

    mjSpec* mjs_getSpec(mjsElement* element) {
  return &spc_head(element)->model->spec;
}

mjSpec* mjs_findSpec(mjSpec* s, const char* name) {
  SpcModel* model = spc_model(s);
  for (int i = 0; i < model->models.count; i++) {
    mjSpec* child = model->models.at[i]->spec;
    mjSpec* found = spc_textIs(child->modelname, name) ? child : mjs_findSpec(child, name);
    if (found) return found;
  }
  return NULL;
}

mjsBody* mjs_findBody(mjSpec* s, const char* name) {
  SpcElement* e = spc_find(spc_model(s), SPC_BODY, name);
  return e ? e->spec : NULL;
}

// an asset without a name is known by its file, without folder and extension
static SpcElement* findByFile(const SpcModel* model, SpcKindId kind, const char* name) {
  const SpcList* list = &model->list[kind];
  for (int i = 0; i < list->count; i++) {
    const char* file = spc_fileName(list->at[i]);
    const size_t length = strlen(name);
    if (!spc_textEmpty(&list->at[i]->name) || strncmp(file, name, length)) continue;
    if (!file[length] || file + length == bas_pathExtension(file)) return list->at[i];
  }
  return NULL;
}

mjsElement* mjs_findElement(mjSpec* s, mjtObj type, const char* name) {
  const SpcKindId kind = spc_kindOf(type);
  if (kind == SPC_KINDS || kind == SPC_MODEL || !*name) return NULL;
  SpcElement* e = spc_find(spc_model(s), kind, name);
  if (!e && (kind == SPC_MESH || kind == SPC_TEXTURE)) e = findByFile(spc_model(s), kind, name);
  return e ? &e->base : NULL;
}

mjsBody* mjs_findChild(mjsBody* body, const char* name) {
  const SpcBody* parent = (SpcBody*)spc_head(body->element);
  if (spc_textIs(&parent->head.name, name)) return body;
  for (int i = 0; i < parent->child[SPC_BODY].count; i++) {
    mjsBody* found = mjs_findChild(parent->child[SPC_BODY].at[i]->spec, name);
    if (found) return found;
  }
  return NULL;
}

mjsFrame* mjs_findFrame(mjSpec* s, const char* name) {
  SpcElement* e = spc_find(spc_model(s), SPC_FRAME, name);
  return e ? e->spec : NULL;
}

mjsBody* mjs_getParent(mjsElement* element) {
  SpcBody* body = spc_head(element)->body;
  return body ? &body->spec : NULL;
}

mjsFrame* mjs_getFrame(mjsElement* element) {
  SpcFrame* frame = spc_head(element)->frame;
  return frame ? &frame->spec : NULL;
}

mjsDefault* mjs_getDefault(mjsElement* element) {
  SpcDefault* class = spc_head(element)->class;
  return class ? &class->spec : NULL;
}

mjsDefault* mjs_findDefault(mjSpec* s, const char* classname) {
  SpcDefault* class = spc_findDefault(spc_model(s), classname);
  return class ? &class->spec : NULL;
}

mjsDefault* mjs_getSpecDefault(mjSpec* s) {
  return spc_model(s)->list[SPC_DEFAULT].at[0]->spec;
}

int mjs_getId(mjsElement* element) {
  return element ? spc_head(element)->id : -1;
}

// -------------------------------------------------------------------------------------------- tendon paths

int mjs_getWrapNum(const mjsTendon* tendonspec) {
  return ((const SpcTendon*)spc_head(tendonspec->element))->path.count;
}

mjsWrap* mjs_getWrap(const mjsTendon* tendonspec, int i) {
  const SpcTendon* tendon = (const SpcTendon*)spc_head(tendonspec->element);
  if (i < 0 || i >= tendon->path.count) {
    mju_error("mjs_getWrap: index %d is outside a path of %d entries", i, tendon->path.count);
    return NULL;
  }
  return tendon->path.at[i]->spec;
}

mjsElement* mjs_getWrapTarget(mjsWrap* wrap) {
  const SpcWrap* w = (const SpcWrap*)spc_head(wrap->element);
  SpcKindId kind;
  switch (wrap->type) {
    case mjWRAP_SITE:
      kind = SPC_SITE;
      break;
    case mjWRAP_JOINT:
      kind = SPC_JOINT;
      break;
    case mjWRAP_SPHERE:
    case mjWRAP_CYLINDER:
      kind = SPC_GEOM;
      break;
    default:
      return NULL;
  }
  SpcElement* e = spc_find(w->head.model, kind, spc_text(&w->target));
  return e ? &e->base : NULL;
}

mjsSite* mjs_getWrapSideSite(mjsWrap* wrap) {
  const SpcWrap* w = (const SpcWrap*)spc_head(wrap->element);
  if (wrap->type != mjWRAP_SPHERE && wrap->type != mjWRAP_CYLINDER) return NULL;
  SpcElement* e = spc_find(w->head.model, SPC_SITE, spc_text(&w->sidesite));
  return e ? e->spec : NULL;
}

double mjs_getWrapDivisor(mjsWrap* wrap) {
  return wrap->type == mjWRAP_PULLEY ? ((SpcWrap*)spc_head(wrap->element))->prm : 1;
}

double mjs_getWrapCoef(mjsWrap* wrap) {
  return wrap->type == mjWRAP_JOINT ? ((SpcWrap*)spc_head(wrap->element))->prm : 1;
}

// -------------------------------------------------------------------------------------------- names, classes, frames

int mjs_setName(mjsElement* element, const char* name) {
  // the name is set even when it is taken, so that the compiler will complain as well
  SpcElement* e = spc_head(element);
  const SpcElement* other = e->kind == SPC_DEFAULT ? NULL : spc_find(e->model, e->kind, name);
  spc_rename(e, name);
  if (!other || other == e) return 0;
  e->model->repeats = 1;
  return spc_fail(e->model, "Error: repeated name '%s' in %s", name, spc_kinds[e->kind].name);
}

mjString* mjs_getName(mjsElement* element) {
  // the program may write to it
  SpcElement* e = spc_head(element);
  e->model->names.loose = 1;
  return &e->name;
}

void mjs_setDefault(mjsElement* element, const mjsDefault* def) {
  SpcDefault* class = def ? (SpcDefault*)spc_head(def->element) : NULL;
  if (class && class->head.model == spc_head(element)->model) spc_head(element)->class = class;
}

int mjs_setFrame(mjsElement* dest, mjsFrame* frame) {
  if (!dest || !frame) return -1;
  SpcElement* e = spc_head(dest);
  SpcFrame* f = (SpcFrame*)spc_head(frame->element);
  if (f->head.body != e->body) {
    return spc_fail(e->model, "Error: Frame and %s '%s' have mismatched parents\nElement name '%s', id %d",
                    spc_kinds[e->kind].name, spc_text(&e->name), spc_text(&e->name), e->id);
  }

  // a frame may not end up inside itself
  for (const SpcFrame* up = f; up; up = up->head.frame) {
    if (&up->head == e) return spc_fail(e->model, "Error: frame cannot be its own parent");
  }
  e->frame = f;
  return 0;
}

// -------------------------------------------------------------------------------------------- strings, vectors

void mjs_setBuffer(mjByteVec* dest, const void* array, int size) {
  spc_vecSet(dest, array, (size_t)size, 1);
}

void mjs_setString(mjString* dest, const char* text) {
  spc_textSet(dest, text);
}

void mjs_setStringVec(mjStringVec* dest, const char* text) {
  // words separated by white space
  SpcVec made = {0};
  for (const char* p = text; *p;) {
    p += strspn(p, " \t\r\n");
    const size_t length = strcspn(p, " \t\r\n");
    if (!length) break;
    SpcString word = {0};
    spc_textSetN(&word, p, length);
    spc_vecAppend(&made, &word, 1, sizeof(word));
    p += length;
  }
  spc_textsFree(dest);
  *(SpcVec*)dest = made;
}

mjtByte mjs_setInStringVec(mjStringVec* dest, int i, const char* text) {
  if (i < 0 || (size_t)i >= spc_textsCount(dest)) return 0;
  spc_textSet(spc_textsAt(dest, (size_t)i), text);
  return 1;
}

void mjs_appendString(mjStringVec* dest, const char* text) {
  spc_textsAppend(dest, text);
}

void mjs_setInt(mjIntVec* dest, const int* array, int size) {
  spc_vecSet(dest, array, (size_t)size, sizeof(int));
}

void mjs_appendIntVec(mjIntVecVec* dest, const int* array, int size) {
  spc_vecsAppend(dest, array, (size_t)size, sizeof(int));
}

void mjs_setFloat(mjFloatVec* dest, const float* array, int size) {
  spc_vecSet(dest, array, (size_t)size, sizeof(float));
}

void mjs_appendFloatVec(mjFloatVecVec* dest, const float* array, int size) {
  spc_vecsAppend(dest, array, (size_t)size, sizeof(float));
}

void mjs_setDouble(mjDoubleVec* dest, const double* array, int size) {
  spc_vecSet(dest, array, (size_t)size, sizeof(double));
}

const char* mjs_getString(const mjString* source) {
  return spc_text(source);
}

const double* mjs_getDouble(const mjDoubleVec* source, int* size) {
  if (size) *size = (int)spc_vecCount(source, sizeof(double));
  return (const double*)(const void*)((const SpcVec*)source)->begin;
}

// -------------------------------------------------------------------------------------------- values of programs

static SpcUserValue* findValue(const SpcElement* e, const char* key) {
  for (SpcUserValue* v = (void*)e->values.begin; (char*)v < e->values.end; v++) {
    if (spc_textIs(&v->key, key)) return v;
  }
  return NULL;
}

void mjs_setUserValueWithCleanup(mjsElement* element, const char* key, const void* data, void (*cleanup)(const void*)) {
  mjs_deleteUserValue(element, key);
  SpcUserValue made = {.value = data, .cleanup = cleanup};
  spc_textSet(&made.key, key);
  spc_vecAppend(&spc_head(element)->values, &made, 1, sizeof(made));
}

void mjs_setUserValue(mjsElement* element, const char* key, const void* data) {
  mjs_setUserValueWithCleanup(element, key, data, NULL);
}

const void* mjs_getUserValue(mjsElement* element, const char* key) {
  const SpcUserValue* v = findValue(spc_head(element), key);
  return v ? v->value : NULL;
}

void mjs_deleteUserValue(mjsElement* element, const char* key) {
  SpcElement* e = spc_head(element);
  SpcUserValue* v = findValue(e, key);
  if (!v) return;
  if (v->cleanup) v->cleanup(v->value);
  spc_textFree(&v->key);
  spc_vecRemove(&e->values, (size_t)(v - (SpcUserValue*)(void*)e->values.begin), sizeof(*v));
}

// -------------------------------------------------------------------------------------------- messages

const char* mjs_getError(mjSpec* s) {
  return spc_model(s)->error;
}

int mjs_isWarning(mjSpec* s) {
  return spc_model(s)->warning;
}

int mjs_setDeepCopy(mjSpec* s, int deepcopy) {
  spc_model(s)->deepcopy = deepcopy;
  return 0;
}
