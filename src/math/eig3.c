// Eigenvalues and eigenvectors of a symmetric 3x3 matrix by Jacobi rotations kept as one quaternion, so that the
// eigenvectors are always a right-handed orthonormal frame: mat = V diag(w) V'.
#include <math.h>

#include <mujoco/mujoco.h>

#include "math/quat.h"

// off-diagonal size and cosine distance at which the iteration stops
static const mjtNum TOLERANCE = 1e-12;

// The plane of a Jacobi rotation: D(row, col) is the largest off-diagonal element, axis the one turned about.
typedef struct {
  int row, col, axis;
} Plane;

static Plane largestOffDiagonal(const mjtNum D[9]) {
  const mjtNum xy = fabs(D[1]), xz = fabs(D[2]), yz = fabs(D[5]);
  if (xy > xz && xy > yz) return (Plane){0, 1, 2};
  if (xz > yz) return (Plane){0, 2, 1};
  return (Plane){1, 2, 0};
}

// turns quat about one of its axes by the rotation with the given sine of the half angle
static void turnAxis(mjtNum quat[4], int axis, mjtNum sinhalf, mjtNum coshalf) {
  mjtNum turn[4] = {coshalf, 0, 0, 0};
  turn[1 + axis] = sinhalf;
  mth_normalize4(turn);
  mth_mulQuat(quat, quat, turn);
  mth_normalize4(quat);
}

// sine of half the rotation that clears D(row, col); 0: nothing left to clear
static mjtNum jacobiHalfSine(const mjtNum D[9], Plane p) {
  const mjtNum off = D[3 * p.row + p.col];
  if (fabs(off) < TOLERANCE) return 0;

  // tangent: the smaller root of t^2 + 2 tau t - 1
  const mjtNum tau = (D[4 * p.col] - D[4 * p.row]) / (2 * off);
  const mjtNum root = sqrt(1 + tau * tau);
  const mjtNum t = tau >= 0 ? 1 / (tau + root) : -1 / (root - tau);
  const mjtNum c = 1 / sqrt(1 + t * t);
  if (c > 1 - TOLERANCE) return 0;

  // the xz plane turns the other way about y
  const mjtNum s = sqrt(0.5 - 0.5 * c);
  return (tau >= 0) == (p.axis == 1) ? s : -s;
}

// decreasing eigenvalues: neighbours change places by a quarter turn about the third axis
static void sortDecreasing(mjtNum eigval[3], mjtNum quat[4]) {
  static const int order[3] = {0, 1, 0};
  const mjtNum quarter = 0.707106781186548;
  for (int k = 0; k < 3; k++) {
    const int i = order[k];
    if (eigval[i] + TOLERANCE < eigval[i + 1]) {
      const mjtNum swap = eigval[i];
      eigval[i] = eigval[i + 1];
      eigval[i + 1] = swap;
      turnAxis(quat, (i + 2) % 3, quarter, quarter);
    }
  }
}

int mju_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9]) {
  enum { MAXITER = 500 };
  mth_unit4(quat);

  int iter = 0;
  for (; iter < MAXITER; iter++) {
    // D = V' mat V
    mjtNum D[9];
    mth_quat2Mat(eigvec, quat);
    mth_mulMatTMat3(D, eigvec, mat);
    mth_mulMatMat3(D, D, eigvec);
    mth_set3(eigval, D[0], D[4], D[8]);

    // clear the largest off-diagonal element
    const Plane plane = largestOffDiagonal(D);
    const mjtNum sinhalf = jacobiHalfSine(D, plane);
    if (sinhalf == 0) break;
    turnAxis(quat, plane.axis, sinhalf, sqrt(1 - sinhalf * sinhalf));
  }

  sortDecreasing(eigval, quat);
  mth_quat2Mat(eigvec, quat);
  return iter;
}
