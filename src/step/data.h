// mjData as a memory object, in parts.
#pragma once

#include <mujoco/mujoco.h>

// gives an existing mjData the buffers of another model and resets it; the address of d stays
void stp_remakeData(const mjModel* m, mjData* d);

// returns everything d owns, plugin instances first; not d itself
void stp_releaseBuffers(mjData* d);

// fills a struct that owns nothing with the memory of a model's data: not reset, without plugins, arrays zeroed if
// asked; 0 when that is impossible, and *missing is how many bytes there were not
int stp_takeBuffers(const mjModel* m, mjData* d, int zeroed, long long* missing);

// creates the plugin instances; when one fails, d is freed and an error raised: 0 if that returns
int stp_initPlugins(const char* caller, const mjModel* m, mjData* d);
