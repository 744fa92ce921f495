// Physics by choice (sinew/physics.h): a cloth whose bending model is drawn anew for each episode, with its stiffness
// where the model has one, and the contact models compared on a stack and on a grasp.
#include <math.h>
#include <sinew/physics.h>
#include <stdio.h>

// a strip that is held at one end, and falls from the horizontal
#define HELD(vertex) "<connect body1='cloth_" vertex "' anchor='0 0 0'/>"
static const char CLOTH[] =
    "<mujoco>"
    "  <option timestep='.002' integrator='implicitfast' gravity='0 0 -1'/>"
    "  <worldbody>"
    "    <body name='bar' pos='0 0 1'>"
    "      <flexcomp name='cloth' type='grid' dim='2' count='8 3 1' spacing='.06 .06 .06' radius='.002' mass='.05'"
    "        sinew:elasticity='neo_hookean'>"
    "        <contact selfcollide='none' contype='0' conaffinity='0'/>"
    "        <elasticity young='1e5' poisson='.3' thickness='.01' damping='.01' elastic2d='both'/>"
    "      </flexcomp>"
    "    </body>"
    "  </worldbody>"
    "  <equality>" HELD("0") HELD("1") HELD("2") HELD("3") HELD("4") HELD("5") "</equality>"
    "</mujoco>";

static const char STACK[] =
    "<mujoco>"
    "  <option timestep='.001'/>"
    "  <default><geom type='box' size='.1 .1 .1'/></default>"
    "  <worldbody>"
    "    <geom type='plane' size='2 2 .1'/>"
    "    <body pos='0 0 .1'><freejoint/><geom/></body>"
    "    <body pos='0 0 .3'><freejoint/><geom/></body>"
    "    <body pos='0 0 .5'><freejoint/><geom/></body>"
    "  </worldbody>"
    "</mujoco>";

static mjModel* load(const char* xml, size_t size) {
  char error[500];
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "model.xml", xml, (int)size);
  mjModel* m = mj_loadXML("model.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  if (!m) fprintf(stderr, "%s\n", error);
  return m;
}

static void run(const mjModel* m, mjData* d, double seconds) {
  const int steps = (int)lround(seconds / m->opt.timestep);
  for (int i = 0; i < steps; i++) mj_step(m, d);
  mj_forward(m, d);
}

// the next number in [0, 1) of a sequence that is the same everywhere
static double draw(unsigned* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) / 16777216.0;
}

// episodes of one simulation, each with bending of its own
static int episodes(void) {
  mjModel* m = load(CLOTH, sizeof(CLOTH) - 1);
  if (!m) return 1;
  mjData* d = mj_makeData(m);
  unsigned seed = 1;
  for (int episode = 0; episode < 4; episode++) {
    // one of the models that the library and the program know, with a stiffness of its own where it takes one
    const snInfo* model = sn_modelAt(SN_BENDING, (int)(draw(&seed) * sn_modelCount(SN_BENDING)));
    const mjtNum param[2] = {pow(10, -3 + 2 * draw(&seed)), 0.02};
    const char* wrong = sn_setBending(m, 0, model->name, param);
    if (wrong) return fprintf(stderr, "%s\n", wrong), 1;
    mj_resetData(m, d);
    run(m, d, 1);
    printf("episode %d: %-9s", episode, model->name);
    if (model->nparam) printf(" %.2e N m", param[0]);
    printf(" the free corner hangs at %.3f m\n", d->flexvert_xpos[3 * (m->nflexvert - 1) + 2]);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}

// how far boxes sink into each other, by model
static int contacts(void) {
  static const char* const names[] = {"lcp", "xpbd", "compliant"};
  mjModel* m = load(STACK, sizeof(STACK) - 1);
  if (!m) return 1;
  mjData* d = mj_makeData(m);
  for (int k = 0; k < 3; k++) {
    const mjtNum stiff[] = {1e6, 1.5, 1, 0.1};
    const char* wrong = sn_setContact(m, names[k], k == 2 ? stiff : NULL);
    if (wrong) return fprintf(stderr, "%s\n", wrong), 1;
    mj_resetData(m, d);
    run(m, d, 1);
    double force = 0;
    for (int i = 0; i < d->ncon; i++) {
      mjtNum f[6];
      mj_contactForce(m, d, i, f);
      if (d->contact[i].geom[0] == 0) force += f[0];
    }
    printf("%-9s the stack stands %.2f mm lower, the floor carries %.0f N\n", names[k], 1000 * (0.5 - d->qpos[16]),
           force);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}

// a hand lifts a box, by model
static int grasps(void) {
  static const char* const names[] = {"lcp", "xpbd", "compliant"};
  char error[500];
  mjModel* m = mj_loadXML("scenes/physics/grasp.xml", NULL, error, sizeof(error));
  if (!m) return fprintf(stderr, "%s\n", error), 1;
  mjData* d = mj_makeData(m);
  for (int k = 0; k < 3; k++) {
    // what is explicit needs small steps
    m->opt.timestep = k == 2 ? 2e-4 : 1e-3;
    const mjtNum stiff[] = {1e6, 1.5, 5, 0.05};
    const char* wrong = sn_setContact(m, names[k], k == 2 ? stiff : NULL);
    if (wrong) return fprintf(stderr, "%s\n", wrong), 1;
    mj_resetData(m, d);
    d->ctrl[1] = d->ctrl[2] = 5;
    run(m, d, 0.4);
    d->ctrl[0] = 0.2;
    run(m, d, 1);
    printf("%-9s the box is lifted to %.0f mm\n", names[k], 1000 * d->sensordata[2]);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}

int main(void) {
  return episodes() || contacts() || grasps();
}
