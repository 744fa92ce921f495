// Which resources were looked for while something was loaded, and what they held.
#pragma once

#include <mujoco/mujoco.h>

#include "base/hash.h"

// one call of mju_openResource
typedef struct {
  char *directory, *name;      // its arguments
  int found;                   // 0: there was nothing
  BasHash hash;                // of the bytes that were read
  const mjResource* resource;  // tells which one is read; not to be used otherwise
} BasRead;

// A list of them. All zero is the empty list.
typedef struct BasReads {
  BasRead* at;
  int n, room;
  int failed;  // 1: there was no memory, and the list is not complete
  struct BasReads* next;
} BasReads;

// From here on every opening and reading in the process is noted, those of other threads too: several lists may be kept
// at once, each has what its own work read and perhaps more.
void bas_startReads(BasReads* reads);

// The list stays as it is.
void bas_stopReads(BasReads* reads);

void bas_freeReads(BasReads* reads);

// 1: somebody keeps a list, so that nothing may be taken from memory that stands in a file
int bas_readsWanted(void);

// called by mju_openResource (resource is NULL where nothing was found) and mju_readResource
void bas_noteOpen(const char* directory, const char* name, const mjResource* resource);
void bas_noteRead(const mjResource* resource, const void* bytes, int n);
