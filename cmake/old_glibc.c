// Lets a wheel that was built on a new system run on glibc 2.28 (manylinux_2_28): newer versions of these functions
// exist only because they moved from libdl, libpthread or libm to libc, or because errno changed; the old ones do the
// same. The linker sends every call of X to __wrap_X (cmake/python.cmake), and that calls the old version of X.
#include <dlfcn.h>
#include <pthread.h>
#include <sys/stat.h>

// the version that the x86-64 ABI began with
#define OLDEST "GLIBC_2.2.5"

#define PIN(type, name, parameters, arguments)         \
  type old_##name parameters;                          \
  __asm__(".symver old_" #name ", " #name "@" OLDEST); \
  type __wrap_##name parameters;                       \
  type __wrap_##name parameters {                      \
    return old_##name arguments;                       \
  }

PIN(double, exp, (double x), (x))
PIN(double, log, (double x), (x))
PIN(double, pow, (double x, double y), (x, y))
PIN(double, hypot, (double x, double y), (x, y))
PIN(void*, dlopen, (const char* file, int mode), (file, mode))
PIN(void*, dlsym, (void* library, const char* name), (library, name))
PIN(int, dlclose, (void* library), (library))
PIN(int, dladdr, (const void* address, Dl_info* info), (address, info))
PIN(char*, dlerror, (void), ())
PIN(int, pthread_create, (pthread_t * thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument),
    (thread, attributes, run, argument))
PIN(int, pthread_join, (pthread_t thread, void** result), (thread, result))
PIN(int, pthread_mutex_trylock, (pthread_mutex_t * mutex), (mutex))
PIN(int, pthread_once, (pthread_once_t * once, void (*run)(void)), (once, run))

// stat and fstat were inline functions around these, with the version of struct stat
enum { STAT_VERSION = 1 };
int old_xstat(int version, const char* path, struct stat* result);
__asm__(".symver old_xstat, __xstat@" OLDEST);
int old_fxstat(int version, int file, struct stat* result);
__asm__(".symver old_fxstat, __fxstat@" OLDEST);

int __wrap_stat(const char* path, struct stat* result);
int __wrap_stat(const char* path, struct stat* result) {
  return old_xstat(STAT_VERSION, path, result);
}
int __wrap_fstat(int file, struct stat* result);
int __wrap_fstat(int file, struct stat* result) {
  return old_fxstat(STAT_VERSION, file, result);
}

// what calls main; a program without constructors of its own needs neither init nor fini
int old_start(int (*run)(int, char**, char**), int count, char** arguments, void (*init)(void), void (*fini)(void),
              void (*unload)(void), void* stack);
__asm__(".symver old_start, __libc_start_main@" OLDEST);
int __wrap___libc_start_main(int (*run)(int, char**, char**), int count, char** arguments, void (*init)(void),
                             void (*fini)(void), void (*unload)(void), void* stack);
int __wrap___libc_start_main(int (*run)(int, char**, char**), int count, char** arguments, void (*init)(void),
                             void (*fini)(void), void (*unload)(void), void* stack) {
  return old_start(run, count, arguments, init, fini, unload, stack);
}
