// The kernel, in the precision of the file that includes this: one simulation per group of lanes.
#include "cuda/step.h"

// registers are limited so that as many groups fit as shared memory allows
#if CU_DOUBLE
#define CU_BLOCKS 8
#else
#define CU_BLOCKS 16
#endif

extern "C" __global__ void __launch_bounds__(32, CU_BLOCKS) CU_NAME(cu_kernel)(const __grid_constant__ CudTask task) {
  const int part = (int)(threadIdx.x / CU_WIDTH), i = (int)(blockIdx.x * (32 / CU_WIDTH)) + part;
  if (i >= task.n) return;
  Cu c;
  c.t = &task;
  c.m = &task.m;
  c.part = part * task.m.at.total;
  c.more = 0;
  c.sim = task.list ? task.list[i] : i;
  c.ncon = c.nrow = c.niter = c.status = 0;
  cu_simulate(&c);
}

// how many blocks of the kernel a processor runs at a time
extern "C" int CU_NAME(cu_occupancy)(int bytes, int* blocks) {
  const int shared = bytes * (32 / CU_WIDTH);
  const cudaError_t error =
      cudaFuncSetAttribute(CU_NAME(cu_kernel), cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  if (error != cudaSuccess) return error;
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, CU_NAME(cu_kernel), 32, (size_t)shared);
}

extern "C" int CU_NAME(cu_launch)(const void* task, int n, int bytes, cudaStream_t stream) {
  const int each = 32 / CU_WIDTH, shared = bytes * each;
  const cudaError_t error =
      cudaFuncSetAttribute(CU_NAME(cu_kernel), cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  if (error != cudaSuccess) return error;
  CU_NAME(cu_kernel)<<<(n + each - 1) / each, 32, (size_t)shared, stream>>>(*(const CudTask*)task);
  return cudaGetLastError();
}
