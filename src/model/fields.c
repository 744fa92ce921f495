// Rows of the field tables, and the layout of a buffer that holds all arrays of one table.
//
// The public tables write a column count as an expression: 3, MJ_M(nv) or MJ_M(nmocap)*3. With MJ_M(n) standing for
// MDL_SCALED + offset of n, that expression is a constant from which both factor and offset can be read back.
#include "model/fields.h"

#include <mujoco/mjxmacro.h>

// element type of an array, from a value of that type
#define TYPE_OF(type)            \
  _Generic((type){0}, mjtByte    \
           : MDL_BYTE, char      \
           : MDL_CHAR, int       \
           : MDL_INT, mjtSize    \
           : MDL_SIZE, float     \
           : MDL_FLOAT, mjtNum   \
           : MDL_NUM, uintptr_t  \
           : MDL_WORD, mjContact \
           : MDL_CONTACT)

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

const MdlSizeField mdl_sizes[] = {
#define X(name) {#name, offsetof(mjModel, name)},
    MJMODEL_SIZES
#undef X
};
const int mdl_nsizes = COUNT(mdl_sizes);

#undef MJ_M
#undef MJ_D
#undef XNV
#define MJ_M(n) (MDL_SCALED + (uint32_t)offsetof(mjModel, n))

const MdlField mdl_modelFields[] = {
#define ROW(type, name, nr, nc, visual) \
  {#name, offsetof(mjModel, name), offsetof(mjModel, nr), nc, sizeof(type), TYPE_OF(type), visual},
#define X(type, name, nr, nc)   ROW(type, name, nr, nc, 1)
#define XNV(type, name, nr, nc) ROW(type, name, nr, nc, 0)
    MJMODEL_POINTERS
#undef ROW
};
const int mdl_nmodelFields = COUNT(mdl_modelFields);

const MdlField mdl_dataFields[] = {
#define ROW(type, name, nr, nc, visual) \
  {#name, offsetof(mjData, name), offsetof(mjModel, nr), nc, sizeof(type), TYPE_OF(type), visual},
    MJDATA_POINTERS
#undef ROW
};
const int mdl_ndataFields = COUNT(mdl_dataFields);

// rows of the arena's arrays are counted in either struct
#undef MJ_M
#define MJ_M(n) (uint32_t) offsetof(mjModel, n)
#define MJ_D(n) ((uint32_t)offsetof(mjData, n) | MDL_IN_DATA)

const MdlField mdl_arenaFields[] = {
#define ROW(type, name, nr, nc, visual) {#name, offsetof(mjData, name), nr, nc, sizeof(type), TYPE_OF(type), visual},
    MJDATA_ARENA_POINTERS
#undef ROW
};
const int mdl_narenaFields = COUNT(mdl_arenaFields);

// the encoding of columns holds three times any offset
_Static_assert(3 * sizeof(mjModel) < MDL_SCALED, "offsets of mjModel must fit below MDL_SCALED");

// next boundary at which an array may start
static mjtSize lineUp(mjtSize offset) {
  return (offset + 63) & ~(mjtSize)63;
}

mjtSize mdl_layoutSize(const MdlField* fields, int n, const mjModel* m, const char** culprit) {
  mjtSize end = 0;
  for (int i = 0; i < n; i++) {
    // sizes come from files too: no product or sum may leave the range
    const MdlField* f = fields + i;
    mjtSize bytes;
    const mjtSize rows = mdl_rows(f, m, NULL), columns = mdl_columns(f, m);
    if (rows < 0 || columns < 0 || __builtin_mul_overflow(rows, columns, &bytes) ||
        __builtin_mul_overflow(bytes, (mjtSize)f->bytes, &bytes) || __builtin_add_overflow(lineUp(end), bytes, &end) ||
        end > PTRDIFF_MAX - 64) {
      *culprit = f->name;
      return -1;
    }
  }
  return end;
}

void mdl_layoutPlace(const MdlField* fields, int n, const mjModel* m, void* owner, void* buffer) {
  mjtSize end = 0;
  for (int i = 0; i < n; i++) {
    const mjtSize start = lineUp(end);
    *mdl_pointer(fields + i, owner) = (char*)buffer + start;
    end = start + (mjtSize)mdl_bytes(fields + i, m, NULL);
  }
}
