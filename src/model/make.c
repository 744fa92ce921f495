// mjModel as a memory object: make, copy, delete. One buffer holds all arrays, in the order of the field table.
#include "model/make.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/fields.h"
#include "model/names.h"

//---------------------------------- sizes -------------------------------------------------------------------------

// 1: a size that may exceed the range of int, because its array holds bytes or nothing is indexed by it
static int isWide(const char* name) {
  return !strcmp(name, "ntexdata") || !strcmp(name, "ntextdata") || !strcmp(name, "narena") || !strcmp(name, "nbuffer");
}

// smallest value of a size: three limits are -1 where the user set none
static mjtSize least(const char* name) {
  return !strcmp(name, "nemax") || !strcmp(name, "njmax") || !strcmp(name, "nconmax") ? -1 : 0;
}

int mdl_deriveSizes(mjModel* m, char* error, int error_sz) {
  // every size is a count; indices are ints
  for (int i = 0; i < mdl_nsizes; i++) {
    const mjtSize size = mdl_size(m, i);
    if (size < least(mdl_sizes[i].name)) {
      snprintf(error, error_sz, "Invalid model: %s is negative (%lld)", mdl_sizes[i].name, (long long)size);
      return 0;
    }
    if (size >= INT_MAX && !isWide(mdl_sizes[i].name)) {
      snprintf(error, error_sz, "Invalid model: %s is %lld, must be below %d", mdl_sizes[i].name, (long long)size,
               INT_MAX);
      return 0;
    }
  }

  // the world always exists
  if (m->nbody == 0) {
    snprintf(error, error_sz, "Invalid model: nbody is 0, there must be a world body");
    return 0;
  }

  // hash table of names
  const mjtSize named = mdl_namedObjects(m);
  if (named >= INT_MAX / MDL_NAME_SLOTS) {
    snprintf(error, error_sz, "Invalid model: too many named objects (%lld)", (long long)named);
    return 0;
  }
  m->nnames_map = MDL_NAME_SLOTS * named;

  // buffer
  const char* culprit = "";
  m->nbuffer = mdl_layoutSize(mdl_modelFields, mdl_nmodelFields, m, &culprit);
  if (m->nbuffer < 0) {
    snprintf(error, error_sz, "Invalid model: %s is too large", culprit);
    return 0;
  }
  return 1;
}

//---------------------------------- make, copy, delete ------------------------------------------------------------

mjModel* mdl_make(mjModel* dest, const mjModel* sizes) {
  // complete the sizes
  mjModel header;
  memset(&header, 0, sizeof(header));
  memcpy(&header, sizes, offsetof(mjModel, opt));
  char error[200];
  if (!mdl_deriveSizes(&header, error, sizeof(error))) {
    mju_warning("%s", error);
    return NULL;
  }

  // take memory before touching dest
  header.buffer = bas_tryMalloc((size_t)header.nbuffer);
  mjModel* const m = dest ? dest : bas_tryMalloc(sizeof(mjModel));
  if (!header.buffer || !m) {
    mju_free(header.buffer);
    if (!dest) mju_free(m);
    mju_error("mj_makeModel: could not allocate a model of %lld bytes", (long long)header.nbuffer);
    return NULL;
  }
  if (dest) mju_free(dest->buffer);

  // empty arrays, default settings
  memset(header.buffer, 0, (size_t)header.nbuffer);
  *m = header;
  mdl_layoutPlace(mdl_modelFields, mdl_nmodelFields, m, m, m->buffer);
  mj_defaultOption(&m->opt);
  mj_defaultVisual(&m->vis);
  mdl_defaultStatistic(&m->stat);
  return m;
}

// copies struct and arrays; with visual_only the arrays that drawing does not need stay as they are in dest
static void copyInto(mjModel* dest, const mjModel* src, int visual_only) {
  // the struct without its pointers
  void* const buffer = dest->buffer;
  *dest = *src;
  dest->buffer = buffer;
  mdl_layoutPlace(mdl_modelFields, mdl_nmodelFields, dest, dest, buffer);

  for (int i = 0; i < mdl_nmodelFields; i++) {
    const MdlField* f = mdl_modelFields + i;
    const size_t bytes = mdl_bytes(f, src, NULL);
    if (bytes && (f->visual || !visual_only)) memcpy(*mdl_pointer(f, dest), *mdl_pointer(f, src), bytes);
  }
}

mjModel* mj_copyModel(mjModel* dest, const mjModel* src) {
  if (!src) {
    mju_error("mj_copyModel: src is NULL");
    return NULL;
  }
  mjModel* const target = dest ? dest : mdl_make(NULL, src);
  if (!target) return NULL;
  if (target->nbuffer != src->nbuffer) {
    if (!dest) mj_deleteModel(target);
    mju_error("mj_copyModel: dest and src models have different buffer size (%lld and %lld)",
              (long long)target->nbuffer, (long long)src->nbuffer);
    return NULL;
  }
  if (target != src) copyInto(target, src, 0);
  return target;
}

void mjv_copyModel(mjModel* dest, const mjModel* src) {
  if (!dest || !src) {
    mju_error("mjv_copyModel: %s is NULL", dest ? "src" : "dest");
    return;
  }
  if (dest->nbuffer != src->nbuffer) {
    mju_error("mjv_copyModel: dest and src models have different buffer size (%lld and %lld)", (long long)dest->nbuffer,
              (long long)src->nbuffer);
    return;
  }
  if (dest != src) copyInto(dest, src, 1);
}

void mj_deleteModel(mjModel* m) {
  if (!m) return;
  mju_free(m->buffer);
  mju_free(m);
}
