// The kernel in single precision, 8 lanes per simulation, with everything.
#define CU_DOUBLE 0
#define CU_WIDTH 8
#define CU_ALL 1
#define CU_KERNEL cu_kernel_f8s
#define CU_LAUNCH cu_launch_f8s
#define CU_FIT cu_fit_f8s
#include "cuda/kernel.h"
