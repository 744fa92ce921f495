// Arithmetic on configurations: qpos is a vector except for the quaternions of ball and free joints, whose
// velocities are rotation vectors in the body's frame.
#include "kinematics/position.h"

#include "math/quat.h"

// moves one joint along its velocity for time dt
static inline void integrateJoint(const mjModel* m, int joint, mjtNum* qpos, const mjtNum* qvel, mjtNum dt) {
  mjtNum* q = qpos + m->jnt_qposadr[joint];
  const mjtNum* v = qvel + m->jnt_dofadr[joint];
  switch (m->jnt_type[joint]) {
    case mjJNT_FREE:
      for (int k = 0; k < 3; k++) q[k] += dt * v[k];
      mth_quatIntegrate(q + 3, v + 3, dt);
      break;
    case mjJNT_BALL:
      mth_quatIntegrate(q, v, dt);
      break;
    default:
      q[0] += dt * v[0];
  }
}

void mj_integratePos(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt) {
  for (int j = 0; j < m->njnt; j++) integrateJoint(m, j, qpos, qvel, dt);
}

void kin_integrateBodies(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt, const SlpRange* bodies) {
  for (int k = bodies->first; k < bodies->n; k++) {
    const int body = slp_at(*bodies, k), first = m->body_jntadr[body];
    for (int j = first; j < first + m->body_jntnum[body]; j++) integrateJoint(m, j, qpos, qvel, dt);
  }
}

void mj_differentiatePos(const mjModel* m, mjtNum* qvel, mjtNum dt, const mjtNum* qpos1, const mjtNum* qpos2) {
  for (int j = 0; j < m->njnt; j++) {
    const mjtNum *q1 = qpos1 + m->jnt_qposadr[j], *q2 = qpos2 + m->jnt_qposadr[j];
    mjtNum *v = qvel + m->jnt_dofadr[j], turn[3];
    switch (m->jnt_type[j]) {
      case mjJNT_FREE:
        for (int k = 0; k < 3; k++) v[k] = (q2[k] - q1[k]) / dt;
        mth_subQuat(turn, q2 + 3, q1 + 3);
        mth_scl3(v + 3, turn, 1 / dt);
        break;
      case mjJNT_BALL:
        mth_subQuat(turn, q2, q1);
        mth_scl3(v, turn, 1 / dt);
        break;
      default:
        v[0] = (q2[0] - q1[0]) / dt;
    }
  }
}

void mj_normalizeQuat(const mjModel* m, mjtNum* qpos) {
  for (int j = 0; j < m->njnt; j++) {
    const int type = m->jnt_type[j];
    if (type != mjJNT_FREE && type != mjJNT_BALL) continue;
    mth_normalize4(qpos + m->jnt_qposadr[j] + (type == mjJNT_FREE ? 3 : 0));
  }
}
