// The kernels of kind 4 in double precision, as C.
#define CU_DOUBLE 1
#define CU_ALL    0
#define CU_SOLIDS 1
#define CU_RUN    cu_runSolid_d
#include "support/cuda_run_impl.h"
