// Principal axes of a symmetric 3x3 matrix, as in math/eig3.c, with the rounding of the model compiler: quaternions are
// normalized by division, and only when their length is off by more than 1e-14. Faces of symmetric meshes are told
// apart by rounding alone, so the bounding volume trees of two compilers agree only when their vertices agree to the
// last bit.
#include <math.h>

#include "asset/mesh.h"
#include "math/quat.h"
#include "math/vec.h"

static const double CONVERGED = 1e-12;
static const double UNIT = 1e-14;

void ast_normalize4(double quat[4]) {
  const double square = quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3];
  if (square < UNIT) return;
  const double length = sqrt(square);
  if (fabs(length - 1) <= UNIT) return;
  for (int k = 0; k < 4; k++) quat[k] /= length;
}

// quat turned about one of its axes, given half the rotation
static void turn(double quat[4], int axis, double sine, double cosine) {
  double step[4] = {cosine, 0, 0, 0};
  step[1 + axis] = sine;
  mth_mulQuat(quat, quat, step);
  ast_normalize4(quat);
  ast_normalize4(quat);
}

// one Jacobi rotation of D, which is the matrix in the frame quat; 0: nothing left to do
static int rotateOnce(const double D[9], double quat[4]) {
  const double xy = fabs(D[1]), xz = fabs(D[2]), yz = fabs(D[5]);
  const int axis = xy > xz && xy > yz ? 2 : xz > yz ? 1 : 0;
  const int row = axis == 0, col = axis == 2 ? 1 : 2;
  const double off = D[3 * row + col];
  if (fabs(off) < CONVERGED) return 0;
  const double tau = (D[4 * col] - D[4 * row]) / (2 * off);
  const double root = sqrt(1 + tau * tau);
  const double tangent = tau >= 0 ? 1 / (tau + root) : -1 / (root - tau);
  const double cosine = 1 / sqrt(1 + tangent * tangent);
  if (cosine > 1 - CONVERGED) return 0;
  const double half = sqrt(0.5 - 0.5 * cosine);
  const double sine = (tau >= 0) == (axis == 1) ? half : -half;

  // the step itself is normalized first
  double step[4] = {sqrt(1 - sine * sine), 0, 0, 0};
  step[1 + axis] = sine;
  ast_normalize4(step);
  turn(quat, axis, step[1 + axis], step[0]);
  return 1;
}

void ast_principalAxes(const double mat[9], double eigval[3], double quat[4]) {
  enum { MAXITER = 500 };
  mth_unit4(quat);
  for (int iter = 0; iter < MAXITER; iter++) {
    double D[9], frame[9];
    mth_quat2Mat(frame, quat);
    mth_mulMatTMat3(D, frame, mat);
    mth_mulMatMat3(D, D, frame);
    mth_set3(eigval, D[0], D[4], D[8]);
    if (!rotateOnce(D, quat)) break;
  }

  // decreasing order, by quarter turns
  const double quarter = 0.707106781186548;
  for (int k = 0; k < 3; k++) {
    const int i = k % 2;
    if (eigval[i] + CONVERGED >= eigval[i + 1]) continue;
    const double larger = eigval[i + 1];
    eigval[i + 1] = eigval[i];
    eigval[i] = larger;
    turn(quat, (i + 2) % 3, quarter, quarter);
  }
}
