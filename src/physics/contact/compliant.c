// Compliant contact: forces that follow from overlap and velocity alone, as in studies of hardware.
//   normal     f = k δⁿ (1 - c v), not negative (Hunt, Crossley 1975); v the speed of separation
//   tangential f = -μ f_n v_t / √(v_t² + slip²), regularised Coulomb friction; torsion and rolling likewise
// Limits act as normals do, friction loss as tangential forces of known size. Equalities it does not have. Explicit:
// the timestep must resolve the contact.
#include <math.h>

#include "math/elem.h"
#include "math/simd/kernels.h"
#include "math/vec.h"
#include "physics/contact/rows.h"

enum { STIFFNESS, EXPONENT, DISSIPATION, SLIP, NPARAM };

static const snParam params[] = {
    {"stiffness",   1e5,  0,    1e15, "k (N/mⁿ)"                                          },
    {"exponent",    1.5,  1,    3,    "n: 1.5 for a sphere on a plane (Hertz), 1 for a flat"},
    {"dissipation", 1,    0,    1e6,  "c (s/m): about the loss of restitution per speed"    },
    {"slip",        0.01, 1e-9, 1e3,  "speed at which friction is nearly full (m/s)"        },
};

static const char* check(const mjModel* m, const mjtNum* param) {
  (void)param;
  for (int i = 0; i < m->neq; i++) {
    const char* name = mj_id2name(m, mjOBJ_EQUALITY, i);
    if (m->eq_active0[i])
      return phy_fail("equality %d%s%s is a constraint that it does not have", i, name ? " " : "", name ? name : "");
  }
  return NULL;
}

static void normalForce(const mjData* d, const mjtNum* param, ContactRow* row) {
  const mjtNum depth = -row->pos;
  if (depth <= 0) return;
  const mjtNum speed = phy_rowDot(row, d->qvel);
  row->force = mth_max(0, param[STIFFNESS] * mth_pow(depth, param[EXPONENT]) * (1 - param[DISSIPATION] * speed));
}

static void tangentForces(const mjData* d, const mjtNum* param, ContactRow* normal) {
  mjtNum speed[5], square = param[SLIP] * param[SLIP];
  for (int k = 0; k < normal->ntangent; k++) {
    speed[k] = phy_rowDot(normal + 1 + k, d->qvel);
    square += speed[k] * speed[k];
  }
  for (int k = 0; k < normal->ntangent; k++) {
    normal[1 + k].force = -normal[1 + k].mu * normal->force * speed[k] / sqrt(square);
  }
}

static void solve(const mjModel* m, mjData* d, const mjtNum* param, mjtNum* offset) {
  (void)offset;
  mj_markStack(d);
  const ContactRows rows = phy_contactRows(m, d);
  for (int i = 0; i < rows.n; i++) {
    ContactRow* row = rows.row + i;
    if (row->kind == ROW_NORMAL) {
      normalForce(d, param, row);
      tangentForces(d, param, row);
    } else if (row->kind == ROW_FRICTION) {
      const mjtNum speed = phy_rowDot(row, d->qvel);
      row->force = -row->bound * speed / sqrt(speed * speed + param[SLIP] * param[SLIP]);
    }
  }
  phy_contactResult(m, d, &rows);
  mj_freeStack(d);
}

// A spring and a damper of one contact that carries the weight of a body, and friction against sliding; the body
// that allows the least decides.
static mjtNum timestep(const mjModel* m, const mjtNum* param) {
  const mjtNum gravity = mth_norm3(m->opt.gravity), k = param[STIFFNESS], n = param[EXPONENT];
  mjtNum least = INFINITY;
  for (int g = 0; g < m->ngeom; g++) {
    const int body = m->body_weldid[m->geom_bodyid[g]];
    const mjtNum weight = m->body_subtreemass[body] * gravity, w = m->body_invweight0[2 * body];
    if (!body || (!m->geom_contype[g] && !m->geom_conaffinity[g]) || weight <= 0 || k <= 0) continue;
    const mjtNum stiffness = n * mth_pow(k, 1 / n) * mth_pow(weight, 1 - 1 / n);
    const mjtNum sliding = m->geom_condim[g] > 1 ? m->geom_friction[3 * g] * weight / param[SLIP] : 0;
    least = mth_min(least, phy_explicitStep(stiffness * w, param[DISSIPATION] * weight * w));
    least = mth_min(least, phy_explicitStep(0, sliding * w));
  }
  return least;
}

const snContact phy_compliant = {
    .info = {"compliant", "explicit Hunt-Crossley contact with regularised friction", NPARAM, params},
    .check = check,
    .apply = solve,
    .timestep = timestep,
};
