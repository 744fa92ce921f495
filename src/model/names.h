// Names of objects: one table per kind of object, and the hash table that finds ids by name.
#pragma once

#include <mujoco/mujoco.h>

// entries of names_map per named object: open addressing needs spare room
#define MDL_NAME_SLOTS 2

// number of kinds of objects that have names, in the order of names_map
extern const int mdl_ntables;

// number of objects in the i-th table
mjtSize mdl_tableCount(const mjModel* m, int i);

// number of all objects that have names
mjtSize mdl_namedObjects(const mjModel* m);

// where the search for a name starts in a table of n slots
int mdl_hashName(const char* name, mjtSize slots);

// fills names_map from the names; for the compiler, after all names are in place
void mdl_hashNames(mjModel* m);
