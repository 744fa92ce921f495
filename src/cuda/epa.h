// EPA by all lanes of a group: what epa_body.h in the folder of collision says, with the same numbers.
//
// Each lane has faces of the polytope: it compares their distances, finds out whether the newest vertex sees them and
// makes new ones. Faces are chosen, removed and numbered in the order of the CPU: the nearest of all is the first of
// equals among the candidates, and one lane walks around the hole, for which the others have said what is seen.
// New faces take the places of those that they replace, so that the room of a polytope is that of its surface. Only the
// face from which it grew keeps its place for one more growth: it may be the answer.
#pragma once

#include "cuda/gjk.h"

CU_ASSERT(sizeof(ColVertex) == CUD_VERTEX && sizeof(ColFace) == CUD_FACE, "the room for a polytope");
CU_ASSERT(CUD_LISTS == 6 * sizeof(ColIndex), "the room for its lists");

// Lists of faces: candidates; faces replaced; the rim, two numbers for each edge, which are two more than the faces
// removed; and edges to look across, of which each face removed leaves one more than it takes.
COL_FN ColPolytope cu_polytope(char* memory, int nvert, int nface) {
  ColPolytope pt;
  pt.nvert = pt.nface = pt.ncand = pt.nrim = pt.ngone = 0;
  pt.maxface = nface;
  pt.kept = -1;
  pt.vert = (ColVertex*)memory;
  pt.face = (ColFace*)(pt.vert + nvert);
  pt.cand = (ColIndex*)(pt.face + nface);
  pt.gone = pt.cand + nface;
  pt.rim = pt.gone + nface;
  pt.todo = pt.rim + 2 * nface + 6;
  return pt;
}

//---------------------------------- first polytope ----------------------------------

// starts from a segment, or from a triangle, which simplex says, by one lane
COL_API int cu_startFlat(CuQuery* x, ColPolytope* pt) {
  return x->q.nsimplex == 2 ? fromSegment(pt, &x->q, &x->a, &x->b) : fromTriangle(pt, &x->q, &x->a, &x->b);
}

CU_FN int cu_fromFlat(CuQuery* x, ColPolytope* pt) {
  ColPolytope made = *pt;
  int outcome = 0;
  cu_sync();
  CU_FOR(i, 1) outcome = cu_startFlat(x, &made);
  pt->nvert = cu_fromInt(made.nvert, 0);
  pt->nface = cu_fromInt(made.nface, 0);
  pt->ncand = cu_fromInt(made.ncand, 0);
  outcome = cu_fromInt(outcome, 0);
  cu_sync();
  return outcome;
}

// corners of the faces of a tetrahedron and their neighbours, two bits each
enum { CU_TETRA = 0x1b381c24, CU_TETRA_ADJ = 0x121c0e2d };

// from a tetrahedron around the origin: a lane for each face
CU_FN int cu_fromTetrahedron(CuQuery* x, ColPolytope* pt) {
  const ColVertex* const s = x->q.simplex;
  CU_FOR(i, 4) pt->vert[i] = s[i];
  cu_sync();
  int outside = 0;
  CU_FOR(i, 4) {
    int vert[3], adj[3];
    for (int k = 0; k < 3; k++) {
      vert[k] = cu_cornerOf(CU_TETRA, i, k);
      adj[k] = cu_cornerOf(CU_TETRA_ADJ, i, k);
    }
    setFace(pt, pt->face + i, vert[0], vert[1], vert[2], adj);
    outside |= !sameSide(s[i].p, s[(i + 1) & 3].p, s[(i + 2) & 3].p, s[(i + 3) & 3].p);
  }
  cu_sync();

  // a face through the origin is a better start
  CU_LOOP for (int i = 0; i < 4; i++) {
    if (!(pt->face[i].sqr < COL_MINSQR)) continue;
    CU_FOR(one, 1) {
      const int vert[3] = {cu_cornerOf(CU_TETRA, i, 0), cu_cornerOf(CU_TETRA, i, 1), cu_cornerOf(CU_TETRA, i, 2)};
      ColPolytope made = *pt;
      restart(&made, &x->q, vert);
    }
    return cu_fromFlat(x, pt);
  }

  // it must contain the origin
  if (cu_any(outside)) return COL_EPA_ORIGIN_OUTSIDE;
  CU_FOR(i, 4) pt->face[i].slot = pt->cand[i] = (ColIndex)i;
  pt->nvert = pt->nface = pt->ncand = 4;
  cu_sync();
  return COL_EPA_DONE;
}

//---------------------------------- growth ----------------------------------

// candidate nearest to the origin, the first one of equals; previous if there is none
CU_FN int cu_nearestFace(const ColPolytope* pt, int previous, mjtNum* sqr) {
  const int none = 0x7fffffff;
  mjtNum best = COL_FAR;
  int at = none;
  CU_FOR(i, pt->ncand) {
    const mjtNum s = pt->face[pt->cand[i]].sqr;
    if (s < best || (s == best && i < at)) {
      best = s;
      at = i;
    }
  }
  cu_least(&best, &at);
  *sqr = best;
  return at == none ? previous : pt->cand[at];
}

// a vertex equal to the newest one: the boundary is reached
CU_FN int cu_isRepeated(const ColPolytope* pt) {
  const int last = pt->nvert - 1, ia = pt->vert[last].ia, ib = pt->vert[last].ib;
  int same = 0;
  CU_FOR(i, last) same |= pt->vert[i].ia == ia && pt->vert[i].ib == ib;
  return cu_any(same);
}

// Removes the faces that were seen, beginning with one that is, and collects the edges around the hole in order: depth
// first, the next edge in hand and the others in a list.
COL_FN void cu_walkHole(ColPolytope* pt, int start) {
  int face = start, edge = 0, n = 0;
  removeFace(pt, start);
  if (pt->kept >= 0) pt->gone[pt->ngone++] = (ColIndex)pt->kept;
  for (int i = 2; i >= 1; i--) {
    pt->todo[n++] = (ColIndex)start;
    pt->todo[n++] = (ColIndex)i;
  }
  CU_LOOP for (;;) {
    const ColFace* const from = pt->face + face;
    const int id = from->adj[edge], vert = from->vert[edgeAfter(edge, 1)];
    const ColFace* const f = pt->face + id;
    if (f->slot != COL_FACE_GONE) {
      const int shared = edgeAt(f, vert);
      if (f->seen) {
        // go on over its two other edges
        removeFace(pt, id);
        pt->gone[pt->ngone++] = (ColIndex)id;
        pt->todo[n++] = (ColIndex)id;
        pt->todo[n++] = (ColIndex)edgeAfter(shared, 2);
        face = id;
        edge = edgeAfter(shared, 1);
        continue;
      }
      pt->rim[2 * pt->nrim] = (ColIndex)id;
      pt->rim[2 * pt->nrim + 1] = (ColIndex)shared;
      pt->nrim++;
    }
    if (!n) return;
    edge = pt->todo[--n];
    face = pt->todo[--n];
  }
}

CU_FN void cu_openHole(ColPolytope* pt, int start, const CuVec* w) {
  CU_FOR(i, pt->nface) {
    ColFace* const f = pt->face + i;
    f->seen = mth_dot3(f->foot, w->x) - f->sqr > mjMINVAL;
  }
  pt->nrim = pt->ngone = 0;
  cu_sync();
  CU_FOR(i, 1) cu_walkHole(pt, start);
  pt->nrim = cu_fromInt(pt->nrim, 0);
  pt->ngone = cu_fromInt(pt->ngone, 0);
  pt->ncand = cu_fromInt(pt->ncand, 0);
  pt->kept = start;
  cu_sync();
}

// where face i of the fan around a new vertex lies
COL_FN int cu_fanFace(const ColPolytope* pt, int i) {
  return i < pt->ngone ? pt->gone[i] : pt->nface + i - pt->ngone;
}

// closes the hole by a fan around vertex w, of which each lane makes faces; 0 when one of them is degenerate
CU_FN int cu_closeHole(ColPolytope* pt, int w, mjtNum low, mjtNum high) {
  const int n = pt->nrim;
  int flat = 0;
  CU_FOR_ALL(i, valid, n) {
    mjtNum sqr = COL_FAR;
    const int id = valid ? cu_fanFace(pt, i) : 0;
    if (valid) {
      const int outer = pt->rim[2 * i], edge = pt->rim[2 * i + 1];
      const int adj[3] = {cu_fanFace(pt, (i ? i : n) - 1), outer, cu_fanFace(pt, i + 1 < n ? i + 1 : 0)};
      ColFace* const f = pt->face + outer;
      f->adj[edge] = (ColIndex)id;
      sqr = setFace(pt, pt->face + id, w, f->vert[edgeAfter(edge, 1)], f->vert[edge], adj);
    }
    flat |= sqr == 0;
    int added;
    const int candidate = valid && sqr >= low && sqr <= high, at = pt->ncand + cu_haveBefore(candidate, &added);
    if (candidate) {
      pt->face[id].slot = (ColIndex)at;
      pt->cand[at] = (ColIndex)id;
    }
    pt->ncand += added;
  }
  if (n > pt->ngone) pt->nface += n - pt->ngone;
  cu_sync();
  return !cu_any(flat);
}

// the vertex farthest along the foot of a face, which has length len
CU_FN CuVec cu_addSupport(CuQuery* x, ColPolytope* pt, const CuVec* foot, mjtNum len) {
  CuVec unit;
  mth_set3(unit.x, 1, 0, 0);
  if (len > mjMINVAL) {
    for (int i = 0; i < 3; i++) unit.x[i] = COL_DIV(foot->x[i], len);
  }
  return cu_supportPair(x, pt->vert + pt->nvert++, unit);
}

// Grows the polytope, so often at most; the face nearest to the origin, or -1 when the numbers do not allow one. *full:
// there is no room to go on
CU_FN int cu_expand(CuQuery* x, ColPolytope* pt, int grow, int* full) {
  const int discrete = col_discretePair(&x->a, &x->b);
  const mjtNum tolerance = discrete ? mjMINVAL : x->q.tolerance;
  mjtNum upper = COL_FAR, uppersqr = COL_FAR;
  int face = -1;
  CU_LOOP for (int i = 0; i < grow; i++) {
    // lower bound: the nearest face
    mjtNum lowersqr;
    const int previous = face;
    face = cu_nearestFace(pt, previous, &lowersqr);
    if (lowersqr > uppersqr || face < 0) return previous;
    if (lowersqr <= 0) return face;

    // upper bound: the supporting plane in its direction
    const mjtNum lower = COL_SQRT(lowersqr);
    CuVec foot;
    mth_copy3(foot.x, pt->face[face].foot);
    const CuVec w = cu_addSupport(x, pt, &foot, lower);
    const mjtNum reach = COL_DIV(mth_dot3(foot.x, w.x), lower);
    if (reach < upper) {
      upper = reach;
      uppersqr = upper * upper;
    }
    if (upper - lower < tolerance || (discrete && cu_isRepeated(pt))) return face;

    // replace what the new vertex sees
    cu_openHole(pt, face, &w);
    if (pt->nrim < 3) return -1;
    if (pt->nrim - pt->ngone > pt->maxface - pt->nface) {
      *full = 1;
      return face;
    }
    if (!cu_closeHole(pt, pt->nvert - 1, lowersqr, uppersqr)) return -1;
    if (!pt->ncand) return face;
  }
  *full = 1;
  return face;
}

// How deep the shapes overlap; grow: how often the polytope may grow, in this memory. 0: it could not grow as much as
// it should
CU_CALL int cu_deepen(CuQuery* x, char* memory, int grow, int nface) {
  ColPolytope pt = cu_polytope(memory, grow + 5, nface);
  int full = 0, face = -1;
  cu_sync();
  CU_FOR(i, 1) x->q.dist = 0;
  const int flat = x->q.nsimplex == 2 || x->q.nsimplex == 3;
  const int outcome = flat ? cu_fromFlat(x, &pt) : cu_fromTetrahedron(x, &pt);
  if (outcome == COL_EPA_DONE) {
    face = cu_expand(x, &pt, grow, &full);
    cu_sync();
    CU_FOR(i, 1) {
      if (face >= 0) {
        setWitness(&x->q, &pt, face);
      } else {
        x->q.npoint = 0;
        x->q.dist = 0;
      }
    }
  }
  cu_sync();
  return face < 0 || !full;
}
