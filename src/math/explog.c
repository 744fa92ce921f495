// Exponential, logarithms, powers and hyperbolic tangent, on one exponential and one logarithm in double-double.
//
// exp: x = (128 k + i) ln2/128 + r, e^x = 2^k 2^(i/128) e^r. log: x = 2^e m, c near 1/m from a table so that m c - 1 is
// small and exact in double-double, log x = e ln2 - log c + log1p(m c - 1).
#include <math.h>

#include "math/doubled.h"
#include "math/elem.h"
#include "math/elem_tables.h"

// e^(x + xlo) = 2^k (result); |x| < 800, |xlo| at most a rounding error of x
static MthDd expCore(double x, double xlo, int* k) {
  const double n = (x * EXP_STEP_INV + 0x1.8p52) - 0x1.8p52;
  const double r = ((x - n * EXP_STEP_1) - n * EXP_STEP_2) + xlo;
  const int i = (int)n & 127;
  *k = ((int)n - i) / 128;

  // e^r - 1
  const double r2 = r * r;
  const double p = r + r2 * ((0.5 + r * (1.0 / 6)) + r2 * ((1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720)));
  const double t = EXP_TABLE[2 * i];
  return mth_fastTwoSum(t, EXP_TABLE[2 * i + 1] + t * p);
}

// x * 2^k for 1/2 <= x <= 4, with overflow to infinity and one rounding to a denormal
static double scale(double x, int k) {
  if (k > 1022) return x * 0x1p1000 * mth_pow2(k - 1000 > 1023 ? 1023 : k - 1000);
  if (k < -1020) return k < -1100 ? 0 : x * mth_pow2(k + 200) * 0x1p-200;
  return x * mth_pow2(k);
}

double mth_exp(double x) {
  if (isnan(x)) return x;
  if (x > 710) return INFINITY;
  if (x < -746) return 0;
  if (fabs(x) < 0x1p-54) return 1 + x;
  int k;
  const MthDd e = expCore(x, 0, &k);
  return scale(e.hi + e.lo, k);
}

// log x for finite x > 0, relative error below 2^-65
static MthDd logCore(double x) {
  // x = 2^e m, m within a factor sqrt 2 of 1
  int e = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    e = -54;
  }
  const uint64_t bits = mth_bits(x), fraction = bits & 0xFFFFFFFFFFFFFu;
  const int up = fraction > 0x6A09E667F3BCDu;
  e += (int)(bits >> 52) - 1023 + up;
  const uint64_t mbits = fraction | (uint64_t)(1023 - up) << 52;
  const double m = mth_fromBits(mbits);

  // r = m c - 1, exact in two parts because c has ten bits
  const double* row = LOG_TABLE + 3 * ((int)(m * 128 + 0.5) - 90);
  const double mh = mth_fromBits(mbits & ~(uint64_t)0xFFFFFFFu), ml = m - mh;
  const MthDd r = mth_twoSum(mh * row[0] - 1, ml * row[0]);

  // log1p(r) = r - r^2/2 + tail
  const MthDd z = mth_twoProd(r.hi, r.hi);
  const double s = r.hi, z2 = z.hi * z.hi;
  const double low = (1.0 / 3 - s * (1.0 / 4)) + z.hi * (1.0 / 5 - s * (1.0 / 6));
  const double high = (1.0 / 7 - s * (1.0 / 8)) + z.hi * (1.0 / 9 - s * (1.0 / 10));
  const double tail = s * z.hi * (low + z2 * high);

  const MthDd a = mth_twoSum(e * LN2_HI + row[1], r.hi), b = mth_twoSum(a.hi, -0.5 * z.hi);
  const double lo = (e * LN2_LO + row[2]) + ((a.lo + b.lo) + ((r.lo - (0.5 * z.lo + s * r.lo)) + tail));
  return mth_fastTwoSum(b.hi, lo);
}

// log of zero, negative numbers, infinity and NaN
static double logSpecial(double x) {
  if (x == 0) return -INFINITY;
  if (x < 0) return (x - x) / (x - x == 0 ? 0.0 : 1.0);
  return x + x;
}

double mth_log(double x) {
  if (!(x > 0 && x < INFINITY)) return logSpecial(x);
  return logCore(x).hi;
}

double mth_log10(double x) {
  if (!(x > 0 && x < INFINITY)) return logSpecial(x);
  const MthDd l = logCore(x);
  if (l.hi == 0) return 0;
  const MthDd p = mth_twoProd(l.hi, LOG10E_HI);
  return p.hi + (p.lo + (l.hi * LOG10E_LO + l.lo * LOG10E_HI));
}

// 0: y is no integer, 1: odd, 2: even
static int parity(double y) {
  const double ay = fabs(y);
  if (ay >= 0x1p53) return 2;
  if (ay != floor(ay)) return 0;
  return 2 - (int)((uint64_t)ay & 1);
}

// pow where one argument is zero, infinite or NaN
static double powSpecial(double x, double y) {
  if (isnan(x) || isnan(y)) return x + y;
  const int odd = parity(y) == 1 && !isinf(y);

  // x grows or shrinks in magnitude
  const double ax = fabs(x);
  if (isinf(y)) return ax == 1 ? 1 : (ax > 1) == (y > 0) ? INFINITY : 0;
  const double res = (ax == 0) == (y > 0) ? 0 : INFINITY;
  return odd ? copysign(res, x) : res;
}

double mth_pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (!(fabs(x) < INFINITY && fabs(y) < INFINITY) || x == 0) return powSpecial(x, y);

  // negative base: integer exponents only
  double sign = 1;
  if (x < 0) {
    const int kind = parity(y);
    if (kind == 0) return (x - x) / (x - x);
    if (kind == 1) sign = -1;
    x = -x;
  }

  // y log x; far beyond the range of exp no digits are needed
  const MthDd l = logCore(x);
  const double rough = y * l.hi;
  if (!(rough < 750)) return sign * INFINITY;
  if (!(rough > -760)) return sign * 0.0;
  if (fabs(rough) < 0x1p-60) return sign;
  const MthDd p = mth_twoProd(y, l.hi);
  int k;
  const MthDd sum = mth_fastTwoSum(p.hi, p.lo + y * l.lo);
  const MthDd e = expCore(sum.hi, sum.lo, &k);
  return sign * scale(e.hi + e.lo, k);
}

// tanh x = (e^2x - 1) / (e^2x + 1); its series below 1/16
double mth_tanh(double x) {
  const double ax = fabs(x);
  if (isnan(x)) return x;
  if (ax < 0x1p-27) return x;
  if (ax > 20) return copysign(1, x);
  if (ax < 0.0625) {
    const double z = x * x;
    const double low = -1.0 / 3 + z * (2.0 / 15 - z * (17.0 / 315));
    return x + x * z * (low + z * z * z * (62.0 / 2835 - z * (1382.0 / 155925 - z * (21844.0 / 6081075))));
  }
  int k;
  MthDd e = expCore(2 * ax, 0, &k);
  e.hi *= mth_pow2(k);
  e.lo *= mth_pow2(k);
  MthDd num = mth_twoSum(e.hi, -1), den = mth_twoSum(e.hi, 1);
  num = mth_fastTwoSum(num.hi, num.lo + e.lo);
  den = mth_fastTwoSum(den.hi, den.lo + e.lo);
  const double q = num.hi / den.hi;
  const MthDd p = mth_twoProd(q, den.hi);
  return copysign(q + (((num.hi - p.hi) - p.lo) + (num.lo - q * den.lo)) / den.hi, x);
}
