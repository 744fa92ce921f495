// Ring buffers of past samples (delayed controls and sensors), stored inside mjData.history.
//
// One buffer is  [ user | cursor | time × n | value × n·dim ]  where cursor is the slot of the newest sample and
// user belongs to the caller (sensors keep their last tick there). Logical index 0 is the oldest sample, n-1 the
// newest; times increase with the logical index. A cursor that is no slot counts as the last slot.
#pragma once

#include <mujoco/mjtnum.h>

// fills the buffer; times NULL keeps the stored times, values NULL stores zeros. The newest sample is the last one.
void mdl_historyInit(mjtNum* buf, int n, int dim, const mjtNum* times, const mjtNum* values, mjtNum user);

// opens a slot for a sample taken at time t and returns where its dim values go
mjtNum* mdl_historyInsert(mjtNum* buf, int n, int dim, mjtNum t);

// the sample at time t, clamped to the stored span. interp: 0 the last sample before t, 1 linear, else cubic.
// Returns the stored values when no interpolation was needed; otherwise writes result and returns NULL.
const mjtNum* mdl_historyRead(const mjtNum* buf, int n, int dim, mjtNum* result, mjtNum t, int interp);
