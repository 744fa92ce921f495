// Elementary functions with the same bits on every machine and compiler, within one unit in the last place.
// Written here because those of C libraries differ in the last bit between versions and CPUs.
// Special values follow C17 Annex F; errno and floating-point flags are not maintained.
#pragma once

#include <mujoco/mjtnum.h>

mjtNum mth_sin(mjtNum x);
mjtNum mth_cos(mjtNum x);
void mth_sincos(mjtNum x, mjtNum* s, mjtNum* c);

// n sines and cosines, the same numbers as one by one (up to the sign of zero); s and c must not alias x
void mth_sincosN(const mjtNum* x, mjtNum* s, mjtNum* c, int n);
mjtNum mth_tan(mjtNum x);
mjtNum mth_asin(mjtNum x);
mjtNum mth_acos(mjtNum x);
mjtNum mth_atan(mjtNum x);
mjtNum mth_atan2(mjtNum y, mjtNum x);
mjtNum mth_exp(mjtNum x);
mjtNum mth_log(mjtNum x);
mjtNum mth_log10(mjtNum x);
mjtNum mth_pow(mjtNum x, mjtNum y);
mjtNum mth_tanh(mjtNum x);
