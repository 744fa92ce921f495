// The kernel in double precision, 8 lanes per simulation, with what most models use and contacts of solids.
#define CU_DOUBLE 1
#define CU_WIDTH 8
#define CU_ALL 0
#define CU_SOLIDS 1
#define CU_KERNEL cu_kernel_d8c
#define CU_LAUNCH cu_launch_d8c
#define CU_FIT cu_fit_d8c
#include "cuda/kernel.h"
