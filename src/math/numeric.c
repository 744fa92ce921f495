// Small numeric helpers of the public API: conversions, sorting, sequences, the muscle model, friction pyramids.
#include <math.h>
#include <stdlib.h>

#include <mujoco/mujoco.h>

#include "math/doubled.h"
#include "math/elem.h"
#include "math/numeric.h"
#include "math/vec.h"

//---------------------------------- scalars ----------------------------------

mjtNum mju_min(mjtNum a, mjtNum b) {
  return mth_min(a, b);
}

mjtNum mju_max(mjtNum a, mjtNum b) {
  return mth_max(a, b);
}

mjtNum mju_clip(mjtNum x, mjtNum min, mjtNum max) {
  return mth_clip(x, min, max);
}

mjtNum mju_sign(mjtNum x) {
  return mth_sign(x);
}

int mju_round(mjtNum x) {
  // halves go up
  const mjtNum below = floor(x), above = ceil(x);
  return (int)(x - below < above - x ? below : above);
}

int mju_isBad(mjtNum x) {
  return !(x >= -mjMAXVAL && x <= mjMAXVAL);
}

int mju_isZero(const mjtNum* vec, int n) {
  // four at a time, sign bits shifted out
  int i = 0;
  for (; i <= n - 4; i += 4) {
    const uint64_t any = mth_bits(vec[i]) | mth_bits(vec[i + 1]) | mth_bits(vec[i + 2]) | mth_bits(vec[i + 3]);
    if (any << 1) return 0;
  }
  while (i < n && vec[i] == 0) i++;
  return i >= n;
}

// quintic with zero slope and curvature at 0 and 1
mjtNum mju_sigmoid(mjtNum x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  return x * x * x * (3 * x * (2 * x - 5) + 10);
}

//---------------------------------- arrays ----------------------------------

void mju_f2n(mjtNum* res, const float* vec, int n) {
  for (int i = 0; i < n; i++) res[i] = vec[i];
}

void mju_n2f(float* res, const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) res[i] = (float)vec[i];
}

void mju_d2n(mjtNum* res, const double* vec, int n) {
  for (int i = 0; i < n; i++) res[i] = vec[i];
}

void mju_n2d(double* res, const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) res[i] = vec[i];
}

// starts a cache line, so that the inner loop lies in one
__attribute__((aligned(64))) void mju_insertionSort(mjtNum* list, int n) {
  for (mjtNum* next = list + 1; next < list + n; next++) {
    const mjtNum item = *next;

    // the larger ones before it move up
    mjtNum* hole = next;
    for (; hole > list; hole--) {
      const mjtNum before = hole[-1];
      if (!(before > item)) break;
      *hole = before;
    }
    *hole = item;
  }
}

void mju_insertionSortInt(int* list, int n) {
  for (int sorted = 1; sorted < n; sorted++) {
    const int item = list[sorted];
    int hole = sorted;
    for (; hole > 0 && list[hole - 1] > item; hole--) list[hole] = list[hole - 1];
    list[hole] = item;
  }
}

//---------------------------------- sequences ----------------------------------

// the digits of index in the given base, mirrored at the point
mjtNum mju_Halton(int index, int base) {
  mjtNum res = 0, weight = 1 / (mjtNum)base;
  for (; index > 0; index /= base) {
    res += weight * (index % base);
    weight /= base;
  }
  return res;
}

// Marsaglia's polar method: a uniform point of the unit disc gives two independent normal numbers.
mjtNum mju_standardNormal(mjtNum* num2) {
  const mjtNum unit = 2.0 / (mjtNum)RAND_MAX;
  mjtNum x, y, square;
  do {
    x = unit * (mjtNum)rand() - 1;
    y = unit * (mjtNum)rand() - 1;
    square = x * x + y * y;
  } while (square >= 1 || square == 0);

  const mjtNum scale = sqrt(-2 * mth_log(square) / square);
  if (num2) *num2 = y * scale;
  return x * scale;
}

//---------------------------------- spring and damper ----------------------------------

// x'' + b x' + k x = 0 from (pos0, vel0) after time dt: roots of s^2 + b s + k are real, equal or complex.
mjtNum mju_springDamper(mjtNum pos0, mjtNum vel0, mjtNum Kp, mjtNum Kv, mjtNum dt) {
  const mjtNum discriminant = Kv * Kv - 4 * Kp;
  const mjtNum decay = -Kv / 2;

  if (discriminant > mjMINVAL) {
    const mjtNum w = sqrt(discriminant) / 2;
    const mjtNum slow = decay + w, fast = decay - w;
    const mjtNum a = (pos0 * fast - vel0) / (fast - slow), b = (pos0 * slow - vel0) / (slow - fast);
    return a * mth_exp(slow * dt) + b * mth_exp(fast * dt);
  }

  const mjtNum drift = vel0 + Kv * pos0 / 2;
  const mjtNum envelope = mth_exp(-Kv * dt / 2);
  if (discriminant >= -mjMINVAL) return envelope * (pos0 + drift * dt);

  const mjtNum w = sqrt(-discriminant) / 2;
  mjtNum s, c;
  mth_sincos(w * dt, &s, &c);
  return envelope * (pos0 * c + drift / w * s);
}

//---------------------------------- friction pyramid ----------------------------------
// Tangent direction i has the two edges N + mu_i T_i and N - mu_i T_i.

void mju_encodePyramid(mjtNum* pyramid, const mjtNum* force, const mjtNum* mu, int dim) {
  // the normal force is shared evenly; the tangent force cannot exceed its share
  if (dim < 2) return;
  const mjtNum share = force[0] / (dim - 1);
  for (int i = 0; i < dim - 1; i++) {
    const mjtNum tangent = mth_min(share, force[i + 1] / mu[i]);
    pyramid[2 * i] = 0.5 * (share + tangent);
    pyramid[2 * i + 1] = 0.5 * (share - tangent);
  }
}

void mju_decodePyramid(mjtNum* force, const mjtNum* pyramid, const mjtNum* mu, int dim) {
  if (dim == 1) {
    force[0] = pyramid[0];
    return;
  }
  mjtNum normal = 0;
  for (int i = 0; i < dim - 1; i++) {
    normal += pyramid[2 * i];
    normal += pyramid[2 * i + 1];
    force[i + 1] = (pyramid[2 * i] - pyramid[2 * i + 1]) * mu[i];
  }
  force[0] = normal;
}

//---------------------------------- muscles ----------------------------------
// prm = (range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax)

// a divisor that is not too close to zero
static mjtNum divisor(mjtNum x) {
  return x > mjMINVAL ? x : mjMINVAL;
}

mjtNum mth_muscleGainLength(mjtNum length, mjtNum lmin, mjtNum lmax) {
  if (!(lmin <= length && length <= lmax)) return 0;

  // a bump of four parabolas: 0 at lmin, 1/2 half way, 1 at length 1, 1/2 half way, 0 at lmax
  const mjtNum rise = 0.5 * (lmin + 1), fall = 0.5 * (1 + lmax);
  mjtNum x;
  if (length <= rise) {
    x = (length - lmin) / divisor(rise - lmin);
    return 0.5 * x * x;
  }
  if (length > fall) {
    x = (lmax - length) / divisor(lmax - fall);
    return 0.5 * x * x;
  }
  x = length <= 1 ? (1 - length) / divisor(1 - rise) : (length - 1) / divisor(fall - 1);
  return 1 - 0.5 * x * x;
}

// peak force: given, or scaled by the acceleration it causes
static mjtNum muscleForce(mjtNum acc0, const mjtNum prm[9]) {
  return prm[2] < 0 ? prm[3] / divisor(acc0) : prm[2];
}

// length at which the muscle is strongest
static mjtNum optimalLength(const mjtNum lengthrange[2], const mjtNum prm[9]) {
  return (lengthrange[1] - lengthrange[0]) / divisor(prm[1] - prm[0]);
}

mjtNum mju_muscleGain(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9]) {
  // length and velocity in units of the optimal length
  const mjtNum L0 = optimalLength(lengthrange, prm);
  const mjtNum L = prm[0] + (len - lengthrange[0]) / divisor(L0);
  const mjtNum V = vel / divisor(L0 * prm[6]);

  // velocity curve: none when shortening fast, up to fvmax when lengthening
  const mjtNum fvmax = prm[8], knee = fvmax - 1;
  mjtNum FV = fvmax;
  if (V <= -1) {
    FV = 0;
  } else if (V <= 0) {
    FV = (V + 1) * (V + 1);
  } else if (V <= knee) {
    FV = fvmax - (knee - V) * (knee - V) / divisor(knee);
  }

  return -muscleForce(acc0, prm) * mth_muscleGainLength(L, prm[4], prm[5]) * FV;
}

mjtNum mju_muscleBias(mjtNum len, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum prm[9]) {
  const mjtNum L = prm[0] + (len - lengthrange[0]) / divisor(optimalLength(lengthrange, prm));
  if (L <= 1) return 0;

  // quadratic up to the middle of the upper range, then linear
  const mjtNum middle = 0.5 * (1 + prm[5]);
  const mjtNum scale = -muscleForce(acc0, prm) * prm[7];
  if (L <= middle) {
    const mjtNum x = (L - 1) / divisor(middle - 1);
    return scale * 0.5 * x * x;
  }
  return scale * (0.5 + (L - middle) / divisor(middle - 1));
}

mjtNum mth_muscleDynamicsTimescale(mjtNum dctrl, mjtNum tau_act, mjtNum tau_deact, mjtNum width) {
  if (width < mjMINVAL) return dctrl > 0 ? tau_act : tau_deact;
  return tau_deact + (tau_act - tau_deact) * mju_sigmoid(dctrl / width + 0.5);
}

// Millard et al. (2013), doi 10.1115/1.4023390; prm = (tau_act, tau_deact, width of the switch between them)
mjtNum mju_muscleDynamics(mjtNum ctrl, mjtNum act, const mjtNum prm[3]) {
  const mjtNum stretch = 0.5 + 1.5 * mth_clip(act, 0, 1);
  const mjtNum dctrl = mth_clip(ctrl, 0, 1) - act;
  const mjtNum tau = mth_muscleDynamicsTimescale(dctrl, prm[0] * stretch, prm[1] / stretch, prm[2]);
  return dctrl / divisor(tau);
}
