// Domain randomisation: the same throw in worlds of different mass, friction and gravity. Each world is a copy of the
// model with changed numbers; mj_setConst brings what was derived from them up to date.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdio.h>

enum { NWORLD = 12 };

static const char MODEL[] =
    "<mujoco>"
    "  <worldbody>"
    "    <geom name='floor' type='plane' size='10 10 1'/>"
    "    <body name='puck' pos='0 0 0.051'>"
    "      <freejoint/>"
    "      <geom name='puck' type='box' size='0.1 0.1 0.05' mass='1'/>"
    "    </body>"
    "  </worldbody>"
    "</mujoco>";

// numbers that are the same everywhere (xorshift)
static double uniform(uint64_t* state, double low, double high) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return low + (high - low) * (double)(*state >> 11) * 0x1p-53;
}

// changes the numbers of one world
static void randomise(mjModel* m, uint64_t* state) {
  const int body = mj_name2id(m, mjOBJ_BODY, "puck"), geom = mj_name2id(m, mjOBJ_GEOM, "puck");
  const double scale = uniform(state, 0.5, 2);
  m->body_mass[body] *= scale;
  mju_scl3(m->body_inertia + 3 * body, m->body_inertia + 3 * body, scale);
  m->geom_friction[3 * geom] = uniform(state, 0.2, 0.8);
  m->geom_friction[3 * mj_name2id(m, mjOBJ_GEOM, "floor")] = 0.1;
  m->opt.gravity[2] = uniform(state, -12, -8);

  mjData* workspace = mj_makeData(m);
  mj_setConst(m, workspace);
  mj_deleteData(workspace);
}

// how far the puck slides when it starts at three metres per second
static double slide(const mjModel* m) {
  mjData* d = mj_makeData(m);
  d->qvel[0] = 3;
  while (d->time < 4) mj_step(m, d);
  const double distance = d->qpos[0];
  mj_deleteData(d);
  return distance;
}

int main(void) {
  char error[500];
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "puck.xml", MODEL, sizeof(MODEL) - 1);
  mjModel* nominal = mj_loadXML("puck.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  if (!nominal) return fprintf(stderr, "%s\n", error), 1;

  uint64_t state = 88172645463325252u;
  double sum = 0, square = 0;
  printf("mass kg  friction  gravity  slides m  v^2/(2 mu g)\n");
  for (int i = 0; i < NWORLD; i++) {
    mjModel* m = mj_copyModel(NULL, nominal);
    randomise(m, &state);
    const double friction = m->geom_friction[3 * mj_name2id(m, mjOBJ_GEOM, "puck")], gravity = -m->opt.gravity[2];
    const double distance = slide(m);
    printf("%-8.3f %-9.3f %-8.3f %-9.4f %.4f\n", m->body_mass[1], friction, gravity, distance,
           9 / (2 * friction * gravity));
    sum += distance;
    square += distance * distance;
    mj_deleteModel(m);
  }
  printf("mean     %.4f m, spread %.4f m\n", sum / NWORLD, sqrt(square / NWORLD - sum * sum / (NWORLD * NWORLD)));

  mj_deleteModel(nominal);
  return 0;
}
