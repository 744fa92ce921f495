// Path arithmetic on strings; nothing here touches the file system.
#include "base/path.h"

#include <ctype.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

static int isSeparator(char c) {
  return c == '/' || c == '\\';
}

size_t bas_pathRoot(const char* path) {
  if (!path || !path[0]) return 0;
  const mjpResourceProvider* const provider = mjp_getResourceProvider(path);
  if (provider) return strlen(provider->prefix) + 1;
  if (isSeparator(path[0])) return 1;

  // a drive or a URI
  const char* place = strstr(path, ":/");
  if (!place) place = strstr(path, ":\\");
  return place ? (size_t)(place - path) + 2 : 0;
}

// Resolve "." and ".." in place behind the root. A ".." takes back the directory before it unless that is a ".."
// itself; the last part, which may be empty, is kept as it is.
static void reduce(char* path) {
  const size_t root = bas_pathRoot(path);
  char* const base = path + root;
  char* out = base;
  for (const char* part = base;;) {
    const char* end = part;
    while (*end && !isSeparator(*end)) end++;
    const size_t length = (size_t)(end - part);

    // last part
    if (!*end) {
      memmove(out, part, length);
      out[length] = '\0';
      return;
    }

    // the directory written last, if any, starts at back and ends before the separator at out[-1]
    char* back = out;
    if (back > base) {
      back--;
      while (back > base && back[-1] != '/') back--;
    }
    const int backIsUp = out - back == 3 && back[0] == '.' && back[1] == '.';
    if (length == 2 && part[0] == '.' && part[1] == '.' && out > base && !backIsUp) {
      out = back;
    } else if (!(length == 1 && part[0] == '.')) {
      memmove(out, part, length);
      out += length;
      *out++ = '/';
    }
    part = end + 1;
  }
}

char* bas_pathJoin(const char* dir, const char* name) {
  if (!dir || bas_pathRoot(name)) dir = "";
  const size_t ndir = strlen(dir);
  const int separate = ndir > 0 && !isSeparator(dir[ndir - 1]);
  const size_t length = ndir + (size_t)separate + strlen(name);
  char* const path = malloc(length + 1);
  if (!path) return NULL;
  snprintf(path, length + 1, "%s%s%s", dir, separate ? "/" : "", name);
  reduce(path);
  return path;
}

size_t bas_pathDirLength(const char* path) {
  const size_t length = (size_t)(bas_pathFile(path) - path);
  if (length) return length;
  const mjpResourceProvider* const provider = mjp_getResourceProvider(path);
  return provider ? strlen(provider->prefix) + 1 : 0;
}

const char* bas_pathFile(const char* path) {
  const char* file = path;
  for (const char* c = path; *c; c++) {
    if (isSeparator(*c)) file = c + 1;
  }
  return file;
}

const char* bas_pathExtension(const char* path) {
  const char* const dot = strrchr(path, '.');
  return dot ? dot : "";
}

char* bas_pathLowerFile(const char* path) {
  const char* const file = bas_pathFile(path);
  const size_t length = strlen(file);
  char* const lower = malloc(length + 1);
  if (!lower) return NULL;
  for (size_t i = 0; i <= length; i++) lower[i] = (char)tolower((unsigned char)file[i]);
  return lower;
}
