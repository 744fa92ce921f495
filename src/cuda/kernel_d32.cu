// The kernel in double precision, 32 lanes per simulation, with what most models use (CU_ALL).
#define CU_DOUBLE 1
#define CU_WIDTH 32
#define CU_ALL 0
#define CU_KERNEL cu_kernel_d32
#define CU_LAUNCH cu_launch_d32
#define CU_FIT cu_fit_d32
#include "cuda/kernel.h"
