// Samples of `sinew sweep`: points of the unit cube by several methods, and the distributions that they are mapped to.
// A point depends on seed and number alone, never on threads or ranks.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "support/numbers.h"
#include "sweep.h"

// -------------------------------------------------------------------------------------------- distributions

static int readNumbers(const char* text, double** list, int* n) {
  char copy[4000];
  snprintf(copy, sizeof(copy), "%s", text);
  char* rest = copy;
  for (char* word; (word = strsep(&rest, ",")) != NULL;) {
    double value;
    if (!cli_number(word, &value)) return 0;
    *list = cli_resize(*list, (size_t)*n + 1, sizeof(double));
    (*list)[(*n)++] = value;
  }
  return 1;
}

// "range:a,b,n" is a list of n numbers
static int spreadRange(SwpVary* v) {
  const double a = v->list[0], b = v->list[1];
  const int n = (int)v->list[2];
  if (n < 2 || n != v->list[2]) return 0;
  v->list = cli_resize(v->list, (size_t)n, sizeof(double));
  v->nlist = n;
  for (int i = 0; i < n; i++) v->list[i] = a + (b - a) * i / (n - 1);
  return 1;
}

static int readDistribution(SwpVary* v, const char* text) {
  static const struct {
    const char* name;
    SwpKind kind;
    int n;  // numbers, 0: one or more
  } known[] = {
      {"uniform",    SWP_UNIFORM,    2},
      {"loguniform", SWP_LOGUNIFORM, 2},
      {"normal",     SWP_NORMAL,     2},
      {"list",       SWP_LIST,       0},
      {"range",      SWP_LIST,       3},
  };
  const char* const colon = strchr(text, ':');
  for (size_t i = 0; colon && i < sizeof(known) / sizeof(known[0]); i++) {
    if (strlen(known[i].name) != (size_t)(colon - text) || strncmp(known[i].name, text, (size_t)(colon - text)))
      continue;
    if (!readNumbers(colon + 1, &v->list, &v->nlist) || (known[i].n && v->nlist != known[i].n)) break;
    v->kind = known[i].kind;
    if (known[i].n == 3) return spreadRange(v);
    v->a = v->list[0];
    v->b = v->nlist > 1 ? v->list[1] : 0;
    if (v->kind == SWP_UNIFORM) return v->a <= v->b;
    if (v->kind == SWP_LOGUNIFORM) return v->a > 0 && v->a <= v->b;
    return v->kind != SWP_NORMAL || v->b >= 0;
  }
  return 0;
}

int swp_readVary(const mjModel* m, const char* text, SwpVary* v) {
  *v = (SwpVary){.text = text, .how = '='};
  const char* const sign = strchr(text, '=');
  size_t length = sign ? (size_t)(sign - text) : 0;
  if (length && strchr("*+", text[length - 1])) v->how = text[--length];
  if (!length || length >= sizeof(v->label) || !readDistribution(v, sign + 1)) {
    cli_fail(CLI_USAGE, "--vary %s: write FIELD[NAME]=DISTRIBUTION", text);
    cli_hint("FIELD= sets, FIELD*= scales, FIELD+= adds");
    cli_hint("uniform:LOW,HIGH  loguniform:LOW,HIGH  normal:MEAN,DEVIATION  list:A,B,...  range:FIRST,LAST,N");
    return CLI_USAGE;
  }
  snprintf(v->label, sizeof(v->label), "%.*s", (int)length, text);
  const int status = swp_findPlace(m, v->label, &v->place);
  if (status != CLI_OK) return status;
  static const char* const inputs[] = {"qpos", "qvel", "act", "ctrl", "qfrc_applied", "mocap_pos", "mocap_quat", NULL};
  for (int i = 0; !v->place.inModel; i++) {
    if (!inputs[i]) return cli_fail(CLI_USAGE, "--vary %s: %s is computed, it cannot be given", text, v->place.field);
    if (!strcmp(inputs[i], v->place.field)) break;
  }
  return CLI_OK;
}

// where the distribution function of the normal distribution is u: by halving, since a sample is drawn once
static double normalQuantile(double u) {
  double low = -40, high = 40;
  for (int i = 0; i < 80; i++) {
    const double x = 0.5 * (low + high);
    if (0.5 * erfc(-x / sqrt(2)) < u) {
      low = x;
    } else {
      high = x;
    }
  }
  return 0.5 * (low + high);
}

static double mapUnit(const SwpVary* v, double u) {
  switch (v->kind) {
    case SWP_UNIFORM:
      return v->a + (v->b - v->a) * u;
    case SWP_LOGUNIFORM:
      return v->a * exp(log(v->b / v->a) * u);
    case SWP_NORMAL:
      return v->a + v->b * normalQuantile(fmax(u, 0x1p-54));
    default:
      return v->list[(int)(u * v->nlist) < v->nlist ? (int)(u * v->nlist) : v->nlist - 1];
  }
}

// -------------------------------------------------------------------------------------------- points

static void randomPoints(int seed, int nsample, int n, double* u) {
  for (int i = 0; i < nsample; i++) {
    snRandom r = sn_makeRandom((uint64_t)seed, (uint32_t)i, 1);
    for (int k = 0; k < n; k++) u[(size_t)i * (size_t)n + (size_t)k] = sn_randomUniform(&r, 0, 1);
  }
}

// one point in each of nsample layers of every dimension
static void latinPoints(int seed, int nsample, int n, double* u) {
  int* const layer = cli_zeroed((size_t)nsample, sizeof(int));
  for (int k = 0; k < n; k++) {
    snRandom r = sn_makeRandom((uint64_t)seed, (uint32_t)k, 2);
    for (int i = 0; i < nsample; i++) layer[i] = i;
    for (int i = nsample - 1; i > 0; i--) {
      const int j = (int)sn_randomUniform(&r, 0, i + 1), swapped = layer[i];
      layer[i] = layer[j];
      layer[j] = swapped;
    }
    for (int i = 0; i < nsample; i++) {
      u[(size_t)i * (size_t)n + (size_t)k] = (layer[i] + sn_randomUniform(&r, 0, 1)) / nsample;
    }
  }
  free(layer);
}

// primitive polynomials and first direction numbers. S. Joe, F. Kuo: Constructing Sobol sequences with better
// two-dimensional projections (2008).
enum { SOBOL_DIMENSIONS = 21, SOBOL_BITS = 32 };
static const struct {
  int degree, coefficients;
  uint32_t m[7];
} sobol[SOBOL_DIMENSIONS - 1] = {
    {1, 0,  {1}                       },
    {2, 1,  {1, 3}                    },
    {3, 1,  {1, 3, 1}                 },
    {3, 2,  {1, 1, 1}                 },
    {4, 1,  {1, 1, 3, 3}              },
    {4, 4,  {1, 3, 5, 13}             },
    {5, 2,  {1, 1, 5, 5, 17}          },
    {5, 4,  {1, 1, 5, 5, 5}           },
    {5, 7,  {1, 1, 7, 11, 19}         },
    {5, 11, {1, 1, 5, 1, 1}           },
    {5, 13, {1, 1, 1, 3, 11}          },
    {5, 14, {1, 3, 5, 5, 31}          },
    {6, 1,  {1, 3, 3, 9, 7, 49}       },
    {6, 13, {1, 1, 1, 15, 21, 21}     },
    {6, 16, {1, 3, 1, 13, 27, 49}     },
    {6, 19, {1, 1, 1, 15, 7, 5}       },
    {6, 22, {1, 3, 1, 15, 13, 25}     },
    {6, 25, {1, 1, 5, 5, 19, 61}      },
    {7, 1,  {1, 3, 7, 11, 23, 15, 103}},
    {7, 4,  {1, 3, 7, 13, 13, 15, 69} },
};

// direction numbers of one dimension, the first bit highest
static void sobolDirections(int dimension, uint32_t v[SOBOL_BITS]) {
  if (!dimension) {
    for (int i = 0; i < SOBOL_BITS; i++) v[i] = 1u << (31 - i);
    return;
  }
  const int s = sobol[dimension - 1].degree, a = sobol[dimension - 1].coefficients;
  for (int i = 0; i < SOBOL_BITS; i++) {
    if (i < s) {
      v[i] = sobol[dimension - 1].m[i] << (31 - i);
      continue;
    }
    v[i] = v[i - s] ^ (v[i - s] >> s);
    for (int k = 1; k < s; k++) {
      if (a >> (s - 1 - k) & 1) v[i] ^= v[i - k];
    }
  }
}

// all points of a dimension are moved by the same random bits, which keeps their spacing; seed 0 leaves them as they
// are
static void sobolPoints(int seed, int nsample, int n, double* u) {
  for (int k = 0; k < n; k++) {
    uint32_t v[SOBOL_BITS], x = 0;
    sobolDirections(k, v);
    snRandom r = sn_makeRandom((uint64_t)seed, (uint32_t)k, 3);
    const uint32_t shift = seed ? sn_randomBits(&r) : 0;
    for (int i = 0; i < nsample; i++) {
      u[(size_t)i * (size_t)n + (size_t)k] = (x ^ shift) * 0x1p-32;
      x ^= v[__builtin_ctz(~(uint32_t)i)];
    }
  }
}

// -------------------------------------------------------------------------------------------- sampling

// every combination of lists; the last parameter changes fastest
static int gridSample(const SwpVary* vary, int n, int* nsample, double** values) {
  double product = 1;
  for (int k = 0; k < n; k++) {
    if (vary[k].kind != SWP_LIST)
      return cli_fail(CLI_USAGE, "--sampling grid needs list: or range:, not %s", vary[k].text);
    product *= vary[k].nlist;
  }
  if (product > 2e9) return cli_fail(CLI_USAGE, "a grid of %g samples is too large", product);
  if (*nsample && *nsample != (int)product) {
    return cli_fail(CLI_USAGE, "--samples %d: the grid has %d", *nsample, (int)product);
  }
  *nsample = (int)product;
  *values = cli_zeroed((size_t)*nsample * (size_t)n + 1, sizeof(double));
  for (int i = 0; i < *nsample; i++) {
    int rest = i;
    for (int k = n - 1; k >= 0; rest /= vary[k--].nlist) {
      (*values)[(size_t)i * (size_t)n + (size_t)k] = vary[k].list[rest % vary[k].nlist];
    }
  }
  return CLI_OK;
}

// rows of a file: columns by the labels of the parameters, else in their order
static int fileSample(const char* path, const SwpVary* vary, int n, int* nsample, double** values) {
  CliNumbers table = {0};
  int status = cli_readNumbers(path, &table);
  if (status != CLI_OK) return status;
  if (*nsample && *nsample > table.nrow) {
    status = cli_fail(CLI_USAGE, "--samples %d: '%s' has %d rows", *nsample, path, table.nrow);
  }
  if (!*nsample) *nsample = table.nrow;
  *values = cli_zeroed((size_t)*nsample * (size_t)n + 1, sizeof(double));
  for (int k = 0; k < n && status == CLI_OK; k++) {
    int column = k;
    if (table.named && cli_findField(&table.fields, vary[k].label, &column) < 0) {
      status = cli_fail(CLI_INPUT, "'%s' has no column '%s'", path, vary[k].label);
    } else if (column >= table.fields.width) {
      status = cli_fail(CLI_INPUT, "'%s' has %d columns, %d are varied", path, table.fields.width, n);
    }
    for (int i = 0; i < *nsample && status == CLI_OK; i++) {
      (*values)[(size_t)i * (size_t)n + (size_t)k] = table.at[(size_t)i * (size_t)table.fields.width + (size_t)column];
    }
  }
  cli_freeNumbers(&table);
  return status;
}

int swp_sample(const char* method, int seed, const SwpVary* vary, int n, int* nsample, double** values) {
  static const char* const known[] = {"random", "sobol", "lhs", "grid", "FILE.csv", "FILE.npy", NULL};
  if (!strcmp(method, "grid")) return gridSample(vary, n, nsample, values);
  if (cli_isNumbersPath(method)) return fileSample(method, vary, n, nsample, values);
  if (!*nsample) return cli_fail(CLI_USAGE, "--samples says how many");
  *values = cli_zeroed((size_t)*nsample * (size_t)n + 1, sizeof(double));
  if (!strcmp(method, "random")) {
    randomPoints(seed, *nsample, n, *values);
  } else if (!strcmp(method, "lhs")) {
    latinPoints(seed, *nsample, n, *values);
  } else if (!strcmp(method, "sobol")) {
    if (n > SOBOL_DIMENSIONS) return cli_fail(CLI_USAGE, "--sampling sobol: at most %d parameters", SOBOL_DIMENSIONS);
    sobolPoints(seed, *nsample, n, *values);
  } else {
    return cli_unknown("sampling", method, known);
  }
  for (size_t i = 0; i < (size_t)*nsample * (size_t)n; i++) (*values)[i] = mapUnit(vary + i % (size_t)n, (*values)[i]);
  return CLI_OK;
}
