// The state of one simulation and everything the engine computes from it.
//
// mjData belongs to the mjModel it was made from (mj_makeData). Programs write the state and the
// inputs (qpos, qvel, act, ctrl, applied forces, motion-capture poses, ...), call mj_step or
// mj_forward, and read the results, which stay valid until the next call that computes them. One
// thread at a time may use an mjData; many mjData can share one model.
//
// The comment of each array starts with its shape, as in mjmodel.h; sizes are fields of mjModel, or
// of mjData where the array lives in the arena. Spatial vectors (6) hold rotation first, then
// translation, in world axes, referred to the centre of mass of the body's whole tree.
//
// Include this header alone for the types; mujoco.h includes it.

#ifndef MUJOCO_MJDATA_H_
#define MUJOCO_MJDATA_H_

#include <stddef.h>
#include <stdint.h>

#include <mujoco/mjtnum.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjthread.h>

//---- Enumerations --------------------------------------------------------------------------------

// Parts of the state, as bits for mj_getState and its relatives. Chosen parts are packed in the
// order given here.
typedef enum mjtState_ {
  mjSTATE_TIME           = 1<<0,   // simulated time
  mjSTATE_QPOS           = 1<<1,   // positions
  mjSTATE_QVEL           = 1<<2,   // velocities
  mjSTATE_ACT            = 1<<3,   // actuator activations
  mjSTATE_HISTORY        = 1<<4,   // past controls and sensor readings, for delays
  mjSTATE_WARMSTART      = 1<<5,   // accelerations the solver starts from
  mjSTATE_CTRL           = 1<<6,   // controls
  mjSTATE_QFRC_APPLIED   = 1<<7,   // forces applied to degrees of freedom
  mjSTATE_XFRC_APPLIED   = 1<<8,   // forces and torques applied to bodies
  mjSTATE_EQ_ACTIVE      = 1<<9,   // which equality constraints are on
  mjSTATE_MOCAP_POS      = 1<<10,  // positions of motion-capture bodies
  mjSTATE_MOCAP_QUAT     = 1<<11,  // orientations of motion-capture bodies
  mjSTATE_USERDATA       = 1<<12,  // user numbers
  mjSTATE_PLUGIN         = 1<<13,  // state of plugins

  mjNSTATE               = 14,     // how many parts there are

  // combination: what evolves by the equations of motion
  mjSTATE_PHYSICS        = mjSTATE_QPOS | mjSTATE_QVEL | mjSTATE_ACT | mjSTATE_HISTORY,
  // combination: the same with time and plugins
  mjSTATE_FULLPHYSICS    = mjSTATE_TIME | mjSTATE_PHYSICS | mjSTATE_PLUGIN,
  // combination: what the user sets
  mjSTATE_USER           = mjSTATE_CTRL | mjSTATE_QFRC_APPLIED | mjSTATE_XFRC_APPLIED |
                          mjSTATE_EQ_ACTIVE | mjSTATE_MOCAP_POS | mjSTATE_MOCAP_QUAT |
                          mjSTATE_USERDATA,
  // combination: all that a step reads; restoring it repeats the step bit by bit
  mjSTATE_INTEGRATION    = mjSTATE_FULLPHYSICS | mjSTATE_USER | mjSTATE_WARMSTART
} mjtState;

// What a constraint row stems from (efc_type). Rows are sorted in this order.
typedef enum mjtConstraint_ {
  mjCNSTR_EQUALITY       = 0,    // equality constraint
  mjCNSTR_FRICTION_DOF,          // dry friction of a degree of freedom
  mjCNSTR_FRICTION_TENDON,       // dry friction of a tendon
  mjCNSTR_LIMIT_JOINT,           // joint limit
  mjCNSTR_LIMIT_TENDON,          // tendon limit
  mjCNSTR_CONTACT_FRICTIONLESS,  // contact without friction, one row
  mjCNSTR_CONTACT_PYRAMIDAL,     // contact with a pyramidal cone, one row per edge
  mjCNSTR_CONTACT_ELLIPTIC       // contact with an elliptic cone, one row per dimension
} mjtConstraint;

// Which piece of its cost function a row is on at the solution (efc_state).
typedef enum mjtConstraintState_ {
  mjCNSTRSTATE_SATISFIED = 0,  // no force: limit or contact is opening
  mjCNSTRSTATE_QUADRATIC,      // force grows with the violation
  mjCNSTRSTATE_LINEARNEG,      // friction saturated, force at its lower bound
  mjCNSTRSTATE_LINEARPOS,      // friction saturated, force at its upper bound
  mjCNSTRSTATE_CONE            // elliptic contact sliding, force on the cone
} mjtConstraintState;

// Recoverable trouble, counted in mjData.warning.
typedef enum mjtWarning_ {
  mjWARN_INERTIA         = 0,  // inertia matrix nearly singular
  mjWARN_CONTACTFULL,          // no room for another contact
  mjWARN_CNSTRFULL,            // no room for the constraint rows
  mjWARN_VGEOMFULL,            // no room for another drawn geom
  mjWARN_BADQPOS,              // position not finite or too large
  mjWARN_BADQVEL,              // velocity not finite or too large
  mjWARN_BADQACC,              // acceleration not finite or too large
  mjWARN_BADCTRL,              // control not finite or too large

  mjNWARNING                   // how many kinds there are
} mjtWarning;

// What is timed in mjData.timer; inner entries are part of outer ones. Times run only while
// mjcb_time is set.
typedef enum mjtTimer_ {
  // public calls
  mjTIMER_STEP           = 0,  // mj_step
  mjTIMER_FORWARD,             // mj_forward
  mjTIMER_INVERSE,             // mj_inverse

  // stages of a step
  mjTIMER_POSITION,            // position stage
  mjTIMER_VELOCITY,            // velocity stage
  mjTIMER_ACTUATION,           // actuation stage
  mjTIMER_CONSTRAINT,          // constraint solver
  mjTIMER_ADVANCE,             // integrator

  // within the position stage
  mjTIMER_POS_KINEMATICS,      // poses, tendons, transmission
  mjTIMER_POS_INERTIA,         // inertia matrix and its factor
  mjTIMER_POS_COLLISION,       // collision detection
  mjTIMER_POS_MAKE,            // building constraint rows
  mjTIMER_POS_PROJECT,         // constraint-space inertia

  // within collision detection
  mjTIMER_COL_BROAD,           // broad phase
  mjTIMER_COL_NARROW,          // narrow phase

  mjNTIMER                     // how many timers there are
} mjtTimer;

// Sleep state of a tree or body (tree_awake, body_awake).
typedef enum mjtSleepState_ {
  mjS_STATIC = -1,  // can never move
  mjS_ASLEEP = 0,   // at rest, left out of the computation
  mjS_AWAKE  = 1    // moving
} mjtSleepState;

//---- Contacts and statistics ---------------------------------------------------------------------

// One contact between two geoms, or between a flex and a geom or flex.
struct mjContact_ {
  // geometry, from the collision functions
  mjtNum  dist;                    // distance between the surfaces; negative: penetration
  mjtNum  pos[3];                  // middle between the two surface points, world frame
  mjtNum  frame[9];                // rows are normal (from first to second object) and two tangents

  // parameters, combined from both objects
  mjtNum  includemargin;           // carries force if dist is below this: margin - gap
  mjtNum  friction[5];             // sliding (two), torsional, rolling (two)
  mjtNum  solref[mjNREF];          // reference dynamics along the normal
  mjtNum  solreffriction[mjNREF];  // reference dynamics along friction; zero: as normal
  mjtNum  solimp[mjNIMP];          // impedance

  // for the solver
  mjtNum  mu;                      // friction of the regularised cone, from sliding friction and
                                   // impratio
  mjtNum  H[36];                   // Hessian of an elliptic contact, row by row

  // what touches
  int     dim;                     // contact dimension: 1, 3, 4 or 6
  int     geom1;                   // same as geom[0]; superseded
  int     geom2;                   // same as geom[1]; superseded
  int     geom[2];                 // geoms, or -1 for a flex
  int     flex[2];                 // flexes, or -1 for a geom
  int     elem[2];                 // flex elements, or -1
  int     vert[2];                 // flex vertices, or -1

  // bookkeeping
  int     exclude;                 // 0: carries force, 1: in the gap, 2: sides joined rigidly, 3:
                                   // no dof moves it, 4: passive force instead

  int     efc_address;             // first constraint row, or -1
};
typedef struct mjContact_ mjContact;

// How often one kind of warning was raised.
struct mjWarningStat_ {
  int     lastinfo;  // detail of the latest: what this means depends on the kind
  int     number;    // occurrences since the last reset
};
typedef struct mjWarningStat_ mjWarningStat;

// Accumulated time of one timer.
struct mjTimerStat_ {
  mjtNum  duration;  // total, in the unit of mjcb_time
  int     number;    // calls
};
typedef struct mjTimerStat_ mjTimerStat;

// One iteration of the constraint solver.
struct mjSolverStat_ {
  mjtNum  improvement;  // decrease of cost, scaled by meaninertia and nv
  mjtNum  gradient;     // norm of the gradient, scaled likewise; CG and Newton
  mjtNum  lineslope;    // slope left by the line search, relative to its start
  int     nactive;      // rows that carry force
  int     nchange;      // rows that changed state
  int     neval;        // cost evaluations in the line search
  int     nupdate;      // rank-one updates of the Newton factor
};
typedef struct mjSolverStat_ mjSolverStat;

//---- The data ------------------------------------------------------------------------------------

// One simulation: memory and statistics, state and inputs, then results in the order in which the
// stages of a step produce them.
struct mjData_ {
  // Sizes, set when the data is made.
  mjtSize narena;                     // bytes of the arena
  mjtSize nbuffer;                    // bytes of buffer
  int     nplugin;                    // plugin instances

  // Scratch stack: it grows down from the end of the arena, contacts and rows grow up.
  size_t  pstack;                     // bytes in use
  size_t  pbase;                      // where the current frame began

  size_t  parena;                     // bytes of the arena in use by contacts and constraints

  // High-water marks since the last reset.
  mjtSize maxuse_stack;               // bytes of scratch
  mjtSize maxuse_threadstack[mjMAXTHREAD];  // bytes of scratch per worker thread
  mjtSize maxuse_arena;               // bytes of the arena, scratch included
  int     maxuse_con;                 // contacts
  int     maxuse_efc;                 // constraint rows

  // Solver log of the last step, per island; without islands everything is in island 0.
  mjSolverStat  solver[mjNISLAND*mjNSOLVER];  // iterations: row i*mjNSOLVER + k is island i,
                                              // iteration k
  int           solver_niter[mjNISLAND];  // iterations done
  int           solver_nnz[mjNISLAND];  // non-zeros of the Hessian or of efc_AR
  mjtNum        solver_fwdinv[2];     // difference to inverse dynamics: constraint force, applied
                                      // force

  // Diagnostics since the last reset.
  mjWarningStat warning[mjNWARNING];  // counts, by mjtWarning
  mjTimerStat   timer[mjNTIMER];      // times, by mjtTimer

  // Sizes that change from step to step.
  int     ncon;                       // contacts
  int     ne;                         // rows of equality constraints
  int     nf;                         // rows of dry friction
  int     nl;                         // rows of limits
  int     nefc;                       // rows in all
  int     nJ;                         // non-zeros of efc_J
  int     nA;                         // non-zeros of efc_AR
  int     nisland;                    // islands: groups of trees coupled by constraints
  int     nidof;                      // degrees of freedom in islands
  int     ntree_awake;                // trees awake
  int     nbody_awake;                // bodies awake, static ones included
  int     nparent_awake;              // bodies whose parent is awake or static
  int     nv_awake;                   // degrees of freedom awake

  // What has been computed on demand for the present state; 1: done.
  mjtByte flg_energypos;              // mj_energyPos
  mjtByte flg_energyvel;              // mj_energyVel
  mjtByte flg_subtreevel;             // mj_subtreeVel
  mjtByte flg_rnepost;                // mj_rnePostConstraint

  // Global quantities.
  mjtNum  time;                       // simulated time (s), part of the state
  mjtNum  energy[2];                  // potential, kinetic; computed if mjENBL_ENERGY is set

  // Storage.
  void*   buffer;                     // the block of all arrays but those of the arena
  void*   arena;                      // contacts, constraints and scratch; its arrays start at
                                      // `contact`

  // State.
  mjtNum* qpos;                       // (nq) positions
  mjtNum* qvel;                       // (nv) velocities
  mjtNum* act;                        // (na) activations
  mjtNum* history;                    // (nhistory) past controls and sensor readings
  mjtNum* qacc_warmstart;             // (nv) accelerations the solver starts from: those of the
                                      // last step
  mjtNum* plugin_state;               // (npluginstate) state of plugins

  // Inputs. They stay as written until written again.
  mjtNum* ctrl;                       // (nu) controls
  mjtNum* qfrc_applied;               // (nv) forces on the degrees of freedom
  mjtNum* xfrc_applied;               // (nbody x 6) force, then torque on each body at its centre
                                      // of mass, world axes
  mjtByte* eq_active;                 // (neq) 1: equality constraint is on

  // Poses of motion-capture bodies, set by the user.
  mjtNum* mocap_pos;                  // (nmocap x 3) positions in the world
  mjtNum* mocap_quat;                 // (nmocap x 4) orientations in the world

  // Time derivatives of the state.
  mjtNum* qacc;                       // (nv) accelerations
  mjtNum* act_dot;                    // (na) rates of the activations

  // Free for the user.
  mjtNum* userdata;                   // (nuserdata) never touched by the engine but for a reset to
                                      // zero

  // Sensors.
  mjtNum* sensordata;                 // (nsensordata) readings, at sensor_adr

  // Sleep.
  int*    tree_asleep;                // (ntree) awake: negative, counts up to -1 while the tree
                                      // rests; asleep: next tree of the ring that wakes together

  // Plugin instances.
  int*       plugin;                  // (nplugin) slot of the registered plugin, as in the model
  uintptr_t* plugin_data;             // (nplugin) pointer the plugin keeps for itself

  // Results of positions: mj_kinematics. World frame throughout.
  mjtNum* xpos;                       // (nbody x 3) body frames: position
  mjtNum* xquat;                      // (nbody x 4) orientation as a unit quaternion
  mjtNum* xmat;                       // (nbody x 9) orientation as a matrix
  mjtNum* xipos;                      // (nbody x 3) centres of mass of bodies
  mjtNum* ximat;                      // (nbody x 9) orientation of their principal axes
  mjtNum* xanchor;                    // (njnt x 3) joint anchors
  mjtNum* xaxis;                      // (njnt x 3) joint axes
  mjtNum* geom_xpos;                  // (ngeom x 3) geoms: position
  mjtNum* geom_xmat;                  // (ngeom x 9) orientation
  mjtNum* site_xpos;                  // (nsite x 3) sites: position
  mjtNum* site_xmat;                  // (nsite x 9) orientation
  mjtNum* cam_xpos;                   // (ncam x 3) cameras: position
  mjtNum* cam_xmat;                   // (ncam x 9) orientation
  mjtNum* light_xpos;                 // (nlight x 3) lights: position
  mjtNum* light_xdir;                 // (nlight x 3) direction

  // mj_comPos.
  mjtNum* subtree_com;                // (nbody x 3) centre of mass of the body with all below it
  mjtNum* cdof;                       // (nv x 6) motion of unit velocity of the degree of freedom
  mjtNum* cinert;                     // (nbody x 10) inertia of the body: 6 of the symmetric
                                      // matrix, mass times offset (3), mass

  // mj_flex.
  mjtNum* flexvert_xpos;              // (nflexvert x 3) vertices in the world
  mjtNum* flexelem_aabb;              // (nflexelem x 6) boxes of elements: centre, half-lengths
  mjtNum* flexedge_J;                 // (nJfe) Jacobian of edge lengths, sparse
  mjtNum* flexedge_length;            // (nflexedge) edge lengths
  mjtNum* flexvert_J;                 // (nJfv x 2) Jacobian of the vertices' strains, sparse
  mjtNum* flexvert_length;            // (nflexvert x 2) strain measures around the vertex
  mjtNum* bvh_aabb_dyn;               // (nbvhdynamic x 6) boxes of flex hierarchies: centre,
                                      // half-lengths

  // mj_tendon.
  int*    ten_wrapadr;                // (ntendon) first path point
  int*    ten_wrapnum;                // (ntendon) path points
  int*    ten_J_rownnz;               // (ntendon) Jacobian of lengths: non-zeros of the row
  int*    ten_J_rowadr;               // (ntendon) where it starts
  int*    ten_J_colind;               // (ntendon x nv) degrees of freedom
  mjtNum* ten_J;                      // (ntendon x nv) values, sparse or dense as the model asks
  mjtNum* ten_length;                 // (ntendon) lengths
  int*    wrap_obj;                   // (nwrap x 2) what each point touches: geom, -1: site, -2:
                                      // pulley
  mjtNum* wrap_xpos;                  // (nwrap x 6) path points in the world, two per row

  // mj_transmission.
  mjtNum* actuator_length;            // (nu) lengths
  int*    moment_rownnz;              // (nu) moments: non-zeros of the row
  int*    moment_rowadr;              // (nu) where it starts
  int*    moment_colind;              // (nJmom) degrees of freedom
  mjtNum* actuator_moment;            // (nJmom) force on degrees of freedom per unit of actuator
                                      // force

  // mj_makeM.
  mjtNum* crb;                        // (nbody x 10) inertia of the body with all below it, as
                                      // cinert
  mjtNum* qM;                         // (nM) joint-space inertia, each dof followed by its
                                      // ancestors
  mjtNum* M;                          // (nC) the same as compressed rows of the lower triangle

  // mj_factorM.
  mjtNum* qLD;                        // (nC) factor of the inertia, M = L' * D * L, in the layout
                                      // of M
  mjtNum* qLDiagInv;                  // (nv) inverse of D

  // mj_collision.
  mjtByte* bvh_active;                // (nbvh) 1: the volume took part, for drawing

  // Sleep, as lists of what is awake; entries beyond the counts above are undefined.
  int*    tree_awake;                 // (ntree) 1: awake, 0: asleep
  int*    body_awake;                 // (nbody) mjtSleepState
  int*    body_awake_ind;             // (nbody) bodies awake or static, ascending
  int*    parent_awake_ind;           // (nbody) bodies whose parent is awake or static, ascending
  int*    dof_awake_ind;              // (nv) degrees of freedom awake, ascending

  // Results of velocities: mj_fwdVelocity.
  mjtNum* flexedge_velocity;          // (nflexedge) rates of edge lengths
  mjtNum* ten_velocity;               // (ntendon) rates of tendon lengths
  mjtNum* actuator_velocity;          // (nu) rates of actuator lengths

  // mj_comVel.
  mjtNum* cvel;                       // (nbody x 6) spatial velocities of bodies
  mjtNum* cdof_dot;                   // (nv x 6) rates of cdof

  // mj_rne without acceleration.
  mjtNum* qfrc_bias;                  // (nv) Coriolis, centrifugal and gravity forces, with their
                                      // sign on the left-hand side

  // mj_passive.
  mjtNum* qfrc_spring;                // (nv) springs
  mjtNum* qfrc_damper;                // (nv) dampers
  mjtNum* qfrc_gravcomp;              // (nv) gravity compensation
  mjtNum* qfrc_fluid;                 // (nv) fluid
  mjtNum* qfrc_passive;               // (nv) sum of what acts passively

  // mj_subtreeVel.
  mjtNum* subtree_linvel;             // (nbody x 3) velocity of the subtree's centre of mass
  mjtNum* subtree_angmom;             // (nbody x 3) angular momentum about it

  // Implicit integrators.
  mjtNum* qH;                         // (nC) factor of the inertia with damping added, layout of M
  mjtNum* qHDiagInv;                  // (nv) inverse of its D

  mjtNum* qDeriv;                     // (nD) derivative of force by velocity, full pattern

  mjtNum* qLU;                        // (nD) LU factor of M - timestep * qDeriv, full pattern

  // Results of forces: mj_fwdActuation.
  mjtNum* actuator_force;             // (nu) scalar force of each actuator
  mjtNum* qfrc_actuator;              // (nv) the same on the degrees of freedom

  // mj_fwdAcceleration.
  mjtNum* qfrc_smooth;                // (nv) all forces but those of constraints
  mjtNum* qacc_smooth;                // (nv) accelerations they would give

  // mj_fwdConstraint and mj_inverse.
  mjtNum* qfrc_constraint;            // (nv) forces of constraints

  // mj_inverse.
  mjtNum* qfrc_inverse;               // (nv) forces that give qacc, beyond those the model produces
                                      // itself

  // mj_rnePostConstraint; rotation first.
  mjtNum* cacc;                       // (nbody x 6) spatial accelerations of bodies
  mjtNum* cfrc_int;                   // (nbody x 6) forces between body and parent
  mjtNum* cfrc_ext;                   // (nbody x 6) forces from outside: applied, contacts,
                                      // equality constraints

  // Arena: contacts, from mj_collision. Arrays of the arena are NULL while empty.
  mjContact* contact;                 // (ncon) all contacts, also those in the gap

  // Arena: constraint rows, from mj_makeConstraint.
  int*    efc_type;                   // (nefc) mjtConstraint
  int*    efc_id;                     // (nefc) id of the constraint, dof, joint, tendon or contact
  int*    efc_J_rownnz;               // (nefc) Jacobian: non-zeros of the row
  int*    efc_J_rowadr;               // (nefc) where it starts
  int*    efc_J_rowsuper;             // (nefc) rows after it with the same pattern
  int*    efc_J_colind;               // (nJ) degrees of freedom
  mjtNum* efc_J;                      // (nJ) values, sparse or dense as the model asks
  mjtNum* efc_pos;                    // (nefc) violation: signed distance from being satisfied
  mjtNum* efc_margin;                 // (nefc) the row is active below this value of efc_pos
  mjtNum* efc_frictionloss;           // (nefc) bound on dry friction
  mjtNum* efc_diagApprox;             // (nefc) estimate of the diagonal of J * inv(M) * J'
  mjtNum* efc_KBIP;                   // (nefc x 4) stiffness, damping, impedance, its derivative
  mjtNum* efc_D;                      // (nefc) weight of the row in the cost, 1 / R
  mjtNum* efc_R;                      // (nefc) regularisation: inertia of the softness
  int*    tendon_efcadr;              // (ntendon) first row about the tendon, or -1

  // Arena: islands, from mj_island. First the trees.
  int*    tree_island;                // (ntree) island, or -1
  int*    island_ntree;               // (nisland) trees in the island
  int*    island_itreeadr;            // (nisland) its first place in map_itree2tree
  int*    map_itree2tree;             // (ntree) trees ordered by island

  // Degrees of freedom; those in islands come first in island order ("idof").
  int*    dof_island;                 // (nv) island, or -1
  int*    island_nv;                  // (nisland) degrees of freedom in the island
  int*    island_idofadr;             // (nisland) first of them in island order
  int*    island_dofadr;              // (nisland) first of them in model order
  int*    map_dof2idof;               // (nv) from model order to island order
  int*    map_idof2dof;               // (nv) from island order to model order

  // Dynamics in island order.
  mjtNum* ifrc_smooth;                // (nidof) qfrc_smooth
  mjtNum* iacc_smooth;                // (nidof) qacc_smooth
  int*    iM_rownnz;                  // (nidof) inertia, lower triangle: non-zeros of the row
  int*    iM_rowadr;                  // (nidof) where it starts
  int*    iM_colind;                  // (nC) columns, in island order
  mjtNum* iM;                         // (nC) values
  mjtNum* iLD;                        // (nC) factor, in the same layout
  mjtNum* iLDiagInv;                  // (nidof) inverse of its D
  mjtNum* iacc;                       // (nidof) qacc

  // Rows; island order ("iefc") sorts them by island.
  int*    efc_island;                 // (nefc) island of the row
  int*    island_ne;                  // (nisland) equality rows in the island
  int*    island_nf;                  // (nisland) friction rows in the island
  int*    island_nefc;                // (nisland) rows in the island
  int*    island_iefcadr;             // (nisland) first of them in island order
  int*    map_efc2iefc;               // (nefc) from original order to island order
  int*    map_iefc2efc;               // (nefc) from island order to original order

  // Rows in island order: copies of the arrays without i.
  int*    iefc_type;                  // (nefc) mjtConstraint
  int*    iefc_id;                    // (nefc) id of what the row is about
  int*    iefc_J_rownnz;              // (nefc) Jacobian: non-zeros of the row
  int*    iefc_J_rowadr;              // (nefc) where it starts
  int*    iefc_J_rowsuper;            // (nefc) rows after it with the same pattern
  int*    iefc_J_colind;              // (nJ) columns, in island order
  mjtNum* iefc_J;                     // (nJ) values
  mjtNum* iefc_frictionloss;          // (nefc) bound on dry friction
  mjtNum* iefc_D;                     // (nefc) weight of the row in the cost
  mjtNum* iefc_R;                     // (nefc) regularisation

  // Arena: constraint-space inertia, from mj_projectConstraint. Dual solvers only.
  int*    efc_AR_rownnz;              // (nefc) non-zeros of the row
  int*    efc_AR_rowadr;              // (nefc) where it starts
  int*    efc_AR_colind;              // (nA) columns
  mjtNum* efc_AR;                     // (nA) J * inv(M) * J' + R

  // Arena: velocities, from mj_referenceConstraint.
  mjtNum* efc_vel;                    // (nefc) velocity of the row, J * qvel
  mjtNum* efc_aref;                   // (nefc) acceleration the row aims for

  // Arena: the solver's input and solution.
  mjtNum* efc_b;                      // (nefc) J * qacc_smooth - aref
  mjtNum* iefc_aref;                  // (nefc) efc_aref in island order
  int*    iefc_state;                 // (nefc) efc_state in island order
  mjtNum* iefc_force;                 // (nefc) efc_force in island order
  int*    efc_state;                  // (nefc) mjtConstraintState
  mjtNum* efc_force;                  // (nefc) force of the row
  mjtNum* ifrc_constraint;            // (nidof) qfrc_constraint in island order

  // Threads.
  uintptr_t threadpool;               // thread pool bound with mju_bindThreadPool, or 0

  // Identity.
  uint64_t  signature;                // number of the model this data was made for
};
typedef struct mjData_ mjData;

//---- Callbacks -----------------------------------------------------------------------------------
// Types of the functions a program may hang into the global mjcb_* variables and tables of
// mujoco.h.

// Anything that works on model and data: mjcb_passive, mjcb_control.
typedef void (*mjfGeneric)(const mjModel* m, mjData* d);

// Contact filter: return 1 to drop the pair, 0 to collide it.
typedef int (*mjfConFilt)(const mjModel* m, mjData* d, int geom1, int geom2);

// User sensors: write those whose sensor_needstage equals stage (mjtStage).
typedef void (*mjfSensor)(const mjModel* m, mjData* d, int stage);

// Clock for mjData.timer; any unit, steady.
typedef mjtNum (*mjfTime)(void);

// Actuator id's act_dot, gain or bias.
typedef mjtNum (*mjfAct)(const mjModel* m, const mjData* d, int id);

// Collision of geoms g1 and g2: write up to mjMAXCONPAIR contacts (dist, pos and frame) closer than
// margin into con and return how many.
typedef int (*mjfCollision)(const mjModel* m, const mjData* d,
                            mjContact* con, int g1, int g2, mjtNum margin);

#endif
