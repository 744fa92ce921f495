// Modules lie beside the program where it was built, and in lib/sinew where it was installed.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "modules/modules.h"

const void* mod_load(const char* name, const char* symbol) {
  static const char* const FOLDERS[] = {"", "../lib/sinew/", SINEW_MODULE_PATH "/"};
  char program[4000];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
  program[length > 0 ? length : 0] = 0;
  char* const slash = strrchr(program, '/');
  if (slash) slash[1] = 0;
  for (size_t i = 0; i < sizeof(FOLDERS) / sizeof(FOLDERS[0]); i++) {
    char path[5000];
    snprintf(path, sizeof(path), "%s%s%s.so", FOLDERS[i][0] == '/' ? "" : program, FOLDERS[i], name);
    void* const module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (module) return dlsym(module, symbol);
  }
  return NULL;
}
