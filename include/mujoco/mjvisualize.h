// The abstract scene: what is to be drawn, as plain data, without a graphics library.
//
// mjv_updateScene of mujoco.h turns a model and its data into an mjvScene of geoms, lights and
// cameras according to mjvOption; a renderer (mjr_render, or any other) draws that. mjvCamera and
// mjvPerturb are what a mouse controls. Everything here is in world coordinates and float unless
// marked mjtNum.
//
// Include this header alone for the types; mujoco.h includes it.

#ifndef MUJOCO_MJVISUALIZE_H_
#define MUJOCO_MJVISUALIZE_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjtnum.h>

//---- Constants -----------------------------------------------------------------------------------

#define mjNGROUP        6     // groups with a visibility flag
#define mjMAXLIGHT      100   // lights in a scene
#define mjMAXOVERLAY    500   // characters of an overlay
#define mjMAXLINE       100   // lines in a figure
#define mjMAXLINEPNT    1001  // points of a line
#define mjMAXPLANEGRID  200   // divisions of a plane that is drawn as a grid

//---- Enumerations --------------------------------------------------------------------------------

// Categories of scene geoms.
typedef enum mjtCatBit_ {
  mjCAT_STATIC        = 1,  // of the world and what is welded to it
  mjCAT_DYNAMIC       = 2,  // of moving bodies
  mjCAT_DECOR         = 4,  // decoration: contacts, forces, labels, frames
  mjCAT_ALL           = 7   // all of them
} mjtCatBit;

// What dragging the mouse does.
typedef enum mjtMouse_ {
  mjMOUSE_NONE        = 0,  // nothing
  mjMOUSE_ROTATE_V,         // rotate about the right and the vertical axis
  mjMOUSE_ROTATE_H,         // rotate about the right and the forward axis
  mjMOUSE_MOVE_V,           // move in the vertical plane of the view
  mjMOUSE_MOVE_H,           // move in the horizontal plane
  mjMOUSE_ZOOM,             // zoom
  mjMOUSE_MOVE_V_REL,       // move in the vertical plane, with the body's axes
  mjMOUSE_MOVE_H_REL,       // move in the horizontal plane, with the body's axes
} mjtMouse;

// What a perturbation acts on.
typedef enum mjtPertBit_ {
  mjPERT_TRANSLATE    = 1,  // position
  mjPERT_ROTATE       = 2   // orientation
} mjtPertBit;

// Kinds of abstract cameras.
typedef enum mjtCamera_ {
  mjCAMERA_FREE       = 0,  // moved by the user around a point
  mjCAMERA_TRACKING,        // the same, around a moving body
  mjCAMERA_FIXED,           // one of the model
  mjCAMERA_USER             // scene camera set by the program; left alone
} mjtCamera;

// What gets a text label.
typedef enum mjtLabel_ {
  mjLABEL_NONE        = 0,  // nothing
  mjLABEL_BODY,             // bodies
  mjLABEL_JOINT,            // joints
  mjLABEL_GEOM,             // geoms
  mjLABEL_SITE,             // sites
  mjLABEL_CAMERA,           // cameras
  mjLABEL_LIGHT,            // lights
  mjLABEL_TENDON,           // tendons
  mjLABEL_ACTUATOR,         // actuators
  mjLABEL_CONSTRAINT,       // constraints
  mjLABEL_FLEX,             // flexes
  mjLABEL_SKIN,             // skins
  mjLABEL_SELECTION,        // the selected body
  mjLABEL_SELPNT,           // coordinates of the selection point
  mjLABEL_CONTACTPOINT,     // contacts
  mjLABEL_CONTACTFORCE,     // size of contact forces
  mjLABEL_ISLAND,           // islands

  mjNLABEL                  // how many modes there are
} mjtLabel;

// Whose axes are drawn.
typedef enum mjtFrame_ {
  mjFRAME_NONE        = 0,  // none
  mjFRAME_BODY,             // bodies
  mjFRAME_GEOM,             // geoms
  mjFRAME_SITE,             // sites
  mjFRAME_CAMERA,           // cameras
  mjFRAME_LIGHT,            // lights
  mjFRAME_CONTACT,          // contacts
  mjFRAME_WORLD,            // the world

  mjNFRAME                  // how many modes there are
} mjtFrame;

// What is put into the scene (mjvOption.flags).
typedef enum mjtVisFlag_ {
  mjVIS_CONVEXHULL    = 0,  // meshes as their convex hulls
  mjVIS_TEXTURE,            // textures
  mjVIS_JOINT,              // joints
  mjVIS_CAMERA,             // cameras
  mjVIS_ACTUATOR,           // actuators
  mjVIS_ACTIVATION,         // activations, as colour
  mjVIS_LIGHT,              // lights
  mjVIS_TENDON,             // tendons
  mjVIS_RANGEFINDER,        // rays of rangefinders
  mjVIS_CONSTRAINT,         // equality constraints that join points
  mjVIS_INERTIA,            // inertia boxes or ellipsoids
  mjVIS_SCLINERTIA,         // their size scaled by mass
  mjVIS_PERTFORCE,          // force of the perturbation
  mjVIS_PERTOBJ,            // object of the perturbation
  mjVIS_CONTACTPOINT,       // contacts
  mjVIS_ISLAND,             // islands, as colour
  mjVIS_CONTACTFORCE,       // contact forces
  mjVIS_CONTACTSPLIT,       // contact forces split into normal and friction
  mjVIS_TRANSPARENT,        // moving geoms see-through
  mjVIS_AUTOCONNECT,        // lines between joints and centres of mass
  mjVIS_COM,                // centres of mass
  mjVIS_SELECT,             // selection point
  mjVIS_STATIC,             // static bodies
  mjVIS_SKIN,               // skins
  mjVIS_FLEXVERT,           // vertices of flexes
  mjVIS_FLEXEDGE,           // edges of flexes
  mjVIS_FLEXFACE,           // faces of flexes
  mjVIS_FLEXSKIN,           // smooth skin of flexes, instead of the three above
  mjVIS_BODYBVH,            // bounding volumes of bodies
  mjVIS_MESHBVH,            // bounding volumes of meshes
  mjVIS_SDFITER,            // search for signed distance contacts

  mjNVISFLAG                // how many flags there are
} mjtVisFlag;

// How the scene is drawn (mjvScene.flags).
typedef enum mjtRndFlag_ {
  mjRND_SHADOW        = 0,  // shadows
  mjRND_WIREFRAME,          // outlines only
  mjRND_REFLECTION,         // mirrors
  mjRND_ADDITIVE,           // transparent things add light
  mjRND_SKYBOX,             // sky box
  mjRND_FOG,                // fog
  mjRND_HAZE,               // haze at the horizon
  mjRND_DEPTH,              // depth as colour
  mjRND_SEGMENT,            // a colour per geom
  mjRND_IDCOLOR,            // with the above, colours encode segid + 1
  mjRND_CULL_FACE,          // back faces are left out

  mjNRNDFLAG                // how many flags there are
} mjtRndFlag;

// Stereo modes.
typedef enum mjtStereo_ {
  mjSTEREO_NONE       = 0,  // one eye
  mjSTEREO_QUADBUFFERED,    // left and right buffers; without them side by side
  mjSTEREO_SIDEBYSIDE       // two halves of the window
} mjtStereo;

//---- Mouse-controlled things ---------------------------------------------------------------------

// What the user has selected and drags.
struct mjvPerturb_ {
  int      select;        // body, or 0 or less for none
  int      flexselect;    // flex, or -1
  int      skinselect;    // skin, or -1
  int      active;        // mjtPertBit combined: being dragged
  int      active2;       // the same for a second device
  mjtNum   refpos[3];     // position the body is pulled to
  mjtNum   refquat[4];    // orientation it is pulled to
  mjtNum   refselpos[3];  // position its selection point is pulled to
  mjtNum   localpos[3];   // selection point in the body
  mjtNum   localmass;     // mass seen at that point
  mjtNum   scale;         // from mouse to space, set when dragging starts
};
typedef struct mjvPerturb_ mjvPerturb;

// How the user looks at the model.
struct mjvCamera_ {
  // kind
  int      type;          // mjtCamera
  int      fixedcamid;    // model camera, for the fixed kind
  int      trackbodyid;   // body, for the tracking kind

  // view of free and tracking cameras
  mjtNum   lookat[3];     // point in the middle of the view
  mjtNum   distance;      // from camera to that point
  mjtNum   azimuth;       // heading (degrees)
  mjtNum   elevation;     // pitch (degrees)

  // projection
  int      orthographic;  // 1: orthographic, 0: perspective
};
typedef struct mjvCamera_ mjvCamera;

// A camera as OpenGL wants it.
struct mjvGLCamera_ {
  // frame
  float    pos[3];          // position
  float    forward[3];      // direction of view
  float    up[3];           // upwards

  // view volume, at the near plane
  float    frustum_center;  // horizontal offset of its middle
  float    frustum_width;   // half its width; 0: from the aspect ratio
  float    frustum_bottom;  // lower edge
  float    frustum_top;     // upper edge
  float    frustum_near;    // distance of the near plane
  float    frustum_far;     // distance of the far plane

  // projection
  int      orthographic;    // 1: orthographic, 0: perspective
};
typedef struct mjvGLCamera_ mjvGLCamera;

//---- Scene ---------------------------------------------------------------------------------------

// One thing to draw.
struct mjvGeom_ {
  // what it is
  int      type;         // mjtGeom
  int      dataid;       // mesh (2*id, plus 1 for its hull), height field or plane; -1: none
  int      objtype;      // mjtObj it stands for, mjOBJ_UNKNOWN for decoration
  int      objid;        // its id, -1 for decoration
  int      category;     // mjtCatBit
  int      matid;        // material, or -1
  int      texcoord;     // 1: the mesh or flex has texture coordinates
  int      segid;        // number for segmentation, -1: not drawn there

  // shape
  float    size[3];      // dimensions
  float    pos[3];       // position
  float    mat[9];       // orientation

  // look
  float    rgba[4];      // colour
  float    emission;     // emitted light
  float    specular;     // specular light
  float    shininess;    // sharpness of highlights
  float    reflectance;  // mirror share

  char     label[100];   // text drawn at it

  // for sorting; set by the library
  float    camdist;      // distance from the camera
  float    modelrbound;  // bounding radius of a model geom, 0 otherwise
  mjtByte  transparent;  // 1: counts as transparent
};
typedef struct mjvGeom_ mjvGeom;

// A light in the scene.
struct mjvLight_ {
  int      id;              // light of the model, -1 for the headlight
  float    pos[3];          // position
  float    dir[3];          // direction
  int      type;            // mjtLightType
  int      texid;           // texture of an image light, or -1
  float    attenuation[3];  // constant, linear, quadratic
  float    cutoff;          // half-angle of a spot (degrees)
  float    exponent;        // how fast a spot fades towards its edge
  float    ambient[3];      // ambient colour
  float    diffuse[3];      // diffuse colour
  float    specular[3];     // specular colour
  mjtByte  headlight;       // 1: moves with the camera
  mjtByte  castshadow;      // 1: casts shadows
  float    bulbradius;      // radius of the source
  float    intensity;       // luminous intensity in candela
  float    range;           // reach
};
typedef struct mjvLight_ mjvLight;

// What to show.
struct mjvOption_ {
  int      label;                    // mjtLabel
  int      frame;                    // mjtFrame
  mjtByte  geomgroup[mjNGROUP];      // 1: geoms of the group are shown; same below
  mjtByte  sitegroup[mjNGROUP];      // sites
  mjtByte  jointgroup[mjNGROUP];     // joints
  mjtByte  tendongroup[mjNGROUP];    // tendons
  mjtByte  actuatorgroup[mjNGROUP];  // actuators
  mjtByte  flexgroup[mjNGROUP];      // flexes
  mjtByte  skingroup[mjNGROUP];      // skins
  mjtByte  flags[mjNVISFLAG];        // by mjtVisFlag
  int      bvh_depth;                // depth of bounding volumes shown
  int      flex_layer;               // element layer of solid flexes shown
};
typedef struct mjvOption_ mjvOption;

// Everything to draw. Allocated by mjv_makeScene, filled by mjv_updateScene.
struct mjvScene_ {
  // geoms
  int      maxgeom;             // room in geoms
  int      ngeom;               // geoms in use
  mjvGeom* geoms;               // (maxgeom) geoms
  int*     geomorder;           // (maxgeom) order by distance from the camera

  // flexes; numbers per flex, then shared arrays
  int      nflex;               // flexes
  int*     flexedgeadr;         // (nflex) first edge
  int*     flexedgenum;         // (nflex) edges
  int*     flexvertadr;         // (nflex) first vertex
  int*     flexvertnum;         // (nflex) vertices
  int*     flexfaceadr;         // (nflex) first face
  int*     flexfacenum;         // (nflex) faces there is room for
  int*     flexfaceused;        // (nflex) faces in use
  int*     flexedge;            // (edges x 2) vertices of edges
  float*   flexvert;            // (vertices x 3) positions
  float*   flexface;            // (faces x 9) corners
  float*   flexnormal;          // (faces x 9) their normals
  float*   flextexcoord;        // (faces x 6) their texture coordinates
  mjtByte  flexvertopt;         // mjVIS_FLEXVERT as it was in the last update
  mjtByte  flexedgeopt;         // mjVIS_FLEXEDGE, likewise
  mjtByte  flexfaceopt;         // mjVIS_FLEXFACE, likewise
  mjtByte  flexskinopt;         // mjVIS_FLEXSKIN, likewise

  // skins
  int      nskin;               // skins
  int*     skinfacenum;         // (nskin) faces
  int*     skinvertadr;         // (nskin) first vertex
  int*     skinvertnum;         // (nskin) vertices
  float*   skinvert;            // (vertices x 3) positions
  float*   skinnormal;          // (vertices x 3) normals

  // lights
  int      nlight;              // lights in use
  mjvLight lights[mjMAXLIGHT];  // lights

  // eyes
  mjvGLCamera camera[2];        // left and right

  // from model to room
  mjtByte  enabletransform;     // 1: the transform is in use
  float    translate[3];        // translation
  float    rotate[4];           // rotation, as a quaternion
  float    scale;               // scale

  // renderer
  int      stereo;              // mjtStereo
  mjtByte  flags[mjNRNDFLAG];   // by mjtRndFlag

  // border, and state
  int      framewidth;          // pixels of a frame around the view; 0: none
  float    framergb[3];         // its colour
  int      status;              // 0: fine, 1: geoms were left out for lack of room
};
typedef struct mjvScene_ mjvScene;

//---- Figures -------------------------------------------------------------------------------------

// A 2D plot with lines, for mjr_figure.
struct mjvFigure_ {
  // switches
  int     flg_legend;                // legend
  int     flg_ticklabel[2];          // numbers on the x and y axes
  int     flg_extend;                // axes grow to show all data
  int     flg_barplot;               // areas under the lines are filled
  int     flg_selection;             // vertical line at selection
  int     flg_symmetric;             // y axis symmetric about zero

  // style
  float   linewidth;                 // width of lines
  float   gridwidth;                 // width of the grid
  int     gridsize[2];               // grid points in x and y
  float   gridrgb[3];                // colour of the grid
  float   figurergba[4];             // colour of the figure
  float   panergba[4];               // colour of the plot area
  float   legendrgba[4];             // colour of the legend
  float   textrgb[3];                // colour of text
  float   linergb[mjMAXLINE][3];     // colours of lines
  float   range[2][2];               // of x and y; minimum at or above maximum: from the data
  char    xformat[20];               // printf format of numbers on the x axis
  char    yformat[20];               // the same on the y axis
  char    minwidth[20];              // text as wide as the widest number on the y axis

  // text
  char    title[1000];               // title; parts are separated by two spaces
  char    xlabel[100];               // label of the x axis
  char    linename[mjMAXLINE][100];  // names of lines, for the legend

  // details
  int     legendoffset;              // lines of space above the legend
  int     subplot;                   // which subplot it is, for placing the title
  int     highlight[2];              // mouse (x, y): the legend entry under it stands out; -1: none
  int     highlightid;               // legend entry that stands out whatever the mouse does; -1:
                                     // none
  float   selection;                 // x of the selection line

  // data
  int     linepnt[mjMAXLINE];        // points of each line; 0: not drawn
  float   linedata[mjMAXLINE][2*mjMAXLINEPNT];  // x, y of each point

  // set by the renderer
  int     xaxispixel[2];             // x axis, pixels from left to right
  int     yaxispixel[2];             // y axis, pixels from bottom to top
  float   xaxisdata[2];              // the range in data along x
  float   yaxisdata[2];              // the range in data along y
};
typedef struct mjvFigure_ mjvFigure;

#endif
