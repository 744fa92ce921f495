// Path arithmetic, base64 and file reading. The joined path of a resource is what the reference makes of it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/base64.h"
#include "base/file.h"
#include "base/path.h"
#include "support/catch.h"
#include "support/oracle.h"
#include "support/random.h"

static void assert_joined(const char* dir, const char* name, const char* expected) {
  char* const path = bas_pathJoin(dir, name);
  assert_string_equal(path, expected);
  free(path);
}

static void joining_resolves_dots(void** state) {
  (void)state;
  assert_joined("", "a", "a");
  assert_joined(NULL, "a", "a");
  assert_joined("d", "a", "d/a");
  assert_joined("d/", "a", "d/a");
  assert_joined("d\\e", "a", "d/e/a");
  assert_joined("d", "/a", "/a");
  assert_joined("d", "C:\\a\\b", "C:\\a/b");
  assert_joined("d", "http://x/y", "http://x/y");
  assert_joined("d/e", "../a", "d/a");
  assert_joined("d", "../../a", "../a");
  assert_joined("..", "../a", "../../a");
  assert_joined("/", "../a", "/../a");
  assert_joined(".", "./a", "a");
  assert_joined("d", ".", "d/.");
  assert_joined("d", "..", "d/..");
  assert_joined("d//e", "../a", "d//a");
  assert_joined("d/", "", "d/");
  assert_joined("", "", "");
}

static void parts_of_a_path(void** state) {
  (void)state;
  assert_string_equal(bas_pathFile("a/b\\C.obj"), "C.obj");
  assert_string_equal(bas_pathExtension("a/b.tar.gz"), ".gz");
  assert_string_equal(bas_pathExtension("ab"), "");
  assert_int_equal(bas_pathDirLength("a/b/c"), 4);
  assert_int_equal(bas_pathDirLength("c"), 0);
  char* const lower = bas_pathLowerFile("A/B/CdE.XML");
  assert_string_equal(lower, "cde.xml");
  free(lower);
  assert_int_equal(bas_pathRoot("/a"), 1);
  assert_int_equal(bas_pathRoot("a"), 0);
  assert_int_equal(bas_pathRoot("x:/a"), 3);
  assert_int_equal(bas_pathRoot(NULL), 0);
}

static int openAny(mjResource* resource) {
  (void)resource;
  return 1;
}

// random paths through a mount that accepts everything: the resource's name is the joined path
static void joining_equals_the_reference(void** state) {
  (void)state;
  if (!orc_available()) skip();
  mjpResourceProvider provider;
  mjp_defaultResourceProvider(&provider);
  provider.open = openAny;
  provider.mount = openAny;
  provider.unmount = openAny;
  mjVFS vfs;
  ORC(mj_defaultVFS)(&vfs);
  assert_int_equal(ORC(mj_mountVFS)(&vfs, "m", &provider), 0);
  static const char* const parts[] = {"a", "..", ".", "", "b.c", "..."};
  Rnd rnd = {5};
  for (int i = 0; i < 2000; i++) {
    // the mount catches every path that starts with it, as long as no ".." leads out of it
    char dir[200] = "m", name[200] = "";
    for (int k = rnd_below(&rnd, 5); k > 0; k--) {
      strcat(dir, rnd_below(&rnd, 4) ? "/" : "\\");
      strcat(dir, parts[rnd_below(&rnd, 6)]);
    }
    for (int k = rnd_below(&rnd, 5); k > 0; k--) {
      strcat(name, parts[rnd_below(&rnd, 6)]);
      if (name[0]) strcat(name, rnd_below(&rnd, 4) ? "/" : "\\");
    }
    strcat(name, "file");
    mjResource* const resource = ORC(mju_openResource)(dir, name, &vfs, NULL, 0);
    if (!resource) continue;
    assert_joined(dir, name, resource->name);
    ORC(mju_closeResource)(resource);
  }
  ORC(mj_deleteVFS)(&vfs);
}

static void base64_round_trip(void** state) {
  (void)state;
  char text[BAS_BASE64(40)];
  bas_encodeBase64(text, (const uint8_t*)"Many hands", 10);
  assert_string_equal(text, "TWFueSBoYW5kcw==");
  Rnd rnd = {6};
  for (size_t n = 0; n <= 40; n++) {
    uint8_t in[40], out[40];
    for (size_t i = 0; i < n; i++) in[i] = (uint8_t)rnd_bits(&rnd);
    bas_encodeBase64(text, in, n);
    assert_int_equal(strlen(text) + 1, BAS_BASE64(n));
    assert_int_equal(bas_decodeBase64(out, sizeof(out), text), n);
    assert_memory_equal(in, out, n);
  }
  uint8_t out[2];
  assert_int_equal(bas_decodeBase64(out, 2, "TWFu"), 3);
  assert_int_equal(bas_decodeBase64(out, 2, "abc"), -1);
  assert_int_equal(bas_decodeBase64(out, 2, "a!cd"), -1);
  assert_int_equal(bas_decodeBase64(out, 2, "a=cd"), -1);
}

static void files_are_read_whole(void** state) {
  (void)state;
  char path[] = "/tmp/sinew-file-XXXXXX", error[300] = "";
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  char content[5000];
  for (int i = 0; i < 5000; i++) content[i] = (char)(i * 7);
  assert_int_equal(write(fd, content, sizeof(content)), sizeof(content));
  close(fd);
  int size = -1;
  void* bytes = bas_readFile(path, &size, error, sizeof(error));
  assert_int_equal(size, 5000);
  assert_memory_equal(bytes, content, 5000);
  free(bytes);

  // an empty file is not an error
  assert_int_equal(truncate(path, 0), 0);
  bytes = bas_readFile(path, &size, error, sizeof(error));
  assert_non_null(bytes);
  assert_int_equal(size, 0);
  free(bytes);
  unlink(path);

  // what goes wrong is said, with the name
  assert_null(bas_readFile(path, &size, error, sizeof(error)));
  assert_non_null(strstr(error, path));
  assert_non_null(strstr(error, "No such file"));
  assert_null(bas_readFile("/tmp", &size, error, sizeof(error)));
  assert_non_null(strstr(error, "directory"));

  // the system says that files of /proc are empty; they are not
  bytes = bas_readFile("/proc/self/maps", &size, error, sizeof(error));
  assert_true(bytes && size > 100);
  free(bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joining_resolves_dots),        cmocka_unit_test(parts_of_a_path),
      cmocka_unit_test(joining_equals_the_reference), cmocka_unit_test(base64_round_trip),
      cmocka_unit_test(files_are_read_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
