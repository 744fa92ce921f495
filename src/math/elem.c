// Elementary functions; see elem.h.
#include "math/elem.h"

#include <math.h>

mjtNum mth_sin(mjtNum x) {
  return sin(x);
}
mjtNum mth_cos(mjtNum x) {
  return cos(x);
}

void mth_sincos(mjtNum x, mjtNum* s, mjtNum* c) {
  *s = sin(x);
  *c = cos(x);
}

mjtNum mth_tan(mjtNum x) {
  return tan(x);
}
mjtNum mth_asin(mjtNum x) {
  return asin(x);
}
mjtNum mth_acos(mjtNum x) {
  return acos(x);
}
mjtNum mth_atan(mjtNum x) {
  return atan(x);
}
mjtNum mth_atan2(mjtNum y, mjtNum x) {
  return atan2(y, x);
}
mjtNum mth_exp(mjtNum x) {
  return exp(x);
}
mjtNum mth_log(mjtNum x) {
  return log(x);
}
mjtNum mth_log10(mjtNum x) {
  return log10(x);
}
mjtNum mth_pow(mjtNum x, mjtNum y) {
  return pow(x, y);
}
mjtNum mth_tanh(mjtNum x) {
  return tanh(x);
}
