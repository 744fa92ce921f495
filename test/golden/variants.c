// One model under every cone, solver, Jacobian, integrator and option flag, with and without noslip, and with options
// that only a few models set.
#include <stdlib.h>
#include <string.h>

#include "golden/cases.h"
#include "golden/fields.h"
#include "golden/state.h"

// a forward pass with the rows of its constraints, then steps
static void variant(Rec* rec, const mjModel* m, mjData* d, int state) {
  st_set(rec, m, d, state);
  mj_forward(m, d);
  rec_int(rec, "nefc", &d->nefc, 1);
  rec_num(rec, "qacc", d->qacc, (size_t)m->nv);
  rec_num(rec, "qfrc_passive", d->qfrc_passive, (size_t)m->nv);
  rec_num(rec, "qfrc_bias", d->qfrc_bias, (size_t)m->nv);
  rec_num(rec, "qfrc_constraint", d->qfrc_constraint, (size_t)m->nv);
  rec_num(rec, "efc_force", d->efc_force, (size_t)d->nefc);
  rec_num(rec, "efc_R", d->efc_R, (size_t)d->nefc);
  rec_num(rec, "efc_aref", d->efc_aref, (size_t)d->nefc);
  rec_num(rec, "efc_AR", d->efc_AR, mj_isDual(m) ? (size_t)d->nA : 0);
  mj_inverse(m, d);
  rec_num(rec, "qfrc_inverse", d->qfrc_inverse, (size_t)m->nv);
  st_set(rec, m, d, state);
  for (int k = 0; k < 4; k++) mj_step(m, d);
  fld_state(rec, m, d);
}

static void solvers(Rec* rec, mjModel* m, mjData* d) {
  for (int i = 0; i < 48; i++) {
    m->opt.cone = i % 2;
    m->opt.solver = i / 2 % 3;
    m->opt.jacobian = i / 6 % 2;
    m->opt.noslip_iterations = i / 12 % 2 ? 4 : 0;
    m->opt.impratio = i / 24 ? 4 : 1;
    // far from and near to the solution
    m->opt.iterations = m->opt.solver == mjSOL_PGS ? 7 : m->opt.solver == mjSOL_CG ? 12 : 100;
    m->opt.tolerance = m->opt.solver == mjSOL_NEWTON ? 0 : 1e-12;
    rec_scope(rec, "cone %d solver %d sparse %d noslip %d impratio %g ", m->opt.cone, m->opt.solver, m->opt.jacobian,
              m->opt.noslip_iterations, m->opt.impratio);
    variant(rec, m, d, 1 + i % 2);
  }
}

// every flag alone, for two integrators
static void flags(Rec* rec, mjModel* m, mjData* d) {
  for (int i = 0; i < 2 * (mjNDISABLE + mjNENABLE); i++) {
    const int flag = i / 2;
    m->opt.integrator = i % 2 ? mjINT_IMPLICITFAST : mjINT_EULER;
    m->opt.disableflags = flag < mjNDISABLE ? 1 << flag : 0;
    m->opt.enableflags = flag < mjNDISABLE ? 0 : 1 << (flag - mjNDISABLE);
    rec_scope(rec, "integrator %d disable %d enable %d ", m->opt.integrator, m->opt.disableflags, m->opt.enableflags);
    variant(rec, m, d, 1);
  }
  m->opt.disableflags = m->opt.enableflags = 0;
}

// one integrator after the other with all kinds of activation and damping
static void integrators(Rec* rec, mjModel* m, mjData* d) {
  for (int i = 0; i < 8; i++) {
    m->opt.integrator = i % 4;
    m->opt.disableflags = i < 4 ? 0 : mjDSBL_CONTACT;
    m->opt.density = i < 4 ? 0 : 800;
    m->opt.viscosity = i < 4 ? 0 : 0.4;
    for (int k = 0; k < 3; k++) m->opt.wind[k] = i < 4 ? 0 : 0.5 * (k - 1);
    rec_scope(rec, "integrator %d fluid %d ", i % 4, i / 4);
    variant(rec, m, d, 2);
    rec_num(rec, "qDeriv", d->qDeriv, m->opt.integrator >= mjINT_IMPLICIT ? (size_t)m->nD : 0);
  }
  m->opt.disableflags = 0;
  m->opt.density = m->opt.viscosity = 0;
  mju_zero(m->opt.wind, 3);
}

// options that replace those of contacts, disabled groups of actuators, another gravity
static void overrides(Rec* rec, mjModel* m, mjData* d) {
  m->opt.integrator = mjINT_EULER;
  m->opt.enableflags = mjENBL_OVERRIDE | mjENBL_ENERGY | mjENBL_FWDINV;
  m->opt.o_margin = 0.01;
  m->opt.o_solref[0] = 0.03;
  m->opt.o_solref[1] = 0.8;
  m->opt.o_solimp[0] = 0.7;
  for (int i = 0; i < 5; i++) m->opt.o_friction[i] = 0.3 / (1 + i);
  m->opt.disableactuator = 1;
  m->opt.gravity[0] = 1.5;
  rec_scope(rec, "override ");
  variant(rec, m, d, 1);
  rec_num(rec, "solver_fwdinv", d->solver_fwdinv, 2);
  m->opt.enableflags = 0;
  m->opt.disableactuator = 0;
}

void gold_variants(Rec* rec, const void* arg) {
  mjModel* const m = gold_load(arg);
  mjData* const d = mj_makeData(m);
  flags(rec, m, d);
  integrators(rec, m, d);
  overrides(rec, m, d);
  solvers(rec, m, d);
  mj_deleteData(d);
  mj_deleteModel(m);
}
