// The grow-only list behind the registries of plugins, resource providers and decoders.
#include "base/registry.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// Objects of a block. Neighbours lie side by side, so that a search touches few lines; a block never moves.
#define OBJECTS_PER_BLOCK 16

struct BasBlock {
  BasBlock* next;
  _Alignas(max_align_t) char objects[];
};

// place of an object in its block, which must exist
static char* placeOf(const BasRegistry* registry, int slot) {
  BasBlock* block = registry->first;
  for (; slot >= OBJECTS_PER_BLOCK; slot -= OBJECTS_PER_BLOCK) block = block->next;
  return block->objects + registry->kind->size * (size_t)slot;
}

char* bas_copyName(const char* name) {
  if (!name) return NULL;
  const size_t length = strnlen(name, BAS_NAME);
  if (length == BAS_NAME) return NULL;
  char* const copy = malloc(length + 1);
  if (copy) memcpy(copy, name, length + 1);
  return copy;
}

// the place behind the last object, in a new block when the last one is full; NULL: memory is short
static char* makePlace(BasRegistry* registry) {
  if (registry->count % OBJECTS_PER_BLOCK == 0) {
    BasBlock** link = &registry->first;
    for (int slot = 0; slot < registry->count; slot += OBJECTS_PER_BLOCK) link = &(*link)->next;

    // a block whose first object could not be copied is still there
    if (!*link) *link = calloc(1, sizeof(BasBlock) + OBJECTS_PER_BLOCK * registry->kind->size);
    if (!*link) return NULL;
  }
  return placeOf(registry, registry->count);
}

// find or append under the lock; -1 leaves the reason in error
static int addObject(BasRegistry* registry, const void* object, int* added, char* error, size_t nerror) {
  const BasKind* const kind = registry->kind;
  const char* const key = kind->key(object);

  // an object of this name: the same again, or a conflict
  for (int slot = 0; slot < registry->count; slot++) {
    const char* const other = placeOf(registry, slot);
    if (strcasecmp(kind->key(other), key) != 0) continue;
    if (kind->same(object, other)) return slot;
    snprintf(error, nerror, "%s '%s' is already registered", kind->noun, key);
    return -1;
  }

  // a new one goes to the end, complete before it becomes visible
  char* const end = makePlace(registry);
  const char* const wrong = end ? kind->copy(end, object) : "failed to allocate memory for a registered object";
  if (wrong) {
    snprintf(error, nerror, "%s", wrong);
    return -1;
  }
  *added = 1;
  __atomic_store_n(&registry->count, registry->count + 1, __ATOMIC_RELEASE);
  return registry->count - 1;
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
  const int slot = addObject(registry, object, &grown, error, sizeof(error));
  pthread_mutex_unlock(&registry->lock);
  if (added) *added = grown;
  if (slot < 0) mju_error("%s", error);
  return slot;
}

int bas_registered(const BasRegistry* registry) {
  return __atomic_load_n(&registry->count, __ATOMIC_ACQUIRE);
}

const void* bas_atSlot(const BasRegistry* registry, int slot) {
  return slot >= 0 && slot < bas_registered(registry) ? placeOf(registry, slot) : NULL;
}

const void* bas_byKey(const BasRegistry* registry, const char* key, size_t length, int* slot) {
  if (slot) *slot = -1;
  if (!key || length == 0) return NULL;
  const int count = bas_registered(registry);
  for (int i = 0; i < count; i++) {
    const char* const object = placeOf(registry, i);
    const char* const name = registry->kind->key(object);
    if (strlen(name) != length || strncasecmp(name, key, length) != 0) continue;
    if (slot) *slot = i;
    return object;
  }
  return NULL;
}
