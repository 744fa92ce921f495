// Primal solvers: Newton and conjugate gradient over accelerations.
#pragma once

#include "solver/problem.h"

// improves qacc of the problem until it converges; sets force, state and qfrc_constraint. jar, cost and Ma say what is
// known of the start.
void sol_primal(SolProblem* p, int newton);
