// Extended position-based dynamics (Macklin, Müller, Chentanez 2016) in generalised coordinates.
//
// Each substep h moves freely by x = h (v + h a), then projects the constraints C(x) = 0 or ≥ 0 one after the other:
//   Δλ = (-C - α λ/h² - γ J x) / ((1 + γ) J M⁻¹ Jᵀ + α/h²),   x += M⁻¹ Jᵀ Δλ,   γ = dashpot / h,
// with α the compliance of the reference's spring (solref, solimp) times a factor. Friction holds the tangential motion
// of the substep within μ λ_n. The new velocity is x/h; where a contact was pushed out of penetration, the speed that
// this gave it is taken back, so overlap is resolved without a throw. Rows are linear over the step: C + J x.
//
// Forces that are reported are impulses over the timestep, so M (qacc - qacc_smooth) = Jᵀ efc_force as always; the way
// of the positions beyond h·qvel is the offset.
#include <math.h>
#include <string.h>

#include "math/simd/kernels.h"
#include "math/vec.h"
#include "physics/contact/rows.h"

enum { ITERATIONS, SUBSTEPS, COMPLIANCE, NPARAM };

static const snParam params[] = {
    {"iterations", 10, 1, 10000, "rounds over all constraints in a substep"                 },
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
} Xpbd;

static void push(Xpbd* s, int i, mjtNum change) {
  s->lambda[i] += change;
  mth_addToScl(s->x, s->rows.row[i].B, change, (int)s->m->nv);
}

static mjtNum moved(const Xpbd* s, const ContactRow* row) {
  return mth_dot(row->J, s->x, (int)s->m->nv);
}

// equalities, friction loss, limits and normals
static void project(Xpbd* s, int i) {
  const ContactRow* row = s->rows.row + i;
  const mjtNum way = moved(s, row), soft = s->scale * row->compliance / (s->h * s->h);
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
    wanted[k] = t->w < mjMINVAL ? 0 : s->lambda[i] - moved(s, t) / t->w;
    const mjtNum share = wanted[k] / mth_max(mjMINMU, t->mu);
    square += share * share;
  }
  const mjtNum most = s->lambda[normal], cut = square > most * most ? most / sqrt(square) : 1;
  for (int k = 0; k < row->ntangent; k++) push(s, normal + 1 + k, wanted[k] * cut - s->lambda[normal + 1 + k]);
}

// takes back the speed that pushing out of penetration gave
static void settle(Xpbd* s) {
  const int nv = (int)s->m->nv;
  for (int i = 0; i < s->rows.n; i++) {
    ContactRow* row = s->rows.row + i;
    if (row->kind != ROW_NORMAL || s->lambda[i] <= 0 || s->start[i] >= 0 || row->w < mjMINVAL) continue;
    const mjtNum speed = mth_dot(row->J, s->v, nv);
    if (speed <= 0) continue;
    const mjtNum impulse = mth_min(speed / row->w, s->lambda[i] / s->h);
    mth_addToScl(s->v, row->B, -impulse, nv);
    row->force -= impulse;
  }
}

static void substep(Xpbd* s, const mjData* d, int iterations) {
  const int nv = (int)s->m->nv;
  mth_addToScl(s->v, d->qacc_smooth, s->h, nv);
  mth_scl(s->x, s->v, s->h, nv);
  memset(s->lambda, 0, (size_t)s->rows.n * sizeof(mjtNum));
  for (int i = 0; i < s->rows.n; i++) {
    s->start[i] = s->rows.row[i].pos + mth_dot(s->rows.row[i].J, s->way, nv);
  }
  for (int round = 0; round < iterations; round++) {
    for (int i = 0; i < s->rows.n; i++) {
      if (s->rows.row[i].kind == ROW_TANGENT) continue;
      project(s, i);
      if (s->rows.row[i].ntangent) projectTangents(s, i);
    }
  }

  // velocity, impulses
  mth_scl(s->v, s->x, 1 / s->h, nv);
  for (int i = 0; i < s->rows.n; i++) s->rows.row[i].force += s->lambda[i] / s->h;
  settle(s);
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
