// Eyes: projection, view, and the small linear algebra the passes need. Depth is reversed, 1 at the near plane and 0 at
// the far plane: with floating-point depth the precision is spread evenly over the distance.
#include <math.h>

#include "render/scene.h"

static float dot(const float a[3], const float b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(float res[3], const float a[3], const float b[3]) {
  res[0] = a[1] * b[2] - a[2] * b[1];
  res[1] = a[2] * b[0] - a[0] * b[2];
  res[2] = a[0] * b[1] - a[1] * b[0];
}

// scales to length 1; the z axis for a vector that has no direction
static void normalize(float v[3]) {
  const float length = sqrtf(dot(v, v));
  if (length < 1E-10f) {
    v[0] = v[1] = 0;
    v[2] = 1;
    return;
  }
  const float scale = 1.0f / length;
  for (int k = 0; k < 3; k++) v[k] *= scale;
}

void ren_orthogonal(float res[3], const float direction[3]) {
  static const float OTHERS[2][3] = {
      {-1, 0, 0},
      {0,  1, 0}
  };
  cross(res, direction, OTHERS[0]);
  if (dot(res, res) <= 0.01f) cross(res, direction, OTHERS[1]);
  normalize(res);
}

void ren_multiply(float res[16], const float a[16], const float b[16]) {
  for (int col = 0; col < 4; col++) {
    for (int row = 0; row < 4; row++) {
      float sum = 0;
      for (int k = 0; k < 4; k++) sum += a[row + 4 * k] * b[k + 4 * col];
      res[row + 4 * col] = sum;
    }
  }
}

void ren_pose(float res[16], const float pos[3], const float mat[9]) {
  for (int col = 0; col < 3; col++) {
    for (int row = 0; row < 3; row++) res[row + 4 * col] = mat[3 * row + col];
    res[3 + 4 * col] = 0;
  }
  for (int row = 0; row < 3; row++) res[12 + row] = pos ? pos[row] : 0;
  res[15] = 1;
}

int ren_isBehind(const RenFrame* f, const mjvGeom* geom) {
  float height = 0;
  for (int k = 0; k < 3; k++) height += (f->head[k] - geom->pos[k]) * geom->mat[3 * k + 2];
  return height < 0;
}

//---------------------------------- view ----------------------------------

void ren_lookAt(const float pos[3], const float forward[3], const float up[3]) {
  // axes of the eye: right, up, backward
  float axis[3][3] = {
      {0,          0,          0         },
      {0,          0,          0         },
      {forward[0], forward[1], forward[2]}
  };
  normalize(axis[2]);
  cross(axis[0], axis[2], up);
  normalize(axis[0]);
  cross(axis[1], axis[0], axis[2]);
  normalize(axis[1]);
  for (int k = 0; k < 3; k++) axis[2][k] = -axis[2][k];

  float view[16] = {[15] = 1};
  for (int row = 0; row < 3; row++) {
    for (int col = 0; col < 3; col++) view[row + 4 * col] = axis[row][col];
    view[12 + row] = -dot(axis[row], pos);
  }
  gl.MultMatrixf(view);
}

// from the model to the room
static void applyTransform(const mjvScene* scn) {
  mjtNum quat[4], rot[9];
  mju_f2n(quat, scn->rotate, 4);
  mju_quat2Mat(rot, quat);
  float mat[9], transform[16];
  for (int k = 0; k < 9; k++) mat[k] = scn->scale * (float)rot[k];
  ren_pose(transform, scn->translate, mat);
  gl.MultMatrixf(transform);
}

//---------------------------------- projection ----------------------------------

void ren_startProjection(void) {
  gl.MatrixMode(GL_PROJECTION);
  gl.LoadIdentity();
  if (gl.ClipControl) {
    gl.Translatef(0, 0, 0.5f);
    gl.Scalef(1, 1, -0.5f);
  } else {
    gl.Scalef(1, 1, -1);
  }
}

void ren_setEye(RenFrame* f, int eye) {
  const mjvScene* const scn = f->scn;
  const mjvGLCamera* const cam = eye < 0 ? &f->cam : scn->camera + eye;

  // a view volume without a width has the viewport's aspect ratio
  float half = cam->frustum_width;
  if (half == 0) {
    half = 0.5f * (float)f->viewport.width / (float)f->viewport.height * (cam->frustum_top - cam->frustum_bottom);
  }
  const float left = cam->frustum_center - half, right = cam->frustum_center + half;

  ren_startProjection();
  if (cam->orthographic) {
    gl.Ortho(left, right, cam->frustum_bottom, cam->frustum_top, cam->frustum_near, cam->frustum_far);
  } else {
    gl.Frustum(left, right, cam->frustum_bottom, cam->frustum_top, cam->frustum_near, cam->frustum_far);
  }
  gl.GetFloatv(GL_PROJECTION_MATRIX, f->project);

  gl.MatrixMode(GL_MODELVIEW);
  gl.LoadIdentity();
  ren_lookAt(cam->pos, cam->forward, cam->up);
  if (scn->enabletransform) applyTransform(scn);
  gl.GetFloatv(GL_MODELVIEW_MATRIX, f->view);
}
