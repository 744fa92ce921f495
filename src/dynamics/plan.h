// How the dofs hang together, found out once per mjData (section MDL_DYNAMICS) instead of at every step. It is made
// anew when mj_crb finds that M has another structure than it was made for.
//
// M falls into parts that have no entries in common:
//   a run    any number of consecutive dofs without ancestors and descendants: M is diagonal there
//   a tree   a dof without ancestors and all its descendants, which are numbered depth first
// A tree is cut into blocks of one to four dofs of which each is the parent of the next. The rows of a block follow
// each other in M, and entry p < depth of each of them belongs to the same ancestor: a pass handles them together.
#pragma once

#include <mujoco/mujoco.h>

#include "base/sanitize.h"
#include "model/private.h"
#include "sleep/sleep.h"
#include "base/assert.h"

// rows that a pass handles together
#define DYN_ROWS 4

// trees of up to so many dofs that have no branches are handled as one block
#define DYN_CHAIN 6

typedef struct {
  int first, n;       // dofs
  int block, nblock;  // blocks of a tree; none: a run
  int deepest;        // length of the longest row
  int chain;          // 1: each dof is the parent of the next, and there are at most DYN_CHAIN
} DynPart;

typedef struct {
  int first, n;  // dofs, n ≤ DYN_ROWS
  int depth;     // ancestors of the first one
} DynBlock;

// what the arrays of the section are made of; they follow this struct
typedef struct {
  const mjModel* model;  // with which the plan was compared as a whole last; NULL: none
  int npart, nv;
  size_t blocks, partof, work, links, diagonal, scratch;  // arrays, in bytes from the start of the section
  size_t nscratch;                                        // numbers of the last one
} DynPlan;

// brings the plan up to date with the structure of M
void dyn_checkPlan(const mjModel* m, mjData* d);

size_t dyn_sectionSize(const mjModel* m);
void dyn_sectionInit(const mjModel* m, void* memory);

// invariants of the plan against the model it was made for (base/assert.h)
void dyn_assertPlan(const mjModel* m, const mjData* d);

static inline const DynPlan* dyn_plan(const mjData* d) {
  const DynPlan* plan = mdl_section(d, MDL_DYNAMICS);
  BAS_ASSERT(plan);
  return plan;
}

static inline const DynPart* dyn_parts(const DynPlan* plan) {
  return (const DynPart*)(plan + 1);
}

static inline const DynBlock* dyn_blocks(const DynPlan* plan) {
  return (const DynBlock*)((const char*)plan + plan->blocks);
}

// place of every dof's row in the work space: rows of a tree one after the other, those of a block equally long, and a
// multiple of four numbers
static inline const int* dyn_workRows(const DynPlan* plan) {
  return (const int*)((const char*)plan + plan->work);
}

// work space for the padded rows of one tree; not for functions that must leave mjData alone
static inline mjtNum* dyn_scratch(const mjData* d) {
  const DynPlan* plan = dyn_plan(d);
  return (mjtNum*)((char*)plan + plan->scratch);
}

// a number per dof; likewise
static inline mjtNum* dyn_diagonal(const mjData* d) {
  const DynPlan* plan = dyn_plan(d);
  return (mjtNum*)((char*)plan + plan->diagonal);
}

// The parts of a range of dofs in order. Trees are in the range as a whole or not at all, runs dof by dof.
typedef struct {
  const DynPlan* plan;
  SlpRange dofs;
  int next, end;  // of the list, or of the parts when there is none
  int whole;      // the range is all dofs
  DynPart dof;    // one dof of a run, or what the range has of it
} DynWalk;

static inline const int* dyn_partOf(const DynPlan* plan) {
  return (const int*)((const char*)plan + plan->partof);
}

static inline DynWalk dyn_walk(const DynPlan* plan, SlpRange dofs) {
  DynWalk walk;
  walk.plan = plan;
  walk.dofs = dofs;
  walk.next = 0;
  walk.end = dofs.list ? dofs.n : plan->npart;
  walk.whole = !dofs.first && dofs.n == plan->nv;
  if (!dofs.list && !walk.whole) {
    const int empty = dofs.first >= dofs.n;
    walk.next = empty ? 0 : dyn_partOf(plan)[dofs.first];
    walk.end = empty ? 0 : dyn_partOf(plan)[dofs.n - 1] + 1;
  }
  return walk;
}

// what the range has of a part: of a run, which goes on in the ranges before and after, maybe not all
static inline const DynPart* dyn_cutPart(DynWalk* walk, const DynPart* part) {
  const int begin = walk->dofs.first, end = walk->dofs.n;
  if (part->first >= begin && part->first + part->n <= end) return part;
  BAS_ASSERT(!part->nblock);
  walk->dof = *part;
  if (walk->dof.first < begin) walk->dof.first = begin;
  walk->dof.n = (part->first + part->n < end ? part->first + part->n : end) - walk->dof.first;
  return &walk->dof;
}

// the next part, NULL at the end
static inline const DynPart* dyn_nextPart(DynWalk* walk) {
  BAS_ASSERT(walk->plan && walk->next >= 0);
  if (walk->next >= walk->end) return NULL;
  if (!walk->dofs.list) {
    const DynPart* part = dyn_parts(walk->plan) + walk->next++;
    return walk->whole ? part : dyn_cutPart(walk, part);
  }
  const int dof = walk->dofs.list[walk->next];
  const DynPart* part = dyn_parts(walk->plan) + dyn_partOf(walk->plan)[dof];
  BAS_ASSERT(dof >= part->first && dof < part->first + part->n);
  BAS_ASSERT(!part->nblock || dof == part->first);
  if (!part->nblock) {
    walk->dof = (DynPart){.first = dof, .n = 1, .deepest = 1};
    part = &walk->dof;
  }
  walk->next += part->n;
  return part;
}

// ---------------------------------------------------------------- kernels

// calls KERNEL(…, number of rows), with the number known to the compiler
#define DYN_BY_ROWS(KERNEL, nrow, ...) \
  do {                                 \
    if ((nrow) == 4) {                 \
      KERNEL(__VA_ARGS__, 4);          \
    } else if ((nrow) == 3) {          \
      KERNEL(__VA_ARGS__, 3);          \
    } else if ((nrow) == 2) {          \
      KERNEL(__VA_ARGS__, 2);          \
    } else {                           \
      KERNEL(__VA_ARGS__, 1);          \
    }                                  \
  } while (0)

// the same for trees that are chains
#define DYN_BY_LENGTH(KERNEL, nrow, ...)        \
  do {                                          \
    if ((nrow) == 6) {                          \
      KERNEL(__VA_ARGS__, 6);                   \
    } else if ((nrow) == 5) {                   \
      KERNEL(__VA_ARGS__, 5);                   \
    } else {                                    \
      DYN_BY_ROWS(KERNEL, (nrow), __VA_ARGS__); \
    }                                           \
  } while (0)

// Loops over the rows of a block are written out, so that what they compute stays in registers. Not under clang's
// sanitizers: with a check at every access that takes the compiler minutes.
#if defined(__clang__) && BAS_ASAN
#define DYN_UNROLL
#elif defined(__clang__)
#define DYN_UNROLL _Pragma("unroll")
#else
#define DYN_UNROLL _Pragma("GCC unroll 6")
#endif
