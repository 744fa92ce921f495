// The kernels in double precision, as C.
#define CU_DOUBLE 1
#define CU_RUN    cu_run_d
#include "support/cuda_run_impl.h"
