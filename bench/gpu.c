// Steps per second of batches on a GPU: each model given, from its first keyframe, with small random controls, for 1024
// to 65536 simulations in single precision and 8192 in double. One line per measurement.
//
//   bench_gpu MODEL...          MJCF files or binary models; SINEW_CUDA names the library of the kernels
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

// controls around those of the first keyframe: a tenth of their range
static void randomControls(const mjModel* m, snBatch* b) {
  const int n = sn_batchSize(b), nu = (int)m->nu;
  snField ctrl;
  if (!nu || sn_batchField(b, 0, "ctrl", &ctrl) != SN_OK) return;
  char* const values = malloc((size_t)(n * nu) * (size_t)ctrl.itemsize);
  for (int i = 0; values && i < n; i++) {
    snRandom random = sn_makeRandom(1, (uint32_t)i, 0);
    for (int k = 0; k < nu; k++) {
      const mjtNum* const range = m->actuator_ctrlrange + 2 * k;
      const mjtNum width = m->actuator_ctrllimited[k] ? range[1] - range[0] : 2, centre = m->nkey ? m->key_ctrl[k] : 0;
      const mjtNum u = centre + 0.05 * width * sn_randomUniform(&random, -1, 1);
      if (ctrl.type == SN_FLOAT32) {
        ((float*)values)[i * nu + k] = (float)u;
      } else {
        ((double*)values)[i * nu + k] = u;
      }
    }
  }
  if (values) sn_batchWrite(b, &ctrl, values);
  free(values);
}

// one measurement; 0: it failed
static int measure(const mjModel* m, const char* name, snType real, int n, int nstep) {
  snBatchOptions o;
  sn_defaultBatchOptions(&o);
  o.device = SN_CUDA;
  o.real = real;
  char message[300];
  const double begin = seconds();
  snBatch* const b = sn_makeBatch(&m, 1, NULL, n, &o, message, sizeof(message));
  if (!b) return fprintf(stderr, "%s: %s\n", name, message), 0;
  const double made = seconds() - begin;
  if (m->nkey) sn_batchReset(b, NULL, 0);
  randomControls(m, b);

  // some steps to warm up
  snStatus status = SN_OK;
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
        "%-12s %-6s %6d simulations %8.3f million steps a second; made in %.2f s, %.0f MB; %d of the first 64 failed\n",
        name, real == SN_FLOAT32 ? "single" : "double", n, 1e-6 * n * nstep / time, made,
        1e-6 * (double)sn_batchMemory(b), failed);
  } else {
    fprintf(stderr, "%s: %s\n", name, sn_batchMessage(b, -1));
  }
  fflush(stdout);
  sn_deleteBatch(b);
  return status == SN_OK;
}

int main(int argc, char** argv) {
  int good = argc > 1;
  for (int i = 1; i < argc; i++) {
    mjModel* const m = load(argv[i]);
    const char* const slash = strrchr(argv[i], '/');
    const char* const name = slash ? slash + 1 : argv[i];
    static const int SIZES[] = {1024, 8192, 32768, 65536};
    good = good && m;
    for (int k = 0; m && k < 4; k++) good &= measure(m, name, SN_FLOAT32, SIZES[k], k < 2 ? 300 : 100);
    if (m) good &= measure(m, name, SN_FLOAT64, 8192, 100);
    mj_deleteModel(m);
  }
  return !good;
}
