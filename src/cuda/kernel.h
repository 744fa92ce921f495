// The kernel, in the precision and for the width of the file that includes this, which names it CU_KERNEL: one
// simulation per group of lanes. CU_LAUNCH and CU_FIT are the functions through which device.cu uses it.
#ifndef CU_OWN
#define CU_OWN 0
#endif
#include "cuda/step.h"

// Warps of a block, at most. They run in step (cu_together), and registers are limited so that they all fit: kernels
// with solids need more of them.
#ifndef CU_WARPS
#if CU_FAR
#define CU_WARPS 1
#elif CU_DOUBLE
#define CU_WARPS 8
#elif CU_SOLIDS
#define CU_WARPS 16
#else
#define CU_WARPS 20
#endif
#endif

// Far kernels need most registers for flexes, which few models have: the others shall not have fewer blocks for that.
#if CU_FAR
#define CU_BOUNDS __launch_bounds__(32 * CU_WARPS, 12)
#else
#define CU_BOUNDS __launch_bounds__(32 * CU_WARPS)
#endif

extern "C" __global__ void CU_BOUNDS CU_KERNEL(const __grid_constant__ CudTask task) {
#if CU_FAR
  // a block is a simulation, or several of them one after the other in the same workspace
  CU_LOOP for (int i = (int)blockIdx.x; i < task.n; i += (int)gridDim.x) {
    Cu c;
    c.t = &task;
    c.m = &task.m;
    c.w = task.far + (int64_t)blockIdx.x * task.m.at.total;
    c.more = 0;
    c.sim = task.list ? task.list[i] : i;
    c.ncon = c.nrow = c.niter = c.status = 0;
    cu_simulate(&c);
    cu_sync();
  }
#else
  const int part = (int)(threadIdx.x / CU_WIDTH), i = (int)(blockIdx.x * (blockDim.x / CU_WIDTH)) + part;
  if (i >= task.n) return;
  Cu c;
  c.t = &task;
  c.m = &task.m;
  c.part = part * task.m.at.total;
  c.more = 0;
  c.sim = task.list ? task.list[i] : i;
  c.ncon = c.nrow = c.niter = c.status = 0;
  cu_simulate(&c);
#endif
}

#if CU_FAR

extern "C" int CU_FIT(int bytes, int* blocks, int* sims) {
  *sims = 1;
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, CU_KERNEL, CU_WIDTH, (size_t)bytes);
}

extern "C" int CU_LAUNCH(const void* task, int n, int bytes, cudaStream_t stream) {
  const CudTask* const t = (const CudTask*)task;
  const int blocks = n < t->nfar ? n : t->nfar;
  CU_KERNEL<<<blocks, CU_WIDTH, (size_t)bytes, stream>>>(*t);
  return cudaGetLastError();
}

#else

// Warps of a block for n simulations: as many as shared memory has room for, but no more than it takes to occupy all
// processors, the same number of times.
static int warpsOf(int n, int bytes) {
  int id = 0, most = 0, processors = 1, warps = CU_WARPS;
  cudaGetDevice(&id);
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, id);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, id);
  const int each = 32 / CU_WIDTH, room = most / (each * bytes),
            share = (n + each * processors - 1) / (each * processors);
  if (warps > room) warps = room;
  if (warps < 1) return 1;
  const int times = (share + warps - 1) / warps;
  return (share + times - 1) / times;
}

// how many blocks of the kernel a processor runs at a time, and how many simulations each has
extern "C" int CU_FIT(int bytes, int* blocks, int* sims) {
  *sims = warpsOf(1 << 30, bytes) * (32 / CU_WIDTH);
  const int shared = bytes * *sims;
  const cudaError_t error = cudaFuncSetAttribute(CU_KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  if (error != cudaSuccess) return error;
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, CU_KERNEL, *sims * CU_WIDTH, (size_t)shared);
}

extern "C" int CU_LAUNCH(const void* task, int n, int bytes, cudaStream_t stream) {
  const int sims = warpsOf(n, bytes) * (32 / CU_WIDTH), shared = bytes * sims;
  const cudaError_t error = cudaFuncSetAttribute(CU_KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  if (error != cudaSuccess) return error;
  CU_KERNEL<<<(n + sims - 1) / sims, sims * CU_WIDTH, (size_t)shared, stream>>>(*(const CudTask*)task);
  return cudaGetLastError();
}

#endif
