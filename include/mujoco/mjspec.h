// The editable model: what an MJCF file says, as C structs.
//
// An mjSpec comes from a file (mj_parseXML) or starts empty (mj_makeSpec), is changed with the
// mjs_* functions of mujoco.h and by writing struct members, and becomes an mjModel with
// mj_compile; it can be changed and compiled again afterwards. Elements are made by mjs_add*,
// belong to their spec and are never allocated by the program.
//
// Members mean what the MJCF attribute of the same name means, before compilation: angles are in
// degrees if compiler.degree is set, elements refer to each other by name, and NaN in a number
// marks "not given". Members of type mjString*, mj*Vec* are set by mjs_set* and read by mjs_get*.
// `element` is the handle that generic functions take, `info` is text put in front of error
// messages about the element.
//
// Include this header alone for the types; mujoco.h includes it.

#ifndef MUJOCO_INCLUDE_MJSPEC_H_
#define MUJOCO_INCLUDE_MJSPEC_H_

#include <stddef.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjtnum.h>

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

extern "C" {

// Strings and vectors inside mjs* structs. C++ sees standard types, which have the layout of
// libc++, as in the reference's packages: a program built with libc++ may use them directly, one
// built with another standard library the vectors of numbers alone. mjs_set* and mjs_get* work in
// both.
using mjString = std::string;
using mjStringVec = std::vector<std::string>;
using mjIntVec = std::vector<int>;
using mjIntVecVec = std::vector<std::vector<int>>;
using mjFloatVec = std::vector<float>;
using mjFloatVecVec = std::vector<std::vector<float>>;
using mjDoubleVec = std::vector<double>;
using mjByteVec = std::vector<std::byte>;
#else
typedef void mjString;
typedef void mjStringVec;
typedef void mjIntVec;
typedef void mjIntVecVec;
typedef void mjFloatVec;
typedef void mjFloatVecVec;
typedef void mjDoubleVec;
typedef void mjByteVec;
#endif

//---- Enumerations --------------------------------------------------------------------------------

// Where the mass of a geom sits.
typedef enum mjtGeomInertia_ {
  mjINERTIA_VOLUME = 0,  // throughout its volume
  mjINERTIA_SHELL,       // on its surface
} mjtGeomInertia;

// How the inertia of a mesh is computed.
typedef enum mjtMeshInertia_ {
  mjMESH_INERTIA_CONVEX = 0,  // from its convex hull
  mjMESH_INERTIA_EXACT,       // exactly; the mesh must be closed and oriented
  mjMESH_INERTIA_LEGACY,      // as early versions did, counting overlapping volumes twice
  mjMESH_INERTIA_SHELL        // from its surface
} mjtMeshInertia;

// Shapes mjs_makeMesh can produce.
typedef enum mjtMeshBuiltin_ {
  mjMESH_BUILTIN_NONE = 0,     // none
  mjMESH_BUILTIN_SPHERE,       // sphere, by subdivision
  mjMESH_BUILTIN_HEMISPHERE,   // half a sphere
  mjMESH_BUILTIN_CONE,         // cone, cut or pointed
  mjMESH_BUILTIN_SUPERSPHERE,  // sphere with exponents, from box to star
  mjMESH_BUILTIN_SUPERTORUS,   // torus with exponents
  mjMESH_BUILTIN_WEDGE,        // part of a sphere's surface, for tactile sensors
  mjMESH_BUILTIN_PLATE,        // flat grid, for tactile sensors
} mjtMeshBuiltin;

// Generated textures.
typedef enum mjtBuiltin_ {
  mjBUILTIN_NONE = 0,  // none: from a file or buffer
  mjBUILTIN_GRADIENT,  // blend from rgb1 to rgb2
  mjBUILTIN_CHECKER,   // squares of rgb1 and rgb2
  mjBUILTIN_FLAT       // rgb1; on a cube, rgb2 for the bottom
} mjtBuiltin;

// Marks drawn over a generated texture.
typedef enum mjtMark_ {
  mjMARK_NONE = 0,  // none
  mjMARK_EDGE,      // along the edges
  mjMARK_CROSS,     // through the middle
  mjMARK_RANDOM     // random dots
} mjtMark;

// Switches with an automatic setting: limits.
typedef enum mjtLimited_ {
  mjLIMITED_FALSE = 0,  // off
  mjLIMITED_TRUE,       // on
  mjLIMITED_AUTO,       // on if a range is given
} mjtLimited;

// Whether the frame of a free body is moved to its inertial frame.
typedef enum mjtAlignFree_ {
  mjALIGNFREE_FALSE = 0,  // no
  mjALIGNFREE_TRUE,       // yes
  mjALIGNFREE_AUTO,       // as compiler.alignfree says
} mjtAlignFree;

// Whether body inertia comes from geoms.
typedef enum mjtInertiaFromGeom_ {
  mjINERTIAFROMGEOM_FALSE = 0,  // never: it must be given
  mjINERTIAFROMGEOM_TRUE,       // always, even where it is given
  mjINERTIAFROMGEOM_AUTO        // where it is not given
} mjtInertiaFromGeom;

// Which member of mjsOrientation is in use.
typedef enum mjtOrientation_ {
  mjORIENTATION_QUAT = 0,   // none of them: the quaternion beside it
  mjORIENTATION_AXISANGLE,  // axis and angle
  mjORIENTATION_XYAXES,     // x and y axes
  mjORIENTATION_ZAXIS,      // z axis
  mjORIENTATION_EULER,      // Euler angles
} mjtOrientation;

//---- The spec ------------------------------------------------------------------------------------

// Head of every element, the handle that generic functions take.
typedef struct mjsElement_ {
  mjtObj elemtype;     // mjtObj
  uint64_t signature;  // number shared with the compiled model
} mjsElement;

// Settings of the compiler.
typedef struct mjsCompiler_ {
  mjtByte autolimits;        // 1: limits are on where a range is given
  double boundmass;          // smallest mass of moving bodies
  double boundinertia;       // smallest diagonal inertia of moving bodies
  double settotalmass;       // scale all masses to this sum; 0 or less: do not
  mjtByte balanceinertia;    // 1: repair inertias that break the triangle inequality
  mjtByte fitaabb;           // 1: fit shapes to meshes by bounding box, 0: by inertia
  mjtByte degree;            // 1: angles in degrees, 0: radians
  char eulerseq[3];          // axes of Euler angles, such as xyz
  mjtByte discardvisual;     // 1: drop geoms that only serve drawing
  mjtByte usethread;         // 1: use several threads
  mjtByte fusestatic;        // 1: merge static bodies into their parents
  int inertiafromgeom;       // mjtInertiaFromGeom
  int inertiagrouprange[2];  // geom groups that count for inertia, first and last
  mjtByte saveinertial;      // 1: write inertias of all bodies when saving
  int alignfree;             // 1: align free bodies with their inertia
  mjLROpt LRopt;             // how actuator length ranges are measured
  mjString* meshdir;         // folder of mesh and height field files
  mjString* texturedir;      // folder of texture files
} mjsCompiler;

// A whole model. The tree of bodies starts at mjs_findBody(s, "world").
typedef struct mjSpec_ {
  mjsElement* element;            // handle
  mjString* modelname;            // name of the model

  // compiler
  mjsCompiler compiler;           // settings
  mjtByte strippath;              // 1: drop folders from file names of assets

  // copied to the compiled model
  mjOption option;                // physics
  mjVisual visual;                // drawing
  mjStatistic stat;               // statistics; NaN: computed

  // sizes
  mjtSize memory;                 // bytes of the arena; -1: automatic
  int nemax;                      // most equality rows
  int nuserdata;                  // numbers in mjData.userdata
  int nuser_body;                 // user numbers per body; -1: as many as the longest has. Same
                                  // below
  int nuser_jnt;                  // per joint
  int nuser_geom;                 // per geom
  int nuser_site;                 // per site
  int nuser_cam;                  // per camera
  int nuser_tendon;               // per tendon
  int nuser_actuator;             // per actuator
  int nuser_sensor;               // per sensor
  int nkey;                       // keyframes to make room for
  int njmax;                      // rows to make room for; -1: automatic. Superseded by memory
  int nconmax;                    // contacts to make room for; -1: automatic. Superseded by memory
  mjtSize nstack;                 // numbers on the stack; -1: automatic. Superseded by memory

  // text and files
  mjString* comment;              // comment at the top of the file
  mjString* modelfiledir;         // folder of the model file

  // bookkeeping
  mjtByte hasImplicitPluginElem;  // 1: some plugin instance was declared inside the element that
                                  // uses it
} mjSpec;

// An orientation in another form than a quaternion.
typedef struct mjsOrientation_ {
  mjtOrientation type;  // which one is in use
  double axisangle[4];  // axis, angle
  double xyaxes[6];     // x axis, then a vector in the xy plane
  double zaxis[3];      // z axis; shortest rotation from the parent's
  double euler[3];      // angles, in the order of compiler.eulerseq
} mjsOrientation;

// A plugin instance, as an element of its own or inside the element that uses it.
typedef struct mjsPlugin_ {
  mjsElement* element;    // handle
  mjString* name;         // name of the instance
  mjString* plugin_name;  // name of the registered plugin
  mjtByte active;         // 1: the element uses a plugin
  mjString* info;         // for messages
} mjsPlugin;

//---- Elements of the tree ------------------------------------------------------------------------

// A body.
typedef struct mjsBody_ {
  mjsElement* element;       // handle
  mjString* childclass;      // default class of what is inside

  // frame in the parent
  double pos[3];             // position
  double quat[4];            // orientation
  mjsOrientation alt;        // orientation in another form

  // inertial frame in the body
  double mass;               // mass
  double ipos[3];            // centre of mass
  double iquat[4];           // orientation of the principal axes
  double inertia[3];         // principal moments
  mjsOrientation ialt;       // orientation in another form
  double fullinertia[6];     // xx, yy, zz, xy, xz, yz; NaN: not given

  // other
  mjtByte mocap;             // 1: moved by mocap_pos and mocap_quat
  double gravcomp;           // gravity compensation, 1 cancels gravity
  mjtSleepPolicy sleep;      // whether its tree may sleep
  mjDoubleVec* userdata;     // user numbers
  mjtByte explicitinertial;  // 1: the inertial frame was given
  mjsPlugin plugin;          // passive forces by a plugin
  mjString* info;            // for messages
} mjsBody;

// A frame: moves its contents, then disappears in compilation.
typedef struct mjsFrame_ {
  mjsElement* element;   // handle
  mjString* childclass;  // default class of what is inside
  double pos[3];         // position
  double quat[4];        // orientation
  mjsOrientation alt;    // orientation in another form
  mjString* info;        // for messages
} mjsFrame;

// A joint.
typedef struct mjsJoint_ {
  mjsElement* element;             // handle
  mjtJoint type;                   // joint type

  // kinematics
  double pos[3];                   // anchor in the body
  double axis[3];                  // axis in the body
  double ref;                      // value in the reference position: angle or length
  int align;                       // mjtAlignFree, for free joints

  // spring
  double stiffness;                // spring constant
  double springref;                // value where the spring is at rest
  double springdamper[2];          // time constant and damping ratio; above 0 they set stiffness
                                   // and damping

  // limits
  int limited;                     // mjtLimited
  double range[2];                 // lower, upper
  double margin;                   // the limit becomes active this far ahead
  mjtNum solref_limit[mjNREF];     // reference dynamics
  mjtNum solimp_limit[mjNIMP];     // impedance
  int actfrclimited;               // mjtLimited, for the total actuator force
  double actfrcrange[2];           // its lower and upper bound

  // along the degrees of freedom
  double armature;                 // added inertia, as of a rotor
  double damping;                  // damping coefficient
  double frictionloss;             // largest dry friction force
  mjtNum solref_friction[mjNREF];  // reference dynamics of dry friction
  mjtNum solimp_friction[mjNIMP];  // impedance of dry friction

  // other
  int group;                       // group, for drawing
  mjtByte actgravcomp;             // 1: gravity compensation counts as actuator force
  mjDoubleVec* userdata;           // user numbers
  mjString* info;                  // for messages
} mjsJoint;

// A geom.
typedef struct mjsGeom_ {
  mjsElement* element;         // handle
  mjtGeom type;                // shape

  // frame and size
  double pos[3];               // position
  double quat[4];              // orientation
  mjsOrientation alt;          // orientation in another form
  double fromto[6];            // end points of long shapes, instead of the frame; NaN: not given
  double size[3];              // dimensions, see mjtGeom

  // contacts
  int contype;                 // bits of what it is
  int conaffinity;             // bits of what it collides with
  int condim;                  // contact dimension: 1, 3, 4 or 6
  int priority;                // the higher one decides the contact parameters
  double friction[3];          // sliding, torsional, rolling
  double solmix;               // weight when parameters are averaged
  mjtNum solref[mjNREF];       // reference dynamics
  mjtNum solimp[mjNIMP];       // impedance
  double margin;               // contacts are detected at this distance
  double gap;                  // only those closer than margin - gap carry force

  // inertia
  double mass;                 // mass; NaN: from density
  double density;              // density, or per area for a shell
  mjtGeomInertia typeinertia;  // volume or surface

  // fluid forces
  mjtNum fluid_ellipsoid;      // 1: ellipsoid model, 0: the body's box model
  mjtNum fluid_coefs[5];       // blunt drag, slender drag, angular drag, Kutta lift, Magnus lift

  // drawing
  mjString* material;          // name of the material
  float rgba[4];               // colour where there is no material
  int group;                   // group

  // other
  mjString* hfieldname;        // name of the height field
  mjString* meshname;          // name of the mesh
  double fitscale;             // factor on a shape that was fitted to the mesh
  mjDoubleVec* userdata;       // user numbers
  mjsPlugin plugin;            // signed distance field by a plugin
  mjString* info;              // for messages
} mjsGeom;

// A site.
typedef struct mjsSite_ {
  mjsElement* element;    // handle

  // frame and size
  double pos[3];          // position
  double quat[4];         // orientation
  mjsOrientation alt;     // orientation in another form
  double fromto[6];       // end points of long shapes, instead of the frame; NaN: not given
  double size[3];         // dimensions, see mjtGeom

  // drawing
  mjtGeom type;           // shape
  mjString* material;     // name of the material
  int group;              // group
  float rgba[4];          // colour where there is no material

  // other
  mjDoubleVec* userdata;  // user numbers
  mjString* info;         // for messages
} mjsSite;

// A camera.
typedef struct mjsCamera_ {
  mjsElement* element;        // handle

  // frame
  double pos[3];              // position
  double quat[4];             // orientation; it looks along -z
  mjsOrientation alt;         // orientation in another form
  mjtCamLight mode;           // what it does as the body moves
  mjString* targetbody;       // name of the body it looks at

  // image
  mjtProjection proj;         // projection
  int resolution[2];          // width, height in pixels
  int output;                 // mjtCamOutBit combined
  double fovy;                // vertical view: degrees, or length if orthographic
  double ipd;                 // distance between the eyes
  float intrinsic[4];         // focal length (two), principal point (two), as lengths
  float sensor_size[2];       // width, height of the image sensor, as lengths
  float focal_length[2];      // focal length, as lengths
  float focal_pixel[2];       // the same in pixels; give only one of the two
  float principal_length[2];  // principal point, as lengths
  float principal_pixel[2];   // the same in pixels; give only one of the two

  // other
  mjDoubleVec* userdata;      // user numbers
  mjString* info;             // for messages
} mjsCamera;

// A light.
typedef struct mjsLight_ {
  mjsElement* element;   // handle

  // frame
  double pos[3];         // position
  double dir[3];         // direction
  mjtCamLight mode;      // what it does as the body moves
  mjString* targetbody;  // name of the body it points at

  // light
  mjtByte active;        // 1: on
  mjtLightType type;     // kind of source
  mjString* texture;     // name of the texture of an image light
  mjtByte castshadow;    // 1: casts shadows
  float bulbradius;      // radius of the source
  float intensity;       // luminous intensity in candela
  float range;           // reach
  float attenuation[3];  // constant, linear, quadratic
  float cutoff;          // half-angle of a spot (degrees)
  float exponent;        // how fast a spot fades towards its edge
  float ambient[3];      // ambient colour
  float diffuse[3];      // diffuse colour
  float specular[3];     // specular colour

  // other
  mjString* info;        // for messages
} mjsLight;

//---- Deformables and assets ----------------------------------------------------------------------

// A flex.
typedef struct mjsFlex_ {
  mjsElement* element;     // handle

  // contacts
  int contype;             // bits of what it is
  int conaffinity;         // bits of what it collides with
  int condim;              // contact dimension: 1, 3, 4 or 6
  int priority;            // the higher one decides the contact parameters
  double friction[3];      // sliding, torsional, rolling
  double solmix;           // weight when parameters are averaged
  mjtNum solref[mjNREF];   // reference dynamics
  mjtNum solimp[mjNIMP];   // impedance
  double margin;           // contacts are detected at this distance
  double gap;              // only those closer than margin - gap carry force

  // other properties
  int dim;                 // 1: line, 2: surface, 3: solid
  double radius;           // thickness around elements
  double size[3];          // half-lengths of the vertices' box; set by the compiler for flexcomp
  mjtByte internal;        // 1: contacts against inversion of elements
  mjtByte flatskin;        // 1: drawn with one normal per face
  int selfcollide;         // mjtFlexSelf
  int vertcollide;         // 1: only vertices collide
  int passive;             // 1: contacts act as passive forces
  int activelayers;        // layers of a solid, from outside, that collide
  int group;               // group, for drawing
  double edgestiffness;    // spring constant of edges
  double edgedamping;      // damping of edges
  float rgba[4];           // colour where there is no material
  mjString* material;      // name of the material
  double young;            // Young's modulus
  double poisson;          // Poisson's ratio
  double damping;          // Rayleigh damping (s)
  double thickness;        // thickness of a surface, for its elasticity; -1: none
  int elastic2d;           // surfaces: 0 none, 1 bending, 2 stretching, 3 both

  // geometry
  mjStringVec* nodebody;   // names of the nodes' bodies
  mjStringVec* vertbody;   // names of the vertices' bodies; a single one carries all
  mjDoubleVec* node;       // node positions
  mjDoubleVec* vert;       // vertex positions
  mjIntVec* elem;          // vertices of each element, dim + 1
  mjFloatVec* texcoord;    // texture coordinates
  mjIntVec* elemtexcoord;  // texture coordinates of each element's vertices

  // other
  mjString* info;          // for messages
} mjsFlex;

// A mesh, from a file or from arrays.
typedef struct mjsMesh_ {
  mjsElement* element;         // handle
  mjString* content_type;      // type of the file; empty: by extension
  mjString* file;              // file name
  double refpos[3];            // position of the asset's origin that becomes zero
  double refquat[4];           // orientation that becomes none
  double scale[3];             // factors per axis
  mjtMeshInertia inertia;      // how inertia is computed
  mjtByte smoothnormal;        // 1: no hard edges even where faces meet at an angle
  mjtByte needsdf;             // 1: compute a signed distance field
  int maxhullvert;             // most vertices of the convex hull; -1: no bound
  mjFloatVec* uservert;        // vertex positions
  mjFloatVec* usernormal;      // normals
  mjFloatVec* usertexcoord;    // texture coordinates
  mjIntVec* userface;          // triangles as vertices
  mjIntVec* userfacenormal;    // normals of the same
  mjIntVec* userfacetexcoord;  // texture coordinates of the same
  mjsPlugin plugin;            // signed distance field by a plugin
  mjString* material;          // name of the material, for geoms without one
  mjString* info;              // for messages
} mjsMesh;

// A height field, from a file or from an array.
typedef struct mjsHField_ {
  mjsElement* element;     // handle
  mjString* content_type;  // type of the file; empty: by extension
  mjString* file;          // file name
  double size[4];          // half-length in x, half-length in y, height of elevation 1, depth of
                           // the base
  int nrow;                // rows
  int ncol;                // columns
  mjFloatVec* userdata;    // elevations, row by row
  mjString* info;          // for messages
} mjsHField;

// A skin.
typedef struct mjsSkin_ {
  mjsElement* element;        // handle
  mjString* file;             // file name
  mjString* material;         // name of the material
  float rgba[4];              // colour where there is no material
  float inflate;              // offset along the normals
  int group;                  // group, for drawing

  // surface
  mjFloatVec* vert;           // vertex positions
  mjFloatVec* texcoord;       // texture coordinates
  mjIntVec* face;             // triangles

  // bones
  mjStringVec* bodyname;      // name of the body
  mjFloatVec* bindpos;        // its position at bind time
  mjFloatVec* bindquat;       // its orientation at bind time
  mjIntVecVec* vertid;        // vertices it moves
  mjFloatVecVec* vertweight;  // their weights

  // other
  mjString* info;             // for messages
} mjsSkin;

// A texture: generated, from files, or from a buffer.
typedef struct mjsTexture_ {
  mjsElement* element;       // handle
  mjtTexture type;           // layout
  mjtColorSpace colorspace;  // meaning of the numbers

  // generated
  int builtin;               // mjtBuiltin
  int mark;                  // mjtMark
  double rgb1[3];            // first colour
  double rgb2[3];            // second colour
  double markrgb[3];         // colour of the marks
  double random;             // probability of a random dot
  int height;                // pixels; 0 on a cube: same as width
  int width;                 // pixels
  int nchannel;              // bytes per pixel

  // one file
  mjString* content_type;    // type of the file; empty: by extension
  mjString* file;            // file name
  int gridsize[2];           // rows and columns of faces in the file
  char gridlayout[12];       // letters of the faces in it: R, L, U, D, F, B or . for unused

  // a file per face
  mjStringVec* cubefiles;    // right, left, up, down, front, back

  // pixels
  mjByteVec* data;           // bytes given directly

  // after loading
  mjtByte hflip;             // 1: mirror left to right
  mjtByte vflip;             // 1: mirror top to bottom

  // other
  mjString* info;            // for messages
} mjsTexture;

// A material.
typedef struct mjsMaterial_ {
  mjsElement* element;    // handle
  mjStringVec* textures;  // name of the texture for each mjtTextureRole
  mjtByte texuniform;     // 1: texture repeats per unit of space, not per object
  float texrepeat[2];     // repetitions in x and y
  float emission;         // emitted light, as a multiple of rgba
  float specular;         // specular light
  float shininess;        // sharpness of highlights
  float reflectance;      // mirror share
  float metallic;         // metalness
  float roughness;        // roughness
  float rgba[4];          // colour
  mjString* info;         // for messages
} mjsMaterial;

//---- Contacts, constraints, tendons --------------------------------------------------------------

// Contact parameters of one pair of geoms, which then collides whatever the filters say.
typedef struct mjsPair_ {
  mjsElement* element;            // handle
  mjString* geomname1;            // first geom
  mjString* geomname2;            // second geom

  // parameters; what is not given comes from the geoms
  int condim;                     // contact dimension
  mjtNum solref[mjNREF];          // reference dynamics along the normal
  mjtNum solreffriction[mjNREF];  // reference dynamics along friction; zero: as normal
  mjtNum solimp[mjNIMP];          // impedance
  double margin;                  // contacts are detected at this distance
  double gap;                     // only those closer than margin - gap carry force
  double friction[5];             // sliding (two), torsional, rolling (two)
  mjString* info;                 // for messages
} mjsPair;

// Two bodies that never collide.
typedef struct mjsExclude_ {
  mjsElement* element;  // handle
  mjString* bodyname1;  // first body
  mjString* bodyname2;  // second body
  mjString* info;       // for messages
} mjsExclude;

// An equality constraint.
typedef struct mjsEquality_ {
  mjsElement* element;     // handle
  mjtEq type;              // kind
  double data[mjNEQDATA];  // numbers, depending on the kind
  mjtByte active;          // 1: on after a reset
  mjString* name1;         // first object
  mjString* name2;         // second object; may be empty
  mjtObj objtype;          // type of both
  mjtNum solref[mjNREF];   // reference dynamics
  mjtNum solimp[mjNIMP];   // impedance
  mjString* info;          // for messages
} mjsEquality;

// A tendon; its path is added by mjs_wrap*.
typedef struct mjsTendon_ {
  mjsElement* element;             // handle

  // spring, damping, friction, inertia
  double stiffness;                // spring constant
  double springlength[2];          // lengths between which the spring is at rest; -1: length at
                                   // qpos0
  double damping;                  // damping coefficient
  double frictionloss;             // largest dry friction force
  mjtNum solref_friction[mjNREF];  // reference dynamics of dry friction
  mjtNum solimp_friction[mjNIMP];  // impedance of dry friction
  double armature;                 // inertia of the tendon's own motion

  // limits
  int limited;                     // mjtLimited
  int actfrclimited;               // mjtLimited, for the total actuator force
  double range[2];                 // lower, upper length
  double actfrcrange[2];           // bounds of the total actuator force
  double margin;                   // the limit becomes active this far ahead
  mjtNum solref_limit[mjNREF];     // reference dynamics
  mjtNum solimp_limit[mjNIMP];     // impedance

  // drawing
  mjString* material;              // name of the material
  double width;                    // radius
  float rgba[4];                   // colour where there is no material
  int group;                       // group

  // other
  mjDoubleVec* userdata;           // user numbers
  mjString* info;                  // for messages
} mjsTendon;

// One part of a tendon's path; its numbers and target are read with mjs_getWrap*.
typedef struct mjsWrap_ {
  mjsElement* element;  // handle
  mjtWrap type;         // what it is
  mjString* info;       // for messages
} mjsWrap;

//---- Actuators and sensors -----------------------------------------------------------------------

// An actuator; mjs_setTo* fill it for common kinds.
typedef struct mjsActuator_ {
  mjsElement* element;      // handle

  // force = gain * input + bias
  mjtGain gaintype;         // gain
  double gainprm[mjNGAIN];  // its numbers
  mjtBias biastype;         // bias
  double biasprm[mjNGAIN];  // its numbers

  // activation
  mjtDyn dyntype;           // dynamics
  double dynprm[mjNDYN];    // their numbers
  int actdim;               // activations; -1: as the dynamics need
  mjtByte actearly;         // 1: force uses the activation of the end of the step

  // transmission
  mjtTrn trntype;           // what it pulls on
  double gear[6];           // scale of length and force
  mjString* target;         // name of that
  mjString* refsite;        // site in whose frame a site's wrench is given
  mjString* slidersite;     // sliding site of a slider-crank
  double cranklength;       // length of its rod
  double lengthrange[2];    // shortest and longest length
  double inheritrange;      // scale of the target's range taken as ctrlrange; 0: none

  // clamps
  int ctrllimited;          // mjtLimited, for ctrl
  double ctrlrange[2];      // its bounds
  int forcelimited;         // mjtLimited, for force
  double forcerange[2];     // its bounds
  int actlimited;           // mjtLimited, for activation
  double actrange[2];       // its bounds

  // other
  int group;                // group, for drawing and disabling
  int nsample;              // samples of ctrl kept; 0: none
  int interp;               // interpolation between them: 0 hold, 1 linear, 2 cubic
  double delay;             // delay of ctrl (s)
  mjDoubleVec* userdata;    // user numbers
  mjsPlugin plugin;         // force by a plugin
  mjString* info;           // for messages
} mjsActuator;

// A sensor.
typedef struct mjsSensor_ {
  mjsElement* element;    // handle

  // what is sensed
  mjtSensor type;         // sensor type
  mjtObj objtype;         // type of the object
  mjString* objname;      // its name
  mjtObj reftype;         // type of the reference frame
  mjString* refname;      // its name; empty: the world
  int intprm[mjNSENS];    // integers, depending on the type

  // user sensors; others set them in compilation
  mjtDataType datatype;   // kind of quantity
  mjtStage needstage;     // when it can be computed
  int dim;                // how many numbers

  // reading
  double cutoff;          // clip, see mjtDataType; 0: none
  double noise;           // standard deviation, for the application

  // history
  int nsample;            // samples kept; 0: none
  int interp;             // interpolation between them: 0 hold, 1 linear, 2 cubic
  double delay;           // delay of readings (s)
  double interval[2];     // period between samples (s), phase (s)

  // other
  mjDoubleVec* userdata;  // user numbers
  mjsPlugin plugin;       // computed by a plugin
  mjString* info;         // for messages
} mjsSensor;

//---- Custom fields, keyframes, defaults ----------------------------------------------------------

// Custom numbers.
typedef struct mjsNumeric_ {
  mjsElement* element;  // handle
  mjDoubleVec* data;    // the numbers
  int size;             // how many to keep; more than given are filled with zero
  mjString* info;       // for messages
} mjsNumeric;

// Custom text.
typedef struct mjsText_ {
  mjsElement* element;  // handle
  mjString* data;       // the text
  mjString* info;       // for messages
} mjsText;

// Custom list of elements.
typedef struct mjsTuple_ {
  mjsElement* element;   // handle
  mjIntVec* objtype;     // mjtObj of each
  mjStringVec* objname;  // name of each
  mjDoubleVec* objprm;   // number with each
  mjString* info;        // for messages
} mjsTuple;

// A keyframe; vectors left empty take the reset values.
typedef struct mjsKey_ {
  mjsElement* element;  // handle
  double time;          // time (s)
  mjDoubleVec* qpos;    // positions
  mjDoubleVec* qvel;    // velocities
  mjDoubleVec* act;     // activations
  mjDoubleVec* mpos;    // positions of motion-capture bodies
  mjDoubleVec* mquat;   // orientations of motion-capture bodies
  mjDoubleVec* ctrl;    // controls
  mjString* info;       // for messages
} mjsKey;

// A default class: one template per kind of element.
typedef struct mjsDefault_ {
  mjsElement* element;    // handle
  mjsJoint* joint;        // joints
  mjsGeom* geom;          // geoms
  mjsSite* site;          // sites
  mjsCamera* camera;      // cameras
  mjsLight* light;        // lights
  mjsFlex* flex;          // flexes
  mjsMesh* mesh;          // meshes
  mjsMaterial* material;  // materials
  mjsPair* pair;          // geom pairs
  mjsEquality* equality;  // equality constraints
  mjsTendon* tendon;      // tendons
  mjsActuator* actuator;  // actuators
} mjsDefault;

#ifdef __cplusplus
}
#endif

#endif
