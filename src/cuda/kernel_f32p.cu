// The kernel in single precision, 32 lanes per simulation, with everything and parameters per simulation.
#define CU_DOUBLE 0
#define CU_WIDTH 32
#define CU_ALL 1
#define CU_OWN 1
#define CU_KERNEL cu_kernel_f32p
#define CU_LAUNCH cu_launch_f32p
#define CU_FIT cu_fit_f32p
#include "cuda/kernel.h"
