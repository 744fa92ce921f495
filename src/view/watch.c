// Any number of the simulation by name, with its course over time. A name is a field of mjData with an index
// ("qpos[3]", "xpos[2,0]") or with the name of an object ("qpos.knee", "ctrl.hip", "xpos.torso[2]"), the name of a
// sensor, or one of "time", "energy[0]", "ncon", "nefc".
#include <mujoco/mjxmacro.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "view/app.h"
#include "view/rows.h"

//---------------------------------- fields ----------------------------------

typedef enum { NUMBERS, INTEGERS, BYTES, OTHER } Kind;

#define KIND(type) _Generic((type*)0, mjtNum * : NUMBERS, int* : INTEGERS, mjtByte* : BYTES, default : OTHER)

typedef struct {
  const char* name;
  Kind kind;
  size_t offset;     // of the pointer in mjData
  const char* rows;  // what rows are counted by
} Field;

// every array of mjData.buffer
static const Field FIELDS[] = {
#define X(type, name, nrow, ncol) {#name, KIND(type), offsetof(mjData, name), #nrow},
    MJDATA_POINTERS
#undef X
};
enum { NFIELD = sizeof(FIELDS) / sizeof(FIELDS[0]) };

// rows and columns of a field in a model
static void sizeOf(const mjModel* m, int field, int size[2]) {
  MJDATA_POINTERS_PREAMBLE(m)
  (void)nv;
  int i = 0;
#undef MJ_M
#define MJ_M(n) m->n
#define X(type, name, nrow, ncol) \
  if (i++ == field) {             \
    size[0] = (int)m->nrow;       \
    size[1] = (int)(ncol);        \
  }
  MJDATA_POINTERS
#undef X
#undef MJ_M
#define MJ_M(n) n
}

// the first row of a named object in a field whose rows are counted by `rows`; -1: none
static int rowOf(const mjModel* m, const char* rows, const char* object) {
  const mjtObj type = viw_rowsOwner(rows);
  const int id = type == mjOBJ_UNKNOWN ? -1 : mj_name2id(m, type, object);
  int first = -1, n = 0;
  if (id >= 0) viw_rowsOf(m, rows, id, &first, &n);
  return n > 0 ? first : -1;
}

static double numberAt(const mjData* d, const Field* field, size_t at) {
  const void* const array = *(void* const*)(const void*)((const char*)d + field->offset);
  switch (field->kind) {
    case NUMBERS:
      return ((const mjtNum*)array)[at];
    case INTEGERS:
      return ((const int*)array)[at];
    default:
      return ((const mjtByte*)array)[at];
  }
}

// A name taken apart: field, object, up to two indices.
typedef struct {
  char field[VIW_NAME_SIZE], object[VIW_NAME_SIZE];
  int index[2], nindex;
} Name;

static int takeApart(const char* text, Name* name) {
  *name = (Name){.nindex = 0};
  const size_t length = strcspn(text, ".[");
  snprintf(name->field, sizeof(name->field), "%.*s", (int)length, text);
  text += length;
  if (*text == '.') {
    const size_t n = strcspn(++text, "[");
    snprintf(name->object, sizeof(name->object), "%.*s", (int)n, text);
    text += n;
  }
  if (*text == '[') {
    char* end = NULL;
    for (text++; name->nindex < 2; text = end + 1) {
      name->index[name->nindex] = (int)strtol(text, &end, 10);
      if (end == text || name->index[name->nindex] < 0) return 0;
      name->nindex++;
      if (*end != ',') break;
    }
    if (!end || *end != ']' || end[1]) return 0;
  }
  return 1;
}

// numbers that are not in arrays
static int readScalar(const mjData* d, const Name* name, double* value) {
  const int i = name->nindex ? name->index[0] : 0;
  if (strcmp(name->field, "time") == 0) return *value = d->time, 1;
  if (strcmp(name->field, "ncon") == 0) return *value = d->ncon, 1;
  if (strcmp(name->field, "nefc") == 0) return *value = d->nefc, 1;
  if (strcmp(name->field, "energy") == 0 && i < 2) return *value = d->energy[i], 1;
  return 0;
}

// 1: there is a number of that name
static int readNumber(const mjModel* m, const mjData* d, const char* text, double* value) {
  Name name;
  if (!takeApart(text, &name)) return 0;
  if (!name.object[0] && readScalar(d, &name, value)) return 1;
  for (int i = 0; i < NFIELD; i++) {
    if (strcmp(FIELDS[i].name, name.field) != 0 || FIELDS[i].kind == OTHER) continue;
    int size[2] = {0};
    sizeOf(m, i, size);
    int at[2] = {name.nindex > 0 ? name.index[0] : 0, name.nindex > 1 ? name.index[1] : 0};
    if (name.object[0]) {
      const int row = rowOf(m, FIELDS[i].rows, name.object);
      if (row < 0) return 0;
      // one index counts within the object
      at[1] = size[1] > 1 ? at[0] : 0;
      at[0] = size[1] > 1 ? row : row + at[0];
    }
    if (at[0] >= size[0] || at[1] >= size[1]) return 0;
    *value = numberAt(d, FIELDS + i, (size_t)at[0] * (size_t)size[1] + (size_t)at[1]);
    return 1;
  }
  // a sensor by its own name
  const int sensor = name.object[0] ? -1 : mj_name2id(m, mjOBJ_SENSOR, name.field);
  const int i = name.nindex ? name.index[0] : 0;
  if (sensor < 0 || i >= m->sensor_dim[sensor]) return 0;
  *value = d->sensordata[m->sensor_adr[sensor] + i];
  return 1;
}

int viw_readField(ViwApp* app, const char* name, double* value) {
  return app->m && readNumber(app->m, viw_shownData(app), name, value);
}

//---------------------------------- watching ----------------------------------

int viw_addWatch(ViwApp* app, const char* name) {
  double value = 0;
  if (!viw_readField(app, name, &value)) {
    viw_say(app, 1, "there is no '%s'; try qpos[0], qpos.JOINT, xpos.BODY[2], SENSOR", name);
    return 0;
  }
  if (app->nwatch == VIW_MAX_WATCH) {
    memmove(app->watch, app->watch + 1, sizeof(app->watch) - sizeof(app->watch[0]));
    app->nwatch--;
  }
  ViwWatch* const w = app->watch + app->nwatch++;
  *w = (ViwWatch){.good = 1};
  snprintf(w->name, sizeof(w->name), "%s", name);
  return 1;
}

void viw_sampleWatches(ViwApp* app) {
  // looking back adds nothing
  if (viw_isPast(app)) return;
  for (int i = 0; i < app->nwatch; i++) {
    ViwWatch* const w = app->watch + i;
    double value = 0;
    w->good = viw_readField(app, w->name, &value);
    const double time = viw_shownData(app)->time;
    const int last = (w->next + VIW_WATCH_POINTS - 1) % VIW_WATCH_POINTS;
    if (!w->good || (w->n && w->time[last] == time)) continue;
    // what comes after a point that was gone back to replaces what was there
    while (w->n && w->time[(w->next + VIW_WATCH_POINTS - 1) % VIW_WATCH_POINTS] >= time) {
      w->next = (w->next + VIW_WATCH_POINTS - 1) % VIW_WATCH_POINTS;
      w->n--;
    }
    w->value[w->next] = (float)value;
    w->time[w->next] = time;
    w->next = (w->next + 1) % VIW_WATCH_POINTS;
    if (w->n < VIW_WATCH_POINTS) w->n++;
  }
}

void viw_watchPanel(ViwApp* app) {
  ViwUi* const ui = &app->ui;
  if (viw_uiText(ui, "field", app->watchText, sizeof(app->watchText)) && viw_addWatch(app, app->watchText)) {
    app->watchText[0] = 0;
  }
  viw_uiLabel(ui, "qpos[0], qpos.JOINT, SENSOR,", VIW_DIM);
  viw_uiLabel(ui, "xpos.BODY[2], energy[0], ncon", VIW_DIM);
  for (int i = 0; i < app->nwatch; i++) {
    char text[VIW_NAME_SIZE + 16];
    snprintf(text, sizeof(text), "remove %s", app->watch[i].name);
    if (!viw_uiButton(ui, text)) continue;
    memmove(app->watch + i, app->watch + i + 1, (size_t)(app->nwatch - i - 1) * sizeof(app->watch[0]));
    app->nwatch--;
    break;
  }
}

//---------------------------------- charts ----------------------------------

// what a chart reaches
static void findRange(const ViwWatch* w, float* low, float* high) {
  const int first = (w->next + VIW_WATCH_POINTS - w->n) % VIW_WATCH_POINTS;
  *low = *high = w->value[first];
  for (int i = 0; i < w->n; i++) {
    const float v = w->value[(first + i) % VIW_WATCH_POINTS];
    *low = fminf(*low, v);
    *high = fmaxf(*high, v);
  }
}

// name and number on the left, what the chart reaches on the right
static void drawChartTexts(ViwApp* app, const ViwWatch* w, ViwRect r, const float range[2]) {
  ViwCanvas* const canvas = app->ui.canvas;
  const float pad = 6 * app->unit, line = viw_lineHeight(canvas);
  char text[VIW_NAME_SIZE + 40], part[VIW_NAME_SIZE + 40];
  float room = r.w - 2 * pad;
  if (w->n > 1) {
    snprintf(text, sizeof(text), "%.3g", (double)range[0]);
    viw_text(canvas, r.x + r.w - pad - viw_textWidth(canvas, text), r.y + r.h - line, text, VIW_DIM);
    snprintf(text, sizeof(text), "%.3g", (double)range[1]);
    const float width = viw_textWidth(canvas, text);
    viw_text(canvas, r.x + r.w - pad - width, r.y + 2 * app->unit, text, VIW_DIM);
    room -= width + pad;
  }
  // a name that is too long is cut, its number is not
  char number[40] = "";
  const int last = (w->next + VIW_WATCH_POINTS - 1) % VIW_WATCH_POINTS;
  double value = w->n ? (double)w->value[last] : 0;
  if (viw_isPast(app)) viw_readField(app, w->name, &value);
  if (w->good) snprintf(number, sizeof(number), " = %.5g", value);
  viw_fitText(canvas, w->name, room - viw_textWidth(canvas, number), part, sizeof(part));
  snprintf(text, sizeof(text), "%.*s%s", VIW_NAME_SIZE, part, number);
  viw_text(canvas, r.x + pad, r.y + 2 * app->unit, text, w->good ? VIW_TEXT : VIW_BAD);
}

static void drawChart(ViwApp* app, const ViwWatch* w, ViwRect r) {
  ViwCanvas* const canvas = app->ui.canvas;
  const float pad = 6 * app->unit, line = viw_lineHeight(canvas);
  float low, high;
  findRange(w, &low, &high);
  viw_rect(canvas, r, VIW_PANEL);
  drawChartTexts(app, w, r, (const float[2]){low, high});
  if (w->n < 2) return;
  const int first = (w->next + VIW_WATCH_POINTS - w->n) % VIW_WATCH_POINTS;
  const int last = (w->next + VIW_WATCH_POINTS - 1) % VIW_WATCH_POINTS;
  const ViwRect plot = {r.x + pad, r.y + line + 3 * app->unit, r.w - 2 * pad, r.h - line - 3 * app->unit - pad};
  const double begin = w->time[first], span = fmax(w->time[last] - begin, 1e-9);
  const float range = high - low > 1e-12f ? high - low : 1;
  float before[2] = {0, 0};
  for (int i = 0; i < w->n; i++) {
    const int k = (first + i) % VIW_WATCH_POINTS;
    const float p[2] = {plot.x + plot.w * (float)((w->time[k] - begin) / span),
                        plot.y + plot.h * (1 - (w->value[k] - low) / range)};
    if (i) viw_stroke(canvas, before, p, 1.5f * app->unit, VIW_ACCENT);
    memcpy(before, p, sizeof(before));
  }
  // where in the past we look
  const double shown = viw_shownData(app)->time;
  if (viw_isPast(app) && shown >= begin && shown <= begin + span) {
    viw_rect(canvas, (ViwRect){plot.x + plot.w * (float)((shown - begin) / span), plot.y, app->unit, plot.h}, VIW_TEXT);
  }
}

void viw_drawCharts(ViwApp* app) {
  const float height = 86 * app->unit, gap = 6 * app->unit;
  const float x = app->left && app->m ? 276 * app->unit : gap;
  const float right = (float)app->width - (app->right && app->m ? 256 * app->unit : gap);
  const float width = fmaxf(fminf(260 * app->unit, right - x), 80 * app->unit);
  for (int i = 0; i < app->nwatch; i++) {
    const float y = (float)app->height - (app->bars ? 46 * app->unit : gap) - (float)(i + 1) * (height + gap) + gap;
    drawChart(app, app->watch + i, (ViwRect){x, y, width, height});
  }
}
