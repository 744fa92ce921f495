// The folder of compiled models. An entry is a file, named by a hash of the model's name, its first file and the
// version of the library. It holds the other files by name and hash, the warning of the loader, the model as MJB (which
// does not have its signature), and a hash of all this:
//
//   magic │ number of files │ (directory, name, found, hash) … │ warning │ signature │ MJB │ hash
//
// An entry is written under a name of its own and renamed, so that other processes see all of it or nothing. One that
// is cut, damaged or of another version is passed over and written again.
#include "compile/cache.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

static const char MAGIC[8] = "SINEWMC1";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char* folder;

// -------------------------------------------------------------------------------------------- the folder

snStatus sn_cacheModels(const char* path, char* message, int size) {
  char reason[300] = "";
  char* copy = NULL;
  if (path) {
    struct stat info;
    copy = strdup(path);
    if (!copy) {
      snprintf(reason, sizeof(reason), "no memory");
    } else if (mkdir(path, 0777) && errno != EEXIST) {
      snprintf(reason, sizeof(reason), "'%.200s' cannot be made: %s", path, strerror(errno));
    } else if (stat(path, &info) || !S_ISDIR(info.st_mode)) {
      snprintf(reason, sizeof(reason), "'%.200s' is not a folder", path);
    } else if (access(path, W_OK | X_OK)) {
      snprintf(reason, sizeof(reason), "'%.200s' cannot be written to: %s", path, strerror(errno));
    }
  }
  if (message && size > 0) snprintf(message, (size_t)size, *reason ? "sn_cacheModels: %s" : "%s", reason);
  if (*reason) {
    free(copy);
    return SN_ERROR;
  }
  pthread_mutex_lock(&lock);
  char* const old = folder;
  folder = copy;
  pthread_mutex_unlock(&lock);
  free(old);
  return SN_OK;
}

int cmp_cacheOn(void) {
  pthread_mutex_lock(&lock);
  const int on = folder != NULL;
  pthread_mutex_unlock(&lock);
  return on;
}

// the hash of what a resource holds; 0: there is none, or it cannot be read
static int hashResource(const char* directory, const char* name, BasHash* hash) {
  mjResource* const resource = mju_openResource(directory, name, NULL, NULL, 0);
  if (!resource) return 0;
  const void* bytes;
  const int n = mju_readResource(resource, &bytes);
  if (n >= 0) *hash = bas_hashBytes((BasHash)BAS_NO_HASH, bytes, (size_t)n);
  mju_closeResource(resource);
  return n >= 0;
}

// the path of a file under a hash and the version of the library; 0: no folder, or the path is too long
static int pathOf(BasHash hash, const char* ending, char path[PATH_MAX]) {
  const BasHash key = bas_hashBytes(hash, sn_version(), strlen(sn_version()));
  pthread_mutex_lock(&lock);
  const int n =
      folder ? snprintf(path, PATH_MAX, "%s/%016" PRIx64 "%016" PRIx64 ".%s", folder, key.word[0], key.word[1], ending)
             : 0;
  pthread_mutex_unlock(&lock);
  return n > 0 && n < PATH_MAX;
}

// the hash of the entry for a model whose first file has this content
static BasHash entryHash(const char* filename, BasHash content) {
  const BasHash key = bas_hashBytes((BasHash)BAS_NO_HASH, filename, strlen(filename) + 1);
  return bas_hashBytes(key, &content, sizeof(content));
}

// -------------------------------------------------------------------------------------------- reading

// the bytes of an entry that are still to be read; at is NULL after they ended too early
typedef struct {
  const char* at;
  size_t left;
} Cursor;

static const void* nextBytes(Cursor* c, size_t n) {
  const char* const bytes = c->at;
  if (!bytes || n > c->left) {
    c->at = NULL;
    return NULL;
  }
  c->at += n;
  c->left -= n;
  return bytes;
}

static uint64_t nextNumber(Cursor* c) {
  uint64_t number = 0;
  const void* const bytes = nextBytes(c, sizeof(number));
  if (bytes) memcpy(&number, bytes, sizeof(number));
  return number;
}

// a text with its terminator, NULL: it is damaged
static const char* nextText(Cursor* c) {
  const uint64_t n = nextNumber(c);
  const char* const text = nextBytes(c, n);
  return text && n && !text[n - 1] ? text : NULL;
}

// 1: the next file of the entry is as it was
static int isFileSame(Cursor* c) {
  const char* const directory = nextText(c);
  const char* const name = nextText(c);
  const uint64_t found = nextNumber(c);
  const void* const kept = nextBytes(c, sizeof(BasHash));
  if (!directory || !name || !kept) return 0;
  BasHash was, is;
  memcpy(&was, kept, sizeof(was));
  return hashResource(directory, name, &is) ? found && bas_sameHash(was, is) : !found;
}

// the model of an entry, NULL: it is not whole, or something has changed
static mjModel* readEntry(Cursor c, char* message, int size) {
  const void* const magic = nextBytes(&c, sizeof(MAGIC));
  if (!magic || memcmp(magic, MAGIC, sizeof(MAGIC)) != 0) return NULL;

  for (uint64_t nfile = nextNumber(&c); nfile; nfile--) {
    if (!isFileSame(&c)) return NULL;
  }
  const char* const warning = nextText(&c);
  const uint64_t signature = nextNumber(&c);
  mjModel* const m = warning && c.at ? mj_loadModelBuffer(c.at, (int)c.left) : NULL;
  if (!m) return NULL;
  m->signature = signature;
  if (message && size > 0) snprintf(message, (size_t)size, "%s", warning);
  return m;
}

// nothing is believed before the hash at the end is right
void* cmp_cacheFindBytes(BasHash hash, const char* ending, size_t* size) {
  char path[PATH_MAX], error[BAS_MESSAGE];
  int n = 0;
  BasHash end;
  char* const bytes = pathOf(hash, ending, path) ? bas_readFile(path, &n, error, sizeof(error)) : NULL;
  if (bytes && (size_t)n >= sizeof(end)) {
    *size = (size_t)n - sizeof(end);
    memcpy(&end, bytes + *size, sizeof(end));
    if (bas_sameHash(end, bas_hashBytes((BasHash)BAS_NO_HASH, bytes, *size))) return bytes;
  }
  free(bytes);
  return NULL;
}

mjModel* cmp_cacheFind(const char* filename, char* message, int size) {
  BasHash content;
  size_t n;
  if (!hashResource("", filename, &content)) return NULL;
  void* const bytes = cmp_cacheFindBytes(entryHash(filename, content), "mjc", &n);
  mjModel* const m = bytes ? readEntry((Cursor){bytes, n}, message, size) : NULL;
  free(bytes);
  return m;
}

// -------------------------------------------------------------------------------------------- writing

static void putNumber(FILE* file, uint64_t number) {
  fwrite(&number, sizeof(number), 1, file);
}

static void putText(FILE* file, const char* text) {
  const size_t n = strlen(text) + 1;
  putNumber(file, n);
  fwrite(text, 1, n, file);
}

// everything but the hash at the end, in new memory; NULL: there is none
static char* makeEntry(const BasReads* reads, const mjModel* m, const char* message, size_t* size) {
  const mjtSize nmodel = mj_sizeModel(m);
  char* const binary = malloc((size_t)nmodel);
  char* bytes = NULL;
  FILE* const file = binary ? open_memstream(&bytes, size) : NULL;
  if (!file) {
    free(binary);
    return NULL;
  }
  mj_saveModel(m, NULL, binary, (int)nmodel);
  fwrite(MAGIC, 1, sizeof(MAGIC), file);
  putNumber(file, (uint64_t)reads->n);
  for (int i = 0; i < reads->n; i++) {
    const BasRead* const read = &reads->at[i];
    putText(file, read->directory);
    putText(file, read->name);
    putNumber(file, (uint64_t)read->found);
    fwrite(&read->hash, sizeof(read->hash), 1, file);
  }
  putText(file, message);
  putNumber(file, m->signature);
  fwrite(binary, 1, (size_t)nmodel, file);
  free(binary);
  const int bad = ferror(file);
  if (fclose(file) || bad) {
    free(bytes);
    return NULL;
  }
  return bytes;
}

void cmp_cacheKeepBytes(BasHash hash, const char* ending, const void* bytes, size_t size) {
  char path[PATH_MAX], temporary[PATH_MAX + 8];
  if (!pathOf(hash, ending, path)) return;
  snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path);
  const int descriptor = mkstemp(temporary);
  FILE* const file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
  if (file) {
    const BasHash end = bas_hashBytes((BasHash)BAS_NO_HASH, bytes, size);
    const int good = fwrite(bytes, 1, size, file) == size && fwrite(&end, sizeof(end), 1, file) == 1;
    if (fclose(file) || !good || rename(temporary, path)) unlink(temporary);
  } else if (descriptor >= 0) {
    close(descriptor);
    unlink(temporary);
  }
}

void cmp_cacheKeep(const char* filename, const BasReads* reads, const mjModel* m, const char* message) {
  if (reads->failed || m->nplugin || mj_sizeModel(m) > INT_MAX / 2) return;

  // the first file, by whose content the entry is found
  int first = 0;
  while (first < reads->n && strcmp(reads->at[first].name, filename) != 0) first++;
  if (first == reads->n) return;
  size_t n = 0;
  char* const bytes = makeEntry(reads, m, message, &n);
  if (bytes) cmp_cacheKeepBytes(entryHash(filename, reads->at[first].hash), "mjc", bytes, n);
  free(bytes);
}
