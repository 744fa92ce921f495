// What the batch asks of a device: memory, copies, and runs of the kernels. libsinew_cuda.so has one of these for GPUs;
// the tests have one that runs the same kernels, compiled as C, in the memory of the machine.
#pragma once

#include <stddef.h>

// raised when this struct or the tasks of a kernel change: a library of another age is refused
#define CUD_VERSION 7

// name of the function that libsinew_cuda.so exports: const CudDevice* (*)(void)
#define CUD_ENTRY "sn_cudaDevice"

enum { CUD_MESSAGE = 200 };

// what a simulation came to: bits
enum {
  CUD_BAD_QPOS = 1,
  CUD_BAD_QVEL = 2,
  CUD_BAD_QACC = 4,
  CUD_BAD_CTRL = 8,
  CUD_SPILLED = 16,  // contacts or rows went to the pool
  CUD_FULL = 32,     // more contacts or rows than the pool has room for
  CUD_DISTANT = 64,  // the workspace lies in the memory of the device
  CUD_SHORT = 128    // a list has no room for all contacts or rows
};

// Which kernel: precision, lanes per simulation (8, 16 or 32), kind, bytes of the workspace of a simulation. Kinds: 0
// with what most models use, 1 with everything, 2 with parameters per simulation too, always of 32 lanes;
// 3 that with workspaces in the memory of the device, of 32 lanes; 4 with what most models use and contacts of solids.
typedef struct {
  int isdouble, width, kind, bytes;
} CudKernel;

// Functions return 0, or 1 with a message.
typedef struct {
  int version;

  // opens the device; its shared memory per group in bytes, at most, and per processor
  int (*open)(int* most, int* shared, char message[CUD_MESSAGE]);

  // bytes of memory of the device, zeroed; free takes NULL
  int (*allocate)(void** memory, size_t bytes, char message[CUD_MESSAGE]);
  void (*release)(void* memory);
  size_t (*available)(void);

  // copies, in the order of runs on the stream
  int (*write)(void* device, const void* host, size_t bytes, void* stream, char message[CUD_MESSAGE]);
  int (*read)(void* host, const void* device, size_t bytes, void* stream, char message[CUD_MESSAGE]);

  // how many simulations can run at a time
  int (*groups)(CudKernel kernel, int* groups, char message[CUD_MESSAGE]);

  // starts the kernel on n simulations; does not wait
  int (*run)(const void* task, CudKernel kernel, int n, void* stream, char message[CUD_MESSAGE]);

  // waits for everything on the stream
  int (*wait)(void* stream, char message[CUD_MESSAGE]);
} CudDevice;
