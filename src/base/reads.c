// Lists of what was read. Loading is rare and reading a file takes longer than a lock, so one lock serves all lists.
#include "base/reads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static BasReads* lists;

int bas_readsWanted(void) {
  return __atomic_load_n(&lists, __ATOMIC_ACQUIRE) != NULL;
}

void bas_startReads(BasReads* reads) {
  pthread_mutex_lock(&lock);
  reads->next = lists;
  __atomic_store_n(&lists, reads, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&lock);
}

void bas_stopReads(BasReads* reads) {
  pthread_mutex_lock(&lock);
  BasReads** at = &lists;
  while (*at && *at != reads) at = &(*at)->next;
  if (*at) __atomic_store_n(at, reads->next, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&lock);
}

void bas_freeReads(BasReads* reads) {
  for (int i = 0; i < reads->n; i++) {
    free(reads->at[i].directory);
    free(reads->at[i].name);
  }
  free(reads->at);
  *reads = (BasReads){0};
}

static void addRead(BasReads* reads, const char* directory, const char* name, const mjResource* resource) {
  if (reads->n == reads->room) {
    const int room = reads->room ? 2 * reads->room : 32;
    BasRead* const larger = realloc(reads->at, (size_t)room * sizeof(*larger));
    if (!larger) {
      reads->failed = 1;
      return;
    }
    reads->at = larger;
    reads->room = room;
  }
  BasRead* const read = &reads->at[reads->n++];
  *read = (BasRead){.directory = strdup(directory ? directory : ""),
                    .name = strdup(name),
                    .found = resource != NULL,
                    .hash = BAS_NO_HASH,
                    .resource = resource};
  if (!read->directory || !read->name) reads->failed = 1;
}

void bas_noteOpen(const char* directory, const char* name, const mjResource* resource) {
  pthread_mutex_lock(&lock);
  for (BasReads* reads = lists; reads; reads = reads->next) addRead(reads, directory, name, resource);
  pthread_mutex_unlock(&lock);
}

void bas_noteRead(const mjResource* resource, const void* bytes, int n) {
  const BasHash hash = bas_hashBytes((BasHash)BAS_NO_HASH, bytes, (size_t)n);
  pthread_mutex_lock(&lock);
  for (BasReads* reads = lists; reads; reads = reads->next) {
    // the last that was opened at this address: earlier ones are closed
    int i = reads->n - 1;
    while (i >= 0 && reads->at[i].resource != resource) i--;
    if (i >= 0) reads->at[i].hash = hash;
  }
  pthread_mutex_unlock(&lock);
}
