// Allocation of mjModel, and defaults that have no public function.
#pragma once

#include <mujoco/mujoco.h>

// Allocates a model with the sizes of *sizes: all of the size fields are taken from there, except nnames_map and
// nbuffer, which follow from the others. Arrays are zero, options, visuals and statistics have their defaults. dest
// NULL makes a new model; otherwise dest's arrays are replaced and dest is returned. Sizes that cannot be are a warning
// and NULL; dest is then unchanged.
mjModel* mdl_make(mjModel* dest, const mjModel* sizes);

// sets the sizes that follow from the others (nnames_map, nbuffer). Returns 0 after writing what is wrong to error.
int mdl_deriveSizes(mjModel* m, char* error, int error_sz);

// values that ask the compiler to compute the statistic from the model
void mdl_defaultStatistic(mjStatistic* stat);
