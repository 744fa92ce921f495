// Invariants of models that the compiler made, and of mjData's memory. See base/assert.h.
#pragma once

#include <mujoco/mujoco.h>

// a compiled model: index ranges, order of the tree, sparse patterns and their maps, sorted lists
void mdl_assertModel(const mjModel* m);

// the private block: sections one after the other, aligned, inside the block
void mdl_assertBlock(const mjData* d);

// the arena: contacts first, arrays of rows inside what is in use; so are those of islands where they are of the same
// step
void mdl_assertArena(const mjModel* m, const mjData* d, int islands);
