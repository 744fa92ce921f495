// The kernel in single precision, 8 lanes per simulation, with what most models use (CU_ALL).
#define CU_DOUBLE 0
#define CU_WIDTH 8
#define CU_ALL 0
#define CU_KERNEL cu_kernel_f8
#define CU_LAUNCH cu_launch_f8
#define CU_FIT cu_fit_f8
#include "cuda/kernel.h"
