// GJK on the CPU: see gjk_body.h.
#include <math.h>

#include "collision/gjk_body.h"
