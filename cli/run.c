// `sinew run`: simulates a model, writes down what was asked for and reports.
#include "run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "support/cli.h"
#include "support/plain.h"

typedef struct {
  double time;  // NAN: not given
  int steps, every, threads, quiet, json;
  const char *key, *integrator, *solver, *out;
  const char* path[RUN_NCHANNEL];
  CliList ctrl, flag, plot;
} Options;

enum { MAX_CHARTS = 8 };

// All that a run holds, so that it is released in one place.
typedef struct {
  Options o;
  CliList words;
  const char* path;  // of the model, NULL: the scene inside the program
  CliModel model;
  mjData* d;
  mjThreadPool* pool;
  RunControl control;
  RunRecord record;
  RunChart chart[MAX_CHARTS];
  int nchart;
  char (*names)[512];  // of the files below --out
  RunSummary summary;
} Run;

// -------------------------------------------------------------------------------------------- checks

// options that contradict each other or make no sense
static int checkOptions(const Run* r) {
  const Options* const o = &r->o;
  if (r->words.n > 1)
    return cli_fail(CLI_USAGE, "one model at a time, not '%s' and '%s'", r->words.at[0], r->words.at[1]);
  if (!isnan(o->time) && o->steps >= 0)
    return cli_fail(CLI_USAGE, "--time and --steps contradict each other: give one");
  if (!isnan(o->time) && o->time <= 0) return cli_fail(CLI_USAGE, "--time must be positive");
  if (o->every < 1) return cli_fail(CLI_USAGE, "--every must be at least 1");
  if (o->threads > 256) return cli_fail(CLI_USAGE, "--threads: at most 256");
  if (o->json && o->quiet) return cli_fail(CLI_USAGE, "--json and --quiet contradict each other: give one");
  if (o->plot.n > MAX_CHARTS) return cli_fail(CLI_USAGE, "at most %d charts in one run", MAX_CHARTS);
  int toStdout = 0;
  for (int i = 0; i < RUN_NCHANNEL; i++) {
    if (!o->path[i]) continue;
    toStdout += strcmp(o->path[i], "-") == 0;
    for (int j = 0; j < i; j++) {
      if (o->path[j] && strcmp(o->path[i], o->path[j]) == 0) {
        return cli_fail(CLI_USAGE, "'%s' is given for two kinds of numbers", o->path[i]);
      }
    }
  }
  if (toStdout && o->json) return cli_fail(CLI_USAGE, "--json and a file named '-' both want standard output");
  return CLI_OK;
}

static int hasOutput(const Options* o) {
  for (int i = 0; i < RUN_NCHANNEL; i++) {
    if (o->path[i]) return 1;
  }
  return o->out || o->plot.n;
}

// -------------------------------------------------------------------------------------------- preparation

// the files of --out: what the model has, in a folder
static int planFolder(Run* r) {
  static const char* const name[RUN_NCHANNEL] = {"states.csv", "sensors.csv", "energy.csv", "contacts.csv"};
  static const char* const plot[] = {"energy=%s/energy.svg", "joints=%s/joints.svg", "contacts=%s/contacts.svg"};
  enum { NPLOT = sizeof(plot) / sizeof(plot[0]) };
  Options* const o = &r->o;
  if (mkdir(o->out, 0777) && errno != EEXIST) {
    return cli_fail(CLI_OUTPUT, "cannot make the folder '%s': %s", o->out, strerror(errno));
  }
  r->names = cli_zeroed(RUN_NCHANNEL + NPLOT, sizeof(*r->names));
  for (int i = 0; i < RUN_NCHANNEL; i++) {
    if (o->path[i] || (i == RUN_SENSORS && !r->model.m->nsensor)) continue;
    snprintf(r->names[i], sizeof(r->names[i]), "%s/%s", o->out, name[i]);
    o->path[i] = r->names[i];
  }
  if (o->plot.n) return CLI_OK;
  for (int i = 0; i < NPLOT; i++) {
    if (strstr(plot[i], "joints") && !r->model.m->njnt) continue;
    snprintf(r->names[RUN_NCHANNEL + i], sizeof(r->names[i]), plot[i], o->out);
    cli_append(&o->plot, r->names[RUN_NCHANNEL + i]);
  }
  return CLI_OK;
}

// opens the files before the first step: trouble with them should not cost a run
static int planOutput(Run* r) {
  const mjModel* const m = r->model.m;
  if (r->o.out) {
    const int status = planFolder(r);
    if (status != CLI_OK) return status;
  }
  for (int i = 0; i < r->o.plot.n; i++) {
    RunChart* const chart = &r->chart[r->nchart++];
    const int status = run_readChart(chart, r->o.plot.at[i]);
    if (status != CLI_OK) return status;
    if (chart->wanted[RUN_SENSORS] && !m->nsensor) return cli_fail(CLI_USAGE, "--plot sensors: the model has none");
    for (int kind = 0; kind < RUN_NCHANNEL; kind++) {
      if (chart->wanted[kind]) run_useChannel(&r->record, m, (RunChannelKind)kind);
    }
  }
  if (r->o.path[RUN_SENSORS] && !m->nsensor) return cli_fail(CLI_USAGE, "--sensors: the model has none");
  for (int kind = 0; kind < RUN_NCHANNEL; kind++) {
    if (!r->o.path[kind]) continue;
    const int status = run_writeChannel(&r->record, m, (RunChannelKind)kind, r->o.path[kind]);
    if (status != CLI_OK) return status;
  }
  if (r->record.channel[RUN_ENERGY].used) r->model.m->opt.enableflags |= mjENBL_ENERGY;
  return CLI_OK;
}

static int prepare(Run* r) {
  Options* const o = &r->o;
  // without a model: the scene inside, with everything it can show
  r->path = r->words.n ? r->words.at[0] : NULL;
  if (!r->path && !hasOutput(o)) {
    o->out = "out";
    if (o->every == 1) o->every = 4;
  }
  int status = cli_loadModel(r->path, &r->model);
  if (status != CLI_OK) return status;
  mjModel* const m = r->model.m;
  status = cli_setOptions(m, o->integrator, o->solver, &o->flag);
  if (status != CLI_OK) return status;
  r->d = mj_makeData(m);
  if (!r->d) return cli_fail(CLI_FAILED, "no memory for the data of the model");
  status = cli_resetTo(m, r->d, o->key);
  if (status == CLI_OK) status = run_readControl(&r->control, m, &o->ctrl);
  if (status == CLI_OK) status = planOutput(r);
  if (status != CLI_OK) return status;
  if (o->threads > 1) {
    r->pool = mju_threadPoolCreate((size_t)o->threads);
    mju_bindThreadPool(r->d, r->pool);
  }
  if (o->steps < 0) {
    const double steps = ceil((isnan(o->time) ? 10 : o->time) / m->opt.timestep - 1e-9);
    if (steps > 2e9) return cli_fail(CLI_USAGE, "--time %g are too many steps of %g s", o->time, m->opt.timestep);
    o->steps = (int)steps;
  }
  r->summary.planned = o->steps;
  r->summary.start = r->d->time;
  return CLI_OK;
}

// -------------------------------------------------------------------------------------------- simulation

static void stop(Run* r, RunEnd end, const char* reason) {
  r->summary.end = end;
  snprintf(r->summary.reason, sizeof(r->summary.reason), "%s", reason);
  cli_plain(r->summary.reason, 1);
}

// ends the run at a state that is not finite
static int diverged(Run* r) {
  const double time = r->summary.start + r->summary.steps * r->model.m->opt.timestep;
  char text[512];
  if (!cli_unstable(r->model.m, r->d, time, text, sizeof(text))) return 0;
  stop(r, RUN_UNSTABLE, text);
  return 1;
}

static void noteWarnings(Run* r) {
  for (int i = 0; i < mjNWARNING; i++) {
    r->summary.warning[i] = r->d->warning[i].number;
    r->summary.warningInfo[i] = r->d->warning[i].lastinfo;
  }
}

// one step with its sample; 0: the run ends here
static int advance(Run* r, int sampled, double* now) {
  RunSummary* const s = &r->summary;
  const mjModel* const m = r->model.m;
  mjData* const d = r->d;
  run_applyControl(&r->control, m, d, s->steps);
  if (sampled) run_sampleState(&r->record, m, d);
  const double begin = cli_seconds();
  char message[512] = "";
  const snStatus status = sn_step(m, d, message, sizeof(message));
  *now = cli_seconds();
  s->wall += *now - begin;
  if (status == SN_ERROR) {
    stop(r, RUN_ERROR, message);
    return 0;
  }
  if (diverged(r)) return 0;
  if (s->steps == 0) s->energy[0] = d->energy[0] + d->energy[1];
  s->steps++;
  s->time = d->time - s->start;
  s->ncon += d->ncon;
  s->maxcon = d->ncon > s->maxcon ? d->ncon : s->maxcon;
  for (int i = 0; i < d->nisland || i < 1; i++) s->niter += i < mjNISLAND ? d->solver_niter[i] : 0;
  if (sampled && run_sampleResults(&r->record, m, d) != CLI_OK) {
    stop(r, RUN_UNWRITABLE, "the output cannot be written");
    return 0;
  }
  return 1;
}

// the state after the last step, with what belongs to it
static void sampleEnd(Run* r) {
  run_sampleState(&r->record, r->model.m, r->d);
  char message[512];
  if (sn_forward(r->model.m, r->d, message, sizeof(message)) == SN_ERROR) return;
  r->summary.energy[1] = r->d->energy[0] + r->d->energy[1];
  run_sampleResults(&r->record, r->model.m, r->d);
}

static void simulate(Run* r) {
  RunProgress progress;
  run_startProgress(&progress, !r->o.quiet);
  cli_catchInterrupt();
  while (r->summary.steps < r->summary.planned) {
    if (cli_interrupted()) {
      stop(r, RUN_INTERRUPTED, "interrupted; what was computed is written");
      break;
    }
    double now = 0;
    if (!advance(r, r->summary.steps % r->o.every == 0, &now)) break;
    run_showProgress(&progress, &r->summary, r->model.m, r->d, now);
  }
  run_endProgress(&progress);
  noteWarnings(r);
  r->summary.hasEnergy = r->record.channel[RUN_ENERGY].used && r->summary.steps > 0;
  if (r->summary.end == RUN_DONE || r->summary.end == RUN_INTERRUPTED) sampleEnd(r);
}

// -------------------------------------------------------------------------------------------- end

static int finishOutput(Run* r) {
  RunSummary* const s = &r->summary;
  int code = run_closeRecord(&r->record);
  for (int i = 0; i < RUN_NCHANNEL; i++) {
    const CliSink* const sink = &r->record.channel[i].sink;
    if (sink->path && !sink->error && strcmp(sink->path, "-") != 0) cli_append(&s->files, sink->path);
  }
  char subtitle[160];
  snprintf(subtitle, sizeof(subtitle), "%.6g s in %d steps of %.4g ms, %s, %s", s->time, s->steps,
           1e3 * r->model.m->opt.timestep, cli_integrators[r->model.m->opt.integrator],
           cli_solvers[r->model.m->opt.solver]);
  for (int i = 0; i < r->nchart && s->steps > 0; i++) {
    const int status = run_drawChart(&r->chart[i], &r->record, &r->model, subtitle);
    if (status == CLI_OK) cli_append(&s->files, r->chart[i].path);
    if (code == CLI_OK) code = status;
  }
  return code;
}

static void printNext(const char* folder) {
  // as it was called, so that the lines can be copied
  const char* const program = program_invocation_name;
  printf("\nTry next:\n");
  printf("  xdg-open %s/joints.svg   # look at the charts\n", folder);
  printf("  %s run --ctrl sine:0.5 --plot sine.svg   # move every joint of the same scene\n", program);
  printf("  %s info   # what is in it\n", program);
  printf("  %s run YOUR_MODEL.xml --plot chart.svg\n", program);
  printf("  %s --help\n", program);
}

static int report(Run* r, int outputCode) {
  // nobody reads any more
  if (outputCode == CLI_PIPE) return outputCode;

  // standard output belongs to the numbers where they go there
  int toStdout = 0;
  for (int i = 0; i < RUN_NCHANNEL; i++) toStdout |= r->o.path[i] && strcmp(r->o.path[i], "-") == 0;
  if (r->o.json) {
    run_printJson(stdout, &r->summary, &r->model);
  } else if (!r->o.quiet) {
    run_print(toStdout ? stderr : stdout, &r->summary, &r->model);
    if (!r->path && r->o.out && r->summary.end == RUN_DONE && outputCode == CLI_OK) printNext(r->o.out);
  } else if (r->summary.end == RUN_UNSTABLE || r->summary.end == RUN_ERROR) {
    cli_fail(CLI_FAILED, "%s", r->summary.reason);
  }
  switch (r->summary.end) {
    case RUN_INTERRUPTED:
      return CLI_INTERRUPTED;
    case RUN_UNSTABLE:
    case RUN_ERROR:
      return CLI_FAILED;
    default:
      return outputCode;
  }
}

static void release(Run* r) {
  run_freeRecord(&r->record);
  run_freeControl(&r->control);
  mj_deleteData(r->d);
  if (r->pool) mju_threadPoolDestroy(r->pool);
  cli_freeModel(&r->model);
  free(r->summary.files.at);
  free(r->names);
  cli_freeOptions(&cmd_run, &r->o, &r->words);
}

static int runMain(int argc, char** argv) {
  Run* const r = cli_zeroed(1, sizeof(*r));
  r->o = (Options){.time = NAN, .steps = -1, .every = 1};
  int code = cli_parse(&cmd_run, argc, argv, &r->o, &r->words);
  if (code == CLI_PROCEED) {
    code = checkOptions(r);
    if (code == CLI_OK) code = prepare(r);
    if (code == CLI_OK) {
      simulate(r);
      code = report(r, finishOutput(r));
    } else {
      run_closeRecord(&r->record);
    }
    release(r);
  }
  free(r);
  return code;
}

// -------------------------------------------------------------------------------------------- options

// aligned columns would be wider than the page
// clang-format off
#define AT(member) offsetof(Options, member)
static const CliOption options[] = {
    {"time", 't', CLI_NUMBER, AT(time), "SECONDS", "simulated time (default 10)"},
    {"steps", 'n', CLI_COUNT, AT(steps), "N", "number of steps, instead of --time"},
    {"key", 'k', CLI_TEXT, AT(key), "NAME|N", "start from a keyframe"},
    {"ctrl", 'c', CLI_LIST, AT(ctrl), "[NAME=]VALUE",
     "controls of one actuator or of all: a number, sine[:HZ[,AMPLITUDE]],\n"
     "or FILE.csv, FILE.npy (a row per step, or rows with a column 'time');\n"
     "may be given several times"},
    {"threads", 0, CLI_COUNT, AT(threads), "N", "threads inside the step; the result is the same"},
    {"integrator", 0, CLI_TEXT, AT(integrator), "NAME", "Euler, RK4, implicit or implicitfast"},
    {"solver", 0, CLI_TEXT, AT(solver), "NAME", "PGS, CG or Newton"},
    {"flag", 'f', CLI_LIST, AT(flag), "NAME=on|off",
     "switch a feature: contact, gravity, island, sleep, ...\n(names as in MJCF's <flag>); may be given several times"},
    {"states", 's', CLI_TEXT, AT(path[RUN_STATES]), "FILE",
     "write time, qpos, qvel, act, ctrl; '-' is standard output"},
    {"sensors", 0, CLI_TEXT, AT(path[RUN_SENSORS]), "FILE", "write the readings of all sensors"},
    {"energy", 0, CLI_TEXT, AT(path[RUN_ENERGY]), "FILE", "write potential, kinetic and total energy"},
    {"contacts", 0, CLI_TEXT, AT(path[RUN_CONTACTS]), "FILE", "write number, forces and depth of contacts"},
    {"every", 'e', CLI_COUNT, AT(every), "N", "write every N-th step (default 1)"},
    {"plot", 'p', CLI_LIST, AT(plot), "[WHAT=]FILE",
     "draw a chart as .svg or .png of energy, joints, sensors, contacts\n"
     "(a list with commas; default energy,joints); may be given several times"},
    {"out", 'o', CLI_TEXT, AT(out), "FOLDER", "write all numbers and charts to a folder"},
    {"quiet", 'q', CLI_SWITCH, AT(quiet), NULL, "print only errors"},
    {"json", 0, CLI_SWITCH, AT(json), NULL, "print the report as JSON"},
};
#undef AT
// clang-format on

const CliCommand cmd_run = {
    .name = "run",
    .arguments = "[MODEL] [OPTIONS]",
    .summary = "simulate a model; write states, sensors, energy; draw charts",
    .description =
        "Simulates MODEL (MJCF, URDF or MJB) and reports time, speed, contacts, energy and warnings.\n"
        "Without MODEL it runs a scene of its own for ten seconds and writes numbers and charts to out/.\n"
        "Files named .npy are NumPy arrays with named fields (np.load(f)['qpos']), .h5 are HDF5 with a dataset per\n"
        "field, all others are CSV.\n"
        "A run that becomes unstable stops there, names the joint and ends with exit code 5; after Ctrl-C\n"
        "what was computed is written and the exit code is 130.",
    .examples =
        "sinew run                                                # the scene inside, into out/\n"
        "sinew run humanoid.xml --time 5 --plot chart.svg         # energy and joints over time\n"
        "sinew run arm.xml --ctrl sine:0.5 --states arm.npy       # every actuator through its range\n"
        "sinew run arm.xml --ctrl elbow=0.3 --ctrl wrist=sine:2   # single actuators\n"
        "sinew run car.xml --flag island=off --solver PGS --json  # other settings, report for scripts\n"
        "sinew run car.xml --states - | head -3                   # numbers into a pipe",
    .options = options,
    .noption = sizeof(options) / sizeof(options[0]),
    .main = runMain,
};
