// Tendons around spheres and cylinders: see wrap_body.h.
#include "kinematics/wrap_body.h"
