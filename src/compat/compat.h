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

//---------------------------------- sparse matrices: sparse.c ----------------------------------

// dot product of two sparse vectors
MJAPI mjtNum mju_dotSparse2(const mjtNum* vec1, const int* ind1, int nnz1, const mjtNum* vec2, const int* ind2,
                            int nnz2);

// mat*vec (rowsuper: see mju_superSparse, may be NULL), mat'*vec, and (mat + mat' - diagonal)*vec for a lower triangle
MJAPI void mju_mulMatVecSparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, const int* rownnz,
                               const int* rowadr, const int* colind, const int* rowsuper);
MJAPI void mju_mulMatTVecSparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc, const int* rownnz,
                                const int* rowadr, const int* colind);
MJAPI void mju_mulSymVecSparse(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n, const int* rownnz,
                               const int* rowadr, const int* colind);

// dst += M with the union of both structures, for which the rows of dst have room. The buffers are not needed.
MJAPI void mju_addToMatSparse(mjtNum* dst, int* rownnz, int* rowadr, int* colind, int nr, const mjtNum* M,
                              const int* M_rownnz, const int* M_rowadr, const int* M_colind, mjtNum* buf_val,
                              int* buf_ind);

// dense res += lower triangle mat; with its mirror image when flg_upper
MJAPI void mju_addToSymSparse(mjtNum* res, const mjtNum* mat, int n, const int* rownnz, const int* rowadr,
                              const int* colind, int flg_upper);

// number of entries in the union of two structures
MJAPI int mju_combineSparseCount(int a_nnz, int b_nnz, const int* a_ind, const int* b_ind);

// drops entries with magnitude at most minval (negative: none), packs the rows; returns the number of entries
MJAPI int mju_compressSparse(mjtNum* mat, int nr, int nc, int* rownnz, int* rowadr, int* colind, mjtNum minval);

// transpose; res and mat may both be NULL, res_rowsuper too
MJAPI void mju_transposeSparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* res_rownnz, int* res_rowadr,
                               int* res_colind, int* res_rowsuper, const int* rownnz, const int* rowadr,
                               const int* colind);

// rowsuper[r]: how many rows after r have the same columns as r
MJAPI void mju_superSparse(int nr, int* rowsuper, const int* rownnz, const int* rowadr, const int* colind);

// Square res = mat'*diag*mat (diag NULL: ones) of an nr x nc matrix, given also transposed. Rows of res start at
// res_rowadr: lower triangle, diagonal last, also that of an empty column. With diagind (nc) the upper triangle follows
// and diagind gets the places of the diagonal. The row-based one leaves out the diagonal of empty columns.
MJAPI void mju_sqrMatTDSparse(mjtNum* res, const mjtNum* mat, const mjtNum* matT, const mjtNum* diag, int nr, int nc,
                              int* res_rownnz, const int* res_rowadr, int* res_colind, const int* rownnz,
                              const int* rowadr, const int* colind, const int* rowsuper, const int* rownnzT,
                              const int* rowadrT, const int* colindT, const int* rowsuperT, mjData* d, int* diagind);
MJAPI void mju_sqrMatTDSparse_row(mjtNum* res, const mjtNum* mat, const mjtNum* matT, const mjtNum* diag, int nr,
                                  int nc, int* res_rownnz, const int* res_rowadr, int* res_colind, const int* rownnz,
                                  const int* rowadr, const int* colind, const int* rowsuper, const int* rownnzT,
                                  const int* rowadrT, const int* colindT, const int* rowsuperT, mjData* d,
                                  int* diagind);

// entries of the square per row (nr of them: columns of the matrix) and addresses of packed rows; lower triangle, or
// all of it when flg_upper. Empty columns count nothing. Returns the number of entries.
MJAPI int mju_sqrMatTDSparseCount(int* res_rownnz, int* res_rowadr, int nr, const int* rownnz, const int* rowadr,
                                  const int* colind, const int* rownnzT, const int* rowadrT, const int* colindT,
                                  const int* rowsuperT, mjData* d, int flg_upper);

// addresses of full rows
MJAPI void mju_sqrMatTDUncompressedInit(int* res_rowadr, int nc);

// Block-diagonal parts of a permuted matrix, each packed from the start of its rows on. perm_r (and dense perm_c) say
// which row (column) of mat comes to each place; sparse perm_c says where a column of mat goes. block_r, block_c: first
// row and column of each of nb blocks. Column indices of a sparse result start at 0 in each block; mat2 to res2 is a
// second set of values, both may be NULL.
MJAPI void mju_blockDiag(mjtNum* res, const mjtNum* mat, int nc_mat, int nc_res, int nb, const int* perm_r,
                         const int* perm_c, const int* block_nr, const int* block_nc, const int* block_r,
                         const int* block_c);
MJAPI void mju_blockDiagSparse(mjtNum* res, int* res_rownnz, int* res_rowadr, int* res_colind, const mjtNum* mat,
                               const int* rownnz, const int* rowadr, const int* colind, int nr, int nb,
                               const int* perm_r, const int* perm_c, const int* block_r, const int* block_c,
                               mjtNum* res2, const mjtNum* mat2);

//---------------------------------- sparse factors: sparse_chol.c ----------------------------------
// A = L'*L, from the last row to the first; the diagonal is the last entry of each row of L.

// in place: the lower triangle of A becomes L, for whose additional entries the rows have room. Pivots below mindiag
// are raised to it; returns the number of those that were not.
MJAPI int mju_cholFactorSparse(mjtNum* mat, int n, mjtNum mindiag, int* rownnz, const int* rowadr, int* colind,
                               mjData* d);

// structures of L and of its transpose from the upper triangle of A. L_colind NULL: numbers of entries and addresses,
// returns the number of all. Otherwise columns, and in LT_map the place in L of each entry of the transpose; returns 0.
MJAPI int mju_cholFactorSymbolic(int* L_colind, int* L_rownnz, int* L_rowadr, int* LT_colind, int* LT_rownnz,
                                 int* LT_rowadr, int* LT_map, const int* rownnz, const int* rowadr, const int* colind,
                                 int n, mjData* d);

// values of L from those of A, of which the lower triangle is read
MJAPI int mju_cholFactorNumeric(mjtNum* L, int n, mjtNum mindiag, const int* L_rownnz, const int* L_rowadr,
                                const int* L_colind, const int* LT_rownnz, const int* LT_rowadr, const int* LT_colind,
                                const int* LT_map, const mjtNum* H, const int* H_rownnz, const int* H_rowadr,
                                const int* H_colind, mjData* d);

// L for A + x*x' (flg_plus) or A - x*x', where x does not change the structure; returns the rank
MJAPI int mju_cholUpdateSparse(mjtNum* mat, const mjtNum* x, int n, int flg_plus, const int* rownnz, const int* rowadr,
                               const int* colind, int x_nnz, const int* x_ind, mjData* d);

//---------------------------------- quadratic programs: program.c ----------------------------------

// minimise x'*A*x/2 + x'*b subject to sum (x[i]/d[i])^2 <= r^2 in two and three dimensions; the upper triangle of A is
// read. Returns 1 when the solution lies on the boundary; 0 and the solution 0 when A is not positive definite.
MJAPI int mju_QCQP2(mjtNum* res, const mjtNum* Ain, const mjtNum* bin, const mjtNum* d, mjtNum r);
MJAPI int mju_QCQP3(mjtNum* res, const mjtNum* Ain, const mjtNum* bin, const mjtNum* d, mjtNum r);

// mju_boxQP with explicit options (math/boxqp.h)
MJAPI int mju_boxQPoption(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g, int n,
                          const mjtNum* lower, const mjtNum* upper, int maxiter, mjtNum mingrad, mjtNum backtrack,
                          mjtNum minstep, mjtNum armijo, char* log, int logsz);

//---------------------------------- utilities: utility.c ----------------------------------

// numbers that each field of a contact sensor takes (mjtConDataField), and those that a set of fields takes
MJAPI extern const int mjCONDATA_SIZE[mjNCONDATA];
MJAPI int mju_condataSize(int dataSpec);

// RFC 4648 text of ndata bytes; returns the number of characters with the terminator
MJAPI size_t mju_encodeBase64(char* buf, const uint8_t* data, size_t ndata);

// number of bytes that a text stands for; 0: it is empty or not valid
MJAPI size_t mju_isValidBase64(const char* s);

// bytes of a valid text; returns their number
MJAPI size_t mju_decodeBase64(uint8_t* buf, const char* s);

// ring buffers of past samples (model/history.h)
MJAPI void mju_historyInit(mjtNum* buf, int n, int dim, const mjtNum* times, const mjtNum* values, mjtNum user);
MJAPI mjtNum* mju_historyInsert(mjtNum* buf, int n, int dim, mjtNum t);
MJAPI const mjtNum* mju_historyRead(const mjtNum* buf, int n, int dim, mjtNum* res, mjtNum t, int interp);

// muscles (math/numeric.h)
MJAPI mjtNum mju_muscleGainLength(mjtNum length, mjtNum lmin, mjtNum lmax);
MJAPI mjtNum mju_muscleDynamicsTimescale(mjtNum dctrl, mjtNum tau_act, mjtNum tau_deact, mjtNum smoothing_width);

// half lengths of the ellipsoid that stands for a geom in a fluid
MJAPI void mju_geomSemiAxes(mjtNum semiaxes[3], const mjtNum size[3], mjtGeom type);

// 1: the point is outside the box of size*inflate, -1: inside that of size/inflate, 0: between them
MJAPI int mju_outsideBox(const mjtNum point[3], const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                         mjtNum inflate);

// Functions on the unit cube given by values at a grid of nodes, of order 1 (8 nodes) or 2 (27), last coordinate
// fastest: value at x of the shape function of node i; res += sum over nodes of shape * coeff; gradient at p of the
// position whose values at the nodes are dof
MJAPI mjtNum mju_evalBasis(const mjtNum x[3], int i, int order);
MJAPI void mju_interpolate3D(mjtNum res[3], const mjtNum x[3], const mjtNum* coeff, int order);
MJAPI void mju_defGradient(mjtNum res[9], const mjtNum p[3], const mjtNum* dof, int order);

// before casting rays from pnt: which geoms cannot be met, and for those of bodies with a bounding box the directions
// in which they are seen, azimuth and elevation from and to
MJAPI void mju_multiRayPrepare(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum* ray_xmat,
                               const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude, mjtNum cutoff,
                               mjtNum* geom_ba, int* geom_eliminate);

// bytes that two threads should keep between what they write
MJAPI size_t mju_getDestructiveInterferenceSize(void);
