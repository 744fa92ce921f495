// The kernel in double precision, 8 lanes per simulation, with what most models use (CU_ALL).
#define CU_DOUBLE 1
#define CU_WIDTH 8
#define CU_ALL 0
#define CU_KERNEL cu_kernel_d8
#define CU_LAUNCH cu_launch_d8
#define CU_FIT cu_fit_d8
#include "cuda/kernel.h"
