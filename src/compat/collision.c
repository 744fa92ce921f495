// Collision functions under the reference's internal names.
#include <math.h>

#include "collision/flex_pairs.h"
#include "collision/narrow.h"
#include "collision/ray.h"
#include "compat/engine.h"
#include "math/vec.h"

//---------------------------------- pairs of geoms ----------------------------------

#define PAIR(name, ours)                                                                       \
  int name(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) { \
    return ours(m, d, con, g1, g2, margin);                                                    \
  }

PAIR(mjc_PlaneSphere, col_planeSphere)
PAIR(mjc_PlaneCapsule, col_planeCapsule)
PAIR(mjc_PlaneCylinder, col_planeCylinder)
PAIR(mjc_PlaneBox, col_planeBox)
PAIR(mjc_SphereSphere, col_sphereSphere)
PAIR(mjc_SphereCapsule, col_sphereCapsule)
PAIR(mjc_SphereCylinder, col_sphereCylinder)
PAIR(mjc_SphereBox, col_sphereBox)
PAIR(mjc_CapsuleCapsule, col_capsuleCapsule)
PAIR(mjc_CapsuleBox, col_capsuleBox)
PAIR(mjc_BoxBox, col_boxBox)
PAIR(mjc_Convex, col_convex)

//---------------------------------- oriented boxes ----------------------------------

static const mjtNum WORLD_MAT[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const mjtNum WORLD_POS[3] = {0, 0, 0};

// product[18i + 9j + 3k + l]: axis l of frame i on axis k of frame j; offset[6i + 3j + k]: origin of frame i on it
static void relateFrames(const mjtNum* const pos[2], const mjtNum* const mat[2], mjtNum product[36],
                         mjtNum offset[12]) {
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) {
      mth_mulMatTMat3(product + 18 * i + 9 * j, mat[j], mat[i]);
      mth_mulMatTVec3(offset + 6 * i + 3 * j, mat[j], pos[i]);
    }
  }
}

// the boxes are apart on axis k of frame j
static int apartOn(const mjtNum* const box[2], const mjtNum product[36], const mjtNum offset[12], int j, int k,
                   mjtNum margin) {
  mjtNum pos[2], radius[2];
  for (int i = 0; i < 2; i++) {
    const mjtNum *p = product + 18 * i + 9 * j + 3 * k, *half = box[i] + 3;
    pos[i] = box[i][0] * p[0] + box[i][1] * p[1] + box[i][2] * p[2] + offset[6 * i + 3 * j + k];
    radius[i] = fabs(half[0] * p[0]) + fabs(half[1] * p[1]) + fabs(half[2] * p[2]);
  }
  return radius[0] + radius[1] + margin < fabs(pos[1] - pos[0]);
}

int mj_collideOBB(const mjtNum aabb1[6], const mjtNum aabb2[6], const mjtNum xpos1[3], const mjtNum xmat1[9],
                  const mjtNum xpos2[3], const mjtNum xmat2[9], mjtNum margin, mjtNum product[36], mjtNum offset[12],
                  mjtByte* initialize) {
  // a box without any end meets everything
  const mjtNum* const box[2] = {aabb1, aabb2};
  int endless[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    for (int k = 3; k < 6; k++) endless[i] += box[i][k] >= mjMAXVAL;
    if (endless[i] == 3) return 1;
  }

  // the frames with respect to each other
  mjtNum ownProduct[36], ownOffset[12];
  const mjtNum* const pos[2] = {xpos1 ? xpos1 : WORLD_POS, xpos2 ? xpos2 : WORLD_POS};
  const mjtNum* const mat[2] = {xmat1 ? xmat1 : WORLD_MAT, xmat2 ? xmat2 : WORLD_MAT};
  if (!product) {
    product = ownProduct;
    offset = ownOffset;
    relateFrames(pos, mat, product, offset);
  } else if (offset && *initialize) {
    relateFrames(pos, mat, product, offset);
    *initialize = 0;
  }

  // axes of a box are not tried against one that is endless somewhere
  for (int j = 0; j < 2; j++) {
    for (int k = 0; k < 3 && !endless[1 - j]; k++) {
      if (apartOn(box, product, offset, j, k, margin)) return 0;
    }
  }
  return 1;
}

//---------------------------------- flexes and rays ----------------------------------

int mj_isElemActive(const mjModel* m, int f, int e) {
  return col_elemActive(m, f, e);
}

mjtNum ray_triangle(mjtNum v[][3], const mjtNum lpnt[3], const mjtNum lvec[3], const mjtNum b0[3], const mjtNum b1[3],
                    mjtNum normal[3]) {
  ColRayPlane plane;
  mth_copy3(plane.ray.pnt, lpnt);
  mth_copy3(plane.ray.vec, lvec);
  mth_copy3(plane.u, b0);
  mth_copy3(plane.v, b1);
  return col_rayTriangle((const mjtNum(*)[3])v, &plane, normal);
}
