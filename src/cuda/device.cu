// GPUs as the batch sees them: memory, copies and runs through the CUDA runtime, which is linked into this library.
#include <cstdio>
#include <cuda_runtime.h>

#include "cuda/device.h"


extern "C" {
int cu_launch_f(const void* task, int n, int bytes, cudaStream_t stream);
int cu_launch_d(const void* task, int n, int bytes, cudaStream_t stream);
int cu_occupancy_f(int bytes, int* blocks);
int cu_occupancy_d(int bytes, int* blocks);
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

static int groups(int isdouble, int bytes, int* n, char message[CUD_MESSAGE]) {
  int blocks = 0, processors = 0, id = 0;
  const int error = isdouble ? cu_occupancy_d(bytes, &blocks) : cu_occupancy_f(bytes, &blocks);
  if (failed((cudaError_t)error, "the kernel", message) || failed(cudaGetDevice(&id), "the GPU", message)) return 1;
  if (failed(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, id), "the GPU", message)) return 1;
  *n = blocks * processors;
  return 0;
}

static int run(const void* task, int isdouble, int n, int bytes, void* stream, char message[CUD_MESSAGE]) {
  const cudaStream_t s = (cudaStream_t)stream;
  return failed((cudaError_t)(isdouble ? cu_launch_d(task, n, bytes, s) : cu_launch_f(task, n, bytes, s)), "the kernel",
                message);
}

static int waitFor(void* stream, char message[CUD_MESSAGE]) {
  return failed(cudaStreamSynchronize((cudaStream_t)stream), "the kernel", message);
}

extern "C" __attribute__((visibility("default"))) const CudDevice* sn_cudaDevice(void) {
  static const CudDevice DEVICE = {CUD_VERSION, openDevice, allocate, release, available,
                                   writeBytes,  readBytes,  groups,   run,     waitFor};
  return &DEVICE;
}
