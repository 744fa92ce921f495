// The names of a model's elements, by kind: a hash table that every change of a name goes through.
//
// A program may also write a name by itself, through the string that mjs_getName hands out, and attaching may give
// two elements the same name. The table then counts as loose: what it does not find is searched in the model.
#pragma once

#include "spec/element.h"

// gives an element a name ("": none) and keeps the table of its model right
void spc_rename(SpcElement* e, const char* name);
void spc_renameWith(SpcElement* e, const char* prefix, const char* name, const char* suffix);
// takes an element out of the table, before it is freed
void spc_namesRemove(SpcNames* names, const SpcElement* e);
// the element of that kind and name in the table, NULL: none
SpcElement* spc_namesFind(const SpcNames* names, SpcKindId kind, const char* name);
void spc_namesFree(SpcNames* names);
