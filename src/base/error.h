// Errors beyond the public mju_error family: formatting from a va_list, and the capture that lets a worker
// thread hand its error to the thread that waits for it.
#pragma once

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>

// bytes of a formatted message, terminator included; longer ones are cut, as in the reference
#define BAS_MESSAGE 1024

typedef void (*BasHandler)(const char* message);

// Handlers of the calling thread; they come before the process-wide mju_user_error and mju_user_warning.
// Language bindings import these four by name.
MJAPI BasHandler _mjPRIVATE__get_tls_error_fn(void);
MJAPI void _mjPRIVATE__set_tls_error_fn(BasHandler handler);
MJAPI BasHandler _mjPRIVATE__get_tls_warning_fn(void);
MJAPI void _mjPRIVATE__set_tls_warning_fn(BasHandler handler);

// raise a message that is already formatted
MJAPI void mju_error_raw(const char* message);

// raise with the arguments of a caller that is variadic itself
MJAPI void mju_error_v(const char* format, va_list args);

// Raises that there is no memory for something. Callers cannot go on without it, so the process ends if a handler
// returns.
_Noreturn void bas_outOfMemory(const char* what);

// Runs work(arg) with errors of this thread caught; 1: it came to its end, 0: it raised message. What work left
// unfinished is the caller's to free.
int bas_attempt(void (*work)(void* arg), void* arg, char message[BAS_MESSAGE]);

// Where an error of this thread goes instead of the handlers: the message is stored and control jumps back.
// Used by pool workers, which must never run a handler that belongs to another thread.
typedef struct {
  jmp_buf back;
  char message[BAS_MESSAGE];
} BasCapture;

// install a capture for the calling thread (NULL removes it) and return the one it replaces
BasCapture* bas_setCapture(BasCapture* capture);

// Where errors of this thread go while it runs foreign code that must not be left by a jump, such as the
// constructors of a library inside dlopen: the first message is kept, and mju_error returns to its caller.
typedef struct {
  int raised;
  char message[BAS_MESSAGE];
} BasDeferral;

// install a deferral for the calling thread (NULL removes it) and return the one it replaces
BasDeferral* bas_setDeferral(BasDeferral* deferral);
