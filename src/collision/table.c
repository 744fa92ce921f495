// The collision table: which function makes contacts between two geom types. Rows are the lower type; the lower
// triangle is never read. Users may replace entries; an empty entry means that the types do not collide.
#include <mujoco/mujoco.h>
#include <stddef.h>

#include <string.h>

#include "collision/narrow.h"

// clang-format off
  //              PLANE HFIELD SPHERE            CAPSULE             ELLIPSOID           CYLINDER            BOX               MESH              SDF
#define OWN_TABLE {                                                                                                                                                \
  /* PLANE */     {0,   0,     col_planeSphere,  col_planeCapsule,   col_planeEllipsoid, col_planeCylinder,  col_planeBox,     col_planeConvex,  col_planeConvex}, \
  /* HFIELD */    {0,   0,     col_convexHfield, col_convexHfield,   col_convexHfield,   col_convexHfield,   col_convexHfield, col_convexHfield, col_hfieldSdf},   \
  /* SPHERE */    {0,   0,     col_sphereSphere, col_sphereCapsule,  col_convex,         col_sphereCylinder, col_sphereBox,    col_convex,       col_sdf},         \
  /* CAPSULE */   {0,   0,     0,                col_capsuleCapsule, col_convex,         col_convex,         col_capsuleBox,   col_convex,       col_sdf},         \
  /* ELLIPSOID */ {0,   0,     0,                0,                  col_convex,         col_convex,         col_convex,       col_convex,       col_sdf},         \
  /* CYLINDER */  {0,   0,     0,                0,                  0,                  col_convex,         col_convex,       col_convex,       col_sdf},         \
  /* BOX */       {0,   0,     0,                0,                  0,                  0,                  col_boxBox,       col_convex,       col_sdf},         \
  /* MESH */      {0,   0,     0,                0,                  0,                  0,                  0,                col_convex,       col_meshSdf},     \
  /* SDF */       {0,   0,     0,                0,                  0,                  0,                  0,                0,                col_sdf},         \
}
// clang-format on

mjfCollision mjCOLLISIONFUNC[mjNGEOMTYPES][mjNGEOMTYPES] = OWN_TABLE;

int col_ownTable(void) {
  static const mjfCollision own[mjNGEOMTYPES][mjNGEOMTYPES] = OWN_TABLE;
  return !memcmp(own, mjCOLLISIONFUNC, sizeof(own));
}
