// Stiffness, damping and impedance of a row as the documentation of solref and solimp has them: every format, every
// safeguard, and the sigmoid on both sides of its midpoint.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/model.h"

static int warnings;
static char warned[200];

static void onWarning(const char* message) {
  warnings++;
  snprintf(warned, sizeof(warned), "%s", message);
}

#define assertNear(a, b) assert_true(fabs((a) - (b)) <= 1e-12 * (1 + fabs(b)))

// a contact at a depth, elliptic, with these parameters
typedef struct {
  mjtNum ref[2], friction[2], imp[5], depth;
} Given;

static void solve(TstScene* s, const Given* g) {
  mjContact con = {
      .dist = -g->depth, .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0},
           .dim = 3
  };
  mju_copy(con.friction, (mjtNum[]){.5, .5, .01, .005, .005}, 5);
  memcpy(con.solref, g->ref, sizeof(con.solref));
  memcpy(con.solreffriction, g->friction, sizeof(con.solreffriction));
  memcpy(con.solimp, g->imp, sizeof(con.solimp));
  con.geom[1] = con.geom2 = 1;
  for (int k = 0; k < 2; k++) con.flex[k] = con.elem[k] = con.vert[k] = -1;
  s->d->ncon = 0;
  warnings = 0;
  assert_int_equal(mj_addContact(s->m, s->d, &con), 0);
  mj_makeConstraint(s->m, s->d);
  assert_int_equal(s->d->nefc, 3);
}

static TstScene open(void) {
  TstScene s = tst_openScene(
      "<mujoco><option cone='elliptic' timestep='.01'/><worldbody><geom type='plane' size='1 1 1'/>"
      "<body pos='0 0 3'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  mj_fwdPosition(s.m, s.d);
  mju_user_warning = onWarning;
  return s;
}

static void close(TstScene* s) {
  mju_user_warning = NULL;
  tst_closeScene(s);
}

static const Given PLAIN = {
    .ref = {0.05, 0.8},
      .imp = { 0.9, 0.95, 0.001, 0.5, 2},
      .depth = 0.01
};

// stiffness and damping from the time constant and the damping ratio, or given
static void stiffnessAndDamping(void** state) {
  (void)state;
  TstScene s = open();
  const mjtNum dmax = 0.95;
  static const mjtNum formats[][2] = {
      {0.05, 0.8},
      {0.3,  2  },
      {-50,  -3 },
      {0,    0  }
  };
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      Given g = PLAIN;
      memcpy(g.ref, formats[i], sizeof(g.ref));
      memcpy(g.friction, formats[j], sizeof(g.friction));
      solve(&s, &g);
      assert_int_equal(warnings, 0);
      const mjtNum* const own = j == 3 ? g.ref : g.friction;
      const mjtNum K =
          g.ref[0] > 0 ? 1 / (dmax * dmax * g.ref[0] * g.ref[0] * g.ref[1] * g.ref[1]) : -g.ref[0] / (dmax * dmax);
      const mjtNum B = g.ref[0] > 0 ? 2 / (dmax * g.ref[0]) : -g.ref[1] / dmax;
      const mjtNum Bown = own[0] > 0 ? 2 / (dmax * own[0]) : -own[1] / dmax;
      assertNear(s.d->efc_KBIP[0], K);
      assertNear(s.d->efc_KBIP[1], B);
      for (int row = 1; row < 3; row++) {
        assert_true(s.d->efc_KBIP[4 * row] == 0);
        assertNear(s.d->efc_KBIP[4 * row + 1], Bown);
      }
    }
  }
  close(&s);
}

// numbers of both signs: the default, zeros for friction, and a word
static void mixedSigns(void** state) {
  (void)state;
  TstScene s = open();
  Given g = PLAIN;
  for (int sign = -1; sign <= 1; sign += 2) {
    g.ref[0] = 0.07 * sign;
    g.ref[1] = -1.5 * sign;
    solve(&s, &g);
    assert_true(warnings >= 1);
    assert_non_null(strstr(warned, "mixed solref format"));
    assertNear(s.d->efc_KBIP[0], 1 / (0.95 * 0.95 * 0.02 * 0.02));
    assertNear(s.d->efc_KBIP[1], 2 / (0.95 * 0.02));

    g = PLAIN;
    g.friction[0] = 0.07 * sign;
    g.friction[1] = -1.5 * sign;
    solve(&s, &g);
    assert_true(warnings >= 1);
    assert_non_null(strstr(warned, "solreffriction values should have the same sign"));
    assertNear(s.d->efc_KBIP[5], 2 / (0.95 * 0.05));
    g = PLAIN;
  }
  close(&s);
}

// time constants below two steps are lengthened, unless that is switched off
static void shortTimes(void** state) {
  (void)state;
  TstScene s = open();
  Given g = PLAIN;
  g.ref[0] = 0.004;
  g.friction[0] = 0.006;
  g.friction[1] = 1;
  for (int off = 0; off < 2; off++) {
    s.m->opt.disableflags = off ? mjDSBL_REFSAFE : 0;
    solve(&s, &g);
    assertNear(s.d->efc_KBIP[1], 2 / (0.95 * (off ? 0.004 : 0.02)));
    assertNear(s.d->efc_KBIP[5], 2 / (0.95 * (off ? 0.006 : 0.02)));
  }
  close(&s);
}

// the sigmoid: d0 at zero, dmax at the width, y(x) = x^p / m^(p-1) up to the midpoint and mirrored above
static mjtNum sigmoid(const mjtNum imp[5], mjtNum x) {
  const mjtNum m = imp[3], p = imp[4];
  const mjtNum y = x >= 1 ? 1 : x <= m ? pow(x, p) / pow(m, p - 1) : 1 - pow(1 - x, p) / pow(1 - m, p - 1);
  return imp[0] + y * (imp[1] - imp[0]);
}

static void impedanceIsASigmoid(void** state) {
  (void)state;
  TstScene s = open();
  for (int power = 1; power <= 4; power++) {
    for (int middle = 1; middle <= 3; middle++) {
      for (int k = 0; k <= 24; k++) {
        Given g = PLAIN;
        memcpy(g.imp, (mjtNum[]){0.3, 0.8, 0.02, 0.25 * middle, power == 4 ? 2.5 : power}, sizeof(g.imp));
        g.depth = 0.001 * k;
        solve(&s, &g);
        assertNear(s.d->efc_KBIP[2], sigmoid(g.imp, g.depth / 0.02));
        assertNear(s.d->efc_R[0], (1 - s.d->efc_KBIP[2]) / s.d->efc_KBIP[2] * s.d->efc_diagApprox[0]);

        // its derivative with respect to the distance, which is negative
        const mjtNum h = 1e-7, x = g.depth / 0.02;
        const mjtNum slope = (sigmoid(g.imp, x + h) - sigmoid(g.imp, x - h)) / (2 * h) / 0.02;
        if (k > 0 && k != 20 && k != 5 * middle) {
          assert_true(fabs(s.d->efc_KBIP[3] + (x < 1 ? slope : 0)) < 1e-5 * (1 + fabs(slope)));
        }
      }
    }
  }
  close(&s);
}

// what is out of range is brought back; without a width the mean counts
static void impedanceIsLimited(void** state) {
  (void)state;
  TstScene s = open();
  // powers below one count as one, midpoints stay inside
  static const mjtNum cases[][6] = {
      {0.9, 0.95, 0,     0.5, 2,   0.925   },
      {0.9, 0.95, -1,    0.5, 2,   0.925   },
      {0.4, 0.4,  0.001, 0.5, 2,   0.4     },
      {-1,  -1,   0.001, 0.5, 2,   mjMINIMP},
      {0.5, 2,    0.001, 0.5, 2,   mjMAXIMP},
      {0.2, 0.6,  0.02,  0.5, 0.3, 0.4     },
      {0.2, 0.6,  0.02,  -1,  1,   0.4     },
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    Given g = PLAIN;
    memcpy(g.imp, cases[i], sizeof(g.imp));
    solve(&s, &g);
    assertNear(s.d->efc_KBIP[2], cases[i][5]);
  }
  close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stiffnessAndDamping), cmocka_unit_test(mixedSigns),         cmocka_unit_test(shortTimes),
      cmocka_unit_test(impedanceIsASigmoid), cmocka_unit_test(impedanceIsLimited),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
