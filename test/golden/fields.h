// Records all fields of a model, of data and of a scene, by the tables of mjxmacro.h.
#pragma once

#include <mujoco/mujoco.h>

#include "golden/record.h"

void fld_model(Rec* rec, const mjModel* m);

// everything that a forward pass left
void fld_data(Rec* rec, const mjModel* m, const mjData* d);

// what a step leaves: state, accelerations and sensors
void fld_state(Rec* rec, const mjModel* m, const mjData* d);

void fld_scene(Rec* rec, const mjvScene* scn);

// a member of n structs, each with `count` numbers of the kind 'd'ouble, 'f'loat, 'i'nt or 'b'yte
typedef struct {
  const char* name;
  size_t offset;
  int count;
  char kind;
} FldMember;

void fld_structs(Rec* rec, const void* structs, size_t n, size_t stride, const FldMember* member);
