// The collision table: which function makes contacts between two geom types. Rows are the lower type; the lower
// triangle is never read. Users may replace entries; an empty entry means that the types do not collide.
#include <mujoco/mujoco.h>
#include <stddef.h>

#include "collision/narrow.h"

// clang-format off
mjfCollision mjCOLLISIONFUNC[mjNGEOMTYPES][mjNGEOMTYPES] = {
  //              PLANE HFIELD SPHERE            CAPSULE             ELLIPSOID           CYLINDER            BOX               MESH              SDF
  /* PLANE */     {0,   0,     col_planeSphere,  col_planeCapsule,   col_planeEllipsoid, col_planeCylinder,  col_planeBox,     col_planeConvex,  0},
  /* HFIELD */    {0,   0,     col_convexHfield, col_convexHfield,   col_convexHfield,   col_convexHfield,   col_convexHfield, col_convexHfield, 0},
  /* SPHERE */    {0,   0,     col_sphereSphere, col_sphereCapsule,  col_convex,         col_sphereCylinder, col_sphereBox,    col_convex,       0},
  /* CAPSULE */   {0,   0,     0,                col_capsuleCapsule, col_convex,         col_convex,         col_capsuleBox,   col_convex,       0},
  /* ELLIPSOID */ {0,   0,     0,                0,                  col_convex,         col_convex,         col_convex,       col_convex,       0},
  /* CYLINDER */  {0,   0,     0,                0,                  0,                  col_convex,         col_convex,       col_convex,       0},
  /* BOX */       {0,   0,     0,                0,                  0,                  0,                  col_boxBox,       col_convex,       0},
  /* MESH */      {0,   0,     0,                0,                  0,                  0,                  0,                col_convex,       0},
  /* SDF */       {0,   0,     0,                0,                  0,                  0,                  0,                0,                0},
};
// clang-format on
