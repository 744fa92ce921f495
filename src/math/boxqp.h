// Quadratic program in a box with explicit options; mju_boxQP is the same with the usual ones.
#pragma once

#include <mujoco/mjtnum.h>

// minimise x'Hx/2 + x'g subject to lower <= x <= upper; only the lower triangle of H is read
typedef struct {
  int n;
  const mjtNum* H;      // (n x n)
  const mjtNum* g;      // (n)
  const mjtNum* lower;  // (n) or NULL
  const mjtNum* upper;  // (n) or NULL
  mjtNum* res;          // (n) first guess, then the solution
  mjtNum* R;            // (n x (n+7)) factor of the free block of H, then scratch
  int* index;           // (n) the free variables; or NULL
} MthBoxProblem;

typedef struct {
  int maxiter;
  mjtNum mingrad;    // done when the squared norm of the free gradient is below it
  mjtNum backtrack;  // factor by which the line search shortens its step
  mjtNum minstep;    // shortest step
  mjtNum armijo;     // fraction of the linear improvement that a step must bring
  char* log;         // gets a line per iteration and a summary, cut off at logsz characters; or NULL
  int logsz;
} MthBoxOption;

// number of free variables, -1 when H is not positive definite or no descent direction is found
int mth_boxQP(const MthBoxProblem* problem, const MthBoxOption* option);
