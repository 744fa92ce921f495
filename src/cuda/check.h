// What of a model the kernels can do, independent of precision.
#pragma once

#include <mujoco/mujoco.h>

// contacts and rows of a simulation in a piece of the pool, at most
enum { CUD_MORECON = 128, CUD_MOREROW = 512 };

// two geoms that may collide
typedef struct {
  int geom[2];  // the lower type first
  int shape;    // CudShape, -1: unknown to the kernels
  int listed;   // index among the pairs that the model lists, -1: found by its bodies
  int rank;     // place in the order in which the CPU goes through pairs

  // what decides about it: bodies, then pairs that the model lists, then geoms
  unsigned bodies;
  int order[3];
} CudPair;

typedef struct {
  CudPair* pair;  // freed by the caller
  int n;
} CudPairs;

// as many contacts and rows as there can be
typedef struct {
  int con, row;
} CudBounds;

// all pairs of geoms that the model's filters let through, ordered by shape; a rank says where the CPU has them
CudPairs cud_pairs(const mjModel* m);

CudBounds cud_bounds(const mjModel* m, const CudPairs* pairs);

// 1: the kernels can simulate the model; else text names everything that they cannot do
int cud_supported(const mjModel* m, char* text, int size);

// the same for its sensors
int cud_sensorsSupported(const mjModel* m, char* text, int size);
