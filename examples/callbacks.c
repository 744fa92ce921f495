// The process-wide callbacks: quadratic air drag (mjcb_passive), a controller (mjcb_control), a rule about who may
// touch whom (mjcb_contactfilter) and a sensor of one's own (mjcb_sensor).
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>

static const char MODEL[] =
    "<mujoco>"
    "  <worldbody>"
    "    <geom name='floor' type='plane' size='5 5 1'/>"
    "    <body pos='0 0 5'><joint type='slide' axis='0 0 1'/><geom name='solid' type='sphere' size='0.1'/></body>"
    "    <body pos='1 0 5'><joint type='slide' axis='0 0 1'/><geom name='ghost' type='sphere' size='0.1'/></body>"
    "    <body pos='2 0 1'>"
    "      <joint name='wheel' type='hinge' axis='0 1 0' damping='0.02'/>"
    "      <geom type='cylinder' size='0.2 0.05' euler='90 0 0' mass='1'/>"
    "    </body>"
    "  </worldbody>"
    "  <actuator><motor joint='wheel'/></actuator>"
    "  <sensor><user name='power' dim='1' needstage='acc'/></sensor>"
    "</mujoco>";

// drag against the two slides, with the square of the speed
static void drag(const mjModel* m, mjData* d) {
  (void)m;
  for (int i = 0; i < 2; i++) d->qfrc_passive[i] -= 0.8 * d->qvel[i] * fabs(d->qvel[i]);
}

// holds the wheel at three radians per second
static void speedControl(const mjModel* m, mjData* d) {
  if (m->nu) d->ctrl[0] = 0.5 * (3 - d->qvel[2]);
}

// the ghost touches nothing: 1 drops the pair
static int filterGhost(const mjModel* m, mjData* d, int geom1, int geom2) {
  (void)d;
  const int ghost = mj_name2id(m, mjOBJ_GEOM, "ghost");
  return geom1 == ghost || geom2 == ghost;
}

// mechanical power of the motor
static void powerSensor(const mjModel* m, mjData* d, int stage) {
  if (m->nsensordata && stage == mjSTAGE_ACC) d->sensordata[0] = d->actuator_force[0] * d->qvel[2];
}

int main(void) {
  char error[500];
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "callbacks.xml", MODEL, sizeof(MODEL) - 1);
  mjModel* m = mj_loadXML("callbacks.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  if (!m) return fprintf(stderr, "%s\n", error), 1;
  mjData* d = mj_makeData(m);

  mjcb_passive = drag;
  mjcb_control = speedControl;
  mjcb_contactfilter = filterGhost;
  mjcb_sensor = powerSensor;

  printf("time   solid m   ghost m   wheel rad/s  motor W   contacts\n");
  for (int step = 1; step <= 1500; step++) {
    mj_step(m, d);
    if (step % 300 == 0) {
      printf("%.2f   %-9.4f %-9.4f %-12.4f %-9.4f %d\n", d->time, 5 + d->qpos[0], 5 + d->qpos[1], d->qvel[2],
             d->sensordata[0], d->ncon);
    }
  }

  mj_resetCallbacks();
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
