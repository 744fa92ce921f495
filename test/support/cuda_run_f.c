// The kernels in single precision, as C.
#define CU_DOUBLE 0
#define CU_RUN    cu_run_f
#include "support/cuda_run_impl.h"
