// One choice of each kind for a whole model.
#include "physics/physics.h"

const snPhysics sn_physicsMujoco = {"cotangent", "linear", "builtin", "lcp"};
const snPhysics sn_physicsAnimation = {"bridson", "linear", "builtin", "xpbd"};
const snPhysics sn_physicsSoft = {"cotangent", "neo_hookean", "builtin", "lcp"};

// a copy takes all choices before the model does, so that nothing changes where one of them is wrong
static const char* applyAll(mjModel* m, const snPhysics* physics) {
  const char* wrong = NULL;
  for (int f = 0; f < m->nflex && !wrong; f++) {
    PhyMaterial material;
    if (m->flex_interp[f] || m->flex_dim[f] == 1 || !phy_material(m, f, &material)) continue;
    if (physics->elasticity) wrong = sn_setElasticity(m, f, physics->elasticity, NULL);
    if (physics->bending && m->flex_dim[f] == 2 && !wrong) wrong = sn_setBending(m, f, physics->bending, NULL);
  }
  for (int i = 0; i < m->nu && physics->actuation && !wrong; i++) {
    if (m->actuator_plugin[i] < 0) wrong = sn_setActuation(m, i, physics->actuation, NULL);
  }
  if (physics->contact && !wrong) wrong = sn_setContact(m, physics->contact, NULL);
  return wrong;
}

const char* sn_setPhysics(mjModel* m, const snPhysics* physics) {
  mjModel* trial = mj_copyModel(NULL, m);
  if (!trial) return "out of memory";
  const char* wrong = applyAll(trial, physics);
  if (!wrong) {
    mju_free(m->buffer);
    *m = *trial;
    mju_free(trial);
  } else {
    mj_deleteModel(trial);
  }
  return wrong;
}
