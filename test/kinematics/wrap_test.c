// Tendon wrapping in the plane and in space, tendon paths and Jacobians. The lengths and points named "reference" come
// from the reference library on test/models/wraps.xml (and agree with the values of the specification to its digits).
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "kinematics/wrap.h"
#include "support/model.h"

static int tendon(const mjModel* m, const char* name) {
  const int id = mj_name2id(m, mjOBJ_TENDON, name);
  assert_true(id >= 0);
  return id;
}

// how far a point of the circle is from being stationary on the path end0 - point - end1
static double tangency(const mjtNum t[2], const mjtNum end[4]) {
  double sum[2] = {0, 0};
  for (int k = 0; k < 2; k++) {
    const double x = t[0] - end[2 * k], y = t[1] - end[2 * k + 1], len = hypot(x, y);
    sum[0] += x / len;
    sum[1] += y / len;
  }
  return fabs(-t[1] * sum[0] + t[0] * sum[1]) / hypot(t[0], t[1]);
}

// ---------------------------------------------------------------- plane

static void insideIsTangent(void** state) {
  (void)state;
  const mjtNum end[4] = {2, 0, 1.5, 1.5 * sqrt(3)};
  mjtNum pnt[4];
  assert_true(kin_wrapInside(pnt, end, 1) == 0);
  assert_true(pnt[0] == pnt[2] && pnt[1] == pnt[3]);
  assert_true(fabs(hypot(pnt[0], pnt[1]) - 1) < 1e-10);
  assert_true(tangency(pnt, end) < 1e-8);

  // the other orientation gives the mirror image
  const mjtNum mirror[4] = {2, 0, 1.5, -1.5 * sqrt(3)};
  mjtNum other[4];
  assert_true(kin_wrapInside(other, mirror, 1) == 0);
  assert_true(fabs(other[0] - pnt[0]) < 1e-7 && fabs(other[1] + pnt[1]) < 1e-7);
}

static void insideRefuses(void** state) {
  (void)state;
  mjtNum pnt[4];
  const mjtNum across[4] = {2, 0.1, -2, 0.1}, surface[4] = {1, 0, 0, 2}, within[4] = {0.5, 0, 0, 2};
  assert_true(kin_wrapInside(pnt, across, 1) == -1);
  assert_true(kin_wrapInside(pnt, surface, 1) == -1);
  assert_true(kin_wrapInside(pnt, within, 1) == -1);
  assert_true(kin_wrapInside(pnt, surface, 0) == -1);
}

static void insideFallsBack(void** state) {
  (void)state;
  // ends that barely clear the circle, and ends in the same place: still a point on the circle
  const mjtNum cases[3][4] = {
      {1.0000001, 0, 1.0000001 * cos(1e-4),  1.0000001 * sin(1e-4) },
      {2,         1, 2,                      1                     },
      {1 + 1e-9,  0, (1 + 1e-9) * cos(1e-5), (1 + 1e-9) * sin(1e-5)}
  };
  for (int i = 0; i < 3; i++) {
    mjtNum pnt[4];
    assert_true(kin_wrapInside(pnt, cases[i], 1) == 0);
    assert_true(fabs(hypot(pnt[0], pnt[1]) - 1) < 1e-10);
  }
}

static void circleByHand(void** state) {
  (void)state;
  // from (-2, 0) over the unit circle to (2, 0): tangents touch at 120 and 60 degrees
  const mjtNum end[4] = {-2, 0, 2, 0}, up[2] = {0, 1}, down[2] = {0, -1};
  mjtNum pnt[4];
  const mjtNum length = kin_wrapCircle(pnt, end, up, 1);
  assert_true(fabs(length - M_PI / 3) < 1e-12);
  assert_true(fabs(pnt[0] + 0.5) < 1e-12 && fabs(pnt[1] - sqrt(3) / 2) < 1e-12);
  assert_true(fabs(pnt[2] - 0.5) < 1e-12 && fabs(pnt[3] - sqrt(3) / 2) < 1e-12);
  assert_true(fabs(kin_wrapCircle(pnt, end, down, 1) - M_PI / 3) < 1e-12);
  assert_true(pnt[1] < 0);

  // clear of the circle, and on the wrong side of it
  const mjtNum clear[4] = {-2, 1.5, 2, 1.5};
  assert_true(kin_wrapCircle(pnt, clear, NULL, 1) == -1);
  assert_true(kin_wrapCircle(pnt, clear, up, 1) == -1);
  assert_true(kin_wrapCircle(pnt, clear, down, 1) > M_PI / 3);
  const mjtNum within[4] = {-2, 0, 0.5, 0};
  assert_true(kin_wrapCircle(pnt, within, NULL, 1) == -1);
}

// ---------------------------------------------------------------- paths at the initial configuration

typedef struct {
  const char* name;
  double length;
  int num;
  double touch[3];  // second point of the path
} Path;

static void referencePaths(void** state) {
  (void)state;
  // clang-format off
  static const Path paths[] = {
      {"sphere", 0.424264068711929, 4, {0.15, 0, 0}},
      {"center", 0.424264068711929, 4, {0.15, 0, 0}},
      {"edge", 0.3, 2, {0.3, 0, -0.15}},
      {"cylinder", 0.538516480713450, 4, {0.15, 0, 0}},
      {"skew", 0.542346519424661, 4, {0.148607047563419, -0.020394739872909, 0.117656368532109}},
      {"thin", 0.412310562561766, 2, {0.3, -0.05, -0.2}},
      {"thinplain", 0.412310562561766, 2, {0.3, -0.05, -0.2}},
      {"oversphere", 0.8194261769282121, 4, {-0.02415893445188, -0.02941480839572, 0.09247223871624}},
      {"undersphere", 0.8351895451920223, 4, {-0.025685302308245, 0.031907020233726, -0.091226132797235}},
      {"overdrum", 0.8197684967679999, 4, {-0.022564475874102, -0.003674370888669, 0.097420965035905}},
      {"straight", 0.8016233529532433, 2, {0.4, -0.03, 0.02}},
      {"three", 0.983652404948445, 3, {0, 0, 0.3}},
      {"pulley", 1.253978302080585, 5, {0.4, -0.03, 0.02}},
      {"mixed", 2.0745658940200826, 6, {-0.4, 0.02, 0.01}},
      {"clear", 0.5, 2, {0.6, 0.2, 1}},
      {"sum", 0, 0, {0}}};
  // clang-format on
  mjModel* m = tst_model("wraps");
  mjData* d = mj_makeData(m);
  mj_fwdKinematics(m, d);
  for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
    const int t = tendon(m, paths[i].name);
    assert_true(fabs(d->ten_length[t] - paths[i].length) < 1e-12);
    assert_int_equal(d->ten_wrapnum[t], paths[i].num);
    if (!paths[i].num) continue;
    const mjtNum* second = d->wrap_xpos + 3 * (d->ten_wrapadr[t] + 1);
    for (int k = 0; k < 3; k++) assert_true(fabs(second[k] - paths[i].touch[k]) < 1e-9);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// the path lists are contiguous, start and end at sites, and name the geoms in between
static void pathMarkers(void** state) {
  (void)state;
  mjModel* m = tst_model("wraps");
  mjData* d = mj_makeData(m);
  mj_fwdKinematics(m, d);
  for (int t = 0; t + 1 < m->ntendon; t++) {
    assert_int_equal(d->ten_wrapadr[t] + d->ten_wrapnum[t], d->ten_wrapadr[t + 1]);
  }

  const int ball = mj_name2id(m, mjOBJ_GEOM, "ball");
  const int mixed[6] = {-1, -1, ball, ball, -1, -1}, pulley[5] = {-1, -1, -2, -1, -1};
  assert_memory_equal(d->wrap_obj + d->ten_wrapadr[tendon(m, "mixed")], mixed, sizeof(mixed));
  assert_memory_equal(d->wrap_obj + d->ten_wrapadr[tendon(m, "pulley")], pulley, sizeof(pulley));

  // through the inside: one point, twice
  const int inside = d->ten_wrapadr[tendon(m, "sphere")];
  assert_memory_equal(d->wrap_xpos + 3 * (inside + 1), d->wrap_xpos + 3 * (inside + 2), 3 * sizeof(mjtNum));

  // straight pieces add up to the length
  const int three = d->ten_wrapadr[tendon(m, "three")];
  double sum = 0;
  for (int k = three; k < three + 2; k++) {
    double dist = 0;
    for (int c = 0; c < 3; c++) dist += pow(d->wrap_xpos[3 * k + 3 + c] - d->wrap_xpos[3 * k + c], 2);
    sum += sqrt(dist);
  }
  assert_true(fabs(sum - d->ten_length[tendon(m, "three")]) < 1e-10);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// cylinder: stationary across, height spread in proportion along
static void skewHeight(void** state) {
  (void)state;
  mjModel* m = tst_model("wraps");
  mjData* d = mj_makeData(m);
  mj_fwdKinematics(m, d);
  const mjtNum* p = d->wrap_xpos + 3 * d->ten_wrapadr[tendon(m, "skew")];
  const mjtNum end[4] = {p[0], p[1], p[9], p[10]};
  assert_true(tangency(p + 3, end) < 1e-8);
  const double l0 = hypot(p[0] - p[3], p[1] - p[4]), l1 = hypot(p[9] - p[3], p[10] - p[4]);
  assert_true(fabs(p[5] - (p[2] + (p[11] - p[2]) * l0 / (l0 + l1))) < 1e-12);
  assert_true(fabs(p[5] - 0.1) > 0.01);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// ---------------------------------------------------------------- motion

// a side site moves into the sphere: the path switches where it passes the surface
static void sweepThroughSurface(void** state) {
  (void)state;
  static const double reference[5][2] = {
      {-0.04, 0.397761312300161},
      {-0.02, 0.410539632911676},
      {-0.01, 0.300166620396073},
      {0,     0.3              },
      {0.04,  0.302654919008431}
  };
  mjModel* m = tst_model("wraps");
  mjData* d = mj_makeData(m);
  const int t = tendon(m, "sweep"), q = m->jnt_qposadr[mj_name2id(m, mjOBJ_JOINT, "sweep")];
  for (int i = 0; i < 5; i++) {
    d->qpos[q] = reference[i][0];
    mj_fwdKinematics(m, d);
    assert_true(fabs(d->ten_length[t] - reference[i][1]) < 1e-12);
  }
  for (int i = -50; i <= 50; i++) {
    d->qpos[q] = 0.001 * i;
    mj_fwdKinematics(m, d);
    assert_true(isfinite(d->ten_length[t]) && d->ten_length[t] > 0);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// every Jacobian entry is the derivative of the length; dense and sparse storage agree
static void jacobianIsDerivative(void** state) {
  (void)state;
  mjModel* m = tst_model("wraps");
  mjData *d = mj_makeData(m), *near = mj_makeData(m);
  const mjtNum eps = 1e-6;
  for (int i = 0; i < m->nq; i++) d->qpos[i] = 0.013 * (i + 1) * (i % 2 ? -1 : 1);
  m->opt.jacobian = mjJAC_DENSE;
  mj_fwdKinematics(m, d);
  for (int i = 0; i < m->nv; i++) {
    mjtNum length[2][32];
    for (int side = 0; side < 2; side++) {
      memcpy(near->qpos, d->qpos, m->nq * sizeof(mjtNum));
      near->qpos[i] += side ? eps : -eps;
      mj_fwdKinematics(m, near);
      memcpy(length[side], near->ten_length, m->ntendon * sizeof(mjtNum));
    }
    // the inside solver stops at 1e-6, which the derivative of its point feels
    for (int t = 0; t < m->ntendon; t++) {
      const mjtNum slope = (length[1][t] - length[0][t]) / (2 * eps);
      assert_true(fabs(slope - d->ten_J[t * m->nv + i]) < 1e-4 * fmax(1, fabs(slope)));
    }
  }

  m->opt.jacobian = mjJAC_SPARSE;
  mj_fwdKinematics(m, near);
  memcpy(near->qpos, d->qpos, m->nq * sizeof(mjtNum));
  mj_fwdKinematics(m, near);
  for (int t = 0; t < m->ntendon; t++) {
    mjtNum row[32] = {0};
    for (int k = 0; k < near->ten_J_rownnz[t]; k++) {
      const int adr = near->ten_J_rowadr[t] + k;
      assert_true(k == 0 || near->ten_J_colind[adr] > near->ten_J_colind[adr - 1]);
      row[near->ten_J_colind[adr]] = near->ten_J[adr];
    }
    assert_memory_equal(row, d->ten_J + t * m->nv, m->nv * sizeof(mjtNum));
  }
  mj_deleteData(near);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// ---------------------------------------------------------------- scenes of their own

// a weight on an arm pulled by a spring round a ball
#define SPRING                                                                                                         \
  "<mujoco><worldbody><body><geom name='ball' size='.1' contype='0' conaffinity='0'/><site name='a' pos='-.4 0 .02'/>" \
  "<body pos='0 0 .3'><joint axis='0 1 0'/><geom size='.02' pos='.4 0 -.28' mass='1' contype='0' conaffinity='0'/>"    \
  "<site name='b' pos='.4 0 -.28'/></body></body><site name='side' pos='0 0 .3'/></worldbody><tendon>"                 \
  "<spatial stiffness='20' springlength='.5'><site site='a'/><geom geom='ball' sidesite='side'/><site "                \
  "site='b'/></spatial>"                                                                                               \
  "</tendon></mujoco>"

// where the path leaves the ball in each of five steps, and its length, as printed by the reference
static void pathsOfSteps(void** state) {
  (void)state;
  static const mjtNum reference[5][3] = {
      {0.020102064980133349, 0.097958700397333259, 0.81610872280551483},
      {0.020111838964109636, 0.097956694173914033, 0.81609198249941262},
      {0.02013138787638959,  0.097952678483900366, 0.81605850455266715},
      {0.020160713604799398, 0.097946646838701218, 0.81600829430041566},
      {0.020199818979003952, 0.097938589499826256, 0.81594135975591253}
  };
  TstScene s = tst_openScene(SPRING);
  for (int step = 0; step < 5; step++) {
    mj_step(s.m, s.d);
    assert_int_equal(s.d->ten_wrapnum[0], 4);
    const mjtNum* touch = s.d->wrap_xpos + 6;
    assert_true(fabs(touch[0] - reference[step][0]) < 1e-12 && fabs(touch[2] - reference[step][1]) < 1e-12);
    assert_true(fabs(hypot(touch[0], touch[2]) - 0.1) < 1e-12);
    assert_true(fabs(s.d->ten_length[0] - reference[step][2]) < 1e-12);
  }
  tst_closeScene(&s);
}

// side sites inside a sphere and inside a cylinder: nothing is refused, and a step is finite
static void insideSteps(void** state) {
  (void)state;
  mjModel* m = tst_model("wraps");
  mjData* d = mj_makeData(m);
  const int inside[2] = {tendon(m, "sphere"), tendon(m, "cylinder")};
  for (int k = 0; k < 2; k++) m->tendon_stiffness[inside[k]] = 10;
  for (int step = 0; step < 20; step++) mj_step(m, d);
  for (int k = 0; k < 2; k++) {
    assert_int_equal(d->ten_wrapnum[inside[k]], 4);

    // two straight pieces and no arc
    const mjtNum* p = d->wrap_xpos + 3 * d->ten_wrapadr[inside[k]];
    double sum = 0;
    for (int piece = 0; piece < 2; piece++) {
      const mjtNum *from = p + 6 * piece, *to = from + 3;
      sum += sqrt(pow(to[0] - from[0], 2) + pow(to[1] - from[1], 2) + pow(to[2] - from[2], 2));
    }
    assert_true(fabs(sum - d->ten_length[inside[k]]) < 1e-12);
  }
  for (int i = 0; i < m->nq; i++) assert_true(isfinite(d->qpos[i]));
  assert_int_equal(d->warning[mjWARN_BADQPOS].number + d->warning[mjWARN_BADQACC].number, 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// a straight tendon, one round a ball and a fixed one share the arrays without gaps
static void severalTendons(void** state) {
  (void)state;
  TstScene s = tst_openScene(
      "<mujoco><worldbody><geom name='ball' size='.1'/><site name='a' pos='-1 0 0'/><site name='b' pos='0 1 0'/>"
      "<body pos='1 0 .01'><joint name='j' type='slide' axis='1 0 0'/><geom size='.1'/><site "
      "name='c'/></body></worldbody>"
      "<tendon><spatial><site site='a'/><site site='b'/></spatial><fixed><joint joint='j' coef='1'/></fixed>"
      "<spatial><site site='a'/><geom geom='ball'/><site site='c'/></spatial></tendon></mujoco>");
  const mjModel* m = s.m;
  mj_fwdKinematics(m, s.d);
  const int adr[3] = {0, 2, 2}, num[3] = {2, 0, 4}, obj[6] = {-1, -1, -1, 0, 0, -1};
  assert_memory_equal(s.d->ten_wrapadr, adr, sizeof(adr));
  assert_memory_equal(s.d->ten_wrapnum, num, sizeof(num));
  assert_memory_equal(s.d->wrap_obj, obj, sizeof(obj));
  assert_memory_equal(s.d->wrap_xpos, s.d->site_xpos, 6 * sizeof(mjtNum));
  assert_memory_equal(s.d->wrap_xpos + 6, s.d->site_xpos, 3 * sizeof(mjtNum));
  assert_memory_equal(s.d->wrap_xpos + 15, s.d->site_xpos + 6, 3 * sizeof(mjtNum));
  assert_true(2 * m->nwrap >= 6);
  tst_closeScene(&s);
}

// a spatial tendon along a slide is the fixed tendon of that joint, up to a constant length; forces of actuators on
// both are the same joint force
static void straightEqualsFixed(void** state) {
  (void)state;
  TstScene s = tst_openScene(
      "<mujoco><worldbody><site name='w' pos='-2 0 0'/><body><joint name='j' type='slide' axis='1 0 0'/>"
      "<geom size='.1'/><site name='s'/></body></worldbody><tendon><spatial name='spatial'><site site='w'/><site "
      "site='s'/>"
      "</spatial><fixed name='fixed'><joint joint='j' coef='1'/></fixed></tendon><actuator>"
      "<motor tendon='spatial' gear='3'/><motor tendon='fixed' gear='3'/></actuator></mujoco>");
  for (int k = -3; k <= 3; k++) {
    s.d->qpos[0] = 0.2 * k;
    s.d->qvel[0] = 0.7 + k;
    s.d->ctrl[0] = 1.5;
    s.d->ctrl[1] = 0;
    mj_forward(s.m, s.d);
    assert_true(fabs(s.d->ten_length[0] - s.d->ten_length[1] - 2) < 1e-15);
    assert_true(fabs(s.d->ten_velocity[0] - s.d->qvel[0]) < 1e-15 && s.d->ten_velocity[1] == s.d->qvel[0]);
    assert_true(fabs(s.d->qfrc_actuator[0] - 4.5) < 1e-14);
    const mjtNum spatial = s.d->qfrc_actuator[0];
    s.d->ctrl[0] = 0;
    s.d->ctrl[1] = 1.5;
    mj_forward(s.m, s.d);
    assert_true(fabs(s.d->qfrc_actuator[0] - spatial) < 1e-14);
  }
  tst_closeScene(&s);
}

// velocity is the rate of change of the length along qvel; a force on the tendon becomes Jᵀ f at the joints
static void velocityAndForce(void** state) {
  (void)state;
  mjModel* m = tst_model("wraps");
  mjData *d = mj_makeData(m), *near = mj_makeData(m);
  const mjtNum eps = 1e-6;
  mjtNum length[2][32], sum[32] = {0};
  for (int i = 0; i < m->nv; i++) {
    d->qpos[i] = 0.017 * (i + 1) * (i % 2 ? 1 : -1);
    d->qvel[i] = 0.4 - 0.3 * i;
  }
  m->opt.jacobian = mjJAC_DENSE;
  mj_forward(m, d);
  for (int side = 0; side < 2; side++) {
    memcpy(near->qpos, d->qpos, m->nq * sizeof(mjtNum));
    mj_integratePos(m, near->qpos, d->qvel, side ? eps : -eps);
    mj_fwdKinematics(m, near);
    memcpy(length[side], near->ten_length, m->ntendon * sizeof(mjtNum));
  }
  // the inside solver stops at 1e-6
  for (int t = 0; t < m->ntendon; t++) {
    assert_true(fabs((length[1][t] - length[0][t]) / (2 * eps) - d->ten_velocity[t]) < 1e-4);
  }

  // springs of different stiffness on all of them
  for (int t = 0; t < m->ntendon; t++) {
    m->tendon_stiffness[t] = 1 + 0.1 * t;
    m->tendon_lengthspring[2 * t] = m->tendon_lengthspring[2 * t + 1] = 0.1;
    const mjtNum force = -m->tendon_stiffness[t] * (d->ten_length[t] - 0.1);
    for (int i = 0; i < m->nv; i++) sum[i] += force * d->ten_J[t * m->nv + i];
  }
  mj_passive(m, d);
  for (int i = 0; i < m->nv; i++) assert_true(fabs(d->qfrc_spring[i] - sum[i]) < 1e-13 * (1 + fabs(sum[i])));
  mj_deleteData(near);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(insideIsTangent),      cmocka_unit_test(insideRefuses),
                                     cmocka_unit_test(insideFallsBack),      cmocka_unit_test(circleByHand),
                                     cmocka_unit_test(referencePaths),       cmocka_unit_test(pathMarkers),
                                     cmocka_unit_test(skewHeight),           cmocka_unit_test(sweepThroughSurface),
                                     cmocka_unit_test(jacobianIsDerivative), cmocka_unit_test(pathsOfSteps),
                                     cmocka_unit_test(insideSteps),          cmocka_unit_test(severalTendons),
                                     cmocka_unit_test(straightEqualsFixed),  cmocka_unit_test(velocityAndForce)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
