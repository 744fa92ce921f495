// A ball falls on the floor and comes to rest, stepped with what Sinew adds: a step that returns a status.
#include <sinew/sinew.h>
#include <stdio.h>

static const char MODEL[] =
    "<mujoco><worldbody>"
    "<geom type='plane' size='1 1 1'/>"
    "<body pos='0 0 0.3'><freejoint/><geom type='sphere' size='0.1'/></body>"
    "</worldbody></mujoco>";

int main(void) {
  char error[500];
  mjSpec* spec = mj_parseXMLString(MODEL, NULL, error, sizeof(error));
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  if (!m) return fprintf(stderr, "%s\n", spec ? mjs_getError(spec) : error), 1;
  mjData* d = mj_makeData(m);

  while (d->time < 3) {
    if (sn_step(m, d, error, sizeof(error)) == SN_ERROR) return fprintf(stderr, "%s\n", error), 1;
  }
  printf("MuJoCo %s interface; the ball rests at %.3f m\n", mj_versionString(), d->qpos[2]);

  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return 0;
}
