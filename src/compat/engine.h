// Functions of the engine that the reference exports although no public header declares them: its own tests and some
// programs link against them. Names, arguments and results are the reference's; the work is done by our stages.
#pragma once

#include <mujoco/mujoco.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

//---------------------------------- inertia: dynamics.c ----------------------------------

// factors a matrix with the structure of M in place: L below the diagonal, D on it, 1/D in diaginv unless that is NULL;
// with an index only its nv rows
MJAPI void mj_factorI(mjtNum* mat, mjtNum* diaginv, int nv, const int* rownnz, const int* rowadr, const int* colind,
                      const int* index);

// the same in the older order of entries (qM, dof_Madr)
MJAPI void mj_factorI_legacy(const mjModel* m, mjData* d, const mjtNum* M, mjtNum* qLD, mjtNum* qLDiagInv);

// x ← (L'DL)⁻¹ x for n vectors, nv numbers apart
MJAPI void mj_solveLD(mjtNum* x, const mjtNum* qLD, const mjtNum* qLDiagInv, int nv, int n, const int* rownnz,
                      const int* rowadr, const int* colind, const int* index);
MJAPI void mj_solveLD_legacy(const mjModel* m, mjtNum* x, int n, const mjtNum* qLD, const mjtNum* qLDiagInv);

// tendons with armature: their part of M, their bias force, the time derivative of a tendon's Jacobian (dense)
MJAPI void mj_tendonArmature(const mjModel* m, mjData* d);
MJAPI void mj_tendonBias(const mjModel* m, mjData* d, mjtNum* qfrc);
MJAPI void mj_tendonDot(const mjModel* m, mjData* d, int id, mjtNum* Jdot);

// Jacobian difference of two body points, second minus first: dense, or sparse on the chain that it fills; returns the
// number of columns. jac1* and jac2* are room for the Jacobians of the points and hold them afterwards, except when
// both bodies are simple and the result is sparse.
MJAPI int mj_jacDifPair(const mjModel* m, const mjData* d, int* chain, int b1, int b2, const mjtNum pos1[3],
                        const mjtNum pos2[3], mjtNum* jac1p, mjtNum* jac2p, mjtNum* jacdifp, mjtNum* jac1r,
                        mjtNum* jac2r, mjtNum* jacdifr, int issparse);

// mj_integratePos for the bodies index[1] … index[nbody - 1], or 1 … nbody - 1 without an index
MJAPI void mj_integratePosInd(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt, const int* index,
                              int nbody);

// 1: the group of the actuator is disabled
MJAPI int mj_actuatorDisabled(const mjModel* m, int i);

// state, force and cost of constraint rows at a residual acceleration; cost may be NULL
MJAPI void mj_constraintUpdate_impl(int ne, int nf, int nefc, const mjtNum* D, const mjtNum* R, const mjtNum* floss,
                                    const mjtNum* jar, const int* type, const int* id, mjContact* contact, int* state,
                                    mjtNum* force, mjtNum cost[1], int flg_coneHessian);

// numbers the connected parts of a graph by their smallest vertex; -1 for vertices without edges. Room for as many
// ints as the graph has entries, at least one. Returns the number of parts.
MJAPI int mj_floodFill(int* island, int nr, const int* rownnz, const int* rowadr, const int* colind, int* stack);

//---------------------------------- derivatives and steps: derivative.c ----------------------------------

// qDeriv = derivative of the smooth forces with respect to velocity, with or without the bias forces
MJAPI void mjd_smooth_vel(const mjModel* m, mjData* d, int flg_bias);

// its parts, added to qDeriv; the last one takes sleeping bodies along
MJAPI void mjd_actuator_vel(const mjModel* m, mjData* d);
MJAPI void mjd_passive_vel(const mjModel* m, mjData* d);
MJAPI void mjd_rne_vel_dense(const mjModel* m, mjData* d);

// the same by finite differences: centred, and forward for the passive forces; both overwrite qDeriv
MJAPI void mjd_smooth_velFD(const mjModel* m, mjData* d, mjtNum eps);
MJAPI void mjd_passive_velFD(const mjModel* m, mjData* d, mjtNum eps);

// nodes of an interpolated flex: positions and velocities (NULL: not wanted) turned into the frame in which the flex is
// least deformed, positions moved by (½, ½, ½), and the rotation to that frame, for which quat holds a first guess
MJAPI void mj_flexInterpState(const mjModel* m, mjData* d, int f, mjtNum* xpos, mjtNum* vel, mjtNum* quat);

// res -= Σ (h² + h·damping) JᵀKJ vec over the interpolated flexes
MJAPI void mjd_flexInterp_mulKD(const mjModel* m, mjData* d, mjtNum* res, const mjtNum* vec, mjtNum h);

// H += Σ (h² + h·damping) JᵀKJ, dense, on the given dofs
MJAPI void mjd_flexInterp_addH(const mjModel* m, mjData* d, mjtNum* H, const int* dof_indices, int ndof, mjtNum h);

// a step, and integrators, that reuse what an earlier one has left
MJAPI void mj_stepSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor);
MJAPI void mj_EulerSkip(const mjModel* m, mjData* d, int skipfactor);
MJAPI void mj_implicitSkip(const mjModel* m, mjData* d, int skipfactor);

//---------------------------------- collision: collision.c ----------------------------------

#define CPT_PAIR(name) MJAPI int name(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin)

// contacts of two geoms; types in the order of the name
CPT_PAIR(mjc_PlaneSphere);
CPT_PAIR(mjc_PlaneCapsule);
CPT_PAIR(mjc_PlaneCylinder);
CPT_PAIR(mjc_PlaneBox);
CPT_PAIR(mjc_SphereSphere);
CPT_PAIR(mjc_SphereCapsule);
CPT_PAIR(mjc_SphereCylinder);
CPT_PAIR(mjc_SphereBox);
CPT_PAIR(mjc_CapsuleCapsule);
CPT_PAIR(mjc_CapsuleBox);
CPT_PAIR(mjc_BoxBox);
CPT_PAIR(mjc_Convex);

// 0: one of the face normals separates two boxes (centre, half-size) by more than the margin. Frames may be NULL: the
// world's. product and offset, both or neither, keep what depends on the frames only; it is computed when *initialize
// is set, which is then cleared.
MJAPI int mj_collideOBB(const mjtNum aabb1[6], const mjtNum aabb2[6], const mjtNum xpos1[3], const mjtNum xmat1[9],
                        const mjtNum xpos2[3], const mjtNum xmat2[9], mjtNum margin, mjtNum product[36],
                        mjtNum offset[12], mjtByte* initialize);

// 1: an element of a flex takes part in collisions
MJAPI int mj_isElemActive(const mjModel* m, int f, int e);

// smallest x >= 0 at which a ray meets a triangle, -1 when it does not; b0 and b1 are two directions across the ray
MJAPI mjtNum ray_triangle(mjtNum v[][3], const mjtNum lpnt[3], const mjtNum lvec[3], const mjtNum b0[3],
                          const mjtNum b1[3], mjtNum normal[3]);

//---------------------------------- sleep: sleep.c ----------------------------------

// derives all awake arrays from tree_asleep
MJAPI void mj_updateSleep(const mjModel* m, mjData* d);

// wakes a tree and those that sleep with it, or keeps an awake one awake for longer; returns how many woke
MJAPI int mj_wakeTree(int* tree_asleep, int ntree, int i, int wakeval);

MJAPI mjtSleepState mj_sleepState(const mjModel* m, const mjData* d, mjtObj type, int i);

//---------------------------------- models and data: model.c, sparsity.c ----------------------------------

// data without a reset and without plugins, in *dest when that is not NULL; and the plugins
MJAPI void mj_makeRawData(mjData** dest, const mjModel* m);
MJAPI void mj_initPlugin(const mjModel* m, mjData* d);

// NULL: all references between the arrays of a model are good; otherwise what is wrong, until the thread's next call
MJAPI const char* mj_validateReferences(const mjModel* m);

// structure of matrices over dofs: lower triangles, with the upper one too, without the ancestors of simple dofs.
// remaining: room for nv; diag may be NULL
MJAPI void mj_makeDofDofSparse(int nv, int nC, int nD, int nM, const int* dof_parentid, const int* dof_simplenum,
                               int* rownnz, int* rowadr, int* diag, int* colind, int reduced, int upper,
                               int* remaining);

// structure of body × dof: dofs of the ancestors, of the body and of its descendants. count: room for nbody
MJAPI void mj_makeBSparse(int nv, int nbody, int nB, const int* body_dofnum, const int* body_parentid,
                          const int* body_dofadr, int* B_rownnz, int* B_rowadr, int* B_colind, int* count);

// maps between M and D, and from the older order of M; M (nM) and scratch (nv) are room
MJAPI void mj_makeDofDofMaps(int nv, int nM, int nC, int nD, const int* dof_Madr, const int* dof_simplenum,
                             const int* dof_parentid, const int* D_rownnz, const int* D_rowadr, const int* D_colind,
                             const int* M_rownnz, const int* M_rowadr, const int* M_colind, int* mapM2D, int* mapD2M,
                             int* mapM2M, int* M, int* scratch);

// draws the structure of a sparse matrix; diag and rowsuper may be NULL
MJAPI void mj_printSparsity(const char* str, int nr, int nc, const int* rowadr, const int* diag, const int* rownnz,
                            const int* rowsuper, const int* colind, FILE* fp);

// gives a model to attach from to a model, which owns it from now on
MJAPI void mjs_addSpec(mjSpec* s, mjSpec* child);

// surfaces of the flexes and skins that are shown
MJAPI void mjv_updateActiveFlex(const mjModel* m, mjData* d, mjvScene* scn, const mjvOption* opt);
MJAPI void mjv_updateActiveSkin(const mjModel* m, const mjData* d, mjvScene* scn, const mjvOption* opt);

#ifdef __cplusplus
}
#endif
