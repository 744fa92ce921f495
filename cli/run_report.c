// What `sinew run` says while it runs and afterwards.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "run.h"
#include "support/cli.h"
#include "support/format.h"
#include "support/json.h"

// -------------------------------------------------------------------------------------------- progress

static const double period = 0.1;  // seconds between two drawings

void run_startProgress(RunProgress* progress, int wanted) {
  *progress = (RunProgress){.on = wanted && isatty(STDERR_FILENO), .next = cli_seconds() + period};
}

static int totalWarnings(const mjData* d) {
  int n = 0;
  for (int i = 0; i < mjNWARNING; i++) n += d->warning[i].number;
  return n;
}

void run_showProgress(RunProgress* progress, const RunSummary* summary, const mjModel* m, const mjData* d, double now) {
  if (!progress->on || now < progress->next) return;
  progress->next = now + period;
  progress->drawn = 1;

  // a bar as wide as what the numbers leave
  struct winsize size;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || !size.ws_col) size.ws_col = 80;
  const int width = size.ws_col > 100 ? 40 : size.ws_col > 72 ? size.ws_col - 62 : 8;
  const double part = summary->planned ? (double)summary->steps / summary->planned : 1;
  const int full = (int)(part * width);
  const CliStyle* const style = cli_style(stderr);
  const int utf8 = cli_utf8();
  fprintf(stderr, "\r%s", style->green);
  for (int i = 0; i < full; i++) fputs(utf8 ? "\u2501" : "=", stderr);
  fputs(style->reset, stderr);
  fputs(style->dim, stderr);
  for (int i = full; i < width; i++) fputs(utf8 ? "\u2501" : "-", stderr);
  const int nwarning = totalWarnings(d);
  fprintf(stderr, "%s %3.0f%%  %.2f of %.2f s  %.3gx real time  %d contacts%s", style->reset, 100 * part, summary->time,
          summary->planned * m->opt.timestep, summary->wall > 0 ? summary->time / summary->wall : 0, d->ncon,
          nwarning ? "" : "\033[K");
  if (nwarning) fprintf(stderr, "  %s%d warnings%s\033[K", style->yellow, nwarning, style->reset);
  fflush(stderr);
}

void run_endProgress(RunProgress* progress) {
  if (progress->drawn) fputs("\r\033[K", stderr);
  progress->on = 0;
}

// -------------------------------------------------------------------------------------------- report

static const char* const endNames[] = {"done", "interrupted", "unstable", "error", "unwritable"};

static void label(FILE* out, const char* text) {
  const CliStyle* const style = cli_style(out);
  fprintf(out, "  %s%-10s%s ", style->bold, text, style->reset);
}

static void printWarnings(FILE* out, const RunSummary* summary) {
  int any = 0;
  for (int i = 0; i < mjNWARNING; i++) {
    if (!summary->warning[i]) continue;
    label(out, any ? "" : "warnings");
    any = 1;
    fprintf(out, "%d x %s\n", summary->warning[i], mju_warningText(i, (size_t)summary->warningInfo[i]));
  }
  if (!any) {
    label(out, "warnings");
    fputs("none\n", out);
  }
}

void run_print(FILE* out, const RunSummary* summary, const CliModel* model) {
  const CliStyle* const style = cli_style(out);
  const mjModel* const m = model->m;
  char text[CLI_NUMBER_SIZE];
  fprintf(out, "%s%s%s: %lld bodies, %lld joints, %lld degrees of freedom, %lld actuators\n", style->bold, model->name,
          style->reset, (long long)m->nbody - 1, (long long)m->njnt, (long long)m->nv, (long long)m->nu);
  label(out, "simulated");
  fprintf(out, "%.6g s in %d steps of %.4g ms (%s, %s)\n", summary->time, summary->steps, 1e3 * m->opt.timestep,
          cli_integrators[m->opt.integrator], cli_solvers[m->opt.solver]);
  if (summary->steps && summary->wall > 0) {
    label(out, "took");
    fprintf(out, "%.3g s: %.3gx real time, %ssteps/s\n", summary->wall, summary->time / summary->wall,
            cli_metric(summary->steps / summary->wall, text));
    label(out, "contacts");
    fprintf(out, "%.3g on average, %d at most\n", summary->ncon / summary->steps, summary->maxcon);
    label(out, "solver");
    fprintf(out, "%.3g iterations a step\n", summary->niter / summary->steps);
  }
  if (summary->hasEnergy) {
    label(out, "energy");
    fprintf(out, "%.5g J at the start, %.5g J at the end\n", summary->energy[0], summary->energy[1]);
  }
  printWarnings(out, summary);
  for (int i = 0; i < summary->files.n; i++) {
    label(out, i ? "" : "wrote");
    fprintf(out, "%s\n", summary->files.at[i]);
  }
  if (summary->end != RUN_DONE) {
    label(out, "stopped");
    fprintf(out, "%safter %d of %d steps: %s%s\n", style->red, summary->steps, summary->planned, summary->reason,
            style->reset);
  }
}

void run_printJson(FILE* out, const RunSummary* summary, const CliModel* model) {
  const mjModel* const m = model->m;
  CliJson json = {.file = out};
  cli_jsonOpen(&json, NULL, '{');
  cli_jsonText(&json, "model", model->name);
  cli_jsonText(&json, "end", endNames[summary->end]);
  if (summary->end != RUN_DONE) cli_jsonText(&json, "reason", summary->reason);
  cli_jsonText(&json, "integrator", cli_integrators[m->opt.integrator]);
  cli_jsonText(&json, "solver", cli_solvers[m->opt.solver]);
  cli_jsonNumber(&json, "timestep", m->opt.timestep);
  cli_jsonCount(&json, "steps", summary->steps);
  cli_jsonCount(&json, "planned_steps", summary->planned);
  cli_jsonNumber(&json, "time", summary->time);
  cli_jsonNumber(&json, "wall_seconds", summary->wall);
  cli_jsonNumber(&json, "realtime_factor", summary->time / summary->wall);
  cli_jsonNumber(&json, "steps_per_second", summary->steps / summary->wall);
  cli_jsonNumber(&json, "mean_contacts", summary->ncon / summary->steps);
  cli_jsonCount(&json, "max_contacts", summary->maxcon);
  cli_jsonNumber(&json, "mean_solver_iterations", summary->niter / summary->steps);
  if (summary->hasEnergy) cli_jsonNumbers(&json, "energy", summary->energy, 2);
  cli_jsonOpen(&json, "warnings", '[');
  for (int i = 0; i < mjNWARNING; i++) {
    if (!summary->warning[i]) continue;
    cli_jsonOpen(&json, NULL, '{');
    cli_jsonCount(&json, "count", summary->warning[i]);
    cli_jsonText(&json, "text", mju_warningText(i, (size_t)summary->warningInfo[i]));
    cli_jsonClose(&json, '}');
  }
  cli_jsonClose(&json, ']');
  cli_jsonOpen(&json, "files", '[');
  for (int i = 0; i < summary->files.n; i++) cli_jsonText(&json, NULL, summary->files.at[i]);
  cli_jsonClose(&json, ']');
  cli_jsonClose(&json, '}');
}
