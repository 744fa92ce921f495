// Memory of mjData beyond its public arrays: the private block's directory, and the size of the arena.
#include "model/private.h"

#include <string.h>

#include "base/memory.h"
#include "base/assert.h"

// sections start on cache lines
static size_t lineUp(size_t n) {
  return (n + 63) & ~(size_t)63;
}

//---------------------------------- private block -----------------------------------------------------------------

size_t mdl_blockSize(const size_t size[MDL_NSECTION]) {
  size_t bytes = lineUp(sizeof(MdlBlock));
  for (int i = 0; i < MDL_NSECTION; i++) bytes += lineUp(size[i]);
  return bytes;
}

void mdl_blockInit(MdlBlock* block, const size_t size[MDL_NSECTION]) {
  memset(block, 0, mdl_blockSize(size));
  block->bytes = lineUp(sizeof(MdlBlock));
  for (int i = 0; i < MDL_NSECTION; i++) {
    block->section[i] = size[i] ? block->bytes : 0;
    block->size[i] = size[i];
    block->bytes += lineUp(size[i]);
  }
  BAS_ASSERT(block->bytes == mdl_blockSize(size));
}

// the block mj_makeData placed behind the public arrays
static MdlBlock* inlineBlock(const mjData* d) {
  return (MdlBlock*)(mdl_tail(d) + 1);
}

int mdl_blockCopy(mjData* dest, const mjData* src) {
  const MdlBlock* const from = mdl_tail(src)->block;

  // data of another model with equal public size may carry another block
  if (mdl_tail(dest)->block->bytes != from->bytes) {
    MdlBlock* const block = bas_tryMalloc(from->bytes);
    if (!block) return 0;
    mdl_blockFree(dest);
    mdl_tail(dest)->block = block;
  }
  BAS_ASSERT(mdl_tail(dest)->block != from);
  memcpy(mdl_tail(dest)->block, from, from->bytes);
  BAS_ASSERT(mdl_tail(dest)->block->bytes == from->bytes);
  return 1;
}

void* mdl_sectionRenew(mjData* d, MdlSection which, size_t bytes) {
  const MdlBlock* const old = mdl_tail(d)->block;
  if (bytes > old->size[which]) {
    // another block, with the other sections as they are
    size_t size[MDL_NSECTION];
    memcpy(size, old->size, sizeof(size));
    size[which] = bytes;
    MdlBlock* const block = mju_malloc(mdl_blockSize(size));
    if (!block) return NULL;
    mdl_blockInit(block, size);
    for (int i = 0; i < MDL_NSECTION; i++) {
      if (i == (int)which || !size[i]) continue;
      memcpy((char*)block + block->section[i], (const char*)old + old->section[i], size[i]);
    }
    mdl_blockFree(d);
    mdl_tail(d)->block = block;
  }
  void* const section = mdl_section(d, which);
  if (section) memset(section, 0, mdl_tail(d)->block->size[which]);
  return section;
}

void mdl_blockFree(mjData* d) {
  if (mdl_tail(d)->block != inlineBlock(d)) mju_free(mdl_tail(d)->block);
}

//---------------------------------- arena -------------------------------------------------------------------------

// least and largest reservation: address space is free, yet a process may hold many thousand mjData
#define ARENA_LEAST   ((size_t)1 << 26)
#define ARENA_LARGEST ((size_t)1 << 30)

size_t mdl_arenaSize(const mjModel* m) {
  // every byte is really allocated through the user's allocator: take what the model asks for
  if (!bas_arenaReservable() && m->narena > 0) return (size_t)m->narena;

  // contacts if every geom and flex vertex touched a handful of others
  const double contacts = 16.0 * ((double)m->ngeom + (double)m->nflexvert + (double)m->nflexelem) + 64;

  // rows: up to ten per contact, and those of limits, friction and equalities
  const double rows = 10 * contacts + 2 * (double)m->nv + 2 * (double)m->ntendon + 6 * (double)m->neq;

  // a row holds at most nv Jacobian entries, twice where islands are used, and the solver's scratch is of the same
  // order
  const double bytes = contacts * sizeof(mjContact) + rows * (4 * 12.0 * (double)m->nv + 512);

  // what the model asks for is a lower bound, whatever its size
  size_t size = bytes > (double)ARENA_LARGEST ? ARENA_LARGEST : (size_t)bytes;
  if (size < ARENA_LEAST) size = ARENA_LEAST;
  if (m->narena > 0 && size < (size_t)m->narena) size = (size_t)m->narena;
  return (size + 4095) & ~(size_t)4095;
}
