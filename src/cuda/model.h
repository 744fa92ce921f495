// A model as the kernels read it: the arrays of mjModel that a step needs, in the precision of the file, and what
// follows from its structure, computed once: levels of the tree, which dofs move a body, entries of M, pairs of geoms
// that may collide with their mixed parameters, and where each intermediate result lies in the memory of a simulation.
//
// The arrays are one block of memory; the struct of sizes and addresses goes to a kernel as its parameter.
#pragma once

#include <mujoco/mjmodel.h>

#include "cuda/device.h"
#include "cuda/lanes.h"
#include "cuda/shape.h"

//---------------------------------- tables ----------------------------------

// sizes that are those of mjModel
#define CUD_SIZES(X) \
  X(nq)              \
  X(nv)              \
  X(na)              \
  X(nu)              \
  X(nbody)           \
  X(njnt)            \
  X(ngeom)           \
  X(nsite)           \
  X(neq)             \
  X(ntendon)         \
  X(nwrap)           \
  X(nmocap)          \
  X(nmesh)           \
  X(nmeshvert)       \
  X(nmeshgraph)      \
  X(nhfield)         \
  X(nhfielddata)     \
  X(nflex) X(nflexnode) X(nflexvert) X(nflexedge) X(nflexelem) X(nflexelemdata) X(nflexelemedge)

// numbers of mjModel: name, rows, columns
#define CUD_REALS(X)                 \
  X(qpos0, nq, 1)                    \
  X(qpos_spring, nq, 1)              \
  X(body_pos, nbody, 3)              \
  X(body_quat, nbody, 4)             \
  X(body_ipos, nbody, 3)             \
  X(body_iquat, nbody, 4)            \
  X(body_mass, nbody, 1)             \
  X(body_subtreemass, nbody, 1)      \
  X(body_inertia, nbody, 3)          \
  X(body_invweight0, nbody, 2)       \
  X(body_gravcomp, nbody, 1)         \
  X(jnt_pos, njnt, 3)                \
  X(jnt_axis, njnt, 3)               \
  X(jnt_stiffness, njnt, 1)          \
  X(jnt_range, njnt, 2)              \
  X(jnt_margin, njnt, 1)             \
  X(jnt_actfrcrange, njnt, 2)        \
  X(jnt_solref, njnt, 2)             \
  X(jnt_solimp, njnt, 5)             \
  X(dof_armature, nv, 1)             \
  X(dof_damping, nv, 1)              \
  X(dof_frictionloss, nv, 1)         \
  X(dof_invweight0, nv, 1)           \
  X(dof_solref, nv, 2)               \
  X(dof_solimp, nv, 5)               \
  X(geom_pos, ngeom, 3)              \
  X(geom_quat, ngeom, 4)             \
  X(geom_size, ngeom, 3)             \
  X(geom_rbound, ngeom, 1)           \
  X(geom_aabb, ngeom, 6)             \
  X(site_pos, nsite, 3)              \
  X(site_quat, nsite, 4)             \
  X(eq_data, neq, 11)                \
  X(eq_solref, neq, 2)               \
  X(eq_solimp, neq, 5)               \
  X(tendon_range, ntendon, 2)        \
  X(tendon_margin, ntendon, 1)       \
  X(tendon_stiffness, ntendon, 1)    \
  X(tendon_damping, ntendon, 1)      \
  X(tendon_frictionloss, ntendon, 1) \
  X(tendon_lengthspring, ntendon, 2) \
  X(tendon_length0, ntendon, 1)      \
  X(tendon_invweight0, ntendon, 1)   \
  X(tendon_solref_lim, ntendon, 2)   \
  X(tendon_solimp_lim, ntendon, 5)   \
  X(tendon_solref_fri, ntendon, 2)   \
  X(tendon_solimp_fri, ntendon, 5)   \
  X(wrap_prm, nwrap, 1)              \
  X(actuator_gear, nu, 6)            \
  X(actuator_ctrlrange, nu, 2)       \
  X(actuator_forcerange, nu, 2)      \
  X(actuator_actrange, nu, 2)        \
  X(actuator_gainprm, nu, 10)        \
  X(actuator_biasprm, nu, 10)        \
  X(actuator_dynprm, nu, 10)

// numbers of mjModel that keep their precision: shapes are read in double
#define CUD_DOUBLES(X) X(hfield_size, nhfield, 4)
#define CUD_FLOATS(X)  X(mesh_vert, nmeshvert, 3) X(hfield_data, nhfielddata, 1)

// integers of mjModel
#define CUD_INTS(X)               \
  X(body_parentid, nbody, 1)      \
  X(body_rootid, nbody, 1)        \
  X(body_jntadr, nbody, 1)        \
  X(body_jntnum, nbody, 1)        \
  X(body_mocapid, nbody, 1)       \
  X(jnt_type, njnt, 1)            \
  X(jnt_bodyid, njnt, 1)          \
  X(jnt_qposadr, njnt, 1)         \
  X(jnt_dofadr, njnt, 1)          \
  X(jnt_limited, njnt, 1)         \
  X(jnt_actfrclimited, njnt, 1)   \
  X(jnt_actgravcomp, njnt, 1)     \
  X(dof_bodyid, nv, 1)            \
  X(dof_jntid, nv, 1)             \
  X(dof_parentid, nv, 1)          \
  X(geom_type, ngeom, 1)          \
  X(geom_bodyid, ngeom, 1)        \
  X(geom_dataid, ngeom, 1)        \
  X(mesh_vertadr, nmesh, 1)       \
  X(mesh_vertnum, nmesh, 1)       \
  X(mesh_graphadr, nmesh, 1)      \
  X(mesh_graph, nmeshgraph, 1)    \
  X(hfield_nrow, nhfield, 1)      \
  X(hfield_ncol, nhfield, 1)      \
  X(hfield_adr, nhfield, 1)       \
  X(site_bodyid, nsite, 1)        \
  X(eq_type, neq, 1)              \
  X(eq_obj1id, neq, 1)            \
  X(eq_obj2id, neq, 1)            \
  X(eq_objtype, neq, 1)           \
  X(tendon_adr, ntendon, 1)       \
  X(tendon_num, ntendon, 1)       \
  X(tendon_limited, ntendon, 1)   \
  X(wrap_objid, nwrap, 1)         \
  X(actuator_trntype, nu, 1)      \
  X(actuator_trnid, nu, 2)        \
  X(actuator_gaintype, nu, 1)     \
  X(actuator_biastype, nu, 1)     \
  X(actuator_dyntype, nu, 1)      \
  X(actuator_actadr, nu, 1)       \
  X(actuator_actnum, nu, 1)       \
  X(actuator_ctrllimited, nu, 1)  \
  X(actuator_forcelimited, nu, 1) \
  X(actuator_actlimited, nu, 1)   \
  X(actuator_actearly, nu, 1)

// what few models use: numbers, then integers of mjModel
#define CUD_RARE_REALS(X)           \
  X(geom_fluid, ngeom, 12)          \
  X(tendon_armature, ntendon, 1)    \
  X(tendon_actfrcrange, ntendon, 2) \
  X(actuator_cranklength, nu, 1)    \
  X(actuator_lengthrange, nu, 2)    \
  X(actuator_acc0, nu, 1)

#define CUD_RARE_INTS(X)              \
  X(body_weldid, nbody, 1)            \
  X(body_geomadr, nbody, 1)           \
  X(body_geomnum, nbody, 1)           \
  X(tendon_actfrclimited, ntendon, 1) \
  X(wrap_type, nwrap, 1)

// dofs of tendons (first of each and the end, then the dofs), and where a dof's moments lie among those by actuator
#define CUD_RARE_DERIVED_INTS(X)                                   \
  X(tenj_adr, ntendon1, 1)                                         \
  X(tenj_dof, ntenj, 1)                                            \
  X(dofmom_at, nmoment, 1)                                         \
  X(dof_first, nv, 1) /* first dof of a dof's tree, and the end */ \
  X(dof_end, nv, 1)                                                \
  X(pair_rank, nallpair, 1) /* where the CPU has a pair */

// flexes: numbers, then integers of mjModel; of bodies only where there are flexes
#define CUD_FLEX_REALS(X)           \
  X(flex_vert, nflexvert, 3)        \
  X(flex_vert0, nflexvert, 3)       \
  X(flex_vertmetric, nflexvert, 4)  \
  X(flex_node, nflexnode, 3)        \
  X(flex_node0, nflexnode, 3)       \
  X(flex_radius, nflex, 1)          \
  X(flex_size, nflex, 3)            \
  X(flex_stiffness, nflexelem, 21)  \
  X(flex_bending, nflexedge, 17)    \
  X(flex_damping, nflex, 1)         \
  X(flex_edgestiffness, nflex, 1)   \
  X(flex_edgedamping, nflex, 1)     \
  X(flexedge_length0, nflexedge, 1) \
  X(flexedge_invweight0, nflexedge, 1)

#define CUD_FLEX_INTS(X)             \
  X(flex_dim, nflex, 1)              \
  X(flex_interp, nflex, 1)           \
  X(flex_passive, nflex, 1)          \
  X(flex_rigid, nflex, 1)            \
  X(flex_centered, nflex, 1)         \
  X(flex_nodeadr, nflex, 1)          \
  X(flex_nodenum, nflex, 1)          \
  X(flex_vertadr, nflex, 1)          \
  X(flex_vertnum, nflex, 1)          \
  X(flex_edgeadr, nflex, 1)          \
  X(flex_edgenum, nflex, 1)          \
  X(flex_elemadr, nflex, 1)          \
  X(flex_elemnum, nflex, 1)          \
  X(flex_elemdataadr, nflex, 1)      \
  X(flex_elemedgeadr, nflex, 1)      \
  X(flex_nodebodyid, nflexnode, 1)   \
  X(flex_vertbodyid, nflexvert, 1)   \
  X(flex_vertedgeadr, nflexvert, 1)  \
  X(flex_vertedgenum, nflexvert, 1)  \
  X(flex_vertedge, nflexedge, 2)     \
  X(flex_edge, nflexedge, 2)         \
  X(flex_edgeflap, nflexedge, 2)     \
  X(flex_elem, nflexelemdata, 1)     \
  X(flex_elemedge, nflexelemedge, 1) \
  X(flexedge_rigid, nflexedge, 1)    \
  X(body_dofadr, nflexbody, 1)       \
  X(body_dofnum, nflexbody, 1)       \
  X(body_simple, nflexbody, 1)

// what pulls at what, as lists: first entry of each, and the end, then the entries
#define CUD_FLEX_DERIVED_INTS(X)                                                              \
  X(vert_flex, nflexvert, 1)                                                                  \
  X(elem_outer, nflexelem, 1) /* 1: it meets other things */                                  \
  X(node_flex, nflexnode, 1)                                                                  \
  X(edge_flex, nflexedge, 1)                                                                  \
  X(vertpart_adr, nflexvert1, 1) /* edges around a vertex */                                  \
  X(vertpart, nvertpart, 2)      /* edge; 0, 1: the vertex is an end of it, 2, 3: opposite */ \
  X(edgepart_adr, nflexedge1, 1) /* elements around an edge */                                \
  X(edgepart, nflexelemedge, 1)  /* place among the edges of elements */                      \
  X(bodyvert_adr, nflexbody1, 1) /* vertices on a body */                                     \
  X(bodyvert, nflexvert, 1)      /* */                                                        \
  X(bodynode_adr, nflexbody1, 1) /* nodes on a body */                                        \
  X(bodynode, nflexnode, 1)      /* */                                                        \
  X(dofedge_adr, nflexdof1, 1)   /* edges whose length a dof changes and that have dampers */ \
  X(dofedge, ndofedge, 1)        /* */                                                        \
  X(block_dof, nblock, 1)        /* dofs that move nodes of flexes with implicit stiffness */ \
  X(dof_block, nflexdof, 1)      /* place there, -1: none */                                  \
  X(flex_blockadr, nflex, 1)     /* where the stiffness of a flex begins */                   \
  X(eqrow_adr, neq1, 1)          /* rows of an equality constraint of a flex */               \
  X(eqrow, neqrow, 1)            /* edge, or twice the vertex and which of its two invariants */

// what is derived: sizes, then arrays over them
#define CUD_DERIVED_SIZES(X) \
  X(nlevel)                  \
  X(nentry)                  \
  X(npair) X(nallpair) X(nparam) X(nword) X(nmoment) X(ntenj) X(nflexbody) X(nvertpart) X(neqrow) X(ndofedge) X(nblock)

#define CUD_DERIVED_INTS(X)                                                                                          \
  X(level_adr, nlevel1, 1)   /* first body of each level of the tree in level_body, and the end */                   \
  X(level_body, nbody, 1)    /* bodies by level, without the world */                                                \
  X(body_lastdof, nbody, 1)  /* last dof that moves a body, -1: it is fixed to the world */                          \
  X(body_dofs, nbody, nword) /* bits: dofs that move a body */                                                       \
  X(dof_rootid, nv, 1)       /* root body of a dof's tree */                                                         \
  X(dof_before, nv, 1)       /* dof with whose velocity an axis turns; -1: with the world's; -2: it does not turn */ \
  X(entry_row, nentry, 1)    /* entries of M below and on the diagonal */                                            \
  X(entry_col, nentry, 1)    /* */                                                                                   \
  X(mom_adr, nu1, 1)         /* moments by actuator: first of each, and the end */                                   \
  X(mom_dof, nmoment, 1)     /* */                                                                                   \
  X(dofmom_adr, nv1, 1)      /* moments by dof */                                                                    \
  X(dofmom_act, nmoment, 1)  /* */                                                                                   \
  X(actuator_off, nu, 1)     /* 1: its group is disabled */                                                          \
  X(pair_geom, nallpair, 2)  /* geoms that may collide, the lower type first, ordered by shape */                    \
  X(pair_shape, nallpair, 1) /* CudShape */                                                                          \
  X(pair_param, nallpair, 1) /* parameters: many pairs share them */                                                 \
  X(param_dim, nparam, 1)

#define CUD_DERIVED_REALS(X)                                             \
  X(tenj_coef, ntenj, 1) /* moments of fixed tendons */                  \
  X(mom_coef, nmoment, 1)                                                \
  X(dofmom_coef, nmoment, 1)                                             \
  X(param_margin, nparam, 1)                                             \
  X(param_include, nparam, 1) /* margin within which there is a force */ \
  X(param_friction, nparam, 5)                                           \
  X(param_solref, nparam, 2)                                             \
  X(param_solreffriction, nparam, 2)                                     \
  X(param_solimp, nparam, 5)

//---------------------------------- workspace ----------------------------------

// stages of a step in the order in which the kernels run them: what depends on velocity comes before collision, so that
// its intermediate results and the rows never need memory at the same time
typedef enum { CUD_KIN, CUD_COM, CUD_CRB, CUD_VEL, CUD_FORCE, CUD_COLLIDE, CUD_ROWS, CUD_SOLVE, CUD_ADVANCE } CudStage;

// Intermediate results of a simulation: name, how many numbers, first and last stage in which they are needed. Places
// overlap where stages do not.
#define CUD_WORK(X)                                       \
  X(qpos, nq, CUD_KIN, CUD_ADVANCE)                       \
  X(qvel, nvs, CUD_KIN, CUD_ADVANCE)                      \
  X(act, na, CUD_KIN, CUD_ADVANCE)                        \
  X(act_dot, na, CUD_KIN, CUD_ADVANCE)                    \
  X(warmstart, nvs, CUD_KIN, CUD_ADVANCE)                 \
  X(qacc, nvs, CUD_KIN, CUD_ADVANCE)                      \
  X(rk_qpos, nrk* nq, CUD_KIN, CUD_ADVANCE)               \
  X(rk_qvel, nrk* nv, CUD_KIN, CUD_ADVANCE)               \
  X(rk_act, nrk* na, CUD_KIN, CUD_ADVANCE)                \
  X(rk_dqpos, nrk* nv, CUD_KIN, CUD_ADVANCE)              \
  X(rk_dqvel, nrk* nv, CUD_KIN, CUD_ADVANCE)              \
  X(rk_dact, nrk* na, CUD_KIN, CUD_ADVANCE)               \
  X(xpos, 3 * nbody, CUD_KIN, CUD_ROWS)                   \
  X(xquat, 4 * nbody, CUD_KIN, CUD_ROWS)                  \
  X(ten_length, ntendon, CUD_KIN, CUD_ROWS)               \
  X(ten_force, ntendon, CUD_FORCE, CUD_FORCE)             \
  X(xanchor, 3 * njnt, CUD_KIN, CUD_COM)                  \
  X(xaxis, 3 * njnt, CUD_KIN, CUD_COM)                    \
  X(xipos, 3 * nbody, CUD_KIN, CUD_FORCE)                 \
  X(ximat, 9 * nbody, CUD_KIN, CUD_COM)                   \
  X(com, 3 * nbody, CUD_COM, CUD_ROWS)                    \
  X(cinert, 10 * nbody, CUD_COM, CUD_VEL)                 \
  X(cdof, 6 * nv, CUD_COM, CUD_ROWS)                      \
  X(crb, 10 * nbody, CUD_CRB, CUD_CRB)                    \
  X(momentum, 6 * nv, CUD_CRB, CUD_CRB)                   \
  X(M, nv*(nv + 1) / 2, CUD_CRB, CUD_ADVANCE)             \
  X(Msolve, nv*(nv + 1) / 2, CUD_FORCE, CUD_FORCE)        \
  X(H, nv*(nv + 1) / 2, CUD_SOLVE, CUD_ADVANCE)           \
  X(Hdiag, nv, CUD_FORCE, CUD_ADVANCE)                    \
  X(column, 64, CUD_FORCE, CUD_ADVANCE)                   \
  X(dofvel, 6 * nv, CUD_VEL, CUD_VEL)                     \
  X(cdof_dot, 6 * nv, CUD_VEL, CUD_VEL)                   \
  X(dofacc, 6 * nv, CUD_VEL, CUD_VEL)                     \
  X(cfrc, 6 * nbody, CUD_VEL, CUD_VEL)                    \
  X(qfrc_bias, nv, CUD_VEL, CUD_FORCE)                    \
  X(qfrc_smooth, nv, CUD_FORCE, CUD_ADVANCE)              \
  X(qacc_smooth, nvs, CUD_FORCE, CUD_SOLVE)               \
  X(actuator_force, nu, CUD_FORCE, CUD_FORCE)             \
  X(force_vel, nu, CUD_FORCE, CUD_ADVANCE)                \
  X(geom_xpos, 3 * ngeom, CUD_COLLIDE, CUD_COLLIDE)       \
  X(geom_xmat, 9 * ngeom, CUD_COLLIDE, CUD_COLLIDE)       \
  X(near, nnear, CUD_COLLIDE, CUD_COLLIDE)                \
  X(solid, nroom, CUD_COLLIDE, CUD_COLLIDE)               \
  X(contact, CUD_CONTACT* maxcon, CUD_COLLIDE, CUD_ROWS)  \
  X(row, maxrow*(nrownum + nrowvec), CUD_ROWS, CUD_SOLVE) \
  X(Ma, nv, CUD_SOLVE, CUD_SOLVE)                         \
  X(grad, nv, CUD_SOLVE, CUD_SOLVE)                       \
  X(Mgrad, ncg* nv, CUD_SOLVE, CUD_SOLVE)                 \
  X(search, nvs, CUD_SOLVE, CUD_SOLVE)                    \
  X(Mv, nv, CUD_SOLVE, CUD_SOLVE)                         \
  X(qfrc_constraint, nv, CUD_SOLVE, CUD_ADVANCE)          \
  X(damped_acc, nv, CUD_ADVANCE, CUD_ADVANCE)

// bytes of a convex query, of a tetrahedron on its way, and of a vertex, a face and the lists of a face of a polytope
// of EPA: see gjk.h and epa.h
enum { CUD_QUERY = 1152, CUD_CLOSING = 448, CUD_VERTEX = 80, CUD_FACE = 48, CUD_LISTS = 12 };

// those of rare models; some of the above live longer there (rareLives in build.h)
#define CUD_RARE_WORK(X)                                    \
  X(ten_J, spatial, CUD_COM, CUD_ROWS)                      \
  X(ten_bias, armed* ntendon, CUD_VEL, CUD_VEL)             \
  X(ten_share, pull* ntendon, CUD_FORCE, CUD_FORCE)         \
  X(moment, moving, CUD_FORCE, CUD_FORCE)                   \
  X(actuator_length, moving ? nu : 0, CUD_FORCE, CUD_FORCE) \
  X(fluid, 6 * medium * nbody, CUD_VEL, CUD_VEL)            \
  X(qfrc_fluid, medium* nv, CUD_VEL, CUD_FORCE)             \
  X(bodyvel, 36 * derives * nbody, CUD_VEL, CUD_VEL)        \
  X(accterm, 6 * derives * nv, CUD_VEL, CUD_VEL)            \
  X(qDeriv, derives* nv* nv, CUD_VEL, CUD_ADVANCE)          \
  X(first, far* nv, CUD_SOLVE, CUD_SOLVE)

// those of flexes: places and velocities; of edges the length, elongation and pull; forces of vertices and nodes, along
// their dofs and as such; and what bodies and dofs get of them
#define CUD_FLEX_WORK(X)                                        \
  X(elem_box, 6 * nflexelem, CUD_COLLIDE, CUD_COLLIDE)          \
  X(vert, 3 * nflexvert, CUD_KIN, CUD_ROWS)                     \
  X(node, 3 * nflexnode, CUD_KIN, CUD_ROWS)                     \
  X(edge_length, nflexedge, CUD_VEL, CUD_ROWS)                  \
  X(vert_vel, 3 * nflexvert, CUD_VEL, CUD_VEL)                  \
  X(node_vel, 3 * nflexnode, CUD_VEL, CUD_VEL)                  \
  X(node_local, 3 * nflexnode, CUD_VEL, CUD_VEL)                \
  X(elongation, nflexedge, CUD_VEL, CUD_VEL)                    \
  X(edge_force, nflexedge, CUD_VEL, CUD_VEL)                    \
  X(edge_pull, nflexedge, CUD_VEL, CUD_VEL)                     \
  X(tension, nflexelemedge, CUD_VEL, CUD_VEL)                   \
  X(vert_direct, 3 * nflexvert, CUD_VEL, CUD_VEL)               \
  X(vert_force, 3 * nflexvert, CUD_VEL, CUD_VEL)                \
  X(node_force, 3 * nflexnode, CUD_VEL, CUD_VEL)                \
  X(flex_load, 6 * nflexbody, CUD_VEL, CUD_VEL)                 \
  X(flex_direct, 3 * nflexbody, CUD_VEL, CUD_VEL)               \
  X(block_K, nblockstiff, CUD_ADVANCE, CUD_ADVANCE)             \
  X(block_point, 3 * nflexnode, CUD_ADVANCE, CUD_ADVANCE)       \
  X(block_vel, 3 * nflexnode, CUD_ADVANCE, CUD_ADVANCE)         \
  X(block_force, 3 * nflexnode, CUD_ADVANCE, CUD_ADVANCE)       \
  X(block_H, nblock*(nblock + 1) / 2, CUD_ADVANCE, CUD_ADVANCE) \
  X(block_x, nblock, CUD_ADVANCE, CUD_ADVANCE)                  \
  X(block_diag, nblock, CUD_ADVANCE, CUD_ADVANCE)               \
  X(block_first, nblock, CUD_ADVANCE, CUD_ADVANCE)              \
  X(qfrc_flex, nflex ? nv : 0, CUD_VEL, CUD_FORCE)

// numbers of a contact: distance, position (3), normal and first tangent (6), first row (-1: none), parameters,
// dimension, both bodies, pair. A flex has no body there, but -2 - 2 element or -3 - 2 vertex.
enum {
  CUD_DIST = 0,
  CUD_POS = 1,
  CUD_NORMAL = 4,
  CUD_FIRSTROW = 10,
  CUD_PARAM = 11,
  CUD_DIM = 12,
  CUD_BODY = 13,
  CUD_PAIR = 15,
  CUD_CONTACT = 16
};

// Contacts that are kept for those who read them, in the order of the CPU; behind each the force in the contact's
// frame, and its first row on the CPU, counted from the first row of contacts (-1: none).
enum { CUD_CPUROW = CUD_CONTACT + 6, CUD_KEPT };

// Numbers of a row beside its Jacobian, and the kinds of rows. An elliptic contact has a row CUD_CONE, then rows
// CUD_CONE_PART; frictionless contacts, edges of pyramids and limits are one-sided.
enum { CUD_D, CUD_ACTIVE, CUD_AREF, CUD_JAR, CUD_JV, CUD_FRC, CUD_LOSS, CUD_KIND, CUD_OF, CUD_ROW };

// and in a workspace in the memory of the device: columns that may differ from 0
enum { CUD_BEGIN = CUD_ROW, CUD_END, CUD_FAR_ROW };
enum { CUD_EQUALITY, CUD_DRY, CUD_ONESIDED, CUD_CONE, CUD_CONE_PART };

//---------------------------------- structs ----------------------------------

typedef struct {
#define X(name, ...) int name;
  CUD_WORK(X)
  CUD_RARE_WORK(X)
  CUD_FLEX_WORK(X)
#undef X
  int total;  // numbers of one simulation
} CudPlaces;

typedef struct {
#define X(name) int name;
  CUD_SIZES(X)
  CUD_DERIVED_SIZES(X)
#undef X
  int nlevel1, nu1, nv1;  // one more each
  int ntendon1, neq1;     //
  int nflexvert1, nflexedge1, nflexbody1, nflexdof, nflexdof1;
  int nblockstiff;       // numbers of the stiffness of flexes with implicit stiffness
  int sparse;            // 1: the CPU has sparse Jacobians
  int nvs;               // numbers from one row of a Jacobian to the next
  int nrowvec;           // numbers of a row that are vectors over dofs
  int nrownum;           // numbers of a row beside these
  int far;               // 1: the workspace lies in the memory of the device
  int nrk;               // 1: Runge-Kutta
  int ncg;               // 1: conjugate gradients
  int maxcon;            // contacts in the workspace
  int maxrow;            // rows in the workspace
  int morecon;           // contacts in a piece of the pool
  int morerow;           // rows in a piece of the pool
  int nplain, nsolid;    // pairs before the first solid, and before the first with a height field
  int nclosed;           // pairs before the first convex query
  int nnear;             // room for a list of pairs that are near each other
  int nroom;             // room for a convex query
  int fewgrow, fewface;  // how often a polytope in that room can grow, and its faces
  int maxface;           // faces of a polytope in a piece of the pool
  int scratch;           // bytes of a piece of the pool for that polytope
  CudPlaces at;

  // options
  Real timestep, gravity[3], impratio, tolerance, ls_tolerance, meaninertia;
  int integrator, solver, cone, iterations, ls_iterations, disableflags;
  double ccd_tolerance;
  int ccd_iterations;
  int damped;    // 1: a dof has damping that Euler takes implicitly
  int gravcomp;  // 1: gravity is compensated for a body
  int springy;   // 1: a tendon has stiffness or damping
  int balls;     // 1: a ball joint has a limit

  // what few models use: behind these nothing costs the others anything
  int spatial;     // 1: a tendon is a path, so that moments of tendons change
  int moving;      // 1: moments of actuators change
  int adheres;     // 1: an actuator acts along contacts, which are then found before forces
  int armed;       // 1: a tendon has inertia
  int pulllimits;  // 1: a tendon limits the force of its actuators
  int medium;      // 1: a medium acts on bodies
  int edgedamped;  // 1: an edge of a flex has a damper
  int rare;        // 1: something that only the kernels with everything have
  int derives;     // 1: the integrator needs derivatives of forces on bodies
  Real density, viscosity, wind[3];

  // arrays; the first is also the beginning of the block
#define X(name, ...) const Real* name;
  CUD_REALS(X)
  CUD_RARE_REALS(X)
  CUD_DERIVED_REALS(X)
  CUD_FLEX_REALS(X)
#undef X
#define X(name, ...) const double* name;
  CUD_DOUBLES(X)
#undef X
#define X(name, ...) const float* name;
  CUD_FLOATS(X)
#undef X
#define X(name, ...) const int* name;
  CUD_INTS(X)
  CUD_RARE_INTS(X)
  CUD_DERIVED_INTS(X)
  CUD_RARE_DERIVED_INTS(X)
  CUD_FLEX_INTS(X)
  CUD_FLEX_DERIVED_INTS(X)
#undef X
} CudModel;

//---------------------------------- what a kernel gets ----------------------------------

// arrays over simulations that a step reads and writes
typedef struct {
  Real *time, *qpos, *qvel, *act, *qacc_warmstart;
  Real *ctrl, *qfrc_applied, *xfrc_applied, *mocap_pos, *mocap_quat;
  int* eq_active;
} CudState;

// Fields that a caller has asked for, over simulations; NULL: not asked for.
#define CUD_OUTPUTS(X)      \
  X(xpos, 3 * nbody)        \
  X(xquat, 4 * nbody)       \
  X(xipos, 3 * nbody)       \
  X(geom_xpos, 3 * ngeom)   \
  X(geom_xmat, 9 * ngeom)   \
  X(cvel, 6 * nbody)        \
  X(subtree_com, 3 * nbody) \
  X(qM, nv*(nv + 1) / 2)    \
  X(qfrc_bias, nv)          \
  X(qfrc_smooth, nv)        \
  X(qacc_smooth, nv)        \
  X(qfrc_constraint, nv)    \
  X(qacc, nv)

// those of forces
#define CUD_FORCE_OUTPUTS(X)      \
  X(ten_length, ntendon)          \
  X(ten_velocity, ntendon)        \
  X(actuator_length, nu)          \
  X(actuator_velocity, nu)        \
  X(actuator_force, nu)           \
  X(qfrc_actuator, nv)            \
  X(qfrc_passive, nv)             \
  X(qfrc_fluid, nv)               \
  X(act_dot, na)                  \
  X(flexvert_xpos, 3 * nflexvert) \
  X(flexedge_length, nflexedge)

// those that follow after a forward pass (sensor.h), and what sensors need from the stages but nobody asks for by name:
// accelerations behind dofs without those of the dofs, what subtrees hand on, contacts, forces of limits and equalities
#define CUD_LATE_OUTPUTS(X)    \
  X(xmat, 9 * nbody)           \
  X(ximat, 9 * nbody)          \
  X(site_xpos, 3 * nsite)      \
  X(site_xmat, 9 * nsite)      \
  X(cam_xpos, 3 * ncam)        \
  X(cam_xmat, 9 * ncam)        \
  X(cdof, 6 * nv)              \
  X(cinert, 10 * nbody)        \
  X(cacc, 6 * nbody)           \
  X(cfrc_int, 6 * nbody)       \
  X(cfrc_ext, 6 * nbody)       \
  X(subtree_linvel, 3 * nbody) \
  X(subtree_angmom, 3 * nbody) \
  X(energy, 2)                 \
  X(sensordata, nsensordata)

#define CUD_INNER_OUTPUTS(X)  \
  X(dofacc, 6 * nv)           \
  X(subtree_orbit, 3 * nbody) \
  X(kept, nkept)              \
  X(limit, njnt + ntendon)    \
  X(held, 6 * neq)

typedef struct {
#define X(name, count) Real* name;
  CUD_OUTPUTS(X)
  CUD_FORCE_OUTPUTS(X)
  CUD_LATE_OUTPUTS(X)
  CUD_INNER_OUTPUTS(X)
#undef X
  int *ncon, *nefc, *niter;
} CudOutputs;

// What sensors and rays read of a model: a block of its own, made when somebody first asks for them. Sizes are those of
// mjModel.
#define CUD_WATCH_REALS(X)     \
  X(sensor_cutoff, nsensor, 1) \
  X(site_size, nsite, 3)       \
  X(cam_pos, ncam, 3)          \
  X(cam_quat, ncam, 4)         \
  X(cam_pos0, ncam, 3)         \
  X(cam_poscom0, ncam, 3)      \
  X(cam_mat0, ncam, 9)         \
  X(cam_fovy, ncam, 1)         \
  X(bvh_aabb, nbvhstatic, 6)   \
  X(mesh_vert, nmeshvert, 3)   \
  X(hfield_size, nhfield, 4)   \
  X(hfield_data, nhfielddata, 1)

#define CUD_WATCH_INTS(X)        \
  X(sensor_type, nsensor, 1)     \
  X(sensor_datatype, nsensor, 1) \
  X(sensor_objtype, nsensor, 1)  \
  X(sensor_objid, nsensor, 1)    \
  X(sensor_reftype, nsensor, 1)  \
  X(sensor_refid, nsensor, 1)    \
  X(sensor_dim, nsensor, 1)      \
  X(sensor_adr, nsensor, 1)      \
  X(sensor_intprm, nsensor, 3)   \
  X(site_type, nsite, 1)         \
  X(cam_bodyid, ncam, 1)         \
  X(cam_targetbodyid, ncam, 1)   \
  X(cam_mode, ncam, 1)           \
  X(cam_projection, ncam, 1)     \
  X(cam_resolution, ncam, 2)     \
  X(mesh_face, nmeshface, 3)     \
  X(bvh_child, nbvhstatic, 2)    \
  X(bvh_nodeid, nbvhstatic, 1)   \
  X(mesh_vertadr, nmesh, 1)      \
  X(mesh_faceadr, nmesh, 1)      \
  X(mesh_bvhadr, nmesh, 1)       \
  X(hfield_adr, nhfield, 1)      \
  X(hfield_nrow, nhfield, 1)     \
  X(hfield_ncol, nhfield, 1)     \
  X(geom_group, ngeom, 1)        \
  X(geom_dataid, ngeom, 1)

typedef struct {
#define X(name, ...) const Real* name;
  CUD_WATCH_REALS(X)
#undef X
#define X(name, ...) const int* name;
  CUD_WATCH_INTS(X)
#undef X
  const Real* pinhole;      // over cameras: focal lengths and principal point in pixels
  const int* geom_visible;  // over geoms
  int nsensor, nsensordata, ncam;
  int casts;  // 1: there are rays
  Real magnetic[3];
} CudWatch;

// What may differ between simulations besides the arrays of the model: its options, and numbers of geoms from which the
// parameters of pairs are mixed.
#define CUD_OWN_OPTIONS(X) \
  X(timestep, 1)           \
  X(gravity, 3)            \
  X(impratio, 1) X(tolerance, 1) X(ls_tolerance, 1) X(density, 1) X(viscosity, 1) X(wind, 3) X(meaninertia, 1)

#define CUD_OWN_GEOMS(X) \
  X(geom_friction, 3)    \
  X(geom_solref, 2)      \
  X(geom_solimp, 5)      \
  X(geom_solmix, 1)      \
  X(geom_margin, 1)      \
  X(geom_gap, 1)

typedef struct {
  CudModel* model;  // over simulations, NULL: all have the same
#define X(name, n) const Real* name;
  CUD_OWN_OPTIONS(X)  // over simulations, NULL: the model's
#undef X
  int mixes;  // 1: parameters of pairs are mixed anew
#define X(name, n)  \
  const Real* name; \
  int name##_step;
  CUD_OWN_GEOMS(X)  // and numbers from one simulation to the next, 0: all have the same
#undef X
  const int *geom_priority, *listed;  // listed, over pairs: 1: the model gives the parameters
  int gears;                          // 1: moments of actuators follow from their gears
} CudOwn;

// Resets. A start is time, qpos, qvel, act, ctrl, mocap_pos, mocap_quat and eq_active; the first is the initial state,
// then the keyframes follow.
typedef struct {
  const Real* start;
  int row;           // numbers of a start
  int* done;         // over simulations: 1: the episode has ended
  int* episode;      // resets so far
  const int* sim;    // number of the simulation in the batch, for its stream of random numbers
  uint32_t seed[2];  //
  Real qpos, qvel;   // noise
  int automatic;     // 1: a simulation whose episode has ended is reset instead of stepping
  int key;           // keyframe of these resets, -1: the initial state
  int now;           // keyframe of this run, -2: it has steps
} CudReset;

// Lists of contacts and rows (list.h): members of mjContact, then arrays over rows. Name, numbers of each, 1: integers.
#define CUD_CONTACT_LISTS(X) \
  X(dist, 1, 0)              \
  X(pos, 3, 0)               \
  X(frame, 9, 0)             \
  X(includemargin, 1, 0)     \
  X(friction, 5, 0)          \
  X(solref, 2, 0)            \
  X(solreffriction, 2, 0)    \
  X(solimp, 5, 0)            \
  X(mu, 1, 0)                \
  X(dim, 1, 1)               \
  X(geom, 2, 1)              \
  X(flex, 2, 1)              \
  X(elem, 2, 1)              \
  X(vert, 2, 1)              \
  X(exclude, 1, 1)           \
  X(efc_address, 1, 1)

#define CUD_ROW_LISTS(X)    \
  X(efc_type, 1, 1)         \
  X(efc_id, 1, 1)           \
  X(efc_state, 1, 1)        \
  X(efc_J, 1, 0)            \
  X(efc_frictionloss, 1, 0) \
  X(efc_D, 1, 0)            \
  X(efc_R, 1, 0)            \
  X(efc_aref, 1, 0)         \
  X(efc_vel, 1, 0)          \
  X(efc_b, 1, 0)            \
  X(efc_force, 1, 0)

enum {
#define X(name, n, integer) CUD_LIST_##name,
  CUD_CONTACT_LISTS(X) CUD_ROW_LISTS(X)
#undef X
      CUD_NLIST
};

// a list that a caller has asked for
typedef struct {
  void* data;  // over simulations: capacity x columns
  int what, capacity, columns, integer;
} CudTable;

// deepest tree of boxes around the triangles of a mesh
enum { CUD_TREE_DEPTH = 50 };

// rays that a caller has described
typedef struct {
  const Real *pnt, *vec;  // nray x 3 in the frame
  Real* dist;             // over simulations: nray
  Real cutoff;
  int nray, objtype, objid;  // frame; mjOBJ_UNKNOWN: the world's
  int upright;               // 1: of the frame's orientation only the heading counts
  int groups, statics, except;
} CudBundle;

typedef struct {
  CudModel m;
  CudState state;
  CudOutputs out;
  int* status;      // bits above, over simulations
  const int* list;  // which simulations, NULL: the first n
  int n;            // how many
  int substeps;     // 0: only forward
  Real* pool;       // pieces for contacts and rows beyond the workspace
  int* taken;       // over pieces: 1: a group uses it
  int npiece;       //
  int piece;        // numbers of a piece
  Real* far;        // workspaces in the memory of the device, NULL: they are on the processors
  int nfar;         // how many
  float* axes;      // directions along which pairs of convex queries were apart, 0: unknown; NULL: none are kept
  CudOwn own;
  CudReset reset;
  CudWatch watch;
  int watching;             // 1: something is asked for that follows after a forward pass
  const CudBundle* bundle;  // rays
  int nbundle;
  const CudTable* table;   // lists
  int ntable;              //
  int leastcon, leastrow;  // the least that one of them has room for
  int64_t* cycles;         // over stages, or NULL: where the time goes
} CudTask;
