// The compiled model: every constant of a simulation, from solver options to mesh vertices.
//
// mjModel is filled once by the compiler (mj_loadXML, mj_compile) or read from a binary file, and
// is read-only while stepping; programs may change numbers in it between steps, never sizes,
// addresses or ids. All arrays live in one block, `buffer`; the comment of each array starts with
// its shape, written (rows x columns) and stored row by row. Field prefixes name the element they
// describe (body_, geom_, ...).
//
// Units are those of the model, by convention metre, kilogram, second and radian. Quaternions are
// (w, x, y, z). "Id" is an index into an element's arrays, "adr" an index into a shared data array,
// "num" a count; -1 stands for "none".
//
// Constraints are soft. solref sets how fast a violation decays: positive, it is a time constant
// (s) and a damping ratio; negative, minus stiffness and minus damping. solimp sets how hard a
// constraint is, from 0 to 1, as a function of the violation: impedance at zero, impedance far
// away, width, midpoint and power of the curve between.
//
// Include this header alone for the types; mujoco.h includes it.

#ifndef MUJOCO_MJMODEL_H_
#define MUJOCO_MJMODEL_H_

#include <stddef.h>
#include <stdint.h>

#include <mujoco/mjtnum.h>

//---- Constants -----------------------------------------------------------------------------------

// Numeric limits used by the engine.
#define mjPI            3.14159265358979323846  // circle constant
#define mjMAXVAL        1E+10                   // a state entry larger than this counts as diverged
                                                // and triggers a reset
#define mjMINMU         1E-5                    // smallest friction coefficient of a contact
#define mjMINIMP        0.0001                  // lower clamp of constraint impedance
#define mjMAXIMP        0.9999                  // upper clamp of constraint impedance
#define mjMAXCONPAIR    50                      // most contacts that one pair of geoms may produce
#define mjMAXTREEDEPTH  50                      // deepest bounding volume hierarchy
#define mjMAXFLEXNODES  27                      // most nodes of an interpolated flex, 3 x 3 x 3
#define mjMINAWAKE      10                      // steps a tree must stay slow before it may fall
                                                // asleep

// Widths of fixed-size parameter rows and of the solver's log.
#define mjNEQDATA       11   // numbers of one equality constraint (eq_data)
#define mjNDYN          10   // numbers of actuator activation dynamics (actuator_dynprm)
#define mjNGAIN         10   // numbers of actuator gain (actuator_gainprm)
#define mjNBIAS         10   // numbers of actuator bias (actuator_biasprm)
#define mjNFLUID        12   // numbers of one geom's fluid interaction (geom_fluid)
#define mjNREF          2    // numbers of a constraint's reference dynamics (solref)
#define mjNIMP          5    // numbers of a constraint's impedance curve (solimp)
#define mjNSENS         3    // integers of one sensor (sensor_intprm)
#define mjNSOLVER       200  // solver iterations logged per island in mjData.solver
#define mjNISLAND       20   // islands logged in mjData.solver

//---- Enumerations: options -----------------------------------------------------------------------

// Bits of mjOption.disableflags. A set bit switches off something that is on by default.
typedef enum mjtDisableBit_ {
  mjDSBL_CONSTRAINT   = 1<<0,   // everything the constraint solver does
  mjDSBL_EQUALITY     = 1<<1,   // rows of equality constraints
  mjDSBL_FRICTIONLOSS = 1<<2,   // dry friction rows of joints and tendons
  mjDSBL_LIMIT        = 1<<3,   // limit rows of joints and tendons
  mjDSBL_CONTACT      = 1<<4,   // collision detection and contact rows
  mjDSBL_SPRING       = 1<<5,   // spring forces of joints, tendons and flexes
  mjDSBL_DAMPER       = 1<<6,   // damping forces of joints, tendons and flexes
  mjDSBL_GRAVITY      = 1<<7,   // gravity, taken as zero
  mjDSBL_CLAMPCTRL    = 1<<8,   // clamping of ctrl to actuator_ctrlrange
  mjDSBL_WARMSTART    = 1<<9,   // starting the solver from the last step's solution
  mjDSBL_FILTERPARENT = 1<<10,  // skipping of contacts between a body and its parent
  mjDSBL_ACTUATION    = 1<<11,  // actuator forces and activation dynamics
  mjDSBL_REFSAFE      = 1<<12,  // raising of solref time constants to at least two timesteps
  mjDSBL_SENSOR       = 1<<13,  // evaluation of sensors
  mjDSBL_MIDPHASE     = 1<<14,  // bounding volume hierarchies between body pair and geom pair
  mjDSBL_EULERDAMP    = 1<<15,  // implicit joint damping in the Euler integrator
  mjDSBL_AUTORESET    = 1<<16,  // reset of the state when it diverges
  mjDSBL_NATIVECCD    = 1<<17,  // the built-in convex collision code; libccd takes its place
  mjDSBL_ISLAND       = 1<<18,  // splitting of the constraint problem into islands

  mjNDISABLE          = 19      // how many bits are defined
} mjtDisableBit;

// Bits of mjOption.enableflags. A set bit switches on something that is off by default.
typedef enum mjtEnableBit_ {
  mjENBL_OVERRIDE     = 1<<0,  // all contacts take margin, solref, solimp and friction from
                               // mjOption.o_*
  mjENBL_ENERGY       = 1<<1,  // potential and kinetic energy in mjData.energy
  mjENBL_FWDINV       = 1<<2,  // forward against inverse dynamics, result in mjData.solver_fwdinv
  mjENBL_INVDISCRETE  = 1<<3,  // inverse dynamics of the discrete-time acceleration

  // features that may still change
  mjENBL_MULTICCD     = 1<<4,  // several contacts per pair from the convex collision code
  mjENBL_SLEEP        = 1<<5,  // trees at rest fall asleep and cost nothing

  mjNENABLE           = 6      // how many bits are defined
} mjtEnableBit;

//---- Enumerations: elements ----------------------------------------------------------------------

// Joint types (jnt_type); in brackets the entries they take in qpos and in qvel.
typedef enum mjtJoint_ {
  mjJNT_FREE          = 0,  // unconstrained: world position, then unit quaternion (7, 6)
  mjJNT_BALL,               // three rotations: unit quaternion relative to the parent (4, 3)
  mjJNT_SLIDE,              // translation along jnt_axis (1, 1)
  mjJNT_HINGE               // rotation about jnt_axis, in radians (1, 1)
} mjtJoint;

// Geometric shapes of geoms and sites, and those that only a visualiser draws. Sizes in brackets
// are the meaning of geom_size; all but the plane are centred on the geom's frame.
typedef enum mjtGeom_ {
  // shapes that take part in the physics
  mjGEOM_PLANE        = 0,    // half-space below z = 0 (x and y half-lengths to draw, grid spacing)
  mjGEOM_HFIELD,              // terrain given by a grid of elevations (size from the asset)
  mjGEOM_SPHERE,              // ball (radius)
  mjGEOM_CAPSULE,             // cylinder along z with half-spheres as ends (radius, half-length
                              // without ends)
  mjGEOM_ELLIPSOID,           // ellipsoid (three semi-axes)
  mjGEOM_CYLINDER,            // cylinder along z (radius, half-length)
  mjGEOM_BOX,                 // box (three half-lengths)
  mjGEOM_MESH,                // triangle mesh, collides as its convex hull (size from the asset)
  mjGEOM_SDF,                 // signed distance field, from a mesh or a plugin

  mjNGEOMTYPES,               // how many shapes geoms and sites may have

  // shapes for drawing only
  mjGEOM_ARROW        = 100,  // arrow
  mjGEOM_ARROW1,              // arrow with a plain tail
  mjGEOM_ARROW2,              // arrow pointing both ways
  mjGEOM_LINE,                // line
  mjGEOM_LINEBOX,             // edges of a box
  mjGEOM_FLEX,                // a flex
  mjGEOM_SKIN,                // a skin
  mjGEOM_LABEL,               // text without a shape
  mjGEOM_TRIANGLE,            // one triangle

  mjGEOM_NONE         = 1001  // no shape chosen yet
} mjtGeom;

// How a camera maps space to the image (cam_projection).
typedef enum mjtProjection_ {
  mjPROJ_PERSPECTIVE  = 0,  // far things look smaller
  mjPROJ_ORTHOGRAPHIC       // size does not depend on distance
} mjtProjection;

// What a camera or light does as its body moves (cam_mode, light_mode).
typedef enum mjtCamLight_ {
  mjCAMLIGHT_FIXED    = 0,  // both position and orientation follow the body
  mjCAMLIGHT_TRACK,         // position follows the body, orientation stays as in qpos0
  mjCAMLIGHT_TRACKCOM,      // position follows the centre of mass of the body's subtree,
                            // orientation stays
  mjCAMLIGHT_TARGETBODY,    // position follows the body, view turns to the target body
  mjCAMLIGHT_TARGETBODYCOM  // position follows the body, view turns to the target subtree's centre
                            // of mass
} mjtCamLight;

// Light sources (light_type).
typedef enum mjtLightType_ {
  mjLIGHT_SPOT        = 0,  // cone from a point
  mjLIGHT_DIRECTIONAL,      // parallel rays from far away
  mjLIGHT_POINT,            // all directions from a point
  mjLIGHT_IMAGE,            // surroundings given by a texture
} mjtLightType;

// Texture layouts (tex_type).
typedef enum mjtTexture_ {
  mjTEXTURE_2D        = 0,  // flat image, for planes, height fields and meshes with coordinates
  mjTEXTURE_CUBE,           // six faces wrapped around an object
  mjTEXTURE_SKYBOX          // six faces drawn as the background
} mjtTexture;

// What a texture contributes to a material: the column in mat_texid.
typedef enum mjtTextureRole_ {
  mjTEXROLE_USER      = 0,  // free for the application
  mjTEXROLE_RGB,            // base colour
  mjTEXROLE_OCCLUSION,      // shadowing by small surface detail
  mjTEXROLE_ROUGHNESS,      // roughness
  mjTEXROLE_METALLIC,       // metalness
  mjTEXROLE_NORMAL,         // surface normal, as a bump map
  mjTEXROLE_OPACITY,        // opacity
  mjTEXROLE_EMISSIVE,       // colour of emitted light
  mjTEXROLE_RGBA,           // base colour with opacity
  mjTEXROLE_ORM,            // occlusion, roughness and metalness, one per channel
  mjNTEXROLE                // how many roles there are
} mjtTextureRole;

// How the numbers of a texture encode intensity (tex_colorspace).
typedef enum mjtColorSpace_ {
  mjCOLORSPACE_AUTO   = 0,  // decided from the file; sRGB when unknown
  mjCOLORSPACE_LINEAR,      // proportional to intensity
  mjCOLORSPACE_SRGB         // sRGB transfer curve
} mjtColorSpace;

// Time integrators (mjOption.integrator).
typedef enum mjtIntegrator_ {
  mjINT_EULER         = 0,  // semi-implicit Euler, joint damping implicit
  mjINT_RK4,                // fourth-order Runge-Kutta, four dynamics evaluations per step
  mjINT_IMPLICIT,           // implicit in velocity, full derivative of forces, LU factorisation
  mjINT_IMPLICITFAST        // implicit in velocity, symmetric part without Coriolis terms, Cholesky
} mjtIntegrator;

// Shape of the friction cone (mjOption.cone).
typedef enum mjtCone_ {
  mjCONE_PYRAMIDAL     = 0,  // pyramid inside the cone, one row per edge
  mjCONE_ELLIPTIC            // the cone itself, one row per contact dimension
} mjtCone;

// Storage of the constraint Jacobian (mjOption.jacobian).
typedef enum mjtJacobian_ {
  mjJAC_DENSE          = 0,  // full rows
  mjJAC_SPARSE,              // compressed rows
  mjJAC_AUTO                 // dense below 60 degrees of freedom, else sparse
} mjtJacobian;

// Algorithm of the constraint solver (mjOption.solver).
typedef enum mjtSolver_ {
  mjSOL_PGS            = 0,  // projected Gauss-Seidel on the forces
  mjSOL_CG,                  // conjugate gradient on the accelerations
  mjSOL_NEWTON               // Newton's method on the accelerations
} mjtSolver;

// Equality constraints (eq_type).
typedef enum mjtEq_ {
  mjEQ_CONNECT        = 0,  // two points stay together, a ball joint
  mjEQ_WELD,                // two frames stay together
  mjEQ_JOINT,               // a joint position is a quartic polynomial of another, or constant
  mjEQ_TENDON,              // a tendon length is a quartic polynomial of another, or constant
  mjEQ_FLEX,                // edges of a flex keep their lengths
  mjEQ_FLEXVERT,            // strain around each vertex of a flex stays at zero
  mjEQ_DISTANCE             // retired; the compiler refuses it
} mjtEq;

// Parts of a tendon's path (wrap_type).
typedef enum mjtWrap_ {
  mjWRAP_NONE         = 0,  // nothing
  mjWRAP_JOINT,             // fixed tendon: a joint times a coefficient
  mjWRAP_PULLEY,            // what follows counts divided by a number
  mjWRAP_SITE,              // passes through a site
  mjWRAP_SPHERE,            // runs around a sphere
  mjWRAP_CYLINDER           // runs around an infinite cylinder
} mjtWrap;

// What an actuator pulls on (actuator_trntype).
typedef enum mjtTrn_ {
  mjTRN_JOINT         = 0,    // a joint, in its own frame
  mjTRN_JOINTINPARENT,        // a ball or free joint, torque axes fixed in the parent
  mjTRN_SLIDERCRANK,          // a rod between two sites that turns rotation into sliding
  mjTRN_TENDON,               // a tendon
  mjTRN_SITE,                 // a wrench at a site, in its frame or in a reference site's
  mjTRN_BODY,                 // a body's contacts, pulled towards each other: adhesion

  mjTRN_UNDEFINED     = 1000  // not yet chosen
} mjtTrn;

// How an activation follows its control, written as its time derivative (actuator_dyntype).
typedef enum mjtDyn_ {
  mjDYN_NONE          = 0,  // no activation: force depends on ctrl directly
  mjDYN_INTEGRATOR,         // act' = ctrl
  mjDYN_FILTER,             // act' = (ctrl - act) / tau, forward difference
  mjDYN_FILTEREXACT,        // the same filter, integrated in closed form
  mjDYN_MUSCLE,             // two time constants, rising and falling
  mjDYN_USER                // mjcb_act_dyn decides
} mjtDyn;

// Gain in force = gain * input + bias (actuator_gaintype); input is the activation if there is one,
// else ctrl.
typedef enum mjtGain_ {
  mjGAIN_FIXED        = 0,  // prm[0]
  mjGAIN_AFFINE,            // prm[0] + prm[1]*length + prm[2]*velocity
  mjGAIN_MUSCLE,            // force-length-velocity curve of a muscle
  mjGAIN_USER               // mjcb_act_gain decides
} mjtGain;

// Bias in the same formula (actuator_biastype).
typedef enum mjtBias_ {
  mjBIAS_NONE         = 0,  // zero
  mjBIAS_AFFINE,            // prm[0] + prm[1]*length + prm[2]*velocity
  mjBIAS_MUSCLE,            // passive force of a muscle
  mjBIAS_USER               // mjcb_act_bias decides
} mjtBias;

// Kinds of model elements, as used by mj_name2id, sensors, tuples and the mjs_* functions.
typedef enum mjtObj_ {
  mjOBJ_UNKNOWN       = 0,    // none, or not known
  mjOBJ_BODY,                 // body; where a pose is meant, its inertial frame
  mjOBJ_XBODY,                // body; where a pose is meant, its own frame
  mjOBJ_JOINT,                // joint
  mjOBJ_DOF,                  // degree of freedom
  mjOBJ_GEOM,                 // geom
  mjOBJ_SITE,                 // site
  mjOBJ_CAMERA,               // camera
  mjOBJ_LIGHT,                // light
  mjOBJ_FLEX,                 // flex
  mjOBJ_MESH,                 // mesh
  mjOBJ_SKIN,                 // skin
  mjOBJ_HFIELD,               // height field
  mjOBJ_TEXTURE,              // texture
  mjOBJ_MATERIAL,             // material
  mjOBJ_PAIR,                 // pair of geoms with contact parameters of its own
  mjOBJ_EXCLUDE,              // pair of bodies that never collide
  mjOBJ_EQUALITY,             // equality constraint
  mjOBJ_TENDON,               // tendon
  mjOBJ_ACTUATOR,             // actuator
  mjOBJ_SENSOR,               // sensor
  mjOBJ_NUMERIC,              // custom numbers
  mjOBJ_TEXT,                 // custom text
  mjOBJ_TUPLE,                // custom list of elements
  mjOBJ_KEY,                  // keyframe
  mjOBJ_PLUGIN,               // plugin instance

  mjNOBJECT,                  // how many kinds a compiled model knows

  // kinds that exist only in an mjSpec
  mjOBJ_FRAME         = 100,  // frame
  mjOBJ_DEFAULT,              // default class
  mjOBJ_MODEL                 // the whole spec
} mjtObj;

// Sensors (sensor_type); in brackets the numbers they write to sensordata. Metres, radians, newtons
// and seconds unless said otherwise.
typedef enum mjtSensor_ {
  // devices mounted at a site or camera
  mjSENS_TOUCH        = 0,  // sum of normal contact forces inside the site (1)
  mjSENS_ACCELEROMETER,     // linear acceleration minus gravity, so upwards at rest; site frame (3)
  mjSENS_VELOCIMETER,       // linear velocity, site frame (3)
  mjSENS_GYRO,              // angular velocity, site frame (3)
  mjSENS_FORCE,             // force the parent exerts on the site's body, site axes (3)
  mjSENS_TORQUE,            // torque the parent exerts on the site's body, about the site (3)
  mjSENS_MAGNETOMETER,      // mjOption.magnetic in the site frame (3)
  mjSENS_RANGEFINDER,       // ray along z of a site, or one per pixel of a camera (see
                            // mjtRayDataField)
  mjSENS_CAMPROJECTION,     // pixel where a camera sees the site (2)

  // scalar joints, tendons and actuators
  mjSENS_JOINTPOS,          // position of a hinge or slide joint (1)
  mjSENS_JOINTVEL,          // its velocity (1)
  mjSENS_TENDONPOS,         // tendon length (1)
  mjSENS_TENDONVEL,         // its rate (1)
  mjSENS_ACTUATORPOS,       // actuator length (1)
  mjSENS_ACTUATORVEL,       // its rate (1)
  mjSENS_ACTUATORFRC,       // force an actuator puts out, before the transmission (1)
  mjSENS_JOINTACTFRC,       // force of all actuators on a joint (1)
  mjSENS_TENDONACTFRC,      // force of all actuators on a tendon (1)

  // ball joints
  mjSENS_BALLQUAT,          // rotation as a unit quaternion (4)
  mjSENS_BALLANGVEL,        // angular velocity in the child frame (3)

  // limits of joints and tendons, zero while the limit is not active
  mjSENS_JOINTLIMITPOS,     // distance to the joint limit less margin (1)
  mjSENS_JOINTLIMITVEL,     // velocity of the joint's limit row (1)
  mjSENS_JOINTLIMITFRC,     // force of the joint's limit row (1)
  mjSENS_TENDONLIMITPOS,    // distance to the tendon limit less margin (1)
  mjSENS_TENDONLIMITVEL,    // velocity of the tendon's limit row (1)
  mjSENS_TENDONLIMITFRC,    // force of the tendon's limit row (1)

  // frame of a body, geom, site or camera, in the world or in a reference frame
  mjSENS_FRAMEPOS,          // position (3)
  mjSENS_FRAMEQUAT,         // orientation as a unit quaternion (4)
  mjSENS_FRAMEXAXIS,        // direction of the x axis (3)
  mjSENS_FRAMEYAXIS,        // direction of the y axis (3)
  mjSENS_FRAMEZAXIS,        // direction of the z axis (3)
  mjSENS_FRAMELINVEL,       // linear velocity (3)
  mjSENS_FRAMEANGVEL,       // angular velocity (3)
  mjSENS_FRAMELINACC,       // linear acceleration minus gravity, as of an accelerometer (3)
  mjSENS_FRAMEANGACC,       // angular acceleration (3)

  // a body with everything below it, in the world frame
  mjSENS_SUBTREECOM,        // centre of mass (3)
  mjSENS_SUBTREELINVEL,     // velocity of the centre of mass (3)
  mjSENS_SUBTREEANGMOM,     // angular momentum about the centre of mass (3)

  // geometry
  mjSENS_INSIDESITE,        // 1 if the object's position lies in the site's volume, else 0 (1)
  mjSENS_GEOMDIST,          // signed distance of closest approach of two geoms or bodies (1)
  mjSENS_GEOMNORMAL,        // unit vector along that smallest distance (3)
  mjSENS_GEOMFROMTO,        // its two end points in the world (6)

  // contacts that match two geoms, bodies or subtrees, or lie in a site
  mjSENS_CONTACT,           // chosen fields of chosen contacts (see mjtConDataField)

  // the whole system
  mjSENS_E_POTENTIAL,       // potential energy (1)
  mjSENS_E_KINETIC,         // kinetic energy (1)
  mjSENS_CLOCK,             // simulated time (1)

  // pressure map
  mjSENS_TACTILE,           // penetration and slip at every vertex of a mesh, one channel after the
                            // other

  // computed outside the engine
  mjSENS_PLUGIN,            // by a plugin

  mjSENS_USER               // by mjcb_sensor
} mjtSensor;

// How much of the pipeline must have run (sensor_needstage, mj_forwardSkip).
typedef enum mjtStage_ {
  mjSTAGE_NONE        = 0,  // nothing
  mjSTAGE_POS,              // all that depends on positions
  mjSTAGE_VEL,              // and on velocities
  mjSTAGE_ACC               // and on accelerations and forces
} mjtStage;

// What kind of quantity a sensor reports, which decides how cutoff clips it (sensor_datatype).
typedef enum mjtDataType_ {
  mjDATATYPE_REAL     = 0,  // any numbers, clipped to [-cutoff, cutoff]
  mjDATATYPE_POSITIVE,      // never negative, clipped from above only
  mjDATATYPE_AXIS,          // unit vector, never clipped
  mjDATATYPE_QUATERNION     // unit quaternion, never clipped
} mjtDataType;

// Fields of a contact sensor, as bits 1<<field of sensor_intprm[0]; written in this order.
typedef enum mjtConDataField_ {
  mjCONDATA_FOUND     = 0,  // how many contacts matched, 0 for an empty slot (1)
  mjCONDATA_FORCE,          // force in the contact frame (3)
  mjCONDATA_TORQUE,         // torque in the contact frame (3)
  mjCONDATA_DIST,           // gap, negative for penetration (1)
  mjCONDATA_POS,            // position in the world (3)
  mjCONDATA_NORMAL,         // normal, from first to second object (3)
  mjCONDATA_TANGENT,        // first tangent (3)

  mjNCONDATA                // how many fields there are
} mjtConDataField;

// Fields of a rangefinder, as bits 1<<field of sensor_intprm[0]; written in this order.
typedef enum mjtRayDataField_ {
  mjRAYDATA_DIST     = 0,  // distance from ray origin to surface, -1 without a hit (1)
  mjRAYDATA_DIR,           // unit direction of the ray, zero without a hit (3)
  mjRAYDATA_ORIGIN,        // start of the ray in the world (3)
  mjRAYDATA_POINT,         // point hit in the world, zero without a hit (3)
  mjRAYDATA_NORMAL,        // normal of the surface hit, zero without a hit (3)
  mjRAYDATA_DEPTH,         // distance from the image plane, -1 without a hit (1)

  mjNRAYDATA               // how many fields there are
} mjtRayDataField;

// Images a camera is meant to deliver (bits of cam_output).
typedef enum mjtCamOutBit_ {
  mjCAMOUT_RGB        = 1<<0,  // colour
  mjCAMOUT_DEPTH      = 1<<1,  // distance from the image plane
  mjCAMOUT_DIST       = 1<<2,  // distance from the camera
  mjCAMOUT_NORMAL     = 1<<3,  // surface normals
  mjCAMOUT_SEG        = 1<<4,  // element ids

  mjNCAMOUT           = 5      // how many bits are defined
} mjtCamOutBit;

// Shortcut for elements whose frame coincides with one of their body's frames.
typedef enum mjtSameFrame_ {
  mjSAMEFRAME_NONE    = 0,  // no coincidence
  mjSAMEFRAME_BODY,         // equals the body frame
  mjSAMEFRAME_INERTIA,      // equals the inertial frame
  mjSAMEFRAME_BODYROT,      // oriented as the body frame
  mjSAMEFRAME_INERTIAROT    // oriented as the inertial frame
} mjtSameFrame;

// Whether a tree may sleep (tree_sleep_policy).
typedef enum mjtSleepPolicy_ {
  mjSLEEP_AUTO        = 0,  // left to the compiler
  mjSLEEP_AUTO_NEVER,       // compiler found a reason against it
  mjSLEEP_AUTO_ALLOWED,     // compiler found no reason against it
  mjSLEEP_NEVER,            // forbidden by the model's author
  mjSLEEP_ALLOWED,          // allowed by the model's author
  mjSLEEP_INIT,             // allowed, and asleep from the start
} mjtSleepPolicy;

// Actuators whose length range the compiler measures (mjLROpt.mode).
typedef enum mjtLRMode_ {
  mjLRMODE_NONE       = 0,  // none
  mjLRMODE_MUSCLE,          // those with a muscle gain or bias
  mjLRMODE_MUSCLEUSER,      // those with a muscle or user gain or bias
  mjLRMODE_ALL              // all
} mjtLRMode;

// How elements of one flex are tested against each other (flex_selfcollide).
typedef enum mjtFlexSelf_ {
  mjFLEXSELF_NONE     = 0,  // not at all
  mjFLEXSELF_NARROW,        // every pair goes to the narrow phase
  mjFLEXSELF_BVH,           // pairs found in a bounding volume hierarchy
  mjFLEXSELF_SAP,           // pairs found by sweep and prune
  mjFLEXSELF_AUTO           // hierarchy for solids, sweep and prune otherwise
} mjtFlexSelf;

// How two signed distances a and b combine in mjc_distance.
typedef enum mjtSDFType_ {
  mjSDFTYPE_SINGLE    = 0,  // a alone
  mjSDFTYPE_INTERSECTION,   // max(a, b)
  mjSDFTYPE_MIDSURFACE,     // a - b
  mjSDFTYPE_COLLISION,      // a + b + |max(a, b)|
} mjtSDFType;

//---- Options of the compiler and the simulation --------------------------------------------------

// How mj_setLengthRange measures the shortest and longest reach of an actuator: it pulls each way
// with a force that gives a set acceleration and watches where the length settles.
struct mjLROpt_ {
  // which actuators
  int mode;          // mjtLRMode
  int useexisting;   // 1: keep a range the model already has
  int uselimit;      // 1: take the range from the joint's or tendon's limit where there is one

  // the pulling simulation
  mjtNum accel;      // acceleration the force aims for
  mjtNum maxforce;   // largest force; 0: no bound
  mjtNum timeconst;  // time constant of the extra velocity damping (s), 0 or more
  mjtNum timestep;   // timestep (s); 0: that of the model
  mjtNum inttotal;   // simulated time of one pull (s)
  mjtNum interval;   // final part of it in which the length is watched (s)
  mjtNum tolrange;   // error when the watched variation exceeds this fraction of the range
};
typedef struct mjLROpt_ mjLROpt;

// Cache of processed assets, shared by compilations. Opaque; see mj_getCache.
struct mjCache_ {
  void* impl_;  // private
};
typedef struct mjCache_ mjCache;

// Files in memory that take precedence over the disk. Opaque; see mj_defaultVFS.
struct mjVFS_ {
  void* impl_;  // private
};
typedef struct mjVFS_ mjVFS;

// Physics options, changeable between steps.
struct mjOption_ {
  mjtNum timestep;          // step length (s)

  // constraint solver and collision detection
  mjtNum impratio;          // friction against normal impedance of a contact; above 1 gives less
                            // slip
  mjtNum tolerance;         // main solver stops when scaled improvement and gradient fall below
  mjtNum ls_tolerance;      // the same for its line search
  mjtNum noslip_tolerance;  // the same for the noslip pass
  mjtNum ccd_tolerance;     // convex collision stops when its distance bounds are this close

  // sleeping
  mjtNum sleep_tolerance;   // speed below which a tree counts as resting

  // surroundings
  mjtNum gravity[3];        // acceleration of gravity
  mjtNum wind[3];           // velocity of the medium
  mjtNum magnetic[3];       // magnetic flux for magnetometers
  mjtNum density;           // density of the medium; 0: no inertial fluid forces
  mjtNum viscosity;         // viscosity of the medium; 0: no viscous fluid forces

  // contact parameters that replace all others when mjENBL_OVERRIDE is set
  mjtNum o_margin;          // margin
  mjtNum o_solref[mjNREF];  // reference dynamics
  mjtNum o_solimp[mjNIMP];  // impedance
  mjtNum o_friction[5];     // sliding (two), torsional, rolling (two)

  // choices and counts
  int integrator;           // mjtIntegrator
  int cone;                 // mjtCone
  int jacobian;             // mjtJacobian
  int solver;               // mjtSolver
  int iterations;           // most iterations of the main solver
  int ls_iterations;        // most iterations of its line search
  int noslip_iterations;    // iterations of the noslip pass; 0: no such pass
  int ccd_iterations;       // most iterations of convex collision detection
  int disableflags;         // mjtDisableBit combined
  int enableflags;          // mjtEnableBit combined
  int disableactuator;      // bit i switches off the actuators of group i

  // signed distance fields
  int sdf_initpoints;       // starting points of the search for contacts
  int sdf_iterations;       // descent iterations per starting point
};
typedef struct mjOption_ mjOption;

// Defaults for whoever draws the model; the physics does not read them.
struct mjVisual_ {
  struct {
    int   cameraid;          // initial camera: its id, or -1 for the free one
    int   orthographic;      // 1: the free camera is orthographic
    float fovy;              // vertical view of the free camera: degrees, or length if orthographic
    float ipd;               // distance between the eyes of the free camera
    float azimuth;           // initial heading of the free camera (degrees)
    float elevation;         // initial pitch of the free camera (degrees)
    float linewidth;         // width of lines in pixels
    float glow;              // brightness added to the selected body
    float realtime;          // speed wanted relative to real time
    int   offwidth;          // width of the offscreen buffer in pixels
    int   offheight;         // its height in pixels
    int   ellipsoidinertia;  // 1: inertia drawn as ellipsoids, 0: as boxes
    int   bvactive;          // 1: active bounding volumes get a colour of their own
  } global;  // general

  struct {
    int   shadowsize;  // side of the shadow map in pixels
    int   offsamples;  // samples per offscreen pixel
    int   numslices;   // slices around built-in round shapes
    int   numstacks;   // stacks along built-in round shapes
    int   numquads;    // rectangles per side of a box
  } quality;  // effort of the renderer

  struct {
    float ambient[3];   // ambient colour
    float diffuse[3];   // diffuse colour
    float specular[3];  // specular colour
    int   active;       // 1: on
  } headlight;  // light that travels with the camera

  struct {
    float stiffness;       // mouse dragging: force per distance, relative to mass
    float stiffnessrot;    // mouse twisting: torque per angle, relative to inertia
    float force;           // length of a force arrow per unit of force
    float torque;          // length of a torque arrow per unit of torque
    float alpha;           // factor on opacity when transparency is on
    float fogstart;        // fog begins, in multiples of mjStatistic.extent
    float fogend;          // fog is full, likewise
    float znear;           // near clipping plane, likewise
    float zfar;            // far clipping plane, likewise
    float haze;            // share of the sky box covered by haze
    float shadowclip;      // reach of directional shadows, in multiples of extent
    float shadowscale;     // fraction of a spot light's cone that casts shadows
    float actuatortendon;  // actuators on tendons: width as a multiple of the tendon's
  } map;  // from physical quantities to what is drawn

  struct {
    float forcewidth;      // width of force arrows
    float contactwidth;    // radius of contact discs
    float contactheight;   // thickness of contact discs
    float connect;         // width of lines between body centres
    float com;             // radius of centre of mass spheres
    float camera;          // size of cameras
    float light;           // size of lights
    float selectpoint;     // radius of the selection point
    float jointlength;     // length of joint arrows
    float jointwidth;      // width of joint arrows
    float actuatorlength;  // length of actuators
    float actuatorwidth;   // width of actuators
    float framelength;     // length of frame axes
    float framewidth;      // width of frame axes
    float constraint;      // width of constraint lines
    float slidercrank;     // width of slider-cranks
    float frustum;         // distance of the drawn image plane of a camera
  } scale;  // sizes of markers, in multiples of mjStatistic.meansize

  struct {
    float fog[4];               // fog
    float haze[4];              // haze
    float force[4];             // external forces
    float inertia[4];           // inertia boxes and ellipsoids
    float joint[4];             // joints
    float actuator[4];          // actuators at zero activation or control
    float actuatornegative[4];  // actuators at the lower end
    float actuatorpositive[4];  // actuators at the upper end
    float com[4];               // centres of mass
    float camera[4];            // cameras
    float light[4];             // lights
    float selectpoint[4];       // selection point
    float connect[4];           // lines between body centres
    float contactpoint[4];      // contact discs
    float contactforce[4];      // contact forces
    float contactfriction[4];   // friction part of contact forces
    float contacttorque[4];     // contact torques
    float contactgap[4];        // contacts inside the gap, which carry no force
    float rangefinder[4];       // rays of rangefinders
    float constraint[4];        // constraints
    float slidercrank[4];       // slider-cranks
    float crankbroken[4];       // slider-cranks that cannot close
    float frustum[4];           // view volumes of cameras
    float bv[4];                // bounding volumes
    float bvactive[4];          // active bounding volumes
  } rgba;  // colours, each red, green, blue, alpha in [0, 1]
};
typedef struct mjVisual_ mjVisual;

// Rough measures of the model, used to scale tolerances and drawings.
struct mjStatistic_ {
  mjtNum meaninertia;  // mean diagonal entry of the joint-space inertia
  mjtNum meanmass;     // mean body mass
  mjtNum meansize;     // mean body size
  mjtNum extent;       // size of the whole model
  mjtNum center[3];    // middle of the model
};
typedef struct mjStatistic_ mjStatistic;

//---- The model -----------------------------------------------------------------------------------

// One compiled model: sizes, options, then the arrays those sizes describe.
struct mjModel_ {
  // Sizes that fix the layout of mjModel.
  mjtSize nq;                       // length of qpos, the generalised positions
  mjtSize nv;                       // length of qvel, the degrees of freedom
  mjtSize nu;                       // actuators, length of ctrl
  mjtSize na;                       // length of act, the activations
  mjtSize nbody;                    // bodies, the world (body 0) included
  mjtSize nbvh;                     // bounding volumes of all hierarchies
  mjtSize nbvhstatic;               // those with boxes fixed in a moving frame (bvh_aabb)
  mjtSize nbvhdynamic;              // those with boxes that change, for flexes
                                    // (mjData.bvh_aabb_dyn)
  mjtSize noct;                     // cells of all octrees
  mjtSize njnt;                     // joints
  mjtSize ntree;                    // kinematic trees: groups of bodies linked by joints, apart
                                    // from each other
  mjtSize nM;                       // non-zeros of the joint-space inertia in the layout of qM
  mjtSize nB;                       // non-zeros of the body-to-dof matrix
  mjtSize nC;                       // non-zeros of the lower triangle of the inertia, layout of M
  mjtSize nD;                       // non-zeros of a full dof-to-dof matrix
  mjtSize ngeom;                    // geoms
  mjtSize nsite;                    // sites
  mjtSize ncam;                     // cameras
  mjtSize nlight;                   // lights
  mjtSize nflex;                    // flexes
  mjtSize nflexnode;                // flex nodes of all flexes
  mjtSize nflexvert;                // flex vertices
  mjtSize nflexedge;                // flex edges
  mjtSize nflexelem;                // flex elements
  mjtSize nflexelemdata;            // vertex indices of all flex elements
  mjtSize nflexelemedge;            // edge indices of all flex elements
  mjtSize nflexshelldata;           // vertex indices of all flex shell pieces
  mjtSize nflexevpair;              // element-vertex pairs tested within a flex
  mjtSize nflextexcoord;            // flex texture coordinates
  mjtSize nJfe;                     // non-zeros of the Jacobian of flex edge lengths
  mjtSize nJfv;                     // non-zeros of the Jacobian of flex vertex strains
  mjtSize nmesh;                    // meshes
  mjtSize nmeshvert;                // mesh vertices of all meshes
  mjtSize nmeshnormal;              // mesh normals
  mjtSize nmeshtexcoord;            // mesh texture coordinates
  mjtSize nmeshface;                // mesh triangles
  mjtSize nmeshgraph;               // integers describing convex hulls
  mjtSize nmeshpoly;                // hull polygons, made of coplanar triangles
  mjtSize nmeshpolyvert;            // vertex indices of all polygons
  mjtSize nmeshpolymap;             // polygon indices of all vertices
  mjtSize nskin;                    // skins
  mjtSize nskinvert;                // skin vertices of all skins
  mjtSize nskintexvert;             // skin vertices that have texture coordinates
  mjtSize nskinface;                // skin triangles
  mjtSize nskinbone;                // skin bones
  mjtSize nskinbonevert;            // vertex indices of all bones
  mjtSize nhfield;                  // height fields
  mjtSize nhfielddata;              // elevation samples of all height fields
  mjtSize ntex;                     // textures
  mjtSize ntexdata;                 // bytes of all textures
  mjtSize nmat;                     // materials
  mjtSize npair;                    // geom pairs with their own contact parameters
  mjtSize nexclude;                 // body pairs that never collide
  mjtSize neq;                      // equality constraints
  mjtSize ntendon;                  // tendons
  mjtSize nwrap;                    // path parts of all tendons
  mjtSize nsensor;                  // sensors
  mjtSize nnumeric;                 // custom numeric fields
  mjtSize nnumericdata;             // numbers in all of them
  mjtSize ntext;                    // custom text fields
  mjtSize ntextdata;                // characters in all of them, closing zeros included
  mjtSize ntuple;                   // custom tuples
  mjtSize ntupledata;               // elements in all of them
  mjtSize nkey;                     // keyframes
  mjtSize nmocap;                   // motion-capture bodies
  mjtSize nplugin;                  // plugin instances
  mjtSize npluginattr;              // characters of all plugin settings
  mjtSize nuser_body;               // width of body_user
  mjtSize nuser_jnt;                // width of jnt_user
  mjtSize nuser_geom;               // width of geom_user
  mjtSize nuser_site;               // width of site_user
  mjtSize nuser_cam;                // width of cam_user
  mjtSize nuser_tendon;             // width of tendon_user
  mjtSize nuser_actuator;           // width of actuator_user
  mjtSize nuser_sensor;             // width of sensor_user
  mjtSize nnames;                   // characters of all names, closing zeros included
  mjtSize npaths;                   // characters of all asset paths, closing zeros included

  // Sizes that depend on the ones above, or fix the layout of mjData.
  mjtSize nnames_map;               // slots of the name hash tables
  mjtSize nJmom;                    // non-zeros of the actuator moment matrix
  mjtSize ngravcomp;                // bodies with gravity compensation
  mjtSize nemax;                    // most rows equality constraints can take
  mjtSize njmax;                    // constraint rows to make room for in the arena; -1: automatic
  mjtSize nconmax;                  // contacts to make room for in the arena; -1: automatic
  mjtSize nuserdata;                // numbers in mjData.userdata
  mjtSize nsensordata;              // numbers in mjData.sensordata
  mjtSize npluginstate;             // numbers in mjData.plugin_state
  mjtSize nhistory;                 // numbers in mjData.history

  mjtSize narena;                   // bytes of the arena of mjData: contacts, constraints and
                                    // scratch
  mjtSize nbuffer;                  // bytes of buffer

  // Nested structs.
  mjOption opt;                     // physics options
  mjVisual vis;                     // defaults for drawing
  mjStatistic stat;                 // measures of the model

  // Storage.
  void*     buffer;                 // the one block that holds every array below

  // Reference positions.
  mjtNum*   qpos0;                  // (nq) positions of the model as written, where all joints are
                                    // at their reference
  mjtNum*   qpos_spring;            // (nq) positions where joint springs are at rest

  // Bodies. A body comes after its parent; body 0 is the world.
  int*      body_parentid;          // (nbody) parent body; 0 for the world itself
  int*      body_rootid;            // (nbody) first body below the world on the way to this one
  int*      body_weldid;            // (nbody) highest body this one is rigidly attached to; itself
                                    // if it has joints
  int*      body_mocapid;           // (nbody) row in mocap_pos and mocap_quat, or -1
  int*      body_jntnum;            // (nbody) joints of this body
  int*      body_jntadr;            // (nbody) its first joint, or -1
  int*      body_dofnum;            // (nbody) degrees of freedom of this body
  int*      body_dofadr;            // (nbody) its first one, or -1
  int*      body_treeid;            // (nbody) kinematic tree, or -1 if it cannot move
  int*      body_geomnum;           // (nbody) geoms of this body
  int*      body_geomadr;           // (nbody) its first geom, or -1
  mjtByte*  body_simple;            // (nbody) 1: its block of the inertia matrix is diagonal; 2:
                                    // also all its joints slide
  mjtByte*  body_sameframe;         // (nbody) mjtSameFrame of the inertial frame against the body
                                    // frame
  mjtNum*   body_pos;               // (nbody x 3) position in the parent's frame
  mjtNum*   body_quat;              // (nbody x 4) orientation in the parent's frame
  mjtNum*   body_ipos;              // (nbody x 3) centre of mass in the body frame
  mjtNum*   body_iquat;             // (nbody x 4) orientation of the principal axes in the body
                                    // frame
  mjtNum*   body_mass;              // (nbody) mass
  mjtNum*   body_subtreemass;       // (nbody) mass of the body and everything below it
  mjtNum*   body_inertia;           // (nbody x 3) principal moments of inertia
  mjtNum*   body_invweight0;        // (nbody x 2) mean inverse inertia at qpos0, translation and
                                    // rotation
  mjtNum*   body_gravcomp;          // (nbody) upward force as a fraction of the body's weight; 1
                                    // cancels gravity
  mjtNum*   body_margin;            // (nbody) largest margin of its geoms
  mjtNum*   body_user;              // (nbody x nuser_body) user numbers
  int*      body_plugin;            // (nbody) plugin instance, or -1
  int*      body_contype;           // (nbody) its geoms' contype, combined by or
  int*      body_conaffinity;       // (nbody) its geoms' conaffinity, combined by or
  int*      body_bvhadr;            // (nbody) root of its bounding volume hierarchy, or -1
  int*      body_bvhnum;            // (nbody) bounding volumes in it

  // Bounding volume hierarchies of bodies, meshes and flexes, one after the other.
  int*      bvh_depth;              // (nbvh) depth below its root
  int*      bvh_child;              // (nbvh x 2) children, relative to the root; -1 in a leaf
  int*      bvh_nodeid;             // (nbvh) geom, triangle or element of a leaf; -1 elsewhere
  mjtNum*   bvh_aabb;               // (nbvhstatic x 6) box: centre, half-lengths

  // Octrees of signed distances, for meshes.
  int*      oct_depth;              // (noct) depth below its root
  int*      oct_child;              // (noct x 8) children, relative to the root; -1 where there is
                                    // none
  mjtNum*   oct_aabb;               // (noct x 6) cell: centre, half-lengths
  mjtNum*   oct_coeff;              // (noct x 8) signed distance at the corners

  // Joints.
  int*      jnt_type;               // (njnt) mjtJoint
  int*      jnt_qposadr;            // (njnt) first entry in qpos
  int*      jnt_dofadr;             // (njnt) first entry in qvel
  int*      jnt_bodyid;             // (njnt) body the joint moves
  int*      jnt_group;              // (njnt) group, for drawing
  mjtByte*  jnt_limited;            // (njnt) 1: has limits
  mjtByte*  jnt_actfrclimited;      // (njnt) 1: total actuator force is clamped
  mjtByte*  jnt_actgravcomp;        // (njnt) 1: gravity compensation counts as actuator force
  mjtNum*   jnt_solref;             // (njnt x mjNREF) reference dynamics of the limits
  mjtNum*   jnt_solimp;             // (njnt x mjNIMP) impedance of the limits
  mjtNum*   jnt_pos;                // (njnt x 3) anchor in the body frame
  mjtNum*   jnt_axis;               // (njnt x 3) unit axis in the body frame
  mjtNum*   jnt_stiffness;          // (njnt) spring constant
  mjtNum*   jnt_range;              // (njnt x 2) limits: lower, upper; a ball joint has 0, largest
                                    // angle
  mjtNum*   jnt_actfrcrange;        // (njnt x 2) clamp of the total actuator force
  mjtNum*   jnt_margin;             // (njnt) a limit becomes active this far ahead
  mjtNum*   jnt_user;               // (njnt x nuser_jnt) user numbers

  // Degrees of freedom.
  int*      dof_bodyid;             // (nv) body it moves
  int*      dof_jntid;              // (nv) joint it belongs to
  int*      dof_parentid;           // (nv) previous one on the way to the root, or -1
  int*      dof_treeid;             // (nv) kinematic tree
  int*      dof_Madr;               // (nv) its diagonal entry in qM
  int*      dof_simplenum;          // (nv) how many dofs from here on are simple, 0 if this is not
  mjtNum*   dof_solref;             // (nv x mjNREF) reference dynamics of dry friction
  mjtNum*   dof_solimp;             // (nv x mjNIMP) impedance of dry friction
  mjtNum*   dof_frictionloss;       // (nv) largest dry friction force; 0: none
  mjtNum*   dof_armature;           // (nv) inertia added to the diagonal, as of a rotor
  mjtNum*   dof_damping;            // (nv) damping coefficient
  mjtNum*   dof_invweight0;         // (nv) diagonal of the inverse inertia at qpos0, averaged over
                                    // the joint
  mjtNum*   dof_M0;                 // (nv) diagonal of the inertia at qpos0
  mjtNum*   dof_length;             // (nv) turns speed into length per time for the sleep test: 1
                                    // when linear

  // Kinematic trees.
  int*      tree_bodyadr;           // (ntree) first body
  int*      tree_bodynum;           // (ntree) bodies
  int*      tree_dofadr;            // (ntree) first dof
  int*      tree_dofnum;            // (ntree) dofs
  int*      tree_sleep_policy;      // (ntree) mjtSleepPolicy

  // Geoms.
  int*      geom_type;              // (ngeom) mjtGeom
  int*      geom_contype;           // (ngeom) bits of what it is, for contact filtering
  int*      geom_conaffinity;       // (ngeom) bits of what it collides with
  int*      geom_condim;            // (ngeom) contact dimension: 1, 3, 4 or 6
  int*      geom_bodyid;            // (ngeom) body it is attached to
  int*      geom_dataid;            // (ngeom) mesh or height field, or -1
  int*      geom_matid;             // (ngeom) material, or -1
  int*      geom_group;             // (ngeom) group, for drawing and ray filters
  int*      geom_priority;          // (ngeom) the higher one decides the contact parameters
  int*      geom_plugin;            // (ngeom) plugin instance, or -1
  mjtByte*  geom_sameframe;         // (ngeom) mjtSameFrame against its body
  mjtNum*   geom_solmix;            // (ngeom) weight when contact parameters are averaged
  mjtNum*   geom_solref;            // (ngeom x mjNREF) reference dynamics of contacts
  mjtNum*   geom_solimp;            // (ngeom x mjNIMP) impedance of contacts
  mjtNum*   geom_size;              // (ngeom x 3) dimensions, see mjtGeom
  mjtNum*   geom_aabb;              // (ngeom x 6) box in the geom's frame: centre, half-lengths
  mjtNum*   geom_rbound;            // (ngeom) radius of the bounding sphere; 0 for a plane
  mjtNum*   geom_pos;               // (ngeom x 3) position in the body frame
  mjtNum*   geom_quat;              // (ngeom x 4) orientation in the body frame
  mjtNum*   geom_friction;          // (ngeom x 3) coefficients: sliding, torsional (length),
                                    // rolling (length)
  mjtNum*   geom_margin;            // (ngeom) contacts are detected at this distance
  mjtNum*   geom_gap;               // (ngeom) only those closer than margin - gap carry force
  mjtNum*   geom_fluid;             // (ngeom x mjNFLUID) ellipsoid fluid model: on/off; blunt,
                                    // slender, angular drag; Kutta, Magnus lift; virtual mass (3),
                                    // virtual inertia (3)
  mjtNum*   geom_user;              // (ngeom x nuser_geom) user numbers
  float*    geom_rgba;              // (ngeom x 4) colour where there is no material

  // Sites: massless marked frames.
  int*      site_type;              // (nsite) mjtGeom
  int*      site_bodyid;            // (nsite) body it is attached to
  int*      site_matid;             // (nsite) material, or -1
  int*      site_group;             // (nsite) group, for drawing
  mjtByte*  site_sameframe;         // (nsite) mjtSameFrame against its body
  mjtNum*   site_size;              // (nsite x 3) dimensions, see mjtGeom
  mjtNum*   site_pos;               // (nsite x 3) position in the body frame
  mjtNum*   site_quat;              // (nsite x 4) orientation in the body frame
  mjtNum*   site_user;              // (nsite x nuser_site) user numbers
  float*    site_rgba;              // (nsite x 4) colour where there is no material

  // Cameras. They look along their -z axis with y up.
  int*      cam_mode;               // (ncam) mjtCamLight
  int*      cam_bodyid;             // (ncam) body it is attached to
  int*      cam_targetbodyid;       // (ncam) body it looks at, or -1
  mjtNum*   cam_pos;                // (ncam x 3) position in the body frame
  mjtNum*   cam_quat;               // (ncam x 4) orientation in the body frame
  mjtNum*   cam_poscom0;            // (ncam x 3) offset from the subtree's centre of mass at qpos0,
                                    // world axes
  mjtNum*   cam_pos0;               // (ncam x 3) offset from the body at qpos0, world axes
  mjtNum*   cam_mat0;               // (ncam x 9) orientation in the world at qpos0
  int*      cam_projection;         // (ncam) mjtProjection
  mjtNum*   cam_fovy;               // (ncam) vertical view: degrees, or length if orthographic
  mjtNum*   cam_ipd;                // (ncam) distance between the eyes
  int*      cam_resolution;         // (ncam x 2) image width and height in pixels
  int*      cam_output;             // (ncam) mjtCamOutBit combined
  float*    cam_sensorsize;         // (ncam x 2) width and height of the image sensor; 0: fovy
                                    // applies
  float*    cam_intrinsic;          // (ncam x 4) focal length (two), principal point (two)
  mjtNum*   cam_user;               // (ncam x nuser_cam) user numbers

  // Lights.
  int*      light_mode;             // (nlight) mjtCamLight
  int*      light_bodyid;           // (nlight) body it is attached to
  int*      light_targetbodyid;     // (nlight) body it points at, or -1
  int*      light_type;             // (nlight) mjtLightType
  int*      light_texid;            // (nlight) texture of an image light, or -1
  mjtByte*  light_castshadow;       // (nlight) 1: casts shadows
  float*    light_bulbradius;       // (nlight) radius of the source, for soft shadows
  float*    light_intensity;        // (nlight) luminous intensity in candela; 0: colours as given
  float*    light_range;            // (nlight) reach
  mjtByte*  light_active;           // (nlight) 1: on
  mjtNum*   light_pos;              // (nlight x 3) position in the body frame
  mjtNum*   light_dir;              // (nlight x 3) direction in the body frame
  mjtNum*   light_poscom0;          // (nlight x 3) offset from the subtree's centre of mass at
                                    // qpos0, world axes
  mjtNum*   light_pos0;             // (nlight x 3) offset from the body at qpos0, world axes
  mjtNum*   light_dir0;             // (nlight x 3) direction in the world at qpos0
  float*    light_attenuation;      // (nlight x 3) constant, linear and quadratic in distance
  float*    light_cutoff;           // (nlight) half-angle of a spot (degrees)
  float*    light_exponent;         // (nlight) how fast a spot fades towards its edge
  float*    light_ambient;          // (nlight x 3) ambient colour
  float*    light_diffuse;          // (nlight x 3) diffuse colour
  float*    light_specular;         // (nlight x 3) specular colour

  // Flexes: deformable lines, surfaces and solids. First how they collide.
  int*      flex_contype;           // (nflex) bits of what it is, for contact filtering
  int*      flex_conaffinity;       // (nflex) bits of what it collides with
  int*      flex_condim;            // (nflex) contact dimension: 1, 3, 4 or 6
  int*      flex_priority;          // (nflex) the higher one decides the contact parameters
  mjtNum*   flex_solmix;            // (nflex) weight when contact parameters are averaged
  mjtNum*   flex_solref;            // (nflex x mjNREF) reference dynamics of contacts
  mjtNum*   flex_solimp;            // (nflex x mjNIMP) impedance of contacts
  mjtNum*   flex_friction;          // (nflex x 3) coefficients: sliding, torsional, rolling
  mjtNum*   flex_margin;            // (nflex) contacts are detected at this distance
  mjtNum*   flex_gap;               // (nflex) only those closer than margin - gap carry force
  mjtByte*  flex_internal;          // (nflex) 1: vertices collide with elements they oppose,
                                    // against inversion
  int*      flex_selfcollide;       // (nflex) mjtFlexSelf
  int*      flex_activelayers;      // (nflex) layers of a solid, from outside, that collide
  int*      flex_passive;           // (nflex) 1: contacts act as passive forces instead of
                                    // constraints

  // Flexes: geometry and elasticity. Indices of vertices, edges and elements are relative to the
  // flex.
  int*      flex_dim;               // (nflex) 1: line, 2: surface, 3: solid
  int*      flex_matid;             // (nflex) material, or -1
  int*      flex_group;             // (nflex) group, for drawing
  int*      flex_interp;            // (nflex) order of interpolation from nodes; 0: vertices move
                                    // on their own
  int*      flex_nodeadr;           // (nflex) first node
  int*      flex_nodenum;           // (nflex) nodes
  int*      flex_vertadr;           // (nflex) first vertex
  int*      flex_vertnum;           // (nflex) vertices
  int*      flex_edgeadr;           // (nflex) first edge
  int*      flex_edgenum;           // (nflex) edges
  int*      flex_elemadr;           // (nflex) first element
  int*      flex_elemnum;           // (nflex) elements
  int*      flex_elemdataadr;       // (nflex) first entry in flex_elem
  int*      flex_elemedgeadr;       // (nflex) first entry in flex_elemedge
  int*      flex_shellnum;          // (nflex) pieces of the outer shell
  int*      flex_shelldataadr;      // (nflex) first entry in flex_shell
  int*      flex_evpairadr;         // (nflex) first row in flex_evpair
  int*      flex_evpairnum;         // (nflex) rows in flex_evpair
  int*      flex_texcoordadr;       // (nflex) first texture coordinate, or -1
  int*      flex_nodebodyid;        // (nflexnode) body that carries the node
  int*      flex_vertbodyid;        // (nflexvert) body that carries the vertex; -1 if interpolated
  int*      flex_vertedgeadr;       // (nflexvert) first entry in flex_vertedge
  int*      flex_vertedgenum;       // (nflexvert) edges at the vertex
  int*      flex_vertedge;          // (nflexedge x 2) edges at each vertex in turn
  int*      flex_edge;              // (nflexedge x 2) two vertices of the edge
  int*      flex_edgeflap;          // (nflexedge x 2) vertices opposite to the edge on either side;
                                    // -1 at a border
  int*      flex_elem;              // (nflexelemdata) dim + 1 vertices of each element
  int*      flex_elemtexcoord;      // (nflexelemdata) texture coordinates of the same
  int*      flex_elemedge;          // (nflexelemedge) edges of each element
  int*      flex_elemlayer;         // (nflexelem) distance of the element from the surface, in
                                    // elements; solids only
  int*      flex_shell;             // (nflexshelldata) dim vertices of each shell piece
  int*      flex_evpair;            // (nflexevpair x 2) element, vertex
  mjtNum*   flex_vert;              // (nflexvert x 3) position in the frame of the vertex's body
  mjtNum*   flex_vert0;             // (nflexvert x 3) coordinates at qpos0 in the box of the flex,
                                    // in [0, 1]
  mjtNum*   flex_vertmetric;        // (nflexvert x 4) inverse of the vertex's reference shape
                                    // matrix, for strains
  mjtNum*   flex_node;              // (nflexnode x 3) position in the frame of the node's body
  mjtNum*   flex_node0;             // (nflexnode x 3) position in the world at qpos0
  mjtNum*   flexedge_length0;       // (nflexedge) length at qpos0
  mjtNum*   flexedge_invweight0;    // (nflexedge) inverse inertia seen along the edge at qpos0
  mjtNum*   flex_radius;            // (nflex) thickness around vertices, edges and faces
  mjtNum*   flex_size;              // (nflex x 3) half-lengths of the vertices' box at qpos0
  mjtNum*   flex_stiffness;         // (nflexelem x 21) elasticity of the element: upper triangle of
                                    // a matrix over its edges
  mjtNum*   flex_bending;           // (nflexedge x 17) bending coefficients of an edge
  mjtNum*   flex_damping;           // (nflex) Rayleigh damping (s): force per strain rate, relative
                                    // to stiffness
  mjtNum*   flex_edgestiffness;     // (nflex) spring constant of edges
  mjtNum*   flex_edgedamping;       // (nflex) damping of edges
  int*      flex_edgeequality;      // (nflex) 0: no equality on edges, 1: on edge lengths, 2: on
                                    // vertex strains
  mjtByte*  flex_rigid;             // (nflex) 1: all vertices are on one body
  mjtByte*  flexedge_rigid;         // (nflexedge) 1: both vertices are on one body
  mjtByte*  flex_centered;          // (nflex) 1: all vertices sit at their bodies' origins
  mjtByte*  flex_flatskin;          // (nflex) 1: drawn with one normal per face
  int*      flex_bvhadr;            // (nflex) root of its bounding volume hierarchy, or -1
  int*      flex_bvhnum;            // (nflex) bounding volumes in it
  int*      flexedge_J_rownnz;      // (nflexedge) edge Jacobian: non-zeros of the row
  int*      flexedge_J_rowadr;      // (nflexedge) where the row starts
  int*      flexedge_J_colind;      // (nJfe) dofs of the non-zeros
  int*      flexvert_J_rownnz;      // (nflexvert x 2) strain Jacobian: non-zeros of each of the two
                                    // rows
  int*      flexvert_J_rowadr;      // (nflexvert x 2) where they start
  int*      flexvert_J_colind;      // (nJfv x 2) dofs of the non-zeros
  float*    flex_rgba;              // (nflex x 4) colour where there is no material
  float*    flex_texcoord;          // (nflextexcoord x 2) texture coordinates

  // Meshes. Indices of vertices, normals and triangles are relative to the mesh.
  int*      mesh_vertadr;           // (nmesh) first vertex
  int*      mesh_vertnum;           // (nmesh) vertices
  int*      mesh_faceadr;           // (nmesh) first triangle
  int*      mesh_facenum;           // (nmesh) triangles
  int*      mesh_bvhadr;            // (nmesh) root of the hierarchy of triangles
  int*      mesh_bvhnum;            // (nmesh) bounding volumes in it
  int*      mesh_octadr;            // (nmesh) root of the octree, or -1
  int*      mesh_octnum;            // (nmesh) cells in it
  int*      mesh_normaladr;         // (nmesh) first normal
  int*      mesh_normalnum;         // (nmesh) normals
  int*      mesh_texcoordadr;       // (nmesh) first texture coordinate, or -1
  int*      mesh_texcoordnum;       // (nmesh) texture coordinates
  int*      mesh_graphadr;          // (nmesh) start of the convex hull in mesh_graph, or -1
  float*    mesh_vert;              // (nmeshvert x 3) position in the mesh frame: centred, along
                                    // principal axes
  float*    mesh_normal;            // (nmeshnormal x 3) unit normal
  float*    mesh_texcoord;          // (nmeshtexcoord x 2) texture coordinate
  int*      mesh_face;              // (nmeshface x 3) three vertices of the triangle
  int*      mesh_facenormal;        // (nmeshface x 3) their normals
  int*      mesh_facetexcoord;      // (nmeshface x 3) their texture coordinates
  int*      mesh_graph;             // (nmeshgraph) convex hulls: counts, vertices, neighbours,
                                    // triangles
  mjtNum*   mesh_scale;             // (nmesh x 3) factors applied to the asset's vertices
  mjtNum*   mesh_pos;               // (nmesh x 3) where the mesh frame lay in the asset
  mjtNum*   mesh_quat;              // (nmesh x 4) how it was turned in the asset
  int*      mesh_pathadr;           // (nmesh) asset's file name in paths, or -1
  int*      mesh_polynum;           // (nmesh) hull polygons
  int*      mesh_polyadr;           // (nmesh) first polygon
  mjtNum*   mesh_polynormal;        // (nmeshpoly x 3) unit normal of the polygon
  int*      mesh_polyvertadr;       // (nmeshpoly) first entry in mesh_polyvert
  int*      mesh_polyvertnum;       // (nmeshpoly) vertices of the polygon
  int*      mesh_polyvert;          // (nmeshpolyvert) vertices of all polygons
  int*      mesh_polymapadr;        // (nmeshvert) first entry in mesh_polymap
  int*      mesh_polymapnum;        // (nmeshvert) polygons at the vertex
  int*      mesh_polymap;           // (nmeshpolymap) polygons of all vertices

  // Skins: surfaces drawn over bodies, without physics. Indices are relative to the skin.
  int*      skin_matid;             // (nskin) material, or -1
  int*      skin_group;             // (nskin) group, for drawing
  float*    skin_rgba;              // (nskin x 4) colour where there is no material
  float*    skin_inflate;           // (nskin) offset along the normals
  int*      skin_vertadr;           // (nskin) first vertex
  int*      skin_vertnum;           // (nskin) vertices
  int*      skin_texcoordadr;       // (nskin) first texture coordinate, or -1
  int*      skin_faceadr;           // (nskin) first triangle
  int*      skin_facenum;           // (nskin) triangles
  int*      skin_boneadr;           // (nskin) first bone
  int*      skin_bonenum;           // (nskin) bones
  float*    skin_vert;              // (nskinvert x 3) position at bind time
  float*    skin_texcoord;          // (nskintexvert x 2) texture coordinate
  int*      skin_face;              // (nskinface x 3) three vertices of the triangle
  int*      skin_bonevertadr;       // (nskinbone) first entry in skin_bonevertid
  int*      skin_bonevertnum;       // (nskinbone) vertices the bone moves
  float*    skin_bonebindpos;       // (nskinbone x 3) position of the body at bind time
  float*    skin_bonebindquat;      // (nskinbone x 4) orientation of the body at bind time
  int*      skin_bonebodyid;        // (nskinbone) body the bone follows
  int*      skin_bonevertid;        // (nskinbonevert) vertices of all bones
  float*    skin_bonevertweight;    // (nskinbonevert) their weights
  int*      skin_pathadr;           // (nskin) asset's file name in paths, or -1

  // Height fields.
  mjtNum*   hfield_size;            // (nhfield x 4) half-length in x, half-length in y, height of
                                    // elevation 1, depth of the base
  int*      hfield_nrow;            // (nhfield) rows, along y
  int*      hfield_ncol;            // (nhfield) columns, along x
  int*      hfield_adr;             // (nhfield) first sample
  float*    hfield_data;            // (nhfielddata) elevations in [0, 1], row by row
  int*      hfield_pathadr;         // (nhfield) asset's file name in paths, or -1

  // Textures.
  int*      tex_type;               // (ntex) mjtTexture
  int*      tex_colorspace;         // (ntex) mjtColorSpace
  int*      tex_height;             // (ntex) rows, of all cube faces together
  int*      tex_width;              // (ntex) columns
  int*      tex_nchannel;           // (ntex) bytes per pixel
  mjtSize*  tex_adr;                // (ntex) first byte
  mjtByte*  tex_data;               // (ntexdata) pixels
  int*      tex_pathadr;            // (ntex) asset's file name in paths, or -1

  // Materials.
  int*      mat_texid;              // (nmat x mjNTEXROLE) texture for each mjtTextureRole, or -1
  mjtByte*  mat_texuniform;         // (nmat) 1: texture repeats per unit of space, not per object
  float*    mat_texrepeat;          // (nmat x 2) repetitions in x and y
  float*    mat_emission;           // (nmat) emitted light, as a multiple of rgba
  float*    mat_specular;           // (nmat) specular light, times white
  float*    mat_shininess;          // (nmat) sharpness of highlights
  float*    mat_reflectance;        // (nmat) mirror share; 0: none
  float*    mat_metallic;           // (nmat) metalness
  float*    mat_roughness;          // (nmat) roughness
  float*    mat_rgba;               // (nmat x 4) colour

  // Pairs of geoms with contact parameters of their own, sorted by signature.
  int*      pair_dim;               // (npair) contact dimension
  int*      pair_geom1;             // (npair) first geom
  int*      pair_geom2;             // (npair) second geom
  int*      pair_signature;         // (npair) smaller body id shifted left by 16 bits, plus the
                                    // other
  mjtNum*   pair_solref;            // (npair x mjNREF) reference dynamics in the normal direction
  mjtNum*   pair_solreffriction;    // (npair x mjNREF) reference dynamics in the friction
                                    // directions; 0: as normal
  mjtNum*   pair_solimp;            // (npair x mjNIMP) impedance
  mjtNum*   pair_margin;            // (npair) contacts are detected at this distance
  mjtNum*   pair_gap;               // (npair) only those closer than margin - gap carry force
  mjtNum*   pair_friction;          // (npair x 5) sliding (two), torsional, rolling (two)

  // Pairs of bodies that never collide, sorted.
  int*      exclude_signature;      // (nexclude) as pair_signature

  // Equality constraints.
  int*      eq_type;                // (neq) mjtEq
  int*      eq_obj1id;              // (neq) first object
  int*      eq_obj2id;              // (neq) second object, or -1
  int*      eq_objtype;             // (neq) mjtObj of both
  mjtByte*  eq_active0;             // (neq) 1: active after a reset
  mjtNum*   eq_solref;              // (neq x mjNREF) reference dynamics
  mjtNum*   eq_solimp;              // (neq x mjNIMP) impedance
  mjtNum*   eq_data;                // (neq x mjNEQDATA) connect: anchors in the first and second
                                    // body (3, 3); weld: anchors in the second and first (3, 3),
                                    // orientation of the second in the first (4), torque scale;
                                    // joint, tendon: polynomial (5)

  // Tendons.
  int*      tendon_adr;             // (ntendon) first path part
  int*      tendon_num;             // (ntendon) path parts
  int*      tendon_matid;           // (ntendon) material, or -1
  int*      tendon_group;           // (ntendon) group, for drawing
  int*      tendon_treenum;         // (ntendon) kinematic trees it touches
  int*      tendon_treeid;          // (ntendon x 2) the first two of them
  mjtByte*  tendon_limited;         // (ntendon) 1: has limits
  mjtByte*  tendon_actfrclimited;   // (ntendon) 1: total actuator force is clamped
  mjtNum*   tendon_width;           // (ntendon) radius, for drawing
  mjtNum*   tendon_solref_lim;      // (ntendon x mjNREF) reference dynamics of the limits
  mjtNum*   tendon_solimp_lim;      // (ntendon x mjNIMP) impedance of the limits
  mjtNum*   tendon_solref_fri;      // (ntendon x mjNREF) reference dynamics of dry friction
  mjtNum*   tendon_solimp_fri;      // (ntendon x mjNIMP) impedance of dry friction
  mjtNum*   tendon_range;           // (ntendon x 2) limits of the length: lower, upper
  mjtNum*   tendon_actfrcrange;     // (ntendon x 2) clamp of the total actuator force
  mjtNum*   tendon_margin;          // (ntendon) a limit becomes active this far ahead
  mjtNum*   tendon_stiffness;       // (ntendon) spring constant
  mjtNum*   tendon_damping;         // (ntendon) damping coefficient
  mjtNum*   tendon_armature;        // (ntendon) inertia of the tendon's own motion
  mjtNum*   tendon_frictionloss;    // (ntendon) largest dry friction force; 0: none
  mjtNum*   tendon_lengthspring;    // (ntendon x 2) lengths between which the spring is at rest
  mjtNum*   tendon_length0;         // (ntendon) length at qpos0
  mjtNum*   tendon_invweight0;      // (ntendon) inverse inertia along the tendon at qpos0
  mjtNum*   tendon_user;            // (ntendon x nuser_tendon) user numbers
  float*    tendon_rgba;            // (ntendon x 4) colour where there is no material

  // Parts of tendon paths.
  int*      wrap_type;              // (nwrap) mjtWrap
  int*      wrap_objid;             // (nwrap) joint, site or geom, or -1
  mjtNum*   wrap_prm;               // (nwrap) joint: coefficient; pulley: divisor; sphere,
                                    // cylinder: side site, or -1

  // Actuators.
  int*      actuator_trntype;       // (nu) mjtTrn
  int*      actuator_dyntype;       // (nu) mjtDyn
  int*      actuator_gaintype;      // (nu) mjtGain
  int*      actuator_biastype;      // (nu) mjtBias
  int*      actuator_trnid;         // (nu x 2) target; second target of a slider-crank or site, or
                                    // -1
  int*      actuator_actadr;        // (nu) first activation, or -1
  int*      actuator_actnum;        // (nu) activations
  int*      actuator_group;         // (nu) group, for drawing and mjOption.disableactuator
  int*      actuator_history;       // (nu x 2) samples of ctrl kept, order of interpolation
  int*      actuator_historyadr;    // (nu) start in mjData.history, or -1
  mjtNum*   actuator_delay;         // (nu) delay of ctrl (s)
  mjtByte*  actuator_ctrllimited;   // (nu) 1: ctrl is clamped
  mjtByte*  actuator_forcelimited;  // (nu) 1: force is clamped
  mjtByte*  actuator_actlimited;    // (nu) 1: activation is clamped
  mjtNum*   actuator_dynprm;        // (nu x mjNDYN) numbers of the activation dynamics
  mjtNum*   actuator_gainprm;       // (nu x mjNGAIN) numbers of the gain
  mjtNum*   actuator_biasprm;       // (nu x mjNBIAS) numbers of the bias
  mjtByte*  actuator_actearly;      // (nu) 1: force uses the activation of the end of the step
  mjtNum*   actuator_ctrlrange;     // (nu x 2) clamp of ctrl
  mjtNum*   actuator_forcerange;    // (nu x 2) clamp of force
  mjtNum*   actuator_actrange;      // (nu x 2) clamp of activation
  mjtNum*   actuator_gear;          // (nu x 6) scale of length and force; for sites and free joints
                                    // a wrench
  mjtNum*   actuator_cranklength;   // (nu) length of the slider-crank's rod
  mjtNum*   actuator_acc0;          // (nu) size of the acceleration from unit force at qpos0
  mjtNum*   actuator_length0;       // (nu) length at qpos0
  mjtNum*   actuator_lengthrange;   // (nu x 2) shortest and longest reachable length
  mjtNum*   actuator_user;          // (nu x nuser_actuator) user numbers
  int*      actuator_plugin;        // (nu) plugin instance, or -1

  // Sensors.
  int*      sensor_type;            // (nsensor) mjtSensor
  int*      sensor_datatype;        // (nsensor) mjtDataType
  int*      sensor_needstage;       // (nsensor) mjtStage after which it can be computed
  int*      sensor_objtype;         // (nsensor) mjtObj of the sensed object
  int*      sensor_objid;           // (nsensor) its id, or -1
  int*      sensor_reftype;         // (nsensor) mjtObj of the reference frame
  int*      sensor_refid;           // (nsensor) its id, or -1 for the world
  int*      sensor_intprm;          // (nsensor x mjNSENS) contact: fields (mjtConDataField),
                                    // reduction, slots; rangefinder: fields (mjtRayDataField); else
                                    // unused
  int*      sensor_dim;             // (nsensor) numbers it writes
  int*      sensor_adr;             // (nsensor) where in sensordata
  mjtNum*   sensor_cutoff;          // (nsensor) clip, see mjtDataType; 0: none
  mjtNum*   sensor_noise;           // (nsensor) standard deviation, for the application; the engine
                                    // adds no noise
  int*      sensor_history;         // (nsensor x 2) samples kept, order of interpolation
  int*      sensor_historyadr;      // (nsensor) start in mjData.history, or -1
  mjtNum*   sensor_delay;           // (nsensor) delay of readings (s)
  mjtNum*   sensor_interval;        // (nsensor x 2) period between samples (s), phase (s); period
                                    // 0: every step
  mjtNum*   sensor_user;            // (nsensor x nuser_sensor) user numbers
  int*      sensor_plugin;          // (nsensor) plugin instance, or -1

  // Plugin instances.
  int*      plugin;                 // (nplugin) slot of the registered plugin
  int*      plugin_stateadr;        // (nplugin) first entry in mjData.plugin_state
  int*      plugin_statenum;        // (nplugin) entries there
  char*     plugin_attr;            // (npluginattr) settings: zero-terminated strings in the
                                    // plugin's order
  int*      plugin_attradr;         // (nplugin) first character of the instance's settings

  // Custom numbers.
  int*      numeric_adr;            // (nnumeric) first number
  int*      numeric_size;           // (nnumeric) numbers
  mjtNum*   numeric_data;           // (nnumericdata) all of them

  // Custom text.
  int*      text_adr;               // (ntext) first character
  int*      text_size;              // (ntext) characters, closing zero included
  char*     text_data;              // (ntextdata) all of them

  // Custom lists of elements.
  int*      tuple_adr;              // (ntuple) first element
  int*      tuple_size;             // (ntuple) elements
  int*      tuple_objtype;          // (ntupledata) mjtObj
  int*      tuple_objid;            // (ntupledata) id
  mjtNum*   tuple_objprm;           // (ntupledata) a number with it

  // Keyframes: states to reset to.
  mjtNum*   key_time;               // (nkey) time (s)
  mjtNum*   key_qpos;               // (nkey x nq) positions
  mjtNum*   key_qvel;               // (nkey x nv) velocities
  mjtNum*   key_act;                // (nkey x na) activations
  mjtNum*   key_mpos;               // (nkey x nmocap*3) positions of motion-capture bodies
  mjtNum*   key_mquat;              // (nkey x nmocap*4) orientations of motion-capture bodies
  mjtNum*   key_ctrl;               // (nkey x nu) controls

  // Names. Each address is the start of a zero-terminated string in names; it is empty for an
  // element without a name.
  int*      name_bodyadr;           // (nbody) bodies
  int*      name_jntadr;            // (njnt) joints
  int*      name_geomadr;           // (ngeom) geoms
  int*      name_siteadr;           // (nsite) sites
  int*      name_camadr;            // (ncam) cameras
  int*      name_lightadr;          // (nlight) lights
  int*      name_flexadr;           // (nflex) flexes
  int*      name_meshadr;           // (nmesh) meshes
  int*      name_skinadr;           // (nskin) skins
  int*      name_hfieldadr;         // (nhfield) height fields
  int*      name_texadr;            // (ntex) textures
  int*      name_matadr;            // (nmat) materials
  int*      name_pairadr;           // (npair) geom pairs
  int*      name_excludeadr;        // (nexclude) excluded body pairs
  int*      name_eqadr;             // (neq) equality constraints
  int*      name_tendonadr;         // (ntendon) tendons
  int*      name_actuatoradr;       // (nu) actuators
  int*      name_sensoradr;         // (nsensor) sensors
  int*      name_numericadr;        // (nnumeric) custom numbers
  int*      name_textadr;           // (ntext) custom text
  int*      name_tupleadr;          // (ntuple) custom lists
  int*      name_keyadr;            // (nkey) keyframes
  int*      name_pluginadr;         // (nplugin) plugin instances
  char*     names;                  // (nnames) all names; the first is the model's
  int*      names_map;              // (nnames_map) hash tables from name to id, one per kind of
                                    // element

  // File names of assets.
  char*     paths;                  // (npaths) zero-terminated strings

  // Sparsity patterns in compressed rows: entries of the row, where it starts, columns.
  int*      B_rownnz;               // (nbody) body to dofs that move it: entries of the row
  int*      B_rowadr;               // (nbody) where it starts
  int*      B_colind;               // (nB) dofs
  int*      M_rownnz;               // (nv) inertia, lower triangle: entries of the row
  int*      M_rowadr;               // (nv) where it starts
  int*      M_colind;               // (nC) dofs
  int*      mapM2M;                 // (nC) index in qM of each entry of M
  int*      D_rownnz;               // (nv) full dof-to-dof matrix: entries of the row
  int*      D_rowadr;               // (nv) where it starts
  int*      D_diag;                 // (nv) place of the diagonal within the row
  int*      D_colind;               // (nD) dofs
  int*      mapM2D;                 // (nD) index in M of each entry of D
  int*      mapD2M;                 // (nC) index in D of each entry of M

  // Identity.
  uint64_t  signature;              // number shared with the mjSpec this model came from
};
typedef struct mjModel_ mjModel;

#endif
