// States to start from, the same for both libraries.
#pragma once

#include <mujoco/mujoco.h>

#include "golden/record.h"

// solves as far as numbers allow, so that the way to the solution leaves no trace
void st_tighten(mjModel* m);

// state 0 is the initial one, or the first keyframe; the others are random, ever farther from it, with velocities,
// controls, activations, applied forces, mocap bodies and equality constraints changed
void st_set(Rec* rec, const mjModel* m, mjData* d, int state);
