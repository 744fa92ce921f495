// Visualisation: what its files share. A scene is filled with geoms, one at a time; each kind of thing that can be
// drawn has an adder in one of the files of this folder, and scene.c lists them in drawing order.
#pragma once

#include <mujoco/mujoco.h>

//---- camera.c

// which axes a mouse motion is along
typedef enum {
  VIS_VIEW,  // the world's, turned about the vertical towards the view
  VIS_OWN,   // those of whatever is moved
} VisAxes;

// displacement or rotation vector for a mouse motion (dx, dy); an error for an unknown action
VisAxes vis_mouse(int action, const mjtNum motion[2], const mjtNum forward[3], mjtNum res[3]);

// displacement at a point that one screen height stands for, seen from head
mjtNum vis_screenScale(const mjvScene* scn, const mjtNum point[3], const mjtNum head[3], const mjtNum forward[3]);

// mouse motions in orthographic views are damped by this much: the height of the view alone moves things too fast
#define VIS_ORTHOGRAPHIC_DAMPING 0.15

// a camera with intrinsics: distances from its axis to the edges of the view at the near plane
void vis_intrinsicFrustum(float zver[2], float zhor[2], float znear, const float intrinsic[4],
                          const float sensorsize[2]);

//---- geom.c: one geom after the other

// everything an adder needs: what is drawn, how, and where it goes
typedef struct {
  const mjModel* m;
  mjData* d;
  const mjvOption* opt;
  const mjvPerturb* pert;
  int catmask;  // categories that are wanted
  mjvScene* scn;
  float unit;  // mean size of the model: decorations scale with it
} VisView;

// what a geom stands for
typedef struct {
  int objtype, objid;
  int category;
  mjtLabel label;  // label mode in which the geom carries the name of object objid; mjLABEL_NONE: never
} VisTag;

// a basic shape; mat and rgba may be NULL
typedef struct {
  int type;
  const mjtNum *size, *pos, *mat;
  const float* rgba;
} VisShape;

// a shape between two points; rgba may be NULL
typedef struct {
  int type;
  mjtNum width;
  const mjtNum *from, *to;
  const float* rgba;
} VisLink;

// the next geom of the scene with its tag, for mjv_initGeom to fill; NULL when the scene is full. It counts once kept.
mjvGeom* vis_begin(const VisView* v, const VisTag* tag);
void vis_keep(const VisView* v, const VisTag* tag);

// both in one; the geom, for what is added to it, or NULL
mjvGeom* vis_addShape(const VisView* v, const VisTag* tag, const VisShape* shape);
mjvGeom* vis_addLink(const VisView* v, const VisTag* tag, const VisLink* link);
void vis_addTriangle(const VisView* v, const VisTag* tag, const mjtNum corner[3][3], const float rgba[4]);

// three axes of objid, scale times as large as usual
void vis_addFrame(const VisView* v, int objid, const mjtNum pos[3], const mjtNum mat[9], mjtNum scale);

// name of an object, or its kind and number
void vis_name(const mjModel* m, int objtype, int objid, char label[100]);

// look of a material (-1: none) and a colour; material wins unless the colour was changed from the default
void vis_setMaterial(const VisView* v, mjvGeom* geom, int material, const float rgba[4]);

// colour of what moves with the island whose first dof is given (-1: none)
void vis_islandColour(float rgba[4], int dof, int awake);
// the same for a body that moves: material is taken off
void vis_islandBody(const VisView* v, mjvGeom* geom, int body);

// static or dynamic, after what the body is welded to
int vis_category(const mjModel* m, int body);
// 1: the group is shown
int vis_shown(const mjtByte groups[mjNGROUP], int group);
// impedance of the limit of a joint or tendon, 0 when it is not active
mjtNum vis_limitImpedance(const mjData* d, mjtConstraint type, int id);
// the point of the selected body that was picked, in the world
void vis_selectedPoint(const mjData* d, const mjvPerturb* pert, mjtNum point[3]);

//---- adders, one per kind of thing; a kind that has a flag of mjtVisFlag is only called when that is set

// element.c: what the model consists of
void vis_addFlexes(const VisView* v);
void vis_addSkins(const VisView* v);
void vis_addGeoms(const VisView* v);
void vis_addSites(const VisView* v);
void vis_addGeomFrames(const VisView* v);
void vis_addSiteFrames(const VisView* v);

// tendon.c
void vis_addTendons(const VisView* v);
void vis_addSliderCranks(const VisView* v);
void vis_addActuators(const VisView* v);

// volume.c: bounding volumes and inertia
void vis_addBodyVolumes(const VisView* v);
void vis_addFlexVolumes(const VisView* v);
void vis_addMeshVolumes(const VisView* v);
void vis_addMeshOctrees(const VisView* v);
void vis_addInertias(const VisView* v);
// position of a control point of an interpolated flex; returns its body
int vis_flexNode(const mjModel* m, const mjData* d, int flex, int node, mjtNum pos[3]);

// decor.c: marks on bodies, joints, cameras, lights
void vis_addPerturb(const VisView* v);
void vis_addBodyFrames(const VisView* v);
void vis_addSelection(const VisView* v);
void vis_addBodyLabels(const VisView* v);
void vis_addJoints(const VisView* v);
void vis_addIslandLabels(const VisView* v);
void vis_addCameras(const VisView* v);
void vis_addLights(const VisView* v);
void vis_addMassCentres(const VisView* v);
void vis_addConnections(const VisView* v);
void vis_addForces(const VisView* v);
void vis_addEqualities(const VisView* v);

// contact.c: contacts and sensors of touch and distance
void vis_addContacts(const VisView* v);
void vis_addTactiles(const VisView* v);
void vis_addRanges(const VisView* v);

//---- surface.c: vertices of flexes and skins
void vis_updateFlexes(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scn);
void vis_updateSkins(const mjModel* m, const mjData* d, const mjvOption* opt, mjvScene* scn);
