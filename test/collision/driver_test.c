// The driver against brute force over all geom pairs, against itself with phases switched off, and against the
// reference.
#include "collision/narrow.h"
#include "collision/scene.h"
#include "support/model.h"

//---------------------------------- without the reference ----------------------------------

// welded, parent and child, excluded, or without matching bits: bodies of two geoms that may not collide
static int filtered(const mjModel* m, int g1, int g2) {
  const int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2];
  const int w1 = m->body_weldid[b1], w2 = m->body_weldid[b2];
  const int p1 = m->body_weldid[m->body_parentid[w1]], p2 = m->body_weldid[m->body_parentid[w2]];
  if (w1 == w2 || (w1 && w2 && (w1 == p2 || w2 == p1))) return 1;
  for (int i = 0; i < m->nexclude; i++) {
    if (m->exclude_signature[i] == (b1 < b2 ? (b1 << 16) + b2 : (b2 << 16) + b1)) return 1;
  }
  return !(m->geom_contype[g1] & m->geom_conaffinity[g2]) && !(m->geom_contype[g2] & m->geom_conaffinity[g1]);
}

// contacts between two geoms by the table alone
static int contactsOf(const mjModel* m, mjData* d, int g1, int g2) {
  static mjContact con[mjMAXCONPAIR];
  const int swap = m->geom_type[g1] > m->geom_type[g2];
  const int a = swap ? g2 : g1, b = swap ? g1 : g2;
  const mjfCollision f = mjCOLLISIONFUNC[m->geom_type[a]][m->geom_type[b]];
  const mjtNum margin = m->geom_margin[a] + m->geom_margin[b];
  int n = f ? f(m, d, con, a, b, margin) : 0;
  if (f == col_boxBox) {
    const ColShape s1 = col_geomShape(m, d, a), s2 = col_geomShape(m, d, b);
    n = col_cleanBoxes(con, n, margin, &s1, &s2);
  }
  return n;
}

static void finds_what_brute_force_finds(void** state) {
  (void)state;
  const char* names[] = {"boxes", "chain", "sleepers", NULL};
  Rnd r = {.state = 3};
  int total = 0;
  for (int k = 0; names[k]; k++) {
    mjModel* m = tst_model(names[k]);
    m->opt.enableflags &= ~mjENBL_SLEEP;
    m->npair = 0;
    mjData* d = mj_makeData(m);
    for (int i = 0; i < 100; i++) {
      scene_randomState(m, d, &r, 0.3);
      scene_positions(m, d);
      mj_collision(m, d);
      total += d->ncon;
      for (int g1 = 0; g1 < m->ngeom; g1++) {
        for (int g2 = g1 + 1; g2 < m->ngeom; g2++) {
          int found = 0;
          for (int c = 0; c < d->ncon; c++) {
            const int* g = d->contact[c].geom;
            found += (g[0] == g1 && g[1] == g2) || (g[0] == g2 && g[1] == g1);
          }
          assert_int_equal(found, filtered(m, g1, g2) ? 0 : contactsOf(m, d, g1, g2));
        }
      }
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  assert_true(total > 500);
}

// the order of the last sweep is kept in mjData: it must not show in the result
static void history_leaves_no_trace(void** state) {
  (void)state;
  mjModel* m = tst_model("boxes");
  mjData* old = mj_makeData(m);
  Rnd r = {.state = 8};
  for (int i = 0; i < 50; i++) {
    scene_randomState(m, old, &r, 0.5);
    scene_positions(m, old);
    mj_collision(m, old);
    mjData* fresh = mj_makeData(m);
    memcpy(fresh->qpos, old->qpos, (size_t)m->nq * sizeof(mjtNum));
    scene_positions(m, fresh);
    mj_collision(m, fresh);
    assert_int_equal(fresh->ncon, old->ncon);
    for (int k = 0; k < old->ncon; k++) {
      // up to the last member: what the struct is padded with means nothing
      assert_memory_equal(fresh->contact + k, old->contact + k, offsetof(mjContact, efc_address) + sizeof(int));
    }
    mj_deleteData(fresh);
  }
  mj_deleteData(old);
  mj_deleteModel(m);
}

static void contacts_are_complete_and_ordered(void** state) {
  (void)state;
  mjModel* m = tst_model("boxes");
  mjData* d = mj_makeData(m);
  scene_positions(m, d);
  mj_collision(m, d);
  assert_true(d->ncon > 10);
  assert_int_equal(d->parena, (size_t)d->ncon * sizeof(mjContact));
  int last = -1, pairs = 0;
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* c = d->contact + i;
    const int b1 = m->geom_bodyid[c->geom[0]], b2 = m->geom_bodyid[c->geom[1]];
    const int signature = b1 < b2 ? (b1 << 16) + b2 : (b2 << 16) + b1;
    assert_true(signature >= last);
    last = signature;
    assert_int_equal(c->efc_address, -1);
    assert_int_equal(c->flex[0], -1);

    // a frame is a rotation
    for (int a = 0; a < 3; a++) {
      for (int b = 0; b < 3; b++) {
        mjtNum dot = 0;
        for (int k = 0; k < 3; k++) dot += c->frame[3 * a + k] * c->frame[3 * b + k];
        assert_true(fabs(dot - (a == b)) < 1e-12);
      }
    }

    // the pair that the model lists has its own parameters
    if (c->geom[0] == m->pair_geom1[0] && c->geom[1] == m->pair_geom2[0]) {
      pairs++;
      assert_int_equal(c->dim, 6);
      assert_true(c->friction[0] == 0.9 && c->friction[1] == 0.7 && c->friction[4] == 0.001);
    }
  }
  assert_true(pairs > 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void flags_switch_it_off(void** state) {
  (void)state;
  mjModel* m = tst_model("boxes");
  mjData* d = mj_makeData(m);
  scene_positions(m, d);
  const int flags[] = {mjDSBL_CONTACT, mjDSBL_CONSTRAINT};
  for (int i = 0; i < 2; i++) {
    m->opt.disableflags = 0;
    mj_collision(m, d);
    assert_true(d->ncon > 0);
    m->opt.disableflags = flags[i];
    mj_collision(m, d);
    assert_int_equal(d->ncon, 0);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

static int refuseAll(const mjModel* m, mjData* d, int g1, int g2) {
  (void)m, (void)d, (void)g1, (void)g2;
  return 1;
}

// geoms whose bits match nowhere are not looked at, until bits are changed; pairs that are listed are
static void bits_that_match_nowhere(void** state) {
  (void)state;
  static const char* const xml[] = {
      "<mujoco><default><geom contype='0' conaffinity='1'/></default><worldbody><geom type='plane' size='1 1 1'/>"
      "<body pos='0 0 .05'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
      "<mujoco><default><geom contype='0' conaffinity='1'/></default><worldbody><geom name='a' type='plane' size='1 1 "
      "1'/>"
      "<body pos='0 0 .05'><freejoint/><geom name='b' size='.1'/></body></worldbody>"
      "<contact><pair geom1='a' geom2='b'/></contact></mujoco>"};
  for (int listed = 0; listed < 2; listed++) {
    mjModel* m = tst_string(xml[listed]);
    mjData* d = mj_makeData(m);
    mj_forward(m, d);
    assert_int_equal(d->ncon, listed);

    // the ball's bits now match the plane's
    m->geom_contype[1] = m->body_contype[1] = 1;
    mj_forward(m, d);
    assert_int_equal(d->ncon, 1);
    m->geom_contype[1] = m->body_contype[1] = 2;
    mj_forward(m, d);
    assert_int_equal(d->ncon, listed);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

static void user_filter_decides(void** state) {
  (void)state;
  mjModel* m = tst_model("boxes");
  mjData* d = mj_makeData(m);
  scene_positions(m, d);
  mjcb_contactfilter = refuseAll;
  mj_collision(m, d);
  mjcb_contactfilter = NULL;
  // pairs that the model lists are not filtered
  assert_true(d->ncon > 0);
  for (int i = 0; i < d->ncon; i++) assert_int_equal(d->contact[i].geom[0], m->pair_geom1[0]);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// a listed pair collides although its bodies are excluded, which only keeps their other geoms apart
static void listed_pairs_ignore_exclusions(void** state) {
  (void)state;
  for (int excluded = 0; excluded < 2; excluded++) {
    char xml[1000];
    snprintf(
        xml, sizeof(xml),
        "<mujoco><worldbody><body name='a'><freejoint/><geom name='a' size='.1'/><geom size='.1' pos='0 0 .5'/></body>"
        "<body name='b' pos='.15 0 0'><freejoint/><geom name='b' size='.1'/><geom size='.1' pos='0 0 .5'/></body>"
        "</worldbody><contact><pair geom1='a' geom2='b' condim='1'/>%s</contact></mujoco>",
        excluded ? "<exclude body1='a' body2='b'/>" : "");
    TstScene s = tst_openScene(xml);
    mj_fwdPosition(s.m, s.d);
    assert_int_equal(s.d->ncon, excluded ? 1 : 2);
    int listed = 0;
    for (int i = 0; i < s.d->ncon; i++) listed += s.d->contact[i].dim == 1;
    assert_int_equal(listed, 1);
    tst_closeScene(&s);
  }
}

//---------------------------------- against the reference ----------------------------------

static const char* SCENES[] = {
    // bodies of several geoms, a listed pair inside them, an exclusion, margins and gaps
    "<mujoco><worldbody><geom type='plane' size='5 5 1' margin='.02'/>"
    "<body name='a' pos='0 0 .2'><freejoint/><geom name='a1' type='box' size='.1 .1 .1'/>"
    "<geom name='a2' type='sphere' size='.1' pos='.2 0 0' margin='.03' gap='.01'/><geom type='capsule' size='.05 .1' "
    "pos='0 .2 0'/>"
    "<body name='a3' pos='0 0 .2'><joint axis='0 1 0'/><geom type='box' size='.05 .1 .1'/><geom size='.08' pos='0 0 "
    ".1'/></body></body>"
    "<body name='b' pos='.2 .1 .3'><freejoint/><geom name='b1' type='box' size='.1 .05 .1' priority='1' condim='4'/>"
    "<geom name='b2' type='cylinder' size='.06 .1' pos='-.1 0 0' solmix='3' solref='-100 -10'/></body>"
    "<body name='c' pos='-.1 .1 .4'><freejoint/><geom name='c1' type='capsule' size='.06 .15' solimp='.8 .9 .01 .4 3'/>"
    "<geom type='ellipsoid' size='.1 .05 .08' pos='.1 0 .1' solref='.03 .8' friction='.5 .1 .01'/></body>"
    "<body pos='.3 -.1 .2'><freejoint/><geom type='box' size='.1 .1 .1' pos='0 0 0'/></body>"
    "</worldbody><contact><pair geom1='a1' geom2='b1' margin='.05' gap='.02' friction='.3 .4 .1 .01 .02' "
    "solreffriction='.1 1'/>"
    "<pair geom1='b2' geom2='a2'/><exclude body1='a' body2='c'/></contact></mujoco>",

    // planes and walls on static bodies, a mocap body, different collision bits
    "<mujoco><worldbody><body pos='0 0 -.1'><geom type='plane' size='5 5 1'/><geom type='box' size='.3 .3 .1'/></body>"
    "<body pos='.5 0 0' euler='0 -60 0'><geom type='plane' size='5 5 1' contype='2'/></body>"
    "<body name='m' mocap='true' pos='.1 .1 .2'><geom type='capsule' size='.1 .2'/><geom type='box' size='.1 .2 .1' "
    "pos='.2 0 0'/></body>"
    "<geom type='box' size='.05 1 1' pos='-.4 0 0'/><geom type='cylinder' size='.2 .1' pos='0 .4 .1'/>"
    "<body pos='0 0 .2'><freejoint/><geom size='.15'/></body>"
    "<body pos='.2 0 .3'><freejoint/><geom type='box' size='.1 .1 .1' conaffinity='3'/><geom type='capsule' size='.05 "
    ".2' contype='4'/></body>"
    "<body pos='.1 .3 .2'><freejoint/><geom type='capsule' size='.1 .1' contype='3' conaffinity='4'/></body>"
    "</worldbody></mujoco>",

    // a chain: parent filter, welded links, both sides of a joint
    "<mujoco><worldbody><geom type='plane' size='5 5 1' pos='0 0 -.2'/>"
    "<body><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .3 0 0' size='.06'/>"
    "<body pos='.3 0 0'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .3 0 0' size='.06'/><geom size='.1' "
    "pos='.1 0 .1'/>"
    "<body pos='.15 0 .1'><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='.3 0 0'><joint axis='0 1 0'/><joint axis='1 0 0'/><geom type='capsule' fromto='0 0 0 .3 0 0' "
    "size='.06'/>"
    "<body pos='.3 0 0'><joint axis='0 1 0'/><geom type='box' size='.15 .05 "
    ".05'/></body></body></body></body></worldbody></mujoco>",
    NULL,
};

// one scene in random states, with whatever options the model now has
static void compare(mjModel* m, int nstate, uint64_t seed) {
  mjData *d = mj_makeData(m), *ref = ORC(mj_makeData)(m);
  Rnd r = {.state = seed};
  int total = 0;
  nstate = orc_trials(nstate);
  for (int i = 0; i < nstate; i++) {
    scene_randomState(m, ref, &r, 0.3);
    total += scene_compareContacts(m, d, ref, 1e-6);
  }
  assert_true(total > nstate);
  mj_deleteData(d);
  ORC(mj_deleteData)(ref);
}

static void agrees_with_reference(void** state) {
  (void)state;
  for (int k = 0; SCENES[k]; k++) {
    mjModel* m = orc_compile(SCENES[k]);
    compare(m, 300, (uint64_t)k);
    m->opt.disableflags = mjDSBL_MIDPHASE;
    compare(m, 100, 50);
    m->opt.disableflags = mjDSBL_FILTERPARENT;
    compare(m, 100, 51);
    m->opt.enableflags = mjENBL_OVERRIDE;
    m->opt.o_margin = 0.04;
    m->opt.o_solref[0] = 0.05;
    m->opt.o_friction[0] = 0;
    compare(m, 100, 52);
    ORC(mj_deleteModel)(m);
  }
}

static int refuseOdd(const mjModel* m, mjData* d, int g1, int g2) {
  (void)m, (void)d;
  return (g1 + g2) % 2;
}

static void user_filter_agrees_with_reference(void** state) {
  (void)state;
  mjfConFilt* const theirs = ORC(mjcb_contactfilter);
  *theirs = mjcb_contactfilter = refuseOdd;
  for (int k = 0; k < 2; k++) {
    mjModel* m = orc_compile(SCENES[k]);
    compare(m, 100, 9);
    ORC(mj_deleteModel)(m);
  }
  *theirs = mjcb_contactfilter = NULL;
}

// trees asleep do not collide with each other nor with what is static
static void sleeping_agrees_with_reference(void** state) {
  (void)state;
  mjModel* m = tst_model("sleepers");
  mjData *d = mj_makeData(m), *ref = ORC(mj_makeData)(m);
  int fewest = 1000;
  for (int i = 0; i < 400; i++) {
    ORC(mj_step)(m, ref);
    ORC(mj_collision)(m, ref);
    orc_mirror(m, d, ref);
    mj_collision(m, d);
    scene_expectSame(d, ref, 1e-9);
    if (d->nbody_awake < fewest) fewest = d->nbody_awake;
  }
  assert_true(fewest < m->nbody);
  mj_deleteData(d);
  ORC(mj_deleteData)(ref);
  mj_deleteModel(m);
}

static void coincident_bodies_stay_sane(void** state) {
  (void)state;
  const char* types[] = {"sphere", "capsule", "box", NULL};
  for (int k = 0; types[k]; k++) {
    char xml[400];
    snprintf(xml, sizeof(xml),
             "<mujoco><worldbody><replicate count='%d' offset='0 0 0'><body><freejoint/>"
             "<geom type='%s' size='.1 .1 .1'/></body></replicate></worldbody></mujoco>",
             k < 2 ? 300 : 60, types[k]);
    mjModel* m = orc_compile(xml);
    mjData* d = mj_makeData(m);
    scene_positions(m, d);
    mj_collision(m, d);
    const int nbody = (int)m->nbody - 1;
    assert_true(d->ncon >= nbody * (nbody - 1) / 2);
    for (int i = 0; i < d->ncon; i++) {
      const mjContact* c = d->contact + i;
      assert_true(isfinite(c->dist) && isfinite(c->pos[0]) && isfinite(c->pos[1]) && isfinite(c->pos[2]));
      assert_true(fabs(c->frame[0] * c->frame[0] + c->frame[1] * c->frame[1] + c->frame[2] * c->frame[2] - 1) < 1e-9);
    }
    mj_deleteData(d);
    ORC(mj_deleteModel)(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_what_brute_force_finds),      cmocka_unit_test(history_leaves_no_trace),
      cmocka_unit_test(contacts_are_complete_and_ordered), cmocka_unit_test(flags_switch_it_off),
      cmocka_unit_test(bits_that_match_nowhere),           cmocka_unit_test(user_filter_decides),
      cmocka_unit_test(listed_pairs_ignore_exclusions),    cmocka_unit_test(agrees_with_reference),
      cmocka_unit_test(user_filter_agrees_with_reference), cmocka_unit_test(sleeping_agrees_with_reference),
      cmocka_unit_test(coincident_bodies_stay_sane),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
