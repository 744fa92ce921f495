// Compiled models in a folder: the second load gives the kept model, whatever changes on disk is noticed, damage is
// passed over.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <sinew/sinew.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "compile/same.h"

static const char TETRA[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
static const char PART[] = "<mujoco><option timestep='0.00123'/></mujoco>";
static const char MODEL[] =
    "<mujoco><include file='part.xml'/><asset><mesh file='t.obj'/></asset><worldbody><body><freejoint/>"
    "<geom type='mesh' mesh='t'/></body></worldbody></mujoco>";

static char place[] = "/tmp/sinew_cache_XXXXXX", folder[64], file[64];

static void writeFile(const char* name, const void* bytes, size_t n) {
  char path[400];
  snprintf(path, sizeof(path), "%s%s%s", *name == '/' ? "" : place, *name == '/' ? "" : "/", name);
  FILE* const out = fopen(path, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(bytes, 1, n, out), n);
  assert_int_equal(fclose(out), 0);
}

static void writeText(const char* name, const char* text) {
  writeFile(name, text, strlen(text));
}

// the path of the only entry, or how many there are
static int entries(char path[400]) {
  DIR* const dir = opendir(folder);
  assert_non_null(dir);
  int n = 0;
  for (const struct dirent* e; (e = readdir(dir));) {
    if (*e->d_name == '.') continue;
    snprintf(path, 400, "%s/%s", folder, e->d_name);
    n++;
  }
  closedir(dir);
  return n;
}

static void emptyFolder(void) {
  char path[400];
  while (entries(path)) unlink(path);
}

static char* readEntry(const char* path, size_t* n) {
  FILE* const in = fopen(path, "rb");
  assert_non_null(in);
  char* const bytes = malloc(1 << 20);
  *n = fread(bytes, 1, 1 << 20, in);
  fclose(in);
  assert_true(*n > 0 && *n < 1 << 20);
  return bytes;
}

static mjModel* load(void) {
  char error[500] = "";
  mjModel* const m = mj_loadXML(file, NULL, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  assert_string_equal(error, "");
  return m;
}

static double timestep(void) {
  mjModel* const m = load();
  const double h = m->opt.timestep;
  mj_deleteModel(m);
  return h;
}

static int setUp(void** state) {
  (void)state;
  if (!mkdtemp(place)) return 1;
  snprintf(folder, sizeof(folder), "%s/models", place);
  snprintf(file, sizeof(file), "%s/m.xml", place);
  return 0;
}

static int startEmpty(void** state) {
  (void)state;
  writeText("t.obj", TETRA);
  writeText("part.xml", PART);
  writeText("m.xml", MODEL);
  if (sn_cacheModels(folder, NULL, 0) != SN_OK) return 1;
  emptyFolder();
  return 0;
}

static int cleanUp(void** state) {
  (void)state;
  emptyFolder();
  rmdir(folder);
  static const char* const NAMES[] = {"t.obj", "part.xml", "m.xml", "file"};
  char path[400];
  for (int i = 0; i < 4; i++) {
    snprintf(path, sizeof(path), "%s/%s", place, NAMES[i]);
    unlink(path);
  }
  return rmdir(place);
}

// rewrites the timestep inside the entry, so that a load shows where its model came from
static void markEntry(void) {
  char path[400];
  size_t n;
  assert_int_equal(entries(path), 1);
  char* const bytes = readEntry(path, &n);
  const double was = 0.00123, is = 0.00321;
  size_t at = 0;
  while (at + 8 < n && memcmp(bytes + at, &was, 8) != 0) at++;
  assert_true(at + 8 < n);
  memcpy(bytes + at, &is, 8);
  const BasHash end = bas_hashBytes((BasHash)BAS_NO_HASH, bytes, n - sizeof(end));
  memcpy(bytes + n - sizeof(end), &end, sizeof(end));
  writeFile(path, bytes, n);
  free(bytes);
}

static void secondLoadIsTheSameModel(void** state) {
  (void)state;
  char path[400];
  mjModel* const first = load();
  assert_int_equal(entries(path), 1);
  mjModel* const second = load();
  assert_int_equal(differences(second, first), 0);
  assert_true(second->signature == first->signature);
  mj_deleteModel(first);
  mj_deleteModel(second);

  // from the folder indeed
  markEntry();
  assert_true(timestep() == 0.00321);

  // and not without it
  assert_int_equal(sn_cacheModels(NULL, NULL, 0), SN_OK);
  assert_true(timestep() == 0.00123);
}

static void changedFileCompilesAnew(void** state) {
  (void)state;
  static const struct {
    const char *name, *text;
  } CHANGES[] = {
      {"t.obj",    "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"                       },
      {"part.xml", "<mujoco><option timestep='0.00123' density='1'/></mujoco>"                                      },
      {"m.xml",    "<mujoco><include file='part.xml'/><worldbody><body><geom size='1'/></body></worldbody></mujoco>"},
  };
  for (int i = 0; i < 3; i++) {
    startEmpty(NULL);
    mj_deleteModel(load());
    markEntry();
    assert_true(timestep() == 0.00321);
    writeText(CHANGES[i].name, CHANGES[i].text);
    assert_true(timestep() == 0.00123);
  }
}

// a file that is deleted, and one that appears where an include looks first
static void filesComeAndGo(void** state) {
  (void)state;
  char sub[400];
  snprintf(sub, sizeof(sub), "%s/sub", place);
  assert_int_equal(mkdir(sub, 0777), 0);
  writeText("sub/a.xml", "<mujoco><include file='b.xml'/></mujoco>");
  writeText("sub/b.xml", "<mujoco><option timestep='0.00123'/></mujoco>");
  writeText("m.xml", "<mujoco><include file='sub/a.xml'/></mujoco>");
  mj_deleteModel(load());
  markEntry();
  assert_true(timestep() == 0.00321);
  writeText("b.xml", "<mujoco><option timestep='0.005'/></mujoco>");
  assert_true(timestep() == 0.005);
  char path[400];
  snprintf(path, sizeof(path), "%s/b.xml", place);
  unlink(path);
  assert_true(timestep() == 0.00123);
  static const char* const NAMES[] = {"a.xml", "b.xml"};
  for (int i = 0; i < 2; i++) {
    snprintf(path, sizeof(path), "%.300s/%s", sub, NAMES[i]);
    unlink(path);
  }
  assert_null(mj_loadXML(file, NULL, NULL, 0));
  rmdir(sub);
}

static int nwarning;
static void countWarning(const char* message) {
  (void)message;
  nwarning++;
}

// what loading warns of is warned of each time, by whoever listens
static void warningsAreHeardAgain(void** state) {
  (void)state;
  char path[400];
  void (*const before)(const char*) = mju_user_warning;
  mju_user_warning = countWarning;
  writeText("m.xml", "<mujoco><worldbody><body pos='0 0 nan'><geom size='1'/></body></worldbody></mujoco>");
  nwarning = 0;
  for (int i = 1; i <= 2; i++) {
    mj_deleteModel(mj_loadXML(file, NULL, NULL, 0));
    assert_int_equal(nwarning, i);
  }
  assert_int_equal(entries(path), 0);

  // nothing listens to later warnings in the loader's place
  mju_warning("one more");
  assert_int_equal(nwarning, 3);
  mju_user_warning = before;
}

// a mesh that the process has in memory is a file of the model all the same
static void meshFromMemoryIsWatched(void** state) {
  (void)state;
  sn_cacheModels(NULL, NULL, 0);
  mj_deleteModel(load());
  sn_cacheModels(folder, NULL, 0);
  mj_deleteModel(load());
  markEntry();
  writeText("t.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  assert_true(timestep() == 0.00123);
}

static void damageIsPassedOver(void** state) {
  (void)state;
  char path[400];
  size_t n;
  mj_deleteModel(load());
  markEntry();
  assert_int_equal(entries(path), 1);
  char* const bytes = readEntry(path, &n);
  for (size_t at = 0; at < n; at += n / 60 + 1) {
    bytes[at] ^= 0x10;
    writeFile(path, bytes, n);
    assert_true(timestep() == 0.00123);
    bytes[at] ^= 0x10;
    writeFile(path, bytes, at);
    assert_true(timestep() == 0.00123);
  }
  writeFile(path, bytes, n);
  assert_true(timestep() == 0.00321);
  free(bytes);
}

// what the loader says about a good model is said again, and a bad model is an error each time
static void messagesAreKept(void** state) {
  (void)state;
  writeText("m.xml",
            "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody>"
            "<sensor><user name='u' dim='1'/></sensor><keyframe><key qpos='0 0 0 1 0 0 0'/></keyframe></mujoco>");
  char first[500] = "", second[500] = "";
  mj_deleteModel(mj_loadXML(file, NULL, first, sizeof(first)));
  mj_deleteModel(mj_loadXML(file, NULL, second, sizeof(second)));
  assert_string_equal(first, second);
  writeText("m.xml", "<mujoco><worldbody><body><geom size='-1'/></body></worldbody></mujoco>");
  for (int i = 0; i < 2; i++) {
    assert_null(mj_loadXML(file, NULL, first, sizeof(first)));
    assert_non_null(strstr(first, "size"));
  }
}

static void lastModelCanBeSaved(void** state) {
  (void)state;
  char path[400], error[500] = "";
  snprintf(path, sizeof(path), "%s/file", place);
  size_t n[2];
  char* saved[2];
  for (int i = 0; i < 2; i++) {
    mjModel* const m = load();
    m->opt.density = 7;
    assert_true(mj_saveLastXML(path, m, error, sizeof(error)));
    saved[i] = readEntry(path, &n[i]);
    mj_deleteModel(m);
  }
  assert_int_equal(n[0], n[1]);
  assert_memory_equal(saved[0], saved[1], n[0]);
  saved[0][n[0] - 1] = 0;
  assert_non_null(strstr(saved[0], "density=\"7\""));
  free(saved[0]);
  free(saved[1]);
}

static void foldersThatCannotBe(void** state) {
  (void)state;
  char path[400], message[300] = "";
  writeText("file", "x");
  snprintf(path, sizeof(path), "%s/file", place);
  assert_int_equal(sn_cacheModels(path, message, sizeof(message)), SN_ERROR);
  assert_non_null(strstr(message, "not a folder"));
  snprintf(path, sizeof(path), "%s/none/models", place);
  assert_int_equal(sn_cacheModels(path, message, sizeof(message)), SN_ERROR);
  assert_non_null(strstr(message, "cannot be made"));
  assert_int_equal(sn_cacheModels(path, NULL, 0), SN_ERROR);

  // the earlier folder stays
  mj_deleteModel(load());
  assert_int_equal(entries(path), 1);
}

static void virtualFilesAreNotKept(void** state) {
  (void)state;
  char path[400];
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  const char text[] = "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>";
  assert_int_equal(mj_addBufferVFS(&vfs, "v.xml", text, (int)strlen(text)), 0);
  mjModel* const m = mj_loadXML("v.xml", &vfs, NULL, 0);
  assert_non_null(m);
  assert_int_equal(entries(path), 0);
  mj_deleteModel(m);
  mj_deleteVFS(&vfs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(secondLoadIsTheSameModel, startEmpty),
      cmocka_unit_test_setup(changedFileCompilesAnew, startEmpty),
      cmocka_unit_test_setup(filesComeAndGo, startEmpty),
      cmocka_unit_test_setup(warningsAreHeardAgain, startEmpty),
      cmocka_unit_test_setup(meshFromMemoryIsWatched, startEmpty),
      cmocka_unit_test_setup(damageIsPassedOver, startEmpty),
      cmocka_unit_test_setup(messagesAreKept, startEmpty),
      cmocka_unit_test_setup(lastModelCanBeSaved, startEmpty),
      cmocka_unit_test_setup(foldersThatCannotBe, startEmpty),
      cmocka_unit_test_setup(virtualFilesAreNotKept, startEmpty),
  };
  return cmocka_run_group_tests(tests, setUp, cleanUp);
}
