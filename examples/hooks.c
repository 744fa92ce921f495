// What Sinew adds (sinew/sinew.h): callbacks that belong to one simulation, and steps that return a status where the
// compatible ones would end the process.
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>

static const char MODEL[] =
    "<mujoco>"
    "  <worldbody>"
    "    <body>"
    "      <joint name='wrist' type='hinge' axis='0 0 1' damping='0.1'/>"
    "      <geom type='capsule' fromto='0 0 0 0.5 0 0' size='0.05' mass='1'/>"
    "    </body>"
    "  </worldbody>"
    "  <actuator><motor joint='wrist'/></actuator>"
    "</mujoco>";

// each simulation has its own target, handed to it as the hook's context
static void track(const mjModel* m, mjData* d, void* context) {
  (void)m;
  d->ctrl[0] = 4 * (*(const double*)context - d->qpos[0]) - d->qvel[0];
}

// a controller with a mistake in it: it asks for scratch memory that nobody has
static void broken(const mjModel* m, mjData* d, void* context) {
  (void)m;
  (void)context;
  mj_markStack(d);
  mj_stackAllocNum(d, (size_t)1 << 50);
  mj_freeStack(d);
}

int main(void) {
  char error[500];
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "hand.xml", MODEL, sizeof(MODEL) - 1);
  mjModel* m = mj_loadXML("hand.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  if (!m) return fprintf(stderr, "%s\n", error), 1;

  // two simulations of one model, each with a controller of its own
  double target[2] = {0.5, -1.2};
  mjData* d[2];
  for (int i = 0; i < 2; i++) {
    d[i] = mj_makeData(m);
    sn_setHooks(d[i], &(snHooks){.context = &target[i], .control = track});
  }
  for (int step = 0; step < 2500; step++) {
    for (int i = 0; i < 2; i++) mj_step(m, d[i]);
  }
  printf("targets  %.3f %.3f\n", target[0], target[1]);
  printf("reached  %.3f %.3f\n", d[0]->qpos[0], d[1]->qpos[0]);

  // the mistake of one simulation is reported and the other goes on
  sn_setHooks(d[1], &(snHooks){.control = broken});
  printf("status   %s\n", sn_step(m, d[1], error, sizeof(error)) == SN_ERROR ? "error" : "ok");
  sn_setHooks(d[1], NULL);
  mj_resetData(m, d[1]);
  printf("again    %s\n", sn_step(m, d[1], error, sizeof(error)) == SN_OK ? "ok" : error);
  printf("other    %s\n", sn_step(m, d[0], error, sizeof(error)) == SN_OK ? "ok" : error);

  for (int i = 0; i < 2; i++) mj_deleteData(d[i]);
  mj_deleteModel(m);
  return 0;
}
