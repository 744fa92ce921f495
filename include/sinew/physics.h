// Swappable physics: how surfaces bend, how solids and surfaces resist deformation, what an actuator's force is, and
// how contacts and other constraints act. The models of the reference are the defaults and cost nothing; others are
// chosen per flex, per actuator and per model, in MJCF by attributes of the sinew: namespace or in C by the functions
// below.
//
// Choices are kept in custom text and numeric entries of mjModel under the reserved names
//   sinew:bending:FLEX  sinew:elasticity:FLEX  sinew:actuation:ACTUATOR  sinew:contact
// (the element's name, or # and its number): the text is the model's name, the numbers are its parameters. So every
// copy, saved file and foreign library keeps them. docs/physics.md has the equations.
#ifndef SINEW_PHYSICS_H_
#define SINEW_PHYSICS_H_

#include <sinew/sinew.h>

#ifdef __cplusplus
extern "C" {
#endif

//---------------------------------- models ----------------------------------

// The kinds of models.
typedef enum snKind_ {
  SN_BENDING = 0,  // of the interior edges of a surface: snBending
  SN_ELASTICITY,   // of the elements of a surface or solid: snElasticity
  SN_ACTUATION,    // of an actuator: snActuation
  SN_CONTACT,      // of all constraints: snContact
  SN_NKIND
} snKind;

enum {
  SN_MAXPARAM = 16,  // parameters of a model at most
  SN_MAXSTATE = 8,   // activations of an actuation model at most
  SN_MAXMODEL = 64   // models of one kind at most
};

// One parameter of a model.
typedef struct snParam_ {
  const char* name;   // also the name of its attribute in MJCF
  mjtNum value;       // default; NaN: that of the flex (young, poisson, thickness), and none elsewhere
  mjtNum least;       // smallest value
  mjtNum most;        // largest value
  const char* about;  // meaning and unit
} snParam;

// What all models have; the first member of each kind's struct.
typedef struct snInfo_ {
  const char* name;      // unique within the kind; at most 31 characters
  const char* about;     // one line
  int nparam;            // number of parameters
  const snParam* param;  // (nparam) in the order of their numbers
} snInfo;

// How an interior edge of a surface resists being bent. Its angle is the one between the normals of the two triangles,
// 0 when they lie in one plane.
typedef struct snBending_ {
  snInfo info;  // name and parameters
  int nconst;   // numbers that prepare leaves for an edge

  // once for each edge: length of the edge and area of both triangles at rest, to the constants
  void (*prepare)(const mjtNum* param, mjtNum length, mjtNum area, mjtNum* constant);

  // energy at an angle that differs from that at rest by bend
  mjtNum (*energy)(const mjtNum* constant, mjtNum bend);

  // moment that acts against bend and against its rate; positive is towards larger angles
  mjtNum (*apply)(const mjtNum* constant, mjtNum bend, mjtNum rate);

  // derivatives of the moment with respect to bend and rate
  void (*derivative)(const mjtNum* constant, mjtNum bend, mjtNum rate, mjtNum slope[2]);
} snBending;

// How an element resists deformation: an energy per volume at rest, W(F), of the deformation gradient F: 3 x dim by
// rows, dim 3 for tetrahedra, 2 for triangles (columns are directions in the plane at rest).
typedef struct snElasticity_ {
  snInfo info;  // name and parameters
  int dims;     // bits: 1 << 2 surfaces, 1 << 3 solids
  int nconst;   // numbers that prepare leaves for a flex

  // once for each flex: parameters to constants
  void (*prepare)(const mjtNum* param, int dim, mjtNum* constant);

  // W
  mjtNum (*energy)(const mjtNum* constant, int dim, const mjtNum* F);

  // stress P = dW/dF, 3 x dim by rows; must be finite for every finite F, inverted ones included
  void (*apply)(const mjtNum* constant, int dim, const mjtNum* F, mjtNum* P);

  // dP/dF, 3·dim x 3·dim, symmetric; NULL: by differences. What is not positive semi-definite in it is dropped.
  void (*derivative)(const mjtNum* constant, int dim, const mjtNum* F, mjtNum* dP);
} snElasticity;

// One actuator at one moment, as its model sees it.
typedef struct snActuator_ {
  const mjModel* model;  // its model
  const mjData* data;    // its data
  int id;                // of the actuator
  const mjtNum* param;   // parameters of the model
  mjtNum ctrl;           // control, delayed and clamped
  mjtNum length;         // of the transmission
  mjtNum velocity;       // of the transmission
  const mjtNum* act;     // states of the model: activations of the actuator
  mjtNum timestep;       // over which states advance; 0: rates are wanted as they are at this moment (Runge-Kutta)
} snActuator;

// How an actuator makes a force.
typedef struct snActuation_ {
  snInfo info;  // name and parameters

  // number of states with these parameters; NULL: none
  int (*states)(const mjtNum* param);

  // rates of the states; with a timestep, (next - now) / timestep, so that a model may advance exactly. NULL: no states
  void (*rate)(const snActuator* a, mjtNum* act_dot);

  // force along the transmission
  mjtNum (*apply)(const snActuator* a);

  // its derivative with respect to velocity; NULL: by differences
  mjtNum (*derivative)(const snActuator* a);
} snActuation;

// How constraints act. The rows of mjData are as the reference makes them.
typedef struct snContact_ {
  snInfo info;  // name and parameters

  // NULL, or why this model cannot be simulated so; asked once by mj_makeData
  const char* (*check)(const mjModel* m, const mjtNum* param);

  // From qacc_smooth and the rows to efc_force, qfrc_constraint and qacc. offset (nv) starts as zeros: what the
  // velocity that moves the positions in this step has beyond the new qvel.
  void (*apply)(const mjModel* m, mjData* d, const mjtNum* param, mjtNum* offset);

  // largest timestep that a body resting on its own weight allows; NULL: any
  mjtNum (*timestep)(const mjModel* m, const mjtNum* param);
} snContact;

// Adds a model, which must stay where it is. Returns its number within the kind, or -1 where the name is taken, a
// function or parameter is missing or there are SN_MAXMODEL of them.
MJAPI int sn_registerBending(const snBending* model);
// same for elasticity
MJAPI int sn_registerElasticity(const snElasticity* model);
// same for actuation
MJAPI int sn_registerActuation(const snActuation* model);
// same for contact
MJAPI int sn_registerContact(const snContact* model);

// Number of models of a kind; the default is number 0.
MJAPI int sn_modelCount(snKind kind);

// A model by its number, NULL: there is none. What it points to is the first member of the kind's struct.
MJAPI const snInfo* sn_modelAt(snKind kind, int number);

// A model by its name, NULL: there is none.
MJAPI const snInfo* sn_findModel(snKind kind, const char* name);

// "bending", "elasticity", "actuation" or "contact"
MJAPI const char* sn_kindName(snKind kind);

//---------------------------------- choices ----------------------------------
// All of these return NULL when done, or a message (valid until the next call on this thread) that says what is wrong,
// in which case nothing changed. param holds the model's parameters in their order, NULL: its defaults. What is chosen
// acts from the next step on, in every mjData of the model. A choice that the model had no entry for moves the arrays
// of mjModel: pointers into it that were kept elsewhere are to be fetched again.

// Chooses the bending of a surface.
MJAPI const char* sn_setBending(mjModel* m, int flex, const char* name, const mjtNum* param);
// Chooses the elasticity of a flex.
MJAPI const char* sn_setElasticity(mjModel* m, int flex, const char* name, const mjtNum* param);
// Chooses the actuation of an actuator, which must have as many activations as the model has states.
MJAPI const char* sn_setActuation(mjModel* m, int actuator, const char* name, const mjtNum* param);
// Chooses how constraints act.
MJAPI const char* sn_setContact(mjModel* m, const char* name, const mjtNum* param);

// What is chosen for an element (id 0 for SN_CONTACT); its parameters, at most SN_MAXPARAM, go to param unless NULL.
// NULL: nothing that can be resolved; mj_makeData says why.
MJAPI const snInfo* sn_getModel(const mjModel* m, snKind kind, int id, mjtNum* param);

// One choice of each kind, by name; NULL leaves that kind as it is.
typedef struct snPhysics_ {
  const char* bending;     // of every surface
  const char* elasticity;  // of every flex that has elasticity
  const char* actuation;   // of every actuator
  const char* contact;     // of the model
} snPhysics;

extern MJAPI const snPhysics sn_physicsMujoco;     // what the reference does
extern MJAPI const snPhysics sn_physicsAnimation;  // bridson, xpbd: large motions at large timesteps
extern MJAPI const snPhysics sn_physicsSoft;       // neo_hookean: large deformations

// Applies the choices to all elements they fit, with default parameters; flexes give their material.
MJAPI const char* sn_setPhysics(mjModel* m, const snPhysics* physics);

// Sets an attribute of the sinew: namespace of an mjSpec's element: a flex, an actuator, a key, a body, a geom, a pair,
// a mesh, or the spec itself (s->element) for what <option> has; name without the prefix. Checked when compiled. NULL
// value removes it.
MJAPI const char* sn_setAttribute(mjsElement* element, const char* name, const char* value);

// Largest timestep with which the model of an element (id 0 for SN_CONTACT) is stable under the integrator of m, near
// the state of d, whose positions and velocities have been evaluated (mj_forward). It counts what is explicit: the
// stiffness and damping of flexes under Euler and RK4, that of actuators against length, contacts that are forces.
// INFINITY: the default model, or any timestep. mj_compile warns where the timestep of a model is larger at the start.
MJAPI mjtNum sn_stableTimestep(const mjModel* m, mjData* d, snKind kind, int id);

// Energy that the chosen models of bending and elasticity store in a flex at the present vertices; 0 for the defaults.
MJAPI mjtNum sn_flexEnergy(const mjModel* m, mjData* d, int flex);

//---------------------------------- keyframes ----------------------------------

// User data of a keyframe (nuserdata numbers), kept in the entry sinew:userdata:KEY; NULL: it has none.
MJAPI const mjtNum* sn_keyUserdata(const mjModel* m, int key);

// Sets the user data of a keyframe (nuserdata numbers). NULL, or what is wrong.
MJAPI const char* sn_setKeyUserdata(mjModel* m, int key, const mjtNum* userdata);

// mj_resetDataKeyframe, and the user data of the keyframe where it has some.
MJAPI void sn_resetDataKeyframe(const mjModel* m, mjData* d, int key);

#ifdef __cplusplus
}
#endif

#endif  // SINEW_PHYSICS_H_
