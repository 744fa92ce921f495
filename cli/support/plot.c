// Charts: a gnuplot script with its data inside goes to gnuplot's standard input, the picture comes from its standard
// output into a file that we opened, so that every failure has its reason.
#include "support/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cli.h"
#include "support/plain.h"

// pixels; panels of equal height stand above each other and share the time axis
enum { WIDTH = 1100, TOP = 112, BOTTOM = 64, PANEL = 230, GAP = 56, LEFT = 108, RIGHT = 220 };

// colours that stay apart for colour-blind readers (after Okabe and Ito, and Tol)
static const char* const colours[CLI_MAX_SERIES] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                    "#e69f00", "#56b4e9", "#882255", "#5b5b5b"};

int cli_isChartPath(const char* path) {
  return cli_hasSuffix(path, ".svg") || cli_hasSuffix(path, ".png");
}

double cli_seriesAt(const CliChart* chart, const CliSeries* series, int row) {
  const double* const at = chart->sample + (size_t)row * (size_t)chart->width + series->column;
  if (series->kind == CLI_VALUE) return *at;
  const double axis = sqrt(at[1] * at[1] + at[2] * at[2] + at[3] * at[3]);
  return 2 * atan2(axis, fabs(at[0]));
}

// -------------------------------------------------------------------------------------------- script

// A gnuplot string: whatever is not a letter or space is written as its number, so that no character has a meaning.
// (gnuplot runs what stands in backquotes inside double quotes, ends single ones at a doubled quote, and takes digits
// after a number for more of it.)
static void quote(FILE* out, const char* text) {
  char copy[CLI_TITLE_SIZE];
  snprintf(copy, sizeof(copy), "%s", text);
  fputc('"', out);
  for (const char* c = cli_plain(copy, 0); *c; c++) {
    const int plain = ((*c | 0x20) >= 'a' && (*c | 0x20) <= 'z') || *c == ' ';
    fprintf(out, plain ? "%c" : "\\%03o", (unsigned char)*c);
  }
  fputc('"', out);
}

static void writeData(FILE* out, const CliChart* chart) {
  fputs("$data << EOD\n", out);
  for (int row = 0; row < chart->nrow; row++) {
    fprintf(out, "%.9g", chart->sample[(size_t)row * (size_t)chart->width]);
    for (int i = 0; i < chart->npanel; i++) {
      for (int j = 0; j < chart->panel[i].nseries; j++) {
        const double value = cli_seriesAt(chart, &chart->panel[i].series[j], row);
        if (isfinite(value)) {
          fprintf(out, " %.9g", value);
        } else {
          fputs(" NaN", out);
        }
      }
    }
    fputc('\n', out);
  }
  fputs("EOD\n", out);
}

static void writeFrame(FILE* out, const CliChart* chart, int png, int height) {
  if (png) {
    // drawn at twice the size, for screens of today
    fprintf(out,
            "set terminal pngcairo noenhanced size %d,%d font 'DejaVu Sans,11' fontscale 2 linewidth 2 dashlength 2\n",
            2 * WIDTH, 2 * height);
  } else {
    fprintf(out,
            "set terminal svg noenhanced size %d,%d dynamic font 'DejaVu Sans, Helvetica, Arial, sans-serif,13' "
            "background '#ffffff'\n",
            WIDTH, height);
  }
  fputs(
      "set encoding utf8\n"
      "set multiplot\n"
      "set border 3 lw 1 lc rgb '#444444'\n"
      "set grid xtics ytics lt 1 lw 0.6 lc rgb '#dddddd'\n"
      "set tics nomirror out scale 0.5 textcolor rgb '#444444'\n"
      "set key left top vertical Left reverse samplen 1.6 spacing 1.25 textcolor rgb '#222222'\n"
      "set xzeroaxis lt 1 lw 0.8 lc rgb '#999999'\n"
      "set autoscale xfix\n"
      "set offsets graph 0, 0, graph 0.06, graph 0.06\n",
      out);
  fputs("set label 1 ", out);
  quote(out, chart->title);
  fprintf(out, " at screen %g, screen %g left font ',%d' textcolor rgb '#111111'\n", (double)LEFT / WIDTH,
          1 - 30.0 / height, png ? 15 : 19);
  fputs("set label 2 ", out);
  quote(out, chart->subtitle);
  fprintf(out, " at screen %g, screen %g left textcolor rgb '#666666'\n", (double)LEFT / WIDTH, 1 - 56.0 / height);
}

// least and greatest value of a panel
static void rangeOf(const CliChart* chart, const CliPanel* panel, double* low, double* high) {
  *low = INFINITY;
  *high = -INFINITY;
  for (int i = 0; i < panel->nseries; i++) {
    for (int row = 0; row < chart->nrow; row++) {
      const double value = cli_seriesAt(chart, &panel->series[i], row);
      *low = fmin(*low, value);
      *high = fmax(*high, value);
    }
  }
}

// numbers beside a panel: with so many digits that they differ
static const char* formatOf(const CliChart* chart, const CliPanel* panel) {
  double low, high;
  rangeOf(chart, panel, &low, &high);
  return high - low < 1e-4 * fmax(fabs(low), fabs(high)) ? "%.10g" : "%g";
}

// 1: the series stays so close to an earlier one of its panel that it would hide it
static int coincides(const CliChart* chart, const CliPanel* panel, int index) {
  double low, high;
  rangeOf(chart, panel, &low, &high);
  for (int i = 0; i < index; i++) {
    int near = 0;
    for (int row = 0; row < chart->nrow; row++) {
      const double gap = cli_seriesAt(chart, &panel->series[i], row) - cli_seriesAt(chart, &panel->series[index], row);
      near += fabs(gap) < 0.01 * (high - low);
    }
    if (near > 0.9 * chart->nrow) return 1;
  }
  return 0;
}

static void writePanel(FILE* out, const CliChart* chart, int index, int column, int height) {
  const CliPanel* const panel = &chart->panel[index];
  const int top = TOP + index * (PANEL + GAP);
  fprintf(
      out, "set lmargin at screen %g\nset rmargin at screen %g\nset tmargin at screen %g\nset bmargin at screen %g\n",
      (double)LEFT / WIDTH, 1 - (double)RIGHT / WIDTH, 1 - (double)top / height, 1 - (double)(top + PANEL) / height);
  // names of series to the right of the panel, the quantity at the same distance on the left of all panels
  fprintf(out, "set key at screen %g, screen %g\nset label 3 ", 1 - (RIGHT - 16.0) / WIDTH, 1 - (top - 4.0) / height);
  quote(out, panel->title);
  fputs(" at graph 0, graph 1.08 left textcolor rgb '#222222'\nset label 4 ", out);
  quote(out, panel->axis);
  fprintf(out, " at screen %g, screen %g center rotate by 90 textcolor rgb '#444444'\n", 20.0 / WIDTH,
          1 - (top + 0.5 * PANEL) / height);
  const int last = index == chart->npanel - 1;
  fputs(last ? "set format x '%g'\nset xlabel " : "set format x ''\nunset xlabel\n", out);
  if (last) quote(out, chart->over ? chart->over : "time (s)");
  fprintf(out, "%s\nset format y '%s'\nplot ", last ? " textcolor rgb '#444444'" : "", formatOf(chart, panel));
  for (int i = 0; i < panel->nseries; i++) {
    // over a line that it coincides with, dashes show both
    const char* const dashes = coincides(chart, panel, i) ? "(12,7)" : "solid";
    fprintf(out, "%s$data using 1:%d with lines lw 1.8 dt %s lc rgb '%s' title ", i ? ", " : "", column + i, dashes,
            colours[i]);
    quote(out, panel->series[i].name);
  }
  fputs("\nunset label 1\nunset label 2\n", out);
}

static FILE* writeScript(const CliChart* chart, int png) {
  FILE* const out = tmpfile();
  if (!out) return NULL;
  const int height = TOP + chart->npanel * PANEL + (chart->npanel - 1) * GAP + BOTTOM;
  writeData(out, chart);
  writeFrame(out, chart, png, height);
  int column = 2;
  for (int i = 0; i < chart->npanel; i++) {
    writePanel(out, chart, i, column, height);
    column += chart->panel[i].nseries;
  }
  fputs("unset multiplot\n", out);
  if (fflush(out) || fseek(out, 0, SEEK_SET)) {
    fclose(out);
    return NULL;
  }
  return out;
}

// -------------------------------------------------------------------------------------------- gnuplot

// runs gnuplot with the three streams; its exit status, or -1 with errno
static int runGnuplot(int in, int out, int err) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

  extern char** environ;
  // -d: no commands from files in the folders of the user or the model
  char name[] = "gnuplot", plain[] = "-d";
  char* const argv[] = {name, plain, NULL};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, name, &actions, &attributes, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed) {
    errno = failed;
    return -1;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

// a picture that was written whole ends as its format demands
static int isComplete(int file, int png) {
  char tail[16] = {0};
  const off_t size = lseek(file, 0, SEEK_END);
  if (size < (off_t)sizeof(tail) ||
      pread(file, tail, sizeof(tail), size - (off_t)sizeof(tail)) != (ssize_t)sizeof(tail)) {
    return 0;
  }
  return memmem(tail, sizeof(tail), png ? "IEND" : "</svg>", png ? 4 : 6) != NULL;
}

static int draw(FILE* script, int file, const char* path) {
  FILE* const messages = tmpfile();
  if (!messages) return cli_fail(CLI_OUTPUT, "cannot draw '%s': %s", path, strerror(errno));
  const int status = runGnuplot(fileno(script), file, fileno(messages));
  int code = CLI_OK;
  if (status < 0) {
    code = cli_fail(CLI_OUTPUT, "cannot draw '%s': gnuplot: %s", path, strerror(errno));
    cli_hint("charts need gnuplot: sudo apt-get install gnuplot-nox");
  } else if (status > 0 || !isComplete(file, cli_hasSuffix(path, ".png"))) {
    char text[512] = "";
    rewind(messages);
    const size_t n = fread(text, 1, sizeof(text) - 1, messages);
    text[n] = 0;
    code = cli_fail(CLI_OUTPUT, "gnuplot could not write '%s'%s%s", path, n ? ":\n" : "", text);
  }
  fclose(messages);
  return code;
}

int cli_plot(const CliChart* chart, const char* path) {
  const int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return cli_fail(CLI_OUTPUT, "cannot write '%s': %s", path, strerror(errno));
  FILE* const script = writeScript(chart, cli_hasSuffix(path, ".png"));
  const int code =
      script ? draw(script, file, path) : cli_fail(CLI_OUTPUT, "cannot draw '%s': %s", path, strerror(errno));
  if (script) fclose(script);
  close(file);
  if (code != CLI_OK) unlink(path);
  return code;
}
