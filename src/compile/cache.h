// Compiled models kept in a folder (sn_cacheModels), found by the content of every file that was read for them.
#pragma once

#include <mujoco/mujoco.h>

#include "base/hash.h"
#include "base/reads.h"

// 1: a folder was chosen
int cmp_cacheOn(void);

// The model that filename gives, NULL: not kept, or one of its files has changed. message gets the warning that loading
// gave, if any.
mjModel* cmp_cacheFind(const char* filename, char* message, int size);

// Keeps a model, with what was read for it. Models with plugins are not kept, since their code may change; where the
// disk is full nothing is.
void cmp_cacheKeep(const char* filename, const BasReads* reads, const mjModel* m, const char* message);

// A file of the folder that holds bytes under a hash; the ending says what they are. Found: the bytes, to be freed;
// NULL: there is none, or it is damaged. What is kept is seen by other processes whole or not at all.
void* cmp_cacheFindBytes(BasHash hash, const char* ending, size_t* size);
void cmp_cacheKeepBytes(BasHash hash, const char* ending, const void* bytes, size_t size);
