// The reference library as an oracle for differential tests. It is optional: a test asks
// orc_available() and falls back on golden data (or skips the live comparison) without it.
#pragma once

#include <mujoco/mujoco.h>

// 1: the reference library was found through $SINEW_ORACLE or below build/oracle. Without it each place that asks
// prints one line, which `make test` counts.
#define orc_available() orc_availableAt(__FILE__, __LINE__)
int orc_availableAt(const char* file, int line);

// the same, without a line
int orc_isThere(void);

// address of a reference function or variable; aborts the test when it is missing
void* orc_symbol(const char* name);

// address of the reference's function or variable or, without it, of ours: what that computes is compared with the bits
// of a run in which the reference agreed (bits.h), wherever orc_compile, orc_mirror or orc_result gets it. A test that
// asks for nothing else need not ask whether the reference is there.
void* orc_orOurs(const char* name, const void* ours);

// ORC(mju_dot)(a, b, n) calls the reference's mju_dot with our declaration
#define ORC(name) ((__typeof__(&(name)))orc_orOurs(#name, (const void*)&(name)))

// model compiled by the reference (or what takes its place) from an MJCF string; prints the error and aborts when it
// does not compile. Free with ORC(mj_deleteModel).
mjModel* orc_compile(const char* xml);

// copies everything the reference's mjData holds (state, results, contacts and constraint rows) into ours, so
// that one stage can be run and compared alone. d must come from our mj_makeData(m).
void orc_mirror(const mjModel* m, mjData* d, const mjData* reference);

// a number of random trials: all of them with the reference, fewer where bits are compared
int orc_trials(int n);

// numbers that the reference computed, or what takes its place
void orc_result(const mjtNum* numbers, size_t n);
void orc_bytes(const void* bytes, size_t n);

// cmocka's asserts, where one of the two is the reference's or takes its place
#define orc_sameInt(a, b)       \
  do {                          \
    const long long b_ = (b);   \
    orc_bytes(&b_, sizeof(b_)); \
    assert_int_equal((a), b_);  \
  } while (0)
#define orc_sameBytes(a, b, n)    \
  do {                            \
    orc_bytes((b), (n));          \
    assert_memory_equal(a, b, n); \
  } while (0)
#define orc_sameText(a, b)     \
  do {                         \
    orc_bytes((b), strlen(b)); \
    assert_string_equal(a, b); \
  } while (0)
