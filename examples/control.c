// Balancing a pole on a cart. The dynamics at the upright position are linearised with mjd_transitionFD, a Riccati
// iteration turns them into a feedback gain (LQR), and the gain is applied at every step.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>

enum { N = 4 };  // state: cart position, pole angle and their rates

static const char MODEL[] =
    "<mujoco>"
    "  <option timestep='0.005'/>"
    "  <worldbody>"
    "    <body name='cart'>"
    "      <joint name='rail' type='slide' axis='1 0 0' damping='0.1'/>"
    "      <geom type='box' size='0.2 0.1 0.05' mass='1'/>"
    "      <body name='pole'>"
    "        <joint type='hinge' axis='0 1 0' damping='0.01'/>"
    "        <geom type='capsule' fromto='0 0 0 0 0 1' size='0.03' mass='0.2' contype='0' conaffinity='0'/>"
    "      </body>"
    "    </body>"
    "  </worldbody>"
    "  <actuator><motor joint='rail' ctrlrange='-20 20'/></actuator>"
    "</mujoco>";

// gain of the feedback ctrl = -gain * state that minimises the sum of |state|^2 + |ctrl|^2
static void riccati(const mjtNum A[N * N], const mjtNum B[N], mjtNum gain[N]) {
  mjtNum P[N * N], PA[N * N], closed[N * N], PB[N];
  mju_eye(P, N);
  for (int iteration = 0; iteration < 2000; iteration++) {
    // gain = B'PA / (1 + B'PB)
    mju_mulMatMat(PA, P, A, N, N, N);
    mju_mulMatVec(PB, P, B, N, N);
    mju_mulMatTVec(gain, PA, B, N, N);
    mju_scl(gain, gain, 1 / (1 + mju_dot(B, PB, N)), N);

    // P = I + A'P(A - B gain)
    for (int i = 0; i < N; i++) {
      for (int j = 0; j < N; j++) closed[i * N + j] = PA[i * N + j] - PB[i] * gain[j];
    }
    mju_mulMatTMat(P, A, closed, N, N, N);
    for (int i = 0; i < N; i++) P[i * (N + 1)] += 1;
  }
}

int main(void) {
  char error[500];
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "cartpole.xml", MODEL, sizeof(MODEL) - 1);
  mjModel* m = mj_loadXML("cartpole.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  if (!m) return fprintf(stderr, "%s\n", error), 1;
  mjData* d = mj_makeData(m);

  // A and B at the upright position, which is where a fresh mjData is
  mjtNum A[N * N], B[N], gain[N];
  mjd_transitionFD(m, d, 1e-6, 1, A, B, NULL, NULL);
  riccati(A, B, gain);
  printf("gain     %.3f %.3f %.3f %.3f\n", gain[0], gain[1], gain[2], gain[3]);

  // half a metre away with the pole leaning
  d->qpos[0] = 0.5;
  d->qpos[1] = 0.3;
  printf("time     cart m   pole rad  force N\n");
  for (int step = 0; step <= 2000; step++) {
    d->ctrl[0] = -mju_dot(gain, d->qpos, 2) - mju_dot(gain + 2, d->qvel, 2);
    mj_step(m, d);
    if (step % 400 == 0) printf("%-8.3f %-8.4f %-9.4f %.4f\n", d->time, d->qpos[0], d->qpos[1], d->qfrc_actuator[0]);
  }
  printf("balanced %s\n", fabs(d->qpos[0]) < 0.01 && fabs(d->qpos[1]) < 0.01 ? "yes" : "no");

  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
