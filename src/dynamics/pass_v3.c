// The passes of dynamics for x86-64-v3: the same source as the baseline, with other instructions.
#include "dynamics/pass.h"

#ifdef DYN_V3
#include "dynamics/inertia_pass.h"
#include "dynamics/ldl_pass.h"
#include "dynamics/rne_pass.h"
#include "dynamics/velocity_pass.h"

void dyn_inertiaPassV3(const mjModel* m, mjData* d, const SlpPart* part) {
  dyn_inertiaPass(m, d, part);
}

void dyn_factorPassV3(const mjModel* m, mjData* d, const DynFactorPass* pass, const SlpRange* dofs) {
  dyn_factorPass(m, d, pass, dofs);
}

void dyn_solvePassV3(const mjModel* m, const mjData* d, DynFactor f, mjtNum* x, const SlpRange* dofs) {
  dyn_solvePass(m, d, f, x, dofs);
}

void dyn_mulPassV3(const mjModel* m, const mjData* d, const mjtNum* mat, DynProduct product) {
  dyn_mulPass(m, d, mat, product);
}

void dyn_velocityPassV3(const mjModel* m, mjData* d, const SlpRange* bodies) {
  dyn_velocityPass(m, d, bodies);
}

void dyn_rnePassV3(const mjModel* m, mjData* d, const DynRne* pass, const SlpRange* bodies) {
  dyn_rnePass(m, d, pass, bodies);
}
#endif
