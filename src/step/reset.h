// Reset of mjData for callers that handle failure themselves.
#pragma once

#include <mujoco/mujoco.h>

// initial state; arrays other than state and input are filled with debug_value. 0: error says why the model cannot
// start, and d must be reset with a corrected model before it is used.
int stp_reset(const mjModel* m, mjData* d, unsigned char debug_value, char* error, int error_sz);
