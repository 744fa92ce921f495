// Functions of the mju_ family that the reference's library exports without declaring them in a public header. Programs
// that link against them (its own test suite first of all) find them here under the same names, with the same arguments
// and meaning. They stand on everything else and nothing stands on them: the engine calls what they call.
//
// Sparse matrices are stored by rows: rownnz entries per row from rowadr on, columns ascending. `d` lends its stack.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <mujoco/mujoco.h>

//---------------------------------- vectors, 3x3 matrices, indices: vectors.c ----------------------------------

// 1: every component differs by less than mjMINVAL
MJAPI int mju_equal3(const mjtNum vec1[3], const mjtNum vec2[3]);

// products of 3x3 matrices: a*b, a'*b, a*b'; res must be neither of them
MJAPI void mju_mulMatMat3(mjtNum res[9], const mjtNum mat1[9], const mjtNum mat2[9]);
MJAPI void mju_mulMatTMat3(mjtNum res[9], const mjtNum mat1[9], const mjtNum mat2[9]);
MJAPI void mju_mulMatMatT3(mjtNum res[9], const mjtNum mat1[9], const mjtNum mat2[9]);

// packed spatial inertia times motion vector
MJAPI void mju_mulInertVec(mjtNum res[6], const mjtNum inert[10], const mjtNum vec[6]);

MJAPI void mju_zeroInt(int* res, int n);
MJAPI void mju_copyInt(int* res, const int* vec, int n);

// 1: all n bytes are 0, also when n is 0
MJAPI int mju_isZeroByte(const unsigned char* vec, int n);

// res[i] = vec[ind[i]]; the masked one gives 0 where ind[i] is negative
MJAPI void mju_gather(mjtNum* res, const mjtNum* vec, const int* ind, int n);
MJAPI void mju_gatherMasked(mjtNum* res, const mjtNum* vec, const int* ind, int n);
MJAPI void mju_gatherInt(int* res, const int* vec, const int* ind, int n);

// res[ind[i]] = vec[i]
MJAPI void mju_scatter(mjtNum* res, const mjtNum* vec, const int* ind, int n);
MJAPI void mju_scatterInt(int* res, const int* vec, const int* ind, int n);

// map[k]: where entry k of res is found in src, whose rows contain those of res
MJAPI void mju_sparseMap(int* map, int nr, const int* res_rowadr, const int* res_rownnz, const int* res_colind,
                         const int* src_rowadr, const int* src_rownnz, const int* src_colind);

// the same from the lower triangle src of a symmetric matrix to all of it, -1 where src has nothing. cursor: int[nr]
MJAPI void mju_lower2SymMap(int* map, int nr, const int* res_rowadr, const int* res_rownnz, const int* res_colind,
                            const int* src_rowadr, const int* src_rownnz, const int* src_colind, int* cursor);
