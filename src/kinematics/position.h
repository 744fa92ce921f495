// Configurations beyond the public mj_integratePos, mj_differentiatePos and mj_normalizeQuat.
#pragma once

#include "sleep/sleep.h"

// mj_integratePos for the joints of bodies that do not sleep
void kin_integratePosAwake(const mjModel* m, const mjData* d, mjtNum* qpos, const mjtNum* qvel, mjtNum dt);

// mj_integratePos for the joints of given bodies; the first of the range is the world and is passed over
void kin_integrateBodies(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt, SlpRange bodies);
