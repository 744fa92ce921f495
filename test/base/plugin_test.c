// The registries of plugins, providers and decoders, and libraries loaded at run time.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/catch.h"
#include "support/oracle.h"

static void plugins_are_found_again(void** state) {
  (void)state;
  static const char* const attributes[] = {"stiffness", "damping"};
  mjpPlugin plugin;
  memset(&plugin, 1, sizeof(plugin));
  mjp_defaultPlugin(&plugin);
  assert_null(plugin.name);
  plugin.name = "test.first";
  plugin.nattribute = 2;
  plugin.attributes = attributes;
  plugin.capabilityflags = mjPLUGIN_ACTUATOR;
  const int before = mjp_pluginCount();
  const int slot = mjp_registerPlugin(&plugin);
  assert_int_equal(slot, before);
  assert_int_equal(mjp_registerPlugin(&plugin), slot);
  assert_int_equal(mjp_pluginCount(), before + 1);

  // a copy, found by slot and by name in any letter case
  const mjpPlugin* const found = mjp_getPluginAtSlot(slot);
  assert_true(found != &plugin && found->name != plugin.name);
  assert_string_equal(found->attributes[1], "damping");
  int where = 77;
  assert_ptr_equal(mjp_getPlugin("TEST.first", &where), found);
  assert_int_equal(where, slot);
  assert_null(mjp_getPlugin("test.firs", &where));
  assert_int_equal(where, -1);
  assert_null(mjp_getPlugin("", NULL));
  assert_null(mjp_getPlugin(NULL, NULL));
  assert_null(mjp_getPluginAtSlot(-1));
  assert_null(mjp_getPluginAtSlot(before + 1));

  // another plugin of that name
  plugin.capabilityflags = mjPLUGIN_SENSOR;
  assert_string_equal(CATCH(mjp_registerPlugin(&plugin)), "plugin 'test.first' is already registered");
  assert_int_equal(mjp_pluginCount(), before + 1);
}

// many plugins: every slot keeps its object where it is, next to its neighbours
static void plugins_keep_their_places(void** state) {
  (void)state;
  enum { MANY = 50 };
  const mjpPlugin* place[MANY];
  const int first = mjp_pluginCount();
  for (int i = 0; i < MANY; i++) {
    char name[20];
    snprintf(name, sizeof(name), "test.many%d", i);
    mjpPlugin plugin;
    mjp_defaultPlugin(&plugin);
    plugin.name = name;
    assert_int_equal(mjp_registerPlugin(&plugin), first + i);
    place[i] = mjp_getPluginAtSlot(first + i);
  }
  int neighbours = 0;
  for (int i = 0; i < MANY; i++) {
    assert_ptr_equal(mjp_getPluginAtSlot(first + i), place[i]);
    neighbours += i > 0 && place[i] == place[i - 1] + 1;
  }
  assert_true(neighbours > MANY / 2);
}

static void bad_plugins_are_refused(void** state) {
  (void)state;
  const int before = mjp_pluginCount();
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  assert_string_equal(CATCH(mjp_registerPlugin(&plugin)), "plugin->name is a null pointer");
  plugin.name = "";
  assert_string_equal(CATCH(mjp_registerPlugin(&plugin)), "plugin->name is an empty string");
  plugin.name = "test.bad";
  plugin.nattribute = -1;
  assert_string_equal(CATCH(mjp_registerPlugin(&plugin)), "plugin->nattribute is negative");
  plugin.nattribute = 256;
  assert_string_equal(CATCH(mjp_registerPlugin(&plugin)), "plugin->nattribute exceeds the maximum limit of 255");
  plugin.nattribute = 2;
  assert_non_null(strstr(CATCH(mjp_registerPlugin(&plugin)), "attributes is a null pointer"));
  const char* const attributes[] = {"a", NULL};
  plugin.attributes = attributes;
  assert_non_null(CATCH(mjp_registerPlugin(&plugin)));
  char longName[3000];
  memset(longName, 'x', sizeof(longName));
  longName[2999] = 0;
  plugin.nattribute = 0;
  plugin.name = longName;
  assert_non_null(strstr(CATCH(mjp_registerPlugin(&plugin)), "maximum limit of 1024"));
  assert_int_equal(mjp_pluginCount(), before);
}

static void configuration_is_read_by_attribute(void** state) {
  (void)state;
  static const char* const attributes[] = {"one", "two", "three"};
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "test.config";
  plugin.nattribute = 3;
  plugin.attributes = attributes;
  int slots[2] = {mjp_registerPlugin(&plugin), 10000};
  char values[] = "first\0\0third";
  int addresses[2] = {0, 0};
  mjModel m;
  memset(&m, 0, sizeof(m));
  m.nplugin = 2;
  m.plugin = slots;
  m.plugin_attr = values;
  m.plugin_attradr = addresses;
  assert_string_equal(mj_getPluginConfig(&m, 0, "one"), "first");
  assert_string_equal(mj_getPluginConfig(&m, 0, "two"), "");
  assert_string_equal(mj_getPluginConfig(&m, 0, "three"), "third");
  assert_null(mj_getPluginConfig(&m, 0, "four"));
  assert_null(mj_getPluginConfig(&m, 0, NULL));
  assert_null(mj_getPluginConfig(&m, 1, "one"));
  assert_null(mj_getPluginConfig(&m, 2, "one"));
  assert_null(mj_getPluginConfig(&m, -1, "one"));
}

static int openNothing(mjResource* r) {
  (void)r;
  return 1;
}
static int readNothing(mjResource* r, const void** buffer) {
  (void)r;
  *buffer = "";
  return 0;
}
static void closeNothing(mjResource* r) {
  (void)r;
}

static void providers_are_found_by_prefix(void** state) {
  (void)state;
  mju_user_warning = catchCount;
  catchNwarning = 0;
  mjpResourceProvider p;
  mjp_defaultResourceProvider(&p);
  p.open = openNothing;
  p.read = readNothing;
  p.close = closeNothing;
  static const char* const bad[] = {NULL, "", "1a", "a b", "a:", "-x"};
  for (int i = 0; i < 6; i++) {
    p.prefix = bad[i];
    assert_int_equal(mjp_registerResourceProvider(&p), -1);
  }
  assert_int_equal(catchNwarning, 6);
  p.prefix = "test";
  p.read = NULL;
  assert_int_equal(mjp_registerResourceProvider(&p), -1);
  assert_string_equal(catchWarning, "provider must have the open, read, and close callbacks defined");
  mju_user_warning = NULL;

  // slots count from 1
  p.read = readNothing;
  const int slot = mjp_registerResourceProvider(&p);
  assert_int_equal(slot, mjp_resourceProviderCount());
  p.prefix = "TEST";
  assert_int_equal(mjp_registerResourceProvider(&p), slot);
  p.data = &p;
  assert_string_equal(CATCH(mjp_registerResourceProvider(&p)), "resource provider 'TEST' is already registered");
  assert_string_equal(mjp_getResourceProvider("Test:x/y")->prefix, "test");
  assert_null(mjp_getResourceProvider("test"));
  assert_null(mjp_getResourceProvider("tes:x"));
  assert_null(mjp_getResourceProvider("tests:x"));
  assert_null(mjp_getResourceProvider(""));
  assert_null(mjp_getResourceProvider(NULL));
  assert_null(mjp_getResourceProviderAtSlot(0));
  assert_ptr_equal(mjp_getResourceProviderAtSlot(slot), mjp_getResourceProvider("test:"));

  // such a name is absolute, its prefix part of its directory
  mjResource* const r = mju_openResource("somewhere", "test:file", NULL, NULL, 0);
  assert_string_equal(r->name, "test:file");
  const char* dir;
  int ndir;
  mju_getResourceDir(r, &dir, &ndir);
  assert_int_equal(ndir, 5);
  assert_int_equal(mju_isModifiedResource(r, ""), 1);
  mju_closeResource(r);
}

static int canDecode(const mjResource* r) {
  return strstr(r->name, "never") == NULL;
}
static mjSpec* decode(mjResource* r, const mjVFS* vfs) {
  (void)r, (void)vfs;
  return NULL;
}
static mjSpec* decodeOther(mjResource* r, const mjVFS* vfs) {
  (void)r, (void)vfs;
  return NULL;
}

static void decoders_are_found_by_type_and_extension(void** state) {
  (void)state;
  mju_user_warning = catchCount;
  mjpDecoder d;
  mjp_defaultDecoder(&d);
  d.content_type = "model/test";
  mjp_registerDecoder(&d);
  assert_string_equal(catchWarning, "decoder must provide decode and can_decode callbacks.");
  d.can_decode = canDecode;
  d.decode = decode;
  d.content_type = NULL;
  mjp_registerDecoder(&d);
  assert_string_equal(catchWarning, "decoder must provide content_type and/or extensions.");
  d.content_type = "model/test";
  d.extension = ".tst|.tst2||.TST3";
  mjp_registerDecoder(&d);
  mjp_registerDecoder(&d);

  char file[] = "a/b.Tst2", typed[] = "a/b", never[] = "never.tst", plain[] = "x";
  mjResource r;
  memset(&r, 0, sizeof(r));
  r.name = file;
  assert_true(mjp_findDecoder(&r, "")->decode == decode);
  assert_true(mjp_findDecoder(&r, NULL)->decode == decode);
  r.name = typed;
  assert_true(mjp_findDecoder(&r, "MODEL/test")->decode == decode);
  assert_null(mjp_findDecoder(&r, "model/unknown"));
  r.name = never;
  assert_null(mjp_findDecoder(&r, "model/test"));
  r.name = plain;
  assert_null(mjp_findDecoder(&r, NULL));
  assert_string_equal(catchWarning, "Must provide extension or content_type to mjp_findDecoder.");
  mju_user_warning = NULL;
  d.decode = decodeOther;
  assert_string_equal(CATCH(mjp_registerDecoder(&d)), "resource decoder 'model/test' is already registered");
}

// many threads register the same and different plugins; every slot is given out once
static void* registerMany(void* arg) {
  const int thread = (int)(intptr_t)arg;
  for (int i = 0; i < 50; i++) {
    char name[40];
    snprintf(name, sizeof(name), i % 2 ? "test.shared.%d" : "test.own.%d.%d", i, thread);
    mjpPlugin plugin;
    mjp_defaultPlugin(&plugin);
    plugin.name = name;
    const int slot = mjp_registerPlugin(&plugin);
    int found;
    if (!mjp_getPlugin(name, &found) || found != slot || strcmp(mjp_getPluginAtSlot(slot)->name, name))
      return (void*)"lost";
  }
  return NULL;
}

static void threads_register_together(void** state) {
  (void)state;
  const int before = mjp_pluginCount();
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, registerMany, (void*)(intptr_t)i);
  for (int i = 0; i < 4; i++) {
    void* result;
    pthread_join(threads[i], &result);
    assert_null(result);
  }
  assert_int_equal(mjp_pluginCount(), before + 25 + 4 * 25);
}

// A library whose constructor registers plugins. The test program exports nothing, so it hands the address of the
// function over in the environment.
static const char librarySource[] =
    "#include <mujoco/mujoco.h>\n"
    "__attribute__((constructor)) static void init(void) {\n"
    "  int (*add)(const mjpPlugin*) = (int (*)(const mjpPlugin*))strtoull(getenv(\"SINEW_TEST_REGISTER\"), 0, 16);\n"
    "  mjpPlugin p = {0};\n"
    "  p.name = NAME1; p.capabilityflags = 1; add(&p);\n"
    "  p.name = NAME2; p.capabilityflags = FLAGS; add(&p);\n"
    "}\n";

static char libraries[] = "/tmp/sinew-plugin-XXXXXX";

static int compile(const char* name, const char* name1, const char* name2, int flags) {
  char command[2000];
  snprintf(command, sizeof(command),
           "cc -shared -fPIC -Iinclude -DNAME1='\"%s\"' -DNAME2='\"%s\"' -DFLAGS=%d -x c %s/lib.c -o %s/%s 2>/dev/null",
           name1, name2, flags, libraries, libraries, name);
  return system(command) == 0;
}

static char calls[500];
static void onLoad(const char* filename, int first, int count) {
  sprintf(calls + strlen(calls), "%s %d %d;", filename, first < 0 ? first : first - mjp_pluginCount(), count);
}

static void libraries_register_while_loading(void** state) {
  (void)state;
  assert_non_null(mkdtemp(libraries));
  char path[300], command[400], address[40];
  snprintf(path, sizeof(path), "%s/lib.c", libraries);
  FILE* const file = fopen(path, "w");
  fputs(librarySource, file);
  fclose(file);
  snprintf(address, sizeof(address), "%llx", (unsigned long long)(uintptr_t)mjp_registerPlugin);
  setenv("SINEW_TEST_REGISTER", address, 1);
  const int compiled = compile("b.so", "lib.one", "lib.two", 2) && compile("a.so", "lib.three", "lib.four", 2) &&
                       compile("c.so", "lib.three", "lib.three", 1) && compile("x.bad", "lib.one", "lib.one", 7);
  if (compiled) {
    // in alphabetical order; c brings nothing new; names that do not end in .so are left alone
    mj_loadAllPluginLibraries(libraries, onLoad);
    assert_string_equal(calls, "a.so -2 2;b.so -2 2;c.so -1 0;");
    assert_non_null(mjp_getPlugin("lib.two", NULL));

    // an error inside the constructor is raised after the library is loaded, with the library's name
    snprintf(path, sizeof(path), "%s/x.bad", libraries);
    const char* const message = CATCH(mj_loadPluginLibrary(path));
    assert_non_null(strstr(message, "plugin 'lib.one' is already registered"));
    assert_non_null(strstr(message, path));
  }

  // files that are not libraries
  snprintf(command, sizeof(command), "cd %s && echo text > broken.so && mkdir dir.so && rm -f a.so b.so c.so",
           libraries);
  assert_int_equal(system(command), 0);
  calls[0] = 0;
  const char* const message = CATCH(mj_loadAllPluginLibraries(libraries, onLoad));
  assert_non_null(strstr(message, "Error loading plugin library '"));
  assert_non_null(strstr(message, "broken.so"));
  assert_string_equal(calls, "broken.so -1 0;");
  assert_non_null(CATCH(mj_loadPluginLibrary("/nonexistent.so")));
  assert_non_null(CATCH(mj_loadPluginLibrary(NULL)));

  // directories without plugins are silent, those that cannot be read are not
  mj_loadAllPluginLibraries("/nonexistent", NULL);
  catchNwarning = 0;
  mju_user_warning = catchCount;
  snprintf(path, sizeof(path), "%s/lib.c", libraries);
  mj_loadAllPluginLibraries(path, NULL);
  mju_user_warning = NULL;
  assert_int_equal(catchNwarning, 1);
  snprintf(command, sizeof(command), "rm -rf %s", libraries);
  assert_int_equal(system(command), 0);
  if (!compiled) skip();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plugins_are_found_again),       cmocka_unit_test(plugins_keep_their_places),
      cmocka_unit_test(bad_plugins_are_refused),       cmocka_unit_test(configuration_is_read_by_attribute),
      cmocka_unit_test(providers_are_found_by_prefix), cmocka_unit_test(decoders_are_found_by_type_and_extension),
      cmocka_unit_test(threads_register_together),     cmocka_unit_test(libraries_register_while_loading),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
