// Time: steps at the speed that was asked for, as far as the machine can, and what to do when a state is lost.
#include <sinew/sinew.h>
#include <stdio.h>
#include <time.h>

#include "view/app.h"

static double clockSeconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

//---------------------------------- trouble ----------------------------------

// the joint whose position, velocity or acceleration was not finite or huge; -1: none
static int badJoint(const mjModel* m, const mjData* d, const char** what) {
  static const int WARNINGS[] = {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC};
  static const char* const NAMES[] = {"position", "velocity", "acceleration"};
  for (int i = 0; i < 3; i++) {
    const mjWarningStat* const stat = d->warning + WARNINGS[i];
    if (!stat->number) continue;
    const int* const start = i ? m->jnt_dofadr : m->jnt_qposadr;
    int joint = 0;
    while (joint + 1 < (int)m->njnt && start[joint + 1] <= stat->lastinfo) joint++;
    *what = NAMES[i];
    return joint;
  }
  return -1;
}

// 1: the state cannot be used any more; pauses and says why
static int isLost(ViwApp* app, snStatus status, const char* message) {
  if (status == SN_ERROR) {
    app->paused = 1;
    viw_say(app, 1, "%s", message);
    return 1;
  }
  const char* what = "";
  const int joint = status == SN_WARNING ? badJoint(app->m, app->d, &what) : -1;
  if (joint < 0) return 0;
  char name[VIW_NAME_SIZE], body[VIW_NAME_SIZE];
  app->paused = 1;
  viw_say(app, 1, "unstable: %s of joint '%s' (body '%s') is not finite or huge. Paused: scrub back, or Backspace",
          what, viw_nameOf(app->m, mjOBJ_JOINT, joint, name),
          viw_nameOf(app->m, mjOBJ_BODY, app->m->jnt_bodyid[joint], body));
  for (int i = 0; i < mjNWARNING; i++) app->d->warning[i].number = 0;
  return 1;
}

//---------------------------------- steps ----------------------------------

// forces of the mouse; those of the last step are taken back first
static void push(ViwApp* app) {
  if (!app->perturb.active && !app->pushed) return;
  mju_zero(app->d->xfrc_applied, 6 * (int)app->m->nbody);
  mjv_applyPerturbPose(app->m, app->d, &app->perturb, 0);
  mjv_applyPerturbForce(app->m, app->d, &app->perturb);
  app->pushed = app->perturb.active != 0;
}

// 1: done
static int oneStep(ViwApp* app) {
  char message[VIW_NAME_SIZE * 3] = "";
  push(app);
  const snStatus status = sn_step(app->m, app->d, message, sizeof(message));
  app->steps++;
  return !isLost(app, status, message);
}

void viw_step(ViwApp* app, int n) {
  if (!app->m || viw_refuseLive(app)) return;
  viw_continue(app);
  int done = 0;
  while (done < n && oneStep(app)) done++;
  viw_stepGrid(app, done);
  viw_remember(app);
}

void viw_forward(ViwApp* app) {
  char message[VIW_NAME_SIZE * 3] = "";
  if (app->m && sn_forward(app->m, app->d, message, sizeof(message)) == SN_ERROR) viw_say(app, 1, "%s", message);
}

// a body that is dragged while nothing moves goes where the mouse is
static void dragPaused(ViwApp* app) {
  if (!app->perturb.active) return;
  viw_continue(app);
  mjv_applyPerturbPose(app->m, app->d, &app->perturb, 1);
  viw_forward(app);
  viw_remember(app);
}

// how fast time passes in a program elsewhere
static void followRate(ViwApp* app) {
  const double passed = fmax(app->d->time - app->live.time, 0);
  app->live.time = app->d->time;
  app->rate += 0.1 * (passed / fmax(app->wall, 1e-6) - app->rate);
}

void viw_simulate(ViwApp* app) {
  enum { LEAST = 1, MOST = 100000 };
  // slow machines get fewer steps, not a longer and longer wait for the next picture
  const double longest = 0.05, budget = 0.03;
  if (!app->m) return;
  if (app->live.on) {
    followRate(app);
    return;
  }
  if (app->paused) {
    dragPaused(app);
    app->ahead = 0;
    return;
  }
  const double step = app->m->opt.timestep;
  app->ahead += app->speed * (app->frameTime > 0 ? app->frameTime : fmin(app->wall, longest));
  const int wanted = (int)fmin(floor(app->ahead / step + 1e-9), MOST);
  const double start = clockSeconds(), before = app->d->time;
  int done = 0;
  while (done < wanted && !app->paused) {
    if (!oneStep(app)) break;
    done++;
    if (app->frameTime <= 0 && clockSeconds() - start > budget) break;
  }
  app->ahead = done < wanted && app->frameTime <= 0 ? 0 : app->ahead - done * step;
  if (done) {
    const double spent = clockSeconds() - start;
    app->stepTime += 0.1 * (spent / done - app->stepTime);
    viw_stepGrid(app, done);
    viw_remember(app);
  }
  const double frame = app->frameTime > 0 ? app->frameTime : fmax(app->wall, 1e-6);
  app->rate += 0.1 * ((app->d->time - before) / frame - app->rate);
}

void viw_reset(ViwApp* app, int key) {
  if (!app->m || viw_refuseLive(app)) return;
  if (key >= 0 && key < (int)app->m->nkey) {
    mj_resetDataKeyframe(app->m, app->d, key);
  } else {
    mj_resetData(app->m, app->d);
  }
  app->ahead = 0;
  app->pushed = 0;
  viw_forward(app);
  viw_resetGrid(app);
  viw_forget(&app->timeline);
  viw_remember(app);
}
