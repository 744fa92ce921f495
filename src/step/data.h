// mjData as a memory object, in parts: buffers, initial state, private sections of all stages (model/private.h).
#pragma once

#include <mujoco/mujoco.h>

#include "model/private.h"

// ---- data.c

// gives an existing mjData the buffers of another model and resets it; the address of d stays
void stp_remakeData(const mjModel* m, mjData* d);

// returns everything d owns, plugin instances first; not d itself
void stp_releaseBuffers(mjData* d);

// fills a struct that owns nothing with the memory of a model's data: not reset, without plugins, arrays zeroed if
// asked; 0 when that is impossible, and *missing is how many bytes there were not
int stp_takeBuffers(const mjModel* m, mjData* d, int zeroed, long long* missing);

// creates the plugin instances; when one fails, d is freed and an error raised: 0 if that returns
int stp_initPlugins(const char* caller, const mjModel* m, mjData* d);

// Copies the arrays and the private block of one mjData into another of the same model, in the middle of a step too:
// not the struct, the arena and the plugins. Raises an error without memory.
void stp_copyArrays(mjData* dest, const mjModel* m, const mjData* src);

// lets the plugins of dest copy what those of src hold
void stp_copyPlugins(mjData* dest, const mjModel* m, const mjData* src);

// ---- reset.c

// initial state; arrays other than state and input are filled with debug_value. 0: error says why the model cannot
// start, and d must be reset with a corrected model before it is used.
int stp_reset(const mjModel* m, mjData* d, unsigned char debug_value, char* error, int error_sz);

// time, positions, velocities, activations, mocap bodies and controls of a keyframe that the model has
void stp_setKeyframe(const mjModel* m, mjData* d, int key);

// ---- sections.c

// bytes that each stage wants for this model
void stp_sectionSizes(const mjModel* m, size_t size[MDL_NSECTION]);

// lets each stage fill its zeroed section
void stp_sectionInit(const mjModel* m, const mjData* d);
