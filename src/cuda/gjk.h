// GJK by all lanes of a group: what gjk_body.h in the folder of collision says, with the same numbers.
//
// All lanes go through the loop together. Two of them ask the shapes for their farthest points, four look at the faces
// of a tetrahedron; what is one thing after the other, one lane does. The query lies where all lanes see it.
#pragma once

#include "cuda/group.h"
#include "cuda/query.h"

typedef struct {
  mjtNum x[3];
} CuVec;

// a tetrahedron on its way over the origin: behind the query, where a polytope lies later
typedef struct {
  ColVertex vert[4];
  mjtNum dist[4];  // of the origin from its faces
  mjtNum normal[4][3];
} CuClosing;

CU_ASSERT(sizeof(CuClosing) <= CUD_CLOSING, "the room for a tetrahedron");

COL_FN CuClosing* cu_closing(CuQuery* x) {
  return (CuClosing*)((char*)x + CUD_QUERY);
}

// corners of faces, two bits each; face i leaves out vertex i and is ordered so that its normal points outwards
enum { CU_OUTWARD = 0x24313836 };

COL_FN int cu_cornerOf(unsigned faces, int face, int k) {
  return (int)(faces >> (8 * face + 2 * k)) & 3;
}

//---------------------------------- support ----------------------------------

// writes the vertex of A - B that is farthest along dir, a lane for each shape; its place, for all lanes
CU_CALL CuVec cu_supportPair(CuQuery* x, ColVertex* v, CuVec dir) {
  CU_FOR(k, 2) {
    ColConvex* const s = k ? &x->b : &x->a;
    mjtNum* const to = k ? v->b : v->a;
    const mjtNum way = k ? -1 : 1, along[3] = {way * dir.x[0], way * dir.x[1], way * dir.x[2]};
    if (!supportSolid(to, s, along)) supportOf(to, s, along);
    if (s->inflate != 0) mth_addToScl3(to, along, s->inflate);
    if (k) {
      v->ib = s->vertid;
    } else {
      v->ia = s->vertid;
    }
  }
  cu_sync();
  CuVec p;
  mth_sub3(p.x, v->a, v->b);
  CU_FOR(i, 3) v->p[i] = v->a[i] - v->b[i];
  return p;
}

//---------------------------------- overlap only ----------------------------------

// moves a tetrahedron over the origin; encloseOrigin of the CPU
CU_FN int cu_enclose(CuQuery* x, int* iter) {
  ColQuery* const q = &x->q;
  CuClosing* const t = cu_closing(x);
  unsigned place = 0 | 1 << 2 | 2 << 4 | 3 << 6;  // of the four vertices, two bits each
  CU_FOR(i, 4) t->vert[i] = q->simplex[i];
  cu_sync();
  CU_LOOP for (; *iter < q->maxiter; ++*iter) {
    CU_FOR(i, 4) {
      const ColVertex* v[3];
      for (int k = 0; k < 3; k++) v[k] = t->vert + cu_cornerOf(place, 0, cu_cornerOf(CU_OUTWARD, i, k));
      t->dist[i] = signedDistance(t->normal[i], v[0], v[1], v[2]);
    }
    cu_sync();

    // face that the origin is farthest beyond
    const mjtNum dist[4] = {t->dist[0], t->dist[1], t->dist[2], t->dist[3]};
    if (dist[0] == 0 || dist[1] == 0 || dist[2] == 0 || dist[3] == 0) return COL_UNDECIDED;
    const mjtNum low = dist[0] < dist[1] ? dist[0] : dist[1], high = dist[2] < dist[3] ? dist[2] : dist[3];
    const int worst = low < high ? !(dist[0] < dist[1]) : 3 - (dist[2] < dist[3]);

    // beyond none
    if ((low < high ? low : high) > 0) {
      CU_FOR(i, 4) q->simplex[i] = t->vert[cu_cornerOf(place, 0, i)];
      CU_FOR(i, 1) q->nsimplex = 4;
      return COL_OVERLAP;
    }

    // look further in that direction
    CuVec dir;
    mth_copy3(dir.x, t->normal[worst]);
    const CuVec p = cu_supportPair(x, t->vert + cu_cornerOf(place, 0, worst), dir);
    cu_sync();
    if (mth_dot3(dir.x, p.x) < 0) {
      CU_FOR(i, 3) q->axis[i] = -dir.x[i];
      return COL_SEPARATE;
    }

    // the new vertex is on the other side: swap two others to keep the orientation
    const int i = 2 * ((worst + 1) & 3), j = 2 * ((worst + 2) & 3);
    const unsigned other = (place >> i ^ place >> j) & 3;
    place ^= other << i | other << j;
  }
  return COL_UNDECIDED;
}

//---------------------------------- main loop ----------------------------------

// what the loop ends with, by one lane: nothing within reach, or the nearest points
CU_FN void cu_endFar(CuQuery* x, int separate, const CuVec* dir) {
  CU_FOR(i, 1) {
    setFar(&x->q);
    x->q.separate = separate;
    mth_neg3(x->q.axis, dir->x);
  }
}

// the part of a simplex of n vertices that matters and its nearest point, by one lane
CU_FN int cu_reduce(CuQuery* x, int n, CuVec* next) {
  int kept = 0;
  CU_FOR(i, 1) {
    ColVertex* const s = x->q.simplex;
    const mjtNum* const p[4] = {s[0].p, s[1].p, s[2].p, s[3].p};
    kept = reduceSimplex(x->weight, s, n);
    combine(x->next, x->weight, p, kept);
  }
  kept = cu_fromInt(kept, 0);
  cu_sync();
  mth_copy3(next->x, x->next);
  return kept;
}

// nearest points of the shapes, or a simplex around the origin: col_gjk of the CPU
CU_CALL void cu_searchGjk(CuQuery* x) {
  ColQuery* const q = &x->q;
  const mjtNum gap = col_discretePair(&x->a, &x->b) ? 0 : 0.5 * q->tolerance * q->tolerance;
  int overlapOnly = !(q->cutoff > 0), n = 0, iter = 0;
  mjtNum len = 0;
  CuVec at;
  CU_FOR(i, 1) {
    col_convexCenter(q->x1, &x->a);
    col_convexCenter(q->x2, &x->b);
    mth_set4(x->weight, 1, 0, 0, 0);
    q->separate = 0;
  }
  cu_sync();
  mth_sub3(at.x, q->x1, q->x2);
  CU_LOOP for (; iter < q->maxiter; iter++) {
    // the origin is reached
    len = mth_dot3(at.x, at.x);
    if (len < COL_MINSQR) break;
    len = COL_SQRT(len);

    // vertex farthest towards the origin
    CuVec dir, next;
    mjtNum step[3];
    mth_scl3(dir.x, at.x, COL_DIV(1, len));
    mth_neg3(dir.x, dir.x);
    const CuVec p = cu_supportPair(x, q->simplex + n, dir);
    cu_sync();

    // at is as near as it gets
    mth_sub3(step, at.x, p.x);
    if (mth_dot3(at.x, step) < gap) {
      if (iter == 0) n = 1;
      break;
    }
    if (beyondCutoff(q, at.x, p.x)) {
      cu_endFar(x, 1, &dir);
      return;
    }

    // a full tetrahedron and no need of a distance
    if (n == 3 && overlapOnly) {
      const int found = cu_enclose(x, &iter);
      if (found != COL_UNDECIDED) {
        CU_FOR(i, 1) {
          q->separate = found == COL_SEPARATE;
          if (q->separate) q->nsimplex = 0;
          q->npoint = 0;
          q->dist = found == COL_OVERLAP ? 0 : COL_FAR;
        }
        return;
      }
      overlapOnly = 0;
    }

    // nearest point of the simplex, and the part of it that matters
    n = cu_reduce(x, n + 1, &next);
    if (n < 1) {
      cu_endFar(x, 0, &dir);
      return;
    }
    if (close3(next.x, at.x)) break;
    at = next;

    // the tetrahedron contains the origin
    if (n == 4) {
      len = 0;
      break;
    }
  }
  CU_FOR(i, 1) setNearest(q, x->weight, n, len);
}

// distance between cores of round shapes; 0 when they overlap: shallow of the CPU
CU_FN int cu_shallow(CuQuery* x) {
  ColQuery* const q = &x->q;
  Core core[2];
  int apart = 0;
  CU_FOR(i, 1) {
    core[0] = reduceToCore(&x->a);
    core[1] = reduceToCore(&x->b);
    q->cutoff = core[0].radius + core[1].radius;
  }
  cu_sync();
  cu_searchGjk(x);
  cu_sync();
  CU_FOR(i, 1) {
    q->cutoff = 0;
    restoreCore(&x->a, core);
    restoreCore(&x->b, core + 1);
    apart = addRadii(q, core, core + 1);
  }
  apart = cu_fromInt(apart, 0);
  cu_sync();
  return apart;
}

// 1: the shapes overlap, and EPA must say how much
CU_FN int cu_gjk(const CudModel* m, CuQuery* x) {
  CU_FOR(i, 1) {
    x->q.maxiter = m->ccd_iterations;
    x->q.tolerance = m->ccd_tolerance;
    x->q.maxcon = 1;
    x->q.cutoff = 0;
  }
  cu_sync();
  if ((isRound(&x->a) || isRound(&x->b)) && cu_shallow(x)) return 0;
  cu_searchGjk(x);
  cu_sync();
  return x->q.dist <= x->q.tolerance && x->q.nsimplex > 1;
}
