// The narrow phase: for two shapes the contacts between them. One function per cell of the collision table.
//
// Every mjfCollision takes the geoms in the table's order (type of g1 <= type of g2), writes at most mjMAXCONPAIR
// contacts and returns their number. It fills dist, pos and the first axis of frame (the normal, from g1 to g2); the
// second axis is either a tangent or zero, and the driver completes the frame and every other field.
#pragma once

#include <mujoco/mujoco.h>
#include <stddef.h>

#include "collision/shared.h"

// what a narrow phase writes: the fields of mjContact up to its frame
#ifdef COL_GPU
typedef struct {
  mjtNum dist, pos[3], frame[6];
} ColContact;
enum { COL_GEOMETRY = sizeof(ColContact) };
#else
typedef mjContact ColContact;
enum { COL_GEOMETRY = offsetof(mjContact, includemargin) };
#endif

// a shape in space: centre, orientation (row-major), size as in geom_size
typedef struct {
  const mjtNum* pos;
  const mjtNum* mat;
  const mjtNum* size;
} ColShape;

// what a convex query runs on: a geom (flex, elem, vert = -1), a flex element, or a flex vertex
typedef struct {
  int geom;
  int flex;
  int elem;
  int vert;
} ColObject;

#ifndef COL_GPU
// shape of a geom at its current pose
static inline ColShape col_geomShape(const mjModel* m, const mjData* d, int g) {
  return (ColShape){d->geom_xpos + 3 * g, d->geom_xmat + 9 * g, m->geom_size + 3 * g};
}

#define COL_PAIR(name) int name(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin)

// closed-form pairs: narrow/<pair>.c
COL_PAIR(col_planeSphere);
COL_PAIR(col_planeCapsule);
COL_PAIR(col_planeEllipsoid);
COL_PAIR(col_planeCylinder);
COL_PAIR(col_planeBox);
COL_PAIR(col_sphereSphere);
COL_PAIR(col_sphereCapsule);
COL_PAIR(col_sphereCylinder);
COL_PAIR(col_sphereBox);
COL_PAIR(col_capsuleCapsule);
COL_PAIR(col_capsuleBox);
COL_PAIR(col_boxBox);

// iterative pairs: convex.c, hfield.c, sdf.c
COL_PAIR(col_planeConvex);
COL_PAIR(col_convex);
COL_PAIR(col_convexHfield);
COL_PAIR(col_hfieldSdf);
COL_PAIR(col_meshSdf);
COL_PAIR(col_sdf);

// the same algorithms on explicit shapes (flex elements are not geoms)
int col_rawPlaneSphere(mjContact* con, mjtNum margin, const ColShape* plane, const ColShape* sphere);
int col_rawSphereSphere(mjContact* con, mjtNum margin, const ColShape* a, const ColShape* b);
int col_rawSphereCapsule(mjContact* con, mjtNum margin, const ColShape* sphere, const ColShape* capsule);
int col_rawSphereBox(mjContact* con, mjtNum margin, const ColShape* sphere, const ColShape* box);
int col_rawCapsuleCapsule(mjContact* con, mjtNum margin, const ColShape* a, const ColShape* b);
int col_rawCapsuleBox(mjContact* con, mjtNum margin, const ColShape* capsule, const ColShape* box);

// removes from the n contacts of two boxes those that are outside, and repeated ones; returns how many are left
int col_cleanBoxes(mjContact* con, int n, mjtNum margin, const ColShape* a, const ColShape* b);

// a shape and a triangle thickened by radius: narrow/<shape>_triangle.c
int col_sphereTriangle(mjContact* con, mjtNum margin, const ColShape* sphere, const mjtNum* const vert[3],
                       mjtNum radius);
int col_capsuleTriangle(mjContact* con, mjtNum margin, const ColShape* capsule, const mjtNum* const vert[3],
                        mjtNum radius);
int col_boxTriangle(mjContact* con, mjtNum margin, const ColShape* box, const mjtNum* const vert[3], mjtNum radius);

// a geom or flex object and a flex element by the general convex algorithm: convex.c
int col_convexElem(const mjModel* m, const mjData* d, mjContact* con, const ColObject* a, const ColObject* b,
                   mjtNum margin);

// 1: no entry of the table is somebody else's
int col_ownTable(void);

// a height field (a->geom) and a flex element (b->flex, b->elem): hfield.c
int col_hfieldElem(const mjModel* m, const mjData* d, mjContact* con, const ColObject* a, const ColObject* b,
                   mjtNum margin);
#endif
