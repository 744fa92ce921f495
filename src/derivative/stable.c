// The largest timestep with which a chosen model is stable.
//
// One mode with a = -ω² x - γ v (ω² = k w, γ = c w; stiffness k, damping c, inverse inertia w) is stable when
//   explicit in both (Euler)              h² ω² + 2 h γ < 4
//   implicit in velocity (implicit…)      h² ω² - 2 h γ < 4
//   RK4                                   h r < 2.785, r the larger root of r² - γ r + ω² = 0 in size
// Of a flex the stiffest mode counts, by power iteration of M⁻¹K: an estimate from below of ω, so a step that is too
// large for it is too large.
#include <math.h>
#include <string.h>

#include "derivative/flex_system.h"
#include "force/actuator.h"
#include "math/simd/kernels.h"
#include "math/vec.h"
#include "physics/physics.h"

static mjtNum rungeKuttaStep(mjtNum square, mjtNum rate) {
  const mjtNum root = rate * rate - 4 * square;
  const mjtNum fastest = root > 0 ? (rate + sqrt(root)) / 2 : sqrt(mth_max(0, square));
  return fastest > 0 ? 2.785 / fastest : INFINITY;
}

static mjtNum implicitStep(mjtNum square, mjtNum rate) {
  return square > 0 ? (sqrt(rate * rate + 4 * square) + rate) / square : INFINITY;
}

static int isImplicit(const mjModel* m) {
  return m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST;
}

//---------------------------------- flexes ----------------------------------

// K x of the dofs of the system, and D x where it is asked for; all vectors (nv)
static void stiffnessTimes(const DerFlexSystem* s, mjData* d, const mjtNum* x, mjtNum* Kx, mjtNum* Dx) {
  const mjtNum h = s->m->opt.timestep;
  mj_markStack(d);
  mjtNum* packed = mj_stackAllocNum(d, (size_t)s->n);
  mjtNum* product = mj_stackAllocNum(d, (size_t)s->n);
  for (int i = 0; i < s->n; i++) packed[i] = x[s->dof[i]];
  mth_zero(product, s->n);
  der_flexSystemMul(s, product, packed, DER_CHANGE);
  mth_zero(Kx, (int)s->m->nv);
  for (int i = 0; i < s->n; i++) Kx[s->dof[i]] = product[i] / h;

  // the matrix is h² K + h D
  if (Dx) {
    mth_zero(product, s->n);
    der_flexSystemMul(s, product, packed, DER_MATRIX);
    mth_zero(Dx, (int)s->m->nv);
    for (int i = 0; i < s->n; i++) Dx[s->dof[i]] = product[i] / h - h * Kx[s->dof[i]];
  }
  mj_freeStack(d);
}

// starts with the dofs of one flex: others stay zero, as long as no body is shared
static void startVector(const mjModel* m, int flex, mjtNum* x) {
  mth_zero(x, (int)m->nv);
  for (int v = m->flex_vertadr[flex]; v < m->flex_vertadr[flex] + m->flex_vertnum[flex]; v++) {
    const int body = m->flex_vertbodyid[v];
    for (int i = 0; i < m->body_dofnum[body]; i++) x[m->body_dofadr[body] + i] = (v * 7 + i * 3) % 11 - 5.1;
  }
}

// ω² and γ of the stiffest mode
static void stiffestMode(const DerFlexSystem* s, mjData* d, int flex, mjtNum mode[2]) {
  enum { ROUNDS = 60 };
  const int nv = (int)s->m->nv;
  mjtNum* x = mj_stackAllocNum(d, (size_t)nv);
  mjtNum* Kx = mj_stackAllocNum(d, (size_t)nv);
  mjtNum* Mx = mj_stackAllocNum(d, (size_t)nv);
  mode[0] = mode[1] = 0;
  startVector(s->m, flex, x);
  for (int round = 0; round <= ROUNDS; round++) {
    mj_mulM(s->m, d, Mx, x);
    const mjtNum size = mth_dot(x, Mx, nv);
    if (!(size > mjMINVAL)) return;
    stiffnessTimes(s, d, x, Kx, round == ROUNDS ? Mx : NULL);
    mode[0] = mth_dot(x, Kx, nv) / size;
    mode[1] = round == ROUNDS ? mth_dot(x, Mx, nv) / size : 0;
    mj_solveM(s->m, d, x, Kx, 1);
    const mjtNum norm = sqrt(mth_dot(x, x, nv));
    if (!(norm > mjMINVAL)) return;
    mth_scl(x, x, 1 / norm, nv);
  }
}

static mjtNum flexStep(const mjModel* m, mjData* d, int flex) {
  mjtNum mode[2] = {0};
  mj_markStack(d);
  DerFlexSystem s;
  if (!isImplicit(m) && m->opt.timestep > 0 && der_openFlexSystem(m, d, &s)) stiffestMode(&s, d, flex, mode);
  mj_freeStack(d);
  return m->opt.integrator == mjINT_RK4 ? rungeKuttaStep(mode[0], mode[1]) : phy_explicitStep(mode[0], mode[1]);
}

//---------------------------------- actuators ----------------------------------

// J M⁻¹ Jᵀ of a transmission
static mjtNum inverseInertia(const mjModel* m, mjData* d, int id) {
  const int nv = (int)m->nv, adr = d->moment_rowadr[id];
  mj_markStack(d);
  mjtNum* J = mj_stackAllocNum(d, (size_t)nv);
  mjtNum* B = mj_stackAllocNum(d, (size_t)nv);
  mth_zero(J, nv);
  for (int k = 0; k < d->moment_rownnz[id]; k++) J[d->moment_colind[adr + k]] = d->actuator_moment[adr + k];
  mj_solveM(m, d, B, J, 1);
  const mjtNum w = mth_dot(J, B, nv);
  mj_freeStack(d);
  return w;
}

static mjtNum actuatorStep(const mjModel* m, mjData* d, const PhySetting* setting) {
  const snActuator a = frc_openActuator(m, d, setting, d->ctrl[setting->id]);
  const mjtNum step = FRC_DIFFERENCE * mth_max(1, fabs(a.length)), w = inverseInertia(m, d, setting->id);
  snActuator moved = a;
  moved.length = a.length + step;
  const mjtNum plus = frc_modelForce(&moved, setting);
  moved.length = a.length - step;
  const mjtNum k = (frc_modelForce(&moved, setting) - plus) / (2 * step), c = -frc_modelForceVel(&a, setting);
  if (isImplicit(m)) return implicitStep(k * w, c * w);
  return m->opt.integrator == mjINT_RK4 ? rungeKuttaStep(k * w, c * w) : phy_explicitStep(k * w, c * w);
}

mjtNum sn_stableTimestep(const mjModel* m, mjData* d, snKind kind, int id) {
  if (!m || !d || (unsigned)kind >= SN_NKIND || id < 0 || id >= phy_elementCount(m, kind)) return INFINITY;
  const PhySection* s = phy_open(m, d);
  if (kind == SN_CONTACT) {
    const PhySetting* p = phy_contactOf(s);
    const snContact* model = p ? (const snContact*)sn_modelAt(SN_CONTACT, p->model) : NULL;
    return model && model->timestep ? model->timestep(m, p->param) : INFINITY;
  }
  if (kind == SN_ACTUATION) {
    const PhySetting* p = phy_actuationOf(s, id);
    return p ? actuatorStep(m, d, p) : INFINITY;
  }
  const PhySetting* p = kind == SN_BENDING ? phy_bendingOf(s, id) : phy_elasticityOf(s, id);
  return p ? flexStep(m, d, id) : INFINITY;
}
