// Errors, warnings and memory: handler order, formatting, log file, exit, hooks; compared with the reference.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/memory.h"
#include "support/catch.h"
#include "support/oracle.h"

static char seen[1024];
static void remember(const char* message) {
  snprintf(seen, sizeof(seen), "%s", message);
}
static void forget(const char* message) {
  (void)message;
}

static void handlers_are_tried_in_order(void** state) {
  (void)state;
  mju_user_error = forget;
  mju_user_warning = forget;
  _mjPRIVATE__set_tls_error_fn(remember);
  _mjPRIVATE__set_tls_warning_fn(remember);
  assert_ptr_equal(_mjPRIVATE__get_tls_error_fn(), remember);
  assert_ptr_equal(_mjPRIVATE__get_tls_warning_fn(), remember);

  // the thread's handler comes first
  mju_error("a %d %s", 3, "b");
  assert_string_equal(seen, "a 3 b");
  mju_warning("c %g", 1.5);
  assert_string_equal(seen, "c 1.5");

  // then the process-wide one
  _mjPRIVATE__set_tls_error_fn(NULL);
  _mjPRIVATE__set_tls_warning_fn(NULL);
  mju_error("lost");
  mju_warning("lost");
  assert_string_equal(seen, "c 1.5");
  mju_user_error = remember;
  mju_user_warning = remember;
  mju_error_i("i %d", -4);
  assert_string_equal(seen, "i -4");
  mju_error_s("s %s", "x");
  assert_string_equal(seen, "s x");
  mju_warning_i("wi %d", 5);
  assert_string_equal(seen, "wi 5");
  mju_warning_s("ws %s", "y");
  assert_string_equal(seen, "ws y");
  mju_error_raw("100%");
  assert_string_equal(seen, "100%");

  mju_clearHandlers();
  assert_true(!mju_user_error && !mju_user_warning && !mju_user_malloc && !mju_user_free);
}

static void long_messages_are_cut(void** state) {
  (void)state;
  char text[3000];
  memset(text, 'x', sizeof(text) - 1);
  text[sizeof(text) - 1] = 0;
  assert_int_equal(strlen(CATCH(mju_error("%s", text))), 1023);
}

static void capture_takes_precedence(void** state) {
  (void)state;
  mju_user_error = remember;
  seen[0] = 0;
  static BasCapture capture;
  assert_null(bas_setCapture(&capture));
  volatile int back = 0;
  if (setjmp(capture.back) == 0) {
    mju_error("inside %d", 1);
  } else {
    back = 1;
  }
  assert_ptr_equal(bas_setCapture(NULL), &capture);
  assert_int_equal(back, 1);
  assert_string_equal(capture.message, "inside 1");
  assert_string_equal(seen, "");
  mju_clearHandlers();
}

// what a library does with unhandled messages: exit status, standard output and log, from a child process
typedef struct {
  int status;
  char output[512];
  char log[512];
} Fate;

static void readAll(const char* path, char* text, size_t size) {
  FILE* const file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, size - 1, file)] = 0;
  fclose(file);
}

static Fate fateOf(void (*warning)(const char*, ...), void (*error)(const char*, ...)) {
  Fate fate = {0};
  char home[1024], dir[] = "/tmp/sinew-error-XXXXXX";
  assert_non_null(mkdtemp(dir));
  assert_non_null(getcwd(home, sizeof(home)));
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    if (chdir(dir) || !freopen("out.txt", "w", stdout)) _exit(99);
    warning("first %d", 1);
    error("second %s", "two");
    _exit(98);
  }
  assert_int_equal(waitpid(child, &fate.status, 0), child);
  assert_int_equal(chdir(dir), 0);
  readAll("out.txt", fate.output, sizeof(fate.output));
  readAll("MUJOCO_LOG.TXT", fate.log, sizeof(fate.log));
  unlink("out.txt");
  unlink("MUJOCO_LOG.TXT");
  assert_int_equal(chdir(home), 0);
  rmdir(dir);
  return fate;
}

// date lines differ between two runs; the log without them
static void dropDates(char* log) {
  char* out = log;
  for (char* line = log; *line;) {
    char* const end = strchr(line, '\n') ? strchr(line, '\n') + 1 : line + strlen(line);
    const int date = end - line == 25 && line[13] == ':' && line[16] == ':';
    if (!date) {
      memmove(out, line, (size_t)(end - line));
      out += end - line;
    }
    line = end;
  }
  *out = 0;
}

static void unhandled_errors_are_logged_and_exit(void** state) {
  (void)state;
  Fate ours = fateOf(mju_warning, mju_error);
  assert_true(WIFEXITED(ours.status));
  assert_int_equal(WEXITSTATUS(ours.status), EXIT_FAILURE);
  assert_string_equal(ours.output, "WARNING: first 1\n\nERROR: second two\n\n");
  dropDates(ours.log);
  assert_string_equal(ours.log, "WARNING: first 1\n\nERROR: second two\n\n");

  if (!orc_available()) return;
  Fate theirs = fateOf(ORC(mju_warning), ORC(mju_error));
  dropDates(theirs.log);
  assert_int_equal(ours.status, theirs.status);
  assert_string_equal(ours.output, theirs.output);
  assert_string_equal(ours.log, theirs.log);
}

// what is printed goes to terminals: names of models must not command them
static void warnHostile(const char* format, ...) {
  (void)format;
  mju_warning("body '%s'\t'%s'\nend", "\033[2J\177", "\xc2\x9bm \xc3\xa9");
}
static void unhandled_messages_are_printable(void** state) {
  (void)state;
  const Fate fate = fateOf(warnHostile, mju_error);
  assert_non_null(strstr(fate.output,
                         "WARNING: body '?[2J?'\t'?"
                         "?m \xc3\xa9'\nend\n\n"));
  assert_non_null(strstr(fate.log,
                         "WARNING: body '?[2J?'\t'?"
                         "?m \xc3\xa9'\nend\n\n"));
}

static size_t hookSize;
static int hookFrees;
static void* hookMalloc(size_t size) {
  hookSize = size;
  return size ? malloc(size) : NULL;
}
static void hookFree(void* p) {
  hookFrees++;
  free(p);
}
static void* hookNothing(size_t size) {
  (void)size;
  return NULL;
}

static void blocks_are_aligned_and_hooks_are_called(void** state) {
  (void)state;
  for (size_t size = 1; size < 5000; size += 37) {
    char* const p = mju_malloc(size);
    assert_int_equal((uintptr_t)p % 64, 0);
    memset(p, 1, size);
    mju_free(p);
  }
  assert_null(mju_malloc(0));
  mju_free(NULL);
  assert_string_equal(CATCH(mju_malloc(SIZE_MAX)), "Could not allocate memory");

  mju_user_malloc = hookMalloc;
  mju_user_free = hookFree;
  void* const p = mju_malloc(13);
  assert_int_equal(hookSize, 13);
  mju_free(p);
  mju_free(NULL);
  assert_int_equal(hookFrees, 1);
  mju_user_malloc = hookNothing;
  assert_string_equal(CATCH(mju_malloc(1)), "Could not allocate memory");
  mju_clearHandlers();
}

static void arenas_are_reserved_not_committed(void** state) {
  (void)state;
  // far more than the machine has; only touched pages cost
  char* const big = bas_arenaReserve((size_t)1 << 36);
  assert_int_equal((uintptr_t)big % 64, 0);
  assert_int_equal(big[0] | big[((size_t)1 << 36) - 1], 0);
  big[((size_t)1 << 36) - 1] = 1;
  bas_arenaRelease(big);
  bas_arenaRelease(NULL);
  assert_null(bas_arenaReserve(0));
  assert_null(bas_arenaReserve(SIZE_MAX));

  // hooks see the arena too
  mju_user_malloc = hookMalloc;
  mju_user_free = hookFree;
  hookFrees = 0;
  assert_false(bas_arenaReservable());
  void* const p = bas_arenaReserve(1000);
  assert_true(hookSize >= 1000);
  bas_arenaRelease(p);
  assert_int_equal(hookFrees, 1);
  mju_clearHandlers();
  assert_true(bas_arenaReservable());
}

// a released reservation serves the next one of its size; of what was used only the ends stay in memory
static void arenas_are_used_again(void** state) {
  (void)state;
#if defined(__SANITIZE_ADDRESS__)
  skip();  // released arenas are unmapped, so that late use is seen
#endif
  const size_t bytes = (size_t)5 << 20;
  char* const first = bas_arenaReserve(bytes);
  first[0] = first[bytes / 2] = first[bytes - 1] = 1;
  bas_arenaRelease(first);
  char* const second = bas_arenaReserve(bytes);
  assert_ptr_equal(second, first);
  assert_int_equal(second[0], 1);
  assert_int_equal(second[bytes / 2], 0);

  // another size comes from elsewhere, and little use is left in place
  char* const other = bas_arenaReserve(2 * bytes);
  assert_true(other + 2 * bytes <= second || second + bytes <= other);
  second[0] = 2;
  bas_arenaReleaseUsed(second, 1);
  bas_arenaRelease(other);
  assert_int_equal(((char*)bas_arenaReserve(bytes))[0], 2);
  bas_arenaRelease(first);

  // more than are kept: all are released, none is lost
  static char* many[200];
  for (int i = 0; i < 200; i++) {
    many[i] = bas_arenaReserve(bytes);
    assert_non_null(many[i]);
    many[i][bytes - 1] = 1;
  }
  for (int i = 0; i < 200; i++) bas_arenaRelease(many[i]);
}

// in a child process whose address space is limited: the largest half that fits, then the least
static void arenas_shrink_to_what_there_is(void** state) {
  (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  skip();  // sanitizers reserve more address space than any limit allows
#endif
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    const struct rlimit limit = {1 << 29, 1 << 29};
    if (setrlimit(RLIMIT_AS, &limit)) _exit(1);
    size_t bytes = (size_t)1 << 30;
    char* const arena = bas_arenaReserveUpTo(&bytes, 1000);
    if (!arena || bytes < 1000 || bytes > (size_t)1 << 28) _exit(2);
    arena[bytes - 1] = 1;
    bas_arenaRelease(arena);
    bytes = (size_t)1 << 40;
    _exit(bas_arenaReserveUpTo(&bytes, (size_t)1 << 39) ? 3 : 0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(handlers_are_tried_in_order),       cmocka_unit_test(long_messages_are_cut),
      cmocka_unit_test(capture_takes_precedence),          cmocka_unit_test(unhandled_errors_are_logged_and_exit),
      cmocka_unit_test(unhandled_messages_are_printable),  cmocka_unit_test(blocks_are_aligned_and_hooks_are_called),
      cmocka_unit_test(arenas_are_reserved_not_committed), cmocka_unit_test(arenas_are_used_again),
      cmocka_unit_test(arenas_shrink_to_what_there_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
