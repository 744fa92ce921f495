// Catching mju_error and counting mju_warning in tests. CATCH runs a statement and returns the message of the
// error it raised, NULL when it raised none:
//     assert_string_equal(CATCH(mju_error("x")), "x");
#pragma once

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdio.h>

static _Thread_local jmp_buf catchJump;
static char catchMessage[1024];
static char catchWarning[1024];
static int catchNwarning;

__attribute__((unused)) static void catchError(const char* message) {
  snprintf(catchMessage, sizeof(catchMessage), "%s", message);
  longjmp(catchJump, 1);
}

// install as mju_user_warning: the last warning is in catchWarning, their number in catchNwarning
__attribute__((unused)) static void catchCount(const char* message) {
  snprintf(catchWarning, sizeof(catchWarning), "%s", message);
  catchNwarning++;
}

#define CATCH(statement)                                  \
  (__extension__({                                        \
    void (*const catchOld)(const char*) = mju_user_error; \
    const char* volatile catchResult = NULL;              \
    mju_user_error = catchError;                          \
    if (setjmp(catchJump) == 0) {                         \
      statement;                                          \
    } else {                                              \
      catchResult = catchMessage;                         \
    }                                                     \
    mju_user_error = catchOld;                            \
    catchResult;                                          \
  }))
