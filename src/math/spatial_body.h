// Formulas of spatial algebra that numbers, lanes and kernels share: statements over arrays of any type with + - *, in
// the one order of their terms. No includes: kernels on a GPU read this too.
#pragma once

// f = inertia packed as (xx, yy, zz, xy, xz, yz, m c (3), m) times the motion v; f must not alias v
#define MTH_MUL_INERT(f, i, v)                                                  \
  do {                                                                          \
    f[0] = i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5]; \
    f[1] = i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5]; \
    f[2] = i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4]; \
    f[3] = i[8] * v[1] - i[7] * v[2] + i[9] * v[3];                             \
    f[4] = i[6] * v[2] - i[8] * v[0] + i[9] * v[4];                             \
    f[5] = i[7] * v[0] - i[6] * v[1] + i[9] * v[5];                             \
  } while (0)
