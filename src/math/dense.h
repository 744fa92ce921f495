// Dense algebra beyond the public mju_ functions (mju_mulMatMat, mju_cholFactor, mju_cholSolve, …), which are
// implemented in dense.c and chol.c and are the ones to call for what they do.
#pragma once

#include <mujoco/mjtnum.h>

// res = mat' * diag * mat, lower triangle; what is right of the diagonal afterwards is undefined. diag NULL: ones. mat
// is nr x nc.
void mth_sqrMatTDLower(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nr, int nc);

// copies the lower triangle of an n x n matrix into the upper one
void mth_mirrorLower(mjtNum* mat, int n);

// res = mat * vec for a symmetric matrix of which the lower triangle is given
void mth_mulSymVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n);

// solves L * res = vec (forward) and L' * res = vec (backward) with a dense lower triangle; res may alias vec
void mth_solveLower(mjtNum* res, const mjtNum* L, const mjtNum* vec, int n);
void mth_solveLowerT(mjtNum* res, const mjtNum* L, const mjtNum* vec, int n);
