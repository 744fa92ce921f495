// What each scene is about, as its header says, put into numbers. Loops are driven open or by a few lines of feedback;
// every bound leaves room for other step sizes and solvers, none for the effect being absent.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "scenes/scene.h"

// sets the controls before a step; NULL: leaves them as they are
typedef void (*Drive)(const mjModel* m, mjData* d);

static void run(const mjModel* m, mjData* d, double seconds, Drive drive) {
  const int steps = (int)lround(seconds / m->opt.timestep);
  for (int i = 0; i < steps; i++) {
    if (drive) drive(m, d);
    mj_step(m, d);
  }
  mj_forward(m, d);
}

static void setKey(const mjModel* m, mjData* d, const char* name) {
  mj_resetDataKeyframe(m, d, find(m, mjOBJ_KEY, name));
}

static double norm2(double x, double y) {
  return sqrt(x * x + y * y);
}

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

// -------------------------------------------------------------------------------------------- robots

// stands through the first push, lies still after the second
static void humanoid(const mjModel* m, mjData* d) {
  run(m, d, 5, NULL);
  assert_true(bodyPos(m, d, "head")[2] > 1.35);
  run(m, d, 5, NULL);
  assert_true(bodyPos(m, d, "head")[2] < 0.3);
  for (int i = 0; i < 6; i++) assert_true(fabs(d->qvel[i]) < 0.1);
}

// folds and falls when nobody controls it, in its plane; a kick of all motors lifts the foot from the ground
static void hopper(const mjModel* m, mjData* d) {
  run(m, d, 0.3, NULL);
  *control(m, d, "knee") = *control(m, d, "hip") = -1;
  run(m, d, 0.15, NULL);
  *control(m, d, "knee") = *control(m, d, "ankle") = 1;
  double highest = 0;
  for (int i = 0; i < 200; i++) {
    run(m, d, 0.002, NULL);
    highest = fmax(highest, bodyPos(m, d, "foot")[2]);
  }
  assert_true(highest > 0.1);
  assert_near(bodyPos(m, d, "trunk")[1], 0, 1e-12);
  mj_resetData(m, d);
  run(m, d, 3, NULL);
  assert_true(bodyPos(m, d, "trunk")[2] < 0.5);
}

// diagonal pairs in turn: the leg swings back on the ground and forward with the knee drawn in
static void trot(const mjModel* m, mjData* d) {
  static const char* const legs[4] = {"fl", "hr", "fr", "hl"};
  for (int i = 0; i < 4; i++) {
    char name[20];
    const double phase = 4 * mjPI * d->time + (i < 2 ? 0 : mjPI);
    snprintf(name, sizeof(name), "%s_swing", legs[i]);
    *control(m, d, name) = 0.02 + 0.2 * sin(phase);
    snprintf(name, sizeof(name), "%s_knee", legs[i]);
    *control(m, d, name) = -0.5 * fmax(0, -cos(phase));
  }
}

static void quadruped(const mjModel* m, mjData* d) {
  run(m, d, 1, NULL);
  assert_near(bodyPos(m, d, "trunk")[2], 0.29, 0.02);
  const double start = bodyPos(m, d, "trunk")[0];
  run(m, d, 3, trot);
  assert_true(bodyPos(m, d, "trunk")[0] > start + 0.5);
  assert_true(reading(m, d, "up")[2] > 0.97);
}

static void gripperArm(const mjModel* m, mjData* d) {
  for (int key = 0; key < m->nkey; key++) {
    mju_copy(d->ctrl, m->key_ctrl + key * m->nu, (int)m->nu);
    run(m, d, 1.5, NULL);
  }
  assert_true(bodyPos(m, d, "cube")[2] > 0.2);
  assert_true(reading(m, d, "hold")[0] > 0);
  assert_near(jointPos(m, d, "finger_left"), jointPos(m, d, "finger_right"), 1e-3);
}

static void muscleArm(const mjModel* m, mjData* d) {
  run(m, d, 1, NULL);
  assert_near(jointPos(m, d, "elbow"), 0, 0.15);
  *control(m, d, "brachialis") = 1;
  run(m, d, 0.5, NULL);
  assert_true(jointPos(m, d, "elbow") > mjPI / 2);
  assert_true(d->act[find(m, mjOBJ_ACTUATOR, "brachialis")] > 0.99);
}

// the fist holds the ball against gravity from either side
static void hand(const mjModel* m, mjData* d) {
  mju_copy(d->ctrl, m->key_ctrl, (int)m->nu);
  run(m, d, 1, NULL);
  mjModel* const turned = mj_copyModel(NULL, m);
  turned->opt.gravity[2] = -m->opt.gravity[2];
  run(turned, d, 1, NULL);
  const mjtNum* const ball = reading(m, d, "ball");
  assert_true(fabs(ball[0]) < 0.05 && fabs(ball[1]) < 0.05 && ball[2] > 0.02 && ball[2] < 0.07);
  mj_deleteModel(turned);
}

static void car(const mjModel* m, mjData* d) {
  *control(m, d, "drive") = 25;
  run(m, d, 4, NULL);
  assert_near(reading(m, d, "speed")[0], 25 * 0.28, 0.2);
  *control(m, d, "drive") = 12;
  *control(m, d, "steer") = 0.4;
  run(m, d, 2, NULL);
  const double left = jointPos(m, d, "steer_left"), right = jointPos(m, d, "steer_right");
  assert_true(left > 0.3);
  assert_near(right, left - 0.12 * left * left, 0.01);
}

// holds position through attitude; tilt and rates are small, so the quaternion's vector part is half the angle
static void hover(const mjModel* m, mjData* d) {
  const mjtNum *const p = reading(m, d, "position"), *const v = reading(m, d, "velocity");
  const mjtNum *const q = reading(m, d, "attitude"), *const w = reading(m, d, "gyro");
  const double mass = mj_getTotalmass(m), arm = 4 * 0.16, yaw = 4 * 0.02;
  const double ax = -4 * p[0] - 3 * v[0], ay = -4 * p[1] - 3 * v[1], az = 4 * (1 - p[2]) - 3 * v[2];
  const double lift = mass * (9.81 + az) / 4;
  const double x = (0.8 * (-ay / 9.81 - 2 * q[1]) - 0.16 * w[0]) / arm;
  const double y = (0.8 * (ax / 9.81 - 2 * q[2]) - 0.16 * w[1]) / arm;
  const double z = (-0.4 * q[3] - 0.1 * w[2]) / yaw;
  *control(m, d, "rotor_fl") = lift + x - y + z;
  *control(m, d, "rotor_fr") = lift - x - y - z;
  *control(m, d, "rotor_rr") = lift - x + y + z;
  *control(m, d, "rotor_rl") = lift + x + y - z;
}

// the wind carries it away unless it holds on
static void drone(const mjModel* m, mjData* d) {
  setKey(m, d, "hover");
  run(m, d, 3, NULL);
  assert_true(bodyPos(m, d, "drone")[0] > 0.2);
  mj_resetData(m, d);
  run(m, d, 5, hover);
  const mjtNum* const p = reading(m, d, "position");
  assert_true(norm2(p[0], p[1]) < 0.05 && fabs(p[2] - 1) < 0.02);
}

static void wave(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = sin(2 * mjPI * (1.5 * d->time - i / 8.0));
}

static void swimmer(const mjModel* m, mjData* d) {
  run(m, d, 1, NULL);
  const double depth = reading(m, d, "com")[2], start = reading(m, d, "com")[0];
  run(m, d, 3, wave);
  assert_true(reading(m, d, "com")[0] > start + 0.6);
  assert_near(reading(m, d, "com")[2], depth, 1e-3);
}

static void climber(const mjModel* m, mjData* d) {
  mju_copy(d->ctrl, m->key_ctrl, (int)m->nu);
  run(m, d, 3, NULL);
  assert_true(bodyPos(m, d, "gecko")[2] > 0.99);
  mju_zero(d->ctrl, (int)m->nu);
  run(m, d, 1, NULL);
  assert_true(bodyPos(m, d, "gecko")[2] < 0.2);
}

// the bar follows the mocap body; no string gets longer than it is
static void puppet(const mjModel* m, mjData* d) {
  setKey(m, d, "turn");
  run(m, d, 2, NULL);
  mjtNum turn[3];
  mju_subQuat(turn, d->xquat + 4 * find(m, mjOBJ_BODY, "bar"), d->mocap_quat);
  assert_true(mju_norm3(turn) < 0.1);
  for (int t = 0; t < m->ntendon; t++) assert_true(d->ten_length[t] < m->tendon_range[2 * t + 1] + 2e-3);
  assert_true(bodyPos(m, d, "torso")[2] > 0.4);
  assert_true(reading(m, d, "string_head")[0] > 1);
}

// -------------------------------------------------------------------------------------------- mechanisms

static void gears(const mjModel* m, mjData* d) {
  setKey(m, d, "run");
  run(m, d, 2, NULL);
  const double pinion = jointPos(m, d, "pinion"), cam = jointPos(m, d, "cam");
  assert_true(pinion > 20);
  assert_near(jointPos(m, d, "hour"), pinion / 12, 1e-4 * pinion);
  assert_near(jointPos(m, d, "rack"), pinion / 600, 1e-5 * pinion);
  assert_near(jointPos(m, d, "follower"), 0.02 * cam * cam - 0.002 * cam * cam * cam * cam, 1e-4);
  assert_near(jointPos(m, d, "pawl"), 0.4, 1e-3);
  assert_near(jointPos(m, d, "flywheel"), 0, 1e-9);
}

static void fourbar(const mjModel* m, mjData* d) {
  setKey(m, d, "run");
  for (int i = 0; i < 300; i++) {
    run(m, d, 10 * m->opt.timestep, NULL);
    if (d->time < 0.2) continue;
    assert_true(mju_norm3(reading(m, d, "gap")) < 1e-3 && mju_norm3(reading(m, d, "gap_bar")) < 1e-3);
    assert_true(fabs(reading(m, d, "lid_twist")[0]) > 0.9999);
  }
  assert_true(jointPos(m, d, "crank") > 15);
  assert_near(jointPos(m, d, "bar"), -jointPos(m, d, "hanger_a"), 1e-3);
}

static void cableRobot(const mjModel* m, mjData* d) {
  mj_forward(m, d);
  const int a = find(m, mjOBJ_TENDON, "thread_a"), b = find(m, mjOBJ_TENDON, "thread_b");
  const double apart = d->ten_length[a] - d->ten_length[b];
  run(m, d, 4, NULL);
  const mjtNum* const platform = reading(m, d, "platform");
  assert_true(norm2(platform[0], platform[1]) < 1e-3 && fabs(platform[2] - 1.067) < 0.01);
  assert_near(d->ten_length[a] - d->ten_length[b], apart, 1e-3);
  assert_true(reading(m, d, "slack")[0] > -2e-3);

  // the tackle carries the load with 2/3 of its weight, up to friction and damping
  assert_near(reading(m, d, "tension")[0], 2 * 9.81, 0.5);
  assert_near(jointPos(m, d, "load"), 0, 0.02);
}

// fire the cylinder whose crank goes down
static void fire(const mjModel* m, mjData* d) {
  const int down = cos(jointPos(m, d, "shaft")) > 0;
  *control(m, d, "a") = down ? 50000 : 0;
  *control(m, d, "b") = down ? 0 : 50000;
}

static void engine(const mjModel* m, mjData* d) {
  // at rest the pins stand level with the shaft: rod 22 cm, crank 6 cm, bore 25 cm above
  mj_forward(m, d);
  assert_near(reading(m, d, "stroke")[0], -0.25 - sqrt(0.22 * 0.22 - 0.06 * 0.06), 1e-9);
  run(m, d, 2, fire);
  assert_true(fabs(jointVel(m, d, "shaft")) > 40);
}

static void conveyor(const mjModel* m, mjData* d) {
  *control(m, d, "roll") = 8;
  run(m, d, 5, NULL);
  assert_true(bodyPos(m, d, "light")[0] > 1.2 && bodyPos(m, d, "heavy")[0] > 1.2);
  assert_true(bodyPos(m, d, "light")[0] < 1.6 && bodyPos(m, d, "heavy")[0] < 1.6);
  assert_near(jointVel(m, d, "roller11"), jointVel(m, d, "roller00"), 0.05);
}

static void cogs(const mjModel* m, mjData* d) {
  *control(m, d, "left") = 1.5;
  run(m, d, 2, NULL);
  assert_true(jointPos(m, d, "left") > 2.5);
  assert_near(jointPos(m, d, "right"), -jointPos(m, d, "left"), 0.1);
  assert_near(bodyPos(m, d, "marble")[2], 0.13, 0.01);
}

// the delayed carts do exactly what the prompt one did 40 ms before
static void delayLine(const mjModel* m, mjData* d) {
  enum { STEPS = 60, LATE = 20 };
  mjtNum prompt[STEPS], hold[STEPS], linear[STEPS];
  for (int i = 0; i < STEPS; i++) {
    for (int k = 0; k < m->nu; k++) d->ctrl[k] = i < 30 ? 1 : -0.5;
    mj_step(m, d);
    prompt[i] = jointVel(m, d, "prompt");
    hold[i] = jointVel(m, d, "hold");
    linear[i] = jointVel(m, d, "linear");
  }
  for (int i = 0; i < STEPS; i++) {
    const mjtNum earlier = i < LATE ? 0 : prompt[i - LATE];
    assert_near(hold[i], earlier, 1e-12);
    assert_near(linear[i], earlier, 1e-12);
  }
  assert_true(prompt[STEPS - 1] < prompt[30] && fabs(hold[STEPS - 1]) > 0.01);
}

static void servoBench(const mjModel* m, mjData* d) {
  setKey(m, d, "go");
  run(m, d, 3, NULL);
  assert_near(reading(m, d, "position")[0], 1.2, 1e-3);
  assert_near(reading(m, d, "lagging")[0], 1.2, 1e-3);
  assert_near(reading(m, d, "velocity")[0], 5 * 0.2 / 0.21, 1e-3);  // servo against joint damping
  assert_near(reading(m, d, "motor")[0], 0.5 / 0.01, 0.01);
  assert_near(jointVel(m, d, "damper"), 0, 1e-6);
  assert_true(fabs(reading(m, d, "affine")[0]) <= 0.2);
  assert_true(mju_norm3(reading(m, d, "plate")) < 1e-3);
  assert_near(jointPos(m, d, "user"), 0, 0);
}

// -------------------------------------------------------------------------------------------- bodies among themselves

static int standing(const mjModel* m, const mjData* d) {
  int n = 0;
  for (int b = 1; b < m->nbody; b++) n += m->body_jntnum[b] == 1 && m->body_dofnum[b] == 6 && d->xmat[9 * b + 8] > 0.9;
  return n;
}

static void dominoes(const mjModel* m, mjData* d) {
  mj_forward(m, d);
  assert_int_equal(standing(m, d), 36);
  run(m, d, 1.5, NULL);
  assert_in_range(standing(m, d), 8, 28);
  run(m, d, 2.5, NULL);
  assert_int_equal(standing(m, d), 0);
}

static void cardHouse(const mjModel* m, mjData* d) {
  run(m, d, 4, NULL);
  assert_true(bodyPos(m, d, "f_left")[2] > 0.2 && bodyPos(m, d, "f_right")[2] > 0.2);

  // without a card of the ground floor it falls
  const int out = m->jnt_qposadr[m->body_jntadr[find(m, mjOBJ_BODY, "a_right")]];
  d->qpos[out] += 1;
  run(m, d, 1, NULL);
  assert_true(bodyPos(m, d, "f_left")[2] < 0.19);
}

// the fourth ball leaves as the first came, the others hardly move, energy stays
static void cradle(const mjModel* m, mjData* d) {
  mj_forward(m, d);
  const double start = d->energy[0];
  run(m, d, 0.6, NULL);
  assert_true(jointPos(m, d, "next_3") < -0.65);
  for (int i = 0; i < 4; i++) assert_near(d->qpos[i], 0, 0.03);
  assert_near(d->energy[0] + d->energy[1], start, 1e-3 * start);
}

static void meshPile(const mjModel* m, mjData* d) {
  run(m, d, 2, NULL);
  for (int b = 1; b < m->nbody; b++) {
    const mjtNum* const x = d->xipos + 3 * b;
    assert_true(fabs(x[0]) < 0.34 && fabs(x[1]) < 0.34 && x[2] > 0 && x[2] < 0.25);
  }
}

static void terrain(const mjModel* m, mjData* d) {
  const double start = m->qpos0[m->jnt_qposadr[find(m, mjOBJ_JOINT, "rover")]];
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = 6;
  run(m, d, 3, NULL);
  assert_true(bodyPos(m, d, "rover")[0] > start + 0.6);
  for (int i = 0; i < 5; i++) {
    char name[20];
    snprintf(name, sizeof(name), "marble%d", i);
    const mjtNum* const x = bodyPos(m, d, name);
    assert_true(norm2(x[0] - 3, x[1]) < 0.2 && x[2] < 0.15);
  }
  assert_true(bodyPos(m, d, "rock")[2] > 0.02 && bodyPos(m, d, "can")[2] > 0.02);
}

static int awake(const mjModel* m, const mjData* d, const char* body) {
  return d->tree_asleep[m->body_treeid[find(m, mjOBJ_BODY, body)]] < 0;
}

static void sleepers(const mjModel* m, mjData* d) {
  mj_forward(m, d);
  assert_true(!awake(m, d, "crate0") && awake(m, d, "brick00"));
  run(m, d, 2, NULL);
  assert_int_equal(d->ntree_awake, 2);
  assert_true(awake(m, d, "metronome") && awake(m, d, "ball"));

  // until the ball hits the first tower
  while (!awake(m, d, "brick00") && d->time < 5) mj_step(m, d);
  assert_true(d->time > 3 && d->time < 4.5);
  assert_false(awake(m, d, "brick01") && awake(m, d, "brick10") && awake(m, d, "brick11"));
  run(m, d, 1.5, NULL);
  assert_int_equal(d->ntree_awake, 2);
}

static void whip(const mjModel* m, mjData* d) {
  mj_forward(m, d);
  const double start = bodyPos(m, d, "bridge_B_10")[2];
  const mjtNum* const end = bodyPos(m, d, "bridge_B_last");
  const mjtNum held[3] = {end[0], end[1], end[2]};
  run(m, d, 2, NULL);
  assert_true(bodyPos(m, d, "bridge_B_10")[2] < start - 0.02);
  assert_true(mju_dist3(held, end) < 5e-3);
  assert_true(bodyPos(m, d, "rope_B_last")[2] < 0.1);
  double lowest = 1.6;
  for (int i = 0; i < 100; i++) {
    run(m, d, 0.01, NULL);
    lowest = fmin(lowest, bodyPos(m, d, "whip_B_last")[2]);
  }
  assert_true(lowest < 0.7);
}

// -------------------------------------------------------------------------------------------- physics with a formula

// steady precession W solves (I3 w3 - I1 W cos) W = m g l
static void spinningTop(const mjModel* m, mjData* d) {
  const int top = find(m, mjOBJ_BODY, "top");
  const double lever = m->body_ipos[3 * top + 2], mass = m->body_mass[top];
  const double i1 = m->body_inertia[3 * top] + mass * lever * lever, i3 = m->body_inertia[3 * top + 2];
  setKey(m, d, "spin");
  const double w3 = d->qvel[2], c = cos(20 * mjPI / 180), torque = mass * 9.81 * lever;
  const double rate = (i3 * w3 - sqrt(i3 * i3 * w3 * w3 - 4 * i1 * c * torque)) / (2 * i1 * c);
  run(m, d, 2, NULL);
  const mjtNum* const axis = reading(m, d, "axis");
  assert_near(axis[2], c, 1e-4);
  assert_near(atan2(axis[1], axis[0]), 2 * rate, 2e-3);
}

static void springOrbit(const mjModel* m, mjData* d) {
  setKey(m, d, "orbit");
  mj_forward(m, d);
  const double start = d->energy[0] + d->energy[1];
  run(m, d, 2, NULL);
  assert_true(fabs(reading(m, d, "near")[0] - 0.3) < 1e-7 && fabs(reading(m, d, "near")[1]) < 1e-7);
  assert_true(fabs(reading(m, d, "far")[0] - 0.8) < 1e-7 && fabs(reading(m, d, "far")[1]) < 1e-7);
  assert_near(d->energy[0] + d->energy[1], start, 1e-6 * start);
}

// terminal speed: m g = rho A C v^2, viscosity aside
static void falling(const mjModel* m, mjData* d) {
  run(m, d, 2.5, NULL);
  const int geom = find(m, mjOBJ_GEOM, "plate");
  const double area = mjPI * m->geom_size[3 * geom] * m->geom_size[3 * geom + 1];
  const double speed = sqrt(m->body_mass[m->geom_bodyid[geom]] * 9.81 / (m->opt.density * area));
  assert_near(reading(m, d, "plate")[2], -speed, 0.01 * speed);
  assert_near(reading(m, d, "ball")[2], -speed, 0.01 * speed);
  assert_true(reading(m, d, "blade")[2] < -4 * speed);
  assert_true(reading(m, d, "shuttlecock")[2] > 0.98);
}

// the vase slows down as (1 + h b / I)^-n, the integrator's damping
static void studio(const mjModel* m, mjData* d) {
  setKey(m, d, "turn");
  mj_forward(m, d);
  const double inertia = d->qM[0], damping = m->dof_damping[0];
  run(m, d, 3, NULL);
  assert_near(d->qvel[0], 1.5 * pow(1 + m->opt.timestep * damping / inertia, -300), 1e-9);
}

// -------------------------------------------------------------------------------------------- model and sensors

static void workshop(const mjModel* m, mjData* d) {
  mj_forward(m, d);
  static const char* const ways[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis", "body"};
  for (int i = 0; i < 6; i++) {
    char name[40];
    snprintf(name, sizeof(name), "bracket_%s", ways[i]);
    const mjtNum* const mat = d->geom_xmat + 9 * find(m, mjOBJ_GEOM, name);
    assert_true(fabs(mat[0] - cos(0.5)) < 1e-7 && fabs(mat[3] - sin(0.5)) < 1e-7);
  }
  int cups = 0;
  for (int g = 0; g < m->ngeom; g++) cups += !strncmp(mj_id2name(m, mjOBJ_GEOM, g), "cup", 3);
  assert_int_equal(cups, 25);

  // the unplugged actuator has a gain of 1000 and no effect
  *control(m, d, "unplugged") = 1;
  run(m, d, 1, NULL);
  assert_near(d->actuator_force[find(m, mjOBJ_ACTUATOR, "unplugged")], 0, 0);
  assert_true(fabs(jointPos(m, d, "lamp")) < 1.1);
}

static void shake(const mjModel* m, mjData* d) {
  *control(m, d, "shaker") = 40 * sin(12 * d->time);
  *control(m, d, "arm") = -0.3 * sin(4 * d->time);
  *control(m, d, "cord") = -0.5;
}

// every sensor but those of the user says something, and they agree with each other
static void sensorBench(const mjModel* m, mjData* d) {
  mjtByte seen[100] = {0};
  for (int i = 0; i < 300; i++) {
    run(m, d, 0.01, shake);
    for (int s = 0; s < m->nsensor; s++) {
      for (int k = 0; k < m->sensor_dim[s]; k++) seen[s] |= d->sensordata[m->sensor_adr[s] + k] != 0;
    }
  }
  for (int s = 0; s < m->nsensor; s++) {
    if (!seen[s] && m->sensor_type[s] != mjSENS_USER) fail_msg("%s reads zero", mj_id2name(m, mjOBJ_SENSOR, s));
  }
  assert_near(reading(m, d, "clock")[0], d->time, 0);
  assert_near(reading(m, d, "jointpos")[0], jointPos(m, d, "arm"), 0);
  assert_near(mju_norm(reading(m, d, "ballquat"), 4), 1, 1e-12);
  assert_near(reading(m, d, "rangefinder")[0], reading(m, d, "rangefinder_all")[0], 0);
  const mjtNum* const ends = reading(m, d, "fromto");
  assert_true(mju_dist3(ends, ends + 3) < 1);
}

// -------------------------------------------------------------------------------------------- the list

typedef struct {
  const char* name;
  void (*check)(const mjModel* m, mjData* d);
} Scene;

static const Scene scenes[] = {
    {"cable_robot",  cableRobot },
    {"car",          car        },
    {"card_house",   cardHouse  },
    {"climber",      climber    },
    {"cogs",         cogs       },
    {"conveyor",     conveyor   },
    {"cradle",       cradle     },
    {"delay_line",   delayLine  },
    {"dominoes",     dominoes   },
    {"drone",        drone      },
    {"engine",       engine     },
    {"falling",      falling    },
    {"fourbar",      fourbar    },
    {"gears",        gears      },
    {"gripper_arm",  gripperArm },
    {"hand",         hand       },
    {"hopper",       hopper     },
    {"humanoid",     humanoid   },
    {"mesh_pile",    meshPile   },
    {"muscle_arm",   muscleArm  },
    {"puppet",       puppet     },
    {"quadruped",    quadruped  },
    {"sensor_bench", sensorBench},
    {"servo_bench",  servoBench },
    {"sleepers",     sleepers   },
    {"spinning_top", spinningTop},
    {"spring_orbit", springOrbit},
    {"studio",       studio     },
    {"swimmer",      swimmer    },
    {"terrain",      terrain    },
    {"whip",         whip       },
    {"workshop",     workshop   },
};

static void check(void** state) {
  const Scene* const scene = *state;
  mjModel* const m = loadScene(scene->name);
  mjData* const d = mj_makeData(m);
  scene->check(m, d);
  for (int k = 0; k < mjNWARNING; k++) assert_int_equal(d->warning[k].number, 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  _Static_assert(sizeof(scenes) / sizeof(scenes[0]) == SCENES, "a scene has no check of its own");
  struct CMUnitTest tests[SCENES];
  for (int i = 0; i < SCENES; i++) {
    tests[i] = (struct CMUnitTest){.name = scenes[i].name, .test_func = check, .initial_state = (void*)&scenes[i]};
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
