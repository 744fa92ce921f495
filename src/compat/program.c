// Quadratic programs. See compat.h.
//
// In an ellipsoid: scaled by d it is a ball. Where the unconstrained solution lies outside, the multiplier s of the
// constraint is the root of |x(s)|^2 = r^2 with (A + s) x(s) = -b, found by Newton's method from s = 0.
#include "compat/compat.h"
#include "math/boxqp.h"
#include "math/vec.h"

enum { MAXITER = 20 };

// smallest determinant and smallest progress; results depend on it
static const mjtNum EPS = 1e-10;

// P = (A + shift)^-1 of a symmetric matrix, by its cofactors; 0: not positive definite, P is not written
static int inverse2(mjtNum* P, const mjtNum* A, mjtNum shift) {
  const mjtNum a = A[0] + shift, b = A[1], c = A[3] + shift;
  const mjtNum det = a * c - b * b;
  if (det < EPS) return 0;
  P[0] = c / det;
  P[3] = a / det;
  P[1] = P[2] = -b / det;
  return 1;
}

static int inverse3(mjtNum* P, const mjtNum* A, mjtNum shift) {
  const mjtNum xx = A[0] + shift, yy = A[4] + shift, zz = A[8] + shift, xy = A[1], xz = A[2], yz = A[5];
  const mjtNum first[3] = {yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy};
  const mjtNum det = xx * first[0] + xy * first[1] + xz * first[2];
  if (det < EPS) return 0;
  P[0] = first[0] / det;
  P[1] = P[3] = first[1] / det;
  P[2] = P[6] = first[2] / det;
  P[4] = (xx * zz - xz * xz) / det;
  P[5] = P[7] = (xy * xz - yz * xx) / det;
  P[8] = (xx * yy - xy * xy) / det;
  return 1;
}

// the program in n = 2 or 3 dimensions; 1: on the boundary
static int solve(mjtNum* res, const mjtNum* Ain, const mjtNum* bin, const mjtNum* d, mjtNum r, int n) {
  mjtNum A[9], b[3], P[9], x[3] = {0, 0, 0}, Px[3];
  for (int i = 0; i < n; i++) {
    b[i] = bin[i] * d[i];
    for (int j = i; j < n; j++) A[n * i + j] = Ain[n * i + j] * d[i] * d[j];
  }

  mjtNum shift = 0;
  for (int iter = 0; iter < MAXITER; iter++) {
    if (!(n == 2 ? inverse2(P, A, shift) : inverse3(P, A, shift))) {
      for (int i = 0; i < n; i++) res[i] = 0;
      return 0;
    }
    mju_mulMatVec(x, P, b, n, n);
    const mjtNum excess = mju_dot(x, x, n) - r * r;
    if (excess < EPS) break;

    // derivative of |x|^2: -2 x'Px
    mju_mulMatVec(Px, P, x, n, n);
    const mjtNum delta = excess / (2 * mju_dot(x, Px, n));
    if (delta < EPS) break;
    shift += delta;
  }
  for (int i = 0; i < n; i++) res[i] = -x[i] * d[i];
  return shift != 0;
}

int mju_QCQP2(mjtNum* res, const mjtNum* Ain, const mjtNum* bin, const mjtNum* d, mjtNum r) {
  return solve(res, Ain, bin, d, r, 2);
}

int mju_QCQP3(mjtNum* res, const mjtNum* Ain, const mjtNum* bin, const mjtNum* d, mjtNum r) {
  return solve(res, Ain, bin, d, r, 3);
}

int mju_boxQPoption(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g, int n, const mjtNum* lower,
                    const mjtNum* upper, int maxiter, mjtNum mingrad, mjtNum backtrack, mjtNum minstep, mjtNum armijo,
                    char* log, int logsz) {
  const MthBoxOption option = {maxiter, mingrad, backtrack, minstep, armijo, log, logsz};
  return mth_boxQP(&(MthBoxProblem){n, H, g, lower, upper, res, R, index}, &option);
}
