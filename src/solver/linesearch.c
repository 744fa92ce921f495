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

// polynomials of one elliptic contact
static void setCone(SolCone* c, const SolLine* line) {
  const ConRowSet* rows = &line->p->rows;
  const mjtNum *x = line->jar + c->row, *v = line->Jv + c->row, *D = rows->D + c->row;
  const mjtNum* friction = rows->contact[rows->id[c->row]].friction;
  c->N0 = x[0] * c->mu;
  c->N1 = v[0] * c->mu;
  c->UU = c->UV = c->VV = 0;
  c->Dm = D[0] / (c->mu * c->mu * (1 + c->mu * c->mu));
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
  c->quad[0] = 0.5 * q0;
  c->quad[1] = q1;
  c->quad[2] = 0.5 * q2;
}

void sol_lineSet(SolLine* line, const mjtNum gauss[3]) {
  const ConRowSet* rows = &line->p->rows;
  const mjtNum *x = line->jar, *v = line->Jv;
  mth_copy3(line->quad, gauss);
  for (int i = 0; i < rows->ne; i++) {
    const mjtNum Dx = rows->D[i] * x[i];
    line->quad[0] += 0.5 * x[i] * Dx;
    line->quad[1] += v[i] * Dx;
    line->quad[2] += 0.5 * v[i] * rows->D[i] * v[i];
  }
  for (int i = 0; i < line->ncone; i++) setCone(line->cone + i, line);
}

//---------------------------------- evaluation ----------------------------------

// adds a quadratic polynomial at α
static inline void addQuad(SolPoint* p, mjtNum q0, mjtNum q1, mjtNum q2) {
  p->cost += p->alpha * (p->alpha * q2 + q1) + q0;
  p->deriv[0] += 2 * p->alpha * q2 + q1;
  p->deriv[1] += 2 * q2;
}

// friction loss: quadratic near zero, linear beyond
static void addFriction(const SolLine* line, int i, SolPoint* p) {
  const ConRowSet* rows = &line->p->rows;
  const mjtNum x0 = line->jar[i], v = line->Jv[i], x = x0 + p->alpha * v;
  const mjtNum floss = rows->frictionloss[i], bound = rows->R[i] * floss, D = rows->D[i];
  if (x <= -bound) {
    addQuad(p, floss * (-0.5 * bound - x0), -floss * v, 0);
  } else if (x >= bound) {
    addQuad(p, floss * (-0.5 * bound + x0), floss * v, 0);
  } else {
    addQuad(p, 0.5 * D * x0 * x0, D * x0 * v, 0.5 * D * v * v);
  }
}

static void addCone(const SolCone* c, SolPoint* p) {
  const mjtNum a = p->alpha, mu = c->mu;
  const mjtNum N = c->N0 + a * c->N1, square = c->UU + a * (2 * c->UV + a * c->VV);
  const mjtNum T = square > 0 ? sqrt(square) : 0;

  // top zone: nothing; bottom zone: all rows quadratic
  if (T > 0 ? N >= mu * T : N >= 0) return;
  if (T > 0 ? mu * N + T <= 0 : N < 0) {
    addQuad(p, c->quad[0], c->quad[1], c->quad[2]);
    return;
  }

  // middle zone: distance to the cone
  const mjtNum dT = (c->UV + a * c->VV) / T, ddT = c->VV / T - (c->UV + a * c->VV) * dT / (T * T);
  const mjtNum gap = N - mu * T, dgap = c->N1 - mu * dT;
  p->cost += 0.5 * c->Dm * gap * gap;
  p->deriv[0] += c->Dm * gap * dgap;
  p->deriv[1] += c->Dm * (dgap * dgap - gap * mu * ddT);
}

void sol_lineEval(SolLine* line, SolPoint* p) {
  const ConRowSet* rows = &line->p->rows;
  mjtNum sum[3];
  line->p->k->ray(&line->ray, p->alpha, sum);
  p->cost = sum[0];
  p->deriv[0] = sum[1];
  p->deriv[1] = sum[2];
  for (int i = 0; i < line->ncone; i++) addCone(line->cone + i, p);
  for (int i = rows->ne; i < rows->ne + rows->nf; i++) addFriction(line, i, p);
  addQuad(p, line->quad[0], line->quad[1], line->quad[2]);
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
