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

// what is printed about a model, its data and its scene; arg is its path
void gold_print(Rec* rec, const void* arg);

// scenes under every option, cameras, dragging, picking; arg is the path of a model
void gold_views(Rec* rec, const void* arg);

// functions of mathematics, and rays against single shapes
void gold_maths(Rec* rec, const void* arg);

// steps with callbacks; arg is the path of a model
void gold_callbacks(Rec* rec, const void* arg);

// trees that fall asleep and wake; arg is the path of a model
void gold_sleeping(Rec* rec, const void* arg);

// user interfaces under random events; arg is the path of any model
void gold_interfaces(Rec* rec, const void* arg);

// models made and changed by programs
void gold_edits(Rec* rec, const void* arg);

// the model of a file, MJCF or URDF; ends the program when it does not load
mjModel* gold_load(const char* path);
