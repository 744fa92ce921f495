// The scalar types of the interface. Most other headers include this one.

#ifndef MUJOCO_INCLUDE_MJTNUM_H_
#define MUJOCO_INCLUDE_MJTNUM_H_

#include <stdint.h>

// Floating point: double, or float in programs that define mjUSESINGLE. This library is built for
// double.
#ifndef mjUSESINGLE
  typedef double mjtNum;

  // smallest number that counts as above zero in a denominator
  #define mjMINVAL    1E-15
#else
  typedef float mjtNum;
  #define mjMINVAL    1E-15f
#endif

// flags and pixels
typedef unsigned char mjtByte;

// sizes and byte counts
typedef int64_t mjtSize;

#endif
