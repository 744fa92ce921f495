// One choice of each kind for a whole model.
#include "base/error.h"
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

// a copy, where a lack of memory is no error to raise
typedef struct {
  const mjModel* model;
  mjModel* copy;
} Copying;

static void copyModel(void* arg) {
  Copying* const copying = arg;
  copying->copy = mj_copyModel(NULL, copying->model);
}

const char* sn_setPhysics(mjModel* m, const snPhysics* physics) {
  if (!m || !physics) return phy_fail("%s is NULL", m ? "physics" : "m");
  Copying copying = {m, NULL};
  char message[BAS_MESSAGE];
  if (!bas_attempt(copyModel, &copying, message)) return phy_fail("%s", message);
  mjModel* const trial = copying.copy;
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
