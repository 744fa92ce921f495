// Exact line search for the primal solvers.
//
// Near the solution the forces balance: the slope is a tiny sum of large numbers, and the cost changes in digits that
// the total does not have. So neither is ever summed up again: the slope at the start is the gradient's, known, and
// points are measured from the start. A row that stays in its state from there to α adds α² times its curvature,
// whatever force it carries.
#pragma once

#include "solver/problem.h"

// zones of an elliptic contact
typedef enum { SOL_TOP, SOL_MIDDLE, SOL_BOTTOM, SOL_NZONE } SolZone;

// one elliptic contact along the search: everything its cost depends on, as polynomials in α
typedef struct {
  int row, dim;
  mjtNum mu;
  mjtNum N0, N1;      // normal
  mjtNum UU, UV, VV;  // squared tangential size
  mjtNum T0, dT0;     // tangential size and its slope at the start
  mjtNum Dm;          // stiffness in the middle zone
  mjtNum curve;       // in the bottom zone the cost grows by α² curve
  SolZone zone;       // at the start
  struct {
    mjtNum cost, slope;
  } formula[SOL_NZONE];  // of each zone, at the start
} SolCone;

// a line through the space of accelerations
typedef struct {
  const SolProblem* p;
  const mjtNum* jar;  // (nefc) residual at the start of the line
  const mjtNum* Jv;   // (nefc) its change along it
  SolRay ray;         // limits, frictionless and pyramidal rows; D is zero for all others
  int ncone;
  SolCone* cone;  // elliptic contacts
  mjtNum slope;   // of the cost at the start
  mjtNum curve;   // Gauss cost and equality rows: their cost grows by α² curve
  int neval;      // evaluations so far
} SolLine;

// a point on the line; the cost is counted from the start
typedef struct {
  mjtNum alpha, cost;
  mjtNum deriv[2];
} SolPoint;

// limits of a search
typedef struct {
  mjtNum gtol;  // slope that counts as zero
  int maxeval;  // evaluations at most
} SolLimits;

// the rows of p as a line from jar in direction Jv, both to be filled later: sol_lineSet. Uses the stack.
void sol_lineMake(SolLine* line, const SolProblem* p, const mjtNum* jar, const mjtNum* Jv);

// new direction: slope of the cost at the start, and how the cost without constraints grows with α²
void sol_lineSet(SolLine* line, mjtNum slope, mjtNum gauss);

// minimum of the cost along the line; start is the point α = 0. slope gets the slope that is left.
mjtNum sol_lineSearch(SolLine* line, const SolPoint* start, SolLimits limits, mjtNum* slope);

// cost and derivatives at point->alpha
void sol_lineEval(SolLine* line, SolPoint* point);
