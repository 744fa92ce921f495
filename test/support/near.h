// Numbers that must agree within a tolerance, as doubles: cmocka's own comparison rounds both to single precision
// first.
#pragma once

#include <math.h>

// fails also when one of them is no number
#define assert_near(a, b, tolerance)                                                                          \
  do {                                                                                                        \
    const double a_ = (a), b_ = (b), tolerance_ = (tolerance);                                                \
    if (!(fabs(a_ - b_) <= tolerance_)) {                                                                     \
      fail_msg("%s is %.17g, %s is %.17g: apart by %.3g, allowed %.3g", #a, a_, #b, b_, a_ - b_, tolerance_); \
    }                                                                                                         \
  } while (0)
