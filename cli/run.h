// Parts of `sinew run`: controls, records, charts, progress and the report.
#pragma once

#include <mujoco/mujoco.h>
#include <sinew/sinew.h>

#include "support/fields.h"
#include "support/model.h"
#include "support/numbers.h"
#include "support/options.h"
#include "support/sink.h"

// -------------------------------------------------------------------------------------------- control

// What one actuator is told over time: offset + amplitude sin(2 pi frequency t), or a column of the file.
typedef struct {
  double offset, amplitude, frequency;
  int column;  // of the file, -1: the formula
} RunWave;

typedef struct {
  RunWave* wave;     // one per actuator, NULL without controls
  CliNumbers table;  // controls from a file
  int timeColumn;    // -1: a row per step
  int row;           // of the table that holds now
} RunControl;

// Reads the --ctrl options. CLI_OK, or an exit code after a message.
int run_readControl(RunControl* control, const mjModel* m, const CliList* texts);
void run_applyControl(RunControl* control, const mjModel* m, mjData* d, int step);
void run_freeControl(RunControl* control);

// -------------------------------------------------------------------------------------------- record

typedef enum { RUN_STATES, RUN_SENSORS, RUN_ENERGY, RUN_CONTACTS, RUN_NCHANNEL } RunChannelKind;

// Rows kept for charts. When there is no room for another, every second one goes and from then on half as many are
// taken: a chart needs a bounded number of points however long the run.
typedef struct {
  double* sample;
  int nrow;
  int stride;  // rows offered per row taken
  int skipped;
} RunTrack;

typedef struct {
  CliFields fields;
  CliSink sink;  // file NULL: not written
  RunTrack track;
  double* row;
  int used;
} RunChannel;

typedef struct {
  RunChannel channel[RUN_NCHANNEL];
} RunRecord;

extern const char* const run_channelNames[];  // ended by NULL

void run_useChannel(RunRecord* record, const mjModel* m, RunChannelKind kind);
int run_writeChannel(RunRecord* record, const mjModel* m, RunChannelKind kind, const char* path);

// A sample is taken in two halves: the state before the step, what the step computed from it afterwards.
void run_sampleState(RunRecord* record, const mjModel* m, const mjData* d);
int run_sampleResults(RunRecord* record, const mjModel* m, const mjData* d);
int run_closeRecord(RunRecord* record);
void run_freeRecord(RunRecord* record);

// -------------------------------------------------------------------------------------------- charts

// One --plot: "FILE" or "WHAT,WHAT=FILE".
typedef struct {
  const char* path;
  int wanted[RUN_NCHANNEL];
} RunChart;

int run_readChart(RunChart* chart, const char* text);
int run_drawChart(const RunChart* chart, const RunRecord* record, const CliModel* model, const char* subtitle);

// -------------------------------------------------------------------------------------------- report

typedef enum { RUN_DONE, RUN_INTERRUPTED, RUN_UNSTABLE, RUN_ERROR, RUN_UNWRITABLE } RunEnd;

typedef struct {
  RunEnd end;
  char reason[512];  // why it ended early
  int steps;
  int planned;
  double start;  // simulated time
  double time;   // simulated
  double wall;   // seconds spent in the step
  double ncon;   // sums over steps
  double niter;
  int maxcon;
  int hasEnergy;
  double energy[2];  // total, at start and end
  CliList files;     // written
  int warning[mjNWARNING];
  int warningInfo[mjNWARNING];
} RunSummary;

// Shows how far the run is, on a terminal and not more often than the eye sees.
typedef struct {
  int on;
  double next;  // time of the next drawing
  int drawn;
} RunProgress;

void run_startProgress(RunProgress* progress, int wanted);
void run_showProgress(RunProgress* progress, const RunSummary* summary, const mjModel* m, const mjData* d, double now);
void run_endProgress(RunProgress* progress);

void run_print(FILE* out, const RunSummary* summary, const CliModel* model);
void run_printJson(FILE* out, const RunSummary* summary, const CliModel* model);
