// Primal solvers: Newton and conjugate gradient over accelerations.
#pragma once

#include "solver/problem.h"

// where the solver starts: both NULL to compute them from qacc
typedef struct {
  const mjtNum* jar;  // (nefc) J·qacc − aref
  const mjtNum* Ma;   // (n) M·qacc
} SolStart;

// improves qacc of the problem until it converges; sets force, state and qfrc_constraint
void sol_primal(SolProblem* p, SolStart start, int newton);
