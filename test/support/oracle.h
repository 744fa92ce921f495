// The reference library as an oracle for differential tests. It is optional: a test asks
// orc_available() and falls back on golden data (or skips the live comparison) without it.
#pragma once

#include <mujoco/mujoco.h>

// 1: the reference library was found through $SINEW_ORACLE or below build/oracle. Without it each place that asks
// prints one line, which `make test` counts.
#define orc_available() orc_availableAt(__FILE__, __LINE__)
int orc_availableAt(const char* file, int line);

// address of a reference function or variable; aborts the test when it is missing
void* orc_symbol(const char* name);

// ORC(mju_dot)(a, b, n) calls the reference's mju_dot with our declaration
#define ORC(name) ((__typeof__(&(name)))orc_symbol(#name))

// model compiled by the reference from an MJCF string; prints the error and aborts when it does not compile.
// Free with ORC(mj_deleteModel).
mjModel* orc_compile(const char* xml);

// copies everything the reference's mjData holds (state, results, contacts and constraint rows) into ours, so
// that one stage can be run and compared alone. d must come from our mj_makeData(m).
void orc_mirror(const mjModel* m, mjData* d, const mjData* reference);
