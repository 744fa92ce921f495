// Contacts of flexes of every dimension with every geom, with each other and with themselves, against the reference:
// the whole collision stage on the reference's positions.
#include "collision/scene.h"

static const char* head =
    "<mujoco><option>%s</option><asset>"
    "<hfield name='h' nrow='5' ncol='5' size='2 2 .3 .2' elevation='"
    "0 .3 .1 .8 0 .2 .1 .9 .4 .3 0 0 1 0 .5 .6 .2 .1 .3 .4 .9 .8 .2 0 .1'/>"
    "<mesh name='ball' builtin='sphere' params='2' scale='.2 .2 .2'/></asset><worldbody>%s</worldbody></mujoco>";

static const char* flexes[] = {
    "<flexcomp name='f' type='grid' count='6 1 1' spacing='.12 .1 .1' dim='1' radius='.03' mass='1'>%s</flexcomp>",
    "<flexcomp name='f' type='grid' count='5 4 1' spacing='.12 .1 .1' dim='2' radius='.02' mass='1'>%s</flexcomp>",
    "<flexcomp name='f' type='grid' count='3 3 3' spacing='.12 .1 .1' dim='3' radius='.01' mass='1'>%s</flexcomp>",
};

static const char* others[] = {
    "<geom type='plane' size='2 2 1'/>",
    "<geom type='hfield' hfield='h' pos='0 0 -.2'/>",
    "<body><freejoint/><geom type='sphere' size='.15'/></body>",
    "<body><freejoint/><geom type='capsule' size='.05 .1'/></body>",
    "<body><freejoint/><geom type='ellipsoid' size='.05 .1 .2'/></body>",
    "<body><freejoint/><geom type='cylinder' size='.1 .1'/></body>",
    "<body><freejoint/><geom type='box' size='.1 .1 .1'/></body>",
    "<body><freejoint/><geom type='mesh' mesh='ball'/></body>",
    "<body><freejoint/><geom type='box' size='.1 .1 .1' margin='.05' gap='.01'/><geom type='sphere' size='.1' pos='.2 "
    "0 0' condim='1'/></body>",
    "<geom type='plane' size='2 2 1'/><geom type='box' size='.1 .1 .1'/><geom type='sphere' size='.1' pos='.2 0 0'/>",
    "<flexcomp name='g' type='grid' count='5 1 1' spacing='.12 .1 .1' dim='1' radius='.03' mass='1'><contact "
    "selfcollide='none'/></flexcomp>",
    "<flexcomp name='g' type='grid' count='4 4 1' spacing='.12 .1 .1' dim='2' radius='.02' mass='1'><contact "
    "selfcollide='none'/></flexcomp>",
    "<flexcomp name='g' type='grid' count='3 3 3' spacing='.1 .1 .1' dim='3' radius='.01' mass='1'><contact "
    "selfcollide='none'/></flexcomp>",
};
enum { NOTHER = sizeof(others) / sizeof(others[0]) };

static mjModel* build(const char* option, int dim, const char* contact, const char* other) {
  char flex[1000], world[4000], xml[8000];
  snprintf(flex, sizeof(flex), flexes[dim - 1], contact);
  snprintf(world, sizeof(world), "%s%s", flex, other);
  snprintf(xml, sizeof(xml), head, option, world);
  return orc_compile(xml);
}

// contacts of random poses; the number of them
static int compare(mjModel* m, int n, double spread, uint64_t seed) {
  Rnd r = {.state = seed};
  mjData* ref = ORC(mj_makeData)(m);
  mjData* d = mj_makeData(m);
  int ncon = 0;
  for (int i = 0; i < orc_trials(n); i++) {
    scene_randomState(m, ref, &r, spread);
    ncon += scene_compareContacts(m, d, ref, 1e-9);
  }
  mj_deleteData(d);
  ORC(mj_deleteData)(ref);
  return ncon;
}

// Height fields are left out where `hfield` is 0: for them the reference's own convex algorithm runs on a shape that it
// did not initialise, so that what its stack held before decides about the result.
static void sweep(const char* option, int hfield) {
  int total = 0;
  const char* none = "<contact selfcollide='none' internal='false'/>";
  for (int dim = 1; dim <= 3; dim++) {
    for (int k = 0; k < NOTHER; k++) {
      if (k == 1 && !hfield) continue;
      mjModel* m = build(option, dim, none, others[k]);
      const int n = compare(m, 40, .15, (uint64_t)(17 * dim + k));
      if (n < 20) print_message("dim %d, %.40s: %d contacts\n", dim, others[k], n);
      total += n;
      ORC(mj_deleteModel)(m);
    }
  }
  assert_true(total > orc_trials(10000));
}

static void withMidphase(void** state) {
  (void)state;
  sweep("", 0);
}

static void withoutMidphase(void** state) {
  (void)state;
  sweep("<flag midphase='disable'/>", 0);
}

static void withLibccd(void** state) {
  (void)state;
  sweep("<flag nativeccd='disable'/>", 1);
}

static void withOverride(void** state) {
  (void)state;
  sweep("<flag override='enable'/>", 0);
}

static void selfCollision(void** state) {
  (void)state;
  int total = 0;
  const char* modes[] = {"narrow", "bvh", "sap", "auto"};
  for (int dim = 1; dim <= 3; dim++) {
    for (int k = 0; k < 8; k++) {
      char contact[200];
      snprintf(contact, sizeof(contact), "<contact selfcollide='%s' internal='%s' margin='.01'/>", modes[k % 4],
               k < 4 ? "false" : "true");
      mjModel* m = build("", dim, contact, "");
      const int n = compare(m, 30, .12, (uint64_t)(5 * dim + k));
      print_message("dim %d %s: %d contacts\n", dim, contact, n);
      total += n;
      ORC(mj_deleteModel)(m);
    }
  }
  assert_true(total > orc_trials(1000));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(withMidphase), cmocka_unit_test(withoutMidphase), cmocka_unit_test(withLibccd),
      cmocka_unit_test(withOverride), cmocka_unit_test(selfCollision),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
