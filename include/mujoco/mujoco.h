// The whole public interface: every function and global variable, and, by inclusion, every type.
//
// A program usually needs only this header:
//   mjModel* m = mj_loadXML("model.xml", NULL, error, sizeof(error));
//   mjData* d = mj_makeData(m);
//   while (d->time < 10) mj_step(m, d);
//   mj_deleteData(d); mj_deleteModel(m);
//
// Conventions, unless a function says otherwise. Results come first among the arguments, sizes
// last; a result may be the same array as an input only for element-wise vector functions. Matrices
// are stored row by row. Pointers must not be NULL. `const` marks what is only read: `const
// mjModel* m, mjData* d` changes d alone. Functions with `char* error` write a message there on
// failure, cut to error_sz bytes; pass NULL to do without. A violated contract ends in mju_error,
// which does not return. Functions that take an mjData may run at the same time on different
// mjData.
//
// Prefixes: mj_ simulation, mju_ utilities, mjv_ abstract scene, mjr_ OpenGL rendering, mjui_ user
// interface, mjs_ model editing, mjp_ plugins, mjc_ collision, mjd_ derivatives, mjcb_ callbacks.

#ifndef MUJOCO_MUJOCO_H_
#define MUJOCO_MUJOCO_H_

// version of this header; must equal mj_version()
#define mjVERSION_HEADER 3005000

#include <stdlib.h>
#include <math.h>

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjmacro.h>
#include <mujoco/mjplugin.h>
#include <mujoco/mjrender.h>
#include <mujoco/mjsan.h>
#include <mujoco/mjspec.h>
#include <mujoco/mjthread.h>
#include <mujoco/mjtnum.h>
#include <mujoco/mjui.h>
#include <mujoco/mjvisualize.h>

#ifdef __cplusplus
extern "C" {
#endif

//---- Global hooks --------------------------------------------------------------------------------
// Set them before use, and not while another thread is inside the library. NULL means the built-in
// behaviour.

// Handlers of errors and warnings. An error handler must not return: leave by exit or longjmp.
// Without one, the message goes to stderr and MUJOCO_LOG.TXT, and an error ends the program.
MJAPI extern void  (*mju_user_error)(const char*);
MJAPI extern void  (*mju_user_warning)(const char*);
// Memory of models and data; blocks must be aligned to 64 bytes. Set both or none.
MJAPI extern void* (*mju_user_malloc)(size_t);
MJAPI extern void  (*mju_user_free)(void*);

//---- Callbacks -----------------------------------------------------------------------------------

// Hooks into every simulation of the process. NULL: none.
MJAPI extern mjfGeneric  mjcb_passive;        // after the built-in passive forces; add to
                                              // qfrc_passive
MJAPI extern mjfGeneric  mjcb_control;        // before actuation, to set ctrl or applied forces
MJAPI extern mjfConFilt  mjcb_contactfilter;  // replaces the contype/conaffinity test; 1 drops the
                                              // pair
MJAPI extern mjfSensor   mjcb_sensor;         // computes sensors of type mjSENS_USER
MJAPI extern mjfTime     mjcb_time;           // clock of mjData.timer; timers stand still without
                                              // it
MJAPI extern mjfAct      mjcb_act_dyn;        // act_dot of actuators with mjDYN_USER
MJAPI extern mjfAct      mjcb_act_gain;       // gain of actuators with mjGAIN_USER
MJAPI extern mjfAct      mjcb_act_bias;       // bias of actuators with mjBIAS_USER

// Narrow phase by the types of two geoms, smaller type first; NULL: the pair never touches. Entries
// may be replaced.
MJAPI extern mjfCollision mjCOLLISIONFUNC[mjNGEOMTYPES][mjNGEOMTYPES];

//---- Names for user interfaces -------------------------------------------------------------------

// names of the mjtDisableBit flags
MJAPI extern const char* mjDISABLESTRING[mjNDISABLE];
// names of the mjtEnableBit flags
MJAPI extern const char* mjENABLESTRING[mjNENABLE];
// names of the mjtTimer entries
MJAPI extern const char* mjTIMERSTRING[mjNTIMER];
// names of the mjtLabel modes
MJAPI extern const char* mjLABELSTRING[mjNLABEL];
// names of the mjtFrame modes
MJAPI extern const char* mjFRAMESTRING[mjNFRAME];
// mjtVisFlag: name, "0" or "1" as its default, shortcut key
MJAPI extern const char* mjVISSTRING[mjNVISFLAG][3];
// mjtRndFlag: name, "0" or "1" as its default, shortcut key
MJAPI extern const char* mjRNDSTRING[mjNRNDFLAG][3];

//---- Virtual file system -------------------------------------------------------------------------
// Files in memory that loaders look at before the disk. Returned codes: 0 done, 2 the name is
// taken, -1 failed or not found.

// Start an empty file system. Release it with mj_deleteVFS.
MJAPI void mj_defaultVFS(mjVFS* vfs);

// Let a provider serve the paths at and below filepath. It must outlive the mount.
MJAPI int mj_mountVFS(mjVFS* vfs, const char* filepath, const mjpResourceProvider* provider);

// End the mount at a path, closing what it serves.
MJAPI int mj_unmountVFS(mjVFS* vfs, const char* filename);

// Read a file from disk; it is known by its bare name, in lower case. directory may be NULL.
MJAPI int mj_addFileVFS(mjVFS* vfs, const char* directory, const char* filename);

// Add a copy of nbuffer bytes under a name.
MJAPI int mj_addBufferVFS(mjVFS* vfs, const char* name, const void* buffer, int nbuffer);

// Remove a file or buffer, by path or bare name.
MJAPI int mj_deleteFileVFS(mjVFS* vfs, const char* filename);

// Release all contents of a file system.
MJAPI void mj_deleteVFS(mjVFS* vfs);

//---- Asset cache ---------------------------------------------------------------------------------
// Processed assets are kept between compilations, up to the capacity.

// Bytes in use. 0 for NULL.
MJAPI size_t mj_getCacheSize(const mjCache* cache);

// Most bytes the cache may use. 0 for NULL.
MJAPI size_t mj_getCacheCapacity(const mjCache* cache);

// Change that, dropping assets where necessary; returns the new capacity, 0 for NULL.
MJAPI size_t mj_setCacheCapacity(mjCache* cache, size_t size);

// The cache of this process, or NULL where there is none. Do not free it.
MJAPI mjCache* mj_getCache(void);

// Drop everything in the cache.
MJAPI void mj_clearCache(mjCache* cache);

//---- Parse and compile ---------------------------------------------------------------------------
// From file to mjSpec (parse) to mjModel (compile). vfs may be NULL. The caller owns what is
// returned.

// Parse and compile a file, MJCF or URDF. NULL on failure, with the message in error; a warning
// leaves its text there too. The spec is kept for mj_saveLastXML.
MJAPI mjModel* mj_loadXML(const char* filename, const mjVFS* vfs, char* error, int error_sz);

// Parse a file. NULL on failure. Release the result with mj_deleteSpec.
MJAPI mjSpec* mj_parseXML(const char* filename, const mjVFS* vfs, char* error, int error_sz);

// Parse XML text. NULL on failure.
MJAPI mjSpec* mj_parseXMLString(const char* xml, const mjVFS* vfs, char* error, int error_sz);

// Parse a file of any known format: XML, or what a registered decoder for content_type or, if that
// is NULL, for the file's extension reads. NULL on failure.
MJAPI mjSpec* mj_parse(const char* filename, const char* content_type,
                       const mjVFS* vfs, char* error, int error_sz);

// Make a model; s stays usable. NULL on failure, see mjs_getError. Release with mj_deleteModel.
MJAPI mjModel* mj_compile(mjSpec* s, const mjVFS* vfs);

// Write the numbers of m, which must stem from s, back into s. 1: done, 0: failed.
MJAPI int mj_copyBack(mjSpec* s, const mjModel* m);

// Compile s again into existing m and d, carrying the state over by element. 0: done; -1: failed,
// and m and d have been deleted. d may be NULL.
MJAPI int mj_recompile(mjSpec* s, const mjVFS* vfs, mjModel* m, mjData* d);

// Write the model loaded last by mj_loadXML, with numbers of m unless it is NULL, as MJCF. 1: done,
// 0: failed.
MJAPI int mj_saveLastXML(const char* filename, const mjModel* m, char* error, int error_sz);

// Release the spec kept by mj_loadXML.
MJAPI void mj_freeLastXML(void);

// Write a compiled spec as MJCF text. 0: done, -1: failed; else xml is too small and the text has
// the length returned, without closing zero.
MJAPI int mj_saveXMLString(const mjSpec* s, char* xml, int xml_sz, char* error, int error_sz);

// Write a compiled spec to a file. 0: done, -1: failed.
MJAPI int mj_saveXML(const mjSpec* s, const char* filename, char* error, int error_sz);

// Collect the files a model file refers to, directly or through includes.
MJAPI void mju_getXMLDependencies(const char* filename, mjStringVec* dependencies);

//---- Simulation ----------------------------------------------------------------------------------

// Advance by one timestep: checks, forward dynamics, integration. The results left in d, other than
// the state, belong to the beginning of the step.
MJAPI void mj_step(const mjModel* m, mjData* d);

// First half of a step, up to where ctrl is needed: position and velocity stages, control callback.
MJAPI void mj_step1(const mjModel* m, mjData* d);

// Second half: actuation, acceleration, constraints, integration. RK4 counts as Euler here.
MJAPI void mj_step2(const mjModel* m, mjData* d);

// Forward dynamics: from state and inputs to qacc, without advancing time.
MJAPI void mj_forward(const mjModel* m, mjData* d);

// Inverse dynamics: from qpos, qvel and qacc to qfrc_inverse.
MJAPI void mj_inverse(const mjModel* m, mjData* d);

// mj_forward reusing results: skipstage (mjtStage) tells up to where d is current; skipsensor 1
// leaves out sensors.
MJAPI void mj_forwardSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor);

// mj_inverse reusing results, with the arguments of mj_forwardSkip.
MJAPI void mj_inverseSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor);

//---- Models and data -----------------------------------------------------------------------------

// Options of mj_setLengthRange with their defaults.
MJAPI void mj_defaultLROpt(mjLROpt* opt);

// Default solref (mjNREF numbers) and solimp (mjNIMP numbers); either may be NULL.
MJAPI void mj_defaultSolRefImp(mjtNum* solref, mjtNum* solimp);

// Physics options with their defaults.
MJAPI void mj_defaultOption(mjOption* opt);

// Visual options with their defaults.
MJAPI void mj_defaultVisual(mjVisual* vis);

// Copy src to dest, which must have the same sizes, or to a new model if dest is NULL. Returns the
// copy.
MJAPI mjModel* mj_copyModel(mjModel* dest, const mjModel* src);

// Write the binary form to buffer (mj_sizeModel bytes) if it is given, else to a file. Trouble is a
// warning.
MJAPI void mj_saveModel(const mjModel* m, const char* filename, void* buffer, int buffer_sz);

// Read the binary form from vfs or disk. NULL and a warning on failure.
MJAPI mjModel* mj_loadModel(const char* filename, const mjVFS* vfs);

// Read the binary form from memory; nothing refers to buffer afterwards. NULL and a warning on
// failure.
MJAPI mjModel* mj_loadModelBuffer(const void* buffer, int buffer_sz);

// Release a model. NULL is allowed.
MJAPI void mj_deleteModel(mjModel* m);

// Bytes of the binary form.
MJAPI mjtSize mj_sizeModel(const mjModel* m);

// New data for m, in its reset state. Release with mj_deleteData.
MJAPI mjData* mj_makeData(const mjModel* m);

// Copy src to dest, made for the same model, or to new data if dest is NULL. Returns the copy.
MJAPI mjData* mj_copyData(mjData* dest, const mjModel* m, const mjData* src);

// mj_copyData without what a visualiser does not read: faster, but the copy cannot be stepped.
MJAPI mjData* mjv_copyData(mjData* dest, const mjModel* m, const mjData* src);

// Reset to the state of the model: qpos0, motion-capture poses and eq_active as given, the rest
// zero.
MJAPI void mj_resetData(const mjModel* m, mjData* d);

// mj_resetData that fills all results with debug_value first, to expose what was not computed.
MJAPI void mj_resetDataDebug(const mjModel* m, mjData* d, unsigned char debug_value);

// Reset, then load a keyframe. Same as mj_resetData if key is out of range.
MJAPI void mj_resetDataKeyframe(const mjModel* m, mjData* d, int key);

#ifndef ADDRESS_SANITIZER

// Open a frame on d's scratch stack.
MJAPI void mj_markStack(mjData* d);

// Close the frame opened last and release all it took.
MJAPI void mj_freeStack(mjData* d);

#endif

// Scratch bytes, valid until the frame is closed. alignment is a power of two. Error when full.
MJAPI void* mj_stackAllocByte(mjData* d, size_t bytes, size_t alignment);

// Scratch for size numbers.
MJAPI mjtNum* mj_stackAllocNum(mjData* d, size_t size);

// Scratch for size integers.
MJAPI int* mj_stackAllocInt(mjData* d, size_t size);

// Release data. NULL is allowed.
MJAPI void mj_deleteData(mjData* d);

// Set every mjcb_* to NULL.
MJAPI void mj_resetCallbacks(void);

// Recompute what the compiler derived from numbers (..0 fields, weights, statistics), after
// changing some. d serves as workspace: its state is overwritten.
MJAPI void mj_setConst(mjModel* m, mjData* d);

// Measure the length range of actuator index. 1: done, 0: failed.
MJAPI int mj_setLengthRange(mjModel* m, mjData* d, int index,
                            const mjLROpt* opt, char* error, int error_sz);

// New empty spec. Release with mj_deleteSpec.
MJAPI mjSpec* mj_makeSpec(void);

// Deep copy of a spec. NULL on failure, see mjs_getError.
MJAPI mjSpec* mj_copySpec(const mjSpec* s);

// Release a spec with all its elements. NULL is allowed.
MJAPI void mj_deleteSpec(mjSpec* s);

// Let the spec use a registered plugin. 0: done, -1: no such plugin.
MJAPI int mjs_activatePlugin(mjSpec* s, const char* name);

// 1: attaching copies the child; 0: it shares the child's elements. Returns 0.
MJAPI int mjs_setDeepCopy(mjSpec* s, int deepcopy);

//---- Printing ------------------------------------------------------------------------------------
// filename NULL prints to standard output. float_format is the printf format of one number, such as
// "% -9.2g".

// Everything in a model, as text.
MJAPI void mj_printFormattedModel(const mjModel* m, const char* filename, const char* float_format);

// mj_printFormattedModel with the default format.
MJAPI void mj_printModel(const mjModel* m, const char* filename);

// Everything in a data, as text.
MJAPI void mj_printFormattedData(const mjModel* m, const mjData* d, const char* filename,
                                 const char* float_format);

// mj_printFormattedData with the default format.
MJAPI void mj_printData(const mjModel* m, const mjData* d, const char* filename);

// An nr x nc matrix, to standard output.
MJAPI void mju_printMat(const mjtNum* mat, int nr, int nc);

// A sparse matrix of nr compressed rows, to standard output.
MJAPI void mju_printMatSparse(const mjtNum* mat, int nr,
                              const int* rownnz, const int* rowadr, const int* colind);

// The MJCF schema as text or HTML, to a file, a buffer or both. Returns its length, 0 on failure.
MJAPI int mj_printSchema(const char* filename, char* buffer, int buffer_sz,
                         int flg_html, int flg_pad);

// An abstract scene, as text.
MJAPI void mj_printScene(const mjvScene* s, const char* filename);

// mj_printScene with a format of your own.
MJAPI void mj_printFormattedScene(const mjvScene* s, const char* filename,
                                  const char* float_format);

//---- Stages of a step ----------------------------------------------------------------------------
// What mj_forward calls, in order. Each reads what the ones before it left in d.

// Everything geometric: mj_kinematics, mj_comPos, mj_camlight, mj_flex, mj_tendon.
MJAPI void mj_fwdKinematics(const mjModel* m, mjData* d);

// The position stage: kinematics, inertia and its factor, collision, constraint rows, islands,
// transmission.
MJAPI void mj_fwdPosition(const mjModel* m, mjData* d);

// The velocity stage: rates of lengths, body velocities, passive forces, bias force, reference
// accelerations.
MJAPI void mj_fwdVelocity(const mjModel* m, mjData* d);

// The actuation stage: act_dot, actuator_force and qfrc_actuator from ctrl and act.
MJAPI void mj_fwdActuation(const mjModel* m, mjData* d);

// The acceleration without constraints: qfrc_smooth and qacc_smooth.
MJAPI void mj_fwdAcceleration(const mjModel* m, mjData* d);

// Solve for the constraint forces: efc_force, qfrc_constraint and the final qacc.
MJAPI void mj_fwdConstraint(const mjModel* m, mjData* d);

// Integrate one step with semi-implicit Euler, joint damping taken implicitly unless disabled.
MJAPI void mj_Euler(const mjModel* m, mjData* d);

// Integrate one step with Runge-Kutta of order N, which must be 4; mj_forward must have run.
MJAPI void mj_RungeKutta(const mjModel* m, mjData* d, int N);

// Integrate one step implicitly in velocity, in the variant opt.integrator names (implicit or
// implicitfast).
MJAPI void mj_implicit(const mjModel* m, mjData* d);

// Position stage of inverse dynamics.
MJAPI void mj_invPosition(const mjModel* m, mjData* d);

// Velocity stage of inverse dynamics.
MJAPI void mj_invVelocity(const mjModel* m, mjData* d);

// Constraint forces that belong to qacc, in closed form: efc_force and qfrc_constraint.
MJAPI void mj_invConstraint(const mjModel* m, mjData* d);

// Run inverse dynamics on the forward result and write the difference to solver_fwdinv.
MJAPI void mj_compareFwdInv(const mjModel* m, mjData* d);

//---- Parts of stages -----------------------------------------------------------------------------

// Sensors that depend on positions.
MJAPI void mj_sensorPos(const mjModel* m, mjData* d);

// Sensors that depend on velocities.
MJAPI void mj_sensorVel(const mjModel* m, mjData* d);

// Sensors that depend on accelerations and forces.
MJAPI void mj_sensorAcc(const mjModel* m, mjData* d);

// Potential energy of gravity and springs, into energy[0].
MJAPI void mj_energyPos(const mjModel* m, mjData* d);

// Kinetic energy, into energy[1].
MJAPI void mj_energyVel(const mjModel* m, mjData* d);

// Look for bad numbers in qpos: count a warning, and reset the data unless mjDSBL_AUTORESET is set.
MJAPI void mj_checkPos(const mjModel* m, mjData* d);

// Look for bad numbers in qvel, and treat them as mj_checkPos does.
MJAPI void mj_checkVel(const mjModel* m, mjData* d);

// Look for bad numbers in qacc, and treat them as mj_checkPos does; after a reset runs mj_forward.
MJAPI void mj_checkAcc(const mjModel* m, mjData* d);

// Poses in the world from qpos and motion-capture poses: xpos ... ximat, xanchor, xaxis, geom_x*,
// site_x*. Leaves qpos as it is, quaternions included.
MJAPI void mj_kinematics(const mjModel* m, mjData* d);

// Centres of mass, and what is referred to them: subtree_com, cinert, cdof.
MJAPI void mj_comPos(const mjModel* m, mjData* d);

// Poses of cameras and lights: cam_x*, light_x*.
MJAPI void mj_camlight(const mjModel* m, mjData* d);

// Flexes: vertices, boxes of elements, edge lengths and strains with their Jacobians.
MJAPI void mj_flex(const mjModel* m, mjData* d);

// Tendons: paths, ten_length and ten_J.
MJAPI void mj_tendon(const mjModel* m, mjData* d);

// Actuators: actuator_length and actuator_moment.
MJAPI void mj_transmission(const mjModel* m, mjData* d);

// Composite rigid body inertias crb and from them qM, without the armature of tendons.
MJAPI void mj_crb(const mjModel* m, mjData* d);

// The whole joint-space inertia, tendon armature included: qM and M.
MJAPI void mj_makeM(const mjModel* m, mjData* d);

// Factor the inertia as L' * D * L: qLD and qLDiagInv.
MJAPI void mj_factorM(const mjModel* m, mjData* d);

// x = inv(M) * y for n vectors of nv numbers, using the factor in d. x and y may be the same.
MJAPI void mj_solveM(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n);

// x = sqrtInvD * inv(L') * y for n vectors, half of mj_solveM, so that x' * x = y' * inv(M) * y.
// sqrtInvD has nv numbers, the square roots of qLDiagInv.
MJAPI void mj_solveM2(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y,
                      const mjtNum* sqrtInvD, int n);

// Spatial velocities: cvel, and the rates of motion axes cdof_dot.
MJAPI void mj_comVel(const mjModel* m, mjData* d);

// Passive forces qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid and their sum; then plugins
// and mjcb_passive.
MJAPI void mj_passive(const mjModel* m, mjData* d);

// Momentum of subtrees: subtree_linvel, subtree_angmom.
MJAPI void mj_subtreeVel(const mjModel* m, mjData* d);

// Recursive Newton-Euler into result (nv): Coriolis, centrifugal and gravity forces, plus M * qacc
// if flg_acc.
MJAPI void mj_rne(const mjModel* m, mjData* d, int flg_acc, mjtNum* result);

// Newton-Euler with all forces known: cacc, cfrc_int, cfrc_ext. Needs qacc.
MJAPI void mj_rnePostConstraint(const mjModel* m, mjData* d);

// Find contacts: contact, ncon.
MJAPI void mj_collision(const mjModel* m, mjData* d);

// Build the rows of equality constraints, dry friction, limits and contacts: efc_* up to efc_R.
MJAPI void mj_makeConstraint(const mjModel* m, mjData* d);

// Group trees, degrees of freedom and rows into islands.
MJAPI void mj_island(const mjModel* m, mjData* d);

// Inertia in the space of constraints, efc_AR, if the solver is dual.
MJAPI void mj_projectConstraint(const mjModel* m, mjData* d);

// Velocity of each row and the acceleration it aims for: efc_vel, efc_aref.
MJAPI void mj_referenceConstraint(const mjModel* m, mjData* d);

// From jar = J*qacc - aref (nefc): states, efc_force and qfrc_constraint, and the cost unless that
// is NULL. flg_coneHessian also fills mjContact.H.
MJAPI void mj_constraintUpdate(const mjModel* m, mjData* d, const mjtNum* jar,
                               mjtNum cost[1], int flg_coneHessian);

//---- State ---------------------------------------------------------------------------------------
// sig is a combination of mjtState bits; numbers are packed in the order of the bits.

// How many numbers the parts in sig take.
MJAPI int mj_stateSize(const mjModel* m, int sig);

// Copy parts of the state from d to an array of mj_stateSize numbers.
MJAPI void mj_getState(const mjModel* m, const mjData* d, mjtNum* state, int sig);

// Pick the parts dstsig out of a state packed with srcsig, which must contain them.
MJAPI void mj_extractState(const mjModel* m, const mjtNum* src, int srcsig,
                           mjtNum* dst, int dstsig);

// Copy parts of the state from such an array to d.
MJAPI void mj_setState(const mjModel* m, mjData* d, const mjtNum* state, int sig);

// Copy parts of the state between two data of the same model.
MJAPI void mj_copyState(const mjModel* m, const mjData* src, mjData* dst, int sig);

// Control of actuator id as it acts at a time, delay included. interp: 0 hold, 1 linear, 2 cubic,
// -1 as the model says. Without history: the present ctrl.
MJAPI mjtNum mj_readCtrl(const mjModel* m, const mjData* d, int id, mjtNum time, int interp);

// Reading of sensor id, likewise. Returns a pointer into d where a stored sample fits, else NULL
// with the numbers in result (sensor_dim).
MJAPI const mjtNum* mj_readSensor(const mjModel* m, const mjData* d, int id, mjtNum time,
                                  mjtNum* result, int interp);

// Fill the history of actuator id with its number of samples; times NULL keeps the times there are.
// Error if it has none.
MJAPI void mj_initCtrlHistory(const mjModel* m, mjData* d, int id,
                              const mjtNum* times, const mjtNum* values);

// Fill the history of sensor id, as mj_initCtrlHistory; values come sample by sample, phase is the
// time of the latest sample taken.
MJAPI void mj_initSensorHistory(const mjModel* m, mjData* d, int id,
                                const mjtNum* times, const mjtNum* values, mjtNum phase);

// Store d's state as keyframe k.
MJAPI void mj_setKeyframe(mjModel* m, const mjData* d, int k);

//---- Support -------------------------------------------------------------------------------------

// Append a copy of a contact. 0: done, 1: no room. Call it between mj_collision and
// mj_makeConstraint.
MJAPI int mj_addContact(const mjModel* m, mjData* d, const mjContact* con);

// 1: friction cones are pyramidal, 0: elliptic.
MJAPI int mj_isPyramidal(const mjModel* m);

// 1: constraint Jacobian is sparse, 0: dense.
MJAPI int mj_isSparse(const mjModel* m);

// 1: the solver works on forces (PGS, or noslip in use), 0: on accelerations.
MJAPI int mj_isDual(const mjModel* m);

// res (nefc) = J * vec (nv), with the constraint Jacobian.
MJAPI void mj_mulJacVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// res (nv) = J' * vec (nefc), with the constraint Jacobian.
MJAPI void mj_mulJacTVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// Jacobians of a world point moving with a body: translation jacp and rotation jacr, each 3 x nv,
// either may be NULL.
MJAPI void mj_jac(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr,
                  const mjtNum point[3], int body);

// mj_jac for the origin of a body's frame.
MJAPI void mj_jacBody(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body);

// mj_jac for a body's centre of mass.
MJAPI void mj_jacBodyCom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body);

// Translation Jacobian (3 x nv) of a subtree's centre of mass.
MJAPI void mj_jacSubtreeCom(const mjModel* m, mjData* d, mjtNum* jacp, int body);

// mj_jac for a geom's centre.
MJAPI void mj_jacGeom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int geom);

// mj_jac for a site's centre.
MJAPI void mj_jacSite(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int site);

// Jacobians (3 x nv) of a world point and of a world direction, both moving with a body.
MJAPI void mj_jacPointAxis(const mjModel* m, mjData* d, mjtNum* jacPoint, mjtNum* jacAxis,
                           const mjtNum point[3], const mjtNum axis[3], int body);

// Time derivatives of the Jacobians of mj_jac; needs mj_comVel.
MJAPI void mj_jacDot(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr,
                     const mjtNum point[3], int body);

// mat (3 x nv) times qvel is the angular momentum of a subtree about its centre of mass.
MJAPI void mj_angmomMat(const mjModel* m, mjData* d, mjtNum* mat, int body);

// Id of a named element of an mjtObj type, -1 if there is none.
MJAPI int mj_name2id(const mjModel* m, int type, const char* name);

// Name of an element, NULL if it has none or does not exist. The model owns the text.
MJAPI const char* mj_id2name(const mjModel* m, int type, int id);

// Expand an inertia in the layout of qM to a dense dst (nv x nv).
MJAPI void mj_fullM(const mjModel* m, mjtNum* dst, const mjtNum* M);

// res = M * vec.
MJAPI void mj_mulM(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// res = sqrt(M) * vec, with the factor: sqrt(D) * L * vec.
MJAPI void mj_mulM2(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// Add M to dst: sparse in rows given by the three arrays, with room for the union, or to the lower
// triangle of a dense matrix if they are NULL.
MJAPI void mj_addM(const mjModel* m, mjData* d, mjtNum* dst, int* rownnz, int* rowadr, int* colind);

// Add to qfrc_target (nv) the effect of a world force and torque on a body at a world point. force
// or torque may be NULL.
MJAPI void mj_applyFT(const mjModel* m, mjData* d, const mjtNum force[3], const mjtNum torque[3],
                      const mjtNum point[3], int body, mjtNum* qfrc_target);

// Velocity (angular, then linear) of a body, geom, site or camera at its origin; in its own axes if
// flg_local, else the world's.
MJAPI void mj_objectVelocity(const mjModel* m, const mjData* d,
                             int objtype, int objid, mjtNum res[6], int flg_local);

// Acceleration (angular, then linear), as mj_objectVelocity; needs mj_rnePostConstraint. At rest it
// is minus gravity.
MJAPI void mj_objectAcceleration(const mjModel* m, const mjData* d,
                                 int objtype, int objid, mjtNum res[6], int flg_local);

// Signed distance of closest approach of two geoms, distmax if they are farther apart. fromto,
// unless NULL, receives the two points, zero if none.
MJAPI mjtNum mj_geomDistance(const mjModel* m, const mjData* d, int geom1, int geom2,
                             mjtNum distmax, mjtNum fromto[6]);

// Force (3) and torque (3) of contact id in the axes of mjContact.frame; zero if it carries none.
MJAPI void mj_contactForce(const mjModel* m, const mjData* d, int id, mjtNum result[6]);

// qvel (nv) that leads from qpos1 to qpos2 in time dt.
MJAPI void mj_differentiatePos(const mjModel* m, mjtNum* qvel, mjtNum dt,
                               const mjtNum* qpos1, const mjtNum* qpos2);

// Advance qpos by qvel for time dt, quaternions included.
MJAPI void mj_integratePos(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt);

// Normalise all quaternions in qpos.
MJAPI void mj_normalizeQuat(const mjModel* m, mjtNum* qpos);

// From position and orientation in a body to the world; outputs or inputs may be NULL in pairs.
// sameframe is an mjtSameFrame.
MJAPI void mj_local2Global(mjData* d, mjtNum xpos[3], mjtNum xmat[9], const mjtNum pos[3],
                           const mjtNum quat[4], int body, mjtByte sameframe);

// Sum of body masses.
MJAPI mjtNum mj_getTotalmass(const mjModel* m);

// Scale masses and inertias to a new sum.
MJAPI void mj_setTotalmass(mjModel* m, mjtNum newmass);

// Setting of a plugin instance, NULL if there is none by this name. The model owns the text.
MJAPI const char* mj_getPluginConfig(const mjModel* m, int plugin_id, const char* attrib);

// Load a shared library whose constructor registers plugins.
MJAPI void mj_loadPluginLibrary(const char* path);

// Load all shared libraries of a directory; callback, unless NULL, is told what each registered.
MJAPI void mj_loadAllPluginLibraries(const char* directory, mjfPluginLibraryLoadCallback callback);

// Version of the library: major * 1000000 + minor * 1000 + patch.
MJAPI int mj_version(void);

// Version of the library as text, such as "3.5.0".
MJAPI const char* mj_versionString(void);

//---- Rays ----------------------------------------------------------------------------------------
// A ray starts at pnt and runs along vec; distances come in multiples of its length, -1 means no
// hit. normal, unless NULL, receives the unit normal at the hit, zero without one.

// First geom hit; its id goes to geomid unless NULL, -1 without one. geomgroup (mjNGROUP flags)
// picks groups, NULL takes all; flg_static 0 leaves out static geoms; bodyexclude leaves out one
// body, -1 none.
MJAPI mjtNum mj_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3],
                    const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude,
                    int geomid[1], mjtNum normal[3]);

// nray rays from one point along vec (nray x 3), as mj_ray: geomid (nray), dist (nray), normal
// (nray x 3); geomid and normal may be NULL. Nothing beyond cutoff is looked for.
MJAPI void mj_multiRay(const mjModel* m, mjData* d, const mjtNum pnt[3], const mjtNum* vec,
                       const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude,
                       int* geomid, mjtNum* dist, mjtNum* normal, int nray, mjtNum cutoff);

// Ray against the height field of a geom.
MJAPI mjtNum mj_rayHfield(const mjModel* m, const mjData* d, int geomid,
                          const mjtNum pnt[3], const mjtNum vec[3], mjtNum normal[3]);

// Ray against the triangles of a mesh geom.
MJAPI mjtNum mj_rayMesh(const mjModel* m, const mjData* d, int geomid,
                        const mjtNum pnt[3], const mjtNum vec[3], mjtNum normal[3]);

// Ray against a basic shape with a pose and size of its own.
MJAPI mjtNum mju_rayGeom(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                         const mjtNum pnt[3], const mjtNum vec[3], int geomtype,
                         mjtNum normal[3]);

// Ray against the chosen parts of a flex; the vertex next to the hit goes to vertid unless NULL.
MJAPI mjtNum mj_rayFlex(const mjModel* m, const mjData* d, int flex_layer,
                        mjtByte flg_vert, mjtByte flg_edge, mjtByte flg_face,
                        mjtByte flg_skin, int flexid, const mjtNum pnt[3],
                        const mjtNum vec[3], int vertid[1], mjtNum normal[3]);

// Ray against a triangle mesh given as arrays; the vertex next to the hit goes to vertid unless
// NULL.
MJAPI mjtNum mju_raySkin(int nface, int nvert, const int* face, const float* vert,
                         const mjtNum pnt[3], const mjtNum vec[3], int vertid[1]);

//---- Visualisation: interaction ------------------------------------------------------------------
// reldx and reldy are mouse moves divided by the window's height; action is an mjtMouse.

// Camera with its defaults.
MJAPI void mjv_defaultCamera(mjvCamera* cam);

// Free camera that sees the whole model.
MJAPI void mjv_defaultFreeCamera(const mjModel* m, mjvCamera* cam);

// Perturbation with its defaults: nothing selected.
MJAPI void mjv_defaultPerturb(mjvPerturb* pert);

// Pose from the room where the viewer sits to the model, using the transform of the scene.
MJAPI void mjv_room2model(mjtNum modelpos[3], mjtNum modelquat[4], const mjtNum roompos[3],
                          const mjtNum roomquat[4], const mjvScene* scn);

// Pose from model to room.
MJAPI void mjv_model2room(mjtNum roompos[3], mjtNum roomquat[4], const mjtNum modelpos[3],
                          const mjtNum modelquat[4], const mjvScene* scn);

// Position, forward and up of the scene's camera, mean of both eyes, in the model.
MJAPI void mjv_cameraInModel(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3],
                             const mjvScene* scn);

// Position, forward and up of the scene's camera, mean of both eyes, in the room.
MJAPI void mjv_cameraInRoom(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3],
                            const mjvScene* scn);

// Height of the view at unit distance from the camera.
MJAPI mjtNum mjv_frustumHeight(const mjvScene* scn);

// Turn a vector about the vertical by the heading of the camera.
MJAPI void mjv_alignToCamera(mjtNum res[3], const mjtNum vec[3], const mjtNum forward[3]);

// Move the camera with the mouse.
MJAPI void mjv_moveCamera(const mjModel* m, int action, mjtNum reldx, mjtNum reldy,
                          const mjvScene* scn, mjvCamera* cam);

// Move the perturbation's reference with the mouse.
MJAPI void mjv_movePerturb(const mjModel* m, const mjData* d, int action, mjtNum reldx,
                           mjtNum reldy, const mjvScene* scn, mjvPerturb* pert);

// Move the model in the room with the mouse.
MJAPI void mjv_moveModel(const mjModel* m, int action, mjtNum reldx, mjtNum reldy,
                         const mjtNum roomup[3], mjvScene* scn);

// Start dragging: take reference pose and scale from the selected body.
MJAPI void mjv_initPerturb(const mjModel* m, mjData* d, const mjvScene* scn, mjvPerturb* pert);

// Put the selected body at the reference pose: motion-capture bodies always, free ones if
// flg_paused.
MJAPI void mjv_applyPerturbPose(const mjModel* m, mjData* d, const mjvPerturb* pert,
                                int flg_paused);

// Pull the selected body to the reference with a spring, through xfrc_applied.
MJAPI void mjv_applyPerturbForce(const mjModel* m, mjData* d, const mjvPerturb* pert);

// Camera in the middle between two.
MJAPI mjvGLCamera mjv_averageCamera(const mjvGLCamera* cam1, const mjvGLCamera* cam2);

// Element under the mouse; relx and rely in [0, 1] of the window. Returns the body, -1 if none, and
// writes the point and the id of what was hit, -1 for the others.
MJAPI int mjv_select(const mjModel* m, const mjData* d, const mjvOption* vopt,
                     mjtNum aspectratio, mjtNum relx, mjtNum rely,
                     const mjvScene* scn, mjtNum selpnt[3],
                     int geomid[1], int flexid[1], int skinid[1]);

//---- Visualisation: abstract scene ---------------------------------------------------------------

// Visual options with their defaults.
MJAPI void mjv_defaultOption(mjvOption* opt);

// Figure with its defaults.
MJAPI void mjv_defaultFigure(mjvFigure* fig);

// Fill an abstract geom; size, pos, mat and rgba may be NULL for defaults.
MJAPI void mjv_initGeom(mjvGeom* geom, int type, const mjtNum size[3],
                        const mjtNum pos[3], const mjtNum mat[9], const float rgba[4]);

// Place a capsule, cylinder, line or arrow between two points.
MJAPI void mjv_connector(mjvGeom* geom, int type, mjtNum width,
                         const mjtNum from[3], const mjtNum to[3]);

// Empty scene, before mjv_makeScene.
MJAPI void mjv_defaultScene(mjvScene* scn);

// Allocate a scene for up to maxgeom geoms; m may be NULL. Frees what it held before.
MJAPI void mjv_makeScene(const mjModel* m, mjvScene* scn, int maxgeom);

// Release a scene's memory.
MJAPI void mjv_freeScene(mjvScene* scn);

// Fill the scene from d: geoms, lights, camera, skins. catmask is of mjtCatBit; pert may be NULL.
MJAPI void mjv_updateScene(const mjModel* m, mjData* d, const mjvOption* opt,
                           const mjvPerturb* pert, mjvCamera* cam, int catmask, mjvScene* scn);

// Copy a model without what a visualiser does not read.
MJAPI void mjv_copyModel(mjModel* dest, const mjModel* src);

// Append geoms of the chosen categories.
MJAPI void mjv_addGeoms(const mjModel* m, mjData* d, const mjvOption* opt,
                        const mjvPerturb* pert, int catmask, mjvScene* scn);

// Fill the lights of the scene, headlight included.
MJAPI void mjv_makeLights(const mjModel* m, const mjData* d, mjvScene* scn);

// Fill the scene's camera pair.
MJAPI void mjv_updateCamera(const mjModel* m, const mjData* d, mjvCamera* cam, mjvScene* scn);

// Fill the vertices and normals of skins.
MJAPI void mjv_updateSkin(const mjModel* m, const mjData* d, mjvScene* scn);

// Position and axes of a camera; any output may be NULL.
MJAPI void mjv_cameraFrame(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], mjtNum right[3],
                           const mjData* d, const mjvCamera* cam);

// Vertical, horizontal and depth extent of a camera's view; any output may be NULL.
MJAPI void mjv_cameraFrustum(float zver[2], float zhor[2], float zclip[2],  const mjModel* m,
                             const mjvCamera* cam);

//---- Rendering with OpenGL -----------------------------------------------------------------------
// All of them need a current OpenGL context, except mjr_defaultContext and mjr_findRect.

// Empty context, before mjr_makeContext.
MJAPI void mjr_defaultContext(mjrContext* con);

// Upload the model's assets and fonts (fontscale: mjtFontScale).
MJAPI void mjr_makeContext(const mjModel* m, mjrContext* con, int fontscale);

// Switch to another font size (mjtFontScale).
MJAPI void mjr_changeFont(int fontscale, mjrContext* con);

// Make auxiliary buffer index with this size.
MJAPI void mjr_addAux(int index, int width, int height, int samples, mjrContext* con);

// Release everything on the GPU.
MJAPI void mjr_freeContext(mjrContext* con);

// Give the offscreen buffer another size in pixels.
MJAPI void mjr_resizeOffscreen(int width, int height, mjrContext* con);

// Upload a texture again after it changed.
MJAPI void mjr_uploadTexture(const mjModel* m, const mjrContext* con, int texid);

// Upload a mesh again after it changed.
MJAPI void mjr_uploadMesh(const mjModel* m, const mjrContext* con, int meshid);

// Upload a height field again after it changed.
MJAPI void mjr_uploadHField(const mjModel* m, const mjrContext* con, int hfieldid);

// Make the context's current buffer OpenGL's current one again.
MJAPI void mjr_restoreBuffer(const mjrContext* con);

// Choose the window or the offscreen buffer (mjtFramebuffer); if it does not exist, the other one.
MJAPI void mjr_setBuffer(int framebuffer, mjrContext* con);

// Read colour (3 bytes per pixel) and depth of a rectangle, bottom row first. Either may be NULL.
MJAPI void mjr_readPixels(unsigned char* rgb, float* depth,
                          mjrRect viewport, const mjrContext* con);

// Draw colour and depth into a rectangle. Either may be NULL.
MJAPI void mjr_drawPixels(const unsigned char* rgb, const float* depth,
                          mjrRect viewport, const mjrContext* con);

// Copy a rectangle from the current buffer to the other one.
MJAPI void mjr_blitBuffer(mjrRect src, mjrRect dst,
                          int flg_color, int flg_depth, const mjrContext* con);

// Draw into auxiliary buffer index from now on.
MJAPI void mjr_setAux(int index, const mjrContext* con);

// Copy from an auxiliary buffer to the current one.
MJAPI void mjr_blitAux(int index, mjrRect src, int left, int bottom, const mjrContext* con);

// Write text in a font (mjtFont) and colour; x and y run from 0 to 1 across the buffer.
MJAPI void mjr_text(int font, const char* txt, const mjrContext* con,
                    float x, float y, float r, float g, float b);

// Draw two columns of text in a corner (mjtGridPos); overlay2 may be NULL.
MJAPI void mjr_overlay(int font, int gridpos, mjrRect viewport,
                       const char* overlay, const char* overlay2, const mjrContext* con);

// Size of the current buffer.
MJAPI mjrRect mjr_maxViewport(const mjrContext* con);

// Draw a filled rectangle.
MJAPI void mjr_rectangle(mjrRect viewport, float r, float g, float b, float a);

// Draw a rectangle with text on it; txt NULL draws none.
MJAPI void mjr_label(mjrRect viewport, int font, const char* txt,
                     float r, float g, float b, float a, float rt, float gt, float bt,
                     const mjrContext* con);

// Draw a 2D figure.
MJAPI void mjr_figure(mjrRect viewport, mjvFigure* fig, const mjrContext* con);

// Draw a 3D scene.
MJAPI void mjr_render(mjrRect viewport, mjvScene* scn, const mjrContext* con);

// Wait until OpenGL is done.
MJAPI void mjr_finish(void);

// OpenGL's error code, 0 for none.
MJAPI int mjr_getError(void);

// First rectangle that contains (x, y), -1 if none does.
MJAPI int mjr_findRect(int x, int y, int nrect, const mjrRect* rect);

//---- User interface ------------------------------------------------------------------------------

// Built-in spacing ind, 0 tight or 1 wide.
MJAPI mjuiThemeSpacing mjui_themeSpacing(int ind);

// Built-in colours ind, 0 to 3.
MJAPI mjuiThemeColor mjui_themeColor(int ind);

// Add items to the interface; the list ends with mjITEM_END.
MJAPI void mjui_add(mjUI* ui, const mjuiDef* def);

// Add items to section sect.
MJAPI void mjui_addToSection(mjUI* ui, int sect, const mjuiDef* def);

// Compute sizes and places after changes.
MJAPI void mjui_resize(mjUI* ui, const mjrContext* con);

// Redraw an item, or all with -1 as section or item.
MJAPI void mjui_update(int section, int item, const mjUI* ui,
                       const mjuiState* state, const mjrContext* con);

// Handle an event; returns the item it changed, or NULL.
MJAPI mjuiItem* mjui_event(mjUI* ui, mjuiState* state, const mjrContext* con);

// Copy the drawn interface to the window.
MJAPI void mjui_render(mjUI* ui, const mjuiState* state, const mjrContext* con);

//---- Errors and memory ---------------------------------------------------------------------------

// Report an error, formatted like printf. Does not return.
MJAPI void mju_error(const char* msg, ...) mjPRINTFLIKE(1, 2);

// mju_error with one %d; superseded.
MJAPI void mju_error_i(const char* msg, int i);

// mju_error with one %s; superseded.
MJAPI void mju_error_s(const char* msg, const char* text);

// Report a warning, formatted like printf, and go on.
MJAPI void mju_warning(const char* msg, ...) mjPRINTFLIKE(1, 2);

// mju_warning with one %d; superseded.
MJAPI void mju_warning_i(const char* msg, int i);

// mju_warning with one %s; superseded.
MJAPI void mju_warning_s(const char* msg, const char* text);

// Set the mju_user_* hooks to NULL.
MJAPI void mju_clearHandlers(void);

// Memory aligned to 64 bytes, from mju_user_malloc if set. Error if there is none. Release with
// mju_free.
MJAPI void* mju_malloc(size_t size);

// Release memory of mju_malloc. NULL is allowed.
MJAPI void mju_free(void* ptr);

// Count a warning (mjtWarning) in d, and report it the first time. info depends on the kind.
MJAPI void mj_warning(mjData* d, int warning, int info);

// Append "type: message" with the time to MUJOCO_LOG.TXT.
MJAPI void mju_writeLog(const char* type, const char* msg);

// Message of the last failure or warning of a spec, "" if none. The spec owns the text.
MJAPI const char* mjs_getError(mjSpec* s);

// 1: that message is a warning, 0: an error or none.
MJAPI int mjs_isWarning(mjSpec* s);

//---- Elementary functions ------------------------------------------------------------------------

// Those of the C library, for mjtNum.
#if !defined(mjUSESINGLE)
  #define mju_sqrt    sqrt
  #define mju_exp     exp
  #define mju_sin     sin
  #define mju_cos     cos
  #define mju_tan     tan
  #define mju_asin    asin
  #define mju_acos    acos
  #define mju_atan2   atan2
  #define mju_tanh    tanh
  #define mju_pow     pow
  #define mju_abs     fabs
  #define mju_log     log
  #define mju_log10   log10
  #define mju_floor   floor
  #define mju_ceil    ceil

#else
  #define mju_sqrt    sqrtf
  #define mju_exp     expf
  #define mju_sin     sinf
  #define mju_cos     cosf
  #define mju_tan     tanf
  #define mju_asin    asinf
  #define mju_acos    acosf
  #define mju_atan2   atan2f
  #define mju_tanh    tanhf
  #define mju_pow     powf
  #define mju_abs     fabsf
  #define mju_log     logf
  #define mju_log10   log10f
  #define mju_floor   floorf
  #define mju_ceil    ceilf
#endif

//---- Vectors of 3 and 4 --------------------------------------------------------------------------
// res may be the same array as an input.

// res = 0.
MJAPI void mju_zero3(mjtNum res[3]);

// res = data.
MJAPI void mju_copy3(mjtNum res[3], const mjtNum data[3]);

// res = vec * scl.
MJAPI void mju_scl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl);

// res = vec1 + vec2.
MJAPI void mju_add3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]);

// res = vec1 - vec2.
MJAPI void mju_sub3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]);

// res += vec.
MJAPI void mju_addTo3(mjtNum res[3], const mjtNum vec[3]);

// res -= vec.
MJAPI void mju_subFrom3(mjtNum res[3], const mjtNum vec[3]);

// res += vec * scl.
MJAPI void mju_addToScl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl);

// res = vec1 + vec2 * scl.
MJAPI void mju_addScl3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3], mjtNum scl);

// Scale to length 1 and return the length before; a vector shorter than mjMINVAL becomes (1, 0, 0).
MJAPI mjtNum mju_normalize3(mjtNum vec[3]);

// Length.
MJAPI mjtNum mju_norm3(const mjtNum vec[3]);

// Dot product.
MJAPI mjtNum mju_dot3(const mjtNum vec1[3], const mjtNum vec2[3]);

// Distance between two points.
MJAPI mjtNum mju_dist3(const mjtNum pos1[3], const mjtNum pos2[3]);

// res = mat * vec.
MJAPI void mju_mulMatVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]);

// res = mat' * vec.
MJAPI void mju_mulMatTVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]);

// res = a x b.
MJAPI void mju_cross(mjtNum res[3], const mjtNum a[3], const mjtNum b[3]);

// res = 0.
MJAPI void mju_zero4(mjtNum res[4]);

// res = (1, 0, 0, 0), the quaternion of no rotation.
MJAPI void mju_unit4(mjtNum res[4]);

// res = data.
MJAPI void mju_copy4(mjtNum res[4], const mjtNum data[4]);

// Scale to length 1 and return the length before; a vector shorter than mjMINVAL becomes (1, 0, 0,
// 0).
MJAPI mjtNum mju_normalize4(mjtNum vec[4]);

//---- Vectors of any length -----------------------------------------------------------------------
// res may be the same array as an input, but must not overlap one partly.

// res = 0.
MJAPI void mju_zero(mjtNum* res, int n);

// res = val in every entry.
MJAPI void mju_fill(mjtNum* res, mjtNum val, int n);

// res = vec.
MJAPI void mju_copy(mjtNum* res, const mjtNum* vec, int n);

// Sum of the entries.
MJAPI mjtNum mju_sum(const mjtNum* vec, int n);

// Sum of the absolute values.
MJAPI mjtNum mju_L1(const mjtNum* vec, int n);

// res = vec * scl.
MJAPI void mju_scl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n);

// res = vec1 + vec2.
MJAPI void mju_add(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n);

// res = vec1 - vec2.
MJAPI void mju_sub(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n);

// res += vec.
MJAPI void mju_addTo(mjtNum* res, const mjtNum* vec, int n);

// res -= vec.
MJAPI void mju_subFrom(mjtNum* res, const mjtNum* vec, int n);

// res += vec * scl.
MJAPI void mju_addToScl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n);

// res = vec1 + vec2 * scl.
MJAPI void mju_addScl(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, mjtNum scl, int n);

// Scale to length 1 and return the length before; a vector shorter than mjMINVAL becomes (1, 0,
// ...).
MJAPI mjtNum mju_normalize(mjtNum* res, int n);

// Length.
MJAPI mjtNum mju_norm(const mjtNum* res, int n);

// Dot product.
MJAPI mjtNum mju_dot(const mjtNum* vec1, const mjtNum* vec2, int n);

//---- Matrices ------------------------------------------------------------------------------------
// res must not overlap the inputs, but for mju_symmetrize.

// res (nr) = mat (nr x nc) * vec (nc).
MJAPI void mju_mulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc);

// res (nc) = mat (nr x nc)' * vec (nr).
MJAPI void mju_mulMatTVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc);

// vec1' * mat (n x n) * vec2.
MJAPI mjtNum mju_mulVecMatVec(const mjtNum* vec1, const mjtNum* mat, const mjtNum* vec2, int n);

// res (nc x nr) = mat (nr x nc)'.
MJAPI void mju_transpose(mjtNum* res, const mjtNum* mat, int nr, int nc);

// res = (mat + mat') / 2, n x n.
MJAPI void mju_symmetrize(mjtNum* res, const mjtNum* mat, int n);

// mat = identity, n x n.
MJAPI void mju_eye(mjtNum* mat, int n);

// res (r1 x c2) = mat1 (r1 x c1) * mat2 (c1 x c2).
MJAPI void mju_mulMatMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2,
                         int r1, int c1, int c2);

// res (r1 x r2) = mat1 (r1 x c1) * mat2 (r2 x c1)'.
MJAPI void mju_mulMatMatT(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2,
                          int r1, int c1, int r2);

// res (c1 x c2) = mat1 (r1 x c1)' * mat2 (r1 x c2).
MJAPI void mju_mulMatTMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2,
                          int r1, int c1, int c2);

// res (nc x nc) = mat' * diag * mat, with mat (nr x nc); diag (nr) may be NULL for the identity.
MJAPI void mju_sqrMatTD(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nr, int nc);

// Refer a spatial motion, or a force if flg_force, to another point and axes. rotnew2old may be
// NULL for the same axes.
MJAPI void mju_transformSpatial(mjtNum res[6], const mjtNum vec[6], int flg_force,
                                const mjtNum newpos[3], const mjtNum oldpos[3],
                                const mjtNum rotnew2old[9]);

//---- Sparse matrices -----------------------------------------------------------------------------
// Compressed rows: row r has rownnz[r] entries from rowadr[r] on, with columns in colind.

// From dense (nr x nc) to sparse with room for nnz entries. 0: done, 1: no room.
MJAPI int mju_dense2sparse(mjtNum* res, const mjtNum* mat, int nr, int nc,
                           int* rownnz, int* rowadr, int* colind, int nnz);

// From sparse to dense (nr x nc).
MJAPI void mju_sparse2dense(mjtNum* res, const mjtNum* mat, int nr, int nc,
                            const int* rownnz, const int* rowadr, const int* colind);

//---- Quaternions ---------------------------------------------------------------------------------
// (w, x, y, z), of unit length. Angular velocities are in the rotated frame.

// Rotate a vector.
MJAPI void mju_rotVecQuat(mjtNum res[3], const mjtNum vec[3], const mjtNum quat[4]);

// The opposite rotation: the conjugate.
MJAPI void mju_negQuat(mjtNum res[4], const mjtNum quat[4]);

// Product quat1 * quat2: first rotates by quat2, then by quat1. res may be one of the inputs.
MJAPI void mju_mulQuat(mjtNum res[4], const mjtNum quat1[4], const mjtNum quat2[4]);

// quat times the pure quaternion (0, axis).
MJAPI void mju_mulQuatAxis(mjtNum res[4], const mjtNum quat[4], const mjtNum axis[3]);

// Rotation about a unit axis by an angle in radians.
MJAPI void mju_axisAngle2Quat(mjtNum res[4], const mjtNum axis[3], mjtNum angle);

// Angular velocity that makes this rotation in time dt, the short way.
MJAPI void mju_quat2Vel(mjtNum res[3], const mjtNum quat[4], mjtNum dt);

// Rotation vector from qb to qa: qb turned by res is qa.
MJAPI void mju_subQuat(mjtNum res[3], const mjtNum qa[4], const mjtNum qb[4]);

// From quaternion to rotation matrix (3 x 3).
MJAPI void mju_quat2Mat(mjtNum res[9], const mjtNum quat[4]);

// From rotation matrix to quaternion.
MJAPI void mju_mat2Quat(mjtNum quat[4], const mjtNum mat[9]);

// Time derivative of a quaternion at an angular velocity.
MJAPI void mju_derivQuat(mjtNum res[4], const mjtNum quat[4], const mjtNum vel[3]);

// Turn quat by vel for time scale.
MJAPI void mju_quatIntegrate(mjtNum quat[4], const mjtNum vel[3], mjtNum scale);

// Shortest rotation from the z axis to vec.
MJAPI void mju_quatZ2Vec(mjtNum quat[4], const mjtNum vec[3]);

// Rotation closest to a matrix, improving the quaternion given. Returns the iterations used.
MJAPI int mju_mat2Rot(mjtNum quat[4], const mjtNum mat[9]);

// From Euler angles in radians; seq names three axes, small letters turning with the body (xyz),
// capitals fixed (XYZ).
MJAPI void mju_euler2Quat(mjtNum quat[4], const mjtNum euler[3], const char* seq);

//---- Poses ---------------------------------------------------------------------------------------

// Chain two poses: pose 2 is given in the frame of pose 1, the result where pose 1 is given.
MJAPI void mju_mulPose(mjtNum posres[3], mjtNum quatres[4],
                       const mjtNum pos1[3], const mjtNum quat1[4],
                       const mjtNum pos2[3], const mjtNum quat2[4]);

// The inverse pose.
MJAPI void mju_negPose(mjtNum posres[3], mjtNum quatres[4],
                       const mjtNum pos[3], const mjtNum quat[4]);

// A point given in a pose, in the frame around it.
MJAPI void mju_trnVecPose(mjtNum res[3], const mjtNum pos[3], const mjtNum quat[4],
                          const mjtNum vec[3]);

//---- Decompositions ------------------------------------------------------------------------------
// Band matrices have ntotal rows; the last ndense of them are full, the others hold nband entries
// up to the diagonal.

// mat (n x n) = L * L', L in the lower triangle. Diagonals below mindiag are raised to it; returns
// the rank without those.
MJAPI int mju_cholFactor(mjtNum* mat, int n, mjtNum mindiag);

// Solve (L * L') * res = vec. res and vec may be the same.
MJAPI void mju_cholSolve(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n);

// L * L' plus, or minus, x * x'. x is destroyed. Returns the rank.
MJAPI int mju_cholUpdate(mjtNum* mat, mjtNum* x, int n, int flg_plus);

// Factor L * L' of a band matrix in place, after adding diagadd + diagmul * diagonal to its
// diagonal. Returns the smallest diagonal entry met, 0 on failure.
MJAPI mjtNum mju_cholFactorBand(mjtNum* mat, int ntotal, int nband, int ndense,
                                mjtNum diagadd, mjtNum diagmul);

// Solve with the factor of mju_cholFactorBand. res and vec may be the same.
MJAPI void mju_cholSolveBand(mjtNum* res, const mjtNum* mat, const mjtNum* vec,
                             int ntotal, int nband, int ndense);

// From band to dense (ntotal x ntotal); flg_sym fills the upper triangle as well.
MJAPI void mju_band2Dense(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense,
                          mjtByte flg_sym);

// From dense to band.
MJAPI void mju_dense2Band(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense);

// Band matrix times nvec vectors; flg_sym counts the upper triangle as well.
MJAPI void mju_bandMulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec,
                             int ntotal, int nband, int ndense, int nvec, mjtByte flg_sym);

// Address of diagonal i in a band matrix.
MJAPI int mju_bandDiag(int i, int ntotal, int nband, int ndense);

// Eigenvalues in falling order, eigenvectors as columns, and their rotation, of a symmetric matrix.
// Returns the iterations used.
MJAPI int mju_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9]);

// Minimise x'*H*x/2 + x'*g within bounds; lower and upper (n) may be NULL. res (n) holds the start
// and the result. R (n * (n + 7)) receives the factor of the free part, index (n, may be NULL) its
// dimensions. Returns their number, -1 on failure.
MJAPI int mju_boxQP(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g, int n,
                    const mjtNum* lower, const mjtNum* upper);

// Allocate arrays of these sizes with mju_malloc; index, lower and upper may be NULL.
MJAPI void mju_boxQPmalloc(mjtNum** res, mjtNum** R, int** index, mjtNum** H, mjtNum** g, int n,
                           mjtNum** lower, mjtNum** upper);

//---- Muscles and contact pyramids ----------------------------------------------------------------

// Active force of a muscle at full activation, negative as it pulls. prm: range (two), force,
// scale, lmin, lmax, vmax, fpmax, fvmax.
MJAPI mjtNum mju_muscleGain(mjtNum len, mjtNum vel, const mjtNum lengthrange[2],
                            mjtNum acc0, const mjtNum prm[9]);

// Passive force of a muscle, with the parameters of mju_muscleGain.
MJAPI mjtNum mju_muscleBias(mjtNum len, const mjtNum lengthrange[2],
                            mjtNum acc0, const mjtNum prm[9]);

// Rate of activation. prm: time constants up and down, width of the blend between them.
MJAPI mjtNum mju_muscleDynamics(mjtNum ctrl, mjtNum act, const mjtNum prm[3]);

// From contact force (dim) to the coefficients of the pyramid's edges, 2 * (dim - 1).
MJAPI void mju_encodePyramid(mjtNum* pyramid, const mjtNum* force, const mjtNum* mu, int dim);

// Contact force (dim) from the coefficients of the edges.
MJAPI void mju_decodePyramid(mjtNum* force, const mjtNum* pyramid, const mjtNum* mu, int dim);

//---- Scalars -------------------------------------------------------------------------------------

// Position after time dt of x'' + Kv*x' + Kp*x = 0, in closed form.
MJAPI mjtNum mju_springDamper(mjtNum pos0, mjtNum vel0, mjtNum Kp, mjtNum Kv, mjtNum dt);

// The smaller of two numbers.
MJAPI mjtNum mju_min(mjtNum a, mjtNum b);

// The larger of two numbers.
MJAPI mjtNum mju_max(mjtNum a, mjtNum b);

// x moved into [min, max].
MJAPI mjtNum mju_clip(mjtNum x, mjtNum min, mjtNum max);

// Sign of x: 1, 0 or -1.
MJAPI mjtNum mju_sign(mjtNum x);

// Nearest integer, halves up.
MJAPI int mju_round(mjtNum x);

//---- Text ----------------------------------------------------------------------------------------

// Name of an mjtObj type, NULL if unknown. Static text.
MJAPI const char* mju_type2Str(int type);

// The mjtObj type of a name, mjOBJ_UNKNOWN if none.
MJAPI int mju_str2Type(const char* str);

// A number of bytes for humans, with K, M, G. Static text of the calling thread.
MJAPI const char* mju_writeNumBytes(size_t nbytes);

// Message of a warning. Static text of the calling thread.
MJAPI const char* mju_warningText(int warning, size_t info);

//---- Numeric helpers -----------------------------------------------------------------------------

// 1: not a number, infinite or beyond mjMAXVAL.
MJAPI int mju_isBad(mjtNum x);

// 1: every entry is zero.
MJAPI int mju_isZero(const mjtNum* vec, int n);

// Two independent normal random numbers from rand(); the second goes to num2 unless NULL.
MJAPI mjtNum mju_standardNormal(mjtNum* num2);

// float to mjtNum.
MJAPI void mju_f2n(mjtNum* res, const float* vec, int n);

// mjtNum to float.
MJAPI void mju_n2f(float* res, const mjtNum* vec, int n);

// double to mjtNum.
MJAPI void mju_d2n(mjtNum* res, const double* vec, int n);

// mjtNum to double.
MJAPI void mju_n2d(double* res, const mjtNum* vec, int n);

// Sort, ascending and stable, in place.
MJAPI void mju_insertionSort(mjtNum* list, int n);

// mju_insertionSort for integers.
MJAPI void mju_insertionSortInt(int* list, int n);

// Element index of the Halton sequence, in (0, 1); base should be prime.
MJAPI mjtNum mju_Halton(int index, int base);

// Copy at most n - 1 characters and close with a zero. Returns dst.
MJAPI char* mju_strncpy(char *dst, const char *src, int n);

// Smooth step: 0 below 0, 1 above 1, a quintic between.
MJAPI mjtNum mju_sigmoid(mjtNum x);

//---- Signed distance fields ----------------------------------------------------------------------

// Plugin of geom id that provides distances. Error if it has none.
MJAPI const mjpPlugin* mjc_getSDF(const mjModel* m, int id);

// Distance at x, combined as s->type says (mjtSDFType).
MJAPI mjtNum mjc_distance(const mjModel* m, const mjData* d, const mjSDF* s, const mjtNum x[3]);

// Gradient at x of the distance that mjc_distance gives.
MJAPI void mjc_gradient(const mjModel* m, const mjData* d, const mjSDF* s, mjtNum gradient[3],
                        const mjtNum x[3]);

//---- Derivatives ---------------------------------------------------------------------------------

// Discrete dynamics by finite differences of size eps. With n = 2*nv + na: A (n x n), B (n x nu), C
// (nsensordata x n), D (nsensordata x nu); any may be NULL. d ends as it began. RK4 is an error.
MJAPI void mjd_transitionFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_centered,
                            mjtNum* A, mjtNum* B, mjtNum* C, mjtNum* D);

// Inverse dynamics by finite differences, transposed: row i holds the change with input i. DfDq,
// DfDv, DfDa (nv x nv), sensors DsDq, DsDv, DsDa (nv x nsensordata), inertia DmDq (nv x nM); any
// may be NULL. flg_actuation subtracts actuator forces.
MJAPI void mjd_inverseFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_actuation,
                         mjtNum *DfDq, mjtNum *DfDv, mjtNum *DfDa,
                         mjtNum *DsDq, mjtNum *DsDv, mjtNum *DsDa,
                         mjtNum *DmDq);

// Derivatives of mju_subQuat by rotations of qa and qb (3 x 3); either may be NULL.
MJAPI void mjd_subQuat(const mjtNum qa[4], const mjtNum qb[4], mjtNum Da[9], mjtNum Db[9]);

// Derivatives of mju_quatIntegrate by rotation, velocity (3 x 3) and scale (3); any may be NULL.
MJAPI void mjd_quatIntegrate(const mjtNum vel[3], mjtNum scale,
                             mjtNum Dquat[9], mjtNum Dvel[9], mjtNum Dscale[3]);

//---- Plugins -------------------------------------------------------------------------------------

// Plugin description with nothing set.
MJAPI void mjp_defaultPlugin(mjpPlugin* plugin);

// Register a plugin, from any thread; identical ones once. Returns its slot. Error if the name is
// taken.
MJAPI int mjp_registerPlugin(const mjpPlugin* plugin);

// How many are registered.
MJAPI int mjp_pluginCount(void);

// Find one by name; its slot goes to slot unless NULL. NULL, and -1, if there is none.
MJAPI const mjpPlugin* mjp_getPlugin(const char* name, int* slot);

// Plugin of a slot, NULL if there is none.
MJAPI const mjpPlugin* mjp_getPluginAtSlot(int slot);

// Provider description with nothing set.
MJAPI void mjp_defaultResourceProvider(mjpResourceProvider* provider);

// Register a provider for a prefix of resource names. Returns its slot, from 1 on; -1 if it is
// invalid.
MJAPI int mjp_registerResourceProvider(const mjpResourceProvider* provider);

// How many are registered.
MJAPI int mjp_resourceProviderCount(void);

// Provider for a resource name, NULL if it has no known prefix.
MJAPI const mjpResourceProvider* mjp_getResourceProvider(const char* resource_name);

// Provider of a slot, NULL if there is none.
MJAPI const mjpResourceProvider* mjp_getResourceProviderAtSlot(int slot);

// Register a decoder of model files.
MJAPI void mjp_registerDecoder(const mjpDecoder* decoder);

// Decoder description with nothing set.
MJAPI void mjp_defaultDecoder(mjpDecoder* decoder);

// Decoder for a content type or, if that is NULL, a resource's extension. NULL if there is none.
MJAPI const mjpDecoder* mjp_findDecoder(const mjResource* resource, const char* content_type);

//---- Resources -----------------------------------------------------------------------------------
// Files by another name: what a provider, a virtual file system or the disk delivers.

// Open a resource, relative to dir unless that is NULL. NULL with a message on failure.
MJAPI mjResource* mju_openResource(const char* dir, const char* name,
                                   const mjVFS* vfs, char* error, size_t nerror);

// Close a resource. NULL is allowed.
MJAPI void mju_closeResource(mjResource* resource);

// Point buffer at a resource's bytes, which the resource owns. Returns their number, 0 if empty, -1
// on failure.
MJAPI int mju_readResource(mjResource* resource, const void** buffer);

// Directory of a resource: the first ndir characters of *dir, which the resource owns.
MJAPI void mju_getResourceDir(mjResource* resource, const char** dir, int* ndir);

// 0: unchanged since the timestamp; otherwise changed, or not known.
MJAPI int mju_isModifiedResource(const mjResource* resource, const char* timestamp);

// Decode a model file to a spec. NULL on failure.
MJAPI mjSpec* mju_decodeResource(mjResource* resource, const char* content_type,
                                 const mjVFS* vfs);

//---- Threads -------------------------------------------------------------------------------------

// Start worker threads. Release with mju_threadPoolDestroy.
MJAPI mjThreadPool* mju_threadPoolCreate(size_t number_of_threads);

// Let the engine use the pool for work on d.
MJAPI void mju_bindThreadPool(mjData* d, void* thread_pool);

// Hand a task to the workers. It must stay alive until joined.
MJAPI void mju_threadPoolEnqueue(mjThreadPool* thread_pool, mjTask* task);

// Finish what is queued, stop the workers, release the pool.
MJAPI void mju_threadPoolDestroy(mjThreadPool* thread_pool);

// Task with nothing set.
MJAPI void mju_defaultTask(mjTask* task);

// Wait until a task is done; raises the error it met, if any.
MJAPI void mju_taskJoin(mjTask* task);

//---- Editing: building the tree ------------------------------------------------------------------
// Specs own their elements; pointers stay valid until the element is deleted. def NULL means the
// default class in force.

// Attach a body, frame or spec of another spec to a body, frame or site, with prefix and suffix
// around all names. NULL on failure, see mjs_getError.
MJAPI mjsElement* mjs_attach(mjsElement* parent, const mjsElement* child,
                             const char* prefix, const char* suffix);

// Add a child body.
MJAPI mjsBody* mjs_addBody(mjsBody* body, const mjsDefault* def);

// Add a site.
MJAPI mjsSite* mjs_addSite(mjsBody* body, const mjsDefault* def);

// Add a joint.
MJAPI mjsJoint* mjs_addJoint(mjsBody* body, const mjsDefault* def);

// Add a free joint.
MJAPI mjsJoint* mjs_addFreeJoint(mjsBody* body);

// Add a geom.
MJAPI mjsGeom* mjs_addGeom(mjsBody* body, const mjsDefault* def);

// Add a camera.
MJAPI mjsCamera* mjs_addCamera(mjsBody* body, const mjsDefault* def);

// Add a light.
MJAPI mjsLight* mjs_addLight(mjsBody* body, const mjsDefault* def);

// Add a frame, inside parentframe unless that is NULL.
MJAPI mjsFrame* mjs_addFrame(mjsBody* body, mjsFrame* parentframe);

// Delete an element with all below it and all that refers to it. 0: done, -1: failed.
MJAPI int mjs_delete(mjSpec* spec, mjsElement* element);

//---- Editing: other elements ---------------------------------------------------------------------

// Add an actuator.
MJAPI mjsActuator* mjs_addActuator(mjSpec* s, const mjsDefault* def);

// Add a sensor.
MJAPI mjsSensor* mjs_addSensor(mjSpec* s);

// Add a flex.
MJAPI mjsFlex* mjs_addFlex(mjSpec* s);

// Add a geom pair.
MJAPI mjsPair* mjs_addPair(mjSpec* s, const mjsDefault* def);

// Add a body pair that never collides.
MJAPI mjsExclude* mjs_addExclude(mjSpec* s);

// Add an equality constraint.
MJAPI mjsEquality* mjs_addEquality(mjSpec* s, const mjsDefault* def);

// Add a tendon.
MJAPI mjsTendon* mjs_addTendon(mjSpec* s, const mjsDefault* def);

// Lead a tendon through a site.
MJAPI mjsWrap* mjs_wrapSite(mjsTendon* tendon, const char* name);

// Lead a tendon around a geom, on the side of a site; sidesite may be empty.
MJAPI mjsWrap* mjs_wrapGeom(mjsTendon* tendon, const char* name, const char* sidesite);

// Add a joint times a coefficient to a fixed tendon.
MJAPI mjsWrap* mjs_wrapJoint(mjsTendon* tendon, const char* name, double coef);

// Divide what follows on the tendon.
MJAPI mjsWrap* mjs_wrapPulley(mjsTendon* tendon, double divisor);

// Add custom numbers.
MJAPI mjsNumeric* mjs_addNumeric(mjSpec* s);

// Add custom text.
MJAPI mjsText* mjs_addText(mjSpec* s);

// Add a custom list of elements.
MJAPI mjsTuple* mjs_addTuple(mjSpec* s);

// Add a keyframe.
MJAPI mjsKey* mjs_addKey(mjSpec* s);

// Add a plugin instance.
MJAPI mjsPlugin* mjs_addPlugin(mjSpec* s);

// Add a default class below parent, or below the main one if that is NULL. NULL if the name is
// taken.
MJAPI mjsDefault* mjs_addDefault(mjSpec* s, const char* classname, const mjsDefault* parent);

//---- Editing: actuator kinds ---------------------------------------------------------------------
// Set gain, bias and dynamics. They return "" or what is wrong; pointers may be NULL where an array
// of 1 is asked for.

// Force is ctrl.
MJAPI const char* mjs_setToMotor(mjsActuator* actuator);

// Servo to a position, with damping kv or dampratio, filtered by timeconst; inheritrange scales
// ctrlrange from the target's range, 0 leaves it.
MJAPI const char* mjs_setToPosition(mjsActuator* actuator, double kp, double kv[1],
                                    double dampratio[1], double timeconst[1], double inheritrange);

// Servo to the integral of ctrl.
MJAPI const char* mjs_setToIntVelocity(mjsActuator* actuator, double kp, double kv[1],
                                       double dampratio[1], double timeconst[1], double inheritrange);

// Servo to a velocity.
MJAPI const char* mjs_setToVelocity(mjsActuator* actuator, double kv);

// Damping of strength ctrl.
MJAPI const char* mjs_setToDamper(mjsActuator* actuator, double kv);

// Pneumatic or hydraulic cylinder; diameter, unless negative, gives the area.
MJAPI const char* mjs_setToCylinder(mjsActuator* actuator, double timeconst,
                                    double bias, double area, double diameter);

// Muscle; negative numbers keep the defaults.
MJAPI const char* mjs_setToMuscle(mjsActuator* actuator, double timeconst[2], double tausmooth,
                                  double range[2], double force, double scale, double lmin,
                                  double lmax, double vmax, double fpmax, double fvmax);

// Adhesion at contacts.
MJAPI const char* mjs_setToAdhesion(mjsActuator* actuator, double gain);

//---- Editing: assets -----------------------------------------------------------------------------

// Add a mesh.
MJAPI mjsMesh* mjs_addMesh(mjSpec* s, const mjsDefault* def);

// Add a height field.
MJAPI mjsHField* mjs_addHField(mjSpec* s);

// Add a skin.
MJAPI mjsSkin* mjs_addSkin(mjSpec* s);

// Add a texture.
MJAPI mjsTexture* mjs_addTexture(mjSpec* s);

// Add a material.
MJAPI mjsMaterial* mjs_addMaterial(mjSpec* s, const mjsDefault* def);

// Fill a mesh with a built-in shape. 0: done, -1: wrong parameters.
MJAPI int mjs_makeMesh(mjsMesh* mesh, mjtMeshBuiltin builtin, double* params, int nparams);

//---- Editing: finding ----------------------------------------------------------------------------
// NULL means there is no such element.

// Spec of an element.
MJAPI mjSpec* mjs_getSpec(mjsElement* element);

// This spec or an attached one, by model name.
MJAPI mjSpec* mjs_findSpec(mjSpec* spec, const char* name);

// Body by name.
MJAPI mjsBody* mjs_findBody(mjSpec* s, const char* name);

// Element by type and name.
MJAPI mjsElement* mjs_findElement(mjSpec* s, mjtObj type, const char* name);

// Body by name among the descendants of a body.
MJAPI mjsBody* mjs_findChild(mjsBody* body, const char* name);

// Body that holds an element.
MJAPI mjsBody* mjs_getParent(mjsElement* element);

// Frame around an element.
MJAPI mjsFrame* mjs_getFrame(mjsElement* element);

// Frame by name.
MJAPI mjsFrame* mjs_findFrame(mjSpec* s, const char* name);

// Default class of an element.
MJAPI mjsDefault* mjs_getDefault(mjsElement* element);

// Default class by name.
MJAPI mjsDefault* mjs_findDefault(mjSpec* s, const char* classname);

// Main default class.
MJAPI mjsDefault* mjs_getSpecDefault(mjSpec* s);

// Id in the compiled model, -1 before compilation.
MJAPI int mjs_getId(mjsElement* element);

// First element of a type in a body, and below it if recurse.
MJAPI mjsElement* mjs_firstChild(mjsBody* body, mjtObj type, int recurse);

// The child after this one, with the recurse of mjs_firstChild.
MJAPI mjsElement* mjs_nextChild(mjsBody* body, mjsElement* child, int recurse);

// First element of a type in the spec.
MJAPI mjsElement* mjs_firstElement(mjSpec* s, mjtObj type);

// The element of the same type after this one.
MJAPI mjsElement* mjs_nextElement(mjSpec* s, mjsElement* element);

// Site, geom or joint of a tendon's path part.
MJAPI mjsElement* mjs_getWrapTarget(mjsWrap* wrap);

// Side site of a wrapping geom.
MJAPI mjsSite* mjs_getWrapSideSite(mjsWrap* wrap);

// Divisor of a pulley.
MJAPI double mjs_getWrapDivisor(mjsWrap* wrap);

// Coefficient of a joint.
MJAPI double mjs_getWrapCoef(mjsWrap* wrap);

//---- Editing: strings and vectors ----------------------------------------------------------------
// The only way to change the opaque members of mjs* structs. Inputs are copied.

// Rename. 0: done, -1: taken, see mjs_getError.
MJAPI int mjs_setName(mjsElement* element, const char* name);

// Set bytes.
MJAPI void mjs_setBuffer(mjByteVec* dest, const void* array, int size);

// Set a string.
MJAPI void mjs_setString(mjString* dest, const char* text);

// Set a list from words separated by blanks.
MJAPI void mjs_setStringVec(mjStringVec* dest, const char* text);

// Set entry i. 1: done, 0: there is none.
MJAPI mjtByte mjs_setInStringVec(mjStringVec* dest, int i, const char* text);

// Append to a list of strings.
MJAPI void mjs_appendString(mjStringVec* dest, const char* text);

// Set integers.
MJAPI void mjs_setInt(mjIntVec* dest, const int* array, int size);

// Append a list of integers.
MJAPI void mjs_appendIntVec(mjIntVecVec* dest, const int* array, int size);

// Set floats.
MJAPI void mjs_setFloat(mjFloatVec* dest, const float* array, int size);

// Append a list of floats.
MJAPI void mjs_appendFloatVec(mjFloatVecVec* dest, const float* array, int size);

// Set doubles.
MJAPI void mjs_setDouble(mjDoubleVec* dest, const double* array, int size);

// Set the attributes of a plugin instance, as mjs_getPluginAttributes gives them.
MJAPI void mjs_setPluginAttributes(mjsPlugin* plugin, void* attributes);

// Name of an element; owned by it.
MJAPI mjString* mjs_getName(mjsElement* element);

// Characters of a string; owned by it.
MJAPI const char* mjs_getString(const mjString* source);

// Numbers of a vector, their count in size unless NULL; owned by it.
MJAPI const double* mjs_getDouble(const mjDoubleVec* source, int* size);

// Path parts of a tendon.
MJAPI int mjs_getWrapNum(const mjsTendon* tendonspec);

// Path part i of a tendon.
MJAPI mjsWrap* mjs_getWrap(const mjsTendon* tendonspec, int i);

// Attributes of a plugin instance, opaque.
MJAPI const void* mjs_getPluginAttributes(const mjsPlugin* plugin);

//---- Editing: the rest ---------------------------------------------------------------------------

// Change the default class of an element; its values stay.
MJAPI void mjs_setDefault(mjsElement* element, const mjsDefault* def);

// Put an element into a frame of the same body, or into none with NULL. 0: done, -1: failed.
MJAPI int mjs_setFrame(mjsElement* dest, mjsFrame* frame);

// From any description of an orientation to a quaternion. NULL if fine, else what is wrong.
MJAPI const char* mjs_resolveOrientation(double quat[4], mjtByte degree, const char* sequence,
                                         const mjsOrientation* orientation);

// Replace a body by a frame with the same contents; *body becomes NULL.
MJAPI mjsFrame* mjs_bodyToFrame(mjsBody** body);

// Keep a pointer of the program with an element, under a key.
MJAPI void mjs_setUserValue(mjsElement* element, const char* key, const void* data);

// mjs_setUserValue with a function that is called when the value is replaced or deleted.
MJAPI void mjs_setUserValueWithCleanup(mjsElement* element, const char* key,
                                       const void* data,
                                       void (*cleanup)(const void*));

// Pointer kept under a key, NULL if there is none.
MJAPI const void* mjs_getUserValue(mjsElement* element, const char* key);

// Forget what is kept under a key.
MJAPI void mjs_deleteUserValue(mjsElement* element, const char* key);

// Numbers a sensor writes, as far as known before compilation.
MJAPI int mjs_sensorDim(const mjsSensor* sensor);

//---- Editing: built-in defaults ------------------------------------------------------------------
// Set every member of a struct to what it is before any default class. Pointers become NULL, so use
// them on structs of your own, not on elements of a spec.

// Spec.
MJAPI void mjs_defaultSpec(mjSpec* spec);

// Orientation.
MJAPI void mjs_defaultOrientation(mjsOrientation* orient);

// Body.
MJAPI void mjs_defaultBody(mjsBody* body);

// Frame.
MJAPI void mjs_defaultFrame(mjsFrame* frame);

// Joint.
MJAPI void mjs_defaultJoint(mjsJoint* joint);

// Geom.
MJAPI void mjs_defaultGeom(mjsGeom* geom);

// Site.
MJAPI void mjs_defaultSite(mjsSite* site);

// Camera.
MJAPI void mjs_defaultCamera(mjsCamera* camera);

// Light.
MJAPI void mjs_defaultLight(mjsLight* light);

// Flex.
MJAPI void mjs_defaultFlex(mjsFlex* flex);

// Mesh.
MJAPI void mjs_defaultMesh(mjsMesh* mesh);

// Height field.
MJAPI void mjs_defaultHField(mjsHField* hfield);

// Skin.
MJAPI void mjs_defaultSkin(mjsSkin* skin);

// Texture.
MJAPI void mjs_defaultTexture(mjsTexture* texture);

// Material.
MJAPI void mjs_defaultMaterial(mjsMaterial* material);

// Geom pair.
MJAPI void mjs_defaultPair(mjsPair* pair);

// Equality constraint.
MJAPI void mjs_defaultEquality(mjsEquality* equality);

// Tendon.
MJAPI void mjs_defaultTendon(mjsTendon* tendon);

// Actuator.
MJAPI void mjs_defaultActuator(mjsActuator* actuator);

// Sensor.
MJAPI void mjs_defaultSensor(mjsSensor* sensor);

// Custom numbers.
MJAPI void mjs_defaultNumeric(mjsNumeric* numeric);

// Custom text.
MJAPI void mjs_defaultText(mjsText* text);

// Custom list of elements.
MJAPI void mjs_defaultTuple(mjsTuple* tuple);

// Keyframe.
MJAPI void mjs_defaultKey(mjsKey* key);

// Plugin instance.
MJAPI void mjs_defaultPlugin(mjsPlugin* plugin);

//---- Editing: from element to its struct ---------------------------------------------------------
// NULL if the element is of another type.

// Body.
MJAPI mjsBody* mjs_asBody(mjsElement* element);

// Geom.
MJAPI mjsGeom* mjs_asGeom(mjsElement* element);

// Joint.
MJAPI mjsJoint* mjs_asJoint(mjsElement* element);

// Site.
MJAPI mjsSite* mjs_asSite(mjsElement* element);

// Camera.
MJAPI mjsCamera* mjs_asCamera(mjsElement* element);

// Light.
MJAPI mjsLight* mjs_asLight(mjsElement* element);

// Frame.
MJAPI mjsFrame* mjs_asFrame(mjsElement* element);

// Actuator.
MJAPI mjsActuator* mjs_asActuator(mjsElement* element);

// Sensor.
MJAPI mjsSensor* mjs_asSensor(mjsElement* element);

// Flex.
MJAPI mjsFlex* mjs_asFlex(mjsElement* element);

// Geom pair.
MJAPI mjsPair* mjs_asPair(mjsElement* element);

// Equality constraint.
MJAPI mjsEquality* mjs_asEquality(mjsElement* element);

// Body pair that never collides.
MJAPI mjsExclude* mjs_asExclude(mjsElement* element);

// Tendon.
MJAPI mjsTendon* mjs_asTendon(mjsElement* element);

// Custom numbers.
MJAPI mjsNumeric* mjs_asNumeric(mjsElement* element);

// Custom text.
MJAPI mjsText* mjs_asText(mjsElement* element);

// Custom list of elements.
MJAPI mjsTuple* mjs_asTuple(mjsElement* element);

// Keyframe.
MJAPI mjsKey* mjs_asKey(mjsElement* element);

// Mesh.
MJAPI mjsMesh* mjs_asMesh(mjsElement* element);

// Height field.
MJAPI mjsHField* mjs_asHField(mjsElement* element);

// Skin.
MJAPI mjsSkin* mjs_asSkin(mjsElement* element);

// Texture.
MJAPI mjsTexture* mjs_asTexture(mjsElement* element);

// Material.
MJAPI mjsMaterial* mjs_asMaterial(mjsElement* element);

// Plugin instance.
MJAPI mjsPlugin* mjs_asPlugin(mjsElement* element);

#ifdef __cplusplus
}
#endif

#endif
