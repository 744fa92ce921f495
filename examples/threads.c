// A batch of simulations on threads: one model, shared and only read, and one mjData per simulation. The result does
// not depend on the number of threads.
#include <mujoco/mujoco.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { NSIM = 32, NTHREAD = 4, NSTEP = 500 };

static const char MODEL[] =
    "<mujoco>"
    "  <worldbody>"
    "    <geom type='plane' size='5 5 1'/>"
    "    <body name='torso' pos='0 0 0.6'>"
    "      <freejoint/>"
    "      <geom type='box' size='0.2 0.1 0.05' mass='2'/>"
    "      <body pos='0.2 0 0'>"
    "        <joint name='hip' type='hinge' axis='0 1 0' range='-60 60'/>"
    "        <geom type='capsule' fromto='0 0 0 0 0 -0.3' size='0.04' mass='0.5'/>"
    "      </body>"
    "    </body>"
    "  </worldbody>"
    "  <actuator><position joint='hip' kp='20' ctrlrange='-1 1'/></actuator>"
    "</mujoco>";

// the simulations first, first + NTHREAD, ... are one thread's
typedef struct {
  const mjModel* m;
  int first, stride;
  mjtNum (*result)[3];  // where the torso ends, per simulation
} Share;

static void* simulate(void* argument) {
  const Share* share = argument;
  mjData* d = mj_makeData(share->m);
  for (int i = share->first; i < NSIM; i += share->stride) {
    mj_resetData(share->m, d);
    d->ctrl[0] = -1 + 2.0 * i / (NSIM - 1);
    for (int step = 0; step < NSTEP; step++) mj_step(share->m, d);
    mju_copy3(share->result[i], d->qpos);
  }
  mj_deleteData(d);
  return NULL;
}

static void runBatch(const mjModel* m, int nthread, mjtNum (*result)[3]) {
  pthread_t thread[NTHREAD];
  Share share[NTHREAD];
  for (int i = 0; i < nthread; i++) {
    share[i] = (Share){m, i, nthread, result};
    pthread_create(&thread[i], NULL, simulate, &share[i]);
  }
  for (int i = 0; i < nthread; i++) pthread_join(thread[i], NULL);
}

int main(void) {
  char error[500];
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "hopper.xml", MODEL, sizeof(MODEL) - 1);
  mjModel* m = mj_loadXML("hopper.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  if (!m) return fprintf(stderr, "%s\n", error), 1;

  static mjtNum alone[NSIM][3], together[NSIM][3];
  runBatch(m, 1, alone);
  runBatch(m, NTHREAD, together);

  printf("ctrl     torso x  torso z\n");
  for (int i = 0; i < NSIM; i += 8) {
    printf("%-8.4f %-8.4f %.4f\n", -1 + 2.0 * i / (NSIM - 1), together[i][0], together[i][2]);
  }
  printf("one thread and %d give the same bits: %s\n", NTHREAD, memcmp(alone, together, sizeof(alone)) ? "no" : "yes");

  mj_deleteModel(m);
  return 0;
}
