// Inverse dynamics: the torques that make a two-link arm follow a given motion, computed with mj_inverse and checked
// by applying them in a forward simulation.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>

static const char MODEL[] =
    "<mujoco>"
    "  <option timestep='0.001'/>"
    "  <worldbody>"
    "    <body pos='0 0 1'>"
    "      <joint type='hinge' axis='0 1 0' damping='0.05' armature='0.01'/>"
    "      <geom type='capsule' fromto='0 0 0 0.4 0 0' size='0.04' mass='1.5' contype='0' conaffinity='0'/>"
    "      <body pos='0.4 0 0'>"
    "        <joint type='hinge' axis='0 1 0' damping='0.05' armature='0.01'/>"
    "        <geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.03' mass='0.8' contype='0' conaffinity='0'/>"
    "      </body>"
    "    </body>"
    "  </worldbody>"
    "</mujoco>";

// the motion: joint i swings by amplitude[i] with its own frequency, starting at rest
static void motion(double time, mjtNum qpos[2], mjtNum qvel[2], mjtNum qacc[2]) {
  static const double amplitude[2] = {0.6, -0.9}, rate[2] = {3, 5};
  for (int i = 0; i < 2; i++) {
    qpos[i] = amplitude[i] * (1 - cos(rate[i] * time));
    qvel[i] = amplitude[i] * rate[i] * sin(rate[i] * time);
    qacc[i] = amplitude[i] * rate[i] * rate[i] * cos(rate[i] * time);
  }
}

int main(void) {
  char error[500];
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "arm.xml", MODEL, sizeof(MODEL) - 1);
  mjModel* m = mj_loadXML("arm.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  if (!m) return fprintf(stderr, "%s\n", error), 1;
  mjData *plan = mj_makeData(m), *d = mj_makeData(m);

  printf("time     shoulder Nm  elbow Nm   error rad\n");
  double worst = 0;
  for (int step = 0; step <= 2000; step++) {
    // the torque for this moment of the motion
    motion(d->time, plan->qpos, plan->qvel, plan->qacc);
    mj_inverse(m, plan);
    mju_copy(d->qfrc_applied, plan->qfrc_inverse, m->nv);

    // how far the simulation is from the motion
    const double off = fmax(fabs(d->qpos[0] - plan->qpos[0]), fabs(d->qpos[1] - plan->qpos[1]));
    worst = fmax(worst, off);
    if (step % 400 == 0) {
      printf("%-8.3f %-12.4f %-10.4f %.4f\n", d->time, d->qfrc_applied[0], d->qfrc_applied[1], off);
    }
    mj_step(m, d);
  }
  printf("follows  %s (worst %.4f rad)\n", worst < 0.03 ? "yes" : "no", worst);

  // forward and inverse agree: what forward dynamics accelerates, inverse dynamics explains
  mj_forward(m, d);
  mj_inverse(m, d);
  printf("agree    %s\n", fabs(d->qfrc_inverse[0] - d->qfrc_applied[0]) < 1e-9 ? "yes" : "no");

  mj_deleteData(plan);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
