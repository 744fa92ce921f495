// The virtual file system: which provider answers for a path, and which resources are open.
// The lists are guarded by a lock that is never held while a provider's function or an error handler runs.
#include "base/vfs.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/path.h"
#include "base/resource.h"

// return values of the mj_*VFS functions
enum { DONE = 0, FAILED = -1, REPEATED = 2 };

// A mount or an open resource; both are an mjResource with a name of their own.
typedef struct Node {
  mjResource resource;  // must be first
  struct Node* next;
} Node;

typedef struct {
  mjVFS* self;
  int temporary;  // stands in for an absent vfs: it goes with the resource opened from it
  pthread_mutex_t lock;
  Node* mounts;  // in the order of mounting
  Node* opened;
} Vfs;

static Node* newNode(mjVFS* vfs, const char* name, const mjpResourceProvider* provider) {
  Node* const node = calloc(1, sizeof(Node));
  char* const copy = strdup(name);
  if (!node || !copy) {
    free(node);
    free(copy);
    return NULL;
  }
  node->resource.name = copy;
  node->resource.vfs = vfs;
  node->resource.provider = provider;
  return node;
}

static void freeNode(Node* node) {
  if (node->resource.data) mju_warning("mjResource::data is not null; did you forget to close/unmount it?");
  free(node->resource.name);
  free(node);
}

static void append(Node** list, Node* node) {
  while (*list) list = &(*list)->next;
  *list = node;
}

// mount at exactly this path, NULL: none
static Node* exactMount(const Vfs* vfs, const char* path, size_t length) {
  for (Node* mount = vfs->mounts; mount; mount = mount->next) {
    const char* const name = mount->resource.name;
    if (!strncmp(name, path, length) && !name[length]) return mount;
  }
  return NULL;
}

// mount at the path or the nearest directory above it; with the lock held
static Node* nearestMount(const Vfs* vfs, const char* path) {
  for (size_t length = strlen(path); length > 0;) {
    Node* const mount = exactMount(vfs, path, length);
    if (mount) return mount;
    while (length > 0 && path[length - 1] != '/' && path[length - 1] != '\\') length--;
    if (length > 0) length--;
  }
  return NULL;
}

// number of characters in which two paths end alike, in any letter case
static size_t commonTail(const char* a, const char* b) {
  const char *i = a + strlen(a), *j = b + strlen(b);
  size_t n = 0;
  while (i > a && j > b && tolower((unsigned char)*--i) == tolower((unsigned char)*--j)) n++;
  return n;
}

// The mount whose last part is that of the path, in any letter case; with the lock held. Of several, the one that
// agrees with most of the path, and of equals the newest.
static Node* namesake(const Vfs* vfs, const char* path) {
  const char* const file = bas_pathFile(path);
  Node* best = NULL;
  size_t most = 0;
  for (Node* mount = vfs->mounts; mount; mount = mount->next) {
    const char* const name = mount->resource.name;
    const size_t tail = commonTail(name, path);
    if (strcasecmp(bas_pathFile(name), file) != 0 || tail < most) continue;
    best = mount;
    most = tail;
  }
  return best;
}

// mount a provider at a path that is already in its final form
static int mountAt(Vfs* vfs, const char* path, const mjpResourceProvider* provider) {
  Node* const node = newNode(vfs->self, path, provider);
  if (!node) return FAILED;

  // the provider's own preparation runs only for a path that is free
  pthread_mutex_lock(&vfs->lock);
  int taken = exactMount(vfs, path, strlen(path)) != NULL;
  pthread_mutex_unlock(&vfs->lock);
  if (taken) {
    freeNode(node);
    return REPEATED;
  }
  if (provider->mount) provider->mount(&node->resource);

  // another thread may have been faster
  pthread_mutex_lock(&vfs->lock);
  taken = exactMount(vfs, path, strlen(path)) != NULL;
  if (!taken) append(&vfs->mounts, node);
  pthread_mutex_unlock(&vfs->lock);
  if (!taken) return DONE;
  if (provider->unmount) provider->unmount(&node->resource);
  freeNode(node);
  return REPEATED;
}

static int unmountAt(Vfs* vfs, const char* path) {
  pthread_mutex_lock(&vfs->lock);
  Node** link = &vfs->mounts;
  while (*link && strcmp((*link)->resource.name, path) != 0) link = &(*link)->next;
  Node* const mount = *link;
  if (mount) *link = mount->next;
  pthread_mutex_unlock(&vfs->lock);
  if (!mount) return FAILED;

  // buffers free themselves here
  if (mount->resource.provider->unmount) mount->resource.provider->unmount(&mount->resource);
  freeNode(mount);
  return DONE;
}

// the implementation behind a public vfs; NULL after an error
static Vfs* implementation(const mjVFS* vfs) {
  if (vfs && vfs->impl_) return vfs->impl_;
  mju_error("mjVFS is null.");
  return NULL;
}

// 0: no memory
static int makeVfs(mjVFS* vfs) {
  Vfs* const impl = calloc(1, sizeof(Vfs));
  vfs->impl_ = impl;
  if (!impl) return 0;
  impl->self = vfs;
  pthread_mutex_init(&impl->lock, NULL);
  return 1;
}

void mj_defaultVFS(mjVFS* vfs) {
  if (!vfs) {
    mju_error("mjVFS is null.");
  } else if (!makeVfs(vfs)) {
    mju_error("Could not allocate memory");
  }
}

void mj_deleteVFS(mjVFS* vfs) {
  if (!vfs || !vfs->impl_) return;
  Vfs* const impl = vfs->impl_;
  vfs->impl_ = NULL;

  // a resource that is still open ends with its file system
  size_t nopen = 0;
  for (const Node* node = impl->opened; node; node = node->next) nopen++;
  if (nopen) mju_warning("VFS destroyed with %zu open resources. Resources will be invalidated.", nopen);
  for (Node *node = impl->opened, *next; node; node = next) {
    next = node->next;
    if (node->resource.provider->close) node->resource.provider->close(&node->resource);
    freeNode(node);
  }

  for (Node *node = impl->mounts, *next; node; node = next) {
    next = node->next;
    if (node->resource.provider->unmount) node->resource.provider->unmount(&node->resource);
    freeNode(node);
  }
  pthread_mutex_destroy(&impl->lock);
  free(impl);
}

int mj_mountVFS(mjVFS* vfs, const char* filepath, const mjpResourceProvider* provider) {
  Vfs* const impl = implementation(vfs);
  if (!impl || !filepath || !provider) return FAILED;
  char* const path = bas_pathJoin("", filepath);
  if (!path) return FAILED;
  const int status = mountAt(impl, path, provider);
  free(path);
  return status;
}

int mj_unmountVFS(mjVFS* vfs, const char* filename) {
  Vfs* const impl = implementation(vfs);
  if (!impl || !filename) return FAILED;
  char* const path = bas_pathJoin("", filename);
  if (!path) return FAILED;
  const int status = unmountAt(impl, path);
  free(path);
  return status;
}

// mount bytes (taken over) at a path (taken over)
static int mountBuffer(Vfs* vfs, char* path, void* bytes, int n) {
  mjpResourceProvider* const buffer = path && bytes ? bas_newBuffer(bytes, n) : NULL;
  int status = FAILED;
  if (buffer) {
    status = mountAt(vfs, path, buffer);
    bas_dropBuffer(buffer);
  }
  free(path);
  return status;
}

int mj_addFileVFS(mjVFS* vfs, const char* directory, const char* filename) {
  Vfs* const impl = implementation(vfs);
  if (!impl || !filename) return FAILED;
  char* const full = bas_pathJoin(directory, filename);
  if (!full) return FAILED;

  // files are known by their bare name in lower case; one whose name is taken is not read
  char* const path = bas_pathLowerFile(full);
  pthread_mutex_lock(&impl->lock);
  const int taken = path && exactMount(impl, path, strlen(path));
  pthread_mutex_unlock(&impl->lock);
  char error[1024];
  int n = 0;
  void* const bytes = path && !taken ? bas_readFile(full, &n, error, sizeof(error)) : NULL;
  free(full);
  if (bytes) return mountBuffer(impl, path, bytes, n);
  free(path);
  return taken ? REPEATED : FAILED;
}

int mj_addBufferVFS(mjVFS* vfs, const char* name, const void* buffer, int nbuffer) {
  Vfs* const impl = implementation(vfs);
  if (!impl || !name || nbuffer < 0 || (!buffer && nbuffer)) return FAILED;

  // buffers are known by their whole path
  char* const path = bas_pathJoin("", name);
  char* const bytes = path ? malloc((size_t)nbuffer + 1) : NULL;
  if (!bytes) {
    free(path);
    return FAILED;
  }
  if (nbuffer) memcpy(bytes, buffer, (size_t)nbuffer);
  return mountBuffer(impl, path, bytes, nbuffer);
}

int mj_deleteFileVFS(mjVFS* vfs, const char* filename) {
  Vfs* const impl = implementation(vfs);
  if (!impl || !filename) return FAILED;

  // by path as buffers are known, then by bare name as files are
  char* const path = bas_pathJoin("", filename);
  char* const lower = path ? bas_pathLowerFile(path) : NULL;
  int status = FAILED;
  if (lower) {
    status = unmountAt(impl, path);
    if (status != DONE) status = unmountAt(impl, lower);
  }
  free(path);
  free(lower);
  return status;
}

// Who answers for a path, and the data of its mount (which the provider finds in the resource it opens). A buffer is
// held, so that it stays when its mount ends.
typedef struct {
  const mjpResourceProvider* provider;
  void* data;
} Answer;

static Answer answerFor(Vfs* vfs, const char* path) {
  // a provider registered for the path's prefix is mounted when it is first needed
  const mjpResourceProvider* const registered = mjp_getResourceProvider(path);
  pthread_mutex_lock(&vfs->lock);
  const Node* mount = nearestMount(vfs, path);
  pthread_mutex_unlock(&vfs->lock);
  if (!mount && registered) mountAt(vfs, registered->prefix, registered);

  // look again: the lists may have changed, and the answer is copied while they cannot
  pthread_mutex_lock(&vfs->lock);
  mount = nearestMount(vfs, path);
  if (!mount && registered) mount = exactMount(vfs, registered->prefix, strlen(registered->prefix));
  if (!mount) mount = namesake(vfs, path);
  Answer answer = {&bas_diskProvider, NULL};
  if (mount) answer = (Answer){mount->resource.provider, mount->resource.data};
  bas_holdBuffer(answer.provider);
  pthread_mutex_unlock(&vfs->lock);
  return answer;
}

// open at a path in its final form; the reason of a failure goes to error
static mjResource* openAt(Vfs* vfs, const char* path, const char* name, char* error, size_t nerror) {
  const Answer answer = answerFor(vfs, path);
  Node* const node = newNode(vfs->self, path, answer.provider);
  if (!node) {
    bas_dropBuffer(answer.provider);
    if (error) snprintf(error, nerror, "could not allocate memory");
    return NULL;
  }

  // the provider sees its mount's data and may replace it by the resource's own
  node->resource.data = answer.data;
  errno = 0;
  const int opened = answer.provider->open(&node->resource);
  const int reason = errno;
  if (node->resource.data == answer.data) node->resource.data = NULL;
  if (!opened) {
    bas_dropBuffer(answer.provider);
    freeNode(node);
    if (!error) return NULL;
    if (answer.provider == &bas_diskProvider && reason) {
      snprintf(error, nerror, "Error opening file '%s': %s", path, strerror(reason));
    } else {
      snprintf(error, nerror, "Error opening file '%s'", name);
    }
    return NULL;
  }

  pthread_mutex_lock(&vfs->lock);
  node->next = vfs->opened;
  vfs->opened = node;
  pthread_mutex_unlock(&vfs->lock);
  return &node->resource;
}

// a file system that lives on the heap until its resource is closed
static mjVFS* newTemporary(void) {
  mjVFS* const vfs = calloc(1, sizeof(mjVFS));
  if (!vfs) return NULL;
  if (!makeVfs(vfs)) {
    free(vfs);
    return NULL;
  }
  ((Vfs*)vfs->impl_)->temporary = 1;
  return vfs;
}

static void deleteIfTemporary(Vfs* vfs) {
  if (!vfs->temporary) return;
  mjVFS* const self = vfs->self;
  mj_deleteVFS(self);
  free(self);
}

mjResource* bas_vfsOpen(mjVFS* vfs, const char* dir, const char* name, char* error, size_t nerror) {
  mjVFS* const used = vfs ? vfs : newTemporary();
  if (!used) {
    if (error) snprintf(error, nerror, "could not allocate memory");
    return NULL;
  }
  Vfs* const impl = implementation(used);
  char* const path = impl ? bas_pathJoin(dir, name) : NULL;
  mjResource* resource = NULL;
  if (path) {
    resource = openAt(impl, path, name, error, nerror);
  } else if (impl && error) {
    snprintf(error, nerror, "could not allocate memory");
  }
  if (impl && !resource) deleteIfTemporary(impl);
  free(path);
  return resource;
}

void bas_vfsClose(mjResource* resource) {
  Vfs* const vfs = resource->vfs->impl_;
  if (!vfs) return;

  // only what is known to be open is closed
  pthread_mutex_lock(&vfs->lock);
  Node** link = &vfs->opened;
  while (*link && &(*link)->resource != resource) link = &(*link)->next;
  Node* const node = *link;
  if (node) *link = node->next;
  pthread_mutex_unlock(&vfs->lock);
  if (!node) return;

  if (resource->provider->close) resource->provider->close(resource);
  freeNode(node);
  deleteIfTemporary(vfs);
}
