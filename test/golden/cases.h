// The cases of the golden data: what is recorded, by name.
#pragma once

#include <mujoco/mujoco.h>

#include "golden/record.h"

typedef struct {
  const char* name;  // of the file below test/golden/data
  RecCase run;
  const void* arg;
} GoldenCase;

// all cases; *n of them
const GoldenCase* gold_cases(int* n);

// everything about one model: compile, forward passes, inverse, steps, rays, derivatives, scenes; arg is its path
void gold_model(Rec* rec, const void* arg);

// a model under every cone, solver, integrator, Jacobian and flag; arg is its path
void gold_variants(Rec* rec, const void* arg);

// the model of a file, MJCF or URDF; ends the program when it does not load
mjModel* gold_load(const char* path);
