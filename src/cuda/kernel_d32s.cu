// The kernel in double precision, 32 lanes per simulation, with everything.
#define CU_DOUBLE 1
#define CU_WIDTH 32
#define CU_ALL 1
#define CU_KERNEL cu_kernel_d32s
#define CU_LAUNCH cu_launch_d32s
#define CU_FIT cu_fit_d32s
#include "cuda/kernel.h"
