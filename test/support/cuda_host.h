// A device for tests: the kernels for GPUs, compiled as C, in the memory of this machine.
#pragma once

#include "cuda/device.h"

// a group of one lane that goes through every loop forwards, or backwards
const CudDevice* tst_cudaHost(int backwards);
