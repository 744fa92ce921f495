// The kernel in double precision, 16 lanes per simulation, with everything.
#define CU_DOUBLE 1
#define CU_WIDTH 16
#define CU_ALL 1
#define CU_KERNEL cu_kernel_d16s
#define CU_LAUNCH cu_launch_d16s
#define CU_FIT cu_fit_d16s
#include "cuda/kernel.h"
