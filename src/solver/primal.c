// Newton and conjugate gradient (Polak-Ribière, preconditioned by the inertia).
//
// Both descend along a direction and search it exactly. Newton's direction is −H⁻¹ grad with H = M + Jᵀ s″ J, which is
// exact except where rows change their state, so few iterations are needed. When few rows change, the factor of H is
// updated row by row; otherwise, and whenever elliptic contacts slide, H is built and factored again.
#include "solver/primal.h"

#include <math.h>
#include <string.h>

#include "base/stack.h"
#include "math/simd/kernels.h"
#include "math/vec.h"
#include "solver/cut.h"
#include "solver/linesearch.h"
#include "solver/stat.h"

// rows in each state
typedef struct {
  int active, cone;
  int change;  // in another one than before
} Count;

// the iteration: all vectors padded
typedef struct {
  SolProblem* p;
  int newton;
  mjtNum* jar;     // J·qacc − aref
  mjtNum* Jv;      // J·search
  mjtNum* qacc;    // acceleration
  mjtNum* Ma;      // M·qacc
  mjtNum* Mv;      // M·search
  mjtNum* qfrc;    // Jᵀ force
  mjtNum* grad;    // gradient
  mjtNum* Mgrad;   // preconditioned gradient
  mjtNum* search;  // direction
  mjtNum cost;     // total
  mjtNum scale;    // makes improvements and gradients comparable between models
  int ncone;       // rows on the surface of an elliptic cone

  // conjugate gradients
  mjtNum *oldgrad, *oldMgrad;  // before the last step
  int preconditioned;          // 1: Mgrad is that of grad already

  // Newton
  SolFactor H;
  mjtNum* D;      // D of the quadratic rows, 0 elsewhere
  int* oldstate;  // states that the factor belongs to
  mjtNum* row;    // scratch for updates
  int nupdate;    // rows that the factor was changed by
} Iter;

//---------------------------------- state ----------------------------------

// rows in each state; equalities always act
static Count countRows(const Iter* it, int begin, int end) {
  const ConRowSet* rows = &it->p->rows;
  Count count = {0};
  for (int i = begin > rows->ne ? begin : rows->ne; i < end; i++) {
    count.active += rows->state[i] != mjCNSTRSTATE_SATISFIED;
    count.cone += rows->state[i] == mjCNSTRSTATE_CONE;
    count.change += rows->state[i] != it->oldstate[i];
  }
  return count;
}

// a step along the search
typedef struct {
  Iter* it;
  mjtNum alpha;
  Count* count;  // (pieces)
} Step;

// moves the dofs
static void moveDofs(const Iter* it, mjtNum alpha) {
  mth_addToScl(it->qacc, it->search, alpha, it->p->n);
  mth_addToScl(it->Ma, it->Mv, alpha, it->p->n);
}

// moves the residuals of one piece of the rows, whose forces and states follow; the dofs come before all pieces
static void movePart(void* arg, int next) {
  const Step* s = arg;
  const Iter* it = s->it;
  if (!next) {
    moveDofs(it, s->alpha);
    return;
  }
  const int piece = next - 1;
  const SolProblem* p = it->p;
  const int row = p->cut.row[piece], end = p->cut.row[piece + 1], first = row > p->rows.ne ? row : p->rows.ne;
  mth_addToScl(it->jar + row, it->Jv + row, s->alpha, end - row);
  if (end > first) memcpy(it->oldstate + first, p->rows.state + first, sizeof(int) * (size_t)(end - first));
  sol_updatePart(p, it->jar, it->newton, piece);
  s->count[piece] = countRows(it, row, end);
}

// moves dofs and residuals; returns the rows' cost, and counts the rows in each state
static mjtNum move(Iter* it, mjtNum alpha, Count* count) {
  const SolProblem* p = it->p;
  const int nefc = p->rows.nefc, ne = p->rows.ne;
  if (!p->cut.n) {
    moveDofs(it, alpha);
    mth_addToScl(it->jar, it->Jv, alpha, nefc);
    memcpy(it->oldstate + ne, p->rows.state + ne, sizeof(int) * (size_t)(nefc - ne));
    const mjtNum cost = sol_update(p, it->jar, it->newton);
    *count = countRows(it, ne, nefc);
    return cost;
  }
  mj_markStack(p->d);
  Step s = {it, alpha, mj_stackAllocByte(p->d, sizeof(Count) * (size_t)p->cut.n, _Alignof(Count))};
  bas_share(p->d, NULL, movePart, &s, 1 + p->cut.n);
  *count = (Count){0};
  for (int k = 0; k < p->cut.n; k++) {
    count->active += s.count[k].active;
    count->cone += s.count[k].cone;
    count->change += s.count[k].change;
  }
  mj_freeStack(p->d);
  return sol_sumCost(p, it->jar);
}

// conjugate gradients in pieces
typedef struct {
  Iter* it;
  mjtNum gauss;
} Evaluation;

// The distance from the unconstrained motion before all pieces, which leaves out the gradient; then forces of the rows
// on the dofs of each piece and the gradient, also that without rows where the inertia is diagonal.
static void evaluatePart(void* arg, int next) {
  Evaluation* e = arg;
  const Iter* it = e->it;
  const SolProblem* p = it->p;
  if (!next) {
    const SolGauss at = {it->qacc, it->Ma, it->Ma, p->qacc_smooth, p->qfrc_smooth};
    e->gauss = p->k->gauss(it->Mv, &at, p->n);
    return;
  }
  const BasPart dofs = sol_mulJTPart(p, it->qfrc, p->rows.force, next - 1);
  for (int i = dofs.begin; i < dofs.end; i++) it->grad[i] = it->Ma[i] - p->qfrc_smooth[i] - it->qfrc[i];
  for (int i = dofs.begin; i < (p->ncoupled ? 0 : dofs.end); i++) it->Mgrad[i] = p->qLDiagInv[i] * it->grad[i];
}

// costs and gradient at the current point, where s is the rows' cost
static void evaluate(Iter* it, mjtNum s) {
  const SolProblem* p = it->p;
  it->preconditioned = 0;
  if (p->conjugate && p->cut.n) {
    Evaluation e = {.it = it};
    bas_share(p->d, NULL, evaluatePart, &e, 1 + p->cut.n);
    it->cost = s + e.gauss;
    it->preconditioned = p->diag && !p->ncoupled;
    return;
  }
  sol_mulJT(p, it->qfrc, p->rows.force);

  // distance from the unconstrained motion, and gradient
  mjtNum gauss = 0;
  if (p->conjugate) {
    const SolGauss at = {it->qacc, it->Ma, it->qfrc, p->qacc_smooth, p->qfrc_smooth};
    gauss = p->k->gauss(it->grad, &at, p->n);
  } else {
    for (int i = 0; i < p->n; i++) {
      const mjtNum force = it->Ma[i] - p->qfrc_smooth[i];
      gauss += 0.5 * force * (it->qacc[i] - p->qacc_smooth[i]);
      it->grad[i] = force - it->qfrc[i];
    }
  }
  it->cost = s + gauss;
}

//---------------------------------- Newton ----------------------------------

// H from nothing, factored
static void rebuild(Iter* it) {
  const SolProblem* p = it->p;
  const ConRowSet* rows = &p->rows;
  for (int i = 0; i < rows->nefc; i++) it->D[i] = rows->state[i] == mjCNSTRSTATE_QUADRATIC ? rows->D[i] : 0;
  sol_buildHessian(p, &it->H, it->D, it->ncone > 0);
  p->k->factor(&it->H, mjMINVAL);
  it->nupdate = rows->nefc;
}

// puts row r, times sqrt(D), into the scratch; returns its last column
static int spreadRow(Iter* it, const SolBlock* block, int r) {
  const SolJacobian* jac = &it->p->J;
  if (!block->ngroup) {
    it->row[jac->column[r]] = jac->J[block->J + (size_t)(r - block->row)] * sqrt(it->p->rows.D[r]);
    return jac->column[r];
  }
  const SolGroup* group = jac->group + block->group;
  const mjtNum* J = jac->J + block->J + 8 * (size_t)(r - block->row) * block->ngroup;
  const mjtNum scale = sqrt(it->p->rows.D[r]);
  for (int i = 0; i < block->ngroup; i++) mth_scl(it->row + 8 * group[i].g, J + 8 * i, scale, 8);
  const SolGroup* last = group + block->ngroup - 1;
  return last->bits ? 8 * last->g + 31 - __builtin_clz((unsigned)last->bits) : -1;
}

// changes the factor by the rows that changed their state; 0 when accuracy was lost
static int updateFactor(Iter* it) {
  const SolProblem* p = it->p;
  it->nupdate = 0;
  for (int b = 0; b < p->J.nblock; b++) {
    const SolBlock* block = p->J.block + b;
    for (int r = block->row; r < block->row + block->nrow; r++) {
      const int was = it->oldstate[r] == mjCNSTRSTATE_QUADRATIC, is = p->rows.state[r] == mjCNSTRSTATE_QUADRATIC;
      if (was == is) continue;
      const int last = spreadRow(it, block, r);
      const int fine = p->k->update(&it->H, it->row, last, is ? 1 : -1, mjMINVAL);
      it->nupdate++;
      if (!fine) {
        memset(it->row, 0, sizeof(mjtNum) * (size_t)p->np);
        return 0;
      }
    }
  }
  return 1;
}

// brings the factor to the current states, by the cheaper way
static void refactor(Iter* it, int nchange, int hadcone) {
  const int few = nchange <= 2 + it->p->n / 10;
  if (it->ncone || hadcone || !few || !updateFactor(it)) rebuild(it);
}

//---------------------------------- direction ----------------------------------

// Mgrad from grad
static void precondition(Iter* it) {
  if (it->preconditioned) return;
  memcpy(it->Mgrad, it->grad, sizeof(mjtNum) * (size_t)it->p->np);
  if (it->newton) {
    it->p->k->solve(&it->H, it->Mgrad);
  } else {
    sol_solveM(it->p, it->Mgrad);
  }
}

// conjugate direction from the gradients before and after the last step
static void conjugate(Iter* it) {
  const int n = it->p->n;
  const mjtNum change = it->p->k->dotChange(it->grad, it->Mgrad, it->oldMgrad, n);
  const mjtNum beta = mth_max(0, change / mth_max(mjMINVAL, mth_dot(it->oldgrad, it->oldMgrad, n)));
  mth_sclAddScl(it->search, it->Mgrad, -1, it->search, beta, n);
}

// the gradients become those before the next step
static void keepGradients(Iter* it) {
  mjtNum *grad = it->grad, *Mgrad = it->Mgrad;
  it->grad = it->oldgrad;
  it->Mgrad = it->oldMgrad;
  it->oldgrad = grad;
  it->oldMgrad = Mgrad;
}

// what a search needs beside J·search
typedef struct {
  Iter* it;
  mjtNum slope, curve;  // of the cost without rows
  mjtNum length;        // of search
} Start;

static BAS_DIRECT void startTask(void* arg, int k) {
  Start* s = arg;
  const Iter* it = s->it;
  const int n = it->p->n;
  if (k) {
    s->slope = mth_dot(it->grad, it->search, n);
    s->length = sqrt(mth_dot(it->search, it->search, n));
  } else {
    sol_mulM(it->p, it->Mv, it->search);
    s->curve = 0.5 * mth_dot(it->search, it->Mv, n);
  }
}

// searches along the direction; returns the step, 0 when there is none
static mjtNum searchLine(Iter* it, SolLine* line, SolStat* stat) {
  const SolProblem* p = it->p;
  line->neval = 0;
  stat->lineslope = 1;
  Start s = {.it = it};
  sol_mulJ(p, it->Jv, it->search, (SolAside){startTask, &s, 2});
  if (s.length < mjMINVAL) return 0;

  // the start; the curvature is known for Newton, whose direction has H·search = −grad
  sol_lineSet(line, s.slope, s.curve);
  SolPoint start = {
      .deriv = {s.slope, -s.slope}
  };
  if (it->newton) line->neval++;
  if (!it->newton || !(start.deriv[1] > 0)) sol_lineEval(line, &start);

  const mjOption* opt = &p->m->opt;
  const SolLimits limits = {opt->tolerance * opt->ls_tolerance * s.length / it->scale, opt->ls_iterations};
  mjtNum left;
  const mjtNum alpha = sol_lineSearch(line, &start, limits, &left);
  stat->lineslope = left * it->scale / s.length;
  return alpha;
}

//---------------------------------- driver ----------------------------------

static void allocate(Iter* it) {
  const SolProblem* p = it->p;
  mjData* d = p->d;
  const size_t rows = ((size_t)p->rows.nefc + 7) & ~(size_t)7, dofs = (size_t)p->np;

  // one piece of memory, all zeros
  mjtNum** const rowvec[] = {&it->jar, &it->Jv, &it->D};
  mjtNum** const dofvec[] = {&it->qacc,  &it->Ma,     &it->Mv,  &it->qfrc,    &it->grad,
                             &it->Mgrad, &it->search, &it->row, &it->oldgrad, &it->oldMgrad};
  const int ndofvec = it->newton ? 8 : 10;
  mjtNum* memory = sol_vector(d, (int)(3 * rows + (size_t)ndofvec * dofs));
  for (int i = 0; i < 3; i++, memory += rows) *rowvec[i] = memory;
  for (int i = 0; i < ndofvec; i++, memory += dofs) *dofvec[i] = memory;
  it->oldstate = mj_stackAllocInt(d, (size_t)p->rows.nefc);
  for (int i = 0; i < p->rows.ne; i++) it->oldstate[i] = mjCNSTRSTATE_QUADRATIC;
  memcpy(it->oldstate + p->rows.ne, p->rows.state + p->rows.ne, sizeof(int) * (size_t)(p->rows.nefc - p->rows.ne));
  if (it->newton) it->H = sol_pattern(p);
}

// first point
static void begin(Iter* it) {
  const SolProblem* p = it->p;
  memcpy(it->qacc, p->qacc, sizeof(mjtNum) * (size_t)p->n);
  memcpy(it->jar, p->jar, sizeof(mjtNum) * (size_t)p->rows.nefc);
  if (p->Ma) {
    memcpy(it->Ma, p->Ma, sizeof(mjtNum) * (size_t)p->n);
  } else {
    sol_mulM(p, it->Ma, it->qacc);
  }

  // scale: mean inertia of the model, or the inertia of the island
  if (p->island < 0) {
    it->scale = 1 / (p->m->stat.meaninertia * mth_maxInt(1, p->n));
    return;
  }
  mjtNum inertia = 0;
  for (int i = 0; i < p->n; i++) inertia += p->M[p->M_rowadr[i] + p->M_rownnz[i] - 1];
  it->scale = 1 / inertia;
}

// one step along the search direction; 0 when there is no better point
static int step(Iter* it, SolLine* line, SolStat* stat) {
  const SolProblem* p = it->p;
  const mjtNum alpha = searchLine(it, line, stat);
  if (alpha == 0) return 0;

  // new forces and gradient
  if (!it->newton) keepGradients(it);
  const mjtNum oldcost = it->cost;
  Count count;
  evaluate(it, move(it, alpha, &count));
  it->ncone = count.cone;
  stat->nactive = p->rows.ne + count.active;
  stat->nchange = count.change;
  stat->improvement = it->scale * (oldcost - it->cost);
  stat->gradient = it->scale * sqrt(mth_dot(it->grad, it->grad, p->n));
  stat->neval = line->neval;
  return 1;
}

// iterates until nothing improves; returns the number of iterations
static int iterate(Iter* it, SolLine* line) {
  const SolProblem* p = it->p;
  const mjtNum tolerance = p->m->opt.tolerance;
  int iter = 0;
  while (iter < p->m->opt.iterations) {
    const int hadcone = it->ncone;
    SolStat stat = {.nupdate = it->newton ? it->nupdate : 0};
    if (!step(it, line, &stat)) break;
    sol_saveStat(p->d, p->island, iter++, &stat);
    if (stat.improvement < tolerance || stat.gradient < tolerance) break;

    // next direction
    if (it->newton) {
      refactor(it, stat.nchange, hadcone);
      precondition(it);
      mth_scl(it->search, it->Mgrad, -1, p->n);
    } else {
      precondition(it);
      conjugate(it);
    }
  }
  return iter;
}

void sol_primal(SolProblem* p, int newton) {
  mjData* d = p->d;
  mj_markStack(d);
  Iter it = {.p = p, .newton = newton};
  allocate(&it);
  begin(&it);

  // first direction
  it.ncone = countRows(&it, p->rows.ne, p->rows.nefc).cone;
  evaluate(&it, p->cost);
  if (newton) rebuild(&it);
  precondition(&it);
  mth_scl(it.search, it.Mgrad, -1, p->n);
  SolLine line;
  sol_lineMake(&line, p, it.jar, it.Jv);
  const int iter = iterate(&it, &line);

  // results
  memcpy(p->qacc, it.qacc, sizeof(mjtNum) * (size_t)p->n);
  memcpy(p->qfrc_constraint, it.qfrc, sizeof(mjtNum) * (size_t)p->n);
  if (p->island < mjNISLAND) {
    const int k = p->island < 0 ? 0 : p->island;
    d->solver_niter[k] += iter;
    d->solver_nnz[k] = !newton ? 0 : p->sparse ? it.H.nval : p->n * p->n;
  }
  mj_freeStack(d);
}
