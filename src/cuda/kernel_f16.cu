// The kernel in single precision, 16 lanes per simulation, with what most models use (CU_ALL).
#define CU_DOUBLE 0
#define CU_WIDTH 16
#define CU_ALL 0
#define CU_KERNEL cu_kernel_f16
#define CU_LAUNCH cu_launch_f16
#define CU_FIT cu_fit_f16
#include "cuda/kernel.h"
