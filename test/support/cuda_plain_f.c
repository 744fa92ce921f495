// The kernels of kind 0 in single precision, as C.
#define CU_DOUBLE 0
#define CU_ALL    0
#define CU_RUN    cu_runPlain_f
#include "support/cuda_run_impl.h"
