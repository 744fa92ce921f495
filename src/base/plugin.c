// Engine plugins: their registry and the loading of libraries that register them in their constructors.
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/registry.h"

// most attributes a plugin may declare
#define MAX_ATTRIBUTES 255

// plugins added on this thread since a library began to load, and the slot of the first
static _Thread_local int loadFirst = -1;
static _Thread_local int loadCount = 0;

static const char* pluginKey(const void* object) {
  return ((const mjpPlugin*)object)->name;
}

// same name, same attributes, same functions
static int samePlugin(const void* a, const void* b) {
  const mjpPlugin* const p = a;
  const mjpPlugin* const q = b;
  if (strcmp(p->name, q->name) != 0 || p->nattribute != q->nattribute) return 0;
  for (int i = 0; i < p->nattribute; i++) {
    if (!p->attributes[i] || strncmp(p->attributes[i], q->attributes[i], BAS_NAME) != 0) return 0;
  }

  // everything behind the attributes is numbers and function pointers without gaps
  const size_t start = offsetof(mjpPlugin, capabilityflags);
  return !memcmp((const char*)p + start, (const char*)q + start, sizeof(mjpPlugin) - start);
}

// Copies live as long as the process: a plugin is never unregistered.
static const char* copyPlugin(void* dst, const void* src) {
  const mjpPlugin* const plugin = src;
  const char** const attributes = calloc((size_t)plugin->nattribute + 1, sizeof(char*));
  char* const name = bas_copyName(plugin->name);
  int copied = 0;
  while (attributes && copied < plugin->nattribute) {
    if (!(attributes[copied] = bas_copyName(plugin->attributes[copied]))) break;
    copied++;
  }

  // all or nothing
  if (!attributes || !name || copied < plugin->nattribute) {
    while (copied > 0) free((void*)attributes[--copied]);
    free(attributes);
    free(name);
    return "plugin name or attributes are NULL, longer than 1024 bytes, or memory is short";
  }
  mjpPlugin* const copy = dst;
  *copy = *plugin;
  copy->name = name;
  copy->attributes = attributes;
  return NULL;
}

static const BasKind pluginKind = {"plugin", sizeof(mjpPlugin), pluginKey, samePlugin, copyPlugin};
static BasRegistry plugins = BAS_REGISTRY(&pluginKind);

void mjp_defaultPlugin(mjpPlugin* plugin) {
  memset(plugin, 0, sizeof(*plugin));
}

int mjp_registerPlugin(const mjpPlugin* plugin) {
  // one message per thing that can be wrong
  if (!plugin->name) {
    mju_error("plugin->name is a null pointer");
  } else if (!plugin->name[0]) {
    mju_error("plugin->name is an empty string");
  } else if (plugin->nattribute < 0) {
    mju_error("plugin->nattribute is negative");
  } else if (plugin->nattribute > MAX_ATTRIBUTES) {
    mju_error("plugin->nattribute exceeds the maximum limit of %i", MAX_ATTRIBUTES);
  } else if (plugin->nattribute && !plugin->attributes) {
    mju_error("plugin->attributes is a null pointer");
  } else {
    int added;
    const int slot = bas_register(&plugins, plugin, &added);
    if (added && loadCount++ == 0) loadFirst = slot;
    return slot;
  }
  return -1;
}

int mjp_pluginCount(void) {
  return bas_registered(&plugins);
}

const mjpPlugin* mjp_getPluginAtSlot(int slot) {
  return bas_atSlot(&plugins, slot);
}

const mjpPlugin* mjp_getPlugin(const char* name, int* slot) {
  return bas_byKey(&plugins, name, name ? strlen(name) : 0, slot);
}

const char* mj_getPluginConfig(const mjModel* m, int plugin_id, const char* attrib) {
  if (plugin_id < 0 || plugin_id >= m->nplugin || !attrib) return NULL;
  const mjpPlugin* const plugin = mjp_getPluginAtSlot(m->plugin[plugin_id]);
  if (!plugin) return NULL;

  // an instance's values are consecutive strings in the order of the plugin's attributes
  const char* value = m->plugin_attr + m->plugin_attradr[plugin_id];
  for (int i = 0; i < plugin->nattribute; i++) {
    if (!strcmp(plugin->attributes[i], attrib)) return value;
    value += strlen(value) + 1;
  }
  return NULL;
}

// dlopen a library whose constructors may fail to register; 1, or 0 with the reason in error
static int loadLibrary(const char* path, char* error, size_t nerror) {
  // errors inside the constructors wait: jumping out of dlopen would leave the loader locked
  BasDeferral deferral = {0};
  BasDeferral* const outer = bas_setDeferral(&deferral);
  loadFirst = -1;
  loadCount = 0;
  void* const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const char* reason = handle ? NULL : dlerror();
  bas_setDeferral(outer);

  // a library that is there but did not register well stays loaded; its functions may be in use
  if (handle && !deferral.raised) return 1;
  if (handle) reason = deferral.message;
  const int length =
      snprintf(error, nerror, "Error loading plugin library '%s': %s\n", path, reason ? reason : "unknown");

  // say so when the message had to be cut
  if (length >= (int)nerror) memcpy(error + nerror - 4, "...", 4);
  return 0;
}

void mj_loadPluginLibrary(const char* path) {
  char error[BAS_MESSAGE];
  if (!path) {
    mju_error("mj_loadPluginLibrary: path is NULL");
  } else if (!loadLibrary(path, error, sizeof(error))) {
    mju_error("%s", error);
  }
}

// regular files whose names end in .so and have something before it
static int isLibrary(const struct dirent* entry) {
  const size_t length = strlen(entry->d_name);
  return length > 3 && !strcmp(entry->d_name + length - 3, ".so");
}

void mj_loadAllPluginLibraries(const char* directory, mjfPluginLibraryLoadCallback callback) {
  // a directory that does not exist has no plugins; one that cannot be read may have
  struct dirent** entries;
  const int n = directory ? scandir(directory, &entries, isLibrary, alphasort) : -1;
  if (n < 0) {
    if (directory && errno != ENOENT) {
      mju_warning("mj_loadAllPluginLibraries: cannot read '%s': %s", directory, strerror(errno));
    }
    return;
  }

  // in alphabetical order, so that slots do not depend on the file system; one bad library does not stop the others
  char error[BAS_MESSAGE] = "";
  for (int i = 0; i < n; i++) {
    char path[8192];
    struct stat info;
    const int length = snprintf(path, sizeof(path), "%s/%s", directory, entries[i]->d_name);
    if (length >= (int)sizeof(path) || stat(path, &info) || !S_ISREG(info.st_mode)) continue;
    char reason[BAS_MESSAGE];
    if (!loadLibrary(path, reason, sizeof(reason)) && !error[0]) memcpy(error, reason, sizeof(error));
    if (callback) callback(entries[i]->d_name, loadFirst, loadCount);
  }

  // raise with everything freed
  for (int i = 0; i < n; i++) free(entries[i]);
  free(entries);
  if (error[0]) mju_error("%s", error);
}
