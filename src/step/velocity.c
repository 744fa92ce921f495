// The velocity stage: everything that depends on qpos and qvel.
#include "base/share.h"
#include "base/timer.h"
#include "dynamics/dynamics.h"
#include "kinematics/jacobian.h"
#include "math/simd/kernels.h"
#include "step/stages.h"

// actuators that make a part worth a thread
enum { ACTUATOR_PART = 256 };

// a matrix of sparse rows
typedef struct {
  int n;
  const mjtNum* value;
  const int *rownnz, *rowadr, *colind;
} SparseRows;

// its product with the velocities, in parts
typedef struct {
  mjtNum* res;
  const SparseRows* J;
  const mjtNum* qvel;
  int n;
} Velocities;

static void velocityPart(void* arg, int piece) {
  const Velocities* v = arg;
  const SparseRows* J = v->J;
  const BasPart part = bas_part(J->n, v->n, piece);
  for (int i = part.begin; i < part.end; i++) {
    const int adr = J->rowadr[i];
    v->res[i] = mth_dotSparse(J->value + adr, v->qvel, J->rownnz[i], J->colind + adr);
  }
}

static void timesVelocity(mjtNum* res, const SparseRows* J, const mjtNum* qvel) {
  velocityPart(&(Velocities){res, J, qvel, 1}, 0);
}

void stp_tendonVelocity(const mjModel* m, mjData* d) {
  if (kin_isSparse(m)) {
    const SparseRows tendons = {(int)m->ntendon, d->ten_J, d->ten_J_rownnz, d->ten_J_rowadr, d->ten_J_colind};
    timesVelocity(d->ten_velocity, &tendons, d->qvel);
  } else {
    for (int i = 0; i < m->ntendon; i++) d->ten_velocity[i] = mth_dot(d->ten_J + i * m->nv, d->qvel, m->nv);
  }
}

// rates of change of lengths: J q̇
static void lengthVelocities(const mjModel* m, mjData* d) {
  const SparseRows edges = {(int)m->nflexedge, d->flexedge_J, m->flexedge_J_rownnz, m->flexedge_J_rowadr,
                            m->flexedge_J_colind};
  if (m->nJfe) {
    timesVelocity(d->flexedge_velocity, &edges, d->qvel);
  } else {
    mth_zero(d->flexedge_velocity, (int)m->nflexedge);
  }
  stp_tendonVelocity(m, d);

  if (m->opt.disableflags & mjDSBL_ACTUATION) {
    mth_zero(d->actuator_velocity, m->nu);
  } else {
    const SparseRows actuators = {(int)m->nu, d->actuator_moment, d->moment_rownnz, d->moment_rowadr, d->moment_colind};
    const Velocities v = {d->actuator_velocity, &actuators, d->qvel, bas_parts(d, actuators.n, ACTUATOR_PART)};
    bas_share(d, NULL, velocityPart, (void*)&v, v.n);
  }
}

void mj_fwdVelocity(const mjModel* m, mjData* d) {
  const mjtNum start = bas_now();
  d->flg_subtreevel = 0;
  d->flg_energyvel = 0;

  lengthVelocities(m, d);
  mj_comVel(m, d);
  mj_passive(m, d);
  mj_referenceConstraint(m, d);

  // Coriolis, centrifugal and gravitational forces
  mj_rne(m, d, 0, d->qfrc_bias);
  if (m->ntendon) dyn_tendonBias(m, d, d->qfrc_bias);
  bas_timerEnd(d, mjTIMER_VELOCITY, start);
}
