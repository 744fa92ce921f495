// Inverse trigonometric functions.
//
// atan: quotients to [0, 1] in double-double, then atan(t) = atan(c) + atan((t - c) / (1 + t c)) with c the nearest
// multiple of 1/64, a polynomial below 1/8. asin: a polynomial below 1/2, else asin(x) = pi/2 - 2 asin(sqrt((1-x)/2)).
#include <math.h>

#include "math/doubled.h"
#include "math/elem.h"
#include "math/elem_tables.h"

// num / den in double-double; magnitudes between 2^-400 and 2^900
static MthDd quotient(double num, double den) {
  const double q = num / den;
  const MthDd p = mth_twoProd(q, den);
  return (MthDd){q, ((num - p.hi) - p.lo) / den};
}

// c: t in [0, 1] to the nearest multiple of 1/64; returns 64 c. The sum's last bit is worth 1/64.
static inline int nearest64th(double t, double* c) {
  const double shift = 0x1.8p46, sum = t + shift;
  *c = sum - shift;
  return (int)(mth_bits(sum) & 127);
}

// atan(i/64) + atan(d), |d| <= 1/128; the sums are as short as they can be made
static inline MthDd fromTable(int i, double d) {
  const double z = d * d, cubic = (-1.0 / 3 + z * (1.0 / 5)) - (z * z) * (1.0 / 7);
  return (MthDd){ATAN_TABLE[2 * i], (d + ATAN_TABLE[2 * i + 1]) + (d * z) * cubic};
}

// atan of t in [0, 1]: hi is known early, lo is small against it and carries the rest; they are added where they are
// used
static MthDd atanUnit(MthDd t) {
  if (t.hi < 0.125) {
    const double z = t.hi * t.hi, z2 = z * z;
    const double high = (ATAN_POLY[4] + z * ATAN_POLY[5]) + z2 * (ATAN_POLY[6] + z * ATAN_POLY[7]);
    const double low = (ATAN_POLY[0] + z * ATAN_POLY[1]) + z2 * (ATAN_POLY[2] + z * ATAN_POLY[3]);
    const double poly = low + z2 * z2 * high;
    return (MthDd){t.hi, t.hi * z * poly + t.lo};
  }

  double c;
  const int i = nearest64th(t.hi, &c);
  return fromTable(i, ((t.hi - c) + t.lo) / (1 + t.hi * c));
}

// (hi + lo) - a, |a| <= hi; what takes longest, a.lo, comes last
static inline double minus(double hi, double lo, MthDd a) {
  const MthDd s = mth_fastTwoSum(hi, -a.hi);
  return s.hi + ((s.lo + lo) - a.lo);
}

double mth_atan(double x) {
  const double ax = fabs(x);
  double res;
  if (isnan(x)) return x;
  if (ax < 0x1p-27) return x;
  if (ax <= 1) {
    const MthDd a = atanUnit((MthDd){ax, 0});
    res = a.hi + a.lo;
  } else if (ax > 0x1p60) {
    res = PIO2_HI;
  } else {
    res = minus(PIO2_HI, PIO2_LO, atanUnit(quotient(1, ax)));
  }
  return copysign(res, x);
}

// atan(y / x) for 0 < y <= x, magnitudes between 2^-400 and 2^900
static inline MthDd atanQuotient(double y, double x) {
  const double t = y / x;
  if (t < 0.0625) return t < 0x1p-60 ? (MthDd){t, 0} : atanUnit((MthDd){t, quotient(y, x).lo});

  // (t - c) / (1 + t c) = (y - c x) / (x + c y); c has seven bits, so c x is exact in two parts
  double c;
  const int i = nearest64th(t, &c);
  const double xh = mth_fromBits(mth_bits(x) & ~(uint64_t)0xFFFFFFu), xl = x - xh;
  return fromTable(i, ((y - c * xh) - c * xl) / (x + c * y));
}

// infinities, zeros, and quotients beyond 2^60 of magnitudes y and x; flip: the second argument was negative
static double atan2Special(double y, double x, int flip) {
  if (isinf(x) && isinf(y)) return flip ? 3 * (PIO2_HI / 2) : PIO2_HI / 2;
  if (isinf(y) || x == 0) return y == 0 ? (flip ? PI_HI : 0) : PIO2_HI;
  if (isinf(x) || y == 0) return flip ? PI_HI : 0;
  return y > x ? PIO2_HI : flip ? PI_HI : y / x;
}

// the angle of (x, y) from that of the smaller magnitude over the larger, a; flip: x < 0, steep: |y| > |x|
static inline double unfold(MthDd a, int flip, int steep) {
  if (!steep) return flip ? minus(PI_HI, PI_LO, a) : a.hi + a.lo;
  if (flip) a = (MthDd){-a.hi, -a.lo};
  return minus(PIO2_HI, PIO2_LO, a);
}

// atan2 of magnitudes of which one is near the limits of the exponent or far smaller than the other
static double atan2Far(double y, double x, int flip) {
  const double larger = y > x ? y : x, smaller = y > x ? x : y;
  if (smaller == 0 || isinf(larger) || larger > smaller * 0x1p60) return atan2Special(y, x, flip);
  const double factor = larger > 0x1p600 ? 0x1p-200 : smaller < 0x1p-300 ? 0x1p400 : 1;
  return unfold(atanQuotient(smaller * factor, larger * factor), flip, y > x);
}

double mth_atan2(double y, double x) {
  // one of them is NaN if an argument is
  const double ay = fabs(y), ax = fabs(x), larger = ay > ax ? ay : ax, smaller = ax < ay ? ax : ay;
  const int flip = signbit(x) != 0;
  if (larger < 0x1p900 && smaller > 0x1p-300) {
    return copysign(unfold(atanQuotient(smaller, larger), flip, ay > ax), y);
  }
  return isnan(x) || isnan(y) ? x + y : copysign(atan2Far(ay, ax, flip), y);
}

//---------------------------------- asin and acos ----------------------------------

// (asin s - s) / s^3 as a function of w = s^2 <= 1/4
static inline double asinPoly(double w) {
  const double w2 = w * w, w4 = w2 * w2;
  const double a = (ASIN_POLY[0] + w * ASIN_POLY[1]) + w2 * (ASIN_POLY[2] + w * ASIN_POLY[3]);
  const double b = (ASIN_POLY[4] + w * ASIN_POLY[5]) + w2 * (ASIN_POLY[6] + w * ASIN_POLY[7]);
  const double c = (ASIN_POLY[8] + w * ASIN_POLY[9]) + w2 * (ASIN_POLY[10] + w * ASIN_POLY[11]);
  return a + w4 * (b + w4 * (c + w4 * (ASIN_POLY[12] + w * ASIN_POLY[13])));
}

// 2 asin(sqrt((1 - ax) / 2)) for 1/2 < ax <= 1
static MthDd doubleHalfAngle(double ax) {
  const double w = 0.5 * (1 - ax), s = sqrt(w);
  if (s == 0) return (MthDd){0, 0};
  const MthDd square = mth_twoProd(s, s);
  const double slo = ((w - square.hi) - square.lo) / (2 * s);
  return (MthDd){2 * s, 2 * (slo + s * w * asinPoly(w))};
}

double mth_asin(double x) {
  const double ax = fabs(x);
  if (!(ax <= 1)) return (x - x) / (x - x);
  if (ax < 0x1p-27) return x;
  if (ax <= 0.5) return x + x * (x * x) * asinPoly(x * x);
  return copysign(minus(PIO2_HI, PIO2_LO, doubleHalfAngle(ax)), x);
}

double mth_acos(double x) {
  const double ax = fabs(x);
  if (!(ax <= 1)) return (x - x) / (x - x);
  if (ax <= 0.5) return minus(PIO2_HI, PIO2_LO, (MthDd){x, x * (x * x) * asinPoly(x * x)});
  const MthDd a = doubleHalfAngle(ax);
  return x > 0 ? a.hi + a.lo : minus(PI_HI, PI_LO, a);
}
