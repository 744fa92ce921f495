// The collision table: which function makes contacts between two geom types. Rows are the lower type; the lower
// triangle is never read. Users may replace entries; an empty entry means that the types do not collide.
#include <mujoco/mujoco.h>
#include <stddef.h>

#include "collision/narrow.h"

// clang-format off
mjfCollision mjCOLLISIONFUNC[mjNGEOMTYPES][mjNGEOMTYPES] = {
  //              PLANE HFIELD SPHERE            CAPSULE             ELLIPSOID           CYLINDER            BOX             MESH  SDF
  /* PLANE */     {0,   0,     col_planeSphere,  col_planeCapsule,   col_planeEllipsoid, col_planeCylinder,  col_planeBox,   0,    0},
  /* HFIELD */    {0,   0,     0,                0,                  0,                  0,                  0,              0,    0},
  /* SPHERE */    {0,   0,     col_sphereSphere, col_sphereCapsule,  0,                  col_sphereCylinder, col_sphereBox,  0,    0},
  /* CAPSULE */   {0,   0,     0,                col_capsuleCapsule, 0,                  0,                  col_capsuleBox, 0,    0},
  /* ELLIPSOID */ {0,   0,     0,                0,                  0,                  0,                  0,              0,    0},
  /* CYLINDER */  {0,   0,     0,                0,                  0,                  0,                  0,              0,    0},
  /* BOX */       {0,   0,     0,                0,                  0,                  0,                  col_boxBox,     0,    0},
  /* MESH */      {0,   0,     0,                0,                  0,                  0,                  0,              0,    0},
  /* SDF */       {0,   0,     0,                0,                  0,                  0,                  0,              0,    0},
};
// clang-format on
