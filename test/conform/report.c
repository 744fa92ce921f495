// One line per model, totals at the end.
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

#include "conform/conform.h"

static const double STEPS_TOLERANCE = 1e-4;

// a path from the folder of its folder on
static const char* shortName(const char* path) {
  const char* part[3] = {path, path, path};
  for (const char* c = path; *c; c++) {
    if (*c != '/') continue;
    part[0] = part[1];
    part[1] = part[2];
    part[2] = c + 1;
  }
  return part[1];
}

static void reportEnd(const CfmResult* r, int status) {
  const int signalled = WIFSIGNALED(status);
  const char* const what = signalled && WTERMSIG(status) == SIGALRM ? "TIMEOUT" : "CRASH";
  printf("%s in %s (%s %d)\n", what, r->phase, signalled ? "signal" : "exit",
         signalled ? WTERMSIG(status) : WEXITSTATUS(status));
}

static void reportLoad(CfmTotals* t, const CfmResult* r) {
  if (r->loadReference == r->loadCandidate) {
    t->both++;
    return;
  }
  t->differ++;
  printf("LOAD %s: %.160s\n", r->loadReference ? "fails" : "accepts what the reference rejects",
         r->loadReference ? r->errorCandidate : r->errorReference);
}

static void reportModel(CfmTotals* t, const CfmResult* r) {
  if (!r->modelFields) return;
  t->model += !r->modelBad;
  if (r->modelBad) {
    printf("model %d bad {%.120s} ", r->modelBad, r->modelWorst);
  } else {
    printf("model ok ");
  }
  if (r->hullOrder) printf("(hull order) ");
}

static void reportForward(CfmTotals* t, const CfmResult* r) {
  if (!r->states) return;
  int fine = 1;
  for (int s = 0; s < CFM_STAGES; s++) {
    const int good = r->stage[s].error <= cfm_tolerance[s];
    t->stage[s] += good;
    fine &= good;
    if (!good) printf("%s{%s %.1e} ", cfm_stageName[s], r->stage[s].field, r->stage[s].error);
  }
  if (fine) printf("forward ok ");
  t->forward += fine;
  t->exact += fine && !r->loose && !r->reordered;
  if (r->loose) printf("(convex contacts loose, rows of %d of %d states compared) ", r->exactStates, r->states);
  if (r->reordered) printf("(contact order) ");
}

static void reportSteps(CfmTotals* t, const CfmResult* r) {
  if (r->steps) {
    const int good = r->stepsError <= STEPS_TOLERANCE;
    t->steps += good;
    printf("steps %.1e%s ", r->stepsError, good ? "" : "!");
  }
  if (r->timeCandidate > 0) {
    const double speed = r->timeReference / r->timeCandidate;
    printf("speed %.2fx (%.1f / %.1f us)", speed, 1e6 * r->timeReference, 1e6 * r->timeCandidate);
    t->logSpeed += log(speed);
    t->timed++;
  }
}

void cfm_report(CfmTotals* t, const char* path, const CfmResult* r, int status) {
  t->models++;
  printf("%-44s ", shortName(path));
  if (!r->done) {
    t->crashed++;
    reportEnd(r, status);
    return;
  }
  if (!r->loadReference && !r->loadCandidate) {
    t->rejected++;
    printf("both reject\n");
    return;
  }
  reportLoad(t, r);
  reportModel(t, r);
  reportForward(t, r);
  reportSteps(t, r);
  printf("\n");
}

int cfm_summary(const CfmTotals* t, const CfmOptions* options) {
  const int taken = t->models - t->rejected;
  printf("\n%d models: load %d/%d (both reject %d, differ %d), crash %d\n", t->models, t->both, taken, t->rejected,
         t->differ, t->crashed);
  printf("model   %d/%d\n", t->model, taken);
  printf("forward %d/%d  (", t->forward, taken);
  for (int s = 0; s < CFM_STAGES; s++) printf("%s%s %d", s ? ", " : "", cfm_stageName[s], t->stage[s]);
  printf("; contacts exact and in order %d)\nsteps   %d/%d\n", t->exact, t->steps, taken);
  if (t->timed) printf("speed   %.2fx geometric mean over %d models\n", exp(t->logSpeed / t->timed), t->timed);
  const int good = (!cfm_wants(options, "model") || t->model == taken) &&
                   (!cfm_wants(options, "forward") || t->forward == taken) &&
                   (!cfm_wants(options, "steps") || t->steps == taken) && !t->crashed && !t->differ;
  return good ? 0 : 1;
}
