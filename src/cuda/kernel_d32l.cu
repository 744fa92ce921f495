// The kernel in double precision, 32 lanes per simulation, with everything, parameters per simulation, and a workspace in
// the memory of the device: for models that are too large for a processor.
#define CU_DOUBLE 1
#define CU_WIDTH 32
#define CU_ALL 1
#define CU_OWN 1
#define CU_FAR 1
#define CU_KERNEL cu_kernel_d32l
#define CU_LAUNCH cu_launch_d32l
#define CU_FIT cu_fit_d32l
#include "cuda/kernel.h"
