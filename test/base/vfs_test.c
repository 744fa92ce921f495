// The virtual file system and its resources: return codes and look-up rules in both libraries, life times, threads.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/sanitize.h"
#include "support/catch.h"
#include "support/oracle.h"

// the functions under test, of one library or the other
typedef struct {
  __typeof__(&mj_defaultVFS) init;
  __typeof__(&mj_deleteVFS) end;
  __typeof__(&mj_addFileVFS) addFile;
  __typeof__(&mj_addBufferVFS) addBuffer;
  __typeof__(&mj_mountVFS) mount;
  __typeof__(&mj_unmountVFS) unmount;
  __typeof__(&mj_deleteFileVFS) remove;
  __typeof__(&mju_openResource) open;
  __typeof__(&mju_readResource) read;
  __typeof__(&mju_closeResource) close;
  __typeof__(&mju_getResourceDir) dir;
  __typeof__(&mju_isModifiedResource) modified;
} Library;

static Library ours(void) {
  return (Library){mj_defaultVFS,    mj_deleteVFS,      mj_addFileVFS,      mj_addBufferVFS,
                   mj_mountVFS,      mj_unmountVFS,     mj_deleteFileVFS,   mju_openResource,
                   mju_readResource, mju_closeResource, mju_getResourceDir, mju_isModifiedResource};
}

static Library theirs(void) {
  return (Library){ORC(mj_defaultVFS),    ORC(mj_deleteVFS),      ORC(mj_addFileVFS),      ORC(mj_addBufferVFS),
                   ORC(mj_mountVFS),      ORC(mj_unmountVFS),     ORC(mj_deleteFileVFS),   ORC(mju_openResource),
                   ORC(mju_readResource), ORC(mju_closeResource), ORC(mju_getResourceDir), ORC(mju_isModifiedResource)};
}

static char folder[] = "/tmp/sinew-vfs-XXXXXX";

static void writeFile(const char* name, const char* content) {
  char path[300];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  FILE* const file = fopen(path, "w");
  assert_non_null(file);
  fputs(content, file);
  fclose(file);
}

static int setup(void** state) {
  (void)state;
  if (!mkdtemp(folder)) return -1;
  writeFile("File.TXT", "on disk");
  writeFile("empty", "");
  return 0;
}

static int teardown(void** state) {
  (void)state;
  char path[300];
  snprintf(path, sizeof(path), "%s/File.TXT", folder);
  unlink(path);
  snprintf(path, sizeof(path), "%s/empty", folder);
  unlink(path);
  return rmdir(folder);
}

// a provider that logs what happens to it
static char events[4000];
static void event(const char* what, const mjResource* r) {
  snprintf(events + strlen(events), sizeof(events) - strlen(events), "%s(%s);", what, r->name);
}
static int logOpen(mjResource* r) {
  event(r->data ? "open+data" : "open", r);
  return strstr(r->name, "absent") == NULL;
}
static int logRead(mjResource* r, const void** buffer) {
  (void)r;
  *buffer = "provided";
  return 8;
}
static void logClose(mjResource* r) {
  event("close", r);
}
static int logMount(mjResource* r) {
  event("mount", r);
  return 1;
}
static int logUnmount(mjResource* r) {
  event("unmount", r);
  r->data = NULL;
  return 1;
}
static int logMountData(mjResource* r) {
  r->data = events;
  return logMount(r);
}

static mjpResourceProvider logProvider(void) {
  return (mjpResourceProvider){
      .open = logOpen, .read = logRead, .close = logClose, .mount = logMount, .unmount = logUnmount};
}

// one line about opening dir/name: what was found, under which name, directory and content
static void describe(char* text, const Library* lib, const mjVFS* vfs, const char* dir, const char* name) {
  char error[300] = "unset";
  mjResource* const r = lib->open(dir, name, vfs, error, sizeof(error));
  if (!r) {
    sprintf(text + strlen(text), "%s|%s -> none\n", dir ? dir : "", name);
    assert_non_null(strstr(error, "Error opening file"));
    return;
  }
  assert_string_equal(error, "");
  const void* bytes = NULL;
  const int n = lib->read(r, &bytes);
  const char* where;
  int nwhere;
  lib->dir(r, &where, &nwhere);
  sprintf(text + strlen(text), "%s|%s -> %s '%.*s' in '%.*s' modified %d\n", dir ? dir : "", name, r->name, n,
          n ? (const char*)bytes : "", nwhere, where, lib->modified(r, r->timestamp));
  lib->close(r);
}

// everything a program can do with a file system, as text
static void scenario(const Library* lib, char* text) {
#define SAY(call) sprintf(text + strlen(text), #call " = %d\n", call)
  mjVFS storage, *const v = &storage;
  char full[300];
  snprintf(full, sizeof(full), "%s/empty", folder);
  events[0] = 0;
  lib->init(v);
  SAY(lib->addFile(v, folder, "File.TXT"));
  SAY(lib->addFile(v, folder, "File.TXT"));
  SAY(lib->addFile(v, NULL, full));
  SAY(lib->addBuffer(v, "dir/./B.xml", "12345", 5));
  SAY(lib->addBuffer(v, "dir/B.xml", "6", 1));
  SAY(lib->addBuffer(v, "none", NULL, 0));
  SAY(lib->addBuffer(v, "other/b.xml", "67", 2));
  static const char* const names[][2] = {
      {NULL,       "file.txt"  },
      {"",         "FILE.txt"  },
      {"/x/y",     "File.Txt"  },
      {"",         "empty"     },
      {"dir",      "B.xml"     },
      {"dir/q/..", "B.xml"     },
      {"",         "dir\\B.xml"},
      {"dir",      "B.xml/in"  },
      {"other",    "b.xml"     },
      {"",         "none"      },
      {"",         "nowhere"   },
      {"dir",      "b.xml"     },
      {"/m/n",     "deep/f.txt"},
      {"",         "/m/n"      },
      {"",         "n"         },
      {"/m",       "absent"    },
      {"/m/n",     "absent"    },
      {"/m/data",  "x"         }
  };
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (strcmp(names[i][1], "b.xml") || names[i][0][0] != 'd') describe(text, lib, v, names[i][0], names[i][1]);
  }
  mjpResourceProvider provider = logProvider();
  mjpResourceProvider withData = logProvider();
  withData.mount = logMountData;
  SAY(lib->mount(v, "/m/n", &provider));
  SAY(lib->mount(v, "/m/./n", &provider));
  SAY(lib->mount(v, "/m/data", &withData));
  SAY(lib->mount(v, "/m/o", NULL));
  SAY(lib->mount(v, NULL, &provider));
  for (size_t i = 12; i < sizeof(names) / sizeof(names[0]); i++) describe(text, lib, v, names[i][0], names[i][1]);
  SAY(lib->unmount(v, "/m/n/"));
  SAY(lib->unmount(v, "/m/n"));
  SAY(lib->unmount(v, "/m/n"));
  SAY(lib->unmount(v, NULL));
  SAY(lib->remove(v, "b.xml"));
  SAY(lib->remove(v, "dir/B.xml"));
  SAY(lib->remove(v, "/q/FILE.TXT"));
  SAY(lib->remove(v, "/q/FILE.TXT"));
  SAY(lib->remove(v, NULL));
  describe(text, lib, v, "", "file.txt");
  describe(text, lib, v, folder, "File.TXT");
  describe(text, lib, NULL, folder, "./File.TXT");
  describe(text, lib, NULL, folder, "nothing");
  lib->end(v);
  assert_null(v->impl_);
  lib->end(v);
  lib->end(NULL);
  strcat(text, events);
#undef SAY
}

static void the_rules_are_the_references(void** state) {
  (void)state;
  static char a[20000], b[20000];
  const Library own = ours();
  scenario(&own, a);
  assert_non_null(strstr(a, "|file.txt -> file.txt 'on disk' in '' modified 0\n"));
  assert_non_null(strstr(a, "open+data(/m/data/x);"));
  if (!orc_available()) skip();
  const Library reference = theirs();
  scenario(&reference, b);
  assert_string_equal(a, b);
}

// a name that is taken is reported as such, whether there is a file or not
static void names_are_looked_at_before_files(void** state) {
  (void)state;
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "taken", "a", 1), 0);
  assert_int_equal(mj_addFileVFS(&vfs, folder, "taken"), 2);
  assert_int_equal(mj_addFileVFS(&vfs, folder, "Taken"), 2);
  assert_int_equal(mj_addFileVFS(&vfs, "/nowhere", "TAKEN"), 2);
  assert_int_equal(mj_deleteFileVFS(&vfs, "taken"), 0);
  assert_int_equal(mj_addFileVFS(&vfs, folder, "taken"), -1);
  mj_deleteVFS(&vfs);
}

static void what_cannot_be_loaded_is_refused(void** state) {
  (void)state;
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addFileVFS(&vfs, folder, "missing"), -1);
  assert_int_equal(mj_addFileVFS(&vfs, "/", "tmp"), -1);
  assert_int_equal(mj_addFileVFS(&vfs, folder, NULL), -1);
  assert_int_equal(mj_addBufferVFS(&vfs, NULL, "a", 1), -1);
  assert_int_equal(mj_addBufferVFS(&vfs, "a", NULL, 1), -1);
  assert_int_equal(mj_addBufferVFS(&vfs, "a", "a", -1), -1);
  char error[300];
  assert_null(mju_openResource(folder, "missing", &vfs, error, sizeof(error)));
  assert_non_null(strstr(error, "missing': No such file or directory"));
  assert_null(mju_openResource("/", "tmp", &vfs, error, sizeof(error)));
  assert_non_null(strstr(error, "Is a directory"));
  assert_null(mju_openResource("", NULL, &vfs, error, sizeof(error)));
  assert_null(mju_openResource("", "q", &vfs, NULL, 0));
  mj_deleteVFS(&vfs);

  assert_string_equal(CATCH(mj_defaultVFS(NULL)), "mjVFS is null.");
  assert_string_equal(CATCH(mj_addBufferVFS(&vfs, "a", "b", 1)), "mjVFS is null.");
  assert_string_equal(CATCH(mj_mountVFS(NULL, "a", NULL)), "mjVFS is null.");
  assert_string_equal(CATCH(mj_deleteFileVFS(&vfs, "a")), "mjVFS is null.");
  assert_int_equal(mju_readResource(NULL, NULL), -1);
  mju_closeResource(NULL);
}

static void open_resources_outlive_their_mount(void** state) {
  (void)state;
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "a", "bytes", 5);
  mjResource* r = mju_openResource("", "a", &vfs, NULL, 0);
  assert_int_equal(mj_deleteFileVFS(&vfs, "a"), 0);
  const void* bytes;
  assert_int_equal(mju_readResource(r, &bytes), 5);
  assert_memory_equal(bytes, "bytes", 5);
  mju_closeResource(r);

  // a resource left open is closed with the file system, with a warning
  mj_addBufferVFS(&vfs, "a", "bytes", 5);
  r = mju_openResource("", "a", &vfs, NULL, 0);
  assert_non_null(r);
  mju_user_warning = catchCount;
  mj_deleteVFS(&vfs);
  mju_user_warning = NULL;
  assert_string_equal(catchWarning, "VFS destroyed with 1 open resources. Resources will be invalidated.");

  // by its provider
  const mjpResourceProvider provider = logProvider();
  events[0] = '\0';
  mj_defaultVFS(&vfs);
  mj_mountVFS(&vfs, "folder", &provider);
  assert_non_null(mju_openResource("", "folder/b", &vfs, NULL, 0));
  mju_user_warning = catchCount;
  mj_deleteVFS(&vfs);
  mju_user_warning = NULL;
  assert_non_null(strstr(events, "close("));
}

// a file that is not there under its path is one of the same name: the one with most of the path, the newest of equals
static void namesakes(void** state) {
  (void)state;
  static const char* const cases[][4] = {
      {"a/f.txt",   "a/b/f.txt", "b/f.txt", "a/b/f.txt"},
      {"a/b/f.txt", "a/f.txt",   "B/F.TXT", "a/b/f.txt"},
      {"a/f.txt",   "b/f.txt",   "c/f.txt", "b/f.txt"  },
      {"b/f.txt",   "a/f.txt",   "f.txt",   "a/f.txt"  },
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    for (int k = 0; k < 2; k++) mj_addBufferVFS(&vfs, cases[i][k], cases[i][k], (int)strlen(cases[i][k]));
    mjResource* const resource = mju_openResource("", cases[i][2], &vfs, NULL, 0);
    assert_non_null(resource);
    const void* bytes;
    assert_int_equal(mju_readResource(resource, &bytes), strlen(cases[i][3]));
    assert_memory_equal(bytes, cases[i][3], strlen(cases[i][3]));
    mju_closeResource(resource);
    mj_deleteVFS(&vfs);
  }
}

static void time_stamps_tell_contents_apart(void** state) {
  (void)state;
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "a", "one", 3);
  mj_addBufferVFS(&vfs, "b", "two", 3);
  mjResource* const a = mju_openResource("", "a", &vfs, NULL, 0);
  mjResource* const b = mju_openResource("", "b", &vfs, NULL, 0);
  mjResource* const f = mju_openResource(folder, "File.TXT", &vfs, NULL, 0);
  assert_int_equal(mju_isModifiedResource(a, a->timestamp), 0);
  assert_int_equal(mju_isModifiedResource(a, b->timestamp), 1);
  assert_int_equal(mju_isModifiedResource(a, "rubbish"), 1);
  assert_int_equal(mju_isModifiedResource(f, f->timestamp), 0);
  assert_int_equal(mju_isModifiedResource(f, "AAAAAAAAAAA="), 1);
  assert_int_equal(mju_isModifiedResource(f, "////////fwA="), -1);
  assert_int_equal(mju_isModifiedResource(f, ""), 1);
  mju_closeResource(a);
  mju_closeResource(b);
  mju_closeResource(f);
  mj_deleteVFS(&vfs);
}

// threads that mount, open, read and unmount the same names
static void* churn(void* arg) {
  mjVFS* const vfs = arg;
  for (int i = 0; i < 300; i++) {
    char name[20];
    snprintf(name, sizeof(name), "f%d", i % 7);
    mj_addBufferVFS(vfs, name, name, 3);
    mjResource* const r = mju_openResource("", name, vfs, NULL, 0);
    if (r) {
      const void* bytes = NULL;
      if (mju_readResource(r, &bytes) != 3 || memcmp(bytes, name, 3)) return (void*)"wrong bytes";
      mju_closeResource(r);
    }
    mj_deleteFileVFS(vfs, name);
  }
  return NULL;
}

static void threads_share_a_file_system(void** state) {
  (void)state;
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&threads[i], NULL, churn, &vfs), 0);
  for (int i = 0; i < 4; i++) {
    void* result;
    pthread_join(threads[i], &result);
    assert_null(result);
  }
  mj_deleteVFS(&vfs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rules_are_the_references),
      cmocka_unit_test(names_are_looked_at_before_files),
      cmocka_unit_test(what_cannot_be_loaded_is_refused),
      cmocka_unit_test(open_resources_outlive_their_mount),
      cmocka_unit_test(time_stamps_tell_contents_apart),
      cmocka_unit_test(threads_share_a_file_system),
      cmocka_unit_test(namesakes),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
