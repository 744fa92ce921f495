// The functions of a generated list (scripts/walk_calls.py), each behind one type of call. FUNCTIONS is the file with
// the list.
#pragma once

#include <mujoco/mujoco.h>

#include "support/oracle.h"

typedef union {
  void* p;
  int i;
  double d;
  size_t z;
  mjrRect r;
} Argument;

#define GIVE_NUMBER(call) return (double)(call)
#define GIVE_NOTHING(call) \
  do {                     \
    call;                  \
    return 0;              \
  } while (0)
#define WALK(name, kinds, result, arguments)                    \
  static double call_##name(const void* f, const Argument* a) { \
    (void)a;                                                    \
    GIVE_##result(((__typeof__(&(name)))f)arguments);           \
  }
#include FUNCTIONS
#undef WALK

#define WALK(name, kinds, result, arguments) {#name, kinds, (const void*)name, call_##name},
static const struct {
  const char *name, *kinds;
  const void* ours;
  double (*call)(const void* f, const Argument* a);  // what a function returns, 0 where that is no number
} functions[] = {
#include FUNCTIONS
};
#undef WALK
enum { NFUNCTION = sizeof(functions) / sizeof(functions[0]) };

static int reference;  // 1: the functions called are the reference's
#define LIB(name) ((__typeof__(&(name)))(reference ? orc_symbol(#name) : (void*)(name)))
