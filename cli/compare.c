// `sinew compare`: two models or two files of numbers, field by field. Both become a list of named arrays, so that one
// comparison serves models, CSV and NPY.
#include <mujoco/mujoco.h>
// the field tables need the structs
#include <math.h>
#include <mujoco/mjxmacro.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "support/cli.h"
#include "support/format.h"
#include "support/json.h"
#include "support/model.h"
#include "support/numbers.h"

typedef struct {
  double tolerance;
  int json, all;
} Options;

enum { SHOWN = 20 };  // rows of a report that is not asked for in full

// -------------------------------------------------------------------------------------------- arrays

typedef enum { DOUBLES, FLOATS, INTS, SIZES, BYTES, CHARS } Kind;

typedef struct {
  const char* name;
  Kind kind;
  const void* at;
  long rows, columns;
  size_t stride;  // numbers from one row to the next
} Array;

typedef struct {
  Array* at;
  int n;
} Arrays;

static void add(Arrays* list, Array array) {
  list->at = cli_resize(list->at, (size_t)list->n + 1, sizeof(*list->at));
  list->at[list->n++] = array;
}

static double valueAt(const Array* array, long row, long column) {
  const size_t i = (size_t)row * array->stride + (size_t)column;
  switch (array->kind) {
    case DOUBLES:
      return ((const double*)array->at)[i];
    case FLOATS:
      return (double)((const float*)array->at)[i];
    case INTS:
      return ((const int*)array->at)[i];
    case SIZES:
      return (double)((const mjtSize*)array->at)[i];
    case BYTES:
      return ((const mjtByte*)array->at)[i];
    default:
      return ((const char*)array->at)[i];
  }
}

#define KIND(type)                \
  _Generic((type){0}, double      \
           : DOUBLES, float       \
           : FLOATS, int          \
           : INTS, mjtSize        \
           : SIZES, unsigned char \
           : BYTES, char          \
           : CHARS)

// settings, sizes and arrays of a model, in the order of the struct
static void addModel(Arrays* list, const mjModel* m) {
#define X(type, name) add(list, (Array){"opt." #name, KIND(type), &m->opt.name, 1, 1, 1});
  MJOPTION_SCALARS
#undef X
#define X(name, length) add(list, (Array){"opt." #name, DOUBLES, m->opt.name, 1, length, length});
  MJOPTION_VECTORS
#undef X
#define X(type, name, length) add(list, (Array){"stat." #name, KIND(type), &m->stat.name, 1, length, length});
  MJSTATISTIC_FIELDS
#undef X
#define X(group, type, name, length) \
  add(list, (Array){"vis." #group "." #name, KIND(type), &m->vis.group.name, 1, length, length});
  MJVISUAL_FIELDS
#undef X
#define X(name) add(list, (Array){#name, SIZES, &m->name, 1, 1, 1});
  MJMODEL_SIZES
#undef X
#undef MJ_M
#define MJ_M(n) m->n
#define X(type, name, nrow, ncol) \
  add(list, (Array){#name, KIND(type), m->name, (long)m->nrow, (long)(ncol), (size_t)(ncol)});
  MJMODEL_POINTERS
#undef X
#undef MJ_M
#define MJ_M(n) n
}

static void addNumbers(Arrays* list, const CliNumbers* numbers) {
  const double* at = numbers->at;
  for (int i = 0; i < numbers->fields.n; i++) {
    const CliField* const field = &numbers->fields.at[i];
    add(list, (Array){field->name, DOUBLES, at, numbers->nrow, field->width, (size_t)numbers->fields.width});
    at += field->width;
  }
}

// -------------------------------------------------------------------------------------------- difference

typedef struct {
  const Array *a, *b;  // NULL: only the other one has the field
  int shape;           // 1: sizes differ, numbers were not compared
  long count;          // numbers that differ
  double largest;      // difference
  long row, column;    // where it is
} Difference;

typedef struct {
  Difference* at;
  int n;
  int fields;     // compared
  long long all;  // numbers compared
} Differences;

// relative to the size of the numbers where that is above one, so that one tolerance serves all fields
static double distance(double a, double b) {
  if (a == b || (isnan(a) && isnan(b))) return 0;
  const double gap = fabs(a - b) / fmax(1, fmax(fabs(a), fabs(b)));
  return isnan(gap) ? INFINITY : gap;
}

static void note(Differences* list, Difference difference) {
  list->at = cli_resize(list->at, (size_t)list->n + 1, sizeof(*list->at));
  list->at[list->n++] = difference;
}

static void compareArray(Differences* list, const Array* a, const Array* b, double tolerance) {
  Difference found = {.a = a, .b = b};
  list->fields++;
  if (a->rows != b->rows || a->columns != b->columns) {
    found.shape = 1;
    note(list, found);
    return;
  }
  for (long i = 0; i < a->rows; i++) {
    for (long j = 0; j < a->columns; j++) {
      const double gap = distance(valueAt(a, i, j), valueAt(b, i, j));
      if (gap <= tolerance) continue;
      found.count++;
      if (gap <= found.largest) continue;
      found.largest = gap;
      found.row = i;
      found.column = j;
    }
  }
  list->all += (long long)a->rows * a->columns;
  if (found.count) note(list, found);
}

static const Array* findArray(const Arrays* list, const char* name) {
  for (int i = 0; i < list->n; i++) {
    if (strcmp(list->at[i].name, name) == 0) return &list->at[i];
  }
  return NULL;
}

static void compareArrays(Differences* list, const Arrays* a, const Arrays* b, double tolerance) {
  for (int i = 0; i < a->n; i++) {
    const Array* const other = findArray(b, a->at[i].name);
    if (other) {
      compareArray(list, &a->at[i], other, tolerance);
    } else {
      note(list, (Difference){.a = &a->at[i], .shape = 1});
    }
  }
  for (int i = 0; i < b->n; i++) {
    if (!findArray(a, b->at[i].name)) note(list, (Difference){.b = &b->at[i], .shape = 1});
  }
}

// -------------------------------------------------------------------------------------------- report

// the object that a row of "jnt_range" belongs to; "" for arrays that do not have a row per object
static const char* ownerOf(const mjModel* m, const Difference* x, char text[CLI_NAME_SIZE]) {
#define OWNER(prefix, type, size) \
  { prefix, type, offsetof(mjModel, size) }
  static const struct {
    const char* prefix;
    mjtObj type;
    size_t offset;
  } owners[] = {OWNER("body_", mjOBJ_BODY, nbody),
                OWNER("jnt_", mjOBJ_JOINT, njnt),
                OWNER("dof_", mjOBJ_DOF, nv),
                OWNER("geom_", mjOBJ_GEOM, ngeom),
                OWNER("site_", mjOBJ_SITE, nsite),
                OWNER("cam_", mjOBJ_CAMERA, ncam),
                OWNER("light_", mjOBJ_LIGHT, nlight),
                OWNER("mesh_", mjOBJ_MESH, nmesh),
                OWNER("mat_", mjOBJ_MATERIAL, nmat),
                OWNER("tex_", mjOBJ_TEXTURE, ntex),
                OWNER("tendon_", mjOBJ_TENDON, ntendon),
                OWNER("eq_", mjOBJ_EQUALITY, neq),
                OWNER("pair_", mjOBJ_PAIR, npair),
                OWNER("actuator_", mjOBJ_ACTUATOR, nu),
                OWNER("sensor_", mjOBJ_SENSOR, nsensor),
                OWNER("key_", mjOBJ_KEY, nkey)};
#undef OWNER
  text[0] = 0;
  for (size_t i = 0; m && i < sizeof(owners) / sizeof(owners[0]); i++) {
    if (strncmp(x->a->name, owners[i].prefix, strlen(owners[i].prefix)) != 0) continue;
    if (x->a->rows != (long)*(const mjtSize*)((const char*)m + owners[i].offset)) return text;
    if (owners[i].type == mjOBJ_DOF) return cli_nameOf(m, mjOBJ_JOINT, m->dof_jntid[x->row], text);
    return cli_nameOf(m, owners[i].type, (int)x->row, text);
  }
  return text;
}

static const char* shapeOf(const Array* array, char text[CLI_NUMBER_SIZE]) {
  if (!array) return "absent";
  snprintf(text, CLI_NUMBER_SIZE, "%ld x %ld", array->rows, array->columns);
  return text;
}

static void printText(const Differences* list, const mjModel* m, int all) {
  if (!list->n) {
    printf("equal: %d fields, %lld numbers\n", list->fields, list->all);
    return;
  }
  CliTable table = {.ncolumn = 6};
  static const char* const head[] = {"field", "differ", "largest", "where", "first", "second"};
  for (int i = 0; i < 6; i++) cli_cell(&table, "%s", head[i]);
  char a[CLI_NUMBER_SIZE], b[CLI_NUMBER_SIZE], owner[CLI_NAME_SIZE];
  const int shown = all || list->n <= SHOWN ? list->n : SHOWN;
  for (int i = 0; i < shown; i++) {
    const Difference* const x = &list->at[i];
    cli_cell(&table, "%s", (x->a ? x->a : x->b)->name);
    if (x->shape) {
      cli_cell(&table, "%s", "-");
      cli_cell(&table, "%s", "-");
      cli_cell(&table, "size");
      cli_cell(&table, "%s", shapeOf(x->a, a));
      cli_cell(&table, "%s", shapeOf(x->b, b));
      continue;
    }
    cli_cell(&table, "%ld", x->count);
    cli_cell(&table, "%.3g", x->largest);
    ownerOf(m, x, owner);
    cli_cell(&table, "[%ld,%ld]%s%s", x->row, x->column, *owner ? " " : "", owner);
    cli_cell(&table, "%s", cli_exact(valueAt(x->a, x->row, x->column), a));
    cli_cell(&table, "%s", cli_exact(valueAt(x->b, x->row, x->column), b));
  }
  cli_printTable(&table, stdout, 1, 0);
  cli_freeTable(&table);
  if (shown < list->n) printf("... and %d more fields (--all shows them)\n", list->n - shown);
  printf("different: %d of %d fields\n", list->n, list->fields);
}

static void printJson(const Differences* list, const mjModel* m) {
  CliJson json = {.file = stdout};
  char text[CLI_NAME_SIZE];
  cli_jsonOpen(&json, NULL, '{');
  cli_jsonBool(&json, "equal", !list->n);
  cli_jsonCount(&json, "fields", list->fields);
  cli_jsonCount(&json, "numbers", list->all);
  cli_jsonOpen(&json, "differences", '[');
  for (int i = 0; i < list->n; i++) {
    const Difference* const x = &list->at[i];
    cli_jsonOpen(&json, NULL, '{');
    cli_jsonText(&json, "field", (x->a ? x->a : x->b)->name);
    if (x->shape || !x->a || !x->b) {
      cli_jsonText(&json, "first_size", shapeOf(x->a, text));
      cli_jsonText(&json, "second_size", shapeOf(x->b, text));
    } else {
      cli_jsonCount(&json, "count", x->count);
      cli_jsonNumber(&json, "largest", x->largest);
      cli_jsonCount(&json, "row", x->row);
      cli_jsonCount(&json, "column", x->column);
      if (*ownerOf(m, x, text)) cli_jsonText(&json, "object", text);
      cli_jsonNumber(&json, "first", valueAt(x->a, x->row, x->column));
      cli_jsonNumber(&json, "second", valueAt(x->b, x->row, x->column));
    }
    cli_jsonClose(&json, '}');
  }
  cli_jsonClose(&json, ']');
  cli_jsonClose(&json, '}');
}

// -------------------------------------------------------------------------------------------- command

typedef struct {
  CliModel model;
  CliNumbers numbers;
  Arrays arrays;
} Side;

static int readSide(Side* side, const char* path) {
  const int isNumbers = cli_isNumbersPath(path);
  const int code = isNumbers ? cli_readNumbers(path, &side->numbers) : cli_loadModel(path, &side->model);
  if (code != CLI_OK) return code;
  if (isNumbers) {
    addNumbers(&side->arrays, &side->numbers);
  } else {
    addModel(&side->arrays, side->model.m);
  }
  return CLI_OK;
}

static void freeSide(Side* side) {
  free(side->arrays.at);
  cli_freeModel(&side->model);
  cli_freeNumbers(&side->numbers);
}

static int compareMain(int argc, char** argv) {
  Options o = {0};
  CliList words = {NULL, 0};
  int code = cli_parse(&cmd_compare, argc, argv, &o, &words);
  if (code != CLI_PROCEED) return code;
  Side a = {0}, b = {0};
  if (words.n != 2) {
    code = cli_fail(CLI_USAGE, "give two models or two files of numbers: sinew compare A B");
  } else if (cli_isNumbersPath(words.at[0]) != cli_isNumbersPath(words.at[1])) {
    code = cli_fail(CLI_USAGE, "a model and a file of numbers cannot be compared");
  } else if (o.tolerance < 0) {
    code = cli_fail(CLI_USAGE, "--tolerance must not be negative");
  } else {
    code = readSide(&a, words.at[0]);
    if (code == CLI_OK) code = readSide(&b, words.at[1]);
  }
  if (code == CLI_OK) {
    Differences list = {0};
    compareArrays(&list, &a.arrays, &b.arrays, o.tolerance);
    if (o.json) {
      printJson(&list, a.model.m);
    } else {
      printText(&list, a.model.m, o.all);
    }
    code = list.n ? CLI_NO : CLI_OK;
    free(list.at);
  }
  freeSide(&a);
  freeSide(&b);
  cli_freeOptions(&cmd_compare, &o, &words);
  return code;
}

#define AT(member) offsetof(Options, member)
static const CliOption options[] = {
    {"tolerance", 't', CLI_NUMBER, AT(tolerance), "X",
     "largest difference that counts as equal, relative to numbers above\none (default 0: every bit)"},
    {"all",       'a', CLI_SWITCH, AT(all),       NULL, "show all fields that differ"                },
    {"json",      0,   CLI_SWITCH, AT(json),      NULL, "print as JSON"                              },
};
#undef AT

const CliCommand cmd_compare = {
    .name = "compare",
    .arguments = "A B [OPTIONS]",
    .summary = "compare two models, or two files of states, field by field",
    .description =
        "Compares every setting, size and array of two models (MJCF, URDF or MJB), or every field of two\n"
        "files of numbers (.csv, .npy) that 'sinew run' wrote. Exit code 0: equal, 1: different.",
    .examples =
        "sinew compare robot.xml robot.mjb             # is the binary up to date?\n"
        "sinew compare old.xml new.xml --all           # what did the edit change?\n"
        "sinew compare before.npy after.npy -t 1e-9    # two runs",
    .options = options,
    .noption = sizeof(options) / sizeof(options[0]),
    .main = compareMain,
};
