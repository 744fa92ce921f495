// `sinew sweep`: a model simulated many times with different numbers; what was measured goes to one file.
//
// Samples are numbered. Whoever computes them, alone or as ranks of mpirun, takes chunks of those that the file does
// not have yet; rank 0 deals them out and writes, the others compute.
#include "sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "support/cli.h"
#include "support/format.h"
#include "support/json.h"
#include "support/plot.h"

typedef struct {
  CliList vary, measure, ctrl, flag;
  const char *sampling, *out, *key, *integrator, *solver, *plot;
  double time;
  int samples, seed, threads, force, quiet, json;
} Options;

typedef struct {
  Options o;
  CliList words;
  SwpStudy study;
  char* settings;
  SwpFile file;
  const ModMpi* mpi;
  int rank, size;
  int next;             // first sample that may be pending
  int done, failed;     // samples in the file
  int begun;            // samples that were there at the start
  double start, shown;  // of the clock
} Sweep;

// -------------------------------------------------------------------------------------------- preparation

static int checkOptions(const Sweep* s) {
  const Options* const o = &s->o;
  if (s->words.n != 1) return cli_fail(CLI_USAGE, "sinew sweep needs one model");
  if (!o->vary.n) return cli_fail(CLI_USAGE, "--vary says what differs between the samples");
  if (!o->measure.n) return cli_fail(CLI_USAGE, "--measure says what is written down");
  if (!o->out) return cli_fail(CLI_USAGE, "--out says where to");
  if (isnan(o->time) || o->time <= 0) return cli_fail(CLI_USAGE, "--time must be given and positive");
  if (o->threads > mjMAXTHREAD) return cli_fail(CLI_USAGE, "--threads: at most %d", mjMAXTHREAD);
  if (o->plot && !cli_isChartPath(o->plot)) return cli_fail(CLI_USAGE, "--plot %s: a chart is .svg or .png", o->plot);
  return CLI_OK;
}

// two parameters or two measures of one name could not both be in the file
static int checkLabels(const SwpStudy* s) {
  for (int i = 0; i < s->nvary; i++) {
    for (int k = 0; k < i; k++) {
      if (!strcmp(s->vary[i].label, s->vary[k].label)) return cli_fail(CLI_USAGE, "--vary %s: twice", s->vary[i].label);
    }
  }
  for (int i = 0; i < s->nmeasure; i++) {
    for (int k = 0; k < i; k++) {
      if (strcmp(s->measure[i].label, s->measure[k].label)) continue;
      return cli_fail(CLI_USAGE, "--measure %s: twice; NAME=EXPRESSION gives a name", s->measure[i].label);
    }
  }
  return CLI_OK;
}

static int readLists(Sweep* s) {
  SwpStudy* const study = &s->study;
  const mjModel* const m = study->model.m;
  study->vary = cli_zeroed((size_t)s->o.vary.n, sizeof(SwpVary));
  study->measure = cli_zeroed((size_t)s->o.measure.n, sizeof(SwpMeasure));
  int status = CLI_OK;
  for (int i = 0; i < s->o.vary.n && status == CLI_OK; i++) {
    status = swp_readVary(m, s->o.vary.at[i], study->vary + study->nvary++);
  }
  for (int i = 0; i < s->o.measure.n && status == CLI_OK; i++) {
    status = swp_readMeasure(m, s->o.measure.at[i], study->measure + study->nmeasure++);
  }
  return status == CLI_OK ? checkLabels(study) : status;
}

static int findKey(const mjModel* m, const char* text, int* key) {
  double number;
  *key = -1;
  if (!text) return CLI_OK;
  *key = mj_name2id(m, mjOBJ_KEY, text);
  if (*key < 0 && cli_number(text, &number) && number >= 0 && number < (double)m->nkey) *key = (int)number;
  return *key >= 0 ? CLI_OK : cli_unknownObject(m, mjOBJ_KEY, text);
}

// FNV-1a
static uint64_t hashBytes(const void* bytes, size_t n, uint64_t hash) {
  for (size_t i = 0; i < n; i++) hash = (hash ^ ((const unsigned char*)bytes)[i]) * 1099511628211u;
  return hash;
}

// everything that decides about the numbers in the file: a study is resumed only if all of it is the same
static void writeSettings(Sweep* s) {
  const Options* const o = &s->o;
  const mjModel* const m = s->study.model.m;
  size_t size = 0;
  FILE* const text = open_memstream(&s->settings, &size);
  const int nbytes = (int)mj_sizeModel(m);
  void* const bytes = cli_zeroed((size_t)nbytes, 1);
  mj_saveModel(m, NULL, bytes, nbytes);
  fprintf(text, "sinew %s sweep\nmodel %s %016llx\n", SINEW_VERSION, s->study.model.name,
          (unsigned long long)hashBytes(bytes, (size_t)nbytes, 14695981039346656037u));
  free(bytes);
  for (int i = 0; i < o->vary.n; i++) fprintf(text, "vary %s\n", o->vary.at[i]);
  for (int i = 0; i < o->measure.n; i++) fprintf(text, "measure %s\n", o->measure.at[i]);
  for (int i = 0; i < o->ctrl.n; i++) fprintf(text, "ctrl %s\n", o->ctrl.at[i]);
  const size_t count = (size_t)s->study.nsample * (size_t)s->study.nvary;
  const CliNumbers* const table = &s->study.control.table;
  fprintf(text, "sampling %s seed %d samples %d %016llx\ntime %.17g key %d\ncontrols %016llx\n", o->sampling, o->seed,
          s->study.nsample,
          (unsigned long long)hashBytes(s->study.value, count * sizeof(double), 14695981039346656037u), o->time,
          s->study.key,
          (unsigned long long)hashBytes(table->at, (size_t)table->nrow * (size_t)table->fields.width * sizeof(double),
                                        14695981039346656037u));
  fclose(text);
}

static int prepare(Sweep* s) {
  SwpStudy* const study = &s->study;
  int status = cli_loadModel(s->words.at[0], &study->model);
  if (status != CLI_OK) return status;
  mjModel* const m = study->model.m;
  study->time = s->o.time;
  study->threads = s->o.threads;
  study->nsample = s->o.samples;
  status = cli_setOptions(m, s->o.integrator, s->o.solver, &s->o.flag);
  if (status == CLI_OK) status = findKey(m, s->o.key, &study->key);
  if (status == CLI_OK) status = run_readControl(&study->control, m, &s->o.ctrl);
  if (status == CLI_OK) status = readLists(s);
  if (status == CLI_OK) {
    status = swp_sample(s->o.sampling, s->o.seed, study->vary, study->nvary, &study->nsample, &study->value);
  }
  if (status == CLI_OK && study->nsample < 1) status = cli_fail(CLI_USAGE, "there are no samples");

  // the energy is computed where somebody measures it
  for (int i = 0; i < study->nmeasure; i++) {
    for (int k = 0; k < study->measure[i].ncode; k++) {
      if (!strcmp(study->measure[i].code[k].place.field, "energy")) m->opt.enableflags |= mjENBL_ENERGY;
    }
  }
  if (status == CLI_OK) writeSettings(s);
  return status;
}

// -------------------------------------------------------------------------------------------- dealing

static void countStates(Sweep* s) {
  s->done = s->failed = 0;
  for (int i = 0; i < s->study.nsample; i++) {
    s->done += s->file.state[i] != SWP_PENDING;
    s->failed += s->file.state[i] == SWP_FAILED;
  }
}

// the next samples that nobody has; chunks become small towards the end so that all end together
static void deal(Sweep* s, SwpChunk* chunk, int workers) {
  const int share = (s->study.nsample - s->next) / (4 * workers) + 1;
  const int most = share < SWP_CHUNK ? share : SWP_CHUNK;
  chunk->n = 0;
  for (; s->next < s->study.nsample && chunk->n < most; s->next++) {
    if (s->file.state[s->next] == SWP_PENDING) chunk->sample[chunk->n++] = s->next;
  }
}

static void showProgress(Sweep* s) {
  const double now = cli_seconds();
  if (s->o.quiet || !isatty(STDERR_FILENO) || now < s->shown + 0.1) return;
  s->shown = now;
  const double part = (double)s->done / s->study.nsample, fresh = s->done - s->begun;
  const double left = fresh > 0 ? (now - s->start) * (s->study.nsample - s->done) / fresh : NAN;
  enum { WIDTH = 30 };
  const CliStyle* const style = cli_style(stderr);
  fprintf(stderr, "\r%s", style->green);
  for (int i = 0; i < (int)(part * WIDTH); i++) fputs(cli_utf8() ? "\u2501" : "=", stderr);
  fprintf(stderr, "%s%s", style->reset, style->dim);
  for (int i = (int)(part * WIDTH); i < WIDTH; i++) fputs(cli_utf8() ? "\u2501" : "-", stderr);
  fprintf(stderr, "%s %3.0f%%  %d of %d samples", style->reset, 100 * part, s->done, s->study.nsample);
  if (s->failed) fprintf(stderr, "  %s%d failed%s", style->yellow, s->failed, style->reset);
  if (left >= 0) fprintf(stderr, "  %d:%02d:%02d left", (int)(left / 3600), (int)(left / 60) % 60, (int)left % 60);
  fputs("\033[K", stderr);
}

static int takeIn(Sweep* s, const SwpChunk* chunk, const double* measured) {
  const int status = swp_writeChunk(&s->file, chunk, measured, s->study.nmeasure);
  for (int i = 0; i < chunk->n && status == CLI_OK; i++) {
    s->done += chunk->state[i] != SWP_PENDING;
    s->failed += chunk->state[i] == SWP_FAILED;
  }
  showProgress(s);
  return status;
}

// one process does it all
static int computeAlone(Sweep* s) {
  SwpEngine* const engine = swp_makeEngine(&s->study);
  if (!engine) return CLI_FAILED;
  double* const measured = cli_zeroed(SWP_CHUNK * (size_t)s->study.nmeasure, sizeof(double));
  SwpChunk chunk;
  int status = CLI_OK;
  for (deal(s, &chunk, 1); chunk.n && status == CLI_OK; deal(s, &chunk, 1)) {
    const int whole = swp_compute(engine, &chunk, measured);
    status = takeIn(s, &chunk, measured);
    if (!whole && status == CLI_OK) status = CLI_INTERRUPTED;
  }
  free(measured);
  swp_freeEngine(engine);
  return status;
}

// -------------------------------------------------------------------------------------------- ranks

// what a worker sends: the chunk it has done and its numbers
static size_t messageSize(const SwpStudy* study) {
  return sizeof(SwpChunk) + SWP_CHUNK * (size_t)study->nmeasure * sizeof(double);
}

// rank 0: every message is answered by another chunk, an empty one at the end
static int collect(Sweep* s, int good) {
  const size_t size = messageSize(&s->study);
  char* const message = cli_zeroed(size, 1);
  SwpChunk* const came = (SwpChunk*)message;
  SwpChunk chunk = {0};
  int status = CLI_OK;
  for (int workers = s->size - 1; workers > 0;) {
    const int from = s->mpi->receive(-1, message, (int)size, cli_interrupted);
    if (from < 0) {
      status = CLI_INTERRUPTED;
      break;
    }
    if (came->n && status == CLI_OK) status = takeIn(s, came, (const double*)(came + 1));
    chunk.n = 0;
    if (good && status == CLI_OK) deal(s, &chunk, s->size - 1);
    workers -= chunk.n == 0;
    s->mpi->send(from, &chunk, sizeof(chunk));
  }
  free(message);
  return status;
}

static int runSamples(Sweep* s) {
  const size_t size = messageSize(&s->study);
  char* const message = cli_zeroed(size, 1);
  SwpChunk* const chunk = (SwpChunk*)message;
  SwpEngine* const engine = swp_makeEngine(&s->study);
  int status = CLI_OK;
  while (status == CLI_OK) {
    s->mpi->send(0, message, (int)size);
    if (s->mpi->receive(0, chunk, sizeof(*chunk), cli_interrupted) < 0) status = CLI_INTERRUPTED;
    if (!chunk->n) break;
    if (!engine) {
      status = CLI_FAILED;
    } else if (status == CLI_OK && !swp_compute(engine, chunk, (double*)(chunk + 1))) {
      status = CLI_INTERRUPTED;
    }
  }
  swp_freeEngine(engine);
  free(message);
  return status;
}

// 1: mpirun started several of this program
static int underMpi(void) {
  static const char* const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS", "SLURM_STEP_NUM_TASKS"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    const char* const value = getenv(names[i]);
    if (value && atoi(value) > 1) return 1;
  }
  return 0;
}

static int startRanks(Sweep* s) {
  s->size = 1;
  if (!underMpi()) return CLI_OK;
  s->mpi = mod_load("sinew_mpi", "sinew_mpi");
  if (!s->mpi) return cli_fail(CLI_FAILED, "mpirun started it, but %s", mod_reason("sinew_mpi"));
  return s->mpi->start(&s->rank, &s->size) ? CLI_OK : cli_fail(CLI_FAILED, "MPI does not start");
}

// -------------------------------------------------------------------------------------------- report

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// values of a measure in order; those of failed samples are left out
static int sorted(const Sweep* s, int measure, double* values) {
  if (!swp_readMeasured(&s->file, measure, s->study.nsample, values)) return 0;
  int n = 0;
  for (int i = 0; i < s->study.nsample; i++) {
    if (s->file.state[i] == SWP_DONE && !isnan(values[i])) values[n++] = values[i];
  }
  qsort(values, (size_t)n, sizeof(double), ascending);
  return n;
}

static double quantile(const double* values, int n, double q) {
  const double at = q * (n - 1);
  const int i = (int)at;
  return i + 1 < n ? values[i] + (at - i) * (values[i + 1] - values[i]) : values[n - 1];
}

static const double QUANTILES[] = {0, 0.05, 0.25, 0.5, 0.75, 0.95, 1};
enum { NQUANTILE = sizeof(QUANTILES) / sizeof(QUANTILES[0]), NPOINT = 201 };

static void printReport(const Sweep* s, double* values) {
  CliTable table = {.ncolumn = 2 + NQUANTILE};
  const char* const heads[] = {"measure", "mean", "least", "5%", "25%", "median", "75%", "95%", "most"};
  for (int i = 0; i < 2 + NQUANTILE; i++) cli_cell(&table, "%s", heads[i]);
  for (int k = 0; k < s->study.nmeasure; k++) {
    const int n = sorted(s, k, values);
    double mean = 0;
    for (int i = 0; i < n; i++) mean += values[i] / n;
    cli_cell(&table, "%s", s->study.measure[k].label);
    cli_cell(&table, "%.4g", n ? mean : NAN);
    for (int i = 0; i < NQUANTILE; i++) cli_cell(&table, "%.4g", n ? quantile(values, n, QUANTILES[i]) : NAN);
  }
  printf("%d samples", s->done);
  if (s->begun) printf(", %d of them from before", s->begun);
  if (s->failed) printf(", %d failed", s->failed);
  printf("; %s\n\n", s->o.out);
  cli_printTable(&table, stdout, 1, 0);
  cli_freeTable(&table);
}

static void printJson(const Sweep* s, double* values) {
  CliJson json = {.file = stdout};
  cli_jsonOpen(&json, NULL, '{');
  cli_jsonText(&json, "file", s->o.out);
  cli_jsonCount(&json, "samples", s->done);
  cli_jsonCount(&json, "failed", s->failed);
  cli_jsonCount(&json, "resumed", s->begun);
  cli_jsonOpen(&json, "median", '{');
  for (int k = 0; k < s->study.nmeasure; k++) {
    const int n = sorted(s, k, values);
    cli_jsonNumber(&json, s->study.measure[k].label, n ? quantile(values, n, 0.5) : NAN);
  }
  cli_jsonClose(&json, '}');
  cli_jsonClose(&json, '}');
}

// values over quantiles, a panel per measure
static int drawChart(const Sweep* s, double* values) {
  const int n = s->study.nmeasure < CLI_MAX_PANELS ? s->study.nmeasure : CLI_MAX_PANELS, width = n + 1;
  CliChart* const chart = cli_zeroed(1, sizeof(*chart));
  double* const sample = cli_zeroed((size_t)NPOINT * (size_t)width, sizeof(double));
  snprintf(chart->title, sizeof(chart->title), "%.100s: quantiles", s->study.model.name);
  snprintf(chart->subtitle, sizeof(chart->subtitle), "%d samples", s->done - s->failed);
  chart->over = "part of the samples that is below";
  for (int i = 0; i < NPOINT; i++) sample[i * width] = (double)i / (NPOINT - 1);
  for (int k = 0; k < n; k++) {
    const int count = sorted(s, k, values);
    for (int i = 0; i < NPOINT && count; i++) sample[i * width + 1 + k] = quantile(values, count, sample[i * width]);
    CliPanel* const panel = chart->panel + chart->npanel++;
    snprintf(panel->title, sizeof(panel->title), "%.150s", s->study.measure[k].label);
    panel->series[panel->nseries++].column = 1 + k;
    snprintf(panel->series[0].name, sizeof(panel->series[0].name), "%.150s", s->study.measure[k].label);
  }
  chart->sample = sample;
  chart->nrow = NPOINT;
  chart->width = width;
  const int status = cli_plot(chart, s->o.plot);
  free(sample);
  free(chart);
  return status;
}

static int report(const Sweep* s) {
  double* const values = cli_zeroed((size_t)s->study.nsample, sizeof(double));
  if (s->o.json) {
    printJson(s, values);
  } else if (!s->o.quiet) {
    printReport(s, values);
  }
  const int status = s->o.plot ? drawChart(s, values) : CLI_OK;
  free(values);
  return status;
}

// -------------------------------------------------------------------------------------------- command

// the process that has the file
static int lead(Sweep* s) {
  int status = swp_openFile(&s->file, s->o.out, &s->study, s->settings, s->o.force);
  const int good = status == CLI_OK;
  if (good) countStates(s);
  s->begun = s->done;
  s->start = cli_seconds();
  // mpirun ends all ranks when one dies, and does not wait for what they say then
  if (s->size > 1 && good && !s->o.quiet) {
    fprintf(stderr,
            "%d of %d samples are in '%s'; %d ranks compute the rest. If one dies, the same command goes on from "
            "there.\n",
            s->done, s->study.nsample, s->o.out, s->size - 1);
  }
  if (s->size > 1) {
    const int collected = collect(s, good);
    if (good) status = collected;
  } else if (good) {
    status = computeAlone(s);
  }
  if (s->shown > 0) fputs("\r\033[K", stderr);
  if (status == CLI_INTERRUPTED) {
    cli_fail(status,
             s->size > 1 ? "interrupted, or a rank has gone: %d of %d samples are in '%s'"
                         : "interrupted: %d of %d samples are in '%s'",
             s->done, s->study.nsample, s->o.out);
    cli_hint("the same command goes on from there");
  } else if (status == CLI_OK) {
    status = report(s);
  }
  swp_closeFile(&s->file);
  return status;
}

static void release(Sweep* s) {
  for (int i = 0; i < s->study.nvary; i++) free(s->study.vary[i].list);
  free(s->study.vary);
  free(s->study.measure);
  free(s->study.value);
  free(s->settings);
  run_freeControl(&s->study.control);
  cli_freeModel(&s->study.model);
  cli_freeOptions(&cmd_sweep, &s->o, &s->words);
}

static int sweepMain(int argc, char** argv) {
  Sweep* const s = cli_zeroed(1, sizeof(*s));
  s->o = (Options){.time = NAN, .sampling = "random"};
  s->file.descriptor = -1;
  int code = cli_parse(&cmd_sweep, argc, argv, &s->o, &s->words);
  if (code == CLI_PROCEED) {
    code = checkOptions(s);
    if (code == CLI_OK) code = prepare(s);
    if (code == CLI_OK) code = startRanks(s);
    if (code == CLI_OK) {
      cli_catchInterrupt();
      code = s->rank ? runSamples(s) : lead(s);
      if (s->mpi && code != CLI_INTERRUPTED) s->mpi->finish();
    }
    release(s);
  }
  free(s);
  return code;
}

// clang-format off
#define AT(member) offsetof(Options, member)
static const CliOption options[] = {
    {"vary", 'v', CLI_LIST, AT(vary), "FIELD=DISTRIBUTION",
     "what differs: a field of mjModel (body_mass[torso], geom_friction[floor,0],\n"
     "opt.timestep ...) or of the initial state (qpos[knee] ...). FIELD= sets it,\n"
     "FIELD*= scales, FIELD+= adds. uniform:LOW,HIGH  loguniform:LOW,HIGH\n"
     "normal:MEAN,DEVIATION  list:A,B,...  range:FIRST,LAST,N"},
    {"samples", 'n', CLI_COUNT, AT(samples), "N", "how many samples"},
    {"sampling", 0, CLI_TEXT, AT(sampling), "METHOD",
     "random (default), sobol, lhs (Latin hypercube), grid (every combination\n"
     "of lists), or FILE.csv, FILE.npy with a row per sample"},
    {"seed", 0, CLI_COUNT, AT(seed), "N", "of the samples (default 0)"},
    {"time", 't', CLI_NUMBER, AT(time), "SECONDS", "simulated time of a sample"},
    {"measure", 'm', CLI_LIST, AT(measure), "[NAME=]EXPRESSION",
     "what is written down: fields of one element, + - * / ^, abs, sqrt, sin,\n"
     "cos, exp, log, hypot, min(a,b), max(a,b); over the time of the sample:\n"
     "max, min, mean, sum, rms, std, integral, first, last"},
    {"out", 'o', CLI_TEXT, AT(out), "FILE.h5", "the file; if it holds a part of this study, the rest is computed"},
    {"force", 0, CLI_SWITCH, AT(force), NULL, "begin anew whatever the file holds"},
    {"threads", 0, CLI_COUNT, AT(threads), "N", "threads (default: one per CPU); the file is the same"},
    {"key", 'k', CLI_TEXT, AT(key), "NAME|N", "start from a keyframe"},
    {"ctrl", 'c', CLI_LIST, AT(ctrl), "[NAME=]VALUE", "controls, as in sinew run"},
    {"integrator", 0, CLI_TEXT, AT(integrator), "NAME", "Euler, RK4, implicit or implicitfast"},
    {"solver", 0, CLI_TEXT, AT(solver), "NAME", "PGS, CG or Newton"},
    {"flag", 'f', CLI_LIST, AT(flag), "NAME=on|off", "switch a feature, as in sinew run"},
    {"plot", 'p', CLI_TEXT, AT(plot), "FILE", "draw the quantiles of the measures as .svg or .png"},
    {"quiet", 'q', CLI_SWITCH, AT(quiet), NULL, "print only errors"},
    {"json", 0, CLI_SWITCH, AT(json), NULL, "print the report as JSON"},
};
#undef AT
// clang-format on

const CliCommand cmd_sweep = {
    .name = "sweep",
    .arguments = "MODEL --vary FIELD=DISTRIBUTION --measure EXPRESSION --time SECONDS --out FILE.h5",
    .summary = "simulate a model many times with different numbers",
    .description =
        "Draws samples of the varied numbers, simulates each, and writes parameters, measures and states to one\n"
        "HDF5 file, for h5py and pandas. The file is the same for any number of threads and ranks. After Ctrl-C\n"
        "or a crash the same command computes what is missing. A sample that becomes unstable is marked as failed\n"
        "with the reason; the others go on. 'mpirun -n N sinew sweep ...' uses many machines: rank 0 deals out\n"
        "the samples and writes, the others compute.",
    .examples =
        "sinew sweep car.xml -v 'body_mass[chassis]*=uniform:0.8,1.2' -n 1000 -t 5 -m 'max(qpos[root])' -o study.h5\n"
        "sinew sweep arm.xml -v opt.timestep=list:0.001,0.002 -v 'dof_damping[elbow]=range:0,1,11' --sampling grid \\\n"
        "  -t 2 -m 'swing=max(qpos[elbow])-min(qpos[elbow])' -o grid.h5 --plot grid.svg\n"
        "mpirun -n 64 sinew sweep car.xml ... --threads 1",
    .options = options,
    .noption = sizeof(options) / sizeof(options[0]),
    .main = sweepMain,
};
