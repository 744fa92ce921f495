// Visualisation: what its files share. A scene is filled with geoms, one at a time; each kind of thing that can be
// drawn has an adder in one of the vis_*.c files, and vis_scene.c lists them in drawing order.
#pragma once

#include <mujoco/mujoco.h>

//---- vis_camera.c

// which axes a mouse motion is along
typedef enum {
  TOO_VIEW,  // the world's, turned about the vertical towards the view
  TOO_OWN,   // those of whatever is moved
} TooAxes;

// displacement or rotation vector for a mouse motion (dx, dy); an error for an unknown action
TooAxes too_mouse(int action, const mjtNum motion[2], const mjtNum forward[3], mjtNum res[3]);

// displacement at a point that one screen height stands for, seen from head
mjtNum too_screenScale(const mjvScene* scn, const mjtNum point[3], const mjtNum head[3], const mjtNum forward[3]);

// mouse motions in orthographic views are damped by this much: the height of the view alone moves things too fast
#define TOO_ORTHOGRAPHIC_DAMPING 0.15

// a camera with intrinsics: distances from its axis to the edges of the view at the near plane
void too_intrinsicFrustum(float zver[2], float zhor[2], float znear, const float intrinsic[4],
                          const float sensorsize[2]);

//---- vis_geom.c: one geom after the other

// everything an adder needs: what is drawn, how, and where it goes
typedef struct {
  const mjModel* m;
  mjData* d;
  const mjvOption* opt;
  const mjvPerturb* pert;
  int catmask;  // categories that are wanted
  mjvScene* scn;
  float unit;  // mean size of the model: decorations scale with it
} TooView;

// what a geom stands for
typedef struct {
  int objtype, objid;
  int category;
  mjtLabel label;  // label mode in which the geom carries the name of object objid; mjLABEL_NONE: never
} TooTag;

// a basic shape; mat and rgba may be NULL
typedef struct {
  int type;
  const mjtNum *size, *pos, *mat;
  const float* rgba;
} TooShape;

// a shape between two points; rgba may be NULL
typedef struct {
  int type;
  mjtNum width;
  const mjtNum *from, *to;
  const float* rgba;
} TooLink;

// the next geom of the scene with its tag, for mjv_initGeom to fill; NULL when the scene is full. It counts once kept.
mjvGeom* too_begin(const TooView* v, const TooTag* tag);
void too_keep(const TooView* v, const TooTag* tag);

// both in one; the geom, for what is added to it, or NULL
mjvGeom* too_addShape(const TooView* v, const TooTag* tag, const TooShape* shape);
mjvGeom* too_addLink(const TooView* v, const TooTag* tag, const TooLink* link);
void too_addTriangle(const TooView* v, const TooTag* tag, const mjtNum corner[3][3], const float rgba[4]);

// three axes of objid, scale times as large as usual
void too_addFrame(const TooView* v, int objid, const mjtNum pos[3], const mjtNum mat[9], mjtNum scale);

// name of an object, or its kind and number
void too_name(const mjModel* m, int objtype, int objid, char label[100]);

// look of a material (-1: none) and a colour; material wins unless the colour was changed from the default
void too_setMaterial(const TooView* v, mjvGeom* geom, int material, const float rgba[4]);

// colour of what moves with the island whose first dof is given (-1: none)
void too_islandColour(float rgba[4], int dof, int awake);
// the same for a body that moves: material is taken off
void too_islandBody(const TooView* v, mjvGeom* geom, int body);

// static or dynamic, after what the body is welded to
int too_category(const mjModel* m, int body);
// 1: the group is shown
int too_shown(const mjtByte groups[mjNGROUP], int group);
// impedance of the limit of a joint or tendon, 0 when it is not active
mjtNum too_limitImpedance(const mjData* d, mjtConstraint type, int id);
// the point of the selected body that was picked, in the world
void too_selectedPoint(const mjData* d, const mjvPerturb* pert, mjtNum point[3]);

//---- adders, one per kind of thing; a kind that has a flag of mjtVisFlag is only called when that is set

// vis_element.c: what the model consists of
void too_addFlexes(const TooView* v);
void too_addSkins(const TooView* v);
void too_addGeoms(const TooView* v);
void too_addSites(const TooView* v);
void too_addGeomFrames(const TooView* v);
void too_addSiteFrames(const TooView* v);

// vis_tendon.c
void too_addTendons(const TooView* v);
void too_addSliderCranks(const TooView* v);
void too_addActuators(const TooView* v);

// vis_volume.c: bounding volumes and inertia
void too_addBodyVolumes(const TooView* v);
void too_addFlexVolumes(const TooView* v);
void too_addMeshVolumes(const TooView* v);
void too_addMeshOctrees(const TooView* v);
void too_addInertias(const TooView* v);
// position of a control point of an interpolated flex; returns its body
int too_flexNode(const mjModel* m, const mjData* d, int flex, int node, mjtNum pos[3]);

// vis_decor.c: marks on bodies, joints, cameras, lights
void too_addPerturb(const TooView* v);
void too_addBodyFrames(const TooView* v);
void too_addSelection(const TooView* v);
void too_addBodyLabels(const TooView* v);
void too_addJoints(const TooView* v);
void too_addIslandLabels(const TooView* v);
void too_addCameras(const TooView* v);
void too_addLights(const TooView* v);
void too_addMassCentres(const TooView* v);
void too_addConnections(const TooView* v);
void too_addForces(const TooView* v);
void too_addEqualities(const TooView* v);

// vis_contact.c: contacts and sensors of touch and distance
void too_addContacts(const TooView* v);
void too_addTactiles(const TooView* v);
void too_addRanges(const TooView* v);

//---- vis_surface.c: vertices of flexes and skins
void too_updateFlexes(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scn);
void too_updateSkins(const mjModel* m, const mjData* d, const mjvOption* opt, mjvScene* scn);
