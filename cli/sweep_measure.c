// Measures of `sinew sweep`: expressions such as max(abs(qpos[knee])) - 0.5 * mean(energy[1]).
//
//   sum     = product { (+|-) product }       product = power { (*|/) power }       power = unary [ ^ power ]
//   unary   = - unary | number | ( sum ) | function ( sum {, sum} ) | place
//   place   = field of mjData or mjModel, with [name], [name,k] or [i]
//
// max, min, mean, sum, rms, std, integral, first and last of one argument run over the steps of the simulation; what
// stands outside of them is computed once, from the last step.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "sweep.h"

typedef enum {
  NUMBER,
  PLACE,
  ADD,
  SUB,
  MUL,
  DIV,
  POW,
  NEG,
  ABS,
  SQRT,
  SIN,
  COS,
  EXP,
  LOG,
  MIN2,
  MAX2,
  HYPOT,
  REDUCED
} Op;
typedef enum { R_MAX, R_MIN, R_MEAN, R_SUM, R_RMS, R_STD, R_INTEGRAL, R_FIRST, R_LAST } Reduction;

static const struct {
  const char* name;
  int arguments;
  int reduces;  // 1: over time
  int op;
} functions[] = {
    {"abs",      1, 0, ABS       },
    {"sqrt",     1, 0, SQRT      },
    {"sin",      1, 0, SIN       },
    {"cos",      1, 0, COS       },
    {"exp",      1, 0, EXP       },
    {"log",      1, 0, LOG       },
    {"min",      2, 0, MIN2      },
    {"max",      2, 0, MAX2      },
    {"hypot",    2, 0, HYPOT     },
    {"max",      1, 1, R_MAX     },
    {"min",      1, 1, R_MIN     },
    {"mean",     1, 1, R_MEAN    },
    {"sum",      1, 1, R_SUM     },
    {"rms",      1, 1, R_RMS     },
    {"std",      1, 1, R_STD     },
    {"integral", 1, 1, R_INTEGRAL},
    {"first",    1, 1, R_FIRST   },
    {"last",     1, 1, R_LAST    },
};
enum { NFUNCTION = sizeof(functions) / sizeof(functions[0]), DEPTH = 32 };

// -------------------------------------------------------------------------------------------- reading

typedef struct {
  const mjModel* m;
  const char* text;  // all of it, for messages
  const char* at;
  SwpMeasure* out;
  int depth;
  int status;
} Reader;

static int parseSum(Reader* r);

static int wrong(Reader* r, const char* what) {
  if (r->status == CLI_OK) {
    r->status = cli_fail(CLI_USAGE, "--measure %s: %s at '%s'", r->text, what, *r->at ? r->at : "the end");
  }
  return 0;
}

static void skip(Reader* r) {
  while (isspace((unsigned char)*r->at)) r->at++;
}

// 1: the next character was this one, and is taken
static int acceptChar(Reader* r, char c) {
  skip(r);
  if (*r->at != c) return 0;
  r->at++;
  return 1;
}

static int emit(Reader* r, SwpCode code) {
  if (r->out->ncode == SWP_CODE) return wrong(r, "the expression is too long");
  r->out->code[r->out->ncode++] = code;
  return 1;
}

// arguments of a function; what they came to decides which of its name it is
static int parseCall(Reader* r, const char* name) {
  const int first = r->out->ncode;
  int overTime = 0, known = 0, arguments = 0;
  for (int i = 0; i < NFUNCTION; i++) {
    known |= !strcmp(functions[i].name, name);
    overTime |= !strcmp(functions[i].name, name) && functions[i].reduces;
  }
  if (!known) return wrong(r, "there is no such function");
  do {
    if (!parseSum(r)) return 0;
    arguments++;
  } while (acceptChar(r, ','));
  if (!acceptChar(r, ')')) return wrong(r, "a ) is missing");
  for (int i = 0; i < NFUNCTION; i++) {
    if (strcmp(functions[i].name, name) || functions[i].arguments != arguments) continue;
    if (!functions[i].reduces) return emit(r, (SwpCode){.op = functions[i].op});

    // the argument is computed at every step, the result stands in its place
    SwpMeasure* const out = r->out;
    for (int k = first; k < out->ncode; k++) {
      if (out->code[k].op == REDUCED) return wrong(r, "a value over time cannot be inside another");
    }
    if (out->nreduction == SWP_REDUCTIONS) return wrong(r, "too many values over time");
    out->reduction[out->nreduction].kind = functions[i].op;
    out->reduction[out->nreduction].first = first;
    out->reduction[out->nreduction++].end = out->ncode;
    return emit(r, (SwpCode){.op = REDUCED, .number = out->nreduction - 1});
  }
  return wrong(r, overTime ? "one or two arguments are needed" : "the number of arguments is wrong");
}

static int parseName(Reader* r) {
  char name[SWP_NAME];
  size_t n = 0;
  while (n + 1 < sizeof(name) && (isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == '.'))
    name[n++] = *r->at++;
  name[n] = 0;
  if (acceptChar(r, '(')) return parseCall(r, name);
  if (*r->at == '[') {
    do {
      if (!*r->at || n + 2 >= sizeof(name)) return wrong(r, "a ] is missing");
      name[n++] = *r->at;
    } while (*r->at++ != ']');
    name[n] = 0;
  }
  SwpCode code = {.op = PLACE};
  const int status = swp_findPlace(r->m, name, &code.place);
  if (status != CLI_OK) {
    r->status = status;
    return 0;
  }
  if (code.place.count != 1)
    return wrong(r, "one element is needed, as in qpos[knee] or xpos[torso,2], before what stands");
  return emit(r, code);
}

static int parseUnary(Reader* r) {
  if (++r->depth > DEPTH) return wrong(r, "too many parentheses");
  int good;
  if (acceptChar(r, '-')) {
    good = parseUnary(r) && emit(r, (SwpCode){.op = NEG});
  } else if (acceptChar(r, '(')) {
    good = parseSum(r) && (acceptChar(r, ')') || wrong(r, "a ) is missing"));
  } else if (isdigit((unsigned char)*r->at) || *r->at == '.') {
    char* end = NULL;
    const double number = strtod(r->at, &end);
    r->at = end;
    good = emit(r, (SwpCode){.op = NUMBER, .number = number});
  } else {
    good = isalpha((unsigned char)*r->at) ? parseName(r) : wrong(r, "a number, a field or a function is needed");
  }
  r->depth--;
  return good;
}

static int parsePower(Reader* r) {
  if (!parseUnary(r)) return 0;
  return !acceptChar(r, '^') || (parsePower(r) && emit(r, (SwpCode){.op = POW}));
}

static int parseProduct(Reader* r) {
  if (!parsePower(r)) return 0;
  for (;;) {
    const int op = acceptChar(r, '*') ? MUL : acceptChar(r, '/') ? DIV : -1;
    if (op < 0) return 1;
    if (!parsePower(r) || !emit(r, (SwpCode){.op = op})) return 0;
  }
}

static int parseSum(Reader* r) {
  if (!parseProduct(r)) return 0;
  for (;;) {
    const int op = acceptChar(r, '+') ? ADD : acceptChar(r, '-') ? SUB : -1;
    if (op < 0) return 1;
    if (!parseProduct(r) || !emit(r, (SwpCode){.op = op})) return 0;
  }
}

int swp_readMeasure(const mjModel* m, const char* text, SwpMeasure* out) {
  *out = (SwpMeasure){0};

  // NAME=EXPRESSION gives it a name of its own
  const char* const sign = strchr(text, '=');
  const char* const expression = sign ? sign + 1 : text;
  snprintf(out->label, sizeof(out->label), "%.*s", sign ? (int)(sign - text) : (int)strlen(text), text);
  for (char* c = out->label; *c; c++) *c = *c == '/' ? ':' : *c;
  if (!out->label[0]) return cli_fail(CLI_USAGE, "--measure %s: it has no name", text);
  Reader r = {.m = m, .text = text, .at = expression, .out = out, .status = CLI_OK};
  if (parseSum(&r)) {
    skip(&r);
    if (*r.at) wrong(&r, "this is too much");
  }
  return r.status;
}

// -------------------------------------------------------------------------------------------- computing

static double apply(int op, double a, double b) {
  switch (op) {
    case ADD:
      return a + b;
    case SUB:
      return a - b;
    case MUL:
      return a * b;
    case DIV:
      return a / b;
    case POW:
      return pow(a, b);
    case MIN2:
      return fmin(a, b);
    case MAX2:
      return fmax(a, b);
    default:
      return hypot(a, b);
  }
}

static double applyOne(int op, double a) {
  switch (op) {
    case NEG:
      return -a;
    case ABS:
      return fabs(a);
    case SQRT:
      return sqrt(a);
    case SIN:
      return sin(a);
    case COS:
      return cos(a);
    case EXP:
      return exp(a);
    default:
      return log(a);
  }
}

// value of a reduction at the end
static double reduced(int kind, const SwpTally* t, int i) {
  switch (kind) {
    case R_MEAN:
      return t->sum[i] / t->n;
    case R_RMS:
      return sqrt(t->square[i] / t->n);
    case R_STD:
      return sqrt(fmax(t->square[i] / t->n - t->sum[i] / t->n * (t->sum[i] / t->n), 0));
    default:
      return t->sum[i];
  }
}

// index of the reduction whose argument begins here, -1: none
static int beginning(const SwpMeasure* measure, int k) {
  for (int i = 0; i < measure->nreduction; i++) {
    if (measure->reduction[i].first == k) return i;
  }
  return -1;
}

// runs part of the code; tally NULL: inside a reduction, else arguments of reductions are left out
static double evaluate(const SwpMeasure* measure, int first, int end, const mjModel* m, const mjData* d,
                       const SwpTally* tally) {
  double stack[SWP_CODE] = {0};
  int n = 0;
  for (int k = first; k < end; k++) {
    const int inner = tally ? beginning(measure, k) : -1;
    if (inner >= 0) k = measure->reduction[inner].end;
    const SwpCode* const code = measure->code + k;
    switch (code->op) {
      case NUMBER:
        stack[n++] = code->number;
        break;
      case PLACE:
        stack[n++] = swp_read(&code->place, code->place.inModel ? (const void*)m : (const void*)d, 0);
        break;
      case REDUCED:
        stack[n++] = tally ? reduced(measure->reduction[(int)code->number].kind, tally, (int)code->number) : 0;
        break;
      case NEG:
      case ABS:
      case SQRT:
      case SIN:
      case COS:
      case EXP:
      case LOG:
        stack[n - 1] = applyOne(code->op, stack[n - 1]);
        break;
      default:
        n--;
        stack[n - 1] = apply(code->op, stack[n - 1], stack[n]);
    }
  }
  return stack[0];
}

void swp_tally(const SwpMeasure* measure, const mjModel* m, const mjData* d, SwpTally* t) {
  const int begin = t->n == 0;
  t->n++;
  for (int i = 0; i < measure->nreduction; i++) {
    const double x = evaluate(measure, measure->reduction[i].first, measure->reduction[i].end, m, d, NULL);
    double* const sum = t->sum + i;
    switch (measure->reduction[i].kind) {
      case R_MAX:
        *sum = begin ? x : fmax(*sum, x);
        break;
      case R_MIN:
        *sum = begin ? x : fmin(*sum, x);
        break;
      case R_FIRST:
        *sum = begin ? x : *sum;
        break;
      case R_LAST:
        *sum = x;
        break;
      case R_INTEGRAL:
        *sum += x * m->opt.timestep;
        break;
      default:
        *sum += x;
        t->square[i] += x * x;
    }
  }
}

double swp_result(const SwpMeasure* measure, const mjModel* m, const mjData* d, const SwpTally* tally) {
  return evaluate(measure, 0, measure->ncode, m, d, tally);
}
