// The kernel in single precision, 32 lanes per simulation, with everything.
#define CU_DOUBLE 0
#define CU_WIDTH 32
#define CU_ALL 1
#define CU_KERNEL cu_kernel_f32s
#define CU_LAUNCH cu_launch_f32s
#define CU_FIT cu_fit_f32s
#include "cuda/kernel.h"
