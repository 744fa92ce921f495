// Transmissions against the reference, and moments as gradients of lengths.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/model.h"
#include "support/near.h"
#include "support/stage.h"

static void compareRows(Stage* s) {
  const int nu = (int)s->m->nu;
  stg_spoil(s->d->actuator_length, nu);
  memset(s->d->moment_rownnz, -1, sizeof(int) * (size_t)nu);
  memset(s->d->moment_rowadr, -1, sizeof(int) * (size_t)nu);
  mj_transmission(s->m, s->d);
  stg_near(s, "actuator_length", s->ref->actuator_length, s->d->actuator_length, nu, 1e-13);
  stg_same(s, "moment_rownnz", s->ref->moment_rownnz, s->d->moment_rownnz, nu);
  stg_same(s, "moment_rowadr", s->ref->moment_rowadr, s->d->moment_rowadr, nu);
  if (s->errors || !nu) return;
  const int nnz = s->ref->moment_rowadr[nu - 1] + s->ref->moment_rownnz[nu - 1];
  stg_same(s, "moment_colind", s->ref->moment_colind, s->d->moment_colind, nnz);
  stg_near(s, "actuator_moment", s->ref->actuator_moment, s->d->actuator_moment, nnz, 1e-13);
}

static void compareModel(const char* name, mjModel* m) {
  Stage s = stg_open(name, m);
  Rnd rnd = {11};
  for (int trial = 0; trial < 6; trial++) {
    m->opt.jacobian = trial % 2 ? mjJAC_SPARSE : mjJAC_DENSE;
    m->opt.cone = trial % 3 ? mjCONE_PYRAMIDAL : mjCONE_ELLIPTIC;
    stg_randomize(&s, &rnd, trial < 2 ? 0.0 : 0.3);
    stg_forward(&s);
    compareRows(&s);
  }
  stg_finish(&s);
}

static void modelsMatchReference(void** state) {
  (void)state;
  stg_eachModel(compareModel, 1);
}

// sites of one chain, of two trees, of the world; slider-crank out of reach; adhesion with and without gap
static const char SCENE[] =
    "<mujoco><option><flag contact='enable'/></option><worldbody>"
    "<geom type='plane' size='2 2 .1'/><site name='w' pos='.1 .2 .3' euler='10 20 30'/>"
    "<body name='a' pos='0 0 1'><freejoint/><geom size='.1'/><site name='a' pos='.1 0 .2' euler='30 0 10'/>"
    " <body pos='.3 0 0'><joint axis='0 1 0'/><geom size='.05'/><site name='b' pos='.1 .1 0'/>"
    "  <body pos='.3 0 0'><joint type='ball'/><geom size='.05'/><site name='c' pos='.1 .1 .05' euler='0 40 0'/></body>"
    " </body>"
    " <body pos='-.3 0 0'><joint type='slide' axis='0 0 1'/><geom size='.05'/><site name='d' pos='0 .1 .1'/></body>"
    "</body>"
    "<body name='e' pos='1 0 .0995'><freejoint/><geom type='box' size='.1 .1 .1' condim='4'/><site name='e'/></body>"
    "<body name='f' pos='-1 0 .1'><freejoint/><geom size='.1' condim='1' margin='.05' gap='.04'/></body>"
    "</worldbody><actuator>"
    "<general site='c' gear='1 2 3 .1 .2 .3'/>"
    "<general site='c' refsite='d' gear='1 0 0 0 1 .5'/>"
    "<general site='c' refsite='b' gear='0 0 0 1 0 0'/>"
    "<general site='b' refsite='c' gear='1 .2 0 0 0 0'/>"
    "<general site='c' refsite='w' gear='1 1 1 1 1 1'/>"
    "<general site='w' refsite='c' gear='0 1 0 0 0 1'/>"
    "<general site='a' refsite='e' gear='1 0 0 0 0 1'/>"
    "<general site='w' gear='1 0 0 0 0 1'/>"
    "<general cranksite='c' slidersite='d' cranklength='2' gear='1.5'/>"
    "<general cranksite='c' slidersite='a' cranklength='.01'/>"
    "<general cranksite='e' slidersite='w' cranklength='3'/>"
    "<adhesion body='e' ctrlrange='0 1'/><adhesion body='f' ctrlrange='0 1'/><adhesion body='a' ctrlrange='0 1'/>"
    "</actuator></mujoco>";

static void scenesMatchReference(void** state) {
  (void)state;
  stg_oneScene(compareModel, "sites and adhesion", SCENE);
}

// the moment of an actuator with a length is the gradient of that length
static void momentIsGradient(void** state) {
  (void)state;
  mjModel* m = tst_model("actuators");
  mjData* d = mj_makeData(m);
  const int nv = (int)m->nv, nu = (int)m->nu;
  Rnd rnd = {3};
  for (int i = 0; i < nv; i++) d->qvel[i] = rnd_uniform(&rnd, -0.3, 0.3);
  mj_integratePos(m, d->qpos, d->qvel, 1);
  mj_fwdPosition(m, d);
  mjData* moved = mj_makeData(m);
  int checked = 0;
  const double eps = 1e-6;
  for (int i = 0; i < nv; i++) {
    mjtNum dpos[64] = {0}, length[2][64];
    assert_true(nv <= 64 && nu <= 64);
    for (int k = 0; k < 2; k++) {
      dpos[i] = k ? eps : -eps;
      memcpy(moved->qpos, d->qpos, sizeof(mjtNum) * (size_t)m->nq);
      mj_integratePos(m, moved->qpos, dpos, 1);
      mj_fwdPosition(m, moved);
      memcpy(length[k], moved->actuator_length, sizeof(mjtNum) * (size_t)nu);
    }
    for (int a = 0; a < nu; a++) {
      // scalar joints, tendons and slider-cranks have lengths
      const int type = m->actuator_trntype[a];
      const int scalar = type == mjTRN_TENDON || type == mjTRN_SLIDERCRANK ||
                         (type == mjTRN_JOINT && m->jnt_type[m->actuator_trnid[2 * a]] >= mjJNT_SLIDE);
      if (!scalar) continue;
      mjtNum moment = 0;
      for (int j = 0; j < d->moment_rownnz[a]; j++) {
        const int adr = d->moment_rowadr[a] + j;
        if (d->moment_colind[adr] == i) moment = d->actuator_moment[adr];
      }
      assert_true(fabs(moment - (length[1][a] - length[0][a]) / (2 * eps)) < 1e-7);
      checked++;
    }
  }
  assert_true(checked > nv);
  mj_deleteData(moved);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// a muscle between two sites: its length is along the axis of the other site, and gain and bias act on that
static void muscleOnSiteWithRefsite(void** state) {
  (void)state;
  static const char xml[] =
      "<mujoco><option gravity='0 0 0'/><worldbody><site name='w' euler='0 0 30'/><body pos='.5 0 0'>"
      "<joint type='slide' axis='1 0 0'/><joint axis='0 0 1'/><geom size='.1' mass='2'/><site name='s' pos='.1 0 0'/>"
      "</body></worldbody><actuator><general site='s' refsite='w' gear='1 0 0 0 0 0' lengthrange='.3 .9' "
      "dyntype='muscle' gaintype='muscle' biastype='muscle' dynprm='.01 .04' gainprm='.75 1.05 100 200 .5 1.6 1.5 1.3 "
      "1.2' biasprm='.75 1.05 100 200 .5 1.6 1.5 1.3 1.2'/></actuator></mujoco>";
  TstScene s = tst_openScene(xml);
  s.d->qpos[0] = 0.05;
  s.d->qpos[1] = 0.3;
  s.d->qvel[0] = 0.1;
  s.d->qvel[1] = 0.2;
  s.d->ctrl[0] = 0.7;
  s.d->act[0] = 0.5;
  mj_forward(s.m, s.d);

  // the site seen from the other one, which is turned by 30 degrees
  const mjtNum turn = mjPI / 6, x = 0.55 + 0.1 * cos(0.3), y = 0.1 * sin(0.3);
  const mjtNum vx = 0.1 - 0.1 * sin(0.3) * 0.2, vy = 0.1 * cos(0.3) * 0.2;
  const mjtNum length = x * cos(turn) + y * sin(turn), velocity = vx * cos(turn) + vy * sin(turn);
  assert_near(s.d->actuator_length[0], length, 1e-14);
  assert_near(s.d->actuator_velocity[0], velocity, 1e-14);
  const mjtNum *range = s.m->actuator_lengthrange, *prm = s.m->actuator_gainprm, acc0 = s.m->actuator_acc0[0];
  const mjtNum force =
      0.5 * mju_muscleGain(length, velocity, range, acc0, prm) + mju_muscleBias(length, range, acc0, prm);
  assert_true(range[0] == 0.3 && range[1] == 0.9 && force < -10);
  assert_near(s.d->actuator_force[0], force, 1e-11);
  assert_near(s.d->qfrc_actuator[0], force * cos(turn), 1e-11);

  // what 3.5.0 gives
  assert_near(s.d->actuator_length[0], 0.57382455, 1e-8);
  assert_near(s.d->actuator_force[0], -47.401912, 1e-6);
  assert_near(s.d->act_dot[0], 16, 1e-9);
  tst_closeScene(&s);
}

static void ignore(const char* text) {
  (void)text;
}

// contacts whose rows found no room still say which way a body adheres
static void adhesionWithoutRows(void** state) {
  (void)state;
  mjModel* m = tst_string(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='b' pos='0 0 .049' euler='0 9 0'><freejoint/>"
      "<geom type='box' size='.1 .2 .05'/></body></worldbody>"
      "<actuator><adhesion body='b' ctrlrange='0 1'/></actuator></mujoco>");
  mjData* d = mj_makeData(m);
  for (int trial = 0; trial < 4; trial++) {
    m->opt.jacobian = trial % 2 ? mjJAC_SPARSE : mjJAC_DENSE;
    m->opt.cone = trial / 2 ? mjCONE_PYRAMIDAL : mjCONE_ELLIPTIC;
    mjtNum with[6] = {0}, without[6] = {0};
    mj_fwdPosition(m, d);
    assert_true(d->nefc > 0);
    mju_sparse2dense(with, d->actuator_moment, 1, 6, d->moment_rownnz, d->moment_rowadr, d->moment_colind);

    // room for the contacts alone
    const mjtSize narena = d->narena;
    mju_user_warning = ignore;
    mj_collision(m, d);
    d->narena = (mjtSize)(d->parena + 1024);
    mj_makeConstraint(m, d);
    d->narena = narena;
    mju_user_warning = NULL;
    assert_int_equal(d->nefc, 0);
    mj_transmission(m, d);
    mju_sparse2dense(without, d->actuator_moment, 1, 6, d->moment_rownnz, d->moment_rowadr, d->moment_colind);
    assert_true(fabs(with[2]) > 0.5);
    for (int i = 0; i < 6; i++) assert_true(fabs(with[i] - without[i]) < 1e-14);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// muscles along an arm: dofs that move both ends of a segment have moments of about 1e-17, or of nothing at all
static const char MUSCLES[] =
    "<mujoco><option jacobian='dense'/><worldbody>"
    "<body pos='.1 .2 1'><joint axis='.3 .5 .8'/><joint axis='1 0 0'/><geom size='.02'/><site name='a' pos='.03 .01 "
    ".07'/>"
    "<body pos='.1 0 .2'><joint axis='0 1 0'/><geom size='.02'/><site name='b' pos='-.02 .05 .01'/>"
    "<body pos='0 .1 .2'><joint axis='1 1 0'/><geom size='.02'/><site name='c' pos='.04 .02 -.03'/>"
    "<body pos='.1 .1 .1'><joint axis='.2 0 1'/><geom size='.02'/><site name='d' pos='.01 .06 "
    ".02'/></body></body></body>"
    "<body pos='-.1 .1 .2'><joint axis='0 .6 .8'/><geom size='.02'/><site name='e' pos='.05 -.02 .01'/></body></body>"
    "</worldbody><tendon>"
    "<spatial name='p'><site site='a'/><site site='b'/><site site='d'/></spatial>"
    "<spatial name='q'><site site='b'/><site site='c'/></spatial>"
    "<spatial name='r'><site site='c'/><site site='d'/></spatial>"
    "<spatial name='s'><site site='e'/><site site='d'/><site site='b'/></spatial></tendon>"
    "<actuator><motor tendon='p'/><motor tendon='q' gear='2.5'/><motor tendon='r'/><motor "
    "tendon='s'/></actuator></mujoco>";

// entries are counted as the tendon has them: what is exactly zero is not there, what is only tiny is
static void tinyMomentsCount(void** state) {
  (void)state;
  mjModel* m = tst_string(MUSCLES);
  mjData* d = mj_makeData(m);
  Rnd rnd = {9};
  int tiny = 0;
  for (int trial = 0; trial < 50; trial++) {
    for (int i = 0; i < m->nq; i++) d->qpos[i] = rnd_uniform(&rnd, -1, 1);
    mj_fwdPosition(m, d);
    for (int a = 0; a < m->nu; a++) {
      int nnz = 0;
      for (int i = 0; i < m->nv; i++) {
        const mjtNum J = d->ten_J[a * m->nv + i];
        nnz += J != 0;
        tiny += J != 0 && fabs(J) < 1e-14;
      }
      assert_int_equal(d->moment_rownnz[a], nnz);
    }
  }
  assert_true(tiny > 10);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// the reference's poses give the reference's zeros, to the bit
static void tinyMomentsMatchReference(void** state) {
  (void)state;
  mjModel* m = orc_compile(MUSCLES);
  Stage s = stg_open("muscles", m);
  Rnd rnd = {13};
  for (int trial = 0; trial < 50; trial++) {
    stg_randomize(&s, &rnd, 0.5);
    stg_forward(&s);
    mj_tendon(m, s.d);
    compareRows(&s);
  }
  stg_close(&s);
  assert_int_equal(s.errors, 0);
  ORC(mj_deleteModel)(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modelsMatchReference),    cmocka_unit_test(scenesMatchReference),
      cmocka_unit_test(momentIsGradient),        cmocka_unit_test(adhesionWithoutRows),
      cmocka_unit_test(tinyMomentsCount),        cmocka_unit_test(tinyMomentsMatchReference),
      cmocka_unit_test(muscleOnSiteWithRefsite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
