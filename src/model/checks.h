// Between the table of rules (check.c) and the checks that are no rows of a table (checks.c, checks_object.c).
#pragma once

#include <mujoco/mujoco.h>

// a model under inspection and where the first fault is described
typedef struct {
  const mjModel* m;
  char* error;
  int error_sz;
} MdlCheck;

// describe a fault; both return 0
int mdl_fail(MdlCheck* c, const char* array, mjtSize element, mjtSize value, const char* expected);
int mdl_failRange(MdlCheck* c, const char* array, mjtSize element, mjtSize value, const mjtSize range[2]);

// checks to run after the table, ended by NULL; 1: nothing wrong
extern int (*const mdl_checks[])(MdlCheck*);

// checks of objects whose meaning depends on a type (checks_object.c)
int mdl_checkGeoms(MdlCheck* c);
int mdl_checkPairs(MdlCheck* c);
int mdl_checkEqualities(MdlCheck* c);
int mdl_checkWraps(MdlCheck* c);
int mdl_checkActuators(MdlCheck* c);
int mdl_checkSensors(MdlCheck* c);
int mdl_checkTuples(MdlCheck* c);
int mdl_checkPlugins(MdlCheck* c);
int mdl_checkTotals(MdlCheck* c);
