// Configurations beyond the public mj_integratePos, mj_differentiatePos and mj_normalizeQuat.
#pragma once

#include "sleep/sleep.h"

// mj_integratePos for the joints of given bodies
void kin_integrateBodies(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt, const SlpRange* bodies);
