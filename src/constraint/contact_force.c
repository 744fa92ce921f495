// Force of one contact, read back from its constraint rows.
#include <mujoco/mujoco.h>
#include <string.h>

void mj_contactForce(const mjModel* m, const mjData* d, int id, mjtNum result[6]) {
  memset(result, 0, 6 * sizeof(mjtNum));
  if (id < 0 || id >= d->ncon || d->contact[id].efc_address < 0) return;

  // normal force, friction in two directions, torsion, rolling; a pyramid stores its edges instead
  const mjContact* con = d->contact + id;
  const mjtNum* force = d->efc_force + con->efc_address;
  if (m->opt.cone == mjCONE_PYRAMIDAL) {
    mju_decodePyramid(result, force, con->friction, con->dim);
  } else {
    memcpy(result, force, (size_t)con->dim * sizeof(mjtNum));
  }
}
