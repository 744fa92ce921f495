// Random user interfaces for tests: tables of definitions with the variables they show, events that hit their items,
// and comparison of two interfaces that were treated alike by two libraries.
#pragma once

#include <mujoco/mujoco.h>

#include "support/catch.h"
#include "support/oracle.h"
#include "support/random.h"

#define ITF_ITEM 300  // items of all sections together

// what an item shows, whatever its kind
typedef struct {
  int i[mjMAXUIEDIT];
  mjtNum n[mjMAXUIEDIT];
  float f[mjMAXUIEDIT];
  mjtByte b;
  char text[mjMAXUINAME];
} ItfVariable;

// One interface with everything that it points at.
typedef struct {
  mjUI ui;
  mjuiState state;
  mjuiDef def[ITF_ITEM + mjMAXUISECT + 1];
  ItfVariable variable[ITF_ITEM];
} Itf;

// empty, with theme `spacing` and `color`, shown in rectangle 1 of a window; free it
Itf* itf_make(int spacing, int color);

// fills the table with `nsect` sections of up to `nitem` items each, all kinds, names of some; the same for the same
// random numbers
void itf_define(Itf* itf, Rnd* rnd, int nsect, int nitem);

// a random event in itf->state; half of them aim at an item
void itf_event(Itf* itf, Rnd* rnd);

// item's number among all of its interface, -1 for NULL
int itf_index(const Itf* itf, const mjuiItem* it);

// what differs, NULL: they are equal. Pointers into the interface count as equal when they point at the same part of
// it.
const char* itf_differ(const Itf* a, const Itf* b);

// sizes of a font as the reference makes them would not be known without OpenGL: these are like them
void itf_font(mjrContext* con, int fontscale);

// message of the error that the reference raises on a statement, NULL: none
#define CATCH_REFERENCE(statement)                                       \
  (__extension__({                                                       \
    void (** const handler)(const char*) = orc_symbol("mju_user_error"); \
    const char* volatile caught = NULL;                                  \
    *handler = catchError;                                               \
    if (setjmp(catchJump) == 0) {                                        \
      statement;                                                         \
    } else {                                                             \
      caught = catchMessage;                                             \
    }                                                                    \
    *handler = NULL;                                                     \
    caught;                                                              \
  }))
