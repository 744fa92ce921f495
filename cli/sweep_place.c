// Elements of models and states by name: "body_mass[torso]", "qpos[knee]", "geom_friction[floor,0]", "opt.gravity[2]".
#include <mujoco/mjxmacro.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "sweep.h"
#include "view/rows.h"

// one field of either struct
typedef struct {
  const char* name;
  size_t offset;
  char type;
  int inModel, member;
  const char* rows;  // name of the size that counts the rows
  size_t count;      // its offset in mjModel; members: the number itself
  int columns;       // 0: depends on the model
} Row;

#define TYPE(type) _Generic((type){0}, double : 'd', float : 'f', int : 'i', unsigned char : 'b', default : 0)

// columns that are sizes of the model are left out
#undef MJ_M
#define MJ_M(n) 0

// clang-format off
static const Row rows[] = {
#define X(type, name, nr, nc) {#name, offsetof(mjData, name), TYPE(type), 0, 0, #nr, offsetof(mjModel, nr), nc},
    MJDATA_POINTERS
#undef X
#undef XNV
#define X(type, name, nr, nc) {#name, offsetof(mjModel, name), TYPE(type), 1, 0, #nr, offsetof(mjModel, nr), nc},
#define XNV X
    MJMODEL_POINTERS
#undef X
#define X(type, name) {"opt." #name, offsetof(mjModel, opt.name), TYPE(type), 1, 1, "", 1, 1},
    MJOPTION_SCALARS
#undef X
#define X(name, n) {"opt." #name, offsetof(mjModel, opt.name), 'd', 1, 1, "", n, 1},
    MJOPTION_VECTORS
#undef X
    {"time", offsetof(mjData, time), 'd', 0, 1, "", 1, 1},
    {"energy", offsetof(mjData, energy), 'd', 0, 1, "", 2, 1},
    {"ncon", offsetof(mjData, ncon), 'i', 0, 1, "", 1, 1},
    {"nefc", offsetof(mjData, nefc), 'i', 0, 1, "", 1, 1},
};
// clang-format on

static const Row* findRow(const char* name) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
    if (!strcmp(rows[i].name, name) && rows[i].type) return rows + i;
  }
  return NULL;
}

// the inside of the brackets: an object's name, an index, or either with the number of an element
static int readIndex(const mjModel* m, const Row* row, char* inside, SwpPlace* place) {
  char* const comma = strrchr(inside, ',');
  if (comma) *comma = 0;
  double number = 0;
  int first = 0, n = 1;
  const mjtObj type = viw_rowsOwner(row->rows);
  const int id = type == mjOBJ_UNKNOWN ? -1 : mj_name2id(m, type, inside);
  if (id >= 0) {
    viw_rowsOf(m, row->rows, id, &first, &n);
  } else if (cli_number(inside, &number) && number >= 0 && number == (int)number) {
    first = (int)number;
  } else {
    return type == mjOBJ_UNKNOWN ? cli_fail(CLI_USAGE, "%s[%s]: an index is needed", row->name, inside)
                                 : cli_unknownObject(m, type, inside);
  }
  place->first = first * row->columns;
  int count = n * row->columns;
  if (comma) {
    if (!cli_number(comma + 1, &number) || number < 0 || number >= count || number != (int)number) {
      return cli_fail(CLI_USAGE, "%s[%s,%s]: it has elements 0 to %d", row->name, inside, comma + 1, count - 1);
    }
    place->first += (int)number;
    count = 1;
  }
  if (count < 1 || place->first + count > place->count) {
    return cli_fail(CLI_USAGE, "%s[%s] is none of its %d elements", row->name, inside, place->count);
  }
  place->count = count;
  return CLI_OK;
}

int swp_findPlace(const mjModel* m, const char* text, SwpPlace* place) {
  char name[SWP_NAME];
  snprintf(name, sizeof(name), "%s", text);
  char* const open = strchr(name, '[');
  const size_t length = strlen(name);
  if (open) {
    if (name[length - 1] != ']') return cli_fail(CLI_USAGE, "'%s' lacks a bracket", text);
    name[length - 1] = 0;
    *open = 0;
  }
  const Row* const row = findRow(name);
  if (!row || !row->columns) return cli_fail(CLI_USAGE, "neither mjModel nor mjData has a field of numbers '%s'", name);
  *place = (SwpPlace){.inModel = row->inModel, .member = row->member, .offset = row->offset, .type = row->type};
  snprintf(place->field, sizeof(place->field), "%.63s", name);
  place->count = row->member ? (int)row->count : (int)*(const mjtSize*)((const char*)m + row->count) * row->columns;
  if (open) return readIndex(m, row, open + 1, place);
  return place->count ? CLI_OK : cli_fail(CLI_USAGE, "the model has no %s", name);
}

double swp_read(const SwpPlace* place, const void* owner, int element) {
  const char* const at = (const char*)owner + place->offset;
  const void* const values = place->member ? (const void*)at : *(const void* const*)at;
  const int i = place->first + element;
  switch (place->type) {
    case 'd':
      return ((const double*)values)[i];
    case 'f':
      return (double)((const float*)values)[i];
    case 'i':
      return ((const int*)values)[i];
    default:
      return ((const unsigned char*)values)[i];
  }
}
