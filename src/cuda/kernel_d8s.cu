// The kernel in double precision, 8 lanes per simulation, with everything.
#define CU_DOUBLE 1
#define CU_WIDTH 8
#define CU_ALL 1
#define CU_KERNEL cu_kernel_d8s
#define CU_LAUNCH cu_launch_d8s
#define CU_FIT cu_fit_d8s
#include "cuda/kernel.h"
