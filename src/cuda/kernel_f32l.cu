// The kernel in single precision, 32 lanes per simulation, with everything, parameters per simulation, and a workspace in
// the memory of the device: for models that are too large for a processor.
#define CU_DOUBLE 0
#define CU_WIDTH 32
#define CU_ALL 1
#define CU_OWN 1
#define CU_FAR 1
#define CU_KERNEL cu_kernel_f32l
#define CU_LAUNCH cu_launch_f32l
#define CU_FIT cu_fit_f32l
#include "cuda/kernel.h"
