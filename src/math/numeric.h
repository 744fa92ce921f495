// Parts of the muscle model that the actuation stage and its derivatives use.
#pragma once

#include <mujoco/mjtnum.h>

// active force as a function of normalised length: 1 at length 1, 0 outside (lmin, lmax)
mjtNum mth_muscleGainLength(mjtNum length, mjtNum lmin, mjtNum lmax);

// time constant of activation (dctrl > 0) or deactivation, blended over `width`
mjtNum mth_muscleDynamicsTimescale(mjtNum dctrl, mjtNum tau_act, mjtNum tau_deact, mjtNum width);
