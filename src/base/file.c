// Reading whole files; every way in which that can fail has its message.
#include "base/file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// the bytes of an open stream, whose length may differ from what the system says (pipes, growing files)
static void* readAll(FILE* stream, size_t expected, int* size) {
  // a buffer that is not filled has everything; one that is gets doubled
  size_t capacity = expected + 1, used = 0;
  char* buffer = malloc(capacity);
  while (buffer) {
    used += fread(buffer + used, 1, capacity - used, stream);
    if (used < capacity || used > INT_MAX) break;
    capacity *= 2;
    char* const larger = realloc(buffer, capacity);
    if (!larger) free(buffer);
    buffer = larger;
  }

  if (used > INT_MAX) errno = EFBIG;
  if (buffer && (used > INT_MAX || ferror(stream))) {
    free(buffer);
    return NULL;
  }
  *size = (int)used;
  return buffer;
}

void* bas_readFile(const char* path, int* size, char* error, size_t nerror) {
  *size = 0;
  struct stat info;
  FILE* const stream = fopen(path, "rb");
  if (!stream || fstat(fileno(stream), &info)) {
    snprintf(error, nerror, "Error opening file '%s': %s", path, strerror(errno));
    if (stream) fclose(stream);
    return NULL;
  }

  // things that are not files, or that the API cannot count
  const char* wrong = NULL;
  if (S_ISDIR(info.st_mode)) wrong = "it is a directory";
  if (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode)) wrong = "it is a device";
  if (info.st_size > INT_MAX) wrong = "files over 2 GB are not supported";
  if (wrong) {
    snprintf(error, nerror, "Error reading file '%s': %s", path, wrong);
    fclose(stream);
    return NULL;
  }

  errno = ENOMEM;
  void* const buffer = readAll(stream, info.st_size > 0 ? (size_t)info.st_size : 0, size);
  if (!buffer) snprintf(error, nerror, "Error reading file '%s': %s", path, strerror(errno));
  fclose(stream);
  return buffer;
}
