// Contact parameters from two sides, contacts added by hand, and an arena that is full.
#include "collision/contact.h"
#include "collision/frame.h"
#include "model/arena.h"

#include "base/stack.h"
#include "collision/scene.h"
#include "support/model.h"

// two geoms with nothing but their contact parameters
typedef struct {
  mjModel m;
  int priority[2], condim[2];
  mjtNum solmix[2], gap[2], solref[2 * mjNREF], solimp[2 * mjNIMP], friction[6];
} Sides;

static void initSides(Sides* s) {
  memset(s, 0, sizeof(*s));
  s->m.geom_priority = s->priority;
  s->m.geom_condim = s->condim;
  s->m.geom_solmix = s->solmix;
  s->m.geom_gap = s->gap;
  s->m.geom_solref = s->solref;
  s->m.geom_solimp = s->solimp;
  s->m.geom_friction = s->friction;
  for (int g = 0; g < 2; g++) {
    s->condim[g] = g ? 3 : 4;
    s->solmix[g] = g ? 3 : 1;
    s->gap[g] = 0.01 * (g + 1);
    for (int i = 0; i < mjNREF; i++) s->solref[mjNREF * g + i] = 0.1 * (i + 1) + g;
    for (int i = 0; i < mjNIMP; i++) s->solimp[mjNIMP * g + i] = i + 10 * g;
    for (int i = 0; i < 3; i++) s->friction[3 * g + i] = (i + g) % 3 + 0.5;
  }
}

static ColParam mix(Sides* s) {
  ColParam p;
  col_mixParam(&s->m, &p, (ColSide){0, -1}, (ColSide){1, -1}, 0.1);
  return p;
}

// a tangent that is too short says nothing: whatever it holds, the y axis is taken, or z for a normal close to y
static void short_tangents_are_replaced(void** state) {
  (void)state;
  mjtNum flat[9] = {0, 0, 2, .3, .1, 0}, upright[9] = {0, -1, 0, .3, 0, .2};
  col_makeFrame(flat);
  col_makeFrame(upright);
  const mjtNum expected[2][9] = {
      {0, 0,  1, 0, 1, 0, -1, 0, 0},
      {0, -1, 0, 0, 0, 1, -1, 0, 0}
  };
  for (int i = 0; i < 9; i++) {
    assert_true(flat[i] == expected[0][i]);
    assert_true(upright[i] == expected[1][i]);
  }
}

static void equal_priority_mixes(void** state) {
  (void)state;
  Sides s;
  initSides(&s);
  const ColParam p = mix(&s);
  assert_int_equal(p.dim, 4);
  assert_true(fabs(p.includemargin - 0.07) < 1e-15);
  // weights 1 : 3
  assert_true(fabs(p.solref[0] - (0.25 * 0.1 + 0.75 * 1.1)) < 1e-15);
  assert_true(fabs(p.solimp[2] - (0.25 * 2 + 0.75 * 12)) < 1e-15);
  // element-wise maximum of (0.5, 1.5, 2.5) and (1.5, 2.5, 0.5), spread over five
  const mjtNum friction[5] = {1.5, 1.5, 2.5, 2.5, 2.5};
  assert_memory_equal(p.friction, friction, sizeof(friction));
  assert_true(p.solreffriction[0] == 0 && p.solreffriction[1] == 0);
}

static void priority_decides_alone(void** state) {
  (void)state;
  Sides s;
  initSides(&s);
  s.priority[1] = 1;
  const ColParam p = mix(&s);
  assert_int_equal(p.dim, 3);
  assert_true(p.solref[1] == s.solref[mjNREF + 1] && p.solimp[4] == s.solimp[mjNIMP + 4]);
  assert_true(p.friction[0] == 1.5 && p.friction[2] == 2.5 && p.friction[4] == 0.5);
  // margin and gap have no priority
  assert_true(fabs(p.includemargin - 0.07) < 1e-15);
}

static void direct_solref_takes_the_minimum(void** state) {
  (void)state;
  Sides s;
  initSides(&s);
  s.solref[0] = -100;
  s.solref[1] = -5;
  const ColParam p = mix(&s);
  assert_true(p.solref[0] == -100 && p.solref[1] == -5);
}

static void weights_of_zero(void** state) {
  (void)state;
  Sides s;
  initSides(&s);
  s.solmix[0] = 0;
  assert_true(mix(&s).solimp[1] == s.solimp[mjNIMP + 1]);
  s.solmix[1] = 0;
  assert_true(mix(&s).solimp[1] == 0.5 * s.solimp[1] + 0.5 * s.solimp[mjNIMP + 1]);
  s.solmix[0] = 1;
  assert_true(mix(&s).solimp[1] == s.solimp[1]);
}

static void friction_is_never_zero(void** state) {
  (void)state;
  Sides s;
  initSides(&s);
  memset(s.friction, 0, sizeof(s.friction));
  const ColParam p = mix(&s);
  for (int i = 0; i < 5; i++) assert_true(p.friction[i] == mjMINMU);
}

static void override_replaces_all(void** state) {
  (void)state;
  Sides s;
  initSides(&s);
  s.m.opt.enableflags = mjENBL_OVERRIDE;
  s.m.opt.o_margin = 0.5;
  s.m.opt.o_solref[0] = 7;
  s.m.opt.o_solimp[3] = 8;
  s.m.opt.o_friction[4] = 9;
  const ColParam p = mix(&s);
  assert_true(p.solref[0] == 7 && p.solimp[3] == 8 && p.friction[4] == 9 && p.friction[0] == mjMINMU);
  assert_true(col_margin(&s.m, 0.1) == 0.5);
}

static void frames_are_completed(void** state) {
  (void)state;
  ColParam param = {.dim = 3, .includemargin = 0.01};
  const ColIds ids = {
      {0,  1 },
      {-1, -1},
      {-1, -1},
      {-1, -1}
  };
  mjContact con[3];
  memset(con, 0, sizeof(con));
  con[0].frame[1] = 2;                                            // along y: the tangent is z
  con[1].frame[2] = 1;                                            // along z: the tangent is y
  con[2].frame[0] = 1, con[2].frame[3] = 1, con[2].frame[5] = 1;  // tangent given, not orthogonal
  con[2].dist = 0.01;
  col_completeContacts(con, 3, &param, &ids);
  assert_true(con[0].frame[1] == 1 && con[0].frame[5] == 1 && con[0].frame[6] == 1);
  assert_true(con[1].frame[4] == 1 && con[1].frame[6] == -1);
  assert_true(con[2].frame[5] == 1 && con[2].frame[3] == 0);
  assert_true(con[0].exclude == 0 && con[2].exclude == 1);
  assert_int_equal(con[1].geom2, 1);
}

static void contacts_can_be_added(void** state) {
  (void)state;
  mjModel* m = tst_model("boxes");
  mjData* d = mj_makeData(m);
  scene_positions(m, d);
  mj_collision(m, d);
  const int n = d->ncon;
  mjContact con = d->contact[0];
  con.dist = -123;
  d->nefc = 5;
  assert_int_equal(mj_addContact(m, d, &con), 0);
  assert_int_equal(d->ncon, n + 1);
  assert_true(d->contact[n].dist == -123);
  assert_int_equal(d->nefc, 0);
  assert_int_equal(d->parena, (size_t)d->ncon * sizeof(mjContact));
  mj_deleteData(d);
  mj_deleteModel(m);
}

static int warnings;

static void countWarning(const char* text) {
  (void)text;
  warnings++;
}

static void a_full_arena_is_reported(void** state) {
  (void)state;
  mjModel* m = tst_model("boxes");
  mjData* d = mj_makeData(m);
  mdl_dropRows(d);
  mj_markStack(d);

  mju_user_warning = countWarning;

  // room for two contacts and a little more
  mj_stackAllocByte(d, mj_stackBytesAvailable(d) - 3 * sizeof(mjContact) + 300, 8);
  static mjContact spare[mjMAXCONPAIR];
  assert_null(col_openRoom(d));
  spare[1].dist = 4;
  assert_true(col_closeRoom(d, spare, 2));
  assert_true(d->contact[1].dist == 4);
  assert_false(col_closeRoom(d, spare, 1));
  assert_int_equal(d->ncon, 2);
  assert_int_equal(d->warning[mjWARN_CONTACTFULL].number, 1);
  assert_int_equal(mj_addContact(m, d, spare), 1);
  assert_true(warnings > 0);
  mju_user_warning = NULL;
  mj_freeStack(d);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_tangents_are_replaced),
      cmocka_unit_test(equal_priority_mixes),
      cmocka_unit_test(priority_decides_alone),
      cmocka_unit_test(direct_solref_takes_the_minimum),
      cmocka_unit_test(weights_of_zero),
      cmocka_unit_test(friction_is_never_zero),
      cmocka_unit_test(override_replaces_all),
      cmocka_unit_test(frames_are_completed),
      cmocka_unit_test(contacts_can_be_added),
      cmocka_unit_test(a_full_arena_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
