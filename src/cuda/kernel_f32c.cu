// The kernel in single precision, 32 lanes per simulation, with what most models use and contacts of solids.
#define CU_DOUBLE 0
#define CU_WIDTH 32
#define CU_ALL 0
#define CU_SOLIDS 1
#define CU_KERNEL cu_kernel_f32c
#define CU_LAUNCH cu_launch_f32c
#define CU_FIT cu_fit_f32c
#include "cuda/kernel.h"
