// The kernel in double precision, 32 lanes per simulation, with everything and parameters per simulation.
#define CU_DOUBLE 1
#define CU_WIDTH 32
#define CU_ALL 1
#define CU_OWN 1
#define CU_KERNEL cu_kernel_d32p
#define CU_LAUNCH cu_launch_d32p
#define CU_FIT cu_fit_d32p
#include "cuda/kernel.h"
