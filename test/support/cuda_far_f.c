// The kernels with workspaces in the memory of the device, in single precision, as C.
#define CU_DOUBLE 0
#define CU_FAR    1
#define CU_RUN    cu_runFar_f
#include "support/cuda_run_impl.h"
