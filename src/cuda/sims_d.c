// Simulations on a device in double precision.
#define CU_DOUBLE 1
#include "cuda/sims_impl.h"

const CudApi cud_double = API;
