// The grow-only list behind the registries of plugins, resource providers and decoders.
#include "base/registry.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// The object's bytes follow the link; entries are published by one atomic store into the previous link.
struct BasEntry {
  BasEntry* next;
  _Alignas(max_align_t) char object[];
};

static BasEntry* following(BasEntry* const* link) {
  return __atomic_load_n(link, __ATOMIC_ACQUIRE);
}

char* bas_copyName(const char* name) {
  if (!name) return NULL;
  const size_t length = strnlen(name, BAS_NAME);
  if (length == BAS_NAME) return NULL;
  char* const copy = malloc(length + 1);
  if (copy) memcpy(copy, name, length + 1);
  return copy;
}

// find or append under the lock; -1 leaves the reason in error
static int place(BasRegistry* registry, const void* object, int* added, char* error, size_t nerror) {
  const BasKind* const kind = registry->kind;
  const char* const key = kind->key(object);

  // an object of this name: the same again, or a conflict
  BasEntry** link = &registry->first;
  int slot = 0;
  for (; *link; link = &(*link)->next, slot++) {
    if (strcasecmp(kind->key((*link)->object), key) != 0) continue;
    if (kind->same(object, (*link)->object)) return slot;
    snprintf(error, nerror, "%s '%s' is already registered", kind->noun, key);
    return -1;
  }

  // a new one goes to the end, complete before it becomes visible
  BasEntry* const entry = malloc(sizeof(BasEntry) + kind->size);
  if (!entry) {
    snprintf(error, nerror, "failed to allocate memory for a new %s", kind->noun);
    return -1;
  }
  entry->next = NULL;
  const char* const wrong = kind->copy(entry->object, object);
  if (wrong) {
    snprintf(error, nerror, "%s", wrong);
    free(entry);
    return -1;
  }
  __atomic_store_n(link, entry, __ATOMIC_RELEASE);
  *added = 1;
  return slot;
}

int bas_register(BasRegistry* registry, const void* object, int* added) {
  char error[2 * BAS_NAME] = "";
  int grown = 0;

  // a name without end cannot even be compared
  if (strnlen(registry->kind->key(object), BAS_NAME) == BAS_NAME) {
    mju_error("length of %s name exceeds the maximum limit of %d", registry->kind->noun, BAS_NAME);
    return -1;
  }

  pthread_mutex_lock(&registry->lock);
  const int slot = place(registry, object, &grown, error, sizeof(error));
  pthread_mutex_unlock(&registry->lock);
  if (added) *added = grown;
  if (slot < 0) mju_error("%s", error);
  return slot;
}

int bas_registered(const BasRegistry* registry) {
  int count = 0;
  for (BasEntry* e = following(&registry->first); e; e = following(&e->next)) count++;
  return count;
}

const void* bas_atSlot(const BasRegistry* registry, int slot) {
  if (slot < 0) return NULL;
  BasEntry* e = following(&registry->first);
  for (; e && slot > 0; slot--) e = following(&e->next);
  return e ? e->object : NULL;
}

const void* bas_byKey(const BasRegistry* registry, const char* key, size_t length, int* slot) {
  if (slot) *slot = -1;
  if (!key || length == 0) return NULL;
  int index = 0;
  for (BasEntry* e = following(&registry->first); e; e = following(&e->next), index++) {
    const char* const name = registry->kind->key(e->object);
    if (strlen(name) != length || strncasecmp(name, key, length) != 0) continue;
    if (slot) *slot = index;
    return e->object;
  }
  return NULL;
}
