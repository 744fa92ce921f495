// Fast bodies that must not pass through others: contacts of the near future.
//
// mjModel says which bodies in the numeric entry sinew:continuous:bodies, one number for each, 0 or 1.
#pragma once

#include <mujoco/mujoco.h>
#include <stdint.h>

#include "model/private.h"

#define COL_CONTINUOUS_ENTRY "sinew:continuous:bodies"
#define COL_REDUCE_ENTRY     "sinew:contacts:geoms"

// NULL, or what is wrong with the entries; text has room for 200 characters
const char* col_continuousCheck(const mjModel* m, char* text);

// section of the private block
typedef struct {
  uintptr_t buffer;  // of the mjModel whose entry was looked up
  mjtSize nnumeric;
  int entry;   // -1: no body
  int reduce;  // entry of reduce.h, -1: none
} ColContinuous;
size_t col_continuousSize(const mjModel* m);
void col_continuousInit(const mjModel* m, void* memory);

// adds to the contacts of mj_collision those of fast bodies within the coming step, and hardens those they have
void col_continuous(const mjModel* m, mjData* d);

// 1: a body of the model is fast
static inline int col_hasContinuous(const mjModel* m, const mjData* d) {
  ColContinuous* const s = mdl_section(d, MDL_CONTINUOUS);
  if (s->buffer != (uintptr_t)m->buffer || s->nnumeric != m->nnumeric) col_continuousInit(m, s);
  return s->entry >= 0;
}
