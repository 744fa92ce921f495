// The kernel in single precision.
#define CU_DOUBLE 0
#include "cuda/kernel.h"
