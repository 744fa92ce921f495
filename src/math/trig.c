// Sine, cosine and tangent. x = k pi/2 + r with |r| <= pi/4 in double-double, then polynomials in r.
//
// Reduction: below 2^20 pi/2 is subtracted in three parts whose products with k are exact (Cody, Waite); larger
// arguments, and smaller ones that nearly cancel, multiply the 53-bit mantissa with the 192 bits of 2/pi that matter
// (Payne, Hanek). Without table lookups a sine or cosine has an error below 0.85 units in the last place.
#include <math.h>

#include "math/doubled.h"
#include "math/elem.h"
#include "math/elem_tables.h"
#include "math/pair.h"

// pi/4 rounded down: no reduction up to here
#define PIO4 0x1.921fb54442d18p-1

// r = f * pi/2 for the signed fraction |f| <= 1/2 given as |f| * 2^128
static MthDd timesHalfPi(unsigned __int128 f) {
  if (f == 0) return (MthDd){0, 0};

  // the leading 53 bits and the next 53
  const uint64_t high = (uint64_t)(f >> 64);
  const int zeros = high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)f);
  f <<= zeros;
  const double scale = mth_pow2(-zeros);
  const double f1 = (double)(uint64_t)(f >> 75) * 0x1p-53 * scale;
  const double f2 = (double)(uint64_t)((f >> 22) & (((uint64_t)1 << 53) - 1)) * 0x1p-106 * scale;

  const MthDd p = mth_twoProd(f1, PIO2_HI);
  return mth_fastTwoSum(p.hi, p.lo + (f1 * PIO2_LO + f2 * PIO2_HI));
}

// Payne-Hanek reduction of a finite x, |x| > 1/2; returns the quadrant
static int reduceExactly(double x, MthDd* r) {
  const uint64_t bits = mth_bits(x);
  const uint64_t mantissa = (bits & 0xFFFFFFFFFFFFFu) | 0x10000000000000u;
  const int exponent = (int)(bits >> 52 & 0x7FF) - 1075;

  // 192 bits of 2/pi from two places left of the point of the product
  const int start = exponent - 2 + 64, word = start >> 6, shift = start & 63;
  uint64_t v[3];
  for (int i = 0; i < 3; i++) {
    v[i] = TWO_PI_BITS[word + i] << shift;
    if (shift) v[i] |= TWO_PI_BITS[word + i + 1] >> (64 - shift);
  }

  // the product modulo 4, with 190 binary places
  const unsigned __int128 p2 = (unsigned __int128)mantissa * v[2];
  const unsigned __int128 p1 = (unsigned __int128)mantissa * v[1] + (uint64_t)(p2 >> 64);
  const uint64_t p0 = mantissa * v[0] + (uint64_t)(p1 >> 64);

  // nearest integer and signed fraction
  const int k = (int)((p0 + ((uint64_t)1 << 61)) >> 62) & 3;
  const uint64_t f0 = p0 << 2 | (uint64_t)p1 >> 62, f1 = (uint64_t)p1 << 2 | (uint64_t)p2 >> 62;
  unsigned __int128 f = (unsigned __int128)f0 << 64 | f1;
  const int negative = (int)(f0 >> 63);
  if (negative) f = -f;
  *r = timesHalfPi(f);

  // signs
  if (negative != (x < 0)) *r = (MthDd){-r->hi, -r->lo};
  return x < 0 ? -k & 3 : k;
}

// x = k pi/2 + r; returns k mod 4. x is finite.
static inline int reduce(double x, MthDd* r) {
  const double ax = fabs(x);
  if (ax <= PIO4) {
    *r = (MthDd){x, 0};
    return 0;
  }
  if (ax < 0x1p20) {
    // nearest integer: adding 1.5 * 2^52 leaves no fraction bits
    const double k = (x * TWO_PI_INV + 0x1.8p52) - 0x1.8p52;
    const MthDd t = mth_twoSum(x - k * PIO2_1, -(k * PIO2_2));
    *r = mth_twoSum(t.hi, t.lo - k * PIO2_3);
    if (fabs(r->hi) > 0x1p-28) return (int)k & 3;
  }
  return reduceExactly(x, r);
}

// (sin r - r) / r^3 and (cos r - 1 + r^2/2) / r^4 as functions of z = r^2
static inline double sinPoly(double z) {
  const double z2 = z * z;
  const double low = SIN_POLY[1] + z * SIN_POLY[2], mid = SIN_POLY[3] + z * SIN_POLY[4];
  return SIN_POLY[0] + z * (low + z2 * (mid + z2 * (SIN_POLY[5] + z * SIN_POLY[6])));
}

static inline double cosPoly(double z) {
  const double z2 = z * z;
  const double low = COS_POLY[1] + z * COS_POLY[2], mid = COS_POLY[3] + z * COS_POLY[4];
  return COS_POLY[0] + z * (low + z2 * (mid + z2 * (COS_POLY[5] + z * COS_POLY[6])));
}

static inline double sinReduced(MthDd r) {
  const double z = r.hi * r.hi;
  return r.hi + (r.hi * z * sinPoly(z) + r.lo * (1 - 0.5 * z));
}

static inline double cosReduced(MthDd r) {
  const double z = r.hi * r.hi, half = 0.5 * z, w = 1 - half;
  return w + (((1 - w) - half) + (z * z * cosPoly(z) - r.hi * r.lo));
}

double mth_sin(double x) {
  if (!(fabs(x) <= 0x1.fffffffffffffp1023)) return x - x;
  if (fabs(x) < 0x1p-27) return x;
  MthDd r;
  const int k = reduce(x, &r);
  const double res = k & 1 ? cosReduced(r) : sinReduced(r);
  return k & 2 ? -res : res;
}

double mth_cos(double x) {
  if (!(fabs(x) <= 0x1.fffffffffffffp1023)) return x - x;
  MthDd r;
  const int k = reduce(x, &r);
  const double res = k & 1 ? sinReduced(r) : cosReduced(r);
  return (k + 1) & 2 ? -res : res;
}

void mth_sincos(double x, double* s, double* c) {
  if (!(fabs(x) <= 0x1.fffffffffffffp1023)) {
    *s = *c = x - x;
    return;
  }
  MthDd r;
  const int k = reduce(x, &r);
  const double sr = fabs(x) < 0x1p-27 ? x : sinReduced(r), cr = cosReduced(r);
  const double sv = k & 1 ? cr : sr, cv = k & 1 ? sr : cr;
  *s = k & 2 ? -sv : sv;
  *c = (k + 1) & 2 ? -cv : cv;
}

// arguments that need no reduction, two at a time; the arithmetic of sinReduced and cosReduced without low parts
static inline void sincosPair(MthPair r, MthPair* s, MthPair* c) {
  const MthPair z = r * r, z2 = z * z, half = 0.5 * z, w = 1 - half;
  const MthPair slow = SIN_POLY[1] + z * SIN_POLY[2], smid = SIN_POLY[3] + z * SIN_POLY[4];
  const MthPair clow = COS_POLY[1] + z * COS_POLY[2], cmid = COS_POLY[3] + z * COS_POLY[4];
  const MthPair sp = SIN_POLY[0] + z * (slow + z2 * (smid + z2 * (SIN_POLY[5] + z * SIN_POLY[6])));
  const MthPair cp = COS_POLY[0] + z * (clow + z2 * (cmid + z2 * (COS_POLY[5] + z * COS_POLY[6])));
  *s = r + r * z * sp;
  *c = w + (((1 - w) - half) + z * z * cp);
}

void mth_sincosN(const double* x, double* s, double* c, int n) {
  int i = 0;
  for (; i + 2 <= n; i += 2) {
    if (fabs(x[i]) <= PIO4 && fabs(x[i + 1]) <= PIO4) {
      MthPair sv, cv;
      sincosPair(mth_load2(x + i), &sv, &cv);
      mth_storePair(s + i, sv);
      mth_storePair(c + i, cv);
    } else {
      mth_sincos(x[i], s + i, c + i);
      mth_sincos(x[i + 1], s + i + 1, c + i + 1);
    }
  }
  if (i < n) mth_sincos(x[i], s + i, c + i);
}

// Quotient of sine and cosine, both in double-double.
double mth_tan(double x) {
  if (!(fabs(x) <= 0x1.fffffffffffffp1023)) return x - x;
  if (fabs(x) < 0x1p-27) return x;
  MthDd r;
  const int k = reduce(x, &r);

  // r^2 and r^3/6
  const MthDd zz = mth_twoProd(r.hi, r.hi);
  const double z = zz.hi, zlo = zz.lo + 2 * r.hi * r.lo;
  MthDd cube = mth_twoProd(r.hi, z);
  cube.lo += r.hi * zlo + r.lo * z;
  const MthDd sixth = mth_twoProd(cube.hi, SIXTH_HI);
  const double sixthlo = sixth.lo + (cube.lo * SIXTH_HI + cube.hi * SIXTH_LO);

  // sin r = r - r^3/6 + ...; the polynomial holds -1/6 up to a rounding error
  const double rest = cube.hi * z * ((sinPoly(z) - SIN_POLY[0]) / z);
  MthDd s = mth_twoSum(r.hi, -sixth.hi);
  s = mth_fastTwoSum(s.hi, s.lo + ((r.lo - sixthlo) + rest));

  // cos r = 1 - r^2/2 + ...
  MthDd c = mth_twoSum(1, -0.5 * z);
  c = mth_fastTwoSum(c.hi, c.lo + (z * z * cosPoly(z) - 0.5 * zlo));

  // odd quadrants: -cos / sin
  if (k & 1) {
    const MthDd swap = s;
    s = (MthDd){-c.hi, -c.lo};
    c = swap;
  }
  const double q = s.hi / c.hi;
  const MthDd p = mth_twoProd(q, c.hi);
  return q + (((s.hi - p.hi) - p.lo) + (s.lo - q * c.lo)) / c.hi;
}
