// The device for tests as a library that SINEW_CUDA names: for the tests of the Python package.
#include "support/cuda_host.h"

__attribute__((visibility("default"))) const CudDevice* sn_cudaDevice(void);
const CudDevice* sn_cudaDevice(void) {
  return tst_cudaHost(0);
}
