// Elements by kind and name, for work that asks for many of them: a hash table that is right as long as the names in it
// do not change.
#pragma once

#include "spec/element.h"

typedef struct {
  SpcElement** slot;
  size_t room, used;  // room: a power of two, 0 when empty
} SpcNames;

// the element that was added under this name, NULL: none
SpcElement* spc_namesFind(const SpcNames* names, SpcKindId kind, const char* name);
// adds a named element; the first of two with the same name stays
void spc_namesAdd(SpcNames* names, SpcElement* e);
// adds everything in a model's tree
void spc_namesAddTree(SpcNames* names, const SpcModel* model);
void spc_namesFree(SpcNames* names);
