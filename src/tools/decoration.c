// Geoms of a visual scene that stand for nothing in the model: what users and plugins draw.
#include <mujoco/mujoco.h>

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
  static const mjtNum small[3] = {0.1, 0.1, 0.1};
  geom->type = type;
  shapeSize(geom->size, type, size ? size : small);
  for (int i = 0; i < 3; i++) geom->pos[i] = pos ? (float)pos[i] : 0;
  for (int i = 0; i < 9; i++) geom->mat[i] = mat ? (float)mat[i] : (float)(i % 4 == 0);
  for (int i = 0; i < 4; i++) geom->rgba[i] = rgba ? rgba[i] : i < 3 ? 0.5f : 1;

  // a plain surface without a label; what the geom stands for is left to the caller
  geom->dataid = geom->matid = -1;
  geom->texcoord = 0;
  geom->emission = geom->reflectance = geom->modelrbound = 0;
  geom->specular = geom->shininess = 0.5f;
  geom->label[0] = 0;
}

void mjv_connector(mjvGeom* geom, int type, mjtNum width, const mjtNum from[3], const mjtNum to[3]) {
  // arrows and lines start where they are, capsules and cylinders are drawn about their middle
  const int centred = type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER;
  if (!centred && (type < mjGEOM_ARROW || type > mjGEOM_LINE)) {
    mju_error("mjv_connector: invalid geom type %d for connector", type);
  }
  geom->type = type;
  mjtNum along[3], quat[4], mat[9];
  mth_sub3(along, to, from);
  const mjtNum length = mth_norm3(along);
  geom->size[0] = geom->size[1] = (float)width;
  geom->size[2] = (float)(centred ? 0.5 * length : length);
  for (int i = 0; i < 3; i++) geom->pos[i] = (float)(centred ? 0.5 * (from[i] + to[i]) : from[i]);

  // the z axis points from one end to the other
  mju_quatZ2Vec(quat, along);
  mju_quat2Mat(mat, quat);
  for (int i = 0; i < 9; i++) geom->mat[i] = (float)mat[i];
}
