// The arrays of mjModel and mjData as data: one row per array, made from the public X-macro tables. Allocation,
// copying, saving, loading, checking, comparing and printing are loops over these rows.
#pragma once

#include <mujoco/mujoco.h>
#include <stddef.h>
#include <stdint.h>

#include "base/assert.h"

// element types of the arrays
typedef enum { MDL_BYTE, MDL_CHAR, MDL_INT, MDL_SIZE, MDL_FLOAT, MDL_NUM, MDL_WORD, MDL_CONTACT } MdlType;

// one array; every "where" is a byte offset into the struct that holds it
typedef struct {
  const char* name;
  uint32_t pointer;  // where the array's address is kept in mjModel or mjData
  uint32_t rows;     // where the number of rows is kept; MDL_IN_DATA is set when that is an int of mjData
  uint32_t columns;  // a plain count, or a multiple of a size of mjModel: see mdl_columns
  uint16_t bytes;    // size of one element
  uint8_t type;      // MdlType
  uint8_t visual;    // 1: the visualizer needs it, 0: mjv_copyModel and mjv_copyData leave it out
} MdlField;

// one size of mjModel
typedef struct {
  const char* name;
  uint32_t offset;
} MdlSizeField;

// bit of MdlField.rows, above every offset
#define MDL_IN_DATA 0x80000000u
// a column count at or above this is multiple * (MDL_SCALED + offset of a size in mjModel); offsets stay far below
#define MDL_SCALED (1u << 20)

extern const MdlSizeField mdl_sizes[];    // sizes of mjModel in the order of the binary format
extern const MdlField mdl_modelFields[];  // arrays of mjModel
extern const MdlField mdl_dataFields[];   // arrays of mjData in its fixed buffer
extern const MdlField mdl_arenaFields[];  // arrays of mjData in its arena
extern const int mdl_nsizes, mdl_nmodelFields, mdl_ndataFields, mdl_narenaFields;

// value of the i-th size
static inline mjtSize mdl_size(const mjModel* m, int i) {
  return *(const mjtSize*)((const char*)m + mdl_sizes[i].offset);
}

// number of rows of an array; d may be NULL unless the array lives in the arena
static inline mjtSize mdl_rows(const MdlField* f, const mjModel* m, const mjData* d) {
  BAS_ASSERT(d || !(f->rows & MDL_IN_DATA));
  if (f->rows & MDL_IN_DATA) return *(const int*)((const char*)d + (f->rows & ~MDL_IN_DATA));
  return *(const mjtSize*)((const char*)m + f->rows);
}

// number of columns of an array
static inline mjtSize mdl_columns(const MdlField* f, const mjModel* m) {
  const uint32_t multiple = f->columns / MDL_SCALED;
  if (!multiple) return f->columns;
  return multiple * *(const mjtSize*)((const char*)m + f->columns % MDL_SCALED / multiple);
}

// number of bytes of an array
static inline size_t mdl_bytes(const MdlField* f, const mjModel* m, const mjData* d) {
  return (size_t)f->bytes * (size_t)mdl_rows(f, m, d) * (size_t)mdl_columns(f, m);
}

// address of an array; owner is the mjModel or mjData that holds it
static inline void** mdl_pointer(const MdlField* f, const void* owner) {
  return (void**)((char*)owner + f->pointer);
}

// size of one buffer that holds all arrays of a table, each on its own 64-byte boundary, or -1 with *culprit = the
// array that has a negative size or made it too large
mjtSize mdl_layoutSize(const MdlField* fields, int n, const mjModel* m, const char** culprit);

// points every array of owner (m itself or an mjData) into such a buffer
void mdl_layoutPlace(const MdlField* fields, int n, const mjModel* m, void* owner, void* buffer);
