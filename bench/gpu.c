// Steps per second of batches on a GPU: each model given, from its first keyframe, with small random controls, for 1024
// to 65536 simulations in single precision and 8192 in double. One line per measurement. bench/warp_peer.py does the
// same with MuJoCo Warp: the same models, states and controls.
//
//   bench_gpu MODEL...          MJCF files or binary models; SINEW_CUDA names the library of the kernels
//   bench_gpu --large MODEL...  the same for 64 and 1024 simulations, 20 steps: models of hundreds of dofs, flexes
//   bench_gpu --drift MODEL...  energy and momentum after 1000 steps without forces and constraints, Runge-Kutta
//   bench_gpu --agree MODEL...  1000 steps in double precision beside the CPU; bench/agree_peer.py is the reference's
//   part
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sinew/batch.h>

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static mjModel* load(const char* path) {
  char error[500] = "";
  const size_t length = strlen(path);
  const int binary = length > 4 && !strcmp(path + length - 4, ".mjb");
  mjModel* const m = binary ? mj_loadModel(path, NULL) : mj_loadXML(path, NULL, error, sizeof(error));
  if (!m) fprintf(stderr, "%s: %s\n", path, error);
  return m;
}

// number k of the same list everywhere, from -1 to 1
static double listed(uint32_t k) {
  uint32_t h = (k + 1) * 2654435769u;
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  return h / 2147483648.0 - 1;
}

// writes n rows of count numbers to a field
static int writeField(snBatch* b, const char* name, const mjtNum* values, int count) {
  snField f;
  if (sn_batchField(b, 0, name, &f) != SN_OK) return 0;
  const size_t n = (size_t)sn_batchSize(b) * (size_t)count;
  char* const bytes = malloc(n * (size_t)f.itemsize + 1);
  if (!bytes) return 0;
  for (size_t i = 0; i < n; i++) {
    if (f.type == SN_FLOAT32) {
      ((float*)bytes)[i] = (float)values[i];
    } else {
      ((double*)bytes)[i] = values[i];
    }
  }
  const int good = sn_batchWrite(b, &f, bytes) == SN_OK;
  free(bytes);
  return good;
}

// controls around those of the first keyframe: a tenth of their range
static int writeControls(const mjModel* m, snBatch* b) {
  const int n = sn_batchSize(b), nu = (int)m->nu;
  if (!nu) return 1;
  mjtNum* const values = malloc(sizeof(mjtNum) * (size_t)n * (size_t)nu);
  if (!values) return 0;
  for (int i = 0; i < n * nu; i++) {
    const int k = i % nu;
    const mjtNum* const range = m->actuator_ctrlrange + 2 * k;
    const mjtNum width = m->actuator_ctrllimited[k] ? range[1] - range[0] : 2, centre = m->nkey ? m->key_ctrl[k] : 0;
    values[i] = centre + 0.05 * width * listed((uint32_t)i);
  }
  const int good = writeField(b, "ctrl", values, nu);
  free(values);
  return good;
}

static snBatch* makeBatch(const mjModel* m, const char* name, snType real, int n) {
  snBatchOptions o;
  sn_defaultBatchOptions(&o);
  o.device = SN_CUDA;
  o.real = real;
  char message[300];
  snBatch* const b = sn_makeBatch(&m, 1, NULL, n, &o, message, sizeof(message));
  if (!b) fprintf(stderr, "%s: %s\n", name, message);
  return b;
}

//---------------------------------- speed ----------------------------------

// one measurement; 0: it failed
static int measure(const mjModel* m, const char* name, snType real, int n, int nstep) {
  const double begin = seconds();
  snBatch* const b = makeBatch(m, name, real, n);
  if (!b) return 0;
  const double made = seconds() - begin;
  snStatus status = m->nkey ? sn_batchReset(b, NULL, 0) : SN_OK;
  if (status == SN_OK && !writeControls(m, b)) status = SN_ERROR;

  // some steps to warm up
  for (int i = 0; i < 10 && status == SN_OK; i++) status = sn_batchStep(b, NULL, 1);
  sn_batchWait(b);
  const double start = seconds();
  for (int i = 0; i < nstep && status == SN_OK; i++) status = sn_batchStep(b, NULL, 1);
  if (sn_batchWait(b) != SN_OK) status = SN_ERROR;
  const double time = seconds() - start;
  int failed = 0;
  for (int i = 0; i < 64 && i < n; i++) failed += sn_batchStatus(b, i) != SN_OK;
  if (status == SN_OK) {
    printf(
        "%-26s %-6s %6d simulations %8.3f million steps a second; made in %.2f s, %.0f MB; %d of the first 64 failed\n",
        name, real == SN_FLOAT32 ? "single" : "double", n, 1e-6 * n * nstep / time, made,
        1e-6 * (double)sn_batchMemory(b), failed);
  } else {
    fprintf(stderr, "%s: %s\n", name, sn_batchMessage(b, -1));
  }
  fflush(stdout);
  sn_deleteBatch(b);
  return status == SN_OK;
}

//---------------------------------- drift ----------------------------------

// what is conserved: kinetic energy, momentum, and angular momentum about the centre of mass
typedef struct {
  mjtNum energy, momentum[3], angular[3];
} Kept;

static Kept keptBy(const mjModel* m, mjData* d, const mjtNum* state) {
  Kept k;
  mju_copy(d->qpos, state, (int)m->nq);
  mju_copy(d->qvel, state + m->nq, (int)m->nv);
  mj_forward(m, d);
  mj_energyVel(m, d);
  mj_subtreeVel(m, d);
  k.energy = d->energy[1];
  for (int i = 0; i < 3; i++) {
    k.momentum[i] = m->body_subtreemass[0] * d->subtree_linvel[i];
    k.angular[i] = d->subtree_angmom[i];
  }
  return k;
}

static mjtNum change(const mjtNum* before, const mjtNum* after, int n) {
  mjtNum gap = 0, size = 0;
  for (int i = 0; i < n; i++) {
    gap += (after[i] - before[i]) * (after[i] - before[i]);
    size += before[i] * before[i];
  }
  return sqrt(gap / fmax(size, mjMINVAL));
}

// largest relative change among a few simulations
static int drift(mjModel* m, const char* name, snType real) {
  enum { N = 64, STEPS = 1000 };
  const int size = (int)(m->nq + m->nv), nv = (int)m->nv;
  m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_SPRING | mjDSBL_DAMPER | mjDSBL_GRAVITY | mjDSBL_ACTUATION;
  m->opt.integrator = mjINT_RK4;
  snBatch* const b = makeBatch(m, name, real, N);
  mjData* const d = b ? mj_makeData(m) : NULL;
  mjtNum* const before = malloc(sizeof(mjtNum) * 3 * N * (size_t)size);
  if (!d || !before) return 0;
  mjtNum *const after = before + N * size, *const vel = after + N * size;
  for (int i = 0; i < N * nv; i++) vel[i] = listed((uint32_t)i);
  int good = (!m->nkey || sn_batchReset(b, NULL, 0) == SN_OK) && writeField(b, "qvel", vel, nv);
  good = good && sn_batchGetState(b, NULL, before, mjSTATE_QPOS | mjSTATE_QVEL) == SN_OK;
  for (int i = 0; i < STEPS && good; i++) good = sn_batchStep(b, NULL, 1) == SN_OK;
  good = good && sn_batchGetState(b, NULL, after, mjSTATE_QPOS | mjSTATE_QVEL) == SN_OK;
  mjtNum most[3] = {0, 0, 0};
  for (int i = 0; i < N && good; i++) {
    const Kept k0 = keptBy(m, d, before + i * size), k1 = keptBy(m, d, after + i * size);
    most[0] = fmax(most[0], change(&k0.energy, &k1.energy, 1));
    most[1] = fmax(most[1], change(k0.momentum, k1.momentum, 3));
    most[2] = fmax(most[2], change(k0.angular, k1.angular, 3));
  }
  if (good) {
    printf("%-26s %-6s drift in %d steps: energy %.2g, momentum %.2g, angular momentum %.2g\n", name,
           real == SN_FLOAT32 ? "single" : "double", STEPS, most[0], most[1], most[2]);
  }
  fflush(stdout);
  free(before);
  mj_deleteData(d);
  sn_deleteBatch(b);
  return good;
}

//---------------------------------- agreement ----------------------------------

// the first keyframe, with the controls of the first simulation; twin: every coordinate's last bit is another
static mjData* startOn(const mjModel* m, const mjtNum* ctrl, int twin) {
  mjData* const d = mj_makeData(m);
  if (!d) return NULL;
  mj_resetDataKeyframe(m, d, m->nkey ? 0 : -1);
  mju_copy(d->ctrl, ctrl, (int)m->nu);
  for (int i = 0; i < m->nq && twin; i++) d->qpos[i] = nextafter(d->qpos[i], 2 * d->qpos[i]);
  return d;
}

static mjtNum apart(const mjtNum* a, const mjtNum* b, int n) {
  mjtNum gap = 0, size = 1e-10;
  for (int i = 0; i < n; i++) {
    gap = fmax(gap, fabs(a[i] - b[i]));
    size = fmax(size, fabs(b[i]));
  }
  return gap / size;
}

// largest difference of qpos, relative to its largest number
static int agree(const mjModel* m, const char* name) {
  static const int AT[] = {10, 100, 300, 1000};
  const int nq = (int)m->nq;
  snBatch* const b = makeBatch(m, name, SN_FLOAT64, 1);
  mjtNum* const room = malloc(sizeof(mjtNum) * (size_t)(nq + m->nu + 1));
  if (!b || !room) return 0;
  mjtNum *const qpos = room, *const ctrl = room + nq;
  int good = (!m->nkey || sn_batchReset(b, NULL, 0) == SN_OK) && writeControls(m, b) &&
             sn_batchGetState(b, NULL, ctrl, mjSTATE_CTRL) == SN_OK;
  mjData *const d = startOn(m, ctrl, 0), *const twin = startOn(m, ctrl, 1);
  printf("%-26s", name);
  for (int k = 0, step = 0; k < 4 && good && d && twin; k++) {
    for (; step < AT[k]; step++) {
      good &= sn_batchStep(b, NULL, 1) == SN_OK;
      mj_step(m, d);
      mj_step(m, twin);
    }
    good &= sn_batchGetState(b, NULL, qpos, mjSTATE_QPOS) == SN_OK;
    printf(" %8.1e", apart(qpos, d->qpos, nq));
  }
  if (d && twin) printf("   last bit of the start: %8.1e\n", apart(twin->qpos, d->qpos, nq));
  fflush(stdout);
  mj_deleteData(d);
  mj_deleteData(twin);
  free(room);
  sn_deleteBatch(b);
  return good;
}

// file and folder: many models are called scene.xml
static const char* nameOf(const char* path) {
  const char* name = path + strlen(path);
  for (int parts = 0; name > path && (name[-1] != '/' || ++parts < 2);) name--;
  return name;
}

static int speed(const mjModel* m, const char* name) {
  static const int SIZES[] = {1024, 8192, 32768, 65536};
  int good = 1;
  for (int k = 0; k < 4; k++) good &= measure(m, name, SN_FLOAT32, SIZES[k], k < 2 ? 300 : 100);
  return good & measure(m, name, SN_FLOAT64, 8192, 100);
}

static int largeSpeed(const mjModel* m, const char* name) {
  return measure(m, name, SN_FLOAT32, 64, 20) & measure(m, name, SN_FLOAT32, 1024, 20) &
         measure(m, name, SN_FLOAT64, 1024, 20);
}

int main(int argc, char** argv) {
  const int drifts = argc > 1 && !strcmp(argv[1], "--drift"), agrees = argc > 1 && !strcmp(argv[1], "--agree");
  const int large = argc > 1 && !strcmp(argv[1], "--large"), first = 1 + (drifts || agrees || large);
  int good = argc > first;
  for (int i = first; i < argc; i++) {
    mjModel* const m = load(argv[i]);
    const char* const name = nameOf(argv[i]);
    if (agrees) {
      good &= m && agree(m, name);
    } else if (large) {
      good &= m && largeSpeed(m, name);
    } else {
      good &= m && (drifts ? drift(m, name, SN_FLOAT32) & drift(m, name, SN_FLOAT64) : speed(m, name));
    }
    mj_deleteModel(m);
  }
  return !good;
}
