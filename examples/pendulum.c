// A pendulum without friction: load, step, read the state. Its period is compared with the exact one, and its energy
// is conserved by the Runge-Kutta integrator.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>

static const char MODEL[] =
    "<mujoco>"
    "  <option timestep='0.002' integrator='RK4'><flag energy='enable'/></option>"
    "  <worldbody>"
    "    <body pos='0 0 2'>"
    "      <joint name='pivot' type='hinge' axis='0 1 0'/>"
    "      <inertial pos='0 0 -1' mass='1' diaginertia='1e-9 1e-9 1e-9'/>"
    "      <geom type='sphere' pos='0 0 -1' size='0.1' contype='0' conaffinity='0'/>"
    "    </body>"
    "  </worldbody>"
    "</mujoco>";

// period of a point mass on a rod of one metre that starts at rest, by the arithmetic-geometric mean
static double exactPeriod(double angle, double gravity) {
  double a = 1, b = cos(angle / 2);
  for (int i = 0; i < 8; i++) {
    const double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return 2 * mjPI / (a * sqrt(gravity));
}

int main(void) {
  char error[500];
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "pendulum.xml", MODEL, sizeof(MODEL) - 1);
  mjModel* m = mj_loadXML("pendulum.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  if (!m) return fprintf(stderr, "%s\n", error), 1;
  mjData* d = mj_makeData(m);

  // released at 90 degrees; it comes back to rest after one period, where the velocity changes sign for the second time
  d->qpos[0] = mjPI / 2;
  mj_forward(m, d);
  const double energy = d->energy[0] + d->energy[1];
  double period = 0;
  for (int turns = 0; turns < 2;) {
    const double before = d->qvel[0];
    mj_step(m, d);
    if (before * d->qvel[0] < 0) {
      turns++;
      period = d->time - m->opt.timestep * d->qvel[0] / (d->qvel[0] - before);
    }
  }
  printf("period   %.6f s, exact %.6f s\n", period, exactPeriod(mjPI / 2, -m->opt.gravity[2]));

  // energies are those of the last evaluation: bring them up to date
  mj_forward(m, d);
  const double drift = fabs(d->energy[0] + d->energy[1] - energy);
  printf("energy   %.6f J, kept to 1e-8 J: %s\n", energy, drift < 1e-8 ? "yes" : "no");
  printf("at rest  %.6f rad after one period\n", d->qpos[0]);

  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
