// Flexes against planes, geoms, each other and themselves: all fields and the order of the contacts as in the
// reference.
#include "collision/flex_pairs.h"

#include "collision/scene.h"
#include "support/model.h"

// a cloth of 4 x 3 vertices lying on the floor: one contact per vertex, in order
static void cloth_on_the_floor(void** state) {
  (void)state;
  mjModel* m = tst_model("flex");
  mjData* d = mj_makeData(m);
  const int f = 1, start = m->flex_vertadr[f], num = m->flex_vertnum[f];
  scene_positions(m, d);
  mj_collision(m, d);
  assert_int_equal(d->ncon, 0);

  // put its vertices at a height of half the radius
  const mjtNum radius = m->flex_radius[f];
  for (int v = start; v < start + num; v++) d->flexvert_xpos[3 * v + 2] = radius / 2;
  mj_collision(m, d);
  assert_int_equal(d->ncon, num);
  for (int i = 0; i < num; i++) {
    const mjContact* c = d->contact + i;
    assert_int_equal(c->vert[1], i);
    assert_int_equal(c->flex[1], f);
    assert_int_equal(c->geom[0], 0);
    assert_int_equal(c->elem[1], -1);
    assert_true(fabs(c->dist + radius / 2) < 1e-15 && c->frame[2] == 1);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

#define HEAD "<mujoco><option solver='CG' iterations='5'/><size memory='100M'/><worldbody>"
#define TAIL "</worldbody></mujoco>"
#define GEOMS                                                                                                        \
  "<geom type='plane' size='2 2 .1' pos='0 0 -.3' euler='5 3 0'/><geom size='.12' pos='-.15 0 -.08'/>"               \
  "<geom type='box' size='.1 .05 .08' pos='.1 .1 -.07' euler='10 20 30'/>"                                           \
  "<geom type='capsule' size='.05 .12' pos='.1 -.12 -.03' euler='0 80 20' margin='.02' gap='.01'/>"                  \
  "<body pos='-.1 .2 -.06'><geom type='ellipsoid' size='.1 .08 .06'/><geom type='cylinder' size='.05 .1' pos='.3 0 " \
  "0'/></body>"

static const char* SCENES[] = {
    // a rope, a cloth, a solid over all geoms
    HEAD GEOMS
    "<flexcomp name='a' type='grid' dim='1' count='12 1 1' spacing='.05 .1 .1' radius='.02' mass='1' pos='-.05 .2 "
    "-.02' euler='0 0 5'>"
    "<contact selfcollide='auto' margin='.01'/></flexcomp>" TAIL,
    HEAD GEOMS
    "<flexcomp name='a' type='grid' dim='2' count='7 7 1' spacing='.08 .08 .1' radius='.02' mass='1'>"
    "<contact selfcollide='auto' margin='.01' gap='.005'/></flexcomp>" TAIL,
    HEAD GEOMS
    "<flexcomp name='a' type='grid' dim='3' count='4 4 3' spacing='.1 .1 .08' radius='.01' mass='1'>"
    "<contact selfcollide='auto' internal='true'/></flexcomp>" TAIL,

    // two flexes, and every way to collide one with itself
    HEAD
    "<flexcomp name='a' type='grid' dim='2' count='5 5 1' spacing='.08 .08 .1' radius='.02' mass='1'>"
    "<contact selfcollide='sap'/></flexcomp>"
    "<flexcomp name='b' type='grid' dim='3' count='3 3 3' spacing='.08 .08 .08' radius='.01' mass='1' pos='0 0 .05'>"
    "<contact selfcollide='bvh' internal='true' activelayers='2'/></flexcomp>"
    "<flexcomp name='c' type='grid' dim='1' count='9 1 1' spacing='.05 .1 .1' radius='.02' mass='1' pos='0 .02 .03'>"
    "<contact selfcollide='narrow' internal='true'/></flexcomp>" TAIL,
    HEAD
    "<flexcomp name='a' type='grid' dim='2' count='5 5 1' spacing='.08 .08 .1' radius='.02' mass='1'>"
    "<contact selfcollide='bvh' internal='true'/></flexcomp>"
    "<flexcomp name='b' type='grid' dim='3' count='3 3 3' spacing='.08 .08 .08' radius='.01' mass='1' pos='0 0 .05'>"
    "<contact selfcollide='sap' activelayers='1'/></flexcomp>" TAIL,
    NULL,
};

// crumpled: every vertex is moved at random
static void compare(mjModel* m, int nstate, mjtNum spread) {
  mjData *d = mj_makeData(m), *ref = ORC(mj_makeData)(m);
  Rnd r = {.state = 4};
  int total = 0;
  for (int i = 0; i < nstate; i++) {
    for (int k = 0; k < m->nq; k++) ref->qpos[k] = rnd_uniform(&r, -spread, spread);
    // the general convex algorithm between elements is iterative; most agree to rounding
    total += scene_compareContacts(m, d, ref, 1e-6);
  }
  assert_true(total > 5 * nstate);
  mj_deleteData(d);
  ORC(mj_deleteData)(ref);
}

static void agrees_with_reference(void** state) {
  (void)state;
  for (int k = 0; SCENES[k]; k++) {
    mjModel* m = orc_compile(SCENES[k]);
    compare(m, 10, 0.02);
    compare(m, 5, 0.06);
    m->opt.disableflags |= mjDSBL_MIDPHASE;
    compare(m, 3, 0.03);
    ORC(mj_deleteModel)(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cloth_on_the_floor),
      cmocka_unit_test(agrees_with_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
