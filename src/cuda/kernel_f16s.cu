// The kernel in single precision, 16 lanes per simulation, with everything.
#define CU_DOUBLE 0
#define CU_WIDTH 16
#define CU_ALL 1
#define CU_KERNEL cu_kernel_f16s
#define CU_LAUNCH cu_launch_f16s
#define CU_FIT cu_fit_f16s
#include "cuda/kernel.h"
