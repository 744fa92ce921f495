// EPA on the CPU: see epa_body.h.
#include <math.h>

#include "collision/epa_body.h"

// from a tetrahedron around the origin
static ColOutcome fromTetrahedron(ColPolytope* pt, ColQuery* q, ColConvex* a, ColConvex* b) {
  static const int vert[4][3] = {
      {0, 1, 2},
      {0, 3, 1},
      {0, 2, 3},
      {3, 2, 1}
  };
  static const int adj[4][3] = {
      {1, 3, 2},
      {2, 3, 0},
      {0, 3, 1},
      {2, 0, 1}
  };
  for (int i = 0; i < 4; i++) addVertex(pt, q->simplex + i);

  // a face through the origin is a better start
  for (int i = 0; i < 4; i++) {
    const int* v = vert[i];
    if (addFace(pt, v[0], v[1], v[2], adj[i]) < COL_MINSQR) {
      restart(pt, q, v);
      return fromTriangle(pt, q, a, b);
    }
  }

  // it must contain the origin
  for (int i = 0; i < 4; i++) {
    const ColVertex* s = q->simplex;
    if (!sameSide(s[i].p, s[(i + 1) % 4].p, s[(i + 2) % 4].p, s[(i + 3) % 4].p)) return COL_EPA_ORIGIN_OUTSIDE;
  }
  for (int i = 0; i < 4; i++) addCandidate(pt, i);
  return COL_EPA_DONE;
}

//---------------------------------- growth --------------------------------------------------------

// candidate nearest to the origin, the first one of equals; previous if there is none
static int nearestFace(const ColPolytope* pt, int previous, mjtNum* sqr) {
  int best = previous;
  *sqr = COL_FAR;
  for (int i = 0; i < pt->ncand; i++) {
    const int f = pt->cand[i];
    if (pt->face[f].sqr < *sqr) {
      best = f;
      *sqr = pt->face[f].sqr;
    }
  }
  return best;
}

// a polytope vertex equal to the newest one: the boundary is reached
static int isRepeated(const ColPolytope* pt) {
  const ColVertex* w = pt->vert + pt->nvert - 1;
  for (const ColVertex* v = pt->vert; v < w; v++) {
    if (v->ia == w->ia && v->ib == w->ib) return 1;
  }
  return 0;
}

// removes the faces that w sees, beginning with one of them, and collects the edges around the hole in order
static void openHole(ColPolytope* pt, int start, const mjtNum w[3]) {
  int n = 0;
  pt->nrim = 0;
  removeFace(pt, start);
  for (int i = 2; i >= 0; i--) {
    pt->todo[n++] = (ColIndex)start;
    pt->todo[n++] = (ColIndex)i;
  }

  // depth first over (removed face, edge to look across)
  while (n) {
    const int edge = pt->todo[--n];
    const ColFace* from = pt->face + pt->todo[--n];
    const int id = from->adj[edge];
    ColFace* f = pt->face + id;
    if (f->slot == COL_FACE_GONE) continue;

    // not seen: the edge belongs to the rim
    const int shared = edgeAt(f, from->vert[edgeAfter(edge, 1)]);
    if (!(mth_dot3(f->foot, w) - f->sqr > mjMINVAL)) {
      pt->rim[2 * pt->nrim] = (ColIndex)id;
      pt->rim[2 * pt->nrim + 1] = (ColIndex)shared;
      pt->nrim++;
      continue;
    }

    // seen: go on over its two other edges
    removeFace(pt, id);
    for (int k = 2; k >= 1; k--) {
      pt->todo[n++] = (ColIndex)id;
      pt->todo[n++] = (ColIndex)edgeAfter(shared, k);
    }
  }
}

// closes the hole by a fan around vertex w; 0 when a face of it is degenerate
static int closeHole(ColPolytope* pt, int w, mjtNum low, mjtNum high) {
  const int first = pt->nface, n = pt->nrim;
  for (int i = 0; i < n; i++) {
    const int outer = pt->rim[2 * i], edge = pt->rim[2 * i + 1];
    const int adj[3] = {first + (i ? i : n) - 1, outer, first + (i + 1 < n ? i + 1 : 0)};
    ColFace* f = pt->face + outer;
    f->adj[edge] = (ColIndex)(first + i);
    const mjtNum sqr = addFace(pt, w, f->vert[edgeAfter(edge, 1)], f->vert[edge], adj);
    if (sqr == 0) return 0;
    if (sqr >= low && sqr <= high) addCandidate(pt, first + i);
  }
  return 1;
}

// grows the polytope; the face nearest to the origin, or -1 when the numbers do not allow one
static int expand(ColQuery* q, ColPolytope* pt, ColConvex* a, ColConvex* b) {
  const int discrete = col_discretePair(a, b);
  const mjtNum tolerance = discrete ? mjMINVAL : q->tolerance;
  mjtNum upper = COL_FAR, uppersqr = COL_FAR;
  int face = -1;

  for (q->grown = 0; q->grown < q->maxiter; q->grown++) {
    // lower bound: the nearest face
    mjtNum lowersqr;
    const int previous = face;
    face = nearestFace(pt, previous, &lowersqr);
    if (lowersqr > uppersqr || face < 0) return previous;
    if (lowersqr <= 0) {
      COL_WARN("EPA: the origin lies on a face");
      return face;
    }

    // upper bound: the supporting plane in its direction
    const mjtNum lower = sqrt(lowersqr);
    const mjtNum* foot = pt->face[face].foot;
    const int w = addSupport(pt, a, b, foot, lower);
    const mjtNum reach = mth_dot3(foot, pt->vert[w].p) / lower;
    if (reach < upper) {
      upper = reach;
      uppersqr = upper * upper;
    }
    if (upper - lower < tolerance || (discrete && isRepeated(pt))) return face;

    // replace what the new vertex sees
    openHole(pt, face, pt->vert[w].p);
    if (pt->nrim < 3) return -1;
    if (pt->nrim > pt->maxface - pt->nface) {
      COL_WARN("EPA: no memory left for the faces of the polytope");
      return face;
    }
    if (!closeHole(pt, w, lowersqr, uppersqr)) return -1;
    if (!pt->ncand) return face;
  }
  return face;
}

int col_epa(ColQuery* q, ColPolytope* pt, ColConvex* a, ColConvex* b) {
  // the shapes touch, or the simplex is unusable
  q->outcome = q->nsimplex == 2   ? fromSegment(pt, q, a, b)
               : q->nsimplex == 3 ? fromTriangle(pt, q, a, b)
                                  : fromTetrahedron(pt, q, a, b);
  if (q->outcome != COL_EPA_DONE) return -1;

  const int face = expand(q, pt, a, b);
  if (face >= 0) {
    setWitness(q, pt, face);
  } else {
    q->npoint = 0;
    q->dist = 0;
  }
  return face;
}
