// Exact line search: the cost along a line is convex and piecewise smooth, so Newton steps on its derivative converge
// in a few evaluations; once the minimum is bracketed, bisection guards them.
#include "solver/linesearch.h"

#include <math.h>

#include "base/stack.h"
#include "math/vec.h"

//---------------------------------- the line ----------------------------------

// elliptic contacts go to a list of their own, and the other rows see them with D = 0
static void splitCones(SolLine* line, const SolProblem* p) {
  const ConRowSet* rows = &p->rows;
  const int first = rows->ne + rows->nf;
  mjtNum* D = mj_stackAllocNum(p->d, (size_t)(rows->nefc - first));
  line->ray.D = D;
  line->cone = mj_stackAllocByte(p->d, sizeof(SolCone) * (size_t)(rows->nefc - first), _Alignof(SolCone));
  for (int i = first; i < rows->nefc;) {
    if (rows->type[i] != mjCNSTR_CONTACT_ELLIPTIC) {
      D[i - first] = rows->D[i];
      i++;
      continue;
    }
    const mjContact* con = rows->contact + rows->id[i];
    line->cone[line->ncone++] = (SolCone){.row = i, .dim = con->dim, .mu = con->mu};
    for (int k = 0; k < con->dim; k++) D[i++ - first] = 0;
  }
}

void sol_lineMake(SolLine* line, const SolProblem* p, const mjtNum* jar, const mjtNum* Jv) {
  const ConRowSet* rows = &p->rows;
  const int first = rows->ne + rows->nf;
  *line = (SolLine){.p = p, .jar = jar, .Jv = Jv};
  line->ray = (SolRay){rows->nefc - first, rows->D + first, jar + first, Jv + first};
  if (p->m->opt.cone == mjCONE_ELLIPTIC && rows->nefc > first) splitCones(line, p);
}

static SolZone zoneOf(const SolCone* c, mjtNum N, mjtNum T) {
  if (T > 0 ? N >= c->mu * T : N >= 0) return SOL_TOP;
  return (T > 0 ? c->mu * N + T <= 0 : N < 0) ? SOL_BOTTOM : SOL_MIDDLE;
}

// polynomials of one elliptic contact, and its start
static void setCone(SolCone* c, const SolLine* line) {
  const ConRowSet* rows = &line->p->rows;
  const mjtNum *x = line->jar + c->row, *v = line->Jv + c->row, *D = rows->D + c->row;
  const mjtNum* friction = rows->contact[rows->id[c->row]].friction;
  c->N0 = x[0] * c->mu;
  c->N1 = v[0] * c->mu;
  c->UU = c->UV = c->VV = 0;
  mjtNum q0 = x[0] * D[0] * x[0], q1 = v[0] * D[0] * x[0], q2 = v[0] * D[0] * v[0];
  for (int j = 1; j < c->dim; j++) {
    q0 += x[j] * D[j] * x[j];
    q1 += v[j] * D[j] * x[j];
    q2 += v[j] * D[j] * v[j];
    const mjtNum U = x[j] * friction[j - 1], V = v[j] * friction[j - 1];
    c->UU += U * U;
    c->UV += U * V;
    c->VV += V * V;
  }
  c->T0 = sqrt(c->UU);
  c->dT0 = c->T0 > 0 ? c->UV / c->T0 : 0;
  c->zone = zoneOf(c, c->N0, c->T0);

  // top: nothing; middle: distance to the cone; bottom: all rows quadratic
  const mjtNum gap = c->N0 - c->mu * c->T0;
  c->Dm = D[0] / (c->mu * c->mu * (1 + c->mu * c->mu));
  c->curve = 0.5 * q2;
  c->formula[SOL_TOP].cost = c->formula[SOL_TOP].slope = 0;
  c->formula[SOL_MIDDLE].cost = 0.5 * c->Dm * gap * gap;
  c->formula[SOL_MIDDLE].slope = c->Dm * gap * (c->N1 - c->mu * c->dT0);
  c->formula[SOL_BOTTOM].cost = 0.5 * q0;
  c->formula[SOL_BOTTOM].slope = q1;
}

void sol_lineSet(SolLine* line, mjtNum slope, mjtNum gauss) {
  const ConRowSet* rows = &line->p->rows;
  const mjtNum* v = line->Jv;
  line->slope = slope;
  if (line->p->conjugate) {
    line->curve = gauss + line->p->k->curvature(rows->D, v, rows->ne);
  } else {
    line->curve = gauss;
    for (int i = 0; i < rows->ne; i++) line->curve += 0.5 * v[i] * rows->D[i] * v[i];
  }
  for (int i = 0; i < line->ncone; i++) setCone(line->cone + i, line);
}

//---------------------------------- evaluation ----------------------------------

// Friction loss: quadratic near zero, linear beyond. A row that changes its side gains the cost and slope at the start
// of the formula there and loses those of its own: sign times one of them.
static void addFormula(const SolLine* line, int i, int side, int sign, mjtNum sum[3]) {
  const ConRowSet* rows = &line->p->rows;
  const mjtNum x0 = line->jar[i], v = line->Jv[i], D = rows->D[i];
  const mjtNum floss = rows->frictionloss[i], bound = rows->R[i] * floss;
  sum[0] += sign * (side ? floss * (-0.5 * bound + side * x0) : 0.5 * D * x0 * x0);
  sum[1] += sign * (side ? side * floss * v : D * x0 * v);
}

static inline void addFriction(const SolLine* line, int i, mjtNum alpha, mjtNum sum[3]) {
  const ConRowSet* rows = &line->p->rows;
  const mjtNum x0 = line->jar[i], v = line->Jv[i], x = x0 + alpha * v, bound = rows->R[i] * rows->frictionloss[i];
  const int side0 = (x0 >= bound) - (x0 <= -bound), side = (x >= bound) - (x <= -bound);
  if (!side) sum[2] += 0.5 * rows->D[i] * v * v;
  if (side == side0) return;
  addFormula(line, i, side, 1, sum);
  addFormula(line, i, side0, -1, sum);
}

// What the middle zone's formula has more at α than at the start: differences are taken before anything is multiplied.
// With T² a polynomial,
//   T − T0 = (T² − T0²) / (T + T0),  T′ − T0′ = (α V·V − T0′ (T − T0)) / T,  T − T0 − α T0′ = α T (T′ − T0′) / (T + T0)
static void addSliding(const SolCone* c, mjtNum T, SolPoint* p) {
  const mjtNum a = p->alpha, mu = c->mu;
  const mjtNum moreT = a * (2 * c->UV + a * c->VV) / (T + c->T0);
  const mjtNum dT = (c->UV + a * c->VV) / T, moredT = (a * c->VV - c->dT0 * moreT) / T;
  const mjtNum bend = a * T * moredT / (T + c->T0), ddT = (c->VV - dT * dT) / T;
  const mjtNum gap0 = c->N0 - mu * c->T0, moregap = a * c->N1 - mu * moreT, dgap = c->N1 - mu * dT;
  p->cost += c->Dm * (0.5 * moregap * moregap - gap0 * mu * bend);
  p->deriv[0] += c->Dm * (moregap * dgap - gap0 * mu * moredT);
  p->deriv[1] += c->Dm * (dgap * dgap - (gap0 + moregap) * mu * ddT);
}

// a contact that is in another zone at α than at the start changes its formula first, at the start
static void addCone(const SolCone* c, SolPoint* p, mjtNum sum[3]) {
  const mjtNum a = p->alpha, square = c->UU + a * (2 * c->UV + a * c->VV), T = square > 0 ? sqrt(square) : 0;
  const SolZone zone = zoneOf(c, c->N0 + a * c->N1, T);
  if (zone != c->zone) {
    sum[0] += c->formula[zone].cost - c->formula[c->zone].cost;
    sum[1] += c->formula[zone].slope - c->formula[c->zone].slope;
  }
  if (zone == SOL_BOTTOM) sum[2] += c->curve;
  if (zone == SOL_MIDDLE) addSliding(c, T, p);
}

void sol_lineEval(SolLine* line, SolPoint* p) {
  const ConRowSet* rows = &line->p->rows;
  const mjtNum alpha = p->alpha;

  // polynomial of what changed, and what is none
  mjtNum sum[3];
  p->cost = p->deriv[0] = p->deriv[1] = 0;
  line->p->k->ray(&line->ray, alpha, sum);
  for (int i = 0; i < line->ncone; i++) addCone(line->cone + i, p, sum);
  for (int i = rows->ne; i < rows->ne + rows->nf; i++) addFriction(line, i, alpha, sum);
  sum[1] += line->slope;
  sum[2] += line->curve;
  p->cost += sum[0] + alpha * (sum[1] + alpha * sum[2]);
  p->deriv[0] += sum[1] + 2 * alpha * sum[2];
  p->deriv[1] += 2 * sum[2];
  line->neval++;

  // a convex function has positive curvature
  if (p->deriv[1] <= 0) {
    mju_warning("Linesearch objective is not convex");
    p->deriv[1] = mjMINVAL;
  }
}

//---------------------------------- search ----------------------------------

// point that a Newton step on the derivative leads to
static SolPoint newtonPoint(SolLine* line, const SolPoint* from) {
  SolPoint next = {.alpha = from->alpha - from->deriv[0] / from->deriv[1]};
  sol_lineEval(line, &next);
  return next;
}

// moves one end of the bracket to the best candidate on its side; 1 when it moved, and then next is its Newton point
static int tighten(SolLine* line, SolPoint* end, const SolPoint candidate[3], SolPoint* next) {
  int moved = 0;
  for (int i = 0; i < 3; i++) {
    const mjtNum slope = candidate[i].deriv[0];
    if ((end->deriv[0] < 0 && slope < 0 && end->deriv[0] < slope) ||
        (end->deriv[0] > 0 && slope > 0 && end->deriv[0] > slope)) {
      *end = candidate[i];
      moved = 1;
    }
  }
  if (moved) *next = newtonPoint(line, end);
  return moved;
}

// best converged candidate, -1: none
static int converged(const SolPoint candidate[3], mjtNum gtol) {
  int best = -1;
  for (int i = 0; i < 3; i++) {
    if (fabs(candidate[i].deriv[0]) < gtol && (best < 0 || candidate[i].cost < candidate[best].cost)) best = i;
  }
  return best;
}

// minimum between two points with slopes of opposite sign
static SolPoint searchBracket(SolLine* line, const SolPoint* start, SolPoint a, SolPoint b, SolLimits limits) {
  SolPoint nextb = a, nexta = newtonPoint(line, &a);
  while (line->neval < limits.maxeval) {
    SolPoint mid = {.alpha = 0.5 * (a.alpha + b.alpha)};
    sol_lineEval(line, &mid);
    const SolPoint candidate[3] = {nexta, nextb, mid};
    const int best = converged(candidate, limits.gtol);
    if (best >= 0) return candidate[best];

    // nothing moves any more: this is as close as numbers get
    const int moveda = tighten(line, &a, candidate, &nexta), movedb = tighten(line, &b, candidate, &nextb);
    if (!moveda && !movedb) return mid;
  }

  // out of evaluations: the better end, if it improves at all
  if (a.cost <= b.cost && a.cost < start->cost) return a;
  if (b.cost <= a.cost && b.cost < start->cost) return b;
  return *start;
}

mjtNum sol_lineSearch(SolLine* line, const SolPoint* start, SolLimits limits, mjtNum* slope) {
  SolPoint a = newtonPoint(line, start), b = *start;

  // one Newton step is often enough; otherwise go on in its direction until the slope changes sign
  if (!(fabs(a.deriv[0]) < limits.gtol)) {
    const int dir = a.deriv[0] < 0 ? 1 : -1;
    int found = 0;
    while (a.deriv[0] * dir <= -limits.gtol && line->neval < limits.maxeval && !found) {
      b = a;
      a = newtonPoint(line, &b);
      found = fabs(a.deriv[0]) < limits.gtol;
    }
    if (!found && line->neval < limits.maxeval) a = searchBracket(line, start, a, b, limits);
  }
  *slope = fabs(a.deriv[0]);
  return a.alpha;
}
