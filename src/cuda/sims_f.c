// Simulations on a device in single precision.
#define CU_DOUBLE 0
#include "cuda/sims_impl.h"

const CudApi cud_single = API;
