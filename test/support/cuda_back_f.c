// The kernels in single precision, as C, with all loops backwards.
#define CU_DOUBLE 0
#define CU_BACKWARDS
#define CU_RUN cu_runBackwards_f
#include "support/cuda_run_impl.h"
