// Charts over time, or over something else, as SVG or PNG, drawn by gnuplot.
#pragma once

enum { CLI_MAX_PANELS = 6, CLI_MAX_SERIES = 8, CLI_TITLE_SIZE = 160 };

typedef enum {
  CLI_VALUE,     // the number in the column
  CLI_ROTATION,  // angle of the unit quaternion that begins there, in radians
} CliSeriesKind;

typedef struct {
  char name[CLI_TITLE_SIZE];
  int column;  // of the samples; column 0 is what the chart is over
  CliSeriesKind kind;
} CliSeries;

typedef struct {
  char title[CLI_TITLE_SIZE];
  char axis[64];  // quantity and unit
  CliSeries series[CLI_MAX_SERIES];
  int nseries;
} CliPanel;

typedef struct {
  char title[CLI_TITLE_SIZE];
  char subtitle[CLI_TITLE_SIZE];
  const char* over;  // what column 0 is; NULL: time
  CliPanel panel[CLI_MAX_PANELS];
  int npanel;
  const double* sample;  // nrow rows of width numbers, the first is what the chart is over
  int nrow;
  int width;
} CliChart;

// The number that a series shows at a row.
double cli_seriesAt(const CliChart* chart, const CliSeries* series, int row);

// 1: the name ends in .svg or .png
int cli_isChartPath(const char* path);

// CLI_OK, or CLI_OUTPUT after a message.
int cli_plot(const CliChart* chart, const char* path);
