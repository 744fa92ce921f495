// The convex query: see ccd.h.
#include "collision/ccd.h"

#include "collision/ccd_body.h"

static void runGjk(ColQuery* q, ColConvex* a, ColConvex* b) {
  col_convexCenter(q->x1, a);
  col_convexCenter(q->x2, b);
  q->iter = 0;
  col_gjk(q, a, b);
}

// distance between the cores; they are apart whenever the overlap is no deeper than the radii, and then the answer is
// exact. 0 when the cores overlap.
static int shallow(ColQuery* q, ColConvex* a, ColConvex* b) {
  const Core core1 = reduceToCore(a);
  const Core core2 = reduceToCore(b);
  const mjtNum cutoff = q->cutoff;
  q->cutoff += core1.radius + core2.radius;
  runGjk(q, a, b);
  q->cutoff = cutoff;
  restoreCore(a, &core1);
  restoreCore(b, &core2);
  return addRadii(q, &core1, &core2);
}

// faces for at least this many iterations, so that a low iteration limit does not also limit the polytope
enum { COL_EPA_ITER = 170 };

void col_queryInit(ColQuery* q, const mjModel* m, int maxcon, mjtNum cutoff) {
  q->maxiter = m->opt.ccd_iterations;
  q->tolerance = m->opt.ccd_tolerance;
  q->maxcon = maxcon;
  q->cutoff = cutoff;
}

//---------------------------------- overlap -------------------------------------------------------

// memory of the polytope from the scratch stack
static ColPolytope newPolytope(mjData* d, int maxiter) {
  const int n = maxiter > COL_EPA_ITER ? maxiter : COL_EPA_ITER;
  ColPolytope pt = {0};
  pt.maxface = 6 * n;
  pt.vert = mj_stackAllocByte(d, sizeof(ColVertex) * (size_t)(maxiter + 5), _Alignof(ColVertex));
  pt.face = mj_stackAllocByte(d, sizeof(ColFace) * (size_t)pt.maxface, _Alignof(ColFace));
  pt.cand = mj_stackAllocInt(d, (size_t)pt.maxface);

  // every removed face adds two edges to look across, each of which may end up in the rim
  pt.rim = mj_stackAllocInt(d, 4 * (size_t)pt.maxface + 6);
  pt.todo = mj_stackAllocInt(d, 4 * (size_t)pt.maxface + 6);
  return pt;
}

static void deepen(mjData* d, ColQuery* q, ColConvex* a, ColConvex* b) {
  mj_markStack(d);
  ColPolytope pt = newPolytope(d, q->maxiter);
  q->dist = 0;
  const int face = col_epa(q, &pt, a, b);
  if (face >= 0 && q->maxcon > 1) col_multicontact(q, &pt, face, a, b);
  mj_freeStack(d);
}

mjtNum col_ccd(mjData* d, ColQuery* q, ColConvex* a, ColConvex* b) {
  q->outcome = COL_EPA_NOT_RUN;
  q->grown = 0;
  if (isRound(a) || isRound(b)) {
    if (shallow(q, a, b)) return q->dist;

    // overlap is all that was asked
    if (!q->maxcon) {
      q->npoint = 0;
      q->dist = 0;
      return 0;
    }
  }

  runGjk(q, a, b);
  if (q->maxcon && q->dist <= q->tolerance && q->nsimplex > 1) deepen(d, q, a, b);
  return q->dist;
}
