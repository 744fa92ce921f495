// Archives that people drop on the page: good ones, cut ones, damaged ones, and names that lead out of the folder.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "web/zip.h"

enum { ROOM = 4096 };

// An archive while it is written: stored files, then the directory.
typedef struct {
  unsigned char bytes[ROOM], directory[ROOM];
  size_t n, ndirectory;
  int files;
} Archive;

static void putNumber(unsigned char* at, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> (8 * i));
}

static void addFile(Archive* a, const char* name, const char* text) {
  const uint32_t length = (uint32_t)strlen(name), size = (uint32_t)strlen(text), start = (uint32_t)a->n;
  unsigned char* const local = a->bytes + a->n;
  putNumber(local, 0x04034b50, 4);
  putNumber(local + 18, size, 4);
  putNumber(local + 22, size, 4);
  putNumber(local + 26, length, 2);
  memcpy(local + 30, name, length);
  memcpy(local + 30 + length, text, size);
  a->n += 30 + length + size;
  unsigned char* const entry = a->directory + a->ndirectory;
  putNumber(entry, 0x02014b50, 4);
  putNumber(entry + 20, size, 4);
  putNumber(entry + 24, size, 4);
  putNumber(entry + 28, length, 2);
  putNumber(entry + 42, start, 4);
  memcpy(entry + 46, name, length);
  a->ndirectory += 46 + length;
  a->files++;
}

static void finish(Archive* a) {
  const uint32_t start = (uint32_t)a->n;
  memcpy(a->bytes + a->n, a->directory, a->ndirectory);
  a->n += a->ndirectory;
  unsigned char* const end = a->bytes + a->n;
  putNumber(end, 0x06054b50, 4);
  putNumber(end + 10, (uint32_t)a->files, 2);
  putNumber(end + 12, (uint32_t)a->ndirectory, 4);
  putNumber(end + 16, start, 4);
  a->n += 22;
}

static char folder[64];

static int removeEntry(const char* path, const struct stat* info, int flag, struct FTW* walk) {
  (void)info, (void)flag, (void)walk;
  return remove(path);
}

static int makeFolder(void** state) {
  (void)state;
  snprintf(folder, sizeof(folder), "/tmp/sinew-zip-XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static int removeFolder(void** state) {
  (void)state;
  return nftw(folder, removeEntry, 16, FTW_DEPTH | FTW_PHYS);
}

static int extract(const unsigned char* bytes, size_t n) {
  // a block of exactly this size, so that reading beyond its end is seen
  unsigned char* const copy = malloc(n ? n : 1);
  memcpy(copy, bytes, n);
  const int files = zip_extract(copy, n, folder);
  free(copy);
  return files;
}

static int contains(const char* name, const char* text) {
  char path[200], read[100] = "";
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  FILE* const file = fopen(path, "rb");
  if (!file) return 0;
  const size_t n = fread(read, 1, sizeof(read) - 1, file);
  fclose(file);
  return n == strlen(text) && strcmp(read, text) == 0;
}

static Archive* sample(void) {
  Archive* const a = calloc(1, sizeof(*a));
  addFile(a, "arm.xml", "<mujoco/>");
  addFile(a, "meshes/", "");
  addFile(a, "meshes/deep/hand.stl", "solid");
  finish(a);
  return a;
}

static void filesAndFolders(void** state) {
  (void)state;
  Archive* const a = sample();
  assert_int_equal(extract(a->bytes, a->n), 2);
  assert_true(contains("arm.xml", "<mujoco/>"));
  assert_true(contains("meshes/deep/hand.stl", "solid"));
  free(a);
}

// a file deflated by others: "hello " four times
static void deflatedFiles(void** state) {
  (void)state;
  static const unsigned char PACKED[] = {0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0xc0, 0x20, 0x01};
  Archive* const a = calloc(1, sizeof(*a));
  addFile(a, "a.txt", "0123456789");
  memcpy(a->bytes + 30 + 5, PACKED, sizeof(PACKED));
  putNumber(a->directory + 10, 8, 2);
  putNumber(a->directory + 24, 24, 4);
  finish(a);
  assert_int_equal(extract(a->bytes, a->n), 1);
  assert_true(contains("a.txt", "hello hello hello hello "));
  // the size that the directory promises is not the one that comes out
  putNumber(a->bytes + a->n - 22 - a->ndirectory + 24, 25, 4);
  assert_int_equal(extract(a->bytes, a->n), -1);
  free(a);
}

static void cutAnywhereIsAnError(void** state) {
  (void)state;
  Archive* const a = sample();
  for (size_t n = 0; n < a->n; n++) assert_int_equal(extract(a->bytes, n), -1);
  // cut at the front, and each byte changed in turn: an error or not, but never beyond its memory
  for (size_t n = 1; n < a->n; n++) extract(a->bytes + n, a->n - n);
  for (size_t i = 0; i < a->n; i++) {
    a->bytes[i] ^= 0xff;
    extract(a->bytes, a->n);
    a->bytes[i] ^= 0xff;
  }
  free(a);
}

static void namesStayInTheFolder(void** state) {
  (void)state;
  static const char* const NAMES[] = {"../out.xml", "/out.xml", "a/../../out.xml", "..", "a\\..\\out.xml"};
  for (size_t i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++) {
    Archive* const a = calloc(1, sizeof(*a));
    addFile(a, NAMES[i], "x");
    finish(a);
    assert_int_equal(extract(a->bytes, a->n), -1);
    free(a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(filesAndFolders, makeFolder, removeFolder),
      cmocka_unit_test_setup_teardown(deflatedFiles, makeFolder, removeFolder),
      cmocka_unit_test_setup_teardown(cutAnywhereIsAnError, makeFolder, removeFolder),
      cmocka_unit_test_setup_teardown(namesStayInTheFolder, makeFolder, removeFolder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
