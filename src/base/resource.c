// Resources: the public functions, and the providers for files and for buffers.
// A time stamp tells two contents apart: a file's is its modification time, a buffer's a hash of its bytes.
#include "base/resource.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base64.h"
#include "base/file.h"
#include "base/path.h"
#include "base/reads.h"
#include "base/vfs.h"

// An open file: read when first asked for.
typedef struct {
  time_t mtime;
  void* bytes;  // NULL: not read yet
  int size;
} DiskFile;

static int openDisk(mjResource* resource) {
  struct stat info;
  resource->data = NULL;
  if (stat(resource->name, &info)) return 0;
  if (S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return 0;
  }
  DiskFile* const file = calloc(1, sizeof(DiskFile));
  if (!file) return 0;
  file->mtime = info.st_mtime;
  resource->data = file;
  bas_encodeBase64(resource->timestamp, (const uint8_t*)&file->mtime, sizeof(file->mtime));
  return 1;
}

static int readDisk(mjResource* resource, const void** buffer) {
  DiskFile* const file = resource->data;
  char error[1024];
  if (!file->bytes) file->bytes = bas_readFile(resource->name, &file->size, error, sizeof(error));
  *buffer = file->bytes;
  if (file->bytes) return file->size;
  mju_warning("%s", error);
  return -1;
}

static void closeDisk(mjResource* resource) {
  DiskFile* const file = resource->data;
  if (file) free(file->bytes);
  free(file);
  resource->data = NULL;
}

// sign of (our time - the stamp's); an unreadable stamp counts as old
static int diskModified(const mjResource* resource, const char* timestamp) {
  time_t stamp;
  if (bas_decodeBase64((uint8_t*)&stamp, sizeof(stamp), timestamp) != sizeof(stamp)) return 1;
  const time_t mtime = ((const DiskFile*)resource->data)->mtime;
  return (mtime > stamp) - (mtime < stamp);
}

const mjpResourceProvider bas_diskProvider = {
    .open = openDisk, .read = readDisk, .close = closeDisk, .modified = diskModified};

// A buffer and its provider. Counted, because a mount may end while a resource opened from it is being read.
typedef struct {
  mjpResourceProvider provider;  // must be first
  int users;
  uint64_t hash;
  void* bytes;
  int size;
} Buffer;

static int openBuffer(mjResource* resource) {
  const Buffer* const buffer = (const Buffer*)resource->provider;
  bas_encodeBase64(resource->timestamp, (const uint8_t*)&buffer->hash, sizeof(buffer->hash));
  return 1;
}

void bas_holdBuffer(const mjpResourceProvider* provider) {
  if (provider->open == openBuffer) __atomic_add_fetch(&((Buffer*)provider)->users, 1, __ATOMIC_RELAXED);
}

void bas_dropBuffer(const mjpResourceProvider* provider) {
  if (provider->open != openBuffer) return;
  Buffer* const buffer = (Buffer*)provider;
  if (__atomic_sub_fetch(&buffer->users, 1, __ATOMIC_ACQ_REL) > 0) return;
  free(buffer->bytes);
  free(buffer);
}

static int readBuffer(mjResource* resource, const void** bytes) {
  const Buffer* const buffer = (const Buffer*)resource->provider;
  *bytes = buffer->bytes;
  return buffer->size;
}

static void closeBuffer(mjResource* resource) {
  bas_dropBuffer((mjpResourceProvider*)resource->provider);
}

static int mountBuffer(mjResource* mount) {
  bas_holdBuffer(mount->provider);
  return 0;
}

static int unmountBuffer(mjResource* mount) {
  bas_dropBuffer(mount->provider);
  return 0;
}

static int bufferModified(const mjResource* resource, const char* timestamp) {
  uint64_t stamp;
  if (bas_decodeBase64((uint8_t*)&stamp, sizeof(stamp), timestamp) != sizeof(stamp)) return 1;
  return ((const Buffer*)resource->provider)->hash != stamp;
}

mjpResourceProvider* bas_newBuffer(void* bytes, int n) {
  Buffer* const buffer = calloc(1, sizeof(Buffer));
  if (!buffer) {
    free(bytes);
    return NULL;
  }
  buffer->provider.open = openBuffer;
  buffer->provider.read = readBuffer;
  buffer->provider.close = closeBuffer;
  buffer->provider.mount = mountBuffer;
  buffer->provider.unmount = unmountBuffer;
  buffer->provider.modified = bufferModified;
  buffer->users = 1;
  buffer->bytes = bytes;
  buffer->size = n;

  // FNV-1a, 64 bits; an empty buffer has the hash 0
  buffer->hash = n ? 0xcbf29ce484222325u : 0;
  for (int i = 0; i < n; i++) buffer->hash = (buffer->hash ^ ((const uint8_t*)bytes)[i]) * 0x100000001b3u;
  return &buffer->provider;
}

mjResource* mju_openResource(const char* dir, const char* name, const mjVFS* vfs, char* error, size_t nerror) {
  if (error && nerror) error[0] = '\0';
  if (!name) {
    if (error) snprintf(error, nerror, "mju_openResource: name is NULL");
    return NULL;
  }

  // const by tradition: opening registers the resource with the file system
  mjResource* const resource = bas_vfsOpen((mjVFS*)vfs, dir, name, error, nerror);
  if (bas_readsWanted()) bas_noteOpen(dir, name, resource);
  return resource;
}

void mju_closeResource(mjResource* resource) {
  if (resource && resource->vfs) bas_vfsClose(resource);
}

int mju_readResource(mjResource* resource, const void** buffer) {
  if (!resource || !resource->provider || !resource->provider->read) return -1;
  const int size = resource->provider->read(resource, buffer);
  if (size >= 0 && bas_readsWanted()) bas_noteRead(resource, *buffer, size);
  return size;
}

void mju_getResourceDir(mjResource* resource, const char** dir, int* ndir) {
  *dir = NULL;
  *ndir = 0;
  if (!resource || !resource->name) return;

  // a provider's prefix belongs to the directory even without a separator
  const mjpResourceProvider* const provider = resource->provider;
  const size_t prefix = provider && provider->prefix ? strlen(provider->prefix) + 1 : 0;
  const size_t length = bas_pathDirLength(resource->name);
  *dir = resource->name;
  *ndir = (int)(length > prefix ? length : prefix);
}

int mju_isModifiedResource(const mjResource* resource, const char* timestamp) {
  if (!resource || !resource->provider || !resource->provider->modified) return 1;
  return resource->provider->modified(resource, timestamp);
}
