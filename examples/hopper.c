// Random search on a hopper, with the batch alone: a linear policy moves along random directions, those that hop
// farther count more. Every iteration is one batch of simulations, two for each direction.
// H. Mania, A. Guy, B. Recht: Simple random search of static linear policies is competitive for reinforcement
// learning (NeurIPS 2018).
//
//   hopper [ITERATIONS [THREADS]]
#include <math.h>
#include <sinew/batch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  NDIRECTION = 32,            // directions tried in an iteration
  NBEST = 12,                 // those that count
  NSIM = 2 * NDIRECTION + 1,  // each direction forwards and backwards, and the policy itself
  NOBS = 11,                  // height, pitch, three joints, six velocities
  NCTRL = 3,
  NSTEP = 400,   // decisions of an episode
  SUBSTEPS = 5,  // steps of a decision: 100 decisions a second
};
static const double STEP = 0.03, SPREAD = 0.04;

// mean and spread of what was observed so far, by which observations are scaled
typedef struct {
  double n, mean[NOBS], square[NOBS];
} Scale;

typedef double Policy[NCTRL][NOBS];

// a little of everything in the first pose
static void start(const mjModel* m, mjData* d, int sim, snRandom* random, void* context) {
  (void)sim;
  (void)context;
  for (int i = 0; i < m->nq; i++) d->qpos[i] += sn_randomUniform(random, -0.005, 0.005);
  for (int i = 0; i < m->nv; i++) d->qvel[i] += sn_randomUniform(random, -0.005, 0.005);
}

// it has fallen
static int fallen(const mjModel* m, const mjData* d, int sim, void* context) {
  (void)m;
  (void)sim;
  (void)context;
  return d->qpos[1] < 0.75 || fabs(d->qpos[2]) > 0.35;
}

static void observe(const double* qpos, const double* qvel, double obs[NOBS]) {
  memcpy(obs, qpos + 1, 5 * sizeof(double));
  for (int i = 0; i < 6; i++) obs[5 + i] = fmax(-10, fmin(10, qvel[i]));
}

static void learnScale(Scale* s, const double obs[NOBS]) {
  s->n++;
  for (int i = 0; i < NOBS; i++) {
    const double before = obs[i] - s->mean[i];
    s->mean[i] += before / s->n;
    s->square[i] += before * (obs[i] - s->mean[i]);
  }
}

static void act(const Policy policy, const Scale* s, const double obs[NOBS], double ctrl[NCTRL]) {
  double scaled[NOBS];
  for (int i = 0; i < NOBS; i++) {
    const double spread = s->n > 1 ? sqrt(s->square[i] / s->n) : 1;
    scaled[i] = (obs[i] - s->mean[i]) / fmax(spread, 1e-3);
  }
  for (int k = 0; k < NCTRL; k++) {
    ctrl[k] = 0;
    for (int i = 0; i < NOBS; i++) ctrl[k] += policy[k][i] * scaled[i];
    ctrl[k] = fmax(-1, fmin(1, ctrl[k]));
  }
}

// one episode of every policy; returns are distance and time alive, less effort
static void play(snBatch* b, Policy* policies, Scale* scale, double total[NSIM]) {
  snField qpos, qvel, ctrl, done;
  sn_batchField(b, 0, "qpos", &qpos);
  sn_batchField(b, 0, "qvel", &qvel);
  sn_batchField(b, 0, "ctrl", &ctrl);
  sn_batchField(b, -1, "done", &done);
  mjtByte alive[NSIM];
  memset(alive, 1, sizeof(alive));
  memset(total, 0, NSIM * sizeof(double));
  Scale next = *scale;
  sn_batchReset(b, NULL, -1);
  for (int t = 0; t < NSTEP; t++) {
    double before[NSIM];
    for (int i = 0; i < NSIM; i++) {
      double obs[NOBS], *u = (double*)ctrl.data + NCTRL * i;
      if (!alive[i]) continue;
      observe((double*)qpos.data + 6 * i, (double*)qvel.data + 6 * i, obs);
      act(policies[i], scale, obs, u);
      learnScale(&next, obs);
      before[i] = ((double*)qpos.data)[6 * i];
      total[i] -= 1e-3 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    }
    sn_batchStep(b, &(snSelection){.mask = alive, .n = NSIM}, SUBSTEPS);
    for (int i = 0; i < NSIM; i++) {
      if (!alive[i]) continue;
      alive[i] = sn_batchStatus(b, i) != SN_ERROR && !((mjtByte*)done.data)[i];
      if (alive[i]) total[i] += 1 + (((double*)qpos.data)[6 * i] - before[i]) / 0.01;
    }
  }
  *scale = next;
}

// the better of forwards and backwards
static double better(const double* total, int k) {
  return fmax(total[2 * k], total[2 * k + 1]);
}

// directions from the best to the worst; equal ones keep their order
static void sortDirections(const double* total, int order[NDIRECTION]) {
  for (int k = 0; k < NDIRECTION; k++) {
    int place = k;
    for (; place > 0 && better(total, order[place - 1]) < better(total, k); place--) order[place] = order[place - 1];
    order[place] = k;
  }
}

static void learn(Policy policy, Policy* direction, const double total[NSIM]) {
  int order[NDIRECTION];
  sortDirections(total, order);

  // returns of the best directions differ by this much
  double mean = 0, square = 0;
  for (int k = 0; k < 2 * NBEST; k++) {
    const double value = total[2 * order[k / 2] + k % 2];
    mean += value / (2 * NBEST);
    square += value * value / (2 * NBEST);
  }
  const double spread = fmax(sqrt(fmax(square - mean * mean, 0)), 1e-6);
  for (int k = 0; k < NBEST; k++) {
    const int j = order[k];
    const double weight = STEP / (NBEST * spread) * (total[2 * j] - total[2 * j + 1]);
    for (int i = 0; i < NCTRL * NOBS; i++) policy[i / NOBS][i % NOBS] += weight * direction[j][i / NOBS][i % NOBS];
  }
}

int main(int argc, char** argv) {
  const int iterations = argc > 1 ? atoi(argv[1]) : 5;
  char message[500];
  mjModel* m = mj_loadXML("scenes/hopper.xml", NULL, message, sizeof(message));
  if (!m) return fprintf(stderr, "%s\n", message), 1;
  snBatchOptions options;
  sn_defaultBatchOptions(&options);
  options.nthread = argc > 2 ? atoi(argv[2]) : 0;
  options.reset = start;
  options.done = fallen;
  snBatch* b = sn_makeBatch((const mjModel* const*)&m, 1, NULL, NSIM, &options, message, sizeof(message));
  if (!b) return fprintf(stderr, "%s\n", message), 1;

  static Policy policy, direction[NDIRECTION], tried[NSIM];
  static double total[NSIM];
  Scale scale = {0};
  printf("iteration   return  metres\n");
  for (int it = 0; it <= iterations; it++) {
    for (int k = 0; k < NDIRECTION; k++) {
      snRandom random = sn_makeRandom(7, (uint32_t)it, (uint32_t)k);
      for (int i = 0; i < NCTRL * NOBS; i++) {
        double* const x = &direction[k][i / NOBS][i % NOBS];
        *x = sn_randomNormal(&random);
        tried[2 * k][i / NOBS][i % NOBS] = policy[i / NOBS][i % NOBS] + SPREAD * *x;
        tried[2 * k + 1][i / NOBS][i % NOBS] = policy[i / NOBS][i % NOBS] - SPREAD * *x;
      }
    }
    memcpy(tried[NSIM - 1], policy, sizeof(Policy));
    play(b, tried, &scale, total);
    snField qpos;
    sn_batchField(b, 0, "qpos", &qpos);
    if (it % 5 == 0) printf("%9d %8.1f %7.2f\n", it, total[NSIM - 1], ((double*)qpos.data)[6 * (NSIM - 1)]);
    learn(policy, direction, total);
  }
  sn_deleteBatch(b);
  mj_deleteModel(m);
  return 0;
}
