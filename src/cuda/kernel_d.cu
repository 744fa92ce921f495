// The kernel in double precision.
#define CU_DOUBLE 1
#include "cuda/kernel.h"
