// The kernel in single precision, 32 lanes per simulation, with what most models use (CU_ALL).
#define CU_DOUBLE 0
#define CU_WIDTH 32
#define CU_ALL 0
#define CU_KERNEL cu_kernel_f32
#define CU_LAUNCH cu_launch_f32
#define CU_FIT cu_fit_f32
#include "cuda/kernel.h"
