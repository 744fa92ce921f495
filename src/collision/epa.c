// EPA on the CPU: see epa_body.h.
#include <math.h>

#include "collision/epa_body.h"
