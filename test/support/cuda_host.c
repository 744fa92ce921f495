// A device that is this machine: memory from calloc, kernels one simulation after the other.
#include "support/cuda_host.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cuda_run.h"

static int way;

static int openDevice(int* most, int* shared, char message[CUD_MESSAGE]) {
  (void)message;
  *most = 227 * 1024;
  *shared = 227 * 1024;
  return 0;
}

static int allocate(void** memory, size_t bytes, char message[CUD_MESSAGE]) {
  *memory = calloc(1, bytes);
  if (!*memory) snprintf(message, CUD_MESSAGE, "out of memory");
  return !*memory;
}

static size_t available(void) {
  return (size_t)1 << 40;
}

static int writeBytes(void* device, const void* host, size_t bytes, void* stream, char message[CUD_MESSAGE]) {
  (void)stream, (void)message;
  memcpy(device, host, bytes);
  return 0;
}

static int readBytes(void* host, const void* device, size_t bytes, void* stream, char message[CUD_MESSAGE]) {
  return writeBytes(host, device, bytes, stream, message);
}

static int groups(CudKernel kernel, int* n, char message[CUD_MESSAGE]) {
  (void)kernel, (void)message;
  *n = 1;
  return 0;
}

static void (*kernelOf(CudKernel kernel))(const void* task, int i, void* workspace) {
  const int isdouble = kernel.isdouble;
  if (kernel.kind == 3) return isdouble ? cu_runFar_d : cu_runFar_f;
  if (way) return isdouble ? cu_runBackwards_d : cu_runBackwards_f;
  if (kernel.kind == 4) return isdouble ? cu_runSolid_d : cu_runSolid_f;
  if (kernel.kind == 0) return isdouble ? cu_runPlain_d : cu_runPlain_f;
  return isdouble ? cu_run_d : cu_run_f;
}

// a workspace without red zones would hide a read of what was never written: it is filled with what is not a number
static int run(const void* task, CudKernel kernel, int n, void* stream, char message[CUD_MESSAGE]) {
  (void)stream;
  const size_t bytes = (size_t)kernel.bytes;
  void* const workspace = malloc(bytes + 1);
  if (!workspace) return snprintf(message, CUD_MESSAGE, "out of memory"), 1;
  for (int i = 0; i < n; i++) {
    memset(workspace, 0xff, bytes);
    kernelOf(kernel)(task, i, workspace);
  }
  free(workspace);
  return 0;
}

static int waitFor(void* stream, char message[CUD_MESSAGE]) {
  (void)stream, (void)message;
  return 0;
}

// the GPU instead, where the environment names the library of its kernels
static const CudDevice* gpu(const char* path) {
  void* const library = dlopen(path, RTLD_NOW);
  const CudDevice* (*entry)(void) = NULL;
  if (library) *(void**)&entry = dlsym(library, CUD_ENTRY);
  if (entry) return entry();
  fprintf(stderr, "%s: %s\n", path, dlerror());
  exit(1);
}

const CudDevice* tst_cudaHost(int backwards) {
  const char* const path = getenv("SINEW_TEST_CUDA");
  if (path) return gpu(path);
  static const CudDevice DEVICE = {CUD_VERSION, openDevice, allocate, free, available,
                                   writeBytes,  readBytes,  groups,   run,  waitFor};
  way = backwards;
  return &DEVICE;
}

int tst_steps(int n) {
  const char* const text = getenv("SINEW_TEST_STEPS");
  const int most = text ? atoi(text) : 0;
  return most > 0 && most < n ? most : n;
}
