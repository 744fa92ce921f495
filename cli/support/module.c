// Modules lie beside the program where it was built, and in lib/sinew where it was installed. Those of a wheel are not
// linked to the libraries that they need: an environment variable names such a library, or it is found by the names
// that it usually has.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "modules/modules.h"

typedef struct {
  const char* module;
  const char* variable;    // names the library that the module needs
  const char* library[6];  // its usual names
  const char* unbuilt;     // why there is no module
  const char* lacking;     // why it does not start
} Module;

static const Module MODULES[] = {
    {"sinew_hdf5",
     "SINEW_HDF5", {"libhdf5_serial.so.103", "libhdf5.so.103", "libhdf5.so.200", "libhdf5.so.310", "libhdf5.so.320"},
     "this program was built without HDF5 (libhdf5-dev)",                                                   "there is no library of HDF5: 'pip install h5py' brings one, or the system's package manager"               },
    {"sinew_mpi",
     "SINEW_MPI",  {NULL},
     "this program was built without MPI (mpi.h), as that of the Python package is: 'make build' finds it", "the library of MPI is not there"                                                                           },
    {"sinew_window",
     "SINEW_GLFW", {"libglfw.so.3"},
     "this program has no windows: GLFW was not there when it was built (libglfw3-dev)",                    "there is no library for windows: 'pip install glfw' brings one, or the system's package manager (libglfw3)"},
};

static const Module* find(const char* name) {
  size_t i = 0;
  while (i < sizeof(MODULES) / sizeof(MODULES[0]) - 1 && strcmp(MODULES[i].module, name)) i++;
  return MODULES + i;
}

// path of a module that is there; 0: it is not
static int locate(const char* name, char* path, size_t size) {
  static const char* const FOLDERS[] = {"", "../lib/sinew/", SINEW_MODULE_PATH "/"};
  char program[4000];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
  program[length > 0 ? length : 0] = 0;
  char* const slash = strrchr(program, '/');
  if (slash) slash[1] = 0;
  for (size_t i = 0; i < sizeof(FOLDERS) / sizeof(FOLDERS[0]); i++) {
    snprintf(path, size, "%s%s%s.so", FOLDERS[i][0] == '/' ? "" : program, FOLDERS[i], name);
    if (access(path, R_OK) == 0) return 1;
  }
  return 0;
}

// a module whose functions are found in a library that is opened first
static void* openWith(const char* library, const char* path) {
  return library && dlopen(library, RTLD_NOW | RTLD_GLOBAL) ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

const void* mod_load(const char* name, const char* symbol) {
  char path[5000];
  if (!locate(name, path, sizeof(path))) return NULL;
  void* module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const Module* const about = find(name);
  if (!module) module = openWith(getenv(about->variable), path);
  for (int i = 0; !module && about->library[i]; i++) module = openWith(about->library[i], path);
  return module ? dlsym(module, symbol) : NULL;
}

const char* mod_reason(const char* name) {
  char path[5000];
  const Module* const about = find(name);
  return locate(name, path, sizeof(path)) ? about->lacking : about->unbuilt;
}
