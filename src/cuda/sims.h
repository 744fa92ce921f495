// Simulations of one model on a device, for either precision: what the batch holds for each of its models.
#pragma once

#include <sinew/batch.h>

#include "cuda/device.h"

typedef struct CudSims_ CudSims;

// an array over simulations in the memory of the device
typedef struct {
  void* data;
  snType type;
  int itemsize, count;  // bytes of an element, elements of a simulation
  int writable;
  int rows, columns;  // of a list, else 0: rows of a simulation, columns where each has several
} CudField;

// Functions return 1, or 0 with a message.
typedef struct {
  // n simulations in the initial state; NULL: impossible
  CudSims* (*make)(const CudDevice* device, const mjModel* m, int n, char message[CUD_MESSAGE]);

  // how resets are done: options of the batch, numbers of the simulations in it
  int (*plan)(CudSims* s, const snBatchOptions* options, const int* sim, char message[CUD_MESSAGE]);
  void (*del)(CudSims* s);

  // a field by its name in mjData; derived ones are bound by the first request
  int (*field)(CudSims* s, const char* name, CudField* field, char message[CUD_MESSAGE]);

  // a list of contacts or rows by its name, with room for so many of each simulation
  int (*list)(CudSims* s, const char* name, int capacity, CudField* field, char message[CUD_MESSAGE]);

  // rays, which become a field
  int (*rays)(CudSims* s, const snRays* rays, CudField* field, char message[CUD_MESSAGE]);

  // a field of mjModel gets values of its own for each simulation
  int (*expand)(CudSims* s, const char* name, CudField* field, char message[CUD_MESSAGE]);

  // such values as numbers, to or from the device, where they can differ at all; waits
  int (*param)(CudSims* s, const char* name, mjtNum* values, int write, void* stream, char message[CUD_MESSAGE]);

  // steps (0: forward) of all, or of the listed simulations; does not wait
  int (*run)(CudSims* s, int substeps, const int* list, int n, void* stream, char message[CUD_MESSAGE]);

  // resets all, or the listed simulations, to the initial state (-1) or a keyframe; does not wait
  int (*reset)(CudSims* s, int key, const int* list, int n, void* stream, char message[CUD_MESSAGE]);

  // episodes of all simulations, to or from the device; waits
  int (*episodes)(CudSims* s, int* values, int write, void* stream, char message[CUD_MESSAGE]);

  // bits of what the simulations came to; waits
  int (*status)(CudSims* s, int* bits, void* stream, char message[CUD_MESSAGE]);

  // part of the state (bit of mjtState) of all simulations as numbers, to or from the device; waits
  int (*part)(CudSims* s, int part, mjtNum* values, int write, void* stream, char message[CUD_MESSAGE]);

  // bytes on the device, and of the workspace of a simulation
  size_t (*memory)(const CudSims* s, int* workspace);

  // cycles per stage since the last call, CUD_NSTAGE numbers; the first call begins to count
  int (*cycles)(CudSims* s, int64_t* cycles, char message[CUD_MESSAGE]);
} CudApi;

// stages whose cycles are counted
#define CUD_STAGES(X) X(kinematics) X(centres) X(inertia) X(velocity) X(force) X(collision) X(rows) X(solver) X(advance)
#define X(name)       +1
enum { CUD_NSTAGE = 0 CUD_STAGES(X) };
#undef X

extern const CudApi cud_single, cud_double;
