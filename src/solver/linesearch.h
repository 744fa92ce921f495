// Exact line search for the primal solvers.
#pragma once

#include "solver/problem.h"

// one elliptic contact along the search: everything its cost depends on, as polynomials in α
typedef struct {
  int row, dim;
  mjtNum mu;
  mjtNum quad[3];     // cost in the bottom zone
  mjtNum N0, N1;      // normal
  mjtNum UU, UV, VV;  // squared tangential size
  mjtNum Dm;          // stiffness in the middle zone
} SolCone;

// a line through the space of accelerations
typedef struct {
  const SolProblem* p;
  const mjtNum* jar;  // (nefc) residual at the start of the line
  const mjtNum* Jv;   // (nefc) its change along it
  SolRay ray;         // limits, frictionless and pyramidal rows; D is zero for all others
  int ncone;
  SolCone* cone;   // elliptic contacts
  mjtNum quad[3];  // Gauss cost and equality rows: quad[0] + α quad[1] + α² quad[2]
  int neval;       // evaluations so far
} SolLine;

// a point on the line
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

// new direction: gauss holds the cost's three coefficients without constraints
void sol_lineSet(SolLine* line, const mjtNum gauss[3]);

// minimum of the cost along the line; start is the point α = 0. slope gets the slope that is left.
mjtNum sol_lineSearch(SolLine* line, const SolPoint* start, SolLimits limits, mjtNum* slope);

// cost and derivatives at point->alpha
void sol_lineEval(SolLine* line, SolPoint* point);
