// Which flexes collide with themselves and with each other, in which ways, and how their parameters combine; without
// the reference.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/model.h"
#include "support/near.h"
#include "support/random.h"

static int positions(TstScene* s) {
  mj_fwdPosition(s->m, s->d);
  return s->d->ncon;
}

//---------------------------------- with itself ----------------------------------

// a cloth or a block with these attributes of <contact>
static TstScene alone(int dim, const char* contact) {
  char xml[1000];
  snprintf(xml, sizeof(xml),
           "<mujoco><size memory='100M'/><worldbody><flexcomp name='f' type='grid' dim='%d' count='%s' spacing='.1 .1 "
           ".1' radius='%s' mass='1'><contact %s/></flexcomp></worldbody></mujoco>",
           dim,
           dim == 3   ? "3 3 3"
           : dim == 2 ? "6 4 1"
                      : "20 1 1",
           dim == 1 ? ".045" : ".02", contact);
  return tst_openScene(xml);
}

// crumpled, so that elements which are no neighbours meet
static void crumple(TstScene* s, uint64_t seed) {
  Rnd r = {seed};
  for (int i = 0; i < s->m->nq; i++) s->d->qpos[i] = rnd_uniform(&r, -0.2, 0.2);
}

static int contactsOf(int dim, const char* contact) {
  TstScene s = alone(dim, contact);
  crumple(&s, 3);
  const int n = positions(&s);
  tst_closeScene(&s);
  return n;
}

static void test_42A_iv_AC1_bitsGateSelfCollision(void** state) {
  (void)state;
  for (int dim = 1; dim <= 3; dim++) {
    assert_true(contactsOf(dim, "selfcollide='narrow' internal='true'") > 0);
    assert_int_equal(contactsOf(dim, "selfcollide='narrow' internal='true' contype='1' conaffinity='2'"), 0);
    assert_int_equal(contactsOf(dim, "selfcollide='narrow' internal='true' contype='0' conaffinity='0'"), 0);
  }
}

// a flex of one body has no self-collision, whatever its flags say
static void test_42A_iv_AC2_rigidFlexesHaveNone(void** state) {
  (void)state;
  for (int rigid = 0; rigid < 2; rigid++) {
    char xml[1000];

    // two sheets in one flex, the second of which lies inside the first
    snprintf(xml, sizeof(xml),
             "<mujoco><size memory='100M'/><worldbody><body name='b'><freejoint/><geom size='.01' contype='0' "
             "conaffinity='0'/><flexcomp name='f' type='direct' dim='2' radius='.02' mass='1' rigid='%s' "
             "point='0 0 0 1 0 0 0 1 0 .2 .2 .01 .7 .2 .01 .2 .7 .01' element='0 1 2 3 4 5'><contact "
             "selfcollide='narrow' internal='true'/></flexcomp></body></worldbody></mujoco>",
             rigid ? "true" : "false");
    TstScene s = tst_openScene(xml);
    assert_int_equal(s.m->flex_rigid[0], rigid);
    assert_int_equal(positions(&s) > 0, !rigid);
    tst_closeScene(&s);
  }
}

// internal: elements that share vertices and the vertices opposite; selfcollide: elements that do not. Each alone, and
// both together give the sum.
static void test_42A_iv_AC3_internalAndSelfAreIndependent(void** state) {
  (void)state;
  for (int dim = 2; dim <= 3; dim++) {
    const int internal = contactsOf(dim, "selfcollide='none' internal='true'");
    const int self = contactsOf(dim, "selfcollide='narrow' internal='false'");
    assert_true(internal > 0 && self > 0);
    assert_int_equal(contactsOf(dim, "selfcollide='narrow' internal='true'"), internal + self);
  }
}

static void test_42A_iv_AC4_noneGivesNone(void** state) {
  (void)state;
  for (int dim = 1; dim <= 3; dim++) assert_int_equal(contactsOf(dim, "selfcollide='none' internal='false'"), 0);
}

// the two elements in order, then the place
static int byElements(const void* a, const void* b) {
  const mjContact *c = a, *e = b;
  const int c0 = c->elem[0] < c->elem[1] ? 0 : 1, e0 = e->elem[0] < e->elem[1] ? 0 : 1;
  if (c->elem[c0] != e->elem[e0]) return c->elem[c0] < e->elem[e0] ? -1 : 1;
  if (c->elem[!c0] != e->elem[!e0]) return c->elem[!c0] < e->elem[!e0] ? -1 : 1;
  return c->dist < e->dist ? -1 : c->dist > e->dist;
}

// trees and sweeps find what trying all pairs finds, in an order of their own
static void test_42A_iv_AC6_midphasesFindTheSame(void** state) {
  (void)state;
  static const char* const modes[] = {"selfcollide='narrow'", "selfcollide='bvh'", "selfcollide='sap'",
                                      "selfcollide='auto'"};
  for (int dim = 1; dim <= 3; dim++) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
      mjContact* all = NULL;
      int n = 0;
      for (int k = 0; k < 4; k++) {
        TstScene s = alone(dim, modes[k]);
        crumple(&s, seed);
        positions(&s);
        const size_t bytes = (size_t)s.d->ncon * sizeof(mjContact);
        qsort(s.d->contact, (size_t)s.d->ncon, sizeof(mjContact), byElements);
        if (k == 0) {
          n = s.d->ncon;
          all = malloc(bytes);
          memcpy(all, s.d->contact, bytes);
        }
        assert_int_equal(s.d->ncon, n);
        for (int i = 0; i < n; i++) {
          const mjContact *c = s.d->contact + i, *e = all + i;
          assert_int_equal(mju_min(c->elem[0], c->elem[1]), mju_min(e->elem[0], e->elem[1]));
          assert_int_equal(mju_max(c->elem[0], c->elem[1]), mju_max(e->elem[0], e->elem[1]));

          // the algorithm between two elements is iterative and depends on which is first
          assert_near(c->dist, e->dist, 1e-6);
        }
        tst_closeScene(&s);
      }
      assert_true(n > 0);
      free(all);
    }
  }
}

//---------------------------------- with each other ----------------------------------

// two cloths that cross, with these attributes of their <contact>
static TstScene two(const char* first, const char* second) {
  char xml[2000];
  snprintf(xml, sizeof(xml),
           "<mujoco><size memory='100M'/><worldbody>"
           "<flexcomp name='a' type='grid' dim='2' count='4 4 1' spacing='.1 .1 .1' radius='.02' mass='1'>"
           "<contact selfcollide='none' internal='false' %s/></flexcomp>"
           "<flexcomp name='b' type='grid' dim='2' count='4 4 1' spacing='.1 .1 .1' radius='.02' mass='1' pos='.03 .02 "
           "0' euler='0 90 0'><contact selfcollide='none' internal='false' %s/></flexcomp></worldbody></mujoco>",
           first, second);
  TstScene s = tst_openScene(xml);
  positions(&s);
  return s;
}

// contacts when one's type meets the other's affinity, in either direction; none otherwise
static void test_42A_v_AC1_AC3_bitsDecide(void** state) {
  (void)state;
  for (int bits = 0; bits < 256; bits++) {
    const int type[2] = {bits & 3, bits >> 2 & 3}, affinity[2] = {bits >> 4 & 3, bits >> 6 & 3};
    char contact[2][100];
    for (int k = 0; k < 2; k++)
      snprintf(contact[k], sizeof(contact[k]), "contype='%d' conaffinity='%d'", type[k], affinity[k]);
    TstScene s = two(contact[0], contact[1]);
    const int meet = (type[0] & affinity[1]) || (type[1] & affinity[0]);
    assert_int_equal(s.d->ncon > 0, meet);
    for (int i = 0; i < s.d->ncon; i++) assert_true(s.d->contact[i].flex[0] != s.d->contact[i].flex[1]);
    tst_closeScene(&s);
  }
}

// the higher priority wins as it is; equal ones mix solref and solimp by solmix, take the larger friction and the sum
// of margins
static void test_42A_v_AC4_parametersCombine(void** state) {
  (void)state;
  TstScene s = two("priority='1' friction='.3 .02 .003' condim='4' solref='.03 .8' solimp='.7 .8 .01 .4 1.5'",
                   "priority='0' friction='.9 .05 .006' condim='6' solref='.01 1.1' solmix='100'");
  assert_true(s.d->ncon > 0);
  const mjContact* c = s.d->contact;
  assert_int_equal(c->dim, 4);
  assert_true(c->solref[0] == 0.03 && c->solref[1] == 0.8 && c->solimp[0] == 0.7 && c->solimp[4] == 1.5);
  assert_true(c->friction[0] == 0.3 && c->friction[2] == 0.02 && c->friction[3] == 0.003);
  tst_closeScene(&s);

  s = two(
      "friction='.3 .05 .003' condim='3' solref='.03 .8' solimp='.7 .8 .01 .4 1.5' solmix='1' margin='.01' gap='.002'",
      "friction='.9 .02 .006' condim='4' solref='.01 1.2' solimp='.9 .96 .03 .6 2.5' solmix='3' margin='.02' "
      "gap='.001'");
  assert_true(s.d->ncon > 0);
  c = s.d->contact;
  const mjtNum share = 0.25;
  assert_int_equal(c->dim, 4);
  assert_near(c->solref[0], share * 0.03 + (1 - share) * 0.01, 1e-15);
  assert_near(c->solref[1], share * 0.8 + (1 - share) * 1.2, 1e-15);
  const mjtNum imp[2][5] = {
      {0.7, 0.8,  0.01, 0.4, 1.5},
      {0.9, 0.96, 0.03, 0.6, 2.5}
  };
  for (int k = 0; k < 5; k++) assert_near(c->solimp[k], share * imp[0][k] + (1 - share) * imp[1][k], 1e-15);
  assert_true(c->friction[0] == 0.9 && c->friction[2] == 0.05 && c->friction[3] == 0.006);
  assert_near(c->includemargin, 0.03 - 0.003, 1e-15);
  tst_closeScene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_42A_iv_AC1_bitsGateSelfCollision),
      cmocka_unit_test(test_42A_iv_AC2_rigidFlexesHaveNone),
      cmocka_unit_test(test_42A_iv_AC3_internalAndSelfAreIndependent),
      cmocka_unit_test(test_42A_iv_AC4_noneGivesNone),
      cmocka_unit_test(test_42A_iv_AC6_midphasesFindTheSame),
      cmocka_unit_test(test_42A_v_AC1_AC3_bitsDecide),
      cmocka_unit_test(test_42A_v_AC4_parametersCombine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
