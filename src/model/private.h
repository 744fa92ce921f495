// The private block of mjData: memory that stages of the engine keep per mjData for speed. It lives behind the public
// arrays, so that mjData keeps its public layout. Its content may change speed, never results.
//
// A stage that wants a section provides
//   size_t xxx_sectionSize(const mjModel* m);            bytes it needs, 0 for none
//   void   xxx_sectionInit(const mjModel* m, void* mem); mem is 64-byte aligned and zeroed
// and adds the pair to the table in step/sections.c. Users edit a model between steps and may step mjData with another
// model of the same sizes, so a section relies on sizes only. What it derives from indices, types or numbers of the
// model it keeps together with what it was derived from, compares that before every use and makes it anew where it
// differs. mj_copyData copies sections byte by byte: they hold offsets, never addresses.
#pragma once

#include <mujoco/mujoco.h>
#include <stddef.h>
#include <stdint.h>

#include "base/assert.h"

typedef enum {
  MDL_SLEEP,
  MDL_KINEMATICS,
  MDL_DYNAMICS,
  MDL_COLLISION,
  MDL_HOOKS,
  MDL_PHYSICS,
  MDL_ANCHORS,
  MDL_EXACT,
  MDL_CONTINUOUS,
  MDL_NSECTION
} MdlSection;

// start of the block: where each section is, relative to the block; 0 for a section of no bytes
typedef struct {
  size_t bytes;                  // size of the whole block
  size_t section[MDL_NSECTION];  // offset of each section
  size_t size[MDL_NSECTION];     // bytes asked for by each section
} MdlBlock;

// what follows the public arrays in d->buffer, on the next 64-byte boundary
typedef struct {
  MdlBlock* block;  // behind this struct, or an allocation of its own after copying from a differently sized block
  mjtSize touched;  // largest use of the arena before the statistics were last cleared
  char pad[64 - sizeof(MdlBlock*) - sizeof(mjtSize)];
} MdlTail;

// the bookkeeping behind the public arrays
static inline MdlTail* mdl_tail(const mjData* d) {
  return (MdlTail*)((char*)d->buffer + (((size_t)d->nbuffer + 63) & ~(size_t)63));
}

// to be called before the statistics of d's memory are overwritten
static inline void mdl_rememberUse(mjData* d) {
  MdlTail* const tail = mdl_tail(d);
  if (d->maxuse_arena > tail->touched) tail->touched = d->maxuse_arena;
}

// memory of one stage; NULL when that stage asked for none
static inline void* mdl_section(const mjData* d, MdlSection which) {
  MdlBlock* const block = mdl_tail(d)->block;
  BAS_ASSERT(which >= 0 && which < MDL_NSECTION);
  BAS_ASSERT(block->section[which] % 64 == 0 && block->section[which] < block->bytes);
  return block->section[which] ? (char*)block + block->section[which] : NULL;
}

// bytes of a block with the given section sizes
size_t mdl_blockSize(const size_t size[MDL_NSECTION]);

// writes the block's directory; the sections are zeroed
void mdl_blockInit(MdlBlock* block, const size_t size[MDL_NSECTION]);

// makes dest's block a byte-wise copy of src's; returns 0 when memory for it is missing
int mdl_blockCopy(mjData* dest, const mjData* src);

// makes a section anew with room for so many bytes: zeroed memory, which moves the whole block where the old one is too
// small. NULL when memory for it is missing.
void* mdl_sectionRenew(mjData* d, MdlSection which, size_t bytes);

// frees a block that has an allocation of its own
void mdl_blockFree(mjData* d);

// bytes of arena that mj_makeData takes for this model
size_t mdl_arenaSize(const mjModel* m);
