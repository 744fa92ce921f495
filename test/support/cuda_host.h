// A device for tests: the kernels for GPUs, compiled as C, in the memory of this machine.
#pragma once

#include "cuda/device.h"

// A group of one lane that goes through every loop forwards, or backwards. With SINEW_TEST_CUDA=.../libsinew_cuda.so in
// the environment it is the GPU: the tests are the same.
const CudDevice* tst_cudaHost(int backwards);

// Steps of a test: n, or SINEW_TEST_STEPS from the environment where that is less. Tools that watch every access to
// memory make a GPU a thousand times slower.
int tst_steps(int n);
