// The kernels of kind 0 in double precision, as C.
#define CU_DOUBLE 1
#define CU_ALL    0
#define CU_RUN    cu_runPlain_d
#include "support/cuda_run_impl.h"
