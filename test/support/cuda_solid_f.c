// The kernels of kind 4 in single precision, as C.
#define CU_DOUBLE 0
#define CU_ALL    0
#define CU_SOLIDS 1
#define CU_RUN    cu_runSolid_f
#include "support/cuda_run_impl.h"
