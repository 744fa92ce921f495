// What `sinew run` writes down: four channels, each a row of numbers per sample that goes to a file, to a chart or to
// both.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "support/cli.h"

enum { TRACK_ROWS = 4096 };  // samples of a chart, more than it has pixels across

const char* const run_channelNames[] = {"joints", "sensors", "energy", "contacts", NULL};

// -------------------------------------------------------------------------------------------- fields

// labels of the columns of one joint, in qpos or in qvel
static void labelJoint(CliField* field, const mjModel* m, int id, int velocity) {
  static const char* const position[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
  static const char* const speed[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
  char name[CLI_NAME_SIZE];
  cli_nameOf(m, mjOBJ_JOINT, id, name);
  const int at = velocity ? m->jnt_dofadr[id] : m->jnt_qposadr[id];
  const int type = m->jnt_type[id];
  if (type == mjJNT_HINGE || type == mjJNT_SLIDE) {
    cli_setLabel(field, at, "%s", name);
    return;
  }
  const int skip = type == mjJNT_BALL ? 3 : 0;
  const int n = (velocity ? 6 : 7) - skip;
  for (int i = 0; i < n; i++)
    cli_setLabel(field, at + i, "%s.%s", name, velocity ? speed[skip + i] : position[skip + i]);
}

static void addStates(CliFields* fields, const mjModel* m) {
  // fields move when another is added, so labels are set after each
  CliField* const qpos = cli_addField(fields, "qpos", (int)m->nq);
  for (int i = 0; i < (int)m->njnt; i++) labelJoint(qpos, m, i, 0);
  CliField* const qvel = cli_addField(fields, "qvel", (int)m->nv);
  for (int i = 0; i < (int)m->njnt; i++) labelJoint(qvel, m, i, 1);
  cli_addField(fields, "act", (int)m->na);
  CliField* const ctrl = cli_addField(fields, "ctrl", (int)m->nu);
  char name[CLI_NAME_SIZE];
  for (int i = 0; i < (int)m->nu; i++) cli_setLabel(ctrl, i, "%s", cli_nameOf(m, mjOBJ_ACTUATOR, i, name));
  cli_addField(fields, "mocap_pos", 3 * (int)m->nmocap);
  cli_addField(fields, "mocap_quat", 4 * (int)m->nmocap);
}

static void addFields(CliFields* fields, const mjModel* m, RunChannelKind kind) {
  char name[CLI_NAME_SIZE];
  cli_addField(fields, "time", 1);
  switch (kind) {
    case RUN_STATES:
      addStates(fields, m);
      break;
    case RUN_SENSORS:
      for (int i = 0; i < (int)m->nsensor; i++) {
        // fields have different names, and the first one is the time
        cli_nameOf(m, mjOBJ_SENSOR, i, name);
        cli_addField(fields, strcmp(name, "time") == 0 ? "time sensor" : name, m->sensor_dim[i]);
      }
      break;
    case RUN_ENERGY:
      cli_addField(fields, "potential", 1);
      cli_addField(fields, "kinetic", 1);
      cli_addField(fields, "total", 1);
      break;
    default:
      cli_addField(fields, "contacts", 1);
      cli_addField(fields, "normal_force", 1);
      cli_addField(fields, "friction_force", 1);
      cli_addField(fields, "penetration", 1);
  }
}

// -------------------------------------------------------------------------------------------- rows

static double* appendValues(double* row, const mjtNum* value, size_t n) {
  memcpy(row, value, n * sizeof(*row));
  return row + n;
}

static void gatherStates(double* row, const mjModel* m, const mjData* d) {
  row = appendValues(row, d->qpos, (size_t)m->nq);
  row = appendValues(row, d->qvel, (size_t)m->nv);
  row = appendValues(row, d->act, (size_t)m->na);
  row = appendValues(row, d->ctrl, (size_t)m->nu);
  row = appendValues(row, d->mocap_pos, 3 * (size_t)m->nmocap);
  appendValues(row, d->mocap_quat, 4 * (size_t)m->nmocap);
}

static void gatherContacts(double* row, const mjModel* m, const mjData* d) {
  double normal = 0, friction = 0, deepest = 0;
  for (int i = 0; i < d->ncon; i++) {
    mjtNum force[6];
    mj_contactForce(m, d, i, force);
    normal += force[0];
    friction += sqrt(force[1] * force[1] + force[2] * force[2]);
    deepest = fmax(deepest, -d->contact[i].dist);
  }
  const double values[] = {(double)d->ncon, normal, friction, deepest};
  appendValues(row, values, 4);
}

static void gatherResults(double* row, RunChannelKind kind, const mjModel* m, const mjData* d) {
  if (kind == RUN_SENSORS) {
    appendValues(row, d->sensordata, (size_t)m->nsensordata);
  } else if (kind == RUN_ENERGY) {
    const double values[] = {d->energy[0], d->energy[1], d->energy[0] + d->energy[1]};
    appendValues(row, values, 3);
  } else if (kind == RUN_CONTACTS) {
    gatherContacts(row, m, d);
  }
}

// keeps a row for the charts
static void track(RunTrack* t, const double* row, size_t width) {
  if (t->skipped++ % t->stride) return;
  if (t->nrow == TRACK_ROWS) {
    for (size_t i = 0; i < TRACK_ROWS / 2; i++) {
      memcpy(t->sample + i * width, t->sample + 2 * i * width, width * sizeof(double));
    }
    t->nrow = TRACK_ROWS / 2;
    t->stride *= 2;
  }
  memcpy(t->sample + (size_t)t->nrow++ * width, row, width * sizeof(double));
}

void run_sampleState(RunRecord* record, const mjModel* m, const mjData* d) {
  for (int i = 0; i < RUN_NCHANNEL; i++) {
    RunChannel* const channel = &record->channel[i];
    if (!channel->used) continue;
    channel->row[0] = d->time;
    if (i == RUN_STATES) gatherStates(channel->row + 1, m, d);
  }
}

int run_sampleResults(RunRecord* record, const mjModel* m, const mjData* d) {
  for (int i = 0; i < RUN_NCHANNEL; i++) {
    RunChannel* const channel = &record->channel[i];
    if (!channel->used) continue;
    gatherResults(channel->row + 1, (RunChannelKind)i, m, d);
    track(&channel->track, channel->row, (size_t)channel->fields.width);
    if (cli_isOpen(&channel->sink) && cli_writeRow(&channel->sink, channel->row) != CLI_OK) return CLI_OUTPUT;
  }
  return CLI_OK;
}

// -------------------------------------------------------------------------------------------- channels

void run_useChannel(RunRecord* record, const mjModel* m, RunChannelKind kind) {
  RunChannel* const channel = &record->channel[kind];
  if (channel->used) return;
  addFields(&channel->fields, m, kind);
  const size_t width = (size_t)channel->fields.width;
  channel->row = cli_zeroed(width, sizeof(double));
  channel->track.sample = cli_zeroed(TRACK_ROWS * width, sizeof(double));
  channel->track.stride = 1;
  channel->used = 1;
}

int run_writeChannel(RunRecord* record, const mjModel* m, RunChannelKind kind, const char* path) {
  run_useChannel(record, m, kind);
  RunChannel* const channel = &record->channel[kind];
  return cli_openSink(&channel->sink, path, &channel->fields);
}

int run_closeRecord(RunRecord* record) {
  int code = CLI_OK;
  for (int i = 0; i < RUN_NCHANNEL; i++) {
    if (!record->channel[i].sink.path) continue;
    const int status = cli_closeSink(&record->channel[i].sink);
    if (code == CLI_OK) code = status;
  }
  return code;
}

void run_freeRecord(RunRecord* record) {
  for (int i = 0; i < RUN_NCHANNEL; i++) {
    RunChannel* const channel = &record->channel[i];
    cli_freeFields(&channel->fields);
    free(channel->row);
    free(channel->track.sample);
  }
  *record = (RunRecord){0};
}
