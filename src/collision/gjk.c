// GJK on the CPU: see gjk_body.h.
#include <math.h>

#include "collision/gjk_body.h"

// moves a tetrahedron over the origin: the vertex opposite to the face that the origin is farthest beyond is replaced
// by the farthest vertex on the other side. Much cheaper than the distance when only overlap matters.
static int encloseOrigin(ColQuery* q, ColConvex* a, ColConvex* b) {
  // face i leaves out vertex i, ordered so that its normal points outwards
  static const int face[4][3] = {
      {2, 1, 3},
      {0, 2, 3},
      {1, 0, 3},
      {0, 1, 2}
  };
  ColVertex tetra[4] = {q->simplex[0], q->simplex[1], q->simplex[2], q->simplex[3]};
  int s[4] = {0, 1, 2, 3};

  for (; q->iter < q->maxiter; q->iter++) {
    mjtNum dist[4], normal[4][3];
    for (int i = 0; i < 4; i++) {
      const int* f = face[i];
      dist[i] = signedDistance(normal[i], tetra + s[f[0]], tetra + s[f[1]], tetra + s[f[2]]);
    }

    // the origin on a plane: this walk would not end
    if (dist[0] == 0 || dist[1] == 0 || dist[2] == 0 || dist[3] == 0) return COL_UNDECIDED;

    // face that the origin is farthest beyond
    const int low = dist[0] < dist[1] ? 0 : 1;
    const int high = dist[2] < dist[3] ? 2 : 3;
    const int worst = dist[low] < dist[high] ? low : high;

    // beyond none
    if (dist[worst] > 0) {
      for (int i = 0; i < 4; i++) q->simplex[i] = tetra[s[i]];
      q->nsimplex = 4;
      return COL_OVERLAP;
    }

    // look further in that direction
    ColVertex* v = tetra + s[worst];
    const mjtNum* dir = normal[worst];
    const mjtNum opposite[3] = {-dir[0], -dir[1], -dir[2]};
    col_supportPair(v, a, b, dir, opposite);
    if (mth_dot3(dir, v->p) < 0) {
      mth_copy3(q->axis, opposite);
      return COL_SEPARATE;
    }

    // the new vertex is on the other side: swap two others to keep the orientation
    const int i = (worst + 1) & 3, j = (worst + 2) & 3;
    const int tmp = s[i];
    s[i] = s[j];
    s[j] = tmp;
  }
  return COL_UNDECIDED;
}

void col_gjk(ColQuery* q, ColConvex* a, ColConvex* b) {
  ColVertex* simplex = q->simplex;
  const mjtNum* const p[4] = {simplex[0].p, simplex[1].p, simplex[2].p, simplex[3].p};
  const mjtNum gap = col_discretePair(a, b) ? 0 : 0.5 * q->tolerance * q->tolerance;
  int overlapOnly = !(q->cutoff > 0);
  mjtNum w[4] = {1, 0, 0, 0};
  mjtNum x[3], len = 0;
  int n = 0;
  q->separate = 0;
  mth_sub3(x, q->x1, q->x2);

  for (; q->iter < q->maxiter; q->iter++) {
    // the origin is reached
    len = mth_dot3(x, x);
    if (len < COL_MINSQR) break;
    len = sqrt(len);

    // vertex farthest towards the origin
    mjtNum opposite[3], dir[3], step[3];
    mth_scl3(opposite, x, 1 / len);
    mth_neg3(dir, opposite);
    BAS_ASSERT(n < 4);
    col_supportPair(simplex + n, a, b, dir, opposite);

    // x is as near as it gets
    mth_sub3(step, x, p[n]);
    if (mth_dot3(x, step) < gap) {
      if (q->iter == 0) n = 1;
      break;
    }
    if (beyondCutoff(q, x, p[n])) {
      setFar(q);
      q->separate = 1;
      mth_copy3(q->axis, opposite);
      return;
    }

    // a full tetrahedron and no need of a distance
    if (n == 3 && overlapOnly) {
      const int found = encloseOrigin(q, a, b);
      if (found != COL_UNDECIDED) {
        q->separate = found == COL_SEPARATE;
        if (q->separate) q->nsimplex = 0;
        q->npoint = 0;
        q->dist = found == COL_OVERLAP ? 0 : COL_FAR;
        return;
      }
      overlapOnly = 0;
    }

    // nearest point of the simplex, and the part of it that matters
    n = reduceSimplex(w, simplex, n + 1);
    if (n < 1) {
      setFar(q);
      return;
    }
    mjtNum next[3];
    combine(next, w, p, n);
    if (close3(next, x)) break;
    mth_copy3(x, next);

    // the tetrahedron contains the origin
    if (n == 4) {
      len = 0;
      break;
    }
  }
  setNearest(q, w, n, len);
}
