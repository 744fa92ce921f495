// The kernels with workspaces in the memory of the device, in double precision, as C.
#define CU_DOUBLE 1
#define CU_FAR    1
#define CU_RUN    cu_runFar_d
#include "support/cuda_run_impl.h"
