// Errors and warnings: formatting, the chain of handlers and the log file.
// An error goes to the first that exists of: a deferral, the capture of a pool worker, the thread's own handler, the
// process-wide handler, the default (log, print, exit). A warning knows only the handlers, and the default without
// exit.
#include "base/error.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

void (*mju_user_error)(const char*) = NULL;
void (*mju_user_warning)(const char*) = NULL;

static _Thread_local BasHandler threadError = NULL;
static _Thread_local BasHandler threadWarning = NULL;
static _Thread_local BasCapture* threadCapture = NULL;
static _Thread_local BasDeferral* threadDeferral = NULL;

BasHandler _mjPRIVATE__get_tls_error_fn(void) {
  return threadError;
}
void _mjPRIVATE__set_tls_error_fn(BasHandler handler) {
  threadError = handler;
}
BasHandler _mjPRIVATE__get_tls_warning_fn(void) {
  return threadWarning;
}
void _mjPRIVATE__set_tls_warning_fn(BasHandler handler) {
  threadWarning = handler;
}

BasCapture* bas_setCapture(BasCapture* capture) {
  BasCapture* const previous = threadCapture;
  threadCapture = capture;
  return previous;
}

BasDeferral* bas_setDeferral(BasDeferral* deferral) {
  BasDeferral* const previous = threadDeferral;
  threadDeferral = deferral;
  return previous;
}

void mju_clearHandlers(void) {
  mju_user_error = NULL;
  mju_user_warning = NULL;
  mju_user_malloc = NULL;
  mju_user_free = NULL;
}

void mju_writeLog(const char* type, const char* msg) {
  // a log that cannot be opened is not worth a second error
  FILE* const file = fopen("MUJOCO_LOG.TXT", "a+");
  if (!file) return;

  // asctime's text ends with a newline, so the entry has its date on a line of its own
  const time_t now = time(NULL);
  struct tm local;
  char date[64] = "\n";
  if (localtime_r(&now, &local)) asctime_r(&local, date);
  fprintf(file, "%s%s: %s\n\n", date, type, msg);
  fclose(file);
}

// Log file and standard output, the fate of messages nobody handles. Names of models are part of them, so that control
// characters, also those above ASCII (C2 80 to C2 9F in UTF-8), are shown as question marks.
static void report(const char* type, const char* message) {
  char text[BAS_MESSAGE];
  snprintf(text, sizeof(text), "%s", message);
  for (char* c = text; *c; c++) {
    const unsigned char byte = (unsigned char)c[0], next = (unsigned char)c[1];
    if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f) *c = '?';
    if (byte == 0xc2 && next >= 0x80 && next < 0xa0) c[0] = c[1] = '?';
  }
  mju_writeLog(type, text);
  printf("%s: %s\n\n", type, text);
}

void mju_error_raw(const char* message) {
  // what comes after the first message is usually its consequence
  if (threadDeferral) {
    if (!threadDeferral->raised) snprintf(threadDeferral->message, sizeof(threadDeferral->message), "%s", message);
    threadDeferral->raised = 1;
    return;
  }

  // a worker hands the message to the thread that joins its task
  if (threadCapture) {
    snprintf(threadCapture->message, sizeof(threadCapture->message), "%s", message);
    longjmp(threadCapture->back, 1);
  }

  // handlers may return or jump
  if (threadError) {
    threadError(message);
    return;
  }
  if (mju_user_error) {
    mju_user_error(message);
    return;
  }
  report("ERROR", message);
  exit(EXIT_FAILURE);
}

void bas_outOfMemory(const char* what) {
  mju_error("out of memory: %s", what);
  report("ERROR", "out of memory, and the error handler returned");
  exit(EXIT_FAILURE);
}

int bas_attempt(void (*work)(void* arg), void* arg, char message[BAS_MESSAGE]) {
  BasCapture capture;
  BasCapture* const outer = bas_setCapture(&capture);
  BasDeferral* const deferral = bas_setDeferral(NULL);
  volatile int good = 1;
  if (!setjmp(capture.back)) {
    work(arg);
  } else {
    snprintf(message, BAS_MESSAGE, "%s", capture.message);
    good = 0;
  }
  bas_setCapture(outer);
  bas_setDeferral(deferral);
  return good;
}

// vsnprintf whose format comes from a parameter
__attribute__((format(printf, 2, 0))) static void format(char text[BAS_MESSAGE], const char* msg, va_list args) {
  if (vsnprintf(text, BAS_MESSAGE, msg, args) < 0) snprintf(text, BAS_MESSAGE, "(message could not be formatted)");
}

__attribute__((format(printf, 1, 0))) void mju_error_v(const char* msg, va_list args) {
  char text[BAS_MESSAGE];
  format(text, msg, args);
  mju_error_raw(text);
}

void mju_error(const char* msg, ...) {
  // formatted here and not in mju_error_v: va_end must run before a handler jumps
  char text[BAS_MESSAGE];
  va_list args;
  va_start(args, msg);
  format(text, msg, args);
  va_end(args);
  mju_error_raw(text);
}

void mju_warning(const char* msg, ...) {
  char text[BAS_MESSAGE];
  va_list args;
  va_start(args, msg);
  format(text, msg, args);
  va_end(args);

  if (threadWarning) {
    threadWarning(text);
  } else if (mju_user_warning) {
    mju_user_warning(text);
  } else {
    report("WARNING", text);
  }
}

// The four below take their format from the caller at run time; that is their purpose.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"

void mju_error_i(const char* msg, int i) {
  mju_error(msg, i);
}
void mju_error_s(const char* msg, const char* text) {
  mju_error(msg, text);
}
void mju_warning_i(const char* msg, int i) {
  mju_warning(msg, i);
}
void mju_warning_s(const char* msg, const char* text) {
  mju_warning(msg, text);
}

#pragma GCC diagnostic pop
