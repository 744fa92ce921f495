// The cache of compiled meshes: a list, most recently used first, of copies that together stay below a capacity.
#include "asset/cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/reads.h"

// everything but the file that a compiled mesh depends on; padding is zeroed, so that keys compare as bytes
typedef struct {
  double refpos[3], refquat[4], scale[3];
  int inertia, smoothnormal, needhull, needsdf, maxhullvert;
} Key;

enum { STAMP = sizeof(((mjResource*)NULL)->timestamp) };

typedef struct Entry {
  struct Entry* next;
  Key key;
  char *name, *content_type;
  char timestamp[STAMP];
  AstMesh mesh;
  BasHash hash;  // of bytes, which entries without a name have instead of a mesh
  void* bytes;
  size_t size;
} Entry;

static const size_t DEFAULT_CAPACITY = (size_t)500 << 20;  // bytes

static struct {
  pthread_mutex_t lock;
  Entry* first;
  size_t size, capacity;
  int ready;
} store = {.lock = PTHREAD_MUTEX_INITIALIZER};

// -------------------------------------------------------------------------------------------- copies

// one array of a mesh: where its pointer is and how many bytes it has
typedef struct {
  void** at;
  size_t bytes;
} Array;

enum { NARRAY = 22 };

static void listArrays(AstMesh* m, Array list[NARRAY]) {
  const size_t i = sizeof(int), f = sizeof(float), d = sizeof(double);
  const size_t nvert = (size_t)m->nvert, nface = (size_t)m->nface, npoly = (size_t)m->npoly;
  const size_t nbvh = (size_t)m->bvh.n, noct = (size_t)m->octree.n;
  const Array all[NARRAY] = {
      {(void**)&m->vert,         3 * f * nvert               },
      {(void**)&m->normal,       3 * f * (size_t)m->nnormal  },
      {(void**)&m->texcoord,     2 * f * (size_t)m->ntexcoord},
      {(void**)&m->face,         3 * i * nface               },
      {(void**)&m->facenormal,   3 * i * nface               },
      {(void**)&m->facetexcoord, 3 * i * nface               },
      {(void**)&m->graph,        i * (size_t)m->ngraph       },
      {(void**)&m->polynormal,   3 * d * npoly               },
      {(void**)&m->polyvertadr,  i * npoly                   },
      {(void**)&m->polyvertnum,  i * npoly                   },
      {(void**)&m->polyvert,     i * (size_t)m->npolyvert    },
      {(void**)&m->polymapadr,   i * nvert                   },
      {(void**)&m->polymapnum,   i * nvert                   },
      {(void**)&m->polymap,      i * (size_t)m->npolymap     },
      {(void**)&m->bvh.aabb,     6 * d * nbvh                },
      {(void**)&m->bvh.child,    2 * i * nbvh                },
      {(void**)&m->bvh.depth,    i * nbvh                    },
      {(void**)&m->bvh.nodeid,   i * nbvh                    },
      {(void**)&m->octree.depth, i * noct                    },
      {(void**)&m->octree.child, 8 * i * noct                },
      {(void**)&m->octree.aabb,  6 * d * noct                },
      {(void**)&m->octree.coeff, 8 * d * noct                },
  };
  memcpy(list, all, sizeof(all));
}

// 0: no memory, and copy is empty
static int copyMesh(AstMesh* copy, const AstMesh* mesh, size_t* size) {
  *copy = *mesh;
  Array list[NARRAY];
  listArrays(copy, list);
  int good = 1;
  for (int k = 0; k < NARRAY; k++) {
    const void* const from = *list[k].at;
    if (!from) continue;
    *list[k].at = good ? malloc(list[k].bytes + 1) : NULL;
    good = *list[k].at != NULL;
    if (good) memcpy(*list[k].at, from, list[k].bytes);
    if (good && size) *size += list[k].bytes;
  }
  if (!good) ast_freeMesh(copy);
  return good;
}

static void freeEntry(Entry* entry) {
  if (!entry) return;
  ast_freeMesh(&entry->mesh);
  free(entry->name);
  free(entry->content_type);
  free(entry->bytes);
  free(entry);
}

// -------------------------------------------------------------------------------------------- lookup

static int isCacheable(const AstMeshSource* s) {
  return *s->file && !s->plugin && !s->nvert && !s->nnormal && !s->ntexcoord && !s->nface && !s->nfacenormal &&
         !s->nfacetexcoord;
}

static Key keyOf(const AstMeshSource* s) {
  Key key;
  memset(&key, 0, sizeof(key));
  memcpy(key.refpos, s->refpos, sizeof(key.refpos));
  memcpy(key.refquat, s->refquat, sizeof(key.refquat));
  memcpy(key.scale, s->scale, sizeof(key.scale));
  key.inertia = s->inertia;
  key.smoothnormal = s->smoothnormal;
  key.needhull = s->needhull;
  key.needsdf = s->needsdf;
  key.maxhullvert = s->maxhullvert;
  return key;
}

// both with the lock held
static void setUp(void) {
  if (store.ready) return;
  store.ready = 1;
  store.capacity = DEFAULT_CAPACITY;
}

static void trim(void) {
  while (store.first && store.size > store.capacity) {
    Entry** last = &store.first;
    while ((*last)->next) last = &(*last)->next;
    store.size -= (*last)->size;
    freeEntry(*last);
    *last = NULL;
  }
}

// an entry becomes the one that was used last
static Entry* toFront(Entry** at) {
  Entry* const entry = *at;
  *at = entry->next;
  entry->next = store.first;
  store.first = entry;
  return entry;
}

static void addFirst(Entry* entry) {
  entry->next = store.first;
  store.first = entry;
  store.size += entry->size;
  trim();
}

// where the pointer to the entry is, NULL: none
static Entry** findEntry(const AstMeshSource* s, const mjResource* resource) {
  const Key key = keyOf(s);
  for (Entry** at = &store.first; *at; at = &(*at)->next) {
    if (!(*at)->name || memcmp(&(*at)->key, &key, sizeof(key)) || strcmp((*at)->name, resource->name)) continue;
    if (strcmp((*at)->content_type, s->content_type ? s->content_type : "")) continue;
    return at;
  }
  return NULL;
}

// the time stamp of an entry; 0: there is none
static int readStamp(const AstMeshSource* source, const mjResource* resource, char stamp[STAMP]) {
  pthread_mutex_lock(&store.lock);
  Entry** const at = findEntry(source, resource);
  if (at) memcpy(stamp, (*at)->timestamp, STAMP);
  pthread_mutex_unlock(&store.lock);
  return at != NULL;
}

int ast_cacheFind(const AstMeshSource* source, const mjResource* resource, AstMesh* mesh) {
  // providers are asked without the lock: they may load meshes themselves, wait, or raise
  char stamp[STAMP];
  if (bas_readsWanted() || !isCacheable(source) || !readStamp(source, resource, stamp)) return 0;
  if (mju_isModifiedResource(resource, stamp)) return 0;

  // the entry may have gone, or changed, meanwhile
  pthread_mutex_lock(&store.lock);
  Entry** const at = findEntry(source, resource);
  int found = at && !strcmp((*at)->timestamp, stamp);
  if (found) found = copyMesh(mesh, &toFront(at)->mesh, NULL);
  pthread_mutex_unlock(&store.lock);
  return found;
}

void ast_cacheKeep(const AstMeshSource* source, const mjResource* resource, const AstMesh* mesh) {
  if (!isCacheable(source) || !mj_getCacheCapacity(mj_getCache())) return;
  Entry* const entry = calloc(1, sizeof(Entry));
  if (!entry) return;
  entry->key = keyOf(source);
  entry->name = strdup(resource->name);
  memcpy(entry->timestamp, resource->timestamp, STAMP);
  entry->content_type = strdup(source->content_type ? source->content_type : "");
  entry->size = sizeof(Entry);
  if (!entry->name || !entry->content_type || !copyMesh(&entry->mesh, mesh, &entry->size)) {
    freeEntry(entry);
    return;
  }

  // an older version goes
  pthread_mutex_lock(&store.lock);
  setUp();
  Entry** const at = findEntry(source, resource);
  if (at) {
    Entry* const old = *at;
    *at = old->next;
    store.size -= old->size;
    freeEntry(old);
  }
  addFirst(entry);
  pthread_mutex_unlock(&store.lock);
}

// -------------------------------------------------------------------------------------------- bytes

// with the lock held
static Entry** findBytes(BasHash hash) {
  for (Entry** at = &store.first; *at; at = &(*at)->next) {
    if ((*at)->bytes && bas_sameHash((*at)->hash, hash)) return at;
  }
  return NULL;
}

void* ast_cacheFindBytes(BasHash hash, size_t* size) {
  void* copy = NULL;
  pthread_mutex_lock(&store.lock);
  Entry** const at = findBytes(hash);
  if (at) {
    const Entry* const entry = toFront(at);
    *size = entry->size - sizeof(Entry);
    copy = malloc(*size + 1);
    if (copy) memcpy(copy, entry->bytes, *size);
  }
  pthread_mutex_unlock(&store.lock);
  return copy;
}

void ast_cacheKeepBytes(BasHash hash, const void* bytes, size_t size) {
  if (!mj_getCacheCapacity(mj_getCache())) return;
  Entry* const entry = calloc(1, sizeof(Entry));
  void* const copy = entry ? malloc(size + 1) : NULL;
  if (!copy) {
    free(entry);
    return;
  }
  memcpy(copy, bytes, size);
  entry->hash = hash;
  entry->bytes = copy;
  entry->size = sizeof(Entry) + size;
  pthread_mutex_lock(&store.lock);
  setUp();
  if (findBytes(hash)) {
    freeEntry(entry);
  } else {
    addFirst(entry);
  }
  pthread_mutex_unlock(&store.lock);
}

// -------------------------------------------------------------------------------------------- public functions

mjCache* mj_getCache(void) {
  static mjCache cache = {&store};
  return &cache;
}

size_t mj_getCacheSize(const mjCache* cache) {
  if (!cache || !cache->impl_) return 0;
  pthread_mutex_lock(&store.lock);
  const size_t size = store.size;
  pthread_mutex_unlock(&store.lock);
  return size;
}

size_t mj_getCacheCapacity(const mjCache* cache) {
  if (!cache || !cache->impl_) return 0;
  pthread_mutex_lock(&store.lock);
  setUp();
  const size_t capacity = store.capacity;
  pthread_mutex_unlock(&store.lock);
  return capacity;
}

size_t mj_setCacheCapacity(mjCache* cache, size_t size) {
  if (!cache || !cache->impl_) return 0;
  pthread_mutex_lock(&store.lock);
  setUp();
  store.capacity = size;
  trim();
  const size_t capacity = store.capacity;
  pthread_mutex_unlock(&store.lock);
  return capacity;
}

void mj_clearCache(mjCache* cache) {
  if (!cache || !cache->impl_) return;
  pthread_mutex_lock(&store.lock);
  while (store.first) {
    Entry* const entry = store.first;
    store.first = entry->next;
    freeEntry(entry);
  }
  store.size = 0;
  pthread_mutex_unlock(&store.lock);
}
