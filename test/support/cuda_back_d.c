// The kernels in double precision, as C, with all loops backwards.
#define CU_DOUBLE 1
#define CU_BACKWARDS
#define CU_RUN cu_runBackwards_d
#include "support/cuda_run_impl.h"
