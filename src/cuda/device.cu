// GPUs as the batch sees them: memory, copies and runs through the CUDA runtime, which is linked into this library.
#include <cstdio>
#include <cuda_runtime.h>

#include "cuda/device.h"


// the kernels: precision, lanes per simulation, kind, name
#define KERNELS(X)                                                                  \
  X(0, 32, 2, f32p) X(1, 32, 2, d32p) X(0, 32, 3, f32l) X(1, 32, 3, d32l)           \
  X(0, 8, 0, f8) X(0, 16, 0, f16) X(0, 32, 0, f32) X(0, 8, 1, f8s) X(0, 16, 1, f16s) X(0, 32, 1, f32s) \
  X(1, 8, 0, d8) X(1, 16, 0, d16) X(1, 32, 0, d32) X(1, 8, 1, d8s) X(1, 16, 1, d16s) X(1, 32, 1, d32s) \
  X(0, 8, 4, f8c) X(0, 16, 4, f16c) X(0, 32, 4, f32c) X(1, 8, 4, d8c) X(1, 16, 4, d16c) X(1, 32, 4, d32c)

extern "C" {
#define X(isdouble, width, kind, name)                                          \
  int cu_launch_##name(const void* task, int n, int bytes, cudaStream_t stream); \
  int cu_fit_##name(int bytes, int* blocks, int* sims);
KERNELS(X)
#undef X
}

// one kernel
typedef struct {
  int isdouble, width, kind;
  int (*launch)(const void* task, int n, int bytes, cudaStream_t stream);
  int (*fit)(int bytes, int* blocks, int* sims);  // how many blocks a processor runs at a time, and of what size
} Kernel;

static const Kernel* findKernel(const CudKernel* kernel) {
  static const Kernel LIST[] = {
#define X(isdouble, width, kind, name) {isdouble, width, kind, cu_launch_##name, cu_fit_##name},
      KERNELS(X)
#undef X
  };
  for (const Kernel& k : LIST) {
    if (k.isdouble == kernel->isdouble && k.width == kernel->width && k.kind == kernel->kind) return &k;
  }
  return NULL;
}

// 1: the call failed, with its reason in message
static int failed(cudaError_t error, const char* what, char message[CUD_MESSAGE]) {
  if (error == cudaSuccess) return 0;
  snprintf(message, CUD_MESSAGE, "%s: %s", what, cudaGetErrorString(error));
  cudaGetLastError();
  return 1;
}

static int openDevice(int* most, int* shared, char message[CUD_MESSAGE]) {
  int count = 0, id = 0;
  if (failed(cudaGetDeviceCount(&count), "no GPU", message)) return 1;
  if (!count) return snprintf(message, CUD_MESSAGE, "there is no GPU"), 1;
  if (failed(cudaGetDevice(&id), "no GPU", message)) return 1;
  if (failed(cudaDeviceGetAttribute(most, cudaDevAttrMaxSharedMemoryPerBlockOptin, id), "the GPU", message)) return 1;
  return failed(cudaDeviceGetAttribute(shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, id), "the GPU", message);
}

static size_t available(void) {
  size_t left = 0, total = 0;
  return cudaMemGetInfo(&left, &total) == cudaSuccess ? left : 0;
}

static int allocate(void** memory, size_t bytes, char message[CUD_MESSAGE]) {
  *memory = NULL;
  if (cudaMalloc(memory, bytes) != cudaSuccess) {
    cudaGetLastError();
    snprintf(message, CUD_MESSAGE, "the GPU has no %zu bytes left, only %zu", bytes, available());
    return 1;
  }
  return failed(cudaMemset(*memory, 0, bytes), "memory of the GPU", message);
}

static void release(void* memory) {
  cudaFree(memory);
}

static int writeBytes(void* device, const void* host, size_t bytes, void* stream, char message[CUD_MESSAGE]) {
  return failed(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, (cudaStream_t)stream), "copy to the GPU",
                message);
}

static int readBytes(void* host, const void* device, size_t bytes, void* stream, char message[CUD_MESSAGE]) {
  return failed(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, (cudaStream_t)stream), "copy from the GPU",
                message);
}

static int groups(CudKernel kernel, int* n, char message[CUD_MESSAGE]) {
  int blocks = 0, sims = 0, processors = 0, id = 0;
  const int error = findKernel(&kernel)->fit(kernel.bytes, &blocks, &sims);
  if (failed((cudaError_t)error, "the kernel", message) || failed(cudaGetDevice(&id), "the GPU", message)) return 1;
  if (failed(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, id), "the GPU", message)) return 1;
  *n = blocks * processors * sims;
  return 0;
}

static int run(const void* task, CudKernel kernel, int n, void* stream, char message[CUD_MESSAGE]) {
  const Kernel* const k = findKernel(&kernel);
  return failed((cudaError_t)k->launch(task, n, kernel.bytes, (cudaStream_t)stream), "the kernel", message);
}

static int waitFor(void* stream, char message[CUD_MESSAGE]) {
  return failed(cudaStreamSynchronize((cudaStream_t)stream), "the kernel", message);
}

extern "C" __attribute__((visibility("default"))) const CudDevice* sn_cudaDevice(void) {
  static const CudDevice DEVICE = {CUD_VERSION, openDevice, allocate, release, available,
                                   writeBytes,  readBytes,  groups,   run,     waitFor};
  return &DEVICE;
}
