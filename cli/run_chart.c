// Charts of `sinew run`: which series of which channel go into which panel.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "support/cli.h"
#include "support/plot.h"

// -------------------------------------------------------------------------------------------- the option

int run_readChart(RunChart* chart, const char* text) {
  *chart = (RunChart){0};
  const char* const sign = strchr(text, '=');
  chart->path = sign ? sign + 1 : text;
  if (!cli_isChartPath(chart->path)) {
    return cli_fail(CLI_USAGE, "--plot %s: the name of a chart ends in .svg or .png", text);
  }
  // without a choice: what nearly every run wants to see
  chart->wanted[RUN_ENERGY] = chart->wanted[RUN_STATES] = !sign;

  for (const char* at = text; sign && at < sign;) {
    const size_t n = strcspn(at, ",=");
    char word[32];
    snprintf(word, sizeof(word), "%.*s", (int)(n < 31 ? n : 31), at);
    int kind = 0;
    while (run_channelNames[kind] && strcmp(word, run_channelNames[kind]) != 0) kind++;
    if (!run_channelNames[kind]) return cli_unknown("chart", word, run_channelNames);
    chart->wanted[kind] = 1;
    at += n + 1;
  }
  return CLI_OK;
}

// -------------------------------------------------------------------------------------------- series

typedef struct {
  CliSeries series;
  double span;
} Candidate;

typedef struct {
  Candidate* at;
  int n;
} Candidates;

static void offer(Candidates* list, int column, CliSeriesKind kind, const char* format, const char* name) {
  list->at = cli_resize(list->at, (size_t)list->n + 1, sizeof(*list->at));
  Candidate* const candidate = &list->at[list->n++];
  *candidate = (Candidate){
      .series = {.column = column, .kind = kind}
  };
  // a name longer than the legend is wide keeps its end, where names differ
  enum { MOST = 22 };
  char text[CLI_TITLE_SIZE];
  snprintf(text, sizeof(text), format, name);
  const size_t length = strlen(text);
  const int cut = length > MOST;
  snprintf(candidate->series.name, sizeof(candidate->series.name), "%s%.150s", cut ? "..." : "",
           cut ? text + length - MOST + 3 : text);
}

static int bySpan(const void* a, const void* b) {
  const double x = ((const Candidate*)a)->span, y = ((const Candidate*)b)->span;
  return (x < y) - (x > y);
}

static int byColumn(const void* a, const void* b) {
  return ((const Candidate*)a)->series.column - ((const Candidate*)b)->series.column;
}

// makes a panel of the candidates, of those that move most where there are too many
static void addPanel(CliChart* chart, Candidates* list, const char* title, const char* axis) {
  if (list->n && chart->npanel < CLI_MAX_PANELS) {
    CliPanel* const panel = &chart->panel[chart->npanel++];
    const int shown = list->n < CLI_MAX_SERIES ? list->n : CLI_MAX_SERIES;
    for (int i = 0; i < list->n; i++) {
      double low = INFINITY, high = -INFINITY;
      for (int row = 0; row < chart->nrow; row++) {
        const double value = cli_seriesAt(chart, &list->at[i].series, row);
        low = fmin(low, value);
        high = fmax(high, value);
      }
      list->at[i].span = high - low;
    }
    qsort(list->at, (size_t)list->n, sizeof(*list->at), bySpan);
    qsort(list->at, (size_t)shown, sizeof(*list->at), byColumn);
    for (int i = 0; i < shown; i++) panel->series[panel->nseries++] = list->at[i].series;
    snprintf(panel->axis, sizeof(panel->axis), "%s", axis);
    if (shown < list->n) {
      snprintf(panel->title, sizeof(panel->title), "%s: the %d of %d that move most", title, shown, list->n);
    } else {
      snprintf(panel->title, sizeof(panel->title), "%s", title);
    }
  }
  free(list->at);
  *list = (Candidates){NULL, 0};
}

// -------------------------------------------------------------------------------------------- panels

static void addEnergy(CliChart* chart) {
  Candidates list = {NULL, 0};
  offer(&list, 1, CLI_VALUE, "%s", "potential");
  offer(&list, 2, CLI_VALUE, "%s", "kinetic");
  offer(&list, 3, CLI_VALUE, "%s", "total");
  addPanel(chart, &list, "Energy", "energy (J)");
}

static void addContacts(CliChart* chart) {
  Candidates list = {NULL, 0};
  offer(&list, 2, CLI_VALUE, "%s", "normal");
  offer(&list, 3, CLI_VALUE, "%s", "friction");
  addPanel(chart, &list, "Contact forces, summed over all contacts", "force (N)");
  offer(&list, 1, CLI_VALUE, "%s", "contacts");
  addPanel(chart, &list, "Contacts", "number");
  offer(&list, 4, CLI_VALUE, "%s", "deepest");
  addPanel(chart, &list, "Penetration", "depth (m)");
}

static void addJoints(CliChart* chart, const mjModel* m) {
  Candidates hinge = {NULL, 0}, slide = {NULL, 0}, ball = {NULL, 0}, body = {NULL, 0};
  int nfree = 0;
  for (int i = 0; i < (int)m->njnt; i++) nfree += m->jnt_type[i] == mjJNT_FREE;
  for (int i = 0; i < (int)m->njnt; i++) {
    const int column = 1 + m->jnt_qposadr[i];
    char name[CLI_NAME_SIZE], owner[CLI_NAME_SIZE];
    cli_nameOf(m, mjOBJ_JOINT, i, name);
    cli_nameOf(m, mjOBJ_BODY, m->jnt_bodyid[i], owner);
    switch (m->jnt_type[i]) {
      case mjJNT_HINGE:
        offer(&hinge, column, CLI_VALUE, "%s", name);
        break;
      case mjJNT_SLIDE:
        offer(&slide, column, CLI_VALUE, "%s", name);
        break;
      case mjJNT_BALL:
        offer(&ball, column, CLI_ROTATION, "%s", name);
        break;
      default:
        // one body is shown with all coordinates, of many the heights
        if (nfree == 1) offer(&body, column, CLI_VALUE, "%s x", owner);
        if (nfree == 1) offer(&body, column + 1, CLI_VALUE, "%s y", owner);
        offer(&body, column + 2, CLI_VALUE, "%s z", owner);
    }
  }
  addPanel(chart, &body, nfree == 1 ? "Position of the free body" : "Heights of free bodies", "position (m)");
  addPanel(chart, &hinge, "Joint angles", "angle (rad)");
  addPanel(chart, &slide, "Sliding joints", "position (m)");
  addPanel(chart, &ball, "Ball joints, angle from their reference", "angle (rad)");
}

// what kinds of sensors are called and measure in; the others are named after their first sensor
static const struct {
  mjtSensor type;
  const char *title, *axis;
} sensorKinds[] = {
    {mjSENS_TOUCH,         "Touch",                         "force (N)"               },
    {mjSENS_ACCELEROMETER, "Accelerometers",                "acceleration (m/s²)"    },
    {mjSENS_VELOCIMETER,   "Velocimeters",                  "velocity (m/s)"          },
    {mjSENS_GYRO,          "Gyros",                         "angular velocity (rad/s)"},
    {mjSENS_FORCE,         "Force sensors",                 "force (N)"               },
    {mjSENS_TORQUE,        "Torque sensors",                "torque (N m)"            },
    {mjSENS_MAGNETOMETER,  "Magnetometers",                 "flux (T)"                },
    {mjSENS_RANGEFINDER,   "Range finders",                 "distance (m)"            },
    {mjSENS_JOINTPOS,      "Joint positions",               "position (rad, m)"       },
    {mjSENS_JOINTVEL,      "Joint velocities",              "velocity (rad/s, m/s)"   },
    {mjSENS_TENDONPOS,     "Tendon lengths",                "length (m)"              },
    {mjSENS_TENDONVEL,     "Tendon velocities",             "velocity (m/s)"          },
    {mjSENS_ACTUATORPOS,   "Actuator lengths",              "length"                  },
    {mjSENS_ACTUATORVEL,   "Actuator velocities",           "velocity"                },
    {mjSENS_ACTUATORFRC,   "Actuator forces",               "force (N, N m)"          },
    {mjSENS_JOINTACTFRC,   "Actuator forces at joints",     "force (N, N m)"          },
    {mjSENS_BALLQUAT,      "Ball joint orientations",       "quaternion"              },
    {mjSENS_BALLANGVEL,    "Ball joint velocities",         "angular velocity (rad/s)"},
    {mjSENS_FRAMEPOS,      "Frame positions",               "position (m)"            },
    {mjSENS_FRAMEQUAT,     "Frame orientations",            "quaternion"              },
    {mjSENS_FRAMELINVEL,   "Frame velocities",              "velocity (m/s)"          },
    {mjSENS_FRAMEANGVEL,   "Frame angular velocities",      "velocity (rad/s)"        },
    {mjSENS_FRAMELINACC,   "Frame accelerations",           "acceleration (m/s²)"    },
    {mjSENS_SUBTREECOM,    "Centres of mass",               "position (m)"            },
    {mjSENS_SUBTREELINVEL, "Velocities of centres of mass", "velocity (m/s)"          },
    {mjSENS_SUBTREEANGMOM, "Angular momenta",               "momentum (kg m²/s)"     },
    {mjSENS_E_POTENTIAL,   "Potential energy",              "energy (J)"              },
    {mjSENS_E_KINETIC,     "Kinetic energy",                "energy (J)"              },
    {mjSENS_CLOCK,         "Clock",                         "time (s)"                },
};

static void offerSensor(Candidates* list, const mjModel* m, int id) {
  static const char* const vector[] = {"x", "y", "z"};
  static const char* const quaternion[] = {"w", "x", "y", "z"};
  char name[CLI_NAME_SIZE], part[CLI_NAME_SIZE + 16];
  cli_nameOf(m, mjOBJ_SENSOR, id, name);
  const int dim = m->sensor_dim[id];
  for (int k = 0; k < dim; k++) {
    if (dim == 1) {
      snprintf(part, sizeof(part), "%s", name);
    } else if (dim == 3 || dim == 4) {
      snprintf(part, sizeof(part), "%s %s", name, dim == 3 ? vector[k] : quaternion[k]);
    } else {
      snprintf(part, sizeof(part), "%s %d", name, k);
    }
    // readings are in the order of sensors, after the time
    offer(list, 1 + m->sensor_adr[id] + k, CLI_VALUE, "%s", part);
  }
}

// sensors of one kind share a panel, in the order in which kinds appear
static void addSensors(CliChart* chart, const mjModel* m) {
  for (int i = 0; i < (int)m->nsensor; i++) {
    int first = 1;
    for (int j = 0; j < i; j++) first &= m->sensor_type[j] != m->sensor_type[i];
    if (!first) continue;
    Candidates list = {NULL, 0};
    for (int j = i; j < (int)m->nsensor; j++) {
      if (m->sensor_type[j] == m->sensor_type[i]) offerSensor(&list, m, j);
    }
    char name[CLI_NAME_SIZE];
    const char* title = cli_nameOf(m, mjOBJ_SENSOR, i, name);
    const char* axis = "reading";
    for (size_t k = 0; k < sizeof(sensorKinds) / sizeof(sensorKinds[0]); k++) {
      if ((int)sensorKinds[k].type != m->sensor_type[i]) continue;
      title = sensorKinds[k].title;
      axis = sensorKinds[k].axis;
    }
    addPanel(chart, &list, title, axis);
  }
}

// -------------------------------------------------------------------------------------------- drawing

// Charts draw one table of samples; those of several channels are joined side by side, their rows being of the same
// times. Columns of panels are moved to where their channel begins.
typedef struct {
  double* sample;
  int nrow, width;
} Joined;

static void joinChannel(Joined* joined, const RunChannel* channel) {
  const int more = channel->fields.width;
  const int nrow = channel->track.nrow;
  const size_t width = (size_t)joined->width + (size_t)more;
  double* const sample = cli_zeroed((size_t)nrow * width, sizeof(double));
  for (size_t i = 0; i < (size_t)nrow; i++) {
    if (joined->width) {
      memcpy(sample + i * width, joined->sample + i * (size_t)joined->width, (size_t)joined->width * sizeof(double));
    }
    memcpy(sample + i * width + joined->width, channel->track.sample + i * (size_t)more, (size_t)more * sizeof(double));
  }
  free(joined->sample);
  *joined = (Joined){sample, nrow, (int)width};
}

static void addChannel(CliChart* chart, Joined* joined, RunChannelKind kind, const RunChannel* channel,
                       const mjModel* m) {
  // panels are chosen on the channel alone
  CliChart own = {.sample = channel->track.sample, .nrow = channel->track.nrow, .width = channel->fields.width};
  own.npanel = chart->npanel;
  if (kind == RUN_ENERGY) addEnergy(&own);
  if (kind == RUN_CONTACTS) addContacts(&own);
  if (kind == RUN_STATES) addJoints(&own, m);
  if (kind == RUN_SENSORS) addSensors(&own, m);
  for (int i = chart->npanel; i < own.npanel; i++) {
    chart->panel[i] = own.panel[i];
    for (int j = 0; j < own.panel[i].nseries; j++) chart->panel[i].series[j].column += joined->width;
  }
  chart->npanel = own.npanel;
  joinChannel(joined, channel);
}

int run_drawChart(const RunChart* chart, const RunRecord* record, const CliModel* model, const char* subtitle) {
  // energy first: it tells whether the rest can be believed
  static const RunChannelKind order[] = {RUN_ENERGY, RUN_STATES, RUN_CONTACTS, RUN_SENSORS};
  CliChart* const drawn = cli_zeroed(1, sizeof(*drawn));
  Joined joined = {NULL, 0, 0};
  for (int i = 0; i < RUN_NCHANNEL; i++) {
    const RunChannelKind kind = order[i];
    if (chart->wanted[kind]) addChannel(drawn, &joined, kind, &record->channel[kind], model->m);
  }
  drawn->sample = joined.sample;
  drawn->nrow = joined.nrow;
  drawn->width = joined.width;
  snprintf(drawn->title, sizeof(drawn->title), "%.150s", model->name);
  snprintf(drawn->subtitle, sizeof(drawn->subtitle), "%s", subtitle);
  const int code = drawn->npanel
                       ? cli_plot(drawn, chart->path)
                       : cli_fail(CLI_OUTPUT, "'%s': the model has nothing of that kind to draw", chart->path);
  free(joined.sample);
  free(drawn);
  return code;
}
