// Reading zip archives: the directory at the end lists the files, each stored or deflated.
#include "zip.h"

#include <libdeflate.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
  END_SIZE = 22,
  ENTRY_SIZE = 46,
  LOCAL_SIZE = 30,
  MOST_BYTES = 1 << 28  // of one file
};

typedef struct {
  const unsigned char* bytes;
  size_t size;
  const char* folder;
} Archive;

static unsigned word(const unsigned char* p) {
  return p[0] | (unsigned)p[1] << 8;
}

static uint32_t number(const unsigned char* p) {
  return word(p) | (uint32_t)word(p + 2) << 16;
}

// the record at the end, behind which there may be a comment; NULL: none
static const unsigned char* findEnd(const Archive* a) {
  for (size_t back = END_SIZE; back <= a->size && back < 70000; back++) {
    const unsigned char* const p = a->bytes + a->size - back;
    if (number(p) == 0x06054b50) return p;
  }
  return NULL;
}

// 1: the name stays below the folder
static int isInside(const char* name) {
  if (name[0] == '/' || strchr(name, '\\')) return 0;
  for (const char* part = name; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL) {
    if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || !part[2])) return 0;
  }
  return 1;
}

// folders on the way to a file
static void makeFolders(char* path) {
  for (char* slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(path, 0777);
    *slash = '/';
  }
}

static int writeFile(const char* path, const void* bytes, size_t size) {
  FILE* const file = fopen(path, "wb");
  const int good = file && fwrite(bytes, 1, size, file) == size;
  if (file) fclose(file);
  return good;
}

// the contents at a local header; 1: written
static int extractOne(const Archive* a, const unsigned char* entry, char* path) {
  const uint32_t packed = number(entry + 20), size = number(entry + 24), at = number(entry + 42);
  const unsigned method = word(entry + 10);
  if (at > a->size || a->size - at < LOCAL_SIZE || size > MOST_BYTES) return 0;
  const unsigned char* const local = a->bytes + at;
  const size_t start = (size_t)at + LOCAL_SIZE + word(local + 26) + word(local + 28);
  if (number(local) != 0x04034b50 || start > a->size || packed > a->size - start) return 0;
  makeFolders(path);
  if (method == 0) return packed == size && writeFile(path, a->bytes + start, size);
  if (method != 8) return 0;
  struct libdeflate_decompressor* const inflate = libdeflate_alloc_decompressor();
  unsigned char* const out = malloc((size_t)size + 1);
  size_t made = 0;
  const int good =
      inflate && out &&
      libdeflate_deflate_decompress(inflate, a->bytes + start, packed, out, size, &made) == LIBDEFLATE_SUCCESS &&
      made == size && writeFile(path, out, size);
  free(out);
  libdeflate_free_decompressor(inflate);
  return good;
}

int zip_extract(const unsigned char* bytes, size_t size, const char* folder) {
  const Archive a = {bytes, size, folder};
  const unsigned char* const end = size >= END_SIZE ? findEnd(&a) : NULL;
  if (!end) return -1;
  const unsigned n = word(end + 10);
  size_t at = number(end + 16);
  int files = 0;
  mkdir(folder, 0777);
  for (unsigned i = 0; i < n; i++) {
    if (at > size || size - at < ENTRY_SIZE || number(bytes + at) != 0x02014b50) return -1;
    const unsigned char* const entry = bytes + at;
    const size_t length = word(entry + 28);
    if (size - at - ENTRY_SIZE < length) return -1;
    char name[512], path[1100];
    if (length >= sizeof(name)) return -1;
    memcpy(name, entry + ENTRY_SIZE, length);
    name[length] = 0;
    if (!isInside(name)) return -1;
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    const int isFolder = !length || name[length - 1] == '/';
    if (!isFolder && !extractOne(&a, entry, path)) return -1;
    files += !isFolder;
    at += ENTRY_SIZE + length + word(entry + 30) + word(entry + 32);
  }
  return files;
}
