// Forces on bodies to joint forces, q = Jᵀ f; total mass.
#include "dynamics/dynamics.h"
#include "kinematics/jacobian.h"
#include "math/vec.h"
#include "sleep/sleep.h"

void dyn_addWrench(const mjModel* m, const mjData* d, DynWrench wrench, mjtNum* qfrc) {
  int dof = kin_lastDof(m, wrench.body);
  if (dof < 0) return;

  // torque about the tree's centre of mass, to which the motion axes refer
  mjtNum torque[3] = {0, 0, 0}, force[3] = {0, 0, 0}, offset[3];
  if (wrench.force) {
    mth_copy3(force, wrench.force);
    mth_sub3(offset, wrench.point, d->subtree_com + 3 * m->body_rootid[wrench.body]);
    mth_cross3(torque, offset, force);
  }
  if (wrench.torque) mth_addTo3(torque, wrench.torque);

  for (; dof >= 0; dof = m->dof_parentid[dof]) {
    const mjtNum* cdof = d->cdof + 6 * dof;
    qfrc[dof] += mth_dot3(cdof, torque) + mth_dot3(cdof + 3, force);
  }
}

void mj_applyFT(const mjModel* m, mjData* d, const mjtNum force[3], const mjtNum torque[3], const mjtNum point[3],
                int body, mjtNum* qfrc_target) {
  if (body < 0 || body >= m->nbody) {
    mju_error("mj_applyFT: invalid body %d", body);
    return;
  }
  dyn_addWrench(m, d, (DynWrench){body, point, force, torque}, qfrc_target);
}

void dyn_addXfrc(const mjModel* m, const mjData* d, mjtNum* qfrc, const SlpRange* bodies) {
  for (int b = bodies->first; b < bodies->n; b++) {
    const int i = slp_at(*bodies, b);
    const mjtNum* xfrc = d->xfrc_applied + 6 * i;
    if (!xfrc[0] && !xfrc[1] && !xfrc[2] && !xfrc[3] && !xfrc[4] && !xfrc[5]) continue;
    dyn_addWrench(m, d, (DynWrench){i, d->xipos + 3 * i, xfrc, xfrc + 3}, qfrc);
  }
}

mjtNum mj_getTotalmass(const mjModel* m) {
  mjtNum mass = 0;
  for (int i = 1; i < m->nbody; i++) mass += m->body_mass[i];
  return mass;
}

void mj_setTotalmass(mjModel* m, mjtNum newmass) {
  const mjtNum scale = mth_max(mjMINVAL, newmass / mth_max(mjMINVAL, mj_getTotalmass(m)));
  for (int i = 1; i < m->nbody; i++) {
    m->body_mass[i] *= scale;
    for (int k = 0; k < 3; k++) m->body_inertia[3 * i + k] *= scale;
  }
}
