// Default settings that have no public function.
#pragma once

#include <mujoco/mujoco.h>

// values that ask the compiler to compute the statistic from the model
void mdl_defaultStatistic(mjStatistic* stat);
