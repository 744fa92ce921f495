// Extended position-based dynamics (Macklin, Müller, Chentanez 2016) in generalised coordinates.
//
// Each substep h moves freely by x = h (v + h a), then projects the constraints C(x) = 0 or ≥ 0 one after the other:
//   Δλ = (-C - α λ/h² - γ J x) / ((1 + γ) J M⁻¹ Jᵀ + α/h²),   x += M⁻¹ Jᵀ Δλ,   γ = dashpot / h,
// with α the compliance of the reference's spring (solref, solimp) times a factor. Friction holds the tangential motion
// of the substep within μ λ_n. The new velocity is x/h; where a contact was pushed out of penetration, the speed that
// this gave it is taken back, so overlap is resolved without a throw. Rows are linear over the step: C + J x.
//
// Margins of geoms and limits are how far ahead constraints are seen, not where they act: with some margin a body at
// rest has all of its contacts in every step. Forces that are reported are impulses over the timestep, so M (qacc -
// qacc_smooth) = Jᵀ efc_force as always; the way of the positions beyond h·qvel is the offset.
#include <math.h>
#include <string.h>

#include "math/simd/kernels.h"
#include "math/vec.h"
#include "physics/contact/rows.h"

enum { ITERATIONS, SUBSTEPS, COMPLIANCE, NPARAM };

static const snParam params[] = {
    {"iterations", 50, 1, 10000, "rounds over all constraints in a substep"                 },
    {"substeps",   1,  1, 1000,  "parts of a timestep"                                      },
    {"compliance", 1,  0, 1e6,   "factor on the compliance from solref and solimp; 0: rigid"},
};

static const char* check(const mjModel* m, const mjtNum* param) {
  (void)param;
  if (m->opt.integrator != mjINT_EULER) return "needs the integrator Euler: positions are its own business";
  return NULL;
}

// one step of the method; vectors on the stack of mjData
typedef struct {
  const mjModel* m;
  ContactRows rows;
  mjtNum h;        // of a substep
  mjtNum scale;    // of compliance
  mjtNum* v;       // (nv) velocity
  mjtNum* x;       // (nv) way in this substep
  mjtNum* way;     // (nv) way before it
  mjtNum* lambda;  // (rows) multipliers of this substep
  mjtNum* start;   // (rows) C at its start
  mjtNum* back;    // (rows) impulses that take speed back
} Xpbd;

static void push(Xpbd* s, int i, mjtNum change) {
  s->lambda[i] += change;
  phy_rowPush(s->rows.row + i, s->x, change);
}

// equalities, friction loss, limits and normals
static void project(Xpbd* s, int i) {
  const ContactRow* row = s->rows.row + i;
  const mjtNum way = phy_rowDot(row, s->x), soft = s->scale * row->compliance / (s->h * s->h);
  const mjtNum gamma = s->scale > 0 ? row->dashpot / s->h : 0;
  const mjtNum friction = row->kind == ROW_FRICTION;
  const mjtNum C = friction ? way : s->start[i] + way;
  const mjtNum divisor = friction ? row->w : (1 + gamma) * row->w + soft;
  if (divisor < mjMINVAL) return;
  mjtNum change = friction ? -C / divisor : (-C - soft * s->lambda[i] - gamma * way) / divisor;
  if (row->kind == ROW_NORMAL) change = mth_max(change, -s->lambda[i]);
  if (friction) {
    const mjtNum most = row->bound * s->h * s->h;
    change = mth_clip(s->lambda[i] + change, -most, most) - s->lambda[i];
  }
  push(s, i, change);
}

// the tangents of a normal: held, then cut to the friction cone
static void projectTangents(Xpbd* s, int normal) {
  const ContactRow* row = s->rows.row + normal;
  mjtNum square = 0, wanted[5];
  for (int k = 0; k < row->ntangent; k++) {
    const ContactRow* t = row + 1 + k;
    const int i = normal + 1 + k;
    wanted[k] = t->w < mjMINVAL ? 0 : s->lambda[i] - phy_rowDot(t, s->x) / t->w;
    const mjtNum share = wanted[k] / mth_max(mjMINMU, t->mu);
    square += share * share;
  }
  const mjtNum most = s->lambda[normal], cut = square > most * most ? most / sqrt(square) : 1;
  for (int k = 0; k < row->ntangent; k++) push(s, normal + 1 + k, wanted[k] * cut - s->lambda[normal + 1 + k]);
}

// The same in impulses, for what is taken back: friction holds the tangential speed as well, so that the change of the
// normal one does not turn into creep.
static void settleTangents(Xpbd* s, int normal) {
  const ContactRow* row = s->rows.row + normal;
  mjtNum square = 0, wanted[5];
  for (int k = 0; k < row->ntangent; k++) {
    const ContactRow* t = row + 1 + k;
    const int i = normal + 1 + k;
    const mjtNum speed = phy_rowDot(t, s->v);
    wanted[k] = s->lambda[i] / s->h + s->back[i] - (t->w < mjMINVAL ? 0 : speed / t->w);
    const mjtNum share = wanted[k] / mth_max(mjMINMU, t->mu);
    square += share * share;
  }
  const mjtNum most = s->lambda[normal] / s->h + s->back[normal], cut = square > most * most ? most / sqrt(square) : 1;
  for (int k = 0; k < row->ntangent; k++) {
    const int i = normal + 1 + k;
    const mjtNum total = wanted[k] * cut - s->lambda[i] / s->h;
    phy_rowPush(s->rows.row + i, s->v, total - s->back[i]);
    s->back[i] = total;
  }
}

// takes back the speed that pushing out of penetration gave: impulses within those that pushed
static void settle(Xpbd* s, int iterations) {
  const int n = s->rows.n;
  mth_zero(s->back, n);
  for (int round = 0; round < iterations; round++) {
    for (int k = 0; k < n; k++) {
      const int i = round % 2 ? n - 1 - k : k;
      const ContactRow* row = s->rows.row + i;
      if (row->kind != ROW_NORMAL || s->lambda[i] <= 0 || s->start[i] >= 0 || row->w < mjMINVAL) continue;
      const mjtNum total = mth_clip(s->back[i] - phy_rowDot(row, s->v) / row->w, -s->lambda[i] / s->h, 0);
      phy_rowPush(row, s->v, total - s->back[i]);
      s->back[i] = total;
      if (row->ntangent) settleTangents(s, i);
    }
  }
  for (int i = 0; i < n; i++) s->rows.row[i].force += s->back[i];
}

static void substep(Xpbd* s, const mjData* d, int iterations) {
  const int nv = (int)s->m->nv, n = s->rows.n;
  mth_addToScl(s->v, d->qacc_smooth, s->h, nv);
  mth_scl(s->x, s->v, s->h, nv);
  mth_zero(s->lambda, n);
  for (int i = 0; i < n; i++) s->start[i] = s->rows.row[i].pos + phy_rowDot(s->rows.row + i, s->way);

  // rounds in alternating directions, so that no end of the list is preferred
  for (int round = 0; round < iterations; round++) {
    for (int k = 0; k < n; k++) {
      const int i = round % 2 ? n - 1 - k : k;
      if (s->rows.row[i].kind == ROW_TANGENT) continue;
      project(s, i);
      if (s->rows.row[i].ntangent) projectTangents(s, i);
    }
  }

  // velocity, impulses
  mth_scl(s->v, s->x, 1 / s->h, nv);
  for (int i = 0; i < n; i++) s->rows.row[i].force += s->lambda[i] / s->h;
  settle(s, iterations);
  mth_addTo(s->way, s->x, nv);
}

static void solve(const mjModel* m, mjData* d, const mjtNum* param, mjtNum* offset) {
  const int nv = (int)m->nv, substeps = (int)param[SUBSTEPS];
  const mjtNum dt = m->opt.timestep;
  mj_markStack(d);
  Xpbd s = {.m = m, .rows = phy_contactRows(m, d), .h = dt / substeps, .scale = param[COMPLIANCE]};
  s.v = mj_stackAllocNum(d, (size_t)nv);
  s.x = mj_stackAllocNum(d, (size_t)nv);
  s.way = mj_stackAllocNum(d, (size_t)nv);
  s.lambda = mj_stackAllocNum(d, (size_t)s.rows.n + 1);
  s.start = mj_stackAllocNum(d, (size_t)s.rows.n + 1);
  s.back = mj_stackAllocNum(d, (size_t)s.rows.n + 1);
  mth_copy(s.v, d->qvel, nv);
  mth_zero(s.way, nv);
  for (int i = 0; i < substeps && dt > 0; i++) substep(&s, d, (int)param[ITERATIONS]);

  // impulses to forces
  for (int i = 0; i < s.rows.n && dt > 0; i++) s.rows.row[i].force /= dt;
  phy_contactResult(m, d, &s.rows);
  d->solver_niter[0] = substeps * (int)param[ITERATIONS];
  for (int v = 0; v < nv && dt > 0; v++) offset[v] = s.way[v] / dt - (d->qvel[v] + dt * d->qacc[v]);
  mj_freeStack(d);
}

const snContact phy_xpbd = {
    .info = {"xpbd", "positions projected onto the constraints: robust at large timesteps", NPARAM, params},
    .check = check,
    .apply = solve,
};
