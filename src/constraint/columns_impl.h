// Body of the kernel of columns.h, included once per instruction set.
#include "constraint/columns.h"

// four rows side by side; ten edges of a pyramid are the most
typedef mjtNum V4 __attribute__((vector_size(32), aligned(32), may_alias));
enum { MAXPART = 3 };

#define INLINE static inline __attribute__((always_inline))

// direction in which a row pushes, and about which it turns, one component for four rows
typedef struct {
  V4 push[3], turn[3];
} Directions;

// rows 0 to 3: the first edges of a pyramid, or normal, tangents and torsion
INLINE void firstRows(Directions* dir, const mjContact* con, int pyramidal) {
  const mjtNum* f = con->frame;
  for (int k = 0; k < 3; k++) {
    const mjtNum n = f[k], t1 = f[3 + k], t2 = f[6 + k];
    if (pyramidal) {
      const mjtNum e1 = t1 * con->friction[0], e2 = t2 * con->friction[1];
      dir->push[k] = (V4){n + e1, n - e1, n + e2, n - e2};
    } else {
      dir->push[k] = (V4){n, t1, t2, 0};
    }
    dir->turn[k] = (V4){0, 0, 0, !pyramidal && con->dim > 3 ? n : 0};
  }
}

// rows 4 to 7 and 8 to 11: what is left of torsion and rolling
static void otherRows(Directions* dir, const mjContact* con, int part, int pyramidal) {
  const mjtNum* f = con->frame;
  const mjtNum* mu = con->friction;
  for (int k = 0; k < 3; k++) {
    const mjtNum n = f[k], t1 = f[3 + k], t2 = f[6 + k];
    if (!pyramidal) {
      dir->push[k] = (V4){0, 0, 0, 0};
      dir->turn[k] = (V4){t1, t2, 0, 0};
    } else if (part == 1) {
      dir->push[k] = (V4){n, n, n, n};
      dir->turn[k] = (V4){n * mu[2], -n * mu[2], t1 * mu[3], -t1 * mu[3]};
    } else {
      dir->push[k] = (V4){n, n, 0, 0};
      dir->turn[k] = (V4){t2 * mu[4], -t2 * mu[4], 0, 0};
    }
  }
}

// four rows as wrenches about the centre of mass; the first side is pushed the other way
INLINE void wrenches(V4 w[6], const ConColumns* c, int part) {
  Directions dir;
  if (part == 0) {
    firstRows(&dir, c->con, c->pyramidal);
  } else {
    otherRows(&dir, c->con, part, c->pyramidal);
  }
  const mjtNum sign = c->second ? 1 : -1;
  const mjtNum a[3] = {c->arm[0] * sign, c->arm[1] * sign, c->arm[2] * sign};
  const V4* p = dir.push;
  w[0] = a[1] * p[2] - a[2] * p[1] + sign * dir.turn[0];
  w[1] = a[2] * p[0] - a[0] * p[2] + sign * dir.turn[1];
  w[2] = a[0] * p[1] - a[1] * p[0] + sign * dir.turn[2];
  for (int k = 0; k < 3; k++) w[3 + k] = sign * p[k];
}

// the columns of nrow ≤ 4 rows
INLINE void fourRows(const ConColumns* c, const V4 w[6], const mjtNum* cdof, mjtNum* J, size_t stride, int nrow) {
  for (int i = 0; i < c->n; i++) {
    const mjtNum* x = cdof + 6 * c->list[2 * i];
    mjtNum* column = J + c->list[2 * i + 1];
    V4 sum = x[0] * w[0];
    for (int k = 1; k < 6; k++) sum += x[k] * w[k];
    column[0] = sum[0];
    if (nrow > 1) column[stride] = sum[1];
    if (nrow > 2) column[2 * stride] = sum[2];
    if (nrow > 3) column[3 * stride] = sum[3];
  }
}

static void columns(const ConColumns* c, const mjtNum* cdof, mjtNum* J, size_t stride) {
  for (int part = 0; part < MAXPART && 4 * part < c->nrow; part++, J += 4 * stride) {
    V4 w[6];
    wrenches(w, c, part);
    if (c->nrow - 4 * part >= 4) {
      fourRows(c, w, cdof, J, stride, 4);
    } else {
      fourRows(c, w, cdof, J, stride, c->nrow - 4 * part);
    }
  }
}
