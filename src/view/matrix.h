// Matrices of 4 x 4 numbers as OpenGL wants them, column after column, and vectors of three.
#pragma once

#include <math.h>
#include <string.h>

typedef struct {
  float at[16];
} ViwMatrix;

static inline float viw_dot(const float a[3], const float b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void viw_cross(float out[3], const float a[3], const float b[3]) {
  const float c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  memcpy(out, c, sizeof(c));
}

// a vector without a direction becomes z
static inline void viw_normalize(float v[3]) {
  const float length = sqrtf(viw_dot(v, v));
  for (int k = 0; k < 3; k++) v[k] = length > 1e-20f ? v[k] / length : (float)(k == 2);
}

static inline ViwMatrix viw_multiply(const ViwMatrix* a, const ViwMatrix* b) {
  ViwMatrix out;
  for (int col = 0; col < 4; col++) {
    for (int row = 0; row < 4; row++) {
      float sum = 0;
      for (int k = 0; k < 4; k++) sum += a->at[row + 4 * k] * b->at[k + 4 * col];
      out.at[row + 4 * col] = sum;
    }
  }
  return out;
}

// out = m (v, 1)
static inline void viw_transform(float out[4], const ViwMatrix* m, const float v[3]) {
  for (int row = 0; row < 4; row++) {
    out[row] = m->at[row] * v[0] + m->at[row + 4] * v[1] + m->at[row + 8] * v[2] + m->at[row + 12];
  }
}

// from the world to an eye that looks along forward
static inline ViwMatrix viw_lookAlong(const float pos[3], const float forward[3], const float up[3]) {
  float axis[3][3];
  memcpy(axis[2], forward, sizeof(axis[2]));
  viw_normalize(axis[2]);
  viw_cross(axis[0], axis[2], up);
  viw_normalize(axis[0]);
  viw_cross(axis[1], axis[0], axis[2]);
  for (int k = 0; k < 3; k++) axis[2][k] = -axis[2][k];
  ViwMatrix out = {{[15] = 1}};
  for (int row = 0; row < 3; row++) {
    for (int col = 0; col < 3; col++) out.at[row + 4 * col] = axis[row][col];
    out.at[12 + row] = -viw_dot(axis[row], pos);
  }
  return out;
}

// box: left, right, bottom, top at the near plane
static inline ViwMatrix viw_perspective(const float box[4], float near, float far) {
  ViwMatrix out = {{0}};
  out.at[0] = 2 * near / (box[1] - box[0]);
  out.at[5] = 2 * near / (box[3] - box[2]);
  out.at[8] = (box[1] + box[0]) / (box[1] - box[0]);
  out.at[9] = (box[3] + box[2]) / (box[3] - box[2]);
  out.at[10] = -(far + near) / (far - near);
  out.at[11] = -1;
  out.at[14] = -2 * far * near / (far - near);
  return out;
}

static inline ViwMatrix viw_orthographic(const float box[4], float near, float far) {
  ViwMatrix out = {{[15] = 1}};
  out.at[0] = 2 / (box[1] - box[0]);
  out.at[5] = 2 / (box[3] - box[2]);
  out.at[10] = -2 / (far - near);
  out.at[12] = -(box[1] + box[0]) / (box[1] - box[0]);
  out.at[13] = -(box[3] + box[2]) / (box[3] - box[2]);
  out.at[14] = -(far + near) / (far - near);
  return out;
}

// reflection at the plane n x = offset: x - 2 n (n x - offset)
static inline ViwMatrix viw_reflection(const float n[3], float offset) {
  ViwMatrix out = {{[15] = 1}};
  for (int row = 0; row < 3; row++) {
    for (int col = 0; col < 3; col++) out.at[row + 4 * col] = (float)(row == col) - 2 * n[row] * n[col];
    out.at[12 + row] = 2 * n[row] * offset;
  }
  return out;
}
