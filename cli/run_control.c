// Controls of `sinew run`: constants, sines and tables from files.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "support/cli.h"

// -------------------------------------------------------------------------------------------- waves

// "sine", "sine:HZ" or "sine:HZ,AMPLITUDE"; without amplitude the whole range of the actuator is used
static int readSine(RunWave* wave, const mjModel* m, int id, const char* text) {
  const int limited = m->actuator_ctrllimited[id];
  const mjtNum* const range = m->actuator_ctrlrange + 2 * id;
  *wave = (RunWave){.offset = limited ? 0.5 * (range[0] + range[1]) : 0,
                    .amplitude = limited ? 0.5 * (range[1] - range[0]) : 1,
                    .frequency = 0.5,
                    .column = -1};
  if (!*text) return CLI_OK;
  char frequency[64];
  const char* const comma = strchr(text, ',');
  snprintf(frequency, sizeof(frequency), "%.*s", (int)(comma ? comma - text - 1 : (long)strlen(text) - 1), text + 1);
  const int good = *text == ':' && cli_number(frequency, &wave->frequency) && wave->frequency >= 0 &&
                   (!comma || cli_number(comma + 1, &wave->amplitude));
  return good ? CLI_OK : cli_fail(CLI_USAGE, "--ctrl sine%s: write sine:HZ or sine:HZ,AMPLITUDE", text);
}

static int readWave(RunControl* control, const mjModel* m, int id, const char* text) {
  RunWave* const wave = &control->wave[id];
  double value = 0;
  if (strncmp(text, "sine", 4) == 0) return readSine(wave, m, id, text + 4);
  if (!cli_number(text, &value)) {
    return cli_fail(CLI_USAGE, "--ctrl %s: neither a number, sine:HZ,AMPLITUDE nor a .csv or .npy file", text);
  }
  *wave = (RunWave){.offset = value, .column = -1};
  return CLI_OK;
}

// -------------------------------------------------------------------------------------------- tables

// columns by the names of actuators where the file has names, else in their order
static int assignColumns(RunControl* control, const mjModel* m, const char* path) {
  const CliFields* const fields = &control->table.fields;
  int first = 0;
  control->timeColumn = cli_findField(fields, "time", &first) >= 0 ? first : -1;

  // a file of states has the controls in a field of their own
  const int field = cli_findField(fields, "ctrl", &first);
  const int nu = (int)m->nu;
  if (field < 0) first = control->timeColumn == 0 ? 1 : 0;
  const int columns = field >= 0 ? fields->at[field].width : fields->width - (control->timeColumn >= 0);
  int byName = 0;
  for (int i = 0; i < nu && field < 0 && control->table.named; i++) {
    const char* const name = mj_id2name(m, mjOBJ_ACTUATOR, i);
    int column = 0;
    if (name && cli_findField(fields, name, &column) >= 0) {
      control->wave[i].column = column;
      byName++;
    }
  }
  if (byName) return CLI_OK;
  if (columns != nu) {
    return cli_fail(CLI_INPUT, "'%s' has %d columns of controls, the model has %d actuators", path, columns, nu);
  }
  for (int i = 0; i < nu; i++) control->wave[i].column = first + i;
  return CLI_OK;
}

static int readTable(RunControl* control, const mjModel* m, const char* path) {
  if (control->table.at) return cli_fail(CLI_USAGE, "--ctrl: only one file of controls can be used");
  const int status = cli_readNumbers(path, &control->table);
  return status == CLI_OK ? assignColumns(control, m, path) : status;
}

// -------------------------------------------------------------------------------------------- use

static int readOne(RunControl* control, const mjModel* m, const char* text) {
  if (cli_isNumbersPath(text)) return readTable(control, m, text);

  // NAME=VALUE is for one actuator, VALUE for all
  const char* const sign = strchr(text, '=');
  if (sign) {
    char name[CLI_NAME_SIZE];
    snprintf(name, sizeof(name), "%.*s", (int)(sign - text), text);
    const int id = mj_name2id(m, mjOBJ_ACTUATOR, name);
    return id < 0 ? cli_unknownObject(m, mjOBJ_ACTUATOR, name) : readWave(control, m, id, sign + 1);
  }
  for (int i = 0; i < (int)m->nu; i++) {
    const int status = readWave(control, m, i, text);
    if (status != CLI_OK) return status;
  }
  return CLI_OK;
}

int run_readControl(RunControl* control, const mjModel* m, const CliList* texts) {
  *control = (RunControl){.timeColumn = -1};
  if (!texts->n) return CLI_OK;
  if (!m->nu) return cli_fail(CLI_USAGE, "--ctrl: the model has no actuators");
  control->wave = cli_zeroed((size_t)m->nu, sizeof(*control->wave));
  for (int i = 0; i < (int)m->nu; i++) control->wave[i].column = -1;
  for (int i = 0; i < texts->n; i++) {
    const int status = readOne(control, m, texts->at[i]);
    if (status != CLI_OK) return status;
  }
  return CLI_OK;
}

// the last row whose time has come; the last of all stays
static void moveRow(RunControl* control, double time, int step) {
  const CliNumbers* const table = &control->table;
  if (control->timeColumn < 0) {
    control->row = step < table->nrow ? step : table->nrow - 1;
    return;
  }
  const size_t width = (size_t)table->fields.width;
  const double* const times = table->at + control->timeColumn;
  while (control->row + 1 < table->nrow && times[(size_t)(control->row + 1) * width] <= time + 1e-9) control->row++;
}

void run_applyControl(RunControl* control, const mjModel* m, mjData* d, int step) {
  if (!control->wave) return;
  if (control->table.at) moveRow(control, d->time, step);
  const double* const row =
      control->table.at ? control->table.at + (size_t)control->row * (size_t)control->table.fields.width : NULL;
  for (int i = 0; i < (int)m->nu; i++) {
    const RunWave* const wave = &control->wave[i];
    d->ctrl[i] = wave->column >= 0 && row ? row[wave->column]
                                          : wave->offset + wave->amplitude * sin(2 * mjPI * wave->frequency * d->time);
  }
}

void run_freeControl(RunControl* control) {
  free(control->wave);
  cli_freeNumbers(&control->table);
  *control = (RunControl){0};
}
