// Geoms of a visual scene that stand for nothing in the model: what users and plugins draw.
#include <mujoco/mujoco.h>
#include <string.h>

#include "math/vec.h"

// sizes along x, y and z of a shape whose size is given as in the model
static void shapeSize(float size[3], int type, const mjtNum given[3]) {
  const int round = type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER;
  size[0] = (float)given[0];
  size[1] = (float)(round ? given[0] : given[1]);
  size[2] = (float)(type == mjGEOM_SPHERE ? given[0] : round ? given[1] : given[2]);
}

void mjv_initGeom(mjvGeom* geom, int type, const mjtNum size[3], const mjtNum pos[3], const mjtNum mat[9],
                  const float rgba[4]) {
  static const mjtNum SMALL[3] = {0.1, 0.1, 0.1}, ORIGIN[3] = {0, 0, 0}, UPRIGHT[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  static const float GREY[4] = {0.5f, 0.5f, 0.5f, 1};
  geom->type = type;
  shapeSize(geom->size, type, size ? size : SMALL);
  if (!pos) pos = ORIGIN;
  if (!mat) mat = UPRIGHT;
  for (int i = 0; i < 3; i++) geom->pos[i] = (float)pos[i];
  for (int i = 0; i < 9; i++) geom->mat[i] = (float)mat[i];
  memcpy(geom->rgba, rgba ? rgba : GREY, sizeof(geom->rgba));

  // a plain surface without a label; what the geom stands for is left to the caller
  geom->dataid = geom->matid = -1;
  geom->texcoord = 0;
  geom->emission = geom->reflectance = geom->modelrbound = 0;
  geom->specular = geom->shininess = 0.5f;
  geom->label[0] = 0;
}

// smallest rotation that takes the z axis to a unit vector (x, y, z), k = 1 / (1 + z):
//     1 - k x x     - k x y   x
//       - k x y   1 - k y y   y
//           - x         - y   z
static void rotationFromZ(const mjtNum v[3], float mat[9]) {
  const mjtNum x = v[0], y = v[1], z = v[2], square = x * x + y * y;
  const int opposite = z < 0;
  if (square < mjMINVAL * mjMINVAL) {
    // along the axis, or half a turn about x
    const float flip = opposite ? -1 : 1, straight[9] = {1, 0, 0, 0, flip, 0, 0, 0, flip};
    memcpy(mat, straight, sizeof(straight));
    return;
  }

  // the second form does not cancel near z = -1
  const mjtNum k = opposite ? (1 - z) / square : 1 / (1 + z);
  const mjtNum rotation[9] = {1 - k * x * x, -k * x * y, x, -k * x * y, 1 - k * y * y, y, -x, -y, z};
  for (int i = 0; i < 9; i++) mat[i] = (float)rotation[i];
}

void mjv_connector(mjvGeom* geom, int type, mjtNum width, const mjtNum from[3], const mjtNum to[3]) {
  // arrows and lines start where they are, capsules and cylinders are drawn about their middle
  const int centred = type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER;
  if (!centred && (type < mjGEOM_ARROW || type > mjGEOM_LINE)) {
    mju_error("mjv_connector: invalid geom type %d for connector", type);
    return;
  }
  geom->type = type;
  static const mjtNum UP[3] = {0, 0, 1};
  mjtNum along[3];
  mth_sub3(along, to, from);
  const mjtNum length = mth_normalize3(along);
  geom->size[0] = geom->size[1] = (float)width;
  geom->size[2] = (float)(centred ? 0.5 * length : length);
  for (int i = 0; i < 3; i++) geom->pos[i] = (float)(centred ? 0.5 * (from[i] + to[i]) : from[i]);

  // the z axis points from one end to the other; between equal ends there is no direction
  rotationFromZ(length < mjMINVAL ? UP : along, geom->mat);
}
